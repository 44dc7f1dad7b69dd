// SPDX-License-Identifier: MIT
// From what was typed to what was meant: FIELD, TEXT and PATH, and the one expression.
#include "cli/request.h"

#include "catch.h"
#include "cli/arguments.h"
#include "cli/option_table.h"
#include "ffind/query.h"

namespace query_builder_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

Operands operands(const Words& words) {
  return sort_arguments(parse(words));
}

Query query_of(const Words& words) {
  const Options options = parse(words);
  return build_query(options, sort_arguments(options), {.clock = {1'000'000'000'000'000'000}});
}

std::string where(const Words& words) {
  return to_text(Matcher(query_of(words)).where());
}

std::string usage_error(const Words& words) {
  try {
    query_of(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the first argument is TEXT and the others are PATHs") {
  const Operands found = operands({"report", "a", "b"});
  CHECK(found.field.empty());
  CHECK(found.text == "report");
  CHECK(found.paths == Words{"a", "b"});
}

TEST_CASE("a FIELD is read only beside a pattern option") {
  CHECK(operands({"name"}).text == "name");
  CHECK(operands({"name", "x"}).text == "name");
  CHECK(operands({"name", "x"}).paths == Words{"x"});
  CHECK(operands({"name", "-e", "x"}).field == "name");
  CHECK(operands({"-e", "x", "path"}).field == "path");
  CHECK(operands({"path", "-F", "x"}).field == "path");
  CHECK(operands({"name", "--ext", "x"}).text == "name");
  CHECK(operands({"./path", "-e", "x"}).paths == Words{"./path"});
  CHECK(operands({"-p", "-e", "x"}).field == "absolute_path");
}

TEST_CASE("behind -- nothing is a FIELD or an option") {
  CHECK(operands({"--", "name", "x"}).text == "name");
  CHECK(operands({"--", "name", "x"}).paths == Words{"x"});
  CHECK(operands({"--", "-e", "x"}).text == "-e");
  CHECK(operands({"-e", "x", "--", "name"}).paths == Words{"name"});
}

TEST_CASE("with a pattern option every argument but a FIELD is a PATH") {
  const Operands found = operands({"name", "-e", "x", "src", "include"});
  CHECK_FALSE(found.has_text);
  CHECK(found.paths == Words{"src", "include"});
  CHECK(operands({"-e", "x", "report", "src"}).paths == Words{"report", "src"});
  CHECK_FALSE(operands({"-F", "x", "report"}).has_text);
}

TEST_CASE("the order of options does not matter") {
  CHECK(operands({"src", "--in", "b", "-e", "x"}).paths == Words{"src", "b"});
  CHECK(operands({"-t", "f", "name", "src", "-e", "x"}).paths == Words{"src"});
}

TEST_CASE("arguments that all look like paths are PATHs") {
  CHECK(operands({"."}).paths == Words{"."});
  CHECK(operands({"/etc", "../a", ".."}).paths == Words{"/etc", "../a", ".."});
  CHECK(operands({".git"}).text == ".git");
  CHECK(operands({"x", "."}).text == "x");
  for (const Words& words : {Words{"/etc", "passwd"}, Words{".", "src"}, Words{"./a", "b", "/c"}}) {
    CHECK(says(usage_error(words), "put the text before it"));
  }
  CHECK(says(usage_error({"~/a"}), "did not expand '~/a'"));
  CHECK(says(usage_error({"x", "--in", "~/a"}), "did not expand '~/a'"));
  CHECK(operands({"-F", "~/a"}).paths.empty());
}

TEST_CASE("a pattern with a slash is held against the path") {
  CHECK(where({"src/main"}) == "path contains \"src/main\"");
  CHECK(where({"-g", "a/*.c"}) == "path glob \"a/*.c\"");
  CHECK(says(usage_error({"name", "-F", "a/b"}), "a name cannot contain '/'"));
}

TEST_CASE("a pattern that no path below a root can match is refused") {
  CHECK(says(usage_error({"-g", "./d"}), "--in"));
  CHECK(says(usage_error({"--exact", "/tmp"}), "--in"));
  CHECK(says(usage_error({"-g", "d/"}), "-t d"));
  CHECK(usage_error({"-g", "d/*"}).empty());
  CHECK(usage_error({"-e", "^/x/"}).empty());
}

TEST_CASE("an excluded place may begin with a dot and a slash") {
  CHECK(to_text(query_of({"-E", "./build"}).scope.exclude) == "path glob \"build\"");
}

TEST_CASE("the same option widens, different options narrow") {
  CHECK(where({"-g", "*.a", "-g", "*.b"}) == "name glob \"*.a\" or name glob \"*.b\"");
  CHECK(where({"x", "-t", "f", "-t", "d"}) == "name contains \"x\" and type in (file, directory)");
}

TEST_CASE("ranges given twice narrow, to nothing in the end") {
  CHECK(where({"-S", ">1k", "-S", "<1M"}) == "size = 1001..999999");
  CHECK(where({"-S", ">1M", "-S", "<1k"}) == "false");
  CHECK(query_of({"-d", "3", "-d", "5"}).scope.max_depth == 3);
}

TEST_CASE("a depth range bounds the walk as well") {
  CHECK(query_of({"--depth", "1..3"}).scope.max_depth == 3);
  CHECK(where({"--depth", "2"}) == "depth = 2");
}

TEST_CASE("limits and quiet") {
  CHECK(query_of({"-n", "7"}).limit == 7);
  CHECK(query_of({"-1"}).limit == 1);
  CHECK(query_of({"-q"}).limit == 1);
  CHECK(query_of({}).limit == unlimited);
}

TEST_CASE("values that begin with a dash are values") {
  CHECK(where({"-S", "-10M"}) == "size <= 9999999");
  CHECK(where({"-S-10M"}) == "size <= 9999999");
  CHECK(where({"--size=-10M"}) == "size <= 9999999");
  CHECK(where({"-e", "-x"}) == "name ~ \"-x\"");
}

TEST_CASE("short options may share a dash") {
  const Options options = parse({"-L0tf", "x"});
  CHECK(options.has(Id::follow));
  CHECK(options.has(Id::null));
  CHECK(options.all(Id::type) == Words{"f"});
  CHECK(options.arguments == Words{"x"});
}

TEST_CASE("unknown options name the nearest one") {
  CHECK(says(usage_error({"--max-dpeth", "2"}), "--max-depth"));
  CHECK(says(usage_error({"--exclud=x"}), "--exclude"));
  CHECK(says(usage_error({"-Z"}), "unknown option '-Z'"));
}

TEST_CASE("a predicate of find is answered with what is said here") {
  CHECK(says(usage_error({"-name", "x"}), "-name is an option of find; here: ffind name -g "));
  CHECK(says(usage_error({"-type", "f"}), "here: ffind -t f"));
  CHECK(says(usage_error({"x", "-print"}),
             "-print is an option of find; paths are printed by default"));
  CHECK(says(usage_error({"-o"}), "or ext = h"));
  CHECK(says(usage_error({"--iname", "x"}), "-iname is an option of find"));
  // It could be read as -e mpty, and nobody means that.
  CHECK(says(usage_error({"-empty"}),
             "here: ffind --empty\n  the pattern 'mpty' is written -e mpty"));
  CHECK(says(usage_error({"-user", "alice"}), "--owner"));
  CHECK(says(usage_error({"-limit", "3"}), "did you mean '--limit'"));
}

TEST_CASE("letters that share a dash are no predicate of find") {
  CHECK(parse({"-n5"}).all(Id::limit) == Words{"5"});
  CHECK(parse({"-td"}).all(Id::type) == Words{"d"});
  CHECK(parse({"-0a"}).has(Id::absolute));
  CHECK(parse({"-emp"}).all(Id::regex) == Words{"mp"});
  CHECK(parse({"-pe", "x"}).all(Id::regex) == Words{"x"});
  CHECK(parse({"-al"}).has(Id::details));
  CHECK(parse({"-ln5"}).all(Id::limit) == Words{"5"});
  CHECK(parse({"-S+1M"}).all(Id::size) == Words{"+1M"});
  CHECK(parse({"-in", "3"}).all(Id::limit) == Words{"3"});
  CHECK(parse({"-e", "-name"}).all(Id::regex) == Words{"-name"});
  CHECK(parse({"--", "-name"}).arguments == Words{"-name"});
}

TEST_CASE("a word of find or a long option with one dash is no cluster") {
  for (const std::string word : {"-uid", "-gid", "-used", "-exit", "-ignore_readdir_race", "-xattr",
                                 "-xattrname", "-newerBt", "-exec", "-xdev", "-size=1M",
                                 "-executable", "-group", "-samefile", "-Bnewer"}) {
    INFO(word);
    CHECK(says(usage_error({word, "x"}), " is an option of find"));
  }
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) {
      if (!name.starts_with("--") || name == "--in") continue;
      INFO(name);
      const std::string word(name.substr(1));
      CHECK((says(usage_error({word, "x"}), word + " is an option of find") ||
             says(usage_error({word, "x"}),
                  "unknown option '" + word + "'; did you mean '-" + word + "'?")));
      CHECK_FALSE(usage_error({word + "=x"}).empty());
    }
  }
}

TEST_CASE("a long option is no value of another one") {
  CHECK(says(usage_error({"-E", "--dry-run", "-g", "*.o"}), "'--dry-run' is an option"));
  CHECK(says(usage_error({"--ext", "--json"}), "if it is meant: --ext=--json"));
  CHECK(parse({"-E=--dry-run"}).all(Id::exclude) == Words{"--dry-run"});
  CHECK(parse({"--ext=--json"}).all(Id::ext) == Words{"--json"});
  CHECK(parse({"-F", "--json"}).all(Id::text) == Words{"--json"});
  CHECK(parse({"--contains", "--json"}).all(Id::contains) == Words{"--json"});
  CHECK(parse({"--perm", "-111"}).all(Id::perm) == Words{"-111"});
  CHECK(parse({"-S", "-10M"}).all(Id::size) == Words{"-10M"});
  CHECK(parse({"--sort", "-size"}).all(Id::sort) == Words{"-size"});
}

TEST_CASE("an option of fd that means the same is accepted") {
  CHECK(parse({"--extension=pdf"}).all(Id::ext) == Words{"pdf"});
  CHECK(parse({"--max-results", "3"}).all(Id::limit) == Words{"3"});
  CHECK(parse({"--one-file-system"}).has(Id::one_file_system));
  CHECK(says(usage_error({"--iglob", "x"}), "--iglob is an option of rg; -i -g"));
  CHECK_FALSE(says(usage_error({"--exec", "ls"}), "--executable"));
}

TEST_CASE("an option whose value is left out behind = is named") {
  CHECK(says(usage_error({"--size="}), "--size needs a value\n  for example: --size +5M"));
  CHECK(says(usage_error({"--in=", "--json"}), "--in needs a value"));
  CHECK(says(usage_error({"--json="}), "for example: ffind --json=lines"));
}

TEST_CASE("a mistaken value is quoted with an example") {
  CHECK(says(usage_error({"-t", "fiel"}), "did you mean 'file'"));
  CHECK(says(usage_error({"-d", "x"}), "'x'"));
  CHECK(says(usage_error({"-j", "0"}), "--threads"));
  CHECK(says(usage_error({"--method", "wlak"}), "did you mean 'walk'"));
  CHECK(says(usage_error({"-S", "10Q"}), "for example"));
  CHECK(says(usage_error({"-e", "("}), "for example"));
  CHECK(says(usage_error({"-t"}), "needs a value"));
  CHECK(says(usage_error({"-L=x"}), "="));
  CHECK(says(usage_error({"--follow=x"}), "takes no value"));
}

TEST_CASE("optional values are taken only with an equals sign") {
  const Options options = parse({"--json", "report"});
  CHECK(options.all(Id::json) == Words{"lines"});
  CHECK(options.arguments == Words{"report"});
}

TEST_CASE("what hands remember from fd changes nothing") {
  CHECK(where({"-HIu", "x"}) == "name contains \"x\"");
}

TEST_CASE("a value that is empty is a mistake where it could find nothing, or everything") {
  for (const std::string_view option :
       {"--tag", "--comment", "--where-from", "--exact", "-g", "-E", "--prune"}) {
    CAPTURE(option);
    CHECK(says(usage_error({std::string(option), ""}), "is missing"));
    CHECK(usage_error({std::string(option), "x"}).empty());
  }
  CHECK(says(usage_error({"path", "--exact", ""}), "a path is missing"));
  CHECK(usage_error({"--starts", ""}).empty());
}

TEST_CASE("words between commas may be in any case, with spaces behind the commas") {
  CHECK(where({"--type", "F, Dir"}) == where({"-t", "f,d"}));
  CHECK(where({"--kind", "Image, VIDEO"}) == where({"--kind", "image,video"}));
  CHECK(where({"--ext", "pdf, docx"}) == where({"--ext", "pdf,docx"}));
  CHECK(where({"--tag", "Red,None"}) == "untagged or tag is \"Red\"");
  CHECK(says(usage_error({"--ext", "pdf, "}), "an extension is missing"));
}

TEST_CASE("a word that is no kind is answered by the option that it needs") {
  CHECK(says(usage_error({"--kind", "jpeg"}), "did you mean --ext jpeg?"));
  CHECK(says(usage_error({"--kind", "imgae"}), "did you mean 'image'?"));
  CHECK(says(usage_error({"--kind", "zzzz"}), "unknown kind 'zzzz': folder, text, code"));
}

}  // namespace query_builder_test
