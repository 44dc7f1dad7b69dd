// SPDX-License-Identifier: MIT
// Rewrites an expression token by token. See byte_regex.h.
#include "query/patterns/byte_regex.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "query/patterns/regex_tokens.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

/// Of the bytes that are no characters; byte B is this much and B. No plane is farther from being
/// used, so that no text has these, and no class but a negated one or a range across planes.
constexpr char32_t first_byte = 0xDFF00;

using Kind = RegexToken::Kind;

class Rewriter {
 public:
  Rewriter(std::string_view regex, text::KeyCase key_case)
      : folding_(key_case == text::KeyCase::folded), tokens_(tokens_of(regex)) {}

  std::string rewrite() {
    for (std::size_t i = 0; i < tokens_.size();) i = rewrite(i);
    return std::move(text_);
  }

 private:
  /// Writes what begins at token `i`; returns what comes behind it.
  std::size_t rewrite(std::size_t i) {
    const RegexToken& token = tokens_[i];
    switch (token.kind) {
      case Kind::quote:
        break;
      case Kind::letter:
        write_letter(token);
        break;
      case Kind::class_open:
        return rewrite_class(i);
      case Kind::set:
        write_set(token);
        break;
      case Kind::group_open:
        outer_.push_back(folding_);
        write_flags(token);
        break;
      case Kind::flags:
        write_flags(token);
        break;
      case Kind::group_close:
        if (!outer_.empty()) {
          folding_ = outer_.back();
          outer_.pop_back();
        }
        text_ += ')';
        break;
      default:
        text_ += token.written;
    }
    return i + 1;
  }

  void write_letter(const RegexToken& token) {
    const char32_t letter = token.letter;
    const bool is_byte = token.may_be_byte();
    const auto other = other_case(letter);
    if (is_byte || (folding_ && other)) {
      text_ += '[';
      text::append_utf8(text_, letter);
      text::append_utf8(text_, is_byte ? first_byte + letter : *other);
      text_ += ']';
    } else if (token.quoted && letter < 0x80) {
      char number[8];
      std::snprintf(number, sizeof number, "\\x%02X", static_cast<unsigned>(letter));
      text_ += number;
    } else {
      text_ += token.written;
    }
  }

  static std::optional<char32_t> other_case(char32_t letter) {
    if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) return letter ^ 0x20U;
    return {};
  }

  void write_set(const RegexToken& token) {
    if (token.written == "\\C") {
      text_ += "(?s:.)";
    } else if (folding_ && asks_for_case(token)) {
      text_.append("(?i:").append(token.written).append(")");
    } else {
      text_ += token.written;
    }
  }

  static bool asks_for_case(const RegexToken& token) {
    if (token.kind != Kind::set) return false;
    constexpr std::string_view names[] = {"Lu", "Ll", "Lt", "upper", "lower"};
    return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
      return token.written.find(name) != std::string_view::npos;
    });
  }

  /// Without the `i`, which it implements itself.
  void write_flags(const RegexToken& token) {
    const std::string_view all = token.written;
    const bool has_flags = all.size() > 2 && all[1] == '?' && all[2] != 'P' && all[2] != '<';
    if (!has_flags) {
      text_ += all;
      return;
    }
    std::string set;
    std::string cleared;
    bool clears = false;
    for (const char flag : all.substr(2, all.size() - 3)) {
      if (flag == '-') {
        clears = true;
      } else if (flag == 'i') {
        folding_ = !clears;
      } else {
        (clears ? cleared : set) += flag;
      }
    }
    if (!cleared.empty()) set += '-' + cleared;
    if (token.kind == Kind::flags && set.empty()) return;
    text_.append("(?").append(set).append(1, all.back());
  }

  std::size_t rewrite_class(std::size_t open) {
    std::size_t close = open + 1;
    bool by_case = false;
    for (; close < tokens_.size() && tokens_[close].kind != Kind::class_close; ++close) {
      by_case = by_case || asks_for_case(tokens_[close]);
    }
    by_case = by_case && folding_;
    if (by_case) text_ += "(?i:";
    text_ += tokens_[open].written;
    for (std::size_t i = open + 1; i < close; ++i) {
      const RegexToken& first = tokens_[i];
      if (first.kind != Kind::letter) {
        text_ += first.written;
        continue;
      }
      const bool is_range =
          i + 2 < close && tokens_[i + 1].written == "-" && tokens_[i + 2].kind == Kind::letter;
      if (is_range) i += 2;
      write_range(first, tokens_[i]);
    }
    text_ += by_case ? "])" : "]";
    return std::min(close + 1, tokens_.size());
  }

  /// As members of a class.
  void write_range(const RegexToken& first, const RegexToken& last) {
    const bool is_single = first.position == last.position;
    text_ += first.written == "-" ? "\\-" : first.written;
    if (!is_single) text_.append("-").append(last.written == "-" ? "\\-" : last.written);
    if (first.may_be_byte() || last.may_be_byte()) {
      write_span(std::max<char32_t>(first.letter, 0x80), std::min<char32_t>(last.letter, 0xFF),
                 [](char32_t byte) { return first_byte + byte; });
    }
    if (!folding_) return;
    const auto in_other_case = [](char32_t letter) { return letter ^ 0x20U; };
    for (const char32_t a : {U'a', U'A'}) {
      write_span(std::max(first.letter, a), std::min<char32_t>(last.letter, a + 25), in_other_case);
    }
  }

  template <typename Map>
  void write_span(char32_t first, char32_t last, Map map) {
    if (first > last) return;
    text::append_utf8(text_, map(first));
    text_ += '-';
    text::append_utf8(text_, map(last));
  }

  bool folding_;
  std::vector<bool> outer_;  ///< of the groups that are open, whether what is around them folds
  std::vector<RegexToken> tokens_;
  std::string text_;
};

}  // namespace

std::string as_characters(std::string_view bytes) {
  std::string characters;
  characters.reserve(bytes.size() + 16);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t begin = at;
    while (at < bytes.size() && static_cast<signed char>(bytes[at]) >= 0) ++at;
    if (at > begin) {
      characters += bytes.substr(begin, at - begin);
    } else if (text::checked_code_point(bytes, at) == text::no_code_point) {
      text::append_utf8(characters, first_byte + static_cast<unsigned char>(bytes[at++]));
    } else {
      characters += bytes.substr(begin, at - begin);
    }
  }
  return characters;
}

std::string as_bytes(std::string_view characters) {
  std::string bytes;
  for (std::size_t at = 0; at < characters.size();) {
    const std::size_t begin = at;
    const char32_t letter = text::next_code_point(characters, at);
    if (letter >= first_byte + 0x80 && letter <= first_byte + 0xFF) {
      bytes += static_cast<char>(letter - first_byte);
    } else {
      bytes += characters.substr(begin, at - begin);
    }
  }
  return bytes;
}

std::string byte_regex(std::string_view regex, text::KeyCase key_case) {
  if (text::is_utf8(regex)) return Rewriter(regex, key_case).rewrite();
  return Rewriter(as_characters(regex), key_case).rewrite();
}

}  // namespace ffind::query
