// SPDX-License-Identifier: MIT
// Patterns that a library outside of this program matches, with another idea of a character: those
// of find(1), which are the C library's, and of fd, which are Rust's.
//
// fnmatch(3) takes 100 to 300 ns a name, since it converts both texts to wide characters first. So
// a glob of ASCII text with * and ? gets a pattern of ours for ASCII subjects, which all locales
// read alike. It takes 10 ns.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "query/patterns/pattern.h"
#include "text/ascii.h"

namespace ffind::query {
namespace {

using SegmentKind = Segment::Kind;

/// The segments of a glob of text, * and ?.
std::vector<Segment> segments_of(std::string_view glob) {
  std::vector<Segment> segments;
  for (const char c : glob) {
    const SegmentKind kind = c == '*'   ? SegmentKind::star
                             : c == '?' ? SegmentKind::one
                                        : SegmentKind::text;
    const bool goes_on = !segments.empty() && segments.back().kind == kind && c != '?';
    if (!goes_on) segments.push_back({kind});
    if (kind == SegmentKind::text) segments.back().text += c;
  }
  return segments;
}

/// False if a letter of `glob` has another counterpart than in English, as i and I have in Turkish.
bool folds_as_ascii(std::string_view glob, const TextPredicate& library) {
  std::string small;
  std::string large;
  for (const char c : glob) {
    if (c == '*') continue;
    const char folded = text::fold_ascii(c);
    small += folded;
    large += 'a' <= folded && folded <= 'z' ? static_cast<char>(folded - 'a' + 'A') : c;
  }
  return library(small) && library(large);
}

class LibraryPattern final : public Pattern {
 public:
  LibraryPattern(const PatternSpec& spec, text::KeyRules rules)
      : Pattern(rules), library_(spec.library) {
    if (spec.is_ours_in_ascii) {
      PatternSpec ours = spec;
      ours.library = {};
      for_ascii_ = compile_pattern(ours);
      matches_slashes_ = true;
    } else if (spec.kind == PatternKind::glob && text::is_ascii(spec.text) &&
               spec.text.find_first_of("[\\") == std::string::npos &&
               (!rules.folds() || folds_as_ascii(spec.text, library_))) {
      set_for_ascii(segments_of(spec.text));
    }
  }

  bool matches(std::string_view subject) const override {
    const bool is_ours = for_ascii_ && text::is_ascii(subject) &&
                         (matches_slashes_ || subject.find('/') == std::string_view::npos);
    return is_ours ? for_ascii_->matches(subject) : library_(subject);
  }

  int cost() const override { return for_ascii_ ? for_ascii_->cost() : 300; }

 private:
  void set_for_ascii(const std::vector<Segment>& segments) {
    const bool begins_open = !segments.empty() && segments.front().kind == SegmentKind::star;
    const bool ends_open = !segments.empty() && segments.back().kind == SegmentKind::star;
    const std::size_t stars = segments.size() == 1 || !begins_open || !ends_open
                                  ? std::size_t{begins_open || ends_open}
                                  : 2;
    const auto text = std::find_if(segments.begin(), segments.end(), [](const Segment& segment) {
      return segment.kind == SegmentKind::text;
    });
    // Any text, or one with stars around it. Our other patterns match no slashes.
    matches_slashes_ = segments.size() == stars + (text == segments.end() ? 0 : 1);
    if (!matches_slashes_) {
      for_ascii_ = make_wildcards(segments, rules());
      return;
    }
    const PatternKind kind = begins_open && ends_open ? PatternKind::contains
                             : begins_open            ? PatternKind::ends
                             : ends_open              ? PatternKind::starts
                                                      : PatternKind::exact;
    for_ascii_ = make_literal(kind, text == segments.end() ? "" : text->text, rules());
  }

  TextPredicate library_;
  std::unique_ptr<const Pattern> for_ascii_;  ///< null if there is none
  bool matches_slashes_ = false;              ///< of for_ascii_
};

}  // namespace

std::unique_ptr<const Pattern> make_library_pattern(const PatternSpec& spec, text::KeyRules rules) {
  return std::make_unique<LibraryPattern>(spec, rules);
}

}  // namespace ffind::query
