// SPDX-License-Identifier: MIT
// What the fuzz targets of the two query languages share: a context without accounts, and that what
// is printed of an expression is read as what it was.
#pragma once

#include <optional>
#include <string>

#include "fuzz/fuzz.h"
#include "query/language/parser.h"

namespace ffind::fuzz {

/// Nobody has an account; every name of a user is refused.
class NoAccounts final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string&) const override { return {}; }
  std::optional<std::uint32_t> group_id(const std::string&) const override { return {}; }
  std::optional<std::string> user_name(std::uint32_t) const override { return {}; }
  std::optional<std::string> group_name(std::uint32_t) const override { return {}; }
};

inline query::QueryContext context_of(const NoAccounts& accounts) {
  const auto metadata_of = [](const std::string& path, Metadata& found) {
    found.inode = path.size();
    return 0;
  };
  return {{1'700'000'000'000'000'000}, &accounts, metadata_of, true};
}

inline void check_round_trip(const Expression& expression, const query::Meaning& meaning) {
  const std::string text = to_text(expression);
  std::string again;
  try {
    again = to_text(query::parse_expression({text, {}}, meaning));
  } catch (const UsageError& error) {
    require(false, error.what());
  }
  require(again == text, "what is printed is read as what it was");
}

}  // namespace ffind::fuzz
