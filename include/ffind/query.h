// SPDX-License-Identifier: MIT
// What was meant: the expression that a match must satisfy, and the scope in which to look.
// Built by cli from what was typed; read by plan and compiled by matcher. No OS, no option names.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/bound.h"
#include "ffind/entry.h"

namespace ffind {

/// One predicate on an entry. Immutable, so that all workers may share it.
class Test {
 public:
  virtual ~Test() = default;
  /// False as well when the entry cannot be asked (its metadata could not be read): then
  /// `is_unknown`, and the test's negation does not hold either.
  virtual bool holds(Entry& entry) const = 0;
  /// Asked where `holds` is false: whether it might be true, had all been read. Never of an entry
  /// whose type is not in the bound: that a directory's size could not be read, as another test may
  /// have found, makes no file of it.
  virtual bool is_unknown(const Entry& entry) const;
  /// What `holds` may ask the entry for, beyond its name.
  virtual Needs needs() const = 0;
  /// Nanoseconds that one call takes, roughly, calls to the kernel not counted.
  virtual int cost() const = 0;
  /// What holds for every entry that the test holds for.
  virtual Bound bound() const { return {}; }
  /// False where it holds for as good as every entry, so that nobody chooses by it.
  virtual bool narrows() const { return true; }
  /// Tests whose families are equal, and not empty, can be made one by `either`.
  virtual std::string_view family() const { return {}; }
  /// One test that holds where any of `tests` does, and costs less than they do. All of them are of
  /// this one's family, and this is one of them.
  virtual std::shared_ptr<const Test> either(const std::vector<const Test*>&) const {
    return nullptr;
  }
  /// The test as a piece of the expression language, e.g. `name contains "report"`.
  virtual std::string text() const = 0;
};

/// A tree of tests. `all` of nothing holds, `any` of nothing does not.
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

/// The expression as text, in the order in which it is evaluated.
std::string to_text(const Expression& expression);

inline constexpr std::uint32_t unlimited_depth = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

enum class Method : std::uint8_t { automatic, walk, catalog };
enum class Reader : std::uint8_t { automatic, getdents, readdir, fts, bulk };

std::string_view to_text(Method method);
std::string_view to_text(Reader reader);

/// Whether what git ignores is passed over, and where its environment has rules for all places.
struct GitIgnore {
  bool enabled = false;
  bool ignore_case = false;     ///< in no repository; one's configuration may differ
  std::string excludes_file{};  ///< relative to the top of a working tree, or absolute; a
                                ///< repository's configuration may differ
  std::string home{};           ///< what `~` stands for there; empty where nobody knows
  /// Said by the environment, and in repositories as well, whatever their configuration says.
  std::optional<std::string> given_excludes_file{};
  std::optional<bool> given_ignore_case{};
};

/// Rules as in a .gitignore that hold from each root, and the file they were read from.
struct IgnoreText {
  std::string file;
  std::string rules;
};

/// Where to look and what to pass over; says nothing about what is wanted.
struct Scope {
  std::uint32_t min_depth = 0;
  std::uint32_t max_depth = unlimited_depth;
  /// Neither listed nor entered.
  Expression exclude = Expression::any({});
  /// Listed, not entered.
  Expression prune = Expression::any({});
  bool skip_hidden = false;
  bool follow = false;         ///< symbolic links count as what they lead to
  bool unique = false;         ///< each directory is visited once
  bool skip_packages = false;  ///< what people are shown as one file is not entered
  GitIgnore gitignore{};
  /// Names of files with rules as git's, read in each directory; the last name decides first.
  std::vector<std::string> ignore_files{};
  std::vector<IgnoreText> ignore_texts{};  ///< decide last
  bool has_ignore_rules() const {
    return gitignore.enabled || !ignore_files.empty() || !ignore_texts.empty();
  }
  bool cross_volumes = false;
  bool network = false;  ///< let cross_volumes enter network volumes too
  Method method = Method::automatic;
  Reader reader = Reader::automatic;
  unsigned threads = 0;  ///< 0: what the plan thinks best
};

struct Query {
  Expression where;
  Scope scope;
  std::uint64_t limit = unlimited;  ///< end after so many matches
};

}  // namespace ffind
