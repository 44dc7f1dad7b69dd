// SPDX-License-Identifier: MIT
// The fields of a match: one row per field, with what it needs, how it is read, and what sort
// of value that is. Templates, NDJSON, long listings, sorting and counting all read this table;
// none of them knows how a value is read. Knows no format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ffind/accounts.h"
#include "ffind/entry.h"

namespace ffind::output {

enum class ValueSort : std::uint8_t {
  bytes,   ///< raw bytes of the file system: names and paths, perhaps no UTF-8
  text,    ///< words of ours, UTF-8
  number,  ///< a count or an id
  size,    ///< bytes that something takes
  mode,    ///< permissions with the type's bits, as st_mode
  time,
  list,  ///< several texts
};

/// The field's sort says which member counts. Views last until the next value is read.
struct FieldValue {
  bool known = false;
  std::string_view text{};
  std::uint64_t number = 0;
  Nanoseconds time = 0;  ///< clamped (is_clamped): not known, but has its place in an order
  std::span<const std::string> list{};
};

/// Names by number, nothing for a number that no account has. All files have few owners, and who is
/// asked for them takes a lock.
using AccountNames = std::unordered_map<std::uint32_t, std::optional<std::string>>;

/// What reading values takes: belongs to one thread.
struct FieldScratch {
  const Accounts* accounts;  ///< outlives it; null: owners have no names
  std::string text{};
  std::vector<std::string> list{};
  AccountNames users{};
  AccountNames groups{};
};

struct RecordField {
  std::string_view name;  ///< as in {name}, --fields and NDJSON
  ValueSort sort;
  Needs needs;
  FieldValue (*read)(Entry& entry, FieldScratch& scratch);
  bool in_full;           ///< part of --json=full: all but what others say already
  std::string_view help;  ///< half a line, for people
};

/// All fields, in the order in which NDJSON has them.
std::span<const RecordField> record_fields();

/// Null when there is none of that name.
const RecordField* find_record_field(std::string_view name);

/// Appends the path as it is printed; one that would begin with "-", and be an option to whoever
/// reads it, gets "./" before it.
inline void append_path(std::string& out, Entry& entry) {
  entry.require(needs::directory);
  if (entry.directory.empty() && entry.name.front() == '-') out += "./";
  out += entry.directory;
  out += entry.name;
}

struct SortKey {
  const RecordField* field;
  bool reversed = false;
};

/// Lists have none.
bool has_order(const RecordField& field);

}  // namespace ffind::output
