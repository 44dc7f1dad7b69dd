// SPDX-License-Identifier: MIT
// What --compare-readers prints: a table for people, or NDJSON; each time as soon as it is known.
// Fed by comparison.cpp, which decides what is measured and what it means.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"
#include "output/writer.h"

namespace ffind::cli {

/// One way to list a tree.
struct Way {
  Method method = Method::walk;
  Reader reader = Reader::automatic;  ///< with a catalog: whatever the plan takes beside it
  /// As a plan has them: where `most_threads` is more, their number follows the volume.
  unsigned threads = 1;
  unsigned most_threads = 1;
  bool planned = false;  ///< what a search would take

  bool adapts() const { return most_threads > threads; }
  /// Whatever the threads.
  bool is_like(const Way& other) const { return method == other.method && reader == other.reader; }
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
  Way way;
  Timing first;
  Timing repeat;
};

enum class Wanted : std::uint8_t { names, metadata };

/// What was found out about names, or about metadata.
struct Verdict {
  std::optional<Way> plan;           ///< what a search would take; none: there is nothing to read
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
  std::optional<Way> odd;
  std::optional<Way> other;
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
  virtual void refuse(const Way& way, const std::string& reason) = 0;
  /// ... or these, before it is run, and after.
  virtual void begin_way(const Way& way) = 0;
  virtual void add_first(const Measured& measured) = 0;
  virtual void add_repeat(const Measured& measured) = 0;
  /// `notes` are what is remarkable of the way, and whether it agrees with the others.
  virtual void end_way(const std::vector<std::string>& notes, bool agrees) = 0;
  virtual void end_tree(const Verdict& names, const Verdict& metadata,
                        const Agreement& agreement) = 0;
};

std::unique_ptr<ComparisonReport> comparison_table(output::Writer& writer);
std::unique_ptr<ComparisonReport> comparison_records(output::Writer& writer);

/// The options that make a search take `way`, such as "--reader fts -j 64".
std::string options_for(const Way& way);

}  // namespace ffind::cli
