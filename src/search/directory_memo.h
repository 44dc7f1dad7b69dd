// SPDX-License-Identifier: MIT
// The directories that a catalog's hits lie in: looked up once each, remembered within bounds.
// Shared by the workers of a catalog. Knows no file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace ffind::search {

struct CatalogDirectory {
  std::string path{};  ///< canonical
  /// Numbers of the task's roots whose walks would enter it; of most directories none or one.
  std::vector<std::uint32_t> roots{};
};

/// Thread-safe.
class DirectoryMemo {
 public:
  bool find(std::uint64_t id, CatalogDirectory& directory);
  /// `pass`: the one in which the path was learned; since `clear` it may be another one.
  void insert(std::uint64_t id, const CatalogDirectory& directory, unsigned pass);
  /// Forgets all that was learned before `pass`.
  void clear(unsigned pass);

 private:
  /// Of 450,000 directories, all would take 80 MB. Catalogs list the entries of a directory more or
  /// less together, so that what is forgotten is rarely needed again.
  static constexpr std::size_t most_bytes = std::size_t{4} << 20U;

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, CatalogDirectory> directories_;
  std::size_t bytes_ = 0;
  unsigned pass_ = 0;
};

}  // namespace ffind::search
