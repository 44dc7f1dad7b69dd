// SPDX-License-Identifier: MIT
// The decoder of /proc/self/mountinfo: fields, escapes, kinds, what hides what, and hostile bytes.
#include "os/formats/mount_tables.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "unit/plan/mount_tables.h"

namespace ffind::mountinfo_test {
namespace {

using os::parse_mountinfo;
using testing::mountinfo;
using testing::mounts_of;

TEST_CASE("mountinfo: every field of a line is read") {
  const MountTable table = parse_mountinfo(
      "36 35 98:0 /mnt1 /mnt2 ro,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue\n");
  REQUIRE(table.size() == 1);
  CHECK(table[0].id == 36);
  CHECK(table[0].parent == 35);
  CHECK(table[0].major == 98);
  CHECK(table[0].minor == 0);
  CHECK(table[0].subtree == "/mnt1");
  CHECK(table[0].mount_point == "/mnt2");
  CHECK(table[0].file_system == "ext3");
  CHECK(table[0].source == "/dev/root");
  CHECK(table[0].kind == VolumeKind::local);
  CHECK(table[0].read_only);
  CHECK_FALSE(table[0].hidden);
}

TEST_CASE("mountinfo: read-only is said by the mount or by the file system, as a whole word") {
  struct Row {
    const char* line;
    bool read_only;
  };
  const Row row = GENERATE(values<Row>({
      {"1 0 8:1 / / rw - ext4 /dev/sda rw", false},
      {"1 0 8:1 / / ro - ext4 /dev/sda rw", true},
      {"1 0 8:1 / / rw - ext4 /dev/sda ro,discard", true},
      {"1 0 8:1 / / rw,relatime - ext4 /dev/sda rw,errors=remount-ro", false},
      {"1 0 8:1 / / rw,root - ext4 ro rw", false},
  }));
  CAPTURE(row.line);
  const MountTable table = parse_mountinfo(row.line);
  REQUIRE(table.size() == 1);
  CHECK(table[0].read_only == row.read_only);
}

TEST_CASE("mountinfo: what options say of the journal, of times and of owners") {
  struct Row {
    const char* line;
    bool unreplayed;
    bool lazy_times;
    bool other_owners;
  };
  const Row row = GENERATE(values<Row>({
      {"1 0 8:1 / / rw,relatime shared:1 - ext4 /dev/sda rw,errors=remount-ro", false, false,
       false},
      {"1 0 8:1 / / ro,relatime - ext4 /dev/sda ro,norecovery", true, false, false},
      {"1 0 8:1 / / ro - ext3 /dev/sda ro,noload,data=ordered", true, false, false},
      {"1 0 8:1 / / rw,relatime - ext4 /dev/sda rw,lazytime,stripe=4", false, true, false},
      {"1 0 8:1 / / rw,relatime,idmapped shared:3 - ext4 /dev/sda rw", false, false, true},
      // Each counts as a whole word.
      {"1 0 8:1 / / rw,idmapped2 - ext4 /dev/sda rw,norecovery=0,nolazytime", false, false, false},
      {"1 0 8:1 / / rw - ext4 lazytime,noload rw", false, false, false},
      {"1 0 8:1 / / rw - ext4 /dev/sda rw,nouid32", false, false, true},
      {"1 0 8:1 / / ro,idmapped - ext4 /dev/sda lazytime,noload", true, true, true},
  }));
  CAPTURE(row.line);
  const MountTable table = parse_mountinfo(row.line);
  REQUIRE(table.size() == 1);
  CHECK(table[0].unreplayed == row.unreplayed);
  CHECK(table[0].lazy_times == row.lazy_times);
  CHECK(table[0].other_owners == row.other_owners);
}

TEST_CASE("mountinfo: escapes are undone in every text, other backslashes stay") {
  std::map<std::uint64_t, Volume> by_id;
  for (const Volume& volume : mounts_of("escapes")) by_id[volume.id] = volume;
  REQUIRE(by_id.size() == 9);
  CHECK(by_id[41].mount_point == "/mnt/two words");
  CHECK(by_id[41].source == "so urce#x");
  CHECK(by_id[42].subtree == "/a\\b");
  CHECK(by_id[42].mount_point == "/mnt/tab\tnew\nline\\");
  CHECK(by_id[43].source.empty());
  CHECK(by_id[43].file_system == "tmpfs");
  CHECK(by_id[44].mount_point == "/mnt/bare\\04");
  CHECK(by_id[45].mount_point == "/mnt/odd\\999\\");
  CHECK(by_id[46].subtree == "/gone//deleted");
  CHECK(by_id[47].mount_point == "/mnt/hash#");
  CHECK(by_id[48].mount_point == "/run/netns/\303\244\377");  // the last line has no newline
  CHECK(by_id[48].subtree == "net:[4026531840]");
}

TEST_CASE("mountinfo: the type of a file system makes the kind of a volume") {
  struct Row {
    const char* type;
    VolumeKind kind;
  };
  const Row row = GENERATE(values<Row>({
      {"ext4", VolumeKind::local},          {"xfs", VolumeKind::local},
      {"btrfs", VolumeKind::local},         {"tmpfs", VolumeKind::local},
      {"overlay", VolumeKind::local},       {"squashfs", VolumeKind::local},
      {"vfat", VolumeKind::local},          {"zfs", VolumeKind::local},
      {"rootfs", VolumeKind::local},        {"fuseblk", VolumeKind::local},
      {"fuse.ntfs-3g", VolumeKind::local},  {"fuse.fuse-overlayfs", VolumeKind::local},
      {"not yet made", VolumeKind::local},  {"", VolumeKind::local},
      {"fuse", VolumeKind::network},        {"fuse.sshfs", VolumeKind::network},
      {"fuse.rclone", VolumeKind::network}, {"fuse.gvfsd-fuse", VolumeKind::network},
      {"nfs", VolumeKind::network},         {"nfs4", VolumeKind::network},
      {"cifs", VolumeKind::network},        {"smb3", VolumeKind::network},
      {"9p", VolumeKind::network},          {"virtiofs", VolumeKind::network},
      {"ceph", VolumeKind::network},        {"ocfs2", VolumeKind::network},
      {"proc", VolumeKind::kernel},         {"sysfs", VolumeKind::kernel},
      {"cgroup", VolumeKind::kernel},       {"cgroup2", VolumeKind::kernel},
      {"devtmpfs", VolumeKind::kernel},     {"devpts", VolumeKind::kernel},
      {"fusectl", VolumeKind::kernel},      {"fuse.lxcfs", VolumeKind::kernel},
      {"nsfs", VolumeKind::kernel},         {"nfsd", VolumeKind::kernel},
      {"ocfs2_dlmfs", VolumeKind::kernel},  {"xenfs", VolumeKind::kernel},
      {"autofs", VolumeKind::automount},
  }));
  CAPTURE(row.type);
  CHECK(os::kind_of_file_system(row.type) == row.kind);
}

TEST_CASE("mountinfo: what no path leads to is hidden") {
  struct Row {
    const char* table;
    std::set<std::uint64_t> hidden;
  };
  const Row row = GENERATE(values<Row>({
      {"overmounts", {1, 23, 25, 26, 27, 28, 32}},
      {"ubuntu_laptop", {39}},  // the trigger below what it has mounted
      {"docker_container", {}},
      {"btrfs_laptop", {}},
      {"nfs_homes", {}},
      {"chroot", {}},
      {"ostree", {}},
      {"escapes", {}},
  }));
  CAPTURE(row.table);
  std::set<std::uint64_t> hidden;
  for (const Volume& volume : mounts_of(row.table)) {
    if (volume.hidden) hidden.insert(volume.id);
  }
  CHECK(hidden == row.hidden);
}

TEST_CASE("mountinfo: the order of the table does not matter for what is hidden") {
  // Children before their parents, as after a mount was moved; and a root that is its own parent.
  const MountTable table = parse_mountinfo(
      "3 2 0:3 / /a/b rw - tmpfs t rw\n"
      "4 2 0:4 / /a rw - tmpfs t rw\n"
      "2 1 0:2 / /a rw - tmpfs t rw\n"
      "1 1 0:1 / / rw - tmpfs t rw\n");
  REQUIRE(table.size() == 4);
  CHECK(table[0].hidden);
  CHECK_FALSE(table[1].hidden);
  CHECK(table[2].hidden);
  CHECK_FALSE(table[3].hidden);
}

TEST_CASE("mountinfo: of two on one place of one parent the later is seen") {
  const MountTable table = parse_mountinfo(
      "1 0 0:1 / / rw - tmpfs t rw\n"
      "2 1 0:2 / /a rw - tmpfs first rw\n"
      "3 1 0:3 / /a rw - tmpfs second rw\n");
  REQUIRE(table.size() == 3);
  CHECK(table[1].hidden);
  CHECK_FALSE(table[2].hidden);
}

TEST_CASE("mountinfo: lines that cannot be read cost nobody else") {
  const char* const line = GENERATE(
      "", " ", "-", "x", "36", "36 35", "36 35 98:0", "36 35 98:0 / /mnt", "36 35 98:0 / /mnt rw",
      "36 35 98:0 / /mnt rw -", "36 35 98:0 / /mnt rw - ext4", "36 35 98:0 / /mnt rw - ext4 /dev/x",
      "36 35 98:0 / /mnt rw shared:1 ext4 /dev/x rw", "36 35 98 / /mnt rw - ext4 /dev/x rw",
      "36 35 :0 / /mnt rw - ext4 /dev/x rw", "36 35 98: / /mnt rw - ext4 /dev/x rw",
      "-1 35 98:0 / /mnt rw - ext4 /dev/x rw", "36x 35 98:0 / /mnt rw - ext4 /dev/x rw",
      "36 35 99999999999:0 / /mnt rw - ext4 /dev/x rw",
      "99999999999999999999999 35 8:0 / /mnt rw - ext4 /dev/x rw",
      "36  35 98:0 / /mnt rw - ext4 /dev/x rw", "36 35 98:0 / mnt rw - ext4 /dev/x rw");
  CAPTURE(line);
  const std::string good = "1 0 8:1 / / rw - ext4 /dev/sda rw";
  const MountTable table = parse_mountinfo(good + '\n' + line + '\n' + good);
  REQUIRE(table.size() == 2);
  CHECK(table[0].source == "/dev/sda");
  CHECK(table[1].source == "/dev/sda");
}

TEST_CASE("mountinfo: parents in a circle, long chains and long names end") {
  const MountTable circle = parse_mountinfo(
      "1 2 0:1 / /a rw - tmpfs t rw\n"
      "2 1 0:2 / /a/b rw - tmpfs t rw\n"
      "3 2 0:3 / /a/b/c rw - tmpfs t rw\n");
  REQUIRE(circle.size() == 3);
  for (const Volume& volume : circle) CHECK(volume.hidden);

  std::string text;
  std::string path;
  for (int i = 1; i <= 2000; ++i) {
    path += "/d";
    text += std::to_string(i) + " " + std::to_string(i - 1) + " 0:" + std::to_string(i) + " / " +
            path + " rw - tmpfs t rw\n";
  }
  const MountTable chain = parse_mountinfo(text);
  REQUIRE(chain.size() == 2000);
  CHECK_FALSE(chain.back().hidden);

  const std::string name(1000000, 'x');
  const MountTable overlong = parse_mountinfo("1 0 0:1 / /" + name + " rw - tmpfs t rw");
  REQUIRE(overlong.size() == 1);
  CHECK(overlong[0].mount_point.size() == name.size() + 1);
}

TEST_CASE("mountinfo: a table cut short anywhere, or with any byte changed, is read") {
  const std::string text = mountinfo("overmounts") + mountinfo("escapes");
  for (std::size_t size = 0; size < text.size(); ++size) {
    // In a buffer of its own, so that a sanitizer sees a read behind the end.
    const std::vector<char> bytes(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    parse_mountinfo({bytes.data(), bytes.size()});
  }
  std::string changed = text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char byte : {'\0', '\n', ' ', '/', '\\', '-', '1', '\377'}) {
      changed[i] = byte;
      if (i % 7 == static_cast<unsigned char>(byte) % 7) parse_mountinfo(changed);
    }
    changed[i] = text[i];
  }
  SUCCEED();
}

TEST_CASE(
    "mountinfo: sizes of a volume from its blocks, none without blocks, none beyond the largest") {
  using os::space_in_blocks;
  const auto space = space_in_blocks(512, 100, 30, 20);
  REQUIRE(space);
  CHECK(space->size == 51200);
  CHECK(space->used == 35840);
  CHECK(space->free == 10240);
  CHECK_FALSE(space_in_blocks(4096, 0, 0, 0));
  CHECK_FALSE(space_in_blocks(0, 100, 30, 20));
  // More is reserved than is free.
  CHECK(space_in_blocks(1, 100, 5, UINT64_MAX - 4)->free == 0);
  CHECK(space_in_blocks(1U << 20U, UINT64_MAX, 0, 0)->size == UINT64_MAX);
}

}  // namespace
}  // namespace ffind::mountinfo_test
