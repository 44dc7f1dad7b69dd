// SPDX-License-Identifier: MIT
// A row for each member. Values are checked where they are read, so that Record has none that an
// entry could not have.
#include "search/record.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

#include "text/ascii.h"
#include "text/json.h"
#include "text/times.h"

namespace ffind::search {
namespace {

/// Buffers of a reader for a text and a list.
struct Scratch {
  std::string& text;
  std::vector<std::string>& list;
};

template <auto member>
bool read_number(Record& record, std::string_view value, Scratch) {
  const std::optional<std::uint64_t> number = text::json_number(value);
  auto& to = record.metadata.*member;
  using Number = std::remove_reference_t<decltype(to)>;
  if (!number || *number > std::numeric_limits<Number>::max()) return false;
  to = static_cast<Number>(*number);
  return true;
}

bool read_depth(Record& record, std::string_view value, Scratch) {
  const std::optional<std::uint64_t> number = text::json_number(value);
  const bool fits = number && *number < std::numeric_limits<std::uint32_t>::max();
  record.depth = fits ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
  return fits;
}

template <auto member>
bool read_time(Record& record, std::string_view value, Scratch scratch) {
  if (!text::read_json_text(value, scratch.text)) return false;
  const std::optional<Instant> time = text::rfc3339_time(scratch.text);
  if (time) record.metadata.*member = *time;
  return time.has_value();
}

bool read_last_opened(Record& record, std::string_view value, Scratch scratch) {
  if (!text::read_json_text(value, scratch.text)) return false;
  record.finder.last_opened = text::rfc3339_time(scratch.text);
  return record.finder.last_opened.has_value();
}

/// Names and paths have no NUL, and are not empty.
template <auto member>
bool read_bytes(Record& record, std::string_view value, Scratch) {
  std::string& to = record.*member;
  const bool read = text::read_json_text(value, to) && to.find('\0') == to.npos;
  if (!read) to.clear();
  return !to.empty();
}

template <auto member>
bool read_exact(Record& record, std::string_view value, Scratch scratch) {
  if (!text::read_json_text(value, scratch.text)) return false;
  std::string bytes;
  if (!text::read_base64(scratch.text, bytes) || bytes.empty()) return false;
  if (bytes.find('\0') != bytes.npos) return false;
  record.*member = std::move(bytes);
  return true;
}

template <auto member>
bool read_finder_text(Record& record, std::string_view value, Scratch) {
  return text::read_json_text(value, record.finder.*member);
}

bool read_type(Record& record, std::string_view value, Scratch scratch) {
  text::read_json_text(value, scratch.text);
  record.type = FileType::character;
  while (record.type != FileType::unknown && to_text(record.type) != scratch.text) {
    record.type = static_cast<FileType>(static_cast<int>(record.type) - 1);
  }
  return record.type != FileType::unknown;
}

bool read_mode(Record& record, std::string_view value, Scratch scratch) {
  if (!text::read_json_text(value, scratch.text)) return false;
  const char* const end = scratch.text.data() + scratch.text.size();
  const auto read = std::from_chars(scratch.text.data(), end, record.metadata.mode, 8);
  return read.ec == std::errc() && read.ptr == end && record.metadata.mode <= 07777;
}

bool read_tags(Record& record, std::string_view value, Scratch scratch) {
  if (!text::read_json_list(value, scratch.list)) return false;
  record.finder.tags.clear();
  for (std::string& tag : scratch.list) record.finder.tags.push_back({std::move(tag), 0});
  return true;
}

bool read_where_from(Record& record, std::string_view value, Scratch) {
  return text::read_json_list(value, record.finder.where_froms);
}

/// A flag that is not named is not set.
bool read_flags(Record& record, std::string_view value, Scratch scratch) {
  if (!text::read_json_list(value, scratch.list)) return false;
  record.metadata.flags = 0;
  record.metadata.known_flags = ~FileFlags{0};
  for (const file_flags::Word& word : file_flags::words) {
    const bool is_set =
        std::find(scratch.list.begin(), scratch.list.end(), word.word) != scratch.list.end();
    if (is_set) record.metadata.flags |= word.flags;
  }
  return true;
}

bool read_acl(Record& record, std::string_view value, Scratch scratch) {
  if (!text::read_json_list(value, scratch.list)) return false;
  record.acl = 0;
  for (const std::string& word : scratch.list) {
    for (const auto& [name, kind] : acl_kinds::words) {
      if (name == word) record.acl |= kind;
    }
  }
  return true;
}

struct Row {
  std::string_view name;
  Needs need;  ///< set if the value was read; needs::none for what has none
  bool (*read)(Record& record, std::string_view value, Scratch scratch);
  bool is_exact = false;  ///< the bytes of the text in the row before
};

using M = Metadata;
using F = FinderMetadata;

/// In the order of --json=full.
constexpr Row table[] = {
    {"path", needs::directory, read_bytes<&Record::path>},
    {"path_b64", needs::directory, read_exact<&Record::path>, true},
    {"type", needs::type, read_type},
    {"depth", needs::none, read_depth},
    {"volume", needs::origin, read_bytes<&Record::volume>},
    {"volume_b64", needs::origin, read_exact<&Record::volume>, true},
    {"size", needs::length, read_number<&M::size>},
    {"allocated", needs::allocated, read_number<&M::allocated>},
    {"private_size", needs::private_size, read_number<&M::private_size>},
    {"mode", needs::mode, read_mode},
    {"uid", needs::uid, read_number<&M::uid>},
    {"gid", needs::gid, read_number<&M::gid>},
    {"owner", needs::none, read_bytes<&Record::owner>},
    {"group", needs::none, read_bytes<&Record::group>},
    {"links", needs::links, read_number<&M::links>},
    {"inode", needs::inode, read_number<&M::inode>},
    {"device", needs::device, read_number<&M::device>},
    {"modified", needs::modified, read_time<&M::modified>},
    {"changed", needs::changed, read_time<&M::changed>},
    {"accessed", needs::accessed, read_time<&M::accessed>},
    {"created", needs::created, read_time<&M::created>},
    {"added", needs::added, read_time<&M::added>},
    {"target", needs::target, read_bytes<&Record::target>},
    {"target_b64", needs::target, read_exact<&Record::target>, true},
    {"tags", needs::finder, read_tags},
    {"comment", needs::finder, read_finder_text<&F::comment>},
    {"where_from", needs::finder, read_where_from},
    {"last_opened", needs::finder, read_last_opened},
    {"type_code", needs::finder, read_finder_text<&F::type_code>},
    {"creator", needs::finder, read_finder_text<&F::creator>},
    {"flags", needs::flags, read_flags},
    {"acl", needs::acl, read_acl},
};

/// S_IFMT's bits, which Linux and macOS have in common, in the order of FileType.
constexpr std::uint32_t type_bits[] = {0,       0100000, 0040000, 0120000,
                                       0010000, 0140000, 0060000, 0020000};

}  // namespace

std::string_view recorded_name(Needs need) {
  if (need == needs::empty) return "empty";  // of a directory
  const auto* const row = std::find_if(std::begin(table), std::end(table),
                                       [&](const Row& one) { return one.need == need; });
  return row == std::end(table) ? std::string_view() : row->name;
}

RecordReader::Line RecordReader::read(std::string_view line, std::string_view path) {
  record_.path = path;
  record_.depth.reset();
  record_.type = FileType::unknown;
  record_.present = exact_ = needs::none;
  record_.metadata = {};
  record_.finder = {};
  record_.volume.clear();
  record_.owner.clear();
  record_.group.clear();
  is_other_ = line.find_first_not_of(" \t\r") == line.npos;
  if (is_other_) return Line::other;
  next_row_ = 0;
  const auto take_member = [this](std::string_view key, std::string_view value) {
    take(key, value);
  };
  if (!text::read_object(line, take_member)) return Line::wrong;
  if (is_other_) return Line::other;
  if (record_.path.empty()) return Line::wrong;
  record_.metadata.mode |= type_bits[static_cast<std::size_t>(record_.type)];
  return Line::record;
}

void RecordReader::append_kept(std::string& out, std::string_view line, Needs wanted) {
  wanted |= needs::type;
  out += '{';
  const auto keep = [&](std::string_view key, std::string_view value) {
    const bool is_wanted = std::any_of(std::begin(table), std::end(table), [&](const Row& row) {
      const bool is_account = row.name == "owner" || row.name == "group";
      const Needs need = is_account ? needs::owner : row.need;
      return row.name == key && (need == needs::none || (need & wanted & ~needs::directory) != 0);
    });
    if (!is_wanted) return;
    out += out.back() == '{' ? "\"" : ",\"";
    out.append(key).append("\":").append(value);
  };
  text::read_object(line, keep);
  out += '}';
}

void RecordReader::take(std::string_view key, std::string_view value) {
  for (std::size_t tried = 0; tried < std::size(table); ++tried) {
    const Row& row = table[next_row_];
    next_row_ = (next_row_ + 1) % std::size(table);
    if (row.name != key) continue;
    if (!row.is_exact && (exact_ & row.need) != 0) return;
    const bool is_read = row.read(record_, value, {text_, list_});
    if (row.is_exact && is_read) exact_ |= row.need;
    if (is_read) {
      record_.present |= row.need;
    } else if (!row.is_exact && row.need != needs::finder) {
      record_.present &= ~row.need;
    }
    if (row.need == needs::type && !is_read) {
      constexpr std::string_view others[] = {"error", "notice", "progress", "stats"};
      is_other_ = std::find(std::begin(others), std::end(others), text_) != std::end(others);
    }
    return;
  }
}

}  // namespace ffind::search
