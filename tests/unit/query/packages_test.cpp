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
    CHECK(has_package_extension(name));
  }
}

TEST_CASE("the case of an extension does not matter") {
  CHECK(has_package_extension("a.APP"));
  CHECK(has_package_extension("Microsoft.NETCore.App"));
  CHECK(has_package_extension("a.PrefPane"));
}

TEST_CASE("only what is behind the last dot counts, and something stands before it") {
  CHECK(has_package_extension("a.b.app"));
  CHECK_FALSE(has_package_extension("a.app.bak"));
  CHECK_FALSE(has_package_extension("a.app."));
  CHECK_FALSE(has_package_extension("app"));
  CHECK_FALSE(has_package_extension(".app"));
  CHECK_FALSE(has_package_extension(".bundle"));
  CHECK_FALSE(has_package_extension("."));
  CHECK_FALSE(has_package_extension("a.ap"));
  CHECK_FALSE(has_package_extension("a.apps"));
  CHECK_FALSE(has_package_extension("a.migratedphotolibraries"));
  CHECK_FALSE(has_package_extension("a.\xC3\x84pp"));
}

TEST_CASE("folders that look like bundles to programs only are no packages") {
  for (const char* const name :
       {"AppKit.framework", "a.xcframework", "de.lproj", "Assets.xcassets", "Relocated.localized",
        "INBOX.mbox", "ssh.service", "fix-build.patch", "main.dist", "conf.d", "a.txt"}) {
    INFO(name);
    CHECK_FALSE(has_package_extension(name));
  }
}

}  // namespace packages_test
