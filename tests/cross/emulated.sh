#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests ffind on other processors, by qemu-user (Debian: qemu-user-static): once a release, since it takes some ten
# minutes each.
#     tests/cross/emulated.sh [TARGET [WORD...]]
# Without TARGET, the unit tests of musl-arm64, musl-s390x (which is big-endian), musl-x86 and musl-arm (32 bits). With
# WORDs, also the black-box cases that have one in their names; qemu lacks statx's mount ids, openat2 and
# ptrace, and has a thread of its own (pick-without-threads).
set -euo pipefail
cd "$(dirname "$0")/../.."

# emulator FILE TARGET: a script that runs the file, called by the name that it is called by itself.
emulator() {
  local processor=${2#musl-}
  case $processor in arm64) processor=aarch64 ;; x86) processor=i386 ;; esac
  # By its whole path, since cases set a PATH of their own.
  printf '#!/bin/sh\nexec %q -0 "$0" %q "$@"\n' "$(command -v "qemu-$processor-static")" "$PWD/$1" >"$place/${1##*/}"
  chmod +x "$place/${1##*/}"
}

targets="musl-arm64 musl-s390x musl-x86 musl-arm"
if [ $# -gt 0 ]; then targets=$1 && shift; fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
export FFIND_CONFIG=
status=0
for target in $targets; do
  tests/cross/build.sh --unit "$target"
  emulator "build-$target/tests/unit/ffind_unit" "$target"
  emulator "build-$target/ffind" "$target"
  python3 tests/unit/run.py "$place/ffind_unit" || status=1
  if [ $# -gt 0 ]; then python3 tests/cli/run.py --ffind "$place/ffind" "$@" || status=1; fi
done
exit $status
