// SPDX-License-Identifier: MIT
// Reads a line of fd 10 as a search by its rules:
//
//     fd -H -e c -E build main src -x wc -l
//        │ scan(): words to `found_`, by the rows of fd's options. A later word takes back those
//        │ that it overrides; conflicts are errors, as in fd
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
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/foreign.h"
#include "foreign/rust_regex.h"
#include "foreign/tables.h"
#include "query/patterns/pattern.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/ranges.h"
#include "text/sizes.h"
#include "text/utf8.h"

namespace ffind::foreign {
namespace {

using cli::Id;
using query::PatternKind;

// --- The options of fd

enum class Takes : unsigned char { nothing, value, any_value, equals, command };

/// `names` has the main one first; the names in `undoes` are taken back by this one.
struct Row {
  std::string_view names;
  char letter = 0;
  Takes takes = Takes::nothing;
  std::string_view value{};  ///< in messages
  std::string_view undoes{};

  std::string_view name() const { return names.substr(0, names.find(' ')); }
};

constexpr Row rows[] = {
    {"hidden", 'H'},
    {.names = "no-hidden", .undoes = "hidden unrestricted"},
    {"no-ignore", 'I'},
    {.names = "ignore", .undoes = "no-ignore unrestricted"},
    {"no-ignore-vcs"},
    {.names = "ignore-vcs", .undoes = "no-ignore-vcs"},
    {"no-require-git"},
    {.names = "require-git", .undoes = "no-require-git"},
    {"no-ignore-parent"},
    {.names = "ignore-parent", .undoes = "no-ignore-parent"},
    {"no-global-ignore-file"},
    {"unrestricted", 'u'},
    {"case-sensitive", 's', Takes::nothing, {}, "ignore-case"},
    {"ignore-case", 'i', Takes::nothing, {}, "case-sensitive"},
    {"glob", 'g', Takes::nothing, {}, "regex"},
    {.names = "regex", .undoes = "glob"},
    {"fixed-strings literal", 'F'},
    {"exact"},
    {"and", 0, Takes::any_value, "pattern"},
    {"absolute-path", 'a'},
    {.names = "relative-path", .undoes = "absolute-path"},
    {"list-details", 'l'},
    {"follow dereference", 'L'},
    {.names = "no-follow", .undoes = "follow"},
    {"full-path", 'p'},
    {"print0", '0'},
    {"max-depth maxdepth", 'd', Takes::value, "depth"},
    {"min-depth mindepth", 0, Takes::value, "depth"},
    {"exact-depth", 0, Takes::value, "depth"},
    {"exclude", 'E', Takes::value, "glob"},
    {"prune"},
    {"type", 't', Takes::value, "filetype"},
    {"extension", 'e', Takes::value, "ext"},
    {"size", 'S', Takes::any_value, "size"},
    {"changed-within change-newer-than newer changed-after", 0, Takes::value, "date|dur"},
    {"changed-before change-older-than older", 0, Takes::value, "date|dur"},
    {"owner", 'o', Takes::value, "user:group"},
    {"format", 0, Takes::value, "fmt"},
    {"exec", 'x', Takes::command, "cmd"},
    {"exec-batch", 'X', Takes::command, "cmd"},
    {"batch-size", 0, Takes::value, "size"},
    {"ignore-file", 0, Takes::value, "path"},
    {"color", 'c', Takes::value, "when"},
    {"hyperlink hyper", 0, Takes::equals, "when"},
    {"ignore-contain", 0, Takes::value, "name"},
    {"threads", 'j', Takes::value, "num"},
    {"max-buffer-time", 0, Takes::value, "milliseconds"},
    {"max-results", 0, Takes::value, "count", "1"},
    {"1", '1', Takes::nothing, {}, "max-results"},
    {"quiet has-results", 'q'},
    {"show-errors"},
    {"base-directory", 'C', Takes::value, "path"},
    {"path-separator", 0, Takes::value, "separator"},
    {"search-path", 0, Takes::value, "search-path"},
    {"strip-cwd-prefix", 0, Takes::equals, "when"},
    {"one-file-system mount xdev"},
    {"gen-completions", 0, Takes::equals, "shell"},
    {"help", 'h'},
    {"version", 'V'},
    {"explain"},  // ours
};

/// Options that fd does not take together: one, and the others.
constexpr std::pair<std::string_view, std::string_view> conflicts[] = {
    {"glob", "fixed-strings"},
    {"exact", "glob fixed-strings"},
    {"list-details", "absolute-path print0 format max-results quiet 1"},
    {"exact-depth", "max-depth min-depth"},
    {"prune", "size exact-depth"},
    {"exec", "list-details max-results quiet 1"},
    {"exec-batch", "exec list-details max-results quiet 1"},
    {"quiet", "max-results"},
    {"strip-cwd-prefix", "search-path"},
};

[[noreturn]] void refuse(std::string text) {
  throw UsageError(std::move(text));
}

[[noreturn]] void refuse_usage(std::string_view what, std::string_view usage = {}) {
  refuse(fd_usage_error(what, usage));
}

const Row* find_row(std::string_view name) {
  const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                       [&](const Row& one) { return lists(one.names, name); });
  return row == std::end(rows) ? nullptr : row;
}

/// As fd's messages name it: "--max-depth <depth>".
std::string shown(const Row& row) {
  if (row.name() == "1") return "-1";
  std::string text = "--" + std::string(row.name());
  if (row.takes == Takes::equals) return text + "[=<" + std::string(row.value) + ">]";
  if (row.takes != Takes::nothing) text += " <" + std::string(row.value) + ">";
  return row.takes == Takes::command ? text + "..." : text;
}

[[noreturn]] void refuse_value(const std::string& value, std::string_view name,
                               std::string_view why) {
  refuse_usage(text::format("invalid value '{}' for '{}': {}", value, shown(*find_row(name)), why),
               "-");
}

// --- Values

std::uint64_t number_of(const std::string& value, std::string_view name) {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc{} || stop != end) {
    refuse_value(value, name, "invalid digit found in string");
  }
  return number;
}

/// "+10k", "-5mi" or "0": at least, at most, exactly.
text::SizeRange size_of(const std::string& value) {
  const auto wrong = [&] {
    refuse_value(value, "size",
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
Nanoseconds time_of(const std::string& value, const text::Clock& clock) {
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
  refuse_value(value, "type", "not one of f, d, l, b, c, x, e, s, p and their words");
}

/// always, auto or never.
std::string when_of(const std::string& value, std::string_view name) {
  if (lists("auto always never", value)) return value;
  refuse_value(value, name, "not one of auto, always and never");
}

// --- The line

class FdLine {
 public:
  FdLine(const Words& words, const Host& host) : words_(words), host_(host) {}

  FdSearch search() {
    scan();
    check();
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
    scan();
    check();
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
  bool has(std::string_view name) const { return found_.contains(name); }
  Words all(std::string_view name) const {
    const auto it = found_.find(name);
    return it == found_.end() ? Words() : it->second;
  }
  std::optional<std::string> last(std::string_view name) const {
    const auto it = found_.find(name);
    return it == found_.end() ? std::nullopt : std::optional(it->second.back());
  }

  // Words

  void scan() {
    for (at_ = 0; at_ < words_.size();) {
      const std::string& word = words_[at_++];
      if (word == "--") {
        operands_.insert(operands_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_),
                         words_.end());
        break;
      }
      if (word.starts_with("--")) {
        take_long(word);
      } else if (word.size() > 1 && word.front() == '-') {
        take_letters(word);
      } else {
        operands_.push_back(word);
      }
    }
  }

  void take_long(const std::string& word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const Row* const row = find_row(std::string_view(word).substr(2, equals - 2));
    if (row == nullptr || row->name() == "1") refuse_word(word.substr(0, equals));
    std::optional<std::string> attached;
    if (equals < word.size()) attached = word.substr(equals + 1);
    take(*row, std::move(attached));
  }

  void take_letters(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                           [&](const Row& one) { return one.letter == word[i]; });
      if (row == std::end(rows)) refuse_word("-" + word.substr(i, 1));
      if (row->takes == Takes::nothing) {
        take(*row, {});
        continue;
      }
      std::optional<std::string> attached;
      if (i + 1 < word.size()) attached = word.substr(word[i + 1] == '=' ? i + 2 : i + 1);
      return take(*row, std::move(attached));
    }
  }

  void take(const Row& row, std::optional<std::string> value) {
    for (std::string_view rest = row.undoes; !rest.empty();) {
      found_.erase(text::take_part(rest, ' '));
    }
    Words& values = found_[row.name()];
    switch (row.takes) {
      case Takes::nothing:
        if (value)
          refuse_usage(
              text::format("unexpected value '{}' for '{}' found; no more were "
                           "expected",
                           *value, shown(row)));
        break;
      case Takes::equals:
        values.push_back(value.value_or(""));
        return;
      case Takes::command:
        return take_command(row, std::move(value));
      case Takes::value:
      case Takes::any_value: {
        const bool follows =
            at_ < words_.size() &&
            (row.takes == Takes::any_value || words_[at_] == "-" || !words_[at_].starts_with('-'));
        if (!value && !follows) refuse_missing(row);
        values.push_back(value ? *value : words_[at_++]);
        return;
      }
    }
    values.emplace_back();
  }

  void take_command(const Row& row, std::optional<std::string> value) {
    found_[row.name()].emplace_back();
    Words command;
    if (value) {
      command.push_back(std::move(*value));
    } else {
      while (at_ < words_.size() && words_[at_] != ";") command.push_back(words_[at_++]);
      if (at_ < words_.size()) ++at_;
    }
    if (command.empty()) refuse_missing(row);
    const Id id = row.name() == "exec" ? Id::exec : Id::exec_batch;
    commands_.push_back({.id = id, .command = std::move(command)});
  }

  [[noreturn]] static void refuse_word(const std::string& word) {
    refuse_usage(text::format("unexpected argument '{}' found", word));
  }
  [[noreturn]] static void refuse_missing(const Row& row) {
    refuse_usage(text::format("a value is required for '{}' but none was supplied", shown(row)),
                 "-");
  }
  [[noreturn]] void refuse_both(const std::string& one, const std::string& other) const {
    refuse_usage(text::format("the argument '{}' cannot be used with '{}'", one, other),
                 text::format("fd {} {}pattern{} [path]...", one, operands_.empty() ? "[" : "<",
                              operands_.empty() ? "]" : ">"));
  }

  void check() const {
    for (const auto& [one, others] : conflicts) {
      for (std::string_view rest = others; has(one) && !rest.empty();) {
        const std::string_view other = text::take_part(rest, ' ');
        if (has(other)) refuse_both(shown(*find_row(one)), shown(*find_row(other)));
      }
    }
    for (const std::string_view name : {"search-path", "strip-cwd-prefix"}) {
      if (has(name) && operands_.size() > 1) refuse_both(shown(*find_row(name)), "[path]...");
    }
    if (has("batch-size") && !has("exec-batch")) {
      refuse_usage("the following required arguments were not provided:\n  --exec-batch <cmd>...");
    }
    if (const auto time = last("max-buffer-time")) number_of(*time, "max-buffer-time");
  }

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
      refuse_usage("invalid UTF-8 was detected in one or more arguments");
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
      const Nanoseconds time = time_of(*value, host_.clock);
      text::TimeRange range;
      (after ? range.first : range.last) = after ? time + 1 : time - 1;
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
          refuse_value(owner, "owner",
                       text::format("'{}' is not a recognized {} name", name, account->name));
        }
        id = *known;
      }
      Expression test = Expression::of(query::account_test(*account, {{id, name}}));
      tests.push_back(negated ? Expression::negation(std::move(test)) : std::move(test));
    }
    if (!rest.empty()) {
      refuse_value(
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
              std::min<std::uint64_t>(number_of(*value, option), unlimited_depth));
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
      const std::uint64_t threads = number_of(*value, "threads");
      if (threads == 0) refuse_value(*value, "threads", "number would be zero for non-zero type");
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
      search_.batch_size = text::at_most(SIZE_MAX, number_of(*size, "batch-size"));
    }
    if (const auto value = last("max-results")) {
      const std::uint64_t most = number_of(*value, "max-results");
      if (most > 0) search_.limit = most;
    }
    if (has("1")) search_.limit = 1;
  }

  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;                       ///< the next word
  std::map<std::string_view, Words> found_;  ///< values by the main names of options
  std::vector<cli::Given> commands_;
  Words operands_;
  Words patterns_;
  bool folds_ = true;
  FdSearch search_;
};

}  // namespace

std::string fd_usage_error(std::string_view what, std::string_view usage) {
  std::string text = "error: " + std::string(what) + "\n\n";
  if (usage != "-") {
    text.append("Usage: ").append(usage.empty() ? "fd [OPTIONS] [pattern] [path]..." : usage);
    text += "\n\n";
  }
  return text + "For more information, try '--help'.\n";
}

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
