// SPDX-License-Identifier: MIT
// Small files read and replaced with what POSIX has. See own_files.h.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "os/os.h"
#include "os/own_files.h"
#include "os/posix_file_system.h"

namespace ffind::os {
namespace {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The XDG specification wants 0700 for what is made on the way.
int make_directories(const std::string& directory) {
  const auto make = [&] {
    if (::mkdir(directory.c_str(), S_IRWXU) == 0) return 0;
    const int error = errno;
    if (is_directory(directory)) return 0;
    return error == EEXIST ? ENOTDIR : error;
  };
  const int error = make();
  if (error != ENOENT || directory == "." || directory == "/") return error;
  const int error_above = make_directories(directory_of(directory));
  return error_above != 0 ? error_above : make();
}

/// Not every file system has it to offer; the others are asked for it.
int sync(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

int write_and_close(int fd, std::string_view text) {
  int error = write_all(fd, text);
  if (error == 0) error = sync(fd);
  // Servers may say only here that they are full.
  if (::close(fd) != 0 && error == 0 && errno != EINTR) error = errno;
  return error;
}

/// So that the new name outlasts a loss of power; nothing is lost but time when that is refused.
void sync_directory(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

int read_own_file(const std::string& path, std::size_t most, std::string& text) {
  text.clear();
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  std::array<char, 4096> buffer{};
  int error = 0;
  while (error == 0) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error = errno;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > most) error = EFBIG;
  }
  ::close(fd);
  return error;
}

int replace_own_file(const std::string& path, std::string_view text) {
  // A link to a file kept elsewhere stays one.
  std::string target = resolved(path);
  if (target.empty()) target = path;
  const std::string directory = directory_of(target);
  if (is_directory(target)) return EISDIR;
  int error = make_directories(directory);
  if (error != 0) return error;
  std::string temporary = directory + "/.ffind.XXXXXX";
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0) return errno;
  error = write_and_close(fd, text);
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
  } else {
    sync_directory(directory);
  }
  return error;
}

int names_in(const std::string& directory, std::vector<std::string>& names) {
  DIR* const stream = ::opendir(directory.c_str());
  if (stream == nullptr) return errno;
  int error = 0;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(stream);
    if (entry == nullptr) {
      error = errno;
      break;
    }
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(stream);
  return error;
}

}  // namespace ffind::os
