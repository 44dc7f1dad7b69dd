// SPDX-License-Identifier: MIT
// See pick_session.h.
#include "output/pick/pick_session.h"

#include <algorithm>
#include <string>
#include <utility>

#include "os/machine.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "text/json.h"

namespace ffind::output {
namespace {

/// The list changes more often than anybody sees.
constexpr Nanoseconds a_frame = 16'000'000;
/// No row of a screen shows more of a path: twice four bytes for each of 2,048 columns.
constexpr std::size_t most_of_path = 16384;
/// The counts of a search that runs.
constexpr Nanoseconds usual_pause = 100'000'000;
/// Who types faster than the list follows, and Enter, means what would have been in it.
constexpr Nanoseconds most_settling = 500'000'000;

}  // namespace

/// What the picker sees of the narrower's list.
class PickSession::Source final : public PickSource {
 public:
  Source(PickSession& session, std::function<std::size_t()> issue_count)
      : session_(session), issue_count_(std::move(issue_count)) {}

  void narrow(const PromptMeaning& meaning, bool grew) override {
    generation_ = session_.narrower_.set_query({meaning.matcher, grew});
  }
  void set_order(PickOrder order, bool reversed) override {
    session_.narrower_.set_order(order, reversed);
  }

  std::size_t size() const override { return list_->size(); }
  EntryId id_at(std::size_t index) const override { return (*list_)[index]; }
  std::optional<std::size_t> row_of(EntryId id) const override { return list_->row_of(id); }
  ShownEntry entry(EntryId id) const override {
    const EntryStore& store = *session_.store_;
    return {store.directory_end(id, most_of_path), std::string(store.name(id)), store.type(id)};
  }
  PickStatus status() const override {
    PickStatus status;
    status.matches = list_->size();
    status.found = session_.store_->size();
    status.errors = issue_count_();
    status.is_searching = session_.searching_.load();
    status.is_narrowing = !list_->state().complete;
    return status;
  }

  /// From now on the newest list counts.
  void follow() { list_ = session_.narrower_.list(); }
  const PickList& list() const { return *list_; }
  std::uint64_t generation() const { return generation_; }

 private:
  PickSession& session_;
  const std::function<std::size_t()> issue_count_;
  std::shared_ptr<const PickList> list_ = std::make_shared<const PickList>();
  std::uint64_t generation_ = 0;
};

PickSession::PickSession(os::Screen& screen, std::shared_ptr<EntryStore> store,
                         PickSettings settings, std::function<std::size_t()> issue_count)
    : screen_(screen),
      store_(std::move(store)),
      settings_(std::move(settings)),
      narrower_(store_, {.threads = settings_.threads,
                         .late = settings_.late,
                         .changed = [&screen] { screen.wake(); }}),
      details_(store_, settings_.late, settings_.accounts, [&screen] { screen.wake(); }),
      source_(std::make_unique<Source>(*this, std::move(issue_count))),
      picker_(*source_, settings_.reader, settings_.order, settings_.reversed) {}

PickSession::~PickSession() = default;

void PickSession::search_is_over() {
  searching_.store(false);
  screen_.wake();
}

void PickSession::give_up() {
  given_up_.store(true);
  screen_.wake();
}

bool PickSession::stop() {
  const bool details_ended = details_.stop();
  return narrower_.stop() && details_ended;
}

void PickSession::follow() {
  source_->follow();
  picker_.follow();
  const bool shows_details = picker_.pane() == PickPane::details;
  details_.show(shows_details ? picker_.current() : std::nullopt);
  if (shows_details) picker_.set_details(details_.lines());
}

void PickSession::draw() {
  const os::ScreenSize size = screen_.size();
  const DrawnPicture drawn = output::draw(picker_.picture(size), size, settings_.palette);
  screen_.draw(drawn.rows, drawn.cursor);
  drawn_at_ = os::monotonic_now();
}

/// Whether the list is about what was typed, as far as it is going to be in a moment.
bool PickSession::is_settled() const {
  const PickList& list = source_->list();
  if (list.state().generation != source_->generation()) return false;
  return list.size() > 0 || (list.state().complete && !searching_.load());
}

void PickSession::settle() {
  const Nanoseconds end = os::monotonic_now() + most_settling;
  follow();
  // A search that calls from between two of its entries finds none while it is waited for.
  while (!interrupts_search_ && !is_settled() && !given_up_.load()) {
    const Nanoseconds now = os::monotonic_now();
    if (now >= end) return;
    screen_.wait_for_wake(end - now);
    follow();
  }
}

/// What is drawn is at least a frame old when it is drawn again, unless a key was pressed.
os::KeyPress PickSession::next_key() {
  const Nanoseconds age = os::monotonic_now() - drawn_at_;
  const bool runs = searching_.load() || !source_->list().state().complete;
  os::KeyPress key = screen_.next(runs ? usual_pause : 10 * usual_pause);
  const Nanoseconds since = os::monotonic_now() - drawn_at_;
  if (key.key == os::Key::none && age < a_frame && since < a_frame) {
    key = screen_.next_key(a_frame - since);
  }
  return key;
}

std::optional<PickRequest> PickSession::press(const os::KeyPress& key) {
  if (acts_on_entries(key)) settle();
  const PickRequest request = picker_.press(key, screen_.size());
  switch (request) {
    case PickRequest::picked:
    case PickRequest::left:
      return request;
    case PickRequest::suspend:
      screen_.suspend();
      break;
    case PickRequest::open:
      open_current();
      break;
    case PickRequest::copy:
      copy_current();
      break;
    case PickRequest::none:
      break;
  }
  return {};
}

/// What was typed meanwhile counts before the next picture, too.
void PickSession::act_on(os::KeyPress key) {
  while (key.key != os::Key::none) {
    end_ = press(key);
    if (end_) return;
    key = screen_.next_key(0);
  }
}

bool PickSession::meanwhile() {
  if (end_) return false;
  if (os::monotonic_now() - drawn_at_ < usual_pause) return true;
  follow();
  draw();
  interrupts_search_ = true;
  act_on(screen_.next_key(0));
  interrupts_search_ = false;
  return !end_;
}

std::optional<std::vector<EntryId>> PickSession::run() {
  while (!end_ && !given_up_.load()) {
    follow();
    draw();
    act_on(next_key());
  }
  if (end_ == PickRequest::picked) return picker_.picked();
  return {};
}

std::string PickSession::current_path() {
  std::string path;
  if (const auto id = picker_.current()) {
    EntryReader reader(*store_, needs::absolute_path, nullptr);
    path = reader.read(*id).absolute_path;
  }
  return path;
}

void PickSession::open_current() {
  const std::string path = current_path();
  const std::string problem = os::open_on_desktop(path);
  picker_.notice(problem.empty() ? "opened " + path : problem);
}

void PickSession::copy_current() {
  const std::string path = current_path();
  if (!os::copy_to_clipboard(path)) {
    // The terminal does it, if it is one that can: OSC 52, as xterm has it. Several terminals drop
    // a sequence of more than 100,000 bytes.
    constexpr std::size_t most = 74'994;
    if (path.size() > most) return picker_.notice("too long for the clipboard of a terminal");
    std::string sequence = "\x1b]52;c;";
    text::append_base64(sequence, path);
    screen_.send(sequence + "\a");
  }
  picker_.notice("copied " + path);
}

}  // namespace ffind::output
