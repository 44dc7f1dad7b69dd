// SPDX-License-Identifier: MIT
// What can be read off a regular expression without running it: whether it has upper case, whether
// it is a mere literal, what every match must contain. RE2 remains the judge of what is valid; of
// an expression that it refuses, anything may be said here. Called by pattern.cpp and regex.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ffind {

struct RegexToken {
  enum class Kind : std::uint8_t {
    letter,      ///< stands for itself, however it is written
    dot,         ///< `.`
    set,         ///< stands for one of several: \d, \pL, \C, [:alpha:]
    class_open,  ///< [ or [^; then letters and sets
    class_close,
    text_begin,  ///< ^ or \A
    text_end,    ///< $ or \z
    boundary,    ///< \b or \B
    group_open,  ///< with its name or flags
    group_close,
    alternation,
    repeat,  ///< * + ? {2,3}, with the ? for "as few as possible"
    flags,   ///< (?i), which holds from here on
    quote,   ///< \Q or \E: stands for nothing
    unknown,
  };

  Kind kind = Kind::unknown;
  bool in_class = false;
  bool escaped = false;    ///< letter written by its number
  bool quoted = false;     ///< letter between \Q and \E
  bool optional = false;   ///< repeat that may be none
  bool unbounded = false;  ///< repeat without an upper limit
  char32_t letter = 0;
  std::size_t position = 0;
  std::size_t size = 0;

  /// \xE9: a letter, or in a text that is not UTF-8 a byte.
  bool may_be_byte() const { return escaped && letter >= 0x80 && letter <= 0xFF; }
};

/// Cuts an expression into tokens. A view; belongs to one thread.
class RegexScanner {
 public:
  explicit RegexScanner(std::string_view regex) : regex_(regex) {}
  /// The next token; nothing at the end.
  std::optional<RegexToken> next();

 private:
  bool rest_starts_with(std::string_view text) const;
  char32_t take();
  void scan(RegexToken& token);
  void scan_class(RegexToken& token);
  void scan_group(RegexToken& token);
  void scan_escape(RegexToken& token);
  void scan_number_escape(char32_t first, RegexToken& token);
  bool scan_braces(RegexToken& token);
  std::optional<unsigned> scan_integer();

  std::string_view regex_;
  std::size_t position_ = 0;
  bool in_class_ = false;
  bool class_begins_ = false;  ///< a ] here is a letter
  bool quoted_ = false;
};

/// For smart case: whether a letter that stands for itself is in upper case.
bool regex_has_upper_case(std::string_view regex);

struct PlainLiteral {
  std::string text;
  bool at_start = false;
  bool at_end = false;
};

/// The literal that `regex` comes down to, if it is no more than one between anchors or `.*` (the
/// dot matching everything).
std::optional<PlainLiteral> plain_literal(std::string_view regex);

/// The longest text that every match contains, up to folding where case is ignored; empty when
/// none is plain to see. `regex` must be UTF-8.
std::string required_literal(std::string_view regex);

/// `regex`, which must be UTF-8, with letters that are written by their numbers as themselves where
/// they compose with their neighbours: e\x{301}. Not in classes, where none has any.
std::string regex_with_letters_spelt_out(std::string_view regex);

/// Where the name of a group stands that another group before it has; nothing where none does.
std::optional<std::size_t> second_group_of_a_name(std::string_view regex);

/// `regex`, which must be UTF-8, with each letter as it is without its accents. A letter that is
/// nothing but an accent is left out; so are those that belong to the letter before.
std::string regex_without_accents(std::string_view regex);

}  // namespace ffind
