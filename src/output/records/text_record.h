// SPDX-License-Identifier: MIT
// One path a line, or ended by NUL; coloured, and fit for a terminal where one is. Made by
// make_record_format.
#pragma once

#include <string>

#include "output/records/path_text.h"
#include "output/records/record_format.h"

namespace ffind {

class TextRecord final : public RecordFormat {
 public:
  explicit TextRecord(const OutputStyle& style);

  Needs needs() const override { return path_.needs(); }
  void append(std::string& out, Entry& entry) override;

 private:
  PathText path_;
  const char end_;
};

}  // namespace ffind
