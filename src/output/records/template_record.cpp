// SPDX-License-Identifier: MIT
// See template_record.h. On the way of every match.
#include "output/records/template_record.h"

#include "output/fields/paths.h"
#include "output/hyperlink.h"
#include "output/records/json_value.h"
#include "text/format.h"
#include "text/json.h"
#include "text/permissions.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::output {

TemplateRecord::TemplateRecord(const OutputStyle& style)
    : template_(*style.record_template),
      path_field_(find_record_field("path")),
      escapes_(style.escapes()),
      end_(style.end),
      scratch_{style.accounts} {
  for (const Template::Part& part : template_.parts) {
    needs_ |= part.field.field->needs;
  }
}

void TemplateRecord::append(std::string& out, Entry& entry) {
  for (const Template::Part& part : template_.parts) {
    out += part.before;
    append_field(out, part.field, entry);
  }
  out += template_.end;
  out += end_;
}

void TemplateRecord::append_field(std::string& out, const TemplateField& field, Entry& entry) {
  const bool aligned = field.alignment != Alignment::none;
  if (field.field == path_field_ && field.conversion == Conversion::plain && !aligned &&
      !escapes_) {
    return append_path(out, entry);  // the most frequent, without a copy
  }
  const FieldValue value = field.field->read(entry, scratch_);
  if (!aligned) return append_value(out, field, value);
  cell_.clear();
  append_value(cell_, field, value);
  append_aligned(out, field, cell_);
}

void TemplateRecord::append_value(std::string& out, const TemplateField& field,
                                  const FieldValue& value) {
  const RecordField& of = *field.field;
  // What is unknown is empty; but a word for a shell stays one, and JSON stays JSON.
  if (field.conversion == Conversion::shell) return append_shell(out, of, value);
  if (!value.known) {
    if (field.conversion == Conversion::json) out += "null";
    return;
  }
  switch (field.conversion) {
    case Conversion::shell:
    case Conversion::plain:
      append_plain(out, of, value);
      break;
    case Conversion::json:
      append_json_value(out, of.sort, value);
      break;
    case Conversion::base64:
      text::append_base64(out, value.text);
      break;
    case Conversion::uri:
      append_percent_encoded(out, value.text);
      break;
    case Conversion::human:
      text::append_human_size(out, value.number, text::SizeUnits::decimal);
      break;
    case Conversion::human_binary:
      text::append_human_size(out, value.number, text::SizeUnits::binary);
      break;
    case Conversion::letters:
      text::append_mode_letters(out, static_cast<std::uint32_t>(value.number));
      break;
    case Conversion::rfc3339:
      text::append_rfc3339(out, value.time);
      break;
    case Conversion::epoch:
      text::append_epoch(out, value.time);
      break;
    case Conversion::format:
      field.time_format.append(out, value.time);
      break;
  }
}

void TemplateRecord::append_plain(std::string& out, const RecordField& field,
                                  const FieldValue& value) {
  switch (field.sort) {
    case ValueSort::bytes:
    case ValueSort::text:
      append_text(out, value.text);
      break;
    case ValueSort::number:
    case ValueSort::size:
      text::append_number(out, value.number);
      break;
    case ValueSort::mode:
      text::append_permissions(out, value.number);
      break;
    case ValueSort::time:
      text::append_local_time(out, value.time, zone_);
      break;
    case ValueSort::list:
      for (std::size_t i = 0; i < value.list.size(); ++i) {
        if (i > 0) out += ',';
        append_text(out, value.list[i]);
      }
      break;
  }
}

void TemplateRecord::append_shell(std::string& out, const RecordField& field,
                                  const FieldValue& value) {
  if (field.sort == ValueSort::list) {
    for (std::size_t i = 0; i < value.list.size(); ++i) {
      if (i > 0) out += ' ';
      append_word(out, value.list[i]);
    }
    return;
  }
  if (field.sort == ValueSort::bytes || field.sort == ValueSort::text) {
    return append_word(out, value.text);
  }
  plain_.clear();
  if (value.known) append_plain(plain_, field, value);
  append_word(out, plain_);
}

void TemplateRecord::append_text(std::string& out, std::string_view text) const {
  if (escapes_ && text::needs_escaping(text)) {
    text::append_escaped(out, text);
  } else {
    out += text;
  }
}

void TemplateRecord::append_word(std::string& out, std::string_view word) const {
  if (escapes_) {
    out += text::shell_word(word);
  } else {
    text::append_shell_quoted(out, word);
  }
}

void TemplateRecord::append_aligned(std::string& out, const TemplateField& field,
                                    std::string_view text) const {
  const std::size_t taken = text::columns_of(text);
  const std::size_t spare = field.columns > taken ? field.columns - taken : 0;
  std::size_t before = 0;
  if (field.alignment == Alignment::right) before = spare;
  if (field.alignment == Alignment::centre) before = spare / 2;
  out.append(before, ' ');
  out += text;
  out.append(spare - before, ' ');
}

}  // namespace ffind::output
