// SPDX-License-Identifier: MIT
// See batches.h.
#include "output/commands/batches.h"

#include <cerrno>

namespace ffind {

BatchReceiver::BatchReceiver(const ActionContext& context)
    : context_(context),
      executor_(context, false),
      batch_(context.action.commands, os::argument_limits()) {}

bool BatchReceiver::take(std::string_view records) {
  const std::lock_guard lock(mutex_);
  return for_each_path(records, [this](std::string_view path) { return add(path); });
}

bool BatchReceiver::add(std::string_view path) {
  if (executor_.stopped()) return false;
  std::string local;
  if (context_.action.in_directory) {
    const auto [directory, name] = split_path(path);
    if (directory != directory_ && !run()) return false;
    directory_ = directory;
    local = "./";
    local += name;
  } else {
    local = path;
  }
  Batch::Answer answer = batch_.add(local);
  if (answer == Batch::Answer::full) {
    if (!run()) return false;
    answer = batch_.add(local);
  }
  if (answer == Batch::Answer::never) {
    context_.report({std::string(path), "", E2BIG});
    executor_.note_failure();
  }
  return true;
}

bool BatchReceiver::run() {
  const std::vector<std::string>& paths = batch_.paths();
  const bool goes_on = paths.empty() || executor_.run(directory_, paths.data(), paths.size());
  batch_.clear();
  return goes_on;
}

void BatchReceiver::finish() {
  const std::lock_guard lock(mutex_);
  if (!executor_.stopped()) run();
}

}  // namespace ffind
