// SPDX-License-Identifier: MIT
// Reads a command line of another program word by word: what is ours stays, what is foreign is
// looked up. Then settles what the first argument is to the program whose options there are. See
// translator.h; find's expressions are find_line.cpp's.
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
#include "query/kinds.h"
#include "text/paths.h"

namespace ffind::foreign {
namespace {

Words words_of(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

std::string in_quotes(std::string_view text) {
  std::string value = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') value += '\\';
    value += c;
  }
  return value + '"';
}

constexpr std::string_view expression_signs = "\\^$.|?*+()[]{}";

bool is_extension(std::string_view text) {
  return !text.empty() && text.size() <= 8 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '.'; }) &&
         query::kind_of_file("x." + std::string(text)) != 0;
}

bool is_directory_at(const PlaceOf& place_of, const std::string& path) {
  const Place place = place_of(path);
  return place == Place::directory || place == Place::link_to_directory;
}

/// `/etc passwd` and `. src`: TEXT first, or --in.
bool put_text_first(Words& arguments, Words& options, const PlaceOf& place_of) {
  if (arguments.size() < 2 || !text::looks_like_path(arguments.front())) return false;
  const auto is_path = [](const std::string& word) { return text::looks_like_path(word); };
  const auto text = std::find_if_not(arguments.begin(), arguments.end(), is_path);
  if (text == arguments.end()) return false;
  if (arguments.front() == "." && is_directory_at(place_of, *text)) {
    arguments.erase(arguments.begin());
    for (const std::string& path : arguments) {
      options.emplace_back("--in");
      options.push_back(path);
    }
    arguments.clear();
    return true;
  }
  const std::string first = *text;
  arguments.erase(text);
  if (arguments.size() == 1 && arguments.front() == ".") arguments.clear();
  arguments.insert(arguments.begin(), first);
  return true;
}

class Translator {
 public:
  Translator(const Words& words, const PlaceOf& place_of) : words_(words), place_of_(place_of) {}

  std::optional<Words> translate();

 private:
  bool scan();
  bool scan_long(const std::string& word);
  bool scan_short(const std::string& word);
  bool scan_foreign_letter(const Foreign& foreign, const std::string& word);
  bool scan_habit_of_ls(const std::string& word);
  bool scan_letters_of_grep(std::string_view letters);
  bool scan_cluster(const std::string& word);
  bool at_last_value() const;
  void take_letters_of_ls(std::string_view letters);
  bool replace(const Foreign& foreign, std::optional<std::string> value);
  std::optional<std::string> next_value();
  void take_command(const std::string& option);
  void add_own(const cli::OptionRow& row, const std::string& name,
               std::optional<std::string> value);
  bool add_account(const std::string& value);
  void sort_order();
  bool settle_pattern();
  Words line();
  void option(std::string_view name, std::string_view value) {
    options_.emplace_back(name);
    options_.emplace_back(value);
  }
  void mark(Program program) {
    changed_ = true;
    if (program_ == Program::unknown) program_ = program;
  }
  bool has_patterns() const { return has_pattern_; }

  const Words& words_;
  const PlaceOf& place_of_;
  std::size_t at_ = 0;
  bool changed_ = false;
  Program program_ = Program::unknown;

  Words options_;
  Words wheres_;
  Words arguments_;
  bool after_dashes_ = false;
  Words commands_;
  std::vector<std::size_t> regexes_;  ///< places of the values of -e among the options
  bool has_pattern_ = false;
  bool fixed_ = false;
  bool glob_flag_ = false;
  bool regex_flag_ = false;
  bool prunes_ = false;                     ///< fd's --prune: what matches is not entered
  std::optional<std::size_t> sort_keys_{};  ///< place of the value of --sort among the options
  bool by_time_ = false;
  bool by_size_ = false;
  bool reversed_ = false;
  bool long_ = false;
  bool content_ = false;  ///< grep's: the first argument is looked for in files
};

}  // namespace

std::optional<std::string> Translator::next_value() {
  if (at_ == words_.size()) return {};
  return words_[at_++];
}

void Translator::take_command(const std::string& option) {
  Words command = {option};
  bool closed = false;
  while (at_ < words_.size() && !closed) {
    closed = words_[at_] == ";";
    command.push_back(words_[at_++]);
  }
  // At the end they are ours, not the command's.
  while (!closed && command.size() > 2 && cli::is_own_option(command.back())) {
    options_.push_back(command.back());
    command.pop_back();
    changed_ = true;
  }
  commands_.insert(commands_.end(), command.begin(), command.end());
}

/// alice, alice:staff, :staff, each with a ! in front.
bool Translator::add_account(const std::string& value) {
  const std::size_t colon = value.find(':');
  const std::string owner = value.substr(0, colon);
  const std::string group = colon == std::string::npos ? "" : value.substr(colon + 1);
  const auto add = [&](const std::string& name, std::string_view own, std::string_view field) {
    if (name.empty()) return;
    if (name[0] == '!') {
      wheres_.push_back("not " + std::string(field) + " = " + name.substr(1));
    } else {
      option(own, name);
    }
  };
  if (!has_any(value, ":!")) return false;
  changed_ = true;
  add(owner, "--owner", "owner");
  add(group, "--group", "group");
  return true;
}

void Translator::add_own(const cli::OptionRow& row, const std::string& name,
                         std::optional<std::string> value) {
  const std::string_view main = main_name(row);
  if (value && main == "--owner" && add_account(*value)) return;
  if (value && main == "--type" &&
      (*value == "x" || *value == "e" || *value == "executable" || *value == "empty")) {
    mark(Program::fd);
    options_.emplace_back(value->ends_with("e") && *value != "e" ? "--executable"
                          : *value == "x"                        ? "--executable"
                                                                 : "--empty");
    return;
  }
  if (value && main == "--type" && !extensions_of(*value).empty() && value->size() > 1) {
    mark(Program::rg);
    option("--ext", extensions_of(*value));
    return;
  }
  if (value && main == "--glob" && value->starts_with("!") && program_ == Program::rg) {
    option("-E", value->substr(1));
    return;
  }
  has_pattern_ = has_pattern_ || is_pattern_option(row);
  options_.push_back(name);
  if (!value) return;
  if (name.starts_with("--") && !row.value_when_absent.empty()) {
    options_.back() += "=" + *value;
    return;
  }
  if (main == "--regex") regexes_.push_back(options_.size());
  if (main == "--sort") sort_keys_ = options_.size();
  options_.push_back(*value);
}

bool Translator::replace(const Foreign& foreign, std::optional<std::string> value) {
  mark(foreign.program);
  const bool needs_value = takes_value(foreign);
  if (needs_value && !value) value = next_value();
  if (needs_value && !value) return false;
  switch (foreign.treatment) {
    case Treatment::drop:
      fixed_ = fixed_ || foreign.name == "--fixed-strings";
      reversed_ = reversed_ || foreign.name == "--reverse";
      return true;
    case Treatment::drop_value:
      return true;
    case Treatment::flag:
      for (const std::string& word : words_of(foreign.here)) options_.push_back(word);
      return true;
    case Treatment::at_most:
      if (!value->empty() && std::isalpha(static_cast<unsigned char>(value->back())) != 0) {
        *value += "i";
      }
      option(foreign.here, "<=" + *value);
      return true;
    case Treatment::where_regex:
      wheres_.push_back((glob_flag_ ? "name glob " : "name ~ ") + in_quotes(*value));
      return true;
    case Treatment::value:
      break;
  }
  if (foreign.here == "--sort -") {
    option("--sort", "-" + *value);
  } else if (foreign.here == "-E /") {
    option("-E", *value + "/");
  } else if (foreign.here == "--owner") {
    if (!add_account(*value)) option("--owner", *value);
  } else {
    Words here = words_of(foreign.here);
    if (here.back() == "-g" || here.back() == "-e") has_pattern_ = true;
    for (const std::string& word : here) options_.push_back(word);
    options_.push_back(*value);
  }
  return true;
}

bool Translator::scan_long(const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  std::optional<std::string> value;
  if (equals != std::string::npos) value = word.substr(equals + 1);
  if (const Foreign* const foreign = find_foreign(name)) return replace(*foreign, value);
  const cli::OptionRow* const row = cli::find_option(name);
  if (row == nullptr) return false;
  if (takes_command(*row)) {
    take_command(word);
    return true;
  }
  if (!value && takes_value(*row)) {
    // Flags of fd's
    const bool last = at_last_value();
    if (last && name == "--prune") {
      mark(Program::fd);
      prunes_ = true;
      return true;
    }
    if (last && (name == "--glob" || name == "--regex")) {
      mark(Program::fd);
      (name == "--glob" ? glob_flag_ : regex_flag_) = true;
      return true;
    }
    value = next_value();
    if (!value) return false;
  }
  add_own(*row, name, value);
  return true;
}

/// True if the next word cannot be a value: there is none, or it is an option.
bool Translator::at_last_value() const {
  return at_ == words_.size() || (words_[at_].starts_with("-") && words_[at_].size() > 1);
}

/// Letters of `ls`; those that only change how it lists (h, A, 1, F) are the default here.
void Translator::take_letters_of_ls(std::string_view letters) {
  mark(Program::ls);
  long_ = long_ || letters.find('l') != std::string_view::npos;
  by_time_ = by_time_ || letters.find('t') != std::string_view::npos;
  by_size_ = by_size_ || letters.find('S') != std::string_view::npos;
  reversed_ = reversed_ || letters.find('r') != std::string_view::npos;
}

/// -lhRt, -ltr, and -t without a value. False if the letters are not those of ls.
bool Translator::scan_habit_of_ls(const std::string& word) {
  const std::string_view letters = std::string_view(word).substr(1);
  if (letters == "t" && (at_ == words_.size() || words_[at_].starts_with("-"))) {
    take_letters_of_ls(letters);
    return true;
  }
  if (word == "-h" || word == "-hR" || !are_letters_of_ls(letters)) return false;
  take_letters_of_ls(letters);
  if (word == "-R" && at_ < words_.size() && !words_[at_].starts_with("-") &&
      !is_directory_at(place_of_, words_[at_])) {
    content_ = true;  // grep -R TODO src
  }
  return true;
}

/// True for -rn, -ril and the like: a search in files.
bool are_letters_of_grep(std::string_view letters) {
  return letters.find('r') != std::string_view::npos &&
         letters.find_first_not_of("rRnilHIEwFs") == std::string_view::npos;
}

/// `-r WORD` at the end is locate's regular expression; False if no argument follows.
bool Translator::scan_letters_of_grep(std::string_view letters) {
  const std::size_t rest = words_.size() - at_;
  const bool is_locate = letters == "r" && rest == 1;
  mark(is_locate ? Program::locate : Program::grep);
  if (is_locate) {
    has_pattern_ = true;
    option("-e", *next_value());
    return true;
  }
  if (rest == 0) return false;
  content_ = true;
  options_.emplace_back(letters.find('i') != std::string_view::npos ? "-i" : "-s");
  return true;
}

/// An option of one letter that is foreign.
bool Translator::scan_foreign_letter(const Foreign& foreign, const std::string& word) {
  // -c is a count for grep and locate; only fd's has one of these words after it.
  const bool is_count =
      word == "-c" && (at_ == words_.size() || (words_[at_] != "auto" && words_[at_] != "always" &&
                                                words_[at_] != "never"));
  if (!is_count) return replace(foreign, {});
  mark(Program::locate);
  options_.emplace_back("--count");
  return true;
}

/// Short options of ours up to the first that takes a value, foreign letters among them.
bool Translator::scan_cluster(const std::string& word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::string name = {'-', word[i]};
    std::string rest = word.substr(i + 1);
    const cli::OptionRow* const row = cli::find_option(name);
    if (row == nullptr) {
      const Foreign* const foreign = find_foreign(name);
      if (foreign == nullptr) return false;
      const bool has_value = foreign->treatment == Treatment::value;
      if (!replace(*foreign, has_value && !rest.empty() ? std::optional(rest) : std::nullopt)) {
        return false;
      }
      if (has_value) return true;
      continue;
    }
    if (takes_command(*row)) {
      take_command(name + rest);
      return true;
    }
    if (is_flag(*row) || !row->value_when_absent.empty()) {
      options_.push_back(name);
      continue;
    }
    if (rest.starts_with("=")) rest.erase(0, 1);
    if (rest.empty()) {
      if (at_last_value() && (name == "-F" || name == "-g")) {  // flags of fd's
        mark(Program::fd);
        (name == "-F" ? fixed_ : glob_flag_) = true;
        return true;
      }
      const auto value = next_value();
      if (!value) return false;
      rest = *value;
    }
    add_own(*row, name, rest);
    return true;
  }
  return true;
}

bool Translator::scan_short(const std::string& word) {
  if (const Foreign* const foreign = find_foreign(word)) return scan_foreign_letter(*foreign, word);
  if (find_word_of_find(word) != nullptr) return false;
  if (const std::string longer = with_second_dash(word); !longer.empty()) {
    changed_ = true;
    return scan_long(longer);
  }
  if (scan_habit_of_ls(word)) return true;
  const std::string_view letters = std::string_view(word).substr(1);
  if (are_letters_of_grep(letters)) return scan_letters_of_grep(letters);
  return scan_cluster(word);
}

bool Translator::scan() {
  while (at_ < words_.size()) {
    const std::string& word = words_[at_++];
    bool known = true;
    if (after_dashes_ || word.size() < 2 || word[0] != '-') {
      arguments_.push_back(word);
    } else if (word == "--") {
      after_dashes_ = true;
    } else if (word[1] == '-') {
      known = scan_long(word);
    } else {
      known = scan_short(word);
    }
    if (!known) return false;
  }
  return true;
}

/// `name,-size` as `-name,size`.
std::string reversed_keys(std::string_view keys) {
  std::string reversed;
  while (!keys.empty()) {
    std::string_view key = keys.substr(0, keys.find(','));
    keys.remove_prefix(std::min(keys.size(), key.size() + 1));
    const bool descends = key.starts_with('-');
    if (descends) key.remove_prefix(1);
    reversed += (reversed.empty() ? "" : ",") + std::string(descends ? "" : "-") + std::string(key);
  }
  return reversed;
}

void Translator::sort_order() {
  if (long_) options_.emplace_back("-l");
  if (by_time_ || by_size_) {
    option("--sort", std::string(reversed_ ? "" : "-") + (by_time_ ? "modified" : "size"));
  } else if (reversed_ && !sort_keys_) {
    option("--sort", "-name");  // the order of ls
  } else if (reversed_) {
    options_[*sort_keys_] = reversed_keys(options_[*sort_keys_]);
  }
}

/// What the first argument is to the program whose options there are.
bool Translator::settle_pattern() {
  if (program_ == Program::fd) {
    // fd's -e is an extension.
    for (const std::size_t at : regexes_) {
      if (!is_extension(options_[at])) return false;
      options_[at - 1] = "--ext";
    }
    if (!regexes_.empty()) has_pattern_ = false;
  }
  const std::string first = arguments_.empty() ? "" : arguments_.front();
  if (prunes_) {
    // Files alone are never entered.
    const auto types = std::find(options_.begin(), options_.end(), "-t");
    const bool directories = types == options_.end() || types + 1 == options_.end() ||
                             (types + 1)->find('d') != std::string::npos;
    if (has_pattern_ || first.empty()) return false;
    const std::string_view how = glob_flag_                                    ? "glob"
                                 : !fixed_ && has_any(first, expression_signs) ? "~"
                                                                               : "contains";
    if (directories && first != "." && first != "^") {
      option("--prune-where", "name " + std::string(how) + " " + in_quotes(first));
    } else if (directories) {
      option("-d", "1");
    }
  }
  if (content_ && arguments_.empty()) return false;
  if (content_) {
    arguments_.erase(arguments_.begin());
    option(has_any(first, expression_signs) ? "--contains-regex" : "--contains", first);
    Words paths = std::move(arguments_);
    arguments_.clear();
    for (const std::string& path : paths) {
      if (has_pattern_ || text::looks_like_path(path)) {
        if (path != "." || paths.size() > 1) arguments_.push_back(path);
      } else {
        option("--in", path);
      }
    }
    return true;
  }
  if (program_ == Program::rg && has_pattern_ &&
      std::find(options_.begin(), options_.end(), "-i") == options_.end()) {
    options_.insert(options_.begin(), "-s");
  }
  if (arguments_.empty()) return true;
  if (program_ == Program::rg) {
    for (const std::string& path : arguments_) {
      if (path != "." || arguments_.size() > 1) option("--in", path);
    }
    arguments_.clear();
    return true;
  }
  if (glob_flag_ || regex_flag_) {
    arguments_.erase(arguments_.begin());
    option(glob_flag_ ? "-g" : "-e", first);
    has_pattern_ = true;
    return true;
  }
  if (has_pattern_ || fixed_ || program_ != Program::fd) return true;
  if (first == "." || first == "^") {
    arguments_.erase(arguments_.begin());
    Words paths = std::move(arguments_);
    arguments_.clear();
    for (const std::string& path : paths) {
      if (text::looks_like_path(path)) {
        arguments_.push_back(path);
      } else {
        option("--in", path);
      }
    }
    return true;
  }
  if (has_any(first, expression_signs)) {
    arguments_.erase(arguments_.begin());
    option("-e", first);
    has_pattern_ = true;
  }
  return true;
}

Words Translator::line() {
  Words words = options_;
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

std::optional<Words> Translator::translate() {
  if (!scan()) return {};
  sort_order();
  if (!settle_pattern()) return {};
  if (!has_pattern_ && put_text_first(arguments_, options_, place_of_)) changed_ = true;
  if (!changed_) return {};
  return line();
}

/// -x of BSD's find, before its roots: `-x / -name foo`.
bool is_bsd_option(const Words& words, std::size_t at, const PlaceOf& place_of) {
  if (words[at] != "-x" || at + 2 >= words.size() || !words[at + 2].starts_with('-')) return false;
  const std::string& next = words[at + 1];
  const bool is_path = text::looks_like_path(next) || next.find('/') != std::string::npos;
  return is_path && is_directory_at(place_of, next);
}

bool is_of_find(const Words& words, const PlaceOf& place_of) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (is_bsd_option(words, i, place_of)) continue;
    if (word == "--" || word == "-x" || word == "-X" || word == "--exec" || word == "--exec-batch")
      return false;
    if (is_find_predicate(word) && !cli::find_option(word) && !find_foreign(word)) return true;
    if ((word == "!" || word == "(") && words.size() > i + 1 && words[i + 1].starts_with("-")) {
      return true;
    }
    // -g -name: the value of an option
    if (word.starts_with("-") && word.size() > 1) {
      const cli::OptionRow* const row = cli::find_option(word);
      if (row != nullptr && takes_value(*row)) ++i;
    }
  }
  return false;
}

Translation translate(const Words& words, const PlaceOf& place_of) {
  if (std::find(words.begin(), words.end(), "-onlyin") != words.end()) {  // mdfind
    Words without;
    for (const std::string& word : words) {
      if (word != "-name") without.push_back(word);
    }
    return {Translator(without, place_of).translate(), {}};
  }
  // Read letter by letter, a predicate of find would do something else, -delete among them.
  if (is_of_find(words, place_of)) return translate_find(words, place_of);
  return {Translator(words, place_of).translate(), {}};
}

}  // namespace ffind::foreign
