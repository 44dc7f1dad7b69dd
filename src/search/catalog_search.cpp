// SPDX-License-Identifier: MIT
// A record is tested in three steps, the cheapest first: by what it contains (Matcher::may_emit),
// by its directory (does a root's walk enter it?), and in full with everything that tests load. A
// walk would also have to enter each directory on the way: leads_to() evaluates that for a path,
// and the cache keeps the result. The walker takes over all roots if the scan fails or the volume
// keeps changing.
//
// A scan may find that the volume has changed since its first block (EBUSY). It starts again, as
// a new pass, in which EmittedSet keeps what was emitted before from being emitted twice; paths
// that were read in an earlier pass are not cached. Of the two mutexes reading_ is taken first: it
// guards the scan, whose blocks are read one at a time, and mutex_ what workers report.
//
// A match is emitted once per root that reaches it, as by a walk of each root: the key in
// EmittedSet has the number of the root in it.
#include "search/catalog_search.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "os/files.h"
#include "text/paths.h"

namespace ffind::search {
namespace {

/// A volume that changes this often while it is listed is sooner walked than listed.
constexpr unsigned most_restarts = 5;

/// Reason for giving up after an error of the scan; "; walking it instead" follows it.
std::string reason_of(int error) {
  if (error == EBUSY) return "it kept changing while its catalog was searched";
  if (error == EMLINK) return "it has hard links to directories, which its catalog lists once";
  return "its catalog cannot be searched (" + std::generic_category().message(error) + ")";
}

std::uint32_t components(std::string_view path) {
  if (path.empty()) return 0;
  return 1 + static_cast<std::uint32_t>(std::count(path.begin(), path.end(), '/'));
}

}  // namespace

Catalog::Catalog(const Task& task, unsigned threads, SearchState& state,
                 os::FileSystem& file_system, CatalogFactory open_catalog)
    : task_(task),
      most_threads_(threads),
      state_(state),
      file_system_(file_system),
      open_catalog_(std::move(open_catalog)),
      boundaries_(task) {}

Catalog::~Catalog() = default;

std::vector<const Root*> Catalog::run() {
  std::vector<const Root*> left;
  for (const Root& root : task_.roots) {
    os::Directory opened;
    // A walk would report a root that cannot be opened, so the walker gets it.
    const os::OpenFlags flags{.follow = true, .stay_on_volume = false};
    if (file_system_.open(nullptr, root.open_path.c_str(), flags, opened) == 0) {
      roots_.push_back(static_cast<std::uint32_t>(&root - task_.roots.data()));
    } else {
      left.push_back(&root);
    }
  }
  if (!roots_.empty()) search();
  if (why_not_.empty() || state_.stopped()) return left;

  state_.report_walked_instead(task_, why_not_);
  left.clear();
  for (const Root& root : task_.roots) left.push_back(&root);
  return left;
}

void Catalog::search() {
  const Matcher& matcher = state_.matcher();
  const Scope& scope = matcher.scope();
  if (scope.follow || scope.unique) {
    return give_up(
        "its catalog does not contain the targets of links or what was visited elsewhere");
  }
  int error = ENOTSUP;
  const Needs wanted = (matcher.needs() | state_.sink_needs()) & needs::metadata;
  scan_ = open_catalog_(task_, matcher.bound(), wanted, error);
  if (!scan_) return give_up(reason_of(error));

  CatalogWorker first(*this);
  std::vector<Boundary> met = first.offer_boundaries();
  // In this thread, so a catalog of one block starts no thread.
  first.run();
  threads_.join();
  // If the catalog was given up, the walk meets the boundaries itself.
  if (why_not_.empty()) left_out_ = std::move(met);
  statistics_ += first.statistics();
}

bool Catalog::read(os::CatalogBlock& block, unsigned& pass) {
  const std::lock_guard lock(reading_);
  while (!at_end_ && !state_.stopped()) {
    const int error = scan_->read(block);
    if (error == EBUSY && pass_ < most_restarts) {
      ++pass_;
      // Before the restart: a worker still on an earlier block must not overtake the next one.
      emitted_.consult();
      cache_.clear(pass_);
      scan_->restart();
      continue;
    }
    if (error != 0) {
      // No other worker calls a scan that failed.
      at_end_ = true;
      give_up(reason_of(error));
      return false;
    }
    at_end_ = block.at_end;
    pass = pass_;
    return true;
  }
  return false;
}

void Catalog::give_up(std::string reason) {
  const std::lock_guard lock(mutex_);
  if (why_not_.empty()) why_not_ = std::move(reason);
}

void Catalog::give_up_for(int error) {
  {
    const std::lock_guard lock(reading_);
    at_end_ = true;
  }
  give_up(reason_of(error));
}

/// Called when there is more than one block to share.
void Catalog::consider_another_worker() {
  threads_.start_up_to(most_threads_, [this] {
    CatalogWorker worker(*this);
    worker.run();
    const std::lock_guard lock(mutex_);
    statistics_ += worker.statistics();
  });
}

void Catalog::add_to(SearchResult& result) {
  const std::lock_guard lock(mutex_);
  result.statistics += statistics_;
  result.left_out.insert(result.left_out.end(), left_out_.begin(), left_out_.end());
}

bool DirectoryCache::find(std::uint64_t id, CatalogDirectory& directory) {
  const std::lock_guard lock(mutex_);
  const auto found = directories_.find(id);
  if (found == directories_.end()) return false;
  directory = found->second;
  return true;
}

// When it is full, the cache starts afresh: no order of use is kept.
void DirectoryCache::insert(std::uint64_t id, const CatalogDirectory& directory, unsigned pass) {
  // Size of the map's node and bucket, and of the heap memory of both members.
  const std::size_t bytes = sizeof directory + 64 + directory.path.size() + 16 +
                            directory.roots.size() * sizeof(std::uint32_t) + 16;
  const std::lock_guard lock(mutex_);
  if (pass != pass_) return;
  if (bytes_ + bytes > most_bytes) {
    directories_.clear();
    bytes_ = 0;
  }
  if (directories_.emplace(id, directory).second) bytes_ += bytes;
}

void DirectoryCache::clear(unsigned pass) {
  const std::lock_guard lock(mutex_);
  directories_.clear();
  bytes_ = 0;
  pass_ = pass;
}

CatalogWorker::CatalogWorker(Catalog& catalog)
    : SearchThread(catalog.state_, catalog.file_system_),
      catalog_(catalog),
      position_(catalog.boundaries_, reach_, {}, false),
      access_(reach_, position_, catalog.task_.volume) {}

void CatalogWorker::run() {
  const Progress::Registration registration(state_.progress(), *this);
  while (true) {
    // The catalog may take long to return more: do not hold matches back.
    output_.flush();
    unsigned pass = 0;
    if (!catalog_.read(block_, pass)) break;
    if (pass != pass_) directory_known_ = false;
    pass_ = pass;
    if (!block_.records.empty() && !block_.at_end) catalog_.consider_another_worker();
    for (const os::CatalogRecord& record : block_.records) {
      consider(record);
      if (state_.stopped()) break;
    }
    output_.flush_if_due();
  }
}

/// The three tests of a record, for each root whose walk would reach it.
void CatalogWorker::consider(const os::CatalogRecord& record) {
  if (record.may_be_closed) return look_into(record);
  ++reach_.counts.entries;
  begin_entry(record);
  // By the record's own data first: a path costs a call.
  if (!matcher_.may_emit(entry_) || !find_directory(record.parent)) return;
  for (const std::uint32_t number : directory_.roots) {
    const Root& root = catalog_.task_.roots[number];
    turn_to(root, text::path_below(directory_.path, root.canonical));
    // The catalog has the covered directory, not the mounted one: see offer_boundaries.
    if (position_.boundary_at(entry_) == nullptr) offer(record, number);
  }
}

/// Reports an unreadable directory as the walk would.
void CatalogWorker::look_into(const os::CatalogRecord& record) {
  if (!find_directory(record.parent)) return;
  for (const std::uint32_t number : directory_.roots) {
    const Root& root = catalog_.task_.roots[number];
    const std::string_view parent = text::path_below(directory_.path, root.canonical);
    const std::string below =
        parent.empty() ? std::string(record.name) : text::join_paths(parent, record.name);
    const bool entered = leads_to(root, below) && !is_boundary(root, below);
    if (!entered) continue;
    begin_entry(record);
    entry_.loader = &access_;
    turn_to(root, parent);
    const int error = try_to_enter(root, below);
    if (is_gone(error)) {
      ++reach_.counts.vanished;
    } else if (error != 0 &&
               // The key of an issue is that of a nameless entry, which no match has.
               catalog_.emitted_.admit(entry_key(directory_key(number, below), ""))) {
      reach_.issues.report_entry(entry_, "", error);
    }
  }
}

/// Reports a directory that could not be read, unless it is closed to this user and entered:
/// look_into reports those.
void CatalogWorker::report_closed(Entry& entry) {
  const int error = std::exchange(entry.unreadable, 0);
  const Root& root = position_.root();
  const std::string parent(position_.below());
  const std::string below =
      parent.empty() ? std::string(entry.name) : text::join_paths(parent, entry.name);
  const bool said = error == EACCES && leads_to(root, below) && !is_boundary(root, below);
  turn_to(root, parent);
  if (!said) reach_.issues.fail(entry, "", error);
}

/// Returns the errno of opening a directory whose mode or access control list may keep this user
/// out. Gives up the catalog if it can be read but not searched.
int CatalogWorker::try_to_enter(const Root& root, const std::string& below) {
  os::Directory directory;
  int error = reach_.opener.open_below(root, below, {}, directory);
  if (error != 0) return error;
  // Read permission without search permission: a walk lists names that a catalog leaves out.
  os::Directory itself;
  error = reach_.opener.open(&directory, ".", {}, itself);
  if (error == EACCES) catalog_.give_up_for(error);
  return 0;
}

void CatalogWorker::begin_entry(const os::CatalogRecord& record) {
  begin(record.name, (record.known & needs::type) != 0 ? record.type : FileType::unknown,
        record.known & needs::metadata);
  entry_.depth = 1;  // the least possible; offer() sets the real one
  entry_.metadata = record.metadata;
  // For may_emit(), which evaluates only what the record has.
  entry_.loader = nullptr;
}

/// Runs the full matcher on an entry of the current directory, and emits it if it matches.
void CatalogWorker::offer(const os::CatalogRecord& record, std::uint32_t root_number) {
  begin_entry(record);
  entry_.loader = &access_;
  entry_.depth = position_.root().depth + components(position_.below()) + 1;
  const bool matches = matcher_.emits(entry_);
  if (entry_.unreadable != 0) report_closed(entry_);
  if (!matches) return;
  if (!key_known_) key_ = directory_key(root_number, position_.below());
  key_known_ = true;
  if (!catalog_.emitted_.admit(entry_key(key_, entry_.name))) return;
  output_.emit(entry_);
  if (entry_.unreadable != 0) report_closed(entry_);
}

/// Sets `directory_` to the one with that id; false if no root's walk enters it.
bool CatalogWorker::find_directory(std::uint64_t id) {
  if (!directory_known_ || directory_id_ != id) {
    position_.leave();
    directory_id_ = id;
    // Records of one directory mostly follow each other, and then need no look-up.
    directory_known_ = true;
    if (!catalog_.cache_.find(id, directory_)) find_path(id);
  }
  return !directory_.roots.empty();
}

void CatalogWorker::find_path(std::uint64_t id) {
  directory_.roots.clear();
  directory_.path.clear();
  const int error = catalog_.scan_->path_of(id, directory_.path);
  if (error == ENOENT) {
    ++reach_.counts.vanished;
  } else if (error != 0) {
    // A walk will find the error and its place.
    catalog_.give_up_for(error);
    return;
  }
  if (error == 0) {
    for (const std::uint32_t number : catalog_.roots_) {
      const Root& root = catalog_.task_.roots[number];
      if (!lies_within(directory_.path, root.canonical)) continue;
      const std::string_view below = text::path_below(directory_.path, root.canonical);
      if (leads_to(root, below) && !is_boundary(root, below)) directory_.roots.push_back(number);
    }
  }
  // For a directory that no root reaches, the id is enough.
  if (directory_.roots.empty()) directory_.path.clear();
  catalog_.cache_.insert(id, directory_, pass_);
}

/// Returns whether the walk of `root` would reach the directory `below` it and enter it, by the
/// query alone: no boundary may be on the way, but the directory itself may be one.
bool CatalogWorker::leads_to(const Root& root, std::string_view below) {
  if (root.depth >= scope_.max_depth) return false;
  if (!catalog_.task_.choice.enter && !below.empty()) return false;
  Entry step;
  // Each component is matched as the walk would match the directory before it enters it.
  step.depth = root.depth;
  step.type = FileType::directory;
  step.loader = &access_;
  for (std::size_t from = 0; from < below.size();) {
    const std::size_t to = std::min(below.find('/', from), below.size());
    const bool boundary = is_boundary(root, below.substr(0, to));
    if (boundary && to < below.size()) return false;
    turn_to(root, below.substr(0, from > 0 ? from - 1 : 0));
    step.name = below.substr(from, to - from);
    ++step.depth;
    // The bundle mark of a mounted directory is another volume's, whose server may be down.
    step.present = needs::type | (boundary ? needs::bundle : needs::none);
    step.bundle = false;
    step.failed = needs::none;
    const bool descends = matcher_.descends(step);
    if (step.unreadable != 0) report_closed(step);
    if (!descends) return false;
    from = to + 1;
  }
  return true;
}

bool CatalogWorker::is_boundary(const Root& root, std::string_view below) {
  const Boundaries& boundaries = catalog_.boundaries_;
  if (boundaries.empty() || below.empty()) return false;
  return boundaries.at(text::join_paths(root.canonical, below)) != nullptr;
}

std::vector<Boundary> CatalogWorker::offer_boundaries() {
  std::vector<Boundary> met;
  const std::vector<Boundary>& all = catalog_.boundaries_.all();
  for (const std::uint32_t number : catalog_.roots_) {
    const Root& root = catalog_.task_.roots[number];
    for (const Boundary& boundary : all) {
      if (!boundary.listed || !lies_within(boundary.path, root.canonical)) continue;
      const std::string_view below = text::path_below(boundary.path, root.canonical);
      if (below.empty() || catalog_.boundaries_.at(boundary.path) != &boundary) continue;
      if (boundary.left_out && leads_to(root, below)) met.push_back(boundary);

      const std::string_view parent = text::parent_of(below);
      if (!leads_to(root, parent) || is_boundary(root, parent)) continue;
      os::CatalogRecord record;
      record.name = text::name_of(below);
      turn_to(root, parent);
      offer(record, number);
    }
  }
  return met;
}

/// Moves to the directory `below` `root`, for the next entries.
void CatalogWorker::turn_to(const Root& root, std::string_view below) {
  if (position_.turn_to(root, below)) key_known_ = false;
}

}  // namespace ffind::search
