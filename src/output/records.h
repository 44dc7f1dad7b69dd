// SPDX-License-Identifier: MIT
// Formats of records: text, NDJSON, CSV, long listings and templates. A format is made
// once a lane and appends one record a match to the lane's buffer. It knows neither where its
// records go nor in which order.
//
//     text, null  TextRecord       path, and a newline or NUL
//     csv         CsvRecord        a/b,file,120,2026-01-31T12:00:00Z
//     json        JsonRecord       {"path":"a/b","name":"b","type":"file","depth":2,"size":120}
//     details     LongRecord       -rw-r--r--   1 ann      ann       1.2k 2026-01-31 12:00
//     templated   TemplateRecord   the template of --format, expanded
//     of_find     FindRecord       what the steps of a line of find print (find_steps.h)
//     tree, removal, nothing: no records
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
  /// Metadata that `append` requires of each match.
  virtual Needs needs() const = 0;
  /// Appends the whole record of `entry`, its end included.
  virtual void append(std::string& out, Entry& entry) = 0;
  /// Returns the line above the first record, for people or of CSV; empty if there is none.
  virtual std::string heading() const { return {}; }
};

/// `style` outlives the format. Returns null if no records are written: matches are passed on as
/// Matches then, or not at all.
std::unique_ptr<RecordFormat> make_record_format(const OutputStyle& style);

}  // namespace ffind::output
