// SPDX-License-Identifier: MIT
// See deletion.h.
#include "output/commands/deletion.h"

#include <algorithm>
#include <cerrno>
#include <span>

#include "text/shell_quote.h"

namespace ffind {
namespace {

/// Descriptors kept of the way down: siblings, and the way back up, then cost no more than one
/// directory each time. Half of what a low limit leaves, since a search that was abandoned may
/// still hold the other half.
std::size_t kept_descriptors() {
  constexpr std::size_t most = 64;
  return std::clamp<std::size_t>(spare_descriptors() / 2, 2, most);
}

/// How many names the directories on the way to an anchor have.
std::size_t depth_of(const Anchor& anchor) {
  const std::string& canonical = anchor.canonical;
  return static_cast<std::size_t>(std::count(canonical.begin(), canonical.end(), '/'));
}

/// Whether one of them lies within another.
bool do_overlap(const Anchors& anchors) {
  std::vector<std::string_view> places;
  for (const Anchor& anchor : anchors) places.push_back(anchor.canonical);
  std::sort(places.begin(), places.end());
  // Whatever begins with a path comes right behind it.
  return std::adjacent_find(places.begin(), places.end(), [](const auto& a, const auto& b) {
           return b.substr(0, a.size()) == a;
         }) != places.end();
}

}  // namespace

DeletionReceiver::DeletionReceiver(const ActionContext& context)
    : context_(context), trail_(false, kept_descriptors()) {
  if (context_.action.confirm && !context_.action.dry_run) confirmation_.emplace();
}

void DeletionReceiver::set_anchors(Anchors anchors) {
  anchors_ = std::move(anchors);
  for (const Anchor& anchor : anchors_) {
    if (anchor.kind == AnchorKind::files) continue;
    AnchorKind& kind = roots_.emplace(key_of(anchor.directory.id), anchor.kind).first->second;
    kind = std::min(kind, anchor.kind);
  }
  overlap_ = do_overlap(anchors_);
}

bool DeletionReceiver::take(std::string_view records) {
  const std::lock_guard lock(mutex_);
  while (!records.empty()) note(next_removal(records));
  return true;
}

void DeletionReceiver::note(const Removal& removal) {
  const Located located = below_anchor(anchors_, removal.path);
  const Anchor* const anchor = located.anchor;
  place_ = anchor == nullptr ? removal.path : anchor->canonical;
  if (anchor != nullptr) place_ += located.path;
  const PathTree::Index place = places_.add(place_);
  // What was found below two roots is removed once, shown once, and asked for once.
  if (overlap_) {
    noted_.resize(places_.size());
    if (noted_[place]) return;
    noted_[place] = true;
  }
  const bool is_directory = removal.identity.type == FileType::directory;
  (is_directory ? directories_ : files_)
      .push_back({removal.identity, anchor, place, removal.is_root,
                  anchor != nullptr && located.path.empty()});
}

void DeletionReceiver::finish() {
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
std::string DeletionReceiver::path_of(const Target& target) const {
  std::string path;
  places_.append(path, target.place);
  if (target.anchor == nullptr) return path;
  path.replace(0, target.anchor->canonical.size(), target.anchor->printed);
  if (target.is_anchor) path.pop_back();
  return path;
}

std::string DeletionReceiver::line_of(const Target& target) const {
  const bool is_directory = target.identity.type == FileType::directory;
  return text::shell_line({is_directory ? "rmdir" : "rm", path_of(target)}, context_.reader());
}

/// Why it is to stay; empty: it is not.
std::string DeletionReceiver::why_not(const Target& target) const {
  AnchorKind kind = AnchorKind::files;
  if (target.is_anchor) {
    kind = target.anchor->kind;
  } else if (target.identity.type == FileType::directory) {
    const auto root = roots_.find(key_of(target.identity.id));
    if (root != roots_.end()) kind = root->second;
  }
  if (kind == AnchorKind::volume) return "a volume is mounted there";
  return kind == AnchorKind::root ? "it is a root of the search" : "";
}

/// False when no more is to be removed.
bool DeletionReceiver::remove(const Target& target) {
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

int DeletionReceiver::open_directory_of(const Target& target, int& directory) {
  const std::size_t above = target.anchor == nullptr ? 0 : depth_of(*target.anchor);
  std::size_t same = way_.move_to(places_.parent(target.place));
  same -= std::min(same, above);
  const auto names = std::span(way_.names()).subspan(above);
  return open_directory(trail_, target.anchor, names, same, directory);
}

void DeletionReceiver::remove_now(const Target& target) {
  const std::string name(places_.name(target.place));
  int directory = -1;
  int error = open_directory_of(target, directory);
  os::Identity now;
  if (error == 0) error = os::identify(directory, name, false, now);
  if (error != 0) return fail(target, error);
  const bool is_followed = target.is_root && now.type == FileType::symlink;
  const bool same =
      is_followed ? leads_to(directory, name, target.identity) : is_same(target.identity, now);
  if (!same) return fail(target, 0, "it is not what was found any more");
  error = os::remove(directory, name, now.type);
  if (error != 0) return fail(target, error);
  if (now.links > 1) unlinked_.insert(key_of(now.id));
}

/// A root that is a link was found as the file that it leads to, unless it leads nowhere.
bool DeletionReceiver::leads_to(int directory, const std::string& link,
                                const os::Identity& found) const {
  os::Identity now;
  const bool follow = found.type != FileType::symlink;
  return os::identify(directory, link, follow, now) == 0 && is_same(found, now);
}

bool DeletionReceiver::is_same(const os::Identity& found, const os::Identity& now) const {
  if (found.type != now.type || !(found.id == now.id)) return false;
  // A directory changes by what we remove from it, and is removed only when it is empty.
  if (!context_.action.by_metadata || now.type == FileType::directory) return true;
  return found.changed == now.changed || unlinked_.count(key_of(now.id)) != 0;
}

bool DeletionReceiver::agreed(const Target& target, bool& goes_on) {
  if (!confirmation_) return true;
  const Confirmation::Answer answer = confirmation_->ask(line_of(target), context_.writer);
  goes_on = answer != Confirmation::Answer::quit;
  return answer == Confirmation::Answer::yes;
}

void DeletionReceiver::fail(const Target& target, int error, const std::string& text) {
  // What somebody else has removed meanwhile is gone, as it should be.
  if (error == ENOENT) return;
  failed_ = true;
  context_.report({path_of(target), "delete", error,
                   text.empty() ? std::string(detail_of_opening(error)) : text});
}

}  // namespace ffind
