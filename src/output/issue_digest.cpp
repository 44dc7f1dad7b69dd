// SPDX-License-Identifier: MIT
// See issue_digest.h.
#include "output/issue_digest.h"

#include "output/messages.h"
#include "text/format.h"

namespace ffind::output {
namespace {

std::string without_slash(std::string path) {
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

void IssueDigest::set_roots(const Plan& plan) {
  for (const Location& location : plan.missing) roots_.insert(location.typed);
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      roots_.insert(without_slash(root.printed));
      roots_.insert(root.open_path);
    }
  }
}

bool IssueDigest::shows(const Issue& issue) {
  if (roots_.contains(without_slash(issue.path))) return true;
  const std::string reason = reason_of(issue);
  const std::lock_guard lock(mutex_);
  if (reasons_.size() >= most_reasons && !reasons_.contains(reason)) return true;
  return ++reasons_[reason] <= shown;
}

std::string IssueDigest::summary() {
  const std::lock_guard lock(mutex_);
  std::string lines;
  for (const auto& [reason, count] : reasons_) {
    if (count > shown) lines += message(text::format("{} more: {}", count - shown, reason));
  }
  reasons_.clear();
  return lines;
}

}  // namespace ffind::output
