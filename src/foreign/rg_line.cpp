// SPDX-License-Identifier: MIT
// Translates `rg --files`, which lists the files that a search would read:
//
//     --files -g '*.c' -g '!build' --iglob '!*.OLD' -tpy src
//
// rg decides by the last glob that matches. With a glob that includes, a file has to match one, and
// types do not count; without, a file has to be of a type. A directory is entered unless the last
// glob that matches it excludes. So a line is exact if what excludes follows what includes:
//
//     included    -g GLOB of each, or the globs of the types
//     excluded    -E GLOB of each, which skips the same directories
//
// Case matters in globs and types (-s), and --iglob does not mix with them. rg's globs are anchored
// in the current directory if they have a slash, ours in each root.
#include "foreign/foreign.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "text/ascii.h"

namespace ffind::foreign {
namespace {

enum class Use : unsigned char {
  drop,        ///< of searches, or already the default
  drop_value,  ///< likewise, with a value
  keep,        ///< our option `here`
  value,       ///< our option `here`, and the value
  glob,
  iglob,
  any_case,  ///< of all globs
  type,
  type_not,
  size,
  sort,
  reverse_sort,
};

struct Option {
  std::string_view names;  ///< between blanks
  Use use;
  std::string_view here = {};
};

constexpr Option options_of_rg[] = {
    {" --files --hidden -. -u --unrestricted --no-ignore --no-ignore-vcs --no-ignore-dot "
     "--no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent "
     "--no-require-git --one-file-system --no-heading --heading -i --ignore-case -s "
     "--case-sensitive -S --smart-case --no-config -a --text -n --line-number -N "
     "--no-line-number -H --with-filename -p --pretty --no-pre --include-zero ",
     Use::drop},
    {" -C --context -A --after-context -B --before-context -M --max-columns -m --max-count ",
     Use::drop_value},
    {" -L --follow ", Use::keep, "-L"},
    {" -0 --null ", Use::keep, "-0"},
    {" -q --quiet ", Use::keep, "-q"},
    {" --no-messages ", Use::keep, "--no-messages"},
    {" --sort-files ", Use::keep, "--sort path"},
    {" --max-depth --maxdepth -d ", Use::value, "-d"},
    {" -j --threads ", Use::value, "-j"},
    {" --color ", Use::value, "--color"},
    {" -g --glob ", Use::glob},
    {" --iglob ", Use::iglob},
    {" --glob-case-insensitive ", Use::any_case},
    {" -t --type ", Use::type},
    {" -T --type-not ", Use::type_not},
    {" --max-filesize ", Use::size},
    {" --sort ", Use::sort},
    {" --sortr ", Use::reverse_sort}};

const Option* option_called(std::string_view name) {
  const std::string word = " " + std::string(name) + " ";
  const auto* const found = std::find_if(
      std::begin(options_of_rg), std::end(options_of_rg),
      [&](const Option& option) { return option.names.find(word) != std::string_view::npos; });
  return found == std::end(options_of_rg) ? nullptr : found;
}

bool takes_value(const Option& option) {
  constexpr Use alone[] = {Use::drop, Use::keep, Use::any_case};
  return std::find(std::begin(alone), std::end(alone), option.use) == std::end(alone);
}

/// A glob, or a type with all of its globs.
struct Rule {
  std::string typed;
  std::vector<std::string> globs;
  bool excludes = false;
  bool any_case = false;
};

/// Thrown for a word without a counterpart.
struct NoCounterpart {
  std::string word;
  bool is_ours = false;  ///< an option that rg does not have
};

/// One line; translate_rg() reads it once.
class RgLine {
 public:
  RgLine(const Words& words, const Host& host) : words_(words), host_(host) {}

  Words translated();

 private:
  void scan();
  void scan_option(const std::string& word);
  void use(const Option& option, const std::string& value);
  void add_type(const std::string& type, bool excludes);
  void add_patterns(const std::vector<Rule>& rules, bool by_names);
  void add_roots();
  bool is_below_roots(std::string& glob) const;

  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  std::vector<Rule> globs_;
  std::vector<Rule> types_;
  bool any_case_ = false;
  Words roots_;
  Words line_ = {"-t", "f"};
};

void RgLine::add_type(const std::string& type, bool excludes) {
  Rule& rule = types_.emplace_back();
  rule.typed = type;
  rule.excludes = excludes;
  for (const std::string_view glob : globs_of_type(type)) rule.globs.emplace_back(glob);
  if (rule.globs.empty()) throw NoCounterpart{type};
}

void RgLine::use(const Option& option, const std::string& value) {
  const auto add = [&](std::string name, std::string text) {
    line_.push_back(std::move(name));
    line_.push_back(std::move(text));
  };
  switch (option.use) {
    case Use::drop:
    case Use::drop_value:
      return;
    case Use::keep:
      for (std::string_view rest = option.here; !rest.empty();) {
        line_.emplace_back(text::take_part(rest, ' '));
      }
      return;
    case Use::value:
      return add(std::string(option.here), value);
    case Use::any_case:
      any_case_ = true;
      return;
    case Use::glob:
    case Use::iglob: {
      const bool excludes = value.starts_with('!');
      globs_.push_back(
          {value, {value.substr(excludes ? 1 : 0)}, excludes, option.use == Use::iglob});
      return;
    }
    case Use::type:
    case Use::type_not:
      return add_type(value, option.use == Use::type_not);
    case Use::size: {
      // K, M and G are powers of 1024.
      const bool has_unit =
          !value.empty() && std::isalpha(static_cast<unsigned char>(value.back())) != 0;
      return add("-S", "<=" + value + (has_unit ? "i" : ""));
    }
    case Use::sort:
    case Use::reverse_sort:
      if (value == "none") return;
      return add("--sort", (option.use == Use::sort ? "" : "-") + value);
  }
}

/// A long option, or letters in a row, as in -uuL or -tpy.
void RgLine::scan_option(const std::string& word) {
  const bool is_long = word.starts_with("--");
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::size_t equals = is_long ? word.find('=') : std::string::npos;
    const std::string name = is_long ? word.substr(0, equals) : std::string{'-', word[i]};
    const Option* const option = option_called(name);
    if (option == nullptr) throw NoCounterpart{word, cli::find_option(name) != nullptr};
    std::string value;
    if (takes_value(*option)) {
      std::string rest = is_long ? "" : word.substr(i + 1);
      if (rest.starts_with('=')) rest.erase(0, 1);
      if (equals != std::string::npos) {
        value = word.substr(equals + 1);
      } else if (!rest.empty()) {
        value = rest;
      } else if (at_ < words_.size()) {
        value = words_[at_++];
      } else {
        throw NoCounterpart{word};
      }
      i = word.size();
    }
    use(*option, value);
    if (is_long) return;
  }
}

void RgLine::scan() {
  bool after_dashes = false;
  while (at_ < words_.size()) {
    const std::string& word = words_[at_++];
    if (!after_dashes && word == "--") {
      after_dashes = true;
    } else if (after_dashes || word.size() < 2 || word[0] != '-') {
      roots_.push_back(word);
    } else {
      scan_option(word);
    }
  }
}

/// A glob with a slash as one below each root; false if it cannot be. `src/*.c` is below `.` only.
bool RgLine::is_below_roots(std::string& glob) const {
  const std::size_t slash = glob.find('/');
  if (slash == std::string::npos || slash + 1 == glob.size()) return true;
  if (glob.starts_with('/')) glob.erase(0, 1);
  return roots_.empty() || (roots_.size() == 1 && (roots_[0] == "." || roots_[0] == "./"));
}

/// Adds -g for what includes and -E for what excludes. `by_names`: of types, whose globs exclude
/// files only. Throws NoCounterpart for an order that matters, and for case that differs.
void RgLine::add_patterns(const std::vector<Rule>& rules, bool by_names) {
  std::string excluded;
  bool is_over = false;
  for (const Rule& rule : rules) {
    const bool any_case = (rule.any_case || any_case_) && !by_names;
    const bool differs = any_case != ((rules.front().any_case || any_case_) && !by_names);
    if (differs || (is_over && !rule.excludes)) throw NoCounterpart{rule.typed};
    is_over = is_over || rule.excludes;
    for (std::string glob : rule.globs) {
      if (by_names && rule.excludes) {
        excluded += (excluded.empty() ? "name glob \"" : " or name glob \"") + glob + "\"";
        continue;
      }
      // A file has no slash at its end.
      const bool is_directory = glob.ends_with('/');
      if (glob.empty() || (is_directory && !rule.excludes) || !is_below_roots(glob)) {
        throw NoCounterpart{rule.typed};
      }
      const bool anchored = rule.excludes && glob.find('/') == std::string::npos &&
                            rule.globs.front().starts_with('/');
      line_.emplace_back(rule.excludes ? "-E" : "-g");
      line_.push_back((anchored ? "./" : "") + glob);
    }
  }
  if (!excluded.empty()) {
    line_.emplace_back("--where");
    line_.push_back("not (" + excluded + ")");
  }
  line_.insert(line_.begin(), any_case_ || (!by_names && rules.front().any_case) ? "-i" : "-s");
}

/// A path that does not exist was meant as TEXT, if it is the only one.
void RgLine::add_roots() {
  const bool has_patterns = std::find(line_.begin(), line_.end(), "-g") != line_.end();
  if (roots_.size() == 1 && !has_patterns && host_.place_of(roots_[0]) == Place::missing) {
    line_.push_back(roots_[0]);
    return;
  }
  for (const std::string& root : roots_) {
    if (root == "." && roots_.size() == 1) continue;
    // rg lists a file that is named, whatever the globs are.
    const Place place = host_.place_of(root);
    if (place == Place::other || place == Place::link) throw NoCounterpart{root};
    line_.emplace_back("--in");
    line_.push_back(root);
  }
}

Words RgLine::translated() {
  scan();
  const bool includes =
      std::any_of(globs_.begin(), globs_.end(), [](const Rule& rule) { return !rule.excludes; });
  // Types do not count once a glob includes.
  if (!includes && !types_.empty()) {
    const bool mixes =
        std::any_of(globs_.begin(), globs_.end(), [](const Rule& rule) { return rule.any_case; });
    if (mixes || (any_case_ && !globs_.empty())) throw NoCounterpart{types_.front().typed};
    any_case_ = false;
    add_patterns(types_, true);
    line_.erase(line_.begin());
    if (globs_.empty()) line_.insert(line_.begin(), "-s");
  }
  if (!globs_.empty()) add_patterns(globs_, false);
  add_roots();
  return std::move(line_);
}

}  // namespace

std::optional<Translation> translate_rg(const Words& words, const Host& host) {
  const auto end = std::find(words.begin(), words.end(), "--");
  if (std::find(words.begin(), end, "--files") == end) return std::nullopt;
  try {
    return Translation{RgLine(words, host).translated(), {}};
  } catch (const NoCounterpart& word) {
    if (word.is_ours) return std::nullopt;
    return Translation{{}, word.word};
  }
}

}  // namespace ffind::foreign
