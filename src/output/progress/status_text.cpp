// SPDX-License-Identifier: MIT
// See status_text.h.
#include "output/progress/status_text.h"

#include "output/messages.h"
#include "text/format.h"
#include "text/json.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::output {
namespace {

/// Less of a path than this says nothing.
constexpr std::size_t least_path = 12;

std::string short_number(std::uint64_t number) {
  std::string text;
  text::append_human_size(text, number, text::SizeUnits::decimal);
  return text;
}

std::string full_number(std::uint64_t number) {
  return std::to_string(number);
}

std::string counts_text(const SearchProgress& search, std::string (*number)(std::uint64_t)) {
  return text::format("{} director{}, {} entr{}, {} match{}", number(search.directories),
                      search.directories == 1 ? "y" : "ies", number(search.entries),
                      search.entries == 1 ? "y" : "ies", number(search.matches),
                      search.matches == 1 ? "" : "es");
}

/// The end of the status: where, or what else takes time.
std::string place_text(const StatusMoment& moment) {
  if (!moment.doing_last.empty()) return std::string(moment.doing_last);
  return text::escaped(moment.search.where);
}

}  // namespace

std::string status_line(const StatusMoment& moment, std::size_t columns) {
  std::string line = "ffind: " + counts_text(moment.search, short_number);
  if (moment.doing_last.empty()) line += text::format(", {}/s", short_number(moment.rate));
  if (line.size() > columns) line.resize(columns);
  const std::string place = place_text(moment);
  constexpr std::string_view separator = ": ";
  constexpr std::string_view left_out = "...";
  const std::size_t room = columns - line.size();
  if (place.empty() || room < separator.size() + least_path) return line;
  const std::size_t for_place = room - separator.size();
  line += separator;
  if (text::columns_of(place) <= for_place) return line + place;
  line += left_out;
  line += text::end_that_fits(place, for_place - left_out.size());
  return line;
}

std::string status_message(const StatusMoment& moment) {
  std::string text = counts_text(moment.search, full_number);
  text += text::format(", {} entries/s, {:.1f} s", moment.rate,
                       static_cast<double>(moment.elapsed) / 1e9);
  const std::string place = place_text(moment);
  if (!place.empty()) text += ": " + place;
  return message(text);
}

std::string status_record(const StatusMoment& moment) {
  constexpr std::uint64_t nanoseconds_per_millisecond = 1'000'000;
  std::string line;
  text::JsonObject object(line);
  object.add("type", std::string_view("progress"));
  object.add("directories", moment.search.directories);
  object.add("entries", moment.search.entries);
  object.add("matches", moment.search.matches);
  object.add("milliseconds",
             static_cast<std::uint64_t>(moment.elapsed) / nanoseconds_per_millisecond);
  if (!moment.search.where.empty()) object.add_bytes("path", moment.search.where);
  object.end();
  return line;
}

}  // namespace ffind::output
