// SPDX-License-Identifier: MIT
// Ranges as options write them (`10M`, `>10M`, `1k..2M`): what all units have in common. Used by
// time_range.cpp and the depth options. Must not know what a unit means.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "text/problem.h"

namespace ffind::text {

/// Both ends included; empty when first > last.
template <typename T>
struct Range {
  T first = std::numeric_limits<T>::min();
  T last = std::numeric_limits<T>::max();

  bool contains(T value) const { return first <= value && value <= last; }
  bool operator==(const Range&) const = default;
};

/// What both hold.
template <typename T>
Range<T> narrow(Range<T> a, Range<T> b) {
  return {a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
}

using SizeRange = Range<std::uint64_t>;
using TimeRange = Range<std::int64_t>;  ///< Nanoseconds
using DepthRange = Range<std::uint32_t>;

/// The time it is; passed in so that tests can fix it. The zone is the C library's (TZ).
struct Clock {
  std::int64_t now = 0;  ///< Nanoseconds
};

/// Durations (`7d`) are measured back from now, dates mean their whole day, month or minute:
/// time_range.cpp has the grammar.
TimeRange parse_time_range(std::string_view text, const Clock& clock, const ValueSource& source);

DepthRange parse_depth_range(std::string_view text, const ValueSource& source);

/// Whole numbers without a unit: links, inode numbers.
SizeRange parse_count_range(std::string_view text, const ValueSource& source);

// What the three are made of.

/// How the value to search for lies to the one that was typed.
enum class Relation : std::uint8_t { unsaid, equal, less, at_most, more, at_least };

/// A range taken apart: `10M`, `>10M`, `1k..2M`, `1k..`, `..2M`.
struct RangeParts {
  Relation relation = Relation::unsaid;
  bool is_span = false;
  Scanner first;  ///< the value itself, or a span's lower end; done() when left out
  Scanner last;   ///< a span's upper end; done() when left out
};

/// Throws UsageError when there is nothing to read a value from.
RangeParts split_range(std::string_view text, const ValueSource& source);

/// A number that was typed; with units of 1024 and a decimal point it can lie between two bytes.
struct Number {
  std::uint64_t floor = 0;
  bool whole = true;
  std::uint64_t granule_last = 0;  ///< the last whole number with the same leading digits
};

/// The range that `text` means if `read` reads a number up to the end of its scanner.
SizeRange parse_number_range(std::string_view text, const ValueSource& source,
                             Number (*read)(Scanner scanner));

/// `10M` is the granule of its last digit, [10,000,000, 11,000,000); compared with, or as an end of
/// `a..b`, it is the exact number.
SizeRange parse_size_range(std::string_view text, const ValueSource& source);

enum class SizeUnits : std::uint8_t {
  decimal,  ///< k M G T P E: powers of 1000
  binary,   ///< Ki Mi Gi Ti Pi Ei: powers of 1024
};

/// Appends a size as parse_size_range reads it: 999, 1.2k, 12k, 1.0M. Never rounded up, so that it
/// names the granule that the size lies in, and `--size 1.2k` finds what is shown as 1.2k.
void append_human_size(std::string& out, std::uint64_t bytes, SizeUnits units);

}  // namespace ffind::text
