// SPDX-License-Identifier: MIT
// Globs and regular expressions over whole paths, and what is left of them below a root.
//
// find matches -path and -regex against root and path together, ours against the path below the
// root. So the root has to be taken off the pattern. Cutting its letters off the text of the
// pattern would be wrong for alternatives, classes and stars. Instead the pattern is parsed into an
// Expression, and the root is taken off by Brzozowski derivatives: derive(E, c) matches exactly the
// texts that E matches with c before them.
//
//     -regex './s[rt]c/.*\.c'   root `.`
//         derive by `.`  /s[rt]c/.*\.c
//         derive by `/`  s[rt]c/.*\.c     spelled as ^s[rt]c/.*\.c$
//
// A derivative by a whole text that matches the empty text means that the text matches: matches()
// uses that for the value of a test at a root. Expressions are immutable and shared, so a
// derivative copies only the nodes on its way. The functions that build them (join, either, repeat)
// simplify, or the derivatives would grow with each letter.
//
// The parts of this file, in their order: the tree and its constructors; spelling, which is also
// the comparison of two patterns; derivatives; parsers for bracket expressions, regular expressions
// in the six syntaxes of -regextype, and globs; and the result as a glob or an expression of ours.
//
// Texts are read by code points. Patterns match whole paths, as in find, until regex_of() writes
// them for a matcher that searches anywhere.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "foreign/find_line.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/utf8.h"

namespace ffind::foreign {

namespace {

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();
// A derivative can grow with each letter of the root. A longer pattern is not a line to paste.
constexpr std::size_t longest_pattern = 2000;

using CharacterRange = std::pair<char32_t, char32_t>;

}  // namespace

/// A node of a regular expression.
///
///     nothing            no text; the result of a derivative that fails
///     empty              the empty text
///     one, any, set      a single character: c, `.`, [a-z]
///     join, either       parts after one another; alternatives
///     repeat             {least,most} of its only part; `*` is {0,unlimited}
struct Expression {
  enum class Kind : unsigned char { nothing, empty, one, any, set, join, either, repeat };

  Kind kind = Kind::empty;
  char32_t character = 0;                ///< `one`
  std::vector<CharacterRange> ranges{};  ///< `set`
  bool negated = false;                  ///< `set`
  std::vector<Pattern> parts{};          ///< `join` and `either`; the only one of `repeat`
  unsigned least = 0;                    ///< `repeat`
  unsigned most = unlimited;             ///< `repeat`
};

namespace {

using Sort = Expression::Kind;

Pattern pattern_of(Expression expression) {
  return std::make_shared<const Expression>(std::move(expression));
}

Pattern nothing() {
  return pattern_of({.kind = Sort::nothing});
}
Pattern empty_text() {
  return pattern_of({.kind = Sort::empty});
}
Pattern one(char32_t character) {
  return pattern_of({.kind = Sort::one, .character = character});
}
Pattern any() {
  return pattern_of({.kind = Sort::any});
}

/// {0} is the empty text, {1} the pattern itself.
Pattern repeat(const Pattern& what, unsigned least, unsigned most) {
  if (most == 0) return empty_text();
  if (least == 1 && most == 1) return what;
  return pattern_of({.kind = Sort::repeat, .parts = {what}, .least = least, .most = most});
}

/// One pattern after another. Nested joins are flattened. `nothing` anywhere makes the whole match
/// nothing; the empty text is left out.
Pattern join(const std::vector<Pattern>& patterns) {
  std::vector<Pattern> parts;
  for (const Pattern& pattern : patterns) {
    if (pattern->kind == Sort::nothing) return pattern;
    if (pattern->kind == Sort::empty) continue;
    if (pattern->kind == Sort::join) {
      parts.insert(parts.end(), pattern->parts.begin(), pattern->parts.end());
    } else {
      parts.push_back(pattern);
    }
  }
  if (parts.empty()) return empty_text();
  if (parts.size() == 1) return parts.front();
  return pattern_of({.kind = Sort::join, .parts = std::move(parts)});
}

// --- Spelling

/// A character of a pattern with a backslash if it is in `special`.
std::string escaped(char32_t c, std::string_view special) {
  std::string text;
  if (c < 0x80 && special.find(static_cast<char>(c)) != std::string_view::npos) text += '\\';
  if (c == '\n') return "\\n";
  text::append_utf8(text, c);
  return text;
}

/// All that is special between brackets is escaped, so that each member may be at any place.
std::string spelled_set(const Expression& set) {
  std::string text = set.negated ? "[^" : "[";
  for (const auto& [first, last] : set.ranges) {
    text += escaped(first, "\\]^-[");
    if (first != last) text += "-" + escaped(last, "\\]^-[");
  }
  return text + "]";
}

/// The operators that a text may contain without parentheses around it.
enum class Level : unsigned char { alternatives, sequence, atom };

/// An expression in RE2's syntax. Throws for one that matches nothing. Parentheses are only written
/// where `level` needs them: `a|b` alone, `(a|b)c` in a sequence.
std::string spelled(const Expression& expression, Level level) {
  std::string text;
  switch (expression.kind) {
    case Sort::nothing:
      throw Untranslatable();
    case Sort::empty:
      return level == Level::atom ? "()" : "";
    case Sort::one:
      return escaped(expression.character, "\\^$.|?*+()[]{}");
    case Sort::any:
      return ".";
    case Sort::set:
      return spelled_set(expression);
    case Sort::join:
      for (const Pattern& part : expression.parts) text += spelled(*part, Level::sequence);
      return level == Level::atom ? "(" + text + ")" : text;
    case Sort::either:
      for (const Pattern& part : expression.parts) {
        if (&part != expression.parts.data()) text += '|';
        text += spelled(*part, Level::alternatives);
      }
      return level == Level::alternatives ? text : "(" + text + ")";
    case Sort::repeat:
      break;
  }
  text = spelled(*expression.parts.front(), Level::atom);
  if (expression.parts.front()->kind == Sort::repeat) text = "(" + text + ")";
  if (expression.most == unlimited && expression.least <= 1) {
    text += expression.least == 0 ? "*" : "+";
  } else if (expression.least == 0 && expression.most == 1) {
    text += "?";
  } else if (expression.most == unlimited) {
    text += text::format("{{{},}}", expression.least);
  } else if (expression.least == expression.most) {
    text += text::format("{{{}}}", expression.least);
  } else {
    text += text::format("{{{},{}}}", expression.least, expression.most);
  }
  return level == Level::atom ? "(" + text + ")" : text;
}

/// `.*`, which in find matches a slash, too.
bool is_any_text(const Pattern& pattern) {
  return pattern->kind == Sort::repeat && pattern->least == 0 && pattern->most == unlimited &&
         pattern->parts.front()->kind == Sort::any;
}

/// Alternatives, each once. One that matches everything replaces the others. Compared by their
/// spelling; quadratic in the alternatives.
Pattern either(const std::vector<Pattern>& patterns) {
  std::vector<Pattern> parts;
  for (const Pattern& pattern : patterns) {
    const std::vector<Pattern> inner =
        pattern->kind == Sort::either ? pattern->parts : std::vector{pattern};
    for (const Pattern& part : inner) {
      if (part->kind == Sort::nothing) continue;
      if (is_any_text(part)) return part;
      const bool known = std::any_of(parts.begin(), parts.end(),
                                     [&](const Pattern& other) { return is_same(part, other); });
      if (!known) parts.push_back(part);
    }
  }
  if (parts.empty()) return nothing();
  if (parts.size() == 1) return parts.front();
  return pattern_of({.kind = Sort::either, .parts = std::move(parts)});
}

// --- Derivatives

/// True if the empty text matches ("nullable" in the literature). `a*`, `()`, `a|b?` do; `a`, `a+`
/// do not.
bool matches_empty_text(const Expression& expression) {
  const auto& parts = expression.parts;
  const auto holds = [](const Pattern& part) { return matches_empty_text(*part); };
  switch (expression.kind) {
    case Sort::empty:
      return true;
    case Sort::join:
      return std::all_of(parts.begin(), parts.end(), holds);
    case Sort::either:
      return std::any_of(parts.begin(), parts.end(), holds);
    case Sort::repeat:
      return expression.least == 0 || holds(parts.front());
    default:
      return false;
  }
}

bool is_in_set(const Expression& set, char32_t c) {
  return std::any_of(set.ranges.begin(), set.ranges.end(), [&](const CharacterRange& range) {
    return range.first <= c && c <= range.second;
  });
}

char32_t other_case(char32_t c) {
  if ('a' <= c && c <= 'z') return c - 'a' + 'A';
  if ('A' <= c && c <= 'Z') return c - 'A' + 'a';
  return c;
}

/// True for letters outside ASCII that are a case of an ASCII letter: dotted and dotless i, long s,
/// the signs of kelvin. The two programs differ on them.
bool folds_to_ascii(char32_t c) {
  return c == 0x130 || c == 0x131 || c == 0x17F || c == 0x212A;
}

/// True if the expression, a single character, matches `c`. Throws if that depends on the folding
/// of letters outside ASCII, which differs between the two programs. A set ignores case by testing
/// both letters of a pair.
bool takes(const Expression& expression, char32_t c, bool sensitive) {
  if (expression.kind == Sort::any) return true;
  if (expression.kind == Sort::one) {
    if (expression.character == c) return true;
    if (sensitive) return false;
    const char32_t greater = std::max(c, expression.character);
    if (greater < 0x80) return expression.character == other_case(c);
    if (std::min(c, expression.character) >= 0x80 || folds_to_ascii(greater)) {
      throw Untranslatable();
    }
    return false;
  }
  if (!sensitive && c >= 0x80) throw Untranslatable();
  const bool in_set =
      is_in_set(expression, c) || (!sensitive && is_in_set(expression, other_case(c)));
  return in_set != expression.negated;
}

/// The pattern of the texts that may follow `c`.
///
///     ab      by a    b
///     a*b     by a    a*b
///     a?ab    by a    ab|b     first may be empty, so `rest` can begin with the letter, too
///     a{2,3}  by a    a{1,2}
///     a|b     by a    the empty text
Pattern derive(const Pattern& pattern, char32_t c, bool sensitive) {
  switch (pattern->kind) {
    case Sort::nothing:
    case Sort::empty:
      return nothing();
    case Sort::one:
    case Sort::any:
    case Sort::set:
      return takes(*pattern, c, sensitive) ? empty_text() : nothing();
    case Sort::join: {
      const Pattern& first = pattern->parts.front();
      const Pattern rest = join({pattern->parts.begin() + 1, pattern->parts.end()});
      Pattern after = join({derive(first, c, sensitive), rest});
      if (!matches_empty_text(*first)) return after;
      return either({after, derive(rest, c, sensitive)});
    }
    case Sort::either: {
      std::vector<Pattern> parts;
      for (const Pattern& part : pattern->parts) parts.push_back(derive(part, c, sensitive));
      return either(parts);
    }
    case Sort::repeat:
      break;
  }
  const Pattern& what = pattern->parts.front();
  const unsigned least = pattern->least == 0 ? 0 : pattern->least - 1;
  const unsigned most = pattern->most == unlimited ? unlimited : pattern->most - 1;
  return join({derive(what, c, sensitive), repeat(what, least, most)});
}

/// The derivative by all characters of `text`. Stops at `nothing`, which stays so.
Pattern derive_all(Pattern pattern, std::string_view text, bool sensitive) {
  for (std::size_t at = 0; at < text.size();) {
    pattern = derive(pattern, text::next_code_point(text, at), sensitive);
    if (pattern->kind == Sort::nothing) break;
    if (spelled(*pattern, Level::alternatives).size() > longest_pattern) throw Untranslatable();
  }
  return pattern;
}

// --- Parsers

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

bool matches(Pattern pattern, std::string_view text, bool sensitive) {
  return matches_empty_text(*derive_all(std::move(pattern), text, sensitive));
}

/// find puts a slash between root and name unless the root ends with one.
Pattern below_root(Pattern pattern, std::string_view root, bool sensitive) {
  pattern = derive_all(std::move(pattern), root, sensitive);
  if (!root.ends_with('/')) pattern = derive_all(std::move(pattern), "/", sensitive);
  if (pattern->kind == Sort::empty) return nothing();
  if (pattern->kind != Sort::either) return pattern;
  // A path below the root has at least one character.
  std::vector<Pattern> parts;
  for (const Pattern& part : pattern->parts) {
    if (part->kind != Sort::empty) parts.push_back(part);
  }
  return either(parts);
}

/// Equal spellings are the same pattern. Different ones may be, too; then no line is offered.
bool is_same(const Pattern& one, const Pattern& other) {
  if (one->kind == Sort::nothing || other->kind == Sort::nothing) return one->kind == other->kind;
  return spelled(*one, Level::alternatives) == spelled(*other, Level::alternatives);
}

bool matches_everything(const Pattern& pattern) {
  return is_any_text(pattern);
}

bool matches_nothing(const Pattern& pattern) {
  return pattern->kind == Sort::nothing;
}

namespace {

std::vector<Pattern> parts_of(const Pattern& pattern, Sort kind) {
  return pattern->kind == kind ? pattern->parts : std::vector{pattern};
}

bool is_slash(const Pattern& pattern) {
  return pattern->kind == Sort::one && pattern->character == '/';
}

/// True if no text that the pattern matches has a slash in it, nor is empty.
bool stays_in_name(const Expression& expression) {
  const auto stays = [](const Pattern& part) { return stays_in_name(*part); };
  switch (expression.kind) {
    case Sort::one:
      return expression.character != '/';
    case Sort::set:
      return is_in_set(expression, '/') == expression.negated;
    case Sort::join:
    case Sort::either:
    case Sort::repeat:
      return std::all_of(expression.parts.begin(), expression.parts.end(), stays);
    case Sort::nothing:
    case Sort::empty:
    case Sort::any:
      break;
  }
  return false;
}

/// The rest after `.*/`; nullopt for another beginning. `.*/x` is x in any directory.
std::optional<Pattern> after_any_directory(const Pattern& pattern) {
  const std::vector<Pattern> parts = parts_of(pattern, Sort::join);
  if (parts.size() < 3 || !is_any_text(parts[0]) || !is_slash(parts[1])) return {};
  return join({parts.begin() + 2, parts.end()});
}

/// The pattern that the name has to match, if it alone decides; else nullopt. A pattern has to be
/// about the end of the path, or about all of it in every directory.
///
///     .*\.c           .*\.c
///     .*/x|x          x
///     .*/x            none: x/x matches, x does not
std::optional<Pattern> pattern_of_name(const Pattern& pattern) {
  if (pattern->kind == Sort::nothing) return {};
  const std::vector<Pattern> alternatives = parts_of(pattern, Sort::either);
  std::vector<Pattern> names;
  std::vector<Pattern> in_directories;
  for (const Pattern& alternative : alternatives) {
    const auto rest = after_any_directory(alternative);
    const std::vector<Pattern> parts = parts_of(alternative, Sort::join);
    if (rest && stays_in_name(**rest)) {
      in_directories.push_back(*rest);
    } else if (stays_in_name(*alternative)) {
      names.push_back(alternative);
    } else if (parts.size() > 1 && is_any_text(parts[0]) &&
               stays_in_name(*join({parts.begin() + 1, parts.end()}))) {
      names.push_back(alternative);
      in_directories.push_back(alternative);
    } else {
      return {};
    }
  }
  const Pattern name = either(names);
  if (!is_same(name, either(in_directories))) return {};
  return name;
}

/// The pattern as a glob of ours; empty unless it consists of letters and stars. A star of find
/// crosses slashes, as `**` does here. But `a/**/b` matches a/b too, and `a/*/b` of find does not:
/// hence `*/**`. `src/.*` is src/**, `.*/a/.*` is */**/a/**.
std::string glob_of(const Pattern& pattern) {
  std::string glob;
  const std::vector<Pattern> parts = parts_of(pattern, Sort::join);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Expression& part = *parts[i];
    if (part.kind == Sort::one) {
      if (part.character == '\n') return {};
      glob += escaped(part.character, "\\*?[]{}");
      continue;
    }
    if (!is_any_text(parts[i])) return {};
    const bool after_slash = i == 0 || is_slash(parts[i - 1]);
    const bool before_slash = i + 1 < parts.size() && is_slash(parts[i + 1]);
    glob += after_slash && before_slash ? "*/**" : "**";
  }
  return glob;
}

/// The pattern as a regular expression of ours, which matches anywhere: an alternative has an
/// anchor unless it begins or ends with `.*`. `X|.*/X` is written (^|/)X.
///
///     src/.*                ^src/
///     .*\.c                 \.c$
///     .*/lib/x|lib/x        (^|/)lib/x$
std::string regex_of(const Pattern& pattern) {
  std::vector<Pattern> alternatives = parts_of(pattern, Sort::either);
  std::string text;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    std::string head;
    Pattern alternative = alternatives[i];
    if (const auto rest = after_any_directory(alternative)) {
      const auto same = std::find_if(alternatives.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                     alternatives.end(),
                                     [&](const Pattern& each) { return is_same(each, *rest); });
      if (same != alternatives.end()) {
        head = "(^|/)";
        alternative = *rest;
        alternatives.erase(same);
      }
    }
    std::vector<Pattern> parts = parts_of(alternative, Sort::join);
    if (head.empty()) {
      if (is_any_text(parts.front())) {
        parts.erase(parts.begin());
      } else {
        head = "^";
      }
    }
    const bool open_end = !parts.empty() && is_any_text(parts.back());
    if (open_end) parts.pop_back();
    if (i > 0) text += '|';
    text += head + spelled(*join(parts), Level::sequence) + (open_end ? "" : "$");
  }
  return text;
}

}  // namespace

std::optional<Test> name_test(const Pattern& below, bool may_be_glob, bool sensitive) {
  const auto name = pattern_of_name(below);
  if (!name) return {};
  Test test;
  test.field = "name";
  test.sensitive = sensitive;
  if (may_be_glob) test.text = glob_of(*name);
  test.op = test.text.empty() ? "~" : "glob";
  if (test.text.empty()) test.text = regex_of(*name);
  // A name has no slashes to cross.
  if (test.text.starts_with("**")) test.text.erase(0, 1);
  return test;
}

/// Also for `X|.*/X`, which `*/X` leaves of root `.`: the glob is **/X.
Test path_test(const Pattern& below, bool may_be_glob, bool sensitive) {
  Test test;
  test.field = "path";
  test.sensitive = sensitive;
  test.op = "glob";
  if (may_be_glob) {
    const std::vector<Pattern> alternatives = parts_of(below, Sort::either);
    const auto rest = after_any_directory(alternatives.front());
    if (alternatives.size() == 1) {
      test.text = glob_of(below);
    } else if (alternatives.size() == 2 && rest && is_same(*rest, alternatives[1])) {
      const std::string glob = glob_of(*rest);
      if (!glob.empty()) test.text = "**/" + glob;
    }
    if (!test.text.empty()) return test;
  }
  test.op = "~";
  test.text = regex_of(below);
  if (test.text.empty()) throw Untranslatable();
  return test;
}

}  // namespace ffind::foreign
