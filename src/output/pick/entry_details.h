// SPDX-License-Identifier: MIT
// What is known of the current entry, for the pane beside a list: its fields, and how a text file
// begins. Asked by the pick session; reads in a thread of its own, since a volume may not answer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ffind/accounts.h"
#include "ffind/late_loader.h"
#include "output/pick/entry_store.h"

namespace ffind::output {

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

}  // namespace ffind::output
