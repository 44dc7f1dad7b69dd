// SPDX-License-Identifier: MIT
// Where a worker is, told to whoever watches the search. A part of Worker; see worker.h.
#include <utility>

#include "search/worker.h"

namespace ffind {

/// Only the node: its path is spelled when somebody looks, ten times a second at most. The lock and
/// the two references cost some 40 ns, which a directory of a local disk takes a hundredfold of.
void Worker::keep_place(Node* node) {
  node->add_reference();
  {
    const std::lock_guard lock(place_mutex_);
    std::swap(place_, node);
  }
  Node::release(node);
}

std::string Worker::where() {
  const std::lock_guard lock(place_mutex_);
  return place_ != nullptr ? name_of(*place_) : std::string();
}

}  // namespace ffind
