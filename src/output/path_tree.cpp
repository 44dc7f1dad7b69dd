// SPDX-License-Identifier: MIT
// Hash table of names by their parents, with open addressing: a slot holds the number of a node, or
// 0 if it is free, and a collision goes to the next slot. The table doubles when it is three
// quarters full. Nodes are never removed, so that a search may stop at the first free slot.
//
// add() rarely needs the table: matches come directory by directory, so a path shares all but its
// last name with the one before (last_, levels_).
#include "output/path_tree.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

namespace ffind::output {
namespace {

std::uint32_t hash_of(PathTree::Index parent, std::string_view name) {
  const std::uint64_t whole =
      (std::hash<std::string_view>()(name) ^ parent) * std::uint64_t{0x9E3779B97F4A7C15};
  return static_cast<std::uint32_t>(whole >> 32U);
}

/// Blocks double from the first size to the largest: a few matches take a few pages, and on average
/// half of the last block is unused.
constexpr std::size_t first_block = std::size_t{16} * 1024;
constexpr std::size_t largest_block = std::size_t{1024} * 1024;

}  // namespace

std::size_t common_beginning(std::string_view a, std::string_view b) {
  constexpr std::size_t block = 1024;
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (size - at >= block && std::memcmp(a.data() + at, b.data() + at, block) == 0) at += block;
  while (at < size && a[at] == b[at]) ++at;
  return at;
}

bool is_less(const PathStep& one, const PathStep& other) {
  const std::size_t size = std::min(one.name.size(), other.name.size());
  const int order = one.name.substr(0, size).compare(other.name.substr(0, size));
  if (order != 0) return order < 0;
  const auto next_byte = [size](const PathStep& step) {
    if (step.name.size() > size) return int{static_cast<unsigned char>(step.name[size])};
    return step.followed ? int{'/'} : -1;
  };
  return next_byte(one) < next_byte(other);
}

PathTree::PathTree() : nodes_{{"", 0, root, 0, 0}}, slots_(16) {}

/// Returns the slot of that name, or the free one where it belongs.
std::size_t PathTree::slot_of(Index parent, std::string_view wanted, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != root; slot = (slot + 1) & mask) {
    const Node& node = nodes_[slots_[slot]];
    if (node.hash == hash && node.parent == parent && name(slots_[slot]) == wanted) break;
  }
  return slot;
}

void PathTree::grow() {
  slots_.assign(slots_.size() * 2, root);
  for (Index path = 1; path < nodes_.size(); ++path) {
    slots_[slot_of(nodes_[path].parent, name(path), nodes_[path].hash)] = path;
  }
}

PathTree::Index PathTree::add_below(Index parent, std::string_view name) {
  const std::uint32_t hash = hash_of(parent, name);
  std::size_t slot = slot_of(parent, name, hash);
  if (slots_[slot] != root) return slots_[slot];
  // Before the insertion, so that there always is a free slot for slot_of() to end at.
  if (nodes_.size() * 4 > slots_.size() * 3) {
    grow();
    slot = slot_of(parent, name, hash);
  }
  const auto path = static_cast<Index>(nodes_.size());
  nodes_.push_back({names_.keep(name).data(), static_cast<std::uint32_t>(name.size()), parent,
                    nodes_[parent].depth + 1, hash});
  slots_[slot] = path;
  return path;
}

PathTree::Index PathTree::add(std::string_view path, Index above) {
  if (std::exchange(above_, above) != above) levels_.clear();
  const std::size_t common = common_beginning(last_, path);
  const auto is_shared = [&](const Level& level) {
    return level.end <= common && (level.end == path.size() || path[level.end] == '/');
  };
  while (!levels_.empty() && !is_shared(levels_.back())) levels_.pop_back();
  // The path of the last common name is kept in last_; the names after it are added one by one.
  const std::size_t shared = levels_.empty() ? 0 : levels_.back().end;
  last_.resize(shared);
  last_ += path.substr(shared);
  Index at = levels_.empty() ? above : levels_.back().path;
  // A known name is followed by a slash, or by nothing.
  for (std::size_t begin = levels_.empty() ? 0 : shared + 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    at = add_below(at, path.substr(begin, end - begin));
    levels_.push_back({end, at});
    begin = end + 1;
  }
  return at;
}

/// Writes the names from the end: only the length has to be known first. The root appends nothing.
void PathTree::append(std::string& out, Index path) const {
  std::size_t length = 0;
  for (Index at = path; at != root; at = nodes_[at].parent) length += nodes_[at].name_size + 1;
  if (length == 0) return;
  std::size_t end = out.size() + length - 1;
  out.resize(end);
  for (Index at = path; at != root; at = nodes_[at].parent) {
    const Node& node = nodes_[at];
    end -= node.name_size;
    std::copy_n(node.name, node.name_size, out.data() + end);
    if (node.parent != root) out[--end] = '/';
  }
}

std::vector<PathTree::Index> PathTree::sorted() const {
  std::vector<Index> all(nodes_.size() - 1);
  std::iota(all.begin(), all.end(), Index{1});
  const Grouped children(all, nodes_.size(), [this](Index path) { return parent(path); });
  std::vector<Index> order;
  order.reserve(all.size());
  append_in_order(order, root, [&](std::vector<Branch>& branches, Index path) {
    for (const Index child : children.of(path)) {
      branches.push_back({{name(child), false}, child});
      if (!children.of(child).empty()) branches.push_back({{name(child), true}, child});
    }
  });
  return order;
}

/// Goes up from `path` until it meets the way to the path before, then copies the rest down: `rest`
/// has it in the reverse order.
std::size_t PathNames::move_to(PathTree::Index path) {
  const std::size_t depth = tree_.depth(path);
  way_.resize(std::min(way_.size(), depth));
  std::vector<PathTree::Index> rest;
  PathTree::Index at = path;
  for (std::size_t level = depth; level > 0; at = tree_.parent(at), --level) {
    if (level > way_.size()) {
      rest.push_back(at);
    } else if (way_[level - 1] != at) {
      rest.push_back(at);
      way_.pop_back();
    } else {
      break;
    }
  }
  const std::size_t same = way_.size();
  names_.resize(same);
  for (auto next = rest.rbegin(); next != rest.rend(); ++next) {
    way_.push_back(*next);
    names_.push_back(tree_.name(*next));
  }
  return same;
}

void Arena::add_block(std::size_t least) {
  const std::size_t grown = blocks_.empty() ? first_block : blocks_.back().size * 2;
  const std::size_t needed = std::max(std::min(grown, largest_block), least);
  // Not zeroed: the bytes that a block is made for are written at once, and zeroing costs pages.
  blocks_.push_back({std::unique_ptr<char[]>(new char[needed]), 0, needed});
}

std::vector<std::string_view> Arena::blocks() const {
  std::vector<std::string_view> all;
  all.reserve(blocks_.size());
  for (const Block& block : blocks_) all.emplace_back(block.bytes.get(), block.used);
  return all;
}

std::string_view Arena::keep(std::string_view text) {
  char* const bytes = allocate(text.size());
  std::copy(text.begin(), text.end(), bytes);
  return {bytes, text.size()};
}

}  // namespace ffind::output
