// SPDX-License-Identifier: MIT
// See closing.h.
#include "cli/closing.h"

#include <string_view>

#include "os/machine.h"
#include "output/messages.h"
#include "text/format.h"

namespace ffind::cli {
namespace {

std::string threads_text(const Statistics& counts) {
  std::string text = std::to_string(counts.threads);
  if (counts.added_threads > 0) {
    text += text::format(", {} of them started because the device kept the others waiting",
                         counts.added_threads);
  }
  return text;
}

}  // namespace

void close_output(output::Writer& writer, const Options& options) {
  writer.close();
  if (writer.error() == 0 || options.no_messages) return;
  const std::string reason = "standard output: " + output::reason_of(writer.error());
  writer.write_message(options.json_errors
                           ? output::record_of({"", "write", writer.error(), reason})
                           : output::message(reason));
}

std::string statistics_text(const Statistics& counts, Nanoseconds elapsed) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += output::message(text::format("{:<12} {}", name, value));
  };
  line("directories", std::to_string(counts.directories));
  line("entries", std::to_string(counts.entries));
  line("matches", std::to_string(counts.matches));
  line("stats", std::to_string(counts.stats));
  line("vanished", std::to_string(counts.vanished));
  if (counts.files_read > 0) {
    line("files read", std::to_string(counts.files_read));
    line("bytes read", std::to_string(counts.bytes_read));
  }
  if (counts.walked > 0) line("walked", std::to_string(counts.walked));
  if (counts.not_local > 0) line("not local", std::to_string(counts.not_local));
  line("issues", std::to_string(counts.issues));
  line("threads", threads_text(counts));
  line("seconds", text::format("{:.3f}", static_cast<double>(elapsed) / 1e9));
  line("peak memory", text::format("{:.1f} MiB", static_cast<double>(os::peak_memory()) / 1048576));
  return text;
}

}  // namespace ffind::cli
