// SPDX-License-Identifier: MIT
// Translation of Rust's regular expressions for RE2.
//
//     (?<n>\bé|[\w--k]{2})   ──parse_rust──▶  open  boundary  set é  |  set  repeat {2}  close
//                                                    │ Writer, once for each kind of name
//                                                    ▼
//     names in ASCII         (?:\bé|[...]{2})         RE2's \b and dot are Rust's there
//     other names            (?:[marks]...)           raw bytes; see RawRegex for the marks
//     with (?-u) bytes       (?:\b\xc3\xa9|...)       in Latin-1: each byte a character
//
// Groups capture nothing, and whether a repetition takes few or many makes no difference to a
// match, so neither is kept.
#include "foreign/rust_regex.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "foreign/rust_syntax.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::foreign {
namespace {

using Kind = RustToken::Kind;
using Assertion = RustToken::Assertion;

/// Rust's char::is_uppercase: Lu, and letters in circles and numerals, but no titlecase.
bool is_upper(char32_t c) {
  constexpr CodePointRange others[] = {{0x2160, 0x216F},
                                       {0x24B6, 0x24CF},
                                       {0x1F130, 0x1F149},
                                       {0x1F150, 0x1F169},
                                       {0x1F170, 0x1F189}};
  constexpr CodePointRange titles[] = {
      {0x1C5, 0x1C5},   {0x1C8, 0x1C8},   {0x1CB, 0x1CB},   {0x1F2, 0x1F2},   {0x1F88, 0x1F8F},
      {0x1F98, 0x1F9F}, {0x1FA8, 0x1FAF}, {0x1FBC, 0x1FBC}, {0x1FCC, 0x1FCC}, {0x1FFC, 0x1FFC}};
  const auto holds = [c](const CodePointRange& one) { return one.first <= c && c <= one.last; };
  if (std::any_of(std::begin(titles), std::end(titles), holds)) return false;
  return text::is_upper_case(c) || std::any_of(std::begin(others), std::end(others), holds);
}

bool has_upper_end(const RustToken& token) {
  const RustSet& set = token.set;
  if (set.ranges.empty() && (set.members == digit_members || set.members == space_members)) {
    return false;
  }
  if (set.ranges.empty() && set.members == word_members) return !set.negated;
  Ranges ranges;
  if (!set.members.empty() || (token.flags.folds && token.flags.unicode)) {
    ranges = ranges_of(set, token.flags.folds);
  } else {
    const char32_t last = token.flags.unicode ? last_code_point : 0xFF;
    ranges = complement(set.ranges, last);
    if (!set.negated) ranges = complement(ranges, last);
  }
  return std::any_of(ranges.begin(), ranges.end(), [](const CodePointRange& one) {
    return is_upper(one.first) || is_upper(one.last);
  });
}

/// Bytes that are UTF-8 together are characters, else each is one of Latin-1.
bool has_upper_letter(std::string_view bytes) {
  const bool is_text = text::is_utf8(bytes);
  for (std::size_t at = 0; at < bytes.size();) {
    const char32_t c =
        is_text ? text::next_code_point(bytes, at) : static_cast<unsigned char>(bytes[at++]);
    if (is_upper(c)) return true;
  }
  return false;
}

/// Writes tokens in the syntax of RE2, in the form for one kind of subject.
class Writer {
 public:
  enum class Subject : std::uint8_t { ascii, text, marked, bytes };

  Writer(Subject subject, bool folds) : subject_(subject), folds_(folds) {}

  std::string write(const std::vector<RustToken>& tokens) {
    for (const RustToken& token : tokens) write(token);
    return std::move(out_);
  }

 private:
  void write(const RustToken& token) {
    switch (token.kind) {
      case Kind::set:
        return add_atom(text_of(token), subject_ != Subject::ascii);
      case Kind::assertion:
        return add_atom(text_of(token.assertion, token.flags.unicode), true);
      case Kind::open:
        opens_.push_back(out_.size());
        out_ += "(?:";
        return;
      case Kind::close:
        last_ = opens_.back();
        opens_.pop_back();
        out_ += ')';
        is_bare_ = false;
        return;
      case Kind::alternation:
        out_ += '|';
        return;
      case Kind::repeat:
        if (is_bare_) {
          out_.insert(last_, "(?:");
          out_ += ')';
        }
        out_ += token.repeat;
        is_bare_ = true;
        return;
      case Kind::flags:
        return;
    }
  }

  /// `is_bare`: a repetition needs a group around it.
  void add_atom(const std::string& text, bool is_bare) {
    last_ = out_.size();
    out_ += text;
    is_bare_ = is_bare;
  }

  std::string text_of(const RustToken& token) const {
    const bool folds = token.flags.folds;
    if (subject_ == Subject::bytes) return in_bytes(token);
    if (!token.flags.unicode && folds) return "(?-i:" + in_brackets(folded_in_ascii(token)) + ")";
    std::string text = in_text(token);
    if (folds != folds_) text = (folds ? "(?i:" : "(?-i:") + text + ")";
    return subject_ == Subject::marked ? std::string(any_marks) + text : text;
  }

  std::string in_text(const RustToken& token) const {
    const RustSet& set = token.set;
    if (token.is_literal()) {
      const char32_t c = token.literal();
      if (c < 0x80 || !token.flags.unicode) return escaped_for_re2(c);
      std::string letter;
      text::append_utf8(letter, c);
      return letter;
    }
    const bool is_dot = set.negated && set.ranges.empty() && set.members.empty();
    if (is_dot && subject_ == Subject::ascii) return ".";
    if (subject_ != Subject::marked) return in_brackets(set);
    if (set.negated) return in_brackets(set, R"(\x{fdd0}-\x{fdd8})");
    const Ranges marks = {{query::first_mark, query::first_mark + 8}};
    if (common(set.ranges, marks).empty()) return in_brackets(set);
    return in_brackets(
        {.ranges = common(ranges_of(set, false), complement(marks, last_code_point))});
  }

  static RustSet folded_in_ascii(const RustToken& token) {
    RustSet set = token.set;
    const Ranges letters[] = {{{'A', 'Z'}}, {{'a', 'z'}}};
    for (const bool upper : {false, true}) {
      for (CodePointRange one : common(token.set.ranges, letters[upper ? 0 : 1])) {
        const char32_t step = upper ? 'a' - 'A' : U'A' - U'a';
        set.ranges.push_back({one.first + step, one.last + step});
      }
    }
    return set;
  }

  /// For RE2 in Latin-1. Of Unicode, characters and the dot can be bytes.
  static std::string in_bytes(const RustToken& token) {
    const RustSet& set = token.set;
    if (!token.flags.unicode) {
      RustSet bytes = token.flags.folds ? folded_in_ascii(token) : set;
      if (bytes.negated) bytes = {.ranges = complement(bytes.ranges, 0xFF)};
      return bytes.ranges.empty() ? std::string(no_byte) : in_brackets(bytes);
    }
    if (set.negated && set.ranges.empty() && set.members.empty()) {
      return R"((?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|)"
             R"([\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|)"
             R"(\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|)"
             R"(\xf4[\x80-\x8f][\x80-\xbf]{2}))";
    }
    constexpr std::size_t most = 200;
    std::string text;
    std::size_t count = 0;
    for (const auto& [first, last] : ranges_of(set, token.flags.folds)) {
      for (char32_t c = first; c <= last; ++c) {
        if (++count > most) throw UsageError("a class of characters beside (?-u) for bytes");
        std::string bytes;
        text::append_utf8(bytes, c);
        text += text.empty() ? "(?:" : "|";
        for (const char byte : bytes) text += escaped_for_re2(static_cast<unsigned char>(byte));
      }
    }
    return text.empty() ? std::string(no_byte) : text + ")";
  }

  std::string text_of(Assertion assertion, bool unicode) const {
    const std::string_view before = subject_ == Subject::marked ? any_marks : "";
    switch (assertion) {
      case Assertion::begin:
        return "^";
      case Assertion::end:
        return std::string(before) + "$";
      case Assertion::line_begin:
        return "(?m:^)";
      case Assertion::line_end:
        return std::string(before) + "(?m:$)";
      default:
        break;
    }
    const auto index =
        static_cast<std::size_t>(assertion) - static_cast<std::size_t>(Assertion::boundary);
    if (unicode && subject_ == Subject::marked) {
      // By query::RawRegex: the first mark, three times what is before, and what is after; of both,
      // 0 is no word, 1 a word, 2 no character.
      constexpr std::string_view marks[] = {R"([\x{fdd1}\x{fdd3}\x{fdd5}\x{fdd7}])",
                                            R"([\x{fdd0}\x{fdd4}])",
                                            R"([\x{fdd1}\x{fdd7}])",
                                            R"([\x{fdd3}\x{fdd5}])",
                                            R"([\x{fdd0}-\x{fdd2}])",
                                            R"([\x{fdd0}\x{fdd3}\x{fdd6}])"};
      return std::string(marks[index]);
    }
    if (index > 1) throw UsageError("an end of a word after (?-u)");
    return index == 0 ? R"(\b)" : R"(\B)";
  }

  static constexpr std::string_view no_byte = R"([^\x00-\xff])";
  static constexpr std::string_view any_marks = R"([\x{fdd0}-\x{fdd8}]*)";

  Subject subject_;
  bool folds_;
  std::string out_{};
  std::vector<std::size_t> opens_{};
  std::size_t last_ = 0;  ///< where the last atom or group begins
  bool is_bare_ = false;
};

}  // namespace

RustRegex::RustRegex(std::string_view regex, bool folds) : regex_(regex), folds_(folds) {
  try {
    tokens_ = parse_rust(regex_, folds);
  } catch (const RustError& error) {
    const auto letters = [&](std::size_t begin, std::size_t end) {
      const std::string_view part = regex_;
      return std::count_if(part.begin() + static_cast<std::ptrdiff_t>(begin),
                           part.begin() + static_cast<std::ptrdiff_t>(end),
                           [](char c) { return !text::is_continuation(c); });
    };
    const auto width = std::max<std::ptrdiff_t>(1, letters(error.begin, error.end));
    error_ = text::format("regex parse error:\n    {}\n    {}{}\nerror: {}", regex_,
                          std::string(static_cast<std::size_t>(letters(0, error.begin)), ' '),
                          std::string(static_cast<std::size_t>(width), '^'), error.what);
  }
}

RustRegex::~RustRegex() = default;
RustRegex::RustRegex(RustRegex&&) noexcept = default;

bool RustRegex::has_upper_case() const {
  std::string run;  // of literals
  for (const RustToken& token : tokens_) {
    if (token.is_literal() && !token.flags.folds) {
      if (token.flags.unicode) {
        text::append_utf8(run, token.literal());
      } else {
        run += static_cast<char>(token.literal());
      }
      continue;
    }
    if (token.kind == Kind::open || token.kind == Kind::close) continue;
    if (has_upper_letter(run)) return true;
    run.clear();
    if (token.kind == Kind::set && has_upper_end(token)) return true;
  }
  return has_upper_letter(run);
}

bool RustRegex::begins_with_dot() const {
  std::size_t at = 0;
  std::size_t opened = 0;
  const auto next = [&]() -> const RustToken* {
    for (; at < tokens_.size(); ++at) {
      const RustToken& token = tokens_[at];
      if (token.kind == Kind::open && !token.captures) {
        ++opened;
      } else if (token.kind != Kind::flags) {
        return &tokens_[at++];
      }
    }
    return nullptr;
  };
  const RustToken* const first = next();
  if (first == nullptr || first->kind != Kind::assertion || first->assertion != Assertion::begin) {
    return false;
  }
  const RustToken* const second = next();
  if (second == nullptr || !second->is_literal() || second->literal() != U'.') return false;
  if (at < tokens_.size() && tokens_[at].kind == Kind::repeat) return false;
  std::size_t depth = 0;
  for (const RustToken& token : tokens_) {
    if (token.kind == Kind::open) ++depth;
    if (token.kind == Kind::close) --depth;
    if (token.kind == Kind::alternation && depth <= opened) return false;
  }
  return true;
}

query::PatternSpec RustRegex::pattern() const {
  bool has_bytes = false;
  bool needs_marks = false;
  query::RawRegex raw;
  enum class Before : std::uint8_t { other, end, boundary } after = Before::other;
  for (const RustToken& token : tokens_) {
    const auto is_byte = [](const CodePointRange& one) { return one.last > 0x7F; };
    const auto& [ranges, members, negated] = token.set;
    const bool is_set = token.kind == Kind::set;
    has_bytes = has_bytes || (is_set && !token.flags.unicode &&
                              (negated || std::any_of(ranges.begin(), ranges.end(), is_byte)));
    const bool is_boundary = token.kind == Kind::assertion && token.flags.unicode &&
                             token.assertion >= Assertion::boundary;
    raw.marks += is_boundary ? 1 : 0;
    needs_marks = needs_marks || (is_boundary && token.assertion > Assertion::no_boundary);
    const bool is_of_lines =
        token.kind == Kind::assertion
            ? token.assertion == Assertion::line_begin || token.assertion == Assertion::line_end
            : is_set && !token.flags.dot_is_any;
    if (is_of_lines && token.flags.crlf) throw UsageError("the flag R");
    // An anchor is on one side of all marks.
    const bool is_begin = token.kind == Kind::assertion && token.assertion != Assertion::end &&
                          token.assertion != Assertion::line_end && !is_boundary;
    const bool is_end = token.kind == Kind::assertion && !is_begin && !is_boundary;
    if ((is_begin && after == Before::boundary) || (is_boundary && after == Before::end)) {
      throw UsageError("an anchor beside a boundary of words");
    }
    if (is_boundary) after = Before::boundary;
    if (is_end && after != Before::boundary) after = Before::end;
    if (is_set) after = Before::other;
  }
  if (has_bytes && raw.marks > 0) throw UsageError("a boundary of words beside (?-u) for bytes");
  using Subject = Writer::Subject;
  const auto write = [&](Subject subject) { return Writer(subject, folds_).write(tokens_); };
  raw.is_of_bytes = has_bytes;
  raw.folds = folds_;
  raw.regex = write(has_bytes ? Subject::bytes : raw.marks > 0 ? Subject::marked : Subject::text);
  if (raw.marks > 0) {
    raw.marks += 2;
    raw.word = "^[" + std::string(word_members) + "]$";
  }
  return {.kind = query::PatternKind::regex,
          .text = needs_marks ? regex_ : write(Subject::ascii),
          .case_rule = folds_ ? query::CaseRule::insensitive : query::CaseRule::sensitive,
          .library = query::matcher_of(raw),
          .is_ours_in_ascii = !needs_marks};
}

}  // namespace ffind::foreign
