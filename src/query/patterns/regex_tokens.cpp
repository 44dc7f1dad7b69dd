// SPDX-License-Identifier: MIT
// Reads RE2's syntax (https://github.com/google/re2/wiki/Syntax) from left to right. What it does
// not know it calls unknown.
#include "query/patterns/regex_tokens.h"

#include <algorithm>
#include <optional>

#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::query {
namespace {

using Kind = RegexToken::Kind;

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

class RegexScanner {
 public:
  explicit RegexScanner(std::string_view regex) : regex_(regex) {}
  /// The next token; nothing at the end.
  std::optional<RegexToken> next();

 private:
  bool rest_starts_with(std::string_view text) const;
  char32_t take();
  void scan(RegexToken& token);
  void scan_class(RegexToken& token);
  void scan_group(RegexToken& token);
  void scan_escape(RegexToken& token);
  void scan_number_escape(char32_t first, RegexToken& token);
  bool scan_braces(RegexToken& token);
  std::optional<unsigned> scan_integer();

  std::string_view regex_;
  std::size_t position_ = 0;
  bool in_class_ = false;
  bool class_begins_ = false;  ///< a ] here is a letter
  bool quoted_ = false;
};

std::optional<RegexToken> RegexScanner::next() {
  if (position_ >= regex_.size()) return std::nullopt;
  RegexToken token;
  token.position = position_;
  token.in_class = in_class_;
  if (quoted_ && !rest_starts_with("\\E")) {
    token.kind = Kind::letter;
    token.quoted = true;
    token.letter = take();
  } else if (quoted_) {
    token.kind = Kind::quote;
    quoted_ = false;
    position_ += 2;
  } else if (in_class_) {
    scan_class(token);
  } else {
    scan(token);
  }
  token.written = regex_.substr(token.position, position_ - token.position);
  return token;
}

bool RegexScanner::rest_starts_with(std::string_view text) const {
  return regex_.substr(position_).starts_with(text);
}

char32_t RegexScanner::take() {
  const char32_t c = text::checked_code_point(regex_, position_);
  if (c != text::no_code_point) return c;
  return static_cast<unsigned char>(regex_[position_++]);
}

void RegexScanner::scan(RegexToken& token) {
  if (rest_starts_with("(")) return scan_group(token);
  if (rest_starts_with("{") && scan_braces(token)) return;
  const char32_t c = take();
  switch (c) {
    case '\\':
      return scan_escape(token);
    case '[':
      token.kind = Kind::class_open;
      if (rest_starts_with("^")) ++position_;
      in_class_ = class_begins_ = true;
      return;
    case ')':
      token.kind = Kind::group_close;
      return;
    case '|':
      token.kind = Kind::alternation;
      return;
    case '^':
      token.kind = Kind::text_begin;
      return;
    case '$':
      token.kind = Kind::text_end;
      return;
    case '.':
      token.kind = Kind::dot;
      return;
    case '*':
    case '+':
    case '?':
      token.kind = Kind::repeat;
      token.optional = c != '+';
      token.unbounded = c != '?';
      if (rest_starts_with("?")) ++position_;
      return;
    default:
      token.kind = Kind::letter;
      token.letter = c;
  }
}

void RegexScanner::scan_class(RegexToken& token) {
  const bool begins = class_begins_;
  class_begins_ = false;
  if (rest_starts_with("]") && !begins) {
    ++position_;
    in_class_ = false;
    token.kind = Kind::class_close;
    return;
  }
  if (rest_starts_with("[:")) {
    const std::size_t end = regex_.find(":]", position_ + 2);
    if (end != std::string_view::npos) {
      position_ = end + 2;
      token.kind = Kind::set;
      return;
    }
  }
  const char32_t c = take();
  if (c == '\\') return scan_escape(token);
  token.kind = Kind::letter;
  token.letter = c;
}

void RegexScanner::scan_group(RegexToken& token) {
  ++position_;
  token.kind = Kind::group_open;
  if (!rest_starts_with("?")) return;
  ++position_;
  if (rest_starts_with("P<") || rest_starts_with("<")) {
    const std::size_t end = regex_.find('>', position_);
    position_ = end == std::string_view::npos ? regex_.size() : end + 1;
    return;
  }
  position_ = std::min(regex_.find_first_not_of("imsU-", position_), regex_.size());
  if (rest_starts_with(")")) token.kind = Kind::flags;
  if (rest_starts_with(")") || rest_starts_with(":")) ++position_;
}

void RegexScanner::scan_escape(RegexToken& token) {
  token.kind = Kind::unknown;
  if (position_ == regex_.size()) return;
  const char32_t c = take();
  const auto is_one_of = [c](std::u32string_view set) {
    return set.find(c) != std::u32string_view::npos;
  };
  if (c == 'Q' && !in_class_) {
    token.kind = Kind::quote;
    quoted_ = true;
  } else if (c == 'p' || c == 'P') {
    token.kind = Kind::set;
    const std::size_t end = rest_starts_with("{") ? regex_.find('}', position_) : position_;
    position_ = end >= regex_.size() ? regex_.size() : end + 1;
  } else if (is_one_of(U"dDsSwWC")) {
    token.kind = Kind::set;
  } else if (is_one_of(U"bB")) {
    token.kind = Kind::boundary;
  } else if (c == 'A') {
    token.kind = Kind::text_begin;
  } else if (c == 'z') {
    token.kind = Kind::text_end;
  } else if (is_one_of(U"x01234567")) {
    scan_number_escape(c, token);
  } else if (const std::size_t i = std::string_view("afnrtv").find(static_cast<char>(c));
             c < 0x80 && i != std::string_view::npos) {
    token.kind = Kind::letter;
    token.letter = static_cast<unsigned char>("\a\f\n\r\t\v"[i]);
  } else if (c < 0x80 &&
             std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~").find(static_cast<char>(c)) !=
                 std::string_view::npos) {
    token.kind = Kind::letter;
    token.letter = c;
  }
}

/// \x41, \x{1F600}, \101; a single digit would be a back-reference, which RE2 does not know.
void RegexScanner::scan_number_escape(char32_t first, RegexToken& token) {
  const auto digit = [this](std::size_t i) {
    return position_ + i < regex_.size() ? regex_[position_ + i] : '\0';
  };
  char32_t number = 0;
  if (first != 'x') {
    if (first != '0' && !is_octal(digit(0))) return;
    number = first - '0';
    for (int i = 0; i < 2 && is_octal(digit(0)); ++i) {
      number = number * 8 + static_cast<char32_t>(regex_[position_++] - '0');
    }
  } else {
    const bool braces = digit(0) == '{';
    if (braces) ++position_;
    std::size_t digits = 0;
    for (; number <= 0x10FFFF && (braces || digits < 2) && text::hex_value(digit(0)); ++digits) {
      number = number * 16 + *text::hex_value(regex_[position_++]);
    }
    if (braces ? digit(0) != '}' || digits == 0 : digits != 2) return;
    if (braces) ++position_;
  }
  if (!text::is_encodable(number)) return;
  token.kind = Kind::letter;
  token.escaped = true;
  token.letter = number;
}

/// {2} {2,} {2,3}. Anything else in braces, {,3} too, is text that begins with a brace.
bool RegexScanner::scan_braces(RegexToken& token) {
  const std::size_t start = position_++;
  const auto least = scan_integer();
  bool complete = least.has_value();
  if (complete && rest_starts_with(",")) {
    ++position_;
    token.unbounded = rest_starts_with("}");
    complete = token.unbounded || scan_integer().has_value();
  }
  if (!complete || !rest_starts_with("}")) {
    token.unbounded = false;
    position_ = start;
    return false;
  }
  ++position_;
  if (rest_starts_with("?")) ++position_;
  token.kind = Kind::repeat;
  token.optional = *least == 0;
  return true;
}

/// As RE2 reads them: no zero in front.
std::optional<unsigned> RegexScanner::scan_integer() {
  const std::size_t start = position_;
  unsigned value = 0;
  while (position_ < regex_.size() && text::is_digit(regex_[position_])) {
    const auto digit = static_cast<unsigned>(regex_[position_++] - '0');
    value = std::min(value * 10 + digit, 1000000U);  // RE2 refuses more than 1000
  }
  const std::size_t digits = position_ - start;
  if (digits == 0 || (digits > 1 && regex_[start] == '0')) return std::nullopt;
  return value;
}

}  // namespace

std::vector<RegexToken> tokens_of(std::string_view regex) {
  std::vector<RegexToken> tokens;
  RegexScanner scanner(regex);
  while (const auto token = scanner.next()) tokens.push_back(*token);
  return tokens;
}

}  // namespace ffind::query
