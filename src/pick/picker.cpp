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
// All state changes in press() and follow(); picture() only scrolls. Keys are rows of Picker::Keys:
// what they do and what the pane of keys says of them.
#include "pick/picker.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

namespace ffind::pick {
namespace {

using os::Key;

/// `step`: -1 backwards, 1 forwards.
using Effect = PickRequest (*)(Picker& picker, const os::KeyPress& key, int step);

struct Chord {
  Key key = Key::none;
  int step = 0;
  char letter = 0;          ///< of text, control and alt; the digit of a function key
  unsigned modifiers = 1U;  ///< a bit for each Modifier that it may be pressed with
};

constexpr unsigned shift = 1U << static_cast<unsigned>(os::Modifier::shift);
constexpr unsigned with_alt = 1U << static_cast<unsigned>(os::Modifier::alt);
constexpr unsigned modified = shift | with_alt | 1U << static_cast<unsigned>(os::Modifier::control);

constexpr Chord control(char letter, int step = 0) {
  return {Key::control, step, letter};
}
constexpr Chord alt(char letter, int step = 0) {
  return {Key::alt, step, letter};
}
constexpr Chord with(unsigned modifiers, Key key, int step) {
  return {key, step, 0, modifiers};
}

enum Traits : unsigned {
  plain = 0,
  on_entries = 1,  ///< depends on the entries at the cursor
  on_all = 3,      ///< depends on all entries
  moves = 4,       ///< scrolls the pane of keys
  closes = 8,      ///< has no effect but to close that
};

/// A line of the help, and the keys that it is about.
struct Binding {
  KeyLine line;
  unsigned traits = plain;
  Effect effect = nullptr;
  std::array<Chord, 6> chords{};
};

/// Rows for one notch of the wheel.
constexpr std::ptrdiff_t wheel_rows = 3;

std::size_t moved(std::size_t row, std::ptrdiff_t by) {
  const auto distance = static_cast<std::size_t>(by < 0 ? -by : by);
  return by < 0 ? row - std::min(distance, row) : row + distance;
}

/// Rows of a page: one less than are shown, so that one stays in sight.
std::ptrdiff_t page_of(std::size_t rows) {
  return static_cast<std::ptrdiff_t>(std::max<std::size_t>(rows, 2) - 1);
}

bool is_in_pane(const PickLayout& layout, os::ScreenPlace place) {
  return place.row >= layout.pane_row && place.row < layout.pane_row + layout.pane_rows &&
         place.column >= layout.pane_column;
}

}  // namespace

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

Picker::Picker(PickSource& source, PromptParser parser, PickSort sort)
    : source_(source), parser_(std::move(parser)), sort_(sort) {
  if (sort != PickSort{}) source_.set_order(sort);
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

/// Moving chooses the entry: from now on the cursor follows it. In the pane of keys it scrolls.
void Picker::move_to(std::size_t index) {
  if (pane_ == PickPane::keys) {
    keys_top_ = std::min(index, hidden_key_rows(layout_));
    return;
  }
  const std::size_t size = source_.size();
  index_ = size == 0 ? 0 : std::min(index, size - 1);
  chosen_ = current();
}

void Picker::move_by(std::ptrdiff_t rows) {
  move_to(moved(pane_ == PickPane::keys ? keys_top_ : index_, rows));
}

void Picker::mark_and_move(int step) {
  const auto id = current();
  if (!id) return;
  if (marks_.contains(*id)) {
    marks_.remove(*id);
  } else {
    marks_.add(*id);
  }
  move_by(step);
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

void Picker::toggle(PickPane pane) {
  pane_ = pane_ == pane ? PickPane::none : pane;
  keys_top_ = 0;
}

void Picker::read_prompt() {
  PromptMeaning meaning = parser_(prompt_.text());
  // In a directory: without a query what is in it, with one everything below it.
  ListPlace place{.by_level = meaning.terms.empty() && sort_.order == PickOrder::space};
  if (!entered_.empty()) {
    place.directory = entered_.back().directory;
    place.directly = meaning.terms.empty() && !place.by_level;
  }
  const bool same_place = std::exchange(place_, place) == place;
  // Blanks, quotes and unfinished terms change the prompt and not the list.
  const bool same = same_place && meaning.terms == meaning_.terms;
  // Then only the matches of the list before have to be judged again.
  const bool grew = same_place && only_narrows(meaning_, meaning);
  meaning_ = std::move(meaning);
  if (same) return;
  chosen_.reset();
  index_ = 0;
  top_ = 0;
  source_.narrow(meaning_, grew, place_);
}

/// The entry that was chosen stays the one, if it is on the level.
void Picker::change_order(PickSort sort) {
  const std::optional<EntryId> chosen = chosen_;
  sort_ = sort;
  source_.set_order(sort);
  read_prompt();
  chosen_ = chosen;
}

void Picker::enter() {
  const auto id = current();
  const DirectoryId directory = id ? source_.directory_of(*id) : no_directory;
  if (directory == no_directory) return notice("nothing was found in it");
  entered_.push_back({*id, directory});
  read_prompt();
}

void Picker::ask_to_trash() {
  doomed_ = current();
  asks_ = doomed_.has_value();
  if (asks_) notice("move '" + source_.entry(*doomed_).name + "' to the Trash? y or n");
}

/// The cursor stays in its row.
void Picker::forget_taken_out() {
  const std::vector<EntryId> marked = marks_.ids();
  for (const EntryId id : marked) {
    if (source_.is_taken_out(id)) marks_.remove(id);
  }
  source_.narrow(meaning_, false, place_);
}

/// The cursor goes back to the directory.
void Picker::leave() {
  if (entered_.empty()) return;
  const EntryId id = entered_.back().id;
  entered_.pop_back();
  read_prompt();
  chosen_ = id;
}

void Picker::set_query(std::string text) {
  prompt_.set(std::move(text));
  read_prompt();
}

void Picker::type(std::string_view text) {
  prompt_.insert(text);
  read_prompt();
}

/// Shows the earlier or the later query of the history in the prompt.
void Picker::recall(int step) {
  if (read_history_) {
    history_ = QueryHistory(read_history_());
    read_history_ = nullptr;
  }
  set_query(step < 0 ? history_.earlier(prompt_.text()) : history_.later(prompt_.text()));
}

/// picture() keeps the last line at the end of the pane.
void Picker::scroll_details(std::ptrdiff_t rows) {
  if (pane_ == PickPane::details) details_top_ = moved(details_top_, rows);
}

/// The keys, after how a prompt is written. A key cannot be without a line of the help.
struct Picker::Keys {
  template <auto backwards, auto forwards = backwards>
  static PickRequest edit(Picker& picker, const os::KeyPress&, int step) {
    (picker.prompt_.*(step < 0 ? backwards : forwards))();
    picker.read_prompt();
    return PickRequest::none;
  }
  template <auto function>
  static PickRequest call(Picker& picker, const os::KeyPress&, int step) {
    if constexpr (std::is_invocable_v<decltype(function), Picker&, int>) {
      (picker.*function)(step);
    } else {
      (picker.*function)();
    }
    return PickRequest::none;
  }
  template <PickRequest request>
  static PickRequest ask(Picker& picker, const os::KeyPress&, int) {
    const bool is_about_entry = request >= PickRequest::open;
    return is_about_entry && !picker.current() ? PickRequest::none : request;
  }
  template <PickPane pane>
  static PickRequest toggles(Picker& picker, const os::KeyPress& key, int) {
    // A question mark is text after other text.
    if (key.key == Key::text && !picker.prompt_.text().empty()) {
      picker.type(key.text);
    } else {
      picker.toggle(pane);
    }
    return PickRequest::none;
  }
  /// Undoes one thing at a time: the prompt, the list.
  static PickRequest clear(Picker& picker, const os::KeyPress&, int) {
    if (picker.prompt_.text().empty()) return PickRequest::left;
    picker.set_query({});
    return PickRequest::none;
  }
  /// The prompt has nothing to move in if it is empty.
  static PickRequest sideways(Picker& picker, const os::KeyPress& key, int step) {
    if (!picker.prompt_.text().empty()) {
      return edit<&Prompt::move_left, &Prompt::move_right>(picker, key, step);
    }
    step < 0 ? picker.leave() : picker.enter();
    return PickRequest::none;
  }
  static PickRequest to_end(Picker& picker, const os::KeyPress&, int step) {
    picker.move_to(step < 0 ? 0 : std::numeric_limits<std::size_t>::max());
    return PickRequest::none;
  }
  static PickRequest by_page(Picker& picker, const os::KeyPress&, int step) {
    const PickLayout& layout = picker.layout_;
    const bool is_help = picker.pane_ == PickPane::keys;
    picker.move_by(step * page_of(is_help ? layout.pane_rows : layout.list_rows));
    return PickRequest::none;
  }
  static PickRequest scroll(Picker& picker, const os::KeyPress& key, int step) {
    const bool by_row = key.key == Key::up || key.key == Key::down;
    picker.scroll_details(by_row ? step : step * page_of(picker.layout_.pane_rows));
    return PickRequest::none;
  }
  static PickRequest pick(Picker& picker, const os::KeyPress&, int) {
    if (!picker.picked().empty()) return PickRequest::picked;
    picker.notice("nothing matches");
    return PickRequest::none;
  }
  /// In the order of their numbers, and the first again.
  static PickRequest next_order(Picker& picker, const os::KeyPress&, int) {
    const std::size_t next = static_cast<std::size_t>(picker.sort_.order) + 1;
    picker.change_order({static_cast<PickOrder>(next % pick_orders), picker.sort_.reversed});
    return PickRequest::none;
  }
  static PickRequest reverse(Picker& picker, const os::KeyPress&, int) {
    picker.change_order({picker.sort_.order, !picker.sort_.reversed});
    return PickRequest::none;
  }
  /// A click selects the row, a double click picks it.
  static PickRequest click(Picker& picker, const os::KeyPress& key, int) {
    const PickLayout& layout = picker.layout_;
    const std::size_t row = key.place.row;
    if (row < layout.list_row || row >= layout.list_row + layout.list_rows ||
        key.place.column >= layout.list_columns) {
      return PickRequest::none;
    }
    const std::size_t index = picker.top_ + row - layout.list_row;
    if (index >= picker.source_.size()) return PickRequest::none;
    picker.move_to(index);
    return key.number > 1 ? PickRequest::picked : PickRequest::none;
  }
  static PickRequest turn_wheel(Picker& picker, const os::KeyPress& key, int step) {
    if (picker.pane_ == PickPane::details && is_in_pane(picker.layout_, key.place)) {
      picker.scroll_details(step * wheel_rows);
    } else {
      picker.move_by(step * wheel_rows);
    }
    return PickRequest::none;
  }

  static constexpr Binding table[] = {
      {{"word", "in the path"}},
      {{"-word !word", "not in the path"}},
      {{"a | b", "either"}},
      {{"^word word$", "at an end of the name"}},
      {{"*.c a?b", "a glob of the name"}},
      {{"ext:c,h", "extension; kind:image"}},
      {{"size:>1M", "size; modified:7d"}},
      {{"is:dir", "type; is:empty, is:hidden"}},
      {{"\"two words\"", "text as it is"}},
      {{"Left Right", "move; Ctrl-B, Ctrl-F"},
       plain,
       edit<&Prompt::move_left, &Prompt::move_right>,
       {{control('b', -1), control('f', 1)}}},
      {{"Right Left", "no query: enter, leave"},
       on_entries,
       sideways,
       {{{Key::left, -1}, {Key::right, 1}}}},
      {{"Alt-B Alt-F", "by words; Ctrl-Left"},
       plain,
       edit<&Prompt::move_word_left, &Prompt::move_word_right>,
       {{alt('b', -1), alt('f', 1), with(modified, Key::left, -1), with(modified, Key::right, 1)}}},
      {{"Ctrl-E", "to the end; Ctrl-Home"},
       plain,
       edit<&Prompt::move_to_begin, &Prompt::move_to_end>,
       {{control('e', 1), with(modified, Key::home, -1), with(modified, Key::end, 1)}}},
      {{"Backspace", "erase before the cursor"},
       plain,
       edit<&Prompt::erase_before>,
       {{{Key::backspace}}}},
      {{"Ctrl-D Del", "erase after the cursor"},
       plain,
       edit<&Prompt::erase_after>,
       {{control('d'), {Key::remove}}}},
      {{"Ctrl-W", "erase word; Alt-Backspace"},
       plain,
       edit<&Prompt::erase_word_before, &Prompt::erase_word>,
       {{control('w', 1), with(modified, Key::backspace, -1)}}},
      {{"Alt-D", "erase the next word"},
       plain,
       edit<&Prompt::erase_word_after>,
       {{alt('d'), with(modified, Key::remove, 0)}}},
      {{"Ctrl-U", "erase up to the cursor"},
       plain,
       edit<&Prompt::erase_to_begin>,
       {{control('u')}}},
      {{"Alt-Up Down", "old query; Ctrl-T, Ctrl-X"},
       plain,
       call<&Picker::recall>,
       {{with(with_alt, Key::up, -1), with(with_alt, Key::down, 1), alt('p', -1), alt('n', 1),
         control('t', -1), control('x', 1)}}},
      {{"Esc", "clear, then leave"}, closes, clear, {{{Key::escape}}}},
      {{"Ctrl-C", "leave"}, plain, ask<PickRequest::left>, {{control('c')}}},
      {{"Ctrl-Z", "suspend"}, plain, ask<PickRequest::suspend>, {{control('z')}}},
      {{"Up Down", "move; Ctrl-P, Ctrl-N"},
       on_entries | moves,
       call<&Picker::move_by>,
       {{{Key::up, -1},
         {Key::down, 1},
         control('p', -1),
         control('n', 1),
         control('k', -1),
         control('j', 1)}}},
      // macOS's Terminal keeps those two.
      {{"PgUp PgDn", "by a screen; F5, F6"},
       on_entries | moves,
       by_page,
       {{{Key::page_up, -1},
         {Key::page_down, 1},
         {Key::function, -1, '5'},
         {Key::function, 1, '6'}}}},
      {{"Home", "to the first entry"}, on_entries | moves, to_end, {{{Key::home, -1}}}},
      {{"End", "to the last entry"}, on_all | moves, to_end, {{{Key::end, 1}}}},
      {{"Tab", "mark, and move down"}, on_entries, call<&Picker::mark_and_move>, {{{Key::tab, 1}}}},
      {{"Shift-Tab", "mark, and move up"},
       on_entries,
       call<&Picker::mark_and_move>,
       {{{Key::back_tab, -1}}}},
      {{"Ctrl-A", "mark all, or none"}, on_all, call<&Picker::mark_all>, {{control('a')}}},
      {{"Enter", "print marked or this one"}, on_entries | closes, pick, {{{Key::enter}}}},
      {{"Click", "go to it; twice: print"}, on_entries | closes, click, {{{Key::click}}}},
      {{"Wheel", "move, or scroll a pane"},
       on_entries | moves,
       turn_wheel,
       {{{Key::wheel_up, -1}, {Key::wheel_down, 1}}}},
      {{"Ctrl-S", "next order"}, plain, next_order, {{control('s')}}},
      {{"Ctrl-R", "reverse the order"}, plain, reverse, {{control('r')}}},
      {{"Ctrl-V F2", "details of the entry"},
       plain,
       toggles<PickPane::details>,
       {{control('v'), {Key::function, 0, '2'}}}},
      {{"Shift-Up Dn", "scroll them; Alt-PgDn"},
       plain,
       scroll,
       {{with(shift, Key::up, -1), with(shift, Key::down, 1), with(modified, Key::page_up, -1),
         with(modified, Key::page_down, 1)}}},
      {{"Ctrl-O", "open it"}, on_entries, ask<PickRequest::open>, {{control('o')}}},
      {{"Ctrl-G", "show it in its folder"}, on_entries, ask<PickRequest::reveal>, {{control('g')}}},
      {{"Ctrl-Y", "copy its path"}, on_entries, ask<PickRequest::copy>, {{control('y')}}},
      {{"Ctrl-Q", "Quick Look, on a Mac"}, on_entries, ask<PickRequest::look>, {{control('q')}}},
      {{"Ctrl-L F8", "move it to the Trash"},
       on_entries,
       call<&Picker::ask_to_trash>,
       {{control('l'), {Key::function, 0, '8'}}}},
      {{"F1 ?", "these keys; ? at the start"},
       closes,
       toggles<PickPane::keys>,
       {{{Key::function, 0, '1'}, {Key::text, 0, '?'}}}},
  };

  /// Null and 0 if nothing is bound to `key`.
  static std::pair<const Binding*, int> bound_to(const os::KeyPress& key) {
    char letter = key.text.size() == 1 ? key.text.front() : '\0';
    if (key.key == Key::function) letter = static_cast<char>('0' + key.number);
    for (const Binding& binding : table) {
      for (const Chord& chord : binding.chords) {
        const bool is_it = chord.key == key.key && chord.letter == letter &&
                           (chord.modifiers >> static_cast<unsigned>(key.modifier) & 1U) != 0;
        if (is_it) return {&binding, chord.step};
      }
    }
    return {};
  }
};

ListUse list_use_of(const os::KeyPress& key) {
  const Binding* const binding = Picker::Keys::bound_to(key).first;
  if (binding == nullptr || (binding->traits & on_entries) == 0) return ListUse::none;
  return (binding->traits & on_all) == on_all ? ListUse::all : ListUse::entries;
}

std::span<const KeyLine> key_lines() {
  static constexpr auto lines = [] {
    std::array<KeyLine, std::size(Picker::Keys::table)> of_all;
    for (std::size_t i = 0; i < of_all.size(); ++i) of_all[i] = Picker::Keys::table[i].line;
    return of_all;
  }();
  static_assert(std::all_of(lines.begin(), lines.end(), [](const KeyLine& line) {
    return !line.keys.empty() && line.keys.size() < key_columns && !line.effect.empty() &&
           line.effect.size() < key_line_columns - key_columns;
  }));
  return lines;
}

/// Any key but those that scroll it closes the pane of keys. The layout is computed again first,
/// since the screen may have another size.
PickRequest Picker::press(const os::KeyPress& key, os::ScreenSize size) {
  layout_ = layout_of(size, shown_pane());
  if (key.key == Key::none || key.key == Key::resize) return PickRequest::none;
  notice_.clear();
  if (std::exchange(asks_, false)) {
    const bool agrees = key.key == Key::text && (key.text == "y" || key.text == "Y");
    return agrees ? PickRequest::trash : PickRequest::none;
  }
  const auto [binding, step] = Keys::bound_to(key);
  const unsigned traits = binding == nullptr ? plain : binding->traits;
  if (pane_ == PickPane::keys && (traits & moves) == 0) {
    pane_ = PickPane::none;
    if ((traits & closes) != 0) return PickRequest::none;
  }
  if (binding != nullptr) return binding->effect(*this, key, step);
  if (key.key == Key::text) type(key.text);
  return PickRequest::none;
}

/// Scrolls so that the current entry is visible, and fills in the rows on the screen: only those
/// entries are read.
PickPicture Picker::picture(os::ScreenSize size) {
  layout_ = layout_of(size, shown_pane());
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
  picture.marks = picture.status.is_apart ? meaning_.marks_apart : meaning_.marks;
  picture.status.marked = marks_.ids().size();
  picture.status.sort = sort_;
  picture.status.notice = notice_;
  if (!entered_.empty()) {
    const ShownEntry entry = source_.entry(entered_.back().id);
    picture.status.place = entry.directory + entry.name;
    if (!picture.status.space.empty()) picture.status.space = entry.value;
  }
  for (std::size_t index = top_; index < std::min(count, top_ + rows); ++index) {
    picture.entries.push_back(source_.row(index));
    picture.entries.back().is_marked = marks_.contains(source_.id_at(index));
  }
  if (index_ < count && rows > 0) picture.current = index_ - top_;
  picture.pane = shown_pane();
  picture.details = details_are_facts_ ? arranged(details_, text_columns(layout_)) : details_;
  if (details_of_ != current()) details_top_ = 0;
  details_of_ = current();
  const std::size_t lines = picture.details.size();
  details_top_ = std::min(details_top_, lines - std::min(lines, layout_.pane_rows));
  picture.details.erase(picture.details.begin(),
                        picture.details.begin() + static_cast<std::ptrdiff_t>(details_top_));
  if (pane_ == PickPane::keys) keys_top_ = std::min(keys_top_, hidden_key_rows(layout_));
  picture.keys_top = keys_top_;
  return picture;
}

}  // namespace ffind::pick
