// SPDX-License-Identifier: MIT
// What goes wrong: issues are values during a search, usage errors are exceptions before it.
#pragma once

#include <stdexcept>
#include <string>

namespace ffind {

/// Something that could not be searched. Goes to the sink like a result; never ends a search.
struct Issue {
  std::string path;       ///< as it would have been printed
  std::string operation;  ///< what was tried ("read metadata"); empty for opening
  int error = 0;          ///< errno; 0 where `detail` says it all
  std::string detail{};   ///< takes the place of the errno's text when not empty
};

/// An error in the command line. Thrown before anything is searched; `what()` quotes the fragment,
/// says what is wrong with it and shows an example. Only main turns it into an exit status.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ffind
