// SPDX-License-Identifier: MIT
// The test of kinds: one look-up per file, however many kinds were given. Links, devices and
// their like are of no kind; with --follow, links are what they lead to.

#include "query/kinds.h"
#include "query/predicates/predicates.h"
#include "text/format.h"

namespace ffind::query {
namespace {

class KindTest final : public Test {
 public:
  explicit KindTest(Kinds kinds) : kinds_(kinds) {}

  bool holds(Entry& entry) const override {
    if (!entry.require(needs::type)) return false;
    if (entry.type == FileType::file) return (kinds_ & kind_of_file(entry.name)) != 0;
    if (entry.type != FileType::directory) return false;
    const PackageKind named = kind_of_package(entry.name);
    if (named.package) return (kinds_ & named.kind) != 0;
    if (!wants_folders()) return false;
    // The Finder's mark makes a package of a directory, of which kind nobody knows.
    return !(entry.require(needs::bundle) && entry.bundle);
  }

  Needs needs() const override {
    return needs::type | (wants_folders() ? needs::bundle : needs::none);
  }
  int cost() const override { return 20; }

  Bound bound() const override {
    Bound bound;
    bound.types = 0;
    if ((kinds_ & ~bit_of(Kind::folder)) != 0) bound.types |= bit_of(FileType::file);
    if (wants_folders() || (kinds_ & kinds_of_packages()) != 0) {
      bound.types |= bit_of(FileType::directory);
    }
    return bound;
  }

  std::string text() const override {
    std::string list;
    int count = 0;
    for (const std::string_view name : kind_names()) {
      if ((kinds_ & bit_of(*find_kind(name))) == 0) continue;
      if (count++ > 0) list += ", ";
      list += name;
    }
    return count == 1 ? text::format("kind = {}", list) : text::format("kind in ({})", list);
  }

  std::string_view family() const override { return "kind"; }
  TestPointer either(const std::vector<const Test*>& tests) const override {
    Kinds kinds = 0;
    for (const Test* const test : tests) kinds |= static_cast<const KindTest&>(*test).kinds_;
    return std::make_shared<KindTest>(kinds);
  }

 private:
  bool wants_folders() const { return (kinds_ & bit_of(Kind::folder)) != 0; }

  Kinds kinds_;
};

}  // namespace

TestPointer kind_test(const std::vector<Kind>& kinds) {
  Kinds set = 0;
  for (const Kind kind : kinds) set |= bit_of(kind);
  return std::make_shared<KindTest>(set);
}

}  // namespace ffind::query
