// SPDX-License-Identifier: MIT
// Tests of symbolic links and of what can be reached from an entry: its target, names in a
// directory, the file system of its volume. Each takes at most one call per entry; tests of links
// are bounded by the type, so that other entries take none.
//
//     test          needs         call
//     target        target        readlink
//     target_type   target_type   stat that follows
//     has NAME      children      one stat of directory/NAME
//     fstype        origin        none

#include <algorithm>
#include <utility>

#include "query/expression.h"
#include "query/predicates/predicates.h"

namespace ffind::query {
namespace {

/// Not those that are followed: their type is that of the target.
constexpr FileTypes links = bit_of(FileType::symlink);

/// A link without a target has the type `unknown`, which the language spells "broken".
class TargetTypeTest final : public Test {
 public:
  explicit TargetTypeTest(std::vector<FileType> types) : types_(std::move(types)) {}

  bool holds(Entry& entry) const override {
    return is_of(entry, links) && entry.require(needs::target_type) &&
           std::find(types_.begin(), types_.end(), entry.target_type) != types_.end();
  }
  Needs needs() const override { return needs::type | needs::target_type; }
  int cost() const override { return 2; }
  Bound bound() const override { return {.types = links}; }
  std::string text() const override {
    return equality_text("target_type", types_, [](FileType type) {
      return type == FileType::unknown ? std::string_view("broken") : to_text(type);
    });
  }

 private:
  std::vector<FileType> types_;
};

/// Takes one stat, however large the directory is. The result is for one name, so it is never
/// `present`: another `has` looks up its own.
class HasTest final : public Test {
 public:
  explicit HasTest(std::string name) : name_(std::move(name)) {}

  bool holds(Entry& entry) const override {
    // The bit may be that of another name, which failed before.
    entry.failed &= ~needs::children;
    if (!is_of(entry, bit_of(FileType::directory))) return false;
    const std::optional<bool> held =
        entry.loader == nullptr ? std::nullopt : entry.loader->holds_name(entry, name_);
    if (!held) entry.failed |= needs::children;
    return held.value_or(false);
  }
  Needs needs() const override { return needs::type | needs::children; }
  int cost() const override { return 3; }
  Bound bound() const override { return {.types = bit_of(FileType::directory)}; }
  std::string text() const override { return "has " + bare_or_quoted(name_); }

 private:
  std::string name_;
};

}  // namespace

// Whether or not the link leads anywhere.
constexpr TextRow target_row{.field = "target",
                             .need = needs::target,
                             .holds =
                                 [](Entry& entry, const Pattern& pattern, const PatternSpec&) {
                                   return entry.require(needs::target) &&
                                          pattern.matches(entry.target);
                                 },
                             .value = "a path, or a part of one,",
                             .types = links};

// ext4, apfs, nfs4; empty if unknown.
constexpr TextRow fstype_row{.field = "fstype",
                             .need = needs::origin,
                             .holds =
                                 [](Entry& entry, const Pattern& pattern, const PatternSpec&) {
                                   return entry.require(needs::origin) &&
                                          pattern.matches(entry.file_system);
                                 },
                             .value = "the name of a file system"};

TestPointer target_type_test(std::vector<FileType> types) {
  return std::make_shared<TargetTypeTest>(std::move(types));
}
TestPointer has_test(std::string name) {
  return std::make_shared<HasTest>(std::move(name));
}

}  // namespace ffind::query
