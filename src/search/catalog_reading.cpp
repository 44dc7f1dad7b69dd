// SPDX-License-Identifier: MIT
// The way of a directory that a catalog tells of: begun by its number, read without being opened,
// paused, and finished by the kernel where it has to be. A part of Worker; see worker.h.
#include <cerrno>
#include <utility>

#include "search/worker.h"

namespace ffind {

/// False when the kernel has to be asked.
bool Worker::enter_by_catalog(Node* parent, const Work& work) {
  if (!catalog_->begin(work.number, &parent->number)) return false;
  Node* const node = Node::make(parent, parent->root(), work.name, parent->depth() + 1);
  node->number = work.number;
  node->reported = work.reported;
  ++statistics_.directories;
  read_catalog(node);
  // Kept until now, for its descriptor: see open_here.
  finish(parent);
  return true;
}

/// What the catalog has begun.
void Worker::read_catalog(Node* node) {
  from_catalog_ = true;
  open_error_ = 0;
  tell_place(node);
  while (!state_.stopped()) {
    catalog_->read(block_);
    if (block_.empty()) break;
    consider_block(node);
    tell_counts();
    lane_->flush_if_due();
    if (enough_children() && pause_catalog(node)) return;
  }
  if (catalog_->error() == ESTALE) return read_what_was_not_told(node);
  if (catalog_->error() != 0 && !node->reported) {
    pass_over(name_of(*node), "read directory", catalog_->error());
  }
  push_children(node);
  finish(node);
}

/// Of 450,000 children, all at once would take 61 MiB. False when it has to be read on.
bool Worker::pause_catalog(Node* node) {
  // Once others have its children, nobody may open it any more.
  if (!node->directory.is_open() && open_error_ == 0) open_here();
  if (open_error_ != 0) return false;
  node->catalog = std::move(catalog_);
  catalog_ = walker_.catalog_->open_reader();
  frontier_.push_resume(node);
  push_children(node);
  finish(node);
  return true;
}

/// Of a large directory that changed while the catalog told of it.
void Worker::read_what_was_not_told(Node* node) {
  begin_directory(*node);
  if (!node->directory.is_open() && open_error_ == 0) open_here();
  if (open_error_ != 0) {
    push_children(node);
    return finish(node);
  }
  ++statistics_.walked;
  untold_only_ = true;
  read(node);
  untold_only_ = false;
}

}  // namespace ffind
