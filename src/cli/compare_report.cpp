// SPDX-License-Identifier: MIT
// The two forms of a ComparisonReport: a table for people, whose rows appear as they are measured,
// and NDJSON.
//
//     METHOD   READER    THREADS       FIRST      REPEAT
//     walk     getdents     1-64    0.1234 s    0.0456 s  planned; cold
//
// A row of the table is written in four parts: begin_strategy, add_first, add_repeat, end_strategy.
// On a slow volume the reader sees which strategy is running.
//
// Records are one flat object a line, whose first field is `record`: tree, run (two for a
// strategy), refused, note (only if there is something to say), verdict (one for names, one for
// metadata), agreement. Both forms only format; times and conclusions come from compare.cpp.
#include "cli/compare.h"

#include <utility>

#include "cli/search_plan.h"
#include "output/pipeline.h"
#include "plan/explain.h"
#include "text/format.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

std::string_view word_for(Wanted wanted) {
  return wanted == Wanted::names ? "names" : "metadata";
}

/// "4", or "4-16" if the number adapts to the volume.
std::string threads_text(const Strategy& strategy) {
  if (!strategy.adapts()) return std::to_string(strategy.threads);
  return text::format("{}-{}", strategy.threads, strategy.most_threads);
}

/// Empty for a catalog, which has no reader.
std::string reader_text(const Strategy& strategy) {
  return strategy.reader == Reader::automatic ? std::string()
                                              : std::string(to_text(strategy.reader));
}

/// In a sentence. "a walk with getdents, 1-64 threads" or "the catalog, 1 thread".
std::string name_of(const Strategy& strategy) {
  const std::string what = strategy.method == Method::catalog
                               ? std::string("the catalog")
                               : "a walk with " + reader_text(strategy);
  const bool one = !strategy.adapts() && strategy.threads == 1;
  return text::format("{}, {} thread{}", what, threads_text(strategy), one ? "" : "s");
}

/// In tenths of a millisecond, for small trees.
std::string seconds_text(Nanoseconds time) {
  return text::format("{:.4f} s", static_cast<double>(time) / 1e9);
}

/// Keeps the notes of the current row, and the root for the commands that show a difference.
class Table final : public ComparisonReport {
 public:
  Table(const output::OutputStyle& style, output::Writer& writer)
      : style_(style), writer_(writer) {}

  void begin_tree(const std::string& path, const Volume& volume) override {
    path_ = path.empty() ? "." : path;
    writer_.write(text::format("{}{}, on {} ({}, {})\n", tree_count_++ == 0 ? "" : "\n",
                               text::escaped(path_), text::escaped(volume.mount_point),
                               volume.file_system.empty() ? "unknown" : volume.file_system,
                               to_text(volume.kind)));
  }

  void begin(Wanted wanted) override {
    writer_.write(text::format("\n{}\n", wanted == Wanted::names ? "names only" : "with metadata"));
    writer_.write(
        output::shown_heading(row("METHOD", "READER", "THREADS")
                                  .append(text::format("  {:>10}  {:>10}\n", "FIRST", "REPEAT")),
                              style_));
  }

  void refuse(const Strategy& strategy, const std::string& reason) override {
    writer_.write(text::format("{:<7}  not measured: {}\n", to_text(strategy.method), reason));
  }

  void begin_strategy(const Strategy& strategy) override {
    writer_.write(row(to_text(strategy.method), reader_text(strategy), threads_text(strategy)));
  }

  void add_first(const Measured& measured) override {
    writer_.write(text::format("  {:>10}", seconds_text(measured.first.time)));
  }

  void add_repeat(const Measured& measured) override {
    writer_.write(text::format("  {:>10}", seconds_text(measured.repeat.time)));
    notes_.clear();
    if (measured.strategy.planned) note("planned");
    if (measured.first.cold == true) note("cold");
    const std::uint64_t issues = measured.repeat.issues;
    if (issues > 0) note(text::format("{} error{}", issues, issues == 1 ? "" : "s"));
  }

  void end_strategy(const std::vector<std::string>& notes, bool agrees) override {
    for (const std::string& text : notes) note((agrees ? "" : "DIFFERS: ") + text);
    writer_.write((notes_.empty() ? "" : "  " + notes_) + "\n");
  }

  void end_tree(const Verdict& names, const Verdict& metadata,
                const Agreement& agreement) override {
    std::string text = "\n";
    append(text, "names", names);
    append(text, "metadata", metadata);
    if (agreement.runs > 0) append(text, agreement);
    writer_.write(text);
  }

 private:
  static std::string row(std::string_view method, std::string_view reader,
                         std::string_view threads) {
    return text::format("{:<7}  {:<8}  {:>7}", method, reader, threads);
  }

  void note(const std::string& text) {
    if (!notes_.empty()) notes_ += "; ";
    notes_ += text;
  }

  static void append(std::string& text, std::string_view what, const Verdict& verdict) {
    if (!verdict.plan) return;
    text += text::format("{}: a search takes ", what);
    if (!verdict.planned) {
      text += name_of(*verdict.plan) + ", which was not measured";
    } else {
      text += text::format("{}: {}", name_of(*verdict.plan),
                           seconds_text(verdict.planned->repeat.time));
    }
    if (verdict.plan_is_quickest) {
      text += ", as quick as any\n";
    } else if (verdict.quickest) {
      text += text::format("; quickest: {}: {} ({})\n", name_of(verdict.quickest->strategy),
                           seconds_text(verdict.quickest->repeat.time),
                           options_for(verdict.quickest->strategy));
    } else {
      text += '\n';
    }
  }

  // The command lines to paste list the tree with either strategy and compare the lists.
  void append(std::string& text, const Agreement& agreement) const {
    text += text::format("found: {} entries in {} directories", text::grouped(agreement.entries),
                         text::grouped(agreement.directories));
    if (agreement.odd && agreement.other) {
      text += text::format(
          "; NOT BY ALL\n  to see where: ffind --sort path {0} {1} > a; "
          "ffind --sort path {0} {2} > b; diff a b",
          "--in " + text::shell_word(path_), options_for(*agreement.other),
          options_for(*agreement.odd));
    } else {
      text += agreement.changed ? ", as far as a tree that changes shows" : ", by all of them";
    }
    text += "\ncache: ";
    if (!agreement.cold) {
      text += "whether a run was cold is not known of such a volume\n";
    } else if (*agreement.cold) {
      text += "what is marked cold read from the device; the rest was in memory\n";
    } else {
      text += "warm: no run had to read from a device\n";
    }
  }

  const output::OutputStyle& style_;
  output::Writer& writer_;
  std::string path_;
  unsigned tree_count_ = 0;
  std::string notes_;
};

/// Keeps the fields that are common to the records of a tree: path, `wanted`, and the strategy of a
/// note.
class Records final : public ComparisonReport {
 public:
  explicit Records(output::Writer& writer) : writer_(writer) {}

  void begin_tree(const std::string& path, const Volume& volume) override {
    path_ = path.empty() ? "." : path;
    write({{"record", std::string("tree")},
           {"path", path_},
           {"mount_point", volume.mount_point},
           {"file_system", volume.file_system.empty() ? "unknown" : volume.file_system},
           {"source", volume.source},
           {"kind", std::string(to_text(volume.kind))}});
  }

  void begin(Wanted wanted) override { wanted_ = wanted; }

  void refuse(const Strategy& strategy, const std::string& reason) override {
    plan::ExplainedRow row = record("refused");
    add_strategy(row, "", strategy);
    row.push_back({"reason", reason});
    write(std::move(row));
  }

  void begin_strategy(const Strategy& /*strategy*/) override {}
  void add_first(const Measured& measured) override {
    write_run("first", measured.strategy, measured.first);
  }
  void add_repeat(const Measured& measured) override {
    write_run("repeat", measured.strategy, measured.repeat);
    strategy_ = measured.strategy;
  }

  void end_strategy(const std::vector<std::string>& notes, bool agrees) override {
    if (agrees && notes.empty()) return;
    plan::ExplainedRow row = record("note");
    add_strategy(row, "", strategy_);
    row.push_back({"agrees", agrees});
    row.push_back({"notes", notes});
    write(std::move(row));
  }

  void end_tree(const Verdict& names, const Verdict& metadata,
                const Agreement& agreement) override {
    write_verdict(Wanted::names, names);
    write_verdict(Wanted::metadata, metadata);
    write({{"record", std::string("agreement")},
           {"path", path_},
           {"agree", !agreement.odd},
           {"changed", agreement.changed},
           {"entries", agreement.entries},
           {"directories", agreement.directories}});
  }

 private:
  plan::ExplainedRow record(std::string_view name) const {
    return {
        {"record", std::string(name)}, {"path", path_}, {"wanted", std::string(word_for(wanted_))}};
  }

  // With `prefix` the fields of several strategies fit into one object: planned_method,
  // quickest_method. No reader for a catalog.
  static void add_strategy(plan::ExplainedRow& row, const std::string& prefix,
                           const Strategy& strategy) {
    row.push_back({prefix + "method", std::string(to_text(strategy.method))});
    if (strategy.reader != Reader::automatic)
      row.push_back({prefix + "reader", reader_text(strategy)});
    row.push_back({prefix + "threads", std::uint64_t{strategy.threads}});
    row.push_back({prefix + "most_threads", std::uint64_t{strategy.most_threads}});
  }

  static plan::ExplainedValue nanoseconds(const Timing& timing) {
    return static_cast<std::uint64_t>(timing.time);
  }

  void write_run(std::string_view which, const Strategy& strategy, const Timing& timing) {
    plan::ExplainedRow row = record("run");
    add_strategy(row, "", strategy);
    row.push_back({"planned", strategy.planned});
    row.push_back({"run", std::string(which)});
    row.push_back({"runs", std::uint64_t{timing.runs}});
    row.push_back({"nanoseconds", nanoseconds(timing)});
    if (timing.cold) row.push_back({"cold", *timing.cold});
    row.push_back({"entries", timing.entries});
    row.push_back({"directories", timing.directories});
    row.push_back({"stats", timing.stats});
    row.push_back({"errors", timing.issues});
    row.push_back({"threads_used", std::uint64_t{timing.threads}});
    write(std::move(row));
  }

  // Planned and quickest times are medians of repeated runs.
  void write_verdict(Wanted wanted, const Verdict& verdict) {
    if (!verdict.plan) return;
    wanted_ = wanted;
    plan::ExplainedRow row = record("verdict");
    add_strategy(row, "planned_", *verdict.plan);
    if (verdict.planned) {
      row.push_back({"planned_nanoseconds", nanoseconds(verdict.planned->repeat)});
    }
    if (verdict.quickest) {
      add_strategy(row, "quickest_", verdict.quickest->strategy);
      row.push_back({"quickest_nanoseconds", nanoseconds(verdict.quickest->repeat)});
      row.push_back({"quickest_options", options_for(verdict.quickest->strategy)});
    }
    row.push_back({"plan_is_quickest", verdict.plan_is_quickest});
    write(std::move(row));
  }

  void write(plan::ExplainedRow row) { writer_.write(ndjson({std::move(row)})); }

  output::Writer& writer_;
  std::string path_;
  Wanted wanted_ = Wanted::names;
  Strategy strategy_;
};

}  // namespace

std::string options_for(const Strategy& strategy) {
  std::string text = strategy.method == Method::catalog
                         ? "--method catalog"
                         : text::format("--reader {}", reader_text(strategy));
  if (!strategy.adapts()) text += text::format(" -j {}", strategy.threads);
  return text;
}

std::unique_ptr<ComparisonReport> comparison_table(const output::OutputStyle& style,
                                                   output::Writer& writer) {
  return std::make_unique<Table>(style, writer);
}

std::unique_ptr<ComparisonReport> comparison_records(output::Writer& writer) {
  return std::make_unique<Records>(writer);
}

}  // namespace ffind::cli
