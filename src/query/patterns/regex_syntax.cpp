// SPDX-License-Identifier: MIT
// Analysis of regular expressions, and their scanner. The scanner follows RE2's parser: it knows
// quotes (\Q...\E), classes, named groups, flags and escapes, but keeps no tree. All functions
// above it go through the tokens once.
//
//     (?i)      flags           group_open for (?i:  (?P<name>  (
//     IMG       letter x 3      also \x49 and \Q...\E, one token for each letter
//     [^a\d]    class_open, letter, set, class_close
//     {2,3}?    repeat          of the token or group before it
//     $         text_end
//
// Concatenated, the `written` of all tokens are the expression; so a function that rewrites one
// appends tokens as they are, and changes only those that it is about.
#include "query/patterns/regex_syntax.h"

#include <algorithm>
#include <optional>
#include <set>

#include "text/ascii.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

using Kind = RegexToken::Kind;

}  // namespace

/// Tokens keep \S, \pL, [:upper:] and names of groups apart from letters, so that only literal ones
/// count, those in classes included: [A-Z] makes an expression case-sensitive.
bool regex_has_upper_case(std::string_view regex) {
  const bool utf8 = text::is_utf8(regex);  // else only ASCII letters are known to be letters
  const auto tokens = tokens_of(regex);
  return std::any_of(tokens.begin(), tokens.end(), [utf8](const RegexToken& token) {
    const bool known = utf8 || token.letter < 0x80;
    return token.kind == Kind::letter && known && text::is_upper_case(token.letter);
  });
}

std::string quoted_for_regex(std::string_view text) {
  std::string expression;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) expression += '\\';
    expression += c;
  }
  return expression;
}

std::optional<PlainLiteral> plain_literal(std::string_view regex) {
  const auto tokens = tokens_of(regex);
  const auto kind_is = [&](std::size_t i, Kind kind) {
    return i < tokens.size() && tokens[i].kind == kind;
  };
  const auto is_dot_star = [&](std::size_t i) {
    return kind_is(i, Kind::dot) && kind_is(i + 1, Kind::repeat) && tokens[i + 1].optional &&
           tokens[i + 1].unbounded;
  };
  // Anchors first, then `.*` inside of them, which makes an anchor void: ^.*\.pdf$ is "ends in
  // .pdf". All that is left has to be letters.
  std::size_t first = 0;
  std::size_t end = tokens.size();
  PlainLiteral literal;
  if (kind_is(first, Kind::text_begin)) {
    literal.at_start = true;
    ++first;
  }
  if (is_dot_star(first)) {
    literal.at_start = false;
    first += 2;
  }
  if (end > first && kind_is(end - 1, Kind::text_end)) {
    literal.at_end = true;
    --end;
  }
  if (end >= first + 2 && is_dot_star(end - 2)) {
    literal.at_end = false;
    end -= 2;
  }
  for (std::size_t i = first; i < end; ++i) {
    if (tokens[i].kind == Kind::quote) continue;
    if (tokens[i].kind != Kind::letter) return std::nullopt;
    // \xE9 is a letter in names that are UTF-8 and a byte in others: a literal cannot be both.
    if (tokens[i].escaped && tokens[i].letter >= 0x80) return std::nullopt;
    if (tokens[i].letter < 0x80) {
      literal.text += static_cast<char>(tokens[i].letter);
    } else {  // as typed, since it may not be UTF-8
      literal.text += tokens[i].written;
    }
  }
  return literal;
}

/// Collects runs of adjacent letters outside of groups, and keeps the longest:
///
///     IMG_\d+\.jpe?g   "IMG_", ".jp", "g"   IMG_   the e may be missing, so it is in no run
///     ab+c             "ab", "c"            ab     the b is there at least once
///     (foo)?bar        "bar"                bar
///     foo|bar          none                        a match has only one of them
std::string required_literal(std::string_view regex) {
  std::string longest;
  std::string run;
  std::size_t last_letter = 0;  // position of the run's last letter
  const auto finish_run = [&] {
    if (run.size() > longest.size()) longest = run;
    run.clear();
    last_letter = 0;
  };
  int depth = 0;  // groups are skipped: they may be repeated or alternatives
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.kind == Kind::unknown) return {};
    if (token.kind == Kind::group_open) ++depth;
    if (token.kind == Kind::group_close) --depth;
    if (depth > 0 || token.kind == Kind::group_close) {
      finish_run();
    } else if (token.kind == Kind::alternation || token.kind == Kind::flags) {
      // At the top level an alternation makes every run optional. Flags may make letters ignore
      // case although the pattern as a whole does not.
      return {};
    } else if (token.may_be_byte() && !token.in_class) {
      // A byte in some subjects and a letter in others.
      finish_run();
    } else if (token.kind == Kind::letter && !token.in_class) {
      last_letter = run.size();
      text::append_utf8(run, token.letter);
    } else if (token.kind != Kind::quote) {
      // Everything else ends a run. A repetition of zero times also takes back the letter that it
      // follows.
      if (token.kind == Kind::repeat && token.optional) run.resize(last_letter);
      finish_run();
    }
  }
  finish_run();
  return longest;
}

/// e\x{301} becomes e followed by the mark itself, which the caller composes to é: names are
/// composed before they are matched, so that a lone mark would match nothing. Of ASCII, letters
/// only: \x2E must not become a dot, nor \x5B a bracket, nor (?\x69) flags.
std::string regex_with_letters_spelt_out(std::string_view regex) {
  std::string result;
  for (const RegexToken& token : tokens_of(regex)) {
    const bool harmless =
        token.letter >= 0x80 ||
        (text::is_letter(static_cast<char>(token.letter)) && !result.ends_with("(?"));
    if (token.escaped && !token.in_class && harmless) {
      text::append_utf8(result, token.letter);
    } else {
      result += token.written;
    }
  }
  return result;
}

/// \x{20AC} becomes the bytes of €, since no byte has its number.
std::string regex_for_bytes(std::string_view regex) {
  std::string result;
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.escaped && token.letter > 0xFF) {
      text::append_utf8(result, token.letter);
    } else {
      result += token.written;
    }
  }
  return result;
}

/// The name is compared with its brackets, so (?P<a>...) and (?<a>...) are one name. `written` of a
/// group without a name has no <.
std::optional<std::size_t> second_group_of_a_name(std::string_view regex) {
  std::set<std::string_view> names;
  for (const RegexToken& token : tokens_of(regex)) {
    const std::size_t open = token.written.find('<');
    if (token.kind != Kind::group_open || open == std::string_view::npos) continue;
    if (!names.insert(token.written.substr(open)).second) return token.position + open + 1;
  }
  return std::nullopt;
}

/// [éè]t becomes [ee]t, and e followed by a mark becomes e. A mark that is written by its number,
/// after a letter that it does not compose with, is kept.
std::string regex_without_accents(std::string_view regex) {
  std::string bare;
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.kind != Kind::letter || token.letter < 0x80) {
      bare += token.written;
      continue;
    }
    std::string letter;
    text::append_utf8(letter, token.letter);
    const std::string key = text::key_of(letter, {text::KeyCase::kept, true});
    // An accent that is an end of a range in a class is kept, or the range would lack that end.
    bare += key.empty() && (token.in_class || token.escaped) ? letter : key;
  }
  return bare;
}

namespace {

using Kind = RegexToken::Kind;

/// Cuts an expression into tokens, one at each call of next(). Two modes change the meaning of
/// characters: between \Q and \E all are letters, and between [ and ] only \, ] and [: are special.
/// Each scan_ function starts at position_, sets the kind and the properties of the token, and
/// leaves position_ after it. Invalid syntax never fails: its token is `unknown`, or whatever comes
/// close.
class RegexScanner {
 public:
  explicit RegexScanner(std::string_view regex) : regex_(regex) {}
  /// The next token, or nullopt at the end.
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
  std::string_view scan_integer();

  std::string_view regex_;
  std::size_t position_ = 0;
  bool in_class_ = false;
  /// The next token is the first of its class.
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

/// Takes a character, or a byte that is not part of one.
char32_t RegexScanner::take() {
  const char32_t c = text::checked_code_point(regex_, position_);
  if (c != text::no_code_point) return c;
  return static_cast<unsigned char>(regex_[position_++]);
}

/// Scans a token outside of classes and quotes.
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

/// Scans a token inside of [...]. A [: without :] is a letter. A - is a letter too; functions that
/// care for ranges look at the tokens around it.
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

/// Scans ( with all that belongs to it: (?:  (?P<name>  (?i-s:  or the flags (?i), which are a
/// token of their own kind since they open no group. In (?= only (? is taken; RE2 rejects it.
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

/// Scans the rest of an escape after the backslash. Letters and digits without a meaning are
/// unknown, as they are errors in RE2; punctuation is itself.
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
    // \pL or \p{Greek}: one character, or up to the brace.
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

/// \x41, \x{1F600}, \101. A single digit would be a back-reference, which RE2 does not support.
void RegexScanner::scan_number_escape(char32_t first, RegexToken& token) {
  const auto digit = [this](std::size_t i) {
    return position_ + i < regex_.size() ? regex_[position_ + i] : '\0';
  };
  char32_t number = 0;
  if (first != 'x') {
    if (first != '0' && !text::is_octal(digit(0))) return;
    number = first - '0';
    for (int i = 0; i < 2 && text::is_octal(digit(0)); ++i) {
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
  // Surrogates and numbers beyond U+10FFFF are no characters.
  if (!text::is_encodable(number)) return;
  token.kind = Kind::letter;
  token.escaped = true;
  token.letter = number;
}

/// {2} {2,} {2,3}. Anything else in braces is text, including {,3}.
bool RegexScanner::scan_braces(RegexToken& token) {
  const std::size_t start = position_++;
  const std::string_view least = scan_integer();
  bool complete = !least.empty();
  if (complete && rest_starts_with(",")) {
    ++position_;
    token.unbounded = rest_starts_with("}");
    complete = token.unbounded || !scan_integer().empty();
  }
  if (!complete || !rest_starts_with("}")) {
    token.unbounded = false;
    position_ = start;
    return false;
  }
  ++position_;
  if (rest_starts_with("?")) ++position_;
  token.kind = Kind::repeat;
  token.optional = least == "0";
  return true;
}

/// Digits without a leading zero, as for RE2; empty if there are none.
std::string_view RegexScanner::scan_integer() {
  const std::size_t start = position_;
  while (position_ < regex_.size() && text::is_digit(regex_[position_])) ++position_;
  const std::string_view digits = regex_.substr(start, position_ - start);
  return digits.size() > 1 && digits.front() == '0' ? std::string_view() : digits;
}

}  // namespace

std::vector<RegexToken> tokens_of(std::string_view regex) {
  std::vector<RegexToken> tokens;
  RegexScanner scanner(regex);
  while (const auto token = scanner.next()) tokens.push_back(*token);
  return tokens;
}

}  // namespace ffind::query
