#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the tests of this folder would see a fault: a program that gives one wrong answer to
`--method catalog` has to fail them. Called by ctest; knows how compare.py is called.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROW = "ext4-defaults"
# What the catalog's answers go through.
FAULTS = {"none": "cat", "one name less": "head -z -n -1", "one name twice": "sed -z '$p'",
          "another name": "sed -z '$s/.$/#/'"}
PROGRAM = """#!/bin/bash
case " $* " in
  *" --explain "* | *" --json"* | *" --stats "*) exec {ffind} "$@" ;;
  *" --method catalog "*) set -o pipefail; {ffind} "$@" | {fault} ;;
  *) exec {ffind} "$@" ;;
esac
"""


def tried(place, ffind, name):
    """What compare.py makes of a program with this fault: (exit status, what it printed)."""
    program = os.path.join(place, name.replace(" ", "-"))
    with open(program, "w", encoding="utf-8") as file:
        file.write(PROGRAM.format(ffind=os.path.abspath(ffind), fault=FAULTS[name]))
    os.chmod(program, 0o755)
    done = subprocess.run([sys.executable, os.path.join(HERE, "compare.py"), "--ffind", program, "--row", ROW,
                           "--brief"], capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ffind-volumes-self-test-") as place:
        os.chmod(place, 0o755)
        with concurrent.futures.ThreadPoolExecutor() as threads:
            ended = dict(zip(FAULTS, threads.map(lambda name: tried(place, options.ffind, name), FAULTS)))
    failed = False
    for name, (status, said) in ended.items():
        if status == 77:
            print(said)
            return 77
        if (status == 0) != (name == "none"):
            print(f"with the fault '{name}' it ended with {status}:\n{said}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
