// SPDX-License-Identifier: MIT
// Deletes the matches once all are known, so that the search reads nothing that is being changed:
// files first, then directories that are empty by then. What is no longer what was found stays.
// Made by make_action_stage.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/safe_open.h"
#include "output/commands/action_stage.h"
#include "output/commands/confirmation.h"
#include "output/path_tree.h"

namespace ffind::output {

class Deleter final : public ActionStage {
 public:
  explicit Deleter(const ActionContext& context);

  bool take(std::span<const Match> matches) override;
  void finish() override;
  bool failed() const override { return failed_; }
  void set_roots(RootDirectories roots) override;
  std::size_t descriptors() const override { return 2; }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  static Key key_of(const os::FileId& id) { return {id.device, id.inode}; }

  /// What is to be removed. Its path is its place below its root.
  struct Target {
    os::Identity identity;
    const RootDirectory* root;
    PathTree::Index place;   ///< its canonical path: the same however its root was spelt
    bool is_named;           ///< a file that was named; a link is followed then
    bool is_root_directory;  ///< the directory at which paths begin
  };

  void note(const Match& match);
  std::string path_of(const Target& target) const;
  std::string line_of(const Target& target) const;
  std::string why_not(const Target& target) const;
  bool remove(const Target& target);
  void remove_now(const Target& target);
  bool is_same(const os::Identity& found, const os::Identity& now) const;
  bool leads_to(int directory, const std::string& link, const os::Identity& found) const;
  int open_directory_of(const Target& target, int& directory);
  bool agreed(const Target& target, bool& goes_on);
  void fail(const Target& target, int error, const std::string& text = {});

  const ActionContext context_;
  RootDirectories roots_;
  /// Roots, or volumes' roots, by what they are. A path would not do: one directory may have
  /// several.
  std::map<Key, RootKind> root_kinds_;
  bool overlap_ = false;  ///< what lies below one root may be found below another, too
  std::optional<Confirmation> confirmation_;
  os::OpenAncestors ancestors_;
  std::mutex mutex_;
  PathTree places_;
  PathNames way_{places_};  ///< to the directory that ancestors_ is in
  std::string place_;       ///< of a match; kept for its memory
  std::deque<Target> files_;
  std::deque<Target> directories_;
  std::vector<bool> noted_;  ///< by place, where that is needed
  /// Files of which we removed a name and others are left: changed by us.
  std::set<Key> unlinked_;
  bool failed_ = false;
};

}  // namespace ffind::output
