// SPDX-License-Identifier: MIT
// Entry: one name of a directory with its attributes, as passed from the searcher to the matcher
// and to the output.
//
// Attributes are loaded on demand. Each is a bit of Needs; a test or an output format publishes the
// set that it may use, so that a reader can fetch it together with the names if that is cheaper.
// Whatever is still missing is loaded by Entry::require through the EntryLoader:
//
//     present   loaded; the members that belong to the bit are valid
//     failed    could not be loaded, and is not tried again
//     neither   not requested so far
//
// Some needs are requests with a parameter (attributes, contents, accounts, children). They have
// functions of their own, are never `present`, and are `failed` if the last request failed.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
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
  bool locked = false;
  bool bundle = false;
  bool invisible = false;
  bool alias = false;

  bool operator==(const FinderFlags&) const = default;
};

/// A duration, or the time of a clock that does not jump.
using Nanoseconds = std::int64_t;

/// Time of a file, as a timespec has it: nanoseconds in 64 bits would end in 1677 and 2262.
struct Instant {
  std::int64_t seconds = 0;      ///< since 1970-01-01T00:00:00 UTC
  std::int32_t nanoseconds = 0;  ///< 0 to 999,999,999, before 1970 too

  auto operator<=>(const Instant&) const = default;
};

}  // namespace ffind

/// The ends of open ranges.
template <>
struct std::numeric_limits<ffind::Instant> {
  static constexpr bool is_specialized = true;
  static constexpr ffind::Instant min() { return {INT64_MIN, 0}; }
  static constexpr ffind::Instant max() { return {INT64_MAX, 999'999'999}; }
};

namespace ffind {

struct FinderMetadata {
  std::vector<FinderTag> tags;
  std::string comment;
  std::vector<std::string> where_froms;  ///< URLs of the download
  std::optional<Instant> last_opened{};  ///< in the Finder or in a program
  std::string type_code{};               ///< four characters, UTF-8; empty if there are none
  std::string creator{};
  FinderFlags flags;
};

/// Something in a Trash, which is searched by the path that it had.
struct Trashed {
  std::string path;   ///< absolute, normal; equal to `place` if it is not known
  std::string place;  ///< where it is now: absolute, without links
  std::optional<Instant> deleted{};
  /// It has lost its other half: a file without a .trashinfo that can be read, or the reverse.
  bool is_orphan = false;
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

/// Bit set of entry attributes that a test or an output lane requires.
using Needs = std::uint64_t;

namespace needs {
inline constexpr Needs none = 0;

// Results of one stat; `flags` and `added` below are the rest of it.

/// The type of the entry. Nearly always known from the directory; else it takes a stat.
inline constexpr Needs type = Needs{1} << 0;
inline constexpr Needs mode = Needs{1} << 1;
inline constexpr Needs uid = Needs{1} << 2;
inline constexpr Needs links = Needs{1} << 3;
inline constexpr Needs inode = Needs{1} << 4;
inline constexpr Needs length = Needs{1} << 5;  ///< Metadata::size
inline constexpr Needs modified = Needs{1} << 6;
inline constexpr Needs changed = Needs{1} << 7;
inline constexpr Needs accessed = Needs{1} << 8;
inline constexpr Needs created = Needs{1} << 9;
inline constexpr Needs allocated = Needs{1} << 10;
inline constexpr Needs gid = Needs{1} << 12;
inline constexpr Needs device = Needs{1} << 13;

// A stat returns both; a record of an earlier search may have only one.

inline constexpr Needs owner = uid | gid;
inline constexpr Needs identity = inode | device;
inline constexpr Needs size = length | allocated;

// Results of separate calls.

/// A file of no bytes or a directory of no entries; the directory is read.
inline constexpr Needs empty = Needs{1} << 37;
/// Text of a symbolic link: one readlink.
inline constexpr Needs target = Needs{1} << 11;
/// Mode of the target of a symbolic link: one stat that follows it.
inline constexpr Needs target_mode = Needs{1} << 38;
/// Presence of Linux capabilities: one getxattr.
inline constexpr Needs capabilities = Needs{1} << 39;
/// The system's mark that a directory is a bundle: free or one call.
inline constexpr Needs bundle = Needs{1} << 14;

/// FileFlags: returned by a stat that requests them.
inline constexpr Needs flags = Needs{1} << 15;

// Known without a call. Paths are put together by the searcher.

inline constexpr Needs directory = Needs{1} << 16;
inline constexpr Needs relative_path = Needs{1} << 17;
inline constexpr Needs absolute_path = Needs{1} << 18;
/// Always known. Published because it depends on the root.
inline constexpr Needs depth = Needs{1} << 19;

/// Time when the entry was added to its directory: macOS only, returned with a stat.
inline constexpr Needs added = Needs{1} << 20;

// Data outside of the directory and the inode.

/// Finder metadata: tags, comment, origins, flags; read from extended attributes and AppleDouble
/// files. Both present and failed if only some of it could be read.
inline constexpr Needs finder = Needs{1} << 21;
/// Any extended attribute, by EntryLoader::attribute. Failed if the last one could not be read.
inline constexpr Needs attributes = Needs{1} << 22;
/// The bytes of a regular file, by EntryLoader::read_contents. Failed if they could not be read.
inline constexpr Needs contents = Needs{1} << 23;
/// Root, volume and file system of the entry, as text. Costs no call.
inline constexpr Needs origin = Needs{1} << 24;
/// Existence of an account for a uid or gid. Failed if the last look-up failed.
inline constexpr Needs accounts = Needs{1} << 25;

/// Type of the target of a symbolic link, `unknown` if the link is broken: one stat that follows.
inline constexpr Needs target_type = Needs{1} << 26;
/// Access rights of this process, by access(2): one call each.
inline constexpr Needs readable = Needs{1} << 27;
inline constexpr Needs writable = Needs{1} << 28;
inline constexpr Needs runnable = Needs{1} << 29;

/// Hiding by macOS (Metadata::hidden): returned with the names by some readers, else one call.
inline constexpr Needs hidden = Needs{1} << 30;

/// Metadata::private_size: APFS only, returned with a stat.
inline constexpr Needs private_size = Needs{1} << 31;
/// Flags that the volume may be unable to report, by Metadata::known_flags. Failed if one of the
/// flags that were looked at last is not known.
inline constexpr Needs all_flags = Needs{1} << 32;
/// Access control lists: one call.
inline constexpr Needs acl = Needs{1} << 33;
/// Absence of extended attributes. Only present, if a reader returned it with the name: a hint that
/// saves the call that would list them. Requested with `finder` and `attributes`.
inline constexpr Needs no_attributes = Needs{1} << 34;
/// Entry::inside: a walk has it for free, a flat catalog does not have it at all.
inline constexpr Needs inside = Needs{1} << 35;
/// Presence of a name in a directory, by EntryLoader::holds_name: one call. Failed if the last name
/// could not be looked up.
inline constexpr Needs children = Needs{1} << 36;
/// Entry::trashed, of entries of a Trash. Costs no call; failed for all others.
inline constexpr Needs trashed = Needs{1} << 40;

/// Everything that one stat returns, and what a reader may return with it.
inline constexpr Needs metadata = type | mode | owner | links | identity | size | modified |
                                  changed | accessed | created | flags | added | hidden |
                                  private_size;
}  // namespace needs

/// Flags of a file, independent of its mode: those of chflags(1) on macOS, of chattr(1) on Linux.
/// Words that both systems have are one flag.
using FileFlags = std::uint32_t;
namespace file_flags {
inline constexpr FileFlags uchg = 1U << 0;    ///< UF_IMMUTABLE, the Finder's "locked"
inline constexpr FileFlags schg = 1U << 1;    ///< SF_IMMUTABLE; chattr +i
inline constexpr FileFlags uappnd = 1U << 2;  ///< UF_APPEND
inline constexpr FileFlags sappnd = 1U << 3;  ///< SF_APPEND; chattr +a
inline constexpr FileFlags nodump = 1U << 4;  ///< UF_NODUMP; chattr +d
inline constexpr FileFlags hidden = 1U << 5;
inline constexpr FileFlags compressed = 1U << 6;
inline constexpr FileFlags opaque = 1U << 7;
inline constexpr FileFlags tracked = 1U << 8;
inline constexpr FileFlags datavault = 1U << 9;
inline constexpr FileFlags arch = 1U << 10;
inline constexpr FileFlags restricted = 1U << 11;
inline constexpr FileFlags sunlnk = 1U << 12;
inline constexpr FileFlags firmlink = 1U << 13;
inline constexpr FileFlags dataless = 1U << 14;
inline constexpr FileFlags encrypted = 1U << 15;  ///< Linux: fscrypt
inline constexpr FileFlags verity = 1U << 16;     ///< Linux: fs-verity
inline constexpr FileFlags dax = 1U << 17;        ///< Linux: mapped without a page cache

/// Flags that protect a file from changes.
inline constexpr FileFlags locks = uchg | schg | uappnd | sappnd;
/// Flags that exist on each of the two systems.
inline constexpr FileFlags of_linux =
    schg | sappnd | nodump | compressed | encrypted | verity | dax;
inline constexpr FileFlags of_macos = uchg | schg | uappnd | sappnd | nodump | hidden | compressed |
                                      opaque | tracked | datavault | arch | restricted | sunlnk |
                                      firmlink | dataless;

struct Word {
  std::string_view word;
  FileFlags flags;  ///< several if the word means any of them
};
/// One word for each flag, in the order of `ls -lO`, then other words for them (chflags(1),
/// lsattr(1)), which are read only.
inline constexpr std::size_t word_count = 18;
inline constexpr Word words[] = {
    {"sappnd", sappnd},
    {"arch", arch},
    {"schg", schg},
    {"restricted", restricted},
    {"sunlnk", sunlnk},
    {"uappnd", uappnd},
    {"uchg", uchg},
    {"nodump", nodump},
    {"opaque", opaque},
    {"hidden", hidden},
    {"compressed", compressed},
    {"tracked", tracked},
    {"datavault", datavault},
    {"firmlink", firmlink},
    {"dataless", dataless},
    {"encrypted", encrypted},
    {"verity", verity},
    {"dax", dax},
    {"immutable", uchg | schg},
    {"append", uappnd | sappnd},
    {"sappend", sappnd},
    {"archived", arch},
    {"schange", schg},
    {"simmutable", schg},
    {"sunlink", sunlnk},
    {"uappend", uappnd},
    {"uchange", uchg},
    {"uimmutable", uchg},
};
}  // namespace file_flags

/// Access control lists that an entry has beyond its mode, one bit each.
using AclKinds = std::uint8_t;
namespace acl_kinds {
inline constexpr AclKinds access = 1U << 0;     ///< POSIX
inline constexpr AclKinds inherited = 1U << 1;  ///< POSIX: the default one of a directory
inline constexpr AclKinds nfs4 = 1U << 2;
inline constexpr AclKinds extended = 1U << 3;  ///< macOS

struct Word {
  std::string_view word;
  AclKinds kind;
};
inline constexpr Word words[] = {
    {"access", access}, {"default", inherited}, {"nfs4", nfs4}, {"extended", extended}};
}  // namespace acl_kinds

/// Result of a stat. Only the members whose Needs are present are valid.
struct Metadata {
  std::uint64_t size;          ///< bytes
  std::uint64_t allocated;     ///< bytes on the volume
  std::uint64_t private_size;  ///< the part of them that no clone or snapshot shares
  std::uint64_t inode;
  std::uint64_t device;
  Instant modified;
  Instant changed;
  Instant accessed;
  Instant created;
  Instant added;
  std::uint32_t mode;  ///< as st_mode, type bits included
  std::uint32_t uid;
  std::uint32_t gid;
  std::uint32_t links;
  /// Device number of a device file, with needs::mode; 0 if the reader does not return it.
  std::uint32_t special_major;
  std::uint32_t special_minor;
  FileFlags flags;
  FileFlags known_flags;  ///< flags that the volume reports, set or not
  bool hidden;            ///< macOS: by UF_HIDDEN or the Finder's invisible bit
};

/// Number that a sink gives to a directory while it is searched; 0 for none.
using DirectoryToken = std::uint32_t;

/// Space of a directory itself. A lane sets it when it takes the directory as an entry, and gets it
/// back when the directory is entered.
struct OwnSpace {
  std::uint64_t allocated : 63 = 0;
  std::uint64_t childless : 1 = 0;  ///< by its links, no directory is in it
  std::uint64_t size = 0;
};

/// Names of an entry's accounts by a record of an earlier search; empty if it has none.
struct RecordedAccounts {
  std::string_view user{};
  std::string_view group{};
};

struct Entry;
struct Root;
struct Boundary;

/// Receives a file's bytes as they are read. Belongs to one thread.
class ContentSink {
 public:
  virtual ~ContentSink() = default;
  /// Receives the next bytes, at least one. Returns false if no more are wanted. `last` is true if
  /// these are known to be the last bytes; not every source knows.
  virtual bool take(std::string_view bytes, bool last) = 0;
  /// Returns how many bytes are wanted from the beginning of a file and from its end: exactly
  /// these, or all if it is not longer. 0: everything, but a hole may be a few zeros.
  virtual std::uint64_t exact_ends() const { return 0; }
};

/// The value of an extended attribute.
struct AttributeValue {
  std::string bytes{};
  std::vector<std::string> texts{};  ///< its strings, if it is a property list of macOS
};

/// Names of a file's accounts that could not be looked up; flags that its volume does not report.
enum class Unknown : std::uint8_t { accounts, flags };

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

  /// Returns a descriptor of the directory that the current entry is in; -1 if there is none. The
  /// searcher closes it.
  virtual int directory_descriptor() const { return -1; }

  /// Reports that something of `entry` is unknown; once per search, since what fails is a service
  /// or the volume, and not a file.
  virtual void report_unknown(Entry&, Unknown) {}
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
  /// A directory that is its own ancestor, through a link; with needs::target_type, a link that
  /// leads back to itself.
  bool loop = false;
  bool kept_out = false;  ///< set by the sink: a directory that is not to be entered
  AclKinds acl = 0;
  FileType target_type = FileType::unknown;
  std::uint32_t depth = 0;            ///< 1 directly in a root, 0 for a root that is a file
  std::uint32_t duplicate_group = 0;  ///< set by --duplicates; from 1
  Needs present = needs::none;
  Needs failed = needs::none;
  std::uint32_t target_mode = 0;
  /// Errno of a directory that had to be read and could not be. The searcher reports it, and only
  /// once if it also enters the directory.
  int unreadable = 0;

  /// Path of the parent directory as printed, ending in a slash unless empty; `directory` followed
  /// by `name` and `slashes` is the path of the entry.
  std::string_view directory;
  std::string_view slashes{};      ///< at the end of a directory that is a root, as typed
  std::string_view relative_path;  ///< path below the root
  std::string_view absolute_path;
  std::string_view target;
  std::string_view root;         ///< root of the search as typed; "." if none was
  std::string_view volume;       ///< mount point of its volume; empty if unknown
  std::string_view file_system;  ///< the system's name for its type; empty if unknown
  /// With needs::origin. Owned by the search and valid until it ends; a sink that needs a root
  /// after that, as for its last lines, keeps a copy.
  const Root* found_from = nullptr;
  // With needs::inside:
  DirectoryToken inside = 0;                   ///< the directory that contains it
  const Boundary* boundary = nullptr;          ///< at its path; null if there is none
  std::optional<OwnSpace> own_space{};         ///< set by the lane
  const FinderMetadata* finder = nullptr;      ///< with needs::finder
  const RecordedAccounts* recorded = nullptr;  ///< null: its accounts are those of this system
  const Trashed* trashed = nullptr;            ///< with needs::trashed; valid until the search ends
  Metadata metadata{};
  EntryLoader* loader = nullptr;

  /// Loads what is missing of `wanted`, which may block in the kernel. Returns true if all of it is
  /// present.
  bool require(Needs wanted) {
    const Needs missing = wanted & ~(present | failed);
    if (missing != 0 && loader != nullptr) loader->load(*this, missing);
    return (present & wanted) == wanted;
  }

  /// True if "./" is printed before the path, so that no program reads it as an option: the path is
  /// a name alone, and begins with a dash. Needs `directory`.
  bool is_printed_with_dot() const {
    return directory.empty() && name.starts_with('-') && depth > 0;
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
