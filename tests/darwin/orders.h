// SPDX-License-Identifier: MIT
// Orders to the simulated kernel, from the environment variable FFIND_DARWIN: the text of them, or
// the absolute path of a file with it. tests/darwin/README.md lists the language. Read once, by
// the kernel_*.cpp files; must not know what the orders do.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace simulated {

/// What a file is besides what Linux knows of it: bits, and in the upper half bits of st_flags.
using Marks = std::uint64_t;
namespace marks {
inline constexpr Marks none = 0;
inline constexpr Marks dataless = 1U << 0;
inline constexpr Marks trigger = 1U << 1;
inline constexpr Marks bundle = 1U << 2;
inline constexpr Marks secret = 1U << 3;  ///< "private": EPERM when opened
inline constexpr Marks hidden = 1U << 4;
inline constexpr Marks locked = 1U << 5;
inline constexpr Marks once_linked = 1U << 6;     ///< had several names: a link in the catalog
inline constexpr Marks unsettled = 1U << 7;       ///< the catalog on disk is older than the file
inline constexpr Marks directory_link = 1U << 8;  ///< a directory with several names
inline constexpr Marks acl = 1U << 9;
inline constexpr Marks empty_acl = 1U << 10;  ///< a list without entries
inline constexpr Marks sync_root = 1U << 11;  ///< where a cloud service keeps its files
inline constexpr Marks cloned = 1U << 12;     ///< shares all blocks but one with a clone
inline constexpr unsigned flags_at = 32;
}  // namespace marks

struct VolumeOrder {
  std::string path;  ///< absolute, without symbolic links
  std::string type;  ///< empty: as it would be
  std::vector<std::string> words;
};

struct FirmlinkOrder {
  std::string path;    ///< absolute
  std::string target;  ///< below the Data volume's root
};

struct SearchOrders {
  unsigned slice = 0;  ///< matches a call at most; 0: as many as fit
  std::uint64_t busy_after = 0;
  unsigned busy_times = 0;
  bool busy_for_ever = false;
  int error = 0;
  unsigned delay = 0;  ///< milliseconds a call
  bool odd_types = false;
  bool odd_directories = false;
  bool odd_links = false;
};

struct BulkOrders {
  unsigned slice = 0;  ///< entries a call at most
  int error = 0;
  bool range_at_end = false;
  bool unmarked = false;  ///< packs without a vnode: no mount status, no flag of firmlinks
  std::map<std::string, int> entry_errors;
  std::map<std::string, int> look_up_errors;
  std::uint32_t without[5] = {};  ///< attributes that the file system does not have
};

/// Reading the directory of that name fails after so many entries.
struct ListingOrder {
  unsigned entries = 0;
  int error = 0;
};

struct AttributeOrders {
  std::map<std::string, int> errors;  ///< by the file's name: listing and reading fail
  bool grow = false;  ///< names and values grow between a call that asks for the size and the next
};

struct Orders {
  std::string log;
  std::string default_type = "apfs";
  std::vector<VolumeOrder> volumes;
  std::vector<FirmlinkOrder> firmlinks;
  std::map<std::string, Marks> marked;  ///< by path
  SearchOrders search;
  BulkOrders bulk;
  AttributeOrders attributes;
  std::map<std::string, int> open_errors;  ///< by name
  std::map<std::string, ListingOrder> listings;
  std::map<int, int> policies;      ///< of the process at its start
  std::vector<std::string> linked;  ///< names of directories that are mounted for the others
  std::vector<std::string>
      exchanged;                 ///< two paths, when fsgetpath has answered for the first time
  unsigned fast_processors = 0;  ///< 0: all of them, as in Macs with Intel's
  std::string trash;             ///< what it does in the place of moving files to ~/.Trash
  std::size_t longest_path_asked = 8192;  ///< what fsgetpath takes
};

/// Ends the process with a message when they cannot be read.
const Orders& orders();

/// Writes one line to the log that was ordered, if any.
bool logging();
void log(const std::string& line);

}  // namespace simulated
