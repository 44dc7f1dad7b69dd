// SPDX-License-Identifier: MIT
// The search that a line of find becomes. tests/cli/habits.txt and tests/cli/find_lines.py run
// lines next to find.
#include <sstream>

#include "catch.h"
#include "foreign/foreign.h"
#include "query/language/fields.h"

namespace find_line_test {

using namespace ffind;
using namespace ffind::foreign;

namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds now = 1'700'000'000 * second;

FindSearch search_of(const std::string& typed, Dialect dialect = Dialect::gnu) {
  std::istringstream stream(typed);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  Host host{.clock = {now}, .dialect = dialect, .knows_file_systems = [] { return true; }};
  host.metadata_of = [](const std::string& path, bool, Metadata& found) {
    found.modified = 5 * second;
    found.device = 1;
    found.inode = 2;
    return path == "there" ? 0 : ENOENT;
  };
  host.place_of = [](const std::string&) { return Place::missing; };
  host.account_of = [](bool, const std::string& name) -> std::optional<std::uint32_t> {
    if (name == "root") return 0;
    return {};
  };
  host.quoted = [](std::string_view word) { return "'" + std::string(word) + "'"; };
  host.glob_of_find = [](const std::string&, bool) {
    return [](std::string_view) { return true; };
  };
  return read_find(words, host);
}

std::string text_of(const MakeTest& made) {
  const query::QueryContext context{.clock = {now}};
  return to_text(optimise(made({context, query::CaseRule::sensitive})));
}

/// The condition under which something is done.
std::string where(const std::string& typed, Dialect dialect = Dialect::gnu) {
  const FindSearch search = search_of(typed, dialect);
  if (search.where) return text_of(search.where);
  return search.error.empty() ? "not done: " + search.culprit : search.error;
}

std::string prune(const std::string& typed) {
  return text_of(search_of(typed).prune);
}

}  // namespace

TEST_CASE("find line: sizes are rounded up to whole units, by BSD's to blocks only") {
  CHECK(where("-size +1M") == "stat_size >= 1048577");
  CHECK(where("-size -1M") == "stat_size = 0");
  CHECK(where("-size 1M") == "stat_size = 1..1048576");
  CHECK(where("-size 2") == "stat_size = 513..1024");
  CHECK(where("-size -100c") == "stat_size <= 99");
  CHECK(where("-size 0") == "stat_size = 0");
  CHECK(where("-size -0") == "false");
  CHECK(where("-size +9999999999999G") == "false");
  CHECK(where("-size -1M", Dialect::bsd) == "stat_size <= 1048575");
  CHECK(where("-size 1M", Dialect::bsd) == "stat_size = 1048576");
  CHECK(where("-size -3", Dialect::bsd) == where("-size -3"));
  CHECK(where("-size 3x") == "invalid -size type `x'");
  CHECK(where("-size 3P") == "invalid -size type `P'");
  CHECK(where("-size 3P", Dialect::bsd).starts_with("stat_size = 3377699"));
}

TEST_CASE("find line: ages are rounded down to whole days, and up to whole minutes") {
  CHECK(where("-mtime -3") == "modified >= 2023-11-11T22:13:19.000000001Z");
  CHECK(where("-mtime +3") == "modified <= 2023-11-10T22:13:19.999999999Z");
  CHECK(where("-mtime 3") ==
        "modified = 2023-11-10T22:13:20.000000001Z..2023-11-11T22:13:20.000000000Z");
  CHECK(where("-mmin 5") ==
        "modified = 2023-11-14T22:08:20.000000001Z..2023-11-14T22:09:20.000000000Z");
  CHECK(where("-mtime +-1") == "modified <= 2023-11-14T22:13:19.999999999Z");
  CHECK(where("-mtime -1h30m") == "invalid argument `-1h30m' to `-mtime'");
  CHECK(where("-mtime -1h30m", Dialect::bsd) == "modified >= 2023-11-14T20:43:20.000000001Z");
  CHECK(where("-newermt @5") == "modified >= 1970-01-01T00:00:05.000000001Z");
  CHECK(where("-newer there") == where("-newermt @5"));
  CHECK(where("-newermt whenever") ==
        "I cannot figure out how to interpret 'whenever' as a date or time");
  CHECK(where("-newer nosuch") == "'nosuch': No such file or directory");
  CHECK(where("-newermB there") == "not done: -newermB there");
  CHECK(where("-used 2") ==
        "used = 1970-01-02T00:00:00.000000001Z..1970-01-03T00:00:00.000000000Z");
}

TEST_CASE("find line: modes, counts and types") {
  CHECK(where("-perm u=rw,g=r") == "perm = 640");
  CHECK(where("-perm -022") == "perm = \"-022\"");
  CHECK(where("-perm /000") == "true");
  CHECK(where("-perm +000", Dialect::bsd) == "false");
  CHECK(where("-perm u+X") ==
        "(type = directory and perm = 100) or (not type = directory and perm = 000)");
  CHECK(where("-perm a+r,") == "invalid mode 'a+r,'");
  CHECK(where("-perm +222") == "invalid mode '+222'");
  CHECK(where("-perm +222", Dialect::bsd) == "perm = \"/222\"");
  CHECK(where("-user root") == "uid = 0");
  CHECK(where("-user 5") == "uid = 5");
  CHECK(where("-group 5x").starts_with("'5x' is not the name of an existing group and"));
  CHECK(where("-links +1") == "links >= 2");
  CHECK(where("-links -0") == "false");
  CHECK(where("-uid 5") == "uid = 5");
  CHECK(where("-depth 2") == "depth = 2");
  CHECK(where("-type f,d") == "type in (file, directory)");
  CHECK(where("-type f,f") == "Duplicate file type 'f' in the argument list to -type.");
  CHECK(where("-xtype l") == "broken and not loop");
  CHECK(where("-L . -xtype l") == "is_link");
  CHECK(where("-samefile there") == "same_file = \"there\"");
}

TEST_CASE("find line: an action is reached under the condition of all before it") {
  CHECK(where("-name b -prune -o -type f -print") == "not name case glob \"b\" and type = file");
  CHECK(prune("-name b -prune -o -type f -print") == "name case glob \"b\"");
  CHECK(prune("-depth -name b -prune -o -type f -print") == "false");
  CHECK(prune("-mindepth 2 -name b -prune") == "depth >= 2 and name case glob \"b\"");
  CHECK(where("-name a -print -o -name b -print") ==
        "name case glob \"a\" or name case glob \"b\"");
  CHECK(where("-name a -exec x ; -type f -print") ==
        "name case glob \"a\" or (name case glob \"a\" and type = file)");
  CHECK(where("! -daystart ! ( -name a )") == "name case glob \"a\"");
  CHECK(where("! ( -name a -o -type d )") == "not (name case glob \"a\" or type = directory)");
}

TEST_CASE("find line: steps are needed unless one print is all that an entry meets") {
  const auto has_steps = [](const std::string& typed) { return search_of(typed).steps != nullptr; };
  CHECK_FALSE(has_steps("-name a -print -o -type f -print"));
  CHECK_FALSE(has_steps("-name a -prune -o -print0"));
  CHECK(has_steps("-name a -print -type f -print"));
  CHECK(has_steps("-depth -name a"));
  CHECK(has_steps("-name a -fprint f"));
  CHECK(search_of("-name a -exec x ;").acts);
  CHECK(search_of("-delete").acts);
  CHECK_FALSE(search_of("-name a -ls").acts);
}

TEST_CASE("find line: what find refuses") {
  CHECK(search_of("-name").error == "missing argument to `-name'");
  CHECK(search_of("-name x -o").culprit == "-o");
  CHECK(search_of("-name x ( -name y").culprit == "(");
  CHECK(search_of(". --json").error == "unknown predicate `--json'");
  CHECK(search_of("-type f x").error == "paths must precede expression: `x'");
  CHECK(search_of("( -type t").error == "Unknown argument to -type: t");
  CHECK(search_of("-print -o )").error == "expected an expression between '-o' and ')'");
  CHECK(search_of("-context 3").culprit == "-context");
  CHECK_FALSE(search_of("-prune -delete").error.empty());
}

}  // namespace find_line_test
