// SPDX-License-Identifier: MIT
// Lines of ~/.local/state/ffind/history, and moving in it.
#include "pick/history.h"

#include <deque>

#include "os/trusted_files.h"
#include "text/ascii.h"
#include "text/quoting.h"

namespace ffind::pick {
namespace {

constexpr const char* file_name = "history";
constexpr std::size_t most_queries = 1000;
constexpr std::size_t longest_query = 4096;
/// Bounds the file, which is read while a key waits.
constexpr std::size_t most_bytes = std::size_t{1} << 20U;

}  // namespace

std::string history_with(std::string_view text, std::string_view latest) {
  std::deque<std::string_view> lines;
  std::size_t bytes = latest.size() + 1;
  while (!text.empty()) {
    const std::string_view line = text::take_part(text, '\n');
    if (line.empty() || line == latest) continue;
    lines.push_back(line);
    bytes += line.size() + 1;
  }
  while (!lines.empty() && (lines.size() >= most_queries || bytes > most_bytes)) {
    bytes -= lines.front().size() + 1;
    lines.pop_front();
  }
  std::string changed;
  changed.reserve(bytes);
  for (const std::string_view line : lines) {
    changed += line;
    changed += '\n';
  }
  changed += latest;
  changed += '\n';
  return changed;
}

std::vector<std::string> read_queries(const std::string& place) {
  std::vector<std::string> queries;
  std::string text;
  if (place.empty() || !os::read_state_file(place, file_name, most_bytes, text)) return queries;
  for (std::string_view rest = text; !rest.empty();) {
    std::string query(text::take_part(rest, '\n'));
    if (!query.empty() && !text::needs_escaping(query)) queries.push_back(std::move(query));
  }
  return queries;
}

void add_query(const std::string& place, std::string_view query) {
  const bool is_blank = query.find_first_not_of(' ') == std::string_view::npos;
  if (place.empty() || is_blank || query.size() > longest_query || text::needs_escaping(query)) {
    return;
  }
  os::change_state_file(place, file_name, most_bytes,
                        [&](const std::string& text) { return history_with(text, query); });
}

/// Skips queries that the prompt shows already: the key would seem to do nothing.
const std::string& QueryHistory::earlier(const std::string& shown) {
  if (position_ == queries_.size()) typed_ = shown;
  std::size_t place = position_;
  while (place > 0 && queries_[place - 1] == shown) --place;
  if (place == 0) return shown;
  position_ = place - 1;
  return queries_[position_];
}

const std::string& QueryHistory::later(const std::string& shown) {
  if (position_ == queries_.size()) return shown;
  ++position_;
  while (position_ < queries_.size() && queries_[position_] == shown) ++position_;
  return position_ == queries_.size() ? typed_ : queries_[position_];
}

}  // namespace ffind::pick
