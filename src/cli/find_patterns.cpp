// SPDX-License-Identifier: MIT
// Globs, regular expressions and formats of find as ours. See find_tree.h.
#include <algorithm>
#include <utility>

#include "cli/find_tree.h"
#include "text/format.h"

namespace ffind::cli::find_habits {

/// fnmatch's glob as ours: braces are text to it, and `**` is `*`.
std::string name_glob(std::string_view glob) {
  std::string ours;
  bool in_set = false;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    if (c == '/') throw Untranslatable();  // never matches
    if (c == '\\' && i + 1 < glob.size()) {
      ours += c;
      ours += glob[++i];
      continue;
    }
    if (in_set) {
      in_set = c != ']';
    } else if (c == '[') {
      in_set = true;
      ours += c;
      if (i + 1 < glob.size() && (glob[i + 1] == '^' || glob[i + 1] == '!')) {
        ours += '!';
        ++i;
      }
      if (i + 1 < glob.size() && glob[i + 1] == ']') ours += glob[++i];
      continue;
    } else if (c == '{' || c == '}') {
      ours += '\\';
    } else if (c == '*' && ours.ends_with('*') && !ours.ends_with("\\*")) {
      continue;
    }
    ours += c;
  }
  return ours;
}

/// The path that find prints begins with the root: what of the pattern is left below it. A star in
/// front of a slash may be all of the root's.
std::string below_root(std::string text, const Words& roots) {
  const std::string root = roots.empty() ? "." : roots.front();
  std::string prefix = root;
  if (!prefix.ends_with('/')) prefix += '/';
  if (text.starts_with("*")) return text;
  if (roots.size() > 1 || !text.starts_with(prefix)) throw Untranslatable();
  return text.substr(prefix.size());
}

std::string path_glob(const std::string& typed, const Words& roots) {
  return crossing_glob(below_root(typed, roots));
}

std::string crossing_glob(std::string_view glob) {
  std::string ours;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    const bool at_start = i == 0;
    const bool before_slash = i + 1 < glob.size() && glob[i + 1] == '/';
    const bool after_slash = !at_start && glob[i - 1] == '/';
    if (c == '\\' && i + 1 < glob.size()) {
      ours += c;
      ours += glob[++i];
    } else if (c == '?' || c == '[') {
      throw Untranslatable();  // would match a slash there, and none here
    } else if (c == '{' || c == '}') {
      ours += '\\';
      ours += c;
    } else if (c != '*') {
      ours += c;
    } else if (after_slash && before_slash) {
      ours += "*/**";  // one directory at least
    } else {
      ours += "**";
    }
  }
  if (ours.empty()) throw Untranslatable();
  return ours;
}

/// Emacs' syntax, which is find's: groups and alternatives have a backslash, braces are text.
std::string from_emacs(std::string_view text) {
  std::string ours;
  bool in_set = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_set) {
      in_set = c != ']';
      ours += c == '\\' ? "\\\\" : std::string(1, c);
    } else if (c == '[') {
      in_set = true;
      ours += c;
      if (i + 1 < text.size() && text[i + 1] == '^') ours += text[++i];
      if (i + 1 < text.size() && text[i + 1] == ']') {
        ours += "\\]";
        ++i;
      }
    } else if (c == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      const bool special = std::string_view("()|").find(next) != std::string_view::npos;
      if (!special) ours += '\\';
      ours += next;
    } else {
      if (std::string_view("(){}|").find(c) != std::string_view::npos) ours += '\\';
      ours += c;
    }
  }
  return ours;
}

std::string path_regex(std::string text, const Words& roots) {
  if (text.starts_with("^")) text.erase(0, 1);
  if (text.ends_with("$") && !text.ends_with("\\$")) text.pop_back();
  for (const std::string_view any : {".*/", ".+/"}) {
    if (!text.starts_with(any)) continue;
    return "(^|/)" + text.substr(any.size()) + "$";
  }
  if (text.starts_with(".*")) return text.substr(2) + "$";
  const std::string root = roots.empty() ? "." : roots.front();
  std::string escaped_root;
  for (const char c : root + "/") escaped_root += (c == '.' ? "\\" : "") + std::string(1, c);
  for (const std::string& prefix : {escaped_root, root + "/"}) {
    if (roots.size() > 1 || !text.starts_with(prefix)) continue;
    return "^" + text.substr(prefix.size()) + "$";
  }
  throw Untranslatable();
}

// --- Formats

std::string template_of(std::string_view format, bool& null) {
  null = false;
  if (format.ends_with("\\n")) {
    format.remove_suffix(2);
  } else if (format.ends_with("\\0")) {
    format.remove_suffix(2);
    null = true;
  } else {
    throw Untranslatable();
  }
  constexpr std::pair<char, std::string_view> fields[] = {
      {'p', "path"},     {'P', "relative"}, {'f', "name"},   {'h', "dir"},  {'s', "size"},
      {'u', "owner"},    {'g', "group"},    {'U', "uid"},    {'G', "gid"},  {'n', "links"},
      {'i', "inode"},    {'d', "depth"},    {'l', "target"}, {'m', "mode"}, {'y', "type"},
      {'t', "modified"}, {'a', "accessed"}, {'c', "changed"}};
  std::string ours;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    if (c == '{' || c == '}') {
      ours += std::string(2, c);
    } else if (c == '\\') {
      if (i + 1 == format.size()) throw Untranslatable();
      const char next = format[++i];
      if (next != 't' && next != '\\') throw Untranslatable();
      ours += next == 't' ? "\t" : "\\";
    } else if (c != '%') {
      ours += c;
    } else if (++i == format.size()) {
      throw Untranslatable();
    } else if (format[i] == '%') {
      ours += '%';
    } else if (format[i] == 'T' || format[i] == 'A' || format[i] == 'C') {
      const std::string_view field = format[i] == 'T'   ? "modified"
                                     : format[i] == 'A' ? "accessed"
                                                        : "changed";
      if (++i == format.size()) throw Untranslatable();
      ours += format[i] == '@' ? text::format("{{{}:epoch}}", field)
                               : text::format("{{{}:%{}}}", field, format[i]);
    } else {
      const auto* const field =
          std::find_if(std::begin(fields), std::end(fields),
                       [&](const auto& each) { return each.first == format[i]; });
      if (field == std::end(fields)) throw Untranslatable();
      ours += text::format("{{{}}}", field->second);
    }
  }
  return ours;
}

}  // namespace ffind::cli::find_habits
