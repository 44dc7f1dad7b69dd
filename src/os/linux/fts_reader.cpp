// SPDX-License-Identifier: MIT
// Looks through the names before fts does. See fts_reader.h.
#include "os/linux/fts_reader.h"

#include <utility>

#include "os/posix/network_names.h"

namespace ffind::os {
namespace {

class CarefulFtsReader final : public DirentReader {
 public:
  explicit CarefulFtsReader(std::vector<std::string> untouchable)
      : untouchable_(std::move(untouchable)) {}

  int read(Directory& directory, DirentBlock& block) override {
    if (!directory.begun) {
      const int error = choose(directory);
      if (error != 0) return error;
      directory.begun = true;
    }
    return reader_of(directory).read(directory, block);
  }

  void close(Directory& directory) override { reader_of(directory).close(directory); }

 private:
  DirentReader& reader_of(const Directory& directory) {
    return directory.choice == 0 ? *fts_ : *readdir_;
  }

  int choose(Directory& directory) const {
    bool found = false;
    const int error = look_for_names(directory.fd, untouchable_, found);
    if (found) directory.choice = 1;
    return error;
  }

  const std::vector<std::string> untouchable_;
  std::unique_ptr<DirentReader> fts_ = make_fts_reader();
  std::unique_ptr<DirentReader> readdir_ = make_readdir_reader();
};

}  // namespace

std::unique_ptr<DirentReader> make_careful_fts_reader(std::vector<std::string> untouchable) {
  return std::make_unique<CarefulFtsReader>(std::move(untouchable));
}

}  // namespace ffind::os
