// SPDX-License-Identifier: MIT
// Escaping, quoting and reading of words. Nearly every name is plain ASCII, so that is tested
// first, sixteen bytes at a time; the rest is decoded character by character.
//
//                             a b        it's          line end        byte FF     U+202E
//     append_escaped          a b        it's          a\nb            \xff        \u{202e}
//     append_shell_quoted     'a b'      'it'\''s'     unchanged, in single quotes
//     append_dollar_quoted    $'a b'     $'it\'s'      $'a\nb'         $'\377'     $'\342\200\256'
//     append_json_string      "a b"      "it's"        "a\nb"          U+FFFD      "\u202e"
//
// All but append_shell_quoted, whose result goes to a shell, show only the characters that
// Characters lets through, so a name is harmless on a terminal in each of these forms.
#include "text/quoting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "text/ascii.h"
#include "text/format.h"
#include "text/utf8.h"

namespace ffind::text {
namespace {

/// Sixteen bytes, for which compilers use vector instructions.
using Block [[gnu::vector_size(16)]] = signed char;

/// Reader of the result: JSON also escapes quotation marks and backslashes.
enum class For : bool { terminals, json };

/// True for ASCII that no writer changes.
template <For reader>
bool is_plain(char byte) {
  if (reader == For::json && (byte == '"' || byte == '\\')) return false;
  return byte >= 0x20 && byte < 0x7F;
}

/// The same for all bytes of a block. A comparison of vectors gives -1 or 0 for each byte.
template <For reader>
bool are_plain(Block block) {
  // The bytes are signed, so those from 0x80 on are below 0x20 too.
  Block others = (block < 0x20) | (block == 0x7F);
  if (reader == For::json) others |= (block == '"') | (block == '\\');
  std::uint64_t halves[2];
  std::memcpy(halves, &others, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

Block block_at(const char* bytes) {
  Block block;
  std::memcpy(&block, bytes, sizeof block);
  return block;
}

/// The first and the last eight of 8 to 16 bytes.
Block block_of_ends(std::string_view bytes) {
  char ends[sizeof(Block)];
  std::memcpy(ends, bytes.data(), 8);
  std::memcpy(ends + 8, bytes.data() + bytes.size() - 8, 8);
  return block_at(ends);
}

/// Returns the number of bytes at the beginning that need no escape; up to 15 too few unless it is
/// all.
template <For reader>
std::size_t plain_prefix(std::string_view bytes) {
  const std::size_t size = bytes.size();
  const char* const begin = bytes.data();
  std::size_t at = 0;
  if (size < 8) {
    while (at < size && is_plain<reader>(bytes[at])) at += 1;
    return at;
  }
  // The last block overlaps the one before it, so that no byte is tested alone.
  if (size < 16) return are_plain<reader>(block_of_ends(bytes)) ? size : 0;
  for (; size - at >= 16; at += 16) {
    if (!are_plain<reader>(block_at(begin + at))) return at;
  }
  return are_plain<reader>(block_at(begin + size - 16)) ? size : at;
}

/// A range, both ends included.
struct CodePoints {
  char32_t first;
  char32_t last;
};

/// Characters that control a terminal, reorder text or are invisible. Ranges for a binary search:
/// sorted, and none overlap.
constexpr CodePoints misleading[] = {
    {0x0000, 0x001F},    // C0
    {0x007F, 0x009F},    // DEL, C1
    {0x00AD, 0x00AD},    // soft hyphen
    {0x034F, 0x034F},    // combining grapheme joiner
    {0x061C, 0x061C},    // Arabic letter mark
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180E, 0x180E},    // Mongolian vowel separator
    {0x200B, 0x200F},    // zero width space, joiners (see is_joiner), direction marks
    {0x2028, 0x202E},    // line and paragraph separators, embeddings and overrides
    {0x2060, 0x206F},    // word joiner, invisible operators, isolates
    {0x3164, 0x3164},    // Hangul filler
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // half-width Hangul filler
    {0xFFF9, 0xFFFB},    // interlinear annotation
    {0x1BCA0, 0x1BCA3},  // shorthand format controls
    {0x1D173, 0x1D17A},  // musical format controls
    {0xE0000, 0xE007F},  // tags: invisible ASCII
};

constexpr bool is_joiner(char32_t code_point) {
  return code_point == 0x200C || code_point == 0x200D;
}

/// Walks over a text; shown() returns whether the current character may be shown unescaped.
class Characters {
 public:
  explicit Characters(std::string_view bytes) : bytes_(bytes) {}

  /// Goes to the next character, or to the next maximal subpart of bytes that are not UTF-8; false
  /// at the end.
  bool next() {
    at_ += character_.length;
    if (at_ >= bytes_.size()) return false;
    const char32_t before = previous_;
    character_ = decode_utf8(bytes_, at_);
    shown_ = character_.valid && (!misleads(character_.code_point) || joins(before));
    previous_ = shown_ ? character_.code_point : 0;
    return true;
  }

  const Decoded& character() const { return character_; }
  std::size_t position() const { return at_; }
  std::string_view bytes() const { return bytes_.substr(at_, character_.length); }
  bool shown() const { return shown_; }

 private:
  /// Families of emoji and whole scripts (Persian, Hindi) need joiners, between two characters
  /// beyond ASCII. Elsewhere they are only invisible.
  /// Woman, joiner, girl is one emoji; "a", joiner, "b" looks like "ab".
  bool joins(char32_t before) const {
    const std::size_t following = at_ + character_.length;
    if (!is_joiner(character_.code_point) || before < 0x80 || following >= bytes_.size())
      return false;
    const Decoded after = decode_utf8(bytes_, following);
    return after.valid && after.code_point >= 0x80 && !misleads(after.code_point);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  Decoded character_{0, 0, true};
  char32_t previous_ = 0;
  bool shown_ = true;
};

// --- Writing

/// Appends \n, \r or \t; false for any other byte.
bool append_letter(std::string& out, char byte) {
  const char letter = byte == '\n' ? 'n' : byte == '\r' ? 'r' : byte == '\t' ? 't' : '\0';
  if (letter == '\0') return false;
  out += '\\';
  out += letter;
  return true;
}

/// Appends the escape of a character that is not shown: \n, \r, \t and \x1b for ASCII, \u{202e}
/// with at least two digits beyond it, \xff for each byte that is not UTF-8.
void append_hidden(std::string& out, const Decoded& character, std::string_view bytes) {
  if (character.valid && character.code_point >= 0x80) {
    int digits = 2;
    while (character.code_point >> (4 * digits) != 0) digits += 1;
    out += "\\u{";
    append_hex(out, character.code_point, digits);
    out += '}';
    return;
  }
  for (const char byte : bytes) {
    if (append_letter(out, byte)) continue;
    out += "\\x";
    append_hex(out, static_cast<unsigned char>(byte), 2);
  }
}

/// Appends the short escape if JSON has one, else \uXXXX; a pair of surrogates beyond U+FFFF.
void append_json_escape(std::string& out, char32_t code_point) {
  constexpr std::string_view characters = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  const std::size_t short_one =
      code_point < 0x80 ? characters.find(static_cast<char>(code_point)) : std::string_view::npos;
  if (short_one != std::string_view::npos) {
    out.append(1, '\\') += letters[short_one];
    return;
  }
  const auto append_unit = [&out](char32_t unit) {
    out += "\\u";
    append_hex(out, unit, 4);
  };
  if (code_point < 0x10000) {
    append_unit(code_point);
  } else {
    append_unit(0xD800 + ((code_point - 0x10000) >> 10U));
    // The lower ten bits of code_point - 0x10000 are those of code_point.
    append_unit(0xDC00 + (code_point & 0x3FFU));
  }
}

}  // namespace

bool misleads(char32_t code_point) {
  if (code_point < 0x7F) return code_point < 0x20;  // most of them, without a search
  const auto* const range =
      std::lower_bound(std::begin(misleading), std::end(misleading), code_point,
                       [](const CodePoints& a, char32_t b) { return a.last < b; });
  return range != std::end(misleading) && range->first <= code_point;
}

bool needs_escaping(std::string_view bytes) {
  if (plain_prefix<For::terminals>(bytes) == bytes.size()) return false;
  // From the beginning: a joiner depends on the character before it.
  Characters characters(bytes);
  while (characters.next()) {
    if (!characters.shown()) return true;
  }
  return false;
}

void append_escaped(std::string& out, std::string_view bytes) {
  if (!needs_escaping(bytes)) {
    out += bytes;
    return;
  }
  Characters characters(bytes);
  while (characters.next()) {
    if (!characters.shown()) {
      append_hidden(out, characters.character(), characters.bytes());
    } else {
      if (characters.character().code_point == '\\') out += '\\';
      out += characters.bytes();
    }
  }
}

std::string escaped(std::string_view bytes) {
  std::string text;
  append_escaped(text, bytes);
  return text;
}

void append_dollar_quoted(std::string& out, std::string_view bytes) {
  out += "$'";
  Characters characters(bytes);
  while (characters.next()) {
    for (const char byte : characters.bytes()) {
      if (!characters.shown()) {
        if (append_letter(out, byte)) continue;
        // Octal escapes end after three digits; a hexadecimal one would include a digit that
        // follows.
        const auto value = static_cast<unsigned char>(byte);
        out += '\\';
        for (const unsigned shift : {6U, 3U, 0U}) {
          out += static_cast<char>('0' + (value >> shift & 7U));
        }
      } else {
        if (byte == '\\' || byte == '\'') out += '\\';
        out += byte;
      }
    }
  }
  out += '\'';
}

bool append_json_string(std::string& out, std::string_view bytes) {
  bool exact = true;
  out += '"';
  const std::size_t plain = plain_prefix<For::json>(bytes);
  out += bytes.substr(0, plain);
  if (plain == bytes.size()) {
    out += '"';
    return true;
  }
  // Starting here makes no difference to a joiner: ASCII or nothing precedes it.
  const std::string_view rest = bytes.substr(plain);
  // Copies runs of shown characters at once: `written` is the end of what `out` has.
  std::size_t written = 0;
  Characters characters(rest);
  while (characters.next()) {
    const Decoded& character = characters.character();
    const char32_t code_point = character.code_point;
    if (characters.shown() && code_point != '"' && code_point != '\\') continue;
    out += rest.substr(written, characters.position() - written);
    written = characters.position() + character.length;
    if (character.valid) {
      // JSON allows most of these unescaped, but NDJSON is shown on terminals too.
      append_json_escape(out, code_point);
    } else {
      append_utf8(out, replacement_character);
      exact = false;
    }
  }
  out += rest.substr(written);
  out += '"';
  return exact;
}

namespace {

/// True if no shell gives the character a meaning anywhere in a word. Not '=', with which a first
/// word would be an assignment unless it is an option, nor '~', which is expanded at the beginning.
bool is_plain_in_shell(char character) {
  constexpr std::string_view others = "_-./,:@%+";
  return is_letter_or_digit(character) || others.find(character) != std::string_view::npos;
}

}  // namespace

void append_json_list(std::string& out, std::span<const std::string> list) {
  out += '[';
  for (std::size_t index = 0; index < list.size(); ++index) {
    if (index != 0) out += ',';
    append_json_string(out, list[index]);
  }
  out += ']';
}

void append_percent_encoded(std::string& out, std::string_view bytes, std::string_view kept) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char byte : bytes) {
    if (is_letter_or_digit(byte) || kept.find(byte) != std::string_view::npos) {
      out += byte;
    } else {
      const auto value = static_cast<unsigned char>(byte);
      out.append(1, '%').append(1, digits[value >> 4U]).append(1, digits[value & 0xFU]);
    }
  }
}

void append_shell_quoted(std::string& out, std::string_view word) {
  const bool is_option = word.starts_with('-');
  const auto is_plain = [&](char c) { return is_plain_in_shell(c) || (is_option && c == '='); };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
    out += word;
    return;
  }
  out += '\'';
  for (const char character : word) {
    if (character == '\'') {
      out += "'\\''";
    } else {
      out += character;
    }
  }
  out += '\'';
}

std::string shell_word(std::string_view word) {
  std::string quoted;
  if (needs_escaping(word)) {
    append_dollar_quoted(quoted, word);
  } else {
    append_shell_quoted(quoted, word);
  }
  return quoted;
}

std::string shell_line(const std::vector<std::string>& words, QuotedFor reader) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (reader == QuotedFor::terminal) {
      line += shell_word(word);
    } else {
      append_shell_quoted(line, word);
    }
  }
  return line;
}

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

/// Splits a line by the rules of POSIX for quoting (2.2). Nothing is expanded: $, *, ~ and # are
/// themselves.
///
///     a 'b c' "d\"e" f\ g ''     a | b c | d"e | f g | (empty)
class WordParser {
 public:
  explicit WordParser(std::string_view line) : line_(line) {}

  /// A word goes on as long as its pieces touch: a'b'"c" is abc.
  std::optional<std::vector<std::string>> read() {
    std::vector<std::string> words;
    for (skip_blanks(); at_ < line_.size(); skip_blanks()) {
      std::string word;
      while (at_ < line_.size() && !is_blank(line_[at_])) {
        if (!read_piece(word)) return {};
      }
      words.push_back(std::move(word));
    }
    return words;
  }

 private:
  /// Skips blanks and escaped line ends: between words they begin no word.
  void skip_blanks() {
    while (at_ < line_.size()) {
      const bool joins = line_.substr(at_, 2) == "\\\n";
      if (!joins && !is_blank(line_[at_])) return;
      at_ += joins ? 2 : 1;
    }
  }

  /// Reads a character or a quoted part; false if that is incomplete.
  bool read_piece(std::string& word) {
    const char c = line_[at_++];
    if (c == '\'') return read_single(word);
    if (c == '"') return read_double(word);
    if (c != '\\') {
      word += c;
      return true;
    }
    if (at_ == line_.size()) return false;
    // An escaped newline joins two lines.
    if (line_[at_] != '\n') word += line_[at_];
    ++at_;
    return true;
  }

  bool read_single(std::string& word) {
    const std::size_t end = line_.find('\'', at_);
    if (end == std::string_view::npos) return false;
    word += line_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool read_double(std::string& word) {
    // Before any other character a backslash between double quotes is itself: "\d" is \d.
    constexpr std::string_view escapable = "$`\"\\\n";
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == '"') return true;
      const bool escapes =
          c == '\\' && at_ < line_.size() && escapable.find(line_[at_]) != std::string_view::npos;
      if (!escapes) {
        word += c;
      } else {
        if (line_[at_] != '\n') word += line_[at_];
        ++at_;
      }
    }
    return false;
  }

  const std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> shell_words(std::string_view line) {
  return WordParser(line).read();
}

// Any byte may be an escape with three octal digits; those with a letter are written so.
std::optional<std::string> unquoted_by_git(std::string_view word) {
  constexpr std::string_view letters = "abtnvfr\"\\";
  constexpr std::string_view meanings = "\a\b\t\n\v\f\r\"\\";
  if (word.size() < 2 || !word.starts_with('"') || !word.ends_with('"')) return {};
  word = word.substr(1, word.size() - 2);
  std::string name;
  for (std::size_t at = 0; at < word.size();) {
    const char c = word[at++];
    if (c == '"') return {};
    if (c != '\\') {
      name += c;
      continue;
    }
    const std::string_view code = word.substr(at, 3);
    const std::size_t letter = code.empty() ? letters.npos : letters.find(code.front());
    if (letter != letters.npos) {
      name += meanings[letter];
      ++at;
      continue;
    }
    if (code.size() < 3 || !std::all_of(code.begin(), code.end(), is_octal)) return {};
    name += static_cast<char>((code[0] - '0') << 6 | (code[1] - '0') << 3 | (code[2] - '0'));
    at += 3;
  }
  return name;
}

// Comments and here-documents are read as commands. $( begins a new line even in double quotes.
std::string open_quotes(std::string_view text) {
  std::string open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const char around = open.empty() ? '\0' : open.back();
    const bool opens_all = around != '"' && around != '\'';
    if (around == '\'' ? c == around : c == around || (c == ')' && around == '(')) {
      open.pop_back();
    } else if (around != '\'' && c == '\\') {
      if (++at == text.size()) open += c;
    } else if ((c == '"' && around != '\'') || (c == '\'' && opens_all) ||
               (c == '`' && around != '\'') ||
               (c == '(' && (opens_all || (around == '"' && text[at - 1] == '$')))) {
      open += c;
    }
  }
  return open;
}

// Three bytes are four digits. One or two bytes at the end are two or three digits and '=': "f" is
// Zg==.
void append_base64(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? digits[group >> (18 - 6 * i) & 0x3FU] : '=';
    }
  }
}

}  // namespace ffind::text
