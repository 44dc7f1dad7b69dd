// SPDX-License-Identifier: MIT
// Reads a line of fd 10 as a search by its rules:
//
//     fd -H -e c -E build main src -x wc -l
//        │ FdOptions
//        ▼
//     search()  ─▶  where    patterns, extensions, types, sizes, times, owners: a test of ours each
//                   scope    hidden and ignored entries, depths, roots, volumes
//                   options  what is done with the matches
//
// An error of the line is in the words of fd. One about its options begins with "error: ", and
// makes status 2; the others get "[fd error]: " before them, and make status 1.
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/fd_options.h"
#include "foreign/rust_regex.h"
#include "foreign/tables.h"
#include "query/patterns/pattern.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/ranges.h"
#include "text/sizes.h"
#include "text/times.h"
#include "text/utf8.h"

namespace ffind::foreign {
namespace {

using cli::Id;
using query::PatternKind;

[[noreturn]] void refuse(std::string text) {
  throw UsageError(std::move(text));
}

// --- Values

/// "+10k", "-5mi" or "0": at least, at most, exactly.
text::SizeRange size_of(const std::string& value) {
  const auto wrong = [&] {
    refuse_fd_value(value, "size",
                    text::format("'{}' is not a valid size constraint. See 'fd --help'.", value));
  };
  std::string_view rest = value;
  const char sign = rest.starts_with('+') || rest.starts_with('-') ? rest.front() : ' ';
  if (sign != ' ') rest.remove_prefix(1);
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc{}) wrong();
  std::string unit = text::fold_ascii(rest.substr(static_cast<std::size_t>(stop - rest.data())));
  if (unit.size() > 1 && unit.ends_with('b')) unit.pop_back();
  const std::uint64_t base = unit.ends_with('i') ? 1024 : 1000;
  if (unit.size() == 2 && unit[1] == 'i') unit.pop_back();
  const std::size_t power = unit.size() == 1 ? std::string_view("bkmgt").find(unit) : 5;
  if (power > 4) wrong();
  for (std::size_t i = 0; i < power; ++i) {
    if (number > std::numeric_limits<std::uint64_t>::max() / base) wrong();
    number *= base;
  }
  text::SizeRange range;
  if (sign != '-') range.first = number;
  if (sign != '+') range.last = number;
  return range;
}

/// A duration, "2026-01-31", "2026-01-31 12:00:00", RFC 3339 or "@1700000000".
Instant time_of(const std::string& value, const text::Clock& clock) {
  const bool is_date = value.size() >= 10 && value[4] == '-' && value[7] == '-';
  const bool is_age = value.find_first_not_of("0123456789-") != std::string::npos;
  const bool begins = !value.empty() && (text::is_digit(value.front()) || value.front() == '@');
  try {
    if (begins && (is_date || is_age)) {
      return text::parse_time_range(value, clock, text::ValueSource{}).first;
    }
  } catch (const UsageError&) {
    // Told in the words of fd.
  }
  refuse(text::format("'{}' is not a valid date or duration. See 'fd --help'.", value));
}

std::string_view type_of(const std::string& value) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"f file", "file"},          {"d dir directory", "directory"}, {"l symlink", "symlink"},
      {"b block-device", "block"}, {"c char-device", "character"},   {"s socket", "socket"},
      {"p pipe", "fifo"},          {"x executable", "executable"},   {"e empty", "empty"}};
  for (const auto& [names, type] : types) {
    if (lists(names, value)) return type;
  }
  refuse_fd_value(value, "type", "not one of f, d, l, b, c, x, e, s, p and their words");
}

/// always, auto or never.
std::string when_of(const std::string& value, std::string_view name) {
  if (lists("auto always never", value)) return value;
  refuse_fd_value(value, name, "not one of auto, always and never");
}

// --- The line

class FdLine {
 public:
  FdLine(const Words& words, const Host& host)
      : line_(words), operands_(line_.operands()), commands_(line_.commands()), host_(host) {}

  FdSearch search() {
    if (has("help") || has("version")) {
      return {.help = has("help") ? FdSearch::Help::options : FdSearch::Help::version};
    }
    if (has("gen-completions")) refuse("--gen-completions is not done here");
    enter_base();
    add_roots();
    check_patterns();
    add_scope();
    add_ignores();
    add_output();
    search_.where = where();
    search_.prune = prune();
    return std::move(search_);
  }

  /// Throws if the line is an error in fd.
  bool names_paths() {
    check_patterns();
    add_scope();
    add_output();
    for (const std::string& value : all("type")) type_of(value);
    const auto paths = operands_.begin() + (operands_.empty() ? 0 : 1);
    return std::all_of(paths, operands_.end(), [&](const std::string& path) {
      return host_.place_of(path) != Place::missing;
    });
  }

  /// True if it runs commands. Known once the line is read.
  bool acts() const { return !commands_.empty(); }

 private:
  bool has(std::string_view name) const { return line_.has(name); }
  Words all(std::string_view name) const { return line_.all(name); }
  std::optional<std::string> last(std::string_view name) const { return line_.last(name); }

  // Roots

  void enter_base() const {
    const auto base = last("base-directory");
    if (!base) return;
    if (!host_.enter(*base)) {
      refuse(text::format("The '--base-directory' path '{}' is not a directory.", *base));
    }
  }

  void add_roots() {
    Words paths = all("search-path");
    if (operands_.size() > 1) paths.assign(operands_.begin() + 1, operands_.end());
    const bool is_named = !paths.empty();
    for (std::string& path : paths) {
      if (is_directory(host_, path)) {
        if (path.starts_with('-')) path.insert(0, "./");
        search_.roots.push_back(std::move(path));
      } else {
        host_.tell(text::format("Search path '{}' is not a directory.", path));
      }
    }
    if (is_named && search_.roots.empty()) refuse("No valid search paths given.");
    const bool acts = !commands_.empty() || has("list-details");
    const std::string strips = last("strip-cwd-prefix").value_or("auto");
    const std::string when = strips.empty() ? "always" : when_of(strips, "strip-cwd-prefix");
    const bool is_stripped = when == "always" || (when == "auto" && !has("print0") && !acts);
    if (!is_named && !is_stripped) search_.roots.emplace_back("./");
  }

  // Patterns

  PatternKind kind() const {
    return has("glob")            ? PatternKind::glob
           : has("exact")         ? PatternKind::exact
           : has("fixed-strings") ? PatternKind::contains
                                  : PatternKind::regex;
  }

  void check_patterns() {
    patterns_ = all("and");
    patterns_.push_back(operands_.empty() ? std::string() : operands_.front());
    const Words extensions = all("extension");
    const auto is_text = [](const std::string& word) { return text::is_utf8(word); };
    if (!std::all_of(patterns_.begin(), patterns_.end(), is_text) ||
        !std::all_of(extensions.begin(), extensions.end(), is_text)) {
      refuse(fd_usage_error("invalid UTF-8 was detected in one or more arguments"));
    }
    for (const std::string& pattern : patterns_) {
      if (has("full-path") || pattern.find('/') == std::string::npos) continue;
      refuse(text::format(
          "The search pattern '{0}' contains a path-separation character and will not lead to any "
          "search results.\n\nIf you want to search for all files inside the '{0}' directory, use "
          "a match-all pattern:\n\n  fd . '{0}'\n\nInstead, if you want your pattern to match the "
          "full file path, use:\n\n  fd --full-path '{0}'",
          pattern));
    }
    std::vector<RustRegex> regexes;
    for (const std::string& pattern : patterns_) regexes.emplace_back(rust_text_of(pattern), false);
    if (!shows_hidden() && std::any_of(regexes.begin(), regexes.end(), [](const RustRegex& one) {
          return one.begins_with_dot();
        })) {
      refuse(
          "The pattern(s) seems to only match files with a leading dot, but hidden files are "
          "filtered by default. Consider adding -H/--hidden to search hidden files as well or "
          "adjust your search pattern(s).");
    }
    for (const RustRegex& regex : regexes) {
      if (regex.error().empty()) continue;
      refuse(regex.error() +
             "\n\nNote: You can search for literal substrings with '--fixed-strings' or literal "
             "strings with '--exact' options (instead of a regular expression). Alternatively, you "
             "can also use the '--glob' option to match on a glob pattern.");
    }
    folds_ = has("ignore-case") ||
             (!has("case-sensitive") &&
              std::none_of(regexes.begin(), regexes.end(),
                           [](const RustRegex& one) { return one.has_upper_case(); }));
  }

  /// The expression that fd makes of it. An empty pattern is no glob.
  std::string rust_text_of(const std::string& pattern) const {
    switch (kind()) {
      case PatternKind::glob:
        return pattern.empty() ? pattern : rust_regex_of_glob(pattern);
      case PatternKind::exact:
        return "^" + escaped_for_rust(pattern) + "$";
      case PatternKind::contains:
        return escaped_for_rust(pattern);
      default:
        return pattern;
    }
  }

  static query::PatternSpec spec_of(const std::string& regex, bool folds) {
    try {
      return RustRegex(regex, folds).pattern();
    } catch (const UsageError& error) {
      refuse(text::format("'{}': {} is not done here, where RE2 reads regular expressions", regex,
                          error.what()));
    }
  }

  /// Patterns that match every name are no test. Names in ASCII are matched by a pattern of ours
  /// that is as exact there, if one is faster than an expression.
  std::vector<Expression> pattern_tests() const {
    std::vector<Expression> tests;
    const query::Subject subject =
        has("full-path") ? query::Subject::absolute_path : query::Subject::name;
    for (const std::string& pattern : patterns_) {
      const bool is_regex = kind() == PatternKind::regex;
      if ((is_regex && lists(".* ^", pattern)) ||
          (pattern.empty() && kind() != PatternKind::exact)) {
        continue;
      }
      query::PatternSpec spec = spec_of(rust_text_of(pattern), folds_);
      const bool is_plain_glob = kind() == PatternKind::glob &&
                                 pattern.find_first_of("[]{}\\,") == std::string::npos &&
                                 pattern.find("**") == std::string::npos;
      if (kind() == PatternKind::exact || kind() == PatternKind::contains || is_plain_glob) {
        spec.kind = kind();
        spec.text = pattern;
      } else if (pattern == ".") {
        spec.kind = PatternKind::contains;
        spec.text.clear();
      }
      tests.push_back(Expression::of(query::pattern_test(subject, spec)));
    }
    return tests;
  }

  /// fd's expression asks for a character before the dot. The test of ours is the faster one, and
  /// knows fewer differences of names.
  void add_extensions(std::vector<Expression>& tests) const {
    std::vector<std::string> extensions = all("extension");
    if (extensions.empty()) return;
    std::string regex;
    for (std::string& one : extensions) {
      one.erase(0, one.find_first_not_of('.'));
      regex.append(regex.empty() ? "(?-s:.)\\.(?:" : "|").append(escaped_for_rust(one));
    }
    tests.push_back(Expression::of(query::extension_test(std::move(extensions), false)));
    tests.push_back(
        Expression::of(query::pattern_test(query::Subject::name, spec_of(regex + ")$", true))));
  }

  /// A root is not excluded, so one that --ignore-contain excludes is pruned.
  MakeTest prune() const {
    const auto from = [](std::uint32_t first, std::uint32_t last) {
      return Expression::of(query::range_test(query::depth_row, {first, last}));
    };
    Expression of_root = Expression::all({from(0, 0), search_.scope.exclude});
    if (!has("prune")) return [of_root](const query::Meaning&) { return of_root; };
    Expression is_deep = from(search_.scope.min_depth, unlimited_depth);
    return [of_root, is_deep, where = search_.where](const query::Meaning& meaning) {
      return Expression::any({of_root, Expression::all({is_deep, where(meaning)})});
    };
  }

  // Tests

  MakeTest where() const {
    std::vector<Expression> tests = pattern_tests();
    add_extensions(tests);
    add_types(tests);
    for (const std::string& value : all("size")) {
      tests.push_back(Expression::of(query::range_test(query::stat_size_row, size_of(value))));
    }
    if (has("size")) {  // links are followed to the type, not to the size
      tests.push_back(Expression::any({Expression::of(query::type_test({FileType::file})),
                                       Expression::of(query::target_type_test({FileType::file}))}));
    }
    // fd takes a link that leads nowhere for one without a depth.
    if (has("follow") && (has("min-depth") || has("exact-depth"))) {
      tests.push_back(Expression::negation(Expression::of(query::type_test({FileType::symlink}))));
    }
    const auto add_time = [&](std::string_view name, bool after) {
      const auto value = last(name);
      if (!value) return;
      const Instant time = time_of(*value, host_.clock);
      text::TimeRange range;
      (after ? range.first : range.last) = text::moved(time, 0, after ? 1 : -1);
      tests.push_back(Expression::of(query::range_test(query::modified_row, range)));
    };
    add_time("changed-within", true);
    add_time("changed-before", false);
    return [tests, owner = last("owner").value_or("")](const query::Meaning& meaning) {
      std::vector<Expression> whole = tests;
      add_owner(whole, owner, meaning);
      return Expression::all(std::move(whole));
    };
  }

  /// x and e narrow the other types; without one, x means files, and e files and directories.
  void add_types(std::vector<Expression>& tests) const {
    std::vector<FileType> types;
    bool executable = false;
    bool empty = false;
    for (const std::string& value : all("type")) {
      const std::string_view type = type_of(value);
      executable = executable || type == "executable";
      empty = empty || type == "empty";
      if (const auto one = query::find_type(type)) types.push_back(*one);
    }
    if (!has("type")) return;
    if (executable) types.push_back(FileType::file);
    const auto is_empty_type = [](FileType type) {
      return type == FileType::file || type == FileType::directory;
    };
    if (empty && std::none_of(types.begin(), types.end(), is_empty_type)) {
      types.insert(types.end(), {FileType::file, FileType::directory});
    }
    std::sort(types.begin(), types.end());
    types.erase(std::unique(types.begin(), types.end()), types.end());
    tests.push_back(Expression::of(query::type_test(std::move(types))));
    if (executable) tests.push_back(Expression::of(query::flag_test("runnable")));
    if (empty) tests.push_back(Expression::of(query::flag_test("empty")));
  }

  /// "user:group", either with a ! before it, or empty.
  static void add_owner(std::vector<Expression>& tests, const std::string& owner,
                        const query::Meaning& meaning) {
    std::string_view rest = owner;
    for (const query::AccountKind* const account : {&query::users, &query::groups}) {
      std::string_view part = text::take_part(rest, ':');
      const bool negated = part.starts_with('!');
      if (negated) part.remove_prefix(1);
      if (part.empty() && !negated) continue;
      const std::string name(part);
      std::uint32_t id = 0;
      const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), id);
      if (error != std::errc{} || stop != part.data() + part.size()) {
        const auto known = (meaning.context.accounts->*(account->id_of))(name);
        if (!known) {
          refuse_fd_value(owner, "owner",
                          text::format("'{}' is not a recognized {} name", name, account->name));
        }
        id = *known;
      }
      Expression test = Expression::of(query::account_test(*account, {{id, name}}));
      tests.push_back(negated ? Expression::negation(std::move(test)) : std::move(test));
    }
    if (!rest.empty()) {
      refuse_fd_value(
          owner, "owner",
          text::format("more than one ':' present in owner string '{}'. See 'fd --help'.", owner));
    }
  }

  // Scope

  bool shows_hidden() const { return has("hidden") || has("unrestricted"); }

  void add_scope() {
    Scope& scope = search_.scope;
    const auto depth = [&](std::string_view name, std::uint32_t otherwise) {
      for (const std::string_view option : {name, std::string_view("exact-depth")}) {
        if (const auto value = last(option)) {
          return static_cast<std::uint32_t>(
              std::min<std::uint64_t>(fd_number(*value, option), unlimited_depth));
        }
      }
      return otherwise;
    };
    // Roots are no matches, but --ignore-contain looks at them.
    scope.list_roots = true;
    scope.min_depth = std::max(1U, depth("min-depth", 1));
    scope.max_depth = depth("max-depth", unlimited_depth);
    scope.follow = has("follow");
    const bool stays = has("one-file-system");
    scope.mounts = stays ? Scope::Mounts::of_device : Scope::Mounts::all;
    scope.cross_volumes = scope.network = !stays;
    if (const auto value = last("threads")) {
      const std::uint64_t threads = fd_number(*value, "threads");
      if (threads == 0)
        refuse_fd_value(*value, "threads", "number would be zero for non-zero type");
      scope.threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, 1024));
    }
    std::vector<Expression> excluded;
    for (const std::string& name : all("ignore-contain")) {
      excluded.push_back(Expression::of(query::has_test(name)));
    }
    scope.exclude = Expression::any(std::move(excluded));
  }

  void add_ignores() {
    Scope& scope = search_.scope;
    const bool all_off = has("no-ignore") || has("unrestricted");
    scope.loose_ignores = true;
    scope.ignores_hidden = !shows_hidden();
    scope.ignores_need_tree = !has("no-require-git");
    scope.ignores_of_parents = !has("no-ignore-parent");
    scope.gitignore.enabled = !all_off && !has("no-ignore-vcs");
    if (!all_off) scope.ignore_files = {".ignore", ".fdignore"};
    std::string excluded;
    for (const std::string& glob : all("exclude")) {
      excluded.append(glob.starts_with('!') || glob.starts_with('#') ? "\\" : "").append(glob) +=
          '\n';
    }
    search_.reads_global_file = !all_off && !has("no-global-ignore-file");
    search_.ignore_files = all("ignore-file");
    if (!excluded.empty()) {
      scope.ignore_texts.push_back({.file = "--exclude", .rules = excluded, .decides_first = true});
    }
  }

  // Output

  void add_output() {
    cli::Options& options = search_.options;
    options.add(Id::as, "fd");
    options.add(Id::yes);  // fd does not ask
    search_.color = when_of(last("color").value_or("auto"), "color");
    options.add(Id::color, search_.color);
    if (const auto value = last("hyperlink")) {
      const std::string when = value->empty() ? "auto" : when_of(*value, "hyperlink");
      options.add(Id::hyperlink, when);
    }
    if (has("explain")) options.add(Id::explain);
    if (has("quiet")) options.add(Id::quiet);
    if (has("absolute-path")) options.add(Id::absolute);
    search_.format = last("format");
    search_.separator = last("path-separator").value_or("");
    search_.ends_with_nul = has("print0");
    search_.shows_errors = has("show-errors");
    if (has("list-details")) search_.lists_details = true;
    options.given.insert(options.given.end(), commands_.begin(), commands_.end());
    const bool acts = !commands_.empty() || search_.lists_details;
    if (!acts && !search_.format) options.add(Id::mark);
    if (const auto size = last("batch-size")) {
      search_.batch_size = text::at_most(SIZE_MAX, fd_number(*size, "batch-size"));
    }
    if (const auto value = last("max-results")) {
      const std::uint64_t most = fd_number(*value, "max-results");
      if (most > 0) search_.limit = most;
    }
    if (has("1")) search_.limit = 1;
  }

  const FdOptions line_;
  const Words& operands_;
  const std::vector<cli::Given>& commands_;
  const Host& host_;
  Words patterns_;
  bool folds_ = true;
  FdSearch search_;
};

}  // namespace

std::string_view fd_help() {
  return R"(ffind as fd: reads a command line of fd 10 and does what fd does.

Usage: fd [OPTIONS] [pattern] [path]...

  -H  hidden entries too           -e EXT   extension            -a   absolute paths
  -I  ignored entries too          -t TYPE  f d l s p b c x e    -l   as ls -l
  -u  both                         -S SIZE  +10k, -5mi, 0b       -0   NUL after each path
  -s  -i  case                     -d N     depth                -x CMD...  for each entry
  -g  glob   -F  text   --exact    -E GLOB  exclude              -X CMD...  for all at once
  -p  match the whole path         -L  follow links              -1  -q  --max-results N
  --changed-within  --changed-before  --owner  --and  --format  --prune  --ignore-file
and all others of fd 10; `man fd` has them.

Not as in fd: of regular expressions, what RE2 cannot match exactly is refused, as is
--gen-completions. --explain prints the plan of the search. See ffind-as(7).
)";
}

std::optional<bool> is_fd_acting(const Words& words, const Host& host) {
  // "-glob" is --glob with a dash too few, and no cluster of -g, -l and -o.
  const bool lacks_dash = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return !with_second_dash(word).empty();
  });
  if (lacks_dash) return std::nullopt;
  try {
    FdLine line(words, host);
    return line.names_paths() ? std::optional(line.acts()) : std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::optional<Words> line_as_fd(const Words& words, const Host& host) {
  if (!is_fd_acting(words, host)) return std::nullopt;
  Words line = {"--as", "fd"};
  line.insert(line.end(), words.begin(), words.end());
  return line;
}

FdSearch read_fd(const Words& words, const Host& host) {
  return FdLine(words, host).search();
}

}  // namespace ffind::foreign
