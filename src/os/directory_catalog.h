// SPDX-License-Identifier: MIT
// The seam to catalogs that are read directory by directory, by number, past the kernel's calls:
// Linux's ext2, ext3, ext4 and btrfs. os implements it, search's Walker reads with it. The other
// kind of catalog, which lists a volume in no order, is in catalog.h. Must not know query, search
// or output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "os/dirent_block.h"
#include "os/os.h"

namespace ffind::os {

/// What the catalog calls a directory.
struct DirectoryNumber {
  std::uint64_t inode = 0;  ///< 0: unknown
  std::uint64_t tree = 0;   ///< of btrfs: the subvolume; 0 where there is but one tree
  /// When it was listed, by the catalog's own count: what was read before that proves nothing. 0
  /// where that is proved otherwise.
  std::uint64_t listed = 0;

  explicit operator bool() const { return inode != 0; }
  bool operator==(const DirectoryNumber&) const = default;
};

/// The order in which directories are likely to lie on their volume; those without a number first.
inline bool lies_before(const DirectoryNumber& a, const DirectoryNumber& b) {
  return a.tree != b.tree ? a.tree < b.tree : a.inode < b.inode;
}

/// One thread's hold on a catalog: the directory it read last, and buffers.
class DirectoryReader {
 public:
  virtual ~DirectoryReader() = default;

  /// A hint: these, which lie in the directory that was read last, are likely to be begun next, in
  /// this order, that of `lies_before`, if not by other threads. What reading them takes may be
  /// fetched ahead.
  virtual void expect(const std::vector<DirectoryNumber>& directories) = 0;

  /// Reads the directory `number`, which `parent` was found to list (null for a root, of which the
  /// kernel told), and makes sure that it held together while it was read and is the one that was
  /// listed. False when the kernel has to be asked instead: it changed lately, is too large to be
  /// held, encrypted, damaged, of an unknown kind, or cannot be read.
  virtual bool begin(const DirectoryNumber& number, const DirectoryNumber* parent) = 0;

  /// Fills `block` with the next entries of the directory that was begun; none at the end.
  /// Dirent::inode is what `child` and `metadata` take.
  virtual void read(DirentBlock& block) = 0;

  /// What ended the last read too early, an errno; only where a directory that is too large to be
  /// held is read piece by piece. ESTALE: it changed meanwhile, and the kernel has to be asked for
  /// what `has_told` does not know.
  virtual int error() const { return 0; }
  /// After ESTALE: whether the entry of that name was among those read.
  virtual bool has_told(std::string_view) { return false; }

  /// What of `wanted` is certain of an entry of the directory that was begun, without asking the
  /// kernel: bits of needs::metadata. `type` is what the directory says.
  virtual Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) = 0;
};

/// The catalog of one volume. Thread-safe.
class DirectoryCatalog {
 public:
  virtual ~DirectoryCatalog() = default;

  /// One for each thread that reads.
  virtual std::unique_ptr<DirectoryReader> open_reader() = 0;

  /// The number of a directory that the kernel opened; unknown when it lies on another volume.
  virtual DirectoryNumber number_of(const Directory& opened) = 0;

  /// The number of a directory from its `Dirent::inode` in `parent`, as a reader of this catalog
  /// (or, with `from_kernel`, the kernel's own listing) gave it; may be unknown.
  virtual DirectoryNumber child(const DirectoryNumber& parent, std::uint64_t inode,
                                bool from_kernel) = 0;
};

/// Null where the volume's catalog cannot be read, with the reason as a text that follows "the
/// catalog cannot be read: ".
std::unique_ptr<DirectoryCatalog> open_directory_catalog(const Task& task, std::string& why_not);

}  // namespace ffind::os
