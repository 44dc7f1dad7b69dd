#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""README and the pages of the manual are short enough to be read: words, and lines on a terminal of 80 columns.

    lengths.py     0, 1 with what is too long, or 77 without mandoc
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = 1200
LINES = {"ffind.1": 700, "ffind-pick.7": 104, "ffind-volumes.7": 140}


def main():
    lengths = [("README.md", len((ROOT / "README.md").read_text(encoding="utf-8").split()), WORDS, "words")]
    if shutil.which("mandoc"):
        for page, most in LINES.items():
            shown = subprocess.run(["mandoc", "-O", "width=78", ROOT / "man" / page], stdout=subprocess.PIPE, check=True)
            lengths.append((page, shown.stdout.count(b"\n"), most, "lines"))
    for name, length, most, unit in lengths:
        print(f"{name}: {length} of {most:,} {unit}")
    if any(length > most for _, length, most, _ in lengths):
        return 1
    return 0 if len(lengths) > 1 else 77


if __name__ == "__main__":
    sys.exit(main())
