// SPDX-License-Identifier: MIT
// The calls for extended attributes, which Linux has some of lately only. Used by LinuxFileSystem.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "os/files.h"

namespace ffind::os {

/// Extended attributes of what lies in an open directory. Thread-safe.
class LinuxAttributes {
 public:
  /// As listxattr(2) and getxattr(2): a length, or -1 and errno.
  long names(const Directory* at, const char* path, bool follow, char* buffer, std::size_t size);
  long value(const Directory* at, const char* path, bool follow, const char* name, char* buffer,
             std::size_t size);

 private:
  bool calls_are_missing(long result);

  std::atomic<bool> has_at_calls_{true};
};

}  // namespace ffind::os
