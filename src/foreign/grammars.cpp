// SPDX-License-Identifier: MIT
// Grammars of rg, grep, locate, ls, mdfind and du, to tell which accept a line; fd_line.cpp has
// fd's, find_parser.cpp find's. A line that several accept with different meanings is offered, but
// not run: `-b main` is locate's and grep's, `-lhS` ls's and du's, `-c never x` fd's and grep's.
//
// Options that are neither ours nor in the tables are left out, since a line with one is never
// translated. Few values are looked at.
#include <algorithm>
#include <cstddef>
#include <optional>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "query/language/fields.h"
#include "text/ascii.h"
#include "text/problem.h"

namespace ffind::foreign {
namespace {

/// The arguments that a program needs.
enum class Arguments : unsigned char {
  pattern,            ///< at least one, unless an option has the pattern
  paths,              ///< each exists
  pattern_and_paths,  ///< each after the pattern exists
};

struct Grammar {
  Program program;
  Arguments arguments;
  std::string_view letters;  ///< as for getopt: a colon follows those with a value
  std::string_view words;    ///< other options; those with a value end with =
};

// Options of GNU's programs and of BSD's.
constexpr Grammar grammars[] = {
    // Without --files: a search in files.
    {Program::rg, Arguments::pattern_and_paths,
     ".0FHILNPSUVabchilnopqsuvwxzA:B:C:E:M:T:d:e:f:g:j:m:r:t:",
     "--files-with-matches --fixed-strings --regexp= --glob= --iglob= --ignore-case "
     "--case-sensitive --smart-case --type= --max-depth= --maxdepth= --follow --hidden --no-ignore "
     "--no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-ignore-files --no-require-git "
     "--require-git --ignore-file= --one-file-system --null --quiet --count --color= --sort= "
     "--sortr= --sort-files --max-filesize= --json --stats --no-messages --no-config --threads= "
     "--path-separator= --no-heading --binary --text --unrestricted"},
    {Program::grep, Arguments::pattern_and_paths,
     "0123456789EFGPivwxcLloqsbHhnTZaIrRUzuySA:B:C:D:d:e:f:m:",
     "--fixed-strings --regexp= --ignore-case --count --color --files-with-matches --quiet "
     "--no-messages --text --binary --directories= --exclude= --exclude-from= --exclude-dir= "
     "--include= --invert-match --word-regexp "
     "--recursive --dereference --dereference-recursive --null"},
    {Program::locate, Arguments::pattern, "0AbceiHLPpqsSwd:l:n:r:",
     "--all --basename --count --existing --follow --ignore-case --limit= --null --quiet --regexp= "
     "--regex"},
    {Program::ls, Arguments::paths, "aAbBcCdDfFgGhHikKlLmnNopqQrRsStuUvxXZ1I:T:w:",
     "--all --color --dereference --human-readable --hyperlink --inode --recursive "
     "--reverse --si --size --sort= --zero"},
    {Program::mdfind, Arguments::pattern, "0s:", "-onlyin= -name= -count -live -literal"},
    {Program::du, Arguments::paths, "0aAbcDhHkLlmnPrSsxB:d:I:t:X:",
     "--all --apparent-size --block-size= --bytes --count-links --dereference --exclude= "
     "--exclude-from= --files0-from= --human-readable --inodes --max-depth= --null "
     "--one-file-system --separate-dirs --si --summarize --threshold= --total"}};

/// False for a value that the program refuses.
bool is_value(Program program, std::string_view name, std::string_view value) {
  const bool is_rg = program == Program::rg;
  if (name == "--sort") {
    return lists(is_rg ? "none path modified accessed created"
                       : "none name size time version extension width",
                 value);
  }
  if (!lists("-t --type", name)) return true;
  // Types of rg that are none of fd's, or both's.
  return is_rg ? lists("c r", value) || !query::find_type(value) : text::is_digits(value);
}

/// Reads a line by one grammar.
class Reader {
 public:
  Reader(const Grammar& grammar, const Words& words, const Host& host)
      : grammar_(grammar), words_(words), host_(host) {}

  bool accepts() {
    bool after_dashes = false;
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (after_dashes || word.size() < 2 || word[0] != '-') {
        arguments_.push_back(word);
      } else if (word == "--") {
        after_dashes = true;
      } else if (!takes_word(word) &&
                 (word[1] == '-' || is_long_after_one_dash(word) || !takes_letters(word))) {
        return false;
      }
    }
    const bool takes_pattern = grammar_.arguments != Arguments::paths && !has_pattern_;
    if (takes_pattern && arguments_.empty()) return false;
    if (grammar_.arguments == Arguments::pattern) return true;
    return std::all_of(
        arguments_.begin() + (takes_pattern ? 1 : 0), arguments_.end(),
        [&](const std::string& path) { return host_.place_of(path) != Place::missing; });
  }

 private:
  /// Takes the value of `name`: the next word, unless `value` has it.
  bool takes_value(std::string_view name, std::optional<std::string_view> value) {
    if (!value && at_ == words_.size()) return false;
    if (!value) value = words_[at_++];
    has_pattern_ = has_pattern_ || lists("-e --regexp -r -name", name);
    return is_value(grammar_.program, name, *value);
  }

  bool takes_word(const std::string& word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    std::optional<std::string_view> value;
    if (equals < word.size()) value = std::string_view(word).substr(equals + 1);
    if (lists(grammar_.words, name + "=")) return takes_value(name, value);
    // --color=auto of grep
    return lists(grammar_.words, name) && (!value || lists("--color --hyperlink", name));
  }

  bool takes_letters(const std::string& word) {
    const std::string_view letters = grammar_.letters;
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::size_t place = letters.find(word[i]);
      if (word[i] == ':' || place == std::string_view::npos) return false;
      if (place + 1 == letters.size() || letters[place + 1] != ':') continue;
      const std::string_view rest = std::string_view(word).substr(i + 1);
      return takes_value(std::string{'-', word[i]},
                         rest.empty() ? std::nullopt : std::optional(rest));
    }
    return true;
  }

  const Grammar& grammar_;
  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  Words arguments_;
  bool has_pattern_ = false;
};

}  // namespace

std::vector<Program> programs_accepting(const Words& words, const Host& host) {
  std::vector<Program> programs;
  if (is_fd_acting(words, host)) programs.push_back(Program::fd);
  for (const Grammar& grammar : grammars) {
    if (Reader(grammar, words, host).accepts()) programs.push_back(grammar.program);
  }
  return programs;
}

bool is_one_volume_of_bsd(const Words& words, std::size_t at, const Host& host) {
  if (words[at] != "-x" || at + 1 == words.size()) return false;
  const std::string& next = words[at + 1];
  const bool has_test = at + 2 < words.size() && is_find_predicate(words[at + 2]);
  return is_directory(host, next) && (has_test || !host.is_program || !host.is_program(next));
}

bool is_of_find(const Words& words, const Host& host) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (is_one_volume_of_bsd(words, i, host)) return true;
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

std::optional<FindSearch> search_of_find(const Words& words, const Host& host) {
  // `-x src lib`, without a test, may be our -x.
  if (!is_of_find(words, host) || std::none_of(words.begin(), words.end(), is_find_predicate)) {
    return std::nullopt;
  }
  FindSearch search = read_find(words, host);
  if (!search.error.empty() || !search.culprit.empty()) return search;
  const auto selects = [](const std::string& word) {
    const Predicate* const row = find_predicate(word);
    return row != nullptr && row->form >= Form::name && row->form < Form::action &&
           row->form != Form::type;
  };
  const auto deletes = [](const std::string& word) {
    const Predicate* const row = find_predicate(word);
    return row != nullptr && row->here == "--delete";
  };
  // Nothing asks before it deletes everything.
  const bool is_sane = std::none_of(words.begin(), words.end(), deletes) ||
                       std::any_of(words.begin(), words.end(), selects);
  // The only root may be meant as a TEXT.
  const bool may_be_text = search.roots.size() == 1 &&
                           search.roots.front().find('/') == std::string::npos &&
                           host.place_of(search.roots.front()) == Place::missing;
  if (!is_sane || may_be_text || search.is_guess) return std::nullopt;
  const auto name = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return lists("-name -iname", word);
  });
  if (name != words.end() && (name + 1)->find_first_of("*?[\\") == std::string::npos) {
    search.wider = words;
    Words::iterator wider = search.wider.begin() + (name - words.begin());
    *wider = "-iname";
    *++wider = "*" + *(name + 1) + "*";
  }
  return search;
}

}  // namespace ffind::foreign
