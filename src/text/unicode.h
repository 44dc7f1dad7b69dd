// SPDX-License-Identifier: MIT
// What has to be known of a code point: its case, its width, and for keys its folding, its
// place among marks, whether NFC ever touches it, what is left of it without marks. Facts come from
// utf8proc, once a page of 256, and are looked up from then on. Knows no text.
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

/// Facts in one word: the folded code point in the lowest 21 bits, then the canonical combining
/// class, then these.
using Facts = std::uint32_t;

namespace facts {
inline constexpr Facts folded = 0x1FFFFF;
inline constexpr unsigned class_shift = 21;
inline constexpr Facts combining_class = Facts{0xFF} << class_shift;
/// Its own NFC, and composes with nothing before it.
inline constexpr Facts settled = Facts{1} << 29;
/// An accent, point or tone: not there for who ignores diacritics.
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
// mutable: a cache of constants, so it makes no difference who filled it or when. Each page is
// written once, under a lock, and read only by who has seen it ready. Global, since all searches
// and all threads ask the same; constinit, since a search among ASCII names touches none of it.
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

/// The representative of `c`'s case orbit under Unicode simple case folding: equal for two code
/// points exactly when RE2's (?i) takes one for the other.
inline char32_t fold(char32_t c) {
  if (c < 0x80) return static_cast<unsigned char>(fold_ascii(static_cast<char>(c)));
  return facts_of(c) & facts::folded;
}

/// Category Lu or Lt.
bool is_upper_case(char32_t c);

/// What `c` is without its accents, if that is one settled starter; else `no_code_point`.
inline char32_t bare(char32_t c) {
  return c < 0x10000 ? facts_page(c).bare[c & 0xFF] : bare_beyond_basic_plane(c);
}

inline bool is_settled_starter(Facts of) {
  return (of & (facts::settled | facts::combining_class)) == facts::settled;
}

/// How many columns of a terminal it takes: none for a mark, two for Han and emoji. Of a syllable
/// of Hangul in parts, as macOS writes them, the first has both.
std::size_t columns_of(char32_t c);

/// No code point is taken apart into more.
inline constexpr std::size_t most_parts = 4;

/// The full canonical decomposition of `c`; returns how many parts there are.
std::size_t decompose(char32_t c, char32_t* parts);

/// Puts `count` code points, decomposed already, into canonical order and composes them; returns
/// how many are left. The result is NFC.
std::size_t order_and_compose(char32_t* code_points, std::size_t count);

/// Whether `c` occurs in a normal text only where it was written as itself, in another case, or as
/// a code point that normalisation replaces: it neither composes nor has parts.
bool is_never_composed(char32_t c);

/// That the letter `key` of a key may be written `code_point`.
struct OtherSpelling {
  char32_t key;
  char32_t code_point;
};

/// How else the letters `keys` of a key, each never composed, are written, in the order of the code
/// points.
std::vector<OtherSpelling> other_spellings(std::u32string_view keys, bool folds);

enum class KeyCase : std::uint8_t { kept, folded };

/// What a key leaves out.
struct KeyRules {
  // Implicit: most say nothing about accents.
  constexpr KeyRules(KeyCase letter_case_, bool without_accents_ = false)  // NOLINT
      : letter_case(letter_case_), without_accents(without_accents_) {}

  bool folds() const { return letter_case == KeyCase::folded; }

  KeyCase letter_case;
  bool without_accents;
};

/// Scratch memory for one key, as a local variable: on the stack enough for every name, so that
/// only long paths take the heap's. A name of 255 bytes needs 3 bytes for each of its own, and 6
/// more if it is not NFC.
class KeyScratch {
 public:
  explicit KeyScratch(std::pmr::memory_resource* upstream = std::pmr::new_delete_resource())
      : memory_(bytes_, sizeof bytes_, upstream) {}

  void* allocate(std::size_t bytes, std::size_t alignment) {
    return memory_.allocate(bytes, alignment);
  }
  /// All of it is free again.
  void release() { memory_.release(); }

 private:
  alignas(std::max_align_t) std::byte bytes_[4096];  // zeroing it would cost more than most names
  std::pmr::monotonic_buffer_resource memory_;
};

/// The key of `text`, which must be UTF-8. Points into `text` where the key is equal to it, else
/// into `scratch`.
std::string_view key_of(std::string_view text, KeyRules rules, KeyScratch& scratch);

/// The same as a string of its own, for patterns.
std::string key_of(std::string_view text, KeyRules rules);

/// Appends `name` as --ignore-case compares it, to sort names. Of what is not
/// UTF-8 the ASCII letters are folded.
void append_folded_name(std::string& out, std::string_view name);

/// For smart case. In what is not UTF-8 only ASCII letters count.
bool has_upper_case(std::string_view text);

/// The longest part of `literal` that a file system can search for itself, whatever Unicode's
/// rules were when it was made: a name whose key contains `literal` (made with `rules`) contains
/// the piece under every normalisation and every folding in use. May be empty. A name that is not
/// UTF-8 but matched as bytes surely contains it only where it is ASCII.
std::string portable_part(std::string_view literal, KeyRules rules);

/// Columns that `text` takes: none for a mark, two for Han and emoji, one for each byte that is not
/// UTF-8.
std::size_t columns_of(std::string_view text);

/// The end of `text` that fits into `columns`, beginning with a character that takes some.
std::string_view end_that_fits(std::string_view text, std::size_t columns);

/// Appends what compares, byte by byte, as `text` does among others when the numbers in it count by
/// their value, whatever their length and however many zeros they begin with. No byte of it is 0
/// unless one of `text` is, so that a 0 can end it.
void append_natural(std::string& out, std::string_view text);

/// The same for a name among others that differ in case or normal form only. `folded` is
/// overwritten.
void append_natural_name(std::string& out, std::string_view name, std::string& folded);

}  // namespace ffind::text
