// SPDX-License-Identifier: MIT
// What one thread read of a volume's device lately. Used by ext_reader.h for inodes and directory
// blocks; knows no layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "os/ext_volume.h"

namespace ffind::os::ext {

/// In windows of one size: neighbours are asked for one after the other, and a call takes as long
/// as copying some 20 KiB.
class Windows {
 public:
  Windows(Volume& volume, std::size_t window_size, std::size_t count);

  struct Found {
    Bytes bytes{};              ///< empty where they cannot be read; valid until the next call
    std::uint64_t read_at = 0;  ///< the volume's count when the reading began
  };
  /// `size` bytes, which cross no multiple of the window's size, as they were at some time after
  /// the volume's count was `since`.
  Found find(std::uint64_t position, std::size_t size, std::uint64_t since);
  /// Readings that had to wait for the disk.
  std::uint64_t waits() const { return waits_; }

 private:
  struct Window {
    std::uint64_t begin = 0;  ///< byte on the device
    std::size_t size = 0;     ///< 0 while nothing is in it
    std::uint64_t read_at = 0;
    std::uint64_t last_use = 0;
    std::unique_ptr<unsigned char[]> bytes{};
  };

  bool load(Window& window, std::uint64_t begin);
  bool agrees_with_another_reading(Window& window, std::size_t size);

  Volume& volume_;
  const std::size_t window_size_;
  std::vector<Window> windows_;
  std::vector<unsigned char> again_;
  std::uint64_t uses_ = 0;
  std::uint64_t waits_ = 0;
};

}  // namespace ffind::os::ext
