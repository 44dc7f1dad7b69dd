// SPDX-License-Identifier: MIT
#include "pick/picker.h"

#include <algorithm>

#include "catch.h"
#include "os/terminal.h"

namespace ffind::pick::picker_test {
namespace {

constexpr os::ScreenSize screen = {12, 80};  // a list of 10 rows

/// A list of names, narrowed at once by the last term.
class FakeSource final : public PickSource {
 public:
  explicit FakeSource(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) names.push_back("file" + std::to_string(i));
    show_all();
  }

  void narrow(const PromptMeaning& meaning, bool grew, const ListPlace& to) override {
    asked.push_back(grew);
    place = to;
    shown.clear();
    for (EntryId id = 0; id < names.size(); ++id) {
      const bool all = std::all_of(
          meaning.terms.begin(), meaning.terms.end(),
          [&](const PromptTerm& term) { return names[id].find(term.text) != std::string::npos; });
      if (all) shown.push_back(id);
    }
  }
  void set_order(PickSort to) override { sort = to; }
  std::size_t size() const override { return shown.size(); }
  EntryId id_at(std::size_t index) const override { return shown.at(index); }
  std::optional<std::size_t> row_of(EntryId id) const override {
    const auto found = std::find(shown.begin(), shown.end(), id);
    if (found == shown.end()) return {};
    return static_cast<std::size_t>(found - shown.begin());
  }
  ShownEntry entry(EntryId id) const override {
    return {"", names.at(id), FileType::file, false, {}};
  }
  DirectoryId directory_of(EntryId id) const override { return id < 3 ? id + 10 : no_directory; }
  bool is_taken_out(EntryId id) const override { return id == 0; }
  PickStatus status() const override { return {.matches = shown.size(), .found = names.size()}; }

  void show_all() {
    shown.clear();
    for (EntryId id = 0; id < names.size(); ++id) shown.push_back(id);
  }

  std::vector<std::string> names;
  std::vector<EntryId> shown;
  std::vector<bool> asked;
  ListPlace place{};
  PickSort sort{};
};

PromptMeaning read(std::string_view prompt) {
  PromptMeaning meaning;
  if (!prompt.empty()) meaning.terms.push_back({std::string(prompt), true});
  return meaning;
}

struct Pick {
  explicit Pick(std::size_t count) : source(count), picker(source, read, {}) {}

  PickRequest press(os::Key key, std::string text = {}) {
    const PickRequest request = picker.press({.key = key, .text = std::move(text)}, screen);
    picker.follow();
    return request;
  }
  PickRequest control(char letter) { return press(os::Key::control, std::string(1, letter)); }
  void type(std::string_view text) {
    for (const char c : text) press(os::Key::text, std::string(1, c));
  }
  std::string current() {
    const auto id = picker.current();
    return id ? source.names[*id] : "";
  }
  std::vector<EntryId> picked() { return picker.picked(); }

  FakeSource source;
  Picker picker;
};

TEST_CASE("the first entry is current, and Enter picks it") {
  Pick pick(3);
  CHECK(pick.current() == "file0");
  CHECK(pick.press(os::Key::enter) == PickRequest::picked);
  CHECK(pick.picked() == std::vector<EntryId>{0});
}

TEST_CASE("what is typed narrows, and the first match is current again") {
  Pick pick(20);
  pick.press(os::Key::down);
  pick.type("17");
  CHECK(pick.current() == "file17");
  CHECK(pick.source.asked == std::vector<bool>{true, true});
  pick.press(os::Key::backspace);
  CHECK(pick.source.asked.back() == false);
  CHECK(pick.current() == "file1");
}

TEST_CASE("nothing is asked again where the terms stay the same") {
  Pick pick(3);
  pick.type("1");
  pick.press(os::Key::left);
  pick.press(os::Key::right);
  CHECK(pick.source.asked.size() == 1);
}

TEST_CASE("arrows, letters, pages and ends move") {
  Pick pick(50);
  pick.press(os::Key::down);
  pick.control('n');
  pick.control('j');
  CHECK(pick.current() == "file3");
  pick.press(os::Key::up);
  pick.control('p');
  pick.control('k');
  pick.control('k');
  CHECK(pick.current() == "file0");
  pick.press(os::Key::page_down);
  CHECK(pick.current() == "file9");
  pick.press(os::Key::end);
  CHECK(pick.current() == "file49");
  pick.press(os::Key::page_up);
  CHECK(pick.current() == "file40");
  pick.press(os::Key::home);
  CHECK(pick.current() == "file0");
}

TEST_CASE("the window follows the current entry") {
  Pick pick(50);
  pick.press(os::Key::end);
  const PickPicture picture = pick.picker.picture(screen);
  REQUIRE(picture.entries.size() == 10);
  CHECK(picture.entries.back().name == "file49");
  CHECK(picture.current == std::size_t{9});
}

TEST_CASE("Tab marks, and what is marked is picked in that order") {
  Pick pick(5);
  pick.press(os::Key::end);
  pick.press(os::Key::back_tab);
  pick.press(os::Key::home);
  pick.press(os::Key::tab);
  CHECK(pick.current() == "file1");
  CHECK(pick.picked() == std::vector<EntryId>{4, 0});
  pick.press(os::Key::home);
  pick.press(os::Key::tab);
  CHECK(pick.picked() == std::vector<EntryId>{4});
}

TEST_CASE("marks stay when the list is narrowed to others") {
  Pick pick(20);
  pick.press(os::Key::tab);
  pick.type("17");
  pick.press(os::Key::tab);
  CHECK(pick.picked() == std::vector<EntryId>{0, 17});
}

TEST_CASE("Ctrl-A marks all that match, and again none") {
  Pick pick(20);
  pick.type("1");
  pick.control('a');
  CHECK(pick.picked().size() == 11);
  pick.control('a');
  CHECK(pick.picker.picture(screen).status.marked == 0);
}

TEST_CASE("Escape clears what was typed and then leaves") {
  Pick pick(3);
  pick.type("1");
  CHECK(pick.press(os::Key::escape) == PickRequest::none);
  CHECK(pick.source.size() == 3);
  CHECK(pick.press(os::Key::escape) == PickRequest::left);
}

TEST_CASE("Ctrl-C leaves at once") {
  Pick pick(3);
  pick.type("1");
  CHECK(pick.control('c') == PickRequest::left);
}

TEST_CASE("Enter without a match says so and stays") {
  Pick pick(3);
  pick.type("x");
  CHECK(pick.press(os::Key::enter) == PickRequest::none);
  CHECK(pick.picker.picture(screen).status.notice == "nothing matches");
  pick.press(os::Key::backspace);
  CHECK(pick.picker.picture(screen).status.notice.empty());
}

TEST_CASE("Ctrl-S goes through the orders, Ctrl-R turns one round") {
  Pick pick(3);
  pick.control('s');
  CHECK(pick.source.sort.order == PickOrder::name);
  pick.control('r');
  CHECK(pick.source.sort.reversed);
  for (std::size_t i = 1; i < pick_orders; ++i) pick.control('s');
  CHECK(pick.source.sort.order == PickOrder::match);
}

TEST_CASE("a question mark is the keys only where nothing was typed") {
  Pick pick(3);
  pick.type("?");
  CHECK(pick.picker.pane() == PickPane::keys);
  CHECK(pick.press(os::Key::escape) == PickRequest::none);
  CHECK(pick.picker.pane() == PickPane::none);
  pick.type("a?");
  CHECK(pick.picker.picture(screen).prompt == "a?");
}

TEST_CASE("the keys cover the list: movement scrolls them, other keys close them") {
  Pick pick(3);
  const os::ScreenSize low = {6, 80};
  const auto press = [&](os::Key key) { return pick.picker.press({.key = key}, low); };
  const auto top = [&] { return pick.picker.picture(low).keys_top; };
  pick.picker.press({.key = os::Key::function, .number = 1}, low);
  CHECK(pick.picker.picture(low).entries.empty());
  press(os::Key::down);
  CHECK(top() == 1);
  press(os::Key::end);
  CHECK(top() == hidden_key_rows(layout_of(low, PickPane::keys)));
  press(os::Key::page_up);
  CHECK(top() == hidden_key_rows(layout_of(low, PickPane::keys)) - 3);
  press(os::Key::home);
  CHECK(top() == 0);
  CHECK(press(os::Key::enter) == PickRequest::none);
  CHECK(pick.picker.pane() == PickPane::none);
  CHECK(pick.current() == "file0");
  pick.picker.press({.key = os::Key::function, .number = 1}, low);
  pick.type("f");
  CHECK(pick.picker.pane() == PickPane::none);
  CHECK(pick.picker.picture(low).prompt == "f");
}

TEST_CASE("an entry that was chosen stays current when others come before it") {
  Pick pick(5);
  pick.press(os::Key::down);
  pick.source.shown = {3, 4, 2, 1, 0};
  pick.picker.follow();
  CHECK(pick.current() == "file1");
}

TEST_CASE("while nobody has chosen, the first stays current") {
  Pick pick(5);
  pick.source.shown = {3, 4, 2, 1, 0};
  pick.picker.follow();
  CHECK(pick.current() == "file3");
}

TEST_CASE("a click makes an entry current, a second one picks it") {
  Pick pick(5);
  pick.picker.picture(screen);
  CHECK(pick.picker.press({.key = os::Key::click, .number = 1, .place = {4, 3}}, screen) ==
        PickRequest::none);
  CHECK(pick.current() == "file2");
  CHECK(pick.picker.press({.key = os::Key::click, .number = 2, .place = {4, 3}}, screen) ==
        PickRequest::picked);
  CHECK(pick.picker.press({.key = os::Key::click, .number = 2, .place = {9, 3}}, screen) ==
        PickRequest::none);
}

TEST_CASE("without a query Right enters a directory and Left leaves it") {
  Pick pick(5);
  pick.press(os::Key::down);
  pick.press(os::Key::right);
  CHECK(pick.source.place == ListPlace{11, true});
  pick.type("1");
  CHECK(pick.source.place == ListPlace{11, false});
  CHECK(!pick.source.asked.back());
  pick.press(os::Key::left);
  CHECK(pick.source.place == ListPlace{11, false});
  pick.press(os::Key::remove);
  CHECK(pick.source.place == ListPlace{11, true});
  pick.press(os::Key::right);
  CHECK(pick.source.place == ListPlace{10, true});
  pick.press(os::Key::left);
  CHECK(pick.source.place == ListPlace{11, true});
  pick.press(os::Key::left);
  CHECK(pick.source.place == ListPlace{});
  CHECK(pick.current() == "file1");
  pick.press(os::Key::end);
  pick.press(os::Key::right);
  CHECK(pick.source.place == ListPlace{});
  CHECK(pick.picker.picture(screen).status.notice == "nothing was found in it");
}

TEST_CASE("by space a list is of one level while nothing is typed") {
  Pick pick(5);
  for (int i = 0; i < 4; ++i) pick.control('s');
  CHECK(pick.source.sort == PickSort{PickOrder::space});
  CHECK(pick.source.place == ListPlace{.by_level = true});
  pick.press(os::Key::down);
  pick.press(os::Key::right);
  CHECK(pick.source.place == ListPlace{.directory = 11, .by_level = true});
  pick.type("1");
  CHECK(pick.source.place == ListPlace{.directory = 11});
  pick.press(os::Key::escape);
  pick.press(os::Key::left);
  CHECK(pick.source.place == ListPlace{.by_level = true});
  CHECK(pick.current() == "file1");
  pick.control('s');
  CHECK(pick.source.place == ListPlace{});
  CHECK(pick.current() == "file1");
}

TEST_CASE("an entry goes to the Trash after the question, and its mark with it") {
  Pick pick(3);
  pick.press(os::Key::tab);
  pick.press(os::Key::tab);
  pick.press(os::Key::home);
  for (const char* const answer : {"n", "x"}) {
    CHECK(pick.control('l') == PickRequest::none);
    CHECK(pick.picker.picture(screen).status.notice == "move 'file0' to the Trash? y or n");
    CHECK(pick.press(os::Key::text, answer) == PickRequest::none);
  }
  CHECK(pick.control('l') == PickRequest::none);
  CHECK(pick.press(os::Key::text, "y") == PickRequest::trash);
  CHECK(pick.picker.doomed() == EntryId{0});
  CHECK(pick.picker.query().empty());
  pick.picker.forget_taken_out();
  CHECK(pick.picked() == std::vector<EntryId>{1});
  CHECK(pick.press(os::Key::text, "y") == PickRequest::none);
  CHECK(pick.picker.query() == "y");
}

TEST_CASE("only keys that are about entries depend on them") {
  for (const os::Key key : {os::Key::enter, os::Key::tab, os::Key::down, os::Key::click}) {
    CHECK(list_use_of({.key = key}) == ListUse::entries);
  }
  for (const char* const letter : {"g", "n", "y"}) {
    CHECK(list_use_of({.key = os::Key::control, .text = letter}) == ListUse::entries);
  }
  CHECK(list_use_of({.key = os::Key::control, .text = "a"}) == ListUse::all);
  CHECK(list_use_of({.key = os::Key::end}) == ListUse::all);
  for (const os::Key key : {os::Key::text, os::Key::backspace, os::Key::escape, os::Key::function,
                            os::Key::resize, os::Key::none}) {
    CHECK(list_use_of({.key = key}) == ListUse::none);
  }
  CHECK(list_use_of({.key = os::Key::up, .modifier = os::Modifier::shift}) == ListUse::none);
  for (const char* const letter : {"c", "u", "w", "s"}) {
    CHECK(list_use_of({.key = os::Key::control, .text = letter}) == ListUse::none);
  }
}

TEST_CASE("keys on an empty list do nothing") {
  Pick pick(0);
  for (const os::Key key : {os::Key::up, os::Key::down, os::Key::page_down, os::Key::end,
                            os::Key::tab, os::Key::back_tab, os::Key::enter}) {
    CHECK(pick.press(key) == PickRequest::none);
  }
  for (const char letter : {'a', 'o', 'y', 's', 'r', 'v'}) {
    CHECK(pick.control(letter) == PickRequest::none);
  }
  CHECK(pick.picked().empty());
  CHECK(pick.picker.picture(screen).entries.empty());
}

}  // namespace
}  // namespace ffind::pick::picker_test
