// SPDX-License-Identifier: MIT
// Evaluation from left to right, and actions.
//
//     lane ─▶ take() ─▶ carry_out() ─▶ evaluate() ─▶ act() ─▶ a stream, a command, unlinkat(2)
//
// As in find, the streams are written before a command or a question can write, and a command
// that cannot be started, or fails, is false and no error; only one of `+` makes the status 1.
#include "output/find_steps.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "os/files.h"
#include "os/machine.h"
#include "os/terminal.h"
#include "output/commands/executor.h"
#include "output/messages.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind::output {
namespace {

using Kind = FindStep::Kind;

/// True if the file of an action that prints is a terminal.
bool leads_to_terminal(const std::string& file, bool output_is_terminal) {
  if (file.empty() || file == "/dev/stdout") return output_is_terminal;
  if (file == "/dev/stderr") return os::is_terminal(os::standard_error);
  return file.starts_with("/dev/tty") || file.starts_with("/dev/pts/");
}

/// The path as printed: its directory, and its name with the slashes of a root.
std::pair<std::string, std::string> parts_of(Entry& entry) {
  entry.require(needs::directory);
  std::string name(entry.name);
  return {std::string(entry.directory), name.append(entry.slashes)};
}

/// After an action: find asks for these at each test, and has one stat for all others.
void forget_answers(Entry& entry) {
  constexpr Needs asked_anew = needs::readable | needs::writable | needs::runnable | needs::empty |
                               needs::target | needs::target_mode | needs::target_type;
  entry.present &= ~asked_anew;
  entry.failed &= ~asked_anew;
}

/// The words of a command, with a place for the paths of a batch.
std::vector<std::string> words_of(const FindStep& step) {
  std::vector<std::string> words = step.command;
  if (step.is_batch) words.emplace_back("{}");
  return words;
}

/// Throws std::runtime_error, in find's words, if a command that is run in the directory of a match
/// could be a file there.
void refuse_relative_path(const FindStep& step, Speaker speaker) {
  const std::string_view word = step.asks ? "-okdir" : "-execdir";
  const std::string path = os::environment("PATH").value_or("/");
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t end = std::min(path.find(':', from), path.size());
    const std::string part = path.substr(from, end - from);
    from = end + 1;
    if (part.starts_with('/')) continue;
    if (part.empty() || part == ".") {
      throw std::runtime_error(text::format(
          "The current directory is included in the PATH environment variable, which is insecure "
          "in combination with the {} action of find.  Please remove the current directory from "
          "your $PATH (that is, remove \".\", doubled colons, or leading or trailing colons)",
          word));
    }
    throw std::runtime_error(text::format(
        "The relative path {} is included in the PATH environment variable, which is insecure in "
        "combination with the {} action of find.  Please remove that entry from $PATH",
        quoted(part, speaker), word));
  }
}

}  // namespace

// The tree

StepCommand::StepCommand(const FindStep& step)
    : action{.commands = {CommandTemplate(words_of(step), {.of_find = true})},
             .tries_each = true,
             .of_find = true,
             .has_input = !step.asks},
      batch(action.commands, os::argument_limits()) {}

StepTree::Node::Node(const FindStep& from, bool for_terminal) : step(from) {
  if (from.kind == Kind::command) command = std::make_unique<StepCommand>(from);
  for (const FindStep& inner : from.steps) nodes.emplace_back(inner, for_terminal);
  const bool shows = leads_to_terminal(from.file, for_terminal);
  if (from.kind == Kind::test) test.emplace(Query{from.test, Scope{.list_roots = true}});
  if (from.kind == Kind::print) {
    format = FindFormat::parse(from.end == '\0' ? "%p\\0" : "%p\\n", shows && from.end != '\0');
  } else if (from.kind == Kind::escaped) {
    format = FindFormat::escaped();
  } else if (from.kind == Kind::format) {
    format = FindFormat::parse(from.text, shows);
  } else if (from.kind == Kind::listing) {
    format = FindFormat::listing(os::wall_now(), os::environment("POSIXLY_CORRECT").has_value());
  }
}

StepTree::StepTree(const OutputStyle& style) : top_(style.steps->top, style.terminal) {}

Needs StepTree::needs() const {
  Needs all = needs::directory;
  for_each(top_, [&](const Node& node) {
    if (node.test) all |= node.test->needs();
    if (node.format) all |= node.format->needs();
    if (node.step.kind == Kind::remove) all |= needs::type;
  });
  return all;
}

bool StepTree::evaluate(Node& node, Entry& entry, const Act& act) {
  switch (node.step.kind) {
    case Kind::test:
      return node.test->emits(entry);
    case Kind::prune:
      entry.kept_out = true;
      return true;
    case Kind::negation:
      return !evaluate(node.nodes.front(), entry, act);
    case Kind::all:
    case Kind::any:
      for (Node& inner : node.nodes) {
        const bool decides = node.step.kind == Kind::any;
        if (evaluate(inner, entry, act) == decides || stopped_) return decides;
      }
      return node.step.kind == Kind::all;
    case Kind::list: {
      bool last = true;
      for (Node& inner : node.nodes) {
        if (!stopped_) last = evaluate(inner, entry, act);
      }
      return last;
    }
    default:
      return !stopped_ && act(node, entry);
  }
}

namespace {

class FindRecord final : public RecordFormat {
 public:
  explicit FindRecord(const OutputStyle& style) : tree_(style), scratch_{style.accounts} {}

  Needs needs() const override { return tree_.needs(); }
  void append(std::string& out, Entry& entry) override {
    // A line that filters and prints once.
    if (const auto& format = tree_.top().format) {
      format->append(out, entry, scratch_);
      return;
    }
    tree_.carry_out(entry, [&](StepTree::Node& node, Entry& found) {
      return node.format->append(out, found, scratch_);
    });
  }

 private:
  StepTree tree_;
  FieldScratch scratch_;
};

}  // namespace

std::unique_ptr<RecordFormat> make_find_record(const OutputStyle& style) {
  return std::make_unique<FindRecord>(style);
}

// The stage

class StepStage::StepLane final : public Lane {
 public:
  explicit StepLane(StepStage& stage) : stage_(stage) {}

  bool emit(Entry& entry) override { return stage_.take(entry); }
  void flush() override {
    const std::lock_guard lock(stage_.mutex_);
    stage_.flush();
  }
  void flush_if_due() override {
    if (stage_.style_.terminal) flush();
  }

 private:
  StepStage& stage_;
};

StepStage::StepStage(const OutputStyle& style, Writer& writer, os::Processes* processes,
                     Report report)
    : style_(style),
      writer_(writer),
      report_(std::move(report)),
      act_([this](StepTree::Node& node, Entry& entry) { return act(node, entry); }),
      tree_(style),
      scratch_{style.accounts},
      streams_(1) {
  StepTree::for_each(tree_.top(), [&](StepTree::Node& node) {
    if (!node.step.file.empty()) node.stream = stream_of(node.step.file);
    if (node.step.in_directory) refuse_relative_path(node.step, style_.speaker);
    has_directory_batches_ =
        has_directory_batches_ || (node.step.in_directory && node.step.is_batch);
    if (!node.command) return;
    node.command->executor.emplace(
        ActionContext{node.command->action, writer_, style_.terminal, report_, processes}, false);
  });
}

/// Actions that name one file share a stream.
std::size_t StepStage::stream_of(const std::string& path) {
  if (path == "/dev/stdout") return 0;
  Stream stream{.path = path, .is_error_output = path == "/dev/stderr"};
  if (!stream.is_error_output) {
    if (const int error = os::create_file(path, stream.file); error != 0) {
      throw std::system_error(error, std::generic_category(), quoted(path, style_.speaker));
    }
  }
  for (std::size_t i = 1; i < streams_.size(); ++i) {
    const Stream& other = streams_[i];
    const bool same = stream.is_error_output || other.is_error_output
                          ? stream.is_error_output == other.is_error_output
                          : os::lead_to_same(other.file.get(), stream.file.get());
    if (same) return i;
  }
  streams_.push_back(std::move(stream));
  return streams_.size() - 1;
}

Needs StepStage::needs() const {
  return tree_.needs();
}

std::unique_ptr<Lane> StepStage::open_lane() {
  return std::make_unique<StepLane>(*this);
}

bool StepStage::take(Entry& entry) {
  const std::lock_guard lock(mutex_);
  if (has_directory_batches_ && (entry.depth == 0 || entry.directory != directory_)) {
    run_directory_batches();
    directory_ = entry.directory;
  }
  tree_.carry_out(entry, act_);
  return !tree_.stopped();
}

bool StepStage::act(StepTree::Node& node, Entry& entry) {
  switch (node.step.kind) {
    case Kind::command: {
      const bool value = run(node, entry);
      forget_answers(entry);
      return value;
    }
    case Kind::remove: {
      const bool value = remove(entry);
      forget_answers(entry);
      return value;
    }
    case Kind::safe: {
      const auto [directory, name] = parts_of(entry);
      const std::string path = directory + name;
      if (std::none_of(path.begin(), path.end(), splits_for_xargs)) return true;
      fail(path, "", EINVAL);
      return false;
    }
    case Kind::quit:
      tree_.stop();
      exit_status_ = node.step.status.value_or(0);
      return false;
    default: {
      std::string& buffer = streams_[node.stream].buffer;
      if (!node.format->append(buffer, entry, scratch_)) return false;
      if (buffer.size() > full_buffer || streams_[node.stream].is_error_output) {
        write_out(node.stream);
      }
      return true;
    }
  }
}

void StepStage::write_out(std::size_t index) {
  Stream& stream = streams_[index];
  const std::string bytes = std::exchange(stream.buffer, {});
  if (bytes.empty()) return;
  if (index == 0) {
    if (!writer_.write(bytes)) tree_.stop();
  } else if (stream.is_error_output) {
    writer_.write_message(bytes);
  } else if (const int error = os::write_all(stream.file.get(), bytes); error != 0) {
    fail(stream.path, "", error);
  }
}

void StepStage::flush() {
  for (std::size_t index = 0; index < streams_.size(); ++index) write_out(index);
}

void StepStage::fail(std::string path, const char* operation, int error) {
  failed_ = true;
  report_({std::move(path), operation, error});
}

// Commands

/// Opens the directory of the entry for a command: that of a root by its path, which find does,
/// too. As in find, one that cannot be opened ends the search, and no waiting command is run.
bool StepStage::open_directory(Entry& entry, std::string_view directory, os::Descriptor& opened) {
  const int at = entry.depth > 0 ? entry.loader->directory_descriptor() : -1;
  const std::string path = std::string(at < 0 ? directory : "") + ".";
  const int error = os::open_directory(at, path, opened);
  if (error == 0) return true;
  const std::string_view above = entry.depth > 0 ? std::string_view() : entry.directory;
  fail(std::string(above).append(entry.name), "run in directory", error);
  give_up();
  return false;
}

/// Ends the search without the commands that wait.
void StepStage::give_up() {
  tree_.stop();
  StepTree::for_each(tree_.top(), [](StepTree::Node& node) {
    if (node.command) node.command->batch.clear();
  });
}

/// False, with a message, if find could not go back to the current directory to run a command.
bool StepStage::may_return() {
  const int error = style_.returns ? os::change_directory(".") : 0;
  if (error != 0) fail(os::absolute_path("."), "run in", error);
  return error == 0;
}

/// The prompt of -ok; the reply is read from standard input.
bool StepStage::agrees(const FindStep& step, std::string_view path) {
  flush();
  writer_.leave_terminal();
  std::string shown;
  if (os::is_terminal(os::standard_error)) {
    append_printable(shown, path);
  } else {
    shown = path;
  }
  writer_.write_message(text::format("< {} ... {} > ? ", step.command.front(), shown));
  std::string answer;
  return os::read_line(answer) && (answer.starts_with('y') || answer.starts_with('Y'));
}

bool StepStage::run(StepTree::Node& node, Entry& entry) {
  const FindStep& step = node.step;
  auto [directory, name] = parts_of(entry);
  std::string path = directory + name;
  if (step.asks && !agrees(step, path)) return false;
  const bool is_top = path.find_first_not_of('/') == std::string::npos;
  if (step.in_directory) path = is_top ? "/" : (style_.steps->of_bsd ? "" : "./") + name;
  if (is_top) directory = "/";
  if (step.is_batch) return add_to_batch(node, entry, path, directory);
  os::Descriptor opened;
  if (step.in_directory && !open_directory(entry, directory, opened)) return false;
  if (!step.in_directory && !may_return()) return false;
  flush();
  return node.command->executor->run({.paths = &path, .count = 1, .open_directory = opened.get()});
}

/// Always true, as in find. A path that no command can have is reported.
bool StepStage::add_to_batch(StepTree::Node& node, Entry& entry, const std::string& path,
                             std::string_view directory) {
  StepCommand& command = *node.command;
  Batch::Answer answer = command.batch.add(path);
  if (answer == Batch::Answer::full) {
    run_batch(node);
    answer = command.batch.add(path);
  }
  if (answer != Batch::Answer::added) {
    fail(path, "", E2BIG);
  } else if (node.step.in_directory && command.directory.get() < 0 &&
             !open_directory(entry, directory, command.directory)) {
    command.batch.clear();
  }
  return true;
}

void StepStage::run_batch(StepTree::Node& node) {
  if (node.command == nullptr || node.command->batch.paths().empty()) return;
  StepCommand& command = *node.command;
  const std::vector<std::string>& paths = command.batch.paths();
  flush();
  const int directory = command.directory.get();
  const bool done =
      (node.step.in_directory || may_return()) &&
      command.executor->run(
          {.paths = paths.data(), .count = paths.size(), .open_directory = directory});
  failed_ = !done || failed_;
  command.batch.clear();
  command.directory.close();
  if (node.step.in_directory && style_.returns && os::change_directory(".") != 0) give_up();
}

/// find runs the batches of -execdir whenever the walk goes up or down, and after each root: the
/// next entry is in another directory, since those above -mindepth never come here.
void StepStage::run_directory_batches() {
  StepTree::for_each(tree_.top(), [this](StepTree::Node& node) {
    if (node.step.in_directory) run_batch(node);
  });
}

/// The current directory itself stays, which find does not tell. A link that was followed is taken
/// for what it leads to, and stays if that is a directory.
bool StepStage::remove(Entry& entry) {
  const auto [directory, name] = parts_of(entry);
  const std::string path = directory + name;
  if (path == ".") return true;
  entry.require(needs::type);
  const int at = entry.depth > 0 ? entry.loader->directory_descriptor() : -1;
  int error = entry.depth > 0 && at < 0 ? ENOENT : 0;
  if (error == 0) error = os::remove(at, at < 0 ? path : name, entry.type);
  if (error == ENOENT && style_.steps->ignores_vanished) return true;
  if (error == ENOTEMPTY && style_.steps->of_bsd) return true;
  if (error != 0) fail(path, "delete", error);
  return error == 0;
}

void StepStage::finish() {
  StepTree::for_each(tree_.top(), [this](StepTree::Node& node) { run_batch(node); });
  flush();
}

}  // namespace ffind::output
