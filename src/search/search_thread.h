// SPDX-License-Identifier: MIT
// One thread of a searcher, and the road that all entries take: a source (the walk, the ordered
// walk, a catalog, a list) moves its position and begins the entry; ignore rules, boundaries and
// the matcher test it; WorkerOutput emits it.
//
//     Worker, OrderedWalk, CatalogWorker, ListWorker    sources, which know what comes next
//       └ SearchThread
//           ├ Reach           counts, reports and descriptors
//           ├ Entry           the current one; its loader is the source's EntryAccess
//           └ WorkerOutput
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ffind/searcher.h"
#include "search/opener.h"
#include "search/state.h"

namespace ffind::search {

/// Base of the threads of all searchers. Belongs to its thread, but for the published counts.
class SearchThread : public Progress::Source {
 public:
  const Statistics& statistics() const { return reach_.counts; }
  void add_counts(SearchProgress& sum) const final { reach_.counts.add_to(sum); }
  std::string where() override { return {}; }

 protected:
  SearchThread(
      SearchState& state, os::FileSystem& file_system, std::function<void()> make_room = [] {})
      : state_(state),
        matcher_(state.matcher()),
        scope_(matcher_.scope()),
        needs_(matcher_.needs() | state.sink_needs()),
        reach_(state, file_system, std::move(make_room)),
        own_output_(std::make_shared<WorkerOutput>(state, reach_.counts)),
        output_(*own_output_) {}

  /// Makes the current entry another one, of which `known` is loaded.
  void begin(std::string_view name, FileType type, Needs known) {
    entry_.name = name;
    entry_.type = type;
    entry_.present = known;
    entry_.failed = needs::none;
    entry_.via_link = entry_.loop = entry_.kept_out = false;
    entry_.unreadable = 0;
  }

  SearchState& state_;
  const Matcher& matcher_;
  const Scope& scope_;
  const Needs needs_;  ///< of the matcher and the sink
  Reach reach_;
  const std::shared_ptr<WorkerOutput> own_output_;
  WorkerOutput& output_;
  Entry entry_;
};

}  // namespace ffind::search
