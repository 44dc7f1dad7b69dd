// SPDX-License-Identifier: MIT
// Tests, grouped by the file that has their classes. A class states what its test needs of an
// entry, what it costs, its bound, and its spelling in the expression language; the classes are
// immutable and known to their own file only. Tests of ranges and of texts are rows of one class
// each, and those of flags are rows of fields.cpp, which says how to add one.
#pragma once

#include <memory>
#include <optional>
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
  printed_path,  ///< the root as typed, and the path below it
};

using TestPointer = std::shared_ptr<const Test>;

/// True if the entry is of one of `types`. Tests check it first: the type is nearly always free,
/// and all other entries are spared a call.
inline bool is_of(Entry& entry, FileTypes types) {
  return types == all_types || (entry.require(needs::type) && (types & bit_of(entry.type)) != 0);
}
/// Attributes that is_of() loads.
constexpr Needs needs_of(FileTypes types) {
  return types == all_types ? needs::none : needs::type;
}

// names.cpp

/// Throws UsageError for a pattern that cannot be compiled.
TestPointer pattern_test(Subject subject, const PatternSpec& spec);

/// Row of a test that matches a pattern against texts of an entry.
struct TextRow {
  std::string_view field;
  Needs need;
  /// Loads `need`; true if one of the texts matches.
  bool (*holds)(Entry& entry, const Pattern& pattern, const PatternSpec& spec);
  std::string_view value;  ///< names the value in messages
  /// Advice for a star alone, which is compared literally. Without one, no star may be compared.
  std::string_view any{};
  FileTypes types = all_types;  ///< of which entries it may be true
};
TestPointer text_test(const TextRow& row, const PatternSpec& spec);

/// True if the name begins with a dot, or, with `by_flag`, if the system hides the entry.
TestPointer hidden_test(bool by_flag);

/// True if the name ends with a dot and one of `extensions`, and there is something before that
/// dot. The extensions have no leading dots.
TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive);

/// True for regular files and directories of one of `kinds`.
TestPointer kind_test(Kinds kinds);

// metadata.cpp

TestPointer type_test(std::vector<FileType> types);

/// Row of a test of a number, size, time or depth.
template <typename T>
struct RangeRow {
  std::string_view field;
  Needs need;
  T Metadata::*member = nullptr;  ///< loaded with `need`; null if `value` returns the value
  std::optional<T> (*value)(Entry& entry) = nullptr;
  FileTypes types = all_types;  ///< of which entries it may be true
  /// A range with these values is true of practically every entry. Empty if there is none.
  text::Range<T> all{T{1}, T{0}};
  bool selects = true;  ///< see Test::selects
  void (*add_bound)(Bound& bound, const text::Range<T>& range) = nullptr;
};
using NumberRow = RangeRow<std::uint64_t>;
using TimeRow = RangeRow<Instant>;

/// The sizes of directories and links depend on the file system, so the first two are of regular
/// files only; stat_size is that of any entry.
extern const NumberRow size_row;
extern const NumberRow allocated_row;
extern const NumberRow private_size_row;
extern const NumberRow stat_size_row;
extern const NumberRow uid_row;
extern const NumberRow gid_row;
extern const NumberRow links_row;
extern const NumberRow inode_row;
extern const NumberRow path_length_row;  ///< bytes of the path as printed, with "./" before a dash
extern const TimeRow modified_row;
extern const TimeRow created_row;
extern const TimeRow accessed_row;
extern const TimeRow changed_row;
extern const TimeRow added_row;
extern const TimeRow used_row;         ///< time from the last change to the last access
extern const TimeRow last_opened_row;  ///< on a Mac
extern const TimeRow deleted_row;      ///< when it was moved to the Trash
extern const RangeRow<std::uint32_t> depth_row;

template <typename T>
TestPointer range_test(const RangeRow<T>& row, const text::Range<T>& range);

// ownership.cpp

/// The differences between tests of users and of groups.
struct AccountKind {
  std::string_view name;  ///< "user", for messages
  std::string_view field;
  std::string_view orphaned;  ///< the flag
  Needs need;
  std::string_view RecordedAccounts::*recorded;
  std::uint32_t Metadata::*id;
  std::optional<std::uint32_t> (Accounts::*id_of)(const std::string&) const;
  std::optional<std::string> (Accounts::*name_of)(std::uint32_t) const;
};
extern const AccountKind users;
extern const AccountKind groups;

struct Account {
  std::optional<std::uint32_t> id{};  ///< nullopt: only records may have its name
  std::string typed;                  ///< its name or number, as typed
};
/// True if the entry belongs to one of `accounts`.
TestPointer account_test(const AccountKind& kind, std::vector<Account> accounts);
/// True if the uid or gid belongs to no account.
TestPointer orphan_test(const AccountKind& kind, const Accounts& accounts);
TestPointer permissions_test(const text::Permissions& permissions);
/// True if one of `flags` is set, or none at all if `flags` is 0; `words` are their names in the
/// expression.
TestPointer flags_test(FileFlags flags, std::vector<std::string_view> words);
/// True for hard links to the file with these numbers, which were found at `path`.
TestPointer same_file_test(std::uint64_t device, std::uint64_t inode, std::string path);

// links.cpp

extern const TextRow target_row;  ///< text of a symbolic link
extern const TextRow fstype_row;  ///< the system's name for the volume's file system

/// True for symbolic links whose target is of one of `types`.
TestPointer target_type_test(std::vector<FileType> types);
/// True for directories that contain an entry of exactly this name.
TestPointer has_test(std::string name);

// finder.cpp

extern const TextRow tag_row;  ///< the name of a colour also matches tags of that colour
extern const TextRow comment_row;
extern const TextRow where_from_row;
/// Codes of four characters in the Finder's record, with or without their last spaces.
extern const TextRow type_code_row;
extern const TextRow creator_row;
/// True if there is an extended attribute `name` and, with `spec`, its value matches.
TestPointer attribute_test(std::string name, const std::optional<PatternSpec>& spec = {});

// query/contents.cpp

/// True for regular files of which a line matches (contains or regex). Files with a NUL in their
/// first bytes are skipped unless `binary` is set.
TestPointer content_test(const PatternSpec& spec, bool binary);

}  // namespace ffind::query
