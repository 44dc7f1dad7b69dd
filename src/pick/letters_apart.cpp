// SPDX-License-Identifier: MIT
// Places of letters in a path, by two passes: the last place that each letter can have, backwards,
// then forwards the first one up to there, rather at the beginning of a word. Only the end of a
// long path takes part.
#include "pick/letters_apart.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::pick {
namespace {

/// Letters at the end of a path that the best place is looked for in: the name and its directories.
constexpr std::size_t most_columns = 192;

// Scores. A letter at the beginning of a word is worth more than one next to the last letter, as
// in fzf: `fbb` means foo/bar/baz and not what has those letters in a row by chance.
constexpr int at_word = 8;
constexpr int at_name = 4;  ///< in addition to at_word
constexpr int in_name = 3;
constexpr int next_to_last = 6;
constexpr int first_left_out = -3;
bool is_word_byte(char c) {
  return text::is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

class LettersApartTest final : public Test {
 public:
  explicit LettersApartTest(std::shared_ptr<const LettersApart> letters)
      : letters_(std::move(letters)) {}

  bool holds(Entry& entry) const override {
    entry.require(needs::relative_path);
    return letters_->is_in(entry.relative_path);
  }
  Needs needs() const override { return needs::relative_path; }
  int cost() const override { return 50; }
  /// With the word: tests of the same text are taken for one.
  std::string text() const override { return "path letters apart " + letters_->key(); }

 private:
  const std::shared_ptr<const LettersApart> letters_;
};

}  // namespace

bool begins_word(std::string_view text, std::size_t at) {
  if (at == 0 || !is_word_byte(text[at - 1])) return true;
  return text::is_upper(text[at]) && text::is_lower(text[at - 1]);
}

bool ends_word(std::string_view text, std::size_t end) {
  return end >= text.size() || !is_word_byte(text[end]) || begins_word(text, end);
}

namespace {

/// Returns the first place of an ASCII letter in either case if `folds`, or `end`. By memchr(3): if
/// nothing matches, an entry takes 33 ns instead of 53.
const char* find_letter(const char* begin, const char* end, char letter, bool folds) {
  const auto find = [&](char wanted, const char* before) {
    const void* const found = std::memchr(begin, wanted, static_cast<std::size_t>(before - begin));
    return found == nullptr ? before : static_cast<const char*>(found);
  };
  const char* const found = find(letter, end);
  const bool has_capital = folds && text::is_lower(letter);
  return has_capital ? find(static_cast<char>(letter - 'a' + 'A'), found) : found;
}

}  // namespace

LettersApart::LettersApart(std::string_view key, text::KeyRules rules) : key_(key), rules_(rules) {
  for (std::size_t at = 0; at < key.size() && letters_.size() < most_letters;) {
    const text::Decoded next = text::decode_utf8(key, at);
    letters_ += next.code_point;
    at += next.length;
  }
  if (text::is_ascii(key)) bytes_ = key.substr(0, most_letters);
}

/// Only what find() looks at counts, so that cost() and places() find what this has found.
bool LettersApart::is_in(std::string_view path) const {
  Places found;  // NOLINT(*-member-init): set by find()
  const bool has_accents = rules_.without_accents && !text::is_ascii(path);
  if (bytes_.empty() || has_accents || path.size() > most_columns) {
    return find(path, path.size(), found);
  }
  const char* at = path.data();
  const char* const end = at + path.size();
  for (const char letter : bytes_) {
    at = find_letter(at, end, letter, rules_.folds());
    if (at == end) return false;
    ++at;
  }
  return true;
}

bool LettersApart::find(std::string_view path, std::size_t name, Places& found) const {
  std::array<char32_t, most_columns> letters;    // NOLINT(*-member-init): the first `count` are set
  std::array<std::size_t, most_columns> places;  // NOLINT(*-member-init): likewise
  std::size_t count = 0;
  std::size_t name_column = 0;
  std::size_t at = path.size() - std::min(path.size(), most_columns);
  while (at > 0 && at < path.size() && text::is_continuation(path[at])) ++at;
  for (; at < path.size(); ++count) {
    const text::Decoded next = text::decode_utf8(path, at);
    char32_t letter = next.code_point;
    if (letter >= 0x80 && rules_.without_accents) {
      if (const char32_t bare = text::bare(letter); bare != text::no_code_point) letter = bare;
    }
    letters[count] = rules_.folds() ? text::fold(letter) : letter;
    places[count] = at;
    if (at < name) name_column = count + 1;
    at += next.length;
  }
  // The last columns, and then the places.
  for (std::size_t row = letters_.size(), column = count; row-- > 0; found[row] = column) {
    do {
      if (column-- == 0) return false;
    } while (letters[column] != letters_[row]);
  }
  std::size_t column = found[0] >= name_column ? name_column : 0;
  for (std::size_t row = 0; row < letters_.size(); ++row, ++column) {
    while (letters[column] != letters_[row]) ++column;
    for (std::size_t next = column; next <= found[row]; ++next) {
      if (letters[next] != letters_[row] || !begins_word(path, places[next])) continue;
      column = next;
      break;
    }
    found[row] = places[column];
  }
  return true;
}

std::optional<unsigned> LettersApart::cost(std::string_view path, std::size_t name) const {
  Places found;  // NOLINT(*-member-init): set by find()
  if (!find(path, name, found)) return {};
  const int most = static_cast<int>(letters_.size()) * (at_word + in_name + next_to_last) + at_name;
  int score = 0;
  for (std::size_t row = 0; row < letters_.size(); ++row) {
    const std::size_t place = found[row];
    score += (begins_word(path, place) ? at_word : 0) + (place >= name ? in_name : 0) +
             (place == name ? at_name : 0);
    if (row == 0) continue;
    // In bytes: nearly all are letters.
    const auto left_out = static_cast<int>(place - found[row - 1]) - 1;
    score += left_out == 0 ? next_to_last : first_left_out - (left_out - 1);
  }
  return static_cast<unsigned>(most - std::max(score, -most));
}

std::vector<std::size_t> LettersApart::places(std::string_view path, std::size_t name) const {
  Places found;  // NOLINT(*-member-init): set by find()
  if (!find(path, name, found)) return {};
  return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(letters_.size())};
}

std::shared_ptr<const Test> letters_apart_test(std::shared_ptr<const LettersApart> letters) {
  return std::make_shared<LettersApartTest>(std::move(letters));
}

}  // namespace ffind::pick
