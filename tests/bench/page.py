#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records of a run, and the tables and the chart that are made of them. Decides whether a promise was kept.

Called by `bench`, for a page after each workload, so that a run that is cut short leaves what it has. Rows
where ffind loses stay in.
"""

import json
import shlex
from dataclasses import asdict, dataclass, field
from pathlib import Path

import chart
from programs import FIXED_THREADS, PEERS
from report import HELD_TO_MEMORY, Machine, Report, Result, limit_of
from workloads import ALLOWANCE

TABLES = "README.md"
RECORDS = "results.ndjson"
CHART = "chart.svg"
MANY = 1000  # matches, of which each one's time says something

# Chapter, what was done in all of it, workloads.
CHAPTERS = (
    ("Warm", "Two threads each, everything in memory.",
     ("list", "files", "literal", "regex", "size", "modified", "samefile", "first", "empty")),
    ("What takes the space", "Sums of the bytes allocated, warm, two threads each (du has one): of a tree whose files "
     "have ten hard links each, as a list of all directories or as the program shows it; and in all, of a volume "
     "without them, as root, where ffind reads the device. gdu takes each directory for 4,096 bytes; otherwise "
     "all have the same sum.", ("usage", "volume-usage")),
    ("Odd shapes", "Warm, two threads each.", ("million", "siblings", "comb", "chain")),
    ("Without -j", "Warm. ffind-planned has the number of threads that ffind starts with, and does not watch for "
     "slow volumes.", ("planned", "planned-literal", "planned-size")),
    ("A busy machine", "Warm; another program on each processor; everybody's default number of "
     "threads.", ("planned-busy",)),
    ("Catalogs", "A whole ext4 volume as root, warm: ffind reads the device's own memory and opens no "
     "directory; plocate searches an index that is out of date from the moment it is made.",
     ("volume-list", "volume-literal", "volume-regex", "volume-size", "volume-modified")),
    ("Cold", "The kernel's caches dropped before each run; this machine's own disk; everybody's "
     "default number of threads.", ("cold-list",)),
    ("Slow disks", "Ext4 on disks that take 0.1 to 5 ms for each read, cold; everybody's default number of "
     "threads. Where the machine is busy, four other programs want each processor.",
     ("slow-disk-0.1-list", "slow-disk-0.5-list", "slow-disk-0.5-size", "slow-disk-0.5-contents",
      "slow-disk-2-list", "slow-disk-2-catalog", "slow-disk-5-list", "slow-disk-0.1-busy",
      "slow-disk-0.5-busy")),
    ("Slow calls", "A file system that takes 0 to 5 ms for each call, and sshfs to a local sshd, cold; "
     "everybody's default number of threads.",
     ("slow-calls-0-list", "slow-calls-0.2-list", "slow-calls-1-list", "slow-calls-1-one-by-one-list",
      "slow-calls-1-untyped-list", "slow-calls-5-list", "sshfs-list")),
    ("Huge", "XFS, warm, two threads each.",
     ("huge-list", "huge-size", "links-list", "links-samefile")),
)
WORKLOADS = tuple(name for _, _, names in CHAPTERS for name in names)

# Of the chart: title, subtitle, workload.
PANELS = (
    ("Warm", "list {found:,} entries, two threads each", "list"),
    ("Warm, with metadata", "{found:,} files larger than 10 kB, two threads each", "size"),
    ("Cold", "list {found:,} entries, caches dropped, default threads", "cold-list"),
    ("Slow disk", "{found:,} entries, 0.5 ms a read, cold, default threads", "slow-disk-0.5-list"),
    ("Slow calls, as over a network", "{found:,} entries, 1 ms a call, default threads",
     "slow-calls-1-list"),
    ("Huge", "list {found:,} entries, two threads each", "huge-list"),
)
DRAWN = ("ffind", "fdf", "fd", "bfs", "find")
TITLE = "How long a search takes"

BESIDE = ("ffind-walk", "ffind-auto", "ffind-planned", "ffind-plain", "floor", "floor-j128", *(peer.name for peer in PEERS))
FIXED = tuple(f"ffind-j{number}" for number in FIXED_THREADS)


def write(folder: Path, kept: Path, full: Report, anew: bool) -> None:
    """Makes the page. `kept`: where the records are; of an earlier run stays there what this one has not
    measured, unless it is to be made `anew`."""
    new = records(full)
    about = {subject(record) for record in new}
    lines = [] if anew or not kept.exists() else kept.read_text().splitlines()
    new += [old for old in map(json.loads, lines) if subject(old) not in about]
    kept.write_text("".join(json.dumps(record) + "\n" for record in new))
    measured = Measured.of(new)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CHART).write_text(draw(measured))
    # A peer's message names the corpus.
    (folder / TABLES).write_text(markdown(measured).replace(f"{kept.parent}/", ""))


def subject(record: dict) -> str:
    return record.get("workload") or record.get("corpus") or record["type"]


# Records


def records(full: Report) -> list[dict]:
    """One about the run, then one for each workload and program, then what was left out."""
    # Of the kernel's name what every machine of that version has in common.
    system, release, architecture = full.machine.kernel.split(" ")
    kernel = f"{system} {'.'.join(release.split('.')[:2])} {architecture}"
    about = asdict(full.machine) | {"kernel": kernel, "file_systems": full.file_systems}
    return [
        {"type": "run", **about},
        *({"type": "index", **asdict(index)} for index in full.indexes),
        *(record_of(result, name, full.machine) for result in full.results for name in result.samples),
        *(
            {"type": "left_out", "workload": result.workload.name, "program": name, "reason": why}
            for result in full.results
            for name, why in result.left_out.items()
        ),
        *({"type": "left_out", "workload": name, "reason": why}
          for name, why in full.skipped.items()),
    ]


def record_of(result: Result, name: str, machine: Machine) -> dict:
    work = result.workload
    samples = result.samples[name]
    installed = result.programs[name]
    record = {
        "type": "result",
        "workload": work.name,
        "title": work.title,
        "program": name,
        "version": installed.version,
        "found": result.records,
        "load": round(machine.load, 1),
        "rounds": len(samples.seconds),
        "median_seconds": samples.median,
        "fastest_seconds": min(samples.seconds),
        "slowest_seconds": max(samples.seconds),
        "first_output_seconds": samples.first_median,
        "processor_seconds": samples.processor_median,
        "peak_kib": samples.peak_kib,
        "command": result.commands[name],
        "missed": [],
    }
    ratio = result.ratio(name)
    promise = work.promises.get(name)
    if ratio is not None:
        record["ffind_by_it"] = ratio
    if promise is not None and ratio is not None and not installed.too_old:
        limit = limit_of(result, name)
        if ratio > limit * ALLOWANCE:
            record["missed"].append(f"{show_ratio(ratio)} of {name}'s time, promised {show_ratio(limit)}")
    if name in HELD_TO_MEMORY and samples.peak_kib >= work.memory_mib * 1024:
        record["missed"].append(f"{name} took {samples.peak_kib / 1024:.1f} MiB, promised {work.memory_mib}")
    return record


@dataclass
class Measured:
    """The records of a run by what they are about."""

    run: dict = field(default_factory=dict)
    indexes: list[dict] = field(default_factory=list)
    results: dict[str, dict[str, dict]] = field(default_factory=dict)  # by workload, by program
    left_out: list[dict] = field(default_factory=list)

    @staticmethod
    def of(records_there: list[dict]) -> "Measured":
        measured = Measured()
        for record in records_there:
            if record["type"] == "run":
                measured.run = record
            elif record["type"] == "index":
                measured.indexes.append(record)
            elif record["type"] == "result":
                measured.results.setdefault(record["workload"], {})[record["program"]] = record
            else:
                measured.left_out.append(record)
        return measured

    def label(self, program: str) -> str:
        """Its name and version."""
        versions = (one[program]["version"] for one in self.results.values() if program in one)
        return f"{program} {next(versions, '')}".strip()

    def machine(self) -> str:
        run = self.run
        every = [record for row in self.results.values() for record in row.values()]
        loads = sorted({record["load"] for record in every})
        return (
            f"{run['processors']} x {run['processor']}, {run['kernel']}, {run['date']}, "
            f"load {span(loads)} before, {span(sorted({one['rounds'] for one in every}))} rounds"
        )


def span(numbers: list) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"


# Tables


def show_ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def show_time(seconds: float) -> str:
    """Three digits."""
    if seconds < 0.0995:
        return f"{seconds * 1000:.3g} ms"
    return f"{seconds:.2f} s" if seconds < 9.995 else f"{seconds:.1f} s"


def markdown(measured: Measured) -> str:
    lines = [
        "# ffind beside its peers",
        "",
        f"![{TITLE}: warm, cold, slow and huge]({CHART})",
        "",
        f"{measured.machine()}. Made by `tests/bench/bench --page`. How they are measured: "
        "[tests/bench](../README.md).",
        "",
        "A program's cell is its median time and, in brackets, ffind's time divided by it: with less "
        "than 1 ffind is quicker, with **more than 1 slower**. `floor` is a bare `getdents64` walk "
        "that only counts; where metadata is asked for, it takes the size of each file, too.",
        "",
    ]
    return "\n".join([*lines, *chapters(measured), *remarks(measured)]).rstrip("\n") + "\n"


def chapters(measured: Measured) -> list[str]:
    lines = []
    others = tuple(name for name in measured.results if name not in WORKLOADS)
    for title, about, names in (*CHAPTERS, ("Others", "", others)):
        rows = {name: measured.results[name] for name in names if name in measured.results}
        if rows:
            lines += [f"## {title}", "", *([about, ""] if about else []), *table(measured, rows), *threads_table(rows)]
    return lines


def remarks(measured: Measured) -> list[str]:
    lines = [
        f"- {index['program']} indexed {index['corpus']} beforehand: {index['seconds']:.1f} s, "
        f"{index['bytes'] / 1e6:.1f} MB" for index in measured.indexes
    ]
    for one in measured.left_out:
        without = f", without {one['program']}" if "program" in one else ""
        lines.append(f"- left out: {one['workload']}{without}: {one['reason']}")
    return lines


def printed(full: Report) -> tuple[str, int]:
    """The tables of a run that makes no page, with what was missed and the commands; and how many were missed."""
    measured = Measured.of(records(full))
    every = [record for row in measured.results.values() for record in row.values()]
    missed = [f"- {one['workload']}: {words}" for one in every for words in one["missed"]]
    commands = [f"- {one['workload']}: `{shlex.join(one['command'])}`" for one in every]
    lines = [f"{measured.machine()}.", "", *chapters(measured), *remarks(measured), "", "Missed:", "", *missed, "",
             "Commands:", "", *commands]
    return "\n".join(lines) + "\n", len(missed)


def table(measured: Measured, rows: dict[str, dict[str, dict]]) -> list[str]:
    there = [name for name in BESIDE if any(name in row for row in rows.values())]
    heads = ("work", "found", "ffind", "a match", "peak memory", *map(measured.label, there))
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    failed = {(one["workload"], one.get("program")) for one in measured.left_out}
    for work, row in rows.items():
        any_record = next(iter(row.values()))
        cells = [any_record["title"], f"{any_record['found']:,}", *our_cells(row)]
        for name in there:
            cells.append("fails" if (work, name) in failed else peer_cell(row.get(name)))
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def our_cells(row: dict[str, dict]) -> list[str]:
    ours = row.get("ffind")
    if ours is None:
        return [""] * 3
    each = ours["median_seconds"] / ours["found"] * 1e6 if ours["found"] >= MANY else 0
    memory = f"{ours['peak_kib'] / 1024:.1f} MiB"
    many = row.get("ffind-j16")
    if many and "ffind-j2" not in row:
        memory += f" ({many['peak_kib'] / 1024:.1f} with 16 threads)"
    return [show_time(ours["median_seconds"]), f"{each:.2f} us" if each else "", memory]


def peer_cell(record: dict | None) -> str:
    if record is None:
        return ""
    time = show_time(record["median_seconds"])
    ratio = record.get("ffind_by_it")
    if ratio is None:
        return time
    shown = show_ratio(ratio)
    return f"{time} ({shown})" if ratio <= 1 else f"{time} (**{shown}**)"


def threads_table(rows: dict[str, dict[str, dict]]) -> list[str]:
    """ffind beside itself with fixed numbers of threads."""
    rows = {work: row for work, row in rows.items() if sum(name in row for name in FIXED) > 1}
    if not rows:
        return []
    heads = ("ffind", "without `-j`", *(f"`-j {number}`" for number in FIXED_THREADS))
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for row in rows.values():
        times = [
            show_time(row[name]["median_seconds"]) if name in row else ""
            for name in ("ffind", *FIXED)
        ]
        lines.append("| " + " | ".join([next(iter(row.values()))["title"], *times]) + " |")
    return [*lines, ""]


# Chart


def draw(measured: Measured) -> str:
    panels = []
    for title, subtitle, name in PANELS:
        row = measured.results.get(name, {})
        if "ffind" not in row:
            continue
        bars = []
        for one in DRAWN:
            if one in row:
                seconds = row[one]["median_seconds"]
                bars.append(chart.Bar(one, seconds, show_time(seconds), one == "ffind"))
        panels.append(chart.Panel(title, subtitle.format(found=row["ffind"]["found"]), bars))
    peers = ", ".join(
        measured.label(one) for one in DRAWN[1:]
        if any(one in row for row in measured.results.values())
    )
    footer = [
        f"Median wall times; shorter is better. Each panel has a scale of its own. {peers}.",
        f"{measured.machine()}.",
    ]
    return chart.draw(panels, TITLE, footer)
