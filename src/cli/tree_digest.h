// SPDX-License-Identifier: MIT
// What a search found, in a few numbers that do not depend on the order: by them two ways of
// reading one tree are compared. A sink that prints nothing. Used by comparison.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "ffind/entry.h"
#include "ffind/issue.h"
#include "ffind/sink.h"

namespace ffind::cli {

struct TreeDigest {
  std::uint64_t entries = 0;
  std::uint64_t names = 0;     ///< sum over all entries, of path and type
  std::uint64_t metadata = 0;  ///< likewise of what `metadata_compared` names; 0: not read
  bool operator==(const TreeDigest&) const = default;
};

/// What a long listing shows.
inline constexpr Needs metadata_compared =
    needs::type | needs::mode | needs::owner | needs::size | needs::modified;

/// Thread-safe; outlives its lanes, and is complete once they are gone.
class DigestSink final : public Sink {
 public:
  explicit DigestSink(bool with_metadata) : with_metadata_(with_metadata) {}

  /// Of each entry.
  Needs needs() const {
    return needs::directory | (with_metadata_ ? metadata_compared : needs::type);
  }

  std::unique_ptr<Lane> open_lane() override;
  void report(const Issue& issue) override;
  void notice(const std::string& path, const std::string& text) override;

  const TreeDigest& digest() const { return digest_; }
  const std::optional<Issue>& first_issue() const { return first_issue_; }
  /// What the search had to say, such as that a catalog could not be read; mostly empty.
  const std::string& notice() const { return notice_; }

 private:
  class DigestLane;

  const bool with_metadata_;
  std::mutex mutex_;  ///< guards what follows
  TreeDigest digest_;
  std::optional<Issue> first_issue_;
  std::string notice_;
};

}  // namespace ffind::cli
