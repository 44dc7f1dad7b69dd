// SPDX-License-Identifier: MIT
// Directories by number. See fake_directory_catalog.h.
#include "fakes/fake_directory_catalog.h"

#include <algorithm>

namespace ffind {
namespace {

using os::DirectoryNumber;

constexpr std::uint64_t tree = 7;

/// The fake root's inode is 0, which as a number means "unknown".
DirectoryNumber number_of_inode(std::uint64_t inode) {
  return {.inode = inode + 1, .tree = tree};
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

}  // namespace

FakeDirectoryCatalog::FakeDirectoryCatalog(FakeFileSystem& files) : files_(files) {
  std::map<std::string, std::uint64_t> inodes;
  for (const auto& file : files.list()) inodes[file.path] = file.inode;
  for (const auto& file : files.list()) {
    const std::uint64_t parent = inodes.at(parent_of(file.path));
    by_inode_[file.inode] = {file.path, file.type, file.size, parent};
  }
  for (const auto& file : files.list()) {
    if (file.path.empty()) continue;
    by_inode_.at(inodes.at(parent_of(file.path)))
        .children.push_back({file.path.substr(file.path.rfind('/') + 1), file.type, file.inode});
  }
}

class FakeDirectoryReader final : public os::DirectoryReader {
 public:
  explicit FakeDirectoryReader(FakeDirectoryCatalog& catalog) : catalog_(catalog) {}

  void expect(const std::vector<DirectoryNumber>& directories) override {
    const std::lock_guard lock(catalog_.mutex_);
    catalog_.expected += directories.size();
  }

  bool begin(const DirectoryNumber& number, const DirectoryNumber* parent) override {
    const std::lock_guard lock(catalog_.mutex_);
    directory_ = &catalog_.by_inode_.at(number.inode - 1);
    position_ = 0;
    error_ = 0;
    if (catalog_.refused.count(directory_->path) != 0) return false;
    catalog_.begun.push_back(directory_->path);
    const bool right = number.tree == tree &&
                       (parent == nullptr || *parent == number_of_inode(directory_->parent));
    if (!right) ++catalog_.wrong_parents;
    return true;
  }

  void read(os::DirentBlock& block) override {
    const std::lock_guard lock(catalog_.mutex_);
    block.clear();
    const auto order = catalog_.read_errors.find(directory_->path);
    if (position_ >= catalog_.entries_before_errors && order != catalog_.read_errors.end()) {
      error_ = order->second;
      return;
    }
    const auto& children = directory_->children;
    for (std::size_t count = 0; count < catalog_.entries_per_block; ++count) {
      if (position_ == children.size()) break;
      const auto& child = children[position_];
      const FileType type = catalog_.types_known ? child.type : FileType::unknown;
      if (!block.append(child.name, child.inode, type)) break;
      ++position_;
    }
  }

  int error() const override { return error_; }
  bool has_told(std::string_view name) override {
    const auto end = directory_->children.begin() + static_cast<std::ptrdiff_t>(position_);
    return std::any_of(directory_->children.begin(), end,
                       [&](const auto& child) { return child.name == name; });
  }

  Needs metadata(std::uint64_t inode, FileType, Needs wanted, Metadata& metadata) override {
    const std::lock_guard lock(catalog_.mutex_);
    const auto& file = catalog_.by_inode_.at(inode);
    catalog_.asked.push_back(file.path);
    if (catalog_.unsettled.count(file.path) != 0) return needs::none;
    metadata.size = file.size;
    metadata.inode = inode;
    metadata.device = 1;
    metadata.links = 1;
    metadata.mode = static_cast<std::uint32_t>(os::dirent_of_type(file.type)) << 12U | 0644U;
    metadata.created = catalog_.created;
    return wanted & catalog_.known;
  }

 private:
  FakeDirectoryCatalog& catalog_;
  const FakeDirectoryCatalog::File* directory_ = nullptr;
  std::size_t position_ = 0;
  int error_ = 0;
};

class FakeDirectories final : public os::DirectoryCatalog {
 public:
  explicit FakeDirectories(FakeDirectoryCatalog& catalog) : catalog_(catalog) {}

  std::unique_ptr<os::DirectoryReader> open_reader() override {
    const std::lock_guard lock(catalog_.mutex_);
    ++catalog_.readers;
    return std::make_unique<FakeDirectoryReader>(catalog_);
  }

  DirectoryNumber number_of(const os::Directory& opened) override {
    os::FileId id;
    if (!catalog_.root_known || catalog_.files_.identify(opened, id) != 0) return {};
    return number_of_inode(id.inode);
  }

  DirectoryNumber child(const DirectoryNumber& parent, std::uint64_t inode, bool) override {
    const std::lock_guard lock(catalog_.mutex_);
    const auto& file = catalog_.by_inode_.at(inode);
    if (parent != number_of_inode(file.parent)) ++catalog_.wrong_parents;
    if (catalog_.numberless.count(file.path) != 0) return {};
    return number_of_inode(inode);
  }

 private:
  FakeDirectoryCatalog& catalog_;
};

DirectoryCatalogFactory FakeDirectoryCatalog::factory() {
  return [this](const Task&, std::string& reason) -> std::unique_ptr<os::DirectoryCatalog> {
    reason = why_not;
    if (!why_not.empty()) return nullptr;
    return std::make_unique<FakeDirectories>(*this);
  };
}

}  // namespace ffind
