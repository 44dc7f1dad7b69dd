// SPDX-License-Identifier: MIT
// macOS's mounts made volumes: kinds, what hides what, the pair of system and Data volume, its
// firmlinks, and capabilities.
#include "os/formats/mount_tables.h"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catch.h"
#include "unit/os/bytes.h"

namespace ffind::darwin_volumes_test {
namespace {

using os::darwin::apply_capabilities;
using os::darwin::Firmlink;
using os::darwin::MountRecord;
using os::darwin::parse_firmlinks;
using os::darwin::volumes_of;
using testing::Bytes;

constexpr std::uint32_t local = 0x1000;
constexpr std::uint32_t root = 0x4000;
constexpr std::uint32_t dontbrowse = 0x100000;
constexpr std::uint32_t snapshot = 0x40000000;

MountRecord mount(std::uint64_t fsid, std::string path, std::string type = "apfs",
                  std::uint32_t flags = local, std::uint32_t extended = 0) {
  return {.fsid = fsid,
          .file_system = std::move(type),
          .mount_point = std::move(path),
          .source = "/dev/disk" + std::to_string(fsid & 0xFF),
          .flags = flags,
          .extended_flags = extended};
}

/// As a Mac of 2024 lists them.
std::vector<MountRecord> mac() {
  return {
      mount(0x1A01000001, "/", "apfs", local | root | snapshot | 0x1),
      mount(0x1302000000, "/dev", "devfs", local | dontbrowse),
      mount(0x1A01000002, "/System/Volumes/VM", "apfs", local | dontbrowse),
      mount(0x1A01000003, "/System/Volumes/Data", "apfs", local | dontbrowse, 0x1),
      mount(0x1403000000, "/System/Volumes/Data/home", "autofs", dontbrowse | 0x400000),
      mount(0x1A01000005, "/Volumes/Backup", "hfs"),
  };
}

const std::vector<Firmlink> firmlinks = {{"/Users", "Users"}, {"/usr/local", "usr/local"}};

const Volume& at(const MountTable& table, const std::string& path) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Volume& volume) {
    return volume.mount_point == path && !volume.hidden;
  });
  REQUIRE(found != table.end());
  return *found;
}

TEST_CASE("mac volumes: every field of a row is read") {
  const MountTable table = volumes_of({mount(0x1A01000001, "/", "apfs", local | root),
                                       mount(0x0000001CFE123456, "/Volumes/X", "hfs", local | 1)},
                                      {});
  REQUIRE(table.size() == 2);
  const Volume& volume = table[1];
  CHECK(volume.id == 0x0000001CFE123456);
  CHECK(volume.parent == 0x1A01000001);
  CHECK(volume.major == 0xFE);
  CHECK(volume.minor == 0x123456);
  CHECK(volume.mount_point == "/Volumes/X");
  CHECK(volume.subtree == "/");
  CHECK(volume.file_system == "hfs");
  CHECK(volume.source == "/dev/disk86");
  CHECK(volume.kind == VolumeKind::local);
  CHECK(volume.read_only);
  CHECK_FALSE(volume.hidden);
  CHECK_FALSE(volume.snapshot);
  CHECK(volume.browsable);
  CHECK(volume.case_sensitive);
  CHECK(volume.catalog == CatalogSupport::none);
  CHECK(volume.group == 0);
  CHECK_FALSE(volume.firmlink);
  CHECK_FALSE(table[0].read_only);
  CHECK(table[0].parent == 0);
}

TEST_CASE("mac volumes: type and flags make the kind") {
  const auto row = GENERATE(table<std::string, std::uint32_t, VolumeKind>({
      {"apfs", local, VolumeKind::local},
      {"hfs", local, VolumeKind::local},
      {"msdos", local, VolumeKind::local},
      {"smbfs", 0, VolumeKind::network},
      {"afpfs", 0, VolumeKind::network},
      {"nfs", 0, VolumeKind::network},
      {"macfuse", 0, VolumeKind::network},
      {"macfuse", local, VolumeKind::local},  // whoever mounted it says so
      {"devfs", local, VolumeKind::kernel},
      {"devfs", 0, VolumeKind::kernel},
      {"autofs", 0, VolumeKind::automount},
      {"autofs", local, VolumeKind::automount},
      {"nfs", 0x400000, VolumeKind::network},  // mounted by an automounter, and none itself
      {"apfs", local | 0x400000, VolumeKind::local},
  }));
  CAPTURE(std::get<0>(row), std::get<1>(row));
  const MountTable table = volumes_of({mount(7, "/m", std::get<0>(row), std::get<1>(row))}, {});
  REQUIRE(table.size() == 1);
  CHECK(table[0].kind == std::get<2>(row));
}

TEST_CASE("mac volumes: a snapshot is one, but the sealed system is just the system") {
  const MountTable table =
      volumes_of({mount(1, "/", "apfs", local | root | snapshot),
                  mount(2, "/Volumes/then", "apfs", local | snapshot | dontbrowse)},
                 {});
  CHECK_FALSE(table[0].snapshot);
  CHECK(table[0].browsable);
  CHECK(table[1].snapshot);
  CHECK_FALSE(table[1].browsable);
}

TEST_CASE("mac volumes: a volume is mounted on the innermost that was to be seen there") {
  const MountTable table =
      volumes_of({mount(1, "/"), mount(2, "/a"), mount(3, "/a/b"), mount(4, "/ab"),
                  mount(5, "/a/b/c/d"), mount(6, "/a"), mount(7, "/a/b/c")},
                 {});
  REQUIRE(table.size() == 7);
  CHECK(table[1].parent == 1);
  CHECK(table[2].parent == 2);
  CHECK(table[3].parent == 1);
  CHECK(table[4].parent == 3);
  CHECK(table[5].parent == 2);
  CHECK(table[6].parent == 6);
}

TEST_CASE("mac volumes: a later mount hides what lies at or below its place") {
  const MountTable table =
      volumes_of({mount(1, "/"), mount(2, "/a"), mount(3, "/a/b"), mount(4, "/ab"), mount(5, "/a"),
                  mount(6, "/a/b"), mount(7, "/a/b")},
                 {});
  std::vector<bool> hidden;
  for (const Volume& volume : table) hidden.push_back(volume.hidden);
  CHECK(hidden == std::vector<bool>{false, true, true, false, false, true, false});
}

TEST_CASE("mac volumes: the root hides nothing but an earlier root, wherever it is listed") {
  const MountTable table =
      volumes_of({mount(1, "/a"), mount(2, "/"), mount(3, "/b"), mount(4, "/")}, {});
  std::vector<bool> hidden;
  for (const Volume& volume : table) hidden.push_back(volume.hidden);
  CHECK(hidden == std::vector<bool>{false, true, false, false});
  CHECK(table[0].parent == 4);
  CHECK(table[1].parent == 0);
  CHECK(table[2].parent == 4);
  CHECK(table[3].parent == 2);
}

TEST_CASE("mac volumes: a mount without an absolute path is left out") {
  const MountTable table =
      volumes_of({mount(1, "", "apfs", local | root), mount(2, "x"),
                  mount(3, "/", "apfs", local | root), mount(4, "/System/Volumes/Data")},
                 {});
  REQUIRE(table.size() == 2);
  CHECK(table[0].id == 3);
  CHECK(table[0].group == 3);
  CHECK(table[1].group == 3);
  CHECK_FALSE(table[0].hidden);
}

TEST_CASE("mac volumes: the system and the Data volume are one group, named by the system") {
  const MountTable table = volumes_of(mac(), {});
  REQUIRE(table.size() == 6);
  CHECK(table[0].group == 0x1A01000001);
  CHECK(table[3].group == 0x1A01000001);
  for (const std::size_t other : {1U, 2U, 4U, 5U}) CHECK(table[other].group == 0);
}

TEST_CASE(
    "mac volumes: the Data volume is the one with its flag, failing that the one at its place") {
  const auto row = GENERATE(table<std::uint32_t, std::uint32_t, std::uint64_t>(
      {{0, 0, 2}, {1, 0, 2}, {0, 1, 3}, {1, 1, 2}}));
  const MountTable table =
      volumes_of({mount(1, "/", "apfs", local | root), mount(5, "/Volumes"),
                  mount(2, "/System/Volumes/Data", "apfs", local, std::get<0>(row)),
                  mount(3, "/Volumes/Data", "apfs", local, std::get<1>(row)),
                  mount(4, "/System/Volumes/Data/x")},
                 firmlinks);
  REQUIRE(table.size() == 7);
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK((table[i].group == 1) == (i == 0 || table[i].id == std::get<2>(row)));
  }
  CHECK(table[5].id == std::get<2>(row));
  CHECK(table[5].parent == 1);  // which shows it, wherever Data itself is mounted
}

TEST_CASE("mac volumes: a flag found first is not given up for the usual place") {
  const MountTable table =
      volumes_of({mount(1, "/", "apfs", local | root), mount(3, "/Volumes/Data", "apfs", local, 1),
                  mount(2, "/System/Volumes/Data")},
                 {});
  CHECK(table[1].group == 1);
  CHECK(table[2].group == 0);
}

TEST_CASE("mac volumes: without both of the pair there is no group, and firmlinks mean nothing") {
  std::vector<MountRecord> records = mac();
  const std::size_t without = GENERATE(0U, 3U);
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(without));
  const MountTable table = volumes_of(records, firmlinks);
  CHECK(table.size() == 5);
  for (const Volume& volume : table) CHECK(volume.group == 0);
  const MountTable alone = volumes_of({mount(1, "/", "apfs", local | root, 1)}, firmlinks);
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].group == 0);
}

TEST_CASE("mac volumes: a firmlink is a view of the Data volume") {
  const MountTable table = volumes_of(mac(), firmlinks);
  REQUIRE(table.size() == 8);
  const Volume& data = table[3];
  const Volume& view = table[7];
  CHECK(table[6].mount_point == "/Users");
  CHECK(view.mount_point == "/usr/local");
  CHECK(view.subtree == "/usr/local");
  CHECK(view.id == data.id);
  CHECK(view.parent == 0x1A01000001);
  CHECK(view.major == data.major);
  CHECK(view.minor == data.minor);
  CHECK(view.file_system == "apfs");
  CHECK(view.source == data.source);
  CHECK(view.kind == data.kind);
  CHECK(view.read_only == data.read_only);
  CHECK(view.group == data.group);
  CHECK(view.firmlink);
  CHECK_FALSE(view.hidden);
  // People are shown the view, not the volume.
  CHECK(view.browsable);
  CHECK_FALSE(data.browsable);
  CHECK_FALSE(data.firmlink);
}

TEST_CASE("mac volumes: what is mounted at or over a firmlink hides it, its Data volume does not") {
  const auto row = GENERATE(table<std::string, bool>({{"/usr/local", true},
                                                      {"/usr", true},
                                                      {"/usr/loc", false},
                                                      {"/usr/local/x", false},
                                                      {"/System/Volumes/Data", false}}));
  std::vector<MountRecord> records = mac();
  records.push_back(mount(9, std::get<0>(row)));
  const MountTable table = volumes_of(records, firmlinks);
  REQUIRE(table.size() == 9);
  CHECK(table[8].mount_point == "/usr/local");
  CHECK(table[8].hidden == std::get<1>(row));
  CHECK_FALSE(table[7].hidden);
}

TEST_CASE("mac volumes: what is mounted below a firmlink is mounted on the Data volume") {
  std::vector<MountRecord> records = mac();
  records.push_back(mount(8, "/Volumes/Backup/inner"));
  const MountTable table =
      volumes_of(records, {{"/Volumes", "Volumes"}, {"/System", "a loop, were it true"}});
  CHECK(at(table, "/Volumes/Backup").parent == 0x1A01000003);
  CHECK(at(table, "/Volumes/Backup/inner").parent == 0x1A01000005);
  CHECK(at(table, "/dev").parent == 0x1A01000001);
  CHECK(at(table, "/System/Volumes/Data").parent == 0x1A01000001);
}

TEST_CASE(
    "firmlinks: a line is a path and one below the Data volume; what is neither is left out") {
  const std::vector<Firmlink> read = parse_firmlinks(
      "/Users\tUsers\n"
      "\n"
      "/System/Library/Caches\tSystem/Library/Caches\n"
      "/two words\tof a na\303\244me\n"
      "# a comment\tx\n"
      "relative\trelative\n"
      "/no-tab\n"
      "/three\tfields\there\n"
      "/\troot\n"
      "/empty\t\n"
      "/absolute\t/absolute\n"
      "/slash/\tslash\n"
      "/slash\tslash/\n"
      "/double//slash\tx\n"
      "/up/../and\tx\n"
      "/and\t../up\n"
      "/here\t.\n"
      "\tx\n"
      "/last\tline");
  std::vector<std::string> lines;
  for (const Firmlink& firmlink : read) lines.push_back(firmlink.path + " > " + firmlink.target);
  CHECK(lines == std::vector<std::string>{"/Users > Users",
                                          "/System/Library/Caches > System/Library/Caches",
                                          "/two words > of a na\303\244me", "/last > line"});
  CHECK(parse_firmlinks("").empty());
  CHECK(parse_firmlinks(std::string_view("/a\0b\tc\n/d\te\0f\n", 14)).empty());
}

Bytes capabilities(std::uint32_t format, std::uint32_t interfaces, std::uint32_t valid_format,
                   std::uint32_t valid_interfaces) {
  Bytes bytes;
  bytes.u32(36).u32(format).u32(interfaces).u32(0).u32(0);
  return bytes.u32(valid_format).u32(valid_interfaces).u32(0).u32(0);
}

TEST_CASE(
    "capabilities: a catalog is claimed by what searches it and what leads from ids to paths") {
  struct Row {
    std::uint32_t format;
    std::uint32_t interfaces;
    std::uint32_t valid_format;
    std::uint32_t valid_interfaces;
    CatalogSupport catalog;
  };
  constexpr CatalogSupport none = CatalogSupport::none;
  const Row row = GENERATE_COPY(values<Row>({
      {0x4000, 0x1, 0x4000, 0x1, CatalogSupport::claimed},
      {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, CatalogSupport::claimed},
      {0, 0x1, 0x4000, 0x1, none},
      {0x4000, 0, 0x4000, 0x1, none},
      {0x4000, 0x1, 0, 0x1, none},
      {0x4000, 0x1, 0x4000, 0, none},
      {0x1, 0x4000, 0x1, 0x4000, none},
      {0xFFFFBFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, none},
      {0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF, none},
  }));
  const Bytes bytes =
      capabilities(row.format, row.interfaces, row.valid_format, row.valid_interfaces);
  Volume volume;
  volume.catalog = CatalogSupport::proven;
  CHECK(apply_capabilities(bytes.data(), bytes.size(), volume));
  CHECK(volume.catalog == row.catalog);
}

TEST_CASE("capabilities: case is told where it is known, and else left as it was") {
  const auto row = GENERATE(table<std::uint32_t, std::uint32_t, bool, bool>({
      {0x100, 0x100, false, true},
      {0, 0x100, true, false},
      {0x100, 0, true, true},
      {0, 0, true, true},
      {0x100, 0, false, false},
      {0xFFFFFEFF, 0xFFFFFFFF, true, false},
  }));
  const Bytes bytes = capabilities(std::get<0>(row), 0, std::get<1>(row), 0);
  Volume volume;
  volume.case_sensitive = std::get<2>(row);
  CHECK(apply_capabilities(bytes.data(), bytes.size(), volume));
  CHECK(volume.case_sensitive == std::get<3>(row));
}

TEST_CASE("capabilities: an answer that is cut short, or says that it is, changes nothing") {
  const Bytes bytes = capabilities(0x4000, 1, 0x4100, 1);
  Volume volume;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const std::unique_ptr<unsigned char[]> cut(new unsigned char[size]);
    std::copy(bytes.data(), bytes.data() + size, cut.get());
    CHECK_FALSE(apply_capabilities(cut.get(), size, volume));
  }
  const Bytes shorter = Bytes(bytes).put_u32(0, 35);
  CHECK_FALSE(apply_capabilities(shorter.data(), shorter.size(), volume));
  CHECK(volume.catalog == CatalogSupport::none);
  CHECK(volume.case_sensitive);
}

}  // namespace
}  // namespace ffind::darwin_volumes_test
