// SPDX-License-Identifier: MIT
// Volumes out of /proc/self/mountinfo and orders (see volumes.h).
#include "volumes.h"

#include <sys/mount.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

namespace simulated {
namespace {

bool is_below(std::string_view path, std::string_view directory) {
  if (directory == "/") return true;
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// Darwin's name and flags for a file system of Linux.
void set_kind(VolumeRow& row, const std::string& type) {
  static const char* const pseudo[] = {
      "proc", "sysfs",      "devtmpfs",    "devpts",    "mqueue", "debugfs",  "tracefs",
      "bpf",  "configfs",   "fusectl",     "hugetlbfs", "pstore", "efivarfs", "securityfs",
      "nsfs", "rpc_pipefs", "binfmt_misc", "selinuxfs", "cgroup", "cgroup2",  "sysctl"};
  if (std::find(std::begin(pseudo), std::end(pseudo), type) != std::end(pseudo)) {
    row.type = "devfs";
    row.flags |= MNT_LOCAL | MNT_DONTBROWSE;
  } else if (type == "autofs") {
    row.type = "autofs";
    row.flags |= MNT_DONTBROWSE | MNT_AUTOMOUNTED;
  } else if (type.starts_with("fuse") && type != "fuseblk") {
    row.type = "macfuse";
  } else if (type.starts_with("nfs") || type == "9p" || type == "ceph") {
    row.type = "nfs";
  } else if (type == "cifs" || type == "smb3") {
    row.type = "smbfs";
  } else if (type == "tmpfs") {
    row.type = "tmpfs";  // Darwin has it, too
    row.flags |= MNT_LOCAL;
  } else {
    row.type = orders().default_type;
    row.flags |= MNT_LOCAL | MNT_JOURNALED;
  }
}

void set_abilities(VolumeRow& row) {
  row.searchable = row.type == "apfs" || row.type == "hfs" || row.type == "afpfs";
  row.name = row.mount_point == "/" ? "Macintosh HD"
                                    : row.mount_point.substr(row.mount_point.rfind('/') + 1);
}

void apply(const VolumeOrder& order, VolumeRow& row) {
  const auto flag = [&](std::uint32_t bit, bool on) {
    row.flags = on ? row.flags | bit : row.flags & ~bit;
  };
  for (const std::string& word : order.words) {
    if (word == "local" || word == "network") {
      flag(MNT_LOCAL, word == "local");
    } else if (word == "readonly") {
      flag(MNT_RDONLY, true);
    } else if (word == "nobrowse") {
      flag(MNT_DONTBROWSE, true);
    } else if (word == "automounted") {
      flag(MNT_AUTOMOUNTED, true);
    } else if (word == "snapshot") {
      flag(MNT_SNAPSHOT, true);
    } else if (word == "data") {
      row.extended_flags |= MNT_EXT_ROOT_DATA_VOL;
      flag(MNT_DONTBROWSE, true);
    } else if (word == "searchfs" || word == "nosearchfs") {
      row.searchable = word == "searchfs";
    } else if (word == "lies") {
      row.searchable = row.lies = true;
    } else if (word == "nobulk") {
      row.bulk = false;
    } else if (word == "nopaths") {
      row.paths = false;
    } else if (word == "image") {
      row.image = true;
      row.source = "/dev/disk9s" + std::to_string(row.fsid[1]);
    } else if (word == "unlisted") {
      row.listed = false;
    } else if (word == "casesensitive") {
      row.case_sensitive = true;
    } else {
      row.type = word;
      if (word == "afpfs" || word == "smbfs" || word == "nfs") flag(MNT_LOCAL, false);
      set_abilities(row);
    }
  }
}

/// A line of mountinfo: id parent major:minor root point options [optional...] - type source ...
bool read_row(const std::string& line, VolumeRow& row) {
  std::istringstream stream(line);
  std::string parent, device, root, point, options, word, type;
  if (!(stream >> row.mount >> parent >> device >> root >> point >> options)) return false;
  while (stream >> word && word != "-") {
  }
  stream >> type >> row.source;
  const std::size_t colon = device.find(':');
  const auto major = static_cast<std::uint64_t>(std::stoul(device));
  const auto minor = static_cast<std::uint64_t>(std::stoul(device.substr(colon + 1)));
  row.device = short_device((major << 8U) | (minor & 0xFFU) | ((minor & ~0xFFULL) << 12U));
  row.fsid[0] = row.device;
  row.fsid[1] = static_cast<std::int32_t>(row.mount);
  row.mount_point = unescaped(point);
  row.source = unescaped(row.source);
  if (row.mount_point == "/") row.flags |= MNT_ROOTFS;
  if (options == "ro" || options.starts_with("ro,")) row.flags |= MNT_RDONLY;
  set_kind(row, type);
  set_abilities(row);
  return true;
}

VolumeRow ordered_row(const VolumeOrder& order, std::int32_t number) {
  VolumeRow row;
  // Numbers of devices have a sign.
  row.device = row.fsid[0] = static_cast<std::int32_t>(0x9F000000U) | number;
  row.fsid[1] = 0x10000 + number;
  row.type = orders().default_type;
  row.flags = MNT_LOCAL | MNT_JOURNALED;
  row.mount_point = order.path;
  row.source = "/dev/disk" + std::to_string(10 + number) + "s1";
  set_abilities(row);
  return row;
}

bool is_firmlink(const VolumeRow& row) {
  const auto& links = orders().firmlinks;
  return std::any_of(links.begin(), links.end(),
                     [&](const FirmlinkOrder& link) { return link.path == row.mount_point; });
}

bool is_directory_link(const VolumeRow& row) {
  const auto& links = orders().linked;
  return std::find(links.begin(), links.end(), row.mount_point) != links.end();
}

/// The mount that realises another name of a directory, and where it is.
struct LinkMount {
  std::uint64_t mount = 0;
  std::string path;
};

/// Set by read_table: the mounts that realise firmlinks, and the Data volume's own.
struct Table {
  Volumes rows;
  std::vector<std::uint64_t> firmlink_mounts;
  std::vector<LinkMount> links;
};

Table read_table() {
  Table table;
  std::string text;
  host::read_file("/proc/self/mountinfo", text);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    VolumeRow row;
    if (!read_row(line, row)) continue;
    if (is_firmlink(row)) {
      table.firmlink_mounts.push_back(row.mount);
    } else if (is_directory_link(row)) {
      table.links.push_back({row.mount, row.mount_point});
    } else {
      table.rows.push_back(std::move(row));
    }
  }
  std::int32_t number = 1;
  for (const VolumeOrder& order : orders().volumes) {
    // The last one that is mounted there is the one that can be reached.
    auto row = std::find_if(table.rows.rbegin(), table.rows.rend(), [&](const VolumeRow& found) {
      return found.mount_point == order.path;
    });
    if (row != table.rows.rend()) {
      apply(order, *row);
      continue;
    }
    VolumeRow made = ordered_row(order, number++);
    apply(order, made);
    // Before what is mounted below it: later, it would hide that.
    const auto below = std::find_if(table.rows.begin(), table.rows.end(), [&](const auto& found) {
      return is_below(found.mount_point, order.path);
    });
    table.rows.insert(below, std::move(made));
  }
  return table;
}

struct Kept {
  std::mutex mutex;
  std::shared_ptr<const Volumes> rows;
  std::vector<std::uint64_t> firmlink_mounts;
  std::vector<LinkMount> links;
};
Kept& kept() {
  static Kept table;
  return table;
}

std::shared_ptr<const Volumes> refresh() {
  Table table = read_table();
  auto rows = std::make_shared<const Volumes>(std::move(table.rows));
  const std::lock_guard lock(kept().mutex);
  kept().rows = rows;
  kept().firmlink_mounts = std::move(table.firmlink_mounts);
  kept().links = std::move(table.links);
  return rows;
}

std::shared_ptr<const Volumes> known() {
  {
    const std::lock_guard lock(kept().mutex);
    if (kept().rows != nullptr) return kept().rows;
  }
  return refresh();
}

const VolumeRow* data_volume(const Volumes& rows) {
  const auto row = std::find_if(rows.begin(), rows.end(), [](const VolumeRow& found) {
    return (found.extended_flags & MNT_EXT_ROOT_DATA_VOL) != 0;
  });
  return row == rows.end() ? nullptr : &*row;
}

/// The innermost volume that holds `path`.
const VolumeRow* volume_around(const Volumes& rows, const std::string& path) {
  const VolumeRow* best = nullptr;
  for (const VolumeRow& row : rows) {
    if (!is_below(path, row.mount_point)) continue;
    if (best == nullptr || row.mount_point.size() >= best->mount_point.size()) best = &row;
  }
  return best;
}

/// Where that mount is, if it stands for a directory's other name; else empty.
std::string link_of(std::uint64_t mount) {
  const std::lock_guard lock(kept().mutex);
  for (const LinkMount& link : kept().links) {
    if (link.mount == mount) return link.path;
  }
  return {};
}

const VolumeRow* find_mount(const Volumes& rows, std::uint64_t mount) {
  {
    const std::lock_guard lock(kept().mutex);
    const auto& links = kept().firmlink_mounts;
    if (std::find(links.begin(), links.end(), mount) != links.end()) return data_volume(rows);
  }
  if (const std::string path = link_of(mount); !path.empty()) return volume_around(rows, path);
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const VolumeRow& found) { return found.mount == mount; });
  return row == rows.end() ? nullptr : &*row;
}

bool has_ordered_directories(const Volumes& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const VolumeRow& row) { return row.mount == 0; });
}

/// The volume by order that holds `path`, unless a mount below it does.
const VolumeRow* ordered_volume(const Volumes& rows, const std::string& path) {
  const VolumeRow* const best = volume_around(rows, path);
  return best != nullptr && best->mount == 0 ? best : nullptr;
}

Located locate(const host::Status& status, const std::string& path) {
  Located located{known(), nullptr};
  if (!path.empty()) located.row = ordered_volume(*located.table, path);
  if (located.row == nullptr) located.row = find_mount(*located.table, status.mount);
  if (located.row == nullptr) {
    located.table = refresh();
    located.row = find_mount(*located.table, status.mount);
  }
  return located;
}

/// The real path of `path` relative to `at`, a symbolic link at its end left as it is unless
/// `follow`; empty when nobody needs it.
std::string path_if_needed(int at, const char* path, bool follow) {
  if (!has_ordered_directories(*known())) return {};
  std::string full = path;
  if (full.empty() || full.front() != '/') {
    const std::string base =
        at == host::current_directory ? host::real_path(".") : host::path_of(at);
    full = full.empty() ? base : base + "/" + full;
  }
  if (follow) return host::real_path(full);
  const std::size_t slash = full.find_last_not_of('/') == std::string::npos
                                ? std::string::npos
                                : full.rfind('/', full.find_last_not_of('/'));
  if (slash == std::string::npos) return full;
  const std::string last = full.substr(slash + 1);
  if (last == "." || last == "..") return host::real_path(full);
  const std::string base = host::real_path(slash == 0 ? "/" : full.substr(0, slash));
  return (base == "/" ? base : base + "/") + last;
}

}  // namespace

std::int32_t short_device(std::uint64_t device) {
  return static_cast<std::int32_t>(device & 0xFFFFFFFFU);
}

std::shared_ptr<const Volumes> volumes() {
  return refresh();
}

Located volume_of_entry(int at, const char* path, bool follow) {
  host::Status status;
  if (host::status(at, path, follow, status) != 0) return {};
  return locate(status, path_if_needed(at, path, follow));
}

Located volume_of_file(int fd) {
  return volume_of_entry(fd, "", true);
}

Located volume_of_path(const char* path, bool follow) {
  return volume_of_entry(host::current_directory, path, follow);
}

Located volume_by_id(const std::int32_t fsid[2]) {
  Located located{known(), nullptr};
  for (const VolumeRow& row : *located.table) {
    if (row.fsid[0] == fsid[0] && row.fsid[1] == fsid[1]) located.row = &row;
  }
  return located;
}

std::int32_t device_of(const host::Status& status, int at, const char* path, bool follow) {
  const std::string full = path_if_needed(at, path, follow);
  if (!full.empty()) {
    const Located located = locate(status, full);
    if (located.row != nullptr && located.row->mount == 0) return located.row->device;
  }
  return short_device(status.device);
}

Edge edge_of(std::uint64_t mount, const host::Status& status) {
  const auto table = known();
  if (!link_of(status.mount).empty()) return Edge::directory_link;
  if (status.mount != mount && link_of(mount).empty()) {
    const std::lock_guard lock(kept().mutex);
    const auto& links = kept().firmlink_mounts;
    const bool firmlink = std::find(links.begin(), links.end(), status.mount) != links.end();
    return firmlink ? Edge::firmlink : Edge::mount_point;
  }
  const bool ordered = std::any_of(table->begin(), table->end(), [&](const VolumeRow& other) {
    host::Status root;
    return other.mount == 0 &&
           host::status(host::current_directory, other.mount_point.c_str(), true, root) == 0 &&
           root.inode == status.inode && root.device == status.device;
  });
  return ordered ? Edge::mount_point : Edge::none;
}

Marks marks_of(const host::Status& status) {
  using Identity = std::pair<std::uint64_t, std::uint64_t>;
  static const std::map<Identity, Marks> marked = [] {
    std::map<Identity, Marks> found;
    for (const auto& [path, mark] : orders().marked) {
      host::Status at;
      if (host::status(host::current_directory, path.c_str(), false, at) == 0) {
        found[{at.device, at.inode}] |= mark;
      }
    }
    return found;
  }();
  if (marked.empty()) return marks::none;
  const auto mark = marked.find({status.device, status.inode});
  return mark == marked.end() ? marks::none : mark->second;
}

std::string through_firmlinks(const std::string& path) {
  const auto table = known();
  const VolumeRow* const data = data_volume(*table);
  if (data == nullptr || !is_below(path, data->mount_point)) return path;
  for (const FirmlinkOrder& link : orders().firmlinks) {
    const std::string shown = data->mount_point + "/" + link.target;
    if (is_below(path, shown)) return link.path + path.substr(shown.size());
  }
  return path;
}

}  // namespace simulated
