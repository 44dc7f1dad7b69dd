// SPDX-License-Identifier: MIT
// Reads directories from images that mkfs.ext4 fills, without mounting them: kinds of volumes that
// not every kernel mounts, and what is read is what was put in. Skips without mkfs.ext4.
#include "os/ext/reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include "catch.h"

namespace reader_test {

using namespace ffind;
using namespace ffind::os;
namespace fs = std::filesystem;

namespace {

const std::string with_sbin = "$PATH:/usr/sbin:/sbin";

struct Folder {
  std::string path;

  Folder() {
    std::string name = (fs::temp_directory_path() / "ffind-ext-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

/// Names from the shortest to the longest, many in one directory, and some below one another.
void fill(const fs::path& top) {
  const auto make = [&](const fs::path& path, std::size_t size) {
    fs::create_directories((top / path).parent_path());
    std::ofstream(top / path) << std::string(size, 'x');
  };
  make("a", 0);
  make(std::string(255, 'n'), 3);
  make("Mixed Case \xc3\x84", 5000);
  for (int i = 0; i < 300; ++i) make(fs::path("many") / ("name number " + std::to_string(i)), 1);
  for (int i = 0; i < 5; ++i) make(fs::path("d") / std::to_string(i) / "e" / "f", 10);
  fs::create_directory(top / "nothing");
  fs::create_symlink("a", top / "link");
}

using Found = std::map<std::string, std::uint64_t>;  ///< path to size, of directories none

Found list_of(const fs::path& top) {
  Found found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
    const std::string path = entry.path().lexically_relative(top).string();
    struct ::stat status {};
    REQUIRE(::lstat(entry.path().c_str(), &status) == 0);
    found[path] = S_ISDIR(status.st_mode) ? 0 : static_cast<std::uint64_t>(status.st_size);
  }
  return found;
}

/// `readers`: how many share the windows; see Reader.
void read_below(ext::Volume& volume, std::size_t readers, const DirectoryHandle& number,
                const DirectoryHandle* parent, const std::string& path, Found& found) {
  ext::Reader reader(volume, true, readers);
  CAPTURE(path);
  REQUIRE(reader.begin(number, parent));
  DirentBlock block;
  while (true) {
    reader.read(block);
    if (block.empty()) return;
    Dirent dirent;
    while (block.next(dirent)) {
      const std::string name = path + std::string(dirent.name);
      if (name == "lost+found") continue;
      Metadata metadata{};
      const Needs wanted = needs::type | needs::size;
      const Needs got = reader.metadata(dirent.inode, dirent.type, wanted, metadata);
      REQUIRE((got & wanted) == wanted);
      const bool directory = type_of_mode(metadata.mode) == FileType::directory;
      REQUIRE(found.emplace(name, directory ? 0 : metadata.size).second);
      if (!directory) continue;
      read_below(volume, readers, {.inode = dirent.inode}, &number, name + "/", found);
    }
  }
}

Found read_image(const std::string& path, std::size_t readers = 1) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(fd >= 0);
  auto device = std::make_unique<ext::Device>(fd);
  std::vector<unsigned char> bytes(ext::superblock_size);
  REQUIRE(device->read(ext::superblock_at, bytes.size(), bytes.data()));
  ext::Geometry geometry;
  REQUIRE(ext::decode_superblock(bytes, geometry) == "");
  constexpr Instant always{std::numeric_limits<std::int64_t>::max(), 0};
  ext::Volume volume(std::move(device), geometry,
                     {.changed_before = always, .written_before = always}, 7);
  Found found;
  read_below(volume, readers, {.inode = ext::root_inode}, nullptr, "", found);
  return found;
}

}  // namespace

TEST_CASE("ext reader: an image shows what was put in, whatever its kind") {
  if (std::system(("PATH=" + with_sbin + "; command -v mkfs.ext4 >/dev/null").c_str()) != 0) {
    WARN("skipped: there is no mkfs.ext4 (package e2fsprogs)");
    return;
  }
  const std::string words[] = {
      "-t ext4",
      "-t ext4 -b 1024 -I 128",
      "-t ext4 -b 65536",
      "-t ext4 -E encoding=utf8 -O casefold",
      "-t ext4 -O encrypt,ea_inode,verity,quota",
  };
  Folder folder;
  fs::create_directory(folder.path + "/from");
  fill(folder.path + "/from");
  const Found put_in = list_of(folder.path + "/from");
  const std::string image = folder.path + "/image";
  for (const std::string& word : words) {
    CAPTURE(word);
    fs::remove(image);
    const std::string command = "PATH=" + with_sbin + "; mkfs.ext4 -q -F " + word + " -d " +
                                folder.path + "/from " + image + " 96M >/dev/null 2>&1";
    REQUIRE(std::system(command.c_str()) == 0);
    CHECK(read_image(image) == put_in);
    CHECK(read_image(image, 128) == put_in);
  }
}

}  // namespace reader_test
