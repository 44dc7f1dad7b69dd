// SPDX-License-Identifier: MIT
// Whether the simulated kernel refuses what the real one refuses: a lax one would prove nothing.
// Run by ctest in an empty directory, which it makes a volume of HFS+.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/attr.h>
#include <sys/fsgetpath.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace {

// mutable: the verdict
int failures = 0;

/// `result` is what the call gave; `expected` 0, or the errno of a call that has to fail.
void expect(const char* what, long result, int expected) {
  const int error = result < 0 ? errno : 0;
  if (error == expected) return;
  std::printf("%s: expected %d, got %d\n", what, expected, error);
  ++failures;
}

void expect_number(const char* what, unsigned long number, unsigned long expected) {
  if (number == expected) return;
  std::printf("%s: expected %lu, got %lu\n", what, expected, number);
  ++failures;
}

void test_bulk(int directory, int file) {
  std::array<unsigned char, 4096> buffer{};
  const auto call = [&](int fd, const std::function<void(attrlist&)>& change, std::size_t size) {
    attrlist list{};
    list.bitmapcount = ATTR_BIT_MAP_COUNT;
    list.commonattr = ATTR_BULK_REQUIRED | ATTR_CMN_OBJTYPE;
    change(list);
    ::lseek(fd, 0, SEEK_SET);
    return ::getattrlistbulk(fd, &list, buffer.data(), size, 0);
  };
  const auto as_it_is = [](attrlist&) {};
  expect_number("bulk: entries", static_cast<unsigned long>(call(directory, as_it_is, 4096)), 2);
  std::uint32_t length = 0;
  std::memcpy(&length, buffer.data(), sizeof length);
  expect_number("bulk: padding", length % 8, 0);
  expect("bulk: a file", call(file, as_it_is, 4096), ENOTDIR);
  expect("bulk: too small", call(directory, as_it_is, 16), ERANGE);
  const auto without = [&](attrgroup_t bit) {
    return call(
        directory, [&](attrlist& list) { list.commonattr &= ~bit; }, 4096);
  };
  expect("bulk: no name", without(ATTR_CMN_NAME), EINVAL);
  expect("bulk: no set", without(ATTR_CMN_RETURNED_ATTRS), EINVAL);
  expect("bulk: a volume's attribute",
         call(
             directory, [](attrlist& list) { list.volattr = ATTR_VOL_INFO; }, 4096),
         EINVAL);
  expect("bulk: what nobody has any more",
         call(
             directory, [](attrlist& list) { list.fileattr = ATTR_FILE_FORKCOUNT; }, 4096),
         EINVAL);
}

/// What poll reports of `fd` at once: revents, or -1 if it reports nothing.
int polled(int fd, short events) {
  pollfd state{fd, events, 0};
  return ::poll(&state, 1, 0) == 1 ? state.revents : -1;
}

void expect_events(const char* what, int found, int expected) {
  if (found == expected) return;
  std::printf("%s: expected events %d, got %d\n", what, expected, found);
  ++failures;
}

void test_waiting() {
  int ends[2];
  if (::pipe(ends) != 0) std::exit(EXIT_FAILURE);
  const int null = ::open("/dev/null", O_RDWR);
  expect_events("poll: /dev/null", polled(null, POLLOUT), POLLNVAL);
  expect_events("poll: a closed descriptor", polled(1000, POLLIN), POLLNVAL);
  expect_events("poll: a closed descriptor, no event", polled(1000, 0), -1);
  expect_events("poll: a directory", polled(::open(".", O_RDONLY), POLLIN), POLLNVAL);
  expect_events("poll: room", polled(ends[1], POLLOUT), POLLOUT);
  expect_events("poll: nothing to read", polled(ends[0], POLLIN), -1);
  pollfd pair[] = {{ends[0], POLLIN, 0}, {null, POLLIN, 0}};
  expect_number("poll: does not wait", static_cast<unsigned long>(::poll(pair, 2, -1)), 1);

  fd_set set;
  FD_ZERO(&set);
  FD_SET(null, &set);
  const timespec time{};
  expect_number(
      "pselect: /dev/null",
      static_cast<unsigned long>(::pselect(null + 1, nullptr, &set, nullptr, &time, nullptr)), 1);
  expect("pselect: too many", ::pselect(FD_SETSIZE + 1, nullptr, nullptr, nullptr, &time, nullptr),
         EINVAL);
  ::close(ends[0]);
  expect_events("poll: no reader, no event", polled(ends[1], 0), -1);
  expect_events("poll: no reader", polled(ends[1], POLLOUT), POLLHUP);

  // mutable: the handler has no parameters of ours
  static std::atomic<int> signals = 0;
  ::signal(SIGPIPE, [](int) { signals.fetch_add(1); });
  std::atomic<bool> over = false;
  std::thread other([&over] {
    while (!over.load()) ::poll(nullptr, 0, 1);
  });
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  expect("write: too much", ::write(ends[1], "", std::size_t{1} << 31U), EINVAL);
  expect("write: no reader", ::write(ends[1], "", 1), EPIPE);
  for (int tries = 0; tries < 1000 && signals.load() == 0; ++tries) ::poll(nullptr, 0, 1);
  ::fcntl(ends[1], F_SETNOSIGPIPE, 1);
  expect("write: no reader, no signal", ::write(ends[1], "", 1), EPIPE);
  over.store(true);
  other.join();
  expect_number("write: signals to the process", static_cast<unsigned long>(signals.load()), 1);

  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < RLIM_INFINITY) return;
  limit.rlim_cur = RLIM_INFINITY;
  expect("setrlimit: without a limit", ::setrlimit(RLIMIT_NOFILE, &limit), 0);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  expect_number("setrlimit: no more than there are", limit.rlim_cur, 10240);
}

void test_attributes() {
  std::array<unsigned char, 4096> buffer{};
  const auto call = [&](attrgroup_t common, attrgroup_t file) {
    attrlist list{};
    list.bitmapcount = ATTR_BIT_MAP_COUNT;
    list.commonattr = common;
    list.fileattr = file;
    return ::getattrlist("File-Foo", &list, buffer.data(), buffer.size(), 0);
  };
  expect("attributes", call(ATTR_CMN_OBJTYPE, ATTR_FILE_DATALENGTH), 0);
  expect("attributes: one that there is not, and no set",
         call(ATTR_CMN_OBJTYPE | ATTR_CMN_DOCUMENT_ID, 0), EINVAL);
  expect("attributes: one that there is not, and a set",
         call(ATTR_CMN_RETURNED_ATTRS | ATTR_CMN_DOCUMENT_ID, 0), 0);
  expect("attributes: forks", call(ATTR_CMN_RETURNED_ATTRS, ATTR_FILE_FORKLIST), EINVAL);
}

void test_opening() {
  expect("open: no links anywhere",
         ::open("dirfo", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW_ANY), 0);
  expect("open: no links, twice", ::open("dirfo", O_RDONLY | O_NOFOLLOW_ANY | O_NOFOLLOW), EINVAL);
  expect("open: no links, and links themselves",
         ::open("dirfo", O_RDONLY | O_NOFOLLOW_ANY | O_SYMLINK), EINVAL);
}

/// What a process is given and what its default means.
void test_policies() {
  constexpr int download = IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES;
  const auto policy = [] {
    return static_cast<unsigned long>(::getiopolicy_np(download, IOPOL_SCOPE_PROCESS));
  };
  expect_number("policy at the beginning", policy(), IOPOL_MATERIALIZE_DATALESS_FILES_ON);
  ::setiopolicy_np(download, IOPOL_SCOPE_PROCESS, IOPOL_MATERIALIZE_DATALESS_FILES_DEFAULT);
  expect_number("policy by default", policy(), IOPOL_MATERIALIZE_DATALESS_FILES_OFF);
}

/// A search for names that contain "fo", to be changed into what is wrong.
struct Question {
  attrlist returned{};
  fssearchblock block{};
  searchstate state{};
  std::vector<unsigned char> first = std::vector<unsigned char>(15);
  std::vector<unsigned char> last = std::vector<unsigned char>(12);
  std::vector<unsigned char> answer = std::vector<unsigned char>(4096);
  unsigned options = SRCHFS_START | SRCHFS_MATCHFILES | SRCHFS_MATCHDIRS | SRCHFS_MATCHPARTIALNAMES;
  unsigned long matches = 0;

  Question() {
    returned.bitmapcount = block.searchattrs.bitmapcount = ATTR_BIT_MAP_COUNT;
    returned.commonattr = ATTR_CMN_NAME | ATTR_CMN_OBJTYPE | ATTR_CMN_PARENTID;
    block.searchattrs.commonattr = ATTR_CMN_NAME;
    block.maxmatches = 100;
    put(0, 15);
    put(4, 8);
    put(8, 3);
    std::memcpy(first.data() + 12, "fo", 3);
    last[0] = 12;
  }
  void put(std::size_t at, std::uint32_t number) {
    std::memcpy(first.data() + at, &number, sizeof number);
  }
  int ask() {
    block.returnattrs = &returned;
    block.returnbuffer = answer.data();
    block.returnbuffersize = answer.size();
    block.searchparams1 = first.data();
    block.sizeofsearchparams1 = first.size();
    block.searchparams2 = last.data();
    block.sizeofsearchparams2 = last.size();
    return ::searchfs(".", &block, &matches, 0, options, &state);
  }
};

void test_search() {
  struct Row {
    const char* what;
    int error;
    unsigned long matches;
    std::function<void(Question&)> change;
  };
  const Row rows[] = {
      {"as it is", 0, 2, [](Question&) {}},
      {"unknown option", EINVAL, 0, [](Question& q) { q.options |= 0x1000; }},
      {"set of returned attributes", EINVAL, 0,
       [](Question& q) { q.returned.commonattr |= ATTR_CMN_RETURNED_ATTRS; }},
      {"a volume's attribute", EINVAL, 0, [](Question& q) { q.returned.volattr = ATTR_VOL_NAME; }},
      {"no bitmap count", EINVAL, 0, [](Question& q) { q.block.searchattrs.bitmapcount = 0; }},
      {"length 0", EINVAL, 0, [](Question& q) { q.put(0, 0); }},
      {"name before the buffer", EINVAL, 0, [](Question& q) { q.put(4, 0xFFFFFFF0); }},
      {"name behind the buffer", EINVAL, 0, [](Question& q) { q.put(4, 10); }},
      {"name without its NUL", EINVAL, 0, [](Question& q) { q.first[14] = 'x'; }},
      {"no room for the second name", EINVAL, 0, [](Question& q) { q.last.resize(8); }},
      {"one NUL", 0, 0,
       [](Question& q) {
         q.put(8, 1);
         q.first[12] = 0;
       }},
      {"two kinds of id", EINVAL, 0,
       [](Question& q) { q.block.searchattrs.commonattr |= ATTR_CMN_OBJID | ATTR_CMN_FILEID; }},
      {"times that are not there", EINVAL, 0,
       [](Question& q) { q.block.searchattrs.commonattr |= ATTR_CMN_MODTIME; }},
      {"flags", EINVAL, 0, [](Question& q) { q.block.searchattrs.commonattr |= ATTR_CMN_FLAGS; }},
      {"large parameters", EINVAL, 0, [](Question& q) { q.first.resize(4097); }},
      {"no matches wanted", 0, 0, [](Question& q) { q.block.maxmatches = 0; }},
      {"one match wanted", EAGAIN, 1, [](Question& q) { q.block.maxmatches = 1; }},
      {"no room for one match", ENOBUFS, 0, [](Question& q) { q.answer.resize(20); }},
      {"room for one match", EAGAIN, 1, [](Question& q) { q.answer.resize(40); }},
      {"resumed before it began", EINVAL, 0, [](Question& q) { q.options ^= SRCHFS_START; }},
      {"directories", 0, 1, [](Question& q) { q.options ^= SRCHFS_MATCHFILES; }},
      {"whole names", 0, 0, [](Question& q) { q.options ^= SRCHFS_MATCHPARTIALNAMES; }},
  };
  for (const Row& row : rows) {
    Question question;
    row.change(question);
    expect(row.what, question.ask(), row.error);
    expect_number(row.what, question.matches, row.matches);
  }
}

void test_paths(const char* here) {
  struct ::stat directory {};
  struct ::statfs volume {};
  expect("stat", ::stat("dirfo", &directory), 0);
  expect("statfs", ::statfs("dirfo", &volume), 0);
  std::array<char, 1024> path{};
  const ssize_t length = ::fsgetpath(path.data(), path.size(), &volume.f_fsid, directory.st_ino);
  expect_number("fsgetpath: the NUL counts", static_cast<unsigned long>(length),
                std::strlen(path.data()) + 1);
  expect("fsgetpath: no room", ::fsgetpath(path.data(), 3, &volume.f_fsid, directory.st_ino),
         ENOSPC);
  expect("fsgetpath: nothing there", ::fsgetpath(path.data(), 1024, &volume.f_fsid, 3), ENOENT);
  // What is around the root leads to the root.
  expect("fsgetpath: around the root", ::fsgetpath(path.data(), 1024, &volume.f_fsid, 1), 0);
  expect_number("fsgetpath: the root", std::strcmp(path.data(), here) == 0 ? 1 : 0, 1);
}

}  // namespace

int main() {
  char place[] = "/tmp/ffind-strictness-XXXXXX";
  if (::mkdtemp(place) == nullptr || ::chdir(place) != 0) return 77;
  ::setenv("FFIND_DARWIN", "volume . hfs", 1);
  const int file = ::open("File-Foo", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ::mkdir("dirfo", 0755);
  const int directory = ::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  test_bulk(directory, file);
  test_search();
  test_attributes();
  test_opening();
  test_policies();
  test_waiting();
  test_paths(place);
  ::unlink("File-Foo");
  ::rmdir("dirfo");
  ::rmdir(place);
  return failures == 0 ? 0 : 1;
}
