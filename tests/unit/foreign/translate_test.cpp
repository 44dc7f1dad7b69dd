// SPDX-License-Identifier: MIT
// Command lines of other programs as ours, and single words of find's; tests/cli/habits.txt has
// many more, and runs both.
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

/// What is typed has no quotes here: words are what is between spaces.
std::string translated(const std::string& typed) {
  return translated(words_of_line(typed));
}

}  // namespace

TEST_CASE("translator: a word of find's between ours is one option, or there is no line") {
  CHECK(translated(". -name *.c --tree") == "ffind -s -g '*.c' --tree .");
  CHECK(translated("src -iname *.c -l") == "ffind -i -g '*.c' -l src");
  CHECK(translated("src -type f,d -l") == "ffind -t f,d -l --in src");
  CHECK(translated("report -type f") == "ffind -t f report");
  CHECK(translated("-mtime -3 --usage") == "ffind --modified 3d --usage");
  CHECK(translated("-mmin -3 -l") == "ffind --modified 3min -l");
  CHECK(translated("-maxdepth 2 -mindepth 1 --tree") == "ffind -d 2 --min-depth 1 --tree");
  CHECK(translated("-empty -user root --json") == "ffind --empty --owner root --json");
  CHECK(translated("-newer a.txt -print0 --sort size") ==
        "ffind --newer-than a.txt -0 --sort size");
  CHECK(translated("--name *.c src") == "ffind -s -g '*.c' src");
  for (const char* const line :
       {"-name a -name b -l", "-name [a] -l", "-name a\\* -l", "-name a -o -name b -l",
        "! -name a -l", "-size +1M -l", "-mtime 1.5 -l", "-mtime +3 -l", "-mtime 3 -l",
        "-newer link -l", "-newer nosuch -l", "-maxdepth 0 -l", "-prune -l", "-delete -l",
        "-exec rm {} ; -l", "-printf %p -l", "-daystart -mtime 1 -l", "-regex .* -l",
        "-type f -type d -l"}) {
    INFO(line);
    CHECK(translated(line).empty());
  }
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
}

TEST_CASE("translator: fd's options whose letters mean something else here") {
  CHECK(translated("-e py main") == "");
  CHECK(translated("-c never main") == "ffind --color never main");
  for (const char* const line : {"main --prune", "--prune -t d main", "main --and x",
                                 "-e py -c never main", "-c never ^main", "-c never -S +2b"}) {
    const Translation of_fd = translate(words_of_line(line), {.place_of = place_of});
    CHECK(!of_fd.line);
    CHECK(of_fd.stand_in == "fd");
  }
  CHECK(translate(words_of_line("a/b --and x"), {.place_of = place_of}).stand_in.empty());
  CHECK(translated(". src") == "ffind --in src");
  CHECK(translated("/etc passwd") == "ffind passwd /etc");
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
                                 "-recurse -Path .",
                                 "--query dm:thisweek",
                                 "--query size:huge",
                                 "--query pic:",
                                 "--format {//}/{/.}",
                                 "/etc passwd",
                                 "/ad passwd"}) {
    INFO(line);
    CHECK(is_certain(line));
  }
  for (const char* const line :
       {"--todya", "--size 10-20M", "--size huge", "--format json", "--modified 7", "--format csv",
        "--reverse", "--query parent:src", "--query exe:", "/etc src", "/nowhere a", "-sh src",
        "-vE src", "--everywhere", "--sort size -r a"}) {
    INFO(line);
    CHECK(!is_certain(line));
  }
}

TEST_CASE("translator: words of one program are certain, those of several are not") {
  for (const char* const line : {"--strip-cwd-prefix a", "-c never a", "-t x", "--files",
                                 "--files -g *.c src", "-ltr", "-lR", "-R", "--recursive"}) {
    INFO(line);
    CHECK(is_certain(line));
  }
  for (const char* const line : {"--fixed-strings a",      // grep's and rg's: in files
                                 "-o root a.txt",          // grep -o
                                 "--ignore-file a.txt a",  // rg's
                                 "--maxdepth 1 a",         // rg's
                                 "-lhS",                   // du's
                                 "-ltr src",               // rg -l -t r
                                 "-R src",                 // grep -R
                                 "-ltr b",                 // no path
                                 "--files b",              // no path
                                 "--summarize src", "--si", "-onlyin src a", "-rl TODO src"}) {
    INFO(line);
    CHECK(!is_certain(line));
  }
}

TEST_CASE("translator: a line without the same meaning is not answered") {
  for (const char* const line :
       {"--basename a", "-v a", "--zip o.zip", "--skip 1", "--theme", "-Include *.pdf", "-r a src",
        "-rl a.b src", "-R a src", "--files -g src/*.c", "--files -t c", "--not -e txt"}) {
    INFO(line);
    CHECK(translated(line).empty());
  }
}

}  // namespace translator_test
