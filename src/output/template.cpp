// SPDX-License-Identifier: MIT
// The parser of templates, and FieldWriter, which writes the values of fields.
//
//     "{name}\t{size:h>8}\n"   ─▶   before ""     field name
//                                    before "\t"   field size, human, right, 8 columns
//                                    end "\n"
//
// parse_template() splits the text into literals and fields, parse_how() what follows the colon of
// a field, and both know the escapes. Errors carry an offset into the template as it was typed, at
// which cli draws a caret. All errors are found by the parser: expanding a template never fails,
// and an unknown value is written as nothing (null as JSON, '' for a shell).
#include "output/template.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "output/record_fields.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/permissions.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/times.h"
#include "text/utf8.h"

namespace ffind::output {
namespace {

// Escapes

/// An escape of one letter. \x and \u have digits and are parsed on their own.
struct Escape {
  char letter;
  char meaning;
};

constexpr Escape escape_table[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'},   {'0', '\0'},
                                   {'a', '\a'}, {'b', '\b'}, {'e', '\033'}, {'f', '\f'},
                                   {'v', '\v'}, {'\\', '\\'}};

/// \x41: exactly two digits, any byte, so that a template can contain what is not UTF-8.
void append_byte(std::string& out, std::string_view text, std::size_t& at) {
  const auto byte = text::hex_byte(text, at + 2);
  if (!byte) throw TemplateError(at, "\\x needs two hexadecimal digits, as in \\x1b");
  out += *byte;
  at += 4;
}

/// \u{e9}: one to six digits, appended as UTF-8. Surrogates and numbers above 10FFFF are errors.
void append_character(std::string& out, std::string_view text, std::size_t& at) {
  constexpr std::size_t most_digits = 6;
  const std::size_t begin = at + 3;
  std::size_t end = begin;
  char32_t code_point = 0;
  for (; end < text.size() && end - begin < most_digits; ++end) {
    const auto digit = text::hex_value(text[end]);
    if (!digit) break;
    code_point = code_point * 16 + *digit;
  }
  if (text.substr(at + 2, 1) != "{" || end == begin || text.substr(end, 1) != "}") {
    throw TemplateError(at, "\\u needs a code point, as in \\u{e9}");
  }
  if (!text::is_encodable(code_point)) throw TemplateError(at, "no such code point");
  text::append_utf8(out, code_point);
  at = end + 1;
}

/// Appends the meaning of the escape that begins with the backslash at `at`, and moves `at` past
/// it. Throws TemplateError if it is none.
void append_escape(std::string& out, std::string_view text, std::size_t& at) {
  if (at + 1 == text.size())
    throw TemplateError(at, "nothing follows the backslash; for a literal one write '\\\\'");
  const char letter = text[at + 1];
  if (letter == 'x') return append_byte(out, text, at);
  if (letter == 'u') return append_character(out, text, at);
  for (const Escape& escape : escape_table) {
    if (escape.letter != letter) continue;
    out += escape.meaning;
    at += 2;
    return;
  }
  throw TemplateError(
      at, "unknown escape; known are \\n \\t \\r \\0 \\a \\b \\e \\f \\v \\\\ \\xNN and \\u{...}");
}

// Fields

constexpr std::size_t none = std::string_view::npos;
constexpr std::size_t most_columns = 1000;

constexpr unsigned bit(ValueSort sort) {
  return 1U << static_cast<unsigned>(sort);
}
constexpr unsigned any = ~0U;
constexpr unsigned texts = bit(ValueSort::bytes) | bit(ValueSort::text);

/// A new conversion needs a row here and a line of the man page.
constexpr Conversion conversion_table[] = {
    {"q", any, "quoted for a shell, if necessary", nullptr},
    {"j", any, "as in NDJSON", nullptr},
    {"b64", texts, "Base64 of the bytes",
     [](std::string& out, const FieldValue& value) { text::append_base64(out, value.text); }},
    {"uri", texts, "percent-encoded",
     [](std::string& out, const FieldValue& value) {
       text::append_percent_encoded(out, value.text);
     }},
    {"h", bit(ValueSort::size), "1.2M, in powers of 1000",
     [](std::string& out, const FieldValue& value) {
       text::append_human_size(out, value.number, text::SizeUnits::decimal);
     }},
    {"H", bit(ValueSort::size), "1.1Mi, in powers of 1024",
     [](std::string& out, const FieldValue& value) {
       text::append_human_size(out, value.number, text::SizeUnits::binary);
     }},
    {"rwx", bit(ValueSort::mode), "-rw-r--r--",
     [](std::string& out, const FieldValue& value) {
       text::append_mode_letters(out, static_cast<std::uint32_t>(value.number));
     }},
    {"rfc", bit(ValueSort::time), "UTC, with nanoseconds",
     [](std::string& out, const FieldValue& value) { text::append_rfc3339(out, value.time); }},
    {"epoch", bit(ValueSort::time), "seconds since 1970",
     [](std::string& out, const FieldValue& value) { text::append_epoch(out, value.time); }},
};
constexpr const Conversion* quoted_for_shell = &conversion_table[0];
constexpr const Conversion* as_json = &conversion_table[1];

std::string quoted(std::string_view word) {
  return "'" + std::string(word) + "'";
}

/// The field for a placeholder of commands and of fd: {/}, {//}, {/.} or {.}. {.} is the path
/// without its extension, for which there is no single field: the pieces are put into the braces of
/// the message.
std::string_view field_meant(std::string_view word) {
  if (word == "/") return "name";
  if (word == "//") return "dir";
  if (word == "/.") return "stem";
  return word == "." ? "dir}/{stem" : "";
}

/// Finds the end of a field; escapes are skipped as a whole. Another opening brace before it means
/// that the first one was not closed: the error points at the first.
std::size_t closing_brace(std::string_view text, std::size_t begin) {
  std::string ignored;
  for (std::size_t at = begin + 1; at < text.size() && text[at] != '{';) {
    if (text[at] == '}') return at;
    if (text[at] == '\\') {
      append_escape(ignored, text, at);
    } else {
      ++at;
    }
  }
  throw TemplateError(begin, "unclosed '{'; for a literal brace write '{{'");
}

/// The error for such a placeholder names its field; for other words cli looks for a near miss
/// among `names`.
const RecordField* find_field(std::string_view name, std::size_t position) {
  const RecordField* const field = find_record_field(name);
  if (field != nullptr) return field;
  if (name.empty()) throw TemplateError(position, "a field is missing, such as {path}");
  const std::string_view meant = field_meant(name);
  if (!meant.empty()) {
    throw TemplateError(position,
                        "unknown field " + quoted(name) + "; use {" + std::string(meant) + "}");
  }
  std::vector<std::string_view> names;
  for (const RecordField& row : record_fields()) names.push_back(row.name);
  throw TemplateError(position, "unknown field " + quoted(name), std::string(name), names);
}

/// Returns where the alignment begins in `how`. That is its size if there is none. "h>8" is a
/// conversion of one byte, ">8" of none, and in "%Y>" the sign belongs to the format since no
/// digits follow.
std::size_t parse_alignment(TemplateField& field, std::string_view how, std::size_t position) {
  const std::size_t last = how.find_last_not_of("0123456789");
  if (last == none) return how.size();
  const std::string_view sign = how.substr(last, 1);
  const std::size_t kind = std::string_view("<>^").find(sign);
  if (kind == none) return how.size();
  const std::string_view digits = how.substr(last + 1);
  if (digits.empty()) {
    // A time format may end that way.
    if (how.find('%') != none) return how.size();
    throw TemplateError(position + last, "a number of columns is missing after " + quoted(sign));
  }
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), field.columns);
  if (result.ec != std::errc() || field.columns == 0 || field.columns > most_columns) {
    throw TemplateError(position + last + 1, quoted(digits) + " is not a number from 1 to 1000");
  }
  constexpr Alignment alignments[] = {Alignment::left, Alignment::right, Alignment::centre};
  field.alignment = alignments[kind];
  return last;
}

/// Conversions are checked before and after escapes are replaced: strftime of an unknown
/// conversion is undefined, and a NUL would end its format. Only in the first check is the
/// position that of the character; what an escape made is reported at the beginning of the
/// format.
void parse_time_format(TemplateField& field, std::string_view format, std::size_t position) {
  const auto check = [&](std::string_view text, bool typed) {
    const std::size_t unknown = text::TimeFormat::find_unknown(text);
    if (unknown == none) return;
    const std::string what = text[unknown] == '\0' ? "a NUL" : quoted(text.substr(unknown, 2));
    throw TemplateError(position + (typed ? unknown : 0), what + " is not a time conversion");
  };
  check(format, true);
  std::string plain;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] == '\\') {
      append_escape(plain, format, at);
    } else {
      plain += format[at++];
    }
  }
  check(plain, false);  // an escape may have made a % or a NUL
  field.time_format.emplace(plain);
}

/// The choices of the error are the conversions that fit the field, not all.
const Conversion* find_conversion(const RecordField& field, std::string_view word,
                                  std::size_t position) {
  std::vector<std::string_view> choices;
  for (const Conversion& row : conversion_table) {
    if ((row.sorts & bit(field.sort)) == 0) continue;
    if (row.name == word) return &row;
    choices.push_back(row.name);
  }
  if (field.sort == ValueSort::time) choices.emplace_back("%Y-%m-%d");
  throw TemplateError(position, quoted(word) + " is not a conversion for " + quoted(field.name),
                      std::string(word), choices);
}

/// Splits HOW at the alignment, which is at its end; the rest is a conversion. A percent sign
/// makes it a format of strftime, but only for times: "{modified:%H:%M>8}" has a format with a
/// colon and an alignment.
void parse_how(TemplateField& field, std::string_view how, std::size_t begin) {
  if (how.empty()) {
    throw TemplateError(begin, "a conversion or an alignment is missing, such as q or >10");
  }
  const std::size_t conversion_size = parse_alignment(field, how, begin);
  const std::string_view conversion = how.substr(0, conversion_size);
  if (conversion.empty()) return;
  if (field.field->sort == ValueSort::time && conversion.find('%') != none) {
    parse_time_format(field, conversion, begin);
  } else {
    field.conversion = find_conversion(*field.field, conversion, begin);
  }
}

/// Parses {NAME} or {NAME:HOW}, whose opening brace is at `at`, and moves `at` past it.
TemplateField take_field(std::string_view text, std::size_t& at) {
  const std::size_t begin = at + 1;
  const std::size_t end = closing_brace(text, at);
  at = end + 1;
  return parse_inner_field(text.substr(begin, end - begin), begin);
}

}  // namespace

TemplateField parse_inner_field(std::string_view inner, std::size_t begin) {
  const std::size_t colon = inner.find(':');
  TemplateField field{find_field(inner.substr(0, colon), begin)};
  if (colon != none) parse_how(field, inner.substr(colon + 1), begin + colon + 1);
  return field;
}

std::span<const Conversion> conversions() {
  return conversion_table;
}

Template parse_template(std::string_view text) {
  Template result;
  std::string literal;
  for (std::size_t at = 0; at < text.size();) {
    const char character = text[at];
    // A doubled brace is tested first, so "{{name}}" is text.
    const bool doubled = at + 1 < text.size() && text[at + 1] == character;
    if (character == '\\') {
      append_escape(literal, text, at);
    } else if ((character == '{' || character == '}') && doubled) {
      literal += character;
      at += 2;
    } else if (character == '}') {
      throw TemplateError(at, "unmatched '}'; for a literal brace write '}}'");
    } else if (character == '{') {
      result.parts.push_back({std::exchange(literal, {}), take_field(text, at)});
    } else {
      literal += character;
      ++at;
    }
  }
  result.end = std::move(literal);
  return result;
}

std::optional<TemplateField> parse_field(std::string_view text, std::size_t& at) {
  const std::size_t end = text.find_first_of(":}", at);
  if (end == none || find_record_field(text.substr(at + 1, end - at - 1)) == nullptr) return {};
  return take_field(text, at);
}

FieldWriter::FieldWriter(const Accounts* accounts, bool escapes)
    : path_field_(find_record_field("path")), escapes_(escapes), scratch_{accounts} {}

bool FieldWriter::append(std::string& out, const TemplateField& field, Entry& entry) {
  const bool aligned = field.alignment != Alignment::none;
  if (field.field == path_field_ && field.conversion == nullptr && !aligned && !escapes_) {
    append_path(out, entry);  // the most frequent, without a copy
    return true;
  }
  const FieldValue value = field.field->read(entry, scratch_);
  if (!aligned) {
    append_value(out, field, value);
  } else {
    // The width is only known once the value is written, so an aligned value is made in a buffer of
    // its own first.
    cell_.clear();
    append_value(cell_, field, value);
    append_aligned(out, cell_, field.alignment, field.columns);
  }
  const ValueSort sort = field.field->sort;
  const bool is_text =
      sort == ValueSort::bytes || sort == ValueSort::text || sort == ValueSort::list;
  return value.known && !(is_text && value.text.empty() && value.list.empty());
}

/// Without padding. An unknown value is empty, but a word for a shell stays one, and JSON stays
/// JSON.
void FieldWriter::append_value(std::string& out, const TemplateField& field,
                               const FieldValue& value) {
  const RecordField& of = *field.field;
  if (field.conversion == quoted_for_shell) {
    append_shell(out, of, value);
  } else if (!value.known) {
    if (field.conversion == as_json) out += "null";
  } else if (field.conversion == as_json) {
    append_json_value(out, of.sort, value);
  } else if (field.conversion != nullptr) {
    field.conversion->append(out, value);
  } else if (field.time_format) {
    field.time_format->append(out, value.time);
  } else {
    append_plain(out, of, value);
  }
}

/// As people read it: octal permissions, local times, the texts of a list with commas. This is also
/// the word that {FIELD:q} quotes, for values that are not text.
void FieldWriter::append_plain(std::string& out, const RecordField& field,
                               const FieldValue& value) {
  switch (field.sort) {
    case ValueSort::bytes:
    case ValueSort::text:
      append_text(out, value.text, escapes_);
      break;
    case ValueSort::number:
    case ValueSort::size:
      text::append_number(out, value.number);
      break;
    case ValueSort::mode:
      text::append_permissions(out, value.number);
      break;
    case ValueSort::time:
      text::append_local_time(out, value.time, zone_);
      break;
    case ValueSort::list:
      for (std::size_t i = 0; i < value.list.size(); ++i) {
        if (i > 0) out += ',';
        append_text(out, value.list[i], escapes_);
      }
      break;
  }
}

/// A list becomes one word for each text and no word if it is empty, so `for tag in {tags:q}`
/// works; any other value is exactly one word, '' if it is unknown.
void FieldWriter::append_shell(std::string& out, const RecordField& field,
                               const FieldValue& value) {
  if (field.sort == ValueSort::list) {
    for (std::size_t i = 0; i < value.list.size(); ++i) {
      if (i > 0) out += ' ';
      append_word(out, value.list[i]);
    }
    return;
  }
  if (field.sort == ValueSort::bytes || field.sort == ValueSort::text) {
    return append_word(out, value.text);
  }
  plain_.clear();
  if (value.known) append_plain(plain_, field, value);
  append_word(out, plain_);
}

/// On a terminal control bytes must not reach the screen: such a word is written as $'a\nb', which
/// bash, zsh and ksh read.
void FieldWriter::append_word(std::string& out, std::string_view word) const {
  if (escapes_) {
    out += text::shell_word(word);
  } else {
    text::append_shell_quoted(out, word);
  }
}

}  // namespace ffind::output
