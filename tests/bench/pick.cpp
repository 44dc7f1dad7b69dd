// SPDX-License-Identifier: MIT
// pick: how long the list of --pick takes to follow a query, without a terminal: from set_query to
// the first rows and to the whole list, over a million entries. Promised: 50 ms at the 95th
// percentile for names, paths, extensions, types and kinds. Texts put the best match first. Built
// with FFIND_BENCH; makes no call for any entry. Prints a Markdown table, in milliseconds, and the
// bytes an entry takes.
//
//     pick [ENTRIES [ROUNDS [THREADS [LABEL]]]]     LABEL: only the rows with it, for a profiler
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "os/machine.h"
#include "pick/list.h"
#include "pick/store.h"
#include "query/kinds.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"

namespace {

using namespace ffind;
using Clock = std::chrono::steady_clock;

/// Enough for a screen.
constexpr std::size_t first_rows = 50;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// What all threads have had of the processors, in milliseconds: other programs do not count.
double processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

/// Entries as a walk of a tree of sources and pictures offers them.
class Tree {
 public:
  Tree(pick::PickSink& sink, std::size_t entries) : lane_(sink.open_lane()), left_(entries) {
    root_.printed = "home/someone/";
    root_.open_path = "home/someone";
    root_.absolute = root_.canonical = "/home/someone";
    loader_.root = &root_;
    entry_.loader = &loader_;
    while (left_ > 0) fill("", 0);
    lane_->flush();
  }

 private:
  struct Loader final : EntryLoader {
    void load(Entry& entry, Needs wanted) override {
      entry.found_from = root;
      entry.present |= wanted & (needs::origin | needs::directory | needs::type);
    }
    const Root* root = nullptr;
  };

  std::string word() {
    constexpr std::string_view words[] = {"src",   "lib",    "test",  "index",   "main",  "Report",
                                          "photo", "module", "draft", "invoice", "cache", "Übung",
                                          "node",  "config", "util",  "render",  "image", "letter"};
    std::string text(words[random_() % std::size(words)]);
    if (random_() % 2 == 0) text.append("_").append(words[random_() % std::size(words)]);
    if (random_() % 2 == 0) text += std::to_string(random_() % 2000);
    return text;
  }

  void fill(const std::string& below, std::uint32_t depth) {
    constexpr std::string_view endings[] = {".c",   ".h",  ".js",   ".ts",  ".py", ".json",
                                            ".jpg", ".md", ".html", ".pdf", ".o",  ""};
    const std::size_t count = 5 + random_() % 20;
    std::vector<std::string> directories;
    for (std::size_t i = 0; i < count && left_ > 0; ++i, --left_) {
      const bool is_directory = depth < 8 && random_() % 12 == 0;
      std::string name = word();
      if (!is_directory) name += endings[random_() % std::size(endings)];
      const std::string directory = root_.printed + below;
      entry_.name = name;
      entry_.type = is_directory ? FileType::directory : FileType::file;
      entry_.directory = directory;
      entry_.depth = depth + 1;
      entry_.present = needs::directory | needs::type;
      lane_->emit(entry_);
      if (is_directory) directories.push_back(name);
    }
    for (const std::string& name : directories) fill(below + name + "/", depth + 1);
    lane_->flush_if_due();
  }

  std::mt19937 random_{7};
  std::unique_ptr<Lane> lane_;
  std::size_t left_;
  Root root_{};
  Loader loader_{};
  Entry entry_{};
};

Expression contains(query::Subject subject, const std::string& text) {
  query::PatternSpec spec;
  spec.kind = query::PatternKind::contains;
  spec.text = text;
  return Expression::of(query::pattern_test(subject, spec));
}

struct Question {
  std::string_view label;
  std::vector<Expression> typed;  ///< each narrows the one before
  /// The words of each, to rank the matches by; none for fields.
  std::vector<std::vector<std::string>> words{};
  bool words_decide = false;  ///< as those of a prompt in ASCII do
};

std::shared_ptr<const pick::Ranking> ranking_by(const std::vector<std::string>& words, bool apart,
                                                bool decides) {
  const text::KeyRules rules(text::KeyCase::folded);
  std::vector<pick::RankTerm> terms;
  for (const std::string& word : words) {
    terms.push_back({{word, rules, std::make_shared<pick::LettersApart>(word, rules)}});
  }
  return std::make_shared<const pick::Ranking>(pick::Ranking{std::move(terms), apart, decides});
}

std::shared_ptr<const Matcher> matcher_of(Expression expression) {
  Query query;
  query.where = std::move(expression);
  return std::make_shared<const Matcher>(query);
}

/// A word that no entry has as typed takes its letters apart.
pick::Criteria apart_of(const std::string& word) {
  const auto letters =
      std::make_shared<pick::LettersApart>(word, text::KeyRules(text::KeyCase::folded));
  return {matcher_of(Expression::of(pick::letters_apart_test(letters))),
          ranking_by({word}, true, false)};
}

std::vector<Question> questions() {
  using query::Subject;
  std::vector<Question> all;
  const auto add = [&](std::string_view label, Subject subject,
                       const std::vector<std::string>& texts) {
    Question question{label, {}};
    question.words_decide = subject == Subject::path && text::is_ascii(texts.front());
    for (const std::string& text : texts) {
      question.typed.push_back(contains(subject, text));
      question.words.push_back({text});
    }
    all.push_back(std::move(question));
  };
  add("name contains, 1 letter", Subject::name, {"r"});
  add("name contains, 6 letters", Subject::name, {"report"});
  add("path contains, 1 letter", Subject::path, {"r"});
  add("path contains, 6 letters", Subject::path, {"report"});
  add("path contains, nothing does", Subject::path, {"qqqqqq"});
  add("letters apart, 4 of them", Subject::path, {"rprt"});
  add("letters apart, one after the other", Subject::path, {"rprt", "rprtj", "rprtjs"});
  all.push_back(
      {"path contains, two words",
       {Expression::all({contains(Subject::path, "report"), contains(Subject::path, "photo")})},
       {{"report", "photo"}},
       true});
  add("path, not ASCII", Subject::path, {"übung"});
  add("path, letter by letter: r re rep", Subject::path,
      {"r", "re", "rep", "repo", "repor", "report"});
  all.push_back({"ext", {Expression::of(query::extension_test({"pdf"}, false))}});
  all.push_back({"type", {Expression::of(query::type_test({FileType::directory}))}});
  all.push_back(
      {"kind", {Expression::of(query::kind_test(query::bit_of(*query::find_kind("image"))))}});
  return all;
}

double percentile(std::vector<double> times, double part) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
}

struct Times {
  std::vector<double> first;
  std::vector<double> whole;
  std::size_t matches = 0;
};

/// Waits for the list as the screen does, but without a pause.
void wait_for(pick::Narrower& narrower, std::uint64_t generation, Times& times) {
  const auto begin = Clock::now();
  bool seen = false;
  while (true) {
    const auto list = narrower.list();
    const bool now = list->state().generation == generation;
    if (now && !seen && (list->size() >= first_rows || list->state().complete)) {
      times.first.push_back(since(begin));
      seen = true;
    }
    if (now && list->state().complete) {
      times.whole.push_back(since(begin));
      times.matches = list->size();
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void ask(pick::Narrower& narrower, const Question& question, unsigned rounds) {
  Times times;
  const std::size_t judged = narrower.work().judged;
  const double before = processor_time();
  for (unsigned round = 0; round < rounds; ++round) {
    bool grew = false;
    for (std::size_t step = 0; step < question.typed.size(); ++step) {
      pick::Narrowing query{{matcher_of(question.typed[step]), {}}, grew};
      if (!question.words.empty()) {
        query.typed.ranking = ranking_by(question.words[step], false, question.words_decide);
        if (question.words[step].size() == 1) query.apart = apart_of(question.words[step].front());
      }
      wait_for(narrower, narrower.set_query(std::move(query)), times);
      grew = true;
    }
  }
  const double each =
      (processor_time() - before) * 1e6 / static_cast<double>(narrower.work().judged - judged);
  std::printf("| %.*s | %zu | %.1f | %.1f | %.1f | %.1f | %.0f |\n",
              static_cast<int>(question.label.size()), question.label.data(), times.matches,
              percentile(times.first, 0.5), percentile(times.first, 0.95),
              percentile(times.whole, 0.5), percentile(times.whole, 0.95), each);
  std::fflush(stdout);
}

void put_in_order(pick::Narrower& narrower, pick::PickOrder order, const char* label) {
  const auto begin = Clock::now();
  const double before = processor_time();
  narrower.set_order({order});
  while (!narrower.list()->state().complete || narrower.list()->state().sort.order != order) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  std::printf("%s: %.0f ms, %.0f of a processor; peak %.1f MiB\n", label, since(begin),
              processor_time() - before, static_cast<double>(os::peak_memory()) / 1048576);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t entries = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  const unsigned rounds = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 20;
  const unsigned threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : os::processors();
  const std::uint64_t before = os::peak_memory();
  const auto store = std::make_shared<pick::EntryStore>();
  pick::PickSink sink(store);
  auto begin = Clock::now();
  const Tree tree(sink, entries);
  const double gathered = since(begin);
  std::size_t names = 0;
  for (pick::EntryId id = 0; id < store->size(); ++id) names += store->name(id).size();
  const auto bytes = static_cast<double>(os::peak_memory() - before);
  const auto count = static_cast<double>(store->size());
  std::printf(
      "%zu entries in %zu directories: %.0f ms (with making them), %.1f bytes each, of them "
      "%.1f the name; peak %.1f MiB\n\n",
      store->size(), store->directories(), gathered, bytes / count,
      static_cast<double>(names) / count, static_cast<double>(os::peak_memory()) / 1048576);

  pick::Narrower narrower(store, {.threads = threads});
  narrower.search_is_over();
  std::printf(
      "| query, %u threads | matches | first rows, median | 95 %% | whole list, median | "
      "95 %% | processor, ns an entry |\n|---|---|---|---|---|---|---|\n",
      threads);
  std::vector<Question> all = questions();
  if (argc > 4) {
    std::erase_if(all, [&](const Question& one) {
      return one.label.find(argv[4]) == std::string_view::npos;
    });
  }
  for (const Question& question : all) ask(narrower, question, rounds);
  if (argc > 4) return 0;
  std::puts("");
  Times times;
  wait_for(narrower, narrower.set_query({}), times);
  put_in_order(narrower, pick::PickOrder::name, "all of them by name");
  put_in_order(narrower, pick::PickOrder::path, "all of them by path");
  // Their values are there: reading them takes longer than all else.
  Metadata metadata{};
  metadata.links = 1;
  for (pick::EntryId id = 0; id < store->size(); ++id) {
    metadata.allocated = std::uint64_t{id} * 4096 % 1'000'003;
    store->remember(id, pick::SpaceSums::needs, needs::none, metadata);
  }
  put_in_order(narrower, pick::PickOrder::space, "all of them by space");
  std::puts("\nin the order of their paths:\n");
  for (const Question& question : all) ask(narrower, question, rounds);
  return 0;
}
