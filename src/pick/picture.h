// SPDX-License-Identifier: MIT
// Picture of a list: the prompt, the counts, the entries, the pane for details or keys. Made by the
// picker for each change. Pure: data in, rows of a screen out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "os/terminal.h"
#include "output/colors.h"
#include "pick/list.h"
#include "pick/prompt.h"

namespace ffind::pick {

std::string_view to_text(PickOrder order);

/// One entry that is shown.
struct ShownEntry {
  std::string directory{};  ///< as printed, with its slash; a long one is cut to its end
  std::string name{};
  FileType type = FileType::unknown;
  bool is_marked = false;
  std::string value{};  ///< that the list is sorted by, as text; empty if unknown or a path
  std::optional<double> share{};  ///< of the largest one, shown as a bar
};

/// The line below the prompt.
struct PickStatus {
  std::uint64_t matches = 0;
  std::uint64_t found = 0;
  std::uint64_t marked = 0;
  std::uint64_t errors = 0;
  bool is_searching = false;  ///< more may be found
  bool is_narrowing = false;  ///< more of the found entries may match
  bool is_apart = false;      ///< nothing matches as typed: the letters are apart
  PickSort sort{};
  std::string place{};   ///< the directory that the list is of
  std::string space{};   ///< that it takes
  std::string reason{};  ///< why entries are missing
  std::string notice{};  ///< shown instead, until the next key
};

enum class PickPane : std::uint8_t { none, details, keys };

/// Details while they are read.
constexpr std::string_view reading_details = "reading...";

struct PickPicture {
  std::string prompt{};
  std::size_t cursor = 0;  ///< in the prompt, in bytes
  std::vector<UnfinishedTerm> unfinished{};
  std::vector<Mark> marks{};
  PickStatus status{};
  std::vector<ShownEntry> entries{};     ///< from the top of the list
  std::optional<std::size_t> current{};  ///< index in `entries`; nullopt if nothing matches
  PickPane pane = PickPane::none;
  std::vector<std::string> details{};  ///< lines, escaped for a terminal
  std::size_t keys_top = 0;            ///< the first row of the pane of keys
};

/// Layout of a screen.
struct PickLayout {
  std::size_t list_row = 0;  ///< the first of the list
  std::size_t list_rows = 0;
  std::size_t list_columns = 0;
  std::size_t pane_row = 0;
  std::size_t pane_column = 0;
  std::size_t pane_rows = 0;
  std::size_t pane_columns = 0;
};

/// The pane of keys has the whole screen but for the prompt and the counts.
PickLayout layout_of(os::ScreenSize size, PickPane pane);

/// Columns that the pane has for text.
std::size_t text_columns(const PickLayout& layout);

/// Puts short facts, which are the lines up to an empty one, next to each other, two in a row, if
/// there is room: so the text after them is seen on a screen of 24 rows, too.
std::vector<std::string> arranged(const std::vector<std::string>& details, std::size_t columns);

/// Columns of a key, and of its line in the pane of keys. Two lines fit into 80 columns.
inline constexpr std::size_t key_columns = 13;
inline constexpr std::size_t key_line_columns = 40;

/// Rows of the pane of keys that do not fit on the screen.
std::size_t hidden_key_rows(const PickLayout& layout);

struct DrawnPicture {
  std::vector<os::ScreenRow> rows{};
  os::ScreenPlace cursor{};
};

/// `palette` is null for no colours.
DrawnPicture draw(const PickPicture& picture, os::ScreenSize size, const output::Palette* palette);

/// Translates colours of LS_COLORS, such as `01;34`, to the screen's; backgrounds are left out.
os::TextStyle style_of(std::string_view sgr);

}  // namespace ffind::pick
