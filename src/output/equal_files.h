// SPDX-License-Identifier: MIT
// Files that may be equal, for --duplicates: narrows them down by size, then by the hash of a part
// of their contents, then of all. Reads no file, and belongs to one thread at a time.
//
//     add()            names of all files
//     match_sizes()    Candidates: inodes that have their size in common with another one
//     to_read()        candidates whose hash is not final: hash them, or set `left_out`
//     match_hashes()   drops candidates without an equal; the others are in groups() by hash
//
// A name costs 40 bytes and its text, which the caller keeps; a candidate costs 24.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace ffind::output {

/// A name of a regular file.
struct FileName {
  std::uint64_t size;
  std::uint64_t inode;
  std::uint64_t modified;  ///< nanoseconds, modulo 2^64
  const char* name;        ///< ends with a NUL
  std::uint32_t directory;
  std::uint32_t device;  ///< all of it: neither system has numbers that are longer

  bool is_same_file(const FileName& other) const {
    return inode == other.inode && device == other.device;
  }
};

struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const ContentHash&) const = default;
};

/// A file with all its names, which follow one another.
struct Candidate {
  std::uint32_t first_name;
  std::uint32_t names : 30;
  std::uint32_t whole : 1 = 0;     ///< the hash is that of all contents
  std::uint32_t left_out : 1 = 0;  ///< could not be read, or has changed
  ContentHash hash{};
};

class EqualFiles {
 public:
  using Index = std::uint32_t;

  void add(std::span<const FileName> names) {
    names_.insert(names_.end(), names.begin(), names.end());
  }
  /// Call once, after the last name.
  void match_sizes();
  /// Returns the candidates whose hash is not final, in the order in which reading them is cheap:
  /// by directory and inode.
  std::vector<Index> to_read() const { return in_order(true); }
  /// Returns all candidates in that order.
  std::vector<Index> in_order(bool unread_only = false) const;
  void match_hashes();
  /// Returns candidates with equal contents, each group as its first candidate and the one after
  /// its last. Only final once to_read() is empty.
  std::vector<std::pair<Index, Index>> groups() const;

  std::size_t number_of_names() const { return names_.size(); }
  const FileName& name(Index index) const { return names_[index]; }
  const FileName& file(const Candidate& candidate) const { return names_[candidate.first_name]; }
  Candidate& candidate(Index index) { return candidates_[index]; }

 private:
  bool are_equal(const Candidate& one, const Candidate& other) const {
    return one.hash == other.hash && file(one).size == file(other).size;
  }

  std::deque<FileName> names_;  ///< a vector that grows would take twice the memory
  std::vector<Candidate> candidates_;
};

}  // namespace ffind::output
