// SPDX-License-Identifier: MIT
// Where bytes leave the program: standard output for records, standard error for messages, one lock
// for both so that neither breaks into a line of the other. Shared by all lanes.
#pragma once

#include <atomic>
#include <mutex>
#include <string_view>

namespace ffind {

/// Thread-safe. Blocks as long as the reader of the output does.
class Writer {
 public:
  Writer(int output, int error_output) : output_(output), error_output_(error_output) {}

  /// Writes whole records. False once the output has failed; what failed first is kept. A pipe
  /// whose reader went away ends the process by SIGPIPE here and now, as it does every Unix tool.
  bool write(std::string_view records);
  /// Writes a whole message; failures are ignored, there is nobody left to tell.
  void write_message(std::string_view lines);

  /// errno of the first failure, 0 while all is well.
  int error() const { return error_.load(std::memory_order_relaxed); }

 private:
  std::mutex mutex_;
  const int output_;
  const int error_output_;
  std::atomic<int> error_{0};
};

}  // namespace ffind
