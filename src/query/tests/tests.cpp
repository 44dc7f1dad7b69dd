// SPDX-License-Identifier: MIT
// The tests, one small class each: what it asks for, whether it holds, how it is spelt. Immutable.
#include "query/tests/tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "query/bound.h"
#include "query/unicode/fold.h"
#include "query/values/text.h"

namespace ffind {
namespace {

Bound bound_of_name(const Pattern& pattern) {
  const KeyCase key_case = pattern.ignores_case() ? KeyCase::folded : KeyCase::kept;
  Bound bound;
  bound.name_contains = portable_piece(pattern.required_literal(), key_case);
  return bound;
}

Bound bound_of_types(std::initializer_list<FileType> types) {
  Bound bound;
  bound.types = 0;
  for (const FileType type : types) bound.types |= bit_of(type);
  return bound;
}

class PatternTest final : public Test {
 public:
  PatternTest(Subject subject, const PatternSpec& spec)
      : subject_(subject), pattern_(compile_pattern(spec)), spec_(spec) {}

  bool holds(Entry& entry) const override {
    switch (subject_) {
      case Subject::name:
        return pattern_->matches(entry.name);
      case Subject::path:
        return entry.require(needs::relative_path) && pattern_->matches(entry.relative_path);
      case Subject::absolute_path:
        return entry.require(needs::absolute_path) && pattern_->matches(entry.absolute_path);
    }
    return false;
  }

  Needs needs() const override {
    switch (subject_) {
      case Subject::name:
        return needs::none;
      case Subject::path:
        return needs::relative_path;
      case Subject::absolute_path:
        return needs::absolute_path;
    }
    return needs::none;
  }

  int cost() const override { return pattern_->cost(); }

  Bound bound() const override {
    // What a path must contain need not lie in the name.
    return subject_ == Subject::name ? bound_of_name(*pattern_) : Bound{};
  }

  std::string text() const override {
    constexpr std::string_view subjects[] = {"name", "path", "absolute_path"};
    std::string_view rule;
    if (spec_.case_rule == CaseRule::sensitive) rule = " case";
    if (spec_.case_rule == CaseRule::insensitive) rule = " nocase";
    return fmt::format("{}{} {} {}", subjects[static_cast<std::size_t>(subject_)], rule,
                       operator_text(spec_.kind), quoted(spec_.text));
  }

 private:
  Subject subject_;
  std::unique_ptr<const Pattern> pattern_;
  PatternSpec spec_;
};

class ExtensionTest final : public Test {
 public:
  ExtensionTest(std::vector<std::string> extensions, bool case_sensitive)
      : extensions_(std::move(extensions)), case_sensitive_(case_sensitive) {
    for (const std::string& extension : extensions_) {
      PatternSpec spec;
      spec.kind = PatternKind::ends;
      spec.text = "." + extension;
      spec.case_rule = case_sensitive ? CaseRule::sensitive : CaseRule::insensitive;
      suffixes_.push_back({compile_pattern(spec), spec.text.size()});
    }
  }

  bool holds(Entry& entry) const override {
    return std::any_of(suffixes_.begin(), suffixes_.end(), [&](const Suffix& suffix) {
      return entry.name.size() > suffix.length && suffix.pattern->matches(entry.name);
    });
  }

  Needs needs() const override { return needs::none; }
  int cost() const override { return 5 * static_cast<int>(suffixes_.size()); }

  Bound bound() const override {
    if (suffixes_.empty()) return {};
    Bound bound = bound_of_name(*suffixes_.front().pattern);
    for (const Suffix& suffix : suffixes_) bound = join(bound, bound_of_name(*suffix.pattern));
    return bound;
  }

  std::string text() const override {
    std::string list;
    for (const std::string& extension : extensions_) {
      if (!list.empty()) list += ", ";
      list += extension;
    }
    return fmt::format("ext{} in ({})", case_sensitive_ ? " case" : "", list);
  }

 private:
  struct Suffix {
    std::unique_ptr<const Pattern> pattern;
    std::size_t length;
  };
  std::vector<std::string> extensions_;
  std::vector<Suffix> suffixes_;
  bool case_sensitive_;
};

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

  std::string text() const override {
    if (types_.size() == 1) return fmt::format("type = {}", to_text(types_.front()));
    std::string list;
    for (const FileType type : types_) {
      if (!list.empty()) list += ", ";
      list += to_text(type);
    }
    return fmt::format("type in ({})", list);
  }

 private:
  std::vector<FileType> types_;
  FileTypes mask_ = 0;
};

class SizeTest final : public Test {
 public:
  explicit SizeTest(const SizeRange& range) : range_(range) {}

  bool holds(Entry& entry) const override {
    // The type first: it is free, and spares the stat of whatever is no file.
    return entry.require(needs::type) && entry.type == FileType::file &&
           entry.require(needs::size) && range_.contains(entry.metadata.size);
  }
  Needs needs() const override { return needs::type | needs::size; }
  int cost() const override { return 2; }
  Bound bound() const override {
    Bound bound = bound_of_types({FileType::file});
    bound.least_size = range_.first;
    bound.most_size = range_.last;
    return bound;
  }
  std::string text() const override { return range_text("size", range_); }

 private:
  SizeRange range_;
};

class ModifiedTest final : public Test {
 public:
  explicit ModifiedTest(const TimeRange& range) : range_(range) {}

  bool holds(Entry& entry) const override {
    return entry.require(needs::modified) && range_.contains(entry.metadata.modified);
  }
  Needs needs() const override { return needs::modified; }
  int cost() const override { return 2; }
  Bound bound() const override {
    Bound bound;
    bound.first_modified = range_.first;
    bound.last_modified = range_.last;
    return bound;
  }
  std::string text() const override { return range_text("modified", range_); }

 private:
  TimeRange range_;
};

class DepthTest final : public Test {
 public:
  explicit DepthTest(const DepthRange& range) : range_(range) {}

  bool holds(Entry& entry) const override { return range_.contains(entry.depth); }
  Needs needs() const override { return needs::depth; }
  int cost() const override { return 1; }
  std::string text() const override { return range_text("depth", range_); }

 private:
  DepthRange range_;
};

class EmptyTest final : public Test {
 public:
  bool holds(Entry& entry) const override {
    return entry.require(needs::type) &&
           (entry.type == FileType::file || entry.type == FileType::directory) &&
           entry.require(needs::empty) && entry.empty;
  }
  Needs needs() const override { return needs::type | needs::size | needs::empty; }
  int cost() const override { return 2; }
  Bound bound() const override { return bound_of_types({FileType::file, FileType::directory}); }
  std::string text() const override { return "empty"; }
};

class HiddenTest final : public Test {
 public:
  bool holds(Entry& entry) const override { return entry.name.front() == '.'; }
  Needs needs() const override { return needs::none; }
  int cost() const override { return 1; }
  std::string text() const override { return "hidden"; }
};

}  // namespace

TestPointer pattern_test(Subject subject, const PatternSpec& spec) {
  return std::make_shared<PatternTest>(subject, spec);
}
TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive) {
  return std::make_shared<ExtensionTest>(std::move(extensions), case_sensitive);
}
TestPointer type_test(std::vector<FileType> types) {
  return std::make_shared<TypeTest>(std::move(types));
}
TestPointer size_test(const SizeRange& range) {
  return std::make_shared<SizeTest>(range);
}
TestPointer modified_test(const TimeRange& range) {
  return std::make_shared<ModifiedTest>(range);
}
TestPointer depth_test(const DepthRange& range) {
  return std::make_shared<DepthTest>(range);
}
TestPointer empty_test() {
  return std::make_shared<EmptyTest>();
}
TestPointer hidden_test() {
  return std::make_shared<HiddenTest>();
}

}  // namespace ffind
