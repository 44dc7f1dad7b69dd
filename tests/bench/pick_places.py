#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the places of wanted paths in the list of `ffind --pick` and in fzf's, for pick_places.txt.

    pick_places.py --places build/tests/places --tree DIR | --names FILE [--fzf fzf] [--each]

`places` is built with FFIND_BENCH. The list is of the names below DIR, or of the lines of FILE, in which a directory
ends with a slash; fzf gets the same in the same order, without those. A path that is not in a list has the place after
the last. --each prints each query with its places.
"""
import argparse
import os
import statistics
import subprocess
from pathlib import Path


def names_below(tree):
    names = []
    for directory, directories, files in os.walk(tree):
        below = os.path.relpath(directory, tree)
        prefix = "" if below == "." else below + "/"
        names += [prefix + name + "/" for name in sorted(directories)] + [prefix + name for name in sorted(files)]
    return names


def places_in_fzf(command, names, queries):
    listed = "\n".join(name.rstrip("/") for name in names) + "\n"
    for path, typed in queries:
        found = subprocess.run([*command, "--filter", typed], input=listed, stdout=subprocess.PIPE, text=True,
                               check=False).stdout.splitlines()
        yield found.index(path) + 1 if path in found else len(names)


def places_in_ours(program, names, queries):
    text = "\n".join(names) + "\n\n" + "".join(f"{path}\t{typed}\n" for path, typed in queries)
    lines = subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [int(line.split("\t")[0]) or len(names) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", required=True, help="the program of that name")
    parser.add_argument("--tree", help="a kernel's source")
    parser.add_argument("--names", help="a file with the names in one")
    parser.add_argument("--fzf", default="fzf")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    names = Path(options.names).read_text().splitlines() if options.names else names_below(options.tree)
    lines = Path(__file__).with_suffix(".txt").read_text().splitlines()
    queries = [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
    places = {
        "ffind --pick": places_in_ours(options.places, names, queries),
        "fzf": list(places_in_fzf([options.fzf], names, queries)),
        "fzf --scheme=path": list(places_in_fzf([options.fzf, "--scheme=path"], names, queries)),
    }
    if options.each:
        for number, (path, typed) in enumerate(queries):
            print(*(f"{column[number]:6}" for column in places.values()), f" {typed:24} {path}")
        print()
    print(f"{len(queries)} queries, {len(names)} names\n")
    print("| | median | 90 % | mean | first | among the first 10 |\n|---|---|---|---|---|---|")
    for program, column in places.items():
        ordered = sorted(column)
        print(f"| {program} | {statistics.median(ordered):g} | {ordered[int(len(ordered) * 0.9)]} "
              f"| {statistics.mean(ordered):.0f} | {ordered.count(1)} | {sum(place <= 10 for place in ordered)} |")


if __name__ == "__main__":
    main()
