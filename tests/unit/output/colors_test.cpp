// SPDX-License-Identifier: MIT
// LS_COLORS: its language, the precedence of colours, what a palette asks entries for.
#include "output/colors.h"

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "random.h"

namespace colors_test {

namespace {

using namespace ffind;
using namespace ffind::output;
using namespace std::string_literals;

/// The colour of a file of that name, of which nothing else is known.
std::string color_of_name(const Palette& palette, std::string_view name) {
  Entry entry;
  entry.name = name;
  entry.type = FileType::file;
  return std::string(palette.color_of(entry));
}

struct Thing {
  FileType type = FileType::file;
  std::uint32_t mode = 0644;
  std::uint32_t links = 1;
  bool capabilities = false;
};

std::string color_of(std::string_view ls_colors, const Thing& thing, std::string_view name = "x") {
  const Palette palette = Palette::parse(ls_colors);
  Entry entry;
  entry.name = name;
  entry.type = thing.type;
  entry.metadata.mode = thing.mode;
  entry.metadata.links = thing.links;
  entry.capabilities = thing.capabilities;
  entry.present = palette.needs_for(thing.type);
  return std::string(palette.color_of(entry));
}

Entry link_to(std::uint32_t target_mode) {
  Entry entry;
  entry.name = "link.c";
  entry.type = FileType::symlink;
  entry.target = "target.h";
  (target_mode != 0 ? entry.present : entry.failed) = needs::target_mode;
  entry.target_mode = target_mode;
  return entry;
}

}  // namespace

TEST_CASE("The longest suffix wins, wherever it is said") {
  const Palette palette = Palette::parse("*.tar.gz=1:*.gz=2:*README=3:*~=4:*=5:*.c=0:fi=6:*.c~=");
  const std::vector<std::pair<std::string, std::string>> colors = {
      {"a.tar.gz", "1"},  {"a.gz", "2"},    {".tar.gz", "1"}, {"README", "3"},
      {"oldREADME", "3"}, {"README~", "4"}, {"other", "5"},   {"a.c", ""},
      {"a.c~", ""},       {"z", "5"},       {"gz", "5"},
  };
  for (const auto& [name, color] : colors) {
    CAPTURE(name);
    CHECK(color_of_name(palette, name) == color);
  }
  CHECK(color_of_name(Palette::parse("*.gz=2:fi=6"), "a") == "6");
  CHECK(color_of_name(Palette::parse("*.gz=2:*.gz=3"), "a.gz") == "3");
}

TEST_CASE("Case of suffixes counts only where colours differ by it") {
  CHECK(color_of_name(Palette::parse("*.jpg=1"), "A.JPG") == "1");
  CHECK(color_of_name(Palette::parse("*.JPG=1"), "a.jpg") == "1");
  CHECK(color_of_name(Palette::parse("*.jpg=1:*.JPG=1"), "a.Jpg") == "1");
  const Palette differing = Palette::parse("*.c=1:*.C=2:*.ab.C=3");
  CHECK(color_of_name(differing, "a.c") == "1");
  CHECK(color_of_name(differing, "a.C") == "2");
  CHECK(color_of_name(differing, "a.AB.c") == "3");
  const Palette shorter = Palette::parse("*.tar.Gz=1:*.tar.gZ=2:*.gz=3");
  CHECK(color_of_name(shorter, "a.tar.gz") == "3");
  // Only ASCII letters have a case here.
  CHECK(color_of_name(Palette::parse("*\xc3\xa4=1"), "\xc3\x84") == "");
}

TEST_CASE("Escapes in keys and values") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"\\a\\b\\e\\f\\n\\r\\t\\v", "\a\b\x1b\f\n\r\t\v"},
      {"\\?\\_\\\\\\^\\:\\=\\q", "\x7f \\^:=q"},
      {"\\101\\7\\0601", "A\a\x81"},  // octal takes all digits it can get
      {"\\x41\\x7a;\\X4Ag", "Az;Jg"},
      {"^[^a^A^?^@x", "\x1b\x01\x01\x7f\0x"s},
      {"01;31=5", "01;31=5"},
  };
  for (const auto& [written, color] : rows) {
    CAPTURE(written);
    CHECK(color_of_name(Palette::parse("fi=" + written), "x") == color);
  }
  CHECK(color_of_name(Palette::parse("*\\56c\\=^a=1"), "a.c=\x01") == "1");
  CHECK(color_of_name(Palette::parse("*a\\:b=1"), "a:b") == "1");
}

TEST_CASE("What cannot be read is ignored as a whole") {
  const std::string standard = color_of_name(Palette::standard(), "a.tar");
  REQUIRE_FALSE(standard.empty());
  for (const std::string_view broken :
       {"", "*.tar=1:d", "*.tar=1:di", "*.tar=1:di:", "*.tar=1:dir=3", "*.tar=1:*.c",
        "*.tar=1:*.c:", "*.tar=1:fi=\\", "*.tar=1:fi=^", "*.tar=1:fi=^\x7f", "*.tar=1:*\\",
        "*.tar=1:*^", "=", "x"}) {
    CAPTURE(broken);
    CHECK(color_of_name(Palette::parse(broken), "a.tar") == standard);
  }
  // Not broken: stray colons, keys of tomorrow, values without end.
  CHECK(color_of_name(Palette::parse("::*.tar=1:::zz=3:cl=\\e[K:"), "a.tar") == "1");
  CHECK(color_of_name(Palette::parse("*.tar=1:fi=\\x"), "a.tar") == "1");
}

TEST_CASE("Hostile values end, and cost little") {
  std::string long_key = "*" + std::string(100'000, 'a') + "=1";
  CHECK(color_of_name(Palette::parse(long_key), std::string(100'001, 'A')) == "1");
  CHECK(color_of_name(Palette::parse(long_key), "aaa").empty());
  std::string many;
  for (int i = 0; many.size() < 100'000; ++i)
    many += "*." + std::to_string(i) + "=" + std::to_string(i) + ":";
  CHECK(color_of_name(Palette::parse(many), "a.4711") == "4711");
  CHECK(color_of_name(Palette::parse("fi=" + std::string(100'000, '1')), "x").size() == 100'000);
  Palette::parse("fi=\\" + std::string(100'000, '7'));
  Palette::parse("fi=\\x" + std::string(100'000, 'f'));

  std::mt19937 random(1);
  constexpr std::string_view likely = "*.=:\\^xX07aegGdifilnortarget;_?";
  for (int round = 0; round < rounds(20'000); ++round) {
    std::string text;
    for (auto size = random() % 40; size > 0; --size) {
      text += random() % 8 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    }
    const Palette palette = Palette::parse(text);
    color_of_name(palette, text.empty() ? "x" : text);
    std::string out;
    palette.append_colored(out, palette.color_of(link_to(random() % 2 == 0 ? 0 : 0100755)), "x");
  }
}

TEST_CASE("Precedence among files") {
  constexpr std::string_view all = "su=1:sg=2:ca=3:ex=4:mh=5:*.c=6:fi=7";
  CHECK(color_of(all, {FileType::file, 06755, 2, true}, "a.c") == "1");
  CHECK(color_of(all, {FileType::file, 02755, 2, true}, "a.c") == "2");
  CHECK(color_of(all, {FileType::file, 0755, 2, true}, "a.c") == "3");
  CHECK(color_of(all, {FileType::file, 0755, 2}, "a.c") == "4");
  CHECK(color_of(all, {FileType::file, 0645, 2}, "a.c") == "4");
  CHECK(color_of(all, {FileType::file, 0644, 2}, "a.c") == "5");
  CHECK(color_of(all, {FileType::file, 0644, 1}, "a.c") == "6");
  CHECK(color_of(all, {FileType::file, 0644, 1}, "a.h") == "7");
  // Without a colour of its own a rule is passed over.
  CHECK(color_of("su=0:sg=00:ca=:ex=4", {FileType::file, 06755, 2, true}) == "4");
  CHECK(color_of("ex=0:su=:sg=:*.c=6", {FileType::file, 06755}, "a.c") == "6");
}

TEST_CASE("Precedence among directories") {
  constexpr std::string_view all = "tw=1:ow=2:st=3:di=4";
  CHECK(color_of(all, {FileType::directory, 01777}) == "1");
  CHECK(color_of(all, {FileType::directory, 0777}) == "2");
  CHECK(color_of(all, {FileType::directory, 01755}) == "3");
  CHECK(color_of(all, {FileType::directory, 0755}) == "4");
  CHECK(color_of("tw=0:ow=2:st=3", {FileType::directory, 01777}) == "2");
  CHECK(color_of("tw=0:ow=0:st=3", {FileType::directory, 01777}) == "3");
  CHECK(color_of("*.d=5:di=4", {FileType::directory, 0755}, "conf.d") == "4");
}

TEST_CASE("Links") {
  const auto color = [](std::string_view text, std::uint32_t target_mode) {
    return std::string(Palette::parse(text).color_of(link_to(target_mode)));
  };
  CHECK(color("ln=1", 0100755) == "1");
  CHECK(color("ln=1", 0) == "1");
  CHECK(color("ln=1:or=2", 0100755) == "1");
  CHECK(color("ln=1:or=2", 0) == "2");
  CHECK(color("ln=1:or=0", 0) == "1");
  CHECK(color("ln=target:ex=3", 0100755) == "3");
  CHECK(color("ln=target:*.c=4:*.h=5", 0100644) == "4");  // by the name of the link, as in ls
  CHECK(color("ln=target:di=6", 0040755) == "6");
  CHECK(color("ln=target:ow=7", 0040777) == "7");
  CHECK(color("ln=target:bd=8", 0060600) == "8");
  CHECK(color("ln=target:or=9", 0) == "9");
  CHECK(color("ln=target", 0) == "");
  CHECK(color("ln=target:no=1", 0) == "1");

  const auto target_color = [](std::string_view text, std::uint32_t target_mode) {
    return std::string(Palette::parse(text).color_of_target(link_to(target_mode)));
  };
  CHECK(target_color("mi=1:or=2", 0) == "1");
  CHECK(target_color("mi=00:or=2", 0) == "2");
  CHECK(target_color("ex=3", 0100755) == "3");
  CHECK(target_color("*.c=4:*.h=5", 0100644) == "5");
}

TEST_CASE("Everything else has its key, or what ls takes for granted") {
  CHECK(color_of("pi=1", {FileType::fifo}) == "1");
  CHECK(color_of("so=1", {FileType::socket}) == "1");
  CHECK(color_of("bd=1", {FileType::block}) == "1");
  CHECK(color_of("cd=1", {FileType::character}) == "1");
  CHECK(color_of("mi=1:or=2", {FileType::unknown}) == "1");
  CHECK(color_of("or=2", {FileType::unknown}) == "2");
  CHECK(color_of("*.c=1", {FileType::directory, 0755}) == "01;34");
  CHECK(color_of("*.c=1", {FileType::fifo}) == "33");
  CHECK(color_of("*.c=1", {FileType::file, 0755}) == "01;32");
  CHECK(Palette::parse("di=1").directory_color() == "1");
  // The colour of everything is for what has none, not for what was said to have none.
  CHECK(color_of("no=1", {FileType::file}) == "1");
  CHECK(color_of("no=1:fi=0", {FileType::file}) == "");
  CHECK(color_of("no=1:di=", {FileType::directory}) == "");
  CHECK(color_of("no=0", {FileType::file}) == "");
}

TEST_CASE("A palette asks for no more than its colours can use") {
  struct Row {
    std::string_view text;
    Needs file;
    Needs directory;
    Needs link;
  };
  // What ls takes for granted, switched off.
  const std::string off = "ex=0:su=0:sg=0:tw=0:ow=0:st=0:";
  const std::vector<Row> rows = {
      {"", 0, 0, 0},
      {"*.c=1:di=2:fi=3:ln=4:mi=5", 0, 0, 0},
      {"ex=1", needs::mode, 0, 0},
      {"su=1", needs::mode, 0, 0},
      {"sg=1", needs::mode, 0, 0},
      {"ca=1", needs::capabilities, 0, 0},
      {"mh=1", needs::links, 0, 0},
      {"tw=1", 0, needs::mode, 0},
      {"ow=1", 0, needs::mode, 0},
      {"st=1", 0, needs::mode, 0},
      {"or=1", 0, 0, needs::target_mode},
      {"ln=target", 0, 0, needs::target_mode},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Palette palette = Palette::parse(off + std::string(row.text));
    CHECK(palette.needs_for(FileType::file) == (needs::type | row.file));
    CHECK(palette.needs_for(FileType::directory) == (needs::type | row.directory));
    CHECK(palette.needs_for(FileType::symlink) == (needs::type | row.link));
    CHECK(palette.needs_for(FileType::fifo) == needs::type);
    CHECK(palette.needs() == (needs::type | row.file | row.directory | row.link));
    CHECK(palette.needs_for(FileType::unknown) == palette.needs());
  }
  CHECK((Palette::standard().needs() & needs::capabilities) == 0);
}

TEST_CASE("Coloured text") {
  const auto colored = [](std::string_view text, std::string_view color) {
    std::string out = "<";
    Palette::parse(text).append_colored(out, color, "x");
    return out;
  };
  CHECK(colored("fi=1", "01;31") == "<\x1b[01;31mx\x1b[0m");
  CHECK(colored("fi=1", "") == "<x");
  CHECK(colored("lc={:rc=}:rs=r", "1") == "<{1}x{r}");
  CHECK(colored("ec=end", "1") == "<\x1b[1mxend");
  CHECK(colored("ec=", "1") == "<\x1b[1mx");
}

TEST_CASE("The standard palette") {
  const Palette palette = Palette::standard();
  CHECK(color_of_name(palette, "a.tar.gz") == "01;31");
  CHECK(color_of_name(palette, "a.zst") == "01;31");
  CHECK(color_of_name(palette, "A.JPG") == "01;35");
  CHECK(color_of_name(palette, "a.mp3") == "00;36");
  CHECK(color_of_name(palette, "notes~") == "00;90");
  CHECK(color_of_name(palette, "a.c").empty());
  CHECK(color_of_name(palette, "tar").empty());
  CHECK(palette.color_of(link_to(0)) == "40;31;01");
  CHECK(palette.color_of(link_to(0100644)) == "01;36");
}

TEST_CASE("A palette may be copied and moved") {
  Palette first = Palette::parse("*.c=1:di=2");
  const Palette copy = first;
  const Palette moved = std::move(first);
  CHECK(color_of_name(copy, "a.c") == "1");
  CHECK(color_of_name(moved, "a.c") == "1");
}

}  // namespace colors_test
