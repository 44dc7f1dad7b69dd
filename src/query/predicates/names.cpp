// SPDX-License-Identifier: MIT
// Tests of names and paths: patterns, hidden. One small class each: what it asks
// for, whether it holds, how it is spelt. Immutable.
#include <fmt/format.h>

#include "query/bound.h"
#include "query/language/spelling.h"
#include "query/predicates/predicates.h"
#include "text/key.h"

namespace ffind::query {
namespace {

Bound bound_of_name(const Pattern& pattern) {
  const text::KeyCase letter_case =
      pattern.ignores_case() ? text::KeyCase::folded : text::KeyCase::kept;
  Bound bound;
  bound.name_contains =
      text::portable_part(pattern.required_literal(), {letter_case, pattern.ignores_diacritics()});
  return bound;
}

class PatternTest final : public Test {
 public:
  PatternTest(Subject subject, const PatternSpec& spec)
      : subject_(subject), pattern_(compile_pattern(spec)), spec_(spec) {}

  bool holds(Entry& entry) const override {
    switch (subject_) {
      case Subject::name:
        return pattern_->matches(entry.name);
      case Subject::path:
        return entry.require(needs::relative_path) && pattern_->matches(entry.relative_path);
      case Subject::absolute_path:
        return entry.require(needs::absolute_path) && pattern_->matches(entry.absolute_path);
    }
    return false;
  }

  Needs needs() const override {
    switch (subject_) {
      case Subject::name:
        return needs::none;
      case Subject::path:
        return needs::relative_path;
      case Subject::absolute_path:
        return needs::absolute_path;
    }
    return needs::none;
  }

  int cost() const override { return pattern_->cost(); }

  Bound bound() const override {
    // What a path must contain need not lie in the name.
    return subject_ == Subject::name ? bound_of_name(*pattern_) : Bound{};
  }

  bool narrows() const override {
    const bool below = subject_ != Subject::name;
    const std::string beginning = subject_ == Subject::absolute_path ? "/" : "";
    if (below && !pattern_->matches(beginning + "a/b")) return true;
    if (!pattern_->matches(beginning + "Some name that is long, has 3 dots and a - in it...")) {
      return true;
    }
    // Whatever a pattern leaves out begins with something, and ends with something.
    for (char c = '!'; c <= '~'; ++c) {
      if (c != '/' && !pattern_->matches(beginning + c)) return true;
    }
    return false;
  }

  std::string text() const override {
    constexpr std::string_view subjects[] = {"name", "path", "absolute_path"};
    return pattern_text(subjects[static_cast<std::size_t>(subject_)], spec_);
  }

 private:
  Subject subject_;
  std::unique_ptr<const Pattern> pattern_;
  PatternSpec spec_;
};

class HiddenTest final : public Test {
 public:
  bool holds(Entry& entry) const override { return entry.name.front() == '.'; }
  Needs needs() const override { return needs::none; }
  int cost() const override { return 1; }
  std::string text() const override { return "hidden"; }
};

}  // namespace

TestPointer pattern_test(Subject subject, const PatternSpec& spec) {
  return std::make_shared<PatternTest>(subject, spec);
}
TestPointer hidden_test() {
  return std::make_shared<HiddenTest>();
}

}  // namespace ffind::query
