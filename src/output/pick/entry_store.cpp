// SPDX-License-Identifier: MIT
// Names in one arena, directories in a hash table by their parents, metadata in columns. See
// entry_store.h.
#include "output/pick/entry_store.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace ffind::output {
namespace {

constexpr std::size_t most_entries = std::numeric_limits<EntryId>::max() - 1;
constexpr std::size_t first_slots = 256;

std::uint64_t hash_of(std::uint32_t origin, DirectoryId parent, std::string_view name) {
  const std::uint64_t directory = std::uint64_t{origin} << 32U | parent;
  const std::uint64_t whole = std::hash<std::string_view>()(name) + directory;
  return (whole ^ whole >> 29U) * std::uint64_t{0x9E3779B97F4A7C15};
}

/// Calls `visit` with the number of each column, what it is a part of, and the member it keeps.
template <typename Visit>
void for_each_column(Visit visit) {
  visit(0U, needs::size, &Metadata::size);
  visit(1U, needs::modified, &Metadata::modified);
  visit(2U, needs::size, &Metadata::allocated);
  visit(3U, needs::identity, &Metadata::inode);
  visit(4U, needs::identity, &Metadata::device);
  visit(5U, needs::changed, &Metadata::changed);
  visit(6U, needs::accessed, &Metadata::accessed);
  visit(7U, needs::created, &Metadata::created);
  visit(8U, needs::added, &Metadata::added);
  visit(9U, needs::mode, &Metadata::mode);
  visit(10U, needs::owner, &Metadata::uid);
  visit(11U, needs::owner, &Metadata::gid);
  visit(12U, needs::links, &Metadata::links);
  visit(13U, needs::flags, &Metadata::flags);
}

constexpr Needs kept = needs::metadata & ~needs::type;

}  // namespace

EntryStore::EntryStore() : slots_(first_slots, no_directory) {
  names_.reserve(0);
}

std::uint64_t EntryStore::add_name(std::string_view name) {
  std::uint64_t place = names_end_;
  if (place + name.size() > Segments<char, 16>::end_of(place)) {
    place = Segments<char, 16>::end_of(place);
  }
  names_.reserve(place);
  if (!name.empty()) std::memcpy(&names_[place], name.data(), name.size());
  names_end_ = place + name.size();
  // A name of none must not lie behind the last segment.
  names_.reserve(names_end_);
  return place;
}

std::uint32_t EntryStore::origin_of(const Root& root) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(root_addresses_.begin(), root_addresses_.end(), &root);
  const auto number = static_cast<std::uint32_t>(found - root_addresses_.begin());
  if (found != root_addresses_.end()) return number;
  root_addresses_.push_back(&root);
  roots_.push_back(root);
  origins_.reserve(number);
  origins_[number] = &roots_.back();
  return number;
}

std::size_t EntryStore::slot_of(std::uint32_t origin, DirectoryId parent,
                                std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(origin, parent, name) >> 20U & mask;
  for (; slots_[slot] != no_directory; slot = (slot + 1) & mask) {
    const Directory& directory = directories_[slots_[slot]];
    if (directory.parent == parent && directory.origin == origin && name_of(directory) == name) {
      break;
    }
  }
  return slot;
}

void EntryStore::grow_slots() {
  slots_.assign(slots_.size() * 2, no_directory);
  const std::size_t count = directory_count_.load(std::memory_order_relaxed);
  for (DirectoryId id = 0; id < count; ++id) {
    const Directory& directory = directories_[id];
    slots_[slot_of(directory.origin, directory.parent, name_of(directory))] = id;
  }
}

DirectoryId EntryStore::add_directory(std::uint32_t origin, DirectoryId parent,
                                      std::string_view name, std::uint32_t depth) {
  const std::lock_guard lock(mutex_);
  std::size_t slot = slot_of(origin, parent, name);
  if (slots_[slot] != no_directory) return slots_[slot];
  const std::size_t count = directory_count_.load(std::memory_order_relaxed);
  if ((count + 1) * 4 > slots_.size() * 3) {
    grow_slots();
    slot = slot_of(origin, parent, name);
  }
  const auto id = static_cast<DirectoryId>(count);
  directories_.reserve(id);
  directories_[id] = {add_name(name), parent, depth, origin,
                      static_cast<std::uint16_t>(name.size())};
  slots_[slot] = id;
  directory_count_.store(count + 1, std::memory_order_release);
  return id;
}

bool EntryStore::publish(Gathered& gathered) {
  std::size_t first = 0;
  std::size_t count = 0;
  std::shared_ptr<const std::function<void()>> grown;
  {
    const std::lock_guard lock(mutex_);
    first = size_.load(std::memory_order_relaxed);
    count = std::min(gathered.items.size(), most_entries - first);
    const char* name = gathered.names.data();
    for (std::size_t i = 0; i < count; ++i) {
      const Gathered::Item& item = gathered.items[i];
      const std::uint64_t place = add_name({name, item.name_size});
      name += item.name_size;
      const auto type_and_mark = static_cast<std::uint8_t>(
          static_cast<unsigned>(item.mark) << mark_shift | static_cast<unsigned>(item.type));
      records_.reserve(first + i);
      records_[first + i] = {item.directory, static_cast<std::uint32_t>(place), item.name_size,
                             static_cast<std::uint8_t>(place >> 32U), type_and_mark};
    }
    for (const Gathered::Known& known : gathered.known) {
      if (known.item >= count) break;
      remember(static_cast<EntryId>(first + known.item), known.present, needs::none,
               known.metadata);
    }
    size_.store(first + count, std::memory_order_release);
    grown = grown_;
  }
  const bool all = count == gathered.items.size();
  gathered.names.clear();
  gathered.items.clear();
  gathered.known.clear();
  if (grown && count > 0) (*grown)();
  return all;
}

void EntryStore::when_it_grows(std::function<void()> grown) {
  auto shared = grown ? std::make_shared<const std::function<void()>>(std::move(grown)) : nullptr;
  const std::lock_guard lock(mutex_);
  grown_ = std::move(shared);
}

void EntryStore::append_path(std::string& out, EntryId id) const {
  const Directory& in = directory(directory_of(id));
  const std::string_view printed = root_of(in).printed;
  std::size_t size = 0;
  for (const Directory* at = &in; at->parent != no_directory; at = &directory(at->parent)) {
    size += at->name_size + std::size_t{1};
  }
  const std::size_t begin = out.size();
  out += printed;
  std::size_t end = out.size() + size;
  out.resize(end);
  for (const Directory* at = &in; at->parent != no_directory; at = &directory(at->parent)) {
    out[--end] = '/';
    end -= at->name_size;
    const std::string_view name = name_of(*at);
    std::copy(name.begin(), name.end(), out.begin() + static_cast<std::ptrdiff_t>(end));
  }
  out += name(id);
  // As everything that prints a path has it (fields/paths.h).
  if (out[begin] == '-') out.insert(begin, "./");
}

std::string EntryStore::directory_end(EntryId id, std::size_t most) const {
  const Directory& in = directory(directory_of(id));
  std::vector<std::string_view> names;  // the last comes first
  std::size_t size = 0;
  const Directory* at = &in;
  for (; at->parent != no_directory && size < most; at = &directory(at->parent)) {
    names.push_back(name_of(*at));
    size += names.back().size() + 1;
  }
  std::string path;
  if (at->parent == no_directory) {
    path = root_of(in).printed;
    if (path.empty() ? !names.empty() && names.back().starts_with('-') : path.front() == '-') {
      path.insert(0, "./");
    }
  }
  for (auto name = names.rbegin(); name != names.rend(); ++name) path.append(*name) += '/';
  return path;
}

Needs EntryStore::known(EntryId id, Needs wanted, Metadata& metadata, Needs& failed) const {
  const std::atomic<std::uint64_t>* const state = states_.look(id);
  const std::uint64_t both = state == nullptr ? 0 : state->load(std::memory_order_acquire);
  const Needs present = static_cast<Needs>(both) & wanted;
  failed = static_cast<Needs>(both >> 32U) & wanted & ~present;
  if (present == needs::none) return present;
  for_each_column([&](unsigned column, Needs need, auto member) {
    if ((present & need) == 0) return;
    using Value = std::remove_reference_t<decltype(metadata.*member)>;
    metadata.*member = static_cast<Value>(columns_[column][id].load(std::memory_order_relaxed));
  });
  return present;
}

void EntryStore::remember(EntryId id, Needs present, Needs failed, const Metadata& metadata) {
  present &= kept;
  failed &= kept & ~present;
  if ((present | failed) == needs::none) return;
  const auto slot = [&](Column& column) -> std::atomic<std::uint64_t>& {
    if (std::atomic<std::uint64_t>* const found = column.look(id)) return *found;
    const std::lock_guard lock(columns_mutex_);
    column.reserve(id);
    return column[id];
  };
  for_each_column([&](unsigned column, Needs need, auto member) {
    if ((present & need) == 0) return;
    slot(columns_[column])
        .store(static_cast<std::uint64_t>(metadata.*member), std::memory_order_relaxed);
  });
  slot(states_).fetch_or(std::uint64_t{failed} << 32U | present, std::memory_order_release);
}

}  // namespace ffind::output
