// SPDX-License-Identifier: MIT
// Keys of texts with bytes outside ASCII. Code points that NFC leaves alone are mapped one by one;
// only around the others a text is taken apart and put together. Knows no pattern.
#include "text/key.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace ffind::text {

namespace {

/// Whether `text` is NFC. May say no where it is.
bool is_surely_nfc(std::string_view text) {
  Facts last_class = 0;
  for (std::size_t position = 0; position < text.size();) {
    if (static_cast<signed char>(text[position]) >= 0) {
      ++position;
      last_class = 0;
      continue;
    }
    const Facts of = facts_of(next_code_point(text, position));
    const Facts combining_class = of & facts::combining_class;
    // Marks in another order than their classes' are not NFC.
    const bool ordered = combining_class == 0 || last_class <= combining_class;
    if ((of & facts::settled) == 0 || !ordered) return false;
    last_class = combining_class;
  }
  return true;
}

template <bool folds, bool strips>
class KeyMaker {
 public:
  KeyMaker(std::string_view text, KeyScratch& scratch)
      : text_(text),
        scratch_(scratch),
        // NFC has at most 3 bytes for each (U+1D160), folding at most 3 for 2 (U+023A).
        key_(static_cast<char*>(scratch.allocate(3 * text.size(), 1))),
        end_(key_) {}

  std::string_view make() {
    std::size_t segment = 0;         // where the last settled starter is
    const char* segment_key = key_;  // and what became of it
    Facts last_class = 0;
    for (std::size_t position = 0; position < text_.size();) {
      const char byte = text_[position];
      if (static_cast<signed char>(byte) >= 0) {
        segment = position++;
        segment_key = end_;
        last_class = 0;
        *end_++ = folds ? fold_ascii(byte) : byte;
        continue;
      }
      const std::size_t start = position;
      const char32_t c = next_code_point(text_, position);
      const char* const key_before = end_;
      if (c - first_lead < hangul_leads && put_syllable(c, position)) {
        segment = start;
        segment_key = key_before;
        last_class = 0;
        continue;
      }
      const Facts of = facts_of(c);
      const Facts combining_class = of & facts::combining_class;
      if (strips && (of & facts::accent) != 0) continue;
      char32_t bare_c = c;
      if (strips && (of & facts::decomposes) != 0) bare_c = bare(c);
      const bool ordered = combining_class == 0 || last_class <= combining_class;
      const bool simple = strips && (of & facts::decomposes) != 0
                              ? bare_c != no_code_point
                              : (of & facts::settled) != 0 && ordered;
      if (!simple) {
        end_ = const_cast<char*>(segment_key);
        position = put_segment(segment);
        // What follows, if anything, is a settled starter.
        segment = position;
        segment_key = end_;
        last_class = 0;
        continue;
      }
      if (combining_class == 0) {
        segment = start;
        segment_key = end_;
      }
      last_class = combining_class;
      put(bare_c == c ? folded(c, of) : folded(bare_c, facts_of(bare_c)));
    }
    return {key_, static_cast<std::size_t>(end_ - key_)};
  }

 private:
  static char32_t folded(char32_t c, Facts of) { return folds ? of & facts::folded : c; }
  void put(char32_t c) { end_ = encode_utf8(c, end_); }

  /// Hangul as HFS+ leaves it, a jamo after the other: takes the long way only where more follows
  /// than makes up a syllable. `position` is behind the first, and moves behind the last.
  bool put_syllable(char32_t lead, std::size_t& position) {
    constexpr char32_t vowels = 21;
    constexpr char32_t tails = 28;
    const auto next = [&](std::size_t at) {
      // All jamo have three bytes.
      return text_.size() - at >= 3 && text_[at] == '\xE1' ? next_code_point(text_, at) : 0;
    };
    const char32_t vowel = next(position) - 0x1161;
    if (vowel >= vowels) return false;
    position += 3;
    char32_t tail = next(position) - 0x11A7;
    if (tail == 0 || tail >= tails) {
      tail = 0;
    } else {
      position += 3;
    }
    put(0xAC00 + ((lead - first_lead) * vowels + vowel) * tails + tail);
    return true;
  }

  /// The long way, up to the next settled starter; returns where that is.
  std::size_t put_segment(std::size_t position) {
    if (code_points_ == nullptr) {
      // 2 bytes become 3 code points (U+0390); none becomes more.
      const std::size_t most = text_.size() * 3 / 2 + most_parts;
      code_points_ =
          static_cast<char32_t*>(scratch_.allocate(most * sizeof(char32_t), alignof(char32_t)));
    }
    std::size_t count = 0;
    for (const std::size_t start = position; position < text_.size();) {
      const std::size_t before = position;
      const char32_t c = next_code_point(text_, position);
      const Facts of = facts_of(c);
      if (before != start && is_settled_starter(of)) {
        position = before;
        break;
      }
      char32_t* const parts = code_points_ + count;
      std::size_t size = 1;
      if ((of & facts::decomposes) != 0) {
        size = decompose(c, parts);
      } else {
        *parts = c;
      }
      count += size;
    }
    if (strips) count = without_accents(count);
    count = order_and_compose(code_points_, count);
    for (std::size_t i = 0; i < count; ++i) put(folded(code_points_[i], facts_of(code_points_[i])));
    return position;
  }

  std::size_t without_accents(std::size_t count) {
    char32_t* const end = std::remove_if(code_points_, code_points_ + count, [](char32_t c) {
      return (facts_of(c) & facts::accent) != 0;
    });
    return static_cast<std::size_t>(end - code_points_);
  }

  static constexpr char32_t first_lead = 0x1100;
  static constexpr char32_t hangul_leads = 19;

  std::string_view text_;
  KeyScratch& scratch_;
  char32_t* code_points_ = nullptr;
  char* key_;
  char* end_;
};

/// Whether every file system finds the ASCII character `c` wherever we do.
bool is_portable_ascii(char32_t c, KeyRules rules) {
  // Some characters are another way to write these, canonically so: the Kelvin sign, Greek's
  // question mark and its varia. HFS+ leaves the first undecomposed, like all from U+2000 to U+2FFF
  // and in the blocks of compatibility ideographs. A colon may be a slash on the volume.
  if (c == 'K' || c == ';' || c == '`' || c == ':' || c == '/') return false;
  // Folding: the Kelvin sign is a k, the long s an s. HFS+ folds neither.
  return !rules.folds() || (c != 'k' && c != 's' && c != 'S');
}

/// A combining mark that had its place among the others before Unicode 3.2, HFS+'s, and is part of
/// no character that HFS+ leaves undecomposed (U+212B, U+2260, U+226E, U+226F).
bool is_portable_mark(char32_t c) {
  constexpr char32_t ring_above = 0x30A;
  constexpr char32_t long_solidus = 0x338;
  // Beyond are those that decompose themselves, one with case, and later additions.
  return c >= 0x300 && c <= 0x33F && c != ring_above && c != long_solidus;
}

/// Whether `c`, not ASCII, is an ASCII letter with marks that all file systems take it apart into.
/// That is all of Latin with accents but for s and k, where case is ignored; not what has no parts
/// and a case that was settled in different ways at different times: the sharp s, the dotless i.
bool is_portable_composite(char32_t c, KeyRules rules) {
  constexpr char32_t dotted_capital_i = 0x130;  // folds to an i, to an i with a dot, or not at all
  if (c == dotted_capital_i) return false;
  char32_t parts[most_parts];
  const std::size_t count = decompose(c, parts);
  if (count < 2 || parts[0] >= 0x80 || !is_portable_ascii(parts[0], rules)) return false;
  return std::all_of(parts + 1, parts + count, is_portable_mark);
}

}  // namespace

std::string_view key_of(std::string_view text, KeyRules rules, KeyScratch& scratch) {
  if (!rules.folds() && !rules.without_accents) {
    return is_surely_nfc(text) ? text : KeyMaker<false, false>(text, scratch).make();
  }
  if (!rules.without_accents) return KeyMaker<true, false>(text, scratch).make();
  return rules.folds() ? KeyMaker<true, true>(text, scratch).make()
                       : KeyMaker<false, true>(text, scratch).make();
}

std::string key_of(std::string_view text, KeyRules rules) {
  KeyScratch scratch;
  return std::string(key_of(text, rules, scratch));
}

void append_folded_name(std::string& out, std::string_view name) {
  if (is_ascii(name) || !is_utf8(name)) {
    // A loop over bytes that are there, so that many are folded at a time.
    const std::size_t begin = out.size();
    out += name;
    char* const folded = out.data() + begin;
    for (std::size_t i = 0; i < name.size(); ++i) folded[i] = fold_ascii(folded[i]);
    return;
  }
  KeyScratch scratch;
  out += key_of(name, KeyCase::folded, scratch);
}

bool has_upper_case(std::string_view text) {
  if (!is_utf8(text)) return fold_ascii(text) != text;
  for (std::size_t position = 0; position < text.size();) {
    if (is_upper_case(next_code_point(text, position))) return true;
  }
  return false;
}

std::string portable_part(std::string_view literal, KeyRules rules) {
  // Any letter of the name may bear an accent, in one code point with it or in one behind it: no
  // two need be adjacent, and none need be there as it is.
  if (rules.without_accents) return {};
  std::string_view longest;
  std::size_t start = 0;
  // An accented letter counts only once a letter follows it. In a name, another mark may be
  // behind it that belongs between its parts: é with a hook below is e, hook, acute taken apart.
  std::size_t safe_end = 0;
  for (std::size_t position = 0; position < literal.size();) {
    const std::size_t begin = position;
    const char32_t c = checked_code_point(literal, position);
    if (c == no_code_point) ++position;
    const bool ascii = c < 0x80;
    const bool fits =
        ascii ? is_portable_ascii(c, rules) : c != no_code_point && is_portable_composite(c, rules);
    if (!fits) {
      start = safe_end = position;
      continue;
    }
    safe_end = ascii ? position : begin;
    if (safe_end - start > longest.size()) longest = literal.substr(start, safe_end - start);
  }
  return std::string(longest);
}

}  // namespace ffind::text
