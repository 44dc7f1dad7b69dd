// SPDX-License-Identifier: MIT
// Who takes the records of all lanes: the writer, or whoever runs commands on them. Between the two
// a receiver may hold records back, to pass them on in another order. Made by Output; knows no
// entries.
#pragma once

#include <string_view>

namespace ffind {

/// Thread-safe.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Takes whole records, each with its end, in the order in which they are to appear. Blocks as
  /// long as no more can be taken. False: no more are wanted, stop searching.
  virtual bool take(std::string_view records) = 0;
  /// There are no more. Returns when all is done.
  virtual void finish() {}
  /// Whether something went wrong that has been reported and makes the status 1.
  virtual bool failed() const { return false; }
};

}  // namespace ffind
