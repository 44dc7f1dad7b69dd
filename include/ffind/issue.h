// SPDX-License-Identifier: MIT
// Errors: an Issue is a value during a search, a UsageError an exception before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace ffind {

/// Something that could not be searched. Goes to the sink like a result; never ends a search.
struct Issue {
  std::string path;       ///< as it would have been printed
  std::string operation;  ///< what was tried ("read metadata"); empty for opening
  int error = 0;          ///< errno; 0 if `detail` says it all
  std::string detail{};   ///< takes the place of the errno's text when not empty
  /// An issue about several entries, without a path: their numbers.
  std::uint64_t files = 0;
  std::uint64_t directories = 0;
};

/// The part of the input that a usage error is about. Fields that do not apply are empty.
struct UsagePlace {
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);

  /// "in ~/.config/ffind/config, line 3": printed first if it is not the command line.
  std::string source{};
  std::string option{};                ///< whose value is wrong, printed in front of `what`
  std::string value{};                 ///< that value, as it was typed
  std::size_t position = unknown;      ///< byte of `value` that the caret points at
  std::vector<std::string> options{};  ///< that contradict each other, or one that is wrong itself
  std::size_t word = unknown;  ///< index among the arguments, if `value` and `options` do not tell
  std::string quoted{};        ///< the word that `what` quotes
};

/// One of the things that a command line may mean.
struct UsageMeaning {
  std::string purpose{};  ///< "to search below it"
  std::string line{};     ///< the whole command line that says only this
};

/// Parts of a message about the command line, each one line, printed once and in this order.
struct UsageParts {
  std::string what{};   ///< what is wrong
  std::string guess{};  ///< "; did you mean '--tree'?": follows `what` if there is no suggestion
  UsagePlace place{};
  std::string reason{};                  ///< why there is no suggestion
  std::vector<UsageMeaning> meanings{};  ///< more than one; then there is no suggestion
  std::string
      suggestion{};       ///< a whole corrected command line; replaces what follows, but the note
  std::string example{};  ///< "ffind report src"
  std::string advice{};   ///< any other way out
  std::vector<std::string> list{};  ///< lines that follow the advice
  std::string see{};                ///< a place to read more
  std::string note{};               ///< what else applies, such as a configuration
};

/// The message of a usage error, without a newline at its end. Defined in text/problem.cpp.
std::string rendered(const UsageParts& parts);

/// An error in the command line. Thrown before the search starts; the program ends with status 2.
/// Code that knows more catches it, replaces a part and throws another one: the text of a message
/// is not edited.
class UsageError : public std::exception {
 public:
  explicit UsageError(UsageParts parts) : parts_(std::move(parts)), text_(rendered(parts_)) {}
  explicit UsageError(std::string what) : UsageError(UsageParts{.what = std::move(what)}) {}

  const UsageParts& parts() const { return parts_; }
  /// The rendered message.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  UsageParts parts_;
  std::string text_;
};

}  // namespace ffind
