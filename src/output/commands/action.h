// SPDX-License-Identifier: MIT
// What is to be done with the matches instead of printing them: plain data. Filled by cli, read by
// the stages that do it. Knows no option names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "os/processes.h"

namespace ffind::output {

/// A part of a path, how it is written in a command, and what it is for a/b.txt.
enum class Place : std::uint8_t {
  none,
  path,       ///< {}    a/b.txt
  name,       ///< {/}   b.txt
  directory,  ///< {//}  a
  no_ext,     ///< {.}   a/b
  stem,       ///< {/.}  b
};

/// Appends that part of `path`, which does not end with a slash.
void append_part(std::string& out, std::string_view path, Place part);

/// One argument. `{{` and `}}` in it are braces, other braces are literal.
class ArgumentTemplate {
 public:
  explicit ArgumentTemplate(std::string_view text);

  bool has_place() const { return has_place_; }
  /// It is made of a name alone, without the directory that the name is in.
  bool is_bare_name() const;
  /// The argument for `path`; a template without a place is the same for all.
  void append(std::string& out, std::string_view path) const;
  /// What `append` would append, in bytes.
  std::size_t size(std::string_view path) const;

 private:
  struct Part {
    std::string text;
    Place place;  ///< behind the text
  };
  std::vector<Part> parts_;
  bool has_place_ = false;
};

/// A program and its arguments; one that has no place for a path takes it at its end.
struct CommandTemplate {
  explicit CommandTemplate(const std::vector<std::string>& words);

  /// What is executed depends on the match.
  bool program_varies() const { return arguments.front().has_place(); }

  std::vector<ArgumentTemplate> arguments{};
  std::string program{};  ///< the first word, as typed
};

/// Paths that fit into each of the commands at once.
class Batch {
 public:
  /// `commands` outlives the batch. `most` paths at once; 0: as many as fit.
  Batch(const std::vector<CommandTemplate>& commands, os::ArgumentLimits limits,
        std::size_t most = 0);

  enum class Answer : unsigned char {
    added,
    full,   ///< fits into the next batch
    never,  ///< fits into none
  };
  Answer add(std::string_view path);

  const std::vector<std::string>& paths() const { return paths_; }
  void clear();

 private:
  /// What a command's arguments take without a path, and with those of this batch.
  struct Use {
    std::size_t fixed = 0;
    std::size_t now = 0;
  };

  const std::vector<CommandTemplate>& commands_;
  const os::ArgumentLimits limits_;
  const std::size_t most_;
  std::vector<Use> uses_;  ///< one a command
  std::vector<std::size_t> added_;
  std::vector<std::string> paths_;
};

/// The arguments of `command` for `paths`, each of which replaces an argument with a place.
std::vector<std::string> expand(const CommandTemplate& command, const std::string* paths,
                                std::size_t count);

enum class ActionKind : std::uint8_t {
  each,    ///< the commands for each match, in parallel
  batch,   ///< the commands for as many matches as fit
  remove,  ///< delete the matches
};

struct Action {
  ActionKind kind = ActionKind::each;
  std::vector<CommandTemplate> commands{};
  bool in_directory = false;  ///< each where its match lies
  bool follow = false;        ///< the search goes through links, and so may we
  bool confirm = false;       ///< ask before each
  bool dry_run = false;       ///< only print what would be done
  bool in_order = false;      ///< what commands write comes in the order of their matches
  /// The matches were chosen by more than their names, places and types: what has changed since is
  /// perhaps none any more.
  bool by_metadata = false;
  /// How many at one time. None: one, with our own standard streams.
  unsigned jobs = 0;
  std::size_t batch_size = 0;  ///< of a batch, at most; 0: as many as fit
};

}  // namespace ffind::output
