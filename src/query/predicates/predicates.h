// SPDX-License-Identifier: MIT
// Factories of tests, grouped by the file that has their classes; those of flags are rows of
// fields.cpp. A class states what its test
// needs of an entry, what it costs, its bound, and its spelling in the expression language; the
// classes are immutable and known to their own file only. fields.cpp says how to add one.
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

/// The text that a pattern is matched against.
enum class Subject : std::uint8_t {
  name,
  path,  ///< relative to the root
  absolute_path,
};

using TestPointer = std::shared_ptr<const Test>;

// names.cpp

/// Throws UsageError for a pattern that cannot be compiled.
TestPointer pattern_test(Subject subject, const PatternSpec& spec);
/// True if the name begins with a dot, or, with `by_flag`, if the system hides the entry.
TestPointer hidden_test(bool by_flag);

/// True if the name ends with a dot and one of `extensions`, and there is something before that
/// dot. The extensions have no leading dots.
TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive);

/// True for regular files and directories of one of `kinds`.
TestPointer kind_test(const std::vector<Kind>& kinds);

// metadata.cpp

enum class TimeField : std::uint8_t { modified, created, accessed, changed, added, last_opened };

TestPointer type_test(std::vector<FileType> types);
/// True for regular files only: the sizes of directories and links depend on the file system.
TestPointer size_test(const text::SizeRange& range);
/// Space allocated on the volume. True for regular files only.
TestPointer allocated_test(const text::SizeRange& range);
/// Length of the resource fork, and that and the size together. True for regular files only.
/// st_size of stat(2), for entries of any type.
TestPointer stat_size_test(const text::SizeRange& range);
TestPointer time_test(TimeField field, const text::TimeRange& range);
TestPointer depth_test(const text::DepthRange& range);

// ownership.cpp

struct Account {
  std::uint32_t id = 0;
  std::string typed;  ///< its name or number, as typed
};
TestPointer owner_test(std::vector<Account> accounts);
TestPointer group_test(std::vector<Account> accounts);
TestPointer uid_test(const text::SizeRange& range);
TestPointer gid_test(const text::SizeRange& range);
/// True if the uid or gid belongs to no account.
TestPointer orphaned_owner_test(const Accounts& accounts);
TestPointer orphaned_group_test(const Accounts& accounts);
TestPointer permissions_test(const text::Permissions& permissions);
/// True if one of `flags` is set; `words` are their names in the expression.
TestPointer flags_test(FileFlags flags, std::vector<std::string_view> words);
/// True if no flag is set.
TestPointer no_flags_test();
TestPointer links_test(const text::SizeRange& range);
TestPointer inode_test(const text::SizeRange& range);
/// True for hard links to the file with these numbers, which were found at `path`.
TestPointer same_file_test(std::uint64_t device, std::uint64_t inode, std::string path);

// links.cpp

/// True for symbolic links whose text matches.
TestPointer target_test(const PatternSpec& spec);
/// True for symbolic links whose target is of one of `types`.
TestPointer target_type_test(std::vector<FileType> types);
/// True for directories that contain an entry of exactly this name.
TestPointer has_test(std::string name);
/// True if the name of the volume's file system matches.
TestPointer fstype_test(const PatternSpec& spec);

// finder.cpp

/// True if a tag matches. The name of a colour also matches tags of that colour.
TestPointer tag_test(const PatternSpec& spec);
TestPointer comment_test(const PatternSpec& spec);
TestPointer where_from_test(const PatternSpec& spec);
/// Codes of four characters in the Finder's record, with or without their last spaces.
TestPointer type_code_test(const PatternSpec& spec);
TestPointer creator_test(const PatternSpec& spec);
/// True if the file was opened on a Mac in that time; see time_test.
TestPointer last_opened_test(const text::TimeRange& range);
/// True if there is an extended attribute `name`.
TestPointer attribute_test(std::string name);
/// True if there is one and its value matches.
TestPointer attribute_test(std::string name, const PatternSpec& spec);

// query/contents.cpp

/// True for regular files of which a line matches (contains or regex). Files with a NUL in their
/// first bytes are skipped unless `binary` is set.
TestPointer content_test(const PatternSpec& spec, bool binary);

/// Base of tests that match a pattern against a text of an entry.
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
