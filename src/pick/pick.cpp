// SPDX-License-Identifier: MIT
// The search for the list, and the output of what was picked.
//
//     thread of run()                             thread of BackgroundSearch
//     Pick()    opens the screen, starts the
//               threads of the Narrower
//     run()     search_.start() ───────────────▶  plan, then run_search() into the PickSink
//               session_->run(): the user picks
//               search_.stop() ────────────────▶  lanes refuse entries, loaders stop reading
//               wait_for_end(), 0.2 s             ends, or is left behind in the kernel
//               closes the screen
//     emit()    picked entries ─▶ a lane of Output
//
// The screen is opened first, so that a missing terminal costs no search. A thread that is
// left behind refers to the plan, the matcher and the sinks: all_ended() is false then, and the
// caller ends the process without running destructors. Members are declared so that a destroyed
// Pick ends the session first, then the search, then the store.
#include "pick/pick.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "os/catalog.h"
#include "os/directory_reader.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/terminal.h"
#include "output/commands/action_stage.h"
#include "output/messages.h"
#include "output/record_fields.h"
#include "output/writer.h"
#include "pick/history.h"
#include "pick/prompt.h"
#include "pick/session.h"
#include "pick/store.h"
#include "search/entry_reload.h"

namespace ffind::pick {
namespace {

/// Searches in a thread of its own. If a volume holds that up it lives as long as the process, and
/// so must everything that this refers to.
class BackgroundSearch {
 public:
  BackgroundSearch(const Job& job, PickSink& sink, output::Output& output)
      : job_(job), sink_(sink), output_(output) {}

  /// Calls `on_end` when the search has ended or failed.
  void start(std::function<void()> on_end) {
    const bool has_started = thread_.start("search", [this, on_end = std::move(on_end)] {
      run();
      on_end();
    });
    if (!has_started) {
      throw std::system_error(EAGAIN, std::generic_category(),
                              "--pick: cannot start a thread to search");
    }
  }

  /// Waits for the end, 0.2 s at most. Returns false if the search goes on: it is abandoned then.
  bool wait_for_end() {
    return thread_.end_by(std::chrono::steady_clock::now() + std::chrono::milliseconds(200));
  }
  /// Throws what the search or the plan threw. Call once it has ended.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  bool failed() const { return failure_ != nullptr; }

  /// Stops the search, and the loaders.
  void stop() {
    sink_.stop();
    const std::lock_guard lock(mutex_);
    if (late_) late_->stop();
  }

  // Valid once an entry was found:
  const Plan& plan() const { return *plan_; }
  /// Reads entries for the list; reports their issues.
  search::EntryReload& late() const { return *late_; }
  /// Valid once the search has ended.
  const SearchResult& result() const { return result_; }
  /// The functions that a search which prints has as well: the command of --if applies to the list,
  /// too.
  SystemAccess access() const {
    return {os::open_file_system,  os::open_catalog,    os::device_directories,
            output_.descriptors(), output_.condition(), job_.read_list};
  }

 private:
  /// The plan is made here and not before: a root on a volume that does not answer must not keep
  /// the screen from being drawn.
  void run() {
    try {
      std::vector<Issue> issues;
      Plan plan = job_.plan(PickSink::needs, issues);
      {
        const std::lock_guard lock(mutex_);
        plan_ = std::move(plan);
        late_ = std::make_shared<search::EntryReload>(*plan_, job_.matcher, sink_,
                                                      os::open_file_system);
      }
      // Roots that cannot be searched.
      for (const Issue& issue : issues) sink_.report(issue);
      result_ = run_search(*plan_, job_.matcher, job_.limit, sink_, PickSink::needs, access());
      const Statistics& counts = result_.statistics;
      if (counts.not_local_directories + counts.not_local_files > 0) {
        sink_.report(output::not_local_issue(counts.not_local_files, counts.not_local_directories));
      }
    } catch (...) {
      // Thrown again by the thread of run(), once the screen is closed: a message would be lost on
      // it.
      failure_ = std::current_exception();
    }
  }

  /// `plan_` and `late_` are written by run(). Other threads read them only after an entry was
  /// found, which the store publishes with release, or under the mutex.
  const Job& job_;
  PickSink& sink_;
  output::Output& output_;
  std::optional<Plan> plan_;
  std::shared_ptr<search::EntryReload> late_;
  SearchResult result_;
  std::exception_ptr failure_;
  std::mutex mutex_;
  AbandonableThread thread_;
};

std::unique_ptr<os::Screen> open_screen(os::ScreenHeight height) {
  try {
    return os::Screen::open(height);
  } catch (const std::runtime_error& error) {  // std::system_error is one
    throw UsageError({.what = error.what(),
                      .place = {.options = {"--pick"}},
                      .advice = "without a terminal: ffind --query 'ext:pdf invoice'"});
  }
}

/// The order of the first of `keys`; the usual one if the list has no such order.
PickSort sort_of(std::string_view keys) {
  std::string_view word = keys.substr(0, keys.find(','));
  const bool reversed = word.starts_with('-');
  if (reversed) word.remove_prefix(1);
  if (const output::RecordField* const field = output::find_record_field(word)) word = field->name;
  for (std::size_t number = 0; number < pick_orders; ++number) {
    const auto order = static_cast<PickOrder>(number);
    if (to_text(order) == word) return {order, reversed};
  }
  return {};
}

}  // namespace

struct Pick::Parts {
  Parts(Job wanted, output::Output& to) : job(std::move(wanted)), output(to) {
    PickSettings settings;
    settings.reader = [this](std::string_view prompt) { return read_prompt(prompt, job.meaning); };
    settings.sort = sort_of(job.sort);
    settings.palette = job.palette;
    settings.accounts = &job.accounts;
    settings.query = job.query;
    settings.preview = job.preview;
    settings.history = [this] { return read_queries(job.state_directory); };
    settings.threads = os::processors();
    // Called when entries are loaded, so some were found and the plan exists.
    if (!of_records) settings.late = [this] { return search.late().make_loader(); };
    settings.trash = [this](EntryId id) {
      return of_records ? "only its record is here" : move_to_trash(id);
    };
    session.emplace(*screen, store, std::move(settings), [this](PickStatus& status) {
      status.errors = sink.issue_count();
      status.reason = sink.reason();
    });
  }

  bool run();
  std::string move_to_trash(EntryId id);
  void emit(const std::vector<EntryId>& picked);

  const Job job;
  /// Nothing can be loaded but what a record had when it was read.
  const bool of_records =
      !job.matcher.scope().lists.empty() && job.matcher.scope().lists.front().of_records;
  output::Output& output;
  const std::unique_ptr<os::Screen> screen = open_screen(job.height);
  const std::shared_ptr<EntryStore> store = std::make_shared<EntryStore>();
  PickSink sink{store};
  BackgroundSearch search{job, sink, output};
  std::optional<PickSession> session;
  bool narrowing_ended = true;
  bool search_ended = true;
};

/// No thread of the room runs once the screen is closed, unless all_ended() is false.
bool Pick::Parts::run() {
  std::optional<std::vector<EntryId>> picked;  // in the order of picking
  std::exception_ptr failure;
  try {
    search.start([this] {
      // The user would look at a list that never fills.
      if (search.failed()) session->give_up();
      session->search_is_over();
    });
    picked = session->run();
  } catch (...) {
    failure = std::current_exception();
  }
  search.stop();
  narrowing_ended = session->stop();
  search_ended = search.wait_for_end();
  screen->close();
  if (picked) add_query(job.state_directory, session->query());
  if (failure) std::rethrow_exception(failure);
  if (search_ended) search.rethrow();
  if (picked) emit(*picked);
  return picked.has_value();
}

/// By the rules of --trash: roots stay, and what is no longer what was found.
std::string Pick::Parts::move_to_trash(EntryId id) try {
  output::OutputStyle style;
  style.format = output::Format::removal;
  style.action = output::Action{.kind = output::ActionKind::trash, .whole = true};
  output::Writer unused(os::standard_output, os::standard_error);
  std::string problem;
  const std::unique_ptr<output::ActionStage> stage =
      output::make_deleter({.action = *style.action,
                            .writer = unused,
                            .terminal = true,
                            .report = [&](const Issue& issue) {
                              problem = issue.path + ": " + output::reason_of(issue);
                            }});
  stage->set_roots(output::root_directories_of(search.plan()));
  output::MatchBuilder builder(style);
  const std::unique_ptr<LateLoader> loader = search.late().make_loader();
  StoreCursor reader(*store, builder.needs(), loader.get());
  const output::Match match = builder.read(reader.read(id));
  stage->take({&match, 1});
  stage->finish();
  if (problem.empty() && stage->summary().empty()) return "it is gone, or in the Trash already";
  return problem;
} catch (const std::system_error& error) {
  return error.what();
}

/// Hands the entries to the output, with what its lanes require. Their issues go there too: each
/// one counts if it is about a picked entry.
void Pick::Parts::emit(const std::vector<EntryId>& picked) {
  const Plan& plan = search.plan();
  output.begin(plan);
  // A reload of its own: issues of picked entries go to the output and not to the list's sink.
  const auto late =
      std::make_shared<search::EntryReload>(plan, job.matcher, output, os::open_file_system);
  const std::unique_ptr<LateLoader> loader = of_records ? nullptr : late->make_loader();
  StoreCursor reader(*store, output.needs(), loader.get());
  const std::unique_ptr<Lane> lane = output.open_lane();
  for (const EntryId id : picked) {
    Entry& entry = reader.read(id);
    entry.require(output.needs());
    if (!lane->emit(entry)) break;
  }
  lane->flush();
}

Pick::Pick(Job job, output::Output& output)
    : parts_(std::make_unique<Parts>(std::move(job), output)) {}

Pick::~Pick() = default;

bool Pick::run() {
  return parts_->run();
}

void Pick::report_issues() {
  if (os::is_terminal(os::standard_error)) return;
  parts_->sink.pass_on(parts_->output);
}

const SearchResult* Pick::result() const {
  return parts_->search_ended ? &parts_->search.result() : nullptr;
}

bool Pick::all_ended() const {
  return parts_->narrowing_ended && parts_->search_ended && !parts_->search.result().abandoned;
}

}  // namespace ffind::pick
