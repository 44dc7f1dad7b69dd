# SPDX-License-Identifier: MIT
"""Runs commands: first to compare what they print, then, in turn, to time them.

Called by `bench`. Knows nothing of workloads or promises; a command is a list of words.
"""

import contextlib
import enum
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

READ_BYTES = 1024 * 1024
LAST_BYTES = 64 * 1024  # of an output, more than its last line
DROP_CACHES = "/proc/sys/vm/drop_caches"


class MeasureError(Exception):
    """A command failed, so that no figure of it would mean anything."""


@dataclass
class Samples:
    """What the meter said of each timed run of one command."""

    seconds: list[float] = field(default_factory=list)
    first_seconds: list[float] = field(default_factory=list)
    user_seconds: list[float] = field(default_factory=list)
    system_seconds: list[float] = field(default_factory=list)
    peak_kib: int = 0
    bytes: int = 0

    def add(self, run: dict) -> None:
        self.seconds.append(run["seconds"])
        self.first_seconds.append(run["first_seconds"])
        self.user_seconds.append(run["user_seconds"])
        self.system_seconds.append(run["system_seconds"])
        self.peak_kib = max(self.peak_kib, run["peak_kib"])
        self.bytes = run["bytes"]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def processor_median(self) -> float:
        """Of the time on processors, of all threads and of the kernel for them."""
        spent = zip(self.user_seconds, self.system_seconds, strict=True)
        return statistics.median(user + system for user, system in spent)

    @property
    def first_median(self) -> float:
        return statistics.median(self.first_seconds)


def compile_tool(source: Path, folder: Path, *options: str) -> Path:
    """Compiles a source file of the benchmark unless that is done already."""
    target = folder / source.stem
    if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
        return target
    compiler = shutil.which("g++") or shutil.which("c++") or shutil.which("clang++")
    if compiler is None:
        raise MeasureError("no C++ compiler: apt-get install g++")
    folder.mkdir(parents=True, exist_ok=True)
    command = [compiler, "-O2", "-std=c++20", "-pthread", *options, str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise MeasureError(f"{' '.join(command)}\n{done.stderr}")
    return target


class Answer(enum.Enum):
    """What a command prints, as far as it can be compared with others."""

    PATHS = "paths, each ended by NUL"
    COUNT = "one number"
    TOTAL = "lines; the first number of the last one is a sum of bytes"


@dataclass(frozen=True)
class Printed:
    """What one untimed run printed."""

    number: int  # of paths, the count, or the total; -1 if there is none
    messages: str
    status: int


def read_answer(command: list[str], answer: Answer) -> Printed:
    number = 0
    text = b""
    with tempfile.TemporaryFile() as messages:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=messages) as running:
            while part := running.stdout.read(READ_BYTES):
                number += part.count(b"\0")
                text = (text + part)[-LAST_BYTES:]
        messages.seek(0)
        said = messages.read(2000).decode(errors="replace").strip()
    if answer is not Answer.PATHS:
        found = re.search(rb"\d+", text.strip().rpartition(b"\n")[2])
        number = int(found[0]) if found else -1
    return Printed(number, said, running.returncode)


def run_once(meter: Path, command: list[str]) -> dict:
    """One run under the meter: its time from start to exit, peak memory, output."""
    done = subprocess.run(
        [meter, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    if done.returncode != 0:
        raise MeasureError(f"the meter cannot run {' '.join(command)}")
    run = json.loads(done.stdout)
    if run["status"] != 0:
        raise MeasureError(f"status {run['status']}: {' '.join(command)}")
    return run


def forget_file(path: Path) -> None:
    """Has a program read from the disk again, as after a boot. How long it takes to start depends on
    how it got into memory: as a linker wrote it in pieces, copied in one go, or read; the same
    program took 1.0 to 1.2 times as long."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def run_in_turn(
    meter: Path, commands: dict[str, list[str]], rounds: int, cold: bool = False
) -> dict[str, Samples]:
    """Warms up with one run of each, then A B C C A B B C A ...: a machine that slows down half way
    slows all of them down alike. Each round has an order of its own, the same ones each time: what
    always ran behind `find`, which leaves a processor idle for seconds, took 1.2 of its time with two
    threads. With `cold`, everything is forgotten before each run instead of the warming up."""
    if not cold:
        for command in commands.values():
            run_once(meter, command)
    samples = {name: Samples() for name in commands}
    order = list(commands)
    shuffler = random.Random(0)
    for _ in range(rounds):
        shuffler.shuffle(order)
        for name in order:
            if cold:
                forget_files(meter, commands[name])
            samples[name].add(run_once(meter, commands[name]))
    return samples


@contextlib.contextmanager
def busy_processors(programs: int) -> Iterator[None]:
    """While it lasts, `programs` others want each of them."""
    spin = ["/bin/sh", "-c", "while :; do :; done"]
    others = [subprocess.Popen(spin) for _ in range(programs * len(os.sched_getaffinity(0)))]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def may_forget_files() -> bool:
    return os.access(DROP_CACHES, os.W_OK)


def forget_files(meter: Path, command: list[str]) -> None:
    """Drops what the kernel holds of all files and volumes, but not of the program itself: how
    long it takes to load is not what is asked."""
    os.sync()
    Path(DROP_CACHES).write_text("3\n")
    nowhere = subprocess.DEVNULL
    subprocess.run([meter, command[0], "--version"], stdout=nowhere, stderr=nowhere, check=False)
