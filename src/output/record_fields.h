// SPDX-License-Identifier: MIT
// The fields of a match: one row per field, with the metadata it needs, how it is read, and the
// sort of its value. Templates, NDJSON, long listings, sorting and counting read this table; none
// of them knows how a value is read. Knows no format.
//
//     find_record_field("size")->read(entry, scratch)   {known, number = 1234}
//     needs of the fields of a format                   published to the search
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ffind/entry.h"
#include "text/times.h"

namespace ffind::output {

enum class ValueSort : std::uint8_t {
  bytes,   ///< raw bytes of the file system: names and paths, perhaps no UTF-8
  text,    ///< words of the program, UTF-8
  number,  ///< a count or an id
  size,    ///< bytes on disk or in a file
  mode,    ///< permissions and type bits, as in st_mode
  time,
  list,  ///< several texts
};

/// The field's sort tells which member counts. Views are valid until the next value is read.
struct FieldValue {
  bool known = false;
  std::string_view text{};
  std::uint64_t number = 0;
  Instant time{};  ///< not known if it has no date (text::has_date), but can be sorted by
  std::span<const std::string> list{};

  /// True also of a time without a date, which only find's formats write.
  bool is_comparable() const { return known || !text::has_date(time); }
};

/// Names by number; nullopt if there is no such account. Files have few owners altogether, and the
/// directory service takes a lock for each look-up.
using AccountNames = std::unordered_map<std::uint32_t, std::optional<std::string>>;

/// Buffers and caches for reading values. Belongs to one thread.
struct FieldScratch {
  const Accounts* accounts;  ///< outlives it; null if owners have no names
  std::string text{};
  std::vector<std::string> list{};
  AccountNames users{};
  AccountNames groups{};
};

struct RecordField {
  std::string_view name;  ///< as in {name}, --json=name and NDJSON
  ValueSort sort;
  Needs needs;
  FieldValue (*read)(Entry& entry, FieldScratch& scratch);
  bool in_full;           ///< part of --json=full, which leaves out what other fields contain
  std::string_view help;  ///< half a line, for people
};

/// A member of NDJSON or a column of CSV.
struct DataColumn {
  const RecordField* field;
  bool is_base64 = false;  ///< of CSV: the exact bytes; its heading ends with "_b64"

  bool operator==(const DataColumn&) const = default;
};

/// Returns all fields, in the order of NDJSON.
std::span<const RecordField> record_fields();

/// Returns null if there is no field of that name.
const RecordField* find_record_field(std::string_view name);

/// Returns true if the values are paths, which mean the same with "./" before them; a name or an
/// extension is no path.
inline bool is_path(const RecordField& field) {
  return field.sort == ValueSort::bytes && field.needs != needs::none;
}

/// Appends the path as everything that prints it or hands it on has it: with "./" before one that
/// would begin with "-", which other programs would take for an option.
inline void append_path(std::string& out, Entry& entry) {
  entry.require(needs::directory);
  if (entry.is_printed_with_dot()) out += "./";
  out += entry.directory;
  out += entry.name;
  out += entry.slashes;
}

/// Appends a known value as JSON, for NDJSON and for templates ({name:j}). Returns false for bytes
/// that are not UTF-8: U+FFFD replaces those.
bool append_json_value(std::string& out, ValueSort sort, const FieldValue& value);

/// Appends text for people; `escapes`: bytes that would steer a terminal are escaped.
void append_text(std::string& out, std::string_view text, bool escapes);

/// Returns a size in bytes, rounded for people if `human`.
std::string shown_size(std::uint64_t bytes, bool human);

/// Column of times: ages on a terminal, else local minutes. Belongs to one thread.
class TimeColumn {
 public:
  /// `now` is the time that ages are from; nullopt for minutes.
  explicit TimeColumn(std::optional<Instant> now) : now_(now) {}

  std::size_t width() const { return now_ ? 10 : 16; }
  /// Appends `time`, or `otherwise` if it is unknown, in this width.
  void append(std::string& out, std::optional<Instant> time, std::string_view otherwise);

 private:
  const std::optional<Instant> now_;
  text::LocalZone zone_;
  std::string age_;
};

enum class Alignment : std::uint8_t { none, left, right, centre };

/// Pads to columns of a terminal, not bytes. A longer text is kept whole: cut values would be wrong
/// values. Centred text gets the odd blank after it.
void append_aligned(std::string& out, std::string_view text, Alignment alignment,
                    std::size_t columns);

/// A key of --sort.
struct SortKey {
  const RecordField* field;  ///< null for the count of a row
  bool reversed = false;
  std::size_t key = 0;  ///< number of a key of --count, from 1; 0 for others
};

/// Returns false for lists, which cannot be sorted by.
bool has_order(const RecordField& field);

}  // namespace ffind::output
