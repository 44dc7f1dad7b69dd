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

/// A way to write a value, as it is typed after the colon.
struct Conversion {
  std::string_view name;
  unsigned sorts;  ///< of values that can be written that way, a bit each
  std::string_view help;
  void (*append)(std::string& out, const FieldValue& value);  ///< null for q and j
};
std::span<const Conversion> conversions();

/// {size:h>8} is {size, h, -, right, 8}.
struct TemplateField {
  const RecordField* field;
  const Conversion* conversion = nullptr;         ///< null: as people read it
  std::optional<text::TimeFormat> time_format{};  ///< in the place of a conversion
  Alignment alignment = Alignment::none;
  std::size_t columns = 0;
};

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

/// Parses what is between the braces of a field, which begins at `begin` of the text that positions
/// are of. Throws TemplateError.
TemplateField parse_inner_field(std::string_view inner, std::size_t begin);

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
