// SPDX-License-Identifier: MIT
// Growing the tree and drawing it, without recursion.
//
// Growing: add() finds the directory of a match (directory_at, by comparing with the path of the
// match before, then by place_of) and appends a node. Drawing: finish() adds up sizes from the last
// node to the first, then goes down with a stack of levels. Each level holds its sorted children
// and the length of the indentation that all of its lines share:
//
//     levels      {src: a.c x}  {x: b.c}
//     line        indentation of the level, a branch, the name
//
// So memory while drawing is that of the nodes on one way down, and lines are passed on by the
// buffer.
#include "output/tree.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "output/path_tree.h"
#include "output/pipeline.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

constexpr std::size_t tree_size_columns = 5;
constexpr std::string_view size_heading = "SIZE";
constexpr std::size_t time_columns = 16;
/// SGR of directories that only lead to a match.
constexpr std::string_view faint = "2";

constexpr TreeSigns boxes{"├── ", "└── ", "│   ", "    ", "…"};
constexpr TreeSigns ascii{"|-- ", "`-- ", "|   ", "    ", "..."};

}  // namespace

const TreeSigns& tree_signs(const OutputStyle& style) {
  return style.box_characters ? boxes : ascii;
}

std::size_t Tree::Hash::operator()(const Place& place) const {
  const std::size_t name = std::hash<std::string_view>()(place.name);
  return name ^ (place.directory + std::size_t{0x9E3779B9}) * std::size_t{0x85EBCA6B};
}

/// Only the first key of --sort decides. The Sorter, which then is the stage before, has applied
/// all of them to the matches; names are sorted here again, since directories that are no matches
/// themselves have to be put among them.
Tree::Tree(const OutputStyle& style, RecordStage& next) : style_(style), next_(next) {
  if (style.sort.empty()) return;
  const SortKey& first = style.sort.front();
  order_ = Order::arrival;
  if (first.field->name == "name") order_ = Order::natural;
  if (first.field->name == "path") order_ = Order::bytes;
  reversed_ = first.reversed && order_ != Order::arrival;
}

bool Tree::take(std::span<const Match> matches) {
  const std::lock_guard lock(mutex_);
  if (finished_) return false;
  for (const Match& match : matches) add(match);
  return true;
}

/// Adds a match below the directory that its path leads to. A directory may have been added before,
/// as the way to another match; files are always new, so they need no look-up.
void Tree::add(const Match& match) {
  const std::string_view root = root_of(match);
  const std::string_view relative = match.path.substr(match.root_size);
  const std::size_t slash = relative.rfind('/');
  const bool nested = slash != std::string_view::npos;
  const std::string_view above = nested ? relative.substr(0, slash) : std::string_view();
  const std::string_view name = nested ? relative.substr(slash + 1) : relative;
  const FileType type = match.identity.type;
  const Index directory = directory_at(root, above);
  Index node = directory;
  // The root itself matches.
  if (name.empty()) {
    write(nodes_[node], root, match.text);
  } else if (type == FileType::directory || type == FileType::unknown) {  // perhaps one
    node = place_of(directory, name);
    write(nodes_[node], name, match.text);
  } else {
    node = add_node(directory, name, match.text);
  }
  nodes_[node].found = true;
  nodes_[node].directory = type == FileType::directory;
  if (style_.tree_details) note_details(node, match);
}

/// Directories have no size of their own: they show the sum of the files below.
void Tree::note_details(Index node, const Match& match) {
  details_.resize(nodes_.size());
  Details& details = details_[node];
  details.size = match.size.value_or(0);
  const FileType type = match.identity.type;
  if (!match.size && type != FileType::directory) {
    details.unsized = type == FileType::file || type == FileType::unknown ? '?' : '-';
  }
  details.modified = match.modified;
}

void Tree::set_total(std::string_view root, std::string_view relative, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  const Index node = directory_at(root, relative);
  details_.resize(nodes_.size());
  details_[node].total = bytes;
}

void Tree::add_volume(std::string_view root, std::string_view relative, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  volumes_.push_back({std::string(root), std::string(relative), bytes});
}

void Tree::add_volumes() {
  for (const MountedVolume& volume : volumes_) {
    auto at = places_.find({none, volume.root});
    for (std::string_view rest = volume.relative; at != places_.end() && !rest.empty();) {
      const std::size_t size = std::min(rest.find('/'), rest.size());
      at = places_.find({at->second, rest.substr(0, size)});
      rest.remove_prefix(std::min(size + 1, rest.size()));
      if (at == places_.end() || !nodes_[at->second].found) continue;
      std::optional<std::uint64_t>& total = details_[at->second].total;
      total = total.value_or(0) + std::min(volume.bytes, UINT64_MAX - total.value_or(0));
    }
  }
}

/// Adds up sizes from below: a directory has a lower number than its children. Going from the last
/// node to the first, a directory is reached when all of its children are final. The sum stops at
/// the largest number. An entry of unknown type that has children is a directory: its question mark
/// is removed.
void Tree::add_up() {
  if (!style_.tree_details) return;
  details_.resize(nodes_.size());
  add_volumes();
  std::uint64_t largest = 0;
  for (std::size_t index = nodes_.size(); index-- > 0;) {
    Details& sum = details_[index];
    for (Index child = nodes_[index].last_child; child != none; child = nodes_[child].previous) {
      sum.size += std::min(details_[child].size, UINT64_MAX - sum.size);
      sum.unsized = '\0';
    }
    if (sum.total) sum.size = *sum.total;
    largest = std::max(largest, sum.size);
  }
  size_columns_ = style_.human_sizes ? tree_size_columns : std::to_string(largest).size();
  if (style_.for_people()) size_columns_ = std::max(size_columns_, size_heading.size());
}

void Tree::append_heading(std::string& out) const {
  out += shown_heading(
      text::format("{:>{}} {:{}} NAME\n", size_heading, size_columns_, "MODIFIED", time_columns),
      style_);
}

void Tree::append_details(std::string& out, Index node) {
  const Details& details = details_[node];
  std::string size;
  if (details.unsized != '\0') {
    size = details.unsized;
  } else if (style_.human_sizes) {
    text::append_human_size(size, details.size, text::SizeUnits::decimal);
  } else {
    text::append_number(size, details.size);
  }
  out.append(size_columns_ - std::min(size.size(), size_columns_), ' ') += size;
  out += ' ';
  if (details.modified) {
    text::append_local_minute(out, *details.modified, zone_);
  } else {
    out.append(time_columns - 1, ' ') += '-';
  }
  out += ' ';
}

/// Returns the directory at `relative` below `root`, and adds missing ones. Steps that the path
/// shares with that of the last match are kept.
Tree::Index Tree::directory_at(std::string_view root, std::string_view relative) {
  // Roots are nodes without a directory; the same one may come again after another.
  if (steps_.empty() || root != root_) {
    root_ = root;
    path_.clear();
    steps_ = {{0, place_of(none, root)}};
  }
  const std::size_t common = common_beginning(path_, relative);
  const auto is_shared = [&](const Step& step) {
    // The common beginning of "ab/c" and "abc" ends within a name: a step is shared if its name
    // ends there in both.
    return step.end == 0 ||
           (step.end <= common && (step.end == relative.size() || relative[step.end] == '/'));
  };
  while (!is_shared(steps_.back())) steps_.pop_back();
  path_.resize(steps_.back().end);
  path_ += relative.substr(path_.size());
  // The rest of the way is looked up name by name.
  while (steps_.back().end < path_.size()) {
    const std::size_t begin = steps_.back().end == 0 ? 0 : steps_.back().end + 1;
    const std::size_t end = std::min(path_.find('/', begin), path_.size());
    const std::string_view name = std::string_view(path_).substr(begin, end - begin);
    steps_.push_back({end, place_of(steps_.back().directory, name)});
  }
  return steps_.back().directory;
}

/// Returns the directory of that name, a new one if there is none.
Tree::Index Tree::place_of(Index directory, std::string_view name) {
  const auto found = places_.find({directory, name});
  if (found != places_.end()) return found->second;
  const Index node = add_node(directory, name);
  places_.emplace(Place{directory, {nodes_[node].name, name.size()}}, node);
  return node;
}

Tree::Index Tree::add_node(Index directory, std::string_view name, std::string_view shown) {
  const auto node = static_cast<Index>(nodes_.size());
  write(nodes_.emplace_back(), name, shown);
  Index& last = directory == none ? last_root_ : nodes_[directory].last_child;
  nodes_[node].previous = std::exchange(last, node);
  return node;
}

/// Keeps name and shown text one after the other. A node that was on the way to a match gets its
/// shown text when it turns out to be one itself.
void Tree::write(Node& node, std::string_view name, std::string_view shown) {
  // Nothing to add to a node that has its name.
  if (node.name != nullptr && shown.empty()) return;
  char* const kept = names_.allocate(name.size() + shown.size());
  std::copy(name.begin(), name.end(), kept);
  std::copy(shown.begin(), shown.end(), kept + name.size());
  node.name = kept;
  node.name_size = static_cast<std::uint32_t>(name.size());
  node.shown_size = static_cast<std::uint32_t>(shown.size());
}

void Tree::finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  add_up();
  places_.clear();
  std::string buffer;
  if (style_.tree_details && style_.for_people() && !nodes_.empty()) append_heading(buffer);
  bool wanted = true;
  for (const Index root : in_order(last_root_)) {
    if (directory_count_ + file_count_ > 0) buffer += '\n';
    if (style_.tree_details) append_details(buffer, root);
    draw(buffer, nodes_[root], true);
    wanted = draw_below(root, buffer);
    if (!wanted) break;
  }
  if (wanted && !nodes_.empty()) {
    buffer +=
        text::format("\n{} director{}, {} file{}\n", directory_count_,
                     directory_count_ == 1 ? "y" : "ies", file_count_, file_count_ == 1 ? "" : "s");
  }
  pass_on(buffer, 1);
}

/// Returns the children of one directory, of which `last` is the last that was added.
std::vector<Tree::Index> Tree::in_order(Index last) {
  std::vector<Index> nodes;
  for (Index node = last; node != none; node = nodes_[node].previous) nodes.push_back(node);
  std::reverse(nodes.begin(), nodes.end());
  if (order_ != Order::arrival) sort_by_name(nodes);
  if (reversed_) std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

/// Makes all keys of a directory in one string, then sorts views of them. By default and with
/// --sort name the key is the natural form, a NUL and the name, so that a2 comes before a10 and
/// names which differ in case only have a fixed order; with --sort path it is the name alone.
void Tree::sort_by_name(std::vector<Index>& nodes) const {
  struct Name {
    std::size_t key;
    std::size_t size;
    Index node;
  };
  std::string keys;
  std::string folded;
  std::vector<Name> names;
  names.reserve(nodes.size());
  for (const Index index : nodes) {
    const std::string_view name(nodes_[index].name, nodes_[index].name_size);
    const std::size_t start = keys.size();
    if (order_ == Order::natural) {
      text::append_natural_name(keys, name, folded);
      keys += '\0';
    }
    keys += name;
    names.push_back({start, keys.size() - start, index});
  }
  const auto key_of = [&](const Name& name) {
    return std::string_view(keys).substr(name.key, name.size);
  };
  std::sort(names.begin(), names.end(),
            [&](const Name& a, const Name& b) { return key_of(a) < key_of(b); });
  std::transform(names.begin(), names.end(), nodes.begin(),
                 [](const Name& name) { return name.node; });
}

/// Appends the name, and the end of the line, and counts the node. A node that is no match was made
/// from a path only: it is escaped here, is faint or, as a root, in the colour of directories, and
/// gets the slash that marks a directory.
void Tree::draw(std::string& line, const Node& node, bool is_root) {
  const bool is_directory = node.directory || node.last_child != none;
  ++(is_directory ? directory_count_ : file_count_);
  const std::string_view name(node.name, node.name_size);
  if (node.shown_size > 0) {
    line.append(node.name + node.name_size, node.shown_size);
  } else if (!node.found) {
    std::string escaped;
    const bool unfit = style_.escapes() && text::needs_escaping(name);
    if (unfit) text::append_escaped(escaped, name);
    const std::string_view text = unfit ? std::string_view(escaped) : name;
    if (style_.palette) {
      style_.palette->append_colored(line, is_root ? style_.palette->directory_color() : faint,
                                     text);
    } else {
      line += text;
    }
    if (style_.marks_directories && !name.ends_with('/')) line += '/';
  } else {
    line += name;
  }
  line += '\n';
}

/// Draws depth first with a stack of levels. Returns false if the next stage wants no more.
bool Tree::draw_below(Index root, std::string& buffer) {
  const TreeSigns& signs = tree_signs(style_);
  std::string indentation;
  std::vector<Level> levels;
  levels.push_back({in_order(nodes_[root].last_child), 0, 0});
  while (!levels.empty()) {
    Level& level = levels.back();
    indentation.resize(level.indentation);
    // The directory is drawn. Its parent continues with the next child.
    if (level.next == level.nodes.size()) {
      levels.pop_back();
      continue;
    }
    const Index index = level.nodes[level.next++];
    const Node& node = nodes_[index];
    const bool last = level.next == level.nodes.size();
    if (style_.tree_details) append_details(buffer, index);
    buffer += indentation;
    buffer += last ? signs.last : signs.one_of_many;
    draw(buffer, node, false);
    if (!pass_on(buffer, full_buffer)) return false;
    if (node.last_child == none) continue;
    indentation += last ? signs.beside_nothing : signs.beside_more;
    // This may move `level`, which is not used from here on.
    levels.push_back({in_order(node.last_child), 0, indentation.size()});
  }
  return true;
}

/// Passes on `buffer` once it has `enough` bytes. Returns false if no more are wanted.
bool Tree::pass_on(std::string& buffer, std::size_t enough) {
  if (buffer.size() < enough) return true;
  const bool taken = next_.take(buffer);
  buffer.clear();
  return taken;
}

// Sums of directories that were found

namespace {

/// Passes everything on to another lane, and adds up files by the block.
class SummingLane final : public Lane {
 public:
  SummingLane(std::unique_ptr<Lane> lane, FoundSums& sums) : lane_(std::move(lane)), sums_(sums) {}

  bool emit(Entry& entry) override {
    const bool taken = lane_->emit(entry);
    if (entry.type == FileType::directory) entry.own_space.emplace();  // it was found
    add(entry);
    return taken;
  }
  void pass(Entry& entry) override { add(entry); }
  void flush_if_due() override {
    pass_on();
    lane_->flush_if_due();
  }
  void flush() override {
    pass_on();
    lane_->flush();
  }
  Nanoseconds held_up() const override { return lane_->held_up(); }

  DirectoryToken enter(const Root& root) override { return sums_.enter(root); }
  DirectoryToken enter(DirectoryToken above, std::string_view name, const OwnSpace* own) override {
    return sums_.enter(above, name, own != nullptr);
  }

 private:
  /// Below no directory that was found, nothing is loaded.
  void add(Entry& entry) {
    if (entry.inside == 0) return;
    if (entry.inside != directory_) {
      pass_on();
      directory_ = entry.inside;
      counts_ = sums_.counts(directory_);
    }
    if (!counts_ || !entry.require(needs::type) || entry.type != FileType::file) return;
    if (!entry.require(needs::size)) return;
    bytes_ += std::min(entry.metadata.size, UINT64_MAX - bytes_);
  }

  void pass_on() {
    if (bytes_ > 0) sums_.add(directory_, bytes_);
    bytes_ = 0;
    directory_ = 0;  // it may be left after this, and its token is used again
  }

  const std::unique_ptr<Lane> lane_;
  FoundSums& sums_;
  DirectoryToken directory_ = 0;
  bool counts_ = false;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<Lane> FoundSums::follow(std::unique_ptr<Lane> lane) {
  return std::make_unique<SummingLane>(std::move(lane), *this);
}

DirectoryToken FoundSums::new_row(Row row) {
  const std::lock_guard lock(mutex_);
  row.counts = row.counts || row.found || (row.above != 0 && rows_[row.above].counts);
  if (free_.empty()) {
    rows_.push_back(std::move(row));
    return static_cast<DirectoryToken>(rows_.size() - 1);
  }
  const DirectoryToken token = free_.back();
  free_.pop_back();
  rows_[token] = std::move(row);
  return token;
}

DirectoryToken FoundSums::enter(const Root& root) {
  return new_row({.counts = !root.below.empty(), .root = &root, .name = root.below});
}

DirectoryToken FoundSums::enter(DirectoryToken above, std::string_view name, bool found) {
  return new_row({.above = above, .found = found, .name = std::string(name)});
}

bool FoundSums::counts(DirectoryToken directory) {
  const std::lock_guard lock(mutex_);
  return rows_[directory].counts;
}

void FoundSums::add(DirectoryToken directory, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  std::uint64_t& sum = rows_[directory].bytes;
  sum += std::min(bytes, UINT64_MAX - sum);
}

void FoundSums::leave(DirectoryToken directory) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[directory];
  if (row.above != 0) {
    std::uint64_t& sum = rows_[row.above].bytes;
    sum += std::min(row.bytes, UINT64_MAX - sum);
  }
  if (row.root != nullptr && !row.root->below.empty()) {
    tree_.add_volume(named_root(*row.root), row.root->below, row.bytes);
  }
  if (row.found) {
    std::vector<std::string_view> names;
    DirectoryToken at = directory;
    for (; rows_[at].above != 0; at = rows_[at].above) names.push_back(rows_[at].name);
    const Root& root = *rows_[at].root;
    std::string relative = root.below;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
      if (!relative.empty()) relative += '/';
      relative += *name;
    }
    tree_.set_total(named_root(root), relative, row.bytes);
  }
  row = {};
  free_.push_back(directory);
}

}  // namespace ffind::output
