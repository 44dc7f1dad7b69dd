// SPDX-License-Identifier: MIT
// One function for each kind of option; all of them add operands to one expression. See
// query_builder.h.
#include "cli/query_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/suggest.h"
#include "query/patterns/pattern.h"
#include "query/tests/tests.h"
#include "query/values/problem.h"

namespace ffind {
namespace {

bool has_slash(std::string_view text) {
  return text.find('/') != std::string_view::npos;
}

bool begins(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool has_pattern_option(const Options& options) {
  return !options.regexes.empty() || !options.globs.empty() || !options.exacts.empty() ||
         !options.starts.empty() || !options.ends.empty();
}

std::vector<std::string> split_at_commas(std::string_view list, const ValueSource& source) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    if (comma == from) fail_at(source, list, from, "something is missing here");
    parts.emplace_back(list.substr(from, comma - from));
    if (comma == list.size()) return parts;
    from = comma + 1;
  }
}

CaseRule case_rule(const Options& options) {
  if (options.ignore_case) return CaseRule::insensitive;
  return options.case_sensitive ? CaseRule::sensitive : CaseRule::smart;
}

// Patterns

using ValueList = std::vector<std::string> Options::*;

/// Paths below a root have no slash at either end and no "." in them: what says otherwise could
/// never match, and is a mistake worth telling.
void refuse_hopeless_path(const PatternSpec& spec) {
  const PatternKind kind = spec.kind;
  if (kind == PatternKind::regex || kind == PatternKind::contains) return;
  for (const std::string_view beginning : {"/", "./", "../"}) {
    if (kind == PatternKind::ends || !begins(spec.text, beginning)) continue;
    fail_at(spec.source, spec.text, 0,
            fmt::format("the path below a root never begins with '{}'; name a root with --in",
                        beginning));
  }
  if (kind != PatternKind::starts && spec.text.back() == '/') {
    fail_at(spec.source, spec.text, spec.text.size() - 1,
            "no path ends with '/'; for directories only, add -t d");
  }
}

/// Subject of a pattern: FIELD where there is one, else the path when the pattern has a slash.
Subject subject_of(const PatternSpec& spec, std::string_view field) {
  if (field == "path" || (field.empty() && has_slash(spec.text))) {
    if (has_slash(spec.text)) refuse_hopeless_path(spec);
    return Subject::path;
  }
  if (field.empty()) return Subject::name;
  // A regular expression may say [^/]; anything else with a slash could never match a name.
  if (spec.kind != PatternKind::regex && has_slash(spec.text)) {
    fail_at(spec.source, spec.text, spec.text.find('/'),
            "no name has a '/' in it; hold it against the path: ffind path ...");
  }
  return Subject::name;
}

void add_patterns(std::vector<Expression>& all, const Options& options, const Operands& operands) {
  const struct {
    PatternKind kind;
    ValueList values;
    ValueSource source;
  } rows[] = {
      {PatternKind::regex, &Options::regexes, {"--regex", "ffind name -e '\\.(cc|h)$'"}},
      {PatternKind::glob, &Options::globs, {"--glob", "ffind -g '*.tar.*'"}},
      {PatternKind::exact, &Options::exacts, {"--exact", "ffind --exact Makefile"}},
      {PatternKind::starts, &Options::starts, {"--starts", "ffind --starts IMG_"}},
      {PatternKind::ends, &Options::ends, {"--ends", "ffind --ends .bak"}},
  };
  if (operands.has_text) {
    PatternSpec spec{
        PatternKind::contains, operands.text, case_rule(options), {"TEXT", "ffind report"}};
    all.push_back(Expression::of(pattern_test(subject_of(spec, operands.field), spec)));
  }
  for (const auto& row : rows) {
    std::vector<Expression> any;
    for (const std::string& text : options.*row.values) {
      const PatternSpec spec{row.kind, text, case_rule(options), row.source};
      any.push_back(Expression::of(pattern_test(subject_of(spec, operands.field), spec)));
    }
    if (!any.empty()) all.push_back(Expression::any(std::move(any)));
  }
}

// Filters

FileType parse_type(std::string_view word, std::string_view list, const ValueSource& source) {
  const struct {
    std::string_view letter;
    std::vector<std::string_view> words;
    FileType type;
  } rows[] = {
      {"f", {"file"}, FileType::file},
      {"d", {"directory", "dir", "folder"}, FileType::directory},
      {"l", {"symlink", "link"}, FileType::symlink},
      {"s", {"socket"}, FileType::socket},
      {"p", {"fifo", "pipe"}, FileType::fifo},
      {"b", {"block"}, FileType::block},
      {"c", {"char", "character"}, FileType::character},
  };
  std::vector<std::string_view> known;
  for (const auto& row : rows) {
    if (word == row.letter) return row.type;
    for (const std::string_view candidate : row.words) {
      if (word == candidate) return row.type;
      known.push_back(candidate);
    }
  }
  const std::string meant = nearest(word, known);
  fail_at(source, list, static_cast<std::size_t>(word.data() - list.data()),
          fmt::format("'{}' is no type{}", word,
                      meant.empty() ? std::string() : fmt::format("; did you mean '{}'?", meant)));
}

void add_types(std::vector<Expression>& all, const Options& options) {
  const ValueSource source{"--type", "ffind -t f,d or ffind --type symlink"};
  std::vector<FileType> types;
  for (const std::string& list : options.types) {
    std::size_t from = 0;
    for (const std::string& word : split_at_commas(list, source)) {
      const FileType type =
          parse_type(std::string_view(list).substr(from, word.size()), list, source);
      if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
      from += word.size() + 1;
    }
  }
  if (!types.empty()) all.push_back(Expression::of(type_test(std::move(types))));
}

void add_extensions(std::vector<Expression>& all, const Options& options) {
  const ValueSource source{"--ext", "ffind --ext pdf,docx"};
  std::vector<std::string> extensions;
  for (const std::string& list : options.extensions) {
    if (has_slash(list)) fail_at(source, list, list.find('/'), "an extension has no '/' in it");
    for (std::string& extension : split_at_commas(list, source)) {
      if (extension.front() == '.') extension.erase(0, 1);
      if (extension.empty()) fail_at(source, list, 0, "an extension is missing");
      extensions.push_back(std::move(extension));
    }
  }
  if (extensions.empty()) return;
  all.push_back(Expression::of(extension_test(std::move(extensions), options.case_sensitive)));
}

/// Ranges given twice narrow.
template <typename T, typename Parse>
std::optional<Range<T>> narrowed(const std::vector<std::string>& values, Parse parse) {
  if (values.empty()) return std::nullopt;
  Range<T> range;
  for (const std::string& value : values) range = narrow(range, parse(value));
  return range;
}

Expression range_expression(bool is_empty, TestPointer test) {
  return is_empty ? Expression::any({}) : Expression::of(std::move(test));
}

void add_ranges(std::vector<Expression>& all, const Options& options, const Clock& clock) {
  const ValueSource size_source{"--size", "--size 10M, --size '>1.5Gi' or --size 1k..2M"};
  const auto size = narrowed<std::uint64_t>(
      options.sizes, [&](const std::string& text) { return parse_size_range(text, size_source); });
  if (size) all.push_back(range_expression(size->first > size->last, size_test(*size)));

  const ValueSource time_source{
      "--modified", "--modified 7d, --modified '>2026-01-31' or --modified 2026-01..2026-03"};
  const auto time = narrowed<std::int64_t>(options.modified, [&](const std::string& text) {
    return parse_time_range(text, clock, time_source);
  });
  if (time)
    all.push_back(
        range_expression(time->first > time->last, time_test(TimeField::modified, *time)));
}

std::optional<DepthRange> depth_range(const Options& options) {
  const ValueSource source{"--depth", "--depth 2, --depth 1..3 or --depth '>4'"};
  return narrowed<std::uint32_t>(
      options.depths, [&](const std::string& text) { return parse_depth_range(text, source); });
}

// Scope

/// A glob of -E or --prune: held against the name, the path below the root when it has a slash, or
/// the absolute path when it begins with one; a slash at its end restricts it to directories.
Expression place_expression(const std::string& glob, const Options& options,
                            const ValueSource& source) {
  std::string text = glob;
  const bool directories_only = text.size() > 1 && text.back() == '/';
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  Subject subject = Subject::name;
  if (begins(text, "./")) {
    subject = Subject::path;
    text.erase(0, 2);
  } else if (begins(text, "/")) {
    subject = Subject::absolute_path;
  } else if (has_slash(text)) {
    subject = Subject::path;
  }
  const PatternSpec spec{PatternKind::glob, text, case_rule(options), source};
  Expression place = Expression::of(pattern_test(subject, spec));
  if (!directories_only) return place;
  return Expression::all({std::move(place), Expression::of(type_test({FileType::directory}))});
}

Expression places(const std::vector<std::string>& globs, const Options& options,
                  const ValueSource& source) {
  std::vector<Expression> any;
  any.reserve(globs.size());
  for (const std::string& glob : globs) any.push_back(place_expression(glob, options, source));
  return Expression::any(std::move(any));
}

std::uint64_t parse_number(std::string_view text, std::uint64_t most, const ValueSource& source) {
  std::uint64_t number = 0;
  if (text.empty()) fail_at(source, text, 0, "a number is missing");
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (text[index] < '0' || text[index] > '9') {
      fail_at(source, text, index, fmt::format("'{}' is no whole number", text));
    }
    const auto digit = static_cast<std::uint64_t>(text[index] - '0');
    if (number > (most - digit) / 10) {
      fail_at(source, text, 0, fmt::format("more than {}", most));
    }
    number = number * 10 + digit;
  }
  return number;
}

template <typename T>
T choose(const std::vector<std::string>& values,
         const std::vector<std::pair<std::string_view, T>>& known, T otherwise,
         const ValueSource& source) {
  if (values.empty()) return otherwise;
  const std::string& word = values.back();
  std::vector<std::string_view> words;
  for (const auto& [name, value] : known) {
    if (name == word) return value;
    words.push_back(name);
  }
  const std::string meant = nearest(word, words);
  fail_at(source, word, 0,
          fmt::format("unknown{}", meant.empty() ? "" : "; did you mean '" + meant + "'?"));
}

Scope build_scope(const Options& options) {
  Scope scope;
  constexpr std::uint64_t deepest = unlimited_depth - 1;
  for (const std::string& text : options.max_depths) {
    const auto depth = parse_number(text, deepest, {"--max-depth", "ffind -d 2"});
    scope.max_depth = std::min(scope.max_depth, static_cast<std::uint32_t>(depth));
  }
  for (const std::string& text : options.min_depths) {
    const auto depth = parse_number(text, deepest, {"--min-depth", "ffind --min-depth 2"});
    scope.min_depth = std::max(scope.min_depth, static_cast<std::uint32_t>(depth));
  }
  scope.exclude = places(options.excludes, options,
                         {"--exclude", "-E node_modules, -E 'src/*.o' or -E /home/*/.cache"});
  scope.prune = places(options.prunes, options, {"--prune", "--prune .git"});
  scope.skip_hidden = options.no_hidden;
  scope.skip_packages = options.no_packages;
  scope.gitignore.heeded = options.gitignore && !options.no_ignore && !options.unrestricted;
  scope.follow = options.follow;
  scope.unique = options.unique;
  scope.cross_volumes = options.cross_volumes;
  scope.network = options.network;
  scope.method = choose<Method>(
      options.method,
      {{"auto", Method::automatic}, {"walk", Method::walk}, {"catalog", Method::catalog}},
      Method::automatic, {"--method", "--method walk"});
  scope.reader = choose<Reader>(options.reader,
                                {{"auto", Reader::automatic},
                                 {"getdents", Reader::getdents},
                                 {"readdir", Reader::readdir},
                                 {"fts", Reader::fts},
                                 {"bulk", Reader::bulk}},
                                Reader::automatic, {"--reader", "--reader readdir"});
  if (!options.threads.empty()) {
    const ValueSource source{"--threads", "ffind -j 4"};
    // More than any volume gains from; each has a stack and two buffers.
    const auto threads = parse_number(options.threads.back(), 1024, source);
    if (threads == 0) fail_at(source, options.threads.back(), 0, "at least one thread is needed");
    scope.threads = static_cast<unsigned>(threads);
  }
  return scope;
}

}  // namespace

Operands sort_arguments(const Options& options) {
  Operands operands;
  std::vector<std::string> arguments = options.arguments;
  const bool patterns = has_pattern_option(options);
  if (!arguments.empty() && !options.arguments_after_dashes &&
      (arguments.front() == "name" || arguments.front() == "path") &&
      (arguments.size() > 1 || patterns)) {
    operands.field = arguments.front();
    arguments.erase(arguments.begin());
  }
  if (!arguments.empty() && (operands.field.empty() || !patterns)) {
    operands.has_text = true;
    operands.text = arguments.front();
    arguments.erase(arguments.begin());
    for (const std::string_view beginning : {"/", "./", "../", "~/"}) {
      if (!begins(operands.text, beginning)) continue;
      throw UsageError(
          fmt::format("'{}' is where TEXT stands, but looks like a path; name a path with --in\n"
                      "  for example: ffind --in {}",
                      operands.text, operands.text));
    }
  }
  operands.paths = std::move(arguments);
  operands.paths.insert(operands.paths.end(), options.roots.begin(), options.roots.end());
  for (const std::string& path : operands.paths) {
    if (path.empty()) throw UsageError("'' is no path\n  for example: ffind report src");
  }
  return operands;
}

Query build_query(const Options& options, const Operands& operands,
                  const Surroundings& surroundings) {
  if (options.ignore_case && options.case_sensitive) {
    throw UsageError("--ignore-case and --case-sensitive exclude each other");
  }
  Query query;
  query.scope = build_scope(options);
  std::vector<Expression> all;
  add_patterns(all, options, operands);
  add_types(all, options);
  add_extensions(all, options);
  add_ranges(all, options, surroundings.clock);
  if (const auto depth = depth_range(options)) {
    all.push_back(range_expression(depth->first > depth->last, depth_test(*depth)));
    query.scope.max_depth = std::min(query.scope.max_depth, depth->last);
  }
  if (options.empty) all.push_back(Expression::of(empty_test()));
  if (options.only_hidden) all.push_back(Expression::of(hidden_test()));
  query.where = Expression::all(std::move(all));

  for (const std::string& text : options.limits) {
    const auto limit = parse_number(text, unlimited - 1, {"--limit", "ffind -n 10"});
    query.limit = std::min(query.limit, limit);
  }
  if (options.one || options.quiet) query.limit = std::min<std::uint64_t>(query.limit, 1);
  return query;
}

}  // namespace ffind
