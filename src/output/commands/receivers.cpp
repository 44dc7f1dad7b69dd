// SPDX-License-Identifier: MIT
// Which action is whose. See receivers.h.
#include "output/commands/receivers.h"

#include "os/os.h"
#include "output/commands/batches.h"
#include "output/commands/deletion.h"
#include "output/commands/each.h"

namespace ffind {

std::unique_ptr<ActionReceiver> make_action_receiver(const ActionContext& context) {
  switch (context.action.deed) {
    case Deed::each:
      return std::make_unique<EachReceiver>(context);
    case Deed::batch:
      return std::make_unique<BatchReceiver>(context);
    case Deed::remove:
      break;
  }
  return std::make_unique<DeletionReceiver>(context);
}

std::size_t spare_descriptors() {
  // The standard streams, /dev/null; and for the search.
  constexpr std::size_t others = 12;
  const std::size_t limit = os::descriptor_limit();
  return limit > others ? limit - others : 0;
}

std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  return {path.substr(0, begin), path.substr(begin)};
}

}  // namespace ffind
