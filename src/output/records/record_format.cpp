// SPDX-License-Identifier: MIT
// Which style is which format, and the simplest of them. See record_format.h.
#include "output/records/record_format.h"

#include "output/records/json_record.h"
#include "output/records/long_record.h"
#include "output/records/path_text.h"
#include "output/records/template_record.h"

namespace ffind::output {
namespace {

/// One path a line, or ended by NUL.
class TextRecord final : public RecordFormat {
 public:
  explicit TextRecord(const OutputStyle& style)
      : path_(style), end_(style.format == Format::null ? '\0' : style.end) {}

  Needs needs() const override { return path_.needs(); }
  void append(std::string& out, Entry& entry) override {
    path_.append(out, entry);
    out += end_;
  }

 private:
  PathText path_;
  const char end_;
};

}  // namespace

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

}  // namespace ffind::output
