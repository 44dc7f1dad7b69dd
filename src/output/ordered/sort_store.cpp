// SPDX-License-Identifier: MIT
// Packing, and sorting by eight bytes of the keys at a time. See sort_store.h.
#include "output/ordered/sort_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ffind {
namespace {

/// A few matches take a few pages; of the last block half of so much is unused on the average.
constexpr std::size_t first_block = std::size_t{16} * 1024;
constexpr std::size_t largest_block = std::size_t{1024} * 1024;
/// With a limit, so many are gathered at least before those behind it are dropped.
constexpr std::uint64_t least_gathered = 1024;
/// What is compared as a whole instead of word by word: its words lie in one or two cache lines.
constexpr std::size_t few = 12;
/// So many items ahead their memory is asked for: they lie anywhere.
constexpr std::size_t ahead = 8;

constexpr std::size_t longest_number = 10;

char* write_number(char* to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) *to++ = static_cast<char>(number | 0x80U);
  *to++ = static_cast<char>(number);
  return to;
}

std::uint64_t read_number(const char*& from) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*from++);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return number;
  }
}

char* write_bytes(char* to, std::string_view bytes) {
  std::copy(bytes.begin(), bytes.end(), to);
  return to + bytes.size();
}

/// The first eight bytes as a number that compares as they do; zeros stand for what is missing.
std::uint64_t leading_word(std::string_view bytes) {
  std::uint64_t word = 0;
  if (bytes.size() >= sizeof word) {
    std::memcpy(&word, bytes.data(), sizeof word);
  } else {
    std::memcpy(&word, bytes.data(), bytes.size());
  }
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
  return word;
}

/// How many whole words two texts have in common, in bytes.
std::size_t common_length(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t common = 0;
  while (common + 8 <= most && std::memcmp(a.data() + common, b.data() + common, 8) == 0) {
    common += 8;
  }
  return common;
}

std::size_t words_in(std::string_view head) {
  return (head.size() + 7) / 8;
}

}  // namespace

int StoredOrder::compare_keys(const Stored& a, const Stored& b) const {
  if (const int heads = a.head.compare(b.head); heads != 0) return heads;
  const int paths = a.path.compare(b.path);
  return path_reversed_ ? -paths : paths;
}

int StoredOrder::compare(const Stored& a, const Stored& b) const {
  const int keys = compare_keys(a, b);
  return keys != 0 ? keys : a.record.compare(b.record);
}

char* Arena::allocate(std::size_t size) {
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < size) {
    const std::size_t grown = blocks_.empty() ? first_block : blocks_.back().size * 2;
    const std::size_t needed = std::max(std::min(grown, largest_block), size);
    // Left as it is: what a block is made for is written at once, and zeros first cost pages.
    blocks_.push_back({std::unique_ptr<char[]>(new char[needed]), 0, needed});
  }
  Block& block = blocks_.back();
  char* const bytes = block.bytes.get() + block.used;
  block.used += size;
  return bytes;
}

std::vector<std::string_view> Arena::blocks() const {
  std::vector<std::string_view> all;
  all.reserve(blocks_.size());
  for (const Block& block : blocks_) all.emplace_back(block.bytes.get(), block.used);
  return all;
}

SortStore::SortStore(StoredOrder order, std::uint64_t limit)
    : order_(order),
      limit_(limit),
      enough_(limit < UINT64_MAX / 2 ? std::max(2 * limit, least_gathered) : UINT64_MAX) {}

bool SortStore::wants(std::string_view head, std::string_view path) const {
  if (limit_ == 0) return false;
  return last_ == nullptr || order_.compare_keys({head, path, {}}, unpack(last_)) <= 0;
}

void SortStore::add(std::string_view head, std::string_view path, std::string_view record) {
  pack({head, path, record});
  if (++count_ >= enough_) drop_the_last();
}

// Packed: the lengths of head and path, how much longer than the path the record is if it begins
// with that (plus one, and else 0 and its length), head, path, what the record has more.

void SortStore::pack(const Stored& stored) {
  const auto& [head, path, record] = stored;
  const bool begins_with_path = record.substr(0, path.size()) == path;
  const std::string_view rest = begins_with_path ? record.substr(path.size()) : record;
  std::array<char, 4 * longest_number> lengths{};
  char* end = write_number(lengths.data(), head.size());
  end = write_number(end, path.size());
  end = write_number(end, begins_with_path ? rest.size() + 1 : 0);
  if (!begins_with_path) end = write_number(end, rest.size());
  const auto length = static_cast<std::size_t>(end - lengths.data());
  char* to = arena_.allocate(length + head.size() + path.size() + rest.size());
  to = write_bytes(to, {lengths.data(), length});
  to = write_bytes(to, head);
  to = write_bytes(to, path);
  write_bytes(to, rest);
}

Stored SortStore::unpack(const char* packed) {
  const std::uint64_t head = read_number(packed);
  const std::uint64_t path = read_number(packed);
  const std::uint64_t more = read_number(packed);
  const std::uint64_t rest = more > 0 ? more - 1 : read_number(packed);
  const char* const path_begin = packed + head;
  const char* const rest_begin = path_begin + path;
  return {
      {packed, head},
      {path_begin, path},
      more > 0 ? std::string_view(path_begin, path + rest) : std::string_view(rest_begin, rest)};
}

const char* SortStore::end_of(const Stored& stored) {
  return stored.record.data() + stored.record.size();
}

void SortStore::sort() {
  if (count_ > limit_) {
    drop_the_last();
  } else {
    list_items();
    sort_items();
  }
}

void SortStore::expect(std::size_t index) const {
  if (index >= items_.size()) return;
  __builtin_prefetch(items_[index].packed);
  __builtin_prefetch(items_[index].packed + 64);
}

void SortStore::list_items() {
  items_.clear();
  items_.reserve(count_);
  for (const std::string_view block : arena_.blocks()) {
    const char* at = block.data();
    const char* const end = at + block.size();
    while (at != end) {
      const Stored stored = unpack(at);
      items_.push_back({word_of(stored, 0), at});
      at = end_of(stored);
    }
  }
}

/// Keeps the first, in new memory.
void SortStore::drop_the_last() {
  list_items();
  sort_items();
  const Arena old = std::move(arena_);
  arena_ = Arena();
  items_.resize(std::min<std::uint64_t>(items_.size(), limit_));
  count_ = items_.size();
  for (const Item& item : items_) pack(unpack(item.packed));
  list_items();
  last_ = items_.empty() ? nullptr : items_.back().packed;
}

/// By the first word, then those whose first is the same by the second, and so on: each word is
/// fetched once, and compared as a number. Quicksort of multiple keys, without its recursion.
void SortStore::sort_items() {
  std::vector<Range> ranges{{0, items_.size(), 0}};
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    sort_range(range, ranges);
  }
}

void SortStore::sort_range(const Range& range, std::vector<Range>& later) {
  const auto items = items_.begin();
  const auto at = [&](std::size_t index) { return items + static_cast<std::ptrdiff_t>(index); };
  const auto begin = at(range.begin);
  const auto end = at(range.end);
  if (range.end - range.begin <= few) {
    std::sort(begin, end, [this](const Item& a, const Item& b) {
      return order_.compare(unpack(a.packed), unpack(b.packed)) < 0;
    });
    return;
  }
  // Paths have much in common: often there is nothing to sort by.
  const std::uint64_t first = begin->word;
  const bool same = std::all_of(begin, end, [&](const Item& item) { return item.word == first; });
  if (!same) {
    std::sort(begin, end, [](const Item& a, const Item& b) { return a.word < b.word; });
  }
  for (std::size_t from = range.begin; from < range.end;) {
    std::size_t to = from + 1;
    while (to < range.end && items_[to].word == items_[from].word) ++to;
    const Range equal{from, to, range.word + 1};
    from = to;
    if (equal.end - equal.begin == 1) continue;
    if (ends_with(unpack(items_[equal.begin].packed), range.word)) {
      sort_by_record(equal);
      continue;
    }
    later.push_back(fetch_next(equal));
  }
}

/// Goes on to the next word in which the keys of a range may differ. What many paths begin with is
/// passed over in one go: of each, memory has to be waited for.
SortStore::Range SortStore::fetch_next(Range range) {
  const Stored first = unpack(items_[range.begin].packed);
  const std::size_t heads = words_in(first.head);
  if (range.word >= heads) {
    const std::size_t from = (range.word - heads) * 8;
    std::size_t common = first.path.size() - from;
    for (std::size_t i = range.begin + 1; i < range.end && common >= 8; ++i) {
      expect(i + ahead);
      const std::string_view path = unpack(items_[i].packed).path;
      common = common_length(first.path.substr(from, common), path.substr(from));
    }
    range.word += common / 8;
  }
  for (std::size_t i = range.begin; i < range.end; ++i) {
    expect(i + ahead);
    items_[i].word = word_of(unpack(items_[i].packed), range.word);
  }
  return range;
}

/// The same match twice: roots may lie inside one another.
void SortStore::sort_by_record(const Range& range) {
  const auto items = items_.begin();
  std::sort(items + static_cast<std::ptrdiff_t>(range.begin),
            items + static_cast<std::ptrdiff_t>(range.end), [](const Item& a, const Item& b) {
              return unpack(a.packed).record < unpack(b.packed).record;
            });
}

/// Head and path begin with a word each. Where all words before are the same, the heads of two keys
/// end at the same place, since neither is the beginning of the other.
std::uint64_t SortStore::word_of(const Stored& stored, std::size_t index) const {
  const std::size_t heads = words_in(stored.head);
  if (index < heads) return leading_word(stored.head.substr(index * 8));
  const std::size_t from = std::min((index - heads) * 8, stored.path.size());
  const std::uint64_t word = leading_word(stored.path.substr(from));
  return order_.path_reversed() ? ~word : word;
}

/// Whether the key has no word behind that one, nor has any key that is the same so far.
bool SortStore::ends_with(const Stored& stored, std::size_t index) {
  return index >= words_in(stored.head) + stored.path.size() / 8;
}

}  // namespace ffind
