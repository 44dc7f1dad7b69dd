// SPDX-License-Identifier: MIT
// Roots by the beginnings of their paths.
//
//     printed     around_       longest("src/lib/a") is "src/lib/", found by bisection. Its around_
//     ""          none          is "src/", and that one's is "" (the current directory).
//     "src/"      ""
//     "src/lib/"  "src/"
//
// A file that is a root has no directory of its own to open, so the directory that it was typed in
// is added as one of kind `files`: `ffind x a/b.txt` has a root "a/".
#include "output/commands/root_directories.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "os/files.h"
#include "text/paths.h"

namespace ffind::output {
namespace {

/// Returns the directory of a root that is a file, with the path that it was typed with; nullopt if
/// it is gone.
std::optional<RootDirectory> directory_of_files(const Root& root) {
  std::string directory(split_path(root.open_path).first);
  if (directory.empty()) directory = ".";
  os::Identity found;
  if (os::identify(directory, true, found) != 0) return {};
  // The canonical path of a link is the one of its target.
  std::string canonical = text::with_slash(os::locate(directory).canonical);
  return RootDirectory{
      root.printed, {std::move(directory), found.id}, std::move(canonical), RootKind::files};
}

}  // namespace

RootDirectories::RootDirectories(std::vector<RootDirectory> roots) : roots_(std::move(roots)) {
  // If a directory is a root and has files that are roots, the first is kept.
  std::stable_sort(roots_.begin(), roots_.end(),
                   [](const RootDirectory& a, const RootDirectory& b) {
                     return a.printed != b.printed ? a.printed < b.printed : a.kind < b.kind;
                   });
  const auto last = std::unique(roots_.begin(), roots_.end(), [](const auto& a, const auto& b) {
    return a.printed == b.printed;
  });
  roots_.erase(last, roots_.end());
  // A beginning sorts before longer ones, and everything between them begins with it, too.
  around_.reserve(roots_.size());
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    std::size_t outer = i == 0 ? no_root : i - 1;
    while (outer != no_root && !roots_[i].printed.starts_with(roots_[outer].printed)) {
      outer = around_[outer];
    }
    around_.push_back(outer);
  }
}

const RootDirectory* RootDirectories::around(const RootDirectory& root) const {
  const std::size_t outer = around_[static_cast<std::size_t>(&root - roots_.data())];
  return outer == no_root ? nullptr : &roots_[outer];
}

const RootDirectory* RootDirectories::longest(std::string_view text) const {
  const auto after = std::upper_bound(
      roots_.begin(), roots_.end(), text,
      [](std::string_view sought, const RootDirectory& root) { return sought < root.printed; });
  if (after == roots_.begin()) return nullptr;
  // If it is not this one, it is one that this one begins with.
  const RootDirectory* root = &*std::prev(after);
  const std::string_view printed = root->printed;
  const auto differ = std::mismatch(printed.begin(), printed.end(), text.begin(), text.end());
  const auto common = static_cast<std::size_t>(differ.first - printed.begin());
  while (root != nullptr && root->printed.size() > common) root = around(*root);
  return root;
}

RootDirectories root_directories_of(const Plan& plan) {
  std::vector<RootDirectory> roots;
  // One root directory serves all files that were typed with the same directory.
  std::unordered_set<std::string_view> with_files;
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      os::Identity found;
      const int error = os::identify(root.open_path, true, found);
      if (error == 0 && found.type == FileType::directory && !root.is_file) {
        roots.push_back({root.printed,
                         {root.open_path, found.id},
                         text::with_slash(root.canonical),
                         root.below.empty() ? RootKind::root : RootKind::volume});
        continue;
      }
      // A file that is a mount point is found in its directory.
      if (!root.below.empty()) continue;
      // A dangling link counts as a file.
      if (error != 0 && os::identify(root.open_path, false, found) != 0) continue;
      if (!with_files.insert(root.printed).second) continue;
      if (auto parent = directory_of_files(root)) roots.push_back(std::move(*parent));
    }
  }
  return RootDirectories(std::move(roots));
}

Located locate_below(const RootDirectories& roots, std::string_view path) {
  // A root itself is found by the beginning of the paths below it.
  std::string beginning(path);
  beginning += '/';
  const RootDirectory* root = roots.longest(beginning);
  if (root != nullptr && root->printed == beginning) {
    if (root->kind != RootKind::files) return {root, {}};
    root = roots.around(*root);
  }
  // Paths of the current directory do not begin with a slash.
  if (root == nullptr || (root->printed.empty() && path.starts_with("/"))) return {};
  return {root, path.substr(root->printed.size())};
}

std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
  const std::string_view name = text::name_of(path);
  return {path.substr(0, path.size() - name.size()), name};
}

std::string_view detail_of_opening(int error) {
  return error == ESTALE ? "its root is not the directory that was searched" : "";
}

}  // namespace ffind::output
