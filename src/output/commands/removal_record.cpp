// SPDX-License-Identifier: MIT
// Bytes of the identity, whether it is a root, the path and a NUL; they never leave the process.
// See removal_record.h.
#include "output/commands/removal_record.h"

#include <cstring>

#include "output/fields/paths.h"

namespace ffind {

void RemovalRecord::append(std::string& out, Entry& entry) {
  os::Identity identity;
  if (entry.require(needs())) {
    identity.type = entry.type;
    identity.id = {entry.metadata.device, entry.metadata.inode};
    identity.changed = entry.metadata.changed;
  }
  char bytes[sizeof identity];
  std::memcpy(bytes, &identity, sizeof identity);
  out.append(bytes, sizeof bytes);
  out += entry.depth == 0 ? '1' : '0';
  append_path(out, entry);
  out += '\0';
}

Removal next_removal(std::string_view& records) {
  Removal removal;
  std::memcpy(&removal.identity, records.data(), sizeof removal.identity);
  removal.is_root = records[sizeof removal.identity] == '1';
  records.remove_prefix(sizeof removal.identity + 1);
  removal.path = records.substr(0, records.find('\0'));
  records.remove_prefix(removal.path.size() + 1);
  return removal;
}

}  // namespace ffind
