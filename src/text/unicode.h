// SPDX-License-Identifier: MIT
// Unicode properties of code points, and what is made from them: comparison keys of names, widths
// on a terminal, natural sort order.
//
//     utf8proc ─▶ FactsPage (256 code points) ─▶ facts_of(), bare() ─▶ key_of()
//
// A key is what names are compared by: NFC, optionally with folded case or without accents, so that
// names are equal if and only if their keys are. Facts are a cache in front of utf8proc, filled a
// page at a time; for code points beyond the basic plane it is called each time. No normalisation
// is done for text that is NFC already, nearly all of it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::text {

/// Properties of a code point in one word: the folded code point in the lowest 21 bits, then the
/// canonical combining class, then the flags below.
using Facts = std::uint32_t;

namespace facts {
inline constexpr Facts folded = 0x1FFFFF;
inline constexpr unsigned class_shift = 21;
inline constexpr Facts combining_class = Facts{0xFF} << class_shift;
/// It is its own NFC, and never composes with a code point before it.
inline constexpr Facts settled = Facts{1} << 29;
/// An accent, point or tone, which KeyRules::without_accents removes.
inline constexpr Facts accent = Facts{1} << 30;
inline constexpr Facts decomposes = Facts{1} << 31;
}  // namespace facts

struct FactsPage {
  std::atomic<bool> ready;
  std::array<Facts, 256> facts;
  std::array<char32_t, 256> bare;
};

/// The page that `c`, in the basic plane, is on. Thread-safe.
const FactsPage& filled_page(char32_t c);
// mutable: a cache of constants. Each page is written once, under a lock, and read only after it is
// ready. Global, since it is the same for all searches and threads; constinit, since a search among
// ASCII names does not touch it.
extern FactsPage facts_pages[256];

inline const FactsPage& facts_page(char32_t c) {
  const FactsPage& page = facts_pages[c >> 8];
  return page.ready.load(std::memory_order_acquire) ? page : filled_page(c);
}

Facts facts_beyond_basic_plane(char32_t c);
char32_t bare_beyond_basic_plane(char32_t c);

inline Facts facts_of(char32_t c) {
  return c < 0x10000 ? facts_page(c).facts[c & 0xFF] : facts_beyond_basic_plane(c);
}

/// Simple case folding: returns the same code point for `c` and all its other cases, those that
/// (?i) of RE2 treats as equal.
inline char32_t fold(char32_t c) {
  if (c < 0x80) return static_cast<unsigned char>(fold_ascii(static_cast<char>(c)));
  return facts_of(c) & facts::folded;
}

/// Category Lu or Lt.
bool is_upper_case(char32_t c);
/// True for letters, their marks and digits: the characters of words.
bool is_word_character(char32_t c);

/// Returns `c` without its accents, if that is one settled starter; else `no_code_point`.
inline char32_t bare(char32_t c) {
  return c < 0x10000 ? facts_page(c).bare[c & 0xFF] : bare_beyond_basic_plane(c);
}

inline bool is_settled_starter(Facts of) {
  return (of & (facts::settled | facts::combining_class)) == facts::settled;
}

/// Width of `c` on a terminal: 0 columns for a mark, 2 for Han and emoji. If a syllable of Hangul
/// is in parts, as macOS writes it, the first part has both columns.
std::size_t columns_of(char32_t c);

/// Most code points in a decomposition.
inline constexpr std::size_t most_parts = 4;

/// Writes the full canonical decomposition of `c`; returns the number of parts.
std::size_t decompose(char32_t c, char32_t* parts);

enum class KeyCase : std::uint8_t { kept, folded };

/// Differences that a key ignores.
struct KeyRules {
  // Implicit, since most callers only have a case.
  constexpr KeyRules(KeyCase letter_case_, bool without_accents_ = false)  // NOLINT
      : letter_case(letter_case_), without_accents(without_accents_) {}

  bool folds() const { return letter_case == KeyCase::folded; }

  KeyCase letter_case;
  bool without_accents;
};

/// Memory for one key, as a local variable: 4 KiB on the stack, enough for any name; only long
/// paths need the heap. A name of 255 bytes needs 3 bytes for each of its own, and 6 more if it is
/// not NFC.
class KeyScratch {
 public:
  explicit KeyScratch(std::pmr::memory_resource* upstream = std::pmr::new_delete_resource())
      : memory_(bytes_, sizeof bytes_, upstream) {}

  void* allocate(std::size_t bytes, std::size_t alignment) {
    return memory_.allocate(bytes, alignment);
  }
  /// Frees all allocations.
  void release() { memory_.release(); }

 private:
  alignas(std::max_align_t) std::byte bytes_[4096];  // zeroing it would cost more than most names
  std::pmr::monotonic_buffer_resource memory_;
};

/// Returns the key of `text`, which must be UTF-8: a view of `text` if the key equals it, else of
/// `scratch`.
std::string_view key_of(std::string_view text, KeyRules rules, KeyScratch& scratch);

/// The same as a string, for patterns.
std::string key_of(std::string_view text, KeyRules rules);

/// Appends the folded key of `name`, to sort names; if `name` is not UTF-8, only its ASCII letters
/// are folded.
void append_folded_name(std::string& out, std::string_view name);

/// True if `text` has an upper-case letter, for smart case; if it is not UTF-8, only ASCII counts.
bool has_upper_case(std::string_view text);

/// Returns the longest part of `literal` that any file system can search for, whatever version of
/// Unicode it was made for: a name whose key contains `literal` (made with `rules`) contains the
/// part under each normalisation and folding in use. May be empty. A name that is not UTF-8, and is
/// matched as bytes, is sure to contain the part only if that is ASCII.
std::string portable_part(std::string_view literal, KeyRules rules);

/// Width of `text` on a terminal: the columns of its code points, and one for each byte that is not
/// UTF-8.
std::size_t columns_of(std::string_view text);

/// Returns the longest end of `text` that fits into `columns` and does not begin with a mark.
std::string_view end_that_fits(std::string_view text, std::size_t columns);
/// Returns `text` if it fits into `columns`, else its beginning, `sign` and its end.
std::string cut_in_the_middle(std::string_view text, std::size_t columns, std::string_view sign);

/// Appends the natural sort key of `text`: compared byte by byte, it orders the numbers in texts by
/// value, whatever their length and leading zeros. It has a byte 0 only if `text` has one, so that
/// 0 can terminate it.
void append_natural(std::string& out, std::string_view text);

/// The same for the folded key of a name, so that case and normal form make no difference. `folded`
/// is overwritten.
void append_natural_name(std::string& out, std::string_view name, std::string& folded);

}  // namespace ffind::text
