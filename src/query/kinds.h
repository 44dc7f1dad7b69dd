// SPDX-License-Identifier: MIT
// Kinds of files, as people call them: image, audio, archive... known by type, extension and name,
// never by content. Used by the kind test and the fields of the language; one look-up a file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::query {

/// Every file is of one kind at most. `folder` is a directory that people are shown as one.
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

/// `word` is a kind's name or one of its other names ("picture"), any case.
std::optional<Kind> find_kind(std::string_view word);
/// The names, in the order of the enumeration.
std::span<const std::string_view> kind_names();

/// The kind of a regular file called `name`, as a set of one; 0 if its name does not show it.
Kinds kind_of_file(std::string_view name);

/// What the extension of a directory says: whether it is a package, and which kind of file people
/// are shown then, 0 for one that has no kind.
struct PackageKind {
  bool package = false;
  Kinds kind = 0;
};
PackageKind kind_of_package(std::string_view name);
/// The kinds that packages may be of.
Kinds kinds_of_packages();

/// Words are separated by blanks, in lower case, each once in the whole table.
struct KindRow {
  Kind kind;
  std::string_view name;
  std::string_view other_names;
  /// Without their dots; one with a dot in it ("fb2.zip") goes before what follows its last dot.
  std::string_view extensions;
  /// Files that are known by their whole name. "dockerfile.*" means those that begin so and
  /// have an extension that says nothing: Dockerfile.dev.
  std::string_view files = {};
};

/// In the order of the enumeration.
std::span<const KindRow> kind_table();

/// Calls `take` with each word.
template <typename Take>
void for_each_word(std::string_view words, const Take& take) {
  while (true) {
    const std::size_t first = words.find_first_not_of(" \n");
    if (first == std::string_view::npos) return;
    words.remove_prefix(first);
    const std::size_t size = std::min(words.find_first_of(" \n"), words.size());
    take(words.substr(0, size));
    words.remove_prefix(size);
  }
}

/// Whether a directory called `name` is a package by its extension: the part behind the last dot,
/// in any case, with something before the dot.
bool has_package_extension(std::string_view name);

/// The table, in small letters; for the map that both packages and kinds are looked up in.
std::span<const std::string_view> package_extensions();

/// As `--kind` has it; empty where it has none. Asks for what kind_of_entry_needs names.
std::string_view kind_of_entry(Entry& entry);

inline constexpr Needs kind_of_entry_needs = needs::type | needs::bundle;

}  // namespace ffind::query
