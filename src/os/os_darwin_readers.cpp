// SPDX-License-Identifier: MIT
// macOS's own readers: getattrlistbulk, which brings attributes along with the names, and fts kept
// to directories that fit in memory. Used by os_darwin.cpp.
#include <sys/attr.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "os/os_darwin.h"

namespace ffind::os::darwin {
namespace {

/// A reader that reads some directories by another one: which, is decided before the first entry.
class TwoWayReader : public DirentReader {
 public:
  explicit TwoWayReader(std::unique_ptr<DirentReader> other) : other_(std::move(other)) {}

  int read(Directory& directory, DirentBlock& block) final {
    if (!directory.begun && !directory.second_choice) {
      directory.second_choice = prefers_other(directory);
    }
    if (!directory.second_choice) {
      const int error = read_first_choice(directory, block);
      if (error == 0) directory.begun = true;
      // Once entries were given out, another reader would give them out again.
      if (error != ENOTSUP || directory.begun) return error;
      directory.second_choice = true;
      ::lseek(directory.fd, 0, SEEK_SET);
    }
    return other_->read(directory, block);
  }

  void close(Directory& directory) final {
    if (directory.second_choice) {
      other_->close(directory);
    } else {
      close_first_choice(directory);
    }
  }

 protected:
  virtual bool prefers_other(const Directory& directory) = 0;
  /// ENOTSUP when this directory has to be read the other way.
  virtual int read_first_choice(Directory& directory, DirentBlock& block) = 0;
  virtual void close_first_choice(Directory& directory) = 0;

 private:
  std::unique_ptr<DirentReader> other_;
};

class BulkReader final : public TwoWayReader {
 public:
  BulkReader(Needs wanted, bool firmlinks)
      : TwoWayReader(make_readdir_reader()), attributes_(bulk_attributes_for(wanted)) {
    // A firmlink shows the attributes of the directory that it covers, and says so in its flags.
    if (firmlinks && (wanted & needs::metadata & ~needs::type) != 0) {
      attributes_.common |= attr::cmn_flags;
    }
  }

 private:
  bool prefers_other(const Directory&) override { return false; }

  int read_first_choice(Directory& directory, DirentBlock& block) override {
    block.clear();
    ::attrlist list = list_of(attributes_);
    const int count =
        ::getattrlistbulk(directory.fd, &list, block.data(), DirentBlock::capacity, 0);
    if (count < 0) {
      if (errno != ERANGE) return errno == EINVAL ? ENOTSUP : errno;
      // One entry always fits into 64 KiB: some versions say this at the end of a directory.
      directory.at_end = directory.begun;
      return directory.begun ? 0 : ENOTSUP;
    }
    directory.at_end = count == 0;
    if (pack(block, count)) return 0;
    return directory.begun ? EIO : ENOTSUP;
  }

  void close_first_choice(Directory& directory) override {
    if (directory.fd >= 0) ::close(directory.fd);
    directory = Directory{};
  }

  /// Turns the block's bytes, `count` records of the kernel, into its own records, in place: each
  /// of these is shorter than the one that it comes from. False when they are no records.
  bool pack(DirentBlock& block, int count) const {
    RecordReader records(block.data(), DirentBlock::capacity, RecordLayout::bulk, attributes_);
    AttributeRecord record;
    for (int i = 0; i < count; ++i) {
      if (!records.next(record)) return false;
      if (record.name.empty()) return false;
      append(block, record);
    }
    return true;
  }

  static void append(DirentBlock& block, const AttributeRecord& record) {
    if (record.error != 0) {
      // The name is all there is to go by. The searcher asks again, and reports what is wrong.
      block.append(record.name, 0, FileType::unknown);
      return;
    }
    Traits marks = traits::none;
    if ((record.mount_status & mountstatus_mount_point) != 0) marks |= traits::mount_point;
    if ((record.mount_status & mountstatus_trigger) != 0) marks |= traits::trigger;
    // What was told is about the directory underneath.
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

class BoundedFtsReader final : public TwoWayReader {
 public:
  explicit BoundedFtsReader(std::unique_ptr<DirentReader> other)
      : TwoWayReader(std::move(other)), fts_(make_fts_reader()) {}

 private:
  /// An entry of fts takes about 300 bytes (its FTSENT, a stat and the name): a worker's directory
  /// then stays within 1.2 MiB.
  static constexpr std::uint32_t most_entries = 4096;

  bool prefers_other(const Directory& directory) override {
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
  int read_first_choice(Directory& directory, DirentBlock& block) override {
    return fts_->read(directory, block);
  }
  void close_first_choice(Directory& directory) override { fts_->close(directory); }

  std::unique_ptr<DirentReader> fts_;
};

}  // namespace

std::unique_ptr<DirentReader> make_bulk_reader(Needs wanted, bool firmlinks) {
  return std::make_unique<BulkReader>(wanted, firmlinks);
}

std::unique_ptr<DirentReader> make_bounded_fts_reader(std::unique_ptr<DirentReader> other) {
  return std::make_unique<BoundedFtsReader>(std::move(other));
}

}  // namespace ffind::os::darwin
