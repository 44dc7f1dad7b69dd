// SPDX-License-Identifier: MIT
// The tables of the volume probe: readers, catalogs, threads. A new file system is a row here and a
// row in policy_test.cpp. The rows for macOS follow published measurements (Tempelmann 2019, dumac,
// cmdr), those for Linux our own.
//
// Three decisions in turn, each with a reason that --explain prints:
//
//     method    walk or catalog: --method if given; else the catalog, if the volume has one
//               (catalog_is_missing), its row trusts it (trusts_catalog), the results are right
//               (catalog_is_wrong) and a walk would be slower (walk_is_quicker)
//     reader    of the walk, also of the one that takes over if the catalog fails: --reader if
//               given; else the first reader row that fits; else readdir
//     threads   at the start, and at most while the volume keeps them waiting
//
// A reason is written so that it can follow its choice: "walk, because links are followed, but
// ...", "2, one per processor". Reason::Kind names the words in between.
#include "plan/policy.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "ffind/issue.h"
#include "text/ascii.h"
#include "text/format.h"

namespace ffind::plan {
namespace {

/// `words` are separated by blanks; "*" is every file system whose name is known.
bool is_among(const std::string& file_system, std::string_view words) {
  if (file_system.empty()) return false;
  bool found = words == "*";
  while (!found && !words.empty()) found = text::take_part(words, ' ') == file_system;
  return found;
}

bool has(const Machine& machine, Reader reader) {
  return std::find(machine.readers.begin(), machine.readers.end(), reader) != machine.readers.end();
}

/// For messages. The root of a chroot is in no mount table.
std::string_view name_of(const Volume& volume) {
  return volume.mount_point.empty() ? std::string_view("the root") : volume.mount_point;
}

std::string_view type_of(const Volume& volume) {
  return volume.file_system.empty() ? std::string_view("unknown") : volume.file_system;
}

// Readers

/// ext4 hands out names in the order of a hash and ends a directory at the largest one
/// (EXT4_HTREE_EOF_64BIT in its dir.c); directories that it lists in order of place never show it.
constexpr std::int64_t ext_end_mark = std::numeric_limits<std::int64_t>::max();

/// Condition of a reader row on the query's needs: both kinds, the name and type only, or more.
enum class Wanted : std::uint8_t { anything, names, metadata };

struct ReaderRow {
  /// Names as in Volume::file_system, separated by blanks; "*" for every known one.
  std::string_view file_systems;
  Wanted wanted;
  Reader reader;
  /// Printed by --explain.
  std::string_view reason;
  /// For Choice::end_mark; used with getdents only.
  std::int64_t end_mark = 0;
};

/// File systems that have a bulk call of their own on some servers only, and say so.
constexpr std::string_view bulk_by_claim = "smbfs";

/// The first row that fits file system and needs, and whose reader the machine has, is taken. Rows
/// of bulk do not fit a volume of `bulk_by_claim` that does not claim the call. getdents exists
/// only on Linux and bulk only on macOS, so the row "*" does not hide those below it. A file system
/// in no row gets readdir.
constexpr std::array<ReaderRow, 9> reader_rows = {{
    {"ext2 ext3 ext4", Wanted::anything, Reader::getdents,
     "directories straight from the kernel in blocks of 64 KiB; the last entry is marked as such, "
     "which saves a call per directory",
     ext_end_mark},
    {"*", Wanted::anything, Reader::getdents,
     "directories straight from the kernel in blocks of 64 KiB"},
    {"hfs", Wanted::anything, Reader::bulk,
     "names and metadata of many entries in one call; fts makes the same call with a smaller "
     "buffer, and also stats each directory"},
    {"apfs", Wanted::metadata, Reader::bulk,
     "names and metadata of many entries in one call; other readers need one per entry"},
    {"apfs", Wanted::names, Reader::readdir,
     "only names are needed, and readdir lists them faster than bulk"},
    {"afpfs smbfs", Wanted::anything, Reader::bulk,
     "the server sends names and metadata of many entries at once in any case"},
    // Without a bulk call of the file system's own, the kernel looks up each name and leaves out
    // those that fail: no faster than stat, and it loses entries.
    {"msdos exfat ntfs ufsd_NTFS lifs", Wanted::anything, Reader::readdir,
     "FAT and NTFS have no bulk call: the kernel's emulation is no faster and skips what it cannot "
     "look up"},
    {"smbfs", Wanted::anything, Reader::readdir,
     "this server has no bulk call, as its volume says: the kernel's emulation is no faster and "
     "skips what it cannot look up"},
    {"nfs webdav ftp", Wanted::anything, Reader::readdir,
     "this kind of server has no bulk call: the kernel's emulation is no faster and skips what it "
     "cannot look up"},
}};

/// True if more than the type is needed, which listings contain.
bool wants_metadata(Needs needs) {
  return (needs & (needs::metadata | needs::bundle | needs::finder | needs::attributes) &
          ~needs::type) != 0;
}

/// Null if the file system is unknown, or no row's reader is in this build.
const ReaderRow* reader_row(const Volume& volume, Needs needs, const Machine& machine) {
  const Wanted wanted = wants_metadata(needs) ? Wanted::metadata : Wanted::names;
  const bool no_bulk = is_among(volume.file_system, bulk_by_claim) && !volume.bulk_claimed;
  const auto found = std::find_if(reader_rows.begin(), reader_rows.end(), [&](const auto& row) {
    return is_among(volume.file_system, row.file_systems) && has(machine, row.reader) &&
           (row.wanted == Wanted::anything || row.wanted == wanted) &&
           (row.reader != Reader::bulk || !no_bulk);
  });
  return found != reader_rows.end() ? found : nullptr;
}

/// Throws UsageError with the reason why --reader has no such reader here, and those that it has.
[[noreturn]] void fail_for_want_of(Reader reader, const Machine& machine) {
  std::string others;
  for (const Reader other : machine.readers) {
    if (!others.empty()) others += ", ";
    others += to_text(other);
  }
  std::string_view what = "this system has no such reader";
  if (reader == Reader::bulk) what = "it is getattrlistbulk, a system call that only macOS has";
  if (reader == Reader::fts) what = "it is fts, which the C library of this build lacks";
  if (reader == Reader::getdents) what = "it is getdents64, a system call that only Linux has";
  throw UsageError(
      text::format("--reader {}: {}; available here: auto, {}", to_text(reader), what, others));
}

/// Runs after choose_method, whose choice the reason refers to.
void choose_reader(const Volume& volume, const Scope& scope, Needs needs, const Machine& machine,
                   Choice& choice) {
  const ReaderRow* const row = reader_row(volume, needs, machine);
  std::string reason;
  if (scope.reader != Reader::automatic) {
    if (!has(machine, scope.reader)) fail_for_want_of(scope.reader, machine);
    choice.reader = scope.reader;
    reason = "requested";
  } else if (row != nullptr) {
    choice.reader = row->reader;
    reason = row->reason;
  } else {
    choice.reader = Reader::readdir;
    reason = volume.file_system.empty()
                 ? "unknown volume: the portable way"
                 : text::format("nothing faster is known for {} here: the portable way",
                                volume.file_system);
  }
  // Only this reader sees the records that contain the mark.
  if (row != nullptr && choice.reader == Reader::getdents) choice.end_mark = row->end_mark;
  std::string_view use;
  if (choice.method == Method::catalog) {
    use = choice.catalog_shape == CatalogShape::flat ? "for a walk, should the catalog fail: "
                                                     : "for what the catalog does not contain: ";
  }
  choice.reader_reason = text::format("{}{}", use, reason);
}

// Catalogs

/// Condition for searching a catalog that was not requested: that the volume claims to have one,
/// that os::probe has proved it (ext: this process may read the device and every directory; AFP: a
/// trial search found an entry), or none.
enum class Trust : std::uint8_t { claim, proof, never };

struct CatalogRow {
  /// As in ReaderRow; "*" includes an unknown file system.
  std::string_view file_systems;
  Trust trust;
  std::string_view chosen;      ///< reason if it is searched
  std::string_view not_chosen;  ///< reason if not, though the volume claims that it can be
  CatalogShape shape = CatalogShape::flat;
  std::string_view note = {};  ///< of the reason if it is searched
};

/// The first row that fits is taken. The last fits every file system, an unknown one included.
constexpr std::array<CatalogRow, 5> catalog_rows = {{
    {"ext4", Trust::proof,
     "directories and inodes can be read straight from the device, without a call for each",
     "only --method catalog reads its catalog", CatalogShape::directories,
     "directories that are encrypted, damaged or in an unknown format are walked, and --stats "
     "counts them"},
    {"hfs", Trust::claim,
     "one search of the volume's catalog finds everything, while a walk opens each directory", "",
     CatalogShape::flat,
     "it silently skips what an access control list or a privacy rule protects"},
    {"afpfs", Trust::proof,
     "a trial showed that the server searches its catalog itself, which saves a request per "
     "directory",
     "servers may claim a searchable catalog that does not work, and this one has not been tried"},
    {"apfs", Trust::never, "",
     "searching the catalog of APFS is slower than a walk and unreliable on types, sizes and hard "
     "links: only --method catalog does it"},
    {"*", Trust::never, "", "its catalog has not been measured: only --method catalog searches it"},
}};

Reason requested() {
  return {.text = "requested", .kind = Reason::Kind::requested};
}

/// Reason why the catalog can never be searched; its text is empty if it can.
Reason catalog_is_missing(const Volume& volume) {
  switch (volume.catalog) {
    case CatalogSupport::none:
      if (!volume.catalog_note.empty()) return {.text = volume.catalog_note};
      if (is_among(volume.file_system, "hfs apfs afpfs")) {
        return {.text = "it does not claim a searchable catalog"};
      }
      return {
          .text = text::format("no catalog reader for {}",
                               volume.file_system.empty() ? "unknown volumes" : volume.file_system),
          .kind = Reason::Kind::absence};
    case CatalogSupport::disproved:
      return {.text = "it claims a searchable catalog, but a trial failed"};
    case CatalogSupport::claimed:
    case CatalogSupport::proven:
      break;
  }
  return {};
}

/// Also for volumes without a catalog, whose row is never used.
const CatalogRow& catalog_row(const Volume& volume) {
  return *std::find_if(catalog_rows.begin(), catalog_rows.end(), [&](const auto& known) {
    return known.file_systems == "*" || is_among(volume.file_system, known.file_systems);
  });
}

/// True if a volume's catalog is searched unrequested.
bool trusts_catalog(const CatalogRow& row, const Volume& volume) {
  return row.trust == Trust::claim ||
         (row.trust == Trust::proof && volume.catalog == CatalogSupport::proven);
}

/// Reason why a catalog would always give wrong results or none; empty if it would not.
std::string_view catalog_is_wrong(const Scope& scope, const Demand& demand, const Choice& choice) {
  if (!choice.enter) return "the contents of this volume are mounted on access: nothing is entered";
  if (scope.mounts != Scope::Mounts::by_kind) {
    return "other volumes are entered on the way, but a catalog has only its own";
  }
  if (scope.follow) return "links are followed, but a catalog does not contain their targets";
  if (scope.has_ignore_rules()) {
    return "ignore files are read in directories that a walk opens";
  }
  const bool flat = choice.catalog_shape == CatalogShape::flat;
  if (flat && (demand.needs & needs::inside) != 0) {
    return "sums of directories are made as a walk leaves them";
  }
  if (demand.unusual_names) {
    return "a catalog reports what firmlinks show under the firmlinks' names, such as /Users, but "
           "other names are needed here";
  }
  return {};
}

/// Attributes that a flat catalog may have stale values of, or lacks: they cost one call an entry.
/// A search that is narrow by name pays that only for the few entries whose names match.
constexpr Needs not_in_catalogs = needs::size | needs::modified | needs::changed | needs::accessed |
                                  needs::added | needs::identity | needs::private_size;

/// Reason why a walk is faster than a catalog for this search; empty if it is not.
std::string_view walk_is_quicker(const CatalogRow& row, const Scope& scope, const Demand& demand) {
  if (row.shape == CatalogShape::directories) return {};  // read no further than a walk goes
  if (!demand.whole_volume) {
    return "only part of the volume is searched, but a catalog is read as a whole";
  }
  if (scope.max_depth != unlimited_depth) {
    return "a walk reads only as deep as allowed, but a catalog is read as a whole";
  }
  if ((demand.needs & needs::empty) != 0) {
    return "a test for empty directories needs a walk, which reads them anyway";
  }
  if ((demand.needs & not_in_catalogs) != 0 && !demand.few_names) {
    return "sizes and times in a catalog may be out of date, and without a narrower search each "
           "entry would be read again";
  }
  if (scope.unique) {
    return "only a walk keeps track of visited directories, for --unique";
  }
  return {};
}

/// --method catalog: throws CatalogUnavailable if it is impossible or would give wrong results.
/// Slowness is no obstacle, nor is a row that does not trust the volume.
void force_catalog(const Volume& volume, const Scope& scope, const Demand& demand, Choice& choice) {
  std::string why_not = catalog_is_missing(volume).text;
  if (why_not.empty()) why_not = catalog_is_wrong(scope, demand, choice);
  if (!why_not.empty()) {
    throw CatalogUnavailable(
        text::format("--method catalog: not for {} ({}): {}; use --method walk or omit it",
                     name_of(volume), type_of(volume), why_not),
        why_not);
  }
  choice.method = Method::catalog;
  choice.method_reason = requested();
  if (is_among(volume.file_system, "apfs")) {
    choice.method_reason.note =
        "APFS is unreliable on types, sizes and hard links, so each match is read again, and only "
        "one of a file's hard links is found";
  }
  if (choice.catalog_shape == CatalogShape::directories &&
      volume.catalog == CatalogSupport::claimed) {
    choice.method_reason.note = "lists directories that are closed to this process too";
  }
}

void choose_method(const Volume& volume, const Scope& scope, const Demand& demand, Choice& choice) {
  const CatalogRow& row = catalog_row(volume);
  choice.method = Method::walk;
  choice.catalog_shape = row.shape;
  if (scope.method == Method::catalog) {
    force_catalog(volume, scope, demand, choice);
    return;
  }
  if (scope.method == Method::walk || !scope.lists.empty()) {
    choice.method_reason = requested();
    return;
  }
  choice.method_reason = catalog_is_missing(volume);
  if (!choice.method_reason.text.empty()) return;
  if (!trusts_catalog(row, volume)) {
    choice.method_reason.text =
        volume.catalog_note.empty() ? std::string(row.not_chosen) : volume.catalog_note;
    return;
  }
  std::string_view why_not = catalog_is_wrong(scope, demand, choice);
  // A catalog that is wrong as well as slow is reported as wrong.
  if (why_not.empty()) why_not = walk_is_quicker(row, scope, demand);
  // Readers belong to walks, so a named reader means a walk.
  if (why_not.empty() && scope.reader != Reader::automatic) why_not = "a reader was requested";
  if (why_not.empty()) {
    choice.method = Method::catalog;
    choice.method_reason = {.text = std::string(row.chosen), .note = std::string(row.note)};
  } else {
    choice.method_reason.text = why_not;
  }
}

// Threads

// A thread costs its buffer of 64 KiB, a stack and its share of pending directories: the 16 MiB
// that are promised hold for 16 of them.
constexpr unsigned most_for_cores = 16;
// With 1 ms an open, 2 threads took 20 s for a tree, 8 threads 4.7 s and 64 threads 0.65 s: what
// counts is the number of requests in flight, not of processors. A disk of 0.5 to 5 ms a read
// that was cold took as long with 128.
constexpr unsigned many = 64;
// 160 threads listed 83,730 entries of a server that answers after 5 ms in 0.71 s, 128 in 0.88 s,
// 64 in 1.75 s; of one that answers at once in 0.141 s, the 64 that begin in 0.148 s. 192 threads
// that read large directories took 36 MiB, 160 took 31, and 32 are promised.
constexpr unsigned most_for_servers = 160;
// One thread lists the 17,000 entries of a sysfs in 24 ms, two in 11 ms: more threads gain
// nothing, and each look-up takes locks that the rest of the machine needs.
constexpr unsigned few = 2;

// APFS takes locks of the whole volume: more threads wait for each other, and such waits look like
// waits for a device. dua, pdu and fastwalk measured 3 to 4 threads as the best on M1 and M2, and
// no gain beyond the performance cores on an M4. Growth stays off until it is measured on a Mac.
constexpr unsigned most_for_apfs = 8;

/// Numbers by kind of volume; --threads fixes them.
///
///                 at the start                     while the volume keeps them waiting
///     local       one per processor, at most 16    64
///     - APFS      one per fast core, at most 8     (if bulk exists: on macOS)
///     network     64                               160
///     - catalog   one per processor, at most 16
///     kernel      2, or 1 on a single processor
///     automount   1
void choose_threads(const Volume& volume, const Scope& scope, const Machine& machine,
                    Choice& choice) {
  const unsigned processors = std::max(machine.processors, 1U);
  const bool flat = choice.method == Method::catalog;
  choice.threads = choice.busy_threads = std::min(processors, most_for_cores);
  const std::string_view per_processor =
      processors > most_for_cores ? "one per processor, at most 16" : "one per processor";
  choice.threads_reason.text = per_processor;
  if (volume.kind == VolumeKind::network && flat) {
    choice.threads_reason.text = "one per processor, since the server searches itself";
  } else if (volume.kind == VolumeKind::network) {
    choice.threads = many;
    choice.most_threads = most_for_servers;
    choice.threads_reason.text = text::format(
        "since each request may wait for a server (up to {} if it is slow)", most_for_servers);
  } else if (volume.kind == VolumeKind::kernel) {
    choice.threads = std::min(processors, few);
    choice.threads_reason.text =
        "since more would wait for locks of the kernel, which makes up the entries";
  } else if (volume.kind == VolumeKind::automount) {
    choice.threads = 1;
    choice.threads_reason.text =
        "since the directory is listed only: its contents are mounted on access";
  }
  // Linux's machines have no getattrlistbulk, and their drivers of APFS have locks of their own.
  const bool apfs = volume.kind == VolumeKind::local && is_among(volume.file_system, "apfs") &&
                    has(machine, Reader::bulk);
  if (apfs) {
    const unsigned fast = machine.fast_processors != 0 ? machine.fast_processors : processors;
    choice.threads = choice.busy_threads = std::min(fast, most_for_apfs);
    choice.threads_reason.text =
        "one per performance core, at most 8 (more wait for locks of APFS)";
  } else if (volume.kind == VolumeKind::local) {
    choice.most_threads = many;
    choice.threads_reason.text = text::format("{} (up to {} on a slow disk)", per_processor, many);
  }
  if (scope.threads != 0) {
    choice.threads = choice.most_threads = scope.threads;
    choice.threads_reason = requested();
  }
}

}  // namespace

bool capabilities_matter(const Volume& volume, const Scope& scope) {
  if (scope.reader == Reader::automatic && is_among(volume.file_system, bulk_by_claim)) return true;
  if (scope.method != Method::automatic) return scope.method == Method::catalog;
  return !scope.follow && scope.reader == Reader::automatic;
}

Choice choose(const Volume& volume, const Scope& scope, const Demand& demand,
              const Machine& machine) {
  Choice choice;
  choice.enter = volume.kind != VolumeKind::automount || scope.mounts != Scope::Mounts::by_kind;
  choose_method(volume, scope, demand, choice);
  choose_reader(volume, scope, demand.needs, machine, choice);
  choose_threads(volume, scope, machine, choice);
  return choice;
}

}  // namespace ffind::plan
