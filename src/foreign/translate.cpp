// SPDX-License-Identifier: MIT
// Translates command lines of fd, rg, grep, locate, ls and mdfind, and slips in our own; those of
// find go to find_line.cpp, those with rg's --files to rg_line.cpp.
//
// A line does not say which program it was typed for, since `ffind` is its first word. Two passes:
//
//   scan()    reads word by word. An option of ours is kept. One in the tables is replaced, and
//             identifies the program; the first that is known counts. So do clusters of letters
//             that are usual with ls and grep. A misspelt option is the nearest one. Any other
//             option ends the translation.
//   settle_pattern()
//             gives the arguments the meaning of that program: for fd the first is a regular
//             expression, for grep text in files, for rg and ls a path.
#include "foreign/foreign.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "foreign/find_line.h"
#include "foreign/tables.h"
#include "query/expression.h"
#include "query/kinds.h"
#include "query/patterns/regex_syntax.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/quoting.h"
#include "text/unicode.h"

namespace ffind::foreign {
namespace {

using cli::Id;

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

bool has_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// Characters with a meaning in a regular expression.
constexpr std::string_view expression_signs = "\\^$.|?*+()[]{}";

/// True for letters and digits, and dots between them or in front.
bool may_be_extension(std::string_view text) {
  return !text.empty() && text.size() <= 8 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '.'; });
}

/// True for -rn, -ril and the like: a search in files. There has to be an `r`: the other letters
/// alone are no search in files, and -R may be of ls.
bool are_letters_of_grep(std::string_view letters) {
  return has_any(letters, "r") && has_only(letters, "rRnilHIEwFs");
}

/// Letters of du, such as -sh, unless they are ours alone.
bool are_letters_of_du(std::string_view letters) {
  return has_only(letters, "abchkms") && !has_only(letters, "as");
}

/// Keys of --sort in the opposite order: `-name,size` for `name,-size`.
std::string reversed_keys(std::string_view keys) {
  std::string reversed;
  while (!keys.empty()) {
    std::string_view key = text::take_part(keys, ',');
    const bool descends = key.starts_with('-');
    if (descends) key.remove_prefix(1);
    reversed += (reversed.empty() ? "" : ",") + std::string(descends ? "" : "-") + std::string(key);
  }
  return reversed;
}

/// An option of ours, with its name as typed or as in the table.
struct Own {
  const cli::OptionRow* row = nullptr;  ///< null for --no-NAME
  std::string name{};
  std::optional<std::string> value{};

  bool is(cli::Id id) const { return row != nullptr && row->id == id; }
};

/// One command line; translate() is called once. The scan_ functions consume words, and add to the
/// members below; the settle_ functions change them.
class Translator {
 public:
  /// `has_flags_of_fd`: options that are flags in fd and take a value here are read as flags.
  Translator(const Words& words, const Host& host, Program program = Program::unknown,
             bool has_flags_of_fd = false)
      : words_(words), host_(host), program_(program), has_flags_of_fd_(has_flags_of_fd) {}

  /// Our words; none if nothing changes. Throws if a word has no counterpart.
  Translation translate() {
    const bool is_typed_for_fd = program_ == Program::fd;
    scan();
    // Known by a word of it only: read again, with its flags.
    if (program_ == Program::fd && !is_typed_for_fd) {
      return Translator(words_, host_, Program::fd, true).translate();
    }
    sort_order();
    sort_counts();
    settle_pattern();
    if (!has_pattern_) put_text_first();
    if (!changed_) return {};
    const Own* const root = last(Id::in);
    // TEXT of another program that is a directory here, as in `. src`.
    if (doubt_.empty() && !has_option(words_, "--in") && root != nullptr &&
        text::looks_like_path(words_.front())) {
      doubt_ = *root->value;
    }
    return {line(), {}, {}, doubt_};
  }

 private:
  /// Notes that the meaning of the word being read is a guess.
  void guess() {
    if (doubt_.empty()) doubt_ = words_[word_];
  }
  void option(const std::string& name, std::optional<std::string> value = {}) {
    options_.push_back({cli::find_option(name), name, std::move(value)});
  }
  /// Adds options of ours, of a table.
  void add_words(const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t equals = std::min(words[i].find('='), words[i].size());
      const std::string name = words[i].substr(0, equals);
      const cli::OptionRow* const row = cli::find_option(name);
      std::optional<std::string> value;
      if (equals < words[i].size()) value = words[i].substr(equals + 1);
      if (!value && takes_value(*row)) value = words[++i];
      add_own(*row, name, std::move(value));
    }
  }
  /// The option that was given last; null if none was.
  Own* last(Id id) {
    const auto found = std::find_if(options_.rbegin(), options_.rend(),
                                    [&](const Own& own) { return own.is(id); });
    return found == options_.rend() ? nullptr : &*found;
  }
  bool has(Id id) const {
    return std::any_of(options_.begin(), options_.end(),
                       [&](const Own& own) { return own.is(id); });
  }
  /// Notes that the line is `program`'s, unless another was found before.
  void mark(Program program) {
    changed_ = true;
    if (program_ == Program::unknown) program_ = program;
  }

  std::string next_value() {
    if (at_ == words_.size()) throw Untranslatable();
    if (looks_like_option(words_[at_])) guess();
    return words_[at_++];
  }

  /// Splits the only word of a command at its blanks: `-x 'ls -l {}'`. False if there are none, if
  /// a program is called so, or if a shell would do more than split it.
  bool split_command(Words& command) const {
    const std::string word = command[1];
    if (has_any(word, "|&;<>$`*?[~#") || host_.place_of(word) != Place::missing) return false;
    const std::optional<Words> words = text::shell_words(word);
    if (!words || words->size() < 2) return false;
    command.erase(command.begin() + 1);
    command.insert(command.begin() + 1, words->begin(), words->end());
    return true;
  }

  /// Moves an option that runs a command, and its words up to a `;` or the end. `-x rm --dry-run`
  /// becomes --dry-run -x rm.
  void take_command(const std::string& name) {
    Words command = {name};
    bool closed = false;
    while (at_ < words_.size() && !closed) {
      closed = words_[at_] == ";";
      command.push_back(words_[at_++]);
    }
    // find's `{} +` is our -X.
    const std::size_t end = command.size() - (closed ? 1 : 0);
    const bool is_exec = name == "-x" || name == "--exec";
    if (end > 2 && command[end - 1] == "+" && command[end - 2] == "{}" && is_exec) {
      command.erase(command.begin() + static_cast<std::ptrdiff_t>(end) - 1);
      command.front() = "-X";
      changed_ = true;
    }
    // 'ls -l {}' in quotes is the name of a program.
    if (end == 2 && split_command(command)) changed_ = true;
    // --dry-run and --confirm at the end of a command were meant for us.
    while (!closed && command.size() > 2 && cli::is_own_option(command.back())) {
      option(command.back());
      command.pop_back();
      changed_ = true;
    }
    commands_.insert(commands_.end(), command.begin(), command.end());
  }

  /// The value of fd's --owner: alice, alice:staff or :staff, `!` before a name negates. False for
  /// a plain name, which needs no change. "alice:staff" is --owner alice --group staff, "!root" is
  /// --where 'not owner = root'.
  bool add_account(const std::string& value) {
    if (!has_any(value, ":!")) return false;
    mark(Program::fd);
    std::string_view group = value;
    const std::string_view owner = text::take_part(group, ':');
    for (const auto& [field, name] : {std::pair("owner", owner), std::pair("group", group)}) {
      if (name.starts_with('!')) {
        wheres_.push_back(text::format("not {} = {}", field, name.substr(1)));
      } else if (!name.empty()) {
        option(text::format("--{}", field), std::string(name));
      }
    }
    return true;
  }

  /// Adds an option of ours; translates values that it has in another program only.
  void add_own(const cli::OptionRow& row, const std::string& name,
               std::optional<std::string> value) {
    const bool is_type = value && row.id == Id::type;
    if (value && row.id == Id::owner && add_account(*value)) return;
    const std::string_view flag = value_in(
        "x=--executable executable=--executable e=--empty empty=--empty", is_type ? *value : "");
    if (!flag.empty()) {
      mark(Program::fd);
      return option(std::string(flag));
    }
    if (value && row.id == Id::format && !format_called(*value).empty()) {
      changed_ = true;
      return add_words(split(format_called(*value)));
    }
    const auto kinds = query::kind_names();
    if (is_type && *value != "folder" &&
        std::find(kinds.begin(), kinds.end(), *value) != kinds.end()) {
      changed_ = true;
      return option("--kind", value);
    }
    // rg's -tpy. A single letter is a type of ours.
    if (is_type && !extensions_of(*value).empty() && value->size() > 1) {
      mark(Program::rg);
      return option("--ext", extensions_of(*value));
    }
    if (value && row.id == Id::glob && value->starts_with("!") && program_ == Program::rg) {
      return option("-E", value->substr(1));
    }
    if (value && has_flags_of_fd_) {
      if (row.id == Id::limit && *value == "0") return;  // no limit there
      // Its ranges include their ends.
      if (row.id == Id::size && value->find_first_of("+-") == 0) {
        *value = (value->front() == '+' ? ">=" : "<=") + value->substr(1);
      }
    }
    has_pattern_ = has_pattern_ || cli::is_pattern_option(row.id);
    // A file may be called "Nov 20".
    const bool is_file =
        value && row.value == "FILE|TIME" && host_.place_of(*value) != Place::missing;
    const Words meant =
        !value || is_file ? Words() : corrected_values(main_name(row), *value, host_.clock);
    changed_ = changed_ || !meant.empty();
    if (meant.empty()) options_.push_back({&row, name, value});
    for (const std::string& each : meant) options_.push_back({&row, name, each});
  }

  /// Adds the counterpart of another program's option. `value` is that of --name=value; without
  /// one, the next word is.
  void replace(const Foreign& foreign, std::optional<std::string> value) {
    const bool picks = std::find(words_.begin(), words_.end(), "--pick") != words_.end();
    if (foreign.program == Program::fzf && !picks) throw Untranslatable();
    mark(foreign.program);
    if (foreign.program == Program::unknown) guess();
    if (takes_value(foreign) && !value) value = next_value();
    switch (foreign.treatment) {
      case Treatment::none:
        throw Untranslatable();
      case Treatment::drop:
        fixed_ = fixed_ || foreign.names == "--fixed-strings";
        if (foreign.names == "--relative-path") {  // it undoes -a
          std::erase_if(options_, [](const Own& own) { return own.is(Id::absolute); });
        }
        return;
      case Treatment::drop_value:
        if (foreign.names == "--path-separator" && *value != "/") throw Untranslatable();
        return;
      case Treatment::reversed:
        if (value) throw Untranslatable();
        if (!picks) letters_of_ls_ += 'r';  // fzf's is a layout
        return;
      case Treatment::flag:
        if (value) throw Untranslatable();
        add_words(split(foreign.here));
        // --largest 10, but not --newest 7d
        if (foreign.here.starts_with("--sort") && at_ < words_.size() &&
            text::is_digit(words_[at_][0])) {
          if (!text::is_digits(words_[at_])) throw Untranslatable();
          option("-n", next_value());
        }
        return;
      case Treatment::where_regex:
        return ands_.push_back(*value);
      default:
        break;
    }
    if (foreign.here == "-E /") return option("-E", *value + "/");
    reads_files_ = reads_files_ || foreign.here.starts_with("--contains");
    Words words;
    append_counterpart(words, foreign, *value);
    add_words(words);
  }

  /// Adds an option of ours that takes a value, the next word; one that is a flag in fd may have
  /// none.
  void add_with_next(const cli::OptionRow& row, const std::string& name) {
    const bool may_be_flag = lists("--prune --glob -g --regex -F", name);
    if (!may_be_flag || (!has_flags_of_fd_ && !at_last_value())) {
      return add_own(row, name, next_value());
    }
    mark(Program::fd);
    if (at_last_value()) guess();
    bool& flag = name == "--prune"   ? prunes_
                 : name == "--regex" ? regex_flag_
                 : name == "-F"      ? fixed_
                                     : glob_flag_;
    // If it is the second one, a value was meant.
    if (std::exchange(flag, true)) throw Untranslatable();
  }

  void scan_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    if (const Foreign* const foreign = find_foreign(name)) return replace(*foreign, value);
    const cli::OptionRow* const row = cli::find_option(name);
    if (row == nullptr && !value && cli::find_undone(name) != nullptr) return option(name);
    if (row == nullptr) {
      const std::string meant = nearest_word(name);
      if (meant.empty()) throw Untranslatable();
      guess();
      changed_ = true;
      return scan_long(meant + (value ? "=" + *value : ""));
    }
    if (takes_command(*row)) return take_command(word);
    if (!value && takes_value(*row)) return add_with_next(*row, name);
    add_own(*row, name, value);
  }

  /// True if the next word cannot be a value: there is none, or it is an option.
  bool at_last_value() const {
    return at_ == words_.size() || (words_[at_].starts_with("-") && words_[at_].size() > 1);
  }

  /// -lhRt, -ltr, and -t without a value; letters that only change how ls lists (h, A, 1, F) are
  /// the default here. False if the letters are not those of ls. -h alone is our help.
  bool scan_habit_of_ls(const std::string& word) {
    const std::string_view letters = std::string_view(word).substr(1);
    const bool is_time = letters == "t" && (at_ == words_.size() || words_[at_].starts_with("-"));
    if (!is_time && (word == "-h" || word == "-hR" || !are_letters_of_ls(letters))) return false;
    mark(Program::ls);
    guess();
    letters_of_ls_ += letters;
    if (word == "-R" && at_ < words_.size() && !words_[at_].starts_with("-") &&
        !is_directory(host_, words_[at_])) {
      content_ = true;  // grep -R TODO src
    }
    return true;
  }

  /// -r with --sort is that of sort and ls. `-r WORD` at the end is locate's regular expression.
  void scan_letters_of_grep(std::string_view letters) {
    guess();
    const std::size_t rest = words_.size() - at_;
    // After a key of rg's it is its --replace.
    const Own* const sort = last(Id::sort);
    const bool follows_sort =
        sort != nullptr && !lists("path modified accessed created", *sort->value);
    if (letters == "r" && (at_last_value() ? has_option(words_, "--sort") : follows_sort)) {
      changed_ = true;
      letters_of_ls_ += 'r';
      return;
    }
    const bool is_locate = letters == "r" && rest == 1;
    mark(is_locate ? Program::locate : Program::grep);
    if (is_locate) {
      has_pattern_ = true;
      return option("-e", next_value());
    }
    if (rest == 0) throw Untranslatable();
    content_ = true;
    option(has_any(letters, "i") ? "-i" : "-s");
  }

  /// -sh and -c with --usage. Letters without a counterpart: -a, -k and -m.
  void take_letters_of_du(std::string_view letters) {
    if (!has_only(letters, "bchs")) throw Untranslatable();
    mark(Program::du);
    if (has_any(letters, "s")) option("--usage", "0");
    if (has_any(letters, "h")) option("--human");
    if (has_any(letters, "b")) option("--apparent");
  }

  /// Short options of ours up to the first that takes a value, foreign letters among them. fd's
  /// `-Htx` is -H --executable.
  void scan_cluster(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      std::string rest = word.substr(i + 1);
      const cli::OptionRow* const row = cli::find_option(name);
      if (row == nullptr) {
        const Foreign* const foreign = find_foreign(name);
        if (foreign == nullptr) throw Untranslatable();
        guess();
        const bool has_value = foreign->treatment == Treatment::value;
        replace(*foreign, has_value && !rest.empty() ? std::optional(rest) : std::nullopt);
        if (has_value) return;
        continue;
      }
      if (takes_command(*row)) return take_command(name + rest);
      if (is_flag(*row) || has_optional_value(*row)) {
        option(name);
        continue;
      }
      if (rest.starts_with("=")) rest.erase(0, 1);
      return rest.empty() ? add_with_next(*row, name) : add_own(*row, name, rest);
    }
  }

  /// In this order, since each would understand words of the next: letters of du, a letter of
  /// another program, a word of find (no translation here), a long option with one dash, letters of
  /// ls, letters of grep, a cluster.
  void scan_short(const std::string& word) {
    const std::string_view letters = std::string_view(word).substr(1);
    if (has_option(words_, "--usage") && are_letters_of_du(letters)) {
      return take_letters_of_du(letters);
    }
    // -c is a count for grep and locate; only fd's has one of these words after it.
    if (word == "-c" && (at_ == words_.size() || !lists("auto always never", words_[at_]))) {
      guess();
      mark(Program::locate);
      return option("--count");
    }
    if (const Foreign* const foreign = find_foreign(word)) return replace(*foreign, {});
    if (find_word_of_find(word) != nullptr) throw Untranslatable();
    if (const std::string longer = with_second_dash(word); !longer.empty()) {
      guess();
      changed_ = true;
      return scan_long(longer);
    }
    if (find_foreign("-" + word.substr(0, word.find('='))) != nullptr) {
      guess();
      return scan_long("-" + word);
    }
    if (scan_habit_of_ls(word)) return;
    if (are_letters_of_grep(letters)) return scan_letters_of_grep(letters);
    return scan_cluster(word);
  }

  void scan() {
    while (at_ < words_.size()) {
      word_ = at_;
      const std::string& word = words_[at_++];
      if (after_dashes_ || word.size() < 2 || word[0] != '-') {
        arguments_.push_back(word);
      } else if (word == "--") {
        after_dashes_ = true;
      } else if (word[1] == '-') {
        scan_long(word);
      } else {
        scan_short(word);
      }
    }
  }

  /// Translates the order of ls: newest or largest first, -r reverses. -t is newest first, so `-lt`
  /// is --sort -modified and `-ltr` --sort modified. Without -t or -S, -r is the order of names, or
  /// of a typed --sort, reversed.
  void sort_order() {
    if (has_any(letters_of_ls_, "l")) option("-l");
    const bool is_reversed = has_any(letters_of_ls_, "r");
    Own* const sort = last(Id::sort);
    if (has_any(letters_of_ls_, "tS")) {
      const std::string_view key = has_any(letters_of_ls_, "t") ? "modified" : "size";
      option("--sort", text::format("{}{}", is_reversed ? "" : "-", key));
    } else if (is_reversed && sort == nullptr) {
      option("--sort", "-name");  // the order of ls
    } else if (is_reversed) {
      sort->value = reversed_keys(*sort->value);
    }
  }

  /// --count=dir --sort count: the largest counts are first without --sort.
  void sort_counts() {
    const bool counts = std::any_of(options_.begin(), options_.end(),
                                    [](const Own& own) { return own.is(Id::count) && own.value; });
    const Own* const sort = last(Id::sort);
    if (!counts || sort == nullptr) return;
    if (!lists("count -count entries -entries number -number", *sort->value)) return;
    options_.erase(options_.begin() + (sort - options_.data()));
    changed_ = true;
  }

  /// Paths that are left once the pattern is taken off: PATHs, or --in for words that would be
  /// TEXT.
  void keep_as_roots() {
    const Words paths = std::exchange(arguments_, {});
    for (const std::string& path : paths) {
      if (text::looks_like_path(path)) {
        arguments_.push_back(path);
      } else {
        option("--in", path);
      }
    }
  }

  /// -e of fd is an extension. Throws if a value cannot be one, or if none of them has a known kind
  /// of file. A value such as '\.c$' is no extension for fd either.
  void settle_extensions() {
    bool is_known = !has(Id::regex);
    for (Own& own : options_) {
      if (!own.is(Id::regex)) continue;
      if (!may_be_extension(*own.value)) throw Untranslatable();
      is_known = is_known || query::kind_of_file("x." + *own.value) != 0;
      own = {cli::find_option("--ext"), "--ext", own.value};
      changed_ = true;
      has_pattern_ = false;
    }
    if (!is_known) throw Untranslatable();
  }

  /// A pattern of fd as a term: of the name, or of the absolute path with -p.
  std::string term_of_fd(const std::string& pattern) const {
    const bool is_regex = !fixed_ && has_any(pattern, expression_signs);
    return text::format("{} {} {}", has(Id::full_path) ? "absolute_path" : "name",
                        glob_flag_ ? "glob"
                        : is_regex ? "~"
                                   : "contains",
                        query::quoted(pattern));
  }

  /// --and of fd: further patterns of the same kind. Upper case in one of them is about all, and a
  /// slash is in no name.
  void settle_ands() {
    if (ands_.empty()) return;
    Words patterns = ands_;
    if (!arguments_.empty()) patterns.push_back(arguments_.front());
    bool has_upper = false;
    bool has_lower = false;
    for (const std::string& pattern : patterns) {
      if (!has(Id::full_path) && has_any(pattern, "/")) throw Untranslatable();
      const bool is_upper = fixed_ || glob_flag_ ? text::has_upper_case(pattern)
                                                 : query::regex_has_upper_case(pattern);
      (is_upper ? has_upper : has_lower) = true;
    }
    if (has_upper && has_lower && !has(Id::ignore_case) && !has(Id::case_sensitive)) option("-s");
    for (const std::string& pattern : ands_) {
      if (!pattern.empty()) wheres_.push_back(term_of_fd(pattern));
    }
  }

  /// --prune of fd: a directory that matches is listed and not entered. `fd . --prune` is -d 1.
  void settle_prune(const std::string& pattern) {
    if (has_pattern_ || pattern.empty() || !ands_.empty()) throw Untranslatable();
    // fd enters a directory that another filter rejects.
    const std::string_view filters = cli::option_of(cli::Id::type).group;
    for (const Own& own : options_) {
      if (own.row == nullptr || own.is(Id::type)) continue;
      if (own.row->group == filters || own.is(Id::min_depth)) throw Untranslatable();
    }
    // With -t f nothing that matches could be entered.
    const Own* const types = last(Id::type);
    if (types != nullptr && types->value->find('d') == std::string::npos) return;
    if (pattern == "." || pattern == "^") return option("-d", "1");
    option("--prune-where", term_of_fd(pattern));
  }

  /// grep: the first argument is searched for in files, and the others are paths. `grep -rl TODO
  /// src` is -s --contains TODO --in src.
  void settle_content() {
    if (arguments_.empty()) throw Untranslatable();
    const std::string pattern = arguments_.front();
    option(has_any(pattern, expression_signs) ? "--contains-regex" : "--contains", pattern);
    arguments_.erase(arguments_.begin());
    if (arguments_ == Words{"."}) arguments_.clear();
    if (!has_pattern_) keep_as_roots();
  }

  /// rg: case matters in globs, and all arguments are paths.
  void settle_globs() {
    if (has_pattern_ && !has(Id::ignore_case)) {
      options_.insert(options_.begin(), {cli::find_option("-s"), "-s"});
    }
    // A lone word that is no path was meant as TEXT.
    if (arguments_.size() == 1 && host_.place_of(arguments_.front()) == Place::missing) return;
    if (arguments_ == Words{"."}) arguments_.clear();
    search_below(std::exchange(arguments_, {}));
  }

  void search_below(const Words& paths) {
    for (const std::string& path : paths) option("--in", path);
  }

  /// Corrects a path before TEXT: `/etc passwd` is passwd /etc, and `. src` is --in src if there is
  /// such a directory. `. src` without such a directory becomes `src`: the root is `.` anyway.
  void put_text_first() {
    if (arguments_.size() < 2 || !text::looks_like_path(arguments_.front())) return;
    const auto is_path = [](const std::string& word) { return text::looks_like_path(word); };
    const auto text = std::find_if_not(arguments_.begin(), arguments_.end(), is_path);
    if (text == arguments_.end()) return;
    changed_ = true;
    if (arguments_.front() == "." && is_directory(host_, *text)) {
      arguments_.erase(arguments_.begin());
      return search_below(std::exchange(arguments_, {}));
    }
    std::rotate(arguments_.begin(), text, text + 1);
    if (arguments_.size() == 2 && arguments_.back() == ".") arguments_.pop_back();
  }

  /// The first argument as a pattern: of --glob or --regex, or of fd, whose TEXT is a regular
  /// expression. Plain text is the same in both: `fd main` and TEXT.
  void settle_text() {
    const std::string first = arguments_.front();
    const bool by_flag = glob_flag_ || regex_flag_;
    // TEXT with a star would be a glob.
    if (fixed_ && !has_pattern_ && (text::looks_like_path(first) || has_any(first, "*?"))) {
      arguments_.erase(arguments_.begin());
      option("-F", first);
      has_pattern_ = true;
      return;
    }
    if (!by_flag && (has_pattern_ || fixed_ || program_ != Program::fd)) return;
    const bool is_plain = !has_any(first, expression_signs) && !text::looks_like_path(first);
    if (!by_flag && is_plain) return;
    arguments_.erase(arguments_.begin());
    if (!by_flag && (first == "." || first == "^")) return keep_as_roots();  // all
    option(glob_flag_ ? "-g" : "-e", first);
    has_pattern_ = true;
  }

  /// Gives the first argument the meaning that it has in the program whose options were found.
  void settle_pattern() {
    const std::string first = arguments_.empty() ? "" : arguments_.front();
    if (program_ == Program::fd) settle_extensions();
    // A name has no slash: fd finds nothing, or refuses the pattern. Of its flags the last counts.
    if ((has_flags_of_fd_ && !has(Id::full_path) && has_any(first, "/")) ||
        static_cast<int>(glob_flag_) + regex_flag_ + fixed_ > 1) {
      throw Untranslatable();
    }
    settle_ands();
    // fd's `-t x -t d` are directories, too, and files that can be run.
    const bool has_other_types = std::any_of(options_.begin(), options_.end(), [](const Own& own) {
      return own.is(Id::type) && own.value != "f" && own.value != "file";
    });
    if (has_other_types && has(Id::executable)) throw Untranslatable();
    if (prunes_) settle_prune(first);
    if (content_) {
      settle_content();
    } else if (program_ == Program::rg) {
      settle_globs();
    } else if ((program_ == Program::ls || reads_files_) && !has_pattern_) {
      // All arguments are paths, if they are directories. `ls -lR src` is -l --in src.
      if (std::all_of(arguments_.begin(), arguments_.end(),
                      [&](const std::string& path) { return is_directory(host_, path); })) {
        keep_as_roots();
      }
    } else if (!arguments_.empty()) {
      settle_text();
    }
  }

  Words line() {
    // du's -s
    const bool sums = std::any_of(options_.begin(), options_.end(), [](const Own& own) {
      return own.is(Id::usage) && own.value == "0";
    });
    Words words;
    for (const Own& own : options_) {
      if (sums && own.is(Id::usage) && !own.value) continue;
      words.push_back(own.name);
      if (!own.value) continue;
      if (own.name.starts_with("--") && has_optional_value(*own.row)) {
        words.back() += "=" + *own.value;
      } else {
        words.push_back(*own.value);
      }
    }
    if (!wheres_.empty()) {
      std::string where;
      for (const std::string& each : wheres_) where += (where.empty() ? "" : " and ") + each;
      words.emplace_back("--where");
      words.push_back(where);
    }
    if (after_dashes_) words.emplace_back("--");
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    words.insert(words.end(), commands_.begin(), commands_.end());
    return words;
  }

  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  std::size_t word_ = 0;  ///< place of the option being read
  std::string doubt_;
  bool changed_ = false;  ///< a word was replaced, dropped or moved
  Program program_;
  bool has_flags_of_fd_;

  std::vector<Own> options_;
  Words wheres_;     ///< terms of --where
  Words ands_;       ///< patterns of fd's --and
  Words arguments_;  ///< the rest
  bool after_dashes_ = false;
  Words commands_;  ///< -x and its like, with their words
  bool has_pattern_ = false;
  bool fixed_ = false;       ///< TEXT is no regular expression
  bool glob_flag_ = false;   ///< --glob of fd, which has no value
  bool regex_flag_ = false;  ///< --regex, likewise
  bool prunes_ = false;      ///< fd's --prune: what matches is not entered
  std::string letters_of_ls_;
  bool content_ = false;      ///< the first argument is searched for in files
  bool reads_files_ = false;  ///< an option like --grep is: arguments may be directories
};

/// Without a culprit: the message is that of our own parser.
Translation translate_by_options(Translator translator) {
  try {
    return translator.translate();
  } catch (const Untranslatable&) {
    return {};
  }
}

}  // namespace

bool is_one_volume_of_bsd(const Words& words, std::size_t at, const Host& host) {
  if (words[at] != "-x" || at + 1 == words.size()) return false;
  const std::string& next = words[at + 1];
  const bool has_test = at + 2 < words.size() && is_find_predicate(words[at + 2]);
  return is_directory(host, next) && (has_test || !host.is_program || !host.is_program(next));
}

bool is_before_roots_of_find(const Words& words, std::size_t at) {
  const auto here = words.begin() + static_cast<std::ptrdiff_t>(at);
  const auto is_leading = [](const std::string& word) { return lists("-H -L -P", word); };
  const auto is_test = [](const std::string& word) {
    return word.size() > 2 && find_word_of_find(word) != nullptr;
  };
  return *here == "--" && std::all_of(words.begin(), here, is_leading) &&
         std::any_of(here, words.end(), is_test);
}

/// True if a predicate of find is among the words. Values of our options are skipped, and so is
/// everything after `--` or a command.
bool is_of_find(const Words& words, const Host& host) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (is_one_volume_of_bsd(words, i, host) || is_before_roots_of_find(words, i)) return true;
    if (lists("-- -x -X --exec --exec-batch", word)) return false;
    if (is_find_predicate(word) && !cli::find_option(word) && !find_foreign(word)) return true;
    if ((word == "!" || word == "(") && words.size() > i + 1 && words[i + 1].starts_with("-")) {
      return true;
    }
    // -g -name searches for "-name".
    if (word.starts_with("-") && word.size() > 1) {
      const cli::OptionRow* const row = cli::find_option(word);
      if (row != nullptr && takes_value(*row)) ++i;
    }
  }
  return false;
}

/// For mdfind, -name is followed by TEXT, which is an argument here.
Translation translate(const Words& words, const Host& host) {
  if (std::find(words.begin(), words.end(), "-onlyin") != words.end()) {  // mdfind
    Words without = words;
    std::erase(without, "-name");
    return translate_by_options(Translator(without, host));
  }
  // Before anything reads letters in a row: -delete would become -d with the value elete.
  if (is_of_find(words, host)) return translate_find(words, host);
  if (std::optional<Translation> of_rg = translate_rg(words, host)) return *std::move(of_rg);
  return translate_by_options(Translator(words, host));
}

std::optional<Words> translate_as_fd(const Words& words, const Host& host) {
  return translate_by_options(Translator(words, host, Program::fd)).line;
}

}  // namespace ffind::foreign
