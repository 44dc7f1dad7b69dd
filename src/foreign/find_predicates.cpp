// SPDX-License-Identifier: MIT
// The table of find's predicates. See find_tree.h.
#include <algorithm>
#include <array>
#include <cctype>

#include "cli/option_table.h"
#include "foreign/find_tree.h"

namespace ffind::foreign {

namespace {

constexpr std::array predicates = {
    Predicate{"-name", Form::name, "case"},
    Predicate{"-iname", Form::name},
    Predicate{"-path", Form::path, "case"},
    Predicate{"-wholename", Form::path, "case"},
    Predicate{"-ipath", Form::path},
    Predicate{"-iwholename", Form::path},
    Predicate{"-regex", Form::regex, "case"},
    Predicate{"-iregex", Form::regex},
    Predicate{"-type", Form::type},
    Predicate{"-xtype", Form::type, "followed"},
    Predicate{"-size", Form::size},
    Predicate{"-empty", Form::flag, "--empty", "empty"},
    Predicate{"-executable", Form::flag, "", "runnable"},
    Predicate{"-readable", Form::flag, "", "readable"},
    Predicate{"-writable", Form::flag, "", "writable"},
    Predicate{"-perm", Form::permissions},
    Predicate{"-user", Form::account, "--owner", "owner"},
    Predicate{"-group", Form::account, "--group", "group"},
    Predicate{"-uid", Form::count, "--owner", "uid"},
    Predicate{"-gid", Form::count, "--group", "gid"},
    Predicate{"-nouser", Form::flag, "", "orphaned_owner"},
    Predicate{"-nogroup", Form::flag, "", "orphaned_group"},
    Predicate{"-links", Form::count, "--links", "links"},
    Predicate{"-inum", Form::count, "--inode", "inode"},
    Predicate{"-samefile", Form::file, "--samefile", "same_file"},
    Predicate{"-newer", Form::file, "--newer-than", "newer_than"},
    Predicate{"-newermm", Form::file, "--newer-than", "newer_than"},
    Predicate{"-anewer", Form::beside, "--accessed", "accessed"},
    Predicate{"-neweram", Form::beside, "--accessed", "accessed"},
    Predicate{"-cnewer", Form::beside, "--changed", "changed"},
    Predicate{"-newercm", Form::beside, "--changed", "changed"},
    Predicate{"-newerBm", Form::beside, "--created", "created"},
    Predicate{"-newermt", Form::newer, "--modified", "modified"},
    Predicate{"-newerat", Form::newer, "--accessed", "accessed"},
    Predicate{"-newerct", Form::newer, "--changed", "changed"},
    Predicate{"-newerBt", Form::newer, "--created", "created"},
    Predicate{"-mtime", Form::days, "--modified", "modified"},
    Predicate{"-atime", Form::days, "--accessed", "accessed"},
    Predicate{"-ctime", Form::days, "--changed", "changed"},
    Predicate{"-mmin", Form::minutes, "--modified", "modified"},
    Predicate{"-amin", Form::minutes, "--accessed", "accessed"},
    Predicate{"-cmin", Form::minutes, "--changed", "changed"},
    Predicate{"-lname", Form::link_text, "case"},
    Predicate{"-ilname", Form::link_text},
    Predicate{"-fstype", Form::file_system},
    Predicate{"-maxdepth", Form::max_depth},
    Predicate{"-mindepth", Form::min_depth},
    Predicate{"-files0-from", Form::root_list, "--files0-from"},
    Predicate{"-regextype", Form::syntax},
    Predicate{"-depth", Form::depth_first},
    Predicate{"-xdev", Form::nothing},
    Predicate{"-mount", Form::nothing},
    Predicate{"-follow", Form::nothing, "-L"},
    Predicate{"-daystart", Form::nothing, "midnight"},
    Predicate{"-false", Form::constant, "false"},
    Predicate{"-noleaf", Form::nothing},
    Predicate{"-warn", Form::nothing},
    Predicate{"-nowarn", Form::nothing},
    Predicate{"-true", Form::constant, "true"},
    Predicate{"-ignore_readdir_race", Form::nothing},
    Predicate{"-noignore_readdir_race", Form::nothing},
    Predicate{"-prune", Form::action, "prune"},
    Predicate{"-print", Form::action, "print"},
    Predicate{"-print0", Form::action, "-0"},
    Predicate{"-ls", Form::action, "-l"},
    Predicate{"-delete", Form::action, "--delete"},
    Predicate{"-quit", Form::action, "-1"},
    Predicate{"-printf", Form::format},
    Predicate{"-exec", Form::command, "-x"},
    Predicate{"-execdir", Form::command, "--exec-in-dir"},
    Predicate{"-ok", Form::command, "--confirm"},
    Predicate{"-okdir", Form::command, "both"},
    Predicate{"-used", Form::unknown},
    Predicate{"-context", Form::unknown},
    Predicate{"-exit", Form::unknown},
    Predicate{"-fls", Form::unknown},
    Predicate{"-fprint", Form::unknown},
    Predicate{"-fprint0", Form::unknown},
    Predicate{"-fprintf", Form::unknown},
    Predicate{"-printx", Form::unknown},
    Predicate{"-acl", Form::unknown},
    Predicate{"-flags", Form::unknown},
    Predicate{"-sparse", Form::unknown},
    Predicate{"-xattr", Form::unknown},
    Predicate{"-xattrname", Form::unknown},
    Predicate{"-Bmin", Form::unknown},
    Predicate{"-Btime", Form::unknown},
    Predicate{"-Bnewer", Form::unknown},
    Predicate{"-mnewer", Form::unknown},
    Predicate{"-not", Form::junction},
    Predicate{"-and", Form::junction},
    Predicate{"-a", Form::junction},
    Predicate{"-o", Form::junction},
    Predicate{"-or", Form::junction},
};

/// Letters in a row here, or options of fd's: find's only next to other predicates.
constexpr std::string_view of_others[] = {"-a", "-o"};

}  // namespace

const Predicate* find_predicate(std::string_view word) {
  if (word.starts_with("--") && cli::find_option(word) == nullptr) word.remove_prefix(1);
  const auto* const found =
      std::find_if(predicates.begin(), predicates.end(),
                   [&](const Predicate& predicate) { return predicate.word == word; });
  return found == predicates.end() ? nullptr : found;
}

std::string quoted(std::string_view text) {
  std::string value = "\"";
  for (const char c : text) {
    if (c == '\n') {
      value += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') value += '\\';
    value += c;
  }
  return value + '"';
}

/// A value of an expression, in quotes only where it needs them.
std::string value_of(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '/' || c == '_' ||
           c == '-';
  });
  return plain ? std::string(text) : quoted(text);
}

bool is_find_predicate(std::string_view word) {
  const bool others =
      std::find(std::begin(of_others), std::end(of_others), word) != std::end(of_others);
  return !others && find_predicate(word) != nullptr;
}

}  // namespace ffind::foreign
