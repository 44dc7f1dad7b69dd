#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches volumes that change all the time: see churn.cpp and replace.cpp, which do both.

    stress.py --ffind build/ffind --churn build/tests/volumes/churn --replace build/tests/volumes/replace [--seconds N]
              [WORD...]

On each of the volumes below in its ways: by catalog, and walked by readers (FFIND_VOLUMES=all in the environment: by
each); by metadata while files are replaced ("replaced"). WORDs choose those whose name contains one. FFIND_VOLUMES_LONG=1: minutes, not seconds. Exit status: 0 passed,
1 failed, 77 skipped.
"""
import argparse
import functools
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import volume  # noqa: E402  (finds suite, too)
import suite  # noqa: E402

LONG = bool(os.environ.get("FFIND_VOLUMES_LONG"))
ALL = LONG or os.environ.get("FFIND_VOLUMES") == "all"
READERS = ("getdents", "readdir", "fts")
# What is made, and the ways in which it is always searched.
# Small blocks: leaves split often.
VOLUMES = [("ext4", "-b 1024 -I 256", ("catalog", "getdents", "fts")),
           ("ext4", "-b 1024 -O ^dir_index", ("catalog",)),
           ("btrfs", "-n 4096", ("getdents",)), ("xfs", "", ("getdents",)), ("tmpfs", "", ("readdir",))]
REPLACED = [("ext4", "")]
if LONG:
    VOLUMES += [("ext4", "", ("catalog",)), ("btrfs", "", ()), ("xfs", "-b size=1024", ())]


def mount(kind, words):
    if kind == "tmpfs":
        os.mkdir("m")
        volume.run("mount", "-t", "tmpfs", "none", "m")
        return
    row = volume.Row(os.devnull)
    row.values.update(type=kind, size="1G", mkfs=words + (" -N 300000" if kind.startswith("ext") else ""))
    volume.make_image(row, "image")
    volume.mount("image", "m", kind=kind)


def searched(options, number, kind, words, way):
    """One volume in one way; whether each search found what it had to."""
    mount(kind, words)
    # A catalog believes only what has rested for a second.
    seconds = options.seconds if way == "catalog" else options.seconds / 2
    done = subprocess.run([options.churn, options.ffind, way, "m", str(options.processes), str(seconds),
                           str(options.searches), str(options.seed * 100 + number)],
                          capture_output=True, text=True, errors="replace", check=False)
    print(f"{kind} {words} {way}: {done.stdout}{done.stderr}")
    volume.unmount("m")
    return done.returncode == 0


def replaced(options, number, kind, words):
    """The same of searches by metadata in a catalog while files are replaced."""
    mount(kind, words)
    done = subprocess.run([options.replace, options.ffind, "catalog", "m", str(options.processes), str(options.seconds),
                           str(options.seed * 100 + number)],
                          capture_output=True, text=True, errors="replace", check=False)
    print(f"{kind} {words} replaced: {done.stdout}{done.stderr}")
    volume.unmount("m")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--churn", required=True)
    parser.add_argument("--replace", required=True)
    parser.add_argument("--seconds", type=float, default=120 if LONG else 2, help="for each volume; half of it for a walk")
    parser.add_argument("--searches", type=int, default=10**6, help="at most so many for each")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FFIND_SEED", "1")))
    suite.add_options(parser)
    parser.set_defaults(jobs=8)  # most of the time a search waits for what it finds to have rested
    options = parser.parse_args()
    for program in ("ffind", "churn", "replace"):
        setattr(options, program, os.path.abspath(getattr(options, program)))
    readers = READERS if ALL or options.words else ()
    trials = [(kind, words, way) for kind, words, ways in VOLUMES for way in dict.fromkeys((*ways, *readers))]
    names = {" ".join(filter(None, trial)): (searched, number, *trial) for number, trial in enumerate(trials)}
    for number, trial in enumerate(REPLACED):
        names[" ".join(filter(None, (*trial, "replaced")))] = (replaced, number, *trial)
    return suite.run([volume.case(name, functools.partial(names[name][0], options, *names[name][1:]))
                      for name in suite.selected(names, options.words)], options, limit=1200)


if __name__ == "__main__":
    sys.exit(main())
