// SPDX-License-Identifier: MIT
// Query: the expression that a match must satisfy, the scope of the search and the limit.
//
//     Query ── where: Expression ── a tree of all, any, not and Tests
//           ├─ scope: Scope      ── depth, exclusions, ignore rules, method, threads
//           └─ limit
//
// A Test is one predicate on an entry. It publishes what it needs (attributes that may have to be
// loaded), what it costs, and its bound (what a file system may test in its place); optimiser, plan
// and catalogs work with those and know no test by name. The command line builds a Query, the plan
// reads its scope, the Matcher compiles it.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/issue.h"

namespace ffind {

// --- The bound: conditions that every match of an expression meets. Given to catalogs; it may
// admit too much, never too little: each entry that a catalog returns is tested again in full.

/// A set of types, one bit each.
using FileTypes = std::uint8_t;

constexpr FileTypes bit_of(FileType type) {
  return static_cast<FileTypes>(1U << static_cast<unsigned>(type));
}
inline constexpr FileTypes all_types = 0xFF;

/// Each member is true of every match on its own. The defaults are true of every entry.
struct Bound {
  /// Text that the name contains, compared without regard to case and Unicode normalisation. It
  /// has only characters that every file system folds and normalises alike (text/unicode.h). Names
  /// that are not UTF-8 contain it only if it is ASCII. Empty if no such text is known.
  std::string name_contains{};
  FileTypes types = all_types;
  std::uint64_t least_size = 0;  ///< bytes; applies to regular files
  std::uint64_t most_size = std::numeric_limits<std::uint64_t>::max();
  Instant first_modified = std::numeric_limits<Instant>::min();
  Instant last_modified = std::numeric_limits<Instant>::max();
  std::uint32_t most_depth = std::numeric_limits<std::uint32_t>::max();

  bool operator==(const Bound&) const = default;
};

// --- The query

/// One predicate on an entry. Immutable, shared by all workers.
class Test {
 public:
  virtual ~Test() = default;
  /// True if the entry passes. False if it does not, and also if that is unknown because an
  /// attribute could not be read; `is_unknown` then tells the two apart, so that the negation of
  /// the test is not true either.
  virtual bool holds(Entry& entry) const = 0;
  /// Called after `holds` returned false: true if an attribute that could not be read might have
  /// made it true. False for types outside of the bound: a directory whose size could not be read
  /// (for another test, perhaps) still is not a file.
  virtual bool is_unknown(const Entry& entry) const;
  /// Attributes other than the name that `holds` may load.
  virtual Needs needs() const = 0;
  /// Approximate nanoseconds per call, system calls not included.
  virtual int cost() const = 0;
  /// Satisfied by every entry that passes the test.
  virtual Bound bound() const { return {}; }
  /// False if it matches practically every entry and so selects nothing.
  virtual bool narrows() const { return true; }
  /// False as well for a type and a depth, which say what kind of entry is meant, not which one.
  virtual bool selects() const { return narrows(); }
  /// Tests of the same non-empty family can be merged by `either`.
  virtual std::string_view family() const { return {}; }
  /// Returns one test that is true if any of `tests` is, and costs less than all of them. They
  /// include this test and belong to its family.
  virtual std::shared_ptr<const Test> either(const std::vector<const Test*>&) const {
    return nullptr;
  }
  /// The test as a piece of the expression language, e.g. `name contains "report"`.
  virtual std::string text() const = 0;
};

/// A tree of tests. `all` without operands is true, `any` without operands is false.
struct Expression {
  enum class Op : std::uint8_t { all, any, negation, test };

  Op op = Op::all;
  std::vector<Expression> operands{};
  std::shared_ptr<const Test> test{};

  static Expression of(std::shared_ptr<const Test> test);
  static Expression all(std::vector<Expression> operands);
  static Expression any(std::vector<Expression> operands);
  static Expression negation(Expression operand);

  bool always() const { return op == Op::all && operands.empty(); }
  bool never() const { return op == Op::any && operands.empty(); }
};

/// Returns the expression in the expression language, in order of evaluation.
std::string to_text(const Expression& expression);

inline constexpr std::uint32_t unlimited_depth = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

enum class Method : std::uint8_t { automatic, walk, catalog };
enum class Reader : std::uint8_t { automatic, getdents, readdir, fts, bulk };

std::string_view to_text(Method method);
std::string_view to_text(Reader reader);

/// Settings of --gitignore. Those of git's environment and of the user's configuration are read
/// once; a repository's own configuration may override the latter.
struct GitIgnore {
  bool enabled = false;
  bool ignore_case = false;     ///< core.ignoreCase outside of repositories
  std::string excludes_file{};  ///< core.excludesFile, absolute or relative to the top of a
                                ///< working tree
  std::string home{};           ///< expansion of `~` in such paths; empty if unknown
  /// From the environment; take precedence over the configuration of repositories.
  std::optional<std::string> given_excludes_file{};
  std::optional<bool> given_ignore_case{};
};

/// Rules that apply below each root, and the path that they were read from.
struct IgnoreText {
  std::string file;
  std::string rules;
  /// Canonical directory that their paths are relative to, or else are absolute outside of it;
  /// empty: each root.
  std::string base{};
  bool decides_first = false;  ///< before all ignore files, not after them
};

/// A list of paths that are the entries, in place of a walk.
struct PathList {
  std::string file;         ///< "-": standard input
  char end = '\n';          ///< of each path; or NUL
  bool of_records = false;  ///< a line is a record of an earlier search: all that is known
};

/// Entries of the Trashes of this user.
struct TrashContents {
  std::vector<Trashed> entries{};  ///< in the order of path_less(); the latest of a path first
  std::vector<Issue> issues{};     ///< of Trashes that cannot be read
};

/// Places to search and directories to skip. Matching is the expression's part.
struct Scope {
  std::vector<PathList> lists{};
  /// The list has the paths of these entries, in their order. Null if it is no Trash.
  std::shared_ptr<const TrashContents> trash{};
  /// An entry that the lists have twice is one: an action acts once.
  bool each_once = false;
  /// Paths of lists are printed without "." and doubled slashes, not as they are written.
  bool plain_paths = false;
  std::uint32_t min_depth = 0;
  std::uint32_t max_depth = unlimited_depth;
  /// Entries that are neither emitted nor descended into.
  Expression exclude = Expression::any({});
  /// Directories that may be emitted but are not descended into.
  Expression prune = Expression::any({});
  bool skip_hidden = false;
  bool follow = false;         ///< symbolic links are treated as their targets
  bool unique = false;         ///< each directory is visited only once
  bool skip_packages = false;  ///< do not descend into packages of macOS
  GitIgnore gitignore{};
  /// Names of ignore files read in each directory; later names take precedence.
  std::vector<std::string> ignore_files{};
  std::vector<IgnoreText> ignore_texts{};
  /// Reads ignore files as fd and ripgrep do: any `.git` or `.jj` makes a working tree, of whose
  /// settings only info/exclude counts; files may be links; {a,b} are alternatives; `.git` itself
  /// is searched.
  bool loose_ignores = false;
  bool ignores_need_tree = false;  ///< git's rules count in working trees only
  bool ignores_of_parents = true;  ///< those of the directories around a root count
  /// Entries whose names begin with a dot are ignored, unless a rule includes them.
  bool ignores_hidden = false;
  bool has_ignore_rules() const {
    return gitignore.enabled || !ignore_files.empty() || !ignore_texts.empty() || ignores_hidden;
  }
  bool cross_volumes = false;
  bool network = false;  ///< cross_volumes includes network volumes
  /// Roots are entries of depth 0, also directories, and none is dropped because another one
  /// contains it: the rule of find(1).
  bool list_roots = false;
  /// An entry that is gone when it is statted is no error, as for all other searches. (A root is.)
  bool ignores_vanished = false;
  bool follow_roots = true;  ///< a root that is a link is its target
  /// Directories of other volumes below a root that are entered.
  enum class Mounts : std::uint8_t {
    by_kind,    ///< by the mount table, `cross_volumes` and `network`; each part of a file system
                ///< once, by a task of its volume
    of_device,  ///< by the walk around them, if they are of the root's device (st_dev)
    all,        ///< by the walk around them, in each place and whatever their kind
  };
  Mounts mounts = Mounts::by_kind;
  /// Everything below a directory that is emitted is emitted, too, unless it is excluded. For sinks
  /// that follow directories.
  bool whole_directories = false;
  /// A directory is emitted before what is in it, and all of a root before the next one.
  bool parents_first = false;
  /// Order of find(1), by one thread: a directory is entered before the entries after it, and the
  /// sink decides what becomes of each entry. No expression is evaluated.
  struct Order {
    bool contents_first = false;  ///< a directory comes after what is in it
    bool is_sorted = false;       ///< siblings come in the order of their names
  };
  std::optional<Order> order{};
  Method method = Method::automatic;
  Reader reader = Reader::automatic;
  unsigned threads = 0;  ///< 0: chosen by the plan
};

class NearMiss;

struct Query {
  Expression where;
  Scope scope;
  std::uint64_t limit = unlimited;  ///< stop after this number of matches
  /// Variants of the query to be observed during the search; owned by the caller.
  std::vector<NearMiss*> near_misses{};
};

// --- The matcher: the compiled query, which decides for each entry whether to emit it and whether
// to descend into it. cli builds one, and all workers share it.

/// In two bytes: a third takes 5 instructions an entry, bits in one take 8.
struct Verdict {
  enum class Descent : std::uint8_t {
    no,
    yes,
    excluded,  ///< not emitted either: it is no part of the search
  };
  bool emit = false;
  Descent descent = Descent::no;

  bool descend() const { return descent == Descent::yes; }
  bool excluded() const { return descent == Descent::excluded; }
};

/// Immutable after construction, so one is shared by all threads.
class Matcher {
 public:
  /// Optimises the query's expressions.
  explicit Matcher(const Query& query);

  /// The full decision. May block in the kernel if a test needs attributes that the entry does not
  /// have yet.
  Verdict judge(Entry& entry) const;

  /// True if `judge` would descend into `entry`, assuming that it is a directory.
  bool descends(Entry& entry) const;

  /// True if `judge` would emit `entry`. Its parent directories are not checked.
  bool emits(Entry& entry) const;

  /// Evaluates only what is already loaded and treats the depth as unknown. False if `judge` cannot
  /// emit `entry`, whatever its remaining attributes turn out to be.
  bool may_emit(Entry& entry) const;

  /// True if the query has near misses, which are to be shown each entry by the functions below. A
  /// test in `judge` would take 17 instructions an entry, 3 % of a list.
  bool has_near_misses() const { return !near_misses_.empty(); }
  /// Shows the near misses an entry that was judged.
  void note_judged(Entry& entry, Verdict verdict) const;
  /// Shows them an entry that was not, since an ignore rule excludes it.
  void note_ignored(Entry& entry) const;

  /// Satisfied by every entry that `judge` emits.
  Bound bound() const;

  /// All attributes that evaluating the query may load.
  Needs needs() const { return needs_; }
  /// The optimised expression, as printed by `--explain`.
  const Expression& where() const { return where_; }
  const Scope& scope() const { return scope_; }

 private:
  friend class NearMiss;

  bool excluded(Entry& entry) const;
  bool is_pruned(Entry& entry) const;

  Expression where_;
  Scope scope_;
  Needs needs_;
  std::vector<NearMiss*> near_misses_;
};

/// A variant of a query, such as one that ignores case, for hints if nothing matches. Notes if it
/// would have matched an entry that the query rejected, or entered a directory that it did not,
/// until the query matches. It judges by what is already loaded: it makes no call, and notes
/// nothing in doubt. Thread-safe. Flat catalogs show it nothing.
class NearMiss {
 public:
  /// With `beyond_ascii`, judges only names that are not ASCII, also once the query has matched.
  /// With `counts`, notes every entry that only the variant matches, not just the first, also then.
  explicit NearMiss(const Query& variant, bool beyond_ascii = false, bool counts = false)
      : matcher_(variant), beyond_ascii_(beyond_ascii), counts_(counts) {}

  /// An entry was met that the variant matches.
  bool matches() const { return count() != 0; }
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  /// The name of the first of them. Call after the search.
  const std::string& first_name() const { return first_name_; }
  /// A directory was met that only the variant enters.
  bool enters() const { return enters_.load(std::memory_order_relaxed); }

 private:
  friend class Matcher;
  void note(Entry& entry, Verdict verdict);

  const Matcher matcher_;
  const bool beyond_ascii_;
  const bool counts_;
  std::atomic<bool> is_over_{false};     ///< the query matched
  std::atomic<std::uint64_t> count_{0};  ///< of entries that the variant matches
  std::string first_name_;               ///< written by the thread that counts to 1
  std::atomic<bool> enters_{false};
};

/// Returns an equivalent expression: nested `all` and `any` flattened, constants folded, repeated
/// tests dropped, and operands sorted by cost, those without a system call first.
Expression optimise(Expression expression);

/// Satisfied by every entry for which `expression` is true.
Bound bound_of(const Expression& expression);

/// False if `expression` matches practically every entry and so selects nothing (`name glob '*'`).
/// A heuristic: contrived expressions that match everything may get true.
bool narrows(const Expression& expression);

/// False if `expression` tests nothing but types and depths, or narrows() is false: an action on
/// its matches is one on everything.
bool selects(const Expression& expression);

/// All attributes that evaluating `expression` may load.
Needs needs_of(const Expression& expression);

}  // namespace ffind
