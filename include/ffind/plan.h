// SPDX-License-Identifier: MIT
// The plan: who searches what. One task a volume; each with its method, reader, threads and the
// reasons for them. Made from values (query, mount table, locations); performs no call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/issue.h"
#include "ffind/query.h"
#include "ffind/volume.h"

namespace ffind {

/// A place where a search begins: what was named, or a volume mounted below that.
struct Root {
  std::string open_path;  ///< what to open: "." for the current directory unnamed
  std::string printed;    ///< what goes before the paths below it, with a slash at its end or empty
  std::string absolute;   ///< absolute path, no slash at its end unless it is "/"
  std::string canonical;  ///< absolute, without symbolic links: the mount table's view of it
  /// For a volume mounted below the named root: its path from there, without slashes at its ends;
  /// `printed` ends with it and a slash. Such a root may turn out to be a file (containers mount
  /// single files); the walk above has listed it then, and there is nothing left to do.
  std::string below;
  bool is_file = false;     ///< planned as what is no directory; the search has the last word
  std::uint32_t depth = 0;  ///< depth of the root itself
  /// Canonical paths of directories below this root that another root of the plan searches, as
  /// parts of the same file system: listed here, not entered. Nearly always empty.
  std::vector<std::string> covered{};
  /// The same of directories that the system shows elsewhere as its own (macOS's firmlinks), where
  /// another walk lists them: neither listed here nor entered.
  std::vector<std::string> listed_elsewhere{};
};

/// A mount point below a root: an edge that the walker does not cross. It may be a file: the mount
/// table does not tell.
struct Boundary {
  std::string path;  ///< canonical
  VolumeKind kind = VolumeKind::local;
  bool left_out = false;      ///< not searched, but `--cross-volumes` or `--network` would
  bool entered = false;       ///< another root of the plan begins there
  bool listed = true;         ///< false: another walk lists it
  bool mount_point = true;    ///< false: an edge that is a directory of this very volume
  std::uint64_t volume = 0;   ///< mount id
  std::string file_system{};  ///< type of that volume
  std::string reason{};       ///< why it is searched or not
};

/// How a catalog is read.
enum class CatalogShape : std::uint8_t {
  flat,         ///< lists the whole volume, in no order (os/catalog.h)
  directories,  ///< lists a directory by its number (os/directory_reader.h)
};

struct Task {
  Volume volume;  ///< itself, not a firmlink's view of it
  std::vector<Root> roots;
  std::vector<Boundary> boundaries;
  bool whole_volume = false;  ///< one of the roots is the volume's own
  /// What firmlinks show is searched under the volume's own paths, which the system never gives.
  bool unusual_names = false;
  Method method = Method::walk;
  bool requested = false;  ///< the method was, and is taken whether it pays or not
  CatalogShape catalog_shape = CatalogShape::flat;
  Reader reader = Reader::readdir;  ///< with a catalog: of the walk where that fails
  unsigned threads = 1;
  /// So many while the volume keeps them waiting; no more than `threads`: their number is fixed.
  unsigned most_threads = 0;
  /// So many keep the processors busy where the volume answers at once.
  unsigned busy_threads = 1;
  /// What will be read of entries: a reader may fetch it on the way, and need fetch no more.
  Needs wanted = needs::none;
  /// Nothing below the roots is entered (a volume whose entries mount themselves when touched).
  bool enter = true;
  /// Value of d_off behind the last entry of a directory, where the file system has a fixed one;
  /// 0 where it has none. Saves the call that would only say that there is no more.
  std::int64_t end_mark = 0;
  std::string method_reason;
  std::string reader_reason;
  std::string threads_reason;
};

/// A root that is not searched because another one gives all its answers.
struct DroppedRoot {
  std::string typed;
  std::string reason;
};

struct Plan {
  std::vector<Task> tasks;
  /// Roots that cannot be searched, with their errno.
  std::vector<Location> missing;
  std::vector<DroppedRoot> dropped{};
};

/// What is wanted of entries, by whom.
struct Wants {
  /// The matcher, for its exclude and prune patterns too. Where they ask for the path below the
  /// root, roots inside one another have different answers.
  Needs matcher = needs::none;
  Needs output = needs::none;
  /// No entry can match: roots are looked at, and nothing is searched.
  bool nothing = false;
  /// Every match contains some text in its name: for most entries nothing else is read.
  bool few_names = false;
};

/// What the machine offers; a value so that plans can be tested for machines nobody has.
struct Machine {
  unsigned processors = 1;
  /// Readers that this build has, best first for a local volume of unknown kind.
  std::vector<Reader> readers;
};

/// Whether the walk would enter a directory, as far as the patterns that exclude and prune are
/// concerned (depth and hidden names are the plan's to look at). `relative` is its path below the
/// root, `absolute` the same from "/"; `depth` is 1 for what lies directly in the root.
using Enters =
    std::function<bool(std::string_view relative, std::string_view absolute, std::uint32_t depth)>;

/// A catalog was requested of a volume that has none, or whose answers would be wrong.
class CatalogUnavailable : public UsageError {
 public:
  CatalogUnavailable(const std::string& message, std::string reason)
      : UsageError(message), reason_(std::move(reason)) {}
  /// Why, without the option and the volume.
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// Without `enters` every directory counts as entered. Throws UsageError when the query asks for
/// what a volume cannot do.
Plan make_plan(const Query& query, Wants wants, const MountTable& table,
               const std::vector<Location>& locations, const Machine& machine,
               const Enters& enters = {});

}  // namespace ffind
