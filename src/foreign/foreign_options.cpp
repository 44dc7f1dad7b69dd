// SPDX-License-Identifier: MIT
// See foreign_options.h.
#include "foreign/foreign_options.h"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace ffind::foreign
