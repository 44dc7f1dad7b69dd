// SPDX-License-Identifier: MIT
// See entry_details.h.
#include "output/pick/entry_details.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include "os/terminal.h"
#include "output/output_style.h"
#include "output/pick/entry_reader.h"
#include "output/records/record_format.h"
#include "output/records/template.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::output {
namespace {

struct DetailRow {
  std::string_view label;
  std::string_view value;  ///< a template, as --format takes it
};

constexpr std::array<DetailRow, 15> rows = {{{"path", "{absolute}"},
                                             {"type", "{type}"},
                                             {"kind", "{kind}"},
                                             {"target", "{target}"},
                                             {"size", "{size:H}"},
                                             {"bytes", "{size}"},
                                             {"modified", "{modified}"},
                                             {"created", "{created}"},
                                             {"added", "{added}"},
                                             {"accessed", "{accessed}"},
                                             {"mode", "{mode:rwx}"},
                                             {"owner", "{owner}:{group}"},
                                             {"tags", "{tags}"},
                                             {"comment", "{comment}"},
                                             {"from", "{where_from}"}}};

/// The first bytes of a file, as much as a pane could show.
class Beginning final : public ContentReader {
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

/// How much of a value is kept: more than a row of a screen has room for.
std::size_t longest_beginning(std::string_view value) {
  constexpr std::size_t most = 16384;
  if (value.size() <= most) return value.size();
  std::size_t end = most;
  while (end > 0 && text::is_continuation(value[end])) --end;
  return end;
}

void append_text_lines(std::vector<std::string>& lines, std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) {
    lines.emplace_back("(binary)");
    return;
  }
  constexpr std::size_t longest = 500;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string line;
    for (const char c : bytes.substr(0, std::min(end, longest))) {
      if (c == '\t') {
        line += "    ";
      } else if (c != '\r') {
        line += c;
      }
    }
    lines.push_back(text::escaped(line));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

/// Makes the lines about one entry after the other.
class DetailWriter {
 public:
  explicit DetailWriter(const Accounts* accounts) {
    for (const DetailRow& row : rows) {
      Style& style = styles_.emplace_back();
      style.label = row.label;
      style.style.terminal = true;
      style.style.format = Format::templated;
      style.style.record_template = parse_template(row.value);
      style.style.accounts = accounts;
    }
    // Formats refer to their styles, which stay where they are from now on.
    for (Style& style : styles_) style.format = make_record_format(style.style);
  }

  std::vector<std::string> lines_about(Entry& entry) {
    constexpr std::size_t label_columns = 10;
    std::vector<std::string> lines;
    for (Style& style : styles_) {
      std::string value;
      entry.require(style.format->needs());
      style.format->append(value, entry);
      value.pop_back();
      value.resize(longest_beginning(value));
      if (value.empty() || value == ":") continue;
      std::string line(style.label);
      line.resize(label_columns, ' ');
      lines.push_back(line + value);
    }
    if (entry.type == FileType::file && entry.loader != nullptr) {
      Beginning beginning;
      if (entry.loader->read_contents(entry, beginning) && !beginning.bytes().empty()) {
        lines.emplace_back();
        append_text_lines(lines, beginning.bytes());
      }
    }
    return lines;
  }

 private:
  struct Style {
    std::string_view label;
    OutputStyle style{};
    std::unique_ptr<RecordFormat> format{};
  };
  std::vector<Style> styles_;
};

}  // namespace

struct EntryDetails::State {
  std::shared_ptr<EntryStore> store;
  LateLoaderFactory late;
  const Accounts* accounts = nullptr;
  std::function<void()> changed;

  std::mutex mutex;  ///< guards what follows
  std::condition_variable condition;
  std::optional<EntryId> wanted{};
  std::optional<EntryId> shown{};
  std::vector<std::string> lines{};
  bool over = false;
  bool ended = false;

  void run();
};

/// What reads and writes lines; owned by the thread that does.
struct EntryDetails::Maker {
  explicit Maker(const State& state)
      : loader(state.late ? state.late() : nullptr),
        reader(*state.store, needs::none, loader.get()),
        writer(state.accounts) {}

  std::vector<std::string> lines_about(EntryId id) { return writer.lines_about(reader.read(id)); }

  const std::unique_ptr<LateLoader> loader;
  EntryReader reader;
  DetailWriter writer;
};

void EntryDetails::State::run() {
  Maker maker(*this);
  std::unique_lock lock(mutex);
  while (true) {
    condition.wait(lock, [this] { return over || (wanted && wanted != shown); });
    if (over) break;
    const EntryId id = *wanted;
    lock.unlock();
    std::vector<std::string> made = maker.lines_about(id);
    lock.lock();
    if (over) break;
    shown = id;
    lines = std::move(made);
    changed();
  }
  ended = true;
  condition.notify_all();
}

EntryDetails::EntryDetails(std::shared_ptr<EntryStore> store, LateLoaderFactory late,
                           const Accounts* accounts, std::function<void()> changed)
    : state_(std::make_shared<State>()) {
  state_->store = std::move(store);
  state_->late = std::move(late);
  state_->accounts = accounts;
  state_->changed = std::move(changed);
}

EntryDetails::~EntryDetails() {
  stop();
}

void EntryDetails::show(std::optional<EntryId> id) {
  const std::lock_guard lock(state_->mutex);
  // Who never looks at the pane pays for no thread.
  if (id && !started_ && !state_->over) {
    started_ = true;
    try {
      const os::QuietSignals quiet;
      thread_ = std::thread([state = state_] { state->run(); });
    } catch (const std::system_error&) {
      maker_here_ = std::make_unique<Maker>(*state_);
    }
  }
  state_->wanted = id;
  if (maker_here_ && id && id != state_->shown) {
    state_->lines = maker_here_->lines_about(*id);
    state_->shown = id;
  }
  state_->condition.notify_all();
}

std::vector<std::string> EntryDetails::lines() const {
  const std::lock_guard lock(state_->mutex);
  if (!state_->wanted) return {};
  if (state_->shown != state_->wanted) return {"reading..."};
  return state_->lines;
}

bool EntryDetails::stop() {
  std::unique_lock lock(state_->mutex);
  state_->over = true;
  state_->condition.notify_all();
  constexpr std::chrono::milliseconds patience{100};
  if (!thread_.joinable()) return !abandoned_;
  abandoned_ = !state_->condition.wait_for(lock, patience, [this] { return state_->ended; });
  lock.unlock();
  if (abandoned_) {
    thread_.detach();
  } else {
    // What it uses is released by it.
    thread_.join();
  }
  return !abandoned_;
}

}  // namespace ffind::output
