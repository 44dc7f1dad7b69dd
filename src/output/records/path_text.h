// SPDX-License-Identifier: MIT
// A path as people see it: escaped for a terminal, coloured, a link to the file. Used by the
// records that show one; knows nothing of what is around it.
#pragma once

#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "output/output_style.h"

namespace ffind::output {

/// Belongs to one thread. `style` outlives it.
class PathText {
 public:
  explicit PathText(const OutputStyle& style);

  Needs needs() const;
  void append(std::string& out, Entry& entry);
  /// Where the symbolic link `entry` leads, in the colour of what lies there.
  void append_target(std::string& out, Entry& entry);
  /// Any other text, fit for where it is shown.
  void append_text(std::string& out, std::string_view text) const;

 private:
  void append_colored(std::string& out, Entry& entry);
  bool begin_link(std::string& out, Entry& entry) const;

  const Palette* const palette_;   ///< null: no colours
  const std::string* const host_;  ///< null: no links
  const bool escapes_;
  const bool marks_;
  std::string path_;
  std::string directory_;
  std::string name_;
};

}  // namespace ffind::output
