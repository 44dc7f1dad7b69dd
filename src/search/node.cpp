// SPDX-License-Identifier: MIT
// Life and path of a node. Used by frontier and worker.
#include "search/node.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace ffind::search {

Node* Node::make(Node* parent, const Root& root, std::string_view name, std::uint32_t depth) {
  void* const memory = ::operator new(sizeof(Node) + name.size());
  Node* const node = new (memory) Node(parent, root, depth);
  if (parent != nullptr) parent->refs_.fetch_add(1, std::memory_order_relaxed);
  *std::copy(name.begin(), name.end(), node->name_) = '\0';
  node->name_length_ = static_cast<std::uint32_t>(name.size());
  return node;
}

void Node::release(Node* node) {
  // A loop, since a chain of 20,000 directories would be as many frames.
  while (node != nullptr && node->refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    Node* const parent = node->parent_;
    node->~Node();
    ::operator delete(node);
    node = parent;
  }
}

void Node::append_relative_path(std::string& path) const {
  std::size_t length = 0;
  for (const Node* node = this; node->parent_ != nullptr; node = node->parent_) {
    length += node->name_length_ + 1;
  }
  if (length == 0) return;
  std::size_t end = path.size() + length - 1;
  path.resize(end);
  for (const Node* node = this; node->parent_ != nullptr; node = node->parent_) {
    end -= node->name_length_;
    std::memcpy(path.data() + end, node->name_, node->name_length_);
    if (node->parent_->parent_ != nullptr) path[--end] = '/';
  }
}

std::string Node::printed_path() const {
  std::string path = root_->printed;
  append_relative_path(path);
  if (!path.empty() && path.back() != '/') path += '/';
  return path;
}

std::string Node::display_name() const {
  std::string path = printed_path();
  if (path.size() > 1) path.pop_back();
  return path.empty() ? "." : path;
}

void Node::spell_canonical(std::string& path) const {
  path = root_->canonical;
  if (path.empty() || path.back() != '/') path += '/';
  const std::size_t root_length = path.size();
  append_relative_path(path);
  if (path.size() > root_length) path += '/';
}

}  // namespace ffind::search
