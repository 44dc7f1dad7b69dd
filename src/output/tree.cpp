// SPDX-License-Identifier: MIT
// Growing the tree and drawing it. add() finds the directory of a match and appends a node.
// finish() adds up sizes from the last node to the first, then draws: children are sorted when they
// are drawn, so memory is that of the nodes on one way down.
#include "output/tree.h"

#include <algorithm>
#include <utility>

#include "output/directory_sums.h"
#include "output/messages.h"
#include "output/pipeline.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

constexpr std::size_t tree_size_columns = 5;
constexpr std::string_view size_heading = "SIZE";
/// SGR of directories that only lead to a match.
constexpr std::string_view faint = "2";

constexpr TreeSigns boxes{"├── ", "└── ", "│   ", "    ", "…"};
constexpr TreeSigns ascii{"|-- ", "`-- ", "|   ", "    ", "..."};

}  // namespace

const TreeSigns& tree_signs(const OutputStyle& style) {
  return style.box_characters ? boxes : ascii;
}

/// Only the first key of --sort decides. The Sorter, which then is the stage before, has applied
/// all of them to the matches; names are sorted here again, since directories that are no matches
/// themselves have to be put among them.
Tree::Tree(const OutputStyle& style, RecordStage& next)
    : style_(style), next_(next), time_(style.ages_from()) {
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
  Index node = none;
  if (name.empty() || type == FileType::directory || type == FileType::unknown) {  // perhaps one
    node = node_at(path_of(root, relative));
    if (!match.text.empty()) write(nodes_[node], name.empty() ? root : name, match.text);
  } else {
    node = add_node(node_at(path_of(root, above)), {});
    write(nodes_[node], name, match.text);
  }
  nodes_[node].found = true;
  nodes_[node].directory = type == FileType::directory;
  if (nodes_[node].directory && style_.for_people()) {
    const auto depth = std::count(relative.begin(), relative.end(), '/') + 1;
    nodes_[node].cut = static_cast<std::uint32_t>(depth) == style_.deepest;
  }
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

void Tree::add_up_totals() {
  totals_.resize(directories_.size());
  add_to_parents(totals_, [this](std::size_t path) {
    return path == PathTree::root ? SIZE_MAX
                                  : directories_.parent(static_cast<PathTree::Index>(path));
  });
  for (PathTree::Index path = 1; path < node_of_.size(); ++path) {
    const Index node = node_of_[path];
    // Roots show the sum of what was found in them.
    if (node == none || directories_.parent(path) == PathTree::root) continue;
    if (nodes_[node].found && nodes_[node].directory) details_[node].total = totals_[path];
  }
}

/// Adds up sizes from below: a directory has a lower number than its children. Going from the last
/// node to the first, a directory is reached when all of its children are final. The sum stops at
/// the largest number. An entry of unknown type that has children is a directory: its question mark
/// is removed.
void Tree::sum_up() {
  if (!style_.tree_details) return;
  details_.resize(nodes_.size());
  add_up_totals();
  std::uint64_t largest = 0;
  for (std::size_t index = nodes_.size(); index-- > 0;) {
    Details& sum = details_[index];
    for (Index child = nodes_[index].last_child; child != none; child = nodes_[child].previous) {
      add_up(sum.size, details_[child].size);
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
      text::format("{:>{}} {:{}} NAME\n", size_heading, size_columns_, "MODIFIED", time_.width()),
      style_);
}

void Tree::append_details(std::string& out, Index node) {
  const Details& details = details_[node];
  const bool sized = details.unsized == '\0';
  append_aligned(
      out, sized ? shown_size(details.size, style_.human_sizes) : std::string{details.unsized},
      Alignment::right, size_columns_);
  out += ' ';
  time_.append(out, details.modified, "-");
  out += ' ';
}

/// `relative` is empty for the root itself.
PathTree::Index Tree::path_of(std::string_view root, std::string_view relative) {
  const PathTree::Index path = directories_.add_below(PathTree::root, root);
  return relative.empty() ? path : directories_.add(relative, path);
}

/// Returns the node of a directory, and adds those that are missing on the way to it.
Tree::Index Tree::node_at(PathTree::Index directory) {
  node_of_.resize(directories_.size(), none);
  std::vector<PathTree::Index> missing;
  PathTree::Index at = directory;
  for (; at != PathTree::root && node_of_[at] == none; at = directories_.parent(at)) {
    missing.push_back(at);
  }
  for (auto path = missing.rbegin(); path != missing.rend(); ++path) {
    // The root of all paths has no node.
    const Index above = node_of_[directories_.parent(*path)];
    node_of_[*path] = add_node(above, directories_.name(*path));
  }
  return node_of_[directory];
}

/// Keeps a view of `name`.
Tree::Index Tree::add_node(Index directory, std::string_view name) {
  const auto node = static_cast<Index>(nodes_.size());
  nodes_.push_back({name.data(), static_cast<std::uint32_t>(name.size())});
  Index& last = directory == none ? last_root_ : nodes_[directory].last_child;
  nodes_[node].previous = std::exchange(last, node);
  return node;
}

/// Keeps name and shown text one after the other. A node that was on the way to a match gets its
/// shown text when it turns out to be one itself.
void Tree::write(Node& node, std::string_view name, std::string_view shown) {
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
  sum_up();
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
    buffer += text::format("\n{}, {}\n", counted(directory_count_, "directory", "directories"),
                           counted(file_count_, "file", "files"));
  }
  pass_on(buffer, 1);
}

/// Returns the children of one directory, of which `last` is the last that was added.
std::vector<Tree::Index> Tree::in_order(Index last) {
  std::vector<Index> nodes;
  if (last == none) return nodes;
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
    if (style_.palette) {
      style_.palette->append_colored(line, is_root ? style_.palette->directory_color() : faint,
                                     name, style_.escapes());
    } else {
      append_text(line, name, style_.escapes());
    }
    if (style_.marks_directories && !name.ends_with('/')) line += '/';
  } else {
    line += name;
  }
  if (node.cut) line.append(" ").append(tree_signs(style_).ellipsis);
  line += '\n';
}

/// Returns false if the next stage wants no more.
bool Tree::draw_below(Index root, std::string& buffer) {
  return draw_branches(
      root, tree_signs(style_), [this](Index node) { return in_order(nodes_[node].last_child); },
      [&](Index node, const std::string& branches) {
        if (style_.tree_details) append_details(buffer, node);
        buffer += branches;
        draw(buffer, nodes_[node], false);
        return pass_on(buffer, full_buffer);
      });
}

/// Passes on `buffer` once it has `enough` bytes. Returns false if no more are wanted.
bool Tree::pass_on(std::string& buffer, std::size_t enough) {
  if (buffer.size() < enough) return true;
  const bool taken = next_.take(buffer);
  buffer.clear();
  return taken;
}

DirectoryToken Tree::token_of(std::string_view root, std::string_view relative) {
  const std::lock_guard lock(mutex_);
  return path_of(root, relative);
}

void Tree::count(DirectoryToken directory, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (directory >= totals_.size()) totals_.resize(directories_.size());
  add_up(totals_[directory], bytes);
}

/// Passes everything on to another lane, and adds up files by the block. A token is 0 if no
/// directory above was found: then nothing is loaded.
class Tree::SummingLane final : public Lane {
 public:
  SummingLane(std::unique_ptr<Lane> lane, Tree& tree) : lane_(std::move(lane)), tree_(tree) {}

  bool emit(Entry& entry) override {
    const bool taken = lane_->emit(entry);
    if (entry.type == FileType::directory && entry.depth > 0) note_found(entry);
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

  DirectoryToken enter(const Root& root) override {
    return root.below.empty() ? 0 : tree_.token_of(named_root(root), root.below);
  }
  DirectoryToken enter(DirectoryToken above, std::string_view, const OwnSpace* own) override {
    return own == nullptr ? above : static_cast<DirectoryToken>(own->size);
  }

 private:
  /// The token comes back when the directory is entered.
  void note_found(Entry& entry) {
    path_.clear();
    append_path(path_, entry);
    entry.require(needs::relative_path);
    const std::string_view relative = entry.relative_path;
    const Match match{.path = path_, .root_size = path_.size() - relative.size()};
    entry.own_space.emplace().size = tree_.token_of(root_of(match), relative);
  }

  void add(Entry& entry) {
    if (entry.inside == 0) return;
    if (entry.inside != directory_) pass_on();
    directory_ = entry.inside;
    if (!entry.require(needs::type) || entry.type != FileType::file) return;
    if (!entry.require(needs::length)) return;
    add_up(bytes_, entry.metadata.size);
  }

  void pass_on() {
    if (bytes_ > 0) tree_.count(directory_, std::exchange(bytes_, 0));
  }

  const std::unique_ptr<Lane> lane_;
  Tree& tree_;
  std::string path_;
  DirectoryToken directory_ = 0;
  std::uint64_t bytes_ = 0;  ///< of files that count in it
};

std::unique_ptr<Lane> Tree::follow(std::unique_ptr<Lane> lane) {
  return std::make_unique<SummingLane>(std::move(lane), *this);
}

}  // namespace ffind::output
