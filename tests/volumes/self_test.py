#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the tests of this folder would see a fault: a program that gives one wrong answer to
`--method catalog` has to fail them. Called by ctest; knows how compare.py is called.
"""
import argparse
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="ffind-volumes-self-test-") as place:
        os.chmod(place, 0o755)
        for name, fault in FAULTS.items():
            program = os.path.join(place, "ffind")
            with open(program, "w", encoding="utf-8") as file:
                file.write(PROGRAM.format(ffind=os.path.abspath(options.ffind), fault=fault))
            os.chmod(program, 0o755)
            done = subprocess.run([sys.executable, os.path.join(HERE, "compare.py"), "--ffind", program, "--row", ROW,
                                   "--brief"], capture_output=True, text=True, errors="replace", check=False)
            if done.returncode == 77:
                print(done.stdout)
                return 77
            if (done.returncode == 0) != (name == "none"):
                print(f"with the fault '{name}' it ended with {done.returncode}:\n{done.stdout}{done.stderr}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
