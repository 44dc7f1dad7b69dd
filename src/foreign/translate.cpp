// SPDX-License-Identifier: MIT
// Corrects a line by the table of other programs' words: each option of theirs is replaced by ours,
// a misspelt one by the nearest, and what is left of our own line stays as it was typed. One pass,
// word by word; a word without a counterpart ends it.
//
//     --largest 10 --type image        --sort -size -n 10 --kind image
//     -rl TODO src                     -s --contains TODO --in src
//     /etc passwd                      passwd /etc
#include "foreign/foreign.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "query/expression.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "query/patterns/regex_syntax.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/quoting.h"
#include "text/unicode.h"

namespace ffind::foreign {
namespace {

using cli::Given;
using cli::Id;

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

// Characters with a meaning in a regular expression.
constexpr std::string_view expression_signs = "\\^$.|?*+()[]{}";

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

/// One command line; translate() is called once. The scan_ functions consume words, and add to the
/// members below; the settle_ functions change them.
class Translator {
 public:
  Translator(const Words& words, const Host& host) : words_(words), host_(host) {
    line_.words = words;
  }

  /// The line of ours; none if nothing changes. Throws if a word has no counterpart.
  Translation translate() {
    const bool has_operators = std::any_of(words_.begin(), words_.end(), [](const auto& word) {
      return lists("( ) ! , -not -a -and -o -or", word);
    });
    if (has_operators && is_of_find(words_, host_)) throw Untranslatable();
    scan();
    read_text_as_query();
    if (program_ == Program::fd && !is_ours_but_for_rows()) throw Untranslatable();
    if (!dates_.empty()) {
      dates_.pop_back();
      add_own({.id = Id::modified, .value = dates_});
    }
    // Opening every file was hardly meant.
    const std::string_view filters = cli::option_of(Id::type).group;
    const bool has_filter =
        std::any_of(line_.given.begin(), line_.given.end(), [&](const Given& one) {
          return one.id != Id::type && cli::option_of(one.id).group == filters;
        });
    if (opens_ && !has_filter && !has_pattern_ && line_.arguments.empty()) throw Untranslatable();
    // Files are no rows of a table.
    if (line_.has(Id::usage) && has_option(words_, "--files")) {
      line_.take_out(Id::usage);
      add(Id::details);
      add(Id::sort, "-size");
      is_certain_ = false;
    }
    if (has_option(words_, "--files")) settle_globs_of_rg();
    settle_roots();
    if (!has_pattern_) put_text_first();
    if (!changed_) return {};
    // TEXT of another program that is a directory here, as in `. src`.
    if (doubt_.empty() && !has_option(words_, "--in") && text::looks_like_path(words_.front())) {
      doubt_ = line_.last(Id::in);
      is_certain_ = is_certain_ && doubt_.empty();
    }
    return {std::move(line_), doubt_, is_certain_};
  }

  /// The program whose options were found.
  Program program() const { return program_; }
  /// False if a word that was read is a guess, or may be another program's.
  bool is_certain() const { return is_certain_; }

 private:
  /// Notes that the meaning of the word being read is a guess.
  void guess() {
    is_certain_ = false;
    doubt();
  }
  /// Notes that a line with the word being read must not act on files.
  void doubt() {
    if (doubt_.empty()) doubt_ = words_[word_];
  }
  /// Adds an option of ours.
  void add(Id id, std::string value = {}) { line_.add(id, std::move(value)); }

  /// Adds options of ours, of a table.
  void add_all(const std::vector<Given>& given) {
    for (const Given& one : given) add_own(one);
  }
  /// The option that was given last; null if none was.
  Given* last(Id id) {
    const auto found = std::find_if(line_.given.rbegin(), line_.given.rend(),
                                    [&](const Given& one) { return one.id == id; });
    return found == line_.given.rend() ? nullptr : &*found;
  }
  /// Notes that the line is `program`'s, unless another was found before.
  void mark(Program program) {
    changed_ = true;
    if (program == Program::shared) program = Program::fd;
    if (program_ == Program::any && program != Program::guess) program_ = program;
  }

  /// False for a program whose word others have for something else.
  bool is_run(Program program) const {
    const bool lists_files = program == Program::rg && has_option(words_, "--files");
    return lists_files || program == Program::any || program == Program::fd ||
           program == Program::ls || program == Program::guess;
  }

  std::string next_value() {
    if (at_ == words_.size()) throw Untranslatable();
    if (looks_like_option(words_[at_])) guess();
    return words_[at_++];
  }

  /// Splits the only word of a command at its blanks: `-x 'ls -l {}'`. False if there are none, if
  /// a program is called so, or if a shell would do more than split it.
  bool split_command(Words& command) const {
    const std::string word = command.front();
    if (has_any(word, "|&;<>$`*?[~#") || host_.place_of(word) != Place::missing) return false;
    const std::optional<Words> words = text::shell_words(word);
    if (!words || words->size() < 2) return false;
    command = *words;
    return true;
  }

  /// Moves an option that runs a command, and its words up to a `;` or the end. `-x rm --dry-run`
  /// becomes --dry-run -x rm. `first_word` is the rest of the option's own word.
  void take_command(Id id, std::string first_word) {
    Given one{.id = id, .word = word_};
    Words& command = one.command;
    if (!first_word.empty()) command.push_back(std::move(first_word));
    bool closed = false;
    while (at_ < words_.size() && !closed) {
      closed = words_[at_] == ";";
      if (!closed) command.push_back(words_[at_]);
      ++at_;
    }
    // find's `{} +` is our -X.
    const std::size_t size = command.size();
    if (size > 1 && command[size - 1] == "+" && command[size - 2] == "{}" && id == Id::exec) {
      command.pop_back();
      one.id = Id::exec_batch;
      one.word = UsagePlace::unknown;
      changed_ = true;
    }
    // 'ls -l {}' in quotes is the name of a program.
    if (size == 1 && split_command(command)) changed_ = true;
    // --dry-run and --confirm at the end of a command were meant for us.
    while (!closed && command.size() > 1 && cli::is_own_option(command.back())) {
      add(cli::find_option(command.back())->id);
      command.pop_back();
      changed_ = true;
    }
    line_.given.push_back(std::move(one));
  }

  /// Adds --kind photo or --ext mp3 for such a --type, and --ext mp3 for such a --kind; --type
  /// files is -t file. False for other values.
  bool add_kind(const Given& one) {
    const std::string value = text::fold_ascii(one.value);
    const std::string_view type = value_in(
        "files=file dirs=dir directories=dir folders=dir symlinks=symlink links=link", value);
    const auto kind = query::find_kind(value);
    const bool is_extension = value.size() > 1 && query::is_extension(value);
    const bool is_name = kind && query::kind_names()[static_cast<std::size_t>(*kind)] == value;
    const bool is_type = query::find_type(value).has_value();
    if (one.id == Id::kind ? kind || !is_extension : is_type) return false;
    if (type.empty() && !kind && !is_extension) return false;
    changed_ = true;
    if (!type.empty()) {
      add(Id::type, std::string(type));
    } else {
      add(is_name || !is_extension ? Id::kind : Id::ext, value);
    }
    return true;
  }

  /// Adds `one`, an option of ours; translates values that it has in another program only.
  void add_own(Given one) {
    std::string& value = one.value;
    const bool is_type = one.id == Id::type;
    if (one.id == Id::owner && has_any(value, ":!")) {  // alice:staff or !root of fd
      mark(Program::fd);
      throw Untranslatable();
    }
    const std::string_view flag = value_in(
        "x=--executable executable=--executable e=--empty empty=--empty", is_type ? value : "");
    if (!flag.empty()) {
      mark(Program::fd);
      return add(cli::find_option(flag)->id);
    }
    if (one.id == Id::format && !format_called(value).empty()) {
      changed_ = true;
      is_certain_ = false;  // fd has the same option, and prints the word
      return add_all(options_in(format_called(value)));
    }
    if (one.id == Id::kind && text::fold_ascii(value) == "word") {
      changed_ = true;
      return add(Id::ext, "doc,docx");
    }
    if ((is_type || one.id == Id::kind) && add_kind(one)) return;
    has_pattern_ = has_pattern_ || cli::is_pattern_option(one.id);
    const cli::OptionRow& row = cli::option_of(one.id);
    // A file may be called "Nov 20".
    const bool is_file = row.value == "FILE|TIME" && host_.place_of(value) != Place::missing;
    Correction correction = is_file ? Correction() : corrected(main_name(row), value, host_.clock);
    Words& meant = correction.values;
    changed_ = changed_ || !meant.empty();
    is_certain_ = is_certain_ && (meant.empty() || correction.is_only);
    if (one.id == Id::format && !meant.empty()) mark(Program::fd);  // its placeholders
    if (meant.empty()) meant.push_back(value);
    for (std::string& each : meant) {
      value = std::move(each);
      line_.given.push_back(one);
    }
  }

  /// Adds the counterpart of another program's option. `value` is that of --name=value; without
  /// one, the next word is.
  void replace(Foreign foreign, std::optional<std::string> value) {
    const bool picks = has_option(words_, "--pick");
    if (foreign.program == Program::fzf && !picks) throw Untranslatable();
    mark(foreign.program);
    // --csv --fields size: fields of --csv.
    const auto is_typed = [&](std::string_view here) {
      return here.ends_with('=') && has_option(words_, here.substr(0, here.size() - 1));
    };
    for (const std::string_view format : {"--csv=", "--tsv="}) {
      if (foreign.here == "--json=" && is_typed(format)) foreign.here = format;
    }
    if (is_typed(foreign.here)) line_.take_out(options_in(foreign.here).front().id);
    if (foreign.here.starts_with("--usage")) line_.take_out(Id::usage);
    const bool is_sum = foreign.here == "--usage=0" && at_ < words_.size() && words_[at_] == "size";
    if (is_sum) ++at_;
    const bool is_span = foreign.here.starts_with("--modified ") && has_option(words_, "--from") &&
                         (has_option(words_, "--to") || has_option(words_, "--until"));
    if (foreign.program == Program::guess && !is_sum && !is_span) guess();
    is_certain_ = is_certain_ && is_run(foreign.program);
    // --open can mean nothing else, and the line shows its command.
    const bool is_clear = is_of_program(foreign) && foreign.program != Program::ls &&
                          foreign.program != Program::shared;
    if (foreign.treatment != Treatment::command && !is_clear) doubt();
    if (takes_value(foreign) && !value) value = next_value();
    switch (foreign.treatment) {
      case Treatment::none:
        throw Untranslatable();
      case Treatment::drop:
        if (foreign.names == "--relative-path") line_.take_out(Id::absolute);
        return;
      case Treatment::drop_value:
        if (foreign.names == "--path-separator" && *value != "/") throw Untranslatable();
        return;
      case Treatment::reversed:
        if (value || (foreign.names == "-r" && !has_option(words_, "--sort"))) {
          throw Untranslatable();
        }
        if (!has_option(words_, "--sort") || (foreign.names == "-r" && !at_last_value())) guess();
        if (!picks) reverses_ = true;  // fzf's is a layout
        return;
      case Treatment::flag:
        if (value) throw Untranslatable();
        add_all(options_in(foreign.here));
        // --largest 10, but not --newest 7d
        if (foreign.here.starts_with("--sort") && at_ < words_.size() &&
            text::is_digit(words_[at_][0])) {
          if (!text::is_digits(words_[at_])) throw Untranslatable();
          add(Id::limit, next_value());
        }
        return;
      case Treatment::date:
        dates_ += text::format("{}{}{} ", foreign.here, foreign.here.empty() ? "" : " ", *value);
        return;
      case Treatment::span:
        *value += ".." + next_value();
        break;
      case Treatment::command:
        return add_command(foreign.here);
      default:
        break;
    }
    if (foreign.here == "-E /") return add(Id::exclude, *value + "/");
    if (foreign.here == "--json=" && *value == "all") *value = "full";
    if (foreign.here.ends_with("--contains") && foreign.program == Program::grep) {
      if (has_any(*value, expression_signs)) throw Untranslatable();
      reads_files_ = true;
    }
    add_all(counterpart(foreign, *value));
  }

  /// Adds a command for each match; after the | of a row is that for a Mac.
  void add_command(std::string_view commands) {
    const std::string_view others = text::take_part(commands, '|');
    const bool is_mac = host_.dialect == Dialect::bsd;
    opens_ = true;
    line_.given.push_back(
        {.id = Id::exec, .command = split(is_mac ? commands : others), .word = word_});
  }

  /// Adds an option of ours that takes a value, the next word; one that is a flag in fd may have
  /// none.
  void add_with_next(const cli::OptionRow& row, const std::string& name) {
    // grep's line numbers.
    if (row.id == Id::limit && at_last_value() && line_.has(Id::contains)) {
      changed_ = true;
      is_certain_ = false;
      Given grep{.id = Id::exec_batch, .command = split("grep -nF -e"), .word = word_};
      grep.command.push_back(line_.last(Id::contains));
      line_.given.push_back(std::move(grep));
      return;
    }
    // Flags of fd.
    if (at_last_value() && lists("--prune --glob -g --regex -F", name)) {
      // rg -g -i PATTERN
      const bool is_ours = at_ < words_.size() && cli::find_option(words_[at_]) != nullptr;
      is_certain_ = is_certain_ && (name == "--prune" || !is_ours);
      mark(Program::fd);
      throw Untranslatable();
    }
    add_own({.id = row.id, .value = next_value(), .word = word_});
  }

  void scan_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    const cli::OptionRow* const row = cli::find_option(name);
    const std::string next = value ? *value : at_ < words_.size() ? words_[at_] : "";
    const Foreign* const foreign = find_foreign(name);
    // --from FILE is ours, --from DATE is not.
    if (foreign != nullptr && (row == nullptr || host_.is_valid({"--modified", ">=" + next}))) {
      return replace(*foreign, value);
    }
    if (row == nullptr && !value) {
      if (const cli::OptionRow* const undone = cli::find_undone(name); undone != nullptr) {
        line_.given.push_back({.id = undone->id, .off = true, .word = word_});
        return;
      }
    }
    const Predicate* const predicate = row == nullptr && !value ? find_predicate(name) : nullptr;
    // --writable is a test of ours without an option.
    if (predicate != nullptr && name.size() > 3 && predicate->form != Form::flag) {
      return replace_word_of_find(*predicate);
    }
    if (row == nullptr) return replace_unknown(name, value);
    if (takes_command(*row)) return take_command(row->id, value.value_or(""));
    if (!value && takes_value(*row)) return add_with_next(*row, name);
    if (value && is_flag(*row)) throw Untranslatable();
    add_own({.id = row->id,
             .value = value.value_or(std::string(row->value_when_absent)),
             .word = word_});
  }

  /// Replaces an option that no program has: --may is a time, others are misspelt.
  void replace_unknown(const std::string& name, const std::optional<std::string>& value) {
    changed_ = true;
    const Correction month = corrected("--modified", name.substr(2), host_.clock);
    if (!value && month.is_only && month.values.size() == 1) {
      doubt();
      return add(Id::modified, month.values.front());
    }
    guess();
    const std::string meant = nearest_option(name);
    if (meant.empty()) throw Untranslatable();
    line_.words[word_] = meant + (value ? "=" + *value : "");
    scan_long(line_.words[word_]);
  }

  /// True if the next word cannot be a value: there is none, or it is an option.
  bool at_last_value() const {
    return at_ == words_.size() || (words_[at_].starts_with("-") && words_[at_].size() > 1);
  }

  /// Adds the option of ours that does the same as a word of find's between words of ours: one row
  /// of the table. None for what acts, nor for operators.
  void replace_word_of_find(const Predicate& predicate) {
    of_find_ = changed_ = true;
    is_certain_ = false;
    doubt();
    const bool has_value = predicate.form > Form::syntax && predicate.form < Form::flag &&
                           predicate.form != Form::depth_first;
    std::string value = has_value ? next_value() : std::string();
    const cli::OptionRow* const row = cli::find_option(predicate.here);
    switch (predicate.form) {
      case Form::nothing:
        if (predicate.here == "midnight") throw Untranslatable();
        if (row != nullptr) add(row->id);
        return;
      case Form::name:
        // Two of ours are alternatives. Other signs are not in both kinds of globs.
        if (has_pattern_ || value.empty() || has_any(value, "/\\[]{}")) throw Untranslatable();
        has_pattern_ = true;
        add(predicate.here == "case" ? Id::case_sensitive : Id::ignore_case);
        return add(Id::glob, value);
      case Form::type:
        if (line_.has(Id::type) || !predicate.here.empty()) throw Untranslatable();
        return add(Id::type, value);
      case Form::max_depth:
      case Form::min_depth:
        if (!text::is_digits(value) || value == "0") throw Untranslatable();
        return add(predicate.form == Form::max_depth ? Id::max_depth : Id::min_depth, value);
      case Form::days:
      case Form::minutes:
        // An age is rounded down to whole days, so -7 is within seven.
        if (!value.starts_with('-') || !text::is_digits(value.substr(1)) || value.size() > 7) {
          throw Untranslatable();
        }
        return add(row->id, value.substr(1) + (predicate.form == Form::days ? "d" : "min"));
      case Form::file:
        if (host_.place_of(value) != Place::other) throw Untranslatable();
        return add(row->id, value);
      case Form::account:
      case Form::permissions:
        return add(row->id, value);
      case Form::flag:
      case Form::action:
        if (predicate.here == "print") return;
        if (row == nullptr || row->id == Id::remove) throw Untranslatable();
        return add(row->id);
      default:
        throw Untranslatable();
    }
  }

  /// Short options of ours up to the first that takes a value. fd's `-Htx` is -H --executable.
  void scan_cluster(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      std::string rest = word.substr(i + 1);
      const cli::OptionRow* const row = cli::find_option(name);
      if (row == nullptr) throw Untranslatable();
      if (takes_command(*row)) return take_command(row->id, rest);
      if (is_flag(*row) || has_optional_value(*row)) {
        line_.given.push_back(
            {.id = row->id, .value = std::string(row->value_when_absent), .word = word_});
        continue;
      }
      if (rest.starts_with("=")) rest.erase(0, 1);
      return rest.empty() ? add_with_next(*row, name)
                          : add_own({.id = row->id, .value = rest, .word = word_});
    }
  }

  /// A word of one dash: of another program, of find, a long option with a dash too few, a cluster.
  void scan_short(const std::string& word) {
    const std::string next = at_ < words_.size() ? words_[at_] : std::string();
    // -c is a count for grep and locate; only fd's has one of these words after it.
    if (word == "-c" && !lists("auto always never", next)) {
      guess();
      changed_ = true;
      return add_all(options_in("--count"));
    }
    if (const Foreign* const foreign = find_foreign(word)) return replace(*foreign, {});
    if (word == "-name" && has_option(words_, "-onlyin")) return;  // mdfind's, of TEXT
    if (const Predicate* const predicate = find_word_of_find(word)) {
      return replace_word_of_find(*predicate);
    }
    if (is_long_after_one_dash(word)) {
      doubt();
      changed_ = true;
      const std::string longer = with_second_dash(word);
      line_.words[word_] = longer.empty() ? "-" + word : longer;
      if (word.ends_with('=')) guess();
      return scan_long(line_.words[word_]);
    }
    return scan_cluster(word);
  }

  void scan() {
    bool after_dashes = false;
    while (at_ < words_.size()) {
      word_ = at_;
      const std::string& word = words_[at_++];
      const Foreign* const of_dos = word.starts_with('/') ? find_foreign(word) : nullptr;
      if (of_dos != nullptr && host_.place_of(word) == Place::missing) {
        replace(*of_dos, {});
      } else if (after_dashes || word.size() < 2 || word[0] != '-') {
        // Not after FIELD, which has to be before them.
        const bool needs_dashes = line_.arguments.empty() || word.find_first_of("-@") == 0;
        line_.arguments_after_dashes =
            line_.arguments_after_dashes || (after_dashes && needs_dashes);
        line_.arguments.push_back(word);
      } else if (word == "--") {
        after_dashes = true;
      } else if (word[1] == '-') {
        scan_long(word);
      } else {
        scan_short(word);
      }
    }
  }

  /// Paths that are left once the pattern is taken off: PATHs, or --in for words that would be
  /// TEXT.
  void keep_as_roots() {
    for (const std::string& path : std::exchange(line_.arguments, {})) {
      if (text::looks_like_path(path)) {
        line_.arguments.push_back(path);
      } else {
        add(Id::in, path);
      }
    }
  }

  /// Globs with rg's --files, which are of names: case matters, and those after a ! exclude. Others
  /// are anchored elsewhere, or depend on their order. Arguments are directories.
  void settle_globs_of_rg() {
    bool includes = false;
    bool excludes = false;
    if (line_.all(Id::type).size() > 1) throw Untranslatable();  // rg's -t c
    for (Given& one : line_.given) {
      if (one.id == Id::ext || one.id == Id::kind || one.id == Id::ignore_case) {
        throw Untranslatable();
      }
      if (one.id != Id::glob) continue;
      const bool is_out = one.value.starts_with('!');
      if ((excludes && !is_out) || has_any(one.value, "/")) throw Untranslatable();
      (is_out ? excludes : includes) = true;
      if (is_out) one = {.id = Id::exclude, .value = one.value.substr(1)};
    }
    is_certain_ = is_certain_ && are_directories();
    if (includes || excludes) {
      line_.given.insert(line_.given.begin(), {.id = Id::case_sensitive});
    }
    has_pattern_ = false;
    reads_files_ = true;
  }

  /// False if words of ours in a line with a word of fd's have another meaning there: its TEXT and
  /// its -e are no text and no expression, its ranges include their ends, -t x adds to other types,
  /// --prune is a flag.
  bool is_ours_but_for_rows() const {
    const auto differs = [&](const Given& one) {
      const std::string_view value = one.value;
      return one.id == Id::regex || one.id == Id::format || one.id == Id::prune ||
             (one.id == Id::size && value.find_first_of("+-") == 0) ||
             (one.id == Id::limit && value == "0") ||
             (one.id == Id::type && !lists("f file", value) && line_.has(Id::executable));
    };
    if (std::any_of(line_.given.begin(), line_.given.end(), differs)) return false;
    if (line_.arguments.empty() || has_pattern_) return true;
    const std::string& text = line_.arguments.front();
    return !has_any(text, expression_signs) && !text::looks_like_path(text);
  }

  /// Corrects TEXT that is a query line: `dm:today` is --query modified:today.
  void read_text_as_query() {
    if (has_pattern_ || line_.arguments.empty() || !is_query_line(line_.arguments.front())) return;
    Given query{.id = Id::query, .value = line_.arguments.front()};
    line_.arguments.erase(line_.arguments.begin());
    add_own(query);
  }

  void search_below_arguments() {
    for (const std::string& path : std::exchange(line_.arguments, {})) add(Id::in, path);
  }

  /// Corrects a path before TEXT: `/etc passwd` is passwd /etc, and `. src` is --in src if there is
  /// such a directory. `. src` without such a directory becomes `src`: the root is `.` anyway.
  void put_text_first() {
    Words& arguments = line_.arguments;
    if (arguments.size() < 2 || !text::looks_like_path(arguments.front())) return;
    const auto is_path = [](const std::string& word) { return text::looks_like_path(word); };
    const auto text = std::find_if_not(arguments.begin(), arguments.end(), is_path);
    if (text == arguments.end()) return;
    changed_ = true;
    if (arguments.front() == "." && is_directory(host_, *text)) {
      is_certain_ = false;
      arguments.erase(arguments.begin());
      return search_below_arguments();
    }
    std::rotate(arguments.begin(), text, text + 1);
    // `ls /etc passwd` lists two.
    const auto is_root = [&](const std::string& path) { return is_directory(host_, path); };
    is_certain_ = is_certain_ && host_.place_of(arguments.front()) == Place::missing &&
                  std::all_of(arguments.begin() + 1, arguments.end(), is_root);
    if (arguments.size() == 2 && arguments.back() == ".") arguments.pop_back();
  }

  bool are_directories() const {
    return std::all_of(line_.arguments.begin(), line_.arguments.end(),
                       [&](const std::string& path) { return is_directory(host_, path); });
  }

  /// Arguments of a program that has no TEXT are paths, if all are directories: `-lhR src` is -l
  /// --in src. The order of a --sort is reversed.
  void settle_roots() {
    if ((program_ == Program::ls || reads_files_ || of_find_) && are_directories() &&
        (reads_files_ || !has_pattern_)) {
      keep_as_roots();
    }
    // grep -R TODO src; rg -ltr src
    if (program_ == Program::ls && !line_.arguments.empty()) throw Untranslatable();
    is_certain_ = is_certain_ && !(program_ == Program::ls && line_.has(Id::in));
    if (!reverses_) return;
    Given* const sort = last(Id::sort);
    if (sort == nullptr) return add(Id::sort, "-name");
    sort->value = reversed_keys(sort->value);
  }

  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  std::size_t word_ = 0;  ///< place of the option being read
  std::string doubt_;
  bool changed_ = false;    ///< a word was replaced, dropped or moved
  bool is_certain_ = true;  ///< no word was moved, and none has a guess in its place
  Program program_ = Program::any;

  cli::Options line_;
  std::string dates_;  ///< "2026 month 5 "
  bool has_pattern_ = false;
  bool opens_ = false;        ///< --open and the like
  bool reverses_ = false;     ///< the order of --sort
  bool of_find_ = false;      ///< a word of find's was replaced
  bool reads_files_ = false;  ///< arguments may be directories
};

/// Returns no culprit: the message is that of our own parser.
Translation translate_by_options(Translator& translator) {
  try {
    return translator.translate();
  } catch (const Untranslatable&) {
    return {};
  }
}

}  // namespace

Translation translate(const Words& words, const Host& host) {
  // --no-hints comes from an alias, before a line of any program.
  if (!words.empty() && words.front() == "--no-hints") {
    Translation result = translate({words.begin() + 1, words.end()}, host);
    if (result.line) result.line->add(Id::no_hints);
    return result;
  }
  Translator translator(words, host);
  Translation result = translate_by_options(translator);
  if (!result.line && translator.program() == Program::fd) {
    if (const std::optional<bool> acts = is_fd_acting(words, host)) {
      return {.is_certain = translator.is_certain() && !*acts, .stand_in = "fd"};
    }
  }
  return result;
}

}  // namespace ffind::foreign
