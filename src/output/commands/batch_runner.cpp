// SPDX-License-Identifier: MIT
// See batch_runner.h.
#include "output/commands/batch_runner.h"
#include "os/processes.h"

#include <algorithm>
#include <cerrno>

namespace ffind::output {

BatchRunner::BatchRunner(const ActionContext& context)
    : context_(context),
      executor_(context, false),
      batch_(context.action.commands, os::argument_limits(), context.action.batch_size) {}

bool BatchRunner::take(std::span<const Match> matches) {
  const std::lock_guard lock(mutex_);
  return std::all_of(matches.begin(), matches.end(),
                     [this](const Match& match) { return add(match.path); });
}

bool BatchRunner::add(std::string_view path) {
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

bool BatchRunner::run() {
  const std::vector<std::string>& paths = batch_.paths();
  const bool goes_on = paths.empty() || executor_.run(directory_, paths.data(), paths.size());
  batch_.clear();
  return goes_on;
}

void BatchRunner::finish() {
  const std::lock_guard lock(mutex_);
  if (!executor_.stopped()) run();
}

}  // namespace ffind::output
