// SPDX-License-Identifier: MIT
// Formats of find's -printf and -fprintf, and the line of -ls: parsed once, then written for each
// entry, byte for byte as GNU find does. Pure: reads nothing but the entry.
//
//     %-10s %T@ %p\n     conversions with flags, width and precision as in printf(3)
//     \t \0 \101 \c      escapes; \c ends the format
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "output/record_fields.h"
#include "text/times.h"

namespace ffind::output {

/// True for characters that xargs(1) takes as the end of a path, or as quotes.
bool splits_for_xargs(char c);

/// Appends `name` with a question mark for each character that is not printable, as ls does on a
/// terminal.
void append_printable(std::string& out, std::string_view name);

/// A format that find refuses; `what()` in its words, without the name of the program.
class FindFormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Immutable and thread-safe.
class FindFormat {
 public:
  /// Throws FindFormatError. `for_terminal`: the output is a terminal, so question marks replace
  /// the unprintable characters of names.
  static FindFormat parse(std::string_view format, bool for_terminal = false);
  /// The line of -ls and -fls. Times half a year before `now`, and later ones, are shown with the
  /// year. `posix`: blocks have 512 bytes and not 1,024. Columns have find's least widths: they do
  /// not grow, as they do in find.
  static FindFormat listing(Instant now, bool posix = false);

  /// The path of -printx, in which a backslash precedes what xargs(1) would take as a sign.
  static FindFormat escaped();

  /// find's warnings about escapes and conversions that it does not know, and prints unchanged.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Metadata that append() reads.
  Needs needs() const { return needs_; }
  /// Appends the text of `entry`; unknown values are empty. Returns false, and appends nothing, if
  /// the entry cannot be statted for it. `scratch` belongs to the caller's thread.
  bool append(std::string& out, Entry& entry, FieldScratch& scratch) const;

 private:
  class Parser;
  struct Directive;
  static const Directive directives[];

  /// A conversion, and the text after it.
  struct Part {
    const Directive* directive = nullptr;
    const RecordField* field = nullptr;     ///< null if the conversion reads none
    const RecordField* fallback = nullptr;  ///< read if the value of `field` is unknown
    bool left = false;                      ///< aligned there
    std::size_t width = 0;
    std::optional<std::size_t> precision{};
    std::string of_number{};                 ///< format of printf(3) for a number
    std::optional<text::TimeFormat> time{};  ///< nullopt for seconds since 1970
    bool is_path = false;                    ///< %p alone, the most frequent
    std::string after{};
  };
  /// One conversion of one entry.
  struct Call;
  static void append_aligned(const Call& call);

  std::string beginning_;  ///< text before the first conversion
  std::vector<Part> parts_;
  std::vector<std::string> warnings_;
  Needs needs_ = needs::none;
  bool for_terminal_ = false;
  Instant now_{};  ///< of listing()
};

}  // namespace ffind::output
