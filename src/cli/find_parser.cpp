// SPDX-License-Identifier: MIT
// Recursive descent over find's arguments. See find_parser.h.
#include "cli/find_parser.h"

#include <algorithm>

#include "cli/operands.h"
#include "cli/option_table.h"
#include "cli/suggest.h"
#include "query/where/field.h"
#include "text/format.h"

namespace ffind::cli::find_habits {

namespace {

Node node_of(Test test) {
  return {Kind::test, {}, std::move(test), {}};
}

}  // namespace

void Parser::read_roots() {
  while (!at_end() && take_any({"-H", "-L", "-P", "-E"})) {
    if (words_[at_ - 1] == "-L") follows_ = true;
  }
  while (!at_end()) {
    const std::string& word = peek();
    if (word.size() > 1 && word.starts_with("-")) return;
    if (word == "(" || word == "!" || word == ")") return;
    const bool is_root = looks_like_path(word) || is_directory_(word) || word.empty();
    if (is_root || text_) {
      roots_.push_back(word);
    } else {
      text_ = word;
    }
    ++at_;
  }
}

void Parser::read_regex_type() {
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    if (words_[i] == "-regextype")
      emacs_ = words_[i + 1] == "emacs" || words_[i + 1] == "findutils-default";
  }
}

Node Parser::parse_any() {
  Node node{Kind::any, {}, {}, {}};
  do {
    node.nodes.push_back(parse_all());
  } while (take_any({"-o", "-or", "--or"}));
  return node.nodes.size() == 1 ? std::move(node.nodes.front()) : node;
}

Node Parser::parse_all() {
  Node node;
  while (!at_end() && peek() != ")" && peek() != "-o" && peek() != "-or" && peek() != "--or") {
    if (take_any({"-a", "-and", "--and"})) continue;
    Node one = parse_one();
    if (one.kind == Kind::all) {
      for (Node& inner : one.nodes) node.nodes.push_back(std::move(inner));
    } else {
      node.nodes.push_back(std::move(one));
    }
  }
  return node.nodes.size() == 1 ? std::move(node.nodes.front()) : node;
}

Node Parser::parse_one() {
  if (take_any({"!", "-not", "--not"})) {
    if (at_end()) throw Untranslatable();
    return {Kind::negation, {parse_one()}, {}, {}};
  }
  if (take_any({"("})) {
    Node inside = parse_any();
    if (!take_any({")"})) throw Untranslatable();
    return inside;
  }
  const std::string word = take();
  if (word == "," || word == ")") throw Untranslatable();
  const Predicate* const predicate = find_predicate(word);
  if (predicate != nullptr) return parse_predicate(*predicate);
  take_own(word);
  return everything();
}

/// What is ours already, or a root behind the expression.
void Parser::take_own(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') {
    roots_.push_back(word);
    return;
  }
  if (is_word_of_find(word)) throw Untranslatable();
  if (const std::string longer = with_second_dash(word); !longer.empty()) return take_own(longer);
  const bool is_long = word[1] == '-';
  const std::size_t equals = is_long ? word.find('=') : std::string::npos;
  const OptionRow* const row = find_option(is_long ? word.substr(0, equals) : word.substr(0, 2));
  if (row == nullptr) throw Untranslatable();
  if (takes_command(*row)) {
    own_command_.push_back(word);
    while (!at_end()) own_command_.push_back(take());
    return;
  }
  const bool flag = is_flag(*row);
  if (!is_long && word.size() > 2 && flag) throw Untranslatable();
  own_.push_back(word);
  const bool has_value = equals != std::string::npos || (!is_long && word.size() > 2);
  if (!has_value && takes_value(*row)) own_.push_back(take());
}

Node Parser::parse_command(std::string_view how) {
  Node node{Kind::action, {}, {}, {}};
  Words command;
  bool batch = false;
  while (!at_end()) {
    const std::string word = take();
    if (word == ";") break;
    if (word == "+" && !command.empty() && command.back() == "{}") {
      batch = true;
      break;
    }
    command.push_back(word);
  }
  if (command.empty()) throw Untranslatable();
  if (how == "--exec-in-dir" || how == "both") node.action.emplace_back("--exec-in-dir");
  if (how == "--confirm" || how == "both") node.action.emplace_back("--confirm");
  node.action.emplace_back(batch ? "-X" : "-x");
  node.action.insert(node.action.end(), command.begin(), command.end());
  return node;
}

Node Parser::parse_predicate(const Predicate& predicate) {
  Test test;
  test.sensitive = predicate.here == "case";
  switch (predicate.form) {
    case Form::junction:
      throw Untranslatable();
    case Form::nothing:
      if (predicate.here == "midnight") {
        from_midnight_ = true;
      } else if (!predicate.here.empty()) {
        follows_ = true;
      }
      return everything();
    case Form::skipped:
      take();
      return everything();
    case Form::depth: {
      scope_.emplace_back(predicate.here);
      scope_.push_back(take());
      return everything();
    }
    case Form::action:
      if (predicate.here == "prune") return {Kind::prune, {}, {}, {}};
      return {Kind::action, {}, {}, {std::string(predicate.here)}};
    case Form::command:
      return parse_command(predicate.here);
    case Form::format: {
      bool null = false;
      Words words = {"--format", template_of(take(), null)};
      if (null) words.emplace_back("-0");
      return {Kind::action, {}, {}, words};
    }
    case Form::name:
      test.field = "name";
      test.op = "glob";
      test.text = name_glob(take());
      if (test.text == "*") return everything();
      return node_of(test);
    case Form::path: {
      test.field = "path";
      test.op = "glob";
      test.text = path_glob(take(), roots_);
      if (test.text == "**") return everything();
      return node_of(test);
    }
    case Form::regex: {
      const std::string text = take();
      test.field = "path";
      test.op = "~";
      test.text = path_regex(emacs_ ? from_emacs(text) : text, roots_);
      if (test.text == "$") return everything();
      return node_of(test);
    }
    case Form::link_text:
      test.field = "target";
      test.op = "glob";
      test.text = crossing_glob(take());
      return node_of(test);
    case Form::file_system:
      test.where = "fstype = " + value_of(take());
      return node_of(test);
    case Form::type: {
      const std::string types = take();
      const std::string list = types.size() == 1 ? "= " + types : "in (" + types + ")";
      if (predicate.here.empty()) {
        test.option = "-t";
        test.values = {types};
        test.where = "type " + list;
      } else if (types == "l") {
        test.option = "--broken";
        test.where = "broken";
      } else if (types.find('l') == std::string::npos) {
        test.where = text::format("(type {0} or target_type {0})", list);
      } else {
        throw Untranslatable();
      }
      return node_of(test);
    }
    case Form::size:
      return node_of(size_test_of(take()));
    case Form::permissions:
      return node_of(permission_test(take()));
    case Form::days:
      return node_of(days_test(predicate, take(), from_midnight_));
    case Form::beside:
      return node_of(beside_test(predicate, take()));
    case Form::minutes:
      if (from_midnight_) throw Untranslatable();
      return node_of(minutes_test(predicate, take()));
    case Form::newer:
      return node_of(newer_test(predicate, take()));
    case Form::count: {
      const std::string value = take();
      const Signed read = signed_number(value);
      const std::string number = std::to_string(read.number);
      if (!read.rest.empty()) throw Untranslatable();
      return node_of(range_test(predicate.here, predicate.field,
                                {read.sign == '+'   ? ">" + number
                                 : read.sign == '-' ? "<" + number
                                                    : number}));
    }
    case Form::account:
    case Form::file: {
      const std::string value = take();
      test.option = predicate.here;
      test.values = {value};
      test.where = text::format("{} = {}", predicate.field, value_of(value));
      test.may_repeat = predicate.form == Form::file && predicate.field != "same_file";
      return node_of(test);
    }
    case Form::flag: {
      test.option = predicate.here;
      test.where = predicate.field;
      return node_of(test);
    }
  }
  throw Untranslatable();
}

}  // namespace ffind::cli::find_habits
