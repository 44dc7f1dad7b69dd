// SPDX-License-Identifier: MIT
// Attributes of files in the layout of macOS's getattrlist(2) and its relatives: which to ask for,
// and what the records that come back say; and requests for searchfs(2), parameter buffers in its
// layout, made from a bound. Used by os/darwin. Pure and built
// everywhere: bytes in, values out, no call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ffind/bound.h"
#include "ffind/entry.h"

namespace ffind::os::darwin {

// Bits and numbers of <sys/attr.h> and <sys/vnode.h> (xnu bsd/sys/attr.h, bsd/sys/vnode.h).
// darwin/layout.cpp asserts each of them against the system's own headers.
namespace attr {
inline constexpr std::uint32_t cmn_name = 0x00000001;
inline constexpr std::uint32_t cmn_devid = 0x00000002;
inline constexpr std::uint32_t cmn_fsid = 0x00000004;
inline constexpr std::uint32_t cmn_objtype = 0x00000008;
inline constexpr std::uint32_t cmn_crtime = 0x00000200;
inline constexpr std::uint32_t cmn_modtime = 0x00000400;
inline constexpr std::uint32_t cmn_chgtime = 0x00000800;
inline constexpr std::uint32_t cmn_acctime = 0x00001000;
inline constexpr std::uint32_t cmn_fndrinfo = 0x00004000;
inline constexpr std::uint32_t cmn_ownerid = 0x00008000;
inline constexpr std::uint32_t cmn_grpid = 0x00010000;
inline constexpr std::uint32_t cmn_accessmask = 0x00020000;
inline constexpr std::uint32_t cmn_flags = 0x00040000;
inline constexpr std::uint32_t cmn_fileid = 0x02000000;
inline constexpr std::uint32_t cmn_parentid = 0x04000000;
inline constexpr std::uint32_t cmn_addedtime = 0x10000000;
inline constexpr std::uint32_t cmn_error = 0x20000000;
inline constexpr std::uint32_t cmn_returned_attrs = 0x80000000;
inline constexpr std::uint32_t dir_linkcount = 0x00000001;
inline constexpr std::uint32_t dir_entrycount = 0x00000002;
inline constexpr std::uint32_t dir_mountstatus = 0x00000004;
inline constexpr std::uint32_t dir_allocsize = 0x00000008;
inline constexpr std::uint32_t dir_datalength = 0x00000020;
inline constexpr std::uint32_t file_linkcount = 0x00000001;
inline constexpr std::uint32_t file_datalength = 0x00000200;
inline constexpr std::uint32_t file_allocsize = 0x00000004;
}  // namespace attr

inline constexpr std::uint32_t mountstatus_mount_point = 0x1;
inline constexpr std::uint32_t mountstatus_trigger = 0x2;
/// Byte 8 of the Finder's information, big-endian flags: kHasBundle is 0x2000.
inline constexpr std::size_t finder_flags_at = 8;
inline constexpr unsigned char finder_bundle = 0x20;

// Of st_flags (xnu bsd/sys/stat.h): the user's, which the Finder calls "locked", and the system's.
inline constexpr std::uint32_t uf_immutable = 0x00000002;
inline constexpr std::uint32_t uf_append = 0x00000004;
inline constexpr std::uint32_t sf_immutable = 0x00020000;
inline constexpr std::uint32_t sf_append = 0x00040000;

/// What of st_flags keeps a file from being changed.
FileFlags locks_of(std::uint32_t flags);

/// The five groups of attributes, in the order and layout of attribute_set_t.
struct AttributeSet {
  std::uint32_t common = 0;
  std::uint32_t volume = 0;
  std::uint32_t directory = 0;
  std::uint32_t file = 0;
  std::uint32_t fork = 0;

  bool operator==(const AttributeSet&) const = default;
};

/// The attributes that answer `wanted` of an entry, name and type always among them and nothing
/// that is not asked for. Without ATTR_CMN_OBJTYPE the kernel looks up each entry separately.
AttributeSet attributes_for(Needs wanted);

/// `attributes_for`, and what getattrlistbulk(2) must or should be asked besides: the set of what
/// was returned, the error of an entry, whether something is mounted on it.
AttributeSet bulk_attributes_for(Needs wanted);

/// What one record contains. `known`: which of type and `metadata` hold a value.
struct AttributeRecord {
  std::string_view name{};  ///< in the record, where a NUL follows it; empty when it has none
  FileType type = FileType::unknown;
  std::uint32_t error = 0;            ///< errno; then nothing but the name can be relied on
  std::uint32_t mount_status = 0;     ///< of directories
  std::uint32_t directory_names = 0;  ///< hard links to a directory, 0 where it was not asked
  std::uint32_t flags = 0;            ///< st_flags
  bool bundle = false;
  bool bundle_known = false;
  std::uint64_t file_id = 0;
  std::uint64_t parent_id = 0;
  std::uint64_t fsid = 0;  ///< val[0] in the lower, val[1] in the upper half
  Needs known = needs::none;
  Metadata metadata{};
};

enum class RecordLayout : std::uint8_t {
  bulk,  ///< getattrlistbulk: each record begins with the set of what it holds
  /// searchfs: each record holds what was requested, as far as it applies to its type. Its id is
  /// the identity of a stat only where a link count of one says so, or none was requested.
  search,
};

/// Takes records off a buffer, one by one. Any bytes are taken: what lies outside the buffer, or
/// cannot be, ends the reading. A record whose name no entry can have (empty, with a slash or NUL
/// in it, outside of the record) is left out and counted, so that one bad name does not hide its
/// neighbours; "." and ".." are left out without a word.
class RecordReader {
 public:
  /// `requested` is what the records of a search hold; a bulk record says itself what of it there
  /// is. `count` records are taken, those left out among them. The bytes must outlive the names
  /// that are given out.
  RecordReader(const unsigned char* bytes, std::size_t size, RecordLayout layout,
               const AttributeSet& requested, std::size_t count = static_cast<std::size_t>(-1))
      : bytes_(bytes), size_(size), count_(count), layout_(layout), requested_(requested) {}

  /// False at the end, and where the bytes cannot be a record.
  bool next(AttributeRecord& record);
  /// Whether it ended by bytes that are no record.
  bool malformed() const { return malformed_; }
  /// How many records so far had a name that no entry can have.
  std::size_t refused() const { return refused_; }

 private:
  bool decode(AttributeRecord& record, bool& refused);

  const unsigned char* bytes_;
  std::size_t size_;
  std::size_t count_;
  std::size_t position_ = 0;
  RecordLayout layout_;
  AttributeSet requested_;
  bool malformed_ = false;
  std::size_t refused_ = 0;
};

// Options of searchfs, <sys/attr.h>; asserted in darwin/layout.cpp.
inline constexpr std::uint32_t srchfs_start = 0x00000001;
inline constexpr std::uint32_t srchfs_matchpartialnames = 0x00000002;
inline constexpr std::uint32_t srchfs_matchdirs = 0x00000004;
inline constexpr std::uint32_t srchfs_matchfiles = 0x00000008;

/// Whose searchfs it is: they differ in what they take and in what can be believed.
enum class SearchDialect : std::uint8_t {
  hfs,   ///< HFS+, and AFP, which hands the request on to one
  apfs,  ///< wrong about types and hard links, and about sizes when it searches for files only;
         ///< takes an empty name for "all", where hfs takes it for "none"
};

struct SearchRequest {
  std::uint32_t options = 0;  ///< without srchfs_start
  AttributeSet searched{};    ///< what the parameters hold
  AttributeSet returned{};    ///< what each record is to hold
  /// searchparams1 and 2: the lower and upper ends; the name is in the first.
  std::vector<unsigned char> first{};
  std::vector<unsigned char> last{};
  /// What of the records can be believed.
  Needs trusted = needs::none;
};

/// A request that finds everything that `bound` allows, or more; its records contain what of
/// `wanted` the dialect can be trusted with, and always name, id and parent.
SearchRequest search_request(const Bound& bound, Needs wanted, SearchDialect dialect);

/// Finds every directory of an hfs volume, with what `may_be_closed` looks at and the number of its
/// names: a search passes over the contents of those that its process may not read, and does not
/// say so.
SearchRequest directories_request();

/// Whether `request` finds every directory, with the number of its names.
bool finds_all_directories(const SearchRequest& request);

/// Whether a directory of that mode is closed to some.
constexpr bool may_be_closed(std::uint32_t mode) {
  return (mode & 0555U) != 0555U;
}

}  // namespace ffind::os::darwin
