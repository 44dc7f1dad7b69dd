// SPDX-License-Identifier: MIT
// Random files -> records made by XNU's own vfs_attrlist.c -> ffind's decoder -> compared with what
// the files were. The attribute lists are those that ffind asks for (bulk_attributes_for).
//   check_bulk [DIRECTORIES [SEED]]
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "os/dirent_block.h"
#include "os/formats/darwin_attributes.h"
#include "vfs_oracle.h"

using namespace ffind;
using namespace ffind::os;
using namespace ffind::os::darwin;

namespace {

std::mt19937_64 random_bits;
std::uint64_t any() {
  return random_bits();
}
std::uint64_t below(std::uint64_t n) {
  return random_bits() % n;
}
bool one_in(unsigned n) {
  return below(n) == 0;
}
/// Numbers of every size, the ends among them.
std::uint64_t number() {
  switch (below(8)) {
    case 0:
      return 0;
    case 1:
      return ~std::uint64_t{0};
    case 2:
      return std::uint64_t{1} << 63U;
    default:
      return any() >> below(64);
  }
}

struct AttrList {
  std::uint16_t count = 5, reserved = 0;
  std::uint32_t common, volume, directory, file, fork;
};
AttrList list_of(const AttributeSet& set) {
  return {5, 0, set.common, set.volume, set.directory, set.file, set.fork};
}

std::map<std::string, std::uint64_t> differences;
std::uint64_t records = 0, errors_seen = 0, values = 0, calls = 0, directories = 0;
void differ(const std::string& what, const oracle_entry& entry, const std::string& more = {}) {
  if (differences[what]++ < 3)
    std::printf("DIFFERENT %s: '%.40s' type %u has %" PRIx64 " %s\n", what.c_str(), entry.name,
                entry.type, entry.has, more.c_str());
}

oracle_entry make_entry(unsigned number_of_it, bool full) {
  oracle_entry entry{};
  // Names of all lengths, of bytes that need not be UTF-8; never a slash, NUL, "." or "..".
  std::string name = std::to_string(number_of_it) + "_";
  const std::size_t length = one_in(20) ? 1020 - name.size() : one_in(4) ? below(256) : below(24);
  while (name.size() < length) {
    const char c = static_cast<char>(any());
    if (c != '\0' && c != '/') name += c;
  }
  std::strcpy(entry.name, name.c_str());
  static const unsigned types[] = {1, 1, 1, 2, 2, 5, 3, 4, 6, 7};
  entry.type = types[below(10)];
  entry.has = full || one_in(2) ? ~std::uint64_t{0} : any();
  if (one_in(3)) entry.has &= ~std::uint64_t{O_FSID};
  entry.nlink = 1 + below(70000);
  entry.total_size = number();
  entry.total_alloc = number() >> 2U;
  entry.data_size = number();
  entry.data_alloc = number() >> 2U;
  entry.private_size = number();
  entry.fileid = number();
  entry.linkid = number();
  entry.parentid = number();
  entry.nchildren = below(5000000);
  entry.dirlinks = 1 + below(3);
  entry.uid = static_cast<std::uint32_t>(number());
  entry.gid = static_cast<std::uint32_t>(number());
  entry.mode = static_cast<std::uint32_t>(any()) & 07777U;
  entry.flags = static_cast<std::uint32_t>(any());
  entry.devid = entry.fsid = 0x01000005;
  entry.fsid64[0] = 0x01000005;
  entry.fsid64[1] = 26;
  for (auto& time : entry.times) {
    time[0] = static_cast<std::int64_t>(one_in(6) ? number() : below(4000000000U)) -
              (one_in(9) ? 2000000000 : 0);
    time[1] = static_cast<std::int64_t>(below(1000000000));
  }
  for (unsigned char& byte : entry.finder) byte = static_cast<unsigned char>(any());
  entry.with_vnode = one_in(3);
  if (entry.with_vnode && entry.type == 2) {
    entry.mounted = one_in(4);
    entry.trigger = one_in(6);
    entry.root = one_in(16);
  }
  return entry;
}

FileType type_of(unsigned vtype) {
  const FileType types[] = {FileType::unknown, FileType::file,      FileType::directory,
                            FileType::block,   FileType::character, FileType::symlink,
                            FileType::socket,  FileType::fifo};
  return types[vtype];
}

bool same_time(Instant got, const std::int64_t (&time)[2]) {
  return got.seconds == time[0] && got.nanoseconds == time[1];
}

void compare(const oracle_entry& entry, bool native, const AttributeRecord& record, Needs wanted,
             std::uint32_t asked_common) {
  ++records;
  const auto has = [&](std::uint64_t bits) { return (entry.has & bits) == bits; };
  const auto has_any = [&](std::uint64_t bits) { return (entry.has & bits) != 0; };
  if (record.name != entry.name) return differ("name", entry, std::string(record.name));
  if (!native && entry.attribute_error != 0) {
    ++errors_seen;
    if (record.error != static_cast<std::uint32_t>(entry.attribute_error))
      differ("error number", entry, std::to_string(record.error));
    if (record.known != needs::none) differ("something known of an error entry", entry);
    return;
  }
  if (record.error != 0) return differ("error without one", entry, std::to_string(record.error));
  if (record.type != type_of(entry.type)) differ("type", entry);
  const bool directory = entry.type == 2;
  const bool vnode = native ? entry.with_vnode != 0 : true;
  Needs known = needs::type;
  const auto know = [&](Needs need, bool there) {
    if ((wanted & need) != 0 && there) known |= need;
  };
  know(needs::created, has(O_CRTIME));
  know(needs::modified, has(O_MTIME));
  know(needs::changed, has(O_CTIME));
  know(needs::accessed, has(O_ATIME));
  know(needs::added, has(O_ADDED));
  know(needs::owner, has(O_UID | O_GID));
  know(needs::mode, has(O_MODE));
  know(needs::links, !directory && has(O_NLINK));
  know(needs::identity, has(O_FILEID) && (has(O_FSID) || vnode || has(O_DEVID)));
  const bool length = has_any(O_DATA_SIZE | O_TOTAL_SIZE);
  const bool space = native ? has(O_TOTAL_ALLOC) : has_any(O_TOTAL_ALLOC | O_TOTAL_SIZE);
  know(needs::size, !directory && length && space);
  know(needs::private_size, has(O_PRIVATE));
  const bool flags = (asked_common & attr::cmn_flags) != 0 && has(O_FLAGS);
  const bool finder = (asked_common & attr::cmn_fndrinfo) != 0 && has(O_FINDER);
  const bool hidden = flags && (entry.flags & 0x8000U) != 0;
  if (flags) known |= needs::flags;
  if (hidden || (flags && finder)) known |= needs::hidden;
  if (record.known != known)
    differ("what is known", entry,
           std::to_string(record.known) + " instead of " + std::to_string(known) + " wanted " +
               std::to_string(wanted));
  const Metadata& got = record.metadata;
  const auto check = [&](Needs need, bool same, const char* what) {
    if ((record.known & need) == 0) return;
    ++values;
    if (!same) differ(what, entry);
  };
  check(needs::created, same_time(got.created, entry.times[0]), "created");
  check(needs::accessed, same_time(got.accessed, entry.times[1]), "accessed");
  check(needs::modified, same_time(got.modified, entry.times[2]), "modified");
  check(needs::changed, same_time(got.changed, entry.times[3]), "changed");
  check(needs::added, same_time(got.added, entry.times[4]), "added");
  check(needs::owner, got.uid == entry.uid && got.gid == entry.gid, "owner");
  const unsigned bits[] = {0, 0100000, 0040000, 0060000, 0020000, 0120000, 0140000, 0010000};
  check(needs::mode, got.mode == (entry.mode | bits[entry.type]), "mode");
  check(needs::links, got.links == static_cast<std::uint32_t>(entry.nlink), "links");
  check(needs::identity, got.inode == entry.fileid && got.device == 0x01000005, "identity");
  const std::uint64_t size = has(O_DATA_SIZE) ? entry.data_size : entry.total_size;
  const std::uint64_t allocated = has(O_TOTAL_ALLOC) ? entry.total_alloc : 0;
  check(needs::size, got.size == size, "size");
  if (native || has(O_TOTAL_ALLOC))
    check(needs::size, got.allocated == (allocated + 511) / 512 * 512, "allocated");
  const FileFlags locks = ((entry.flags & 0x2U) != 0 ? file_flags::uchg : 0) |
                          ((entry.flags & 0x20000U) != 0 ? file_flags::schg : 0) |
                          ((entry.flags & 0x4U) != 0 ? file_flags::uappnd : 0) |
                          ((entry.flags & 0x40000U) != 0 ? file_flags::sappnd : 0);
  check(needs::flags, (got.flags & file_flags::locks) == locks && record.flags == entry.flags,
        "flags");
  check(needs::private_size, got.private_size == entry.private_size, "private size");
  check(needs::hidden, got.hidden == (hidden || (entry.finder[8] & 0x40U) != 0), "hidden");
  if (record.bundle_known != finder) differ("whether the bundle bit is known", entry);
  if (finder) {
    ++values;
    if (record.bundle != (directory && (entry.finder[8] & 0x20U) != 0)) differ("bundle", entry);
  }
  std::uint32_t status = 0;
  if (directory && vnode)
    status = (entry.mounted || entry.root ? 1U : 0U) | (entry.trigger ? 2U : 0U);
  if (record.mount_status != status)
    differ("mount status", entry, std::to_string(record.mount_status));
}

void check_directory() {
  ++directories;
  std::vector<oracle_entry> entries;
  const bool native = !one_in(3), full = one_in(3);
  const unsigned count =
      one_in(6) ? static_cast<unsigned>(below(400)) : static_cast<unsigned>(below(30));
  for (unsigned i = 0; i < count; ++i) {
    entries.push_back(make_entry(i, full));
    if (!native && one_in(12)) entries.back().attribute_error = one_in(2) ? 13 : 1;
    if (!native && one_in(20)) entries.back().lookup_error = 2;
  }
  oracle_directory directory{};
  directory.entries = entries.data();
  directory.count = static_cast<int>(count);
  directory.native = native;
  directory.late_end = one_in(2);
  directory.kernel_buffer = one_in(4);
  directory.slice = one_in(3) ? 1 + static_cast<int>(below(50)) : 0;
  const Needs wanted = static_cast<Needs>(any()) & (needs::metadata | needs::bundle);
  AttributeSet set = bulk_attributes_for(wanted);
  if (one_in(3)) set.common |= attr::cmn_flags;  // as os/darwin/readers.cpp does with firmlinks
  const AttrList list = list_of(set);
  static unsigned char buffer[DirentBlock::capacity];
  const std::size_t size = one_in(2) ? sizeof buffer : 1400 + below(8000);
  std::vector<const oracle_entry*> expected;
  for (const oracle_entry& entry : entries)
    if (native || entry.lookup_error == 0) expected.push_back(&entry);
  std::size_t at = 0;
  while (true) {
    std::memset(buffer, 0xA5, sizeof buffer);
    int error = 0;
    ++calls;
    const int got = oracle_bulk(&directory, &list, buffer, size, set.fork != 0 ? 0x20 : 0, &error);
    if (got < 0) {
      std::printf("DIFFERENT call failed %d at %zu of %zu, size %zu\n", error, at, expected.size(),
                  size);
      ++differences["call"];
      break;
    }
    if (got == 0) break;
    RecordDecoder reader(buffer, size, RecordLayout::bulk, set, static_cast<std::size_t>(got));
    AttributeRecord record;
    int taken = 0;
    while (reader.next(record)) {
      ++taken;
      if (at == expected.size()) {
        ++differences["too many"];
        break;
      }
      compare(*expected[at++], native, record, wanted, set.common);
    }
    if (reader.malformed()) {
      ++differences["malformed"];
      std::printf("DIFFERENT malformed after %d of %d\n", taken, got);
      break;
    }
    if (taken != got || reader.refused() != 0) {
      ++differences["count"];
      break;
    }
  }
  if (at != expected.size()) ++differences["missing entries"];
  oracle_rewind(&directory);
}

/// The questions about one file, with the layouts of os/darwin.
void check_questions() {
  const auto fail = [](const char* what) {
    ++differences[what];
    std::printf("DIFFERENT %s\n", what);
  };
  oracle_entry entry = make_entry(0, true);
  entry.type = 2;
  entry.has = ~std::uint64_t{0};
  struct {
    std::uint32_t length, returned[5];
    std::int32_t fsid[2], real[2];
  } volume{};
  AttrList list{5, 0, 0x80000000U | 4U, 0, 0, 0, 0x80U};
  entry.fsid64[0] = 99;  // what a volume of a group may pretend
  int error = oracle_get(&entry, &list, &volume, sizeof volume, 0x20);
  if (error != 0 || volume.length != sizeof volume || (volume.returned[4] & 0x80U) == 0 ||
      volume.real[0] != oracle_mount_fsid[0] || volume.real[1] != oracle_mount_fsid[1] ||
      volume.fsid[0] != 99)
    fail("volume_id_of");
  struct {
    std::uint32_t length, returned[5];
    std::int64_t seconds, fraction;
  } added{};
  list = {5, 0, 0x90000000U, 0, 0, 0, 0};
  error = oracle_get(&entry, &list, &added, sizeof added, 0);
  if (error != 0 || (added.returned[0] & 0x10000000U) == 0 || added.seconds != entry.times[4][0] ||
      added.fraction != entry.times[4][1])
    fail("time_added");
  entry.has &= ~std::uint64_t{O_ADDED};
  error = oracle_get(&entry, &list, &added, sizeof added, 0);
  if (error != 0 || (added.returned[0] & 0x10000000U) != 0) fail("time_added where there is none");
  struct {
    std::uint32_t length, returned[5];
    std::uint64_t size;
  } own{};
  list = {5, 0, 0x80000000U, 0, 0, 0, 0x8U};
  error = oracle_get(&entry, &list, &own, sizeof own, 0x20);
  if (error != 0 || own.returned[4] != 0x8U || own.size != entry.private_size) fail("private_size");
  entry.has &= ~std::uint64_t{O_PRIVATE};
  error = oracle_get(&entry, &list, &own, sizeof own, 0x20);
  if (error != 0 || own.returned[4] != 0) fail("private_size where there is none");
  struct {
    std::uint32_t length;
    unsigned char info[32];
  } finder{};
  list = {5, 0, 0x4000U, 0, 0, 0, 0};
  error = oracle_get(&entry, &list, &finder, sizeof finder, 0);
  if (error != 0 || finder.length != sizeof finder ||
      std::memcmp(finder.info, entry.finder, 32) != 0)
    fail("has_bundle_mark");
  entry.has &= ~std::uint64_t{O_FINDER};
  error = oracle_get(&entry, &list, &finder, sizeof finder, 0);
  if (error != 0 || finder.length != sizeof finder || finder.info[8] != 0)
    fail("has_bundle_mark without information");
  struct {
    std::uint32_t length, entries;
  } entries{};
  list = {5, 0, 0, 0, 2U, 0, 0};
  error = oracle_get(&entry, &list, &entries, sizeof entries, 0);
  if (error != 0 || entries.length != sizeof entries || entries.entries != entry.nchildren)
    fail("is_large");
  entry.has &= ~std::uint64_t{O_NCHILDREN};
  error = oracle_get(&entry, &list, &entries, sizeof entries, 0);
  if (error != 22) fail("is_large where it is not known: EINVAL expected");
  struct {
    std::uint32_t length, capabilities[4], valid[4];
  } can{};
  list = {5, 0, 0, 0x80000000U | 0x20000U, 0, 0, 0};
  error = oracle_get(nullptr, &list, &can, sizeof can, 0);
  if (error != 0 || can.length != 36 || (can.capabilities[1] & can.valid[1] & 1U) == 0 ||
      (can.capabilities[0] & 0x4000U) == 0)
    fail("ask_capabilities");
  struct {
    std::uint32_t length;
    std::int32_t offset;
    std::uint32_t size;
    char text[1024];
  } name{};
  list = {5, 0, 0, 0x80000000U | 0x2000U, 0, 0, 0};
  error = oracle_get(nullptr, &list, &name, sizeof name, 0);
  if (error != 0 || name.offset != 8 || std::strcmp(name.text, "Backup") != 0)
    fail("sources_labelled");
}

void check_rights() {
  oracle_entry entry = make_entry(0, true);
  oracle_directory directory{};
  directory.entries = &entry;
  directory.count = 1;
  directory.native = 1;
  directory.no_search = 1;
  unsigned char buffer[2048];
  int error = 0;
  const AttrList list = list_of(bulk_attributes_for(needs::none));
  const int count = oracle_bulk(&directory, &list, buffer, sizeof buffer, 0, &error);
  std::printf("names and types of a directory that may be listed, not searched: %s\n",
              count < 0 ? (error == 13 ? "EACCES" : "another error") : "given");
  oracle_rewind(&directory);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3000;
  random_bits.seed(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
  check_questions();
  check_rights();
  for (unsigned long i = 0; i < rounds; ++i) check_directory();
  std::printf("%" PRIu64 " directories, %" PRIu64 " calls, %" PRIu64 " records (%" PRIu64
              " of errors), %" PRIu64 " values compared\n",
              directories, calls, records, errors_seen, values);
  std::uint64_t all = 0;
  for (const auto& [what, count] : differences) {
    std::printf("  %s: %" PRIu64 "\n", what.c_str(), count);
    all += count;
  }
  std::printf(all == 0 ? "no difference\n" : "%" PRIu64 " differences\n", all);
  return all == 0 ? 0 : 1;
}
