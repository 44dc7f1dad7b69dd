// SPDX-License-Identifier: MIT
// Regular expressions, run by RE2: linear in time, bounded in memory, shared by all threads. What
// is no more than a literal never gets here (plain_literal); what has a literal that every match
// contains is looked through for that first, at a tenth of the price. The only file that
// includes RE2; it gets by with what the StringPiece of 2022 and absl's string_view share.
#include "query/patterns/regex.h"

#include <re2/re2.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/patterns/byte_regex.h"
#include "query/patterns/literal.h"
#include "query/patterns/literal_filter.h"
#include "query/patterns/regex_syntax.h"
#include "query/patterns/regex_tokens.h"
#include "query/patterns/typed_place.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

// Of each copy. An expression made to fill it takes a process with 16 threads to 15 MiB, of the 16
// that a search may use; with 4 MiB it took 26, and a single copy with RE2's default of 8 took 41.
// \pL{1,100} still fits, but RE2 needs 19 MiB for a moment to compile it.
constexpr int max_memory = 2 << 20;

RE2::Options options_for(text::KeyCase key_case) {
  RE2::Options options;
  options.set_case_sensitive(key_case == text::KeyCase::kept);
  options.set_log_errors(false);    // they become UsageErrors
  options.set_never_capture(true);  // nobody asks what a group matched
  options.set_dot_nl(true);         // a newline in a name is a character like any other
  options.set_max_mem(max_memory);
  return options;
}

std::unique_ptr<const RE2> compile(std::string_view regex, const RE2::Options& options) {
  return std::make_unique<const RE2>(re2::StringPiece(regex.data(), regex.size()), options);
}

bool looks_around(std::string_view group) {
  return group.starts_with("(?=") || group.starts_with("(?!") || group.starts_with("(?<=") ||
         group.starts_with("(?<!");
}

/// RE2 takes a class that it does not know for a range.
bool names_class(std::string_view fragment) {
  return fragment.starts_with("\\p") || fragment.starts_with("\\P") || fragment.starts_with("[:");
}

/// What RE2 says is wrong, in our words. `fragment` is what it says it about, `rest` the expression
/// from the place of the fault.
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

/// Where the unclosed '(' is.
std::size_t unclosed_group(std::string_view regex) {
  std::vector<std::size_t> positions;
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.kind == RegexToken::Kind::group_open) positions.push_back(token.position);
    if (token.kind == RegexToken::Kind::group_close && !positions.empty()) positions.pop_back();
  }
  return positions.empty() ? 0 : positions.back();
}

/// Where `regex` may be cut: half a token says something else, \x of \x41 what a faulty \x does.
std::vector<std::size_t> ends_of_tokens(std::string_view regex) {
  std::vector<std::size_t> ends;
  for (const RegexToken& token : tokens_of(regex)) {
    const std::size_t end = token.position + token.written.size();
    // An escape ends in the middle of a letter that it cannot have: \pü.
    const bool inside = end < regex.size() && text::is_continuation(regex[end]);
    if (!inside) ends.push_back(end);
  }
  return ends;
}

/// Where in `regex` the fault is. RE2 reports what it stumbled over, not where, and the same text
/// may occur harmlessly before it. It reads from left to right and stops at the first fault, so
/// what begins like `regex` has the same fault as soon as it holds the culprit, which then is its
/// end.
std::size_t place_of_error(std::string_view regex, const RE2& failed, RE2::Options options) {
  const RE2::ErrorCode code = failed.error_code();
  if (code == RE2::ErrorMissingParen) return unclosed_group(regex);
  if (code == RE2::ErrorTrailingBackslash) return regex.size() - 1;
  if (code == RE2::ErrorPatternTooLarge) return 0;
  const std::string& fragment = failed.error_arg();
  const bool about_all = code == RE2::ErrorUnexpectedParen;  // then the fragment is everything
  // Only the syntax matters: what RE2 can read is too large at once, before any program is built.
  options.set_max_mem(1000);
  const std::vector<std::size_t> ends = ends_of_tokens(regex);
  const auto with = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    const auto part = compile(regex.substr(0, end), options);
    return part->error_code() != code || (!about_all && part->error_arg() != fragment);
  });
  if (about_all) return (with == ends.end() ? regex.size() : *with) - 1;
  // The culprit ends behind what has no fault yet.
  const std::size_t behind = with == ends.begin() ? 1 : with[-1] + 1;
  const std::size_t place = regex.find(fragment, behind - std::min(behind, fragment.size()));
  return place == std::string_view::npos ? 0 : place;
}

/// Copies of one expression. RE2 may be shared, but takes a lock for each match, and two threads
/// pass its cache line to and fro: 46 ns became 88. Four, so that up to four threads share nothing;
/// eight of max_memory would be all the 16 MiB that a search may use. Thread-safe.
class RegexCopies {
 public:
  RegexCopies(std::string_view regex, const RE2::Options& options)
      : regex_(regex), options_(options) {}

  /// The copy of the thread that asks; made when it first does.
  const RE2& mine() const {
    // mutable: threads are counted as they come, once each, so that they go round the copies; a
    // hash of their ids would put two of four on one copy nine times in ten.
    static std::atomic<std::size_t> threads{0};
    static thread_local const std::size_t number = threads++;
    Copy& copy = copies_[number % std::size(copies_)];
    std::call_once(copy.once, [&] { copy.regex = compile(regex_, options_); });
    return *copy.regex;
  }

  bool match(std::string_view subject) const { return match(subject, 0, subject.size()); }

  /// In the part from `begin` to `end`: what is beside it says whether a line or a word ends there.
  bool match(std::string_view subject, std::size_t begin, std::size_t end) const {
    const RE2& regex = mine();
    const re2::StringPiece text(subject.data(), subject.size());
    return regex.ok() && regex.Match(text, begin, end, RE2::UNANCHORED, nullptr, 0);
  }

 private:
  struct Copy {
    std::once_flag once;
    std::unique_ptr<const RE2> regex;
  };

  std::string regex_;
  RE2::Options options_;
  mutable Copy copies_[4];
};

/// What is matched against keys: the expression in NFC, without accents if those are ignored. What
/// is not UTF-8 is matched against none, only read by RE2.
std::string normalised_regex(std::string_view regex, bool utf8, text::KeyRules rules) {
  if (!utf8) return as_characters(regex);
  const std::string normal = text::key_of(regex_with_letters_spelt_out(regex), text::KeyCase::kept);
  return rules.without_accents ? regex_without_accents(normal) : normal;
}

class RegexPattern final : public Pattern {
 public:
  RegexPattern(std::string_view regex, text::KeyRules rules)
      : rules_(rules),
        utf8_(text::is_utf8(regex)),
        normal_(normalised_regex(regex, utf8_, rules)),
        copies_(normal_, options_for(rules.letter_case)),
        // As typed: bytes are matched by its bytes, not by their NFC.
        byte_copies_(byte_regex(regex, rules.letter_case), options_for(text::KeyCase::kept)) {
    if (!utf8_) return;
    required_ = text::key_of(query::required_literal(normal_), rules_);
    ascii_can_match_ = text::is_ascii(required_);
    filter_ = LiteralFilter(required_, rules_);
    // A single byte is in too many names to pay for looking.
    if (ascii_can_match_ && required_.size() >= 2) finder_.emplace(required_, rules_.letter_case);
  }

  /// What is matched against subjects in UTF-8, as text and compiled.
  const std::string& normal() const { return normal_; }
  const RE2& compiled() const { return copies_.mine(); }

  bool matches(std::string_view subject) const override {
    if (!text::is_ascii(subject)) return matches_slowly(subject);
    if (!ascii_can_match_ || (finder_ && !finder_->found_in(subject))) return false;
    return utf8_ && copies_.match(subject);
  }

  bool matches_part(std::string_view before, std::string_view part,
                    std::string_view behind) const override {
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
    text += beside(behind);
    return (as_text ? copies_ : byte_copies_).match(text, begin, end);
  }

  int cost() const override { return finder_ ? 15 : 60; }
  std::string_view required_literal() const override { return required_; }
  bool ignores_case() const override { return rules_.folds(); }
  bool ignores_diacritics() const override { return rules_.without_accents; }

 private:
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
  bool utf8_;  ///< the expression itself is
  std::string normal_;
  RegexCopies copies_;
  RegexCopies byte_copies_;
  std::string required_;
  bool ascii_can_match_ = true;
  std::optional<AsciiFinder> finder_;
  LiteralFilter filter_{{}, text::KeyCase::kept};
};

/// Takes each line for a text of its own, as far as one expression can.
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
    options.set_never_nl(true);  // what a class holds beside line breaks
    return options;
  }

  text::KeyRules rules_;
  RegexCopies copies_;
};

/// Whether ^ and $ at lines instead of at the text would miss what `regex` matches.
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
    // A glob can only be too large, which concerns all of it.
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

}  // namespace ffind::query
