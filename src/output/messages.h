// SPDX-License-Identifier: MIT
// Messages to people on standard error: how an issue reads. Used by Output and by cli.
#pragma once

#include <string>
#include <string_view>

#include "ffind/issue.h"

namespace ffind {

/// `ffind: PATH: reason` and a newline; control bytes of the path are escaped, so that it stays one
/// line and cannot steer the terminal.
std::string message_of(const Issue& issue);

/// `ffind: text` and a newline.
std::string message(std::string_view text);

/// The errno's own words, e.g. "No such file or directory".
std::string reason_of(int error);

}  // namespace ffind
