// SPDX-License-Identifier: MIT
// macOS's readers. BulkReader lists by getattrlistbulk, which returns attributes with the names,
// and packs the kernel's records in place. BoundedFtsReader uses fts for directories that fit into
// memory. A ReaderChain has several readers and moves on to the next one when a reader returns
// ENOTSUP for a directory; Directory::choice records which one is in use.

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

/// Reads each directory by the first of its readers that can. The choice is final once an entry was
/// returned, since another reader would return it again.
class ReaderChain final : public KernelReader {
 public:
  /// A directory that is read in parts starts with the reader number `first_in_parts`.
  ReaderChain(DirectoryOpener& opener, std::vector<std::unique_ptr<KernelReader>> readers,
              std::uint8_t first_in_parts = 0)
      : KernelReader(opener), readers_(std::move(readers)), first_in_parts_(first_in_parts) {}

  int read(ListedDirectory& listed, DirentBlock& block) override {
    Directory& directory = listed.directory;
    if (!directory.begun && block.room() < DirentBlock::capacity) {
      directory.choice = std::max(directory.choice, first_in_parts_);
    }
    while (true) {
      const int error = readers_[directory.choice]->read(listed, block);
      if (error == 0) directory.begun = true;
      const bool is_last = directory.choice + std::size_t{1} == readers_.size();
      if (error != ENOTSUP || directory.begun || is_last) return error;
      ++directory.choice;
      ::lseek(directory.fd, 0, SEEK_SET);
    }
  }

 private:
  std::vector<std::unique_ptr<KernelReader>> readers_;
  const std::uint8_t first_in_parts_;
};

/// Returns ENOTSUP for directories that it cannot read.
class BulkReader final : public KernelReader {
 public:
  BulkReader(DirectoryOpener& opener, Needs wanted, bool firmlinks)
      : KernelReader(opener), attributes_(bulk_attributes_for(wanted)) {
    // A firmlink has the attributes of the directory that it covers; its flags tell.
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
    directory.at_end = count == 0;
    if (pack(block, static_cast<std::size_t>(count))) return 0;
    return directory.begun ? EIO : ENOTSUP;
  }

 private:
  int list(const Directory& directory, DirentBlock& block, std::size_t room) const {
    ::attrlist wanted = list_of(attributes_);
    return ::getattrlistbulk(directory.fd, &wanted, block.data(), room, 0);
  }

  /// Converts the `count` kernel records in the block into its own records, in place: each becomes
  /// shorter. False if they are malformed.
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
    // The record describes the covered directory.
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

/// Returns ENOTSUP for directories that would take too much memory or contain an untouchable name.
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
