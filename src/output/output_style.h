// SPDX-License-Identifier: MIT
// Style of the output, as plain data: format, action, order, colours, messages. Filled by cli; read
// by Output, its lanes and the record formats. Knows no option names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/steps.h"
#include "os/files.h"
#include "os/terminal.h"
#include "output/colors.h"
#include "output/commands/action.h"
#include "output/count_keys.h"
#include "output/messages.h"
#include "output/record_fields.h"
#include "output/template.h"
#include "text/data_row.h"

namespace ffind::output {

enum class Format : std::uint8_t {
  text,       ///< one path a line
  null,       ///< one path, one NUL
  json,       ///< NDJSON
  csv,        ///< or with tabs
  templated,  ///< --format
  of_find,    ///< the steps of a line of find that only print
  details,    ///< -l: size and time before the path
  tree,       ///< names below the directories that lead to them
  removal,    ///< matches are deleted, or moved to the Trash
  nothing,    ///< only the exit status tells whether there was a match
};

/// Rows of --usage, other than the roots.
enum class UsageRows : std::uint8_t {
  usual,  ///< directories, for people also files
  directories,
  files,
};

/// Settings of --usage.
struct UsageStyle {
  UsageRows rows = UsageRows::usual;
  bool apparent = false;                  ///< sizes instead of allocated bytes
  std::optional<std::uint32_t> levels{};  ///< of rows to show, 0 for the roots alone
  bool roots_count = true;                ///< without a filter, the roots themselves match
  bool follows = false;                   ///< links are followed, so every file may be found twice
};

/// The file of each group of --duplicates, by the order, that an action spares.
enum class Keep : std::uint8_t { first, last };

struct OutputStyle {
  Format format = Format::text;
  /// Standard output is a terminal: each block of entries is passed on at once.
  bool terminal = false;
  bool messages = true;
  /// Messages go to a terminal: of many with one reason a few are printed, the rest is counted.
  bool brief_messages = false;
  /// Action on the matches instead of writing them. `format` is null or removal then.
  std::optional<Action> action{};
  std::optional<Action> condition{};  ///< an entry matches if its commands succeed
  std::optional<Palette> palette{};   ///< nullopt for no colours
  /// Host of the links that paths are; nullopt for no links.
  std::optional<std::string> link_host{};
  char cell_separator = '\0';  ///< of CSV; '\0' in other formats
  char end = '\n';             ///< after each record of a template or a long listing
  std::optional<Template> record_template{};
  std::optional<FindSteps> steps{};  ///< of find; `format` is of_find, or nothing if in order
  std::optional<ArgumentTemplate> path_template{};  ///< printed in the place of the path
  std::string separator{};  ///< printed in the place of the slashes of a path; empty: none
  /// GNU find's: a current directory that may not be entered fails commands, and the search.
  bool returns = false;
  bool json_messages = false;  ///< issues are reported as NDJSON
  Speaker speaker{};           ///< of other messages
  /// The columns of each match in NDJSON and CSV.
  std::vector<DataColumn> columns{};
  const Accounts* accounts = nullptr;  ///< for names of owners; null for numbers only
  /// Order of the records; empty for the order in which they are found. In a table of --count,
  /// `name` and `path` are its keys.
  std::vector<SortKey> sort{};
  bool counts = false;
  std::vector<CountKey> count_by{};  ///< keys of the table of counts; empty for one number
  std::optional<UsageStyle> usage{};
  bool duplicates = false;  ///< groups of equal files; `limit` is of groups
  std::optional<Keep> keep{};
  unsigned threads = 1;     ///< of commands, and that read files for --duplicates
  os::ScreenSize screen{};  ///< of the terminal, for --usage; 0 without one
  /// Most records to write of those that are collected. Other output is limited by the search.
  std::size_t limit = SIZE_MAX;
  bool of_trash = false;               ///< the entries are those of a Trash
  bool in_list_order = false;          ///< the order of discovery is that of a list of paths
  bool sorts_at_once = false;          ///< what is complete within EarlyOrder::moment, in any case
  bool marks_directories = false;      ///< with a slash at the end
  bool box_characters = false;         ///< for trees; else they are ASCII
  std::uint32_t deepest = UINT32_MAX;  ///< of what is listed; a tree marks directories there
  bool tree_details = false;           ///< trees show sizes and times
  bool has_permissions = false;        ///< -ll: mode, links, owner and group, too
  Instant now{};                       ///< for ages, on a terminal
  bool human_sizes = false;            ///< 1.2M instead of all digits; not in templates and NDJSON
  /// Returns advice about a path that could not be read; printed once, after the first such issue.
  std::string_view (*advice)(const std::string& path, int error) = &os::advice;

  /// Returns true if the output is for people. Output with a NUL after each record is for programs,
  /// which get every byte unchanged even on a terminal.
  bool for_people() const { return terminal && format != Format::null && end != '\0'; }
  /// The time that ages are from, on a terminal.
  std::optional<Instant> ages_from() const {
    return for_people() ? std::optional(now) : std::nullopt;
  }
  bool for_programs() const { return format == Format::json || format == Format::csv; }
  /// Form of rows, if they are for programs.
  text::RowForm row_form() const { return {cell_separator, escapes()}; }
  /// Returns true if control bytes in names are escaped, since they could steer the terminal.
  bool escapes() const { return for_people(); }
};

}  // namespace ffind::output
