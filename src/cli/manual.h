// SPDX-License-Identifier: MIT
// Looks words up in the manual, for --help WORD: options, fields, variables of the environment and
// everything else that has a tag, a row of a table or a title in the pages of man/, which are part
// of the program.
#pragma once

#include <string>
#include <vector>

#include "cli/mdoc.h"

namespace ffind::cli {

/// Text of --help WORD...: the topics of each word, or of all of them as one title ("exit status").
/// Throws UsageError for a word that it does not have, with those that are near.
std::string manual_on(const std::vector<std::string>& words, const MdocStyle& style);

}  // namespace ffind::cli
