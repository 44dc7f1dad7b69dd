// SPDX-License-Identifier: MIT
// Searches for bytes.
//
// ByteFinder compares two bytes of the needle, the rarest ones, at 64 places at once, in vectors of
// 16 bytes, which all processors in use have. Only where both fit is the whole needle compared. The
// vectors are the compiler's extension (vector_size), so one source serves SSE2 and NEON.
//
// TwoSpellingFinder does the same with the first and the last byte, each in two spellings, in
// 64-bit words: names are too short for vectors.
//
// LiteralFilter searches a name for the longest run of letters of the pattern's key whose spellings
// are known. Most letters have at most two, lower and upper case, of the same length: those are the
// two bytes of TwoSpellingFinder. Letters with rarer spellings (decomposed Hangul, compatibility
// characters) are covered by the first byte of those; a name that contains such a byte is allowed.
//
//     pattern "Öl-яблоко"   key, folded   ö l - я б л о к о
//                           known         no, composes; then all: the run is "l-яблоко"
//                           one, other    "l-яблоко", "L-ЯБЛОКО"
//
// The filter may admit a name that does not match, never the reverse: all that it admits is matched
// in full.
#include "query/patterns/byte_finder.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "text/ascii.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::query {
namespace {

/// Bytes of text from the most frequent to the rarest: counted in 16,000 files of a kernel's
/// sources, C headers, documentation and Python. Bytes that are not listed are rarer still.
constexpr std::string_view by_frequency =
    " etsi_nora\ncldphfSuEmT)(IO,-C*NRgkL0yA/P.b#xv=1:\"Dw>M2<F;\tGUBX593'HKV48Y67{}\\zW`q[]j@&|"
    "+J$ZQ!%~^?\r";

/// Index in by_frequency; bytes that are not listed share the highest value.
std::size_t rarity(char byte) {
  return std::min(by_frequency.find(byte), by_frequency.size());
}

bool is_lower_case(char byte) {
  return byte >= 'a' && byte <= 'z';
}

/// Rarity of `byte`, or of the more frequent of its two cases if `folding`.
std::size_t rarity(char byte, bool folding) {
  if (!folding || !is_lower_case(byte)) return rarity(byte);
  return std::min(rarity(byte), rarity(static_cast<char>(byte - 'a' + 'A')));
}

constexpr std::size_t lanes = 16;
using Vector = unsigned char __attribute__((vector_size(lanes)));

/// Reads 16 bytes from any address; memcpy, since vectors are aligned and text is not.
Vector load(const char* bytes) {
  Vector vector;
  std::memcpy(&vector, bytes, sizeof vector);
  return vector;
}

/// True if any lane is set. Two words, because the extension has no operation that gathers the
/// lanes' bits.
bool any(const Vector& vector) {
  std::uint64_t halves[2];
  std::memcpy(halves, &vector, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

Vector each_lane(unsigned char byte) {
  return Vector{} + byte;
}

}  // namespace

ByteFinder::ByteFinder(std::string needle, text::KeyCase key_case)
    : needle_(std::move(needle)), folding_(key_case == text::KeyCase::folded) {
  // Keeps the two rarest positions seen so far. For a needle of one byte both stay 0, and the
  // second comparison in find() repeats the first.
  std::size_t first = 0;
  std::size_t second = 0;
  const auto rarer = [&](std::size_t a, std::size_t b) {
    return rarity(needle_[a], folding_) > rarity(needle_[b], folding_);
  };
  for (std::size_t i = 1; i < needle_.size(); ++i) {
    if (rarer(i, first)) {
      second = first;
      first = i;
    } else if (second == first || rarer(i, second)) {
      second = i;
    }
  }
  rarest_ = probe(first);
  other_ = probe(second);
}

ByteFinder::Probe ByteFinder::probe(std::size_t offset) const {
  const char byte = needle_[offset];
  // The bit in which upper and lower case of ASCII letters differ.
  const unsigned char mask = folding_ && is_lower_case(byte) ? 0x20 : 0;
  return {offset, mask, static_cast<unsigned char>(byte)};
}

/// Compares all of the needle, after a probe has fit. `place` has at least needle_.size() bytes.
bool ByteFinder::stands_at(const char* place) const {
  if (!folding_) return std::memcmp(place, needle_.data(), needle_.size()) == 0;
  for (std::size_t i = 0; i < needle_.size(); ++i) {
    if (text::fold_ascii(place[i]) != needle_[i]) return false;
  }
  return true;
}

std::size_t ByteFinder::find(std::string_view bytes, std::size_t from) const {
  if (bytes.size() < needle_.size() || from > bytes.size() - needle_.size()) return npos;
  if (needle_.size() == 1 && rarest_.mask == 0) return bytes.find(needle_.front(), from);

  // A place is a position at which the needle may start: the last one is bytes.size() -
  // needle_.size(). A block is 64 of them, so no load of it ends after the last byte, whatever the
  // probe's offset.
  constexpr std::size_t block = 4 * lanes;
  const std::size_t places = bytes.size() - needle_.size() + 1;
  const char* const begin = bytes.data();
  const Vector first = each_lane(rarest_.byte);
  const Vector first_mask = each_lane(rarest_.mask);
  const Vector second = each_lane(other_.byte);
  const Vector second_mask = each_lane(other_.mask);
  const auto fits = [&](std::size_t at) -> Vector {
    const auto a = (load(begin + at + rarest_.offset) | first_mask) == first;
    const auto b = (load(begin + at + other_.offset) | second_mask) == second;
    return reinterpret_cast<Vector>(a & b);
  };

  std::size_t at = from;
  for (; at + block <= places; at += block) {
    // Most blocks have no candidate: one branch skips all 64 places. Candidates are rare enough to
    // search for lane by lane.
    const Vector fitting[4] = {fits(at), fits(at + lanes), fits(at + 2 * lanes),
                               fits(at + 3 * lanes)};
    if (!any(fitting[0] | fitting[1] | fitting[2] | fitting[3])) continue;
    for (std::size_t i = 0; i < block; ++i) {
      if (fitting[i / lanes][i % lanes] != 0 && stands_at(begin + at + i)) return at + i;
    }
  }
  // Fewer than 64 places are left: by the rarest byte alone.
  for (; at < places; ++at) {
    const auto byte = static_cast<unsigned char>(begin[at + rarest_.offset]);
    if ((byte | rarest_.mask) == rarest_.byte && stands_at(begin + at)) return at;
  }
  return npos;
}

AsciiFinder::AsciiFinder(std::string needle, text::KeyCase key_case)
    : needle_(std::move(needle)),
      first_(needle_.empty() ? 0 : text::each_byte * static_cast<unsigned char>(needle_.front())),
      last_(needle_.empty() ? 0 : text::each_byte * static_cast<unsigned char>(needle_.back())),
      key_case_(key_case) {}

namespace {

/// True if an ASCII character of a key is the same byte in every name with that key, up to case.
/// Exceptions are the keys of other characters: Kelvin sign, Greek question mark and varia, and the
/// long s if case is ignored. key_test checks them all.
bool stands_as_it_is(char32_t c, bool folds) {
  if (c == ';' || c == '`') return false;
  return folds ? c != 'k' && c != 's' : c != 'K';
}

/// `c` must be ASCII.
constexpr char upper(char32_t c) {
  return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

std::string utf8(char32_t c) {
  std::string bytes;
  text::append_utf8(bytes, c);
  return bytes;
}

// First bytes of the spellings other than the usual two, which are rare: variants of Cyrillic and
// jamo by the first, letterlike signs, compatibility forms of Han and Hebrew by the others.
constexpr unsigned char rare_leads[] = {0xE1, 0xE2, 0xEF, 0xF0};
constexpr unsigned jamo_lead = 1;  // bit of the first one

/// The bit of a rare first byte, or 0.
unsigned lead_bit(char byte) {
  for (unsigned i = 0; i < std::size(rare_leads); ++i) {
    if (rare_leads[i] == static_cast<unsigned char>(byte)) return 1U << i;
  }
  return 0;
}

constexpr char32_t first_syllable = 0xAC00;
constexpr char32_t last_syllable = 0xD7A3;
bool is_syllable(char32_t c) {
  return c >= first_syllable && c <= last_syllable;
}

/// A letter of a key, with the ways in which a name may spell it.
struct Letter {
  char32_t c;
  /// Its UTF-8.
  std::string one;
  /// The other spelling of the same length, usually the other case; equal to `one` if there is
  /// none.
  std::string other;
  /// lead_bit of the first byte of each further spelling.
  unsigned leads = 0;
  /// False if there are spellings that neither `other` nor `leads` covers: a run ends here.
  bool known = true;
};

/// Returns the letters of `key`. For a folded key, `a` is spelt a or A; `k` is not known, because
/// of the Kelvin sign; я is spelt я or Я; é is not known, since it may be decomposed.
std::vector<Letter> letters_of(std::string_view key, bool folds) {
  std::vector<Letter> letters;
  std::u32string sought;
  for (std::size_t position = 0; position < key.size();) {
    const char32_t c = text::next_code_point(key, position);
    Letter letter{c, utf8(c), utf8(c)};
    if (c < 0x80) {
      letter.known = stands_as_it_is(c, folds);
      if (folds) letter.other = upper(c);
    } else if (is_syllable(c)) {
      letter.leads = jamo_lead;
    } else if (c >= 0x100 && text::is_never_composed(c)) {
      sought += c;
    } else {
      // U+0080 to U+00FF may stand for bytes: \xE9 in a regular expression, in a name that is not
      // UTF-8.
      letter.known = false;
    }
    letters.push_back(std::move(letter));
  }
  // other_spellings() goes through all ranges of letters that have case, so it is called once for
  // the whole key, and not at all for an ASCII one.
  if (sought.empty()) return letters;
  for (const text::OtherSpelling& spelling : text::other_spellings(sought, folds)) {
    const std::string bytes = utf8(spelling.code_point);
    for (Letter& letter : letters) {
      if (letter.c != spelling.key) continue;
      if (letter.other == letter.one && bytes.size() == letter.one.size()) {
        letter.other = bytes;
      } else if (const unsigned bit = lead_bit(bytes[0])) {
        letter.leads |= bit;
      } else {
        letter.known = false;
      }
    }
  }
  return letters;
}

/// Spellings of a Hangul syllable: decomposed, precomposed, and precomposed without its tail.
std::vector<TwoSpellingFinder> spellings_of_syllable(char32_t c) {
  constexpr char32_t vowels = 21;
  constexpr char32_t tails = 28;
  const char32_t number = c - first_syllable;
  const std::string jamo =
      utf8(0x1100 + number / (vowels * tails)) + utf8(0x1161 + number / tails % vowels);
  std::vector<TwoSpellingFinder> spellings{{jamo, jamo}, {utf8(c), utf8(c)}};
  const std::string open = utf8(c - number % tails);
  if (number % tails != 0) spellings.emplace_back(open, open);
  return spellings;
}

/// The byte in each of the eight positions of a word.
std::uint64_t eight_times(char c) {
  return text::each_byte * static_cast<unsigned char>(c);
}

/// Sets the high bit of each byte that is 0, and possibly of bytes after one that is. For any
/// bytes.
std::uint64_t maybe_zero_bytes(std::uint64_t word) {
  return (word - text::each_byte) & ~word & text::high_bits;
}

}  // namespace

TwoSpellingFinder::TwoSpellingFinder(std::string one, std::string other)
    : one_(std::move(one)), other_(std::move(other)) {
  const bool empty = one_.empty();
  first_[0] = eight_times(empty ? '\0' : one_.front());
  first_[1] = eight_times(empty ? '\0' : other_.front());
  last_[0] = eight_times(empty ? '\0' : one_.back());
  last_[1] = eight_times(empty ? '\0' : other_.back());
  ends_vary_ = first_[0] != first_[1] || last_[0] != last_[1];
}

// Tries eight places at a time, like AsciiFinder, but in any bytes, for which maybe_zero_bytes is
// not exact. Spellings may be mixed within a letter of several bytes: the lead byte of one and the
// second byte of the other can make up a third letter. That only makes a filter admit a name too
// many; where the result counts (LiteralPattern), only ASCII letters have two spellings.
template <bool ends_vary>
std::size_t TwoSpellingFinder::find(std::string_view subject) const {
  const std::size_t length = one_.size();
  if (subject.size() < length) return none;
  const std::size_t places = subject.size() - length + 1;
  const char* const bytes = subject.data();
  const auto hits = [](std::uint64_t word, const std::uint64_t(&wanted)[2]) {
    const std::uint64_t usual = maybe_zero_bytes(word ^ wanted[0]);
    return ends_vary ? usual | maybe_zero_bytes(word ^ wanted[1]) : usual;
  };
  const auto stands_at = [&](std::size_t place) {
    for (std::size_t i = 0; i < length; ++i) {
      const char byte = bytes[place + i];
      if (byte != one_[i] && byte != other_[i]) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < places; i += 8) {
    const std::size_t count = std::min<std::size_t>(8, places - i);
    const char* const end = bytes + i + length - 1;
    const auto load = [count](const char* at) {
      return count == 8 ? text::load_word(at) : text::load_partial_word(at, count);
    };
    std::uint64_t found = hits(load(bytes + i), first_) & hits(load(end), last_);
    // The unused bytes of a partial word are 0, and so equal to a needle's byte that is NUL.
    if (count < 8) found &= ~(~std::uint64_t{0} << (8 * count));
    for (; found != 0; found &= found - 1) {
      const std::size_t place = i + static_cast<std::size_t>(std::countr_zero(found)) / 8;
      if (stands_at(place)) return place;
    }
  }
  return none;
}

template std::size_t TwoSpellingFinder::find<true>(std::string_view) const;
template std::size_t TwoSpellingFinder::find<false>(std::string_view) const;

// With folding, ".jpg" is known as a whole; of ".mkv" only the "v", because a name may have the
// Kelvin sign instead of the k; of ".css" nothing.
std::size_t known_tail(std::string_view key, text::KeyRules rules) {
  std::size_t size = 0;
  if (rules.without_accents) return 0;  // an accent may be at the end
  while (size < key.size()) {
    const auto c = static_cast<unsigned char>(key[key.size() - size - 1]);
    if (c >= 0x80 || !stands_as_it_is(c, rules.folds())) break;
    ++size;
  }
  return size;
}

// Adjacent letters of a key are adjacent in the name: anything between them would be between them
// in the key as well, composed or reordered.
LiteralFilter::LiteralFilter(std::string_view key, text::KeyRules rules) {
  // Except for accents, which may follow any letter and be ignored.
  if (rules.without_accents) return;
  const std::vector<Letter> letters = letters_of(key, rules.folds());
  // The current run of known letters, and the properties of its letters. The longest run so far is
  // in finder_; it is replaced whenever the current one becomes longer.
  std::string one;
  std::string other;
  unsigned leads = 0;
  char32_t syllable = 0;
  bool only_jamo = true;  // no other rare spelling
  for (const Letter& letter : letters) {
    if (!letter.known) {
      one.clear();
      other.clear();
      leads = 0;
      syllable = 0;
      only_jamo = true;
      continue;
    }
    one += letter.one;
    other += letter.other;
    leads |= letter.leads;
    if (is_syllable(letter.c)) {
      if (syllable == 0) syllable = letter.c;
    } else if (letter.leads != 0) {
      only_jamo = false;
    }
    // All jamo have the same lead byte, and so has every decomposed Korean name. So that these are
    // not all admitted, one syllable must occur in one of its spellings. This is done only if no
    // other letter of the run has a rare spelling, so that the one lead byte decides.
    if (one.size() <= finder_.size()) continue;
    finder_ = TwoSpellingFinder(one, other);
    rare_leads_ = leads;
    rare_.clear();
    if (syllable != 0 && only_jamo) rare_ = spellings_of_syllable(syllable);
  }
}

/// True if the subject has the first byte of a rare spelling and, if those are Hangul only, one of
/// the spellings of a syllable. rare_ is empty unless the only bit in rare_leads_ is that of jamo,
/// so the first byte that is found decides.
bool LiteralFilter::may_be_spelt_rarely(std::string_view subject) const {
  for (unsigned i = 0; i < std::size(rare_leads); ++i) {
    if ((rare_leads_ >> i & 1) == 0) continue;
    if (subject.find(static_cast<char>(rare_leads[i])) == std::string_view::npos) continue;
    const auto stands_there = [subject](const TwoSpellingFinder& text) {
      // Most decomposed names contain no syllable at all, which one byte shows.
      return subject.find(text.front()) != std::string_view::npos &&
             text.find(subject) != TwoSpellingFinder::none;
    };
    return rare_.empty() || std::any_of(rare_.begin(), rare_.end(), stands_there);
  }
  return false;
}

}  // namespace ffind::query
