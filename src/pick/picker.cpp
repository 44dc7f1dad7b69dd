// SPDX-License-Identifier: MIT
// Keys, marks and movement.
//
//     index_     row of the current entry; top_ is that of the first row on the screen
//     chosen_    the entry that the user moved to
//
// follow() keeps the cursor in a list that changes under it. Without chosen_ the first entry is
// current, whichever that is. With it, the cursor stays on that entry at its new row, and at the
// old row if it no longer matches. Typing resets chosen_.
//
// All state changes in press() and follow(); picture() only scrolls. The pane of keys (picture.cpp)
// lists the keys: a new one needs a line there, and one in acts_on_entries() if it needs the list.
#include "pick/picker.h"

#include <algorithm>

namespace ffind::pick {
namespace {

/// Rows for one notch of the wheel.
constexpr std::ptrdiff_t wheel_rows = 3;

bool is_in_pane(const PickLayout& layout, os::ScreenPlace place) {
  return place.row >= layout.pane_row && place.row < layout.pane_row + layout.pane_rows &&
         place.column >= layout.pane_column;
}

}  // namespace

bool acts_on_all(const os::KeyPress& key) {
  return key.key == os::Key::end || (key.key == os::Key::control && key.text == "a");
}

bool acts_on_entries(const os::KeyPress& key) {
  if (key.modifier != os::Modifier::none) return false;
  constexpr std::string_view letters = "ajknopy";  // with Control
  switch (key.key) {
    case os::Key::enter:
    case os::Key::tab:
    case os::Key::back_tab:
    case os::Key::up:
    case os::Key::down:
    case os::Key::page_up:
    case os::Key::page_down:
    case os::Key::home:
    case os::Key::end:
    case os::Key::click:
    case os::Key::wheel_up:
    case os::Key::wheel_down:
      return true;
    case os::Key::control:
      return letters.find(key.text.front()) != std::string_view::npos;
    default:
      return false;
  }
}

void PickMarks::add(EntryId id) {
  if (contains(id)) return;
  if (id >= bits_.size()) bits_.resize(id + std::size_t{1});
  bits_[id] = true;
  ids_.push_back(id);
}

/// Takes time in proportion to the number of marks, since their order is kept.
void PickMarks::remove(EntryId id) {
  if (!contains(id)) return;
  bits_[id] = false;
  std::erase(ids_, id);
}

void PickMarks::clear() {
  bits_.clear();
  ids_.clear();
}

Picker::Picker(PickSource& source, PromptParser parser, PickOrder order, bool reversed)
    : source_(source), parser_(std::move(parser)), order_(order), reversed_(reversed) {
  if (order != PickOrder::match || reversed) source_.set_order(order, reversed);
}

std::optional<EntryId> Picker::current() const {
  if (index_ >= source_.size()) return {};
  return source_.id_at(index_);
}

std::vector<EntryId> Picker::picked() const {
  if (!marks_.ids().empty()) return marks_.ids();
  const auto id = current();
  return id ? std::vector<EntryId>{*id} : std::vector<EntryId>();
}

void Picker::follow() {
  const std::size_t size = source_.size();
  if (!chosen_) {
    index_ = 0;
  } else if (index_ >= size || source_.id_at(index_) != *chosen_) {
    // Entries came in between: the current one stays, at its new row.
    if (const auto row = source_.row_of(*chosen_)) {
      // Scroll by the same number of rows: on the screen the entry does not move. picture()
      // corrects `top_` if there is less above.
      top_ += *row > index_ ? *row - index_ : 0;
      index_ = *row;
    } else {
      index_ = size == 0 ? 0 : std::min(index_, size - 1);
    }
  }
}

/// Moving chooses the entry: from now on the cursor follows it.
void Picker::move_to(std::size_t index) {
  const std::size_t size = source_.size();
  index_ = size == 0 ? 0 : std::min(index, size - 1);
  chosen_ = current();
}

void Picker::move_by(std::ptrdiff_t rows) {
  const auto distance = static_cast<std::size_t>(rows < 0 ? -rows : rows);
  move_to(rows < 0 ? index_ - std::min(distance, index_) : index_ + distance);
}

void Picker::mark_and_move(std::ptrdiff_t rows) {
  const auto id = current();
  if (!id) return;
  if (marks_.contains(*id)) {
    marks_.remove(*id);
  } else {
    marks_.add(*id);
  }
  move_by(rows);
}

/// Marks everything that matches, or clears the marks if all of that is marked.
void Picker::mark_all() {
  const std::size_t size = source_.size();
  bool all = size > 0;
  for (std::size_t index = 0; index < size && all; ++index) {
    all = marks_.contains(source_.id_at(index));
  }
  if (all) {
    marks_.clear();
    return;
  }
  for (std::size_t index = 0; index < size; ++index) marks_.add(source_.id_at(index));
}

/// In the order of their numbers, and the first again.
void Picker::next_order() {
  order_ = static_cast<PickOrder>((static_cast<std::size_t>(order_) + 1) % pick_orders);
  source_.set_order(order_, reversed_);
}

void Picker::toggle(PickPane pane) {
  pane_ = pane_ == pane ? PickPane::none : pane;
  keys_top_ = 0;
}

/// Scrolls the pane of keys, which covers the list. Any other key closes it. Returns true if the
/// key has no other effect.
bool Picker::press_on_keys(const os::KeyPress& key, os::ScreenSize size) {
  const std::size_t most = hidden_key_rows(size);
  const std::size_t page = std::max<std::size_t>(layout_.pane_rows, 2) - 1;
  const auto up = [&](std::size_t rows) { keys_top_ -= std::min(keys_top_, rows); };
  const auto down = [&](std::size_t rows) { keys_top_ = std::min(keys_top_ + rows, most); };
  switch (key.key) {
    case os::Key::none:
    case os::Key::resize:
      down(0);
      return true;
    case os::Key::up:
    case os::Key::wheel_up:
      up(1);
      return true;
    case os::Key::down:
    case os::Key::wheel_down:
      down(1);
      return true;
    case os::Key::page_up:
      up(page);
      return true;
    case os::Key::page_down:
      down(page);
      return true;
    case os::Key::home:
      up(most);
      return true;
    case os::Key::end:
      down(most);
      return true;
    default:
      pane_ = PickPane::none;
      return key.key == os::Key::escape || key.key == os::Key::enter || key.key == os::Key::click ||
             (key.key == os::Key::function && key.number == 1) ||
             (key.key == os::Key::text && key.text == "?");
  }
}

void Picker::read_prompt() {
  PromptMeaning meaning = parser_(prompt_.text());
  // Blanks, quotes and unfinished terms change the prompt and not the list.
  const bool same = meaning.terms == meaning_.terms;
  // Then only the matches of the list before have to be judged again.
  const bool grew = only_narrows(meaning_, meaning);
  meaning_ = std::move(meaning);
  if (same) return;
  chosen_.reset();
  index_ = 0;
  top_ = 0;
  source_.narrow(meaning_, grew);
}

void Picker::set_query(std::string text) {
  prompt_.set(std::move(text));
  read_prompt();
}

void Picker::type(std::string_view text) {
  prompt_.insert(text);
  read_prompt();
}

/// Undoes one thing at a time: the prompt, the list.
PickRequest Picker::press_escape() {
  if (prompt_.text().empty()) {
    return PickRequest::left;
  } else {
    set_query({});
  }
  return PickRequest::none;
}

PickRequest Picker::press_control(char letter) {
  switch (letter) {
    case 'a':
      mark_all();
      break;
    case 'b':
      prompt_.move_left();
      break;
    case 'c':
      return PickRequest::left;
    case 'd':
      prompt_.erase_after();
      read_prompt();
      break;
    case 'e':
      prompt_.move_to_end();
      break;
    case 'f':
      prompt_.move_right();
      break;
    case 'n':
    case 'j':
      move_by(1);
      break;
    case 'p':
    case 'k':
      move_by(-1);
      break;
    case 'o':
      return current() ? PickRequest::open : PickRequest::none;
    case 'g':
      return current() ? PickRequest::reveal : PickRequest::none;
    case 'r':
      reversed_ = !reversed_;
      source_.set_order(order_, reversed_);
      break;
    case 's':
      next_order();
      break;
    case 'u':
      prompt_.erase_to_begin();
      read_prompt();
      break;
    case 'v':
      toggle(PickPane::details);
      break;
    case 'w':
      prompt_.erase_word();
      read_prompt();
      break;
    case 'y':
      return current() ? PickRequest::copy : PickRequest::none;
    case 'z':
      return PickRequest::suspend;
    default:
      break;
  }
  return PickRequest::none;
}

/// Shows the earlier or the later query of the history in the prompt.
void Picker::recall(bool earlier) {
  if (read_history_) {
    history_ = QueryHistory(read_history_());
    read_history_ = nullptr;
  }
  set_query(earlier ? history_.earlier(prompt_.text()) : history_.later(prompt_.text()));
}

/// Scrolls the details, if they are shown. picture() keeps the last line at the end of the pane.
void Picker::scroll_pane(std::ptrdiff_t rows) {
  if (pane_ != PickPane::details) return;
  const auto distance = static_cast<std::size_t>(rows < 0 ? -rows : rows);
  details_top_ =
      rows < 0 ? details_top_ - std::min(distance, details_top_) : details_top_ + distance;
}

/// Readline's keys for words; Ctrl-W and its like are in press_control().
void Picker::press_alt(char letter) {
  switch (letter) {
    case 'b':
      prompt_.move_word_left();
      break;
    case 'd':
      prompt_.erase_word_after();
      read_prompt();
      break;
    case 'f':
      prompt_.move_word_right();
      break;
    case 'n':
      recall(false);
      break;
    case 'p':
      recall(true);
      break;
    default:
      break;
  }
}

/// Keys of the cursor with a modifier: in the prompt by words instead of characters, in the
/// history, and in the pane.
void Picker::press_modified(const os::KeyPress& key) {
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(layout_.pane_rows, 2) - 1);
  switch (key.key) {
    case os::Key::up:
    case os::Key::down:
      if (key.modifier == os::Modifier::alt) recall(key.key == os::Key::up);
      if (key.modifier == os::Modifier::shift) scroll_pane(key.key == os::Key::up ? -1 : 1);
      break;
    case os::Key::page_up:
      scroll_pane(-page);
      break;
    case os::Key::page_down:
      scroll_pane(page);
      break;
    case os::Key::left:
      prompt_.move_word_left();
      break;
    case os::Key::right:
      prompt_.move_word_right();
      break;
    case os::Key::home:
      prompt_.move_to_begin();
      break;
    case os::Key::end:
      prompt_.move_to_end();
      break;
    case os::Key::remove:
      prompt_.erase_word_after();
      read_prompt();
      break;
    case os::Key::backspace:
      prompt_.erase_word_before();
      read_prompt();
      break;
    default:
      break;
  }
}

/// A click selects the row, a double click picks it.
PickRequest Picker::click(const os::KeyPress& key) {
  const std::size_t row = key.place.row;
  if (row < layout_.list_row || row >= layout_.list_row + layout_.list_rows ||
      key.place.column >= layout_.list_columns) {
    return PickRequest::none;
  }
  const std::size_t index = top_ + row - layout_.list_row;
  if (index >= source_.size()) return PickRequest::none;
  move_to(index);
  return key.number > 1 ? PickRequest::picked : PickRequest::none;
}

/// Keys with a name. The layout is computed again first, since the screen may have another size.
PickRequest Picker::press(const os::KeyPress& key, os::ScreenSize size) {
  // For `page`, and for the row of a click.
  layout_ = layout_of(size, pane_);
  if (key.key != os::Key::none && key.key != os::Key::resize) notice_.clear();
  if (pane_ == PickPane::keys && press_on_keys(key, size)) return PickRequest::none;
  if (key.modifier != os::Modifier::none) {
    press_modified(key);
    return PickRequest::none;
  }
  // One row less than the screen has, so that one stays in sight.
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(layout_.list_rows, 2) - 1);
  switch (key.key) {
    case os::Key::text:
      if (key.text == "?" && prompt_.text().empty()) {
        toggle(PickPane::keys);
      } else {
        type(key.text);
      }
      break;
    case os::Key::control:
      return press_control(key.text.front());
    case os::Key::alt:
      press_alt(key.text.front());
      break;
    case os::Key::enter:
      if (!picked().empty()) return PickRequest::picked;
      notice("nothing matches");
      break;
    case os::Key::escape:
      return press_escape();
    case os::Key::tab:
      mark_and_move(1);
      break;
    case os::Key::back_tab:
      mark_and_move(-1);
      break;
    case os::Key::backspace:
      prompt_.erase_before();
      read_prompt();
      break;
    case os::Key::remove:
      prompt_.erase_after();
      read_prompt();
      break;
    case os::Key::up:
      move_by(-1);
      break;
    case os::Key::down:
      move_by(1);
      break;
    case os::Key::left:
      prompt_.move_left();
      break;
    case os::Key::right:
      prompt_.move_right();
      break;
    case os::Key::page_up:
      move_by(-page);
      break;
    case os::Key::page_down:
      move_by(page);
      break;
    case os::Key::home:
      move_to(0);
      break;
    case os::Key::end:
      // Cut to the last entry.
      move_to(source_.size());
      break;
    case os::Key::function:
      if (key.number == 1) toggle(PickPane::keys);
      if (key.number == 2) toggle(PickPane::details);
      break;
    case os::Key::click:
      return click(key);
    case os::Key::wheel_up:
    case os::Key::wheel_down: {
      const std::ptrdiff_t rows = key.key == os::Key::wheel_up ? -wheel_rows : wheel_rows;
      if (is_in_pane(layout_, key.place)) {
        scroll_pane(rows);
      } else {
        move_by(rows);
      }
      break;
    }
    case os::Key::none:
    case os::Key::resize:
      break;
  }
  return PickRequest::none;
}

/// Scrolls so that the current entry is visible, and fills in the rows on the screen: only those
/// entries are read.
PickPicture Picker::picture(os::ScreenSize size) {
  layout_ = layout_of(size, pane_);
  const std::size_t rows = layout_.list_rows;
  const std::size_t count = source_.size();
  top_ = std::min(top_, index_);
  if (rows > 0 && index_ >= top_ + rows) top_ = index_ - rows + 1;
  // The list may have become shorter: no rows stay empty that entries could be in.
  if (top_ + rows > count) top_ = count > rows ? count - rows : 0;

  PickPicture picture;
  picture.prompt = prompt_.text();
  picture.cursor = prompt_.cursor();
  picture.unfinished = meaning_.unfinished;
  picture.status = source_.status();
  picture.marks = picture.status.is_apart ? meaning_.apart.marks : meaning_.marks;
  picture.status.marked = marks_.ids().size();
  picture.status.order = order_;
  picture.status.is_reversed = reversed_;
  picture.status.notice = notice_;
  for (std::size_t index = top_; index < std::min(count, top_ + rows); ++index) {
    const EntryId id = source_.id_at(index);
    picture.entries.push_back(source_.entry(id));
    picture.entries.back().is_marked = marks_.contains(id);
  }
  if (index_ < count && rows > 0) picture.current = index_ - top_;
  picture.pane = pane_;
  picture.details = details_are_facts_ ? arranged(details_, text_columns(layout_)) : details_;
  if (details_of_ != current()) details_top_ = 0;
  details_of_ = current();
  const std::size_t lines = picture.details.size();
  details_top_ = std::min(details_top_, lines - std::min(lines, layout_.pane_rows));
  picture.details.erase(picture.details.begin(),
                        picture.details.begin() + static_cast<std::ptrdiff_t>(details_top_));
  picture.keys_top = keys_top_;
  return picture;
}

}  // namespace ffind::pick
