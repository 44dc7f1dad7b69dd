// SPDX-License-Identifier: MIT
// The reader of what the kernel lists: all that it takes is a FileSystem. See directory_reader.h.
#include "os/directory_reader.h"

namespace ffind::os {
namespace {

class KernelReader final : public DirectoryReader {
 public:
  KernelReader(FileSystem& file_system, DirectoryOpener& opener)
      : file_system_(file_system), opener_(opener), device_(file_system.listed_device()) {}

  int open(ListedDirectory& directory, const ListedDirectory*) override {
    return opener_.open(directory);
  }
  int read(ListedDirectory& directory, DirentBlock& block) override {
    return file_system_.read(directory.directory, block);
  }
  // Where it goes on is kept with the descriptor.
  bool pause(ListedDirectory& directory) override {
    file_system_.pause(directory.directory);
    return true;
  }
  void resume(ListedDirectory&) override {}
  void turn_to(const ListedDirectory&) override {}
  bool can_share(const ListedDirectory&) const override { return true; }

  Needs knows() const override { return device_ ? needs::identity : needs::none; }
  Needs metadata(std::uint64_t inode, FileType, Needs wanted, Metadata& metadata) override {
    if (inode == 0 || (wanted & knows()) == 0) return needs::none;
    metadata.inode = inode;
    metadata.device = *device_;
    return needs::identity;
  }

 private:
  FileSystem& file_system_;
  DirectoryOpener& opener_;
  const std::optional<std::uint64_t> device_;
};

class KernelReaders final : public DirectoryReaders {
 public:
  explicit KernelReaders(FileSystem& file_system) : file_system_(file_system) {}
  std::unique_ptr<DirectoryReader> make(DirectoryOpener& opener) override {
    return std::make_unique<KernelReader>(file_system_, opener);
  }

 private:
  FileSystem& file_system_;
};

}  // namespace

std::unique_ptr<DirectoryReaders> kernel_directories(FileSystem& file_system) {
  return std::make_unique<KernelReaders>(file_system);
}

}  // namespace ffind::os
