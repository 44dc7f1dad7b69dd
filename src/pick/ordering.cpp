// SPDX-License-Identifier: MIT
// Names by words of their keys, paths directory by directory, values as numbers.
#include "pick/order.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "output/path_tree.h"
#include "text/unicode.h"

namespace ffind::pick {

Needs needs_of(PickOrder order) {
  if (order == PickOrder::size) return needs::length;
  if (order == PickOrder::space) return SpaceSums::needs;
  return order == PickOrder::modified ? needs::modified : needs::none;
}

namespace {

/// Up to this part of what is sorted already, new entries are each put in their place; if there are
/// more, everything is sorted again.
constexpr std::size_t part_of_all = 8;
/// Fewer paths than this are compared with each other, instead of going through all directories.
constexpr std::size_t few = 1000;

/// The key of a name, as of `--sort name` (output/sort_store.h) without the path.
class NameKey {
 public:
  NameKey& of(std::string_view name) {
    key_.clear();
    text::append_natural_name(key_, name, folded_);
    key_ += '\0';
    key_.append(name) += '\0';
    return *this;
  }
  /// Returns eight bytes of it as a number that compares as they do, padded with zeros.
  std::uint64_t word(std::size_t number) const {
    const std::size_t begin = std::min(number * sizeof(std::uint64_t), key_.size());
    return output::leading_word(std::string_view(key_).substr(begin));
  }
  std::size_t words() const { return (key_.size() + 7) / sizeof(std::uint64_t); }
  const std::string& bytes() const { return key_; }

 private:
  std::string key_;
  std::string folded_;
};

/// An entry to be sorted by name: eight bytes of its key, and its place in the order of paths.
struct Named {
  std::uint64_t word;
  std::uint32_t path;  ///< index in the order of paths

  bool operator<(const Named& other) const {
    return word != other.word ? word < other.word : path < other.path;
  }
};

}  // namespace

std::optional<std::uint64_t> Ordering::value_of(EntryId id) const {
  if (order_ == PickOrder::space) return sums_ ? sums_->of(id) : std::nullopt;
  Metadata metadata{};
  Needs failed = needs::none;
  if (store_.known(id, needs_of(order_), metadata, failed) == needs::none) return {};
  if (order_ == PickOrder::size) return metadata.size;
  // 44 bits of seconds, 250,000 years each way, and microseconds.
  constexpr std::int64_t last = (std::int64_t{1} << 43U) - 1;
  const std::int64_t seconds = std::clamp(metadata.modified.seconds, -last - 1, last);
  return static_cast<std::uint64_t>(seconds + last + 1) << 20U |
         static_cast<std::uint64_t>(metadata.modified.nanoseconds) >> 10U;
}

/// Compares by going up to the directory that both share, so that no path is put together unless
/// the roots differ.
bool Ordering::path_before(EntryId a, EntryId b) const {
  DirectoryId in_a = store_.directory_of(a);
  DirectoryId in_b = store_.directory_of(b);
  output::PathStep one{store_.name(a), false};
  output::PathStep other{store_.name(b), false};
  const auto leave = [this](output::PathStep& step, DirectoryId& in) {
    const EntryStore::Directory& directory = store_.directory(in);
    step = {store_.name_of(directory), true};
    in = directory.parent;
  };
  if (store_.directory(in_a).origin != store_.directory(in_b).origin) {
    return store_.path(a) < store_.path(b);
  }
  while (store_.directory(in_a).depth > store_.directory(in_b).depth) leave(one, in_a);
  while (store_.directory(in_b).depth > store_.directory(in_a).depth) leave(other, in_b);
  while (in_a != in_b) {
    leave(one, in_a);
    leave(other, in_b);
  }
  return is_less(one, other);
}

bool Ordering::comes_before(EntryId a, EntryId b) const {
  if (order_ == PickOrder::name) {
    NameKey one;
    NameKey other;
    const int order = one.of(store_.name(a)).bytes().compare(other.of(store_.name(b)).bytes());
    if (order != 0) return order < 0;
  } else if (needs_of(order_) != needs::none) {
    const std::optional<std::uint64_t> value_a = value_of(a);
    const std::optional<std::uint64_t> value_b = value_of(b);
    if (value_a && value_b && *value_a != *value_b) return *value_a < *value_b;
    if (value_a.has_value() != value_b.has_value()) return value_a.has_value();
  }
  return path_before(a, b);
}

/// Names compare by all of their bytes here: keys that are equal are of equal names.
bool Ordering::equal_values(EntryId a, EntryId b) const {
  if (order_ == PickOrder::name) return store_.name(a) == store_.name(b);
  return needs_of(order_) != needs::none && value_of(a) == value_of(b);
}

/// Sorts everything again if there are many new entries, else merges the few that are sorted by
/// bisection.
void Ordering::add(std::vector<EntryId> ids, const Stop& stop) {
  ids.erase(std::remove_if(ids.begin(), ids.end(), [this](EntryId id) { return contains(id); }),
            ids.end());
  if (ids.empty()) return;
  for (const EntryId id : ids) members_.add(id);
  if (ids.size() > sorted_.size() / part_of_all) {
    sorted_.insert(sorted_.end(), ids.begin(), ids.end());
    return sort(sorted_, stop);
  }
  sort(ids, stop);
  std::vector<EntryId> merged;
  merged.reserve(sorted_.size() + ids.size());
  auto from = sorted_.begin();
  for (const EntryId id : ids) {
    const auto to = std::lower_bound(from, sorted_.end(), id,
                                     [this](EntryId a, EntryId b) { return comes_before(a, b); });
    merged.insert(merged.end(), from, to);
    merged.push_back(id);
    from = to;
  }
  merged.insert(merged.end(), from, sorted_.end());
  sorted_ = std::move(merged);
}

std::vector<EntryId> Ordering::filter(const EntrySet& wanted, std::size_t size,
                                      bool reversed) const {
  std::vector<EntryId> found;
  found.reserve(size);
  std::copy_if(sorted_.begin(), sorted_.end(), std::back_inserter(found),
               [&](EntryId id) { return wanted.contains(id); });
  // The largest space comes first.
  if (reversed == (order_ == PickOrder::space)) return found;
  auto known_end = found.end();
  if (needs_of(order_) != needs::none) {
    known_end = std::partition_point(found.begin(), found.end(),
                                     [this](EntryId id) { return value_of(id).has_value(); });
  }
  // Unknown values stay at the end.
  std::reverse(found.begin(), known_end);
  // Entries with the same value are in the order of their paths, which is not reversed.
  for (auto first = found.begin(); first != known_end;) {
    auto last = std::next(first);
    while (last != known_end && equal_values(*first, *last)) ++last;
    std::reverse(first, last);
    first = last;
  }
  return found;
}

void Ordering::sort(std::vector<EntryId>& ids, const Stop& stop) const {
  if (order_ == PickOrder::name) {
    sort_by_name(ids, stop);
  } else if (needs_of(order_) != needs::none) {
    sort_by_value(ids);
  } else {
    sort_by_path(ids);
  }
}

/// Sorts by eight bytes of the keys at a time. The keys are made again for those that are equal so
/// far: all keys at once would take more memory than the entries do.
void Ordering::sort_by_name(std::vector<EntryId>& ids, const Stop& stop) const {
  struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t level;  ///< number of words before that are equal
  };
  sort_by_path(ids);
  // Equal keys stay in the order of paths, since items compare by their index then.
  std::vector<Named> items(ids.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i].path = static_cast<std::uint32_t>(i);
  std::vector<Range> ranges = {{0, items.size(), 0}};
  NameKey key;
  const auto key_of = [&](const Named& item) -> NameKey& {
    return key.of(store_.name(ids[item.path]));
  };
  while (!ranges.empty() && !stop()) {
    const Range range = ranges.back();
    ranges.pop_back();
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto last = items.begin() + static_cast<std::ptrdiff_t>(range.end);
    std::for_each(first, last, [&](Named& item) { item.word = key_of(item).word(range.level); });
    std::sort(first, last);
    for (auto from = first; from != last;) {
      const auto to =
          std::find_if(from, last, [&](const Named& a) { return a.word != from->word; });
      // If keys are equal so far, all end here or none: each has two zeros, the last at its end.
      if (to - from > 1 && key_of(*from).words() > range.level + 1) {
        ranges.push_back({static_cast<std::size_t>(from - items.begin()),
                          static_cast<std::size_t>(to - items.begin()), range.level + 1});
      }
      from = to;
    }
  }
  std::vector<EntryId> sorted(ids.size());
  std::transform(items.begin(), items.end(), sorted.begin(),
                 [&](const Named& item) { return ids[item.path]; });
  ids = std::move(sorted);
}

/// Goes through the directories that contain entries, depth first, sorting each one's children.
void Ordering::sort_by_path(std::vector<EntryId>& ids) const {
  if (ids.size() < few) {
    return std::sort(ids.begin(), ids.end(),
                     [this](EntryId a, EntryId b) { return path_before(a, b); });
  }
  // No entry in `ids` is in a directory that is added later.
  const std::size_t directories = store_.directories();
  const output::Grouped entries(ids, directories,
                                [this](EntryId id) { return store_.directory_of(id); });
  // Only directories on the way to an entry.
  std::vector<bool> used(directories);
  std::vector<DirectoryId> below;
  std::vector<DirectoryId> roots;
  for (DirectoryId directory = 0; directory < directories; ++directory) {
    if (entries.of(directory).empty()) continue;
    // Each directory is visited once, however many are below it.
    for (DirectoryId at = directory; at != no_directory && !used[at];) {
      used[at] = true;
      const DirectoryId parent = store_.directory(at).parent;
      (parent == no_directory ? roots : below).push_back(at);
      at = parent;
    }
  }
  const output::Grouped children(below, directories,
                                 [this](DirectoryId id) { return store_.directory(id).parent; });
  std::vector<EntryId> sorted;
  sorted.reserve(ids.size());
  for (const DirectoryId root : roots) {
    const auto middle = static_cast<std::ptrdiff_t>(sorted.size());
    output::append_in_order(
        sorted, root, [&](std::vector<output::Branch>& branches, DirectoryId directory) {
          for (const EntryId id : entries.of(directory)) {
            branches.push_back({{store_.name(id), false}, id});
          }
          for (const DirectoryId child : children.of(directory)) {
            branches.push_back({{store_.name_of(store_.directory(child)), true}, child});
          }
        });
    // The entries of a volume mounted below a root belong in between.
    if (middle == 0) continue;
    std::inplace_merge(sorted.begin(), sorted.begin() + middle, sorted.end(),
                       [this](EntryId a, EntryId b) { return path_before(a, b); });
  }
  ids = std::move(sorted);
}

/// By path first and then, stably, by value; unknown values keep the order of paths at the end.
void Ordering::sort_by_value(std::vector<EntryId>& ids) const {
  struct Item {
    std::uint64_t value;
    EntryId id;
  };
  sort_by_path(ids);
  std::vector<Item> known;
  known.reserve(ids.size());
  std::vector<EntryId> unknown;
  for (const EntryId id : ids) {
    if (const auto value = value_of(id)) {
      known.push_back({*value, id});
    } else {
      unknown.push_back(id);
    }
  }
  std::stable_sort(known.begin(), known.end(),
                   [](const Item& a, const Item& b) { return a.value < b.value; });
  const auto known_end = std::transform(known.begin(), known.end(), ids.begin(),
                                        [](const Item& item) { return item.id; });
  std::copy(unknown.begin(), unknown.end(), known_end);
}

}  // namespace ffind::pick
