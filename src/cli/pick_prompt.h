// SPDX-License-Identifier: MIT
// What is typed into the list of --pick, in the language of --query. Called by picking.cpp; knows
// no list.
#pragma once

#include <string_view>
#include <vector>

#include "cli/options.h"
#include "ffind/accounts.h"
#include "output/pick/prompt_meaning.h"
#include "query/language/fields.h"
#include "query/language/query_line.h"

namespace ffind::cli {

/// For the thread that reads the keys.
class PromptLanguage {
 public:
  /// `options` say how case and accents count; they and `accounts` outlive it.
  PromptLanguage(const Options& options, const Accounts& accounts);

  /// Terms that are not finished, or make no sense, narrow nothing and are told of.
  output::PromptMeaning read(std::string_view prompt) const;

 private:
  void add_term(output::PromptMeaning& meaning, const query::QueryTerm& term,
                std::vector<Expression>& all) const;

  const query::QueryContext context_;
  const query::Meaning meaning_;
  const query::Field& subject_;
};

}  // namespace ffind::cli
