// SPDX-License-Identifier: MIT
// The line that is typed into a list: its text and where the cursor is in it. Used by the picker.
// Knows characters, not what they mean.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/matcher.h"
#include "query/language/fields.h"
#include "query/language/query_line.h"

namespace ffind::pick {

/// All of its moves are by what a person sees as one character: a letter and the marks on it.
class Prompt {
 public:
  const std::string& text() const { return text_; }
  /// A place in the text, in bytes.
  std::size_t cursor() const { return cursor_; }

  /// At the cursor; `characters` is UTF-8.
  void insert(std::string_view characters);
  void set(std::string text);
  void erase_before();
  void erase_after();
  /// Back to the blank before the word.
  void erase_word();
  /// All that is before the cursor.
  void erase_to_begin();
  void move_left();
  void move_right();
  void move_to_end() { cursor_ = text_.size(); }

 private:
  std::size_t before(std::size_t place) const;
  std::size_t after(std::size_t place) const;
  void erase(std::size_t begin, std::size_t end);

  std::string text_;
  std::size_t cursor_ = 0;
};

/// A text that must be in each match, and is to be marked there.
struct Mark {
  bool in_name = false;  ///< not in the path
  /// Whether it is in `text`. Longer texts around such a one hold it as well. Thread-safe.
  std::function<bool(std::string_view text)> is_in{};
};

/// One word or FIELD:VALUE that narrows.
struct PromptTerm {
  std::string text;      ///< without its quotes
  bool is_word = false;  ///< a text in the path: a longer one matches less
  bool operator==(const PromptTerm&) const = default;
};

/// What narrows nothing, because more has to be typed, or it makes no sense.
struct UnfinishedTerm {
  std::size_t begin = 0;  ///< in the prompt, in bytes
  std::size_t end = 0;
  std::string reason{};  ///< one line
};

struct PromptMeaning {
  std::shared_ptr<const Matcher> matcher{};  ///< null: everything matches
  std::vector<PromptTerm> terms{};
  std::vector<UnfinishedTerm> unfinished{};
  std::vector<Mark> marks{};
};

/// Never throws UsageError.
using PromptReader = std::function<PromptMeaning(std::string_view prompt)>;

/// Whether all that matches `now` matched `before`, as far as the terms tell.
bool only_narrows(const PromptMeaning& before, const PromptMeaning& now);

/// Reads what is typed into the prompt, in the language of --query. For the thread that reads the
/// keys.
class PromptLanguage {
 public:
  /// `meaning` has the rules for case and accents; what it refers to outlives this.
  explicit PromptLanguage(const query::Meaning& meaning);

  /// Terms that are not finished, or make no sense, narrow nothing and are told of.
  PromptMeaning read(std::string_view prompt) const;

 private:
  void add_term(PromptMeaning& meaning, const query::QueryTerm& term,
                std::vector<Expression>& all) const;

  const query::Meaning meaning_;
  const query::Field& subject_;
};

}  // namespace ffind::pick
