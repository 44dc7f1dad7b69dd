// SPDX-License-Identifier: MIT
// Roots and plan of a search: collects the roots that operands, files and volumes name, locates
// them in the mount table, probes the volumes if their catalogs matter, and calls the planner. Also
// prints plans (--explain); --list-volumes is in volume_list.cpp, --compare-readers in compare.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/request.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/query.h"
#include "os/files.h"
#include "output/output_style.h"
#include "output/writer.h"
#include "plan/explain.h"
#include "plan/mounts.h"

namespace ffind::cli {

/// Plans the search. `output_needs` are the attributes that the output needs of a match. Roots that
/// cannot be searched, and empty names in lists of roots, are added to `issues`; without it, an
/// empty name is a UsageError. Throws UsageError, and std::system_error if the mount table cannot
/// be read.
Plan plan_search(const Options& options, const Operands& operands, const Query& query,
                 const Matcher& matcher, Needs output_needs, std::vector<Issue>* issues = nullptr,
                 MountTable table = os::mount_table());

/// Reads what is in the Trash into `scope`, for --trashed. Throws UsageError, and std::system_error
/// if the mount table cannot be read.
void read_trash(const Options& options, const Operands& operands, Scope& scope);

/// Opens the lists of the scope. Throws UsageError.
ListReader open_lists(const Options& options, const Scope& scope);

/// The roots of plan_search; "" is the current directory. Throws UsageError.
std::vector<std::string> named_roots(const Options& options, const Operands& operands);

/// Reads the files of --exclude-from and git's settings into `scope`. Throws UsageError.
void read_ignore_rules(const Options& options, Scope& scope);

/// Processors and readers of this machine.
Machine this_machine();

/// Locates a root. A root on a network volume, recognised by its text, is left to its own worker
/// unless it is `alone`: a dead server must not delay the other roots. Such a location is lexical
/// (`probed` is false), and its type unknown.
Location locate_root(const std::string& root, const plan::Mounts& mounts, bool alone,
                     bool follow = true);

/// Loads the rights of this process to the file at `path` (read, write, run) that are `wanted`.
void load_rights(Entry& entry, const std::string& path, Needs wanted);

/// The mount point of the volume that contains the path `name` ("/home/me"), or has that name,
/// label or source ("Backup", "server:/export"). Empty if the mount table lacks it: without /proc,
/// or in a chroot. Throws UsageError.
std::string volume_root(const std::string& name, const plan::Mounts& mounts);

/// Says so.
Issue not_in_mount_table(const std::string& path);

/// Probes the volumes at the indices `which`. A call to a dead server would not return.
void ask_volumes(MountTable& table, const std::vector<std::size_t>& which);

/// The text of --explain, all of it with -l, or NDJSON with --json. `search_limit` is the number of
/// matches after which the search itself ends; `files` added options.
std::string explanation(const Options& options, const Query& query, const Matcher& matcher,
                        const Plan& plan, std::uint64_t search_limit,
                        const std::vector<std::string>& files);

/// Output of --list-volumes.
struct VolumeList {
  std::string text{};           ///< a table, or NDJSON with --json
  std::vector<Issue> issues{};  ///< PATHs that cannot be located
  /// A thread still waits for a volume: end the process by std::_Exit().
  bool waits = false;
};

/// Lists the volumes of `options`, of its PATHs if it has any. `style` is that of the output.
/// Throws UsageError, and std::system_error if the mount table cannot be read.
VolumeList list_volumes(const Options& options, const output::OutputStyle& style);

/// --compare-readers: prints a table for each root, its heading in `style`, or NDJSON. `query` has
/// no test; a forced method, reader or number of threads restricts the strategies. Returns false if
/// something could not be read, or if the strategies do not agree. Throws UsageError.
bool compare_readers(const Options& options, const Operands& operands, const Query& query,
                     const output::OutputStyle& style, output::Writer& writer);

/// Rows as NDJSON, or as CSV with a heading.
std::string rows_text(const std::vector<plan::ExplainedRow>& rows, text::RowForm form = {});

}  // namespace ffind::cli
