// SPDX-License-Identifier: MIT
// The machine below the simulated kernel: Linux's own calls, in values that clash with no name of
// Darwin's. The kernel_*.cpp files read real files through it. Must not know Darwin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simulated::host {

struct Time {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
};

struct Status {
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t blocks = 0;  ///< of 512 bytes
  std::uint64_t mount = 0;   ///< mount id
  std::uint64_t device = 0;  ///< as Linux's st_dev
  std::uint64_t special = 0;
  std::uint32_t mode = 0;
  std::uint32_t links = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t block_size = 0;
  Time accessed;
  Time modified;
  Time changed;
  Time created;
  bool has_created = false;
};

/// What the calls below take for "the current directory".
extern const int current_directory;

/// A descriptor, or -1 and errno.
int open(int at, const char* path, int flags, unsigned mode);
/// The same, refusing symbolic links anywhere in the path.
int open_without_links(int at, const char* path, int flags, unsigned mode);
/// Opens a directory by an absolute path of any length.
int open_directory(const std::string& path);
void close(int fd);

/// 0 or an errno; an empty path is `at` itself.
int status(int at, const char* path, bool follow, Status& status);

/// Id of the mount that `path` lies on, without waiting for whatever is behind that; 0 when
/// unknown.
std::uint64_t mount_of(int at, const char* path);

struct Entry {
  std::uint64_t inode = 0;
  std::int64_t next = 0;   ///< where the directory goes on behind it
  unsigned char type = 0;  ///< DT_*
  std::string_view name;   ///< in the buffer it was read to
};

/// The next entries of an open directory but "." and "..", none at the end; 0 or an errno.
/// `buffer` holds them.
int entries(int fd, std::vector<char>& buffer, std::vector<Entry>& found);
/// The offset behind entries that are left out is reached by this; 0 or an errno.
int seek(int fd, std::int64_t offset);
std::int64_t position(int fd);

/// Path of an open file; empty and errno where there is none.
std::string path_of(int fd);
/// Absolute path without symbolic links; empty and errno where there is none.
std::string real_path(const std::string& path);
/// Whether this process may list and enter the directory `path`.
bool may_read(const std::string& path);
/// mkdir(2), rename(2), dlopen(3) and dlsym(3).
int make_directory(const char* path);
int rename(const char* from, const char* to);
void* load(const char* path, int mode);
void* symbol(void* library, const char* name);
/// unlinkat(2).
int remove(int at, const char* path, bool directory);
/// access(2).
int may_access(const char* path, int mode);
/// What this process may do with a file: R_OK, W_OK and X_OK in one.
unsigned access_mask(int at, const char* path);

/// All of a file; false and errno when it cannot be read.
bool read_file(const char* path, std::string& text);
/// A descriptor of a file in memory that holds `text`.
int memory_file(const char* name, std::string_view text);
/// Each gets the other's name, in one step.
void exchange(const char* one, const char* other);
/// One line at the end of `path`, in one write.
void append_line(const std::string& path, std::string line);

std::int64_t get_attribute(const char* path, int fd, const char* name, void* value,
                           std::size_t size, bool follow);
std::int64_t list_attributes(const char* path, int fd, char* names, std::size_t size, bool follow);

/// poll(2) and pselect(2), by pointers to Linux's structures, which are Darwin's, too.
int poll(void* descriptors, std::size_t count, int milliseconds);
int select(int count, void* readable, void* writable, void* exceptional, const void* time,
           const void* mask);
/// write(2) without a signal: EPIPE alone tells of a reader that went away.
std::int64_t write(int fd, const void* bytes, std::size_t size);
/// SIGPIPE to the process, as by kill(2).
void send_broken_pipe();
/// getrlimit(2) and setrlimit(2), by a pointer to struct rlimit, which is Darwin's, too.
int limits(int resource, void* limit);
int set_limits(int resource, const void* limit);

long control_file(int fd, int command, long argument);
long control_device(int fd, unsigned long request, void* argument);
int resource_usage(int who, void* usage);
unsigned processors();
std::uint64_t nanoseconds_now(int clock);
void sleep_milliseconds(unsigned milliseconds);
bool is_root();

}  // namespace simulated::host
