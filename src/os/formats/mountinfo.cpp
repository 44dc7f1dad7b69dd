// SPDX-License-Identifier: MIT
// Parser of /proc/self/mountinfo, and Cover, which finds the mounts that no path leads to any more.
// A line and its fields, with optional ones up to the lone hyphen:
//
//     36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
//     id parent dev subtree point options        type  source     super block's options
#include "os/formats/mount_tables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

#include "text/ascii.h"

namespace ffind::os {
namespace {

// File systems that the kernel makes up, most of them while they are read: they contain no user's
// files, can be expensive to read, and change meanwhile. devtmpfs has nothing but device nodes;
// lxcfs serves a container its view of /proc.
constexpr std::array<std::string_view, 46> kernel_types = {
    "anon_inodefs", "apparmorfs", "bdev",        "binder",     "binfmt_misc", "bpf",
    "cgroup",       "cgroup2",    "configfs",    "cpuset",     "dax",         "debugfs",
    "devfs",        "devpts",     "devtmpfs",    "dmabuf",     "drm",         "efivarfs",
    "functionfs",   "fuse.lxcfs", "fusectl",     "gadgetfs",   "hugetlbfs",   "mqueue",
    "nfsd",         "nsfs",       "ocfs2_dlmfs", "openpromfs", "pidfs",       "pipefs",
    "proc",         "pstore",     "resctrl",     "rpc_pipefs", "s390_hypfs",  "secretmem",
    "securityfs",   "selinuxfs",  "smackfs",     "sockfs",     "spufs",       "sysfs",
    "tracefs",      "usbdevfs",   "usbfs",       "xenfs",
};

// File systems that depend on another machine. ocfs2 and gfs2 are on a local disk, but each look-up
// may wait for a lock of another node of the cluster. 9p, virtiofs and the guests' shared folders
// are served by the host.
constexpr std::array<std::string_view, 28> network_types = {
    "9p",    "acfs",  "afs",       "beegfs", "ceph",     "cifs",     "coda",
    "davfs", "gfs2",  "glusterfs", "gpfs",   "kafs",     "lustre",   "lustre_lite",
    "ncp",   "ncpfs", "nfs",       "nfs4",   "ocfs2",    "orangefs", "prl_fs",
    "pvfs2", "smb3",  "smbfs",     "vboxsf", "virtiofs", "vmhgfs",   "panfs",
};

// FUSE drivers of a disk of this machine, which respond quickly and always. Any other "fuse.*" may
// be a client of a server, and one that hangs looks like one that is slow. Drivers that serve a
// block device are "fuseblk" whatever their name (option blkdev, man 8 mount.fuse3).
constexpr std::array<std::string_view, 10> local_fuse_types = {
    "fuse.apfs",           "fuse.exfat", "fuse.ext2",    "fuse.fuse2fs",    "fuse.fuse-ext2",
    "fuse.fuse-overlayfs", "fuse.ntfs",  "fuse.ntfs-3g", "fuse.squashfuse", "fuse.squashfuse_ll",
};

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using text::take_part;

/// The kernel writes blank, tab, newline, backslash and (in sources) '#' as \ooo. Any such triple
/// is decoded, in case it adds a byte one day; other backslashes are kept.
std::string unescape(std::string_view field) {
  if (field.find('\\') == std::string_view::npos) return std::string(field);
  std::string text;
  text.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    const bool escaped = field[i] == '\\' && field.size() - i > 3 && field[i + 1] <= '3' &&
                         text::is_octal(field[i + 1]) && text::is_octal(field[i + 2]) &&
                         text::is_octal(field[i + 3]);
    if (!escaped) {
      text += field[i];
      continue;
    }
    const int value = (field[i + 1] - '0') * 64 + (field[i + 2] - '0') * 8 + (field[i + 3] - '0');
    text += static_cast<char>(static_cast<unsigned char>(value));
    i += 3;
  }
  return text;
}

/// False unless all of `text` is the number.
template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stopped == end;
}

/// Applies options of the mount or those of the super block; either may be read-only alone.
void read_options(std::string_view options, Volume& volume) {
  while (!options.empty()) {
    const std::string_view option = take_part(options, ',');
    if (option == "ro") volume.read_only = true;
    if (option == "norecovery" || option == "noload") volume.unreplayed = true;
    if (option == "lazytime") volume.lazy_times = true;
    // nouid32 cuts owners to 16 bits, the size that they had in the first ext2.
    if (option == "idmapped" || option == "nouid32") volume.other_owners = true;
  }
}

/// Parses a line. Fields are separated by exactly one blank: a source may be empty (`mount -t tmpfs
/// "" /mnt`), which a parser that skips runs of blanks would take for the options.
std::optional<Volume> parse_line(std::string_view line) {
  Volume volume;
  if (!read_number(take_part(line, ' '), volume.id)) return std::nullopt;
  if (!read_number(take_part(line, ' '), volume.parent)) return std::nullopt;
  std::string_view device = take_part(line, ' ');
  if (!read_number(take_part(device, ':'), volume.major)) return std::nullopt;
  if (!read_number(device, volume.minor)) return std::nullopt;
  volume.subtree = unescape(take_part(line, ' '));
  volume.mount_point = unescape(take_part(line, ' '));
  // Mounts outside of a chroot are not in the table; if they ever are, they have no path here.
  if (!volume.mount_point.starts_with('/')) return std::nullopt;
  const std::string_view options = take_part(line, ' ');

  std::string_view optional = take_part(line, ' ');
  while (optional != "-") {
    if (line.empty()) return std::nullopt;
    optional = take_part(line, ' ');
  }
  if (std::count(line.begin(), line.end(), ' ') < 2) return std::nullopt;  // cut short
  volume.file_system = unescape(take_part(line, ' '));
  volume.source = unescape(take_part(line, ' '));
  read_options(options, volume);
  read_options(line, volume);
  volume.kind = kind_of_file_system(volume.file_system);
  return volume;
}

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Finds hidden mounts. The kernel resolves a path from the root mount on, and steps onto a mount
/// whenever one is on the directory that it has reached. So a mount is out of reach if
///  - it is on a directory that another mount on the same parent covers from above, or
///  - its parent is out of reach,
/// and it is hidden if it is out of reach or another mount is on its own root. (Only in the latter
/// case may it be hidden and its child, which hides it, not.) The order of mounting does not
/// matter: a mount made below an older one has that one as its parent, so a sibling above must be
/// younger.
class Cover {
 public:
  explicit Cover(MountTable& table)
      : table_(table),
        parents_(table.size(), none),
        children_(table.size()),
        covered_(table.size()),
        topped_(table.size()) {
    find_parents();
    find_covered();
  }

  /// Sets `hidden` of all volumes, from the roots down: no root leads into a circle of parents.
  void mark() {
    std::vector<std::size_t> reached;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      table_[i].hidden = true;
      if (parents_[i] == none) reached.push_back(i);
    }
    while (!reached.empty()) {
      const std::size_t i = reached.back();
      reached.pop_back();
      if (covered_[i]) continue;
      table_[i].hidden = topped_[i];
      reached.insert(reached.end(), children_[i].begin(), children_[i].end());
    }
  }

 private:
  void find_parents() {
    std::map<std::uint64_t, std::size_t> by_id;
    for (std::size_t i = 0; i < table_.size(); ++i) by_id.emplace(table_[i].id, i);
    for (std::size_t i = 0; i < table_.size(); ++i) {
      // The root of a mount namespace is its own parent or has one that is not listed.
      const auto found = by_id.find(table_[i].parent);
      if (table_[i].parent == table_[i].id || found == by_id.end()) continue;
      parents_[i] = found->second;
      children_[found->second].push_back(i);
    }
  }

  /// Key that siblings share. A root that is its own parent is no sibling of its children.
  std::pair<std::size_t, std::uint64_t> place(std::size_t i) const {
    return {parents_[i], parents_[i] == none ? table_[i].parent : 0};
  }

  /// Sorts siblings by path: the mounts that one of them covers follow it without a gap.
  void find_covered() {
    std::vector<std::size_t> order(table_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const Volume& x = table_[a];
      const Volume& y = table_[b];
      if (place(a) != place(b)) return place(a) < place(b);
      if (x.mount_point != y.mount_point) return path_less(x.mount_point, y.mount_point);
      // Older kernels could put two siblings on one place; a path leads to the later one.
      return a > b;
    });
    std::size_t above = none;
    for (const std::size_t i : order) {
      const std::string& mount_point = table_[i].mount_point;
      if (above != none && place(above) == place(i) &&
          lies_within(mount_point, table_[above].mount_point)) {
        covered_[i] = true;
        continue;
      }
      above = i;
      const std::size_t parent = parents_[i];
      if (parent != none && table_[parent].mount_point == mount_point) topped_[parent] = true;
    }
  }

  MountTable& table_;
  std::vector<std::size_t> parents_;                ///< index in the table
  std::vector<std::vector<std::size_t>> children_;  ///< the opposite
  std::vector<bool> covered_;                       ///< by a sibling
  std::vector<bool> topped_;                        ///< another mount is on its root
};

}  // namespace

VolumeKind kind_of_file_system(std::string_view type) {
  if (type == "autofs") return VolumeKind::automount;
  if (contains(kernel_types, type)) return VolumeKind::kernel;
  if (contains(network_types, type)) return VolumeKind::network;
  if (type == "fuse" || type.starts_with("fuse.")) {
    return contains(local_fuse_types, type) ? VolumeKind::local : VolumeKind::network;
  }
  return VolumeKind::local;
}

// A file system that reserves blocks may have less than nothing available: UFS does.
std::optional<VolumeSpace> space_in_blocks(std::uint64_t block, std::uint64_t all,
                                           std::uint64_t free, std::uint64_t available) {
  if (all == 0 || block == 0) return {};
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const auto bytes = [block](std::uint64_t blocks) {
    return blocks > most / block ? most : blocks * block;
  };
  free = std::min(free, all);
  return VolumeSpace{.size = bytes(all),
                     .used = bytes(all - free),
                     .free = available > all ? 0 : bytes(available)};
}

MountTable parse_mountinfo(std::string_view mountinfo) {
  MountTable table;
  while (!mountinfo.empty()) {
    if (auto volume = parse_line(take_part(mountinfo, '\n'))) table.push_back(std::move(*volume));
  }
  Cover(table).mark();
  return table;
}

}  // namespace ffind::os
