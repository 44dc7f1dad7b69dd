// SPDX-License-Identifier: MIT
// --compare-readers: measures all strategies to list a tree (walk with each reader, catalog,
// numbers of threads), checks that they find the same, and marks the one that a search takes.
//
// A tree is measured for names, then for metadata: each strategy runs once, perhaps with a cold
// cache, and then repeatedly for the median. A row is begun before its runs, which may take long:
//
//     METHOD   READER    THREADS  READS          FIRST      REPEAT
//     walk     getdents     1-64  names       0.1234 s    0.0456 s  planned; cold
//
// Each run plans anew, with the scope that forces the strategy. Its digest is compared with that of
// the first strategy.
#include "cli/search_plan.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/searcher.h"
#include "os/catalog.h"
#include "os/directory_reader.h"
#include "os/files.h"
#include "os/machine.h"
#include "output/messages.h"
#include "output/pipeline.h"
#include "plan/explain.h"
#include "text/format.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

/// A strategy is repeated until this much time has passed, and at most this often: two runs of a
/// small tree differ by more than two strategies.
constexpr Nanoseconds enough_time = 400'000'000;
constexpr std::size_t most_repeats = 5;

/// Numbers of threads that are tried; 0 is the planned one.
constexpr unsigned thread_numbers[] = {0, 1, 16};

constexpr Needs needs_with(bool metadata) {
  const Needs more = needs::mode | needs::owner | needs::size | needs::modified;
  return needs::directory | needs::type | (metadata ? more : 0);
}

/// A tree in numbers that do not depend on the order of its entries.
struct TreeDigest {
  std::uint64_t entries = 0;
  std::uint64_t hashes = 0;  ///< their sum
  bool operator==(const TreeDigest&) const = default;
};

/// Hash of type, directory, name and the metadata of a long listing if `with_metadata`. A missing
/// attribute is hashed as the complement of its value, so that it does not equal a 0.
std::uint64_t hash_of(const Entry& entry, bool with_metadata) {
  constexpr std::hash<std::string_view> text_hash;
  auto hash = static_cast<std::uint64_t>(entry.type);
  const auto add = [&](std::uint64_t value, Needs need = 0) {
    hash = (hash ^ ((entry.present & need) == need ? value : ~value)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
  };
  add(text_hash(entry.directory));
  add(text_hash(entry.name));
  if (!with_metadata) return hash;
  const Metadata& metadata = entry.metadata;
  add(metadata.mode, needs::mode);
  add((std::uint64_t{metadata.uid} << 32U) | metadata.gid, needs::owner);
  add(static_cast<std::uint64_t>(metadata.modified), needs::modified);
  // The size of a directory is up to the file system, and two calls need not agree.
  if (entry.type == FileType::file) add(metadata.size, needs::size);
  return hash;
}

/// Sums up a TreeDigest in place of an output. It is complete after the destruction of the lanes.
struct DigestSink final : Sink {
  explicit DigestSink(bool with_metadata) : metadata(with_metadata) {}

  /// Adds to its own sum, and that to the sink's when it is destroyed: emit() takes no lock.
  struct DigestLane final : Lane {
    explicit DigestLane(DigestSink& to) : sink(to) {}
    ~DigestLane() override {
      const std::lock_guard lock(sink.mutex);
      sink.digest.entries += sum.entries;
      sink.digest.hashes += sum.hashes;
    }
    bool emit(Entry& entry) override {
      entry.require(sink.needs());
      ++sum.entries;
      sum.hashes += hash_of(entry, sink.metadata);
      return true;
    }
    void flush_if_due() override {}
    void flush() override {}

    DigestSink& sink;
    TreeDigest sum;
  };

  Needs needs() const { return needs_with(metadata); }
  std::unique_ptr<Lane> open_lane() override { return std::make_unique<DigestLane>(*this); }
  void report(const Issue& found) override {
    const std::lock_guard lock(mutex);
    if (!issue) issue = found;
  }
  void notice(const std::string& /*path*/, const std::string& text) override {
    const std::lock_guard lock(mutex);
    if (note.empty()) note = text;
  }

  const bool metadata;
  std::mutex mutex;  ///< guards what follows
  TreeDigest digest;
  std::optional<Issue> issue;  ///< the first one
  std::string note;            ///< such as a catalog that could not be read
};

constexpr char row[] = "{:<7}  {:<8}  {:>7}  {:<8}";
constexpr char times_row[] = "  {:>10}  {:>10}";

struct Run {
  Nanoseconds time = 0;
  bool cold = false;  ///< it read from a device; false if unknown
  TreeDigest digest;
  Statistics statistics;
  std::optional<Issue> issue;
  std::string notice;
};

/// In tenths of a millisecond, for small trees.
std::string seconds_text(Nanoseconds time) {
  return text::format("{:.4f} s", static_cast<double>(time) / 1e9);
}

/// The comparison of one tree.
class Comparison {
 public:
  Comparison(const Options& options, const std::string& root, const Query& query,
             const output::OutputStyle& style, output::Writer& writer)
      : options_(options), query_(query), style_(style), writer_(writer) {
    operands_.paths = {root};
    // named_roots has resolved them to this root.
    for (const Id id : {Id::volume, Id::all_volumes, Id::files0_from}) options_.take_out(id);
  }

  /// Returns true if all strategies could read all of the tree, and found the same.
  bool run() {
    Scope automatic = query_.scope;
    automatic.method = Method::automatic;
    automatic.reader = Reader::automatic;
    automatic.threads = 0;
    const Plan plan = plan_with(automatic, needs_with(false));
    for (const Location& location : plan.missing) tell({location.typed, "", location.error});
    if (plan.tasks.empty()) return plan.missing.empty();
    const Volume& volume = plan.tasks.front().volume;
    // Kernel file systems are made up on reading and differ between any two runs.
    stands_still_ = volume.kind != VolumeKind::kernel;
    write_text(text::format(
        "{}, on {} ({}, {})\n", text::escaped(path()), text::escaped(volume.mount_point),
        volume.file_system.empty() ? "unknown" : volume.file_system, to_text(volume.kind)));
    write_text(output::shown_heading(text::format(row, "METHOD", "READER", "THREADS", "READS") +
                                         text::format(times_row, "FIRST", "REPEAT") + '\n',
                                     style_));
    for (const bool metadata : {false, true}) {
      const Plan planned = plan_with(automatic, needs_with(metadata));
      if (planned.tasks.empty()) break;  // the tree is gone
      reference_.reset();
      measure_all(planned.tasks.front(), metadata);
    }
    write_text(text::format("found: {} entries in {} directories{}\n", text::grouped(entries_),
                            text::grouped(directories_),
                            differs_ ? "; NOT BY ALL" : ", by all of them"));
    if (issue_) tell(*issue_);
    return !differs_ && !issue_;
  }

 private:
  void write_text(std::string_view text) {
    if (!json_) writer_.write(text);
  }

  void tell(const Issue& issue) {
    if (options_.has(Id::no_messages)) return;
    writer_.write_message(options_.has(Id::json_errors) ? output::record_of(issue)
                                                        : output::message_of(issue));
  }

  std::string path() const {
    return operands_.paths.front().empty() ? "." : operands_.paths.front();
  }

  Plan plan_with(const Scope& scope, Needs needs) const {
    Query query = query_;
    query.scope = scope;
    return plan_search(options_, operands_, query, Matcher(query), needs);
  }

  /// Measures each method and reader with its planned threads, one, and many. The planned strategy
  /// is the first, since only the very first run can have a cold cache. A forced method or reader
  /// restricts them; --reader alone means a walk.
  void measure_all(const Task& planned, bool metadata) {
    const Scope& forced = query_.scope;
    std::vector<std::pair<Method, Reader>> ways;
    for (const Reader reader : os::readers()) ways.emplace_back(Method::walk, reader);
    ways.emplace_back(Method::catalog, Reader::automatic);
    std::erase_if(ways, [&forced](const auto& way) {
      return (forced.method != Method::automatic && way.first != forced.method) ||
             (forced.reader != Reader::automatic && way.second != forced.reader &&
              forced.method != Method::catalog);
    });
    const auto is_planned = [&planned](const auto& way) {
      return way.first == planned.choice.method &&
             (way.first == Method::catalog || way.second == planned.choice.reader);
    };
    std::stable_partition(ways.begin(), ways.end(), is_planned);
    for (const auto& way : ways) {
      Scope scope = forced;
      scope.method = way.first;
      if (way.first == Method::walk) scope.reader = way.second;
      for (const unsigned threads : thread_numbers) {
        if (threads != 0 && forced.threads != 0) break;
        if (threads != 0) scope.threads = threads;
        const bool adjustable = measure(scope, metadata, scope.threads == 0 && is_planned(way));
        if (!adjustable && threads == 0) break;
      }
    }
  }

  /// Measures the strategy that `scope` forces and writes its row. Returns false if it is refused
  /// or has one thread.
  bool measure(const Scope& scope, bool metadata, bool planned) {
    const std::string reads = metadata ? "metadata" : "names";
    const std::string method(to_text(scope.method));
    const std::string reader(scope.method == Method::walk ? to_text(scope.reader) : "");
    plan::ExplainedRow record{
        {"path", path()}, {"reads", reads}, {"method", method}, {"reader", reader}};
    const auto refuse = [&](std::string_view reason) {
      record.push_back({"refused", std::string(reason)});
      writer_.write(json_
                        ? ndjson({record})
                        : text::format("{:<7}  not measured for {}: {}\n", method, reads, reason));
      return false;
    };
    unsigned threads = 1;
    unsigned most = 1;
    try {
      const Plan plan = plan_with(scope, needs_with(metadata));
      if (plan.tasks.empty()) return false;
      const Task& task = plan.tasks.front();
      threads = task.choice.threads;
      most = std::max(task.choice.threads, task.choice.most_threads);
      if (task.choice.method == Method::catalog &&
          task.choice.catalog_shape == CatalogShape::flat && !task.whole_volume &&
          query_.scope.method != Method::catalog) {
        return refuse("it is read as a whole, but this is part of a volume");
      }
    } catch (const CatalogUnavailable& error) {
      // A typed --method catalog that is not possible is an error, as in a search.
      if (query_.scope.method == Method::catalog) throw;
      return refuse(error.reason());
    }
    std::string number = std::to_string(threads);
    if (most > threads) number += '-' + std::to_string(most);
    write_text(text::format(row, method, reader, number, reads));
    const Run first = run_once(scope, metadata);
    Run last;
    std::vector<Nanoseconds> times;
    for (Nanoseconds sum = 0; times.empty() || (sum < enough_time && times.size() < most_repeats);
         sum += last.time) {
      last = run_once(scope, metadata);
      times.push_back(last.time);
    }
    std::sort(times.begin(), times.end());
    const Nanoseconds repeat = times[times.size() / 2];
    if (!issue_) issue_ = last.issue;
    directories_ = std::max(directories_, last.statistics.directories);

    std::vector<std::string> notes;
    if (planned) notes.emplace_back("planned");
    if (first.cold) notes.emplace_back("cold");
    const std::uint64_t errors = last.statistics.issues;
    if (errors > 0) notes.push_back(text::format("{} error{}", errors, errors == 1 ? "" : "s"));
    if (!last.notice.empty()) notes.push_back(last.notice);
    const bool agrees = this->agrees(scope, metadata, last, notes);
    differs_ = differs_ || !agrees;
    if (json_) {
      record.insert(record.end(), {{"threads", std::uint64_t{threads}},
                                   {"most_threads", std::uint64_t{most}},
                                   {"planned", planned},
                                   {"first_nanoseconds", static_cast<std::uint64_t>(first.time)},
                                   {"repeat_nanoseconds", static_cast<std::uint64_t>(repeat)},
                                   {"entries", last.digest.entries},
                                   {"errors", errors},
                                   {"agrees", agrees},
                                   {"notes", notes}});
      writer_.write(ndjson({record}));
    } else {
      std::string text = text::format(times_row, seconds_text(first.time), seconds_text(repeat));
      for (const std::string& note : notes) text += (&note == notes.data() ? "  " : "; ") + note;
      writer_.write(text + '\n');
    }
    return most > 1;
  }

  Run run_once(const Scope& scope, bool metadata) const {
    Query query = query_;
    query.scope = scope;
    const Matcher matcher(query);
    DigestSink sink(metadata);
    const Plan plan = plan_search(options_, operands_, query, matcher, sink.needs());
    // The time of planning is not part of the run.
    const std::uint64_t read_before = os::device_reads();
    const Nanoseconds begin = os::monotonic_now();
    const SearchResult result =
        run_search(plan, matcher, unlimited, sink, sink.needs(),
                   {os::open_file_system, os::open_catalog, os::device_directories});
    const Nanoseconds time = os::monotonic_now() - begin;
    // Reads over a network are not counted by the system.
    const bool local = std::all_of(plan.tasks.begin(), plan.tasks.end(), [](const Task& task) {
      return task.volume.kind == VolumeKind::local;
    });
    const bool cold = local && os::device_reads() != read_before;
    return {time, cold, sink.digest, result.statistics, sink.issue, sink.note};
  }

  /// Compares a run with the reference. If they differ, both are run again: the strategies differ
  /// only if each finds the same as before, since otherwise the tree has changed.
  bool agrees(const Scope& scope, bool metadata, const Run& last, std::vector<std::string>& notes) {
    // The first strategy agrees with itself.
    if (!reference_) reference_ = {scope, last};
    auto& [reference_scope, reference] = *reference_;
    const std::uint64_t expected = reference.digest.entries;
    entries_ = expected;
    if (last.digest == reference.digest) return true;
    // A catalog has the entries of directories that this user may not open.
    if (scope.method == Method::catalog && last.digest.entries > expected &&
        reference.statistics.issues > 0) {
      notes.emplace_back("also lists what is closed to a walk");
      return true;
    }
    const Run before = std::exchange(reference, run_once(reference_scope, metadata));
    const bool repeats = run_once(scope, metadata).digest == last.digest;
    if (!stands_still_ || !repeats || !(before.digest == reference.digest)) {
      notes.emplace_back("the tree changes");
      return true;
    }
    notes.push_back(text::format("DIFFERS: {} entries, not {}", last.digest.entries, expected));
    return false;
  }

  Options options_;
  Operands operands_;
  const Query& query_;
  const output::OutputStyle& style_;
  output::Writer& writer_;
  const bool json_ = options_.has(Id::json);
  std::optional<std::pair<Scope, Run>> reference_;  ///< the first strategy, and its last run
  std::uint64_t entries_ = 0;
  std::uint64_t directories_ = 0;  ///< a flat catalog opens none
  bool differs_ = false;
  bool stands_still_ = true;
  std::optional<Issue> issue_;  ///< the first one
};

}  // namespace

bool compare_readers(const Options& options, const Operands& operands, const Query& query,
                     const output::OutputStyle& style, output::Writer& writer) {
  bool complete = true;
  const std::vector<std::string> roots = named_roots(options, operands);
  for (const std::string& root : roots) {
    if (!options.has(Id::json) && &root != &roots.front()) writer.write("\n");
    complete = Comparison(options, root, query, style, writer).run() && complete;
  }
  return complete;
}

}  // namespace ffind::cli
