// SPDX-License-Identifier: MIT
// What the output is to look like: plain data. Filled by cli, read by Output, its lanes and the
// record formats. Knows no option names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/files.h"
#include "output/colors.h"
#include "output/commands/action.h"
#include "output/record_fields.h"
#include "output/template.h"

namespace ffind::output {

enum class Format : std::uint8_t {
  text,       ///< one path a line
  null,       ///< one path, one NUL
  json,       ///< NDJSON
  templated,  ///< what a template says
  details,    ///< -l: columns of metadata before the path
  tree,       ///< names below the directories that lead to them
  removal,    ///< nothing is shown, matches are deleted
  nothing,    ///< only whether there was a match
};

/// What the matches are counted by.
enum class CountBy : std::uint8_t { nothing, directory, kind, extension };

struct OutputStyle {
  Format format = Format::text;
  /// Somebody watches: each block of entries is passed on at once.
  bool terminal = false;
  bool messages = true;
  /// A person reads the messages: of many of one reason a few are enough.
  bool brief_messages = false;
  /// What is done with the matches instead of writing them. `format` is null or removal then.
  std::optional<Action> action{};
  std::vector<CommandTemplate> conditions{};  ///< a match is what all of them succeed for
  std::optional<Palette> palette{};           ///< none: no colours
  /// Paths are links to files of this host; none: they are no links.
  std::optional<std::string> link_host{};
  char end = '\n';  ///< behind each record of a template or a long listing
  std::optional<Template> record_template{};
  bool json_messages = false;  ///< what cannot be searched is reported as NDJSON
  /// The fields of each match in NDJSON.
  std::vector<const RecordField*> fields{};
  const Accounts* accounts = nullptr;  ///< names of owners; null: they have none
  /// By what the records are sorted; nothing: they go out as they are found. Counts take `name`
  /// and `path` for what was counted by.
  std::vector<SortKey> sort{};
  std::optional<CountBy> count{};
  /// Directories at this depth stand for all that is below them; none: each for what is in it.
  std::optional<std::uint32_t> count_depth{};
  /// Of what is held back, so many records come out; the rest is limited by the search.
  std::uint64_t limit = UINT64_MAX;
  bool marks_directories = false;  ///< by a slash at the end of their paths
  bool box_characters = false;     ///< trees are drawn with them; else with ASCII
  bool tree_details = false;       ///< trees show sizes and times
  /// What a person can do about an errno; printed once, behind the first issue it is about.
  std::string_view (*advice)(int error) = &os::advice;

  /// Whether a person reads it. A NUL behind each record is for programs, which are to get every
  /// byte, also from a terminal.
  bool for_people() const { return terminal && format != Format::null && end != '\0'; }
  /// Whether names could steer the terminal.
  bool escapes() const { return for_people(); }
};

}  // namespace ffind::output
