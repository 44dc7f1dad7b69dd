// SPDX-License-Identifier: MIT
// Matches are packed as bytes and sorted by eight bytes of their keys at a time, as numbers in one
// array: a comparison of two keys waits for the memory of both. Sorting 560,000 names by
// comparisons of keys alone took twice the time.
//
//     Arena    |sizes, facts|head|path|text|  the next match ...
//     Item     {word, pointer to the first byte}
#include "output/sort_store.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "text/times.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

// The byte before each value. Unknown values come last, reversed or not.
constexpr char known = 1;
constexpr char unknown = 2;

/// Big-endian, so that bytes compare as the number does. Times have their sign bit inverted first,
/// so that those before 1970 come first.
void append_number(std::string& out, std::uint64_t number, int bytes = 8) {
  for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8) {
    out += static_cast<char>(number >> shift & 0xFFU);
  }
}

/// Appends bytes and a NUL, which no name contains. Other texts, such as comments, count up to
/// their first NUL.
void append_bytes(std::string& out, std::string_view text) {
  out.append(text.substr(0, text.find('\0'))) += '\0';
}

void invert(std::string& text, std::size_t start) {
  for (; start < text.size(); ++start) {
    text[start] = static_cast<char>(~static_cast<unsigned char>(text[start]));
  }
}

bool is_name(const RecordField& field) {
  return field.name == "name";
}

/// True for names and parts of names, for which people expect natural order.
bool is_natural(const RecordField& field) {
  return is_name(field) || field.name == "stem" || field.name == "ext";
}

/// With a limit, matches collected before those after the limit are dropped, at least.
constexpr std::size_t least_collected = 1024;
/// Smaller ranges are sorted by whole keys, and larger ones after this number of words: the paths
/// of a chain of directories have all but one name in common.
constexpr std::ptrdiff_t few = 16;
constexpr int most_words = 12;

// Most records begin with the path, which is packed once: `text` is the rest, or the whole record.

struct RecordFacts {
  std::uint32_t text_size : 31;
  std::uint32_t follows_path : 1;
};

std::string_view text_of(std::string_view record, std::string_view path) {
  return record.substr(0, path.size()) == path ? record.substr(path.size()) : record;
}

RecordFacts facts_of(std::string_view record, std::string_view text) {
  return {static_cast<std::uint32_t>(text.size()) & 0x7FFFFFFFU,
          text.size() < record.size() ? 1U : 0U};
}

/// `path` is followed by the text.
std::string_view kept_of(RecordFacts facts, std::string_view path) {
  if (facts.follows_path != 0) return {path.data(), path.size() + facts.text_size};
  return {path.data() + path.size(), facts.text_size};
}

std::string_view text_of(const Match& match, std::string_view) {
  return match.text;
}

Match facts_of(const Match& match, std::string_view) {
  return match;
}

Match kept_of(Match match, std::string_view path) {
  match.path = path;
  match.text = {path.data() + path.size(), match.text.size()};
  return match;
}

const char* end_of(std::string_view record) {
  return record.data() + record.size();
}

const char* end_of(const Match& match) {
  return end_of(match.text);
}

/// Head of a packed match, before its texts.
template <typename Kept>
struct Packed {
  std::uint32_t head_size;
  std::uint32_t path_size;
  std::conditional_t<std::is_same_v<Kept, Match>, Match, RecordFacts> facts;
};

char* write(char* to, std::string_view text) {
  return std::copy(text.begin(), text.end(), to);
}

/// Returns the bytes of a packed key from `at` on.
template <typename Kept>
std::string_view key_from(const char* packed, std::size_t at) {
  Packed<Kept> fixed;
  std::memcpy(&fixed, packed, sizeof fixed);
  return {packed + sizeof fixed + at, fixed.head_size + fixed.path_size - at};
}

int compare_kept(std::string_view a, std::string_view b) {
  return a.compare(b);
}

int compare_kept(const Match& a, const Match& b) {
  return a.root_size < b.root_size ? -1 : a.root_size > b.root_size ? 1 : 0;
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
  const std::size_t start = out.size();
  for (const SortKey& key : keys_) append(out, key, entry);
  if (path_reversed_) invert(out, start);
}

void KeyMaker::append(std::string& out, const SortKey& key, Entry& entry) {
  const FieldValue value = key.field->read(entry, scratch_);
  const std::size_t start = out.size();
  out += known;
  if (!value.is_comparable() || !append_value(out, *key.field, value)) {
    out.resize(start);
    out += unknown;
    return;
  }
  if (key.reversed) invert(out, start + 1);
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
      append_number(out, static_cast<std::uint64_t>(value.time.seconds) ^ std::uint64_t{1} << 63U);
      append_number(out, static_cast<std::uint64_t>(value.time.nanoseconds), 4);
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

int StoredOrder::compare(const StoredKey& a, const StoredKey& b) const {
  const int heads = a.head.compare(b.head);
  const int order = heads != 0 ? heads : a.path.compare(b.path);
  return reversed_ ? -order : order;
}

template <typename Kept>
int StoredOrder::compare(const Stored<Kept>& a, const Stored<Kept>& b) const {
  const int keys = compare(static_cast<const StoredKey&>(a), static_cast<const StoredKey&>(b));
  return keys != 0 ? keys : compare_kept(a.kept, b.kept);
}

template <typename Kept>
SortStore<Kept>::SortStore(StoredOrder order, std::size_t limit)
    : order_(order),
      limit_(limit),
      enough_(limit < SIZE_MAX / 2 ? std::max(2 * limit, least_collected) : SIZE_MAX) {}

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

template <typename Kept>
const char* SortStore<Kept>::pack(const Stored<Kept>& stored) {
  const std::string_view text = text_of(stored.kept, stored.path);
  const Packed<Kept> fixed{static_cast<std::uint32_t>(stored.head.size()),
                           static_cast<std::uint32_t>(stored.path.size()),
                           facts_of(stored.kept, text)};
  char* const packed =
      arena_.allocate(sizeof fixed + stored.head.size() + stored.path.size() + text.size());
  std::memcpy(packed, &fixed, sizeof fixed);
  write(write(write(packed + sizeof fixed, stored.head), stored.path), text);
  return packed;
}

template <typename Kept>
Stored<Kept> SortStore<Kept>::unpack(const char* packed) {
  Packed<Kept> fixed;
  std::memcpy(&fixed, packed, sizeof fixed);
  const char* const head = packed + sizeof fixed;
  const std::string_view path(head + fixed.head_size, fixed.path_size);
  return {{{head, fixed.head_size}, path}, kept_of(fixed.facts, path)};
}

template <typename Kept>
void SortStore<Kept>::list_items() {
  items_.clear();
  items_.reserve(count_);
  for (const std::string_view block : arena_.blocks()) {
    for (const char* at = block.data(); at != end_of(block); at = end_of(unpack(at).kept)) {
      items_.push_back({0, at});
    }
  }
}

/// Keeps the first matches, in new memory. Called each time that twice the limit (at least 1,024)
/// has been collected, so that an added match costs two comparisons and one copy, on average.
template <typename Kept>
void SortStore<Kept>::drop_the_last() {
  list_items();
  // With a limit of 0 none was wanted.
  const auto end = items_.begin() + static_cast<std::ptrdiff_t>(limit_);
  std::nth_element(items_.begin(), end - 1, items_.end(),
                   [this](const Item& a, const Item& b) { return comes_before(a, b); });
  const Arena old = std::exchange(arena_, {});
  count_ = limit_;
  std::for_each(items_.begin(), end,
                [this](const Item& item) { last_ = pack(unpack(item.packed)); });
}

template <typename Kept>
void SortStore<Kept>::sort() {
  if (count_ > limit_) drop_the_last();
  list_items();
  std::vector<Range> ranges = {{items_.begin(), items_.end(), 0, 0}};
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    sort_range(range, ranges);
  }
}

/// Sorts by the first word in which the keys differ; items with the same word are sorted later.
template <typename Kept>
void SortStore<Kept>::sort_range(Range range, std::vector<Range>& later) {
  if (range.end - range.begin < few || range.words == most_words) {
    std::sort(range.begin, range.end,
              [this](const Item& a, const Item& b) { return comes_before(a, b); });
    return;
  }
  std::string_view common = key_from<Kept>(range.begin->packed, range.common);
  for (Items item = range.begin; item != range.end && !common.empty(); ++item) {
    const std::string_view key = key_from<Kept>(item->packed, range.common);
    common = common.substr(0, common_beginning(common, key));
  }
  range.common += common.size();
  for (Items item = range.begin; item != range.end; ++item) {
    const std::uint64_t word = leading_word(key_from<Kept>(item->packed, range.common));
    item->word = order_.reversed() ? ~word : word;
  }
  std::sort(range.begin, range.end, [](const Item& a, const Item& b) { return a.word < b.word; });
  for (Items from = range.begin; from != range.end;) {
    const Items to =
        std::find_if(from, range.end, [&](const Item& item) { return item.word != from->word; });
    if (to - from > 1) later.push_back({from, to, range.common, range.words + 1});
    from = to;
  }
}

template class SortStore<std::string_view>;
template class SortStore<Match>;
template int StoredOrder::compare(const Stored<std::string_view>&,
                                  const Stored<std::string_view>&) const;
template int StoredOrder::compare(const Stored<Match>&, const Stored<Match>&) const;

}  // namespace ffind::output
