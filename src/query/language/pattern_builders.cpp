// SPDX-License-Identifier: MIT
// Builders for texts: names, paths, extensions, Finder metadata, attributes, contents. Besides
// building patterns they reject those that can never match, or are probably meant otherwise, with
// advice: a name with a slash, a path with a slash at its end, a star that is compared literally.
//
//     refuse_... (Comparison)    as typed, with quotes: what was probably meant
//     refuse_... (PatternSpec)   the pattern: what can never match

#include <utility>

#include "query/language/predicate_builders.h"
#include "text/format.h"

namespace ffind::query::make {
namespace {

/// A modifier takes precedence over the options.
CaseRule case_rule_of(const Comparison& comparison, const Meaning& meaning) {
  if ((comparison.modifiers & modifiers::match_case) != 0) return CaseRule::sensitive;
  if ((comparison.modifiers & modifiers::ignore_case) != 0) return CaseRule::insensitive;
  return meaning.case_rule;
}

/// The disjunction of the tests that `make` returns for the values as patterns. Errors of a
/// pattern, thrown by `make` or the compiler, are moved to the place of the value in the
/// expression.
template <typename Make>
Expression patterns(const Comparison& comparison, const Meaning& meaning, Make make) {
  std::vector<Expression> any;
  for (const Value& value : comparison.values) {
    any.push_back(read_value(
        comparison, value, [&](const std::string& text, const text::ValueSource& source) {
          PatternSpec spec{row_of(comparison.op).pattern, text, case_rule_of(comparison, meaning),
                           source};
          spec.ignore_diacritics =
              meaning.ignore_diacritics || (comparison.modifiers & modifiers::nodiacritics) != 0;
          return Expression::of(make(spec));
        }));
  }
  return any_of(std::move(any));
}

/// Fails for empty values. Every text contains the empty text, so this would test whether there is
/// any text, which is hardly ever intended: more likely a variable of a script was empty.
void refuse_empty(const Comparison& comparison, std::string_view what) {
  for (const Value& value : comparison.values) {
    if (value.text.empty()) value.fail(0, text::format("{} is missing", what));
  }
}

/// Position of a star in an unquoted word of an expression, where it is hardly ever meant
/// literally.
std::size_t find_bare_star(const Value& value) {
  const bool is_word = value.typed->is_expression && value.quote == Quote::none;
  return is_word ? value.text.find('*') : std::string::npos;
}

/// Fails for unquoted stars in whole values, which are compared literally.
void refuse_stars(const Comparison& comparison, std::string_view field) {
  if (comparison.op != Operator::equal) return;
  for (const Value& value : comparison.values) {
    const std::size_t star = find_bare_star(value);
    if (star == std::string::npos) continue;
    value.fail(
        star,
        text::format(
            "this compares literal text; for a pattern: {0} glob {1}; for a literal star: \"{1}\"",
            field, value.text));
  }
}

/// Fails for extensions that look like a glob or a list. Such names may exist, but are not what is
/// being searched for.
void refuse_no_extension(const Comparison& comparison, const Value& value) {
  const bool in_expression = value.typed->is_expression;
  if (value.quote != Quote::none) return;
  const std::size_t star = value.text.find('*');
  if (star != std::string::npos) {
    const std::string glob = (value.text.find('.') == std::string::npos ? "*." : "") + value.text;
    value.fail(star, text::format("an extension cannot contain '*'; for a pattern: {} '{}'",
                                  in_expression ? "name glob" : "-g", glob));
  }
  const std::size_t separator = value.text.find_first_of(";|");
  if (separator != std::string::npos) {
    value.fail(separator,
               text::format("commas separate extensions, not '{}'", value.text[separator]));
  }
  if (in_expression && comparison.values.size() == 1 && value.text.starts_with('(') &&
      value.text.ends_with(')')) {
    value.fail(0, text::format("use 'in' with a list: ext in {}", value.text));
  }
}

/// Fails for patterns that only an empty name, or one with a NUL, could match. Classes of regular
/// expressions and globs may contain a NUL.
void refuse_impossible(const PatternSpec& spec, std::string_view what) {
  const bool has_classes = spec.kind == PatternKind::regex || spec.kind == PatternKind::glob;
  const std::size_t nul = has_classes ? std::string::npos : spec.text.find('\0');
  if (nul != std::string::npos) {
    text::fail_at(spec.source, spec.text, nul, text::format("{} cannot contain a NUL", what));
  }
  const bool is_whole = spec.kind == PatternKind::exact || spec.kind == PatternKind::glob;
  if (!is_whole || !spec.text.empty()) return;
  text::fail_at(spec.source, spec.text, 0, text::format("{} is missing", what));
}

/// Fails for patterns that no path below a root can match: those have no slash at either end and no
/// "." as a component.
void refuse_hopeless_path(const PatternSpec& spec) {
  refuse_impossible(spec, "a path");
  const PatternKind kind = spec.kind;
  if (kind == PatternKind::regex || kind == PatternKind::contains || spec.text.empty()) return;
  for (const std::string_view beginning : {"/", "./", "../"}) {
    if (kind == PatternKind::ends || !spec.text.starts_with(beginning)) continue;
    text::fail_at(
        spec.source, spec.text, 0,
        text::format("the path below a root cannot begin with '{}'; name a root with --in",
                     beginning));
  }
  if (kind != PatternKind::starts && spec.text.back() == '/') {
    text::fail_at(spec.source, spec.text, spec.text.size() - 1,
                  "a path cannot end with '/'; for directories only, add -t d");
  }
}

/// Fails for patterns with a slash, which no name has. Regular expressions may contain one: [^/].
void refuse_hopeless_name(const PatternSpec& spec) {
  refuse_impossible(spec, "a name");
  const std::size_t slash = spec.text.find('/');
  if (spec.kind == PatternKind::regex || slash == std::string::npos) return;
  text::fail_at(spec.source, spec.text, slash,
                "a name cannot contain '/'; match the path instead: ffind path ...");
}

}  // namespace

void refuse_nul(const Value& value, std::string_view what) {
  const std::size_t nul = value.text.find('\0');
  if (nul != std::string::npos) value.fail(nul, text::format("{} cannot contain a NUL", what));
}

namespace {

/// Fails for a single star that would be compared literally.
void refuse_star_alone(const Comparison& comparison, std::string_view advice) {
  if (comparison.op == Operator::glob || comparison.op == Operator::matches) return;
  for (const Value& value : comparison.values) {
    if (value.is_bare("*"))
      value.fail(0, text::format("'*' is literal text here, not a pattern{}", advice));
  }
}

}  // namespace

Expression name(const Comparison& comparison, const Meaning& meaning) {
  refuse_stars(comparison, "name");
  return patterns(comparison, meaning, [](const PatternSpec& spec) {
    refuse_hopeless_name(spec);
    return pattern_test(Subject::name, spec);
  });
}

Expression path(const Comparison& comparison, const Meaning& meaning) {
  refuse_stars(comparison, "path");
  return patterns(comparison, meaning, [](const PatternSpec& spec) {
    refuse_hopeless_path(spec);
    return pattern_test(Subject::path, spec);
  });
}

Expression absolute_path(const Comparison& comparison, const Meaning& meaning) {
  refuse_stars(comparison, "absolute_path");
  return patterns(comparison, meaning, [](const PatternSpec& spec) {
    // Absolute paths begin with a slash and may end in one: that of the root directory.
    refuse_impossible(spec, "a path");
    return pattern_test(Subject::absolute_path, spec);
  });
}

/// One test for all values, so that a name is looked up once. `.pdf` and `pdf` are the same; a
/// second dot at the beginning is a part of the extension.
Expression extension(const Comparison& comparison, const Meaning& meaning) {
  std::vector<std::string> extensions;
  for (const Value& value : comparison.values) {
    const std::size_t slash = value.text.find('/');
    if (slash != std::string::npos) value.fail(slash, "an extension cannot contain '/'");
    refuse_nul(value, "an extension");
    refuse_no_extension(comparison, value);
    std::string extension = value.text;
    if (extension.starts_with('.')) extension.erase(0, 1);
    if (extension.empty()) value.fail(0, "an extension is missing");
    extensions.push_back(std::move(extension));
  }
  // No smart case: .JPG and .jpg are the same extension unless case is requested.
  const bool sensitive = case_rule_of(comparison, meaning) == CaseRule::sensitive;
  return Expression::of(extension_test(std::move(extensions), sensitive));
}

Expression texts(const Comparison& comparison, const Meaning& meaning, const TextRow& row) {
  refuse_empty(comparison, row.value);
  if (row.any.empty()) {
    refuse_stars(comparison, row.field);
  } else {
    refuse_star_alone(comparison, row.any);
  }
  return patterns(comparison, meaning,
                  [&](const PatternSpec& spec) { return text_test(row, spec); });
}

/// `tag = none` is `untagged`, unless it is quoted. All other values are patterns for names of
/// tags.
Expression tag(const Comparison& comparison, const Meaning& meaning) {
  Comparison tags = comparison;
  std::vector<Expression> any;
  tags.values.clear();
  for (const Value& value : comparison.values) {
    if (comparison.op == Operator::equal && value.is_bare("none")) {
      any.push_back(Expression::of(flag_test("untagged")));
    } else {
      tags.values.push_back(value);
    }
  }
  if (!tags.values.empty()) any.push_back(texts(tags, meaning, tag_row));
  return any_of(std::move(any));
}

/// With a key, `xattr user.a contains x`, the values are compared with that attribute's; without
/// one, `xattr = user.a`, they are names of attributes, compared byte for byte.
Expression attribute(const Comparison& comparison, const Meaning& meaning) {
  if (comparison.key) {
    const Value& key = *comparison.key;
    if (key.text.empty()) key.fail(0, "the name of an attribute is missing");
    refuse_nul(key, "the name of an attribute");
    // Attributes may have empty values.
    const bool is_whole = comparison.op == Operator::equal || comparison.op == Operator::glob;
    if (!is_whole) refuse_empty(comparison, "a text");
    return patterns(comparison, meaning,
                    [&](const PatternSpec& spec) { return attribute_test(key.text, spec); });
  }
  refuse_star_alone(comparison, "; give the name of an attribute");
  std::vector<Expression> any;
  for (const Value& value : comparison.values) {
    if (value.text.empty()) value.fail(0, "the name of an attribute is missing");
    refuse_nul(value, "the name of an attribute");
    any.push_back(Expression::of(attribute_test(value.text)));
  }
  return any_of(std::move(any));
}

Expression contents(const Comparison& comparison, const Meaning& meaning) {
  const bool binary = meaning.binary || (comparison.modifiers & modifiers::binary) != 0;
  return patterns(comparison, meaning,
                  [&](const PatternSpec& spec) { return content_test(spec, binary); });
}

}  // namespace ffind::query::make
