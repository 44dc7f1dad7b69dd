// SPDX-License-Identifier: MIT
// The formats, each a class: TextRecord (a path a line), JsonRecord (an object of the requested
// fields; the schema is man/ffind.schema.json), CsvRecord (a line of them), LongRecord (-l). All of
// it runs for every match, so texts are put together in members, whose memory serves for all
// matches of a lane.
//
// PathText writes the path of the first and the last of these, in the nested order
//
//     link begin · directories in their colour · name in its colour · slash · link end
//
// of which each part but the name is optional. Directory and name are escaped before they are
// coloured, so that the only control sequences in a record are those that are added here.
#include "output/records.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "output/find_steps.h"
#include "output/output_style.h"
#include "output/record_fields.h"
#include "text/ascii.h"
#include "text/data_row.h"
#include "text/format.h"
#include "text/permissions.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/times.h"

namespace ffind::output {
namespace {

/// OSC 8 without an address, which ends a link.
constexpr std::string_view hyperlink_end = "\033]8;;\033\\";

/// Begins a link that a terminal opens when it is clicked (OSC 8), to `path` on `host`. The host is
/// part of the address, so that a terminal at the other end of an ssh connection does not open a
/// file of its own.
void append_hyperlink(std::string& out, std::string_view host, std::string_view path) {
  out += "\033]8;;file://";
  text::append_percent_encoded(out, host);
  text::append_percent_encoded(out, path);
  out += "\033\\";
}

/// Writes paths for people. Belongs to one thread. `style` outlives it.
class PathText {
 public:
  explicit PathText(const OutputStyle& style) : style_(style), escapes_(style.escapes()) {}

  /// The type and the mode are for colours and the slash; the absolute path is for the link alone.
  Needs needs() const {
    return (style_.marks_directories ? needs::type : needs::none) |
           (style_.palette ? style_.palette->needs() : needs::none) |
           (style_.link_host ? needs::absolute_path : needs::none);
  }

  void append(std::string& out, Entry& entry) {
    if (is_plain_) {
      append_path(out, entry);
    } else {
      append_shown(out, entry);
    }
  }

  /// Appends the target of a symbolic link, in the colour of the file that it leads to.
  void append_target(std::string& out, Entry& entry) {
    if (!style_.palette) return append_text(out, entry.target, escapes_);
    // One more stat for each link; if it fails, the palette takes the link for a broken one.
    entry.require(needs::target_mode);
    const Palette& palette = *style_.palette;
    palette.append_colored(out, palette.color_of_target(entry), entry.target, escapes_);
  }

 private:
  void append_shown(std::string& out, Entry& entry) {
    const bool linked = style_.link_host && begin_link(out, entry);
    if (style_.path_template) {
      path_.clear();
      append_path(path_, entry);
      std::string text;
      std::string_view no_values;
      style_.path_template->append(text, path_, no_values);
      append_text(out, text, escapes_);
    } else if (style_.palette) {
      append_colored(out, entry, *style_.palette);
    } else {
      path_.clear();
      append_path(path_, entry);
      append_text(out, separated(path_), escapes_);
    }
    // After the name and not in its colour, as in `ls -F --color`.
    const bool marks = style_.marks_directories && entry.require(needs::type);
    if (marks && entry.type == FileType::directory) append_separated(out, "/", style_.separator);
    if (linked) out += hyperlink_end;
  }

  /// Colours the directories in one piece and then the name, as fd does. The palette looks at
  /// loaded metadata only, so that which may decide is required first.
  void append_colored(std::string& out, Entry& entry, const Palette& palette) {
    entry.require(palette.needs_for(entry.type));
    path_.clear();
    append_path(path_, entry);
    const std::string_view path = path_;
    const std::string_view directory = path.substr(0, path.size() - entry.name.size());
    if (!directory.empty()) {
      palette.append_colored(out, palette.directory_color(), separated(directory), escapes_);
    }
    palette.append_colored(out, palette.color_of(entry), entry.name, escapes_);
  }

  /// Valid until the next call.
  std::string_view separated(std::string_view path) {
    if (style_.separator.empty()) return path;
    separated_.clear();
    append_separated(separated_, path, style_.separator);
    return separated_;
  }

  /// Returns false if the absolute path is unknown: the path is printed without a link then.
  bool begin_link(std::string& out, Entry& entry) const {
    if (!entry.require(needs::absolute_path)) return false;
    append_hyperlink(out, *style_.link_host, entry.absolute_path);
    return true;
  }

  const OutputStyle& style_;
  const bool escapes_;
  /// The path alone, byte for byte: most searches into a pipe. Asked once, since all the questions
  /// take 50 instructions an entry, 6 % of a list.
  const bool is_plain_ = !escapes_ && !style_.link_host && !style_.path_template &&
                         !style_.palette && style_.separator.empty() && !style_.marks_directories;
  std::string path_;
  std::string separated_;
};

/// An object a line. The keys are quoted once, when the format is made; names of fields need no
/// escapes. A value that is not UTF-8 gets a second member with its exact bytes:
///
///     "name":"caf<U+FFFD>","name_b64":"Y2Fm6Q=="
class JsonRecord final : public RecordFormat {
 public:
  explicit JsonRecord(const OutputStyle& style) : scratch_{style.accounts} {
    for (const DataColumn& column : style.columns) {
      members_.push_back({column.field, '"' + std::string(column.field->name) + "\":"});
      needs_ |= column.field->needs;
    }
  }

  Needs needs() const override { return needs_; }

  void append(std::string& out, Entry& entry) override {
    out += '{';
    for (const Member& member : members_) {
      const FieldValue value = member.field->read(entry, scratch_);
      if (!value.known) continue;  // left out, never 0 or null
      out += member.key;
      if (!append_json_value(out, member.field->sort, value)) {
        out += ",\"";
        out += member.field->name;
        out += "_b64\":\"";
        text::append_base64(out, value.text);
        out += '"';
      }
      out += ',';
    }
    // Each member appends its comma: the first one may be unknown and left out.
    if (out.back() == ',') out.pop_back();
    out += "}\n";
  }

 private:
  /// A requested field, in the order in which they are written.
  struct Member {
    const RecordField* field;
    std::string key;  ///< with its quotes and colon
  };

  std::vector<Member> members_;
  Needs needs_ = needs::none;
  FieldScratch scratch_;
};

/// A line of exactly the columns that were named, with cells as in NDJSON but for lists, which have
/// commas.
class CsvRecord final : public RecordFormat {
 public:
  explicit CsvRecord(const OutputStyle& style)
      : form_(style.row_form()), writer_(style.accounts, false) {
    for (const auto& [field, is_base64] : style.columns) {
      const char* const conversion = is_base64                        ? ":b64"
                                     : field->sort == ValueSort::time ? ":rfc"
                                                                      : "";
      columns_.push_back({parse_inner_field(std::string(field->name) + conversion, 0),
                          std::string(field->name) + (is_base64 ? "_b64" : "")});
      needs_ |= field->needs;
    }
  }

  Needs needs() const override { return needs_; }

  void append(std::string& out, Entry& entry) override {
    text::DataRow row(out, form_);
    for (const Column& column : columns_) {
      cell_.clear();
      writer_.append(cell_, column.field, entry);
      row.add(column.heading, cell_);
    }
    row.end();
  }

  std::string heading() const override {
    std::string line;
    text::DataRow row(line, form_, true);
    for (const Column& column : columns_) row.add(column.heading, std::string_view());
    row.end();
    return line;
  }

 private:
  struct Column {
    TemplateField field;
    std::string heading;
  };

  const text::RowForm form_;
  std::vector<Column> columns_;
  Needs needs_ = needs::none;
  FieldWriter writer_;
  std::string cell_;
};

constexpr std::string_view unknown_value = "?";
/// Widths of sizes such as 999k and 1.2M, and of sizes up to 9 GB in bytes.
constexpr std::size_t human_size_columns = 5;
constexpr std::size_t exact_size_columns = 10;
/// All are results of one stat; the target of a link is one more call, for links only.
constexpr Needs columns_needs = needs::type | needs::length | needs::modified;
constexpr Needs permissions_needs = needs::mode | needs::links | needs::owner;

/// A view of `number`, which must outlive it.
std::string_view in_digits(const fmt::format_int& number) {
  return {number.data(), number.size()};
}

/// Size, time (of an entry of a Trash that of its deletion), path and the target of a symbolic
/// link; with -ll type and permissions, links, owner and group before them. Records are written as
/// they are found, so the widest value of a column is unknown: each column has a width that nearly
/// all values fit into, and a wider one pushes its own line to the right.
///      1.2k    3 h ago etc/hosts
///     -rw-r--r--   1 root     wheel     1.2k 2026-01-31 12:00 etc/hosts
///     MODE       LNK OWNER    GROUP     SIZE MODIFIED         PATH
class LongRecord final : public RecordFormat {
 public:
  explicit LongRecord(const OutputStyle& style)
      : modified_(*find_record_field(style.of_trash ? "deleted" : "modified")),
        owner_(*find_record_field("owner")),
        group_(*find_record_field("group")),
        style_(style),
        has_permissions_(style.has_permissions),
        time_(style.has_permissions ? std::nullopt : style.ages_from()),
        needs_(columns_needs | modified_.needs |
               (style.has_permissions ? permissions_needs : needs::none)),
        size_columns_(style.human_sizes ? human_size_columns : exact_size_columns),
        path_(style),
        scratch_{style.accounts} {}

  Needs needs() const override { return needs_ | needs::target | path_.needs(); }

  void append(std::string& out, Entry& entry) override {
    // One call for all columns. Each column requires its own part again, which costs nothing.
    entry.require(needs_);
    if (has_permissions_) {
      append_mode(out, entry);
      out += ' ';
      append_links(out, entry);
      out += ' ';
      append_account(out, entry, owner_, &Metadata::uid);
      out += ' ';
      append_account(out, entry, group_, &Metadata::gid);
      out += ' ';
    }
    append_size(out, entry);
    out += ' ';
    const FieldValue time = modified_.read(entry, scratch_);
    time_.append(out, time.known ? std::optional(time.time) : std::nullopt, unknown_value);
    out += ' ';
    path_.append(out, entry);
    if (entry.type == FileType::symlink && entry.require(needs::target)) {
      out += " -> ";
      path_.append_target(out, entry);
    }
    out += style_.end;
  }

  std::string heading() const override {
    return text::format("{}{:>{}} {:{}} PATH\n",
                        has_permissions_ ? "MODE       LNK OWNER    GROUP    " : "", "SIZE",
                        size_columns_, style_.of_trash ? "DELETED" : "MODIFIED", time_.width());
  }

 private:
  void append_mode(std::string& out, Entry& entry) const {
    if (entry.require(needs::mode)) {
      text::append_mode_letters(out, entry.metadata.mode);
    } else {
      out += text::type_letter(entry.type);  // the directory may know that much
      out.append(9, unknown_value.front());
    }
  }

  void append_links(std::string& out, Entry& entry) const {
    if (!entry.require(needs::links))
      return append_aligned(out, unknown_value, Alignment::right, 3);
    append_aligned(out, in_digits(fmt::format_int(entry.metadata.links)), Alignment::right, 3);
  }

  /// Appends the account's name, or its number if it has none.
  void append_account(std::string& out, Entry& entry, const RecordField& name,
                      std::uint32_t Metadata::*number) {
    const FieldValue value = name.read(entry, scratch_);
    if (!value.known && !entry.require(name.needs)) {
      return append_aligned(out, unknown_value, Alignment::left, 8);
    }
    if (!value.known) {
      return append_aligned(out, in_digits(fmt::format_int(entry.metadata.*number)),
                            Alignment::left, 8);
    }
    std::string_view shown = value.text;
    if (style_.escapes() && text::needs_escaping(shown)) {
      cell_.clear();
      text::append_escaped(cell_, shown);
      shown = cell_;
    }
    append_aligned(out, shown, Alignment::left, 8);
  }

  void append_size(std::string& out, Entry& entry) {
    cell_.clear();
    if (entry.type == FileType::block || entry.type == FileType::character) {
      // POSIX defines no st_size for devices.
      cell_ = "-";
    } else if (!entry.require(needs::length)) {
      cell_ = unknown_value;
    } else {
      cell_ = shown_size(entry.metadata.size, style_.human_sizes);
    }
    append_aligned(out, cell_, Alignment::right, size_columns_);
  }

  const RecordField& modified_;
  const RecordField& owner_;
  const RecordField& group_;
  const OutputStyle& style_;
  const bool has_permissions_;
  TimeColumn time_;
  const Needs needs_;
  const std::size_t size_columns_;
  PathText path_;
  FieldScratch scratch_;
  std::string cell_;
};

/// Expands a template for one match after the other. The writer's buffers are kept, so that no
/// memory is allocated for most records.
class TemplateRecord final : public RecordFormat {
 public:
  explicit TemplateRecord(const OutputStyle& style)
      : style_(style), writer_(style.accounts, style.escapes()) {
    for (const Template::Part& part : style.record_template->parts)
      needs_ |= part.field.field->needs;
  }

  Needs needs() const override { return needs_; }
  void append(std::string& out, Entry& entry) override {
    for (const Template::Part& part : style_.record_template->parts) {
      out += part.before;
      writer_.append(out, part.field, entry);
    }
    out += style_.record_template->end;
    out += style_.end;
  }

 private:
  const OutputStyle& style_;
  FieldWriter writer_;
  Needs needs_ = needs::none;
};

/// One path a line, or one path and a NUL.
class TextRecord final : public RecordFormat {
 public:
  explicit TextRecord(const OutputStyle& style)
      : path_(style), end_(style.format == Format::null ? '\0' : style.end) {}

  Needs needs() const override { return path_.needs(); }
  void append(std::string& out, Entry& entry) override {
    path_.append(out, entry);
    out += end_;
  }

 private:
  PathText path_;
  const char end_;
};

}  // namespace

std::unique_ptr<RecordFormat> make_record_format(const OutputStyle& style) {
  switch (style.format) {
    case Format::text:
    case Format::null:
      return std::make_unique<TextRecord>(style);
    case Format::json:
      return std::make_unique<JsonRecord>(style);
    case Format::csv:
      return std::make_unique<CsvRecord>(style);
    case Format::templated:
      return std::make_unique<TemplateRecord>(style);
    case Format::of_find:
      return make_find_record(style);
    case Format::details:
      return std::make_unique<LongRecord>(style);
    case Format::tree:
    case Format::removal:
    case Format::nothing:
      break;
  }
  return nullptr;
}

}  // namespace ffind::output
