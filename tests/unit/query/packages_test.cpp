// SPDX-License-Identifier: MIT
// Which names make a directory a package.
#include "query/kinds.h"

#include "catch.h"

namespace packages_test {

using namespace ffind;
using namespace ffind::query;

TEST_CASE("extensions of packages are known, from one end of the table to the other") {
  for (const char* const name :
       {"Pro Tools.aaxplugin", "a.abbu", "Safari.app", "Photos Library.photoslibrary", "a.key",
        "a.key-tef", "a.rtfd", "a.prefPane", "backup.sparsebundle", "ffind.xcodeproj", "a.dSYM",
        "Old Photos.migratedphotolibrary", "a.vst3", "a.xcworkspace", "a.xpc"}) {
    INFO(name);
    CHECK(kind_of_package(name).package);
  }
}

TEST_CASE("the case of an extension does not matter") {
  CHECK(kind_of_package("a.APP").package);
  CHECK(kind_of_package("Microsoft.NETCore.App").package);
  CHECK(kind_of_package("a.PrefPane").package);
}

TEST_CASE("only what is behind the last dot counts, and something stands before it") {
  CHECK(kind_of_package("a.b.app").package);
  CHECK_FALSE(kind_of_package("a.app.bak").package);
  CHECK_FALSE(kind_of_package("a.app.").package);
  CHECK_FALSE(kind_of_package("app").package);
  CHECK_FALSE(kind_of_package(".app").package);
  CHECK_FALSE(kind_of_package(".bundle").package);
  CHECK_FALSE(kind_of_package(".").package);
  CHECK_FALSE(kind_of_package("a.ap").package);
  CHECK_FALSE(kind_of_package("a.apps").package);
  CHECK_FALSE(kind_of_package("a.migratedphotolibraries").package);
  CHECK_FALSE(kind_of_package("a.\xC3\x84pp").package);
}

TEST_CASE("folders that look like bundles to programs only are no packages") {
  for (const char* const name :
       {"AppKit.framework", "a.xcframework", "de.lproj", "Assets.xcassets", "Relocated.localized",
        "INBOX.mbox", "ssh.service", "fix-build.patch", "main.dist", "conf.d", "a.txt"}) {
    INFO(name);
    CHECK_FALSE(kind_of_package(name).package);
  }
}

}  // namespace packages_test
