// SPDX-License-Identifier: MIT
// What the searchfs files share: the criteria out of the parameter buffers, and the enumeration of
// a volume, which stands in for its catalog. Included by kernel_search*.cpp only.
#pragma once

#include <sys/attr.h>

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "kernel.h"

namespace simulated {

/// An inclusive range of whole numbers.
struct Range {
  bool asked = false;
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  bool holds(std::uint64_t value) const { return !asked || (first <= value && value <= last); }
};

struct Criteria {
  bool name_asked = false;
  std::u32string name;
  std::uint64_t options = 0;
  attrlist asked{};
  Range id, parent, owner, group, mode, entries, size, allocated, fork_size, fork_allocated;
  std::array<Range, 5> times;  ///< created, modified, changed, accessed, backed up
  std::array<unsigned char, 32> finder_value{};
  std::array<unsigned char, 32> finder_mask{};
};

/// Reads both buffers, as strictly as the documented rules; 0 or an errno.
int read_criteria(const fssearchblock& block, std::uint64_t options, bool apfs, Criteria& criteria);
bool matches(const Criteria& criteria, const Item& item, bool apfs);

/// Everything on a volume, its root first. One thread at a time.
class Enumeration {
 public:
  explicit Enumeration(Located volume);

  /// False at the end. The item's name lives until the next call.
  bool next(Item& item);
  /// The last item comes again.
  void back() { returned_ = true; }
  std::uint64_t visited() const { return visited_; }
  const VolumeRow& volume() const { return *volume_.row; }

 private:
  struct Pending {
    std::string path;
    std::uint64_t id;
  };
  struct Listed {
    std::string name;
    std::uint64_t id;
    unsigned char type;
  };

  bool enter();
  bool list(int fd);
  void describe(const Listed& listed, Item& item);
  void describe_root(Item& item);

  Located volume_;
  std::deque<Pending> pending_;
  std::vector<Listed> listed_;
  std::size_t at_ = 0;
  std::string path_;
  std::uint64_t id_ = 0;
  std::uint64_t mount_ = 0;
  std::string name_;
  Item last_;
  bool begun_ = false;
  bool returned_ = false;
  std::uint64_t visited_ = 0;
};

}  // namespace simulated
