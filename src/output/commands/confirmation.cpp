// SPDX-License-Identifier: MIT
// See confirmation.h.
#include "output/commands/confirmation.h"

#include "text/format.h"
#include "text/utf8.h"

namespace ffind::output {
namespace {

/// Of more than this nobody sees the beginning any more.
constexpr std::size_t longest_shown = 2000;

/// No more of it than a person sees, whole characters.
std::string beginning_of(const std::string& line) {
  if (line.size() <= longest_shown) return line;
  const std::string_view shown = text::whole_characters(line, longest_shown);
  return text::format("{}... ({} more bytes)", shown, line.size() - shown.size());
}

}  // namespace

Confirmation::Answer Confirmation::ask(const std::string& line, Writer& writer) {
  if (all_) return Answer::yes;
  const std::string question =
      text::format("{}\n  [y]es, [n]o, [a]ll, [q]uit? ", beginning_of(line));
  std::string answer;
  while (true) {
    {
      const Writer::Question asked(writer, [&] { terminal_.put(question); });
      if (!terminal_.wait_for_answer(question, answer)) return Answer::quit;
    }
    if (answer == "y" || answer == "yes") return Answer::yes;
    if (answer == "n" || answer == "no") return Answer::no;
    if (answer == "q" || answer == "quit") return Answer::quit;
    all_ = answer == "a" || answer == "all";
    if (all_) return Answer::yes;
  }
}

}  // namespace ffind::output
