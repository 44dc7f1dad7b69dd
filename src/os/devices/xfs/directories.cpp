// SPDX-License-Identifier: MIT
// The reader of directories whose entries' metadata is read in bulk. See directories.h.
#include "os/devices/xfs/directories.h"

#include <utility>

namespace ffind::os::xfs {
namespace {

class Reader final : public DirectoryReader {
 public:
  Reader(Inodes& inodes, std::uint64_t device_number, std::unique_ptr<DirectoryReader> kernel)
      : inodes_(inodes), device_number_(device_number), kernel_(std::move(kernel)) {}

  int open(ListedDirectory& directory, const ListedDirectory* parent) override {
    return kernel_->open(directory, parent);
  }
  int read(ListedDirectory& directory, DirentBlock& block) override {
    const int error = kernel_->read(directory, block);
    begin_entries(directory);
    return error;
  }
  bool pause(ListedDirectory& directory) override { return kernel_->pause(directory); }
  void resume(ListedDirectory& directory) override { kernel_->resume(directory); }
  void turn_to(const ListedDirectory& directory) override {
    kernel_->turn_to(directory);
    begin_entries(directory);
  }
  bool can_share(const ListedDirectory& directory) const override {
    return kernel_->can_share(directory);
  }

  Needs knows() const override { return needs::metadata; }
  Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) override {
    Needs certain = needs::identity;
    if ((wanted & ~needs::identity) != 0) {
      const Record* const record = find(inode);
      if (record != nullptr && (type == FileType::unknown || type == record->type())) {
        record->fill(metadata);
        certain |= record->certain();
        if ((wanted & ~certain) == 0) ++answered_;
      }
    }
    metadata.inode = inode;
    metadata.device = device_number_;
    return certain & (wanted | needs::type);
  }

  std::uint64_t bulk_reads() const override { return bulk_reads_; }

 private:
  enum class Rested : std::uint8_t { unknown, yes, no };

  void begin_entries(const ListedDirectory& directory) {
    directory_ = &directory.directory;
    listed_at_ = inodes_.now();
    rested_ = Rested::unknown;
  }

  const Record* find(std::uint64_t inode) {
    if (!chunk_ || number_ != inode / inodes_per_chunk) {
      if (skip_ > 0) {
        --skip_;
        return nullptr;
      }
      Inodes::Found found = inodes_.find(inode, std::exchange(answered_, 0));
      skip_ = found.skip;
      if (found.was_read) ++bulk_reads_;
      chunk_ = std::move(found.chunk);
      number_ = inode / inodes_per_chunk;
      if (!chunk_) return nullptr;
    }
    if (chunk_->read_at <= listed_at_ && !has_rested()) return nullptr;
    return &chunk_->records[inode % inodes_per_chunk];
  }

  /// Whether the directory has not changed since the search began. Asked after it was listed.
  bool has_rested() {
    if (rested_ == Rested::unknown) {
      Nanoseconds changed = 0;
      const bool known =
          directory_->is_open() && inodes_.calls().changed(*directory_, changed) == 0;
      rested_ = known && changed < inodes_.trust().changed_before ? Rested::yes : Rested::no;
    }
    return rested_ == Rested::yes;
  }

  Inodes& inodes_;
  const std::uint64_t device_number_;
  const std::unique_ptr<DirectoryReader> kernel_;

  const Directory* directory_ = nullptr;  ///< whose entries were listed last
  std::uint64_t listed_at_ = 0;           ///< the volume's count when that was done
  Rested rested_ = Rested::unknown;

  std::shared_ptr<const Chunk> chunk_;  ///< the one that was used last
  std::uint64_t number_ = 0;            ///< of that
  unsigned skip_ = 0;                   ///< as Inodes::Found
  std::uint64_t answered_ = 0;          ///< as Inodes::find
  std::uint64_t bulk_reads_ = 0;
};

class Readers final : public DirectoryReaders {
 public:
  Readers(std::unique_ptr<Inodes> inodes, std::uint64_t device_number, FileSystem& file_system)
      : inodes_(std::move(inodes)),
        device_number_(device_number),
        kernel_(kernel_directories(file_system)) {}

  std::unique_ptr<DirectoryReader> make(DirectoryOpener& opener) override {
    return std::make_unique<Reader>(*inodes_, device_number_, kernel_->make(opener));
  }

 private:
  const std::unique_ptr<Inodes> inodes_;
  const std::uint64_t device_number_;
  const std::unique_ptr<DirectoryReaders> kernel_;
};

}  // namespace

std::unique_ptr<DirectoryReaders> make_readers(std::unique_ptr<Inodes> inodes,
                                               std::uint64_t device_number,
                                               FileSystem& file_system) {
  return std::make_unique<Readers>(std::move(inodes), device_number, file_system);
}

}  // namespace ffind::os::xfs
