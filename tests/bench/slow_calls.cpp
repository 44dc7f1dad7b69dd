// SPDX-License-Identifier: MIT
// A FUSE file system that answers each call after a fixed time, so that a slow server is the same
// on every machine:
//
//     slow_calls --wait MILLISECONDS --tree DIR MOUNTPOINT
//
// It is DIR as it was at the start, read-only, all but the contents of files in memory. A server
// has a machine of its own, so this one uses as little of ours as it can: one thread reads the
// calls and makes the answers, another sends each answer when it is due, in the order of the calls,
// however many are waiting. That is why it speaks the kernel's protocol itself (linux/fuse.h);
// libfuse needs a thread for each waiting call, which takes more time than the search.
//
// With --untyped it lists names without their types, as some servers do: each has to be asked for.
// With --one-by-one it does as file systems with libfuse up to 3.16 do: in each directory the
// kernel looks up one name at a time (no FUSE_PARALLEL_DIROPS). Run by volumes.py; stays in the
// foreground until it is unmounted.
#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  Clock::duration wait{};
  std::string tree;
  bool untyped = false;
  bool one_by_one = false;
  std::string mount_point;
};

[[noreturn]] void fail(const std::string& operation) {
  const std::string reason = std::generic_category().message(errno);
  std::fprintf(stderr, "slow_calls: %s: %s\n", operation.c_str(), reason.c_str());
  std::exit(1);
}

/// The root is FUSE_ROOT_ID, 1; the others follow.
using NodeId = std::uint64_t;

struct Node {
  struct stat status {};
  std::string path;     // on the machine's own file system
  std::string target;   // of a link
  std::string listing;  // of a directory: all records, as FUSE wants them
  std::vector<std::pair<std::string, NodeId>> children;  // sorted by name
};

/// The tree in memory.
class Tree {
 public:
  Tree(const std::string& top, bool untyped) : untyped_(untyped) {
    add(top);
    // read() adds the children behind.
    for (NodeId id = FUSE_ROOT_ID; id <= nodes_.size(); ++id) {
      if (S_ISDIR(node(id).status.st_mode)) read(id);
    }
  }

  bool holds(NodeId id) const { return id >= FUSE_ROOT_ID && id <= nodes_.size(); }
  const Node& node(NodeId id) const { return nodes_[id - FUSE_ROOT_ID]; }

  /// 0: there is none of that name.
  NodeId child(NodeId parent, std::string_view name) const {
    const auto& children = node(parent).children;
    const auto found = std::lower_bound(
        children.begin(), children.end(), name,
        [](const auto& child, std::string_view wanted) { return child.first < wanted; });
    return found != children.end() && found->first == name ? found->second : 0;
  }

 private:
  NodeId add(const std::string& path) {
    Node& made = nodes_.emplace_back();
    made.path = path;
    if (lstat(path.c_str(), &made.status) != 0) fail(path);
    if (S_ISLNK(made.status.st_mode)) {
      made.target.resize(static_cast<std::size_t>(made.status.st_size));
      if (readlink(path.c_str(), made.target.data(), made.target.size()) < 0) fail(path);
    }
    return nodes_.size();
  }

  void read(NodeId id) {
    const std::string path = node(id).path;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), closedir);
    if (directory == nullptr) fail(path);
    std::string listing;
    std::vector<std::pair<std::string, NodeId>> children;
    while (const dirent* const entry = readdir(directory.get())) {
      const std::string_view name = entry->d_name;
      append(listing, entry->d_ino, untyped_ ? unsigned{DT_UNKNOWN} : entry->d_type, name);
      if (name != "." && name != "..") children.emplace_back(name, add(path + "/" + entry->d_name));
    }
    std::sort(children.begin(), children.end());
    Node& listed = nodes_[id - FUSE_ROOT_ID];
    listed.listing = std::move(listing);
    listed.children = std::move(children);
  }

  /// A record's offset is where the next one begins.
  static void append(std::string& listing, std::uint64_t inode, unsigned type,
                     std::string_view name) {
    fuse_dirent record{};
    const std::size_t length = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + name.size());
    record.ino = inode;
    record.off = listing.size() + length;
    record.namelen = static_cast<std::uint32_t>(name.size());
    record.type = type;
    const std::size_t end = listing.size() + length;
    listing.append(reinterpret_cast<const char*>(&record), FUSE_NAME_OFFSET).append(name);
    listing.resize(end);
  }

  bool untyped_;
  std::deque<Node> nodes_;  // by number
};

/// Answers to the kernel, in order, each when it is due. One thread puts, one sends.
class Answers {
 public:
  Answers(int connection, Clock::duration wait) : connection_(connection), wait_(wait) {}

  void put(std::string answer) {
    if (wait_ == Clock::duration::zero()) return send(answer);
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back({Clock::now() + wait_, std::move(answer)});
    }
    changed_.notify_one();
  }

  void send_all() {
    for (;;) {
      Waiting next;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !waiting_.empty(); });
        next = std::move(waiting_.front());
        waiting_.pop_front();
      }
      std::this_thread::sleep_until(next.due);
      send(next.answer);
    }
  }

 private:
  struct Waiting {
    Clock::time_point due;
    std::string answer;
  };

  void send(const std::string& answer) const {
    // ENOENT: whoever asked was killed. ENODEV: unmounted.
    if (write(connection_, answer.data(), answer.size()) < 0 && errno != ENOENT &&
        errno != ENODEV) {
      fail("answer");
    }
  }

  int connection_;
  Clock::duration wait_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
};

template <typename Part>
void append(std::string& answer, const Part& part) {
  answer.append(reinterpret_cast<const char*>(&part), sizeof part);
}

/// Makes the answer to each call.
class Server {
 public:
  Server(const Tree& tree, bool one_by_one) : tree_(tree), one_by_one_(one_by_one) {}

  /// Empty: the kernel expects none.
  std::string answer(const fuse_in_header& call, const char* words) const {
    std::string body;
    int error = 0;
    switch (call.opcode) {
      case FUSE_FORGET:
      case FUSE_BATCH_FORGET:
      case FUSE_INTERRUPT:
        return {};
      case FUSE_INIT:
        begin(part<fuse_init_in>(words), body);
        break;
      default:
        error = tree_.holds(call.nodeid) ? ask(call, words, body) : ESTALE;
    }
    if (error != 0) body.clear();
    const fuse_out_header header{
        .len = static_cast<std::uint32_t>(sizeof(fuse_out_header) + body.size()),
        .error = -error,
        .unique = call.unique,
    };
    std::string whole;
    append(whole, header);
    return whole + body;
  }

 private:
  template <typename Part>
  static Part part(const char* words) {
    Part copy;
    std::memcpy(&copy, words, sizeof copy);
    return copy;
  }

  void begin(const fuse_init_in& offered, std::string& body) const {
    constexpr unsigned any_number = 0xffff;
    constexpr unsigned pages = 256;
    fuse_init_out begun{};
    begun.major = FUSE_KERNEL_VERSION;
    begun.minor = std::min<unsigned>(offered.minor, FUSE_KERNEL_MINOR_VERSION);
    begun.max_readahead = offered.max_readahead;
    // No FUSE_DO_READDIRPLUS: names and types alone, as most servers answer.
    begun.flags = offered.flags & (FUSE_ASYNC_READ | FUSE_MAX_PAGES |
                                   (one_by_one_ ? 0U : unsigned{FUSE_PARALLEL_DIROPS}));
    begun.max_background = any_number;
    begun.congestion_threshold = any_number;
    begun.max_write = pages * 4096;
    begun.max_pages = pages;
    begun.time_gran = 1;
    append(body, begun);
  }

  /// An errno, or 0.
  int ask(const fuse_in_header& call, const char* words, std::string& body) const {
    const Node& node = tree_.node(call.nodeid);
    switch (call.opcode) {
      case FUSE_LOOKUP:
        return look_up(call.nodeid, words, body);
      case FUSE_GETATTR: {
        fuse_attr_out attributes{};
        attributes.attr_valid = remembered_seconds;
        attributes.attr = attributes_of(node.status);
        append(body, attributes);
        return 0;
      }
      case FUSE_READLINK:
        body = node.target;
        return S_ISLNK(node.status.st_mode) ? 0 : EINVAL;
      case FUSE_OPENDIR:
        append(body, fuse_open_out{});
        return 0;
      case FUSE_READDIR:
        list(node, part<fuse_read_in>(words), body);
        return 0;
      case FUSE_OPEN:
        return open_file(node, body);
      case FUSE_READ:
        return read_file(part<fuse_read_in>(words), body);
      case FUSE_RELEASE:
        close(static_cast<int>(part<fuse_release_in>(words).fh));
        return 0;
      case FUSE_RELEASEDIR:
        return 0;
      default:
        return ENOSYS;
    }
  }

  int look_up(NodeId parent, std::string_view name, std::string& body) const {
    const NodeId found = tree_.child(parent, name);
    if (found == 0) return ENOENT;
    fuse_entry_out entry{};
    entry.nodeid = found;
    entry.entry_valid = remembered_seconds;
    entry.attr_valid = remembered_seconds;
    entry.attr = attributes_of(tree_.node(found).status);
    append(body, entry);
    return 0;
  }

  /// Whole records only.
  static void list(const Node& node, const fuse_read_in& wanted, std::string& body) {
    const std::string_view listing = node.listing;
    if (wanted.offset >= listing.size()) return;
    std::size_t end = wanted.offset;
    while (end < listing.size()) {
      const std::size_t next = part<fuse_dirent>(listing.substr(end).data()).off;
      if (next - wanted.offset > wanted.size) break;
      end = next;
    }
    body = listing.substr(wanted.offset, end - wanted.offset);
  }

  static int open_file(const Node& node, std::string& body) {
    const int descriptor = open(node.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return errno;
    fuse_open_out opened{};
    opened.fh = static_cast<std::uint64_t>(descriptor);
    append(body, opened);
    return 0;
  }

  static int read_file(const fuse_read_in& wanted, std::string& body) {
    body.resize(wanted.size);
    const ssize_t count = pread(static_cast<int>(wanted.fh), body.data(), body.size(),
                                static_cast<off_t>(wanted.offset));
    if (count < 0) return errno;
    body.resize(static_cast<std::size_t>(count));
    return 0;
  }

  static fuse_attr attributes_of(const struct stat& status) {
    fuse_attr attributes{};
    attributes.ino = status.st_ino;
    attributes.size = static_cast<std::uint64_t>(status.st_size);
    attributes.blocks = static_cast<std::uint64_t>(status.st_blocks);
    attributes.atime = static_cast<std::uint64_t>(status.st_atim.tv_sec);
    attributes.mtime = static_cast<std::uint64_t>(status.st_mtim.tv_sec);
    attributes.ctime = static_cast<std::uint64_t>(status.st_ctim.tv_sec);
    attributes.atimensec = static_cast<std::uint32_t>(status.st_atim.tv_nsec);
    attributes.mtimensec = static_cast<std::uint32_t>(status.st_mtim.tv_nsec);
    attributes.ctimensec = static_cast<std::uint32_t>(status.st_ctim.tv_nsec);
    attributes.mode = status.st_mode;
    attributes.nlink = static_cast<std::uint32_t>(status.st_nlink);
    attributes.uid = status.st_uid;
    attributes.gid = status.st_gid;
    attributes.blksize = static_cast<std::uint32_t>(status.st_blksize);
    return attributes;
  }

  /// As network file systems do.
  static constexpr unsigned remembered_seconds = 1;

  const Tree& tree_;
  bool one_by_one_;
};

int mount_at(const std::string& mount_point) {
  const int connection = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (connection < 0) fail("open /dev/fuse");
  const std::string options =
      "fd=" + std::to_string(connection) +
      ",rootmode=40000,user_id=0,group_id=0,default_permissions,allow_other";
  if (mount("slow", mount_point.c_str(), "fuse.slow", MS_RDONLY | MS_NOSUID | MS_NODEV,
            options.c_str()) != 0) {
    fail("mount " + mount_point);
  }
  return connection;
}

void serve(int connection, const Server& server, Answers& answers) {
  // The largest call is a write's, of which there are none, but the kernel wants to see the room.
  std::vector<char> call(2 * 1024 * 1024);
  for (;;) {
    const ssize_t length = read(connection, call.data(), call.size() - 1);
    if (length < 0 && (errno == EINTR || errno == ENOENT || errno == EAGAIN)) continue;
    if (length < 0 && errno == ENODEV) return;  // unmounted
    if (length < static_cast<ssize_t>(sizeof(fuse_in_header))) fail("read a call");
    fuse_in_header header;
    std::memcpy(&header, call.data(), sizeof header);
    std::string answer = server.answer(header, call.data() + sizeof header);
    if (!answer.empty()) answers.put(std::move(answer));
  }
}

int usage() {
  std::fputs(
      "slow_calls: usage: slow_calls --wait MILLISECONDS --tree DIR [--untyped] [--one-by-one] "
      "MOUNTPOINT\n",
      stderr);
  return 2;
}

bool read_settings(int count, char** words, Settings& settings) {
  const option options[] = {{"wait", required_argument, nullptr, 'w'},
                            {"tree", required_argument, nullptr, 't'},
                            {"untyped", no_argument, nullptr, 'u'},
                            {"one-by-one", no_argument, nullptr, 'o'},
                            {}};
  for (int one = 0; (one = getopt_long(count, words, "", options, nullptr)) != -1;) {
    if (one == 'w') {
      settings.wait = std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double, std::milli>(std::strtod(optarg, nullptr)));
    } else if (one == 't') {
      settings.tree = optarg;
    } else if (one == 'u') {
      settings.untyped = true;
    } else if (one == 'o') {
      settings.one_by_one = true;
    } else {
      return false;
    }
  }
  if (settings.tree.empty() || optind + 1 != count) return false;
  settings.mount_point = words[optind];
  return true;
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  if (!read_settings(count, words, settings)) return usage();
  // Whatever ends the benchmark, nothing is left behind.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // An answer leaves within some microseconds of its time, not 50.
  prctl(PR_SET_TIMERSLACK, 1000);
  const Tree tree(settings.tree, settings.untyped);
  const Server server(tree, settings.one_by_one);
  const int connection = mount_at(settings.mount_point);
  Answers answers(connection, settings.wait);
  std::thread([&answers] { answers.send_all(); }).detach();
  serve(connection, server, answers);
  std::_Exit(0);
}
