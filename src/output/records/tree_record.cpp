// SPDX-License-Identifier: MIT
// See tree_record.h.
#include "output/records/tree_record.h"

#include "output/fields/paths.h"
#include "text/escape.h"

namespace ffind {
namespace {

std::string_view take_part(std::string_view& records) {
  const std::size_t end = records.find('\0');
  const std::string_view part = records.substr(0, end);
  records.remove_prefix(end + 1);
  return part;
}

}  // namespace

TreeLeaf take_tree_leaf(std::string_view& records) {
  TreeLeaf leaf{};
  leaf.directory = !take_part(records).empty();
  leaf.root = take_part(records);
  leaf.relative = take_part(records);
  leaf.shown = take_part(records);
  return leaf;
}

TreeRecord::TreeRecord(const OutputStyle& style)
    : palette_(style.palette ? &*style.palette : nullptr), escapes_(style.escapes()) {}

Needs TreeRecord::needs() const {
  return needs::relative_path | needs::type |
         (palette_ != nullptr ? palette_->needs() : needs::none);
}

void TreeRecord::append(std::string& out, Entry& entry) {
  const bool known = entry.require(needs::type);
  if (palette_ != nullptr) entry.require(palette_->needs_for(entry.type));
  entry.require(needs::relative_path);
  if (!known || entry.type == FileType::directory) out += 'd';
  out += '\0';

  path_.clear();
  append_path(path_, entry);
  const bool is_root = entry.depth == 0;
  const std::string_view relative = is_root ? std::string_view() : entry.relative_path;
  std::string_view root = std::string_view(path_).substr(0, path_.size() - relative.size());
  if (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
  out.append(root.empty() ? "." : root) += '\0';
  out.append(relative) += '\0';

  const std::string_view last = is_root ? root : entry.name;
  name_.clear();
  const bool escaped = escapes_ && text::needs_escaping(last);
  if (escaped) text::append_escaped(name_, last);
  const std::string_view color = palette_ != nullptr ? palette_->color_of(entry) : "";
  if (!color.empty()) {
    palette_->append_colored(out, color, escaped ? std::string_view(name_) : last);
  } else {
    out += name_;
  }
  out += '\0';
}

}  // namespace ffind
