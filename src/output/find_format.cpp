// SPDX-License-Identifier: MIT
// The conversions are rows of one table: a letter, the field that is read, and how it is written. A
// value is appended to the output, and cut and padded there, since most have neither width nor
// precision. -ls is a format as well, with three conversions of its own.
#include "output/find_format.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>
#include <utility>

#include "text/ascii.h"
#include "text/format.h"
#include "text/permissions.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::output {

/// One conversion of one entry.
struct FindFormat::Call {
  std::string& out;
  const FindFormat& format;
  const Part& part;
  Entry& entry;
  FieldScratch& scratch;

  FieldValue value() const { return part.field->read(entry, scratch); }
  void append_name(std::string_view name) const;
  template <typename Number>
  void append_number(Number value) const;

  // Rows of the table.
  static void plain(const Call& call);
  template <std::uint64_t block>
  static void number(const Call& call);
  template <std::uint32_t Metadata::*number>
  static void account(const Call& call);
  static void time(const Call& call);
  static void sparseness(const Call& call);
  static void listed_size(const Call& call);
  static void listed_time(const Call& call);
};

struct FindFormat::Directive {
  char letter;
  std::string_view field;  ///< empty: none that is written by itself
  Needs needs;             ///< beyond those of the field
  void (*append)(const Call& call);
  char of_printf = 's';  ///< conversion of printf(3) with the same flags; of numbers d, o, g
};

namespace {

constexpr std::size_t none = std::string_view::npos;

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

/// Appends `name` with a question mark for each character that is not printable, as ls does on a
/// terminal.
void append_printable(std::string& out, std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const text::Decoded character = text::decode_utf8(name, at);
    const bool shown = character.valid && !text::misleads(character.code_point);
    out += shown ? name.substr(at, character.length) : "?";
    at += character.length;
  }
}

char letter_of(FileType type) {
  constexpr std::string_view letters = "Ufdlpsbc";  // in the order of FileType
  return letters[static_cast<std::size_t>(type)];
}

/// Path of the directory: without the slashes at the end of the path, up to the last slash that is
/// left. As in find, "/a" is in "", and "x/" in "x" if the name has one letter.
std::string_view parent_of(std::string_view path) {
  const std::size_t last = path.find_last_not_of('/');
  if (last != none && last > 0) path = path.substr(0, last + 1);
  const std::size_t slash = path.rfind('/');
  return slash == none ? "." : path.substr(0, slash);
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

/// Appends text that the owner of a file has chosen.
void FindFormat::Call::append_name(std::string_view name) const {
  if (format.for_terminal_) {
    append_printable(out, name);
  } else {
    out += name;
  }
}

/// Appends a number as printf(3) does, with the flags, the width and the precision.
template <typename Number>
void FindFormat::Call::append_number(Number value) const {
  const char* const pattern = part.of_number.c_str();
  const int size = std::snprintf(nullptr, 0, pattern, value);
  if (size <= 0) return;
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(size) + 1);
  std::snprintf(out.data() + before, static_cast<std::size_t>(size) + 1, pattern, value);
  out.pop_back();  // the NUL
}

void FindFormat::Call::plain(const Call& call) {
  call.out += call.value().text;
}

/// In blocks of this many bytes, rounded up.
template <std::uint64_t block>
void FindFormat::Call::number(const Call& call) {
  const FieldValue value = call.value();
  if (!value.known) return;
  text::append_number(call.out, value.number / block + (value.number % block != 0 ? 1 : 0));
}

/// The name, or the number of an account without one.
template <std::uint32_t Metadata::*number>
void FindFormat::Call::account(const Call& call) {
  const FieldValue name = call.value();
  call.out += name.text;
  if (!name.known && call.entry.require(needs::owner)) {
    text::append_number(call.out, call.entry.metadata.*number);
  }
}

/// As seconds, time is rounded down, and the sign is that of the seconds alone: half a second
/// before 1970 is -1.5.
void FindFormat::Call::time(const Call& call) {
  const FieldValue value = call.value();
  if (!value.known) return;
  if (call.part.time) return call.part.time->append(call.out, value.time);
  const text::Instant instant = text::instant_of(value.time);
  call.out += text::format("{}.{:09}0", instant.seconds, instant.nanoseconds);
}

/// Allocated bytes by size.
void FindFormat::Call::sparseness(const Call& call) {
  const FieldValue value = call.value();
  if (!value.known) return;
  const auto allocated = static_cast<double>(value.number);
  const auto size = static_cast<double>(call.entry.metadata.size);
  call.append_number(size > 0        ? allocated / size
                     : allocated > 0 ? std::numeric_limits<double>::infinity()
                                     : 1);
}

void FindFormat::Call::listed_size(const Call& call) {
  const FileType type = call.entry.type;
  if (type == FileType::block || type == FileType::character) {
    call.out += "  0,   0";
  } else {
    number<1>(call);
  }
}

/// "Jan 31 12:00", or "Jan 31  2025" before the last 180 days, and more than an hour ahead.
void FindFormat::Call::listed_time(const Call& call) {
  static const text::TimeFormat recent("%b %e %H:%M");
  static const text::TimeFormat far("%b %e  %Y");
  const FieldValue value = call.value();
  if (!value.known) return;
  const std::int64_t age =
      text::instant_of(call.format.now_).seconds - text::instant_of(value.time).seconds;
  const bool is_recent = age <= 180 * text::seconds_a_day && age >= -3600;
  (is_recent ? recent : far).append(call.out, value.time);
}

/// Those of -ls have letters that no format has.
const FindFormat::Directive FindFormat::directives[] = {
    {'p', "path", needs::none,
     [](const Call& call) {
       const Entry& entry = call.entry;
       call.entry.require(needs::directory);
       call.append_name(entry.directory);
       call.append_name(entry.name);
       call.append_name(entry.slashes);
     }},
    {'f', "name", needs::none,
     [](const Call& call) {
       call.append_name(call.entry.name);
       if (!call.entry.slashes.empty() && call.entry.name != "/") call.out += '/';
     }},
    {'h', "path", needs::none,
     [](const Call& call) {
       call.entry.require(needs::directory);
       std::string path(call.entry.directory);
       path.append(call.entry.name).append(call.entry.slashes);
       call.append_name(parent_of(path));
     }},
    {'P', "relative", needs::depth,
     [](const Call& call) {
       if (call.entry.depth > 0) call.append_name(call.value().text);
     }},
    {'H', "root", needs::none, Call::plain},
    {'d', "depth", needs::depth, [](const Call& call) { call.append_number(call.entry.depth); },
     'd'},
    {'l', "target", needs::none, [](const Call& call) { call.append_name(call.value().text); }},
    {'y', "type", needs::none,
     [](const Call& call) {
       call.entry.require(needs::type);
       call.out += letter_of(call.entry.type);
     }},
    {'Y', "type", needs::target_type,
     [](const Call& call) {
       Entry& entry = call.entry;
       entry.require(needs::type);
       FileType type = entry.type;
       const bool known = type != FileType::symlink || entry.require(needs::target_type);
       if (type == FileType::symlink) type = entry.target_type;
       if (entry.type == FileType::symlink && type == FileType::unknown) {
         call.out += entry.loop ? 'L' : known ? 'N' : '?';
       } else {
         call.out += letter_of(type);
       }
     }},
    {'s', "size", needs::none, Call::number<1>},
    {'b', "allocated", needs::none, Call::number<512>},
    {'k', "allocated", needs::none, Call::number<1024>},
    {'S', "allocated", needs::none, Call::sparseness, 'g'},
    {'m', "mode", needs::none,
     [](const Call& call) {
       const FieldValue mode = call.value();
       if (mode.known) call.append_number(static_cast<unsigned>(mode.number) & 07777U);
     },
     'o'},
    {'M', "mode", needs::none,
     [](const Call& call) {
       const FieldValue mode = call.value();
       if (mode.known) {
         text::append_mode_letters(call.out, static_cast<std::uint32_t>(mode.number));
       }
     }},
    {'u', "owner", needs::none, Call::account<&Metadata::uid>},
    {'g', "group", needs::none, Call::account<&Metadata::gid>},
    {'U', "uid", needs::none, Call::number<1>},
    {'G', "gid", needs::none, Call::number<1>},
    {'n', "links", needs::none, Call::number<1>},
    {'i', "inode", needs::none, Call::number<1>},
    {'D', "device", needs::none, Call::number<1>},
    {'F', "volume", needs::none,
     [](const Call& call) {
       if (call.entry.require(needs::origin)) call.out += call.entry.file_system;
     }},
    {'a', "accessed", needs::none, Call::time},
    {'c', "changed", needs::none, Call::time},
    {'t', "modified", needs::none, Call::time},
    {'A', "accessed", needs::none, Call::time},
    {'B', "created", needs::none, Call::time},
    {'C', "changed", needs::none, Call::time},
    {'T', "modified", needs::none, Call::time},
    {'Z', "", needs::attributes,
     [](const Call& call) {
       AttributeValue label;
       EntryLoader* const loader = call.entry.loader;
       if (loader == nullptr || !loader->attribute(call.entry, "security.selinux", &label)) return;
       call.out += std::string_view(label.bytes).substr(0, label.bytes.find('\0'));
     }},
    {'\1', "size", needs::type, Call::listed_size},
    {'\2', "modified", needs::none, Call::listed_time},
    {'\3', "target", needs::directory,
     [](const Call& call) {
       Entry& entry = call.entry;
       entry.require(needs::directory | needs::type);
       for (const std::string_view part : {entry.directory, entry.name, entry.slashes}) {
         append_listed_name(call.out, part);
       }
       if (entry.type != FileType::symlink) return;
       call.out += " -> ";
       append_listed_name(call.out, call.value().text);
     }},
};

/// Splits a format into parts.
class FindFormat::Parser {
 public:
  /// `of_listing`: the conversions of -ls are known.
  explicit Parser(std::string_view format, bool of_listing = false)
      : text_(format), of_listing_(of_listing) {}

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
    if (!literal_.empty()) format_.parts_.push_back({.before = std::move(literal_)});
    return std::move(format_);
  }

 private:
  void warn(std::string warning) { format_.warnings_.push_back("warning: " + std::move(warning)); }

  /// Takes an escape: up to three octal digits, or a letter. An unknown one is text.
  void take_escape() {
    constexpr std::string_view letters = "abfnrtv\\";
    constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\";
    const std::size_t begin = at_++;
    if (at_ == text_.size()) {
      warn("escape `\\' followed by nothing at all");
      literal_ += '\\';
      return;
    }
    const char c = text_[at_];
    const std::size_t which = letters.find(c);
    stopped_ = c == 'c';
    if (stopped_) return;
    if (text::is_octal(c)) {
      unsigned value = 0;
      while (at_ < text_.size() && at_ <= begin + 3 && text::is_octal(text_[at_])) {
        value = value * 8 + static_cast<unsigned>(text_[at_++] - '0');
      }
      literal_ += static_cast<char>(value);
      return;
    }
    ++at_;
    if (which != none) {
      literal_ += meanings[which];
      return;
    }
    warn(text::format("unrecognized escape `\\{}'", c));
    literal_ += text_.substr(begin, 2);
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
    const char letter = text_[at_++];
    if (letter == '{' || letter == '[' || letter == '(') {
      throw FindFormatError(
          text::format("error: the format directive `%{}' is reserved for future use", letter));
    }
    const auto* const directive =
        std::find_if(std::begin(directives), std::end(directives), [&](const Directive& row) {
          return row.letter == letter && (of_listing_ || letter > '\3');
        });
    const bool of_time = letter == 'A' || letter == 'B' || letter == 'C' || letter == 'T';
    if (letter == '%') {
      literal_ += text_.substr(begin, at_ - 1 - begin);
    } else if (directive == std::end(directives)) {
      warn(text::format("unrecognized format directive `%{}'", letter));
      literal_ += text_.substr(begin, at_ - begin);
    } else if (of_time && at_ == text_.size()) {
      warn(text::format("format directive `%{}' should be followed by another character", letter));
      literal_ += text_.substr(begin, at_ - begin);
    } else {
      add(std::move(part), *directive, of_time ? text_[at_++] : '\0');
    }
  }

  void add(Part part, const Directive& directive, char of_time) {
    part.before = std::exchange(literal_, {});
    part.directive = &directive;
    part.of_number += directive.of_printf;
    if (!directive.field.empty()) part.field = find_record_field(directive.field);
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
      number = std::min(number * 10 + static_cast<std::size_t>(text_[at_] - '0'), most);
    }
    return number;
  }

  std::string_view text_;
  bool of_listing_;
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

FindFormat FindFormat::listing(Nanoseconds now) {
  FindFormat line = Parser("%9i %6k %M %3n %-8u %-8g %8\1 %12\2 %\3\\n", true).parse();
  line.now_ = now;
  return line;
}

void FindFormat::append(std::string& out, Entry& entry, FieldScratch& scratch) const {
  for (const Part& part : parts_) {
    out += part.before;
    if (part.directive == nullptr) continue;
    if (part.directive == directives && part.width == 0 && !part.precision && !for_terminal_) {
      entry.require(needs::directory);  // the path is the most frequent
      out += entry.directory;
      out += entry.name;
      out += entry.slashes;
      continue;
    }
    const std::size_t begin = out.size();
    part.directive->append({out, *this, part, entry, scratch});
    const bool is_text = part.directive->of_printf == 's';
    if (is_text && part.precision && out.size() - begin > *part.precision) {
      out.resize(begin + *part.precision);
    }
    const std::size_t size = out.size() - begin;
    if (size < part.width) out.insert(part.left ? out.size() : begin, part.width - size, ' ');
  }
}

}  // namespace ffind::output
