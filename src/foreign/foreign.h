// SPDX-License-Identifier: MIT
// Command lines of find, fd, rg, grep, locate, ls and mdfind, and the habits they leave. The door
// of this room: cli calls it for an error in the command line and at the end of a search, and adds
// what it returns to the message. Words in, words out; the disk and the reader of our own command
// lines are handed in as functions.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "ffind/issue.h"

namespace ffind::foreign {

using Words = std::vector<std::string>;

/// What a path names, its last component not followed: a link is a link.
enum class Place : unsigned char { missing, directory, link_to_directory, link, other };
using PlaceOf = std::function<Place(const std::string& path)>;

/// Functions of cli and of the disk that this room calls.
struct Host {
  PlaceOf place_of{};
  std::function<std::string(const std::string& path)> absolute_path{};
  /// True if that line of ours deletes or runs a command, or cannot be read.
  std::function<bool(const Words& line)> acts{};
};

/// The result of translate().
struct Translation {
  std::optional<Words> line{};  ///< our words, without the program's name
  std::string culprit{};        ///< the word that has no counterpart here, if that is why
};

/// The line of ours that finds the same. No line if there is nothing to correct, or no way to say
/// the same here.
Translation translate(const Words& words, const PlaceOf& place_of);

/// A command line for a message.
struct Offer {
  std::string line{};   ///< `ffind` and the words, for a shell to read back; empty: not offered
  std::string doubt{};  ///< the word that is the reason why not
};

/// `line` in place of `typed`. Every command line in a message comes from here. It is not offered
/// if it deletes or runs a command and not every word of `typed` was understood: it could do that
/// to files that were never meant.
Offer offer(const Words& typed, const Words& line, const Host& host);

/// `ffind` and the words, for a shell to read back.
std::string line_to_paste(const Words& words);

/// The error for an option of find ("-name"), fd or rg ("--extension"); nullopt for anything else.
/// For one dash it is called before letters are read one by one, for two if the option does not
/// exist.
std::optional<UsageParts> advice_on_habit(std::string_view name);

/// "--tree" for "-tree" and "--size=1M" for "-size=1M"; empty if no long option is meant. --in is
/// none of these: -in is -i -n. Such a word is never a cluster of short options either.
std::string with_second_dash(std::string_view word);

/// The nearest of all options (text/nearest.h); for a long option also one that `name`
/// begins. Empty when none is near, and for short options.
std::string nearest_option(std::string_view name);

/// "; did you mean 'modified'?" for "mtime", "MODIFIED" or "modifed", where that is one of `names`:
/// by the other names that a field has in expressions, and else the nearest. Empty when none is.
std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names);

/// A search that is over.
struct FinishedSearch {
  const Words& typed;
  std::vector<std::size_t> begins;  ///< of each option, command and argument among `typed`
  const cli::Options& options;
  std::string_view field;   ///< "name", "path", "absolute_path" or empty
  const std::string* text;  ///< null if the search has no TEXT
  const Words& paths;       ///< none: the current directory
  bool found;
};

/// Messages on what else may have been meant, with the line to paste; to people only.
std::vector<std::string> hints_for(const FinishedSearch& search, const Host& host);

}  // namespace ffind::foreign
