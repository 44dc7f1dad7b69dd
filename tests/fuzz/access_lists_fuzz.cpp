// SPDX-License-Identifier: MIT
// Fuzzes what tells access control lists. Input: names of attributes, a value or a record.
#include <string>

#include "fuzz/fuzz.h"
#include "os/formats/access_lists.h"

namespace ffind::fuzz::access_lists_fuzz {

FUZZ_TARGET(access_lists) {
  const Input input(data, size);
  const std::string_view bytes = input.rest();
  require(os::acl_kinds_among(bytes) < 8, "there are three kinds on Linux");
  if (os::is_plain_nfs4_acl(bytes)) {
    require(bytes.size() >= 4, "a list has a number of entries");
    require(!os::is_plain_nfs4_acl(bytes.substr(0, 3)), "what is cut off is none");
  }
  // A reply that is longer tells the same: the kernel cuts it off at the end of the buffer.
  if (bytes.size() >= os::darwin_acl_record && os::has_darwin_acl(bytes)) {
    require(os::has_darwin_acl(std::string(bytes) + "more"), "more bytes take nothing away");
  }
  return 0;
}

}  // namespace ffind::fuzz::access_lists_fuzz
