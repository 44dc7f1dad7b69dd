// SPDX-License-Identifier: MIT
// What the walk passes over because an ignore file says so: the rules of each directory as it is
// listed, and their judgement of its entries. A part of the walk's worker.
#pragma once

#include <cstddef>
#include <string>

#include "os/dirent_block.h"
#include "search/ignore.h"
#include "search/issues.h"
#include "search/node.h"
#include "search/opener.h"

namespace ffind::search {

/// Belongs to its thread.
class IgnoreFilter final : private IgnoreAccess {
 public:
  IgnoreFilter(const Scope& scope, Opener& opener, IssueReporter& issues)
      : scope_(scope),
        opener_(opener),
        issues_(issues),
        files_(scope.gitignore, *this),
        others_(scope, *this) {}

  /// Before the first entry of a directory is looked at, while no other worker has it. Where
  /// `block`, its first, is all of it, that tells what it holds; elsewhere two calls find out.
  void take_rules(Node& node, os::DirentBlock& block);
  /// The entries are those of `node` from now on.
  void turn_to(const Node& node) {
    node_ = &node;
    path_known_ = false;
  }
  bool ignores(Entry& entry);

 private:
  int read(const os::Directory* at, const std::string& path, bool follow,
           std::string& text) override;
  int find(const std::string& path) override;
  void report(std::string path, int error) override;

  const Scope& scope_;
  Opener& opener_;
  IssueReporter& issues_;
  IgnoreFiles files_;
  OtherIgnoreFiles others_;
  const Node* node_ = nullptr;
  std::string path_;             ///< of the entry, canonical
  std::size_t path_length_ = 0;  ///< of its directory in that, with a slash
  bool path_known_ = false;      ///< of the present directory
  bool path_needed_ = false;
};

}  // namespace ffind::search
