// SPDX-License-Identifier: MIT
// One expanded template a match. Made by make_record_format.
#pragma once

#include <string>
#include <string_view>

#include "output/records/record_format.h"
#include "output/records/template.h"
#include "text/times.h"

namespace ffind::output {

class TemplateRecord final : public RecordFormat {
 public:
  explicit TemplateRecord(const OutputStyle& style);

  Needs needs() const override { return needs_; }
  void append(std::string& out, Entry& entry) override;

 private:
  void append_field(std::string& out, const TemplateField& field, Entry& entry);
  void append_value(std::string& out, const TemplateField& field, const FieldValue& value);
  void append_plain(std::string& out, const RecordField& field, const FieldValue& value);
  void append_shell(std::string& out, const RecordField& field, const FieldValue& value);
  void append_text(std::string& out, std::string_view text) const;
  void append_word(std::string& out, std::string_view word) const;
  void append_aligned(std::string& out, const TemplateField& field, std::string_view text) const;

  const Template& template_;
  const RecordField* const path_field_;
  const bool escapes_;  ///< for a terminal
  const char end_;
  Needs needs_ = needs::none;
  FieldScratch scratch_;
  text::LocalZone zone_;
  std::string cell_;
  std::string plain_;
};

}  // namespace ffind::output
