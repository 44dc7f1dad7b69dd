// SPDX-License-Identifier: MIT
// The reader of what the kernel lists: all that it takes is a FileSystem. See directory_reader.h.
#include "os/directory_reader.h"

namespace ffind::os {
namespace {

class KernelReader final : public DirectoryReader {
 public:
  KernelReader(FileSystem& file_system, DirectoryOpener& opener)
      : file_system_(file_system), opener_(opener) {}

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

 private:
  FileSystem& file_system_;
  DirectoryOpener& opener_;
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
