// SPDX-License-Identifier: MIT
// Renders the source of manual pages as text, for --help WORD.
//
// Knows the part of mdoc(7) that the pages in man/ use, and no more: paragraphs, lists with tags,
// numbers or columns, displays, and the macros for words. tests/docs/manual.py compares each page
// with what mandoc makes of it, so that a macro that is missing here is noticed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::cli {

struct MdocStyle {
  std::size_t width = 80;  ///< most columns of a line; displays and long words may have more
  bool emphasis = false;   ///< bold and underlined words, as a terminal shows them
  std::size_t indent = 4;  ///< of paragraphs; titles of subsections have half of it
};

/// Renders lines of mdoc: a page, a section, or a list with some of its items.
std::string render_mdoc(std::string_view source, const MdocStyle& style);

/// Renders one macro line without its macro, such as "Fl S , -size Ar RANGE", as plain text.
/// A table's line becomes its cells.
std::vector<std::string> mdoc_cells(std::string_view arguments);

/// `text` in bold if `style` has emphasis.
std::string emphasised(std::string_view text, const MdocStyle& style);

}  // namespace ffind::cli
