// SPDX-License-Identifier: MIT
// The table of volumes in ffind-volumes(7) says what policy.cpp chooses.
#include <map>
#include <sstream>
#include <string>

#include "catch.h"
#include "plan/policy.h"
#include "unit/plan/mount_tables.h"
#include "unit/source_text.h"

namespace manual_test {

using namespace ffind;
using namespace ffind::plan;

namespace {

/// As the systems call what the man page calls by its common name; "all others" is one of them.
const std::map<std::string, std::string> names_of_systems = {
    {"ext4", "ext4"}, {"btrfs", "btrfs"}, {"HFS+", "hfs"},      {"APFS", "apfs"},
    {"SMB", "smbfs"}, {"AFP", "afpfs"},   {"FAT", "msdos"},     {"exFAT", "exfat"},
    {"NTFS", "ntfs"}, {"NFS", "nfs"},     {"WebDAV", "webdav"}, {"all others", "udf"},
    {"FTP", "ftp"},   {"XFS", "xfs"},
};

struct Row {
  std::string volume;
  std::string names;
  std::string metadata;
  std::string catalog;
};

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t to = 0; to != std::string::npos; from = to + separator.size()) {
    to = text.find(separator, from);
    parts.push_back(text.substr(from, to - from));
  }
  return parts;
}

/// Lines `.It "APFS, SMB" Ta readdir Ta bulk Ta when asked for`, each file system a row.
std::vector<Row> rows_of_man_page() {
  std::string text = source_text("man/ffind-volumes.7");
  text.erase(0, text.find("The default choices are:"));
  std::istringstream lines(text.substr(0, text.find(".El")));
  std::vector<Row> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(".It \"", 0) != 0) continue;
    const std::size_t quote = line.find('"', 5);
    const std::vector<std::string> cells = split(line.substr(quote + 1), " Ta");
    REQUIRE(cells.size() == 4);
    for (const std::string& volume : split(line.substr(5, quote - 5), ", ")) {
      rows.push_back({volume, cells[1], cells[2], cells[3]});
    }
  }
  return rows;
}

/// Whether the catalog of a whole volume is taken unasked, where it claims one, and where a trial
/// or a look at the device has proven it, for names and for sizes.
std::string catalog_choices(const Volume& like, const Machine& machine) {
  std::string choices;
  for (const CatalogSupport catalog : {CatalogSupport::claimed, CatalogSupport::proven}) {
    for (const Needs needs : {needs::none, needs::size}) {
      Volume volume = like;
      volume.catalog = catalog;
      const Choice choice = choose(volume, {}, {.needs = needs, .whole_volume = true}, machine);
      choices += choice.method == Method::catalog ? '+' : '-';
    }
  }
  return choices;
}

const std::map<std::string, std::string> meanings = {
    {" if readable", "--++"},
    {" if readable, for names and types", "--+-"},
    {" for names and types", "+-+-"},
    {" names and types, by trial", "--+-"},
    {" on request", "----"},
    {" none", "----"},
    {" as root, for metadata", "---+"},
};

}  // namespace

TEST_CASE("policy: the man page has the same table of volumes") {
  Machine machine;
  std::size_t compared = 0;
  for (const Row& row : rows_of_man_page()) {
    if (row.volume == "on Linux:") machine = testing::linux_machine();
    if (row.volume == "on macOS:") machine = testing::mac_machine();
    if (row.names.empty()) continue;
    CAPTURE(row.volume);
    Volume volume;
    volume.id = 1;
    volume.mount_point = "/srv";
    volume.file_system = names_of_systems.at(row.volume);
    volume.bulk_claimed = true;
    const auto reader = [&](Needs needs) {
      return " " + std::string(to_text(choose(volume, {}, {.needs = needs}, machine).reader));
    };
    CHECK(reader(needs::none) == row.names);
    CHECK(reader(needs::size) == row.metadata);
    CHECK(catalog_choices(volume, machine) == meanings.at(row.catalog));
    ++compared;
  }
  CHECK(compared >= 12);
}

}  // namespace manual_test
