// SPDX-License-Identifier: MIT
// --compare-readers: measures all strategies to list a tree (walk with each reader, catalog,
// numbers of threads), checks that they find the same, and marks the one that a search takes.
// Nothing is written to a volume.
//
// compare.cpp plans and runs the strategies one after another, each with a DigestSink in place of
// an output. Its TreeDigests are compared: sums of hashes, which do not depend on the order of
// entries. Results go to a ComparisonReport as soon as they are known; compare_report.cpp has a
// table for people, and NDJSON.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/request.h"
#include "ffind/entry.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/query.h"
#include "ffind/searcher.h"
#include "output/output_style.h"
#include "output/writer.h"

namespace ffind::cli {

/// Measures one root after another and prints the results, headings in `style`. `query` has no
/// test; a forced method, reader or number of threads restricts the strategies. Returns false if
/// something could not be read, or if the strategies do not agree. Throws UsageError.
bool compare_readers(const Options& options, const Operands& operands, const Query& query,
                     const output::OutputStyle& style, output::Writer& writer);

/// A method, a reader and a number of threads to list a tree with.
struct Strategy {
  Method method = Method::walk;
  Reader reader = Reader::automatic;  ///< automatic with a catalog
  /// As in a plan: if `most_threads` is larger, the number adapts to the volume.
  unsigned threads = 1;
  unsigned most_threads = 1;
  bool planned = false;  ///< a search would take it

  bool adapts() const { return most_threads > threads; }
  /// True if only the threads may differ.
  bool is_like(const Strategy& other) const {
    return method == other.method && reader == other.reader;
  }
};

/// A run, or the median of several.
struct Timing {
  Nanoseconds time = 0;
  unsigned runs = 1;
  /// Something was read from a device meanwhile; nullopt if unknown.
  std::optional<bool> cold;
  std::uint64_t entries = 0;
  std::uint64_t directories = 0;
  std::uint64_t stats = 0;   ///< entries whose metadata took a call of their own
  std::uint64_t issues = 0;  ///< entries and directories that could not be read
  unsigned threads = 0;      ///< started threads
};

/// A strategy with its two results: the first run, which may be cold, and the median of the
/// repeated ones.
struct Measured {
  Strategy strategy;
  Timing first;
  Timing repeat;
};

enum class Wanted : std::uint8_t { names, metadata };

/// Result for names, or for metadata.
struct Verdict {
  std::optional<Strategy> plan;      ///< of a search; nullopt if there is nothing to read
  std::optional<Measured> planned;   ///< that, if it was measured
  std::optional<Measured> quickest;  ///< by its repeated runs
  /// As quick as the quickest, within the noise of two runs of one strategy.
  bool plan_is_quickest = false;
};

/// Result for the whole tree.
struct Agreement {
  std::uint64_t entries = 0;
  std::uint64_t directories = 0;
  std::uint64_t runs = 0;
  /// A strategy that found something else, and the one that it was compared with; nullopt if all
  /// agree.
  std::optional<Strategy> odd;
  std::optional<Strategy> other;
  bool changed = false;      ///< the tree changed while it was measured
  std::optional<bool> cold;  ///< a run read from a device; nullopt if unknown
};

/// Prints the results. The functions are called in this order, for each tree.
class ComparisonReport {
 public:
  virtual ~ComparisonReport() = default;
  /// `path` as typed.
  virtual void begin_tree(const std::string& path, const Volume& volume) = 0;
  virtual void begin(Wanted wanted) = 0;
  /// For each strategy either refuse() or the four functions after it.
  virtual void refuse(const Strategy& strategy, const std::string& reason) = 0;
  virtual void begin_strategy(const Strategy& strategy) = 0;
  virtual void add_first(const Measured& measured) = 0;
  virtual void add_repeat(const Measured& measured) = 0;
  /// `agrees` with the other strategies; `notes` are peculiarities.
  virtual void end_strategy(const std::vector<std::string>& notes, bool agrees) = 0;
  virtual void end_tree(const Verdict& names, const Verdict& metadata,
                        const Agreement& agreement) = 0;
};

/// `style` outlives it.
std::unique_ptr<ComparisonReport> comparison_table(const output::OutputStyle& style,
                                                   output::Writer& writer);
std::unique_ptr<ComparisonReport> comparison_records(output::Writer& writer);

/// The options that force `strategy`, such as "--reader fts -j 64".
std::string options_for(const Strategy& strategy);

/// A tree in numbers that do not depend on the order of its entries.
struct TreeDigest {
  std::uint64_t entries = 0;
  std::uint64_t names = 0;     ///< sum of hashes of path and type
  std::uint64_t metadata = 0;  ///< sum of hashes of `metadata_compared`; 0 if not read
  bool operator==(const TreeDigest&) const = default;
};

/// The attributes of a long listing.
inline constexpr Needs metadata_compared =
    needs::type | needs::mode | needs::owner | needs::size | needs::modified;

/// A sink that prints nothing and sums up a TreeDigest. Thread-safe; outlives its lanes, and is
/// complete after their destruction.
class DigestSink final : public Sink {
 public:
  explicit DigestSink(bool with_metadata) : with_metadata_(with_metadata) {}

  /// The attributes of each entry that go into the digest.
  Needs needs() const {
    return needs::directory | (with_metadata_ ? metadata_compared : needs::type);
  }

  std::unique_ptr<Lane> open_lane() override;
  void report(const Issue& issue) override;
  void notice(const std::string& path, const std::string& text) override;

  const TreeDigest& digest() const { return digest_; }
  const std::optional<Issue>& first_issue() const { return first_issue_; }
  /// A notice of the search, such as that a catalog could not be read; usually empty.
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
