// SPDX-License-Identifier: MIT
// A match for the tree: where it hangs and what it looks like there, each ended by NUL. Made by
// make_record_format, read by tree/tree.cpp and never shown as it is.
#pragma once

#include <string>
#include <string_view>

#include "output/records/record_format.h"

namespace ffind {

/// What such a record says. Views into it.
struct TreeLeaf {
  std::string_view root;      ///< path of the root, as it is printed
  std::string_view relative;  ///< path below that, raw; empty for a root that is a file
  std::string_view shown;     ///< the last name, coloured and fit for a terminal; empty: as it is
  bool directory;             ///< or perhaps one
};

/// Takes the first record off `records`.
TreeLeaf take_tree_leaf(std::string_view& records);

class TreeRecord final : public RecordFormat {
 public:
  explicit TreeRecord(const OutputStyle& style);

  Needs needs() const override;
  void append(std::string& out, Entry& entry) override;

 private:
  const Palette* const palette_;  ///< null: no colours
  const bool escapes_;
  std::string path_;
  std::string name_;
};

}  // namespace ffind
