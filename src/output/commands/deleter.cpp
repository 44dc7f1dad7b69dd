// SPDX-License-Identifier: MIT
// The Deleter: collects the matches of --delete or --trash and takes them away once all are known,
// so that the search reads nothing that is being changed. --delete deletes files first, then
// directories, which are empty by then. --trash moves a directory with all that it contains: the
// directory comes first, and matches in it have gone with it.
//
//     take()      note(): root and place of each match, into files_ or directories_
//     finish()    --delete: files, then directories, the deepest first; --trash: from the top
//                 why_not ─▶ question ─▶ open_directory_of ─▶ identify again ─▶ unlinkat or Trash
//
// A file is only taken away if it is still the one that was found: each directory on the way is
// opened below its root without following links (os::OpenAncestors), and identity and type are
// compared again. Between that and unlinkat(2) another process may still replace the file, but only
// by one in the same directory: no system call deletes a file by its inode.
//
// Paths are kept by their canonical roots, so that a match found below two roots is deleted once. A
// target takes 56 bytes, and its path what a PathTree takes for it. Nothing is opened before
// finish().
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
#include "os/machine.h"
#include "os/safe_open.h"
#include "os/trash.h"
#include "output/commands/action_stage.h"
#include "output/commands/executor.h"
#include "output/path_tree.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/quoting.h"
#include "text/times.h"

namespace ffind::output {
namespace {

/// Open ancestor descriptors to keep: siblings, and the way back up, then cost no more than one
/// open. Half of what a low limit leaves, since a search that was abandoned may still have the
/// other half.
std::size_t kept_descriptors() {
  constexpr std::size_t most = 64;
  return std::clamp<std::size_t>(spare_descriptors() / 2, 2, most);
}

/// Returns the number of names in the path of a root.
std::size_t depth_of(const RootDirectory& root) {
  const std::string& canonical = root.canonical;
  return static_cast<std::size_t>(std::count(canonical.begin(), canonical.end(), '/'));
}

class Deleter final : public ActionStage {
 public:
  explicit Deleter(const ActionContext& context)
      : context_(context), ancestors_(false, kept_descriptors()) {
    if (context_.action.confirm && !context_.action.dry_run) confirmation_.emplace();
    if (context_.action.kind == ActionKind::trash) trash_ = os::open_trash();
  }

  bool take(std::span<const Match> matches) override {
    const std::lock_guard lock(mutex_);
    for (const Match& match : matches) note(match);
    return true;
  }

  /// Ends early if the user quits, or a dry run cannot print.
  void finish() override {
    const std::lock_guard lock(mutex_);
    began_ = os::wall_now();
    if (trash_ != nullptr) {
      for (Target& target : files_) straighten(target);
    }
    std::vector<PathTree::Index> order(places_.size());
    PathTree::Index number = 0;
    for (const PathTree::Index place : places_.sorted()) order[place] = number++;
    if (trash_ != nullptr) {
      // Order of bytes: a directory comes before what it contains.
      moved_.resize(places_.size());
      std::sort(files_.begin(), files_.end(),
                [&](const Target& a, const Target& b) { return order[a.place] < order[b.place]; });
    }
    for (const Target& target : files_) {
      if (!remove(target)) return;
    }
    // Reverse order of bytes: the contents of a directory come before it.
    std::sort(directories_.begin(), directories_.end(),
              [&](const Target& a, const Target& b) { return order[a.place] > order[b.place]; });
    for (const Target& target : directories_) {
      if (!remove(target)) return;
    }
    measure_left();
  }

  bool failed() const override { return failed_; }

  std::string summary() const override {
    if (done_.number() == 0) return {};
    if (trash_ == nullptr) return done_.text() + " deleted";
    return done_.text() + " moved to the Trash; to undo it" + undoing_line();
  }

  std::string advice() const override { return advice_; }

  void set_roots(RootDirectories roots) override {
    roots_ = std::move(roots);
    for (const RootDirectory& root : roots_) {
      if (root.kind == RootKind::files) continue;
      RootKind& kind = root_kinds_.emplace(key_of(root.directory.id), root.kind).first->second;
      kind = std::min(kind, root.kind);
    }
  }

  std::size_t descriptors() const override { return 2; }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  static Key key_of(const os::FileId& id) { return {id.device, id.inode}; }

  /// A file or directory to take away.
  struct Target {
    os::Identity identity;
    const RootDirectory* root;
    PathTree::Index place;   ///< canonical path, however its root was spelt
    bool is_named;           ///< a file named as a root; a link is followed then
    bool is_root_directory;  ///< a root that is a directory
  };

  /// A path that is below no root is kept as it is; opening its directory fails with ESTALE, and
  /// the match is reported and stays.
  void note(const Match& match) {
    const Located located = locate_below(roots_, match.path);
    const RootDirectory* const root = located.root;
    place_ = root == nullptr ? match.path : root->canonical;
    if (root != nullptr) place_ += located.path;
    const PathTree::Index place = places_.add(place_);
    if (match.is_root) named_.insert(place);
    // A match found below two roots is shown, confirmed and deleted once.
    noted_.resize(places_.size());
    if (noted_[place]) return;
    noted_[place] = true;
    const bool is_directory = match.identity.type == FileType::directory;
    (is_directory && trash_ == nullptr ? directories_ : files_)
        .push_back(
            {match.identity, root, place, match.is_root, root != nullptr && located.path.empty()});
  }

  /// Gives a target of a list its path without "..", if that leads to the same directory: once "a"
  /// is in the Trash, "a/../x" leads elsewhere, and so does "../x" once a directory around the
  /// current one is.
  void straighten(Target& target) {
    if (places_.name(target.place) == "..") return;  // it stays
    if (canonical_path_of(target).find("/../") == std::string::npos) return;
    const std::string real = real_path_of(target);
    const Located located = locate_below(roots_, real);
    if (located.root == nullptr) return;
    Target straight = target;
    straight.root = located.root;
    straight.place = places_.add(located.root->canonical + std::string(located.path));
    os::Identity typed;
    os::Identity found;
    if (directory_id(target, typed) && directory_id(straight, found) && typed.id == found.id) {
      target = straight;
    }
  }

  bool directory_id(const Target& target, os::Identity& identity) {
    int directory = -1;
    return open_directory_of(target, directory) == 0 &&
           os::identify(directory, ".", false, identity) == 0;
  }

  std::string canonical_path_of(const Target& target) const {
    std::string path;
    places_.append(path, target.place);
    return path;
  }

  /// Returns the path without ".." (of a list), which no link precedes: opening would have failed.
  std::string real_path_of(const Target& target) const {
    return os::normal_path(canonical_path_of(target));
  }

  /// Returns the path as printed.
  std::string path_of(const Target& target) const {
    std::string path = canonical_path_of(target);
    if (target.root == nullptr) return path;
    path.replace(0, target.root->canonical.size(), target.root->printed);
    if (target.is_root_directory) path.pop_back();
    return path.empty() ? target.root->directory.path : path;
  }

  /// The equivalent command, for --dry-run and --confirm.
  std::string line_of(const Target& target) const {
    const bool is_directory = target.identity.type == FileType::directory;
    const std::string_view command = trash_ != nullptr ? "trash" : is_directory ? "rmdir" : "rm";
    return text::shell_line({std::string(command), path_of(target)}, context_.reader());
  }

  /// The line that restores all that was moved; dates of deletion are whole seconds.
  std::string undoing_line() const {
    if (!os::can_restore) return ", choose Put Back in the Finder";
    std::string since;
    text::TimeFormat("%Y-%m-%dT%H:%M:%S").append(since, began_);
    return ":\n  " +
           text::shell_line({"ffind", "--trashed", "--where", "deleted >= " + since, "--restore"},
                            text::QuotedFor::terminal);
  }

  /// Returns the reason why the target must stay; empty if there is none. The roots of the search
  /// stay, by whatever path they are found: a root may be listed below another one, and rmdir of a
  /// mount point fails anyway, with EBUSY. A file that is a root can be deleted, like `rm` of it,
  /// but not moved.
  std::string why_not(const Target& target) const {
    RootKind kind = RootKind::files;
    if (target.is_root_directory) {
      kind = target.root->kind;
    } else if (target.identity.type == FileType::directory) {
      const auto root = root_kinds_.find(key_of(target.identity.id));
      if (root != root_kinds_.end()) kind = root->second;
    }
    if (trash_ != nullptr && named_.contains(target.place)) kind = RootKind::root;
    if (places_.name(target.place) == "..") return "it is a directory around others";  // of a list
    if (kind == RootKind::volume) return "a volume is mounted there";
    if (kind == RootKind::root) return "it is a root of the search";
    if (trash_ == nullptr) return {};
    return std::string(trash_->refuses(real_path_of(target)));
  }

  /// Returns false if nothing more should be deleted.
  bool remove(const Target& target) {
    if (has_gone(target)) return true;
    const std::string reason = why_not(target);
    if (!reason.empty()) {
      fail(target, 0, reason);
      return true;
    }
    if (context_.action.dry_run) {
      if (trash_ != nullptr) moved_[target.place] = true;
      return context_.show(line_of(target));
    }
    const Confirmation::Answer answer = confirmation_
                                            ? confirmation_->ask(line_of(target), context_.writer)
                                            : Confirmation::Answer::yes;
    if (answer == Confirmation::Answer::yes) remove_now(target);
    return answer != Confirmation::Answer::quit;
  }

  void remove_now(const Target& target) {
    const std::string name(places_.name(target.place));
    int directory = -1;
    int error = open_directory_of(target, directory);
    os::Identity now;
    if (error == 0) error = os::identify(directory, name, false, now);
    if (error != 0) return fail(target, error);
    // A link that was named as a root is found as what it leads to, and the link is what is
    // deleted, like `rm` of its path.
    const bool is_followed = target.is_named && now.type == FileType::symlink;
    const bool same =
        is_followed ? leads_to(directory, name, target.identity) : is_same(target.identity, now);
    if (!same) return fail(target, 0, "it is no longer what was found");
    const std::string reason = context_.why_not ? context_.why_not(now) : std::string();
    if (!reason.empty()) return fail(target, 0, reason);
    if (trash_ != nullptr) return move_to_trash(target, directory, name);
    error = os::remove(directory, name, now.type);
    if (error == ENOTEMPTY || error == EEXIST) left_.push_back(&target);
    if (error != 0) return fail(target, error);
    // The path is put together where there may be one, since a chain of directories has long ones.
    if (places_.name(places_.parent(target.place)) == "files") {
      os::remove_trash_info(directory, name, text::parent_of(real_path_of(target)));
    }
    done_.add(now);
    // Removing one name changes the ctime of the file, which is compared for its other names.
    if (now.links > 1) unlinked_.insert(key_of(now.id));
  }

  /// Adds up what is in the directories that are not empty. An ancestor, which has the contents of
  /// the others, comes after them.
  void measure_left() {
    if (left_.empty()) return;
    constexpr std::uint64_t most = 1'000'000;
    ActionTally contents;
    std::set<PathTree::Index> counted_places;
    for (auto each = left_.rbegin(); each != left_.rend(); ++each) {
      const Target& target = **each;
      PathTree::Index place = target.place;
      while (place != PathTree::root && !counted_places.contains(place)) {
        place = places_.parent(place);
      }
      int directory = -1;
      if (place != PathTree::root || open_directory_of(target, directory) != 0) continue;
      counted_places.insert(target.place);
      os::visit_contents(directory, std::string(places_.name(target.place)),
                         [&](const os::Identity& found) {
                           contents.add(found);
                           return contents.number() < most;
                         });
    }
    const bool one = left_.size() == 1;
    advice_ =
        text::format("{} not empty, with {}{} in {}; --trash moves {} whole, -X rm -r deletes {}",
                     one ? "a directory is" : text::format("{} directories are", left_.size()),
                     contents.number() < most ? "" : "more than ", contents.text(),
                     one ? "it" : "them", one ? "it" : "them", one ? "it" : "them");
  }

  /// True if the target is in a Trash: it was before, or a directory that it is in has been moved.
  bool has_gone(const Target& target) const {
    if (trash_ == nullptr) return false;
    if (trash_->holds(real_path_of(target))) return true;
    PathTree::Index place = target.place;
    while (place != PathTree::root && !moved_[place]) place = places_.parent(place);
    return place != PathTree::root;
  }

  void move_to_trash(const Target& target, int directory, const std::string& name) {
    const bool is_directory = target.identity.type == FileType::directory;
    if (is_directory && !context_.action.whole && !os::is_empty(directory, name)) {
      return fail(target, 0,
                  "a directory moves with all that it contains: --yes or --confirm allows it");
    }
    const os::Trash::Moved moved = trash_->move(directory, name, real_path_of(target));
    moved_[target.place] = moved.error == 0 || moved.gone;
    if (moved.error != 0) return fail(target, moved.error, moved.detail);
    done_.add(target.identity);
  }

  bool is_same(const os::Identity& found, const os::Identity& now) const {
    if (found.type != now.type || !(found.id == now.id)) return false;
    // Deleting its contents changes a directory, and it is only removed if it is empty. One that
    // goes to the Trash has lost nothing yet.
    const bool emptied = now.type == FileType::directory && trash_ == nullptr;
    if (!context_.action.by_metadata || emptied) return true;
    return found.changed == now.changed || unlinked_.count(key_of(now.id)) != 0;
  }

  /// True if a root that is a link still leads to the file that was found. A dangling link was
  /// found as itself.
  bool leads_to(int directory, const std::string& link, const os::Identity& found) const {
    os::Identity now;
    const bool follow = found.type != FileType::symlink;
    return os::identify(directory, link, follow, now) == 0 && is_same(found, now);
  }

  /// Opens the directory of a target. The names of a root's own path are not walked: OpenAncestors
  /// opens the root itself and begins below it.
  int open_directory_of(const Target& target, int& directory) {
    if (target.root == nullptr) return ESTALE;
    const std::size_t above = depth_of(*target.root);
    std::size_t same = way_.move_to(places_.parent(target.place));
    same -= std::min(same, above);
    const auto names = std::span(way_.names()).subspan(above);
    return ancestors_.open(target.root->directory, names, same, directory);
  }

  void fail(const Target& target, int error, const std::string& text = {}) {
    // Another process has deleted it meanwhile.
    if (error == ENOENT && text.empty()) return;
    failed_ = true;
    context_.report({path_of(target), trash_ != nullptr ? "move to the Trash" : "delete", error,
                     text.empty() ? std::string(detail_of_opening(error)) : text});
  }

  const ActionContext context_;
  RootDirectories roots_;
  /// Roots of the search and of volumes by identity, since one directory may have several paths.
  std::map<Key, RootKind> root_kinds_;
  std::optional<Confirmation> confirmation_;
  os::OpenAncestors ancestors_;
  std::mutex mutex_;
  PathTree places_;
  PathNames way_{places_};  ///< to the directory that ancestors_ is in
  std::string place_;       ///< of the last match; a member for its memory
  std::deque<Target> files_;
  std::deque<Target> directories_;
  std::vector<bool> noted_;          ///< by place
  std::set<PathTree::Index> named_;  ///< roots
  /// Files with other names left after one was deleted, which set their change time.
  std::set<Key> unlinked_;
  std::unique_ptr<os::Trash> trash_;  ///< null for --delete
  std::vector<bool> moved_;           ///< directories that are in the Trash by now, by place
  ActionTally done_;
  Instant began_;
  std::vector<const Target*> left_;  ///< directories that are not empty, the deepest first
  std::string advice_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<ActionStage> make_deleter(const ActionContext& context) {
  return std::make_unique<Deleter>(context);
}

}  // namespace ffind::output
