// SPDX-License-Identifier: MIT
// By the settings of the kernel's writeback and what waits for it. See writeback.h.
#include "os/linux/writeback.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "os/files.h"
#include "os/formats/endian.h"

namespace ffind::os {
namespace {

constexpr Nanoseconds second = 1'000'000'000;

/// The number in a file of the kernel's; nothing where it cannot be read.
std::optional<long> number_in(const char* path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return {};
  try {
    const std::string text = read_file(path);
    long number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed == std::errc()) return number;
  } catch (const std::system_error&) {
  }
  return {};
}

Nanoseconds now_by(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return nanoseconds(now.tv_sec, now.tv_nsec);
}

/// KiB that wait to be written, or are being written; nothing where that cannot be read.
std::optional<long> unwritten() {
  try {
    const std::string text = read_file("/proc/meminfo");
    long sum = 0;
    for (const std::string_view key : {"\nDirty:", "\nWriteback:"}) {
      std::size_t at = text.find(key);
      if (at == std::string::npos) return {};
      at = text.find_first_not_of(' ', at + key.size());
      if (at == std::string::npos) return {};
      long number = 0;
      const char* const end = text.data() + text.size();
      if (std::from_chars(text.data() + at, end, number).ec != std::errc()) return {};
      sum += number;
    }
    return sum;
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace

/// The kernel writes what is older than vm.dirty_expire_centisecs (30 s), looking for it each
/// vm.dirty_writeback_centisecs (5 s): four times that, and no less than two minutes, is longer
/// than a writeback takes; or what waits now would take at 1 MiB a second, slower than any stick. 0
/// where nothing can be said: it was told to write at other times, or the machine has just started
/// and its clock may have been set since.
Nanoseconds written_before(Nanoseconds now) {
  const std::optional<long> expire = number_in("/proc/sys/vm/dirty_expire_centisecs");
  const std::optional<long> interval = number_in("/proc/sys/vm/dirty_writeback_centisecs");
  const std::optional<long> laptop = number_in("/proc/sys/vm/laptop_mode");
  const std::optional<long> waiting = unwritten();
  if (!expire || !interval || *interval <= 0 || laptop.value_or(0) != 0 || !waiting) return 0;
  const Nanoseconds age = std::max(
      {120 * second, 4 * (*expire + *interval) * (second / 100), (*waiting / 1024) * second});
  // Nothing is written while the machine sleeps.
  const Nanoseconds awake = now_by(CLOCK_MONOTONIC);
  const Nanoseconds asleep = std::max<Nanoseconds>(0, now_by(CLOCK_BOOTTIME) - awake);
  return awake < age ? 0 : now - age - asleep;
}

}  // namespace ffind::os
