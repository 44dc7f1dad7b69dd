// SPDX-License-Identifier: MIT
// Wording of messages. See messages.h.
#include "output/messages.h"

#include <algorithm>
#include <system_error>

#include "output/errno_name.h"
#include "text/json.h"
#include "text/quoting.h"

namespace ffind::output {

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

std::string message(std::string_view text) {
  std::string lines = "ffind: ";
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    text::append_escaped(lines, text.substr(0, end));
    lines += '\n';
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string reason_of(const Issue& issue) {
  std::string text;
  // A command that failed without an errno did run.
  const bool was_done = issue.operation == "run" && issue.error == 0;
  if (!issue.operation.empty() && !was_done) {
    text += "cannot ";
    text += issue.operation;
    text += ": ";
  }
  if (issue.detail.empty()) {
    text += reason_of(issue.error);
  } else {
    text::append_escaped(text, issue.detail);
  }
  return text;
}

std::string message_of(const Issue& issue) {
  std::string text;
  text::append_escaped(text, issue.path);
  text += ": ";
  return message(text + reason_of(issue));
}

std::string record_of(const Issue& issue) {
  std::string line;
  text::JsonObject object(line);
  object.add("type", std::string_view("error"));
  if (!issue.path.empty()) object.add_bytes("path", issue.path);
  object.add("operation", issue.operation.empty() ? std::string_view("open") : issue.operation);
  if (issue.error != 0) object.add("errno", std::string_view(errno_name(issue.error)));
  object.add("message", issue.detail.empty() ? reason_of(issue.error) : issue.detail);
  object.end();
  return line;
}

std::string notice_record(std::string_view path, std::string_view text) {
  std::string line;
  text::JsonObject object(line);
  object.add("type", std::string_view("notice"));
  if (!path.empty()) object.add_bytes("path", path);
  object.add("message", text);
  object.end();
  return line;
}

}  // namespace ffind::output
