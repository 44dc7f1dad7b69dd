// SPDX-License-Identifier: MIT
// macOS's readers, which cannot read every directory, so DarwinFileSystem makes chains of them:
//
//     BulkReader         getattrlistbulk: attributes with the names; its records are repacked in
//                        place to those of a DirentBlock
//     BoundedFtsReader   fts for directories that fit into memory, ENOTSUP for others
#include <sys/attr.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/darwin/file_system.h"
#include "os/posix/file_system.h"

namespace ffind::os::darwin {
namespace {

/// Lists by getattrlistbulk. ATTR_CMN_OBJTYPE is always requested: without it the kernel looks up
/// each name separately. Returns ENOTSUP for directories that it cannot read, but only as long as
/// none of their entries has been returned.
class BulkReader final : public KernelReader {
 public:
  BulkReader(DirectoryOpener& opener, Needs wanted, bool firmlinks)
      : KernelReader(opener), attributes_(bulk_attributes_for(wanted)) {
    // A firmlink has the attributes of the directory that it covers; its flags identify it.
    if (firmlinks && (wanted & needs::metadata & ~needs::type) != 0) {
      attributes_.common |= attr::cmn_flags;
    }
  }

  int read(ListedDirectory& listed, DirentBlock& block) override {
    Directory& directory = listed.directory;
    block.clear();
    int count = list(directory, block, block.room());
    // A longer name than most file systems have.
    if (count < 0 && errno == ERANGE && block.room() < DirentBlock::capacity) {
      count = list(directory, block, DirentBlock::capacity);
    }
    if (count < 0) {
      // EACCES: the directory has read permission, but no search permission for the attributes.
      if (errno == EACCES && !directory.begun) return ENOTSUP;
      if (errno != ERANGE) return errno == EINVAL ? ENOTSUP : errno;
      // One entry always fits into 64 KiB: some versions return ERANGE at the end of a directory.
      directory.at_end = directory.begun;
      return directory.begun ? 0 : ENOTSUP;
    }
    // A count of 0 is the end; a block that is not full is not.
    directory.at_end = count == 0;
    if (pack(block, static_cast<std::size_t>(count))) return 0;
    // Malformed records: a file system's own bulk call may be wrong, and readdir still right.
    return directory.begun ? EIO : ENOTSUP;
  }

 private:
  /// Number of records in the block; 0 at the end, -1 and errno on failure.
  int list(const Directory& directory, DirentBlock& block, std::size_t room) const {
    ::attrlist wanted = list_of(attributes_);
    const std::uint64_t options = attributes_.fork != 0 ? FSOPT_ATTR_CMN_EXTENDED : 0;
    return ::getattrlistbulk(directory.fd, &wanted, block.data(), room, options);
  }

  /// Converts the `count` kernel records in the block into its own records, in place. Each becomes
  /// shorter: a kernel record has at least its length, the set of attributes and a name reference
  /// before the name, 19 bytes go before it in ours. False if they are malformed.
  bool pack(DirentBlock& block, std::size_t count) const {
    RecordDecoder records(block.data(), DirentBlock::capacity, RecordLayout::bulk, attributes_,
                          count);
    AttributeRecord record;
    while (records.next(record)) {
      if (!record.name.empty()) append(block, record);
    }
    return !records.malformed();
  }

  static void append(DirentBlock& block, const AttributeRecord& record) {
    if (record.error != 0) {
      // Only the name is known. The searcher tries again and reports the error.
      block.append(record.name, 0, FileType::unknown);
      return;
    }
    Traits marks = traits::none;
    if ((record.mount_status & mountstatus_mount_point) != 0) marks |= traits::mount_point;
    if ((record.mount_status & mountstatus_trigger) != 0) marks |= traits::trigger;
    // The record of a mount point or firmlink describes the directory that it covers, so only its
    // name, id and type are passed on; the rest is read by stat if it is needed. File systems that
    // pack records without a vnode return a mount status of 0: a set bit proves a mount point, a
    // clear one nothing.
    const bool covered = marks != traits::none || (record.flags & flag_firmlink) != 0;
    if (record.bundle_known && !covered) {
      marks |= traits::bundle_known;
      if (record.bundle) marks |= traits::bundle;
    }
    block.append(record.name, record.file_id, record.type, &record.metadata,
                 covered ? needs::none : record.known & ~needs::type, marks);
  }

  static constexpr std::uint32_t flag_firmlink = 0x00800000;  ///< SF_FIRMLINK of <sys/stat.h>

  AttributeSet attributes_;
};

class BoundedFtsReader final : public KernelReader {
 public:
  BoundedFtsReader(DirectoryOpener& opener, const std::vector<std::string>& untouchable)
      : KernelReader(opener), fts_(make_fts_reader(opener, untouchable)) {}

  int read(ListedDirectory& listed, DirentBlock& block) override {
    const Directory& directory = listed.directory;
    if (!directory.begun && is_large(directory)) return ENOTSUP;
    const int error = fts_->read(listed, block);
    // fts uses the path and stats each entry, which requires more permissions than listing.
    return error == EACCES && !directory.begun ? ENOTSUP : error;
  }

 private:
  /// An entry of fts takes about 300 bytes (its FTSENT, a stat and the name), so a worker's
  /// directory stays within 1.2 MiB.
  static constexpr std::uint32_t most_entries = 4096;

  /// By ATTR_DIR_ENTRYCOUNT, one call. A directory whose count is unknown counts as large.
  static bool is_large(const Directory& directory) {
    struct {
      std::uint32_t length;
      std::uint32_t entries;
    } answer{};
    AttributeSet wanted;
    wanted.directory = attr::dir_entrycount;
    ::attrlist list = list_of(wanted);
    const bool known = ::fgetattrlist(directory.fd, &list, &answer, sizeof answer, 0) == 0 &&
                       answer.length == sizeof answer;
    return !known || answer.entries > most_entries;
  }

  const std::unique_ptr<KernelReader> fts_;
};

}  // namespace

std::unique_ptr<KernelReader> make_bulk_reader(DirectoryOpener& opener, Needs wanted,
                                               bool firmlinks) {
  return std::make_unique<BulkReader>(opener, wanted, firmlinks);
}

std::unique_ptr<KernelReader> make_bounded_fts_reader(DirectoryOpener& opener,
                                                      const std::vector<std::string>& untouchable) {
  return std::make_unique<BoundedFtsReader>(opener, untouchable);
}

}  // namespace ffind::os::darwin
