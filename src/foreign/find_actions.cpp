// SPDX-License-Identifier: MIT
// Actions of find as ours: commands one after another become one, and silent ones conditions. Lines
// that do more than one thing for an entry have no translation, but can be run by --as find.
#include <algorithm>

#include "foreign/find_line.h"
#include "text/paths.h"

namespace ffind::foreign {

using cli::Given;
using cli::Id;

namespace {

using Action = std::vector<Given>;

/// Name and arguments of the command in `action`, without the shell that parse_command() puts
/// before them; empty if the action runs none. The program's directory is taken off: "/bin/echo a"
/// is "echo", "a".
Words program_of(const Action& action) {
  if (action.empty() || action.back().command.empty()) return {};
  Words words = action.back().command;
  if (words.size() > 4 && words[0] == "sh" && words[2] == "\"$@\"" && words[3] == "{}") {
    words.erase(words.begin(), words.begin() + 4);
  }
  words.front() = std::string(text::name_of(words.front()));
  return words;
}

/// True for commands known to print nothing and to change nothing. They may run for fewer entries
/// than find runs them for, and as --if, which drops their output. grep -q, in any cluster of
/// letters with a q, is; plain grep prints.
bool is_silent(const Action& action) {
  const Words words = program_of(action);
  if (words.empty() || action.front().id != Id::exec) return false;
  if (lists("test [ true false :", words.front())) return true;
  const bool greps = lists("grep egrep fgrep zgrep rg", words.front());
  return words.size() > 1 &&
         ((greps && (lists("--quiet --silent", words[1]) ||
                     (words[1].size() > 1 && words[1][0] == '-' && words[1][1] != '-' &&
                      words[1].find('q') != std::string::npos))) ||
          (words.front() == "cmp" && words[1] == "-s"));
}

bool is_only(const Action& action, Id id) {
  return action.size() == 1 && action.front().id == id;
}

/// Actions one after another at the end of a conjunction as one, with our words:
///
///     -print                     print
///     -print -quit               -1
///     -print0 -quit              -0 -1
///     -exec A ; -exec B ;        -x A ; -x B
///     -print -delete             none: ours prints or acts, not both
///     -quit                      none: find prints nothing then
Node bundle_of(const std::vector<Node>& actions) {
  Node bundle = actions.front();
  if (is_only(bundle.action, Id::one)) throw Untranslatable{bundle.word};
  if (actions.size() == 1) return bundle;
  const auto refuse = [&](const Node& with) {
    const bool same = bundle.word == with.word;
    throw Untranslatable{same ? with.word : bundle.word + " " + with.word};
  };
  const Node& last = actions.back();
  if (actions.size() == 2 && is_only(last.action, Id::one)) {
    if (is_only(bundle.action, Id::remove)) refuse(last);
    // The search ends at the first entry if the command succeeds. With -X, it runs after the
    // search.
    const Words command = program_of(bundle.action);
    if (!command.empty() && bundle.action.front().id != Id::exec_batch &&
        !lists("echo printf true", command.front())) {
      refuse(last);
    }
    bundle.action.insert(command.empty() ? bundle.action.end() : bundle.action.begin(),
                         {.id = Id::one});
    return bundle;
  }
  // Each command runs if the one before it succeeded, here too.
  bundle.action.clear();
  for (const Node& each : actions) {
    if (!is_only(each.action, Id::exec)) refuse(&each == actions.data() ? actions[1] : each);
    bundle.action.push_back(each.action.front());
  }
  return bundle;
}

}  // namespace

bool runs_command(const Action& action) {
  return !program_of(action).empty();
}

/// Actions at the end of a conjunction become one; a silent command before something else, as in
/// `-exec grep -q x {} ; -print`, becomes a test, our --if. Under a negation a command's exit
/// status counts, so it has to be silent.
void FindLine::collapse_actions(Node& node, bool is_negated) {
  if (node.kind == Kind::action) {
    if (!is_negated) {
      node = bundle_of({node});
      return;
    }
    if (!is_silent(node.action)) throw Untranslatable{node.word};
    node.kind = Kind::command;
    return;
  }
  if (node.kind == Kind::all) {
    std::size_t first = node.nodes.size();
    while (first > 0 && node.nodes[first - 1].kind == Kind::action && !is_negated) --first;
    // `-exec test ... ; -print`: the leading ones are conditions, also before a batch or a command
    // with --confirm or --exec-in-dir. A chain of -x stays one: each runs only if the one before it
    // succeeded.
    while (first + 1 < node.nodes.size() && is_silent(node.nodes[first].action) &&
           !is_only(node.nodes.back().action, Id::exec)) {
      ++first;
    }
    const std::vector<Node> actions(node.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                                    node.nodes.end());
    node.nodes.resize(first);
    for (Node& inner : node.nodes) {
      if (inner.kind == Kind::action) {
        // An action in the middle, with tests after it.
        if (!is_silent(inner.action)) throw Untranslatable{inner.word};
        inner.kind = Kind::command;
      } else {
        collapse_actions(inner, is_negated);
      }
    }
    if (!actions.empty()) node.nodes.push_back(bundle_of(actions));
    return;
  }
  for (Node& inner : node.nodes) {
    collapse_actions(inner, is_negated || node.kind == Kind::negation);
  }
}

}  // namespace ffind::foreign
