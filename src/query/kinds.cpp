// SPDX-License-Identifier: MIT
// Look-up of kinds and packages.
//
// KindMaps is built from the tables at the first use, since most searches use no kinds: one map of
// extensions with all that is known about each, one of whole names, one of beginnings of names and
// one of the names of kinds. A file takes one look-up of its extension; more only if the table has
// a longer word that ends in it ("tar.gz", "CMakeLists.txt").
//
//     report.PDF         pdf                                 document
//     src.tar.gz         gz is marked `longer`: tar.gz       archive
//     CMakeLists.txt     txt is marked `longer`: whole name  code
//     Makefile           no dot: whole name                  code
//     Dockerfile.dev     dev is unknown: head "dockerfile"   code
//     libc.so.6          6 is a number after so              binary
#include "query/kinds.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "text/ascii.h"
#include "text/unicode.h"
#include "text/word_map.h"

namespace ffind::query {
namespace {

/// Facts about the files and directories that have an extension.
struct Facts {
  Kinds kind = 0;
  bool package = false;  ///< applies to directories
  bool longer = false;   ///< a longer word ends in it: "pkg.tar.gz", "CMakeLists.txt"
};

/// The tables as maps.
struct KindMaps {
  text::WordMap<Facts> extensions;
  text::WordMap<Kinds> files;  ///< whole names
  text::WordMap<Kinds> heads;  ///< beginnings of names, up to a dot
  text::WordMap<Kind> names;   ///< of kinds
  Kinds of_packages = 0;
};

KindMaps build_maps() {
  std::vector<std::pair<std::string, Kinds>> files;
  std::vector<std::pair<std::string, Kinds>> heads;
  std::vector<std::pair<std::string, Kind>> names;
  // "key" is a presentation and a package, "gz" an archive and a part of "tar.gz".
  std::map<std::string, Facts> facts;
  // Marks the last part of a longer word: "gz" for "tar.gz".
  const auto in_sight = [&](std::string_view word) {
    const std::size_t dot = word.rfind('.');
    if (dot != std::string_view::npos && dot > 0) {
      facts[std::string(word.substr(dot + 1))].longer = true;
    }
  };
  for (const KindRow& row : kind_table()) {
    const Kinds kind = bit_of(row.kind);
    names.emplace_back(row.name, row.kind);
    for_each_word(row.other_names,
                  [&](std::string_view word) { names.emplace_back(word, row.kind); });
    for_each_word(row.extensions, [&](std::string_view word) {
      facts[std::string(word)].kind |= kind;
      in_sight(word);
    });
    for_each_word(row.files, [&](std::string_view word) {
      if (word.ends_with(".*")) {
        heads.emplace_back(word.substr(0, word.size() - 2), kind);
        return;
      }
      files.emplace_back(word, kind);
      in_sight(word);
    });
  }
  for (const std::string_view word : package_extensions()) facts[std::string(word)].package = true;
  Kinds of_packages = 0;
  for (const auto& [word, of_word] : facts) {
    if (of_word.package) of_packages |= of_word.kind;
  }
  return {text::WordMap<Facts>({facts.begin(), facts.end()}),
          text::WordMap<Kinds>(std::move(files)), text::WordMap<Kinds>(std::move(heads)),
          text::WordMap<Kind>(std::move(names)), of_packages};
}

/// Built at the first call.
const KindMaps& maps() {
  static const KindMaps maps = build_maps();
  return maps;
}

/// Position of the dot before the extension; npos if there is none or if it is the first byte.
std::size_t dot_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == 0 ? std::string_view::npos : dot;
}

/// Looks up a word in any case. Null if the map, whose words are ASCII, does not have it.
template <typename Value>
const Value* find_in(const text::WordMap<Value>& map, std::string_view word) {
  return text::is_ascii(word) ? map.find_folded(word) : nullptr;
}

const Facts* facts_of(std::string_view extension) {
  return find_in(maps().extensions, extension);
}

Kinds kind_in(const text::WordMap<Kinds>& map, std::string_view word) {
  const Kinds* const kind = find_in(map, word);
  return kind == nullptr ? 0 : *kind;
}

/// Looks up the part before the first dot, or the second if the name begins with one:
/// Dockerfile.dev, .env.local.
Kinds kind_of_head(std::string_view name) {
  return kind_in(maps().heads, name.substr(0, name.find('.', 1)));
}

/// Looks up extensions of two and three parts, the most in the table; the longest one counts.
Kinds kind_of_longer(std::string_view name, std::size_t dot) {
  Kinds kind = 0;
  for (int parts = 2; parts <= 3; ++parts) {
    dot = name.rfind('.', dot - 1);
    if (dot == std::string_view::npos || dot == 0) break;
    if (const Facts* const facts = facts_of(name.substr(dot + 1))) {
      if (facts->kind != 0) kind = facts->kind;
    }
  }
  return kind;
}

/// Shared libraries have their version after the extension: libc.so.6.
bool is_versioned_library(std::string_view name, std::size_t dot) {
  while (true) {
    const std::string_view part = name.substr(dot + 1);
    if (part == "so") return true;
    if (!text::is_digits(part)) return false;
    name = name.substr(0, dot);
    dot = dot_of(name);
    if (dot == std::string_view::npos) return false;
  }
}

}  // namespace

std::optional<Kind> find_kind(std::string_view word) {
  const Kind* const kind = find_in(maps().names, word);
  return kind == nullptr ? std::nullopt : std::optional(*kind);
}

std::span<const std::string_view> kind_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> in_order;
    for (const KindRow& row : kind_table()) in_order.push_back(row.name);
    return in_order;
  }();
  return names;
}

Kinds kind_of_file(std::string_view name) {
  const std::size_t dot = dot_of(name);
  if (dot == std::string_view::npos) return kind_in(maps().files, name);
  const Facts* const facts = facts_of(name.substr(dot + 1));
  // A longer word takes precedence over its last part.
  if (facts != nullptr && facts->longer) {
    if (const Kinds whole = kind_in(maps().files, name)) return whole;
    if (const Kinds longer = kind_of_longer(name, dot)) return longer;
  }
  if (facts != nullptr && facts->kind != 0) return facts->kind;
  if (is_versioned_library(name, dot)) return bit_of(Kind::binary);
  return kind_of_head(name);
}

bool is_extension(std::string_view word) {
  const Facts* const facts = facts_of(word);
  return facts != nullptr && (facts->kind != 0 || facts->package);
}

std::optional<Kinds> kind_of_package(std::string_view name) {
  const std::size_t dot = dot_of(name);
  if (dot == std::string_view::npos) return {};
  const Facts* const facts = facts_of(name.substr(dot + 1));
  return facts != nullptr && facts->package ? std::optional(facts->kind) : std::nullopt;
}

Kinds kinds_of_packages() {
  return maps().of_packages;
}

Kinds kind_of(Entry& entry, bool folders) {
  if (!entry.require(needs::type)) return 0;
  if (entry.type == FileType::file) return kind_of_file(entry.name);
  if (entry.type != FileType::directory) return 0;
  const std::optional<Kinds> package = kind_of_package(entry.name);
  if (package || !folders) return package.value_or(0);
  // A package by the Finder's mark alone is of no known kind.
  const bool marked = entry.require(needs::bundle) && entry.bundle;
  return marked ? 0 : bit_of(Kind::folder);
}

std::string_view kind_of_entry(Entry& entry) {
  const Kinds kind = kind_of(entry, true);
  if (kind == 0) return {};
  return kind_names()[static_cast<std::size_t>(std::countr_zero(kind))];
}

}  // namespace ffind::query
