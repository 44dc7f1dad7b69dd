#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches volumes that change all the time: see churn.cpp, which does both.

    stress.py --ffind build/ffind --churn build/tests/volumes/churn [--method METHOD] [--seconds N] [WORD...]

On each of the volumes below (or those whose mkfs words contain a WORD). FFIND_VOLUMES_LONG=1 in the
environment: minutes, not seconds. Exit status: 0 passed, 1 failed, 77 skipped.
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
# Small blocks: leaves split often. No checksums: nothing but care tells what is torn.
VOLUMES = [("ext4", "-b 1024 -I 256"), ("ext4", "-b 1024 -I 128 -O ^metadata_csum,^uninit_bg"),
           ("ext4", "-b 1024 -O ^dir_index"), ("ext4", "-I 256 -O inline_data"), ("btrfs", "-n 4096")]
if LONG:
    VOLUMES += [("ext4", ""), ("ext2", "-b 1024 -I 128"), ("ext3", "-b 2048 -I 128"), ("btrfs", "")]


def searched(options, number, kind, words):
    """One volume; whether each search found what it had to."""
    row = volume.Row(os.devnull)
    row.values.update(type=kind, size="1G", mkfs=words + ("" if kind == "btrfs" else " -N 300000"))
    volume.make_image(row, "image")
    volume.mount("image", "m", kind=kind)
    done = subprocess.run([options.churn, options.ffind, options.method, "m", str(options.processes),
                           str(options.seconds), str(options.searches), str(options.seed * 10 + number)],
                          capture_output=True, text=True, errors="replace", check=False)
    print(f"{kind} {words}: {done.stdout}{done.stderr}")
    volume.unmount("m")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--churn", required=True)
    parser.add_argument("--method", default="catalog")
    parser.add_argument("--seconds", type=float, default=120 if LONG else 4, help="for each volume")
    parser.add_argument("--searches", type=int, default=10**6, help="at most so many for each")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FFIND_SEED", "1")))
    suite.add_options(parser)
    options = parser.parse_args()
    options.ffind, options.churn = os.path.abspath(options.ffind), os.path.abspath(options.churn)
    names = {f"{kind} {words}": (number, kind, words) for number, (kind, words) in enumerate(VOLUMES)}
    return suite.run([volume.case(name, functools.partial(searched, options, *names[name]))
                      for name in suite.selected(names, options.words)], options, limit=1200)


if __name__ == "__main__":
    sys.exit(main())
