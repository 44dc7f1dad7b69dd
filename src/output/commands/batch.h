// SPDX-License-Identifier: MIT
// How many matches one command line takes: the paths of a batch and what they come to as arguments.
// Pure. Used by the batch runner.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "os/processes.h"
#include "output/commands/template.h"

namespace ffind::output {

/// Paths that fit into each of the commands at once.
class Batch {
 public:
  /// `commands` outlives the batch. `most` paths at once; 0: as many as fit.
  Batch(const std::vector<CommandTemplate>& commands, os::ArgumentLimits limits,
        std::size_t most = 0);

  enum class Answer : unsigned char {
    added,
    full,   ///< fits into the next batch
    never,  ///< fits into none
  };
  Answer add(std::string_view path);

  const std::vector<std::string>& paths() const { return paths_; }
  void clear();

 private:
  /// What a command's arguments take without a path, and with those of this batch.
  struct Use {
    std::size_t fixed = 0;
    std::size_t now = 0;
  };

  const std::vector<CommandTemplate>& commands_;
  const os::ArgumentLimits limits_;
  const std::size_t most_;
  std::vector<Use> uses_;  ///< one a command
  std::vector<std::size_t> added_;
  std::vector<std::string> paths_;
};

/// The arguments of `command` for `paths`, each of which replaces an argument with a place.
std::vector<std::string> expand(const CommandTemplate& command, const std::string* paths,
                                std::size_t count);

}  // namespace ffind::output
