#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives every option every hostile value, and expects no harm.

    sweep.py --ffind build/ffind              a sample of all lines, the same each time: some 10 seconds
    sweep.py --ffind build/ffind --all        all of them (or FFIND_SWEEP=all): some minutes
    sweep.py --ffind build/ffind --all sort   those of the options whose name contains a word

The options are those of `ffind --help`. Each is given a value of VALUES in every form: `--name=VALUE`,
`--name VALUE`, `-nVALUE`, `-n VALUE`, and `-name VALUE` with a dash too few. Each line has to end in time with
status 0, 1 or 2, by no signal; a usage error prints nothing on standard output and one message that cannot steer a
terminal. Nothing in the scratch directory may be written or deleted, but for the saved searches of --save, and no
program may run, but for those of -x, -X and --if: any word that letters of an option could be read as is the name of
a program in PATH that leaves a trace. Exit status: 0 passed, 1 failed.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

LIMIT = 60  # seconds for one line; a sanitizer under load is slow
SAMPLE = 24  # lines of each option
VALUES = [
    b"", b"-", b"--", b"-l", b"--json", b"-", b"=", b"==", b",", b",,", b";", b"!", b" ", b"\t", b"\n", b"a\nb", b"~", b"~/x",
    b"~nobody", b"*", b"**", b"?", b"[", b"[a", b"{", b"{a,", b"(", b")", b"\\", b"^", b"$", b"|", b"@", b"@x", b"%s%n%p", b"{}",
    b"{path", b"0", b"-0", b"-1", b"+5", b"00", b"99999999999999999999999", b"-99999999999999999999999", b"18446744073709551616",
    b"9223372036854775807", b"1e999", b"-1e999", b"0x10", b"NaN", b"inf", b"1.5.5", b"..", b"1..", b"..1", b"9..1", b">", b"<=",
    b">>1", b"1kk", b"7dd", b"99999999y", b"9999-99-99", b"\xd9\xa1\xd9\xa2", b"\xef\xbc\x91", b"\xff\xfe", b"\xc3(\x01\x1b[31m",
    b"\xed\xa0\x80", b"\xe2\x80\xae", b"a\xcc\x81" * 50, b"x" * 300, b"x" * 100_000, b"(" * 5_000, b"[" * 5_000, b"a," * 5_000,
    b"not " * 5_000, b"../" * 500 + b"x", b"../../../x", b"/nonexistent/x", b"'", b'"', b"$(touch ran)", b"`touch ran`",
    b"|touch ran", b"; touch ran", b"none", b"all", b"name", b"true",
]

WORDS_OF_FIND = {b"-depth", b"-empty", b"-executable", b"-files0-from", b"-follow", b"-group", b"-links", b"-perm", b"-regex",
                 b"-samefile", b"-size", b"-type"}
TEXT = ("--text", "--regex", "--contains", "--contains-regex")  # whose values may look like an option


class Option:
    def __init__(self, short, long, value):
        self.short, self.long, self.value = short, long, value
        self.runs = value.startswith("CMD")

    def lines(self):
        names = [name for name in (self.short, self.long) if name]
        # Behind another value than its own it would do what it is for.
        values = VALUES + ([b"--delete", b"--exec"] if self.value and not self.runs else [])
        for value in values:
            for name in map(os.fsencode, names):
                if name.startswith(b"--"):
                    yield [name + b"=" + value]
                elif value:
                    yield [name + value]
                # The whole machine is not for a test to search.
                if name not in (b"--all-volumes", b"--list-volumes"):
                    yield [name, value]
            if self.long not in (None, "--in", "--all-volumes"):
                yield [os.fsencode(self.long[1:]), value]
                yield [os.fsencode(self.long[1:]) + b"=" + value]


def options_of(ffind):
    text = subprocess.run([ffind, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    row = re.compile(r"^ {2,6}(?:(-\w)(?:, )?)?(--[\w-]+)?(?: (\S+))?(?:  .*)?$")
    found = [row.match(line) for line in text.splitlines() if re.match(r" {2,6}-", line)]
    return [Option(match[1], match[2], match[3] or "") for match in found if match]


def make_tree(top, options):
    for name in ("tree/plain", "tree/deep/er/leaf.txt", "tree/.dot"):
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text\n", encoding="ascii")
    (top / "tree/void").mkdir()
    (top / "tree/link").symlink_to("plain")
    for name in ("home", "bin"):
        (top / name).mkdir()
    words = {option.long.lstrip("-") for option in options if option.long}
    words |= {"name", "xdev", "xtype", "exec", "execdir", "xattrname", "exit", "regextype", "maxdepth"}
    for program in {word[at:] for word in words for at in range(len(word) - 1)} | {"touch", "rm", "x"}:
        path = top / "bin" / program
        path.write_text(f"#!/bin/sh\n: >> '{top}/ran'\n", encoding="ascii")
        path.chmod(0o755)


def state_of(top):
    """All that is there, without the saved searches."""
    state = {}
    for place, directories, files in os.walk(top):
        directories[:] = [name for name in directories if os.path.join(place, name) != str(top / "home/.config")]
        for name in directories + files:
            path = os.path.join(place, name)
            status = os.lstat(path)
            state[path] = (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns)
    state.pop(str(top / "home"), None)  # changes with .config
    return state


def problem_with(ffind, option, words, top):
    environment = {"PATH": str(top / "bin"), "HOME": str(top / "home"), "LC_ALL": "C.UTF-8", "TZ": "UTC0"}
    environment |= {name: text for name, text in os.environ.items() if name.endswith("SAN_OPTIONS")}
    try:
        done = subprocess.run([ffind, *words], cwd=top / "tree", env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT, start_new_session=True, check=False)
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode not in (0, 1, 2):
        return f"status {done.returncode}"
    if b"\x1b" in done.stderr:
        return "a message steers the terminal"
    if words[0] in WORDS_OF_FIND and done.returncode != 2:
        return ""  # run as a line of find, which only looks
    if option.value and words[-1] == b"--delete" and len(words) > 1 and option.long not in TEXT and done.returncode != 2:
        return f"takes an option as its value, status {done.returncode}"
    if done.returncode == 2 and (done.stdout or not done.stderr.startswith(b"ffind: ")):
        return "a usage error that is not only a message"
    dashes = len(words[0]) - len(words[0].lstrip(b"-"))
    one_dash = dashes == 1 and len(words[0].split(b"=")[0]) > 2 and os.fsdecode(words[0].split(b"=")[0][1:]) == \
        (option.long or "")[2:]
    if one_dash and done.returncode != 2:  # run as if both dashes were there
        meant = subprocess.run([ffind, "--no-config", b"-" + words[0], *words[1:]], cwd=top / "tree", env=environment,
                               stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False)
        measures = words[0].startswith(b"-compare-readers")
        if meant.returncode != done.returncode or not measures and sorted(meant.stdout) != sorted(done.stdout):
            return f"read as letters, status {done.returncode}"
    if (top / "ran").exists():
        (top / "ran").unlink()
        if not option.runs or one_dash:
            return "runs a program"
    return ""


def sweep(ffind, option, lines):
    """What is wrong with the lines of an option, in a directory of their own."""
    problems = []
    with tempfile.TemporaryDirectory(prefix="ffind-sweep-") as scratch:
        top = pathlib.Path(scratch).resolve()
        make_tree(top, [option])
        before = state_of(top)
        for words in lines:
            problem = problem_with(ffind, option, words, top)
            after = state_of(top)
            if after != before:
                changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
                problem, before = problem or f"changes {sorted(changed)}", after
            if problem:
                problems.append((words, problem))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true", default=os.environ.get("FFIND_SWEEP") == "all")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    ffind = str(arguments.ffind.resolve())
    options = options_of(ffind)
    work = []
    for option in options:
        if arguments.words and not any(word in f"{option.short} {option.long}" for word in arguments.words):
            continue
        lines = list(option.lines())
        if not arguments.all:
            lines = random.Random(f"{option.short} {option.long}").sample(lines, min(SAMPLE, len(lines)))
        work.append((option, lines))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        for problems in pool.map(lambda each: sweep(ffind, *each), work):
            failed += len(problems)
            for words, problem in problems:
                shown = shlex.join(word.decode(errors="backslashreplace") for word in words)
                print(f"ffind {shown[:200]}\n  {problem}")
    count = sum(len(lines) for _, lines in work)
    print(f"{count - failed} of {count} lines of {len(work)} options did no harm")
    return 1 if failed or len(options) < 80 and not arguments.words else 0


if __name__ == "__main__":
    sys.exit(main())
