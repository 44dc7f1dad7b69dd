// SPDX-License-Identifier: MIT
// Steps of find: evaluates a line of find for each entry that the search emits, with its actions in
// their order.
//
//     StepTree      the steps of a line, ready to be evaluated for one entry after another.
//     make_find_record()
//                   the format of lines that only print: each lane has a tree of its own.
//     StepStage     all other lines, one entry at a time: commands, questions, deletions, files.
//
// The entries of StepStage come from the ordered walk, which enters a directory after StepStage has
// taken it. A command or a deletion in an entry's directory uses the descriptor that the walk has
// of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/issue.h"
#include "ffind/searcher.h"
#include "ffind/steps.h"
#include "os/files.h"
#include "os/processes.h"
#include "os/safe_open.h"
#include "output/commands/executor.h"
#include "output/find_format.h"
#include "output/output_style.h"
#include "output/records.h"
#include "output/writer.h"

namespace ffind::output {

/// Command of a step. The others refer to the action, so it does not move.
struct StepCommand {
  explicit StepCommand(const FindStep& step);

  Action action;                       ///< of one command
  Batch batch;                         ///< paths that wait for it
  os::Descriptor directory{};          ///< of these paths, for -execdir
  std::optional<Executor> executor{};  ///< made by StepStage
};

/// Belongs to one thread at a time.
class StepTree {
 public:
  /// A step with what is made of it once.
  struct Node {
    Node(const FindStep& from, bool for_terminal);

    const FindStep& step;
    std::vector<Node> nodes{};
    std::optional<Matcher> test{};
    std::optional<FindFormat> format{};  ///< of all that print
    std::size_t stream = 0;              ///< index of the file that it prints to
    std::unique_ptr<StepCommand> command{};
  };
  /// Carries out a step without steps; its value.
  using Act = std::function<bool(Node& node, Entry& entry)>;

  /// `style` outlives it. Throws FindFormatError.
  explicit StepTree(const OutputStyle& style);

  Needs needs() const;
  Node& top() { return top_; }
  void carry_out(Entry& entry, const Act& act) { evaluate(top_, entry, act); }
  /// Nothing more is evaluated from now on.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }
  /// Calls it for each node.
  template <typename AnyNode, typename Call>
  static void for_each(AnyNode& node, const Call& call) {
    call(node);
    for (auto& inner : node.nodes) for_each(inner, call);
  }

 private:
  bool evaluate(Node& node, Entry& entry, const Act& act);

  Node top_;
  bool stopped_ = false;
};

/// `style` outlives it, and has steps.
std::unique_ptr<RecordFormat> make_find_record(const OutputStyle& style);

/// Thread-safe.
class StepStage {
 public:
  using Report = std::function<void(const Issue&)>;
  /// Descriptors that it opens, besides those of commands and files.
  static constexpr std::size_t descriptors = 2;

  /// Opens the files of -fprint and its like. `processes` is null if no command is run. All
  /// arguments outlive it. Throws std::system_error and FindFormatError.
  StepStage(const OutputStyle& style, Writer& writer, os::Processes* processes, Report report);

  Needs needs() const;
  std::unique_ptr<Lane> open_lane();
  /// Runs commands that wait for more paths, and closes the files.
  void finish();
  bool failed() const { return failed_; }
  /// Of -exit; 0 if there was none.
  int exit_status() const { return exit_status_; }

 private:
  /// The target of actions that print.
  struct Stream {
    std::string path{};
    os::Descriptor file{};
    bool is_error_output = false;
    std::string buffer{};
  };
  class StepLane;

  bool take(Entry& entry);
  bool act(StepTree::Node& node, Entry& entry);
  void flush();
  void write_out(std::size_t stream);
  std::size_t stream_of(const std::string& path);
  bool run(StepTree::Node& node, Entry& entry);
  bool add_to_batch(StepTree::Node& node, Entry& entry, const std::string& path,
                    std::string_view directory);
  void run_batch(StepTree::Node& node);
  void run_directory_batches();
  bool may_return();
  void give_up();
  bool agrees(const FindStep& step, std::string_view path);
  bool remove(Entry& entry);
  bool open_directory(Entry& entry, std::string_view directory, os::Descriptor& opened);
  void fail(std::string path, const char* operation, int error);

  const OutputStyle& style_;
  Writer& writer_;
  const Report report_;
  const StepTree::Act act_;
  StepTree tree_;
  FieldScratch scratch_;
  std::vector<Stream> streams_;  ///< the first is standard output
  bool has_directory_batches_ = false;
  std::string directory_;  ///< of the last entry, if there are such batches
  std::mutex mutex_;       ///< held for an entry
  bool failed_ = false;
  int exit_status_ = 0;
};

}  // namespace ffind::output
