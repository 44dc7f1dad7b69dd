#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random trees, of which --usage gives the sums that GNU du gives, to the byte.

    usage_sums.py --ffind build/ffind [--count N] [--seed N]

A tree has sparse files, links of all kinds, fifos and odd names; roots are directories, files, one inside another,
or the same twice. The total of all roots must be du's, and so must each directory's line if no file has links in
several directories. Which directory such a file counts in is laid down: that of the first of its paths in the
order of bytes. The expected lines are added up here for that, for files, and for filters, which du does not have.
As root, half of the trees have volumes mounted in them, and in each other, over directories that may hold files:
--cross-volumes gives the sums of du without -x.
Exit status: 0 equal, 1 different, 77 no GNU du.
"""
import argparse
import ctypes
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "FFIND_CONFIG": ""}
NAMES = ["a", "b", "a-b", "a.b", "ab", "c", "B", "x y", "-dash", ".hid", "é", "a\nb", "0", "z.log", "y.log", "log"]
ROOTS = [["."], [], ["a"], ["a", "b"], ["b", "a"], ["a", "a/b"], ["a/b", "a"], ["a", "a"], [".", "a"], ["./a", "b/"],
         ["file"], ["a", "file"], ["file", "again"], ["./a", "./ab", "./a-b"]]
FILTERS = {
    (): None,
    ("--ext", "log"): lambda path, status: path.endswith(b".log"),
    ("-t", "f"): lambda path, status: status.st_mode & 0o170000 == 0o100000,
    ("-t", "d"): lambda path, status: status.st_mode & 0o170000 == 0o040000,
    ("--links", ">1", "-t", "f"): lambda path, status: (status.st_mode & 0o170000 == 0o100000 and status.st_nlink > 1),
}


def make_tree(place, rng, links):
    """Directories, then files in them; `links`: none, near (in the same directory) or far."""
    directories = [place]
    for _ in range(rng.randrange(3, 40)):
        new = rng.choice(directories) / rng.choice(NAMES)
        if not new.exists():
            new.mkdir()
            directories.append(new)
    for name in ["a", "b", "a/b", "ab", "a-b"]:
        (place / name).mkdir(exist_ok=True)
        directories.append(place / name)
    files = []
    for _ in range(rng.randrange(5, 120)):
        directory = rng.choice(directories)
        new = directory / rng.choice(NAMES)
        if os.path.lexists(new):
            continue
        kind = rng.random()
        near = [file for file in files if file.parent == directory] if links == "near" else files
        if kind < 0.35 and links != "none" and near:
            os.link(rng.choice(near), new)
        elif kind < 0.45:
            os.symlink("a" * rng.randrange(1, 200), new)
        elif kind < 0.5:
            os.mkfifo(new)
        else:
            with open(new, "wb") as file:
                file.write(b"x" * rng.choice([0, 1, 100, 4096, 5000, 70000]))
                if rng.random() < 0.2:
                    file.truncate(rng.choice([1, 10**6, 10**10]))
            files.append(new)
    (place / "file").write_bytes(b"f" * 9000)
    os.link(place / "file", place / "again")


def in_own_namespace():
    """Returns true if this process may mount what no other sees."""
    new_namespace, recursive, private = 0x20000, 0x4000, 1 << 18
    libc = ctypes.CDLL(None, use_errno=True)
    return (os.geteuid() == 0 and libc.unshare(new_namespace) == 0 and
            libc.mount(None, b"/", None, recursive | private, None) == 0)


def mount_volumes(place, rng, links):
    """Mounts some tmpfs in the tree and fills them. Returns their places in the order of mounting."""
    mounted = []
    for _ in range(rng.randrange(1, 9)):
        directories = [path for path, _, _ in os.walk(place) if path != str(place)]
        volume = pathlib.Path(rng.choice(directories))
        subprocess.run(["mount", "-t", "tmpfs", "none", volume], check=True)
        mounted.append(volume)
        if rng.random() < 0.8 or volume.parent == place:
            make_tree(volume, rng, links)
    return mounted


def run(command, place):
    return subprocess.run(command, cwd=place, env=ENVIRONMENT, capture_output=True, check=False)


def lines_of(output):
    """{path: bytes}, of lines that end with NUL."""
    pairs = (line.split(b"\t", 1) for line in output.split(b"\0") if line)
    return {path: int(size) for size, path in pairs}


def searched(roots):
    """The roots that are no part of another one, as they are printed."""
    plain = [os.path.normpath(root) for root in roots or ["."]]
    kept = []
    for root, path in zip(roots or ["."], plain):
        inside = any(path.startswith(other + "/") or (other == "." and path != ".") for other in plain)
        if not inside and path not in (os.path.normpath(each) for each in kept):
            kept.append(root)
    return kept


def expected(place, roots, apparent, counts, counts_whole):
    """{directory: bytes}, {file: bytes} by the rules of the manual. counts_whole: a directory that matches counts whole,
    but for volumes mounted in it, whose entries are tested."""
    sums, firsts, files = {}, {}, {}

    def size_of(status):
        if not apparent:
            return status.st_blocks * 512
        return status.st_size if status.st_mode & 0o170000 in (0o100000, 0o120000) else 0

    def add(chain, size):
        for directory in chain:
            sums[directory] = sums.get(directory, 0) + size

    def visit(path, printed, chain, whole=False):
        status = os.lstat(path)
        wanted = whole or counts is None or (chain and counts(printed, status))
        is_directory = status.st_mode & 0o170000 == 0o040000
        if is_directory:
            whole = counts_whole and wanted and not os.path.ismount(path)
            chain = [*chain, printed]
            add(chain, size_of(status) if wanted else 0)
            for name in os.listdir(path):
                below = name if printed == b"." and not typed_dot else os.path.join(printed, name)
                visit(os.path.join(path, name), b"./" + below if below.startswith(b"-") else below, chain,
                      whole)
        elif wanted or (not chain and (counts is None or counts(printed, status))):
            chain = chain or [printed]
            sums.setdefault(chain[0], 0)
            if status.st_nlink > 1:
                key = (status.st_dev, status.st_ino)
                if key not in firsts or printed < firsts[key][0]:
                    firsts[key] = (printed, chain, size_of(status))
            else:
                files[printed] = size_of(status)
                add(chain, size_of(status))

    for root in searched(roots):
        typed_dot = bool(roots)
        printed = root.encode().rstrip(b"/") or b"/"
        visit(os.path.join(os.fsencode(place), printed), printed, [])
    for printed, chain, size in firsts.values():
        files[printed] = size
        add(chain, size)
    return sums, files


def different(what, ours, theirs, seed, command):
    print(f"seed {seed}: {what}: {' '.join(command)}")
    for path in sorted(set(ours) | set(theirs)):
        if ours.get(path) != theirs.get(path):
            print(f"  {path}: {ours.get(path)}, expected {theirs.get(path)}")
    return 1


def check(ffind, place, seed, rng, links, du_counts_directories, crosses):
    roots = rng.choice(ROOTS)
    apparent = rng.random() < 0.4
    option = (["--apparent"] if apparent else []) + (["--cross-volumes"] if crosses else [])
    threads = ["-j", str(rng.choice([1, 2, 8]))]
    words = rng.choice(list(FILTERS))
    rows = rng.choice(["--usage", "--usage", "--usage=dirs", "--usage=files"])
    command = [ffind, rows, *option, *threads, *words, "-0", *(rng.choice([[], ["--sort", "path"]])),
               *["--in=" + root for root in roots]]
    done = run(command, place)
    ours = lines_of(done.stdout)
    if done.returncode != 0 or done.stderr:
        print(f"seed {seed}: {command}: {done.returncode} {done.stderr}")
        return 1
    theirs, files = expected(place, roots, apparent, FILTERS[words], "-t" in words)
    if rows == "--usage=files":
        tops = [os.fsencode(root).rstrip(b"/") for root in searched(roots)]
        theirs = {path: size for path, size in theirs.items() if path in tops}
        theirs = {**files, **theirs}
    if words and rows != "--usage=files":  # directories without a match have no line, except roots
        shown = {os.fsencode(root).rstrip(b"/") for root in searched(roots)}
        theirs = {path: size for path, size in theirs.items() if size > 0 or path in shown}
        ours = {path: size for path, size in ours.items() if size > 0 or path in shown}
        files = {b"file", b"again"}
        theirs = {path: size for path, size in theirs.items() if path not in files}
        ours = {path: size for path, size in ours.items() if path not in files}
    if ours != theirs:
        return different("lines", ours, theirs, seed, command)
    tree = run([ffind, "--usage", *option, *threads, *words, "--json", *["--in=" + root for root in roots]], place)
    objects = [json.loads(line) for line in tree.stdout.splitlines()]
    total = sum(each["size" if apparent else "allocated"] for each in objects if each["depth"] == 0)
    if words or (apparent and du_counts_directories) or rows == "--usage=files":
        return 0
    du = ["du", *([] if crosses else ["-x"]), "-0", "-c", "-B1", *(["--apparent-size"] if apparent else []), "--", *(roots or ["."])]
    judge = lines_of(run(du, place).stdout)
    if judge.get(b"total") != total:
        return different("total", {b"total": total}, {b"total": judge.get(b"total")}, seed, du)
    if links != "far" and roots in (["."], [], ["a"]):
        judge = {path[2:] if not roots and path.startswith(b"./") and not path.startswith(b"./-") else path: size
                 for path, size in judge.items() if path != b"total"}
        if judge != ours:
            return different("lines of du", ours, judge, seed, du)
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    try:
        version = subprocess.run(["du", "--version"], capture_output=True, check=False).stdout
    except FileNotFoundError:
        version = b""
    if b"GNU" not in version:
        print("no GNU du")
        return 77
    ffind = str(pathlib.Path(options.ffind).resolve())
    with tempfile.TemporaryDirectory() as place:
        empty = pathlib.Path(place) / "empty"
        empty.mkdir()
        size = int(run(["du", "-B1", "--apparent-size", "empty"], place).stdout.split()[0])
        du_counts_directories = size == empty.stat().st_size
    seeds = [options.seed] if options.seed is not None else range(options.count)
    may_mount = in_own_namespace()
    failures = 0
    for seed in seeds:
        rng = random.Random(seed)
        links = rng.choice(["none", "near", "far", "far"])
        place = pathlib.Path(tempfile.mkdtemp())
        mounted = []
        try:
            make_tree(place, rng, links)
            if may_mount and seed % 2 == 1:
                mounted = mount_volumes(place, rng, links)
            for _ in range(6):
                failures += check(ffind, place, seed, rng, links, du_counts_directories, bool(mounted))
        finally:
            for volume in reversed(mounted):
                subprocess.run(["umount", "-l", volume], check=True)
            shutil.rmtree(place)
    print(f"{len(seeds)} trees, {failures} differences")
    return 1 if failures else 0


sys.exit(main())
