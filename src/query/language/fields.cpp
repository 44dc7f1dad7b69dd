// SPDX-License-Identifier: MIT
// Tables of the fields and flags of the expression language, their look-up, and values.
//
// To add a flag: a row here. To add a field of numbers, sizes, times or texts: a row in
// predicates/, declared in predicates.h, and a row here. Others have a class and its factory
// instead, and a builder in metadata_builders.cpp or pattern_builders.cpp, declared in
// predicate_builders.h. CONTRIBUTING describes what an option of its own takes.
#include "query/language/fields.h"

#include <algorithm>
#include <deque>
#include <memory>
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

/// A builder for Field::make out of one for the tests of a kind and the row of a test.
template <auto builder, const auto& row>
Expression of(const Comparison& comparison, const Meaning& meaning) {
  return builder(comparison, meaning, row);
}

constexpr FieldSyntax with_spaces{.has_spaces = true};
constexpr FieldSyntax list_of(std::string_view what) {
  return {.list_of = what};
}

// A row: name, other names, example for messages, operators, modifiers, builder, syntax.
constexpr Field rows[] = {
    {"name", "filename,basename", "name contains report", texts, pattern, make::name},
    {"path", "", "path glob 'src/**/*.cc'", texts, pattern, make::path},
    {"absolute_path", "", "absolute_path starts with /home/", texts, pattern, make::absolute_path},
    {"ext", "extension", "ext in (pdf, docx)", equal, modifiers::of_case, make::extension,
     list_of("an extension")},
    {"type", "", "type = file", equal, no_modifiers, make::type, list_of("a type")},
    {"kind", "", "kind = image", equal, no_modifiers, make::kind, list_of("a kind")},
    {"size", "", "size > 10M", order, no_modifiers, of<make::size, size_row>, with_spaces},
    {"allocated", "", "allocated > 1M", order, no_modifiers, of<make::size, allocated_row>,
     with_spaces},
    {"private_size", "", "private_size > 1M", order, no_modifiers, of<make::size, private_size_row>,
     with_spaces},
    {"stat_size", "", "stat_size > 4096", order, no_modifiers, of<make::size, stat_size_row>,
     with_spaces},
    {"modified", "mtime,date,time", "modified < 7d", time_order, no_modifiers,
     of<make::time, modified_row>, with_spaces},
    {"created", "btime,birth", "created = today", time_order, no_modifiers,
     of<make::time, created_row>, with_spaces},
    {"accessed", "atime", "accessed > 1y", time_order, no_modifiers, of<make::time, accessed_row>,
     with_spaces},
    {"changed", "ctime", "changed < 1h", time_order, no_modifiers, of<make::time, changed_row>,
     with_spaces},
    {"added", "", "added = yesterday", time_order, no_modifiers, of<make::time, added_row>,
     with_spaces},
    {"last_opened", "", "last_opened > 1y", time_order, no_modifiers,
     of<make::time, last_opened_row>, with_spaces},
    {"deleted", "", "deleted > 30d", time_order, no_modifiers, of<make::time, deleted_row>,
     with_spaces},
    {"newer_than", "newer", "newer_than = Makefile", equal, no_modifiers, make::newer_than},
    {"older_than", "older", "older_than = Makefile", equal, no_modifiers, make::older_than},
    {"depth", "", "depth <= 3", order, no_modifiers, make::depth, with_spaces},
    {"owner", "user", "owner in (alice, 1000)", equal, no_modifiers, of<make::account, users>,
     list_of("a user")},
    {"group", "", "group = staff", equal, no_modifiers, of<make::account, groups>,
     list_of("a group")},
    {"uid", "", "uid >= 1000", order, no_modifiers, of<make::number, uid_row>, with_spaces},
    {"gid", "", "gid = 0", order, no_modifiers, of<make::number, gid_row>, with_spaces},
    {"perm", "permissions,mode", "perm any o+w", mode, no_modifiers, make::permissions},
    {"flags", "", "flags = uchg", equal, no_modifiers, make::flags, list_of("a flag")},
    {"path_length", "", "path_length > 255", order, no_modifiers, of<make::number, path_length_row>,
     with_spaces},
    {"links", "", "links >= 2", order, no_modifiers, of<make::number, links_row>, with_spaces},
    {"inode", "", "inode = 5", order, no_modifiers, of<make::number, inode_row>, with_spaces},
    {"same_file", "samefile", "same_file = /etc/hosts", equal, no_modifiers, make::same_file},
    {"target", "", "target starts with /nix", texts, pattern, of<make::texts, target_row>},
    {"target_type", "", "target_type = directory", equal, no_modifiers, make::target_type,
     list_of("a type")},
    {"fstype", "file_system", "fstype = nfs", texts, pattern, of<make::texts, fstype_row>},
    {"has", "", "has CACHEDIR.TAG", equal, no_modifiers, make::has, {.needs_no_operator = true}},
    {"tag", "tags", "tag = Red", texts, pattern, make::tag, list_of("a tag")},
    {"comment", "", "comment contains draft", texts, pattern, of<make::texts, comment_row>},
    {"where_from", "wherefrom", "where_from contains example.org", texts, pattern,
     of<make::texts, where_from_row>},
    {"type_code", "", "type_code = TEXT", texts, pattern, of<make::texts, type_code_row>},
    {"creator", "", "creator = ttxt", texts, pattern, of<make::texts, creator_row>},
    {"xattr",
     "attribute",
     "xattr user.origin contains example",
     texts,
     pattern,
     make::attribute,
     {.has_key = true}},
    {"contents", "content", "contents contains TODO", search, pattern | modifiers::binary,
     make::contents},
};

template <Needs need, bool Entry::*member>
bool loaded(Entry& entry) {
  return entry.require(need) && entry.*member;
}

template <FileFlags flags>
bool has_flag(Entry& entry) {
  return entry.require(needs::flags) && (entry.metadata.flags & flags) != 0;
}

template <bool FinderFlags::*member>
bool has_finder_flag(Entry& entry) {
  return entry.require(needs::finder) && entry.finder->flags.*member;
}

constexpr FileTypes file_types = bit_of(FileType::file);
constexpr FileTypes link_types = bit_of(FileType::symlink);

constexpr Flag flag_rows[] = {
    {.name = "true",
     .other_names = "everything",
     .special = [](const Meaning&) { return Expression::all({}); }},
    {.name = "false", .special = [](const Meaning&) { return Expression::any({}); }},
    {.name = "hidden",
     .special =
         [](const Meaning& meaning) {
           return Expression::of(hidden_test(meaning.context.hides_by_flag));
         }},
    // A file by its size, a directory by reading it. A file's size that could not be read makes
    // `empty` fail as well.
    {.name = "empty",
     .types = file_types | bit_of(FileType::directory),
     .need = needs::length | needs::empty,
     .cost = 2,
     .holds = loaded<needs::empty, &Entry::empty>,
     .may_hold =
         [](const Entry& entry) { return (entry.failed & (needs::type | needs::empty)) != 0; }},
    // By the mode, so also if this process may not execute the file; `runnable` is about that.
    {.name = "executable",
     .types = file_types,
     .need = needs::mode,
     .cost = 2,
     .holds =
         [](Entry& entry) {
           return entry.require(needs::mode) && (entry.metadata.mode & 0111U) != 0;
         }},
    // Occupies less than its size.
    {.name = "sparse",
     .need = needs::size,
     .cost = 2,
     .holds =
         [](Entry& entry) {
           return entry.require(needs::size) && entry.metadata.allocated < entry.metadata.size;
         }},
    // Protected from changes by a flag of the file system or of the Finder.
    {.name = "locked", .need = needs::flags, .cost = 2, .holds = has_flag<file_flags::locks>},
    // The contents, or the list of a directory, are only in a cloud (macOS).
    {.name = "dataless", .need = needs::flags, .cost = 2, .holds = has_flag<file_flags::dataless>},
    // There is an access control list that says more than the mode.
    {.name = "acl",
     .other_names = "has_acl",
     .need = needs::acl,
     .holds = [](Entry& entry) { return entry.require(needs::acl) && entry.acl != 0; }},
    // Not merged with target_type: it has a spelling of its own, which --explain shows.
    {.name = "broken",
     .types = link_types,
     .need = needs::target_type,
     .cost = 2,
     .holds =
         [](Entry& entry) {
           return entry.require(needs::target_type) && entry.target_type == FileType::unknown;
         }},
    // Not bound by the type: a followed link has that of its target.
    {.name = "is_link",
     .need = needs::type,
     .holds = [](Entry& entry) { return entry.via_link || is_of(entry, link_types); }},
    // The searcher sets Entry::loop of directories that are their own ancestors, only while links
    // are followed; of a link it is set with its target's type.
    {.name = "loop",
     .need = needs::type | needs::target_type,
     .cost = 2,
     .holds =
         [](Entry& entry) {
           return (!is_of(entry, link_types) || entry.require(needs::target_type)) && entry.loop;
         }},
    // Rights of this process as access(2) reports them, which depend on more than the mode: on the
    // real user, on access control lists and on read-only volumes.
    {.name = "readable",
     .need = needs::readable,
     .cost = 2,
     .holds = loaded<needs::readable, &Entry::readable>},
    {.name = "writable",
     .need = needs::writable,
     .cost = 2,
     .holds = loaded<needs::writable, &Entry::writable>},
    {.name = "runnable",
     .need = needs::runnable,
     .cost = 2,
     .holds = loaded<needs::runnable, &Entry::runnable>},
    // Not if some of the metadata failed, since a tag may be in that; but false if one was read.
    {.name = "untagged",
     .need = needs::finder,
     .holds =
         [](Entry& entry) {
           return entry.require(needs::finder) && (entry.failed & needs::finder) == 0 &&
                  entry.finder->tags.empty();
         },
     .may_hold =
         [](const Entry& entry) {
           return (entry.present & needs::finder) == 0 || entry.finder->tags.empty();
         }},
    {.name = "alias", .need = needs::finder, .holds = has_finder_flag<&FinderFlags::alias>},
    {.name = "invisible", .need = needs::finder, .holds = has_finder_flag<&FinderFlags::invisible>},
    {.name = "orphaned_owner",
     .special = [](const Meaning& meaning) { return make::orphaned(meaning, users); }},
    {.name = "orphaned_group",
     .special = [](const Meaning& meaning) { return make::orphaned(meaning, groups); }},
};

/// The test of a row.
class FlagTest final : public Test {
 public:
  explicit FlagTest(const Flag& row) : row_(row) {}

  bool holds(Entry& entry) const override { return is_of(entry, row_.types) && row_.holds(entry); }
  Needs needs() const override { return row_.need | needs_of(row_.types); }
  bool is_unknown(const Entry& entry) const override {
    return Test::is_unknown(entry) && (row_.may_hold == nullptr || row_.may_hold(entry));
  }
  int cost() const override { return row_.cost; }
  Bound bound() const override { return {.types = row_.types}; }
  std::string text() const override { return std::string(row_.name); }

 private:
  const Flag& row_;
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

std::shared_ptr<const Test> flag_test(std::string_view name) {
  return std::make_shared<FlagTest>(*find_flag(name));
}

Expression test_of_options(const Field& field, Comparison comparison,
                           const std::vector<std::string>& values, const text::ValueSource& source,
                           const Meaning& meaning) {
  // A deque, since the values point at its elements.
  std::deque<Typed> typed;
  for (const std::string& text : values) {
    const Value value{text, &typed.emplace_back(Typed{text, source})};
    const std::vector<Value> parts = field.syntax.list_of.empty()
                                         ? std::vector<Value>{value}
                                         : split_at_commas(value, field.syntax.list_of);
    comparison.values.insert(comparison.values.end(), parts.begin(), parts.end());
  }
  return field.make(comparison, meaning);
}

Expression Flag::make(const Meaning& meaning) const {
  return special != nullptr ? special(meaning) : Expression::of(std::make_shared<FlagTest>(*this));
}

namespace {

using text::Relation;

/// In order of the enumeration. `=` has no relation: a bare value is a granule or a whole day,
/// while `==` means the exact number.
constexpr OperatorRow operator_rows[] = {
    {"=", "=", ""},
    {"==", "==", "", Relation::equal},
    {"<", "<", "", Relation::less},
    {"<=", "<= =<", "", Relation::at_most},
    {">", ">", "", Relation::more},
    {">=", ">= =>", "", Relation::at_least},
    {"contains", "*=", "contains", {}, PatternKind::contains},
    {"starts with", "^=", "starts begins", {}, PatternKind::starts},
    {"ends with", "$=", "ends", {}, PatternKind::ends},
    {"glob", "", "glob like", {}, PatternKind::glob},
    {"~", "~ =~", "matches", {}, PatternKind::regex},
    {"all", "", "all"},
    {"any", "", "any"},
    {"after", "", "after", Relation::more},
    {"before", "", "before", Relation::less},
};

}  // namespace

const OperatorRow& row_of(Operator op) {
  return operator_rows[static_cast<std::size_t>(op)];
}

std::optional<Operator> find_operator(std::string_view OperatorRow::*list,
                                      std::string_view spelling) {
  for (std::size_t i = 0; i < std::size(operator_rows); ++i) {
    for (std::string_view rest = operator_rows[i].*list; !rest.empty();) {
      if (text::take_part(rest, ' ') == spelling) return static_cast<Operator>(i);
    }
  }
  return {};
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
