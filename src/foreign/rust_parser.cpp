// SPDX-License-Identifier: MIT
// Parser of Rust's regular expressions. What is refused, where, and with which words is the crate
// regex-syntax's: errors of its syntax first, then those of what is meant.
#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "foreign/rust_syntax.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/utf8.h"

namespace ffind::foreign {
namespace {

using Kind = RustToken::Kind;
using Assertion = RustToken::Assertion;

/// General categories by the long names of Unicode, without their separators.
constexpr std::pair<std::string_view, std::string_view> categories[] = {
    {"letter", "L"},
    {"lowercaseletter", "Ll"},
    {"modifierletter", "Lm"},
    {"otherletter", "Lo"},
    {"titlecaseletter", "Lt"},
    {"uppercaseletter", "Lu"},
    {"mark", "M"},
    {"combiningmark", "M"},
    {"spacingmark", "Mc"},
    {"enclosingmark", "Me"},
    {"nonspacingmark", "Mn"},
    {"number", "N"},
    {"decimalnumber", "Nd"},
    {"digit", "Nd"},
    {"letternumber", "Nl"},
    {"othernumber", "No"},
    {"punctuation", "P"},
    {"punct", "P"},
    {"dashpunctuation", "Pd"},
    {"connectorpunctuation", "Pc"},
    {"closepunctuation", "Pe"},
    {"finalpunctuation", "Pf"},
    {"initialpunctuation", "Pi"},
    {"otherpunctuation", "Po"},
    {"openpunctuation", "Ps"},
    {"symbol", "S"},
    {"currencysymbol", "Sc"},
    {"modifiersymbol", "Sk"},
    {"mathsymbol", "Sm"},
    {"othersymbol", "So"},
    {"separator", "Z"},
    {"lineseparator", "Zl"},
    {"paragraphseparator", "Zp"},
    {"spaceseparator", "Zs"},
    {"control", "Cc"},
    {"cntrl", "Cc"},
    {"format", "Cf"},
    {"privateuse", "Co"},
};

class RustParser {
 public:
  RustParser(std::string_view regex, bool folds) : regex_(regex) { flags_.folds = folds; }

  std::vector<RustToken> parse() {
    while (skip_spaces(), !at_end()) parse_one();
    if (!groups_.empty()) fail(groups_.back().at, groups_.back().at + 1, "unclosed group");
    if (late_) throw RustError(*late_);
    return std::move(tokens_);
  }

 private:
  struct Group {
    RustFlags outer;
    std::size_t at;
  };
  /// Meaning of an escape: a character, a set or an assertion.
  struct Escape {
    std::optional<char32_t> letter{};
    std::optional<RustSet> set{};
    std::optional<Assertion> assertion{};
    bool is_byte = false;  ///< \xFF
  };

  [[noreturn]] static void fail(std::size_t begin, std::size_t end, std::string_view what) {
    throw RustError{begin, end, std::string(what)};
  }
  /// An error that Rust finds only in an expression without those of its syntax.
  void fail_late(std::size_t begin, std::string_view what) {
    if (!late_) late_ = RustError{begin, at_, std::string(what)};
  }
  bool at_end() const { return at_ >= regex_.size(); }
  char peek(std::size_t i = 0) const { return at_ + i < regex_.size() ? regex_[at_ + i] : '\0'; }
  bool take(std::string_view text) {
    if (!regex_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  char32_t take_letter() { return text::next_code_point(regex_, at_); }
  std::size_t end_of_letter() const {
    std::size_t end = at_;
    if (!at_end()) text::next_code_point(regex_, end);
    return end;
  }

  /// With (?x), blanks and comments count for nothing.
  void skip_spaces() {
    while (flags_.spaces && !at_end()) {
      if (peek() == '#') {
        at_ = std::min(regex_.find('\n', at_), regex_.size());
      } else if (peek() == ' ' || (peek() >= '\t' && peek() <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
  }

  void add(RustSet set) {
    tokens_.push_back({.kind = Kind::set, .flags = flags_, .set = std::move(set)});
  }
  void add(Assertion assertion) {
    tokens_.push_back({.kind = Kind::assertion, .flags = flags_, .assertion = assertion});
  }

  void parse_one() {
    const std::size_t begin = at_;
    switch (peek()) {
      case '(':
        return parse_group();
      case ')':
        if (groups_.empty()) fail(begin, begin + 1, "unopened group");
        ++at_;
        flags_ = groups_.back().outer;
        groups_.pop_back();
        tokens_.push_back({.kind = Kind::close});
        return;
      case '|':
        ++at_;
        tokens_.push_back({.kind = Kind::alternation});
        return;
      case '[':
        return add(parse_class());
      case '*':
      case '+':
      case '?':
      case '{':
        return parse_repeat();
      case '.':
        ++at_;
        return add(RustSet{.ranges = flags_.dot_is_any ? Ranges() : Ranges{{'\n', '\n'}},
                           .negated = true});
      case '^':
        ++at_;
        return add(flags_.lines ? Assertion::line_begin : Assertion::begin);
      case '$':
        ++at_;
        return add(flags_.lines ? Assertion::line_end : Assertion::end);
      case '\\': {
        const Escape escape = parse_escape();
        if (escape.assertion) return add(*escape.assertion);
        if (escape.set) return add(*escape.set);
        return add_letter(*escape.letter, escape.is_byte);
      }
      default:
        return add_letter(take_letter(), false);
    }
  }

  /// With (?-u) a letter beyond ASCII is the bytes of its UTF-8.
  void add_letter(char32_t letter, bool is_byte) {
    if (letter < 0x80 || is_byte || flags_.unicode)
      return add(RustSet{.ranges = {{letter, letter}}});
    std::string bytes;
    text::append_utf8(bytes, letter);
    tokens_.push_back({.kind = Kind::open});
    for (const char byte : bytes) {
      const char32_t c = static_cast<unsigned char>(byte);
      add(RustSet{.ranges = {{c, c}}});
    }
    tokens_.push_back({.kind = Kind::close});
  }

  // Groups and flags

  void parse_group() {
    const std::size_t open = at_++;
    skip_spaces();
    for (const std::string_view around : {"?=", "?!", "?<=", "?<!"}) {
      if (regex_.substr(at_).starts_with(around)) {
        fail(open, at_ + around.size(),
             "look-around, including look-ahead and look-behind, is not supported");
      }
    }
    const RustFlags outer = flags_;
    const bool captures = peek() != '?' || peek(1) == 'P' || peek(1) == '<';
    if (take("?P<") || take("?<")) {
      parse_name();
    } else if (take("?")) {
      if (at_end()) fail(open, open + 1, "unclosed group");
      const std::size_t begin = at_;
      parse_flags();
      if (take(")")) {
        if (at_ == begin + 1) {
          fail(begin - 1, begin, "repetition operator missing expression");
        }
        tokens_.push_back({.kind = Kind::flags});
        return;
      }
      ++at_;
    }
    if (groups_.size() >= most_nested) fail_nesting(open);
    groups_.push_back({outer, open});
    tokens_.push_back({.kind = Kind::open, .captures = captures});
  }

  [[noreturn]] static void fail_nesting(std::size_t at) {
    fail(at, at + 1,
         text::format("exceed the maximum number of nested parentheses/brackets ({})",
                      std::size_t{most_nested}));
  }

  void parse_name() {
    const std::size_t begin = at_;
    for (; !at_end() && peek() != '>'; take_letter()) {
      const char c = peek();
      const bool is_valid =
          text::is_letter(c) || c == '_' || static_cast<signed char>(c) < 0 ||
          (at_ > begin && (text::is_digit(c) || c == '.' || c == '[' || c == ']'));
      if (!is_valid) fail(at_, end_of_letter(), "invalid capture group character");
    }
    if (at_end()) fail(at_, at_, "unclosed capture group name");
    if (at_ == begin) fail(begin, begin, "empty capture group name");
    if (!names_.insert(regex_.substr(begin, at_ - begin)).second) {
      fail(begin, at_, "duplicate capture group name");
    }
    ++at_;
  }

  void parse_flags() {
    std::string seen;
    while (peek() != ':' && peek() != ')') {
      const std::size_t end = end_of_letter();
      const char c = peek();
      const bool turns_on = seen.find('-') == std::string::npos;
      bool* const flag = c == 'i'   ? &flags_.folds
                         : c == 'm' ? &flags_.lines
                         : c == 's' ? &flags_.dot_is_any
                         : c == 'u' ? &flags_.unicode
                         : c == 'x' ? &flags_.spaces
                         : c == 'R' ? &flags_.crlf
                                    : nullptr;
      if (flag == nullptr && c != 'U' && c != '-') fail(at_, end, "unrecognized flag");
      if (seen.find(c) != std::string::npos) {
        fail(at_, end, c == '-' ? "flag negation operator repeated" : "duplicate flag");
      }
      seen += c;
      if (flag != nullptr) *flag = turns_on;
      ++at_;
      if (at_end()) fail(at_, at_, "expected flag but got end of regex");
    }
    if (seen.ends_with('-')) fail(at_ - 1, at_, "dangling flag negation operator");
  }

  // Repetitions

  void parse_repeat() {
    const std::size_t begin = at_;
    const bool has_operand = !tokens_.empty() && tokens_.back().kind != Kind::open &&
                             tokens_.back().kind != Kind::alternation &&
                             tokens_.back().kind != Kind::flags;
    if (!has_operand) fail(begin, begin + 1, "repetition operator missing expression");
    std::string text(1, peek());
    ++at_;
    if (text == "{") text = parse_count(begin);
    take("?");  // as few as possible
    tokens_.push_back({.kind = Kind::repeat, .flags = flags_, .repeat = std::move(text)});
  }

  std::string parse_count(std::size_t begin) {
    const auto unclosed = [&] { fail(begin, at_, "unclosed counted repetition"); };
    skip_spaces();
    if (at_end()) unclosed();
    std::size_t place = at_;
    const std::optional<std::uint32_t> least = parse_decimal();
    const auto missing = [&] {
      fail(place, place, "repetition quantifier expects a valid decimal");
    };
    if (at_end()) unclosed();
    std::string text = "{" + std::to_string(least.value_or(0));
    if (take(",")) {
      skip_spaces();
      if (at_end()) unclosed();
      if (!least) missing();
      text += ',';
      if (peek() != '}') {
        place = at_;
        const std::optional<std::uint32_t> most = parse_decimal();
        if (!most) missing();
        if (peek() != '}') unclosed();
        if (*least > *most) {
          fail(begin, at_ + (peek(1) == '?' ? 2 : 1),
               "invalid repetition count range, the start must be <= the end");
        }
        text += std::to_string(*most);
      }
    } else if (!least) {
      missing();
    }
    if (!take("}")) unclosed();
    return text + "}";
  }

  std::optional<std::uint32_t> parse_decimal() {
    const auto skip_blanks = [&] {
      while (peek() == ' ' || (peek() >= '\t' && peek() <= '\r')) ++at_;
    };
    skip_blanks();
    const std::size_t begin = at_;
    std::uint64_t number = 0;
    for (; text::is_digit(peek()); ++at_) {
      number =
          std::min<std::uint64_t>(number * 10 + static_cast<unsigned>(peek() - '0'), 1ULL << 32);
    }
    if (number >> 32 != 0) fail(begin, at_, "decimal literal invalid");
    const bool is_empty = at_ == begin;
    skip_blanks();
    if (is_empty) return {};
    return static_cast<std::uint32_t>(number);
  }

  // Escapes

  Escape parse_escape() {
    const std::size_t begin = at_++;
    if (at_end()) {
      fail(begin, at_, "incomplete escape sequence, reached end of pattern prematurely");
    }
    const std::size_t end = end_of_letter();
    const char32_t c = take_letter();
    if (c < 0x80 && text::is_digit(static_cast<char>(c))) {
      fail(begin, end, "backreferences are not supported");
    }
    switch (c) {
      case 'x':
        return parse_hex(2);
      case 'u':
        return parse_hex(4);
      case 'U':
        return parse_hex(8);
      case 'p':
      case 'P':
        return {.set = parse_property(begin, c == 'P')};
      case 'd':
      case 'D':
        return {.set = perl_class(digit_members, "digit", c == 'D')};
      case 's':
      case 'S':
        return {.set = perl_class(space_members, "space", c == 'S')};
      case 'w':
      case 'W':
        return {.set = perl_class(word_members, "word", c == 'W')};
      case 'A':
        return {.assertion = Assertion::begin};
      case 'z':
        return {.assertion = Assertion::end};
      case 'b':
        return {.assertion = parse_boundary(begin)};
      case 'B':
        return {.assertion = Assertion::no_boundary};
      case '<':
        return {.assertion = Assertion::word_begin};
      case '>':
        return {.assertion = Assertion::word_end};
      default:
        break;
    }
    if (const std::size_t i = std::u32string_view(U"aftnrv").find(c); i < 6) {
      return {.letter = static_cast<unsigned char>("\a\f\t\n\r\v"[i])};
    }
    if (c >= 0x80 || text::is_letter(static_cast<char>(c))) {
      fail(begin, end, "unrecognized escape sequence");
    }
    return {.letter = c};
  }

  Escape parse_hex(std::size_t digits) {
    constexpr std::string_view too_short =
        "incomplete escape sequence, reached end of pattern prematurely";
    skip_spaces();
    const std::size_t open = at_;
    const bool has_braces = take("{");
    const std::size_t begin = at_;
    std::uint64_t number = 0;
    std::size_t count = 0;
    for (; has_braces ? (skip_spaces(), peek() != '}' || at_end()) : count < digits; ++count) {
      if (!has_braces) skip_spaces();
      if (at_end()) fail(has_braces ? open : at_, at_, too_short);
      const auto value = text::hex_value(peek());
      if (!value) fail(at_, end_of_letter(), "invalid hexadecimal digit");
      number = std::min<std::uint64_t>(number * 16 + *value, 1ULL << 32);
      ++at_;
    }
    const std::size_t end = at_;
    if (has_braces) ++at_;
    if (count == 0) fail(open, at_, "hexadecimal literal empty");
    const auto letter = static_cast<char32_t>(std::min<std::uint64_t>(number, 0x110000));
    if (!text::is_encodable(letter)) {
      fail(begin, end, "hexadecimal literal is not a Unicode scalar value");
    }
    return {.letter = letter, .is_byte = !has_braces && digits == 2 && !flags_.unicode};
  }

  Assertion parse_boundary(std::size_t begin) {
    const std::size_t brace = at_;
    if (!take("{")) return Assertion::boundary;
    skip_spaces();
    if (at_end()) {
      fail(begin, at_,
           "found either the beginning of a special word boundary or a bounded repetition on a \\b "
           "with an opening brace, but no closing brace");
    }
    const std::size_t word = at_;
    while (text::is_letter(peek()) || peek() == '-') ++at_;
    const std::string_view name = regex_.substr(word, at_ - word);
    if (name.empty()) {  // a repetition
      at_ = brace;
      return Assertion::boundary;
    }
    if (peek() != '}') {
      fail(brace, at_,
           "special word boundary assertion is either unclosed or contains an invalid character");
    }
    ++at_;
    if (name == "start") return Assertion::word_begin;
    if (name == "end") return Assertion::word_end;
    if (name == "start-half") return Assertion::word_begin_half;
    if (name == "end-half") return Assertion::word_end_half;
    fail(word, at_ - 1,
         "unrecognized special word boundary assertion, valid choices are: start, end, start-half "
         "or end-half");
  }

  RustSet perl_class(std::string_view members, std::string_view ascii, bool negated) const {
    RustSet set{.negated = negated};
    if (flags_.unicode) {
      set.members = members;
    } else {
      set.ranges = *ascii_class(ascii);
    }
    return set;
  }

  RustSet parse_property(std::size_t begin, bool negated) {
    constexpr std::string_view too_short =
        "incomplete escape sequence, reached end of pattern prematurely";
    skip_spaces();
    if (at_end()) fail(at_, at_, too_short);
    std::string name;
    if (take("{")) {
      const std::size_t end = regex_.find('}', at_);
      if (end == std::string_view::npos) fail(regex_.size(), regex_.size(), too_short);
      name = regex_.substr(at_, end - at_);
      at_ = end + 1;
    } else {
      if (peek() == '\\') fail(at_, at_ + 1, "invalid Unicode character class");
      text::append_utf8(name, take_letter());
    }
    if (!flags_.unicode) fail_late(begin, "Unicode not allowed here");
    RustSet set = property(name, begin);
    set.negated = set.negated != negated;
    return set;
  }

  /// A general category or a script, whatever its case and separators.
  RustSet property(std::string_view name, std::size_t begin) {
    bool negated = false;
    if (const std::size_t equals = name.find_first_of("=:"); equals != std::string_view::npos) {
      negated = equals > 0 && name[equals - 1] == '!';
      name.remove_prefix(equals + 1);
    }
    std::string script;  // as RE2 spells it: Old_Italic
    std::string plain;
    bool begins = true;
    for (const char c : name) {
      if (c == '_' || c == '-' || c == ' ') {
        script += begins ? "" : "_";
        begins = true;
        continue;
      }
      const char lower = text::fold_ascii(c);
      script +=
          begins && lower >= 'a' && lower <= 'z' ? static_cast<char>(lower - 'a' + 'A') : lower;
      plain += lower;
      begins = false;
    }
    if (plain.starts_with("is") && plain.size() > 2) {
      plain.erase(0, 2);
      script = plain;
      script.front() = static_cast<char>(script.front() - 'a' + 'A');
    }
    if (plain == "any") return RustSet{.negated = !negated};
    if (plain == "ascii") return RustSet{.ranges = {{0, 0x7F}}, .negated = negated};
    if (plain == "lc" || plain == "casedletter") {
      return RustSet{.members = R"(\p{Lu}\p{Ll}\p{Lt})", .negated = negated};
    }
    for (const auto& [words, category] : categories) {
      if (plain == words || plain == text::fold_ascii(category)) script = category;
    }
    // RE2's C lacks what is unassigned.
    RustSet set{.members = "\\p{" + script + "}", .negated = negated};
    const bool is_known = script != "C" && !script.empty() &&
                          script.find_first_of("{}\\") == std::string::npos &&
                          query::is_class("[" + set.members + "]");
    if (!is_known) fail_late(begin, "Unicode property not found");
    return is_known ? set : RustSet{};
  }

  // Classes

  RustSet parse_class() {
    const std::size_t open = at_;
    if (++depth_ + groups_.size() > most_nested) fail_nesting(open);
    const auto unclosed = [&](std::size_t end) { fail(open, end, "unclosed character class"); };
    ++at_;
    skip_spaces();
    const bool negated = take("^");
    skip_spaces();
    RustSet whole;
    std::optional<Ranges> left;  // of an operator
    char op = '\0';
    bool is_empty = true;
    const auto add_letter = [&](char32_t c) {
      whole.ranges.push_back({c, c});
      is_empty = false;
    };
    while (peek() == '-') {
      add_letter('-');
      ++at_;
      skip_spaces();
    }
    if (is_empty && take("]")) add_letter(']');
    const auto finish = [&] {
      if (!left) return;
      *left = combined(*left, ranges_of(whole, flags_.folds), op);
      whole = {.ranges = *left};
    };
    for (;;) {
      skip_spaces();
      if (at_end()) unclosed(std::min(open + 1 + (is_empty ? 0U : 1U), regex_.size()));
      if (take("]")) break;
      const bool has_operator =
          (peek() == '&' || peek() == '-' || peek() == '~') && peek(1) == peek();
      if (has_operator) {
        refuse_without_unicode(open);
        finish();
        if (!left) left = ranges_of(whole, flags_.folds);
        whole = {};
        op = peek();
        at_ += 2;
      } else if (peek() == '[') {
        add_item(whole, parse_nested());
      } else {
        add_range(whole, open);
      }
      is_empty = false;
    }
    finish();
    --depth_;
    whole.negated = negated;
    return whole;
  }

  RustSet parse_nested() {
    const std::string_view rest = regex_.substr(at_);
    const std::size_t end = rest.find(":]");
    if (rest.starts_with("[:") && end != std::string_view::npos && end >= 2) {
      std::string_view name = rest.substr(2, end - 2);
      const bool negated = name.starts_with('^');
      if (negated) name.remove_prefix(1);
      if (auto ranges = ascii_class(name)) {
        at_ += end + 2;
        return {.ranges = std::move(*ranges), .negated = negated};
      }
    }
    return parse_class();
  }

  void add_range(RustSet& whole, std::size_t open) {
    const std::size_t begin = at_;
    Escape first = parse_item();
    const std::size_t first_end = at_;
    skip_spaces();
    if (at_end()) fail(open, open + 1, "unclosed character class");
    std::size_t ahead = 1;
    while (flags_.spaces && peek(ahead) == ' ') ++ahead;
    if (peek() != '-' || peek(ahead) == ']' || peek(ahead) == '-') {
      if (first.set) return add_item(whole, std::move(*first.set));
      check_byte(*first.letter, begin);
      whole.ranges.push_back({*first.letter, *first.letter});
      return;
    }
    ++at_;
    skip_spaces();
    if (at_end()) fail(open, open + 1, "unclosed character class");
    const std::size_t second_begin = at_;
    const Escape second = parse_item();
    constexpr std::string_view no_literal = "invalid range boundary, must be a literal";
    if (!first.letter) fail(begin, first_end, no_literal);
    if (!second.letter) fail(second_begin, at_, no_literal);
    if (*first.letter > *second.letter) {
      fail(begin, at_, "invalid character class range, the start must be <= the end");
    }
    check_byte(*first.letter, begin);
    check_byte(*second.letter, begin);
    whole.ranges.push_back({*first.letter, *second.letter});
  }

  Escape parse_item() {
    if (peek() != '\\') return {.letter = take_letter()};
    const std::size_t begin = at_;
    Escape escape = parse_escape();
    if (escape.assertion) {
      fail(begin, at_, "invalid escape sequence found in character class");
    }
    return escape;
  }

  void check_byte(char32_t letter, std::size_t begin) {
    const bool is_byte = letter < 0x80 || (letter < 0x100 && regex_[begin] == '\\');
    if (!flags_.unicode && !is_byte) fail_late(begin, "Unicode not allowed here");
  }

  /// A union. RE2 has no complement of a class in a class.
  void add_item(RustSet& whole, RustSet item) {
    if (item.negated) {
      if (!flags_.unicode) {
        item = {.ranges = complement(item.ranges, 0xFF)};
      } else {
        item = {.ranges = ranges_of(item, flags_.folds)};
      }
    }
    whole.ranges = joined(std::move(whole.ranges), item.ranges);
    whole.members += item.members;
  }

  void refuse_without_unicode(std::size_t open) const {
    if (!flags_.unicode) fail(open, open + 1, "an operator of classes of bytes is not done here");
  }

  static Ranges combined(const Ranges& left, const Ranges& right, char op) {
    if (op == '&') return common(left, right);
    Ranges only_left = common(left, complement(right, last_code_point));
    if (op == '-') return only_left;
    return joined(only_left, common(right, complement(left, last_code_point)));
  }

  static constexpr std::size_t most_nested = 250;

  std::string_view regex_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;  ///< of classes
  RustFlags flags_;
  std::vector<Group> groups_;
  std::set<std::string_view> names_;
  std::optional<RustError> late_;
  std::vector<RustToken> tokens_;
};

}  // namespace

std::vector<RustToken> parse_rust(std::string_view regex, bool folds) {
  return RustParser(regex, folds).parse();
}

}  // namespace ffind::foreign
