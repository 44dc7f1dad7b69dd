// SPDX-License-Identifier: MIT
// See kind_of_entry.h; the test of kinds in query/predicates/kind.cpp asks the other way round.
#include "query/kind_of_entry.h"

#include <bit>

#include "query/kinds.h"

namespace ffind::query {
namespace {

Kinds kind_of_directory(Entry& entry) {
  const PackageKind named = kind_of_package(entry.name);
  if (named.package) return named.kind;
  // The Finder's mark makes a package of it, of which kind nobody knows.
  const bool marked = entry.require(needs::bundle) && entry.bundle;
  return marked ? Kinds{0} : bit_of(Kind::folder);
}

}  // namespace

std::string_view kind_of_entry(Entry& entry) {
  if (!entry.require(needs::type)) return {};
  Kinds kind = 0;
  if (entry.type == FileType::file) kind = kind_of_file(entry.name);
  if (entry.type == FileType::directory) kind = kind_of_directory(entry);
  if (kind == 0) return {};
  return kind_names()[static_cast<std::size_t>(std::countr_zero(kind))];
}

}  // namespace ffind::query
