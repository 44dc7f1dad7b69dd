// SPDX-License-Identifier: MIT
// An entry: what a reader found in a directory, as it is offered to the matcher and the lanes.
// The searcher makes entries, tests and lanes read them. Knows no operating system and no query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/finder_metadata.h"

namespace ffind {

enum class FileType : std::uint8_t {
  unknown,
  file,
  directory,
  symlink,
  fifo,
  socket,
  block,
  character,
};

/// The word for it in expressions and in NDJSON.
std::string_view to_text(FileType type);

/// Nanoseconds since 1970-01-01T00:00:00 UTC; times outside int64 are clamped to its ends.
using Nanoseconds = std::int64_t;

/// A set of things somebody wants to know of an entry beyond its name. A test and a lane publish
/// theirs, the searcher asks the file system for no more than that.
using Needs = std::uint32_t;

namespace needs {
inline constexpr Needs none = 0;

// What one stat answers; the rest of it is further down.

/// The type of the entry. Nearly always known from the directory; costs a stat where it is not.
inline constexpr Needs type = 1U << 0;
inline constexpr Needs mode = 1U << 1;
inline constexpr Needs owner = 1U << 2;  ///< uid and gid
inline constexpr Needs links = 1U << 3;
inline constexpr Needs identity = 1U << 4;  ///< inode and device
inline constexpr Needs size = 1U << 5;      ///< size and allocated
inline constexpr Needs modified = 1U << 6;
inline constexpr Needs changed = 1U << 7;
inline constexpr Needs accessed = 1U << 8;
inline constexpr Needs created = 1U << 9;

// What takes calls of its own.

/// Whether a file has no bytes or a directory no entries: reads the directory.
inline constexpr Needs empty = 1U << 10;
/// Where a symbolic link leads, as text: one readlink.
inline constexpr Needs target = 1U << 11;
/// The mode of what a symbolic link leads to: one stat that follows.
inline constexpr Needs target_mode = 1U << 12;
/// Whether a file carries Linux capabilities: one getxattr.
inline constexpr Needs capabilities = 1U << 13;
/// Whether the system marks a directory as a bundle: free or one call.
inline constexpr Needs bundle = 1U << 14;

/// Immutable files (FileFlags): returned by a stat that requests them.
inline constexpr Needs flags = 1U << 15;

// Text that the searcher joins from what it has, and what is always there: no call.

inline constexpr Needs directory = 1U << 16;
inline constexpr Needs relative_path = 1U << 17;
inline constexpr Needs absolute_path = 1U << 18;
/// The depth: always known. Published because it depends on the root.
inline constexpr Needs depth = 1U << 19;

/// When the entry came into its directory: only macOS keeps it, and returns it with a stat.
inline constexpr Needs added = 1U << 20;

// What lies outside the directory and the inode.

/// Finder metadata: tags, comment, origins, flags. Extended attributes and AppleDouble files are
/// read. Where only some could be, it is present and failed: there may be more.
inline constexpr Needs finder = 1U << 21;
/// Any extended attribute, by EntryLoader::attribute. Published, never present; failed where the
/// one asked for last could not be read.
inline constexpr Needs attributes = 1U << 22;
/// The bytes of a regular file, by EntryLoader::read_contents. Published, never present; failed
/// where they could not be read.
inline constexpr Needs contents = 1U << 23;
/// Where it was found: the root, the volume and its file system, as text. Costs no call.
inline constexpr Needs origin = 1U << 24;
/// Whether a number has an account. Published, never present; failed where nobody could say for the
/// number asked for last.
inline constexpr Needs accounts = 1U << 25;

/// The type of what a symbolic link leads to, `unknown` where it leads nowhere: one stat that
/// follows.
inline constexpr Needs target_type = 1U << 26;
/// What the process may do with the entry, by access(2): one call each.
inline constexpr Needs readable = 1U << 27;
inline constexpr Needs writable = 1U << 28;
inline constexpr Needs runnable = 1U << 29;
/// Whether a directory holds an entry of some name, by EntryLoader::holds_name: one call.
/// Published, never present; failed if the name requested last could not be looked up.
inline constexpr Needs children = 1U << 30;

/// All that one stat answers.
inline constexpr Needs metadata = type | mode | owner | links | identity | size | modified |
                                  changed | accessed | created | flags | added;
}  // namespace needs

/// What keeps a file from being changed, whatever its mode says.
using FileFlags = std::uint8_t;
namespace file_flags {
/// Linux: chattr +i. macOS: the Finder's "locked" (UF_IMMUTABLE) or SF_IMMUTABLE.
inline constexpr FileFlags immutable = 1U << 0;
/// Linux: chattr +a. macOS: UF_APPEND or SF_APPEND.
inline constexpr FileFlags append_only = 1U << 1;
}  // namespace file_flags

/// What a stat returns. The Needs beside it say which members hold a value.
struct Metadata {
  std::uint64_t size;       ///< bytes
  std::uint64_t allocated;  ///< bytes on the volume
  std::uint64_t inode;
  std::uint64_t device;
  Nanoseconds modified;
  Nanoseconds changed;
  Nanoseconds accessed;
  Nanoseconds created;
  Nanoseconds added;
  std::uint32_t mode;  ///< as st_mode, type bits included
  std::uint32_t uid;
  std::uint32_t gid;
  std::uint32_t links;
  FileFlags flags;
};

struct Entry;
struct Root;

/// Takes a file's bytes as they are read. Belongs to one thread.
class ContentReader {
 public:
  virtual ~ContentReader() = default;
  /// The next bytes, never none; false when no more are wanted. `last`: surely no more will come,
  /// which not every source provides.
  virtual bool take(std::string_view bytes, bool last) = 0;
};

/// The value of an extended attribute.
struct AttributeValue {
  std::string bytes{};
  std::vector<std::string> texts{};  ///< the strings in it, where it is a property list of macOS
};

/// Fetches what an entry does not hold yet. Implemented by the searcher, and by fakes in tests.
class EntryLoader {
 public:
  virtual ~EntryLoader() = default;
  /// Sets in `entry.present` what could be had of `wanted`, in `entry.failed` what could not.
  virtual void load(Entry& entry, Needs wanted) = 0;

  /// Hands the bytes of the regular file that `entry` is to `reader`, piece by piece, until it has
  /// had enough or there is no more. False when they cannot be read, which has been reported.
  virtual bool read_contents(Entry&, ContentReader&) { return false; }

  /// The value of the extended attribute `name`, wherever this volume keeps it: in the file, in a
  /// stream of Samba's, in an AppleDouble file beside it. False when there is none. Without `value`
  /// it is not read; empty when it is too large to be looked into.
  virtual bool attribute(Entry&, std::string_view, AttributeValue*) { return false; }

  /// Whether the directory that `entry` is holds an entry of just these bytes. Nothing where that
  /// could not be found out, which has been reported.
  virtual std::optional<bool> holds_name(Entry&, std::string_view) { return {}; }

  /// Call if it is unknown whether the numbers of `entry` have accounts. Reported once a
  /// search: what fails is a service, not a file.
  virtual void accounts_failed(Entry&) {}
};

/// A view, valid during the call it is handed to; belongs to one thread.
struct Entry {
  std::string_view name;  ///< raw bytes, never empty, no '/'
  FileType type = FileType::unknown;
  bool empty = false;
  bool capabilities = false;
  bool bundle = false;
  bool readable = false;
  bool writable = false;
  bool runnable = false;
  bool via_link = false;  ///< a symbolic link that is followed, with the type of its target
  bool loop = false;      ///< a directory reached through a link that is its own ancestor
  FileType target_type = FileType::unknown;
  std::uint32_t depth = 0;  ///< 1 for what lies directly in a root, 0 for a root that is a file
  Needs present = needs::none;
  Needs failed = needs::none;
  std::uint32_t target_mode = 0;

  /// Path of the directory that holds the entry, as it is printed, with a slash at its end
  /// unless empty; `directory` followed by `name` is the path of the entry.
  std::string_view directory;
  std::string_view relative_path;  ///< path below the root
  std::string_view absolute_path;
  std::string_view target;
  std::string_view root;             ///< below which it was found, as typed; "." where nothing was
  std::string_view volume;           ///< mount point of its volume; empty where nobody knows it
  std::string_view file_system;      ///< type of its volume, as the system calls it; likewise
  const Root* found_from = nullptr;  ///< with needs::origin: the plan's root, as long as the search
  const FinderMetadata* finder = nullptr;  ///< with needs::finder
  Metadata metadata{};
  EntryLoader* loader = nullptr;

  /// True when all of `wanted` is known. May block in the kernel for what is not.
  bool require(Needs wanted) {
    const Needs missing = wanted & ~(present | failed);
    if (missing != 0 && loader != nullptr) loader->load(*this, missing);
    return (present & wanted) == wanted;
  }
};

}  // namespace ffind
