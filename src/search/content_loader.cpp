// SPDX-License-Identifier: MIT
// The bytes of a file for a test of contents: opened beside its directory, read into the worker's
// own buffer, handed on piece by piece. A part of EntryWorker; see entry_worker.h.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>

#include "search/entry_worker.h"

namespace ffind {
namespace {

/// Nine of ten files are read in one piece, and it stays in a core's cache until it has been looked
/// through.
constexpr std::size_t buffer_size = std::size_t{128} * 1024;

}  // namespace

/// Whether the volume of a file that is a mount point was asked for; see plan/crossing.h.
bool EntryWorker::may_read_across(const Boundary& boundary) const {
  if (!scope_.cross_volumes) return false;
  return boundary.kind == VolumeKind::local ||
         (boundary.kind == VolumeKind::network && scope_.network);
}

bool EntryWorker::read_contents(Entry& entry, ContentReader& reader) {
  // A file may be mounted on another: that is another volume's, whose own search knows directories
  // only and will not come by.
  const Boundary* const boundary = boundary_at(entry);
  if (boundary != nullptr && !may_read_across(*boundary)) return false;
  const Place place = place_of(entry);
  if (!can_reach(entry, place, "read")) return false;
  const bool anywhere = place.is_root || boundary != nullptr;
  const os::OpenFlags flags =
      place.followed ? link_flags()
                     : os::OpenFlags{.follow = place.is_root, .stay_on_volume = !anywhere};
  os::File file;
  int error = open_file(place, flags, file);
  if (error == 0) {
    ++statistics_.files_read;
    error = read_pieces(file, reader);
    file_system_.close_file(file);
  }
  if (error == 0) return !state_.stopped();
  // ENXIO: there is something else in its place by now.
  if (error != EXDEV) fail(entry, "read", error == ENXIO ? ENOENT : error);
  return false;
}

/// Who holds a lease on the file (Samba does, for what its clients write) is told that somebody
/// wants to read it, and has time to give it up: on Linux 45 s, by fs.lease-break-time, after which
/// it is taken away.
int EntryWorker::open_file(const Place& place, os::OpenFlags flags, os::File& file) {
  using Clock = std::chrono::steady_clock;
  constexpr auto longest_wait = std::chrono::seconds(60);
  constexpr auto longest_pause = std::chrono::milliseconds(50);
  std::optional<Clock::time_point> began;
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, longest_pause)) {
    const int error =
        with_room([&] { return file_system_.open_file(place.at, place.name, flags, file); });
    if (error != EAGAIN || state_.stopped()) return error;
    if (!began) began = Clock::now();
    if (Clock::now() - *began > longest_wait) return error;
    std::this_thread::sleep_for(pause);
  }
}

int EntryWorker::read_pieces(os::File& file, ContentReader& reader) {
  if (!contents_) contents_.reset(new char[buffer_size]);
  while (!state_.stopped()) {
    std::size_t count = 0;
    const int error = file_system_.read_file(file, contents_.get(), buffer_size, count);
    if (error != 0) return error;
    if (count == 0) break;
    statistics_.bytes_read += count;
    // Saves the call that would only say so.
    const bool last = file.size != 0 && file.position == file.size;
    if (!reader.take({contents_.get(), count}, last) || last) break;
  }
  return 0;
}

}  // namespace ffind
