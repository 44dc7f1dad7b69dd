// SPDX-License-Identifier: MIT
// Messages to people on standard error: how an issue reads. Used by Output and by cli.
#pragma once

#include <string>
#include <string_view>

#include "ffind/issue.h"

namespace ffind::output {

/// `ffind: PATH: reason` and a newline; control bytes of the path are escaped, so that it stays one
/// line and cannot steer the terminal.
std::string message_of(const Issue& issue);

/// What is wrong with its path, in one line; control bytes are escaped.
std::string reason_of(const Issue& issue);

/// The same as an NDJSON object and a newline: type "error", path (unless empty), operation, errno,
/// message.
std::string record_of(const Issue& issue);

/// An NDJSON object for what is no error; `path` may be empty.
std::string notice_record(std::string_view path, std::string_view text);

/// `ffind: text` and a newline. Whatever got into `text` cannot steer the terminal: its lines are
/// escaped, which leaves what has been escaped before as it is.
std::string message(std::string_view text);

/// The errno's own words, e.g. "No such file or directory".
std::string reason_of(int error);

}  // namespace ffind::output
