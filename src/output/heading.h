// SPDX-License-Identifier: MIT
// Puts a line above the first record, for people at a terminal. Made by Output before the writer.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "output/output_style.h"
#include "output/pipeline.h"

namespace ffind::output {

/// Of a whole line, as it is shown.
inline std::string shown_heading(std::string_view line, const OutputStyle& style) {
  constexpr std::string_view underlined = "4";
  if (!style.palette) return std::string(line);
  std::string shown;
  style.palette->append_colored(shown, underlined, line.substr(0, line.size() - 1));
  return shown + '\n';
}

/// Where there are no records there is no heading.
class Heading final : public RecordStage {
 public:
  Heading(std::string line, RecordStage& next) : line_(std::move(line)), next_(next) {}

  bool take(std::string_view records) override {
    const std::lock_guard lock(mutex_);
    if (line_.empty()) return next_.take(records);
    return next_.take(std::exchange(line_, {}).append(records));
  }

 private:
  std::mutex mutex_;
  std::string line_;  ///< empty once it is written
  RecordStage& next_;
};

}  // namespace ffind::output
