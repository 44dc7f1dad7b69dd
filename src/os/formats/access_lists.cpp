// SPDX-License-Identifier: MIT
// Layouts of NFSv4's attribute, as the kernel's client passes it on (big-endian, RFC 7530,
// nfsace4), and of macOS's reply (native; xnu's kauth_filesec):
//
//     count | type, flags, mask, length, name, padding to 4 | ...
//     length | 5 words of returned attributes | offset, length | magic, 2 x 16 bytes, count, ...
#include "os/formats/access_lists.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "os/formats/endian.h"
#include "text/ascii.h"

namespace ffind::os {
namespace {

struct Row {
  std::string_view name;
  AclKinds kind;
};
constexpr Row rows[] = {{"system.posix_acl_access", acl_kinds::access},
                        {"system.posix_acl_default", acl_kinds::inherited},
                        {nfs4_acl_attribute, acl_kinds::nfs4}};

bool is_class_of_mode(std::string_view name) {
  return name == "OWNER@" || name == "GROUP@" || name == "EVERYONE@";
}

constexpr std::uint32_t extended_security = 0x00400000;  // ATTR_CMN_EXTENDED_SECURITY
constexpr std::uint32_t filesec_magic = 0x012CC16D;
constexpr std::uint32_t no_acl = 0xFFFFFFFF;  // KAUTH_FILESEC_NOACL
constexpr std::size_t returned_at = 4;
constexpr std::size_t reference_at = 24;
constexpr std::size_t count_in_filesec = 36;

std::uint32_t word_at(std::string_view record, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, record.data() + at, sizeof word);
  return word;
}

}  // namespace

AclKinds acl_kinds_among(std::string_view names) {
  AclKinds kinds = 0;
  while (!names.empty()) {
    const std::string_view name = text::take_part(names, '\0');
    for (const Row& row : rows) {
      if (name == row.name) kinds |= row.kind;
    }
  }
  return kinds;
}

bool is_plain_nfs4_acl(std::string_view value) {
  constexpr std::size_t head = 16;
  if (value.size() < 4) return false;
  std::uint32_t count = be32(value, 0);
  value.remove_prefix(4);
  for (; count > 0; --count) {
    if (value.size() < head) return false;
    const std::size_t length = be32(value, 12);
    if (length > value.size() - head) return false;
    if (!is_class_of_mode(value.substr(head, length))) return false;
    value.remove_prefix(std::min(head + ((length + 3) & ~std::size_t{3}), value.size()));
  }
  return true;
}

bool has_darwin_acl(std::string_view record) {
  if (record.size() < reference_at + 8) return false;
  if ((word_at(record, returned_at) & extended_security) == 0) return false;
  const std::size_t filesec = reference_at + word_at(record, reference_at);
  if (filesec > record.size() || record.size() - filesec < count_in_filesec + 4) return false;
  const std::uint32_t count = word_at(record, filesec + count_in_filesec);
  return word_at(record, filesec) == filesec_magic && count != 0 && count != no_acl;
}

}  // namespace ffind::os
