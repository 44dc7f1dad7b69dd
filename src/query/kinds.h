// SPDX-License-Identifier: MIT
// Kinds of files, as people call them: image, audio, archive... told by type, extension and name.
// Used by the kind test and the fields of the language; one look-up a file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ffind {

enum class Kind : std::uint8_t;

/// A set of kinds, one bit each.
using Kinds = std::uint32_t;

/// `word` is a kind's name or one of its other names ("picture"), any case.
std::optional<Kind> find_kind(std::string_view word);
/// The names, in the order of the enumeration.
std::span<const std::string_view> kind_names();

}  // namespace ffind
