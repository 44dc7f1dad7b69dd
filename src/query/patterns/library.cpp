// SPDX-License-Identifier: MIT
// Patterns that a library outside of this program matches, with another idea of a character: those
// of find(1), which are the C library's, and of fd, which are Rust's.
//
// fnmatch(3) takes 100 to 300 ns a name, since it converts both texts to wide characters first. So
// a glob of ASCII text with * and ? gets a pattern of ours for ASCII subjects, which all locales
// read alike. It takes 10 ns if its stars are at the ends.
#include <cstddef>
#include <string>

#include "query/patterns/pattern.h"
#include "query/patterns/regex_syntax.h"
#include "text/ascii.h"

namespace ffind::query {
namespace {

/// A glob of text, * and ? as a regular expression.
PatternSpec as_regex(std::string_view glob, text::KeyRules rules) {
  std::string regex = "\\A";
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    regex += c == '*' ? ".*" : c == '?' ? "." : quoted_for_regex(glob.substr(i, 1));
  }
  return {PatternKind::regex, regex + "\\z",
          rules.folds() ? CaseRule::insensitive : CaseRule::sensitive};
}

/// False if a letter of `glob` has another counterpart than in English, as i and I have in Turkish.
bool folds_as_ascii(std::string_view glob, const TextPredicate& library) {
  std::string small;
  std::string large;
  for (const char c : glob) {
    if (c == '*') continue;
    const char folded = text::fold_ascii(c);
    small += folded;
    large += 'a' <= folded && folded <= 'z' ? static_cast<char>(folded - 'a' + 'A') : c;
  }
  return library(small) && library(large);
}

class LibraryPattern final : public Pattern {
 public:
  LibraryPattern(const PatternSpec& spec, text::KeyRules rules)
      : Pattern(rules), library_(spec.library) {
    if (spec.is_ours_in_ascii) {
      PatternSpec ours = spec;
      ours.library = {};
      for_ascii_ = compile_pattern(ours);
    } else if (spec.kind == PatternKind::glob && text::is_ascii(spec.text) &&
               spec.text.find_first_of("[\\") == std::string::npos &&
               (!rules.folds() || folds_as_ascii(spec.text, library_))) {
      for_ascii_ = compile_pattern(as_regex(spec.text, rules));
    }
  }

  bool matches(std::string_view subject) const override {
    return for_ascii_ && text::is_ascii(subject) ? for_ascii_->matches(subject) : library_(subject);
  }

  int cost() const override { return for_ascii_ ? for_ascii_->cost() : 300; }

 private:
  TextPredicate library_;
  std::unique_ptr<const Pattern> for_ascii_;  ///< null if there is none
};

}  // namespace

std::unique_ptr<const Pattern> make_library_pattern(const PatternSpec& spec, text::KeyRules rules) {
  return std::make_unique<LibraryPattern>(spec, rules);
}

}  // namespace ffind::query
