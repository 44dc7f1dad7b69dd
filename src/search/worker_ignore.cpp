// SPDX-License-Identifier: MIT
// What the walk passes over because git ignores it. A part of Worker; see worker.h.
#include "search/worker.h"

namespace ffind {

/// Files are read as directories are opened: with room made for their descriptors.
class Worker::IgnoreReader final : public IgnoreAccess {
 public:
  explicit IgnoreReader(Worker& worker) : worker_(worker) {}

  int read(const os::Directory* at, const std::string& path, bool follow,
           std::string& text) override {
    return worker_.with_room(
        [&] { return read_ignore_file(worker_.file_system_, at, path, follow, text); });
  }
  int find(const std::string& path) override { return find_path(worker_.file_system_, path); }
  void report(std::string path, int error) override {
    worker_.report(std::move(path), "read ignore file", error);
  }

 private:
  Worker& worker_;
};

void Worker::heed_gitignore() {
  ignore_reader_ = std::make_unique<IgnoreReader>(*this);
  ignore_files_ = std::make_unique<IgnoreFiles>(scope_.gitignore, *ignore_reader_);
}

/// Before the first entry of a directory is looked at, while no other worker has it. Where its
/// first block is all of it, that tells what it holds; elsewhere two calls find out.
void Worker::take_ignore_rules(Node& node) {
  node.ignore_known = true;
  IgnoreFiles::Place place;
  place.at = &node.directory;
  place.canonical = [&] {
    std::string path = canonical_path("");
    if (path.size() > 1) path.pop_back();
    return path;
  };
  place.shown = [&] { return path_of(node); };
  if (node.directory.at_end) {
    place.may_have_rules = place.may_be_top = false;
    os::Dirent dirent;
    while (block_.next(dirent)) {
      if (dirent.name == ".gitignore") place.may_have_rules = true;
      if (dirent.name == ".git") place.may_be_top = true;
    }
    block_.rewind();
  }
  IgnoreChain outer;
  if (node.parent() != nullptr) {
    outer = node.parent()->ignore;
  } else {
    const std::string& path = root_->canonical;
    const std::size_t below = root_->below.empty() ? 0 : root_->below.size() + 1;
    const std::string top = path.substr(0, path.size() - below);
    outer = ignore_files_->around(path, top.empty() ? "/" : top);
  }
  node.ignore = ignore_files_->within(place, outer);
}

bool Worker::is_ignored(Entry& entry) {
  if (entry.name == ".git") return true;
  const IgnoreLevel* const chain = node_->ignore.get();
  if (chain == nullptr) return false;
  if (entry.type == FileType::unknown) entry.require(needs::type);
  if (!ignore_path_known_) {
    ignore_path_known_ = true;
    ignore_path_needed_ = need_path(chain);
    if (ignore_path_needed_) ignore_path_ = canonical_path("");
    ignore_path_length_ = ignore_path_.size();
  }
  if (ignore_path_needed_) {
    ignore_path_.resize(ignore_path_length_);
    ignore_path_ += entry.name;
  }
  const IgnoreSubject subject(entry.name, entry.type == FileType::directory, letters_of(chain));
  return ffind::is_ignored(chain, subject, ignore_path_);
}

}  // namespace ffind
