// SPDX-License-Identifier: MIT
// Narrows the list of --pick while a person types: threads of its own judge what the search found,
// and go on judging while it finds more. Made by cli, asked by the screen. Knows neither terminal
// nor query language: what was typed comes as a matcher.
//
//     set_query ──▶ pass: slices of the store ──▶ judging threads ──matches──────────▶ list()
//                                                     │ undecided                        ▲
//                                                     ▼                                  │
//                            late threads, which may be stuck in the kernel ──matches────┤
//     set_order ──▶ ordering thread: sorts what matches (order.h)    ────────────────────┘
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "ffind/late_loader.h"
#include "ffind/matcher.h"
#include "pick/list.h"
#include "pick/store.h"

namespace ffind::pick {

/// What was typed.
struct Narrowing {
  std::shared_ptr<const Matcher> matcher{};  ///< null: everything matches
  /// All that matches now matched the query before.
  bool grew = false;
};

/// Thread-safe but for list(), and no call blocks: none waits for a thread that reads files. Work
/// for which no thread can be had is done in list(), a moment each time, and slower.
class Narrower {
 public:
  struct Options {
    unsigned threads = 1;  ///< that judge; those that read files come on top
    unsigned most_late_threads = 32;
    LateLoaderFactory late{};  ///< null: nothing is loaded
    /// The list has changed; called by its threads, often. Must be quick, and must not call the
    /// narrower.
    std::function<void()> changed{};
  };
  /// Counts so far, for tests and for --stats.
  struct Work {
    std::size_t judged = 0;  ///< by what is in the store
    std::size_t loaded = 0;  ///< entries that something was loaded of
    unsigned late_threads = 0;
  };

  Narrower(std::shared_ptr<EntryStore> store, Options options);
  /// As `stop`.
  ~Narrower();
  Narrower(const Narrower&) = delete;
  Narrower& operator=(const Narrower&) = delete;

  /// Drops the pass that runs and starts the next. Returns the query's generation; the first is 1,
  /// and everything matches generation 0.
  std::uint64_t set_query(Narrowing narrowing);
  void set_order(PickOrder order, bool reversed);

  /// The newest list. Until there is something to be seen of a new query, that of the one before.
  std::shared_ptr<const PickList> list();
  Work work() const;

  /// Ends its threads. False: some are held up by a volume that does not answer. They are left
  /// behind with all that they use but the process, which must then end without destroying
  /// anything that the late loaders refer to. Called once at most.
  bool stop();

 private:
  class Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace ffind::pick
