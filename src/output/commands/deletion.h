// SPDX-License-Identifier: MIT
// Deletes the matches once all are known, so that the search reads nothing that is being changed:
// files first, then directories that are empty by then. What is no longer what was found stays.
// Made by make_action_receiver.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/beneath.h"
#include "output/commands/confirmation.h"
#include "output/commands/receivers.h"
#include "output/commands/removal_record.h"

namespace ffind {

class DeletionReceiver final : public ActionReceiver {
 public:
  explicit DeletionReceiver(const ActionContext& context);

  bool take(std::string_view records) override;
  void finish() override;
  bool failed() const override { return failed_; }
  void set_anchors(Anchors anchors) override;
  std::size_t descriptors() const override { return 2; }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  static Key key_of(const os::FileId& id) { return {id.device, id.inode}; }

  /// What is to be removed, and where it is.
  struct Target {
    Removal removal;
    Located located;
    std::string place;  ///< its canonical path: the same however its root was spelt
  };

  Target target_of(const Removal& removal) const;
  std::string why_not(const Target& target) const;
  bool remove(const Target& target);
  void remove_now(const Target& target);
  bool is_same(const os::Identity& found, const os::Identity& now) const;
  bool leads_to(int directory, const std::string& link, const os::Identity& found) const;
  bool agreed(const Removal& removal, bool& goes_on);
  void fail(std::string_view path, int error, const std::string& text = {});

  const ActionContext context_;
  Anchors anchors_;
  /// Directories that are roots, or volumes' roots. A path would not do: one directory may have
  /// several.
  std::map<Key, AnchorKind> roots_;
  bool overlap_ = false;  ///< what lies below one anchor may be found below another, too
  std::optional<Confirmation> confirmation_;
  os::Trail trail_;
  std::mutex mutex_;
  std::string records_;
  /// Files of which we removed a name and others are left: changed by us.
  std::set<Key> unlinked_;
  bool failed_ = false;
};

}  // namespace ffind
