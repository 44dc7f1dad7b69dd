#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the recipes of man/RECIPES.md: each block that begins with ```sh NAME, by tests/docs/recipes/NAME.case.

    recipes.py --ffind build/ffind                 whether blocks and cases go together, one for one
    recipes.py --ffind build/ffind --recipe NAME   one recipe: 0 passed, 1 failed, 77 something it needs is missing

A case is one of tests/cli/run.py, which runs it. [run] holds {recipe} where the block goes, and the tree
of tree.sh stands before its [setup]."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "man/RECIPES.md"
FENCE = re.compile(r"^```sh(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def blocks():
    """The commands of each recipe, by name."""
    found = {}
    for name, text in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        if not name or name in found:
            sys.exit(f"{PAGE}: a block wants a name of its own behind ```sh, not {name!r}:\n{text}")
        found[name] = text.rstrip("\n")
    return found


def complete(case, block):
    """The text of a case of run.py that sets up the tree and runs the block."""
    text = case.read_text(encoding="utf-8")
    if text.count("{recipe}") != 1:
        sys.exit(f"{case}: [run] wants {{recipe}} once")
    if "[setup]\n" not in text:
        text = text.replace("[run]\n", "[setup]\n[run]\n", 1)
    tree = (HERE / "tree.sh").read_text(encoding="utf-8")
    return text.replace("[setup]\n", f"[setup]\n{tree}", 1).replace("{recipe}", block)


def run(ffind, name):
    case = HERE / "recipes" / f"{name}.case"
    with tempfile.TemporaryDirectory(prefix="ffind-recipe-") as scratch:
        whole = pathlib.Path(scratch) / case.name
        whole.write_text(complete(case, blocks()[name]), encoding="utf-8")
        runner = HERE.parent / "cli/run.py"
        return subprocess.run([sys.executable, runner, "--ffind", ffind, "--case", whole]).returncode


def check():
    there, tried = set(blocks()), {case.stem for case in (HERE / "recipes").glob("*.case")}
    for name in sorted(there - tried):
        print(f"{PAGE.name}: {name} is tried by no {HERE / 'recipes' / name}.case")
    for name in sorted(tried - there):
        print(f"{name}.case: no block ```sh {name} in {PAGE.name}")
    return 0 if there == tried and there else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    parser.add_argument("--recipe")
    arguments = parser.parse_args()
    return run(arguments.ffind.resolve(), arguments.recipe) if arguments.recipe else check()


if __name__ == "__main__":
    sys.exit(main())
