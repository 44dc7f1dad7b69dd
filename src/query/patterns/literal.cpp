// SPDX-License-Identifier: MIT
// Literal patterns.
//
//     subject     compared
//     ASCII       as it is, eight bytes at a time, without table, copy or allocation: the usual
//                 case, a name of about 15 bytes, and the hottest loop after the kernel's
//     UTF-8       by its key (normalised, folded) with the pattern's
//     not UTF-8   as bytes, of which the ASCII letters fold
//
// The globs *x, x* and *x* are a StarredLiteral, with a count of slashes, since * matches none.
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

/// A literal without slashes around it. A class of its own: a count after each match costs plain
/// literals 1.4 % of the instructions of a walk.
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

}  // namespace

std::unique_ptr<const Pattern> make_literal(PatternKind kind, std::string_view text,
                                            text::KeyRules rules, Slashes slashes) {
  if (slashes == Slashes::anywhere) return std::make_unique<LiteralPattern>(kind, text, rules);
  return std::make_unique<StarredLiteral>(kind, text, rules);
}

}  // namespace ffind::query
