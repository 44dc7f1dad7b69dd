// SPDX-License-Identifier: MIT
// A match as stages get it that do something with it other than writing a record of it: the tree,
// commands, deletion. Read from an entry by the lanes; knows no stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "os/safe_open.h"
#include "output/output_style.h"

namespace ffind::output {

/// A view: its texts belong to the stage that passes it.
struct Match {
  std::string_view path{};    ///< as it is printed
  std::size_t root_size = 0;  ///< of the root in it, with a slash behind that
  bool is_root = false;
  /// What it was when it was found; of unknown type where that could not be found out. Only
  /// deletion needs more than the type.
  os::Identity identity{};
  /// For a tree with details; nothing: not known. Only regular files have a size there.
  std::optional<std::uint64_t> size{};
  std::optional<Nanoseconds> modified{};
  std::string_view shown{};  ///< its name for the tree, coloured and escaped; empty: as it is
};

/// The root as the tree shows it: without the slash behind it, the current directory as ".".
std::string_view root_of(const Match& match);

/// Belongs to one thread.
class MatchReader {
 public:
  /// Reads what `style.format` needs. `style` outlives it.
  explicit MatchReader(const OutputStyle& style);

  Needs needs() const;
  /// Valid until the next call.
  Match read(Entry& entry);

 private:
  void read_name(Match& match, Entry& entry);
  static void read_details(Match& match, Entry& entry);

  const Format format_;
  const bool details_;
  const Palette* const palette_;  ///< null: no colours
  const bool escapes_;
  const bool marks_;
  std::string path_;
  std::string name_;
  std::string escaped_;
};

}  // namespace ffind::output
