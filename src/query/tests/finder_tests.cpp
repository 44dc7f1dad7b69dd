// SPDX-License-Identifier: MIT
// Tests of what the Finder keeps about a file, and of extended attributes.
#include "query/tests/tests.h"

namespace ffind {

TestPointer tag_test(const PatternSpec&) {
  throw UsageError("this filter is not there yet");
}
TestPointer untagged_test() {
  throw UsageError("this filter is not there yet");
}
TestPointer comment_test(const PatternSpec&) {
  throw UsageError("this filter is not there yet");
}
TestPointer where_from_test(const PatternSpec&) {
  throw UsageError("this filter is not there yet");
}
TestPointer attribute_test(std::string) {
  throw UsageError("this filter is not there yet");
}
TestPointer attribute_test(std::string, const PatternSpec&) {
  throw UsageError("this filter is not there yet");
}

}  // namespace ffind
