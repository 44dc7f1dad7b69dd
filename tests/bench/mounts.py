#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times searches of a tree beside thousands of mounts.

    mounts.py build/ffind [N...]       10, 300, 2000 and 4000 mounts without numbers

Runs itself in a mount namespace of its own, so it needs root. The tree is 50,000 files of a tmpfs; N
other tmpfs are mounted beside it. Prints a row a command, with the median of seven times and, in the
last column, the ratio of the largest N to the smallest. find and du are the judges.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

FILES, DIRECTORIES, ROUNDS = 50_000, 500, 7
INSIDE = "MOUNTS_BENCH_INSIDE"


def commands(ffind: str, tree: str) -> dict[str, list[str]]:
    return {
        "names": [ffind, "-F", "f7", "--in", tree],
        "size": [ffind, "-S", "+1G", "--in", tree],
        "--usage": [ffind, "--usage", tree],
        "--cross-volumes": [ffind, "--cross-volumes", "-F", "f7", "--in", tree],
        "--as find": [ffind, "--as", "find", tree, "-name", "*f7*"],
        "find -xdev": ["find", tree, "-xdev", "-name", "*f7*"],
        "find": ["find", tree, "-name", "*f7*"],
        "du -x": ["du", "-x", tree],
    }


def fill(tree: pathlib.Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "none", tree], check=True)
    for number in range(DIRECTORIES):
        directory = tree / f"d{number}"
        directory.mkdir()
        for file in range(FILES // DIRECTORIES):
            (directory / f"f{file}").touch()
    (tree / "mounts").mkdir()


def mount(tree: pathlib.Path, begin: int, end: int) -> None:
    for number in range(begin, end):
        point = tree / "mounts" / f"m{number}"
        point.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "none", point], check=True)


def seconds_of(command: list[str]) -> float:
    times = []
    for _ in range(ROUNDS):
        begin = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append(time.monotonic() - begin)
    return statistics.median(times)


def run(ffind: str, counts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory)
        fill(tree)
        rows: dict[str, list[float]] = {}
        mounted = 0
        for count in counts:
            mount(tree, mounted, count)
            mounted = count
            for name, command in commands(ffind, directory).items():
                rows.setdefault(name, []).append(seconds_of(command))
        print(f"{'':16}" + "".join(f"{count:>10}" for count in counts) + "     ratio")
        for name, row in rows.items():
            cells = "".join(f"{seconds:8.3f} s" for seconds in row)
            print(f"{name:16}{cells}{row[-1] / row[0]:10.2f}")
        subprocess.run(["umount", "--recursive", tree], check=True)


def main() -> None:
    ffind = os.path.abspath(sys.argv[1])
    counts = [int(word) for word in sys.argv[2:]] or [10, 300, 2000, 4000]
    if INSIDE not in os.environ:
        os.environ[INSIDE] = "yes"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    run(ffind, sorted(counts))


if __name__ == "__main__":
    main()
