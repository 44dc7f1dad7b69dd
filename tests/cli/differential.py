#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds ffind against find: random trees, the same question to both, the same set of paths expected.

    differential.py --ffind build/ffind [--rounds N] [--seed N] [--way=OPTIONS]...

Each round makes a tree (odd names, hidden ones, links, empty directories, sizes, times, fifos, sockets)
and asks each question in every way with 1, 2 and 8 threads: by each reader, unless ways are given. HOME is
the folder of the tree. A difference prints the seed, which makes
the same trees again, and the tree stays on disk. Exit status: 0 equal, 1 different, 77 no suitable find.
"""
import argparse
import collections
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile

WAYS = ("--reader getdents", "--reader readdir", "--reader fts")
THREADS = ("1", "2", "8")
EPOCH = 1577836800  # 2020-01-01
# No combining marks here: find does not know that names in two normal forms are one.
PIECES = [b"a", b"b", b"ab", b"foo", b"Foo", b"BAR", b"x.txt", b".c", b".tar.gz", b"0", b"42", b" ", b"\n", b"\t",
          b"\x1b[31m", b"\xff", b"\xc3", "é".encode(), "日本".encode(), b"-", b"'", b'"', b"*", b"[a]", b"{", b"$x",
          b"#", b"\\", b"%", b"\x7f"]
TOP = b"t"


class Tree:
    """One random tree below TOP in the current directory. Links to directories stand in a directory of
    their own and lead out of it, so that following them ends; relative ones and absolute ones."""

    def __init__(self, random_source):
        self.random = random_source
        self.directories, self.files = [TOP], []
        os.mkdir(TOP)
        for _ in range(self.random.randint(20, 250)):
            self._add()
        self._links()
        for path in self.directories:
            self._date(path)

    def name(self):
        if self.random.random() < 0.01:
            return self.random.choice(b"abz").to_bytes(1, "big") * 255
        pieces = self.random.choices(PIECES, k=self.random.randint(1, 3))
        if b"\xff" in pieces or b"\xc3" in pieces:  # in a name that is not UTF-8 find's `?` is a byte, whatever it is of
            pieces = [piece for piece in pieces if piece.isascii() or len(piece) == 1]
        name = b"".join(pieces)
        return (b"." if self.random.random() < 0.12 else b"") + name

    def _place(self, parent=None):
        parent = parent or self.random.choice(self.directories[-12:] + self.directories[:4])
        path = parent + b"/" + self.name()
        if path.endswith((b"/.", b"/..")) or os.path.lexists(path):
            return None
        return path

    def _date(self, path):
        second = EPOCH + self.random.randint(-3, 3) * self.random.choice([1, 60, 86400])
        os.utime(path, (second, second), follow_symlinks=False)

    def _add(self):
        path = self._place()
        if not path:
            return
        kind = self.random.choices(["d", "f", "p", "s", "l", "h"], [30, 55, 3, 2, 7, 3])[0]
        if kind == "d":
            os.mkdir(path)
            self.directories.append(path)
            return
        if kind == "p":
            os.mkfifo(path)
        elif kind == "s":
            self._socket(path)
        elif kind == "l":
            target = self.random.choice([b"nowhere", b"/", os.path.abspath(b"other/file")])
            os.symlink(target if target != b"/" else b"nowhere/at/all", path)
        elif kind == "h" and self.files:
            os.link(self.random.choice(self.files), path)
            return
        else:
            with open(path, "wb") as file:
                file.truncate(self.random.choice([0, 0, 1, 9, 10, 11, 999, 1000, 1001, 1023, 1024, 1025, 2 * 10**6]))
            self.files.append(path)
        self._date(path)

    @staticmethod
    def _socket(path):
        bound = socket.socket(socket.AF_UNIX)
        try:  # the path of a socket is short: made in place, then moved
            bound.bind(b"s")
            os.rename(b"s", path)
        finally:
            bound.close()

    def _links(self):
        place = TOP + b"/links of all kinds"
        os.mkdir(place)
        for _ in range(self.random.randint(0, 8)):
            path = self._place(place)
            if path:
                target = self.random.choice(self.directories[1:] + self.files + [TOP + b"/x"])
                way = os.getcwdb() + b"/" if self.random.random() < 0.5 else b"../../"
                os.symlink(way + target, path)

    def some_directory(self):
        return self.random.choice(self.directories)


def question(pick, tree):
    """One random question: (words for ffind, words for find's start, find's expression)."""
    second = EPOCH + pick.randint(-3, 3) * pick.choice([1, 60, 86400])
    size = pick.choice([0, 1, 10, 1000, 1024, 2 * 10**6])
    glob = pick.choice(["*a*", "a*", "*.txt", "[a-c]*", "*[!b]", ".*", "*o?", "?", "*4*2*", "*\\**", "* *"])
    text = pick.choice(["a", "foo", "ab", "x.t", " ", "-", "42", "é"])
    low, high = sorted((pick.randint(0, 6), pick.randint(0, 6)))
    kind = pick.choice("fdlps")
    place = tree.some_directory()[len(TOP) + 1:]
    plain = place and not any(byte in b"*?[]{}\\!" for byte in place)
    tests = [
        (["-t", kind], ["-type", kind]),
        (["-s", "-g", glob], ["-name", glob]),
        (["-s", "--in", "t", text], ["-name", "*" + text + "*"]),
        (["-i", "-e", "fo+"], ["-regextype", "posix-extended", "-iregex", r".*fo+[^/]*"]),
        (["-s", "-e", "^[ab]"], ["-regextype", "posix-extended", "-regex", r".*/[ab][^/]*"]),
        (["-s", "-e", "(0|42|c)$"], ["-regextype", "posix-extended", "-regex", r".*(0|42|c)"]),
        (["-s", "path", "-e", "a/b"], ["-path", "t/*a/b*"]),
        (["-S", f"{size}b"], ["-type", "f", "-size", f"{size}c"]),
        (["-S", f">{size}"], ["-type", "f", "-size", f"+{size}c"]),
        (["-S", f"<={size}"], ["-type", "f", "-size", f"-{size + 1}c"]),
        (["-S", "1k"], ["-type", "f", "-size", "+999c", "-size", "-2000c"]),
        (["--modified", f">@{second}"], ["-newermt", f"@{second}"]),
        (["--modified", f">=@{second}"], ["-newermt", f"@{second - 1}.999999999"]),
        (["--modified", "<2020-01-01"], ["!", "-newermt", f"@{EPOCH - 1}.999999999"]),
        (["--empty"], ["-empty"]),
        (["--empty", "-t", "d"], ["-empty", "-type", "d"]),
        (["--only-hidden"], ["-name", ".*"]),
        (["-d", str(high)], ["-maxdepth", str(high)]),
        (["--min-depth", str(low)], ["-mindepth", str(max(low, 1))]),
        (["--depth", f"{low}..{high}"], ["-mindepth", str(max(low, 1)), "-maxdepth", str(high)]),
        (["-t", "d", "-s", "--starts", "a"], ["-type", "d", "-name", "a*"]),
        (["-t", "f,l", "-s", "--ends", "b"], ["(", "-type", "f", "-o", "-type", "l", ")", "-name", "*b"]),
    ]
    descents = [
        (["--no-hidden"], ["-name", ".*", "-prune", "-o"]),
        (["-s", "-E", glob], ["-name", glob, "-prune", "-o"]),
        (["-s", "-E", glob + "/"], ["-type", "d", "-name", glob, "-prune", "-o"]),
    ]
    if plain and b"/" in place:
        descents.append((["-s", b"--exclude=" + place], ["-path", TOP + b"/" + place, "-prune", "-o"]))
    shape = pick.random()
    if shape < 0.05:
        return [], [], []
    if shape < 0.55:
        words, expression = pick.choice(tests)
    elif shape < 0.75:
        (one, left), (two, right) = pick.choice(tests[:10]), pick.choice(tests[10:17])
        if "-t" in one and "-t" in two:  # twice the same option widens
            two = right = []
        words, expression = one + two, left + right
    elif shape < 0.9:
        (one, left), (two, right) = pick.choice(descents), pick.choice(tests[:17])
        # -i settles the case of all patterns; `?` is a byte in the locale of find's expressions.
        if "-i" in two or ("?" in glob and "-regextype" in right):
            two = right = []
        words, expression = one + two, left + right
    else:
        # What is pruned is listed, but only when it passes like the rest.
        words = ["-s", "--prune", glob, "-t", "d,f"]
        expression = ["(", "-type", "d", "-name", glob, "-prune", "-print0", ")", "-o",
                      "(", "-type", "d", "-o", "-type", "f", ")"]
    if pick.random() < 0.25:
        return ["-L", *words], ["-L"], expression
    return words, [], expression


def run(command):
    # In a UTF-8 locale find's expressions match no name that is not UTF-8.
    language = "C" if "-regextype" in command else "C.UTF-8"
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False,
                          env={**os.environ, "LC_ALL": language, "TZ": "UTC0"})
    return collections.Counter(done.stdout.split(b"\0")), done.stderr, done.returncode


def ask(ffind, ways, words, start, expression, top):
    """Puts one question to both; True when they agree."""
    roots = [] if "--in" in words else ["--in", os.fsdecode(top)]
    depth = [] if "-mindepth" in expression else ["-mindepth", "1"]
    theirs = ["find", *start, os.fsdecode(top), *depth, *expression, "-print0"]
    expected, complaint, status = run(theirs)
    if status != 0:
        print(f"find itself failed: {theirs}: {complaint}")
        return False
    for way in ways:
        if "catalog" in way and "-L" in words:
            continue  # a catalog does not know what lies behind links, and says so
        for threads in THREADS:
            ours = [ffind, "-0", *way.split(), "-j", threads, *words, *roots]
            got, complaint, status = run(ours)
            if got != expected or complaint or status != 0:
                print("find:  ", theirs, "\nffind: ", ours, f"\nstatus {status}, standard error {complaint}")
                for path, count in sorted((expected - got).items())[:20]:
                    print("  missing:", count, path)
                for path, count in sorted((got - expected).items())[:20]:
                    print("  too much:", count, path)
                return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", default=os.environ.get("FFIND"), required="FFIND" not in os.environ)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--questions", type=int, default=14, help="how many questions a round asks")
    parser.add_argument("--way", action="append", metavar="OPTIONS", help="options to ask with, in one word")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    ffind = os.path.abspath(options.ffind)
    if b"GNU" not in subprocess.run(["find", "--version"], capture_output=True, check=False).stdout:
        print("skipped: the find here is not GNU's")
        return 77
    print(f"seed {options.seed}, {options.rounds} rounds")
    for number in range(options.rounds):
        pick = random.Random(options.seed * 1000 + number)
        place = tempfile.mkdtemp(prefix="ffind-differential-")
        os.chdir(place)
        os.environ["HOME"] = place
        tree = Tree(pick)
        for _ in range(options.questions):
            if not ask(ffind, options.way or WAYS, *question(pick, tree), TOP):
                print(f"round {number} of seed {options.seed}; the tree is in {place}")
                return 1
        os.chdir("/")
        shutil.rmtree(place)
    print("no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
