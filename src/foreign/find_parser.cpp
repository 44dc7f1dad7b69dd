// SPDX-License-Identifier: MIT
// Reads a command line of find:
//
//     line        leading-option* root* list?
//     list        any (, any)*
//     any         all (-o all)*
//     all         one ((-a)? one)*
//     one         ! one | ( list ) | predicate
//
// As in find, all predicates are read before the operators, so a wrong value is reported before a
// missing parenthesis. Tree joins them, with a stack in the place of recursion: find takes as many
// parentheses as fit into a command line.
//
// Positional options (-maxdepth, -regextype, -follow) set members and are true; -daystart is
// dropped.
#include "foreign/find_line.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

#include "text/ascii.h"
#include "text/format.h"

namespace ffind::foreign {

namespace {

/// Greatest height of a tree, parentheses that are not needed and double negations apart: all that
/// is done with a tree afterwards is recursive. 200 levels take 300 KiB of stack.
constexpr unsigned most_levels = 200;

/// A part of the tree, and the number of levels below its top.
struct Part {
  Node node{};
  unsigned height = 0;
};

/// Adds an operand to a junction; those of a junction of the same kind one by one.
void add(Part& junction, Part part) {
  const bool is_same = part.node.kind == junction.node.kind;
  junction.height = std::max(junction.height, part.height + (is_same ? 0 : 1));
  if (junction.height > most_levels) {
    refuse(text::format("the expression is nested more than {} levels deep", most_levels));
  }
  std::vector<Node>& nodes = junction.node.nodes;
  if (is_same) {
    std::move(part.node.nodes.begin(), part.node.nodes.end(), std::back_inserter(nodes));
  } else {
    nodes.push_back(std::move(part.node));
  }
}

/// A junction of one operand is that operand.
Part simplified(Part junction) {
  if (junction.node.nodes.size() != 1) return junction;
  Node only = std::move(junction.node.nodes.front());
  return {std::move(only), junction.height - 1};
}

/// The tree while it is read, from its left edge to the operand that comes next.
class Tree {
 public:
  void negate() { levels_.back().negates = !levels_.back().negates; }
  void open() { levels_.emplace_back(); }
  bool is_open() const { return levels_.size() > 1; }

  void add_operand(Part part) {
    Level& level = levels_.back();
    if (std::exchange(level.negates, false)) {
      if (part.node.kind == Kind::negation) {
        --part.height;
      } else if (part.node.kind > Kind::any || !part.node.nodes.empty()) {
        ++part.height;
      }
      part.node = negated(std::move(part.node));
    }
    add(level.all, std::move(part));
  }
  /// After -o.
  void end_all() {
    Level& level = levels_.back();
    add(level.any, simplified(std::exchange(level.all, {})));
  }
  /// After a comma.
  void end_any() {
    end_all();
    Level& level = levels_.back();
    add(level.list, simplified(std::exchange(level.any, {nothing_at_all()})));
  }
  /// All within the last parenthesis that is open, or all.
  Part close() {
    end_any();
    Part whole = simplified(std::move(levels_.back().list));
    levels_.pop_back();
    return whole;
  }

 private:
  /// The junctions that are open within a pair of parentheses.
  struct Level {
    Part list{{.kind = Kind::list}};
    Part any{nothing_at_all()};
    Part all{};
    bool negates = false;  ///< the next operand
  };
  std::vector<Level> levels_{1};
};

bool has_path(const FindStep& step) {
  return std::any_of(step.command.begin(), step.command.end(),
                     [](const std::string& word) { return word.find("{}") != std::string::npos; });
}

}  // namespace

std::string FindLine::take() {
  if (at_end()) refuse(text::format("missing argument to `{}'", culprit_));
  return words_[at_++];
}

void FindLine::add_root(const std::string& path) {
  roots_.push_back(path);
  roots_typed_ = true;
}

/// GNU's -O3 and -D WORD, and -S WORD of bfs: they change how fast it is, or what is said about it.
bool FindLine::take_tuning() {
  const std::string& word = peek();
  const bool has_value = word == "-D" || word == "-S";
  if (!has_value && !word.starts_with("-O")) return false;
  culprit_ = take();
  culprit_end_ = at_;
  if (!has_value) {
    const std::string level = word.substr(2);
    if (level.empty()) {
      refuse("The -O option must be immediately followed by a decimal integer");
    }
    if (!text::is_digit(level[0])) {
      refuse("Please specify a decimal number immediately after -O");
    }
    if (!text::is_digits(level)) refuse("Invalid optimisation level " + level);
    return true;
  }
  const std::string_view help = "\nTry 'find --help' for more information.";
  if (word == "-D" && (at_end() || peek().empty())) {
    refuse(text::format("{} the -D option.{}",
                        at_end() ? "Missing argument after" : "Empty argument to", help));
  }
  const std::string value = take();
  if (word == "-D" && value.find(',') == value.npos &&
      !lists("exec opt rates search stat time tree all help", value)) {
    warnings_.push_back("Ignoring unrecognised debug flag " + host_.quoted(value));
  }
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
        *links_ = {letter == 'L', letter != 'P'};
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

/// GNU's warnings about -d, and about an option for the whole line that follows a test.
void FindLine::note_order(std::string_view word) {
  if (lists("-warn -nowarn", word)) warns_ = word == "-warn";
  if (lists("-follow -daystart -regextype -warn -nowarn", word)) return;
  const bool is_global = lists(
      "-depth -d -files0-from -ignore_readdir_race -noignore_readdir_race -maxdepth -mindepth "
      "-mount -noleaf -xdev",
      word);
  if (!is_global && first_test_.empty()) first_test_ = word;
  if (!is_global || !warns_) return;
  if (!first_test_.empty()) {
    warnings_.push_back(text::format(
        "warning: you have specified the global option {} after the argument {}, but global "
        "options are not positional, i.e., {} affects tests specified before it as well as those "
        "specified after it.  Please specify global options before other arguments.",
        word, first_test_, word));
  }
  if (word == "-d") {
    warnings_.push_back(
        "warning: the -d option is deprecated; please use -depth instead, because the latter is a "
        "POSIX-compliant feature.");
  }
}

/// Reads an operator or a predicate.
void FindLine::read_word() {
  const std::string word = take();
  culprit_ = word;
  culprit_end_ = at_;
  const auto add = [&](Item::Kind kind) { items_.push_back({kind, word}); };
  note_order(word);
  if (word == "(") return add(Item::Kind::opening);
  if (word == ")") return add(Item::Kind::closing);
  if (word == ",") return add(Item::Kind::list);
  if (lists("! -not --not", word)) return add(Item::Kind::negation);
  if (lists("-a -and --and", word)) return add(Item::Kind::all);
  if (lists("-o -or --or", word)) return add(Item::Kind::any);
  if (lists("-help --help", word)) help_ = FindSearch::Help::options;
  if (lists("-version --version", word)) help_ = FindSearch::Help::version;
  if (help_ != FindSearch::Help::none) return;
  if (std::optional<Node> newer = parse_newer(word)) {
    items_.push_back({Item::Kind::operand, word, *std::move(newer)});
    return;
  }
  // -d of BSD's and GNU's is ours, too.
  const Predicate* const predicate = find_predicate(word == "-d" ? "-depth" : word);
  if (predicate == nullptr && word.size() > 1 && word.starts_with('-')) {
    throw NotRunnable{word, text::format("unknown predicate `{}'", word), true};
  }
  if (predicate == nullptr) {
    // A pattern that the shell expanded.
    const bool is_expanded = !items_.empty() && host_.place_of(word) != Place::missing;
    throw NotRunnable{
        word,
        text::format("paths must precede expression: `{}'", word) +
            (is_expanded ? text::format("\nfind: possible unquoted pattern after predicate `{}'?",
                                        items_.back().word)
                         : ""),
        true};
  }
  is_guess_ = is_guess_ || word.starts_with("--");
  if (predicate->here == "midnight") {
    from_midnight_ = true;
    // find names it in the place of the word before it.
    if (!items_.empty()) items_.back().word = word;
    return;
  }
  items_.push_back({Item::Kind::operand, word, parse_predicate(*predicate)});
}

/// Joins what was read. Errors are find's, which puts parentheses around a line without output, to
/// print what it is true for.
Node FindLine::join_items() {
  const bool has_output = std::any_of(items_.begin(), items_.end(), [](const Item& item) {
    return item.node.kind == Kind::action && item.node.leaf->step.kind != FindStep::Kind::quit;
  });
  Tree tree;
  const Item* before = nullptr;
  bool wants_operand = true;
  for (Item& item : items_) {
    const bool is_binary = item.kind == Item::Kind::all || item.kind == Item::Kind::any ||
                           item.kind == Item::Kind::list;
    const bool follows_opening = before == nullptr || before->kind == Item::Kind::opening;
    if (wants_operand && is_binary) {
      refuse(text::format("invalid expression; you have used a binary operator '{}' with nothing "
                          "before it.",
                          item.word),
             item.word);
    }
    if (wants_operand && item.kind == Item::Kind::closing) {
      refuse(follows_opening
                 ? "invalid expression; empty parentheses are not allowed."
                 : text::format("expected an expression between '{}' and ')'", before->word),
             item.word);
    }
    if (item.kind == Item::Kind::closing && !tree.is_open()) {
      refuse("you have too many ')'", item.word);
    }
    wants_operand = item.kind != Item::Kind::operand && item.kind != Item::Kind::closing;
    switch (item.kind) {
      case Item::Kind::operand:
        tree.add_operand({std::move(item.node)});
        break;
      case Item::Kind::negation:
        tree.negate();
        break;
      case Item::Kind::opening:
        tree.open();
        break;
      case Item::Kind::closing:
        tree.add_operand(tree.close());
        break;
      case Item::Kind::any:
        tree.end_all();
        break;
      case Item::Kind::list:
        tree.end_any();
        break;
      case Item::Kind::all:
        break;
    }
    before = &item;
  }
  if (before == nullptr) return everything();
  if (wants_operand && before->kind == Item::Kind::opening) {
    refuse(text::format("invalid expression; expected to find a ')' but didn't see one. Perhaps "
                        "you need an extra predicate after '{}'",
                        before->word),
           before->word);
  }
  if (wants_operand) {
    refuse(has_output ? "invalid expression"
                      : text::format("expected an expression after '{}'", before->word),
           before->word);
  }
  if (tree.is_open()) {
    refuse("invalid expression; I was expecting to find a ')' somewhere but did not see one.", "(");
  }
  return tree.close().node;
}

/// The command of -exec and its like.
FindStep FindLine::parse_command(const Predicate& predicate) {
  const std::string word(predicate.names);
  FindStep step{.kind = FindStep::Kind::command,
                .in_directory = lists("-execdir -okdir", word),
                .asks = lists("-ok -okdir", word)};
  while (!at_end() && peek() != ";" && !step.is_batch) {
    step.is_batch = peek() == "+" && !step.asks && !step.command.empty() &&
                    step.command.back().find("{}") != std::string::npos;
    step.command.push_back(take());
  }
  if (step.in_directory) ignores_vanished_ = false;
  if (step.command.empty() && !at_end()) {
    refuse(text::format("invalid argument `;' to `{}'", word));
  }
  if (!step.is_batch) {
    take();
    return step;
  }
  const std::string path = *(step.command.end() - 2);
  step.command.resize(step.command.size() - 2);
  if (step.command.empty()) refuse(text::format("invalid argument `{{}}' to `{}'", word));
  if (has_path(step)) {
    refuse(text::format("Only one instance of {{}} is supported with {} ... +", word));
  }
  if (path != "{}") {
    refuse(text::format("In {} the {} must appear by itself, but you specified {}",
                        host_.quoted(word + " ... {} +"), host_.quoted("{}"), host_.quoted(path)));
  }
  return step;
}

/// find refuses the type of a file system where it cannot read the mount table.
void FindLine::check_mount_table() const {
  if (!host_.knows_file_systems()) refuse("Cannot read mounted file system list");
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
  if (predicate.form == Form::to_file) {
    step.file = take();
    if (step.file.empty()) {
      refuse(host_.quoted("") + ": " + std::generic_category().message(ENOENT));
    }
  }
  if (step.kind == format && !step.file.empty() && at_end()) {
    refuse(text::format("invalid argument `{}' to `{}'", step.file, culprit_));
  }
  if (step.kind == format) step.text = take();
  if (step.kind == format && prints_file_system(step.text)) check_mount_table();
  if (here == "exit") {
    const bool has_status = !at_end() && text::is_digits(peek()) && peek().size() < 4;
    step.status = has_status ? std::stoi(take()) : 0;
  }
  deletes_ = deletes_ || step.kind == remove;
  return action_node(std::move(step));
}

/// Letters of -type and -xtype with commas between them, each once.
std::vector<FileType> FindLine::types_of(const std::string& letters) const {
  if (letters.empty()) {
    refuse(text::format("Arguments to {} should contain at least one letter", culprit_));
  }
  std::vector<FileType> types;
  for (std::size_t i = 0; i < letters.size(); i += 2) {
    const char letter = letters[i];
    if (letter == 'D') {
      refuse(
          text::format("{} D is not supported because Solaris doors are not supported on the "
                       "platform find was compiled on.",
                       culprit_));
    }
    if (std::string_view("fdlpsbc").find(letter) == std::string_view::npos) {
      refuse(text::format("Unknown argument to {}: {}", culprit_, letter));
    }
    if (letters.find(letter) != i) {
      refuse(
          text::format("Duplicate file type '{}' in the argument list to {}.", letter, culprit_));
    }
    types.push_back(*query::find_type(letters.substr(i, 1)));
    if (i + 1 == letters.size()) break;
    if (letters[i + 1] != ',') {
      refuse(text::format("Must separate multiple arguments to {} using: ','", culprit_));
    }
    if (i + 2 == letters.size()) {
      refuse(
          text::format("Last file type in list argument to {} is missing, i.e., list is ending "
                       "on: ','",
                       culprit_));
    }
  }
  return types;
}

/// -type and -xtype. The latter is about the target of a link, and about the link itself where that
/// is followed.
///
///     -xtype l        broken and not loop          a link whose target is missing
///     -xtype d        type = d or target_type = d
///     -xtype f,l      broken and not loop, or type f but not l, or target_type f
///     -L -xtype l     is_link
///     -H -xtype l     depth = 0 and is_link, or depth > 0, broken and not loop
Node FindLine::parse_type(const Predicate& predicate) {
  std::string letters = take();
  if (host_.dialect == Dialect::bsd) letters = letters.substr(0, 1);
  const std::vector<FileType> types = types_of(letters);
  const Expression type = Expression::of(query::type_test(types));
  if (predicate.here.empty()) return test_node(type);
  const auto flag = [](std::string_view name) { return Expression::of(query::flag_test(name)); };
  const bool has_link = letters.find('l') != std::string::npos;
  const bool is_link_only = letters == "l";
  const Expression is_link = flag("is_link");
  const Expression followed = is_link_only ? is_link
                              : has_link   ? Expression::any({is_link, type})
                                           : Expression::all({Expression::negation(is_link), type});
  const Expression broken = Expression::all({flag("broken"), Expression::negation(flag("loop"))});
  const Expression target = Expression::of(query::target_type_test(types));
  const Expression other =
      Expression::negation(Expression::of(query::type_test({FileType::symlink})));
  const Expression kept = is_link_only ? broken
                          : has_link
                              ? Expression::any({broken, Expression::all({other, type}), target})
                              : Expression::any({type, target});
  return test_node([=, links = links_](const query::Meaning&) {
    if (links->are_followed || !links->follows_roots) return links->are_followed ? followed : kept;
    const Expression is_root = Expression::of(query::range_test(query::depth_row, {0, 0}));
    return Expression::any({Expression::all({is_root, followed}),
                            Expression::all({Expression::negation(is_root), kept})});
  });
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
    choices += (choices.empty() ? "" : ", ") + host_.quoted(one);
  }
  refuse(text::format("Unknown regular expression type {}; valid types are {}.",
                      host_.quoted(regex_type_), choices));
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
  if (predicate.form == Form::path && glob.ends_with('/') && host_.dialect == Dialect::gnu) {
    warnings_.push_back(text::format(
        "warning: {} {} will not match anything because it ends with /.", culprit_, glob));
  }
  if (predicate.form == Form::name && warns_ && glob.find('/') != std::string::npos) {
    warnings_.push_back(text::format(
        "warning: {} matches against basenames only, but the given pattern contains a directory "
        "separator ({}), thus the expression will evaluate to false all the time.  Did you mean "
        "{}?",
        host_.quoted(culprit_), host_.quoted("/"),
        host_.quoted(sensitive ? "-wholename" : "-iwholename")));
  }
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
  refuse(host_.dialect == Dialect::bsd
             ? text::format("{}: {}", culprit_, error)
             : text::format("failed to compile regular expression '{}': {}", regex, error));
}

/// Metadata of a file to compare with. A missing one is an error in find.
Metadata FindLine::metadata_of(const std::string& path) const {
  Metadata found{};
  if (const int error = host_.metadata_of(path, links_->follows_roots, found); error != 0) {
    refuse(host_.quoted(path) + ": " + std::generic_category().message(error));
  }
  return found;
}

/// -newerXY, -newer and its like: later than a time of a file or a text. nullopt for other words.
std::optional<Node> FindLine::parse_newer(std::string_view word) {
  const bool is_long = word.starts_with("-newer") && word.size() == 8;
  // The time of the entry, and that to compare with.
  const std::string_view times =
      is_long ? word.substr(6)
              : value_in(
                    "-newer=mm -mnewer=mm -anewer=am -cnewer=cm -Bnewer=Bm -since=mt -msince=mt "
                    "-asince=at -csince=ct -Bsince=Bt",
                    word);
  if (times.empty()) return {};
  const query::TimeRow* const row =
      time_row_of(value_in("m=modified a=accessed c=changed B=created", times.substr(0, 1)));
  if (row == nullptr || std::string_view("macBt").find(times[1]) == std::string_view::npos) {
    refuse(text::format("invalid predicate `{}'", word));
  }
  if (is_long && at_end()) {
    refuse(text::format("The {} test needs an argument", host_.quoted(word)));
  }
  const std::string value = take();
  const auto later = [row](Instant instant) { return test_node(later_test(*row, instant)); };
  if (times[1] == 't') {
    const std::optional<Instant> date = date_of(value, host_.clock.now);
    if (!date) {
      refuse(text::format("I cannot figure out how to interpret {} as a date or time",
                          host_.quoted(value)));
    }
    return later(*date);
  }
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

/// The value of -maxdepth and -mindepth.
unsigned FindLine::take_depth() {
  const std::string text = take();
  if (!text::is_digits(text)) {
    refuse(text::format("Expected a positive decimal integer argument to {}, but got {}", culprit_,
                        host_.quoted(text)));
  }
  return number_of(text);
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
      stays_ = stays_ || predicate.here == "volume";
      if (predicate.here == "-L") *links_ = {true, true};
      if (predicate.here == "vanished") ignores_vanished_ = culprit_ == "-ignore_readdir_race";
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
      max_depth_ = take_depth();
      return everything();
    case Form::min_depth:
      min_depth_ = take_depth();
      return everything();
    case Form::root_list:
      // The list replaces the current directory; the last one counts.
      roots_file_ = take();
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
  if (predicate.form == Form::count && at_end()) {
    refuse(text::format("invalid argument `{0}' to `{0}'", culprit_));
  }
  std::string value = predicate.form != Form::flag ? take() : std::string();
  if (predicate.form == Form::size && counts_bytes()) value += 'c';
  if (predicate.form == Form::file_system) {
    check_mount_table();
    if (host_.dialect == Dialect::bsd && value == "rdonly") throw NotRunnable();
  }
  if (predicate.form == Form::file) {
    const Metadata file = metadata_of(value);
    return test_node(Expression::of(query::same_file_test(file.device, file.inode, value)));
  }
  try {
    if (predicate.form == Form::days || predicate.form == Form::minutes ||
        predicate.form == Form::used) {
      return test_node(age_test(predicate, value, host_, from_midnight_));
    }
    return test_node(test_of_value(predicate, value, host_, warnings_));
  } catch (NotRunnable& failure) {
    if (failure.error.empty()) failure.error = refusal_of(predicate, culprit_, value, host_);
    throw;
  }
}

}  // namespace ffind::foreign
