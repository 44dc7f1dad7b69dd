// SPDX-License-Identifier: MIT
// Permissions: what each way to write them means for a mode, where errors point, and that what is
// spelt is read back.
#include "text/permissions.h"

#include <random>
#include <string>
#include <vector>

#include "catch.h"

namespace permissions_test {

namespace {

using namespace ffind;
using namespace ffind::text;

const ValueSource source{"--perm", "--perm 644"};

Permissions read(std::string_view text) {
  return parse_permissions(text, source);
}

struct Row {
  std::string_view text;
  std::vector<std::uint32_t> hold;
  std::vector<std::uint32_t> fail;
};

void check(const std::vector<Row>& rows) {
  constexpr std::uint32_t regular = 0100000;  // the type bits must not matter
  for (const Row& row : rows) {
    const Permissions permissions = read(row.text);
    for (const std::uint32_t mode : row.hold) {
      INFO(row.text << " must hold for " << std::oct << mode);
      CHECK(permissions.hold_for(regular | mode));
    }
    for (const std::uint32_t mode : row.fail) {
      INFO(row.text << " must not hold for " << std::oct << mode);
      CHECK_FALSE(permissions.hold_for(regular | mode));
    }
  }
}

/// Where the caret of the message stands, and the message.
std::pair<std::size_t, std::string> mistake(std::string_view text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    const std::size_t caret = what.find("^\n");
    const std::size_t line = what.rfind('\n', caret);
    return {caret - line - 3, what};
  }
  return {std::string::npos, "no mistake was found"};
}

std::string letters(std::uint32_t mode) {
  std::string out;
  append_mode_letters(out, mode);
  return out;
}

}  // namespace

TEST_CASE("a plain octal mode means just these bits") {
  check({
      {"644", {0644}, {0640, 0645, 0755, 04644, 01644}},
      {"0644", {0644}, {0640, 0645, 04644}},
      {"4755", {04755}, {0755, 06755}},
      {"0", {0}, {1, 04000}},
      {"7777", {07777}, {0777}},
      {" 644 ", {0644}, {0640}},
  });
}

TEST_CASE("plus says who may, minus who may not, whatever else there is") {
  check({
      {"u+w", {0200, 0644, 07777}, {0, 0444, 0022}},
      {"u-w", {0, 0444, 0577}, {0200, 0644}},
      {"go-w", {0644, 0755}, {0664, 0646, 0666}},
      {"+x", {0111, 0755}, {0, 0644, 0744, 0110}},
      {"-w", {0444, 0555}, {0644, 0464, 0446}},
      {"-x", {0644}, {0744, 0645}},
      {"a+r", {0444}, {0440}},
      {"u+rw", {0600}, {0400, 0200}},
      {"u+r-w", {0444, 0544}, {0644, 0044}},
      {"u+w,g-w", {0200, 0644}, {0220, 0000}},
      {"ug+x", {0110, 0755}, {0100, 0010}},
      {"u+s", {04000, 04755}, {02755, 0755}},
      {"g+s", {02755}, {04755}},
      {"+s", {06755}, {04755, 02755}},
      {"u+s-x", {04644}, {04755, 0644}},
      {"+t", {01777}, {0777}},
      {"o+t", {01777}, {0777}},
      {"-t", {0777}, {01777}},
  });
}

TEST_CASE("an equals sign says all that a class may, as ls shows it") {
  check({
      {"u=rw", {0600, 0644, 0677}, {0400, 0700, 04600}},
      {"u=rw,go=r", {0644}, {0640, 0664, 0645, 01644, 02644}},
      {"o=", {0750, 0640, 02750}, {0751, 01750}},
      {"a=r", {0444}, {0445, 0644, 04444}},
      {"=r", {0444}, {0445, 0644}},
      {"u=rws", {04600}, {0600, 04700}},
      {"u=rwxs,g=rx,o=rx", {04755}, {0755, 06755}},
      {"u=r,u-w", {0400}, {0600}},
  });
}

TEST_CASE("find's prefixes mean all of these bits, and any of them") {
  check({
      {"-022", {0022, 0666}, {0020, 0002, 0644}},
      {"all 022", {0022, 0666}, {0020, 0002}},
      {"/022", {0020, 0002, 0666}, {0644, 0755}},
      {"any 022", {0020, 0002, 0666}, {0644}},
      {"/111", {0100, 0010, 0001}, {0666}},
      {"any +x", {0100, 0010, 0001}, {0666}},
      {"-u+w,g+w", {0220}, {0200, 0020}},
      {"-u=rw,g=r", {0640, 0777}, {0600, 0040}},
      {"-+w", {0222}, {0200}},
      {"/u+w,o+w", {0200, 0002}, {0020}},
      {"/u=w,o=w", {0200, 0002}, {0020}},
      {"/6000", {04755, 02755}, {0755}},
      {"-0", {0, 0644, 07777}, {}},
      {"/0", {0, 0644, 07777}, {}},
  });
}

TEST_CASE("a mode that cannot be read is pointed at") {
  struct Mistake {
    std::string_view text;
    std::size_t column;
    std::string_view says;
  };
  const std::vector<Mistake> rows = {
      {"", 0, "a mode is missing"},
      {"  ", 2, "a mode is missing"},
      {"648", 0, "octal mode"},
      {"10000", 0, "largest mode is 7777"},
      {"99999999999999999999", 0, "octal mode"},
      {"644x", 3, "'x' is unexpected"},
      {"644,755", 3, "',755' is unexpected"},
      {"rw", 0, "'rw' is not a mode"},
      {"u", 1, "operator is missing"},
      {"u+", 2, "permission is missing"},
      {"u+w,", 4, "operator is missing"},
      {"u+w,,g+w", 4, "',g+w' is not a mode"},
      {"u+q", 2, "'q' is not a permission"},
      {"g=u", 2, "'u' is not a permission"},
      {"+X", 1, "use x"},
      {"o+s", 2, "u+s, g+s"},
      {"u+t", 2, "+t"},
      {"+111", 1, "digits are used alone"},
      {"-g-w", 2, "omit the prefix"},
      {"/-w", 1, "omit the prefix"},
      {"/", 1, "operator is missing"},
      {"-", 1, "operator is missing"},
      {"allu+w", 0, "'allu+w' is not a mode"},
      {"all", 0, "'all' is not a mode"},
      {"u+w,u-w", 4, "contradicts"},
      {"u=r,u+w", 4, "contradicts"},
      {"u+w-w", 0, "contradicts"},
      {"u+\xC3\xBC", 2, "is not a permission"},
  };
  for (const Mistake& row : rows) {
    CAPTURE(row.text);
    const auto [column, what] = mistake(row.text);
    CAPTURE(what);
    const bool quoted = what.find("'" + std::string(row.text) + "'") != std::string::npos;
    if (!quoted && !row.text.empty()) CHECK(column == row.column);
    CHECK(what.find(row.says) != std::string::npos);
    CHECK(what.find("for example: --perm 644") != std::string::npos);
  }
}

TEST_CASE("permissions are spelt as they are read") {
  CHECK(to_text(read("644")) == "644");
  CHECK(to_text(read("4")) == "004");
  CHECK(to_text(read("4755")) == "4755");
  CHECK(to_text(read("all go+w")) == "-022");
  CHECK(to_text(read("any 111")) == "/111");
  CHECK(to_text(read("go-w")) == "g-w,o-w");
  CHECK(to_text(read("u=rw,g-w")) == "u=rw,g-w");
  CHECK(to_text(read("u=")) == "u=");
  CHECK(to_text(read("o+r-w")) == "o+r-w");
}

TEST_CASE("every rule that can be written is read back from its spelling") {
  std::mt19937 engine(5);  // NOLINT: the same rules each time
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  for (int i = 0; i < 20000; ++i) {
    Permissions permissions;
    permissions.any = random() % 4 == 0;
    permissions.counted = i % 5 == 0 ? 07777U : random() % 010000U;
    permissions.bits = permissions.counted & (i % 7 == 0 ? 07777U : random());
    if (permissions.any) permissions.counted = permissions.bits;
    const std::string text = to_text(permissions);
    CAPTURE(text);
    REQUIRE(read(text) == permissions);
  }
}

TEST_CASE("permissions are shown as ls shows them") {
  CHECK(letters(0100644) == "-rw-r--r--");
  CHECK(letters(0040755) == "drwxr-xr-x");
  CHECK(letters(0120777) == "lrwxrwxrwx");
  CHECK(letters(0010600) == "prw-------");
  CHECK(letters(0140000) == "s---------");
  CHECK(letters(0060660) == "brw-rw----");
  CHECK(letters(0020666) == "crw-rw-rw-");
  CHECK(letters(0104755) == "-rwsr-xr-x");
  CHECK(letters(0106644) == "-rwSr-Sr--");
  CHECK(letters(0102755) == "-rwxr-sr-x");
  CHECK(letters(0041777) == "drwxrwxrwt");
  CHECK(letters(0041770) == "drwxrwx--T");
  CHECK(letters(0000644) == "?rw-r--r--");
}

}  // namespace permissions_test
