#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches the damaged volumes of e2fsprogs' own tests: catalog, walk and find must agree.

    FFIND_E2FSPROGS=/path/to/e2fsprogs e2fsprogs.py --ffind build/ffind [WORD...]

FFIND_E2FSPROGS names a checkout of e2fsprogs; each tests/*/image.gz of it that the kernel mounts is asked.
Without one this is skipped. Agreement: the same paths by all three; from catalog and walk also the same
status, and status 1 wherever find complains. WORD: only images whose test's name contains one of these.
Exit status: 0 passed, 1 failed, 77 skipped.
"""
import argparse
import glob
import gzip
import os
import shutil
import sys

sys.dont_write_bytecode = True
import compare  # noqa: E402
import volume  # noqa: E402  (finds suite, too)
import suite  # noqa: E402
from suite import Skip  # noqa: E402

VARIABLE = "FFIND_E2FSPROGS"
IMAGE = "image"
SHOWN = 5  # of the paths that differ


def images(words):
    """{name of the test: its image}"""
    checkout = os.environ.get(VARIABLE, "")
    if not checkout:
        raise Skip(f"{VARIABLE} names no checkout of e2fsprogs")
    found = {os.path.basename(os.path.dirname(path)): os.path.abspath(path)
             for path in glob.glob(os.path.join(checkout, "tests", "*", "image.gz"))}
    if not found:
        raise Skip(f"{VARIABLE}={checkout}: no tests/*/image.gz there")
    return {name: found[name] for name in suite.selected(sorted(found), words)}


def mounted(path):
    """Whether the kernel takes the image at all; the journal may be damaged, too."""
    os.makedirs(compare.TOP, exist_ok=True)
    for options in ("loop,ro,errors=continue", "loop,ro,errors=continue,noload"):
        with gzip.open(path) as packed, open(IMAGE, "wb") as image:
            shutil.copyfileobj(packed, image)
        words = ["mount", "-t", "ext4", "-o", options, IMAGE, compare.TOP]
        if volume.run(*words, check=False).returncode == 0:
            return True
    return False


def paths(command):
    """(set of paths, standard error, status)"""
    out, complaint, status = compare.ask(command, timeout=60)
    return set(out.split(b"\0")) - {b""}, complaint, status


def difference(one, other):
    return f"{len(one - other)} missing {sorted(one - other)[:SHOWN]}, {len(other - one)} too much {sorted(other - one)[:SHOWN]}"


def disagreements(options):
    """What is wrong with the mounted volume, line by line."""
    ours = [options.ffind, "-0", "--no-config", "--in", compare.TOP]
    catalog, said_catalog, status = paths([*ours, "--method", options.method])
    walk, said_walk, status_of_walk = paths([*ours, "--method", "walk"])
    find, said_find, status_of_find = paths(["find", compare.TOP, "-mindepth", "1", "-print0"])
    if status == 2 and "without its journal" in said_catalog:
        catalog, status = walk, status_of_walk  # refused, as it should be
    if catalog != walk:
        yield f"{options.method} against walk: {difference(walk, catalog)}"
    # find lists nothing that it cannot look at; ffind lists the name.
    walk -= {path for path in walk - find if os.fsdecode(path) in said_find}
    if walk != find:
        yield f"walk against find: {difference(find, walk)}"
    if status != status_of_walk or status not in (0, 1):
        yield f"status of {options.method} {status}: {said_catalog!r}, of the walk {status_of_walk}: {said_walk!r}"
    if status_of_find != 0 and status_of_walk == 0:
        yield f"find complains, and the walk does not: {said_find!r}"


def search_all(options, found):
    """Whether all images agree; says how many."""
    count, wrong = 0, 0
    for name, path in found.items():
        if not mounted(path):
            continue
        count += 1
        try:
            problems = list(disagreements(options))
        finally:
            volume.unmount(compare.TOP)
        wrong += bool(problems)
        for problem in problems:
            print(f"{name}: {problem}")
    print(f"{len(found)} images, {count} of them mounted, {count - wrong} agree")
    return count > 0 and wrong == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--method", default="catalog")
    suite.add_options(parser)
    options = parser.parse_args()
    options.ffind = os.path.abspath(options.ffind)
    try:
        found = images(options.words)
    except Skip as reason:
        print(f"skipped volumes-e2fsprogs: {reason}")
        return suite.SKIPPED
    options.verbose = True  # the counts are the result
    return suite.run([volume.case("e2fsprogs", lambda: search_all(options, found))], options, limit=1200)


if __name__ == "__main__":
    sys.exit(main())
