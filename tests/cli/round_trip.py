#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds --where against the other options: what --explain prints of them finds the same files.

    round_trip.py --ffind build/ffind [--questions N] [--seed N]

Random option lines are asked on a random tree (differential.py's), once as they are and once as the one
expression that `--explain --json` prints of them. Exit status: 0 equal, 1 different.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from differential import EPOCH, TOP, Tree  # noqa: E402

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "Europe/Berlin"}


def words(pick):
    """One random option line."""
    text = pick.choice(["a", "foo", "Foo", "ab", " ", "-", "é", "É", '"', "\\", "'", "*", "\n", b"\xff", "(", "a,b"])
    glob = pick.choice(["*a*", "[a-c]*", "*.{txt,c}", ".*", "?", "\\**", "*\"*", "* *"])
    regex = pick.choice(["fo+", "^[ab]", "(0|42|c)$", "\\.c$", "[^\\x00-\\x7f]", "\\\\", '"', "F|b"])
    second = EPOCH + pick.randint(-3, 3) * pick.choice([1, 60, 86400])
    relation = pick.choice(["", "+", "-", "<", ">", "<=", ">=", "="])
    size = pick.choice(["0", "1", "10", "1k", "1Ki", "1.5k", "2M"])
    when = pick.choice([f"@{second}", f"@{second}.5", "2020-01-01", "2020", "2019-12-31T23:59"])
    low, high = sorted((pick.randint(0, 6), pick.randint(0, 6)))
    choices = [
        ["--exact", text], ["--starts", text], ["--ends", text], ["-g", glob], ["-e", regex],
        ["path", "-e", regex], ["-t", pick.choice(["f", "d", "f,l", "p,s"])],
        ["--ext", pick.choice(["txt", "c,gz", "TXT", "tar.gz", "x y"])],
        ["-S", relation + size], ["-S", f"1..{size}"] if size != "0" else ["-S", "..1"],
        ["--modified", relation + when], ["--modified", f"2019..{when}"], ["--changed", "1d"],
        ["--depth", f"{low}..{high}"], ["--depth", relation + str(high)], ["--empty"],
        ["--owner", pick.choice(["root", str(os.getuid()), "0,1"])], ["--group", str(os.getgid())],
        ["--perm", pick.choice(["644", "-111", "/022", "u=rw,go=r", "-u+w", "755"])],
        ["--links", relation + "1"], ["--links", ">1"], ["--executable"], ["--locked"],
        ["--kind", pick.choice(["code", "text,archive", "folder", "image"])], ["--only-hidden"],
        ["--contains", pick.choice(["foo", "Foo", "é", " ", '"', "\\", "-", "b ", b"\xff"])],
        ["--contains-regex", pick.choice(["fo+", "^b", "[^\\x00-\\x7f]", '"', "\\\\"])],
        ["--tag", pick.choice(["none", "Red", "red", "a b", '"', "-"])], ["--comment", text], ["--where-from", text],
        ["--xattr", pick.choice(["user.x", "x", "user.x=foo", "user.x=\"", "user.none", "user.x= "])],
        ["--samefile", os.fsdecode(TOP)], ["--newer-than", os.fsdecode(TOP)], ["--older-than", os.fsdecode(TOP)],
        ["--where", pick.choice(["not hidden", "size > 1k or type = d", "name !~ a and not (depth = 2)",
                                 "type != f and name not in (a, b, 'x.txt')", "not (hidden or empty)"])],
        ["-F", text],
    ]
    line, fields = [], 0
    for chosen in pick.sample(choices, pick.randint(1, 4)):
        if chosen[0] == "path":
            if line:
                continue
            fields += 1
        line += chosen
    return line + pick.choice([[], [], [], [], ["-i"], ["-s"], ["--binary"], ["--ignore-diacritics"]])


def fill(pick, files):
    """Contents for a third of the files, and attributes as desktops write them; times stay what they are."""
    pieces = [b"foo", b"Foo", b"a", b"b", b"\n", b" ", b'"', b"\\", b"-", "é".encode(), b"\xff", b"\0"]

    def some():
        return b"".join(pick.choices(pieces, k=pick.randint(1, 5)))

    for path in files:
        status = os.stat(path)
        if pick.random() < 0.33:
            with open(path, "wb") as file:
                file.write(some() * pick.choice([1, 1, 300]))
        for name, value in (("user.x", some()), ("user.xdg.comment", some()), ("user.xdg.origin.url", some()),
                            ("user.xdg.tags", pick.choice([b"Red", b"a b,red", b'",-']))):
            if pick.random() < 0.25 and hasattr(os, "setxattr"):
                try:
                    os.setxattr(path, name, value)
                except OSError:  # this volume has none
                    pass
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def run(ffind, *options):
    done = subprocess.run([ffind, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          env=ENVIRONMENT, check=False)
    return done.stdout, done.stderr, done.returncode


def expression_of(ffind, line):
    """What --explain prints of it; None where the line cannot be understood."""
    printed, complaint, status = run(ffind, "--explain", "--json", *line, "--in", os.fsdecode(TOP))
    if status != 0:
        return None, complaint
    return json.loads(printed.splitlines()[0])["where"], b""


def ask(ffind, line):
    """True when both find the same; None when the line means nothing."""
    expression, complaint = expression_of(ffind, line)
    if expression is None:
        if complaint.count(b"\n  ") < 1:
            print("a mistake without its place:", line, complaint)
            return False
        return None
    place = ["-0", "--in", os.fsdecode(TOP)]
    expected = run(ffind, *line, *place)
    got = run(ffind, "--where", expression, *place)
    again, _ = expression_of(ffind, ["--where", expression])
    if sorted(got[0].split(b"\0")) == sorted(expected[0].split(b"\0")) and got[1:] == expected[1:] == (b"", 0) \
            and again == expression:
        return True
    print("options:   ", line, expected[1:], "\nexpression:", expression, got[1:], "\nagain:     ", again)
    print("missing: ", sorted(set(expected[0].split(b"\0")) - set(got[0].split(b"\0")))[:10])
    print("too much:", sorted(set(got[0].split(b"\0")) - set(expected[0].split(b"\0")))[:10])
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", default=os.environ.get("FFIND"), required="FFIND" not in os.environ)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    ffind = os.path.abspath(options.ffind)
    pick = random.Random(options.seed)
    place = pathlib.Path(tempfile.mkdtemp(prefix="ffind-round-trip-"))
    os.chdir(place)
    fill(pick, Tree(pick).files)
    answers = []
    for number in range(options.questions):
        line = words(pick)
        answers.append(ask(ffind, line))
        if answers[-1] is False:
            print(f"question {number} of seed {options.seed}; the tree is in {place}")
            return 1
    os.chdir("/")
    shutil.rmtree(place)
    print(f"{answers.count(True)} questions without a difference, {answers.count(None)} refused")
    return 0 if answers.count(True) > len(answers) // 2 else 1


if __name__ == "__main__":
    sys.exit(main())
