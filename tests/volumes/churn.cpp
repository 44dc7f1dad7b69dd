// SPDX-License-Identifier: MIT
// Keeps a directory busy while ffind searches it, and checks each answer; run by stress.py.
//   churn FFIND WAY DIRECTORY PROCESSES SECONDS SEARCHES SEED
// WAY is catalog, or the reader of a walk.
// Several processes make, fill, shrink, move and remove directories; what stands still for as long
// as a search takes has to be found exactly once, and nothing may be printed that never was: each
// name says which directory it belongs to, and directories have numbers that are never used again.
// Knows no file system.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

using Number = std::uint64_t;

constexpr int live_directories = 40;  // of each process
constexpr int below = 3;  // names in the directory that each of them holds, number ID + 1

/// What stands still: number and count of names, parted by 16 bits. In memory that all share.
struct Shared {
  std::atomic<bool> stop;
  std::atomic<Number> changes;
  std::atomic<Number> live[64 * live_directories];
};
Shared* shared;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "churn: %s: %s\n", what.c_str(), std::strerror(errno));
  std::_Exit(3);
}

// Names. Each says which directory it belongs to; numbers are never used again.
//   d-ID-PARENT-SUM        directory ID in directory PARENT (the tree itself is 0)
//   s-ID-INDEX-SUM-xxx     stands still in directory ID; with an even INDEX it has 7 bytes
//   f-ID-SERIAL-SUM-xxx    comes and goes there

unsigned sum(char kind, Number id, Number other) {
  Number value = 1469598103934665603U;
  for (const Number part : {static_cast<Number>(kind), id, other}) {
    for (int shift = 0; shift < 64; shift += 8) {
      value = (value ^ ((part >> shift) & 0xff)) * 1099511628211U;
    }
  }
  return static_cast<unsigned>(value >> 16);
}

std::string name(char kind, Number id, Number other) {
  char text[80];
  const unsigned check = sum(kind, id, other);
  std::snprintf(text, sizeof text, "%c-%lx-%lx-%08x", kind, static_cast<unsigned long>(id),
                static_cast<unsigned long>(other), check);
  std::string result = text;
  if (kind != 'd') result += '-' + std::string(check % 3 == 0 ? check % 190 : check % 9, 'x');
  return result;
}

struct Parsed {
  char kind = 0;
  Number id = 0;
  Number other = 0;
};

bool parse(const std::string& text, Parsed& parsed) {
  if (text.size() < 2) return false;
  char* end = nullptr;
  parsed.kind = text[0];
  parsed.id = std::strtoul(text.c_str() + 2, &end, 16);
  if (*end != '-') return false;
  parsed.other = std::strtoul(end + 1, &end, 16);
  return text == name(parsed.kind, parsed.id, parsed.other);
}

// The processes that change things

class Changer {
 public:
  Changer(const std::string& place, int process, unsigned seed)
      : stage_(place + "/stage"),
        tree_(place + "/tree"),
        process_(process),
        next_((static_cast<Number>(process) + 1) << 36U),
        pick_(seed) {}

  /// In turn, so that each has rested for more than a second when it begins to change: a catalog
  /// believes it then.
  [[noreturn]] void run() {
    for (int turn = 0; !shared->stop; ++turn) {
      slot_ = turn % live_directories;
      if (own_[slot_].id != 0 && below_(12) == 0) retire(slot_);
      if (own_[slot_].id == 0) prepare(slot_);
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(35);
      while (std::chrono::steady_clock::now() < until && !shared->stop) change(own_[slot_]);
    }
    std::_Exit(0);
  }

 private:
  struct Live {
    Number id = 0;
    std::string path;
    std::vector<Number> names;                             // serials of those that come and go
    std::vector<std::pair<Number, std::string>> children;  // number and path
  };

  int below_(int limit) { return static_cast<int>(pick_() % static_cast<unsigned>(limit)); }

  void make(const std::string& path, int size) {
    const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_EXCL, 0644);
    if (file < 0) fail(path);
    if (size > 0 && ::write(file, std::string(static_cast<std::size_t>(size), 'x').data(),
                            static_cast<std::size_t>(size)) != size)
      fail(path);
    ::close(file);
    ++shared->changes;
  }
  void make_directory(const std::string& path) {
    if (::mkdir(path.c_str(), 0755) != 0) fail(path);
    ++shared->changes;
  }
  void rename(const std::string& from, const std::string& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) fail(from);
    ++shared->changes;
  }
  void remove(const std::string& path) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) fail(path);
    ++shared->changes;
  }

  std::atomic<Number>& announced(int slot) {
    return shared->live[process_ * live_directories + slot];
  }

  /// Made aside, then moved to where searches see it: small, so that it grows under their eyes.
  void prepare(int slot) {
    Live& live = own_[slot];
    live.id = next_;
    next_ += 2;
    const int counts[] = {3, 8, 30, 100, 400, 2000};
    const int count = counts[below_(below_(4) == 0 ? 6 : 4)];
    const std::string made = stage_ + '/' + name('d', live.id, 0);
    make_directory(made);
    for (int index = 0; index < count; ++index) {
      make(made + '/' + name('s', live.id, static_cast<Number>(index)), index % 2 == 0 ? 7 : 0);
    }
    const std::string inner = made + '/' + name('d', live.id + 1, live.id);
    make_directory(inner);
    for (int index = 0; index < below; ++index) {
      make(inner + '/' + name('s', live.id + 1, static_cast<Number>(index)),
           index % 2 == 0 ? 7 : 0);
    }
    live.path = tree_ + '/' + name('d', live.id, 0);
    rename(made, live.path);
    announced(slot) = live.id << 16U | static_cast<Number>(count);
  }

  void retire(int slot) {
    announced(slot) = 0;
    remove(own_[slot].path);
    own_[slot] = {};
  }

  std::string path_of(const Live& live, Number serial) {
    return live.path + '/' + name('f', live.id, serial);
  }

  void grow(Live& live, int count) {
    for (int index = 0; index < count; ++index) {
      live.names.push_back(next_++);
      make(path_of(live, live.names.back()), below_(4) == 0 ? below_(9000) : 0);
    }
  }

  void shrink(Live& live, std::size_t left) {
    while (live.names.size() > left) {
      std::swap(live.names[pick_() % live.names.size()], live.names.back());
      if (::unlink(path_of(live, live.names.back()).c_str()) != 0) fail("unlink");
      live.names.pop_back();
      ++shared->changes;
    }
  }

  void change(Live& live) {
    switch (below_(8)) {
      case 0:
        grow(live, live.names.size() < 1000 ? 20 + below_(500) : 1);
        break;
      case 1:
        shrink(live, below_(3) == 0 ? 0 : live.names.size() / 2);
        break;
      case 2:  // both at once: leaves split and empty
        for (int turn = 0; turn < 60; ++turn) {
          grow(live, 2);
          shrink(live, live.names.size() - 1);
        }
        break;
      case 3:
        for (Number& serial : live.names) {
          if (below_(10) != 0) continue;
          const Number fresh = next_++;
          rename(path_of(live, serial), path_of(live, fresh));
          serial = fresh;
        }
        break;
      case 4:
        for (const Number serial : live.names) {
          if (below_(20) == 0 && ::truncate(path_of(live, serial).c_str(), below_(3) * 5000) != 0) {
            fail("truncate");
          }
        }
        break;
      case 5:
        add_children(live);
        break;
      case 6:
        move_child(live);
        break;
      default:
        drop_children(live);
    }
  }

  /// Directories that do not stay where they are.
  void add_children(Live& live) {
    for (int turn = 0; turn < 5; ++turn) {
      const Number id = next_++;
      const std::string path = live.path + '/' + name('d', id, live.id);
      make_directory(path);
      for (int index = below_(40); index > 0; --index) make(path + '/' + name('f', id, next_++), 0);
      live.children.emplace_back(id, path);
    }
  }

  void move_child(Live& live) {
    Live& other = own_[(slot_ + 1) % live_directories];
    if (live.children.empty() || other.id == 0 || &other == &live) return;
    const Number id = live.children.back().first;
    const std::string path = other.path + '/' + name('d', id, other.id);
    rename(live.children.back().second, path);
    live.children.pop_back();
    other.children.emplace_back(id, path);
  }

  void drop_children(Live& live) {
    while (live.children.size() > 2) {
      remove(live.children.back().second);
      live.children.pop_back();
    }
  }

  const std::string stage_;
  const std::string tree_;
  const int process_;
  int slot_ = 0;
  Number next_;
  std::mt19937 pick_;
  Live own_[live_directories];
};

// The searches

struct Answer {
  std::string out;
  std::string error;
  int status = -1;
  bool hung = false;
};

Answer ask(std::vector<std::string> words) {
  int out[2];
  int error[2];
  if (::pipe(out) != 0 || ::pipe(error) != 0) fail("pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(out[1], 1);
    ::dup2(error[1], 2);
    for (const int end : {out[0], out[1], error[0], error[1]}) ::close(end);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    std::_Exit(126);
  }
  ::close(out[1]);
  ::close(error[1]);
  Answer answer;
  pollfd ends[2] = {{out[0], POLLIN, 0}, {error[0], POLLIN, 0}};
  std::string* const texts[2] = {&answer.out, &answer.error};
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::vector<char> buffer(1U << 16U);
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (std::chrono::steady_clock::now() > until) {
      answer.hung = true;
      ::kill(child, SIGKILL);
      break;
    }
    ::poll(ends, 2, 1000);
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count > 0) texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0) ends[i].fd = -1;
    }
  }
  ::close(out[0]);
  ::close(error[0]);
  ::waitpid(child, &answer.status, 0);
  return answer;
}

/// Checks answers and counts.
class Searches {
 public:
  Searches(const std::string& ffind, const std::string& way, std::string tree)
      : command_({ffind, "-0", "--stats", "--json-errors"}), tree_(std::move(tree)) {
    if (way == "catalog") {
      command_.insert(command_.end(), {"--method", "catalog"});
    } else {
      command_.insert(command_.end(), {"--method", "walk", "--reader", way});
    }
  }

  void one() {
    static const std::vector<std::string> questions[] = {
        {}, {"-S", "7b"}, {"-t", "f"}, {"-e", "^s-"}, {"-t", "d"}};
    static const char* const threads[] = {"2", "1", "8"};
    const int kind = static_cast<int>(count % 5);
    std::vector<std::string> words = command_;
    words.insert(words.end(), {"-j", threads[count % 3]});
    words.insert(words.end(), questions[kind].begin(), questions[kind].end());
    words.insert(words.end(), {"--in", tree_});
    const auto standing = snapshot();
    const Answer answer = ask(words);
    const auto still = snapshot();
    ++count;
    said_.clear();
    if (answer.hung) complain("did not end in 60 s");
    if (!answer.hung && answer.status != 0) {
      complain("status " + std::to_string(answer.status) + ", " + answer.error.substr(0, 500));
    }
    if (answer.error.find("\"issues\":0,") == std::string::npos) {
      complain("issues: " + answer.error.substr(0, 500));
    }
    directories += number_of(answer.error, "directories");
    walked += number_of(answer.error, "walked");
    std::unordered_map<Number, std::vector<int>> seen;
    for (const auto& [id, names] : standing) {
      const auto found = still.find(id);
      if (found == still.end()) continue;
      seen[id].resize(names);
      seen[id + 1].resize(below);
    }
    look_at(answer.out, kind, seen);
    for (const auto& [id, names] : seen) {
      for (std::size_t index = 0; index < names.size() && kind != 4; ++index) {
        const int wanted = kind == 1 && index % 2 == 1 ? 0 : 1;
        checked += wanted;
        if (names[index] == wanted) continue;
        complain(name('s', id, index) + " was found " + std::to_string(names[index]) +
                 " times, not " + std::to_string(wanted));
      }
    }
    if (said_.empty()) return;
    ++wrong;
    std::printf("search %ld, kind %d, -j %s:\n%s", count, kind, threads[(count - 1) % 3],
                said_.c_str());
  }

  long count = 0;
  long wrong = 0;
  long directories = 0;
  long walked = 0;
  long checked = 0;

 private:
  static std::unordered_map<Number, std::size_t> snapshot() {
    std::unordered_map<Number, std::size_t> standing;
    for (const auto& slot : shared->live) {
      const Number value = slot;
      if (value != 0) standing[value >> 16U] = value & 0xffff;
    }
    return standing;
  }

  static long number_of(const std::string& text, const std::string& word) {
    const std::string key = '"' + word + "\":";
    const std::size_t at = text.find(key);
    return at == std::string::npos ? 0 : std::atol(text.c_str() + at + key.size());
  }

  void complain(const std::string& what) {
    if (said_.size() < 3000) said_ += "  " + what + '\n';
  }

  void look_at(const std::string& out, int kind,
               std::unordered_map<Number, std::vector<int>>& seen) {
    std::unordered_set<std::string_view> all;
    for (std::size_t at = 0; at < out.size();) {
      const std::size_t end = std::min(out.find('\0', at), out.size());
      const std::string_view path(out.data() + at, end - at);
      at = end + 1;
      if (!all.insert(path).second) complain("twice: " + std::string(path));
      check(path, kind, seen);
    }
  }

  void check(std::string_view path, int kind, std::unordered_map<Number, std::vector<int>>& seen) {
    if (path.substr(0, tree_.size() + 1) != tree_ + '/')
      return complain("strange: " + std::string(path));
    std::string_view rest = path.substr(tree_.size() + 1);
    Number parent = 0;
    Parsed parsed;
    while (true) {
      const std::size_t slash = rest.find('/');
      if (!parse(std::string(rest.substr(0, slash)), parsed)) {
        return complain("never was: " + std::string(path));
      }
      const Number in = parsed.kind == 'd' ? parsed.other : parsed.id;
      if (in != parent) return complain("was never there: " + std::string(path));
      if (slash == std::string_view::npos) break;
      if (parsed.kind != 'd') return complain("no directory: " + std::string(path));
      parent = parsed.id;
      rest.remove_prefix(slash + 1);
    }
    if (kind != 0 && (parsed.kind == 'd') != (kind == 4)) complain("type: " + std::string(path));
    const auto found = seen.find(parsed.id);
    if (parsed.kind != 's' || found == seen.end()) return;
    if (parsed.other < found->second.size()) ++found->second[parsed.other];
  }

  std::vector<std::string> command_;
  const std::string tree_;
  std::string said_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 8) return 2;
  const std::string place = arguments[3];
  const int processes = std::min(64, std::atoi(arguments[4]));
  const double seconds = std::atof(arguments[5]);
  const long searches = std::atol(arguments[6]);
  const unsigned seed = static_cast<unsigned>(std::atol(arguments[7]));
  shared = static_cast<Shared*>(
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) fail("mmap");
  std::filesystem::create_directories(place + "/stage");
  std::filesystem::create_directories(place + "/tree");
  const pid_t self = ::getpid();
  for (int process = 0; process < processes; ++process) {
    if (::fork() != 0) continue;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self) return 3;
    Changer(place, process, seed * 100 + static_cast<unsigned>(process)).run();
  }
  Searches asked(arguments[1], arguments[2], place + "/tree");
  const auto began = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  while (asked.count < searches && passed() < seconds && asked.wrong < 5) asked.one();
  shared->stop = true;
  int status = 0;
  bool died = false;
  while (::wait(&status) > 0) died = died || status != 0;
  std::printf(
      "%ld searches in %.1f s during %lu changes: %ld wrong; %ld standing names checked, "
      "%ld directories read, %ld of them walked\n",
      asked.count, passed(), static_cast<unsigned long>(shared->changes.load()), asked.wrong,
      asked.checked, asked.directories, asked.walked);
  if (died) std::printf("a changing process failed\n");
  return asked.wrong != 0 || died || asked.count == 0 ? 1 : 0;
}
