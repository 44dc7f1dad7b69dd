// SPDX-License-Identifier: MIT
// See foreign_options.h.
#include "foreign/tables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/option_table.h"

namespace ffind::foreign {
namespace {

constexpr std::array foreign_options = {
    // fd
    Foreign{"-c", Program::fd, Turn::value, "--color"},
    Foreign{"-o", Program::fd, Turn::value, "--owner"},
    Foreign{"--and", Program::fd, Turn::where_regex},
    Foreign{"--fixed-strings", Program::fd, Turn::drop},
    Foreign{"--strip-cwd-prefix", Program::fd, Turn::drop},
    Foreign{"--no-ignore-parent", Program::fd, Turn::drop},
    Foreign{"--no-global-ignore-file", Program::fd, Turn::drop},
    Foreign{"--no-require-git", Program::fd, Turn::drop},
    Foreign{"--require-git", Program::fd, Turn::drop},
    Foreign{"--show-errors", Program::fd, Turn::drop},
    Foreign{"--relative-path", Program::fd, Turn::drop},
    Foreign{"--has-results", Program::fd, Turn::flag, "-q"},
    Foreign{"--max-one-result", Program::fd, Turn::flag, "-1"},
    Foreign{"--ignore-file", Program::fd, Turn::value, "--exclude-from"},
    Foreign{"--max-buffer-time", Program::fd, Turn::drop_value},
    Foreign{"--path-separator", Program::fd, Turn::drop_value},
    Foreign{"--maxdepth", Program::unknown, Turn::value, "-d"},
    Foreign{"--mindepth", Program::unknown, Turn::value, "--min-depth"},
    // rg
    Foreign{"--files", Program::rg, Turn::flag, "-t f"},
    Foreign{"--iglob", Program::rg, Turn::value, "-i -g"},
    Foreign{"--files-with-matches", Program::grep, Turn::value, "--contains-regex"},
    Foreign{"--max-filesize", Program::rg, Turn::at_most, "-S"},
    Foreign{"--sort-files", Program::rg, Turn::value, "--sort path"},
    Foreign{"--sortr", Program::rg, Turn::value, "--sort -"},
    Foreign{"--no-heading", Program::rg, Turn::drop},
    Foreign{"--smart-case", Program::unknown, Turn::drop},
    Foreign{"--no-ignore-dot", Program::rg, Turn::drop},
    Foreign{"--no-ignore-files", Program::rg, Turn::drop},
    // grep
    Foreign{"--include", Program::grep, Turn::value, "-g"},
    Foreign{"--exclude-dir", Program::grep, Turn::value, "-E /"},
    Foreign{"--recursive", Program::unknown, Turn::drop},
    Foreign{"--grep", Program::unknown, Turn::value, "--contains-regex"},
    Foreign{"--content", Program::unknown, Turn::value, "--contains"},
    Foreign{"--contents", Program::unknown, Turn::value, "--contains"},
    // locate
    Foreign{"-b", Program::locate, Turn::drop},
    Foreign{"--basename", Program::locate, Turn::drop},
    Foreign{"--existing", Program::locate, Turn::drop},
    Foreign{"--all", Program::locate, Turn::drop},
    Foreign{"--regexp", Program::locate, Turn::value, "-e"},
    // mdfind
    Foreign{"-onlyin", Program::mdfind, Turn::value, "--in"},
    Foreign{"-count", Program::mdfind, Turn::flag, "--count"},
    Foreign{"-live", Program::mdfind, Turn::drop},
    Foreign{"-literal", Program::mdfind, Turn::drop},
    // words that several have, or none
    Foreign{"--zero", Program::unknown, Turn::flag, "--null"},
    Foreign{"--date", Program::unknown, Turn::value, "--modified"},
    Foreign{"--time", Program::unknown, Turn::value, "--modified"},
    Foreign{"--permission", Program::unknown, Turn::value, "--perm"},
    Foreign{"--permissions", Program::unknown, Turn::value, "--perm"},
    Foreign{"--mode", Program::unknown, Turn::value, "--perm"},
    Foreign{"--bytes", Program::unknown, Turn::value, "--size"},
    Foreign{"--since", Program::unknown, Turn::value, "--newer-than"},
    Foreign{"--after", Program::unknown, Turn::value, "--newer-than"},
    Foreign{"--before", Program::unknown, Turn::value, "--older-than"},
    Foreign{"--until", Program::unknown, Turn::value, "--older-than"},
    Foreign{"--pattern", Program::unknown, Turn::value, "-e"},
    Foreign{"--head", Program::unknown, Turn::value, "--limit"},
    Foreign{"--reverse", Program::unknown, Turn::drop},
    Foreign{"--dir", Program::unknown, Turn::value, "--in"},
    Foreign{"--directory", Program::unknown, Turn::value, "--in"},
    Foreign{"--path", Program::unknown, Turn::value, "--in"},
    Foreign{"--root", Program::unknown, Turn::value, "--in"},
    Foreign{"--verbose", Program::unknown, Turn::flag, "--stats"},
};

}  // namespace

const Foreign* find_foreign(std::string_view name) {
  const auto* const found = std::find_if(foreign_options.begin(), foreign_options.end(),
                                         [&](const Foreign& row) { return row.name == name; });
  return found == foreign_options.end() ? nullptr : found;
}

std::string extensions_of(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"py", "py,pyi"},
      {"rust", "rs"},
      {"js", "js,jsx,mjs,cjs,vue"},
      {"ts", "ts,tsx"},
      {"md", "markdown,md,mdown,mkdn,mdx,mkd"},
      {"markdown", "markdown,md,mdown,mkdn,mdx,mkd"},
      {"cpp", "C,H,cc,cpp,cxx,h,hh,hpp,hxx,inl"},
      {"c", "c,h,H"},
      {"ruby", "rb,rbw"},
      {"html", "htm,html,ejs"},
      {"yaml", "yaml,yml"},
      {"txt", "txt"},
      {"json", "json"},
      {"css", "css,scss"},
      {"go", "go"},
      {"java", "java,jsp"}};
  for (const auto& [name, extensions] : types) {
    if (name == type) return std::string(extensions);
  }
  return {};
}

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

bool is_find_predicate(std::string_view word) {
  const bool others =
      std::find(std::begin(of_others), std::end(of_others), word) != std::end(of_others);
  return !others && find_predicate(word) != nullptr;
}

}  // namespace ffind::foreign
