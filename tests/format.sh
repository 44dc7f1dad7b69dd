#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds every C++ file to .clang-format, and to an opening that says whose it is and what it is for;
# `format.sh --fix` formats them instead. Versions of clang-format differ in what they make of one style,
# so it is 14 or nothing (77: skipped).
set -u
cd "$(dirname "$0")/.." || exit 1
told=$(find src include \( -name '*.h' -o -name '*.cpp' \) -exec awk '
  FNR == 1 && $0 != "// SPDX-License-Identifier: MIT" { print FILENAME ":1: opens with // SPDX-License-Identifier: MIT" }
  FNR == 2 && !/^\/\/ / { print FILENAME ":2: the SPDX line is followed by a comment: what this file is for" }' {} +)
if [ -n "$told" ]; then
  printf '%s\n' "$told"
  exit 1
fi
tool=
for candidate in clang-format-14 clang-format; do
  if "$candidate" --version 2>/dev/null | grep -q 'version 14\.'; then
    tool=$candidate
    break
  fi
done
if [ -z "$tool" ]; then
  echo "skipped: clang-format 14 is not installed (Debian: apt-get install clang-format-14)"
  exit 77
fi
files() { find include src tests \( -name '*.h' -o -name '*.cpp' \) -exec "$tool" "$@" {} +; }
if [ "${1-}" = --fix ]; then
  files -i
elif ! told=$(files --dry-run -Werror 2>&1); then
  printf '%s\n' "$told" | grep ': error: '
  echo "tests/format.sh --fix puts that right"
  exit 1
fi
