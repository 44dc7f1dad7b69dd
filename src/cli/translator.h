// SPDX-License-Identifier: MIT
// Reads a command line with options of other programs word by word (translator.cpp), and puts it
// together as one of ours (habits.cpp). Used by these two alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/foreign_options.h"
#include "cli/habits.h"
#include "cli/option_table.h"

namespace ffind {

class Translator {
 public:
  Translator(const Words& words, const IsDirectory& is_directory)
      : words_(words), is_directory_(is_directory) {}

  std::optional<Words> translate();

 private:
  bool scan();
  bool scan_long(const std::string& word);
  bool scan_short(const std::string& word);
  bool scan_letters_of_ls(std::string_view letters);
  bool turn(const Foreign& foreign, std::optional<std::string> value);
  std::optional<std::string> next_value();
  void take_command(const std::string& option);
  void add_own(const OptionRow& row, const std::string& name, std::optional<std::string> value);
  bool add_account(const std::string& value);
  void sort_order();
  bool settle_pattern();
  Words line();
  void option(std::string_view name, std::string_view value) {
    options_.emplace_back(name);
    options_.emplace_back(value);
  }
  void mark(Program program) {
    changed_ = true;
    if (program_ == Program::unknown) program_ = program;
  }
  bool has_patterns() const { return has_pattern_; }

  const Words& words_;
  const IsDirectory& is_directory_;
  std::size_t at_ = 0;
  bool changed_ = false;
  Program program_ = Program::unknown;

  Words options_;
  Words wheres_;
  Words arguments_;
  bool after_dashes_ = false;
  Words commands_;
  std::vector<std::size_t> regexes_;  ///< places of the values of -e among the options
  bool has_pattern_ = false;
  bool fixed_ = false;
  bool glob_flag_ = false;
  bool regex_flag_ = false;
  bool by_time_ = false;
  bool by_size_ = false;
  bool reversed_ = false;
  bool long_ = false;
  bool content_ = false;  ///< grep's: the first argument is looked for in files
  bool regex_text_ = false;
};

}  // namespace ffind
