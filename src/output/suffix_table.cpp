// SPDX-License-Identifier: MIT
// Builds and walks the trie. See suffix_table.h.
#include "output/suffix_table.h"

namespace ffind::output {
namespace {

unsigned char folded(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 'A' && byte <= 'Z' ? static_cast<unsigned char>(byte - 'A' + 'a') : byte;
}

}  // namespace

SuffixTable::SuffixTable(const std::vector<SuffixColor>& rules) {
  for (const SuffixColor& rule : rules) {
    Node& node = nodes_[node_of(rule.suffix)];
    if (node.group == 0) {
      node.group = static_cast<Index>(groups_.size());
      groups_.emplace_back();
    }
    std::vector<SuffixColor>& variants = groups_[node.group].variants;
    bool replaced = false;
    for (SuffixColor& variant : variants) {
      if (variant.suffix != rule.suffix) continue;
      variant.color = rule.color;
      replaced = true;
    }
    if (!replaced) variants.push_back(rule);
  }
  for (Group& group : groups_) {
    for (const SuffixColor& variant : group.variants) {
      if (variant.color != group.variants.front().color) group.case_counts = true;
    }
  }
}

SuffixTable::Index SuffixTable::find_child(Index parent, unsigned char byte) const {
  if (parent == 0) return last_bytes_[byte];
  Index child = nodes_[parent].child;
  while (child != 0 && nodes_[child].byte != byte) child = nodes_[child].sibling;
  return child;
}

SuffixTable::Index SuffixTable::node_of(std::string_view suffix) {
  Index node = 0;
  for (std::size_t i = suffix.size(); i > 0; --i) {
    const unsigned char byte = folded(suffix[i - 1]);
    Index child = find_child(node, byte);
    if (child == 0) {
      child = static_cast<Index>(nodes_.size());
      nodes_.push_back({byte, 0, nodes_[node].child, 0});
      nodes_[node].child = child;
      if (node == 0) last_bytes_[byte] = child;
    }
    node = child;
  }
  return node;
}

const std::string* SuffixTable::Group::color_of(std::string_view name) const {
  if (!case_counts) return &variants.front().color;
  for (const SuffixColor& variant : variants) {
    if (name.ends_with(variant.suffix)) return &variant.color;
  }
  return nullptr;
}

const std::string* SuffixTable::find(std::string_view name) const {
  const std::string* found = nullptr;
  Index node = 0;
  for (std::size_t left = name.size();; --left) {
    // Later is longer, and the longest wins.
    if (const Index group = nodes_[node].group; group != 0) {
      if (const std::string* color = groups_[group].color_of(name)) found = color;
    }
    if (left == 0) return found;
    node = find_child(node, folded(name[left - 1]));
    if (node == 0) return found;
  }
}

}  // namespace ffind::output
