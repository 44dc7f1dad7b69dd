// SPDX-License-Identifier: MIT
// searchfs(2) as a catalog: asks slice by slice, resumes, and turns ids into paths by fsgetpath(2).
// What is asked and what the answers mean is darwin_catalog's. See catalog.h for the seam.
#include <sys/attr.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "os/catalog.h"
#include "os/darwin_catalog.h"
#include "os/directory_catalog.h"
#include "os/os_darwin.h"

#if __has_include(<sys/fsgetpath.h>)
#include <sys/fsgetpath.h>
#else
extern "C" ssize_t fsgetpath(char* path, std::size_t size, fsid_t* volume, std::uint64_t id);
#endif

namespace ffind::os {
namespace {

using namespace darwin;

class SearchfsReader final : public CatalogReader {
 public:
  SearchfsReader(const Volume& volume, std::vector<SearchRequest> requests)
      : mount_point_(volume.mount_point), requests_(std::move(requests)) {
    volume_.val[0] = static_cast<std::int32_t>(volume.id & 0xFFFFFFFFU);
    volume_.val[1] = static_cast<std::int32_t>(volume.id >> 32U);
  }

  int read(CatalogBlock& block) override {
    block.records.clear();
    block.bytes.resize(buffer_size);
    block.at_end = at_end_;
    if (at_end_) return 0;

    SearchRequest& request = requests_[current_];
    ::attrlist returned = list_of(request.returned);
    ::fssearchblock question{};
    question.returnattrs = &returned;
    question.returnbuffer = block.bytes.data();
    question.returnbuffersize = block.bytes.size();
    question.maxmatches = most_matches;
    question.searchparams1 = request.first.data();
    question.sizeofsearchparams1 = request.first.size();
    question.searchparams2 = request.last.data();
    question.sizeofsearchparams2 = request.last.size();
    question.searchattrs = list_of(request.searched);
    unsigned long matches = 0;
    // The script code is of no consequence; this is the one that the manual asks for.
    const int result = ::searchfs(mount_point_.c_str(), &question, &matches, 0x08000103,
                                  request.options | (begun_ ? 0U : srchfs_start), &state_);
    const int error = result == 0 ? 0 : errno;
    if (error != 0 && error != EAGAIN) return error;
    begun_ = true;
    const bool well = decode(block, matches);
    if (error == 0) begin(current_ + 1);
    block.at_end = at_end_;
    return well ? 0 : EIO;
  }

  void restart() override { begin(0); }

  int path_of(std::uint64_t directory, std::string& path) override {
    // The call takes up to 8192; more than MAXPATHLEN is rare.
    for (std::size_t size = MAXPATHLEN; size <= 8192; size *= 8) {
      path.resize(size);
      fsid_t volume = volume_;
      const ssize_t length = ::fsgetpath(path.data(), path.size(), &volume, directory);
      if (length > 0) {
        path.resize(static_cast<std::size_t>(length) - 1);  // the NUL counts
        return 0;
      }
      if (errno != ENOSPC && errno != ERANGE) break;
    }
    return errno;
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t{64} * 1024;
  /// More than ever fit: the buffer decides.
  static constexpr unsigned long most_matches = 4096;

  /// Turns to one of the requests, which follow one another.
  void begin(std::size_t request) {
    begun_ = false;
    state_ = {};
    at_end_ = request == requests_.size();
    if (!at_end_) current_ = request;
  }

  bool decode(CatalogBlock& block, unsigned long matches) const {
    const SearchRequest& request = requests_[current_];
    RecordReader records(block.bytes.data(), block.bytes.size(), RecordLayout::search,
                         request.returned, matches);
    AttributeRecord record;
    while (records.next(record)) {
      if (record.name.empty()) continue;
      const bool closed = current_ == closed_directories;
      if (closed && !may_be_closed(record.metadata.mode)) continue;
      CatalogRecord& found = block.records.emplace_back();
      found.name = record.name;
      found.parent = record.parent_id;
      found.known = record.known & request.trusted;
      if ((request.trusted & needs::type) != 0) found.type = record.type;
      found.metadata = record.metadata;
      found.may_be_closed = closed;
    }
    return !records.malformed();
  }

  static constexpr std::size_t closed_directories = 1;  ///< in requests_, where it has that

  std::string mount_point_;
  std::vector<SearchRequest> requests_;
  std::size_t current_ = 0;
  fsid_t volume_{};
  ::searchstate state_{};
  bool begun_ = false;
  bool at_end_ = false;
};

/// Whether some directories of the volume may be closed to this process.
bool has_closed_directories(const Volume& volume) {
  if (::geteuid() == 0) return false;
  struct ::statfs status {};
  return ::statfs(volume.mount_point.c_str(), &status) != 0 ||
         (status.f_flags & MNT_IGNORE_OWNERSHIP) == 0;
}

}  // namespace

std::unique_ptr<CatalogReader> open_catalog(const Task& task, const Bound& bound, Needs wanted,
                                            int& error) {
  error = 0;
  const Volume& volume = task.volume;
  const SearchDialect dialect =
      volume.file_system == "apfs" ? SearchDialect::apfs : SearchDialect::hfs;
  std::vector<SearchRequest> requests = {search_request(bound, wanted, dialect)};
  if (dialect == SearchDialect::hfs && has_closed_directories(volume)) {
    requests.push_back(directories_request());
  }
  return std::make_unique<SearchfsReader>(volume, std::move(requests));
}

std::unique_ptr<DirectoryCatalog> open_directory_catalog(const Task&, std::string& why_not) {
  why_not = "macOS lists its catalogs flat";
  return nullptr;
}

}  // namespace ffind::os
