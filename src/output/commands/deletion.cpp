// SPDX-License-Identifier: MIT
// See deletion.h.
#include "output/commands/deletion.h"

#include <algorithm>
#include <cerrno>
#include <unordered_set>

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

bool is_directory(const Removal& removal) {
  return removal.identity.type == FileType::directory;
}

std::string line_of(const Removal& removal, text::QuotedFor reader) {
  return text::shell_line({is_directory(removal) ? "rmdir" : "rm", std::string(removal.path)},
                          reader);
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
  records_ += records;
  return true;
}

DeletionReceiver::Target DeletionReceiver::target_of(const Removal& removal) const {
  Target target{removal, below_anchor(anchors_, removal.path), {}};
  const Anchor* const anchor = target.located.anchor;
  target.place = anchor == nullptr ? removal.path : anchor->canonical;
  target.place += target.located.path;
  return target;
}

void DeletionReceiver::finish() {
  const std::lock_guard lock(mutex_);
  // What was found below two roots is removed once, shown once, and asked for once.
  std::unordered_set<std::string> places;
  std::vector<Target> directories;
  for (std::string_view rest = records_; !rest.empty();) {
    Target target = target_of(next_removal(rest));
    if (overlap_ && !places.insert(target.place).second) continue;
    if (is_directory(target.removal)) {
      directories.push_back(std::move(target));
    } else if (!remove(target)) {
      return;
    }
  }
  // What lies in a directory comes behind it in the order of bytes, and so before it in this one.
  std::sort(directories.begin(), directories.end(),
            [](const Target& a, const Target& b) { return a.place > b.place; });
  for (const Target& target : directories) {
    if (!remove(target)) return;
  }
}

/// Why it is to stay; empty: it is not.
std::string DeletionReceiver::why_not(const Target& target) const {
  const Located& located = target.located;
  AnchorKind kind = AnchorKind::files;
  if (located.anchor != nullptr && located.path.empty()) {
    kind = located.anchor->kind;
  } else if (is_directory(target.removal)) {
    const auto root = roots_.find(key_of(target.removal.identity.id));
    if (root != roots_.end()) kind = root->second;
  }
  if (kind == AnchorKind::volume) return "a volume is mounted there";
  return kind == AnchorKind::root ? "it is a root of the search" : "";
}

/// False when no more is to be removed.
bool DeletionReceiver::remove(const Target& target) {
  const Removal& removal = target.removal;
  const std::string reason = why_not(target);
  if (!reason.empty()) {
    fail(removal.path, 0, reason);
    return true;
  }
  if (context_.action.dry_run) return context_.show(line_of(removal, context_.reader()));
  bool goes_on = true;
  if (agreed(removal, goes_on)) remove_now(target);
  return goes_on;
}

void DeletionReceiver::remove_now(const Target& target) {
  const Removal& removal = target.removal;
  const auto [below, last] = split_path(target.located.path);
  const std::string name(last);
  int directory = -1;
  int error = open_directory(trail_, target.located, below, directory);
  os::Identity now;
  if (error == 0) error = os::identify(directory, name, false, now);
  if (error != 0) return fail(removal.path, error);
  const bool is_followed = removal.is_root && now.type == FileType::symlink;
  const bool same =
      is_followed ? leads_to(directory, name, removal.identity) : is_same(removal.identity, now);
  if (!same) {
    return fail(removal.path, 0, "it is not what was found any more");
  }
  error = os::remove(directory, name, now.type);
  if (error != 0) return fail(removal.path, error);
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

bool DeletionReceiver::agreed(const Removal& removal, bool& goes_on) {
  if (!confirmation_) return true;
  const Confirmation::Answer answer =
      confirmation_->ask(line_of(removal, context_.reader()), context_.writer);
  goes_on = answer != Confirmation::Answer::quit;
  return answer == Confirmation::Answer::yes;
}

void DeletionReceiver::fail(std::string_view path, int error, const std::string& text) {
  // What somebody else has removed meanwhile is gone, as it should be.
  if (error == ENOENT) return;
  failed_ = true;
  context_.report({std::string(path), "delete", error,
                   text.empty() ? std::string(detail_of_opening(error)) : text});
}

}  // namespace ffind
