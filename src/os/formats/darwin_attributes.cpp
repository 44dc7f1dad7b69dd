// SPDX-License-Identifier: MIT
// Layout of a record: its length, in bulk records the set of its attributes, then the values in the
// order of their bits, but the error first, each at a multiple of four bytes, and text at the end:
//
//     length | set | error | offset, length of the name | type | ... | n a m e NUL | padding
//                            \__ the offset counts from here __________^
//
// Values are read in that order by Decoder, each if its bit is set. Groups follow in the order
// common, volume, directory or file, fork; a set with a bit whose size is unknown here cannot be
// decoded, since nothing says where its value ends.
#include "os/formats/darwin_attributes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "os/dirent_block.h"
#include "text/utf8.h"

namespace ffind::os::darwin {
namespace {

/// Attributes whose sizes are known here. Others could not be skipped.
constexpr std::uint32_t common_known = attr::cmn_name | attr::cmn_devid | attr::cmn_objtype |
                                       attr::cmn_crtime | attr::cmn_modtime | attr::cmn_chgtime |
                                       attr::cmn_acctime | attr::cmn_fndrinfo | attr::cmn_ownerid |
                                       attr::cmn_grpid | attr::cmn_accessmask | attr::cmn_flags |
                                       attr::cmn_fileid | attr::cmn_parentid | attr::cmn_addedtime;
constexpr std::uint32_t directory_known = attr::dir_linkcount | attr::dir_mountstatus;
constexpr std::uint32_t file_known =
    attr::file_linkcount | attr::file_datalength | attr::file_allocsize;
constexpr std::uint32_t extended_known = attr::cmnext_private_size | attr::cmnext_ext_flags;

/// The attributes for one of Needs: bits of the common, the file and the fork group. A new
/// attribute also needs its size: in common_known or its like, and in Decoder.
struct AttributeRow {
  Needs need;
  std::uint32_t common;
  std::uint32_t file;
  std::uint32_t fork = 0;
};
// Neither sizes nor links of directories are requested. Their link count is one of real hard links,
// unlike st_nlink, and no source promises that their sizes are a stat's.
constexpr AttributeRow attribute_rows[] = {
    {needs::mode, attr::cmn_accessmask, 0},
    {needs::owner, attr::cmn_ownerid | attr::cmn_grpid, 0},
    {needs::links, 0, attr::file_linkcount},
    {needs::identity, attr::cmn_devid | attr::cmn_fileid, 0},
    {needs::size, 0, attr::file_allocsize | attr::file_datalength},
    {needs::modified, attr::cmn_modtime, 0},
    {needs::changed, attr::cmn_chgtime, 0},
    {needs::accessed, attr::cmn_acctime, 0},
    {needs::created, attr::cmn_crtime, 0},
    {needs::added, attr::cmn_addedtime, 0},
    {needs::flags, attr::cmn_flags, 0},
    {needs::bundle, attr::cmn_fndrinfo, 0},
    {needs::hidden, attr::cmn_flags | attr::cmn_fndrinfo, 0},
    {needs::private_size, 0, 0, attr::cmnext_private_size},
};

/// By enum vtype: VREG 1, VDIR 2, VBLK 3, VCHR 4, VLNK 5, VSOCK 6, VFIFO 7.
FileType type_of_vnode(std::uint32_t vtype) {
  constexpr FileType types[] = {FileType::unknown, FileType::file,      FileType::directory,
                                FileType::block,   FileType::character, FileType::symlink,
                                FileType::socket,  FileType::fifo};
  return vtype < sizeof types / sizeof types[0] ? types[vtype] : FileType::unknown;
}

/// Returns the name that the reference at `reference` leads to; empty if no entry can have that
/// name, or it is not within the record, which ends at `end`. The offset counts from the reference
/// itself, the length includes the NUL. The sum cannot overflow in 64 bits.
std::string_view name_at(const unsigned char* reference, const unsigned char* end) {
  std::int32_t offset = 0;
  std::uint32_t length = 0;
  std::memcpy(&offset, reference, sizeof offset);
  std::memcpy(&length, reference + sizeof offset, sizeof length);
  constexpr std::int32_t reference_size = sizeof offset + sizeof length;
  const auto room = static_cast<std::uint64_t>(end - reference);
  if (offset < reference_size) return {};
  if (static_cast<std::uint64_t>(offset) + length > room) return {};
  const char* const text = reinterpret_cast<const char*>(reference) + offset;
  if (std::memchr(text, '\0', length) != text + length - 1) return {};
  if (std::memchr(text, '/', length) != nullptr) return {};
  return {text, length - 1};
}

bool is_dots(std::string_view name) {
  return name == "." || name == "..";
}

/// Takes the values of one record in sequence. After the end they are zero, and ended() is true.
class Values {
 public:
  Values(const unsigned char* begin, const unsigned char* end) : next_(begin), end_(end) {}

  bool ended() const { return ended_; }
  const unsigned char* end() const { return end_; }
  const unsigned char* skip(std::size_t size) {
    if (static_cast<std::size_t>(end_ - next_) < size) {
      ended_ = true;
      next_ = end_;
      return nullptr;
    }
    const unsigned char* const at = next_;
    next_ += size;
    return at;
  }
  std::uint32_t word() { return number<std::uint32_t>(); }
  std::int64_t signed_word() { return number<std::int32_t>(); }
  std::uint64_t long_word() { return number<std::uint64_t>(); }
  Instant time() {
    const auto seconds = number<std::int64_t>();
    return instant(seconds, number<std::int64_t>());
  }

 private:
  template <typename Number>
  Number number() {
    Number value = 0;
    if (const unsigned char* const at = skip(sizeof value)) std::memcpy(&value, at, sizeof value);
    return value;
  }

  const unsigned char* next_;
  const unsigned char* end_;
  bool ended_ = false;
};

/// Decodes one record, in the order in which the kernel packs it: take_common, take_directory or
/// take_file read values into the record, conclude() sets its `known` bits.
class Decoder {
 public:
  Decoder(Values values, const AttributeSet& holds, AttributeRecord& record)
      : values_(values), holds_(holds), record_(record) {}

  /// False if the record ends before its values do.
  bool decode(RecordLayout layout) {
    take_common();
    if (layout == RecordLayout::search) {
      // Requested attributes that do not apply are left out.
      (record_.type == FileType::directory ? holds_.file : holds_.directory) = 0;
    }
    if (holds_.directory != 0) take_directory();
    if (holds_.file != 0) take_file();
    if (holds_.fork != 0) take_extended();
    if (values_.ended()) return false;
    conclude(layout);
    return true;
  }
  bool name_refused() const { return name_refused_; }

 private:
  bool has(std::uint32_t bit) const { return (holds_.common & bit) != 0; }

  void take_common() {
    Metadata& metadata = record_.metadata;
    // The error is packed first, though its bit is one of the last.
    if (has(attr::cmn_error)) record_.error = values_.word();
    if (has(attr::cmn_name)) take_name();
    // A dev_t is signed, and stat extends the sign.
    if (has(attr::cmn_devid)) metadata.device = static_cast<std::uint64_t>(values_.signed_word());
    if (has(attr::cmn_objtype)) record_.type = type_of_vnode(values_.word());
    if (has(attr::cmn_crtime)) metadata.created = values_.time();
    if (has(attr::cmn_modtime)) metadata.modified = values_.time();
    if (has(attr::cmn_chgtime)) metadata.changed = values_.time();
    if (has(attr::cmn_acctime)) metadata.accessed = values_.time();
    if (has(attr::cmn_fndrinfo)) take_finder_information();
    if (has(attr::cmn_ownerid)) metadata.uid = values_.word();
    if (has(attr::cmn_grpid)) metadata.gid = values_.word();
    if (has(attr::cmn_accessmask)) metadata.mode = values_.word();
    if (has(attr::cmn_flags)) record_.flags = values_.word();
    metadata.flags = flags_of(record_.flags);
    metadata.known_flags = has(attr::cmn_flags) ? file_flags::of_macos : FileFlags{0};
    if (has(attr::cmn_fileid)) record_.file_id = values_.long_word();
    if (has(attr::cmn_parentid)) record_.parent_id = values_.long_word();
    if (has(attr::cmn_addedtime)) metadata.added = values_.time();
  }

  void take_name() {
    const unsigned char* const reference = values_.skip(2 * sizeof(std::uint32_t));
    if (reference == nullptr) return;
    record_.name = name_at(reference, values_.end());
    name_refused_ = record_.name.empty();
  }

  void take_finder_information() {
    const unsigned char* const information = values_.skip(32);
    if (information == nullptr) return;
    // The bit of files has another meaning.
    record_.bundle =
        record_.type == FileType::directory && (information[finder_flags_at] & finder_bundle) != 0;
    record_.bundle_known = record_.type != FileType::unknown;
    record_.metadata.hidden = (information[finder_flags_at] & finder_invisible) != 0;
  }

  void take_directory() {
    const auto holds = [&](std::uint32_t bit) { return (holds_.directory & bit) != 0; };
    if (holds(attr::dir_linkcount)) record_.directory_names = names_ = values_.word();
    if (holds(attr::dir_mountstatus)) record_.mount_status = values_.word();
  }

  void take_file() {
    const auto holds = [&](std::uint32_t bit) { return (holds_.file & bit) != 0; };
    if (holds(attr::file_linkcount)) record_.metadata.links = names_ = values_.word();
    if (holds(attr::file_allocsize)) record_.metadata.allocated = values_.long_word();
    if (holds(attr::file_datalength)) record_.metadata.size = values_.long_word();
  }

  void take_extended() {
    const auto holds = [&](std::uint32_t bit) { return (holds_.fork & bit) != 0; };
    if (holds(attr::cmnext_private_size)) record_.metadata.private_size = values_.long_word();
    if (holds(attr::cmnext_ext_flags) && (values_.long_word() & ef_no_xattrs) != 0) {
      record_.known |= needs::no_attributes;
    }
  }

  /// Sets `known`, and converts the values to those of a stat. A bit of `known` is set if all of
  /// its attributes are there. Of an entry with an error nothing but the name counts.
  void conclude(RecordLayout layout) {
    if (record_.error != 0) return forget();
    Metadata& metadata = record_.metadata;
    for (const AttributeRow& row : attribute_rows) {
      const bool complete = (~holds_.common & row.common) == 0 && (~holds_.file & row.file) == 0 &&
                            (~holds_.fork & row.fork) == 0;
      if (complete) record_.known |= row.need;
    }
    record_.known &= ~needs::bundle;  // one of the traits of an entry
    if ((metadata.flags & file_flags::hidden) != 0) {
      metadata.hidden = true;
      record_.known |= needs::hidden;
    }
    if (record_.type != FileType::unknown) {
      record_.known |= needs::type;
      // Without a vnode the kernel leaves the type out of the mode.
      const unsigned type = dirent_of_type(record_.type);
      if (has(attr::cmn_accessmask)) metadata.mode = (metadata.mode & 07777U) | type << 12U;
    } else {
      record_.known &= ~needs::mode;
    }
    metadata.inode = record_.file_id;
    // If a file has several names, a search of HFS+ returns the id of the link, and stat that of
    // the file (core/hfs_search.c, ResolveHardlink).
    if (layout == RecordLayout::search && names_ != 1) record_.known &= ~needs::identity;
    // A stat counts whole blocks of 512 bytes.
    metadata.allocated += (512 - metadata.allocated % 512) % 512;
  }

  void forget() {
    const std::string_view name = record_.name;
    const std::uint32_t error = record_.error;
    record_ = {};
    record_.name = name;
    record_.error = error;
  }

  Values values_;
  AttributeSet holds_;
  AttributeRecord& record_;
  std::uint32_t names_ = 1;  ///< link count, if the record has it
  bool name_refused_ = false;
};

}  // namespace

AttributeSet attributes_for(Needs wanted) {
  AttributeSet set;
  set.common = attr::cmn_name | attr::cmn_objtype;
  for (const AttributeRow& row : attribute_rows) {
    if ((wanted & row.need) == 0) continue;
    set.common |= row.common;
    set.file |= row.file;
    set.fork |= row.fork;
  }
  return set;
}

AttributeSet bulk_attributes_for(Needs wanted) {
  AttributeSet set = attributes_for(wanted);
  set.common |= attr::cmn_returned_attrs | attr::cmn_error;
  set.directory |= attr::dir_mountstatus;
  if ((wanted & (needs::finder | needs::attributes)) != 0) set.fork |= attr::cmnext_ext_flags;
  return set;
}

bool RecordDecoder::next(AttributeRecord& record) {
  while (position_ < size_ && count_ > 0) {
    --count_;
    bool refused = false;
    if (!decode(record, refused)) {
      record = {};
      malformed_ = true;
      return false;
    }
    if (!refused && !is_dots(record.name)) return true;
    if (refused) ++refused_;
  }
  return false;
}

/// Decodes the record at `position_` and moves on to the next one. False if it is malformed.
/// `refused`: its name is none that an entry can have.
bool RecordDecoder::decode(AttributeRecord& record, bool& refused) {
  const unsigned char* const begin = bytes_ + position_;
  Values values(begin, bytes_ + size_);
  const std::uint32_t length = values.word();
  // A length that is not aligned is accepted: nothing relies on it.
  if (values.ended() || length < sizeof length || length > size_ - position_) return false;
  values = Values(begin + sizeof length, begin + length);
  AttributeSet holds = requested_;
  std::uint32_t common = common_known;
  if (layout_ == RecordLayout::bulk) {
    holds = {};
    // The set names the attributes that are in this record: unsupported ones are left out of both.
    for (std::uint32_t* group :
         {&holds.common, &holds.volume, &holds.directory, &holds.file, &holds.fork}) {
      *group = values.word();
    }
    common |= attr::cmn_error | attr::cmn_returned_attrs;
    // The kernel packs the values of a directory or those of a file. A set with both, or with
    // attributes that were not requested, is invalid.
    if (holds.directory != 0 && holds.file != 0) return false;
    if ((holds.common & ~requested_.common) != 0 || (holds.file & ~requested_.file) != 0 ||
        (holds.directory & ~requested_.directory) != 0 || (holds.fork & ~requested_.fork) != 0) {
      return false;
    }
  } else if ((holds.directory | holds.file) != 0 && (holds.common & attr::cmn_objtype) == 0) {
    return false;  // without the type, the values could be those of a file or of a directory
  }
  if ((holds.common & ~common) != 0 || (holds.directory & ~directory_known) != 0 ||
      (holds.file & ~file_known) != 0 || holds.volume != 0 || (holds.fork & ~extended_known) != 0) {
    return false;
  }
  record = {};
  Decoder decoder(values, holds, record);
  if (!decoder.decode(layout_)) return false;
  refused = decoder.name_refused();
  position_ += length;
  return true;
}

// Requests to searchfs: two buffers of the same layout, one with the lower ends of ranges and one
// with the upper ends. A condition that is left out costs time, a wrong one costs results: in doubt
// it is left out.
//
//     length | offset, length of the name | modification time | size of a file | name

namespace {

/// A range of whole seconds, both ends included. `bounded`: it rules out some time that exists.
struct Seconds {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool bounded = false;
};

/// The last second that a dialect has. APFS counts nanoseconds in 64 bits; HFS+ counts seconds from
/// 1904 in 32 bits, compares them unsigned from 1970 on, and shows earlier times as 1970.
std::int64_t end_of_time(SearchDialect dialect) {
  return dialect == SearchDialect::hfs ? std::numeric_limits<std::uint32_t>::max()
                                       : std::numeric_limits<Nanoseconds>::max() / 1'000'000'000;
}

/// The whole seconds around a range, rounded outwards: 1.5 s to 2.5 s is 1 to 3. Ends before 1970
/// are left out: HFS+ has no such times, and how APFS compares them is not documented.
Seconds seconds_around(const Bound& bound, SearchDialect dialect) {
  const std::int64_t end = end_of_time(dialect);
  Seconds seconds{.first = 0, .last = end};
  if (bound.last_modified < Instant{}) return seconds;
  if (bound.first_modified < Instant{} && dialect == SearchDialect::apfs) return seconds;
  if (bound.first_modified > Instant{}) {
    seconds.first = std::min(bound.first_modified.seconds, end);
    seconds.bounded = seconds.first > 0;
  }
  if (bound.last_modified.seconds < end) {
    seconds.last = bound.last_modified.seconds + (bound.last_modified.nanoseconds != 0 ? 1 : 0);
    seconds.bounded = seconds.bounded || seconds.last < end;
  }
  return seconds;
}

/// Beginning of the text to search for: a name that contains the text contains its beginning. The
/// kernel accepts 1024 bytes, HFS+ 765 bytes of decomposed UTF-16; 255 bytes of UTF-8 never become
/// more, and no name is longer than 255 letters.
std::string_view searched_name(std::string_view text) {
  constexpr std::size_t longest = 255;
  return text::whole_characters(text.substr(0, text.find('\0')), longest);
}

/// Builds the two buffers. Values are added in the order of their bits, as in a record: name, time,
/// size. The reference to the name comes first and is filled in by finish(), when the place of the
/// text is known. Both buffers have a slot for each value, even if only one of the two is used.
class Parameters {
 public:
  Parameters() : first_(sizeof(std::uint32_t)), last_(sizeof(std::uint32_t)) {}

  /// Must be called first. The text itself comes last, and in the first buffer only.
  void add_name(std::string_view name) {
    name_ = name;
    named_ = true;
    add(std::uint64_t{0}, std::uint64_t{0});
  }
  void add_times(std::int64_t first, std::int64_t last) {
    add(first, last);
    add(std::int64_t{0}, std::int64_t{0});
  }
  void add_sizes(std::uint64_t least, std::uint64_t most) { add(least, most); }

  void finish(SearchRequest& request) {
    if (named_) {
      // The kernel checks the reference in the first buffer against the buffer's end; that in the
      // second has no text, and leads to its end.
      refer(first_, name_.size() + 1);
      refer(last_, 0);
      first_.insert(first_.end(), name_.begin(), name_.end());
      first_.resize((first_.size() + 1 + 3) & ~std::size_t{3});
    }
    for (std::vector<unsigned char>* buffer : {&first_, &last_}) {
      const auto length = static_cast<std::uint32_t>(buffer->size());
      std::memcpy(buffer->data(), &length, sizeof length);
    }
    request.first = std::move(first_);
    request.last = std::move(last_);
  }

 private:
  template <typename Number>
  void add(Number lower, Number upper) {
    append(first_, lower);
    append(last_, upper);
  }
  template <typename Number>
  static void append(std::vector<unsigned char>& buffer, Number number) {
    const std::size_t at = buffer.size();
    buffer.resize(at + sizeof number);
    std::memcpy(buffer.data() + at, &number, sizeof number);
  }
  /// Fills in the reference to `size` bytes at the end of `buffer`; it follows the length.
  static void refer(std::vector<unsigned char>& buffer, std::size_t size) {
    constexpr std::size_t at = sizeof(std::uint32_t);
    const auto offset = static_cast<std::int32_t>(buffer.size() - at);
    const auto length = static_cast<std::uint32_t>(size);
    std::memcpy(buffer.data() + at, &offset, sizeof offset);
    std::memcpy(buffer.data() + at + sizeof offset, &length, sizeof length);
  }

  /// `first_` has the lower ends and the text of the name, `last_` the upper ends. Each begins with
  /// its length, which finish() sets.
  std::vector<unsigned char> first_;
  std::vector<unsigned char> last_;
  std::string_view name_{};
  bool named_ = false;
};

/// SRCHFS_MATCHDIRS, SRCHFS_MATCHFILES or both: "files" are all that are not directories. A request
/// without both kinds would find nothing; a bound without types, or with unknown ones, searches for
/// both.
std::uint32_t kinds_of(FileTypes types) {
  const FileTypes known = types & static_cast<FileTypes>(~bit_of(FileType::unknown));
  const bool directories = (known & bit_of(FileType::directory)) != 0;
  const bool others = (known & ~bit_of(FileType::directory)) != 0;
  if (directories == others || types != known) return srchfs_matchdirs | srchfs_matchfiles;
  return directories ? srchfs_matchdirs : srchfs_matchfiles;
}

/// Fills in the conditions of `request`: options, searched attributes, and both buffers.
void search(SearchRequest& request, const Bound& bound, SearchDialect dialect) {
  const bool hfs = dialect == SearchDialect::hfs;
  const std::string_view name = searched_name(bound.name_contains);
  const Seconds seconds = seconds_around(bound, dialect);
  // Sizes are those of regular files, which searchfs cannot distinguish from symbolic links.
  const bool sized =
      hfs && bound.types == bit_of(FileType::file) &&
      (bound.least_size > 0 || bound.most_size != std::numeric_limits<std::uint64_t>::max());
  // A request without conditions needs one that is always true, another in each dialect.
  const bool unbounded = name.empty() && !seconds.bounded && !sized;

  Parameters parameters;
  if (!name.empty() || (unbounded && !hfs)) {
    request.options |= srchfs_matchpartialnames;
    request.searched.common |= attr::cmn_name;
    parameters.add_name(name);
  }
  if (seconds.bounded || (unbounded && hfs)) {
    request.searched.common |= attr::cmn_modtime;
    parameters.add_times(seconds.first, seconds.last);
  }
  if (sized) {
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    request.searched.file |= attr::file_datalength;
    parameters.add_sizes(std::min(bound.least_size, largest), std::min(bound.most_size, largest));
  }
  parameters.finish(request);
}

}  // namespace

SearchRequest search_request(const Bound& bound, Needs wanted, SearchDialect dialect) {
  SearchRequest request;
  request.returned.common = attr::cmn_name | attr::cmn_fileid | attr::cmn_parentid;
  if (dialect == SearchDialect::hfs) {
    // hfs_search.c does not return the time added. Sizes and times of files in use are those on
    // disk, and files that have or had several names have the id of a link, not of the file: for
    // entries that match, these are read separately.
    constexpr Needs returnable = (needs::type | needs::mode | needs::owner | needs::links |
                                  needs::created | needs::flags | needs::bundle | needs::hidden);
    request.options = kinds_of(bound.types);
    request.trusted = (wanted | needs::type) & returnable;
    AttributeSet attributes = attributes_for(request.trusted);
    if ((request.options & srchfs_matchdirs) != 0) attributes.directory |= attr::dir_linkcount;
    attributes.common |= request.returned.common;
    request.returned = attributes;
  } else {
    request.options = srchfs_matchdirs | srchfs_matchfiles;
  }
  search(request, bound, dialect);
  return request;
}

bool finds_all_directories(const SearchRequest& request) {
  // A request without conditions has one that is true for every time.
  const auto all = search_request({}, needs::none, SearchDialect::hfs);
  return (request.options & srchfs_matchdirs) != 0 && request.searched == all.searched &&
         request.first == all.first && request.last == all.last;
}

SearchRequest directories_request() {
  Bound bound;
  bound.types = bit_of(FileType::directory);
  return search_request(bound, needs::mode, SearchDialect::hfs);
}

}  // namespace ffind::os::darwin
