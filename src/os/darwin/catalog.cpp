// SPDX-License-Identifier: MIT
// searchfs(2) as a flat catalog. SearchfsScan sends at most two requests, one after the other:
//
//     requests_[0]   the search itself: what the Bound allows, and more
//     requests_[1]   all directories of an HFS+ volume, if the first does not find them anyway
//
// and reads each slice by slice: a call of searchfs fills one CatalogBlock and saves its position
// in `state_`. os/formats/darwin_attributes builds the requests and decodes the records;
// fsgetpath(2) turns the id of a directory into its path, which the caller keeps in a cache.
//
// The second request exists because HFS+ checks permissions for each hit on its own: it leaves out
// whatever is below a directory that this process may not search or list, without an error. Those
// directories are handed on with `may_be_closed`, and the search opens each to report it as a walk
// would.
//
// Entries that no path leads to are dropped here: the volume's root and the files of the journal.
#include <sys/attr.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "os/catalog.h"
#include "os/darwin/file_system.h"
#include "os/directory_reader.h"
#include "os/formats/darwin_attributes.h"
#include "os/machine.h"
#include "os/posix/file_system.h"

#if __has_include(<sys/fsgetpath.h>)
#include <sys/fsgetpath.h>
#else
extern "C" ssize_t fsgetpath(char* path, std::size_t size, fsid_t* volume, std::uint64_t id);
#endif

namespace ffind::os {
namespace {

using namespace darwin;

/// The files of HFS+'s journal, which all calls hide, except searchfs on a volume that is mounted
/// read-only: then the journal is not open, and the kernel does not recognise its files. A file of
/// one of these names that lstat finds is an ordinary one, and stays a result.
class HiddenJournal {
 public:
  explicit HiddenJournal(const Volume& volume) {
    // A stat and two lstats for a read-only HFS+ volume, nothing for any other.
    if (!volume.read_only || volume.file_system != "hfs") return;
    struct ::stat status {};
    if (::stat(volume.mount_point.c_str(), &status) != 0) return;
    root_ = status.st_ino;
    for (const std::string_view name : {".journal", ".journal_info_block"}) {
      const std::string path = volume.mount_point + "/" + std::string(name);
      if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT) hidden_.push_back(name);
    }
  }

  bool has(const AttributeRecord& record) const {
    return record.parent_id == root_ &&
           std::find(hidden_.begin(), hidden_.end(), record.name) != hidden_.end();
  }

 private:
  std::uint64_t root_ = 0;
  std::vector<std::string_view> hidden_;
};

/// Runs the requests one after the other. One thread at a time reads; path_of uses constant members
/// only, so any thread may call it meanwhile.
class SearchfsScan final : public CatalogScan {
 public:
  SearchfsScan(const Volume& volume, std::vector<SearchRequest> requests, bool looks_for_closed)
      : mount_point_(volume.mount_point),
        requests_(std::move(requests)),
        looks_for_closed_(looks_for_closed),
        journal_(volume) {
    // fsgetpath identifies the volume by the fsid of its mount.
    volume_.val[0] = static_cast<std::int32_t>(volume.id & 0xFFFFFFFFU);
    volume_.val[1] = static_cast<std::int32_t>(volume.id >> 32U);
  }

  int read(CatalogBlock& block) override {
    block.records.clear();
    block.bytes.resize(buffer_size);
    block.at_end = at_end_;
    if (at_end_) return 0;

    // timelimit stays 0: HFS+ then ends a slice after 100 ms at the latest, which is often enough
    // to notice that the search was stopped.
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
    // The script code has no effect; the manual requires this one.
    const int result = ::searchfs(mount_point_.c_str(), &question, &matches, 0x08000103,
                                  request.options | (begun_ ? 0U : srchfs_start), &state_);
    // 0: the whole volume has been searched. EAGAIN: the buffer is full or the time slice over, and
    // the matches so far are in the buffer, perhaps none. EBUSY: the catalog changed since the last
    // slice, so that records may have been missed; the caller decides whether to begin again.
    const int error = result == 0 ? 0 : errno;
    if (error != 0 && error != EAGAIN) return error;
    begun_ = true;
    const int decoded = decode(block, matches);
    if (error == 0) begin(current_ + 1);
    block.at_end = at_end_;
    return decoded;
  }

  void restart() override { begin(0); }

  int path_of(std::uint64_t directory, std::string& path) override {
    // Paths beyond MAXPATHLEN are rare, so the larger sizes are tried only if that one is too
    // small. Before macOS 14 at most a page may be requested, 4096 bytes on Intel: there the last
    // size is EINVAL.
    for (const std::size_t size : {std::size_t{MAXPATHLEN}, std::size_t{4096}, longest_path}) {
      path.resize(size);
      fsid_t volume = volume_;
      const ssize_t length = ::fsgetpath(path.data(), path.size(), &volume, directory);
      if (length > 0) {
        path.resize(static_cast<std::size_t>(length) - 1);  // the NUL counts
        return 0;
      }
      if (errno == EINVAL && size == longest_path) return ENAMETOOLONG;
      if (errno != ENOSPC && errno != ERANGE) break;
    }
    return errno;
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t{64} * 1024;
  /// More than fit into the buffer, which is the limit.
  static constexpr unsigned long most_matches = 4096;
  static constexpr std::size_t longest_path = 8192;

  /// Starts a request; one past the last is the end of the catalog.
  void begin(std::size_t request) {
    begun_ = false;
    state_ = {};
    at_end_ = request == requests_.size();
    if (!at_end_) current_ = request;
  }

  /// Converts the records in the block's bytes; 0 or an errno.
  int decode(CatalogBlock& block, unsigned long matches) const {
    const SearchRequest& request = requests_[current_];
    RecordDecoder records(block.bytes.data(), block.bytes.size(), RecordLayout::search,
                          request.returned, matches);
    AttributeRecord record;
    while (records.next(record)) {
      // The entries of a directory with several names lead to one of them only.
      if (record.directory_names > 1) return EMLINK;
      if (record.name.empty() || is_root(record) || journal_.has(record)) continue;
      const bool closed = current_ == all_directories;
      if (closed && (!looks_for_closed_ || !may_be_closed(record.metadata.mode))) continue;
      CatalogRecord& found = block.records.emplace_back();
      found.name = record.name;
      found.parent = record.parent_id;
      found.known = record.known & request.trusted;
      if ((request.trusted & needs::type) != 0) found.type = record.type;
      found.metadata = record.metadata;
      found.may_be_closed = closed;
    }
    return records.malformed() ? EIO : 0;
  }

  /// The catalog contains the volume's root, too, under the volume's name; the id of its parent is
  /// resolved to the root itself.
  static bool is_root(const AttributeRecord& record) { return record.parent_id == 1; }

  static constexpr std::size_t all_directories = 1;  ///< index in requests_, if it exists

  /// The path must be the mount point itself: SRCHFS_START is the same bit as FSOPT_NOFOLLOW, so
  /// only the first call would not follow a link.
  std::string mount_point_;
  std::vector<SearchRequest> requests_;
  const bool looks_for_closed_;  ///< in the second request
  const HiddenJournal journal_;
  std::size_t current_ = 0;  ///< index in requests_ of the one being read
  fsid_t volume_{};
  /// The kernel's position in the catalog, 556 opaque bytes. Zero before the first slice; passed
  /// back unchanged with the next one.
  ::searchstate state_{};
  /// The first slice of the current request has been read, so SRCHFS_START must be clear.
  bool begun_ = false;
  bool at_end_ = false;
};

/// True if the volume may have directories that are closed to this process: not for root, and not
/// if it is mounted to ignore ownership. Also true if statfs fails.
bool has_closed_directories(const Volume& volume) {
  if (::geteuid() == 0) return false;
  struct ::statfs status {};
  return ::statfs(volume.mount_point.c_str(), &status) != 0 ||
         (status.f_flags & MNT_IGNORE_OWNERSHIP) == 0;
}

/// Removes conditions that changes still in memory could violate. searchfs reads the catalog on
/// disk, which has old sizes and times of files in use for half a minute or so. If only changes of
/// at least ten minutes ago can match, the conditions stay.
Bound settled(const Bound& bound) {
  constexpr std::int64_t lag = 10 * 60;
  Bound safe = bound;
  if (bound.last_modified.seconds < wall_now().seconds - lag) return safe;
  const Bound none;
  safe.first_modified = none.first_modified;
  safe.last_modified = none.last_modified;
  safe.least_size = none.least_size;
  safe.most_size = none.most_size;
  return safe;
}

}  // namespace

std::unique_ptr<CatalogScan> open_catalog(const Task& task, const Bound& bound, Needs wanted,
                                          int& error) {
  error = 0;
  const Volume& volume = task.volume;
  const SearchDialect dialect =
      volume.file_system == "apfs" ? SearchDialect::apfs : SearchDialect::hfs;
  std::vector<SearchRequest> requests = {search_request(settled(bound), wanted, dialect)};
  // The second request finds closed directories, and those with several names if the first does
  // not.
  const bool hfs = dialect == SearchDialect::hfs;
  const bool some_closed = hfs && has_closed_directories(volume);
  if (some_closed || (hfs && !finds_all_directories(requests.front()))) {
    requests.push_back(directories_request());
  }
  return std::make_unique<SearchfsScan>(volume, std::move(requests), some_closed);
}

OpenedDevice device_directories(const Task&, FileSystem&) {
  return {.refusal = "macOS lists its catalogs flat"};
}

}  // namespace ffind::os
