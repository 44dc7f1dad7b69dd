// SPDX-License-Identifier: MIT
// Wording of messages. See messages.h.
#include "output/messages.h"

#include <system_error>

#include "output/escape.h"

namespace ffind {

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

std::string message(std::string_view text) {
  std::string line = "ffind: ";
  line += text;
  line += '\n';
  return line;
}

std::string message_of(const Issue& issue) {
  std::string text;
  append_escaped(text, issue.path);
  text += ": ";
  if (!issue.operation.empty()) {
    text += "cannot ";
    text += issue.operation;
    text += ": ";
  }
  if (issue.detail.empty()) {
    text += reason_of(issue.error);
  } else {
    append_escaped(text, issue.detail);
  }
  return message(text);
}

}  // namespace ffind
