// SPDX-License-Identifier: MIT
// What is typed into a list means: made by cli, which knows the language, for the picker, which
// does not.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/matcher.h"

namespace ffind::output {

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

}  // namespace ffind::output
