// SPDX-License-Identifier: MIT
// Fuzzes records of an earlier search. Input: a line; it is also the path, the texts and, by its
// hash, the numbers of an entry, whose record is read back as the same.
#include <algorithm>
#include <functional>
#include <string>

#include "fuzz/fuzz.h"
#include "output/records.h"
#include "search/record.h"
#include "text/quoting.h"
#include "text/times.h"

namespace ffind::fuzz::record_fuzz {

namespace {

/// True for UTF-8: other texts are not exact, but for those of paths.
bool is_text(std::string_view bytes) {
  std::string json;
  return text::append_json_string(json, bytes);
}

void check_written(std::string bytes) {
  std::replace(bytes.begin(), bytes.end(), '\0', '0');
  std::string name = bytes;
  std::replace(name.begin(), name.end(), '/', '|');
  if (name.empty()) name = "n";
  const std::uint64_t number = std::hash<std::string_view>()(bytes);
  FinderMetadata finder;
  if (is_text(bytes)) {
    finder.tags = {{bytes, 0}};
    finder.comment = finder.type_code = finder.creator = bytes;
    finder.where_froms = {bytes, "x"};
  }
  Entry entry;
  entry.name = name;
  entry.directory = "d/";
  entry.depth = static_cast<std::uint32_t>(number % 1000);
  entry.target = name;
  entry.volume = name;
  entry.type = static_cast<FileType>(1 + number % 7);
  entry.finder = &finder;
  entry.acl = static_cast<AclKinds>(number & 15U);
  Metadata& metadata = entry.metadata;
  metadata = {};
  metadata.size = number;
  metadata.allocated = ~number;
  metadata.private_size = number / 3;
  metadata.inode = number / 5;
  metadata.device = number / 7;
  metadata.uid = static_cast<std::uint32_t>(number);
  metadata.gid = static_cast<std::uint32_t>(number >> 32U);
  metadata.links = static_cast<std::uint32_t>(number >> 16U);
  metadata.mode = static_cast<std::uint32_t>(number & 07777U);
  metadata.flags = static_cast<FileFlags>(number & ((1U << file_flags::word_count) - 1));
  metadata.modified = {static_cast<std::int64_t>(number % 300'000'000'000) - 60'000'000'000,
                       static_cast<std::int32_t>(number % 1'000'000'000)};
  metadata.created = metadata.accessed = metadata.changed = metadata.added = metadata.modified;
  finder.last_opened = metadata.modified;
  entry.present = ~needs::trashed;  // which a record does not give back
  output::OutputStyle style;
  style.format = output::Format::json;
  for (const output::RecordField& field : output::record_fields()) {
    if (field.name != "kind") style.columns.push_back({&field});
  }
  std::string line;
  output::make_record_format(style)->append(line, entry);
  line.pop_back();

  search::RecordReader reader;
  require(reader.read(line) == search::RecordReader::Line::record, "what is written is a record");
  const search::Record& record = reader.record();
  require(record.path == "d/" + name, "paths are exact");
  require(record.target == name && record.volume == name, "so are targets and mount points");
  require(record.depth == entry.depth && record.type == entry.type && record.acl == entry.acl,
          "words and numbers are read");
  const Metadata& read = record.metadata;
  require(read.size == metadata.size && read.allocated == metadata.allocated &&
              read.private_size == metadata.private_size && read.inode == metadata.inode &&
              read.device == metadata.device && read.uid == metadata.uid &&
              read.gid == metadata.gid && read.links == metadata.links &&
              (read.mode & 07777U) == metadata.mode && read.flags == metadata.flags,
          "numbers are the same");
  const bool dated = text::has_date(metadata.modified);
  require(dated == ((record.present & needs::modified) != 0), "a time with a date is read");
  require(!dated || (read.modified == metadata.modified && read.added == metadata.added &&
                     record.finder.last_opened == finder.last_opened),
          "to the nanosecond");
  const auto tags = [](const FinderMetadata& of) {
    return of.tags.empty() ? std::string() : of.tags.front().name;
  };
  require(tags(record.finder) == tags(finder) && record.finder.comment == finder.comment &&
              record.finder.where_froms == finder.where_froms &&
              record.finder.creator == finder.creator,
          "texts are the same");
}

}  // namespace

FUZZ_TARGET(record) {
  Input input(data, size);
  const std::string line(input.rest());
  search::RecordReader reader;
  if (reader.read(line) == search::RecordReader::Line::record) {
    const std::string& path = reader.record().path;
    require(!path.empty() && path.find('\0') == path.npos, "a path can be one");
  }
  check_written(line);
  return 0;
}

}  // namespace ffind::fuzz::record_fuzz
