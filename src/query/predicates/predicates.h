// SPDX-License-Identifier: MIT
// The tests: one factory for each thing that can be asked of an entry. To add a filter, add a row
// here, its class in the file named above the row, a field in language/ and an option in cli.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/query.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "query/patterns/pattern.h"
#include "text/permissions.h"
#include "text/ranges.h"

namespace ffind::query {

/// What a pattern is matched against.
enum class Subject : std::uint8_t {
  name,
  path,  ///< below the root
  absolute_path,
};

using TestPointer = std::shared_ptr<const Test>;

// names.cpp

/// Throws UsageError for a pattern that cannot be compiled.
TestPointer pattern_test(Subject subject, const PatternSpec& spec);
/// The entry's own name begins with a dot.
TestPointer hidden_test();

/// The name ends with a dot and one of `extensions` (no dots before them, any case unless
/// `case_sensitive`), and something precedes that dot.
TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive);

/// A regular file or a directory of one of `kinds`.
TestPointer kind_test(const std::vector<Kind>& kinds);

// metadata.cpp

enum class TimeField : std::uint8_t { modified, created, accessed, changed, added };

TestPointer type_test(std::vector<FileType> types);
/// Regular files only: what a directory or a link weighs is its file system's business.
TestPointer size_test(const text::SizeRange& range);
/// Regular files only, too.
TestPointer allocated_test(const text::SizeRange& range);
/// Whatever the type: st_size of stat(2).
TestPointer stat_size_test(const text::SizeRange& range);
TestPointer time_test(TimeField field, const text::TimeRange& range);
TestPointer depth_test(const text::DepthRange& range);
/// A regular file of no bytes or a directory of no entries.
TestPointer empty_test();

// ownership.cpp

struct Account {
  std::uint32_t id = 0;
  std::string typed;  ///< the name or number for it
};
TestPointer owner_test(std::vector<Account> accounts);
TestPointer group_test(std::vector<Account> accounts);
TestPointer uid_test(const text::SizeRange& range);
TestPointer gid_test(const text::SizeRange& range);
/// Belongs to a number that no account has.
TestPointer orphaned_owner_test(const Accounts& accounts);
TestPointer orphaned_group_test(const Accounts& accounts);
TestPointer permissions_test(const text::Permissions& permissions);
/// A regular file that somebody may execute.
TestPointer executable_test();
/// The system, or the Finder, lets nobody change it.
TestPointer locked_test();
TestPointer links_test(const text::SizeRange& range);
TestPointer inode_test(const text::SizeRange& range);
/// The file that `path`, where those numbers were found, leads to.
TestPointer same_file_test(std::uint64_t device, std::uint64_t inode, std::string path);

// links.cpp

/// A symbolic link whose text the pattern matches.
TestPointer target_test(const PatternSpec& spec);
/// A symbolic link that leads to something of one of `types`.
TestPointer target_type_test(std::vector<FileType> types);
/// A symbolic link that leads nowhere.
TestPointer broken_test();
/// A symbolic link, even one that counts as the file it leads to.
TestPointer is_link_test();
/// A directory that is one of its own ancestors (Entry::loop).
TestPointer loop_test();

enum class Access : std::uint8_t { readable, writable, runnable };
/// Whoever searches may do that with it.
TestPointer access_test(Access access);
/// A directory that holds an entry of just these bytes.
TestPointer has_test(std::string name);
/// Lies on a volume whose file system the pattern matches.
TestPointer fstype_test(const PatternSpec& spec);

// finder.cpp

/// Has a tag that the pattern matches; a colour's name matches the colour too.
TestPointer tag_test(const PatternSpec& spec);
TestPointer untagged_test();
TestPointer comment_test(const PatternSpec& spec);
TestPointer where_from_test(const PatternSpec& spec);
/// One of the Finder's own flags. (Its "locked" belongs to locked_test, its "bundle" to packages.)
enum class FinderFlag : std::uint8_t {
  alias,
  stationery,
  invisible,
  custom_icon,
  hidden_extension
};
TestPointer finder_flag_test(FinderFlag flag);
/// Has the extended attribute `name`.
TestPointer attribute_test(std::string name);
/// Has it, and the pattern matches its value.
TestPointer attribute_test(std::string name, const PatternSpec& spec);

// contents.cpp

/// A regular file whose bytes the pattern (contains or regex) is found in. Files that have a NUL
/// among their first bytes are passed over, unless `binary`.
TestPointer content_test(const PatternSpec& spec, bool binary);

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
