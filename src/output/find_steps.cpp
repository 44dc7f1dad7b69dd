// SPDX-License-Identifier: MIT
// Evaluation from left to right, actions, and the entries that are kept for -depth and -s.
//
//     lane ─▶ take() ─▶ carry_out() ─▶ evaluate() ─▶ act() ─▶ a stream, a command, unlinkat(2)
//              │ -depth, -s                ▲
//              └▶ keep() ... finish() ─▶ evaluate_kept()
//
// As in find, the streams are written before a command or a question can write, and a command
// that cannot be started, or fails, is false and no error; only one of `+` makes the status 1.
#include "output/find_steps.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "os/machine.h"
#include "os/terminal.h"
#include "output/commands/action_stage.h"
#include "output/messages.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind::output {
namespace {

using Kind = FindStep::Kind;

/// As the kernel counts an argument: the text, its NUL, and the pointer to it.
std::size_t cost_of(std::size_t size) {
  return size + 1 + sizeof(char*);
}

std::string with_path(std::string_view word, std::string_view path) {
  std::string text;
  for (std::size_t at = word.find("{}"); at != std::string_view::npos; at = word.find("{}")) {
    text.append(word.substr(0, at)).append(path);
    word.remove_prefix(at + 2);
  }
  return text.append(word);
}

/// The path as printed: its directory, and its name with the slashes of a root.
std::pair<std::string, std::string> parts_of(Entry& entry) {
  entry.require(needs::directory);
  std::string name(entry.name);
  return {std::string(entry.directory), name.append(entry.slashes)};
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

StepTree::Node::Node(const FindStep& from, bool for_terminal) : step(from) {
  for (const FindStep& inner : from.steps) nodes.emplace_back(inner, for_terminal);
  const bool shows = for_terminal && from.file.empty();
  if (from.kind == Kind::test) test.emplace(Query{from.test, {}});
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
    if (const auto& format = tree_.top().format) return format->append(out, entry, scratch_);
    tree_.carry_out(entry, [&](StepTree::Node& node, Entry& found) {
      node.format->append(out, found, scratch_);
      return true;
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
      processes_(processes),
      report_(std::move(report)),
      act_([this](StepTree::Node& node, Entry& entry) { return act(node, entry); }),
      tree_(style),
      scratch_{style.accounts},
      streams_(1),
      ancestors_(style.steps->follows, 2) {
  StepTree::for_each(tree_.top(), [this](StepTree::Node& node) {
    if (!node.step.file.empty()) node.stream = stream_of(node.step.file);
    if (node.step.in_directory) refuse_relative_path(node.step, style_.speaker);
  });
  if (processes_ == nullptr) return;
  limits_ = os::argument_limits();
  writer_.end_by([this] { processes_->end_by_broken_pipe(); });
}

StepStage::~StepStage() {
  writer_.end_by({});
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
  return style_.steps->waits() ? needs::directory | needs::origin : tree_.needs();
}

std::unique_ptr<Lane> StepStage::open_lane() {
  return std::make_unique<StepLane>(*this);
}

bool StepStage::take(Entry& entry) {
  const std::lock_guard lock(mutex_);
  if (style_.steps->waits()) {
    keep(entry);
    return true;
  }
  tree_.carry_out(entry, act_);
  return !tree_.stopped();
}

bool StepStage::act(StepTree::Node& node, Entry& entry) {
  switch (node.step.kind) {
    case Kind::command:
      return run(node, entry);
    case Kind::remove:
      return remove(entry);
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
      node.format->append(buffer, entry, scratch_);
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

/// Opens a directory as printed, with a slash at its end or empty: below a root, without following
/// links that the search did not follow.
int StepStage::open_directory(std::string_view directory, int& fd) {
  std::string whole(directory);
  // locate_below() needs a path below the root; the dot stays on the directory itself.
  whole += '.';
  const Located located = locate_below(roots_, whole);
  if (located.root != nullptr) {
    return ancestors_.open(located.root->directory, located.path, fd);
  }
  os::Identity found;
  if (const int error = os::identify(whole, true, found); error != 0) return error;
  return ancestors_.open({whole, found.id}, {}, fd);
}

os::Ending StepStage::start(const FindStep& step, const std::vector<std::string>& words,
                            std::string_view directory) {
  flush();
  writer_.leave_terminal();
  os::Ending ending;
  os::Command command{.has_input = !step.asks};
  ending.error = os::find_program(words.front(), command.program);
  // A program with a slash is looked for in the directory in which it is run.
  if (words.front().find('/') != std::string::npos) {
    command.program = words.front();
    ending.error = 0;
  }
  if (ending.error == 0 && step.in_directory) {
    ending.error = open_directory(directory, command.directory);
    if (ending.error != 0) {
      fail(directory.empty() ? "." : std::string(directory), "", ending.error);
      return ending;
    }
  }
  for (const std::string& word : words) command.arguments.push_back(word.c_str());
  if (ending.error == 0) ending = processes_->run(command, nullptr);
  if (ending.error != 0) {
    report_({words.front(), "", ending.error});
  } else if (ending.signal != 0) {
    writer_.write_message(
        message(text::format("{} terminated by signal {}", quoted(words.front(), style_.speaker),
                             ending.signal),
                style_.speaker));
  }
  return ending;
}

/// The prompt of -ok; the reply is read from standard input.
bool StepStage::agrees(const FindStep& step, std::string_view path) {
  flush();
  writer_.leave_terminal();
  writer_.write_message(text::format("< {} ... {} > ? ", step.command.front(), path));
  std::string answer;
  return os::read_line(answer) && (answer.starts_with('y') || answer.starts_with('Y'));
}

bool StepStage::run(StepTree::Node& node, Entry& entry) {
  const FindStep& step = node.step;
  auto [directory, name] = parts_of(entry);
  std::string path = directory + name;
  if (step.asks && !agrees(step, path)) return false;
  const bool is_top = path.find_first_not_of('/') == std::string::npos;
  if (step.in_directory) path = is_top ? "/" : "./" + name;
  if (is_top) directory = "/";
  if (step.is_batch) return add_to_batch(node, std::move(path), directory);
  std::vector<std::string> words;
  for (const std::string& word : step.command) words.push_back(with_path(word, path));
  return !start(step, words, directory).failed();
}

/// Always true, as in find.
bool StepStage::add_to_batch(StepTree::Node& node, std::string path, std::string_view directory) {
  const std::size_t cost = cost_of(path.size());
  const bool fits = node.batch_size + cost <= limits_.total &&
                    (!node.step.in_directory || node.batch_directory == directory);
  if (!fits) run_batch(node);
  if (node.batch.empty()) {
    node.batch_size = sizeof(char*) + cost;
    for (const std::string& word : node.step.command) node.batch_size += cost_of(word.size());
  } else {
    node.batch_size += cost;
  }
  node.batch_directory = directory;
  node.batch.push_back(std::move(path));
  return true;
}

void StepStage::run_batch(StepTree::Node& node) {
  if (node.batch.empty()) return;
  std::vector<std::string> words = node.step.command;
  words.insert(words.end(), std::make_move_iterator(node.batch.begin()),
               std::make_move_iterator(node.batch.end()));
  node.batch.clear();
  if (start(node.step, words, node.batch_directory).failed()) failed_ = true;
}

/// The current directory itself stays, which find does not tell.
bool StepStage::remove(Entry& entry) {
  const auto [directory, name] = parts_of(entry);
  if (name == ".") return true;
  entry.require(needs::type);
  int fd = -1;
  int error = open_directory(directory, fd);
  const FileType type = entry.via_link ? FileType::symlink : entry.type;
  if (error == 0) error = os::remove(fd, name, type);
  if (error != 0) fail(directory + name, "delete", error);
  return error == 0;
}

// Entries after the search

void StepStage::keep(Entry& entry) {
  entry.require(needs::directory | needs::origin);
  const Root& root = *entry.found_from;
  auto [number, is_new] = numbers_.emplace(&root, found_from_.size());
  if (is_new) found_from_.push_back(root);
  path_.clear();
  append_path(path_, entry);
  path_.resize(path_.size() - entry.slashes.size());
  const std::string named(
      text::without_end_slashes(entry.depth == 0 ? std::string_view(path_) : named_root(root)));
  PathTree::Index& top = tops_[named];
  if (top == PathTree::root) top = places_.add_below(PathTree::root, named);
  const PathTree::Index place = entry.depth == 0 ? top : places_.add(path_, top);
  const std::string_view slashes = entry.depth == 0 ? entry.slashes : std::string_view();
  kept_.push_back({place, top, static_cast<std::uint32_t>(number->second),
                   static_cast<std::uint32_t>(slashes.size()), entry.type, entry.via_link});
}

namespace {

/// Calls `visit` for each place, before or after those below it, siblings as they were added or by
/// their names.
void visit_places(const PathTree& places, const FindSteps& steps,
                  const std::function<void(PathTree::Index)>& visit) {
  std::vector<std::uint32_t> all(places.size() - 1);
  std::iota(all.begin(), all.end(), 1);
  if (steps.is_sorted) {
    std::sort(all.begin(), all.end(), [&](std::uint32_t one, std::uint32_t other) {
      return places.name(one) < places.name(other);
    });
  }
  const Grouped children(all, places.size(),
                         [&](std::uint32_t place) { return places.parent(place); });
  struct Level {
    PathTree::Index place;
    std::size_t next;
  };
  std::vector<Level> way = {{PathTree::root, 0}};
  while (!way.empty()) {
    const auto below = children.of(way.back().place);
    if (way.back().next < below.size()) {
      const PathTree::Index place = below[way.back().next++];
      if (!steps.contents_first) visit(place);
      way.push_back({place, 0});
    } else {
      if (steps.contents_first && way.back().place != PathTree::root) visit(way.back().place);
      way.pop_back();
    }
  }
}

}  // namespace

/// Makes the entry again, as the search offered it, and evaluates it.
void StepStage::evaluate_kept(const Kept& kept, LateLoader& loader) {
  const Root& root = found_from_[kept.root];
  const bool is_root = kept.place == kept.top;
  path_.clear();
  places_.append(path_, kept.place);
  if (!is_root) path_.erase(0, places_.name(kept.top).size() + 1);
  Entry entry;
  entry.name = path_ == "/" ? std::string_view(path_) : text::name_of(path_);
  entry.directory = std::string_view(path_).substr(0, path_.size() - entry.name.size());
  std::string_view below;
  if (is_root) {
    const std::string_view typed = root.open_path;
    entry.slashes = typed.substr(typed.size() - kept.slashes);
  } else {
    const std::size_t around = root.below.empty() ? 0 : root.below.size() + 1;
    entry.relative_path = std::string_view(path_).substr(root.printed.size() - around);
    entry.depth = 1 + static_cast<std::uint32_t>(
                          std::count(entry.relative_path.begin(), entry.relative_path.end(), '/'));
    below = entry.directory.substr(root.printed.size());
    if (!below.empty()) below.remove_suffix(1);
  }
  entry.type = kept.type;
  entry.via_link = kept.via_link;
  entry.found_from = &root;
  entry.present = needs::directory | needs::relative_path | needs::depth |
                  (kept.type != FileType::unknown ? needs::type : needs::none);
  entry.loader = &loader;
  loader.turn_to(root, below);
  tree_.carry_out(entry, act_);
}

void StepStage::finish(const LateLoaderFactory& late) {
  if (!kept_.empty()) {
    std::vector<std::uint32_t> all(kept_.size());
    std::iota(all.begin(), all.end(), 0);
    const Grouped at(all, places_.size(), [this](std::uint32_t one) { return kept_[one].place; });
    const std::unique_ptr<LateLoader> loader = late();
    visit_places(places_, *style_.steps, [&](PathTree::Index place) {
      for (const std::uint32_t one : at.of(place)) {
        if (!tree_.stopped()) evaluate_kept(kept_[one], *loader);
      }
    });
  }
  StepTree::for_each(tree_.top(), [this](StepTree::Node& node) { run_batch(node); });
  flush();
}

}  // namespace ffind::output
