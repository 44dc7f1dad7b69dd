// SPDX-License-Identifier: MIT
// What matches are sorted by: fields, turned into bytes that compare as the values do. Filled by
// cli, used by the lanes that sort. Pure.
#pragma once

#include <string>
#include <vector>

#include "ffind/entry.h"
#include "output/fields/record_field.h"

namespace ffind::output {

struct SortKey {
  const RecordField* field;
  bool reversed = false;
};

/// Lists have none.
bool has_order(const RecordField& field);

/// Makes the keys of matches. The key of a match has a head, made here, and ends with its path,
/// which all keys end with, so that no two matches are equal. Belongs to one thread.
class KeyMaker {
 public:
  /// `accounts` outlive it. What is behind `path` in `keys` is ignored.
  KeyMaker(const std::vector<SortKey>& keys, const Accounts* accounts);

  /// What `append_head` will ask each match for.
  Needs needs() const { return needs_; }
  bool path_reversed() const { return path_reversed_; }

  /// No head of a match is the beginning of another's.
  void append_head(std::string& out, Entry& entry);

 private:
  void append(std::string& out, const SortKey& key, Entry& entry);
  bool append_value(std::string& out, const RecordField& field, const FieldValue& value);
  void append_folded(std::string& out, std::string_view text);

  std::vector<SortKey> keys_;
  bool path_reversed_ = false;
  Needs needs_ = needs::directory;
  FieldScratch scratch_;
  std::string folded_;
};

}  // namespace ffind::output
