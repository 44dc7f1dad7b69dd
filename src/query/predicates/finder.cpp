// SPDX-License-Identifier: MIT
// Tests of Finder metadata (tags, comment, origins, codes, time of last use) and of extended
// attributes.
//
// Finder metadata is loaded as a whole and needs several calls per entry, extended attributes are
// loaded one by one. Metadata may be present in part: a tag that was read decides `tag` and
// `untagged` even if other tags could not be read.
//
//     tag            an exact name, a pattern, or a colour in English
//     comment        the Finder's comment; entries without one match no pattern
//     where_from     one of the URLs of a download
//     xattr          any attribute, by name or by value

#include <algorithm>
#include <array>
#include <utility>

#include "query/expression.h"
#include "query/patterns/pattern.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"

namespace ffind::query {
namespace {

/// English names of the Finder's colours. Tags of a colour may have other names, given by the user
/// or by a system in another language.
struct ColourName {
  std::string_view name;
  std::uint8_t colour;
};
constexpr ColourName colour_names[] = {{"grey", 1}, {"gray", 1},   {"green", 2}, {"purple", 3},
                                       {"blue", 4}, {"yellow", 5}, {"red", 6},   {"orange", 7}};

/// True if one tag has the colour that the value names, or a name that matches.
class TagTest final : public TextTest {
 public:
  explicit TagTest(const PatternSpec& spec) : TextTest("tag", needs::finder, spec) {
    // Colours are recognised in any case ("Red", "red"), whatever the pattern's case rule.
    if (spec.kind != PatternKind::exact && spec.kind != PatternKind::contains) return;
    for (const ColourName& row : colour_names) {
      if (text::fold_ascii(spec.text) == row.name) colour_ = row.colour;
    }
  }

  bool holds(Entry& entry) const override {
    if (!entry.require(needs::finder)) return false;
    const std::vector<FinderTag>& tags = entry.finder->tags;
    return std::any_of(tags.begin(), tags.end(), [&](const FinderTag& tag) {
      return (colour_ != 0 && tag.colour == colour_) || pattern().matches(tag.name);
    });
  }

 private:
  /// 0 if the value names no colour.
  std::uint8_t colour_ = 0;
};

/// An empty comment counts as none, so that a pattern for the empty text does not match every
/// entry.
class CommentTest final : public TextTest {
 public:
  explicit CommentTest(const PatternSpec& spec) : TextTest("comment", needs::finder, spec) {}
  bool holds(Entry& entry) const override {
    if (!entry.require(needs::finder)) return false;
    return !entry.finder->comment.empty() && pattern().matches(entry.finder->comment);
  }
};

class WhereFromTest final : public TextTest {
 public:
  explicit WhereFromTest(const PatternSpec& spec) : TextTest("where_from", needs::finder, spec) {}
  bool holds(Entry& entry) const override {
    if (!entry.require(needs::finder)) return false;
    const std::vector<std::string>& all = entry.finder->where_froms;
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& origin) { return pattern().matches(origin); });
  }
};

/// Test of a type or creator code.
class CodeTest final : public TextTest {
 public:
  CodeTest(std::string_view field, std::string FinderMetadata::*member, const PatternSpec& spec)
      : TextTest(field, needs::finder | needs::type, spec), member_(member) {}
  bool holds(Entry& entry) const override {
    if (!entry.require(needs::finder) || (entry.finder->*member_).empty()) return false;
    const std::string_view code = entry.finder->*member_;
    // "PDF " is shorter for those who type it.
    return pattern().matches(code) ||
           pattern().matches(code.substr(0, code.find_last_not_of(' ') + 1));
  }

 private:
  std::string FinderMetadata::*member_;
};

class LastOpenedTest final : public Test {
 public:
  explicit LastOpenedTest(const text::TimeRange& range) : range_(range) {}
  bool holds(Entry& entry) const override {
    return entry.require(needs::finder) && entry.finder->last_opened &&
           range_.contains(*entry.finder->last_opened);
  }
  Needs needs() const override { return needs::finder; }
  int cost() const override { return 2; }
  std::string text() const override { return range_text("last_opened", range_); }

 private:
  text::TimeRange range_;
};

/// Existence only: the value need not be read.
class AttributeTest final : public Test {
 public:
  explicit AttributeTest(std::string name) : name_(std::move(name)) {}
  bool holds(Entry& entry) const override {
    return entry.loader != nullptr && entry.loader->attribute(entry, name_, nullptr);
  }
  Needs needs() const override { return needs::attributes; }
  int cost() const override { return 100; }
  std::string text() const override { return text::format("xattr = {}", quoted(name_)); }

 private:
  std::string name_;
};

/// Matches the bytes of the value and, if it is a property list, each of its strings. A value too
/// large to be examined arrives empty.
class AttributeValueTest final : public Test {
 public:
  AttributeValueTest(std::string name, const PatternSpec& spec)
      : name_(std::move(name)), spec_(spec), pattern_(compile_pattern(spec)) {}

  bool holds(Entry& entry) const override {
    AttributeValue value;
    if (entry.loader == nullptr || !entry.loader->attribute(entry, name_, &value)) return false;
    // Many programs write a NUL at the end of a text.
    if (value.bytes.ends_with('\0')) value.bytes.pop_back();
    if (pattern_->matches(value.bytes)) return true;
    return std::any_of(value.texts.begin(), value.texts.end(),
                       [&](const std::string& text) { return pattern_->matches(text); });
  }
  Needs needs() const override { return needs::attributes; }
  int cost() const override { return 200 + pattern_->cost(); }
  std::string text() const override {
    return pattern_text(text::format("xattr {}", quoted(name_)), spec_);
  }

 private:
  std::string name_;
  PatternSpec spec_;
  std::unique_ptr<const Pattern> pattern_;
};

}  // namespace

TestPointer tag_test(const PatternSpec& spec) {
  return std::make_shared<TagTest>(spec);
}
TestPointer comment_test(const PatternSpec& spec) {
  return std::make_shared<CommentTest>(spec);
}
TestPointer where_from_test(const PatternSpec& spec) {
  return std::make_shared<WhereFromTest>(spec);
}
TestPointer type_code_test(const PatternSpec& spec) {
  return std::make_shared<CodeTest>("type_code", &FinderMetadata::type_code, spec);
}
TestPointer creator_test(const PatternSpec& spec) {
  return std::make_shared<CodeTest>("creator", &FinderMetadata::creator, spec);
}
TestPointer last_opened_test(const text::TimeRange& range) {
  return std::make_shared<LastOpenedTest>(range);
}
TestPointer attribute_test(std::string name) {
  return std::make_shared<AttributeTest>(std::move(name));
}
TestPointer attribute_test(std::string name, const PatternSpec& spec) {
  return std::make_shared<AttributeValueTest>(std::move(name), spec);
}

}  // namespace ffind::query
