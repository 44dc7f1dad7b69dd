// SPDX-License-Identifier: MIT
// Fuzzes the parser of the expression language, and the optimiser. Input: what stands behind
// --where. What is understood prints as text that is understood, and prints the same again; so does
// what is made of it, which asks for nothing more and knows a bound.
#include <string>

#include "ffind/query.h"
#include "fuzz/expressions.h"
#include "fuzz/fuzz.h"
#include "query/language/parser.h"

namespace ffind::fuzz::where_fuzz {

namespace {

/// Files of which a search would know the name and one stat: what is emitted lies within the bound,
/// and the optimiser has changed no answer.
void judge(const Matcher& matcher, const Expression& where) {
  Query negated;
  negated.where = Expression::negation(where);
  const Matcher negation(negated);
  const Bound bound = matcher.bound();
  for (const FileType type : {FileType::file, FileType::directory, FileType::symlink}) {
    Entry entry;
    entry.name = "Report 7.tar.gz";
    entry.type = type;
    entry.depth = 1;
    entry.directory = entry.relative_path = entry.absolute_path = "/";
    entry.present =
        needs::metadata | needs::relative_path | needs::absolute_path | needs::directory;
    const bool emitted = matcher.emits(entry);
    require(!(emitted && negation.emits(entry)), "not both it and its negation");
    if (!emitted) continue;
    require((bound.types & bit_of(type)) != 0, "types lie within the bound");
    require(bound.first_modified <= Instant{} && Instant{} <= bound.last_modified, "times do, too");
    if (type == FileType::file) require(bound.least_size == 0, "and sizes");
    require(bound.most_depth >= 1, "and depths");
  }
}

}  // namespace

FUZZ_TARGET(where) {
  const NoAccounts accounts;
  const query::QueryContext context = context_of(accounts);
  const query::Meaning meaning{context};
  const std::string typed(Input(data, size).rest());
  Query query;
  try {
    query.where = query::parse_expression({typed, {"--where", "--where hidden"}}, meaning);
  } catch (const UsageError& error) {
    require(std::string_view(error.what()).size() > 0, "an error says something");
    return 0;
  }
  check_round_trip(query.where, meaning);
  const Matcher matcher(query);
  check_round_trip(matcher.where(), meaning);
  require((needs_of(matcher.where()) & ~needs_of(query.where)) == 0,
          "what is optimised asks for nothing more");
  const std::string text = to_text(matcher.where());
  require(to_text(optimise(matcher.where())) == text, "nothing is left to optimise");
  const Bound bound = matcher.bound();
  require(bound == bound_of(matcher.where()), "the matcher's bound is its expression's");
  judge(matcher, query.where);
  return 0;
}

}  // namespace ffind::fuzz::where_fuzz
