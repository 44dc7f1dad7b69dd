// SPDX-License-Identifier: MIT
// Access control lists as Linux's attributes, NFSv4's and macOS's replies have them.
#include "os/formats/access_lists.h"

#include <string>
#include <vector>

#include "catch.h"

namespace access_lists_test {

using namespace ffind;
using namespace ffind::os;

namespace {

std::string big(std::size_t number) {
  std::string bytes;
  for (int i = 3; i >= 0; --i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
  return bytes;
}

std::string native(std::uint32_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::string nfs4(const std::vector<std::string>& names) {
  std::string bytes = big(names.size());
  for (const std::string& name : names) {
    bytes += big(0) + big(0) + big(0x1601A7) + big(name.size()) + name;
    bytes += std::string((4 - name.size() % 4) % 4, '\0');
  }
  return bytes;
}

/// The reply: `count` entries in a list that begins after the reference.
std::string darwin(std::uint32_t count, std::uint32_t returned = 0x80400000,
                   std::uint32_t magic = 0x012CC16D, std::uint32_t offset = 8) {
  return native(76) + native(returned) + std::string(16, '\0') + native(offset) + native(44) +
         native(magic) + std::string(32, '\0') + native(count) + native(0);
}

}  // namespace

TEST_CASE("names of attributes tell which lists there are") {
  using namespace std::string_literals;
  CHECK(acl_kinds_among("") == 0);
  CHECK(acl_kinds_among("user.x\0system.posix_acl_access\0"s) == acl_kinds::access);
  CHECK(acl_kinds_among("system.posix_acl_default\0system.posix_acl_access"s) ==
        (acl_kinds::access | acl_kinds::inherited));
  CHECK(acl_kinds_among("system.nfs4_acl\0"s) == acl_kinds::nfs4);
  CHECK(acl_kinds_among("system.posix_acl_accessx\0user.system.nfs4_acl\0"s) == 0);
}

TEST_CASE("an NFSv4 list for owner, group and everyone says what a mode says") {
  CHECK(is_plain_nfs4_acl(nfs4({})));
  CHECK(is_plain_nfs4_acl(nfs4({"OWNER@", "GROUP@", "EVERYONE@"})));
  CHECK_FALSE(is_plain_nfs4_acl(nfs4({"OWNER@", "anna@example.org", "EVERYONE@"})));
  CHECK_FALSE(is_plain_nfs4_acl(nfs4({"1000"})));
  const std::string whole = nfs4({"OWNER@", "GROUP@"});
  CHECK_FALSE(is_plain_nfs4_acl(whole.substr(0, whole.size() - 3)));
  CHECK_FALSE(is_plain_nfs4_acl(""));
  CHECK_FALSE(is_plain_nfs4_acl(big(1) + big(0) + big(0) + big(0) + big(0xFFFFFFFF)));
}

TEST_CASE("macOS returns a list only where there is one, and it may have no entries") {
  CHECK(darwin(1).size() >= darwin_acl_record);
  CHECK(has_darwin_acl(darwin(1).substr(0, darwin_acl_record)));
  CHECK_FALSE(has_darwin_acl(darwin(0)));
  CHECK_FALSE(has_darwin_acl(darwin(0xFFFFFFFF)));
  CHECK_FALSE(has_darwin_acl(darwin(1, 0x80000000)));
  CHECK_FALSE(has_darwin_acl(darwin(1, 0x80400000, 1)));
  CHECK_FALSE(has_darwin_acl(darwin(1, 0x80400000, 0x012CC16D, 0xFFFFFFF0)));
  for (std::size_t size = 0; size < darwin_acl_record; ++size) {
    CHECK_FALSE(has_darwin_acl(darwin(1).substr(0, size)));
  }
}

}  // namespace access_lists_test
