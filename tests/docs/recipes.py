#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the recipes of man/RECIPES.md: each block that begins with ```LANGUAGE NAME, by tests/docs/recipes/NAME.case.

    recipes.py --ffind build/ffind          all of them, and whether blocks and cases go together, one for one
    recipes.py --ffind build/ffind WORD     those whose name contains the word

A case is one of tests/cli/run.py, which runs it. [run] holds {recipe} where the block goes, and the tree
of tree.sh stands before its [setup]."""
import argparse
import functools
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "cli")]
import run  # noqa: E402
import suite  # noqa: E402

PAGE = HERE.parents[1] / "man/RECIPES.md"
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def blocks():
    """The lines of each recipe, by name. Commands of a shell always have one."""
    found = {}
    for language, name, text in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        if not name and language != "sh":
            continue
        if not name or name in found:
            sys.exit(f"{PAGE}: a block wants a name of its own after ```{language}, not {name!r}:\n{text}")
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


def check():
    """Whether there is a case for each block, and a block for each case."""
    there, cases = set(blocks()), {case.stem for case in (HERE / "recipes").glob("*.case")}
    for name in sorted(there - cases):
        print(f"{PAGE.name}: {name} is tried by no {HERE / 'recipes' / name}.case")
    for name in sorted(cases - there):
        print(f"{name}.case: no block of that name in {PAGE.name}")
    return there == cases and bool(there)


def main():
    options = run.arguments(argparse.ArgumentParser(description=__doc__,
                                                    formatter_class=argparse.RawDescriptionHelpFormatter))

    def trial(name, block, bins):
        case = HERE / "recipes" / f"{name}.case"
        return run.one(run.Case(case, complete(case, block)), options, bins)
    page = blocks()
    with suite.scratch_directory("ffind-bin-") as place:
        bins = run.Bins(options, pathlib.Path(place))
        cases = [suite.Case("blocks-and-cases", check)]
        cases += [suite.Case(name, functools.partial(trial, name, page[name], bins))
                  for name in suite.selected(sorted(page), options.words)]
        return suite.run(cases, options)


if __name__ == "__main__":
    sys.exit(main())
