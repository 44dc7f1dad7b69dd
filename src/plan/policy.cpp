// SPDX-License-Identifier: MIT
// The table of the volume probe. A new file system is a row here and a row in policy_test.cpp.
#include "plan/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "ffind/issue.h"

namespace ffind {
namespace {

enum class Crowd : std::uint8_t { one, few, cores, many };

// A thread costs its buffer of 64 KiB, a stack and its share of pending directories: the 16 MiB
// that are promised hold for 16 of them.
constexpr unsigned most_for_cores = 16;
// With 1 ms an open, 2 threads took 20 s for a tree, 8 threads 4.7 s and 64 threads 0.65 s: what
// counts is how many questions are on their way, not who computes.
constexpr unsigned many = 64;
// One thread lists the 17,000 entries of a sysfs in 24 ms, two in 11 ms: there is nothing to gain
// beyond, and each look-up holds locks that the rest of the machine wants.
constexpr unsigned few = 2;

/// ext4 hands out names in the order of a hash and ends a directory at the largest one
/// (EXT4_HTREE_EOF_64BIT in its dir.c); directories it lists in order of place never show it.
constexpr std::int64_t ext_end_mark = std::numeric_limits<std::int64_t>::max();

struct Row {
  VolumeKind kind;
  std::string_view file_systems;  ///< parted by blanks; empty: all
  Reader reader;
  std::string_view reader_reason;
  Crowd crowd;
  std::string_view threads_reason;
  bool enter = true;
  std::int64_t end_mark = 0;
};

/// The first row that fits is taken; a volume that fits none is unknown.
constexpr std::array<Row, 5> rows = {{
    {VolumeKind::local, "ext2 ext3 ext4", Reader::getdents,
     "directories straight from the kernel in blocks of 64 KiB; the last entry of one tells that "
     "it is the last, which saves a call each",
     Crowd::cores, "a local volume keeps the processors busy, up to 16 of them", true,
     ext_end_mark},
    {VolumeKind::local, "", Reader::getdents,
     "directories straight from the kernel in blocks of 64 KiB", Crowd::cores,
     "a local volume keeps the processors busy, up to 16 of them"},
    {VolumeKind::network, "", Reader::getdents,
     "directories straight from the kernel in blocks of 64 KiB", Crowd::many,
     "every answer may have to come from another machine or process: many are awaited at once"},
    {VolumeKind::kernel, "", Reader::getdents,
     "directories straight from the kernel in blocks of 64 KiB", Crowd::few,
     "the kernel makes up what is listed, and more threads would wait for its locks"},
    {VolumeKind::automount, "", Reader::getdents,
     "directories straight from the kernel in blocks of 64 KiB", Crowd::one,
     "only the directory itself is listed: what is in it mounts itself when touched", false},
}};

constexpr Row unknown_row = {VolumeKind::local, "",
                             Reader::readdir,   "nothing is known of this volume: the portable way",
                             Crowd::cores,      "taken for a local volume"};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t blank = words.find(' ');
    if (words.substr(0, blank) == word) return true;
    if (blank == std::string_view::npos) break;
    words.remove_prefix(blank + 1);
  }
  return false;
}

const Row& row_for(const Volume& volume) {
  if (volume.file_system.empty()) return unknown_row;
  const auto fits = [&](const Row& row) {
    return row.kind == volume.kind &&
           (row.file_systems.empty() || has_word(row.file_systems, volume.file_system));
  };
  const auto found = std::find_if(rows.begin(), rows.end(), fits);
  return found != rows.end() ? *found : unknown_row;
}

bool has(const Machine& machine, Reader reader) {
  return std::find(machine.readers.begin(), machine.readers.end(), reader) != machine.readers.end();
}

[[noreturn]] void fail_for_want_of(Reader reader, const Machine& machine) {
  std::string others;
  for (const Reader other : machine.readers) {
    if (!others.empty()) others += ", ";
    others += to_text(other);
  }
  std::string_view what = "this system has no such reader";
  if (reader == Reader::bulk) what = "it is getattrlistbulk, a system call that only macOS has";
  if (reader == Reader::getdents) what = "it is getdents64, a system call that only Linux has";
  throw UsageError(
      fmt::format("--reader {}: {}; here there are auto, {}", to_text(reader), what, others));
}

[[noreturn]] void fail_for_want_of_catalog(const Volume& volume) {
  const std::string_view name =
      volume.file_system.empty() ? std::string_view("unknown") : volume.file_system;
  throw UsageError(
      fmt::format("--method catalog: {} is a volume of type {}, and this version cannot read a "
                  "volume of that type from its catalog; use --method walk or leave it out",
                  volume.mount_point.empty() ? "the root" : volume.mount_point, name));
}

void choose_method(const Volume& volume, const Scope& scope, Choice& choice) {
  switch (scope.method) {
    case Method::catalog:
      fail_for_want_of_catalog(volume);
    case Method::walk:
      choice.method_reason = "asked for";
      break;
    case Method::automatic:
      choice.method_reason =
          volume.file_system.empty()
              ? "works on every volume"
              : fmt::format("this version reads no catalog of {}", volume.file_system);
      break;
  }
  choice.method = Method::walk;
}

void choose_reader(const Row& row, const Scope& scope, const Machine& machine, Choice& choice) {
  choice.reader = row.reader;
  choice.reader_reason = row.reader_reason;
  if (scope.reader != Reader::automatic) {
    if (!has(machine, scope.reader)) fail_for_want_of(scope.reader, machine);
    choice.reader = scope.reader;
    choice.reader_reason = "asked for";
  } else if (!has(machine, row.reader)) {
    choice.reader = Reader::readdir;
    choice.reader_reason =
        fmt::format("this system has no {}: the portable way", to_text(row.reader));
  }
  // The mark lies in what the kernel writes, which only this reader sees.
  choice.end_mark = choice.reader == Reader::getdents ? row.end_mark : 0;
}

void choose_threads(const Row& row, const Scope& scope, const Machine& machine, Choice& choice) {
  choice.threads_reason = row.threads_reason;
  const unsigned processors = std::max(machine.processors, 1U);
  switch (row.crowd) {
    case Crowd::one:
      choice.threads = 1;
      break;
    case Crowd::few:
      choice.threads = std::min(processors, few);
      break;
    case Crowd::cores:
      choice.threads = std::min(processors, most_for_cores);
      break;
    case Crowd::many:
      choice.threads = many;
      break;
  }
  if (scope.threads != 0) {
    choice.threads = scope.threads;
    choice.threads_reason = "asked for";
  }
}

}  // namespace

Choice choose(const Volume& volume, const Scope& scope, const Machine& machine) {
  const Row& row = row_for(volume);
  Choice choice;
  choice.enter = row.enter;
  choose_method(volume, scope, choice);
  choose_reader(row, scope, machine, choice);
  choose_threads(row, scope, machine, choice);
  return choice;
}

}  // namespace ffind
