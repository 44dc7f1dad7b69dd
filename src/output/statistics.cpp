// SPDX-License-Identifier: MIT
// One line for people, all counters in lines of a fixed order for -l, or an object for programs. In
// the first two, a count that is zero in most searches (files read, walked, not local) is left out
// if it is.
#include "output/statistics.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "os/machine.h"
#include "output/messages.h"
#include "text/data_row.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/ranges.h"

namespace ffind::output {
namespace {

/// "4.7 MiB"
std::string mebibytes(std::uint64_t bytes) {
  return text::format("{:.1f} MiB", static_cast<double>(bytes) / 1048576);
}

/// The number of threads, and how many of them a slow device added. "4", or "32, 28 of them started
/// because ...".
std::string threads_text(const Statistics& counts) {
  std::string text = std::to_string(counts.threads);
  if (counts.added_threads > 0) {
    text += text::format(", {} of them started because the device kept the others waiting",
                         counts.added_threads);
  }
  return text;
}

/// "4 of 1,568 entries in 708 directories, 0.007 s, 4.7 MiB"
std::string statistics_line(const Statistics& counts, Nanoseconds elapsed) {
  std::string text =
      text::format("{} of {} in {}, {:.3f} s, {}", text::grouped(counts.matches),
                   counted(counts.entries, "entry", "entries", &text::grouped),
                   counted(counts.directories, "directory", "directories", &text::grouped),
                   static_cast<double>(elapsed) / 1e9, mebibytes(os::peak_memory()));
  const auto add = [&text](std::uint64_t number, std::string_view one, std::string_view many) {
    if (number > 0) text.append(", ").append(counted(number, one, many, &text::grouped));
  };
  add(counts.files_read, "file read", "files read");
  add(counts.vanished, "vanished", "vanished");
  add(counts.empty_lines, "empty line", "empty lines");
  add(counts.not_local_directories + counts.not_local_files, "not local", "not local");
  add(counts.issues, "error", "errors");
  return message(text);
}

std::string statistics_record(const Statistics& counts, Nanoseconds elapsed) {
  std::string text;
  text::DataRow object(text);
  object.add("type", std::string_view("stats"));
  const std::pair<std::string_view, std::uint64_t> numbers[] = {
      {"directories", counts.directories},
      {"entries", counts.entries},
      {"matches", counts.matches},
      {"stats", counts.stats},
      {"vanished", counts.vanished},
      {"empty_lines", counts.empty_lines},
      {"files_read", counts.files_read},
      {"bytes_read", counts.bytes_read},
      {"walked", counts.walked},
      {"not_local_directories", counts.not_local_directories},
      {"not_local_files", counts.not_local_files},
      {"issues", counts.issues},
      {"threads", counts.threads},
      {"added_threads", counts.added_threads},
      {"nanoseconds", static_cast<std::uint64_t>(elapsed)},
      {"peak_memory", os::peak_memory()}};
  for (const auto& [name, number] : numbers) object.add(name, number);
  object.end();
  return text;
}

std::string statistics_lines(const Statistics& counts, Nanoseconds elapsed, bool human) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += message(text::format("{:<12} {}", name, value));
  };
  line("directories", std::to_string(counts.directories));
  line("entries", std::to_string(counts.entries));
  line("matches", std::to_string(counts.matches));
  line("stats", std::to_string(counts.stats));
  line("vanished", std::to_string(counts.vanished));
  if (counts.empty_lines > 0) line("empty lines", std::to_string(counts.empty_lines));
  if (counts.files_read > 0) {
    line("files read", std::to_string(counts.files_read));
    std::string bytes;
    if (human) text::append_human_size(bytes, counts.bytes_read, text::SizeUnits::decimal);
    line("bytes read", human ? bytes : std::to_string(counts.bytes_read));
  }
  if (counts.walked > 0) line("walked", std::to_string(counts.walked));
  if (counts.not_local_directories + counts.not_local_files > 0) {
    line("not local", text::format("{} directories, {} files", counts.not_local_directories,
                                   counts.not_local_files));
  }
  line("issues", std::to_string(counts.issues));
  line("threads", threads_text(counts));
  line("seconds", text::format("{:.3f}", static_cast<double>(elapsed) / 1e9));
  line("peak memory", mebibytes(os::peak_memory()));
  return text;
}

}  // namespace

std::string statistics_text(const Statistics& counts, Nanoseconds elapsed, StatisticsForm form,
                            bool human) {
  if (form == StatisticsForm::line) return statistics_line(counts, elapsed);
  if (form == StatisticsForm::lines) return statistics_lines(counts, elapsed, human);
  return statistics_record(counts, elapsed);
}

}  // namespace ffind::output
