// SPDX-License-Identifier: MIT
// make_plan: how roots are opened and printed, which are searched, tasks and boundaries, crossing.
#include "ffind/plan.h"

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "ffind/issue.h"
#include "plan/mounts.h"
#include "unit/plan/mount_tables.h"

namespace ffind::plan::plan_test {
namespace {

using testing::boundary_at;
using testing::crossing;
using testing::directory;
using testing::file;
using testing::link;
using testing::linux_machine;
using testing::mounts_of;
using testing::roots_of;
using testing::to_depth;

using Texts = std::vector<std::string>;

Plan plan_for(const std::string& table, const std::vector<Location>& locations,
              const Scope& scope = {}, Needs needs = needs::none, const Enters& enters = {}) {
  Query query;
  query.scope = scope;
  return make_plan(query, {needs}, mounts_of(table), locations, linux_machine(), enters);
}

TEST_CASE("plan: where no entry can match nothing is searched, and missing roots are missing") {
  Location missing = directory("nowhere", "/nowhere");
  missing.error = 2;
  Query query;
  const std::vector<Location> roots = {directory("", "/srv"), missing, directory("/srv/a")};
  const auto plan_with = [&](bool nothing) {
    return make_plan(query, {.nothing = nothing}, mounts_of("nfs_homes"), roots, linux_machine());
  };
  CHECK_FALSE(plan_with(false).tasks.empty());
  const Plan plan = plan_with(true);
  CHECK(plan.tasks.empty());
  REQUIRE(plan.missing.size() == 1);
  CHECK(plan.missing[0].typed == "nowhere");
  REQUIRE(plan.dropped.size() == 2);
  CHECK(plan.dropped[0].typed == ".");
  CHECK(plan.dropped[1].typed == "/srv/a");
  CHECK(plan.dropped[1].reason == "no file can match");
  query.scope.method = Method::catalog;
  CHECK_THROWS_AS(plan_with(true), UsageError);
}

TEST_CASE("plan: a task knows whether its method was requested") {
  Scope scope;
  const auto kind = [&] {
    return plan_for("nfs_homes", {directory("", "/srv")}, scope)
        .tasks.front()
        .choice.method_reason.kind;
  };
  CHECK(kind() == Reason::Kind::absence);
  scope.method = Method::walk;
  CHECK(kind() == Reason::Kind::requested);
}

TEST_CASE("plan: a current directory that cannot be searched has a name for messages") {
  Location closed = directory("", "/srv");
  closed.error = 13;
  const Plan plan = plan_for("nfs_homes", {closed});
  REQUIRE(plan.missing.size() == 1);
  CHECK(plan.missing[0].typed == ".");
}

TEST_CASE("plan: how a root is opened and printed") {
  struct Row {
    const char* typed;
    FileType type;
    const char* open_path;
    const char* printed;
  };
  const Row row = GENERATE(values<Row>({
      {"", FileType::directory, ".", ""},
      {".", FileType::directory, ".", "./"},
      {"./", FileType::directory, "./", "./"},
      {"a", FileType::directory, "a", "a/"},
      {"a/b/", FileType::directory, "a/b/", "a/b/"},
      {"a//b//", FileType::directory, "a//b//", "a//b/"},
      {"/", FileType::directory, "/", "/"},
      {"//", FileType::directory, "//", "/"},
      {"/srv", FileType::directory, "/srv", "/srv/"},
      {"..", FileType::directory, "..", "../"},
      {"-a", FileType::directory, "./-a", "./-a/"},
      {"-a/b", FileType::unknown, "./-a/b", "./-a/b/"},
      {"f.txt", FileType::file, "f.txt", ""},
      {"a/f.txt", FileType::file, "a/f.txt", "a/"},
      {"/f.txt", FileType::file, "/f.txt", "/"},
      {"./f.txt", FileType::symlink, "./f.txt", "./"},
      {"-f.txt", FileType::file, "./-f.txt", "./"},
      {"-a/f.txt", FileType::fifo, "./-a/f.txt", "./-a/"},
  }));
  CAPTURE(row.typed);
  Location location = directory(row.typed, "/work/x");
  location.type = row.type;
  const Plan plan = plan_for("ubuntu_laptop", {location});
  REQUIRE(plan.tasks.size() == 1);
  REQUIRE(plan.tasks[0].roots.size() == 1);
  const Root& root = plan.tasks[0].roots[0];
  CHECK(root.open_path == row.open_path);
  CHECK(root.printed == row.printed);
  CHECK(root.below.empty());
  CHECK(root.depth == 0);
  CHECK(root.canonical == "/work/x");
  CHECK(root.absolute == "/work/x");
}

TEST_CASE("plan: the absolute path is as typed where that is known") {
  Location location = directory("link", "/srv/data");
  location.absolute = "/home/ann/link";
  const Plan plan = plan_for("ubuntu_laptop", {location});
  CHECK(plan.tasks.at(0).roots.at(0).absolute == "/home/ann/link");
  CHECK(plan.tasks.at(0).roots.at(0).canonical == "/srv/data");
}

TEST_CASE("plan: one task a volume, in the order in which they were named") {
  const Plan plan = plan_for("nfs_homes", {directory("/srv/models"), directory("/usr"),
                                           directory("/home/ann"), directory("/etc")});
  REQUIRE(plan.tasks.size() == 3);
  CHECK(plan.tasks[0].volume.file_system == "fuse.sshfs");
  CHECK(plan.tasks[0].choice.threads == 64);
  CHECK(plan.tasks[1].volume.file_system == "xfs");
  CHECK(plan.tasks[1].choice.threads == 8);
  CHECK(plan.tasks[2].volume.file_system == "nfs4");
  CHECK(roots_of(plan) == Texts{"/srv/models/ /srv/models 0", "/usr/ /usr 0", "/etc/ /etc 0",
                                "/home/ann/ /home/ann 0"});
}

TEST_CASE("plan: the mount id goes before the path") {
  Location hidden = directory("", "/c/in");
  hidden.volume = 26;
  const Plan plan = plan_for("overmounts", {hidden}, crossing());
  REQUIRE(plan.tasks.size() == 1);
  CHECK(plan.tasks[0].volume.source == "under");
  CHECK(plan.tasks[0].boundaries.empty());
}

TEST_CASE("plan: a root on no listed volume is read the portable way") {
  Location location = directory("/");
  location.volume = 500;
  const Plan plan = plan_for("chroot", {location}, crossing());
  REQUIRE(plan.tasks.size() == 3);
  CHECK(plan.tasks[0].volume.id == 500);
  CHECK(plan.tasks[0].choice.reader == Reader::readdir);
  CHECK(roots_of(plan) ==
        Texts{"/ / 0", "/srv/images/ /srv/images 2", "/srv/images/tmp/ /srv/images/tmp 3"});
}

TEST_CASE("plan: a root that nobody probed is planned by its path") {
  Location location = directory("/srv/models/x");
  location.type = FileType::unknown;
  location.probed = false;
  const Plan plan = plan_for("nfs_homes", {location});
  REQUIRE(plan.tasks.size() == 1);
  CHECK(plan.tasks[0].volume.id == 49);
}

TEST_CASE("plan: missing roots are told, and do not stop the others") {
  Location missing = directory("gone", "/gone");
  missing.error = 2;
  const Plan plan = plan_for("ubuntu_laptop", {missing, directory("/etc")});
  REQUIRE(plan.missing.size() == 1);
  CHECK(plan.missing[0].typed == "gone");
  CHECK(roots_of(plan) == Texts{"/etc/ /etc 0"});
}

TEST_CASE("plan: a directory of triggers is listed, not entered") {
  const Plan plan = plan_for("nfs_homes", {directory("/home")}, crossing(true));
  REQUIRE_FALSE(plan.tasks.empty());
  CHECK_FALSE(plan.tasks[0].choice.enter);
  // What is mounted already may be entered all the same.
  CHECK(roots_of(plan) == Texts{"/home/ /home 0", "/home/ann/ /home/ann 1",
                                "/home/ann/scratch/ /home/ann/scratch 2"});
}

TEST_CASE("plan: roots inside one another are searched once") {
  struct Row {
    const char* what;
    std::vector<Location> locations;
    Scope scope;
    Needs needs;
    Texts kept;
  };
  Scope visible_only;
  visible_only.skip_hidden = true;
  Scope deep_only;
  deep_only.min_depth = 2;
  const auto a = directory("a", "/a");
  const auto b = directory("a/b", "/a/b");
  const auto hidden = directory("a/.b", "/a/.b");
  const auto in_hidden = directory("a/.b/c", "/a/.b/c");
  const Row row = GENERATE_COPY(values<Row>({
      {"the same twice", {a, directory("./a", "/a")}, {}, 0, {"a/ /a 0"}},
      {"the same to a depth", {a, directory("./a", "/a")}, to_depth(1), 0, {"a/ /a 0"}},
      {"outer first", {a, b}, {}, 0, {"a/ /a 0"}},
      {"inner first", {b, a}, {}, 0, {"a/ /a 0"}},
      {"three deep", {directory("a/b/c", "/a/b/c"), a, b}, {}, 0, {"a/ /a 0"}},
      {"beside", {a, directory("ab", "/ab")}, {}, 0, {"a/ /a 0", "ab/ /ab 0"}},
      {"a file inside", {a, file("a/f", "/a/f")}, {}, 0, {"a/ /a 0"}},
      {"a file around", {file("a", "/a"), b}, {}, 0, {" /a 0", "a/b/ /a/b 0"}},
      {"the same file", {file("a/f", "/a/f"), file("./a/f", "/a/f")}, {}, 0, {"a/ /a/f 0"}},
      {"a link to it",
       {link("lf", "/lf", "/a/f"), file("a/f", "/a/f"), link("./lf", "/lf", "/a/f")},
       {},
       0,
       {" /a/f 0", "a/ /a/f 0"}},
      {"a link into it", {a, link("lf", "/lf", "/a/f")}, {}, 0, {"a/ /a 0", " /a/f 0"}},
      {"a link inside", {a, link("a/lf", "/a/lf", "/f")}, {}, 0, {"a/ /a 0", "a/ /f 0"}},
      {"to a depth", {a, b}, to_depth(1), 0, {"a/ /a 0", "a/b/ /a/b 0"}},
      {"from a depth", {a, b}, deep_only, 0, {"a/ /a 0"}},
      {"path tests", {a, b}, {}, needs::relative_path, {"a/ /a 0", "a/b/ /a/b 0"}},
      {"metadata tests", {a, b}, {}, needs::metadata, {"a/ /a 0"}},
      {"hidden, all", {a, hidden}, {}, 0, {"a/ /a 0"}},
      {"hidden, none", {a, hidden}, visible_only, 0, {"a/ /a 0", "a/.b/ /a/.b 0"}},
      {"in hidden", {a, in_hidden}, visible_only, 0, {"a/ /a 0", "a/.b/c/ /a/.b/c 0"}},
      {"not hidden", {a, b}, visible_only, 0, {"a/ /a 0"}},
      {"other volume",
       {directory("/"), directory("/boot/efi")},
       {},
       0,
       {"/ / 0", "/boot/efi/ /boot/efi 0"}},
  }));
  CAPTURE(row.what);
  const Plan plan = plan_for("ubuntu_laptop", row.locations, row.scope, row.needs);
  CHECK(roots_of(plan) == row.kept);
  CHECK(plan.dropped.size() + row.kept.size() == row.locations.size());
}

TEST_CASE("plan: a root that patterns keep the outer one from stays") {
  Texts asked;
  const Enters enters = [&](const Root& root, std::string_view relative, std::uint32_t depth) {
    asked.push_back(std::string(relative) + " " + root.absolute + " " + std::to_string(depth));
    return !relative.ends_with("/y");
  };
  const Plan plan = plan_for(
      "ubuntu_laptop",
      {directory("a", "/w/a"), directory("a/x/y/z", "/w/a/x/y/z"), directory("a/x", "/w/a/x")}, {},
      0, enters);
  CHECK(roots_of(plan) == Texts{"a/ /w/a 0", "a/x/y/z/ /w/a/x/y/z 0"});
  CHECK(asked == Texts{"x /w/a 1", "x /w/a 1", "x/y /w/a 2"});
  REQUIRE(plan.dropped.size() == 1);
  CHECK(plan.dropped[0].typed == "a/x");
  CHECK(plan.dropped[0].reason == "is within a, which is searched");
}

TEST_CASE("plan: very many roots are no reason to wait") {
  std::vector<Location> locations;
  for (int i = 0; i < 50000; ++i) locations.push_back(directory("/w/" + std::to_string(i)));
  locations.push_back(directory("/w/7/x"));
  const Plan plan = plan_for("ubuntu_laptop", locations);
  CHECK(plan.tasks.at(0).roots.size() == 50000);
  CHECK(plan.dropped.size() == 1);
}

TEST_CASE("plan: boundaries are what a walk meets, and say what becomes of them") {
  const Plan plan = plan_for("nfs_homes", {directory("/")});
  REQUIRE(plan.tasks.size() == 1);
  CHECK(plan.tasks[0].boundaries.size() == 4);
  struct Row {
    const char* path;
    VolumeKind kind;
    bool left_out;
  };
  const Row row = GENERATE(values<Row>({
      {"/home", VolumeKind::automount, false},
      {"/net/archive", VolumeKind::network, true},
      {"/proc", VolumeKind::kernel, false},
      {"/srv/models", VolumeKind::network, true},
  }));
  CAPTURE(row.path);
  const Boundary boundary = boundary_at(plan, row.path);
  CHECK(boundary.path == row.path);
  CHECK(boundary.kind == row.kind);
  CHECK(boundary.left_out == row.left_out);
  CHECK_FALSE(boundary.entered);
  CHECK_FALSE(boundary.reason.empty());
  CHECK(boundary.volume != 0);
}

TEST_CASE("plan: a mounted volume that is named itself is not left out") {
  const Plan plan = plan_for("ubuntu_laptop", {directory("/"), directory("/boot/efi")});
  CHECK(boundary_at(plan, "/boot/efi").entered);
  CHECK_FALSE(boundary_at(plan, "/boot/efi").left_out);
  CHECK(boundary_at(plan, "/run").left_out);
  const Plan part = plan_for("ubuntu_laptop", {directory("/"), directory("/boot/efi/EFI")});
  CHECK(boundary_at(part, "/boot/efi").left_out);
}

TEST_CASE("plan: what crossing would not enter is not left out") {
  CHECK_FALSE(
      boundary_at(plan_for("ubuntu_laptop", {directory("/")}, to_depth(2)), "/boot/efi").left_out);
  CHECK(
      boundary_at(plan_for("ubuntu_laptop", {directory("/")}, to_depth(3)), "/boot/efi").left_out);
  // /data shows a part of what /work shows.
  const Plan plan = plan_for("docker_container", {directory("/")});
  CHECK(boundary_at(plan, "/work").left_out);
  CHECK_FALSE(boundary_at(plan, "/data").left_out);
  CHECK(boundary_at(plan, "/data").reason == "the same as /work/data");
}

TEST_CASE("crossing: each file system's tree once") {
  struct Row {
    const char* table;
    std::vector<Location> locations;
    Scope scope;
    Texts roots;
  };
  const Row row = GENERATE(values<Row>({
      {"nfs_homes", {directory("/")}, crossing(), {"/ / 0"}},
      {"nfs_homes",
       {directory("/")},
       crossing(true),
       {"/ / 0", "/home/ann/ /home/ann 2", "/home/ann/scratch/ /home/ann/scratch 3",
        "/net/archive/ /net/archive 2", "/srv/models/ /srv/models 2"}},
      {"docker_container",
       {directory("/")},
       crossing(),
       {"/ / 0", "/dev/ /dev 1", "/dev/shm/ /dev/shm 2", "/etc/hostname/ /etc/hostname 2",
        "/etc/hosts/ /etc/hosts 2", "/etc/resolv.conf/ /etc/resolv.conf 2",
        "/proc/acpi/ /proc/acpi 2", "/work/ /work 1"}},
      {"docker_container",
       {directory("", "/etc")},
       crossing(),
       {" /etc 0", "hostname/ /etc/hostname 1", "hosts/ /etc/hosts 1",
        "resolv.conf/ /etc/resolv.conf 1"}},
      // The whole file system is mounted too, and shows /@home and /@log.
      {"btrfs_laptop", {directory("/")}, crossing(), {"/ / 0", "/mnt/btrfs/ /mnt/btrfs 2"}},
      {"btrfs_laptop",
       {directory("/home"), directory("/var")},
       crossing(),
       {"/home/ /home 0", "/var/ /var 0", "/var/log/ /var/log 1"}},
      {"overmounts",
       {directory("/")},
       crossing(),
       {"/ / 0", "/a/ /a 1", "/a/b/ /a/b 2", "/a-b/ /a-b 1", "/c/ /c 1", "/run/ /run 1",
        "/run/lock/ /run/lock 2"}},
      {"overmounts",
       {directory("/"), directory("/a"), directory("/a/b/x")},
       crossing(),
       {"/ / 0", "/a/ /a 1", "/a/b/ /a/b 2", "/a-b/ /a-b 1", "/c/ /c 1", "/run/ /run 1",
        "/run/lock/ /run/lock 2"}},
      {"overmounts",
       {directory("/")},
       to_depth(2, crossing()),
       {"/ / 0", "/a/ /a 1", "/a-b/ /a-b 1", "/c/ /c 1", "/run/ /run 1"}},
  }));
  CAPTURE(row.table, row.locations.size());
  CHECK(roots_of(plan_for(row.table, row.locations, row.scope)) == row.roots);
}

TEST_CASE("crossing: a root below says how it is opened, printed and matched") {
  Location location = directory("up/link/", "/media");
  location.absolute = "/home/ann/link";
  const Plan plan = plan_for("ubuntu_laptop", {location}, crossing());
  REQUIRE(plan.tasks.size() == 2);
  const Root& root = plan.tasks[1].roots.at(0);
  CHECK(root.open_path == "up/link/ann/Stick of Ann");
  CHECK(root.printed == "up/link/ann/Stick of Ann/");
  CHECK(root.absolute == "/home/ann/link/ann/Stick of Ann");
  CHECK(root.canonical == "/media/ann/Stick of Ann");
  CHECK(root.below == "ann/Stick of Ann");
  CHECK(root.depth == 2);
  CHECK(boundary_at(plan, "/media/ann/Stick of Ann").entered);
}

TEST_CASE("crossing: a mount point that begins with a hyphen is no option") {
  Query query;
  query.scope = crossing();
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
      "2 1 8:2 / /w/-m rw - ext4 /dev/sdb rw\n");
  const Plan plan = make_plan(query, {}, table, {directory("", "/w")}, linux_machine());
  REQUIRE(plan.tasks.size() == 2);
  CHECK(plan.tasks[1].roots[0].open_path == "./-m");
  CHECK(plan.tasks[1].roots[0].printed == "./-m/");
  CHECK(plan.tasks[1].roots[0].below == "-m");
}

TEST_CASE("crossing: patterns and hidden names on the way keep volumes out") {
  const Enters enters = [](const Root&, std::string_view relative, std::uint32_t) {
    return relative != "run";
  };
  const Plan plan = plan_for("overmounts", {directory("/")}, crossing(), 0, enters);
  CHECK(roots_of(plan) == Texts{"/ / 0", "/a/ /a 1", "/a/b/ /a/b 2", "/a-b/ /a-b 1", "/c/ /c 1"});
  CHECK_FALSE(boundary_at(plan, "/run").left_out);

  Query query;
  query.scope = crossing();
  query.scope.skip_hidden = true;
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
      "2 1 8:2 / /w/.m/x rw - ext4 /dev/sdb rw\n"
      "3 1 8:3 / /w/m/x rw - ext4 /dev/sdc rw\n");
  CHECK(roots_of(make_plan(query, {}, table, {directory("/w")}, linux_machine())) ==
        Texts{"/w/ /w 0", "/w/m/x/ /w/m/x 2"});
}

TEST_CASE("crossing: a part that the walk does not reach is entered through another view") {
  // /b shows /a/deep. Where /a is excluded, only /b is left to show it.
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
      "2 1 8:1 /a/deep /b rw - ext4 /dev/sda rw\n");
  Query query;
  query.scope = crossing();
  const auto roots = [&](const Enters& enters) {
    return roots_of(make_plan(query, {}, table, {directory("/")}, linux_machine(), enters));
  };
  CHECK(roots({}) == Texts{"/ / 0"});
  CHECK(roots([](auto& /*root*/, auto relative, auto) { return relative != "a"; }) ==
        Texts{"/ / 0", "/b/ /b 1"});
}

TEST_CASE(
    "crossing: a walk that enters other volumes itself has no boundaries and no other tasks") {
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
      "2 1 8:1 /a /b rw - ext4 /dev/sda rw\n"
      "3 1 0:5 / /proc rw - proc proc rw\n"
      "4 1 8:2 / /usb rw - ext4 /dev/sdb rw\n");
  Query query;
  for (const Scope::Mounts mounts : {Scope::Mounts::all, Scope::Mounts::of_device}) {
    query.scope.mounts = mounts;
    const Plan plan = make_plan(query, {}, table, {directory("/")}, linux_machine());
    CHECK(roots_of(plan) == Texts{"/ / 0"});
    CHECK(plan.tasks[0].boundaries.empty());
    CHECK(plan.tasks[0].choice.method == Method::walk);
  }
  query.scope.mounts = Scope::Mounts::by_kind;
  const Plan plan = make_plan(query, {}, table, {directory("/")}, linux_machine());
  CHECK(plan.tasks[0].boundaries.size() == 3);
}

TEST_CASE("plan: roots that are searched in turn are in the tasks in their order") {
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
      "4 1 8:2 / /usb rw - ext4 /dev/sdb rw\n");
  Query query;
  query.scope.list_roots = true;
  query.scope.mounts = Scope::Mounts::all;
  const auto count = [&] {
    const std::vector<Location> roots = {directory("/a"), directory("/b"), directory("/usb/c"),
                                         directory("/d")};
    return make_plan(query, {}, table, roots, linux_machine()).tasks.size();
  };
  CHECK(count() == 2);
  query.scope.parents_first = true;
  CHECK(count() == 3);
}

TEST_CASE("plan: roots that are listed are all searched, one in another, too") {
  Scope scope;
  scope.list_roots = true;
  const Plan plan =
      plan_for("ubuntu_laptop", {directory("a", "/w/a"), directory("a/x", "/w/a/x")}, scope);
  CHECK(roots_of(plan) == Texts{"a/ /w/a 0", "a/x/ /w/a/x 0"});
  CHECK(plan.dropped.empty());
}

TEST_CASE("crossing: a view wider than the root's leaves out what the root shows") {
  const Plan silverblue = plan_for("ostree", {directory("/")}, crossing());
  CHECK(roots_of(silverblue) == Texts{"/ / 0", "/sysroot/ /sysroot 1"});
  const Plan btrfs = plan_for("btrfs_laptop", {directory("/")}, crossing());
  REQUIRE(btrfs.tasks.size() == 2);
  CHECK(btrfs.tasks[1].roots[0].covered == Texts{"/mnt/btrfs/@"});
}

TEST_CASE("crossing: volumes named and crossed to share a task") {
  const Plan plan = plan_for("ubuntu_laptop",
                             {directory("/snap"), directory("/boot/efi/EFI"), directory("/boot")},
                             to_depth(9, crossing()));
  REQUIRE(plan.tasks.size() == 4);
  CHECK(roots_of(plan) == Texts{"/snap/ /snap 0", "/boot/ /boot 0",
                                "/boot/efi/EFI/ /boot/efi/EFI 0", "/boot/efi/ /boot/efi 1",
                                "/snap/core22/1122/ /snap/core22/1122 2",
                                "/snap/firefox/3836/ /snap/firefox/3836 2"});
}

TEST_CASE("plan: which tasks search the whole of a volume") {
  const auto whole = [](const std::string& table, const Location& root) {
    return plan_for(table, {root}).tasks.at(0).whole_volume;
  };
  CHECK(whole("ubuntu_laptop", directory("/")));
  CHECK(whole("ubuntu_laptop", directory("/boot/efi")));
  CHECK_FALSE(whole("ubuntu_laptop", directory("/boot")));
  // A subvolume, and a file that is mounted by itself.
  CHECK_FALSE(whole("btrfs_laptop", directory("/home")));
  CHECK(whole("btrfs_laptop", directory("/mnt/btrfs")));
  CHECK_FALSE(whole("docker_container", file("/etc/hosts", "/etc/hosts")));
  const Plan two = plan_for("ubuntu_laptop", {directory("/boot/efi/EFI"), directory("/boot/efi")});
  CHECK(two.tasks.at(0).whole_volume);
}

TEST_CASE("plan: what a volume cannot do is refused") {
  Scope scope;
  scope.method = Method::catalog;
  CHECK_THROWS_AS(plan_for("ubuntu_laptop", {directory("/")}, scope), UsageError);
}

}  // namespace
}  // namespace ffind::plan::plan_test
