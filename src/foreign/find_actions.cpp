// SPDX-License-Identifier: MIT
// Actions of find as ours: what several of them one after another do, and which are conditions.
//
// Ours prints or runs commands, and find does both. So lines become one template, and a line
// between commands is one of printf(1).
#include <algorithm>

#include "foreign/find_line.h"
#include "text/paths.h"

namespace ffind::foreign {

namespace {

/// Name and arguments of the command in `action`, without the shell that parse_command() puts
/// before them; empty if the action runs none. The program's directory is taken off: "/bin/echo a"
/// is "echo", "a".
Words program_of(const Words& action) {
  auto first = std::find_if(action.begin(), action.end(),
                            [](const std::string& word) { return word == "-x" || word == "-X"; });
  if (first == action.end() || ++first == action.end()) return {};
  Words words(first, action.end());
  if (words.size() > 4 && words[0] == "sh" && words[2] == "\"$@\"" && words[3] == "{}") {
    words.erase(words.begin(), words.begin() + 4);
  }
  words.front() = std::string(text::name_of(words.front()));
  return words;
}

/// True for commands known to print nothing and to change nothing. They may run for fewer entries
/// than find runs them for, and as --if, which drops their output. grep -q, in any cluster of
/// letters with a q, is; plain grep prints.
bool is_silent(const Words& action) {
  const Words words = program_of(action);
  if (action.front() != "-x" || words.empty()) return false;
  if (lists("test [ true false :", words.front())) return true;
  const bool greps = lists("grep egrep fgrep zgrep rg", words.front());
  return words.size() > 1 &&
         ((greps && (lists("--quiet --silent", words[1]) ||
                     (words[1].size() > 1 && words[1][0] == '-' && words[1][1] != '-' &&
                      words[1].find('q') != std::string::npos))) ||
          (words.front() == "cmp" && words[1] == "-s"));
}

bool prints_paths(const Words& action) {
  return action == Words{"print"} || action == Words{"-0"};
}

/// Several lines for each entry as one template. nullopt if an action prints no line, or if some
/// end with a line end and others with a NUL.
std::optional<Words> joined_templates(const std::vector<Node>& actions) {
  const bool null = actions.back().action.back() == "-0";
  std::string all;
  for (const Node& each : actions) {
    const bool has_template = each.action.front() == "--format";
    if ((!has_template && !prints_paths(each.action)) || (each.action.back() == "-0") != null) {
      return std::nullopt;
    }
    if (!all.empty()) all += null ? "\\0" : "\\n";
    all += has_template ? each.action[1] : "{path}";
  }
  Words words = {"--format", all};
  if (null) words.emplace_back("-0");
  return words;
}

/// Actions one after another at the end of a conjunction as one, with our words. A path is printed
/// between commands by printf(1), which unlike echo changes no name.
///
///     -print                     print
///     -print -quit               -1
///     -print0 -quit              -0 -1
///     -print -printf '%s\n'      --format '{path}\n{size}'
///     -exec A ; -exec B ;        -x A ; -x B
///     -print -exec A ;           -x printf '%s\n' {} ; -x A
///     -print -delete             none: ours prints or acts, not both
///     -quit                      none: find prints nothing then
Node bundle_of(const std::vector<Node>& actions) {
  std::vector<Node> kept = actions;
  const bool quits = kept.back().action == Words{"-1"};
  if (quits) kept.pop_back();
  Node bundle = kept.empty() ? actions.back() : Node(kept.front());
  const auto refuse = [&](const Node& with) {
    const bool same = bundle.word == with.word;
    throw Untranslatable{same ? with.word : bundle.word + " " + with.word};
  };
  for (const Node& each : kept) {
    if (each.action == Words{"-1"}) throw Untranslatable{each.word};
  }
  if (kept.empty()) throw Untranslatable{bundle.word};  // -quit alone prints nothing
  if (quits) {
    if (kept.size() != 1 || bundle.action.front() == "--delete") refuse(actions.back());
    // The search ends at the first entry if the command succeeds. With -X, it runs after the
    // search.
    const Words command = program_of(bundle.action);
    const bool runs = !command.empty();
    if (runs && bundle.action.front() != "-X" && !lists("echo printf true", command.front())) {
      refuse(actions.back());
    }
    if (bundle.action == Words{"print"}) bundle.action.clear();
    bundle.action.insert(runs ? bundle.action.begin() : bundle.action.end(), "-1");
    return bundle;
  }
  if (kept.size() == 1) return bundle;
  if (auto joined = joined_templates(kept)) {
    bundle.action = std::move(*joined);
    return bundle;
  }
  const bool runs = std::any_of(kept.begin(), kept.end(),
                                [](const Node& each) { return runs_command(each.action); });
  if (!runs) refuse(kept[1]);
  // Each command runs if the one before it succeeded, here too; printing always does.
  bundle.action.clear();
  for (const Node& each : kept) {
    Words command = each.action;
    if (prints_paths(command)) {
      command = {"-x", "printf", command.front() == "-0" ? "%s\\0" : "%s\\n", "{}"};
    }
    if (command.front() != "-x") refuse(&each == kept.data() ? kept[1] : each);
    if (!bundle.action.empty()) bundle.action.emplace_back(";");
    bundle.action.insert(bundle.action.end(), command.begin(), command.end());
  }
  return bundle;
}

}  // namespace

bool runs_command(const Words& action) {
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
           node.nodes.back().action.front() != "-x") {
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
