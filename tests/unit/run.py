#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the unit tests on all processors: Catch2's program again and again, a handful of tests each time.

    run.py build/tests/unit/ffind_unit            all of them
    run.py build/tests/unit/ffind_unit frontier   those whose name contains the word
"""
import argparse
import functools
import pathlib
import re
import resource
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

HANDFUL = 12


def listed(program):
    """Names as Catch2 2 and 3 list them; neither's exit status says whether that went well."""
    options = {"2": ["--list-test-names-only"], "3": ["--list-tests", "--verbosity", "quiet"]}
    version = re.search(r"Catch v(\d)", subprocess.run([program, "--help"], capture_output=True, text=True,
                                                       check=False).stdout)
    shown = subprocess.run([program, *options[version[1] if version else "3"]], capture_output=True, text=True,
                           check=False).stdout
    return [line.strip() for line in shown.splitlines() if line.strip()]


def run(program, names):
    """Whether all of these passed, in a directory of their own. A specification escapes what separates and encloses
    others."""
    with suite.scratch_directory("ffind-unit-") as place:
        specification = pathlib.Path(place, "names")
        with specification.open("w", encoding="utf-8") as file:
            file.write("".join(re.sub(r"([\\,\[\]])", r"\\\1", name) + "\n" for name in names))
        done = subprocess.run([program, "--input-file", specification], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="backslashreplace", check=False, cwd=place)
    ran = re.search(r" in (\d+) test case", done.stdout)
    if done.returncode == 0 and ran and int(ran[1]) == len(names):
        return True
    print(done.stdout, f"ended with {done.returncode}; {len(names)} tests were asked for")
    return False


def raise_limit():
    """More descriptors than the 256 that macOS gives: with fewer, deep trees are searched in another way, which has
    tests of its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 10240 if hard == resource.RLIM_INFINITY else min(hard, 10240)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    suite.add_options(parser)
    options = parser.parse_args()
    raise_limit()
    names = suite.selected(listed(options.program.resolve()), options.words)
    handfuls = [names[at:at + HANDFUL] for at in range(0, len(names), HANDFUL)]
    cases = [suite.Case(handful[0], functools.partial(run, options.program.resolve(), handful)) for handful in handfuls]
    print(f"{len(names)} unit tests, {HANDFUL} at a time")
    return suite.run(cases, options, limit=1000)


if __name__ == "__main__":
    sys.exit(main())
