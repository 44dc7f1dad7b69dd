// SPDX-License-Identifier: MIT
// --compare-readers: measures all strategies to list a tree (walk with each reader, catalog,
// numbers of threads), checks that they find the same, and marks the one that a search takes.
//
// A tree is measured for names, then for metadata: each strategy runs once, perhaps with a cold
// cache, and then repeatedly for the median. A row is begun before its runs, which may take long:
//
//     METHOD   READER    THREADS  READS          FIRST      REPEAT
//     walk     getdents     1-64  names       0.1234 s    0.0456 s  planned; cold
#include "cli/search_plan.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

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

/// Attributes that are read: without metadata, and with that of a long listing.
constexpr Needs names = needs::directory | needs::type;
constexpr Needs metadata = names | needs::mode | needs::owner | needs::size | needs::modified;

/// A tree in numbers that do not depend on the order of its entries.
struct TreeDigest {
  std::uint64_t entries = 0;
  std::uint64_t hashes = 0;  ///< their sum
  bool operator==(const TreeDigest&) const = default;
};

/// Hash of type, directory, name and wanted metadata. A missing attribute is hashed as the
/// complement of its value, so that it does not equal a 0.
std::uint64_t hash_of(const Entry& entry, Needs wanted) {
  auto hash = static_cast<std::uint64_t>(entry.type);
  const auto add = [&](std::uint64_t value, Needs need = 0) {
    if ((wanted & need) != need) return;
    hash = (hash ^ ((entry.present & need) == need ? value : ~value)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
  };
  add(std::hash<std::string_view>()(entry.directory));
  add(std::hash<std::string_view>()(entry.name));
  const Metadata& found = entry.metadata;
  add(found.mode, needs::mode);
  add((std::uint64_t{found.uid} << 32U) | found.gid, needs::owner);
  add(static_cast<std::uint64_t>(found.modified.seconds), needs::modified);
  add(static_cast<std::uint64_t>(found.modified.nanoseconds), needs::modified);
  // The size of a directory is up to the file system, and two calls need not agree.
  if (entry.type == FileType::file) add(found.size, needs::size);
  return hash;
}

struct Run {
  Nanoseconds time = 0;
  bool cold = false;  ///< it read from a device, which is not counted over a network
  TreeDigest digest;
  Statistics statistics;
  std::optional<Issue> issue;  ///< the first one
  std::string notice;          ///< such as a catalog that could not be read
};

/// Sums up the digest of a run, which is complete after the destruction of the lanes.
struct DigestSink final : Sink {
  explicit DigestSink(Needs read) : wanted(read) {}

  /// Adds to its own sum, and that to the sink's when it is destroyed: emit() takes no lock.
  struct DigestLane final : Lane {
    explicit DigestLane(DigestSink& to) : sink(to) {}
    ~DigestLane() override {
      const std::lock_guard lock(sink.mutex);
      sink.run.digest.entries += sum.entries;
      sink.run.digest.hashes += sum.hashes;
    }
    bool emit(Entry& entry) override {
      entry.require(sink.wanted);
      ++sum.entries;
      sum.hashes += hash_of(entry, sink.wanted);
      return true;
    }

    DigestSink& sink;
    TreeDigest sum;
  };

  std::unique_ptr<Lane> open_lane() override { return std::make_unique<DigestLane>(*this); }
  void report(const Issue& found) override {
    const std::lock_guard lock(mutex);
    if (!run.issue) run.issue = found;
  }
  void notice(const std::string& /*path*/, const std::string& text) override {
    const std::lock_guard lock(mutex);
    if (run.notice.empty()) run.notice = text;
  }

  const Needs wanted;
  std::mutex mutex;  ///< guards what follows
  Run run;
};

constexpr char row[] = "{:<7}  {:<8}  {:>7}  {:<8}";

/// The comparison of one tree.
struct Comparison {
  const Options options;
  const Operands operands;
  const std::string path;
  const Query& query;
  const output::OutputStyle& style;
  output::Writer& writer;
  const bool json = options.has(Id::json);
  std::optional<std::pair<Scope, Run>> reference{};  ///< the first strategy, and its last run
  std::uint64_t entries = 0;
  std::uint64_t directories = 0;  ///< a flat catalog opens none
  bool differs = false;
  bool stands_still = true;
  std::optional<Issue> issue{};  ///< the first one

  /// Returns true if all strategies could read all of the tree, and found the same.
  bool run() {
    Scope automatic = query.scope;
    automatic.method = Method::automatic;
    automatic.reader = Reader::automatic;
    automatic.threads = 0;
    const Plan plan = plan_with(automatic, names);
    for (const Location& location : plan.missing) tell({location.typed, "", location.error});
    if (plan.tasks.empty()) return plan.missing.empty();
    const Volume& volume = plan.tasks.front().volume;
    // Kernel file systems are made up on reading and differ between any two runs.
    stands_still = volume.kind != VolumeKind::kernel;
    const std::string system = volume.file_system.empty() ? "unknown" : volume.file_system;
    write_text(text::format("{}, on {} ({}, {})\n", text::escaped(path),
                            text::escaped(volume.mount_point), system, to_text(volume.kind)));
    const std::string heading = text::format(row, "METHOD", "READER", "THREADS", "READS");
    write_text(output::shown_heading(heading + "       FIRST      REPEAT\n", style));
    for (const Needs wanted : {names, metadata}) {
      const Plan planned = plan_with(automatic, wanted);
      if (planned.tasks.empty()) break;  // the tree is gone
      reference.reset();
      measure_all(planned.tasks.front(), wanted);
    }
    write_text(text::format("found: {} entries in {} directories{}\n", text::grouped(entries),
                            text::grouped(directories),
                            differs ? "; NOT BY ALL" : ", by all of them"));
    if (issue) tell(*issue);
    return !differs && !issue;
  }

  void write_text(std::string_view text) {
    if (!json) writer.write(text);
  }

  void tell(const Issue& one) {
    if (!style.messages) return;
    writer.write_message(style.json_messages ? output::record_of(one) : output::message_of(one));
  }

  Plan plan_with(const Scope& scope, Needs wanted) const {
    Query forced = query;
    forced.scope = scope;
    return plan_search(options, operands, forced, Matcher(forced), wanted);
  }

  /// Measures each method and reader with its planned threads, one, and many. The planned strategy
  /// is the first, since only the very first run can have a cold cache. A forced method or reader
  /// restricts them; --reader alone means a walk.
  void measure_all(const Task& planned, Needs wanted) {
    const Scope& forced = query.scope;
    const auto is_planned = [&planned](const Scope& scope) {
      return scope.method == planned.choice.method &&
             (scope.method == Method::catalog || scope.reader == planned.choice.reader);
    };
    std::vector<Scope> ways;
    const auto add = [&](Method method, Reader reader) {
      if (forced.method != Method::automatic && forced.method != method) return;
      const bool any = forced.reader == Reader::automatic || forced.method == Method::catalog;
      if (!any && forced.reader != reader) return;
      Scope scope = forced;
      scope.method = method;
      if (method == Method::walk) scope.reader = reader;
      ways.insert(is_planned(scope) ? ways.begin() : ways.end(), std::move(scope));
    };
    for (const Reader reader : os::readers()) add(Method::walk, reader);
    add(Method::catalog, Reader::automatic);
    for (Scope& scope : ways) {
      for (const unsigned threads : {0U, 1U, 16U}) {  // 0: the planned number
        if (threads != 0) scope.threads = threads;
        const bool adjustable = measure(scope, wanted, scope.threads == 0 && is_planned(scope));
        if (threads == 0 && (!adjustable || forced.threads != 0)) break;
      }
    }
  }

  /// Measures the strategy that `scope` forces and writes its row. Returns false if it is refused
  /// or has one thread.
  bool measure(const Scope& scope, Needs wanted, bool planned) {
    const std::string reads = wanted == names ? "names" : "metadata";
    const std::string method(to_text(scope.method));
    const std::string reader(scope.method == Method::walk ? to_text(scope.reader) : "");
    plan::ExplainedRow record{
        {"path", path}, {"reads", reads}, {"method", method}, {"reader", reader}};
    const auto refuse = [&](std::string_view reason) {
      record.push_back({"refused", std::string(reason)});
      writer.write(json ? rows_text({record})
                        : text::format("{:<7}  not measured for {}: {}\n", method, reads, reason));
      return false;
    };
    unsigned threads = 1;
    unsigned most = 1;
    try {
      const Plan plan = plan_with(scope, wanted);
      if (plan.tasks.empty()) return false;
      const Task& task = plan.tasks.front();
      threads = task.choice.threads;
      most = std::max(task.choice.threads, task.choice.most_threads);
      if (task.choice.method == Method::catalog &&
          task.choice.catalog_shape == CatalogShape::flat && !task.whole_volume &&
          query.scope.method != Method::catalog) {
        return refuse("it is read as a whole, but this is part of a volume");
      }
    } catch (const CatalogUnavailable& error) {
      // A typed --method catalog that is not possible is an error, as in a search.
      if (query.scope.method == Method::catalog) throw;
      return refuse(error.reason());
    }
    std::string number = std::to_string(threads);
    if (most > threads) number += '-' + std::to_string(most);
    write_text(text::format(row, method, reader, number, reads));
    const Run first = run_once(scope, wanted);
    Run last;
    std::vector<Nanoseconds> times;
    for (Nanoseconds sum = 0; times.empty() || (sum < enough_time && times.size() < most_repeats);
         sum += last.time) {
      last = run_once(scope, wanted);
      times.push_back(last.time);
    }
    std::sort(times.begin(), times.end());
    const Nanoseconds repeat = times[times.size() / 2];
    if (!issue) issue = last.issue;
    directories = std::max(directories, last.statistics.directories);

    std::vector<std::string> notes;
    if (planned) notes.emplace_back("planned");
    if (first.cold) notes.emplace_back("cold");
    const std::uint64_t errors = last.statistics.issues;
    if (errors > 0) notes.push_back(text::format("{} error{}", errors, errors == 1 ? "" : "s"));
    if (!last.notice.empty()) notes.push_back(last.notice);
    const bool agrees = this->agrees(scope, wanted, last, notes);
    differs = differs || !agrees;
    if (json) {
      record.insert(record.end(), {{"threads", std::uint64_t{threads}},
                                   {"most_threads", std::uint64_t{most}},
                                   {"planned", planned},
                                   {"first_nanoseconds", static_cast<std::uint64_t>(first.time)},
                                   {"repeat_nanoseconds", static_cast<std::uint64_t>(repeat)},
                                   {"entries", last.digest.entries},
                                   {"errors", errors},
                                   {"agrees", agrees},
                                   {"notes", notes}});
      writer.write(rows_text({record}));
    } else {
      // Tenths of a millisecond, for small trees.
      std::string text =
          text::format("  {:>8.4f} s  {:>8.4f} s", static_cast<double>(first.time) / 1e9,
                       static_cast<double>(repeat) / 1e9);
      for (const std::string& note : notes) text += (&note == notes.data() ? "  " : "; ") + note;
      writer.write(text + '\n');
    }
    return most > 1;
  }

  Run run_once(const Scope& scope, Needs wanted) const {
    Query forced = query;
    forced.scope = scope;
    const Matcher matcher(forced);
    DigestSink sink(wanted);
    const Plan plan = plan_search(options, operands, forced, matcher, wanted);
    // The time of planning is not part of the run.
    const std::uint64_t read_before = os::device_reads();
    const Nanoseconds begin = os::monotonic_now();
    const SearchResult result =
        run_search(plan, matcher, unlimited, sink, sink.wanted,
                   {os::open_file_system, os::open_catalog, os::device_directories});
    sink.run.time = os::monotonic_now() - begin;
    sink.run.cold = os::device_reads() != read_before;
    sink.run.statistics = result.statistics;
    return sink.run;
  }

  /// Compares a run with the reference. If they differ, both are run again: the strategies differ
  /// only if each finds the same as before, since otherwise the tree has changed.
  bool agrees(const Scope& scope, Needs wanted, const Run& last, std::vector<std::string>& notes) {
    // The first strategy agrees with itself.
    if (!reference) reference = {scope, last};
    auto& [first_scope, first] = *reference;
    entries = first.digest.entries;
    if (last.digest == first.digest) return true;
    // A catalog has the entries of directories that this user may not open.
    if (scope.method == Method::catalog && last.digest.entries > entries &&
        first.statistics.issues > 0) {
      notes.emplace_back("also lists what is closed to a walk");
      return true;
    }
    const Run before = std::exchange(first, run_once(first_scope, wanted));
    const bool repeats = run_once(scope, wanted).digest == last.digest;
    if (!stands_still || !repeats || !(before.digest == first.digest)) {
      notes.emplace_back("the tree changes");
      return true;
    }
    notes.push_back(text::format("DIFFERS: {} entries, not {}", last.digest.entries, entries));
    return false;
  }
};

}  // namespace

bool compare_readers(const Options& options, const Operands& operands, const Query& query,
                     const output::OutputStyle& style, output::Writer& writer) {
  bool complete = true;
  const std::vector<std::string> roots = named_roots(options, operands);
  Options rest = options;
  // named_roots has resolved them to these roots.
  for (const Id id : {Id::volume, Id::all_volumes, Id::files0_from}) rest.take_out(id);
  for (const std::string& root : roots) {
    if (!options.has(Id::json) && &root != &roots.front()) writer.write("\n");
    Comparison one{rest, {.paths = {root}}, root.empty() ? "." : root, query, style, writer};
    complete = one.run() && complete;
  }
  return complete;
}

}  // namespace ffind::cli
