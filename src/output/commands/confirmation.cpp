// SPDX-License-Identifier: MIT
// See confirmation.h.
#include "output/commands/confirmation.h"

#include "text/escape.h"
#include "text/format.h"

namespace ffind {
namespace {

/// Of more than this nobody sees the beginning any more.
constexpr std::size_t longest_shown = 2000;

}  // namespace

Confirmation::Answer Confirmation::ask(const std::string& line) {
  if (all_) return Answer::yes;
  std::string shown = text::escaped(line.substr(0, longest_shown));
  if (line.size() > longest_shown) {
    shown += text::format("... ({} more bytes)", line.size() - longest_shown);
  }
  std::string answer;
  while (true) {
    if (!terminal_.ask(text::format("{}\n  [y]es, [n]o, [a]ll, [q]uit? ", shown), answer)) {
      return Answer::quit;
    }
    if (answer == "y" || answer == "yes") return Answer::yes;
    if (answer == "n" || answer == "no") return Answer::no;
    if (answer == "q" || answer == "quit") return Answer::quit;
    all_ = answer == "a" || answer == "all";
    if (all_) return Answer::yes;
  }
}

}  // namespace ffind
