// SPDX-License-Identifier: MIT
// Reading of a device, and the way from an inode's number to its bytes. See volume.h.
#include "os/devices/ext/volume.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/posix/retry.h"

namespace ffind::os::ext {

Device::~Device() {
  ::close(fd_);
}

bool Device::read(std::uint64_t offset, std::size_t size, unsigned char* into) const {
  while (size > 0) {
    const ssize_t count =
        uninterrupted([&] { return ::pread(fd_, into, size, static_cast<off_t>(offset)); });
    if (count <= 0) return false;
    offset += static_cast<std::size_t>(count);
    into += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool Device::read_if_cached(std::uint64_t offset, std::size_t size, unsigned char* into) const {
  if (!can_refuse_.load(std::memory_order_relaxed)) return read(offset, size, into);
  iovec where{into, size};
  const ssize_t count = ::preadv2(fd_, &where, 1, static_cast<off_t>(offset), RWF_NOWAIT);
  if (count == static_cast<ssize_t>(size)) return true;
  // Before Linux 4.14 there is no such flag, and some device drivers do not have it.
  if (count < 0 && errno != EAGAIN) {
    if (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS) can_refuse_.store(false);
    return read(offset, size, into);
  }
  return false;
}

void Device::fetch(std::uint64_t offset, std::size_t size) const {
  ::posix_fadvise(fd_, static_cast<off_t>(offset), static_cast<off_t>(size), POSIX_FADV_WILLNEED);
}

Volume::Volume(std::unique_ptr<Device> device, const Geometry& geometry, const Trust& trust,
               std::uint64_t device_number)
    : device_(std::move(device)),
      geometry_(geometry),
      trust_(trust),
      device_number_(device_number),
      tables_(geometry.groups) {}

std::uint64_t Volume::position_of_inode(std::uint64_t number) {
  std::uint32_t group = 0;
  std::uint64_t offset = 0;
  if (!locate_inode(geometry_, number, group, offset)) return 0;
  std::uint64_t table = tables_[group].load(std::memory_order_relaxed);
  if (table == 0) table = load_table(group);
  return table == 0 ? 0 : table * geometry_.block_size + offset;
}

std::size_t Volume::readable(std::uint64_t begin, std::size_t size) const {
  const std::uint64_t end = geometry_.blocks * geometry_.block_size;
  return begin >= end ? 0 : static_cast<std::size_t>(std::min<std::uint64_t>(size, end - begin));
}

/// Several threads may do it at once, with the same result: a table never moves.
std::uint64_t Volume::load_table(std::uint32_t group) {
  const Position position = descriptor_position(geometry_, group);
  std::vector<unsigned char> block(geometry_.block_size);
  const std::size_t each = geometry_.descriptor_size;
  if (position.offset + each > block.size()) return 0;
  if (!device_->read(position.block * geometry_.block_size, block.size(), block.data())) return 0;
  // The neighbours are in the same block, and will be read next.
  std::uint64_t found = 0;
  std::size_t offset = position.offset;
  for (std::uint32_t next = group; next < geometry_.groups; ++next, offset += each) {
    if (offset + each > block.size()) break;
    if (descriptor_position(geometry_, next).block != position.block) break;
    const std::uint64_t table = inode_table_of(geometry_, next, Bytes(block).subspan(offset, each));
    tables_[next].store(table, std::memory_order_relaxed);
    if (next == group) found = table;
  }
  return found;
}

}  // namespace ffind::os::ext
