// SPDX-License-Identifier: MIT
// Steps of find: evaluates a line of find for each entry that the search emits, with its actions in
// their order.
//
//     StepTree      the steps of a line, ready to be evaluated for one entry after another.
//     make_find_record()
//                   the format of lines that only print: each lane has a tree of its own.
//     StepStage     all other lines, one entry at a time: commands, questions, deletions, files.
//
// With -depth and -s, StepStage keeps the entries until the search is over. With -depth it
// evaluates each when all below it has been: then nothing is deleted that the search reads, and a
// directory that was emptied is empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/searcher.h"
#include "ffind/steps.h"
#include "os/files.h"
#include "os/processes.h"
#include "os/safe_open.h"
#include "output/commands/root_directories.h"
#include "output/find_format.h"
#include "output/output_style.h"
#include "output/path_tree.h"
#include "output/records.h"
#include "output/writer.h"

namespace ffind::output {

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
    std::vector<std::string> batch{};    ///< paths that wait for the command
    std::size_t batch_size = 0;          ///< bytes of its arguments
    std::string batch_directory{};       ///< that the command runs in
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
  static constexpr std::size_t descriptors = 4;

  /// Opens the files of -fprint and its like. `processes` is null if no command is run. All
  /// arguments outlive it. Throws std::system_error and FindFormatError.
  StepStage(const OutputStyle& style, Writer& writer, os::Processes* processes, Report report);
  ~StepStage();
  StepStage(const StepStage&) = delete;
  StepStage& operator=(const StepStage&) = delete;

  Needs needs() const;
  std::unique_ptr<Lane> open_lane();
  void set_roots(RootDirectories roots) { roots_ = std::move(roots); }
  /// Evaluates entries that were kept with loaders of `late`, runs commands that wait for more
  /// paths, and closes the files.
  void finish(const LateLoaderFactory& late);
  bool failed() const { return failed_; }
  /// True after -quit.
  bool has_quit() const { return tree_.stopped(); }
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
  /// An entry, to be evaluated after the search.
  struct Kept {
    PathTree::Index place;
    PathTree::Index top;    ///< place of the root that was named
    std::uint32_t root;     ///< index in found_from_
    std::uint32_t slashes;  ///< number of those at the end, as typed
    FileType type;
    bool via_link;
  };
  class StepLane;

  bool take(Entry& entry);
  bool act(StepTree::Node& node, Entry& entry);
  void flush();
  void write_out(std::size_t stream);
  std::size_t stream_of(const std::string& path);
  bool run(StepTree::Node& node, Entry& entry);
  bool add_to_batch(StepTree::Node& node, std::string path, std::string_view directory);
  void run_batch(StepTree::Node& node);
  os::Ending start(const FindStep& step, const std::vector<std::string>& words,
                   std::string_view directory);
  bool agrees(const FindStep& step, std::string_view path);
  bool remove(Entry& entry);
  int open_directory(std::string_view directory, int& fd);
  void fail(std::string path, const char* operation, int error);
  void keep(Entry& entry);
  void evaluate_kept(const Kept& kept, LateLoader& loader);

  const OutputStyle& style_;
  Writer& writer_;
  os::Processes* const processes_;
  const Report report_;
  const StepTree::Act act_;
  StepTree tree_;
  FieldScratch scratch_;
  std::vector<Stream> streams_;  ///< the first is standard output
  RootDirectories roots_;
  os::OpenAncestors ancestors_;
  os::ArgumentLimits limits_{};
  std::mutex mutex_;  ///< held for an entry
  std::string path_;
  bool failed_ = false;
  int exit_status_ = 0;

  // With -depth and -s
  PathTree places_;  ///< paths, below the one of each root that was named
  std::vector<Kept> kept_;
  std::deque<Root> found_from_;  ///< copies: those of the search end with it
  std::map<const Root*, std::size_t> numbers_;
  std::map<std::string, PathTree::Index> tops_;  ///< by the root's path
};

}  // namespace ffind::output
