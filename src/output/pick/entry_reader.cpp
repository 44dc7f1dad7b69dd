// SPDX-License-Identifier: MIT
// Paths in one buffer, cut and lengthened as the entries come. See entry_reader.h.
#include "output/pick/entry_reader.h"

#include <algorithm>
#include <cstring>

namespace ffind::output {
namespace {

constexpr Needs paths = needs::directory | needs::relative_path | needs::absolute_path;
constexpr Needs stored = needs::metadata & ~needs::type;
/// What is fetched with any of it, since it costs no more: what lists are ordered by.
constexpr Needs fetched_along = needs::size | needs::modified;
/// Behind the directory, for most names; longer ones make room.
constexpr std::size_t room = 1024;

}  // namespace

EntryReader::EntryReader(EntryStore& store, Needs at_once, LateLoader* loader)
    : store_(store), at_once_(at_once), late_(loader), text_("./") {
  entry_.loader = &loader_;
}

Entry& EntryReader::read(EntryId id) {
  const DirectoryId directory = store_.directory_of(id);
  if (directory != directory_) turn_to(directory);
  id_ = id;
  spelled_ = false;
  entry_.name = store_.name(id);
  entry_.type = store_.type(id);
  entry_.present = needs::directory | needs::depth;
  if (entry_.type != FileType::unknown) entry_.present |= needs::type;
  const BundleMark mark = store_.bundle_mark(id);
  entry_.bundle = mark == BundleMark::yes;
  if (mark != BundleMark::unknown) entry_.present |= needs::bundle;
  entry_.failed = needs::none;
  if ((at_once_ & (needs::relative_path | needs::absolute_path)) != 0) spell_name();
  if ((at_once_ & needs::absolute_path) != 0) spell_absolute();
  if ((at_once_ & stored) != 0) fill_known(entry_, at_once_ & stored);
  return entry_;
}

/// Of two directories near each other no more is spelled than they differ by.
void EntryReader::turn_to(DirectoryId id) {
  const auto is_known = [this](DirectoryId directory, std::size_t level) {
    return level < levels_.size() && levels_[level].directory == directory;
  };
  const EntryStore::Directory& last = store_.directory(id);
  const Root& root = store_.root_of(last);
  way_.clear();
  const std::uint32_t first_depth = root.is_file ? root.depth : root.depth + 1;
  DirectoryId at = id;
  std::size_t level = last.depth - first_depth;
  while (!is_known(at, level)) {
    way_.push_back(at);
    at = store_.directory(at).parent;
    if (at == no_directory) break;
    --level;
  }
  levels_.resize(at == no_directory ? 0 : level + 1);
  if (levels_.empty()) {
    root_ = &root;
    text_.resize(2);
    text_ += root.printed;
    below_root_ = text_.size();
    below_start_ = below_root_ - (root.below.empty() ? 0 : root.below.size() + 1);
    levels_.push_back({way_.back(), text_.size()});
    way_.pop_back();
  } else {
    text_.resize(levels_.back().end);
  }
  for (auto next = way_.rbegin(); next != way_.rend(); ++next) {
    text_.append(store_.name_of(store_.directory(*next))) += '/';
    levels_.push_back({*next, text_.size()});
  }
  directory_ = id;
  length_ = text_.size();
  begin_ = length_ > 2 && text_[2] == '-' ? 0 : 2;
  text_.resize(length_ + room);
  absolute_length_ = 0;
  late_turned_ = false;
  entry_.depth = last.depth;
  entry_.directory = std::string_view(text_).substr(begin_, length_ - begin_);
}

void EntryReader::spell_name() {
  const std::string_view name = entry_.name;
  if (length_ + name.size() > text_.size()) {
    text_.resize(length_ + name.size() + room);
    entry_.directory = std::string_view(text_).substr(begin_, length_ - begin_);
  }
  std::memcpy(text_.data() + length_, name.data(), name.size());
  entry_.relative_path = {text_.data() + below_start_, length_ + name.size() - below_start_};
  entry_.present |= needs::relative_path;
  spelled_ = true;
}

void EntryReader::spell_absolute() {
  entry_.present |= needs::absolute_path;
  if (root_->is_file) {
    entry_.absolute_path = root_->absolute;
    return;
  }
  if (absolute_length_ == 0) {
    absolute_ = root_->absolute;
    if (absolute_.empty() || absolute_.back() != '/') absolute_ += '/';
    absolute_.append(text_, below_root_, length_ - below_root_);
    absolute_length_ = absolute_.size();
  }
  absolute_.resize(absolute_length_);
  absolute_ += entry_.name;
  entry_.absolute_path = absolute_;
}

void EntryReader::fill_known(Entry& entry, Needs wanted) const {
  Needs failed = needs::none;
  entry.present |= store_.known(id_, wanted, entry.metadata, failed);
  entry.failed |= failed;
}

/// At the directory of the entry; null: nothing is loaded.
LateLoader* EntryReader::late() {
  if (late_ != nullptr && !late_turned_) {
    std::string_view below(text_);
    below = below.substr(below_root_, length_ - below_root_);
    if (!below.empty()) below.remove_suffix(1);
    late_->turn_to(*root_, below);
    late_turned_ = true;
  }
  return late_;
}

void EntryReader::Loader::load(Entry& entry, Needs wanted) {
  EntryReader& reader = reader_;
  if ((wanted & needs::relative_path) != 0) reader.spell_name();
  if ((wanted & needs::absolute_path) != 0) reader.spell_absolute();
  entry.present |= wanted & (needs::directory | needs::depth);
  wanted &= ~(paths | needs::depth);
  if ((wanted & stored) != 0) {
    reader.fill_known(entry, wanted & stored);
    wanted &= ~(entry.present | entry.failed);
  }
  if (wanted == needs::none) return;
  LateLoader* const late = reader.late();
  if (late == nullptr) {
    entry.failed |= wanted;
    return;
  }
  ++reader.loads_;
  if ((wanted & stored) != 0) wanted |= fetched_along & ~(entry.present | entry.failed);
  late->load(entry, wanted);
  // What was read along and could not be had nobody wanted.
  reader.store_.remember(reader.id_, entry.present & wanted, entry.failed & wanted, entry.metadata);
}

bool EntryReader::Loader::read_contents(Entry& entry, ContentReader& reader) {
  LateLoader* const late = reader_.late();
  if (late == nullptr) {
    entry.failed |= needs::contents;
    return false;
  }
  ++reader_.loads_;
  return late->read_contents(entry, reader);
}

bool EntryReader::Loader::attribute(Entry& entry, std::string_view name, AttributeValue* value) {
  LateLoader* const late = reader_.late();
  if (late == nullptr) {
    entry.failed |= needs::attributes;
    return false;
  }
  ++reader_.loads_;
  return late->attribute(entry, name, value);
}

std::optional<bool> EntryReader::Loader::holds_name(Entry& entry, std::string_view name) {
  LateLoader* const late = reader_.late();
  if (late == nullptr) {
    entry.failed |= needs::children;
    return {};
  }
  ++reader_.loads_;
  return late->holds_name(entry, name);
}

void EntryReader::Loader::accounts_failed(Entry& entry) {
  if (LateLoader* const late = reader_.late()) late->accounts_failed(entry);
}

}  // namespace ffind::output
