// SPDX-License-Identifier: MIT
// What the meaning of a value may depend on beside its text: the current time, the accounts of this
// system, what is at a path. Handed in by cli, so that tests can fix it and query asks no system.
#pragma once

#include <optional>
#include <string>

#include "ffind/accounts.h"
#include "ffind/entry.h"
#include "text/range.h"

namespace ffind::query {

struct QueryContext {
  text::Clock clock{};
  const Accounts* accounts = nullptr;  ///< outlives every test made with it
  /// What a stat of `path` returns, links followed; nothing, and the reason, if it fails.
  std::optional<Metadata> (*metadata_of)(const std::string& path, std::string& why_not) = nullptr;
  /// Whether this system keeps needs::added.
  bool has_added = false;
};

}  // namespace ffind::query
