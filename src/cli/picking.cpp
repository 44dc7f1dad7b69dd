// SPDX-License-Identifier: MIT
// The search runs in a thread of its own from the plan on, since volumes may take their time to
// answer while somebody types already. See picking.h.
#include "cli/picking.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/closing.h"
#include "cli/output_options.h"
#include "cli/pick_prompt.h"
#include "cli/planning.h"
#include "ffind/searcher.h"
#include "os/catalog.h"
#include "os/directory_reader.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "output/messages.h"
#include "output/output.h"
#include "output/pick/pick_session.h"
#include "output/pick/pick_sink.h"
#include "search/entry_reload.h"

namespace ffind::cli {
namespace {

/// The search behind the list. Where a volume holds it up it goes on for as long as the process
/// does, so what it refers to must as well.
class BackgroundSearch {
 public:
  BackgroundSearch(const Request& request, const Matcher& matcher, output::PickSink& sink,
                   output::Output& output)
      : request_(request), matcher_(matcher), sink_(sink), output_(output) {}

  /// `over` is called when it has ended, or has failed. If no thread can be had, the search is done
  /// here, and `meanwhile` is called now and then.
  void start(std::function<void()> over, std::function<void()> meanwhile) {
    const auto search = [this, over = std::move(over)] {
      run();
      over();
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_all();
    };
    try {
      const os::QuietSignals quiet;
      thread_ = std::thread(search);
    } catch (const std::system_error&) {
      sink_.set_meanwhile(std::move(meanwhile));
      search();
    }
  }

  /// Waits for its end, at most a moment; whether that has come. If not, its thread is left behind.
  bool wait_for_end() {
    constexpr std::chrono::milliseconds moment{200};
    std::unique_lock lock(mutex_);
    const bool ended = changed_.wait_for(lock, moment, [this] { return ended_; });
    lock.unlock();
    if (!thread_.joinable()) return ended;
    if (ended) {
      thread_.join();
    } else {
      thread_.detach();
    }
    return ended;
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  bool failed() const { return failure_ != nullptr; }

  /// No more is wanted.
  void stop() {
    sink_.stop();
    const std::lock_guard lock(mutex_);
    if (reload_) reload_->stop();
  }

  // Once something was found:
  const Plan& plan() const { return *plan_; }
  /// What is read of entries for the list, issues with it.
  search::EntryReload& reload() const { return *reload_; }
  /// Once it has ended.
  const SearchResult& result() const { return result_; }
  SystemAccess access() const {
    return {os::open_file_system, os::open_catalog, os::device_directories, output_.descriptors(),
            output_.condition()};
  }

 private:
  void run() {
    try {
      std::vector<Issue> issues;
      Plan plan = plan_search(request_.options, request_.operands, request_.query, matcher_,
                              output::PickSink::needs, &issues);
      {
        const std::lock_guard lock(mutex_);
        plan_ = std::move(plan);
        reload_ =
            std::make_shared<search::EntryReload>(*plan_, matcher_, sink_, os::open_file_system);
      }
      for (const Issue& issue : issues) sink_.report(issue);
      result_ = run_search(*plan_, matcher_, request_.query.limit, sink_, output::PickSink::needs,
                           access());
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  const Request& request_;
  const Matcher& matcher_;
  output::PickSink& sink_;
  output::Output& output_;
  std::optional<Plan> plan_;
  std::shared_ptr<search::EntryReload> reload_;
  SearchResult result_;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

std::unique_ptr<os::Screen> open_screen() {
  try {
    return os::Screen::open();
  } catch (const std::runtime_error& error) {  // std::system_error is one
    throw UsageError(std::string(error.what()) +
                     "\n  without a terminal: ffind --query 'ext:pdf invoice'");
  }
}

/// The order that --sort asks for, where the list has it.
void set_order(output::PickSettings& settings, const output::OutputStyle& style) {
  if (style.sort.empty()) return;
  for (const output::PickOrder order : {output::PickOrder::name, output::PickOrder::path,
                                        output::PickOrder::size, output::PickOrder::modified}) {
    if (to_text(order) != style.sort.front().field->name) continue;
    settings.order = order;
    settings.reversed = style.sort.front().reversed;
  }
}

void report_issues(output::PickSink& sink, output::Output& output) {
  // On a terminal they were counted, and would be what is left of the screen.
  if (os::is_terminal(os::standard_error)) return;
  for (const auto& [path, text] : sink.take_notices()) output.notice(path, text);
  for (const Issue& issue : sink.take_issues()) output.report(issue);
}

/// Hands what was picked to the output, with what it asks of each match.
void emit(const std::vector<output::EntryId>& picked, output::EntryStore& store, const Plan& plan,
          const Matcher& matcher, output::Output& output) {
  output.set_plan(plan);
  // Here issues are the output's: of what was picked each counts.
  const auto reload =
      std::make_shared<search::EntryReload>(plan, matcher, output, os::open_file_system);
  const std::unique_ptr<LateLoader> loader = reload->make_loader();
  output::EntryReader reader(store, output.needs(), loader.get());
  const std::unique_ptr<Lane> lane = output.open_lane();
  for (const output::EntryId id : picked) {
    Entry& entry = reader.read(id);
    entry.require(output.needs());
    if (!lane->emit(entry)) break;
  }
  lane->flush();
}

}  // namespace

ExitStatus pick_and_report(Request& request, const Accounts& accounts, output::Writer& writer) {
  const Nanoseconds begin = os::monotonic_now();
  const Options& options = request.options;
  const Matcher matcher(request.query);
  request.style.limit = request.query.limit;
  output::PickSettings settings;
  set_order(settings, request.style);
  output::Output output(std::move(request.style), writer);

  const std::unique_ptr<os::Screen> screen = open_screen();
  const std::optional<output::Palette> palette = palette_of_screen(options);
  const PromptLanguage language(options, accounts);
  const auto store = std::make_shared<output::EntryStore>();
  output::PickSink sink(store);
  BackgroundSearch search(request, matcher, sink, output);
  settings.reader = [&language](std::string_view prompt) { return language.read(prompt); };
  settings.palette = palette ? &*palette : nullptr;
  settings.accounts = &accounts;
  settings.threads = os::processors();
  settings.late = [&search] { return search.reload().make_loader(); };
  std::optional<output::PickSession> session;
  {
    const os::QuietSignals quiet;
    session.emplace(*screen, store, std::move(settings), [&sink] { return sink.issue_count(); });
  }
  std::optional<std::vector<output::EntryId>> picked;
  std::exception_ptr failure;
  try {
    search.start(
        [&] {
          if (search.failed()) session->give_up();
          session->search_is_over();
        },
        [&] {
          if (!session->meanwhile()) sink.stop();
        });
    picked = session->run();
  } catch (...) {
    failure = std::current_exception();
  }
  search.stop();
  const bool narrowing_ended = session->stop();
  const bool search_ended = search.wait_for_end();
  screen->close();
  const bool all_ended = search_ended && !search.result().abandoned && narrowing_ended;

  ExitStatus status = ExitStatus::not_picked;
  try {
    if (failure) std::rethrow_exception(failure);
    if (search_ended) search.rethrow();
    if (picked) emit(*picked, *store, search.plan(), matcher, output);
    output.finish();
    close_output(writer, options);
    report_issues(sink, output);
    if (options.statistics && search_ended) {
      writer.write_message(
          statistics_text(search.result().statistics, os::monotonic_now() - begin));
    }
    if (picked) {
      const bool complete = !output.failed() && writer.error() == 0;
      status = complete ? ExitStatus::complete : ExitStatus::incomplete;
    }
  } catch (const std::exception& error) {
    if (all_ended) throw;
    // Threads that are left behind use what unwinding would destroy.
    writer.write_message(output::message(error.what()));
    status = ExitStatus::incomplete;
  }
  if (!all_ended) os::exit_at_once(static_cast<int>(status));
  return status;
}

}  // namespace ffind::cli
