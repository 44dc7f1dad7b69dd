// SPDX-License-Identifier: MIT
// Runs a query over a fake file system from its root, with one walker. Used by the search tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fakes/collecting_sink.h"
#include "fakes/fake_file_system.h"
#include "ffind/searcher.h"
#include "query/predicates/predicates.h"

namespace ffind {

/// Lends a file system that the test keeps.
class LentFileSystem : public os::FileSystem {
 public:
  explicit LentFileSystem(os::FileSystem& lent) : lent_(lent) {}
  int open(const os::Directory* at, const char* path, os::OpenFlags flags,
           os::Directory& opened) override {
    return lent_.open(at, path, flags, opened);
  }
  void close(os::Directory& directory) override { lent_.close(directory); }
  std::unique_ptr<os::DirectoryReader> make_reader(os::DirectoryOpener& opener) override {
    return lent_.make_reader(opener);
  }
  int stat(const os::Directory* at, const char* path, StatFlags flags, Needs wanted,
           Metadata& metadata, Needs& got) override {
    return lent_.stat(at, path, flags, wanted, metadata, got);
  }
  int stat_target(const os::Directory* at, const char* path, os::OpenFlags flags, Needs wanted,
                  os::LinkTarget& target) override {
    return lent_.stat_target(at, path, flags, wanted, target);
  }
  int read_link(const os::Directory* at, const char* path, std::string& target) override {
    return lent_.read_link(at, path, target);
  }
  int access(const os::Directory* at, const char* path, Access access) override {
    return lent_.access(at, path, access);
  }
  int attribute_names(const os::Directory* at, const char* path, bool follow,
                      std::string& names) override {
    return lent_.attribute_names(at, path, follow, names);
  }
  int attribute(const os::Directory* at, const char* path, bool follow, const char* name,
                std::string& value) override {
    return lent_.attribute(at, path, follow, name, value);
  }
  int has_capabilities(const os::Directory* at, const char* path, bool& answer) override {
    return lent_.has_capabilities(at, path, answer);
  }
  int has_bundle_mark(const os::Directory* at, const char* path, bool& answer) override {
    return lent_.has_bundle_mark(at, path, answer);
  }
  bool marks_bundles() const override { return lent_.marks_bundles(); }
  int identify(const os::Directory& directory, os::FileId& id) override {
    return lent_.identify(directory, id);
  }
  int open_file(const os::Directory* at, const char* path, os::OpenFlags flags,
                os::File& opened) override {
    return lent_.open_file(at, path, flags, opened);
  }
  int read_file(os::File& file, char* bytes, std::size_t capacity, std::size_t& count) override {
    return lent_.read_file(file, bytes, capacity, count);
  }
  void close_file(os::File& file) override { lent_.close_file(file); }
  std::optional<os::ThreadWaits> thread_waits() const override { return lent_.thread_waits(); }

 private:
  os::FileSystem& lent_;
};

inline Task task_from(const std::string& open_path, unsigned threads) {
  Root root;
  root.open_path = open_path;
  root.printed = open_path == "." ? "" : open_path.substr(0, open_path.rfind('/') + 1);
  root.canonical = root.absolute = "/fake";
  Task task;
  task.roots.push_back(root);
  task.choice.threads = threads;
  task.choice.busy_threads = threads;
  // Workers at once, so that small trees are searched by many.
  task.volume.kind = VolumeKind::network;
  return task;
}

inline SearchResult search_fake(FakeFileSystem& file_system, const Query& query,
                                CollectingSink& sink, const Task& task,
                                const CatalogFactory& open_catalog = {},
                                const DeviceDirectoriesFactory& open_directories = {},
                                Progress* progress = nullptr) {
  Plan plan;
  plan.tasks.push_back(task);
  const Matcher matcher(query);
  return run_search(plan, matcher, query.limit, sink, needs::none,
                    {[&](const Task&) { return std::make_unique<LentFileSystem>(file_system); },
                     open_catalog, open_directories},
                    progress);
}

inline SearchResult search_fake(FakeFileSystem& file_system, const Query& query,
                                CollectingSink& sink, unsigned threads = 1) {
  return search_fake(file_system, query, sink, task_from(".", threads));
}

inline Expression name_glob(const std::string& glob) {
  query::PatternSpec spec;
  spec.kind = query::PatternKind::glob;
  spec.text = glob;
  return Expression::of(query::pattern_test(query::Subject::name, spec));
}

using Paths = std::vector<std::string>;

}  // namespace ffind
