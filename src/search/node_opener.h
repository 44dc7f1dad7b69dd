// SPDX-License-Identifier: MIT
// Opens the directories of a walk: by their names in the directories around them while those are
// open, else by their paths; and says of which ones that failed. A part of the walk's worker.
#pragma once

#include <string>

#include "os/directory_reader.h"
#include "search/boundaries.h"
#include "search/frontier.h"
#include "search/issues.h"
#include "search/node.h"
#include "search/opener.h"

namespace ffind {

/// Belongs to its thread. The directories that it is asked for are Nodes.
class NodeOpener final : public os::DirectoryOpener {
 public:
  NodeOpener(const Scope& scope, Opener& opener, IssueReporter& issues, Frontier& frontier,
             LeftOut& left_out)
      : scope_(scope), opener_(opener), issues_(issues), frontier_(frontier), left_out_(left_out) {}

  /// Tries once: all that is asked of a directory that cannot be opened goes without, for one line.
  int open(os::ListedDirectory& directory) override;

 private:
  int open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened);

  const Scope& scope_;
  Opener& opener_;
  IssueReporter& issues_;
  Frontier& frontier_;
  LeftOut& left_out_;
};

}  // namespace ffind
