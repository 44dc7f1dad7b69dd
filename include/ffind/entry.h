// SPDX-License-Identifier: MIT
// Entry: one name of a directory with its attributes, as passed from the searcher to the matcher
// and to the output.
//
// Attributes are loaded on demand. Each is a bit of Needs; a test or an output format publishes the
// set that it may use, so that a reader can fetch it together with the names where that is cheaper.
// Whatever is still missing is loaded by Entry::require through the EntryLoader:
//
//     present   loaded; the members that belong to the bit are valid
//     failed    could not be loaded, and is not tried again
//     neither   not requested so far
//
// Some needs are requests with a parameter (attributes, contents, accounts, children). They have
// functions of their own, are never `present`, and are `failed` if the last request failed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind {

// --- Finder metadata: decoded by the searcher from extended attributes or AppleDouble files

struct FinderTag {
  std::string name;     ///< UTF-8, as the user reads it
  std::uint8_t colour;  ///< 0 none, 1 grey, 2 green, 3 purple, 4 blue, 5 yellow, 6 red, 7 orange
};

/// Flags of the Finder's own record (FinderInfo, bytes 8 and 9), and the colour of the label that
/// came before tags.
struct FinderFlags {
  std::uint8_t colour = 0;  ///< as FinderTag's
  bool hides_extension = false;
  bool has_custom_icon = false;
  bool stationery = false;
  bool locked = false;
  bool bundle = false;
  bool invisible = false;
  bool alias = false;

  bool operator==(const FinderFlags&) const = default;
};

struct FinderMetadata {
  std::vector<FinderTag> tags;
  std::string comment;
  std::vector<std::string> where_froms;  ///< URLs of the download
  FinderFlags flags;
};

// --- Attributes

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

/// Returns the type's word in expressions and in NDJSON.
std::string_view to_text(FileType type);

/// Nanoseconds since 1970-01-01T00:00:00 UTC; times outside int64 are clamped to its ends.
using Nanoseconds = std::int64_t;

/// Bit set of entry attributes that a test or an output lane requires.
using Needs = std::uint32_t;

namespace needs {
inline constexpr Needs none = 0;

// Results of one stat; `flags` and `added` below are the rest of it.

/// The type of the entry. Nearly always known from the directory; else it takes a stat.
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

// Results of separate calls.

/// A file of no bytes or a directory of no entries; the directory is read.
inline constexpr Needs empty = 1U << 10;
/// Text of a symbolic link: one readlink.
inline constexpr Needs target = 1U << 11;
/// Mode of the target of a symbolic link: one stat that follows it.
inline constexpr Needs target_mode = 1U << 12;
/// Presence of Linux capabilities: one getxattr.
inline constexpr Needs capabilities = 1U << 13;
/// The system's mark that a directory is a bundle: free or one call.
inline constexpr Needs bundle = 1U << 14;

/// FileFlags: returned by a stat that requests them.
inline constexpr Needs flags = 1U << 15;

// Known without a call. Paths are put together by the searcher.

inline constexpr Needs directory = 1U << 16;
inline constexpr Needs relative_path = 1U << 17;
inline constexpr Needs absolute_path = 1U << 18;
/// Always known. Published because it depends on the root.
inline constexpr Needs depth = 1U << 19;

/// Time when the entry was added to its directory: macOS only, returned with a stat.
inline constexpr Needs added = 1U << 20;

// Data outside of the directory and the inode.

/// Finder metadata: tags, comment, origins, flags; read from extended attributes and AppleDouble
/// files. Both present and failed if only some of it could be read.
inline constexpr Needs finder = 1U << 21;
/// Any extended attribute, by EntryLoader::attribute. Failed if the last one could not be read.
inline constexpr Needs attributes = 1U << 22;
/// The bytes of a regular file, by EntryLoader::read_contents. Failed if they could not be read.
inline constexpr Needs contents = 1U << 23;
/// Root, volume and file system of the entry, as text. Costs no call.
inline constexpr Needs origin = 1U << 24;
/// Existence of an account for a uid or gid. Failed if the last look-up failed.
inline constexpr Needs accounts = 1U << 25;

/// Type of the target of a symbolic link, `unknown` if the link is broken: one stat that follows.
inline constexpr Needs target_type = 1U << 26;
/// Access rights of this process, by access(2): one call each.
inline constexpr Needs readable = 1U << 27;
inline constexpr Needs writable = 1U << 28;
inline constexpr Needs runnable = 1U << 29;
/// Presence of a name in a directory, by EntryLoader::holds_name: one call. Failed if the last name
/// could not be looked up.
inline constexpr Needs children = 1U << 30;

/// Everything that one stat returns.
inline constexpr Needs metadata = type | mode | owner | links | identity | size | modified |
                                  changed | accessed | created | flags | added;
}  // namespace needs

/// Flags of a file that are independent of its mode.
using FileFlags = std::uint8_t;
namespace file_flags {
/// Linux: chattr +i. macOS: the Finder's "locked" (UF_IMMUTABLE) or SF_IMMUTABLE.
inline constexpr FileFlags immutable = 1U << 0;
/// Linux: chattr +a. macOS: UF_APPEND or SF_APPEND.
inline constexpr FileFlags append_only = 1U << 1;
/// macOS: the contents are only in a cloud (SF_DATALESS): reading them would download them first.
inline constexpr FileFlags dataless = 1U << 2;
}  // namespace file_flags

/// Result of a stat. Only the members whose Needs are present are valid.
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

/// Receives a file's bytes as they are read. Belongs to one thread.
class ContentSink {
 public:
  virtual ~ContentSink() = default;
  /// Receives the next bytes, at least one. Returns false if no more are wanted. `last` is true if
  /// these are known to be the last bytes; not every source knows.
  virtual bool take(std::string_view bytes, bool last) = 0;
};

/// The value of an extended attribute.
struct AttributeValue {
  std::string bytes{};
  std::vector<std::string> texts{};  ///< its strings, if it is a property list of macOS
};

/// Loads attributes that an entry does not have yet. Implemented by the searcher, and by fakes in
/// tests.
class EntryLoader {
 public:
  virtual ~EntryLoader() = default;
  /// Loads `wanted`; sets the bits of `entry.present` or `entry.failed` accordingly.
  virtual void load(Entry& entry, Needs wanted) = 0;

  /// Passes the bytes of a regular file to `reader` in pieces, until it wants no more or the file
  /// ends. Returns false after an error, which has been reported.
  virtual bool read_contents(Entry&, ContentSink&) { return false; }

  /// Finds the extended attribute `name`, which a volume may keep in the file, in one of Samba's
  /// streams or in an AppleDouble file next to it. Returns false if there is none. `value` receives
  /// its value, or nothing if that is too large to be examined; null if only existence matters.
  virtual bool attribute(Entry&, std::string_view, AttributeValue*) { return false; }

  /// Returns true if the directory `entry` contains an entry of exactly this name; nullopt after an
  /// error, which has been reported.
  virtual std::optional<bool> holds_name(Entry&, std::string_view) { return {}; }

  /// Reports that the accounts of `entry` could not be looked up; once per search, since what
  /// fails is a service and not a file.
  virtual void accounts_failed(Entry&) {}
};

/// A view that is valid during the call that it is passed to. Belongs to one thread.
struct Entry {
  std::string_view name;  ///< raw bytes, never empty, no '/'
  FileType type = FileType::unknown;
  bool empty = false;
  bool capabilities = false;
  bool bundle = false;
  bool readable = false;
  bool writable = false;
  bool runnable = false;
  bool via_link = false;  ///< a followed symbolic link; `type` is its target's
  bool loop = false;      ///< a directory that is its own ancestor, through a link
  FileType target_type = FileType::unknown;
  std::uint32_t depth = 0;  ///< 1 directly in a root, 0 for a root that is a file
  Needs present = needs::none;
  Needs failed = needs::none;
  std::uint32_t target_mode = 0;

  /// Path of the parent directory as printed, ending in a slash unless empty; `directory` followed
  /// by `name` is the path of the entry.
  std::string_view directory;
  std::string_view relative_path;  ///< path below the root
  std::string_view absolute_path;
  std::string_view target;
  std::string_view root;                   ///< root of the search as typed; "." if none was
  std::string_view volume;                 ///< mount point of its volume; empty if unknown
  std::string_view file_system;            ///< the system's name for its type; empty if unknown
  const Root* found_from = nullptr;        ///< with needs::origin; as long as the search
  const FinderMetadata* finder = nullptr;  ///< with needs::finder
  Metadata metadata{};
  EntryLoader* loader = nullptr;

  /// Loads what is missing of `wanted`, which may block in the kernel. Returns true if all of it is
  /// present.
  bool require(Needs wanted) {
    const Needs missing = wanted & ~(present | failed);
    if (missing != 0 && loader != nullptr) loader->load(*this, missing);
    return (present & wanted) == wanted;
  }
};

// --- Loading after the search

/// Used by one thread. Calls may block on the volume of the entry.
class LateLoader : public EntryLoader {
 public:
  /// Sets the directory of the entries to load: `below` is its path from `root`, without slashes at
  /// its ends and empty for the root itself. `root` is Entry::found_from of an entry in it or a
  /// copy of that, and must outlive the loads.
  virtual void turn_to(const Root& root, std::string_view below) = 0;
};

/// Thread-safe.
using LateLoaderFactory = std::function<std::unique_ptr<LateLoader>()>;

// --- Accounts

/// Thread-safe. Calls may block on a directory service.
class Accounts {
 public:
  virtual ~Accounts() = default;
  /// nullopt if there is no such account. Throws std::system_error if the look-up fails.
  virtual std::optional<std::uint32_t> user_id(const std::string& name) const = 0;
  virtual std::optional<std::uint32_t> group_id(const std::string& name) const = 0;
  /// nullopt if there is no such account; an empty name if the look-up fails, for instance for lack
  /// of descriptors.
  virtual std::optional<std::string> user_name(std::uint32_t id) const = 0;
  virtual std::optional<std::string> group_name(std::uint32_t id) const = 0;
};

}  // namespace ffind
