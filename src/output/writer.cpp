// SPDX-License-Identifier: MIT
// One write at a time. See writer.h.
#include "output/writer.h"

#include <cerrno>

#include "os/os.h"

namespace ffind {

bool Writer::write(std::string_view records) {
  const std::lock_guard lock(mutex_);
  if (error() != 0) return false;
  const int error = os::write_all(output_, records);
  if (error == EPIPE) os::die_of_broken_pipe();
  error_.store(error, std::memory_order_relaxed);
  return error == 0;
}

void Writer::write_message(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  os::write_all(error_output_, lines);
}

}  // namespace ffind
