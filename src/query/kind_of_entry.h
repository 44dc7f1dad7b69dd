// SPDX-License-Identifier: MIT
// The one kind of an entry, for display: the only part of query that the output calls.
#pragma once

#include <string_view>

#include "ffind/entry.h"

namespace ffind::query {

/// As `--kind` has it; empty where it has none. Asks for what kind_of_entry_needs names.
std::string_view kind_of_entry(Entry& entry);

inline constexpr Needs kind_of_entry_needs = needs::type | needs::bundle;

}  // namespace ffind::query
