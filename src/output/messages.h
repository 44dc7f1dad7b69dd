// SPDX-License-Identifier: MIT
// Messages on standard error: the wording of issues and notices, as text or NDJSON, and their
// number. Used by Output and by cli.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

#include "ffind/issue.h"
#include "ffind/plan.h"

namespace ffind::output {

/// The program whose messages these are: this one, or that whose command line is run.
struct Speaker {
  enum class Program : std::uint8_t { ffind, find, fd };
  Program program = Program::ffind;
  bool curls_quotes = false;  ///< find's, in a locale of UTF-8
};

/// Returns `ffind: PATH: reason` and a newline. Control bytes of the path are escaped, so that it
/// stays one line and cannot steer the terminal. find writes `find: 'PATH': reason`.
std::string message_of(const Issue& issue, Speaker speaker = {});

/// A word as find quotes it in its messages.
std::string quoted(std::string_view word, Speaker speaker);

/// Returns the reason without the path, in one line; control bytes are escaped.
std::string reason_of(const Issue& issue);

/// Issue about files and directories that the search needed and whose contents are only in a cloud:
/// "2 directories and 1 file are only in a cloud and were not read; --download fetches them".
Issue not_local_issue(std::uint64_t files, std::uint64_t directories);

/// Returns an NDJSON object and a newline: type "error", path (unless empty), operation, errno,
/// message.
std::string record_of(const Issue& issue);

/// Returns an NDJSON object for a notice, which is no error; `path` may be empty.
std::string notice_record(std::string_view path, std::string_view text);

/// Returns `ffind: text` and a newline. The lines of `text` are escaped, so that nothing in it can
/// steer the terminal; text that is escaped already stays as it is.
std::string message(std::string_view text, Speaker speaker = {});

/// Returns a message with "ffind:" in bold, and lines to try in green. Other lines, such as NDJSON,
/// stay as they are.
std::string colored_message(std::string_view lines);

/// Returns "1 file" or "2 files", with the number as `spell` writes it.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many,
                    std::string (*spell)(std::uint64_t) = &std::to_string);

/// Returns the system's words for an errno, e.g. "No such file or directory".
std::string reason_of(int error);

/// For a terminal: shows the first issues of each reason and counts the others. Those of the search
/// are kept until the results are printed. Thread-safe.
class IssueDigest {
 public:
  /// Issues shown of one reason: enough to see what they have in common. A failed command or
  /// deletion may need something to be done about each file.
  static constexpr std::uint64_t most_of_search = 3;
  static constexpr std::uint64_t most_of_action = 10;

  /// Issues of the roots of `plan` are always shown. Call before the first issue.
  void set_roots(const Plan& plan);
  /// Returns true if `issue` should be printed; after `most` of its reason it is counted.
  bool shows(const Issue& issue, std::uint64_t most);
  /// Keeps the message of an issue for summary(). Returns false if there are too many.
  bool keep(std::string_view lines);
  /// Returns what was kept, and a line for each reason of which some were counted.
  std::string summary();

 private:
  /// With more reasons than a reader can tell apart, every issue is printed.
  static constexpr std::size_t most_reasons = 1000;
  static constexpr std::size_t most_kept = std::size_t{1} << 20U;  ///< bytes

  struct Reason {
    std::uint64_t shown = 0;
    std::uint64_t others = 0;
  };

  std::unordered_set<std::string> roots_;
  std::mutex mutex_;
  std::map<std::string, Reason> reasons_;
  std::string kept_;
};

}  // namespace ffind::output
