// SPDX-License-Identifier: MIT
// floor: the least work that a walk of a tree can be on Linux, as the mark that finders are
// held against. It counts entries and does nothing else. tests/bench/bench compiles and runs
// it; CMake can build it too. It knows nothing of ffind and shares no code with it.
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

// ext4 gives the last record of a directory this offset. The call that would only say "no more"
// is then left out; a short read alone proves nothing, since a signal cuts reads short too.
constexpr std::int64_t kEndMark = 0x7fffffffffffffff;

std::atomic<bool> failed{false};

void complain(const char* operation, const char* name) {
  const std::string reason = std::generic_category().message(errno);
  std::fprintf(stderr, "floor: %s %s: %s\n", operation, name, reason.c_str());
  failed = true;
}

/// An open directory. Shared by its reader and its children that wait to be opened, so that a
/// descriptor is held per directory with pending children and never per pending child.
class Directory {
 public:
  explicit Directory(int descriptor) : descriptor_(descriptor) {}
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() { close(descriptor_); }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

using DirectoryPtr = std::shared_ptr<const Directory>;

/// Subdirectories of one parent, each name ended by NUL: one allocation for a whole buffer of
/// records, and 450,000 siblings are a few megabytes.
struct Batch {
  DirectoryPtr parent;
  std::string names;
};

struct Pending {
  DirectoryPtr parent;
  std::string name;
};

/// Without it the tries themselves would slow down the thread that holds the lock.
void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// All pending directories, last in first out. Thread-safe; take() blocks.
class Stack {
 public:
  /// Threads that hold a directory. The walk is over when none does and nothing is pending.
  explicit Stack(unsigned active) : active_(active) {}

  void push(Batch batch) {
    const auto lock = lock_spinning();
    push_locked(std::move(batch));
  }

  /// Hands in what is left of the caller's directory and fetches the next one under one lock.
  /// False: the walk is over.
  bool take(Batch found, Pending& next) {
    auto lock = lock_spinning();
    push_locked(std::move(found));
    if (batches_.empty()) {
      --active_;
      ++waiting_;
      if (active_ == 0) changed_.notify_all();
      changed_.wait(lock, [this] { return !batches_.empty() || active_ == 0; });
      --waiting_;
      if (batches_.empty()) return false;
      ++active_;
    }
    pop_locked(next);
    return true;
  }

 private:
  /// The lock is held for less time than a thread takes to fall asleep and be woken: to try
  /// again for a while makes the whole walk 15 % faster (measured with two threads, warm).
  std::unique_lock<std::mutex> lock_spinning() {
    constexpr int kTries = 200;
    std::unique_lock lock(mutex_, std::try_to_lock);
    for (int i = 0; i < kTries && !lock.owns_lock(); ++i) {
      pause_processor();
      lock.try_lock();
    }
    if (!lock.owns_lock()) lock.lock();
    return lock;
  }

  void push_locked(Batch batch) {
    if (batch.names.empty()) return;
    const bool several = batch.names.find('\0') + 1 != batch.names.size();
    batches_.push_back(std::move(batch));
    if (waiting_ == 0) return;
    if (several) {
      changed_.notify_all();
    } else {
      changed_.notify_one();
    }
  }

  void pop_locked(Pending& next) {
    Batch& last = batches_.back();
    last.names.pop_back();
    const std::size_t before = last.names.rfind('\0');
    const std::size_t start = before == std::string::npos ? 0 : before + 1;
    next.name.assign(last.names, start);
    last.names.resize(start);
    if (start != 0) {
      next.parent = last.parent;
      return;
    }
    next.parent = std::move(last.parent);
    batches_.pop_back();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Batch> batches_;
  unsigned active_;
  unsigned waiting_ = 0;
};

bool is_directory(int parent, const dirent64& record) {
  if (record.d_type != DT_UNKNOWN) return record.d_type == DT_DIR;
  struct stat status {};
  return fstatat(parent, record.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(status.st_mode);
}

void take_size(int parent, const char* name) {
  struct statx status {};
  statx(parent, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_SIZE, &status);
}

/// Entries that are asked for their size.
enum class Sizes { none, of_files, of_all };

bool is_dot_or_dot_dot(const char* name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/// One thread of the walk: a buffer and a count of its own.
class Worker {
 public:
  Worker(Stack& stack, Sizes sizes)
      : stack_(stack), sizes_(sizes), buffer_(std::make_unique_for_overwrite<Buffer>()) {}

  std::uint64_t entries() const { return entries_; }

  /// Counts one directory. Gives back the subdirectories that are not on the stack yet.
  Batch read(int parent, const char* name) {
    const int descriptor =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) {
      complain("open", name);
      return {};
    }
    const auto directory = std::make_shared<const Directory>(descriptor);
    Batch found{directory, {}};
    for (;;) {
      const ssize_t filled = getdents64(descriptor, buffer_->bytes, sizeof buffer_->bytes);
      if (filled < 0) complain("read", name);
      if (filled <= 0) return found;
      // Others can start on the first children of a large directory while it is still read.
      if (!found.names.empty()) stack_.push(std::exchange(found, Batch{directory, {}}));
      if (count(descriptor, static_cast<std::size_t>(filled), found.names)) return found;
    }
  }

  void run(Batch found) {
    Pending next;
    while (stack_.take(std::move(found), next)) {
      found = read(next.parent->descriptor(), next.name.c_str());
      next.parent.reset();
    }
  }

 private:
  struct Buffer {
    alignas(dirent64) char bytes[kBufferBytes];
  };

  /// True: the last record carries the end mark.
  bool count(int descriptor, std::size_t filled, std::string& names) {
    std::int64_t offset = 0;
    for (std::size_t at = 0; at < filled;) {
      const auto& record = *reinterpret_cast<const dirent64*>(buffer_->bytes + at);
      at += record.d_reclen;
      offset = record.d_off;
      if (is_dot_or_dot_dot(record.d_name)) continue;
      ++entries_;
      const bool enters = is_directory(descriptor, record);
      if (enters) names.append(record.d_name).push_back('\0');
      if (sizes_ == Sizes::of_all || (sizes_ == Sizes::of_files && !enters)) {
        take_size(descriptor, record.d_name);
      }
    }
    return offset == kEndMark;
  }

  Stack& stack_;
  const Sizes sizes_;
  std::unique_ptr<Buffer> buffer_;
  std::uint64_t entries_ = 0;
};

/// Depth first, a chain of directories with siblings holds a descriptor per level.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::uint64_t count_entries(const char* root, unsigned threads, Sizes sizes) {
  Stack stack(threads);
  Worker first(stack, sizes);
  Batch found = first.read(AT_FDCWD, root);
  // Threads for a directory without subdirectories would only cost.
  if (found.names.empty()) return first.entries();

  std::vector<std::unique_ptr<Worker>> others;
  std::vector<std::thread> running;
  for (unsigned i = 1; i < threads; ++i) {
    Worker* worker = others.emplace_back(std::make_unique<Worker>(stack, sizes)).get();
    running.emplace_back([worker] { worker->run({}); });
  }
  first.run(std::move(found));
  for (std::thread& thread : running) thread.join();

  std::uint64_t entries = first.entries();
  for (const auto& worker : others) entries += worker->entries();
  return entries;
}

int usage() {
  std::fputs("usage: floor [-s|-S] [-j THREADS] [ROOT]\n", stderr);
  return 2;
}

bool read_threads(std::string_view text, unsigned& threads) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  return error == std::errc{} && end == text.data() + text.size() && threads > 0 && threads <= 1024;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  Sizes sizes = Sizes::none;
  int option = 0;
  while ((option = getopt(argc, argv, "sSj:")) != -1) {
    if (option == 's' || option == 'S') {
      sizes = option == 's' ? Sizes::of_files : Sizes::of_all;
      continue;
    }
    if (option != 'j' || !read_threads(optarg, threads)) return usage();
  }
  if (argc - optind > 1) return usage();
  raise_descriptor_limit();
  const std::uint64_t entries = count_entries(optind < argc ? argv[optind] : ".", threads, sizes);
  std::printf("%llu\n", static_cast<unsigned long long>(entries));
  return failed ? 1 : 0;
}
