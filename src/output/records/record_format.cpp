// SPDX-License-Identifier: MIT
// Which style is which format. See record_format.h.
#include "output/records/record_format.h"

#include "output/records/json_record.h"
#include "output/records/long_record.h"
#include "output/records/template_record.h"
#include "output/records/text_record.h"

namespace ffind {

std::unique_ptr<RecordFormat> make_record_format(const OutputStyle& style) {
  switch (style.format) {
    case Format::text:
    case Format::null:
      return std::make_unique<TextRecord>(style);
    case Format::json:
      return std::make_unique<JsonRecord>(style);
    case Format::templated:
      return std::make_unique<TemplateRecord>(style);
    case Format::details:
      return std::make_unique<LongRecord>(style);
    case Format::tree:
    case Format::removal:
    case Format::nothing:
      break;
  }
  return nullptr;
}

}  // namespace ffind
