// SPDX-License-Identifier: MIT
// Makes Matches. All of it runs for every match.
#include "output/pipeline.h"

#include <string>

#include "output/record_fields.h"
#include "text/quoting.h"
#include "text/times.h"

namespace ffind::output {
namespace {

/// For --delete: enough to recognise the file again when it is deleted, perhaps long after it was
/// found. The time of the last change is compared if the query tests metadata. A question before
/// the action shows the size, too.
Needs identity_needs(const OutputStyle& style) {
  const bool asks = style.action && style.action->asks;
  if (style.format != Format::removal && !asks) return needs::none;
  const bool in_trash = style.action && style.action->in_trash;
  return (in_trash ? needs::trashed : needs::none) | needs::type | needs::identity |
         needs::changed | (asks ? needs::length : needs::none);
}

/// For --tree -l: one stat, and the type for the unsized ones.
constexpr Needs detail_needs = needs::type | needs::length | needs::modified;

}  // namespace

MatchBuilder::MatchBuilder(const OutputStyle& style)
    : style_(style), identity_(identity_needs(style)), writer_(style.accounts, false) {}

Needs MatchBuilder::needs() const {
  if (style_.format != Format::tree) {
    return identity_ | (style_.action ? needs_of(style_.action->commands) : needs::none);
  }
  return needs::relative_path | needs::type | (style_.tree_details ? detail_needs : needs::none) |
         (style_.palette ? style_.palette->needs() : needs::none);
}

/// Requires only what the format needs: identity for deletion and a question, the name and details
/// for a tree, the path and the fields for commands. The views in the result are of path_ and
/// name_, or of the entry itself.
Match MatchBuilder::read(Entry& entry) {
  Match match;
  match.is_root = entry.depth == 0;
  // If that fails the identity stays empty: its type is unknown, and the Deleter takes it for a
  // file that has been replaced.
  if (identity_ != needs::none && entry.require(identity_)) {
    match.identity.type = entry.type;
    match.identity.id = {entry.metadata.device, entry.metadata.inode};
    match.identity.changed = entry.metadata.changed;
    match.identity.size = entry.metadata.size;
    if ((identity_ & needs::trashed) != 0) match.trashed = entry.trashed;
  }
  path_.clear();
  append_path(path_, entry);
  match.path = path_;
  if (style_.action) {
    name_.clear();
    append_values(name_, style_.action->commands, style_.action->in_directory, writer_, entry);
    match.text = name_;
  }
  if (style_.format != Format::tree) return match;
  if (style_.tree_details) read_details(match, entry);
  read_name(match, entry);
  return match;
}

/// Two calls of require(), so that a time which the volume does not have leaves the size valid. A
/// time without a date is shown as unknown.
void MatchBuilder::read_details(Match& match, Entry& entry) {
  entry.require(detail_needs);
  if (entry.type == FileType::file && entry.require(needs::length)) {
    match.size = entry.metadata.size;
  }
  if (entry.require(needs::modified) && text::has_date(entry.metadata.modified)) {
    match.modified = entry.metadata.modified;
  }
}

/// Reads the name that the tree shows, and where the root ends in the path.
void MatchBuilder::read_name(Match& match, Entry& entry) {
  if (entry.require(needs::type)) match.identity.type = entry.type;
  const std::optional<Palette>& palette = style_.palette;
  if (palette) entry.require(palette->needs_for(entry.type));
  entry.require(needs::relative_path);
  // "src/" and "a/b" for src/a/b: the path below the root is an end of the path, and the rest is
  // the root with its slash.
  match.root_size = match.path.size() - (match.is_root ? 0 : entry.relative_path.size());

  const std::string_view last = match.is_root ? root_of(match) : entry.name;
  const bool escaped = style_.escapes() && text::needs_escaping(last);
  const std::string_view color = palette ? palette->color_of(entry) : "";
  const bool marked =
      style_.marks_directories && entry.type == FileType::directory && !last.ends_with('/');
  // Most names are shown as they are: `text` stays empty and the name is stored once.
  if (color.empty() && !marked && !escaped) return;
  name_.clear();
  if (palette) {
    palette->append_colored(name_, color, last, style_.escapes());
  } else {
    append_text(name_, last, style_.escapes());
  }
  if (marked) name_ += '/';
  match.text = name_;
}

/// "src/" is src, "/" stays, and "" (the current directory, not named) is ".".
std::string_view root_of(const Match& match) {
  std::string_view root = match.path.substr(0, match.root_size);
  if (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
  return root.empty() ? "." : root;
}

}  // namespace ffind::output
