// SPDX-License-Identifier: MIT
// Options: what a command line or a file of arguments gives, each option as often and in the order
// as it was typed. scan() and parse() make them of words; followed_by() and over_configuration()
// join several into one; request.h turns the result into a query and a style.
//
// Values are neither split at commas nor parsed. Readers ask for the last value of an option or for
// all: whether a repeated option widens, narrows or replaces is up to them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/issue.h"

namespace ffind::cli {

// clang-format off
/// The rows of the option table, in its order.
enum class Id : unsigned char {
  text, regex, glob, exact, starts, ends, query, full_path, ignore_case, case_sensitive,
  ignore_diacritics,

  where, type, kind, ext, size, modified, created, accessed, changed, added, newer_than, older_than,
  depth, empty, only_hidden, owner, group, perm, executable, broken, locked, links, inode, samefile,
  tag, comment, where_from, xattr, contains, contains_regex, binary, condition,

  in, files0_from, from, from0, from_json, trashed, base_directory, max_depth, min_depth, prune, exclude, prune_where, exclude_where,
  ignore_files, exclude_from, no_hidden, no_packages, gitignore, follow, unique, cross_volumes,
  volume, all_volumes, network, download, hidden, no_ignore, unrestricted, one_file_system,

  null, json, csv, tsv, format, details, tree, count, usage, duplicates, apparent, human, sort, absolute, mark,
  limit, one, quiet, color, hyperlink, stats, progress, no_progress, no_messages, no_hints, json_errors, pick, height, preview, no_history,

  exec, exec_batch, batch_size, exec_in_dir, remove, trash, restore, keep, dry_run, confirm, yes,

  threads, method, reader, explain, list_volumes, compare_readers,

  save, saved, forget, no_config,

  as, short_help, help, completions, version,
};
// clang-format on

/// A list that takes the place of a walk.
constexpr bool is_list(Id id) {
  return id == Id::from || id == Id::from0 || id == Id::from_json;
}

/// An option that was given, once.
struct Given {
  Id id{};
  bool off = false;                              ///< turned off by --no-NAME
  std::string value{};                           ///< that of the row if it is optional and absent
  std::vector<std::string> command{};            ///< the words of -x and its like
  std::size_t word = UsagePlace::unknown;        ///< its index among the words
  std::size_t value_word = UsagePlace::unknown;  ///< the word with its value: the same, or the next
  std::size_t value_at = 0;                      ///< where the value begins in that word

  bool operator==(const Given&) const = default;
};

struct Options {
  std::vector<Given> given{};
  std::vector<std::string> words{};  ///< all that was scanned
  /// The first word of each option with its value, command with its words, or argument.
  std::vector<std::size_t> begins{};
  std::vector<std::string> arguments{};        ///< words that are no options
  std::vector<std::size_t> argument_places{};  ///< their indices among the words
  bool arguments_after_dashes = false;         ///< `--` precedes the first of them
  std::vector<std::string> help_words{};       ///< after --help
  bool command_is_open = false;       ///< the last command extends to the end instead of to a `;`
  std::optional<UsageParts> error{};  ///< of the first word that cannot be read

  bool has(Id id) const;
  /// True if --no-NAME turned it off, and nothing on again.
  bool is_off(Id id) const;
  /// The value that was given last.
  std::string last(Id id, std::string_view otherwise = {}) const;
  std::vector<std::string> all(Id id) const;
  std::vector<std::vector<std::string>> commands(Id id) const;
  void add(Id id, std::string value = {});
  void take_out(Id id);

  /// The entries are those of a list, and not of a walk.
  bool has_list() const {
    return has(Id::from) || has(Id::from0) || has(Id::from_json) || has(Id::trashed);
  }
  /// --json, --csv or --tsv, whose value is a list of fields.
  std::optional<Id> data_format() const;
  /// --delete, --trash or --restore: the matches will be gone.
  bool takes_away() const { return has(Id::remove) || has(Id::trash) || has(Id::restore); }
  /// True if the matches are processed instead of printed.
  bool has_action() const { return has(Id::exec) || has(Id::exec_batch) || takes_away(); }
  /// With a line that acts no other one is proposed: it would do the same to more files.
  bool acts() const { return has_action() || has(Id::condition); }
};

}  // namespace ffind::cli
