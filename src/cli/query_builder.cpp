// SPDX-License-Identifier: MIT
// All options become operands of one conjunction: patterns (add_patterns), lines of --query,
// filters by the table `field_options` (add_filters), and expressions of --where. A filter's value
// goes through the same field of the expression language as in --where, so both have the same
// meaning. Several values of one option are alternatives, except for ranges, which narrow each
// other.
//
//     ffind -F report -t f,d -S '>1k' -S '<1M' -g '*.pdf' -g '*.txt'
//
//     all ─┬─ name contains report
//          ├─ any ── name glob *.pdf, name glob *.txt
//          ├─ type in (f, d)
//          └─ size in both ranges: one test
//
// Options of scope become members of Scope, and -E, --prune and the like two expressions there.
#include "cli/request.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "ffind/query.h"
#include "query/language/fields.h"
#include "query/language/parser.h"
#include "query/language/query_line.h"
#include "query/patterns/pattern.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"

namespace ffind::cli {
namespace {

bool has_slash(std::string_view text) {
  return text.find('/') != std::string_view::npos;
}

/// The rule for all patterns: smart, by the letters of each, unless -i or -s is given. These are
/// opposites, so at most one of them is left.
query::CaseRule case_rule(const Options& options) {
  if (options.has(Id::ignore_case)) return query::CaseRule::insensitive;
  return options.has(Id::case_sensitive) ? query::CaseRule::sensitive : query::CaseRule::smart;
}

// Filters

/// An option whose values are those of a field, with a fixed operator. An option without a row here
/// has a function of its own in this file, or is a flag of add_filters().
struct FieldOption {
  Id values;
  std::string_view field;
  query::Operator op = query::Operator::equal;
  bool narrow = false;  ///< given twice, both have to match
};

/// A field of ranges: equality means "in the range", and two ranges narrow each other.
constexpr FieldOption range_of(Id values, std::string_view field) {
  return {values, field, query::Operator::equal, true};
}

constexpr FieldOption field_options[] = {
    {Id::type, "type"},
    {Id::kind, "kind"},
    {Id::ext, "ext"},
    range_of(Id::size, "size"),
    range_of(Id::modified, "modified"),
    range_of(Id::created, "created"),
    range_of(Id::accessed, "accessed"),
    range_of(Id::changed, "changed"),
    range_of(Id::added, "added"),
    range_of(Id::newer_than, "newer_than"),
    range_of(Id::older_than, "older_than"),
    range_of(Id::depth, "depth"),
    {Id::owner, "owner"},
    {Id::group, "group"},
    {Id::perm, "perm"},
    range_of(Id::links, "links"),
    {Id::inode, "inode"},
    {Id::samefile, "same_file"},
    {Id::tag, "tag"},
    {Id::comment, "comment", query::Operator::contains},
    {Id::where_from, "where_from", query::Operator::contains},
    {Id::contains, "contents", query::Operator::contains},
    {Id::contains_regex, "contents", query::Operator::matches},
};

/// Adds the filters of the table. The values of an option that takes a list are split at commas
/// first.
void add_fields(std::vector<Expression>& all, const Options& options,
                const query::Meaning& meaning) {
  // One Comparison has all values of an option, since the field's builder makes the best test of a
  // list: a set of extensions, or the intersection of ranges.
  for (const FieldOption& row : field_options) {
    const std::vector<std::string> texts = options.all(row.values);
    if (texts.empty()) continue;
    all.push_back(query::test_of_options(*query::find_field(row.field),
                                         {.op = row.op, .narrow = row.narrow}, texts,
                                         source_of(row.values), meaning));
  }
}

/// The test of --xattr NAME or NAME=TEXT. The name is the comparison's key, as in `xattr
/// user.origin contains example`.
Expression attribute_expression(const std::string& text, const query::Meaning& meaning) {
  const query::Typed typed{text, source_of(Id::xattr)};
  const std::size_t equals = text.find('=');
  const query::Value name{text.substr(0, equals), &typed};
  query::Comparison comparison;
  if (equals == std::string::npos) {
    comparison.values.push_back(name);
  } else {
    comparison.op = query::Operator::contains;
    comparison.key = name;
    comparison.values.push_back({text.substr(equals + 1), &typed, equals + 1});
  }
  return query::find_field("xattr")->make(comparison, meaning);
}

/// Adds the alternatives that `make` returns for the values of an option.
template <typename Make>
void add_any(std::vector<Expression>& all, const Options& options, Id id, Make make) {
  std::vector<Expression> any;
  for (const std::string& text : options.all(id)) any.push_back(make(text));
  if (!any.empty()) all.push_back(Expression::any(std::move(any)));
}

/// Adds all filters: fields, attributes, and flags such as --empty.
void add_filters(std::vector<Expression>& all, const Options& options,
                 const query::Meaning& meaning) {
  add_fields(all, options, meaning);
  add_any(all, options, Id::xattr,
          [&](const std::string& text) { return attribute_expression(text, meaning); });
  // Names of flags of the expression language.
  const struct {
    bool wanted;
    std::string_view flag;
  } rows[] = {{options.has(Id::empty), "empty"},
              {options.has(Id::only_hidden), "hidden"},
              {options.has(Id::executable), "executable"},
              {options.has(Id::broken), "broken"},
              {options.has(Id::locked), "locked"}};
  for (const auto& row : rows) {
    if (row.wanted) all.push_back(query::find_flag(row.flag)->make(meaning));
  }
}

// Patterns

/// A pattern for FIELD if there is one, else for the path if the pattern has a slash, else for the
/// name. `source` is the option for messages; "TEXT" for the argument.
Expression pattern_expression(const std::string& text, std::string_view field, query::Operator op,
                              const text::ValueSource& source, const query::Meaning& meaning) {
  const query::Typed typed{text, source};
  query::Comparison comparison;
  comparison.op = op;
  comparison.values.push_back({text, &typed});
  if (field.empty()) field = has_slash(text) ? "path" : "name";
  return query::find_field(field)->make(comparison, meaning);
}

/// Adds TEXT and the pattern options. Patterns of one option are alternatives; those of different
/// options have to match all.
void add_patterns(std::vector<Expression>& all, const Options& options, const Operands& operands,
                  const query::Meaning& meaning) {
  constexpr struct {
    Id texts;
    query::Operator op;
  } rows[] = {{Id::text, query::Operator::contains}, {Id::regex, query::Operator::matches},
              {Id::glob, query::Operator::glob},     {Id::exact, query::Operator::equal},
              {Id::starts, query::Operator::starts}, {Id::ends, query::Operator::ends}};
  if (operands.has_text) {
    all.push_back(pattern_expression(
        operands.text, operands.field,
        operands.is_glob ? query::Operator::glob : query::Operator::contains,
        {"TEXT", operands.is_glob ? "ffind '*.pdf'; -F is for letters" : "ffind report"}, meaning));
  }
  for (const auto& row : rows) {
    add_any(all, options, row.texts, [&](const std::string& text) {
      return pattern_expression(text, operands.field, row.op, source_of(row.texts), meaning);
    });
  }
}

/// Adds TEXT that is a query line, and the lines of --query, which are alternatives. Words of a
/// line are looked for in the path unless FIELD says otherwise.
void add_queries(std::vector<Expression>& all, const Options& options, const Operands& operands,
                 const query::Meaning& meaning) {
  const query::Field& subject =
      *query::find_field(operands.field.empty() ? "path" : std::string_view(operands.field));
  if (!operands.query.empty()) {
    all.push_back(query::parse_query_line(
        {operands.query, {"TEXT", "ffind 'ext:pdf invoice'; -F is for letters"}}, subject,
        meaning));
  }
  add_any(all, options, Id::query, [&](const std::string& text) {
    return query::parse_query_line({text, source_of(Id::query)}, subject, meaning);
  });
}

/// Adds the expressions of --where, all of which have to match.
void add_expressions(std::vector<Expression>& all, const Options& options,
                     const query::Meaning& meaning) {
  for (const std::string& text : options.all(Id::where)) {
    all.push_back(query::parse_expression({text, source_of(Id::where)}, meaning));
  }
}

// Scope

/// A glob of -E or --prune. It is matched against the name, against the path below the root if it
/// contains a slash, or against the absolute path if it begins with one. A slash at its end
/// restricts it to directories. Examples:
///
///     node_modules    the name
///     build/          the name, of a directory
///     src/*.o         the path below the root
///     ./build         the same, of a "build" directly below the root
///     /home/*/.cache  the absolute path
Expression place_expression(const std::string& glob, const Options& options,
                            const text::ValueSource& source) {
  if (glob.empty()) text::fail_at(source, glob, 0, "a glob is missing");
  std::string text = glob;
  const bool directories_only = text.size() > 1 && text.back() == '/';
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  query::Subject subject = query::Subject::name;
  // Only slashes between components decide, so those at the end are gone by now.
  if (text.starts_with("./")) {
    subject = query::Subject::path;
    text.erase(0, 2);
  } else if (text.starts_with("/")) {
    subject = query::Subject::absolute_path;
  } else if (has_slash(text)) {
    subject = query::Subject::path;
  }
  const query::PatternSpec spec{query::PatternKind::glob, text, case_rule(options), source,
                                options.has(Id::ignore_diacritics)};
  Expression place = Expression::of(query::pattern_test(subject, spec));
  if (!directories_only) return place;
  return Expression::all(
      {std::move(place), Expression::of(query::type_test({FileType::directory}))});
}

/// Matches if any glob of the option `place` or any expression of `where` does. False for an entry
/// if there are neither: an empty `any`.
Expression places(Id place, Id where, const Options& options, const query::Meaning& meaning) {
  const std::vector<std::string> globs = options.all(place);
  std::vector<Expression> any;
  any.reserve(globs.size());
  const text::ValueSource source = source_of(place);
  for (const std::string& glob : globs) any.push_back(place_expression(glob, options, source));
  for (const std::string& text : options.all(where)) {
    any.push_back(query::parse_expression({text, source_of(where)}, meaning));
  }
  return Expression::any(std::move(any));
}

/// Returns each name once. The order matters: rules of later names take precedence.
std::vector<std::string> ignore_file_names(const Options& options) {
  std::vector<std::string> names;
  const text::ValueSource source = source_of(Id::ignore_files);
  for (const std::string& list : options.all(Id::ignore_files)) {
    text::for_each_part(list, ',', [&](std::size_t from, std::string_view name) {
      if (name.empty()) text::fail_at(source, list, from, "the name of a file is missing");
      if (const std::size_t slash = name.find('/'); slash != std::string::npos) {
        text::fail_at(source, list, from + slash,
                      "a name cannot contain '/'; for one file, use --exclude-from");
      }
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    });
  }
  return names;
}

/// --gitignore is only switched on here; its settings come from read_ignore_rules() before the
/// search.
Scope build_scope(const Options& options, const query::Meaning& meaning) {
  Scope scope;
  // unlimited_depth itself means that there is no limit.
  constexpr std::uint64_t deepest = unlimited_depth - 1;
  // With --usage it is the number of levels that are shown.
  const auto depths =
      options.has(Id::usage) ? std::vector<std::string>() : options.all(Id::max_depth);
  for (const std::string& text : depths) {
    const auto depth = parse_number(text, deepest, Id::max_depth);
    scope.max_depth = std::min(scope.max_depth, static_cast<std::uint32_t>(depth));
  }
  for (const std::string& text : options.all(Id::min_depth)) {
    const auto depth = parse_number(text, deepest, Id::min_depth);
    scope.min_depth = std::max(scope.min_depth, static_cast<std::uint32_t>(depth));
  }
  scope.exclude = places(Id::exclude, Id::exclude_where, options, meaning);
  scope.prune = places(Id::prune, Id::prune_where, options, meaning);
  scope.skip_hidden = options.has(Id::no_hidden);
  if (options.has(Id::no_hidden) && meaning.context.hides_by_flag) {
    // By name alone first, which costs nothing; then by the flags.
    scope.exclude =
        Expression::any({std::move(scope.exclude), query::find_flag("hidden")->make(meaning)});
  }
  scope.skip_packages = options.has(Id::no_packages);
  scope.gitignore.enabled = options.has(Id::gitignore);
  scope.ignore_files = ignore_file_names(options);
  scope.follow = options.has(Id::follow);
  // The space of a directory that several links lead to is taken once.
  scope.unique = options.has(Id::unique) || (options.has(Id::follow) && options.has(Id::usage));
  for (const Given& one : options.given) {
    if (one.off || !is_list(one.id)) continue;
    scope.lists.push_back({one.value, one.id == Id::from0 ? '\0' : '\n', one.id == Id::from_json});
    if (scope.lists.front().of_records != scope.lists.back().of_records) {
      throw UsageError("a list has paths (--from) or records (--from-json), not both");
    }
  }
  if (options.has(Id::trashed)) scope.lists.push_back({"", '\0'});
  scope.each_once =
      scope.unique || options.has_action() || options.has(Id::pick) || options.has(Id::tree);
  // Paths that are taken apart again, for their directories.
  scope.plain_paths = options.has(Id::tree) || options.has(Id::usage) || options.has(Id::count) ||
                      options.has(Id::duplicates) || options.takes_away() ||
                      options.has(Id::exec_in_dir);
  scope.cross_volumes = options.has(Id::cross_volumes);
  scope.network = options.has(Id::network);
  scope.method = static_cast<Method>(choice_of(options, Id::method));
  scope.reader = static_cast<Reader>(choice_of(options, Id::reader));
  if (options.has(Id::threads)) {
    // No volume gains from more; each thread has a stack and two buffers.
    const auto threads = parse_number(options.last(Id::threads), 1024, Id::threads);
    if (threads == 0) {
      text::fail_at(source_of(Id::threads), options.last(Id::threads), 0,
                    "at least one thread is needed");
    }
    scope.threads = static_cast<unsigned>(threads);
  }
  return scope;
}

/// Fails for a test that no record can answer.
void refuse_unrecorded(const Expression& where) {
  constexpr Needs unrecorded = needs::contents | needs::attributes | needs::readable |
                               needs::writable | needs::runnable | needs::children |
                               needs::target_mode | needs::target_type | needs::capabilities |
                               needs::accounts | needs::origin;
  if (where.op == Expression::Op::test && (where.test->needs() & unrecorded) != 0) {
    throw UsageError(
        {.what = text::format("'{}' needs the file itself, and --from-json has only its record",
                              text::escaped(where.test->text())),
         .place = {.options = {"--from-json"}},
         .example = "ffind --from-json usb.ndjson -S +1M -l"});
  }
  for (const Expression& operand : where.operands) refuse_unrecorded(operand);
}

}  // namespace

query::Meaning meaning_of(const Options& options, const query::QueryContext& context) {
  return {context, case_rule(options), options.has(Id::ignore_diacritics), options.has(Id::binary)};
}

/// A sign is no digit, so "-1" fails at its first character.
std::uint64_t parse_number(std::string_view text, std::uint64_t most, Id id) {
  const text::ValueSource source = source_of(id);
  if (text.empty()) text::fail_at(source, text, 0, "a number is missing");
  if (const std::size_t at = text.find_first_not_of("0123456789"); at != text.npos) {
    const bool is_negative = at == 0 && text[0] == '-' && text::is_digits(text.substr(1));
    text::fail_at(
        source, text, at,
        is_negative ? "must be 0 or more" : text::format("'{}' is not a whole number", text));
  }
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || number > most) {
    text::fail_at(source, text, 0, text::format("more than {}", most));
  }
  return number;
}

Query build_query(const Options& options, const Operands& operands,
                  const query::QueryContext& context) {
  Query query;
  const query::Meaning meaning = meaning_of(options, context);
  query.scope = build_scope(options, meaning);
  const bool sums_up = options.has(Id::tree) && options.has(Id::details);
  std::vector<Expression> all;
  add_patterns(all, options, operands, meaning);
  add_queries(all, options, operands, meaning);
  add_filters(all, options, meaning);
  add_expressions(all, options, meaning);
  // `--usage -F node_modules` asks for the space of such directories. Those of --owner or
  // --modified hold other files, which were not asked for.
  query.scope.whole_directories =
      options.has(Id::usage) && (has_pattern_option(options) || options.has(Id::type));
  // Sums of --tree -l are whole.
  std::uint32_t& deepest = query.scope.max_depth;
  if (sums_up && deepest != unlimited_depth) {
    const std::string most = text::format("<={}", std::exchange(deepest, unlimited_depth));
    all.push_back(query::test_of_options(*query::find_field("depth"), {.narrow = true}, {most},
                                         source_of(Id::max_depth), meaning));
  }
  if (options.has(Id::duplicates)) {
    all.push_back(query::parse_expression({"type = file", {}}, meaning));
  }
  query.where = Expression::all(std::move(all));
  // With `--depth 1..2`, or `depth < 3` in --where, deeper directories need not be walked, unless
  // what is in them belongs to a sum.
  if (!sums_up) {
    query.scope.max_depth = std::min(query.scope.max_depth, bound_of(query.where).most_depth);
  }

  if (options.has(Id::from_json)) {
    refuse_unrecorded(query.where);
    refuse_unrecorded(query.scope.exclude);
  }
  for (const std::string& text : options.all(Id::limit)) {
    const auto limit = parse_number(text, unlimited - 1, Id::limit);
    query.limit = limit;
  }
  // One match decides the exit status of --quiet.
  if (options.has(Id::one) || options.has(Id::quiet))
    query.limit = std::min<std::uint64_t>(query.limit, 1);
  return query;
}

}  // namespace ffind::cli
