// SPDX-License-Identifier: MIT
// Names of errnos, wording, and the digest of issues.
//
//     Issue{"/root", "", EACCES}          ffind: /root: Permission denied
//     Issue{"a", "read metadata", EIO}    ffind: a: cannot read metadata: Input/output error
//     the first, as NDJSON    {"type":"error","path":"/root","operation":"open","errno":"EACCES",
//                              "message":"Permission denied"}
//
// Text is escaped once, where it enters a message: message() escapes each line again, which changes
// nothing in text that is escaped already.
#include "output/messages.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "text/data_row.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::output {
namespace {

/// POSIX names of the errors that a file system returns: only glibc has a table of its own. The
/// macro takes each name once.
struct ErrnoRow {
  int error;
  const char* name;
};

#define ROW(error) \
  { error, #error }
constexpr ErrnoRow errno_rows[] = {
    ROW(EPERM),        ROW(ENOENT),       ROW(ESRCH),      ROW(EINTR),        ROW(EIO),
    ROW(ENXIO),        ROW(E2BIG),        ROW(ENOEXEC),    ROW(EBADF),        ROW(ECHILD),
    ROW(EAGAIN),       ROW(ENOMEM),       ROW(EACCES),     ROW(EFAULT),       ROW(EBUSY),
    ROW(EEXIST),       ROW(EXDEV),        ROW(ENODEV),     ROW(ENOTDIR),      ROW(EISDIR),
    ROW(EINVAL),       ROW(ENFILE),       ROW(EMFILE),     ROW(ENOTTY),       ROW(ETXTBSY),
    ROW(EFBIG),        ROW(ENOSPC),       ROW(ESPIPE),     ROW(EROFS),        ROW(EMLINK),
    ROW(EPIPE),        ROW(EDOM),         ROW(ERANGE),     ROW(EDEADLK),      ROW(ENAMETOOLONG),
    ROW(ENOLCK),       ROW(ENOSYS),       ROW(ENOTEMPTY),  ROW(ELOOP),        ROW(EOVERFLOW),
    ROW(EILSEQ),       ROW(ENOTSUP),      ROW(EPROTO),     ROW(EBADMSG),      ROW(ENODATA),
    ROW(ECONNABORTED), ROW(ECONNREFUSED), ROW(ECONNRESET), ROW(EHOSTUNREACH), ROW(ENETDOWN),
    ROW(ENETRESET),    ROW(ENETUNREACH),  ROW(ENOBUFS),    ROW(ENOTCONN),     ROW(ETIMEDOUT),
    ROW(ECANCELED),    ROW(EDQUOT),       ROW(ESTALE)};
#undef ROW

std::string errno_name(int error) {
  for (const ErrnoRow& row : errno_rows) {
    if (row.error == error) return row.name;
  }
  return std::to_string(error);
}

std::string without_slash(std::string path) {
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

std::string reason_of(int error) {
  // The system's text, "Resource deadlock avoided", is about something else.
  if (error == EDEADLK) return "its contents are only in a cloud; download it first";
  return std::generic_category().message(error);
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many,
                    std::string (*spell)(std::uint64_t)) {
  return text::format("{} {}", spell(number), number == 1 ? one : many);
}

/// As GNU's quotearg does in its style "locale": C's escapes for characters that are not printable
/// in the locale, and a backslash before a closing quote.
std::string quoted(std::string_view word, Speaker speaker) {
  constexpr std::string_view special = "\\\a\b\f\n\r\t\v";
  constexpr std::string_view letters = "\\abfnrtv";
  const bool is_utf8 = speaker.curls_quotes;
  const std::string_view end = is_utf8 ? "\u2019" : "'";
  std::string text(is_utf8 ? "\u2018" : "'");
  for (std::size_t at = 0; at < word.size();) {
    const text::Decoded character = text::decode_utf8(word, at);
    const std::string_view bytes = word.substr(at, character.length);
    at += bytes.size();
    const std::size_t which = special.find(bytes);
    if (which != std::string_view::npos) {
      text.append("\\") += letters[which];
    } else if (character.valid && !text::misleads(character.code_point) &&
               (is_utf8 || bytes.size() == 1)) {
      text.append(bytes == end ? "\\" : "") += bytes;
    } else {
      for (const char c : bytes) text += text::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return text += end;
}

std::string message(std::string_view text, Speaker speaker) {
  constexpr const char* beginnings[] = {"ffind: ", "find: ", "[fd error]: "};
  std::string lines = beginnings[static_cast<std::size_t>(speaker.program)];
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    text::append_escaped(lines, text.substr(0, end));
    lines += '\n';
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string colored_message(std::string_view lines) {
  constexpr std::string_view program = "ffind:";
  constexpr std::string_view offer = "  try: ";
  std::string colored;
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size());
    if (line.starts_with(program)) {
      line.remove_prefix(program.size());
      colored.append("\033[1m").append(program).append("\033[0m").append(line);
    } else if (line.starts_with(offer)) {
      colored.append("  \033[32m").append(line.substr(2)).append("\033[0m");
    } else {
      colored += line;
    }
    if (!lines.empty()) colored += '\n';
    lines.remove_prefix(std::min<std::size_t>(1, lines.size()));
  }
  return colored;
}

std::string reason_of(const Issue& issue) {
  std::string text;
  if (issue.operation == "loop") return "loops back to '" + text::escaped(issue.detail) + "'";
  // A command that failed without an errno did run.
  const bool was_done = issue.operation == "run" && issue.error == 0;
  if (!issue.operation.empty() && !was_done) {
    text.append("cannot ").append(issue.operation).append(": ");
  }
  if (issue.detail.empty()) {
    text += reason_of(issue.error);
  } else {
    text::append_escaped(text, issue.detail);
  }
  return text;
}

std::string message_of(const Issue& issue, Speaker speaker) {
  std::string text;
  if (speaker.program == Speaker::Program::find) {
    std::string path = quoted(issue.path, speaker);
    if (issue.operation == "loop") {
      return message(text::format("File system loop detected; {} is part of the same file system "
                                  "loop as {}.",
                                  path, quoted(issue.detail, speaker)),
                     speaker);
    }
    const std::string reason = issue.detail.empty() ? reason_of(issue.error) : issue.detail;
    // Errors of opening and reading are told by the reason alone.
    if (issue.operation == "delete") text = "cannot delete ";
    if (issue.operation == "run in directory") {
      text = "Failed to save working directory in order to run a command on ";
    }
    if (issue.operation == "run in" || issue.operation == "return to") {
      text = issue.operation == "run in" ? "Failed to change directory: "
                                         : "Failed to restore initial working directory: ";
      path = issue.path;
    }
    // A command that failed without an errno did run.
    const bool was_done = issue.operation == "run" && issue.error == 0;
    return message(
        text::format("{}{}{} {}", text, path, was_done ? "" : ":", text::escaped(reason)), speaker);
  }
  const bool is_of_fd = speaker.program == Speaker::Program::fd && issue.error != 0;
  if (is_of_fd && issue.operation == "run") {
    const std::string reason = reason_of(issue.error);
    if (issue.error != ENOENT) {
      return message(
          text::format("Problem while executing command: {} (os error {})", reason, issue.error),
          speaker);
    }
    // The detail begins with the program, unless that is the entry.
    const std::size_t end = issue.detail.rfind(": " + reason);
    const std::string program = end == std::string::npos ? issue.path : issue.detail.substr(0, end);
    return message("Command not found: " + text::escaped(program), speaker);
  }
  if (!issue.path.empty()) {
    text::append_escaped(text, issue.path);
    text += ": ";
  }
  text += reason_of(issue);
  if (is_of_fd) text += text::format(" (os error {})", issue.error);
  return message(text, speaker);
}

Issue not_local_issue(std::uint64_t files, std::uint64_t directories) {
  std::string what;
  if (directories != 0) what = counted(directories, "directory", "directories");
  if (directories != 0 && files != 0) what += " and ";
  if (files != 0) what += counted(files, "file", "files");
  const bool one = files + directories == 1;
  std::string detail =
      text::format("{} {} only in a cloud and {} not read; --download fetches {}", what,
                   one ? "is" : "are", one ? "was" : "were", one ? "it" : "them");
  return {"", "", EDEADLK, std::move(detail), files, directories};
}

std::string record_of(const Issue& issue) {
  std::string line;
  text::DataRow object(line);
  object.add("type", std::string_view("error"));
  if (!issue.path.empty()) object.add_bytes("path", issue.path);
  object.add("operation", issue.operation.empty() ? std::string_view("open") : issue.operation);
  if (issue.error != 0) object.add("errno", std::string_view(errno_name(issue.error)));
  object.add("message", issue.detail.empty() ? reason_of(issue.error) : issue.detail);
  if (issue.files != 0) object.add("files", issue.files);
  if (issue.directories != 0) object.add("directories", issue.directories);
  object.end();
  return line;
}

std::string notice_record(std::string_view path, std::string_view text) {
  std::string line;
  text::DataRow object(line);
  object.add("type", std::string_view("notice"));
  if (!path.empty()) object.add_bytes("path", path);
  object.add("message", text);
  object.end();
  return line;
}

void IssueDigest::set_roots(const Plan& plan) {
  for (const Location& location : plan.missing) roots_.insert(location.typed);
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      roots_.insert(without_slash(root.printed));
      roots_.insert(root.open_path);
    }
  }
}

bool IssueDigest::shows(const Issue& issue, std::uint64_t most) {
  if (roots_.contains(without_slash(issue.path))) return true;
  const std::string reason = reason_of(issue);
  const std::lock_guard lock(mutex_);
  if (reasons_.size() >= most_reasons && !reasons_.contains(reason)) return true;
  Reason& seen = reasons_[reason];
  const bool shows = seen.shown < most;
  ++(shows ? seen.shown : seen.others);
  return shows;
}

bool IssueDigest::keep(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  if (kept_.size() > most_kept) return false;
  kept_ += lines;
  return true;
}

std::string IssueDigest::summary() {
  const std::lock_guard lock(mutex_);
  std::string lines = std::exchange(kept_, {});
  for (const auto& [reason, seen] : reasons_) {
    if (seen.others > 0) lines += message(text::format("{}: {} more", reason, seen.others));
  }
  reasons_.clear();
  return lines;
}

}  // namespace ffind::output
