// SPDX-License-Identifier: MIT
// A row for each option of fd 10, with what it takes and what it takes back; conflicts; and their
// errors, which make status 2.
#include "foreign/fd_options.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "foreign/tables.h"
#include "text/ascii.h"
#include "text/format.h"

namespace ffind::foreign {

using cli::Id;

/// `names` has the main one first; the names in `undoes` are taken back by this one.
struct FdRow {
  enum class Takes : unsigned char { nothing, value, any_value, equals, command };

  std::string_view names;
  char letter = 0;
  Takes takes = Takes::nothing;
  std::string_view value{};  ///< in messages
  std::string_view undoes{};

  std::string_view name() const { return names.substr(0, names.find(' ')); }
};

namespace {

using Takes = FdRow::Takes;

constexpr FdRow rows[] = {
    {"hidden", 'H'},
    {.names = "no-hidden", .undoes = "hidden unrestricted"},
    {"no-ignore", 'I'},
    {.names = "ignore", .undoes = "no-ignore unrestricted"},
    {"no-ignore-vcs"},
    {.names = "ignore-vcs", .undoes = "no-ignore-vcs"},
    {"no-require-git"},
    {.names = "require-git", .undoes = "no-require-git"},
    {"no-ignore-parent"},
    {.names = "ignore-parent", .undoes = "no-ignore-parent"},
    {"no-global-ignore-file"},
    {"unrestricted", 'u'},
    {"case-sensitive", 's', Takes::nothing, {}, "ignore-case"},
    {"ignore-case", 'i', Takes::nothing, {}, "case-sensitive"},
    {"glob", 'g', Takes::nothing, {}, "regex"},
    {.names = "regex", .undoes = "glob"},
    {"fixed-strings literal", 'F'},
    {"exact"},
    {"and", 0, Takes::any_value, "pattern"},
    {"absolute-path", 'a'},
    {.names = "relative-path", .undoes = "absolute-path"},
    {"list-details", 'l'},
    {"follow dereference", 'L'},
    {.names = "no-follow", .undoes = "follow"},
    {"full-path", 'p'},
    {"print0", '0'},
    {"max-depth maxdepth", 'd', Takes::value, "depth"},
    {"min-depth mindepth", 0, Takes::value, "depth"},
    {"exact-depth", 0, Takes::value, "depth"},
    {"exclude", 'E', Takes::value, "glob"},
    {"prune"},
    {"type", 't', Takes::value, "filetype"},
    {"extension", 'e', Takes::value, "ext"},
    {"size", 'S', Takes::any_value, "size"},
    {"changed-within change-newer-than newer changed-after", 0, Takes::value, "date|dur"},
    {"changed-before change-older-than older", 0, Takes::value, "date|dur"},
    {"owner", 'o', Takes::value, "user:group"},
    {"format", 0, Takes::value, "fmt"},
    {"exec", 'x', Takes::command, "cmd"},
    {"exec-batch", 'X', Takes::command, "cmd"},
    {"batch-size", 0, Takes::value, "size"},
    {"ignore-file", 0, Takes::value, "path"},
    {"color", 'c', Takes::value, "when"},
    {"hyperlink hyper", 0, Takes::equals, "when"},
    {"ignore-contain", 0, Takes::value, "name"},
    {"threads", 'j', Takes::value, "num"},
    {"max-buffer-time", 0, Takes::value, "milliseconds"},
    {"max-results", 0, Takes::value, "count", "1"},
    {"1", '1', Takes::nothing, {}, "max-results"},
    {"quiet has-results", 'q'},
    {"show-errors"},
    {"base-directory", 'C', Takes::value, "path"},
    {"path-separator", 0, Takes::value, "separator"},
    {"search-path", 0, Takes::value, "search-path"},
    {"strip-cwd-prefix", 0, Takes::equals, "when"},
    {"one-file-system mount xdev"},
    {"gen-completions", 0, Takes::equals, "shell"},
    {"help", 'h'},
    {"version", 'V'},
    {"explain"},  // ours
};

/// Options that fd does not take together: one, and the others.
constexpr std::pair<std::string_view, std::string_view> conflicts[] = {
    {"glob", "fixed-strings"},
    {"exact", "glob fixed-strings"},
    {"list-details", "absolute-path print0 format max-results quiet 1"},
    {"exact-depth", "max-depth min-depth"},
    {"prune", "size exact-depth"},
    {"exec", "list-details max-results quiet 1"},
    {"exec-batch", "exec list-details max-results quiet 1"},
    {"quiet", "max-results"},
    {"strip-cwd-prefix", "search-path"},
};

[[noreturn]] void refuse_usage(std::string_view what, std::string_view usage = {}) {
  throw UsageError(fd_usage_error(what, usage));
}

const FdRow* find_row(std::string_view name) {
  const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                       [&](const FdRow& one) { return lists(one.names, name); });
  return row == std::end(rows) ? nullptr : row;
}

/// As fd's messages name it: "--max-depth <depth>".
std::string shown(const FdRow& row) {
  if (row.name() == "1") return "-1";
  std::string text = "--" + std::string(row.name());
  if (row.takes == Takes::equals) return text + "[=<" + std::string(row.value) + ">]";
  if (row.takes != Takes::nothing) text += " <" + std::string(row.value) + ">";
  return row.takes == Takes::command ? text + "..." : text;
}

[[noreturn]] void refuse_word(const std::string& word) {
  refuse_usage(text::format("unexpected argument '{}' found", word));
}

[[noreturn]] void refuse_missing(const FdRow& row) {
  refuse_usage(text::format("a value is required for '{}' but none was supplied", shown(row)), "-");
}

}  // namespace

std::string fd_usage_error(std::string_view what, std::string_view usage) {
  std::string text = "error: " + std::string(what) + "\n\n";
  if (usage != "-") {
    text.append("Usage: ").append(usage.empty() ? "fd [OPTIONS] [pattern] [path]..." : usage);
    text += "\n\n";
  }
  return text + "For more information, try '--help'.\n";
}

void refuse_fd_value(const std::string& value, std::string_view name, std::string_view why) {
  refuse_usage(text::format("invalid value '{}' for '{}': {}", value, shown(*find_row(name)), why),
               "-");
}

std::uint64_t fd_number(const std::string& value, std::string_view name) {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc{} || stop != end) {
    refuse_fd_value(value, name, "invalid digit found in string");
  }
  return number;
}

FdOptions::FdOptions(const Words& words) : words_(words) {
  for (at_ = 0; at_ < words_.size();) {
    const std::string& word = words_[at_++];
    if (word == "--") {
      operands_.insert(operands_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_),
                       words_.end());
      break;
    }
    if (word.starts_with("--")) {
      take_long(word);
    } else if (word.size() > 1 && word.front() == '-') {
      take_letters(word);
    } else {
      operands_.push_back(word);
    }
  }
  check();
}

Words FdOptions::all(std::string_view name) const {
  const auto it = found_.find(name);
  return it == found_.end() ? Words() : it->second;
}

std::optional<std::string> FdOptions::last(std::string_view name) const {
  const auto it = found_.find(name);
  return it == found_.end() ? std::nullopt : std::optional(it->second.back());
}

void FdOptions::take_long(const std::string& word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const FdRow* const row = find_row(std::string_view(word).substr(2, equals - 2));
  if (row == nullptr || row->name() == "1") refuse_word(word.substr(0, equals));
  std::optional<std::string> attached;
  if (equals < word.size()) attached = word.substr(equals + 1);
  take(*row, std::move(attached));
}

void FdOptions::take_letters(const std::string& word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                         [&](const FdRow& one) { return one.letter == word[i]; });
    if (row == std::end(rows)) refuse_word("-" + word.substr(i, 1));
    if (row->takes == Takes::nothing) {
      take(*row, {});
      continue;
    }
    std::optional<std::string> attached;
    if (i + 1 < word.size()) attached = word.substr(word[i + 1] == '=' ? i + 2 : i + 1);
    return take(*row, std::move(attached));
  }
}

void FdOptions::take(const FdRow& row, std::optional<std::string> value) {
  for (std::string_view rest = row.undoes; !rest.empty();) {
    found_.erase(text::take_part(rest, ' '));
  }
  Words& values = found_[row.name()];
  switch (row.takes) {
    case Takes::nothing:
      if (value) {
        refuse_usage(text::format("unexpected value '{}' for '{}' found; no more were expected",
                                  *value, shown(row)));
      }
      break;
    case Takes::equals:
      values.push_back(value.value_or(""));
      return;
    case Takes::command:
      return take_command(row, std::move(value));
    case Takes::value:
    case Takes::any_value: {
      const bool follows =
          at_ < words_.size() &&
          (row.takes == Takes::any_value || words_[at_] == "-" || !words_[at_].starts_with('-'));
      if (!value && !follows) refuse_missing(row);
      values.push_back(value ? *value : words_[at_++]);
      return;
    }
  }
  values.emplace_back();
}

void FdOptions::take_command(const FdRow& row, std::optional<std::string> value) {
  found_[row.name()].emplace_back();
  Words command;
  if (value) {
    command.push_back(std::move(*value));
  } else {
    while (at_ < words_.size() && words_[at_] != ";") command.push_back(words_[at_++]);
    if (at_ < words_.size()) ++at_;
  }
  if (command.empty()) refuse_missing(row);
  const Id id = row.name() == "exec" ? Id::exec : Id::exec_batch;
  commands_.push_back({.id = id, .command = std::move(command)});
}

void FdOptions::refuse_both(const std::string& one, const std::string& other) const {
  refuse_usage(text::format("the argument '{}' cannot be used with '{}'", one, other),
               text::format("fd {} {}pattern{} [path]...", one, operands_.empty() ? "[" : "<",
                            operands_.empty() ? "]" : ">"));
}

void FdOptions::check() const {
  for (const auto& [one, others] : conflicts) {
    for (std::string_view rest = others; has(one) && !rest.empty();) {
      const std::string_view other = text::take_part(rest, ' ');
      if (has(other)) refuse_both(shown(*find_row(one)), shown(*find_row(other)));
    }
  }
  for (const std::string_view name : {"search-path", "strip-cwd-prefix"}) {
    if (has(name) && operands_.size() > 1) refuse_both(shown(*find_row(name)), "[path]...");
  }
  if (has("batch-size") && !has("exec-batch")) {
    refuse_usage("the following required arguments were not provided:\n  --exec-batch <cmd>...");
  }
  if (const auto time = last("max-buffer-time")) fd_number(*time, "max-buffer-time");
}

}  // namespace ffind::foreign
