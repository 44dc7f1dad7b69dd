// SPDX-License-Identifier: MIT
// Explains a plan (--explain) and lists volumes (--list-volumes), each as a short text, as a text
// with everything that is known, and as rows of named values, which cli prints as JSON objects.
// Pure; one thread at a time uses a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ffind/plan.h"
#include "plan/policy.h"

namespace ffind::plan {

using ExplainedValue = std::variant<std::string, std::uint64_t, bool, std::vector<std::string>>;

/// Text is raw bytes, as in the mount table.
struct ExplainedField {
  std::string key;
  ExplainedValue value;
};
using ExplainedRow = std::vector<ExplainedField>;

/// Processing of the matches, in its order; empty if they are printed as they are found.
struct OutputSteps {
  enum class Commands : std::uint8_t { none, each, batches, remove, trash, restore };

  /// The form in which matches are printed: "paths", "a tree"; empty if commands take them.
  std::string printed{};
  /// Key of --count; empty without it.
  std::string counted_by{};
  std::vector<std::string> sorted_by{};
  bool tree = false;
  std::vector<std::string> conditions{};  ///< command lines of --if
  std::uint64_t limit = unlimited;        ///< of matches printed after sorting or conditions
  Commands commands = Commands::none;
  std::vector<std::string> command_lines{};
  bool dry_run = false;
};

/// Everything that `--explain` shows; refers to its query, expression and plan.
struct Explanation {
  const Query& query;
  const Expression& where;  ///< after optimisation
  const Plan& plan;
  std::vector<std::string> option_files{};  ///< configuration and saved searches that added options
  OutputSteps output{};
};

/// A `query` row, `options` and `output` rows if they apply, a `volume` row for each task with its
/// `root` and `boundary` rows, then `dropped` and `missing` roots. The first field of a row,
/// `record`, is its kind. A field that does not apply is left out.
std::vector<ExplainedRow> plan_rows(const Explanation& explained);
/// About five lines: the expression, the place, the method and its reason, the threads, the output.
/// Longer ones are wrapped between words to fit `columns`, unless that is 0.
std::string plan_summary(const Explanation& explained, std::size_t columns = 0);
/// Each choice with its reason, boundaries as a table.
std::string plan_text(const Explanation& explained);

/// A volume with the strategy that would search all of it for names.
struct ListedVolume {
  Volume volume;
  Choice choice;
  std::optional<VolumeSpace> space{};  ///< nullopt if unknown
};

/// Form of a list of volumes.
struct VolumeTable {
  bool all = false;          ///< all columns
  bool heading = false;      ///< the first line is a heading
  bool human_sizes = false;  ///< 1.2M instead of all digits
  std::size_t columns = 0;   ///< width to fit; 0 if unlimited
};

/// The volumes of `table` with these indices, in their order.
std::vector<ListedVolume> list_volumes(const MountTable& table,
                                       const std::vector<std::size_t>& which,
                                       const Machine& machine);
/// One row for each.
std::vector<ExplainedRow> volume_rows(const std::vector<ListedVolume>& volumes);
/// Mount point, type, size, free space and method of each volume in a line. Mount points that do
/// not fit lose their beginning.
std::string volumes_text(const std::vector<ListedVolume>& volumes, const VolumeTable& form);
/// A block of lines for each volume, with all reasons, as in the text of a plan.
std::string volume_blocks(const std::vector<ListedVolume>& volumes, const VolumeTable& form);

}  // namespace ffind::plan
