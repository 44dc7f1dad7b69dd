// SPDX-License-Identifier: MIT
// Kinds of files, as people call them: image, audio, archive... known by type, extension and name,
// never by content. Used by the kind test and the fields of the language; one look-up a file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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

}  // namespace ffind::query
