// SPDX-License-Identifier: MIT
// What all lanes share: who takes their records, and the messages. See output.h.
#include "output/output.h"

#include <string>
#include <utility>

#include "output/commands/receivers.h"
#include "output/counts/counter.h"
#include "output/messages.h"
#include "output/ordered/sorter.h"
#include "output/records/record_format.h"
#include "output/tree/tree.h"

namespace ffind {
Output::Output(OutputStyle style, Writer& writer) : style_(std::move(style)), writer_(writer) {
  if (style_.action) {
    auto receiver = make_action_receiver(
        {*style_.action, writer_, style_.terminal, [this](const Issue& issue) { report(issue); }});
    action_ = receiver.get();
    owned_ = std::move(receiver);
  } else if (style_.format == Format::tree) {
    owned_ = std::make_unique<Tree>(style_, writer_);
  }
  receiver_ = owned_ ? owned_.get() : &writer_;
  if (style_.format == Format::nothing) return;
  if (style_.count) {
    gatherer_ = std::make_unique<Counter>(style_);
  } else if (!style_.sort.empty()) {
    gatherer_ = std::make_unique<Sorter>(style_);
  }
}

Output::~Output() = default;

void Output::set_plan(const Plan& plan) {
  if (action_ != nullptr) action_->set_anchors(anchors_of(plan));
}

std::size_t Output::descriptors() const {
  return action_ != nullptr ? action_->descriptors() : 0;
}

std::uint64_t Output::search_limit(std::uint64_t limit) const {
  const bool table = style_.count && *style_.count != CountBy::nothing;
  return gatherer_ && (table || !style_.sort.empty()) ? UINT64_MAX : limit;
}

const char* Output::last_task() const {
  if (action_ != nullptr) return style_.action->deed == Deed::remove ? "deleting" : "running";
  return style_.sort.empty() ? "writing" : "sorting";
}

void Output::finish() {
  if (gatherer_) gatherer_->pass_on(*receiver_);
  receiver_->finish();
}

bool Output::failed() const {
  return receiver_->failed();
}

void Output::report(const Issue& issue) {
  if (!style_.messages) return;
  const bool json = style_.json_messages;
  std::string lines = json ? record_of(issue) : message_of(issue);
  const std::string_view advice = style_.advice(issue.error);
  // In one write, so that no other worker's issue gets in between.
  if (!advice.empty() && !advised_.exchange(true)) {
    lines += json ? notice_record({}, advice) : message(advice);
  }
  writer_.write_message(lines);
}

void Output::notice(const std::string& path, const std::string& text) {
  if (!style_.messages) return;
  writer_.write_message(style_.json_messages ? notice_record(path, text)
                                             : message_of({path, "", 0, text}));
}

Needs Output::needs() const {
  if (gatherer_) return gatherer_->needs();
  const auto format = make_record_format(style_);
  return format ? format->needs() : needs::none;
}

}  // namespace ffind
