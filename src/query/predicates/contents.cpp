// SPDX-License-Identifier: MIT
// The test of a file's bytes: whether one of its lines matches a pattern. What the bytes go through
// is in contents/. Immutable.
#include "query/contents/content_scanner.h"
#include "query/contents/line_pattern.h"
#include "query/predicates/predicates.h"

namespace ffind::query {
namespace {

class ContentTest final : public Test {
 public:
  ContentTest(const PatternSpec& spec, bool binary)
      : pattern_(spec), spec_(spec), binary_(binary) {}

  bool holds(Entry& entry) const override {
    if (!entry.require(needs::type) || entry.type != FileType::file) return false;
    if ((entry.failed & needs::contents) != 0) return false;  // it would be reported again
    ContentScanner scanner(pattern_, binary_);
    if (entry.loader == nullptr || !entry.loader->read_contents(entry, scanner)) {
      entry.failed |= needs::contents;
      return false;
    }
    return scanner.found();
  }

  Needs needs() const override { return needs::type | needs::contents; }
  int cost() const override { return 10'000; }  // of some 15,000 bytes

  Bound bound() const override {
    Bound bound;
    bound.types = bit_of(FileType::file);
    return bound;
  }

  std::string text() const override {
    return pattern_text(binary_ ? "contents binary" : "contents", spec_);
  }

 private:
  LinePattern pattern_;
  PatternSpec spec_;
  bool binary_;
};

}  // namespace

TestPointer content_test(const PatternSpec& spec, bool binary) {
  return std::make_shared<ContentTest>(spec, binary);
}

}  // namespace ffind::query
