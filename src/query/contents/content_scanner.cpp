// SPDX-License-Identifier: MIT
// Most files come in one chunk that ends with a line: nothing of them is copied. See
// content_scanner.h.
#include "query/contents/content_scanner.h"

#include <algorithm>

#include "text/utf8.h"

namespace ffind::query {
namespace {

/// Where `text` may be cut at or shortly before `wanted`: before a byte of ASCII, where no letter
/// and no mark on one ends up in halves; in other scripts at least between two letters.
std::size_t cut_before(std::string_view text, std::size_t wanted) {
  constexpr std::size_t far = 64;
  const std::size_t least = wanted > far ? wanted - far : 1;
  for (std::size_t at = wanted; at > least; --at) {
    if (static_cast<unsigned char>(text[at]) < 0x80) return at;
  }
  std::size_t at = wanted;
  while (at > least && text::is_continuation(text[at])) --at;
  return at;
}

}  // namespace

bool ContentScanner::take(std::string_view bytes, bool last) {
  if (done_) return false;
  if (begun_) {
    scan(bytes, last);
  } else if (head_.empty() && (last || bytes.size() >= head_size)) {
    begin(bytes);
  } else {
    head_.append(bytes);
    if (head_.size() >= head_size) begin(std::string(std::move(head_)));
  }
  return !done_;
}

bool ContentScanner::found() {
  if (!begun_) begin(std::string(std::move(head_)));
  if (utf16_ && !done_) {
    std::string rest;
    utf16_->finish(rest);
    scan_text(rest, true);
  }
  if (!line_.empty() && !done_) search_line();
  done_ = true;
  return found_;
}

/// Decides what kind of file it is, and searches what has been read of it.
void ContentScanner::begin(std::string_view head) {
  begun_ = true;
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
    utf16_.emplace(head.front() == '\xFE');
    head.remove_prefix(2);
  } else if (!binary_ && head.substr(0, head_size).find('\0') != std::string_view::npos) {
    done_ = true;
  } else if (head.starts_with("\xEF\xBB\xBF")) {
    head.remove_prefix(3);  // else no line of it would begin the file
  }
  if (!done_) scan(head, false);
}

void ContentScanner::scan(std::string_view bytes, bool last) {
  if (!utf16_) return scan_text(bytes, last);
  std::string text;
  utf16_->append(bytes, text);
  scan_text(text, false);
}

void ContentScanner::scan_text(std::string_view text, bool last) {
  if (!line_.empty()) {
    const std::size_t end = text.find('\n');
    keep(text.substr(0, end));
    if (end == std::string_view::npos || done_) return;
    search_line();
    text.remove_prefix(end + 1);
  }
  if (done_) return;
  const std::size_t end = last ? text.size() : text.rfind('\n') + 1;  // 0 when there is none
  search(text.substr(0, end));
  if (!done_) keep(text.substr(end));
}

/// Keeps what is known of a line until its end comes, or until there is too much of it.
void ContentScanner::keep(std::string_view text) {
  while (!text.empty() && !done_) {
    const std::size_t count = std::min(text.size(), longest_line - line_.size());
    line_.append(text.substr(0, count));
    text.remove_prefix(count);
    if (line_.size() < longest_line) continue;
    const std::size_t end = cut_before(line_, longest_line - 1);
    search_part(end);
    const std::size_t next = cut_before(line_, longest_line / 2);
    before_ = line_[next - 1];
    line_.erase(0, next);
  }
}

/// What is kept of a line, whose end has come.
void ContentScanner::search_line() {
  if (before_) {
    search_part(line_.size());
  } else {
    search(line_);
  }
  line_.clear();
  before_.reset();
}

/// What is kept of a line as far as `end`.
void ContentScanner::search_part(std::size_t end) {
  const std::string_view line = line_;
  const std::string_view before = before_ ? std::string_view(&*before_, 1) : std::string_view();
  found_ = pattern_.found_in_part(before, line.substr(0, end), line.substr(end, 1));
  done_ = found_;
}

void ContentScanner::search(std::string_view lines) {
  found_ = !lines.empty() && pattern_.found_in(lines);
  done_ = found_;
}

}  // namespace ffind::query
