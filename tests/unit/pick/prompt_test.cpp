// SPDX-License-Identifier: MIT
#include "pick/prompt.h"

#include "catch.h"

namespace ffind::pick::prompt_test {
namespace {

Prompt prompt_with(std::string text) {
  Prompt prompt;
  prompt.set(std::move(text));
  return prompt;
}

TEST_CASE("what is typed goes in at the cursor") {
  Prompt prompt = prompt_with("ac");
  prompt.move_left();
  prompt.insert("b");
  CHECK(prompt.text() == "abc");
  CHECK(prompt.cursor() == 2);
}

TEST_CASE("a letter and its marks are erased together") {
  Prompt prompt = prompt_with("xe\u0301\u0323");
  prompt.erase_before();
  CHECK(prompt.text() == "x");
  prompt.insert("o\u0308y");
  prompt.move_left();
  prompt.move_left();
  CHECK(prompt.cursor() == 1);
  prompt.erase_after();
  CHECK(prompt.text() == "xy");
}

TEST_CASE("at its ends the prompt stays as it is") {
  Prompt prompt;
  prompt.erase_before();
  prompt.erase_after();
  prompt.move_left();
  prompt.move_right();
  prompt.erase_word();
  CHECK(prompt.text().empty());
  CHECK(prompt.cursor() == 0);
}

TEST_CASE("a word is erased with the blanks behind it") {
  Prompt prompt = prompt_with("ext:pdf invoice  ");
  prompt.erase_word();
  CHECK(prompt.text() == "ext:pdf ");
  prompt.erase_word();
  CHECK(prompt.text().empty());
}

TEST_CASE("words of letters and digits are moved over and erased, in any script") {
  Prompt prompt = prompt_with("ext:c  größe/\u0646\u0635\u0667 e\u0301x, ");
  const auto erased = [&] {
    prompt.erase_word_before();
    return prompt.text();
  };
  CHECK(erased() == "ext:c  größe/\u0646\u0635\u0667 ");
  CHECK(erased() == "ext:c  größe/");
  CHECK(erased() == "ext:c  ");
  CHECK(erased() == "ext:");
  CHECK(erased().empty());
  CHECK(erased().empty());
  prompt.set("ab/cd.e");
  prompt.move_to_begin();
  prompt.move_word_right();
  CHECK(prompt.cursor() == 2);
  prompt.erase_word_after();
  CHECK(prompt.text() == "ab.e");
  prompt.move_word_left();
  CHECK(prompt.cursor() == 0);
}

TEST_CASE("what is before the cursor is erased, what is behind it stays") {
  Prompt prompt = prompt_with("abc");
  prompt.move_left();
  prompt.erase_to_begin();
  CHECK(prompt.text() == "c");
  CHECK(prompt.cursor() == 0);
}

}  // namespace
}  // namespace ffind::pick::prompt_test
