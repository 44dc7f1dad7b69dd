// SPDX-License-Identifier: MIT
// Grammar that all ranges share (`>10M`, `1k..2M`, `..5`), ranges of plain numbers and of sizes.
//
// A size is a count, a fraction and a unit, multiplied without rounding: 1.5Ki is 1536 bytes, and
// 0.3Ki is between two bytes.
//
// split_range() finds the operator and the "..", then a function of each kind reads the values:
//
//     text        relation    first    last
//     10M         unsaid      10M
//     >= 10M      at_least    10M
//     1k..2M      unsaid      1k       2M       is_span
//     ..2M        unsaid               2M       is_span
//
// A value without an operator is a granule, all sizes with the same leading digits:
//
//     10M         10,000,000 to 10,999,999
//     10.0M       10,000,000 to 10,099,999
//     1.5Ki       1536 to 1638                 1.6Ki is 1638.4
#include "text/ranges.h"

#include "text/ascii.h"
#include "text/format.h"

namespace ffind::text {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr SizeRange nothing{1, 0};

/// Takes +, -, =, >, >=, < or <=. + and - are find's: more and less.
Relation take_relation(Scanner& scanner) {
  if (scanner.take('+')) return Relation::more;
  if (scanner.take('-')) return Relation::less;
  if (scanner.take('=')) return Relation::equal;
  if (scanner.take('>')) return scanner.take('=') ? Relation::at_least : Relation::more;
  if (scanner.take('<')) return scanner.take('=') ? Relation::at_most : Relation::less;
  return Relation::unsaid;
}

/// The smallest whole number that is not below `number`.
std::uint64_t ceiling(const Number& number) {
  return number.whole || number.floor == most ? number.floor : number.floor + 1;
}

/// Whole numbers in that relation to `number`. For 0.3Ki, which is 307.2: less and at_most end at
/// 307, more and at_least begin at 308.
SizeRange relate(Relation relation, const Number& number) {
  switch (relation) {
    case Relation::unsaid: {
      const SizeRange granule{ceiling(number), number.granule_last};
      // The digits are finer than a byte: take the byte that contains the value.
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

// Readers for parse_number_range: each takes its scanner to the end, or fails.
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

RangeParts split_range(std::string_view text, const ValueSource& source, Relation given) {
  const Scanner whole = Scanner(text, source).part(0, text.size());
  if (whole.done()) whole.fail(0, "a value is missing");

  Scanner value = whole;
  const Relation relation = given == Relation::unsaid ? take_relation(value) : given;
  const std::size_t after_relation = value.position();
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
    const std::string_view typed =
        given == Relation::unsaid ? text.substr(begin, after_relation - begin) : source.relation;
    whole.fail("a range with '..' cannot have " + Scanner::quote(typed) + " before it");
  }
  const Scanner first = value.part(value.position(), at);
  const Scanner last = value.part(at + dots.size(), value.end());
  if (first.done() && last.done()) value.fail(at, "one end of a range may be omitted, not both");
  // 1..2..3
  const std::size_t again = last.rest().find(dots);
  if (again != std::string_view::npos) {
    last.fail(last.position() + again, "a range has one '..'");
  }
  return {Relation::unsaid, true, first, last};
}

SizeRange parse_number_range(std::string_view text, const ValueSource& source,
                             Number (*read)(Scanner scanner), Relation given) {
  const RangeParts parts = split_range(text, source, given);
  if (!parts.is_span) return relate(parts.relation, read(parts.first));

  SizeRange range;
  if (!parts.first.done()) range.first = ceiling(read(parts.first));
  if (!parts.last.done()) range.last = read(parts.last).floor;
  if (range.first > range.last) parts.last.fail("the smaller end of a range comes first");
  return range;
}

SizeRange parse_count_range(std::string_view text, const ValueSource& source, Relation given) {
  return parse_number_range(text, source, read_count, given);
}

DepthRange parse_depth_range(std::string_view text, const ValueSource& source, Relation given) {
  constexpr std::uint32_t deepest = std::numeric_limits<std::uint32_t>::max();
  const SizeRange range = parse_number_range(text, source, read_depth, given);
  // "<0", and what is deeper than any depth.
  if (range.first > range.last || range.first > deepest) return {1, 0};
  return {static_cast<std::uint32_t>(range.first),
          range.last > deepest ? deepest : static_cast<std::uint32_t>(range.last)};
}

namespace {

/// base^exponent bytes. Stored as factors, since multiplying by one after the other keeps a
/// fraction exact.
struct Unit {
  std::uint64_t base = 2;
  int exponent = 0;
};

/// The digits after a decimal point: numerator / denominator, less than 1.
struct Fraction {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
};

/// Ten times the numerator must fit a word.
constexpr std::size_t most_fraction_digits = 18;

/// Takes ".5", as 5 / 10; 0 / 1 if there is no point.
Fraction take_fraction(Scanner& scanner) {
  if (!scanner.take('.')) return {};
  const std::size_t first = scanner.position();
  const std::string_view digits = scanner.take_digits();
  if (digits.empty()) scanner.fail("digits are missing after the decimal point");
  if (digits.size() > most_fraction_digits) {
    scanner.fail(first + most_fraction_digits, "too many digits after the decimal point");
  }
  Fraction fraction;
  for (const char digit : digits) {
    fraction.numerator = fraction.numerator * 10 + static_cast<std::uint64_t>(digit - '0');
    fraction.denominator *= 10;
  }
  return fraction;
}

/// Takes the unit, in any case, with or without a final b: k, kB, KiB. Bytes if there is none.
Unit take_unit(Scanner& scanner) {
  constexpr std::string_view prefixes = "kmgtpe";
  const std::size_t at = scanner.position();
  const std::string_view word = scanner.take_word();
  scanner.skip_spaces();
  if (!scanner.done()) scanner.fail(Scanner::quote(scanner.rest()) + " is unexpected here");

  std::string letters = fold_ascii(word);
  if (!letters.empty() && letters.back() == 'b') letters.pop_back();
  if (letters.empty()) return {};
  const std::size_t power = prefixes.find(letters[0]);
  if (power != std::string_view::npos) {
    const int thousands = static_cast<int>(power) + 1;
    if (letters.size() == 1) return {10, 3 * thousands};
    if (letters.size() == 2 && letters[1] == 'i') return {2, 10 * thousands};
  }
  if (word[0] == ',') scanner.fail(at, "a decimal point is written '.'");
  scanner.fail(at, text::format("unknown unit '{}': b, k, M, G, T, P and E are powers of 1000, "
                                "Ki, Mi, Gi, Ti, Pi and Ei of 1024",
                                word));
}

struct Bytes {
  std::uint64_t floor = 0;
  bool whole = true;
  bool overflow = false;
};

/// Computes (count + fraction) * unit. Long multiplication: after each factor, whole multiples of
/// the denominator are carried over into the count; a rest at the end is a part of a byte.
Bytes multiply(std::uint64_t count, Fraction fraction, Unit unit) {
  for (int i = 0; i < unit.exponent; ++i) {
    fraction.numerator *= unit.base;
    const std::uint64_t carry = fraction.numerator / fraction.denominator;
    fraction.numerator %= fraction.denominator;
    if (count > (most - carry) / unit.base) return {most, true, true};
    count = count * unit.base + carry;
  }
  return {count, fraction.numerator == 0, false};
}

/// Takes "1.5Ki" or "1.5 KiB".
Number read_size(Scanner scanner) {
  const std::size_t first = scanner.position();
  const std::uint64_t count = scanner.take_number();
  const std::size_t point = scanner.position();
  const Fraction fraction = take_fraction(scanner);
  scanner.skip_spaces();
  const Unit unit = take_unit(scanner);
  if (unit.exponent == 0 && fraction.denominator != 1) {
    scanner.fail(point, "a fraction of a byte: a unit is missing, as in 1.5M");
  }

  const Bytes value = multiply(count, fraction, unit);
  if (value.overflow) scanner.fail(first, "no file can be this large");

  // The granule ends at the value with its last digit one higher.
  // 1.9M carries over to 2.0M; without a fraction (0 / 1) this is always so: 10M to 11M.
  const bool carries = fraction.numerator + 1 == fraction.denominator;
  const Bytes next =
      carries && count == most
          ? Bytes{most, true, true}
          : multiply(carries ? count + 1 : count,
                     {carries ? 0 : fraction.numerator + 1, fraction.denominator}, unit);
  // The last byte of [value, next). If next is between two bytes, its floor is still included.
  const std::uint64_t last = next.overflow || !next.whole ? next.floor : next.floor - 1;
  return {value.floor, value.whole, last};
}

}  // namespace

void append_human_size(std::string& out, std::uint64_t bytes, SizeUnits units) {
  constexpr std::string_view letters = " kMGTPE";
  const bool binary = units == SizeUnits::binary;
  const std::uint64_t step = binary ? 1024 : 1000;
  std::uint64_t unit = 1;
  std::size_t power = 0;
  while (bytes / unit >= step) {
    unit *= step;
    ++power;
  }
  // One decimal below 10, as in GNU's ls -h, which rounds up instead: 1.2k, 12k.
  const std::uint64_t whole = bytes / unit;
  append_number(out, whole);
  if (power == 0) return;
  if (whole < 10) {
    out += '.';
    // Ten times a rest of 2^60 or less fits.
    out += static_cast<char>('0' + bytes % unit * 10 / unit);
  }
  out += binary && power == 1 ? 'K' : letters[power];
  if (binary) out += 'i';
}

SizeRange parse_size_range(std::string_view text, const ValueSource& source, Relation given) {
  return parse_number_range(text, source, read_size, given);
}

}  // namespace ffind::text
