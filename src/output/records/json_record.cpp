// SPDX-License-Identifier: MIT
// See json_record.h. The schema is man/ffind.schema.json; man/ffind.1 says the same in words. On
// the way of every match.
#include "output/records/json_record.h"

#include "output/records/json_value.h"
#include "text/json.h"
#include "text/quoting.h"

namespace ffind::output {

JsonRecord::JsonRecord(const OutputStyle& style) : scratch_{style.accounts} {
  for (const RecordField* field : style.fields) {
    members_.push_back({field, '"' + std::string(field->name) + "\":"});
    needs_ |= field->needs;
  }
}

void JsonRecord::append(std::string& out, Entry& entry) {
  out += '{';
  for (const Member& member : members_) {
    const FieldValue value = member.field->read(entry, scratch_);
    if (!value.known) continue;  // left out, never 0 or null
    out += member.key;
    if (!append_json_value(out, member.field->sort, value)) {
      out += ",\"";
      out += member.field->name;
      out += "_b64\":\"";
      text::append_base64(out, value.text);
      out += '"';
    }
    out += ',';
  }
  if (out.back() == ',') out.pop_back();
  out += "}\n";
}

}  // namespace ffind::output
