// SPDX-License-Identifier: MIT
// The completions for a shell: its functions from completions/*.in, with the words of the tables in
// the place of three lines:
//
//     @lists@      types, kinds, fields, ... as variables
//     @options@    zsh and fish: a line for each option
//     @values@     bash: a branch for each option with a value
//
// The functions that complete a value have the same names in all three, after the shell's prefix.
#include "cli/help.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "cli/request.h"
#include "output/record_fields.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "text/format.h"

namespace ffind::cli {
namespace {

using Words = std::vector<std::string>;

/// The completion of a value.
struct Values {
  Id id;
  bool list;               ///< several, separated by commas
  std::string_view words;  ///< "$types" is a list of ours, "f()" a function
};

constexpr Values values[] = {
    {Id::query, false, "query()"},
    {Id::where, false, "where()"},
    {Id::type, true, "$types"},
    {Id::kind, true, "$kinds"},
    {Id::ext, false, "extensions()"},
    {Id::size, false, "sizes()"},
    {Id::modified, false, "times()"},
    {Id::created, false, "times()"},
    {Id::accessed, false, "times()"},
    {Id::changed, false, "times()"},
    {Id::added, false, "times()"},
    {Id::newer_than, false, "files()"},
    {Id::older_than, false, "files()"},
    {Id::owner, false, "users()"},
    {Id::group, false, "groups()"},
    {Id::perm, false, "644 755 600 700 u+x go-w /o+w -111"},
    {Id::samefile, false, "files()"},
    {Id::tag, true, "none Red Orange Yellow Green Blue Purple Gray"},
    {Id::xattr, false, "$attributes"},
    {Id::in, false, "directories()"},
    {Id::files0_from, false, "files()"},
    {Id::from, false, "files()"},
    {Id::from0, false, "files()"},
    {Id::from_json, false, "files()"},
    {Id::base_directory, false, "directories()"},
    {Id::prune, false, "directories()"},
    {Id::exclude, false, "directories()"},
    {Id::prune_where, false, "where()"},
    {Id::exclude_where, false, "where()"},
    {Id::ignore_files, true, ".ignore .fdignore .rgignore .gitignore"},
    {Id::exclude_from, false, "files()"},
    {Id::volume, false, "volumes()"},
    {Id::json, true, "lines full $fields"},
    {Id::csv, true, "full $fields"},
    {Id::tsv, true, "full $fields"},
    {Id::format, false, "template()"},
    {Id::count, true, "age year month day tag dir:1 dir:2 modified:%Y $fields"},
    {Id::usage, false, "dirs files 1 2 3"},
    {Id::sort, true, "$sort_keys"},
    {Id::save, false, "saved()"},
    {Id::forget, false, "saved()"},
};

std::string joined(const Words& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// The variables of all lists.
std::string lists(Shell shell) {
  Words options;
  Words with_value;
  Words switches;
  Words letters[3];  // of flags, values and commands
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) {
      options.emplace_back(name);
      if (takes_value(row)) with_value.emplace_back(name);
      if (name.size() == 2) {
        letters[takes_command(row) ? 2 : takes_value(row) ? 1 : 0].emplace_back(name.substr(1));
      }
    }
    const std::string_view name = main_name(row);
    if (is_switch(row) && !name.starts_with("--no-")) switches.emplace_back(name.substr(2));
  }
  Words fields;
  for (const output::RecordField& field : output::record_fields()) fields.emplace_back(field.name);
  Words sort_keys;
  for (const std::string_view word : sort_words()) {
    sort_keys.insert(sort_keys.end(), {std::string(word), text::format("-{}", word)});
  }
  sort_keys.insert(sort_keys.end(), {"match", "found", "space"});
  Words where_words;
  for (const query::Field& field : query::fields()) where_words.emplace_back(field.name);
  for (const query::Flag& flag : query::flags()) where_words.emplace_back(flag.name);
  Words types;
  for (const FileType type :
       {FileType::file, FileType::directory, FileType::symlink, FileType::socket, FileType::fifo,
        FileType::block, FileType::character}) {
    types.emplace_back(to_text(type));
  }
  const auto kinds = query::kind_names();
  const std::pair<std::string_view, Words> all[] = {
      {"options", options},
      {"options_with_value", with_value},
      {"flag_letters", {joined(letters[0], "")}},
      {"value_letters", {joined(letters[1], "")}},
      {"command_letters", {joined(letters[2], "")}},
      {"switches", switches},
      {"types", types},
      {"kinds", {kinds.begin(), kinds.end()}},
      {"fields", fields},
      {"sort_keys", sort_keys},
      {"where_words", where_words},
      {"attributes",
       {"user.xdg.tags", "user.xdg.comment", "user.xdg.origin.url", "com.apple.quarantine",
        "com.apple.FinderInfo", "com.apple.ResourceFork", "com.apple.metadata:kMDItemWhereFroms"}}};
  // Prefix, beginning, continuation and end of a variable.
  constexpr std::string_view forms[][4] = {{"_ffind_", "=\"", "\n  ", "\"\n"},
                                           {"local -a ", "=(", "\n  ", ")\n"},
                                           {"set -g __ffind_", " ", " \\\n    ", "\n"}};
  const auto& [prefix, begin, next, end] = forms[static_cast<std::size_t>(shell)];
  // zsh parses the line itself.
  constexpr std::size_t for_parsing = 5;
  std::string text;
  for (const auto& [name, words] : std::span(all).subspan(shell == Shell::zsh ? for_parsing : 0)) {
    constexpr std::size_t width = 100;
    std::string line = text::format("{}{}{}", prefix, name, begin);
    bool is_first = true;
    for (const std::string& word : words) {
      if (line.size() + word.size() > width) {
        text.append(line).append(next);
        line.clear();
        is_first = true;
      }
      line.append(is_first ? "" : " ").append(word);
      is_first = false;
    }
    text.append(line).append(end);
  }
  text.pop_back();
  return text;
}

/// The beginning of the help, or the name where the help lists the values.
std::string description(const OptionRow& row) {
  if (row.help.front() >= 'a') return std::string(main_name(row).substr(2));
  std::size_t end = row.help.size() - 1;
  for (const std::string_view stop : {". ", ": ", "; ", " ("})
    end = std::min(end, row.help.find(stop));
  return std::string(row.help.substr(0, end));
}

/// The completion of the row's value; null for a flag, a command, and a value without one.
const Values* values_of(const OptionRow& row) {
  const auto* const found = std::find_if(std::begin(values), std::end(values),
                                         [&](const Values& one) { return one.id == row.id; });
  return found == std::end(values) ? nullptr : found;
}

/// The call that completes the value: `function`, or one of `offers`, for a list or not, with
/// words.
std::string completion(const OptionRow& row, std::string_view prefix, std::string_view one,
                       std::string_view list) {
  const Values* const found = values_of(row);
  std::string words(found != nullptr ? found->words : row.choices);
  if (words.empty()) return {};
  if (words.ends_with("()")) return text::format("{}{}", prefix, words.substr(0, words.size() - 2));
  words = replaced(std::move(words), ",", " ");
  return text::format("{} {}", found != nullptr && found->list ? list : one,
                      replaced(std::move(words), "$", "$" + std::string(prefix)));
}

/// "    -t | --type) _ffind_offer_list $_ffind_types ;;"
std::string bash_values() {
  std::string text;
  for (const OptionRow& row : option_table()) {
    const std::string call = completion(row, "_ffind_", "_ffind_offer", "_ffind_offer_list");
    if (call.empty()) continue;
    std::string names(row.names);
    text += text::format("    {}) {} ;;\n", replaced(std::move(names), ",", " | "), call);
  }
  text.pop_back();
  return text;
}

/// The names of the options that the row excludes or undoes, and of those that exclude it.
Words excluded_by(const OptionRow& row) {
  Words names;
  for (const OptionRow& other : option_table()) {
    if (!has_in(row.excludes, other.id) && !has_in(row.opposites, other.id) &&
        !has_in(other.excludes, row.id)) {
      continue;
    }
    for (const std::string_view name : names_of(other)) names.emplace_back(name);
  }
  return names;
}

/// "  '(-i)*'{-t+,--type=}'[type]:TYPE:_sequence compadd - $types'"
std::string zsh_options() {
  std::string text;
  for (const OptionRow& row : option_table()) {
    const bool is_alone = row.group.starts_with("Other") || row.id == Id::saved;
    std::string excluded = is_alone ? "- *" : joined(excluded_by(row), " ");
    if (!excluded.empty()) excluded = text::format("({})", excluded);
    const bool has_value = takes_value(row) || takes_command(row);
    if ((has_value || !is_flag(row)) && !is_alone) excluded += '*';
    Words names;
    for (const std::string_view name : names_of(row)) {
      const std::string_view mark = !has_value               ? (is_flag(row) ? "" : "=-")
                                    : name.starts_with("--") ? "="
                                                             : "+";
      names.push_back(text::format("{}{}", name, mark));
    }
    std::string about = description(row);
    for (const std::string_view special : {"[", "]", ":"}) {
      about = replaced(std::move(about), special, text::format("\\{}", special));
    }
    text += "  ";
    if (!excluded.empty()) text += text::format("'{}'", excluded);
    text += names.size() == 1 ? names.front() : text::format("{{{}}}", joined(names, ","));
    text += text::format("'[{}]", replaced(std::move(about), "'", "'\\''"));
    if (row.id == Id::help) text += ":*:word:_ffind_help";
    if (takes_command(row)) text += "'\":command: _command_names -e:$end::arguments: _normal\"'";
    if (!is_flag(row) && !takes_command(row)) {
      // A colon would end the action.
      std::string call = replaced(completion(row, "", "", "_sequence compadd -"), ":", "\\:");
      const Values* const found = values_of(row);
      if (call.starts_with(" $")) {
        call.insert(0, "compadd -");
      } else if (call.starts_with(' ')) {
        call = text::format("({})", call.substr(1));
      } else if (found != nullptr && found->words.ends_with("()")) {
        call.insert(0, "_ffind_");
      }
      text += text::format("{}:{}:{}", has_value ? "" : ":", row.value.empty() ? "word" : row.value,
                           call.empty() ? " " : call);
    }
    text += "'\n";
  }
  text.pop_back();
  return text;
}

/// "complete $own -s t -l type -x -a '(__ffind_list $__ffind_types)' -d \"type\""
std::string fish_options() {
  std::string text;
  for (const OptionRow& row : option_table()) {
    text += "complete $own";
    for (const std::string_view name : names_of(row)) {
      const bool is_long = name.starts_with("--");
      text += text::format(" -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
    }
    std::string call = completion(
        row, "__ffind_", takes_value(row) ? "__ffind_words" : "__ffind_joined", "__ffind_list");
    if (takes_command(row)) call = "__ffind_complete_command";
    if (call.starts_with("__ffind_list") && has_optional_value(row)) {
      call = text::format("__ffind_joined ({})", call);
    }
    if (call == "__ffind_files") {
      text += " -r";
    } else if (!is_flag(row)) {
      text += takes_value(row) || takes_command(row) ? " -x" : " -f";
      if (!call.empty()) text += text::format(" -a '({})'", call);
    }
    text += text::format(" -d \"{}\"\n", description(row));
  }
  text.pop_back();
  return text;
}

}  // namespace

std::string completions(Shell shell) {
  constexpr std::string_view files[] = {"ffind.bash.in", "_ffind.in", "ffind.fish.in"};
  const std::string_view file = embedded_file(files[static_cast<std::size_t>(shell)]);
  std::string text = replaced(std::string(file), "@lists@", lists(shell));
  if (shell == Shell::bash) return replaced(std::move(text), "@values@", bash_values());
  return replaced(std::move(text), "@options@",
                  shell == Shell::zsh ? zsh_options() : fish_options());
}

}  // namespace ffind::cli
