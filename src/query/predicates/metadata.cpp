// SPDX-License-Identifier: MIT
// Tests of type, sizes, times and depth.
//
// All but the type and the depth need a stat. Tests that apply to regular files check the type
// first, which is free, and so avoid the stat of all other entries. Bounds are precise here,
// because these are the conditions that catalogs can search for.

#include <utility>

#include "query/expression.h"
#include "query/predicates/predicates.h"
#include "text/format.h"

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
  Bound bound() const override {
    Bound bound;
    bound.types = mask_;
    return bound;
  }
  bool narrows() const override { return (mask_ | bit_of(FileType::unknown)) != all_types; }
  bool selects() const override { return false; }

  std::string text() const override {
    return equality_text("type", types_, [](FileType type) { return to_text(type); });
  }

 private:
  std::vector<FileType> types_;
  FileTypes mask_ = 0;
};

/// A size that stat(2) reports: `size` and `allocated` of regular files, `stat_size` of entries of
/// any type. A bound has members for the size of files only.
class SizeTest final : public Test {
 public:
  SizeTest(std::string_view field, std::uint64_t Metadata::*member, const text::SizeRange& range,
           bool of_files = true)
      : field_(field), member_(member), range_(range), of_files_(of_files) {}

  bool holds(Entry& entry) const override {
    // Check the type first: it is free and avoids the stat of everything that is not a file.
    if (of_files_ && !(entry.require(needs::type) && entry.type == FileType::file)) return false;
    return entry.require(needs::size) && range_.contains(entry.metadata.*member_);
  }
  Needs needs() const override { return needs::size | (of_files_ ? needs::type : needs::none); }
  int cost() const override { return 2; }
  Bound bound() const override {
    Bound bound;
    if (!of_files_) return bound;
    bound.types = bit_of(FileType::file);
    if (member_ == &Metadata::size) {
      bound.least_size = range_.first;
      bound.most_size = range_.last;
    }
    return bound;
  }
  std::string text() const override { return range_text(field_, range_); }

 private:
  std::string_view field_;
  std::uint64_t Metadata::*member_;
  text::SizeRange range_;
  bool of_files_;
};

/// One of the times of Metadata. The last change of contents is the only one that a bound has.
class TimeTest final : public Test {
 public:
  TimeTest(TimeField field, const text::TimeRange& range) : row_(row_of(field)), range_(range) {}

  bool holds(Entry& entry) const override {
    return entry.require(row_.need) && range_.contains(entry.metadata.*row_.member);
  }
  Needs needs() const override { return row_.need; }
  int cost() const override { return 2; }
  Bound bound() const override {
    Bound bound;
    if (row_.need == needs::modified) {
      bound.first_modified = range_.first;
      bound.last_modified = range_.last;
    }
    return bound;
  }
  std::string text() const override { return range_text(row_.name, range_); }

 private:
  /// Indexed by TimeField.
  struct Row {
    std::string_view name;
    Needs need;
    Nanoseconds Metadata::*member;
  };
  static const Row& row_of(TimeField field) {
    static constexpr Row rows[] = {
        {"modified", needs::modified, &Metadata::modified},
        {"created", needs::created, &Metadata::created},
        {"accessed", needs::accessed, &Metadata::accessed},
        {"changed", needs::changed, &Metadata::changed},
        {"added", needs::added, &Metadata::added},
    };
    return rows[static_cast<std::size_t>(field)];
  }

  const Row& row_;
  text::TimeRange range_;
};

/// The searcher knows the depth, so it takes no call.
class DepthTest final : public Test {
 public:
  explicit DepthTest(const text::DepthRange& range) : range_(range) {}

  bool holds(Entry& entry) const override { return range_.contains(entry.depth); }
  Needs needs() const override { return needs::depth; }
  int cost() const override { return 1; }
  Bound bound() const override {
    Bound bound;
    bound.most_depth = range_.last;
    return bound;
  }
  // Only roots that are files have depth 0.
  bool narrows() const override { return range_.first > 1 || range_.last < unlimited_depth; }
  bool selects() const override { return false; }
  std::string text() const override { return range_text("depth", range_); }

 private:
  text::DepthRange range_;
};

}  // namespace

TestPointer type_test(std::vector<FileType> types) {
  return std::make_shared<TypeTest>(std::move(types));
}
TestPointer size_test(const text::SizeRange& range) {
  return std::make_shared<SizeTest>("size", &Metadata::size, range);
}
TestPointer allocated_test(const text::SizeRange& range) {
  return std::make_shared<SizeTest>("allocated", &Metadata::allocated, range);
}
TestPointer stat_size_test(const text::SizeRange& range) {
  return std::make_shared<SizeTest>("stat_size", &Metadata::size, range, false);
}
TestPointer time_test(TimeField field, const text::TimeRange& range) {
  if (field == TimeField::last_opened) return last_opened_test(range);
  return std::make_shared<TimeTest>(field, range);
}
TestPointer depth_test(const text::DepthRange& range) {
  return std::make_shared<DepthTest>(range);
}

}  // namespace ffind::query
