// SPDX-License-Identifier: MIT
// See condition.h.
#include "output/commands/condition.h"

#include <string_view>
#include <utility>

#include "output/commands/batch.h"
#include "output/commands/executor.h"
#include "output/fields/paths.h"
#include "output/messages.h"

namespace ffind::output {
namespace {

/// Keeps what a command says on standard error, up to a bound.
class ErrorOutput final : public os::CommandOutput {
 public:
  void append(os::Stream stream, std::string_view bytes) override {
    constexpr std::size_t most = std::size_t{64} << 10U;
    if (stream == os::Stream::error_output && text_.size() < most) text_ += bytes;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

Condition::Condition(const std::vector<CommandTemplate>& commands, Writer& writer,
                     os::Processes& processes, Report report)
    : commands_(commands), writer_(writer), processes_(processes), report_(std::move(report)) {
  for (const CommandTemplate& command : commands_) {
    programs_.push_back(look_up_program(command, true).path);
  }
  writer_.end_by([this] { processes_.end_by_broken_pipe(); });
}

Condition::~Condition() {
  writer_.end_by({});
}

bool Condition::holds(Entry& entry) {
  std::string path;
  append_path(path, entry);
  for (std::size_t index = 0; index < commands_.size(); ++index) {
    if (!succeeds(index, path)) return false;
  }
  return true;
}

bool Condition::succeeds(std::size_t index, const std::string& path) {
  const auto stopped = [this] { return stopped_.load(std::memory_order_relaxed); };
  if (stopped()) return false;
  const std::vector<std::string> words = expand(commands_[index], &path, 1);
  os::Command command;
  command.arguments.reserve(words.size());
  for (const std::string& word : words) command.arguments.push_back(word.c_str());
  command.program = programs_[index].empty() ? program_at(words.front()) : programs_[index];
  ErrorOutput output;
  const os::Ending ending = run_patiently(
      processes_, command, &output, [] { return true; }, stopped);
  if (!output.text().empty()) writer_.write_message(output.text());
  if (ending.interrupted) return false;
  if (ending.error != 0 || ending.signal != 0) {
    failed_.store(true, std::memory_order_relaxed);
    report_trouble(ending, index, words.front(), path);
  }
  return !ending.failed();
}

/// As Executor does: once for what fails alike for all matches, and then no command is started.
void Condition::report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                               const std::string& path) {
  if (fails_for_all(ending, programs_[index]) &&
      stopped_.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  const std::string detail =
      ending.error != 0 ? reason_of(ending.error) : text_of_signal(ending.signal);
  report_({path, "run", ending.error, name + ": " + detail});
}

}  // namespace ffind::output
