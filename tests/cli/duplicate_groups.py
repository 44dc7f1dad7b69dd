#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random trees, in which --duplicates finds the groups that fdupes, jdupes, rmlint and fclones find.

    duplicate_groups.py --ffind build/ffind [--count N] [--seed N]

A tree has hard and symbolic links, sparse and empty files, contents that differ in one byte in the middle, at the
beginning or at the end, at the sizes around which files are read in parts, and odd names. Whoever lists several
names of one file is taken at one of them. Each program that is installed is compared; without any the expected
groups are those of the contents. Half of the trees are then cleaned by --keep and --delete: of each group the right
file is left, and nothing else is gone.
Exit status: 0 equal, 1 different.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "FFIND_CONFIG": ""}
NAMES = ["a", "b", "a-b", "a.b", "c", "B", "x y", "-dash", ".hid", "é", "0", "z.log", "y.log", "it's"]
SIZES = [0, 1, 2, 100, 4096, 16383, 16384, 16385, 32767, 32768, 32769, 50000, 131072, 131073, 300000]


def make_tree(place, rng):
    directories, files = [place], []
    for _ in range(rng.randrange(1, 12)):
        new = rng.choice(directories) / rng.choice(NAMES)
        if not new.exists():
            new.mkdir()
            directories.append(new)
    for _ in range(rng.randrange(2, 60)):
        new = rng.choice(directories) / (rng.choice(NAMES) + rng.choice(["", ".x", ".y"]))
        if os.path.lexists(new):
            continue
        kind = rng.random()
        if kind < 0.15 and files:
            os.link(rng.choice(files), new)
        elif kind < 0.25:
            os.symlink(os.path.relpath(rng.choice(files), new.parent) if files else "nowhere", new)
        elif kind < 0.3:
            os.mkfifo(new)
        else:
            size = rng.choice(SIZES)
            with open(new, "wb") as file:
                file.truncate(size)
                for at in rng.choice([[], [], [0], [size // 2], [size - 1], [16384], [20000]]):
                    if 0 <= at < size:
                        file.seek(at)
                        file.write(rng.choice([b"x", b"y"]))
                if rng.random() < 0.3 and size:  # without holes
                    file.flush()
                    data = pathlib.Path(new).read_bytes()
                    file.seek(0)
                    file.write(data)
            files.append(new)


def identity(path):
    status = os.stat(path, follow_symlinks=False)
    return status.st_dev, status.st_ino


def as_groups(groups):
    """Groups of paths, by the files that they name."""
    found = collections.Counter()
    for group in groups:
        files = frozenset(identity(path) for path in group if path)
        if len(files) > 1:
            found[files] += 1
    return found


def output_of(place, *command):
    done = subprocess.run(command, cwd=place, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False)
    return [os.path.join(os.fsencode(place), x) if x else x for x in done.stdout.split(b"\n")]


def split_at_empty(lines):
    groups = [[]]
    for line in lines:
        if line:
            groups[-1].append(line)
        else:
            groups.append([])
    return groups


def by_contents(place):
    groups = collections.defaultdict(list)
    for folder, _, names in os.walk(place):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path):
                groups[pathlib.Path(path).read_bytes()].append(path)
    return list(groups.values())


def by_rmlint(place):
    done = subprocess.run(["rmlint", "-T", "df", "--hidden", "--no-crossdev", "-o", "json:stdout", "."], cwd=place,
                          env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    groups = []
    for record in json.loads(done.stdout or "[]"):
        if record.get("type") == "duplicate_file":
            if record["is_original"]:
                groups.append([])
            groups[-1].append(record["path"])
    return groups


def by_fclones(place):
    done = subprocess.run(["fclones", "group", "--hidden", "--no-ignore", "-f", "json", "."], cwd=place, env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [[os.path.join(place, x) for x in group["files"]] for group in json.loads(done.stdout)["groups"]]


JUDGES = {
    "fdupes": lambda place: split_at_empty(output_of(place, "fdupes", "-r", "-n", "-q", ".")),
    "jdupes": lambda place: split_at_empty(output_of(place, "jdupes", "-r", "-q", ".")),
    "rmlint": by_rmlint,
    "fclones": by_fclones,
}


def listed(ffind, place, *options):
    groups = collections.defaultdict(list)
    done = subprocess.run([ffind, "--duplicates", "--json", *options], cwd=place, env=ENVIRONMENT, check=True,
                          stdout=subprocess.PIPE)
    for record in map(json.loads, done.stdout.splitlines()):
        groups[record["duplicate_group"]].append(os.path.normpath(os.path.join(place, record["path"])))
    return [groups[number] for number in sorted(groups)]


def clean(ffind, place, groups, keep):
    """What is wrong after all but one of each group were deleted; empty if nothing is."""
    contents = {path: pathlib.Path(path).read_bytes() for group in by_contents(place) for path in group}
    subprocess.run([ffind, "--duplicates", "--keep", keep, "--delete"], cwd=place, env=ENVIRONMENT, check=True,
                   stdin=subprocess.DEVNULL)
    gone = {path for group in groups for path in (group[1:] if keep == "first" else group[:-1])}
    for path, data in contents.items():
        if os.path.lexists(path) == (path in gone):
            return f"{path} is {'there' if path in gone else 'gone'}"
        if path not in gone and pathlib.Path(path).read_bytes() != data:
            return f"{path} has changed"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ffind", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ffind = str(options.ffind.resolve())
    judges = [name for name in JUDGES if shutil.which(name)]
    failures, groups_found = 0, 0
    for number in range(options.seed, options.seed + options.count):
        rng = random.Random(number)
        with tempfile.TemporaryDirectory(prefix="ffind-duplicates-") as place:
            make_tree(pathlib.Path(place), rng)
            groups = listed(ffind, place, *rng.choice([[], ["-j", "1"], ["-j", "7"], ["--sort", "-name"]]))
            found = as_groups(groups)
            groups_found += len(found)
            for name in ["contents", *judges]:
                expected = as_groups(by_contents(place) if name == "contents" else JUDGES[name](place))
                if found != expected:
                    failures += 1
                    print(f"seed {number}: {sum(found.values())} groups, {name} has {sum(expected.values())}")
            wastes = [os.path.getsize(group[0]) * (len(group) - 1) for group in groups]
            if wastes != sorted(wastes, reverse=True):
                failures += 1
                print(f"seed {number}: not the largest waste first: {wastes}")
            if number % 2 == 0:
                wrong = clean(ffind, place, listed(ffind, place), rng.choice(["first", "last"]))
                failures += bool(wrong)
                if wrong:
                    print(f"seed {number}: {wrong}")
    print(f"{options.count} trees, {groups_found} groups, {failures} differences; judges: {', '.join(judges) or 'none'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
