// SPDX-License-Identifier: MIT
// Reads a command line of find:
//
//     line        leading-option* root* list?
//     list        any (, any)*
//     any         all (-o all)*
//     all         one ((-a)? one)*
//     one         ! one | ( list ) | predicate | option of ours
//
// Options of ours may be anywhere in the expression, as in `. -name x -l`; they are kept as they
// are, and true. Positional options of find (-maxdepth, -daystart, -regextype, -follow) set members
// and are true as well. The list operator `,` is not translated, only run.
#include "foreign/find_line.h"

#include <algorithm>

#include "cli/option_table.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind::foreign {

using cli::Given;
using cli::Id;

namespace {

/// The value of -maxdepth and -mindepth. Six digits are more than any path has components.
unsigned depth_of(const std::string& text) {
  if (!text::is_digits(text) || text.size() > 6) throw Untranslatable();
  return static_cast<unsigned>(std::stoul(text));
}

Node action_of(const Predicate& predicate, std::vector<Given> action) {
  return {.kind = Kind::action, .action = std::move(action), .word = std::string(predicate.names)};
}

bool has_path(const FindStep& step) {
  return std::any_of(step.command.begin(), step.command.end(),
                     [](const std::string& word) { return word.find("{}") != std::string::npos; });
}

/// A command as ours:
///
///     -exec A {} ;         -x A {}
///     -exec A {} +         -X A {}
///     -execdir A {} ;      --exec-in-dir -x A {}
///     -ok A {} ;           --confirm -x A {}
///     -exec A ;            -x sh -c '"$@"' {} A: A without the path
///
/// Other braces may be placeholders of ours.
std::vector<Given> command_of(const FindStep& step) {
  std::vector<Given> action;
  if (step.in_directory) action.push_back({.id = Id::exec_in_dir});
  if (step.asks) action.push_back({.id = Id::confirm});
  Words command = step.command;
  if (step.is_batch) command.emplace_back("{}");
  for (std::string word : command) {
    replace_all(word, {{"{}", ""}});
    if (word.find('{') != word.npos || word.find("}}") != word.npos) throw Untranslatable();
  }
  // Without {} find adds no path but -x does; as $0 of a shell it has no effect.
  if (!step.is_batch && !has_path(step)) {
    command.insert(command.begin(), {"sh", "-c", "\"$@\"", "{}"});
  }
  action.push_back(
      {.id = step.is_batch ? Id::exec_batch : Id::exec, .command = std::move(command)});
  return action;
}

}  // namespace

void FindLine::fail(std::string culprit, std::string error) const {
  throw Untranslatable{std::move(culprit), is_run_ ? std::move(error) : std::string()};
}

/// A missing value is an error in find, so there is nothing to translate.
std::string FindLine::take() {
  if (at_end()) fail({}, text::format("missing argument to `{}'", culprit_));
  return words_[at_++];
}

bool FindLine::take_any(std::string_view wanted) {
  if (at_end() || !lists(wanted, peek())) return false;
  ++at_;
  return true;
}

/// With -H or -L a root that is a link to a directory is searched, as ours always does.
void FindLine::add_root(const std::string& path) {
  if (path.empty()) throw Untranslatable{"''"};
  Place place = is_run_ ? Place::directory : host_.place_of(path);
  if (place == Place::link_to_directory && follows_roots_) place = Place::directory;
  roots_.push_back({path, place});
  roots_typed_ = true;
}

/// GNU's -O3 and -D WORD, and -S WORD of bfs: they change how fast it is, or what is said about it.
bool FindLine::take_tuning() {
  const std::string& word = peek();
  const bool has_value = word == "-D" || (is_run_ && word == "-S");
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
    if (!is_run_ && peek() == "-x" && !is_one_volume_of_bsd(words_, at_, host_)) return;
    // -d 2 and -s 2 are options of ours.
    const bool is_number_next = at_ + 1 < words_.size() && text::is_digits(words_[at_ + 1]);
    if (!is_run_ && lists("-d -s", peek()) && is_number_next) return;
    culprit_ = take();
    culprit_end_ = at_;
    for (const char letter : culprit_.substr(1)) {
      if (letter == 'X' && !is_run_) throw Untranslatable();
      is_safe_ = is_safe_ || letter == 'X';
      is_sorted_ = is_sorted_ || letter == 's';
      if (letter == 'E') {
        syntax_ = &syntax_of("posix-extended");
        regex_type_ = "posix-extended";
      }
      if (letter == 'H' || letter == 'L' || letter == 'P') {
        follows_ = letter == 'L';
        follows_roots_ = letter != 'P';
      }
      depth_first_ = depth_first_ || letter == 'd';
      stays_ = stays_ || letter == 'x';
    }
    if (culprit_.find('f') < culprit_.size() - 1) throw Untranslatable();
    if (culprit_.ends_with('f')) {
      doubt_ = "-f";  // of many programs
      add_root(take());
    }
    while (!at_end() && take_tuning()) {
    }
  }
}

/// Roots end before the first word that can begin an expression for GNU find: one that begins with
/// "-", or "(" or "!". For ours ")" and "," are none. Without roots, find searches `.`.
void FindLine::read_roots() {
  read_leading_options();
  if (!at_end() && peek() == "--") ++at_;
  while (!at_end()) {
    const std::string_view operators = is_run_ ? "( !" : "( ! ) ,";
    if ((peek().size() > 1 && peek().starts_with("-")) || lists(operators, peek())) break;
    add_root(peek());
    ++at_;
  }
  if (roots_.empty()) roots_.push_back({".", Place::directory});
}

/// The operands of `,`, which binds least.
Node FindLine::parse_list() {
  Node node{.kind = Kind::list};
  do {
    node.nodes.push_back(parse_any());
  } while (is_run_ && take_any(","));
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
    for (Node& one : operands_of(parse_one(), Kind::all)) node.nodes.push_back(std::move(one));
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

/// One operand. Options of ours leave no trace in the tree. `! A B` is (not A) and B.
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
  if (word == "," || word == ")") throw Untranslatable();
  if (is_run_) {
    if (std::optional<Node> newer = parse_newer(word)) return *std::move(newer);
  }
  // -d of BSD's and GNU's is ours, too.
  const Predicate* const predicate = find_predicate(is_run_ && word == "-d" ? "-depth" : word);
  if (predicate != nullptr) {
    if (word.starts_with("--") && doubt_.empty()) doubt_ = word;
    return parse_predicate(*predicate);
  }
  take_own(word);
  return everything();
}

/// Keeps a word that is no predicate: an option of ours, or a root after the expression. An option
/// is kept with its value, in the same word or the next. A cluster of flags is refused.
void FindLine::take_own(const std::string& word) {
  if (is_run_) {
    const bool is_option = word.size() > 1 && word.starts_with('-');
    fail(word,
         text::format("{} `{}'",
                      is_option ? "unknown predicate" : "paths must precede expression:", word));
  }
  if (word.size() < 2 || word[0] != '-') {
    // A pattern that the shell expanded leaves such words, too; files among them are no roots.
    if (!is_directory(host_, word) || needs_paths_) throw Untranslatable();
    if (!roots_typed_) roots_.clear();
    doubt_ = word;
    return add_root(word);
  }
  if (find_word_of_find(word) != nullptr) throw Untranslatable();
  if (const std::string longer = with_second_dash(word); !longer.empty()) {
    doubt_ = word;
    own_.words[at_ - 1] = longer;
    return take_own(longer);
  }
  const bool is_long = word[1] == '-';
  const std::size_t equals = is_long ? word.find('=') : std::string::npos;
  const cli::OptionRow* const row =
      cli::find_option(is_long ? word.substr(0, equals) : word.substr(0, 2));
  if (row == nullptr) throw Untranslatable();
  Given one{.id = row->id, .value = std::string(row->value_when_absent), .word = at_ - 1};
  const std::size_t value = is_long ? equals : word.size() > 2 ? 1 : std::string::npos;
  if (takes_command(*row)) {
    if (value != std::string::npos) throw Untranslatable();
    while (!at_end()) one.command.push_back(take());
  } else if (value != std::string::npos) {
    if (is_flag(*row)) throw Untranslatable();
    one.value = word.substr(value + (!is_long && word[2] == '=' ? 2 : 1));
  } else if (takes_value(*row)) {
    one.value = take();
    if (looks_like_option(one.value) && doubt_.empty()) doubt_ = word;
  }
  own_.given.push_back(std::move(one));
}

/// The command of -exec and its like as find runs it. In a translated line, the shell may have
/// taken the semicolon.
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
  const bool is_open = at_end() && !is_run_ && !step.command.empty();
  if (!step.is_batch && is_open && doubt_.empty()) doubt_ = word;
  if (!step.is_batch && !is_open && take() != ";") throw Untranslatable();
  if (!step.is_batch) return step;
  step.command.resize(step.command.size() - 2);
  if (step.command.empty()) fail({}, text::format("invalid argument `{{}}' to `{}'", word));
  if (has_path(step)) {
    fail({}, text::format("Only one instance of {{}} is supported with {} ... +", word));
  }
  return step;
}

/// An action of a line that is run.
Node FindLine::parse_step(const Predicate& predicate) {
  using enum FindStep::Kind;
  Node node = action_of(predicate, {});
  FindStep& step = node.step;
  if (predicate.form == Form::command) {
    step = parse_command(predicate);
  } else {
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
  }
  // Its value is a condition of its own, unlike that of any other command.
  if ((step.kind == command && !step.is_batch) || step.kind == remove) {
    node.action = {{.id = Id::exec, .word = at_}};
  }
  return node;
}

/// Throws if a file to compare with is a link that ours would follow and find would not, or is
/// missing, which is an error in find.
void FindLine::refuse_link(const std::string& path) const {
  const Place place = host_.place_of(path);
  const bool is_link = place == Place::link || place == Place::link_to_directory;
  if (place == Place::missing || (is_link && !follows_roots_)) throw Untranslatable();
}

/// -type and -xtype. The latter is about the target of a link, and under -L about the link itself.
///
///     -type f,d       -t f,d
///     -xtype l        --broken --where 'not loop'          a link whose target is missing
///     -xtype d        type = d or target_type = d
///     -xtype f,l      broken and not loop, or type f but not l, or target_type f
///     -L -xtype l     is_link
Node FindLine::parse_type(const Predicate& predicate) {
  const std::string types = take();
  // Letters with commas between them, each once.
  bool is_right = types.size() % 2 == 1;
  for (std::size_t i = 0; i < types.size(); ++i) {
    is_right = is_right && (i % 2 == 1 ? types[i] == ','
                                       : std::string_view("fdlpsbc").find(types[i]) < 7 &&
                                             types.find(types[i]) == i);
  }
  if (!is_right) throw Untranslatable();
  const bool has_link = types.find('l') != std::string::npos;
  const auto is_of = [](std::string_view field, const std::string& list) {
    return leaf({.field = field, .values = {list}});
  };
  const auto no = [](Node node) {
    return Node{.kind = Kind::negation, .nodes = {std::move(node)}};
  };
  Node type = is_of("type", types);
  if (predicate.here.empty()) {
    type.test.option = Id::type;
    return type;
  }
  if (follows_) {
    Node is_link = leaf({.field = "is_link"});
    if (types == "l") return is_link;
    return has_link ? Node{.kind = Kind::any, .nodes = {is_link, type}}
                    : Node{.nodes = {no(is_link), type}};
  }
  Node broken{
      .nodes = {leaf({.field = "broken", .option = Id::broken}), no(leaf({.field = "loop"}))}};
  if (types == "l") return broken;
  const Node target = is_of("target_type", types);
  if (!has_link) return {.kind = Kind::any, .nodes = {type, target}};
  return {.kind = Kind::any, .nodes = {broken, {.nodes = {no(is_of("type", "l")), type}}, target}};
}

/// Metadata of a file to compare with. A missing one is an error in find.
Metadata FindLine::metadata_of(const std::string& path) const {
  Metadata found{};
  if (!host_.metadata_of || host_.metadata_of(path, follows_roots_, found) != 0) {
    throw Untranslatable();
  }
  return found;
}

/// -newerXY, -newer and its like in a line that is run, later than a time of a file or a text.
/// nullopt for other words.
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
  const std::string_view field =
      value_in("m=modified a=accessed c=changed B=created", times.substr(0, 1));
  const std::string value = take();
  if (field.empty()) throw Untranslatable();
  if (times[1] == 't') return leaf(later_test(field, time_of(value, host_.clock.now)));
  const Metadata file = metadata_of(value);
  switch (times[1]) {
    case 'm':
      return leaf(later_test(field, file.modified));
    case 'a':
      return leaf(later_test(field, file.accessed));
    case 'c':
      return leaf(later_test(field, file.changed));
    default:  // a time of birth is not known for every file
      throw Untranslatable();
  }
}

/// Reads the values of `predicate`, and returns its leaf; one that only sets members is always
/// true. The row says which field and option it is about.
Node FindLine::parse_predicate(const Predicate& predicate) {
  const bool sensitive = predicate.here == "case";
  switch (predicate.form) {
    case Form::junction:
    case Form::unknown:
    case Form::advice_only:
      throw Untranslatable();
    case Form::nothing:
      if (predicate.here == "midnight" && !is_run_) throw Untranslatable();
      from_midnight_ = from_midnight_ || predicate.here == "midnight";
      stays_ = stays_ || predicate.here == "volume";
      if (predicate.here == "-L") follows_ = follows_roots_ = true;
      return everything();
    case Form::syntax:
      if (is_run_) {
        set_regex_type();
        return everything();
      }
      syntax_ = &syntax_of(take());
      return everything();
    case Form::depth_first: {
      // BSD's -depth 2, +2 (deeper) and -2 (less deep) are tests of the depth, which is 0 at a
      // root.
      const std::size_t sign = at_end() ? 0 : peek().find_first_not_of("+-");
      if (!at_end() && sign < 2 && text::is_digits(std::string_view(peek()).substr(sign))) {
        needs_paths_ = true;
        break;
      }
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
      if (roots_typed_ || !is_run_) throw Untranslatable{std::string(predicate.names)};
      roots_.clear();
      return everything();
    case Form::action:
      if (predicate.here == "prune") return {.kind = Kind::prune};
      if (is_run_) return parse_step(predicate);
      deletes_ = deletes_ || predicate.here == "--delete";
      if (predicate.here == "print") return action_of(predicate, {});
      return action_of(predicate, {{.id = cli::find_option(predicate.here)->id}});
    case Form::format:
    case Form::to_file:
    case Form::run_only:
      if (!is_run_) throw Untranslatable();
      return parse_step(predicate);
    case Form::command:
      return is_run_ ? parse_step(predicate)
                     : action_of(predicate, command_of(parse_command(predicate)));
    case Form::name:
      return is_run_ ? parse_library_glob("name", sensitive) : parse_name(sensitive);
    case Form::path:
      return is_run_ ? parse_library_glob("printed_path", sensitive) : parse_path(predicate);
    case Form::regex:
      return is_run_ ? parse_library_regex(sensitive) : parse_path(predicate);
    case Form::link_text:
      return is_run_ ? parse_library_glob("target", sensitive) : parse_link_text(sensitive);
    case Form::type:
      return parse_type(predicate);
    default:
      break;
  }
  const bool has_value = predicate.form != Form::flag && predicate.form != Form::constant;
  const std::string value = has_value ? take() : std::string();
  if (is_run_ && predicate.field == "same_file") {
    const Metadata file = metadata_of(value);
    return leaf({.field = predicate.field,
                 .values = {value, std::to_string(file.device), std::to_string(file.inode)}});
  }
  const bool is_age = predicate.form == Form::days || predicate.form == Form::minutes;
  if (is_run_ && (is_age || predicate.form == Form::used)) {
    return leaf(age_test(predicate, value, host_.clock.now, from_midnight_));
  }
  if (predicate.form == Form::file) refuse_link(value);
  const Test test = test_of_value(predicate, value, host_.dialect);
  if (predicate.form == Form::permissions && test.values.size() == 2) {
    const auto of = [&](std::size_t i, bool at_directory) {
      Test mode = test;
      mode.values = {test.values[i]};
      const Node is_directory = leaf({.field = "type", .values = {"d"}});
      const Node type =
          at_directory ? is_directory : Node{.kind = Kind::negation, .nodes = {is_directory}};
      return Node{.nodes = {type, leaf(mode)}};
    };
    return {.kind = Kind::any, .nodes = {of(0, false), of(1, true)}};
  }
  return leaf(test);
}

}  // namespace ffind::foreign
