// SPDX-License-Identifier: MIT
// For a person at a terminal: of the issues of one reason the first few are printed, the rest are
// counted. Made by Output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_set>

#include "ffind/issue.h"
#include "ffind/plan.h"

namespace ffind::output {

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
