// SPDX-License-Identifier: MIT
// Objects of one line. That Python and jq read the same is compared by the black-box case
// from-json-of-other-programs.
#include "text/json.h"

#include <utility>

#include "catch.h"
#include "text/quoting.h"

namespace json_test {

using namespace ffind::text;
using Members = std::vector<std::pair<std::string, std::string>>;

namespace {

std::optional<Members> members_of(std::string_view line) {
  Members members;
  const bool sound = read_object(line, [&](std::string_view key, std::string_view value) {
    members.emplace_back(key, value);
  });
  return sound ? std::optional(members) : std::nullopt;
}

std::string text_of(std::string_view value) {
  std::string text;
  return read_json_text(value, text) ? text : "no string";
}

}  // namespace

TEST_CASE("members come in their order, with values as they are written") {
  CHECK(members_of("{}") == Members{});
  CHECK(members_of(R"( { "a" : 1 , "b":[1,{"c":null}],"a":"x\"}" , "\u0061b" : -1.5e+3 } )") ==
        Members{{"a", "1"}, {"b", R"([1,{"c":null}])"}, {"a", R"("x\"}")"}, {"ab", "-1.5e+3"}});
  CHECK(members_of("{\"a\":true,\"b\":[],\"c\":{}}\r") ==
        Members{{"a", "true"}, {"b", "[]"}, {"c", "{}"}});
}

TEST_CASE("what is no JSON object is refused") {
  for (const char* const line :
       {"", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{a:1}", "{\"a\":1 2}",
        "{\"a\":\"\n\"}", R"({"a":")", R"({"a":[1)", R"({"a":"\)", R"({"a":"\"})", "{,}"}) {
    INFO(line);
    CHECK_FALSE(members_of(line));
  }
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  CHECK(members_of("{\"a\":" + deep + "}") == Members{{"a", deep}});
}

TEST_CASE("escapes are the characters that they stand for, halves of pairs are U+FFFD") {
  CHECK(text_of(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(text_of(R"("\u00e9 \ud83d\uDE00")") == "\xC3\xA9 \xF0\x9F\x98\x80");
  CHECK(text_of(R"("\ud83d \ude00\ud83d\u0041")") ==
        "\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD"
        "A");
  CHECK(text_of(R"("\u12g4 \u00")") ==
        "\xEF\xBF\xBD \xEF\xBF\xBD"
        "00");
  CHECK(text_of("\"a\xFF\"") == "a\xFF");
  CHECK(text_of("12") == "no string");
}

TEST_CASE("numbers are whole and have 64 bits") {
  CHECK(json_number("18446744073709551615") == UINT64_MAX);
  for (const char* const value : {"18446744073709551616", "-1", "1.0", "1e3", "\"1\"", "null"}) {
    CHECK_FALSE(json_number(value));
  }
}

TEST_CASE("lists are of strings alone") {
  std::vector<std::string> list;
  CHECK(read_json_list(R"([ "a" , "\n" ])", list));
  CHECK(list == std::vector<std::string>{"a", "\n"});
  CHECK(read_json_list("[]", list));
  CHECK(list.empty());
  CHECK_FALSE(read_json_list("[1]", list));
  CHECK_FALSE(read_json_list("\"a\"", list));
}

TEST_CASE("base64 is read as it is written") {
  for (const std::string bytes : {"", "a", "ab", "abc", "\xFF\xFE/\n", "\x80"}) {
    std::string encoded;
    append_base64(encoded, bytes);
    std::string decoded;
    CHECK(read_base64(encoded, decoded));
    CHECK(decoded == bytes);
  }
  std::string decoded;
  CHECK_FALSE(read_base64("YQ", decoded));
  CHECK_FALSE(read_base64("YQ=!", decoded));
}

}  // namespace json_test
