#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the pages of the manual as `ffind --help PAGE` prints them with what mandoc makes of them.

Both have the same words in the same order: a macro, an escape or a list that src/cli/mdoc.cpp does not know is
found here. And groff, which `man` runs on Linux, warns of nothing.

    manual.py --ffind build/ffind      0: all are the same, 1: the first words that differ are printed, 77: no mandoc
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

MAN = pathlib.Path(__file__).resolve().parents[2] / "man"
SKIPPED = 77


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env={"LC_ALL": "C.UTF-8"}).stdout


def words_of_mandoc(page):
    """Without overstriking, and the header and footer, which are not the page's text."""
    shown = re.sub(".\b", "", output("mandoc", "-T", "utf8", "-O", "width=1000", str(page)))
    return " ".join(shown.splitlines()[1:-1]).split()


def plain(words):
    """As one text: mandoc breaks no line, but separates the cells and tags of lists in ways of its own."""
    return "".join(words).replace("\N{NO-BREAK SPACE}", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    ffind = parser.parse_args().ffind.resolve()
    if not shutil.which("mandoc"):
        print("skipped: no mandoc here")
        return SKIPPED
    failures = 0
    pages = sorted(MAN.glob("ffind*.[157]"))
    for page in pages:
        if shutil.which("groff"):
            warnings = subprocess.run(["groff", "-ww", "-mdoc", "-T", "utf8", page], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True, check=False).stderr
            failures += bool(warnings)
            print(warnings, end="")
        ours = plain(output(ffind, "--help", f"{page.stem}({page.suffix[1:]})").split())
        theirs = plain(words_of_mandoc(page))
        if ours != theirs:
            at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
            failures += 1
            print(f"{page.name}:\n  ffind:  {ours[max(0, at - 60):at + 60]}\n  mandoc: {theirs[max(0, at - 60):at + 60]}")
    print(f"manual: {len(pages)} pages, {failures} differ from mandoc's")
    return 1 if failures or len(pages) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
