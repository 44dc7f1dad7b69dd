// SPDX-License-Identifier: MIT
// How many matches a command line takes.
#include "output/commands/action.h"

#include "catch.h"
#include "os/processes.h"

namespace batch_test {

using namespace ffind;
using namespace ffind::output;

namespace {

constexpr std::size_t pointer = sizeof(char*);
using Words = std::vector<std::string>;

/// What `words` take as the kernel counts.
std::size_t cost(const Words& words) {
  std::size_t bytes = pointer;
  for (const std::string& word : words) bytes += word.size() + 1 + pointer;
  return bytes;
}

std::vector<CommandTemplate> commands(const std::vector<Words>& all) {
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("a batch is full when the next path would go beyond the limit, and not before") {
  const auto all = commands({{"echo", "-n"}});
  Batch batch(all, {cost({"echo", "-n", "aaaa", "bbbb"}), 1000});
  CHECK(batch.add("aaaa") == Batch::Answer::added);
  CHECK(batch.add("bbbbb") == Batch::Answer::full);
  CHECK(batch.add("bbbb") == Batch::Answer::added);
  CHECK(batch.add("") == Batch::Answer::full);
  CHECK(batch.paths() == Words{"aaaa", "bbbb"});
  batch.clear();
  CHECK(batch.paths().empty());
  CHECK(batch.add("aaaa") == Batch::Answer::added);
  CHECK(batch.add("bbbb") == Batch::Answer::added);
}

TEST_CASE("a batch holds no more paths than it may, however much room there is") {
  const auto all = commands({{"echo"}});
  Batch batch(all, {100000, 1000}, 2);
  CHECK(batch.add("a") == Batch::Answer::added);
  CHECK(batch.add("b") == Batch::Answer::added);
  CHECK(batch.add("c") == Batch::Answer::full);
  batch.clear();
  CHECK(batch.add("c") == Batch::Answer::added);
}

TEST_CASE("a path that fits into no command is told from one that fits into the next") {
  const auto all = commands({{"echo"}});
  Batch batch(all, {cost({"echo", "aaaa"}), 100});
  CHECK(batch.add("aaaaa") == Batch::Answer::never);
  CHECK(batch.add("aaaa") == Batch::Answer::added);
  CHECK(batch.add("aaaa") == Batch::Answer::full);
  Batch short_arguments(all, {10'000, 5});
  CHECK(short_arguments.add("aaaaa") == Batch::Answer::never);
  CHECK(short_arguments.add("aaaa") == Batch::Answer::added);
}

TEST_CASE("what stands around the path counts, and so does each place") {
  const auto all = commands({{"cmd", "<{}>", "{/}", "end"}});
  Batch batch(all, {cost({"cmd", "<a/b>", "<a/c>", "b", "c", "end"}), 1000});
  CHECK(batch.add("a/b") == Batch::Answer::added);
  CHECK(batch.add("a/c") == Batch::Answer::added);
  CHECK(batch.add("d") == Batch::Answer::full);
}

TEST_CASE("of several commands the one that takes least decides") {
  const auto all = commands({{"x"}, {"x", "{}{}{}"}});
  Batch batch(all, {cost({"x", "aaaaaa", "bbbbbb"}), 1000});
  CHECK(batch.add("aa") == Batch::Answer::added);
  CHECK(batch.add("bb") == Batch::Answer::added);
  CHECK(batch.add("c") == Batch::Answer::full);
  Batch second(all, {1000, 10});
  CHECK(second.add("abc") == Batch::Answer::added);
  CHECK(second.add("abcd") == Batch::Answer::never);
}

TEST_CASE("each argument with a place is repeated for each path, in their order") {
  const CommandTemplate command({"cp", "{}", "-t", "{.}", "dir"});
  const Words paths{"b.x", "a.y"};
  std::string_view values;
  CHECK(expand(command, paths.data(), 2, values) ==
        Words{"cp", "b.x", "a.y", "-t", "b", "a", "dir"});
}

TEST_CASE("the system's own limits leave room for many paths") {
  const os::ArgumentLimits limits = os::argument_limits();
  CHECK(limits.one >= 4096);
  CHECK(limits.total > 0);
  CHECK(limits.total < (std::size_t{6} << 20U));
}

}  // namespace batch_test
