#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types command lines of other programs into ffind, and compares what the line it answers finds.

    habits.py --ffind build/ffind [WORD...]     lines of habits.txt that contain one of the words
    habits.py --ffind build/ffind --write       write what ffind answers into habits.txt

A line of habits.txt is `fd -tx => ffind --executable`: what hands type (after `ffind`, in place of the first
word), and the line that ffind must answer. `->` in its place: ffind runs that line at once, and shows it. `==`:
ffind takes what is typed as it is. The line for one of find's is itself after `--as find`. The original program, where it is installed, and that line are run
on one tree and must find the same, but for the roots themselves, which only find lists. `=>~`, `->~` or `==~`:
not compared, since one of them changes or prints something else. rg is told to hide nothing, and so is fd unless
its line is run by its rules. Exit
status: 0 equal, 1 different.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

TABLE = pathlib.Path(__file__).resolve().parent / "habits.txt"
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC0", "FFIND_CONFIG": "", "NO_COLOR": "1"}
DAY = 86400
FILES = {  # name: (bytes, days ago)
    "main.c": (10, 0), "util.h": (600, 2.5), "README.md": (2000, 5.5), "notes.txt": (0, 10.5),
    "src/main.c": (3000, 3.5), "src/Main.C": (20, 1.5), "src/lib/a.py": (5000, 6.5), "src/lib/test_b.py": (1025, 7.5),
    "src/lib/deep/er/x.c": (1_500_000, 40.5), "build/out.o": (2_200_000, 0.2), "build/sub/log.txt": (1024, 20.5),
    "node_modules/p/index.js": (100, 100.5), "node_modules/p/package.json": (512, 400.5), ".git/config": (90, 1.5),
    ".git/HEAD": (20, 30.5), ".hidden": (5, 3.5), "a b.txt": (7, 4.5), "photo.JPG": (70_000, 8.5),
    "docs/report.pdf": (9000, 9.5), "docs/Report-2.PDF": (9001, 3.1), "run.sh": (30, 2.1), "docs/x{1}.md": (3, 1.1),
}


def make_tree(top):
    now = time.time()
    for name, (size, age) in FILES.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"TODO\n"[:size] + b"x" * max(0, size - 5))
        os.utime(path, (now - age * DAY, now - age * DAY))
        path.chmod(0o644)
    (top / "run.sh").chmod(0o755)
    (top / "main.c").chmod(0o666)
    (top / "empty").mkdir()
    (top / "link.c").symlink_to("main.c")
    os.link(top / "util.h", top / "src/hard.h")
    for path in sorted(top.rglob("*"), reverse=True):
        if path.is_dir():
            path.chmod(0o755)


def answer_of(ffind, words, top):
    """(what it printed, its status, the line behind `try:`), with a terminal as standard error."""
    master, slave = pty.openpty()
    with subprocess.Popen([ffind, *words], cwd=top, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=slave) as process:
        os.close(slave)
        output = process.stdout.read()
    said = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(master)
    said = said.decode(errors="replace").replace("\r", "")
    found = re.search(r"^  try: (.*)$", said, re.M)
    return output, process.returncode, found.group(1) if found else "", said


def line_run(said):
    """The line that was run in place of what was typed."""
    found = re.match(r"ffind: (ffind\b.*)\n", said)
    return found.group(1) if found else ""


def quoted_again(line):
    return shlex.join(shlex.split(line)) if line else ""


def normal(output, roots):
    """Paths, without what a program puts in front of them, and without the roots."""
    names = re.split(rb"[\0\n]", output)
    names = [re.sub(rb"^(\./)+", b"", name).rstrip(b"/") for name in names]
    return sorted(name for name in names if name and name not in roots)


def original_command(words, hides=False):
    program = words[0]
    if program == "fd":
        program = "fd" if shutil.which("fd") else "fdfind"
        return [program, *([] if hides else ["-u"]), *words[1:]]
    if program == "rg":
        return ["rg", "-uu", *words[1:]]
    return words


@functools.lru_cache(maxsize=None)
def installed(program):
    """True if this machine has it; find has to be GNU's, since lines of habits.txt have options that BSD's lacks."""
    return shutil.which(program) and (program != "find" or b"GNU" in subprocess.run(
        ["find", "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout)


def check(ffind, line, top):
    typed, sign, expected = re.fullmatch(r"(.*?) ([=-]>~?|==~?) ?(.*)", line).groups()
    words = shlex.split(typed)
    output, status, answer, said = answer_of(ffind, words[1:], top)
    problems = []
    shown = line_run(said)
    if words[0] == "find":
        shown, answer, expected = (quoted_again(each) for each in (shown, answer, "ffind --as " + typed))
    if sign.startswith("=="):
        if status != 0 or answer or shown:
            problems.append(f"is not taken as it is: {said.strip()}")
    elif shown or sign.startswith("->"):
        answer = shown
        if not sign.startswith("->") or shown != expected:
            problems.append(f"expected {sign} {expected}\n  ran: {shown or said.strip()}")
    elif answer != expected or not answer:
        problems.append(f"expected: {expected}\n  answered: {answer or said.strip()}")
    if sign.endswith("~") or not installed(original_command(words)[0]) or problems:
        return line, answer, problems
    if sign.startswith("=>") and not shown:
        done = subprocess.run([ffind, *shlex.split(answer)[1:]], cwd=top, env=ENVIRONMENT, capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)
        output = done.stdout
        if done.returncode != 0:
            problems.append(f"the line fails: {done.stderr.decode()}")
    theirs = subprocess.run(original_command(words, "--as fd" in answer), cwd=top, env=ENVIRONMENT, capture_output=True,
                            stdin=subprocess.DEVNULL, check=False)
    if theirs.returncode not in (0, 1) or (theirs.returncode == 1 and words[0] == "find"):
        problems.append(f"the original fails: {theirs.stderr.decode()}")
    roots = {os.fsencode(re.sub(r"^(\./)+", "", word).rstrip("/")) for word in words[1:]} | {b".", b".."}
    roots = {root for root in roots if os.path.isdir(os.path.join(os.fsencode(top), root))}
    if words[0] != "find":
        roots = set()
    ours, their = normal(output, roots), normal(theirs.stdout, roots)
    if shown and words[0] == "find":  # run by its rules, so that every byte is the same but for the order
        ours, their = (sorted(re.split(rb"[\0\n]", each)) for each in (output, theirs.stdout))
    if ours != their:
        problems.append(f"ours alone: {sorted(set(ours) - set(their))}\n  theirs alone: {sorted(set(their) - set(ours))}")
    return line, answer, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    ffind = str(options.ffind.resolve())
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    lines = [line for line in lines if not options.words or any(word in line for word in options.words)]
    failed, answers = 0, {}
    with tempfile.TemporaryDirectory(prefix="ffind-habits-") as scratch:
        top = pathlib.Path(scratch) / "tree"
        top.mkdir()
        make_tree(top)
        with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
            for line, answer, problems in pool.map(lambda each: check(ffind, each, top), lines):
                answers[line] = answer
                if problems:
                    failed += 1
                    print(line, *problems, sep="\n  ")
    if options.write:
        text = TABLE.read_text(encoding="utf-8")
        for line, answer in answers.items():
            if "==" not in line and not line.startswith("find "):
                text = text.replace(line, re.sub(r"([=-]>~?).*", lambda sign: f"{sign.group(1)} {answer}".rstrip(), line))
        TABLE.write_text(text, encoding="utf-8")
    print(f"{len(lines) - failed} of {len(lines)} lines answered, and found the same")
    return 1 if failed or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
