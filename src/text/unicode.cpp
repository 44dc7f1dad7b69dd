// SPDX-License-Identifier: MIT
// Facts about code points, composition, keys, widths and natural order. The only file that includes
// utf8proc, which is called once for each page of 256 code points: its look-ups take 20 ns a
// letter, and its normalisation 600 ns a name.
//
// A key is made in one pass. Settled starters, which NFC leaves alone, begin segments; a segment
// with anything that NFC might change is decomposed, put in order and composed again (put_segment).
//
//     "Cafe" U+0301 "s", folded      C a f e   a segment each, from the table of ASCII: "cafe"
//                                    U+0301    not settled: back to the segment of the e, which is
//                                              composed with it: "caf" U+00E9
//                                    s         begins the next segment
#include "text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::text {

// mutable: written by filled_page only, see the declaration
constinit FactsPage facts_pages[256] = {};

namespace {

constexpr auto stable = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE);
// Without UTF8PROC_STABLE utf8proc composes what Unicode excludes from composition.
constexpr auto composing = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);

utf8proc_int32_t as_utf8proc(char32_t c) {
  return static_cast<utf8proc_int32_t>(c);
}

unsigned class_from_utf8proc(char32_t c) {
  return static_cast<unsigned>(utf8proc_get_property(as_utf8proc(c))->combining_class);
}

bool is_mark(utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_ME;
}

char32_t folded_by_utf8proc(char32_t c) {
  // Upper, then lower case is the same for all cases of a letter (ς, Σ: σ; ſ, S: s). The two I's of
  // Turkish would become i; simple case folding leaves them alone.
  if (c == 0x130 || c == 0x131) return c;
  return static_cast<char32_t>(utf8proc_tolower(utf8proc_toupper(as_utf8proc(c))));
}

/// True if `c` may be the second half of a composition. In the basic plane the list is final: new
/// code points there are excluded from composing with older ones. Beyond it, any mark and the
/// vowels of Kirat Rai, which are letters, count.
bool may_compose_backwards(char32_t c, utf8proc_category_t category, unsigned combining_class) {
  if (c >= 0x10000) return is_mark(category) || (c >= 0x16D40 && c <= 0x16D7F);
  if (combining_class != 0) {
    return c <= 0x345 || (c >= 0x653 && c <= 0x655) || c == 0x93C || c == 0xC56 || c == 0xDCA ||
           c == 0x3099 || c == 0x309A;
  }
  constexpr char16_t vowels[] = {0x9BE, 0x9D7, 0xB3E, 0xB56, 0xB57, 0xBBE, 0xBD7,  0xCC2,
                                 0xCD5, 0xCD6, 0xD3E, 0xD57, 0xDCF, 0xDDF, 0x102E, 0x1B35};
  const bool jamo = (c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2);
  return jamo || std::find(std::begin(vowels), std::end(vowels), c) != std::end(vowels);
}

/// True for accents, points and tones, but not for marks that are vowels. The combining class
/// decides, since the category of all is Mn; ICU's primary strength agrees. Not accents are classes
/// 0, the signs of Indic scripts and variation selectors; 8, the voicing of kana; 9, the virama;
/// and 84 to 132, the vowels of Telugu, Thai, Lao and Tibetan, except their tones, 107 and 122.
bool is_accent(char32_t c) {
  if (utf8proc_category(as_utf8proc(c)) != UTF8PROC_CATEGORY_MN) return false;
  const unsigned of = class_from_utf8proc(c);
  return of == 1 || of == 7 || (of >= 10 && of <= 36) || of == 107 || of == 122 || of >= 200;
}

/// Composes decomposed code points to NFC, in place; returns the number left.
std::size_t composed_by_utf8proc(char32_t* code_points, std::size_t count) {
  auto* const data = reinterpret_cast<utf8proc_int32_t*>(code_points);
  // Only utf8proc_decompose puts code points in order; all callers have them in order.
  const auto left = utf8proc_normalize_utf32(data, static_cast<utf8proc_ssize_t>(count), composing);
  return left < 0 ? count : static_cast<std::size_t>(left);
}

/// The word for a page: folded code point, combining class and flags.
Facts facts_by_utf8proc(char32_t c) {
  const auto category = utf8proc_category(as_utf8proc(c));
  const unsigned of = class_from_utf8proc(c);
  char32_t parts[most_parts];
  const std::size_t count = decompose(c, parts);
  const bool whole = count == 1 && parts[0] == c;
  const std::size_t left = whole ? 1 : composed_by_utf8proc(parts, count);
  // False for characters that NFC replaces (the Angstrom sign) or takes apart (U+0958).
  const bool own_nfc = left == 1 && parts[0] == c;
  Facts result = folded_by_utf8proc(c) | of << facts::class_shift;
  if (own_nfc && !may_compose_backwards(c, category, of)) result |= facts::settled;
  if (is_accent(c)) result |= facts::accent;
  if (!whole) result |= facts::decomposes;
  return result;
}

/// "e" for U+00E9; no_code_point if more than a letter is left, such as the parts of an excluded
/// composition.
char32_t bare_by_utf8proc(char32_t c) {
  char32_t parts[most_parts];
  const std::size_t count = decompose(c, parts);
  char32_t* const end = std::remove_if(parts, parts + count, is_accent);
  const auto left = composed_by_utf8proc(parts, static_cast<std::size_t>(end - parts));
  return left == 1 && is_settled_starter(facts_by_utf8proc(parts[0])) ? parts[0] : no_code_point;
}

/// Emoji and Han, which neither fold, compose nor have accents.
bool is_plain_beyond_basic_plane(char32_t c) {
  return (c >= 0x1F000 && c <= 0x1FAFF) || (c >= 0x20000 && c < 0x2F800) ||
         (c >= 0x30000 && c < 0x40000);
}

unsigned combining_class(char32_t c) {
  return facts_of(c) >> facts::class_shift & 0xFF;
}

}  // namespace

const FactsPage& filled_page(char32_t c) {
  // mutable: only a lock
  static std::mutex filling;
  FactsPage& page = facts_pages[c >> 8];
  const std::lock_guard lock(filling);
  if (page.ready.load(std::memory_order_relaxed)) return page;
  for (char32_t i = 0; i < 256; ++i) {
    const char32_t member = (c & ~char32_t{0xFF}) + i;
    page.facts[i] = facts_by_utf8proc(member);
    page.bare[i] = bare_by_utf8proc(member);
  }
  page.ready.store(true, std::memory_order_release);
  return page;
}

Facts facts_beyond_basic_plane(char32_t c) {
  return is_plain_beyond_basic_plane(c) ? c | facts::settled : facts_by_utf8proc(c);
}

char32_t bare_beyond_basic_plane(char32_t c) {
  return is_plain_beyond_basic_plane(c) ? c : bare_by_utf8proc(c);
}

bool is_word_character(char32_t c) {
  const auto category = utf8proc_category(as_utf8proc(c));
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         is_mark(category) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

bool is_upper_case(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  const auto category = utf8proc_category(as_utf8proc(c));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

std::size_t columns_of(char32_t c) {
  // A syllable in parts is as wide as its first part; utf8proc counts a column for each other part.
  const bool vowel_or_tail = (c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FF);
  if (vowel_or_tail) return 0;
  const int columns = utf8proc_charwidth(as_utf8proc(c));
  if (columns > 0) return static_cast<std::size_t>(columns);
  // The vowel signs of Devanagari and its like are next to their letter: terminals and wcwidth(3)
  // count a column, utf8proc none.
  return utf8proc_category(as_utf8proc(c)) == UTF8PROC_CATEGORY_MC ? 1 : 0;
}

std::size_t decompose(char32_t c, char32_t* parts) {
  int boundary = 0;
  const auto count = utf8proc_decompose_char(
      as_utf8proc(c), reinterpret_cast<utf8proc_int32_t*>(parts), most_parts, stable, &boundary);
  if (count >= 1 && count <= static_cast<utf8proc_ssize_t>(most_parts)) {
    return static_cast<std::size_t>(count);
  }
  parts[0] = c;
  return 1;
}

namespace {

/// Puts `count` decomposed code points into canonical order and composes them to NFC; returns the
/// number that is left.
std::size_t order_and_compose(char32_t* code_points, std::size_t count) {
  char32_t* const end = code_points + count;
  const auto before = [](char32_t a, char32_t b) {
    return combining_class(a) < combining_class(b);
  };
  for (char32_t* at = code_points; at != end; ++at) {
    if (combining_class(*at) == 0) continue;
    char32_t* const run = at;
    while (at + 1 != end && combining_class(at[1]) != 0) ++at;
    // A few marks, the usual case, are sorted in place; for thousands, quadratic time would hang.
    if (at - run >= 256) {
      std::stable_sort(run, at + 1, before);
      continue;
    }
    for (char32_t* next = run + 1; next <= at; ++next) {
      std::rotate(std::upper_bound(run, next, *next, before), next, next + 1);
    }
  }
  return composed_by_utf8proc(code_points, count);
}

/// True if `text` is NFC; false for some NFC texts too.
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
    // Marks that are not in the order of their classes are not NFC.
    const bool ordered = combining_class == 0 || last_class <= combining_class;
    if ((of & facts::settled) == 0 || !ordered) return false;
    last_class = combining_class;
  }
  return true;
}

template <bool folds, bool strips>
class KeyMaker {
 public:
  /// Allocates the key at its greatest length; make() is called once.
  KeyMaker(std::string_view text, KeyScratch& scratch)
      : text_(text),
        scratch_(scratch),
        // NFC has at most 3 bytes for one (U+1D160), folding at most 3 for 2 (U+023A).
        key_(static_cast<char*>(scratch.allocate(3 * text.size(), 1))),
        end_(key_) {}

  std::string_view make() {
    std::size_t segment = 0;         // position of the last settled starter
    const char* segment_key = key_;  // its position in the key
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
      // The difference wraps around below the first lead, so one comparison is enough.
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
        // Takes back what the segment has put, and makes it again in full.
        end_ = const_cast<char*>(segment_key);
        position = put_segment(segment);
        // A settled starter follows, or the end.
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

  /// Composes a syllable of Hangul from its jamo, in which HFS+ stores it: a search among such
  /// names took 1.3 times as long by put_segment(). `position` is after the first jamo, and
  /// advances past the last; false if no syllable begins there.
  bool put_syllable(char32_t lead, std::size_t& position) {
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

  /// Decomposes, orders and composes up to the next settled starter; returns its position.
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
  static constexpr char32_t vowels = 21;
  static constexpr char32_t tails = 28;  // with none

  std::string_view text_;
  KeyScratch& scratch_;
  char32_t* code_points_ = nullptr;
  char* key_;
  char* end_;
};

/// True if every file system finds the ASCII character `c` in the same names as key_of().
bool is_portable_ascii(char32_t c, KeyRules rules) {
  // Some characters are canonically equivalent to these: the Kelvin sign, Greek's question mark and
  // its varia. HFS+ does not decompose the first, nor any from U+2000 to U+2FFF and in the blocks
  // of compatibility ideographs. A colon may be a slash on the volume.
  if (c == 'K' || c == ';' || c == '`' || c == ':' || c == '/') return false;
  // Folding: the Kelvin sign is a k, the long s an s. HFS+ folds neither.
  return !rules.folds() || (c != 'k' && c != 's' && c != 'S');
}

/// True for combining marks that have had their class since before Unicode 3.2, the version of
/// HFS+, and are part of no character that HFS+ does not decompose (U+212B, U+2260, U+226E,
/// U+226F).
bool is_portable_mark(char32_t c) {
  constexpr char32_t ring_above = 0x30A;
  constexpr char32_t long_solidus = 0x338;
  // From U+0340 on there are marks that decompose, one with case, and later additions.
  return c >= 0x300 && c <= 0x33F && c != ring_above && c != long_solidus;
}

/// True if all file systems decompose `c`, which is not ASCII, to an ASCII letter and marks: all of
/// Latin with accents, without s and k if case is ignored. False for letters without parts whose
/// case differs between versions of Unicode: the sharp s, the dotless i.
bool is_portable_composite(char32_t c, KeyRules rules) {
  constexpr char32_t dotted_capital_i = 0x130;  // folds to an i, to an i with a dot, or not at all
  if (c == dotted_capital_i) return false;
  char32_t parts[most_parts];
  const std::size_t count = decompose(c, parts);
  if (count < 2 || parts[0] >= 0x80 || !is_portable_ascii(parts[0], rules)) return false;
  return std::all_of(parts + 1, parts + count, is_portable_mark);
}

}  // namespace

// Rules are template parameters, so the loop has no branch for them.
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
    // In place, so that compilers fold many bytes at a time.
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

// "resume" with accents on both e's, folded: "r" before an s, which is not portable, then "um"
// before an accent at the end. The result is "um".
std::string portable_part(std::string_view literal, KeyRules rules) {
  // Any letter of the name may have an accent, in one code point with it or in the next: no two
  // letters need be adjacent, and none need be in the name as such.
  if (rules.without_accents) return {};
  std::string_view longest;
  std::size_t start = 0;
  // An accented letter counts only if a letter follows. Else the name may have another mark after
  // it that is sorted between its parts: é with a hook below decomposes to e, hook, acute.
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

std::size_t columns_of(std::string_view text) {
  if (is_ascii(text)) return text.size();
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code_point = checked_code_point(text, at);
    if (code_point == no_code_point) {
      at += 1;
      columns += 1;
    } else {
      columns += columns_of(code_point);
    }
  }
  return columns;
}

std::string_view end_that_fits(std::string_view text, std::size_t columns) {
  std::size_t taken = columns_of(text);
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t next = begin + 1;
    while (next < text.size() && is_continuation(text[next])) ++next;
    const std::size_t width = columns_of(text.substr(begin, next - begin));
    if (taken <= columns && width > 0) break;
    taken -= std::min(width, taken);
    begin = next;
  }
  return text.substr(begin);
}

std::string cut_in_the_middle(std::string_view text, std::size_t columns, std::string_view sign) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::size_t room = columns - std::min(columns_of(sign), columns);
  std::size_t taken = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && is_continuation(text[next])) ++next;
    const std::size_t width = columns_of(text.substr(end, next - end));
    if (taken + width > room / 2) break;
    taken += width;
    end = next;
  }
  return std::string(text.substr(0, end))
      .append(sign)
      .append(end_that_fits(text.substr(end), room - taken));
}

namespace {

/// Appends the number of digits, which precedes them since more digits make a larger number, as
/// bytes that are never 0 and compare like the number. Each byte 255 counts 254, and another one
/// follows.
void append_count(std::string& out, std::size_t digits) {
  constexpr std::size_t step = 254;
  std::size_t rest = digits + 1;
  for (; rest > step; rest -= step) out += '\xFF';
  out += static_cast<char>(rest);
}

}  // namespace

// A number is a 0, the count of its digits and the digits: "a9" is a 0 \2 9, "a10" is a 0 \3 1 0,
// "a007" is a 0 \2 7.
void append_natural(std::string& out, std::string_view text) {
  const auto end = text.end();
  for (auto at = text.begin(); at != end;) {
    const auto number = std::find_if(at, end, is_digit);
    out.append(at, number);
    if (number == end) return;
    at = std::find_if_not(number, end, is_digit);
    const auto first = std::find_if(number, at, [](char c) { return c != '0'; });
    out += '0';  // sorts the number among other characters like a digit
    append_count(out, static_cast<std::size_t>(at - first));
    out.append(first, at);
  }
}

void append_natural_name(std::string& out, std::string_view name, std::string& folded) {
  folded.clear();
  append_folded_name(folded, name);
  append_natural(out, folded);
}

}  // namespace ffind::text
