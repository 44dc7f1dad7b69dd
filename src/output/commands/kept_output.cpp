// SPDX-License-Identifier: MIT
// See kept_output.h.
#include "output/commands/kept_output.h"

namespace ffind::output {

void KeptOutput::append(os::Stream stream, std::string_view bytes) {
  (stream == os::Stream::output ? output_ : error_output_) += bytes;
  if (!turn_.owns_lock() && output_.size() + error_output_.size() < most) return;
  write();
}

void KeptOutput::write() {
  if (output_.empty() && error_output_.empty()) return;
  take_turn();
  if (!output_.empty()) writer_.write(output_);
  if (!error_output_.empty()) writer_.write_message(error_output_);
  output_.clear();
  error_output_.clear();
}

void KeptOutput::take_turn() {
  if (turn_.owns_lock()) return;
  if (place_ != nullptr) place_->wait();
  turn_.lock();
}

}  // namespace ffind::output
