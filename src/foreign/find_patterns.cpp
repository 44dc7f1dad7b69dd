// SPDX-License-Identifier: MIT
// Globs and regular expressions of find over whole paths, and the rest of them below a root as
// a glob or a regular expression of ours. None if two libraries read a pattern differently.
//
// find matches -path and -regex against root and path together, ours against the path below the
// root. So a pattern is parsed into alternatives, each a sequence of pieces, and the root is taken
// off letter by letter (Antimirov's partial derivatives):
//
//     .*/lib|./a?b        root `.`
//         by `.`          .*/lib, /a?b
//         by `/`          .*/lib, lib, a?b
//
// Patterns that are not equal may match the same texts, too; then no line is offered.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "foreign/find_line.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/utf8.h"

namespace ffind::foreign {

/// Operators of a syntax of -regextype, apart from . [ * ^ $, which all have. Names are those of
/// GNU find. An escaped character that is refused is an operator in one library and a letter in
/// another.
struct Syntax {
  std::string_view types;
  std::string_view plain;    ///< operators as they are
  std::string_view escaped;  ///< operators with a backslash in front
  std::string_view refused;  ///< with a backslash in front
};

namespace {

using CharacterRange = std::pair<char32_t, char32_t>;

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

enum class Atom : unsigned char { letter, any_character, set, group };

/// A single character (c, `.`, [a-z]) or a group of alternatives, {least,most} times.
struct Piece {
  Atom kind = Atom::letter;
  char32_t character = 0;                   ///< `letter`
  std::vector<CharacterRange> ranges{};     ///< `set`
  std::string classes{};                    ///< `set` of a name: "[:upper:]"
  bool negated = false;                     ///< `set`
  std::vector<std::vector<Piece>> group{};  ///< `group`
  unsigned least = 1;
  unsigned most = 1;

  bool operator==(const Piece&) const = default;
};

/// Without pieces it matches the empty text.
using Sequence = std::vector<Piece>;

/// Alternatives; without any it matches nothing.
using PathPattern = std::vector<Sequence>;

constexpr Syntax syntaxes[] = {{"findutils-default", "+?", "()|", "{}"},
                               {"emacs", "+?", "()|", "{}"},
                               {"ed sed grep posix-basic", "", "()|+?{", "}"},
                               {"posix-minimal-basic", "", "(){", "|+?}"},
                               {"posix-extended egrep posix-egrep", "()|+?{", "", ""},
                               {"awk gnu-awk posix-awk", "()|+?", "", ""}};

// A derivative can grow with each letter of the root. A longer pattern is not a line to paste.
constexpr std::size_t longest_pattern = 2000;

bool is_any_text(const Piece& piece) {
  return piece.kind == Atom::any_character && piece.least == 0 && piece.most == unlimited;
}

bool matches_everything(const PathPattern& pattern) {
  return pattern.size() == 1 && pattern.front().size() == 1 && is_any_text(pattern.front().front());
}

bool is_single(const Piece& piece) {
  return piece.least == 1 && piece.most == 1;
}

bool is_letter(const Piece& piece) {
  return piece.kind == Atom::letter && is_single(piece);
}

bool is_slash(const Piece& piece) {
  return is_letter(piece) && piece.character == '/';
}

// --- Spelling

/// A character of a pattern with a backslash if it is in `special`.
std::string escaped(char32_t c, std::string_view special) {
  std::string text;
  if (c < 0x80 && special.find(static_cast<char>(c)) != std::string_view::npos) text += '\\';
  if (c == '\n' && !text.empty()) return "\\n";
  text::append_utf8(text, c);
  return text;
}

/// Appends the members of a set, and the bracket after them.
void append_members(std::string& text, const Piece& set, std::string_view special) {
  for (const auto& [first, last] : set.ranges) {
    text += escaped(first, special);
    if (first != last) text += "-" + escaped(last, special);
  }
  text += ']';
}

std::string spelled(const PathPattern& pattern);

/// A character or a group in RE2's syntax. All that is special between brackets is escaped, so that
/// each member may be at any place.
std::string spelled_once(const Piece& piece) {
  switch (piece.kind) {
    case Atom::letter:
      return escaped(piece.character, "\n\\^$.|?*+()[]{}");
    case Atom::any_character:
      return ".";
    case Atom::group:
      return "(" + spelled(piece.group) + ")";
    case Atom::set:
      break;
  }
  std::string text = piece.negated ? "[^" : "[";
  append_members(text, piece, "\n\\]^-[");
  return text;
}

std::string spelled(const Sequence& sequence) {
  std::string text;
  for (const Piece& piece : sequence) {
    text += spelled_once(piece);
    if (piece.most == unlimited && piece.least <= 1) {
      text += piece.least == 0 ? "*" : "+";
    } else if (piece.most == 1) {
      text += piece.least == 0 ? "?" : "";
    } else if (piece.most == unlimited) {
      text += text::format("{{{},}}", piece.least);
    } else if (piece.least == piece.most) {
      text += text::format("{{{}}}", piece.least);
    } else {
      text += text::format("{{{},{}}}", piece.least, piece.most);
    }
  }
  return text;
}

std::string spelled(const PathPattern& pattern) {
  std::string text;
  for (const Sequence& sequence : pattern) {
    if (&sequence != pattern.data()) text += '|';
    text += spelled(sequence);
  }
  return text;
}

/// Adds an alternative unless it is there already; of a lone group, its alternatives. One that
/// matches everything replaces the others. Quadratic, for a few alternatives.
void add(PathPattern& pattern, const Sequence& sequence) {
  if (sequence.size() == 1 && sequence.front().kind == Atom::group && is_single(sequence.front())) {
    for (const Sequence& each : sequence.front().group) add(pattern, each);
    return;
  }
  if (matches_everything(pattern)) return;
  if (matches_everything({sequence})) pattern.clear();
  if (std::find(pattern.begin(), pattern.end(), sequence) == pattern.end()) {
    pattern.push_back(sequence);
  }
}

// --- Parsers

/// Reads a bracket expression after its first bracket. Throws for named classes other than digits
/// unless the set is `of_name`: their members depend on the locale. In globs and in awk a backslash
/// `escapes`, in globs `!` negates like `^`. Else both are members.
Piece parse_set(std::string_view text, std::size_t& at, bool escapes, bool is_glob,
                bool of_name = false) {
  Piece set{.kind = Atom::set};
  if (at < text.size() && (text[at] == '^' || (is_glob && text[at] == '!'))) {
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
    if (const std::size_t end = text.find(":]", at);
        of_name && text.substr(at).starts_with("[:") && end != text.npos) {
      set.classes += text.substr(at, end + 2 - at);
      at = end + 2;
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
  return set;
}

/// Recursive descent over the regular expressions of glibc and gnulib. Throws for an operator in a
/// place in which one syntax reads it as a letter and another refuses it.
class RegexParser {
 public:
  RegexParser(std::string_view text, const Syntax& syntax) : text_(text), syntax_(syntax) {}

  PathPattern parse() {
    if (text_.find('\n') != std::string_view::npos) throw Untranslatable();
    PathPattern pattern = parse_alternatives(true);
    if (at_ != text_.size()) throw Untranslatable();
    return pattern;
  }

 private:
  // Tokens are operators as written, or one of these.
  static constexpr char end = '\0';
  static constexpr char letter = 'a';

  bool is_awk() const { return syntax_.types.starts_with("awk"); }

  // Looks at the token at `at_` without consuming it; `length_` is 1 or 2, with the backslash.
  char read() {
    if (at_ == text_.size()) return end;
    const char c = text_[at_];
    length_ = c == '\\' ? 2 : 1;
    if (c != '\\') {
      if (c == '{' && is_awk()) throw Untranslatable();
      const bool is_operator = std::string_view(".[*^$").find(c) != std::string_view::npos ||
                               syntax_.plain.find(c) != std::string_view::npos;
      return is_operator ? c : letter;
    }
    if (at_ + 1 == text_.size()) throw Untranslatable();
    const char next = text_[at_ + 1];
    if (syntax_.escaped.find(next) != std::string_view::npos) return next;
    // Back references, word boundaries and other extensions of one library, too.
    if (syntax_.refused.find(next) != std::string_view::npos || text::is_letter(next) ||
        text::is_digit(next) || std::string_view("<>`'").find(next) != std::string_view::npos ||
        static_cast<unsigned char>(next) >= 0x80) {
      throw Untranslatable();
    }
    return letter;
  }

  PathPattern parse_alternatives(bool at_top) {
    // Limits groups in groups: the parser and the functions on pieces are recursive.
    if (++depth_ > 50) throw Untranslatable();
    PathPattern alternatives;
    for (;;) {
      add(alternatives, parse_sequence(at_top));
      if (read() != '|') break;
      at_ += length_;
    }
    --depth_;
    return alternatives;
  }

  // `^` and `$` are only accepted at the ends of an alternative outside groups. There they have no
  // effect: find matches the whole path anyway.
  Sequence parse_sequence(bool at_top) {
    Sequence pieces;
    bool is_empty = true;
    for (bool first = true;; first = false) {
      const char token = read();
      if (token == end || token == '|' || token == ')') break;
      if (token == '^') {
        if (!first || !at_top) throw Untranslatable();
        ++at_;
        continue;
      }
      if (token == '$') {
        ++at_;
        const char next = read();
        if (!at_top || (next != end && next != '|')) throw Untranslatable();
        break;
      }
      append_repeated(pieces, token);
      is_empty = false;
    }
    if (is_empty) throw Untranslatable();
    return pieces;
  }

  // Parentheses around a single alternative vanish, unless they are repeated.
  void append_repeated(Sequence& pieces, char token) {
    Piece piece = parse_atom(token);
    parse_repetition(piece);
    if (piece.most == 0) return;
    if (piece.kind == Atom::group && piece.group.size() == 1) {
      const Sequence inner = piece.group.front();
      if (is_single(piece)) {
        pieces.insert(pieces.end(), inner.begin(), inner.end());
        return;
      }
      if (inner.size() == 1 && is_single(inner.front())) {
        const Piece group = std::exchange(piece, inner.front());
        piece.least = group.least;
        piece.most = group.most;
      }
    }
    pieces.push_back(std::move(piece));
  }

  void parse_repetition(Piece& piece) {
    const auto repeats = [](char token) {
      return std::string_view("*+?{").find(token) != std::string_view::npos;
    };
    const char token = read();
    if (!repeats(token)) return;
    at_ += length_;
    if (token == '{') {
      parse_interval(piece);
    } else {
      piece.least = token == '+' ? 1 : 0;
      piece.most = token == '?' ? 1 : unlimited;
    }
    // `a**` and `a*{2}`: libraries differ.
    if (repeats(read())) throw Untranslatable();
  }

  Piece parse_atom(char token) {
    at_ += token == letter ? length_ - 1 : length_;
    switch (token) {
      case '.':
        // In the syntax "emacs" a dot does not match a newline.
        if (syntax_.types != "emacs") return {.kind = Atom::any_character};
        return {.kind = Atom::set, .ranges = {{'\n', '\n'}}, .negated = true};
      case '[':
        return parse_set(text_, at_, is_awk(), false);
      case '(': {
        Piece group{.kind = Atom::group, .group = parse_alternatives(false)};
        if (read() != ')') throw Untranslatable();
        at_ += length_;
        return group;
      }
      case letter:
        return {.character = text::next_code_point(text_, at_)};
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

  void parse_interval(Piece& piece) {
    piece.least = piece.most = parse_number();
    if (text_.substr(at_).starts_with(",")) {
      ++at_;
      const bool open = at_ < text_.size() && !text::is_digit(text_[at_]);
      piece.most = open ? unlimited : parse_number();
    }
    const std::string_view close = syntax_.escaped.empty() ? "}" : "\\}";
    if (!text_.substr(at_).starts_with(close) || piece.most < piece.least) throw Untranslatable();
    at_ += close.size();
  }

  std::string_view text_;
  const Syntax& syntax_;
  std::size_t at_ = 0;
  std::size_t length_ = 0;  ///< of the token read last
  unsigned depth_ = 0;
};

// --- Derivatives

bool may_be_empty(const Piece& piece) {
  return piece.least == 0 ||
         std::any_of(piece.group.begin(), piece.group.end(), [](const Sequence& sequence) {
           return std::all_of(sequence.begin(), sequence.end(), may_be_empty);
         });
}

bool is_in_set(const Piece& set, char32_t c) {
  return std::any_of(set.ranges.begin(), set.ranges.end(), [&](const CharacterRange& range) {
    return range.first <= c && c <= range.second;
  });
}

char32_t other_case(char32_t c) {
  if ('a' <= c && c <= 'z') return c - 'a' + 'A';
  if ('A' <= c && c <= 'Z') return c - 'A' + 'a';
  return c;
}

/// True if the piece, no group, matches `c`. Throws if that depends on the folding of letters
/// outside ASCII, which differs between the two programs. A set ignores case by testing both
/// letters of a pair.
bool takes(const Piece& piece, char32_t c, bool sensitive) {
  if (piece.kind == Atom::any_character) return true;
  const bool is_letter = piece.kind == Atom::letter;
  if (is_letter && piece.character == c) return true;
  if (!sensitive && (c >= 0x80 || piece.character >= 0x80)) throw Untranslatable();
  const char32_t other = sensitive ? c : other_case(c);
  return is_letter ? piece.character == other
                   : (is_in_set(piece, c) || is_in_set(piece, other)) != piece.negated;
}

/// The pattern of the texts that may follow `c`. If the first pieces may be empty, the letter may
/// be that of a later one:
///
///     ab      by a    b
///     a*b     by a    a*b
///     a?ab    by a    ab, b
///     a{2,3}  by a    a{1,2}
PathPattern derivative(const Sequence& sequence, char32_t c, bool sensitive) {
  PathPattern after;
  for (auto piece = sequence.begin(); piece != sequence.end(); ++piece) {
    Sequence rest(piece + 1, sequence.end());
    Piece more = *piece;
    if (more.least > 0) --more.least;
    if (more.most != unlimited) --more.most;
    if (more.most > 0) rest.insert(rest.begin(), std::move(more));
    if (piece->kind != Atom::group && takes(*piece, c, sensitive)) add(after, rest);
    for (const Sequence& choice : piece->group) {
      for (Sequence head : derivative(choice, c, sensitive)) {
        head.insert(head.end(), rest.begin(), rest.end());
        add(after, head);
      }
    }
    if (!may_be_empty(*piece)) break;
  }
  return after;
}

/// The derivative by all characters of `text`.
PathPattern without(PathPattern pattern, std::string_view text, bool sensitive) {
  for (std::size_t at = 0; at < text.size() && !pattern.empty();) {
    const char32_t c = text::next_code_point(text, at);
    PathPattern after;
    for (const Sequence& each : pattern) {
      for (const Sequence& one : derivative(each, c, sensitive)) add(after, one);
    }
    pattern = std::move(after);
    if (spelled(pattern).size() > longest_pattern) throw Untranslatable();
  }
  return pattern;
}

// --- As ours

/// True for a sequence of at least one piece that matches no text with a slash.
bool stays_in_name(const Sequence& sequence) {
  return !sequence.empty() && std::all_of(sequence.begin(), sequence.end(), [](const Piece& piece) {
    return piece.kind == Atom::letter ? piece.character != '/'
           : piece.kind == Atom::set  ? is_in_set(piece, '/') == piece.negated
           : piece.kind == Atom::group
               ? std::all_of(piece.group.begin(), piece.group.end(), stays_in_name)
               : false;
  });
}

/// The rest after `.*/`; nullopt for another beginning. `.*/x` is x in any directory.
std::optional<Sequence> after_any_directory(const Sequence& sequence) {
  if (sequence.size() < 3 || !is_any_text(sequence[0]) || !is_slash(sequence[1])) return {};
  return Sequence(sequence.begin() + 2, sequence.end());
}

/// The pattern that the name has to match, if it alone decides; else nullopt. A pattern has to be
/// about the end of the path, or about all of it in every directory.
///
///     .*\.c           .*\.c
///     .*/x|x          x
///     .*/x            none: x/x matches, x does not
std::optional<PathPattern> pattern_of_name(const PathPattern& pattern) {
  PathPattern names;
  PathPattern in_directories;
  for (const Sequence& sequence : pattern) {
    const auto rest = after_any_directory(sequence);
    if (rest && stays_in_name(*rest)) {
      add(in_directories, *rest);
    } else if (stays_in_name(sequence)) {
      add(names, sequence);
    } else if (!sequence.empty() && is_any_text(sequence.front()) &&
               stays_in_name({sequence.begin() + 1, sequence.end()})) {
      add(names, sequence);
      add(in_directories, sequence);
    } else {
      return {};
    }
  }
  if (names.empty() || names != in_directories) return {};
  return names;
}

/// The sequence as a glob of ours, of a name or a path; empty if there is none. A star of find
/// crosses slashes, as `**` does here. But `a/**/b` matches a/b too, and `a/*/b` of find does not:
/// hence `*/**`. `src/.*` is src/**, `.*/a/.*` is */**/a/**. Braces are letters to find.
std::string glob_of(const Sequence& sequence, bool of_name) {
  std::string glob;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Piece& piece = sequence[i];
    if (is_letter(piece)) {
      glob += escaped(piece.character, "\\*?[]{}");
    } else if (is_any_text(piece)) {
      const bool after_slash = i == 0 || is_slash(sequence[i - 1]);
      const bool before_slash = i + 1 < sequence.size() && is_slash(sequence[i + 1]);
      glob += of_name ? "*" : after_slash && before_slash ? "*/**" : "**";
    } else if (!of_name || !is_single(piece) || piece.kind == Atom::group) {
      return {};
    } else if (piece.kind == Atom::any_character) {
      glob += '?';
    } else {
      glob.append(piece.negated ? "[!" : "[").append(piece.classes);
      append_members(glob, piece, "\\]^-[!");
    }
  }
  return glob;
}

/// The pattern as a regular expression of ours, which matches anywhere: an alternative has an
/// anchor unless it begins or ends with `.*`. `.*/X|X` is written (^|/)X.
///
///     src/.*                ^src/
///     .*\.c                 \.c$
///     .*/lib/x|lib/x        (^|/)lib/x$
std::string regex_of(PathPattern pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    std::string head = "^";
    Sequence sequence = pattern[i];
    if (const auto rest = after_any_directory(sequence)) {
      const auto same =
          std::find(pattern.begin() + static_cast<std::ptrdiff_t>(i) + 1, pattern.end(), *rest);
      if (same != pattern.end()) {
        head = "(^|/)";
        sequence = *rest;
        pattern.erase(same);
      }
    }
    if (head == "^" && !sequence.empty() && is_any_text(sequence.front())) {
      head.clear();
      sequence.erase(sequence.begin());
    }
    const bool open_end = !sequence.empty() && is_any_text(sequence.back());
    if (open_end) sequence.pop_back();
    if (i > 0) text += '|';
    text += head + spelled(sequence) + (open_end ? "" : "$");
  }
  return text;
}

/// True if the bracket `glob[at]` begins a set; one that is not closed is a letter.
bool begins_set(std::string_view glob, std::size_t at) {
  if (++at < glob.size() && (glob[at] == '!' || glob[at] == '^')) ++at;
  for (bool first = true; at < glob.size(); ++at, first = false) {
    if (glob[at] == ']' && !first) return true;
    const bool is_class = glob[at] == '[' && at + 1 < glob.size() &&
                          std::string_view(":.=").find(glob[at + 1]) != std::string_view::npos;
    const std::size_t end = is_class ? glob.find(std::string{glob[at + 1], ']'}, at + 2) : at;
    if (is_class && end != std::string_view::npos) at = end + 1;
    if (glob[at] == '\\') ++at;
  }
  return false;
}

/// Parses a glob as fnmatch does without flags: stars and question marks match slashes too.
PathPattern pattern_of_glob(std::string_view glob, bool of_name = false) {
  Sequence pieces;
  for (std::size_t at = 0; at < glob.size();) {
    const char c = glob[at];
    if (c == '*') {
      ++at;
      // Consecutive stars are one.
      if (pieces.empty() || !is_any_text(pieces.back())) {
        pieces.push_back({.kind = Atom::any_character, .least = 0, .most = unlimited});
      }
    } else if (c == '?') {
      ++at;
      pieces.push_back({.kind = Atom::any_character});
    } else if (c == '[' && begins_set(glob, at)) {
      ++at;
      pieces.push_back(parse_set(glob, at, true, true, of_name));
    } else {
      if (c == '\\' && ++at == glob.size()) throw Untranslatable();
      pieces.push_back({.character = text::next_code_point(glob, at)});
    }
  }
  return {pieces};
}

Test glob_test(std::string_view field, std::string glob, bool sensitive) {
  return {.field = field,
          .op = query::Operator::glob,
          .values = {std::move(glob)},
          .sensitive = sensitive};
}

Test regex_test(std::string_view field, std::string regex, bool sensitive) {
  return {.field = field,
          .op = query::Operator::matches,
          .values = {std::move(regex)},
          .sensitive = sensitive};
}

/// The test of the name that is the same as matching the path with `below`; nullopt if there is
/// none. -path '*.c' is name glob "*.c".
std::optional<Test> name_test(const PathPattern& below, bool may_be_glob, bool sensitive) {
  const auto name = pattern_of_name(below);
  if (!name) return {};
  std::string text = may_be_glob && name->size() == 1 ? glob_of(name->front(), true) : "";
  if (text.empty()) return regex_test("name", regex_of(*name), sensitive);
  return glob_test("name", std::move(text), sensitive);
}

/// A glob if `may_be_glob` and there is one for `below`, else a regular expression. `.*/X|X`, which
/// `*/X` leaves of root `.`, is **/X.
Test path_test(const PathPattern& below, bool may_be_glob, bool sensitive) {
  std::string text;
  if (may_be_glob) {
    const auto rest = after_any_directory(below.front());
    if (below.size() == 1) {
      text = glob_of(below.front(), false);
    } else if (below.size() == 2 && rest && *rest == below[1]) {
      text = glob_of(*rest, false);
      if (!text.empty()) text.insert(0, "**/");
    }
    if (!text.empty()) return glob_test("path", std::move(text), sensitive);
  }
  text = regex_of(below);
  if (text.empty()) throw Untranslatable();
  return regex_test("path", std::move(text), sensitive);
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

}  // namespace

const Syntax& syntax_of(std::string_view type) {
  for (const Syntax& syntax : syntaxes) {
    for (std::string_view rest = syntax.types; !rest.empty();) {
      if (text::take_part(rest, ' ') == type) return syntax;
    }
  }
  throw Untranslatable();
}

/// -path and -regex, which are matched against root and path together. The pattern must leave the
/// same for the path below each root. For `src lib` and -path '*/x/*' that is so, but not for -path
/// 'src/*': below src everything matches, below lib nothing.
Node FindLine::parse_path(const Predicate& predicate) {
  const bool sensitive = predicate.here == "case";
  const bool is_glob = predicate.form == Form::path;
  const std::string text = take();
  if (!sensitive) refuse_uneven_folding(text);
  const PathPattern whole = is_glob ? pattern_of_glob(text) : RegexParser(text, *syntax_).parse();
  if (is_run_) {
    return {.kind = Kind::test, .test = regex_test("printed_path", regex_of(whole), sensitive)};
  }
  needs_paths_ = true;
  std::optional<PathPattern> below;
  for (const Root& root : roots_) {
    // find reports a missing root and goes on with the others.
    if (root.place == Place::missing && roots_.size() > 1) continue;
    // The path of a file is its name here.
    if (root.place == Place::link || root.place == Place::other) throw Untranslatable();
    PathPattern here = without(whole, root.path, sensitive);
    path_matches_roots_ =
        path_matches_roots_ || std::any_of(here.begin(), here.end(), [](const Sequence& one) {
          return std::all_of(one.begin(), one.end(), may_be_empty);
        });
    // find puts a slash between root and name unless the root ends with one.
    if (!root.path.ends_with('/')) here = without(std::move(here), "/", sensitive);
    // A path below the root has at least one character.
    std::erase_if(here, [](const Sequence& sequence) { return sequence.empty(); });
    if (below && *below != here) throw Untranslatable();
    below = std::move(here);
  }
  if (!below) throw Untranslatable();
  const auto by_name = name_test(*below, is_glob, sensitive);
  const bool is_constant = matches_everything(*below) || below->empty();
  return leaf(is_constant ? constant(!below->empty())
              : by_name   ? *by_name
                          : path_test(*below, is_glob, sensitive));
}

/// -lname: the text of the link, not a path below a root.
Node FindLine::parse_link_text(bool sensitive) {
  const std::string text = take();
  if (!sensitive) refuse_uneven_folding(text);
  if (text == "*") {  // any link has a target
    return leaf({.field = "type", .values = {"l"}, .option = cli::Id::type});
  }
  // In a glob of ours a star stops at a slash, so with slashes only a regular expression is exact.
  Test test = path_test(pattern_of_glob(text), text.find('/') == std::string::npos, sensitive);
  test.field = "target";
  return leaf(std::move(test));
}

/// -name and -iname.
Node FindLine::parse_name(bool sensitive) {
  const std::string glob = take();
  if (!sensitive) refuse_uneven_folding(glob);
  const std::size_t letters = glob.find_last_not_of('\\') + 1;
  // A backslash at the end escapes nothing, and is no letter.
  const bool never_matches =
      glob.find('/') != std::string::npos || (glob.size() - letters) % 2 == 1;
  // The name of the root is a slash.
  if (is_run_ && glob == "/") return leaf(regex_test("name", "^/$", true));
  if (never_matches && !is_run_) throw Untranslatable();
  if (never_matches) return nothing_at_all();
  Test test = glob_test("name", glob_of(pattern_of_glob(glob, true).front(), true), sensitive);
  if (test.text().empty()) throw Untranslatable();
  // Every name matches, so it does not count as a filter for --delete.
  if (test.text() == "*") return everything();
  // Without case, find compares [:upper:] with small letters.
  const bool has_classes = glob.find("[[:") != std::string::npos;
  if (has_classes && !sensitive) throw Untranslatable();
  return leaf(std::move(test));
}

}  // namespace ffind::foreign
