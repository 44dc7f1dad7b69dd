// SPDX-License-Identifier: MIT
// A Mac's volumes in plans: system and Data volume searched as one, once and under the names that
// people know, with what else is mounted left to --cross-volumes.
#include <string>
#include <vector>

#include "catch.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "plan/explain.h"
#include "plan/mounts.h"
#include "unit/plan/mac_volumes.h"
#include "unit/plan/mount_tables.h"

namespace ffind::plan::firmlink_test {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using testing::boundary_at;
using testing::crossing;
using testing::directory;
using testing::mac_machine;
using testing::mac_volumes;
using testing::roots_of;
using testing::to_depth;

using Texts = std::vector<std::string>;

/// As os locates it: with the id of the volume, which a firmlink's view has from the Data volume.
Location located(const MountTable& table, const std::string& path) {
  Location location = directory(path);
  location.volume = Mounts(table).holding(path)->id;
  return location;
}

Plan plan_for(const Texts& paths, const Scope& scope = {}, Wants wants = {},
              const Enters& enters = {}) {
  const MountTable table = mac_volumes();
  std::vector<Location> locations;
  for (const std::string& path : paths) locations.push_back(located(table, path));
  Query query;
  query.scope = scope;
  return make_plan(query, wants, table, locations, mac_machine(), enters);
}

/// The roots of the tasks on one line each, by their canonical paths.
Texts tasks_of(const Plan& plan) {
  Texts tasks;
  for (const Task& task : plan.tasks) {
    std::string line = task.volume.mount_point + ":";
    for (const Root& root : task.roots) line += " " + root.canonical;
    tasks.push_back(line);
  }
  return tasks;
}

const Root& root_at(const Plan& plan, const std::string& path) {
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      if (root.canonical == path) return root;
    }
  }
  throw std::runtime_error("no root at " + path);
}

const Texts targets = {"/System/Volumes/Data/Applications",
                       "/System/Volumes/Data/Library",
                       "/System/Volumes/Data/System/Library/Caches",
                       "/System/Volumes/Data/Users",
                       "/System/Volumes/Data/Volumes",
                       "/System/Volumes/Data/private",
                       "/System/Volumes/Data/usr/local"};

const std::string all_of_data =
    "/System/Volumes/Data: /Applications /Library /System/Library/Caches /System/Volumes/Data "
    "/Users /Volumes /private /usr/local";

TEST_CASE("firmlinks: a search from / is one of both volumes, each a task") {
  const Plan plan = plan_for({"/"});
  CHECK(tasks_of(plan) == Texts{"/: /", all_of_data});
  for (const Task& task : plan.tasks) {
    CHECK(task.whole_volume);
    CHECK_FALSE(task.volume.firmlink);
  }
  const Root& users = root_at(plan, "/Users");
  CHECK(users.open_path == "/Users");
  CHECK(users.printed == "/Users/");
  CHECK(users.below == "Users");
  CHECK(users.depth == 1);
  CHECK(users.listed_elsewhere.empty());
  const Root& rest = root_at(plan, "/System/Volumes/Data");
  CHECK(rest.listed_elsewhere == targets);
  CHECK(rest.covered.empty());
  CHECK(rest.depth == 3);
}

TEST_CASE("firmlinks: the edges of the volumes say what becomes of what is mounted there") {
  struct Row {
    const char* path;
    bool entered;
    bool left_out;
    const char* reason;
  };
  const Row row = GENERATE(values<Row>({
      {"/Users", true, false, "part of /System/Volumes/Data, which is searched under this name"},
      {"/System/Volumes/Data", true, false, "part of the volume around it"},
      {"/System/Volumes/VM", false, true, "--cross-volumes"},
      {"/System/Volumes/Hardware", false, true, "--cross-volumes"},
      {"/System/Volumes/Data/home", false, false, "mounts itself"},
      {"/dev", false, false, "made up by the kernel"},
      {"/Volumes/Backup", false, true, "--cross-volumes"},
      {"/Volumes/Installer", false, true, "--cross-volumes"},
      {"/Volumes/share", false, true, "--network"},
      {"/Volumes/.timemachine/now", false, false, "a snapshot"},
  }));
  CAPTURE(row.path);
  const Boundary boundary = boundary_at(plan_for({"/"}), row.path);
  CHECK(boundary.path == row.path);
  CHECK(boundary.entered == row.entered);
  CHECK(boundary.left_out == row.left_out);
  CHECK(boundary.listed);
  CHECK_THAT(boundary.reason, ContainsSubstring(row.reason));
}

TEST_CASE("firmlinks: which roots make which tasks") {
  struct Row {
    const char* what;
    Texts paths;
    Scope scope;
    Texts tasks;
  };
  Scope visible_only;
  visible_only.skip_hidden = true;
  const std::string& data = all_of_data;
  const Row row = GENERATE_REF(values<Row>({
      {"a home", {"/Users/me"}, {}, {"/System/Volumes/Data: /Users/me"}},
      {"the homes", {"/Users"}, {}, {"/System/Volumes/Data: /Users"}},
      {"/System has a firmlink below, and Data is another volume",
       {"/System"},
       {},
       {"/: /System", "/System/Volumes/Data: /System/Library/Caches"}},
      {"nothing is below", {"/bin"}, {}, {"/: /bin"}},
      {"/usr", {"/usr"}, {}, {"/: /usr", "/System/Volumes/Data: /usr/local"}},
      {"Data by its own name",
       {"/System/Volumes/Data"},
       {},
       {"/System/Volumes/Data: /System/Volumes/Data"}},
      {"a part of it",
       {"/System/Volumes/Data/Users/me"},
       {},
       {"/System/Volumes/Data: /System/Volumes/Data/Users/me"}},
      {"around Data", {"/System/Volumes"}, {}, {"/: /System/Volumes"}},
      {"another disk", {"/Volumes/Backup"}, {}, {"/Volumes/Backup: /Volumes/Backup"}},
      {"where disks are mounted", {"/Volumes"}, {}, {"/System/Volumes/Data: /Volumes"}},
      {"both names of one directory are two views",
       {"/Users/me", "/System/Volumes/Data/Users/me"},
       {},
       {"/System/Volumes/Data: /Users/me /System/Volumes/Data/Users/me"}},
      {"/ shows a home", {"/Users/me", "/"}, {}, {"/: /", data}},
      {"/ shows Data", {"/", "/System/Volumes/Data"}, {}, {"/: /", data}},
      {"/ shows what no firmlink does", {"/System/Volumes/Data/.x", "/"}, {}, {"/: /", data}},
      {"/ shows a home by its other name",
       {"/", "/System/Volumes/Data/Users/me"},
       {},
       {"/: /", data}},
      {"/ does not show what it skips",
       {"/", "/System/Volumes/Data/.x"},
       visible_only,
       {"/: /",
        "/System/Volumes/Data: /System/Volumes/Data/.x /Applications /Library "
        "/System/Library/Caches /System/Volumes/Data /Users /Volumes /private /usr/local"}},
      {"/System shows its firmlink",
       {"/System", "/System/Library/Caches/x"},
       {},
       {"/: /System", "/System/Volumes/Data: /System/Library/Caches"}},
      {"as deep as firmlinks",
       {"/"},
       to_depth(2),
       {"/: /", "/System/Volumes/Data: /Applications /Library /Users /Volumes /private"}},
      {"no deeper than /", {"/"}, to_depth(1), {"/: /"}},
  }));
  CAPTURE(row.what);
  CHECK(tasks_of(plan_for(row.paths, row.scope)) == row.tasks);
}

TEST_CASE("firmlinks: crossing enters other volumes as well, Data once") {
  struct Row {
    Texts paths;
    bool network;
    Texts tasks;
  };
  const Texts apples = {"/System/Volumes/Hardware: /System/Volumes/Hardware",
                        "/System/Volumes/Preboot: /System/Volumes/Preboot",
                        "/System/Volumes/Update: /System/Volumes/Update",
                        "/System/Volumes/VM: /System/Volumes/VM",
                        "/System/Volumes/iSCPreboot: /System/Volumes/iSCPreboot",
                        "/System/Volumes/xarts: /System/Volumes/xarts"};
  const auto with = [](Texts before, const Texts& between, const Texts& after) {
    before.insert(before.end(), between.begin(), between.end());
    before.insert(before.end(), after.begin(), after.end());
    return before;
  };
  const std::string backup = "/Volumes/Backup: /Volumes/Backup";
  const std::string image = "/Volumes/Installer: /Volumes/Installer";
  // Data and the others by Apple stand between the firmlinks in the order of paths.
  const auto [paths, network, tasks] = GENERATE_REF(values<Row>({
      {{"/"}, false, with({"/: /", all_of_data}, apples, {backup, image})},
      {{"/"},
       true,
       with({"/: /", all_of_data}, apples,
            {backup, image, "/Volumes/old server: /Volumes/old server",
             "/Volumes/share: /Volumes/share"})},
      {{"/System/Volumes/Data"}, true, {"/System/Volumes/Data: /System/Volumes/Data"}},
      {{"/Users/me"}, true, {"/System/Volumes/Data: /Users/me"}},
      {{"/Volumes"}, false, {"/System/Volumes/Data: /Volumes", backup, image}},
      {{"/", "/Volumes/Backup/x"}, false, with({"/: /", all_of_data}, apples, {backup, image})},
      {{"/System"},
       false,
       with({"/: /System", "/System/Volumes/Data: /System/Library/Caches /System/Volumes/Data"},
            apples, {})},
  }));
  CAPTURE(paths);
  CHECK(tasks_of(plan_for(paths, crossing(network))) == tasks);
}

TEST_CASE("firmlinks: from /System Data is entered but for what its firmlinks show there") {
  const Plan plan = plan_for({"/System"}, crossing());
  CHECK(root_at(plan, "/System/Volumes/Data").listed_elsewhere ==
        Texts{"/System/Volumes/Data/System/Library/Caches"});
  CHECK(boundary_at(plan_for({"/System"}), "/System/Volumes/Data").left_out);
}

TEST_CASE("firmlinks: a named part is left out of the view around it") {
  const Plan plan = plan_for({"/System", "/System/Volumes/Data/System/Library/Caches/x"});
  CHECK(root_at(plan, "/System/Library/Caches").covered == Texts{"/System/Library/Caches/x"});
}

TEST_CASE("firmlinks: what one excludes is not found under its other name") {
  const Enters enters = [](const Root&, std::string_view relative, std::uint32_t) {
    return !relative.starts_with("Users");
  };
  const Plan plan = plan_for({"/"}, {}, {}, enters);
  CHECK(roots_of(plan).size() == 8);
  CHECK(root_at(plan, "/System/Volumes/Data").listed_elsewhere == targets);
}

TEST_CASE("firmlinks: a root that is excluded under its usual name is not shown by /") {
  const Enters enters = [](const Root&, std::string_view relative, std::uint32_t) {
    return relative != "Users";
  };
  const Plan plan = plan_for({"/", "/System/Volumes/Data/Users/me"}, {}, {}, enters);
  CHECK(plan.dropped.empty());
  CHECK(root_at(plan, "/System/Volumes/Data/Users/me").below.empty());
}

TEST_CASE("firmlinks: of another group they are nothing to enter unasked") {
  MountTable table = mac_volumes();
  for (Volume& volume : table) {
    if (volume.id == testing::mac::system) volume.group = 0;
  }
  const Plan plan = make_plan({}, {}, table, {located(table, "/")}, mac_machine());
  CHECK(tasks_of(plan) == Texts{"/: /"});
}

TEST_CASE("firmlinks: a snapshot that is named is searched beside what is around it") {
  const Plan plan = plan_for({"/Volumes", "/Volumes/.timemachine/now/x"}, crossing());
  CHECK(plan.dropped.empty());
  CHECK(root_at(plan, "/Volumes/.timemachine/now/x").below.empty());
}

TEST_CASE("firmlinks: where answers depend on the root, each root has all of its own") {
  const Plan plan = plan_for({"/", "/System/Volumes/Data"}, {}, {.matcher = needs::relative_path});
  REQUIRE(plan.tasks.size() == 2);
  CHECK(plan.dropped.empty());
  CHECK(plan.tasks[1].roots[0].listed_elsewhere.empty());
  CHECK(plan.tasks[1].roots.size() == 9);
  // What the output wants does not change the answers.
  CHECK(plan_for({"/", "/Users/me"}, {}, {.output = needs::relative_path}).dropped.size() == 1);
}

TEST_CASE("firmlinks: what is mounted behind one is an edge under its other name, too") {
  const Plan plan = plan_for({"/System/Volumes/Data"});
  const Boundary boundary = boundary_at(plan, "/System/Volumes/Data/Volumes/share");
  CHECK(boundary.kind == VolumeKind::network);
  CHECK_FALSE(boundary.entered);
  CHECK_FALSE(boundary.left_out);
  CHECK_THAT(boundary.reason, ContainsSubstring("/Volumes/share"));
  CHECK(
      boundary_at(plan_for({"/System/Volumes/Data/Volumes"}), "/System/Volumes/Data/Volumes/share")
          .volume == 40);
  CHECK(plan_for({"/System/Volumes/Data/Users"}).tasks[0].boundaries.empty());
  CHECK(boundary_at(plan_for({"/"}), "/System/Volumes/Data/Volumes/share").volume == 0);
}

TEST_CASE("firmlinks: only the mount point of the first of a group shows all of it") {
  const MountTable table = mac_volumes();
  const Mounts mounts(table);
  CHECK(shows_group(*mounts.holding("/"), "/"));
  CHECK_FALSE(shows_group(*mounts.holding("/"), "/System"));
  CHECK_FALSE(shows_group(*mounts.holding("/Users"), "/Users"));
  CHECK_FALSE(shows_group(*mounts.holding("/System/Volumes/Data"), "/System/Volumes/Data"));
  CHECK_FALSE(shows_group(*mounts.holding("/Volumes/Backup"), "/Volumes/Backup"));
}

TEST_CASE("firmlinks: one device number for all volumes of a group tells nothing") {
  MountTable table = mac_volumes();
  for (Volume& volume : table) volume.minor = 13;
  const Plan plan = make_plan({}, {}, table, {located(table, "/")}, mac_machine());
  CHECK(tasks_of(plan) == Texts{"/: /", all_of_data});
}

TEST_CASE("firmlinks: a location's id may be the group's") {
  const MountTable table = mac_volumes();
  Location location = directory("/Users/me");
  location.volume = testing::mac::system;
  CHECK(tasks_of(make_plan({}, {}, table, {location}, mac_machine())) ==
        Texts{"/System/Volumes/Data: /Users/me"});
}

TEST_CASE("mac: methods and readers by volume and by what is asked") {
  const auto choice_at = [](const Plan& plan, const std::string& mount_point) {
    for (const Task& task : plan.tasks) {
      if (task.volume.mount_point == mount_point) return task.choice;
    }
    throw std::runtime_error("no task for " + mount_point);
  };
  const Plan names = plan_for({"/"}, crossing());
  CHECK(choice_at(names, "/System/Volumes/Data").reader == Reader::readdir);
  CHECK(choice_at(names, "/Volumes/Backup").method == Method::catalog);
  CHECK(choice_at(names, "/Volumes/Backup").reader == Reader::bulk);
  const Plan sizes = plan_for({"/"}, {}, {.output = needs::size});
  CHECK(choice_at(sizes, "/System/Volumes/Data").reader == Reader::bulk);
  const Plan part = plan_for({"/Volumes/Backup/x"}, {}, {.matcher = needs::size});
  CHECK(part.tasks[0].choice.method == Method::walk);
  CHECK(plan_for({"/Volumes/Backup/x", "/Volumes/Backup"}).tasks[0].choice.method ==
        Method::catalog);

  Scope forced;
  forced.method = Method::catalog;
  for (const Task& task : plan_for({"/"}, forced).tasks)
    CHECK(task.choice.method == Method::catalog);
  CHECK(plan_for({"/Users/me"}, forced).tasks[0].choice.method == Method::catalog);
  CHECK_THROWS_AS(plan_for({"/Volumes/share"}, forced), UsageError);
}

TEST_CASE("mac: a catalog tells nothing by the names below the Data volume's mount point") {
  Scope forced;
  forced.method = Method::catalog;
  const Plan rest = plan_for({"/System/Volumes/Data/.x"}, forced);
  CHECK(rest.tasks[0].choice.method == Method::catalog);
  for (const char* const path : {"/System/Volumes/Data", "/System/Volumes/Data/Users",
                                 "/System/Volumes/Data/Users/me", "/System/Volumes/Data/System"}) {
    CAPTURE(path);
    CHECK_THROWS_MATCHES(plan_for({path}, forced), UsageError,
                         MessageMatches(ContainsSubstring("what firmlinks show")));
  }
  forced.cross_volumes = true;
  CHECK_THROWS_AS(plan_for({"/System/Volumes"}, forced), UsageError);
}

Texts points(const std::vector<Volume>& volumes) {
  Texts result;
  for (const Volume& volume : volumes) result.push_back(volume.mount_point);
  return result;
}

TEST_CASE("mac: all volumes, without snapshots and what / shows") {
  const Texts local = {"/",
                       "/System/Volumes/Hardware",
                       "/System/Volumes/Preboot",
                       "/System/Volumes/Update",
                       "/System/Volumes/VM",
                       "/System/Volumes/iSCPreboot",
                       "/System/Volumes/xarts",
                       "/Volumes/Backup",
                       "/Volumes/Installer"};
  CHECK(points(select_volumes(mac_volumes(), false)) == local);
  Texts all = local;
  all.insert(all.end(), {"/Volumes/old server", "/Volumes/share"});
  CHECK(points(select_volumes(mac_volumes(), true)) == all);

  // Searched side by side, they are a task each; Data has come with /.
  const Plan plan = plan_for(local);
  CHECK(plan.dropped.empty());
  CHECK(plan.tasks.size() == local.size() + 1);
  CHECK(tasks_of(plan).back() == all_of_data);
}

TEST_CASE("mac: volumes by name") {
  const MountTable table = mac_volumes();
  CHECK(volume_named(table, "Backup", {})->id == 30);
  CHECK(volume_named(table, "now", {})->id == 32);
  CHECK(volume_named(table, "Data", {})->id == testing::mac::data);
  CHECK(volume_named(table, "Macintosh HD", {"/", "/System/Volumes/Data"})->mount_point == "/");
  CHECK_THROWS_AS(volume_named(table, "Users", {}), UsageError);
}

TEST_CASE("mac: volumes that are asked what they can do") {
  const MountTable table = mac_volumes();
  const auto asked = [&](std::vector<Location> locations, bool cross) {
    Texts result;
    for (const std::size_t i : volumes_to_ask(table, locations, cross)) {
      result.push_back(table[i].mount_point);
    }
    return result;
  };
  CHECK(asked({located(table, "/Users/me")}, false) == Texts{"/System/Volumes/Data"});
  CHECK(asked({located(table, "/")}, false) == Texts{"/", "/System/Volumes/Data"});
  CHECK(asked({located(table, "/Volumes")}, true) ==
        Texts{"/System/Volumes/Data", "/Volumes/Backup", "/Volumes/Installer"});
  CHECK(asked({located(table, "/Volumes/old server/x")}, false) == Texts{"/Volumes/old server"});
  CHECK(asked({located(table, "/dev"), located(table, "/System/Volumes/Data/home")}, true).empty());
  Location unprobed = located(table, "/Volumes/share");
  unprobed.probed = false;
  CHECK(asked({unprobed}, true).empty());
  Location missing = located(table, "/Users/you");
  missing.error = 2;
  CHECK(asked({missing}, true).empty());

  const std::vector<std::size_t> all = volumes_to_list(table, true, {});
  for (const std::size_t i : volumes_to_ask(table, all)) {
    CHECK(table[i].kind == VolumeKind::local);
    CHECK_FALSE(table[i].firmlink);
  }
  CHECK(volumes_to_ask(table, all).size() == 11);
}

TEST_CASE("mac: volumes that are listed, without what the system hides or shows as a part") {
  const MountTable table = mac_volumes();
  Texts listed;
  for (const std::size_t i : volumes_to_list(table, false, "/Users/me")) {
    listed.push_back(table[i].mount_point);
  }
  CHECK(listed == Texts{"/", "/Volumes/Backup", "/Volumes/Installer", "/Volumes/old server",
                        "/Volumes/share"});
  CHECK(volumes_to_list(table, true, {}).size() == table.size());
}

TEST_CASE("mac: the list of volumes tells what they are") {
  const std::vector<ListedVolume> rows =
      list_volumes(mac_volumes(), volumes_to_list(mac_volumes(), true, {}), mac_machine());
  CHECK(rows.size() == mac_volumes().size());
  const std::string text = "\n" + volumes_text(rows, {.all = true});
  CHECK_THAT(text, !ContainsSubstring("/Users"));
  const auto line_of = [&](const std::string& mount_point) {
    const std::size_t begin = text.find("\n" + mount_point + " ") + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK_THAT(line_of("/"), ContainsSubstring("catalog claimed, has other volumes as parts"));
  CHECK_THAT(line_of("/System/Volumes/Data"),
             ContainsSubstring("part of another") && ContainsSubstring("hidden from users"));
  CHECK_THAT(line_of("/Volumes/Installer"), ContainsSubstring("disk image"));
  CHECK_THAT(line_of("/Volumes/.timemachine/now"), ContainsSubstring("snapshot"));
  CHECK_THAT(line_of("/Volumes/Backup"), ContainsSubstring("-  catalog  bulk"));
}

TEST_CASE("mac: the plan's text says what is searched under other names") {
  const Query query;
  const Plan plan = plan_for({"/"});
  const std::string text = plan_text({query, query.where, plan});
  CHECK_THAT(text, ContainsSubstring("searched under other names: /System/Volumes/Data/App"));
  CHECK_THAT(text, ContainsSubstring("disk3s5, device 1:17, local, catalog claimed, part of a"));
}

}  // namespace
}  // namespace ffind::plan::firmlink_test
