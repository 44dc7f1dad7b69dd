// SPDX-License-Identifier: MIT
#include "text/ascii.h"

#include <string>
#include <string_view>

#include "catch.h"

namespace ascii_test {

using ffind::text::for_each_part;
using ffind::text::take_part;

TEST_CASE("a list is taken apart at its separator, empty parts included") {
  std::string_view rest = "a,,b";
  CHECK(take_part(rest, ',') == "a");
  CHECK(take_part(rest, ',').empty());
  CHECK(take_part(rest, ',') == "b");
  CHECK(rest.empty());

  const auto parts_of = [](std::string_view list) {
    std::string parts;
    for_each_part(list, ',', [&](std::size_t at, std::string_view part) {
      parts.append(std::to_string(at)).append("=").append(part).append(" ");
    });
    return parts;
  };
  CHECK(parts_of("a,bc") == "0=a 2=bc ");
  CHECK(parts_of("a,") == "0=a 2= ");
  CHECK(parts_of("") == "0= ");
}

}  // namespace ascii_test
