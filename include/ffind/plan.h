// SPDX-License-Identifier: MIT
// The plan: who searches what. One task a volume; each with its method, reader, threads and the
// reasons for them. Made from values (query, mount table, locations); performs no call.
#pragma once

#include <string>
#include <vector>

#include "ffind/query.h"
#include "ffind/volume.h"

namespace ffind {

/// A place where a search begins.
struct Root {
  std::string open_path;  ///< what to open: "." for the current directory unnamed
  std::string printed;    ///< what goes before the paths below it, with a slash at its end or empty
  std::string absolute;   ///< absolute path, no slash at its end unless it is "/"
  std::string canonical;  ///< absolute, without symbolic links: the mount table's view of it
  std::string below;      ///< relative path from the typed root, for a volume mounted below it
  std::uint32_t depth = 0;  ///< depth of the root itself
};

/// A mount point below a root: an edge that the walker does not cross.
struct Boundary {
  std::string path;        ///< canonical
  VolumeKind kind = VolumeKind::local;
  bool left_out = false;  ///< `--cross-volumes` would enter it
};

struct Task {
  Volume volume;
  std::vector<Root> roots;
  std::vector<Boundary> boundaries;
  Method method = Method::walk;
  Reader reader = Reader::readdir;
  unsigned threads = 1;
  /// Nothing below the roots is entered (a volume whose entries mount themselves when touched).
  bool enter = true;
  /// Value of d_off behind the last entry of a directory, where the file system has a fixed one;
  /// 0 where it has none. Saves the call that would only say that there is no more.
  std::int64_t end_mark = 0;
  std::string method_reason;
  std::string reader_reason;
  std::string threads_reason;
};

struct Plan {
  std::vector<Task> tasks;
  /// Roots that cannot be searched, with their errno.
  std::vector<Location> missing;
};

/// What the machine offers; a value so that plans can be tested for machines nobody has.
struct Machine {
  unsigned processors = 1;
  /// Readers that this build has, best first for a local volume of unknown kind.
  std::vector<Reader> readers;
};

/// Throws UsageError when the query asks for what a volume cannot do.
Plan make_plan(const Query& query, Needs needs, const MountTable& table,
               const std::vector<Location>& locations, const Machine& machine);

}  // namespace ffind
