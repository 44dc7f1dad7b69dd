// SPDX-License-Identifier: MIT
// An array that grows while others read it: its elements stay where they are. Used by the store of
// the picker. Knows no entries.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace ffind::output {

/// Segments, each as long as all before it; the memory of one is zero and taken from the system
/// only where it is written. One thread at a time reserves; an element may be read by others once
/// whoever wrote it has told them so (with release).
template <typename T, unsigned first_bits>
class Segments {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Segments() = default;
  ~Segments() {
    for (std::atomic<T*>& segment : segments_) std::free(segment.load(std::memory_order_relaxed));
  }
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  /// Makes room for the element `index`. Throws std::bad_alloc.
  void reserve(std::uint64_t index) {
    std::atomic<T*>& segment = segments_[segment_of(index)];
    if (segment.load(std::memory_order_relaxed) != nullptr) return;
    void* const memory = std::calloc(segment_size(segment_of(index)), sizeof(T));
    // As operator new would, whose memory is not zero.
    if (const std::new_handler handler = std::get_new_handler(); memory == nullptr && handler) {
      handler();
    }
    if (memory == nullptr) throw std::bad_alloc();
    segment.store(static_cast<T*>(memory), std::memory_order_release);
  }

  T& operator[](std::uint64_t index) { return *find(index); }
  const T& operator[](std::uint64_t index) const { return *find(index); }
  /// Null where no room was made.
  T* look(std::uint64_t index) const {
    T* const segment = segments_[segment_of(index)].load(std::memory_order_acquire);
    return segment == nullptr ? nullptr : segment + (index - segment_begin(segment_of(index)));
  }
  /// The first index of the segment that `index` is in, and behind its last.
  static std::uint64_t begin_of(std::uint64_t index) { return segment_begin(segment_of(index)); }
  static std::uint64_t end_of(std::uint64_t index) {
    return segment_begin(segment_of(index)) + segment_size(segment_of(index));
  }

 private:
  static unsigned segment_of(std::uint64_t index) {
    return static_cast<unsigned>(std::bit_width(index >> first_bits));
  }
  static std::uint64_t segment_begin(unsigned segment) {
    return segment == 0 ? 0 : std::uint64_t{1} << (first_bits + segment - 1);
  }
  static std::uint64_t segment_size(unsigned segment) {
    return std::uint64_t{1} << (first_bits + (segment == 0 ? 0 : segment - 1));
  }
  T* find(std::uint64_t index) const {
    const unsigned segment = segment_of(index);
    return segments_[segment].load(std::memory_order_relaxed) + (index - segment_begin(segment));
  }

  std::array<std::atomic<T*>, 48 - first_bits> segments_{};
};

}  // namespace ffind::output
