// SPDX-License-Identifier: MIT
// Parser and writer of permissions.
//
// The grammar is chmod's, with find's two prefixes; clauses are conditions instead of changes:
//
//     644  4755           exactly these bits
//     u+w  go-w  +x       may, may not; without a class, for all classes
//     u=rw  o=            exactly these for the class, as `ls -l` shows it: s and t count
//     u+rw-x,g=r          all of the clauses
//     -MODE  all MODE     all of these bits, whatever the others are
//     /MODE  any MODE     at least one of these bits; always true for none, as in find
//
// Each form becomes `bits` and `counted`, masks of the twelve lowest bits of a mode, which matches
// if (mode & counted) == bits; with `any`, if mode & bits is not 0:
//
//                   bits    counted                      bits    counted
//     644           0644    07777        u=rw            0600    04700
//     u+w           0200     0200        -111            0111     0111
//     go-w             0     0022        /022            0022     0022, any
//     u+w,go-w      0200     0222        +x              0111     0111
#include "text/permissions.h"

#include <array>

#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"

namespace ffind::text {
namespace {

constexpr std::uint32_t all_bits = 07777;

/// One of the three classes of a mode, and its bits.
struct Class {
  char letter;
  std::uint32_t bits;  ///< s and t belong to the class in whose column `ls -l` shows them
};
constexpr std::array classes = {Class{'u', 04700}, Class{'g', 02070}, Class{'o', 01007}};

/// A permission, and its bits.
struct Letter {
  char letter;
  std::uint32_t bits;  ///< in all classes
};
constexpr std::array letters = {Letter{'r', 0444}, Letter{'w', 0222}, Letter{'x', 0111},
                                Letter{'s', 06000}, Letter{'t', 01000}};

bool is_operator(char c) {
  return c == '+' || c == '-' || c == '=';
}

const Letter* letter_of(char c) {
  for (const Letter& one : letters) {
    if (one.letter == c) return &one;
  }
  return nullptr;
}

/// Takes all digits, as bits of a mode; "4755" is 04755.
std::uint32_t take_octal(Scanner& scanner) {
  const std::size_t first = scanner.position();
  std::uint32_t bits = 0;
  for (const char digit : scanner.take_digits()) {
    if (!is_octal(digit)) {
      scanner.fail(first, "an octal mode has digits from 0 to 7");
    }
    bits = bits * 8 + static_cast<std::uint32_t>(digit - '0');
    if (bits > all_bits) scanner.fail(first, "the largest mode is 7777");
  }
  return bits;
}

/// Takes `ugoa` in any order; all classes if there is none.
std::uint32_t take_classes(Scanner& scanner) {
  std::uint32_t who = 0;
  for (bool more = true; more;) {
    more = false;
    for (const Class& one : classes) {
      if (!scanner.take(one.letter)) continue;
      who |= one.bits;
      more = true;
    }
    if (!scanner.take('a')) continue;
    who = all_bits;
    more = true;
  }
  return who != 0 ? who : all_bits;
}

/// Takes the letters after an operator, as bits of the classes `who`.
std::uint32_t take_letters(Scanner& scanner, std::uint32_t who) {
  std::uint32_t bits = 0;
  for (; !scanner.done() && scanner.peek() != ',' && !is_operator(scanner.peek());) {
    const char c = scanner.peek();
    const Letter* const letter = letter_of(c);
    if (letter == nullptr) {
      if (c == 'X') scanner.fail("'X' depends on earlier permissions; use x");
      if (is_digit(c)) scanner.fail("digits are used alone or after - or /: 644, -111, /22");
      scanner.fail(Scanner::quote(std::string(1, c)) + " is not a permission: r, w, x, s or t");
    }
    if ((letter->bits & who) == 0) {
      scanner.fail(c == 's' ? "s applies to the user or the group: u+s, g+s"
                            : "t applies to everybody: +t");
    }
    // The set-id bits of the classes: u+s is 04000, g+s 02000, ug+s both.
    bits |= letter->bits & who;
    scanner.take(c);
  }
  return bits;
}

/// `clause`: the beginning of the clause. `scanner`: after its classes.
[[noreturn]] void fail_without_operator(Scanner clause, const Scanner& scanner) {
  if (scanner.done()) scanner.fail("an operator is missing: u+w, u-w or u=rw");
  const std::size_t first = clause.position();
  scanner.fail(first, Scanner::quote(clause.take_word()) +
                          " is not a mode: write it as for chmod, 644 or u+w,go-w, with - before "
                          "it for all of these bits or / for any");
}

/// Takes clauses. After `any` and `all` (`adding`) they have bits only.
Permissions take_clauses(Scanner& scanner, bool adding) {
  Permissions result;
  do {
    scanner.skip_spaces();
    const std::size_t first = scanner.position();
    const Scanner clause = scanner;
    const std::uint32_t who = take_classes(scanner);
    if (!is_operator(scanner.peek())) fail_without_operator(clause, scanner);
    while (is_operator(scanner.peek())) {
      const char operation = scanner.peek();
      if (adding && operation == '-') {
        scanner.fail("'-' cannot follow a prefix: omit the prefix");
      }
      scanner.take(operation);
      const std::uint32_t bits = take_letters(scanner, who);
      if (bits == 0 && operation != '=') scanner.fail("a permission is missing: r, w, x, s or t");
      // u=rw is about all of the user's bits, u+rw about two of them. After a prefix = is like +.
      const std::uint32_t counted = operation == '=' && !adding ? who : bits;
      const std::uint32_t wanted = operation == '-' ? 0 : bits;
      // A bit that an earlier clause counts must have the same value here: u+w,a-w could never
      // match.
      if (((result.bits ^ wanted) & result.counted & counted) != 0) {
        scanner.fail(first, "this contradicts what is before it");
      }
      result.bits |= wanted;
      result.counted |= counted;
    }
  } while (scanner.take(','));
  return result;
}

/// Takes `word` and at least one space after it.
bool take_word(Scanner& scanner, std::string_view word) {
  Scanner ahead = scanner;
  if (fold_ascii(ahead.take_letters()) != word || !Scanner::is_space(ahead.peek())) return false;
  ahead.skip_spaces();
  scanner = ahead;
  return true;
}

PermissionPrefix take_prefix(Scanner& scanner) {
  if (take_word(scanner, "all")) return PermissionPrefix::all;
  if (take_word(scanner, "any")) return PermissionPrefix::any;
  if (scanner.take('/')) return PermissionPrefix::any;
  // Directly before a permission it is chmod's operator: -w is a-w.
  Scanner ahead = scanner;
  if (!ahead.take('-') || letter_of(ahead.peek()) != nullptr) return PermissionPrefix::none;
  scanner = ahead;
  return PermissionPrefix::all;
}

// --- Writing

// Bits of st_mode, the same on all systems.
constexpr unsigned type_shift = 12;
constexpr std::uint32_t set_user_id_bit = 04000;
constexpr std::uint32_t set_group_id_bit = 02000;
constexpr std::uint32_t sticky_bit = 01000;

char type_letter(std::uint32_t mode) {
  // Indexed by the four bits of the type: fifo 1, character 2, directory 4, block 6, file 8, link
  // 10, socket 12, door 13 (Solaris).
  constexpr std::string_view types = "?pc?d?b?-?l?sD??";
  return types[mode >> type_shift & 0xFU];
}

/// Returns the clause for one class, as take_clauses reads it: "u=rw", "g+r-w", "o-x"; empty if
/// none of its bits is counted.
std::string clause(const Class& one, const Permissions& permissions) {
  const std::uint32_t counted = permissions.counted & one.bits;
  const auto spelt = [&one](std::uint32_t bits) {
    std::string text;
    for (const Letter& letter : letters) {
      if ((letter.bits & one.bits & bits) != 0) text += letter.letter;
    }
    return text;
  };
  const std::uint32_t present = counted & permissions.bits;
  const std::uint32_t absent = counted & ~permissions.bits;
  std::string text;
  if (counted == one.bits) {
    text = "=" + spelt(present);
  } else {
    if (present != 0) text += "+" + spelt(present);
    if (absent != 0) text += "-" + spelt(absent);
  }
  return text.empty() ? text : one.letter + text;
}

}  // namespace

bool Permissions::hold_for(std::uint32_t mode) const {
  if (any) return bits == 0 || (mode & bits) != 0;
  return (mode & counted) == bits;
}

Permissions parse_permissions(std::string_view text, const ValueSource& source,
                              PermissionPrefix given) {
  Scanner scanner = Scanner(text, source).part(0, text.size());
  if (scanner.done()) scanner.fail("a mode is missing");
  const bool is_given = given != PermissionPrefix::none;
  const PermissionPrefix prefix = is_given ? given : take_prefix(scanner);
  if (Scanner ahead = scanner;
      prefix != PermissionPrefix::none && take_prefix(ahead) != PermissionPrefix::none) {
    scanner.fail("one prefix is enough: all 111 or -111, any 022 or /022");
  }
  Permissions result;
  if (scanner.at_digit()) {
    result.bits = take_octal(scanner);
    result.counted = prefix == PermissionPrefix::none ? all_bits : result.bits;
  } else {
    result = take_clauses(scanner, prefix != PermissionPrefix::none);
  }
  result.any = prefix == PermissionPrefix::any;
  if (!scanner.done()) {
    scanner.fail(Scanner::quote(scanner.rest()) + " is unexpected after a mode");
  }
  return result;
}

// The shortest form that means the rule: octal where one exists, else a clause for each class.
std::string to_text(const Permissions& permissions) {
  if (permissions.any) return text::format("/{:03o}", permissions.bits);
  if (permissions.counted == all_bits) return text::format("{:03o}", permissions.bits);
  if (permissions.counted == permissions.bits) return text::format("-{:03o}", permissions.bits);
  std::string text;
  for (const Class& one : classes) {
    const std::string piece = clause(one, permissions);
    if (!text.empty() && !piece.empty()) text += ',';
    text += piece;
  }
  return text;
}

void append_permissions(std::string& out, std::uint64_t mode) {
  for (int shift = 9; shift >= 0; shift -= 3) out += static_cast<char>('0' + (mode >> shift & 07U));
}

char type_letter(FileType type) {
  constexpr std::string_view types = "?-dlpsbc";  // in the order of FileType
  return types[static_cast<std::size_t>(type)];
}

// s and t replace the x of their class; in upper case, if there is no x: -rwSr--r--.
void append_mode_letters(std::string& out, std::uint32_t mode) {
  char shown[] = "?rwxrwxrwx";
  shown[0] = type_letter(mode);
  for (unsigned place = 1; place <= 9; ++place) {
    if ((mode >> (9 - place) & 1U) == 0) shown[place] = '-';
  }
  const auto mark = [&](std::uint32_t bit, std::size_t place, char with_x, char without) {
    if ((mode & bit) != 0) shown[place] = shown[place] == 'x' ? with_x : without;
  };
  mark(set_user_id_bit, 3, 's', 'S');
  mark(set_group_id_bit, 6, 's', 'S');
  mark(sticky_bit, 9, 't', 'T');
  out.append(shown, 10);
}

}  // namespace ffind::text
