// SPDX-License-Identifier: MIT
// The device of a fake file system, read directory by directory: counts what it is asked for,
// and refuses and forgets on order. Stands in for os in the tests of the walker.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fakes/fake_file_system.h"
#include "ffind/searcher.h"
#include "os/ext/device_directories.h"

namespace ffind {

/// Knows what `files` held when it was made. Must outlive the search.
class FakeDevice {
 public:
  explicit FakeDevice(FakeFileSystem& files);

  DeviceDirectoriesFactory factory();

  // Orders; paths as in the file system, "" for the root
  std::string refusal{};                      ///< not empty: it cannot be opened
  std::set<std::string> refused{};            ///< the kernel has to be asked for these
  std::set<std::string> numberless{};         ///< of these the parent does not tell the number
  bool root_known = true;                     ///< what the kernel opens can be recognised
  Needs known = needs::metadata;              ///< what it tells of entries
  std::set<std::string> unsettled{};          ///< of these it tells nothing
  std::size_t entries_per_block = 1'000'000;  ///< a block's own size allowing
  bool types_known = true;
  Instant created{5};

  // Counts
  std::vector<std::string> begun{};  ///< refused ones are not among them
  std::vector<std::string> asked{};  ///< for metadata
  std::size_t expected = 0;
  std::size_t readers = 0;
  std::size_t wrong_parents = 0;  ///< begun with another parent than the one that lists it

 private:
  friend class FakeDeviceDirectories;
  friend class FakeDeviceReader;

  struct Child {
    std::string name;
    FileType type;
    std::uint64_t inode;
  };
  struct File {
    std::string path;
    FileType type;
    std::uint64_t size;
    std::uint64_t parent;
    std::vector<Child> children{};
  };

  FakeFileSystem& files_;
  std::map<std::uint64_t, File> by_inode_;
  std::mutex mutex_;
};

}  // namespace ffind
