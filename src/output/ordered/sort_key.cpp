// SPDX-License-Identifier: MIT
// Values as bytes that compare as they do. See sort_key.h.
#include "output/ordered/sort_key.h"

#include <cstdint>

#include "text/times.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

// Before each value; whether it is reversed or not, what is unknown comes last.
constexpr char known = 1;
constexpr char unknown = 2;

void append_number(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xFFU);
}

/// Ended by a 0, which no name has. What else there is, a comment perhaps, counts up to its first.
void append_bytes(std::string& out, std::string_view text) {
  out.append(text.substr(0, text.find('\0'))) += '\0';
}

bool is_name(const RecordField& field) {
  return field.name == "name";
}

/// Whether people read it as a name or a part of one, and expect the order of such.
bool is_natural(const RecordField& field) {
  return is_name(field) || field.name == "stem" || field.name == "ext";
}

}  // namespace

bool has_order(const RecordField& field) {
  return field.sort != ValueSort::list;
}

KeyMaker::KeyMaker(const std::vector<SortKey>& keys, const Accounts* accounts)
    : scratch_{accounts} {
  for (const SortKey& key : keys) {
    if (key.field->name == "path") {
      path_reversed_ = key.reversed;
      break;
    }
    keys_.push_back(key);
    needs_ |= key.field->needs;
  }
}

void KeyMaker::append_head(std::string& out, Entry& entry) {
  for (const SortKey& key : keys_) append(out, key, entry);
}

void KeyMaker::append(std::string& out, const SortKey& key, Entry& entry) {
  const FieldValue value = key.field->read(entry, scratch_);
  const std::size_t start = out.size();
  out += known;
  const bool comparable = value.known || text::is_clamped(value.time);
  if (!comparable || !append_value(out, *key.field, value)) {
    out.resize(start);
    out += unknown;
    return;
  }
  if (!key.reversed) return;
  for (std::size_t at = start + 1; at < out.size(); ++at) {
    out[at] = static_cast<char>(~static_cast<unsigned char>(out[at]));
  }
}

/// False for what counts as unknown after all.
bool KeyMaker::append_value(std::string& out, const RecordField& field, const FieldValue& value) {
  switch (field.sort) {
    case ValueSort::bytes:
    case ValueSort::text:
      if (value.text.empty()) return false;
      if (is_natural(field)) append_folded(out, value.text);
      if (is_name(field) || !is_natural(field)) append_bytes(out, value.text);
      return true;
    case ValueSort::number:
    case ValueSort::size:
      append_number(out, value.number);
      return true;
    case ValueSort::mode:
      append_number(out, value.number & 07777U);
      return true;
    case ValueSort::time:
      append_number(out, static_cast<std::uint64_t>(value.time) ^ std::uint64_t{1} << 63U);
      return true;
    case ValueSort::list:
      break;
  }
  return false;
}

void KeyMaker::append_folded(std::string& out, std::string_view text) {
  text::append_natural_name(out, text, folded_);
  out += '\0';
}

}  // namespace ffind::output
