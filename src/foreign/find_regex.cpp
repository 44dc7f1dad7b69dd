// SPDX-License-Identifier: MIT
// Parsers of find's patterns into an Expression: bracket expressions, regular expressions in the
// six syntaxes of -regextype, and globs. What two libraries read differently ends the translation.
//
// Texts are read by code points.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "foreign/find_expression.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::foreign {

namespace {

using Sort = Expression::Kind;

/// Reads a bracket expression after its first bracket. Throws for named classes other than digits:
/// their members depend on the locale. `escapes` is true for globs: a backslash escapes, and `!`
/// negates like `^`. In a regular expression, `!` and backslash are members.
Pattern parse_set(std::string_view text, std::size_t& at, bool escapes) {
  Expression set{.kind = Sort::set};
  if (at < text.size() && (text[at] == '^' || (escapes && text[at] == '!'))) {
    set.negated = true;
    ++at;
  }
  const auto take = [&] {
    if (at == text.size()) throw Untranslatable();
    if (text[at] == '[' && at + 1 < text.size() &&
        std::string_view(":.=").find(text[at + 1]) != std::string_view::npos) {
      throw Untranslatable();
    }
    if (escapes && text[at] == '\\' && ++at == text.size()) throw Untranslatable();
    return text::next_code_point(text, at);
  };
  // A `]` at the beginning is a member.
  for (bool first = true;; first = false) {
    if (at == text.size()) throw Untranslatable();
    if (text[at] == ']' && !first) break;
    if (text.substr(at).starts_with("[:digit:]")) {
      set.ranges.emplace_back('0', '9');
      at += 9;
      continue;
    }
    const char32_t from = take();
    char32_t to = from;
    if (text.substr(at).starts_with("-") && !text.substr(at).starts_with("-]")) {
      ++at;
      to = take();
      if (to < from) throw Untranslatable();
    }
    set.ranges.emplace_back(from, to);
  }
  ++at;
  return pattern_of(std::move(set));
}

/// Recursive descent over the regular expressions of glibc and gnulib. Throws for an operator in a
/// place in which one syntax reads it as a letter and another refuses it. The syntaxes differ in
/// the characters that are operators with or without a backslash:
///
///                        ( )       |        + ?      {n}
///     emacs, findutils   \( \)     \|       + ?      none
///     basic              \( \)     \|       \+ \?    \{n\}
///     minimal            \( \)     none     none     \{n\}
///     extended           ( )       |        + ?      {n}
///     awk                ( )       |        + ?      refused
class RegexParser {
 public:
  RegexParser(std::string_view text, Syntax syntax) : text_(text), syntax_(syntax) {}

  Pattern parse() {
    if (text_.find('\n') != std::string_view::npos) throw Untranslatable();
    Pattern pattern = parse_alternatives(true);
    if (at_ != text_.size()) throw Untranslatable();
    return pattern;
  }

 private:
  enum class Token : unsigned char {
    end,
    open,
    close,
    bar,
    star,
    plus,
    optional,
    interval,
    dot,
    set,
    begin,
    finish,
    letter
  };

  bool is_extended() const { return syntax_ == Syntax::extended || syntax_ == Syntax::awk; }
  bool is_emacs() const { return syntax_ == Syntax::emacs || syntax_ == Syntax::findutils; }

  // Looks at the token at `at_` without consuming it; `length_` is 1 or 2, with the backslash.
  Token read() {
    if (at_ == text_.size()) return Token::end;
    const char c = text_[at_];
    if (c == '\\') {
      if (at_ + 1 == text_.size()) throw Untranslatable();
      const Token token = escaped_token(text_[at_ + 1]);
      length_ = 2;
      return token;
    }
    length_ = 1;
    switch (c) {
      case '.':
        return Token::dot;
      case '[':
        return Token::set;
      case '*':
        return Token::star;
      case '^':
        return Token::begin;
      case '$':
        return Token::finish;
      case '(':
        return is_extended() ? Token::open : Token::letter;
      case ')':
        return is_extended() ? Token::close : Token::letter;
      case '|':
        return is_extended() ? Token::bar : Token::letter;
      case '+':
        return is_extended() || is_emacs() ? Token::plus : Token::letter;
      case '?':
        return is_extended() || is_emacs() ? Token::optional : Token::letter;
      case '{':
        if (syntax_ == Syntax::extended) return Token::interval;
        if (syntax_ == Syntax::awk) throw Untranslatable();
        return Token::letter;
      default:
        return Token::letter;
    }
  }

  // The character `c` after a backslash.
  Token escaped_token(char c) const {
    const bool basic = syntax_ == Syntax::basic;
    if (!is_extended()) {
      if (c == '(') return Token::open;
      if (c == ')') return Token::close;
      if (c == '|' && syntax_ != Syntax::minimal) return Token::bar;
      if (c == '{' && (basic || syntax_ == Syntax::minimal)) return Token::interval;
      if (c == '+' && basic) return Token::plus;
      if (c == '?' && basic) return Token::optional;
      if (std::string_view("|{}+?").find(c) != std::string_view::npos &&
          !(is_emacs() && (c == '+' || c == '?'))) {
        throw Untranslatable();
      }
    }
    // Back references, word boundaries and other extensions of one library.
    if (text::is_letter(c) || text::is_digit(c) || c == '<' || c == '>' || c == '`' || c == '\'' ||
        static_cast<unsigned char>(c) >= 0x80) {
      throw Untranslatable();
    }
    return Token::letter;
  }

  Pattern parse_alternatives(bool at_top) {
    // Groups in groups: the parser and all that follow the tree are recursive.
    if (++depth_ > 50) throw Untranslatable();
    std::vector<Pattern> alternatives;
    for (;;) {
      alternatives.push_back(parse_sequence(at_top));
      if (read() != Token::bar) break;
      at_ += length_;
    }
    --depth_;
    return either(alternatives);
  }

  // `^` and `$` are only accepted at the ends of an alternative outside groups. There they have no
  // effect: find matches the whole path anyway.
  Pattern parse_sequence(bool at_top) {
    std::vector<Pattern> parts;
    bool first = true;
    for (;; first = false) {
      const Token token = read();
      if (token == Token::end || token == Token::bar || token == Token::close) break;
      if (token == Token::begin) {
        if (!first || !at_top) throw Untranslatable();
        ++at_;
        continue;
      }
      if (token == Token::finish) {
        ++at_;
        const Token next = read();
        if (!at_top || (next != Token::end && next != Token::bar)) throw Untranslatable();
        break;
      }
      parts.push_back(parse_repeated(token));
    }
    if (parts.empty()) throw Untranslatable();
    return join(parts);
  }

  Pattern parse_repeated(Token token) {
    Pattern atom = parse_atom(token);
    const Token next = read();
    if (next == Token::star || next == Token::plus || next == Token::optional) {
      at_ += length_;
      atom = repeat(atom, next == Token::plus ? 1 : 0, next == Token::optional ? 1 : unlimited);
    } else if (next == Token::interval) {
      at_ += length_;
      atom = parse_interval(atom);
    } else {
      return atom;
    }
    const Token after = read();
    // `a**` and `a*{2}`: libraries differ.
    if (after == Token::star || after == Token::plus || after == Token::optional ||
        after == Token::interval) {
      throw Untranslatable();
    }
    return atom;
  }

  Pattern parse_atom(Token token) {
    switch (token) {
      case Token::dot:
        ++at_;
        // In the syntax "emacs" a dot does not match a newline.
        if (syntax_ != Syntax::emacs) return any();
        return pattern_of({.kind = Sort::set, .ranges = {{'\n', '\n'}}, .negated = true});
      case Token::set:
        ++at_;
        if (syntax_ == Syntax::awk && text_.find('\\', at_) != std::string_view::npos) {
          throw Untranslatable();
        }
        return parse_set(text_, at_, false);
      case Token::open: {
        at_ += length_;
        Pattern inside = parse_alternatives(false);
        if (read() != Token::close) throw Untranslatable();
        at_ += length_;
        return inside;
      }
      case Token::letter:
        if (length_ == 2) ++at_;
        return one(text::next_code_point(text_, at_));
      default:
        throw Untranslatable();
    }
  }

  unsigned parse_number() {
    unsigned number = 0;
    const std::size_t start = at_;
    for (; at_ < text_.size() && text::is_digit(text_[at_]) && at_ - start < 4; ++at_) {
      number = number * 10 + static_cast<unsigned>(text_[at_] - '0');
    }
    if (at_ == start || number > 1000) throw Untranslatable();
    return number;
  }

  Pattern parse_interval(const Pattern& atom) {
    const unsigned least = parse_number();
    unsigned most = least;
    if (text_.substr(at_).starts_with(",")) {
      ++at_;
      const bool open = at_ < text_.size() && !text::is_digit(text_[at_]);
      most = open ? unlimited : parse_number();
    }
    const std::string_view end = is_extended() ? "}" : "\\}";
    if (!text_.substr(at_).starts_with(end) || most < least) throw Untranslatable();
    at_ += end.size();
    return repeat(atom, least, most);
  }

  std::string_view text_;
  Syntax syntax_;
  std::size_t at_ = 0;
  std::size_t length_ = 0;  ///< of the token read last
  unsigned depth_ = 0;
};

}  // namespace

/// Names are those of GNU find.
Syntax syntax_of(std::string_view type) {
  constexpr std::pair<std::string_view, Syntax> types[] = {{"findutils-default", Syntax::findutils},
                                                           {"emacs", Syntax::emacs},
                                                           {"ed", Syntax::basic},
                                                           {"sed", Syntax::basic},
                                                           {"grep", Syntax::basic},
                                                           {"posix-basic", Syntax::basic},
                                                           {"posix-minimal-basic", Syntax::minimal},
                                                           {"posix-extended", Syntax::extended},
                                                           {"egrep", Syntax::extended},
                                                           {"posix-egrep", Syntax::extended},
                                                           {"awk", Syntax::awk},
                                                           {"gnu-awk", Syntax::awk},
                                                           {"posix-awk", Syntax::awk}};
  const auto* const found = std::find_if(std::begin(types), std::end(types),
                                         [&](const auto& each) { return each.first == type; });
  if (found == std::end(types)) throw Untranslatable();
  return found->second;
}

Pattern pattern_of_regex(std::string_view text, Syntax syntax) {
  return RegexParser(text, syntax).parse();
}

/// \|, \+ and \?, which are letters to BSD.
void refuse_escapes_of_gnu(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '\\') continue;
    ++at;
    if (std::string_view("|+?").find(text[at]) != std::string_view::npos) throw Untranslatable();
  }
}

/// As fnmatch without flags: a star and a question mark match slashes too. Consecutive stars are
/// one.
Pattern pattern_of_glob(std::string_view glob) {
  std::vector<Pattern> parts;
  for (std::size_t at = 0; at < glob.size();) {
    const char c = glob[at];
    if (c == '*') {
      ++at;
      if (parts.empty() || !is_any_text(parts.back())) parts.push_back(repeat(any(), 0, unlimited));
    } else if (c == '?') {
      ++at;
      parts.push_back(any());
    } else if (c == '[') {
      ++at;
      parts.push_back(parse_set(glob, at, true));
    } else {
      if (c == '\\' && ++at == glob.size()) throw Untranslatable();
      parts.push_back(one(text::next_code_point(glob, at)));
    }
  }
  return join(parts);
}

/// find folds by towlower(3), ours by Unicode's simple folding. They agree on these ranges, most of
/// which have no case, but for three groups of letters in them: i with and without a dot, long s;
/// the two small sigmas; mu, which is also the micro sign.
void refuse_uneven_folding(std::string_view text) {
  constexpr CharacterRange alike[] = {{0, 0x7F},        {0xC0, 0x17F},     {0x370, 0x52F},
                                      {0x590, 0x109F},  {0x2010, 0x20CF},  {0x3000, 0xA4CF},
                                      {0xAC00, 0xD7A3}, {0x1F300, 0x1FAFF}};
  constexpr char32_t not_alike[] = {0x130, 0x131, 0x17F, 0x39C, 0x3A3, 0x3BC, 0x3C2, 0x3C3};
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::next_code_point(text, at);
    const bool in_range = std::any_of(
        std::begin(alike), std::end(alike),
        [&](const CharacterRange& range) { return range.first <= c && c <= range.second; });
    if (!in_range ||
        std::find(std::begin(not_alike), std::end(not_alike), c) != std::end(not_alike)) {
      throw Untranslatable();
    }
  }
}

}  // namespace ffind::foreign
