// SPDX-License-Identifier: MIT
// Tests of the name alone: patterns, extensions, hidden, kinds. One small class each: what it asks
// for, whether it holds, how it is spelt. Immutable.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "query/bound.h"
#include "query/tests/tests.h"
#include "query/unicode/fold.h"
#include "query/unicode/key.h"
#include "query/values/text.h"

namespace ffind {
namespace {

Bound bound_of_name(const Pattern& pattern) {
  const KeyCase letter_case = pattern.ignores_case() ? KeyCase::folded : KeyCase::kept;
  Bound bound;
  bound.name_contains =
      portable_piece(pattern.required_literal(), {letter_case, pattern.ignores_diacritics()});
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

  std::string text() const override {
    constexpr std::string_view subjects[] = {"name", "path", "absolute_path"};
    return pattern_text(subjects[static_cast<std::size_t>(subject_)], spec_);
  }

 private:
  Subject subject_;
  std::unique_ptr<const Pattern> pattern_;
  PatternSpec spec_;
};

class ExtensionTest final : public Test {
 public:
  ExtensionTest(std::vector<std::string> extensions, bool case_sensitive)
      : extensions_(std::move(extensions)), case_sensitive_(case_sensitive) {
    for (const std::string& extension : extensions_) {
      PatternSpec spec;
      spec.kind = PatternKind::ends;
      spec.text = "." + extension;
      spec.case_rule = case_sensitive ? CaseRule::sensitive : CaseRule::insensitive;
      suffixes_.push_back({compile_pattern(spec), spec.text.size()});
    }
  }

  bool holds(Entry& entry) const override {
    return std::any_of(suffixes_.begin(), suffixes_.end(), [&](const Suffix& suffix) {
      return entry.name.size() > suffix.length && suffix.pattern->matches(entry.name);
    });
  }

  Needs needs() const override { return needs::none; }
  int cost() const override { return 5 * static_cast<int>(suffixes_.size()); }

  Bound bound() const override {
    if (suffixes_.empty()) return {};
    Bound bound = bound_of_name(*suffixes_.front().pattern);
    for (const Suffix& suffix : suffixes_) bound = join(bound, bound_of_name(*suffix.pattern));
    return bound;
  }

  std::string text() const override {
    std::string list;
    for (const std::string& extension : extensions_) {
      if (!list.empty()) list += ", ";
      // The first dot of a value is not part of the extension.
      list += bare_or_quoted(extension.starts_with('.') ? "." + extension : extension);
    }
    return fmt::format("ext{} in ({})", case_sensitive_ ? " case" : "", list);
  }

 private:
  struct Suffix {
    std::unique_ptr<const Pattern> pattern;
    std::size_t length;
  };
  std::vector<std::string> extensions_;
  std::vector<Suffix> suffixes_;
  bool case_sensitive_;
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
TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive) {
  return std::make_shared<ExtensionTest>(std::move(extensions), case_sensitive);
}
TestPointer hidden_test() {
  return std::make_shared<HiddenTest>();
}
TestPointer kind_test(std::vector<Kind>) {
  throw UsageError("kinds are not there yet");
}

}  // namespace ffind
