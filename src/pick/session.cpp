// SPDX-License-Identifier: MIT
// Drawing, keys and waiting of the session; the thread that reads details.
//
//     run():   follow() ─▶ draw() ─▶ next_key() ─▶ press() ─▶ again, until a key picks or leaves
//
//     at least 16 ms    between two pictures, unless a key was typed
//     at most 100 ms    while the search or the narrowing runs: the counts change
//     at most 1 s       otherwise
//     at most 500 ms    in wait_for_list(), before a key that acts on entries
//
// The list is never waited for but in wait_for_list(). All that may block, reading files and
// sorting, is done by threads of the Narrower and of EntryDetails, which wake the screen when
// something has changed.
#include "pick/session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "os/machine.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "output/output_style.h"
#include "output/records.h"
#include "output/template.h"
#include "pick/preview.h"
#include "pick/store.h"
#include "text/ascii.h"
#include "text/paths.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/times.h"
#include "text/utf8.h"

namespace ffind::pick {
namespace {

/// Time between two pictures: the list changes more often than can be seen.
constexpr Nanoseconds a_frame = 16'000'000;
/// Bytes that a row may show: twice four for each of 2,048 columns.
constexpr std::size_t most_of_row = 16384;
/// Time between two pictures of the counts while the search runs.
constexpr Nanoseconds usual_pause = 100'000'000;
/// Longest wait for the list before a key that acts on entries: Enter typed at once after a word
/// means the entry that the word finds.
constexpr Nanoseconds longest_wait = 500'000'000;

}  // namespace

/// The narrower's list as the picker sees it. Holds one snapshot from follow() to follow(), so that
/// rows, counts and the current entry of one picture agree.
class PickSession::ListSource final : public PickSource {
 public:
  ListSource(PickSession& session, std::function<void(PickStatus&)> add_errors)
      : session_(session), add_errors_(std::move(add_errors)) {}

  void narrow(const PromptMeaning& meaning, bool grew, const ListPlace& place) override {
    generation_ = session_.narrower_.set_query({meaning.typed, grew, meaning.apart, place});
  }
  DirectoryId directory_of(EntryId id) const override {
    const EntryStore& store = *session_.store_;
    const DirectoryId directory = store.find_directory(store.directory_of(id), store.name(id));
    if (directory != no_directory || list_->sums() == nullptr) return directory;
    return list_->sums()->volume_at(id);
  }
  bool is_taken_out(EntryId id) const override { return session_.store_->is_taken_out(id); }
  void set_order(PickSort sort) override { session_.narrower_.set_order(sort); }

  std::size_t size() const override { return list_->size(); }
  EntryId id_at(std::size_t index) const override {
    // Well before the last of the best.
    constexpr std::size_t sorted_rows = 750;
    if (index >= sorted_rows && list_->state().best_only) session_.narrower_.sort_rest();
    return (*list_)[index];
  }
  std::optional<std::size_t> row_of(EntryId id) const override { return list_->row_of(id); }
  ShownEntry entry(EntryId id) const override {
    const EntryStore& store = *session_.store_;
    // Cut at its beginning, so a path of any length costs what a row shows of it.
    return {.directory = store.directory_end(store.directory_of(id), most_of_row),
            .name = std::string(store.name(id)),
            .type = store.type(id),
            .value = value_of(id)};
  }
  /// On a level by its name below it, with a bar.
  ShownEntry row(std::size_t index) const override {
    const EntryId id = id_at(index);
    ShownEntry shown = entry(id);
    if (!is_by_level()) return shown;
    const auto bytes = static_cast<double>(list_->sums()->of(id).value_or(0));
    shown.share = bytes / std::max({bytes, static_cast<double>(largest_), 1.0});
    if (const std::string path = place(); shown.directory.starts_with(path)) {
      shown.directory.erase(0, path.size());
    }
    return shown;
  }
  PickStatus status() const override {
    PickStatus status;
    status.matches = list_->size();
    status.found = session_.store_->size();
    add_errors_(status);
    status.is_searching = session_.searching_.load();
    status.is_narrowing = !list_->state().complete;
    status.is_apart = list_->state().apart;
    if (is_by_level()) {
      status.place = place();
      if (status.place.size() > 1) status.place.pop_back();  // the slash
      const DirectoryId root = list_->sums()->only_root();
      if (status.place.empty() && root != no_directory) {
        const EntryStore& store = *session_.store_;
        status.place = text::name_of(store.root_of(store.directory(root)).absolute);
      }
      text::append_human_size(status.space, list_->sums()->total(), text::SizeUnits::decimal);
    }
    if (list_->state().lacks_threads) status.reason = "the system has no thread to read entries";
    return status;
  }

  /// Goes on to the newest list.
  void follow() {
    list_ = session_.narrower_.list();
    largest_ = list_->largest();
  }
  const PickList& list() const { return *list_; }
  std::uint64_t generation() const { return generation_; }

 private:
  bool is_by_level() const { return list_->state().place.by_level && list_->sums() != nullptr; }
  /// Returns the path of the directory that the list is of; empty for several roots.
  std::string place() const {
    DirectoryId directory = list_->state().place.directory;
    if (directory == no_directory) directory = list_->sums()->only_root();
    if (directory == no_directory) return {};
    return session_.store_->directory_end(directory, most_of_row);
  }
  /// Returns the value that the list is sorted by, as -l has it.
  std::string value_of(EntryId id) const {
    Metadata metadata{};
    Needs failed = needs::none;
    const auto knows = [&](Needs wanted) {
      return session_.store_->known(id, wanted, metadata, failed) != needs::none;
    };
    const PickOrder order = list_->state().sort.order;
    std::optional<std::uint64_t> bytes;
    if (order == PickOrder::size && knows(needs::length)) bytes = metadata.size;
    if (order == PickOrder::space && list_->sums() != nullptr) bytes = list_->sums()->of(id);
    std::string value;
    if (bytes) text::append_human_size(value, *bytes, text::SizeUnits::decimal);
    if (order == PickOrder::modified && knows(needs::modified) &&
        text::has_date(metadata.modified)) {
      text::append_local_minute(value, metadata.modified, zone_);
    }
    return value;
  }

  PickSession& session_;
  mutable text::LocalZone zone_;
  const std::function<void(PickStatus&)> add_errors_;
  std::shared_ptr<const PickList> list_ = std::make_shared<const PickList>();
  std::uint64_t generation_ = 0;
  std::uint64_t largest_ = 0;  ///< bytes of an entry of the list
};

PickSession::PickSession(os::Screen& screen, std::shared_ptr<EntryStore> store,
                         PickSettings settings, std::function<void(PickStatus&)> add_errors)
    : screen_(screen),
      store_(std::move(store)),
      settings_(std::move(settings)),
      narrower_(store_, {.threads = settings_.threads,
                         .late = settings_.late,
                         .changed = [&screen] { screen.wake(); }}),
      details_(store_, settings_.late, settings_.accounts, settings_.preview,
               [&screen] { screen.wake(); }),
      jobs_([&screen] { screen.wake(); }),
      source_(std::make_unique<ListSource>(*this, std::move(add_errors))),
      picker_(*source_, settings_.reader, settings_.sort) {
  picker_.set_history(settings_.history);
  picker_.set_query(settings_.query);
  if (!settings_.preview.empty()) picker_.show_details();
}

PickSession::~PickSession() = default;

void PickSession::search_is_over() {
  searching_.store(false);
  narrower_.search_is_over();
  screen_.wake();
}

void PickSession::give_up() {
  given_up_.store(true);
  screen_.wake();
}

bool PickSession::stop() {
  const bool details_ended = details_.stop();
  const bool jobs_ended = jobs_.stop();
  take_results();
  return narrower_.stop() && details_ended && jobs_ended;
}

/// Takes the newest list, and requests details if their pane is shown.
void PickSession::follow() {
  take_results();
  source_->follow();
  picker_.follow();
  const bool shows_details = picker_.pane() == PickPane::details;
  const PickLayout layout = layout_of(screen_.size(), picker_.pane());
  details_.show(shows_details ? picker_.current() : std::nullopt,
                {.rows = layout.pane_rows, .columns = text_columns(layout)});
  if (shows_details) picker_.set_details(details_.lines(), settings_.preview.empty());
}

/// Redraws the whole picture; the screen sends the terminal what differs.
void PickSession::draw() {
  const os::ScreenSize size = screen_.size();
  const DrawnPicture drawn = pick::draw(picker_.picture(size), size, settings_.palette);
  screen_.draw(drawn.rows, drawn.cursor);
  drawn_at_ = os::monotonic_now();
}

/// True if the list is of the present prompt, and has an entry or is complete. The best match is
/// known once the first `found` entries are judged. `whole`: all of it must be in its order.
bool PickSession::is_list_ready(std::size_t found, bool whole) const {
  const PickList& list = source_->list();
  // It still is the list of the prompt before.
  if (list.state().generation != source_->generation()) return false;
  if (whole && list.state().best_only) return false;
  if (list.size() > 0 && list.state().sort.order == PickOrder::match) {
    return list.state().looked_at >= found;
  }
  return list.size() > 0 || (list.state().complete && !searching_.load());
}

/// Waits for the list of the present prompt, half a second at most.
void PickSession::wait_for_list(bool whole) {
  const Nanoseconds end = os::monotonic_now() + longest_wait;
  const std::size_t found = store_->size();
  if (whole) narrower_.sort_rest();
  follow();
  while (!is_list_ready(found, whole) && !given_up_.load()) {
    const Nanoseconds now = os::monotonic_now();
    if (now >= end) return;
    screen_.wait_for_wake(end - now);
    follow();
  }
}

/// Waits for a key, or until the next picture is due: a frame after the last one at least, since a
/// list that changes all the time would be drawn all the time, but at once if it has become
/// complete. That is the last picture of a key, which came 16 ms later otherwise.
os::KeyPress PickSession::next_key() {
  const Nanoseconds age = os::monotonic_now() - drawn_at_;
  const bool was_complete = source_->list().state().complete;
  const bool searches = searching_.load();
  // wake() ends this wait with no key.
  os::KeyPress key = screen_.next(searches || !was_complete ? usual_pause : 10 * usual_pause);
  Nanoseconds since = os::monotonic_now() - drawn_at_;
  while (key.key == os::Key::none && age < a_frame && since < a_frame) {
    if (searches || was_complete) return screen_.next_key(a_frame - since);
    if (narrower_.list()->state().complete) break;
    key = screen_.next(a_frame - since);
    since = os::monotonic_now() - drawn_at_;
  }
  return key;
}

/// Returns a request that ends the session, picked or left; the others are carried out here.
std::optional<PickRequest> PickSession::press(const os::KeyPress& key) {
  // A view whose window was closed has ended by itself.
  const bool was_open = viewer_.has_value() && !viewer_->has_ended();
  if (key.key != os::Key::resize) viewer_.reset();
  const bool edits =
      !picker_.query().empty() && (key.key == os::Key::left || key.key == os::Key::right);
  const ListUse use = edits ? ListUse::none : list_use_of(key);
  if (use != ListUse::none) wait_for_list(use == ListUse::all);
  const PickRequest request = picker_.press(key, screen_.size());
  if (request == PickRequest::picked || request == PickRequest::left) return request;
  if (request == PickRequest::suspend) screen_.suspend();
  // The key that opened the view closes it.
  if (request == PickRequest::look && was_open) return {};
  if (request >= PickRequest::open) act_on_current(request);
  return {};
}

/// Keys that were typed during a picture have their effect before the next picture.
std::optional<std::vector<EntryId>> PickSession::run() {
  while (!given_up_.load()) {
    follow();
    draw();
    for (os::KeyPress key = next_key(); key.key != os::Key::none; key = screen_.next_key(0)) {
      const auto end = press(key);
      if (end == PickRequest::picked) return picker_.picked();
      if (end) return {};
    }
  }
  return {};
}

/// The path is put together from the store without a system call. The result is shown as a notice,
/// since the screen covers the messages of the program.
void PickSession::act_on_current(PickRequest request) {
  if (request == PickRequest::trash) return move_to_trash(*picker_.doomed());
  const auto id = picker_.current();
  if (!id) return;
  StoreCursor reader(*store_, needs::absolute_path, nullptr);
  const Entry& entry = reader.read(*id);
  const std::string path(entry.absolute_path);
  if (request == PickRequest::look) return look_at(path, entry.type);
  jobs_.add([request, path]() -> BackgroundJobs::Result {
    if (request == PickRequest::copy) {
      const bool copied = os::copy_to_clipboard(path);
      return {.notice = "copied " + path, .clipboard = copied ? std::string() : path};
    }
    std::string problem;
    if (request == PickRequest::open) {
      problem = os::open_on_desktop(path);
    } else {
      std::string url = "file://";
      text::append_percent_encoded(url, path);
      problem = os::reveal_on_desktop(path, url);
    }
    const char* const done = request == PickRequest::open ? "opened " : "shown in its folder: ";
    return {.notice = problem.empty() ? done + path : problem};
  });
}

void PickSession::look_at(const std::string& path, FileType type) {
  const std::string_view command = os::viewer_command();
  if (command.empty()) return picker_.notice("Quick Look is macOS's; Ctrl-O opens it");
  if (type == FileType::symlink) return picker_.notice("a link; Ctrl-O opens where it leads");
  const os::ScreenSize size = screen_.size();
  viewer_.emplace(preview_command(command, size.columns, size.rows), path);
}

void PickSession::move_to_trash(EntryId id) {
  picker_.notice("moving to the Trash: " + store_->path(id));
  jobs_.add([id, trash = settings_.trash, name = store_->path(id)]() -> BackgroundJobs::Result {
    std::string problem = trash(id);
    if (!problem.empty()) return {.notice = std::move(problem)};
    return {.notice = "moved to the Trash: " + name, .moved = id};
  });
}

void PickSession::take_results() {
  for (const auto& [notice, moved, clipboard] : jobs_.take_results()) {
    if (moved) {
      store_->take_out(*moved);
      picker_.forget_taken_out();
    }
    // OSC 52, which terminals like xterm know. Several drop a sequence of more than 100,000 bytes.
    constexpr std::size_t most = 74'994;
    const bool fits = clipboard.size() <= most;
    picker_.notice(fits ? notice : "too long for the clipboard of a terminal");
    if (clipboard.empty() || !fits) continue;
    std::string sequence = "\x1b]52;c;";
    text::append_base64(sequence, clipboard);
    screen_.send(sequence + "\a");
  }
}

/// Shared with the thread.
struct BackgroundJobs::State {
  std::function<void()> changed;
  std::mutex mutex;  ///< guards the members below
  std::condition_variable condition;
  std::deque<Job> waiting{};
  std::vector<Result> results{};
  bool over = false;

  void run();
};

/// The thread's life: it ends after the last job once `over` is set.
void BackgroundJobs::State::run() {
  std::unique_lock lock(mutex);
  while (true) {
    condition.wait(lock, [this] { return over || !waiting.empty(); });
    if (waiting.empty()) return;
    const Job job = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    Result result = job();
    lock.lock();
    results.push_back(std::move(result));
    changed();
  }
}

BackgroundJobs::BackgroundJobs(std::function<void()> changed) : state_(std::make_shared<State>()) {
  state_->changed = std::move(changed);
}

BackgroundJobs::~BackgroundJobs() {
  stop();
}

void BackgroundJobs::add(Job job) {
  if (!thread_.runs() &&
      !thread_.start("open and move entries", [state = state_] { state->run(); })) {
    state_->results.push_back(job());
    return;
  }
  const std::lock_guard lock(state_->mutex);
  state_->waiting.push_back(std::move(job));
  state_->condition.notify_all();
}

std::vector<BackgroundJobs::Result> BackgroundJobs::take_results() {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->results, {});
}

bool BackgroundJobs::stop() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
    state_->condition.notify_all();
  }
  return thread_.end_by(std::chrono::steady_clock::now() + std::chrono::seconds(2));
}

namespace {

/// A line of the pane. A new one needs a row in `rows`; the values are one template, a line each,
/// and written as --format writes them for a terminal.
struct DetailRow {
  std::string_view label;
  std::string_view value;  ///< a template, as --format takes it
};

constexpr std::array<DetailRow, 15> rows = {{{"path", "{absolute}"},
                                             {"type", "{type}"},
                                             {"kind", "{kind}"},
                                             {"target", "{target}"},
                                             {"size", "{size:h}"},
                                             {"bytes", "{size}"},
                                             {"modified", "{modified:%F %T}"},
                                             {"created", "{created:%F %T}"},
                                             {"added", "{added:%F %T}"},
                                             {"accessed", "{accessed:%F %T}"},
                                             {"mode", "{mode:rwx}"},
                                             {"owner", "{owner}:{group}"},
                                             {"tags", "{tags}"},
                                             {"comment", "{comment}"},
                                             {"from", "{where_from}"}}};

/// The first bytes of a file, as many as a pane could show. 16 KiB; the reader of the file stops
/// when take() returns false.
class FirstBytes final : public ContentSink {
 public:
  bool take(std::string_view bytes, bool) override {
    constexpr std::size_t most = 16384;
    bytes_ += bytes.substr(0, most - bytes_.size());
    return bytes_.size() < most;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Appends the lines of a text file, escaped and cut; a file with a NUL is binary. Tabs become four
/// blanks and carriage returns are dropped; 500 bytes of a line are kept.
void append_text_lines(std::vector<std::string>& lines, std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) {
    lines.emplace_back("(binary)");
    return;
  }
  constexpr std::size_t longest = 500;
  while (!bytes.empty()) {
    std::string line;
    for (const char c : text::take_part(bytes, '\n').substr(0, longest)) {
      if (c == '\t') {
        line += "    ";
      } else if (c != '\r') {
        line += c;
      }
    }
    lines.push_back(text::escaped(line));
  }
}

}  // namespace

/// Shared with the thread. `wanted` and `size` are set by the session, the other members by the
/// thread: lines are up to date if both ids are the same, and both sizes if there is a command.
struct EntryDetails::State {
  std::shared_ptr<EntryStore> store;
  LateLoaderFactory late;
  const Accounts* accounts = nullptr;
  std::string command;
  std::function<void()> changed;

  std::mutex mutex;  ///< guards the members below
  std::condition_variable condition;
  std::optional<EntryId> wanted{};
  std::optional<EntryId> shown{};
  os::ScreenSize size{};
  os::ScreenSize shown_size{};
  std::vector<std::string> lines{};
  os::ShellCommand* running = nullptr;
  bool cancelled = false;  ///< that command was: its output is not shown
  bool over = false;

  bool is_current() const { return wanted == shown && (command.empty() || size == shown_size); }
  void run();
  void run_command(std::unique_lock<std::mutex>& lock, EntryId id, const std::string& path);
  void cancel();
  void publish(EntryId id, std::vector<std::string> made);
};

/// Reads entries and makes their lines. Owned by the thread that does.
struct EntryDetails::Reader {
  explicit Reader(const State& state)
      : loader(state.late ? state.late() : nullptr),
        cursor(*state.store, needs::none, loader.get()) {
    std::string values;
    for (const DetailRow& row : rows) values.append(values.empty() ? "" : "\n").append(row.value);
    style.terminal = true;
    style.format = output::Format::templated;
    style.record_template = output::parse_template(values);
    style.accounts = state.accounts;
    format = output::make_record_format(style);
  }

  std::vector<std::string> lines_about(EntryId id) {
    constexpr std::size_t label_columns = 10;
    Entry& entry = cursor.read(id);
    entry.require(format->needs());
    std::string values;
    format->append(values, entry);
    std::string_view rest = values;
    std::vector<std::string> lines;
    for (const DetailRow& row : rows) {
      const std::string_view value =
          text::whole_characters(text::take_part(rest, '\n'), most_of_row);
      // Unknown values have no line, nor do the bytes of a small file, which are its size. The
      // colon is that of the row of owner and group.
      const bool is_again = row.label == "bytes" && !lines.empty() &&
                            lines.back().ends_with(" " + std::string(value));
      if (value.empty() || value == ":" || is_again) continue;
      lines.emplace_back(row.label).resize(label_columns, ' ');
      lines.back() += value;
    }
    if (entry.require(needs::flags) && (entry.metadata.flags & file_flags::dataless) != 0) {
      lines.insert(lines.end(), {"", "(only in a cloud)"});
    }
    if (loader == nullptr) {
      lines.insert(lines.end(), {"", "(from its record; it is not looked at)"});
    } else if (entry.type == FileType::file && entry.loader != nullptr) {
      FirstBytes first;
      if (entry.loader->read_contents(entry, first) && !first.bytes().empty()) {
        lines.emplace_back();
        append_text_lines(lines, first.bytes());
      }
    }
    return lines;
  }
  std::string path_of(EntryId id) {
    Entry& entry = cursor.read(id);
    entry.require(needs::absolute_path);
    return std::string(entry.absolute_path);
  }

  const std::unique_ptr<LateLoader> loader;
  StoreCursor cursor;
  output::OutputStyle style{};  ///< the format refers to it
  std::unique_ptr<output::RecordFormat> format{};
};

/// The thread's life. It reads the entry that was requested last; one that was requested and
/// replaced while it read another is never read.
void EntryDetails::State::run() {
  Reader reader(*this);
  std::unique_lock lock(mutex);
  while (true) {
    condition.wait(lock, [this] { return over || (wanted && !is_current()); });
    if (over) return;
    const EntryId id = *wanted;
    if (!command.empty()) {
      run_command(lock, id, reader.path_of(id));
      continue;
    }
    lock.unlock();
    std::vector<std::string> made = reader.lines_about(id);
    lock.lock();
    if (!over) publish(id, std::move(made));
  }
}

void EntryDetails::State::publish(EntryId id, std::vector<std::string> made) {
  shown = id;
  lines = std::move(made);
  changed();
}

/// Publishes what the command has printed whenever there is more, up to 64 KiB; it is ended then,
/// or when another entry or size is wanted. Called with the lock, and returns with it.
void EntryDetails::State::run_command(std::unique_lock<std::mutex>& lock, EntryId id,
                                      const std::string& path) {
  constexpr std::size_t most = 65536;
  const std::string line = preview_command(command, size.columns, size.rows);
  shown_size = size;
  lock.unlock();
  {
    os::ShellCommand shell(line, path);
    std::string output;
    lock.lock();
    running = &shell;
    cancelled = false;
    // Something else may have been wanted before there was a command to cancel.
    while (!over && wanted == id && size == shown_size && output.size() < most) {
      lock.unlock();
      const bool more = shell.read(output);
      std::vector<std::string> made = preview_lines(output);
      if (!more && made.empty() && shell.error() != 0) {
        made.emplace_back(std::strerror(shell.error()));
      }
      lock.lock();
      if (over || cancelled) break;
      publish(id, std::move(made));
      if (!more) break;
    }
    running = nullptr;
    lock.unlock();
  }
  lock.lock();
}

/// Ends the running command, whose output is not complete.
void EntryDetails::State::cancel() {
  if (running == nullptr) return;
  cancelled = true;
  running->cancel();
}

EntryDetails::EntryDetails(std::shared_ptr<EntryStore> store, LateLoaderFactory late,
                           const Accounts* accounts, std::string command,
                           std::function<void()> changed)
    : state_(std::make_shared<State>()) {
  state_->store = std::move(store);
  state_->late = std::move(late);
  state_->accounts = accounts;
  state_->command = std::move(command);
  state_->changed = std::move(changed);
}

EntryDetails::~EntryDetails() {
  stop();
}

void EntryDetails::show(std::optional<EntryId> id, os::ScreenSize size) {
  const std::lock_guard lock(state_->mutex);
  // The thread is only started once the pane is shown.
  if (id && !thread_.runs() && !state_->over &&
      !thread_.start("read details", [state = state_] { state->run(); })) {
    state_->shown = id;
    state_->lines = {"the system has no thread to read details"};
  }
  const bool is_other = id != state_->wanted;
  if (is_other || size != state_->size) state_->cancel();
  // Lines that are not complete are made again if their entry is wanted again; for another size
  // they are shown meanwhile.
  if (is_other && state_->running != nullptr) state_->shown.reset();
  state_->size = size;
  state_->wanted = id;
  state_->condition.notify_all();
}

/// Lines about another entry than the requested one are not shown.
std::vector<std::string> EntryDetails::lines() const {
  const std::lock_guard lock(state_->mutex);
  if (!state_->wanted) return {};
  if (state_->shown != state_->wanted) return {std::string(reading_details)};
  return state_->lines;
}

bool EntryDetails::stop() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
    state_->cancel();
    state_->condition.notify_all();
  }
  // A command that does not end by SIGTERM takes a tenth of a second.
  return thread_.end_by(std::chrono::steady_clock::now() + std::chrono::milliseconds(200));
}

}  // namespace ffind::pick
