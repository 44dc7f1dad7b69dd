// SPDX-License-Identifier: MIT
// What the threads of all searchers have in common: they emit what matches, report what goes wrong,
// and ask the file system for what an entry does not hold. Walker and catalog derive theirs from
// it; knows neither.
#pragma once

#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "os/os.h"
#include "search/state.h"

namespace ffind {

struct Sidecar;
class Sidecars;

/// Longest path handed to the kernel in one call, well under PATH_MAX (4096 on Linux, 1024 on
/// macOS), which counts the NUL.
inline constexpr std::size_t longest_path = 1000;

/// In the place of an errno: another directory, or none, is where the root was.
inline constexpr int root_exchanged = -1;

/// Whether that only says that something is no longer what it was when it was listed.
bool is_gone(int error);

/// Belongs to its thread.
class EntryWorker : public EntryLoader, public Progress::Teller {
 public:
  ~EntryWorker() override;

  const Statistics& statistics() const { return statistics_; }

  void add_counts(SearchProgress& sum) const final;

  void load(Entry& entry, Needs wanted) final;
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value) final;
  bool read_contents(Entry& entry, ContentReader& reader) final;
  void accounts_failed(Entry& entry) final;

 protected:
  EntryWorker(SearchState& state, os::FileSystem& file_system, const Volume& volume);

  /// Where an entry is to be found by a call.
  struct Place {
    const os::Directory* at = nullptr;
    const char* name = nullptr;
    bool is_root = false;   ///< a root that is a file, or a link that leads nowhere
    bool followed = false;  ///< a link that counts as what it leads to
    int error = 0;          ///< it cannot be got at
    bool reported = false;  ///< nor need that be said again
  };
  virtual Place place_of(const Entry& entry) = 0;
  virtual void load_paths(Entry& entry, Needs wanted) = 0;
  /// The boundary that the entry itself is; null when it is none.
  virtual const Boundary* boundary_at(const Entry& entry) = 0;
  /// Canonical path of the directory that holds the entry that is being asked for.
  virtual std::string canonical_directory() = 0;
  virtual const Root& current_root() = 0;
  /// What of `wanted` can be told of the entry without the kernel: bits of needs::metadata.
  virtual Needs metadata_at_hand(const Entry&, Needs, Metadata&) { return needs::none; }
  /// Whether a directory has no entries, where that can be told without the kernel.
  virtual std::optional<bool> empty_at_hand() { return {}; }
  /// Called when the process has no descriptor left: closes what can be done without.
  virtual void make_room() {}

  /// Does `call` again while there is no descriptor for it: closes those that only wait, then gives
  /// other threads, and other programs, the time to close theirs. Where that was in vain nobody
  /// waits again until a call has found room: 200,000 waits of 50 ms would be hours.
  template <typename Call>
  int with_room(Call call) {
    constexpr int tries = 50;
    int error = call();
    if (!is_shortage(error)) return error;
    for (int attempt = 0; attempt < tries && is_shortage(error); ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      make_room();
      error = call();
      if (state_.descriptors_ran_out()) break;
    }
    state_.set_descriptors_ran_out(is_shortage(error));
    return error;
  }
  static bool is_shortage(int error) { return error == EMFILE || error == ENFILE; }
  int open_with_room(const os::Directory* at, const char* path, os::OpenFlags flags,
                     os::Directory& opened);
  /// How to open what a followed link leads to.
  os::OpenFlags link_flags() const;
  /// Opens the directory `below` `root`, however long its path is.
  /// `root_exchanged` where the root is not the one that is `known`, if that is.
  int open_below(const Root& root, const std::string& below, os::OpenFlags flags,
                 os::Directory& opened, const os::FileId& known = {});

  /// With a ticket, where there is a limit.
  void emit(Entry& entry);
  /// Passes on what was emitted.
  void flush();
  /// Lets others see the counts; called between blocks of entries, never for a single one.
  void tell_counts() {
    told_.directories.store(statistics_.directories, std::memory_order_relaxed);
    told_.entries.store(statistics_.entries, std::memory_order_relaxed);
    told_.matches.store(statistics_.matches, std::memory_order_relaxed);
  }
  /// For looking into a directory while another is read.
  os::DirentBlock& spare_block();
  void report(std::string path, const char* operation, int error, std::string detail = {});
  void report_entry(Entry& entry, const char* operation, int error);
  /// What went wrong with it; an issue unless it is only gone, or in a cloud.
  void fail(Entry& entry, const char* operation, int error);
  /// Says that the directory which the entry is cannot be looked into. Once, however often it is
  /// looked into or entered.
  virtual void report_closed(Entry& entry, int error) { fail(entry, "", error); }

  SearchState& state_;
  const Scope& scope_;
  const bool asks_for_bundles_;
  os::FileSystem& file_system_;
  std::unique_ptr<Lane> lane_;
  Statistics statistics_;

 private:
  Needs load_at_hand(Entry& entry, Needs wanted);
  void load_metadata(Entry& entry, Needs wanted);
  void load_origin(Entry& entry);
  void load_empty(Entry& entry);
  std::optional<bool> look_into(Entry& entry);
  int read_first(os::Directory& directory, bool& empty);
  void load_link(Entry& entry, Needs wanted);
  bool read_target(Entry& entry, const Place& place);
  bool read_target_mode(Entry& entry, const Place& place);
  void load_capabilities(Entry& entry);
  void load_bundle(Entry& entry);
  bool can_reach(Entry& entry, const Place& place, const char* operation);
  int open_file(const Place& place, os::OpenFlags flags, os::File& file);
  bool may_read_across(const Boundary& boundary) const;
  int read_pieces(os::File& file, ContentReader& reader);

  // attribute_loader.cpp: extended attributes
  friend class Sidecars;
  std::optional<Place> attribute_place(Entry& entry);
  bool list_attributes(Entry& entry, const Place& place);
  bool read_attribute(Entry& entry, const Place& place, const std::string& stored,
                      std::string& value);
  const std::vector<Sidecar>& read_sidecars(Entry& entry, const Place& place);
  void load_finder(Entry& entry);
  bool find_attribute(Entry& entry, std::string_view name, std::string* value);
  void report_refused(Entry& entry, int error);

  /// What progress shows of statistics_, which only this thread may read.
  struct Told {
    std::atomic<std::uint64_t> directories{0};
    std::atomic<std::uint64_t> entries{0};
    std::atomic<std::uint64_t> matches{0};
  } told_;
  std::uint64_t unwritten_ = 0;  ///< records emitted since the last flush
  std::string target_;
  std::unique_ptr<os::DirentBlock> spare_block_;

  std::string mount_point_;
  const Root* origin_ = nullptr;  ///< whose name is spelled out in origin_name_
  std::string origin_name_;
  FinderMetadata finder_;  ///< of the entry that was asked for last
  std::string attribute_names_;
  std::string attribute_value_;
  std::unique_ptr<Sidecars> sidecars_;
  int refused_ = 0;  ///< errno of the last attribute that could not be read
  std::string refused_path_;
  std::unique_ptr<char[]> contents_;  ///< where files are read; made for the first
};

}  // namespace ffind
