// SPDX-License-Identifier: MIT
// Opens the directories of a walk: its roots, whatever they turn out to be, and those below by
// their names in the directories around them, while those are open, else by their paths. Parts of
// the walk's worker.
#pragma once

#include <cstdint>
#include <string>

#include "os/directory_reader.h"
#include "search/boundaries.h"
#include "search/frontier.h"
#include "search/issues.h"
#include "search/node.h"
#include "search/opener.h"
#include "search/state.h"

namespace ffind::search {

/// A root that is no directory, as it was seen once.
struct RootFile {
  FileType type = FileType::unknown;
  Metadata metadata{};
  Needs known = needs::none;
};

/// Belongs to its thread.
class RootOpener {
 public:
  RootOpener(SearchState& state, Opener& opener) : state_(state), opener_(opener) {}

  enum class Found : std::uint8_t { directory, file, nothing };
  /// Opens a directory, and looks at what is none; `error` says why there is nothing.
  Found open(const Root& root, os::Directory& opened, RootFile& file, int& error);

 private:
  bool look_at(const Root& root, RootFile& file);

  SearchState& state_;
  Opener& opener_;
};

/// What it cannot open it reports. Belongs to its thread; the directories that it opens are
/// Nodes.
class NodeOpener final : public os::DirectoryOpener {
 public:
  NodeOpener(const Scope& scope, Opener& opener, IssueReporter& issues, Frontier& frontier,
             LeftOut& left_out)
      : scope_(scope), opener_(opener), issues_(issues), frontier_(frontier), left_out_(left_out) {}

  /// Tries once: an unreadable directory costs one line, whatever is requested of it.
  int open(os::ListedDirectory& directory) override;

 private:
  int open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened);

  const Scope& scope_;
  Opener& opener_;
  IssueReporter& issues_;
  Frontier& frontier_;
  LeftOut& left_out_;
};

}  // namespace ffind::search
