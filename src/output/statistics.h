// SPDX-License-Identifier: MIT
// Text of --stats: what a search counted, its time, and the memory of the process.
#pragma once

#include <string>

#include "ffind/searcher.h"

namespace ffind::output {

enum class StatisticsForm : unsigned char {
  line,    ///< for people, one message
  lines,   ///< all that is counted, a message each
  record,  ///< the same as an NDJSON object
};

/// Messages, or an object, each with its newline. `human` rounds the number of bytes in `lines`.
std::string statistics_text(const Statistics& counts, Nanoseconds elapsed, StatisticsForm form,
                            bool human);

}  // namespace ffind::output
