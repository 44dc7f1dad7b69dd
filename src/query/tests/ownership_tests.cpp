// SPDX-License-Identifier: MIT
// Tests of who owns a file, who may do what with it, and which file it is.
#include "query/tests/tests.h"

namespace ffind {

TestPointer owner_test(std::vector<Account>) {
  throw UsageError("this filter is not there yet");
}
TestPointer group_test(std::vector<Account>) {
  throw UsageError("this filter is not there yet");
}
TestPointer orphaned_owner_test(const Accounts&) {
  throw UsageError("this filter is not there yet");
}
TestPointer orphaned_group_test(const Accounts&) {
  throw UsageError("this filter is not there yet");
}
TestPointer permissions_test(const Permissions&) {
  throw UsageError("this filter is not there yet");
}
TestPointer executable_test() {
  throw UsageError("this filter is not there yet");
}
TestPointer locked_test() {
  throw UsageError("this filter is not there yet");
}
TestPointer links_test(const SizeRange&) {
  throw UsageError("this filter is not there yet");
}
TestPointer inode_test(const SizeRange&) {
  throw UsageError("this filter is not there yet");
}
TestPointer same_file_test(std::uint64_t, std::uint64_t, std::string) {
  throw UsageError("this filter is not there yet");
}

}  // namespace ffind
