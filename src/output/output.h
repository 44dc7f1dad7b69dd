// SPDX-License-Identifier: MIT
// The sink that people and programs read: lanes of text, NUL-ended text or NDJSON over one writer,
// and issues as messages. Made by cli; knows the seam to the OS and nothing of queries.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>

#include "ffind/sink.h"
#include "os/os.h"
#include "output/colors.h"
#include "output/writer.h"

namespace ffind {

enum class Format : std::uint8_t {
  text,     ///< one path a line
  null,     ///< one path, one NUL
  json,     ///< NDJSON
  nothing,  ///< only whether there was a match
};

struct OutputStyle {
  Format format = Format::text;
  /// Somebody watches: names are escaped, and each block of entries is passed on at once.
  bool terminal = false;
  bool messages = true;
  std::optional<Palette> palette{};  ///< none: no colours
  /// What a person can do about an errno; printed once, behind the first issue it is about.
  std::string_view (*advice)(int error) = &os::advice;
};

/// Thread-safe.
class Output final : public Sink {
 public:
  Output(OutputStyle style, Writer& writer) : style_(std::move(style)), writer_(writer) {}

  std::unique_ptr<Lane> open_lane() override;
  void report(const Issue& issue) override;
  void notice(const std::string& path, const std::string& text) override;
  /// What the lanes will ask each match for.
  Needs needs() const;

 private:
  OutputStyle style_;
  Writer& writer_;
  std::atomic<bool> advised_{false};  ///< once is enough, however many issues it is about
};

}  // namespace ffind
