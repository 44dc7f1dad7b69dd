// SPDX-License-Identifier: MIT
// Actions on matches: commands (-x, -X), --delete, --trash, --restore. Pure; filled by cli, read by
// the stages that carry them out. Knows no option names.
//
//     CommandTemplate   a command as it was typed, with places for parts of a path, such as {} and
//                       {/}, and for fields of the match, such as {modified:%Y}.
//     Batch             the paths of one command line of -X, as many as the system allows.
//     Action            what to do, with its settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "os/processes.h"
#include "output/record_fields.h"
#include "output/template.h"
#include "text/quoting.h"

namespace ffind::output {

/// Parts of a path, with their spelling in a command and their value for a/b.txt.
enum class Place : std::uint8_t {
  none,
  path,       ///< {}    a/b.txt
  name,       ///< {/}   b.txt
  directory,  ///< {//}  a
  no_ext,     ///< {.}   a/b
  stem,       ///< {/.}  b
  field,      ///< {size} and the like, as in --format
};

/// Rules of fd for places, where they are not ours: there are no fields, "{}}" is literal, {.} has
/// no "./" before it, and slashes may be written in another way. find has the place {} alone, and a
/// command without it has no path.
struct PlaceRules {
  bool of_fd = false;
  bool of_find = false;
  std::string separator{};  ///< empty: slashes
};

/// One argument. `{{` and `}}` in it are braces, other braces are literal.
class ArgumentTemplate {
 public:
  /// Position of a place in the text.
  struct Span {
    std::size_t begin;
    std::size_t end;
  };

  /// Throws TemplateError for a conversion that a field does not have.
  explicit ArgumentTemplate(std::string_view text, PlaceRules rules = {});

  bool has_place() const { return has_place_; }
  const std::vector<TemplateField>& fields() const { return fields_; }
  /// Places and fields in the order of the text.
  const std::vector<Span>& spans() const { return spans_; }
  /// True if no part of it is a path.
  bool is_bare_name() const;
  /// Appends the argument for `path`; without a place it is the same for all. Takes the values of
  /// its fields from the beginning of `values`.
  void append(std::string& out, std::string_view path, std::string_view& values) const;
  /// Returns the bytes that `append` would append.
  std::size_t size(std::string_view path) const;

 private:
  struct Part {
    std::string text;
    Place place;  ///< after the text
  };
  std::vector<Part> parts_;
  PlaceRules rules_;
  std::vector<TemplateField> fields_;  ///< of the parts with Place::field
  std::vector<Span> spans_;
  bool has_place_ = false;
};

/// A program and its arguments. If there is no place for a path, it is the last argument, unless
/// the rules are find's.
struct CommandTemplate {
  /// Throws TemplateError.
  explicit CommandTemplate(const std::vector<std::string>& words, const PlaceRules& rules = {});

  /// True if the program depends on the match.
  bool program_varies() const { return arguments.front().has_place(); }

  std::vector<ArgumentTemplate> arguments{};
  std::vector<TemplateField> fields{};  ///< of all arguments, in their order
  std::string program{};                ///< first word, as typed
  std::string line{};                   ///< all words, quoted for a terminal
};

/// Paths that fit into one command line of each of the commands.
class Batch {
 public:
  /// `commands` outlives the batch. It takes `most` paths, or as many as fit if that is 0.
  Batch(const std::vector<CommandTemplate>& commands, os::ArgumentLimits limits,
        std::size_t most = 0);

  enum class Answer : unsigned char {
    added,
    full,   ///< fits into the next batch
    never,  ///< fits into no batch
  };
  Answer add(std::string_view path);

  const std::vector<std::string>& paths() const { return paths_; }
  void clear();

 private:
  /// Bytes of a command's arguments, without paths and with those of this batch.
  struct Use {
    std::size_t fixed = 0;
    std::size_t now = 0;
  };

  const std::vector<CommandTemplate>& commands_;
  const os::ArgumentLimits limits_;
  const std::size_t most_;
  std::vector<Use> uses_;  ///< one for each command
  std::vector<std::size_t> added_;
  std::vector<std::string> paths_;
};

// Values of the fields in commands are kept as one text: those of one command after the other, in
// the order of the fields, with a NUL after each. No argument can hold a NUL.

/// Metadata that the fields need.
Needs needs_of(const std::vector<CommandTemplate>& commands);

/// Appends the values for `entry`. One that is missing, or has a NUL in it, is empty. The directory
/// is "." `in_directory`, and the path begins with "./".
void append_values(std::string& out, const std::vector<CommandTemplate>& commands,
                   bool in_directory, FieldWriter& writer, Entry& entry);

/// Returns the first field of `command` whose value is empty; null if there is none.
const RecordField* missing_field(const CommandTemplate& command, std::string_view values);

/// Appends `path` with `separator` in the place of each slash.
void append_separated(std::string& out, std::string_view path, std::string_view separator);

/// Returns the arguments of `command` for `paths`. An argument with a place is repeated for each
/// path. Takes the values of the command from the beginning of `values`; several paths have none.
std::vector<std::string> expand(const CommandTemplate& command, const std::string* paths,
                                std::size_t count, std::string_view& values);

enum class ActionKind : std::uint8_t {
  each,       ///< runs the commands for each match, in parallel
  batch,      ///< runs the commands for as many matches as fit
  condition,  ///< keeps the matches for which the commands succeed
  remove,     ///< deletes the matches
  trash,      ///< moves the matches to the Trash of their volume
  restore,    ///< moves matches in the Trash back to the paths that they had
};

struct Action {
  ActionKind kind = ActionKind::each;
  std::vector<CommandTemplate> commands{};
  bool in_directory = false;  ///< each runs in the directory of its match
  bool follow = false;        ///< directories may be reached through links, as the search does
  bool confirm = false;       ///< asks before each
  bool asks = false;          ///< asks once about all matches, before the first
  /// Message if there is more than one match, which the commands cannot take; empty if they can.
  std::string refusal_of_more{};
  bool dry_run = false;        ///< only prints what would be done
  bool whole = false;          ///< directories may be moved with all that they contain
  bool in_trash = false;       ///< the matches are entries of a Trash
  bool in_order = false;       ///< output of commands is in the order of the matches
  bool ends_with_nul = false;  ///< the output for each match
  bool tries_each = false;     ///< a missing program is an error of each match, and of no other
  bool of_find = false;        ///< failures are told in find's words, and stop nothing
  bool runs_scripts = true;    ///< without `#!`, by sh
  bool has_input = true;       ///< commands that have our output have our standard input, too
  /// Matches were selected by metadata, too: a file that has changed since may not match any more.
  bool by_metadata = false;
  /// Commands that run concurrently. 0: one, with the standard streams of this process.
  unsigned jobs = 0;
  std::size_t batch_size = 0;  ///< most paths in a batch; 0: as many as fit

  /// True if all matches are known before the first is acted on.
  bool counts_first() const { return asks || !refusal_of_more.empty(); }
};

/// Returns the line of a shell that runs `words` for matches in `directory`.
std::string line_in(std::string_view directory, const std::vector<std::string>& words,
                    text::QuotedFor reader);

}  // namespace ffind::output
