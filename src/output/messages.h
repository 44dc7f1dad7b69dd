// SPDX-License-Identifier: MIT
// Messages to people on standard error: how an issue reads. Used by Output and by cli.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

#include "ffind/issue.h"
#include "ffind/plan.h"

namespace ffind::output {

/// `ffind: PATH: reason` and a newline; control bytes of the path are escaped, so that it stays one
/// line and cannot steer the terminal.
std::string message_of(const Issue& issue);

/// What is wrong with its path, in one line; control bytes are escaped.
std::string reason_of(const Issue& issue);

/// The same as an NDJSON object and a newline: type "error", path (unless empty), operation, errno,
/// message.
std::string record_of(const Issue& issue);

/// An NDJSON object for what is no error; `path` may be empty.
std::string notice_record(std::string_view path, std::string_view text);

/// `ffind: text` and a newline. Whatever got into `text` cannot steer the terminal: its lines are
/// escaped, which leaves what has been escaped before as it is.
std::string message(std::string_view text);

/// The errno's own words, e.g. "No such file or directory".
std::string reason_of(int error);

/// Thread-safe.
class IssueDigest {
 public:
  /// Enough to see what they have in common.
  static constexpr std::uint64_t shown = 10;

  /// The roots of `plan` are always shown. To be called before the first issue.
  void set_roots(const Plan& plan);
  /// Whether `issue` is to be printed; if not, it is counted.
  bool shows(const Issue& issue);
  /// A line for each reason of which some were counted, all at once; empty: none was.
  std::string summary();

 private:
  /// Of more reasons than a person tells apart each issue is printed.
  static constexpr std::size_t most_reasons = 1000;

  std::unordered_set<std::string> roots_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> reasons_;  ///< how many there were of each
};

}  // namespace ffind::output
