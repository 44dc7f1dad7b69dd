// SPDX-License-Identifier: MIT
// Values of our own options as people type them from memory: "10M-20M" for 10M..20M, "Nov 20" for
// 2026-11-20, "pdf;docx" for pdf,docx. The translator replaces them in the line that it offers. A
// value that the option reads as it is never changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ffind::foreign {

/// The values of `option` (its main name) that were meant by `value`, usually one; two if the
/// option has to be repeated, as for ">1M <2M". Empty if there is nothing to correct, or no
/// correction is certain.
std::vector<std::string> corrected_values(std::string_view option, const std::string& value);

}  // namespace ffind::foreign
