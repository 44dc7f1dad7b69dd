// SPDX-License-Identifier: MIT
// Random catalogs of HFS+ -> hfs_vnop_search -> the program's own reader of searchfs
// (os/darwin/catalog.cpp, compiled against the simulation's headers), as root and as another. What
// a walk would list has to come out, once, and nothing else; directories with several names have to
// be noticed.
//   check_volume [VOLUMES [SEED]]
#include <sys/attr.h>
#include <sys/fsgetpath.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "hfs_volume.h"
#include "os/catalog.h"
#include "os/darwin/file_system.h"
#include "os/formats/darwin_attributes.h"

using namespace ffind;
using namespace ffind::os;

namespace {

std::mt19937_64 bits;
std::uint64_t below(std::uint64_t n) {
  return bits() % n;
}
bool one_in(unsigned n) {
  return below(n) == 0;
}

constexpr std::uint32_t us = 501;
constexpr const char* mount_point = "/Volumes/Backup";

/// A volume while it is searched; searchfs and its like look here.
struct State {
  std::vector<hfs_item> items;
  std::vector<std::string> names;
  hfs_catalog catalog{};
  bool read_only = false;
  bool busy = false;  ///< the next call that resumes is told that something changed
  unsigned changes = 0;
};
// mutable: the kernel's side of one check after the other
State state;
std::map<std::string, std::uint64_t> differences;
std::uint64_t volumes = 0, entries = 0, calls = 0, linked = 0, busy = 0, closed = 0;

void differ(const std::string& what, const std::string& more) {
  if (differences[what]++ < 5) std::printf("DIFFERENT %s: %s\n", what.c_str(), more.c_str());
}

std::uint32_t add(std::string name, std::uint32_t parent, std::uint32_t id, bool folder,
                  std::uint16_t mode, int kind = hfs_plain, std::uint32_t leads_to = 0) {
  hfs_item item{};
  item.record.parent = parent;
  item.record.id = id;
  item.record.folder = folder ? 1 : 0;
  item.record.mode = mode;
  item.record.uid = one_in(2) ? us : 1;
  item.record.links = 1;
  for (std::uint32_t& date : item.record.dates) {
    date = 3500000000U + static_cast<std::uint32_t>(below(600000000));
  }
  if (kind == hfs_file_link || kind == hfs_directory_link) item.record.dates[0] = hfs_created;
  item.kind = kind;
  item.leads_to = leads_to;
  state.items.push_back(item);
  state.names.push_back(std::move(name));
  return id;
}

/// What tells an entry: its directory, its name, its type.
using Found = std::multiset<std::string>;
std::string told(std::uint32_t parent, std::string_view name, FileType type) {
  return std::to_string(parent) + "/" + std::string(name) + " " +
         std::to_string(static_cast<int>(type));
}

struct Directory {
  std::uint32_t id;
  bool open;
};

bool is_open(std::uint16_t mode, std::uint32_t uid) {
  const unsigned held = uid == us ? mode >> 6U : mode;
  return state.catalog.not_root == 0 || (held & 5U) == 5U;
}

/// A volume with everything that a catalog may have in it; returns what a walk lists.
Found make_volume(bool with_directory_links) {
  Found walk;
  std::vector<Directory> directories = {{hfs_root, true}};
  std::uint32_t next = 20;
  add("Backup", 1, hfs_root, true, 0040755);
  add("\u2400\u2400\u2400\u2400HFS+ Private Data", hfs_root, hfs_file_inodes, true, 0041777);
  add(".HFS+ Private Directory Data\r", hfs_root, hfs_directory_inodes, true, 0041777);
  add(".journal", hfs_root, hfs_journal, false, 0100600);
  add(".journal_info_block", hfs_root, hfs_journal + 1, false, 0100600);
  const auto list = [&](const Directory& in, const std::string& name, FileType type) {
    if (in.open) walk.insert(told(in.id, name, type));
  };
  for (std::size_t count = 1 + below(120), i = 0; i < count; ++i) {
    const Directory in = directories[below(directories.size())];
    const std::string name = (one_in(9) ? ".journal" : "n") + std::to_string(i);
    if (one_in(4)) {
      const std::uint16_t mode = one_in(8) ? 0040700 : one_in(12) ? 0040711 : 0040755;
      const Directory made{add(name, in.id, next++, true, mode), in.open};
      list(in, name, FileType::directory);
      const bool open = is_open(mode, state.items.back().record.uid);
      if (!open) ++closed;
      directories.push_back({made.id, in.open && open});
      if (one_in(3)) add("", made.id, in.id, true, 0, hfs_thread);
    } else if (one_in(5)) {
      const std::uint32_t inode = next++;
      add("iNode" + std::to_string(inode), hfs_file_inodes, inode, false, 0100644);
      const std::uint32_t names = 1 + static_cast<std::uint32_t>(below(3));
      state.items.back().record.links = names;
      for (std::uint32_t n = 0; n < names; ++n) {
        const Directory at = directories[below(directories.size())];
        const std::string link = name + "." + std::to_string(n);
        add(link, at.id, next++, false, 0100444, hfs_file_link, inode);
        list(at, link, FileType::file);
      }
    } else {
      const bool link = one_in(4);
      add(name, in.id, next++, false, link ? 0120755 : 0100644);
      list(in, name, link ? FileType::symlink : FileType::file);
    }
  }
  if (with_directory_links) {
    const std::uint32_t inode = next++;
    add("dir_" + std::to_string(inode), hfs_directory_inodes, inode, true, 0040755);
    state.items.back().record.links = 2;
    for (int n = 0; n < 2; ++n) {
      add("d" + std::to_string(n), hfs_root, next++, false, 0100444, hfs_directory_link, inode);
    }
    add("below", inode, next++, false, 0100644);
  }
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    state.items[i].record.name = state.names[i].c_str();
  }
  state.catalog.items = state.items.data();
  state.catalog.count = static_cast<std::uint32_t>(state.items.size());
  return walk;
}

Bound make_bound() {
  Bound bound;
  if (one_in(2)) bound.name_contains = one_in(3) ? "." : std::to_string(below(30));
  if (one_in(4)) bound.types = bit_of(FileType::file);
  if (one_in(8)) bound.types = bit_of(FileType::directory);
  return bound;
}

/// Whether `entry` is one of those that have to be found.
bool is_within(const Bound& bound, const std::string& entry) {
  const std::size_t slash = entry.find('/'), blank = entry.rfind(' ');
  const std::string name = entry.substr(slash + 1, blank - slash - 1);
  const auto type = static_cast<FileType>(std::stoi(entry.substr(blank + 1)));
  return name.find(bound.name_contains) != std::string::npos && (bound.types & bit_of(type)) != 0;
}

void check_volume() {
  ++volumes;
  state = State{};
  state.catalog.not_root = one_in(2) ? 1 : 0;
  state.catalog.uid = us;
  state.catalog.clock = one_in(2) ? 1 + static_cast<std::uint32_t>(below(40)) : 0;
  state.read_only = one_in(3);
  state.catalog.has_journal = state.read_only ? 0 : 1;
  state.changes = one_in(3) ? 1 + static_cast<unsigned>(below(3)) : 0;
  const bool with_links = one_in(6);
  const Found walk = make_volume(with_links);

  Task task;
  task.volume.mount_point = mount_point;
  task.volume.file_system = "hfs";
  task.volume.read_only = state.read_only;
  const Bound bound = make_bound();
  int error = 0;
  const auto reader = open_catalog(task, bound, static_cast<Needs>(bits()), error);
  Found found;
  CatalogBlock block;
  while (true) {
    error = reader->read(block);
    if (error == EBUSY) {
      ++busy;
      found.clear();
      reader->restart();
      continue;
    }
    if (error != 0) break;
    for (const CatalogRecord& record : block.records) {
      std::string path;
      if (record.may_be_closed || reader->path_of(record.parent, path) != 0) continue;
      found.insert(told(static_cast<std::uint32_t>(record.parent), record.name, record.type));
    }
    if (block.at_end) break;
  }
  if (with_links) {
    ++linked;
    if (error != EMLINK) differ("links of directories not noticed", std::to_string(error));
    return;
  }
  if (error != 0) return differ("error", std::to_string(error));
  entries += found.size();
  for (const std::string& entry : walk) {
    if (is_within(bound, entry) && found.count(entry) != 1) {
      differ(found.count(entry) == 0 ? "missed" : "twice", entry);
    }
  }
  for (const std::string& entry : found) {
    if (walk.count(entry) != 1) differ("a ghost", entry);
  }
}

}  // namespace

// What the reader calls.
namespace ffind::os {
Instant wall_now() {
  return {1'800'000'000};
}
}  // namespace ffind::os
namespace ffind::os::darwin {
::attrlist list_of(const AttributeSet& set) {
  return {5, 0, set.common, set.volume, set.directory, set.file, set.fork};
}
}  // namespace ffind::os::darwin

int searchfs(const char*, fssearchblock* block, unsigned long* matches, unsigned, unsigned options,
             searchstate* position) {
  ++calls;
  if ((options & SRCHFS_START) == 0 && state.changes > 0 && one_in(3)) {
    --state.changes;
    ++state.catalog.write_count;
  }
  const int error =
      hfs_search_catalog(&state.catalog, &block->searchattrs, block->returnattrs,
                         block->searchparams1, block->searchparams2, block->maxmatches,
                         block->returnbuffer, block->returnbuffersize, options, position, matches);
  // Darwin's numbers, as Linux has them.
  errno = error == 35 ? EAGAIN : error == 55 ? ENOBUFS : error;
  return error == 0 ? 0 : -1;
}

ssize_t fsgetpath(char* path, size_t size, fsid_t*, uint64_t id) {
  const long at = hfs_item_of(&state.catalog, static_cast<std::uint32_t>(id));
  if (at < 0) {
    errno = ENOENT;
    return -1;
  }
  // Only whether there is one counts here.
  std::snprintf(path, size, "%s", mount_point);
  return static_cast<ssize_t>(std::strlen(path) + 1);
}

int statfs(const char*, struct statfs* row) {
  *row = {};
  return 0;
}
int stat(const char*, struct stat* status) {
  *status = {};
  status->st_ino = hfs_root;
  return 0;
}
int lstat(const char*, struct stat*) {
  errno = ENOENT;  // the journal: every call but searchfs hides it
  return -1;
}
uid_t geteuid() noexcept {
  return state.catalog.not_root != 0 ? us : 0;
}

int main(int argc, char** argv) {
  const unsigned long rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3000;
  bits.seed(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
  for (unsigned long i = 0; i < rounds; ++i) check_volume();
  std::printf("%" PRIu64 " catalogs (%" PRIu64 " with linked directories), %" PRIu64
              " calls (%" PRIu64 " changed meanwhile), %" PRIu64 " entries, %" PRIu64
              " closed directories\n",
              volumes, linked, calls, busy, entries, closed);
  std::uint64_t all = 0;
  for (const auto& [what, count] : differences) {
    std::printf("  %s: %" PRIu64 "\n", what.c_str(), count);
    all += count;
  }
  std::printf(all == 0 ? "no difference\n" : "%" PRIu64 " differences\n", all);
  return all == 0 ? 0 : 1;
}
