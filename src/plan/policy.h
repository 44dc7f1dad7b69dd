// SPDX-License-Identifier: MIT
// How a volume is searched: the table from a volume and a query to method, reader and
// threads, each with its reason. Asked by make_plan, by the listing of volumes, and by cli whether
// volumes are to be asked first. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "ffind/plan.h"

namespace ffind::plan {

/// What a query requires of a volume, beside the scope.
struct Demand {
  Needs needs = needs::none;   ///< what the matcher and the output want to know of its entries
  bool whole_volume = false;   ///< one of the roots is the volume's own
  bool unusual_names = false;  ///< see Task
  bool few_names = false;      ///< most names are ruled out before anything else is read
};

struct Choice {
  Method method = Method::walk;
  CatalogShape catalog_shape = CatalogShape::flat;
  Reader reader = Reader::readdir;  ///< with a catalog: of the walk where that fails
  unsigned threads = 1;
  unsigned most_threads = 0;  ///< see Task
  unsigned busy_threads = 1;  ///< see Task
  bool enter = true;          ///< see Task
  std::int64_t end_mark = 0;  ///< see Task
  std::string method_reason{};
  std::string reader_reason{};
  std::string threads_reason{};
};

/// Whether what a volume's catalog is good for can change how it is searched. Where it cannot,
/// nobody need ask the volume, which takes a moment; the reasons may then name the wrong thing.
bool catalogs_matter(const Scope& scope);

/// Throws UsageError where `scope` forces what the volume or the machine cannot do.
Choice choose(const Volume& volume, const Scope& scope, const Demand& demand,
              const Machine& machine);

}  // namespace ffind::plan
