// SPDX-License-Identifier: MIT
// Decodes a record of an earlier search: a line of the NDJSON that output/records.h writes, with
// any choice of its fields; jq or a script may have written it anew. Knows no file system.
//
//     {"path":"a/b","type":"file","size":12}  ──▶  RecordReader::read  ──▶  Record  ──▶  Entry
//
// Unknown members are ignored; of members of one name the last counts, as it does to jq and Python.
// A value that its field cannot have is unknown, as one that is not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::search {

/// Members of `metadata` and the parts after it are valid if their bit of `present` is set.
struct Record {
  std::string path{};
  std::optional<std::uint32_t> depth{};
  FileType type = FileType::unknown;
  Needs present = needs::none;
  Metadata metadata{};
  std::string target{};
  FinderMetadata finder{};
  AclKinds acl = 0;
  std::string volume{};  ///< empty if unknown, as are the next two
  std::string owner{};
  std::string group{};

  RecordedAccounts accounts() const { return {owner, group}; }
};

/// Returns the name of the first member that `need`, one bit, is read from, for messages; empty if
/// there is none.
std::string_view recorded_name(Needs need);

/// Belongs to one thread.
class RecordReader {
 public:
  enum class Line : std::uint8_t {
    record,
    other,  ///< blank; an error, notice, progress or statistics by --json-errors or --stats
    wrong,  ///< no object with a path
  };
  /// Reads `line` into record(). With a `path`, that is its path, whatever the line has.
  Line read(std::string_view line, std::string_view path = {});
  /// Appends an object of the last line's members that `wanted` needs, without the path.
  void append_kept(std::string& out, std::string_view line, Needs wanted);
  const Record& record() const { return record_; }

 private:
  void take(std::string_view key, std::string_view value);

  Record record_;
  std::size_t next_row_ = 0;   ///< of the table: members come in its order, mostly
  Needs exact_ = needs::none;  ///< texts whose bytes were read
  bool is_other_ = false;
  std::string text_;
  std::vector<std::string> list_;
};

}  // namespace ffind::search
