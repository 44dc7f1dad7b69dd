// SPDX-License-Identifier: MIT
// Tests of types, and of ranges: sizes, times, depth, and numbers such as a uid.
//
// All but the type and the depth need a stat, or the Finder's metadata. Bounds are precise here,
// because these are the conditions that catalogs can search for.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "query/expression.h"
#include "query/predicates/predicates.h"
#include "text/times.h"

namespace ffind::query {
namespace {

/// The type of the entry, or that of its target if links are followed. Free on nearly every file
/// system; where the directory does not tell, a stat does.
class TypeTest final : public Test {
 public:
  explicit TypeTest(std::vector<FileType> types) : types_(std::move(types)) {
    for (const FileType type : types_) mask_ |= bit_of(type);
  }

  bool holds(Entry& entry) const override {
    return entry.require(needs::type) && (mask_ & bit_of(entry.type)) != 0;
  }
  Needs needs() const override { return needs::type; }
  int cost() const override { return 1; }
  Bound bound() const override { return {.types = mask_}; }
  bool narrows() const override { return (mask_ | bit_of(FileType::unknown)) != all_types; }
  bool selects() const override { return false; }

  std::string text() const override {
    return equality_text("type", types_, [](FileType type) { return to_text(type); });
  }

 private:
  std::vector<FileType> types_;
  FileTypes mask_ = 0;
};

/// True if the value of a row is in a range.
template <typename T>
class RangeTest final : public Test {
 public:
  RangeTest(const RangeRow<T>& row, const text::Range<T>& range) : row_(row), range_(range) {}

  bool holds(Entry& entry) const override {
    if (!is_of(entry, row_.types)) return false;
    if (row_.member != nullptr) {
      return entry.require(row_.need) && range_.contains(entry.metadata.*row_.member);
    }
    const std::optional<T> value = row_.value(entry);
    return value && range_.contains(*value);
  }
  Needs needs() const override { return row_.need | needs_of(row_.types); }
  int cost() const override { return row_.need == needs::depth ? 1 : 2; }
  Bound bound() const override {
    Bound bound{.types = row_.types};
    if (row_.add_bound != nullptr) row_.add_bound(bound, range_);
    return bound;
  }
  bool narrows() const override {
    const bool has_all = row_.all.first <= row_.all.last;
    return !has_all || range_.first > row_.all.first || range_.last < row_.all.last;
  }
  bool selects() const override { return row_.selects && narrows(); }
  std::string text() const override { return range_text(row_.field, range_); }

 private:
  const RangeRow<T>& row_;
  text::Range<T> range_;
};

/// A number of 32 bits that a stat loads.
template <Needs need, std::uint32_t Metadata::*member>
std::optional<std::uint64_t> widened(Entry& entry) {
  if (!entry.require(need)) return {};
  return entry.metadata.*member;
}

constexpr FileTypes files = bit_of(FileType::file);
constexpr std::uint64_t any_number = text::SizeRange{}.last;
constexpr std::uint64_t last_account = std::numeric_limits<std::uint32_t>::max();

}  // namespace

constexpr NumberRow size_row{.field = "size",
                             .need = needs::length,
                             .member = &Metadata::size,
                             .types = files,
                             .add_bound = [](Bound& bound, const text::SizeRange& range) {
                               bound.least_size = range.first;
                               bound.most_size = range.last;
                             }};
constexpr NumberRow allocated_row{
    .field = "allocated", .need = needs::allocated, .member = &Metadata::allocated, .types = files};
constexpr NumberRow private_size_row{.field = "private_size",
                                     .need = needs::private_size,
                                     .member = &Metadata::private_size,
                                     .types = files};
constexpr NumberRow stat_size_row{"stat_size", needs::length, &Metadata::size};
constexpr NumberRow uid_row{.field = "uid",
                            .need = needs::uid,
                            .value = widened<needs::uid, &Metadata::uid>,
                            .all = {0, last_account}};
constexpr NumberRow gid_row{.field = "gid",
                            .need = needs::gid,
                            .value = widened<needs::gid, &Metadata::gid>,
                            .all = {0, last_account}};
constexpr NumberRow links_row{.field = "links",
                              .need = needs::links,
                              .value = widened<needs::links, &Metadata::links>,
                              .all = {1, any_number}};
constexpr NumberRow inode_row{
    .field = "inode", .need = needs::inode, .member = &Metadata::inode, .all = {1, any_number}};

constexpr NumberRow path_length_row{
    .field = "path_length", .need = needs::directory, .value = [](Entry& entry) {
      entry.require(needs::directory);
      const std::size_t size = entry.directory.size() + entry.name.size() + entry.slashes.size();
      return std::optional<std::uint64_t>(size + (entry.is_printed_with_dot() ? 2 : 0));
    }};

constexpr TimeRow modified_row{.field = "modified",
                               .need = needs::modified,
                               .member = &Metadata::modified,
                               .add_bound = [](Bound& bound, const text::TimeRange& range) {
                                 bound.first_modified = range.first;
                                 bound.last_modified = range.last;
                               }};
constexpr TimeRow created_row{"created", needs::created, &Metadata::created};
constexpr TimeRow accessed_row{"accessed", needs::accessed, &Metadata::accessed};
constexpr TimeRow changed_row{"changed", needs::changed, &Metadata::changed};
constexpr TimeRow added_row{"added", needs::added, &Metadata::added};
constexpr TimeRow used_row{.field = "used",
                           .need = needs::accessed | needs::changed,
                           .value = [](Entry& entry) -> std::optional<Instant> {
                             if (!entry.require(needs::accessed | needs::changed)) return {};
                             constexpr Instant negatable{-INT64_MAX};
                             const Instant changed = std::max(entry.metadata.changed, negatable);
                             return text::moved(entry.metadata.accessed, -changed.seconds,
                                                -changed.nanoseconds);
                           }};
constexpr TimeRow last_opened_row{
    .field = "last_opened", .need = needs::finder, .value = [](Entry& entry) {
      return entry.require(needs::finder) ? entry.finder->last_opened : std::nullopt;
    }};

constexpr TimeRow deleted_row{
    .field = "deleted", .need = needs::trashed, .value = [](Entry& entry) {
      return entry.require(needs::trashed) ? entry.trashed->deleted : std::nullopt;
    }};

// The searcher knows the depth, so it takes no call. Only roots that are files have depth 0.
constexpr RangeRow<std::uint32_t> depth_row{
    .field = "depth",
    .need = needs::depth,
    .value = [](Entry& entry) { return std::optional(entry.depth); },
    .all = {1, unlimited_depth},
    .selects = false,
    .add_bound = [](Bound& bound,
                    const text::DepthRange& range) { bound.most_depth = range.last; }};

TestPointer type_test(std::vector<FileType> types) {
  return std::make_shared<TypeTest>(std::move(types));
}

template <typename T>
TestPointer range_test(const RangeRow<T>& row, const text::Range<T>& range) {
  return std::make_shared<RangeTest<T>>(row, range);
}
template TestPointer range_test(const NumberRow& row, const text::SizeRange& range);
template TestPointer range_test(const TimeRow& row, const text::TimeRange& range);
template TestPointer range_test(const RangeRow<std::uint32_t>& row, const text::DepthRange& range);

}  // namespace ffind::query
