// SPDX-License-Identifier: MIT
// Reads the lines of lists of paths (--from): splits pieces of text, refuses what is no list, finds
// the path that a line means, and sorts all paths if the output needs that.
//
//     ListReader ──▶ read_more ──▶ buffer ──▶ meant ──▶ next()
//                    64 KiB at                └──────▶ SortedPaths ──▶ next()
//                    a time
//
// Lists of other systems and programs are read as they are meant: with CR LF, with a byte order
// mark, with names quoted by git. A file of the literal name comes first, so these cost a call for
// lines that look like that, and no others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/searcher.h"
#include "os/files.h"
#include "search/state.h"

namespace ffind::search {

/// Returns what is wrong with a list of paths that end with `end` and whose `text` this is, or its
/// beginning; empty if nothing is.
std::string_view fault_of_list(char end, std::string_view text, bool is_whole);

/// Calls `take` with each name of a path but ".", and where it ends, until it returns false.
template <typename Take>
void for_each_name(std::string_view path, Take take) {
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t to = std::min(path.find('/', from), path.size());
    const std::string_view name = path.substr(from, to - from);
    if (!name.empty() && name != "." && !take(name, to)) return;
    from = to + 1;
  }
}

/// Appends `path` without "." and doubled slashes, without one at its end: "." for the current
/// directory.
void append_normal(std::string& normal, std::string_view path);

// Sorted records: their roots, their paths from there, and what is kept of them, numbered. No part
// but the last has two slashes:
//
//     /media/usb//a/b//0000000042{"type":"file","depth":2}

/// Appends such a key without its last part.
void append_record_key(std::string& key, std::string_view root, std::string_view path,
                       std::uint64_t number);
/// Returns root and path of such a key, its path as that of a record, or its last part.
std::string_view place_in_key(std::string_view key);
std::string path_in_key(std::string_view key);
std::string_view record_in(std::string_view key);

/// Paths in order, each once, as text that is packed: a path has the number of bytes that it shares
/// with the one before it, and its other bytes.
class SortedPaths {
 public:
  void add(std::string_view path);
  /// Sorts what was added last. No path may be added after it.
  void finish() { merge(); }
  /// Replaces the previous path by the next one, or returns false at the end.
  bool next(std::string& path) { return next_of(packed_, at_, path); }

 private:
  static bool next_of(const std::string& packed, std::size_t& at, std::string& path);
  void merge();

  std::string packed_;
  std::string added_;  ///< and not yet merged, each with a NUL
  std::size_t at_ = 0;
};

/// For one thread at a time.
class ListLines {
 public:
  ListLines(SearchState& state, os::FileSystem& file_system, ListReader read);

  /// Sets `line` to the next path, which may be empty; reads more only if it `waits`. Returns false
  /// if there is none.
  bool next(bool waits, std::string_view& line);
  /// Takes all lines, and sorts the keys that `key_of` appends for them, unless it returns false:
  /// they are the lines from then on.
  void sort(const std::function<bool(std::string_view line, std::string& key)>& key_of);
  bool is_sorted() const { return is_sorted_; }
  /// Returns whether there is text that has been read and not taken.
  bool has_more() const { return is_sorted_ || buffer_.size() > begin_; }

  /// Number of the list that the last line is of.
  std::size_t list() const { return list_; }
  /// Number of the last line in its list, from 1 on; 0 if they are sorted.
  std::uint64_t number() const { return is_sorted_ ? 0 : number_; }
  /// Returns the name of a list, for messages.
  std::string name_of(std::size_t list) const;
  std::uint64_t issues() const { return issues_; }

 private:
  void read_more();
  void fail(int error, const std::string& detail);
  void begin_list(std::size_t number);
  std::string_view meant(std::string_view line);
  bool exists(const std::string& path);

  SearchState& state_;
  os::FileSystem& file_system_;
  const ListReader read_;
  const std::vector<PathList>& lists_;

  std::string buffer_;  ///< read and not taken, from begin_ on
  std::size_t begin_ = 0;
  std::size_t list_ = 0;      ///< being read
  std::uint64_t number_ = 0;  ///< of the last line of that list
  std::string record_key_;    ///< of the last one, if they are sorted
  std::string meant_;         ///< path of the last line, if it is not a part of buffer_
  SortedPaths sorted_;
  bool is_sorted_ = false;
  std::uint64_t issues_ = 0;
};

}  // namespace ffind::search
