// SPDX-License-Identifier: MIT
// Windows of a device that one thread has read.
//
// A request that no window contains replaces the window least recently used. Whether windows pay is
// measured: if 32 of them served fewer than two requests each on average, the next 1024 readings
// are of single units. A window that is older than the request allows is read again in place.
//
// A window begins at a multiple of its size: with 16 KiB, a request for byte 70,000 reads bytes
// 65,536 to 81,919.
//
// A reading is dated before it begins (begin_reading): whatever the kernel wrote before that date
// is in it. Something newer may be in it, too, which the checks of Reader notice.
#include <algorithm>
#include <cstring>

#include "os/ext/volume.h"

namespace ffind::os::ext {
namespace {

/// Bytes that are fetched around a reading that has to wait for the disk.
constexpr std::uint64_t fetched_at_once = std::uint64_t{128} * 1024;

/// Windows whose uses are counted together, and readings without windows until they are tried
/// again.
constexpr unsigned judged_at_once = 32;
constexpr unsigned readings_without = 1024;

}  // namespace

ReadCache::ReadCache(Volume& volume, std::size_t unit, std::size_t window_size, std::size_t count)
    : volume_(volume), unit_(unit), window_size_(std::max(unit, window_size)), windows_(count) {}

ReadCache::Found ReadCache::find(std::uint64_t position, std::size_t size, std::uint64_t since) {
  Window& window = choose_window(position, size);
  if (!window.holds(position, size)) {
    const std::size_t length = size_of_next(window);
    window.uses = 0;
    // A bad sector must not take its neighbourhood with it.
    if (!load(window, position / length * length, length) &&
        (length == unit_ || !load(window, position / unit_ * unit_, unit_))) {
      return {};
    }
  } else if (window.read_at <= since) {
    if (!load(window, window.begin, window.size)) return {};
  }
  if (!window.holds(position, size)) return {};
  window.last_use = ++count_of_uses_;
  ++window.uses;
  return {{window.bytes.get() + (position - window.begin), size}, window.read_at};
}

/// The window that contains the bytes, or else the one least recently used.
ReadCache::Window& ReadCache::choose_window(std::uint64_t position, std::size_t size) {
  if (windows_[latest_].holds(position, size)) return windows_[latest_];
  std::size_t oldest = 0;
  for (latest_ = 0; latest_ < windows_.size(); ++latest_) {
    if (windows_[latest_].holds(position, size)) return windows_[latest_];
    if (windows_[latest_].last_use < windows_[oldest].last_use) oldest = latest_;
  }
  latest_ = oldest;
  return windows_[latest_];
}

/// Size of the next window; `last` is the one that it replaces, whose uses are counted.
std::size_t ReadCache::size_of_next(const Window& last) {
  if (by_unit_ > 0) {
    --by_unit_;
    return unit_;
  }
  if (last.size == window_size_) {
    uses_of_judged_ += last.uses;
    if (++judged_ == judged_at_once) {
      // Reading only what was requested is cheaper.
      if (uses_of_judged_ < 2 * judged_at_once) by_unit_ = readings_without;
      judged_ = 0;
      uses_of_judged_ = 0;
    }
  }
  return window_size_;
}

/// Fills the window; it is empty if that fails.
bool ReadCache::load(Window& window, std::uint64_t begin, std::size_t wanted) {
  const Device& device = volume_.device();
  if (!window.bytes) window.bytes.reset(new unsigned char[window_size_]);
  window.size = 0;
  window.begin = begin;
  window.read_at = volume_.begin_reading();
  const std::size_t size = volume_.readable(begin, wanted);
  if (!device.read_if_cached(begin, size, window.bytes.get())) {
    ++waits_;
    device.fetch(begin / fetched_at_once * fetched_at_once, fetched_at_once);
    if (!device.read(begin, size, window.bytes.get())) return false;
  }
  // Without checksums, only a second reading reveals a block that was being written.
  if (!volume_.geometry().checksums && !agrees_with_another_reading(window, size)) return false;
  window.size = size;
  return true;
}

/// True if two readings in a row are the same; the window has the last one.
bool ReadCache::agrees_with_another_reading(Window& window, std::size_t size) {
  again_.resize(size);
  constexpr int tries = 3;
  for (int attempt = 0; attempt < tries; ++attempt) {
    if (!volume_.device().read(window.begin, size, again_.data())) return false;
    if (std::memcmp(again_.data(), window.bytes.get(), size) == 0) return true;
    std::memcpy(window.bytes.get(), again_.data(), size);
  }
  return false;
}

}  // namespace ffind::os::ext
