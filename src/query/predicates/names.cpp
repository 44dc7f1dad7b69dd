// SPDX-License-Identifier: MIT
// Tests of names, paths and other texts: patterns, hidden files, extensions, kinds.
//
// Names are part of every entry, so these tests need no call; but they run on all entries and are
// the hottest code of a search after the kernel's. The optimiser merges tests of extensions or
// kinds (Test::either), so that a name is looked up once, however many there are. A single
// extension, the usual case, is compared with the end of the name, which is faster than a look-up.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "query/expression.h"
#include "query/kinds.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "text/word_map.h"

namespace ffind::query {
namespace {

/// A bound by the part of the text in every match that all file systems fold and normalise alike.
/// Empty for patterns without such a text, and if accents are ignored.
Bound bound_of_name(const Pattern& pattern) {
  return {.name_contains = text::portable_part(pattern.required_literal(), pattern.rules())};
}

/// A pattern against the name, or against a path that the searcher puts together.
class PatternTest final : public Test {
 public:
  PatternTest(Subject subject, const PatternSpec& spec)
      : row_(rows[static_cast<std::size_t>(subject)]),
        pattern_(compile_pattern(spec)),
        spec_(spec) {}

  bool holds(Entry& entry) const override {
    if (row_.need == needs::none) return pattern_->matches(entry.name);
    if (!entry.require(row_.need)) return false;
    if (row_.need != needs::directory) return pattern_->matches(entry.*row_.text);
    // mutable: spares an allocation an entry
    static thread_local std::string path;
    return pattern_->matches(path.assign(entry.directory).append(entry.name).append(entry.slashes));
  }

  Needs needs() const override { return row_.need; }
  int cost() const override { return pattern_->cost(); }
  // The text that a path must contain need not be in the name.
  Bound bound() const override {
    return row_.need == needs::none ? bound_of_name(*pattern_) : Bound{};
  }

  bool narrows() const override {
    // Tries a path, a long name and each printable ASCII character as a name. A pattern that
    // matches all of them is taken for one that matches everything, such as * or ^.
    const bool below = row_.need != needs::none;
    const std::string beginning = row_.need == needs::absolute_path ? "/" : "";
    if (below && !pattern_->matches(beginning + "a/b")) return true;
    if (!pattern_->matches(beginning + "Some name that is long, has 3 dots and a - in it...")) {
      return true;
    }
    // A pattern that does not match all names usually fails for one of these single characters.
    for (char c = '!'; c <= '~'; ++c) {
      if (c != '/' && !pattern_->matches(beginning + c)) return true;
    }
    return false;
  }

  std::string text() const override { return pattern_text(row_.field, spec_); }

 private:
  struct Row {
    std::string_view field;
    Needs need;
    std::string_view Entry::*text;
  };
  /// In the order of Subject.
  static constexpr Row rows[] = {
      {"name", needs::none, &Entry::name},
      {"path", needs::relative_path, &Entry::relative_path},
      {"absolute_path", needs::absolute_path, &Entry::absolute_path},
      {"printed_path", needs::directory, &Entry::directory},
  };

  Row row_;
  std::unique_ptr<const Pattern> pattern_;
  PatternSpec spec_;
};

/// Matches a pattern against the texts of a row.
class TextTest final : public Test {
 public:
  TextTest(const TextRow& row, const PatternSpec& spec)
      : row_(row), spec_(spec), pattern_(compile_pattern(spec)) {}

  bool holds(Entry& entry) const override {
    return is_of(entry, row_.types) && row_.holds(entry, *pattern_, spec_);
  }
  Needs needs() const override { return row_.need | needs_of(row_.types); }
  int cost() const override { return pattern_->cost(); }
  Bound bound() const override { return {.types = row_.types}; }
  std::string text() const override { return pattern_text(row_.field, spec_); }

 private:
  const TextRow& row_;
  PatternSpec spec_;
  std::unique_ptr<const Pattern> pattern_;
};

/// True for names that begin with a dot and, with `by_flag`, for entries that macOS hides.
class HiddenTest final : public Test {
 public:
  explicit HiddenTest(bool by_flag) : needs_(by_flag ? needs::hidden : needs::none) {}

  bool holds(Entry& entry) const override {
    if (entry.name.front() == '.') return true;
    return needs_ != needs::none && entry.require(needs_) && entry.metadata.hidden;
  }
  Needs needs() const override { return needs_; }
  int cost() const override { return needs_ == needs::none ? 1 : 2; }
  std::string text() const override { return "hidden"; }

 private:
  Needs needs_;
};

}  // namespace

TestPointer pattern_test(Subject subject, const PatternSpec& spec) {
  return std::make_shared<PatternTest>(subject, spec);
}
TestPointer text_test(const TextRow& row, const PatternSpec& spec) {
  return std::make_shared<TextTest>(row, spec);
}
TestPointer hidden_test(bool by_flag) {
  return std::make_shared<HiddenTest>(by_flag);
}

namespace {

/// `.pdf` as a pattern. It also matches the name ".pdf", which has no extension; the caller checks
/// for that.
std::unique_ptr<const Pattern> suffix_pattern(const std::string& extension, bool case_sensitive) {
  PatternSpec spec;
  spec.kind = PatternKind::ends;
  spec.text = "." + extension;
  spec.case_rule = case_sensitive ? CaseRule::sensitive : CaseRule::insensitive;
  return compile_pattern(spec);
}

/// A set of extensions, either as keys or as bytes. Immutable. Extensions may have several parts; a
/// name takes at most as many look-ups as the longest one has:
///
///     {gz, tar.xz}   "a.b.xz"   xz: no;  b.xz: no; most_parts_ is reached
///                    "a.gz"     gz: yes
///                    ".gz"      nothing is before the dot: no
class ExtensionSet {
 public:
  ExtensionSet() = default;
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

  /// True if `name` ends with a dot and one of the extensions, and there is something before that
  /// dot. An extension of n parts starts after the nth dot from the end.
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
  /// Parts of the longest one: 2 for "tar.xz".
  std::size_t most_parts_ = 0;
};

/// True if the name ends in one of the extensions. ASCII names are looked up as they are, others by
/// their key, and those that are not UTF-8 by their bytes.
class ExtensionTest final : public Test {
 public:
  ExtensionTest(std::vector<std::string> extensions, bool case_sensitive)
      : extensions_(std::move(extensions)),
        case_(case_sensitive ? text::KeyCase::kept : text::KeyCase::folded) {
    std::vector<std::string> keys;
    std::vector<std::string> bytes;
    if (extensions_.size() == 1) single_ = suffix_pattern(extensions_.front(), case_sensitive);
    for (const std::string& extension : extensions_) {
      // Extensions that are not UTF-8 cannot be those of a name that is.
      if (text::is_utf8(extension)) keys.push_back(text::key_of(extension, case_));
      bytes.push_back(case_sensitive ? extension : text::fold_ascii(extension));
      // The bound of several extensions is the text that all of them contain, usually none.
      const Bound one = bound_of_name(*suffix_pattern(extension, case_sensitive));
      bound_ = &extension == extensions_.data() ? one : join(bound_, one);
    }
    keys_ = ExtensionSet(keys);
    bytes_ = ExtensionSet(bytes);
  }

  bool holds(Entry& entry) const override {
    const std::string_view name = entry.name;
    // Nearly every name is decided here: by its end and, if it is ASCII, by its length.
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
      // The parser drops the first dot of a value.
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
  std::vector<std::string> extensions_;
  text::KeyCase case_;
  ExtensionSet keys_;
  ExtensionSet bytes_;  ///< for names that are not UTF-8
  /// Null if there are several extensions.
  std::unique_ptr<const Pattern> single_;
  Bound bound_;
};

}  // namespace

TestPointer extension_test(std::vector<std::string> extensions, bool case_sensitive) {
  return std::make_shared<ExtensionTest>(std::move(extensions), case_sensitive);
}

namespace {

/// True for files whose name shows one of the kinds, and for directories: a package is of the kind
/// of its extension, any other directory is a folder. Only folders need the Finder's mark.
class KindTest final : public Test {
 public:
  explicit KindTest(Kinds kinds) : kinds_(kinds) {}

  bool holds(Entry& entry) const override {
    return (kinds_ & kind_of(entry, wants_folders())) != 0;
  }

  Needs needs() const override {
    return needs::type | (wants_folders() ? needs::bundle : needs::none);
  }
  int cost() const override { return 20; }

  Bound bound() const override {
    Bound bound;
    bound.types = 0;
    if ((kinds_ & ~bit_of(Kind::folder)) != 0) bound.types |= bit_of(FileType::file);
    if (wants_folders() || (kinds_ & kinds_of_packages()) != 0) {
      bound.types |= bit_of(FileType::directory);
    }
    return bound;
  }

  std::string text() const override {
    std::vector<std::string_view> names;
    for (const KindRow& row : kind_table()) {
      if ((kinds_ & bit_of(row.kind)) != 0) names.push_back(row.name);
    }
    return equality_text("kind", names, [](std::string_view name) { return name; });
  }

  std::string_view family() const override { return "kind"; }
  TestPointer either(const std::vector<const Test*>& tests) const override {
    Kinds kinds = 0;
    for (const Test* const test : tests) kinds |= static_cast<const KindTest&>(*test).kinds_;
    return std::make_shared<KindTest>(kinds);
  }

 private:
  bool wants_folders() const { return (kinds_ & bit_of(Kind::folder)) != 0; }

  Kinds kinds_;
};

}  // namespace

TestPointer kind_test(Kinds kinds) {
  return std::make_shared<KindTest>(kinds);
}

}  // namespace ffind::query
