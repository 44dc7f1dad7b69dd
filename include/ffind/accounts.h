// SPDX-License-Identifier: MIT
// User and group look-ups. Implemented by os and by fakes; cli looks up names that were typed,
// tests look up the numbers of files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ffind {

/// Thread-safe. Calls may block on a directory service.
class Accounts {
 public:
  virtual ~Accounts() = default;
  /// nullopt if there is no such account. Throws std::system_error if the look-up fails.
  virtual std::optional<std::uint32_t> user_id(const std::string& name) const = 0;
  virtual std::optional<std::uint32_t> group_id(const std::string& name) const = 0;
  /// nullopt if there is no such account; an empty name if the look-up fails, for instance for lack
  /// of descriptors.
  virtual std::optional<std::string> user_name(std::uint32_t id) const = 0;
  virtual std::optional<std::string> group_name(std::uint32_t id) const = 0;
};

}  // namespace ffind
