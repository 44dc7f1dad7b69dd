// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <ctime>
#include <string>

#include "catch.h"
#include "os/trash.h"

namespace trash_info_test {

using ffind::Instant;
using ffind::os::read_trash_info;
using ffind::os::trash_info;
using ffind::os::trash_name;

TEST_CASE("an info file has the path percent-encoded and the local time") {
  const std::string text = trash_info("/home/\xC3\xBC b/100%.txt", {1'700'000'000});
  CHECK(text.starts_with("[Trash Info]\nPath=/home/%C3%BC%20b/100%25.txt\nDeletionDate=2023-11-"));
  CHECK(text.size() == text.find("DeletionDate=") + std::string("DeletionDate=").size() + 20);
  CHECK(text.ends_with("\n"));
}

TEST_CASE("a path cannot add a line to an info file") {
  const std::string text = trash_info("a\nPath=/etc\r[x]", {});
  CHECK(text.find("a%0APath%3D/etc%0D%5Bx%5D\n") != std::string::npos);
}

TEST_CASE("a path keeps each byte that is not UTF-8") {
  CHECK(trash_info("\xFF", {}).find("Path=%FF\n") != std::string::npos);
}

TEST_CASE("an info file is read as it was written") {
  const Instant when{1'700'000'000};
  const std::string names[] = {"/a b/100%.txt", "/\xC3\xBC/\xFF", "/a\nPath=/etc", "/=&?#[1]",
                               "/.x"};
  for (const std::string& path : names) {
    const auto info = read_trash_info(trash_info(path, when), "");
    CHECK(info.path == path);
    CHECK(info.deleted == when);
  }
}

TEST_CASE("the first of each line counts, in any order and among others") {
  const auto info = read_trash_info(
      "\xEF\xBB\xBF[Trash "
      "Info]\r\nX=1\r\nDeletionDate=1970-01-02T00:00:00\r\nPath=/a\r\nPath=/b\r\n"
      "DeletionDate=2000-01-01T00:00:00",
      "");
  CHECK(info.path == "/a");
  REQUIRE(info.deleted);
  CHECK(read_trash_info(trash_info("/x", *info.deleted), "").deleted == info.deleted);
}

TEST_CASE("a relative path is below the top of the volume, and an absolute one is itself") {
  CHECK(read_trash_info("Path=a/b", "/mnt").path == "/mnt/a/b");
  CHECK(read_trash_info("Path=a//./b/", "/").path == "/a/b");
  CHECK(read_trash_info("Path=//a/.", "/mnt").path == "/a");
  CHECK(read_trash_info("Path=a", "").path.empty());
}

TEST_CASE("a path that leads elsewhere, or nowhere, is none") {
  for (const char* const path :
       {"..", "a/../b", "/a/..", "%2E%2E/a", "a%2F..%2Fb", "", "/", ".", "a%00b"}) {
    CHECK(read_trash_info(std::string("Path=") + path, "/mnt").path.empty());
  }
  CHECK(read_trash_info("Path=..a/b..", "/mnt").path == "/mnt/..a/b..");
}

TEST_CASE("a percent sign without digits is itself, and so is a plus") {
  CHECK(read_trash_info("Path=/100%/%4/%zz/a+b%2b", "").path == "/100%/%4/%zz/a+b+");
}

TEST_CASE("a date that is none is unknown") {
  for (const char* const date : {"", "2026-01-01", "2026-13-01T00:00:00", "2026-02-30T00:00:00",
                                 "2026-01-01T24:00:00", "2026-01-01 00:00:00", "7d"}) {
    CHECK_FALSE(read_trash_info(std::string("DeletionDate=") + date, "").deleted);
  }
  CHECK(read_trash_info("DeletionDate=2026-01-01T00:00:00.5+01:00", "").deleted);
}

TEST_CASE("a name that is taken gets a number before its extension") {
  CHECK(trash_name("a.txt", 1) == "a.txt");
  CHECK(trash_name("a.txt", 2) == "a.2.txt");
  CHECK(trash_name("a.tar.gz", 3) == "a.3.tar.gz");
  CHECK(trash_name(".bashrc", 2) == ".bashrc.2");
  CHECK(trash_name("Makefile", 10) == "Makefile.10");
  CHECK(trash_name("end.", 2) == "end.2.");
}

TEST_CASE("a long name is cut at a character, so that its info file has room for a name") {
  const std::string limit(245, 'a');
  CHECK(trash_name(limit, 1) == limit);
  CHECK(trash_name(limit + "bcdefghijk", 1) == limit);
  CHECK(trash_name(limit, 2) == std::string(243, 'a') + ".2");
  CHECK(trash_name(std::string(250, 'a') + ".txt", 2) == std::string(239, 'a') + ".2.txt");
  std::string wide;
  for (int i = 0; i < 85; ++i) wide += "\xE2\x82\xAC";
  CHECK(trash_name(wide, 1) == wide.substr(0, 243));
  // No extension is as long as that.
  CHECK(trash_name("a." + std::string(250, 'b'), 1).size() == 245);
}

}  // namespace trash_info_test
