// SPDX-License-Identifier: MIT
// --compare-readers: measures every way to list a tree, checks that all find the same, and says
// which one a search takes. Called by run.cpp. Writes nothing to a volume.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/entry.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/query.h"
#include "ffind/sink.h"
#include "output/writer.h"

namespace ffind::cli {

/// Measures each root in turn, and prints as it goes. `query` has no test; what forces a method, a
/// reader or threads leaves only the ways that use it. False: something could not be read, or the
/// ways do not agree. Throws UsageError.
bool compare_readers(const Options& options, const Operands& operands, const Query& query,
                     output::Writer& writer);

/// One way to list a tree.
struct Strategy {
  Method method = Method::walk;
  Reader reader = Reader::automatic;  ///< with a catalog: whatever the plan takes beside it
  /// As a plan has them: where `most_threads` is more, their number follows the volume.
  unsigned threads = 1;
  unsigned most_threads = 1;
  bool planned = false;  ///< what a search would take

  bool adapts() const { return most_threads > threads; }
  /// Whatever the threads.
  bool is_like(const Strategy& other) const {
    return method == other.method && reader == other.reader;
  }
};

/// One run, or the median of some.
struct Timing {
  Nanoseconds time = 0;
  unsigned runs = 1;
  /// Something was read from the device meanwhile; nothing: nobody can tell.
  std::optional<bool> cold;
  std::uint64_t entries = 0;
  std::uint64_t directories = 0;
  std::uint64_t stats = 0;   ///< entries whose metadata was requested by a call of their own
  std::uint64_t issues = 0;  ///< what could not be read
  unsigned threads = 0;      ///< that really ran
};

struct Measured {
  Strategy strategy;
  Timing first;
  Timing repeat;
};

enum class Wanted : std::uint8_t { names, metadata };

/// What was found out about names, or about metadata.
struct Verdict {
  std::optional<Strategy> plan;      ///< what a search would take; none: there is nothing to read
  std::optional<Measured> planned;   ///< that, if it was measured
  std::optional<Measured> quickest;  ///< by its repeated runs
  /// As quick as the quickest, or within what two runs of one way differ by.
  bool plan_is_quickest = false;
};

/// What was found out about the whole tree.
struct Agreement {
  std::uint64_t entries = 0;
  std::uint64_t directories = 0;
  std::uint64_t runs = 0;
  /// A way that found something else, and one that it was compared with; none: all agree.
  std::optional<Strategy> odd;
  std::optional<Strategy> other;
  bool changed = false;      ///< the tree changed while it was measured
  std::optional<bool> cold;  ///< a run read from a device; nothing: nobody can tell
};

/// In the order of the functions, tree after tree.
class ComparisonReport {
 public:
  virtual ~ComparisonReport() = default;
  /// `path` as typed.
  virtual void begin_tree(const std::string& path, const Volume& volume) = 0;
  virtual void begin(Wanted wanted) = 0;
  /// For each way either this...
  virtual void refuse(const Strategy& strategy, const std::string& reason) = 0;
  /// ... or these, before it is run, and after.
  virtual void begin_strategy(const Strategy& strategy) = 0;
  virtual void add_first(const Measured& measured) = 0;
  virtual void add_repeat(const Measured& measured) = 0;
  /// `notes` are what is remarkable of the way, and whether it agrees with the others.
  virtual void end_strategy(const std::vector<std::string>& notes, bool agrees) = 0;
  virtual void end_tree(const Verdict& names, const Verdict& metadata,
                        const Agreement& agreement) = 0;
};

std::unique_ptr<ComparisonReport> comparison_table(output::Writer& writer);
std::unique_ptr<ComparisonReport> comparison_records(output::Writer& writer);

/// The options that make a search take `way`, such as "--reader fts -j 64".
std::string options_for(const Strategy& strategy);

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
