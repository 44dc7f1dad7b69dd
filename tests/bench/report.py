# SPDX-License-Identifier: MIT
"""All that one run measured, and the limits that it is held to; page.py shows it."""

import os
import platform
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from measure import Samples
from programs import Installed
from workloads import Workload

HELD_TO_MEMORY = ("ffind", "ffind-j16")
FLOOR = "floor"
WALKERS = ("fdf", "fd", "bfs", "find", "du", "dust", "gdu")


@dataclass
class Result:
    """One workload, measured."""

    workload: Workload
    records: int
    programs: dict[str, Installed]
    commands: dict[str, list[str]]
    samples: dict[str, Samples]
    left_out: dict[str, str] = field(default_factory=dict)

    def ratio(self, name: str) -> float | None:
        """ffind's time by this program's."""
        if name == "ffind" or "ffind" not in self.samples:
            return None
        return self.samples["ffind"].median / self.samples[name].median


@dataclass(frozen=True)
class Index:
    """What a program had to make of a corpus before it could be asked."""

    program: str
    corpus: str
    seconds: float
    bytes: int


@dataclass(frozen=True)
class Machine:
    processor: str
    processors: int
    kernel: str
    load: float
    date: str


@dataclass
class Report:
    """All of one run."""

    machine: Machine
    results: list[Result] = field(default_factory=list)
    file_systems: dict[str, str] = field(default_factory=dict)  # by corpus
    indexes: list[Index] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)  # by corpus or workload


def describe_machine() -> Machine:
    return Machine(
        processor=processor_name(),
        processors=len(os.sched_getaffinity(0)),
        kernel=f"{platform.system()} {platform.release()} {platform.machine()}",
        load=os.getloadavg()[0],
        date=datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    )


def processor_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def limit_of(result: Result, name: str) -> float | None:
    """What was promised beside this program. Where a peer makes the calls of a walk, too, no walk can
    take less of its time than the floor does, so that is the limit then; but not of what it takes
    to start, nor of a catalog, which is no walk."""
    work = result.workload
    promise = work.promises.get(name)
    walks = name in WALKERS and not work.short and work.method != "catalog"
    if promise is None or not walks or FLOOR not in result.samples:
        return promise
    return max(promise, result.samples[FLOOR].median / result.samples[name].median)
