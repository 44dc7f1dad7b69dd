// SPDX-License-Identifier: MIT
// What is to be done with the matches instead of printing them: plain data. Filled by cli, read by
// the stages that do it. Knows no option names.
#pragma once

#include <cstdint>
#include <vector>

#include "output/commands/template.h"

namespace ffind::output {

enum class ActionKind : std::uint8_t {
  each,    ///< the commands for each match, in parallel
  batch,   ///< the commands for as many matches as fit
  remove,  ///< delete the matches
};

struct Action {
  ActionKind kind = ActionKind::each;
  std::vector<CommandTemplate> commands{};
  bool in_directory = false;  ///< each where its match lies
  bool follow = false;        ///< the search goes through links, and so may we
  bool confirm = false;       ///< ask before each
  bool dry_run = false;       ///< only print what would be done
  bool in_order = false;      ///< what commands write comes in the order of their matches
  /// The matches were chosen by more than their names, places and types: what has changed since is
  /// perhaps none any more.
  bool by_metadata = false;
  /// How many at one time. None: one, with our own standard streams.
  unsigned jobs = 0;
  std::size_t batch_size = 0;  ///< of a batch, at most; 0: as many as fit
};

}  // namespace ffind::output
