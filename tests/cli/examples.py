#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every example of the man pages, the README and the help is one that the program understands.

Each `ffind` in them, also in the middle of a pipe, is run with --explain: nothing is searched or run.
What moves, copies or deletes has --dry-run, or follows a line that has, and is run in a home of 2,000 files: those that
mv or cp takes stay in their directories, and none is lost.
    examples.py --ffind build/ffind        0: all are understood, 1: those that are not are printed
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def of_man_page():
    """Lines `.Dl $ ffind ...` and `ffind ...`, and the expressions under "Further examples"."""
    text = "".join(page.read_text() for page in sorted((ROOT / "man").glob("ffind*.[157]")))
    for escape, character in (("\\e", "\\"), ("\\(dq", '"'), ("\\(aq", "'"), ("\\&", "")):
        text = text.replace(escape, character)
    yield from re.findall(r"^(?:\.Dl \$ |(?=ffind ))(.*)", text, re.M)
    expressions = re.search(r"^Further examples:\n\.Bd .*\n((?s:.*?))^\.Ed", text, re.M).group(1)
    yield from (f"ffind --where {shlex.quote(line)}" for line in expressions.splitlines())


def of_readme():
    yield from re.findall(r"^ {4}(ffind .*)", (ROOT / "README.md").read_text(), re.M)


def of_help(ffind):
    for option in ("-h", "--help"):
        shown = subprocess.run([ffind, option], stdout=subprocess.PIPE, text=True, check=True).stdout
        for line in re.findall(r"^ {2}(ffind .*)", shown, re.M):
            if "[options]" not in line:
                yield re.split(r"  +", line)[0]


def commands(line):
    """The words of each `ffind` in a line of shell."""
    words = shlex.shlex(line, posix=True, punctuation_chars="|&()")
    words.whitespace_split = True
    command = []
    for word in [*words, "|"]:
        if word.strip("|&()"):
            command.append(word)
            continue
        if command and command[0] == "ffind":
            # Neither the saved searches of the examples nor their people are there.
            yield [word.replace("alice", "root").replace("~/", "/home/") for word in command[1:] if word[:1] != "@"]
        command = []


def acts(words):
    """The program that moves, copies or deletes, or the option."""
    return next((word for word in words if word in ("mv", "cp", "rm", "--delete", "--trash")), None)


def fill(home):
    """2,000 files in 40 directories, of which two have the same names and dates."""
    for directory in range(40):
        (home / f"d{directory % 8}/e{directory}").mkdir(parents=True)
        for file in range(50):
            kind = ("jpg", "jpeg", "png", "log", "tmp")[file % 5]
            path = home / f"d{directory % 8}/e{directory}/IMG_{file}.{kind}"
            path.write_text(str(path))
            os.utime(path, (1e9 + file // 2, 1e9 + file // 2))


def texts_of(home):
    """The contents of the files of each directory."""
    found = {}
    for path in home.rglob("*"):
        if path.is_file():
            found.setdefault(path.parent, []).append(path.read_text())
    return {directory: sorted(set(texts)) for directory, texts in found.items()}


def keeps_files(ffind, words):
    """Runs what moves or copies; whether each directory has what it had."""
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        fill(home)
        before = texts_of(home)
        subprocess.run([ffind, "--no-config", *(word for word in words if word != "--dry-run")], cwd=home, check=True,
                       stdin=subprocess.DEVNULL, env={"HOME": name, "PATH": os.environ["PATH"]})
        return texts_of(home) == before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    ffind = parser.parse_args().ffind.resolve()
    counts, failures = [], 0
    with tempfile.TemporaryDirectory() as home:
        for source in (of_man_page(), of_readme(), of_help(ffind)):
            counts.append(0)
            shown = False
            for line in source:
                for words in commands(line):
                    counts[-1] += 1
                    action = acts(words)
                    is_shown = "--dry-run" in words or "--confirm" in words
                    if action and not (is_shown or shown or words[:1] in (["--as"], ["."])):
                        failures += 1
                        print(f"{line}\n  {action} without a line with --dry-run before it")
                    shown = is_shown
                    if action in ("mv", "cp") and not keeps_files(ffind, words):
                        failures += 1
                        print(f"{line}\n  files leave their directories, or are lost")
                    # --compare-readers measures and has no plan to explain; a line of find is run as it is.
                    explain = [] if "--compare-readers" in words or words[:1] == ["."] else ["--explain"]
                    program = words[:2] if words[:1] == ["--as"] else []
                    ran = subprocess.run([ffind, *program, *explain, *words[len(program):]], cwd=home, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                         env={"HOME": home, "PATH": os.environ["PATH"]})
                    # 1 is for roots such as ~/Documents that this machine does not have.
                    if ran.returncode not in (0, 1):
                        failures += 1
                        print(f"{line}\n  status {ran.returncode}: {ran.stderr}")
    print(f"examples of man pages, README and help: {counts}, {failures} not understood")
    return 1 if failures or min(counts) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
