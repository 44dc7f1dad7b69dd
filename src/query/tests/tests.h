// SPDX-License-Identifier: MIT
// The tests: one factory for each thing that can be asked of an entry. To add a filter, add a row
// here, its class in tests.cpp, and an option in cli. Called by cli's query builder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ffind/query.h"
#include "query/patterns/pattern.h"
#include "query/values/range.h"

namespace ffind {

/// What a pattern is held against.
enum class Subject : std::uint8_t {
  name,
  path,  ///< below the root
  absolute_path,
};

using TestPointer = std::shared_ptr<const Test>;

/// Throws UsageError for a pattern that cannot be compiled.
TestPointer pattern_test(Subject subject, const PatternSpec& spec);
/// The name ends with a dot and one of `extensions` (no dots before them, any case unless
/// `case_sensitive`), and something stands before that dot.
TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive);
TestPointer type_test(std::vector<FileType> types);
/// Regular files only: what a directory or a link weighs is its file system's business.
TestPointer size_test(const SizeRange& range);
TestPointer modified_test(const TimeRange& range);
TestPointer depth_test(const DepthRange& range);
/// A regular file of no bytes or a directory of no entries.
TestPointer empty_test();
/// The entry's own name begins with a dot.
TestPointer hidden_test();

}  // namespace ffind
