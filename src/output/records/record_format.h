// SPDX-License-Identifier: MIT
// What one match looks like. Made once per lane, called for each match. A format knows neither
// where its records go nor in which order.
#pragma once

#include <memory>
#include <string>

#include "ffind/entry.h"
#include "output/output_style.h"

namespace ffind::output {

/// Belongs to one thread.
class RecordFormat {
 public:
  virtual ~RecordFormat() = default;
  /// What `append` will ask each match for.
  virtual Needs needs() const = 0;
  /// Appends the whole record of `entry`, its end included.
  virtual void append(std::string& out, Entry& entry) = 0;
  /// What people see above the first record, a whole line; empty: nothing.
  virtual std::string heading() const { return {}; }
};

/// `style` outlives the format. Null if no records are written: matches
/// go on as Matches then (output/match.h), or nowhere.
std::unique_ptr<RecordFormat> make_record_format(const OutputStyle& style);

}  // namespace ffind::output
