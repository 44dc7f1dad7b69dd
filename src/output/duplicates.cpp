// SPDX-License-Identifier: MIT
// xxHash is used by its header alone, so nothing of it is linked.
//
// Threads take candidates in turn, some neighbours in a directory at a time. What they write is the
// candidate's own; all else is only read while they run. A candidate with several names is read by
// the first that can be.
#include "output/duplicates.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "output/messages.h"
#include "output/record_fields.h"
#include "output/records.h"
#include "output/sort_store.h"
#include "text/format.h"

namespace ffind::output {
namespace {

/// Bytes at the beginning and the end that tell most files of one size apart.
constexpr std::uint64_t end_size = std::uint64_t{16} * 1024;
/// Candidates that a thread takes at once: more could be one slow directory.
constexpr std::size_t batch = 32;
/// Directories kept open for comparing.
constexpr std::size_t open_ancestors = 8;
constexpr Needs identity = needs::type | needs::size | needs::identity | needs::modified;

std::uint64_t stamp_of(Instant time) {
  return static_cast<std::uint64_t>(time.seconds) * 1'000'000'000U +
         static_cast<std::uint64_t>(time.nanoseconds);
}

}  // namespace

/// Makes entries of names again, and hashes their contents. Belongs to one thread.
class Duplicates::Cursor final : public ContentSink {
 public:
  explicit Cursor(Duplicates& all) : all_(all), loader_(all.late_()) {}

  /// Valid until the next call.
  Entry& read(Index index) {
    const FileName& file = all_.files_.name(index);
    if (directory_ != file.directory) turn_to(file.directory);
    entry_ = Entry{};
    entry_.name = file.name;
    entry_.type = FileType::file;
    entry_.depth = depth_;
    entry_.present = needs::type | needs::depth;
    entry_.loader = loader_.get();
    return entry_;
  }

  /// Hashes the contents of a name: all, or the ends. Returns false if they cannot be read, or are
  /// more or less than what was found.
  bool hash(Index index, bool whole, Candidate& candidate) {
    const FileName& file = all_.files_.name(index);
    const bool has_all = whole || file.size <= 2 * end_size;
    ends_ = whole ? UINT64_MAX : end_size;
    size_ = 0;
    XXH3_128bits_reset(&state_);
    if (!loader_->read_contents(read(index), *this)) return false;
    if (size_ != (has_all ? file.size : 2 * end_size)) return false;
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    candidate.hash = {hash.high64, hash.low64};
    candidate.whole = has_all;
    return true;
  }

  /// Returns false if the file is no longer what was found.
  bool is_still(Index index) {
    const FileName& file = all_.files_.name(index);
    Entry& entry = read(index);
    entry.type = FileType::unknown;
    entry.present &= ~needs::type;
    if (!entry.require(identity) || entry.type != FileType::file) return false;
    const Metadata& now = entry.metadata;
    return now.size == file.size && now.inode == file.inode &&
           static_cast<std::uint32_t>(now.device) == file.device &&
           stamp_of(now.modified) == file.modified;
  }

  bool take(std::string_view bytes, bool) override {
    XXH3_128bits_update(&state_, bytes.data(), bytes.size());
    size_ += bytes.size();
    return true;
  }
  std::uint64_t exact_ends() const override { return ends_; }

 private:
  void turn_to(std::uint32_t number) {
    const Directory& directory = all_.directories_[number];
    directory_ = number;
    path_.clear();
    all_.paths_.append(path_, directory.path);
    path_.erase(0, std::min(path_.find('/'), path_.size() - 1) + 1);  // the name of the root
    loader_->turn_to(*directory.root, path_);
    depth_ =
        directory.root->depth + (directory.root->is_file ? 0 : all_.paths_.depth(directory.path));
  }

  Duplicates& all_;
  const std::unique_ptr<LateLoader> loader_;
  std::uint32_t directory_ = UINT32_MAX;
  std::uint32_t depth_ = 0;
  std::string path_;  ///< of the directory, below its root
  Entry entry_;
  XXH3_state_t state_{};
  std::uint64_t ends_ = 0;
  std::uint64_t size_ = 0;  ///< bytes in `state_`
};

/// Gathers names, and hands them over by the thousand.
class Duplicates::DuplicateLane final : public Lane {
 public:
  explicit DuplicateLane(Duplicates& all) : all_(all) {}
  ~DuplicateLane() override {
    const std::lock_guard lock(all_.mutex_);
    all_.files_.add(gathered_);
    all_.names_.push_back(std::move(names_));
  }
  DuplicateLane(const DuplicateLane&) = delete;
  DuplicateLane& operator=(const DuplicateLane&) = delete;

  bool emit(Entry& entry) override {
    if (!entry.require(needs::type) || entry.type != FileType::file) return true;
    if (!entry.require(identity) || entry.metadata.size == 0) return true;
    entry.require(needs::directory | needs::origin);
    if (entry.found_from != root_ || entry.directory != path_) turn_to(entry);
    const Metadata& found = entry.metadata;
    char* const name = names_.allocate(entry.name.size() + 1);
    *std::copy(entry.name.begin(), entry.name.end(), name) = '\0';
    gathered_.push_back({found.size, found.inode, stamp_of(found.modified), name, directory_,
                         static_cast<std::uint32_t>(found.device)});
    constexpr std::size_t enough = 1024;
    if (gathered_.size() == enough) flush();
    return true;
  }

  void flush() override {
    const std::lock_guard lock(all_.mutex_);
    all_.files_.add(gathered_);
    gathered_.clear();
  }

 private:
  void turn_to(const Entry& entry) {
    const Root& root = *entry.found_from;
    root_ = &root;
    path_ = entry.directory;
    std::string_view below = path_;
    // The search puts "./" before a path that would begin with "-".
    if (below.starts_with("./-") && !root.printed.starts_with("./")) below.remove_prefix(2);
    below.remove_prefix(std::min(root.printed.size(), below.size()));
    if (below.ends_with('/')) below.remove_suffix(1);
    const std::lock_guard lock(all_.mutex_);
    auto& place = all_.root_places_[root_];
    if (place.first == nullptr) {
      place.first = &all_.listed_roots_.emplace_back(root);
      place.second =
          all_.paths_.add_below(PathTree::root, std::to_string(all_.root_places_.size()));
    }
    directory_ = static_cast<std::uint32_t>(all_.directories_.size());
    all_.directories_.push_back(
        {place.first, below.empty() ? place.second : all_.paths_.add(below, place.second)});
  }

  Duplicates& all_;
  Arena names_;
  std::vector<FileName> gathered_;
  const Root* root_ = nullptr;
  std::string path_;  ///< of the directory, as printed
  std::uint32_t directory_ = 0;
};

Duplicates::Duplicates(const OutputStyle& style, RecordStage& next, MatchStage* stage,
                       std::function<void(const Issue&)> report)
    : style_(style),
      next_(next),
      stage_(stage),
      report_(std::move(report)),
      format_(stage == nullptr ? make_record_format(style) : nullptr),
      builder_(style),
      heads_(!style.keep && stage == nullptr && style.for_people() &&
             (style.format == Format::text || style.format == Format::details)),
      separates_(!style.keep && stage == nullptr && style.format != Format::json &&
                 style.format != Format::csv),
      one_way_(style.action && style.action->follow, open_ancestors),
      kept_way_(style.action && style.action->follow, open_ancestors),
      is_question_(style.action && style.action->counts_first()) {}

Duplicates::~Duplicates() = default;

void Duplicates::begin(const Plan& plan, LateLoaderFactory late) {
  late_ = std::move(late);
  if (stage_ != nullptr) roots_ = root_directories_of(plan);
}

Needs Duplicates::needs() const {
  return identity | needs::directory | needs::origin;
}

std::unique_ptr<Lane> Duplicates::open_lane() {
  return std::make_unique<DuplicateLane>(*this);
}

void Duplicates::group() {
  const auto hash_ends = [](Cursor& cursor, Index name, Candidate& candidate) {
    return cursor.hash(name, false, candidate);
  };
  const auto hash_all = [](Cursor& cursor, Index name, Candidate& candidate) {
    return cursor.hash(name, true, candidate);
  };
  const auto check = [](Cursor& cursor, Index name, Candidate&) { return cursor.is_still(name); };
  compared_ = files_.number_of_names();
  files_.match_sizes();
  read(files_.to_read(), batch, hash_ends);
  files_.match_hashes();
  read(files_.to_read(), 1, hash_all);
  files_.match_hashes();
  read(files_.in_order(), batch, check);
  files_.match_hashes();
  cursor_ = std::make_unique<Cursor>(*this);
  for (const auto& [begin, end] : files_.groups()) add_group(*cursor_, begin, end);
  std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return a.waste != b.waste ? a.waste > b.waste : a.first_path < b.first_path;
  });
}

/// Calls `use` for each candidate with its first name, and with others until it returns true, in
/// threads of which this one is the first. Each takes `share` candidates at a time.
template <typename Use>
void Duplicates::read(const std::vector<Index>& order, std::size_t share, Use use) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    Cursor cursor(*this);
    for (std::size_t at = next.fetch_add(share); at < order.size(); at = next.fetch_add(share)) {
      const std::size_t end = std::min(at + share, order.size());
      for (; at < end; ++at) {
        Candidate& candidate = files_.candidate(order[at]);
        Index name = candidate.first_name;
        const Index last = name + candidate.names;
        while (name != last && !use(cursor, name, candidate)) ++name;
        candidate.left_out = name == last;
      }
    }
  };
  std::vector<std::thread> threads;
  try {
    while (threads.size() + 1 < style_.threads && (threads.size() + 1) * share < order.size()) {
      threads.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // Fewer will do.
  }
  work();
  for (std::thread& thread : threads) thread.join();
}

/// Sorts the names of a group by the keys of --sort. Of each file, the first is listed.
void Duplicates::add_group(Cursor& cursor, Index begin, Index end) {
  struct Name {
    std::string head;
    std::string path;
    Index name;
    Index candidate;
  };
  KeyMaker keys(style_.sort, style_.accounts);
  const StoredOrder order(keys.path_reversed());
  std::vector<Name> names;
  for (Index i = begin; i < end; ++i) {
    const Candidate& candidate = files_.candidate(i);
    for (Index name = 0; name < candidate.names; ++name) {
      Name& added = names.emplace_back();
      added.name = candidate.first_name + name;
      added.candidate = i - begin;
      Entry& entry = cursor.read(added.name);
      keys.append_head(added.head, entry);
      append_path(added.path, entry);
    }
  }
  std::sort(names.begin(), names.end(), [&](const Name& a, const Name& b) {
    return order.compare(StoredKey{a.head, a.path}, StoredKey{b.head, b.path}) < 0;
  });
  const std::uint64_t size = files_.file(files_.candidate(begin)).size;
  groups_.push_back(
      {size * (end - begin - 1), members_.size(), end - begin, texts_.keep(names.front().path)});
  std::vector<bool> listed(end - begin);
  for (const Name& name : names) {
    if (!listed[name.candidate]) members_.push_back(name.name);
    listed[name.candidate] = true;
  }
}

void Duplicates::pass_on() {
  taken_.clear();
  std::uint32_t number = 0;
  for (const Group& group : groups_) {
    if (number == style_.limit) break;
    if (!pass_on(group, ++number)) return;
  }
  is_question_ = false;
  std::sort(taken_.begin(), taken_.end());
  if (heads_ && !groups_.empty()) buffer_ += '\n' + shown_heading(summary() + '\n', style_);
  if (!buffer_.empty()) next_.take(buffer_);
}

/// Returns false if no more are wanted.
bool Duplicates::pass_on(const Group& group, std::uint32_t number) {
  const std::size_t end = group.first + group.count;
  const std::size_t kept = !style_.keep ? end : *style_.keep == Keep::first ? group.first : end - 1;
  if (separates_ && number > 1) buffer_ += style_.format == Format::null ? '\0' : style_.end;
  if (heads_) buffer_ += shown_heading(heading(group), style_);
  for (std::size_t i = group.first; i < end; ++i) {
    if (i == kept) continue;
    if (stage_ != nullptr) {
      const FileName& file = files_.name(members_[i]);
      taken_.push_back({file.device, file.inode, members_[i], members_[kept]});
    }
    if (!pass_on_file(members_[i], kept < end ? members_[kept] : 0, number)) return false;
  }
  if (buffer_.size() < full_buffer) return true;
  const bool taken = next_.take(buffer_);
  buffer_.clear();
  return taken;
}

bool Duplicates::pass_on_file(Index name, Index kept, std::uint32_t number) {
  Entry& entry = cursor_->read(name);
  entry.duplicate_group = number;
  if (stage_ == nullptr) {
    format_->append(buffer_, entry);
    return true;
  }
  const Match match = builder_.read(entry);
  // The Deleter asks right before it deletes.
  if (style_.format != Format::removal && !is_question_ && !style_.action->dry_run) {
    const std::string reason = why_not(name, kept);
    if (!reason.empty()) {
      report_({std::string(match.path), "run", 0, reason});
      failed_ = true;
      return true;
    }
  }
  return stage_->take({&match, 1});
}

void Duplicates::end() {
  cursor_.reset();
}

std::string Duplicates::why_not(const os::FileId& found) {
  const auto taken =
      std::lower_bound(taken_.begin(), taken_.end(),
                       Taken{static_cast<std::uint32_t>(found.device), found.inode, 0, 0});
  const bool is_there = taken != taken_.end() && taken->inode == found.inode &&
                        taken->device == static_cast<std::uint32_t>(found.device);
  return is_there ? why_not(taken->name, taken->kept) : "it is no longer what was compared";
}

std::string Duplicates::why_not(Index name, Index kept) {
  const auto path_of = [this](Index index) {
    std::string path;
    append_path(path, cursor_->read(index));
    return path;
  };
  const std::string path = path_of(name);
  const std::string other = path_of(kept);
  const bool follow = style_.action->follow;
  int directory = -1;
  int other_directory = -1;
  os::Identity there;
  int error = open_parent(kept_way_, other, other_directory);
  const std::string other_name(split_path(other).second);
  if (error == 0) error = os::identify(other_directory, other_name, follow, there);
  if (error != 0) return text::format("{}, which is to be kept: {}", other, reason_of(error));
  os::ComparedFiles files;
  error = open_parent(one_way_, path, directory);
  if (error == 0) {
    error = os::compare_files(directory, std::string(split_path(path).second), other_directory,
                              other_name, follow, files);
  }
  if (error != 0) return text::format("cannot be compared with {}: {}", other, reason_of(error));
  const FileName& read = files_.name(name);
  const bool is_still = files.one.inode == read.inode &&
                        static_cast<std::uint32_t>(files.one.device) == read.device &&
                        stamp_of(files.one.modified) == read.modified;
  if (!is_still) return "it has changed since it was compared";
  if (files.one.inode == files.other.inode) {
    if (files.one.device == files.other.device) return "it is now the file that is to be kept";
    // One file by two mounts of its volume has two device numbers.
    if (files.one.changed == files.other.changed) {
      return text::format("it may be {} itself, on another mount", other);
    }
  }
  return files.equal ? std::string() : text::format("it differs from {} by now", other);
}

int Duplicates::open_parent(os::OpenAncestors& ancestors, std::string_view path,
                            int& directory) const {
  const Located located = locate_below(roots_, path);
  if (located.root == nullptr) return ESTALE;
  return ancestors.open(located.root->directory, split_path(located.path).first, directory);
}

/// "3 files of 4.7M, 9.4M to free"
std::string Duplicates::heading(const Group& group) const {
  const std::uint64_t size = group.waste / (group.count - 1);
  return text::format("{} of {}, {} to free\n", counted(group.count, "file", "files"),
                      shown_size(size, style_.human_sizes),
                      shown_size(group.waste, style_.human_sizes));
}

std::string Duplicates::absence() const {
  if (!groups_.empty() || compared_ == 0) return {};
  return text::format("no duplicates among {}", counted(compared_, "file", "files"));
}

/// "7 groups, 1.2G to free"
std::string Duplicates::summary() const {
  std::uint64_t waste = 0;
  const std::size_t count = std::min(groups_.size(), style_.limit);
  for (std::size_t i = 0; i < count; ++i) waste += groups_[i].waste;
  return text::format("{}, {} to free", counted(count, "group", "groups"),
                      shown_size(waste, style_.human_sizes));
}

}  // namespace ffind::output
