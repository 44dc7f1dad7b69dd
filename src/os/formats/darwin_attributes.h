// SPDX-License-Identifier: MIT
// Attributes of files in the layout of macOS's getattrlist(2), getattrlistbulk(2) and searchfs(2).
// Pure and built everywhere; os/darwin makes the calls.
//
//     attributes_for(), bulk_attributes_for()   needs  -> AttributeSet to request
//     search_request()                          bound  -> SearchRequest: parameters of searchfs
//     RecordDecoder                             buffer -> AttributeRecords, one by one
//
// All bits and numbers are Apple's; tests/darwin/layout.cpp asserts that they equal its headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/query.h"
#include "os/formats/endian.h"

namespace ffind::os::darwin {

// Bits of <sys/attr.h> (xnu bsd/sys/attr.h).
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
inline constexpr std::uint32_t cmn_extended_security = 0x00400000;
inline constexpr std::uint32_t cmn_fileid = 0x02000000;
inline constexpr std::uint32_t cmn_parentid = 0x04000000;
inline constexpr std::uint32_t cmn_addedtime = 0x10000000;
inline constexpr std::uint32_t cmn_error = 0x20000000;
inline constexpr std::uint32_t cmn_returned_attrs = 0x80000000;
inline constexpr std::uint32_t dir_linkcount = 0x00000001;
inline constexpr std::uint32_t dir_entrycount = 0x00000002;
inline constexpr std::uint32_t dir_mountstatus = 0x00000004;
inline constexpr std::uint32_t file_linkcount = 0x00000001;
inline constexpr std::uint32_t file_datalength = 0x00000200;
inline constexpr std::uint32_t file_allocsize = 0x00000004;
// In the place of fork attributes, with FSOPT_ATTR_CMN_EXTENDED: 64 bits each.
/// Only APFS has it: neither HFS+ (core/hfs_attrlist.c) nor XNU itself does.
inline constexpr std::uint32_t cmnext_private_size = 0x00000008;
inline constexpr std::uint32_t cmnext_ext_flags = 0x00000200;
}  // namespace attr

/// Bit of the extended flags (xnu bsd/sys/stat.h): the file has no extended attributes at all.
inline constexpr std::uint64_t ef_no_xattrs = 0x2;

inline constexpr std::uint32_t mountstatus_mount_point = 0x1;
inline constexpr std::uint32_t mountstatus_trigger = 0x2;
/// Byte 8 of the Finder's information, big-endian flags: kHasBundle is 0x2000, kIsInvisible 0x4000.
inline constexpr std::size_t finder_flags_at = 8;
inline constexpr unsigned char finder_bundle = 0x20;
inline constexpr unsigned char finder_invisible = 0x40;

/// Bits of st_flags (xnu bsd/sys/stat.h): the user's and the system's.
inline constexpr FlagRow stat_flags[] = {
    {0x00000001, file_flags::nodump},     {0x00000002, file_flags::uchg},
    {0x00000004, file_flags::uappnd},     {0x00000008, file_flags::opaque},
    {0x00000020, file_flags::compressed}, {0x00000040, file_flags::tracked},
    {0x00000080, file_flags::datavault},  {0x00008000, file_flags::hidden},
    {0x00010000, file_flags::arch},       {0x00020000, file_flags::schg},
    {0x00040000, file_flags::sappnd},     {0x00080000, file_flags::restricted},
    {0x00100000, file_flags::sunlnk},     {0x00800000, file_flags::firmlink},
    {0x40000000, file_flags::dataless},
};

constexpr FileFlags flags_of(std::uint32_t st_flags) {
  return flags_by(stat_flags, st_flags);
}

/// The five groups of attributes, in the order and layout of attribute_set_t.
struct AttributeSet {
  std::uint32_t common = 0;
  std::uint32_t volume = 0;
  std::uint32_t directory = 0;
  std::uint32_t file = 0;
  std::uint32_t fork = 0;

  bool operator==(const AttributeSet&) const = default;
};

/// Returns the attributes for `wanted`, with name and type always.
AttributeSet attributes_for(Needs wanted);

/// The same for getattrlistbulk(2), which also returns the set of attributes of each record, the
/// error of an entry, and whether something is mounted on it.
AttributeSet bulk_attributes_for(Needs wanted);

/// Values of one record. `known`: those of `type` and `metadata` that are set.
struct AttributeRecord {
  std::string_view name{};  ///< in the buffer, followed by a NUL; empty if there is none
  FileType type = FileType::unknown;
  std::uint32_t error = 0;            ///< errno; then only the name is valid
  std::uint32_t mount_status = 0;     ///< of directories
  std::uint32_t directory_names = 0;  ///< hard links of a directory; 0 if not requested
  std::uint32_t flags = 0;            ///< st_flags
  bool bundle = false;
  bool bundle_known = false;
  std::uint64_t file_id = 0;
  std::uint64_t parent_id = 0;
  Needs known = needs::none;
  Metadata metadata{};
};

enum class RecordLayout : std::uint8_t {
  bulk,  ///< getattrlistbulk: each record begins with the set of its attributes
  /// searchfs: each record has the requested attributes that apply to its type. Its id is the inode
  /// of a stat only if the link count is one, or was not requested.
  search,
};

/// Decodes a buffer of records, one by one. Any bytes are safe: a record that leads out of the
/// buffer or is invalid ends it. A record whose name no entry can have (empty, with a slash or NUL,
/// outside of the record) is skipped and counted, so that one bad name does not hide its
/// neighbours; "." and ".." are skipped silently.
class RecordDecoder {
 public:
  /// `requested`: the attributes in the records of a search; a bulk record has its own set, a part
  /// of them. `count`: records to read, skipped ones included. The bytes must outlive the returned
  /// names.
  RecordDecoder(const unsigned char* bytes, std::size_t size, RecordLayout layout,
                const AttributeSet& requested, std::size_t count = static_cast<std::size_t>(-1))
      : bytes_(bytes), size_(size), count_(count), layout_(layout), requested_(requested) {}

  bool next(AttributeRecord& record);  ///< false at the end, and if the bytes are not a record
  /// Whether it ended at bytes that are not a record.
  bool malformed() const { return malformed_; }
  /// Number of records so far with a name that no entry can have.
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

// Options of searchfs, <sys/attr.h>; asserted in tests/darwin/layout.cpp.
inline constexpr std::uint32_t srchfs_start = 0x00000001;
inline constexpr std::uint32_t srchfs_matchpartialnames = 0x00000002;
inline constexpr std::uint32_t srchfs_matchdirs = 0x00000004;
inline constexpr std::uint32_t srchfs_matchfiles = 0x00000008;

/// Implementation of searchfs: they differ in the parameters and in the reliable results.
enum class SearchDialect : std::uint8_t {
  hfs,   ///< HFS+, and AFP, which passes the request on to an HFS+ volume
  apfs,  ///< wrong about types and hard links, and about sizes when it searches for files only;
         ///< takes an empty name for "all", which is "none" to hfs
};

struct SearchRequest {
  std::uint32_t options = 0;  ///< without srchfs_start
  AttributeSet searched{};    ///< attributes in the parameters
  AttributeSet returned{};    ///< attributes in each record
  /// searchparams1 and searchparams2: lower and upper ends; the name is in the first.
  std::vector<unsigned char> first{};
  std::vector<unsigned char> last{};
  Needs trusted = needs::none;  ///< the reliable part of the records
};

/// Makes a request that finds every entry within `bound`, or more; its records have name, id,
/// parent, and those attributes of `wanted` that the dialect returns reliably.
SearchRequest search_request(const Bound& bound, Needs wanted, SearchDialect dialect);

/// Makes a request for every directory of an hfs volume, with its mode, for may_be_closed(), and
/// its link count: a search silently skips the contents of directories that its process may not
/// read.
SearchRequest directories_request();

/// True if `request` finds every directory, with its link count.
bool finds_all_directories(const SearchRequest& request);

/// Whether some users cannot read a directory of that mode.
constexpr bool may_be_closed(std::uint32_t mode) {
  return (mode & 0555U) != 0555U;
}

}  // namespace ffind::os::darwin
