// SPDX-License-Identifier: MIT
// What one thread read of a volume's device lately. Used by Reader for inodes and directory
// blocks; knows no layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "os/ext/volume.h"

namespace ffind::os::ext {

/// In windows of the device: what is asked for in turn lies mostly side by side, and a call costs
/// as much as copying some 8 KiB. While windows are of no use, as where directories lie scattered
/// over an aged volume, what is asked for is read by itself.
class Windows {
 public:
  /// `unit` is the least that is read. Sizes are powers of two, in bytes.
  Windows(Volume& volume, std::size_t unit, std::size_t window_size, std::size_t count);

  struct Found {
    Bytes bytes{};              ///< empty where they cannot be read; valid until the next call
    std::uint64_t read_at = 0;  ///< the volume's count when the reading began
  };
  /// `size` bytes, which cross no multiple of the unit, as they were at some time after the
  /// volume's count was `since`.
  Found find(std::uint64_t position, std::size_t size, std::uint64_t since);
  /// Readings that had to wait for the disk.
  std::uint64_t waits() const { return waits_; }

 private:
  struct Window {
    std::uint64_t begin = 0;  ///< byte on the device
    std::size_t size = 0;     ///< 0 while nothing is in it
    std::uint64_t read_at = 0;
    std::uint64_t last_use = 0;
    std::size_t uses = 0;
    std::unique_ptr<unsigned char[]> bytes{};

    bool holds(std::uint64_t position, std::size_t count) const {
      return begin <= position && position + count <= begin + size;
    }
  };

  Window& choose_window(std::uint64_t position, std::size_t size);
  std::size_t size_of_next(const Window& last);
  bool load(Window& window, std::uint64_t begin, std::size_t wanted);
  bool agrees_with_another_reading(Window& window, std::size_t size);

  Volume& volume_;
  const std::size_t unit_;
  const std::size_t window_size_;
  // How much use whole windows were lately
  unsigned judged_ = 0;
  std::size_t uses_of_judged_ = 0;
  unsigned by_unit_ = 0;  ///< so many readings do without
  std::vector<Window> windows_;
  std::size_t latest_ = 0;  ///< the window chosen last: mostly also the next
  std::vector<unsigned char> again_;
  std::uint64_t count_of_uses_ = 0;
  std::uint64_t waits_ = 0;
};

}  // namespace ffind::os::ext
