// SPDX-License-Identifier: MIT
// What names have in common that patterns take for one another, for who puts names in order. Handed
// to the output by cli.
#pragma once

#include <string>
#include <string_view>

namespace ffind {

/// Appends `name` composed (NFC) and with its letters folded, as --ignore-case compares it. What is
/// not UTF-8 has its ASCII letters folded.
void append_folded_name(std::string& out, std::string_view name);

}  // namespace ffind
