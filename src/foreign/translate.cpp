// SPDX-License-Identifier: MIT
// Translates command lines of fd, rg, grep, locate, ls, mdfind and du, single words of find's in a
// line of ours, and slips.
//
// A line does not say which program it was typed for, since `ffind` is its first word. Two passes:
//
//   scan()    reads word by word. An option of ours is kept. One in the tables is replaced, and
//             identifies the program; the first that is known counts. So do clusters of letters
//             that are usual with ls and grep. A field or a value may be in place of an option,
//             and a misspelt option is the nearest one. Any other ends the translation.
//   settle_pattern()
//             gives the arguments the meaning of that program: for fd the first is a regular
//             expression, for grep text in files, for rg and ls a path.
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

bool has_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// Characters with a meaning in a regular expression.
constexpr std::string_view expression_signs = "\\^$.|?*+()[]{}";

/// True for -rn, -ril and the like: a search in files. There has to be an `r`: the other letters
/// alone are no search in files, and -R may be of ls.
bool are_letters_of_grep(std::string_view letters) {
  return has_any(letters, "r") && has_only(letters, "rRnilHIEwFs");
}

/// True for letters of du, such as -sh, unless they are ours alone.
bool are_letters_of_du(std::string_view letters) {
  return has_only(letters, "abchkms") && !has_only(letters, "as");
}

/// True for an extension of documents, media and data: --run and --cmd are no extensions.
bool is_kept(const std::string& extension) {
  using enum query::Kind;
  const query::Kinds others = bit_of(text) | bit_of(code) | bit_of(binary) | bit_of(app);
  return query::is_extension(extension) && (query::kind_of_file("x." + extension) & ~others) != 0 &&
         !lists("xml rm", extension);
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

/// One command line; translate() is called once. The scan_ functions consume words, and add to the
/// members below; the settle_ functions change them.
class Translator {
 public:
  Translator(const Words& words, const Host& host, Program program = Program::any)
      : words_(words), host_(host), program_(program) {
    line_.words = words;
  }

  /// The line of ours; none if nothing changes. Throws if a word has no counterpart.
  Translation translate() {
    const bool has_operators = std::any_of(words_.begin(), words_.end(), [](const auto& word) {
      return lists("( ) ! , -not -a -and -o -or", word);
    });
    if (has_operators && is_of_find(words_, host_)) throw Untranslatable();
    scan();
    if (program_ == Program::fd && !is_ours_but_for_rows()) throw Untranslatable();
    if (!dates_.empty()) add_own({.id = Id::modified, .value = dates_});
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
    sort_order();
    if (sums_) {
      line_.take_out(Id::usage);
      add(Id::usage, "0");
    }
    if (has_option(words_, "--files")) settle_globs_of_rg();
    settle_pattern();
    if (!has_pattern_) put_text_first();
    if (!changed_) return {};
    if (!wheres_.empty()) add(Id::where, wheres_);
    // TEXT of another program that is a directory here, as in `. src`.
    if (doubt_.empty() && !has_option(words_, "--in") && text::looks_like_path(words_.front())) {
      doubt_ = line_.last(Id::in);
      is_certain_ = is_certain_ && doubt_.empty();
    }
    is_certain_ = is_certain_ && is_exact();
    return {std::move(line_), doubt_, is_certain_};
  }

  /// The program whose options were found.
  Program program() const { return program_; }

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
  void add_where(const std::string& term) { wheres_ += (wheres_.empty() ? "" : " and ") + term; }
  /// Notes that the line is `program`'s, unless another was found before.
  void mark(Program program) {
    changed_ = true;
    if (program_ == Program::any && program != Program::guess) program_ = program;
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
    const bool picks = std::find(words_.begin(), words_.end(), "--pick") != words_.end();
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
    const bool is_sum = foreign.here == "--usage=0" && at_ < words_.size() && words_[at_] == "size";
    if (is_sum) ++at_;
    const bool is_span = foreign.here.starts_with("--modified ") && has_option(words_, "--from") &&
                         (has_option(words_, "--to") || has_option(words_, "--until"));
    if (foreign.program == Program::guess && !is_sum && !is_span) guess();
    // --open can mean nothing else, and the line shows its command.
    if (!is_of_program(foreign) && foreign.treatment != Treatment::command) doubt();
    if (takes_value(foreign) && !value) value = next_value();
    switch (foreign.treatment) {
      case Treatment::none:
        throw Untranslatable();
      case Treatment::drop:
        if (foreign.names == "--relative-path") {  // it undoes -a
          line_.take_out(Id::absolute);
        }
        return;
      case Treatment::drop_value:
        if (foreign.names == "--path-separator" && *value != "/") throw Untranslatable();
        return;
      case Treatment::reversed:
        if (value) throw Untranslatable();
        if (!has_option(words_, "--sort")) guess();
        if (!picks) letters_of_ls_ += foreign.here.empty() ? 'r' : 'd';  // fzf's is a layout
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
        dates_ += text::format("{} {} ", foreign.here, *value);
        return;
      case Treatment::span:
        *value += ".." + next_value();
        if (host_.is_valid({"--size", *value})) {
          if (host_.is_valid({"--modified", *value})) guess();
          return add(Id::size, *value);
        }
        break;
      case Treatment::command:
        return add_command(foreign.here);
      case Treatment::levels:
        if (!text::is_digits(*value) || value->size() > 4) throw Untranslatable();
        *value = std::to_string(std::stoul(*value) + 1);
        break;
      default:
        break;
    }
    if (foreign.here == "-E /") return add(Id::exclude, *value + "/");
    if (foreign.here == "--json=" && *value == "all") *value = "full";
    reads_files_ = reads_files_ || foreign.here.starts_with("--contains");
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

  /// Reads --creator ttxt, a field of expressions without an option, --readable, a test, and with
  /// "no-", "not-" and the like in front their opposites: --no-empty, --exclude-ext log. A field
  /// that has an option by another name, such as --mtime, is that option.
  bool scan_field(std::string_view name, std::optional<std::string> value) {
    std::string_view word = name.substr(2);
    bool excluded = false;
    for (const std::string_view prefix : {"no-", "not-", "non-", "without-", "exclude-", "skip-"}) {
      if (excluded || !word.starts_with(prefix)) continue;
      word.remove_prefix(prefix.size());
      excluded = true;
    }
    const std::string_view negation = excluded ? "not " : "";
    const query::Flag* const flag = query::find_flag(word);
    const query::Field* field = query::find_field(word);
    // Everything's --dm.
    bool is_guess = true;
    const std::string term =
        field == nullptr ? term_of_other_finders(word, {}, is_guess) : std::string();
    const std::string option = "--" + term.substr(0, term.find(':'));
    if (term.ends_with(':') && cli::find_option(option) != nullptr) {
      field = query::find_field(option.substr(2));
    }
    if (flag != nullptr && !value && flag->name != "true" && flag->name != "false") {
      add_where(text::format("{}{}", negation, flag->name));
    } else if (field != nullptr && !name.starts_with("--no-")) {
      const cli::OptionRow* const row = cli::find_option(text::format("--{}", field->name));
      if (!value) value = next_value();
      if (!excluded && row != nullptr) {
        add_own({.id = row->id, .value = *value, .word = word_});
      } else {
        const bool globs = (field->operators & bit_of(query::Operator::glob)) != 0;
        const bool is_list = !field->list_of.empty() && has_any(*value, ",");
        const std::string_view op = has_only(value->substr(0, 1), "<>=") ? ""
                                    : is_list                            ? "in "
                                    : globs && has_any(*value, "*?[")    ? "glob "
                                                                         : "= ";
        const std::string operand = is_list      ? "(" + *value + ")"
                                    : op.empty() ? *value
                                                 : query::bare_or_quoted(*value);
        add_where(text::format("{}{} {}{}", negation, field->name, op, operand));
      }
    } else {
      return false;
    }
    guess();
    changed_ = true;
    return true;
  }

  /// Reads a value in place of its option: --may and --2026 are when it was modified,
  /// --created-last-week when it was created, --archives is a kind, and -sort-size-descending of es
  /// has the key.
  bool scan_value(std::string_view name) {
    std::string words(name.substr(2));
    constexpr std::string_view sort = "sort-";
    bool is_certain = true;
    if (words.starts_with(sort)) {
      add_own({.id = Id::sort, .value = words.substr(sort.size()), .word = word_});
    } else if (words.ends_with('s') && query::find_kind(words)) {
      add(Id::kind, words);
      is_certain = false;
    } else {
      if (text::is_digits(words) && words.size() != 4) return false;
      std::string_view rest = words;
      const std::string first = text::format("--{}", text::take_part(rest, '-'));
      const bool is_named =
          !rest.empty() && lists("--created --accessed --changed --added --modified", first);
      const cli::OptionRow& row =
          is_named ? *cli::find_option(first) : cli::option_of(Id::modified);
      std::string time = "in " + (is_named ? std::string(rest) : words);
      std::replace(time.begin(), time.end(), '-', ' ');
      const Correction meant = corrected(main_name(row), time, host_.clock);
      if (meant.values.size() != 1) return false;
      add(row.id, meant.values.front());
      is_certain = meant.is_only;
    }
    is_certain_ = is_certain_ && is_certain;
    doubt();
    changed_ = true;
    return true;
  }

  /// Adds an option of ours that takes a value, the next word; one that is a flag in fd may have
  /// none.
  void add_with_next(const cli::OptionRow& row, const std::string& name) {
    // grep's line numbers.
    if (row.id == Id::limit && at_last_value() && line_.has(Id::contains)) {
      mark(Program::grep);
      Given grep{.id = Id::exec_batch, .command = split("grep -nF -e"), .word = word_};
      grep.command.push_back(line_.last(Id::contains));
      line_.given.push_back(std::move(grep));
      return;
    }
    // Flags of fd.
    if (at_last_value() && lists("--prune --glob -g --regex -F", name)) {
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
    if (row == nullptr) {
      if (scan_field(name, value) || (!value && scan_value(name))) return;
      const std::string meant = nearest_word(name);
      guess();
      changed_ = true;
      if (meant.empty()) {
        const std::string extension = name.substr(2);
        if (value || !is_kept(extension)) throw Untranslatable();
        return add(Id::ext, extension);  // --parquet
      }
      line_.words[word_] = meant + (value ? "=" + *value : "");
      return scan_long(line_.words[word_]);
    }
    if (takes_command(*row)) return take_command(row->id, value.value_or(""));
    if (!value && takes_value(*row)) return add_with_next(*row, name);
    if (value && is_flag(*row)) throw Untranslatable();
    add_own({.id = row->id,
             .value = value.value_or(std::string(row->value_when_absent)),
             .word = word_});
  }

  /// True if the next word cannot be a value: there is none, or it is an option.
  bool at_last_value() const {
    return at_ == words_.size() || (words_[at_].starts_with("-") && words_[at_].size() > 1);
  }

  /// Adds the option of ours that does the same as a word of find's between words of ours. None for
  /// what acts, since names are compared in another way, nor for operators.
  void replace_word_of_find(const Predicate& predicate) {
    of_find_ = changed_ = true;
    is_certain_ = false;
    doubt();
    const bool has_value = predicate.form > Form::syntax && predicate.form < Form::flag &&
                           predicate.form != Form::depth_first;
    const std::string value = has_value ? next_value() : std::string();
    const cli::OptionRow* const row = cli::find_option(predicate.here);
    const std::size_t sign = value.find_first_not_of("+-");
    const bool is_count = sign < 2 && text::is_digits(std::string_view(value).substr(sign)) &&
                          value.size() - sign < 7;
    const auto number = [&] { return std::stoul(value.substr(sign)); };
    const char relation = is_count && sign == 1 ? value[0] : ' ';
    switch (predicate.form) {
      case Form::nothing:
        if (predicate.here == "midnight") throw Untranslatable();
        if (row != nullptr) add(row->id);
        return;
      case Form::action:
        if (predicate.here == "print") return;
        if (row == nullptr || row->id == Id::remove) throw Untranslatable();
        return add(row->id);
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
      case Form::minutes: {
        // An age is rounded down to whole days, but up to whole minutes.
        const bool in_days = predicate.form == Form::days;
        const std::string_view unit = in_days ? "d" : "min";
        if (!is_count || number() == 0) throw Untranslatable();
        const std::uint64_t most = number() + (in_days ? 1 : 0);
        return add(row->id, relation == '+' ? text::format(">{}{}", most, unit)
                            : relation == '-'
                                ? text::format("{}{}", number(), unit)
                                : text::format("{}{}..{}{}", most, unit, most - 1, unit));
      }
      case Form::account:
      case Form::permissions:
        return add(row->id, value);
      case Form::flag:
        if (row == nullptr) throw Untranslatable();
        return add(row->id);
      case Form::file:
        if (host_.place_of(value) != Place::other) throw Untranslatable();
        return add(row->id, value);
      default:
        throw Untranslatable();
    }
  }

  /// -lhRt, -ltr, and -t without a value; letters that only change how ls lists (h, A, 1, F) are
  /// the default here. False if the letters are not those of ls. -h alone is our help.
  bool scan_habit_of_ls(const std::string& word) {
    const std::string_view letters = std::string_view(word).substr(1);
    const bool is_time = letters == "t" && (at_ == words_.size() || words_[at_].starts_with("-"));
    if (!is_time && (word == "-h" || word == "-hR" || !are_letters_of_ls(letters))) return false;
    mark(Program::ls);
    doubt();
    is_certain_ = is_certain_ && !is_time;
    letters_of_ls_ += letters;
    if (word == "-R" && at_ < words_.size() && !words_[at_].starts_with("-") &&
        !is_directory(host_, words_[at_])) {
      content_ = true;  // grep -R TODO src
    }
    return true;
  }

  /// -r with --sort is that of sort and ls. `-r WORD` at the end is locate's regular expression.
  void scan_letters_of_grep(std::string_view letters) {
    const std::size_t rest = words_.size() - at_;
    // After a key of rg's it is its --replace.
    const bool follows_sort =
        line_.has(Id::sort) && !lists("path modified accessed created", line_.last(Id::sort));
    if (letters == "r" && (at_last_value() ? has_option(words_, "--sort") : follows_sort)) {
      doubt();
      changed_ = true;
      letters_of_ls_ += 'r';
      return;
    }
    guess();
    const bool is_locate = letters == "r" && rest == 1;
    mark(is_locate ? Program::locate : Program::grep);
    if (is_locate) {
      has_pattern_ = true;
      return add(Id::regex, next_value());
    }
    if (rest == 0) throw Untranslatable();
    content_ = true;
    add(has_any(letters, "i") ? Id::ignore_case : Id::case_sensitive);
  }

  /// -sh and -c with --usage. Letters without a counterpart: -a, -k and -m.
  void take_letters_of_du(std::string_view letters) {
    if (!has_only(letters, "bchs")) throw Untranslatable();
    mark(Program::du);
    sums_ = sums_ || has_any(letters, "s");  // with --usage
    if (has_any(letters, "h")) add_all(options_in("--human"));
    if (has_any(letters, "b")) add(Id::apparent);
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

  /// In this order, since each would understand words of the next: letters of du, a letter of
  /// another program, a word of find, a long option with one dash, letters of
  /// ls, letters of grep, a cluster.
  void scan_short(const std::string& word) {
    const std::string_view letters = std::string_view(word).substr(1);
    const bool is_usage = has_option(words_, "--usage");
    if (is_usage ? are_letters_of_du(letters) : lists("sh hs sch csh shc", letters)) {
      if (!is_usage) guess();  // ls -sh
      return take_letters_of_du(letters);
    }
    // -c is a count for grep and locate; only fd's has one of these words after it.
    if (word == "-c" && (at_ == words_.size() || !lists("auto always never", words_[at_]))) {
      guess();
      mark(Program::locate);
      return add_all(options_in("--count"));
    }
    if (const Foreign* const foreign = find_foreign(word)) return replace(*foreign, {});
    if (word == "-name" && has_option(words_, "-onlyin")) {
      named_ = true;  // TEXT follows, as an argument
      return;
    }
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
    if (scan_habit_of_ls(word)) return;
    if (are_letters_of_grep(letters)) return scan_letters_of_grep(letters);
    if (word.size() > 2 && has_any(letters, "v") && has_only(letters, "vEFGPiw")) {
      // grep -vE
      guess();
      changed_ = true;
      return add(Id::exclude, next_value());
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

  /// Translates the order of ls: newest or largest first, -r reverses. -t is newest first, so `-lt`
  /// is --sort -modified and `-ltr` --sort modified. Without -t or -S, -r is the order of names, or
  /// of a typed --sort, reversed.
  void sort_order() {
    if (has_any(letters_of_ls_, "l")) add(Id::details);
    Given* const sort = last(Id::sort);
    const bool is_descending = sort != nullptr && sort->value.starts_with('-');
    const bool is_reversed =
        has_any(letters_of_ls_, "r") || (has_any(letters_of_ls_, "d") && !is_descending);
    if (has_any(letters_of_ls_, "tS")) {
      const std::string_view key = has_any(letters_of_ls_, "t") ? "modified" : "size";
      add(Id::sort, text::format("{}{}", is_reversed ? "" : "-", key));
    } else if (is_reversed && sort == nullptr) {
      add(Id::sort, "-name");  // the order of ls
    } else if (is_reversed) {
      sort->value = reversed_keys(sort->value);
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

  /// grep: the first argument is searched for in files, and the others are paths. `grep -rl TODO
  /// src` is -s --contains TODO --in src.
  void settle_content() {
    if (line_.arguments.empty()) throw Untranslatable();
    const std::string pattern = take_first();
    add(has_any(pattern, expression_signs) ? Id::contains_regex : Id::contains, pattern);
    if (line_.arguments == Words{"."}) line_.arguments.clear();
    if (!has_pattern_) keep_as_roots();
  }

  /// Globs with rg's --files, which are of names: case matters but to --iglob, and those after a !
  /// exclude. Others are anchored elsewhere, or depend on their order.
  void settle_globs_of_rg() {
    std::size_t globs = 0;
    bool excludes = false;
    for (Given& one : line_.given) {
      if (one.id != Id::glob) continue;
      ++globs;
      const bool includes = !one.value.starts_with('!');
      if ((excludes && includes) || has_any(one.value, "/")) throw Untranslatable();
      excludes = excludes || !includes;
      if (!includes) one = {.id = Id::exclude, .value = one.value.substr(1)};
    }
    const std::size_t folded = line_.all(Id::ignore_case).size();
    const bool has_types = std::any_of(words_.begin(), words_.end(), [](const std::string& word) {
      return word.starts_with("-t") || word.starts_with("--type");
    });
    if (has_types || (folded != 0 && folded != globs)) throw Untranslatable();
    line_.take_out(Id::ignore_case);
    has_pattern_ = false;
    if (globs > 0) {
      line_.given.insert(line_.given.begin(),
                         {.id = folded > 0 ? Id::ignore_case : Id::case_sensitive});
    }
  }

  /// True if no other options are given.
  bool gives_only(std::initializer_list<Id> ids) const {
    return std::all_of(line_.given.begin(), line_.given.end(), [&](const Given& one) {
      return std::find(ids.begin(), ids.end(), one.id) != ids.end();
    });
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

  /// False if a line of the program would find or print something else, although each word has a
  /// counterpart. Options that both programs have, but for another purpose, are none of those
  /// listed.
  bool is_exact() const {
    const Words& arguments = line_.arguments;
    const auto is_root = [&](const std::string& path) { return is_directory(host_, path); };
    switch (program_) {
      case Program::any:
        return true;
      case Program::fd:
        return !line_.has(Id::format);
      case Program::rg:
        return has_option(words_, "--files") &&
               gives_only({Id::type, Id::glob, Id::exclude, Id::ignore_case, Id::case_sensitive,
                           Id::max_depth, Id::follow, Id::null, Id::sort, Id::in, Id::quiet,
                           Id::no_messages, Id::threads, Id::color}) &&
               std::all_of(arguments.begin(), arguments.end(), is_root);
      case Program::locate:
        // Matches whole paths otherwise, and any of several words.
        return (has_option(words_, "-b") || has_option(words_, "--basename")) &&
               arguments.size() < 2 && gives_only({Id::ignore_case, Id::limit, Id::null});
      case Program::ls:
        return gives_only({Id::details, Id::sort, Id::human, Id::in}) &&
               !has_option(words_, "--sort") &&
               std::all_of(arguments.begin(), arguments.end(), is_root);
      case Program::mdfind:
        // Searches contents without -name, which ignores case and knows no globs.
        return named_ && arguments.size() == 1 && !text::has_upper_case(arguments.front()) &&
               !has_any(arguments.front(), "*?") && gives_only({Id::in, Id::count, Id::null});
      case Program::du:
        // du's plain numbers are of 1,024 bytes, and several roots have a total here.
        return line_.has(Id::usage) && (line_.has(Id::human) || line_.has(Id::apparent)) &&
               arguments.size() < 2 && gives_only({Id::usage, Id::human, Id::apparent});
      default:
        return false;
    }
  }

  void search_below_arguments() {
    for (const std::string& path : std::exchange(line_.arguments, {})) add(Id::in, path);
  }

  std::string take_first() {
    std::string first = line_.arguments.front();
    line_.arguments.erase(line_.arguments.begin());
    return first;
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

  /// Gives the first argument the meaning that it has in the program whose options were found.
  void settle_pattern() {
    const Words& arguments = line_.arguments;
    if (content_) {
      settle_content();
    } else if ((program_ == Program::ls || program_ == Program::rg || reads_files_ || of_find_) &&
               !has_pattern_) {
      // All arguments are paths, if they are directories. `ls -lR src` is -l --in src.
      if (std::all_of(arguments.begin(), arguments.end(),
                      [&](const std::string& path) { return is_directory(host_, path); })) {
        keep_as_roots();
      }
    }
  }

  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  std::size_t word_ = 0;  ///< place of the option being read
  std::string doubt_;
  bool changed_ = false;    ///< a word was replaced, dropped or moved
  bool is_certain_ = true;  ///< no word was moved, and none has a guess in its place
  bool named_ = false;      ///< mdfind's -name
  Program program_;

  cli::Options line_;
  std::string wheres_;  ///< terms of --where
  std::string dates_;   ///< "year 2026 month 5"
  bool has_pattern_ = false;
  bool sums_ = false;   ///< du's -s
  bool opens_ = false;  ///< --open and the like
  std::string letters_of_ls_;
  bool content_ = false;      ///< the first argument is searched for in files
  bool of_find_ = false;      ///< a word of find's was replaced
  bool reads_files_ = false;  ///< an option like --grep is: arguments may be directories
};

/// Returns no culprit: the message is that of our own parser.
Translation translate_by_options(Translator& translator) {
  try {
    return translator.translate();
  } catch (const Untranslatable&) {
    return {};
  }
}

/// True if each program that accepts `words` means `line`, and the one whose options were found
/// accepts them. Without an option there is nothing of another program in the words.
bool mean_the_same(const Words& words, const Host& host, Program program,
                   const cli::Options& line) {
  if (std::none_of(words.begin(), words.end(),
                   [](const std::string& word) { return word.starts_with('-'); })) {
    return true;
  }
  const std::vector<Program> accepting = programs_accepting(words, host);
  const auto means_line = [&](Program one) {
    if (one == program) return true;
    if (one == Program::rg || one == Program::grep) return false;  // they search in files
    Translator translator(words, host, one);
    const Translation other = translate_by_options(translator);
    return other.is_certain && written(*other.line) == written(line);
  };
  return (program == Program::any || has_option(words, "--files") ||
          std::find(accepting.begin(), accepting.end(), program) != accepting.end()) &&
         std::all_of(accepting.begin(), accepting.end(), means_line);
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
      return {.is_certain = programs_accepting(words, host).size() == 1 && !*acts,
              .stand_in = "fd"};
    }
  }
  result.is_certain =
      result.is_certain && mean_the_same(words, host, translator.program(), *result.line);
  return result;
}

}  // namespace ffind::foreign
