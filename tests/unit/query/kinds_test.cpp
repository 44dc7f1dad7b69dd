// SPDX-License-Identifier: MIT
// Which names are of which kind, and the rules that the table of kinds keeps.
#include "query/kinds.h"

#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "ffind/query.h"
#include "query/predicates/predicates.h"

namespace kinds_test {

using namespace ffind;
using namespace ffind::query;

namespace {

std::string kind_of(std::string_view name) {
  const Kinds kinds = kind_of_file(name);
  for (const KindRow& row : kind_table()) {
    if (kinds == bit_of(row.kind)) return std::string(row.name);
  }
  return kinds == 0 ? "" : "several";
}

struct Marks : EntryLoader {
  bool bundle = false;
  int loads = 0;
  void load(Entry& entry, Needs wanted) override {
    ++loads;
    entry.bundle = bundle;
    entry.present |= wanted & needs::bundle;
  }
};

bool holds(Kind kind, std::string_view name, FileType type, Marks& marks) {
  Entry entry;
  entry.name = name;
  entry.type = type;
  entry.present = needs::type;
  entry.loader = &marks;
  return kind_test(bit_of(kind))->holds(entry);
}

}  // namespace

TEST_CASE("the table of kinds is in small letters, in order, and has each word once") {
  std::map<std::string_view, std::string_view> extensions;
  std::map<std::string_view, std::string_view> files;
  std::set<std::string_view> names;
  std::size_t at = 0;
  for (const KindRow& row : kind_table()) {
    CHECK(static_cast<std::size_t>(row.kind) == at);
    CHECK(kind_names()[at++] == row.name);
    CHECK(names.insert(row.name).second);
    for_each_word(row.other_names, [&](std::string_view word) {
      INFO(word);
      CHECK(names.insert(word).second);
    });
    const auto add = [&](auto& words, std::string_view word) {
      INFO(word << " in " << row.name << " and " << words[word]);
      CHECK(words[word].empty());
      words[word] = row.name;
      CHECK(text::fold_ascii(word) == word);
      CHECK(text::is_ascii(word));
    };
    for_each_word(row.extensions, [&](std::string_view word) { add(extensions, word); });
    for_each_word(row.files, [&](std::string_view word) { add(files, word); });
  }
  CHECK(kind_names().size() == at);
  CHECK(extensions.size() >= 600);
  CHECK(files.size() >= 50);
}

TEST_CASE("every word of the table is found, in any case") {
  for (const KindRow& row : kind_table()) {
    for_each_word(row.extensions, [&](std::string_view word) {
      std::string name = "a." + std::string(word);
      INFO(name);
      CHECK(kind_of(name) == row.name);
      for (char& c : name) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
      CHECK(kind_of(name) == row.name);
    });
    for_each_word(row.files, [&](std::string_view word) {
      INFO(word);
      CHECK(kind_of(word) == row.name);
    });
  }
}

TEST_CASE("names are of the kind that people would look for them by") {
  const std::map<std::string, std::string> rows = {
      {"notes.txt", "text"},     {"a.md", "text"},           {"README", "text"},
      {"main.c", "code"},        {"a.ts", "code"},           {"a.py", "code"},
      {"Makefile", "code"},      {"CMakeLists.txt", "code"}, {".bashrc", "code"},
      {"Dockerfile", "code"},    {"index.html", "code"},     {"a.json", "data"},
      {"a.csv", "data"},         {"a.plist", "data"},        {".gitignore", "data"},
      {"go.mod", "data"},        {"a.pdf", "document"},      {"a.docx", "document"},
      {"a.pages", "document"},   {"a.xlsx", "spreadsheet"},  {"a.ods", "spreadsheet"},
      {"a.key", "presentation"}, {"a.pptx", "presentation"}, {"a.epub", "ebook"},
      {"a.jpg", "image"},        {"a.svg", "image"},         {"a.HEIC", "image"},
      {"a.psd", "image"},        {"a.mp3", "audio"},         {"a.flac", "audio"},
      {"a.mod", "audio"},        {"a.mp4", "video"},         {"a.mts", "video"},
      {"a.woff2", "font"},       {"a.stl", "model"},         {"a.zip", "archive"},
      {"a.tar.gz", "archive"},   {"a.iso", "disk-image"},    {"a.dmg", "disk-image"},
      {"a.exe", "app"},          {"a.AppImage", "app"},      {"a.deb", "app"},
      {"a.dll", "binary"},       {"a.o", "binary"},          {"a.sqlite", "database"}};
  for (const auto& [name, kind] : rows) {
    INFO(name);
    CHECK(kind_of(name) == kind);
  }
}

TEST_CASE("what an extension most often means decides, not what it may mean as well") {
  const std::map<std::string, std::string> rows = {
      {"nohup.out", ""},           {"a.out", "app"},          {"core.123", ""},
      {"core", "binary"},          {"MANIFEST.MF", "text"},   {"cmr10.mf", "font"},
      {"release.tar.sig", "data"}, {"a.vhd", "disk-image"},   {"a.vhdl", "code"},
      {"page.mdx", "text"},        {"schema.prisma", "code"}, {"calls.http", "code"},
      {"id_rsa", "data"},          {"id_ed25519", "data"},    {"id_ed25519.pub", "data"},
      {"vmlinuz", "binary"},       {"initrd.img", "binary"},  {"disk.img", "disk-image"}};
  for (const auto& [name, kind] : rows) {
    INFO(name);
    CHECK(kind_of(name) == kind);
  }
}

TEST_CASE("games off a cartridge are of the same kind as games off a disc") {
  for (const char* const name : {"a.nes", "a.gba", "a.sfc", "a.rom", "a.wbfs", "a.cso", "a.iso"}) {
    INFO(name);
    CHECK(kind_of(name) == "disk-image");
  }
}

TEST_CASE("an extension that says nothing leaves the word to what stands before it") {
  CHECK(kind_of("Dockerfile.dev") == "code");
  CHECK(kind_of("Dockerfile.prod.arm") == "code");
  CHECK(kind_of("Containerfile.dev") == "code");
  CHECK(kind_of(".env.local") == "data");
  CHECK(kind_of("dockerfile.txt") == "text");
  CHECK(kind_of("my.env.local").empty());
  CHECK(kind_of("makefile.dev").empty());
  CHECK(kind_of("Döckerfile.dev").empty());
  CHECK(kind_of("dev.Dockerfile") == "code");
}

TEST_CASE("of several extensions the longest that is known decides") {
  CHECK(kind_of("story.fb2.zip") == "ebook");
  CHECK(kind_of("a.zip") == "archive");
  CHECK(kind_of("linux.PKG.tar.zst") == "app");
  CHECK(kind_of("pkg.tar.zst") == "archive");
  CHECK(kind_of("disk.img.xz") == "disk-image");
  CHECK(kind_of("a.b.img.xz") == "disk-image");
  CHECK(kind_of("img.xz") == "archive");
  CHECK(kind_of(".fb2.zip") == "archive");
  CHECK(kind_of(".pkg.tar.zst") == "archive");
  CHECK(kind_of("photo.jpg.gz") == "archive");
  CHECK(kind_of("7z.001").empty());
  CHECK(kind_of("a.7z.001") == "archive");
}

TEST_CASE("versions of shared libraries are behind their extension") {
  CHECK(kind_of("libc.so.6") == "binary");
  CHECK(kind_of("libstdc++.so.6.0.30") == "binary");
  CHECK(kind_of("libx.so.001") == "binary");
  CHECK(kind_of("notes.6").empty());
  CHECK(kind_of("so.6").empty());
  CHECK(kind_of("a.so.6.x").empty());
  CHECK(kind_of("a.so.").empty());
  CHECK(kind_of("a.so..6").empty());
}

TEST_CASE("the Finder's mark makes a package too, and is asked for last") {
  Marks marks;
  marks.bundle = true;
  CHECK_FALSE(holds(Kind::folder, "a", FileType::directory, marks));
  CHECK(marks.loads == 1);
  CHECK_FALSE(holds(Kind::folder, "a.app", FileType::directory, marks));
  CHECK_FALSE(holds(Kind::folder, "a", FileType::file, marks));
  CHECK_FALSE(holds(Kind::image, "a", FileType::directory, marks));
  CHECK(marks.loads == 1);
  CHECK(kind_test(bit_of(Kind::folder))->needs() == (needs::type | needs::bundle));
  CHECK(kind_test(bit_of(Kind::image))->needs() == needs::type);
}

TEST_CASE("a test of kinds is spelt in the order of the kinds") {
  CHECK(kind_test(bit_of(Kind::image))->text() == "kind = image");
  CHECK(kind_test(bit_of(Kind::audio) | bit_of(Kind::image) | bit_of(Kind::audio))->text() ==
        "kind in (image, audio)");
}

TEST_CASE("a catalog may be asked for the types that a kind can have") {
  const auto types = [](Kind kind) { return kind_test(bit_of(kind))->bound().types; };
  CHECK(types(Kind::folder) == bit_of(FileType::directory));
  CHECK(types(Kind::font) == bit_of(FileType::file));
  CHECK(types(Kind::app) == (bit_of(FileType::file) | bit_of(FileType::directory)));
}

TEST_CASE("tests of kinds, and of extensions, that are joined by or become one") {
  const auto kind = [](Kind of) { return Expression::of(kind_test(bit_of(of))); };
  const auto ext = [](const char* of, bool case_sensitive) {
    return Expression::of(extension_test({of}, case_sensitive));
  };
  CHECK(to_text(optimise(Expression::any({kind(Kind::video), kind(Kind::image)}))) ==
        "kind in (image, video)");
  CHECK(to_text(optimise(Expression::any({ext("c", false), ext("d", true), ext("h", false)}))) ==
        "ext case in (d) or ext in (c, h)");
  CHECK(to_text(optimise(Expression::all({kind(Kind::video), kind(Kind::image)}))) ==
        "kind = video and kind = image");
}

}  // namespace kinds_test
