// SPDX-License-Identifier: MIT
// The receivers that do something with matches instead of writing them; a record is the path as it
// is printed, and a NUL; for deletion there is more in it (removal_record.h). Made by Output.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "output/commands/executor.h"
#include "output/receiver.h"

namespace ffind {

class ActionReceiver : public Receiver {
 public:
  /// Where the matches lie; called before the first of them.
  virtual void set_anchors(Anchors anchors) = 0;
  /// Descriptors that the search leaves to it.
  virtual std::size_t descriptors() const = 0;
};

/// Throws std::system_error where it is plain at once that nothing can be done: a command that does
/// not exist, no terminal to ask at. The action outlives the receiver.
std::unique_ptr<ActionReceiver> make_action_receiver(const ActionContext& context);

/// Calls `take` with each record, without its NUL, while that is true.
template <typename Take>
bool for_each_path(std::string_view records, Take take) {
  while (!records.empty()) {
    const std::size_t end = records.find('\0');
    if (!take(records.substr(0, end))) return false;
    records.remove_prefix(end + 1);
  }
  return true;
}

/// How many descriptors commands or deletion may have of the process's limit, what it and the
/// search hold open at all times left aside.
std::size_t spare_descriptors();

/// The directory of `path`, with a slash at its end or empty, and the rest.
std::pair<std::string_view, std::string_view> split_path(std::string_view path);

}  // namespace ffind
