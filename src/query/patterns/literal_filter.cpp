// SPDX-License-Identifier: MIT
// The search for a run of known bytes among any bytes, and how the run is chosen: only of letters
// of which all spellings are known. Called by patterns.
#include "query/patterns/literal_filter.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "text/ascii.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

/// Whether `c`, in a key, was the same byte in the name, up to case. The rest of ASCII is also what
/// becomes of others: of the Kelvin sign, Greek's question mark and varia, where case is ignored of
/// the long s. key_test tries them all.
bool stands_as_it_is(char32_t c, bool folds) {
  if (c == ';' || c == '`') return false;
  return folds ? c != 'k' && c != 's' : c != 'K';
}

constexpr char upper(char32_t c) {
  return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

std::string utf8(char32_t c) {
  std::string bytes;
  text::append_utf8(bytes, c);
  return bytes;
}

// Spellings that are none of the usual two are rare enough to be looked for by their first byte:
// Cyrillic's variants and jamo by the first, letterlike signs, Han and Hebrew for compatibility.
constexpr unsigned char rare_leads[] = {0xE1, 0xE2, 0xEF, 0xF0};
constexpr unsigned jamo_lead = 1;  // the bit of the first

/// The bit of a rare lead; 0 if it is none.
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

/// A letter of a key.
struct Letter {
  char32_t c;
  std::string one;
  std::string other;  ///< as long
  unsigned leads = 0;
  bool known = true;
};

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
      // Below are bytes, for an expression that numbers its letters and a name that is not UTF-8.
      letter.known = false;
    }
    letters.push_back(std::move(letter));
  }
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

/// The ways to write a syllable that begin with a jamo or lack their tail, and the usual one.
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

std::uint64_t eight_times(char c) {
  return text::each_byte * static_cast<unsigned char>(c);
}

/// The high bit of each byte that is 0, and perhaps of some behind one that is. Any bytes.
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

std::size_t known_tail(std::string_view key, text::KeyRules rules) {
  std::size_t size = 0;
  if (rules.without_accents) return 0;  // one may be at the end
  while (size < key.size()) {
    const auto c = static_cast<unsigned char>(key[key.size() - size - 1]);
    if (c >= 0x80 || !stands_as_it_is(c, rules.folds())) break;
    ++size;
  }
  return size;
}

// Adjacent letters of a key were adjacent in the name: what might be between them,
// composed or put in order, would be there in the key as well.
LiteralFilter::LiteralFilter(std::string_view key, text::KeyRules rules) {
  // But for an accent, which may follow any letter and be ignored.
  if (rules.without_accents) return;
  const std::vector<Letter> letters = letters_of(key, rules.folds());
  std::string one;
  std::string other;
  unsigned leads = 0;
  char32_t syllable = 0;
  bool only_jamo = true;  // are rare
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
    if (one.size() <= finder_.size()) continue;
    finder_ = TwoSpellingFinder(one, other);
    rare_leads_ = leads;
    rare_.clear();
    if (syllable != 0 && only_jamo) rare_ = spellings_of_syllable(syllable);
  }
}

bool LiteralFilter::may_be_spelt_rarely(std::string_view subject) const {
  for (unsigned i = 0; i < std::size(rare_leads); ++i) {
    if ((rare_leads_ >> i & 1) == 0) continue;
    if (subject.find(static_cast<char>(rare_leads[i])) == std::string_view::npos) continue;
    const auto stands_there = [subject](const TwoSpellingFinder& text) {
      // Most decomposed names have no syllable at all, which one byte shows.
      return subject.find(text.front()) != std::string_view::npos &&
             text.find(subject) != TwoSpellingFinder::none;
    };
    return rare_.empty() || std::any_of(rare_.begin(), rare_.end(), stands_there);
  }
  return false;
}

}  // namespace ffind::query
