// SPDX-License-Identifier: MIT
// Directory readers without a walk: the kernel's, and the one of a device that leaves to the kernel
// what the device does not answer.
#include "os/directory_reader.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "fakes/fake_device.h"
#include "fakes/fake_file_system.h"

namespace directory_reader_test {

using namespace ffind;

namespace {

using Names = std::vector<std::string>;

struct FakeDirectory : os::ListedDirectory {
  std::string path{};
};

/// Opens by path, and keeps count.
class PathOpener final : public os::DirectoryOpener {
 public:
  explicit PathOpener(FakeFileSystem& files) : files_(files) {}
  Names asked{};

  int open(os::ListedDirectory& directory) override {
    if (directory.directory.is_open()) return 0;
    const std::string& path = static_cast<FakeDirectory&>(directory).path;
    asked.push_back(path);
    return files_.open(nullptr, path.empty() ? "." : path.c_str(), {}, directory.directory);
  }

 private:
  FakeFileSystem& files_;
};

struct Setup {
  FakeFileSystem files{};
  PathOpener opener{files};

  Setup() {
    for (const char* path : {"a/one", "a/two", "a/three", "b/four"}) files.add(path);
  }
  std::unique_ptr<os::DirectoryReaders> on(FakeDevice& device) {
    return std::move(device.factory()({}, files).directories);
  }
  FakeDirectory root(os::DirectoryReader& reader) {
    FakeDirectory directory;
    REQUIRE(files.open(nullptr, ".", {}, directory.directory) == 0);
    REQUIRE(reader.open(directory, nullptr) == 0);
    return directory;
  }
  void close(os::ListedDirectory& directory) {
    if (directory.directory.is_open()) files.close(directory.directory);
  }
};

/// Names and inodes of the next block.
std::map<std::string, std::uint64_t> next_block(os::DirectoryReader& reader,
                                                os::ListedDirectory& directory, int error = 0) {
  os::DirentBlock block;
  REQUIRE(reader.read(directory, block) == error);
  std::map<std::string, std::uint64_t> listed;
  os::Dirent dirent;
  while (block.next(dirent)) CHECK(listed.emplace(dirent.name, dirent.inode).second);
  return listed;
}

Names rest_of(os::DirectoryReader& reader, os::ListedDirectory& directory) {
  Names names;
  while (true) {
    const auto block = next_block(reader, directory);
    if (block.empty()) break;
    for (const auto& [name, inode] : block) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The directory `name` in `around`, as the walk would come to it.
FakeDirectory child(os::DirectoryReader& reader, os::ListedDirectory& around,
                    const std::string& name) {
  FakeDirectory directory;
  directory.path = name;
  directory.handle = reader.child(around, next_block(reader, around).at(name));
  return directory;
}

}  // namespace

TEST_CASE("directory reader: the kernel's opens, lists, and can be shared at any time") {
  Setup volume;
  const auto reader = volume.files.make_reader(volume.opener);
  FakeDirectory directory;
  directory.path = "a";
  REQUIRE(reader->open(directory, nullptr) == 0);
  CHECK(volume.opener.asked == Names{"a"});
  CHECK(reader->can_share(directory));
  CHECK(reader->knows() == needs::none);
  CHECK(rest_of(*reader, directory) == Names{"one", "three", "two"});
  CHECK_FALSE(directory.handle);
  volume.close(directory);
}

TEST_CASE(
    "directory reader: numbers that the kernel lists identify entries only where they are "
    "inodes'") {
  Setup volume;
  const auto known = [&] {
    const auto reader = volume.files.make_reader(volume.opener);
    Metadata metadata;
    const Needs got = reader->metadata(7, FileType::file, needs::identity | needs::size, metadata);
    // Some readers list 0 where an entry could not be read.
    CHECK(reader->metadata(0, FileType::file, needs::identity, metadata) == needs::none);
    CHECK(reader->metadata(7, FileType::file, needs::size, metadata) == needs::none);
    return got == needs::identity ? os::FileId{metadata.device, metadata.inode} : os::FileId{};
  };
  CHECK(known() == os::FileId{});
  volume.files.device_of_listed = 3;
  CHECK(known() == os::FileId{3, 7});
}

TEST_CASE("directory reader: a device lists by handle what it was found to hold") {
  Setup volume;
  FakeDevice device(volume.files);
  const auto readers = volume.on(device);
  const auto reader = readers->make_reader(volume.opener);
  FakeDirectory root = volume.root(*reader);
  REQUIRE(root.handle);
  FakeDirectory a = child(*reader, root, "a");
  REQUIRE(a.handle);
  REQUIRE(reader->open(a, &root) == 0);
  CHECK(rest_of(*reader, a) == Names{"one", "three", "two"});
  CHECK(volume.opener.asked.empty());
  CHECK_FALSE(a.directory.is_open());
  CHECK(reader->knows() == needs::metadata);
  CHECK(reader->fallbacks() == 0);
  volume.close(root);
}

TEST_CASE("directory reader: what the device refuses the kernel lists") {
  Setup volume;
  FakeDevice device(volume.files);
  device.refused = {"a"};
  const auto readers = volume.on(device);
  const auto reader = readers->make_reader(volume.opener);
  FakeDirectory root = volume.root(*reader);
  FakeDirectory a = child(*reader, root, "a");
  REQUIRE(reader->open(a, &root) == 0);
  CHECK(volume.opener.asked == Names{"a"});
  CHECK(reader->fallbacks() == 1);
  CHECK(reader->knows() == needs::none);
  CHECK(rest_of(*reader, a) == Names{"one", "three", "two"});
  volume.close(a);
  volume.close(root);
}

TEST_CASE("directory reader: a link is never found by a handle") {
  Setup volume;
  FakeDevice device(volume.files);
  const auto readers = volume.on(device);
  const auto reader = readers->make_reader(volume.opener);
  FakeDirectory link;
  link.path = "a";
  link.via_link = true;
  REQUIRE(reader->open(link, nullptr) == 0);
  CHECK_FALSE(link.handle);
  CHECK(rest_of(*reader, link).size() == 3);
  CHECK(device.begun.empty());
  volume.close(link);
}

TEST_CASE("directory reader: what the device lists is not paused, what the kernel lists is") {
  Setup volume;
  FakeDevice device(volume.files);
  const auto readers = volume.on(device);
  const auto first = readers->make_reader(volume.opener);
  const auto second = readers->make_reader(volume.opener);
  FakeDirectory root = volume.root(*first);
  FakeDirectory a = child(*first, root, "a");
  REQUIRE(first->open(a, &root) == 0);
  CHECK_FALSE(first->pause(a));
  device.refused = {"a"};
  REQUIRE(first->open(a, &root) == 0);
  REQUIRE(first->pause(a));
  CHECK(a.directory.is_open());
  second->resume(a);
  CHECK(rest_of(*second, a) == Names{"one", "three", "two"});
  volume.close(a);
  volume.close(root);
}

TEST_CASE("directory reader: a look into a directory disturbs no other") {
  Setup volume;
  volume.files.add("a/bare", FileType::directory);
  FakeDevice device(volume.files);
  const auto readers = volume.on(device);
  const auto reader = readers->make_reader(volume.opener);
  FakeDirectory root = volume.root(*reader);
  device.entries_per_block = 2;
  FakeDirectory a;
  a.path = "a";
  REQUIRE(reader->open(a, nullptr) == 0);
  auto listed = next_block(*reader, a);
  for (const auto& [name, inode] : next_block(*reader, a)) listed.emplace(name, inode);
  CHECK(reader->is_empty(a, listed.at("bare")) == true);
  CHECK(rest_of(*reader, a).empty());
  volume.close(a);
  volume.close(root);
}

TEST_CASE("directory reader: a handle is as it was when it has been packed") {
  using os::DirectoryHandle;
  for (const DirectoryHandle& handle : {DirectoryHandle(), DirectoryHandle{7}}) {
    std::string bytes;
    handle.pack(bytes);
    CHECK(bytes.size() == handle.packed_size());
    CHECK(DirectoryHandle::unpack(bytes.data(), bytes.size()) == handle);
  }
  CHECK(DirectoryHandle().packed_size() == 0);
  CHECK(DirectoryHandle{7}.packed_size() == 8);
  CHECK(lies_before(DirectoryHandle(), DirectoryHandle{1}));
  CHECK(lies_before(DirectoryHandle{1}, DirectoryHandle{2}));
}

}  // namespace directory_reader_test
