#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests ffind on other processors, by qemu-user, once a release.
#     tests/cross/emulated.sh [TARGET [WORD...]]
# Without TARGET, the unit tests of musl-arm64, musl-s390x (which is big-endian), musl-x86 and musl-arm (32 bits). With
# WORDs, also the black-box cases that have one in their names; '' is in all of them. On two cores and a target, the
# build takes 5 to 10 minutes, the unit tests 9 and all cases 6. The last line says what failed.
set -euo pipefail
cd "$(dirname "$0")/../.."

targets="musl-arm64 musl-s390x musl-x86 musl-arm"
if [ $# -gt 0 ]; then targets=$1 && shift; fi

# processor TARGET: by qemu's name.
processor() {
  case $1 in
    *-arm64) echo aarch64 ;;
    *-x86) echo i386 ;;
    *) echo "${1#musl-}" ;;
  esac
}

missing=
command -v cc >/dev/null || missing+=' gcc'
for target in $targets; do
  command -v "qemu-$(processor "$target")-static" >/dev/null || { missing+=' qemu-user-static' && break; }
done
[ -z "$missing" ] || { echo "needs packages: apt-get install$missing" >&2; exit 2; }

# emulator FILE TARGET: a program in $place that runs a copy of the file, by the name that it is called by itself. No
# script: a shell opens it again, which needs a descriptor and a path to the current directory.
emulator() {
  cp "$1" "$place/${1##*/}-$2"
  cc -x c -o "$place/${1##*/}" - <<END
#include <unistd.h>
int main(int count, char** words) {
  char* all[count + 4];
  int size = 0;
  all[size++] = "$(command -v "qemu-$(processor "$2")-static")";
  all[size++] = "-0";
  all[size++] = words[0];
  all[size++] = "$place/${1##*/}-$2";
  for (int index = 1; index <= count; ++index) all[size++] = words[index];
  return execv(all[0], all), 127;
}
END
}

# Cases that show qemu and not ffind, tried with qemu 7.2: they pass with musl on the machine itself.
own=(
  # It has a thread of its own, without which it aborts, whatever it runs.
  pick-without-threads exec-no-thread roots-no-thread
  # It needs 128 MiB itself under a limit of memory.
  out-of-memory usage-error-without-memory
  # A program that ignores SIGINT runs others that do not.
  exec-surroundings
  # It has no openat2, in which the case lets a call fail.
  fault-empty-once
  # It starts too slowly for results "within a moment".
  sorted-at-a-terminal
  # Its stat has no nanoseconds on s390x.
  metadata-as-find
)
skips=()
for name in "${own[@]}"; do skips+=(--skip "$name"); done

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
export FFIND_CONFIG=
failed=()

# check WHAT COMMAND...: 77 is the status if all of it was skipped.
check() {
  local status=0
  "${@:2}" || status=$?
  [ "$status" = 0 ] || [ "$status" = 77 ] || failed+=("$1")
}

for target in $targets; do
  tests/cross/build.sh --unit "$target"
  emulator "build-$target/tests/unit/ffind_unit" "$target"
  emulator "build-$target/ffind" "$target"
  check "unit tests of $target" python3 tests/unit/run.py "$place/ffind_unit"
  [ $# -eq 0 ] || check "cases of $target" python3 tests/cli/run.py --ffind "$place/ffind" "${skips[@]}" "$@"
done
[ $# -eq 0 ] || echo "left out, since they show qemu: ${own[*]}"
[ ${#failed[@]} -eq 0 ] || { printf 'failed: %s\n' "${failed[@]}" && exit 1; }
echo passed
