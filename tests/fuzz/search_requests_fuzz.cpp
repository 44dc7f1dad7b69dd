// SPDX-License-Identifier: MIT
// Fuzzes the requests to searchfs against a small searchfs: what satisfies a bound, the request
// made of it must find. Input: dialect, what is wanted, types, sizes and times of the bound, type,
// size and time of an entry, where in its name the text of the bound lies, and that text.
#include <limits>
#include <string>
#include <vector>

#include "fakes/instants.h"
#include "fuzz/fuzz.h"
#include "os/formats/darwin_attributes.h"

namespace ffind::fuzz::search_requests_fuzz {

namespace {

using namespace os::darwin;

struct File {
  std::string name;
  FileType type;
  std::uint64_t size;
  Instant modified;
};

bool satisfies(const File& file, const Bound& bound) {
  return file.name.find(bound.name_contains) != std::string::npos &&
         (bound.types & bit_of(file.type)) != 0 &&
         (file.type != FileType::file ||
          (file.size >= bound.least_size && file.size <= bound.most_size)) &&
         file.modified >= bound.first_modified && file.modified <= bound.last_modified;
}

/// What the kernel takes from the two buffers, held to its checks.
class Conditions {
 public:
  explicit Conditions(const SearchRequest& request) : request_(request) {
    require(request.first.size() <= 4096 && request.last.size() <= 4096, "the kernel's most");
    require((request.searched.common & ~0x401U) == 0 && (request.searched.file & ~0x200U) == 0 &&
                (request.searched.volume | request.searched.directory | request.searched.fork) == 0,
            "no more is searched for than is packed");
    require(first_.take<std::uint32_t>() == request.first.size(), "a buffer says its length");
    require(last_.take<std::uint32_t>() == request.last.size(), "a buffer says its length");
    if (named()) take_name();
    if (dated()) take_times();
    if (sized()) {
      least_ = first_.take<std::uint64_t>();
      most_ = last_.take<std::uint64_t>();
    }
    require(last_.empty(), "nothing else is in the second buffer");
    require(first_.data() == (named() ? text_ : end_of(request.first)), "nor in the first");
  }

  bool named() const { return (request_.searched.common & 0x1) != 0; }
  bool dated() const { return (request_.searched.common & 0x400) != 0; }
  bool sized() const { return (request_.searched.file & 0x200) != 0; }
  const std::string& name() const { return name_; }

  bool finds_on_hfs(const File& file) const {
    if ((request_.options & (file.type == FileType::directory ? 0x4U : 0x8U)) == 0) return false;
    if (named() && (name_.empty() || file.name.find(name_) == std::string::npos)) return false;
    if (sized() && file.type != FileType::directory && (file.size < least_ || file.size > most_)) {
      return false;
    }
    const auto seconds = static_cast<std::uint64_t>(file.modified.seconds);
    return !dated() || (seconds >= static_cast<std::uint64_t>(begin_) &&
                        seconds <= static_cast<std::uint64_t>(end_));
  }

  bool finds_on_apfs(const File& file) const {
    require((request_.options & 0xCU) == 0xCU && !sized(), "types and sizes are wrong there");
    if (named() && file.name.find(name_) == std::string::npos) return false;
    const bool ends = end_ < std::numeric_limits<Nanoseconds>::max() / 1'000'000'000;
    return !dated() ||
           (file.modified >= Instant{begin_} && (!ends || file.modified <= Instant{end_}));
  }

 private:
  static const std::uint8_t* end_of(const std::vector<unsigned char>& bytes) {
    return bytes.data() + bytes.size();
  }

  void take_name() {
    const std::uint8_t* const reference = first_.data();
    const auto offset = first_.take<std::int32_t>();
    const auto length = first_.take<std::uint32_t>();
    require(offset >= 8 && offset <= end_of(request_.first) - reference, "a name lies behind");
    require(length >= 1 && length <= 1024 &&
                length <= static_cast<std::size_t>(end_of(request_.first) - reference - offset),
            "a name ends in its buffer");
    text_ = reference + offset;
    name_.assign(reinterpret_cast<const char*>(text_), length);
    require(name_.find('\0') == length - 1, "a NUL ends a name");
    name_.pop_back();
    const std::uint8_t* const slot = last_.data();
    require(last_.take<std::int32_t>() == end_of(request_.last) - slot &&
                last_.take<std::uint32_t>() == 0,
            "the second name is an empty place");
  }

  void take_times() {
    begin_ = first_.take<std::int64_t>();
    end_ = last_.take<std::int64_t>();
    require(first_.take<std::int64_t>() == 0 && last_.take<std::int64_t>() == 0, "whole seconds");
    require(begin_ >= 0 && end_ >= 0, "no time is negative");
  }

  const SearchRequest& request_;
  Input first_{request_.first.data(), request_.first.size()};
  Input last_{request_.last.data(), request_.last.size()};
  const std::uint8_t* text_ = nullptr;
  std::string name_;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  std::uint64_t least_ = 0;
  std::uint64_t most_ = 0;
};

void check_returned(const SearchRequest& request, Needs wanted, SearchDialect dialect) {
  require((request.returned.common & 0x6000001) == 0x6000001, "names and ids are returned");
  require((request.returned.volume | request.returned.fork) == 0, "which may not be returned");
  require((request.returned.common & 0xE0000000) == 0, "which may not be returned");
  require((request.trusted & ~(wanted | needs::type)) == 0, "no more is trusted than wanted");
  if (dialect == SearchDialect::apfs) require(request.trusted == needs::none, "nothing is trusted");
}

}  // namespace

FUZZ_TARGET(search_requests) {
  Input input(data, size);
  const auto dialect = static_cast<SearchDialect>(input.take<std::uint8_t>() & 1U);
  const auto wanted = input.take<std::uint32_t>();
  Bound bound;
  bound.types = input.take<std::uint8_t>();
  bound.least_size = input.take<std::uint64_t>();
  bound.most_size = input.take<std::uint64_t>();
  bound.first_modified = after_1970(input.take<std::int64_t>());
  bound.last_modified = after_1970(input.take<std::int64_t>());
  File file;
  file.type = static_cast<FileType>(1 + input.take<std::uint8_t>() % 7);
  file.size = input.take<std::uint64_t>() >> 1U;  // as an off_t can hold
  file.modified = after_1970(input.take<std::int64_t>());
  const std::size_t before = input.take<std::uint8_t>();
  bound.name_contains = input.rest();
  file.name = std::string(before, 'x') + bound.name_contains + "y";

  const SearchRequest request = search_request(bound, wanted, dialect);
  const Conditions conditions(request);
  check_returned(request, wanted, dialect);
  require(bound.name_contains.starts_with(conditions.name()), "a shorter text is in the longer");
  if (!conditions.name().empty() && conditions.name().size() < bound.name_contains.size()) {
    const auto next = static_cast<std::uint8_t>(bound.name_contains[conditions.name().size()]);
    require((next & 0xC0U) != 0x80U, "it ends between characters");
  }
  if (!satisfies(file, bound)) return 0;
  if (dialect == SearchDialect::hfs) {
    // There are no other times on HFS+.
    const bool possible = file.modified.seconds >= 0 && file.modified.seconds <= 0xFFFFFFFF;
    require(!possible || conditions.finds_on_hfs(file), "what matches is found");
  } else {
    require(conditions.finds_on_apfs(file), "what matches is found");
  }
  return 0;
}

}  // namespace ffind::fuzz::search_requests_fuzz
