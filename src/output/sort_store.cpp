// SPDX-License-Identifier: MIT
// Matches are packed as bytes and sorted by eight bytes of their keys at a time.
//
// Sorting pointers to strings would fetch the memory of two strings for each comparison. So all
// bytes of a match are in one place of the Arena, and an Item holds eight bytes of its key as a
// number next to the pointer: most comparisons are of two numbers in one array. Only items with
// equal words read the next eight bytes (sort_items).
//
//     Arena    |head size|path size|facts|head|path|text|  the next match ...
//     Item     {word, pointer to the first byte}           16 bytes
#include "output/sort_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "text/times.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

// The byte before each value. Unknown values come last, reversed or not.
constexpr char known = 1;
constexpr char unknown = 2;

/// Big-endian, so that bytes compare as the number does. Times have their sign bit inverted first,
/// so that those before 1970 come first.
void append_number(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xFFU);
}

/// Appends bytes and a NUL, which no name contains. Other texts, such as comments, count up to
/// their first NUL.
void append_bytes(std::string& out, std::string_view text) {
  out.append(text.substr(0, text.find('\0'))) += '\0';
}

bool is_name(const RecordField& field) {
  return field.name == "name";
}

/// True for names and parts of names, for which people expect natural order.
bool is_natural(const RecordField& field) {
  return is_name(field) || field.name == "stem" || field.name == "ext";
}

}  // namespace

KeyMaker::KeyMaker(const std::vector<SortKey>& keys, const Accounts* accounts)
    : scratch_{accounts} {
  for (const SortKey& key : keys) {
    // Equal paths are of one file, so keys after `path` cannot decide. The path is not copied into
    // the head: it is kept with every match.
    if (key.field->name == "path") {
      path_reversed_ = key.reversed;
      break;
    }
    keys_.push_back(key);
    needs_ |= key.field->needs;
  }
}

void KeyMaker::append_head(std::string& out, Entry& entry) {
  for (const SortKey& key : keys_) append(out, key, entry);
}

void KeyMaker::append(std::string& out, const SortKey& key, Entry& entry) {
  const FieldValue value = key.field->read(entry, scratch_);
  const std::size_t start = out.size();
  out += known;
  // Times outside of the range are not shown, but it is known at which end they are.
  const bool comparable = value.known || text::is_clamped(value.time);
  if (!comparable || !append_value(out, *key.field, value)) {
    out.resize(start);
    out += unknown;
    return;
  }
  if (!key.reversed) return;
  for (std::size_t at = start + 1; at < out.size(); ++at) {
    out[at] = static_cast<char>(~static_cast<unsigned char>(out[at]));
  }
}

/// Returns false if the value counts as unknown after all.
bool KeyMaker::append_value(std::string& out, const RecordField& field, const FieldValue& value) {
  switch (field.sort) {
    // Names end with a NUL, which no name contains: a name that is the beginning of another comes
    // first. After the natural form the name itself decides between a and A.
    case ValueSort::bytes:
    case ValueSort::text:
      if (value.text.empty()) return false;
      if (is_natural(field)) append_folded(out, value.text);
      if (is_name(field) || !is_natural(field)) append_bytes(out, value.text);
      return true;
    case ValueSort::number:
    case ValueSort::size:
      append_number(out, value.number);
      return true;
    case ValueSort::mode:
      append_number(out, value.number & 07777U);
      return true;
    case ValueSort::time:
      append_number(out, static_cast<std::uint64_t>(value.time) ^ std::uint64_t{1} << 63U);
      return true;
    case ValueSort::list:
      break;
  }
  return false;
}

void KeyMaker::append_folded(std::string& out, std::string_view text) {
  text::append_natural_name(out, text, folded_);
  out += '\0';
}

namespace {

/// With a limit, matches collected before those after the limit are dropped, at least.
constexpr std::uint64_t least_collected = 1024;
/// Items up to this number are compared as a whole instead of word by word: their words are in one
/// or two cache lines.
constexpr std::size_t few = 12;
/// Items whose memory is prefetched ahead: they are anywhere.
constexpr std::size_t items_ahead = 8;

constexpr std::size_t longest_number = 10;

/// LEB128: seven bits in a byte, the lowest first; the highest bit says that another byte follows.
/// Lengths below 128 take one byte. Returns the end of what was written.
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

/// Returns the first eight bytes as a number that compares as they do, padded with zeros.
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

/// Returns the length of the whole words that two texts have in common, in bytes.
std::size_t common_length(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t common = 0;
  while (common + 8 <= most && std::memcmp(a.data() + common, b.data() + common, 8) == 0) {
    common += 8;
  }
  return common;
}

/// A head takes whole words; the path begins with a word of its own.
std::size_t words_in(std::string_view head) {
  return (head.size() + 7) / 8;
}

// Packing of a record. Most begin with the path: only the text after it is packed, and its length
// plus one before the texts. For other records that is 0, followed by the record's length.

std::string_view text_after_path(std::string_view path, std::string_view record) {
  return record.substr(0, path.size()) == path ? record.substr(path.size()) : record;
}

char* write_kept(char* to, std::string_view record, std::string_view after_path) {
  if (after_path.size() < record.size()) return write_number(to, after_path.size() + 1);
  return write_number(write_number(to, 0), record.size());
}

const char* end_of(std::string_view record) {
  return record.data() + record.size();
}

int compare_kept(std::string_view a, std::string_view b) {
  return a.compare(b);
}

// Packing of a Match: its facts before the texts, its name after the path.

/// Everything in a Match but its texts, copied as it is in memory: packed matches never leave the
/// process.
struct MatchFacts {
  os::Identity identity;
  std::optional<std::uint64_t> size;
  std::optional<Nanoseconds> modified;
  std::size_t root_size;
  std::size_t text_size;
  bool is_root;
};

std::string_view text_after_path(std::string_view, const Match& match) {
  return match.text;
}

char* write_kept(char* to, const Match& match, std::string_view) {
  const MatchFacts facts{match.identity,  match.size,        match.modified,
                         match.root_size, match.text.size(), match.is_root};
  std::memcpy(to, &facts, sizeof facts);
  return to + sizeof facts;
}

const char* end_of(const Match& match) {
  return match.text.data() + match.text.size();
}

int compare_kept(const Match& a, const Match& b) {
  return a.root_size < b.root_size ? -1 : a.root_size > b.root_size ? 1 : 0;
}

/// The part before the texts, once it is read.
template <typename Kept>
struct Unread;

template <>
struct Unread<std::string_view> {
  std::uint64_t more;  ///< than the path, plus one
  std::uint64_t size;

  std::string_view appended_to(std::string_view path) const {
    if (more > 0) return {path.data(), path.size() + more - 1};
    return {path.data() + path.size(), size};
  }
};

template <>
struct Unread<Match> {
  MatchFacts facts;

  Match appended_to(std::string_view path) const {
    return {path,
            facts.root_size,
            facts.is_root,
            facts.identity,
            facts.size,
            facts.modified,
            {path.data() + path.size(), facts.text_size}};
  }
};

template <typename Kept>
Unread<Kept> read_kept(const char*& from) {
  if constexpr (std::is_same_v<Kept, Match>) {
    Unread<Match> match{};
    std::memcpy(&match.facts, from, sizeof match.facts);
    from += sizeof match.facts;
    return match;
  } else {
    const std::uint64_t more = read_number(from);
    return {more, more > 0 ? 0 : read_number(from)};
  }
}

template <typename Kept>
constexpr std::size_t longest_fixed = 2 * longest_number +
                                      (std::is_same_v<Kept, Match> ? sizeof(MatchFacts)
                                                                   : 2 * longest_number);

}  // namespace

int StoredOrder::compare(const StoredKey& a, const StoredKey& b) const {
  if (const int heads = a.head.compare(b.head); heads != 0) return heads;
  const int paths = a.path.compare(b.path);
  return path_reversed_ ? -paths : paths;
}

template <typename Kept>
int StoredOrder::compare(const Stored<Kept>& a, const Stored<Kept>& b) const {
  const int keys = compare(static_cast<const StoredKey&>(a), static_cast<const StoredKey&>(b));
  return keys != 0 ? keys : compare_kept(a.kept, b.kept);
}

template <typename Kept>
SortStore<Kept>::SortStore(StoredOrder order, std::uint64_t limit)
    : order_(order),
      limit_(limit),
      enough_(limit < UINT64_MAX / 2 ? std::max(2 * limit, least_collected) : UINT64_MAX) {}

template <typename Kept>
bool SortStore<Kept>::wants(const StoredKey& key) const {
  // Without a limit last_ is null, and everything is wanted.
  if (limit_ == 0) return false;
  return last_ == nullptr || order_.compare(key, static_cast<StoredKey>(unpack(last_))) <= 0;
}

template <typename Kept>
void SortStore<Kept>::add(const StoredKey& key, const Kept& kept) {
  pack({key, kept});
  if (++count_ >= enough_) drop_the_last();
}

// Layout: the lengths of head and path, the facts of Kept, head, path, the text of Kept.

template <typename Kept>
void SortStore<Kept>::pack(const Stored<Kept>& stored) {
  const std::string_view text = text_after_path(stored.path, stored.kept);
  std::array<char, longest_fixed<Kept>> fixed;
  char* end = write_number(fixed.data(), stored.head.size());
  end = write_number(end, stored.path.size());
  end = write_kept(end, stored.kept, text);
  const auto length = static_cast<std::size_t>(end - fixed.data());
  char* to = arena_.allocate(length + stored.head.size() + stored.path.size() + text.size());
  to = write_bytes(to, {fixed.data(), length});
  to = write_bytes(to, stored.head);
  to = write_bytes(to, stored.path);
  write_bytes(to, text);
}

template <typename Kept>
Stored<Kept> SortStore<Kept>::unpack(const char* packed) {
  const std::uint64_t head = read_number(packed);
  const std::uint64_t path = read_number(packed);
  Unread<Kept> kept = read_kept<Kept>(packed);
  const std::string_view path_text(packed + head, path);
  return {{{packed, head}, path_text}, kept.appended_to(path_text)};
}

template <typename Kept>
void SortStore<Kept>::sort() {
  if (count_ > limit_) {
    drop_the_last();
  } else {
    list_items();
    sort_items();
  }
}

template <typename Kept>
void SortStore<Kept>::expect(std::size_t index) const {
  if (index >= items_.size()) return;
  __builtin_prefetch(items_[index].packed);
  __builtin_prefetch(items_[index].packed + 64);
}

template <typename Kept>
void SortStore<Kept>::list_items() {
  items_.clear();
  items_.reserve(count_);
  for (const std::string_view block : arena_.blocks()) {
    const char* at = block.data();
    const char* const end = at + block.size();
    while (at != end) {
      const Stored<Kept> stored = unpack(at);
      items_.push_back({word_of(stored, 0), at});
      at = end_of(stored.kept);
    }
  }
}

/// Keeps the first matches, in new memory. Called each time that twice the limit (at least 1,024)
/// has been collected, so that an added match costs sorting two and copying one, at most and on
/// average. The old arena is freed at the end: the kept matches are packed again, in order.
template <typename Kept>
void SortStore<Kept>::drop_the_last() {
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

/// Sorts by the first word, then those with the same first word by the second, and so on: each word
/// is fetched once, and compared as a number. Multikey quicksort without recursion.
template <typename Kept>
void SortStore<Kept>::sort_items() {
  std::vector<Range> ranges{{0, items_.size(), 0}};
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    sort_range(range, ranges);
  }
}

template <typename Kept>
void SortStore<Kept>::sort_range(const Range& range, std::vector<Range>& later) {
  const auto items = items_.begin();
  const auto at = [&](std::size_t index) { return items + static_cast<std::ptrdiff_t>(index); };
  const auto begin = at(range.begin);
  const auto end = at(range.end);
  // Few: their keys are compared to the end at once.
  if (range.end - range.begin <= few) {
    std::sort(begin, end, [this](const Item& a, const Item& b) {
      return order_.compare(unpack(a.packed), unpack(b.packed)) < 0;
    });
    return;
  }
  // Paths have long common beginnings, so often all words are the same.
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
    // Unique so far, which is all that sorting needs.
    if (equal.end - equal.begin == 1) continue;
    // Keys without another word that agree in this one are the same key.
    if (ends_with(unpack(items_[equal.begin].packed), range.word)) {
      sort_by_kept(equal);
      continue;
    }
    later.push_back(fetch_next(equal));
  }
}

/// Goes on to the next word in which the keys of a range may differ. Common beginnings of paths are
/// skipped in one go, since the memory of each path has to be waited for.
template <typename Kept>
typename SortStore<Kept>::Range SortStore<Kept>::fetch_next(Range range) {
  const Stored<Kept> first = unpack(items_[range.begin].packed);
  const std::size_t heads = words_in(first.head);
  if (range.word >= heads) {
    const std::size_t from = (range.word - heads) * 8;
    // The common beginning gets shorter with each path; below a word there is nothing to skip.
    std::size_t common = first.path.size() - from;
    for (std::size_t i = range.begin + 1; i < range.end && common >= 8; ++i) {
      expect(i + items_ahead);
      const std::string_view path = unpack(items_[i].packed).path;
      common = common_length(first.path.substr(from, common), path.substr(from));
    }
    range.word += common / 8;
  }
  for (std::size_t i = range.begin; i < range.end; ++i) {
    expect(i + items_ahead);
    items_[i].word = word_of(unpack(items_[i].packed), range.word);
  }
  return range;
}

/// Sorts matches with the same key: roots may be inside one another.
template <typename Kept>
void SortStore<Kept>::sort_by_kept(const Range& range) {
  const auto items = items_.begin();
  std::sort(items + static_cast<std::ptrdiff_t>(range.begin),
            items + static_cast<std::ptrdiff_t>(range.end), [](const Item& a, const Item& b) {
              return compare_kept(unpack(a.packed).kept, unpack(b.packed).kept) < 0;
            });
}

/// Head and path begin with a word each. If all words before are the same, the heads of two keys
/// end at the same place, since neither is the beginning of the other. Beyond the end of a path the
/// word is 0, so a path comes before those that it begins.
template <typename Kept>
std::uint64_t SortStore<Kept>::word_of(const StoredKey& key, std::size_t index) const {
  const std::size_t heads = words_in(key.head);
  if (index < heads) return leading_word(key.head.substr(index * 8));
  const std::size_t from = std::min((index - heads) * 8, key.path.size());
  const std::uint64_t word = leading_word(key.path.substr(from));
  return order_.path_reversed() ? ~word : word;
}

/// Returns true if the key has no word after that one, like all keys that are the same so far.
template <typename Kept>
bool SortStore<Kept>::ends_with(const StoredKey& key, std::size_t index) {
  return index >= words_in(key.head) + key.path.size() / 8;
}

template class SortStore<std::string_view>;
template class SortStore<Match>;
template int StoredOrder::compare(const Stored<std::string_view>&,
                                  const Stored<std::string_view>&) const;
template int StoredOrder::compare(const Stored<Match>&, const Stored<Match>&) const;

}  // namespace ffind::output
