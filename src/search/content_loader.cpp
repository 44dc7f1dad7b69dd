// SPDX-License-Identifier: MIT
// The bytes of a file for a test of contents: opened beside its directory, read into the worker's
// own buffer, handed on piece by piece. A part of EntryWorker; see entry_worker.h.
#include <cerrno>

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
  if (place.error != 0) return false;
  // As for directories: what a link leads to may lie anywhere once crossing was asked for.
  const bool crosses = boundary != nullptr || (place.followed && scope_.cross_volumes);
  const os::OpenFlags flags{.follow = place.followed || place.is_root,
                            .stay_on_volume = !place.is_root && !crosses};
  os::File file;
  int error = with_room([&] { return file_system_.open_file(place.at, place.name, flags, file); });
  if (error == 0) {
    ++statistics_.files_read;
    error = read_pieces(file, reader);
    file_system_.close_file(file);
  }
  if (error == 0) return !state_.stopped();
  if (error == EDEADLK) {
    ++statistics_.not_local;
  } else if (is_gone(error) || error == ENXIO) {
    ++statistics_.vanished;  // or there is something else in its place
  } else if (error != EXDEV) {
    report_entry(entry, "read", error);
  }
  return false;
}

int EntryWorker::read_pieces(os::File& file, ContentReader& reader) {
  if (!contents_) contents_.reset(new char[buffer_size]);
  while (!state_.stopped()) {
    std::size_t count = 0;
    const int error = file_system_.read_file(file, contents_.get(), buffer_size, count);
    if (error != 0) return error;
    if (count == 0) break;
    statistics_.bytes_read += count;
    // Saves the call that would only say so. What is appended just now may be seen or not.
    const bool last = file.size != 0 && file.position == file.size;
    if (!reader.take({contents_.get(), count}, last) || last) break;
  }
  return 0;
}

}  // namespace ffind
