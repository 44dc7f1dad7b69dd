// SPDX-License-Identifier: MIT
// No instruction for CRC-32C: for processors that have no crc32c_*.cpp of their own.
#include "os/ext/crc32c.h"

namespace ffind::os {

Crc32c crc32c_by_instruction() {
  return nullptr;
}

}  // namespace ffind::os
