// SPDX-License-Identifier: MIT
// A small tree, a device that it lies on, and short ways to search it. Used by the tests of the
// walk that reads from a device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "fakes/fake_device.h"
#include "fakes/search_harness.h"

namespace ffind::search {

inline Task on_device(unsigned threads = 1) {
  Task task = task_from(".", threads);
  task.choice.method = Method::catalog;
  task.choice.catalog_shape = CatalogShape::directories;
  return task;
}

struct Search {
  FakeFileSystem files{};
  CollectingSink sink{};
  Task task = on_device();

  /// Made when the tree is complete, and given orders.
  SearchResult run(const Query& query, FakeDevice& device) {
    return search_fake(files, query, sink, task, {}, device.factory());
  }
};

inline void fill(FakeFileSystem& files) {
  files.add("a/one.txt", FileType::file, 10);
  files.add("a/two.log", FileType::file, 2000);
  files.add("b/c/three.txt", FileType::file, 3000);
  files.add("b/c/d/four.txt", FileType::file, 4000);
  files.add("e", FileType::directory);
  files.add_link("f", "a");
}

inline const Paths everything = {"a",     "a/one.txt",      "a/two.log",     "b", "b/c",
                                 "b/c/d", "b/c/d/four.txt", "b/c/three.txt", "e", "f"};

/// A test made of a function.
class Asks final : public Test {
 public:
  Asks(Needs needs, std::function<bool(Entry&)> holds) : needs_(needs), holds_(std::move(holds)) {}
  bool holds(Entry& entry) const override { return holds_(entry); }
  Needs needs() const override { return needs_; }
  int cost() const override { return 1; }
  std::string text() const override { return "asks"; }

 private:
  Needs needs_;
  std::function<bool(Entry&)> holds_;
};

inline Query asking(Needs needs, std::function<bool(Entry&)> holds) {
  Query query;
  query.where = Expression::of(std::make_shared<Asks>(needs, std::move(holds)));
  return query;
}

inline Query larger_than(std::uint64_t size) {
  Query query;
  query.where = Expression::of(query::range_test(query::size_row, {size, unlimited}));
  return query;
}

}  // namespace ffind::search
