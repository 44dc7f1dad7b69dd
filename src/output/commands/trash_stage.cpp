// SPDX-License-Identifier: MIT
// The TrashStage: --restore and --delete of entries of a Trash, whose paths lead to no file. As the
// Deleter it collects the matches and acts once all are known, on what is still what was found.
//
//     take()      keeps the entry of the Trash and its identity
//     finish()    question ─▶ os::restore or os::remove_trashed
//
// If several entries have one path, the latest is restored, and the others are refused, since the
// path exists by then. With --sort its order decides instead.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "os/files.h"
#include "os/trash.h"
#include "output/commands/action_stage.h"
#include "output/commands/executor.h"
#include "text/paths.h"
#include "text/quoting.h"

namespace ffind::output {
namespace {

class TrashStage final : public ActionStage {
 public:
  explicit TrashStage(const ActionContext& context)
      : context_(context), restores_(context.action.kind == ActionKind::restore) {
    if (context_.action.confirm && !context_.action.dry_run) confirmation_.emplace();
  }

  bool take(std::span<const Match> matches) override {
    const std::lock_guard lock(mutex_);
    for (const Match& match : matches) {
      if (match.trashed != nullptr) targets_.push_back({match.trashed, match.identity});
    }
    return true;
  }

  /// Ends early if the user quits, or a dry run cannot print.
  void finish() override {
    const std::lock_guard lock(mutex_);
    if (!context_.action.in_order) {
      std::stable_sort(targets_.begin(), targets_.end(), [](const Target& a, const Target& b) {
        return a.trashed->deleted > b.trashed->deleted;
      });
    }
    for (const Target& target : targets_) {
      const std::string reason = why_not(target);
      if (!reason.empty()) {
        fail(target, 0, reason);
        continue;
      }
      if (context_.action.dry_run) {
        if (!context_.show(line_of(target))) return;
        shown_.insert(target.trashed->path);
        continue;
      }
      const Confirmation::Answer answer = confirmation_
                                              ? confirmation_->ask(line_of(target), context_.writer)
                                              : Confirmation::Answer::yes;
      if (answer == Confirmation::Answer::quit) return;
      if (answer == Confirmation::Answer::yes) act(target);
    }
  }

  bool failed() const override { return failed_; }

  std::string summary() const override {
    if (done_.number() == 0) return {};
    return done_.text() + (restores_ ? " restored" : " deleted");
  }

  void set_roots(RootDirectories) override {}
  std::size_t descriptors() const override { return 4; }

 private:
  struct Target {
    const Trashed* trashed;
    os::Identity identity;
  };

  /// The equivalent command, for --dry-run and --confirm.
  std::string line_of(const Target& target) const {
    const auto& [path, place, deleted, is_orphan] = *target.trashed;
    std::vector<std::string> words = {"rm", place};
    if (target.identity.type == FileType::directory) words = {"rm", "-r", place};
    if (restores_) words = {"mv", "-n", place, path};
    return text::shell_line(words, context_.reader());
  }

  /// Returns the reason why the target must stay; empty if there is none.
  std::string why_not(const Target& target) const {
    const std::string& path = target.trashed->path;
    if (restores_ && path == target.trashed->place) {
      return std::string(os::reason_of_unknown_place());
    }
    const bool is_taken = restores_ && (os::type_at(path) != FileType::unknown ||
                                        (context_.action.dry_run && shown_.contains(path)));
    if (is_taken) return "there is something by that name";
    if (restores_) return {};
    if (target.identity.type != FileType::directory || context_.action.whole) return {};
    if (context_.action.dry_run || os::is_empty(-1, target.trashed->place)) return {};
    return "a directory goes with all that it contains: --yes or --confirm allows it";
  }

  void act(const Target& target) {
    const os::Identity& found = target.identity;
    os::Identity now;
    int error = os::identify(target.trashed->place, false, now);
    // An act on one name of a file changes the times of all.
    const bool may_differ = acted_on_.contains({found.id.device, found.id.inode}) ||
                            (found.type == FileType::directory && !context_.action.by_metadata);
    if (error == 0 && !may_differ && now.changed != found.changed) error = ESTALE;
    os::Trash::Moved moved{error};
    if (error == 0) {
      moved = restores_ ? os::restore(*target.trashed, found)
                        : os::Trash::Moved{os::remove_trashed(*target.trashed, found)};
    }
    if (moved.error == 0 || moved.gone) {
      done_.add(found);
      acted_on_.insert({found.id.device, found.id.inode});
    }
    if (moved.error != 0) fail(target, moved.error, moved.detail);
  }

  void fail(const Target& target, int error, std::string text) {
    // Another process has emptied the Trash meanwhile.
    if (error == ENOENT && text.empty()) return;
    if (error == ESTALE && text.empty()) text = "it is no longer what was found";
    failed_ = true;
    context_.report(
        {target.trashed->path, restores_ ? "restore" : "delete", error, std::move(text)});
  }

  const ActionContext context_;
  const bool restores_;
  std::optional<Confirmation> confirmation_;
  std::mutex mutex_;
  std::vector<Target> targets_;
  std::set<std::string> shown_;                                 ///< paths of a dry run
  std::set<std::pair<std::uint64_t, std::uint64_t>> acted_on_;  ///< device and inode
  ActionTally done_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<ActionStage> make_trash_stage(const ActionContext& context) {
  return std::make_unique<TrashStage>(context);
}

}  // namespace ffind::output
