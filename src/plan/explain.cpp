// SPDX-License-Identifier: MIT
// Rows out of plans and mount tables. What they look like is explain_text.cpp's.
#include "plan/explain.h"

#include <string_view>

#include "plan/mounts.h"
#include "plan/policy.h"
#include "text/format.h"

namespace ffind::plan {
namespace {

void add(ExplainedRow& row, std::string_view key, std::string_view text) {
  row.push_back({std::string(key), std::string(text)});
}

void add(ExplainedRow& row, std::string_view key, std::uint64_t number) {
  row.push_back({std::string(key), number});
}

void add(ExplainedRow& row, std::string_view key, const std::vector<std::string>& texts) {
  row.push_back({std::string(key), texts});
}

void add_flag(ExplainedRow& row, std::string_view key, bool flag) {
  row.push_back({std::string(key), flag});
}

ExplainedRow record(std::string_view name) {
  ExplainedRow row;
  add(row, "record", name);
  return row;
}

ExplainedRow query_row(const Query& query, const Expression& where) {
  const Scope& scope = query.scope;
  ExplainedRow row = record("query");
  add(row, "where", where.always() ? "everything" : to_text(where));
  if (scope.min_depth > 0) add(row, "min_depth", std::uint64_t{scope.min_depth});
  if (scope.max_depth != unlimited_depth) add(row, "max_depth", std::uint64_t{scope.max_depth});
  if (!scope.exclude.never()) add(row, "exclude", to_text(scope.exclude));
  if (!scope.prune.never()) add(row, "prune", to_text(scope.prune));
  add_flag(row, "skip_hidden", scope.skip_hidden);
  add_flag(row, "skip_packages", scope.skip_packages);
  add_flag(row, "gitignore", scope.gitignore.enabled);
  if (!scope.ignore_files.empty()) add(row, "ignore_files", scope.ignore_files);
  if (!scope.ignore_texts.empty()) {
    std::vector<std::string> files;
    files.reserve(scope.ignore_texts.size());
    for (const IgnoreText& text : scope.ignore_texts) files.push_back(text.file);
    add(row, "exclude_from", files);
  }
  add_flag(row, "follow", scope.follow);
  add_flag(row, "unique", scope.unique);
  add_flag(row, "cross_volumes", scope.cross_volumes);
  add_flag(row, "network", scope.network);
  if (query.limit != unlimited) add(row, "limit", query.limit);
  return row;
}

void add_volume(ExplainedRow& row, const Volume& volume) {
  add(row, "mount_point", volume.mount_point);
  add(row, "file_system", volume.file_system.empty() ? "unknown" : volume.file_system);
  add(row, "source", volume.source);
  add(row, "kind", to_text(volume.kind));
  add_flag(row, "read_only", volume.read_only);
  add(row, "catalog", to_text(volume.catalog));
  if (!volume.catalog_note.empty()) add(row, "catalog_note", volume.catalog_note);
  add_flag(row, "case_sensitive", volume.case_sensitive);
  add_flag(row, "snapshot", volume.snapshot);
  add_flag(row, "disk_image", volume.disk_image);
  add_flag(row, "browsable", volume.browsable);
  add(row, "device", text::format("{}:{}", volume.major, volume.minor));
  add(row, "subtree", volume.subtree);
  add(row, "id", volume.id);
  if (volume.group != 0) add(row, "group", volume.group);
  add_flag(row, "firmlink", volume.firmlink);
}

/// Task and Choice have these members alike.
template <typename Chosen>
void add_choice(ExplainedRow& row, const Chosen& chosen) {
  add(row, "method", to_text(chosen.method));
  add(row, "method_reason", chosen.method_reason);
  add(row, "reader", to_text(chosen.reader));
  add(row, "reader_reason", chosen.reader_reason);
  add(row, "threads", std::uint64_t{chosen.threads});
  if (chosen.most_threads > chosen.threads) {
    add(row, "most_threads", std::uint64_t{chosen.most_threads});
  }
  add(row, "threads_reason", chosen.threads_reason);
  add_flag(row, "entered", chosen.enter);
}

ExplainedRow root_row(const Root& root) {
  ExplainedRow row = record("root");
  add(row, "path", root.open_path);
  add(row, "absolute", root.absolute);
  if (root.canonical != root.absolute) add(row, "canonical", root.canonical);
  if (!root.below.empty()) add(row, "depth", std::uint64_t{root.depth});
  if (!root.covered.empty()) row.push_back({"searched_elsewhere", root.covered});
  if (!root.listed_elsewhere.empty()) row.push_back({"listed_elsewhere", root.listed_elsewhere});
  return row;
}

ExplainedRow boundary_row(const Boundary& boundary) {
  ExplainedRow row = record("boundary");
  add(row, "path", boundary.path);
  add(row, "kind", to_text(boundary.kind));
  add_flag(row, "entered", boundary.entered);
  add_flag(row, "left_out", boundary.left_out);
  add(row, "reason", boundary.reason);
  return row;
}

}  // namespace

std::vector<ExplainedRow> explain_plan(const Query& query, const Expression& where,
                                       const Plan& plan) {
  std::vector<ExplainedRow> rows = {query_row(query, where)};
  for (const Task& task : plan.tasks) {
    ExplainedRow& row = rows.emplace_back(record("volume"));
    add_volume(row, task.volume);
    add_choice(row, task);
    for (const Root& root : task.roots) rows.push_back(root_row(root));
    for (const Boundary& boundary : task.boundaries) rows.push_back(boundary_row(boundary));
  }
  for (const DroppedRoot& dropped : plan.dropped) {
    ExplainedRow& row = rows.emplace_back(record("dropped"));
    add(row, "path", dropped.typed);
    add(row, "reason", dropped.reason);
  }
  for (const Location& missing : plan.missing) {
    ExplainedRow& row = rows.emplace_back(record("missing"));
    add(row, "path", missing.typed);
    // The errno's words belong to the system, which plan does not know; cli may add them.
    add(row, "errno", static_cast<std::uint64_t>(missing.error));
  }
  return rows;
}

std::vector<ExplainedRow> list_volumes(const MountTable& table, const Machine& machine) {
  std::vector<ExplainedRow> rows;
  const Mounts mounts(table);
  for (const Volume* const volume : mounts.visible()) {
    ExplainedRow& row = rows.emplace_back();
    add_volume(row, *volume);
    // A firmlink shows a part of its volume.
    add_choice(row, choose(*volume, Scope{}, {.whole_volume = !volume->firmlink}, machine));
  }
  return rows;
}

}  // namespace ffind::plan
