// SPDX-License-Identifier: MIT
// What the tests of a pattern on one of an entry's texts have in common: the field that it is of,
// what that takes to know, the pattern. Derived from by links, reach and finder.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "query/patterns/pattern.h"

namespace ffind::query {

class TextTest : public Test {
 public:
  TextTest(std::string_view field, Needs needs, const PatternSpec& spec)
      : field_(field), needs_(needs), spec_(spec), pattern_(compile_pattern(spec)) {}

  Needs needs() const final { return needs_; }
  int cost() const final { return pattern_->cost(); }
  std::string text() const final { return pattern_text(field_, spec_); }

 protected:
  const Pattern& pattern() const { return *pattern_; }
  const PatternSpec& spec() const { return spec_; }

 private:
  std::string_view field_;
  Needs needs_;
  PatternSpec spec_;
  std::unique_ptr<const Pattern> pattern_;
};

}  // namespace ffind::query
