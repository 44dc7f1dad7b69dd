// SPDX-License-Identifier: MIT
// The test of extensions: one look-up in a map per name, however many extensions were given.
// A single one, the usual case, is compared with the end of the name instead, which is quicker.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "query/bound.h"
#include "query/language/spelling.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/key.h"
#include "text/utf8.h"
#include "text/word_map.h"

namespace ffind::query {
namespace {

std::unique_ptr<const Pattern> suffix_pattern(const std::string& extension, bool case_sensitive) {
  PatternSpec spec;
  spec.kind = PatternKind::ends;
  spec.text = "." + extension;
  spec.case_rule = case_sensitive ? CaseRule::sensitive : CaseRule::insensitive;
  return compile_pattern(spec);
}

/// A set of extensions in one spelling: as keys, or as bytes. Immutable.
class ExtensionSet {
 public:
  explicit ExtensionSet(const std::vector<std::string>& extensions) {
    std::vector<std::pair<std::string, bool>> entries;
    for (const std::string& extension : extensions) {
      const auto parts =
          static_cast<std::size_t>(std::count(extension.begin(), extension.end(), '.') + 1);
      most_parts_ = std::max(most_parts_, parts);
      entries.push_back({extension, true});
    }
    words_ = text::WordMap<bool>(std::move(entries));
  }

  /// Whether `name` ends with a dot and one of them, with something before that dot. An extension
  /// of n parts begins behind the nth dot from the end and nowhere else.
  template <bool folding>
  bool ends(std::string_view name) const {
    std::size_t dot = name.size();
    for (std::size_t parts = 0; parts < most_parts_; ++parts) {
      dot = name.rfind('.', dot - 1);
      if (dot == std::string_view::npos || dot == 0) return false;
      const std::string_view extension = name.substr(dot + 1);
      if ((folding ? words_.find_folded(extension) : words_.find(extension)) != nullptr) {
        return true;
      }
    }
    return false;
  }

 private:
  text::WordMap<bool> words_;
  std::size_t most_parts_ = 0;
};

class ExtensionTest final : public Test {
 public:
  ExtensionTest(std::vector<std::string> extensions, bool case_sensitive)
      : extensions_(std::move(extensions)),
        case_(case_sensitive ? text::KeyCase::kept : text::KeyCase::folded),
        keys_(keys_of(extensions_, case_)),
        bytes_(bytes_of(extensions_, case_)) {
    if (extensions_.size() == 1) single_ = suffix_pattern(extensions_.front(), case_sensitive);
    for (const std::string& extension : extensions_) {
      const auto pattern = suffix_pattern(extension, case_sensitive);
      Bound one;
      one.name_contains = text::portable_part(pattern->required_literal(), {case_, false});
      bound_ = &extension == extensions_.data() ? one : join(bound_, one);
    }
  }

  bool holds(Entry& entry) const override {
    const std::string_view name = entry.name;
    if (single_ && !single_->matches(name)) return false;
    if (text::is_ascii(name)) {
      if (single_) return name.size() > single_->required_literal().size();
      return case_ == text::KeyCase::folded ? keys_.ends<true>(name) : keys_.ends<false>(name);
    }
    if (!text::is_utf8(name)) {
      return bytes_.ends<false>(case_ == text::KeyCase::folded ? text::fold_ascii(name)
                                                               : std::string(name));
    }
    text::KeyScratch scratch;
    return keys_.ends<false>(text::key_of(name, {case_, false}, scratch));
  }

  Needs needs() const override { return needs::none; }
  int cost() const override { return single_ ? 3 : 10; }
  Bound bound() const override { return bound_; }

  std::string text() const override {
    std::string list;
    for (const std::string& extension : extensions_) {
      if (!list.empty()) list += ", ";
      // The first dot of a value is not part of the extension.
      list += bare_or_quoted(extension.starts_with('.') ? "." + extension : extension);
    }
    return text::format("ext{} in ({})", case_ == text::KeyCase::kept ? " case" : "", list);
  }

  std::string_view family() const override {
    return case_ == text::KeyCase::kept ? "ext case" : "ext";
  }
  TestPointer either(const std::vector<const Test*>& tests) const override {
    std::vector<std::string> all;
    for (const Test* const test : tests) {
      const auto& more = static_cast<const ExtensionTest&>(*test).extensions_;
      all.insert(all.end(), more.begin(), more.end());
    }
    return extension_test(std::move(all), case_ == text::KeyCase::kept);
  }

 private:
  /// What is not UTF-8 is no extension of a name that is.
  static ExtensionSet keys_of(const std::vector<std::string>& extensions, text::KeyCase key_case) {
    std::vector<std::string> keys;
    for (const std::string& extension : extensions) {
      if (text::is_utf8(extension)) keys.push_back(text::key_of(extension, {key_case, false}));
    }
    return ExtensionSet(keys);
  }

  static ExtensionSet bytes_of(const std::vector<std::string>& extensions, text::KeyCase key_case) {
    std::vector<std::string> bytes;
    bytes.reserve(extensions.size());
    for (const std::string& extension : extensions) {
      bytes.push_back(key_case == text::KeyCase::folded ? text::fold_ascii(extension) : extension);
    }
    return ExtensionSet(bytes);
  }

  std::vector<std::string> extensions_;
  text::KeyCase case_;
  ExtensionSet keys_;
  ExtensionSet bytes_;  ///< for names that are not UTF-8
  std::unique_ptr<const Pattern> single_;
  Bound bound_;
};

}  // namespace

TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive) {
  return std::make_shared<ExtensionTest>(std::move(extensions), case_sensitive);
}

}  // namespace ffind::query
