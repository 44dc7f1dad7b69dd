// SPDX-License-Identifier: MIT
// Regular expressions, matched by RE2: linear in time, bounded in memory, shared by all threads.
// The only file that includes RE2. It uses only what the StringPiece of 2022 and absl's string_view
// have in common.
//
//     RegexPattern   first searches a subject for the literal that every match contains, at a
//                    tenth of the cost of RE2
//     matcher_of     matches names as they are, by the rules of another program
//     RegexCopies    the compiled expression, in up to four copies, so that threads do not contend
//
//     subject        text that RE2 gets         expression
//     ASCII          the subject                in NFC
//     UTF-8          its key, with case kept    in NFC; RE2 folds case itself
//     other bytes    the subject                as typed, in RE2's Latin-1: each byte a character

#include <re2/re2.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/patterns/byte_finder.h"
#include "query/patterns/pattern.h"
#include "query/patterns/regex_syntax.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

// Limit for each copy. An expression that fills it brings a process with 16 threads to 15 MiB, of
// the 16 that a search may use; with 4 MiB it took 26, and a single copy with RE2's default of 8
// took 41. \pL{1,100} still fits, but RE2 needs 19 MiB for a moment to compile it.
constexpr int max_memory = 2 << 20;

/// Options of every expression. Anything that changes the syntax accepted here has to be known to
/// regex_syntax.cpp as well.
RE2::Options options_for(text::KeyCase key_case,
                         RE2::Options::Encoding encoding = RE2::Options::EncodingUTF8) {
  RE2::Options options;
  options.set_encoding(encoding);
  options.set_case_sensitive(key_case == text::KeyCase::kept);
  options.set_log_errors(false);    // they become UsageErrors
  options.set_never_capture(true);  // groups are not used
  options.set_dot_nl(true);         // a newline in a name is a character like any other
  options.set_max_mem(max_memory);
  return options;
}

/// Never fails; errors are in the result (ok(), error_code(), error_arg()).
std::unique_ptr<const RE2> compile(std::string_view regex, const RE2::Options& options) {
  return std::make_unique<const RE2>(re2::StringPiece(regex.data(), regex.size()), options);
}

/// True for (?=a) (?!a) (?<=a) (?<!a), none of which RE2 has. It reports them by the codes of an
/// unclosed group, of unknown flags or of a bad group name.
bool looks_around(std::string_view group) {
  return group.starts_with("(?=") || group.starts_with("(?!") || group.starts_with("(?<=") ||
         group.starts_with("(?<!");
}

/// RE2 reports an unknown class as a bad range.
bool names_class(std::string_view fragment) {
  return fragment.starts_with("\\p") || fragment.starts_with("\\P") || fragment.starts_with("[:");
}

/// Returns a message for an error of RE2. `fragment` is the text that RE2 reports, `rest` what was
/// typed from the place of the error on.
std::string explain(RE2::ErrorCode code, const std::string& fragment, std::string_view rest) {
  const std::string quoted = "'" + text::beginning_of(fragment) + "' ";
  switch (code) {
    case RE2::ErrorBadEscape:
      if (fragment.size() == 2 && fragment[1] >= '1' && fragment[1] <= '9') {
        return quoted + "is a back-reference, which is not part of RE2's syntax";
      }
      return quoted + "is not an escape in RE2";
    case RE2::ErrorBadCharClass:
      return quoted + "is not a character class";
    case RE2::ErrorBadCharRange:
      if (names_class(fragment)) return quoted + "is not a class in RE2";
      return quoted + "is not a range: the smaller end comes first";
    case RE2::ErrorMissingBracket:
      return "the class " + quoted + "is not closed by ']'";
    // An unclosed group that begins like look-around is reported as that.
    case RE2::ErrorMissingParen:
    case RE2::ErrorBadPerlOp:
      if (looks_around(rest)) return "look-around is not part of RE2's syntax";
      if (code == RE2::ErrorMissingParen) return "unclosed '('";
      return quoted + "does not begin a group in RE2; a named group is '(?P<name>...)'";
    case RE2::ErrorUnexpectedParen:
      return "unmatched ')'; for a literal one write '\\)'";
    case RE2::ErrorTrailingBackslash:
      return "the expression ends in a lone '\\'; for a literal one write '\\\\'";
    case RE2::ErrorRepeatArgument:
      return quoted + "has nothing to repeat; for a literal one write '\\" + fragment.substr(0, 1) +
             "' (or use a glob)";
    case RE2::ErrorRepeatSize:
      return quoted +
             "is not a repetition: at most 1000, nested ones multiplied, the smaller first";
    case RE2::ErrorRepeatOp:
      return quoted + "repeats a repetition";
    case RE2::ErrorBadUTF8:
      return "the expression is not valid UTF-8";
    case RE2::ErrorBadNamedCapture:
      if (looks_around(rest)) return "look-around is not part of RE2's syntax";
      return quoted + "is not a group name";
    case RE2::ErrorPatternTooLarge:
      return "the pattern needs more than " + std::to_string(max_memory >> 20) +
             " MiB of memory; repeat less often";
    default:
      return quoted + "is invalid";
  }
}

/// Position of the unmatched ')', or of the innermost unclosed '('; 0 if there is neither.
std::size_t unbalanced_group(std::string_view regex) {
  std::vector<std::size_t> open;
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.kind == RegexToken::Kind::group_open) open.push_back(token.position);
    if (token.kind != RegexToken::Kind::group_close) continue;
    if (open.empty()) return token.position;
    open.pop_back();
  }
  return open.empty() ? 0 : open.back();
}

/// Position of the error in `typed`. RE2 reports the offending text but not its position, so this
/// is where that text first occurs; 0 if it does not, because the expression was normalised.
std::size_t place_of_error(std::string_view typed, const RE2& failed) {
  switch (failed.error_code()) {
    case RE2::ErrorMissingParen:
    case RE2::ErrorUnexpectedParen:
      return unbalanced_group(typed);
    case RE2::ErrorTrailingBackslash:
      return typed.size() - 1;
    default:
      const std::size_t place = typed.find(failed.error_arg());
      return place == std::string_view::npos ? 0 : place;
  }
}

/// Copies of a compiled expression. An RE2 may be shared, but it takes a lock for each match, and
/// its cache line moves between the processors of two threads: 46 ns became 88. With four copies up
/// to four threads share nothing; eight of max_memory would be all the 16 MiB that a search may
/// use. Thread-safe.
class RegexCopies {
 public:
  RegexCopies(std::string_view regex, const RE2::Options& options)
      : regex_(regex), options_(options) {}

  const std::string& regex() const { return regex_; }

  /// The copy of the calling thread, compiled at its first call.
  const RE2& mine() const {
    // mutable: counts threads at their first call, so that they are spread evenly over the copies.
    // A hash of their ids would put two of four on one copy nine times in ten.
    static std::atomic<std::size_t> threads{0};
    static thread_local const std::size_t number = threads++;
    Copy& copy = copies_[number % std::size(copies_)];
    std::call_once(copy.once, [&] { copy.regex = compile(regex_, options_); });
    return *copy.regex;
  }

  bool match(std::string_view subject) const { return match(subject, 0, subject.size()); }

  /// Matches the part from `begin` to `end`. The text around it decides about anchors and word
  /// boundaries.
  bool match(std::string_view subject, std::size_t begin, std::size_t end) const {
    const RE2& regex = mine();
    const re2::StringPiece text(subject.data(), subject.size());
    return regex.ok() && regex.Match(text, begin, end, RE2::UNANCHORED, nullptr, 0);
  }

 private:
  /// Compiled once, by the first thread that is assigned to it; others wait for that.
  struct Copy {
    std::once_flag once;
    std::unique_ptr<const RE2> regex;
  };

  std::string regex_;
  RE2::Options options_;
  mutable Copy copies_[4];
};

/// The expression to match against keys: in NFC, and without accents if those are ignored.
std::string normalised_regex(std::string_view regex, text::KeyRules rules) {
  const std::string normal = text::key_of(regex_with_letters_spelt_out(regex), text::KeyCase::kept);
  return rules.without_accents ? regex_without_accents(normal) : normal;
}

/// An unanchored regular expression. An invalid one can be constructed; make_regex then throws,
/// with the error that compiled() carries. If the expression is not UTF-8, it matches bytes only.
class RegexPattern final : public Pattern {
 public:
  RegexPattern(std::string_view regex, text::KeyRules rules)
      : RegexPattern(regex, rules, text::is_utf8(regex)) {}

  const RE2& compiled() const { return (utf8_ ? copies_ : byte_copies_).mine(); }

  bool matches(std::string_view subject) const override {
    const bool ascii = text::is_ascii(subject);
    if (!may_match(subject, ascii)) return false;
    if (ascii) return utf8_ && copies_.match(subject);
    if (!text::is_utf8(subject)) return byte_copies_.match(subject);
    if (!utf8_) return false;
    text::KeyScratch scratch;
    return copies_.match(text::key_of(subject, key_rules(), scratch));
  }

  /// Matches `part` between its neighbours, so that \b and ^ see them. The key of `part` alone is
  /// computed: a neighbour is one byte, which may be a part of a character.
  bool matches_part(std::string_view before, std::string_view part,
                    std::string_view after) const override {
    const bool as_text = text::is_utf8(part);
    if (!may_match(part, text::is_ascii(part)) || (as_text && !utf8_)) return false;
    std::string text(before);
    const std::size_t begin = text.size();
    text += as_text ? text::key_of(part, key_rules()) : std::string(part);
    const std::size_t end = text.size();
    text += after;
    return (as_text ? copies_ : byte_copies_).match(text, begin, end);
  }

  int cost() const override { return finder_ ? 15 : 60; }
  std::string_view required_literal() const override { return required_; }

 private:
  RegexPattern(std::string_view regex, text::KeyRules rules, bool utf8)
      : Pattern(rules),
        utf8_(utf8),
        copies_(utf8 ? normalised_regex(regex, rules) : std::string(),
                options_for(rules.letter_case)),
        // Not normalised: bytes match only bytes as typed.
        byte_copies_(utf8 ? regex_for_bytes(regex) : std::string(regex),
                     options_for(rules.letter_case, RE2::Options::EncodingLatin1)) {
    if (!utf8) return;
    required_ = text::key_of(query::required_literal(copies_.regex()), rules);
    ascii_can_match_ = text::is_ascii(required_);
    // A single byte occurs in too many names to be worth searching for.
    if (ascii_can_match_ && required_.size() >= 2) finder_.emplace(required_, rules.letter_case);
    known_bytes_ = finder_of_known_bytes(required_, rules);
  }

  /// False if `subject` lacks bytes that every match contains.
  bool may_match(std::string_view subject, bool ascii) const {
    if (ascii) return ascii_can_match_ && (!finder_ || finder_->found_in(subject));
    return !known_bytes_ || known_bytes_->find(subject, 0) != ByteFinder::npos;
  }

  /// Rules of the keys that are matched, whose case RE2 folds itself.
  text::KeyRules key_rules() const { return {text::KeyCase::kept, rules().without_accents}; }

  bool utf8_;  ///< the expression is UTF-8
  RegexCopies copies_;
  RegexCopies byte_copies_;
  /// Longest text that every match contains, as a key; empty if there is none.
  std::string required_;
  /// False if required_ has a character outside ASCII.
  bool ascii_can_match_ = true;
  /// Only if required_ is ASCII and at least two bytes.
  std::optional<AsciiFinder> finder_;
  std::optional<ByteFinder> known_bytes_;
};

/// True if `regex` could miss matches when ^ and $ match at lines: it has \A, \z or flags of its
/// own.
bool is_bound_to_the_text(std::string_view regex) {
  using Kind = RegexToken::Kind;
  const auto is_bound = [](const RegexToken& token) {
    if (token.kind == Kind::text_begin) return token.written != "^";
    if (token.kind == Kind::text_end) return token.written != "$";
    const bool sets_flags = token.kind == Kind::flags || token.kind == Kind::group_open;
    if (sets_flags) return token.written.find('m') != std::string_view::npos;
    return token.kind == Kind::unknown;
  };
  const auto tokens = tokens_of(regex);
  return std::any_of(tokens.begin(), tokens.end(), is_bound);
}

/// Puts marks between the characters of a subject; see RawRegex.
class Marker {
 public:
  explicit Marker(const RawRegex& raw)
      : word_(raw.word, options_for(text::KeyCase::kept)), count_(raw.marks) {}

  std::string marked(std::string_view subject) const {
    std::string result;
    Place before = Place::no_word;
    for (std::size_t at = 0; at < subject.size();) {
      const text::Decoded decoded = text::decode_utf8(subject, at);
      const std::string_view part = subject.substr(at, decoded.valid ? decoded.length : 1);
      const Place after = !decoded.valid      ? Place::invalid
                          : word_.match(part) ? Place::word
                                              : Place::no_word;
      append_marks(result, before, after);
      result += part;
      at += part.size();
      before = after;
    }
    append_marks(result, before, Place::no_word);
    return result;
  }

 private:
  enum class Place : std::uint8_t { no_word, word, invalid };

  void append_marks(std::string& out, Place before, Place after) const {
    const char32_t kind = 3 * static_cast<char32_t>(before) + static_cast<char32_t>(after);
    for (std::size_t i = 0; i < count_; ++i) text::append_utf8(out, first_mark + kind);
  }

  RegexCopies word_;
  std::size_t count_;
};

}  // namespace

TextPredicate matcher_of(const RawRegex& raw) {
  const text::KeyCase key_case =
      raw.folds && !raw.is_of_bytes ? text::KeyCase::folded : text::KeyCase::kept;
  const auto copies = std::make_shared<const RegexCopies>(
      raw.regex, options_for(key_case, raw.is_of_bytes ? RE2::Options::EncodingLatin1
                                                       : RE2::Options::EncodingUTF8));
  const RE2& compiled = copies->mine();
  if (!compiled.ok()) {
    throw UsageError(explain(compiled.error_code(), compiled.error_arg(), raw.regex));
  }
  if (raw.marks == 0) {
    return [copies](std::string_view subject) { return copies->match(subject); };
  }
  return [copies, marker = std::make_shared<const Marker>(raw)](std::string_view subject) {
    return copies->match(marker->marked(subject));
  };
}

// All code points one after the other: a run of members is a range.
std::vector<CodePointRange> ranges_of_class(const std::string& text) {
  std::string all;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!text::is_surrogate(c)) text::append_utf8(all, c);
  }
  const auto run = compile(text + "+", options_for(text::KeyCase::kept));
  std::vector<CodePointRange> ranges;
  const re2::StringPiece subject(all);
  re2::StringPiece found;
  std::size_t at = 0;
  while (run->ok() && run->Match(subject, at, all.size(), RE2::UNANCHORED, &found, 1)) {
    std::size_t first = static_cast<std::size_t>(found.data() - all.data());
    at = first + found.size();
    std::size_t last = at - 1;
    while (text::is_continuation(all[last])) --last;
    ranges.push_back({text::next_code_point(all, first), text::next_code_point(all, last)});
  }
  return ranges;
}

bool is_class(const std::string& text) {
  return compile(text, options_for(text::KeyCase::kept))->ok();
}

// `^TODO` becomes (?m:^TODO), which matches a block if it matches one of its lines. The reverse
// need not hold: the caller matches the lines one by one after a success.
LineFilter make_line_filter(std::string_view regex, text::KeyRules rules) {
  if (!text::is_utf8(regex) || is_bound_to_the_text(regex)) return {};
  RE2::Options options = options_for(rules.letter_case);
  options.set_never_nl(true);  // line breaks match no class
  const auto copies =
      std::make_shared<const RegexCopies>("(?m:" + normalised_regex(regex, rules) + ")", options);
  if (!copies->mine().ok()) return {};
  return [copies](std::string_view lines) { return copies->match(lines); };
}

std::unique_ptr<const Pattern> make_regex(std::string_view regex, text::KeyRules rules,
                                          const text::ValueSource& source, std::string_view typed) {
  auto pattern = std::make_unique<const RegexPattern>(regex, rules);
  const RE2& compiled = pattern->compiled();
  if (!compiled.ok()) {
    // A translated glob is valid but may be too large, which concerns all of it.
    const std::size_t place = typed == regex ? place_of_error(typed, compiled) : 0;
    text::fail_at(source, typed, place,
                  explain(compiled.error_code(), compiled.error_arg(), typed.substr(place)));
  }
  if (const auto place = second_group_of_a_name(typed == regex ? regex : std::string_view())) {
    text::fail_at(source, typed, *place, "is the name of another group");
  }
  return pattern;
}

}  // namespace ffind::query
