// SPDX-License-Identifier: MIT
// The words of a line of fd, taken apart into options and operands as fd takes them: a later word
// takes back those that it overrides, and conflicts are errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/foreign.h"

namespace ffind::foreign {

struct FdRow;

/// Options are named by their main name. All errors are UsageError, in the words of fd.
class FdOptions {
 public:
  /// `words` outlive it. Throws if fd refuses the line.
  explicit FdOptions(const Words& words);

  bool has(std::string_view name) const { return found_.contains(name); }
  /// The values of all that the line has.
  Words all(std::string_view name) const;
  std::optional<std::string> last(std::string_view name) const;
  const Words& operands() const { return operands_; }
  /// -x and -X.
  const std::vector<cli::Given>& commands() const { return commands_; }

 private:
  void take_long(const std::string& word);
  void take_letters(const std::string& word);
  void take(const FdRow& row, std::optional<std::string> value);
  void take_command(const FdRow& row, std::optional<std::string> value);
  [[noreturn]] void refuse_both(const std::string& one, const std::string& other) const;
  void check() const;

  const Words& words_;
  std::size_t at_ = 0;                       ///< the next word
  std::map<std::string_view, Words> found_;  ///< values
  std::vector<cli::Given> commands_;
  Words operands_;
};

/// Refuses the value of an option for the reason `why`.
[[noreturn]] void refuse_fd_value(const std::string& value, std::string_view name,
                                  std::string_view why);

/// The value of an option that takes a number.
std::uint64_t fd_number(const std::string& value, std::string_view name);

}  // namespace ffind::foreign
