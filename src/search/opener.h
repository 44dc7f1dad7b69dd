// SPDX-License-Identifier: MIT
// Opens directories and files with what descriptors there are, by paths of any length. A part of
// every worker, used by its other parts.
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

/// Belongs to its thread.
class Opener {
 public:
  /// `make_room` is called when the process has no descriptor left: it closes what can be done
  /// without.
  Opener(SearchState& state, os::FileSystem& file_system, std::function<void()> make_room)
      : state_(state), file_system_(file_system), make_room_(std::move(make_room)) {}

  os::FileSystem& file_system() { return file_system_; }

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
  /// A root, whatever lies there.
  int open_root(const Root& root, os::Directory& opened) {
    return open(nullptr, root.open_path.c_str(), {.follow = true, .stay_on_volume = false}, opened);
  }
  /// The directory `below` `root`, however long its path is. `root_exchanged` where the root is not
  /// the one that is `known`, if that is.
  int open_below(const Root& root, const std::string& below, os::OpenFlags flags,
                 os::Directory& opened, const os::FileId& known = {});

  /// How to open what a followed link leads to.
  os::OpenFlags link_flags() const;

 private:
  static bool is_shortage(int error) { return error == EMFILE || error == ENFILE; }

  SearchState& state_;
  os::FileSystem& file_system_;
  const std::function<void()> make_room_;
};

struct FileBeginning {
  std::string bytes{};     ///< empty where it could not be read
  std::uint64_t size = 0;  ///< of all of the file when it was opened; the kernel's own say 0
};

/// Up to `most` bytes of the regular file `path`, wherever it is mounted; 0 or an errno, those of
/// FileSystem::open_file among them. A link in the last component is followed only if `follow`.
/// Of bytes that are in a cloud none are fetched.
int read_beginning(os::FileSystem& file_system, const os::Directory* at, const std::string& path,
                   bool follow, std::size_t most, FileBeginning& beginning);

}  // namespace ffind::search
