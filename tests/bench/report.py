# SPDX-License-Identifier: MIT
"""Writes the figures down: Markdown tables for people, JSON for whatever compares runs.

Called by `bench` when all is measured. Decides here, and only here, whether a promise was kept.
"""

import json
import os
import platform
import shlex
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from measure import Samples
from programs import FFIND, Installed
from workloads import ALLOWANCE, Workload

COLUMNS = (
    "work",
    "paths",
    "program",
    "median",
    "fastest - slowest",
    "first output",
    "ffind / it",
    "promise",
    "peak MiB",
)

# Of the tables in README and man/COMPARISON.md, as far as there is such a program.
README_COLUMNS = {
    "walk": ("floor", "fdf", "fd", "bfs", "find"),
    "catalog": ("ffind-walk", "plocate", "fd", "bfs", "find"),
    "usage": ("ffind-walk", "floor", "du", "dust", "gdu"),
}
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
    arguments: list[str]
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


def show_seconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms" if seconds < 0.1 else f"{seconds:.3f} s"


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


def promise_cell(result: Result, name: str) -> tuple[str, bool]:
    """The promise beside what became of it, and whether that counts as missed."""
    limit = limit_of(result, name)
    ratio = result.ratio(name)
    if limit is None:
        return "", False
    shown = f"<= {limit:.3g}"
    if limit > result.workload.promises[name]:
        shown += f" (the floor's; {result.workload.promises[name]:g} where that takes less)"
    installed = result.programs[name]
    if installed.too_old:
        shown += f" of {name} {installed.program.promised_since}, this one is older"
    if ratio is None:
        return shown, False
    if ratio <= limit:
        return f"{shown}: kept", False
    if ratio <= limit * ALLOWANCE:
        return f"{shown}: kept within noise", False
    return f"{shown}: **missed**", not installed.too_old


def memory_cell(result: Result, name: str) -> tuple[str, bool]:
    peak = result.samples[name].peak_kib / 1024
    if name not in HELD_TO_MEMORY:
        return f"{peak:.1f}", False
    limit = result.workload.memory_mib
    missed = peak >= limit
    return f"{peak:.1f} (under {limit}: {'**missed**' if missed else 'kept'})", missed


def result_rows(result: Result) -> tuple[list[str], int]:
    """The table's rows for one workload, and how many promises were missed in them."""
    rows = []
    missed = 0
    for name, samples in result.samples.items():
        ratio = result.ratio(name)
        promise, promise_missed = promise_cell(result, name)
        memory, memory_missed = memory_cell(result, name)
        missed += promise_missed + memory_missed
        cells = (
            f"{result.workload.name}: {result.workload.title}",
            f"{result.records:,}",
            result.programs[name].label,
            show_seconds(samples.median),
            f"{show_seconds(min(samples.seconds))} - {show_seconds(max(samples.seconds))}",
            show_seconds(samples.first_median) if samples.bytes else "",
            show_ratio(ratio),
            promise,
            memory,
        )
        rows.append("| " + " | ".join(cells) + " |")
    return rows, missed


def markdown(full: Report) -> tuple[str, int]:
    """The report, and how many promises were missed."""
    programs = {one.name: one for result in full.results for one in result.programs.values()}
    lines = ["# ffind beside its peers", "", *head_lines(full, list(programs.values())), ""]
    for one in programs.values():
        if one.too_old:
            lines += [
                f"**{one.label} is older than {one.name} {one.program.promised_since}**, which the "
                "promises are against: its ratios below prove nothing about that one.",
                "",
            ]
    if "ffind" not in programs:
        lines += ["**ffind was not measured.**", ""]
    lines += table_head(COLUMNS)
    missed = 0
    for result in full.results:
        rows, missed_here = result_rows(result)
        lines += rows
        missed += missed_here
    lines += ["", *left_out_lines(full)]
    for kind, columns in README_COLUMNS.items():
        of_kind = [one for one in full.results if kind_of_table(one.workload) == kind]
        lines += readme_table(of_kind, columns)
    lines += ["Commands:", ""]
    for result in full.results:
        lines += [f"- {result.workload.name}: `{shlex.join(c)}`" for c in result.commands.values()]
    return "\n".join(lines) + "\n", missed


def head_lines(full: Report, programs: list[Installed]) -> list[str]:
    machine = full.machine
    return [
        f"- date: {machine.date}",
        f"- processor: {machine.processors} x {machine.processor}; load before: {machine.load:.2f}",
        f"- kernel: {machine.kernel}",
        "- file systems: " + ", ".join(f"{k} on {v}" for k, v in full.file_systems.items()),
        "- versions: " + ", ".join(one.label for one in programs),
        *(
            f"- {one.program} indexed {one.corpus} beforehand: {one.seconds:.1f} s, "
            f"{one.bytes / 1e6:.1f} MB"
            for one in full.indexes
        ),
        f"- made by: `{shlex.join(['tests/bench/bench', *full.arguments])}`",
    ]


def table_head(columns: tuple[str, ...]) -> list[str]:
    return ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]


def show_ratio(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def kind_of_table(work: Workload) -> str:
    return "usage" if work.question in FFIND.summed else work.method


def readme_table(results: list[Result], columns: tuple[str, ...]) -> list[str]:
    """The ratios alone, a workload a line."""
    results = [one for one in results if "ffind" in one.samples]
    if not results:
        return []
    labels = {one.name: one.label for result in results for one in result.programs.values()}
    lines = table_head(("work", *(labels.get(name, name) for name in columns), "peak memory"))
    for result in results:
        cells = [result.workload.title]
        for name in columns:
            cells.append(show_ratio(result.ratio(name)) if name in result.samples else "")
        peaks = f"{result.samples['ffind'].peak_kib / 1024:.1f} MiB"
        if "ffind-j16" in result.samples:
            peaks += f" ({result.samples['ffind-j16'].peak_kib / 1024:.1f} with 16 threads)"
        lines.append("| " + " | ".join([*cells, peaks]) + " |")
    return [*lines, ""]


def left_out_lines(full: Report) -> list[str]:
    lines = [f"- {name}: {reason}" for name, reason in full.skipped.items()]
    lines += [
        f"- {result.workload.name}, without {name}: {reason}"
        for result in full.results
        for name, reason in result.left_out.items()
    ]
    return ["Left out:", "", *lines, ""] if lines else []


def raw_figures(full: Report) -> str:
    """All that was measured, as one JSON document."""
    document = {
        "machine": asdict(full.machine),
        "arguments": full.arguments,
        "file_systems": full.file_systems,
        "indexes": [asdict(index) for index in full.indexes],
        "skipped": full.skipped,
        "results": [
            {
                "workload": result.workload.name,
                "records": result.records,
                "memory_promise_mib": result.workload.memory_mib,
                "left_out": result.left_out,
                "programs": {
                    name: {
                        "version": result.programs[name].version,
                        "command": result.commands[name],
                        "promise": result.workload.promises.get(name),
                        "ratio": result.ratio(name),
                        "median_seconds": samples.median,
                        **asdict(samples),
                    }
                    for name, samples in result.samples.items()
                },
            }
            for result in full.results
        ],
    }
    return json.dumps(document, indent=1) + "\n"
