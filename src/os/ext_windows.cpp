// SPDX-License-Identifier: MIT
// Reading and keeping of windows. See ext_windows.h.
#include "os/ext_windows.h"

#include <cstring>

namespace ffind::os::ext {
namespace {

/// Where a reading has to wait for the disk, its neighbourhood comes along.
constexpr std::uint64_t fetched_at_once = std::uint64_t{128} * 1024;

}  // namespace

Windows::Windows(Volume& volume, std::size_t window_size, std::size_t count)
    : volume_(volume), window_size_(window_size), windows_(count) {}

Windows::Found Windows::find(std::uint64_t position, std::size_t size, std::uint64_t since) {
  const std::uint64_t begin = position / window_size_ * window_size_;
  Window* window = windows_.data();
  for (Window& other : windows_) {
    if (other.size != 0 && other.begin == begin) {
      window = &other;
      break;
    }
    if (other.last_use < window->last_use) window = &other;
  }
  const bool usable = window->size != 0 && window->begin == begin && window->read_at > since;
  if (!usable && !load(*window, begin)) return {};
  const std::size_t offset = position - begin;
  if (offset + size > window->size) return {};
  window->last_use = ++uses_;
  return {{window->bytes.get() + offset, size}, window->read_at};
}

bool Windows::load(Window& window, std::uint64_t begin) {
  const Device& device = volume_.device();
  if (!window.bytes) window.bytes.reset(new unsigned char[window_size_]);
  window.size = 0;
  window.begin = begin;
  window.read_at = volume_.begin_reading();
  const std::size_t size = volume_.readable(begin, window_size_);
  if (!device.read_if_cached(begin, size, window.bytes.get())) {
    ++waits_;
    device.fetch(begin / fetched_at_once * fetched_at_once, fetched_at_once);
    if (!device.read(begin, size, window.bytes.get())) return false;
  }
  // Where there are no checksums, nothing else tells what was read while it was written.
  if (!volume_.geometry().checksums && !agrees_with_another_reading(window, size)) return false;
  window.size = size;
  return true;
}

bool Windows::agrees_with_another_reading(Window& window, std::size_t size) {
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
