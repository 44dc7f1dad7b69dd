// SPDX-License-Identifier: MIT
// Regular expressions, run by RE2: linear in time, bounded in memory, shared by all threads. What
// is no more than a literal never gets here (plain_literal); what has a literal that every match
// contains is looked through for that first, at a twentieth of the price. The only file that
// includes RE2; it gets by with what the StringPiece of 2022 and absl's string_view share.
#include "query/regex.h"

#include <re2/re2.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/literal.h"
#include "query/regex_syntax.h"

namespace ffind {

namespace {

// RE2's own default. Reached only by expressions that are hostile or enormous, and then half of
// what a search may use altogether; \pL{1,500} fits.
constexpr int max_memory = 8 << 20;

enum class Letters { utf8, bytes };

std::unique_ptr<const RE2> compile(std::string_view regex, KeyCase key_case, Letters letters) {
  RE2::Options options;
  options.set_encoding(letters == Letters::utf8 ? RE2::Options::EncodingUTF8
                                                : RE2::Options::EncodingLatin1);
  options.set_case_sensitive(key_case == KeyCase::kept);
  options.set_log_errors(false);    // they become UsageErrors
  options.set_never_capture(true);  // nobody asks what a group matched
  options.set_dot_nl(true);         // a newline in a name is a character like any other
  options.set_max_mem(max_memory);
  return std::make_unique<const RE2>(re2::StringPiece(regex.data(), regex.size()), options);
}

bool looks_around(std::string_view group) {
  return group.starts_with("(?=") || group.starts_with("(?!") || group.starts_with("(?<=") ||
         group.starts_with("(?<!");
}

/// What RE2 says is wrong, in our words. `fragment` is what it says it about, `rest` the expression
/// from the place of the fault.
std::string explain(RE2::ErrorCode code, const std::string& fragment, std::string_view rest) {
  const std::string quoted = "'" + fragment + "' ";
  switch (code) {
    case RE2::ErrorBadEscape:
      if (fragment.size() == 2 && fragment[1] >= '1' && fragment[1] <= '9') {
        return quoted + "is a back-reference; RE2 expressions have none";
      }
      return quoted + "is no escape that RE2 knows";
    case RE2::ErrorBadCharClass:
      return quoted + "is no character class";
    case RE2::ErrorBadCharRange:
      return quoted + "is no range: it must run upwards";
    case RE2::ErrorMissingBracket:
      return "the class " + quoted + "is never closed by ']'";
    case RE2::ErrorMissingParen:
    case RE2::ErrorBadPerlOp:
      if (looks_around(rest)) return "is look-around, which RE2 expressions do not have";
      if (code == RE2::ErrorMissingParen) return "'(' is never closed by ')'";
      return quoted + "begins no group that RE2 knows; a named one is '(?P<name>...)'";
    case RE2::ErrorUnexpectedParen:
      return "')' closes nothing; write '\\)' for the character";
    case RE2::ErrorTrailingBackslash:
      return "ends in a lone '\\'; write '\\\\' for the character";
    case RE2::ErrorRepeatArgument:
      return quoted + "has nothing to repeat; write '\\" + fragment.substr(0, 1) +
             "' for the character (or use a glob)";
    case RE2::ErrorRepeatSize:
      return quoted + "is no repetition: 1000 at most, nested ones multiplied, the smaller first";
    case RE2::ErrorRepeatOp:
      return quoted + "repeats a repetition";
    case RE2::ErrorBadUTF8:
      return "is not UTF-8";
    case RE2::ErrorBadNamedCapture:
      if (looks_around(rest)) return "is look-around, which RE2 expressions do not have";
      return quoted + "is no name for a group";
    case RE2::ErrorPatternTooLarge:
      return "takes more than " + std::to_string(max_memory >> 20) +
             " MiB of memory; repeat less often";
    default:
      return quoted + "is not understood";
  }
}

/// Where the '(' stands that nothing closes.
std::size_t unclosed_group(std::string_view regex) {
  std::vector<std::size_t> positions;
  RegexScanner scanner(regex);
  while (const auto token = scanner.next()) {
    if (token->kind == RegexToken::Kind::group_open) positions.push_back(token->position);
    if (token->kind == RegexToken::Kind::group_close && !positions.empty()) positions.pop_back();
  }
  return positions.empty() ? 0 : positions.back();
}

/// Where in `regex` the fault is. RE2 tells what it stumbled over, not where, and the same text may
/// stand there harmlessly before: the first part of the expression with the same complaint ends in
/// the culprit.
std::size_t place_of_error(std::string_view regex, const RE2& failed, KeyCase key_case,
                           Letters letters) {
  const RE2::ErrorCode code = failed.error_code();
  if (code == RE2::ErrorMissingParen) return unclosed_group(regex);
  if (code == RE2::ErrorTrailingBackslash) return regex.size() - 1;
  if (code == RE2::ErrorPatternTooLarge) return 0;
  const std::string& fragment = failed.error_arg();
  const bool about_all = code == RE2::ErrorUnexpectedParen;  // then the fragment is everything
  std::size_t place = regex.find(fragment);
  // Beyond a thousand characters nobody counts to the caret, and this is quadratic.
  for (std::size_t size = 1; size <= regex.size() && regex.size() <= 1000; ++size) {
    const auto part = compile(regex.substr(0, size), key_case, letters);
    if (part->error_code() != code) continue;
    if (about_all) return size - 1;
    if (part->error_arg() != fragment) continue;
    if (regex.substr(0, size).ends_with(fragment)) place = size - fragment.size();
    break;
  }
  return place == std::string_view::npos ? 0 : place;
}

class RegexPattern final : public Pattern {
 public:
  /// `compiled` is null for an expression that is not UTF-8.
  RegexPattern(std::string_view regex, KeyCase key_case, std::unique_ptr<const RE2> compiled)
      : text_(regex), key_case_(key_case), utf8_regex_(std::move(compiled)) {
    if (utf8_regex_ == nullptr) return;
    const std::string normal = key_of(regex, KeyCase::kept);
    required_ = key_of(ffind::required_literal(normal), key_case_);
    ascii_can_match_ = is_ascii(required_);
    // A single byte is in too many names to pay for looking.
    if (ascii_can_match_ && required_.size() >= 2) finder_.emplace(required_, key_case_);
  }

  bool matches(std::string_view subject) const override {
    if (!is_ascii(subject)) return matches_slowly(subject);
    if (!ascii_can_match_ || (finder_ && !finder_->found_in(subject))) return false;
    return utf8_regex_ != nullptr && run(*utf8_regex_, subject);
  }

  int cost() const override { return finder_ ? 20 : 150; }
  std::string_view required_literal() const override { return required_; }
  bool ignores_case() const override { return key_case_ == KeyCase::folded; }

 private:
  static bool run(const RE2& regex, std::string_view subject) {
    const re2::StringPiece text(subject.data(), subject.size());
    return regex.Match(text, 0, subject.size(), RE2::UNANCHORED, nullptr, 0);
  }

  bool matches_slowly(std::string_view subject) const {
    if (!is_utf8(subject)) return matches_bytes(subject);
    if (utf8_regex_ == nullptr) return false;
    KeyScratch scratch;
    return run(*utf8_regex_, key_of(subject, KeyCase::kept, scratch));
  }

  /// Most searches never meet a name that is not UTF-8, so what it takes is made for the first.
  bool matches_bytes(std::string_view subject) const {
    std::call_once(bytes_once_, [this] {
      bytes_regex_ = compile(byte_regex(text_), key_case_, Letters::bytes);
    });
    // Not so with what bytes cannot say, a class up to U+4E2D: then no such name matches.
    return bytes_regex_->ok() && run(*bytes_regex_, subject);
  }

  std::string text_;  ///< as typed: bytes are matched by its bytes, not by their NFC
  KeyCase key_case_;
  std::unique_ptr<const RE2> utf8_regex_;
  std::string required_;
  bool ascii_can_match_ = true;
  std::optional<AsciiFinder> finder_;
  mutable std::once_flag bytes_once_;
  mutable std::unique_ptr<const RE2> bytes_regex_;
};

}  // namespace

std::unique_ptr<const Pattern> make_regex(std::string_view regex, KeyCase key_case,
                                          const ValueSource& source, std::string_view typed) {
  // Subjects are held against it in NFC, so its own letters must be.
  const Letters letters = is_utf8(regex) ? Letters::utf8 : Letters::bytes;
  const std::string text =
      letters == Letters::utf8 ? key_of(regex, KeyCase::kept) : std::string(regex);
  auto compiled = compile(text, key_case, letters);
  if (!compiled->ok()) {
    const bool verbatim = typed == text;
    const std::size_t place = verbatim ? place_of_error(text, *compiled, key_case, letters) : 0;
    const std::string_view rest = std::string_view(text).substr(place);
    fail_at(source, typed, place, explain(compiled->error_code(), compiled->error_arg(), rest));
  }
  if (letters == Letters::bytes) compiled = nullptr;  // compiled again when such a name is met
  return std::make_unique<RegexPattern>(regex, key_case, std::move(compiled));
}

}  // namespace ffind
