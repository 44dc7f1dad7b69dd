// SPDX-License-Identifier: MIT
// Tests of symbolic links and of what can be reached from an entry: its target or that of an alias,
// access rights, names in a directory, the file system of its volume. Each takes at most one call
// per entry, except that an alias is read; tests of links are bounded by the type, so that other
// entries take none.
//
//     test                      needs                   call
//     target                    target                  readlink
//     target_type, broken       target_type             stat that follows
//     is_link                   type                    none, as a rule
//     loop                      target_type             none, but for a link a stat that follows
//     readable writable runnable                        access, one each
//     has NAME                  children                one stat of directory/NAME
//     fstype                    origin                  none

#include <algorithm>
#include <utility>

#include "query/expression.h"
#include "query/predicates/predicates.h"

namespace ffind::query {
namespace {

/// False also for links that are followed: their type is that of the target.
bool is_link(Entry& entry) {
  return entry.require(needs::type) && entry.type == FileType::symlink;
}

Bound bound_of_links() {
  Bound bound;
  bound.types = bit_of(FileType::symlink);
  return bound;
}

/// Matches the text of the link, whether or not it leads anywhere.
class TargetTest final : public TextTest {
 public:
  explicit TargetTest(const PatternSpec& spec)
      : TextTest("target", needs::type | needs::target, spec) {}

  bool holds(Entry& entry) const override {
    return is_link(entry) && entry.require(needs::target) && pattern().matches(entry.target);
  }
  Bound bound() const override { return bound_of_links(); }
};

/// Base of tests of a link's target.
class LinkTest : public Test {
 public:
  Needs needs() const final { return needs::type | needs::target_type; }
  int cost() const final { return 2; }
  Bound bound() const final { return bound_of_links(); }
};

/// A link without a target has the type `unknown`, which the language spells "broken".
class TargetTypeTest final : public LinkTest {
 public:
  explicit TargetTypeTest(std::vector<FileType> types) : types_(std::move(types)) {}

  bool holds(Entry& entry) const override {
    return is_link(entry) && entry.require(needs::target_type) &&
           std::find(types_.begin(), types_.end(), entry.target_type) != types_.end();
  }
  std::string text() const override {
    return equality_text("target_type", types_, [](FileType type) {
      return type == FileType::unknown ? std::string_view("broken") : to_text(type);
    });
  }

 private:
  std::vector<FileType> types_;
};

/// Not merged with target_type: as a flag it has a spelling of its own, which --explain shows.
class BrokenTest final : public LinkTest {
 public:
  bool holds(Entry& entry) const override {
    return is_link(entry) && entry.require(needs::target_type) &&
           entry.target_type == FileType::unknown;
  }
  std::string text() const override { return "broken"; }
};

/// No bound by the type: a followed link has that of its target.
class IsLinkTest final : public Test {
 public:
  bool holds(Entry& entry) const override { return entry.via_link || is_link(entry); }
  Needs needs() const override { return needs::type; }
  int cost() const override { return 1; }
  std::string text() const override { return "is_link"; }
};

/// The searcher sets Entry::loop of directories, and only while links are followed; of a link it is
/// set with its target's type.
class LoopTest final : public Test {
 public:
  bool holds(Entry& entry) const override {
    if (is_link(entry) && !entry.require(needs::target_type)) return false;
    return entry.loop;
  }
  Needs needs() const override { return needs::type | needs::target_type; }
  int cost() const override { return 2; }
  std::string text() const override { return "loop"; }
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
TestPointer is_link_test() {
  return std::make_shared<IsLinkTest>();
}
TestPointer loop_test() {
  return std::make_shared<LoopTest>();
}

namespace {

/// Rights of this process as access(2) reports them, which depend on more than the mode: on the
/// real user, on access control lists and on read-only volumes.
class AccessTest final : public Test {
 public:
  explicit AccessTest(Access access) : row_(rows[static_cast<std::size_t>(access)]) {}

  bool holds(Entry& entry) const override { return entry.require(row_.need) && entry.*row_.member; }
  Needs needs() const override { return row_.need; }
  int cost() const override { return 2; }
  std::string text() const override { return std::string(row_.name); }

 private:
  /// Name in the language, attribute, and the member that it fills.
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

/// Takes one stat, however large the directory is. The result is for one name, so it is never
/// `present`: another `has` looks up its own.
class HasTest final : public Test {
 public:
  explicit HasTest(std::string name) : name_(std::move(name)) {}

  bool holds(Entry& entry) const override {
    // The bit may be that of another name, which failed before.
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

/// By the system's name for it: ext4, apfs, nfs4. Empty if unknown.
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
