// SPDX-License-Identifier: MIT
// The question before an action on many matches, and the error for a command that can take one
// match only. A Sorter passes the matches on twice, so they are kept once:
//
//     Sorter ─▶ take()       adds up numbers and sizes, keeps the first names
//               agreed()     refuses, or asks
//     Sorter ─▶ take()       the same matches ─▶ still what they were? ─▶ the stage that acts
//
// The answer may come an hour later. The Deleter compares entries before it deletes them; for
// commands this stage does.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include "output/commands/action_stage.h"
#include "output/directory_sums.h"
#include "output/messages.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/ranges.h"

namespace ffind::output {
namespace {

constexpr std::uint64_t names_shown = 3;

/// "1.2 GB"
std::string size_text(std::uint64_t bytes) {
  std::string text;
  text::append_human_size(text, bytes, text::SizeUnits::decimal);
  text.insert(std::min(text.find_first_not_of("0123456789."), text.size()), " ");
  return text + 'B';
}

}  // namespace

void ActionTally::add(const os::Identity& identity) {
  const bool is_directory = identity.type == FileType::directory;
  ++(is_directory ? directories_ : files_);
  if (identity.type == FileType::file) add_up(bytes_, identity.size);
}

std::string ActionTally::text() const {
  std::string directories = counted(directories_, "directory", "directories");
  if (files_ == 0) return directories;
  const std::string files =
      text::format("{}, {}", counted(files_, "file", "files"), size_text(bytes_));
  return directories_ == 0 ? files : text::format("{}, and {}", files, directories);
}

AskingStage::AskingStage(const ActionContext& context, std::unique_ptr<ActionStage> next)
    : context_(context), next_(std::move(next)) {
  if (context_.action.asks) confirmation_.emplace("the question before an action needs a terminal");
}

bool AskingStage::take(std::span<const Match> matches) {
  for (const Match& match : matches) {
    if (!agreed_) {
      note(match);
    } else if (is_still(match) && !next_->take({&match, 1})) {
      return false;
    }
  }
  return true;
}

void AskingStage::note(const Match& match) {
  if (tally_.number() == 0) first_ = first_command(match);
  if (tally_.number() < names_shown) {
    names_ += "\n  ";
    text::append_escaped(names_, match.path);
  }
  tally_.add(match.identity);
}

bool AskingStage::agreed() {
  const std::string& refusal = context_.action.refusal_of_more;
  refused_ = !refusal.empty() && tally_.number() > 1;
  if (refused_) context_.writer.write_message(message(refusal));
  if (refused_ || tally_.number() == 0) return false;
  agreed_ = !confirmation_ || confirmation_->ask(question(), context_.writer, "[y]es, [n]o") ==
                                  Confirmation::Answer::yes;
  return agreed_;
}

/// Returns the commands as they would run for `match`; empty for a deletion.
std::string AskingStage::first_command(const Match& match) const {
  const Action& action = context_.action;
  const auto [directory, name] = split_path(match.path);
  const std::string path = action.in_directory ? "./" + std::string(name) : std::string(match.path);
  std::string_view values = match.text;
  std::string line;
  for (const CommandTemplate& command : action.commands) {
    if (missing_field(command, values) != nullptr) break;
    line += line.empty() ? "" : "; ";
    line += line_in(action.in_directory ? directory : "", expand(command, &path, 1, values),
                    text::QuotedFor::terminal);
  }
  return line;
}

/// "run rm {} on 7 files, 1.2 GB, and 1 directory with all that it contains", the first names, and
/// the first command.
std::string AskingStage::question() const {
  const Action& action = context_.action;
  std::string what = action.kind == ActionKind::remove    ? "delete "
                     : action.kind == ActionKind::trash   ? "move to the Trash "
                     : action.kind == ActionKind::restore ? "restore "
                                                          : "run ";
  for (const CommandTemplate& command : action.commands) {
    if (&command != &action.commands.front()) what += "; ";
    what += command.line;
  }
  if (!action.commands.empty()) what += " on ";
  what += tally_.text();
  if (tally_.directories() > 0) {
    const bool one = tally_.directories() == 1;
    what += action.kind == ActionKind::remove && !action.in_trash
                ? (one ? " if it is empty by then" : " if they are empty by then")
                : (one ? " with all that it contains" : " with all that they contain");
  }
  what += names_;
  if (tally_.number() > names_shown) {
    what += text::format("\n  and {} more", tally_.number() - names_shown);
  }
  if (!first_.empty()) {
    const bool goes_on = action.kind == ActionKind::batch && tally_.number() > 1;
    what += text::format("\n  first: {}{}", first_, goes_on ? " ..." : "");
  }
  return what;
}

/// True if the path still leads to the file that was found. Reports if it leads to another; one
/// that is gone is skipped, as in a search.
bool AskingStage::is_still(const Match& match) {
  const Action& action = context_.action;
  if (action.commands.empty() || !action.asks) return true;
  const os::Identity& found = match.identity;
  // A root that is a link is found as its target; a broken link as itself.
  const bool follow = (action.follow || match.is_root) && found.type != FileType::symlink;
  os::Identity now;
  const int error = os::identify(std::string(match.path), follow, now);
  if (error == ENOENT) return false;
  if (error == 0 && now.id == found.id && now.type == found.type) return true;
  failed_ = true;
  context_.report({std::string(match.path), "run", error,
                   error == 0 ? "it is no longer what was found" : std::string()});
  return false;
}

}  // namespace ffind::output
