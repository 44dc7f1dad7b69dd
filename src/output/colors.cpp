// SPDX-License-Identifier: MIT
// The parser of LS_COLORS, the standard palette, and the precedence of keys.
//
//     LS_COLORS="di=01;34:*.tar=31:ex="
//       Reader ─▶ LsColors   directory "01;34", executable "", suffixes {".tar", "31"}
//              ─▶ Palette    needs of each type, worked out once: here no mode, since ex is empty
//       color_of(entry)      key of the type and mode ─▶ its colour, or that of `no`, or none
//
// The rules are those of GNU ls (ls.c: parse_ls_color, get_color_indicator), with two exceptions.
// If several suffixes match, ls takes the last one in the variable, here the longest counts. If the
// variable cannot be parsed, ls has no colours, here it counts as not set. Metadata is only loaded
// if a key that depends on it has a colour.
#include "output/colors.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "os/dirent_block.h"
#include "output/record_fields.h"
#include "text/ascii.h"

namespace ffind::output {

/// In the order of key_names.
enum class ColorKey : std::uint8_t {
  left,   ///< text before a colour
  right,  ///< text after a colour
  end,    ///< text that goes back to normal, if it is not lc rs rc
  reset,
  normal,
  file,
  directory,
  link,
  fifo,
  socket,
  block,
  character,
  missing,
  orphan,
  executable,
  set_user_id,
  set_group_id,
  sticky,
  other_writable,
  sticky_other_writable,
  capability,
  hard_links,
};

/// Other keys, such as those of a newer dircolors, are ignored.
constexpr std::string_view key_names[] = {"lc", "rc", "ec", "rs", "no", "fi", "di", "ln",
                                          "pi", "so", "bd", "cd", "mi", "or", "ex", "su",
                                          "sg", "st", "ow", "tw", "ca", "mh"};

/// The colour of names with a suffix; in small letters, unless its case counts.
struct SuffixColor {
  std::string suffix;
  std::string color;
  bool case_counts;
};

/// By the last byte of a name in small letters; the longest suffixes first.
using SuffixColors = std::array<std::vector<SuffixColor>, 256>;

struct LsColors {
  /// By key; nullopt if not set, which differs from set to nothing.
  std::array<std::optional<std::string>, std::size(key_names)> colors{};
  std::map<std::string, std::string> suffixes{};  ///< as typed; the last of equal ones counts
  SuffixColors by_last_byte{};

  std::optional<std::string>& operator[](ColorKey key) {
    return colors[static_cast<std::size_t>(key)];
  }
  const std::optional<std::string>& operator[](ColorKey key) const {
    return colors[static_cast<std::size_t>(key)];
  }
};

namespace {

// st_mode, the same on every system that has it.
constexpr std::uint32_t set_user_id_bit = 04000;
constexpr std::uint32_t set_group_id_bit = 02000;
constexpr std::uint32_t sticky_bit = 01000;
constexpr std::uint32_t other_writable_bit = 0002;
constexpr std::uint32_t executable_bits = 0111;

/// Takes keys and texts out of the variable, from left to right. Escapes are those of ls: \n, \e,
/// \033, \x1b, \_ for a blank, \? for DEL, ^[ for a control character.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return at_ == text_.size(); }
  bool take(char wanted) {
    if (done() || text_[at_] != wanted) return false;
    at_ += 1;
    return true;
  }
  /// The two bytes of a key; fewer at the end.
  std::string_view take_key() {
    const std::string_view key = text_.substr(at_, 2);
    at_ += key.size();
    return key;
  }
  /// Takes text up to ':' or, for a suffix, '='. Returns false if an escape is broken.
  bool take_text(bool is_suffix, std::string& out) {
    while (!done() && text_[at_] != ':' && !(is_suffix && text_[at_] == '=')) {
      const char c = text_[at_++];
      if (c == '\\') {
        if (!take_backslash(out)) return false;
      } else if (c == '^') {
        if (!take_caret(out)) return false;
      } else {
        out += c;
      }
    }
    return true;
  }

 private:
  bool take_backslash(std::string& out) {
    constexpr std::string_view letters = "abefnrtv?_";
    constexpr std::string_view meanings = "\a\b\x1b\f\n\r\t\v\x7f ";
    if (done()) return false;
    const char c = text_[at_];
    const std::size_t known = letters.find(c);
    if (!text::is_octal(c)) at_ += 1;  // else it is the first digit
    if (text::is_octal(c)) {
      out += take_number(8);
    } else if (c == 'x' || c == 'X') {
      out += take_number(16);
    } else {
      // Others mean themselves: ':', '=', '\' and '^' among them.
      out += known == std::string_view::npos ? c : meanings[known];
    }
    return true;
  }

  /// Takes all digits, of which the last eight bits count, as ls does.
  char take_number(unsigned base) {
    unsigned value = 0;
    for (; !done(); ++at_) {
      const auto digit = text::hex_value(text_[at_]);
      if (!digit || *digit >= base) break;
      value = (value * base + *digit) & 0xFFU;
    }
    return static_cast<char>(value);
  }

  bool take_caret(std::string& out) {
    if (done()) return false;
    const char c = text_[at_++];
    if (c >= '@' && c <= '~') {
      out += static_cast<char>(c & 0x1F);
    } else if (c == '?') {
      out += '\x7f';
    } else {
      return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// *SUFFIX=COLOUR or KEY=COLOUR, of which the last of several counts. Returns false if a part is
/// missing.
bool read_rule(Reader& reader, LsColors& colors) {
  const bool is_suffix = reader.take('*');
  std::string key;
  std::string color;
  if (!is_suffix) key = reader.take_key();
  if (is_suffix && !reader.take_text(true, key)) return false;
  if (!reader.take('=') || !reader.take_text(false, color)) return false;
  if (is_suffix) colors.suffixes[key] = color;
  for (std::size_t i = 0; !is_suffix && i < std::size(key_names); ++i) {
    if (key_names[i] == key) colors.colors[i] = color;
  }
  return true;
}

/// Adds the keys of `text` to `colors`. Returns false if it cannot be parsed.
bool read_ls_colors(std::string_view text, LsColors& colors) {
  Reader reader(text);
  while (!reader.done()) {
    // Empty rules, as in "a=1::b=2", are allowed.
    if (!reader.take(':') && !read_rule(reader, colors)) return false;
  }
  return true;
}

/// Returns the defaults that ls has before it reads LS_COLORS: with `*.c=31` alone, directories
/// stay blue. Keys that are not here have no colour of their own.
LsColors built_in() {
  LsColors colors;
  read_ls_colors(
      "lc=\\e[:rc=m:rs=0:di=01;34:ln=01;36:pi=33:so=01;35:bd=01;33:cd=01;33:ex=01;32:"
      "su=37;41:sg=30;43:st=37;44:ow=34;42:tw=30;42",
      colors);
  return colors;
}

/// Extensions with one colour, in the classes that dircolors has.
struct Kind {
  std::string_view color;
  std::string_view extensions;  ///< with a space after each
};

constexpr Kind standard_kinds[] = {
    {"01;31",
     "7z ace apk ar arj br bz bz2 cab cpio crate deb dmg ear gz iso jar lha lz lz4 lzma lzo pkg "
     "rar rpm sar swm tar taz tbz tbz2 tgz tlz txz tz tzo tzst udeb war whl wim xz z zip zoo zpaq "
     "zst "},
    {"01;35",
     "avi avif bmp cgm dng emf flv gif heic heif ico jpeg jpg jxl m2v m4v mjpeg mjpg mkv mng mov "
     "mp4 mpeg mpg ogm ogv pbm pcx pgm png ppm psd qt raw rm rmvb svg svgz tga tif tiff vob webm "
     "webp wmv xbm xcf xpm "},
    {"00;36",
     "aac aiff alac ape au flac m4a mid midi mka mp3 mpc oga ogg opus ra spx wav wma xspf "},
    {"00;90", "bak crdownload old orig part rej swp tmp "},
};

/// True for a colour whose codes ls would print to no effect. ls treats these as no colour at all
/// (is_colored in ls.c), so such a key does not hide a later one.
bool says_nothing(std::string_view color) {
  return color.empty() || color == "0" || color == "00";
}

/// Case counts only if a suffix is given in several cases with different colours, as in
/// *.c=31:*.C=32.
SuffixColors sorted_suffixes(const std::map<std::string, std::string>& suffixes) {
  std::map<std::string, std::set<std::string>> colors;
  for (const auto& [suffix, color] : suffixes) colors[text::fold_ascii(suffix)].insert(color);
  SuffixColors sorted;
  for (const auto& [suffix, color] : suffixes) {
    const std::string small = text::fold_ascii(suffix);
    const bool case_counts = colors[small].size() > 1;
    for (std::size_t last = 0; last < sorted.size(); ++last) {
      // The empty suffix, from a rule `*=31`, fits every last byte.
      const bool fits = small.empty() || static_cast<unsigned char>(small.back()) == last;
      if (fits) sorted[last].push_back({case_counts ? suffix : small, color, case_counts});
    }
  }
  // .tar.gz wins over .gz, whatever their order in the variable.
  for (std::vector<SuffixColor>& one : sorted) {
    std::stable_sort(one.begin(), one.end(), [](const SuffixColor& a, const SuffixColor& b) {
      return a.suffix.size() > b.suffix.size();
    });
  }
  return sorted;
}

/// Null if no suffix matches.
const std::string* color_by_suffix(const SuffixColors& suffixes, std::string_view name) {
  const char last = name.empty() ? '\0' : text::fold_ascii(name.back());
  for (const SuffixColor& rule : suffixes[static_cast<unsigned char>(last)]) {
    if (rule.suffix.size() > name.size()) continue;
    const std::string_view end = name.substr(name.size() - rule.suffix.size());
    const bool fits = rule.case_counts
                          ? end == rule.suffix
                          : std::equal(end.begin(), end.end(), rule.suffix.begin(),
                                       [](char a, char b) { return text::fold_ascii(a) == b; });
    if (fits) return &rule.color;
  }
  return nullptr;
}

}  // namespace

Palette Palette::parse(std::string_view ls_colors) {
  if (ls_colors.empty()) return standard();
  LsColors colors = built_in();
  // ls prints a warning and does without colours. The user wants colours and not an opinion
  // on a variable that another program wrote; taking the half that could be read would be worse,
  // since where it breaks off is an accident.
  if (!read_ls_colors(ls_colors, colors)) return standard();
  return Palette(std::move(colors));
}

/// The built-in colours of ls, those that differ in the database of dircolors, and the suffixes of
/// archives, pictures, sounds and backups.
Palette Palette::standard() {
  LsColors colors = built_in();
  read_ls_colors("pi=40;33:bd=40;33;01:cd=40;33;01:or=40;31;01:*~=00;90:*#=00;90", colors);
  for (const Kind& kind : standard_kinds) {
    std::string_view left = kind.extensions;
    while (!left.empty()) {
      colors.suffixes["." + std::string(text::take_part(left, ' '))] = kind.color;
    }
  }
  return Palette(std::move(colors));
}

Palette::Palette(LsColors colors) {
  using K = ColorKey;
  // ln=target: a link has the colour of the file that it leads to.
  if (colors[K::link] == "target") {
    link_as_target_ = true;
    colors[K::link].reset();
  }
  left_ = colors[K::left].value_or("");
  right_ = colors[K::right].value_or("");
  end_ = colors[K::end] ? *colors[K::end] : left_ + colors[K::reset].value_or("") + right_;
  colors.by_last_byte = sorted_suffixes(std::exchange(colors.suffixes, {}));
  colors_ = std::make_shared<const LsColors>(std::move(colors));

  // A mode costs a stat of each file, so it is only required if it can make a difference.
  if (is_colored(K::set_user_id) || is_colored(K::set_group_id) || is_colored(K::executable)) {
    file_needs_ |= needs::mode;
  }
  if (is_colored(K::capability)) file_needs_ |= needs::capabilities;
  if (is_colored(K::hard_links)) file_needs_ |= needs::links;
  if (is_colored(K::sticky_other_writable) || is_colored(K::other_writable) ||
      is_colored(K::sticky)) {
    directory_needs_ |= needs::mode;
  }
  if (link_as_target_ || is_colored(K::orphan)) link_needs_ |= needs::target_mode;
}

Needs Palette::needs() const {
  return needs::type | file_needs_ | directory_needs_ | link_needs_;
}

Needs Palette::needs_for(FileType type) const {
  if (type == FileType::unknown) return needs();
  if (type == FileType::file) return needs::type | file_needs_;
  if (type == FileType::directory) return needs::type | directory_needs_;
  return needs::type | (type == FileType::symlink ? link_needs_ : needs::none);
}

bool Palette::is_colored(ColorKey key) const {
  const std::optional<std::string>& color = (*colors_)[key];
  return color && !says_nothing(*color);
}

std::string_view Palette::color(ColorKey key) const {
  // A missing key falls back to the colour of everything, one that was set to nothing does not.
  const ColorKey used = (*colors_)[key] ? key : ColorKey::normal;
  return is_colored(used) ? std::string_view(*(*colors_)[used]) : std::string_view{};
}

/// A suffix only counts for files without a more special key: an executable x.tar is coloured as
/// executable, as in ls.
std::string_view Palette::color(ColorKey key, std::string_view name) const {
  if (key == ColorKey::file) {
    if (const std::string* by_suffix = color_by_suffix(colors_->by_last_byte, name)) {
      return says_nothing(*by_suffix) ? std::string_view{} : std::string_view(*by_suffix);
    }
  }
  return color(key);
}

/// Precedence of ls: setuid, setgid, capability, executable, hard links. A key without colour is
/// skipped.
ColorKey Palette::key_of_file(std::uint32_t mode, bool capabilities, std::uint32_t links) const {
  using K = ColorKey;
  if ((mode & set_user_id_bit) != 0 && is_colored(K::set_user_id)) return K::set_user_id;
  if ((mode & set_group_id_bit) != 0 && is_colored(K::set_group_id)) return K::set_group_id;
  if (capabilities && is_colored(K::capability)) return K::capability;
  if ((mode & executable_bits) != 0 && is_colored(K::executable)) return K::executable;
  if (links > 1 && is_colored(K::hard_links)) return K::hard_links;
  return K::file;
}

/// `tw` needs both bits, and comes before `ow` and `st`.
ColorKey Palette::key_of_directory(std::uint32_t mode) const {
  using K = ColorKey;
  const bool is_sticky = (mode & sticky_bit) != 0;
  const bool is_writable = (mode & other_writable_bit) != 0;
  if (is_sticky && is_writable && is_colored(K::sticky_other_writable)) {
    return K::sticky_other_writable;
  }
  if (is_writable && is_colored(K::other_writable)) return K::other_writable;
  if (is_sticky && is_colored(K::sticky)) return K::sticky;
  return K::directory;
}

ColorKey Palette::key_of(FileType type, std::uint32_t mode, bool capabilities,
                         std::uint32_t links) const {
  using K = ColorKey;
  if (type == FileType::file) return key_of_file(mode, capabilities, links);
  if (type == FileType::directory) return key_of_directory(mode);
  // By FileType.
  constexpr K keys[] = {K::orphan, K::file,   K::directory, K::link,
                        K::fifo,   K::socket, K::block,     K::character};
  return keys[static_cast<std::size_t>(type)];
}

std::string_view Palette::color_of(const Entry& entry) const {
  using K = ColorKey;
  // Nothing is loaded here: what is missing counts as having no influence.
  const auto has = [&entry](Needs what) { return (entry.present & what) != 0; };
  if (entry.type == FileType::symlink) {
    // The link is broken: `or`, if it has a colour.
    if ((entry.failed & needs::target_mode) != 0) {
      return color(link_as_target_ || is_colored(K::orphan) ? K::orphan : K::link);
    }
    if (link_as_target_ && has(needs::target_mode)) return color_of_mode(entry, entry.name);
  }
  // Listed, but of unknown type: it has most likely been removed meanwhile.
  if (entry.type == FileType::unknown && is_colored(K::missing)) return color(K::missing);
  return color(key_of(entry.type, has(needs::mode) ? entry.metadata.mode : 0,
                      has(needs::capabilities) && entry.capabilities,
                      has(needs::links) ? entry.metadata.links : 1),
               entry.name);
}

/// By the mode of a link's target. Its capabilities and links would be one more call each.
std::string_view Palette::color_of_mode(const Entry& entry, std::string_view name) const {
  const std::uint32_t mode = entry.target_mode;
  return color(key_of(os::type_of_mode(mode), mode, false, 1), name);
}

std::string_view Palette::directory_color() const {
  return color(ColorKey::directory);
}

std::string_view Palette::color_of_target(const Entry& entry) const {
  if ((entry.present & needs::target_mode) != 0) {
    return color_of_mode(entry, entry.target);
  }
  return color(is_colored(ColorKey::missing) ? ColorKey::missing : ColorKey::orphan);
}

void Palette::append_colored(std::string& out, std::string_view color, std::string_view text,
                             bool escapes) const {
  if (color.empty()) return append_text(out, text, escapes);
  out.append(left_).append(color).append(right_);
  append_text(out, text, escapes);
  out += end_;
}

}  // namespace ffind::output
