// SPDX-License-Identifier: MIT
// Look-ups in mount tables, and picking volumes by option and by name.
#include "plan/mounts.h"

#include <string>
#include <vector>

#include "catch.h"
#include "ffind/issue.h"
#include "text/paths.h"
#include "unit/plan/mount_tables.h"

namespace ffind::plan::mounts_test {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using testing::mounts_of;

std::vector<std::string> points(const std::vector<const Volume*>& volumes) {
  std::vector<std::string> result;
  for (const Volume* const volume : volumes) result.push_back(volume->mount_point);
  return result;
}

std::vector<std::string> points(const std::vector<Volume>& volumes) {
  std::vector<std::string> result;
  for (const Volume& volume : volumes) result.push_back(volume.mount_point);
  return result;
}

using Points = std::vector<std::string>;

TEST_CASE("mounts: within is by component") {
  CHECK(lies_within("/a", "/a"));
  CHECK(lies_within("/a/b", "/a"));
  CHECK(lies_within("/a", "/"));
  CHECK(lies_within("/", "/"));
  CHECK_FALSE(lies_within("/ab", "/a"));
  CHECK_FALSE(lies_within("/a", "/a/b"));
  CHECK(path_less("/a/b", "/a-b"));
  CHECK(path_less("/a", "/a/b"));
  CHECK_FALSE(path_less("/a", "/a"));
  CHECK(text::path_below("/a/b/c", "/a") == "b/c");
  CHECK(text::path_below("/a/b", "/") == "a/b");
  CHECK(text::path_below("/a", "/a").empty());
  CHECK(text::path_below("/", "/").empty());
  CHECK(text::join_paths("/", "a") == "/a");
  CHECK(text::join_paths("/a", "b/c") == "/a/b/c");
  CHECK(text::join_paths("/a", "") == "/a");
}

TEST_CASE("mounts: a location that the table does not agree with is taken by its path") {
  Volume outer;
  outer.id = 1;
  outer.mount_point = outer.subtree = "/";
  Volume moved = outer;
  moved.id = 2;
  moved.mount_point = "/a/long/way/to/m";
  const MountTable table{outer, moved};
  const Mounts mounts(table);
  Location location;
  location.volume = 2;
  location.canonical = "/b/m";  // the directory was renamed behind the table's back
  CHECK_FALSE(mounts.agrees_with(location));
  REQUIRE(mounts.of(location) != nullptr);
  CHECK(mounts.of(location)->id == 1);
  CHECK(view_of(*mounts.of(location), location.canonical).subtree == "/b/m");
  location.canonical = "/a/long/way/to/m/x";
  CHECK(mounts.agrees_with(location));
  CHECK(mounts.of(location)->id == 2);
}

TEST_CASE("mounts: the longest mount point holds a path") {
  struct Row {
    const char* table;
    const char* path;
    std::uint64_t id;
  };
  const Row row = GENERATE(values<Row>({
      {"ubuntu_laptop", "/", 31},
      {"ubuntu_laptop", "/etc/passwd", 31},
      {"ubuntu_laptop", "/boot", 31},
      {"ubuntu_laptop", "/boot/efi", 110},
      {"ubuntu_laptop", "/boot/efi/EFI/x", 110},
      {"ubuntu_laptop", "/boot/efix", 31},
      {"ubuntu_laptop", "/proc/sys/fs/binfmt_misc", 113},
      {"ubuntu_laptop", "/media/ann/Stick of Ann/a", 775},
      {"overmounts", "/a/b/c", 31},
      {"overmounts", "/c/in/deep", 29},
      {"overmounts", "/a-b/x", 30},
      {"chroot", "/srv/images/tmp", 712},
  }));
  CAPTURE(row.table, row.path);
  const MountTable table = mounts_of(row.table);
  const Volume* const volume = Mounts(table).holding(row.path);
  REQUIRE(volume != nullptr);
  CHECK(volume->id == row.id);
}

TEST_CASE("mounts: in a chroot a path may be on no listed volume") {
  const MountTable table = mounts_of("chroot");
  CHECK(Mounts(table).holding("/etc") == nullptr);
  CHECK(Mounts(table).holding("/") == nullptr);
  CHECK(Mounts(MountTable{}).holding("/") == nullptr);
}

TEST_CASE("mounts: what is mounted below, and what of it a walk meets") {
  const MountTable table = mounts_of("nfs_homes");
  const Mounts mounts(table);
  CHECK(points(mounts.below("/home")) == Points{"/home/ann", "/home/ann/scratch"});
  CHECK(points(mounts.edges("/home")) == Points{"/home/ann"});
  CHECK(points(mounts.edges("/")) == Points{"/home", "/net/archive", "/proc", "/srv/models"});
  CHECK(points(mounts.edges("/hom")).empty());
  CHECK(points(mounts.below("/home/ann/scratch")).empty());
  CHECK(points(mounts.way("/", "/home/ann/scratch/a")) ==
        Points{"/home/ann/scratch", "/home/ann", "/home"});
  CHECK(points(mounts.way("/home", "/home/ann/x")) == Points{"/home/ann"});
  CHECK(points(mounts.way("/", "/etc")).empty());
}

TEST_CASE("mounts: an id finds what is hidden too") {
  const MountTable table = mounts_of("overmounts");
  const Mounts mounts(table);
  REQUIRE(mounts.by_id(25) != nullptr);
  CHECK(mounts.by_id(25)->source == "first");
  CHECK(mounts.by_id(99) == nullptr);
}

TEST_CASE("mounts: where a path lies within its file system") {
  const MountTable table = mounts_of("btrfs_laptop");
  const Mounts mounts(table);
  CHECK(view_of(*mounts.holding("/home/ann"), "/home/ann").subtree == "/@home/ann");
  CHECK(view_of(*mounts.holding("/"), "/").subtree == "/@");
  CHECK(view_of(*mounts.holding("/mnt/btrfs/@"), "/mnt/btrfs/@").subtree == "/@");
}

TEST_CASE("mounts: a part of a file system is found in another view of it") {
  const MountTable table = mounts_of("btrfs_laptop");
  const Mounts mounts(table);
  const View all = view_of(*mounts.by_id(80), "/mnt/btrfs");
  const View home = view_of(*mounts.by_id(70), "/home/ann");
  CHECK(mounts.shown_at(all, home) == "/mnt/btrfs/@home/ann");
  CHECK(mounts.shown_at(home, all).empty());
  CHECK(mounts.shown_at(home, home) == "/home/ann");
  CHECK(mounts.shown_at(all, view_of(*mounts.by_id(35), "/proc")).empty());
}

TEST_CASE("all volumes: each file system once, by its widest views") {
  struct Row {
    const char* table;
    bool network;
    Points expected;
  };
  const Row row = GENERATE(values<Row>({
      {"ubuntu_laptop",
       false,
       // /run/snapd/ns is a piece of /run mounted on itself: nobody else shows what is in it.
       {"/", "/boot/efi", "/dev/shm", "/media/ann/Stick of Ann", "/run", "/run/lock",
        "/run/snapd/ns", "/run/user/1000", "/snap/core22/1122", "/snap/firefox/3836"}},
      {"docker_container",
       false,
       // /data is shown in /work, /proc/kcore in /dev.
       {"/", "/dev", "/dev/shm", "/etc/hostname", "/etc/hosts", "/etc/resolv.conf", "/proc/acpi",
        "/work"}},
      {"btrfs_laptop", false, {"/mnt/btrfs"}},
      {"ostree", false, {"/sysroot"}},
      {"nfs_homes", false, {"/", "/home/ann/scratch"}},
      {"nfs_homes", true, {"/", "/home/ann", "/home/ann/scratch", "/net/archive", "/srv/models"}},
      {"overmounts", false, {"/", "/a", "/a/b", "/a-b", "/c", "/run", "/run/lock"}},
  }));
  CAPTURE(row.table, row.network);
  CHECK(points(select_volumes(mounts_of(row.table), row.network)) == row.expected);
}

TEST_CASE("all volumes: a view that something is mounted over does not stand for another") {
  // /a of the file system is hidden by a tmpfs in /, so /b is the only way to it.
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
      "2 1 8:1 /a /b rw - ext4 /dev/sda rw\n"
      "3 1 0:9 / /a rw - tmpfs t rw\n"
      "4 1 8:1 /c /d rw - ext4 /dev/sda rw\n");
  CHECK(points(select_volumes(table, false)) == Points{"/", "/a", "/b"});
}

TEST_CASE("volume by name: mount point, source, label, last parts; the first that fits") {
  struct Row {
    const char* table;
    const char* name;
    std::uint64_t id;
  };
  const Row row = GENERATE(values<Row>({
      {"ubuntu_laptop", "/", 31},
      {"ubuntu_laptop", "/boot/efi", 110},
      {"ubuntu_laptop", "/dev/sda1", 775},
      {"ubuntu_laptop", "sda1", 775},
      {"ubuntu_laptop", "Stick of Ann", 775},
      {"ubuntu_laptop", "LABELLED", 110},
      {"ubuntu_laptop", "proc", 25},
      {"nfs_homes", "filer:/export/home/ann", 46},
      {"nfs_homes", "scratch", 47},
      {"nfs_homes", "public", 48},
      {"btrfs_laptop", "luks-root", 80},  // many views, the widest
      {"btrfs_laptop", "/home", 70},
  }));
  CAPTURE(row.table, row.name);
  const MountTable table = mounts_of(row.table);
  const std::vector<std::string> labelled = std::string(row.name) == "LABELLED"
                                                ? std::vector<std::string>{"/dev/nvme0n1p1"}
                                                : std::vector<std::string>{};
  const Volume* const volume = volume_named(table, row.name, labelled);
  REQUIRE(volume != nullptr);
  CHECK(volume->id == row.id);
}

TEST_CASE("volume by name: none and several are errors that show what there is") {
  const MountTable laptop = mounts_of("ubuntu_laptop");
  CHECK_THROWS_MATCHES(volume_named(laptop, "nowhere", {}), UsageError,
                       MessageMatches(ContainsSubstring("'nowhere'") &&
                                      ContainsSubstring("/boot/efi (vfat on /dev/nvme0n1p1)")));
  CHECK_THROWS_MATCHES(volume_named(laptop, "tmpfs", {}), UsageError,
                       MessageMatches(ContainsSubstring("'tmpfs'") &&
                                      ContainsSubstring("/run/lock (tmpfs on tmpfs)")));
  CHECK_THROWS_AS(volume_named(laptop, "", {}), UsageError);
  CHECK_THROWS_AS(volume_named(MountTable(), "x", {}), UsageError);
}

}  // namespace
}  // namespace ffind::plan::mounts_test
