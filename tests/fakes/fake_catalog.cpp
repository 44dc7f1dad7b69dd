// SPDX-License-Identifier: MIT
// Records out of a list of paths. See fake_catalog.h.
#include "fakes/fake_catalog.h"

#include <algorithm>
#include <cerrno>

#include "text/ascii.h"

namespace ffind {
namespace {

using Listed = FakeFileSystem::Listed;

/// Names in ASCII only.
bool satisfies(const Listed& file, const Bound& bound) {
  if ((bound.types & bit_of(file.type)) == 0) return false;
  if (text::fold_ascii(name_of(file.path)).find(text::fold_ascii(bound.name_contains)) ==
      std::string::npos) {
    return false;
  }
  return file.type != FileType::file ||
         (bound.least_size <= file.size && file.size <= bound.most_size);
}

}  // namespace

class FakeCatalogScan final : public os::CatalogScan {
 public:
  explicit FakeCatalogScan(FakeCatalog& catalog)
      : catalog_(catalog), files_(catalog.files_.list()) {
    for (const Listed& file : files_) ids_[file.path] = file.inode;
    if (catalog.order == FakeCatalog::Order::backwards) std::reverse(files_.begin(), files_.end());
    if (catalog.order == FakeCatalog::Order::name) {
      std::stable_sort(files_.begin(), files_.end(), [](const Listed& a, const Listed& b) {
        return name_of(a.path) < name_of(b.path);
      });
    }
    std::vector<Listed> last;
    for (const std::string& closed : catalog.closed) {
      const auto lies_in = [&](const Listed& file) { return file.path.starts_with(closed + "/"); };
      files_.erase(std::remove_if(files_.begin(), files_.end(), lies_in), files_.end());
      last.push_back(*std::find_if(files_.begin(), files_.end(),
                                   [&](const Listed& file) { return file.path == closed; }));
    }
    first_closed_ = files_.size();
    files_.insert(files_.end(), last.begin(), last.end());
  }

  int read(os::CatalogBlock& block) override {
    const std::lock_guard lock(catalog_.mutex_);
    ++catalog_.reads;
    block.records.clear();
    block.bytes.clear();
    block.at_end = false;
    if (catalog_.failures > 0 && given_ >= catalog_.fail_after) {
      --catalog_.failures;
      return catalog_.failure;
    }
    if (idle_ < catalog_.empty_blocks) {
      ++idle_;
      return 0;
    }
    idle_ = 0;
    fill(block);
    return 0;
  }

  void restart() override {
    const std::lock_guard lock(catalog_.mutex_);
    ++catalog_.restarts;
    position_ = given_ = 0;
  }

  int path_of(std::uint64_t directory, std::string& path) override {
    const std::lock_guard lock(catalog_.mutex_);
    const auto found = std::find_if(files_.begin(), files_.end(),
                                    [&](const Listed& file) { return file.inode == directory; });
    if (found == files_.end()) return ENOENT;
    catalog_.paths_asked.push_back(found->path);
    const auto order = catalog_.path_errors.find(found->path);
    if (order != catalog_.path_errors.end()) return order->second;
    if (catalog_.gone.count(found->path) != 0) return ENOENT;
    path = found->path.empty() ? "/fake" : "/fake/" + found->path;
    return 0;
  }

 private:
  void fill(os::CatalogBlock& block) {
    std::vector<const Listed*> chosen;
    while (position_ < files_.size() && chosen.size() < catalog_.records_per_block) {
      if (catalog_.failures > 0 && given_ >= catalog_.fail_after) break;
      const Listed& file = files_[position_++];
      if (file.path.empty()) continue;
      ++given_;
      if (!catalog_.honours_bound || satisfies(file, catalog_.bound)) chosen.push_back(&file);
    }
    block.at_end = position_ == files_.size();
    catalog_.records += chosen.size();
    for (const Listed* file : chosen) {
      const std::string name = name_of(file->path);
      block.bytes.insert(block.bytes.end(), name.begin(), name.end());
      block.bytes.push_back(0);
    }
    const char* name = reinterpret_cast<const char*>(block.bytes.data());
    for (const Listed* file : chosen) {
      os::CatalogRecord record;
      record.name = name;
      name += record.name.size() + 1;
      record.parent = ids_.at(parent_of(file->path));
      record.known = catalog_.known;
      // As APFS has it, where everything but directories is a file.
      record.type = (record.known & needs::type) != 0 ? file->type : FileType::file;
      record.metadata.size = (record.known & needs::size) != 0 ? file->size : file->size + 1;
      if (catalog_.wrong_size != 0) record.metadata.size = catalog_.wrong_size;
      record.metadata.inode = file->inode;
      record.metadata.device = 1;
      record.metadata.links = 1;
      record.may_be_closed = file >= files_.data() + first_closed_;
      block.records.push_back(record);
    }
  }

  FakeCatalog& catalog_;
  std::vector<Listed> files_;
  std::map<std::string, std::uint64_t> ids_;
  std::size_t first_closed_ = 0;
  std::size_t position_ = 0;
  std::size_t given_ = 0;
  std::size_t idle_ = 0;
};

CatalogFactory FakeCatalog::factory() {
  return [this](const Task&, const Bound& asked, Needs needed,
                int& error) -> std::unique_ptr<os::CatalogScan> {
    const std::lock_guard lock(mutex_);
    ++opened;
    bound = asked;
    wanted = needed;
    error = open_error;
    if (open_error != 0) return nullptr;
    return std::make_unique<FakeCatalogScan>(*this);
  };
}

}  // namespace ffind
