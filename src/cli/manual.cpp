// SPDX-License-Identifier: MIT
// The pages are cut into Topics, each a piece of a page's source with the words that it is found
// by. A section contains its subsections, and both contain the topics of their lists:
//
//     .Ss Filters                        topic "Filters"
//     .Bl -tag -width Ds
//     .It Fl S , -size Ar RANGE          topic "-S", "--size", to the next .It
//     The size of a regular file ...
//     .It Fl -owner Ar USER              topic "--owner", "--group": the first has no text
//     .It Fl -group Ar GROUP
//     Belongs to this user ...
//     .Bl -column ...
//     .It Li path Ta bytes Ta ...        topic "path": one row
//
// The pages are only read when a word is looked up; 3,500 lines take about a millisecond.
#include "cli/manual.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/embedded_files.h"
#include "cli/mdoc.h"
#include "cli/option_table.h"
#include "ffind/issue.h"
#include "query/language/fields.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

enum class TopicKind : unsigned char { page, section, item };

struct Topic {
  TopicKind kind;
  std::string page;               ///< "ffind(1)"
  std::string title;              ///< of its section
  std::vector<std::string> keys;  ///< "-S", "--size"
  std::string source;             ///< mdoc
};

/// Removes the brackets and their contents, such as "[,KIND ...]".
std::string without_brackets(const std::string& text) {
  std::string kept;
  std::size_t depth = 0;
  for (const char c : text) {
    if (c == '[') depth += 1;
    if (depth == 0) kept += c;
    if (c == ']' && depth > 0) depth -= 1;
  }
  return kept;
}

/// The keys of a tag or of the first cell of a row: its parts between commas; of an option, its
/// name alone.
void add_keys(const std::string& tag, std::vector<std::string>& keys) {
  const std::string text = without_brackets(tag);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(", ", from), text.size());
    std::string key = text.substr(from, end - from);
    if (key.starts_with("-") && key.size() > 1) key.resize(std::min(key.find(' '), key.size()));
    while (key.ends_with(' ')) key.pop_back();
    if (!key.empty()) keys.push_back(std::move(key));
    from = end + 2;
  }
}

/// Cuts one page into topics.
class Cutter {
 public:
  Cutter(const EmbeddedFile& file, std::vector<Topic>& topics) : topics_(topics) {
    const std::size_t dot = file.name.rfind('.');
    const std::string name(file.name.substr(0, dot));
    page_ = text::format("{}({})", name, file.name.substr(dot + 1));
    topics_.push_back({TopicKind::page, page_, "", {name, page_}, std::string(file.text)});
    std::string_view rest = file.text;
    while (!rest.empty()) add_line(text::take_part(rest, '\n'));
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void add_line(std::string_view line) {
    const std::string_view macro = line.substr(0, line.find(' '));
    if (macro == ".Sh" || macro == ".Ss") {
      if (macro == ".Sh") section_ = begin_section(line.substr(4));
      subsection_ = macro == ".Ss" ? begin_section(line.substr(4)) : none;
      title_ = line.substr(4);
      item_ = none;
    }
    append(line, section_);
    append(line, subsection_);
    if (macro == ".Bl") depth_ += 1;
    if (macro == ".Bl" && depth_ == 1) list_ = line;
    const bool has_tags = list_.find("-enum") == std::string_view::npos;
    if (depth_ == 1 && macro == ".It" && has_tags) begin_item(line.substr(4));
    if (macro == ".El") depth_ -= 1;
    if (depth_ == 0) {
      if (item_ != none) append(".El", item_);
      item_ = none;
    }
    // An item of a topic without text shares that of the next one.
    if (item_ != none) {
      append(line, item_);
      if (macro != ".It") has_text_ = true;
    }
  }

  void append(std::string_view line, std::size_t topic) {
    if (topic != none) topics_[topic].source.append(line) += '\n';
  }

  std::size_t begin_section(std::string_view title) {
    topics_.push_back({TopicKind::section, page_, std::string(title), {std::string(title)}, {}});
    return topics_.size() - 1;
  }

  void begin_item(std::string_view arguments) {
    const bool row = list_.find("-column") != std::string_view::npos;
    if (item_ == none || has_text_ || row) {
      if (item_ != none) append(".El", item_);
      topics_.push_back({TopicKind::item, page_, title_, {}, std::string(list_) + '\n'});
      item_ = topics_.size() - 1;
      has_text_ = false;
    }
    add_keys(mdoc_cells(arguments).front(), topics_[item_].keys);
  }

  std::vector<Topic>& topics_;
  std::string page_;
  std::string title_;
  std::string_view list_;  ///< the line that began it
  std::size_t depth_ = 0;  ///< of lists
  std::size_t section_ = none;
  std::size_t subsection_ = none;
  std::size_t item_ = none;
  bool has_text_ = false;
};

std::vector<Topic> topics_of_manual() {
  std::vector<Topic> topics;
  for (const EmbeddedFile& file : embedded_files()) {
    const bool page = file.text.starts_with(".\\\"");
    if (page) Cutter(file, topics);
  }
  return topics;
}

/// The other names that a word has in the tables of options and fields, which the manual does not
/// use as tags: "--ext" for "--extension" and "extension", "modified" for "mtime".
std::vector<std::string> names_of_word(const std::string& word) {
  std::vector<std::string> names{word};
  // One dash too few, or a word of find.
  if (word.starts_with('-') && word.size() > 2) names.push_back('-' + word);
  const std::string option = word.starts_with("-") ? word : "--" + word;
  const OptionRow* row = find_option(option);
  if (row == nullptr) row = find_undone(option);
  if (row != nullptr) names.emplace_back(main_name(*row));
  if (const query::Field* const field = query::find_field(word)) names.emplace_back(field->name);
  if (const query::Flag* const flag = query::find_flag(word)) names.emplace_back(flag->name);
  return names;
}

/// Compares a word with a key: without regard to case, unless it is a single letter, and to the
/// dashes of an option.
bool is_key(std::string_view word, std::string_view key) {
  if (word == key) return true;
  if (key.size() == 2 && key[0] == '-') return word == key.substr(1);
  if (key[0] == '{') return false;  // {size:h} and {size:H}
  const std::string folded = text::fold_ascii(word);
  const std::string folded_key = text::fold_ascii(key);
  return folded == folded_key || (key.starts_with("--") && folded == folded_key.substr(2));
}

/// True if the title begins with the word: "sort" is the beginning of SORTING, "query" of QUERIES.
/// Titles of several words are phrases, which sections_about() finds.
bool begins_title(std::string_view word, std::string_view title) {
  if (title.find(' ') != std::string_view::npos || word.size() < 4) return false;
  if (word.ends_with('y')) word.remove_suffix(1);
  return text::fold_ascii(title).starts_with(text::fold_ascii(word));
}

using Hits = std::vector<const Topic*>;

/// The topics with one of the names as a key. A section also by the beginning of its title.
Hits topics_called(const std::string& word, const std::vector<Topic>& topics) {
  Hits hits;
  const std::vector<std::string> names = names_of_word(word);
  for (const Topic& topic : topics) {
    const bool is_called = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::any_of(topic.keys.begin(), topic.keys.end(),
                         [&](const std::string& key) { return is_key(name, key); });
    });
    const bool is_begun = topic.kind == TopicKind::section && begins_title(word, topic.title);
    // A page has all that the lists say about it.
    if (is_called && topic.kind == TopicKind::page) return {&topic};
    if (is_called || is_begun) hits.push_back(&topic);
  }
  return hits;
}

/// The sections with a word of this name in their titles: "status" is in EXIT STATUS.
Hits sections_about(const std::string& word, const std::vector<Topic>& topics) {
  Hits hits;
  constexpr std::string_view fillers[] = {"", "and", "of", "what", "to", "see", "also", "it"};
  if (std::find(std::begin(fillers), std::end(fillers), word) != std::end(fillers)) return hits;
  const std::string sought = " " + text::fold_ascii(word) + " ";
  for (const Topic& topic : topics) {
    if (topic.kind != TopicKind::section) continue;
    std::string title = " " + text::fold_ascii(topic.title) + " ";
    std::erase(title, ',');
    if (title.find(sought) != std::string::npos) hits.push_back(&topic);
  }
  return hits;
}

Hits look_up(const std::string& word, const std::vector<Topic>& topics) {
  Hits hits = topics_called(word, topics);
  if (hits.empty()) hits = sections_about(word, topics);
  return hits;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

/// List of names for a message, each once.
class Names {
 public:
  void add(std::string_view name) {
    const bool is_new = std::find(names_.begin(), names_.end(), name) == names_.end();
    if (!name.empty() && is_new && names_.size() < enough) names_.emplace_back(name);
  }
  bool empty() const { return names_.empty(); }
  std::string text() const { return joined(names_, ", "); }

 private:
  static constexpr std::size_t enough = 6;
  std::vector<std::string> names_;
};

/// The keys that are near the word by spelling, or contain it.
Names near_keys(const std::string& word, const std::vector<Topic>& topics) {
  std::vector<std::string_view> keys;
  for (const Topic& topic : topics) {
    for (const std::string_view key : topic.keys) {
      if (key.find(' ') == std::string_view::npos && key.size() > 2) keys.push_back(key);
    }
  }
  std::string bare = word;
  bare.erase(0, std::min(bare.find_first_not_of('-'), bare.size()));
  Names near;
  for (const std::string& name : {word, "--" + bare, bare}) near.add(text::nearest(name, keys));
  for (const std::string_view key : keys) {
    if (bare.size() > 2 && key.find(bare) != std::string_view::npos) near.add(key);
  }
  return near;
}

/// The topics whose text has the word: items, then sections for what is in no list.
Names topics_with(const std::string& word, const std::vector<Topic>& topics) {
  Names names;
  const std::string sought = text::fold_ascii(word);
  if (sought.size() < 3) return names;
  for (const TopicKind kind : {TopicKind::item, TopicKind::section}) {
    for (const Topic& topic : topics) {
      const bool has_word = text::fold_ascii(topic.source).find(sought) != std::string::npos;
      if (topic.kind == kind && has_word) names.add(topic.keys.front());
    }
  }
  return names;
}

/// Throws UsageError with words to try instead.
[[noreturn]] void fail_unknown(const std::string& word, const std::vector<Topic>& topics) {
  UsageParts parts;
  parts.what = text::format("the manual has no entry '{}'", text::excerpt(word));
  parts.place.quoted = word;
  if (const Names near = near_keys(word, topics); !near.empty()) {
    parts.guess = text::format("; near it: {}", near.text());
  } else if (const Names with = topics_with(word, topics); !with.empty()) {
    parts.guess = text::format("; the word is in: {}", with.text());
  }
  parts.see = "ffind --help lists all options, man ffind has everything";
  throw UsageError(std::move(parts));
}

}  // namespace

std::string manual_on(const std::vector<std::string>& words, const MdocStyle& style) {
  const std::vector<Topic> topics = topics_of_manual();
  Hits hits;
  if (words.size() > 1) hits = topics_called(joined(words, " "), topics);
  if (hits.empty()) {
    for (const std::string& word : words) {
      const Hits found = look_up(word, topics);
      if (found.empty()) fail_unknown(word, topics);
      hits.insert(hits.end(), found.begin(), found.end());
    }
  }
  std::string out;
  for (const Topic* const topic : hits) {
    if (!out.empty()) out += '\n';
    // A page and a section have titles of their own, which stay for a page alone.
    if (topic->kind == TopicKind::page) {
      out += render_mdoc(topic->source, style);
      continue;
    }
    std::string_view source = topic->source;
    const bool is_section = topic->kind == TopicKind::section;
    if (is_section) source.remove_prefix(source.find('\n') + 1);
    // An option alone needs no heading.
    if (is_section || hits.size() > 1 || !topic->keys.front().starts_with('-')) {
      out += emphasised(text::format("{}, {}", topic->page, topic->title), style) + '\n';
    }
    MdocStyle own = style;
    own.indent = 2;
    out += render_mdoc(source, own);
  }
  return out;
}

}  // namespace ffind::cli
