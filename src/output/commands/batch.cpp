// SPDX-License-Identifier: MIT
// Counting arguments. See batch.h.
#include "output/commands/batch.h"

namespace ffind::output {
namespace {

/// As the kernel counts: the text, its NUL, and the pointer to it.
std::size_t cost_of(std::size_t size) {
  return size + 1 + sizeof(char*);
}

}  // namespace

Batch::Batch(const std::vector<CommandTemplate>& commands, os::ArgumentLimits limits,
             std::size_t most)
    : commands_(commands), limits_(limits), most_(most) {
  for (const CommandTemplate& command : commands_) {
    Use use;
    use.fixed = sizeof(char*);  // the null behind the last
    for (const ArgumentTemplate& argument : command.arguments) {
      if (!argument.has_place()) use.fixed += cost_of(argument.size({}));
    }
    use.now = use.fixed;
    uses_.push_back(use);
  }
}

Batch::Answer Batch::add(std::string_view path) {
  added_.clear();
  bool full = most_ != 0 && paths_.size() == most_;
  for (std::size_t index = 0; index < commands_.size(); ++index) {
    std::size_t cost = 0;
    for (const ArgumentTemplate& argument : commands_[index].arguments) {
      if (!argument.has_place()) continue;
      const std::size_t size = argument.size(path);
      if (size + 1 > limits_.one) return Answer::never;
      cost += cost_of(size);
    }
    if (uses_[index].fixed + cost > limits_.total) return Answer::never;
    full = full || uses_[index].now + cost > limits_.total;
    added_.push_back(cost);
  }
  if (full) return Answer::full;
  for (std::size_t index = 0; index < uses_.size(); ++index) uses_[index].now += added_[index];
  paths_.emplace_back(path);
  return Answer::added;
}

void Batch::clear() {
  paths_.clear();
  for (Use& use : uses_) use.now = use.fixed;
}

std::vector<std::string> expand(const CommandTemplate& command, const std::string* paths,
                                std::size_t count) {
  std::vector<std::string> words;
  for (const ArgumentTemplate& argument : command.arguments) {
    const std::size_t times = argument.has_place() ? count : 1;
    for (std::size_t index = 0; index < times; ++index) {
      argument.append(words.emplace_back(), paths[index]);
    }
  }
  return words;
}

}  // namespace ffind::output
