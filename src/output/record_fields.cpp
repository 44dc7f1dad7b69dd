// SPDX-License-Identifier: MIT
// The rows of the table. To add a field, add a row here and to the tables of the man page; tests
// compare the man page, the schema and the completions with this table.
//
// Each row has a function that first requires what it reads, and returns an unknown value if that
// cannot be loaded. A value is a view: of the entry if the text exists there, else of the
// FieldScratch, which the next value of the same lane overwrites.
#include "output/record_fields.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "query/kinds.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/permissions.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/times.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

FieldValue of_text(std::string_view text) {
  return {.known = true, .text = text};
}

FieldValue of_number(std::uint64_t number) {
  return {.known = true, .number = number};
}

template <auto member, Needs needs>
FieldValue read_number(Entry& entry, FieldScratch&) {
  return entry.require(needs) ? of_number(entry.metadata.*member) : FieldValue{};
}

template <auto member, Needs needs>
FieldValue read_time(Entry& entry, FieldScratch&) {
  if (!entry.require(needs)) return {};
  const Instant time = entry.metadata.*member;
  return {.known = text::has_date(time), .time = time};
}

template <auto member, Needs needs>
FieldValue read_text(Entry& entry, FieldScratch&) {
  return entry.require(needs) ? of_text(entry.*member) : FieldValue{};
}

/// A path is put together in the scratch buffer; the value is a view of it. The formats call
/// append_path() on their own buffer if they can, without this copy.
FieldValue read_path(Entry& entry, FieldScratch& scratch) {
  scratch.text.clear();
  append_path(scratch.text, entry);
  return of_text(scratch.text);
}

/// Returns the directory without its last slash, which every program would have to take off again;
/// "." if the path is only a name. "src/text/" becomes "src/text", and "/" stays.
FieldValue read_directory(Entry& entry, FieldScratch& scratch) {
  entry.require(needs::directory);
  scratch.text.assign(text::without_end_slashes(entry.directory));
  return of_text(scratch.text.empty() ? std::string_view(".") : scratch.text);
}

/// Calls `look_up` once for each number. A failed look-up is repeated the next time. Returns an
/// unknown value for a number without an account. The cache is emptied when it has 4,096 names, so
/// that a volume with arbitrary numbers cannot fill the memory.
FieldValue read_account(Entry& entry, AccountNames& names, std::uint32_t Metadata::*number,
                        const Accounts* accounts,
                        std::optional<std::string> (Accounts::*look_up)(std::uint32_t) const) {
  const bool is_user = number == &Metadata::uid;
  if (entry.recorded != nullptr) {
    const std::string_view name = is_user ? entry.recorded->user : entry.recorded->group;
    if (!name.empty()) return of_text(name);
    entry.require(is_user ? needs::uid : needs::gid);
    return {};
  }
  if (!entry.require(is_user ? needs::uid : needs::gid) || accounts == nullptr) return {};
  const std::uint32_t id = entry.metadata.*number;
  auto known = names.find(id);
  if (known == names.end()) {
    std::optional<std::string> name = (accounts->*look_up)(id);
    if (name && name->empty()) {
      if (entry.loader != nullptr) entry.loader->report_unknown(entry, Unknown::accounts);
      return {};
    }
    constexpr std::size_t most = 4096;
    if (names.size() >= most) names.clear();
    known = names.emplace(id, std::move(name)).first;
  }
  return known->second ? of_text(*known->second) : FieldValue{};
}

/// Unknown for files without a known kind; a directory is `folder` unless it is a package.
FieldValue read_kind(Entry& entry, FieldScratch&) {
  const std::string_view kind = query::kind_of_entry(entry);
  return {.known = !kind.empty(), .text = kind};
}

/// A file without tags has an empty list, which is known: NDJSON prints [].
FieldValue read_tags(Entry& entry, FieldScratch& scratch) {
  if (!entry.require(needs::finder)) return {};
  scratch.list.clear();
  for (const FinderTag& tag : entry.finder->tags) scratch.list.push_back(tag.name);
  return {.known = true, .list = scratch.list};
}

FieldValue read_where_from(Entry& entry, FieldScratch&) {
  if (!entry.require(needs::finder)) return {};
  return {.known = true, .list = entry.finder->where_froms};
}

FieldValue read_last_opened(Entry& entry, FieldScratch&) {
  if (!entry.require(needs::finder) || !entry.finder->last_opened) return {};
  const Instant time = *entry.finder->last_opened;
  return {.known = text::has_date(time), .time = time};
}

/// A text of the Finder's; unknown if it is empty.
template <auto member>
FieldValue read_finder_text(Entry& entry, FieldScratch&) {
  if (!entry.require(needs::finder) || (entry.finder->*member).empty()) return {};
  return of_text(entry.finder->*member);
}

FieldValue read_flags(Entry& entry, FieldScratch& scratch) {
  constexpr FileFlags basic = file_flags::schg | file_flags::sappnd;
  if (!entry.require(needs::flags)) return {};
  if (entry.metadata.flags == 0 && (entry.metadata.known_flags & basic) != basic) return {};
  scratch.list.clear();
  for (const file_flags::Word& word : std::span(file_flags::words).first(file_flags::word_count)) {
    if ((entry.metadata.flags & word.flags) != 0) scratch.list.emplace_back(word.word);
  }
  return {.known = true, .list = scratch.list};
}

FieldValue read_acl(Entry& entry, FieldScratch& scratch) {
  if (!entry.require(needs::acl)) return {};
  scratch.list.clear();
  for (const auto& [word, kind] : acl_kinds::words) {
    if ((entry.acl & kind) != 0) scratch.list.emplace_back(word);
  }
  return {.known = true, .list = scratch.list};
}

FieldValue read_deleted(Entry& entry, FieldScratch&) {
  if (!entry.require(needs::trashed) || !entry.trashed->deleted) return {};
  return {.known = true, .time = *entry.trashed->deleted};
}

using E = Entry;
using S = FieldScratch;
using M = Metadata;
using enum ValueSort;

constexpr RecordField table[] = {
    // Columns: name, sort of the value, needs, reader, part of --json=full, help. The rows are in
    // the order of --json=full.
    //
    // Names and paths. Parts of a path are not in --json=full, which has `path` and `name`.
    {"path", bytes, needs::directory, read_path, true, "path as printed by default"},
    {"name", bytes, needs::none, [](E& e, S&) { return of_text(e.name); }, true,
     "last part of the path"},
    {"type", text, needs::type,
     [](E& e, S&) {
       e.require(needs::type);
       return of_text(to_text(e.type));
     },
     true, "file, directory, symlink, fifo, socket, block, char or unknown"},
    {"depth", number, needs::none, [](E& e, S&) { return of_number(e.depth); }, true,
     "1 for the contents of a root"},
    {"stem", bytes, needs::none, [](E& e, S&) { return of_text(text::stem_of(e.name)); }, false,
     "name without its extension"},
    {"ext", bytes, needs::none, [](E& e, S&) { return of_text(text::extension_of(e.name)); }, false,
     "extension, without its dot"},
    {"dir", bytes, needs::directory, read_directory, false, "path of its directory"},
    {"path_length", number, needs::directory,
     [](E& e, S& s) { return of_number(read_path(e, s).text.size()); }, false,
     "length of the path in bytes"},
    {"relative", bytes, needs::relative_path, read_text<&E::relative_path, needs::relative_path>,
     false, "path below the root"},
    {"absolute", bytes, needs::absolute_path, read_text<&E::absolute_path, needs::absolute_path>,
     false, "path from /"},
    {"root", bytes, needs::origin, read_text<&E::root, needs::origin>, false,
     "root it was found below, as typed"},
    {"volume", bytes, needs::origin,
     [](E& e, S&) {
       e.require(needs::origin);
       return FieldValue{.known = !e.volume.empty(), .text = e.volume};
     },
     true, "mount point of its volume"},
    {"kind", text, query::kind_of_entry_needs, read_kind, true, "kind of file, as in --kind"},
    // Results of one stat. A time or number that the volume does not have is unknown.
    {"size", size, needs::length, read_number<&M::size, needs::length>, true, "size in bytes"},
    {"allocated", size, needs::allocated, read_number<&M::allocated, needs::allocated>, true,
     "space it takes on its volume"},
    {"private_size", size, needs::private_size, read_number<&M::private_size, needs::private_size>,
     false, "the part of it that no clone or snapshot shares (APFS)"},
    {"mode", mode, needs::mode, read_number<&M::mode, needs::mode>, true, "permissions, octal"},
    {"uid", number, needs::uid, read_number<&M::uid, needs::uid>, true, "number of its owner"},
    {"gid", number, needs::gid, read_number<&M::gid, needs::gid>, true, "number of its group"},
    {"owner", text, needs::uid,
     [](E& e, S& s) { return read_account(e, s.users, &M::uid, s.accounts, &Accounts::user_name); },
     true, "name of its owner"},
    {"group", text, needs::gid,
     [](E& e, S& s) {
       return read_account(e, s.groups, &M::gid, s.accounts, &Accounts::group_name);
     },
     true, "name of its group"},
    {"links", number, needs::links, read_number<&M::links, needs::links>, true,
     "number of hard links"},
    {"inode", number, needs::inode, read_number<&M::inode, needs::inode>, true, "inode number"},
    {"device", number, needs::device, read_number<&M::device, needs::device>, true,
     "device number"},
    {"modified", time, needs::modified, read_time<&M::modified, needs::modified>, true,
     "when its contents last changed"},
    {"changed", time, needs::changed, read_time<&M::changed, needs::changed>, true,
     "when permissions, owner or contents last changed"},
    {"accessed", time, needs::accessed, read_time<&M::accessed, needs::accessed>, true,
     "when it was last read"},
    {"created", time, needs::created, read_time<&M::created, needs::created>, true,
     "when it was created"},
    {"added", time, needs::added, read_time<&M::added, needs::added>, true,
     "when it was added to its directory (macOS)"},
    // Results of separate calls: readlink, extended attributes, AppleDouble files.
    {"target", bytes, needs::type | needs::target, read_text<&E::target, needs::target>, true,
     "target of a symbolic link"},
    {"tags", list, needs::finder, read_tags, true, "Finder tags"},
    {"comment", text, needs::finder, read_finder_text<&FinderMetadata::comment>, true,
     "Finder comment"},
    {"where_from", list, needs::finder, read_where_from, true, "addresses it was downloaded from"},
    {"last_opened", time, needs::finder, read_last_opened, true,
     "when a person last opened it (macOS)"},
    {"type_code", text, needs::finder | needs::type, read_finder_text<&FinderMetadata::type_code>,
     true, "type code of the Finder's record"},
    {"creator", text, needs::finder | needs::type, read_finder_text<&FinderMetadata::creator>, true,
     "creator code of the Finder's record"},
    {"flags", list, needs::flags, read_flags, true, "flags, as chflags and chattr set them"},
    {"acl", list, needs::acl, read_acl, true, "kinds of access control lists"},
    {"duplicate_group", number, needs::none,
     [](E& e, S&) { return e.duplicate_group != 0 ? of_number(e.duplicate_group) : FieldValue{}; },
     false, "number of its group in --duplicates, 1 for the largest"},
    // Fields of what is in a Trash.
    {"deleted", time, needs::trashed, read_deleted, true, "when it was moved to the Trash"},
    {"trash_path", bytes, needs::trashed,
     [](E& e, S&) { return e.require(needs::trashed) ? of_text(e.trashed->place) : FieldValue{}; },
     true, "where it is in the Trash"},
};

/// Translates names that other programs, and expressions, have for fields. {mtime} works in a
/// template, for example; the key in NDJSON is always our own name.
std::string_view own_name_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"mtime", "modified"}, {"date", "modified"}, {"time", "modified"}, {"ctime", "changed"},
      {"atime", "accessed"}, {"btime", "created"}, {"birth", "created"}, {"user", "owner"},
      {"filename", "name"},  {"basename", "name"}, {"extension", "ext"}, {"permissions", "mode"}};
  for (const auto& [theirs, own] : names) {
    if (theirs == name) return own;
  }
  return name;
}

}  // namespace

std::span<const RecordField> record_fields() {
  return table;
}

const RecordField* find_record_field(std::string_view name) {
  name = own_name_of(name);
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const RecordField& field) { return field.name == name; });
  return found != std::end(table) ? found : nullptr;
}

bool has_order(const RecordField& field) {
  return field.sort != ValueSort::list;
}

bool append_json_value(std::string& out, ValueSort sort, const FieldValue& value) {
  switch (sort) {
    case ValueSort::bytes:
      return text::append_json_string(out, value.text);
    case ValueSort::text:
      text::append_json_string(out, value.text);
      break;
    case ValueSort::number:
    case ValueSort::size:
      text::append_number(out, value.number);
      break;
    // A string, since JSON has no octal numbers: "0644".
    case ValueSort::mode:
      out += '"';
      text::append_permissions(out, value.number);
      out += '"';
      break;
    case ValueSort::time:
      out += '"';
      text::append_rfc3339(out, value.time);
      out += '"';
      break;
    case ValueSort::list:
      text::append_json_list(out, value.list);
      break;
  }
  return true;
}

void append_text(std::string& out, std::string_view text, bool escapes) {
  if (escapes && text::needs_escaping(text)) {
    text::append_escaped(out, text);
  } else {
    out += text;
  }
}

std::string shown_size(std::uint64_t bytes, bool human) {
  std::string text;
  if (human) {
    text::append_human_size(text, bytes, text::SizeUnits::decimal);
  } else {
    text::append_number(text, bytes);
  }
  return text;
}

void TimeColumn::append(std::string& out, std::optional<Instant> time, std::string_view otherwise) {
  if (time && !text::has_date(*time)) time = std::nullopt;
  if (time && !now_) return text::append_local_minute(out, *time, zone_);
  age_.clear();
  if (time) text::append_age(age_, *time, *now_, zone_);
  append_aligned(out, time ? age_ : otherwise, Alignment::right, width());
}

void append_aligned(std::string& out, std::string_view text, Alignment alignment,
                    std::size_t columns) {
  const std::size_t taken = text::columns_of(text);
  const std::size_t spare = columns > taken ? columns - taken : 0;
  std::size_t before = 0;
  if (alignment == Alignment::right) before = spare;
  if (alignment == Alignment::centre) before = spare / 2;
  if (before > 0) out.append(before, ' ');
  out += text;
  if (spare > before) out.append(spare - before, ' ');
}

}  // namespace ffind::output
