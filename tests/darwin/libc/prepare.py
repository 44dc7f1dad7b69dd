#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes fts(3) of Apple's Libc ready to be compiled on Linux, over the simulated kernel.

    prepare.py LIBC OUT     LIBC is a checkout of apple-oss-distributions/Libc

Writes OUT/fts.c, which is prefix.h, Apple's fts.h and fts.c without their includes, and OUT/include, the
headers of ../include in C. Called by ../CMakeLists.txt; nothing of Apple's is in the repository.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def without_includes(file):
    return re.sub(r"^[ \t]*#[ \t]*(include|pragma)\b.*$", "", file.read_text(errors="replace"), flags=re.M)


def main():
    libc, out = (pathlib.Path(word) for word in sys.argv[1:])
    headers = HERE.parent / "include"
    for file in headers.rglob("*.h"):
        # Only the braces of `extern "C"` begin in the first column without a semicolon behind.
        text = re.sub(r'^(extern "C" \{|\})$', "", file.read_text(), flags=re.M)
        place = out / "include" / file.relative_to(headers)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    pieces = [HERE / "prefix.h", libc / "include/fts.h", libc / "gen/fts.c"]
    (out / "fts.c").write_text("\n".join([pieces[0].read_text(), *map(without_includes, pieces[1:])]))


if __name__ == "__main__":
    main()
