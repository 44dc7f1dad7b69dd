// SPDX-License-Identifier: MIT
// Places for parts of paths, and for fields, in commands.
#include "output/commands/action.h"

#include "../matches.h"
#include "catch.h"
#include "output/output_style.h"

namespace commands_template_test {

using namespace ffind;
using namespace ffind::output;

namespace {

std::string expanded(std::string_view text, std::string_view path) {
  const ArgumentTemplate argument(text);
  std::string out;
  std::string_view values;
  argument.append(out, path, values);
  CHECK(argument.size(path) == out.size());
  return out;
}

using Words = std::vector<std::string>;

/// The arguments of the first command for the entry.
Words with_fields(const std::vector<Words>& commands, Entry& entry, bool in_directory = false) {
  const std::vector<CommandTemplate> templates(commands.begin(), commands.end());
  FieldWriter writer(nullptr, false);
  std::string values;
  append_values(values, templates, in_directory, writer, entry);
  const std::string path = "path";
  std::string_view rest = values;
  return expand(templates.front(), &path, 1, rest);
}

/// The metadata that a style with this command requires of each match.
Needs needs_with(const Words& command) {
  OutputStyle style;
  style.format = Format::null;
  style.action.emplace().commands.emplace_back(command);
  return MatchBuilder(style).needs();
}

}  // namespace

TEST_CASE("each place stands for its part of the path") {
  CHECK(expanded("{}", "a/b/c.tar.gz") == "a/b/c.tar.gz");
  CHECK(expanded("{/}", "a/b/c.tar.gz") == "c.tar.gz");
  CHECK(expanded("{//}", "a/b/c.tar.gz") == "a/b");
  CHECK(expanded("{.}", "a/b/c.tar.gz") == "a/b/c.tar");
  CHECK(expanded("{/.}", "a/b/c.tar.gz") == "c.tar");
}

TEST_CASE("a path without a directory lies in the current one, and below / in /") {
  CHECK(expanded("{//}", "a.txt") == ".");
  CHECK(expanded("{/}|{.}", "a.txt") == "a.txt|a");
  CHECK(expanded("{//}|{/}", "/etc") == "/|etc");
  CHECK(expanded("{//}", "/etc/hosts") == "/etc");
}

TEST_CASE("a dot in a directory, or at the beginning, begins no extension") {
  CHECK(expanded("{.}", "a.d/b") == "a.d/b");
  CHECK(expanded("{.}", "a/.profile") == "a/.profile");
  CHECK(expanded("{/.}", ".profile.bak") == ".profile");
}

TEST_CASE("text around places stays, and several places may stand in one argument") {
  CHECK(expanded("<{/}> of <{//}>", "a/b") == "<b> of <a>");
  CHECK(expanded("{}{}", "x") == "xx");
}

TEST_CASE("doubled braces are braces, others stand for themselves") {
  CHECK(expanded("{{}}", "x") == "{}");
  CHECK_FALSE(ArgumentTemplate("{{}}").has_place());
  CHECK(expanded("{{{}}}", "x") == "{x}");
  CHECK(expanded("{}}", "x") == "x}");
  CHECK(expanded("awk {print $1} ${HOME} {x} { }", "p") == "awk {print $1} ${HOME} {x} { }");
  CHECK(expanded("{", "x") == "{");
  CHECK(expanded("", "x").empty());
}

TEST_CASE("bytes that are not UTF-8 arrive as they are") {
  CHECK(expanded("-{}-", "a\xfe/\xff.x") == "-a\xfe/\xff.x-");
}

TEST_CASE("a command without a place takes the path at its end") {
  const CommandTemplate bare({"echo", "{{}}"});
  REQUIRE(bare.arguments.size() == 3);
  CHECK(bare.arguments.back().has_place());
  CHECK(CommandTemplate({"echo", "{/}"}).arguments.size() == 2);
  CHECK(CommandTemplate({"{}"}).arguments.size() == 1);
  CHECK(CommandTemplate({"{}"}).program_varies());
  CHECK_FALSE(bare.program_varies());
}

TEST_CASE("a field is its value, in one piece") {
  MatchedEntry match("d/a b.jpg");
  match.sized(1234567);
  CHECK(with_fields({{"mv", "{}", "x/{size:h}-{name}", "{dir}{ext}", "{{name}"}}, match.entry) ==
        Words{"mv", "path", "x/1.2M-a b.jpg", "djpg", "{name}"});
  CHECK(with_fields({{"a", "{name}"}, {"b", "{size}"}}, match.entry) == Words{"a", "a b.jpg"});
  CHECK(with_fields({{"{path}", "{dir}", "{relative}"}}, match.entry, true) ==
        Words{"./a b.jpg", ".", "d/a b.jpg"});
}

TEST_CASE("a path is never taken for an option, and a name is as it is") {
  MatchedEntry match("-rf");
  CHECK(with_fields({{"{path}", "{relative}", "x{relative}", "{name}"}}, match.entry) ==
        Words{"./-rf", "./-rf", "x-rf", "-rf"});
}

TEST_CASE("words in braces that name no field, and variables of a shell, stay") {
  for (const char* const text :
       {"{print}", "{name,size}", "{name", "${name}", "{ name }", "{name;}"}) {
    CHECK(ArgumentTemplate(text).fields().empty());
    CHECK(expanded(text, "x") == text);
  }
  CHECK_THROWS_AS(ArgumentTemplate("{name:%Y}"), TemplateError);
  CHECK_THROWS_AS(ArgumentTemplate("{modified:%Y"), TemplateError);
}

TEST_CASE("the first field without a value is found") {
  MatchedEntry match("d/a");
  const std::vector<CommandTemplate> commands = {
      CommandTemplate({"a", "{name}", "{ext}", "{size}"})};
  FieldWriter writer(nullptr, false);
  std::string values;
  append_values(values, commands, false, writer, match.entry);
  CHECK(missing_field(commands.front(), values)->name == "ext");
  CHECK(missing_field(CommandTemplate({"a", "{name}"}), values) == nullptr);
}

TEST_CASE("a field needs what it reads, and a name needs nothing") {
  CHECK(needs_with({"echo", "{name}.{ext}"}) == needs::none);
  CHECK(needs_with({"echo", "{modified:%Y}", "{size}"}) == (needs::modified | needs::length));
  const std::vector<CommandTemplate> condition = {CommandTemplate({"test", "{links}"})};
  CHECK(needs_of(condition) == needs::links);
}

}  // namespace commands_template_test
