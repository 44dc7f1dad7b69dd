// SPDX-License-Identifier: MIT
// Fuzzes the parser of the expression language. Input: what stands behind --where. What is
// understood prints as text that is understood, and prints the same again.
#include <optional>
#include <string>

#include "fuzz/fuzz.h"
#include "query/where/parser.h"

namespace {

using namespace ffind;

/// Nobody has an account; every name of a user is refused.
class NoAccounts final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string&) const override { return {}; }
  std::optional<std::uint32_t> group_id(const std::string&) const override { return {}; }
  std::optional<std::string> user_name(std::uint32_t) const override { return {}; }
  std::optional<std::string> group_name(std::uint32_t) const override { return {}; }
};

std::optional<Metadata> metadata_of(const std::string& path, std::string&) {
  Metadata metadata{};
  metadata.inode = path.size();
  return metadata;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const NoAccounts accounts;
  const Surroundings surroundings{{1'700'000'000'000'000'000}, &accounts, metadata_of, true};
  const Meaning meaning{surroundings};
  const std::string typed(fuzz::Input(data, size).rest());
  std::string text;
  try {
    text = to_text(parse_expression({typed, {"--where", "--where hidden"}}, meaning));
  } catch (const UsageError& error) {
    fuzz::require(std::string_view(error.what()).size() > 0, "an error says something");
    return 0;
  }
  std::string again;
  try {
    again = to_text(parse_expression({text, {}}, meaning));
  } catch (const UsageError& error) {
    fuzz::require(false, error.what());
  }
  fuzz::require(again == text, "what is printed is read as what it was");
  return 0;
}
