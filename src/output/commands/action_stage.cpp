// SPDX-License-Identifier: MIT
// See action_stage.h.
#include "output/commands/action_stage.h"

#include "os/machine.h"
#include "output/commands/batch_runner.h"
#include "output/commands/deleter.h"
#include "output/commands/each_runner.h"

namespace ffind::output {

std::unique_ptr<ActionStage> make_action_stage(const ActionContext& context) {
  switch (context.action.kind) {
    case ActionKind::each:
      return std::make_unique<EachRunner>(context);
    case ActionKind::batch:
      return std::make_unique<BatchRunner>(context);
    case ActionKind::remove:
      break;
  }
  return std::make_unique<Deleter>(context);
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

}  // namespace ffind::output
