// SPDX-License-Identifier: MIT
// Tests of symbolic links: what they say, where they lead. One small class each: what it asks for,
// whether it holds, how it is spelt. Immutable.

#include <algorithm>
#include <utility>

#include "query/patterns/pattern.h"
#include "query/predicates/predicates.h"
#include "text/format.h"

namespace ffind {
namespace {

class LinkTest : public Test {
 public:
  int cost() const override { return 2; }
  Bound bound() const override {
    Bound bound;
    bound.types = bit_of(FileType::symlink);
    return bound;
  }

 protected:
  static bool is_link(Entry& entry) {
    return entry.require(needs::type) && entry.type == FileType::symlink;
  }
};

class TargetTest final : public LinkTest {
 public:
  explicit TargetTest(const PatternSpec& spec) : spec_(spec), pattern_(compile_pattern(spec)) {}

  bool holds(Entry& entry) const override {
    return is_link(entry) && entry.require(needs::target) && pattern_->matches(entry.target);
  }
  Needs needs() const override { return needs::type | needs::target; }
  int cost() const override { return pattern_->cost(); }
  std::string text() const override { return pattern_text("target", spec_); }

 private:
  PatternSpec spec_;
  std::unique_ptr<const Pattern> pattern_;
};

class TargetTypeTest final : public LinkTest {
 public:
  explicit TargetTypeTest(std::vector<FileType> types) : types_(std::move(types)) {}

  bool holds(Entry& entry) const override {
    return is_link(entry) && entry.require(needs::target_type) &&
           std::find(types_.begin(), types_.end(), entry.target_type) != types_.end();
  }
  Needs needs() const override { return needs::type | needs::target_type; }
  std::string text() const override {
    if (types_.size() == 1) return text::format("target_type = {}", to_text(types_.front()));
    std::string list;
    for (const FileType type : types_) {
      if (!list.empty()) list += ", ";
      list += to_text(type);
    }
    return text::format("target_type in ({})", list);
  }

 private:
  std::vector<FileType> types_;
};

class BrokenTest final : public LinkTest {
 public:
  bool holds(Entry& entry) const override {
    return is_link(entry) && entry.require(needs::target_type) &&
           entry.target_type == FileType::unknown;
  }
  Needs needs() const override { return needs::type | needs::target_type; }
  std::string text() const override { return "broken"; }
};

}  // namespace

TestPointer target_test(const PatternSpec& spec) {
  return std::make_shared<TargetTest>(spec);
}
TestPointer target_type_test(std::vector<FileType> types) {
  return std::make_shared<TargetTypeTest>(std::move(types));
}
TestPointer broken_test() {
  return std::make_shared<BrokenTest>();
}

}  // namespace ffind
