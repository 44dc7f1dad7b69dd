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

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "text/ascii.h"

namespace ffind::foreign {
namespace {

using cli::Id;

/// Thrown for an option of ours that rg does not have.
struct NotOfRg {};

class RgLine {
 public:
  RgLine(const Words& words, const Host& host) : words_(words), host_(host) {}

  Translation translated() {
    line_.words = words_;
    line_.add(Id::type, "f");
    scan();
    const auto excludes = [](const std::string& glob) { return glob.starts_with('!'); };
    // Types do not count once a glob includes.
    if (std::all_of(globs_.begin(), globs_.end(), excludes)) {
      globs_.insert(globs_.begin(), types_.begin(), types_.end());
    }
    if (any_case_ != 0 && any_case_ != globs_.size()) throw Untranslatable{globs_.back()};
    if (!globs_.empty()) {
      line_.given.insert(line_.given.begin(),
                         {.id = any_case_ == 0 ? Id::case_sensitive : Id::ignore_case});
    }
    for (auto glob = globs_.begin(); glob != globs_.end(); ++glob) {
      if (!excludes(*glob) && std::any_of(globs_.begin(), glob, excludes)) {
        throw Untranslatable{*glob};
      }
      add_glob(*glob);
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
      case Treatment::glob:
        if (option.names == "--iglob") ++any_case_;
        return globs_.push_back(value);
      case Treatment::type: {
        const Words globs = globs_of_type(value);
        if (globs.empty()) throw Untranslatable{value};
        types_.insert(types_.end(), globs.begin(), globs.end());
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

  // A glob with a slash can be below `.` only, and a file has none at its end.
  void add_glob(std::string glob) {
    const bool excludes = glob.starts_with('!');
    if (excludes) glob.erase(0, 1);
    const std::size_t slash = glob.find('/');
    const bool is_anchored = slash != std::string::npos && slash + 1 < glob.size();
    if (slash == 0) glob.erase(0, 1);
    const bool in_current = roots_.empty() || (roots_.size() == 1 && lists(". ./", roots_[0]));
    if (glob.empty() || (is_anchored && !in_current) || (!excludes && glob.ends_with('/'))) {
      throw Untranslatable{glob};
    }
    const bool is_name = slash == 0 && excludes && glob.find('/') == std::string::npos;
    line_.add(excludes ? Id::exclude : Id::glob, (is_name ? "./" : "") + glob);
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
  Words globs_;               ///< with a ! before those that exclude
  std::size_t any_case_ = 0;  ///< those of --iglob
  Words types_;               ///< globs of types
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
