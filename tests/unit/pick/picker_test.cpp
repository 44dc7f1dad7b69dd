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
  std::vector<EntryId> picked() { return picker.picked(); }

  FakeSource source;
  Picker picker;
};

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

}  // namespace
}  // namespace ffind::pick::picker_test
