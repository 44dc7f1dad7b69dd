// SPDX-License-Identifier: MIT
// Globs of Rust's crate globset as regular expressions of bytes, which fd makes of them.
//
//     **/*.{c,é}  ─▶  (?-u)^(?:/?|.*/)[^/]*\.(?:c|\xc3\xa9)$
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foreign/rust_regex.h"
#include "foreign/rust_syntax.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/utf8.h"

namespace ffind::foreign {

std::string escaped_for_rust(std::string_view text) {
  std::string result;
  for (const char c : text) {
    constexpr std::string_view special = R"(\.+*?()|[]{}^$#&-~)";
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

namespace {

/// Writes one branch for each alternative; those of a brace are joined when it closes.
class GlobReader {
 public:
  explicit GlobReader(std::string_view glob) : glob_(glob) {}

  std::string read() {
    while (at_ < glob_.size()) read_one();
    if (branches_.size() > 1) {
      fail("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    }
    return "(?-u)^" + joined_parts(branches_.front()) + "$";
  }

 private:
  using Parts = std::vector<std::string>;

  [[noreturn]] void fail(std::string_view what) const {
    throw UsageError(text::format("error parsing glob '{}': {}", glob_, what));
  }
  static std::string joined_parts(const Parts& parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
  }
  static std::string bytes_of(char32_t c) {
    std::string bytes;
    text::append_utf8(bytes, c);
    std::string text;
    for (const char byte : bytes) {
      const char32_t number = static_cast<unsigned char>(byte);
      constexpr std::string_view digits = "0123456789abcdef";
      if (number < 0x80) {
        text += escaped_for_rust(std::string_view(&byte, 1));
      } else {
        text.append("\\x") += digits[number >> 4U];
        text += digits[number & 15U];
      }
    }
    return text;
  }
  Parts& parts() { return branches_.back(); }
  char peek() const { return at_ < glob_.size() ? glob_[at_] : '\0'; }

  void read_one() {
    const std::size_t begin = at_;
    const char32_t c = text::next_code_point(glob_, at_);
    switch (c) {
      case '?':
        return parts().emplace_back("[^/]"), void();
      case '*':
        return read_star(begin);
      case '[':
        return read_class();
      case '{':
        opens_.push_back(branches_.size());
        branches_.emplace_back();
        return;
      case '}':
        return close();
      case ',':
        if (opens_.empty()) break;
        branches_.emplace_back();
        return;
      case '\\':
        if (at_ == glob_.size()) fail("dangling '\\'");
        parts().push_back(bytes_of(text::next_code_point(glob_, at_)));
        return;
      default:
        break;
    }
    parts().push_back(bytes_of(c));
  }

  void close() {
    if (opens_.empty()) {
      fail("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
    }
    std::string text;
    for (std::size_t i = opens_.back(); i < branches_.size(); ++i) {
      const std::string branch = joined_parts(branches_[i]);
      if (!branch.empty()) text += (text.empty() ? "(?:" : "|") + branch;
    }
    branches_.resize(opens_.back());
    opens_.pop_back();
    parts().push_back(text.empty() ? text : text + ")");
  }

  /// `**` means directories only as a whole component.
  void read_star(std::size_t begin) {
    constexpr std::string_view any_prefix = "(?:/?|.*/)";
    constexpr std::string_view any_suffix = "/.*";
    const auto add_stars = [&](std::size_t count) {
      while (count-- > 0) parts().emplace_back("[^/]*");
    };
    if (peek() != '*') return add_stars(1);
    ++at_;
    const char before = begin > 0 ? glob_[begin - 1] : '\0';
    const bool at_end = at_ == glob_.size();
    if (parts().empty()) {
      if (!at_end && peek() != '/') return add_stars(2);
      parts().emplace_back(any_prefix);
      at_ += at_end ? 0 : 1;
      return;
    }
    const bool in_branch = branches_.size() > 1;
    if (before != '/' && (!in_branch || (before != ',' && before != '{'))) return add_stars(2);
    const bool is_suffix = at_end || (in_branch && (peek() == ',' || peek() == '}'));
    if (!is_suffix && peek() != '/') return add_stars(2);
    if (!is_suffix) ++at_;
    if (parts().back() == any_prefix || parts().back() == any_suffix) return;
    parts().back() = is_suffix ? std::string(any_suffix) : "(?:/|/.*/)";
  }

  /// Ends of ranges beyond ASCII are the bytes of their characters, as globset writes them.
  void read_class() {
    const bool negated = peek() == '!' || peek() == '^';
    if (negated) ++at_;
    Ranges ranges;
    bool first = true;
    bool in_range = false;
    for (;; first = false) {
      if (at_ == glob_.size()) fail("unclosed character class; missing ']'");
      const char32_t c = text::next_code_point(glob_, at_);
      if (c == ']' && !first) break;
      if (in_range) {
        ranges.back().last = c;
        in_range = false;
        if (c < ranges.back().first) {
          std::string range;
          text::append_utf8(range.append("invalid range; '"), ranges.back().first);
          text::append_utf8(range.append("' > '"), c);
          fail(range + "'");
        }
      } else if (c == '-' && !first) {
        in_range = true;
      } else if (const auto named = c == '[' ? posix_class() : std::nullopt) {
        ranges = joined(std::move(ranges), *named);
      } else {
        ranges.push_back({c, c});
      }
    }
    if (in_range) ranges.push_back({'-', '-'});
    if (!negated) ranges = without_slash(ranges);
    std::string text = negated ? "[^/" : "[";
    for (const auto& [from, to] : ranges) {
      text += bytes_of(from);
      if (from != to) text.append("-").append(bytes_of(to));
    }
    parts().push_back(ranges.empty() ? "[^\\s\\S]" : text + "]");
  }

  std::optional<Ranges> posix_class() {
    const std::string_view rest = glob_.substr(at_);
    const std::size_t end = rest.find(":]");
    if (!rest.starts_with(':') || end == std::string_view::npos || end == 0) return {};
    auto ranges = ascii_class(rest.substr(1, end - 1));
    if (ranges) at_ += end + 2;
    return ranges;
  }

  static Ranges without_slash(const Ranges& ranges) {
    Ranges result;
    for (const auto& [first, last] : ranges) {
      if (first > '/' || last < '/') {
        result.push_back({first, last});
        continue;
      }
      if (first < '/') result.push_back({first, '.'});
      if (last > '/') result.push_back({'0', last});
    }
    return result;
  }

  std::string_view glob_;
  std::size_t at_ = 0;
  std::vector<Parts> branches_ = std::vector<Parts>(1);
  std::vector<std::size_t> opens_{};
};

}  // namespace

std::string rust_regex_of_glob(std::string_view glob) {
  return GlobReader(glob).read();
}

}  // namespace ffind::foreign
