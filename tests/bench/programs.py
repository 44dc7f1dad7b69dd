# SPDX-License-Identifier: MIT
"""The programs that are held against each other: where they are, which version, how they are asked.

Called by `bench`. A new peer is one more Program in PROGRAMS; a new question is one more key in
each program's `questions`. What a program has no line for, it is not asked.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from measure import Answer

# Lower case and free of special characters: all peers then fold case, and it may stand inside
# a glob.
TEXT = "config"
REGEX = r"\.h$"
# The same expression for find and bfs, which anchor theirs and hold it against the path.
REGEX_WHOLE_PATH = r".*\.h"
# What is looked for in files: in some of them; in half of them; in most of them; and an expression
# with a text that every match contains.
CONTENTS = {"rare": "kmem_cache_alloc_bulk", "frequent": "static", "letter": "q"}
CONTENTS_REGEX = r"copy_(to|from)_user\("
# What is run for each match, and what prints the match instead, to be counted.
COMMAND = "true"
COUNTED_COMMAND = ("printf", r"%s\0")
SIZE_BYTES = 10_000  # what ffind writes as 10k


@dataclass(frozen=True)
class Asked:
    """What a command line is made from."""

    executable: str
    root: str
    threads: int
    days: int
    version: tuple[int, ...]
    method: str  # ffind's: "walk", "catalog" or "auto"; empty for lists, which are not walked
    index: str  # where a program that searches one finds it


@dataclass(frozen=True)
class Program:
    name: str
    executables: tuple[str, ...]
    install: str
    # Options before the question; and the questions, with their root where it belongs.
    options: Callable[[Asked], list[str]]
    questions: dict[str, Callable[[Asked], list[str]]]
    # The option that ends paths with NUL; empty: prints none; None: prints one number, the count.
    nul: str | None
    # Corpora that it cannot search to the end, and why.
    cannot: dict[str, str] = field(default_factory=dict)
    # From which major version on the promises are meant.
    promised_since: int = 0
    # Questions that it leaves to another program to finish: the shell's words behind a pipe, to
    # which `-z` may be added where records end in NUL.
    piped: dict[str, str] = field(default_factory=dict)
    # Questions that it answers with sums of bytes: the words with which its last line has the exact
    # one of all, as its first number.
    summed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # What it takes each directory's own space for, without asking.
    directory_bytes: int | None = None
    # What has to be run before it can be asked, to index a root into a file.
    indexer: Callable[[str, str], list[str]] | None = None


@dataclass(frozen=True)
class Installed:
    """A program that was found on this machine."""

    program: Program
    executable: str
    version: str

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def label(self) -> str:
        return f"{self.name} {self.version}".strip()

    @property
    def too_old(self) -> bool:
        return version_numbers(self.version)[:1] < (self.program.promised_since,)

    def asked(self, root: Path, threads: int, days: int, method: str, index: Path) -> Asked:
        numbers = version_numbers(self.version)
        return Asked(self.executable, str(root), threads, days, numbers, method, str(index))

    def command(self, question: str, asked: Asked) -> list[str]:
        # A line of another program has its own options, after the words that say whose it is.
        options = [] if question.startswith("as-") else self.program.options(asked)
        command = [self.executable, *options, *self.program.questions[question](asked)]
        if question in self.program.piped:
            return ["/bin/sh", "-c", f'"$@" | {self.program.piped[question]}', "sh", *command]
        return command

    def answer_to(self, question: str) -> Answer:
        if question in self.program.summed:
            return Answer.TOTAL
        return Answer.PATHS if self.program.nul is not None else Answer.COUNT

    def checked_command(self, question: str, command: list[str]) -> list[str]:
        """The same search, so that its answer can be compared."""
        if self.answer_to(question) is Answer.TOTAL:
            return [command[0], *self.program.summed[question], *command[1:]]
        return self.nul_command(command)

    def nul_command(self, command: list[str]) -> list[str]:
        """The same search, each path ended by NUL."""
        if COMMAND in command:
            at = command.index(COMMAND)
            return [*command[:at], *COUNTED_COMMAND, *command[at + 1 :]]
        nul = self.program.nul
        if nul is None:
            return command
        if "--as" in command:
            at = command.index("--as") + 2
            nul = "-print0" if command[at - 1] == "find" else nul
            return [*command[:at], *self.with_nul(nul, command[at - 1 :])[1:]]
        return self.with_nul(nul, command)

    @staticmethod
    def with_nul(nul: str, command: list[str]) -> list[str]:
        if command[0] == "/bin/sh":
            return [*command[:2], command[2] + " -z", "sh", command[4], nul, *command[5:]]
        if nul == "-print0":  # an action: it takes the place of others
            return [nul if word in ("-print", "-ls") else word for word in command]
        # An object a line has no NUL.
        return [command[0], nul, *(word for word in command[1:] if not word.startswith("--json"))]


def version_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)) or (0,)


def contents_questions(
    literal: Callable[[str, str, Asked], list[str]], regex: Callable[[str, Asked], list[str]]
) -> dict[str, Callable[[Asked], list[str]]]:
    """Which files contain a text, in its case and in any, and which match an expression."""
    questions = {"contents-regex": lambda asked: regex(CONTENTS_REGEX, asked)}
    for name, text in CONTENTS.items():
        for case in ("-s", "-i"):
            questions[f"contents-{name}{case}"] = (
                lambda asked, text=text, case=case: literal(text, case, asked)
            )
    return questions


def threads(asked: Asked) -> list[str]:
    """0: as many as the program takes by itself."""
    return ["-j", str(asked.threads)] if asked.threads else []


# The questions asked of ffind in the words of another program.
LINES_OF_FIND = {
    "as-find-list": lambda asked: [asked.root, "-print"],
    "as-find-name": lambda asked: [asked.root, "-name", f"*{TEXT}*", "-print"],
    "as-find-regex": lambda asked: [asked.root, "-regex", REGEX_WHOLE_PATH, "-print"],
}
LINES_OF_FD = {
    "as-fd-list": lambda asked: ["-u", *threads(asked), ".", asked.root],
    "as-fd-name": lambda asked: ["-u", *threads(asked), TEXT, asked.root],
    "as-fd-defaults-list": lambda asked: [*threads(asked), ".", asked.root],
    "as-fd-defaults-name": lambda asked: [*threads(asked), TEXT, asked.root],
}


def as_program(name: str, lines: dict[str, Callable[[Asked], list[str]]]):
    return {
        question: (lambda asked, line=line: ["--as", name, *line(asked)])
        for question, line in lines.items()
    }


def one_link(asked: Asked) -> str:
    """The first of the names that the corpus of hard links has."""
    return asked.root + "/link-000000"


def one_file(asked: Asked) -> str:
    """A file of `tree`; each of its copies has a hard link of it."""
    return asked.root + "/0/MAINTAINERS"


FFIND = Program(
    name="ffind",
    executables=("ffind",),
    install="build it: cmake --preset release && cmake --build build (or name it with --ffind)",
    options=lambda asked: [*(["--method", asked.method] if asked.method else []), *threads(asked)],
    questions={
        "all": lambda asked: ["--in", asked.root],
        "files": lambda asked: ["-t", "f", "--in", asked.root],
        "literal": lambda asked: [TEXT, "--in", asked.root],
        "regex": lambda asked: ["name", "-e", REGEX, "--in", asked.root],
        "size": lambda asked: ["-t", "f", "-S", ">10k", "--in", asked.root],
        "modified": lambda asked: ["--modified", f"{asked.days}d", "--in", asked.root],
        "samefile": lambda asked: ["--samefile", one_link(asked), "--in", asked.root],
        "samefile-tree": lambda asked: ["--samefile", one_file(asked), "--in", asked.root],
        "first": lambda asked: ["-1", TEXT, "--in", asked.root],
        "exec": lambda asked: ["--in", asked.root, "--yes", "-x", COMMAND],
        "exec-batch": lambda asked: ["--in", asked.root, "--yes", "-X", COMMAND],
        "sorted": lambda asked: ["--sort", "path", "--in", asked.root],
        "json": lambda asked: ["--json=name,type,depth", "--in", asked.root],
        "format": lambda asked: ["--format", "{path}", "--in", asked.root],
        "long": lambda asked: ["-l", "--in", asked.root],
        "from-list": lambda asked: ["--from0", asked.index],
        "from-sizes": lambda asked: ["-l", "--from0", asked.index],
        "usage": lambda asked: ["--usage", "--in", asked.root],
        "usage-total": lambda asked: ["--usage=0", "--in", asked.root],
        **contents_questions(
            lambda text, case, asked: [case, "--binary", "--contains", text, "--in", asked.root],
            lambda regex, asked: ["-s", "--binary", "--contains-regex", regex, "--in", asked.root],
        ),
        **as_program("find", LINES_OF_FIND),
        **as_program("fd", LINES_OF_FD),
    },
    nul="-0",
    summed={"usage": (), "usage-total": ()},
)

# Whatever the volume is like.
FIXED_THREADS = (1, 2, 4, 8, 16, 32, 64, 128)
# What ffind starts with on a local volume.
PLANNED_THREADS = min(len(os.sched_getaffinity(0)), 16)

# The same ffind asked in other ways, beside a catalog.
FFIND_WALK = replace(
    FFIND,
    name="ffind-walk",
    options=lambda asked: ["--method", "walk", *threads(asked)],
)
FFIND_AUTO = replace(
    FFIND,
    name="ffind-auto",
    options=threads,
)


def ffind_with(name: str, number: int) -> Program:
    return replace(
        FFIND, name=name, options=lambda asked: ["--method", asked.method, "-j", str(number)]
    )


FFIND_FIXED = tuple(ffind_with(f"ffind-j{number}", number) for number in FIXED_THREADS)
FFIND_PLANNED = ffind_with("ffind-planned", PLANNED_THREADS)
# Beside other formats: what the search costs without one.
FFIND_PLAIN = replace(
    FFIND,
    name="ffind-plain",
    questions={name: FFIND.questions["all"] for name in ("json", "format")},
)
FFIND_VARIANTS = (FFIND_WALK, FFIND_AUTO, *FFIND_FIXED, FFIND_PLANNED, FFIND_PLAIN)

FLOOR = Program(
    name="floor",
    executables=("floor",),
    install="",
    options=lambda asked: ["-j", str(asked.threads)],
    # A walk that only counts is the mark for every question that d_type and the name answer; one
    # that also takes the size of each entry but directories, for those about metadata; and of
    # directories, too, for sums.
    questions={
        **{name: lambda asked: [asked.root] for name in ("all", "literal", "regex")},
        **{name: lambda asked: ["-s", asked.root] for name in ("size", "modified")},
        **{name: lambda asked: ["-S", asked.root] for name in ("usage", "usage-total")},
    },
    nul=None,
)

# The mark on volumes that keep every thread waiting: as many as ffind has there at most.
FLOOR_MANY = replace(FLOOR, name="floor-j128", options=lambda asked: ["-j", "128"])
FLOORS = (FLOOR, FLOOR_MANY)

FDF = Program(
    name="fdf",
    executables=("fdf",),
    install="cargo install fdf",
    options=lambda asked: ["-H", "-I", *threads(asked)],
    questions={
        "all": lambda asked: [".", asked.root],
        "files": lambda asked: ["-t", "f", ".", asked.root],
        "literal": lambda asked: ["-F", TEXT, asked.root],
        "regex": lambda asked: [REGEX, asked.root],
        # Its + is "more than".
        "size": lambda asked: ["-t", "f", "--size", f"+{SIZE_BYTES + 1}b", ".", asked.root],
        "modified": lambda asked: ["-T", f"-{asked.days}d", ".", asked.root],
        "first": lambda asked: ["-n", "1", "-F", TEXT, asked.root],
    },
    nul="-0",
    cannot={"chain": "opens directories by whole path: ends at PATH_MAX"},
)

FD = Program(
    name="fd",
    executables=("fd", "fdfind"),
    install="cargo install fd-find (or apt-get install fd-find, which is older)",
    options=lambda asked: ["-u", *threads(asked)],
    questions={
        "all": lambda asked: [".", asked.root],
        "files": lambda asked: ["-t", "f", ".", asked.root],
        "literal": lambda asked: ["-F", TEXT, asked.root],
        "regex": lambda asked: [REGEX, asked.root],
        # Its + is "at least".
        "size": lambda asked: ["-t", "f", "-S", f"+{SIZE_BYTES + 1}b", ".", asked.root],
        "modified": lambda asked: ["--changed-within", f"{asked.days}d", ".", asked.root],
        "first": lambda asked: ["-1", "-F", TEXT, asked.root],
        "exec": lambda asked: [".", asked.root, "-x", COMMAND],
        "exec-batch": lambda asked: [".", asked.root, "-X", COMMAND],
        "sorted": lambda asked: [".", asked.root],
        **LINES_OF_FD,
    },
    nul="-0",
    cannot={"chain": "opens directories by whole path: ends at PATH_MAX"},
    piped={"sorted": "LC_ALL=C sort"},
)

FD_MANY = replace(FD, name="fd-j64", options=lambda asked: ["-u", "-j", "64"])

# find and bfs share their language. Neither lists its root with -mindepth 1.
EXPRESSIONS = {
    "all": lambda asked: ["-print"],
    "files": lambda asked: ["-type", "f", "-print"],
    "literal": lambda asked: ["-iname", f"*{TEXT}*", "-print"],
    "regex": lambda asked: ["-iregex", REGEX_WHOLE_PATH, "-print"],
    "size": lambda asked: ["-type", "f", "-size", f"+{SIZE_BYTES}c", "-print"],
    "modified": lambda asked: ["-mtime", f"-{asked.days}", "-print"],
    "samefile": lambda asked: ["-samefile", one_link(asked), "-print"],
    "samefile-tree": lambda asked: ["-samefile", one_file(asked), "-print"],
    "first": lambda asked: ["-iname", f"*{TEXT}*", "-print", "-quit"],
    "exec": lambda asked: ["-exec", COMMAND, "{}", ";"],
    "exec-batch": lambda asked: ["-exec", COMMAND, "{}", "+"],
    "long": lambda asked: ["-ls"],
}


def rooted(
    expression: Callable[[Asked], list[str]],
) -> Callable[[Asked], list[str]]:
    return lambda asked: [asked.root, "-mindepth", "1", *expression(asked)]


def bfs_options(asked: Asked) -> list[str]:
    """bfs has threads, and -j, since version 3."""
    return ["".join(threads(asked))] if asked.threads and asked.version >= (3,) else []


BFS = Program(
    name="bfs",
    executables=("bfs",),
    install="apt-get install bfs (bookworm's is 2.6.1; the promises are against 4: build that from "
    "its source and name its folder with --peers)",
    options=bfs_options,
    questions={name: rooted(expression) for name, expression in EXPRESSIONS.items()},
    nul="-print0",
    promised_since=4,
)

FIND = Program(
    name="find",
    executables=("find",),
    install="apt-get install findutils",
    options=lambda asked: [],
    questions={
        **{name: rooted(expression) for name, expression in EXPRESSIONS.items()},
        **LINES_OF_FIND,
    },
    nul="-print0",
)

PLOCATE = Program(
    name="plocate",
    executables=("plocate",),
    install="apt-get install plocate",
    options=lambda asked: ["-d", asked.index, "-i", "-b"],
    questions={
        "literal": lambda asked: [TEXT],
        "regex": lambda asked: ["--regex", REGEX],
        "first": lambda asked: ["-l", "1", TEXT],
    },
    nul="-0",
    # All of the volume, whatever the machine's own index leaves out.
    indexer=lambda root, index: [
        "updatedb.plocate", "-U", root, "-o", index, "-l", "no", "--prune-bind-mounts", "no",
        "--prunefs", "", "--prunepaths", "", "--prunenames", "",
    ],
)

RG = Program(
    name="rg",
    executables=("rg",),
    install="apt-get install ripgrep",
    options=lambda asked: ["-uuu", "--no-messages", *threads(asked)],
    questions={
        "files": lambda asked: ["--files", asked.root],
        **contents_questions(
            lambda text, case, asked: ["-l", case, "-F", "-e", text, asked.root],
            lambda regex, asked: ["-l", "-s", "-e", regex, asked.root],
        ),
    },
    nul="-0",
)

# Its index is a list of all paths, for itself and for ffind's --from0.
XARGS = Program(
    name="xargs-stat",
    executables=("xargs",),
    install="apt-get install findutils",
    options=lambda asked: ["-0", "-a", asked.index],
    questions={
        name: lambda asked: ["stat", "--printf", r"%n\0"] for name in ("from-list", "from-sizes")
    },
    nul="-r",
    indexer=lambda root, index: ["sh", "-c", 'find "$0" -mindepth 1 -print0 >"$1"', root, index],
)

# As each is typed. It has one thread.
DU = Program(
    name="du",
    executables=("du",),
    install="apt-get install coreutils",
    options=lambda asked: ["-x"],
    questions={
        "usage": lambda asked: [asked.root],
        "usage-total": lambda asked: ["-s", asked.root],
    },
    nul="-0",
    summed={"usage": ("-B1",), "usage-total": ("-B1",)},
)

# Without -x, with which dust takes 1.4 of its time: nothing is mounted in what is measured.
DUST = Program(
    name="dust",
    executables=("dust",),
    install="cargo install du-dust",
    options=lambda asked: ["-T", str(asked.threads)] if asked.threads else [],
    questions={
        "usage": lambda asked: [asked.root],
        "usage-total": lambda asked: ["-d", "0", asked.root],
    },
    nul="",
    summed={"usage": ("-o", "b"), "usage-total": ("-o", "b")},
    cannot={"chain": "opens directories by whole path: ends at PATH_MAX"},
)

GDU = Program(
    name="gdu",
    executables=("gdu",),
    install="go install github.com/dundee/gdu/v5/cmd/gdu@latest (or apt-get install gdu)",
    options=lambda asked: ["-n", *(["-m", str(asked.threads)] if asked.threads else [])],
    questions={
        "usage": lambda asked: [asked.root],
        "usage-total": lambda asked: ["-s", asked.root],
    },
    nul="",
    summed={"usage": ("-s", "--no-prefix"), "usage-total": ("--no-prefix",)},
    directory_bytes=4096,
    cannot={"chain": "opens directories by whole path: ends at PATH_MAX"},
)

PEERS = (PLOCATE, FDF, FD, FD_MANY, BFS, FIND, RG, XARGS, DU, DUST, GDU)


def locate(program: Program, folders: list[str], path: str) -> Installed | None:
    """The first of the program's names that is found, `folders` before `path`."""
    for search in (":".join(folders), path):
        for executable in program.executables:
            found = shutil.which(executable, path=search) if search else None
            if found:
                return installed_at(program, Path(found))
    return None


def installed_at(program: Program, executable: Path) -> Installed:
    """The program at a path that is known to be there."""
    version = "" if program.nul is None else version_of(executable)
    return Installed(program, str(executable.absolute()), version)


def version_of(executable: Path) -> str:
    shown = subprocess.run([executable, "--version"], capture_output=True, text=True)
    found = re.search(r"\d+(\.\d+)+\S*", shown.stdout)
    return found.group(0) if found else ""
