// SPDX-License-Identifier: MIT
// Globs and regular expressions of find over whole paths in RE2's syntax, and the rest of them
// below a root as a pattern of ours. None if two libraries read a pattern differently.
//
// find matches -path and -regex against root and path together, ours against the path below the
// root. So the parsers keep the letters that each alternative begins with, and the root is taken
// off them:
//
//     pattern       below the root `.`     because `./`
//     \./src/.*     ^src/                  is its beginning
//     .*/lib/x      (^|/)lib/x$            may end where /lib/x begins
//     .*\.c         \.c$                   ends before \.c begins
//
// Other patterns have no line in our words; --as find matches them against the whole path.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "foreign/find_line.h"
#include "text/ascii.h"
#include "text/format.h"
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

constexpr Syntax syntaxes[] = {{"findutils-default", "+?", "()|", "{}"},
                               {"emacs", "+?", "()|", "{}"},
                               {"ed sed grep posix-basic", "", "()|+?{", "}"},
                               {"posix-minimal-basic", "", "(){", "|+?}"},
                               {"posix-extended egrep posix-egrep", "()|+?{", "", ""},
                               {"awk gnu-awk posix-awk", "()|+?", "", ""}};

/// The text with a backslash before each character in `special`.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' && result.ends_with('\\') ? 'n' : c;
  }
  return result;
}

/// Letters of a regular expression of RE2's, and of a glob of ours.
std::string in_regex(std::string_view text) {
  return escaped(text, "\n\\^$.|?*+()[]{}");
}
std::string in_glob(std::string_view text) {
  return escaped(text, "\\*?[]{}");
}

/// One alternative of a pattern over whole paths: any text if it `begins_open`, the letters `head`,
/// the regular expression `tail`, any text if it `ends_open`.
struct Alternative {
  bool begins_open = false;
  bool ends_open = false;
  std::string head{};
  std::string tail{};
  std::string glob{};    ///< the tail as a glob of ours
  bool is_glob = false;  ///< has one

  bool has_head_only() const { return tail.empty() && !ends_open; }

  void add_letter(std::string_view letter) {
    if (has_head_only()) {
      head += letter;
    } else {
      add(in_regex(letter));
      glob += in_glob(letter);
    }
  }
  void add_any() {
    if (is_everything()) return;
    if (!begins_open && has_head_only() && head.empty()) {
      begins_open = true;
    } else {
      add({});
      ends_open = true;
    }
  }
  void add(std::string_view regex) {
    if (std::exchange(ends_open, false)) tail += ".*";
    tail += regex;
  }

  /// True if the tail is a list of words, as in \.(c|h).
  bool has_words() const {
    return tail.starts_with('(') && tail.ends_with(')') &&
           std::all_of(tail.begin() + 1, tail.end() - 1,
                       [](char c) { return c == '|' || text::is_letter(c) || text::is_digit(c); });
  }

  bool is_everything() const { return head.empty() && tail.empty() && (begins_open || ends_open); }
};

using PathPattern = std::vector<Alternative>;

std::string spelled(const Alternative& one) {
  return (one.begins_open ? ".*" : "") + in_regex(one.head) + one.tail +
         (one.ends_open ? ".*" : "");
}

/// As a regular expression of ours, which matches anywhere. The first slash of a "path" may be that
/// of the root, and that of a "name" always is.
std::string anchored(const Alternative& one, std::string_view field) {
  const bool loses_slash =
      one.begins_open && one.head.starts_with('/') && lists("name path", field);
  const std::string_view begin = loses_slash && field == "path"    ? "(^|/)"
                                 : loses_slash || !one.begins_open ? "^"
                                                                   : "";
  return text::format("{}{}{}{}", begin, in_regex(one.head.substr(loses_slash ? 1 : 0)), one.tail,
                      one.ends_open ? "" : "$");
}

// --- Parsers

/// Members of a bracket expression, for RE2 and for globs of ours.
struct Set {
  bool negated = false;
  std::string members{};

  std::string after(std::string_view negation) const {
    return text::format("[{}{}]", negated ? negation : "", members);
  }
};

/// Reads a bracket expression after its first bracket. Throws for named classes other than digits
/// unless the set is `of_name`: their members depend on the locale. In globs and in awk a backslash
/// `escapes`, in globs `!` negates like `^`. Else both are members.
Set parse_set(std::string_view text, std::size_t& at, bool escapes, bool is_glob,
              bool of_name = false) {
  Set set;
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
    const char32_t c = text::next_code_point(text, at);
    std::string letter;
    text::append_utf8(letter, c);
    set.members += escaped(letter, "\n\\]^-[!");
    return c;
  };
  // A `]` at the beginning is a member.
  for (bool first = true;; first = false) {
    if (at == text.size()) throw Untranslatable();
    if (text[at] == ']' && !first) break;
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("[:digit:]")) {
      set.members += "0-9";
      at += 9;
      continue;
    }
    if (const std::size_t end = rest.find(":]");
        of_name && rest.starts_with("[:") && end != rest.npos) {
      set.members += rest.substr(0, end + 2);
      at += end + 2;
      continue;
    }
    const char32_t from = take();
    if (text.substr(at).starts_with("-") && !text.substr(at).starts_with("-]")) {
      ++at;
      set.members += '-';
      if (take() < from) throw Untranslatable();
    }
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
    // Limits groups in groups.
    if (++depth_ > 50) throw Untranslatable();
    PathPattern alternatives;
    for (;;) {
      alternatives.push_back(parse_sequence(at_top));
      if (read() != '|') break;
      at_ += length_;
    }
    --depth_;
    return alternatives;
  }

  // `^` and `$` are only accepted at the ends of an alternative outside groups. There they have no
  // effect: find matches the whole path anyway.
  Alternative parse_sequence(bool at_top) {
    Alternative sequence;
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
      const std::string atom = parse_atom(token);
      const std::string repetition = parse_repetition();
      if (token == letter && repetition.empty()) {
        sequence.add_letter(atom);
      } else if (atom == "." && token == '.' && repetition == "*") {
        sequence.add_any();
      } else {
        sequence.add((token == letter ? in_regex(atom) : atom) + repetition);
      }
      is_empty = false;
    }
    if (is_empty) throw Untranslatable();
    return sequence;
  }

  std::string parse_repetition() {
    const auto repeats = [](char token) {
      return std::string_view("*+?{").find(token) != std::string_view::npos;
    };
    const char token = read();
    if (!repeats(token)) return {};
    at_ += length_;
    std::string repetition = token == '{' ? parse_interval() : std::string{token};
    // `a**` and `a*{2}`: libraries differ.
    if (repeats(read())) throw Untranslatable();
    return repetition;
  }

  std::string parse_atom(char token) {
    at_ += token == letter ? length_ - 1 : length_;
    switch (token) {
      case '.':
        // In the syntax "emacs" a dot does not match a newline.
        return syntax_.types == "emacs" ? "[^\\n]" : ".";
      case '[':
        return parse_set(text_, at_, is_awk(), false).after("^");
      case '(': {
        std::string group;
        for (const Alternative& one : parse_alternatives(false)) {
          group += (group.empty() ? "(" : "|") + spelled(one);
        }
        if (read() != ')') throw Untranslatable();
        at_ += length_;
        return group + ')';
      }
      case letter: {
        const std::size_t begin = at_;
        text::next_code_point(text_, at_);
        return std::string(text_.substr(begin, at_ - begin));
      }
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

  std::string parse_interval() {
    const unsigned least = parse_number();
    std::string interval = text::format("{{{}", least);
    if (text_.substr(at_).starts_with(",")) {
      ++at_;
      interval += ',';
      const bool is_open = at_ < text_.size() && !text::is_digit(text_[at_]);
      const unsigned most = is_open ? least : parse_number();
      if (most < least) throw Untranslatable();
      if (!is_open) interval += std::to_string(most);
    }
    const std::string_view close = syntax_.escaped.empty() ? "}" : "\\}";
    if (!text_.substr(at_).starts_with(close)) throw Untranslatable();
    at_ += close.size();
    return interval + '}';
  }

  std::string_view text_;
  const Syntax& syntax_;
  std::size_t at_ = 0;
  std::size_t length_ = 0;  ///< of the token read last
  unsigned depth_ = 0;
};

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

/// A glob as fnmatch reads it without flags: stars and question marks match slashes too.
struct Glob {
  Alternative path{};
  std::string name{};  ///< as a glob of ours for names
};

/// A star of find crosses slashes, as `**` does here. But `a/**/b` matches a/b too, and `a/*/b` of
/// find does not: hence `*/**`. Braces are letters to find.
Glob parse_glob(std::string_view text, bool of_name) {
  Glob glob{.path = {.is_glob = true}};
  Alternative& path = glob.path;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '*') {
      const bool after_slash = at > 0 && text[at - 1] == '/';
      // Consecutive stars are one.
      at = std::min(text.find_first_not_of('*', at), text.size());
      const bool is_between = after_slash && at < text.size() && text[at] == '/';
      path.add_any();
      if (path.ends_open) path.glob += is_between ? "*/**" : "**";
      glob.name += '*';
    } else if (c == '?') {
      ++at;
      path.is_glob = false;
      path.add(".");
      glob.name += '?';
    } else if (c == '[' && begins_set(text, at)) {
      const Set set = parse_set(text, ++at, true, true, of_name);
      path.is_glob = false;
      path.add(set.after("^"));
      glob.name += set.after("!");
    } else {
      if (c == '\\' && ++at == text.size()) throw Untranslatable();
      const std::size_t begin = at;
      text::next_code_point(text, at);
      path.add_letter(text.substr(begin, at - begin));
      glob.name += in_glob(text.substr(begin, at - begin));
    }
  }
  return glob;
}

// --- As ours

Test pattern_test(std::string_view field, query::Operator op, std::string pattern, bool sensitive) {
  return {.field = field, .op = op, .values = {std::move(pattern)}, .sensitive = sensitive};
}

Test regex_test(std::string_view field, const PathPattern& pattern, bool sensitive) {
  std::string text;
  for (const Alternative& one : pattern) {
    text += (&one == pattern.data() ? "" : "|") + anchored(one, field);
  }
  return pattern_test(field, query::Operator::matches, std::move(text), sensitive);
}

/// True if a text that begins with `head` may begin before the last character of `prefix`, or with
/// that one unless both are slashes. After the head there may be `words` only.
bool may_begin_in(std::string_view prefix, std::string_view head, bool words) {
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    const std::string_view rest = prefix.substr(i);
    const bool is_last = rest == "/" && head.starts_with('/');
    const bool goes_on = rest.starts_with(head) && !(words && rest[head.size()] == '/');
    if (!is_last && (goes_on || head.starts_with(rest))) return true;
  }
  return head.empty();
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

/// All values of -regextype.
constexpr std::string_view regex_types =
    "findutils-default ed emacs gnu-awk grep posix-awk awk posix-basic posix-egrep egrep "
    "posix-extended posix-minimal-basic sed";

}  // namespace

void FindLine::set_regex_type() {
  regex_type_ = take();
  if (!regex_type_.empty() && lists(regex_types, regex_type_)) return;
  std::string choices;
  for (const std::string& one : split(regex_types)) {
    choices += text::format("{}'{}'", choices.empty() ? "" : ", ", one);
  }
  fail({}, text::format("Unknown regular expression type '{}'; valid types are {}.", regex_type_,
                        choices));
}

/// -name, -path, -lname and their like.
Node FindLine::parse_library_glob(std::string_view field, bool sensitive) {
  const std::string glob = take();
  Test test = pattern_test(field, query::Operator::glob, glob, sensitive);
  test.library = host_.glob_of_find(glob, !sensitive);
  return leaf(std::move(test));
}

/// -regex and -iregex, matched against the whole path as printed.
Node FindLine::parse_library_regex(bool sensitive) {
  const std::string regex = take();
  Test test = pattern_test("printed_path", query::Operator::matches, regex, sensitive);
  test.values.push_back(regex_type_);
  std::string error;
  test.library = host_.regex_of_find(regex, regex_type_, !sensitive, error);
  if (test.library) return leaf(std::move(test));
  if (error.empty()) throw Untranslatable();
  fail({}, host_.dialect == Dialect::bsd
               ? text::format("{}: {}", sensitive ? "-regex" : "-iregex", error)
               : text::format("failed to compile regular expression '{}': {}", regex, error));
}

const Syntax& syntax_of(std::string_view type) {
  const auto* const syntax =
      std::find_if(std::begin(syntaxes), std::end(syntaxes),
                   [&](const Syntax& one) { return lists(one.types, type); });
  if (type.empty() || syntax == std::end(syntaxes)) throw Untranslatable();
  return *syntax;
}

/// -path and -regex, which are matched against root and path together.
Node FindLine::parse_path(const Predicate& predicate) {
  const bool sensitive = predicate.here == "case";
  const std::string text = take();
  if (!sensitive) refuse_uneven_folding(text);
  PathPattern pattern = predicate.form == Form::path ? PathPattern{parse_glob(text, false).path}
                                                     : RegexParser(text, *syntax_).parse();
  if (is_run_) return leaf(regex_test("printed_path", pattern, sensitive));
  needs_paths_ = true;
  for (Alternative& one : pattern) {
    for (const Root& root : roots_) {
      // The path of a file is its name here.
      if (root.place == Place::link || root.place == Place::other) throw Untranslatable();
      // find puts a slash between root and name unless the root ends with one.
      std::string prefix = root.path + (root.path.ends_with('/') ? "" : "/");
      std::string head = one.head;
      for (std::string* const each : {&prefix, &head}) {
        if (!sensitive) *each = text::fold_ascii(*each);
      }
      if (!sensitive && !text::is_ascii(prefix)) throw Untranslatable();
      const bool is_below = one.begins_open ? !may_begin_in(prefix, head, one.has_words())
                                            : roots_.size() == 1 && head.starts_with(prefix);
      const bool is_root = !one.begins_open && one.has_head_only() && head == prefix;
      if ((!is_below && !one.is_everything()) || is_root) throw Untranslatable();
      if (!one.begins_open) one.head.erase(0, prefix.size());
    }
  }
  if (std::any_of(pattern.begin(), pattern.end(), std::mem_fn(&Alternative::is_everything))) {
    return everything();
  }
  const bool in_name = std::all_of(pattern.begin(), pattern.end(), [](const Alternative& one) {
    return one.begins_open && (one.has_head_only() || (one.has_words() && !one.ends_open)) &&
           one.head.find('/', 1) == std::string::npos;
  });
  const std::string_view field = in_name ? "name" : "path";
  const Alternative& only = pattern.front();
  if (!only.is_glob) return leaf(regex_test(field, pattern, sensitive));
  const bool in_any = only.begins_open && only.head.starts_with('/');
  const std::string_view open = in_name ? "*" : "**";
  std::string glob(in_any ? (in_name ? "" : "**/") : only.begins_open ? open : "");
  glob += in_glob(only.head.substr(in_any ? 1 : 0)) + only.glob;
  return leaf(pattern_test(field, query::Operator::glob, std::move(glob), sensitive));
}

/// -lname: the text of the link, not a path below a root.
Node FindLine::parse_link_text(bool sensitive) {
  const std::string text = take();
  if (!sensitive) refuse_uneven_folding(text);
  if (text == "*") {  // any link has a target
    return leaf({.field = "type", .values = {"l"}, .option = cli::Id::type});
  }
  return leaf(regex_test("target", {parse_glob(text, false).path}, sensitive));
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
  if (is_run_ && glob == "/") {
    return leaf(pattern_test("name", query::Operator::matches, "^/$", true));
  }
  if (never_matches && !is_run_) throw Untranslatable();
  if (never_matches) return nothing_at_all();
  std::string name = parse_glob(glob, true).name;
  if (name.empty()) throw Untranslatable();
  // Every name matches, so it does not count as a filter for --delete.
  if (name == "*") return everything();
  // Without case, find compares [:upper:] with small letters.
  const bool has_classes = glob.find("[[:") != std::string::npos;
  if (has_classes && !sensitive) throw Untranslatable();
  return leaf(pattern_test("name", query::Operator::glob, std::move(name), sensitive));
}

}  // namespace ffind::foreign
