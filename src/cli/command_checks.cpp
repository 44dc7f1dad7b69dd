// SPDX-License-Identifier: MIT
// Checks of the commands of -x, -X, --if and --preview, before anything runs.
//
//     check_fields           a name in the text of a shell: `sh -c 'cat {}'` runs what it holds
//     check_preview          {} in quotes, likewise
//     refuse_bare_names      {/} as the program
//     refuse_no_programs     a directory as the program, or a line in quotes
//     find_own_option        `rm {} --ext tmp`: a command extends to the end of the line
//     destroys               commands that ask at a terminal, as --delete does
//     refusal_of_gathering   `mv {} folder` without the folder: all matches become one file
//
// No quoting protects a name in a text whose language is not parsed. A shell gets it as a
// parameter: sh -c 'cat "$1"' sh {}.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/option_table.h"
#include "cli/request.h"
#include "ffind/issue.h"
#include "foreign/foreign.h"
#include "os/files.h"
#include "os/processes.h"
#include "os/safe_open.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

using Words = std::vector<std::string>;
using Names = std::span<const std::string_view>;

bool is_in(std::string_view word, Names names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// Programs that run a text

constexpr std::string_view shells[] = {"sh",   "bash", "dash", "zsh",  "ksh", "ksh93",
                                       "mksh", "ash",  "yash", "fish", "csh", "tcsh"};
/// Those without a $0 before their parameters, which are $argv[1] and so on.
constexpr std::string_view argv_shells[] = {"fish", "csh", "tcsh"};

/// Other programs, with the last letters of the option before the text.
constexpr std::pair<std::string_view, std::string_view> interpreters[] = {
    {"su", "c"},   {"runuser", "c"}, {"script", "c"}, {"flock", "c"},
    {"env", "S"},  {"perl", "eE"},   {"python", "c"}, {"python3", "c"},
    {"ruby", "e"}, {"node", "ep"},   {"php", "r"},    {"osascript", "e"}};

/// A text that a program among the words runs. Both are indices.
struct ProgramText {
  std::size_t program;
  std::size_t text;
};

/// Returns the index of the text that the shell at `shell` runs, as in `bash -ec TEXT`; the number
/// of words if there is none.
std::size_t text_of_shell(const Words& words, std::size_t shell) {
  constexpr std::string_view with_value[] = {"--rcfile", "--init-file", "--emulate"};
  bool runs_text = false;
  std::size_t at = shell + 1;
  for (; at < words.size() && words[at].find_first_of("-+") == 0; ++at) {
    const std::string& word = words[at];
    if (word.starts_with("--")) {
      if (word.find("command=") != std::string::npos) return at;  // fish
      runs_text = runs_text || word.ends_with("command");
      if (is_in(word, with_value)) ++at;
      continue;
    }
    runs_text = runs_text || (word[0] == '-' && word.find_first_of("cC") != std::string::npos);
    if (word.ends_with('o') || word.ends_with('O')) ++at;  // -o pipefail
  }
  return runs_text ? at : words.size();
}

/// Finds what the shells and interpreters among the words run, as in `env sh -ec TEXT`. Each word
/// is looked at: no list of programs that start others is complete.
std::vector<ProgramText> program_texts(const Words& words) {
  std::vector<ProgramText> texts;
  // There it is a pattern.
  if (words.empty() || text::name_of(words[0]).ends_with("grep")) return texts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = text::name_of(words[i]);
    if (is_in(name, shells)) texts.push_back({i, text_of_shell(words, i)});
    for (const auto& [program, letters] : interpreters) {
      for (std::size_t at = i + 1; name == program && at + 1 < words.size(); ++at) {
        const bool is_short = words[at].starts_with('-') && !words[at].starts_with("--");
        if (is_short && letters.find(words[at].back()) != std::string_view::npos) {
          texts.push_back({i, at + 1});
        }
      }
    }
  }
  std::erase_if(texts, [&](const ProgramText& one) { return one.text >= words.size(); });
  return texts;
}

/// Returns the words with parameters of the shell in the place of what its text has of a match: in
/// double quotes, which are closed and opened again around those in single quotes. nullopt if it
/// cannot be told how. `many`: the parameters are all matches.
std::optional<Words> with_parameters(Words words, const ProgramText& one,
                                     const output::ArgumentTemplate& argument, bool many) {
  const std::string text = words[one.text];
  const std::string_view shell = text::name_of(words[one.program]);
  // Quotes in substitutions, and escaped ones, are not followed.
  const bool is_nested = text.find_first_of("`\\") != std::string::npos ||
                         text.find("$(") != std::string::npos || text.starts_with("--");
  const bool has_argv = is_in(shell, argv_shells);
  if (is_nested || !is_in(shell, shells)) return {};
  // After the text come $0, which is the shell's name, and $1.
  if (!has_argv && one.text + 1 == words.size()) words.emplace_back("sh");
  std::size_t number = words.size() - one.text - (has_argv ? 0 : 1);
  if (many && (number > 1 || argument.spans().size() > 1)) return {};
  std::string out;
  std::size_t at = 0;
  for (const auto& [begin, end] : argument.spans()) {
    const std::string open = text::open_quotes(text.substr(0, begin));
    if (many && !open.empty()) return {};
    const std::string_view around = open.ends_with('\'') ? "'\"" : open.ends_with('"') ? "" : "\"";
    out.append(text, at, begin - at).append(around);
    // Shells read "$12" as $1 and 2, or as $12.
    const bool is_plain = number < 10 && (end == text.size() || !text::is_digit(text[end]));
    out += many       ? (has_argv ? "$argv" : "$@")
           : has_argv ? text::format("$argv[{}]", number)
           : is_plain ? text::format("${}", number)
                      : text::format("${{{}}}", number);
    out.append(around.rbegin(), around.rend());
    words.push_back(text.substr(begin, end - begin));
    at = end;
    ++number;
  }
  words[one.text] = out + text.substr(at);
  return words;
}

/// Returns the typed line with other words in the place of those of `command`; empty if it is not
/// in the typed line.
std::string line_with(const Options& options, const Words& command, const Words& corrected) {
  Words line = options.words;
  const auto found = std::search(line.begin(), line.end(), command.begin(), command.end());
  if (found == line.end()) return {};
  const auto after = line.erase(found, found + static_cast<std::ptrdiff_t>(command.size()));
  line.insert(after, corrected.begin(), corrected.end());
  return foreign::line_to_paste(line);
}

/// Throws UsageError for what a match has in the text of a shell, with the line that passes it as
/// a parameter.
[[noreturn]] void refuse_in_text(const Options& options, const Words& words, const ProgramText& one,
                                 const output::ArgumentTemplate& argument,
                                 std::string_view option) {
  const bool many = option == "-X";
  const auto& [begin, end] = argument.spans().front();
  const std::string spelled = words[one.text].substr(begin, end - begin);
  const std::string_view program = text::name_of(words[one.program]);
  const bool is_shell = is_in(program, shells);
  const auto corrected = with_parameters(words, one, argument, many);
  const Words example = {"sh", "-c", many ? "cat \"$@\"" : "cat \"$1\"", "sh", spelled};
  throw UsageError(
      {.what = text::format("{}: {} would run what the value of '{}' holds; pass it as {}", option,
                            is_shell ? "a shell" : program, text::excerpt(spelled),
                            many       ? "\"$@\""
                            : is_shell ? "\"$1\""
                                       : "an argument"),
       .place = {.options = {std::string(option)}, .quoted = words[one.text]},
       .suggestion = corrected ? line_with(options, words, *corrected) : std::string(),
       .example =
           text::format("ffind --ext jpg {} {}", option,
                        text::shell_line(corrected.value_or(example), text::QuotedFor::terminal))});
}

/// Returns a command of --preview with the shell's parameter in the place of the {} at `at`; empty
/// if it cannot be told how.
std::string with_parameter(const std::string& command, const Words& words, std::size_t at) {
  for (const ProgramText& one : program_texts(words)) {
    const output::ArgumentTemplate argument(words[one.text], {.of_fd = true});
    const auto corrected = with_parameters(words, one, argument, false);
    if (!argument.has_place() || !corrected) continue;
    std::string line;
    for (const std::string& word : *corrected) {
      // An operator between the words would be quoted, too.
      const bool is_text = &word == &(*corrected)[one.text];
      if (!is_text && word != "{}" && text::shell_word(word) != word) return {};
      if (!line.empty()) line += ' ';
      line += is_text ? text::shell_word(word) : word;
    }
    return line;
  }
  if (text::open_quotes(command.substr(0, at)) != "\"") return {};
  std::string parameter(os::shell_parameter());
  std::erase(parameter, '"');
  return std::string(command).replace(at, 2, parameter);
}

/// Throws UsageError for {} in quotes, whose text another shell may read, and in such a text.
void refuse_quoted_place(const Options& options, const std::string& command) {
  const Words words = text::shell_words(command).value_or(Words());
  const std::vector<ProgramText> texts = program_texts(words);
  const bool is_in_text = std::any_of(texts.begin(), texts.end(), [&](const ProgramText& one) {
    return words[one.text].find("{}") != std::string::npos;
  });
  std::size_t at = command.find("{}");
  while (at != std::string::npos && !is_in_text &&
         text::open_quotes(command.substr(0, at)).find_first_of("'\"\\") == std::string::npos) {
    at = command.find("{}", at + 2);
  }
  if (at == std::string::npos) return;
  const std::string corrected = with_parameter(command, words, at);
  std::string line;
  for (const Given& one : options.given) {
    if (one.id != Id::preview || one.value != command || corrected.empty()) continue;
    if (one.value_word >= options.words.size()) continue;
    Words typed = options.words;
    typed[one.value_word].replace(one.value_at, std::string::npos, corrected);
    line = foreign::line_to_paste(typed);
  }
  throw UsageError(
      {.what = text::format("in quotes, what a name holds could run; there, the path is {}",
                            os::shell_parameter()),
       .place = {.option = "--preview", .value = command, .position = at},
       .suggestion = line,
       .example = text::format("ffind --pick --preview 'head -n 50 {}'", os::shell_parameter())});
}

/// True for `find -x src -name '*.c'` of BSD, also if there is a program called src.
bool has_test_of_find(const std::vector<std::string>& command) {
  return command.size() > 1 && command[1].size() > 2 && command[1][0] == '-' &&
         command[1][1] != '-' && foreign::advice_on_habit(command[1]);
}

// Programs by what they do

/// Programs that start another one.
constexpr std::string_view starters[] = {"sudo",  "doas",   "env",     "nice",   "nohup",  "time",
                                         "xargs", "ionice", "timeout", "setsid", "busybox"};
constexpr std::string_view destroyers[] = {"rm", "rmdir", "unlink", "srm", "shred", "truncate"};
constexpr std::string_view gatherers[] = {"mv", "cp", "ln", "install", "rsync", "scp", "ditto"};

/// Returns the index of one of the programs that `words` run, also with the g of GNU's on other
/// systems; the number of words if there is none.
std::size_t find_program_of(const Words& words, Names programs) {
  const bool starts = !words.empty() && is_in(text::name_of(words[0]), starters);
  for (std::size_t i = 0; i < (starts ? words.size() : std::min<std::size_t>(1, words.size()));
       ++i) {
    const std::string_view name = text::name_of(words[i]);
    if (is_in(name, programs) || (name.starts_with('g') && is_in(name.substr(1), programs))) {
      return i;
    }
  }
  return words.size();
}

/// True for a file, which each match would replace, and for none. Devices take any number.
bool takes_one(const std::string& target, std::string_view program) {
  const bool is_rsync = program == "rsync";
  if (is_rsync && target.ends_with('/')) return false;  // it makes the directory
  if ((is_rsync || program == "scp") && target.find(':') != std::string::npos) return false;
  os::Identity found;
  return os::identify(target, true, found) != 0 || found.type == FileType::file;
}

/// Returns the word that would take all matches as one file, as "folder" in `mv {} folder` if it is
/// missing; null if there is none.
const std::string* find_gathering_word(const Words& command) {
  const std::size_t program = find_program_of(command, gatherers);
  const std::string* target = nullptr;
  bool has_place = false;
  for (std::size_t i = program + 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (output::ArgumentTemplate(word).has_place()) {
      has_place = true;
      target = nullptr;
    } else if (!word.starts_with('-')) {
      if (has_place && !takes_one(word, text::name_of(command[program]))) return nullptr;
      target = &word;
    }
  }
  return has_place ? target : nullptr;
}

}  // namespace

/// A field in the command of -X is an error, too: it differs from match to match.
void check_fields(const Options& options, Id id, std::string_view option) {
  const text::ValueSource source{std::string(option),
                                 option == "--if" ? "--if test {modified:%Y} = 2024"
                                                  : "-x mv -n {} {dir}/{modified:%Y}-{name}"};
  for (const Words& command : options.commands(id)) {
    const std::vector<ProgramText> texts = program_texts(command);
    for (std::size_t i = 0; i < command.size(); ++i) {
      const output::ArgumentTemplate argument = argument_of(command[i], source);
      if (!argument.has_place()) continue;
      for (const ProgramText& one : texts) {
        if (one.text == i) refuse_in_text(options, command, one, argument, option);
      }
      if (option != "-X" || argument.fields().empty()) continue;
      const auto is_field = [&](const output::ArgumentTemplate::Span& span) {
        std::size_t at = span.begin;
        return output::parse_field(command[i], at).has_value();
      };
      const auto& spans = argument.spans();
      const auto [begin, end] = *std::find_if(spans.begin(), spans.end(), is_field);
      throw UsageError(
          {.what = text::format(
               "-X: '{}' differs from match to match, and -X runs one command for many",
               text::excerpt(command[i].substr(begin, end - begin))),
           .place = {.options = {"-X"}, .quoted = command[i]},
           .example = text::format("ffind --ext jpg -x {}",
                                   text::shell_line(command, text::QuotedFor::terminal))});
    }
  }
}

void check_preview(const Options& options) {
  for (const std::string& command : options.all(Id::preview)) {
    if (const auto found = foreign::foreign_placeholder(command)) {
      const std::string_view text = std::string_view(command).substr(found->begin, found->size);
      text::fail_at(
          source_of(Id::preview), command, found->begin,
          text::format("'{}' is a placeholder of {}; here, {{}} is the path", text, found->owner));
    }
    refuse_quoted_place(options, command);
  }
}

/// Throws UsageError for {/} and the like as the program: a file of that name in the current
/// directory would run. With --exec-in-dir it is the match itself.
void refuse_bare_names(const std::vector<output::CommandTemplate>& commands,
                       std::string_view option) {
  for (const output::CommandTemplate& command : commands) {
    if (!command.arguments.front().is_bare_name()) continue;
    throw UsageError(
        {.what = text::format(
             "{}: '{}' as the program is a file in the current directory, not the match", option,
             command.program),
         .place = {.options = {std::string(option)}, .quoted = command.program},
         .example = text::format(
             "ffind -g '*.sh' {} {{}}{}", option,
             option == "--if" ? "" : " or --exec-in-dir --exec '" + command.program + "'")});
  }
}

/// Throws UsageError for a directory as the program, as in BSD's `find -x ROOT`, and for a command
/// in quotes, as in `-x 'ls -l {}'`. Words without a slash are looked up in PATH; a directory in
/// the current one counts if no program has its name. Checked before the search, since the kernel's
/// "Permission denied" for each match would not show the mistake.
void refuse_no_programs(const std::vector<std::vector<std::string>>& commands,
                        std::string_view option) {
  for (const std::vector<std::string>& command : commands) {
    const std::string& program = command.front();
    std::string path;
    const bool is_program = os::find_program(program, path) == 0;
    if (command.size() == 1 && program.find(' ') != std::string::npos && !is_program) {
      throw UsageError(
          {.what = text::format(
               "no program is called '{}'; the words of a command are not quoted together",
               text::excerpt(program)),
           .place = {.options = {std::string(option)}, .quoted = program},
           .example = text::format("ffind -g '*.bak' {} gzip -9", option)});
    }
    if (is_program && (option == "--if" || !has_test_of_find(command))) continue;
    if (!os::is_directory(program)) continue;
    const std::string_view of_bsd =
        option == "-x"   ? "-x is an option of find (BSD's): other volumes are skipped "
                           "without --cross-volumes"
        : option == "-X" ? "-X is an option of find (BSD's); for xargs: ffind -0"
                         : "";
    throw UsageError({.what = text::format("{} runs a command, but '{}' is a directory", option,
                                           text::excerpt(program)),
                      .place = {.options = {std::string(option)}, .quoted = program},
                      .reason = std::string(of_bsd),
                      .example = text::format("ffind -g '*.bak' {} {}", option,
                                              option == "--if" ? "grep -q x" : "gzip")});
  }
}

std::size_t find_own_option(const Words& command) {
  // These are theirs, too.
  constexpr std::string_view shared[] = {"--size", "--exact", "--one-file-system", "--help",
                                         "--version"};
  constexpr std::string_view removers[] = {"rm", "rmdir", "unlink", "srm"};
  constexpr std::string_view readers[] = {"mv", "cp", "ln", "shred", "truncate"};
  if (is_own_option(command.back())) return command.size() - 1;
  const bool removes = find_program_of(command, removers) < command.size();
  if (!removes && find_program_of(command, readers) == command.size()) return command.size();
  const auto is_ours = [&](const std::string& word) {
    if (word.size() == 2 && word[0] == '-') {
      return removes && std::string_view("eEgFStnjC").find(word[1]) != std::string_view::npos;
    }
    return word.starts_with("--") && !is_in(word, shared) &&
           find_option(word.substr(0, word.find('='))) != nullptr;
  };
  return static_cast<std::size_t>(std::find_if(command.begin(), command.end(), is_ours) -
                                  command.begin());
}

bool destroys(const std::vector<Words>& commands) {
  return std::any_of(commands.begin(), commands.end(), [](const Words& command) {
    const bool is_git = command.size() > 1 && text::name_of(command[0]) == "git";
    return find_program_of(command, destroyers) < command.size() || (is_git && command[1] == "rm");
  });
}

std::string refusal_of_gathering(const Options& options) {
  Words before;
  for (const Given& one : options.given) {
    if (one.id != Id::exec && one.id != Id::exec_batch) continue;
    const std::string* const target = find_gathering_word(one.command);
    // -x mkdir -p folder \; -x mv {} folder
    const bool is_made =
        target != nullptr && std::find(before.begin(), before.end(), *target) != before.end();
    before.insert(before.end(), one.command.begin(), one.command.end());
    // In the directories of the matches there may be one each.
    const bool is_local = options.has(Id::exec_in_dir) && target != nullptr && (*target)[0] != '/';
    if (target == nullptr || is_made || is_local) continue;
    os::Identity found;
    const bool is_file = os::identify(*target, true, found) == 0;
    const std::string folder =
        options.has(Id::base_directory) ? os::absolute_path(*target) : *target;
    const bool can_paste = !is_file && !options.words.empty();
    return rendered(
        {.what = text::format("{}: '{}' is {}, and each match would replace the one before it",
                              text::excerpt(one.command[find_program_of(one.command, gatherers)]),
                              text::excerpt(*target), is_file ? "a file" : "no directory"),
         .suggestion = can_paste ? text::format("mkdir -p {} && {}", text::shell_word(folder),
                                                foreign::line_to_paste(options.words))
                                 : std::string(),
         .advice = "nothing was run"});
  }
  return {};
}

}  // namespace ffind::cli
