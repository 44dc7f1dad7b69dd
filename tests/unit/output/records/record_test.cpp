// SPDX-License-Identifier: MIT
// What one match looks like in each format where values are unknown or no search can have them.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "output/records.h"

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

constexpr Instant noon{1'769'860'800, 123'456'789};  // 2026-01-31T12:00:00 UTC

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

TEST_CASE("what is unknown is empty, null in JSON and an empty word for a shell") {
  const MatchedEntry match("", "a");
  CHECK(expanded("[{target}{created}{created:%Y}{created:rfc}{added:epoch}{target:uri}]", match) ==
        "[]\n");
  CHECK(expanded("{target:j} {target:q} {created:q}|{created:>3}|", match) == "null '' ''|   |\n");
}

TEST_CASE("a time whose year has not four digits is unknown") {
  for (const std::int64_t second : {INT64_MIN, std::int64_t{253'402'300'800}, INT64_MAX}) {
    MatchedEntry match("", "a");
    match.entry.metadata.modified = {second};
    CHECK(expanded("[{modified}{modified:epoch}{modified:%Y}] {modified:j}", match) == "[] null\n");
    CHECK(record(style_of(Format::details), match.entry).find("   ? a") != std::string::npos);
  }
  MatchedEntry match("", "a");
  match.entry.metadata.modified = {-11'676'096'001, 999'999'999};
  CHECK(expanded("{modified:rfc}", match) == "1599-12-31T23:59:59.999999999Z\n");
}

TEST_CASE("lists are joined, or words, or JSON") {
  MatchedEntry match("", "a");
  match.finder.tags = {{"Red", {}}, {"my tag", {}}};
  CHECK(expanded("{tags}", match) == "Red,my tag\n");
  CHECK(expanded("{tags:q}", match) == "Red 'my tag'\n");
  CHECK(expanded("{tags:j}", match) == "[\"Red\",\"my tag\"]\n");
}

TEST_CASE("a template asks for what it names and no more") {
  CHECK(make_record_format(template_style("{name} {depth}"))->needs() == needs::none);
  CHECK(make_record_format(template_style("{path}"))->needs() == needs::directory);
  CHECK(make_record_format(template_style("{size:h} {modified:%F}"))->needs() ==
        (needs::length | needs::modified));
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

TEST_CASE("NDJSON has text and lists as UTF-8 alone, as the schema says") {
  OutputStyle style = style_of(Format::json);
  style.columns = {{find_record_field("comment")}, {find_record_field("tags")}};
  MatchedEntry match("", "a");
  match.finder.comment = "b\xff";
  match.finder.tags = {{"\xff", {}}};
  CHECK(record(style, match.entry) == "{\"comment\":\"b\uFFFD\",\"tags\":[\"\uFFFD\"]}\n");
}

}  // namespace record_test
