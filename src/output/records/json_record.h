// SPDX-License-Identifier: MIT
// One NDJSON object per match, of the fields that were requested. Made by make_record_format.
#pragma once

#include <string>
#include <vector>

#include "output/fields/record_field.h"
#include "output/records/record_format.h"

namespace ffind::output {

class JsonRecord final : public RecordFormat {
 public:
  explicit JsonRecord(const OutputStyle& style);

  Needs needs() const override { return needs_; }
  void append(std::string& out, Entry& entry) override;

 private:
  struct Member {
    const RecordField* field;
    std::string key;  ///< as it is written, with quotes and colon
  };

  std::vector<Member> members_;
  Needs needs_ = needs::none;
  FieldScratch scratch_;
};

}  // namespace ffind::output
