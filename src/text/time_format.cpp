// SPDX-License-Identifier: MIT
// strftime(3) does the work. See time_format.h.
#include "text/time_format.h"

#include <ctime>

#include "text/calendar.h"

namespace ffind::text {
namespace {

/// What every strftime knows behind a %, and f. Not +: only BSD's do, others print it as it stands.
constexpr std::string_view letters = "aAbBcCdDeFfgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%";

/// The length of what begins with the % at `at`: a flag (GNU, BSD), a modifier (POSIX), a letter.
/// 0 when that is nothing that strftime knows.
std::size_t length_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  const auto take = [&](std::string_view characters) {
    const bool is_one = end < text.size() && characters.find(text[end]) != std::string_view::npos;
    if (is_one) ++end;
    return is_one;
  };
  take("_-0^#");
  take("EO");
  return take(letters) ? end - at : 0;
}

void append_strftime(std::string& out, const std::string& format, const std::tm& parts) {
  const std::size_t before = out.size();
  for (std::size_t room = 64;; room *= 2) {
    out.resize(before + room);
    const std::size_t length = std::strftime(out.data() + before, room, format.c_str(), &parts);
    if (length == 0) continue;
    out.resize(before + length - 1);  // less the space
    return;
  }
}

}  // namespace

std::size_t TimeFormat::find_unknown(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\0') return at;  // where strftime ends
    const std::size_t length = text[at] == '%' ? length_at(text, at) : 1;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

TimeFormat::TimeFormat(std::string_view text) : parts_(1) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '%' ? length_at(text, at) : 1;
    const std::string_view piece = text.substr(at, length);
    if (piece.size() > 1 && piece.back() == 'f') {
      parts_.emplace_back();
    } else {
      parts_.back() += piece;
    }
    at += length;
  }
  for (std::string& part : parts_) part += ' ';
}

void TimeFormat::append(std::string& out, Nanoseconds time) const {
  const Nanoseconds rest = floor_remainder(time, nanoseconds_a_second);
  const auto moment = static_cast<std::time_t>(floor_divide(time, nanoseconds_a_second));
  std::tm parts{};
  if (localtime_r(&moment, &parts) == nullptr) return;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i > 0) out += std::to_string(nanoseconds_a_second + rest).substr(1);
    append_strftime(out, parts_[i], parts);
  }
}

}  // namespace ffind::text
