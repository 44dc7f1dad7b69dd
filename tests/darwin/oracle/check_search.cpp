// SPDX-License-Identifier: MIT
// Random catalog records -> hfs_search.c's own predicate, asked with ffind's own requests -> its
// own records -> ffind's decoder. What satisfies the bound must be found; what is told must be so.
//   check_search [RECORDS [SEED]]
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "ffind/query.h"
#include "hfs_oracle.h"
#include "os/formats/darwin_attributes.h"
#include "text/unicode.h"

using namespace ffind;
using namespace ffind::os::darwin;

namespace {
std::mt19937_64 bits;
std::uint64_t below(std::uint64_t n) {
  return bits() % n;
}
bool one_in(unsigned n) {
  return below(n) == 0;
}

void put(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  if (c < 0x800) {
    text += static_cast<char>(0xC0 | c >> 6U);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | c >> 12U);
    text += static_cast<char>(0x80 | (c >> 6U & 63U));
  } else {
    text += static_cast<char>(0xF0 | c >> 18U);
    text += static_cast<char>(0x80 | (c >> 12U & 63U));
    text += static_cast<char>(0x80 | (c >> 6U & 63U));
  }
  text += static_cast<char>(0x80 | (c & 63U));
}
char32_t letter() {
  static const char32_t odd[] = {
      0x212A,  0x212B,  0x17F,   0x131,   0x130,  0x1E9E, 0xDF,   0x149,  0x1F0,  0x390,
      0x3B0,   0x3C2,   0x3C3,   0x3A3,   0x37E,  0x387,  0x1FEF, 0x2126, 0xFB01, 0xFB06,
      0x200C,  0x200D,  0xFEFF,  0xAD,    0x345,  0x1E9B, 0x1E61, 0x226E, 0x2260, 0xF900,
      0x10400, 0x10428, 0x1F600, 0x2F800, 0x23A,  0x2C65, 0xA7AE, 0x26A,  0x1C5,  0x1C6,
      0x1F3,   0x10D0,  0x1C90,  0x13A0,  0xAB70, 0x1E0A, 0x3DC,  0x307,  0x323,  0x327,
      0x328,   0x31B,   0x340,   0x341,   0x343,  0x344,  0x374,  0x85,   0xA0,   0x7F,
      ':',     ';',     '`',     'K',     'k',    's',    'S',    'i',    'I'};
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
      return static_cast<char32_t>(' ' + 1 + below(94));
    case 3:
      return static_cast<char32_t>('a' + below(26));
    case 4:
      return static_cast<char32_t>(0xC0 + below(0x1C0));
    case 5:
      return static_cast<char32_t>(0x1E00 + below(0x200));
    case 6:
      return static_cast<char32_t>(0x300 + below(0x70));
    case 7:
      return odd[below(sizeof odd / sizeof odd[0])];
    case 8:
      return one_in(2) ? static_cast<char32_t>(0xAC00 + below(11172))
                       : static_cast<char32_t>(0x370 + below(0x190));
    default: {
      const auto c = static_cast<char32_t>(0x80 + below(0x30000));
      return c >= 0xD800 && c < 0xE000 ? U'x' : c;
    }
  }
}
std::string make_name() {
  std::string name;
  const std::size_t count = 1 + (one_in(10) ? below(120) : below(14));
  while (name.size() < 4 * count && count > 0 && name.size() < 400) {
    const char32_t c = letter();
    if (c == '/' || c == 0) continue;
    put(name, c);
    if (one_in(static_cast<unsigned>(count))) break;
  }
  if (name == "." || name == "..") name += "x";
  return name;
}

struct AttrList {
  std::uint16_t count = 5, reserved = 0;
  std::uint32_t common, volume, directory, file, fork;
};
AttrList list_of(const AttributeSet& set) {
  return {5, 0, set.common, set.volume, set.directory, set.file, set.fork};
}

std::map<std::string, std::uint64_t> differences;
std::uint64_t records = 0, satisfied_all = 0, matched_all = 0, named = 0, refused_names = 0;
void differ(const std::string& what, const std::string& more) {
  if (differences[what]++ < 6) std::printf("DIFFERENT %s: %s\n", what.c_str(), more.c_str());
}
std::string hex(std::string_view text) {
  std::string all;
  char byte[4];
  for (const unsigned char c : text) {
    std::snprintf(byte, sizeof byte, c < 0x7F && c > 0x20 ? "%c" : "%02x.", c);
    all += byte;
  }
  return all;
}

std::int64_t time_of(std::uint32_t date, bool expanded) {
  return expanded ? date : date > 2082844800U ? date - 2082844800U : 0;
}

void check_record() {
  ++records;
  std::string typed = make_name();
  char back[2048] = {};
  hfs_record r{};
  if (hfs_name(typed.c_str(), back, sizeof back) != 0) {
    ++refused_names;
    return;
  }
  const std::string name = back;  // as a search and as readdir show it
  r.name = typed.c_str();
  r.parent = 2 + static_cast<std::uint32_t>(below(1000000));
  if (r.parent == 18 || r.parent == 19) r.parent = 20;
  r.id = 20 + static_cast<std::uint32_t>(below(4000000000U));
  r.folder = one_in(3);
  r.expanded_times = one_in(4);
  const unsigned formats[] = {0100000, 0100000, 0100000, 0120000,
                              0010000, 0140000, 0060000, 0020000};
  r.mode =
      static_cast<std::uint16_t>((r.folder ? 0040000U : formats[below(8)]) | (bits() & 07777U));
  if (one_in(8)) r.mode = 0;
  const unsigned format = r.mode == 0 ? (r.folder ? 0040000U : 0100000U) : r.mode & 0170000U;
  r.uid = one_in(5) ? 99 : static_cast<std::uint32_t>(below(1000));
  r.gid = one_in(5) ? 99 : static_cast<std::uint32_t>(below(1000));
  r.links = static_cast<std::uint32_t>(below(4));
  for (auto& date : r.dates)
    date = one_in(5)   ? static_cast<std::uint32_t>(bits())
           : one_in(9) ? 0
                       : 3500000000U + static_cast<std::uint32_t>(below(600000000));
  r.data_size = one_in(4) ? 0 : bits() >> (1 + below(62));
  r.fork_size = one_in(2) ? 0 : below(100000);
  r.data_blocks = static_cast<std::uint32_t>(below(100000));
  r.fork_blocks = static_cast<std::uint32_t>(below(100));
  r.owner_flags = static_cast<std::uint8_t>(bits()) & 0xDFU;
  r.admin_flags = static_cast<std::uint8_t>(bits());
  r.locked = one_in(3);
  for (unsigned char& byte : r.finder) byte = static_cast<unsigned char>(bits());
  const bool hard_linked_type = false;
  (void)hard_linked_type;
  if (one_in(10) && format == 0100000 && r.mode != 0) {
    r.owner_flags |= 0x20;
    r.compressed = 1;
    r.uncompressed_size = bits() >> (1 + below(62));
  }

  const FileType type = format == 0040000   ? FileType::directory
                        : format == 0100000 ? FileType::file
                        : format == 0120000 ? FileType::symlink
                        : format == 0010000 ? FileType::fifo
                        : format == 0140000 ? FileType::socket
                        : format == 0060000 ? FileType::block
                                            : FileType::character;
  const std::uint64_t size = r.compressed ? r.uncompressed_size : r.data_size;
  const std::int64_t modified = time_of(r.dates[1], r.expanded_times);

  // A bound that it satisfies, mostly.
  Bound bound;
  bool satisfied = true;
  const text::KeyRules rules(one_in(2) ? text::KeyCase::folded : text::KeyCase::kept, one_in(8));
  const std::string key = text::key_of(name, rules);
  std::string literal;
  if (!key.empty() && !one_in(4)) {
    std::size_t from = below(key.size()), to = from + 1 + below(key.size() - from);
    const auto inside = [&](std::size_t at) {
      return at < key.size() && (static_cast<unsigned char>(key[at]) & 0xC0U) == 0x80U;
    };
    while (inside(from)) --from;
    while (inside(to)) ++to;
    literal = key.substr(from, to - from);
    bound.name_contains = text::portable_part(literal, rules);
    if (!bound.name_contains.empty()) ++named;
  }
  if (one_in(2)) {
    bound.types = static_cast<FileTypes>(bits());
    if (one_in(2)) bound.types = bit_of(FileType::file);
    if ((bound.types & bit_of(type)) == 0) satisfied = false;
  }
  if (one_in(3)) {
    bound.least_size = one_in(2) ? size - below(size + 1) : bits() >> below(64);
    bound.most_size = one_in(2)   ? size + below(1000)
                      : one_in(2) ? ~std::uint64_t{0}
                                  : bits() >> below(64);
    if (type == FileType::file && (size < bound.least_size || size > bound.most_size))
      satisfied = false;
    if (type != FileType::file) satisfied = false;  // sizes are of regular files
  }
  if (one_in(3)) {
    const auto near = [&](std::int64_t seconds) -> Instant {
      return {modified + seconds, static_cast<std::int32_t>(below(1000000000))};
    };
    if (!one_in(3)) bound.first_modified = near(static_cast<std::int64_t>(below(6)) - 5);
    if (!one_in(3)) bound.last_modified = near(4 - static_cast<std::int64_t>(below(6)));
    if (one_in(20)) bound.last_modified = {-1, 999999999};
    const Instant then{modified};
    if (then < bound.first_modified || then > bound.last_modified) satisfied = false;
  }
  const Needs wanted = static_cast<Needs>(bits()) & (needs::metadata | needs::bundle);
  const SearchRequest request = search_request(bound, wanted, SearchDialect::hfs);
  const AttrList searched = list_of(request.searched), returned = list_of(request.returned);
  hfs_search search{};
  search.first = request.first.data();
  search.last = request.last.data();
  search.searched = &searched;
  search.returned = &returned;
  search.options = request.options | srchfs_start;
  search.not_root = one_in(2);
  search.uid = search.not_root ? 501 : 0;
  search.gid = 20;
  search.ignores_ownership = one_in(4);
  static unsigned char buffer[65536];
  std::memset(buffer, 0x5A, 4096);
  const int found = hfs_try(&search, &r, buffer, sizeof buffer);
  if (found < 0)
    return differ("errno " + std::to_string(-found), "piece " + hex(bound.name_contains));
  satisfied_all += satisfied;
  matched_all += static_cast<std::uint64_t>(found);
  if (satisfied && found == 0) {
    return differ("missed", "name " + hex(name) + " piece " + hex(bound.name_contains) +
                                " literal " + hex(literal) + (rules.folds() ? " folded" : " kept") +
                                " types " + std::to_string(bound.types) + " type " +
                                std::to_string(static_cast<int>(type)) + " size " +
                                std::to_string(size) + " of " + std::to_string(bound.least_size) +
                                ".." + std::to_string(bound.most_size) + " modified " +
                                std::to_string(modified) + " in " +
                                std::to_string(bound.first_modified.seconds) + ".." +
                                std::to_string(bound.last_modified.seconds));
  }
  if (found == 0) return;
  RecordDecoder reader(buffer, sizeof buffer, RecordLayout::search, request.returned, 1);
  AttributeRecord record;
  if (!reader.next(record)) return differ("record not read", hex(name));
  if (record.name != name) return differ("name", hex(name) + " " + hex(record.name));
  if (record.parent_id != r.parent) differ("parent", hex(name));
  if (record.type != type) differ("type", std::to_string(format));
  const Metadata& got = record.metadata;
  const Needs known = record.known;
  const auto check = [&](Needs need, bool same, const char* what) {
    if ((known & need) != 0 && !same) differ(what, hex(name));
  };
  const auto at = [&](int which) { return Instant{time_of(r.dates[which], r.expanded_times)}; };
  check(needs::created, got.created == at(0), "created");
  check(needs::modified, got.modified == at(1), "modified");
  check(needs::changed, got.changed == at(2), "changed");
  check(needs::accessed, got.accessed == at(3), "accessed");
  check(needs::size,
        got.size == size && got.allocated == (std::uint64_t{r.data_blocks} + r.fork_blocks) * 4096,
        "size");
  const bool linkable = r.mode != 0 && (format == 0100000 || format == 0010000 ||
                                        format == 0140000 || format == 0040000);
  const std::uint32_t links = linkable && r.links > 0 ? r.links : 1;
  check(needs::links, got.links == links, "links");
  const std::uint32_t uid = r.mode == 0 ? 99 : r.uid, gid = r.mode == 0 ? 99 : r.gid;
  const auto shown = [&](std::uint32_t id, std::uint32_t own) {
    return search.not_root && (search.ignores_ownership || id == 99) ? own : id;
  };
  check(needs::owner, got.uid == shown(uid, 501) && got.gid == shown(gid, 20), "owner");
  std::uint32_t mode = r.mode == 0 ? format | 0755U : r.mode;
  if (uid == 99) mode &= ~06000U;
  check(needs::mode, got.mode == mode, "mode");
  check(needs::identity, got.inode == r.id && got.device == hfs_device, "identity");
  if ((wanted & needs::bundle) != 0 && record.bundle != (r.folder && (r.finder[8] & 0x20U) != 0))
    differ("bundle", hex(name));
  if (r.folder && record.directory_names != links) differ("names of a directory", hex(name));
  // Sizes, times and identities are the kernel's to tell.
  constexpr Needs told = needs::type | needs::mode | needs::owner | needs::links | needs::created |
                         needs::flags | needs::hidden;
  const Needs expected = (wanted | needs::type) & told & ~(r.folder ? needs::links : needs::none);
  if ((known & request.trusted & needs::metadata) != expected)
    differ("what is known", std::to_string(known) + " instead of " + std::to_string(expected));
}
}  // namespace

int main(int argc, char** argv) {
  const unsigned long rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200000;
  bits.seed(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
  for (unsigned long i = 0; i < rounds; ++i) check_record();
  std::printf("%" PRIu64 " records (%" PRIu64 " names that HFS+ cannot hold), %" PRIu64
              " satisfied their bound, %" PRIu64 " with a name in it, %" PRIu64 " matched\n",
              records, refused_names, satisfied_all, named, matched_all);
  std::uint64_t all = 0;
  for (const auto& [what, count] : differences) {
    std::printf("  %s: %" PRIu64 "\n", what.c_str(), count);
    all += count;
  }
  std::printf(all == 0 ? "no difference\n" : "%" PRIu64 " differences\n", all);
  return all == 0 ? 0 : 1;
}
