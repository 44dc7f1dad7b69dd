#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether a search cut into tasks finds what one search finds: the recipe "Many machines" on random trees.

    many_machines.py --ffind build/ffind [--rounds N] [--seed N]

What lies down to depth N is searched once; each directory at depth N is a task, searched alone, and some
tasks are handed out together by --files0-from. Together they must list everything once, whatever N and the
filters are. A difference prints the seed and leaves the tree. Exit status: 0 equal, 1 different.
"""
import argparse
import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import differential  # noqa: E402

FILTERS = ([], ["a"], ["-g", "*.txt"], ["-i", "-e", "fo+"], ["-t", "f"], ["-t", "d"], ["-S", ">10"], ["--empty"],
           ["--where", "not (hidden or size < 1k)"], ["--modified", "<2020-01-01"], ["--json=name,type,depth"])
# What decides which directories are entered belongs to the list of tasks, too.
SCOPES = ([], ["--no-hidden"], ["-E", "*foo*"], ["--exclude", "*a*/"], ["--prune", "b*"])


def output(ffind, words, **more):
    done = subprocess.run([ffind, *words], stdout=subprocess.PIPE, check=False, **more)
    if done.returncode:
        sys.exit(f"{words}: exit status {done.returncode}")
    return done.stdout


def records(ffind, filters, words, **more):
    """Each record; a depth in one counts from its task, so it is left out."""
    if "--json=name,type,depth" in filters:
        return [line.split(b',"depth"')[0] for line in output(ffind, words, **more).splitlines()]
    return output(ffind, [*words, "-0"], **more).split(b"\0")[:-1]


def check(ffind, pick, root):
    filters, scope, depth = list(pick.choice(FILTERS)), list(pick.choice(SCOPES)), pick.randint(1, 5)
    whole = records(ffind, filters, [*filters, *scope, "--in", root])
    listed = output(ffind, ["-t", "d", "--depth", str(depth), *scope, "--in", root, "-0"]).split(b"\0")[:-1]
    # A task below a pruned directory does not exist, and a pruned one is listed, but not entered.
    if "--prune" in scope:
        pruned = output(ffind, ["-t", "d", "-g", scope[1], "--depth", str(depth), "--in", root, "-0"]).split(b"\0")
        listed = [path for path in listed if path not in pruned]
    pick.shuffle(listed)
    parts = records(ffind, filters, [*filters, *scope, "-d", str(depth), "--in", root])
    alone = pick.randint(0, min(6, len(listed)))
    for path in listed[:alone]:
        parts += records(ffind, filters, [*filters, *scope, "--in", path])
    for begin in range(alone, len(listed), 7):
        tasks = b"".join(path + b"\0" for path in listed[begin:begin + 7])
        parts += records(ffind, filters, [*filters, *scope, "--files0-from", "-"], input=tasks)
    if collections.Counter(whole) == collections.Counter(parts):
        return True
    for name, count in (collections.Counter(whole) - collections.Counter(parts)).items():
        print(f"  missing {count}: {name!r}")
    for name, count in (collections.Counter(parts) - collections.Counter(whole)).items():
        print(f"  too much {count}: {name!r}")
    print(f"  with {filters} {scope}, {len(listed)} tasks at depth {depth}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    ffind = os.path.abspath(options.ffind)
    os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
    for seed in range(options.seed, options.seed + options.rounds):
        place = tempfile.mkdtemp(prefix="ffind-tasks-")
        os.chdir(place)
        pick = random.Random(seed)
        os.mkdir("other")
        differential.Tree(pick)
        if not all([check(ffind, pick, differential.TOP) for _ in range(12)]):
            print(f"different with --seed {seed}; the tree is {place}")
            return 1
        os.chdir("/")
        shutil.rmtree(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
