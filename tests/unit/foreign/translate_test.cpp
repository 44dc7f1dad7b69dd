// SPDX-License-Identifier: MIT
// Command lines of other programs as ours; tests/cli/habits.txt has many more, and runs both.
#include "foreign/foreign.h"

#include <sstream>

#include "catch.h"

namespace translator_test {

using namespace ffind;
using namespace ffind::foreign;

namespace {

Words words_of_line(const std::string& typed) {
  std::istringstream stream(typed);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Place place_of(const std::string& path) {
  for (const char* const directory : {".", "src", "docs", "/", "/etc", "./src", "src/lib"}) {
    if (path == directory) return Place::directory;
  }
  for (const char* const file : {"a.txt", "today", "bak", "-odd"}) {
    if (path == file) return Place::other;
  }
  if (path == "link") return Place::link;
  return path == "dlink" ? Place::link_to_directory : Place::missing;
}

std::string translated(const Words& words) {
  const auto line = translate(words, {.place_of = place_of}).line;
  return line ? line_to_paste(written(*line)) : "";
}

std::string culprit_of(const std::string& typed) {
  return translate(words_of_line(typed), {.place_of = place_of}).culprit;
}

/// What is typed has no quotes here: words are what is between spaces.
std::string translated(const std::string& typed) {
  return translated(words_of_line(typed));
}

}  // namespace

TEST_CASE("translator: tests of find are options, and what no option says is an expression") {
  CHECK(translated(". -name *.c") == "ffind -s -g '*.c'");
  CHECK(translated("src -type d -empty") == "ffind -t d --empty --in src");
  CHECK(translated(". -type f -o -size +1M") == "ffind --where 'type = f or stat_size > 1Mi'");
  CHECK(translated(". -user root -uid 5") == "ffind --owner root --where 'uid = 5'");
  CHECK(translated(". -mtime +3") == "ffind --modified '>4d'");
  CHECK(translated(". -anewer a.txt").empty());
  CHECK(translated(". -daystart -mtime 5").empty());
  CHECK(translated(". -daystart -mmin 5").empty());
}

TEST_CASE("translator: one command is done, and none is a condition") {
  CHECK(translated(". -exec test -s {} ; -print").empty());
  CHECK(translated(". -exec test -s {} ;") == "ffind -x test -s '{}'");
  CHECK(translated(". -exec a {} ; -exec b {} ;").empty());
  CHECK(translated(". ( -exec a {} ; -o -name x ) -print").empty());
}

TEST_CASE("translator: what is pruned is a glob, or there is no line") {
  CHECK(translated(". -name .git -prune -o -print") == "ffind -s -E .git");
  CHECK(translated(". -name .git -prune -o -type f -print") == "ffind -s -t f -E .git");
  CHECK(translated(". -name b* -prune -o -print") == "ffind -s -E 'b*'");
  CHECK(translated(". -name .* -prune -o -print").empty());  // the root
  CHECK(translated(". -name *o -prune -o -print") == "ffind -s -E '*o'");
  CHECK(translated("src -name *c -prune -o -print").empty());
  CHECK(translated(". -empty -prune -o -print").empty());
  CHECK(translated(". -iname a -prune -o -name b -print").empty());
}

TEST_CASE("translator: each alternative of -regex loses the root") {
  CHECK(translated(". -regex .*\\.c\\|.*\\.h -delete") == "ffind -s -e '\\.c$|\\.h$' --delete");
  CHECK(translated(". -regextype posix-extended -regex .*\\.c|.*/h") == "ffind -s -e '\\.c$|^h$'");
  CHECK(translated(". -regex \\./a\\|\\./b/.*") == "ffind path -s -e '^a$|^b/'");
  CHECK(translated(". -regex ./a").empty());  // the dot is any letter
  CHECK(translated(". -iregex .*A\\|\\./b") == "ffind path -i -e 'A$|^b$'");
  CHECK(translated(". -regex .*\\.\\(c\\|h\\)") == "ffind -s -e '\\.(c|h)$'");
  CHECK(translated(". -regex .*\\.[c/]").empty());  // as ./ ends
  CHECK(translated("src -regex .*c/x").empty());
  CHECK(translated("src docs -regex src/x").empty());
  CHECK(translated(". -regex .*/[^/][^/]") == "ffind path -s -e '(^|/)[^/][^/]$'");
  CHECK(translated(". -regextype sed -regex .*/\\(ab*\\)\\{2,3\\}c") ==
        "ffind path -s -e '(^|/)(ab*){2,3}c$'");
}

TEST_CASE("translator: a type of -regex holds for what follows it") {
  for (const char* const basic : {"sed", "ed", "grep", "posix-basic"}) {
    const std::string type = "-regextype " + std::string(basic) + " ";
    CHECK(translated(". " + type + "-regex .*/a\\{2\\}\\(b\\|c\\)") ==
          "ffind path -s -e '(^|/)a{2}(b|c)$'");
    CHECK(translated(". " + type + "-regex \\./a+(b|c)") == "ffind path -s -e '^a\\+\\(b\\|c\\)$'");
  }
  CHECK(translated("-E . -regex .*\\.(c|h)") == "ffind -s -e '\\.(c|h)$'");
  CHECK(translated(". -regex .*a\\{2\\}").empty());
  CHECK(translated(". -regextype nonsense -regex .*").empty());
  for (const char* const odd :
       {"\\(*a\\)", "\\(a\\)\\1", ".*\\w", "a**", "[[:alpha:]]", "a^b", "\\(a", "[a"}) {
    INFO(odd);
    CHECK(translated(Words{".", "-regex", "\\./" + std::string(odd)}).empty());
  }
}

TEST_CASE("translator: stars of -path cross slashes, two of them no more than one") {
  CHECK(translated(". -path ./src/**/*.c") == "ffind -s -g 'src/*/**/**.c'");
  CHECK(translated(". -path ./*/foo") == "ffind -s -g '*/**/foo'");
  CHECK(translated(". -path */foo") == "ffind -s -g foo");
  CHECK(translated(". -path */foo/*.c") == "ffind -s -g '**/foo/**.c'");
  CHECK(translated(". -path *o?.c") == "ffind path -s -e 'o.\\.c$'");
  CHECK(translated(". -path *[!a]").empty());
  CHECK(translated(". -lname * -mmin -5") == "ffind -t l --modified 5min");
  CHECK(translated(". -lname *o") == "ffind -s --where 'target ~ \"o$\"'");
  CHECK(translated(". ! -mmin -5") == "ffind --where 'not modified < 5min'");
  CHECK(translated(". -path ./a?b") == "ffind path -s -e '^a.b$'");
  CHECK(translated("src -path src").empty());
}

TEST_CASE("translator: a root is never text, whatever it is") {
  CHECK(translated(". nosuch -name x") == "ffind -s -g x . nosuch");
  CHECK(translated("a.txt -type f") == "ffind -t f --in a.txt");
  CHECK(translated("nosuch -type f") == "ffind -t f nosuch");
  CHECK(translated("dlink -type f").empty());  // find lists the link alone
  CHECK(translated("-H dlink -type f") == "ffind -t f --in dlink");
  CHECK(translated("src src/lib -type f") == "ffind -t f --in src --in src/lib");
  CHECK(translated("src src/lib -maxdepth 1").empty());
  CHECK(translated("-name x src") == "ffind -s -g x src");
  CHECK(translated("-name x a.txt").empty());  // a glob that the shell expanded
}

TEST_CASE("translator: -size is about everything, and -S about files") {
  CHECK(translated(". -size +1M") == "ffind --where 'stat_size > 1Mi'");
  CHECK(translated(". -size 2 -type f") == "ffind -t f -S '>512' -S '<=1024'");
  CHECK(translated(". -type f ! -size -2k") == "ffind -t f --where 'not size <= 1Ki'");
  CHECK(translated(". -type d -o -type f -size 1c") ==
        "ffind --where 'type = d or (type = f and stat_size = 1)'");
}

TEST_CASE("translator: later than an instant, and than the link itself") {
  CHECK(translated(". -newermt 2026-01-31") == "ffind --modified '>2026-01-31T00:00:00.0'");
  CHECK(translated(". -newermt @5") == "ffind --modified '>@5.0'");
  CHECK(translated(Words{".", "-newermt", "2026-01-31 12:30"}) ==
        "ffind --modified '>2026-01-31T12:30:00.0'");
  CHECK(translated(". -newermt 2026").empty());  // a time of day
  for (const char* const test : {"-newer", "-samefile"}) {
    INFO(test);
    CHECK(translated(". " + std::string(test) + " link").empty());
    CHECK_FALSE(translated("-L . " + std::string(test) + " link").empty());
    CHECK_FALSE(translated("-H . " + std::string(test) + " link").empty());
    CHECK(translated(". " + std::string(test) + " nosuch").empty());
  }
}

TEST_CASE("translator: what is pruned depends on the root, on -depth and on -mindepth") {
  CHECK(translated(". -name . -prune -o -print").empty());
  CHECK(translated(". -type d -prune -o -print").empty());
  CHECK(translated(". -perm 755 -prune -o -print").empty());
  CHECK(translated("src -name src -prune -o -print").empty());
  CHECK(translated("src -mindepth 1 -name src -prune -o -print") ==
        "ffind -s --min-depth 1 -E src --in src");
  CHECK(translated(". -mindepth 2 -name a -prune -o -print").empty());
  CHECK(translated(". -depth -name a -prune -o -print") ==
        "ffind -s --where 'not name glob \"a\"'");
  CHECK(translated(". -name a -prune -o -delete").empty());
  CHECK(translated(". -name a -prune -o -name b -prune -o -print") == "ffind -s -E a -E b");
  CHECK(translated(". -path */a/b -prune -o -print").empty());
}

TEST_CASE("translator: of depths the last counts, and -depth N of BSD is a test") {
  CHECK(translated(". -maxdepth 1 -maxdepth 2") == "ffind -d 2");
  CHECK(translated(". -mindepth 3 -mindepth 1") == "ffind --min-depth 1");
  CHECK(translated(". -depth 2") == "ffind --depth 2");
  CHECK(translated(". -depth -2 -type f") == "ffind -t f --depth '<2'");
  CHECK(translated(". -maxdepth x").empty());
  CHECK(translated("-d . -name x") == "ffind -s -g x");
  CHECK(translated("-x / -name x") == "ffind -s -g x /");
  CHECK(translated("-s -f src -name x") == "ffind -s -g x src");
  CHECK(translated("-X . -name x").empty());
}

TEST_CASE("translator: what is done, and once") {
  CHECK(translated(". -name x -print -quit") == "ffind -s -g x -1");
  CHECK(translated(". -name x -quit").empty());
  CHECK(translated(". -name x -print -delete").empty());
  CHECK(translated(". -name x -exec rm {} ; -quit").empty());  // goes on if rm fails
  CHECK(translated(". -name x -exec echo found ;") ==
        "ffind -s -g x -x sh -c '\"$@\"' '{}' echo found");
  CHECK(translated(". -exec echo {} {.} ;").empty());
  CHECK(translated(". -name x -print -o -name y -print") == "ffind -s -g x -g y");
  CHECK(translated(". -name x -print -name y -print").empty());  // twice
  CHECK(translated(". -exec cat {} ; -print").empty());
  CHECK(translated(". -print -exec cat {} ;").empty());
  CHECK(translated(". -print -print").empty());
  CHECK(translated(". -printf %s\\n -print -quit").empty());
  CHECK(translated(". -print -print0").empty());
  CHECK(translated(". -type d -empty -delete").empty());  // empties more while it deletes
  CHECK(translated(". -xtype d -delete").empty());        // a link's target may be gone by then
  CHECK(translated(". -xtype l -delete") == "ffind --broken --where 'not loop' --delete");
  CHECK(translated(". -type f -empty -delete") == "ffind -t f --empty --delete");
  CHECK(translated(". -name x -a -print -o").empty());
  CHECK(translated(". -a -name x").empty());
}

TEST_CASE("translator: nothing is deleted or run for a word that was guessed") {
  CHECK(translated("src -ext pdf -type f") == "ffind -t f --ext pdf --in src");
  CHECK(translated(". -xattr -type f").empty());
  CHECK(translated(". -delete -xyz").empty());
}

TEST_CASE("translator: the first word whose meaning is a guess is a doubt") {
  const auto doubt_of = [](const std::string& typed) {
    return translate(words_of_line(typed), {.place_of = place_of}).doubt;
  };
  CHECK(doubt_of("--exlude a -x rm") == "--exlude");
  CHECK(doubt_of("main -tree") == "-tree");
  CHECK(doubt_of("-ltr src") == "-ltr");
  CHECK(doubt_of("--since 3d a") == "--since");
  CHECK(doubt_of("-c --exclude main") == "-c");
  CHECK(doubt_of(". src -X rm") == "src");
  CHECK(doubt_of("-c never main").empty());
  CHECK(doubt_of(". --path */x -delete") == "--path");
  CHECK(doubt_of(". -name x -exec rm {}") == "-exec");
  CHECK(doubt_of("-f src -delete") == "-f");
  CHECK(doubt_of("-delete -ext bak") == "-ext");
  CHECK(doubt_of("-name x src -delete") == "src");
  CHECK(doubt_of(". -name x -delete").empty());
}

TEST_CASE("translator: the word without a counterpart is named") {
  CHECK(translate(words_of_line(". -type f -context 3"), {.place_of = place_of}).culprit ==
        "-context");
  CHECK(culprit_of(". -type f -printf %M") == "-printf");
  CHECK(culprit_of(". -newermt tomorrow -type f") == "-newermt tomorrow");
  CHECK(culprit_of(". -maxdepth 2 -iname *\u03c3") == "-iname *\u03c3");
  CHECK(culprit_of(". -name x ( -name y") == "(");
  CHECK(culprit_of(". -name x -o") == "-o");
}

TEST_CASE("translator: of a root that is a link find lists the link alone") {
  CHECK(translated("dlink src -name x").empty());
  CHECK(translated("-H dlink src -name x") == "ffind -s -g x dlink src");
  CHECK(translated("dlink src -follow -name x").empty());
}

TEST_CASE("translator: paths of a root that is a file are not translated") {
  CHECK(translated("src a.txt -path *.txt").empty());
  CHECK(translated("src -path docs/*").empty());
}

TEST_CASE("translator: fd's options whose letters mean something else here") {
  CHECK(translated("-e py main") == "");
  CHECK(translated("-c never main") == "ffind --color never main");
  CHECK(translated("-e py -c never main") == "ffind --ext py --color never main");
  for (const char* const line : {"main --prune", "--prune -t d main", "main --and x"}) {
    const Translation of_fd = translate(words_of_line(line), {.place_of = place_of});
    CHECK(!of_fd.line);
    CHECK(of_fd.stand_in == "fd");
  }
  CHECK(translate(words_of_line("a/b --and x"), {.place_of = place_of}).stand_in.empty());
  CHECK(translated(". src") == "ffind --in src");
  CHECK(translated("/etc passwd") == "ffind passwd /etc");
}

TEST_CASE("translator: sizes and expressions of BSD's find, where they are not GNU's") {
  const auto bsd = [](const std::string& typed) {
    const auto line =
        translate(words_of_line(typed), {.place_of = place_of, .dialect = Dialect::bsd}).line;
    return line ? line_to_paste(written(*line)) : "";
  };
  CHECK(bsd(". -type f -size -10M") == "ffind -t f -S '<10Mi'");
  CHECK(bsd(". -type f -size +10M") == "ffind -t f -S '>10Mi'");
  CHECK(bsd(". -type f -size 1k") == "ffind -t f -S '>=1Ki' -S '<=1Ki'");
  CHECK(bsd(". -type f -size -3") == translated(". -type f -size -3"));
  CHECK(bsd(". -type f -size 5c") == translated(". -type f -size 5c"));
  CHECK(bsd(". -regex .*a+") == "ffind -s -e 'a\\+$'");
  CHECK(bsd(". -regex .*a\\|.*b").empty());
  CHECK(bsd("-E . -regex .*(a|b)") == translated("-E . -regex .*(a|b)"));
  CHECK(bsd(". -mtime -1") == translated(". -mtime -1"));
}

TEST_CASE("translator: a line that is ours is left alone") {
  for (const char* const line : {"report", "-g *.c src", "--ext c -x wc -l", "name -e x", "-t f"}) {
    INFO(line);
    CHECK(translated(line).empty());
  }
}

TEST_CASE("translator: a date without a year is the last one before the host's clock") {
  const auto modified = [](const std::string& value) {
    constexpr std::int64_t saturday = 1768046400;  // 2026-01-10, noon
    const auto line = translate({"--modified", value},
                                {.place_of = place_of, .clock = {saturday * 1'000'000'000}})
                          .line;
    return line ? line->given.back().value : "";
  };
  CHECK(modified("Nov 20") == "2025-11-20");
  CHECK(modified("Jan 9") == "2026-01-09");
  CHECK(modified("february") == "2025-02");
  CHECK(modified("14:00") == "2026-01-10T14:00");
  CHECK(modified("last saturday") == "2026-01-03");
  CHECK(modified("last friday") == "friday");
}

namespace {

bool is_certain(const Words& words) {
  const text::Clock clock{1'700'000'000'000'000'000};
  return translate(words, {.place_of = place_of, .clock = clock}).is_certain;
}

bool is_certain(const std::string& typed) {
  return is_certain(words_of_line(typed));
}

}  // namespace

TEST_CASE("translator: words that mean one thing are certain") {
  for (const char* const line : {"--today",
                                 "--disk-usage src",
                                 "--type image",
                                 "--sort biggest",
                                 "--ext *.pdf",
                                 "--size 10M-20M",
                                 "--size 10M+",
                                 "--modified 20.11.2023",
                                 "--modified may",
                                 "--modified thisweek",
                                 "--modified last2weeks",
                                 "--newest",
                                 "--largest 5",
                                 "--may",
                                 "--last-week",
                                 "--type photo",
                                 "--type pdf",
                                 "--kind mp3",
                                 "-tree",
                                 "-sort size a",
                                 "-file -recurse",
                                 "--sort size --desc",
                                 "--reverse --sort size a",
                                 "--json --fields size",
                                 "--fields size",
                                 "--csv --fields size",
                                 "--space",
                                 "-Name -Depth 1",
                                 "--query dm:thisweek",
                                 "--query size:huge",
                                 "--query pic:",
                                 "--format {//}/{/.}",
                                 "/etc passwd",
                                 "/ad passwd"}) {
    INFO(line);
    CHECK(is_certain(line));
  }
  CHECK(is_certain(Words{"--size", "at least 10M"}));
  for (const char* const line : {"--after 7d",    "--search x",
                                 "--symlinks",    "--todya",
                                 "--size 10-20M", "--size 1M,2M",
                                 "--size huge",   "--format json",
                                 "--modified 7",  "--modified week",
                                 "--format csv",  "--modified 14:00",
                                 "--reverse",     "--sort size --reverse",
                                 "--disk-space",  "--query parent:src",
                                 "--query exe:",  "--format {//}{ext}",
                                 "/etc src",      "/nowhere a",
                                 "--sh src",      "-sh src",
                                 "-vE src"}) {
    INFO(line);
    CHECK(!is_certain(line));
  }
  CHECK(!is_certain(Words{"--modified", "after 7d"}));
}

TEST_CASE("translator: a line is certain if all programs that accept it mean the same") {
  for (const char* const line :
       {"--strip-cwd-prefix a", "-c never -t f a", "-t x", "--maxdepth 1 -t f a", "--files",
        "--files -g *.c src", "--basename a", "-ltr", "-lhR", "-R", "--recursive",
        "--summarize --bytes src", "-onlyin src -name a"}) {
    INFO(line);
    CHECK(is_certain(line));
  }
  for (const char* const line : {"--fixed-strings a",               // grep's and rg's: in files
                                 "-c never a",                      // locate's count
                                 "-o root a.txt",                   // grep -o
                                 "-b a",                            // grep -b
                                 "--ignore-file a.txt a",           // rg's
                                 "--maxdepth 1 a",                  // rg's
                                 "--strip-cwd-prefix --kind code",  // of no program
                                 "--sort-files -i a",               // rg without --files
                                 "-lh",
                                 "-lhS",      // du's
                                 "-ltr src",  // rg -l -t r
                                 "-lhR src",  // grep -R
                                 "-t",        // a value is missing
                                 "-ltr -1",   // a limit here
                                 "-ltr --sort size",
                                 "-ltr b",              // no path
                                 "--existing a",        // whole paths
                                 "--basename a b",      // either
                                 "--files b",           // no path
                                 "--summarize src",     // of 1,024 bytes
                                 "--si",                // ls and du
                                 "-q --dereference a",  // grep --dereference-recursive
                                 "-1 -o root",          // grep -1
                                 "-onlyin src a",       // in files, too
                                 ". -c never src",
                                 "--recursive a",
                                 "-r a"}) {
    INFO(line);
    CHECK(!is_certain(line));
  }
}

}  // namespace translator_test
