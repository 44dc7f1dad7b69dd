#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completes in real shells what cases.txt says, and every option of `ffind --help`.

    run.py --ffind build/ffind --shell zsh          all cases: 0 passed, 1 failed, 77 no such shell
    run.py --ffind build/ffind --shell fish --sort  those that contain the text; with each answer

A line of cases.txt is one case for all shells, `|` being where TAB is pressed:

    ffind --sort size,-na| -> -name !name    offered must be -name, and name must not
    ffind --json=| -> only full lines        nothing but these is offered
    ffind --explai| => ffind --explain       the line after TAB; words are compared, not how they are quoted
    [bash-with-package zsh] ...              in these shells only

The others load the installed files, which have the program write the completion when it is first
needed; the shells called -printed what `ffind --completions` prints.

What stands before the last comma, blank or parenthesis of the word that is completed, and before the
"=" of an option, is not repeated on the right. The scratch directory has what `make_home` puts there.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from shells import SHELLS, Missing, known_part, words_of  # noqa: E402

HERE = pathlib.Path(__file__).parent


def make_home(home):
    for name in ("photos/", "notes.txt", "a b.tar.gz", "it's.md", "deep/er/", "@types/"):
        path = home / name
        path.parent.mkdir(exist_ok=True)
        path.mkdir(parents=True) if name.endswith("/") else path.touch()
    searches = home / ".config/ffind/searches"
    searches.mkdir(parents=True)
    for name in ("big", "träge", "big-old"):
        (searches / name).write_text("--size\n>1G\n")


def word_start(line):
    """Where the last word of `line` begins, as the shells see it."""
    start, quote, escaped = 0, "", False
    for at, c in enumerate(line):
        if escaped:
            escaped = False
        elif c == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c == " ":
            start = at + 1
    return start


def new_part(word, typed):
    """`word` without what was typed before the part that is completed, and what goes on behind it."""
    known = known_part(typed)
    word = word[len(known):] if word.startswith(known) else word
    return word.rstrip(",=/") or word


class Case:
    def __init__(self, text):
        self.text = text
        parts = re.fullmatch(r"(?:\[([^]]*)\] )?(.*?)\| (->|=>) ?(.*)", text)
        if not parts:
            sys.exit(f"cases.txt: neither -> nor => behind a | in: {text}")
        only_in, self.line, self.arrow, expected = parts.groups()
        only = only_in.split() if only_in else list(SHELLS)
        self.shells = [*only, *(f"{shell}-printed" for shell in only)]
        self.expected = words_of(expected)

    def complaint(self, shell, telling):
        if self.arrow == "=>":
            after = shell.after_tab(self.line)
            # zsh goes on with a comma where another value may follow, until one types something else.
            same = [word.rstrip(",") for word in words_of(after)] == self.expected
            return None if same else f"TAB makes it: {after!r}"
        start = word_start(self.line)
        typed = (words_of(self.line[start:]) or [""])[0]
        offered = {new_part(word, typed) for word in shell.offered(self.line, start)}
        offered -= {"", *({typed} - set(self.expected))}
        if telling:
            print(f"{self.line}| -> {' '.join(sorted(offered))}")
        if self.expected[:1] == ["only"]:
            return None if offered == set(self.expected[1:]) else f"offered: {sorted(offered)}"
        missing = [word for word in self.expected if word[0] != "!" and word not in offered]
        unwanted = [word[1:] for word in self.expected if word[0] == "!" and word[1:] in offered]
        if not missing and not unwanted:
            return None
        return f"missing {missing}, unwanted {unwanted}, offered {sorted(offered)[:40]}"


def cases_of_help(ffind):
    """One for each option that the help has, by each of its names."""
    shown = subprocess.run([ffind, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in shown.splitlines():
        row = re.match(r"(?:  |      )(-[^ ,]+(?:, -[^ ,]+)*)(?: |$)", line)
        for name in row[1].split(", ") if row else ():
            # zsh has a single letter typed in full offer those that can stand behind it.
            typed = name[:-1] if name.startswith("--") else "-"
            yield Case(f"ffind {typed}| -> {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    parser.add_argument("--shell", required=True, choices=SHELLS)
    parser.add_argument("text", nargs="?", help="only the cases that contain it, and what they get")
    options = parser.parse_args()
    ffind = options.ffind.resolve()
    lines = (HERE / "cases.txt").read_text().splitlines()
    cases = [Case(line) for line in lines if line and not line.startswith("#")]
    cases += cases_of_help(ffind)
    cases = [case for case in cases if options.shell in case.shells and (options.text or "") in case.text]
    failures = 0
    with tempfile.TemporaryDirectory() as home:
        make_home(pathlib.Path(home))
        environment = {"HOME": home, "PATH": f"{ffind.parent}:{os.environ['PATH']}", "TERM": "dumb",
                       "LC_ALL": "C.UTF-8"}
        try:
            shell = SHELLS[options.shell](home, environment)
        except Missing as missing:
            print(f"skipped: {missing}")
            return 77
        for case in cases:
            complaint = case.complaint(shell, bool(options.text))
            if complaint:
                failures += 1
                print(f"{case.text}\n  {complaint}")
        shell.close()
    print(f"{options.shell}: {len(cases)} cases, {failures} failed")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
