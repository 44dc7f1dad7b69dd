// SPDX-License-Identifier: MIT
// ByteFinder compares two bytes of the needle, the rarest ones, at 64 places at once, in vectors of
// 16 bytes, which all processors in use have. Only where both fit is the whole needle compared. The
// vectors are the compiler's extension (vector_size), so one source serves SSE2 and NEON. With
// memmem(3), which cannot ignore case, a search of contents took 1 to 5 % longer.
#include "query/patterns/byte_finder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
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

/// Rarity of `byte`, or of the more frequent of its two cases if `folding`.
std::size_t rarity(char byte, bool folding) {
  if (!folding || !text::is_lower(byte)) return rarity(byte);
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
  const unsigned char mask = folding_ && text::is_lower(byte) ? 0x20 : 0;
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

/// True for kana and Han that have no compatibility ideograph, and so only one spelling. Without
/// them a search of contents for 漢字 took four times as long.
bool is_spelt_in_one_way(char32_t c) {
  constexpr std::pair<char32_t, char32_t> compatibility[] = {{0xF900, 0xFAFF}, {0x2F800, 0x2FA1F}};
  const text::Facts facts = text::facts_of(c);
  if (c < 0x3041 || c > 0x9FFF || !text::is_settled_starter(facts)) return false;
  for (const auto& [first, last] : compatibility) {
    for (char32_t other = first; other <= last; ++other) {
      char32_t parts[text::most_parts];
      if (text::decompose(other, parts) == 1 && parts[0] == c) return false;
    }
  }
  return (facts & text::facts::decomposes) == 0;
}

}  // namespace

// Kelvin sign, Greek question mark and varia become ASCII characters in every key, the long s in a
// folded one; key_test checks that these are all. Adjacent characters of a key are adjacent in the
// name too, except for accents that the key lacks.
std::optional<ByteFinder> finder_of_known_bytes(std::string_view key, text::KeyRules rules) {
  if (rules.without_accents) return {};
  const std::string_view ambiguous = rules.folds() ? "ks;`" : "K;`";
  std::string_view longest;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < key.size();) {
    const char32_t c = text::next_code_point(key, at);
    const bool known = c < 0x80 ? ambiguous.find(static_cast<char>(c)) == std::string_view::npos
                                : is_spelt_in_one_way(c);
    if (!known) begin = at;
    if (at - begin > longest.size()) longest = key.substr(begin, at - begin);
  }
  if (longest.empty()) return {};
  return ByteFinder(std::string(longest), rules.letter_case);
}

}  // namespace ffind::query
