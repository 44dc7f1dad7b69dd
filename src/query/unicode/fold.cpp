// SPDX-License-Identifier: MIT
// UTF-8, normalisation and case. The only file that includes utf8proc. Only text with bytes outside
// ASCII comes here, so what counts is to be right, then to leave early. Knows no pattern.
#include "query/unicode/fold.h"

#include <utf8proc.h>

#include <algorithm>
#include <new>

namespace ffind {

namespace {

constexpr char32_t no_code_point = 0xFFFFFFFF;

/// Decodes with all checks; `no_code_point` for what is not UTF-8.
char32_t checked_code_point(std::string_view text, std::size_t& position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    ++position;
    return lead;
  }
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - position < length) return no_code_point;
  char32_t code_point = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return no_code_point;
    code_point = code_point << 6 | (byte(i) & 0x3FU);
  }
  // C0 and C1 were refused above; of the longer forms each has a least value of its own.
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < least[length] || code_point > 0x10FFFF || surrogate) return no_code_point;
  position += length;
  return code_point;
}

struct CodePointRange {
  char32_t first;
  char32_t last;
};

// What never takes part in normalisation to NFC: starters that are their own NFC and compose with
// nothing before them. Not all there are, but what names are made of: Latin with its accents,
// Cyrillic, Armenian, punctuation, kana and Han, Hangul, variation selectors, full-width forms,
// emoji. fold_test proves each of them.
constexpr CodePointRange settled[] = {
    {0x0000, 0x02FF}, {0x0388, 0x0482}, {0x048A, 0x0590},   {0x1E00, 0x1EFF},
    {0x2010, 0x20CF}, {0x3030, 0x3098}, {0x309B, 0xA66E},   {0xAC00, 0xD7A3},
    {0xFE00, 0xFE0F}, {0xFF00, 0xFFEF}, {0x1F000, 0x1FAFF},
};

bool is_settled(char32_t code_point) {
  for (const CodePointRange& range : settled) {
    if (code_point <= range.last) return code_point >= range.first;
  }
  return false;
}

bool is_surely_nfc(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    if (!is_settled(next_code_point(text, position))) return false;
  }
  return true;
}

char* encode(char32_t code_point, char* to) {
  const auto put = [&to](char32_t byte) { *to++ = static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
  return to;
}

struct CodePoints {
  std::int32_t* data;
  std::size_t size;
};

/// The code points of `text` in NFC.
CodePoints normalise(std::string_view text, KeyScratch& scratch) {
  // Without UTF8PROC_STABLE utf8proc composes what Unicode excludes from composition.
  constexpr auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  utf8proc_ssize_t room = size;
  std::int32_t* data = scratch.code_points.reserve(text.size());
  utf8proc_ssize_t count = utf8proc_decompose(bytes, size, data, room, options);
  if (count > room) {  // it says how much it needs, and wants to be called again
    room = count;
    data = scratch.code_points.reserve(static_cast<std::size_t>(room));
    count = utf8proc_decompose(bytes, size, data, room, options);
  }
  if (count >= 0) count = utf8proc_normalize_utf32(data, count, options);
  if (count < 0) throw std::bad_alloc();  // the text is UTF-8: no other reason is left
  return {data, static_cast<std::size_t>(count)};
}

CodePoints decode(std::string_view text, KeyScratch& scratch) {
  std::int32_t* const data = scratch.code_points.reserve(text.size());
  std::size_t size = 0;
  for (std::size_t position = 0; position < text.size();) {
    data[size++] = static_cast<std::int32_t>(next_code_point(text, position));
  }
  return {data, size};
}

/// Whether every file system finds the ASCII character `c` wherever we do.
bool is_portable_ascii(char32_t c, KeyCase key_case) {
  // Some characters are another way to write these, canonically so: the Kelvin sign, Greek's
  // question mark and its varia. HFS+ leaves the first undecomposed, like all from U+2000 to U+2FFF
  // and in the blocks of compatibility ideographs. A colon may be a slash on the volume.
  if (c == 'K' || c == ';' || c == '`' || c == ':' || c == '/') return false;
  // Folding: the Kelvin sign is a k, the long s an s. HFS+ folds neither.
  const bool folded = key_case == KeyCase::folded;
  return !folded || (c != 'k' && c != 's' && c != 'S');
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
bool is_portable_composite(char32_t c, KeyCase key_case) {
  constexpr char32_t dotted_capital_i = 0x130;  // folds to an i, to an i with a dot, or not at all
  if (c == dotted_capital_i) return false;
  std::int32_t parts[8];
  int boundary = 0;
  constexpr auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE);
  const auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, 8, options, &boundary);
  if (count < 2 || count > 8) return false;
  const auto base = static_cast<char32_t>(parts[0]);
  if (base >= 0x80 || !is_portable_ascii(base, key_case)) return false;
  return std::all_of(parts + 1, parts + count,
                     [](std::int32_t part) { return is_portable_mark(char32_t(part)); });
}

}  // namespace

std::string fold_ascii(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = fold_ascii(c);
  return folded;
}

bool is_utf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    if (checked_code_point(text, position) == no_code_point) return false;
  }
  return true;
}

char32_t next_code_point(std::string_view text, std::size_t& position) {
  const auto next = [&] { return static_cast<unsigned char>(text[position++]); };
  const char32_t lead = next();
  if (lead < 0x80) return lead;
  char32_t code_point = lead & (lead < 0xE0 ? 0x1FU : lead < 0xF0 ? 0x0FU : 0x07U);
  for (char32_t mark = 0x40; (lead & mark) != 0; mark >>= 1) {
    code_point = code_point << 6 | (next() & 0x3FU);
  }
  return code_point;
}

void append_utf8(std::string& text, char32_t code_point) {
  char bytes[4];
  text.append(bytes, static_cast<std::size_t>(encode(code_point, bytes) - bytes));
}

char32_t fold(char32_t code_point) {
  if (code_point < 0x80) {
    return static_cast<unsigned char>(fold_ascii(static_cast<char>(code_point)));
  }
  // Upper then lower leads each member of an orbit to the same one (ς over Σ to σ, ſ over S to s).
  // The two I's of Turkish would be led to i; simple case folding leaves them alone.
  if (code_point == 0x130 || code_point == 0x131) return code_point;
  const auto c = static_cast<utf8proc_int32_t>(code_point);
  return static_cast<char32_t>(utf8proc_tolower(utf8proc_toupper(c)));
}

bool is_upper_case(char32_t code_point) {
  if (code_point < 0x80) return code_point >= 'A' && code_point <= 'Z';
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(code_point));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

bool has_upper_case(std::string_view text) {
  if (!is_utf8(text)) return fold_ascii(text) != text;
  for (std::size_t position = 0; position < text.size();) {
    if (is_upper_case(next_code_point(text, position))) return true;
  }
  return false;
}

std::string_view key_of(std::string_view text, KeyCase key_case, KeyScratch& scratch) {
  const bool normal = is_surely_nfc(text);
  if (normal && key_case == KeyCase::kept) return text;
  const CodePoints points = normal ? decode(text, scratch) : normalise(text, scratch);
  char* const key = scratch.bytes.reserve(4 * points.size);
  char* end = key;
  for (std::size_t i = 0; i < points.size; ++i) {
    const auto c = static_cast<char32_t>(points.data[i]);
    end = encode(key_case == KeyCase::folded ? fold(c) : c, end);
  }
  return {key, static_cast<std::size_t>(end - key)};
}

std::string key_of(std::string_view text, KeyCase key_case) {
  KeyScratch scratch;
  return std::string(key_of(text, key_case, scratch));
}

std::string portable_piece(std::string_view literal, KeyCase key_case) {
  std::string_view longest;
  std::size_t start = 0;
  // An accented letter counts only once a letter follows it. In a name, another mark may stand
  // behind it that belongs between its parts: é with a hook below is e, hook, acute taken apart.
  std::size_t safe_end = 0;
  for (std::size_t position = 0; position < literal.size();) {
    const std::size_t begin = position;
    const char32_t c = checked_code_point(literal, position);
    if (c == no_code_point) ++position;
    const bool ascii = c < 0x80;
    const bool fits = ascii ? is_portable_ascii(c, key_case)
                            : c != no_code_point && is_portable_composite(c, key_case);
    if (!fits) {
      start = safe_end = position;
      continue;
    }
    safe_end = ascii ? position : begin;
    if (safe_end - start > longest.size()) longest = literal.substr(start, safe_end - start);
  }
  return std::string(longest);
}

}  // namespace ffind
