// SPDX-License-Identifier: MIT
// A list is read in pieces of 64 KiB, the end of a piece that is no whole line is kept for the next
// one. SortedPaths keeps what was added last as it is, and merges that into the packed text when it
// has grown: 2,000,000 paths of 60 bytes take 20 MiB.
#include "search/list_lines.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/quoting.h"

namespace ffind::search {
namespace {

/// Bytes read at a time; a pipe has 64 KiB.
constexpr std::size_t piece = std::size_t{64} * 1024;
/// Longest path of a list. The kernel takes 4 KiB at a time.
constexpr std::size_t longest_line = std::size_t{1} << 20U;
/// A record has its path up to four times, in base64 too, and lists.
constexpr std::size_t longest_record = std::size_t{16} << 20U;
/// Bytes of paths that are sorted and merged at once.
constexpr std::size_t most_added = std::size_t{8} << 20U;
/// Of UTF-8, which programs of Windows write before a text.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

std::string_view fault_of_list(char end, std::string_view text, bool is_whole) {
  const bool has_nul = text.find('\0') != std::string_view::npos;
  if (end != '\0' && has_nul) {
    return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")
               ? "is UTF-16; `iconv -f UTF-16 -t UTF-8` converts it"
               : "has a NUL; --from0 reads such a list";
  }
  const bool is_of_lines = !has_nul && is_whole && text.find('\n') != std::string_view::npos;
  if (end == '\0' && is_of_lines) return "has one path per line; --from reads such a list";
  return {};
}

void append_normal(std::string& normal, std::string_view path) {
  const std::size_t begin = normal.size();
  if (path.starts_with('/')) normal += '/';
  for_each_name(path, [&](std::string_view name, std::size_t) {
    if (normal.size() > begin + (path.starts_with('/') ? 1 : 0)) normal += '/';
    normal += name;
    return true;
  });
  if (normal.size() == begin) normal += '.';
}

// --- Sorted records

namespace {

/// Digits of a number, and what is between the parts.
constexpr std::size_t number_digits = 10;
constexpr std::string_view between = "//";

}  // namespace

void append_record_key(std::string& key, std::string_view root, std::string_view path,
                       std::uint64_t number) {
  const std::string_view below = path.substr(root.size());
  if (root.empty() && path.starts_with('/')) root = "/";
  append_normal(key, root);
  if (root == "/") key += '.';
  key += between;
  append_normal(key, below.substr(std::min(below.find_first_not_of('/'), below.size())));
  key += text::format("{}{:0{}}", between, number, number_digits);
}

std::string_view place_in_key(std::string_view key) {
  const std::size_t below = key.find(between) + between.size();
  return key.substr(0, key.find(between, below));
}

std::string path_in_key(std::string_view key) {
  const std::string_view place = place_in_key(key);
  const std::size_t end = place.find(between);
  const std::string_view below = place.substr(end + between.size());
  if (place.starts_with("./")) return std::string(below);
  if (place.starts_with("/.//")) return "/" + std::string(below);
  return text::join_paths(place.substr(0, end), below);
}

std::string_view record_in(std::string_view key) {
  return key.substr(place_in_key(key).size() + between.size() + number_digits);
}

// --- Sorted paths

void SortedPaths::add(std::string_view path) {
  added_.append(path) += '\0';
  if (added_.size() > most_added) merge();
}

bool SortedPaths::next_of(const std::string& packed, std::size_t& at, std::string& path) {
  if (at == packed.size()) return false;
  path.resize(static_cast<unsigned char>(packed[at++]));
  const std::size_t end = packed.find('\0', at);
  path.append(packed, at, end - at);
  at = end + 1;
  return true;
}

void SortedPaths::merge() {
  std::vector<std::string_view> paths;
  for (std::string_view rest = added_; !rest.empty();) {
    paths.push_back(text::take_part(rest, '\0'));
  }
  std::sort(paths.begin(), paths.end(), path_less);
  std::string merged;
  merged.reserve(packed_.size() + added_.size() + 2 * paths.size());
  std::string last;
  const auto append = [&](std::string_view path) {
    if (path == last) return;
    constexpr std::size_t most_shared = 255;
    const std::size_t most = std::min({path.size(), last.size(), most_shared});
    const auto shared = std::mismatch(path.begin(), path.begin() + most, last.begin()).first;
    merged += static_cast<char>(shared - path.begin());
    merged.append(shared, path.end()) += '\0';
    last = path;
  };
  std::size_t at = 0;
  std::string packed;
  bool is_more = next_of(packed_, at, packed);
  for (const std::string_view path : paths) {
    for (; is_more && path_less(packed, path); is_more = next_of(packed_, at, packed)) {
      append(packed);
    }
    append(path);
  }
  for (; is_more; is_more = next_of(packed_, at, packed)) append(packed);
  packed_ = std::move(merged);
  added_.clear();
}

// --- Lines

ListLines::ListLines(SearchState& state, os::FileSystem& file_system, ListReader read)
    : state_(state),
      file_system_(file_system),
      read_(std::move(read)),
      lists_(state.matcher().scope().lists) {}

bool ListLines::next(bool waits, std::string_view& line) {
  if (is_sorted_) {
    bool is_more = sorted_.next(meant_);
    if (lists_.front().of_records) {
      // The first record of an entry counts.
      while (is_more && place_in_key(meant_) == record_key_) is_more = sorted_.next(meant_);
      record_key_ = is_more ? place_in_key(meant_) : "";
    }
    line = meant_;
    return is_more;
  }
  while (list_ < lists_.size() && !state_.stopped()) {
    const std::size_t end = buffer_.find(lists_[list_].end, begin_);
    if (end == std::string::npos) {
      if (!waits) return false;
      read_more();
      continue;
    }
    line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = end + 1;
    ++number_;
    if (lists_[list_].end == '\n') line = meant(line);
    return true;
  }
  return false;
}

void ListLines::sort(const std::function<bool(std::string_view line, std::string& key)>& key_of) {
  std::string key;
  for (std::string_view line; next(true, line);) {
    key.clear();
    if (key_of(line, key)) sorted_.add(key);
  }
  sorted_.finish();
  is_sorted_ = true;
  list_ = 0;
}

bool ListLines::exists(const std::string& path) {
  return file_system_.exists(nullptr, path.c_str()) == 0;
}

/// Returns the path of a line: itself, or else without a mark at the beginning of the list and a CR
/// at its end, or else as git quotes it, if there is a file of that name.
std::string_view ListLines::meant(std::string_view line) {
  std::string_view bare = line;
  if (number_ == 1 && bare.starts_with(byte_order_mark)) bare.remove_prefix(byte_order_mark.size());
  if (bare.ends_with('\r')) bare.remove_suffix(1);
  if (lists_[list_].of_records) {
    // No JSON has a NUL, which would end the line for its worker.
    if (bare.find('\0') == bare.npos) return bare;
    meant_ = bare;
    std::replace(meant_.begin(), meant_.end(), '\0', '\1');
    return meant_;
  }
  if (bare.size() == line.size() && !line.starts_with('"')) return line;
  if (exists(std::string(line))) return line;
  meant_ = bare;
  if (bare.empty() || exists(meant_)) return meant_;
  const std::optional<std::string> unquoted = text::unquoted_by_git(bare);
  if (!unquoted || !exists(*unquoted)) return line;
  meant_ = *unquoted;
  return meant_;
}

/// Appends the next piece of the current list to what is left of the last, or goes on to the next
/// list.
void ListLines::read_more() {
  buffer_.erase(0, std::exchange(begin_, 0));
  const bool of_records = lists_[list_].of_records;
  if (buffer_.size() > (of_records ? longest_record : longest_line)) {
    return fail(0, text::format("{} {} is longer than {} MiB", of_records ? "line" : "path",
                                number_ + 1, of_records ? 16 : 1));
  }
  const std::size_t before = buffer_.size();
  buffer_.resize(before + piece);
  std::size_t count = 0;
  const int error = read_(list_, buffer_.data() + before, piece, count);
  buffer_.resize(before + (error == 0 ? count : 0));
  const char end = lists_[list_].end;
  const std::string_view fault =
      of_records ? "" : fault_of_list(end, buffer_, count == 0 && number_ == 0);
  if (error != 0) {
    fail(error, error == ENOTSUP ? "not a file or a pipe that ends" : "");
  } else if (!fault.empty()) {
    fail(0, "it " + std::string(fault));
  } else if (count == 0 && !buffer_.empty()) {
    buffer_ += end;  // a path after the last end counts
  } else if (count == 0) {
    begin_list(list_ + 1);
  }
}

void ListLines::begin_list(std::size_t number) {
  list_ = number;
  number_ = 0;
}

std::string ListLines::name_of(std::size_t list) const {
  const std::string& file = lists_[list].file;
  return file == "-" ? "standard input" : file;
}

/// Reports an error of the current list, and ends it.
void ListLines::fail(int error, const std::string& detail) {
  ++issues_;
  state_.sink().report({name_of(list_), "", error, detail});
  buffer_.clear();
  begin_list(list_ + 1);
}

}  // namespace ffind::search
