// SPDX-License-Identifier: MIT
// Tests of what can be reached: what the process may do with an entry, what a directory holds,
// which kind of volume it lies on. One small class each. Immutable.

#include <utility>

#include "query/language/spelling.h"
#include "query/predicates/predicates.h"
#include "query/predicates/text_test.h"

namespace ffind::query {
namespace {

class AccessTest final : public Test {
 public:
  explicit AccessTest(Access access) : row_(rows[static_cast<std::size_t>(access)]) {}

  bool holds(Entry& entry) const override { return entry.require(row_.need) && entry.*row_.member; }
  Needs needs() const override { return row_.need; }
  int cost() const override { return 2; }
  std::string text() const override { return std::string(row_.name); }

 private:
  struct Row {
    std::string_view name;
    Needs need;
    bool Entry::*member;
  };
  static constexpr Row rows[] = {
      {"readable", needs::readable, &Entry::readable},
      {"writable", needs::writable, &Entry::writable},
      {"runnable", needs::runnable, &Entry::runnable},
  };

  const Row& row_;
};

class HasTest final : public Test {
 public:
  explicit HasTest(std::string name) : name_(std::move(name)) {}

  bool holds(Entry& entry) const override {
    entry.failed &= ~needs::children;
    if (!entry.require(needs::type) || entry.type != FileType::directory) return false;
    const std::optional<bool> held =
        entry.loader == nullptr ? std::nullopt : entry.loader->holds_name(entry, name_);
    if (!held) entry.failed |= needs::children;
    return held.value_or(false);
  }
  Needs needs() const override { return needs::type | needs::children; }
  int cost() const override { return 3; }
  Bound bound() const override {
    Bound bound;
    bound.types = bit_of(FileType::directory);
    return bound;
  }
  std::string text() const override { return "has " + bare_or_quoted(name_); }

 private:
  std::string name_;
};

class FileSystemTest final : public TextTest {
 public:
  explicit FileSystemTest(const PatternSpec& spec) : TextTest("fstype", needs::origin, spec) {}

  bool holds(Entry& entry) const override {
    return entry.require(needs::origin) && pattern().matches(entry.file_system);
  }
};

}  // namespace

TestPointer access_test(Access access) {
  return std::make_shared<AccessTest>(access);
}
TestPointer has_test(std::string name) {
  return std::make_shared<HasTest>(std::move(name));
}
TestPointer fstype_test(const PatternSpec& spec) {
  return std::make_shared<FileSystemTest>(spec);
}

}  // namespace ffind::query
