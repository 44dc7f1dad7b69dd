// SPDX-License-Identifier: MIT
// Parsers of ranges as options and --where write them: sizes (10M, >10M, 1k..2M), counts, depths
// and times (7d, >2026-01-31; the grammar is in time_range.cpp). split_range() reads the syntax
// that all have in common; each kind reads its values with a Scanner.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "ffind/entry.h"
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

/// Intersection.
template <typename T>
Range<T> narrow(Range<T> a, Range<T> b) {
  return {a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
}

using SizeRange = Range<std::uint64_t>;
using TimeRange = Range<Instant>;
using DepthRange = Range<std::uint32_t>;

/// The current time, passed in so that tests can set it. The zone is the C library's (TZ).
struct Clock {
  Instant now;
};

/// Comparison operator before a value.
enum class Relation : std::uint8_t { unsaid, equal, less, at_most, more, at_least };

// An expression gives the relation; values of options begin with theirs (`>10M`).

/// Durations (`7d`) are measured back from now; a date is its whole day, month or minute.
TimeRange parse_time_range(std::string_view text, const Clock& clock, const ValueSource& source,
                           Relation given = Relation::unsaid);

DepthRange parse_depth_range(std::string_view text, const ValueSource& source,
                             Relation given = Relation::unsaid);

/// Range of whole numbers without a unit: links, inode numbers.
SizeRange parse_count_range(std::string_view text, const ValueSource& source,
                            Relation given = Relation::unsaid);

// Parts of these parsers

/// Parts of a range: `10M`, `>10M`, `1k..2M`, `1k..`, `..2M`.
struct RangeParts {
  Relation relation = Relation::unsaid;
  bool is_span = false;
  Scanner first;  ///< the value, or a span's lower end; done() if left out
  Scanner last;   ///< a span's upper end; done() if left out
};

/// Throws UsageError if there is no value.
RangeParts split_range(std::string_view text, const ValueSource& source,
                       Relation given = Relation::unsaid);

/// A number as typed; with units of 1024 and a decimal point it may be between two bytes.
struct Number {
  std::uint64_t floor = 0;
  bool whole = true;
  std::uint64_t granule_last = 0;  ///< the last whole number with the same leading digits
};

/// Parses a range whose numbers `read` reads, each up to the end of its scanner.
SizeRange parse_number_range(std::string_view text, const ValueSource& source,
                             Number (*read)(Scanner scanner), Relation given = Relation::unsaid);

/// Parses a range of sizes. `10M` alone is the granule of its last digit, [10,000,000, 11,000,000);
/// after an operator, or as an end of `a..b`, it is the exact number.
SizeRange parse_size_range(std::string_view text, const ValueSource& source,
                           Relation given = Relation::unsaid);

enum class SizeUnits : std::uint8_t {
  decimal,  ///< k M G T P E: powers of 1000
  binary,   ///< Ki Mi Gi Ti Pi Ei: powers of 1024
};

/// Appends a size as parse_size_range reads it: 999, 1.2k, 12k, 1.0M. Rounded down, so that it
/// names the granule that contains the size: `--size 1.2k` finds the files that are shown
/// with 1.2k.
void append_human_size(std::string& out, std::uint64_t bytes, SizeUnits units);

}  // namespace ffind::text
