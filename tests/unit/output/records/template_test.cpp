// SPDX-License-Identifier: MIT
// How a template is taken apart, and what is said of one that cannot be.
#include "output/template.h"

#include <string>

#include "catch.h"

namespace records_template_test {

using namespace ffind;
using namespace ffind::output;
using namespace std::string_literals;

namespace {

/// All that stands outside of fields, with | for each field.
std::string texts(std::string_view text) {
  const Template parsed = parse_template(text);
  std::string all;
  for (const Template::Part& part : parsed.parts) all += part.before + '|';
  return all + parsed.end;
}

TemplateField only_field(std::string_view text) {
  const Template parsed = parse_template(text);
  REQUIRE(parsed.parts.size() == 1);
  return parsed.parts.front().field;
}

std::string_view conversion_of(std::string_view text) {
  const Conversion* const conversion = only_field(text).conversion;
  return conversion != nullptr ? conversion->name : "none";
}

struct Mistake {
  std::string_view text;
  std::size_t position;
  std::string_view says;
};

}  // namespace

TEST_CASE("a template is texts and fields in turn") {
  CHECK(texts("") == "");
  CHECK(texts("no field") == "no field");
  CHECK(texts("{path}") == "|");
  CHECK(texts("a {path}{name} b") == "a || b");
  CHECK(only_field("{size}").field == find_record_field("size"));
}

TEST_CASE("braces are doubled") {
  CHECK(texts("{{path}}") == "{path}");
  CHECK(texts("{{{path}}}") == "{|}");
  CHECK(texts("}}{{") == "}{");
}

TEST_CASE("escapes stand for bytes and characters") {
  CHECK(texts(R"(\n\t\r\0\a\b\e\f\v\\)") == "\n\t\r\0\a\b\033\f\v\\"s);
  CHECK(texts(R"(\x41\xFf\x0a)") == "A\xff\n");
  CHECK(texts(R"(\x411)") == "A1");
  CHECK(texts(R"(\01)") == "\0001"s);
  CHECK(texts(R"(\u{41}\u{e9}\u{20AC}\u{1f600}\u{10ffff})") == "A\u00e9\u20ac\U0001f600\U0010ffff");
  CHECK(texts(R"(\x7bpath})"
              "}") == "{path}");
}

TEST_CASE("a field says how it is written") {
  CHECK(conversion_of("{size}") == "none");
  CHECK(conversion_of("{size:h}") == "h");
  CHECK(conversion_of("{size:H}") == "H");
  CHECK(conversion_of("{path:q}") == "q");
  CHECK(conversion_of("{tags:j}") == "j");
  CHECK(conversion_of("{name:b64}") == "b64");
  CHECK(conversion_of("{absolute:uri}") == "uri");
  CHECK(conversion_of("{mode:rwx}") == "rwx");
  CHECK(conversion_of("{changed:rfc}") == "rfc");
  CHECK(conversion_of("{created:epoch}") == "epoch");
  CHECK(only_field("{accessed:%H:%M}").time_format.has_value());
}

TEST_CASE("a field may be aligned, behind its conversion") {
  const TemplateField left = only_field("{name:<20}");
  CHECK(left.alignment == Alignment::left);
  CHECK(left.columns == 20);
  CHECK(left.conversion == nullptr);
  const TemplateField right = only_field("{size:h>8}");
  CHECK(right.alignment == Alignment::right);
  CHECK(right.columns == 8);
  CHECK(right.conversion->name == "h");
  CHECK(only_field("{name:^1000}").columns == 1000);
  const TemplateField time = only_field("{modified:%F %T<30}");
  CHECK(time.time_format.has_value());
  CHECK(time.columns == 30);
  CHECK(only_field("{modified:<%F>}").alignment == Alignment::none);
}

TEST_CASE("escapes in a format of a time may stand for a brace") {
  std::string out;
  only_field(R"({modified:%Y\x7d\u{7d}\t})").time_format->append(out, {});
  CHECK((out == "1970}}\t" || out == "1969}}\t"));
}

TEST_CASE("what is wrong with a template is said where it is") {
  const Mistake mistake = GENERATE(values<Mistake>({
      {"ab{nmae}", 3, "unknown field 'nmae'"},
      {"{Path}", 1, "unknown field 'Path'"},
      {"{}", 1, "a field is missing"},
      {"{:q}", 1, "a field is missing"},
      {"{/.}", 1, "use {stem}"},
      {"{.}", 1, "use {dir}/{stem}"},
      {"x{path", 1, "unclosed '{'"},
      {"{path {name}", 0, "unclosed '{'"},
      {"{", 0, "unclosed '{'"},
      {"a}", 1, "unmatched '}'"},
      {"{{path}", 6, "unmatched '}'"},
      {"{path:}", 6, "is missing"},
      {"{path:h}", 6, "not a conversion for 'path'"},
      {"{size:%Y}", 6, "not a conversion for 'size'"},
      {"{uid:h}", 5, "not a conversion for 'uid'"},
      {"{size:hh>3}", 6, "'hh' is not a conversion for 'size'"},
      {"{tags:b64}", 6, "not a conversion for 'tags'"},
      {"{name:>}", 6, "a number of columns is missing"},
      {"{name:q<}", 7, "a number of columns is missing"},
      {"{name:>0}", 7, "'0' is not a number from 1 to 1000"},
      {"{name:>1001}", 7, "is not a number from 1 to 1000"},
      {"{name:>99999999999999999999999}", 7, "is not a number from 1 to 1000"},
      {"{name:20}", 6, "'20' is not a conversion for 'name'"},
      {"{modified:%Y-%Q}", 13, "'%Q' is not a time conversion"},
      {"{modified:%Y%}", 12, "'%' is not a time conversion"},
      {"{modified:%Y\\0}", 10, "is not a time conversion"},
      {"{modified:%Y\\x25Q}", 10, "'%Q' is not a time conversion"},
      {"{modified:Y}", 10, "'Y' is not a conversion for 'modified'"},
      {"ab\\q", 2, "unknown escape"},
      {"ab\\", 2, "nothing follows"},
      {"\\x4", 0, "two hexadecimal digits"},
      {"\\xg0", 0, "two hexadecimal digits"},
      {"\\u41", 0, "needs a code point"},
      {"\\u{}", 0, "needs a code point"},
      {"\\u{41", 0, "needs a code point"},
      {"\\u{0000041}", 0, "needs a code point"},
      {"\\u{110000}", 0, "no such code point"},
      {"\\u{d800}", 0, "no such code point"},
      {"{modified:%Y\\q}", 12, "unknown escape"},
  }));
  INFO(mistake.text);
  try {
    parse_template(mistake.text);
    FAIL("nothing is found wrong with it");
  } catch (const TemplateError& error) {
    INFO(error.what());
    CHECK(error.position() == mistake.position);
    CHECK(std::string(error.what()).find(mistake.says) != std::string::npos);
  }
}

TEST_CASE("every field can be named, quoted and written as JSON") {
  for (const RecordField& field : record_fields()) {
    const std::string name(field.name);
    CHECK(only_field("{" + name + "}").field == &field);
    CHECK(only_field("{" + name + ":q}").field == &field);
    CHECK(only_field("{" + name + ":j}").field == &field);
  }
}

}  // namespace records_template_test
