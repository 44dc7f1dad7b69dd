// SPDX-License-Identifier: MIT
// Where a walk begins: whatever was planned, a root is what it is when it is opened. A part of the
// walk's worker.
#pragma once

#include <cstdint>

#include "search/opener.h"
#include "search/state.h"

namespace ffind {

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

}  // namespace ffind
