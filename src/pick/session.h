// SPDX-License-Identifier: MIT
// A person picks from a list: keys go to the picker, what it shows to the screen, what it asks for
// to the narrower. Made by cli for one --pick; knows no options and no search.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ffind/accounts.h"
#include "ffind/late_loader.h"
#include "os/terminal.h"
#include "output/colors.h"
#include "pick/list.h"
#include "pick/picker.h"
#include "pick/store.h"

namespace ffind::pick {

/// For one thread, but for its own. Nothing waits for a file.
class EntryDetails {
 public:
  /// `changed` is called by its thread when there is something new. `accounts` outlive the process'
  /// last look at them: the thread is left behind where a volume holds it up.
  EntryDetails(std::shared_ptr<EntryStore> store, LateLoaderFactory late, const Accounts* accounts,
               std::function<void()> changed);
  ~EntryDetails();
  EntryDetails(const EntryDetails&) = delete;
  EntryDetails& operator=(const EntryDetails&) = delete;

  /// From now on lines() are about `id`; none: about nothing.
  void show(std::optional<EntryId> id);
  /// Fit for a terminal; a line that says so while they are not there yet.
  std::vector<std::string> lines() const;
  /// Ends its thread. False: it is held up by a volume that does not answer, and left behind.
  bool stop();

 private:
  struct State;
  struct Maker;
  std::shared_ptr<State> state_;
  bool started_ = false;
  std::thread thread_;
  bool abandoned_ = false;
  std::unique_ptr<Maker> maker_here_;  ///< if no thread can be had; null otherwise
};

struct PickSettings {
  PromptReader reader{};
  PickOrder order = PickOrder::found;
  bool reversed = false;
  const output::Palette* palette = nullptr;  ///< null: no colours
  const Accounts* accounts = nullptr;
  unsigned threads = 1;      ///< that narrow
  LateLoaderFactory late{};  ///< for what the search did not read
};

/// For one thread, except where it says so.
class PickSession {
 public:
  /// Everything outlives it. `issue_count` is asked now and then.
  PickSession(os::Screen& screen, std::shared_ptr<EntryStore> store, PickSettings settings,
              std::function<std::size_t()> issue_count);
  ~PickSession();
  PickSession(const PickSession&) = delete;
  PickSession& operator=(const PickSession&) = delete;

  /// Returns what was picked, in the order of picking; nothing when it was left.
  std::optional<std::vector<EntryId>> run();
  /// Draws and acts on keys, for a search in the thread of run(), which calls it often and begins
  /// run() when it is over. False: nothing more is wanted.
  bool meanwhile();
  /// No more is going to be found. For any thread.
  void search_is_over();
  /// run() ends as if it was left. For any thread.
  void give_up();
  /// To be called after run(). False: threads are held up by a volume that does not answer, and the
  /// process must end without destroying what they use.
  bool stop();

 private:
  class Source;

  void draw();
  void follow();
  bool is_settled() const;
  void settle();
  void act_on(os::KeyPress key);
  os::KeyPress next_key();
  std::optional<PickRequest> press(const os::KeyPress& key);
  void open_current();
  void copy_current();
  std::string current_path();

  os::Screen& screen_;
  const std::shared_ptr<EntryStore> store_;
  const PickSettings settings_;
  std::atomic<bool> searching_{true};
  std::atomic<bool> given_up_{false};
  Narrower narrower_;
  EntryDetails details_;
  std::unique_ptr<Source> source_;
  Picker picker_;
  Nanoseconds drawn_at_ = 0;
  bool interrupts_search_ = false;  ///< meanwhile() acts on keys
  std::optional<PickRequest> end_;  ///< how a person ended it: picked or left
};

}  // namespace ffind::pick
