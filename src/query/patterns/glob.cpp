// SPDX-License-Identifier: MIT
// Parser and compiler of globs.
//
//     *.{c,h}[0-9]  ──GlobParser──▶  * ".c" [0-9]     alternatives, each a sequence of segments;
//                                    * ".h" [0-9]     braces are expanded as in a shell
//
// A text, alone or with a star at its ends, becomes a literal pattern (literal.cpp); all other
// sequences become one regular expression (regex.cpp). A glob with many alternatives becomes one
// regular expression too, since an automaton that tries all at once is then faster.
//
//     glob             alternatives                   compiled as
//     *.jp{,e}g        * ".jpg"  |  * ".jpeg"         two suffixes, tried in turn
//     [ab]?*           [ab] ? *                       \A[ab][^/][^/]*\z
//     src/**/x.c       "src/" ** "/x.c"               \Asrc/(?:.*/)?x\.c\z
//     {a,[bc]}.o       "a.o"  |  [bc] ".o"            a literal, and \A[bc]\.o\z

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "query/patterns/pattern.h"
#include "query/patterns/regex_syntax.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

/// A named class as members of a regular expression's class, by general categories.
struct PosixClass {
  std::string_view name;
  std::string_view members;
  bool punctuation = false;  ///< and all of \pP but the slash, which RE2 has no member for
};

/// The letters of [:alpha:] include marks, as the vowels of Indic scripts are, and those of
/// [:punct:] all symbols.
constexpr PosixClass posix_classes[] = {
    {"alpha", "\\pL\\pM\\p{Nl}"},
    {"alnum", "\\pL\\pM\\p{Nl}\\p{Nd}"},
    {"upper", "\\p{Lu}\\p{Lt}"},
    {"lower", "\\p{Ll}"},
    {"punct", "\\pS\\p{No}\\p{Cf}\\p{Co}", true},
    {"graph", "\\pL\\pM\\pN\\pS\\p{Cf}\\p{Co}", true},
    {"print", "\\pL\\pM\\pN\\pS\\p{Cf}\\p{Co}\\p{Zs}", true},
    {"blank", "\\t\\p{Zs}"},
    {"space", "\\t-\\r\\pZ"},
    {"cntrl", "\\p{Cc}\\p{Zl}\\p{Zp}"},
    {"digit", "0-9"},
    {"xdigit", "0-9A-Fa-f"},
};

/// One element of a glob without braces.
struct Segment {
  enum class Kind : std::uint8_t {
    text,    ///< never next to text
    one,     ///< ?: any character but a slash
    star,    ///< any number of those, zero included; never next to a star
    stars,   ///< **: any text
    one_of,  ///< [...]
  };

  Kind kind;
  std::string text{};  ///< the text; for one_of, the class as a regular expression
};

/// One alternative: a glob without braces.
using Sequence = std::vector<Segment>;

// {a,b}{a,b}... doubles with each pair. A thousand is more than is ever typed and still cheap.
constexpr std::size_t max_alternatives = 1000;
// With more alternatives an automaton for all of them is faster than trying them in turn.
constexpr std::size_t max_tried_in_turn = 12;

void append(Sequence& sequence, const Segment& segment) {
  const bool joins = !sequence.empty() && sequence.back().kind == segment.kind;
  if (joins && segment.kind == Segment::Kind::text) {
    sequence.back().text += segment.text;
  } else if (!joins || segment.kind != Segment::Kind::star) {  // {a,*}*: two stars are one
    sequence.push_back(segment);
  }
}

/// Recursive descent over a glob. The result is the list of its alternatives.
///
///     alternative   { braces | segment }            the product of its parts
///     braces        "{" alternative { "," alternative } "}"
///     segment       "[" class | "?" | "*" | "**" | "\" character | character
///
/// Outside of braces a comma and a closing brace are characters. Throws UsageError, for instance
/// for an unclosed brace or an unknown class.
class GlobParser {
 public:
  GlobParser(std::string_view glob, const text::ValueSource& source)
      : glob_(glob), source_(source), utf8_(text::is_utf8(glob)) {}

  std::vector<Sequence> parse() { return parse_alternative(false); }

 private:
  [[noreturn]] void fail(std::size_t position, std::string_view what) const {
    text::fail_at(source_, glob_, position, what);
  }

  bool at_end() const { return position_ == glob_.size(); }
  bool rest_starts_with(std::string_view text) const {
    return glob_.substr(position_).starts_with(text);
  }

  /// Takes the next character, special or not; a byte if the glob is not UTF-8.
  char32_t take() {
    if (utf8_) return text::next_code_point(glob_, position_);
    return static_cast<unsigned char>(glob_[position_++]);
  }

  /// Takes a character, or the one after a backslash as itself.
  char32_t take_escapable() {
    const std::size_t start = position_;
    const char32_t c = take();
    if (c != '\\') return c;
    if (at_end()) fail(start, "nothing follows the '\\'; for a literal one write '\\\\'");
    return take();
  }

  std::string encoded(char32_t c) const {
    if (!utf8_) return {static_cast<char>(c)};
    std::string text;
    text::append_utf8(text, c);
    return text;
  }

  std::vector<Sequence> parse_alternative(bool in_braces);
  std::vector<Sequence> parse_braces();
  Segment parse_segment();
  Segment parse_class();
  const PosixClass* take_named_class();
  std::string range(char32_t first, char32_t last) const;

  std::string_view glob_;
  const text::ValueSource& source_;
  bool utf8_;
  std::size_t position_ = 0;
  unsigned depth_ = 0;
};

/// Returns the alternatives of the text up to the end or, in braces, up to a comma or closing
/// brace: a{b,c}d is abd and acd, and the empty text is one empty sequence.
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
    // Each beginning with each of the alternatives: {a,b}{1,2} is a1, a2, b1, b2.
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

/// Parses {a,b} at the position, and returns the alternatives of all its parts in one list. Depth
/// is limited, since nested braces recur.
std::vector<Sequence> GlobParser::parse_braces() {
  const std::size_t start = position_;
  if (++depth_ > 100) fail(start, "braces nest more than 100 deep");
  std::vector<Sequence> all;
  do {
    ++position_;  // the brace or comma
    for (Sequence& sequence : parse_alternative(true)) all.push_back(std::move(sequence));
    if (at_end()) fail(start, "unclosed '{'; for a literal one write '[{]'");
  } while (rest_starts_with(","));
  ++position_;
  --depth_;
  return all;
}

/// Parses anything but braces. Two stars or more are `**`, as in git; a star alone stays within a
/// component.
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

/// Translates [...] to a class of a regular expression without the slash. A ] is a member if it
/// comes first, a - if it comes first or last; [!a] and [^a] are negated.
///
///     [a-c]     [a-c]           [+-1]     [+-.0-1]       the slash is between . and 0
///     [!a]      [^/a]           [[:digit:]x]   [0-9x]
Segment GlobParser::parse_class() {
  const std::size_t start = position_++;
  const bool negated = rest_starts_with("!") || rest_starts_with("^");
  if (negated) ++position_;
  const auto fail_unless_more = [&] {
    if (at_end()) fail(start, "unclosed '['; for a literal one write '[[]'");
  };
  std::string members;
  bool punctuation = false;
  for (bool first_member = true;; first_member = false) {
    fail_unless_more();
    if (rest_starts_with("]") && !first_member) break;
    if (const PosixClass* const named = take_named_class()) {
      members += named->members;
      punctuation |= named->punctuation;
      continue;
    }
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
  // All members are without a slash, so a negated class needs it as one.
  if (negated) {
    return {Segment::Kind::one_of, "[^/" + members + (punctuation ? "\\pP]" : "]")};
  }
  if (punctuation) return {Segment::Kind::one_of, "(?:[" + members + "]|[^/\\PP])"};
  // [/] matches nothing, since only ** matches a slash.
  return {Segment::Kind::one_of, "[" + (members.empty() ? "^\\pC\\PC" : members) + "]"};
}

/// Takes a named class such as [:alpha:]. Null, without moving, if there is none: then [ is a
/// member like any other.
const PosixClass* GlobParser::take_named_class() {
  if (!rest_starts_with("[:")) return nullptr;
  const std::size_t end = glob_.find(":]", position_ + 2);
  if (end == std::string_view::npos) return nullptr;
  const std::string_view name = glob_.substr(position_ + 2, end - position_ - 2);
  for (const PosixClass& named : posix_classes) {
    if (named.name != name) continue;
    position_ = end + 2;
    return &named;
  }
  fail(position_, "unknown class; known are [:alpha:], [:digit:], [:alnum:], [:upper:] and so on");
}

/// A range in the syntax of a regular expression's class, without the slash.
std::string GlobParser::range(char32_t first, char32_t last) const {
  if (first <= '/' && '/' <= last) {
    return (first < '/' ? range(first, '/' - 1) : "") + (last > '/' ? range('/' + 1, last) : "");
  }
  const auto written = [this](char32_t c) {
    const bool special =
        c < 0x80 && std::string_view("\\]^-[").find(static_cast<char>(c)) != std::string_view::npos;
    return (special ? "\\" : "") + encoded(c);
  };
  return first == last ? written(first) : written(first) + "-" + written(last);
}

// ---- sequences as expressions

/// Translates a sequence. Between slashes, or between a slash and an end, ** matches zero or
/// more whole directories.
std::string to_regex(const Sequence& sequence) {
  std::string expression;
  bool skip_slash = false;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Segment& segment = sequence[i];
    const bool at_start = i == 0;
    const bool at_end = i + 1 == sequence.size();
    // Slashes are only in texts, since no other segment matches one.
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
        // a/**/b is a/(?:.*/)?b, which matches a/b: the slash after the stars is in the group, so
        // that the next text begins without it. a/** needs something below a. Elsewhere ** is any
        // text: a**b.
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

/// Alternatives that are tried in turn; at least two, with the same rules for case and accents. No
/// text is in all matches, so there is no required literal.
class AnyPattern final : public Pattern {
 public:
  explicit AnyPattern(std::vector<std::unique_ptr<const Pattern>> patterns)
      : Pattern(patterns.front()->rules()), patterns_(std::move(patterns)) {
    for (const auto& pattern : patterns_) cost_ += pattern->cost();
  }

  bool matches(std::string_view subject) const override {
    return std::any_of(patterns_.begin(), patterns_.end(),
                       [subject](const auto& pattern) { return pattern->matches(subject); });
  }
  int cost() const override { return cost_; }

 private:
  std::vector<std::unique_ptr<const Pattern>> patterns_;
  int cost_ = 0;
};

/// Joins alternatives into one expression. A single one gets no group, which would hide its
/// literals from required_literal.
std::string anchored(const std::vector<std::string>& expressions) {
  if (expressions.size() == 1) return "\\A" + expressions.front() + "\\z";
  std::string all;
  for (const std::string& one : expressions) all += (all.empty() ? "\\A(?:" : "|") + one;
  return all + ")\\z";
}

/// Compiles a text, alone or with a star at one end or both; null for any other sequence.
std::unique_ptr<const Pattern> as_literal(const Sequence& sequence, text::KeyRules rules) {
  auto begin = sequence.begin();
  auto end = sequence.end();
  const bool any_start = begin != end && begin->kind == Segment::Kind::star;
  if (any_start) ++begin;
  const bool any_end = begin != end && std::prev(end)->kind == Segment::Kind::star;
  if (any_end) --end;
  if (end - begin > 1 || (begin != end && begin->kind != Segment::Kind::text)) return {};
  const PatternKind kind = any_start ? (any_end ? PatternKind::contains : PatternKind::ends)
                                     : (any_end ? PatternKind::starts : PatternKind::exact);
  const Slashes slashes = any_start || any_end ? Slashes::only_in_text : Slashes::anywhere;
  return make_literal(kind, begin == end ? "" : begin->text, rules, slashes);
}

}  // namespace

std::unique_ptr<const Pattern> make_glob(std::string_view glob, text::KeyRules rules,
                                         const text::ValueSource& source) {
  const std::vector<Sequence> sequences = GlobParser(glob, source).parse();
  // Sequences that need a regular expression share one, so that RE2 runs once for a subject. With
  // many alternatives the simple ones join it.
  const bool few = sequences.size() <= max_tried_in_turn;
  std::vector<std::unique_ptr<const Pattern>> patterns;
  std::vector<std::string> expressions;
  for (const Sequence& sequence : sequences) {
    std::unique_ptr<const Pattern> literal = few ? as_literal(sequence, rules) : nullptr;
    if (literal == nullptr) {
      expressions.push_back(to_regex(sequence));
    } else {
      patterns.push_back(std::move(literal));
    }
  }
  if (!expressions.empty()) {
    patterns.push_back(make_regex(anchored(expressions), rules, source, glob));
  }
  if (patterns.size() == 1) return std::move(patterns.front());
  return std::make_unique<AnyPattern>(std::move(patterns));
}

}  // namespace ffind::query
