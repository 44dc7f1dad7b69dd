// SPDX-License-Identifier: MIT
// Escapes in templates. Used by the parser of templates alone. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ffind {

/// Appends what the escape that begins with the backslash at `at` stands for; `at` moves behind it.
/// Throws TemplateError for what is none.
void append_escape(std::string& out, std::string_view text, std::size_t& at);

}  // namespace ffind
