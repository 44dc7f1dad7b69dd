// SPDX-License-Identifier: MIT
// Directories by number. See fake_device.h.
#include "fakes/fake_device.h"

#include <algorithm>

namespace ffind {
namespace {

using os::DirectoryHandle;

/// The fake root's inode is 0, which as a number means "unknown".
DirectoryHandle number_of_inode(std::uint64_t inode) {
  return {.inode = inode + 1};
}

}  // namespace

FakeDevice::FakeDevice(FakeFileSystem& files) : files_(files) {
  std::map<std::string, std::uint64_t> inodes;
  for (const auto& file : files.list()) inodes[file.path] = file.inode;
  for (const auto& file : files.list()) {
    const std::uint64_t parent = inodes.at(parent_of(file.path));
    by_inode_[file.inode] = {file.path, file.type, file.size, parent};
  }
  for (const auto& file : files.list()) {
    if (file.path.empty()) continue;
    by_inode_.at(inodes.at(parent_of(file.path)))
        .children.push_back({name_of(file.path), file.type, file.inode});
  }
}

class FakeDeviceReader final : public os::DeviceReader {
 public:
  explicit FakeDeviceReader(FakeDevice& device) : device_(device) {}

  void expect(const std::vector<DirectoryHandle>& directories) override {
    const std::lock_guard lock(device_.mutex_);
    device_.expected += directories.size();
  }

  bool begin(const DirectoryHandle& number, const DirectoryHandle* parent) override {
    const std::lock_guard lock(device_.mutex_);
    directory_ = &device_.by_inode_.at(number.inode - 1);
    position_ = 0;
    if (device_.refused.count(directory_->path) != 0) return false;
    device_.begun.push_back(directory_->path);
    const bool right = parent == nullptr || *parent == number_of_inode(directory_->parent);
    if (!right) ++device_.wrong_parents;
    return true;
  }

  void read(os::DirentBlock& block) override {
    const std::lock_guard lock(device_.mutex_);
    block.clear();
    const auto& children = directory_->children;
    for (std::size_t count = 0; count < device_.entries_per_block; ++count) {
      if (position_ == children.size()) break;
      const auto& child = children[position_];
      const FileType type = device_.types_known ? child.type : FileType::unknown;
      if (!block.append(child.name, child.inode, type)) break;
      ++position_;
    }
  }

  Needs metadata(std::uint64_t inode, FileType, Needs wanted, Metadata& metadata) override {
    const std::lock_guard lock(device_.mutex_);
    const auto& file = device_.by_inode_.at(inode);
    device_.asked.push_back(file.path);
    if (device_.unsettled.count(file.path) != 0) return needs::none;
    metadata.size = file.size;
    metadata.inode = inode;
    metadata.device = 1;
    metadata.links = 1;
    metadata.mode = static_cast<std::uint32_t>(os::dirent_of_type(file.type)) << 12U | 0644U;
    metadata.created = device_.created;
    return wanted & device_.known;
  }

 private:
  FakeDevice& device_;
  const FakeDevice::File* directory_ = nullptr;
  std::size_t position_ = 0;
};

class FakeDeviceDirectories final : public os::DeviceDirectories {
 public:
  explicit FakeDeviceDirectories(FakeDevice& device) : device_(device) {}

  std::unique_ptr<os::DeviceReader> open_reader() override {
    const std::lock_guard lock(device_.mutex_);
    ++device_.readers;
    return std::make_unique<FakeDeviceReader>(device_);
  }

  DirectoryHandle number_of(const os::Directory& opened) override {
    os::FileId id;
    if (!device_.root_known || device_.files_.identify(opened, id) != 0) return {};
    return number_of_inode(id.inode);
  }

  DirectoryHandle child(const DirectoryHandle& parent, std::uint64_t inode, bool) override {
    const std::lock_guard lock(device_.mutex_);
    const auto& file = device_.by_inode_.at(inode);
    if (parent != number_of_inode(file.parent)) ++device_.wrong_parents;
    if (device_.numberless.count(file.path) != 0) return {};
    return number_of_inode(inode);
  }

 private:
  FakeDevice& device_;
};

DeviceDirectoriesFactory FakeDevice::factory() {
  return [this](const Task&, os::FileSystem& file_system) -> os::OpenedDevice {
    if (!refusal.empty()) return {.refusal = refusal};
    return {.directories =
                os::with_kernel(std::make_unique<FakeDeviceDirectories>(*this), file_system)};
  };
}

}  // namespace ffind
