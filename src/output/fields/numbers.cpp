// SPDX-License-Identifier: MIT
// See numbers.h.
#include "output/fields/numbers.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

namespace ffind {
namespace {

// st_mode, the same on every system that has it.
constexpr unsigned type_shift = 12;
constexpr std::uint32_t set_user_id_bit = 04000;
constexpr std::uint32_t set_group_id_bit = 02000;
constexpr std::uint32_t sticky_bit = 01000;

char type_letter(std::uint32_t mode) {
  // By the four bits of the type: fifo 1, character 2, directory 4, block 6, file 8, link 10,
  // socket 12, door 13 (Solaris).
  constexpr std::string_view letters = "?pc?d?b?-?l?sD??";
  return letters[mode >> type_shift & 0xFU];
}

}  // namespace

void append_number(std::string& out, std::uint64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

void append_permissions(std::string& out, std::uint64_t mode) {
  for (int shift = 9; shift >= 0; shift -= 3) out += static_cast<char>('0' + (mode >> shift & 07U));
}

void append_human_size(std::string& out, std::uint64_t bytes, SizeUnits units) {
  constexpr std::string_view letters = " kMGTPE";
  const bool binary = units == SizeUnits::binary;
  const std::uint64_t step = binary ? 1024 : 1000;
  std::uint64_t unit = 1;
  std::size_t power = 0;
  while (bytes / unit >= step) {
    unit *= step;
    ++power;
  }
  const std::uint64_t whole = bytes / unit;
  const fmt::format_int digits(whole);
  out.append(digits.data(), digits.size());
  if (power == 0) return;
  if (whole < 10) {
    out += '.';
    // Of 2^60 and less the tenfold of a rest fits.
    out += static_cast<char>('0' + bytes % unit * 10 / unit);
  }
  out += binary && power == 1 ? 'K' : letters[power];
  if (binary) out += 'i';
}

char type_letter(FileType type) {
  constexpr std::string_view letters = "?-dlpsbc";  // in the order of FileType
  return letters[static_cast<std::size_t>(type)];
}

void append_mode_letters(std::string& out, std::uint32_t mode) {
  char letters[] = "?rwxrwxrwx";
  letters[0] = type_letter(mode);
  for (unsigned place = 1; place <= 9; ++place) {
    if ((mode >> (9 - place) & 1U) == 0) letters[place] = '-';
  }
  const auto mark = [&](std::uint32_t bit, std::size_t place, char with_x, char without) {
    if ((mode & bit) != 0) letters[place] = letters[place] == 'x' ? with_x : without;
  };
  mark(set_user_id_bit, 3, 's', 'S');
  mark(set_group_id_bit, 6, 's', 'S');
  mark(sticky_bit, 9, 't', 'T');
  out.append(letters, 10);
}

}  // namespace ffind
