// SPDX-License-Identifier: MIT
// Reads a command line of find:
//
//     line        leading-option* root* list?
//     list        any (, any)*
//     any         all (-o all)*
//     all         one ((-a)? one)*
//     one         ! one | ( list ) | predicate
//
// Positional options (-maxdepth, -daystart, -regextype, -follow) set members and are true.
#include "foreign/find_line.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/format.h"

namespace ffind::foreign {

namespace {

/// The value of -maxdepth and -mindepth. Six digits are more than any path has components.
unsigned depth_of(const std::string& text) {
  if (!text::is_digits(text) || text.size() > 6) throw NotRunnable();
  return static_cast<unsigned>(std::stoul(text));
}

bool has_path(const FindStep& step) {
  return std::any_of(step.command.begin(), step.command.end(),
                     [](const std::string& word) { return word.find("{}") != std::string::npos; });
}

}  // namespace

void FindLine::fail(std::string culprit, std::string error) {
  throw NotRunnable{std::move(culprit), std::move(error)};
}

std::string FindLine::take() {
  if (at_end()) fail({}, text::format("missing argument to `{}'", culprit_));
  return words_[at_++];
}

bool FindLine::take_any(std::string_view wanted) {
  if (at_end() || !lists(wanted, peek())) return false;
  ++at_;
  return true;
}

void FindLine::add_root(const std::string& path) {
  if (path.empty()) throw NotRunnable{"''"};
  roots_.push_back(path);
  roots_typed_ = true;
}

/// GNU's -O3 and -D WORD, and -S WORD of bfs: they change how fast it is, or what is said about it.
bool FindLine::take_tuning() {
  const std::string& word = peek();
  const bool has_value = word == "-D" || word == "-S";
  const bool is_level = word.starts_with("-O") && text::is_digits(std::string_view(word).substr(2));
  if (!has_value && !is_level) return false;
  culprit_ = take();
  culprit_end_ = at_;
  if (has_value) take();
  return true;
}

/// -E, -d, -s, -x and -f PATH of BSD's find, and -H, -L and -P of all. Only before the roots:
/// "find -EL . -regex ...".
void FindLine::read_leading_options() {
  while (!at_end() && take_tuning()) {
  }
  while (!at_end() && peek().size() > 1 && peek().starts_with('-') &&
         find_predicate(peek()) == nullptr &&
         peek().find_first_not_of("EHLPXdfsx", 1) == std::string::npos) {
    culprit_ = take();
    culprit_end_ = at_;
    for (const char letter : culprit_.substr(1)) {
      is_safe_ = is_safe_ || letter == 'X';
      is_sorted_ = is_sorted_ || letter == 's';
      if (letter == 'E') regex_type_ = "posix-extended";
      if (letter == 'H' || letter == 'L' || letter == 'P') {
        follows_ = letter == 'L';
        follows_roots_ = letter != 'P';
      }
      depth_first_ = depth_first_ || letter == 'd';
      stays_ = stays_ || letter == 'x';
    }
    if (culprit_.find('f') < culprit_.size() - 1) throw NotRunnable();
    if (culprit_.ends_with('f')) {
      is_guess_ = true;  // of many programs
      add_root(take());
    }
    while (!at_end() && take_tuning()) {
    }
  }
}

/// Roots end before the first word that can begin an expression for GNU find: one that begins with
/// "-", or "(" or "!". Without roots, find searches `.`.
void FindLine::read_roots() {
  read_leading_options();
  if (!at_end() && peek() == "--") ++at_;
  while (!at_end()) {
    if ((peek().size() > 1 && peek().starts_with("-")) || lists("( !", peek())) break;
    add_root(peek());
    ++at_;
  }
  if (roots_.empty()) roots_.emplace_back(".");
}

/// The operands of `,`, which binds least.
Node FindLine::parse_list() {
  Node node{.kind = Kind::list};
  do {
    node.nodes.push_back(parse_any());
  } while (take_any(","));
  return node.nodes.size() == 1 ? std::move(node.nodes.front()) : node;
}

/// Alternatives; `-o` binds less than `-a`. A single alternative is returned without an `any`
/// around it.
Node FindLine::parse_any() {
  Node node = nothing_at_all();
  do {
    node.nodes.push_back(parse_all());
  } while (take_any("-o -or --or"));
  return node.nodes.size() == 1 ? std::move(node.nodes.front()) : node;
}

/// A conjunction, with nested ones flattened. find refuses an empty one.
Node FindLine::parse_all() {
  Node node;
  bool is_empty = true;
  const auto refuse_operator = [this](const std::string& word) {
    fail(word, text::format("invalid expression; you have used a binary operator '{}' with nothing "
                            "before it.",
                            word));
  };
  const auto refuse_end = [this](const std::string& word, const std::string& culprit) {
    fail(culprit, word == "("   ? "invalid expression; expected to find a ')' but didn't see one. "
                                  "Perhaps you need an extra predicate after '('"
                  : word == ")" ? "you have too many ')'"
                                : text::format("expected an expression after '{}'", word));
  };
  while (!at_end() && !lists(") , -o -or --or", peek())) {
    if (take_any("-a -and --and")) {
      // find refuses it unless it is between two operands.
      if (is_empty) refuse_operator(words_[at_ - 1]);
      if (at_end()) refuse_end(words_[at_ - 1], words_[at_ - 1]);
      if (lists(") , -o -or -a -and", peek())) refuse_operator(peek());
      continue;
    }
    is_empty = false;
    node.nodes.push_back(parse_one());
  }
  // `-o -print` and `( )` are errors.
  if (is_empty && at_end()) refuse_end(words_.back(), words_.back());
  if (is_empty && peek() == ")") {
    fail(peek(), at_ > 0 && words_[at_ - 1] == "("
                     ? "invalid expression; empty parentheses are not allowed."
                     : "you have too many ')'");
  }
  if (is_empty) refuse_operator(peek());
  return node.nodes.size() == 1 ? std::move(node.nodes.front()) : node;
}

/// One operand. `! A B` is (not A) and B.
Node FindLine::parse_one() {
  if (take_any("! -not --not")) {
    if (at_end() || lists(") -o -a", peek())) {
      fail(words_[at_ - 1], text::format("expected an expression after '{}'", words_[at_ - 1]));
    }
    return {.kind = Kind::negation, .nodes = {parse_one()}};
  }
  if (take_any("(")) {
    Node inside = parse_list();
    if (!take_any(")")) {
      fail("(", "invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    }
    return inside;
  }
  const std::string word = take();
  culprit_ = word;
  culprit_end_ = at_;
  if (word == "," || word == ")") throw NotRunnable();
  if (std::optional<Node> newer = parse_newer(word)) return *std::move(newer);
  // -d of BSD's and GNU's is ours, too.
  const Predicate* const predicate = find_predicate(word == "-d" ? "-depth" : word);
  if (predicate == nullptr) {
    const bool is_option = word.size() > 1 && word.starts_with('-');
    throw NotRunnable{
        word,
        text::format("{} `{}'",
                     is_option ? "unknown predicate" : "paths must precede expression:", word),
        true};
  }
  is_guess_ = is_guess_ || word.starts_with("--");
  return parse_predicate(*predicate);
}

/// The command of -exec and its like.
FindStep FindLine::parse_command(const Predicate& predicate) {
  const std::string word(predicate.names);
  FindStep step{.kind = FindStep::Kind::command,
                .in_directory = lists("-execdir -okdir", word),
                .asks = lists("-ok -okdir", word)};
  while (!at_end() && peek() != ";" && !step.is_batch) {
    const bool follows_path = !step.command.empty() && step.command.back() == "{}";
    step.is_batch = peek() == "+" && follows_path && !step.asks;
    step.command.push_back(take());
  }
  if (step.command.empty() && !at_end())
    fail({}, text::format("invalid argument `;' to `{}'", word));
  if (!step.is_batch) {
    if (take() != ";") throw NotRunnable();
    return step;
  }
  step.command.resize(step.command.size() - 2);
  if (step.command.empty()) fail({}, text::format("invalid argument `{{}}' to `{}'", word));
  if (has_path(step)) {
    fail({}, text::format("Only one instance of {{}} is supported with {} ... +", word));
  }
  return step;
}

Node FindLine::parse_action(const Predicate& predicate) {
  using enum FindStep::Kind;
  if (predicate.form == Form::command) return action_node(parse_command(predicate));
  FindStep step;
  const std::string_view here = predicate.here;
  step.kind = here == "print" || here == "-0" ? print
              : here == "-l"                  ? listing
              : here == "-1"                  ? quit
              : here == "--delete"            ? remove
              : here == "escaped"             ? escaped
              : here == "exit"                ? quit
                                              : format;
  if (here == "-0") step.end = '\0';
  if (predicate.form == Form::to_file) step.file = take();
  if (step.kind == format) step.text = take();
  if (here == "exit") {
    const bool has_status = !at_end() && text::is_digits(peek()) && peek().size() < 4;
    step.status = has_status ? std::stoi(take()) : 0;
  }
  deletes_ = deletes_ || step.kind == remove;
  return action_node(std::move(step));
}

/// -type and -xtype. The latter is about the target of a link, and under -L about the link itself.
///
///     -xtype l        broken and not loop          a link whose target is missing
///     -xtype d        type = d or target_type = d
///     -xtype f,l      broken and not loop, or type f but not l, or target_type f
///     -L -xtype l     is_link
Node FindLine::parse_type(const Predicate& predicate) {
  const std::string letters = take();
  // Letters with commas between them, each once.
  bool is_right = letters.size() % 2 == 1;
  std::vector<FileType> types;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    is_right = is_right && (i % 2 == 1 ? letters[i] == ','
                                       : std::string_view("fdlpsbc").find(letters[i]) < 7 &&
                                             letters.find(letters[i]) == i);
    if (i % 2 == 0 && is_right) types.push_back(*query::find_type(letters.substr(i, 1)));
  }
  if (!is_right) throw NotRunnable();
  const Expression type = Expression::of(query::type_test(types));
  if (predicate.here.empty()) return test_node(type);
  const auto flag = [](std::string_view name) { return Expression::of(query::flag_test(name)); };
  const bool has_link = letters.find('l') != std::string::npos;
  const bool is_link_only = letters == "l";
  if (follows_) {
    const Expression is_link = flag("is_link");
    if (is_link_only) return test_node(is_link);
    return test_node(has_link ? Expression::any({is_link, type})
                              : Expression::all({Expression::negation(is_link), type}));
  }
  const Expression broken = Expression::all({flag("broken"), Expression::negation(flag("loop"))});
  if (is_link_only) return test_node(broken);
  const Expression target = Expression::of(query::target_type_test(types));
  if (!has_link) return test_node(Expression::any({type, target}));
  const Expression other =
      Expression::negation(Expression::of(query::type_test({FileType::symlink})));
  return test_node(Expression::any({broken, Expression::all({other, type}), target}));
}

void FindLine::set_regex_type() {
  // All that GNU's find has.
  constexpr std::string_view types =
      "findutils-default ed emacs gnu-awk grep posix-awk awk posix-basic posix-egrep egrep "
      "posix-extended posix-minimal-basic sed";
  regex_type_ = take();
  if (!regex_type_.empty() && lists(types, regex_type_)) return;
  std::string choices;
  for (const std::string& one : split(types)) {
    choices += text::format("{}'{}'", choices.empty() ? "" : ", ", one);
  }
  fail({}, text::format("Unknown regular expression type '{}'; valid types are {}.", regex_type_,
                        choices));
}

namespace {

/// The test of a pattern that the C library matches.
Node pattern_node(Form form, const query::PatternSpec& spec) {
  return test_node([=](const query::Meaning&) {
    if (form == Form::link_text) return Expression::of(query::text_test(query::target_row, spec));
    return Expression::of(query::pattern_test(
        form == Form::name ? query::Subject::name : query::Subject::printed_path, spec));
  });
}

query::CaseRule case_rule(bool sensitive) {
  return sensitive ? query::CaseRule::sensitive : query::CaseRule::insensitive;
}

}  // namespace

/// -name, -path, -lname and their like.
Node FindLine::parse_glob(const Predicate& predicate) {
  const bool sensitive = predicate.here == "case";
  const std::string glob = take();
  return pattern_node(predicate.form, {.kind = query::PatternKind::glob,
                                       .text = glob,
                                       .case_rule = case_rule(sensitive),
                                       .library = host_.glob_of_find(glob, !sensitive)});
}

/// -regex and -iregex, matched against the whole path as printed.
Node FindLine::parse_regex(bool sensitive) {
  const std::string regex = take();
  std::string error;
  query::PatternSpec spec{.kind = query::PatternKind::regex,
                          .text = regex,
                          .case_rule = case_rule(sensitive),
                          .library = host_.regex_of_find(regex, regex_type_, !sensitive, error)};
  if (spec.library) return pattern_node(Form::path, spec);
  if (error.empty()) throw NotRunnable();
  fail({}, host_.dialect == Dialect::bsd
               ? text::format("{}: {}", sensitive ? "-regex" : "-iregex", error)
               : text::format("failed to compile regular expression '{}': {}", regex, error));
}

/// Metadata of a file to compare with. A missing one is an error in find.
Metadata FindLine::metadata_of(const std::string& path) const {
  Metadata found{};
  if (!host_.metadata_of || host_.metadata_of(path, follows_roots_, found) != 0) {
    throw NotRunnable();
  }
  return found;
}

/// -newerXY, -newer and its like: later than a time of a file or a text. nullopt for other words.
std::optional<Node> FindLine::parse_newer(std::string_view word) {
  // The time of the entry, and that to compare with.
  const std::string_view times =
      word.starts_with("-newer") && word.size() == 8
          ? word.substr(6)
          : value_in(
                "-newer=mm -mnewer=mm -anewer=am -cnewer=cm -Bnewer=Bm -since=mt -msince=mt "
                "-asince=at -csince=ct -Bsince=Bt",
                word);
  if (times.empty()) return {};
  const query::TimeRow* const row =
      time_row_of(value_in("m=modified a=accessed c=changed B=created", times.substr(0, 1)));
  const std::string value = take();
  if (row == nullptr) throw NotRunnable();
  const auto later = [row](Nanoseconds instant) {
    return test_node(later_test(*row, instant));
  };
  if (times[1] == 't') return later(time_of(value, host_.clock.now));
  const Metadata file = metadata_of(value);
  switch (times[1]) {
    case 'm':
      return later(file.modified);
    case 'a':
      return later(file.accessed);
    case 'c':
      return later(file.changed);
    default:  // a time of birth is not known for every file
      throw NotRunnable();
  }
}

/// Reads the values of `predicate`, and returns its leaf; one that only sets members is always
/// true.
Node FindLine::parse_predicate(const Predicate& predicate) {
  switch (predicate.form) {
    case Form::junction:
    case Form::unknown:
    case Form::advice_only:
      throw NotRunnable();
    case Form::constant:
      return predicate.here == "true" ? everything() : nothing_at_all();
    case Form::nothing:
      from_midnight_ = from_midnight_ || predicate.here == "midnight";
      stays_ = stays_ || predicate.here == "volume";
      if (predicate.here == "-L") follows_ = follows_roots_ = true;
      return everything();
    case Form::syntax:
      set_regex_type();
      return everything();
    case Form::depth_first: {
      // BSD's -depth 2, +2 (deeper) and -2 (less deep) are tests of the depth, which is 0 at a
      // root.
      const std::size_t sign = at_end() ? 0 : peek().find_first_not_of("+-");
      if (!at_end() && sign < 2 && text::is_digits(std::string_view(peek()).substr(sign))) break;
      depth_first_ = true;
      return everything();
    }
    case Form::max_depth:
      max_depth_ = depth_of(take());
      return everything();
    case Form::min_depth:
      min_depth_ = depth_of(take());
      return everything();
    case Form::root_list:
      // The list replaces the current directory; the last one counts.
      roots_file_ = take();
      if (roots_typed_) throw NotRunnable{std::string(predicate.names)};
      roots_.clear();
      return everything();
    case Form::action:
      if (predicate.here == "prune") return {.kind = Kind::prune};
      return parse_action(predicate);
    case Form::format:
    case Form::to_file:
    case Form::run_only:
    case Form::command:
      return parse_action(predicate);
    case Form::name:
    case Form::path:
    case Form::link_text:
      return parse_glob(predicate);
    case Form::regex:
      return parse_regex(predicate.here == "case");
    case Form::type:
      return parse_type(predicate);
    default:
      break;
  }
  const std::string value = predicate.form != Form::flag ? take() : std::string();
  if (predicate.form == Form::file) {
    const Metadata file = metadata_of(value);
    return test_node(Expression::of(query::same_file_test(file.device, file.inode, value)));
  }
  if (predicate.form == Form::days || predicate.form == Form::minutes ||
      predicate.form == Form::used) {
    return test_node(age_test(predicate, value, host_.clock.now, from_midnight_));
  }
  return test_node(test_of_value(predicate, value, host_.dialect));
}

}  // namespace ffind::foreign
