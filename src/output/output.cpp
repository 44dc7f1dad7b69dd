// SPDX-License-Identifier: MIT
// Choice of the stages for a style, and the wording and counting of issues.
//
//     style                 lanes (open_lane)       stages after them
//     --quiet               SilentLane              none, if there is no action
//     --count               CountLane, TableLane    Counter ─▶ Writer
//     --usage               UsageLane               Usage ─▶ Writer
//     --duplicates          DuplicateLane           Duplicates ─▶ Writer, or the stages of an
//     action
//     --sort                SortLane                Sorter ─▶ Writer
//     --sort and an action  SortLane                Sorter ─▶ ActionStage, likewise ─▶ Tree
//     a question first      SortLane                Sorter ─▶ AskingStage ─▶ ActionStage
//     --tree, -x, --delete  MatchLane               Tree, or ActionStage
//     actions of find       StepLane                StepStage
//     terminal              RecordLane              EarlyOrder ─▶ Writer
//     terminal and -n       RecordLane              Writer
//     pipe or file          RecordLane              SharedBuffer ─▶ Writer
//
// A stage keeps a reference to the next one, so the members are declared in the order of
// construction: they are destroyed in the reverse order, and no stage outlives the one that it
// passes its matches to.
#include "output/output.h"

#include <string>
#include <utility>

#include "os/files.h"
#include "os/machine.h"
#include "os/processes.h"
#include "output/commands/action_stage.h"
#include "output/commands/executor.h"
#include "output/counter.h"
#include "output/duplicates.h"
#include "output/find_steps.h"
#include "output/messages.h"
#include "output/path_tree.h"
#include "output/records.h"
#include "output/sorter.h"
#include "output/tree.h"
#include "output/usage.h"
#include "text/format.h"

namespace ffind::output {

namespace {

/// Records are held back no longer than this: in `| less` it is not noticed, and in a search that
/// finds many matches a buffer is full earlier.
constexpr Nanoseconds longest_delay = 50'000'000;

/// Measures how long a lane waits for the next stage: for the reader of a pipe, or a command. The
/// search does not count this time as waiting for the volume: more threads would not help against a
/// slow reader of the output.
class DownstreamWait {
 public:
  template <typename Call>
  bool during(Call call) {
    const Nanoseconds begin = os::monotonic_now();
    const bool taken = call();
    time_ += os::monotonic_now() - begin;
    return taken;
  }
  Nanoseconds time() const { return time_; }

 private:
  Nanoseconds time_ = 0;
};

/// Appends records to its buffer and passes it on when it is full, or due. While EarlyOrder waits,
/// each record goes there with its path instead.
class RecordLane final : public Lane {
 public:
  /// `at_once`: records are passed on after each block of entries. `early` may be null.
  RecordLane(std::unique_ptr<RecordFormat> format, bool at_once, EarlyOrder* early,
             RecordStage& next)
      : format_(std::move(format)), at_once_(at_once), early_(early), next_(next) {}

  bool emit(Entry& entry) override {
    if (early_ != nullptr && !early_->is_over()) return keep(entry);
    // The clock is read once for a buffer, not for each record.
    if (buffer_.empty()) begin_buffer();
    format_->append(buffer_, entry);
    return buffer_.size() < full_buffer || pass_on();
  }

  void flush_if_due() override {
    if (early_ != nullptr) early_->stream_if_due();
    if (buffer_.empty()) return;
    // The coarse clock has a precision of some milliseconds, which is enough here and a fifth of
    // the cost.
    if (at_once_ || os::monotonic_coarse_now() - since_ > longest_delay) pass_on();
  }

  void flush() override {
    if (!buffer_.empty()) pass_on();
  }

  bool keeps_records() const override { return !buffer_.empty(); }
  Nanoseconds held_up() const override { return held_up_.time(); }

 private:
  /// EarlyOrder sorts by the plain path; the record may have colours, links and columns before it.
  bool keep(Entry& entry) {
    path_.clear();
    append_path(path_, entry);
    record_.clear();
    format_->append(record_, entry);
    return early_->take(path_, record_);
  }

  void begin_buffer() {
    // Once in a lane's life. The 8 KiB are for the record that exceeds full_buffer, so that a usual
    // one does not make the buffer grow.
    if (buffer_.capacity() == 0) buffer_.reserve(full_buffer + 8192);
    since_ = os::monotonic_coarse_now();
  }

  bool pass_on() {
    const bool taken = held_up_.during([&] { return next_.take(buffer_); });
    buffer_.clear();
    return taken;
  }

  const std::unique_ptr<RecordFormat> format_;
  const bool at_once_;
  EarlyOrder* const early_;
  RecordStage& next_;
  std::string buffer_;
  std::string path_;
  std::string record_;
  Nanoseconds since_ = 0;
  DownstreamWait held_up_;
};

/// Passes Matches on after each block of entries: commands should start at once, and a tree costs
/// no more that way.
class MatchLane final : public Lane {
 public:
  MatchLane(const OutputStyle& style, MatchStage& next) : builder_(style), next_(next) {}

  bool emit(Entry& entry) override {
    Match match = builder_.read(entry);
    // The builder overwrites its texts for the next match.
    match.path = texts_.keep(match.path);
    if (!match.text.empty()) match.text = texts_.keep(match.text);
    kept_ += match.path.size() + match.text.size() + sizeof match;
    matches_.push_back(match);
    return kept_ < full_buffer || pass_on();
  }

  void flush_if_due() override {
    if (!matches_.empty()) pass_on();
  }
  void flush() override { flush_if_due(); }
  Nanoseconds held_up() const override { return held_up_.time(); }

 private:
  bool pass_on() {
    const bool taken = held_up_.during([&] { return next_.take(matches_); });
    matches_.clear();
    texts_ = Arena();
    kept_ = 0;
    return taken;
  }

  MatchBuilder builder_;
  MatchStage& next_;
  std::vector<Match> matches_;
  Arena texts_;
  std::size_t kept_ = 0;  ///< in bytes
  DownstreamWait held_up_;
};

/// For --quiet: a match needs no output.
class SilentLane final : public Lane {
 public:
  bool emit(Entry&) override { return true; }
};

}  // namespace

/// Puts the stages together, the last ones first: each refers to the next. Without collector and
/// tree, results for a terminal pass through EarlyOrder, others through SharedBuffer.
Output::Output(OutputStyle style, Writer& writer) : style_(std::move(style)), writer_(writer) {
  // Made here, before any other thread starts: none of them may receive the signals that Processes
  // waits for. A dry run or a deletion starts no command.
  const bool runs = style_.action && !style_.action->commands.empty() && !style_.action->dry_run;
  const bool runs_steps = style_.steps && style_.steps->runs_commands();
  const auto report = [this](const Issue& issue) { report_at_once(issue); };
  if (runs || runs_steps || style_.condition) {
    processes_ = std::make_unique<os::Processes>();
  }
  if (style_.steps) {
    StepTree tree(style_);
    StepTree::for_each(tree.top(), [&](const StepTree::Node& node) {
      if (!node.format) return;
      for (const std::string& warning : node.format->warnings()) {
        writer_.write_message(message(warning, style_.speaker));
      }
    });
  }
  if (style_.steps && style_.steps->in_order()) {
    steps_ = std::make_unique<StepStage>(style_, writer_, processes_.get(), report);
  }
  if (style_.condition) {
    condition_ = std::make_unique<Executor>(
        ActionContext{*style_.condition, writer_, style_.terminal, report, processes_.get()}, true);
  }
  // Programs that read NDJSON get every issue.
  if (style_.brief_messages && !style_.json_messages) digest_.emplace();
  if (style_.action) {
    ActionContext context{*style_.action, writer_, style_.terminal, report, processes_.get()};
    if (style_.duplicates) {
      context.why_not = [this](const os::Identity& found) {
        return duplicates_->why_not(found.id);
      };
    }
    std::unique_ptr<ActionStage> stage = make_action_stage(context);
    if (style_.action->counts_first()) {
      auto asking = std::make_unique<AskingStage>(context, std::move(stage));
      asking_ = asking.get();
      stage = std::move(asking);
    }
    action_ = stage.get();
    match_stage_ = std::move(stage);
  } else if (style_.format == Format::tree) {
    auto tree = std::make_unique<Tree>(style_, writer_);
    if (style_.tree_details) summed_ = tree.get();
    match_stage_ = std::move(tree);
  }
  // With --quiet there is nothing to sort, count or hold back.
  if (style_.format == Format::nothing) return;
  if (style_.usage) {
    auto usage = std::make_unique<Usage>(style_, writer_);
    usage_ = usage.get();
    collector_ = std::move(usage);
  } else if (style_.duplicates) {
    auto duplicates = std::make_unique<Duplicates>(style_, writer_, match_stage_.get(), report);
    duplicates_ = duplicates.get();
    collector_ = std::move(duplicates);
  } else if (style_.counts) {
    collector_ = std::make_unique<Counter>(style_, writer_);
    // Actions and trees are sorted as Matches, other output as finished records.
  } else if (match_stage_ && (!style_.sort.empty() || asking_ != nullptr)) {
    collector_ = std::make_unique<Sorter<Match>>(style_, *match_stage_);
  } else if (!style_.sort.empty()) {
    collector_ = std::make_unique<Sorter<std::string_view>>(style_, writer_);
    // A limit takes the first matches that are found: sorting those few would look like an order of
    // all.
  } else if (!match_stage_ && !style_.in_list_order && (style_.terminal || style_.sorts_at_once) &&
             style_.limit == SIZE_MAX) {
    early_ = std::make_unique<EarlyOrder>(writer_, os::monotonic_now(), style_.sorts_at_once);
  } else if (!match_stage_ && !style_.terminal) {
    shared_ = std::make_unique<SharedBuffer>(writer_);
  }
}

Output::~Output() = default;

std::unique_ptr<Lane> Output::open_lane() {
  // Called by each worker, so it only reads members that the constructor has set.
  if (steps_) return steps_->open_lane();
  if (collector_ || match_stage_) {
    std::unique_ptr<Lane> lane;
    if (collector_) lane = collector_->open_lane();
    if (!lane) lane = std::make_unique<MatchLane>(style_, *match_stage_);
    return summed_ != nullptr ? summed_->follow(std::move(lane)) : std::move(lane);
  }
  auto format = make_record_format(style_);
  if (!format) return std::make_unique<SilentLane>();
  RecordStage& next = shared_ ? static_cast<RecordStage&>(*shared_) : writer_;
  return std::make_unique<RecordLane>(std::move(format), style_.terminal, early_.get(), next);
}

void Output::begin(const Plan& plan, const LateLoaderFactory& late) {
  if (duplicates_ != nullptr) duplicates_->begin(plan, late);
  if (digest_) digest_->set_roots(plan);
  if (usage_ != nullptr) usage_->set_plan(plan);
  if (action_ != nullptr) action_->set_roots(root_directories_of(plan));
  const bool is_csv = style_.format == Format::csv;
  // A table of counts and a tree with details write headings of their own.
  if (match_stage_ || style_.counts || !(is_csv || (style_.for_people() && !style_.usage))) return;
  const auto format = make_record_format(style_);
  const std::string line = style_.usage ? usage_->heading() : format ? format->heading() : "";
  if (!line.empty()) writer_.begin_with(shown_heading(line, style_));
}

/// Commands of --if run in the workers of the search, so the descriptors of one run are reserved;
/// an action knows how many commands it runs at once.
std::size_t Output::descriptors() const {
  const std::size_t of_condition = condition_ || steps_ ? os::Processes::descriptors_per_run : 0;
  return of_condition + (steps_ ? StepStage::descriptors : 0) +
         (action_ != nullptr ? action_->descriptors() : 0);
}

std::function<bool(Entry&)> Output::condition() {
  if (!condition_) return {};
  return [this](Entry& entry) {
    std::string path;
    append_path(path, entry);
    FieldWriter writer(style_.accounts, false);
    std::string values;
    append_values(values, style_.condition->commands, false, writer, entry);
    return condition_->run({.paths = &path, .count = 1, .values = values});
  };
}

std::uint64_t Output::search_limit(std::uint64_t limit) const {
  // --count alone is a number and ends at the limit, like printing. The first in some order are
  // only known when all matches are.
  const bool table = !style_.count_by.empty();
  const bool takes_all =
      usage_ != nullptr || duplicates_ != nullptr || table || !style_.sort.empty();
  return collector_ && takes_all ? UINT64_MAX : limit;
}

/// The returned pointer is stored in an atomic and read by the thread of the status line, so it is
/// a literal.
const char* Output::last_task() const {
  if (duplicates_ != nullptr) return "comparing";
  if (action_ == nullptr) return style_.sort.empty() ? "writing" : "sorting";
  if (style_.action->kind == ActionKind::remove) return "deleting";
  if (style_.action->kind == ActionKind::restore) return "restoring";
  return style_.action->kind == ActionKind::trash ? "moving to the Trash" : "running";
}

/// Finishes the stages in the order of the data, so that each has received everything from the one
/// before it: what is held back, then what is collected, then the tree or the commands.
void Output::finish() {
  if (duplicates_ != nullptr) duplicates_->group();
  // The answer to the question may depend on them.
  if (asking_ != nullptr) write_issues();
  if (early_) early_->finish();
  if (shared_) shared_->finish();
  if (collector_) collector_->pass_on();
  if (style_.format == Format::csv) writer_.take({});  // the heading, if nothing matches
  if (asking_ != nullptr && asking_->agreed()) collector_->pass_on();
  if (match_stage_) match_stage_->finish();
  if (action_ != nullptr) advise(action_->advice());
  if (steps_) steps_->finish();
  if (const int error = style_.returns ? os::change_directory(".") : 0; error != 0) {
    report({os::absolute_path("."), "return to", error});
    fails_to_return_ = true;
  }
  if (duplicates_ != nullptr) duplicates_->end();
  if (usage_ != nullptr) {
    const auto say = [this](const Usage::Difference& difference, std::string_view what) {
      if (difference.count == 0) return;
      const std::uint64_t more = difference.count - 1;
      notice(difference.path,
             more == 0 ? std::string(what) : text::format("{} (and {} more)", what, more));
    };
    say(usage_->left_out(),
        "mounted from a volume that is added up; du counts it, --usage does not");
    say(usage_->taken_in(), "a subvolume; --usage counts it, du -x does not");
  }
  if (!digest_) return;
  std::string done = action_ != nullptr ? action_->summary() : std::string();
  if (duplicates_ != nullptr) done += duplicates_->absence();
  if (!done.empty() && style_.messages) writer_.write_message(message(done));
}

void Output::write_issues() {
  const std::string lines = digest_ ? digest_->summary() : std::string();
  if (!lines.empty()) writer_.write_message(lines);
}

void Output::leave(DirectoryToken directory) {
  if (usage_ != nullptr) usage_->leave(directory);
}

bool Output::failed() const {
  return fails_to_return_ || (steps_ && steps_->failed()) ||
         (duplicates_ != nullptr && duplicates_->failed()) ||
         (match_stage_ && match_stage_->failed()) || (condition_ && condition_->failed());
}

int Output::exit_status() const {
  if (asking_ != nullptr && asking_->refused()) return 2;
  return steps_ ? steps_->exit_status() : 0;
}

void Output::report(const Issue& issue) {
  if (!style_.messages || (digest_ && !digest_->shows(issue, IssueDigest::most_of_search))) return;
  const std::string lines = lines_of(issue);
  if (!digest_ || !digest_->keep(lines)) writer_.write_message(lines);
}

/// Reports the failure of a command or a deletion among the output of commands.
void Output::report_at_once(const Issue& issue) {
  // fd hides errors of the file system only.
  const bool is_shown = style_.messages || (style_.speaker.program == Speaker::Program::fd &&
                                            issue.operation == "run" && issue.error != 0);
  if (!is_shown || (digest_ && !digest_->shows(issue, IssueDigest::most_of_action))) return;
  writer_.write_message(lines_of(issue));
}

std::string Output::lines_of(const Issue& issue) {
  const bool json = style_.json_messages;
  std::string lines = json ? record_of(issue) : message_of(issue, style_.speaker);
  // The remedy is one for opening and listing; a locked file that cannot be deleted has another.
  const bool reading = issue.operation.empty() || issue.operation.starts_with("read");
  const std::string_view advice =
      reading ? style_.advice(issue.path, issue.error) : std::string_view();
  // In one text, so that no other worker's issue gets in between.
  if (!advice.empty() && !advised_.exchange(true)) {
    lines += json ? notice_record({}, advice) : message(advice);
  }
  return lines;
}

void Output::advise(std::string_view advice) {
  if (advice.empty() || !style_.messages || advised_.exchange(true)) return;
  writer_.write_message(style_.json_messages ? notice_record({}, advice) : message(advice));
}

void Output::notice(const std::string& path, const std::string& text) {
  if (!style_.messages) return;
  writer_.write_message(style_.json_messages ? notice_record(path, text)
                                             : message_of({path, "", 0, text}));
}

/// The search loads these together with the names where that is cheaper; a lane that requires
/// anything else costs a call for each match. EarlyOrder sorts by path, for which the directory is
/// needed.
Needs Output::needs() const {
  const Needs followed =
      summed_ != nullptr ? needs::inside | needs::type | needs::length : needs::none;
  const Needs common =
      (style_.condition ? needs_of(style_.condition->commands) : needs::none) | followed;
  if (steps_) return steps_->needs();
  if (collector_) return collector_->needs() | common;
  if (match_stage_) return MatchBuilder(style_).needs() | common;
  const auto format = make_record_format(style_);
  const Needs sorted_by = early_ ? needs::directory : needs::none;
  return (format ? format->needs() : needs::none) | sorted_by | common;
}

}  // namespace ffind::output
