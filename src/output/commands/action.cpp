// SPDX-License-Identifier: MIT
// Parsing and expanding of command templates, and counting of arguments.
//
//     "cp {} {.}.bak{{1}}"   ─▶   three ArgumentTemplates of Parts (a text and the place after it)
//                                 "cp"    {"cp", none}
//                                 "{}"    {"", path}
//                                 "{.}.bak{{1}}"    {"", no_ext} {".bak{1}", none}
//
// Any other word in braces is a field if it names one; its value is made while the entry is at hand
// (append_values) and waits with the path until the command is run. "${size}" is no field: shells,
// make and perl have their variables so.
//
// A batch is counted before it is run, in the way in which execve(2) counts: the strings of
// arguments and environment, and a pointer for each. os::argument_limits() has the room that the
// environment leaves.
#include "output/commands/action.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "text/ascii.h"
#include "text/paths.h"

namespace ffind::output {
namespace {

/// One row for each text in braces; a new place needs a row here and a case in part_of().
struct Spelling {
  std::string_view text;
  Place place;
  std::string_view stands_for;  ///< for a spelling without a place
};

/// The first that fits counts: "{}}" is the path and a brace.
constexpr Spelling spellings[] = {
    {"{}", Place::path, ""},    {"{/}", Place::name, ""},  {"{//}", Place::directory, ""},
    {"{.}", Place::no_ext, ""}, {"{/.}", Place::stem, ""}, {"{{", Place::none, "{"},
    {"}}", Place::none, "}"},
};

/// Null if `text` begins with none of them: a single brace is a literal.
const Spelling* spelling_at(std::string_view text) {
  for (const Spelling& spelling : spellings) {
    if (text.substr(0, spelling.text.size()) == spelling.text) return &spelling;
  }
  return nullptr;
}

/// fd's idea of a name without its extension: only a dot at the beginning begins none.
std::string_view stem_for(std::string_view name, bool of_fd) {
  if (!of_fd) return text::stem_of(name);
  const std::size_t dot = name.rfind('.');
  if (dot == 0 || name == "..") return name;
  const std::string_view stem = name.substr(0, dot);
  return stem == "." ? std::string_view() : stem;
}

/// Returns two views that make up the part, one after the other.
std::pair<std::string_view, std::string_view> part_of(std::string_view path, Place part,
                                                      bool of_fd) {
  const std::size_t slash = path.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  const std::string_view name = path.substr(begin);
  switch (part) {
    case Place::path:
      return {path, {}};
    case Place::name:
      return {name, {}};
    case Place::directory:
      // The root directory's own slash stays.
      if (begin == 0) return {".", {}};
      return {path.substr(0, std::max<std::size_t>(slash, 1)), {}};
    case Place::no_ext:
      // a.b/c.txt is "a.b/" and "c".
      return {path.substr(0, begin), stem_for(name, of_fd)};
    case Place::stem:
      return {stem_for(name, of_fd), {}};
    case Place::none:
    case Place::field:
      break;
  }
  return {};
}

/// As the kernel counts: the text, its NUL, and the pointer to it.
std::size_t cost_of(std::size_t size) {
  return size + 1 + sizeof(char*);
}

}  // namespace

void append_separated(std::string& out, std::string_view path, std::string_view separator) {
  if (separator.empty()) {
    out += path;
    return;
  }
  for (const char c : path) {
    if (c == '/') {
      out += separator;
    } else {
      out += c;
    }
  }
}

/// Splits the text into literals, each followed by a place.
ArgumentTemplate::ArgumentTemplate(std::string_view text, PlaceRules rules)
    : rules_(std::move(rules)) {
  std::string literal;
  for (std::size_t at = 0; at < text.size();) {
    const Spelling* spelling = spelling_at(text.substr(at));
    if (rules_.of_find && spelling != nullptr && spelling->place != Place::path) spelling = nullptr;
    const std::size_t begin = at;
    if (spelling != nullptr) {
      at += spelling->text.size();
      if (rules_.of_fd && spelling->place != Place::none && text.substr(at).starts_with('}')) {
        literal += spelling->text;
        ++at;
        continue;
      }
      literal += spelling->stands_for;
      if (spelling->place == Place::none) continue;
      spans_.push_back({begin, at});
      parts_.push_back({std::exchange(literal, {}), spelling->place});
      continue;
    }
    std::optional<TemplateField> field;
    const bool may_be_field =
        !rules_.of_fd && !rules_.of_find && text[at] == '{' && !literal.ends_with('$');
    if (may_be_field) field = parse_field(text, at);
    if (!field) {
      literal += text[at++];
      continue;
    }
    fields_.push_back(std::move(*field));
    spans_.push_back({begin, at});
    parts_.push_back({std::exchange(literal, {}), Place::field});
  }
  has_place_ = !parts_.empty();
  if (!literal.empty()) parts_.push_back({std::move(literal), Place::none});
}

/// "{/}" and "{/.}.sh" are; "./{/}" is not. As the program it would be a file of the current
/// directory, wherever the match is.
bool ArgumentTemplate::is_bare_name() const {
  const auto has_directory = [](const Part& part) {
    return part.place == Place::path || part.place == Place::directory ||
           part.place == Place::no_ext || part.text.find('/') != std::string::npos;
  };
  return has_place_ && std::none_of(parts_.begin(), parts_.end(), has_directory) &&
         std::none_of(fields_.begin(), fields_.end(),
                      [](const TemplateField& field) { return is_path(*field.field); });
}

void ArgumentTemplate::append(std::string& out, std::string_view path,
                              std::string_view& values) const {
  auto field = fields_.begin();
  for (const Part& part : parts_) {
    auto [first, second] = part_of(path, part.place, rules_.of_fd);
    if (rules_.of_fd && part.place == Place::no_ext && first.starts_with("./")) {
      first.remove_prefix(2);
    }
    out += part.text;
    append_separated(out, first, rules_.separator);
    append_separated(out, second, rules_.separator);
    if (part.place != Place::field) continue;
    const std::string_view value = text::take_part(values, '\0');
    // As with {}, no path is taken for an option.
    if (out.empty() && value.starts_with('-') && is_path(*field->field)) out += "./";
    out += value;
    ++field;
  }
}

std::size_t ArgumentTemplate::size(std::string_view path) const {
  std::size_t size = 0;
  if (!rules_.separator.empty()) {
    size += rules_.separator.size() *
            static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  }
  for (const Part& part : parts_) {
    const auto [first, second] = part_of(path, part.place, rules_.of_fd);
    size += part.text.size() + first.size() + second.size();
  }
  return size;
}

/// {} is appended if no argument has a place, as in `ffind -x gzip`.
CommandTemplate::CommandTemplate(const std::vector<std::string>& words, const PlaceRules& rules)
    : program(words.front()) {
  for (const std::string& word : words) {
    std::string letters = word;
    std::erase_if(letters, [](char c) { return c == '{' || c == '}'; });
    const bool is_plain = text::shell_word(letters) == letters;  // braces need no quotes
    line.append(line.empty() ? "" : " ").append(is_plain ? word : text::shell_word(word));
    const auto& more = arguments.emplace_back(word, rules).fields();
    fields.insert(fields.end(), more.begin(), more.end());
  }
  const bool has_place = std::any_of(arguments.begin(), arguments.end(),
                                     [](const auto& argument) { return argument.has_place(); });
  if (has_place || rules.of_find) return;
  arguments.emplace_back("{}", rules);
  line += " {}";
}

Batch::Batch(const std::vector<CommandTemplate>& commands, os::ArgumentLimits limits,
             std::size_t most)
    : commands_(commands), limits_(limits), most_(most) {
  for (const CommandTemplate& command : commands_) {
    Use use;
    use.fixed = sizeof(char*);  // the null after the last
    for (const ArgumentTemplate& argument : command.arguments) {
      if (!argument.has_place()) use.fixed += cost_of(argument.size({}));
    }
    use.now = use.fixed;
    uses_.push_back(use);
  }
}

/// Counts as the kernel does: each argument with a place is repeated for each path, and no argument
/// may exceed a limit of its own.
Batch::Answer Batch::add(std::string_view path) {
  added_.clear();
  bool full = most_ != 0 && paths_.size() == most_;
  for (std::size_t index = 0; index < commands_.size(); ++index) {
    std::size_t cost = 0;
    for (const ArgumentTemplate& argument : commands_[index].arguments) {
      if (!argument.has_place()) continue;
      const std::size_t size = argument.size(path);
      // Linux has a limit for one argument, MAX_ARG_STRLEN, 32 pages.
      if (size + 1 > limits_.one) return Answer::never;
      cost += cost_of(size);
    }
    if (uses_[index].fixed + cost > limits_.total) return Answer::never;
    // Not yet decided: a later command may not take the path at all.
    full = full || uses_[index].now + cost > limits_.total;
    added_.push_back(cost);
  }
  if (full) return Answer::full;
  for (std::size_t index = 0; index < uses_.size(); ++index) uses_[index].now += added_[index];
  paths_.emplace_back(path);
  return Answer::added;
}

void Batch::clear() {
  paths_.clear();
  for (Use& use : uses_) use.now = use.fixed;
}

Needs needs_of(const std::vector<CommandTemplate>& commands) {
  Needs needs = needs::none;
  for (const CommandTemplate& command : commands) {
    for (const TemplateField& field : command.fields) needs |= field.field->needs;
  }
  return needs;
}

void append_values(std::string& out, const std::vector<CommandTemplate>& commands,
                   bool in_directory, FieldWriter& writer, Entry& entry) {
  for (const CommandTemplate& command : commands) {
    for (const TemplateField& field : command.fields) {
      const std::size_t before = out.size();
      entry.require(field.field->needs);
      // Only fields that need the directory alone are made of it.
      const std::string_view directory = entry.directory;
      if (in_directory && field.field->needs == needs::directory) entry.directory = "./";
      const bool has_value = writer.append(out, field, entry);
      entry.directory = directory;
      if (!has_value || out.find('\0', before) != std::string::npos) out.resize(before);
      out += '\0';
    }
  }
}

const RecordField* missing_field(const CommandTemplate& command, std::string_view values) {
  for (const TemplateField& field : command.fields) {
    if (text::take_part(values, '\0').empty()) return field.field;
  }
  return nullptr;
}

std::string line_in(std::string_view directory, const std::vector<std::string>& words,
                    text::QuotedFor reader) {
  std::string line = text::shell_line(words, reader);
  if (directory.empty()) return line;
  return "(cd " + text::shell_line({std::string(directory)}, reader) + " && " + line + ")";
}

std::vector<std::string> expand(const CommandTemplate& command, const std::string* paths,
                                std::size_t count, std::string_view& values) {
  std::vector<std::string> words;
  for (const ArgumentTemplate& argument : command.arguments) {
    const std::size_t times = argument.has_place() ? count : 1;
    for (std::size_t index = 0; index < times; ++index) {
      argument.append(words.emplace_back(), paths[index], values);
    }
  }
  return words;
}

}  // namespace ffind::output
