// SPDX-License-Identifier: MIT
// Reading, starting again and giving up. What becomes of a record is in catalog_worker.cpp.
#include "search/catalog.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "os/files.h"
#include "search/catalog_worker.h"

namespace ffind::search {
namespace {

/// A volume that changes so often while it is listed is walked sooner than it is listed whole.
constexpr unsigned most_restarts = 5;

std::string reason_of(int error) {
  if (error == EBUSY) return "it kept changing while its catalog was searched";
  if (error == EMLINK) return "it has hard links to directories, which its catalog lists once";
  return "its catalog cannot be searched (" + std::generic_category().message(error) + ")";
}

}  // namespace

Catalog::Catalog(const Task& task, SearchState& state, os::FileSystem& file_system,
                 CatalogFactory open_catalog)
    : task_(task),
      state_(state),
      file_system_(file_system),
      open_catalog_(std::move(open_catalog)),
      boundaries_(task) {}

Catalog::~Catalog() = default;

std::vector<const Root*> Catalog::run() {
  std::vector<const Root*> left;
  for (const Root& root : task_.roots) {
    os::Directory opened;
    const os::OpenFlags flags{.follow = true, .stay_on_volume = false};
    if (file_system_.open(nullptr, root.open_path.c_str(), flags, opened) == 0) {
      file_system_.close(opened);
      roots_.push_back(static_cast<std::uint32_t>(&root - task_.roots.data()));
    } else {
      left.push_back(&root);
    }
  }
  if (!roots_.empty()) search();
  if (why_not_.empty() || state_.stopped()) return left;

  state_.say_it_is_walked(task_, why_not_);
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
  reader_ = open_catalog_(task_, matcher.bound(), wanted, error);
  if (!reader_) return give_up(reason_of(error));

  CatalogWorker first(*this);
  std::vector<Boundary> met = first.offer_boundaries();
  first.run();
  // A worker may start another one while we wait for it.
  while (true) {
    std::vector<std::thread> started;
    {
      const std::lock_guard lock(mutex_);
      started.swap(threads_);
    }
    if (started.empty()) break;
    for (std::thread& thread : started) thread.join();
  }
  if (why_not_.empty()) left_out_ = std::move(met);
  statistics_ += first.statistics();
}

bool Catalog::read(os::CatalogBlock& block, unsigned& pass) {
  const std::lock_guard lock(reading_);
  while (!at_end_ && !state_.stopped()) {
    const int error = reader_->read(block);
    if (error == EBUSY && pass_ < most_restarts) {
      ++pass_;
      // First this: a worker still on an earlier block must not get ahead of the next one.
      emitted_.consult();
      memo_.clear(pass_);
      reader_->restart();
      continue;
    }
    if (error != 0) {
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

/// Once there is more than one block to share out.
void Catalog::consider_another_worker() {
  const std::lock_guard lock(mutex_);
  if (workers_ >= task_.threads) return;
  try {
    threads_.emplace_back([this] {
      CatalogWorker worker(*this);
      worker.run();
      const std::lock_guard guard(mutex_);
      statistics_ += worker.statistics();
    });
    ++workers_;
  } catch (const std::system_error&) {
    workers_ = task_.threads;  // no more threads available: those that run will do
  }
}

void Catalog::add_to(SearchResult& result) {
  const std::lock_guard lock(mutex_);
  result.statistics += statistics_;
  result.left_out.insert(result.left_out.end(), left_out_.begin(), left_out_.end());
}

}  // namespace ffind::search
