// SPDX-License-Identifier: MIT
// A catalog of a fake file system, which lies at "/fake": counts what it is asked for and fails on
// order. Stands in for os in the tests of the catalog searcher.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fakes/fake_file_system.h"
#include "ffind/searcher.h"
#include "os/catalog.h"

namespace ffind {

/// Orders for, and counts of, all readers that `factory` opens.
class FakeCatalog {
 public:
  explicit FakeCatalog(const FakeFileSystem& files) : files_(files) {}

  CatalogFactory factory();

  // Orders
  std::size_t records_per_block = 3;
  std::size_t empty_blocks = 0;  ///< before each block with records
  /// What records tell; the type and the size of the rest are not the files' own.
  Needs known = needs::metadata & ~needs::created;
  bool honours_bound = false;  ///< returns no more than what satisfies it
  /// By path, directories before what is in them; backwards; by name, those of all directories
  /// mixed.
  enum class Order : std::uint8_t { path, backwards, name };
  Order order = Order::path;
  int open_error = 0;
  std::size_t fail_after = 0;    ///< records
  int failure = 0;               ///< what `read` answers then
  unsigned failures = 0;         ///< how often
  std::set<std::string> gone{};  ///< directories that nobody finds any more
  std::map<std::string, int> path_errors{};
  /// Directories whose contents are left out; they are listed once more at the end, as such that
  /// may be closed.
  std::vector<std::string> closed{};
  std::uint64_t wrong_size = 0;  ///< what records tell instead of their sizes

  // Counts
  unsigned opened = 0;
  unsigned reads = 0;
  unsigned restarts = 0;
  std::size_t records = 0;
  std::vector<std::string> paths_asked{};
  Bound bound{};
  Needs wanted = needs::none;

 private:
  friend class FakeCatalogScan;

  const FakeFileSystem& files_;
  std::mutex mutex_;
};

}  // namespace ffind
