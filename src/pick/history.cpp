// SPDX-License-Identifier: MIT
// Lines of the history, and moving in it. The file is ~/.local/state/ffind/history:
//
//     ext:pdf invoice
//     caf\\x                 the query caf\x
//     \xff                   a byte that is not UTF-8
#include "pick/history.h"

#include <algorithm>
#include <deque>

#include "os/trusted_files.h"
#include "text/ascii.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::pick {
namespace {

constexpr const char* file_name = "history";
constexpr std::size_t most_queries = 1000;
constexpr std::size_t longest_query = 4096;
/// Bounds the file, which is read while a key waits.
constexpr std::size_t most_bytes = std::size_t{1} << 20U;

constexpr std::string_view digits = "0123456789abcdef";

}  // namespace

std::string history_line(std::string_view query) {
  std::string line;
  for (std::size_t at = 0; at < query.size();) {
    const text::Decoded decoded = text::decode_utf8(query, at);
    const bool is_text = decoded.valid && !text::misleads(decoded.code_point);
    for (const char c : query.substr(at, decoded.length)) {
      if (c == '\\') {
        line += "\\\\";
      } else if (is_text) {
        line += c;
      } else {
        const auto byte = static_cast<unsigned char>(c);
        line += "\\x";
        line += digits[byte / 16];
        line += digits[byte % 16];
      }
    }
    at += decoded.length;
  }
  return line;
}

std::string query_of_line(std::string_view line) {
  std::string query;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view rest = line.substr(at);
    if (rest.starts_with("\\\\")) {
      query += '\\';
      ++at;
      continue;
    }
    if (rest.starts_with("\\x") && rest.size() >= 4) {
      const std::size_t high = digits.find(rest[2]);
      const std::size_t low = digits.find(rest[3]);
      if (high != std::string_view::npos && low != std::string_view::npos) {
        query += static_cast<char>(high * 16 + low);
        at += 3;
        continue;
      }
    }
    query += line[at];
  }
  return query;
}

std::string history_with(std::string_view text, std::string_view query) {
  const std::string latest = history_line(query);
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

std::vector<std::string> QueryFile::read() const {
  std::vector<std::string> queries;
  std::string text;
  if (place_.empty() || !os::read_state_file(place_, file_name, most_bytes, text)) return queries;
  for (std::string_view rest = text; !rest.empty();) {
    std::string query = query_of_line(text::take_part(rest, '\n'));
    if (!query.empty()) queries.push_back(std::move(query));
  }
  return queries;
}

void QueryFile::add(std::string_view query) const {
  const bool is_blank = query.find_first_not_of(' ') == std::string_view::npos;
  if (place_.empty() || is_blank || query.size() > longest_query) return;
  os::change_state_file(place_, file_name, most_bytes,
                        [&](const std::string& text) { return history_with(text, query); });
}

/// A query that the prompt has already would look as if the key did nothing.
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
