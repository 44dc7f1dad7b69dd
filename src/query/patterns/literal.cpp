// SPDX-License-Identifier: MIT
// Literal patterns.
//
//     subject     compared
//     ASCII       as it is, eight bytes at a time, without table, copy or allocation: the usual
//                 case, a name of about 15 bytes, and the hottest loop after the kernel's
//     UTF-8       by its key (normalised, folded) with the pattern's
//     not UTF-8   as bytes, of which the ASCII letters fold
//
// LiteralPattern is a fixed text. StarredLiteral is *x, x* or *x*: a literal, and a count of
// slashes, since * matches none. WildcardPattern is any other sequence of texts, * and ?.
#include "query/patterns/pattern.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "query/patterns/byte_finder.h"
#include "text/unicode.h"

namespace ffind::query {

namespace {

/// A fixed text as the whole, the beginning, the end or any part of the subject. If the text is not
/// UTF-8 it has no key; it matches subjects that are not UTF-8, by bytes_.
class LiteralPattern final : public Pattern {
 public:
  LiteralPattern(PatternKind kind, std::string_view text, text::KeyRules rules)
      : Pattern(rules),
        kind_(kind),
        utf8_(text::is_utf8(text)),
        bytes_(rules.folds() ? text::fold_ascii(text) : std::string(text)),
        key_(utf8_ ? text::key_of(text, rules) : bytes_),
        ascii_(text::is_ascii(key_)),
        finder_(ascii_ ? key_ : std::string(), rules.letter_case),
        known_bytes_(utf8_ ? finder_of_known_bytes(key_, rules) : std::nullopt) {}

  bool matches(std::string_view subject) const override {
    if (text::is_ascii(subject)) return ascii_ && matches_ascii(subject);
    return matches_slowly(subject);
  }

  /// An anchored literal matches only a piece at that end of the text.
  bool matches_part(std::string_view before, std::string_view part,
                    std::string_view after) const override {
    const bool at_start = kind_ == PatternKind::exact || kind_ == PatternKind::starts;
    const bool at_end = kind_ == PatternKind::exact || kind_ == PatternKind::ends;
    if ((at_start && !before.empty()) || (at_end && !after.empty())) return false;
    return matches(part);
  }

  int cost() const override { return kind_ == PatternKind::contains ? 5 : 3; }
  std::string_view required_literal() const override { return key_; }

 private:
  /// The hottest path. `subject` and key_ are ASCII.
  bool matches_ascii(std::string_view subject) const {
    if (kind_ == PatternKind::contains) return finder_.found_in(subject);
    if (subject.size() < key_.size()) return false;
    if (kind_ == PatternKind::exact && subject.size() != key_.size()) return false;
    if (kind_ == PatternKind::ends) subject.remove_prefix(subject.size() - key_.size());
    return rules().folds() ? equal_ascii<true>(subject.data(), key_.data(), key_.size())
                           : equal_ascii<false>(subject.data(), key_.data(), key_.size());
  }

  /// `subject` is not ASCII.
  bool matches_slowly(std::string_view subject) const {
    if (known_bytes_) {
      const std::size_t at = known_bytes_->find(subject, 0);
      if (at == ByteFinder::npos) return false;
      // ASCII before ASCII or the end is in the key, too: only a mark after a letter changes it.
      // A search for one letter below a directory outside ASCII takes 0.56 of the instructions.
      const std::string_view after = subject.substr(std::min(at + key_.size(), subject.size()));
      const bool whole = ascii_ && known_bytes_->size() == key_.size();
      if (kind_ == PatternKind::contains && whole && text::is_ascii(after.substr(0, 1))) {
        return true;
      }
    }
    if (!text::is_utf8(subject)) {
      return rules().folds() ? holds(text::fold_ascii(subject), bytes_) : holds(subject, bytes_);
    }
    // Else a part of a character would be found in a whole one.
    if (!utf8_) return false;
    text::KeyScratch scratch;
    return holds(text::key_of(subject, rules(), scratch), key_);
  }

  /// Compares texts that are folded already, both keys or both bytes.
  bool holds(std::string_view subject, std::string_view text) const {
    switch (kind_) {
      case PatternKind::exact:
        return subject == text;
      case PatternKind::starts:
        return subject.starts_with(text);
      case PatternKind::ends:
        return subject.ends_with(text);
      default:
        return subject.find(text) != std::string_view::npos;
    }
  }

  PatternKind kind_;
  bool utf8_;
  std::string bytes_;  ///< for subjects that are not UTF-8
  std::string key_;    ///< for all others
  bool ascii_;         ///< key_ is ASCII; else no ASCII subject matches
  AsciiFinder finder_;
  std::optional<ByteFinder> known_bytes_;  ///< in every match
};

/// *x, x* and *x*: a literal, with no slash in the text that the stars match.
class StarredLiteral final : public Pattern {
 public:
  StarredLiteral(PatternKind kind, std::string_view text, text::KeyRules rules)
      : Pattern(rules), literal_(kind, text, rules), slashes_(slashes_in(text)) {}

  bool matches(std::string_view subject) const override {
    // If the subject has no more slashes than the literal, none is outside of it.
    return literal_.matches(subject) && slashes_in(subject) == slashes_;
  }
  int cost() const override { return literal_.cost() + 1; }
  std::string_view required_literal() const override { return literal_.required_literal(); }

 private:
  static std::ptrdiff_t slashes_in(std::string_view text) {
    return std::count(text.begin(), text.end(), '/');
  }

  LiteralPattern literal_;
  std::ptrdiff_t slashes_;
};

using SegmentKind = Segment::Kind;

/// Backtracks only to the last star: an earlier one that matched more would leave less for the
/// later ones, and none may match a slash. So no search is exponential.
class WildcardPattern final : public Pattern {
 public:
  WildcardPattern(const std::vector<Segment>& segments, text::KeyRules rules) : Pattern(rules) {
    for (const Segment& segment : segments) utf8_ = utf8_ && text::is_utf8(segment.text);
    const bool folds = rules.folds();
    for (const Segment& segment : segments) {
      const std::string bytes = folds ? text::fold_ascii(segment.text) : segment.text;
      const std::string key = utf8_ ? text::key_of(segment.text, rules) : bytes;
      if (key.size() > required_.size()) required_ = key;
      append_code(key_code_, segment.kind, key);
      append_code(byte_code_, segment.kind, bytes);
      ascii_ = ascii_ && text::is_ascii(key);
    }
    if (utf8_) known_bytes_ = finder_of_known_bytes(required_, rules);
  }

  bool matches(std::string_view subject) const override {
    if (!text::is_ascii(subject)) return matches_slowly(subject);
    return ascii_ && run_bytes(key_code_, subject);
  }

  int cost() const override { return 12; }
  std::string_view required_literal() const override { return required_; }

 private:
  /// The pattern as a flat sequence: `a?*.c` is 'a', any_one, any_number, '.', 'c'. Numbers from
  /// 0x100 on cannot be bytes, so one comparison tells text from wildcards. `end` is in no code: it
  /// means the position after the last element, which matches no byte.
  using Code = std::vector<std::uint16_t>;  ///< bytes, and these:
  static constexpr std::uint16_t any_one = 0x100;
  static constexpr std::uint16_t any_number = 0x101;
  static constexpr std::uint16_t end = 0x102;

  static void append_code(Code& code, SegmentKind kind, std::string_view text) {
    if (kind == SegmentKind::one) code.push_back(any_one);
    if (kind == SegmentKind::star) code.push_back(any_number);
    for (const char c : text) code.push_back(static_cast<unsigned char>(c));
  }

  bool run_bytes(const Code& code, std::string_view subject) const {
    return rules().folds() ? run<true, false>(code, subject) : run<false, false>(code, subject);
  }

  bool matches_slowly(std::string_view subject) const {
    if (known_bytes_ && known_bytes_->find(subject, 0) == ByteFinder::npos) return false;
    if (!text::is_utf8(subject)) return run_bytes(byte_code_, subject);
    if (!utf8_) return false;
    text::KeyScratch scratch;
    return run<false, true>(key_code_, text::key_of(subject, rules(), scratch));
  }

  /// Matches all of `subject`. `folding` is for subjects as they are; keys are folded already.
  /// `utf8` says that the subject is valid, so that a character ends before the next byte that does
  /// not continue it; else each byte is one.
  ///
  ///     code    a * b ? c       subject   a x b x b y c
  ///     end     c is compared first and cut off both
  ///     a *     a fits; the star is noted, empty
  ///     b ?     x is not b: the star takes x; b and x fit, but b is left over
  ///     retry   the star takes b, then x; b and y fit, and nothing is left over
  template <bool folding, bool utf8>
  static bool run(const Code& code, std::string_view subject) {
    const auto byte = [&](std::size_t i) {
      return static_cast<unsigned char>(folding ? text::fold_ascii(subject[i]) : subject[i]);
    };
    const auto after = [&](std::size_t i) {  // the end of the character at i
      ++i;
      while (utf8 && i < subject.size() && (byte(i) & 0xC0) == 0x80) ++i;
      return i;
    };
    // The end of the pattern, usually an extension, rejects most names.
    std::size_t code_size = code.size();
    for (; code_size > 0 && code[code_size - 1] < any_one; --code_size) {
      if (subject.empty() || code[code_size - 1] != byte(subject.size() - 1)) return false;
      subject.remove_suffix(1);
    }
    // Code and subject position to return to when a byte does not match.
    std::optional<std::size_t> after_star;
    std::size_t star_end = 0;  // end of the text that the last star matched
    std::size_t at = 0;
    for (std::size_t i = 0; i < subject.size();) {
      const std::uint16_t wanted = at < code_size ? code[at] : end;
      if (wanted == byte(i)) {
        ++i;
        ++at;
      } else if (wanted == any_number) {
        after_star = ++at;
        star_end = i;
      } else if (wanted == any_one && subject[i] != '/') {
        i = after(i);
        ++at;
      } else if (after_star && subject[star_end] != '/') {
        // The star takes one character more, and the code after it starts again.
        i = star_end = after(star_end);
        at = *after_star;
      } else {
        return false;
      }
    }
    if (at < code_size && code[at] == any_number) ++at;  // it matches nothing
    return at == code_size;
  }

  bool utf8_ = true;
  bool ascii_ = true;
  Code key_code_;
  Code byte_code_;  ///< for subjects that are not UTF-8
  std::string required_;
  std::optional<ByteFinder> known_bytes_;  ///< in every match
};

}  // namespace

std::unique_ptr<const Pattern> make_literal(PatternKind kind, std::string_view text,
                                            text::KeyRules rules) {
  return std::make_unique<LiteralPattern>(kind, text, rules);
}

std::unique_ptr<const Pattern> make_wildcards(const std::vector<Segment>& segments,
                                              text::KeyRules rules) {
  // The usual globs need no code: report.txt is a literal, *.pdf a suffix, IMG_* a prefix, *draft*
  // a part, * everything without a slash.
  const auto have_shape = [&](std::initializer_list<SegmentKind> kinds) {
    return std::equal(
        segments.begin(), segments.end(), kinds.begin(), kinds.end(),
        [](const Segment& segment, SegmentKind kind) { return segment.kind == kind; });
  };
  const auto starred = [&](PatternKind kind, std::string_view text) {
    return std::make_unique<StarredLiteral>(kind, text, rules);
  };
  constexpr auto text = SegmentKind::text;
  constexpr auto star = SegmentKind::star;
  if (segments.empty()) return make_literal(PatternKind::exact, "", rules);
  if (have_shape({text})) return make_literal(PatternKind::exact, segments[0].text, rules);
  if (have_shape({star})) return starred(PatternKind::contains, "");
  if (have_shape({text, star})) return starred(PatternKind::starts, segments[0].text);
  if (have_shape({star, text})) return starred(PatternKind::ends, segments[1].text);
  if (have_shape({star, text, star})) return starred(PatternKind::contains, segments[1].text);
  return std::make_unique<WildcardPattern>(segments, rules);
}

}  // namespace ffind::query
