// SPDX-License-Identifier: MIT
// Rows as text for people: tables and indented blocks. Called by cli with rows of explain.cpp;
// knows their keys, nothing of plans.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "plan/explain.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/unicode.h"

namespace ffind::plan {
namespace {

std::string value_text(const ExplainedValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text::escaped(*text);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return text::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  std::string list;
  for (const std::string& text : *std::get_if<std::vector<std::string>>(&value)) {
    if (!list.empty()) list += ", ";
    list += text::escaped(text);
  }
  return list;
}

std::string value_of(const ExplainedRow& row, std::string_view key) {
  const auto found = std::find_if(row.begin(), row.end(),
                                  [&](const ExplainedField& field) { return field.key == key; });
  return found == row.end() ? std::string() : value_text(found->value);
}

using Line = std::vector<std::string>;

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
    // A last column without a value leaves blanks behind.
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + '\n';
  }
  return text;
}

std::string scope_text(const ExplainedRow& row) {
  std::string text =
      value_of(row, "cross_volumes") == "yes" ? "enters other volumes" : "one volume per root";
  const auto say = [&](std::string_view key, std::string_view before) {
    const std::string value = value_of(row, key);
    if (value == "yes") text += text::format("; {}", before);
    if (!value.empty() && value != "yes" && value != "no")
      text += text::format("; {} {}", before, value);
  };
  say("network", "including network volumes");
  say("min_depth", "from depth");
  say("max_depth", "to depth");
  say("skip_hidden", "no hidden entries");
  say("skip_packages", "packages not entered");
  say("gitignore", "skips what git ignores (gitignore)");
  say("ignore_files", "skips what these files ignore:");
  say("exclude_from", "skips what is listed in:");
  say("exclude", "excluded:");
  say("prune", "pruned:");
  say("follow", "follows links");
  say("unique", "visits each directory once");
  say("limit", "limit:");
  return text;
}

/// What is done with the matches, in its order.
std::string output_text(const ExplainedRow& row) {
  std::string text;
  const auto say = [&](bool applies, const std::string& words) {
    if (!applies) return;
    if (!text.empty()) text += "; ";
    text += words;
  };
  const std::string counted = value_of(row, "counted_by");
  say(!counted.empty(), "counted: " + counted);
  const std::string sorted = value_of(row, "sorted_by");
  say(!sorted.empty(), "sorted by " + sorted + ", once all are found");
  say(value_of(row, "tree") == "yes", "a tree");
  const std::string conditions = value_of(row, "conditions");
  say(!conditions.empty(), "if this succeeds: " + conditions);
  const std::string limit = value_of(row, "limit");
  say(!limit.empty(), "the first " + limit);
  const std::string commands = value_of(row, "commands");
  const std::string command = value_of(row, "command");
  say(commands == "each", "a command for each match: " + command);
  say(commands == "batches", "commands for batches of matches: " + command);
  say(commands == "delete", "delete the matches");
  if (value_of(row, "dry_run") == "yes") text += ", dry run";
  return text;
}

/// What few volumes are.
std::string notes_of(const ExplainedRow& row) {
  std::string notes;
  const auto note = [&](bool holds, const std::string& words) {
    if (!holds) return;
    if (!notes.empty()) notes += ", ";
    notes += words;
  };
  const std::string catalog = value_of(row, "catalog");
  const bool noted = !value_of(row, "catalog_note").empty();
  note(catalog == "none" && noted, "catalog not readable");
  note(catalog == "claimed" && noted, "catalog on request");
  note(!catalog.empty() && catalog != "none" && !(catalog == "claimed" && noted),
       "catalog " + catalog);
  const std::string group = value_of(row, "group");
  note(!group.empty() && group != value_of(row, "id"), "part of another");
  note(!group.empty() && group == value_of(row, "id"), "has other volumes as parts");
  note(value_of(row, "snapshot") == "yes", "snapshot");
  note(value_of(row, "disk_image") == "yes", "disk image");
  note(value_of(row, "browsable") == "no", "hidden from users");
  return notes;
}

std::string volume_text(const ExplainedRow& row) {
  std::string text =
      text::format("{} on {}", value_of(row, "file_system"), value_of(row, "source"));
  if (value_of(row, "source").empty()) text = value_of(row, "file_system");
  text += text::format(", device {}, {}", value_of(row, "device"), value_of(row, "kind"));
  if (value_of(row, "read_only") == "yes") text += ", read-only";
  if (value_of(row, "subtree") != "/") text += ", its part " + value_of(row, "subtree");
  const std::string notes = notes_of(row);
  if (!notes.empty()) text += ", " + notes;
  return text;
}

std::string choice_text(const ExplainedRow& row, std::string_view what) {
  return text::format("{}: {}", value_of(row, what),
                      value_of(row, text::format("{}_reason", what)));
}

std::string root_text(const ExplainedRow& row) {
  std::string text = value_of(row, "path");
  if (text != value_of(row, "absolute")) text += text::format(" ({})", value_of(row, "absolute"));
  const std::string canonical = value_of(row, "canonical");
  if (!canonical.empty()) text += text::format(", really {}", canonical);
  const std::string elsewhere = value_of(row, "searched_elsewhere");
  if (!elsewhere.empty()) text += text::format("; searched elsewhere: {}", elsewhere);
  const std::string listed = value_of(row, "listed_elsewhere");
  if (!listed.empty()) text += text::format("; searched under other names: {}", listed);
  return text;
}

void append_volume(std::string& text, const ExplainedRow& row) {
  text += text::format("\nvolume {}\n", value_of(row, "mount_point"));
  text += table_text({{"file system", volume_text(row)},
                      {"method", choice_text(row, "method")},
                      {"reader", choice_text(row, "reader")},
                      {"threads", choice_text(row, "threads")}},
                     "  ");
}

}  // namespace

std::string plan_text(const std::vector<ExplainedRow>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ExplainedRow& row = rows[i];
    const std::string record = value_of(row, "record");
    if (record == "query") {
      text += table_text({{"find", value_of(row, "where")}, {"scope", scope_text(row)}}, "");
    } else if (record == "options") {
      text += text::format("with   options of {}\n", value_of(row, "from"));
    } else if (record == "output") {
      text += text::format("then   {}\n", output_text(row));
    } else if (record == "volume") {
      append_volume(text, row);
    } else if (record == "root") {
      text += text::format("  {:<11}  {}\n", "root", root_text(row));
    } else if (record == "boundary") {
      std::vector<Line> lines;
      for (; i < rows.size() && value_of(rows[i], "record") == "boundary"; ++i) {
        lines.push_back({value_of(rows[i], "path"), value_of(rows[i], "reason")});
      }
      --i;
      text += "  mounted below\n" + table_text(lines, "    ");
    } else if (record == "dropped") {
      text +=
          text::format("\nnot searched: {}: {}\n", value_of(row, "path"), value_of(row, "reason"));
    } else if (record == "missing") {
      text += text::format("\ncannot be searched: {}\n", value_of(row, "path"));
    }
  }
  return text;
}

std::string volumes_text(const std::vector<ExplainedRow>& rows) {
  // Ids and reasons make lines too long to compare; JSON has them.
  static constexpr std::array<std::string_view, 10> columns = {
      "mount_point", "file_system", "kind",    "read_only", "device",
      "method",      "reader",      "threads", "source",    "subtree"};
  std::vector<Line> lines = {{"MOUNT POINT", "FILE SYSTEM", "KIND", "READ-ONLY", "DEVICE", "METHOD",
                              "READER", "THREADS", "SOURCE", "PART", "NOTES"}};
  for (const ExplainedRow& row : rows) {
    if (value_of(row, "firmlink") == "yes") continue;
    Line& line = lines.emplace_back();
    for (const std::string_view key : columns) {
      const std::string value = value_of(row, key);
      line.push_back(key == "subtree" && value == "/" ? std::string() : value);
    }
    line.push_back(notes_of(row));
  }
  return table_text(lines, "");
}

}  // namespace ffind::plan
