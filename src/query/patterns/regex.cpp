// SPDX-License-Identifier: MIT
// Regular expressions, matched by RE2: linear in time, bounded in memory, shared by all threads.
// The only file that includes RE2. It uses only what the StringPiece of 2022 and absl's string_view
// have in common.
//
//     RegexPattern   first searches a subject for the literal that every match contains, at a
//                    tenth of the cost of RE2; then matches the subject, its key, or its bytes as
//                    characters
//     LineFilter     one match over many lines, for contents
//     RegexCopies    the compiled expression, in up to four copies, so that threads do not contend
//     Rewriter       byte_regex: the expression for subjects that are not UTF-8
//
// RE2 reports errors by a code and the offending text; explain words them, and place_of_error finds
// the position by compiling beginnings of the expression.
//
// A subject takes one of three ways, each of which RE2 sees as valid UTF-8:
//
//     subject        text that RE2 gets                   expression
//     ASCII          the subject                          normal_, the expression in NFC
//     UTF-8          its key, with case kept              normal_; RE2 folds case itself
//     other bytes    as_characters(subject)               byte_regex, with folding written out

#include <re2/re2.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <iterator>
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
RE2::Options options_for(text::KeyCase key_case) {
  RE2::Options options;
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

/// Returns a message for an error of RE2. `fragment` is the text that RE2 reports, `rest` the
/// expression from the place of the error on.
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

/// Position of the unclosed '(', the innermost one if there are several; 0 if none is found.
std::size_t unclosed_group(std::string_view regex) {
  std::vector<std::size_t> positions;
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.kind == RegexToken::Kind::group_open) positions.push_back(token.position);
    if (token.kind == RegexToken::Kind::group_close && !positions.empty()) positions.pop_back();
  }
  return positions.empty() ? 0 : positions.back();
}

/// Positions at which `regex` may be cut. Parts of tokens mean something else: \x of \x41 is an
/// error.
std::vector<std::size_t> ends_of_tokens(std::string_view regex) {
  std::vector<std::size_t> ends;
  for (const RegexToken& token : tokens_of(regex)) {
    const std::size_t end = token.position + token.written.size();
    // An invalid escape may end inside of a character: \pü.
    const bool inside = end < regex.size() && text::is_continuation(regex[end]);
    if (!inside) ends.push_back(end);
  }
  return ends;
}

/// Position of the error in `regex`. RE2 reports the offending text but not its position, and the
/// same text may occur earlier without being an error. It parses from left to right and stops at
/// the first error, so the shortest beginning of `regex` with the same error ends with the
/// offending text.
std::size_t place_of_error(std::string_view regex, const RE2& failed, RE2::Options options) {
  const RE2::ErrorCode code = failed.error_code();
  if (code == RE2::ErrorMissingParen) return unclosed_group(regex);
  if (code == RE2::ErrorTrailingBackslash) return regex.size() - 1;
  if (code == RE2::ErrorPatternTooLarge) return 0;
  const std::string& fragment = failed.error_arg();
  const bool about_all = code == RE2::ErrorUnexpectedParen;  // the fragment is the whole regex
  // Only the syntax matters. With this limit RE2 gives up after parsing, before it builds a
  // program.
  options.set_max_mem(1000);
  const std::vector<std::size_t> ends = ends_of_tokens(regex);
  // A beginning that has the error keeps it however much follows, so a binary search finds the
  // shortest one, with about a dozen compilations for an expression of thousands of tokens.
  //
  //     beginnings of a+b**c   a   a+   a+b   a+b*   a+b**   a+b**c
  //     error                  -   -    -     -      **      **        a+b** ends with **, at 3
  const auto with = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    const auto part = compile(regex.substr(0, end), options);
    return part->error_code() != code || (!about_all && part->error_arg() != fragment);
  });
  if (about_all) return (with == ends.end() ? regex.size() : *with) - 1;
  // The fragment ends after the longest beginning without the error.
  const std::size_t after = with == ends.begin() ? 1 : with[-1] + 1;
  const std::size_t place = regex.find(fragment, after - std::min(after, fragment.size()));
  return place == std::string_view::npos ? 0 : place;
}

/// Copies of a compiled expression. An RE2 may be shared, but it takes a lock for each match, and
/// its cache line moves between the processors of two threads: 46 ns became 88. With four copies up
/// to four threads share nothing; eight of max_memory would be all the 16 MiB that a search may
/// use. Thread-safe.
class RegexCopies {
 public:
  RegexCopies(std::string_view regex, const RE2::Options& options)
      : regex_(regex), options_(options) {}

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

/// The expression to match against keys: in NFC, and without accents if those are ignored. One that
/// is not UTF-8 matches no key; it is only compiled to detect errors.
std::string normalised_regex(std::string_view regex, bool utf8, text::KeyRules rules) {
  if (!utf8) return as_characters(regex);
  const std::string normal = text::key_of(regex_with_letters_spelt_out(regex), text::KeyCase::kept);
  return rules.without_accents ? regex_without_accents(normal) : normal;
}

/// An unanchored regular expression. An invalid one can be constructed; make_regex then throws,
/// with the error that compiled() carries. Cheap filters come before RE2:
///
///     required_       longest text that every match contains, as a key
///     finder_         searches ASCII subjects for it
///     filter_         searches all others for its spellings
class RegexPattern final : public Pattern {
 public:
  RegexPattern(std::string_view regex, text::KeyRules rules)
      : rules_(rules),
        utf8_(text::is_utf8(regex)),
        normal_(normalised_regex(regex, utf8_, rules)),
        copies_(normal_, options_for(rules.letter_case)),
        // Not normalised: bytes match only bytes as typed.
        byte_copies_(byte_regex(regex, rules.letter_case), options_for(text::KeyCase::kept)) {
    // An expression that is not UTF-8 matches no key, so there is no literal to search for, and the
    // filters admit everything.
    if (!utf8_) return;
    required_ = text::key_of(query::required_literal(normal_), rules_);
    ascii_can_match_ = text::is_ascii(required_);
    filter_ = LiteralFilter(required_, rules_);
    // A single byte occurs in too many names to be worth searching for.
    if (ascii_can_match_ && required_.size() >= 2) finder_.emplace(required_, rules_.letter_case);
  }

  /// The expression for subjects in UTF-8, as text and compiled.
  const std::string& normal() const { return normal_; }
  const RE2& compiled() const { return copies_.mine(); }

  bool matches(std::string_view subject) const override {
    if (!text::is_ascii(subject)) return matches_slowly(subject);
    if (!ascii_can_match_ || (finder_ && !finder_->found_in(subject))) return false;
    return utf8_ && copies_.match(subject);
  }

  /// Matches `part` between its neighbours, so that \b and ^ see them. The key of `part` alone is
  /// computed: a neighbour is one byte, which may be a part of a character.
  bool matches_part(std::string_view before, std::string_view part,
                    std::string_view after) const override {
    const bool ascii = text::is_ascii(part);
    const bool may_match =
        ascii ? ascii_can_match_ && (!finder_ || finder_->found_in(part)) : filter_.allows(part);
    const bool as_text = ascii || text::is_utf8(part);
    if (!may_match || (as_text && !utf8_)) return false;
    const auto beside = [as_text](std::string_view text) {
      return as_text ? std::string(text) : as_characters(text);
    };
    std::string text = beside(before);
    const std::size_t begin = text.size();
    if (as_text) {
      text::KeyScratch scratch;
      text += text::key_of(part, {text::KeyCase::kept, rules_.without_accents}, scratch);
    } else {
      text += as_characters(part);
    }
    const std::size_t end = text.size();
    text += beside(after);
    return (as_text ? copies_ : byte_copies_).match(text, begin, end);
  }

  int cost() const override { return finder_ ? 15 : 60; }
  std::string_view required_literal() const override { return required_; }
  bool ignores_case() const override { return rules_.folds(); }
  bool ignores_diacritics() const override { return rules_.without_accents; }

 private:
  /// `subject` is not ASCII.
  bool matches_slowly(std::string_view subject) const {
    if (!filter_.allows(subject)) return false;
    if (!text::is_utf8(subject)) return byte_copies_.match(as_characters(subject));
    if (!utf8_) return false;
    text::KeyScratch scratch;
    // RE2 folds case itself.
    return copies_.match(
        text::key_of(subject, {text::KeyCase::kept, rules_.without_accents}, scratch));
  }

  text::KeyRules rules_;
  bool utf8_;  ///< the expression is UTF-8
  /// The expression for keys, and for ASCII. Errors are found in this one.
  std::string normal_;
  RegexCopies copies_;
  RegexCopies byte_copies_;
  /// Empty if there is none, or the expression is not UTF-8.
  std::string required_;
  /// False if required_ has a character outside ASCII.
  bool ascii_can_match_ = true;
  /// Only if required_ is ASCII and at least two bytes.
  std::optional<AsciiFinder> finder_;
  LiteralFilter filter_{{}, text::KeyCase::kept};
};

/// Matches many lines at once, each as a text of its own, as well as one expression can.
class LineFilter final : public Pattern {
 public:
  LineFilter(std::string_view regex, text::KeyRules rules)
      : rules_(rules), copies_(regex, line_options(rules.letter_case)) {}

  bool usable() const { return copies_.mine().ok(); }
  bool matches(std::string_view lines) const override { return copies_.match(lines); }
  int cost() const override { return 60; }
  std::string_view required_literal() const override { return {}; }
  bool ignores_case() const override { return rules_.folds(); }
  bool ignores_diacritics() const override { return rules_.without_accents; }

 private:
  static RE2::Options line_options(text::KeyCase key_case) {
    RE2::Options options = options_for(key_case);
    options.set_never_nl(true);  // line breaks match no class
    return options;
  }

  text::KeyRules rules_;
  RegexCopies copies_;
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

}  // namespace

// `^TODO` becomes (?m:^TODO), which matches a block if it matches one of its lines. The reverse
// need not hold: the caller matches the lines one by one after a success.
std::unique_ptr<const Pattern> make_line_filter(std::string_view regex, text::KeyRules rules) {
  if (!text::is_utf8(regex) || is_bound_to_the_text(regex)) return nullptr;
  auto filter =
      std::make_unique<LineFilter>("(?m:" + normalised_regex(regex, true, rules) + ")", rules);
  if (!filter->usable()) return nullptr;
  return filter;
}

std::unique_ptr<const Pattern> make_regex(std::string_view regex, text::KeyRules rules,
                                          const text::ValueSource& source, std::string_view typed) {
  auto pattern = std::make_unique<const RegexPattern>(regex, rules);
  const RE2& compiled = pattern->compiled();
  if (!compiled.ok()) {
    const std::string_view normal = pattern->normal();
    const std::size_t place = place_of_error(normal, compiled, compiled.options());
    const bool utf8 = text::is_utf8(regex);
    const std::string& culprit = compiled.error_arg();
    const std::string what =
        explain(compiled.error_code(), utf8 ? culprit : as_bytes(culprit), normal.substr(place));
    // The place of the error is one in `normal`. It has to be converted if normalisation changed
    // the expression, and means nothing to a glob.
    // A translated glob is valid but may be too large, which concerns all of it.
    if (typed != regex) text::fail_at(source, typed, 0, what);
    if (typed == normal) text::fail_at(source, typed, place, what);
    const auto normalise = [utf8, rules](std::string_view part) {
      return normalised_regex(part, utf8, rules);
    };
    text::fail_at(source, typed, place_in_typed(typed, ends_of_tokens(typed), place, normalise),
                  what);
  }
  if (const auto place = second_group_of_a_name(typed == regex ? regex : std::string_view())) {
    text::fail_at(source, typed, *place, "is the name of another group");
  }
  return pattern;
}

namespace {

/// Code point for byte 0 of those that are not part of a character; byte B is first_byte + B. This
/// plane is the least likely to be assigned, so no text contains these, and no class except negated
/// ones and ranges across planes.
constexpr char32_t first_byte = 0xDFF00;

using Kind = RegexToken::Kind;

/// Implements byte_regex, token by token. B(xx) is the code point for byte xx:
///
///     ignoring case   (?i-s:a)   \xE9         [a-c]        \pL     \p{Lu}         \C        \Q.\E
///     kept            (?-s:[aA]) [éB(E9)]     [a-c]        \pL     \p{Lu}         (?s:.)    \x2E
///     folded          (?-s:[aA]) [éB(E9)]     [a-cA-C]     \pL     (?i:\p{Lu})    (?s:.)    \x2E
///
/// Case is folded by this class and not by RE2, because in bytes only ASCII letters have cases: RE2
/// would also make é equal to É.
class Rewriter {
 public:
  Rewriter(std::string_view regex, text::KeyCase key_case)
      : folding_(key_case == text::KeyCase::folded), tokens_(tokens_of(regex)) {}

  /// Returns the rewritten expression. Call once.
  std::string rewrite() {
    for (std::size_t i = 0; i < tokens_.size();) i = rewrite(i);
    return std::move(text_);
  }

 private:
  /// Rewrites the element that begins at token `i`; returns the index of the token after it.
  std::size_t rewrite(std::size_t i) {
    const RegexToken& token = tokens_[i];
    switch (token.kind) {
      case Kind::quote:
        break;
      case Kind::letter:
        write_letter(token);
        break;
      case Kind::class_open:
        return rewrite_class(i);
      case Kind::set:
        write_set(token);
        break;
      case Kind::group_open:
        outer_.push_back(folding_);
        write_flags(token);
        break;
      case Kind::flags:
        write_flags(token);
        break;
      case Kind::group_close:
        if (!outer_.empty()) {
          folding_ = outer_.back();
          outer_.pop_back();
        }
        text_ += ')';
        break;
      default:
        text_ += token.written;
    }
    return i + 1;
  }

  /// Writes a letter, a class of its two cases, or a class of letter and byte. Quotes are not
  /// copied, so punctuation between them is written by number.
  void write_letter(const RegexToken& token) {
    const char32_t letter = token.letter;
    const bool is_byte = token.may_be_byte();
    const auto other = other_case(letter);
    if (is_byte || (folding_ && other)) {
      text_ += '[';
      text::append_utf8(text_, letter);
      text::append_utf8(text_, is_byte ? first_byte + letter : *other);
      text_ += ']';
    } else if (token.quoted && letter < 0x80) {
      char number[8];
      std::snprintf(number, sizeof number, "\\x%02X", static_cast<unsigned>(letter));
      text_ += number;
    } else {
      text_ += token.written;
    }
  }

  /// The other case of an ASCII letter; nullopt for anything else.
  static std::optional<char32_t> other_case(char32_t letter) {
    if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) return letter ^ 0x20U;
    return {};
  }

  void write_set(const RegexToken& token) {
    if (token.written == "\\C") {
      text_ += "(?s:.)";
    } else if (folding_ && asks_for_case(token)) {
      text_.append("(?i:").append(token.written).append(")");
    } else {
      text_ += token.written;
    }
  }

  static bool asks_for_case(const RegexToken& token) {
    if (token.kind != Kind::set) return false;
    constexpr std::string_view names[] = {"Lu", "Ll", "Lt", "upper", "lower"};
    return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
      return token.written.find(name) != std::string_view::npos;
    });
  }

  /// Writes flags without `i`, which is implemented by folding_.
  void write_flags(const RegexToken& token) {
    const std::string_view all = token.written;
    const bool has_flags = all.size() > 2 && all[1] == '?' && all[2] != 'P' && all[2] != '<';
    if (!has_flags) {
      text_ += all;
      return;
    }
    std::string set;
    std::string cleared;
    bool clears = false;
    for (const char flag : all.substr(2, all.size() - 3)) {
      if (flag == '-') {
        clears = true;
      } else if (flag == 'i') {
        folding_ = !clears;
      } else {
        (clears ? cleared : set) += flag;
      }
    }
    if (!cleared.empty()) set += '-' + cleared;
    if (token.kind == Kind::flags && set.empty()) return;
    text_.append("(?").append(set).append(1, all.back());
  }

  /// Rewrites the class that opens at token `open`; returns the index of the token after it. A
  /// class that depends on case, such as [\p{Lu}x], is folded by RE2 as a whole.
  std::size_t rewrite_class(std::size_t open) {
    std::size_t close = open + 1;
    bool by_case = false;
    for (; close < tokens_.size() && tokens_[close].kind != Kind::class_close; ++close) {
      by_case = by_case || asks_for_case(tokens_[close]);
    }
    by_case = by_case && folding_;
    if (by_case) text_ += "(?i:";
    text_ += tokens_[open].written;
    for (std::size_t i = open + 1; i < close; ++i) {
      const RegexToken& first = tokens_[i];
      if (first.kind != Kind::letter) {
        text_ += first.written;
        continue;
      }
      // The scanner has no token for ranges: letter, -, letter is one.
      const bool is_range =
          i + 2 < close && tokens_[i + 1].written == "-" && tokens_[i + 2].kind == Kind::letter;
      if (is_range) i += 2;
      write_range(first, tokens_[i]);
    }
    text_ += by_case ? "])" : "]";
    return std::min(close + 1, tokens_.size());
  }

  /// Writes a range of letters as members of a class.
  void write_range(const RegexToken& first, const RegexToken& last) {
    const bool is_single = first.position == last.position;
    text_ += first.written == "-" ? "\\-" : first.written;
    if (!is_single) text_.append("-").append(last.written == "-" ? "\\-" : last.written);
    if (first.may_be_byte() || last.may_be_byte()) {
      write_span(std::max<char32_t>(first.letter, 0x80), std::min<char32_t>(last.letter, 0xFF),
                 [](char32_t byte) { return first_byte + byte; });
    }
    if (!folding_) return;
    const auto in_other_case = [](char32_t letter) { return letter ^ 0x20U; };
    // The part of the range within each case, in the other one: [X-c] covers x to z and A to C as
    // well.
    for (const char32_t a : {U'a', U'A'}) {
      write_span(std::max(first.letter, a), std::min<char32_t>(last.letter, a + 25), in_other_case);
    }
  }

  /// Writes the range from `first` to `last` under `map`, or nothing if it is empty.
  template <typename Map>
  void write_span(char32_t first, char32_t last, Map map) {
    if (first > last) return;
    text::append_utf8(text_, map(first));
    text_ += '-';
    text::append_utf8(text_, map(last));
  }

  bool folding_;
  std::vector<bool> outer_;  ///< folding_ outside of each open group
  std::vector<RegexToken> tokens_;
  std::string text_;
};

}  // namespace

// "caf\xE9" is c, a, f and U+DFFE9; "\xC3\xA9", a valid é, stays as it is.
std::string as_characters(std::string_view bytes) {
  std::string characters;
  characters.reserve(bytes.size() + 16);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t begin = at;
    while (at < bytes.size() && static_cast<signed char>(bytes[at]) >= 0) ++at;
    if (at > begin) {
      characters += bytes.substr(begin, at - begin);
    } else if (text::checked_code_point(bytes, at) == text::no_code_point) {
      text::append_utf8(characters, first_byte + static_cast<unsigned char>(bytes[at++]));
    } else {
      characters += bytes.substr(begin, at - begin);
    }
  }
  return characters;
}

std::string as_bytes(std::string_view characters) {
  std::string bytes;
  for (std::size_t at = 0; at < characters.size();) {
    const std::size_t begin = at;
    const char32_t letter = text::next_code_point(characters, at);
    if (letter >= first_byte + 0x80 && letter <= first_byte + 0xFF) {
      bytes += static_cast<char>(letter - first_byte);
    } else {
      bytes += characters.substr(begin, at - begin);
    }
  }
  return bytes;
}

std::string byte_regex(std::string_view regex, text::KeyCase key_case) {
  if (text::is_utf8(regex)) return Rewriter(regex, key_case).rewrite();
  return Rewriter(as_characters(regex), key_case).rewrite();
}

}  // namespace ffind::query
