#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the memory that an entry takes, and holds it to what the manual says.

    memory.py build/ffind [FILES]      300,000 files without a number

Two trees are made, of a third of the files and of all: the difference of the peaks, divided by that of
the numbers, is what one more entry takes. Paths have about 40 bytes. Status 1 if a row takes more than
its bound.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SIBLINGS = 100

# Bytes an entry at most, and the search; TREE and LIST are put in.
ROWS = {
    "names": (4, ["--in", "TREE"]),
    "--usage=files": (4, ["--usage=files", "TREE"]),
    "--sort -size -n 10": (4, ["--sort", "-size", "-n", "10", "--in", "TREE"]),
    "--count=ext,type": (4, ["--count=ext,type", "--in", "TREE"]),
    "--from": (4, ["--from", "LIST"]),
    "--from, --usage": (75, ["--from", "LIST", "--usage"]),
    "--sort path": (95, ["--sort", "path", "--in", "TREE"]),
    "--sort size": (105, ["--sort", "size", "--in", "TREE"]),
    "--count=path": (150, ["--count=path", "--in", "TREE"]),
    "--count=inode,type": (200, ["--count=inode,type", "--in", "TREE"]),
}


def fill(tree: pathlib.Path, files: int) -> pathlib.Path:
    for number in range(files // SIBLINGS):
        directory = tree / f"directory-{number}"
        directory.mkdir(parents=True)
        for file in range(SIBLINGS):
            os.mknod(directory / f"file-{file}.txt")
    return tree


def peak(ffind: str, words: list[str], tree: pathlib.Path) -> int:
    """Bytes, by time(1)."""
    places = {"TREE": str(tree), "LIST": str(tree) + ".list"}
    line = ["/usr/bin/time", "-f", "%M", ffind, *(places.get(word, word) for word in words)]
    done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(done.stderr.split()[-1]) * 1024


def main() -> int:
    ffind = os.path.abspath(sys.argv[1])
    files = int(sys.argv[2]) if len(sys.argv) > 2 else 300_000
    os.environ["FFIND_CONFIG"] = ""
    status = 0
    with tempfile.TemporaryDirectory() as directory:
        trees = [fill(pathlib.Path(directory) / name, count) for name, count in (("few", files // 3), ("all", files))]
        counts = []
        for tree in trees:
            lines = subprocess.run([ffind, "--in", tree], stdout=subprocess.PIPE, check=True).stdout
            pathlib.Path(f"{tree}.list").write_bytes(lines)
            counts.append(lines.count(b"\n"))
        for name, (bound, words) in ROWS.items():
            small, large = (peak(ffind, words, tree) for tree in trees)
            each = (large - small) / (counts[1] - counts[0])
            print(f"{name:20}{each:8.1f} bytes an entry, at most {bound:4}{large / 2**20:8.1f} MiB")
            status |= each > bound
    return status


if __name__ == "__main__":
    sys.exit(main())
