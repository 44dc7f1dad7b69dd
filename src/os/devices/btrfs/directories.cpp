// SPDX-License-Identifier: MIT
// The directories of btrfs: one BTRFS_IOC_TREE_SEARCH_V2 lists one by its number. Decoded by
// items.h; see devices/directories.h. Knows no path but that of the volume.
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "os/devices/btrfs/items.h"
#include "os/devices/file_systems.h"
#include "os/linux/privileges.h"
#include "os/posix/retry.h"

namespace ffind::os {
namespace {

static_assert(btrfs::inode_item == BTRFS_INODE_ITEM_KEY);
static_assert(btrfs::inode_ref == BTRFS_INODE_REF_KEY);
static_assert(btrfs::inode_extref == BTRFS_INODE_EXTREF_KEY);
static_assert(btrfs::dir_item == BTRFS_DIR_ITEM_KEY);
static_assert(btrfs::root_item == BTRFS_ROOT_ITEM_KEY);
static_assert(btrfs::first_inode == BTRFS_FIRST_FREE_OBJECTID);
static_assert(btrfs::header_size == sizeof(btrfs_ioctl_search_header));
static_assert(offsetof(btrfs_ioctl_search_header, objectid) == 8 &&
              offsetof(btrfs_ioctl_search_header, offset) == 16 &&
              offsetof(btrfs_ioctl_search_header, type) == 24 &&
              offsetof(btrfs_ioctl_search_header, len) == 28);
static_assert(sizeof(btrfs_dir_item) == 30 && offsetof(btrfs_dir_item, data_len) == 25 &&
              offsetof(btrfs_dir_item, name_len) == 27 && offsetof(btrfs_dir_item, type) == 29);
static_assert(sizeof(btrfs_inode_ref) == 10 && offsetof(btrfs_inode_ref, name_len) == 8);
static_assert(sizeof(btrfs_inode_item) == 160 && offsetof(btrfs_inode_item, size) == 16);

/// Inode numbers are below 2^63, so this bit marks entries that are subvolumes.
constexpr std::uint64_t subvolume_bit = std::uint64_t{1} << 63;

/// What one call found; one thread's.
class TreeSearch {
 public:
  /// No item is larger than a node. The rest of the buffer is what most directories fit into.
  TreeSearch(int fd, std::size_t node_size)
      : fd_(fd),
        largest_item_(node_size),
        room_(node_size + std::size_t{32} * 1024),
        buffer_(new unsigned char[sizeof(btrfs_ioctl_search_args_v2) + room_]) {}

  /// Items of `tree` from `first` to `last`, both included, `most` of them; 0 or an errno.
  int run(std::uint64_t tree, const btrfs::Key& first, const btrfs::Key& last, std::uint32_t most) {
    btrfs_ioctl_search_args_v2 head{};
    head.key.tree_id = tree;
    head.key.min_objectid = first.objectid;
    head.key.min_type = first.type;
    head.key.min_offset = first.offset;
    head.key.max_objectid = last.objectid;
    head.key.max_type = last.type;
    head.key.max_offset = last.offset;
    head.key.max_transid = std::numeric_limits<std::uint64_t>::max();
    head.key.nr_items = most;
    head.buf_size = room_;
    std::memcpy(buffer_.get(), &head, sizeof head);
    items_ = {};
    if (uninterrupted([&] { return ::ioctl(fd_, BTRFS_IOC_TREE_SEARCH_V2, buffer_.get()); }) != 0) {
      return errno;
    }
    std::memcpy(&head, buffer_.get(), sizeof head);
    items_ = {{buffer_.get() + sizeof head, room_}, head.key.nr_items};
    all_asked_for_ = head.key.nr_items == most;
    return 0;
  }

  btrfs::Items& items() { return items_; }

  /// Whether there may be more: a search ends when what was asked for is found, and when an item of
  /// any size might not find room. Ask behind the last item.
  bool may_have_more() const {
    return all_asked_for_ || room_ - items_.used() < btrfs::header_size + largest_item_;
  }

 private:
  int fd_;
  std::size_t largest_item_;
  std::size_t room_;
  std::unique_ptr<unsigned char[]> buffer_;
  btrfs::Items items_{};
  bool all_asked_for_ = false;
};

/// st_dev of subvolumes, as far as the kernel was asked. A subvolume keeps it until it is deleted,
/// and its number is not used again. Thread-safe.
class Devices {
 public:
  void note(std::uint64_t tree, std::uint64_t device) {
    const std::lock_guard lock(mutex_);
    of_tree_[tree] = device;
  }
  bool find(std::uint64_t tree, std::uint64_t& device) const {
    const std::lock_guard lock(mutex_);
    const auto found = of_tree_.find(tree);
    if (found == of_tree_.end()) return false;
    device = found->second;
    return true;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::uint64_t> of_tree_;
};

/// Which items. The search sees the trees as they are in memory, changes of the running transaction
/// included. But the kernel keeps some changes beside the trees until it gets round to them
/// (fs/btrfs/delayed-inode.c): the items by which readdir goes (dir index), inodes, and references
/// of inodes that are taken away. The items by which it looks up names (dir item, under the hash of
/// the name) are put in and taken out at once, so these tell what is in a directory. What inodes
/// say can be older than what stat says, and nothing in them tells: of metadata only the identity
/// is certain.
///
/// What holds. A name keeps its key as long as it is there, and an item is copied under the lock of
/// its leaf: what stands still is found exactly once, in however many calls a directory is read. (A
/// name that another file is renamed to is out for the microseconds between its two changes.) No
/// number of an inode is used again while a volume is mounted (but with the mount option
/// inode_cache, before Linux 5.11). A directory that was moved since it was listed would be read at
/// its old place: its reference has to name the directory that listed it, and nothing else; a
/// reference that is still to be taken away makes two, and then the kernel is asked.
///
/// Subvolumes are other trees, and whether one shows there, or as an empty directory, in the
/// snapshot of what held it, is for the kernel to say: it opens each, tells the tree, and from
/// there this goes on.
class BtrfsReader final : public DeviceReader {
 public:
  BtrfsReader(int fd, std::size_t node_size, const Devices& devices)
      : search_(fd, node_size), devices_(devices) {}

  // The kernel reads a leaf ahead of itself, and leaves lie in the order in which they are read.
  void expect(const std::vector<DirectoryNumber>&) override {}

  bool begin(const DirectoryNumber& number, const DirectoryNumber* parent) override {
    directory_ = number;
    names_ = btrfs::Names({});
    name_pending_ = false;
    error_ = 0;
    more_ = true;
    next_ = {number.inode, btrfs::inode_item, 0};
    most_ = first_guess;
    names_size_ = names_read_ = count_ = 0;
    if (!search_on() || !is_in_place(parent)) return false;
    if (device_tree_ != number.tree) {
      device_tree_ = devices_.find(number.tree, device_) ? number.tree : 0;
    }
    return true;
  }

  void read(DirentBlock& block) override {
    block.clear();
    do {
      while (name_pending_ || next_name()) {
        const std::uint64_t number = name_.number | (name_.is_subvolume ? subvolume_bit : 0);
        name_pending_ = !block.append(name_.text, number, name_.type);
        if (name_pending_) return;
      }
    } while (block.empty() && search_on());
  }

  int error() const override { return error_; }

  Needs metadata(std::uint64_t inode, FileType, Needs wanted, Metadata& metadata) override {
    const bool known = device_tree_ == directory_.tree && (inode & subvolume_bit) == 0;
    if (!known || (wanted & needs::identity) == 0) return needs::none;
    metadata.inode = inode;
    metadata.device = device_;
    return needs::identity;
  }

 private:
  // Linux (6.18) looks at every item to the end of a leaf even where the rest is not in range: 7 us
  // a directory, where a call takes 2 us and each item 0.2 us. So it is asked for about as many as
  // there are, of whatever follows, and one that is not of the directory shows that it has no more.
  static constexpr std::uint32_t first_guess = 10;
  static constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

  /// Fetches what comes next of the directory; false when there is no more.
  bool search_on() {
    if (!more_) return false;
    constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
    const btrfs::Key last_of_all{end, 255, end};
    const btrfs::Key last_name{directory_.inode, btrfs::dir_item, end};
    error_ =
        search_.run(directory_.tree, next_, most_ == unlimited ? last_name : last_of_all, most_);
    more_ = error_ == 0;
    return more_;
  }

  /// How many items to ask for after the first, by the length of all names, which the inode tells,
  /// late perhaps.
  void guess_the_rest() {
    most_ = unlimited;
    if (count_ == 0 || names_read_ == 0 || names_size_ < names_read_) return;
    const std::uint64_t rest = (names_size_ - names_read_) * count_ / names_read_;
    constexpr std::uint64_t most_with_margin = 300;
    if (rest <= most_with_margin) most_ = static_cast<std::uint32_t>(rest + rest / 8 + 2);
  }

  /// Whether the search that begins a directory shows that it is one that lies in `parent`, and
  /// that its names can be read.
  bool is_in_place(const DirectoryNumber* parent) {
    std::size_t references = 0;
    bool by_parent = parent == nullptr;
    btrfs::Items ahead = search_.items();
    btrfs::Item item;
    while (ahead.next(item) && item.key.objectid == directory_.inode) {
      if (item.key.type == btrfs::inode_item) {
        names_size_ = btrfs::size_of_inode(item.bytes) / 2;  // each name is there twice
      } else if (item.key.type == btrfs::inode_ref) {
        references += btrfs::count_references(item.bytes);
        if (parent != nullptr) by_parent = item.key.offset == parent->inode;
      } else if (item.key.type == btrfs::inode_extref) {
        return false;
      } else if (item.key.type == btrfs::dir_item) {
        btrfs::Name name;
        if (!btrfs::Names(item.bytes).next(name) || name.is_encrypted) return false;
        break;
      }
    }
    return references == 1 && by_parent && !ahead.cut_short();
  }

  /// The next of those that were fetched.
  bool next_name() {
    while (!names_.next(name_)) {
      btrfs::Item item;
      if (names_.damaged() || !search_.items().next(item)) return end_of_search();
      if (item.key.objectid != directory_.inode || item.key.type > btrfs::dir_item) {
        more_ = false;
        return false;
      }
      next_ = btrfs::next_key(item.key);
      if (item.key.type == btrfs::dir_item) names_ = btrfs::Names(item.bytes);
    }
    ++count_;
    names_read_ += name_.text.size();
    return true;
  }

  bool end_of_search() {
    more_ = more_ && search_.may_have_more();
    if (names_.damaged() || search_.items().cut_short()) {
      error_ = EUCLEAN;
      more_ = false;
    }
    guess_the_rest();
    return false;
  }

  TreeSearch search_;
  const Devices& devices_;
  DirectoryNumber directory_;
  btrfs::Key next_;  ///< where the next search begins
  std::uint32_t most_ = 0;
  std::uint64_t names_size_ = 0;  ///< bytes of all names of the directory, perhaps
  std::uint64_t names_read_ = 0;
  std::uint64_t count_ = 0;  ///< of the names that were read
  bool more_ = false;
  int error_ = 0;
  btrfs::Names names_{{}};
  btrfs::Name name_;
  bool name_pending_ = false;      ///< did not fit the block
  std::uint64_t device_tree_ = 0;  ///< whose st_dev device_ is; 0: none's
  std::uint64_t device_ = 0;
};

using VolumeId = std::array<unsigned char, BTRFS_FSID_SIZE>;

/// 0 or an errno; also for what is no btrfs.
int ask_volume(int fd, VolumeId& id, std::size_t& node_size) {
  btrfs_ioctl_fs_info_args info{};
  if (::ioctl(fd, BTRFS_IOC_FS_INFO, &info) != 0) return errno;
  std::copy_n(info.fsid, id.size(), id.begin());
  node_size = info.nodesize;
  return 0;
}

class BtrfsDirectories final : public DeviceDirectories {
 public:
  BtrfsDirectories(int fd, const VolumeId& id, std::size_t node_size)
      : fd_(fd), id_(id), node_size_(node_size) {}
  ~BtrfsDirectories() override { ::close(fd_); }
  BtrfsDirectories(const BtrfsDirectories&) = delete;
  BtrfsDirectories& operator=(const BtrfsDirectories&) = delete;

  std::unique_ptr<DeviceReader> open_reader() override {
    return std::make_unique<BtrfsReader>(fd_, node_size_, devices_);
  }

  DirectoryNumber number_of(const Directory& opened) override {
    VolumeId id{};
    std::size_t node_size = 0;
    struct ::stat status {};
    btrfs_ioctl_ino_lookup_args place{};
    // Which tree, of the directory itself: the one question that takes no privilege.
    place.objectid = BTRFS_FIRST_FREE_OBJECTID;
    if (ask_volume(opened.fd, id, node_size) != 0 || id != id_ ||
        ::ioctl(opened.fd, BTRFS_IOC_INO_LOOKUP, &place) != 0 || ::fstat(opened.fd, &status) != 0 ||
        status.st_ino < btrfs::first_inode) {
      return {};  // a lower number is that of a directory where a subvolume is not shown
    }
    devices_.note(place.treeid, status.st_dev);
    return {status.st_ino, place.treeid};
  }

  DirectoryNumber child(const DirectoryNumber& parent, std::uint64_t inode,
                        bool from_kernel) override {
    // Of subvolumes the kernel lists the tree, which may also be the number of an inode.
    if (from_kernel || (inode & subvolume_bit) != 0) return {};
    return {inode, parent.tree};
  }

 private:
  const int fd_;
  const VolumeId id_;
  const std::size_t node_size_;
  Devices devices_;
};

/// A descriptor of the volume; which of its directories does not matter. An errno, negative.
int open_volume(const Task& task) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  int error = ENOENT;
  for (const Root& root : task.roots) {
    const int fd = uninterrupted([&] { return ::open(root.open_path.c_str(), flags); });
    if (fd >= 0) return fd;
    error = errno;
  }
  const int fd = uninterrupted([&] { return ::open(task.volume.mount_point.c_str(), flags); });
  return fd >= 0 ? fd : -error;
}

}  // namespace

void probe_btrfs(Volume& volume) {
  volume.catalog = CatalogSupport::none;
  if (!has_capability(CAP_SYS_ADMIN)) {
    volume.catalog_note = "reading the trees of btrfs requires root or CAP_SYS_ADMIN";
    return;
  }
  volume.catalog = may_read_every_directory(volume.catalog_note) ? CatalogSupport::proven
                                                                 : CatalogSupport::claimed;
}

std::unique_ptr<DeviceDirectories> open_btrfs(const Task& task, std::string& why_not) {
  const int fd = open_volume(task);
  int error = fd < 0 ? -fd : 0;
  VolumeId id{};
  std::size_t node_size = 0;
  if (error == 0) error = ask_volume(fd, id, node_size);
  if (error == 0) {
    // Containers may forbid what the capabilities allow.
    constexpr btrfs::Key any{btrfs::first_inode, btrfs::inode_ref, btrfs::first_inode};
    error = TreeSearch(fd, node_size).run(0, any, any, 1);
  }
  if (error == 0) return std::make_unique<BtrfsDirectories>(fd, id, node_size);
  if (fd >= 0) ::close(fd);
  why_not = std::string("its trees cannot be read: ") + std::strerror(error);
  return nullptr;
}

}  // namespace ffind::os
