// SPDX-License-Identifier: MIT
// Translates `rg --files`, which lists the files that a search would read:
//
//     --files -g '*.c' -g '!build' --iglob '!*.OLD' -tpy src
//
// rg decides by the last glob that matches. With a glob that includes, a file has to match one, and
// types do not count; without, a file has to be of a type. A directory is entered unless the last
// glob that matches it excludes. So a line is exact if globs that exclude follow the others:
//
//     included    -g GLOB of each, or the globs of the types
//     excluded    -E GLOB of each, which skips the same directories
//
// Case matters in globs and types (-s), and --iglob does not mix with them. rg's globs are anchored
// in the current directory if they have a slash, ours in each root.
#include "foreign/foreign.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "text/ascii.h"

namespace ffind::foreign {
namespace {

using cli::Id;

/// A glob, or a type with all of its globs.
struct Rule {
  std::string typed;
  Words globs;
  bool excludes = false;
  bool any_case = false;
};

/// Thrown for an option of ours that rg does not have.
struct NotOfRg {};

class RgLine {
 public:
  RgLine(const Words& words, const Host& host) : words_(words), host_(host) {}

  Translation translated() {
    line_.words = words_;
    line_.add(Id::type, "f");
    scan();
    const auto ignores_case = [](const Rule& rule) { return rule.any_case; };
    const bool includes =
        std::any_of(globs_.begin(), globs_.end(), [](const Rule& rule) { return !rule.excludes; });
    // Types do not count once a glob includes.
    if (!includes && !types_.empty()) {
      if (std::any_of(globs_.begin(), globs_.end(), ignores_case) ||
          (any_case_ && !globs_.empty())) {
        throw Untranslatable{types_.front().typed};
      }
      any_case_ = false;
      add_patterns(types_, true);
    }
    if (!globs_.empty()) add_patterns(globs_, false);
    if (!globs_.empty() || (!includes && !types_.empty())) {
      const bool any_case = !globs_.empty() && (any_case_ || globs_.front().any_case);
      line_.given.insert(line_.given.begin(),
                         {.id = any_case ? Id::ignore_case : Id::case_sensitive});
    }
    add_roots();
    return {.line = std::move(line_), .is_certain = is_certain_};
  }

 private:
  void scan() {
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

  // A long option, or letters in a row, as in -uuL or -tpy.
  void scan_option(const std::string& word) {
    const bool is_long = word.starts_with("--");
    const std::size_t equals = word.find('=');
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = is_long ? word.substr(0, equals) : std::string{'-', word[i]};
      const Foreign* const option = find_option_of_rg(name);
      if (option == nullptr && cli::find_option(name) != nullptr) throw NotOfRg();
      if (option == nullptr) throw Untranslatable{word};
      if (!takes_value(*option)) {
        use(*option, {});
        if (is_long) return;
        continue;
      }
      const std::size_t rest = is_long ? equals : i + 1;
      if (rest < word.size()) {
        return use(*option, word.substr(rest + (word[rest] == '=' ? 1 : 0)));
      }
      if (at_ == words_.size()) throw Untranslatable{word};
      return use(*option, words_[at_++]);
    }
  }

  void use(const Foreign& option, const std::string& value) {
    switch (option.treatment) {
      case Treatment::any_case:
        any_case_ = true;
        return;
      case Treatment::glob:
      case Treatment::iglob: {
        const bool excludes = value.starts_with('!');
        globs_.push_back({value,
                          {value.substr(excludes ? 1 : 0)},
                          excludes,
                          option.treatment == Treatment::iglob});
        return;
      }
      case Treatment::type:
      case Treatment::type_not: {
        types_.push_back({value, globs_of_type(value), option.treatment == Treatment::type_not});
        if (types_.back().globs.empty()) throw Untranslatable{value};
        return;
      }
      case Treatment::drop_value:
        // `-C src` is a directory, and our option.
        if (!text::is_digits(value)) throw NotOfRg();
        return;
      default:
        if (option.here.starts_with("--sort") && value == "none") return;
        for (cli::Given& one : counterpart(option, value)) line_.given.push_back(std::move(one));
    }
  }

  // A glob with a slash as one below each root; false if it cannot be. `src/*.c` is below `.` only.
  bool is_below_roots(std::string& glob) const {
    const std::size_t slash = glob.find('/');
    if (slash == std::string::npos || slash + 1 == glob.size()) return true;
    if (glob.starts_with('/')) glob.erase(0, 1);
    return roots_.empty() || (roots_.size() == 1 && (roots_[0] == "." || roots_[0] == "./"));
  }

  // Adds -g for rules that include and -E for the others. `by_names`: of types, whose globs exclude
  // files only. Throws for an order that matters, and for case that differs.
  void add_patterns(const std::vector<Rule>& rules, bool by_names) {
    std::string excluded;
    bool is_over = false;
    for (const Rule& rule : rules) {
      const bool any_case = (rule.any_case || any_case_) && !by_names;
      const bool differs = any_case != ((rules.front().any_case || any_case_) && !by_names);
      if (differs || (is_over && !rule.excludes)) throw Untranslatable{rule.typed};
      is_over = is_over || rule.excludes;
      for (std::string glob : rule.globs) {
        if (by_names && rule.excludes) {
          excluded += (excluded.empty() ? "name glob \"" : " or name glob \"") + glob + "\"";
          continue;
        }
        // A file has no slash at its end.
        const bool is_directory = glob.ends_with('/');
        if (glob.empty() || (is_directory && !rule.excludes) || !is_below_roots(glob)) {
          throw Untranslatable{rule.typed};
        }
        const bool anchored = rule.excludes && glob.find('/') == std::string::npos &&
                              rule.globs.front().starts_with('/');
        line_.add(rule.excludes ? Id::exclude : Id::glob, (anchored ? "./" : "") + glob);
      }
    }
    if (!excluded.empty()) line_.add(Id::where, "not (" + excluded + ")");
  }

  // A path that does not exist was meant as TEXT, if it is the only one.
  void add_roots() {
    if (roots_.size() == 1 && !line_.has(Id::glob) && host_.place_of(roots_[0]) == Place::missing) {
      line_.arguments = roots_;
      is_certain_ = false;
      return;
    }
    for (const std::string& root : roots_) {
      if (root == "." && roots_.size() == 1) continue;
      // rg lists a file that is named, whatever the globs are.
      const Place place = host_.place_of(root);
      if (place == Place::other || place == Place::link) throw Untranslatable{root};
      line_.add(Id::in, root);
    }
  }

  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  std::vector<Rule> globs_;
  std::vector<Rule> types_;
  bool any_case_ = false;
  Words roots_;
  bool is_certain_ = true;
  cli::Options line_;
};

}  // namespace

std::optional<Translation> translate_rg(const Words& words, const Host& host) {
  const auto end = std::find(words.begin(), words.end(), "--");
  if (std::find(words.begin(), end, "--files") == end) return std::nullopt;
  try {
    return RgLine(words, host).translated();
  } catch (const Untranslatable& failure) {
    return Translation{{}, failure.culprit};
  } catch (const NotOfRg&) {
    return std::nullopt;
  }
}

}  // namespace ffind::foreign
