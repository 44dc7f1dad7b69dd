// SPDX-License-Identifier: MIT
// See match.h. On the way of every match.
#include "output/match.h"

#include "output/fields/paths.h"
#include "text/quoting.h"
#include "text/times.h"

namespace ffind::output {
namespace {

constexpr Needs identity_needs = needs::type | needs::identity | needs::changed;
constexpr Needs detail_needs = needs::type | needs::size | needs::modified;

}  // namespace

MatchReader::MatchReader(const OutputStyle& style)
    : format_(style.format),
      details_(style.tree_details),
      palette_(style.palette ? &*style.palette : nullptr),
      escapes_(style.escapes()),
      marks_(style.marks_directories) {}

Needs MatchReader::needs() const {
  if (format_ == Format::removal) return identity_needs;
  if (format_ != Format::tree) return needs::none;
  return needs::relative_path | needs::type | (details_ ? detail_needs : needs::none) |
         (palette_ != nullptr ? palette_->needs() : needs::none);
}

Match MatchReader::read(Entry& entry) {
  Match match;
  match.is_root = entry.depth == 0;
  if (format_ == Format::removal && entry.require(identity_needs)) {
    match.identity.type = entry.type;
    match.identity.id = {entry.metadata.device, entry.metadata.inode};
    match.identity.changed = entry.metadata.changed;
  }
  path_.clear();
  append_path(path_, entry);
  match.path = path_;
  if (format_ == Format::tree && details_) read_details(match, entry);
  if (format_ == Format::tree) read_name(match, entry);
  return match;
}

void MatchReader::read_details(Match& match, Entry& entry) {
  entry.require(detail_needs);
  if (entry.type == FileType::file && entry.require(needs::size)) {
    match.size = entry.metadata.size;
  }
  if (entry.require(needs::modified) && !text::is_clamped(entry.metadata.modified)) {
    match.modified = entry.metadata.modified;
  }
}

/// What the tree shows.
void MatchReader::read_name(Match& match, Entry& entry) {
  if (entry.require(needs::type)) match.identity.type = entry.type;
  if (palette_ != nullptr) entry.require(palette_->needs_for(entry.type));
  entry.require(needs::relative_path);
  match.root_size = match.path.size() - (match.is_root ? 0 : entry.relative_path.size());

  const std::string_view last = match.is_root ? root_of(match) : entry.name;
  const bool escaped = escapes_ && text::needs_escaping(last);
  escaped_.clear();
  if (escaped) text::append_escaped(escaped_, last);
  const std::string_view name = escaped ? std::string_view(escaped_) : last;
  const std::string_view color = palette_ != nullptr ? palette_->color_of(entry) : "";
  const bool marked = marks_ && entry.type == FileType::directory && !name.ends_with('/');
  if (color.empty() && !marked) {
    if (escaped) match.shown = escaped_;
    return;
  }
  name_.clear();
  if (color.empty()) {
    name_ += name;
  } else {
    palette_->append_colored(name_, color, name);
  }
  if (marked) name_ += '/';
  match.shown = name_;
}

std::string_view root_of(const Match& match) {
  std::string_view root = match.path.substr(0, match.root_size);
  if (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
  return root.empty() ? "." : root;
}

}  // namespace ffind::output
