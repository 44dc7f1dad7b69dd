// SPDX-License-Identifier: MIT
// A file system in memory that counts what it is asked for and fails on order. Stands in for os in
// the search tests: "no stat for a name-only search" is a number here.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "os/directory_reader.h"

namespace ffind {

/// Of a path in the fake; the root is "".
inline std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

inline std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

class FakeFileSystem final : public os::FileSystem {
 public:
  // Building; paths are relative to the root ".", parents come by themselves.
  void add(const std::string& path, FileType type = FileType::file, std::uint64_t size = 0);
  /// `target` is a path in this file system too, or begins with "/fake/"; one that does not exist
  /// makes a broken link.
  void add_link(const std::string& path, const std::string& target);

  /// A regular file that holds `bytes`.
  void add_file(const std::string& path, const std::string& bytes);

  // Orders
  std::size_t bytes_per_read = 1'000'000;             ///< of a file
  std::map<std::string, std::uint64_t> told_sizes{};  ///< what opening says instead of the size
  std::set<std::string> bundles{};                    ///< directories with the bundle mark
  bool bundles_known = false;                         ///< the reader tells who has it
  bool has_bundles = true;                            ///< the system knows such a mark
  std::map<std::string, os::Traits> traits{};         ///< what else it tells
  std::set<std::string> elsewhere{};                  ///< links that lead to another volume
  std::map<std::string, int> open_errors{};
  std::map<std::string, int> read_errors{};
  std::map<std::string, int> stat_errors{};
  std::map<std::string, int> access_errors{};  ///< of all that may be asked
  std::map<std::string, int> attribute_errors{};
  std::map<std::string, std::map<std::string, std::string>> attributes{};  ///< by path, by name
  std::size_t entries_per_block = 1000;
  bool types_known = true;
  std::size_t most_open = 1'000'000;    ///< EMFILE beyond
  std::function<void()> before_read{};  ///< of a directory, if set
  /// How long a call sleeps that opens a directory, and one that asks for metadata.
  std::chrono::microseconds open_takes{0};
  std::chrono::microseconds stat_takes{0};
  /// Whether that is a device's fault, as far as the system says.
  std::optional<std::uint64_t> device_of_listed{};
  bool device_is_slow = true;
  /// Time that every thread is said to have waited for a processor, in addition.
  Nanoseconds more_ready = 0;

  // Counts
  std::vector<std::string> opened{};
  std::vector<std::string> files_opened{};  ///< or tried to
  std::size_t file_reads = 0;
  std::vector<std::string> statted{};
  std::vector<std::string> statted_at_hand{};  ///< those of them that were asked with that flag
  std::vector<std::string> asked_for_bundle{};
  std::vector<std::string> asked_for_attributes{};  ///< whose names were listed
  std::vector<std::string> asked_for_value{};       ///< "path name"
  std::size_t reads = 0;
  std::vector<std::size_t> rooms{};  ///< for what was read of directories
  std::size_t open_now = 0;
  std::size_t open_at_most = 0;
  std::size_t sleeping_at_most = 0;  ///< calls at one time
  std::vector<std::string> asked_for_access{};
  bool was_opened(const std::string& path) const;
  bool was_statted(const std::string& path) const;

  /// Everything in it, for catalogs of it. Paths as in `add`; the root is "".
  struct Listed {
    std::string path;
    FileType type;
    std::uint64_t size;
    std::uint64_t inode;
  };
  std::vector<Listed> list() const;

  int open(const os::Directory* at, const char* path, os::OpenFlags flags,
           os::Directory& opened_directory) override;
  void close(os::Directory& directory) override;
  int read(os::Directory& directory, os::DirentBlock& block);
  std::unique_ptr<os::DirectoryReader> make_reader(os::DirectoryOpener& opener) override;
  int stat(const os::Directory* at, const char* path, StatFlags flags, Needs wanted,
           Metadata& metadata, Needs& got) override;
  int stat_target(const os::Directory* at, const char* path, os::OpenFlags flags, Needs wanted,
                  os::LinkTarget& target) override;
  int read_link(const os::Directory* at, const char* path, std::string& target) override;
  int access(const os::Directory* at, const char* path, Access access) override;
  int attribute_names(const os::Directory* at, const char* path, bool follow,
                      std::string& names) override;
  int attribute(const os::Directory* at, const char* path, bool follow, const char* name,
                std::string& value) override;
  int has_capabilities(const os::Directory* at, const char* path, bool& answer) override;
  int has_bundle_mark(const os::Directory* at, const char* path, bool& answer) override;
  bool marks_bundles() const override { return has_bundles; }
  int identify(const os::Directory& directory, os::FileId& id) override;
  int open_file(const os::Directory* at, const char* path, os::OpenFlags flags,
                os::File& opened_file) override;
  int read_file(os::File& file, char* bytes, std::size_t capacity, std::size_t& count) override;
  void close_file(os::File& file) override;
  std::optional<os::ThreadWaits> thread_waits() const override;

 private:
  struct File {
    FileType type = FileType::directory;
    std::uint64_t size = 0;
    std::uint64_t inode = 0;
    std::string target{};
    std::vector<std::string> names{};  ///< of a directory
    std::string bytes{};               ///< of a file
  };
  struct Handle {
    std::string path;
    std::size_t position = 0;
  };

  void sleep_for(std::chrono::microseconds time);
  int check_open(const std::string& typed, os::OpenFlags flags, std::string& real) const;
  std::string full_path(const os::Directory* at, const std::string& path) const;
  /// Follows links in every component but, unless `follow`, the last; empty when there is nothing.
  std::string resolve(const std::string& path, bool follow) const;

  mutable std::mutex mutex_;
  std::map<std::string, File> files_{{"", {}}};
  std::map<int, Handle> handles_;
  int next_handle_ = 1000;
  std::size_t sleeping_ = 0;
  std::uint64_t device_reads_ = 0;
};

}  // namespace ffind
