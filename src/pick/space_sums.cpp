// SPDX-License-Identifier: MIT
// Three passes: entries into their directories, directories into their parents, sums to the entries
// of directories. A directory of the store has a larger number than its parent, so going down the
// numbers meets each directory after everything below it.
//
// A volume mounted below a root was found from a root of its own, which has no parent. Its sum is
// added along the way to the place where it is mounted.
#include "pick/space_sums.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "output/directory_sums.h"
#include "pick/order.h"

namespace ffind::pick {
namespace {

using output::add_up;
using Sums = std::vector<std::uint64_t>;

/// A file with several links.
struct Linked {
  std::uint64_t device;
  std::uint64_t inode;
  EntryId id;
  std::uint64_t bytes;
};

/// Adds each inode to the directory of the first of its paths.
void add_linked(const EntryStore& store, std::vector<Linked> linked, Sums& sums) {
  const auto inode_of = [](const Linked& one) { return std::tie(one.device, one.inode); };
  std::sort(linked.begin(), linked.end(),
            [&](const Linked& a, const Linked& b) { return inode_of(a) < inode_of(b); });
  const Ordering by_path(store, PickOrder::path);
  for (auto link = linked.begin(); link != linked.end();) {
    const auto end = std::find_if(link, linked.end(), [&](const Linked& other) {
      return inode_of(other) != inode_of(*link);
    });
    const auto first = std::min_element(link, end, [&](const Linked& a, const Linked& b) {
      return by_path.comes_before(a.id, b.id);
    });
    add_up(sums[store.directory_of(first->id)], first->bytes);
    link = end;
  }
}

/// A volume that was found from a root of its own, below a named root.
struct Mounted {
  DirectoryId volume;
  DirectoryId in;         ///< the last directory above it that anything was found in
  std::string_view name;  ///< of the directory in there that leads to it
};

/// Finds the place of each volume, the deepest volumes first. Those whose named root has no entry
/// are left out.
std::vector<Mounted> mounted_volumes(const EntryStore& store, std::vector<DirectoryId> roots) {
  const auto root_of = [&](DirectoryId root) -> const Root& {
    return store.root_of(store.directory(root));
  };
  // A volume below "" is printed below "./" if its path would begin with "-".
  const auto is_at = [&](DirectoryId root, std::string_view printed) {
    const std::string& other = root_of(root).printed;
    return other == printed || (other.empty() && printed == "./");
  };
  std::vector<Mounted> volumes;
  for (const DirectoryId volume : roots) {
    const Root& root = root_of(volume);
    if (root.below.empty()) continue;
    // `printed` is what was typed, `below` and a slash. Each slash may end another volume's.
    std::size_t end = root.printed.size() - root.below.size() - 1;
    const std::string_view printed = root.printed;
    DirectoryId at = no_directory;
    std::string_view missing;
    while (end < printed.size()) {
      const auto other = std::find_if(roots.begin(), roots.end(), [&](DirectoryId candidate) {
        return is_at(candidate, printed.substr(0, end));
      });
      if (other != roots.end()) {
        at = *other;
        missing = {};
      }
      const std::size_t slash = printed.find('/', end);
      const std::string_view name = printed.substr(end, slash - end);
      end = slash + 1;
      if (at == no_directory || !missing.empty()) continue;
      const DirectoryId next = store.find_directory(at, name);
      if (next == no_directory) {
        missing = name;
      } else {
        at = next;
      }
    }
    if (at != no_directory) volumes.push_back({volume, at, missing});
  }
  std::sort(volumes.begin(), volumes.end(), [&](const Mounted& a, const Mounted& b) {
    return root_of(a.volume).below.size() > root_of(b.volume).below.size();
  });
  return volumes;
}

}  // namespace

SpaceSums::SpaceSums(const EntryStore& store, std::size_t count, std::size_t values)
    : store_(store), count_(count), values_(values) {
  // Those of the first `count` entries are among them.
  Sums sums(store.directories());
  std::vector<Linked> linked;
  Metadata metadata{};
  Needs failed = needs::none;
  for (EntryId id = 0; id < count; ++id) {
    if (store.is_taken_out(id)) continue;
    const bool is_directory = store.type(id) == FileType::directory;
    if (is_directory) directories_.emplace_back(id, 0);
    const Needs known = store.known(id, needs, metadata, failed);
    if ((known & needs::allocated) == 0) continue;
    if (!is_directory && (known & needs) == needs && metadata.links > 1) {
      linked.push_back({metadata.device, metadata.inode, id, metadata.allocated});
      continue;
    }
    if (is_directory) directories_.back().second = metadata.allocated;
    add_up(sums[store.directory_of(id)], metadata.allocated);
  }
  add_linked(store, std::move(linked), sums);
  std::vector<DirectoryId> roots;
  output::add_to_parents(sums, [&](std::size_t id) {
    const auto directory = static_cast<DirectoryId>(id);
    const DirectoryId parent = store.directory(directory).parent;
    if (parent == no_directory) roots.push_back(directory);
    return parent;
  });
  // Up to the root of the volume that it is mounted in, which comes later.
  const std::vector<Mounted> volumes = mounted_volumes(store, roots);
  for (const Mounted& one : volumes) {
    for (DirectoryId at = one.in; at != no_directory && at < sums.size();
         at = store.directory(at).parent) {
      add_up(sums[at], sums[one.volume]);
    }
  }
  for (const Mounted& one : volumes) std::erase(roots, one.volume);
  for (const DirectoryId root : roots) add_up(total_, sums[root]);
  if (roots.size() == 1) only_root_ = roots.front();
  has_entry_.resize(sums.size());
  for (auto& [id, bytes] : directories_) {
    const DirectoryId directory = store.find_directory(store.directory_of(id), store.name(id));
    if (directory != no_directory && directory < sums.size()) {
      add_up(bytes, sums[directory]);
      has_entry_[directory] = true;
    }
    for (const Mounted& one : volumes) {
      const bool leads_there =
          one.in == store.directory_of(id) && !one.name.empty() && one.name == store.name(id);
      if (!leads_there) continue;
      add_up(bytes, sums[one.volume]);
      has_entry_[one.volume] = true;
      volumes_.emplace_back(id, one.volume);
    }
  }
}

DirectoryId SpaceSums::volume_at(EntryId id) const {
  const auto found = std::find_if(volumes_.begin(), volumes_.end(),
                                  [id](const auto& volume) { return volume.first == id; });
  return found == volumes_.end() ? no_directory : found->second;
}

/// A parent has a lower number than what is in it.
std::vector<bool> SpaceSums::level(DirectoryId place) const {
  std::vector<bool> is_on_it(has_entry_.size());
  for (DirectoryId at = 0; at < is_on_it.size(); ++at) {
    const DirectoryId parent = store_.directory(at).parent;
    const bool is_above = parent == no_directory ? place == no_directory : is_on_it[parent];
    is_on_it[at] = at == place || (is_above && !has_entry_[at]);
  }
  return is_on_it;
}

std::optional<std::uint64_t> SpaceSums::of(EntryId id) const {
  if (id >= count_) return {};
  if (store_.type(id) == FileType::directory) {
    const auto found = std::lower_bound(
        directories_.begin(), directories_.end(), id,
        [](const auto& directory, EntryId wanted) { return directory.first < wanted; });
    if (found == directories_.end() || found->first != id) return {};
    return found->second;
  }
  Metadata metadata{};
  Needs failed = needs::none;
  if (store_.known(id, needs::allocated, metadata, failed) == needs::none) return {};
  return metadata.allocated;
}

}  // namespace ffind::pick
