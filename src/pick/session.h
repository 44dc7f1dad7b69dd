// SPDX-License-Identifier: MIT
// A list on the screen: keys go to the Picker, its picture to the screen, its requests to the
// Narrower. Made by Pick; knows no options and no search.
//
//     PickSession    the loop of one --pick: follow the list, draw, wait for a key. All of it is in
//                    one thread; any thread may wake it.
//     BackgroundJobs opening, copying and the Trash, one after another in a thread of its own,
//     since
//                    programs and volumes may take long.
//     EntryDetails   the pane for one entry: its fields and the beginning of a text file, or the
//                    output of a command. Reads in a thread of its own, since a volume may not
//                    answer.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ffind/entry.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "output/colors.h"
#include "pick/list.h"
#include "pick/picker.h"
#include "pick/store.h"

namespace ffind::pick {

/// For one thread. No call waits for a file.
class EntryDetails {
 public:
  /// `changed` is called by its thread when lines() has changed. `accounts` live until the process
  /// ends, since a thread that a volume holds up is left behind. A `command` that is not empty is
  /// run for each entry, and its output is what is shown.
  EntryDetails(std::shared_ptr<EntryStore> store, LateLoaderFactory late, const Accounts* accounts,
               std::string command, std::function<void()> changed);
  ~EntryDetails();
  EntryDetails(const EntryDetails&) = delete;
  EntryDetails& operator=(const EntryDetails&) = delete;

  /// Makes lines() about `id`; nullopt for nothing. A command is told `size`. The first call
  /// starts the thread; without one, that is what lines() says.
  void show(std::optional<EntryId> id, os::ScreenSize size = {});
  /// Returns lines, escaped for a terminal but for SGR sequences; a single one if they are still
  /// being read.
  std::vector<std::string> lines() const;
  /// Ends its thread. Returns false if a volume holds it up; it is left behind then.
  bool stop();

 private:
  struct State;
  struct Reader;
  std::shared_ptr<State> state_;
  AbandonableThread thread_;
};

/// For one thread.
class BackgroundJobs {
 public:
  struct Result {
    std::string notice{};            ///< for the user
    std::optional<EntryId> moved{};  ///< to the Trash
    std::string clipboard{};         ///< text for that of the terminal
  };
  using Job = std::function<Result()>;

  /// `changed` is called by its thread when there is a result.
  explicit BackgroundJobs(std::function<void()> changed);
  ~BackgroundJobs();
  BackgroundJobs(const BackgroundJobs&) = delete;
  BackgroundJobs& operator=(const BackgroundJobs&) = delete;

  /// Queues a job, which outlives its caller if it is held up. Without a thread it runs here.
  void add(Job job);
  std::vector<Result> take_results();
  /// Waits for the jobs, two seconds at most. Returns false if one is held up.
  bool stop();

 private:
  struct State;
  const std::shared_ptr<State> state_;
  AbandonableThread thread_;
};

struct PickSettings {
  PromptParser reader{};
  PickSort sort{};
  const output::Palette* palette = nullptr;  ///< null for no colours
  const Accounts* accounts = nullptr;
  unsigned threads = 1;                                 ///< of the Narrower
  std::string query{};                                  ///< in the prompt at the beginning
  std::string preview{};                                ///< command for the pane; empty: none
  std::function<std::vector<std::string>()> history{};  ///< returns earlier queries
  /// Moves an entry to the Trash. Returns the problem; empty if it was moved.
  std::function<std::string(EntryId)> trash{};
  LateLoaderFactory late{};  ///< loads metadata that the search did not read
};

/// For one thread, unless a function is for any.
class PickSession {
 public:
  /// All arguments outlive it. `add_errors` is called for each picture.
  PickSession(os::Screen& screen, std::shared_ptr<EntryStore> store, PickSettings settings,
              std::function<void(PickStatus&)> add_errors);
  ~PickSession();
  PickSession(const PickSession&) = delete;
  PickSession& operator=(const PickSession&) = delete;

  /// Returns the picked entries, in the order of picking; nullopt if the user left. Throws what
  /// start_thread() throws.
  std::optional<std::vector<EntryId>> run();
  /// Call when nothing more will be found. For any thread.
  void search_is_over();
  /// Makes run() end as if the user left. For any thread.
  void give_up();
  const std::string& query() const { return picker_.query(); }
  /// Call after run(). Returns false if a volume holds up threads: the process must end then
  /// without destroying what they use.
  bool stop();

 private:
  class ListSource;

  void draw();
  void follow();
  bool is_list_ready(std::size_t found, bool whole) const;
  void wait_for_list(bool whole);
  os::KeyPress next_key();
  std::optional<PickRequest> press(const os::KeyPress& key);
  void act_on_current(PickRequest request);
  void look_at(const std::string& path, FileType type);
  void move_to_trash(EntryId id);
  void take_results();

  os::Screen& screen_;
  const std::shared_ptr<EntryStore> store_;
  const PickSettings settings_;
  std::atomic<bool> searching_{true};
  std::atomic<bool> given_up_{false};
  Narrower narrower_;
  EntryDetails details_;
  BackgroundJobs jobs_;
  std::unique_ptr<ListSource> source_;
  Picker picker_;
  std::optional<os::ShellCommand> viewer_;  ///< of Quick Look; the next key ends it
  Nanoseconds drawn_at_ = 0;
};

}  // namespace ffind::pick
