// SPDX-License-Identifier: MIT
// On a living system not all that fails is an issue. See issues.h.
#include "search/issues.h"

#include <cerrno>
#include <utility>

#include "os/files.h"

namespace ffind::search {

bool is_gone(int error) {
  return os::leads_nowhere(error);
}

void IssueReporter::report(std::string path, const char* operation, int error, std::string detail) {
  ++counts_.issues;
  state_.sink().report({std::move(path), operation, error, std::move(detail)});
}

void IssueReporter::report_entry(Entry& entry, const char* operation, int error) {
  entry.require(needs::directory);
  report(std::string(entry.directory).append(entry.name), operation, error);
}

void IssueReporter::fail(Entry& entry, const char* operation, int error) {
  if (error == EDEADLK) {
    ++counts_.not_local;
  } else if (is_gone(error)) {
    ++counts_.vanished;
  } else {
    report_entry(entry, operation, error);
  }
}

void IssueReporter::pass_over(std::string path, const char* operation, int error) {
  if (error == root_exchanged) {
    report(std::move(path), "", 0, "its root is not the directory that was opened");
  } else if (error == EDEADLK) {
    // Its contents are in a cloud only, and looking must not download them.
    ++counts_.not_local;
  } else if (is_gone(error)) {
    ++counts_.vanished;
  } else {
    report(std::move(path), operation, error);
  }
}

void IssueReporter::accounts_failed(Entry& entry) {
  if (!state_.first_failure_of_accounts()) return;
  entry.require(needs::directory);
  report(std::string(entry.directory).append(entry.name), "look up its account", 0,
         "the system's accounts do not answer (reported once)");
}

}  // namespace ffind::search
