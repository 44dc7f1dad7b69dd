// SPDX-License-Identifier: MIT
// Kinds of files in everyday words (image, audio, archive) and packages of macOS, both derived from
// names and types and never from contents.
//
//     kinds_table.cpp   the words: one row per kind, one list of package extensions
//     kinds.cpp         maps built from them at the first look-up; one look-up per file
//
// A kind is a property of regular files. Directories are of kind `folder` unless they are packages:
// directories that macOS shows as a single file, which are of the kind that the file would be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ffind/entry.h"
#include "text/ascii.h"

namespace ffind::query {

/// A file has at most one kind. `folder` is a directory that is not a package.
enum class Kind : std::uint8_t {
  folder,
  text,
  code,
  data,
  document,
  spreadsheet,
  presentation,
  ebook,
  image,
  audio,
  video,
  font,
  model,
  archive,
  disk_image,
  app,
  binary,
  database,
};

/// A set of kinds, one bit each.
using Kinds = std::uint32_t;

constexpr Kinds bit_of(Kind kind) {
  return Kinds{1} << static_cast<unsigned>(kind);
}

/// Finds a kind by its name or by another word for it ("picture"), in any case.
std::optional<Kind> find_kind(std::string_view word);
/// The names in order of the enumeration.
std::span<const std::string_view> kind_names();

/// Returns the kind of a regular file called `name`, as a set of one, or 0 if the name shows none.
Kinds kind_of_file(std::string_view name);

/// True for an extension in the table: "js", "tar.gz".
bool is_extension(std::string_view word);

/// Returns the kind of a directory that is a package by its extension: the part after the last dot,
/// in any case, if there is something before the dot. 0 for packages without a kind, nullopt for
/// other directories. The Finder's mark is not considered.
std::optional<Kinds> kind_of_package(std::string_view name);
/// The kinds that a package can have.
Kinds kinds_of_packages();

/// Words are in lower case and separated by blanks. A word occurs only once in the table.
struct KindRow {
  Kind kind;
  std::string_view name;
  std::string_view other_names;
  /// Without leading dots. One that contains a dot ("fb2.zip") takes precedence over "zip".
  std::string_view extensions;
  /// Whole names. "dockerfile.*" means names that begin so and have an extension that is not
  /// in the table: Dockerfile.dev.
  std::string_view files = {};
};

/// Rows in order of the enumeration.
std::span<const KindRow> kind_table();

/// Calls `take` with each word of a list.
template <typename Take>
void for_each_word(std::string_view words, const Take& take) {
  while (!words.empty()) take(text::take_part(words, ' '));
}

/// The extensions of packages, in lower case.
std::span<const std::string_view> package_extensions();

/// Returns the kind of a file or directory as a set of one, or 0. The Finder's mark of a package,
/// which may take a call, is loaded only if `folders` are to be told from others.
Kinds kind_of(Entry& entry, bool folders);

/// Returns the name of the entry's kind, or an empty text. Loads kind_of_entry_needs.
std::string_view kind_of_entry(Entry& entry);

inline constexpr Needs kind_of_entry_needs = needs::type | needs::bundle;

}  // namespace ffind::query
