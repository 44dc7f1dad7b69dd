// SPDX-License-Identifier: MIT
// Tables of the fields and flags of the expression language, their look-up, and values.
//
// To add a predicate: a class and its factory in predicates/, declared in predicates.h, and a row
// here. Flags and fields of numbers and sizes need no more. Other fields need a builder in
// metadata_builders.cpp or pattern_builders.cpp, declared in predicate_builders.h. CONTRIBUTING
// describes what an option of its own takes.
#include "query/language/fields.h"

#include <algorithm>
#include <optional>

#include "query/language/predicate_builders.h"
#include "text/ascii.h"

namespace ffind::query {
namespace {

// Sets of operators that fields have in common. A field without `exactly` takes == for =, since the
// two mean the same there.
constexpr Operators equal = bit_of(Operator::equal);
constexpr Operators order = bit_of(Operator::equal) | bit_of(Operator::exactly) |
                            bit_of(Operator::less) | bit_of(Operator::at_most) |
                            bit_of(Operator::more) | bit_of(Operator::at_least);
constexpr Operators search = bit_of(Operator::contains) | bit_of(Operator::matches);
constexpr Operators texts =
    equal | search | bit_of(Operator::starts) | bit_of(Operator::ends) | bit_of(Operator::glob);
constexpr Operators mode = equal | bit_of(Operator::all) | bit_of(Operator::any);
constexpr Operators time_order = order | bit_of(Operator::after) | bit_of(Operator::before);

constexpr Modifiers no_modifiers = modifiers::none;
constexpr Modifiers pattern = modifiers::of_patterns;

/// A builder for Field::make out of the factory of a test, so that such a field needs a row only.
template <make::SizeFactory factory>
Expression size(const Comparison& comparison, const Meaning&) {
  return make::size(comparison, factory);
}

template <make::SizeFactory factory>
Expression number(const Comparison& comparison, const Meaning&) {
  return make::number(comparison, factory);
}

// A row: name, other names, example for messages, operators, modifiers, builder. Then, if the field
// is not like most: a bare value may have spaces ("7 days"), a bare value may be a list ("a kind"
// names one of it), a key may come first (xattr), the operator may be missing (has).
constexpr Field rows[] = {
    {"name", "filename,basename", "name contains report", texts, pattern, make::name},
    {"path", "", "path glob 'src/**/*.cc'", texts, pattern, make::path},
    {"absolute_path", "", "absolute_path starts with /home/", texts, pattern, make::absolute_path},
    {"ext", "extension", "ext in (pdf, docx)", equal, modifiers::of_case, make::extension, false,
     "an extension"},
    {"type", "", "type = file", equal, no_modifiers, make::type, false, "a type"},
    {"kind", "", "kind = image", equal, no_modifiers, make::kind, false, "a kind"},
    {"size", "", "size > 10M", order, no_modifiers, size<size_test>, true},
    {"allocated", "", "allocated > 1M", order, no_modifiers, size<allocated_test>, true},
    {"stat_size", "", "stat_size > 4096", order, no_modifiers, size<stat_size_test>, true},
    {"modified", "mtime,date,time", "modified < 7d", time_order, no_modifiers,
     make::time<TimeField::modified>, true},
    {"created", "btime,birth", "created = today", time_order, no_modifiers,
     make::time<TimeField::created>, true},
    {"accessed", "atime", "accessed > 1y", time_order, no_modifiers,
     make::time<TimeField::accessed>, true},
    {"changed", "ctime", "changed < 1h", time_order, no_modifiers, make::time<TimeField::changed>,
     true},
    {"added", "", "added = yesterday", time_order, no_modifiers, make::time<TimeField::added>,
     true},
    {"last_opened", "", "last_opened > 1y", time_order, no_modifiers,
     make::time<TimeField::last_opened>, true},
    {"newer_than", "newer", "newer_than = Makefile", equal, no_modifiers, make::newer_than},
    {"older_than", "older", "older_than = Makefile", equal, no_modifiers, make::older_than},
    {"depth", "", "depth <= 3", order, no_modifiers, make::depth, true},
    {"owner", "user", "owner in (alice, 1000)", equal, no_modifiers, make::owner, false, "a user"},
    {"group", "", "group = staff", equal, no_modifiers, make::group, false, "a group"},
    {"uid", "", "uid >= 1000", order, no_modifiers, number<uid_test>, true},
    {"gid", "", "gid = 0", order, no_modifiers, number<gid_test>, true},
    {"perm", "permissions,mode", "perm any o+w", mode, no_modifiers, make::permissions},
    {"flags", "", "flags = uchg", equal, no_modifiers, make::flags, false, "a flag"},
    {"links", "", "links >= 2", order, no_modifiers, number<links_test>, true},
    {"inode", "", "inode = 5", order, no_modifiers, number<inode_test>, true},
    {"same_file", "samefile", "same_file = /etc/hosts", equal, no_modifiers, make::same_file},
    {"target", "", "target starts with /nix", texts, pattern, make::target},
    {"target_type", "", "target_type = directory", equal, no_modifiers, make::target_type, false,
     "a type"},
    {"fstype", "file_system", "fstype = nfs", texts, pattern, make::fstype},
    {"has", "", "has CACHEDIR.TAG", equal, no_modifiers, make::has, false, {}, false, true},
    {"tag", "tags", "tag = Red", texts, pattern, make::tag, false, "a tag"},
    {"comment", "", "comment contains draft", texts, pattern, make::comment},
    {"where_from", "wherefrom", "where_from contains example.org", texts, pattern,
     make::where_from},
    {"type_code", "", "type_code = TEXT", texts, pattern, make::type_code},
    {"creator", "", "creator = ttxt", texts, pattern, make::creator},
    {"xattr",
     "attribute",
     "xattr user.origin contains example",
     texts,
     pattern,
     make::attribute,
     false,
     {},
     true},
    {"contents", "content", "contents contains TODO", search, pattern | modifiers::binary,
     make::contents},
};

// Builders for flags out of factories, like those for fields.
template <TestPointer (*test)()>
Expression plain(const Meaning&) {
  return Expression::of(test());
}

template <FinderFlag flag>
Expression finder(const Meaning&) {
  return Expression::of(finder_flag_test(flag));
}

template <Access kind>
Expression access(const Meaning&) {
  return Expression::of(access_test(kind));
}

// A row: name, other names, builder.
constexpr Flag flag_rows[] = {
    {"true", "everything", [](const Meaning&) { return Expression::all({}); }},
    {"false", "", [](const Meaning&) { return Expression::any({}); }},
    {"hidden", "",
     [](const Meaning& meaning) {
       return Expression::of(hidden_test(meaning.context.hides_by_flag));
     }},
    {"empty", "", plain<empty_test>},
    {"executable", "", plain<executable_test>},
    {"locked", "", plain<locked_test>},
    {"dataless", "", plain<dataless_test>},
    {"acl", "has_acl", plain<acl_test>},
    {"broken", "", plain<broken_test>},
    {"is_link", "", plain<is_link_test>},
    {"loop", "", plain<loop_test>},
    {"readable", "", access<Access::readable>},
    {"writable", "", access<Access::writable>},
    {"runnable", "", access<Access::runnable>},
    {"untagged", "", plain<untagged_test>},
    {"alias", "", finder<FinderFlag::alias>},
    {"stationery", "", finder<FinderFlag::stationery>},
    {"invisible", "", finder<FinderFlag::invisible>},
    {"custom_icon", "", finder<FinderFlag::custom_icon>},
    {"hidden_extension", "", finder<FinderFlag::hidden_extension>},
    {"orphaned_owner", "", make::orphaned_owner},
    {"orphaned_group", "", make::orphaned_group},
};

/// Compares in any case, and - as _: `Absolute-Path` is absolute_path. Rows are in lower case.
bool same_name(std::string_view typed, std::string_view name) {
  return std::equal(typed.begin(), typed.end(), name.begin(), name.end(),
                    [](char a, char b) { return (a == '-' ? '_' : text::fold_ascii(a)) == b; });
}

/// Calls `visit` with each name until it returns true; returns whether one did.
template <typename Row, typename Visit>
bool any_name(const Row& row, Visit visit) {
  if (visit(row.name)) return true;
  for (std::string_view rest = row.other_names; !rest.empty();) {
    if (visit(text::take_part(rest, ','))) return true;
  }
  return false;
}

template <typename Row>
const Row* find_row(std::span<const Row> table, std::string_view typed) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Row& row) {
    return any_name(row, [&](std::string_view name) { return same_name(typed, name); });
  });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Field> fields() {
  return rows;
}
std::span<const Flag> flags() {
  return flag_rows;
}

const Field* find_field(std::string_view name) {
  return find_row(fields(), name);
}
const Flag* find_flag(std::string_view name) {
  return find_row(flags(), name);
}

std::vector<std::string_view> field_and_flag_names() {
  std::vector<std::string_view> names;
  const auto keep = [&](std::string_view name) {
    names.push_back(name);
    return false;
  };
  for (const Field& row : rows) any_name(row, keep);
  for (const Flag& row : flag_rows) any_name(row, keep);
  return names;
}

std::string_view to_text(Operator op) {
  constexpr std::string_view words[] = {"=",  "==",       "<",           "<=",        ">",
                                        ">=", "contains", "starts with", "ends with", "glob",
                                        "~",  "all",      "any",         "after",     "before"};
  return words[static_cast<std::size_t>(op)];
}

namespace {

/// True if there is a backslash at `at` that protects a character which would otherwise end the
/// bare value or start a quoted one.
bool keeps_mark(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '\\' &&
         std::string_view(",()&|\"'\\").find(text[at + 1]) != std::string_view::npos;
}

}  // namespace

// Returns one character, or two for a backslash that escapes nothing: \. is a backslash and a dot,
// so that "\.c$" in quotes is the same regular expression as without.
std::string take_escaped(std::string_view text, std::size_t& at) {
  const char first = text[at++];
  if (first != '\\' || at == text.size()) return {first};
  switch (text[at]) {
    case '"':
    case '\\':
      return {text[at++]};
    case 'n':
      ++at;
      return "\n";
    case 't':
      ++at;
      return "\t";
    case 'x': {
      const auto byte = text::hex_byte(text, at + 1);
      if (!byte) break;
      at += 3;
      return {*byte};
    }
    default:
      break;
  }
  // Return both characters now, so that the second is not read as the start of another escape.
  return {first, text[at++]};
}

// After an escape that was removed, a position in `text` is none in what was typed: the value's
// beginning is shown instead.
void Value::fail(std::size_t position, std::string_view what, std::string_view guess) const {
  const std::size_t begin = at + (quote == Quote::none ? 0U : 1U);
  const bool verbatim = typed->text.compare(begin, position, text, 0, position) == 0;
  text::fail_at(typed->source, typed->text, verbatim ? begin + position : at, what, guess);
}

void Value::drop_backslashes() {
  if (quote != Quote::none) return;
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (keeps_mark(text, i)) ++i;
    kept += text[i];
  }
  text = std::move(kept);
}

std::size_t find_bare_comma(std::string_view text, std::size_t from) {
  for (; from < text.size(); ++from) {
    if (keeps_mark(text, from)) {
      ++from;
    } else if (text[from] == ',') {
      return from;
    }
  }
  return std::string_view::npos;
}

// `pdf, docx` is the values "pdf" and "docx", at 0 and 5. Empty parts are errors, at their place:
// `pdf,,docx`, `pdf,`.
std::vector<Value> split_at_commas(const Value& list, std::string_view what, bool escapes) {
  std::vector<Value> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t found =
        escapes ? find_bare_comma(list.text, from) : list.text.find(',', from);
    const std::size_t comma = std::min(found, list.text.size());
    if (comma == from) list.fail(from, std::string(what) + " is missing");
    parts.push_back({list.text.substr(from, comma - from), list.typed, list.at + from, list.quote});
    if (comma == list.text.size()) return parts;
    from = std::min(list.text.find_first_not_of(' ', comma + 1), list.text.size());
  }
}

}  // namespace ffind::query
