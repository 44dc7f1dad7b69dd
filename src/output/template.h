// SPDX-License-Identifier: MIT
// Templates of --format: parsed once into texts and fields, then expanded for each match. Made by
// cli from the option's value. The fields in commands (commands/action.h) are parsed and written by
// the same functions.
//
//     {NAME}        a field
//     {NAME:HOW}    HOW is a conversion (template.cpp), an alignment (< left, > right, ^ centre,
//                   and the least columns), or both, as in {size:h>8}
//     {{ }}         braces
//     \n \x1b ...   escapes
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output/record_fields.h"
#include "text/times.h"

namespace ffind::output {

/// Ways to write a value.
enum class Conversion : std::uint8_t {
  plain,
  shell,         ///< q: quoted for a POSIX shell
  json,          ///< j: as NDJSON has it
  base64,        ///< b64
  uri,           ///< uri: percent-encoded
  human,         ///< h: 1.2M, powers of 1000
  human_binary,  ///< H: 1.2Mi, powers of 1024
  letters,       ///< rwx: -rw-r--r--
  rfc3339,       ///< rfc: UTC, with nanoseconds
  epoch,         ///< epoch: seconds since 1970
  format,        ///< strftime(3)
};

/// {size:h>8} is {size, human, -, right, 8}.
struct TemplateField {
  const RecordField* field;
  Conversion conversion = Conversion::plain;
  text::TimeFormat time_format{};
  Alignment alignment = Alignment::none;
  std::size_t columns = 0;
};

class RecordFormat;
struct OutputStyle;

/// A conversion that can be typed.
struct ConversionRow {
  std::string_view name;
  Conversion conversion;
  unsigned sorts;  ///< of values that can be written that way, a bit each
  std::string_view help;
};
std::span<const ConversionRow> conversions();

/// Immutable and thread-safe.
struct Template {
  /// One literal and the field after it; texts between two fields may be empty.
  struct Part {
    std::string before;  ///< text before the field
    TemplateField field;
  };
  std::vector<Part> parts{};
  std::string end{};  ///< text after the last field
};

/// An error in a template; `what()` is about the character at `position`.
class TemplateError : public std::runtime_error {
 public:
  TemplateError(std::size_t position, const std::string& what, std::string word = {},
                std::vector<std::string_view> choices = {})
      : std::runtime_error(what),
        position_(position),
        word_(std::move(word)),
        choices_(std::move(choices)) {}

  std::size_t position() const { return position_; }
  /// A word that is none of `choices`; may be empty.
  const std::string& word() const { return word_; }
  const std::vector<std::string_view>& choices() const { return choices_; }

 private:
  std::size_t position_;
  std::string word_;
  std::vector<std::string_view> choices_;
};

/// Throws TemplateError.
Template parse_template(std::string_view text);

/// Parses the field whose opening brace is at `at`, and moves `at` past it; nullopt if the word in
/// the braces names no field. Throws TemplateError for a conversion that the field does not have.
std::optional<TemplateField> parse_field(std::string_view text, std::size_t& at);

/// Writes values of fields. Belongs to one thread.
class FieldWriter {
 public:
  /// `accounts` outlives it. `escapes`: bytes that could control a terminal are escaped.
  FieldWriter(const Accounts* accounts, bool escapes);

  /// Appends the value of `entry`. Returns false if it has none: an unknown or empty value is
  /// written as nothing, null for JSON or '' for a shell.
  bool append(std::string& out, const TemplateField& field, Entry& entry);

 private:
  /// The value without padding, and without conversion.
  void append_value(std::string& out, const TemplateField& field, const FieldValue& value);
  void append_plain(std::string& out, const RecordField& field, const FieldValue& value);
  void append_shell(std::string& out, const RecordField& field, const FieldValue& value);
  void append_word(std::string& out, std::string_view word) const;

  const RecordField* path_field_;
  bool escapes_;
  FieldScratch scratch_;
  text::LocalZone zone_;
  std::string cell_;
  std::string plain_;
};

}  // namespace ffind::output
