// SPDX-License-Identifier: MIT
// Catch2, 2.13 or 3: tests include this instead of its headers. What 3 calls otherwise than 2 has
// its name of 3 here: Catch::Approx, and in Catch::Matchers ContainsSubstring, MessageMatches.
#pragma once

#include <string>
#include <vector>

#if defined(__clang__) && __clang_major__ >= 22
#pragma clang diagnostic ignored "-Wc2y-extensions"  // __COUNTER__ in TEST_CASE
#endif

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#include <exception>
#include <utility>

namespace Catch {

using Detail::Approx;

namespace Matchers {

inline auto ContainsSubstring(const std::string& text,
                              CaseSensitive::Choice sensitivity = CaseSensitive::Yes) {
  return Contains(text, sensitivity);
}

/// Holds a matcher of strings against what() of an exception.
template <typename StringMatcher>
class ExceptionMessageMatches : public MatcherBase<std::exception> {
 public:
  explicit ExceptionMessageMatches(StringMatcher matcher) : matcher_(std::move(matcher)) {}
  bool match(const std::exception& exception) const override {
    return matcher_.match(exception.what());
  }
  std::string describe() const override { return "exception message " + matcher_.describe(); }

 private:
  StringMatcher matcher_;
};

template <typename StringMatcher>
auto MessageMatches(StringMatcher matcher) {
  return ExceptionMessageMatches<StringMatcher>(std::move(matcher));
}

}  // namespace Matchers
}  // namespace Catch
#endif

// Without optimisation each test compiles all of strings and of lists of them again: an eighth of
// its time. unit/instances.cpp has them once. (libstdc++ declares them so itself up to C++17 only.)
#ifdef __GLIBCXX__
extern template class std::basic_string<char>;
extern template class std::vector<std::string>;
#endif
