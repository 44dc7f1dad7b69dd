// SPDX-License-Identifier: MIT
// What one match looks like in each format: templates, long listings, NDJSON, plain paths.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "output/records.h"
#include "text/quoting.h"

namespace record_test {

using namespace ffind;
using namespace ffind::output;
using namespace std::string_literals;

namespace {

class FakeAccounts final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string&) const override { return {}; }
  std::optional<std::uint32_t> group_id(const std::string&) const override { return {}; }
  std::optional<std::string> user_name(std::uint32_t id) const override {
    ++asked;
    if (id == 7) return std::string();  // nobody can say now
    if (id == 8) return {};
    return id == 9 ? "山田" : "ann";
  }
  std::optional<std::string> group_name(std::uint32_t) const override { return "staff"; }

  mutable int asked = 0;
};

constexpr Nanoseconds noon = 1'769'860'800'123'456'789;  // 2026-01-31T12:00:00 UTC

struct MatchedEntry {
  FinderMetadata finder{};
  Entry entry{};

  MatchedEntry(std::string_view directory, std::string_view name) {
    entry.name = name;
    entry.type = FileType::file;
    entry.directory = directory;
    entry.depth = 2;
    entry.finder = &finder;
    entry.metadata.size = 1'234'567;
    entry.metadata.mode = 0104755;
    entry.metadata.uid = 1000;
    entry.metadata.links = 3;
    entry.metadata.modified = noon;
    entry.present = needs::metadata | needs::directory | needs::finder | needs::depth;
    entry.failed = needs::created | needs::added | needs::target;
    entry.present &= ~entry.failed;
  }
};

std::string record(const OutputStyle& style, Entry& entry) {
  std::string out = "<";
  make_record_format(style)->append(out, entry);
  return out.substr(1);
}

OutputStyle style_of(Format format) {
  OutputStyle style;
  style.format = format;
  return style;
}

OutputStyle template_style(std::string_view text) {
  OutputStyle style = style_of(Format::templated);
  style.record_template = parse_template(text);
  return style;
}

std::string expanded(std::string_view text, MatchedEntry match) {
  match.entry.finder = &match.finder;
  FakeAccounts accounts;
  OutputStyle style = template_style(text);
  style.accounts = &accounts;
  return record(style, match.entry);
}

}  // namespace

TEST_CASE("a template says of a match what it names") {
  const MatchedEntry match("d/", "a.tar.gz");
  CHECK(expanded("{path}", match) == "d/a.tar.gz\n");
  CHECK(expanded("{stem}|{ext}|{dir}|{name}|{depth}", match) == "a.tar|gz|d|a.tar.gz|2\n");
  CHECK(expanded("{dir}", MatchedEntry("d//e//", "a")) == "d//e\n");
  CHECK(expanded("{dir} {path}", MatchedEntry("//", "a")) == "/ //a\n");
  CHECK(expanded("{size} {size:h} {size:H} {mode} {mode:rwx}", match) ==
        "1234567 1.2M 1.1Mi 4755 -rwsr-xr-x\n");
  CHECK(expanded("{owner}:{group} {links}", match) == "ann:staff 3\n");
  CHECK(expanded("{modified:rfc} {modified:epoch} {modified:%f}", match) ==
        "2026-01-31T12:00:00.123456789Z 1769860800.123456789 123456789\n");
}

TEST_CASE("what is unknown is empty, null in JSON and an empty word for a shell") {
  const MatchedEntry match("", "a");
  CHECK(expanded("[{target}{created}{created:%Y}{created:rfc}{added:epoch}{target:uri}]", match) ==
        "[]\n");
  CHECK(expanded("{target:j} {target:q} {created:q}|{created:>3}|", match) == "null '' ''|   |\n");
}

TEST_CASE("a time that nanoseconds cannot say is unknown, not the last that they can") {
  for (const Nanoseconds end : {INT64_MIN, INT64_MAX}) {
    MatchedEntry match("", "a");
    match.entry.metadata.modified = end;
    CHECK(expanded("[{modified}{modified:epoch}{modified:%Y}] {modified:j}", match) == "[] null\n");
    CHECK(record(style_of(Format::details), match.entry).find("   ? a") != std::string::npos);
  }
  MatchedEntry last("", "a");
  last.entry.metadata.modified = INT64_MAX - 1;
  CHECK(expanded("{modified:rfc}", last) == "2262-04-11T23:47:16.854775806Z\n");
}

TEST_CASE("a record of a template ends as the style says") {
  OutputStyle style = template_style("{path}");
  style.end = '\0';
  MatchedEntry match("", "a");
  CHECK(record(style, match.entry) == "a\0"s);
}

TEST_CASE("columns are counted as a terminal shows them") {
  CHECK(expanded("{name:>4}|{name:<4}|{name:^4}|", MatchedEntry("", "a")) == "   a|a   | a  |\n");
  CHECK(expanded("{name:>5}|", MatchedEntry("", "日本")) == " 日本|\n");
  CHECK(expanded("{name:<3}|", MatchedEntry("", "a\u0308")) == "a\u0308  |\n");
  CHECK(expanded("{name:<3}|", MatchedEntry("", "\xff")) == "\xff  |\n");
  CHECK(expanded("{name:>2}|", MatchedEntry("", "long")) == "long|\n");
  CHECK(expanded("{size:h>8}|", MatchedEntry("", "a")) == "    1.2M|\n");
}

TEST_CASE("a word for a shell is quoted where it has to be") {
  CHECK(expanded("{path:q}", MatchedEntry("d/", "a.txt")) == "d/a.txt\n");
  CHECK(expanded("{path:q}", MatchedEntry("", "a b")) == "'a b'\n");
  CHECK(expanded("{path:q}", MatchedEntry("", "it's")) == "'it'\\''s'\n");
  CHECK(expanded("{name:q}", MatchedEntry("", "\n\xff$")) == "'\n\xff$'\n");
  CHECK(expanded("{size:q}", MatchedEntry("", "a")) == "1234567\n");
}

TEST_CASE("lists are joined, or words, or JSON") {
  MatchedEntry match("", "a");
  match.finder.tags = {{"Red", {}}, {"my tag", {}}};
  CHECK(expanded("{tags}", match) == "Red,my tag\n");
  CHECK(expanded("{tags:q}", match) == "Red 'my tag'\n");
  CHECK(expanded("{tags:j}", match) == "[\"Red\",\"my tag\"]\n");
}

TEST_CASE("base64 and percent encoding carry every byte") {
  CHECK(expanded("{name:b64} {name:uri}", MatchedEntry("", "a b\xff")) == "YSBi/w== a%20b%FF\n");
  CHECK(expanded("{path:uri}", MatchedEntry("d/", "-._~é")) == "d/-._~%C3%A9\n");
}

TEST_CASE("on a terminal no value of a template can steer it") {
  OutputStyle style = template_style("{path} {name:q} {tags} \x1b[1m");
  style.terminal = true;
  MatchedEntry match("", "a\x1b[31m'");
  match.finder.tags = {{"x\ny", {}}};
  CHECK(record(style, match.entry) == "a\\x1b[31m' $'a\\033[31m\\'' x\\ny \x1b[1m\n");
}

TEST_CASE("what ends with NUL is for programs, which get every byte from a terminal, too") {
  for (OutputStyle style : {template_style("{name}"), style_of(Format::details)}) {
    style.terminal = true;
    MatchedEntry match("", "a\x1b");
    CHECK(record(style, match.entry).find("a\\x1b\n") != std::string::npos);
    style.end = '\0';
    CHECK(record(style, match.entry).find("a\x1b\0"s) != std::string::npos);
  }
}

TEST_CASE("a template asks for what it names and no more") {
  CHECK(make_record_format(template_style("{name} {depth}"))->needs() == needs::none);
  CHECK(make_record_format(template_style("{path}"))->needs() == needs::directory);
  CHECK(make_record_format(template_style("{size:h} {modified:%F}"))->needs() ==
        (needs::size | needs::modified));
}

TEST_CASE("each account is asked for once, and again if nobody could say") {
  FakeAccounts accounts;
  OutputStyle style = template_style("{owner}");
  style.accounts = &accounts;
  const auto format = make_record_format(style);
  MatchedEntry match("", "a");
  std::string out;
  const auto ask_twice = [&](std::uint32_t uid) {
    match.entry.metadata.uid = uid;
    accounts.asked = 0;
    format->append(out, match.entry);
    format->append(out, match.entry);
    return accounts.asked;
  };
  CHECK(ask_twice(1) == 1);
  CHECK(ask_twice(8) == 1);  // no account has it
  CHECK(ask_twice(7) == 2);
  CHECK(out == "ann\nann\n\n\n\n\n");
}

/// The style of -ll.
OutputStyle style_with_permissions() {
  OutputStyle style = style_of(Format::details);
  style.has_permissions = true;
  return style;
}

TEST_CASE("a long listing has a line of columns") {
  FakeAccounts accounts;
  OutputStyle style = style_with_permissions();
  style.accounts = &accounts;
  MatchedEntry match("d/", "a");
  const auto line = [&] {
    std::string text = record(style, match.entry);
    // The time is that of the local zone.
    text.replace(text.find("2026-01-31") + 11, 5, "HH:MM");
    return text;
  };
  CHECK(line() == "-rwsr-xr-x   3 ann      staff       1234567 2026-01-31 HH:MM d/a\n");
  OutputStyle on_terminal = style;
  on_terminal.terminal = true;
  on_terminal.human_sizes = true;
  CHECK(record(on_terminal, match.entry).find(" staff     1.2M 2026-01-31 ") != std::string::npos);
  on_terminal.has_permissions = false;
  on_terminal.now = match.entry.metadata.modified + Nanoseconds{7'300'000'000'000};
  CHECK(record(on_terminal, match.entry) == " 1.2M    2 h ago d/a\n");
  match.entry.metadata.uid = 8;
  match.entry.metadata.mode = 0020600;
  match.entry.type = FileType::character;
  CHECK(line() == "crw-------   3 8        staff             - 2026-01-31 HH:MM d/a\n");
  match.entry.metadata.uid = 9;
  match.entry.metadata.mode = 0120777;
  match.entry.type = FileType::symlink;
  match.entry.target = "../b";
  match.entry.present |= needs::target;
  match.entry.failed = needs::none;
  match.entry.metadata.size = 4;
  CHECK(line() == "lrwxrwxrwx   3 山田     staff             4 2026-01-31 HH:MM d/a -> ../b\n");
}

TEST_CASE("a long listing marks what nobody knows") {
  const OutputStyle style = style_with_permissions();
  MatchedEntry match("", "a");
  match.entry.type = FileType::unknown;
  match.entry.present = needs::directory;
  match.entry.failed = ~match.entry.present;
  CHECK(record(style, match.entry) ==
        "??????????   ? ?        ?                 ?                ? a\n");
}

TEST_CASE("a long listing tells a type that is known where nothing else is") {
  constexpr std::pair<FileType, char> letters[] = {
      {FileType::file, '-'},     {FileType::directory, 'd'}, {FileType::symlink, 'l'},
      {FileType::fifo, 'p'},     {FileType::socket, 's'},    {FileType::block, 'b'},
      {FileType::character, 'c'}};
  for (const auto& [type, letter] : letters) {
    MatchedEntry match("", "a");
    match.entry.type = type;
    match.entry.present = needs::type | needs::directory;
    match.entry.failed = ~match.entry.present;
    CHECK(record(style_with_permissions(), match.entry).substr(0, 11) == letter + "????????? "s);
  }
}

TEST_CASE("a path can be a link to its file") {
  OutputStyle style = style_of(Format::text);
  style.link_host = "my host";
  MatchedEntry match("d/", "a \xff");
  match.entry.absolute_path = "/x/d/a \xff";
  match.entry.present |= needs::absolute_path;
  CHECK((make_record_format(style)->needs() & needs::absolute_path) != 0);
  CHECK(record(style, match.entry) ==
        "\x1b]8;;file://my%20host/x/d/a%20%FF\x1b\\d/a \xff\x1b]8;;\x1b\\\n");
  style.palette = Palette::parse("*\xff=31:di=34");
  match.entry.metadata.mode = 0100644;
  CHECK(record(style, match.entry) ==
        "\x1b]8;;file://my%20host/x/d/a%20%FF\x1b\\\x1b[34md/\x1b[0m\x1b[31ma \xff\x1b[0m"
        "\x1b]8;;\x1b\\\n");
  match.entry.present &= ~needs::absolute_path;
  match.entry.failed |= needs::absolute_path;
  style.palette.reset();
  CHECK(record(style, match.entry) == "d/a \xff\n");
}

TEST_CASE("NDJSON has the members that are known, and bytes beside text that is none") {
  OutputStyle style = style_of(Format::json);
  for (const std::string_view name : {"path", "size", "mode", "modified", "created", "tags"}) {
    style.columns.push_back({find_record_field(name)});
  }
  MatchedEntry match("", "a\xff");
  CHECK(record(style, match.entry) ==
        "{\"path\":\"a\uFFFD\",\"path_b64\":\"Yf8=\",\"size\":1234567,\"mode\":\"4755\","
        "\"modified\":\"2026-01-31T12:00:00.123456789Z\",\"tags\":[]}\n");
  style.columns = {{find_record_field("created")}};
  CHECK(record(style, match.entry) == "{}\n");
}

TEST_CASE("NDJSON has text and lists as UTF-8 alone, as the schema says") {
  OutputStyle style = style_of(Format::json);
  style.columns = {{find_record_field("comment")}, {find_record_field("tags")}};
  MatchedEntry match("", "a");
  match.finder.comment = "b\xff";
  match.finder.tags = {{"\xff", {}}};
  CHECK(record(style, match.entry) == "{\"comment\":\"b\uFFFD\",\"tags\":[\"\uFFFD\"]}\n");
}

TEST_CASE("with every field a template loses no byte of a name") {
  // Each byte that a name may have, in pieces that are no UTF-8, whole UTF-8 and a mixture.
  std::string name;
  for (int byte = 1; byte < 256; ++byte) {
    if (byte != '/') name += static_cast<char>(byte);
  }
  const std::string directory = "\xc3/\xff\xfe/";
  MatchedEntry match(directory, name);
  match.entry.absolute_path = "/\xed\xa0\x80";
  match.entry.relative_path = "\xf0\x9f";
  match.entry.root = "\xe4";
  match.entry.volume = "/\xfc";
  match.entry.target = "\x80\n";
  match.entry.type = FileType::file;
  match.entry.failed = needs::none;
  match.entry.present = ~Needs{0};
  const std::map<std::string, std::string> expected = {
      {"path", directory + name},    {"name", name},
      {"dir", "\xc3/\xff\xfe"},      {"relative", "\xf0\x9f"},
      {"absolute", "/\xed\xa0\x80"}, {"root", "\xe4"},
      {"volume", "/\xfc"},           {"target", "\x80\n"}};
  std::string text;
  std::string all;
  for (const RecordField& field : record_fields()) {
    if (field.sort != ValueSort::bytes || field.name == "stem" || field.name == "ext") continue;
    INFO(field.name);
    REQUIRE(expected.count(std::string(field.name)) == 1);
    text += "{{{" + std::string(field.name) + "}}}";
    all += "{" + expected.at(std::string(field.name)) + "}";
  }
  CHECK(expanded(text, match) == all + "\n");
  CHECK(expanded("{stem}.{ext}", match) == name + "\n");
}

}  // namespace record_test
