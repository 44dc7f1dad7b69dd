// SPDX-License-Identifier: MIT
// Fuzzes the parser of the expression language, and the optimiser. Input: what stands behind
// --where. What is understood prints as text that is understood, and prints the same again; so does
// what is made of it, which asks for nothing more and knows a bound.
#include <string>

#include "ffind/matcher.h"
#include "fuzz/expressions.h"
#include "fuzz/fuzz.h"
#include "query/where/parser.h"

namespace {

using namespace ffind;

using fuzz::check_round_trip;

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
    fuzz::require(!(emitted && negation.emits(entry)), "not both it and its negation");
    if (!emitted) continue;
    fuzz::require((bound.types & bit_of(type)) != 0, "types lie within the bound");
    fuzz::require(bound.first_modified <= 0 && 0 <= bound.last_modified, "times do, too");
    if (type == FileType::file) fuzz::require(bound.least_size == 0, "and sizes");
    fuzz::require(bound.most_depth >= 1, "and depths");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::NoAccounts accounts;
  const query::QueryContext context = fuzz::context_of(accounts);
  const query::Meaning meaning{context};
  const std::string typed(fuzz::Input(data, size).rest());
  Query query;
  try {
    query.where = query::parse_expression({typed, {"--where", "--where hidden"}}, meaning);
  } catch (const UsageError& error) {
    fuzz::require(std::string_view(error.what()).size() > 0, "an error says something");
    return 0;
  }
  check_round_trip(query.where, meaning);
  const Matcher matcher(query);
  check_round_trip(matcher.where(), meaning);
  fuzz::require((needs_of(matcher.where()) & ~needs_of(query.where)) == 0,
                "what is optimised asks for nothing more");
  const std::string text = to_text(matcher.where());
  fuzz::require(to_text(optimise(matcher.where())) == text, "nothing is left to optimise");
  const Bound bound = matcher.bound();
  fuzz::require(bound == bound_of(matcher.where()), "the matcher's bound is its expression's");
  judge(matcher, query.where);
  return 0;
}
