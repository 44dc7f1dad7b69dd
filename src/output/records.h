// SPDX-License-Identifier: MIT
// What one match looks like. Made once per lane, called for each match. A format knows neither
// where its records go nor in which order.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "output/output_style.h"
#include "output/record_fields.h"

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
/// go on as Matches then, or nowhere.
std::unique_ptr<RecordFormat> make_record_format(const OutputStyle& style);

/// Appends a value that is known. False for bytes that are not UTF-8: U+FFFD replaces those.
bool append_json_value(std::string& out, ValueSort sort, const FieldValue& value);

/// Appends `bytes` with all but letters, digits and -._~/ as %NN (RFC 3986): every byte comes
/// back, whatever its encoding.
void append_percent_encoded(std::string& out, std::string_view bytes);

}  // namespace ffind::output
