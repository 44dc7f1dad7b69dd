# SPDX-License-Identifier: MIT
"""What is measured, and what was promised for it.

Called by `bench` and, for the promises, by report.py. A ratio is ffind's median wall time by
the other program's.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from programs import FIXED_THREADS

LIST_PROMISES = {"floor": 1.25, "fdf": 0.9}
NAME_PROMISES = {"floor": 1.1}
# find and bfs have only the question.
LINK_PROMISES = {"find": 0.5, "bfs": 0.5}
COLD_PROMISES = {"fd": 0.6, "bfs": 0.6}
METADATA_PROMISES = {"fd": 0.65, "find": 0.5, "bfs": 0.5}
# Sums of the space that is allocated.
USAGE_PROMISES = {"du": 0.4, "dust": 0.6, "gdu": 0.6}
# 16 and 16 bytes for each of the 78,579 inodes of `tree` with several links.
USAGE_MIB = 17
# A catalog's.
CATALOG_LIST_PROMISES = {"ffind-walk": 0.45}
CATALOG_NAME_PROMISES = {"ffind-walk": 0.3}
CATALOG_METADATA_PROMISES = {"ffind-walk": 0.2}
CATALOG_MIB = 32
# Of metadata that is read in bulk where that is faster.
# Said of the ratios, for noise; memory and counts are held to the letter.
ALLOWANCE = 1.05

# Milliseconds; corpora of volumes.py.
DISK_WAITS = ("0.1", "0.5", "2", "5")
CALL_WAITS = ("0", "0.2", "1", "5")

BESIDE_WALK = ("ffind", "floor", "fdf", "fd", "bfs", "find")
BESIDE_HUGE = ("ffind", "ffind-j16", "floor", "fdf", "fd", "bfs", "find")
BESIDE_CATALOG = (
    "ffind", "ffind-walk", "ffind-auto", "ffind-j16", "plocate", "floor", "fd", "bfs", "find",
)
BESIDE_LINKS = ("ffind", "bfs", "find")
BESIDE_USAGE = ("ffind", "floor", "du", "dust", "gdu")
BESIDE_LISTED = ("ffind", "xargs-stat")
BESIDE_PLAIN = ("ffind", "ffind-plain")
BESIDE_CONTENTS = ("ffind", "rg")
BESIDE_COMMANDS = ("ffind", "fd", "bfs", "find")
FIXED = tuple(f"ffind-j{number}" for number in FIXED_THREADS)
BESIDE_FIXED = ("ffind", *FIXED, "fdf", "fd", "bfs", "find")
BESIDE_SLOW_CALLS = ("ffind", *FIXED, "floor-j128", "fdf", "fd", "fd-j64", "bfs", "find")
# One thread would take minutes.
BESIDE_SLOWEST_CALLS = ("ffind", "ffind-j64", "ffind-j128", "floor-j128", "fd-j64")
BESIDE_ODD_CALLS = ("ffind", "floor-j128", "fdf", "fd", "fd-j64", "bfs", "find")
BESIDE_PLANNED = ("ffind", "ffind-planned")
# A call for each entry takes find long enough here.
UNTYPED_FOLDER = "drivers/net"
CALL_PROMISES = {"fd": 0.06, "fd-j64": 0.5}
BESIDE_BULK = ("ffind", "ffind-walk", "fd", "bfs", "find")
OURS = ("ffind", "ffind-walk", "ffind-j16")
COLD = ("ffind", "ffind-walk", "fd", "find")


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    corpus: str
    question: str
    promises: dict[str, float] = field(default_factory=dict)
    memory_mib: int = 16
    short: bool = False  # over in milliseconds: needs many runs
    long: bool = False  # takes many seconds: half as many runs
    method: str = "walk"  # ffind's
    beside: tuple[str, ...] = BESIDE_WALK  # who takes part, if it knows the question
    below: str = ""  # the folder in the corpus where the search starts
    cold: bool = False  # nothing of the volume is in memory
    defaults: bool = False  # every program chooses the number of its threads
    busy: int = 0  # other programs that want each processor


def on_catalog(
    name: str,
    title: str,
    question: str,
    corpus: str = "volume",
    promises: dict[str, float] | None = None,
    beside: tuple[str, ...] = BESIDE_CATALOG,
    **others,
) -> Workload:
    return Workload(
        name, title, corpus, question, promises or {}, CATALOG_MIB, method="catalog",
        beside=beside, **others,
    )


def on_slow_disk(wait: str) -> Iterator[Workload]:
    promises = {"fd": 0.3, **dict.fromkeys(FIXED, 1.15)} if float(wait) >= 0.5 else {}
    of_disk = f"a cold disk of {wait} ms a read"
    asked = [("-list", f"list {of_disk}", "all", BESIDE_FIXED, promises)]
    if wait == "0.5":
        asked += [
            ("-size", f"files over 10k on {of_disk}", "size", BESIDE_FIXED, promises),
            ("-contents", f"files that contain a frequent text on {of_disk}", "contents-frequent-s",
             ("ffind", *FIXED, "rg"), dict.fromkeys(FIXED, 1.15)),
        ]
    for suffix, title, question, beside, promised in asked:
        yield Workload(
            f"slow-disk-{wait}{suffix}", title, f"slow-disk-{wait}", question, promised,
            memory_mib=32, beside=beside, cold=True, defaults=True,
        )
    if float(wait) < 1:
        # As right after a boot. The other programs' turns are most of the time: promises are loose.
        yield Workload(
            f"slow-disk-{wait}-busy", f"list {of_disk}, on a busy machine", f"slow-disk-{wait}", "all",
            dict.fromkeys(FIXED, 1.2), memory_mib=32, beside=BESIDE_FIXED, cold=True, defaults=True,
            busy=4,
        )
    if wait == "2":
        yield on_catalog(
            f"slow-disk-{wait}-catalog", "the same from the device, as root", "all",
            f"slow-disk-{wait}", promises, ("ffind", *FIXED, "fd"), cold=True, defaults=True,
        )


def on_slow_calls(
    name: str, title: str, corpus: str, promises: dict[str, float], **others
) -> Workload:
    return Workload(
        name, title, corpus, "all", promises, memory_mib=32, cold=True, defaults=True, **others
    )


def on_contents(name: str, title: str, question: str, **others) -> Workload:
    return Workload(
        name, title, "tree", question, beside=BESIDE_CONTENTS, below="0", **others,
    )


WORKLOADS = (
    Workload("list", "list everything", "tree", "all", LIST_PROMISES),
    Workload("files", "list files, no directories", "tree", "files",
             beside=(*BESIDE_WALK, "rg")),
    Workload("literal", "names that contain a text", "tree", "literal", NAME_PROMISES),
    Workload("regex", "names by regular expression", "tree", "regex", NAME_PROMISES),
    Workload("size", "files over 10k", "tree", "size", METADATA_PROMISES),
    Workload("modified", "modified within days", "tree", "modified", METADATA_PROMISES),
    Workload("samefile", "a file's ten hard links in that tree", "tree", "samefile-tree", LINK_PROMISES,
             beside=BESIDE_LINKS),
    Workload("json", "list everything as NDJSON", "tree", "json", {"ffind-plain": 1.25},
             beside=BESIDE_PLAIN),
    Workload("format", "list everything by a template", "tree", "format", {"ffind-plain": 1.25},
             beside=BESIDE_PLAIN),
    Workload("long", "list everything with its metadata", "tree", "long", {"find": 0.6},
             beside=("ffind", "find")),
    Workload("from-list", "what of a list of all paths is still there", "tree", "from-list",
             {"xargs-stat": 0.3}, method="", beside=BESIDE_LISTED),
    Workload("from-sizes", "the same with metadata", "tree", "from-sizes", {"xargs-stat": 1},
             method="", beside=BESIDE_LISTED),
    # All files of `tree` have ten hard links; those of `volume` have one.
    Workload("usage", "what takes the space", "tree", "usage", USAGE_PROMISES, USAGE_MIB,
             beside=BESIDE_USAGE),
    on_contents("contents", "files that contain a rare text", "contents-rare-s",
                promises={"rg": 1}),
    on_contents("contents-any-case", "the same in any case", "contents-rare-i",
                promises={"rg": 1}),
    on_contents("contents-frequent", "files that contain a frequent text", "contents-frequent-s",
                promises={"rg": 1}),
    on_contents("contents-frequent-any-case", "the same in any case", "contents-frequent-i",
                promises={"rg": 1}),
    on_contents("contents-letter", "files that contain a letter", "contents-letter-s",
                promises={"rg": 1}),
    on_contents("contents-regex", "files that match an expression", "contents-regex"),
    # Its memory is that of the matches: their paths and some twenty bytes each.
    Workload("sorted", "list everything, sorted by path", "tree", "sorted", {"fd": 0.65},
             memory_mib=96, beside=("ffind", "fd")),
    Workload("as-find-list", "`--as find`: list everything", "tree", "as-find-list", {"find": 0.35},
             beside=("ffind", "find"), defaults=True),
    Workload("as-find-name", "`--as find`: names by a pattern", "tree", "as-find-name",
             {"find": 0.35}, beside=("ffind", "find"), defaults=True),
    # Both have glibc's engine.
    Workload("as-find-regex", "`--as find`: paths by a regular expression", "tree",
             "as-find-regex", {"find": 0.8}, beside=("ffind", "find"), defaults=True),
    *(
        Workload(f"as-{question}", f"`--as fd`: {title}", "tree", f"as-{question}",
                 {"fd": promise}, memory_mib=32, beside=("ffind", "fd"))
        for question, title, promise in (
            ("fd-list", "list everything, `-u`", 0.6),
            ("fd-name", "names that match, `-u`", 0.6),
            ("fd-defaults-list", "list what git does not ignore", 0.65),
            ("fd-defaults-name", "names that match, of what git does not ignore", 0.65),
        )
    ),
    # What it costs to watch for slow volumes, where there is none.
    Workload("planned", "list everything, without -j", "tree", "all", {"ffind-planned": 1.03},
             beside=BESIDE_PLANNED, defaults=True),
    Workload("planned-literal", "names that contain a text, without -j", "tree", "literal",
             {"ffind-planned": 1.03}, beside=BESIDE_PLANNED, defaults=True),
    Workload("planned-size", "files over 10k, without -j", "tree", "size",
             {"ffind-planned": 1.03}, beside=BESIDE_PLANNED, defaults=True),
    Workload("planned-busy", "list everything, without -j, on a busy machine", "tree", "all",
             {"ffind-planned": 1.03}, beside=(*BESIDE_PLANNED, "fdf", "fd", "bfs", "find"),
             defaults=True, busy=1),
    Workload("cold-list", "list one kernel source, cold cache", "tree", "all", COLD_PROMISES,
             memory_mib=32, beside=BESIDE_FIXED, below="0", cold=True, defaults=True),
    Workload("first", "-1, the first match only", "tree", "first", short=True),
    Workload("empty", "an empty directory", "empty", "all", {"find": 1}, short=True),
    Workload("exec", "a command for each of 1,000 files", "thousand", "exec", {"fd": 1},
             beside=BESIDE_COMMANDS),
    Workload("exec-batch", "one command for 1,000 files", "thousand", "exec-batch", {"fd": 1},
             beside=BESIDE_COMMANDS, short=True),
    Workload("million", "1,000,000 files in one directory", "million", "all", memory_mib=12),
    Workload("siblings", "450,000 sibling directories", "siblings", "all", long=True),
    Workload("chain", "20,000 directories deep", "chain", "all"),
    Workload("comb", "2,000 directories on each of 300 levels", "comb", "all"),
    on_catalog("volume-list", "list a volume", "all", promises=CATALOG_LIST_PROMISES),
    on_catalog("volume-literal", "a volume's names that contain a text", "literal",
               promises={**CATALOG_NAME_PROMISES, "plocate": 0.85}),
    on_catalog("volume-regex", "a volume's names by regular expression", "regex",
               promises={**CATALOG_NAME_PROMISES, "plocate": 0.4}),
    on_catalog("volume-size", "a volume's files over 10k", "size",
               promises=CATALOG_METADATA_PROMISES),
    on_catalog("volume-modified", "a volume's entries modified within days", "modified",
               promises=CATALOG_METADATA_PROMISES),
    on_catalog("volume-usage", "the space that a volume's files take, in all", "usage-total",
               promises={"du": 0.15}, beside=("ffind-walk", *BESIDE_USAGE)),
    on_catalog("volume-cold", "list a volume, cold cache", "all", promises={"ffind-walk": 0.25},
               beside=COLD, cold=True),
    on_catalog("volume-first", "-1 on a volume", "first", short=True),
    on_catalog("volume-small", "10 files in a directory of a volume", "all", below="small",
               promises={"ffind-walk": 1}, short=True),
    on_catalog("volume-empty", "an empty directory of a volume", "all", below="empty",
               promises={"ffind-walk": 1, "find": 1.5}, short=True),
    on_catalog("volume-million", "1,000,000 files in one directory of a volume", "all",
               "volume-million", beside=OURS),
    on_catalog("volume-siblings", "450,000 sibling directories of a volume", "all",
               "volume-siblings", beside=OURS),
    on_catalog("volume-chain", "20,000 directories deep in a volume", "all",
               "volume-chain", beside=OURS),
    # Beside the floor 58 MB are promised, and these are 900.
    Workload("huge-list", "list 10,000,000 entries in 500,000 directories", "volume-huge", "all",
             {"fdf": 0.9}, beside=BESIDE_HUGE, below="huge", long=True),
    Workload("huge-size", "files over 10k, among 10,000,000", "volume-huge", "size",
             METADATA_PROMISES, method="auto", beside=BESIDE_BULK, below="huge", long=True),
    Workload("huge-literal", "names that contain a text, among 10,000,000", "volume-huge",
             "literal", NAME_PROMISES, beside=BESIDE_HUGE, below="huge", long=True),
    Workload("links-list", "list 100,000 hard links of one file", "volume-huge", "all",
             below="links"),
    Workload("links-samefile", "all 100,000 hard links of a file", "volume-huge", "samefile",
             LINK_PROMISES, beside=BESIDE_LINKS, below="links"),
    *itertools.chain.from_iterable(on_slow_disk(wait) for wait in DISK_WAITS),
    *(
        on_slow_calls(f"slow-calls-{wait}-list", f"list a volume of {wait} ms a call",
                      f"slow-calls-{wait}", CALL_PROMISES if wait == "1" else {},
                      beside=BESIDE_SLOWEST_CALLS if wait == "5" else BESIDE_SLOW_CALLS)
        for wait in CALL_WAITS
    ),
    on_slow_calls("slow-calls-1-one-by-one-list", "the same where names are looked up one by one",
                  "slow-calls-1-one-by-one", CALL_PROMISES, beside=BESIDE_ODD_CALLS),
    on_slow_calls("slow-calls-1-untyped-list", "the same where names come without types",
                  "slow-calls-1-untyped", CALL_PROMISES,
                  beside=BESIDE_ODD_CALLS, below=UNTYPED_FOLDER),
    on_slow_calls("sshfs-list", "list a directory over sshfs", "sshfs", {},
                  beside=BESIDE_SLOW_CALLS),
)


def selected(names: list[str]) -> list[Workload]:
    """The workloads with one of these names, or on a corpus with one; all for no names."""
    if not names:
        return list(WORKLOADS)
    return [work for work in WORKLOADS if work.name in names or work.corpus in names]
