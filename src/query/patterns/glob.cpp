// SPDX-License-Identifier: MIT
// Globs. A parser turns one into alternatives, each a flat sequence of segments, its braces
// multiplied out as a shell would. One of text, * and ? goes to literal.h; what has classes or **
// goes to regex.h as an expression. Knows nothing of RE2.
#include "query/patterns/glob.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "query/patterns/byte_regex.h"
#include "query/patterns/literal.h"
#include "query/patterns/posix_classes.h"
#include "query/patterns/regex.h"
#include "query/patterns/typed_place.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

struct Segment {
  enum class Kind : std::uint8_t { text, one, star, stars, one_of };

  Kind kind;
  std::string text{};  ///< of text: itself; of one_of: the class as an expression has it
};

using Sequence = std::vector<Segment>;

// {a,b}{a,b}... doubles each time. A thousand is more than anybody types and less than hurts.
constexpr std::size_t max_alternatives = 1000;
// Beyond so many an automaton that looks for all at once is faster than one after the other.
constexpr std::size_t max_tried_in_turn = 12;

void append(Sequence& sequence, const Segment& segment) {
  const bool joins = !sequence.empty() && sequence.back().kind == segment.kind;
  if (joins && segment.kind == Segment::Kind::text) {
    sequence.back().text += segment.text;
  } else if (!joins || segment.kind != Segment::Kind::star) {  // {a,*}* has two stars that are one
    sequence.push_back(segment);
  }
}

class GlobParser {
 public:
  GlobParser(std::string_view glob, const text::ValueSource& source)
      : glob_(glob), source_(source) {}

  std::vector<Sequence> parse() { return parse_alternative(false); }

 private:
  [[noreturn]] void fail(std::size_t position, std::string_view what) const {
    text::fail_at(source_, glob_, position, what);
  }

  bool at_end() const { return position_ == glob_.size(); }
  bool rest_starts_with(std::string_view text) const {
    return glob_.substr(position_).starts_with(text);
  }

  /// The next character, whatever it is.
  char32_t take() { return text::next_code_point(glob_, position_); }

  char32_t take_escapable() {
    const std::size_t start = position_;
    const char32_t c = take();
    if (c != '\\') return c;
    if (at_end()) fail(start, "nothing follows the '\\'; for a literal one write '\\\\'");
    return take();
  }

  static std::string encoded(char32_t c) {
    std::string text;
    text::append_utf8(text, c);
    return text;
  }

  std::vector<Sequence> parse_alternative(bool in_braces);
  std::vector<Sequence> parse_braces();
  Segment parse_segment();
  Segment parse_class();
  bool parse_named_class(std::string& members);
  static std::string range(char32_t first, char32_t last);

  std::string_view glob_;
  const text::ValueSource& source_;
  std::size_t position_ = 0;
  unsigned depth_ = 0;
};

std::vector<Sequence> GlobParser::parse_alternative(bool in_braces) {
  std::vector<Sequence> sequences(1);
  while (!at_end()) {
    if (in_braces && (rest_starts_with(",") || rest_starts_with("}"))) break;
    if (!rest_starts_with("{")) {
      const Segment segment = parse_segment();
      for (Sequence& sequence : sequences) append(sequence, segment);
      continue;
    }
    const std::size_t start = position_;
    const std::vector<Sequence> alternatives = parse_braces();
    if (sequences.size() * alternatives.size() > max_alternatives) {
      fail(start, "the braces expand to more than 1000 globs; use a regular expression (-e)");
    }
    std::vector<Sequence> product;
    for (const Sequence& head : sequences) {
      for (const Sequence& tail : alternatives) {
        product.push_back(head);
        for (const Segment& segment : tail) append(product.back(), segment);
      }
    }
    sequences = std::move(product);
  }
  return sequences;
}

std::vector<Sequence> GlobParser::parse_braces() {
  const std::size_t start = position_;
  if (++depth_ > 100) fail(start, "braces nest more than 100 deep");
  std::vector<Sequence> all;
  do {
    ++position_;  // the brace or comma
    for (Sequence& sequence : parse_alternative(true)) all.push_back(std::move(sequence));
    if (at_end()) fail(start, "unclosed '{'; for a literal one write '\\{'");
  } while (rest_starts_with(","));
  ++position_;
  --depth_;
  return all;
}

Segment GlobParser::parse_segment() {
  if (rest_starts_with("[")) return parse_class();
  if (rest_starts_with("?")) {
    ++position_;
    return {Segment::Kind::one};
  }
  if (rest_starts_with("*")) {
    const std::size_t start = position_;
    position_ = std::min(glob_.find_first_not_of('*', position_), glob_.size());
    return {position_ - start == 1 ? Segment::Kind::star : Segment::Kind::stars};
  }
  return {Segment::Kind::text, encoded(take_escapable())};
}

Segment GlobParser::parse_class() {
  const std::size_t start = position_++;
  const bool negated = rest_starts_with("!") || rest_starts_with("^");
  if (negated) ++position_;
  const auto fail_unless_more = [&] {
    if (at_end()) fail(start, "unclosed '['; for a literal one write '\\['");
  };
  std::string members;
  for (bool first_member = true;; first_member = false) {
    fail_unless_more();
    if (rest_starts_with("]") && !first_member) break;
    if (parse_named_class(members)) continue;
    const std::size_t range_start = position_;
    const char32_t first = take_escapable();
    char32_t last = first;
    if (rest_starts_with("-") && !rest_starts_with("-]")) {
      ++position_;
      fail_unless_more();
      last = take_escapable();
      if (last < first) fail(range_start, "the range is backwards");
    }
    members += range(first, last);
  }
  ++position_;
  if (negated) return {Segment::Kind::one_of, "[^/" + members + "]"};
  if (!members.empty()) return {Segment::Kind::one_of, "[" + members + "]"};
  // [/] matches nothing: only ** matches a slash.
  return {Segment::Kind::one_of, "[^\\x00-\\x{10FFFF}]"};
}

/// [:alpha:] and its kind.
bool GlobParser::parse_named_class(std::string& members) {
  if (!rest_starts_with("[:")) return false;
  const std::size_t end = glob_.find(":]", position_ + 2);
  if (end == std::string_view::npos) return false;
  const auto named = posix_class(glob_.substr(position_ + 2, end - position_ - 2));
  if (!named) {
    fail(position_,
         "unknown class; known are [:alpha:], [:digit:], [:alnum:], [:upper:] and so on");
  }
  members += *named;
  position_ = end + 2;
  return true;
}

/// A range as an expression's class has it, the slash left out.
std::string GlobParser::range(char32_t first, char32_t last) {
  if (first <= '/' && '/' <= last) {
    return (first < '/' ? range(first, '/' - 1) : "") + (last > '/' ? range('/' + 1, last) : "");
  }
  const auto written = [](char32_t c) {
    const bool special =
        c < 0x80 && std::string_view("\\]^-[").find(static_cast<char>(c)) != std::string_view::npos;
    return (special ? "\\" : "") + encoded(c);
  };
  return first == last ? written(first) : written(first) + "-" + written(last);
}

// ---- sequences as expressions

std::string quoted_for_regex(std::string_view text) {
  std::string expression;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) expression += '\\';
    expression += c;
  }
  return expression;
}

/// Between slashes, or a slash and an end, ** is a number of whole directories, and
/// none is a number.
std::string to_regex(const Sequence& sequence) {
  std::string expression;
  bool skip_slash = false;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Segment& segment = sequence[i];
    const bool at_start = i == 0;
    const bool at_end = i + 1 == sequence.size();
    const bool after_slash = !at_start && sequence[i - 1].text.ends_with('/');
    const bool before_slash = !at_end && sequence[i + 1].text.starts_with('/');
    switch (segment.kind) {
      case Segment::Kind::text:
        expression += quoted_for_regex(std::string_view(segment.text).substr(skip_slash ? 1 : 0));
        break;
      case Segment::Kind::one:
        expression += "[^/]";
        break;
      case Segment::Kind::star:
        expression += "[^/]*";
        break;
      case Segment::Kind::one_of:
        expression += segment.text;
        break;
      case Segment::Kind::stars:
        if ((at_start || after_slash) && before_slash) {
          expression += "(?:.*/)?";
        } else {
          expression += after_slash && at_end ? ".+" : ".*";
        }
        break;
    }
    skip_slash = segment.kind == Segment::Kind::stars && (at_start || after_slash) && before_slash;
  }
  return expression;
}

class AnyPattern final : public Pattern {
 public:
  explicit AnyPattern(std::vector<std::unique_ptr<const Pattern>> patterns)
      : patterns_(std::move(patterns)) {
    for (const auto& pattern : patterns_) cost_ += pattern->cost();
  }

  bool matches(std::string_view subject) const override {
    return std::any_of(patterns_.begin(), patterns_.end(),
                       [subject](const auto& pattern) { return pattern->matches(subject); });
  }
  int cost() const override { return cost_; }
  std::string_view required_literal() const override { return {}; }
  bool ignores_case() const override { return patterns_.front()->ignores_case(); }
  bool ignores_diacritics() const override { return patterns_.front()->ignores_diacritics(); }

 private:
  std::vector<std::unique_ptr<const Pattern>> patterns_;
  int cost_ = 0;
};

/// One expression for all, with no group around a single one: it would hide its literals.
std::string anchored(const std::vector<std::string>& expressions) {
  if (expressions.size() == 1) return "\\A" + expressions.front() + "\\z";
  std::string all;
  for (const std::string& one : expressions) all += (all.empty() ? "\\A(?:" : "|") + one;
  return all + ")\\z";
}

bool needs_regex(const Sequence& sequence) {
  return std::any_of(sequence.begin(), sequence.end(), [](const Segment& segment) {
    return segment.kind == Segment::Kind::stars || segment.kind == Segment::Kind::one_of;
  });
}

std::unique_ptr<const Pattern> make_simple(const Sequence& sequence, text::KeyRules rules) {
  std::vector<WildcardSegment> segments;
  for (const Segment& segment : sequence) {
    const auto kind = segment.kind == Segment::Kind::text  ? WildcardSegment::Kind::text
                      : segment.kind == Segment::Kind::one ? WildcardSegment::Kind::one
                                                           : WildcardSegment::Kind::number;
    segments.push_back({kind, segment.text});
  }
  return make_wildcards(segments, rules);
}

/// Where the characters of `glob` end, and the bytes that are none.
std::vector<std::size_t> ends_of_characters(std::string_view glob) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < glob.size(); ends.push_back(at)) {
    if (text::checked_code_point(glob, at) == text::no_code_point) ++at;
  }
  return ends;
}

std::string normalised_glob(std::string_view glob, bool utf8, text::KeyRules rules) {
  return utf8 ? text::key_of(glob, {text::KeyCase::kept, rules.without_accents})
              : as_characters(glob);
}

/// The segments of a glob that is not UTF-8 as they were typed.
void restore_bytes(std::vector<Sequence>& sequences) {
  for (Sequence& sequence : sequences) {
    for (Segment& segment : sequence) segment.text = as_bytes(segment.text);
  }
}

/// Reads `text`, which is `glob` normalised; complains of `glob`.
std::vector<Sequence> parse(std::string_view glob, std::string_view text, bool utf8,
                            text::KeyRules rules, const text::ValueSource& source) {
  try {
    return GlobParser(text, source).parse();
  } catch (const text::ValueError& error) {
    if (text == glob) throw;
    const std::size_t place = place_in_typed(
        glob, ends_of_characters(glob), error.position(),
        [utf8, rules](std::string_view part) { return normalised_glob(part, utf8, rules); });
    text::fail_at(source, glob, place, error.what_is_wrong());
  }
}

}  // namespace

std::unique_ptr<const Pattern> make_glob(std::string_view glob, text::KeyRules rules,
                                         const text::ValueSource& source) {
  const bool utf8 = text::is_utf8(glob);
  const std::string text = normalised_glob(glob, utf8, rules);
  std::vector<Sequence> sequences = parse(glob, text, utf8, rules, source);
  if (!utf8) restore_bytes(sequences);
  const bool few = sequences.size() <= max_tried_in_turn;
  std::vector<std::unique_ptr<const Pattern>> patterns;
  std::vector<std::string> expressions;
  for (const Sequence& sequence : sequences) {
    if (few && !needs_regex(sequence)) {
      patterns.push_back(make_simple(sequence, rules));
    } else {
      expressions.push_back(to_regex(sequence));
    }
  }
  if (!expressions.empty()) {
    patterns.push_back(make_regex(anchored(expressions), rules, source, glob));
  }
  if (patterns.size() == 1) return std::move(patterns.front());
  return std::make_unique<AnyPattern>(std::move(patterns));
}

}  // namespace ffind::query
