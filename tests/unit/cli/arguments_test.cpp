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
  CHECK(options.limits == Words{"9"});
  CHECK(options.sort == Words{"size"});
  CHECK(options.max_depths == Words{"7"});
  CHECK(options.extensions == Words{"c"});
}

TEST_CASE("exclusions and expressions of the configuration add up with those typed") {
  const Options options =
      typed_over({"-E", "a", "--prune=b", "--where=empty"}, {"-Ec", "--prune=d", "--where=hidden"});
  CHECK(options.excludes == Words{"a", "c"});
  CHECK(options.prunes == Words{"b", "d"});
  CHECK(options.wheres == Words{"empty", "hidden"});
}

TEST_CASE("a format that is typed takes the place of the configuration's") {
  CHECK(typed_over({"-l"}, {"--json"}).details == false);
  CHECK(typed_over({"-l"}, {"--json"}).json == Words{"lines"});
  CHECK(typed_over({"--fields=size"}, {"--tree"}).fields.empty());
  CHECK(typed_over({"--format={name}"}, {"-x", "echo"}).format.empty());
  CHECK(typed_over({"--tree"}, {"-0"}).tree == false);
  CHECK(typed_over({"--tree"}, {"--color=always"}).tree);
  CHECK(typed_over({"--sort=name"}, {"--count"}).sort.empty());
}

TEST_CASE("what undoes a configuration, -H, -I and -u, can be in one") {
  CHECK(typed_over({"--no-hidden"}, {"-H"}).no_hidden == false);
  CHECK(typed_over({"--gitignore"}, {"-I"}).gitignore == false);
  const Options undone = typed_over({"--gitignore", "--no-hidden"}, {"-u"});
  CHECK((undone.gitignore || undone.no_hidden) == false);
  const Options typed = typed_over({"-H", "-I"}, {"--no-hidden", "--gitignore"});
  CHECK((typed.hidden || typed.no_ignore) == false);
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
      const auto on = std::get<FlagTarget>(opposite->target);
      const auto off = std::get<FlagTarget>(row.target);
      const std::string yes(names_of(*opposite).back());
      const std::string no(name);
      CHECK(typed_over({yes}, {no}).*on == false);
      CHECK(typed_over({no}, {yes}).*off == false);
      CHECK(followed_by(parse({yes}), parse({no})).*on == false);
      CHECK(followed_by(parse({no}), parse({yes})).*off == false);
    }
  }
  CHECK(pairs > 0);
}

TEST_CASE("what is typed behind a saved search comes on top of it") {
  const Options options = followed_by(parse({"name", "report", "--ext", "c", "-L"}),
                                      parse({"src", "--ext", "h", "-a", "-x", "echo"}));
  CHECK(options.arguments.empty());
  CHECK(options.texts == Words{"name"});
  CHECK(options.roots == Words{"report", "src"});
  CHECK(options.extensions == Words{"c", "h"});
  CHECK((options.follow && options.absolute));
  CHECK(options.execs == std::vector<Words>{{"echo"}});
}

TEST_CASE("a saved format, order, case and limit give way to those typed") {
  const auto behind = [](const Words& saved, const Words& typed) {
    return followed_by(parse(saved), parse(typed));
  };
  CHECK(behind({"-l"}, {"--json"}).details == false);
  CHECK(behind({"--json"}, {"-0"}).json.empty());
  CHECK(behind({"--count"}, {"-l"}).count.empty());
  CHECK(behind({"--sort=size"}, {"--count"}).sort.empty());
  CHECK(behind({"--sort=size"}, {"--sort=-name"}).sort == Words{"-name"});
  CHECK(behind({"-i"}, {"-s"}).ignore_case == false);
  CHECK(behind({"-1"}, {"-n3"}).one == false);
  CHECK(behind({"-n1"}, {"-n3"}).limits == Words{"3"});
  // What a saved search does to its matches is no format.
  CHECK(behind({"-x", "echo"}, {"--json"}).execs.size() == 1);
  CHECK(behind({"--delete", "-tf"}, {"-l"}).remove);
}

TEST_CASE("words behind a saved command are no words of it") {
  const Options options = followed_by(parse({"-x", "echo", "{}"}), parse({"src"}));
  CHECK(options.execs == std::vector<Words>{{"echo", "{}"}});
  CHECK(options.arguments == Words{"src"});
}

TEST_CASE("dashes count before the first argument, wherever that comes from") {
  CHECK(followed_by(parse({"-l"}), parse({"--", "name", "x"})).arguments_after_dashes);
  CHECK(followed_by(parse({"--", "name"}), parse({"x"})).roots == Words{"x"});
}

TEST_CASE("behind a saved pattern all arguments are PATHs, else they are read as usual") {
  CHECK(followed_by(parse({"-e", "x"}), parse({"name"})).roots == Words{"name"});
  CHECK(followed_by(parse({"path", "-e", "x"}), parse({"name"})).arguments == Words{"path"});
  const Options options = followed_by(parse({"./src"}), parse({"report"}));
  CHECK(options.arguments == Words{"report"});
  CHECK(options.roots == Words{"./src"});
}

TEST_CASE("--no-NAME undoes a switch, the last of both counts, and nothing undoes a filter") {
  CHECK_FALSE(parse({"--tree", "--no-tree"}).tree);
  CHECK(parse({"--no-tree", "--tree"}).tree);
  CHECK(parse({"--json=full", "--no-json"}).json.empty());
  CHECK_FALSE(parse({"--no-packages", "--packages"}).no_packages);
  CHECK_THROWS_AS(parse({"--no-empty"}), UsageError);
  CHECK_THROWS_AS(parse({"--no-help"}), UsageError);
  CHECK_FALSE(over_configuration(parse({"--tree"}), parse({"--no-tree"})).tree);
  // What is off automatically may be turned off for good, and on again.
  CHECK(over_configuration(parse({"--no-mark"}), parse({})).undone.size() == 1);
  CHECK(over_configuration(parse({"--no-mark"}), parse({"--mark"})).undone.empty());
}

}  // namespace arguments_test
