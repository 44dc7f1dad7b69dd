// SPDX-License-Identifier: MIT
// Opens directories and files despite a shortage of descriptors, and by paths of any length. Every
// worker has an Opener, which its other parts share.
#pragma once

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "os/files.h"
#include "search/state.h"

namespace ffind::search {

/// Longest path handed to the kernel in one call, well under PATH_MAX (4096 on Linux, 1024 on
/// macOS), which counts the NUL.
inline constexpr std::size_t longest_path = 1000;

/// Opens directories for one worker. Belongs to its thread.
class Opener {
 public:
  /// `make_room` is called when the process has no descriptor left: it closes those that can be
  /// reopened.
  Opener(SearchState& state, os::FileSystem& file_system, std::function<void()> make_room)
      : state_(state), file_system_(file_system), make_room_(std::move(make_room)) {}

  os::FileSystem& file_system() { return file_system_; }

  /// Retries `call` while the process lacks a descriptor for it: first closes those of waiting
  /// directories, then gives other threads and processes the time to close theirs. After a wait
  /// that failed, no thread waits again until a call has succeeded: 200,000 waits of 50 ms would be
  /// hours.
  template <typename Call>
  int with_room(Call call) {
    constexpr int tries = 50;
    int error = call();
    if (!is_shortage(error)) return error;
    for (int attempt = 0; attempt < tries && is_shortage(error); ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      make_room_();
      error = call();
      if (state_.descriptors_ran_out()) break;
    }
    state_.set_descriptors_ran_out(is_shortage(error));
    return error;
  }

  int open(const os::Directory* at, const char* path, os::OpenFlags flags, os::Directory& opened) {
    return with_room([&] { return file_system_.open(at, path, flags, opened); });
  }
  /// Opens a root on any volume; through links unless the scope looks at links themselves.
  int open_root(const Root& root, os::Directory& opened) {
    const bool follow = state_.matcher().scope().follow_roots;
    return open(nullptr, root.open_path.c_str(), {.follow = follow, .stay_on_volume = false},
                opened);
  }
  /// True if `path` is a symbolic link, whatever it leads to.
  bool is_link(const os::Directory* at, const char* path) {
    Metadata own{};
    Needs got = needs::none;
    return file_system_.stat(at, path, {}, needs::type, own, got) == 0 &&
           os::type_of_mode(own.mode) == FileType::symlink;
  }

  /// Opens the directory `below` `root`, however long its path is. If `known` is set and not the id
  /// of the root found now, returns ESTALE, as a server does for a directory that is another now.
  int open_below(const Root& root, const std::string& below, os::OpenFlags flags,
                 os::Directory& opened, const os::FileId& known = {});

  /// Flags for opening the target of a link.
  os::OpenFlags link_flags() const;

 private:
  static bool is_shortage(int error) { return error == EMFILE || error == ENFILE; }

  SearchState& state_;
  os::FileSystem& file_system_;
  const std::function<void()> make_room_;
};

/// The parts of a searcher's thread with which it reaches entries, and counts and reports what it
/// meets. Belongs to its thread.
struct Reach {
  Reach(
      SearchState& state_, os::FileSystem& file_system, std::function<void()> make_room = [] {})
      : state(state_), opener(state_, file_system, std::move(make_room)) {}

  os::FileSystem& file_system() { return opener.file_system(); }

  SearchState& state;
  Counts counts{};
  IssueReporter issues{state, counts};
  Opener opener;
};

/// Type and metadata of a root, from a single stat.
struct RootFile {
  FileType type = FileType::unknown;
  bool via_link = false;  ///< a link that a line of find has followed
  Metadata metadata{};
  Needs known = needs::none;
};

/// Opens a root that is a directory, or fills `file` with what `wanted` says about anything else.
/// Returns 0 or an errno.
int open_root(Reach& reach, const Root& root, Needs wanted, os::Directory& opened, RootFile& file);
/// Fills `file` from the root, or from the link itself if that is dangling. Returns 0 or an errno.
int look_at_root(Reach& reach, const Root& root, Needs wanted, RootFile& file);

/// First bytes of a file.
struct FileBeginning {
  std::string bytes{};     ///< empty if it could not be read
  std::uint64_t size = 0;  ///< of the whole file when it was opened; 0 for the kernel's own files
};

/// Reads up to `most` bytes of the regular file `path`, on whatever volume it is. Returns 0 or an
/// errno, including those of FileSystem::open_file. Follows a link in the last component only if
/// `follow`. Fetches nothing from a cloud.
int read_beginning(os::FileSystem& file_system, const os::Directory* at, const std::string& path,
                   bool follow, std::size_t most, FileBeginning& beginning);

}  // namespace ffind::search
