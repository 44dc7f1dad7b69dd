// SPDX-License-Identifier: MIT
// Fuzzes the readers of ranges of times, sizes, depths and counts, and of permissions. Input: a
// value. What is understood prints as a range that is read as the same one.
#include <string>

#include "fuzz/fuzz.h"
#include "query/expression.h"
#include "text/permissions.h"
#include "text/ranges.h"

namespace ffind::fuzz::dates_fuzz {

namespace {

constexpr text::Clock clock_of_test{{1'700'000'000, 123'456'789}};

text::TimeRange parse_time(std::string_view text, const text::ValueSource& source,
                           text::Relation given) {
  return text::parse_time_range(text, clock_of_test, source, given);
}

/// The value of "x = V" as it is, of "x >= V" with the relation before it.
std::string value_of(const std::string& text) {
  const std::string value = text.substr(2);
  return value.starts_with("= ") ? value.substr(2) : value;
}

template <typename T>
void check(std::string_view typed,
           text::Range<T> (*parse)(std::string_view, const text::ValueSource&, text::Relation)) {
  text::Range<T> range;
  try {
    range = parse(typed, {"--option", "an example"}, text::Relation::unsaid);
  } catch (const UsageError&) {
    return;
  }
  const std::string text = query::range_text("x", range);
  if (range.first > range.last) {
    require(text == "false", "what holds nothing says so");
    return;
  }
  try {
    require(parse(value_of(text), {}, text::Relation::unsaid) == range,
            "a range reads as what it was");
  } catch (const UsageError& error) {
    require(false, error.what());
  }
}

}  // namespace

FUZZ_TARGET(dates) {
  const std::string_view typed = Input(data, size).rest();
  check<Instant>(typed, parse_time);
  check<std::uint64_t>(typed, text::parse_size_range);
  check<std::uint64_t>(typed, text::parse_count_range);
  check<std::uint32_t>(typed, text::parse_depth_range);
  try {
    const text::Permissions permissions = text::parse_permissions(typed, {});
    require((permissions.counted & ~07777U) == 0, "a mode has twelve bits");
  } catch (const UsageError&) {
    return 0;
  }
  return 0;
}

}  // namespace ffind::fuzz::dates_fuzz
