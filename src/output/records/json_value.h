// SPDX-License-Identifier: MIT
// The value of a field as JSON has it. Used by NDJSON and by templates ({name:j}), so that both say
// the same.
#pragma once

#include <string>

#include "output/fields/record_field.h"

namespace ffind::output {

/// Appends a value that is known. False for bytes that are not UTF-8: U+FFFD replaces those.
bool append_json_value(std::string& out, ValueSort sort, const FieldValue& value);

}  // namespace ffind::output
