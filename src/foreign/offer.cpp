// SPDX-License-Identifier: MIT
// Gate for command lines in messages: decides whether a corrected line may be offered, and spells
// it.
//
// A line that only lists files may be a guess. A line that deletes or runs a command must not be:
// pasted into a shell, it would do that to files that were never meant. For those, WordCheck reads
// the words as they were typed with the same tables as the translators, and each word must have one
// meaning. It gives up on
//
//     -tree .. -delete        a long option with one dash: could be a cluster of letters
//     --path x .. -delete     an option whose program is unknown, or that of another program than
//                             find in a line of find
//     -name x src -delete     an argument after find's expression has begun
//
// The first such word is the doubt that the message names. An argument that changes its meaning
// between the two lines is a doubt too, see reread_argument().
#include <algorithm>
#include <utility>

#include "cli/option_table.h"
#include "foreign/foreign.h"
#include "foreign/tables.h"
#include "text/paths.h"
#include "text/quoting.h"

namespace ffind::foreign {
namespace {

/// Reads the words of a command line once, from the left. The line becomes one of find's with its
/// first word of find; from there on, other rules apply to arguments and to short words.
class WordCheck {
 public:
  WordCheck(const Words& words, const Host& host) : words_(words), host_(host) {}

  /// The first word whose meaning is a guess; empty if there is none.
  std::string first_doubt() {
    while (at_ < words_.size() && !at_end_) {
      const std::string& word = words_[at_++];
      if (!understands(word)) return word;
    }
    return of_find_ ? foreign_ : std::string();
  }

  bool of_find() const { return of_find_; }

 private:
  bool understands(std::string_view word);
  bool understands_long(std::string_view word);
  bool understands_short(std::string_view word);
  bool skip_values_of_find(Values values);
  bool skip_foreign(const Foreign& foreign, bool has_value);

  /// Consumes the value of an option. False if there is none, or if it looks like an option: then
  /// the value is missing, and the words after it may mean something else than they seem to.
  bool skip_value() {
    if (at_ == words_.size()) return false;
    const std::string& value = words_[at_++];
    return find_word_of_find(value) == nullptr &&
           cli::find_option(value.substr(0, value.find('='))) == nullptr;
  }

  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  bool at_end_ = false;  ///< the rest is a command, or arguments after `--`
  bool of_find_ = false;
  std::string foreign_{};  ///< the last option of another program; a doubt in a line of find
};

bool WordCheck::understands(std::string_view word) {
  if (is_before_roots_of_find(words_, at_ - 1)) return true;
  if (word == "--") return at_end_ = true;
  if (word.size() < 2 || word[0] != '-') {
    const bool joins = word == "(" || word == ")" || word == "!";
    of_find_ = of_find_ || word == "(" || word == "!";
    return joins || !of_find_;  // find refuses a root after its expression
  }
  return word[1] == '-' ? understands_long(word) : understands_short(word);
}

bool WordCheck::understands_long(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  const bool has_value = name.size() < word.size();
  if (const cli::OptionRow* const row = cli::find_option(name)) {
    at_end_ = takes_command(*row);
    return at_end_ || has_value || !takes_value(*row) || skip_value();
  }
  if (const Foreign* const foreign = find_foreign(name)) return skip_foreign(*foreign, has_value);
  return cli::find_undone(name) != nullptr;
}

/// Consumes the value of another program's option. False if the program is unknown.
bool WordCheck::skip_foreign(const Foreign& foreign, bool has_value) {
  foreign_ = foreign.name;
  return foreign.program != Program::unknown &&
         (has_value || !takes_value(foreign) || skip_value());
}

bool WordCheck::understands_short(std::string_view word) {
  if (word == "-P" || (word == "-a" && of_find_)) return true;
  // -o is find's only after another word of find: fd has such an option.
  const Predicate* const of_find = find_word_of_find(word);
  if (of_find != nullptr && (word.size() > 2 || of_find_)) {
    of_find_ = true;
    return skip_values_of_find(of_find->values);
  }
  if (const Foreign* const foreign = find_foreign(word)) return skip_foreign(*foreign, false);
  if (!with_second_dash(word).empty()) return false;
  if (is_one_volume_of_bsd(words_, at_ - 1, host_)) return true;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const cli::OptionRow* const row = cli::find_option(std::string{'-', word[i]});
    if (row == nullptr) return false;
    at_end_ = takes_command(*row);
    if (at_end_) return true;
    if (takes_value(*row)) return i + 1 < word.size() || skip_value();
  }
  return true;
}

/// Consumes the values of a word of find. False if the line ends before them.
bool WordCheck::skip_values_of_find(Values values) {
  if (values == Values::command) {
    while (at_ < words_.size()) {
      const std::string& part = words_[at_++];
      if (part == ";" || (part == "+" && words_[at_ - 2] == "{}")) return true;
    }
    return false;
  }
  at_ += values == Values::none ? 0 : values == Values::one ? 1 : 2;
  return at_ <= words_.size();
}

/// The argument that means something else in `line` than in `typed`: a root of find that does not
/// exist and was taken for TEXT, or TEXT of another program that was taken for a directory, as in
/// `. src`. Empty if there is none.
std::string reread_argument(const Words& typed, const Words& line, bool of_find) {
  const std::string_view option = of_find ? "-F" : "--in";
  if (std::find(typed.begin(), typed.end(), option) != typed.end()) return {};
  if (!of_find && (typed.empty() || !text::looks_like_path(typed.front()))) return {};
  const auto found = std::find(line.begin(), line.end(), option);
  return found == line.end() || found + 1 == line.end() ? std::string() : *(found + 1);
}

}  // namespace

std::string line_to_paste(const Words& words) {
  std::string line = "ffind";
  for (const std::string& word : words) line += ' ' + text::shell_word(word);
  return line;
}

Offer offer(const Words& typed, const Words& line, const Host& host) {
  if (host.acts(line)) {
    WordCheck check(typed, host);
    if (std::string doubt = check.first_doubt(); !doubt.empty()) return {{}, std::move(doubt)};
    if (std::string doubt = reread_argument(typed, line, check.of_find()); !doubt.empty()) {
      return {{}, std::move(doubt)};
    }
  }
  return {line_to_paste(line), {}};
}

}  // namespace ffind::foreign
