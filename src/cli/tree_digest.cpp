// SPDX-License-Identifier: MIT
// Sums of hashes. See tree_digest.h.
#include "cli/tree_digest.h"

#include <cstring>
#include <string_view>

namespace ffind::cli {
namespace {

/// Spreads every bit over all of them (the finalizer of splitmix64).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// Eight bytes at a time: this is on the way of every entry that is measured.
std::uint64_t with_text(std::uint64_t hash, std::string_view text) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  while (text.size() >= sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    hash = (hash ^ word) * odd;
    hash ^= hash >> 32U;
    text.remove_prefix(sizeof word);
  }
  std::uint64_t rest = text.size();
  for (const char c : text) rest = (rest << 8U) | static_cast<unsigned char>(c);
  return mixed(hash ^ rest);
}

std::uint64_t names_hash(const Entry& entry) {
  const auto type = static_cast<std::uint64_t>(entry.type);
  return with_text(with_text(type, entry.directory), entry.name);
}

std::uint64_t metadata_hash(const Entry& entry, std::uint64_t hash) {
  const Metadata& metadata = entry.metadata;
  const auto add = [&](Needs need, std::uint64_t value) {
    hash = mixed(hash ^ ((entry.present & need) != 0 ? value : ~value));
  };
  add(needs::mode, metadata.mode);
  add(needs::owner, (std::uint64_t{metadata.uid} << 32U) | metadata.gid);
  add(needs::modified, static_cast<std::uint64_t>(metadata.modified));
  // That of a directory is the file system's own affair, and no two calls need agree.
  if (entry.type == FileType::file) add(needs::size, metadata.size);
  return hash;
}

}  // namespace

class DigestSink::DigestLane final : public Lane {
 public:
  explicit DigestLane(DigestSink& sink) : sink_(sink) {}
  ~DigestLane() override {
    const std::lock_guard lock(sink_.mutex_);
    sink_.digest_.entries += sum_.entries;
    sink_.digest_.names += sum_.names;
    sink_.digest_.metadata += sum_.metadata;
  }
  DigestLane(const DigestLane&) = delete;
  DigestLane& operator=(const DigestLane&) = delete;

  bool emit(Entry& entry) override {
    entry.require(sink_.needs());
    const std::uint64_t hash = names_hash(entry);
    ++sum_.entries;
    sum_.names += hash;
    if (sink_.with_metadata_) sum_.metadata += metadata_hash(entry, hash);
    return true;
  }
  void flush_if_due() override {}
  void flush() override {}

 private:
  DigestSink& sink_;
  TreeDigest sum_;
};

std::unique_ptr<Lane> DigestSink::open_lane() {
  return std::make_unique<DigestLane>(*this);
}

void DigestSink::report(const Issue& issue) {
  const std::lock_guard lock(mutex_);
  if (!first_issue_) first_issue_ = issue;
}

void DigestSink::notice(const std::string& /*path*/, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (notice_.empty()) notice_ = text;
}

}  // namespace ffind::cli
