// SPDX-License-Identifier: MIT
// The only file that includes CLI11. The scan reads each word as an option or an argument; an
// option takes the words that belong to it: its value, or a command up to a `;`.
//
//     ffind  -ltf  -S >1M  report  -x gzip {} ;  --json
//
// A word that looks like an option but is none is looked up in the tables of other programs, for
// the message.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bitset>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/request.h"
#include "ffind/issue.h"
#include "foreign/foreign.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

constexpr const char* all_options = "ffind --help lists all options";

/// Throws UsageError for an option of find, fd or rg.
void refuse_habit(std::string_view whole) {
  std::optional<UsageParts> parts = foreign::advice_on_habit(whole);
  if (!parts) return;
  parts->see = all_options;
  throw UsageError(std::move(*parts));
}

[[noreturn]] void fail_unknown_option(std::string_view quoted, const std::string& where,
                                      const std::string& meant) {
  UsageParts parts;
  parts.what = text::format("unknown option '{}'{}", quoted, where);
  if (!meant.empty()) parts.guess = text::format("; did you mean '{}'?", meant);
  parts.place.quoted = quoted;
  parts.see = all_options;
  const std::string word(quoted.substr(std::min(quoted.size(), quoted.find_first_not_of('-'))));
  if (meant.empty() && word.size() > 2 && has_help_on(word)) {
    parts.see = text::format("ffind --help {} has more", word);
  }
  throw UsageError(std::move(parts));
}

/// Throws UsageError for a long option that lacks a dash, such as -tree.
void refuse_missing_dash(std::string_view argument) {
  const std::string longer = foreign::with_second_dash(argument);
  if (longer.empty()) return;
  fail_unknown_option(argument.substr(0, argument.find('=')), {},
                      longer.substr(0, longer.find('=')));
}

/// Throws UsageError for the option `name`, or for the letter `name` in the word `whole`.
[[noreturn]] void fail_unknown(std::string_view name, std::string_view whole) {
  refuse_habit(whole);
  fail_unknown_option(text::escaped(name),
                      name == whole ? "" : text::format(" in '{}'", text::excerpt(whole)),
                      foreign::nearest_option(whole));
}

/// Throws UsageError if the value is an option, or a cluster of short ones: `-E --dry-run -g x
/// --delete` would delete for real, and fd's `-g -i x` would search for "-i".
void refuse_option_as_value(const OptionRow& row, const std::string& value) {
  // Text to find may look like anything.
  if (has_in("--text,--regex,--contains,--contains-regex", row.id)) return;
  // A range may be "-10M", a number "-1" (an error of its own), a key of --sort "-size", a mode
  // "-u".
  constexpr std::string_view dashed_values[] = {"RANGE", "N", "KEY", "FILE|TIME", "MODE"};
  const bool dashed = std::find(std::begin(dashed_values), std::end(dashed_values), row.value) !=
                      std::end(dashed_values);
  const bool is_option = is_option_word(value) || foreign::is_foreign_option(value);
  if (!is_option || (dashed && !value.starts_with("--"))) return;
  throw UsageError(
      {.what = text::format("{0} needs a value, and '{1}' is an option; if it is meant: {0}={1}",
                            main_name(row), value),
       .example = row.example.empty() ? text::format("ffind {} {}", main_name(row), row.value)
                                      : std::string(row.example)});
}

/// The error for the option `name` without its value.
UsageParts missing_value(std::string_view name, const OptionRow& row) {
  const bool optional = has_optional_value(row);
  const bool has_example = !row.example.empty() && (!optional || row.value_when_absent.empty());
  return {.what = text::format("{} needs a value", name),
          .example = has_example ? std::string(row.example)
                                 : text::format("ffind {}{}{}", name, optional ? "=" : " ",
                                                optional ? row.value_when_absent : row.value)};
}

/// The scan of one line.
class Scan {
 public:
  explicit Scan(Options& options) : options_(options), words_(options.words) {}

  void run() {
    for (; index_ < words_.size(); ++index_) {
      try {
        read(words_[index_]);
      } catch (const UsageError& error) {
        if (options_.error) continue;
        options_.error = error.parts();
        options_.error->place.word = index_;
      }
    }
  }

 private:
  void read(const std::string& word) {
    // --save copies the words of a command line in these groups, and hints replace options in them.
    options_.begins.push_back(index_);
    // A lone "-" is an argument, too.
    if (after_dashes_ || word.size() < 2 || word.front() != '-') {
      if (options_.arguments.empty()) options_.arguments_after_dashes = after_dashes_;
      options_.arguments.push_back(word);
      options_.argument_places.push_back(index_);
    } else if (word == "--") {
      after_dashes_ = true;
    } else if (word[1] == '-') {
      read_long(word);
    } else {
      read_short(word);
    }
  }

  Given& add(const OptionRow& row) {
    return options_.given.emplace_back(Given{.id = row.id, .word = index_});
  }

  /// Notes where the value of the last option begins; convert() takes it from there.
  void set_value(std::size_t at) {
    options_.given.back().value_word = index_;
    options_.given.back().value_at = at;
  }

  /// Takes the next word as the value of the last option, which was typed as `name`.
  void take_value(const OptionRow& row, std::string_view name) {
    if (index_ + 1 == words_.size()) throw UsageError(missing_value(name, row));
    refuse_option_as_value(row, words_[++index_]);
    set_value(0);
  }

  /// Takes the words of -x, -X or --if. `first_word` is the rest of the option's own word (-xgzip,
  /// --exec=gzip), or empty.
  void take_command(const OptionRow& row, std::string first_word) {
    Given& command = add(row);
    if (!first_word.empty()) command.command.push_back(std::move(first_word));
    while (++index_ < words_.size()) {
      if (words_[index_] == ";") return;
      command.command.push_back(words_[index_]);
    }
    options_.command_is_open = true;
  }

  /// Reads --NAME, --NAME=VALUE or --no-NAME.
  void read_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const bool has_value = equals != std::string::npos;
    const std::string_view name = std::string_view(word).substr(0, equals);
    const std::string value = has_value ? word.substr(equals + 1) : "";
    const OptionRow* const row = find_option(name);
    // Only without a value: --no-tree=x is an unknown option.
    if (row == nullptr && !has_value) {
      if (const OptionRow* const undone = find_undone(name); undone != nullptr) {
        add(*undone).off = true;
        return;
      }
    }
    if (row == nullptr) fail_unknown(name, name);
    if (takes_command(*row)) return take_command(*row, value);
    Given& one = add(*row);
    if (row->id == Id::help) {
      // --help=WORD is accepted, since that is how options of ours get an optional value.
      if (has_value) options_.help_words.push_back(value);
      while (++index_ < words_.size()) {
        if (words_[index_] != "--") options_.help_words.push_back(words_[index_]);
      }
    } else if (!has_value) {
      one.value = row->value_when_absent;
      if (takes_value(*row)) take_value(*row, main_name(*row));
    } else if (is_flag(*row)) {
      throw UsageError(
          {.what = text::format("{} takes no value, not '{}'", name, text::excerpt(value)),
           .example = text::format("ffind {}", name)});
    } else if (value.empty()) {
      throw UsageError(missing_value(name, *row));
    } else {
      set_value(equals + 1);
    }
  }

  /// Reads a cluster such as -Ltf: letters up to the first that takes a value. `-ltf` is -l, and -t
  /// with the value f, and so is `-lt f`. The words of find and misspelt long options are refused
  /// before their letters are read: -delete would be -d with the value elete.
  void read_short(const std::string& word) {
    if (word.size() > 2) {
      refuse_habit(word);
      refuse_missing_dash(word);
    }
    for (std::size_t index = 1; index < word.size(); ++index) {
      const std::string name{'-', word[index]};
      const OptionRow* const row = find_option(name);
      if (row == nullptr) {
        const std::string_view character = text::plain_character_at(word, index);
        fail_unknown(character.empty() ? name : '-' + std::string(character), word);
      }
      // -lh is a habit from ls.
      if (name == "-h" && word.size() > 2) fail_unknown(name, word);
      // `-t=f` and `-tf`.
      const std::size_t rest = index + (word.size() > index + 1 && word[index + 1] == '=' ? 2 : 1);
      if (takes_command(*row)) return take_command(*row, word.substr(rest));
      add(*row).value = row->value_when_absent;
      if (!takes_value(*row)) continue;
      if (index + 1 == word.size()) return take_value(*row, name);
      return set_value(rest);
    }
  }

  Options& options_;
  const std::vector<std::string>& words_;
  std::size_t index_ = 0;
  bool after_dashes_ = false;
};

/// Has CLI11 convert the values, each from its place in the words. It gets the rows that were
/// typed: it compares each option with all before it, and registering all of them took a third of
/// what an empty search takes.
void convert(Options& options) {
  CLI::App app;
  app.set_help_flag();
  std::vector<std::string> line;
  for (Given& one : options.given) {
    if (one.value_word == UsagePlace::unknown) continue;
    const std::string name(main_name(option_of(one.id)));
    line.insert(line.end(), {name, options.words[one.value_word].substr(one.value_at)});
    if (app.get_option_no_throw(name) != nullptr) continue;
    // One value for each time that it was given, unchanged. As a plain vector CLI11 would consume
    // the words that follow, split [a,b] and drop {}.
    const auto keep = [&options, id = one.id](const CLI::results_t& values) {
      auto value = values.begin();
      for (Given& given : options.given) {
        if (given.id == id && given.value_word != UsagePlace::unknown) given.value = *value++;
      }
      return true;
    };
    app.add_option(name, keep)->type_size(1)->expected(1)->take_all()->allow_extra_args(false);
  }
  // Without values CLI11 is not set up. It takes the words last first.
  if (line.empty()) return;
  std::reverse(line.begin(), line.end());
  app.parse(std::move(line));
}

/// Throws UsageError for a command without words, and for one that ends in an option of ours.
void check_commands(const Options& options) {
  const auto name_of = [](const Given& one) { return names_of(option_of(one.id)).front(); };
  const auto fail_at = [&](const Given& one, std::string what, std::string example) {
    throw UsageError({.what = std::move(what),
                      .place = {.options = {std::string(name_of(one))}, .word = one.word},
                      .example = std::move(example)});
  };
  const Given* last = nullptr;
  // A lone `;` right after -x, or nothing at all.
  for (const Given& one : options.given) {
    if (!takes_command(option_of(one.id))) continue;
    last = &one;
    if (!one.command.empty()) continue;
    fail_at(one, text::format("{} needs a command", name_of(one)),
            text::format("ffind -g '*.jpeg' {} {}", name_of(one),
                         one.id == Id::exec        ? "mv -n {} {.}.jpg"
                         : one.id == Id::condition ? "grep -q Exif"
                                                   : "tar -cf photos.tar"));
  }
  for (const Given& one : options.given) {
    const std::size_t size = one.command.size();
    if (size < 3 || one.id == Id::exec_batch || one.command[size - 1] != "+" ||
        one.command[size - 2] != "{}") {
      continue;
    }
    fail_at(one,
            text::format("'+' is a word of the command of {}; find's -exec ... {{}} + is -X here",
                         name_of(one)),
            "ffind -g '*.log' -X gzip");
  }
  // After a `;` our options are read as such again. As words of the command they would have no
  // effect, and it would run for real.
  if (!options.command_is_open) return;
  const std::size_t own = find_own_option(last->command);
  if (own == last->command.size()) return;
  const std::string name(name_of(*last));
  std::vector<std::string> line = options.words;
  const auto left = static_cast<std::ptrdiff_t>(last->command.size() - own);
  std::rotate(line.begin() + static_cast<std::ptrdiff_t>(last->word), line.end() - left,
              line.end());
  throw UsageError({.what = text::format("{0} is part of the command of {1}, which extends to the "
                                         "end; put {1} last, or end it with ';'",
                                         text::excerpt(last->command[own]), name),
                    .place = {.options = {name}, .quoted = last->command[own]},
                    .suggestion = foreign::line_to_paste(line)});
}

/// Removes what a later option of the line undoes: opposites, an option before its --no-NAME, and a
/// --no-NAME before its option. In "-H --no-hidden -H" the last -H stays.
void drop_undone(Options& options) {
  std::bitset<256> on;
  std::bitset<256> off;
  auto& given = options.given;
  std::vector<Given> kept;
  for (auto one = given.rbegin(); one != given.rend(); ++one) {
    const auto id = static_cast<std::size_t>(one->id);
    const bool undone = one->off ? on[id] : off[id];
    (one->off ? off : on).set(id);
    for (const OptionRow* row : options_in(one->off ? "" : option_of(one->id).opposites)) {
      off.set(static_cast<std::size_t>(row->id));
    }
    if (!undone) kept.push_back(std::move(*one));
  }
  given.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

/// The word of an option that was given first; UsagePlace::unknown if it was not.
std::size_t first_word_of(std::string_view name, const Options& options) {
  const OptionRow* const row = find_option(name);
  const auto found = std::find_if(options.given.begin(), options.given.end(),
                                  [&](const Given& one) { return row && one.id == row->id; });
  return found == options.given.end() ? UsagePlace::unknown : found->word;
}

/// True for options that run a command or delete; they exclude those of printing.
bool acts(const OptionRow& row) {
  return takes_command(row) || row.id == Id::remove || row.id == Id::trash || row.id == Id::restore;
}

[[noreturn]] void fail(const OptionRow& one, const OptionRow& other) {
  std::string what = text::format("{} and {} exclude each other", main_name(one), main_name(other));
  std::string example;
  if (acts(one) != acts(other)) {
    const OptionRow& action = acts(one) ? one : other;
    const std::string_view instead = takes_command(action) ? "the command runs instead of printing"
                                     : action.id != Id::remove
                                         ? "matches are moved instead of printed"
                                         : "matches are deleted instead of printed";
    what = text::format("{} has no effect with {}: {}", main_name(acts(one) ? other : one),
                        main_name(action), instead);
  }
  const bool is_of_trash = one.id == Id::trashed || other.id == Id::trashed;
  if (!is_of_trash && is_list(one.id) != is_list(other.id)) {
    const OptionRow& list = is_list(one.id) ? one : other;
    const OptionRow& rest = is_list(one.id) ? other : one;
    const std::vector<const OptionRow*> of_walks = options_in(option_of(Id::from).excludes);
    const bool walks = std::find(of_walks.begin(), of_walks.end(), &rest) != of_walks.end();
    what = walks ? text::format(
                       "{} has no effect with {}: the entries are those of a list, not of "
                       "a walk",
                       main_name(rest), main_name(list))
                 : text::format("{} needs the files themselves, and {} has only their records",
                                main_name(rest), main_name(list));
    if (!walks) example = std::string(list.example);
  }
  if (is_of_trash && acts(one) != acts(other)) {
    what =
        text::format("{} cannot act on what is in the Trash", main_name(acts(one) ? one : other));
    example = "ffind --trashed report --restore; to empty it: --delete";
  }
  std::string advice;
  if (one.id == Id::pick && other.id == Id::usage) {
    advice = "for a list to pick from, the largest first: ffind --pick --sort=space";
  }
  throw UsageError(
      {.what = std::move(what),
       .place = {.options = {std::string(main_name(one)), std::string(main_name(other))}},
       .example = std::move(example),
       .advice = std::move(advice)});
}

/// Removes the options of a file that a typed one undoes: its opposites and what it replaces, what
/// --no-NAME names, and a --no-NAME of the file that is followed by the option itself.
void take_out_undone(Options& from_file, const Options& typed) {
  std::erase_if(from_file.given, [&](const Given& one) {
    return std::any_of(typed.given.begin(), typed.given.end(), [&](const Given& later) {
      if (one.off != later.off) return one.id == later.id;
      const OptionRow& row = option_of(later.id);
      return !one.off && (has_in(row.opposites, one.id) || has_in(row.replaces, one.id));
    });
  });
}

/// True if --json, --csv or --tsv has words that are neither "lines" nor "full".
bool names_fields(const Options& options) {
  if (!options.data_format()) return false;
  const std::vector<std::string> lists = options.all(*options.data_format());
  return std::any_of(lists.begin(), lists.end(),
                     [](const std::string& list) { return list != "lines" && list != "full"; });
}

}  // namespace

Options scan(const std::vector<std::string>& words) {
  Options options;
  options.words = words;
  Scan(options).run();
  convert(options);
  return options;
}

Options checked(Options options) {
  if (options.error) throw UsageError(*options.error);
  check_commands(options);
  drop_undone(options);
  constexpr std::string_view places[] = {"GLOB", "PATH", "FILE", "DIR", "VOLUME"};
  for (const Given& one : options.given) {
    const OptionRow& row = option_of(one.id);
    if (std::find(std::begin(places), std::end(places), row.value) == std::end(places)) continue;
    refuse_home({one.value}, main_name(row));
  }
  return options;
}

Options parse(const std::vector<std::string>& words) {
  return checked(scan(words));
}

std::size_t word_of(const UsagePlace& place, const Options& options) {
  if (place.word != UsagePlace::unknown) return place.word;
  const OptionRow* const row = find_option(place.option);
  if (row == nullptr && place.options.empty()) {
    // An argument that is not an option's value.
    const std::string& typed = place.value.empty() ? place.quoted : place.value;
    const auto found = std::find(options.words.begin(), options.words.end(), typed);
    return found == options.words.end() ? UsagePlace::unknown
                                        : static_cast<std::size_t>(found - options.words.begin());
  }
  if (row == nullptr) {
    // Each of the options is valid alone: the last one makes the contradiction.
    std::size_t last = UsagePlace::unknown;
    for (const std::string& name : place.options) {
      const std::size_t word = first_word_of(name, options);
      const bool is_later = last == UsagePlace::unknown || word > last;
      if (word != UsagePlace::unknown && is_later) last = word;
    }
    return last;
  }
  // A parser of lists or expressions names only the part that is wrong: "pfd" in --ext=pdf,pfd. If
  // no occurrence has the value, it is the option's first one.
  std::size_t longer = UsagePlace::unknown;
  for (const Given& one : options.given) {
    if (one.id != row->id || one.value_word == UsagePlace::unknown) continue;
    if (one.value == place.value) return one.value_word;
    const bool is_piece = one.value.find(place.value) != std::string::npos;
    if (longer == UsagePlace::unknown && is_piece) longer = one.value_word;
  }
  return longer != UsagePlace::unknown ? longer : first_word_of(place.option, options);
}

/// Called by build_output_style() once files and typed options are one. The first pair in the order
/// of the table is reported.
void refuse_contradictions(const Options& options) {
  // With --explain, -l and --json are forms of the plan, which any search has.
  const auto is_form = [&](const OptionRow* row) {
    return options.has(Id::explain) && (row->id == Id::details || row->id == Id::json);
  };
  for (const OptionRow& row : option_table()) {
    if (row.excludes.empty() || !options.has(row.id)) continue;
    for (const OptionRow* excluded : options_in(row.excludes)) {
      if (is_form(&row) || is_form(excluded)) continue;
      if (options.has(excluded->id)) fail(*excluded, row);
    }
  }
  if (names_fields(options) && (options.has(Id::count) || options.has(Id::usage))) {
    const std::string other(main_name(option_of(options.has(Id::count) ? Id::count : Id::usage)));
    const std::string data(main_name(option_of(*options.data_format())));
    throw UsageError({.what = text::format("the fields of {} have no effect with {}", data, other),
                      .place = {.options = {data, other}}});
  }
  // NULs end paths, templates, lines of -l, and rows of tables, whose names may contain newlines.
  if (options.has(Id::null) && options.last(Id::count) == "matches") {
    fail(option_of(Id::count), option_of(Id::null));
  }
}

void refuse_with_modes(const Options& options) {
  for (const OptionRow& mode : option_table()) {
    if (mode.goes_with.empty() || !options.has(mode.id)) continue;
    const auto fail_with = [&mode](std::string_view word, UsagePlace place) {
      throw UsageError({.what = text::format("{} has no effect with {}", word, main_name(mode)),
                        .place = std::move(place),
                        .example = std::string(mode.example)});
    };
    const std::vector<const OptionRow*> allowed = options_in(mode.goes_with);
    const auto is_allowed = [&](const OptionRow& row) {
      return &row == &mode || std::find(allowed.begin(), allowed.end(), &row) != allowed.end();
    };
    for (const OptionRow& row : option_table()) {
      if (!options.has(row.id) || is_allowed(row)) continue;
      fail_with(main_name(row), {.options = {std::string(main_name(row))}});
    }
    if (names_fields(options)) {
      const std::string data(main_name(option_of(*options.data_format())));
      fail_with(data + "=FIELD", {.options = {data}});
    }
    if (options.arguments.empty() || is_allowed(option_of(Id::in))) continue;
    const std::string& argument = options.arguments.front();
    fail_with(text::format("'{}'", text::excerpt(argument)), {.quoted = argument});
  }
}

void refuse_alone(const Options& options, const std::vector<std::string>& words) {
  for (const OptionRow& row : option_table()) {
    if (row.needs.empty() || !options.has(row.id)) continue;
    const std::vector<const OptionRow*> needed = options_in(row.needs);
    if (std::any_of(needed.begin(), needed.end(),
                    [&](const OptionRow* one) { return options.has(one->id); })) {
      continue;
    }
    const std::vector<std::string_view> names = words_in(row.needs);
    std::string list(names.front());
    for (std::size_t i = 1; i < names.size(); ++i) {
      list.append(i + 1 == names.size() ? " or " : ", ").append(names[i]);
    }
    const std::string name(main_name(row));
    UsageParts parts{.what = text::format("{} needs {}", name, list),
                     .place = {.options = {name}},
                     .example = std::string(row.example)};
    if (needed.size() == 1 && needed.front()->value.empty()) {
      std::vector<std::string> line = words;
      line.insert(line.begin(), list);
      parts.suggestion = foreign::line_to_paste(line);
    }
    throw UsageError(std::move(parts));
  }
}

Options followed_by(Options first, const Options& second) {
  // Arguments become options, so that the typed ones can follow them: "report -S >1G" of a saved
  // search is -F report -S >1G.
  first = with_arguments_as_options(std::move(first));
  take_out_undone(first, second);
  // A pattern of `first` makes the typed arguments PATHs here; a typed one does in
  // sort_arguments().
  const bool only_paths = has_pattern_option(first);
  first.given.insert(first.given.end(), second.given.begin(), second.given.end());
  first.words = second.words;
  if (only_paths) {
    for (const std::string& path : second.arguments) first.add(Id::in, path);
  } else {
    first.arguments = second.arguments;
    first.arguments_after_dashes = second.arguments_after_dashes;
    first.argument_places = second.argument_places;
  }
  return first;
}

Options over_configuration(Options configuration, const Options& typed) {
  for (const Given& one : typed.given) {
    if (!one.off && !option_of(one.id).adds_up) configuration.take_out(one.id);
  }
  return followed_by(std::move(configuration), typed);
}

}  // namespace ffind::cli
