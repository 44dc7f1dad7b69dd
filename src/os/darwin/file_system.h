// SPDX-License-Identifier: MIT
// Attribute calls about one file, macOS's own readers of directories, and the resolution of links.
// Shared by the files of os/darwin.
#pragma once

#include <sys/attr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "os/directory_reader.h"
#include "os/formats/darwin_attributes.h"

namespace ffind::os::darwin {

::attrlist list_of(const AttributeSet& attributes);  ///< converts `attributes` for a call

/// Id of the real volume of `path`, relative to `directory`; other calls may report the volumes of
/// a group as one. 0 or an errno.
int volume_id_of(int directory, const char* path, unsigned options, std::uint64_t& id);
int volume_id_of(int fd, std::uint64_t& id);

/// The whole number of `fsid_t`: val[0] in the lower half.
inline std::uint64_t fsid_number(std::int32_t first, std::int32_t second) {
  return static_cast<std::uint32_t>(first) |
         static_cast<std::uint64_t>(static_cast<std::uint32_t>(second)) << 32U;
}

/// The getattrlistbulk(2) reader, which requests the attributes for `wanted`; ENOTSUP for
/// directories that it cannot read. With `firmlinks` some of the directories may be firmlinks.
std::unique_ptr<KernelReader> make_bulk_reader(DirectoryOpener& opener, Needs wanted,
                                               bool firmlinks);

/// The fts(3) reader; ENOTSUP for directories that are too large for memory or contain one of the
/// names `untouchable`, which outlive the reader.
std::unique_ptr<KernelReader> make_bounded_fts_reader(DirectoryOpener& opener,
                                                      const std::vector<std::string>& untouchable);

/// Resolution of symbolic links by their texts, so that following one never waits for a dead
/// server: macOS has no call that refuses to leave a volume, as openat2(2) with RESOLVE_NO_XDEV
/// does on Linux. DarwinFileSystem calls it before it opens, or reads the metadata of, a link's
/// target. Thread-safe.
class MacLinks {
 public:
  /// Follows `path` from the open directory `at`, and each link on the way, as far as volumes that
  /// answer at once. EXDEV if it leads onto, or across, a network volume or an automount other than
  /// the one with the id `home`; else 0, also if it leads nowhere, which the call that follows will
  /// find. Touches no volume that may block, and nothing at all if none is mounted.
  int check(int at, std::string path, std::uint64_t home);

 private:
  using Table = std::shared_ptr<const MountTable>;

  Table table();

  std::mutex mutex_;  ///< guards what follows
  Table table_;
  Nanoseconds read_at_ = 0;
};

}  // namespace ffind::os::darwin
