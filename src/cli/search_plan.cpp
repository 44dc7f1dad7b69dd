// SPDX-License-Identifier: MIT
// Steps of plan_search():
//
//     roots_of        operands, --files0-from, --volume, --all-volumes    texts
//     locate_roots    os::locate() for each                               locations, with volumes
//         again with a new mount table, if a mount point was renamed meanwhile
//     ask_volumes     os::probe(), if the volumes' catalogs matter        capabilities
//     make_plan       in room plan, without a system call                 tasks
//
// make_plan() calls `enters` back to know whether the walk from one root would come to another root
// or to a mount point: a root that is searched with an outer one is dropped. It tests excludes,
// prunes and ignore files on the directories between them, before the search exists (PathLoader).
//
// A volume whose server is down blocks each call to it, without a time limit. Hence locate_root()
// leaves roots on servers to their own workers, and volumes_to_ask() selects the volumes to probe.
#include "cli/search_plan.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/option_table.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/terminal.h"
#include "os/trash.h"
#include "output/messages.h"
#include "plan/explain.h"
#include "plan/mounts.h"
#include "plan/policy.h"
#include "search/git_config.h"
#include "search/ignore.h"
#include "search/list_lines.h"
#include "text/data_row.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::cli {
namespace {

/// Limits of a file of roots, so that it fits into memory.
constexpr std::size_t most_bytes_of_roots = std::size_t{256} << 20U;
constexpr std::ptrdiff_t most_roots = 4'000'000;

/// The contents of a file that the option names. Throws UsageError, with `too_much` for a file of
/// more than `most` bytes.
std::string contents_of(const std::string& file, Id option, std::size_t most,
                        const std::string& too_much) {
  std::string contents;
  const int error = os::read_to_end(file, most, contents);
  if (error == 0) return contents;
  const std::string reason = error == ENOTSUP ? "not a file or a pipe that ends"
                             : error == EFBIG ? too_much
                                              : output::reason_of(error);
  text::fail_at(source_of(option), file, 0, text::format("'{}': {}", file, reason));
}

/// Adds the roots of a NUL-separated file. An empty name is an issue at FILE:NUMBER, or a
/// UsageError if `issues` is null. A name after the last NUL counts, with or without a NUL at its
/// end. A file with line ends and no NUL was written for another tool: read as it is, it would be
/// one long name.
void add_roots_of_file(std::vector<std::string>& roots, const std::string& file,
                       std::vector<Issue>* issues) {
  const text::ValueSource source = source_of(Id::files0_from);
  const std::string text =
      contents_of(file, Id::files0_from, most_bytes_of_roots, "more than 256 MiB of names");
  if (text.find('\0') == std::string::npos && text.find('\n') != std::string::npos) {
    throw UsageError(
        {.what = text::format("'{}' has one root per line, not one per NUL", text::escaped(file)),
         .place = {.option = "--files0-from", .value = file, .quoted = file},
         .example = "tr '\\n' '\\0' < roots | ffind --files0-from -"});
  }
  if (std::count(text.begin(), text.end(), '\0') > most_roots) {
    text::fail_at(source, file, 0, text::format("more than {} names", most_roots));
  }
  // The number of the name, counted from 1, empty ones included.
  std::size_t number = 1;
  for (std::size_t from = 0; from < text.size(); ++number) {
    const std::size_t to = std::min(text.find('\0', from), text.size());
    if (to > from) {
      roots.push_back(text.substr(from, to - from));
    } else if (issues != nullptr) {
      issues->push_back({text::format("{}:{}", file == "-" ? "standard input" : file, number), "",
                         ENOENT, "the name is empty"});
    } else {
      text::fail_at(source, file, 0, text::format("'{}': name {} is empty", file, number));
    }
    from = to + 1;
  }
}

/// Locates all roots. Returns false if the mount table contradicts the volume of one. `locations`
/// are in the order of `roots`, without the single files that containers mount: they are in the
/// list of --all-volumes.
bool locate_roots(const Options& options, const Scope& scope, const std::vector<std::string>& roots,
                  const plan::Mounts& mounts, std::vector<Location>& locations) {
  bool agree = true;
  locations.clear();
  for (const std::string& root : roots) {
    Location location = locate_root(root, mounts, roots.size() == 1, scope.follow_roots);
    // Printed instead of the root as typed.
    if (options.has(Id::absolute)) {
      location.shown = scope.loose_ignores ? location.canonical : location.absolute;
    }
    agree = agree && mounts.agrees_with(location);
    const bool unsearchable_volume =
        options.has(Id::all_volumes) && location.probed && location.type != FileType::directory;
    if (!unsearchable_volume) locations.push_back(std::move(location));
  }
  return agree;
}

/// Collects the roots that are named: operands, files, volumes.
std::vector<std::string> all_named(const Options& options, const Operands& operands,
                                   const plan::Mounts& mounts, std::vector<Issue>* issues) {
  std::vector<std::string> roots = operands.paths;
  for (const std::string& file : options.all(Id::files0_from))
    add_roots_of_file(roots, file, issues);
  const auto note = [&](const Issue& issue) {
    if (issues != nullptr) issues->push_back(issue);
  };
  for (const std::string& name : options.all(Id::volume)) {
    std::string root = volume_root(name, mounts);
    if (root.empty()) {
      note(not_in_mount_table(name));
    } else {
      roots.push_back(std::move(root));
    }
  }
  if (options.has(Id::all_volumes)) {
    if (!roots.empty()) {
      throw UsageError("--all-volumes already says where to search, but so does '" +
                       text::escaped(roots.front()) + "'");
    }
    if (mounts.holding("/") == nullptr) note(not_in_mount_table("/"));
    for (const Volume& volume : plan::select_volumes(mounts, options.has(Id::network))) {
      roots.push_back(volume.mount_point);
    }
  }
  return roots;
}

/// The roots that are named, or those of relative and absolute paths of lists. The current
/// directory if nothing names a root; but an empty list of roots searches nothing.
std::vector<std::string> roots_of(const Options& options, const Operands& operands,
                                  const plan::Mounts& mounts, std::vector<Issue>* issues) {
  if (options.has_list()) return {"", "/"};
  std::vector<std::string> roots = all_named(options, operands, mounts, issues);
  const bool named =
      options.has(Id::all_volumes) || options.has(Id::files0_from) || options.has(Id::volume);
  if (roots.empty() && !named) roots.emplace_back();
  return roots;
}

/// Loads attributes of a directory between two roots, for the tests of excluded and pruned
/// directories before the search. Each call takes the absolute path, which is slow, but only done
/// for a few directories.
class PathLoader final : public EntryLoader {
 public:
  // Attributes that cannot be read are marked as failed, so that a test of them is unknown.
  void load(Entry& entry, Needs wanted) override {
    const std::string path(entry.absolute_path);
    Needs got = needs::none;
    Metadata found{};
    if (file_system_->stat(nullptr, path.c_str(), {}, wanted & needs::metadata, found, got) == 0) {
      entry.metadata = found;
    }
    load_rights(entry, path, wanted);
    entry.present |= got;
    entry.failed |= wanted & ~entry.present;
  }
  // For `has NAME`; find_path() returns 0 if the path exists.
  std::optional<bool> holds_name(Entry& entry, std::string_view name) override {
    return search::find_path(*file_system_,
                             text::with_slash(std::string(entry.absolute_path)).append(name)) == 0;
  }

 private:
  const std::unique_ptr<os::FileSystem> file_system_ = os::open_file_system(Task{});
};

/// True if the walk from a root enters the directory `relative` below it. Called for each directory
/// between a root and another one, or a mount point, and for the root itself, whose path is empty,
/// if it is listed. `relative` is a suffix of `absolute`.
bool enters(const Matcher& matcher, const Root& root, std::string_view relative,
            std::uint32_t depth) {
  const std::string absolute = text::join_paths(root.absolute, relative);
  const std::string printed =
      relative.empty() ? root.open_path : root.printed + std::string(relative);
  const std::string_view path = text::without_end_slashes(printed);
  Entry entry;
  entry.name = path == "/" ? path : text::name_of(path);
  entry.slashes = std::string_view(printed).substr(path.size());
  entry.type = FileType::directory;
  entry.depth = depth;
  entry.relative_path = relative;
  entry.absolute_path = absolute;
  entry.directory = path.substr(0, path.size() - entry.name.size());
  entry.present = needs::type | needs::directory | needs::relative_path | needs::absolute_path;
  PathLoader loader;
  entry.loader = &loader;
  if (!matcher.descends(entry)) return false;
  // Rules of .gitignore and the like have to be read from the directories on the way.
  if (!matcher.scope().has_ignore_rules()) return true;
  return !search::passes_over(matcher.scope(), *os::open_file_system(Task{}),
                              text::with_slash(root.absolute), relative);
}

std::vector<std::string> shell_lines(const std::vector<std::vector<std::string>>& commands,
                                     text::QuotedFor reader) {
  std::vector<std::string> lines;
  lines.reserve(commands.size());
  for (const auto& words : commands) lines.push_back(text::shell_line(words, reader));
  return lines;
}

std::string printed_records(const Options& options) {
  if (options.has(Id::tree)) return "a tree";
  if (const auto data = options.data_format()) {
    return data == Id::json ? "NDJSON" : data == Id::csv ? "CSV with commas" : "CSV with tabs";
  }
  if (options.has(Id::format)) return "the template " + text::escaped(options.last(Id::format));
  if (options.has(Id::details)) return "a long listing";
  if (options.has(Id::pick)) return "the paths that you pick";
  return options.has(Id::null) ? "paths, each ended by a NUL" : "paths";
}

/// The form in which matches are printed, for --explain; empty if commands take them.
std::string printed_form(const Options& options) {
  if (options.has(Id::quiet)) return "nothing; the exit status is 0 if anything matches";
  if (options.has_action()) return {};
  if (options.has(Id::count)) {
    const std::string key = options.last(Id::count);
    if (key == "matches") return "the number of matches";
    return "a table of counts by " + text::escaped(key);
  }
  if (options.has(Id::usage)) return "the space below each directory";
  const std::string form = printed_records(options);
  return options.has(Id::duplicates) ? "groups of equal files, " + form : form;
}

/// The steps after the search, for --explain.
plan::OutputSteps output_steps(const Options& options, std::uint64_t limit) {
  using Commands = plan::OutputSteps::Commands;
  plan::OutputSteps steps;
  steps.printed = printed_form(options);
  if (options.has(Id::count)) steps.counted_by = options.last(Id::count);
  steps.sorted_by = options.all(Id::sort);
  steps.tree = options.has(Id::tree);
  steps.limit = limit;
  if (options.has(Id::exec)) steps.commands = Commands::each;
  if (options.has(Id::exec_batch)) steps.commands = Commands::batches;
  if (options.has(Id::remove)) steps.commands = Commands::remove;
  if (options.has(Id::trash)) steps.commands = Commands::trash;
  if (options.has(Id::restore)) steps.commands = Commands::restore;
  steps.command_lines = shell_lines(
      options.commands(options.has(Id::exec) ? Id::exec : Id::exec_batch), text::QuotedFor::shell);
  steps.dry_run = options.has(Id::dry_run);
  steps.conditions = shell_lines(options.commands(Id::condition), text::QuotedFor::terminal);
  return steps;
}

/// Reads a configuration of git; false if it is missing or unreadable, as git treats it.
bool read_file(const std::string& path, std::string& text) {
  return path.starts_with('/') && os::read_to_end(path, search::largest_ignore_file, text) == 0;
}

/// Fills in all members but `enabled`. Reads the files of git-config(1), the system's before the
/// user's, then the environment: the last one that sets a value counts. Those of repositories are
/// found during the search.
void find_git_settings(GitIgnore& settings) {
  settings.home = os::environment("HOME").value_or("");
  std::string configuration = os::environment("XDG_CONFIG_HOME").value_or("");
  if (configuration.empty() && !settings.home.empty()) configuration = settings.home + "/.config";
  search::IgnoreSettings found;
  if (!configuration.empty()) found.excludes_file = configuration + "/git/ignore";

  const auto add_file = [&](std::string path) {
    try {
      if (!path.starts_with('/')) path = os::current_directory() + "/" + path;
    } catch (const std::system_error&) {
      return;  // the directory was deleted
    }
    // Each file starts from the settings of those before it, and overrides what it sets.
    found = search::read_ignore_settings(path, {}, settings.home, read_file, found);
  };
  if (!search::git_truth(os::environment("GIT_CONFIG_NOSYSTEM").value_or(""))) {
    add_file(os::environment("GIT_CONFIG_SYSTEM").value_or("/etc/gitconfig"));
  }
  // Set, even to an empty text, it replaces both of the user's files.
  if (const auto global = os::environment("GIT_CONFIG_GLOBAL")) {
    add_file(*global);
  } else {
    if (!configuration.empty()) add_file(configuration + "/git/config");
    if (!settings.home.empty()) add_file(settings.home + "/.gitconfig");
  }
  // GIT_CONFIG_COUNT and the like, which override all files.
  const search::IgnoreSettings given =
      search::read_given_settings(settings.home, os::environment, read_file);
  settings.excludes_file = given.excludes_file.value_or(found.excludes_file.value_or(""));
  settings.given_excludes_file = given.excludes_file;
  settings.ignore_case = given.ignore_case.value_or(found.ignore_case.value_or(false));
  settings.given_ignore_case = given.ignore_case;
}

}  // namespace

Machine this_machine() {
  return {os::processors(), os::fast_processors(), os::readers()};
}

// A single root delays no other.
Location locate_root(const std::string& root, const plan::Mounts& mounts, bool alone, bool follow) {
  if (!alone) {
    Location location;
    location.typed = root;
    location.absolute = os::absolute_path(root.empty() ? "." : root);
    location.canonical = os::normal_path(location.absolute);
    const Volume* const volume = mounts.holding(location.canonical);
    if (volume != nullptr && volume->kind == VolumeKind::network) {
      location.volume = volume->id;
      return location;
    }
  }
  return os::locate(root, follow);
}

void load_rights(Entry& entry, const std::string& path, Needs wanted) {
  using Access = os::FileSystem::Access;
  constexpr std::tuple<Needs, Access, bool Entry::*> rights[] = {
      {needs::readable, Access::read, &Entry::readable},
      {needs::writable, Access::write, &Entry::writable},
      {needs::runnable, Access::run, &Entry::runnable}};
  for (const auto& [need, access, right] : rights) {
    if ((wanted & need) == 0) continue;
    entry.*right = os::open_file_system(Task{})->access(nullptr, path.c_str(), access) == 0;
    entry.present |= need;
  }
}

Issue not_in_mount_table(const std::string& path) {
  return {path, "", 0, "its volume is not in the mount table (is /proc mounted?)"};
}

std::string volume_root(const std::string& name, const plan::Mounts& mounts) {
  const MountTable& table = mounts.table();
  const Location location = os::locate(name);
  const Volume* volume = nullptr;
  // "/dev/sda1" is a path on the volume of /dev, and the source of the one that is meant.
  const bool is_source = std::any_of(table.begin(), table.end(),
                                     [&](const Volume& other) { return other.source == name; });
  if (location.error == 0 && !(is_source && location.type != FileType::directory)) {
    volume = mounts.of(location);
    // The system shows firmlinked volumes as one, so treat them as one.
    if (volume != nullptr && volume->firmlink) volume = mounts.by_id(volume->group);
  } else if (!table.empty()) {
    volume = plan::volume_named(mounts, name, os::sources_labelled(name));
  }
  return volume != nullptr ? volume->mount_point : std::string();
}

void ask_volumes(MountTable& table, const std::vector<std::size_t>& which) {
  for (const std::size_t i : which) os::probe(table[i]);
  // The views of a firmlinked volume are rows of their own; they get its capabilities.
  for (Volume& view : table) {
    if (!view.firmlink) continue;
    const auto itself = std::find_if(table.begin(), table.end(), [&](const Volume& volume) {
      return volume.id == view.id && !volume.firmlink;
    });
    view.catalog = itself->catalog;
    view.catalog_note = itself->catalog_note;
    view.case_sensitive = itself->case_sensitive;
    view.bulk_claimed = itself->bulk_claimed;
  }
}

/// The rules of --exclude-from apply from each root, whichever directory their file is in.
void read_ignore_rules(const Options& options, Scope& scope) {
  if (scope.gitignore.enabled) find_git_settings(scope.gitignore);
  if (scope.loose_ignores) scope.gitignore.ignore_case = false;
  for (const std::string& file : options.all(Id::exclude_from)) {
    scope.ignore_texts.push_back(
        {file,
         contents_of(file, Id::exclude_from, search::largest_ignore_file, "more than 16 MiB")});
  }
}

void read_trash(const Options& options, const Operands& operands, Scope& scope) {
  if (!options.has(Id::trashed)) return;
  const auto contents = std::make_shared<TrashContents>();
  const MountTable table = os::mount_table();
  const std::vector<std::string> roots =
      all_named(options, operands, plan::Mounts(table), &contents->issues);
  std::vector<std::string> directories;
  std::vector<std::string> above;
  for (const std::string& root : roots) {
    // It may be in the Trash, with the directories around it.
    std::string existing = os::normal_path(os::absolute_path(root));
    above.push_back(existing);
    std::string below;
    Location location = os::locate(existing);
    for (; location.error != 0 && existing.size() > 1; location = os::locate(existing)) {
      below = text::join_paths(text::name_of(existing), below);
      existing = text::parent_of(existing);
    }
    directories.push_back(location.canonical);
    above.push_back(text::join_paths(location.canonical, below));
  }
  os::read_trashes(table, directories, *contents);
  std::vector<Trashed>& entries = contents->entries;
  if (!roots.empty()) {
    std::erase_if(entries, [&](const Trashed& entry) {
      return std::none_of(above.begin(), above.end(), [&](const std::string& directory) {
        return lies_within(entry.path, directory);
      });
    });
  }
  std::sort(entries.begin(), entries.end(), [](const Trashed& a, const Trashed& b) {
    return a.path != b.path ? path_less(a.path, b.path)
                            : std::tie(b.deleted, a.place) < std::tie(a.deleted, b.place);
  });
  scope.trash = contents;
}

/// The paths of a Trash as a list.
ListReader read_paths_of(std::shared_ptr<const TrashContents> trash) {
  return [trash = std::move(trash), next = std::size_t{0}, rest = std::string()](
             std::size_t, char* bytes, std::size_t capacity, std::size_t& count) mutable {
    while (rest.size() < capacity && next < trash->entries.size()) {
      rest.append(trash->entries[next++].path) += '\0';
    }
    count = rest.copy(bytes, capacity);
    rest.erase(0, count);
    return 0;
  };
}

/// With an action, a list is read to its end first, so that nothing is done if it is wrong.
ListReader open_lists(const Options& options, const Scope& scope) {
  if (scope.trash != nullptr) return read_paths_of(scope.trash);
  struct List {
    os::InputFile file{};
    std::string text{};
    std::size_t taken = 0;
  };
  const bool whole = options.has_action() && !options.has(Id::pick);
  const auto lists = std::make_shared<std::vector<List>>(scope.lists.size());
  for (std::size_t i = 0; i < lists->size(); ++i) {
    const PathList& list = scope.lists[i];
    const Id id = list.of_records ? Id::from_json : list.end == '\0' ? Id::from0 : Id::from;
    List& opened = (*lists)[i];
    if (whole) {
      opened.text = contents_of(list.file, id, most_bytes_of_roots, "more than 256 MiB of paths");
      const std::string_view fault = search::fault_of_list(list.end, opened.text, true);
      if (!fault.empty()) {
        throw UsageError(
            {.what = text::format("'{}' {}", text::escaped(list.file), fault),
             .place = {.option = source_of(id).option, .value = list.file, .quoted = list.file},
             .example = id == Id::from ? "git ls-files -z | ffind --from0 -"
                                       : "git ls-files | ffind --from -"});
      }
    } else if (const int error = opened.file.open(list.file); error != 0) {
      text::fail_at(source_of(id), list.file, 0,
                    text::format("'{}': {}", list.file,
                                 error == ENOTSUP ? "not a file or a pipe that ends"
                                                  : output::reason_of(error)));
    }
  }
  return [lists, whole](std::size_t number, char* bytes, std::size_t capacity, std::size_t& count) {
    List& list = (*lists)[number];
    if (!whole) return list.file.read(bytes, capacity, -1, count);
    count = list.text.copy(bytes, capacity, list.taken);
    list.taken += count;
    return 0;
  };
}

std::vector<std::string> named_roots(const Options& options, const Operands& operands) {
  return roots_of(options, operands, os::mount_table(), nullptr);
}

Plan plan_search(const Options& options, const Operands& operands, const Query& query,
                 const Matcher& matcher, Needs output_needs, std::vector<Issue>* issues,
                 MountTable table) {
  std::optional<plan::Mounts> mounts(table);
  const std::vector<std::string> roots = roots_of(options, operands, *mounts, issues);
  std::vector<Location> locations;
  // Repeat if a directory on the way to a mount point was renamed meanwhile.
  constexpr int tries = 5;
  for (int attempt = 0;
       !locate_roots(options, query.scope, roots, *mounts, locations) && attempt < tries;
       ++attempt) {
    table = os::mount_table();
    mounts.emplace(table);
  }
  // Literals in every match's name let a walk skip the metadata of most entries.
  const Wants wants{.matcher = matcher.needs(),
                    .output = output_needs,
                    // find(1) reports what it cannot read all the same.
                    .nothing = matcher.where().never() && !query.scope.list_roots,
                    .few_names = !matcher.bound().name_contains.empty()};
  std::vector<std::size_t> asked =
      plan::volumes_to_ask(*mounts, locations, options.has(Id::cross_volumes));
  // --explain also reports volume capabilities.
  if (!options.has(Id::explain)) {
    std::erase_if(asked,
                  [&](std::size_t i) { return !plan::capabilities_matter(table[i], query.scope); });
  }
  ask_volumes(table, asked);
  Plan plan = make_plan(query, wants, *mounts, locations, this_machine(),
                        [&](const Root& root, std::string_view relative, std::uint32_t depth) {
                          return enters(matcher, root, relative, depth);
                        });
  if (issues == nullptr) return plan;
  const bool finds_root = std::any_of(locations.begin(), locations.end(),
                                      [](const Location& root) { return root.error == 0; });
  for (const Task& task : plan.tasks) {
    const bool unknown = task.volume.file_system.empty() && finds_root && !task.roots.empty();
    if (unknown && (matcher.needs() & needs::origin) != 0) {
      issues->push_back(not_in_mount_table(std::string(named_root(task.roots.front()))));
    }
  }
  for (const Location& location : plan.missing) {
    issues->push_back({location.typed, "", location.error});
  }
  return plan;
}

/// A limit that the search does not have, since the output sorts first, is shown as a step of the
/// output.
std::string explanation(const Options& options, const Query& query, const Matcher& matcher,
                        const Plan& plan, std::uint64_t search_limit,
                        const std::vector<std::string>& files) {
  Query searched = query;
  searched.limit = search_limit;
  const plan::Explanation explained{
      searched, matcher.where(), plan, files,
      output_steps(options, query.limit == search_limit ? unlimited : query.limit)};
  if (options.has(Id::json)) return rows_text(plan::plan_rows(explained));
  if (options.has(Id::details)) return plan::plan_text(explained);
  const bool terminal = os::is_terminal(os::standard_output);
  return plan::plan_summary(explained,
                            terminal ? os::terminal_size(os::standard_output).columns : 0);
}

/// In CSV each row has the fields of all, in the order in which they come first.
std::string rows_text(const std::vector<plan::ExplainedRow>& rows, text::RowForm form) {
  plan::ExplainedRow columns;
  const auto field_in = [](const plan::ExplainedRow& row, const std::string& key) {
    return std::find_if(row.begin(), row.end(),
                        [&](const plan::ExplainedField& field) { return field.key == key; });
  };
  if (form.is_csv()) {
    for (const plan::ExplainedRow& row : rows) {
      std::copy_if(row.begin(), row.end(), std::back_inserter(columns), [&](const auto& field) {
        return field_in(columns, field.key) == columns.end();
      });
    }
  }
  std::string text;
  const auto add = [&](const plan::ExplainedRow& row, bool is_heading) {
    text::DataRow line(text, form, is_heading);
    for (const plan::ExplainedField& column : form.is_csv() ? columns : row) {
      const auto field = field_in(row, column.key);
      const auto* const bytes = std::get_if<std::string>(&column.value);
      // Texts are raw bytes; those that are not UTF-8 get a second field with base64, in CSV a
      // column if there is one.
      const bool is_bytes =
          bytes != nullptr &&
          (!form.is_csv() || std::any_of(rows.begin(), rows.end(), [&](auto& one) {
            const auto cell = field_in(one, column.key);
            return cell != one.end() && !text::is_utf8(std::get<std::string>(cell->value));
          }));
      if (field == row.end()) {
        line.add_unknown(column.key, is_bytes);
      } else if (is_bytes) {
        line.add_bytes(column.key, std::get<std::string>(field->value));
      } else {
        std::visit([&](const auto& value) { line.add(column.key, value); }, field->value);
      }
    }
    line.end();
  };
  if (form.is_csv()) add(columns, true);
  for (const plan::ExplainedRow& row : rows) add(row, false);
  return text;
}

}  // namespace ffind::cli
