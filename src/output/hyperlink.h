// SPDX-License-Identifier: MIT
// Links that a terminal opens when they are clicked (OSC 8), and the URLs that they hold. Used by
// the records that are for looking at. Pure.
#pragma once

#include <string>
#include <string_view>

namespace ffind::output {

/// Appends `bytes` with all but letters, digits and -._~/ as %NN (RFC 3986): every byte comes
/// back, whatever its encoding.
void append_percent_encoded(std::string& out, std::string_view bytes);

/// What follows is shown as a link to the file `path` of `host`, until `hyperlink_end`.
void append_hyperlink(std::string& out, std::string_view host, std::string_view path);

inline constexpr std::string_view hyperlink_end = "\033]8;;\033\\";

}  // namespace ffind::output
