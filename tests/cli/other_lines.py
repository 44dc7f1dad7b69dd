#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random command lines of fd and of `rg --files`, typed into ffind: it, or the line it answers, finds the same.

    other_lines.py --ffind build/ffind [--program fd|rg] [--count N] [--seed N]

Each line is typed at a terminal. Right are: it runs, says nothing and finds what the program finds; it offers a
line (an error, or a hint) that does; or it is an error that names a word without a counterpart. fd and rg are
told to hide nothing, as ffind never does, but for a line that is offered with --as fd. A difference prints both lines. Exit status: 0 equal, 1 different, 77
neither program is here, or this is no Linux.
"""
import argparse
import collections
import os
import re
import shlex
import shutil
import sys
import tempfile

import find_lines
import habits


class Lines(find_lines.Lines):
    """A command line as a shuffled list of options, each with its values, and arguments in their order."""

    def some(self, *choices):
        """The words of those that come up, of (share, function that returns words)."""
        words = [make() for share, make in choices if self.chance(share)]
        self.random.shuffle(words)
        return words

    def joined(self, options, arguments):
        """Options before, between and after the arguments."""
        words = list(options)
        at = 0
        for argument in arguments:
            at = self.random.randint(at, len(words))
            words.insert(at, [argument])
            at += 1
        return [word for group in words for word in group]

    def places(self):
        return list(self.one([[], [], [], ["src"], ["./src"], ["lib", "src"], ["."], ["src/"]]))


class FdLines(Lines):
    PATTERNS = ["a", "foo", "src", "b.h", "TXT", "A", "^a", r"\.c$", "a|b", "[0-9]", ".", "^", "^f.*r$", "^.$", "x y", "é",
                r"^\.", "c$", "(a|f)o*", r"\.(c|h)$", ".*", "o+", "^[a-f]", r"[^.]\.c"]
    GLOBS = ["*.c", "*.[ch]", "*.{c,h}", "foo*", "?", "*", "src", "[!a-f]*", "*O*", ".*", "x*y"]
    FULL = ["src/", r"lib/.*\.c$", "src/.*foo", "src"]
    OUT = ["src", "*.c", "foo*", "lib/", "*.[ch]", "/src", "src/lib", "**/lib", "a.c"]

    def line(self):
        globs, full, fixed = self.chance(0.15), self.chance(0.08), self.chance(0.06)
        options = self.some(
            (0.2, lambda: self.one([["-e", "c"], ["-e", "TXT"], ["-e", ".h"], ["-e", "c", "-e", "h"], ["--extension", "c"]])),
            (0.3, lambda: self.one([["-t", "f"], ["-td"], ["--type", "l"], ["-t", "x"], ["-tf", "-te"], ["-t", "e"],
                                    ["-t", "p"], ["--type", "file"], ["-t", "executable"], ["-t", "f", "-t", "l"]])),
            (0.15, lambda: self.one([["-d", "1"], ["-d2"], ["--max-depth", "3"], ["--min-depth", "2"], ["--exact-depth", "2"],
                                     ["--maxdepth=2"]])),
            (0.2, lambda: [self.one(["-E", "--exclude"]), self.one(self.OUT)]),
            (0.12, lambda: self.one([["-S", "+600b"], ["-tf", "-S", "-1000b"], ["-S", "+1100b"], ["-tf", "-S-2ki"], ["--size", "+60k"],
                                     ["-S", "1025b"]])),
            (0.12, lambda: [self.one(["--changed-within", "--newer", "--changed-after"]), self.one(["2d", "1week", "2019-12-31",
                                                                                                     "10h"])]),
            (0.08, lambda: [self.one(["--changed-before", "--older"]), self.one(["2d", "3h", "2020-01-02"])]),
            (0.06, lambda: [self.one(["-o", "--owner"]), self.one(["root", "root:root", ":root", "!root", "0:0", "nobody"])]),
            (0.06, lambda: [self.one(["-i", "-s", "--ignore-case", "--case-sensitive"])]),
            (0.1, lambda: [self.one(["-H", "-I", "-HI", "-u", "--hidden", "--no-ignore", "--no-ignore-vcs", "-uu"])]),
            (0.05, lambda: self.one([["-c", "never"], ["--color", "never"], ["-j", "2"], ["-j1"], ["--threads=2"]])),
            (0.04, lambda: [self.one(["--strip-cwd-prefix", "--show-errors", "--one-file-system", "--no-ignore-parent"])]),
            (0.04, lambda: [self.one(["-0", "--print0", "-a", "--absolute-path"])]),
            (0.04, lambda: ["--search-path", self.one(["src", "lib", "./src"])]),
        )
        paths = self.places()
        command = self.one([[]] * 7 + [["-x", "echo"], ["-x", "echo", "{}"], ["-x", "echo", "{/}"], ["-x", "echo", "{.}", "{//}"],
                                       ["--exec", "echo", "x-{/.}"], ["-X", "ls", "-d"], ["-x", "echo", "{}", ";", "-t", "f"]])
        if command:
            options = [group for group in options if group[0] not in ("-0", "--print0") and group[-1] != "/src"]
        if self.chance(0.03):
            command = ["--prune", *command]
        if any("-S" in group[-2:] or group[-1].startswith("-S") for group in options):
            options = [group for group in options if "l" not in group]  # fd has sizes of links, too
        if any(group[0] == "--search-path" for group in options):
            paths = []
        patterns = self.GLOBS if globs else self.FULL if full else self.PATTERNS
        if paths:  # globs with a slash are relative to the first one
            options = [group for group in options if group[0] not in ("-E", "--exclude") or "/" not in group[1].rstrip("/")]
        if "./src" in paths or any(group[0] == "--search-path" for group in options):
            patterns = [pattern for pattern in patterns if pattern != "."]  # a path here
        arguments = [self.one(patterns)] if paths or globs or full or fixed or self.chance(0.75) else []
        if globs:
            options.insert(self.random.randint(0, len(options)), [self.one(["-g", "--glob"])])
        elif full:
            options.append([self.one(["-p", "--full-path"])])
        elif fixed:
            arguments = [self.one(["-F", "--fixed-strings"]), *arguments]
        return self.joined(options, arguments + paths) + command

    def own(self, words):
        return ["fd" if shutil.which("fd") else "fdfind", "--color", "never", *words]

    def theirs(self, words):
        return self.own(["-u", *words])


class RgLines(Lines):
    GLOBS = ["*.c", "*.{c,h}", "!*.c", "src/**", "!src", "!lib/", "**/lib/*", "foo*", "/src/*.c", "*.TXT", "!.*", "[a-f]*",
             "src/*", "!**/foo", "x y", "!src/lib", "lib/"]

    def line(self):
        options = self.some(
            (0.6, lambda: [word for _ in range(self.random.randint(1, 2))
                           for word in [self.one(["-g", "--glob"]), self.one(self.GLOBS)]]),
            (0.1, lambda: ["--iglob", self.one(["*.C", "*.txt", "!A*", "FOO*"])]),
            (0.15, lambda: self.one([["-tc"], ["-t", "txt"], ["--type", "c"], ["-t", "md", "-tc"], ["-T", "c"], ["-Tc"]])),
            (0.15, lambda: [self.one(["--max-depth", "--maxdepth"]), self.one(["1", "2", "3"])]),
            (0.1, lambda: ["--max-filesize", self.one(["1K", "512", "60K", "1M"])]),
            (0.1, lambda: [self.one(["-L", "--follow"])]),
            (0.1, lambda: [self.one(["--hidden", "-.", "-u", "-uu", "--no-ignore", "--no-ignore-vcs", "--no-ignore-dot"])]),
            (0.08, lambda: self.one([["--sort", "path"], ["--sort", "modified"], ["--sortr", "path"], ["--sort-files"]])),
            (0.05, lambda: [self.one(["-0", "--null"])]),
            (0.05, lambda: self.one([["--color", "never"], ["-j2"], ["--no-messages"], ["--no-heading"], ["--one-file-system"],
                                     ["--smart-case"], ["-S"], ["--no-require-git"]])),
            (0.04, lambda: [self.one(["-i", "-s", "--glob-case-insensitive"])]),
        )
        return ["--files", *self.joined(options, self.places())]

    def theirs(self, words):
        return ["rg", "-uu", *words]


PROGRAMS = {"fd": FdLines, "rg": RgLines}


def paths_in(output, place):
    """Paths as sets are compared: -0, -a and ./ leave no trace."""
    prefix = os.fsencode(place) + b"/"
    return {re.sub(rb"(?<![^ ])(\./)+", b"", each.replace(prefix, b"")) for each in find_lines.normal(output)}


def check(ffind, lines, words, place):
    """(what became of the line, the complaint)"""
    output, status, answer, said = habits.answer_of(ffind, words, place)
    judge = find_lines.run(lines.theirs(words), place)
    if judge.returncode not in (0, 1):
        return "refused", ""
    theirs, outcome = paths_in(judge.stdout, place), "ran"
    if said.startswith("ffind: ffind --as fd "):
        theirs = paths_in(find_lines.run(lines.own(words), place).stdout, place)
    if status != 2 and paths_in(output, place) == theirs:
        return outcome, ""
    tries = 0
    while answer and tries < 2:  # a line that finds nothing has a hint of its own
        line, tries, outcome = answer, tries + 1, "line"
        output, _, answer, _ = habits.answer_of(ffind, shlex.split(line)[1:], place)
        if line.startswith("ffind --as fd "):
            theirs = paths_in(find_lines.run(lines.own(words), place).stdout, place)
        if paths_in(output, place) == theirs:
            return outcome, ""
        if " for the extension" in said and " --in " in line:
            return "told", ""  # what follows -e is a PATH here, TEXT for fd
    if not tries and status == 2:
        named = any(word.split("=")[0] in said for word in words)
        return "no line", "" if named else f"no word is named: {said}"
    acts = any(option in words for option in ("-x", "-X", "--exec"))
    if not tries and acts and ("was read as" in said or ("was taken as" in said and not output)):
        return "told", ""  # a command is never proposed for more files
    ours = paths_in(output, place)
    missing, more = sorted(theirs - ours), sorted(ours - theirs)
    return "different", f"{line if tries else 'ran'}\n  missing {missing[:4]}\n  too many {more[:4]}\n  {said.strip()[:200]}"


def check_program(name, options, scratch):
    lines = PROGRAMS[name](options.seed)
    place = os.path.join(os.path.realpath(scratch), name)
    os.mkdir(place)
    os.chdir(place)
    find_lines.make_tree(lines.random)
    outcomes = collections.Counter()
    for number in range(options.count):
        words = lines.line()
        outcome, complaint = check(options.ffind, lines, words, place)
        outcomes[outcome] += 1
        if complaint:
            outcomes["wrong"] += 1
            print(f"line {number} of seed {options.seed}: {name} {shlex.join(words)}\n  {complaint}")
    os.chdir("/")
    print(f"{name}:", ", ".join(f"{outcome}: {count}" for outcome, count in outcomes.most_common()))
    return outcomes["wrong"] == 0 and outcomes["ran"] + outcomes["line"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True, type=os.path.abspath)
    parser.add_argument("--program", choices=list(PROGRAMS))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        print("skipped: names of the tree differ in case and form alone")
        return 77
    names = [options.program] if options.program else list(PROGRAMS)
    judges = [name for name in names if shutil.which(PROGRAMS[name](0).theirs([])[0])]
    for name in set(names) - set(judges):
        print(f"skipped: {name} is not installed")
    with tempfile.TemporaryDirectory(prefix="ffind-other-lines-") as scratch:
        equal = [check_program(name, options, scratch) for name in judges]
    return 77 if not judges else 0 if all(equal) else 1


if __name__ == "__main__":
    sys.exit(main())
