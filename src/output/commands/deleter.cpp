// SPDX-License-Identifier: MIT
// See deleter.h.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/files.h"
#include "os/safe_open.h"
#include "output/commands/action_stage.h"
#include "output/commands/executor.h"
#include "output/path_tree.h"
#include "text/quoting.h"

namespace ffind::output {
namespace {

class Deleter final : public ActionStage {
 public:
  explicit Deleter(const ActionContext& context);

  bool take(std::span<const Match> matches) override;
  void finish() override;
  bool failed() const override { return failed_; }
  void set_roots(RootDirectories roots) override;
  std::size_t descriptors() const override { return 2; }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  static Key key_of(const os::FileId& id) { return {id.device, id.inode}; }

  /// What is to be removed. Its path is its place below its root.
  struct Target {
    os::Identity identity;
    const RootDirectory* root;
    PathTree::Index place;   ///< its canonical path: the same however its root was spelt
    bool is_named;           ///< a file that was named; a link is followed then
    bool is_root_directory;  ///< the directory at which paths begin
  };

  void note(const Match& match);
  std::string path_of(const Target& target) const;
  std::string line_of(const Target& target) const;
  std::string why_not(const Target& target) const;
  bool remove(const Target& target);
  void remove_now(const Target& target);
  bool is_same(const os::Identity& found, const os::Identity& now) const;
  bool leads_to(int directory, const std::string& link, const os::Identity& found) const;
  int open_directory_of(const Target& target, int& directory);
  bool agreed(const Target& target, bool& goes_on);
  void fail(const Target& target, int error, const std::string& text = {});

  const ActionContext context_;
  RootDirectories roots_;
  /// Roots, or volumes' roots, by what they are. A path would not do: one directory may have
  /// several.
  std::map<Key, RootKind> root_kinds_;
  bool overlap_ = false;  ///< what lies below one root may be found below another, too
  std::optional<Confirmation> confirmation_;
  os::OpenAncestors ancestors_;
  std::mutex mutex_;
  PathTree places_;
  PathNames way_{places_};  ///< to the directory that ancestors_ is in
  std::string place_;       ///< of a match; kept for its memory
  std::deque<Target> files_;
  std::deque<Target> directories_;
  std::vector<bool> noted_;  ///< by place, where that is needed
  /// Files of which we removed a name and others are left: changed by us.
  std::set<Key> unlinked_;
  bool failed_ = false;
};

/// Descriptors kept of the way down: siblings, and the way back up, then cost no more than one
/// directory each time. Half of what a low limit leaves, since a search that was abandoned may
/// still hold the other half.
std::size_t kept_descriptors() {
  constexpr std::size_t most = 64;
  return std::clamp<std::size_t>(spare_descriptors() / 2, 2, most);
}

/// How many names the directories on the way to a root have.
std::size_t depth_of(const RootDirectory& root) {
  const std::string& canonical = root.canonical;
  return static_cast<std::size_t>(std::count(canonical.begin(), canonical.end(), '/'));
}

/// Whether one of them lies within another.
bool do_overlap(const RootDirectories& roots) {
  std::vector<std::string_view> places;
  for (const RootDirectory& root : roots) places.push_back(root.canonical);
  std::sort(places.begin(), places.end());
  // Whatever begins with a path comes right behind it.
  return std::adjacent_find(places.begin(), places.end(), [](const auto& a, const auto& b) {
           return b.substr(0, a.size()) == a;
         }) != places.end();
}

Deleter::Deleter(const ActionContext& context)
    : context_(context), ancestors_(false, kept_descriptors()) {
  if (context_.action.confirm && !context_.action.dry_run) confirmation_.emplace();
}

void Deleter::set_roots(RootDirectories roots) {
  roots_ = std::move(roots);
  for (const RootDirectory& root : roots_) {
    if (root.kind == RootKind::files) continue;
    RootKind& kind = root_kinds_.emplace(key_of(root.directory.id), root.kind).first->second;
    kind = std::min(kind, root.kind);
  }
  overlap_ = do_overlap(roots_);
}

bool Deleter::take(std::span<const Match> matches) {
  const std::lock_guard lock(mutex_);
  for (const Match& match : matches) note(match);
  return true;
}

void Deleter::note(const Match& match) {
  const Located located = locate_below(roots_, match.path);
  const RootDirectory* const root = located.root;
  place_ = root == nullptr ? match.path : root->canonical;
  if (root != nullptr) place_ += located.path;
  const PathTree::Index place = places_.add(place_);
  // What was found below two roots is removed once, shown once, and confirmed once.
  if (overlap_) {
    noted_.resize(places_.size());
    if (noted_[place]) return;
    noted_[place] = true;
  }
  const bool is_directory = match.identity.type == FileType::directory;
  (is_directory ? directories_ : files_)
      .push_back(
          {match.identity, root, place, match.is_root, root != nullptr && located.path.empty()});
}

void Deleter::finish() {
  const std::lock_guard lock(mutex_);
  for (const Target& target : files_) {
    if (!remove(target)) return;
  }
  // What lies in a directory comes behind it in the order of bytes, and so before it in this one.
  std::vector<PathTree::Index> order(places_.size());
  PathTree::Index number = 0;
  for (const PathTree::Index place : places_.sorted()) order[place] = number++;
  std::sort(directories_.begin(), directories_.end(),
            [&](const Target& a, const Target& b) { return order[a.place] > order[b.place]; });
  for (const Target& target : directories_) {
    if (!remove(target)) return;
  }
}

/// As it is printed.
std::string Deleter::path_of(const Target& target) const {
  std::string path;
  places_.append(path, target.place);
  if (target.root == nullptr) return path;
  path.replace(0, target.root->canonical.size(), target.root->printed);
  if (target.is_root_directory) path.pop_back();
  return path;
}

std::string Deleter::line_of(const Target& target) const {
  const bool is_directory = target.identity.type == FileType::directory;
  return text::shell_line({is_directory ? "rmdir" : "rm", path_of(target)}, context_.reader());
}

/// Why it is to stay; empty: it is not.
std::string Deleter::why_not(const Target& target) const {
  RootKind kind = RootKind::files;
  if (target.is_root_directory) {
    kind = target.root->kind;
  } else if (target.identity.type == FileType::directory) {
    const auto root = root_kinds_.find(key_of(target.identity.id));
    if (root != root_kinds_.end()) kind = root->second;
  }
  if (kind == RootKind::volume) return "a volume is mounted there";
  return kind == RootKind::root ? "it is a root of the search" : "";
}

/// False when no more is to be removed.
bool Deleter::remove(const Target& target) {
  const std::string reason = why_not(target);
  if (!reason.empty()) {
    fail(target, 0, reason);
    return true;
  }
  if (context_.action.dry_run) return context_.show(line_of(target));
  bool goes_on = true;
  if (agreed(target, goes_on)) remove_now(target);
  return goes_on;
}

int Deleter::open_directory_of(const Target& target, int& directory) {
  const std::size_t above = target.root == nullptr ? 0 : depth_of(*target.root);
  std::size_t same = way_.move_to(places_.parent(target.place));
  same -= std::min(same, above);
  const auto names = std::span(way_.names()).subspan(above);
  return open_directory(ancestors_, target.root, names, same, directory);
}

void Deleter::remove_now(const Target& target) {
  const std::string name(places_.name(target.place));
  int directory = -1;
  int error = open_directory_of(target, directory);
  os::Identity now;
  if (error == 0) error = os::identify(directory, name, false, now);
  if (error != 0) return fail(target, error);
  const bool is_followed = target.is_named && now.type == FileType::symlink;
  const bool same =
      is_followed ? leads_to(directory, name, target.identity) : is_same(target.identity, now);
  if (!same) return fail(target, 0, "it is no longer what was found");
  error = os::remove(directory, name, now.type);
  if (error != 0) return fail(target, error);
  if (now.links > 1) unlinked_.insert(key_of(now.id));
}

/// A root that is a link was found as the file that it leads to, unless it leads nowhere.
bool Deleter::leads_to(int directory, const std::string& link, const os::Identity& found) const {
  os::Identity now;
  const bool follow = found.type != FileType::symlink;
  return os::identify(directory, link, follow, now) == 0 && is_same(found, now);
}

bool Deleter::is_same(const os::Identity& found, const os::Identity& now) const {
  if (found.type != now.type || !(found.id == now.id)) return false;
  // A directory changes by what we remove from it, and is removed only when it is empty.
  if (!context_.action.by_metadata || now.type == FileType::directory) return true;
  return found.changed == now.changed || unlinked_.count(key_of(now.id)) != 0;
}

bool Deleter::agreed(const Target& target, bool& goes_on) {
  if (!confirmation_) return true;
  const Confirmation::Answer answer = confirmation_->ask(line_of(target), context_.writer);
  goes_on = answer != Confirmation::Answer::quit;
  return answer == Confirmation::Answer::yes;
}

void Deleter::fail(const Target& target, int error, const std::string& text) {
  // What somebody else has removed meanwhile is gone, as it should be.
  if (error == ENOENT) return;
  failed_ = true;
  context_.report({path_of(target), "delete", error,
                   text.empty() ? std::string(detail_of_opening(error)) : text});
}

}  // namespace

std::unique_ptr<ActionStage> make_deleter(const ActionContext& context) {
  return std::make_unique<Deleter>(context);
}

}  // namespace ffind::output
