// SPDX-License-Identifier: MIT
// One function for each kind of option; all of them add operands to one expression. See
// query_builder.h.
#include "cli/query_builder.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "ffind/matcher.h"
#include "query/patterns/pattern.h"
#include "query/predicates/predicates.h"
#include "query/values/nearest.h"
#include "query/values/problem.h"
#include "query/where/field.h"
#include "query/where/parser.h"
#include "text/escape.h"
#include "text/format.h"
#include "text/shell_quote.h"

namespace ffind {
namespace {

bool has_slash(std::string_view text) {
  return text.find('/') != std::string_view::npos;
}

bool begins(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

CaseRule case_rule(const Options& options) {
  if (options.ignore_case) return CaseRule::insensitive;
  return options.case_sensitive ? CaseRule::sensitive : CaseRule::smart;
}

Meaning meaning_of(const Options& options, const Surroundings& surroundings) {
  return {surroundings, case_rule(options), options.ignore_diacritics, options.binary};
}

// Filters

using ValueList = std::vector<std::string> Options::*;

/// An option whose values are those of a field, compared by one operator.
struct FieldOption {
  ValueList values;
  std::string_view field;
  std::string_view option;
  std::string_view example;
  Operator op = Operator::equal;
  bool narrow = false;  ///< given twice, both must hold
};

constexpr FieldOption field_options[] = {
    {&Options::types, "type", "--type", "ffind -t f,d or ffind --type symlink"},
    {&Options::kinds, "kind", "--kind", "ffind --kind image,video"},
    {&Options::extensions, "ext", "--ext", "ffind --ext pdf,docx"},
    {&Options::sizes, "size", "--size", "--size 10M, --size '>1.5Gi' or --size 1k..2M",
     Operator::equal, true},
    {&Options::modified, "modified", "--modified",
     "--modified 7d, --modified '>2026-01-31' or --modified 2026-01..2026-03", Operator::equal,
     true},
    {&Options::created, "created", "--created", "--created today or --created '>1y'",
     Operator::equal, true},
    {&Options::accessed, "accessed", "--accessed", "--accessed 2h or --accessed '>1y'",
     Operator::equal, true},
    {&Options::changed, "changed", "--changed", "--changed 2h or --changed '<2026-01-31'",
     Operator::equal, true},
    {&Options::added, "added", "--added", "--added today or --added 2026-01..2026-03",
     Operator::equal, true},
    {&Options::newer_than, "newer_than", "--newer-than",
     "--newer-than Makefile, --newer-than 7d or --newer-than 2026-01-31", Operator::equal, true},
    {&Options::older_than, "older_than", "--older-than",
     "--older-than Makefile, --older-than 7d or --older-than 2026-01-31", Operator::equal, true},
    {&Options::depths, "depth", "--depth", "--depth 2, --depth 1..3 or --depth '>4'",
     Operator::equal, true},
    {&Options::owners, "owner", "--owner", "ffind --owner alice or ffind --owner 1000,1001"},
    {&Options::groups, "group", "--group", "ffind --group staff or ffind --group 20"},
    {&Options::permissions, "perm", "--perm", "--perm 644, --perm -u+w or --perm /o=rwx"},
    {&Options::links, "links", "--links", "--links 1 or --links '>1'", Operator::equal, true},
    {&Options::inodes, "inode", "--inode", "ffind --inode 1234"},
    {&Options::same_files, "same_file", "--samefile", "ffind --samefile /etc/hosts /etc"},
    {&Options::tags, "tag", "--tag", "ffind --tag Red,Blue or ffind --tag none"},
    {&Options::comments, "comment", "--comment", "ffind --comment draft", Operator::contains},
    {&Options::where_froms, "where_from", "--where-from", "ffind --where-from example.org",
     Operator::contains},
    {&Options::contains, "contents", "--contains", "ffind --contains TODO", Operator::contains},
    {&Options::contains_regexes, "contents", "--contains-regex",
     "ffind --contains-regex 'TODO|FIXME'", Operator::matches},
};

void add_fields(std::vector<Expression>& all, const Options& options, const Meaning& meaning) {
  for (const FieldOption& row : field_options) {
    const std::vector<std::string>& texts = options.*row.values;
    if (texts.empty()) continue;
    const Field& field = *find_field(row.field);
    const ValueSource source{std::string(row.option), std::string(row.example)};
    std::deque<Typed> typed;
    Comparison comparison;
    comparison.op = row.op;
    comparison.narrow = row.narrow;
    for (const std::string& text : texts) {
      const Value value{text, &typed.emplace_back(Typed{text, source})};
      const std::vector<Value> values =
          field.list_of.empty() ? std::vector<Value>{value} : split_at_commas(value, field.list_of);
      comparison.values.insert(comparison.values.end(), values.begin(), values.end());
    }
    all.push_back(field.make(comparison, meaning));
  }
}

/// NAME or NAME=TEXT.
Expression attribute_expression(const std::string& text, const Meaning& meaning) {
  const Typed typed{text, {"--xattr", "ffind --xattr user.origin or --xattr user.origin=example"}};
  const std::size_t equals = text.find('=');
  const Value name{text.substr(0, equals), &typed};
  Comparison comparison;
  if (equals == std::string::npos) {
    comparison.values.push_back(name);
  } else {
    comparison.op = Operator::contains;
    comparison.key = name;
    comparison.values.push_back({text.substr(equals + 1), &typed, equals + 1});
  }
  return find_field("xattr")->make(comparison, meaning);
}

void add_filters(std::vector<Expression>& all, const Options& options, const Meaning& meaning) {
  add_fields(all, options, meaning);
  std::vector<Expression> attributes;
  for (const std::string& text : options.attributes) {
    attributes.push_back(attribute_expression(text, meaning));
  }
  if (!attributes.empty()) all.push_back(Expression::any(std::move(attributes)));

  const struct {
    bool wanted;
    std::string_view flag;
  } rows[] = {{options.empty, "empty"},
              {options.only_hidden, "hidden"},
              {options.executable, "executable"},
              {options.locked, "locked"}};
  for (const auto& row : rows) {
    if (row.wanted) all.push_back(find_flag(row.flag)->make(meaning));
  }
}

// Patterns

/// What a pattern is held against: FIELD where there is one, else the path when it has a slash.
const Field& field_of(std::string_view text, std::string_view field) {
  if (!field.empty()) return *find_field(field);
  return *find_field(has_slash(text) ? "path" : "name");
}

Expression pattern_expression(const std::string& text, std::string_view field, Operator op,
                              const ValueSource& source, const Meaning& meaning) {
  const Typed typed{text, source};
  Comparison comparison;
  comparison.op = op;
  comparison.values.push_back({text, &typed});
  return field_of(text, field).make(comparison, meaning);
}

void add_patterns(std::vector<Expression>& all, const Options& options, const Operands& operands,
                  const Meaning& meaning) {
  const struct {
    Operator op;
    ValueList values;
    ValueSource source;
  } rows[] = {
      {Operator::contains, &Options::texts, {"--text", "ffind -F report"}},
      {Operator::matches, &Options::regexes, {"--regex", "ffind name -e '\\.(cc|h)$'"}},
      {Operator::glob, &Options::globs, {"--glob", "ffind -g '*.tar.*'"}},
      {Operator::equal, &Options::exacts, {"--exact", "ffind --exact Makefile"}},
      {Operator::starts, &Options::starts, {"--starts", "ffind --starts IMG_"}},
      {Operator::ends, &Options::ends, {"--ends", "ffind --ends .bak"}},
  };
  if (operands.has_text) {
    all.push_back(pattern_expression(operands.text, operands.field, Operator::contains,
                                     {"TEXT", "ffind report"}, meaning));
  }
  for (const auto& row : rows) {
    std::vector<Expression> any;
    for (const std::string& text : options.*row.values) {
      any.push_back(pattern_expression(text, operands.field, row.op, row.source, meaning));
    }
    if (!any.empty()) all.push_back(Expression::any(std::move(any)));
  }
}

void add_expressions(std::vector<Expression>& all, const Options& options, const Meaning& meaning) {
  const ValueSource source{"--where", "--where 'size > 10M and not (ext in (iso, dmg))'"};
  for (const std::string& text : options.wheres) {
    all.push_back(parse_expression({text, source}, meaning));
  }
}

// Scope

/// A glob of -E or --prune: held against the name, the path below the root when it has a slash, or
/// the absolute path when it begins with one; a slash at its end restricts it to directories.
Expression place_expression(const std::string& glob, const Options& options,
                            const ValueSource& source) {
  if (glob.empty()) fail_at(source, glob, 0, "a glob is missing here");
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
  const PatternSpec spec{PatternKind::glob, text, case_rule(options), source,
                         options.ignore_diacritics};
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
      fail_at(source, text, index, text::format("'{}' is not a whole number", text));
    }
    const auto digit = static_cast<std::uint64_t>(text[index] - '0');
    if (number > (most - digit) / 10) {
      fail_at(source, text, 0, text::format("more than {}", most));
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
  fail_at(source, word, 0,
          text::format("unknown {} '{}'{}", std::string_view(source.option).substr(2), word,
                       did_you_mean(word, words)));
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
  scope.gitignore.heeded = options.gitignore;
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

Query build_query(const Options& options, const Operands& operands,
                  const Surroundings& surroundings) {
  Query query;
  query.scope = build_scope(options);
  std::vector<Expression> all;
  const Meaning meaning = meaning_of(options, surroundings);
  add_patterns(all, options, operands, meaning);
  add_filters(all, options, meaning);
  add_expressions(all, options, meaning);
  query.where = Expression::all(std::move(all));
  // What a range of depths leaves out need not be walked.
  query.scope.max_depth = std::min(query.scope.max_depth, bound_of(query.where).most_depth);

  for (const std::string& text : options.limits) {
    const auto limit = parse_number(text, unlimited - 1, {"--limit", "ffind -n 10"});
    query.limit = limit;
  }
  if (options.one || options.quiet) query.limit = std::min<std::uint64_t>(query.limit, 1);
  return query;
}

}  // namespace ffind
