#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times searches of a tree beside thousands of mounts.

    mounts.py build/ffind [N...]       10, 300, 2000 and 4000 mounts without numbers

Runs itself in a mount namespace of its own, so it needs root. The tree is 50,000 files of a tmpfs; N
other tmpfs are mounted beside it. Prints a row a command: the median of seven times and of the
processor time, which a busy machine changes less, the ratio of the largest N to the smallest, and the
most memory at the largest. find and du are the judges.
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


def run_once(command: list[str]) -> tuple[float, int]:
    """Seconds by the clock, and KiB of memory at most, by time(1)."""
    with tempfile.NamedTemporaryFile("r") as file:
        begin = time.monotonic()
        subprocess.run(["/usr/bin/time", "-o", file.name, "-f", "%M", *command], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        seconds = time.monotonic() - begin
        memory = int(file.read().split()[-1])
    return seconds, memory


def measure(command: list[str]) -> tuple[float, float, int]:
    runs = []
    for _ in range(ROUNDS):
        before = os.times()
        seconds, memory = run_once(command)
        after = os.times()
        busy = after.children_user + after.children_system - before.children_user - before.children_system
        runs.append((seconds, busy, memory))
    clock, busy, memory = zip(*runs)
    return statistics.median(clock), statistics.median(busy), max(memory)


def run(ffind: str, counts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory)
        fill(tree)
        rows: dict[str, list[tuple[float, float, int]]] = {}
        mounted = 0
        for count in counts:
            mount(tree, mounted, count)
            mounted = count
            for name, command in commands(ffind, directory).items():
                rows.setdefault(name, []).append(measure(command))
        print(f"{'seconds, of CPU':16}" + "".join(f"{count:>14}" for count in counts) + "   ratio  of CPU   MiB")
        for name, row in rows.items():
            cells = "".join(f"{seconds:8.3f}{busy:6.2f}" for seconds, busy, _ in row)
            (first, first_busy, _), (last, last_busy, memory) = row[0], row[-1]
            print(f"{name:16}{cells}{last / first:8.2f}{last_busy / max(first_busy, 1e-3):8.2f}{memory / 1024:6.1f}")
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
