// SPDX-License-Identifier: MIT
// What deletion is told of each match: its path, and what it was when it was found, so that nothing
// else is deleted in its place. Written by the lanes, read by the receiver that deletes.
#pragma once

#include <string>
#include <string_view>

#include "os/beneath.h"
#include "output/records/record_format.h"

namespace ffind {

struct Removal {
  os::Identity identity;  ///< of unknown type where the match could not be asked
  bool is_root = false;   ///< a file that was named; a link is followed then
  std::string_view path;
};

class RemovalRecord final : public RecordFormat {
 public:
  Needs needs() const override { return needs::type | needs::identity | needs::changed; }
  void append(std::string& out, Entry& entry) override;
};

/// Takes the first record off `records`.
Removal next_removal(std::string_view& records);

}  // namespace ffind
