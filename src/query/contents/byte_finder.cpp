// SPDX-License-Identifier: MIT
// Two bytes of the needle, the rarest ones, are compared at 64 places at once, in vectors of 16
// bytes that every processor in use has; only where both fit is the needle compared with the place.
// See byte_finder.h.
#include "query/contents/byte_finder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include "text/ascii.h"

namespace ffind::query {
namespace {

/// Bytes of text from the most frequent to the rarest: counted in 16,000 files of a kernel's
/// sources, C headers, documentation and Python. What is not among them is rarer still.
constexpr std::string_view by_frequency =
    " etsi_nora\ncldphfSuEmT)(IO,-C*NRgkL0yA/P.b#xv=1:\"Dw>M2<F;\tGUBX593'HKV48Y67{}\\zW`q[]j@&|"
    "+J$ZQ!%~^?\r";

std::size_t rarity(char byte) {
  return std::min(by_frequency.find(byte), by_frequency.size());
}

bool is_lower_case(char byte) {
  return byte >= 'a' && byte <= 'z';
}

/// How rare `byte` is where both its cases count.
std::size_t rarity(char byte, bool folding) {
  if (!folding || !is_lower_case(byte)) return rarity(byte);
  return std::min(rarity(byte), rarity(static_cast<char>(byte - 'a' + 'A')));
}

constexpr std::size_t lanes = 16;
using Vector = unsigned char __attribute__((vector_size(lanes)));

Vector load(const char* bytes) {
  Vector vector;
  std::memcpy(&vector, bytes, sizeof vector);
  return vector;
}

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
  // Of ASCII letters this bit is the case.
  const unsigned char mask = folding_ && is_lower_case(byte) ? 0x20 : 0;
  return {offset, mask, static_cast<unsigned char>(byte)};
}

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
    const Vector fitting[4] = {fits(at), fits(at + lanes), fits(at + 2 * lanes),
                               fits(at + 3 * lanes)};
    if (!any(fitting[0] | fitting[1] | fitting[2] | fitting[3])) continue;
    for (std::size_t i = 0; i < block; ++i) {
      if (fitting[i / lanes][i % lanes] != 0 && stands_at(begin + at + i)) return at + i;
    }
  }
  for (; at < places; ++at) {
    const auto byte = static_cast<unsigned char>(begin[at + rarest_.offset]);
    if ((byte | rarest_.mask) == rarest_.byte && stands_at(begin + at)) return at;
  }
  return npos;
}

}  // namespace ffind::query
