// SPDX-License-Identifier: MIT
// See path_text.h. On the way of every match.
#include "output/records/path_text.h"

#include "output/fields/paths.h"
#include "output/hyperlink.h"
#include "text/quoting.h"

namespace ffind::output {

PathText::PathText(const OutputStyle& style)
    : palette_(style.palette ? &*style.palette : nullptr),
      host_(style.link_host ? &*style.link_host : nullptr),
      escapes_(style.escapes()),
      marks_(style.marks_directories) {}

Needs PathText::needs() const {
  return (marks_ ? needs::type : needs::none) |
         (palette_ != nullptr ? palette_->needs() : needs::none) |
         (host_ != nullptr ? needs::absolute_path : needs::none);
}

void PathText::append(std::string& out, Entry& entry) {
  const bool linked = host_ != nullptr && begin_link(out, entry);
  if (palette_ != nullptr) {
    append_colored(out, entry);
  } else if (escapes_) {
    path_.clear();
    append_path(path_, entry);
    append_text(out, path_);
  } else {
    append_path(out, entry);
  }
  if (marks_ && entry.require(needs::type) && entry.type == FileType::directory) out += '/';
  if (linked) out += hyperlink_end;
}

void PathText::append_text(std::string& out, std::string_view text) const {
  if (escapes_ && text::needs_escaping(text)) {
    text::append_escaped(out, text);
  } else {
    out += text;
  }
}

void PathText::append_colored(std::string& out, Entry& entry) {
  entry.require(palette_->needs_for(entry.type));
  path_.clear();
  append_path(path_, entry);
  const std::string_view path = path_;
  const std::string_view directory = path.substr(0, path.size() - entry.name.size());
  directory_.clear();
  append_text(directory_, directory);
  name_.clear();
  append_text(name_, entry.name);
  if (!directory_.empty()) {
    palette_->append_colored(out, palette_->directory_color(), directory_);
  }
  palette_->append_colored(out, palette_->color_of(entry), name_);
}

void PathText::append_target(std::string& out, Entry& entry) {
  if (palette_ == nullptr) return append_text(out, entry.target);
  entry.require(needs::target_mode);
  name_.clear();
  append_text(name_, entry.target);
  palette_->append_colored(out, palette_->color_of_target(entry), name_);
}

bool PathText::begin_link(std::string& out, Entry& entry) const {
  if (!entry.require(needs::absolute_path)) return false;
  append_hyperlink(out, *host_, entry.absolute_path);
  return true;
}

}  // namespace ffind::output
