// SPDX-License-Identifier: MIT
// The best place of letters in a path, by dynamic programming.
//
// A row for each letter of the word, a column for each letter of the path:
//
//     ends[k][i]    best score of the word's letters 0..k with letter k at column i: from
//                   ends[k - 1][i - 1] (next to each other) or from best[k - 1][i - 1]
//     best[k][i]    best of ends[k][0..i], less the cost of the gap since then
//
// Only the end of a long path takes part, and of each row the columns from the first that its
// letter can be at to the last. That bounds the time: some 200 steps of two additions for a word of
// eight letters.
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
constexpr int each_left_out = -1;
constexpr int impossible = -10'000;

bool is_word_byte(char c) {
  return text::is_letter(c) || text::is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

int gap_of(std::size_t left_out) {
  if (left_out == 0) return 0;
  return first_left_out + each_left_out * static_cast<int>(left_out - 1);
}

/// The end of a path, a column for each letter.
struct Columns {
  std::array<char32_t, most_columns> letters;  // NOLINT(*-member-init): the first `count` are set
  std::array<std::size_t, most_columns> places;
  std::array<int, most_columns> worth;
  std::size_t count = 0;

  Columns(std::string_view path, std::size_t name, text::KeyRules rules) {
    std::size_t at = path.size() - std::min(path.size(), most_columns);
    while (at > 0 && at < path.size() && text::is_continuation(path[at])) ++at;
    for (; at < path.size() && count < most_columns; ++count) {
      const text::Decoded next = text::decode_utf8(path, at);
      char32_t letter = next.code_point;
      if (letter >= 0x80 && rules.without_accents) {
        if (const char32_t bare = text::bare(letter); bare != text::no_code_point) letter = bare;
      }
      letters[count] = rules.folds() ? text::fold(letter) : letter;
      places[count] = at;
      worth[count] = (begins_word(path, at) ? at_word : 0) + (at >= name ? in_name : 0) +
                     (at == name ? at_name : 0);
      at += next.length;
    }
  }
};

/// The table for one path.
class Table {
 public:
  Table(std::u32string_view word, const Columns& path) : word_(word), path_(path) {
    set_bounds();
    std::array<int, most_columns> best;  // NOLINT(*-member-init): set by the row before it is read
    for (std::size_t row = 0; row < word.size(); ++row) {
      int running = impossible;
      std::size_t since = 0;  // columns since the end that `running` comes from
      // The next row begins after this one, and may end after it.
      const std::size_t end_of_row = row + 1 < word.size() ? end_[row + 1] : end_[row];
      int before = row > 0 && begin_[row] > 0 ? best[begin_[row] - 1] : impossible;
      for (std::size_t at = begin_[row]; at < end_of_row; ++at) {
        int end = impossible;
        if (at < end_[row] && path.letters[at] == word[row]) {
          if (row == 0) {
            end = path.worth[at];
          } else if (at > 0) {
            end = std::max(before, ends_[row - 1][at - 1] + next_to_last) + path.worth[at];
          }
        }
        ends_[row][at] = end;
        const int passed = running + (since == 0 ? first_left_out : each_left_out);
        since = end >= passed ? 0 : since + 1;
        running = std::max(end, passed);
        // Not set by the row before after that.
        before = at < end_[row] ? best[at] : impossible;
        best[at] = running;
      }
    }
  }

  int score() const {
    const std::size_t row = word_.size() - 1;
    const auto at = [&](std::size_t column) {
      return ends_[row].begin() + static_cast<std::ptrdiff_t>(column);
    };
    return *std::max_element(at(begin_[row]), at(end_[row]));
  }

  /// Returns the columns of the best place, backwards through the table.
  std::vector<std::size_t> columns() const {
    std::vector<std::size_t> columns(word_.size());
    std::size_t end = path_.count;
    for (std::size_t row = word_.size(); row-- > 0;) {
      int most = 2 * impossible;
      std::size_t next = 0;
      for (std::size_t at = begin_[row]; at < std::min(end, end_[row]); ++at) {
        int score = ends_[row][at];
        if (row + 1 < word_.size()) score += at + 1 == end ? next_to_last : gap_of(end - at - 1);
        if (score < most) continue;
        most = score;
        next = at;
      }
      columns[row] = end = next;
    }
    return columns;
  }

 private:
  /// Finds the letters one after the other from either end: the path contains them.
  void set_bounds() {
    std::size_t at = 0;
    for (std::size_t row = 0; row < word_.size(); ++row) {
      while (at < path_.count && path_.letters[at] != word_[row]) ++at;
      begin_[row] = at++;
    }
    at = path_.count;
    for (std::size_t row = word_.size(); row-- > 0;) {
      while (at > 0 && path_.letters[at - 1] != word_[row]) --at;
      end_[row] = at;
      if (at > 0) --at;
    }
  }

  std::u32string_view word_;
  const Columns& path_;
  std::array<std::size_t, LettersApart::most_letters> begin_;  // NOLINT: set_bounds() does
  std::array<std::size_t, LettersApart::most_letters> end_;    // NOLINT
  std::array<std::array<int, most_columns>, LettersApart::most_letters> ends_;  // NOLINT
};

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
  const bool capital = text[at] >= 'A' && text[at] <= 'Z';
  return capital && text[at - 1] >= 'a' && text[at - 1] <= 'z';
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
  const bool has_capital = folds && letter >= 'a' && letter <= 'z';
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

/// Only the columns of Columns count, so that cost() and places() find what this has found.
bool LettersApart::is_in(std::string_view path) const {
  if (!bytes_.empty() && path.size() <= most_columns) {
    const bool folds = rules_.folds();
    const char* at = path.data();
    const char* const end = at + path.size();
    for (const char letter : bytes_) {
      at = find_letter(at, end, letter, folds);
      if (at == end) return false;
      ++at;
    }
    return true;
  }
  const Columns columns(path, path.size(), rules_);
  std::size_t next = 0;
  for (std::size_t at = 0; at < columns.count && next < letters_.size(); ++at) {
    if (columns.letters[at] == letters_[next]) ++next;
  }
  return next == letters_.size();
}

std::uint32_t LettersApart::cost(std::string_view path, std::size_t name) const {
  const Columns columns(path, name, rules_);
  const int most = static_cast<int>(letters_.size()) * (at_word + in_name + next_to_last) + at_name;
  return static_cast<std::uint32_t>(most - std::max(Table(letters_, columns).score(), -most));
}

std::vector<std::size_t> LettersApart::places(std::string_view path, std::size_t name) const {
  const Columns columns(path, name, rules_);
  std::vector<std::size_t> places = Table(letters_, columns).columns();
  for (std::size_t& place : places) place = columns.places[place];
  return places;
}

std::shared_ptr<const Test> letters_apart_test(std::shared_ptr<const LettersApart> letters) {
  return std::make_shared<LettersApartTest>(std::move(letters));
}

}  // namespace ffind::pick
