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
    CHECK(kind_of_package(name));
  }
}

TEST_CASE("the case of an extension does not matter") {
  CHECK(kind_of_package("a.APP"));
  CHECK(kind_of_package("Microsoft.NETCore.App"));
  CHECK(kind_of_package("a.PrefPane"));
}

TEST_CASE("only what is behind the last dot counts, and something stands before it") {
  CHECK(kind_of_package("a.b.app"));
  CHECK_FALSE(kind_of_package("a.app.bak"));
  CHECK_FALSE(kind_of_package("a.app."));
  CHECK_FALSE(kind_of_package("app"));
  CHECK_FALSE(kind_of_package(".app"));
  CHECK_FALSE(kind_of_package(".bundle"));
  CHECK_FALSE(kind_of_package("."));
  CHECK_FALSE(kind_of_package("a.ap"));
  CHECK_FALSE(kind_of_package("a.apps"));
  CHECK_FALSE(kind_of_package("a.migratedphotolibraries"));
  CHECK_FALSE(kind_of_package("a.\xC3\x84pp"));
}

TEST_CASE("folders that look like bundles to programs only are no packages") {
  for (const char* const name :
       {"AppKit.framework", "a.xcframework", "de.lproj", "Assets.xcassets", "Relocated.localized",
        "INBOX.mbox", "ssh.service", "fix-build.patch", "main.dist", "conf.d", "a.txt"}) {
    INFO(name);
    CHECK_FALSE(kind_of_package(name));
  }
}

}  // namespace packages_test
