# SPDX-License-Identifier: MIT
"""What is measured, and what was promised for it.

Called by `bench` and, for the promises, by report.py. A ratio is ffind's median wall time by
the other program's.
"""

from dataclasses import dataclass, field

LIST_PROMISES = {"floor": 1.2, "fdf": 0.9, "fd": 0.57, "bfs": 0.5, "find": 0.29}
METADATA_PROMISES = {"fd": 0.5, "find": 0.5, "bfs": 0.75}
# Said of the ratios, for noise; memory and counts are held to the letter.
ALLOWANCE = 1.05


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    corpus: str
    question: str
    promises: dict[str, float] = field(default_factory=dict)
    memory_mib: int = 16
    short: bool = False  # over in milliseconds: needs many runs


WORKLOADS = (
    Workload("list", "list everything", "tree", "all", LIST_PROMISES),
    Workload("literal", "names that contain a text", "tree", "literal", LIST_PROMISES),
    Workload("regex", "names by regular expression", "tree", "regex", LIST_PROMISES),
    Workload("size", "files over 10k", "tree", "size", METADATA_PROMISES),
    Workload("modified", "modified within days", "tree", "modified", METADATA_PROMISES),
    Workload("first", "-1, the first match only", "tree", "first", short=True),
    Workload("empty", "an empty directory", "empty", "all", {"find": 1.5}, short=True),
    Workload("million", "1,000,000 files in one directory", "million", "all", memory_mib=12),
    Workload("siblings", "450,000 sibling directories", "siblings", "all"),
    Workload("chain", "20,000 directories deep", "chain", "all"),
)


def selected(names: list[str]) -> list[Workload]:
    """The workloads with one of these names, or on a corpus with one; all for no names."""
    if not names:
        return list(WORKLOADS)
    return [work for work in WORKLOADS if work.name in names or work.corpus in names]
