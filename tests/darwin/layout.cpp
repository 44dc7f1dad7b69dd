// SPDX-License-Identifier: MIT
// Comparison of every constant, size and offset in os/formats/darwin_*.h with Apple's own headers,
// by static_assert. The formats are built and tested on Linux, so they cannot include those
// headers; this file is compiled on macOS and for the simulation only, has no code, and turns a
// wrong number there into an error of the build.
//
// A number that is added to darwin_attributes.h or mount_tables.h gets a line here. DKIOCISVIRTUAL,
// which Apple's installed headers hide, is asserted in volumes.cpp, next to its use.
#include <fcntl.h>
#include <sys/attr.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "os/formats/darwin_attributes.h"
#include "os/formats/mount_tables.h"

#if __has_include(<sys/vnode.h>)
#include <sys/vnode.h>
#endif

namespace ffind::os::darwin {

// Bits of attributes in requests and records: common, directory, file; then values of one of them.
static_assert(attr::cmn_name == ATTR_CMN_NAME);
static_assert(attr::cmn_devid == ATTR_CMN_DEVID);
static_assert(attr::cmn_fsid == ATTR_CMN_FSID);
static_assert(attr::cmn_objtype == ATTR_CMN_OBJTYPE);
static_assert(attr::cmn_crtime == ATTR_CMN_CRTIME);
static_assert(attr::cmn_modtime == ATTR_CMN_MODTIME);
static_assert(attr::cmn_chgtime == ATTR_CMN_CHGTIME);
static_assert(attr::cmn_acctime == ATTR_CMN_ACCTIME);
static_assert(attr::cmn_fndrinfo == ATTR_CMN_FNDRINFO);
static_assert(attr::cmn_ownerid == ATTR_CMN_OWNERID);
static_assert(attr::cmn_grpid == ATTR_CMN_GRPID);
static_assert(attr::cmn_accessmask == ATTR_CMN_ACCESSMASK);
static_assert(attr::cmn_flags == ATTR_CMN_FLAGS);
static_assert(attr::cmn_extended_security == ATTR_CMN_EXTENDED_SECURITY);
static_assert(attr::cmn_fileid == ATTR_CMN_FILEID);
static_assert(attr::cmn_parentid == ATTR_CMN_PARENTID);
static_assert(attr::cmn_addedtime == ATTR_CMN_ADDEDTIME);
static_assert(attr::cmn_error == ATTR_CMN_ERROR);
static_assert(attr::cmn_returned_attrs == ATTR_CMN_RETURNED_ATTRS);
static_assert(attr::dir_linkcount == ATTR_DIR_LINKCOUNT);
static_assert(attr::dir_entrycount == ATTR_DIR_ENTRYCOUNT);
static_assert(attr::dir_mountstatus == ATTR_DIR_MOUNTSTATUS);
static_assert(attr::file_linkcount == ATTR_FILE_LINKCOUNT);
static_assert(attr::file_datalength == ATTR_FILE_DATALENGTH);
static_assert(attr::file_allocsize == ATTR_FILE_ALLOCSIZE);
static_assert(mountstatus_mount_point == DIR_MNTSTATUS_MNTPOINT);
static_assert(mountstatus_trigger == DIR_MNTSTATUS_TRIGGER);

// A bulk record begins with an attribute_set_t, which RecordDecoder reads word by word.
static_assert(sizeof(AttributeSet) == sizeof(attribute_set_t));
static_assert(offsetof(AttributeSet, common) == offsetof(attribute_set_t, commonattr));
static_assert(offsetof(AttributeSet, volume) == offsetof(attribute_set_t, volattr));
static_assert(offsetof(AttributeSet, directory) == offsetof(attribute_set_t, dirattr));
static_assert(offsetof(AttributeSet, file) == offsetof(attribute_set_t, fileattr));
static_assert(offsetof(AttributeSet, fork) == offsetof(attribute_set_t, forkattr));
// Sizes of values in a record. Its decoder knows them by attribute, and all are multiples of four,
// so that no padding comes between values.
static_assert(sizeof(attrreference_t) == 8);
static_assert(offsetof(attrreference_t, attr_dataoffset) == 0);
static_assert(offsetof(attrreference_t, attr_length) == 4);
static_assert(sizeof(timespec) == 16);
static_assert(sizeof(fsid_t) == 8);
static_assert(sizeof(::stat::st_dev) == 4);
static_assert(sizeof(fsobj_type_t) == 4);
static_assert(sizeof(uid_t) == 4 && sizeof(gid_t) == 4);
static_assert(sizeof(off_t) == 8);

// Options of searchfs.
static_assert(srchfs_start == SRCHFS_START);
static_assert(srchfs_matchpartialnames == SRCHFS_MATCHPARTIALNAMES);
static_assert(srchfs_matchdirs == SRCHFS_MATCHDIRS);
static_assert(srchfs_matchfiles == SRCHFS_MATCHFILES);

// Flags of a row of getfsstat, f_flags, and one of f_flags_ext.
static_assert(mnt_rdonly == MNT_RDONLY);
static_assert(mnt_local == MNT_LOCAL);
static_assert(mnt_rootfs == MNT_ROOTFS);
static_assert(mnt_dontbrowse == MNT_DONTBROWSE);
static_assert(mnt_snapshot == MNT_SNAPSHOT);
static_assert(mnt_ext_root_data_vol == MNT_EXT_ROOT_DATA_VOL);
// Result of ATTR_VOL_CAPABILITIES: capabilities[4], then valid[4].
static_assert(vol_cap_fmt_case_sensitive == VOL_CAP_FMT_CASE_SENSITIVE);
static_assert(vol_cap_fmt_path_from_id == VOL_CAP_FMT_PATH_FROM_ID);
static_assert(vol_cap_int_searchfs == VOL_CAP_INT_SEARCHFS);
static_assert(vol_cap_int_readdirattr == VOL_CAP_INT_READDIRATTR);
static_assert(VOL_CAPABILITIES_FORMAT == 0 && VOL_CAPABILITIES_INTERFACES == 1);
static_assert(sizeof(vol_capabilities_attr_t) == 32);

/// The bit of st_flags that a flag is read from.
constexpr std::uint64_t bit_of_flag(FileFlags flag) {
  for (const FlagRow& row : stat_flags) {
    if (row.flag == flag) return row.bit;
  }
  return 0;
}
static_assert(attr::cmnext_private_size == ATTR_CMNEXT_PRIVATESIZE);
static_assert(attr::cmnext_ext_flags == ATTR_CMNEXT_EXT_FLAGS);
static_assert(bit_of_flag(file_flags::nodump) == UF_NODUMP);
static_assert(bit_of_flag(file_flags::uchg) == UF_IMMUTABLE);
static_assert(bit_of_flag(file_flags::uappnd) == UF_APPEND);
static_assert(bit_of_flag(file_flags::opaque) == UF_OPAQUE);
static_assert(bit_of_flag(file_flags::compressed) == UF_COMPRESSED);
static_assert(bit_of_flag(file_flags::tracked) == UF_TRACKED);
static_assert(bit_of_flag(file_flags::datavault) == UF_DATAVAULT);
static_assert(bit_of_flag(file_flags::hidden) == UF_HIDDEN);
static_assert(bit_of_flag(file_flags::arch) == SF_ARCHIVED);
static_assert(bit_of_flag(file_flags::schg) == SF_IMMUTABLE);
static_assert(bit_of_flag(file_flags::sappnd) == SF_APPEND);
static_assert(bit_of_flag(file_flags::restricted) == SF_RESTRICTED);
static_assert(bit_of_flag(file_flags::sunlnk) == SF_NOUNLINK);
static_assert(bit_of_flag(file_flags::firmlink) == SF_FIRMLINK);
static_assert(bit_of_flag(file_flags::dataless) == SF_DATALESS);

// ATTR_CMN_OBJTYPE is an enum vtype; type_of_vnode is a table by these numbers.
#if __has_include(<sys/vnode.h>)
static_assert(VREG == 1 && VDIR == 2 && VBLK == 3 && VCHR == 4 && VLNK == 5 && VSOCK == 6 &&
              VFIFO == 7);
#endif

}  // namespace ffind::os::darwin
