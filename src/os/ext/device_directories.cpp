// SPDX-License-Identifier: MIT
// Directory reader over a device and the kernel. Each directory has one source:
//
//     device   begun by its number, and not opened
//     kernel   the device refused it, its number is unknown, or it is to be read in parts
//
// A directory is begun on the device if its handle is known from the listing of its parent. It can
// turn to `kernel` before its first entry is returned. A root has no handle until the kernel has
// opened it; a directory reached by a symbolic link never has one. What the device lists is small
// enough to be read without a pause.
#include "os/ext/device_directories.h"

#include <utility>

namespace ffind::os {
namespace {

/// One per worker. Owns a reader of the device and one of the kernel, and forwards calls about the
/// current directory to the one that `source_` names.
class ReaderWithKernel final : public DirectoryReader {
 public:
  ReaderWithKernel(DeviceDirectories& device, FileSystem& file_system, DirectoryOpener& opener)
      : device_(device),
        opener_(opener),
        kernel_(file_system.make_reader(opener)),
        reader_(device.open_reader()) {}

  int open(ListedDirectory& directory, const ListedDirectory* parent) override {
    listed_ = &directory;
    const bool was_known = static_cast<bool>(directory.handle);
    if (was_known && begin(directory, parent)) return 0;
    const int error = opener_.open(directory);
    if (error != 0) return error;
    directory.handle =
        directory.via_link ? DirectoryHandle() : device_.number_of(directory.directory);
    // The number was unknown until the kernel opened the directory; now the device can list it.
    if (!was_known && directory.handle && begin(directory, nullptr)) return 0;
    source_ = Source::kernel;
    ++fallbacks_;
    return 0;
  }

  int read(ListedDirectory& directory, DirentBlock& block) override {
    if (source_ == Source::kernel) return kernel_->read(directory, block);
    reader_->read(block);
    // Only for the first block: the device's position is of no use to the kernel.
    if (!begun_ && block.size() > block.room()) return read_in_parts(directory, block);
    begun_ = true;
    return 0;
  }

  bool pause(ListedDirectory& directory) override {
    return source_ == Source::kernel && kernel_->pause(directory);
  }

  void resume(ListedDirectory& directory) override {
    listed_ = &directory;
    source_ = Source::kernel;
  }

  /// The listing came from another thread: nothing here knows its entries.
  void turn_to(const ListedDirectory&) override { source_ = Source::kernel; }
  bool can_share(const ListedDirectory&) const override { return source_ == Source::kernel; }
  bool wants_order() const override { return true; }

  DirectoryHandle child(const ListedDirectory& directory, std::uint64_t inode) override {
    return device_.child(directory.handle, inode, source_ != Source::device);
  }

  void expect(const std::vector<DirectoryHandle>& directories) override {
    reader_->expect(directories);
  }

  Needs knows() const override { return source_ == Source::device ? needs::metadata : needs::none; }
  /// A directory that is its own ancestor, on a damaged volume: the kernel refuses to look it up,
  /// so only its inode is passed on, and the caller's stat fails as it does in a walk.
  Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) override {
    const Needs known = reader_->metadata(inode, type, wanted, metadata);
    const bool from_mode = type == FileType::unknown && (known & needs::type) != 0;
    if ((from_mode ? type_of_mode(metadata.mode) : type) == FileType::directory &&
        is_above(device_.child(listed_->handle, inode, false))) {
      return wanted & needs::identity;
    }
    return known;
  }

  /// By a second reader, since the first has the listing of the parent in its buffers.
  std::optional<bool> is_empty(const ListedDirectory& directory, std::uint64_t inode) override {
    if (!directory.handle) return {};
    const DirectoryHandle handle = child(directory, inode);
    if (!handle) return {};
    if (!spare_reader_) spare_reader_ = device_.open_reader();
    if (!spare_reader_->begin(handle, &directory.handle)) return {};
    Dirent dirent;
    spare_reader_->read(spare_block());
    return !spare_block().next(dirent);
  }

  std::uint64_t fallbacks() const override { return fallbacks_; }

 private:
  enum class Source : std::uint8_t { device, kernel };

  /// True for the listed directory itself and those above it, which the kernel refuses to look up.
  bool is_above(const DirectoryHandle& handle) const {
    if (!handle) return false;
    for (const ListedDirectory* each = listed_; each != nullptr; each = each->above) {
      if (each->handle.inode == handle.inode) return true;
    }
    return false;
  }

  bool begin(const ListedDirectory& directory, const ListedDirectory* parent) {
    if (!reader_->begin(directory.handle, parent != nullptr ? &parent->handle : nullptr)) {
      return false;
    }
    source_ = Source::device;
    begun_ = false;
    return true;
  }

  /// Leaves a directory that will be paused often to the kernel, which keeps its position for free.
  int read_in_parts(ListedDirectory& directory, DirentBlock& block) {
    begun_ = true;
    if (opener_.open(directory) != 0) return 0;  // the device goes on
    source_ = Source::kernel;
    ++fallbacks_;
    return kernel_->read(directory, block);
  }

  DirentBlock& spare_block() {
    if (!spare_block_) spare_block_ = std::make_unique<DirentBlock>();
    return *spare_block_;
  }

  DeviceDirectories& device_;
  DirectoryOpener& opener_;
  const std::unique_ptr<DirectoryReader> kernel_;
  Source source_ = Source::kernel;           ///< of the directory that is being read
  const ListedDirectory* listed_ = nullptr;  ///< the directory that is being read
  bool begun_ = false;                       ///< some of its entries were returned
  std::unique_ptr<DeviceReader> reader_;
  std::unique_ptr<DeviceReader> spare_reader_;  ///< of is_empty()
  std::unique_ptr<DirentBlock> spare_block_;
  std::uint64_t fallbacks_ = 0;
};

class ReadersWithKernel final : public DirectoryReaders {
 public:
  ReadersWithKernel(std::unique_ptr<DeviceDirectories> device, FileSystem& file_system)
      : device_(std::move(device)), file_system_(file_system) {}

  std::unique_ptr<DirectoryReader> make_reader(DirectoryOpener& opener) override {
    return std::make_unique<ReaderWithKernel>(*device_, file_system_, opener);
  }

 private:
  const std::unique_ptr<DeviceDirectories> device_;
  FileSystem& file_system_;
};

}  // namespace

std::unique_ptr<DirectoryReaders> with_kernel(std::unique_ptr<DeviceDirectories> device,
                                              FileSystem& file_system) {
  return std::make_unique<ReadersWithKernel>(std::move(device), file_system);
}

}  // namespace ffind::os
