// SPDX-License-Identifier: MIT
// A Comparison measures one tree, first for names, then for metadata:
//
//     candidates()   strategies, each with the Scope that forces it; the planned one first
//     measure()      one run, then repeated ones for the median: 400 ms, at most 5
//     agrees()       TreeDigest of the last run against that of the Reference
//     Verdict        the planned and the quickest of those that agree
//
// The Reference is the first candidate that was measured. Names alone are compared until a
// candidate with metadata takes its place, so that both passes are compared with each other. If two
// digests differ, the tree may have changed meanwhile: run_again() runs both alternately (Recheck)
// until they agree, or until it is clear that the tree changes. Otherwise the strategies differ.
//
// Each run plans anew, with the forced scope, and calls run_search() with a DigestSink: a search
// without output.
//
// A digest is a sum: of entries, of hashes of path and type, and of hashes of metadata. Sums do not
// depend on the order of entries, so lanes add to their own and need a lock at their end only.
#include "cli/compare.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/search_plan.h"
#include "ffind/issue.h"
#include "ffind/query.h"
#include "ffind/searcher.h"
#include "os/catalog.h"
#include "os/directory_reader.h"
#include "os/files.h"
#include "os/machine.h"
#include "output/messages.h"
#include "text/format.h"

namespace ffind::cli {
namespace {

/// A strategy is repeated until this much time has passed, and at most this often: two runs of a
/// small tree differ by more than two strategies.
constexpr Nanoseconds enough_time = 400'000'000;
constexpr unsigned most_repeats = 5;

/// Difference between two runs of one strategy.
constexpr double noise = 1.1;
constexpr Nanoseconds least_noise = 2'000'000;

/// For a volume that is planned with many threads, this fraction of them is tried, too.
constexpr unsigned fewer = 8;

/// Repetitions of two strategies that do not agree.
constexpr unsigned most_rounds = 3;

/// One run of a strategy. `notice` is that of the search, such as a catalog that could not be read.
struct Run {
  Timing timing;
  TreeDigest digest;
  std::optional<Issue> issue;
  std::string notice;
};

/// Metadata count only if both runs have read them.
bool same_tree(const TreeDigest& one, const TreeDigest& other) {
  const bool both = one.metadata != 0 && other.metadata != 0;
  return one.entries == other.entries && one.names == other.names &&
         (!both || one.metadata == other.metadata);
}

/// Counts of the median run; the upper one of an even number of runs.
Timing median_of(std::vector<Timing> timings) {
  const auto middle = timings.begin() + static_cast<std::ptrdiff_t>(timings.size() / 2);
  std::nth_element(timings.begin(), middle, timings.end(),
                   [](const Timing& a, const Timing& b) { return a.time < b.time; });
  Timing median = *middle;
  median.runs = static_cast<unsigned>(timings.size());
  return median;
}

/// Numbers of threads that are tried in addition to the planned one.
///
///     planned   8       1, and 8 / 8 = 1 is left out
///     planned   64      1, 8
///     planned   4-64    1, 64: the adaptive number in full
std::vector<unsigned> other_threads(const Strategy& planned) {
  const unsigned more = planned.adapts() ? planned.most_threads : planned.threads / fewer;
  std::vector<unsigned> numbers;
  if (planned.most_threads > 1) numbers.push_back(1);
  if (more > 1) numbers.push_back(more);
  return numbers;
}

/// Runs of a few milliseconds differ by more than a tenth, hence the absolute part.
bool is_as_quick(Nanoseconds time, Nanoseconds quickest) {
  return time <= quickest + least_noise ||
         static_cast<double>(time) <= noise * static_cast<double>(quickest);
}

/// "3 fewer entries", relative to the reference.
std::string difference_in(std::uint64_t entries, std::uint64_t others) {
  if (entries == others) return "other names, types or metadata";
  const bool more = entries > others;
  const std::uint64_t count = more ? entries - others : others - entries;
  return text::format("{} {} {}", count, more ? "more" : "fewer", count == 1 ? "entry" : "entries");
}

/// The comparison of one tree.
class Comparison {
 public:
  Comparison(Options options, std::string root, Query query, output::Writer& writer,
             ComparisonReport& report)
      : options_(std::move(options)), query_(std::move(query)), writer_(writer), report_(report) {
    operands_.paths = {std::move(root)};
    // named_roots has resolved them to this root.
    options_.volumes.clear();
    options_.all_volumes = false;
    options_.roots_files.clear();
  }

  /// Returns true if all strategies could read all of the tree, and found the same.
  bool run() {
    const Plan plan = plan_with(automatic(), Wanted::names);
    for (const Location& location : plan.missing) {
      tell({location.typed, "", location.error});
    }
    if (plan.tasks.empty()) return plan.missing.empty();
    const Volume& volume = plan.tasks.front().volume;
    // /proc and the like differ between any two runs.
    stands_still_ = volume.kind != VolumeKind::kernel;
    report_.begin_tree(operands_.paths.front(), volume);
    const Verdict names = measure(Wanted::names);
    const Verdict metadata = measure(Wanted::metadata);
    report_.end_tree(names, metadata, agreement_);
    if (issue_) tell(*issue_);
    return !agreement_.odd && !issue_;
  }

 private:
  struct Candidate {
    Scope scope;  ///< forces the strategy
    Strategy strategy;
    std::string refused{};  ///< reason why it cannot be measured; empty if it can
  };

  /// The digest that the others are compared with.
  struct Reference {
    Candidate candidate;
    Wanted wanted = Wanted::names;
    TreeDigest digest;
    bool complete = true;  ///< no directory was inaccessible
  };

  void tell(const Issue& issue) {
    if (options_.no_messages) return;
    writer_.write_message(options_.json_errors ? output::record_of(issue)
                                               : output::message_of(issue));
  }

  // The scope with nothing forced, for the strategy that a search would take.
  Scope automatic() const {
    Scope scope = query_.scope;
    scope.method = Method::automatic;
    scope.reader = Reader::automatic;
    scope.threads = 0;
    return scope;
  }

  Plan plan_with(const Scope& scope, Wanted wanted) const {
    Query query = query_;
    query.scope = scope;
    return plan_search(options_, operands_, query, Matcher(query),
                       DigestSink(wanted == Wanted::metadata).needs());
  }

  /// Methods and readers in the order of measurement: the planned one first, since only the very
  /// first run can have a cold cache. A forced method or reader restricts them; --reader alone
  /// means a walk.
  std::vector<Candidate> methods_and_readers(const Strategy& planned) const {
    std::vector<Strategy> strategies;
    for (const Reader reader : os::readers()) {
      strategies.push_back({.method = Method::walk, .reader = reader});
    }
    strategies.push_back({.method = Method::catalog});
    const Scope& forced = query_.scope;
    const Method method = forced.method == Method::automatic && forced.reader != Reader::automatic
                              ? Method::walk
                              : forced.method;
    std::vector<Candidate> candidates;
    for (const Strategy& strategy : strategies) {
      if (method != Method::automatic && strategy.method != method) continue;
      const bool reads = strategy.method == Method::walk && forced.reader != Reader::automatic;
      if (reads && strategy.reader != forced.reader) continue;
      Candidate candidate{query_.scope, strategy};
      candidate.scope.method = strategy.method;
      if (strategy.method == Method::walk) candidate.scope.reader = strategy.reader;
      candidates.push_back(std::move(candidate));
    }
    std::stable_partition(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
      return candidate.strategy.method == planned.method &&
             candidate.strategy.reader == planned.reader;
    });
    return candidates;
  }

  /// All candidates, including those that cannot be measured. `planned` is the strategy of a
  /// search.
  std::vector<Candidate> candidates(Wanted wanted, const Strategy& planned) const {
    std::vector<Candidate> all;
    for (Candidate& candidate : methods_and_readers(planned)) {
      try {
        const Plan plan = plan_with(candidate.scope, wanted);
        if (plan.tasks.empty()) continue;  // the tree is gone
        const Task& task = plan.tasks.front();
        // Reading a part of a volume from a flat catalog takes as long as reading all of it, so it
        // is only measured on request.
        const bool flat = task.choice.method == Method::catalog &&
                          task.choice.catalog_shape == CatalogShape::flat;
        if (flat && !task.whole_volume && query_.scope.method != Method::catalog) {
          candidate.refused =
              "it is read as a whole, but this is part of a volume (--method catalog measures it)";
          all.push_back(std::move(candidate));
          continue;
        }
        candidate.strategy = strategy_of(task);
        candidate.strategy.planned =
            candidate.scope.threads == 0 && planned.is_like(candidate.strategy);
        all.push_back(candidate);
        // A flat catalog is read by one thread.
        if (flat || candidate.scope.threads != 0) continue;
        for (const unsigned threads : other_threads(candidate.strategy)) {
          Candidate other = candidate;
          other.scope.threads = other.strategy.threads = other.strategy.most_threads = threads;
          other.strategy.planned = false;
          all.push_back(std::move(other));
        }
      } catch (const CatalogUnavailable& error) {
        // A typed --method catalog that is not possible is an error, as in a search.
        if (query_.scope.method == Method::catalog) throw;
        candidate.refused = error.reason();
        all.push_back(std::move(candidate));
      }
    }
    return all;
  }

  static Strategy strategy_of(const Task& task) {
    const Reader reader =
        task.choice.method == Method::catalog ? Reader::automatic : task.choice.reader;
    return {.method = task.choice.method,
            .reader = reader,
            .threads = task.choice.threads,
            .most_threads = std::max(task.choice.threads, task.choice.most_threads)};
  }

  Run run_once(const Scope& scope, Wanted wanted) const {
    Query query = query_;
    query.scope = scope;
    const Matcher matcher(query);
    DigestSink sink(wanted == Wanted::metadata);
    const Plan plan = plan_search(options_, operands_, query, matcher, sink.needs());
    const bool local = std::all_of(plan.tasks.begin(), plan.tasks.end(), [](const Task& task) {
      return task.volume.kind == VolumeKind::local;
    });
    // The time of planning is not part of the run.
    const std::uint64_t read_before = os::device_reads();
    const Nanoseconds begin = os::monotonic_now();
    const SearchResult result =
        run_search(plan, matcher, unlimited, sink, sink.needs(),
                   {os::open_file_system, os::open_catalog, os::device_directories});
    Run run;
    run.timing.time = os::monotonic_now() - begin;
    // Reads over a network are not counted by the system.
    if (local) run.timing.cold = os::device_reads() != read_before;
    run.timing.entries = sink.digest().entries;
    run.timing.directories = result.statistics.directories;
    run.timing.stats = result.statistics.stats;
    run.timing.issues = result.statistics.issues;
    run.timing.threads = result.statistics.threads;
    run.digest = sink.digest();
    run.issue = sink.first_issue();
    run.notice = sink.notice();
    return run;
  }

  /// Runs a candidate and reports both times. `last` is set to the last run.
  Measured measure(const Candidate& candidate, Wanted wanted, Run& last) {
    report_.begin_strategy(candidate.strategy);
    last = run_once(candidate.scope, wanted);
    Measured measured{candidate.strategy, last.timing, {}};
    ++agreement_.runs;
    if (last.timing.cold) agreement_.cold = agreement_.cold.value_or(false) || *last.timing.cold;
    report_.add_first(measured);
    std::vector<Timing> repeats;
    Nanoseconds sum = 0;
    while (repeats.empty() || (sum < enough_time && repeats.size() < most_repeats)) {
      last = run_once(candidate.scope, wanted);
      repeats.push_back(last.timing);
      sum += last.timing.time;
    }
    measured.repeat = median_of(std::move(repeats));
    report_.add_repeat(measured);
    return measured;
  }

  struct Recheck {
    TreeDigest found;
    bool alike = false;
    bool changes = false;
  };

  /// Runs the candidate and the reference alternately until both find the same, or one of them
  /// finds something new. Several rounds, since a changing tree may look the same twice.
  Recheck run_again(const Candidate& candidate, Wanted wanted, const TreeDigest& found) {
    Recheck recheck{.found = found, .changes = !stands_still_};
    for (unsigned i = 0; i < most_rounds && !recheck.alike && (i == 0 || !recheck.changes); ++i) {
      const TreeDigest expected = run_once(reference_->candidate.scope, reference_->wanted).digest;
      recheck.found = run_once(candidate.scope, wanted).digest;
      recheck.alike = same_tree(expected, recheck.found);
      recheck.changes = recheck.changes || recheck.alike ||
                        !same_tree(expected, reference_->digest) ||
                        !same_tree(recheck.found, found);
      reference_->digest = expected;
    }
    return recheck;
  }

  /// Compares the last digest with the reference. If they differ, both are run again, since the
  /// tree may have changed.
  bool agrees(const Candidate& candidate, Wanted wanted, const Run& last,
              std::vector<std::string>& notes) {
    const bool complete = last.timing.issues == 0;
    // The first candidate agrees with itself.
    if (!reference_) reference_ = Reference{candidate, wanted, last.digest, complete};
    const bool more = last.digest.entries > reference_->digest.entries;
    // A catalog has the entries of directories that this user may not open.
    if (candidate.strategy.method == Method::catalog && more && !reference_->complete) {
      notes.emplace_back("also lists what is closed to a walk");
      return true;
    }
    if (!same_tree(reference_->digest, last.digest)) {
      const Recheck recheck = run_again(candidate, wanted, last.digest);
      agreement_.changed = agreement_.changed || recheck.changes;
      if (!recheck.alike) {
        notes.push_back(difference_in(recheck.found.entries, reference_->digest.entries) +
                        (recheck.changes ? ", but the tree changes" : ""));
        if (recheck.changes) return true;  // undecidable
        if (!agreement_.odd) agreement_.odd = candidate.strategy;
        if (!agreement_.other) agreement_.other = reference_->candidate.strategy;
        return false;
      }
      notes.emplace_back("the tree changed");
      if (reference_->wanted != wanted) {
        reference_ = Reference{candidate, wanted, recheck.found, complete};
      }
      return true;
    }
    // From here on metadata is compared, too.
    if (reference_->wanted != wanted)
      reference_ = Reference{candidate, wanted, last.digest, complete};
    return true;
  }

  Verdict measure(Wanted wanted) {
    report_.begin(wanted);
    Verdict verdict;
    const Plan plan = plan_with(automatic(), wanted);
    if (plan.tasks.empty()) return verdict;
    verdict.plan = strategy_of(plan.tasks.front());
    for (const Candidate& candidate : candidates(wanted, *verdict.plan)) {
      if (!candidate.refused.empty()) {
        report_.refuse(candidate.strategy, candidate.refused);
        continue;
      }
      Run last;
      const Measured measured = measure(candidate, wanted, last);
      std::vector<std::string> notes;
      if (!last.notice.empty()) notes.push_back(last.notice);
      const bool alike = agrees(candidate, wanted, last, notes);
      report_.end_strategy(notes, alike);
      if (!issue_) issue_ = last.issue;
      if (candidate.strategy.planned) verdict.planned = measured;
      if (alike) {
        agreement_.entries = reference_->digest.entries;
        // A flat catalog opens no directories.
        agreement_.directories = std::max(agreement_.directories, measured.repeat.directories);
      }
      // A strategy that finds something else is no alternative.
      const bool quicker =
          !verdict.quickest || measured.repeat.time < verdict.quickest->repeat.time;
      if (alike && quicker) verdict.quickest = measured;
    }
    verdict.plan_is_quickest =
        verdict.planned && verdict.quickest &&
        is_as_quick(verdict.planned->repeat.time, verdict.quickest->repeat.time);
    return verdict;
  }

  Options options_;
  Operands operands_;
  const Query query_;
  output::Writer& writer_;
  ComparisonReport& report_;
  std::optional<Reference> reference_;
  Agreement agreement_;
  bool stands_still_ =
      true;  ///< false for kernel file systems, whose contents are made up on reading
  std::optional<Issue> issue_;  ///< the first one
};

}  // namespace

bool compare_readers(const Options& options, const Operands& operands, const Query& query,
                     const output::OutputStyle& style, output::Writer& writer) {
  const auto report =
      options.json.empty() ? comparison_table(style, writer) : comparison_records(writer);
  bool complete = true;
  for (const std::string& root : named_roots(options, operands)) {
    complete = Comparison(options, root, query, writer, *report).run() && complete;
  }
  return complete;
}

namespace {

/// Spreads every bit over all of them (the finalizer of splitmix64).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// Hashes eight bytes at a time, since it runs for every measured entry.
std::uint64_t with_text(std::uint64_t hash, std::string_view text) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  while (text.size() >= sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    hash = (hash ^ word) * odd;
    hash ^= hash >> 32U;
    text.remove_prefix(sizeof word);
  }
  std::uint64_t rest = text.size();
  for (const char c : text) rest = (rest << 8U) | static_cast<unsigned char>(c);
  return mixed(hash ^ rest);
}

/// Hash of type, directory and name.
std::uint64_t names_hash(const Entry& entry) {
  const auto type = static_cast<std::uint64_t>(entry.type);
  return with_text(with_text(type, entry.directory), entry.name);
}

/// `hash` is the entry's own, so that the sum changes if two entries swap their metadata. A missing
/// attribute is hashed as the complement of the value, so that it does not equal a 0.
std::uint64_t metadata_hash(const Entry& entry, std::uint64_t hash) {
  const Metadata& metadata = entry.metadata;
  const auto add = [&](Needs need, std::uint64_t value) {
    hash = mixed(hash ^ ((entry.present & need) != 0 ? value : ~value));
  };
  add(needs::mode, metadata.mode);
  add(needs::owner, (std::uint64_t{metadata.uid} << 32U) | metadata.gid);
  add(needs::modified, static_cast<std::uint64_t>(metadata.modified));
  // The size of a directory is up to the file system, and two calls need not agree.
  if (entry.type == FileType::file) add(needs::size, metadata.size);
  return hash;
}

}  // namespace

/// One for each worker; its sums go to the sink when it is destroyed.
class DigestSink::DigestLane final : public Lane {
 public:
  explicit DigestLane(DigestSink& sink) : sink_(sink) {}
  ~DigestLane() override {
    const std::lock_guard lock(sink_.mutex_);
    sink_.digest_.entries += sum_.entries;
    sink_.digest_.names += sum_.names;
    sink_.digest_.metadata += sum_.metadata;
  }
  DigestLane(const DigestLane&) = delete;
  DigestLane& operator=(const DigestLane&) = delete;

  bool emit(Entry& entry) override {
    entry.require(sink_.needs());
    const std::uint64_t hash = names_hash(entry);
    ++sum_.entries;
    sum_.names += hash;
    if (sink_.with_metadata_) sum_.metadata += metadata_hash(entry, hash);
    return true;
  }
  void flush_if_due() override {}
  void flush() override {}

 private:
  DigestSink& sink_;
  TreeDigest sum_;
};

std::unique_ptr<Lane> DigestSink::open_lane() {
  return std::make_unique<DigestLane>(*this);
}

void DigestSink::report(const Issue& issue) {
  const std::lock_guard lock(mutex_);
  if (!first_issue_) first_issue_ = issue;
}

void DigestSink::notice(const std::string& /*path*/, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (notice_.empty()) notice_ = text;
}

}  // namespace ffind::cli
