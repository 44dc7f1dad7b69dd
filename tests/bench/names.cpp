// SPDX-License-Identifier: MIT
// names: what it costs to match 1,000,000 names in other scripts than ASCII, as a multiple of what
// as many names in ASCII cost. Promised: at most 5. Built with FFIND_BENCH; links the patterns, not
// the program. Prints a Markdown table of medians of rounds in turn; no file is looked at.
//
//     names [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "query/patterns/pattern.h"

namespace {

using namespace ffind;

constexpr std::size_t name_count = 1'000'000;

struct Script {
  std::string_view label;
  std::vector<std::string_view> words;  ///< the first is what is looked for
};

// About as many letters in each word; decomposed ones are spelt out.
const std::vector<Script> scripts = {
    {"ASCII", {"report", "summer", "beach", "House", "garden", "Letter", "invoice", "music"}},
    {"Latin, accents composed",
     {"größe", "été", "plage", "Gebäude", "jardín", "français", "façade", "Übung"}},
    {"Latin, accents decomposed",
     {"gro\u0308\u00DFe", "e\u0301te\u0301", "plage", "Geba\u0308ude", "jardi\u0301n",
      "franc\u0327ais", "fac\u0327ade", "U\u0308bung"}},
    {"Vietnamese, composed",
     {"báo cáo", "mùa hè", "bãi biển", "Ngôi nhà", "vườn", "thư", "hóa đơn", "âm nhạc"}},
    {"Cyrillic", {"отчёт", "лето", "пляж", "Дом", "сад", "Письмо", "счёт", "музыка"}},
    {"Greek",
     {"έκθεση", "καλοκαίρι", "παραλία", "Σπίτι", "κήπος", "Γράμμα", "τιμολόγιο", "μουσική"}},
    {"Han", {"报告书", "夏天", "海滩", "房子", "花园", "信件", "发票", "音乐"}},
    {"Kana",
     {"レポート", "なつやすみ", "うみべ", "いえ", "にわ", "てがみ", "せいきゅう", "おんがく"}},
    {"Hangul", {"보고서", "여름", "해변", "집", "정원", "편지", "송장", "음악"}},
    {"Hangul, decomposed",
     {"\u1107\u1169\u1100\u1169\u1109\u1165", "\u110B\u1167\u1105\u1173\u11B7",
      "\u1112\u1162\u1107\u1167\u11AB", "\u110C\u1175\u11B8",
      "\u110C\u1165\u11BC\u110B\u116F\u11AB", "\u1111\u1167\u11AB\u110C\u1175",
      "\u1109\u1169\u11BC\u110C\u1161\u11BC", "\u110B\u1173\u11B7\u110B\u1161\u11A8"}},
    {"Hebrew, Arabic", {"דוחות", "קיץ", "חוף", "بيت", "حديقة", "رسالة", "חשבונית", "موسيقى"}},
    {"Devanagari, Thai", {"रिपोर्ट", "गर्मी", "समुद्र", "घर", "บ้านสวน", "จดหมาย", "बीजक", "ดนตรี"}},
    {"emoji mixed in",
     {"repört", "summer☀️", "beach🏖️", "House", "garden🌻", "Letter", "invoice", "music🎵"}},
};

struct Question {
  std::string_view label;
  query::PatternKind kind;
  query::CaseRule rule;
  std::string_view before;
  std::string_view after;
};

// With the word of the script between before and after.
const std::vector<Question> questions = {
    {"literal -i", query::PatternKind::contains, query::CaseRule::insensitive, "", ""},
    {"literal -s", query::PatternKind::contains, query::CaseRule::sensitive, "", ""},
    {"glob", query::PatternKind::glob, query::CaseRule::insensitive, "*", "_???*.pdf"},
    {"regex", query::PatternKind::regex, query::CaseRule::insensitive, "^.*",
     "[-_]\\d+\\.(pdf|jpe?g)$"},
};

/// One after the other in one piece of memory, as a directory's buffer has them.
struct Names {
  std::string bytes;
  std::vector<std::string_view> views;
};

Names names_of(const Script& script) {
  std::minstd_rand random(11);
  const auto word = [&] { return script.words[random() % script.words.size()]; };
  constexpr std::string_view extensions[] = {".pdf", ".jpg", ".docx", ".txt"};
  Names names;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < name_count; ++i) {
    names.bytes += word();
    names.bytes += i % 3 == 0 ? '_' : '-';
    names.bytes += word();
    names.bytes += '_' + std::to_string(random() % 10000);
    names.bytes += extensions[random() % 4];
    ends.push_back(names.bytes.size());
  }
  std::size_t start = 0;
  for (const std::size_t end : ends) {
    names.views.push_back(std::string_view(names.bytes).substr(start, end - start));
    start = end;
  }
  return names;
}

double seconds_to_match(const query::Pattern& pattern, const Names& names) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t found = 0;
  for (const std::string_view name : names.views) {
    if (pattern.matches(name)) ++found;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (found == 0) std::fputs("names: nothing matched\n", stderr);
  return taken.count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
  return values[values.size() / 2];
}

std::unique_ptr<const query::Pattern> ask(const Question& question, std::string_view word) {
  query::PatternSpec spec;
  spec.kind = question.kind;
  spec.case_rule = question.rule;
  spec.text = std::string(question.before) + std::string(word) + std::string(question.after);
  return query::compile_pattern(spec);
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 5;
  const Names ascii = names_of(scripts.front());
  std::printf("| names |");
  for (const Question& question : questions) std::printf(" %s |", question.label.data());
  std::printf(" ASCII in them |\n|---|---|---|---|---|---|\n| ASCII, ns a name |");
  for (const Script& script : scripts) {
    const bool first = &script == &scripts.front();
    const Names names = first ? Names{} : names_of(script);
    if (!first) std::printf("| %s |", script.label.data());
    for (std::size_t i = 0; i <= questions.size(); ++i) {
      // The last column: a word in ASCII, as most people type, looked for in these names.
      const bool in_ascii = i == questions.size();
      const Question& question = questions[in_ascii ? 0 : i];
      const auto here = ask(question, in_ascii ? "pdf" : script.words.front());
      const auto there = ask(question, in_ascii ? "pdf" : scripts.front().words.front());
      std::vector<double> ratios;
      std::vector<double> times;
      for (int round = 0; round < rounds; ++round) {
        times.push_back(seconds_to_match(*there, ascii));
        if (!first) ratios.push_back(seconds_to_match(*here, names) / times.back());
      }
      if (first) {
        std::printf(" %.1f |", median(times) * 1e9 / static_cast<double>(name_count));
      } else {
        std::printf(" %.2f |", median(ratios));
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}
