// SPDX-License-Identifier: MIT
// What one command writes, kept until it is over, so that nothing of two commands is mixed. Made by
// the executor, one a match.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "os/processes.h"
#include "output/commands/output_order.h"
#include "output/writer.h"

namespace ffind::output {

/// Memory is bounded: of a command that writes more than `most`, the output is passed on as it
/// comes, and the others wait for their turn.
class KeptOutput final : public os::CommandOutput {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20U;

  /// `turn` is whose output is being written; one for all. `place` is in which order; null: in any.
  KeptOutput(Writer& writer, std::mutex& turn, OutputOrder::Place* place)
      : writer_(writer), turn_(turn, std::defer_lock), place_(place) {}

  void append(os::Stream stream, std::string_view bytes) override;
  /// Writes what was kept, all of it in one go.
  void write();
  /// Others wait for us.
  bool has_turn() const { return turn_.owns_lock(); }

 private:
  void take_turn();

  Writer& writer_;
  std::unique_lock<std::mutex> turn_;
  OutputOrder::Place* const place_;
  std::string output_;
  std::string error_output_;
};

}  // namespace ffind::output
