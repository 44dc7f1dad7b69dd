# SPDX-License-Identifier: MIT
"""Makes the trees that the benchmark searches, once, and keeps them below one directory.

Called by `bench`, and by volumes.py for what it puts on its volumes. Each corpus is made under a
working name and renamed when whole, and a stamp file beside it says when it was made and how many
entries it holds. Knows nothing of mounting.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

KERNEL_SOURCE = Path("/usr/src/linux-source-6.1.tar.xz")
TREE_COPIES = 10
MILLION = 1_000_000
THOUSAND = 1_000
LINKS = 100_000
SIBLINGS = 450_000
CHAIN = 20_000
COMB_LEVELS = 300
COMB_SIBLINGS = 2_000  # on each level
# Files of `tree` get ages from half a day to 99.5 days, so that a filter by time has to choose.
TREE_AGES = 100
DAY = 86_400


class CorpusError(Exception):
    """A corpus cannot be made; the text says what would help."""


@dataclass(frozen=True)
class Corpus:
    """A tree that is ready to be searched."""

    name: str
    path: Path
    entries: int | None  # None: not known beforehand
    made: float | None  # None: not made by us, its times are its own
    image: Path | None = None  # holds the volume that has to be mounted at `path`

    def days_for_filter(self) -> int:
        """The N that "modified within N days" is measured with; about a third of `tree` matches."""
        if self.made is None:
            return 30
        return int((time.time() - self.made) / DAY) + TREE_AGES // 3


def make_tree(target: Path) -> int:
    if not KERNEL_SOURCE.exists():
        raise CorpusError(
            f"{KERNEL_SOURCE} is missing: apt-get install linux-source-6.1 (or name an existing "
            "tree with --tree DIR)"
        )
    first = target / "0"
    first.mkdir(parents=True)
    subprocess.run(
        ["tar", "-xf", KERNEL_SOURCE, "-C", first, "--strip-components=1"], check=True
    )
    entries = spread_ages(first) + 1
    for number in range(1, TREE_COPIES):
        subprocess.run(["cp", "-al", first, target / str(number)], check=True)
    return entries * TREE_COPIES


def spread_ages(top: Path) -> int:
    """Gives the entries their ages, and counts them."""
    now = time.time()
    count = 0
    # Bottom up: a directory's time is set after its contents are settled.
    for parent, directories, files in os.walk(top, topdown=False):
        for name in sorted(files) + sorted(directories):
            age = (count % TREE_AGES + 0.5) * DAY
            os.utime(os.path.join(parent, name), (now, now - age), follow_symlinks=False)
            count += 1
    return count


def make_million(target: Path) -> int:
    target.mkdir()
    folder = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    for number in range(MILLION):
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        os.close(os.open(f"file-{number:07}.txt", flags, 0o644, dir_fd=folder))
    os.close(folder)
    return MILLION


def make_siblings(target: Path) -> int:
    target.mkdir()
    folder = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    for number in range(SIBLINGS):
        os.mkdir(f"directory-{number:06}", dir_fd=folder)
    os.close(folder)
    return SIBLINGS


def make_chain(target: Path) -> int:
    target.mkdir()
    folder = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    for _ in range(CHAIN):
        os.mkdir("d", dir_fd=folder)
        deeper = os.open("d", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
        os.close(folder)
        folder = deeper
    os.close(folder)
    return CHAIN


def make_comb(target: Path) -> int:
    """Each level has many directories, and one of them the next level: what waits to be read grows
    with the depth for those who go down before they are done."""
    target.mkdir()
    folder = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    for level in range(COMB_LEVELS):
        for number in range(COMB_SIBLINGS):
            os.mkdir(f"{number:04}", dir_fd=folder)
        deeper = os.open(f"{level * 37 % COMB_SIBLINGS:04}", os.O_RDONLY | os.O_DIRECTORY,
                         dir_fd=folder)
        os.close(folder)
        folder = deeper
    os.close(folder)
    return COMB_LEVELS * COMB_SIBLINGS


def make_thousand(target: Path) -> int:
    target.mkdir()
    for number in range(THOUSAND):
        (target / f"file-{number:04}.txt").touch()
    return THOUSAND


def make_links(target: Path) -> int:
    """One file under many names; more than ext4 allows."""
    target.mkdir()
    folder = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    first = "link-000000"
    (target / first).touch()
    for number in range(1, LINKS):
        os.link(first, f"link-{number:06}", src_dir_fd=folder, dst_dir_fd=folder)
    os.close(folder)
    return LINKS


def make_empty(target: Path) -> int:
    target.mkdir()
    return 0


MAKERS = {
    "tree": make_tree,
    "million": make_million,
    "siblings": make_siblings,
    "chain": make_chain,
    "comb": make_comb,
    "thousand": make_thousand,
    "empty": make_empty,
}


@dataclass(frozen=True)
class Stamp:
    """What is known of a corpus that a former run made."""

    made: float
    entries: int


def read_stamp(name: str, folder: Path) -> Stamp | None:
    stamp = folder / f"{name}.stamp"
    return Stamp(**json.loads(stamp.read_text())) if stamp.exists() else None


def write_stamp(name: str, folder: Path, stamp: Stamp) -> None:
    (folder / f"{name}.stamp").write_text(json.dumps(asdict(stamp)) + "\n")


def prepare(name: str, folder: Path) -> Corpus:
    """The corpus of that name below `folder`, made now unless a former run left it there."""
    target = folder / name
    known = read_stamp(name, folder)
    if target.is_dir() and known:
        return Corpus(name, target, known.entries, known.made)

    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{name}.unfinished"
    for leftover in (target, unfinished):
        if leftover.exists():
            # Python's rmtree recurses and would not survive the chain.
            subprocess.run(["rm", "-rf", leftover], check=True)
    print(f"bench: making corpus {name} in {target} ...", file=sys.stderr)
    made = time.time()
    entries = MAKERS[name](unfinished)
    unfinished.rename(target)
    write_stamp(name, folder, Stamp(made, entries))
    return Corpus(name, target, entries, made)


def take_tree(path: Path) -> Corpus:
    """An existing tree in the place of `tree`."""
    if not path.is_dir():
        raise CorpusError(f"--tree {path}: not a directory")
    return Corpus("tree", path, None, None)


def directories_of(path: Path) -> tuple[int, int]:
    """How many there are, `path` among them, and the bytes allocated to them."""
    spaces = [os.lstat(parent).st_blocks * 512 for parent, _, _ in os.walk(path)]
    return len(spaces), sum(spaces)


def file_system_of(path: Path) -> str:
    """The type of the file system that holds `path`, for the head of the table."""
    shown = subprocess.run(["df", "--output=fstype", path], capture_output=True, text=True)
    return shown.stdout.split()[-1] if shown.returncode == 0 else "unknown"
