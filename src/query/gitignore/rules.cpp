// SPDX-License-Identifier: MIT
// Lines to rules, and the look-up. What most rules are (a name, *.ext, a path without wildcards) is
// found by one hash each, however many there are; the others are tried last first. See rules.h.
#include "query/gitignore/rules.h"

#include <algorithm>
#include <utility>

#include "query/gitignore/wildmatch.h"
#include "text/ascii.h"

namespace ffind::query {
namespace {

constexpr std::string_view wildcards = "*?[\\";

/// Of half as many texts as slots none lies so far from its place, unless their hashes were made
/// alike: a table of 2^20 slots has runs of about 70. Those are tried one by one.
constexpr std::size_t most_probes = 128;
constexpr std::size_t no_slot = static_cast<std::size_t>(-1);

/// FNV-1a: names are short, and nothing has to be set up for it.
std::uint64_t hash_of(std::string_view text, LetterCase letters) {
  const bool folding = letters == LetterCase::ignored;
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char byte : text) {
    hash = (hash ^ static_cast<unsigned char>(folding ? text::fold_ascii(byte) : byte)) *
           0x100000001B3U;
  }
  return hash;
}

bool equal(std::string_view a, std::string_view b, LetterCase letters) {
  if (letters == LetterCase::kept) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return text::fold_ascii(x) == text::fold_ascii(y); });
}

bool begins_with(std::string_view text, std::string_view beginning, LetterCase letters) {
  return text.size() >= beginning.size() &&
         equal(text.substr(0, beginning.size()), beginning, letters);
}

bool ends_with(std::string_view text, std::string_view end, LetterCase letters) {
  return text.size() >= end.size() && equal(text.substr(text.size() - end.size()), end, letters);
}

/// Without the blanks at the end of a line, unless a backslash precedes them.
std::string_view without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    if (line[at] == '\\' && ++at == line.size()) return line;
    end = at + 1;
  }
  return line.substr(0, end);
}

}  // namespace

IgnoreSubject::IgnoreSubject(std::string_view entry_name, bool is_directory, LetterCase letters)
    : name(entry_name), name_hash(hash_of(entry_name, letters)), directory(is_directory) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return;
  extension = name.substr(dot);
  extension_hash = hash_of(extension, letters);
}

IgnoreRules::IgnoreRules(std::string text, LetterCase letters)
    : text_(std::move(text)), letters_(letters) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::size_t begin = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while (begin < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    add_line(begin, end);
    begin = end + 1;
  }
}

void IgnoreRules::add_line(std::size_t begin, std::size_t end) {
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (line.starts_with('#')) return;
  if (line.ends_with('\r')) line.remove_suffix(1);
  // To git a line is a text of C's.
  line = without_trailing_blanks(line.substr(0, line.find('\0')));
  Rule rule;
  rule.included = line.starts_with('!');
  if (rule.included) line.remove_prefix(1);
  rule.directories_only = line.ends_with('/');
  if (rule.directories_only) line.remove_suffix(1);
  rule.path = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  rule.begin = static_cast<std::uint32_t>(line.data() - text_.data());
  rule.length = static_cast<std::uint32_t>(line.size());
  const std::size_t wildcard = std::min(line.find_first_of(wildcards), line.size());
  rule.literal = static_cast<std::uint32_t>(wildcard);
  // Of classes nothing is in it: they end with a bracket.
  rule.tail = static_cast<std::uint32_t>(line.size() - (line.find_last_of("*?[]\\/") + 1));
  rule.suffix = !rule.path && line.starts_with('*') &&
                line.find_first_of(wildcards, 1) == std::string_view::npos;
  if (!line.empty() && can_match(line)) add_rule(rule);
}

void IgnoreRules::add_rule(Rule rule) {
  const bool literal = rule.literal == rule.length;
  const auto number = static_cast<std::uint32_t>(rules_.size());
  rules_.push_back(rule);
  const std::string_view text = text_of(rule);
  const bool extension = rule.suffix && text.size() > 1 && text.rfind('.') == 0;
  has_paths_ = has_paths_ || rule.path;
  has_literal_paths_ = has_literal_paths_ || (rule.path && literal);
  has_extensions_ = has_extensions_ || extension;
  if ((!literal && !extension) || !add_to_table(number)) others_.push_back(number);
}

IgnoreRules::Key IgnoreRules::key_of(const Rule& rule) const {
  if (rule.path) return Key::path;
  return rule.suffix ? Key::extension : Key::name;
}

/// Where in `table` the slot is that holds rules of this text, or the free one for them; nowhere
/// when neither is near enough to where it should be.
std::size_t IgnoreRules::find_slot(const std::vector<Slot>& table, Key key, std::string_view text,
                                   std::uint64_t hash) const {
  const std::size_t mask = table.size() - 1;
  std::size_t at = (hash ^ (hash >> 29U) ^ static_cast<std::uint64_t>(key)) & mask;
  for (std::size_t probes = 0; probes < most_probes; ++probes, at = (at + 1) & mask) {
    if (table[at].free()) return at;
    const Rule& rule = rules_[table[at].latest() - 1];
    if (key_of(rule) == key && equal(text_of(rule), text, letters_)) return at;
  }
  return no_slot;
}

std::size_t IgnoreRules::find_slot(const std::vector<Slot>& table, const Rule& rule) const {
  const std::string_view text = text_of(rule);
  return find_slot(table, key_of(rule), text, hash_of(text, letters_));
}

/// False if the rule has to be tried separately.
bool IgnoreRules::add_to_table(std::uint32_t number) {
  if (2 * (in_table_ + 1) > table_.size()) grow_table();
  const Rule& rule = rules_[number];
  const std::size_t at = find_slot(table_, rule);
  if (at == no_slot) return false;
  Slot& slot = table_[at];
  if (slot.free()) ++in_table_;
  (rule.directories_only ? slot.of_directories : slot.of_any) = number + 1;
  return true;
}

void IgnoreRules::grow_table() {
  std::vector<Slot> larger(table_.empty() ? 16 : 2 * table_.size());
  const std::size_t others = others_.size();
  for (const Slot& slot : table_) {
    if (slot.free()) continue;
    const std::size_t at = find_slot(larger, rules_[slot.latest() - 1]);
    if (at != no_slot) {
      larger[at] = slot;
      continue;
    }
    --in_table_;
    for (const std::uint32_t number : {slot.of_any, slot.of_directories}) {
      if (number != 0) others_.push_back(number - 1);
    }
  }
  // They are tried in their order.
  if (others_.size() != others) std::sort(others_.begin(), others_.end());
  table_.swap(larger);
}

std::uint32_t IgnoreRules::look_up(Key key, std::string_view text, std::uint64_t hash,
                                   bool directory) const {
  const std::size_t at = find_slot(table_, key, text, hash);
  if (at == no_slot) return 0;
  return directory ? table_[at].latest() : table_[at].of_any;
}

IgnoreDecision IgnoreRules::judge(const IgnoreSubject& subject, std::string_view path) const {
  std::uint32_t last = 0;
  const auto consider = [&](Key key, std::string_view text, std::uint64_t hash) {
    last = std::max(last, look_up(key, text, hash, subject.directory));
  };
  if (!table_.empty()) {
    consider(Key::name, subject.name, subject.name_hash);
    if (has_extensions_ && !subject.extension.empty()) {
      consider(Key::extension, subject.extension, subject.extension_hash);
    }
    if (has_literal_paths_) consider(Key::path, path, hash_of(path, letters_));
  }
  for (auto number = others_.rbegin(); number != others_.rend() && *number + 1 > last; ++number) {
    if (!matches(rules_[*number], subject, path)) continue;
    last = *number + 1;
    break;
  }
  if (last == 0) return IgnoreDecision::none;
  return rules_[last - 1].included ? IgnoreDecision::included : IgnoreDecision::ignored;
}

bool IgnoreRules::matches(const Rule& rule, const IgnoreSubject& subject,
                          std::string_view path) const {
  if (rule.directories_only && !subject.directory) return false;
  const std::string_view pattern = pattern_of(rule);
  if (rule.suffix) return ends_with(subject.name, pattern.substr(1), letters_);
  const std::string_view text = rule.path ? path : subject.name;
  // This rejects nearly all of thousands of rules.
  if (!ends_with(text, pattern.substr(pattern.size() - rule.tail), letters_)) return false;
  // As in git, what is before the first wildcard is no part of what is matched: so a `**` at that
  // place counts as one between slashes, whatever precedes it.
  const std::string_view literal = pattern.substr(0, rule.literal);
  if (!begins_with(text, literal, letters_)) return false;
  const std::string_view rest = text.substr(rule.literal);
  return rule.path ? matches_path(pattern.substr(rule.literal), rest, letters_)
                   : matches_name(pattern.substr(rule.literal), rest, letters_);
}

}  // namespace ffind::query
