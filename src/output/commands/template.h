// SPDX-License-Identifier: MIT
// A command as it was typed, with places for parts of a match's path in it. Pure. Made by cli,
// expanded by the runners of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace ffind::output
