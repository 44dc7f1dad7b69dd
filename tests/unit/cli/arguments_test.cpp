// SPDX-License-Identifier: MIT
// What is typed over a configuration, and behind a saved search.

#include "cli/arguments.h"
#include "catch.h"
#include "cli/option_table.h"

namespace arguments_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

Options typed_over(const Words& configuration, const Words& typed) {
  return over_configuration(parse(configuration), parse(typed));
}

}  // namespace

TEST_CASE("what is typed takes the place of the same option of the configuration") {
  const Options options =
      typed_over({"-n", "5", "--sort=name", "--ext=c", "-d2"}, {"-n", "9", "--sort=size", "-d7"});
  CHECK(options.all(Id::limit) == Words{"9"});
  CHECK(options.all(Id::sort) == Words{"size"});
  CHECK(options.all(Id::max_depth) == Words{"7"});
  CHECK(options.all(Id::ext) == Words{"c"});
}

TEST_CASE("exclusions and expressions of the configuration add up with those typed") {
  const Options options =
      typed_over({"-E", "a", "--prune=b", "--where=empty"}, {"-Ec", "--prune=d", "--where=hidden"});
  CHECK(options.all(Id::exclude) == Words{"a", "c"});
  CHECK(options.all(Id::prune) == Words{"b", "d"});
  CHECK(options.all(Id::where) == Words{"empty", "hidden"});
}

TEST_CASE("a format that is typed takes the place of the configuration's") {
  CHECK(typed_over({"-l"}, {"--json"}).has(Id::details) == false);
  CHECK(typed_over({"-l"}, {"--json"}).all(Id::json) == Words{"lines"});
  CHECK(typed_over({"--json=size"}, {"--tree"}).has(Id::json) == false);
  CHECK(typed_over({"--format={name}"}, {"-x", "echo"}).has(Id::format) == false);
  CHECK(typed_over({"--tree"}, {"-0"}).has(Id::tree) == false);
  CHECK(typed_over({"--tree"}, {"--color=always"}).has(Id::tree));
  CHECK(typed_over({"--sort=name"}, {"--count"}).has(Id::sort) == false);
}

TEST_CASE("what undoes a configuration, -H, -I and -u, can be in one") {
  CHECK(typed_over({"--no-hidden"}, {"-H"}).has(Id::no_hidden) == false);
  CHECK(typed_over({"--gitignore"}, {"-I"}).has(Id::gitignore) == false);
  const Options undone = typed_over({"--gitignore", "--no-hidden"}, {"-u"});
  CHECK((undone.has(Id::gitignore) || undone.has(Id::no_hidden)) == false);
  const Options typed = typed_over({"-H", "-I"}, {"--no-hidden", "--gitignore"});
  CHECK((typed.has(Id::hidden) || typed.has(Id::no_ignore)) == false);
}

TEST_CASE("of two flags that say the opposite the one that is typed counts") {
  std::size_t pairs = 0;
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) {
      const OptionRow* const opposite =
          name.substr(0, 5) == "--no-" ? find_option("--" + std::string(name.substr(5))) : nullptr;
      if (opposite == nullptr || !is_flag(row) || !is_flag(*opposite)) continue;
      ++pairs;
      INFO(name);
      const std::string yes(names_of(*opposite).back());
      const std::string no(name);
      CHECK(typed_over({yes}, {no}).has(opposite->id) == false);
      CHECK(typed_over({no}, {yes}).has(row.id) == false);
      CHECK(followed_by(parse({yes}), parse({no})).has(opposite->id) == false);
      CHECK(followed_by(parse({no}), parse({yes})).has(row.id) == false);
    }
  }
  CHECK(pairs > 0);
}

TEST_CASE("what is typed behind a saved search comes on top of it") {
  const Options options = followed_by(parse({"name", "report", "--ext", "c", "-L"}),
                                      parse({"src", "--ext", "h", "-a", "-x", "echo"}));
  CHECK(options.arguments.empty());
  CHECK(options.all(Id::text) == Words{"name"});
  CHECK(options.all(Id::in) == Words{"report", "src"});
  CHECK(options.all(Id::ext) == Words{"c", "h"});
  CHECK((options.has(Id::follow) && options.has(Id::absolute)));
  CHECK(options.commands(Id::exec) == std::vector<Words>{{"echo"}});
}

TEST_CASE("a saved format, order, case and limit give way to those typed") {
  const auto behind = [](const Words& saved, const Words& typed) {
    return followed_by(parse(saved), parse(typed));
  };
  CHECK(behind({"-l"}, {"--json"}).has(Id::details) == false);
  CHECK(behind({"--json"}, {"-0"}).has(Id::json) == false);
  CHECK(behind({"--count"}, {"-l"}).has(Id::count) == false);
  CHECK(behind({"--sort=size"}, {"--count"}).has(Id::sort) == false);
  CHECK(behind({"--sort=size"}, {"--sort=-name"}).all(Id::sort) == Words{"-name"});
  CHECK(behind({"-i"}, {"-s"}).has(Id::ignore_case) == false);
  CHECK(behind({"-1"}, {"-n3"}).has(Id::one) == false);
  CHECK(behind({"-n1"}, {"-n3"}).all(Id::limit) == Words{"3"});
  // What a saved search does to its matches is no format.
  CHECK(behind({"-x", "echo"}, {"--json"}).commands(Id::exec).size() == 1);
  CHECK(behind({"--delete", "-tf"}, {"-l"}).has(Id::remove));
}

TEST_CASE("words behind a saved command are no words of it") {
  const Options options = followed_by(parse({"-x", "echo", "{}"}), parse({"src"}));
  CHECK(options.commands(Id::exec) == std::vector<Words>{{"echo", "{}"}});
  CHECK(options.arguments == Words{"src"});
}

TEST_CASE("dashes count before the first argument, wherever that comes from") {
  CHECK(followed_by(parse({"-l"}), parse({"--", "name", "x"})).arguments_after_dashes);
  CHECK(followed_by(parse({"--", "name"}), parse({"x"})).all(Id::in) == Words{"x"});
}

TEST_CASE("behind a saved pattern all arguments are PATHs, else they are read as usual") {
  CHECK(followed_by(parse({"-e", "x"}), parse({"name"})).all(Id::in) == Words{"name"});
  CHECK(followed_by(parse({"path", "-e", "x"}), parse({"name"})).arguments == Words{"path"});
  const Options options = followed_by(parse({"./src"}), parse({"report"}));
  CHECK(options.arguments == Words{"report"});
  CHECK(options.all(Id::in) == Words{"./src"});
}

TEST_CASE("--no-NAME undoes a switch, the last of both counts, and nothing undoes a filter") {
  CHECK_FALSE(parse({"--tree", "--no-tree"}).has(Id::tree));
  CHECK(parse({"--no-tree", "--tree"}).has(Id::tree));
  CHECK(parse({"--json=full", "--no-json"}).has(Id::json) == false);
  CHECK_FALSE(parse({"--no-packages", "--packages"}).has(Id::no_packages));
  CHECK_THROWS_AS(parse({"--no-empty"}), UsageError);
  CHECK_THROWS_AS(parse({"--no-help"}), UsageError);
  CHECK_FALSE(over_configuration(parse({"--tree"}), parse({"--no-tree"})).has(Id::tree));
  // What is off automatically may be turned off for good, and on again.
  CHECK(over_configuration(parse({"--no-mark"}), parse({})).is_off(Id::mark));
  CHECK_FALSE(over_configuration(parse({"--no-mark"}), parse({"--mark"})).is_off(Id::mark));
}

}  // namespace arguments_test
