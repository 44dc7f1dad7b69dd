// SPDX-License-Identifier: MIT
// macOS's readers. Three KernelReaders list a directory each in its own way:
//
//     BulkReader         getattrlistbulk: attributes with the names; its records are repacked in
//                        place to those of a DirentBlock
//     BoundedFtsReader   fts for directories that fit into memory, ENOTSUP for others
//     ReaddirReader      (posix) names and types; works for every file system
//
// The first two cannot read every directory, so a ReaderChain has several readers and moves on to
// the next one when a reader returns ENOTSUP. ENOTSUP means "not this directory by me", not an
// error of the directory: the last reader of a chain decides about that. Directory::choice is the
// index of the reader in use, so that another thread's chain, which has the same readers, goes on
// with it.
//
//     make_bulk_reader          bulk ▶ readdir
//     make_names_reader         readdir ▶ bulk ▶ readdir    a directory in parts begins with bulk
//     make_bounded_fts_reader   fts ▶ bulk ▶ readdir

#include <sys/attr.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "os/darwin/file_system.h"
#include "os/posix/file_system.h"

namespace ffind::os::darwin {
namespace {

/// Reads each directory by the first of its readers that can. The choice is final once a block was
/// returned, since another reader would return its entries again.
class ReaderChain final : public KernelReader {
 public:
  /// A directory that is read in parts starts with the reader number `first_in_parts`.
  ReaderChain(DirectoryOpener& opener, std::vector<std::unique_ptr<KernelReader>> readers,
              std::uint8_t first_in_parts = 0)
      : KernelReader(opener), readers_(std::move(readers)), first_in_parts_(first_in_parts) {}

  int read(ListedDirectory& listed, DirentBlock& block) override {
    Directory& directory = listed.directory;
    // Less room than a whole block means that the directory is read in parts. One that has begun
    // keeps its reader: positions of one are of no use to another.
    if (!directory.begun && block.room() < DirentBlock::capacity) {
      directory.choice = std::max(directory.choice, first_in_parts_);
    }
    while (true) {
      const int error = readers_[directory.choice]->read(listed, block);
      if (error == 0) directory.begun = true;
      const bool is_last = directory.choice + std::size_t{1} == readers_.size();
      if (error != ENOTSUP || directory.begun || is_last) return error;
      ++directory.choice;
      // The reader that gave up may have moved the position.
      ::lseek(directory.fd, 0, SEEK_SET);
    }
  }

 private:
  std::vector<std::unique_ptr<KernelReader>> readers_;
  const std::uint8_t first_in_parts_;
};

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

/// Lists by fts. Returns ENOTSUP for directories that would take too much memory, and for those
/// that contain an untouchable name: fts stats every directory that it lists, which blocks if a
/// dead server is mounted there.
class BoundedFtsReader final : public KernelReader {
 public:
  BoundedFtsReader(DirectoryOpener& opener, const std::vector<std::string>& untouchable)
      : KernelReader(opener), untouchable_(untouchable), fts_(make_fts_reader(opener)) {}

  int read(ListedDirectory& listed, DirentBlock& block) override {
    const Directory& directory = listed.directory;
    if (!directory.begun) {
      if (is_large(directory)) return ENOTSUP;
      bool found = false;
      const int error = look_for_names(directory.fd, untouchable_, found);
      if (error != 0 || found) return error != 0 ? error : ENOTSUP;
    }
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

  const std::vector<std::string>& untouchable_;  ///< of the file system
  const std::unique_ptr<KernelReader> fts_;
};

}  // namespace

std::unique_ptr<DirectoryReader> make_bulk_reader(DirectoryOpener& opener, Needs wanted,
                                                  bool firmlinks) {
  std::vector<std::unique_ptr<KernelReader>> readers;
  readers.push_back(std::make_unique<BulkReader>(opener, wanted, firmlinks));
  readers.push_back(make_readdir_reader(opener));
  return std::make_unique<ReaderChain>(opener, std::move(readers));
}

std::unique_ptr<DirectoryReader> make_names_reader(DirectoryOpener& opener, Needs wanted,
                                                   bool firmlinks) {
  std::vector<std::unique_ptr<KernelReader>> readers;
  readers.push_back(make_readdir_reader(opener));
  readers.push_back(std::make_unique<BulkReader>(opener, wanted, firmlinks));
  readers.push_back(make_readdir_reader(opener));
  return std::make_unique<ReaderChain>(opener, std::move(readers), std::uint8_t{1});
}

std::unique_ptr<DirectoryReader> make_bounded_fts_reader(
    DirectoryOpener& opener, Needs wanted, bool firmlinks,
    const std::vector<std::string>& untouchable) {
  std::vector<std::unique_ptr<KernelReader>> readers;
  readers.push_back(std::make_unique<BoundedFtsReader>(opener, untouchable));
  readers.push_back(std::make_unique<BulkReader>(opener, wanted, firmlinks));
  readers.push_back(make_readdir_reader(opener));
  return std::make_unique<ReaderChain>(opener, std::move(readers));
}

}  // namespace ffind::os::darwin
