// SPDX-License-Identifier: MIT
// The grammar that all ranges share (`>10M`, `1k..2M`, `..5`), and ranges of plain numbers. Called
// by size.cpp, time_range.cpp and the depth options. Must not know a unit.
#include "text/range.h"

namespace ffind::text {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr SizeRange nothing{1, 0};

Relation take_relation(Scanner& scanner) {
  if (scanner.take('+')) return Relation::more;
  if (scanner.take('-')) return Relation::less;
  if (scanner.take('=')) return Relation::equal;
  if (scanner.take('>')) return scanner.take('=') ? Relation::at_least : Relation::more;
  if (scanner.take('<')) return scanner.take('=') ? Relation::at_most : Relation::less;
  return Relation::unsaid;
}

std::uint64_t ceiling(const Number& number) {
  return number.whole || number.floor == most ? number.floor : number.floor + 1;
}

SizeRange relate(Relation relation, const Number& number) {
  switch (relation) {
    case Relation::unsaid: {
      const SizeRange granule{ceiling(number), number.granule_last};
      // Digits finer than a byte name no byte: take the one they lie in.
      return granule.first <= granule.last ? granule : SizeRange{number.floor, number.floor};
    }
    case Relation::equal:
      return {number.floor, number.floor};
    case Relation::less:
      return ceiling(number) == 0 ? nothing : SizeRange{0, ceiling(number) - 1};
    case Relation::at_most:
      return {0, number.floor};
    case Relation::more:
      return number.floor == most ? nothing : SizeRange{number.floor + 1, most};
    case Relation::at_least:
      return {ceiling(number), most};
  }
  return {};
}

Number read_depth(Scanner scanner) {
  const std::size_t first = scanner.position();
  const std::uint64_t depth = scanner.take_number();
  if (!scanner.done()) scanner.fail("a depth is a whole number without a unit");
  if (depth > std::numeric_limits<std::uint32_t>::max()) {
    scanner.fail(first, "this number is too large");
  }
  return {depth, true, depth};
}

Number read_count(Scanner scanner) {
  const std::uint64_t count = scanner.take_number();
  if (!scanner.done()) scanner.fail("this is a whole number without a unit");
  return {count, true, count};
}

}  // namespace

RangeParts split_range(std::string_view text, const ValueSource& source) {
  const Scanner whole = Scanner(text, source).part(0, text.size());
  if (whole.done()) whole.fail(0, "a value is missing");

  Scanner value = whole;
  const Relation relation = take_relation(value);
  const std::size_t behind_relation = value.position();
  value.skip_spaces();

  constexpr std::string_view dots = "..";
  const std::size_t found = value.rest().find(dots);
  if (found == std::string_view::npos) {
    if (value.done()) value.fail("a value is missing after " + Scanner::quote(whole.rest()));
    return {relation, false, value, value};
  }

  const std::size_t at = value.position() + found;
  if (relation != Relation::unsaid) {
    const std::size_t begin = whole.position();
    whole.fail("a range with '..' cannot have " +
               Scanner::quote(text.substr(begin, behind_relation - begin)) + " before it");
  }
  const Scanner first = value.part(value.position(), at);
  const Scanner last = value.part(at + dots.size(), value.end());
  if (first.done() && last.done()) value.fail(at, "one end of a range may be omitted, not both");
  const std::size_t again = last.rest().find(dots);
  if (again != std::string_view::npos) {
    last.fail(last.position() + again, "a range has one '..'");
  }
  return {Relation::unsaid, true, first, last};
}

SizeRange parse_number_range(std::string_view text, const ValueSource& source,
                             Number (*read)(Scanner scanner)) {
  const RangeParts parts = split_range(text, source);
  if (!parts.is_span) return relate(parts.relation, read(parts.first));

  SizeRange range;
  if (!parts.first.done()) range.first = ceiling(read(parts.first));
  if (!parts.last.done()) range.last = read(parts.last).floor;
  if (range.first > range.last) parts.last.fail("the smaller end of a range comes first");
  return range;
}

SizeRange parse_count_range(std::string_view text, const ValueSource& source) {
  return parse_number_range(text, source, read_count);
}

DepthRange parse_depth_range(std::string_view text, const ValueSource& source) {
  constexpr std::uint32_t deepest = std::numeric_limits<std::uint32_t>::max();
  const SizeRange range = parse_number_range(text, source, read_depth);
  if (range.first > range.last || range.first > deepest) return {1, 0};
  return {static_cast<std::uint32_t>(range.first),
          range.last > deepest ? deepest : static_cast<std::uint32_t>(range.last)};
}

}  // namespace ffind::text
