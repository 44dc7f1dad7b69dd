// SPDX-License-Identifier: MIT
// See long_record.h. On the way of every match.
#include "output/records/long_record.h"

#include <fmt/format.h>

#include "text/format.h"
#include "text/permissions.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

constexpr std::string_view unknown = "?";
/// Of 999k and 1.2M; of up to 9 GB in bytes.
constexpr std::size_t human_size_columns = 5;
constexpr std::size_t exact_size_columns = 10;
constexpr Needs columns_needs =
    needs::type | needs::mode | needs::links | needs::owner | needs::size | needs::modified;

std::string_view in_digits(const fmt::format_int& number) {
  return {number.data(), number.size()};
}

}  // namespace

LongRecord::LongRecord(const OutputStyle& style)
    : owner_(*find_record_field("owner")),
      group_(*find_record_field("group")),
      for_people_(style.for_people()),
      size_columns_(for_people_ ? human_size_columns : exact_size_columns),
      end_(style.end),
      path_(style),
      scratch_{style.accounts} {}

Needs LongRecord::needs() const {
  return columns_needs | needs::target | path_.needs();
}

std::string LongRecord::heading() const {
  return "mode       lnk owner    group     size modified         path\n";
}

void LongRecord::append(std::string& out, Entry& entry) {
  entry.require(columns_needs);
  append_mode(out, entry);
  out += ' ';
  append_links(out, entry);
  out += ' ';
  append_account(out, entry, owner_, &Metadata::uid);
  out += ' ';
  append_account(out, entry, group_, &Metadata::gid);
  out += ' ';
  append_size(out, entry);
  out += ' ';
  append_modified(out, entry);
  out += ' ';
  path_.append(out, entry);
  if (entry.type == FileType::symlink && entry.require(needs::target)) {
    out += " -> ";
    path_.append_target(out, entry);
  }
  out += end_;
}

void LongRecord::append_column(std::string& out, std::string_view text, std::size_t columns,
                               Side side) const {
  const std::size_t taken = text::columns_of(text);
  const std::size_t spare = columns > taken ? columns - taken : 0;
  if (side == Side::right) out.append(spare, ' ');
  out += text;
  if (side == Side::left) out.append(spare, ' ');
}

void LongRecord::append_mode(std::string& out, Entry& entry) const {
  if (entry.require(needs::mode)) {
    text::append_mode_letters(out, entry.metadata.mode);
  } else {
    out += text::type_letter(entry.type);  // the directory may know that much
    out.append(9, unknown.front());
  }
}

void LongRecord::append_links(std::string& out, Entry& entry) const {
  if (!entry.require(needs::links)) return append_column(out, unknown, 3, Side::right);
  append_column(out, in_digits(fmt::format_int(entry.metadata.links)), 3, Side::right);
}

/// The name, or the number that has none.
void LongRecord::append_account(std::string& out, Entry& entry, const RecordField& name,
                                std::uint32_t Metadata::*number) {
  if (!entry.require(needs::owner)) return append_column(out, unknown, 8, Side::left);
  const FieldValue value = name.read(entry, scratch_);
  if (!value.known) {
    return append_column(out, in_digits(fmt::format_int(entry.metadata.*number)), 8, Side::left);
  }
  cell_.clear();
  path_.append_text(cell_, value.text);
  append_column(out, cell_, 8, Side::left);
}

void LongRecord::append_size(std::string& out, Entry& entry) {
  cell_.clear();
  if (entry.type == FileType::block || entry.type == FileType::character) {
    cell_ = "-";
  } else if (!entry.require(needs::size)) {
    cell_ = unknown;
  } else if (for_people_) {
    text::append_human_size(cell_, entry.metadata.size, text::SizeUnits::decimal);
  } else {
    text::append_number(cell_, entry.metadata.size);
  }
  append_column(out, cell_, size_columns_, Side::right);
}

void LongRecord::append_modified(std::string& out, Entry& entry) {
  if (entry.require(needs::modified) && !text::is_clamped(entry.metadata.modified)) {
    text::append_local_minute(out, entry.metadata.modified, zone_);
  } else {
    append_column(out, unknown, 16, Side::right);
  }
}

}  // namespace ffind::output
