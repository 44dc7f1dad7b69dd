// SPDX-License-Identifier: MIT
// Who has accounts on this system. Implemented by os and by fakes; asked by cli for the names that
// were typed, by tests for the numbers that files have. Knows no operating system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ffind {

/// Thread-safe; may block where a directory service answers.
class Accounts {
 public:
  virtual ~Accounts() = default;
  /// Nothing for a name that no account has. Throws std::system_error where nobody can say.
  virtual std::optional<std::uint32_t> user_id(const std::string& name) const = 0;
  virtual std::optional<std::uint32_t> group_id(const std::string& name) const = 0;
  /// Nothing for a number that no account has; an empty name where nobody can say now, as when no
  /// descriptor is left to ask with.
  virtual std::optional<std::string> user_name(std::uint32_t id) const = 0;
  virtual std::optional<std::string> group_name(std::uint32_t id) const = 0;
};

}  // namespace ffind
