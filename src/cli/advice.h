// SPDX-License-Identifier: MIT
// Advice on a command line: the corrected line of a usage error, and hints at what else may have
// been meant by a search that is over.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/request.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/searcher.h"
#include "foreign/foreign.h"

namespace ffind::cli {

/// The answer to words that are a usage error: a line that is run in their place, or a message.
struct Answer {
  UsageParts message{};           ///< with the corrected line, or the reason why there is none
  std::optional<Options> line{};  ///< to run; its `words` are the line to show
  /// To run in place of `line`, by the rules of find.
  std::optional<foreign::FindSearch> find{};
  bool is_of_fd = false;  ///< the words are to be run by the rules of fd
};

/// Looks for a line to run if the words are a command line of another program: one of find's is
/// itself. It is run if it is certain and only looks, else part of the message. Reads the disk, and
/// may throw what that throws.
Answer answer_to(UsageParts parts, const std::vector<std::string>& words);

/// True if hints are printed, and lines that are run: at a terminal only, since programs read the
/// status.
bool gives_hints(const Options& options);

/// Access to the disk, the clock and the parser for foreign/.
foreign::Host foreign_host();

/// True if GNU's find warns of odd lines by default.
bool find_warns();

/// Throws UsageError for `--usage 2` in a directory without an entry 2.
void refuse_loose_levels(const Options& typed);

/// A variant of the search that is observed while it runs, for a hint, mostly if nothing is found.
struct Variation {
  foreign::Variant kind;
  std::string option{};  ///< the option of the configuration that is left out, or the glob
  std::string place{};   ///< "in PATH, line 3"; empty if the whole configuration is left out
  std::unique_ptr<NearMiss> near;
  bool after_match = false;  ///< observed after a match, too
};

/// Adds variants to the query, to observe them for hints_after(): without regard to case,
/// diacritics, or both; with the words of TEXT in any order, or its word spelt a little otherwise;
/// with a glob for a part of the name; with documents for --contains; without each option of the
/// configuration; without all of them. None for a search that acts: a hint would make it act on
/// more files.
std::vector<Variation> observe_variations(Request& request, const Accounts& accounts);

/// Throws UsageError for a search with an action that may have been meant for other files.
/// `dropped` are the roots that the plan left to others.
void refuse_doubtful_action(const Request& request, const std::vector<DroppedRoot>& dropped);

/// A search below the directory that TEXT is the name of: the other reading of a line with a filter
/// or a format and no PATH, and the one that was meant if nothing else is found. None for a search
/// that acts or has a limit.
class DirectoryReading {
 public:
  explicit DirectoryReading(const Request& request);

  /// `condition`, which may be null, for a search that notes matches other than the directory.
  std::function<bool(Entry&)> observed(std::function<bool(Entry&)> condition);
  /// The message after a search with this number of matches, for programs, too; empty if there is
  /// nothing to say, or if the configuration hid a match.
  std::string message(std::uint64_t matches, const std::vector<Variation>& variations) const;
  /// The words to run, at a terminal; empty if the message offers them.
  std::vector<std::string> line_to_run() const;

 private:
  bool is_said_ = false;
  bool is_run_ = false;
  std::string directory_;          ///< without a slash at its end
  std::vector<std::string> line_;  ///< empty: there is no other reading
  std::atomic<bool> has_others_{false};
};

/// The words that find all of the words of a search in any order, for `shopping list` without a
/// path `list` or one that is spelt like it. Empty if that is not certain, and not at a terminal.
std::vector<std::string> line_of_words(const Request& request);

/// Messages on skipped volumes and unlikely searches, at a terminal only.
std::vector<std::string> hints_after(const Request& request,
                                     const std::vector<Variation>& variations,
                                     const std::vector<DroppedRoot>& dropped,
                                     const SearchResult& result);

}  // namespace ffind::cli
