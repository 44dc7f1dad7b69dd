// SPDX-License-Identifier: MIT
// Requests to searchfs: two buffers alike, the lower ends of ranges in one, the upper ends in the
// other. What is left out of a request costs time, what is wrong in it costs results: in doubt it
// is left out.
//
//     length | offset, length of the name | modification time | size of a file | name
#include "os/formats/darwin_catalog.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "text/utf8.h"

namespace ffind::os::darwin {
namespace {

constexpr std::int64_t second = 1'000'000'000;

struct Seconds {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool bounded = false;
};

/// HFS+ counts seconds from 1904 in 32 bits, compares them unsigned from 1970 on, and shows earlier
/// times as 1970. A time that the dialect has beyond that end does not exist.
std::int64_t end_of_time(SearchDialect dialect) {
  return dialect == SearchDialect::hfs ? std::numeric_limits<std::uint32_t>::max()
                                       : std::numeric_limits<Nanoseconds>::max() / second;
}

/// The whole seconds around a range. In the time before 1970 it has no ends: HFS+ has no such
/// times, and nobody says how APFS compares them.
Seconds seconds_around(const Bound& bound, SearchDialect dialect) {
  const std::int64_t end = end_of_time(dialect);
  Seconds seconds{.first = 0, .last = end};
  if (bound.last_modified < 0) return seconds;
  if (bound.first_modified < 0 && dialect == SearchDialect::apfs) return seconds;
  if (bound.first_modified > 0) {
    seconds.first = std::min(bound.first_modified / second, end);
    seconds.bounded = seconds.first > 0;
  }
  if (bound.last_modified != std::numeric_limits<Nanoseconds>::max()) {
    const std::int64_t last =
        bound.last_modified / second + (bound.last_modified % second != 0 ? 1 : 0);
    seconds.last = std::min(last, end);
    seconds.bounded = seconds.bounded || last < end;
  }
  return seconds;
}

/// The front of the text to search for: what a name contains, it contains the front of. The kernel
/// takes 1024 bytes, HFS+ 765 bytes of decomposed UTF-16; 255 bytes of UTF-8 never become more, and
/// no name is longer than 255 letters.
std::string_view searched_name(std::string_view text) {
  constexpr std::size_t longest = 255;
  return text::whole_characters(text.substr(0, text.find('\0')), longest);
}

class Parameters {
 public:
  Parameters() : first_(sizeof(std::uint32_t)), last_(sizeof(std::uint32_t)) {}

  /// Must be the first. The text itself comes last, and in the first buffer only.
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
      // The kernel holds the reference of the first buffer to its end; it has no text to lead to in
      // the second, and leads to the end of that.
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
  static void refer(std::vector<unsigned char>& buffer, std::size_t size) {
    constexpr std::size_t at = sizeof(std::uint32_t);
    const auto offset = static_cast<std::int32_t>(buffer.size() - at);
    const auto length = static_cast<std::uint32_t>(size);
    std::memcpy(buffer.data() + at, &offset, sizeof offset);
    std::memcpy(buffer.data() + at + sizeof offset, &length, sizeof length);
  }

  std::vector<unsigned char> first_;
  std::vector<unsigned char> last_;
  std::string_view name_{};
  bool named_ = false;
};

/// To search for both kinds is more than nothing of either; that is what a bound without types has.
std::uint32_t kinds_of(FileTypes types) {
  const FileTypes known = types & static_cast<FileTypes>(~bit_of(FileType::unknown));
  const bool directories = (known & bit_of(FileType::directory)) != 0;
  const bool others = (known & ~bit_of(FileType::directory)) != 0;
  if (directories == others || types != known) return srchfs_matchdirs | srchfs_matchfiles;
  return directories ? srchfs_matchdirs : srchfs_matchfiles;
}

void search(SearchRequest& request, const Bound& bound, SearchDialect dialect) {
  const bool hfs = dialect == SearchDialect::hfs;
  const std::string_view name = searched_name(bound.name_contains);
  const Seconds seconds = seconds_around(bound, dialect);
  // A size is one of regular files, which searchfs cannot tell from symbolic links.
  const bool sized =
      hfs && bound.types == bit_of(FileType::file) &&
      (bound.least_size > 0 || bound.most_size != std::numeric_limits<std::uint64_t>::max());
  // Without any condition the dialects need one that always holds.
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
    // hfs_search.c returns nothing of the time added. Sizes and times of files in use are those on
    // disk, and whatever has or once had several names has the id of a link, not of the file: an
    // entry that matches is asked for them by itself.
    constexpr Needs returnable = (needs::type | needs::mode | needs::owner | needs::links |
                                  needs::created | needs::flags | needs::bundle);
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
  // What has no condition is given one that holds for every time.
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
