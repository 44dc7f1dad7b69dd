// SPDX-License-Identifier: MIT
// Entries of no file system, and a stage that remembers: for tests of what is held back.
#pragma once

#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "output/pipeline.h"

namespace ffind::output {

/// A match of which all that is set is known, and nothing else can be had.
struct MatchedEntry {
  explicit MatchedEntry(std::string path_, std::string root_ = "") : root(std::move(root_)) {
    path = root.empty() || root.back() == '/' ? root + path_ : root + "/" + path_;
    const std::size_t slash = path.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    relative = path_;
    entry.name = std::string_view(path).substr(name);
    entry.directory = std::string_view(path).substr(0, name);
    entry.relative_path = relative;
    entry.type = FileType::file;
    entry.depth = 1;
    entry.present = needs::directory | needs::relative_path | needs::type;
  }
  MatchedEntry(const MatchedEntry&) = delete;

  MatchedEntry& sized(std::uint64_t size) {
    entry.metadata.size = size;
    entry.present |= needs::size;
    return *this;
  }
  MatchedEntry& is(FileType type) {
    entry.type = type;
    return *this;
  }

  std::string root;
  std::string path;
  std::string relative;
  Entry entry;
};

class Remembering final : public RecordStage {
 public:
  explicit Remembering(std::size_t most = std::string::npos) : most_(most) {}
  bool take(std::string_view records) override {
    text += records;
    ++times;
    return text.size() < most_;
  }

  std::string text;
  std::size_t times = 0;

 private:
  std::size_t most_;
};

}  // namespace ffind::output
