// SPDX-License-Identifier: MIT
// The tables of the volume probe, row by row: what a volume is and what is asked, to method,
// reader, threads and the reason; and what happens to what is asked for by force.
#include "plan/policy.h"

#include <limits>
#include <string>

#include "catch.h"
#include "ffind/issue.h"
#include "os/formats/mount_tables.h"
#include "unit/plan/mount_tables.h"

namespace ffind::plan::policy_test {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using testing::linux_machine;
using testing::mac_machine;

Volume volume_of_type(const std::string& type) {
  Volume volume;
  volume.id = 1;
  volume.mount_point = "/srv";
  volume.file_system = type;
  volume.kind = os::kind_of_file_system(type);
  return volume;
}

constexpr std::int64_t ext_mark = std::numeric_limits<std::int64_t>::max();

TEST_CASE("policy: volume by volume on Linux") {
  struct Row {
    const char* type;
    unsigned processors;
    Reader reader;
    unsigned threads;
    bool enter;
    std::int64_t end_mark;
  };
  const Row row = GENERATE(values<Row>({
      {"ext2", 8, Reader::getdents, 8, true, ext_mark},
      {"ext3", 8, Reader::getdents, 8, true, ext_mark},
      {"ext4", 1, Reader::getdents, 1, true, ext_mark},
      {"ext4", 16, Reader::getdents, 16, true, ext_mark},
      {"ext4", 128, Reader::getdents, 16, true, ext_mark},
      {"xfs", 8, Reader::getdents, 8, true, 0},
      {"btrfs", 8, Reader::getdents, 8, true, 0},
      {"f2fs", 8, Reader::getdents, 8, true, 0},
      {"tmpfs", 8, Reader::getdents, 8, true, 0},
      {"overlay", 8, Reader::getdents, 8, true, 0},
      {"fuseblk", 8, Reader::getdents, 8, true, 0},
      // Linux knows these as well, by names that macOS has too.
      {"hfs", 8, Reader::getdents, 8, true, 0},
      {"apfs", 8, Reader::getdents, 8, true, 0},
      {"exfat", 8, Reader::getdents, 8, true, 0},
      {"made tomorrow", 8, Reader::getdents, 8, true, 0},
      {"nfs4", 2, Reader::getdents, 64, true, 0},
      {"fuse.sshfs", 128, Reader::getdents, 64, true, 0},
      {"proc", 8, Reader::getdents, 2, true, 0},
      {"sysfs", 1, Reader::getdents, 1, true, 0},
      {"autofs", 8, Reader::getdents, 1, false, 0},
      {"", 8, Reader::readdir, 8, true, 0},  // in no mount table
      {"ext4", 0, Reader::getdents, 1, true, ext_mark},
  }));
  CAPTURE(row.type, row.processors);
  Machine machine = linux_machine();
  machine.processors = row.processors;
  for (const Needs needs : {needs::none, needs::metadata}) {
    const Choice choice =
        choose(volume_of_type(row.type), {}, {.needs = needs, .whole_volume = true}, machine);
    CHECK(choice.method == Method::walk);
    CHECK(choice.reader == row.reader);
    CHECK(choice.threads == row.threads);
    CHECK(choice.enter == row.enter);
    CHECK(choice.end_mark == row.end_mark);
    CHECK_FALSE(choice.method_reason.text.empty());
    CHECK_FALSE(choice.reader_reason.empty());
    CHECK_FALSE(choice.threads_reason.text.empty());
  }
}

// What a row on macOS starts from; each changes what it is about.
struct Asked {
  const char* type;
  CatalogSupport catalog = CatalogSupport::none;
  bool whole = true;
  Needs needs = needs::none;
  Scope scope = {};
  VolumeKind kind = VolumeKind::local;
  bool few_names = false;
};

struct Answer {
  Method method;
  Reader reader;
  unsigned threads;
  const char* method_reason;
  const char* reader_reason;
};

struct MacRow {
  Asked asked;
  Answer answer;
};

constexpr auto none = CatalogSupport::none;
constexpr auto claimed = CatalogSupport::claimed;
constexpr auto proven = CatalogSupport::proven;
constexpr auto disproved = CatalogSupport::disproved;
constexpr auto network = VolumeKind::network;
constexpr auto walk = Method::walk;
constexpr auto catalog = Method::catalog;
constexpr Needs size = needs::type | needs::size;

Scope forced(Method method, Reader reader = Reader::automatic) {
  Scope scope;
  scope.method = method;
  scope.reader = reader;
  return scope;
}

Scope with_reader(Reader reader) {
  return forced(Method::automatic, reader);
}

Scope following() {
  Scope scope;
  scope.follow = true;
  return scope;
}

Scope once_each() {
  Scope scope;
  scope.unique = true;
  return scope;
}

Scope to_depth(std::uint32_t depth) {
  Scope scope;
  scope.max_depth = depth;
  return scope;
}

void check(const MacRow& row) {
  Volume volume = volume_of_type(row.asked.type);
  volume.kind = row.asked.kind;
  volume.catalog = row.asked.catalog;
  CAPTURE(row.asked.type, to_text(row.asked.catalog), row.asked.whole, row.asked.needs,
          row.answer.method_reason, row.answer.reader_reason);
  const Choice choice = choose(
      volume, row.asked.scope,
      {.needs = row.asked.needs, .whole_volume = row.asked.whole, .few_names = row.asked.few_names},
      mac_machine());
  CHECK(to_text(choice.method) == to_text(row.answer.method));
  CHECK(to_text(choice.reader) == to_text(row.answer.reader));
  CHECK(choice.threads == row.answer.threads);
  CHECK_THAT(choice.method_reason.text + "; " + choice.method_reason.note,
             ContainsSubstring(row.answer.method_reason));
  CHECK_THAT(choice.reader_reason, ContainsSubstring(row.answer.reader_reason));
  CHECK_FALSE(choice.threads_reason.text.empty());
  CHECK(choice.enter == (row.asked.kind != VolumeKind::automount));
  CHECK(choice.end_mark == 0);
}

TEST_CASE("policy: volume by volume on macOS") {
  const auto bulk = Reader::bulk;
  const auto readdir = Reader::readdir;

  check(GENERATE_COPY(values<MacRow>({
      // HFS+: the catalog for all of it, bulk for a part.
      {{"hfs", claimed}, {catalog, bulk, 8, "one search of the volume's catalog", "for a walk"}},
      {{"hfs", proven}, {catalog, bulk, 8, "one search of the volume's catalog", "for a walk"}},
      {{"hfs", claimed, true, size}, {walk, bulk, 8, "may be out of date", "one call"}},
      {{"hfs", claimed, true, size, {}, VolumeKind::local, true},
       {catalog, bulk, 8, "one search", "one call"}},
      {{"hfs", claimed, true, needs::owner}, {catalog, bulk, 8, "one search", "one call"}},
      {{"hfs", claimed, false}, {walk, bulk, 8, "only part of the volume", "one call"}},
      {{"hfs", none}, {walk, bulk, 8, "does not claim", "one call"}},
      {{"hfs", disproved}, {walk, bulk, 8, "a trial failed", "one call"}},
      // APFS: bulk where more than names is wanted; its catalog only when asked for.
      {{"apfs", claimed}, {walk, readdir, 8, "only --method catalog", "only names"}},
      {{"apfs", claimed, false}, {walk, readdir, 8, "only --method catalog", "only names"}},
      {{"apfs", proven, true, needs::type},
       {walk, readdir, 8, "unreliable on types", "only names"}},
      {{"apfs", claimed, true, size}, {walk, bulk, 8, "unreliable on types", "names and metadata"}},
      {{"apfs", none, true, needs::identity}, {walk, bulk, 8, "does not claim", "in one call"}},
      {{"apfs", none, true, needs::relative_path | needs::depth | needs::directory},
       {walk, readdir, 8, "does not claim", "only names"}},
      {{"apfs", none, true, needs::target_mode},
       {walk, readdir, 8, "does not claim", "only names"}},
      // AFP: many servers only claim.
      {{"afpfs", proven, true, 0, {}, network}, {catalog, bulk, 8, "a trial showed", "the server"}},
      {{"afpfs", proven, false, 0, {}, network},
       {walk, bulk, 64, "only part of the", "the server"}},
      {{"afpfs", claimed, true, 0, {}, network},
       {walk, bulk, 64, "has not been tried", "the server"}},
      {{"afpfs", disproved, true, 0, {}, network}, {walk, bulk, 64, "trial failed", "the server"}},
      {{"afpfs", none, true, size, {}, network}, {walk, bulk, 64, "does not claim", "the server"}},
      // SMB and other servers.
      {{"smbfs", none, true, 0, {}, network}, {walk, readdir, 64, "no catalog", "no bulk call"}},
      {{"smbfs", none, true, size, {}, network}, {walk, readdir, 64, "no catalog", "no bulk call"}},
      {{"nfs", none, true, 0, {}, network},
       {walk, readdir, 64, "no catalog reader for nfs", "emulation"}},
      {{"nfs", none, true, size, {}, network}, {walk, readdir, 64, "no catalog", "emulation"}},
      {{"webdav", none, true, size, {}, network}, {walk, readdir, 64, "no catalog", "emulation"}},
      // What has not been measured.
      {{"msdos", none, true, size}, {walk, readdir, 8, "no catalog reader for msdos", "emulation"}},
      {{"exfat"}, {walk, readdir, 8, "no catalog reader for exfat", "FAT and NTFS"}},
      {{"ntfs", none, true, size}, {walk, readdir, 8, "no catalog", "FAT and NTFS"}},
      {{"ufsd_NTFS", none, true, size}, {walk, readdir, 8, "no catalog", "FAT and NTFS"}},
      {{"lifs", none, true, size}, {walk, readdir, 8, "no catalog", "FAT and NTFS"}},
      {{"zfs", claimed, true, size}, {walk, readdir, 8, "has not been measured", "known for zfs"}},
      {{"zfs"}, {walk, readdir, 8, "no catalog reader for zfs", "the portable way"}},
      {{""}, {walk, readdir, 8, "unknown volumes", "unknown volume"}},
      {{"devfs", none, true, size, {}, VolumeKind::kernel},
       {walk, readdir, 2, "no catalog", "the portable way"}},
      {{"autofs", none, true, 0, {}, VolumeKind::automount},
       {walk, readdir, 1, "no catalog", "the portable way"}},
      {{"autofs", claimed, true, 0, {}, VolumeKind::automount},
       {walk, readdir, 1, "has not been measured", "the portable way"}},
      {{"hfs", claimed, true, 0, {}, VolumeKind::automount},
       {walk, bulk, 1, "mounted on access", "one call"}},
  })));
}

TEST_CASE("policy: what is asked decides for or against the catalog") {
  const auto bulk = Reader::bulk;
  const auto readdir = Reader::readdir;

  check(GENERATE_COPY(values<MacRow>({
      {{"hfs", claimed, true, 0, following()}, {walk, bulk, 8, "links are followed", "one call"}},
      {{"hfs", claimed, true, 0, to_depth(3)},
       {walk, bulk, 8, "only as deep as allowed", "one call"}},
      {{"hfs", claimed, true, 0, once_each()}, {walk, bulk, 8, "visited directories", "one call"}},
      {{"hfs", claimed, true, size | needs::empty},
       {walk, bulk, 8, "empty directories", "one call"}},
      {{"hfs", claimed, true, 0, forced(walk)}, {walk, bulk, 8, "requested", "one call"}},
      {{"hfs", claimed, true, 0, with_reader(readdir)},
       {walk, readdir, 8, "a reader was requested", "requested"}},
      {{"hfs", claimed, true, 0, forced(walk, readdir)},
       {walk, readdir, 8, "requested", "requested"}},
      {{"hfs", claimed, true, 0, forced(catalog, readdir)},
       {catalog, readdir, 8, "requested", "should the catalog fail: requested"}},
      {{"hfs", claimed, false, 0, forced(catalog)}, {catalog, bulk, 8, "requested", "fail: names"}},
      {{"hfs", claimed, true, 0,
        [] {
          Scope scope = to_depth(3);
          scope.method = catalog;
          return scope;
        }()},
       {catalog, bulk, 8, "requested", "should the catalog fail"}},
      {{"apfs", claimed, true, 0, forced(catalog)},
       {catalog, readdir, 8, "each match is read again", "should the catalog fail"}},
      {{"apfs", claimed, true, 0, forced(catalog)},
       {catalog, readdir, 8, "only one of a file's hard links", "should the catalog fail"}},
      {{"afpfs", claimed, true, 0, forced(catalog), network},
       {catalog, Reader::bulk, 8, "requested", "should the catalog fail"}},
      {{"zfs", claimed, true, 0, forced(catalog)},
       {catalog, readdir, 8, "requested", "should the catalog fail"}},
  })));
}

// Linux: ext4, whose directories are read by number.

constexpr const char* closed = "directories that may be closed to this process";

Volume catalogued(const std::string& type, CatalogSupport support) {
  Volume volume = volume_of_type(type);
  volume.catalog = support;
  if (support == none) volume.catalog_note = "/dev/x cannot be read (Denied)";
  if (support == claimed) volume.catalog_note = closed;
  return volume;
}

struct LinuxRow {
  Scope scope;
  Method when_proven;
  const char* reason;  ///< when it is proven
};

void check_method(const Choice& choice, const LinuxRow& row, CatalogSupport support) {
  if (row.scope.method == walk || support == proven) {
    CHECK(to_text(choice.method) == to_text(row.when_proven));
    CHECK_THAT(choice.method_reason.text, ContainsSubstring(row.reason));
  } else {
    CHECK(choice.method == walk);
    CHECK_THAT(choice.method_reason.text,
               ContainsSubstring(support == none ? "/dev/x cannot be read" : closed));
  }
}

TEST_CASE("policy: catalogs of directories are read for any search, by who may list them all") {
  const std::string type = "ext4";
  const CatalogSupport support = GENERATE(values<CatalogSupport>({none, claimed, proven}));
  const bool whole = GENERATE(true, false);
  const Needs needs =
      GENERATE(values<Needs>({needs::none, size, size | needs::empty, needs::metadata}));
  const char* const saves = "read straight from the device";
  const LinuxRow row = GENERATE_COPY(values<LinuxRow>({
      {{}, catalog, saves},
      {once_each(), catalog, saves},
      {to_depth(1), catalog, saves},
      {following(), walk, "links are followed"},
      {with_reader(Reader::getdents), walk, "a reader was requested"},
      {forced(walk), walk, "requested"},
      {forced(walk, Reader::fts), walk, "requested"},
  }));
  CAPTURE(type, to_text(support), whole, needs, row.reason);
  const Choice choice = choose(catalogued(type, support), row.scope,
                               {.needs = needs, .whole_volume = whole}, linux_machine());
  CHECK(choice.catalog_shape == CatalogShape::directories);
  CHECK(choice.threads == 8);
  CHECK_THAT(choice.threads_reason.text, ContainsSubstring("one per processor"));
  check_method(choice, row, support);
  // The walk is prepared all the same: of what the catalog does not tell.
  const bool for_the_rest =
      choice.reader_reason.starts_with("for what the catalog does not contain:");
  CHECK(for_the_rest == (choice.method == catalog));
  if (choice.reader == Reader::getdents) CHECK(choice.end_mark == ext_mark);
}

TEST_CASE("policy: others have no catalog reader, and --method catalog says so") {
  const std::string type = GENERATE(values<std::string>({"btrfs", "xfs", "ext2", "ext3"}));
  const Choice choice = choose(volume_of_type(type), {}, {.needs = size}, linux_machine());
  CHECK(choice.method == walk);
  CHECK(choice.method_reason.text == "no catalog reader for " + type);
  CHECK_THROWS_MATCHES(choose(volume_of_type(type), forced(catalog), {}, linux_machine()),
                       UsageError,
                       MessageMatches(ContainsSubstring("no catalog reader for " + type)));
}

TEST_CASE("policy: a catalog of directories by force") {
  const std::string type = "ext4";
  const bool whole = GENERATE(true, false);
  const Reader reader = GENERATE(values<Reader>({Reader::automatic, Reader::readdir}));
  const Needs needs = GENERATE(values<Needs>({needs::none, size | needs::empty}));
  Scope scope = forced(catalog, reader);
  scope.unique = GENERATE(true, false);
  scope.max_depth = GENERATE(values<std::uint32_t>({2U, unlimited_depth}));
  const Demand demand{.needs = needs, .whole_volume = whole};

  const Choice own = choose(catalogued(type, proven), scope, demand, linux_machine());
  CHECK(own.method == catalog);
  CHECK(own.catalog_shape == CatalogShape::directories);
  CHECK(own.method_reason.text == "requested");

  const Choice beyond = choose(catalogued(type, claimed), scope, demand, linux_machine());
  CHECK(beyond.method == catalog);
  CHECK(beyond.method_reason.text == "requested");
  CHECK_THAT(beyond.method_reason.note,
             ContainsSubstring("lists directories that are closed to this process"));

  CHECK_THROWS_MATCHES(
      choose(catalogued(type, none), scope, demand, linux_machine()), UsageError,
      MessageMatches(ContainsSubstring("--method catalog") && ContainsSubstring("/srv") &&
                     ContainsSubstring("/dev/x cannot be read (Denied)")));
  scope.follow = true;
  CHECK_THROWS_MATCHES(choose(catalogued(type, proven), scope, demand, linux_machine()), UsageError,
                       MessageMatches(ContainsSubstring("links are followed")));
}

TEST_CASE("policy: SMB is listed in bulk if the volume says that its server can do it") {
  Volume volume = volume_of_type("smbfs");
  volume.kind = network;
  for (const Needs needs : {needs::none, size}) {
    volume.bulk_claimed = true;
    CHECK(choose(volume, {}, {.needs = needs}, mac_machine()).reader == Reader::bulk);
    volume.bulk_claimed = false;
    CHECK(choose(volume, {}, {.needs = needs}, mac_machine()).reader == Reader::readdir);
  }
  // It decides how a walk reads, so links and a requested walk do not make it unnecessary.
  CHECK(capabilities_matter(volume, following()));
  CHECK(capabilities_matter(volume, forced(walk)));
  CHECK_FALSE(capabilities_matter(volume, forced(walk, Reader::readdir)));
  CHECK_FALSE(capabilities_matter(volume_of_type("apfs"), forced(walk)));
}

TEST_CASE("policy: APFS gets a thread for each performance core, at most 8, and no more") {
  struct Row {
    unsigned processors;
    unsigned fast;
    unsigned threads;
  };
  const Row row =
      GENERATE(values<Row>({{8, 0, 8}, {8, 4, 4}, {10, 8, 8}, {16, 12, 8}, {4, 0, 4}, {24, 0, 8}}));
  CAPTURE(row.processors, row.fast);
  Machine machine = mac_machine();
  machine.processors = row.processors;
  machine.fast_processors = row.fast;
  const Choice choice = choose(volume_of_type("apfs"), {}, {}, machine);
  CHECK(choice.threads == row.threads);
  CHECK(choice.most_threads <= choice.threads);
  CHECK_THAT(choice.threads_reason.text, ContainsSubstring("performance core"));
  // Other volumes of the same machine use all processors.
  CHECK(choose(volume_of_type("hfs"), {}, {}, machine).most_threads == 64);
}

TEST_CASE("policy: volumes are asked of their catalogs where that can change something") {
  const auto catalogs_matter = [](const Scope& scope) {
    return capabilities_matter(volume_of_type("hfs"), scope);
  };
  CHECK(catalogs_matter({}));
  CHECK(catalogs_matter(once_each()));
  CHECK(catalogs_matter(to_depth(2)));
  CHECK(catalogs_matter(forced(catalog)));
  CHECK(catalogs_matter(forced(catalog, Reader::readdir)));
  CHECK_FALSE(catalogs_matter(forced(walk)));
  CHECK_FALSE(catalogs_matter(with_reader(Reader::fts)));
  CHECK_FALSE(catalogs_matter(following()));
  Scope scope = following();
  scope.method = catalog;
  CHECK(catalogs_matter(scope));  // refused, for the right reason

  // Wherever it says no, a volume that was not asked is searched like one that was.
  for (const Scope& settled : {forced(walk), with_reader(Reader::fts), following()}) {
    for (const CatalogSupport support : {claimed, proven}) {
      const Choice unasked = choose(volume_of_type("ext4"), settled, {}, linux_machine());
      const Choice asked = choose(catalogued("ext4", support), settled, {}, linux_machine());
      CHECK(unasked.method == asked.method);
      CHECK(unasked.reader == asked.reader);
      CHECK(unasked.threads == asked.threads);
      CHECK(unasked.end_mark == asked.end_mark);
    }
  }
}

TEST_CASE("policy: without a reader that is known to be quick, the portable one") {
  const Machine machine{.processors = 4, .readers = {Reader::readdir}};
  for (const char* const type : {"ext4", "hfs", "apfs", "afpfs"}) {
    const Choice choice = choose(volume_of_type(type), {}, {.needs = size}, machine);
    CHECK(choice.reader == Reader::readdir);
    CHECK(choice.end_mark == 0);
    CHECK_THAT(choice.reader_reason, ContainsSubstring("nothing faster is known for"));
  }
}

TEST_CASE("policy: a local volume or a server gets more threads while it is slow") {
  for (const char* type : {"ext4", "xfs", "btrfs", ""}) {
    CAPTURE(type);
    const Choice choice = choose(volume_of_type(type), {}, {}, linux_machine());
    CHECK(choice.most_threads == 64);
    CHECK_THAT(choice.threads_reason.text, ContainsSubstring("(up to 64 on a slow disk)"));
  }
  for (const char* type : {"nfs4", "fuse.sshfs"}) {
    CAPTURE(type);
    const Choice choice = choose(volume_of_type(type), {}, {}, linux_machine());
    CHECK(choice.threads == 64);
    CHECK(choice.most_threads == 160);
    CHECK(choice.busy_threads == linux_machine().processors);
    CHECK_THAT(choice.threads_reason.text, ContainsSubstring("(up to 160 if it is slow)"));
  }
  for (const char* type : {"proc", "autofs"}) {
    CAPTURE(type);
    const Choice choice = choose(volume_of_type(type), {}, {}, linux_machine());
    CHECK(choice.most_threads <= choice.threads);
    CHECK_THAT(choice.threads_reason.text, !ContainsSubstring("up to"));
  }
}

TEST_CASE("policy: what is asked for goes before the table") {
  Scope scope = forced(walk, Reader::fts);
  scope.threads = 3;
  const Choice choice = choose(volume_of_type("ext4"), scope, {}, linux_machine());
  CHECK(choice.threads == 3);
  CHECK(choice.most_threads == 3);
  CHECK(choice.threads_reason.text == "requested");
  CHECK(choice.reader == Reader::fts);
  CHECK(choice.reader_reason == "requested");
  CHECK(choice.end_mark == 0);  // fts sees no d_off
  CHECK(choice.method_reason.text == "requested");

  scope.threads = 200;
  CHECK(choose(volume_of_type("proc"), scope, {}, linux_machine()).threads == 200);
}

TEST_CASE("policy: a reader that cannot be had is refused with the reason") {
  CHECK_THROWS_MATCHES(
      choose(volume_of_type("ext4"), with_reader(Reader::bulk), {}, linux_machine()), UsageError,
      MessageMatches(ContainsSubstring("--reader bulk") && ContainsSubstring("getattrlistbulk") &&
                     ContainsSubstring("getdents, readdir, fts")));
  CHECK_THROWS_MATCHES(
      choose(volume_of_type("apfs"), with_reader(Reader::getdents), {}, mac_machine()), UsageError,
      MessageMatches(ContainsSubstring("--reader getdents") && ContainsSubstring("only Linux")));
  CHECK_THROWS_MATCHES(
      choose(volume_of_type("ext4"), with_reader(Reader::fts), {},
             Machine{.processors = 1, .readers = {Reader::readdir}}),
      UsageError,
      MessageMatches(ContainsSubstring("--reader fts") && ContainsSubstring("C library")));
}

TEST_CASE("policy: a catalog that cannot be had is refused with the reason") {
  struct Row {
    const char* type;
    CatalogSupport support;
    VolumeKind kind;
    bool follow;
    const char* reason;
    bool unusual_names = false;
  };
  const auto local = VolumeKind::local;
  const Row row = GENERATE_COPY(values<Row>({
      {"ext4", none, local, false, "no catalog reader for ext4"},
      {"", none, local, false, "no catalog reader for unknown volumes"},
      {"apfs", none, local, false, "does not claim"},
      {"afpfs", disproved, network, false, "a trial failed"},
      {"hfs", claimed, local, true, "links are followed"},
      {"hfs", claimed, VolumeKind::automount, false, "mounted on access"},
      {"apfs", claimed, local, false, "what firmlinks show", true},
  }));
  CAPTURE(row.type, to_text(row.support));
  Volume volume = volume_of_type(row.type);
  volume.catalog = row.support;
  volume.kind = row.kind;
  Scope scope = forced(catalog);
  scope.follow = row.follow;
  const Demand demand{.whole_volume = true, .unusual_names = row.unusual_names};
  CHECK_THROWS_MATCHES(
      choose(volume, scope, demand, mac_machine()), UsageError,
      MessageMatches(ContainsSubstring("--method catalog") && ContainsSubstring("/srv") &&
                     ContainsSubstring(row.reason) && ContainsSubstring("--method walk")));
}

}  // namespace
}  // namespace ffind::plan::policy_test
