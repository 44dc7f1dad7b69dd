// SPDX-License-Identifier: MIT
// Effect of keys on a list: the prompt, the current entry, marks, the order, the pane. Run by the
// pick session, which draws its picture. Knows no terminal, no threads and no search: the list is a
// PickSource.
//
//     KeyPress ─▶ press() ─▶ Prompt ─reader─▶ PromptMeaning ─▶ PickSource::narrow()
//                         ─▶ PickMarks, cursor, order, pane
//     list changed ─▶ follow()        picture() ─▶ PickPicture, which draw() turns into rows
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "os/terminal.h"
#include "pick/history.h"
#include "pick/list.h"
#include "pick/pick.h"
#include "pick/picture.h"
#include "pick/prompt.h"
#include "pick/store.h"

namespace ffind::pick {

/// The present list, and requests to change it. No call waits.
class PickSource {
 public:
  virtual ~PickSource() = default;
  /// Requests a list of the entries that `meaning` matches; it comes later. `grew`: all of them are
  /// matched by the meaning before, too.
  virtual void narrow(const PromptMeaning& meaning, bool grew, const ListPlace& place) = 0;
  virtual void set_order(PickSort sort) = 0;

  virtual std::size_t size() const = 0;
  /// `index` is less than size().
  virtual EntryId id_at(std::size_t index) const = 0;
  /// Returns the row of `id`, if it matches.
  virtual std::optional<std::size_t> row_of(EntryId id) const = 0;
  virtual ShownEntry entry(EntryId id) const = 0;
  /// Returns the entry as the list shows it.
  virtual ShownEntry row(std::size_t index) const { return entry(id_at(index)); }
  /// Returns the directory that the entry is; no_directory if nothing was found in it.
  virtual DirectoryId directory_of(EntryId id) const = 0;
  virtual bool is_taken_out(EntryId id) const = 0;
  /// Returns the status without marks, order and notice; of the place only that of the roots.
  virtual PickStatus status() const = 0;
};

/// Marked entries, in the order in which they were marked.
class PickMarks {
 public:
  bool contains(EntryId id) const { return id < bits_.size() && bits_[id]; }
  void add(EntryId id);
  void remove(EntryId id);
  void clear();
  const std::vector<EntryId>& ids() const { return ids_; }

 private:
  /// By id, so that a row of the screen is looked up at once; `ids_` has the order.
  std::vector<bool> bits_;
  std::vector<EntryId> ids_;
};

/// Request of a key to the session, other than drawing.
enum class PickRequest : std::uint8_t {
  none,
  picked,  ///< print picked()
  left,    ///< print nothing
  suspend,
  open,    ///< current(), with the system's program for it
  reveal,  ///< current(), in the desktop's file manager
  copy,    ///< the path of current()
  look,    ///< at current(), until the next key
  trash,   ///< doomed(), after the question
};

/// Part of the list that the effect of a key depends on. Keys that edit the prompt or leave need
/// not wait for it.
enum class ListUse : std::uint8_t { none, entries, all };
ListUse list_use_of(const os::KeyPress& key);

/// State of a list on the screen. For one thread.
class Picker {
 public:
  /// `source` outlives it.
  Picker(PickSource& source, PromptParser parser, PickSort sort);

  PickRequest press(const os::KeyPress& key, os::ScreenSize size);
  /// Call when the list has changed.
  void follow();
  PickPicture picture(os::ScreenSize size);

  /// `read` returns earlier queries; called once, when a key first requests one.
  void set_history(std::function<std::vector<std::string>()> read) {
    read_history_ = std::move(read);
  }
  const std::string& query() const { return prompt_.text(); }
  void set_query(std::string text);

  std::optional<EntryId> current() const;
  /// Returns the marked entries, or else the current one.
  std::vector<EntryId> picked() const;
  /// Returns the entry that the user wants to move to the Trash.
  std::optional<EntryId> doomed() const { return doomed_; }
  /// Call when entries were taken out of the list.
  void forget_taken_out();
  PickPane pane() const { return pane_; }
  void show_details() { pane_ = PickPane::details; }
  /// `are_facts`: short ones may stand next to each other.
  void set_details(std::vector<std::string> lines, bool are_facts) {
    const bool is_read = lines.size() != 1 || lines.front() != reading_details;
    if (is_read) has_empty_preview_ = !are_facts && lines.empty();
    details_ = std::move(lines);
    details_are_facts_ = are_facts;
  }
  /// Shown until the next key.
  void notice(std::string text) { notice_ = std::move(text); }

 private:
  friend ListUse list_use_of(const os::KeyPress& key);
  friend std::span<const KeyLine> key_lines();
  struct Keys;

  void recall(int step);
  void scroll_details(std::ptrdiff_t rows);
  void type(std::string_view text);
  void read_prompt();
  void change_order(PickSort sort);
  void enter();
  void leave();
  void ask_to_trash();
  void move_by(std::ptrdiff_t rows);
  void move_to(std::size_t index);
  void mark_and_move(int step);
  void mark_all();
  void toggle(PickPane pane);
  /// An empty preview gives its room back.
  PickPane shown_pane() const {
    return pane_ == PickPane::details && has_empty_preview_ ? PickPane::none : pane_;
  }

  PickSource& source_;
  const PromptParser parser_;
  Prompt prompt_;
  PromptMeaning meaning_;
  std::function<std::vector<std::string>()> read_history_;  ///< null once it was called
  QueryHistory history_;
  /// A directory that was entered.
  struct Entered {
    EntryId id;
    DirectoryId directory;
  };
  std::vector<Entered> entered_;  ///< each from the list of the one before
  ListPlace place_;               ///< of the list: the last of them
  std::optional<EntryId> doomed_;
  bool asks_ = false;  ///< the next key is the answer whether to move it
  PickMarks marks_;
  std::size_t index_ = 0;  ///< of the current entry
  std::size_t top_ = 0;    ///< index of the first shown entry
  /// The current entry, if the user moved to it; otherwise the first one is current.
  std::optional<EntryId> chosen_;
  PickSort sort_;
  PickPane pane_ = PickPane::none;
  bool has_empty_preview_ = false;  ///< also while the next one is read, or the list would jump
  std::size_t keys_top_ = 0;        ///< the first row of the pane of keys
  PickLayout layout_;               ///< of the last key
  std::vector<std::string> details_;
  bool details_are_facts_ = true;
  std::optional<EntryId> details_of_;  ///< entry that the pane is scrolled for
  std::size_t details_top_ = 0;        ///< the first shown line
  std::string notice_;
};

}  // namespace ffind::pick
