// SPDX-License-Identifier: MIT
// macOS's volumes: the mount table, the capabilities of a volume, and a trial of its catalog
// search. os/formats/mount_tables.h interprets the results.
//
//     mount_table()        getfsstat ▶ rows ▶ volumes; touches no volume except the local system
//                          and Data volumes, for their firmlinks
//     probe()              getattrlist for the capabilities; a device ioctl for disk images; for a
//                          server's volume, two trial searches
//     space_of()           statfs, and getattrlist for what an APFS volume uses itself
//     sources_labelled()   getattrlist for the name of each local volume
//
// The table is built twice: without firmlinks, to find the Data volume, then with those that work.
#include <fcntl.h>
#include <sys/attr.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "os/catalog.h"
#include "os/darwin/file_system.h"
#include "os/formats/mount_tables.h"
#include "os/machine.h"
#include "os/posix/file_system.h"

namespace ffind::os {
namespace {

using namespace darwin;

/// Rows of the mount table, in the order of mounting. MNT_NOWAIT: as cached by the kernel, since a
/// dead server would block. Another volume may be mounted between the two calls; repeats them until
/// the buffer was not filled. Throws std::system_error.
std::vector<struct ::statfs> mounted() {
  std::vector<struct ::statfs> rows;
  while (true) {
    const int count = ::getfsstat(nullptr, 0, MNT_NOWAIT);
    if (count < 0) throw std::system_error(errno, std::generic_category(), "mount table");
    // An unused slot proves that no volume was mounted in between.
    rows.resize(static_cast<std::size_t>(count) + 1);
    const auto bytes = static_cast<int>(rows.size() * sizeof(struct ::statfs));
    const int filled = ::getfsstat(rows.data(), bytes, MNT_NOWAIT);
    if (filled < 0) throw std::system_error(errno, std::generic_category(), "mount table");
    if (static_cast<std::size_t>(filled) == rows.size()) continue;
    rows.resize(static_cast<std::size_t>(filled));
    return rows;
  }
}

/// Converts a row of the table for the decoder.
MountRecord record_of(const struct ::statfs& row) {
  MountRecord record;
  record.fsid = fsid_number(row.f_fsid.val[0], row.f_fsid.val[1]);
  record.file_system = row.f_fstypename;
  record.mount_point = row.f_mntonname;
  record.source = row.f_mntfromname;
  record.flags = row.f_flags;
  record.extended_flags = row.f_flags_ext;
  return record;
}

constexpr const char* firmlinks_file = "/usr/share/firmlinks";

/// Firmlinks of the system's list that lead to the Data volume of `table`; none if there is no Data
/// volume or no list. A path that does not exist, or whose real volume is not Data's, is left out.
std::vector<Firmlink> working_firmlinks(const MountTable& table) {
  const auto data = std::find_if(table.begin(), table.end(), [](const Volume& volume) {
    // A group's number is the id of the system volume, so the other member is Data.
    return volume.group != 0 && volume.group != volume.id;
  });
  if (data == table.end() || ::access(firmlinks_file, R_OK) != 0) return {};
  std::vector<Firmlink> firmlinks = parse_firmlinks(read_file(firmlinks_file));
  std::uint64_t expected = 0;
  if (volume_id_of(AT_FDCWD, data->mount_point.c_str(), 0, expected) != 0) return {};
  const auto is_broken = [&](const Firmlink& firmlink) {
    std::uint64_t found = 0;
    // A firmlink to a directory resolves to its target even with NOFOLLOW; a symbolic link does
    // not.
    const int error = volume_id_of(AT_FDCWD, firmlink.path.c_str(), FSOPT_NOFOLLOW, found);
    return error != 0 || found != expected;
  };
  firmlinks.erase(std::remove_if(firmlinks.begin(), firmlinks.end(), is_broken), firmlinks.end());
  return firmlinks;
}

/// True if the device is a disk image; false if it cannot be opened.
bool is_disk_image(const Volume& volume) {
  // DKIOCISVIRTUAL. <sys/disk.h> defines it inside #ifdef KERNEL, so programs have to make it from
  // its group and number.
  constexpr unsigned long is_virtual = _IOR('d', 72, std::uint32_t);
  static_assert(is_virtual == 0x40046448);
  if (!volume.source.starts_with("/dev/")) return false;
  const int fd = ::open(volume.source.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  std::uint32_t answer = 0;
  const bool known = ::ioctl(fd, is_virtual, &answer) == 0;
  ::close(fd);
  return known && answer != 0;
}

/// Reads the capabilities that the volume reports into `volume`; false, and no change, if it
/// reports none. The reply is a length of 4 bytes and a vol_capabilities_attr_t of 32.
bool ask_capabilities(Volume& volume) {
  unsigned char answer[36] = {};
  AttributeSet wanted;
  wanted.volume = ATTR_VOL_INFO | ATTR_VOL_CAPABILITIES;
  ::attrlist list = list_of(wanted);
  return ::getattrlist(volume.mount_point.c_str(), &list, answer, sizeof answer, 0) == 0 &&
         apply_capabilities(answer, sizeof answer, volume);
}

/// A name in the root of `volume` that all file systems spell alike, in lower-case ASCII letters
/// and digits; empty if the first block of its listing has none. A name with an accent might come
/// back decomposed, and one with a capital in another case.
std::string plain_name_in(const Volume& volume) {
  const auto is_plain = [](unsigned char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
  };
  PosixFileSystem file_system;
  ListedDirectory listed;
  const char* const path = volume.mount_point.c_str();
  if (file_system.open(nullptr, path, {.stay_on_volume = false}, listed.directory) != 0) return {};
  // By plain POSIX calls: the volume has no task, and its boundaries do not matter here.
  AlreadyOpen opener;
  std::string name;
  DirentBlock block;
  Dirent dirent;
  if (file_system.make_reader(opener)->read(listed, block) == 0) {
    while (name.empty() && block.next(dirent)) {
      if (std::all_of(dirent.name.begin(), dirent.name.end(), is_plain)) name = dirent.name;
    }
  }
  return name;
}

/// Whether a search within `bound` finds an entry `name` within two seconds. A catalog begins with
/// the entries of the root, so a working one returns it at once.
bool finds(const Volume& volume, const Bound& bound, std::string_view name) {
  constexpr Nanoseconds patience = 2'000'000'000;
  Task task;
  task.volume = volume;
  int error = 0;
  const auto catalog = open_catalog(task, bound, needs::none, error);
  if (catalog == nullptr) return false;
  CatalogBlock block;
  const Nanoseconds begin = monotonic_now();
  do {
    if (catalog->read(block) != 0) return false;
    for (const CatalogRecord& record : block.records) {
      if (record.name == name) return true;
    }
  } while (!block.at_end && monotonic_now() - begin < patience);
  return false;
}

/// Tries the catalog search: for an existing entry by its name, and then for everything, since a
/// server may support names and misread the dates that mean "everything". Without an entry to look
/// for, the claim is neither proven nor disproved.
CatalogSupport try_search(const Volume& volume) {
  const std::string name = plain_name_in(volume);
  if (name.empty()) return CatalogSupport::claimed;
  Bound named;
  named.name_contains = name;
  const bool works = finds(volume, named, name) && finds(volume, {}, name);
  return works ? CatalogSupport::proven : CatalogSupport::disproved;
}

}  // namespace

MountTable mount_table() {
  std::vector<MountRecord> records;
  for (const struct ::statfs& row : mounted()) records.push_back(record_of(row));
  MountTable table = volumes_of(records, {});
  const std::vector<Firmlink> firmlinks = working_firmlinks(table);
  return firmlinks.empty() ? table : volumes_of(records, firmlinks);
}

void probe(Volume& volume) {
  if (volume.kind == VolumeKind::kernel || volume.kind == VolumeKind::automount) return;
  if (!ask_capabilities(volume)) return;
  if (volume.kind == VolumeKind::local) {
    volume.disk_image = is_disk_image(volume);
  } else if (volume.catalog == CatalogSupport::claimed) {
    // Servers claim it wrongly, among them NAS devices with AFP.
    volume.catalog = try_search(volume);
  }
}

std::optional<VolumeSpace> space_of(const std::string& mount_point) {
  struct ::statfs volume {};
  if (::statfs(mount_point.c_str(), &volume) != 0) return {};
  std::optional<VolumeSpace> space =
      space_in_blocks(volume.f_bsize, volume.f_blocks, volume.f_bfree, volume.f_bavail);
  // The volumes of an APFS container share its free blocks, so a subtraction gives what all of them
  // use. Other file systems do not know the attribute: EINVAL. As df(1) does it.
  std::uint32_t answer[3] = {};
  AttributeSet wanted;
  wanted.volume = ATTR_VOL_INFO | ATTR_VOL_SPACEUSED;
  ::attrlist list = list_of(wanted);
  if (space && ::getattrlist(mount_point.c_str(), &list, answer, sizeof answer, 0) == 0) {
    std::memcpy(&space->used, answer + 1, sizeof space->used);
  }
  return space;
}

// Reads names of local volumes only: the call would block on a dead server. The reply is a length,
// a reference to the name, and the name; with no other attribute requested the offset is known.
std::vector<std::string> sources_labelled(std::string_view label) {
  struct {
    std::uint32_t length;
    ::attrreference name;
    char text[1024];
  } answer{};
  AttributeSet wanted;
  wanted.volume = ATTR_VOL_INFO | ATTR_VOL_NAME;
  ::attrlist list = list_of(wanted);
  std::vector<std::string> mount_points;
  for (const struct ::statfs& row : mounted()) {
    if ((row.f_flags & MNT_LOCAL) == 0) continue;
    if (::getattrlist(row.f_mntonname, &list, &answer, sizeof answer, 0) != 0) continue;
    const auto offset = static_cast<std::size_t>(answer.name.attr_dataoffset);
    if (offset != sizeof answer.name || answer.name.attr_length > sizeof answer.text) continue;
    if (std::string_view(answer.text, ::strnlen(answer.text, sizeof answer.text)) == label) {
      mount_points.emplace_back(row.f_mntonname);
    }
  }
  return mount_points;
}

}  // namespace ffind::os
