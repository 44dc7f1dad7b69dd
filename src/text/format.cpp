// SPDX-License-Identifier: MIT
// The one file that fmt's formatter is compiled into.
#include "text/format.h"

#include <fmt/format.h>

namespace ffind::text {

std::string vformat(fmt::string_view pattern, fmt::format_args values) {
  return fmt::vformat(pattern, values);
}

}  // namespace ffind::text
