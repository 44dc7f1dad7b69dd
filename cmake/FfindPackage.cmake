# SPDX-License-Identifier: MIT
# Packages for Debian and for RPM, made by `cpack` in a build directory. CPack installs into a staging
# directory, then runs this file once more, as a script, to make of that what the system's packages have:
# compressed man pages, and Debian's own places for completions of zsh, for the licences and for changes.
# .ci/binaries says how to make packages that need the C library alone.
if(NOT CMAKE_SCRIPT_MODE_FILE AND NOT CPACK_TEMPORARY_DIRECTORY)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  # Of those that the tools here can make, unless `cpack -G` says.
  find_program(shlibdeps dpkg-shlibdeps NO_CACHE)
  find_program(rpmbuild rpmbuild NO_CACHE)
  set(CPACK_GENERATOR)
  if(shlibdeps)
    list(APPEND CPACK_GENERATOR DEB)
  endif()
  if(rpmbuild)
    list(APPEND CPACK_GENERATOR RPM)
  endif()
  if(NOT CPACK_GENERATOR)
    set(CPACK_GENERATOR TGZ)
  endif()
  set(CPACK_PACKAGE_CONTACT "The ffind authors <ffind@users.noreply.github.com>")
  set(CPACK_PACKAGE_DESCRIPTION "\
ffind searches the live file system by name, path, kind, size, time, contents
and more, without an index. It hides nothing by default, stays on the volume it
is pointed at, and prints matches as text, columns, a tree or JSON, into a pipe
or a list to pick from.")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds any file, live, fast")
  set(CPACK_PACKAGE_VENDOR "The ffind authors")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
      OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_THREADS 0)
  set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_FILE})

  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
  set(CPACK_DEBIAN_PACKAGE_SECTION utils)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # It has a program of the same name.
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS sleuthkit)

  set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
  set(CPACK_RPM_PACKAGE_SUMMARY ${PROJECT_DESCRIPTION})
  set(CPACK_RPM_PACKAGE_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
  set(CPACK_RPM_COMPRESSION_TYPE xz)
  set(CPACK_RPM_PACKAGE_LICENSE
      "MIT AND BSD-2-Clause AND BSD-3-Clause AND Unicode-DFS-2016 AND GPL-3.0-or-later WITH GCC-exception-3.1")
  set(CPACK_RPM_PACKAGE_CONFLICTS sleuthkit)
  set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none")
  # Directories of other packages.
  set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
      /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/fish
      /usr/share/fish/vendor_completions.d /usr/share/man /usr/share/man/man1 /usr/share/man/man5
      /usr/share/man/man7 /usr/share/zsh /usr/share/zsh/site-functions)
  include(CPack)
  return()
endif()

set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${share}/doc/ffind)

function(compress)
  execute_process(COMMAND gzip -9 -n ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB pages ${share}/man/man*/*)
compress(${pages})
if(CPACK_GENERATOR STREQUAL "DEB")
  file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  file(READ ${doc}/LICENSE own)
  file(READ ${doc}/THIRD_PARTY others)
  file(WRITE ${doc}/copyright "${own}\n${others}")
  file(REMOVE ${doc}/LICENSE ${doc}/THIRD_PARTY)
  file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${doc}/changelog.Debian "\
ffind (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) stable; urgency=medium

  * The release ${CPACK_PACKAGE_VERSION}; see changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
  compress(${doc}/changelog ${doc}/changelog.Debian)
  file(CHMOD ${doc}/copyright ${doc}/changelog.gz ${doc}/changelog.Debian.gz
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endif()
