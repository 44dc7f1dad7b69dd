// SPDX-License-Identifier: MIT
// Alias files, put together byte by byte from the description of the format.
#include "os/formats/bookmark.h"

#include <string>
#include <vector>

#include "catch.h"

namespace bookmark_test {

using namespace ffind::os;

namespace {

std::string word(std::size_t number) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
  return bytes;
}

std::string item(std::size_t type, const std::string& bytes) {
  return word(bytes.size()) + word(type) + bytes + std::string((4 - bytes.size() % 4) % 4, '\0');
}

/// An alias file with a name and the path's components; what follows the header is `tail`'s.
struct Alias {
  std::string header = std::string("book\0\0\0\0mark\0\0\0\0", 16) + word(56) + word(56) + word(0) +
                       word(0x10040000) + std::string(24, '\0');
  std::string tail;
  std::size_t list_at = 0;
  std::size_t table_at = 0;

  explicit Alias(const std::vector<std::string>& names) {
    tail = word(0);
    std::string offsets;
    for (const std::string& name : names) {
      offsets += word(tail.size());
      tail += item(0x0101, name);
    }
    list_at = tail.size();
    tail += item(0x0601, offsets);
    const std::size_t other = tail.size();
    tail += item(0x0303, word(7));
    table_at = tail.size();
    tail += word(12 + 2 * 12) + word(0xFFFFFFFE) + word(1) + word(0) + word(2);
    tail += word(0x1003) + word(other) + word(0) + word(0x1004) + word(list_at) + word(0);
    put(0, table_at);
  }
  void put(std::size_t at, std::size_t number) { tail.replace(at, 4, word(number)); }
  std::optional<std::string> target() const { return target_of_alias_file(header + tail); }
};

}  // namespace

TEST_CASE("an alias leads to the path of its components") {
  CHECK(Alias({"Users", "anna", "Grüße.txt"}).target() == "/Users/anna/Grüße.txt");
  CHECK(Alias({"Applications"}).target() == "/Applications");
  CHECK(Alias({}).target() == "/");
}

TEST_CASE("the path may be in a later table, and tables may form a circle") {
  Alias alias({"a"});
  const std::size_t second = alias.tail.size();
  alias.tail += alias.tail.substr(alias.table_at);
  alias.put(alias.table_at + 12, second);  // the first goes on in the second,
  alias.put(alias.table_at + 32, 0x2002);  // and has another key
  CHECK(alias.target() == "/a");
  alias.put(second + 32, 0x2002);
  CHECK_FALSE(alias.target());
  alias.put(second + 12, alias.table_at);
  CHECK_FALSE(alias.target());
}

TEST_CASE("what is cut short, damaged or no alias leads nowhere") {
  const Alias whole({"Users", "anna"});
  const std::string bytes = whole.header + whole.tail;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(target_of_alias_file(std::string_view(bytes).substr(0, size)));
  }
  CHECK(target_of_alias_file(bytes + "more") == "/Users/anna");
  for (const std::string& name : {std::string(), std::string("a/b"), std::string("a\0b", 3)}) {
    CHECK_FALSE(Alias({"x", name}).target());
  }
  std::string other = bytes;
  other[0] = 'B';
  CHECK_FALSE(target_of_alias_file(other));
  Alias list({"a"});
  list.put(list.list_at + 4, 0x0701);  // a dictionary
  CHECK_FALSE(list.target());
  Alias table({"a"});
  table.put(table.table_at + 4, 0xFFFFFFFD);
  CHECK_FALSE(table.target());
  Alias far({"a"});
  far.put(far.list_at + 8, 0xFFFFFFF0);
  CHECK_FALSE(far.target());
}

TEST_CASE("components that share their bytes make no endless path") {
  Alias alias({std::string(1000, 'x')});
  std::string offsets;
  for (int i = 0; i < 200; ++i) offsets += word(4);
  const std::size_t list = alias.tail.size();
  alias.tail += item(0x0601, offsets);
  alias.put(alias.table_at + 36, list);
  CHECK_FALSE(alias.target());
}

TEST_CASE("the first bytes tell what may be an alias") {
  CHECK(may_be_alias_file(""));
  CHECK(may_be_alias_file("boo"));
  CHECK(may_be_alias_file(Alias({}).header));
  CHECK_FALSE(may_be_alias_file("bookshelf"));
  CHECK_FALSE(may_be_alias_file("x"));
}

}  // namespace bookmark_test
