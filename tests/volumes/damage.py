#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches volumes with flipped bits: ffind must end, not crash, and say nothing untrue.

    damage.py --ffind build/ffind [--method METHOD] [--trials N] [--seed N]

Each trial copies the image of a rich tree, flips bits in blocks that are in use (directories, inodes,
extents; hardly the data of files, of which there is little), mounts it read-only and asks. Each path found must have been
there before the damage. FFIND_VOLUMES_LONG=1: many more trials.
Exit status: 0 passed, 1 failed, 77 skipped.
"""
import argparse
import functools
import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
import compare  # noqa: E402
import trees  # noqa: E402
import volume  # noqa: E402  (finds suite, too)
import suite  # noqa: E402

VOLUMES = [("ext4", "-b 1024 -N 4000"), ("ext4", "-b 4096 -N 4000 -I 512")]
QUESTIONS = ([], ["-S", ">=0"], ["-t", "d"], ["--empty"])
CRASHES = ("Sanitizer", "runtime error", "Assertion", "terminate called")
BLOCK = 1024


def make(kind, words, seed):
    row = volume.Row(os.devnull)
    row.values.update(type=kind, size="32M", mkfs=words)
    volume.make_image(row, "pristine")
    volume.mount("pristine", compare.TOP, kind=kind)
    trees.fill("kinds names scattered growing", compare.TOP, seed)
    place = os.fsencode(compare.TOP)
    os.mkdir(place + b"/long")
    pick = random.Random(seed)
    for number in range(700):
        trees.put(place + b"/long/%d" % number + b"l" * pick.randint(1, 240))
    volume.unmount(compare.TOP)
    volume.run("e2fsck", "-fy", "pristine", check=False)
    compare.age("pristine")


def used_blocks(path):
    """Offsets of blocks that hold something, with those of directories and inodes told apart."""
    directories, others = [], []
    with open(path, "rb") as file:
        offset = 0
        while block := file.read(BLOCK):
            if any(block):
                looks = block[6:7] in (b"\x01", b"\x02") or block[8:11] == b"\x01\x00\x00" or b"lll" in block
                (directories if looks else others).append(offset)
            offset += BLOCK
    return directories, others


def flip(path, spots, pick, count):
    with open(path, "r+b") as file:
        for _ in range(count):
            offset = pick.choice(spots) + pick.randrange(BLOCK)
            if pick.random() < 0.3:  # what leads on stands at the beginning
                offset -= offset % BLOCK - pick.randrange(64)
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ (1 << pick.randrange(8))] if pick.random() < 0.7 else
                             [pick.choice((0, 1, 255, byte ^ 0xff))]))


class Endless(Exception):
    """The kernel itself goes round in a damaged directory: ext4 where the order of hashes is broken."""


def kernel_ends():
    _, _, status = compare.ask(["find", compare.TOP], timeout=10)
    return status != -1


def ask(options, method, words):
    """(set of paths, complaints, what is wrong)"""
    out, complaint, status = compare.ask([options.ffind, "-0", "--method", method, "-j", "2", *words, "--in", compare.TOP],
                                         timeout=60)
    if status == -1 and not kernel_ends():
        raise Endless
    wrong = [text for text in CRASHES if text in complaint]
    if status not in (0, 1) and not (status == 2 and "not for" in complaint):
        wrong.append(f"status {status}")
    paths = out.split(b"\0")
    return set(paths), status, wrong + [complaint[-3000:]] * bool(wrong)


def trial(options, kind, number, truth, spots, pick):
    """Whether the volume could be mounted, and what was wrong."""
    shutil.copyfile("pristine", "damaged")
    directories, others = spots
    late = number % 3 == 0  # written under the mounted volume, past what the kernel checked
    spot = directories if pick.random() < 0.6 else others
    count = pick.choice((1, 3, 10, 100, 1000))
    if not late:
        flip("damaged", spot, pick, count)
    words = ["-o", "loop,ro,errors=continue", "-t", kind]
    if volume.run("mount", *words, "damaged", compare.TOP, check=False).returncode != 0:
        return False, []
    problems = []
    try:
        if late:
            flip("damaged", [offset for offset in spot if offset >= 8192], pick, count)
        for question in QUESTIONS:
            got, status, wrong = ask(options, options.method, question)
            if status == 2:
                return False, wrong
            _, _, wrong_walk = ask(options, "walk", question)
            problems += [f"{question}: {text}" for text in wrong]
            problems += [f"{question}, walk: {text}" for text in wrong_walk]
            strange = got - truth
            if strange:
                problems.append(f"{question}: never was: {sorted(strange)[:5]}")
    except Endless:
        return False, problems
    finally:
        volume.unmount(compare.TOP)
    return True, problems


def trials(options, kind, words):
    """All trials on one kind of volume; whether nothing was wrong."""
    make(kind, words, options.seed)
    volume.mount("pristine", compare.TOP, "ro", kind=kind)
    truth, _, _ = ask(options, "walk", [])
    volume.unmount(compare.TOP)
    spots = used_blocks("pristine")
    mounted, failed = 0, False
    for number in range(options.trials):
        name = f"{kind} {words}, seed {options.seed}, trial {number}"
        could, problems = trial(options, kind, number, truth, spots, random.Random(name))
        mounted += could
        failed = failed or bool(problems)
        for problem in problems[:4]:
            print(f"{name}: {problem}")
    print(f"{kind} {words}: {options.trials} damaged, {mounted} of them mounted and searched")
    return not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--method", default="catalog")
    parser.add_argument("--trials", type=int, default=300 if trees.LONG else 12, help="for each kind of volume")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FFIND_SEED", "1")))
    suite.add_options(parser)
    options = parser.parse_args()
    options.ffind = os.path.abspath(options.ffind)
    names = {f"{kind} {words}": (kind, words) for kind, words in VOLUMES}
    return suite.run([volume.case(name, functools.partial(trials, options, *names[name]))
                      for name in suite.selected(names, options.words)], options, limit=1200)


if __name__ == "__main__":
    sys.exit(main())
