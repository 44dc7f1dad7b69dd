// SPDX-License-Identifier: MIT
// What a desktop does for a program at a terminal: open a file, keep a text for pasting. Part of
// the seam to the operating system; used by output/pick. Knows nothing of lists.
#pragma once

#include <string>
#include <string_view>

namespace ffind::os {

/// Has the system open `path` as a double click would, and does not wait for what opens it. Returns
/// why it cannot, in words; empty: it was asked to.
std::string open_on_desktop(const std::string& path);

/// Puts `text` into the clipboard. False where nothing here has one.
bool copy_to_clipboard(std::string_view text);

}  // namespace ffind::os
