// SPDX-License-Identifier: MIT
// Patterns matched by fnmatch(3), and by glibc's re_match(3) or, elsewhere, by regexec(3).
//
// re_match locks the buffer that it matches with, since it adds states to it. So a GnuRegex has a
// buffer for each of the first threads, which is compiled when that thread first needs it; later
// threads share them.
#include "os/name_patterns.h"

#include <fnmatch.h>
#include <locale.h>
#include <regex.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#ifndef FNM_CASEFOLD
#define FNM_CASEFOLD FNM_IGNORECASE
#endif

namespace ffind::os {

void adopt_locale() {
  // All of it, since one category without a locale makes find stay with "C" in all.
  if (::setlocale(LC_ALL, "") == nullptr) return;
  for (const int category : {LC_NUMERIC, LC_TIME, LC_MONETARY, LC_MESSAGES}) {
    ::setlocale(category, "C");
  }
}

NamePredicate glob_predicate(std::string glob, bool ignore_case) {
  const int flags = ignore_case ? FNM_CASEFOLD : 0;
  return [glob = std::move(glob), flags](std::string_view text) {
    // mutable: the text with a NUL at its end, without an allocation for each
    static thread_local std::string terminated;
    terminated.assign(text);
    return ::fnmatch(glob.c_str(), terminated.c_str(), flags) == 0;
  };
}

#ifdef __GLIBC__

namespace {

struct Syntax {
  std::string_view name;
  reg_syntax_t bits;
};

constexpr Syntax syntaxes[] = {{"findutils-default", RE_SYNTAX_EMACS | RE_DOT_NEWLINE},
                               {"ed", RE_SYNTAX_ED},
                               {"emacs", RE_SYNTAX_EMACS},
                               {"gnu-awk", RE_SYNTAX_GNU_AWK},
                               {"grep", RE_SYNTAX_GREP},
                               {"posix-awk", RE_SYNTAX_POSIX_AWK},
                               {"awk", RE_SYNTAX_AWK},
                               {"posix-basic", RE_SYNTAX_POSIX_BASIC},
                               {"posix-egrep", RE_SYNTAX_POSIX_EGREP},
                               {"egrep", RE_SYNTAX_EGREP},
                               {"posix-extended", RE_SYNTAX_POSIX_EXTENDED},
                               {"posix-minimal-basic", RE_SYNTAX_POSIX_MINIMAL_BASIC},
                               {"sed", RE_SYNTAX_SED}};

/// Numbers the threads that match.
unsigned number_of_this_thread() {
  static std::atomic<unsigned> next{0};  // mutable: counts threads
  static thread_local const unsigned number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

class GnuRegex {
 public:
  GnuRegex(std::string regex, reg_syntax_t syntax) : regex_(std::move(regex)), syntax_(syntax) {}
  GnuRegex(const GnuRegex&) = delete;
  GnuRegex& operator=(const GnuRegex&) = delete;
  ~GnuRegex() {
    for (Buffer& one : buffers_) {
      if (one.is_compiled) ::regfree(&one.compiled);
    }
  }

  /// Empty, or the reason why it cannot be compiled.
  std::string check() { return compile(buffers_[number_of_this_thread() % buffers_.size()]); }

  bool matches(std::string_view text) {
    Buffer& buffer = buffers_[number_of_this_thread() % buffers_.size()];
    compile(buffer);
    const auto length = static_cast<regoff_t>(text.size());
    return ::re_match(&buffer.compiled, text.data(), length, 0, nullptr) == length;
  }

 private:
  struct Buffer {
    std::once_flag once{};
    bool is_compiled = false;
    re_pattern_buffer compiled{};
  };

  std::string compile(Buffer& buffer) {
    std::string error;
    std::call_once(buffer.once, [&] {
      // mutable: the syntax is a global variable of the library
      static std::mutex compiling;
      const std::lock_guard lock(compiling);
      ::re_set_syntax(syntax_);
      const char* const failure =
          ::re_compile_pattern(regex_.data(), regex_.size(), &buffer.compiled);
      if (failure != nullptr) error = failure;
      buffer.is_compiled = failure == nullptr;
    });
    return error;
  }

  const std::string regex_;
  const reg_syntax_t syntax_;
  std::array<Buffer, 32> buffers_;
};

}  // namespace

RegexPredicate regex_predicate(const std::string& regex, std::string_view syntax,
                               bool ignore_case) {
  for (const Syntax& one : syntaxes) {
    if (one.name != syntax) continue;
    const auto compiled =
        std::make_shared<GnuRegex>(regex, one.bits | (ignore_case ? RE_ICASE : 0));
    std::string error = compiled->check();
    if (!error.empty()) return {.error = std::move(error)};
    return {.matches = [compiled](std::string_view text) { return compiled->matches(text); }};
  }
  return {};
}

#else

namespace {

/// The end of the bracket expression that begins at `regex[at]`; npos if it is not closed, or has
/// what is a named class in the extended syntax alone.
std::size_t end_of_brackets(std::string_view regex, std::size_t at) {
  ++at;
  if (regex.substr(at).starts_with('^')) ++at;
  const std::size_t end = regex.find(']', at + 1);
  const std::string_view inside = regex.substr(at, end - at);
  for (const std::string_view name : {"[:", "[.", "[="}) {
    if (inside.find(name) != std::string_view::npos) return std::string_view::npos;
  }
  return end;
}

/// The expression of Emacs in the extended syntax: its \( \) \| are operators there without the
/// backslash, braces are letters, and so are anchors and repetitions in places where they mean
/// nothing. nullopt if it has what the other syntax lacks, or is wrong.
std::optional<std::string> extended_from_emacs(std::string_view regex, bool dot_matches_newline) {
  const auto is_in = [](std::string_view set, char c) { return set.find(c) != set.npos; };
  std::string extended;
  std::size_t depth = 0;
  bool begins = true;       // the expression, a group or an alternative
  bool may_repeat = false;  // something precedes that can be repeated
  for (std::size_t i = 0; i < regex.size(); ++i) {
    const bool is_escaped = regex[i] == '\\';
    if (is_escaped && ++i == regex.size()) return std::nullopt;
    const char c = regex[i];
    const std::string_view rest = regex.substr(i + 1);
    const bool was_beginning = std::exchange(begins, false);
    const bool may = std::exchange(may_repeat, true);
    if (is_escaped && is_in("(|)", c)) {
      if (c == ')' && depth == 0) return std::nullopt;
      depth += c == '(' ? 1 : 0;
      depth -= c == ')' ? 1 : 0;
      begins = c != ')';
      may_repeat = c == ')';
      extended += c;
    } else if (is_escaped) {
      if (is_in("`'123456789sSbB", c)) return std::nullopt;
      may_repeat = !is_in("<>", c);
      if (is_in("wW<>.*+?^$[]\\(){}|", c)) extended += '\\';
      extended += c;
    } else if (c == '[') {
      const std::size_t end = end_of_brackets(regex, i);
      if (end == regex.npos) return std::nullopt;
      extended += regex.substr(i, end - i + 1);
      i = end;
    } else if (c == '.' && !dot_matches_newline) {
      extended += "[^\n]";
    } else {
      const bool is_anchor = c == '^' ? was_beginning
                                      : c == '$' && (rest.empty() || rest.starts_with("\\|") ||
                                                     rest.starts_with("\\)"));
      const bool is_letter =
          is_in("(){}|", c) || (is_in("^$", c) && !is_anchor) || (is_in("*+?", c) && !may);
      may_repeat = !is_anchor;
      if (is_letter) extended += '\\';
      extended += c;
    }
  }
  return extended;
}

class PosixRegex {
 public:
  PosixRegex(const std::string& regex, int flags)
      : error_(::regcomp(&compiled_, regex.c_str(), flags)) {}
  PosixRegex(const PosixRegex&) = delete;
  PosixRegex& operator=(const PosixRegex&) = delete;
  ~PosixRegex() {
    if (error_ == 0) ::regfree(&compiled_);
  }

  std::string error() const {
    if (error_ == 0) return {};
    char text[256];
    ::regerror(error_, &compiled_, text, sizeof text);
    return text;
  }

  bool matches(std::string_view text) const {
    // mutable: the text with a NUL at its end, without an allocation for each
    static thread_local std::string terminated;
    terminated.assign(text);
    regmatch_t whole{};
    return ::regexec(&compiled_, terminated.c_str(), 1, &whole, 0) == 0 && whole.rm_so == 0 &&
           whole.rm_eo == static_cast<regoff_t>(terminated.size());
  }

 private:
  regex_t compiled_{};
  const int error_;
};

// Apple's basic expressions have \| \+ \? only with this flag; musl's always have them.
#ifdef REG_ENHANCED
constexpr int gnu_operators = REG_ENHANCED;
#else
constexpr int gnu_operators = 0;
#endif

}  // namespace

RegexPredicate regex_predicate(const std::string& regex, std::string_view syntax,
                               bool ignore_case) {
  std::optional<std::string> own = regex;
  int flags = 0;
  if (syntax == "emacs" || syntax == "findutils-default") {
    own = extended_from_emacs(regex, syntax != "emacs");
    flags = REG_EXTENDED | gnu_operators;
  } else if (syntax == "posix-extended") {
    flags = REG_EXTENDED;
  } else if (syntax == "posix-basic" || syntax == "ed" || syntax == "sed") {
    flags = gnu_operators;
  } else if (syntax != "posix-minimal-basic") {
    return {};
  }
  if (!own) return {};
  if (ignore_case) flags |= REG_ICASE;
  const auto compiled = std::make_shared<PosixRegex>(*own, flags);
  std::string error = compiled->error();
  if (!error.empty()) return {.error = std::move(error)};
  return {.matches = [compiled](std::string_view text) { return compiled->matches(text); }};
}

#endif

}  // namespace ffind::os
