// SPDX-License-Identifier: MIT
// Prefixes of paths. See anchors.h.
#include "output/commands/anchors.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "os/os.h"
#include "output/commands/receivers.h"
#include "text/paths.h"

namespace ffind {
namespace {

bool begins(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

/// For a root that is a file: its `printed` is the directory that it was typed with. Nothing where
/// that is gone.
std::optional<Anchor> anchor_of_files(const Root& root) {
  std::string directory(split_path(root.open_path).first);
  if (directory.empty()) directory = ".";
  os::Identity found;
  if (os::identify(directory, true, found) != 0) return {};
  // The canonical path of a link is that of what it leads to.
  std::string canonical = text::with_slash(os::locate(directory).canonical);
  return Anchor{
      root.printed, {std::move(directory), found.id}, std::move(canonical), AnchorKind::files};
}

}  // namespace

Anchors::Anchors(std::vector<Anchor> anchors) : anchors_(std::move(anchors)) {
  // Of a directory that is a root, and has files that are, the root is kept.
  std::stable_sort(anchors_.begin(), anchors_.end(), [](const Anchor& a, const Anchor& b) {
    return a.printed != b.printed ? a.printed < b.printed : a.kind < b.kind;
  });
  const auto last = std::unique(anchors_.begin(), anchors_.end(), [](const auto& a, const auto& b) {
    return a.printed == b.printed;
  });
  anchors_.erase(last, anchors_.end());
  // What begins with another one comes behind it, and all in between begins with it, too.
  around_.reserve(anchors_.size());
  for (std::size_t i = 0; i < anchors_.size(); ++i) {
    std::size_t outer = i == 0 ? nobody : i - 1;
    while (outer != nobody && !begins(anchors_[i].printed, anchors_[outer].printed)) {
      outer = around_[outer];
    }
    around_.push_back(outer);
  }
}

const Anchor* Anchors::around(const Anchor& anchor) const {
  const std::size_t outer = around_[static_cast<std::size_t>(&anchor - anchors_.data())];
  return outer == nobody ? nullptr : &anchors_[outer];
}

const Anchor* Anchors::longest(std::string_view text) const {
  const auto behind = std::upper_bound(
      anchors_.begin(), anchors_.end(), text,
      [](std::string_view sought, const Anchor& anchor) { return sought < anchor.printed; });
  if (behind == anchors_.begin()) return nullptr;
  // If this is not it, it is one that this begins with.
  const Anchor* anchor = &*std::prev(behind);
  const std::string_view printed = anchor->printed;
  const auto differ = std::mismatch(printed.begin(), printed.end(), text.begin(), text.end());
  const auto common = static_cast<std::size_t>(differ.first - printed.begin());
  while (anchor != nullptr && anchor->printed.size() > common) anchor = around(*anchor);
  return anchor;
}

Anchors anchors_of(const Plan& plan) {
  std::vector<Anchor> anchors;
  // The first of the files that were typed with a directory stands for all.
  std::unordered_set<std::string_view> with_files;
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      os::Identity found;
      const int error = os::identify(root.open_path, true, found);
      if (error == 0 && found.type == FileType::directory) {
        anchors.push_back({root.printed,
                           {root.open_path, found.id},
                           text::with_slash(root.canonical),
                           root.below.empty() ? AnchorKind::root : AnchorKind::volume});
        continue;
      }
      // A file that is a mount point is found in the directory where it is.
      if (!root.below.empty()) continue;
      // A link that leads nowhere is as good a file.
      if (error != 0 && os::identify(root.open_path, false, found) != 0) continue;
      if (!with_files.insert(root.printed).second) continue;
      if (auto anchor = anchor_of_files(root)) anchors.push_back(std::move(*anchor));
    }
  }
  return Anchors(std::move(anchors));
}

Located below_anchor(const Anchors& anchors, std::string_view path) {
  // A root itself is found by the beginning of what is below it.
  std::string beginning(path);
  beginning += '/';
  const Anchor* anchor = anchors.longest(beginning);
  if (anchor != nullptr && anchor->printed == beginning) {
    if (anchor->kind != AnchorKind::files) return {anchor, {}};
    anchor = anchors.around(*anchor);
  }
  // The current directory's paths begin with anything but a slash.
  if (anchor == nullptr || (anchor->printed.empty() && begins(path, "/"))) return {};
  return {anchor, path.substr(anchor->printed.size())};
}

int open_directory(os::Trail& trail, const Located& located, std::string_view below, int& fd) {
  if (located.anchor == nullptr) return ESTALE;
  return trail.open(located.anchor->directory, below, fd);
}

int open_directory(os::Trail& trail, const Anchor* anchor, std::span<const std::string_view> names,
                   std::size_t same, int& fd) {
  return anchor == nullptr ? ESTALE : trail.open(anchor->directory, names, same, fd);
}

std::string_view detail_of_opening(int error) {
  return error == ESTALE ? "its root is not the directory that was searched" : "";
}

}  // namespace ffind
