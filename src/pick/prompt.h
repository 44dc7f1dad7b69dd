// SPDX-License-Identifier: MIT
// The line that is typed into a list. Used by the Picker.
//
//     Prompt           the text and the cursor.
//     PromptMeaning    what is made of the text: a matcher, terms, unfinished terms, marks. The
//                      Picker knows no more of the language than this.
//     read_prompt()    makes it, in the language of --query.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pick/ranking.h"
#include "query/language/fields.h"

namespace ffind::pick {

/// All moves are by characters as they are displayed: a letter with its combining marks.
class Prompt {
 public:
  const std::string& text() const { return text_; }
  /// Offset in the text, in bytes.
  std::size_t cursor() const { return cursor_; }

  /// Inserts UTF-8 at the cursor.
  void insert(std::string_view characters);
  void set(std::string text);
  void erase_before() { erase(before(cursor_), cursor_); }
  void erase_after() { erase(cursor_, after(cursor_)); }
  /// Erases back to the blank before the word.
  void erase_word();
  /// As readline, words of letters and digits: to the end of the next one, to the begin of the
  /// last.
  void erase_word_after() { erase(cursor_, end_of_word()); }
  void erase_word_before() { erase(begin_of_word(), cursor_); }
  void move_word_right() { cursor_ = end_of_word(); }
  void move_word_left() { cursor_ = begin_of_word(); }
  void erase_to_begin() { erase(0, cursor_); }
  void move_left() { cursor_ = before(cursor_); }
  void move_right() { cursor_ = after(cursor_); }
  void move_to_begin() { cursor_ = 0; }
  void move_to_end() { cursor_ = text_.size(); }

 private:
  std::size_t before(std::size_t place) const;
  std::size_t after(std::size_t place) const;
  bool is_in_word(std::size_t place) const;
  std::size_t begin_of_word() const;
  std::size_t end_of_word() const;
  void erase(std::size_t begin, std::size_t end);

  std::string text_;
  std::size_t cursor_ = 0;
};

/// A text that is in each match, and is marked there.
struct Mark {
  bool in_name = false;  ///< not in the path
  bool at_end = false;   ///< the last one is marked, not the first
  /// Returns true if it is in `text`; then it is in any longer text around that, too. Thread-safe.
  std::function<bool(std::string_view text)> is_in{};
  std::shared_ptr<const LettersApart> apart{};  ///< in place of is_in: the letters are marked
};

/// One word or FIELD:VALUE that narrows, or several of them that are joined by |.
struct PromptTerm {
  std::string text;      ///< without its quotes if it is a word
  bool is_word = false;  ///< a text in the path: longer ones match less
  bool operator==(const PromptTerm&) const = default;
};

/// A term that narrows nothing, because it is incomplete or wrong.
struct UnfinishedTerm {
  std::size_t begin = 0;  ///< in the prompt, in bytes
  std::size_t end = 0;
  std::string reason{};  ///< one line
};

struct PromptMeaning {
  Criteria typed{};
  std::vector<PromptTerm> terms{};
  std::vector<UnfinishedTerm> unfinished{};
  std::vector<Mark> marks{};
  /// The same words with their letters apart, for when nothing matches as typed; without a matcher
  /// if there is no word to take apart.
  Criteria apart{};
  std::vector<Mark> marks_apart{};
};

/// Never throws UsageError.
using PromptParser = std::function<PromptMeaning(std::string_view prompt)>;

/// Returns true if the terms show that everything that matches `now` matched `before`.
bool only_narrows(const PromptMeaning& before, const PromptMeaning& now);

/// Reads the language of --query, with the rules of `rules` for case and accents. Unfinished or
/// wrong terms narrow nothing; they are returned with their reasons.
PromptMeaning read_prompt(std::string_view prompt, const query::Meaning& rules);

}  // namespace ffind::pick
