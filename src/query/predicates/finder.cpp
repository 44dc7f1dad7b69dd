// SPDX-License-Identifier: MIT
// Tests of Finder metadata (tags, comment, origins, codes) and of extended attributes.
//
// Finder metadata is loaded as a whole and needs several calls per entry, extended attributes are
// loaded one by one. Metadata may be present in part: a tag that was read decides `tag` and
// `untagged` even if other tags could not be read.
//
//     tag            an exact name, a pattern, or a colour in English
//     comment        the Finder's comment; entries without one match no pattern
//     where_from     one of the URLs of a download
//     type_code      four characters, as those of `creator`
//     xattr          any attribute, by name or by value

#include <algorithm>
#include <iterator>
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

/// The colour that the value names; 0 if none. Colours are recognised in any case ("Red", "red"),
/// whatever the pattern's case rule.
std::uint8_t colour_of(const PatternSpec& spec) {
  if (spec.kind != PatternKind::exact && spec.kind != PatternKind::contains) return 0;
  const auto* const row =
      std::find_if(std::begin(colour_names), std::end(colour_names),
                   [&](const ColourName& one) { return text::fold_ascii(spec.text) == one.name; });
  return row == std::end(colour_names) ? 0 : row->colour;
}

/// True if one tag has the colour that the value names, or a name that matches.
bool holds_tag(Entry& entry, const Pattern& pattern, const PatternSpec& spec) {
  if (!entry.require(needs::finder)) return false;
  const std::vector<FinderTag>& tags = entry.finder->tags;
  return std::any_of(tags.begin(), tags.end(), [&](const FinderTag& tag) {
    return (tag.colour != 0 && tag.colour == colour_of(spec)) || pattern.matches(tag.name);
  });
}

/// An empty comment counts as none, so that a pattern for the empty text does not match every
/// entry.
bool holds_comment(Entry& entry, const Pattern& pattern, const PatternSpec&) {
  if (!entry.require(needs::finder)) return false;
  return !entry.finder->comment.empty() && pattern.matches(entry.finder->comment);
}

bool holds_origin(Entry& entry, const Pattern& pattern, const PatternSpec&) {
  if (!entry.require(needs::finder)) return false;
  const std::vector<std::string>& all = entry.finder->where_froms;
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& origin) { return pattern.matches(origin); });
}

/// Matches a type or creator code. "PDF " is shorter for those who type it.
template <std::string FinderMetadata::*member>
bool holds_code(Entry& entry, const Pattern& pattern, const PatternSpec&) {
  if (!entry.require(needs::finder)) return false;
  const std::string_view code = entry.finder->*member;
  if (code.empty()) return false;
  return pattern.matches(code) || pattern.matches(code.substr(0, code.find_last_not_of(' ') + 1));
}

/// Matches the bytes of the value and, if it is a property list, each of its strings. A value too
/// large to be examined arrives empty. Without a pattern the value need not be read.
class AttributeTest final : public Test {
 public:
  AttributeTest(std::string name, const std::optional<PatternSpec>& spec)
      : name_(std::move(name)), spec_(spec) {
    if (spec) pattern_ = compile_pattern(*spec);
  }

  bool holds(Entry& entry) const override {
    AttributeValue value;
    AttributeValue* const into = pattern_ ? &value : nullptr;
    if (entry.loader == nullptr || !entry.loader->attribute(entry, name_, into)) return false;
    if (!pattern_) return true;
    // Many programs write a NUL at the end of a text.
    if (value.bytes.ends_with('\0')) value.bytes.pop_back();
    if (pattern_->matches(value.bytes)) return true;
    return std::any_of(value.texts.begin(), value.texts.end(),
                       [&](const std::string& text) { return pattern_->matches(text); });
  }
  Needs needs() const override { return needs::attributes; }
  int cost() const override { return pattern_ ? 200 + pattern_->cost() : 100; }
  std::string text() const override {
    return spec_ ? pattern_text(text::format("xattr {}", quoted(name_)), *spec_)
                 : text::format("xattr = {}", quoted(name_));
  }

 private:
  std::string name_;
  std::optional<PatternSpec> spec_;
  std::unique_ptr<const Pattern> pattern_;  ///< null if existence is enough
};

}  // namespace

constexpr TextRow tag_row{"tag", needs::finder, holds_tag, "a tag",
                          "; for any tag: --where 'not untagged'"};
constexpr TextRow comment_row{"comment", needs::finder, holds_comment, "a text",
                              "; for any comment: --where 'comment ~ .'"};
constexpr TextRow where_from_row{"where_from", needs::finder, holds_origin,
                                 "an address, or a part of one,",
                                 "; for any address: --where 'where_from ~ .'"};
constexpr TextRow type_code_row{"type_code", needs::finder | needs::type,
                                holds_code<&FinderMetadata::type_code>, "a code of four characters",
                                "; for any code: --where 'type_code ~ .'"};
constexpr TextRow creator_row{"creator", needs::finder | needs::type,
                              holds_code<&FinderMetadata::creator>, "a code of four characters",
                              "; for any code: --where 'creator ~ .'"};

TestPointer attribute_test(std::string name, const std::optional<PatternSpec>& spec) {
  return std::make_shared<AttributeTest>(std::move(name), spec);
}

}  // namespace ffind::query
