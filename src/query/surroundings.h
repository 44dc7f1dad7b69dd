// SPDX-License-Identifier: MIT
// What the meaning of a value may depend on beside its text: the time it is, who has accounts here,
// what lies at a path. Handed in by cli, so that tests can fix it and query asks no system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ffind/entry.h"
#include "query/values/range.h"

namespace ffind {

/// Accounts of this system. Thread-safe; may block where a directory service answers.
class Accounts {
 public:
  virtual ~Accounts() = default;
  virtual std::optional<std::uint32_t> user_id(const std::string& name) const = 0;
  virtual std::optional<std::uint32_t> group_id(const std::string& name) const = 0;
  /// Nothing for a number that no account has.
  virtual std::optional<std::string> user_name(std::uint32_t id) const = 0;
  virtual std::optional<std::string> group_name(std::uint32_t id) const = 0;
};

struct Surroundings {
  Clock clock{};
  const Accounts* accounts = nullptr;  ///< outlives every test made with it
  /// What a stat of `path` answers, links followed; nothing, and the reason, where there is none.
  std::optional<Metadata> (*metadata_of)(const std::string& path, std::string& why_not) = nullptr;
  /// Whether this system keeps needs::added.
  bool has_added = false;
};

}  // namespace ffind
