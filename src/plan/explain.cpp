// SPDX-License-Identifier: MIT
// Prints plans and volumes: as text of aligned tables, and as rows whose fields become the keys of
// JSON objects. Facts gathers both at once: what is said of the query, the output or a root is a
// field with its key and a clause with its words. Volumes have a text of their own.
//
// The text of a plan, one block for each task (volume_text, root_text, append_task):
//
//     find   name contains "report"
//     scope  one volume per root
//
//     volume /
//       file system  ext4 on /dev/sda1, device 8:1, local
//       method       walk, because ...reason
//       reader       getdents: ...reason
//       threads      2, ...reason
//       root         . (/home/me)
//       mounted below
//         /home/me/usb  another volume: --cross-volumes enters it
//
// All strings of a plan are raw bytes. Text is for a terminal, so paths and patterns are escaped
// here; rows keep the bytes, which cli encodes as JSON.
#include "plan/explain.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "text/format.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::plan {
namespace {

/// Names of the files given with --exclude-from, without their rules.
std::vector<std::string> files_of(const std::vector<IgnoreText>& texts) {
  std::vector<std::string> files;
  files.reserve(texts.size());
  for (const IgnoreText& text : texts) files.push_back(text.file);
  return files;
}

/// "a, b, c", escaped; "a, b, c, 2 more" if there are more than `most`.
std::string list_text(const std::vector<std::string>& texts,
                      std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::string list;
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) {
    if (!list.empty()) list += ", ";
    list += text::escaped(texts[i]);
  }
  if (texts.size() > most) list += text::format(", {} more", texts.size() - most);
  return list;
}

/// A text, a number, a flag or a list of texts.
template <typename Value>
void add(ExplainedRow& row, std::string_view key, const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    row.push_back({std::string(key), std::string(std::string_view(value))});
  } else {
    row.push_back({std::string(key), value});
  }
}

/// A row of a plan. Rows of --list-volumes have no `record`, since all are of one kind.
ExplainedRow record(std::string_view name) {
  ExplainedRow row;
  add(row, "record", name);
  return row;
}

/// The fields of a row, and clauses with a separator between them: "one volume per root; to depth
/// 3; follows links".
class Facts {
 public:
  /// `first`, if not empty, is a clause that always applies.
  explicit Facts(std::string_view separator, std::string first = {}, ExplainedRow row = {})
      : separator_(separator), text_(std::move(first)), row_(std::move(row)) {}

  /// Adds a clause without a field.
  void say(bool applies, std::string_view clause) {
    if (!applies) return;
    if (!text_.empty()) text_ += separator_;
    text_ += clause;
  }
  /// Adds a field, and if it is set a clause.
  void flag(std::string_view key, bool is_set, std::string_view clause) {
    add(row_, key, is_set);
    say(is_set, clause);
  }
  /// Adds a field, and a clause that ends with its value.
  template <typename Value>
  void value(bool applies, std::string_view key, const Value& value, std::string_view words) {
    if (!applies) return;
    add(row_, key, value);
    say(true, text::format("{} {}", words, shown(value)));
  }
  ExplainedRow& row() { return row_; }
  std::string take_text() { return std::move(text_); }

 private:
  static std::string shown(std::uint64_t number) { return std::to_string(number); }
  static std::string shown(const std::string& text) { return text::escaped(text); }
  static std::string shown(const std::vector<std::string>& texts) { return list_text(texts); }

  const std::string_view separator_;
  std::string text_;
  ExplainedRow row_;
};

/// Flags are always in the row, limits and lists only if they were given. The text is the scope on
/// one line, without defaults, after `first`.
Facts facts_of(const Query& query, const Expression& where, std::string first = {}) {
  const Scope& scope = query.scope;
  Facts facts("; ", std::move(first), record("query"));
  add(facts.row(), "where", where.always() ? "everything" : to_text(where));
  add(facts.row(), "cross_volumes", scope.cross_volumes);
  facts.flag("network", scope.network, "including network volumes");
  facts.value(scope.min_depth > 0, "min_depth", scope.min_depth, "from depth");
  facts.value(scope.max_depth != unlimited_depth, "max_depth", scope.max_depth, "to depth");
  facts.flag("skip_hidden", scope.skip_hidden, "no hidden entries");
  facts.flag("skip_packages", scope.skip_packages, "packages not entered");
  facts.flag("gitignore", scope.gitignore.enabled, "skips what git ignores (gitignore)");
  facts.value(!scope.ignore_files.empty(), "ignore_files", scope.ignore_files,
              "skips what these files ignore:");
  facts.value(!scope.ignore_texts.empty(), "exclude_from", files_of(scope.ignore_texts),
              "skips what is listed in:");
  facts.value(!scope.exclude.never(), "exclude", to_text(scope.exclude), "excluded:");
  facts.value(!scope.prune.never(), "prune", to_text(scope.prune), "pruned:");
  facts.flag("follow", scope.follow, "follows links");
  facts.flag("unique", scope.unique, "visits each directory once");
  facts.value(query.limit != unlimited, "limit", query.limit, "limit:");
  return facts;
}

/// "the list on standard input, a path per line".
std::string lists_text(const std::vector<PathList>& lists) {
  std::string text;
  for (const PathList& list : lists) {
    if (list.file.empty()) return "the Trash";
    if (!text.empty()) text += "; ";
    text += text::format("the list {}, {}",
                         list.file == "-" ? "on standard input" : text::escaped(list.file),
                         list.of_records    ? "a record per line"
                         : list.end == '\0' ? "paths that end with NUL"
                                            : "a path per line");
  }
  return text;
}

/// "src (/home/me/src), really /data/src": as opened, then the absolute and the canonical path,
/// each only if it differs.
Facts facts_of(const Root& root) {
  std::string text = text::escaped(root.open_path);
  if (root.open_path != root.absolute) text += text::format(" ({})", text::escaped(root.absolute));
  const bool leads_elsewhere = root.canonical != root.absolute;
  if (leads_elsewhere) text += text::format(", really {}", text::escaped(root.canonical));
  Facts facts("; ", std::move(text), record("root"));
  add(facts.row(), "path", root.open_path);
  add(facts.row(), "absolute", root.absolute);
  if (leads_elsewhere) add(facts.row(), "canonical", root.canonical);
  // Named roots have the depth 0.
  if (!root.below.empty()) add(facts.row(), "depth", root.depth);
  facts.value(!root.covered.empty(), "searched_elsewhere", root.covered, "searched elsewhere:");
  facts.value(!root.listed_elsewhere.empty(), "listed_elsewhere", root.listed_elsewhere,
              "searched under other names:");
  return facts;
}

/// Fields of a volume, alike in --explain and --list-volumes. "device" is "8:1"; `source` may be
/// empty.
void add_volume(ExplainedRow& row, const Volume& volume) {
  add(row, "mount_point", volume.mount_point);
  add(row, "file_system", volume.file_system.empty() ? "unknown" : volume.file_system);
  add(row, "source", volume.source);
  add(row, "kind", to_text(volume.kind));
  add(row, "read_only", volume.read_only);
  add(row, "catalog", to_text(volume.catalog));
  if (!volume.catalog_note.empty()) add(row, "catalog_note", volume.catalog_note);
  add(row, "case_sensitive", volume.case_sensitive);
  add(row, "snapshot", volume.snapshot);
  add(row, "disk_image", volume.disk_image);
  add(row, "browsable", volume.browsable);
  add(row, "device", text::format("{}:{}", volume.major, volume.minor));
  add(row, "subtree", volume.subtree);
  add(row, "id", volume.id);
  if (volume.group != 0) add(row, "group", volume.group);
  add(row, "firmlink", volume.firmlink);
}

std::string reason_text(const Reason& reason) {
  return reason.note.empty() ? reason.text : text::format("{}; {}", reason.text, reason.note);
}

void add_choice(ExplainedRow& row, const Choice& chosen) {
  add(row, "method", to_text(chosen.method));
  add(row, "method_reason", reason_text(chosen.method_reason));
  add(row, "reader", to_text(chosen.reader));
  add(row, "reader_reason", chosen.reader_reason);
  add(row, "threads", chosen.threads);
  if (chosen.most_threads > chosen.threads) add(row, "most_threads", chosen.most_threads);
  add(row, "threads_reason", chosen.threads_reason.text);
  add(row, "entered", chosen.enter);
}

ExplainedRow boundary_row(const Boundary& boundary) {
  ExplainedRow row = record("boundary");
  add(row, "path", boundary.path);
  add(row, "kind", to_text(boundary.kind));
  add(row, "entered", boundary.entered);
  add(row, "left_out", boundary.left_out);
  add(row, "reason", boundary.reason);
  return row;
}

// Text

using Line = std::vector<std::string>;

/// Columns as wide as their widest cell on a terminal, two blanks between them. Lines may have
/// different numbers of cells; the last cell of a line is not padded.
std::string table_text(const std::vector<Line>& lines, std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const Line& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], text::columns_of(line[i]));
    }
  }
  std::string text;
  for (const Line& line : lines) {
    std::string shown(indent);
    for (std::size_t i = 0; i < line.size(); ++i) {
      shown += line[i];
      if (i + 1 < line.size()) shown.append(widths[i] - text::columns_of(line[i]) + 2, ' ');
    }
    // An empty last column leaves blanks at the end.
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + '\n';
  }
  return text;
}

/// Names of roots and volumes in the summary.
constexpr std::size_t most_named = 3;

/// Steps in their order, "sorted by size, once all are found; the first 10". The row has only
/// `record` if matches are printed as they are found; plan_rows then leaves it out.
Facts facts_of(const OutputSteps& output) {
  Facts facts("; ", {}, record("output"));
  // These are in `printed`.
  const bool named = !output.printed.empty();
  if (!output.counted_by.empty()) {
    add(facts.row(), "counted_by", output.counted_by);
    facts.say(!named, "counted: " + text::escaped(output.counted_by));
  }
  if (!output.sorted_by.empty()) {
    add(facts.row(), "sorted_by", output.sorted_by);
    facts.say(true, "sorted by " + list_text(output.sorted_by) + ", once all are found");
  }
  if (output.tree) {
    add(facts.row(), "tree", true);
    facts.say(!named, "a tree");
  }
  facts.value(!output.conditions.empty(), "conditions", output.conditions, "if this succeeds:");
  facts.value(output.limit != unlimited, "limit", output.limit, "the first");
  constexpr std::pair<std::string_view, std::string_view> commands[] = {
      {},
      {"each", "a command for each match: "},
      {"batches", "commands for batches of matches: "},
      {"delete", "delete the matches"},
      {"trash", "move the matches to the Trash"},
      {"restore", "restore the matches"}};
  const auto& [word, words] = commands[static_cast<std::size_t>(output.commands)];
  if (!word.empty()) add(facts.row(), "commands", word);
  facts.say(!word.empty(), std::string(words) + list_text(output.command_lines));
  if (!output.command_lines.empty()) add(facts.row(), "command", output.command_lines);
  if (output.dry_run) add(facts.row(), "dry_run", true);
  return facts;
}

/// The line "print" with its steps, or "then" if nothing is printed.
std::vector<Line> output_lines(const OutputSteps& output) {
  std::string steps = facts_of(output).take_text() + (output.dry_run ? ", dry run" : "");
  if (!output.printed.empty()) {
    return {{"print", steps.empty() ? output.printed : output.printed + "; " + steps}};
  }
  if (steps.empty()) return {};
  return {{"then", std::move(steps)}};
}

/// Unusual properties of a volume.
std::string notes_of(const Volume& volume) {
  Facts notes(", ");
  const bool noted = !volume.catalog_note.empty();
  const bool none = volume.catalog == CatalogSupport::none;
  // A note says why a catalog is not read, at all or without a request.
  const bool on_request = volume.catalog == CatalogSupport::claimed && noted;
  notes.say(none && noted, "catalog not readable");
  notes.say(on_request, "catalog on request");
  notes.say(!none && !on_request, text::format("catalog {}", to_text(volume.catalog)));
  notes.say(volume.group != 0 && volume.group != volume.id, "part of another");
  notes.say(volume.group != 0 && volume.group == volume.id, "has other volumes as parts");
  notes.say(volume.snapshot, "snapshot");
  notes.say(volume.disk_image, "disk image");
  notes.say(!volume.browsable, "hidden from users");
  return notes.take_text();
}

std::string file_system_of(const Volume& volume) {
  return volume.file_system.empty() ? "unknown" : text::escaped(volume.file_system);
}

std::string device_of(const Volume& volume) {
  return text::format("{}:{}", volume.major, volume.minor);
}

std::string volume_text(const Volume& volume) {
  std::string text = file_system_of(volume);
  if (!volume.source.empty()) text += " on " + text::escaped(volume.source);
  Facts parts(", ", std::move(text));
  parts.say(true, "device " + device_of(volume));
  parts.say(true, to_text(volume.kind));
  parts.say(volume.read_only, "read-only");
  parts.say(volume.subtree != "/", "its part " + text::escaped(volume.subtree));
  const std::string notes = notes_of(volume);
  parts.say(!notes.empty(), notes);
  return parts.take_text();
}

/// "walk, because links are followed", "walk, as requested". Reasons may have bytes of the volume's
/// in them, such as its device.
std::string method_text(Method method, const Reason& reason) {
  std::string_view words = "because";
  if (reason.kind == Reason::Kind::absence) words = "because there is";
  if (reason.kind == Reason::Kind::requested) words = "as";
  return text::format("{}, {} {}", to_text(method), words, text::escaped(reason_text(reason)));
}

/// "2, one per processor", "3, as requested".
std::string threads_text(unsigned threads, const Reason& reason) {
  return text::format("{}, {}{}", threads, reason.kind == Reason::Kind::requested ? "as " : "",
                      reason.text);
}

/// The facts of a volume and how it is searched, each with its label.
std::vector<Line> volume_lines(const Volume& volume, const Choice& chosen) {
  return {{"file system", volume_text(volume)},
          {"method", method_text(chosen.method, chosen.method_reason)},
          {"reader",
           text::format("{}: {}", to_text(chosen.reader), text::escaped(chosen.reader_reason))},
          {"threads", threads_text(chosen.threads, chosen.threads_reason)}};
}

/// Appends the block of a volume. Roots are lines of their own, since there may be thousands.
void append_task(std::string& text, const Task& task) {
  text += text::format("\nvolume {}\n", text::escaped(task.volume.mount_point));
  text += table_text(volume_lines(task.volume, task.choice), "  ");
  for (const Root& root : task.roots)
    text += text::format("  {:<11}  {}\n", "root", facts_of(root).take_text());
  if (task.boundaries.empty()) return;
  std::vector<Line> lines;
  lines.reserve(task.boundaries.size());
  for (const Boundary& boundary : task.boundaries) {
    lines.push_back({text::escaped(boundary.path), text::escaped(boundary.reason)});
  }
  text += "  mounted below\n" + table_text(lines, "    ");
}

/// "/srv, on / (ext4)". The first roots are named if there are many.
std::string place_text(const Task& task) {
  std::vector<std::string> roots;
  for (const Root& root : task.roots) roots.push_back(root.absolute);
  return text::format("{}, on {} ({})", list_text(roots, most_named),
                      text::escaped(task.volume.mount_point), file_system_of(task.volume));
}

/// The method's reason for the summary. What a catalog leaves out matters to people; how one of
/// directories deals with odd ones, which it finds too, does not.
Reason short_reason(const Choice& choice) {
  Reason reason = choice.method_reason;
  const bool requested = reason.kind == Reason::Kind::requested;
  if (!requested && choice.catalog_shape == CatalogShape::directories) reason.note.clear();
  return reason;
}

/// Volumes below the roots of `task` that are not searched, "2 volumes mounted below it: /a, /b";
/// empty if there are none.
std::string skipped_text(const Task& task) {
  std::vector<std::string> paths;
  for (const Boundary& boundary : task.boundaries) {
    if (boundary.left_out) paths.push_back(boundary.path);
  }
  if (paths.empty()) return {};
  return text::format("the volume{} mounted below: {}", paths.size() == 1 ? "" : "s",
                      list_text(paths, most_named));
}

/// The lines about roots that are not searched, each after `before`.
std::string unsearched_text(const Plan& plan, std::string_view before) {
  std::string text;
  for (const DroppedRoot& dropped : plan.dropped) {
    text += text::format("{}not searched: {}: {}\n", before, text::escaped(dropped.typed),
                         text::escaped(dropped.reason));
  }
  for (const Location& missing : plan.missing) {
    text += text::format("{}cannot be searched: {}\n", before, text::escaped(missing.typed));
  }
  return text;
}

/// Returns the size of the beginning of `text` that fits into `columns` and ends before a blank;
/// all of it if it fits, the first word if that does not.
std::size_t line_that_fits(std::string_view text, std::size_t columns) {
  if (text::columns_of(text) <= columns) return text.size();
  std::size_t size = text.find(' ');
  for (std::size_t next = size; next != std::string_view::npos; next = text.find(' ', next + 1)) {
    if (text::columns_of(text.substr(0, next)) > columns) break;
    size = next;
  }
  return std::min(size, text.size());
}

/// Breaks the values of a label and a value each; the rest of one follows below it.
void wrap_values(std::vector<Line>& lines, std::size_t columns) {
  std::size_t indent = 0;
  for (const Line& line : lines) indent = std::max(indent, line.front().size() + 2);
  constexpr std::size_t least = 20;
  const std::size_t room = std::max(columns > indent ? columns - indent : 0, least);
  std::vector<Line> wrapped;
  for (const Line& line : lines) {
    std::string label = line.front();
    std::string_view rest = line.back();
    while (!rest.empty()) {
      const std::size_t size = line_that_fits(rest, room);
      wrapped.push_back({std::exchange(label, {}), std::string(rest.substr(0, size))});
      rest.remove_prefix(std::min(size + 1, rest.size()));
    }
  }
  lines = std::move(wrapped);
}

/// The task of lists of paths walks nothing, and is left out.
std::span<const Task> tasks_to_explain(const Explanation& explained) {
  if (!explained.query.scope.lists.empty()) return {};
  return explained.plan.tasks;
}

/// The expression, the scope, after `volumes`, and files of options.
std::vector<Line> query_lines(const Explanation& explained, const char* volumes) {
  const Expression& where = explained.where;
  std::vector<Line> lines = {
      {"find", where.always() ? "everything" : text::escaped(to_text(where))}};
  if (!explained.query.scope.lists.empty()) {
    lines.push_back({"in", lists_text(explained.query.scope.lists)});
    lines.push_back({"how", explained.query.scope.lists.front().of_records
                                ? "by the records alone; no file is looked at"
                                : "one stat for each path that may match; nothing is walked"});
    volumes = "";
  }
  const std::string scope = facts_of(explained.query, where, volumes).take_text();
  if (!scope.empty()) lines.push_back({"scope", scope});
  if (!explained.option_files.empty()) {
    lines.push_back({"with", "options of " + list_text(explained.option_files)});
  }
  return lines;
}

constexpr std::string_view unknown_cell = "-";

std::string or_unknown(std::string_view text) {
  return std::string(text.empty() ? unknown_cell : text);
}

std::string size_cell(const std::optional<VolumeSpace>& space, std::uint64_t VolumeSpace::*part,
                      bool human) {
  std::string cell;
  if (!space) {
    cell = unknown_cell;
  } else if (human) {
    text::append_human_size(cell, (*space).*part, text::SizeUnits::decimal);
  } else {
    text::append_number(cell, (*space).*part);
  }
  return cell;
}

/// Moves the cells of a column to the right, all as wide as the widest.
void align_right(std::vector<Line>& lines, std::size_t column) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line[column].size());
  for (Line& line : lines) line[column].insert(0, width - line[column].size(), ' ');
}

/// Leaves out the beginning of mount points that would not fit: their ends tell them apart.
void cut_mount_points(std::vector<Line>& lines, std::size_t columns) {
  constexpr std::string_view left_out = "...";
  constexpr std::size_t least = 16;
  std::size_t others = 0;
  for (std::size_t i = 1; i < lines.front().size(); ++i) {
    std::size_t width = 0;
    for (const Line& line : lines) width = std::max(width, text::columns_of(line[i]));
    others += width + 2;
  }
  const std::size_t room = std::max(columns > others ? columns - others : 0, least);
  for (Line& line : lines) {
    std::string& cell = line.front();
    if (text::columns_of(cell) <= room) continue;
    cell = std::string(left_out).append(text::end_that_fits(cell, room - left_out.size()));
  }
}

}  // namespace

std::vector<ExplainedRow> plan_rows(const Explanation& explained) {
  std::vector<ExplainedRow> rows = {facts_of(explained.query, explained.where).row()};
  if (!explained.option_files.empty()) {
    add(rows.emplace_back(record("options")), "from", explained.option_files);
  }
  ExplainedRow output = facts_of(explained.output).row();
  if (output.size() > 1) rows.push_back(std::move(output));
  for (const PathList& list : explained.query.scope.lists) {
    ExplainedRow& row = rows.emplace_back(record("list"));
    add(row, "file", list.file);
    add(row, "end", list.end == '\0' ? "NUL" : "line");
  }
  for (const Task& task : tasks_to_explain(explained)) {
    ExplainedRow& row = rows.emplace_back(record("volume"));
    add_volume(row, task.volume);
    add_choice(row, task.choice);
    for (const Root& root : task.roots) rows.push_back(facts_of(root).row());
    for (const Boundary& boundary : task.boundaries) rows.push_back(boundary_row(boundary));
  }
  for (const DroppedRoot& dropped : explained.plan.dropped) {
    ExplainedRow& row = rows.emplace_back(record("dropped"));
    add(row, "path", dropped.typed);
    add(row, "reason", dropped.reason);
  }
  for (const Location& missing : explained.plan.missing) {
    ExplainedRow& row = rows.emplace_back(record("missing"));
    add(row, "path", missing.typed);
    add(row, "errno", static_cast<std::uint64_t>(missing.error));
  }
  return rows;
}

std::string plan_summary(const Explanation& explained, std::size_t columns) {
  std::vector<Line> lines = query_lines(explained, "");
  for (const Task& task : tasks_to_explain(explained)) {
    lines.push_back({"in", place_text(task)});
    if (const std::string skipped = skipped_text(task); !skipped.empty()) {
      lines.push_back({"not in", skipped});
    }
    lines.push_back({"how", method_text(task.choice.method, short_reason(task.choice))});
    lines.push_back({"threads", threads_text(task.choice.threads, task.choice.threads_reason)});
  }
  for (Line& line : output_lines(explained.output)) lines.push_back(std::move(line));
  if (columns != 0) wrap_values(lines, columns);
  return table_text(lines, "") + unsearched_text(explained.plan, "");
}

std::string plan_text(const Explanation& explained) {
  std::vector<Line> lines =
      query_lines(explained, explained.query.scope.cross_volumes ? "enters other volumes"
                                                                 : "one volume per root");
  for (Line& line : output_lines(explained.output)) lines.push_back(std::move(line));
  std::string text = table_text(lines, "");
  for (const Task& task : tasks_to_explain(explained)) append_task(text, task);
  return text + unsearched_text(explained.plan, "\n");
}

std::vector<ListedVolume> list_volumes(const MountTable& table,
                                       const std::vector<std::size_t>& which,
                                       const Machine& machine) {
  std::vector<ListedVolume> volumes;
  volumes.reserve(which.size());
  for (const std::size_t i : which) {
    const Volume& volume = table[i];
    // A firmlink shows a part of its volume.
    volumes.push_back(
        {volume, choose(volume, Scope{}, {.whole_volume = !volume.firmlink}, machine)});
  }
  return volumes;
}

std::vector<ExplainedRow> volume_rows(const std::vector<ListedVolume>& volumes) {
  std::vector<ExplainedRow> rows;
  rows.reserve(volumes.size());
  for (const ListedVolume& listed : volumes) {
    ExplainedRow& row = rows.emplace_back();
    add_volume(row, listed.volume);
    if (listed.space) {
      add(row, "size", listed.space->size);
      add(row, "used", listed.space->used);
      add(row, "free", listed.space->free);
    }
    add_choice(row, listed.choice);
  }
  return rows;
}

// Ids and reasons make lines too long to compare; JSON has them, and volume_blocks() the reasons.
std::string volumes_text(const std::vector<ListedVolume>& volumes, const VolumeTable& form) {
  std::vector<Line> lines;
  if (form.heading) {
    lines.push_back({"MOUNT POINT", "TYPE", "SIZE", "FREE", "HOW"});
  }
  for (const auto& [volume, choice, space] : volumes) {
    if (volume.firmlink) continue;
    Line& line = lines.emplace_back(Line{text::escaped(volume.mount_point), file_system_of(volume),
                                         size_cell(space, &VolumeSpace::size, form.human_sizes),
                                         size_cell(space, &VolumeSpace::free, form.human_sizes),
                                         std::string(to_text(choice.method))});
    if (!form.all) continue;
    line.emplace_back(to_text(choice.reader));
    line.push_back(text::format("{}", choice.threads));
    line.emplace_back(to_text(volume.kind));
    line.emplace_back(volume.read_only ? "yes" : "no");
    line.push_back(device_of(volume));
    line.push_back(or_unknown(text::escaped(volume.source)));
    line.push_back(volume.subtree == "/" ? std::string(unknown_cell)
                                         : text::escaped(volume.subtree));
    line.push_back(notes_of(volume));
  }
  if (lines.empty()) return {};
  constexpr std::size_t size_column = 2;
  constexpr std::size_t free_column = 3;
  align_right(lines, size_column);
  align_right(lines, free_column);
  if (form.columns != 0) cut_mount_points(lines, form.columns);
  return table_text(lines, "");
}

std::string volume_blocks(const std::vector<ListedVolume>& volumes, const VolumeTable& form) {
  std::string text;
  for (const auto& [volume, choice, space] : volumes) {
    if (volume.firmlink) continue;
    std::vector<Line> lines = volume_lines(volume, choice);
    if (space) {
      // A structured binding cannot be captured by clang 14.
      const auto cell = [&, &space = space](std::uint64_t VolumeSpace::*part) {
        return size_cell(space, part, form.human_sizes);
      };
      lines.insert(lines.begin() + 1,
                   {"space", text::format("{}, {} used, {} free", cell(&VolumeSpace::size),
                                          cell(&VolumeSpace::used), cell(&VolumeSpace::free))});
    }
    constexpr std::string_view indent = "  ";
    if (form.columns != 0) wrap_values(lines, form.columns - std::min(form.columns, indent.size()));
    if (!text.empty()) text += '\n';
    text += text::format("volume {}\n", text::escaped(volume.mount_point));
    text += table_text(lines, indent);
  }
  return text;
}

}  // namespace ffind::plan
