// SPDX-License-Identifier: MIT
// The conversions are rows of one table: a letter, the field that is read, and how it is written. A
// value is appended to the output, and cut and padded there, since most have neither width nor
// precision. -ls is a format as well, with three conversions of its own.
#include "output/find_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include "text/ascii.h"
#include "text/format.h"
#include "text/permissions.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::output {

namespace {

constexpr std::size_t none = std::string_view::npos;

/// Metadata that every file system has: without these, find prints nothing of an entry.
constexpr Needs of_every_stat = needs::type | needs::mode | needs::owner | needs::links |
                                needs::identity | needs::size | needs::modified | needs::changed |
                                needs::accessed;

/// Appends `path` as -ls shows names: printable ASCII as it is, the rest as in C.
void append_listed_name(std::string& out, std::string_view path) {
  constexpr std::string_view special = "\\\n\b\r\t\f \"";
  constexpr std::string_view letters = "\\nbrtf \"";
  for (const char c : path) {
    const std::size_t which = special.find(c);
    if (which != none) {
      out += '\\';
      out += letters[which];
    } else if (c > ' ' && c < '\x7F') {
      out += c;
    } else {
      out += text::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
}

char letter_of(FileType type) {
  constexpr std::string_view letters = "Ufdlpsbc";  // in the order of FileType
  return letters[static_cast<std::size_t>(type)];
}

/// The format of strftime(3) for the letter after %A, %B, %C or %T. An unknown one stays, as in
/// the C library of GNU.
text::TimeFormat format_of_time(char letter) {
  const std::string format = {'%', letter};
  if (letter == '+') return text::TimeFormat("%F+%T.%f0");
  if (letter == 'S' || letter == 'T' || letter == 'X') return text::TimeFormat(format + ".%f0");
  const bool known = letter != 'f' && text::TimeFormat::find_unknown(format) == none;
  return text::TimeFormat(known ? format : "%" + format);
}

}  // namespace

void append_printable(std::string& out, std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const text::Decoded character = text::decode_utf8(name, at);
    const bool shown = character.valid && !text::misleads(character.code_point);
    out += shown ? name.substr(at, character.length) : "?";
    at += character.length;
  }
}

bool splits_for_xargs(char c) {
  return std::string_view(" \t\n'\"\\").find(c) != none;
}

struct FindFormat::Directive {
  char letter;
  std::string_view field;
  void (Call::*append)() const = nullptr;  ///< null: the value of the field
  Needs needs = needs::none;               ///< beyond those of the fields
  std::string_view fallback = "";
  std::uint64_t block = 1;  ///< unit of a number in bytes; rounded up
  char of_printf = 's';     ///< conversion of printf(3) with the same flags
};

/// One conversion of one entry. Values are those of fields, but for a few conversions that have a
/// function here.
struct FindFormat::Call {
  std::string& out;
  const FindFormat& format;
  const Part& part;
  Entry& entry;
  FieldScratch& scratch;

  void field() const {
    const RecordField* source = part.field;
    FieldValue read = value();
    if (!read.known && part.fallback != nullptr) {
      source = part.fallback;
      read = source->read(entry, scratch);
    }
    if (!read.is_comparable()) return;
    const std::uint64_t block = part.directive->block;
    switch (source->sort) {
      case ValueSort::time:
        return append_time(read.time);
      case ValueSort::mode:
        return append_number(static_cast<unsigned>(read.number) & 07777U);
      case ValueSort::number:
      case ValueSort::size:
        if (part.directive->of_printf == 'd') return append_number(static_cast<int>(read.number));
        return text::append_number(out, read.number / block + (read.number % block != 0 ? 1 : 0));
      default:
        return append_name(read.text);
    }
  }

  /// Empty for a root.
  void relative_path() const {
    if (entry.depth > 0) field();
  }

  void path() const {
    entry.require(needs::directory);
    for (const std::string_view piece : {entry.directory, entry.name, entry.slashes}) {
      append_name(piece);
    }
  }

  void escaped_path() const {
    entry.require(needs::directory);
    for (const std::string_view piece : {entry.directory, entry.name, entry.slashes}) {
      for (const char c : piece) out.append(splits_for_xargs(c) ? "\\" : "") += c;
    }
  }

  void name() const {
    append_name(entry.name);
    if (!entry.slashes.empty() && entry.name != "/") out += '/';
  }

  /// The path without the slashes at its end, up to the last slash that is left. As in find, "/a"
  /// is in "", and "x/" in "x" if the name has one letter.
  void parent() const {
    entry.require(needs::directory);
    std::string path(entry.directory);
    path.append(entry.name).append(entry.slashes);
    const std::size_t last = path.find_last_not_of('/');
    if (last != none && last > 0) path.resize(last + 1);
    const std::size_t slash = path.rfind('/');
    append_name(slash == none ? "." : path.substr(0, slash));
  }

  void type() const {
    entry.require(needs::type);
    out += letter_of(entry.type);
  }

  void target_type() const {
    entry.require(needs::type);
    if (entry.type != FileType::symlink) return type();
    const bool known = entry.require(needs::target_type);
    if (known && entry.target_type != FileType::unknown) {
      out += letter_of(entry.target_type);
    } else {
      out += entry.loop ? 'L' : known ? 'N' : '?';
    }
  }

  void mode_letters() const {
    const FieldValue mode = value();
    if (mode.known) text::append_mode_letters(out, static_cast<std::uint32_t>(mode.number));
  }

  /// Allocated bytes by size.
  void sparseness() const {
    const FieldValue read = value();
    if (!read.known) return;
    const auto allocated = static_cast<double>(read.number);
    const auto size = static_cast<double>(entry.metadata.size);
    append_number(size > 0 ? allocated / size : allocated > 0 ? HUGE_VAL : 1.0);
  }

  void file_system() const {
    if (!entry.require(needs::origin)) return;
    out += entry.file_system.empty() ? "unknown" : entry.file_system;
  }

  void security_label() const {
    AttributeValue label;
    if (entry.loader == nullptr) return;
    if (!entry.loader->attribute(entry, "security.selinux", &label)) return;
    out += std::string_view(label.bytes).substr(0, label.bytes.find('\0'));
  }

  void listed_size() const {
    if (entry.type == FileType::block || entry.type == FileType::character) {
      out +=
          text::format("{:>3}, {:>3}", entry.metadata.special_major, entry.metadata.special_minor);
    } else {
      field();
    }
  }

  /// "Jan 31 12:00", or "Jan 31  2025" before the last 180 days, and more than an hour ahead.
  void listed_time() const {
    static const text::TimeFormat recent("%b %e %H:%M");
    static const text::TimeFormat far("%b %e  %Y");
    const FieldValue read = value();
    if (!read.is_comparable()) return;
    const std::int64_t now = format.now_.seconds;
    const bool is_recent =
        read.time.seconds >= now - 180 * text::seconds_a_day && read.time.seconds <= now + 3600;
    append_time(read.time, is_recent ? recent : far);
  }

  /// Appends seconds for a year beyond 32 bits.
  void append_time(Instant time, const text::TimeFormat& time_format) const {
    if (!time_format.append(out, time)) out += std::to_string(time.seconds);
  }

  void listed_path() const {
    entry.require(needs::directory | needs::type);
    for (const std::string_view piece : {entry.directory, entry.name, entry.slashes}) {
      append_listed_name(out, piece);
    }
    if (entry.type != FileType::symlink) return;
    const FieldValue target = value();
    if (!target.known) return;
    out += " -> ";
    append_listed_name(out, target.text);
  }

  FieldValue value() const { return part.field->read(entry, scratch); }

  /// Appends text that the owner of a file has chosen.
  void append_name(std::string_view name) const {
    if (format.for_terminal_) {
      append_printable(out, name);
    } else {
      out += name;
    }
  }

  /// Appends a number as printf(3) does, with the flags, the width and the precision.
  template <typename Number>
  void append_number(Number value) const {
    const char* const pattern = part.of_number.c_str();
    const int size = std::snprintf(nullptr, 0, pattern, value);
    if (size <= 0) return;
    const std::size_t before = out.size();
    out.resize(before + static_cast<std::size_t>(size) + 1);
    std::snprintf(out.data() + before, static_cast<std::size_t>(size) + 1, pattern, value);
    out.pop_back();  // the NUL
  }

  /// As seconds, `time` is rounded down, and the sign is that of the seconds alone: half a second
  /// before 1970 is -1.5.
  void append_time(Instant time) const {
    if (part.time) return append_time(time, *part.time);
    out += text::format("{}.{:09}0", time.seconds, time.nanoseconds);
  }
};

/// Those of -ls and -printx have letters that no format has.
const FindFormat::Directive FindFormat::directives[] = {
    {'p', "path", &Call::path},
    {'f', "name", &Call::name},
    {'h', "path", &Call::parent},
    {'P', "relative", &Call::relative_path, needs::depth},
    {'H', "root"},
    {'d', "depth", nullptr, needs::depth, "", 1, 'd'},
    {'l', "target", nullptr, needs::mode},
    {'y', "type", &Call::type},
    {'Y', "type", &Call::target_type, needs::target_type | needs::mode},
    {'s', "size"},
    {'b', "allocated", nullptr, needs::none, "", 512},
    {'k', "allocated", nullptr, needs::none, "", 1024},
    {'S', "allocated", &Call::sparseness, needs::none, "", 1, 'g'},
    {'m', "mode", nullptr, needs::none, "", 1, 'o'},
    {'M', "mode", &Call::mode_letters},
    {'u', "owner", nullptr, needs::none, "uid"},
    {'g', "group", nullptr, needs::none, "gid"},
    {'U', "uid"},
    {'G', "gid"},
    {'n', "links"},
    {'i', "inode"},
    {'D', "device"},
    {'F', "volume", &Call::file_system, needs::mode | needs::device},
    {'a', "accessed"},
    {'c', "changed"},
    {'t', "modified"},
    {'A', "accessed"},
    {'B', "created"},
    {'C', "changed"},
    {'T', "modified"},
    {'Z', "", &Call::security_label, needs::attributes},
    {'\1', "size", &Call::listed_size, needs::type},
    {'\2', "modified", &Call::listed_time},
    {'\3', "target", &Call::listed_path, needs::directory},
    {'\4', "path", &Call::escaped_path},
};

/// Splits a format into parts.
class FindFormat::Parser {
 public:
  /// `is_own`: the conversions of -ls and -printx are known.
  explicit Parser(std::string_view format, bool is_own = false) : text_(format), is_own_(is_own) {}

  FindFormat parse() {
    while (at_ < text_.size() && !stopped_) {
      const char c = text_[at_];
      if (c == '\\') {
        take_escape();
      } else if (c == '%') {
        take_conversion();
      } else {
        literal_ += c;
        ++at_;
      }
    }
    end_text();
    return std::move(format_);
  }

 private:
  /// All since `begin` is text.
  void warn(const std::string& warning, std::size_t begin) {
    format_.warnings_.push_back("warning: " + warning);
    literal_ += text_.substr(begin, at_ - begin);
  }

  std::string_view take_character() {
    const std::size_t begin = at_;
    at_ += text::decode_utf8(text_, begin).length;
    return text_.substr(begin, at_ - begin);
  }

  /// Takes an escape: up to three octal digits, or a letter. An unknown one is text.
  void take_escape() {
    constexpr std::string_view letters = "abfnrtv\\";
    constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\";
    const std::size_t begin = at_++;
    if (at_ == text_.size()) {
      warn("escape `\\' followed by nothing at all", begin);
      return;
    }
    const char c = text_[at_];
    const std::size_t which = letters.find(c);
    if (c == 'c') {
      stopped_ = true;
    } else if (text::is_octal(c)) {
      unsigned value = 0;
      while (at_ < text_.size() && at_ <= begin + 3 && text::is_octal(text_[at_])) {
        value = value * 8 + static_cast<unsigned>(text_[at_++] - '0');
      }
      literal_ += static_cast<char>(value);
    } else if (which != none) {
      literal_ += meanings[which];
      ++at_;
    } else {
      warn(text::format("unrecognized escape `\\{}'", take_character()), begin);
    }
  }

  /// Takes a conversion with its flags. An unknown one is text, and so are those of %%.
  void take_conversion() {
    const std::size_t begin = at_++;
    Part part;
    for (; at_ < text_.size() && std::string_view("-+ #").find(text_[at_]) != none; ++at_) {
      if (text_[at_] == '-') part.left = true;
    }
    part.width = take_number();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      part.precision = take_number();
    }
    part.of_number = text_.substr(begin, at_ - begin);
    if (at_ == text_.size()) {
      throw FindFormatError(text::format("error: {} at end of format string", text_.substr(begin)));
    }
    const std::string_view character = take_character();
    const char letter = character.front();
    if (letter == '{' || letter == '[' || letter == '(') {
      throw FindFormatError(
          text::format("error: the format directive `%{}' is reserved for future use", letter));
    }
    const auto* const directive = std::find_if(
        std::begin(directives), std::end(directives),
        [&](const Directive& row) { return row.letter == letter && (is_own_ || letter > '\4'); });
    const bool of_time = letter == 'A' || letter == 'B' || letter == 'C' || letter == 'T';
    if (letter == '%') {
      literal_ += text_.substr(begin, at_ - 1 - begin);
    } else if (directive == std::end(directives)) {
      warn(text::format("unrecognized format directive `%{}'", character), begin);
    } else if (of_time && at_ == text_.size()) {
      warn(text::format("format directive `%{}' should be followed by another character", letter),
           begin);
    } else {
      add(std::move(part), *directive, of_time ? text_[at_++] : '\0');
    }
  }

  void end_text() {
    std::vector<Part>& parts = format_.parts_;
    (parts.empty() ? format_.beginning_ : parts.back().after) = std::exchange(literal_, {});
  }

  void add(Part part, const Directive& directive, char of_time) {
    end_text();
    part.directive = &directive;
    part.is_path = directive.letter == 'p' && part.of_number == "%";
    part.of_number += directive.of_printf;
    if (!directive.field.empty()) part.field = find_record_field(directive.field);
    if (!directive.fallback.empty()) part.fallback = find_record_field(directive.fallback);
    if (of_time != '\0' && of_time != '@') {
      part.time = format_of_time(of_time);
    } else if (of_time == '\0') {
      part.time = text::TimeFormat("%a %b %e %H:%M:%S.%f0 %Y");
    }
    format_.needs_ |= directive.needs | (part.field != nullptr ? part.field->needs : needs::none);
    format_.parts_.push_back(std::move(part));
  }

  std::size_t take_number() {
    constexpr std::size_t most = 1'000'000;
    std::size_t number = 0;
    for (; at_ < text_.size() && text::is_digit(text_[at_]); ++at_) {
      number = number * 10 + static_cast<std::size_t>(text_[at_] - '0');
      if (number > most) throw FindFormatError("error: a width of more than a million columns");
    }
    return number;
  }

  std::string_view text_;
  bool is_own_;
  std::size_t at_ = 0;
  std::string literal_;
  bool stopped_ = false;  ///< by \c
  FindFormat format_;
};

FindFormat FindFormat::parse(std::string_view format, bool for_terminal) {
  FindFormat parsed = Parser(format).parse();
  parsed.for_terminal_ = for_terminal;
  return parsed;
}

FindFormat FindFormat::listing(Instant now, bool posix) {
  const std::string rest = " %M %3n %-8u %-8g %8\1 %\2 %\3\\n";
  FindFormat line = Parser((posix ? "%9i %6b" : "%9i %6k") + rest, true).parse();
  line.now_ = now;
  return line;
}

FindFormat FindFormat::escaped() {
  return Parser("%\4\\n", true).parse();
}

bool FindFormat::append(std::string& out, Entry& entry, FieldScratch& scratch) const {
  const Needs statted = needs_ & of_every_stat;
  if (statted != 0 && !entry.require(statted)) return false;
  if (!beginning_.empty()) out += beginning_;
  for (const Part& part : parts_) {
    if (part.is_path && !for_terminal_) {
      entry.require(needs::directory);
      out += entry.directory;
      out += entry.name;
      if (!entry.slashes.empty()) out += entry.slashes;
    } else {
      append_aligned({out, *this, part, entry, scratch});
    }
    if (!part.after.empty()) out += part.after;
  }
  return true;
}

/// A text is cut by the precision.
void FindFormat::append_aligned(const Call& call) {
  const Part& part = call.part;
  std::string& out = call.out;
  const std::size_t begin = out.size();
  const auto append = part.directive->append;
  append != nullptr ? (call.*append)() : call.field();
  if (part.directive->of_printf == 's' && part.precision) {
    out.resize(std::min(out.size(), begin + *part.precision));
  }
  const std::size_t size = out.size() - begin;
  if (size < part.width) out.insert(part.left ? out.size() : begin, part.width - size, ' ');
}

}  // namespace ffind::output
