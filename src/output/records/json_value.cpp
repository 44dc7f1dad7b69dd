// SPDX-License-Identifier: MIT
// See json_value.h.
#include "output/records/json_value.h"

#include "text/format.h"
#include "text/permissions.h"
#include "text/quoting.h"
#include "text/times.h"

namespace ffind::output {
namespace {

void append_list(std::string& out, std::span<const std::string> list) {
  out += '[';
  for (std::size_t index = 0; index < list.size(); ++index) {
    if (index != 0) out += ',';
    text::append_json_string(out, list[index]);
  }
  out += ']';
}

}  // namespace

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
      append_list(out, value.list);
      break;
  }
  return true;
}

}  // namespace ffind::output
