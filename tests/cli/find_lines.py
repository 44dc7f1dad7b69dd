#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random command lines of GNU find, typed into ffind: the line it answers finds what find finds.

    find_lines.py --ffind build/ffind [--count N] [--seed N]

A line is built from every predicate with a counterpart, on a tree with links, loops, fifos, odd names and odd
modes; roots are directories, files, links and missing paths. No answer is right at any time; a line must find
the same but for the roots themselves, which only find lists. A line that deletes is run on a copy of the tree. One
that only looks is run at once, and prints what find prints, roots and all, but for the order. As many lines with
actions anywhere are run by --as find, beside find on a copy: output, messages, status and what is left are the same.
A difference prints both lines. Exit status: 0 equal, 1 different, 77 no suitable find.
"""
import argparse
import collections
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from random_lines import Lines

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC0", "FFIND_CONFIG": ""}
NAMES = ["src", "lib", "a.c", "b.h", "A.TXT", ".hid", "x y", "foo", "foo.bar", "é.c", "1", "-dash", "{x}", "[q]"]
EPOCH = 1577836800  # 2020-01-01
ROOTS = [["."], ["."], ["."], [], ["src"], ["src", "lib"], ["./src"], ["src/"], ["lib", "nosuch"], [".", "nosuch"],
         ["file"], ["src", "file"], ["dlink"], ["dlink/"], ["fifo"], ["src", "src/lib"], ["broken"]]
GLOBS = ["*.c", "*.[ch]", "foo*", "*", "?*", ".*", "main.?", "[a-m]*", "*o*", "src", "[!a-z]*", "é*", "x y", "{x}",
         "\\[q]", "*\\.c", "[]q]*", "**", "."]
PATHS = ["./src/*", "*/lib/*", "./src", "*/a.c", "./*/foo", "*foo*", "*.c", "src/*", "./**/lib/*", "src", "*/", ".",
         "./sr?/*", "./[a-s]*", "*/*/*", "./src/**/*.c", "*src", "lib*", "src/./*"]
REGEXES = {
    "": [r".*\.c", r".*\.\(c\|h\)", r".*/foo", r"./src/.*", r".*\.c\|.*\.h", r".*[0-9]", r".*/[a-z]+\.c",
         r"\./lib/.*", r".*foo.*\|.*lib", r"\(./src\|./lib\)/.*", r"./src\|src/a.c", r".*[^]c]", r"^.*c$", r".*{x}"],
    "posix-extended": [r".*\.(c|h)", r".*\.c|.*\.h", r"./(src|lib)/.*", r".*/[a-z]{1,3}", r".*o+.*", r"(.*/)?a\.c"],
    "sed": [r".*\.\(c\|h\)", r".*/[a-z]\{1,3\}", r".*o\+.*", r".*+.*"],
    "posix-basic": [r".*/.\{3\}", r".*{x}"],
    "grep": [r".*/fo*"], "ed": [r".*\.c\|.*\.h"], "egrep": [r".*\.(c|h)"], "posix-awk": [r".*\.(c|h)"],
    "emacs": [r".*\.c\|.*\.h"],
}


class FindLines(Lines):
    def regex(self):
        kind = self.one(["", "", "", *REGEXES])
        return (["-regextype", kind] if kind else []) + [self.one(["-regex", "-iregex"]), self.one(REGEXES[kind])]

    def test(self):
        reference = self.one(["src", "file", "dlink", "flink", "broken", "new"])
        return self.one([
            lambda: [self.one(["-name", "-iname"]), self.one(GLOBS)], lambda: [self.one(["-path", "-ipath"]), self.one(PATHS)],
            self.regex, lambda: ["-type", self.one(["f", "d", "l", "p", "f,d", "f,l"])],
            lambda: ["-xtype", self.one(["f", "d", "l", "p", "d,l"])],
            lambda: ["-size", self.number(0, 1, 2, 8) + self.one(["", "c", "k", "b", "w", "M"])], lambda: ["-empty"],
            lambda: [self.one(["-mtime", "-ctime", "-atime"]), self.number(0, 1, 2, 9)],
            lambda: ["-mmin", self.number(5, 60, 2000)],
            lambda: ["-perm", self.one(["644", "-600", "/111", "-u+x", "755", "-4000", "/222", "u=rw,go=r"])],
            lambda: ["-links", self.number(1, 2, 3)], lambda: [self.one(["-uid", "-gid"]), self.number(0, 5)],
            lambda: ["-user", "root"], lambda: ["-nouser"],
            lambda: [self.one(["-newer", "-anewer", "-cnewer", "-samefile"]), reference],
            lambda: ["-newermt", self.one(["2020-01-01", f"@{EPOCH}", "2020-01-01 00:00", f"@{EPOCH - 1}", "2 days ago"])],
            lambda: [self.one(["-lname", "-ilname"]), self.one([*GLOBS, "../*", "*/foo"])],
            lambda: [self.one(["-executable", "-readable", "-writable", "-true", "-false"])],
        ])()

    def expression(self, depth=0):
        kind = self.random.random()
        if depth > 2 or kind < 0.5:
            return self.test()
        if kind < 0.62:
            return ["!", "(", *self.expression(depth + 1), ")"]
        if kind < 0.8:
            return [*self.expression(depth + 1), *self.one([[], ["-a"]]), *self.expression(depth + 1)]
        return ["(", *self.expression(depth + 1), "-o", *self.expression(depth + 1), ")"]

    def pruned(self):
        tests = self.test() + (self.test() if self.chance(0.3) else [])
        return self.one([
            lambda: [*tests, "-prune", "-o"], lambda: ["!", "(", *tests, "-prune", ")"],
            lambda: ["(", *self.test(), "-o", *self.test(), ")", "-prune", "-o"],
            lambda: [*tests, "-prune", "-o", *self.test(), "-prune", "-o"],
        ])()

    def action(self):
        return self.one([[], [], [], ["-print"], ["-print0"], ["-exec", "echo", "{}", ";"], ["-exec", "echo", "found", ";"],
                         ["-exec", "test", "-f", "{}", ";", "-print"], ["!", "-exec", "test", "-d", "{}", ";", "-print"],
                         ["-exec", "echo", "{}", ";", "-print"], ["-exec", "ls", "-d", "{}", "+"], ["-printf", "%p\\n"],
                         ["-printf", "%s %p\\n"], ["-printf", "%d %p\\n"], ["-delete"], ["-print", "-delete"],
                         ["-o", "-name", "foo"], ["-print", "-o", "-name", "foo", "-print"], ["-quit"],
                         ["-print", "-print"], ["-print", "-exec", "echo", "{}", ";"]])

    def step(self, depth=0):
        kind = self.random.random()
        if depth > 3 or kind < 0.2:
            return self.test()
        if kind < 0.55:
            return self.one([
                ["-print"], ["-print0"], ["-printf", "%p %d %y\\n"], ["-exec", "echo", "{}", ";"], ["-exec", "test", "-f", "{}", ";"],
                ["-exec", "false", ";"], ["-exec", "ls", "-d", "{}", "+"], ["-execdir", "echo", "{}", ";"], ["-prune"],
                ["-fprint", "/dev/stdout"], ["-fprint", "/dev/stderr"], ["-quit"], ["-ok", "echo", "{}", ";"],
                ["-exec", "nosuch", ";"], ["-execdir", "test", "-d", "{}", ";"]])
        if kind < 0.65:
            return ["!", "(", *self.step(depth + 1), ")"]
        if kind < 0.85:
            return [*self.step(depth + 1), *self.step(depth + 1)]
        # find may exchange the operands of `,` if both only test, and the value is that of the wrong one.
        return ["(", *self.one([[], ["-printf", "%f\\n"]]), *self.step(depth + 1), "-o", *self.step(depth + 1), ")",
                *self.one([[], [",", "-printf", "%d\\n"]])] if depth else self.step(1)

    def line(self, acts=False):
        words = list(self.one([[], [], [], ["-L"], ["-P"], ["-H"]])) + self.one(ROOTS)
        for option, share in (("-maxdepth", 0.2), ("-mindepth", 0.15), ("-maxdepth", 0.1), ("-mindepth", 0.05)):
            if self.chance(share):
                words += [option, str(self.random.randint(0, 3))]
        if self.chance(0.08):
            words.append(self.one(["-depth", "-xdev", "-daystart"]))
        if acts:
            # Later tests of what is gone are errors in find.
            gone = [] if self.chance(0.8) else self.one([["-delete"], ["-exec", "rm", "-f", "{}", ";"]])
            return words + self.step() + self.step() + gone
        if self.chance(0.35):
            words += self.pruned()
        for _ in range(self.random.randint(1, 2)):
            words += self.expression()
        return words + self.action()


def make_tree(pick):
    now = time.time()
    for _ in range(90):
        path = "/".join(pick.choice(NAMES) for _ in range(pick.randint(1, 4)))
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            kind = pick.random()
            if kind < 0.2:
                os.makedirs(path, exist_ok=True)
            elif kind < 0.3:
                os.symlink(pick.choice(["nowhere", "src", "../foo", "a.c", "..", "."]), path)
            elif kind < 0.33:
                os.mkfifo(path)
            elif not pathlib.Path(path).is_fifo():  # opening one would wait for a reader
                with open(path, "wb") as file:
                    file.write(b"x" * pick.choice([0, 1, 511, 512, 513, 1024, 1025, 70000]))
                date = pick.choice([EPOCH, EPOCH + 0.5, EPOCH - 1, now - 90000, now - 4000, now + 90000])
                os.utime(path, (date, date))
                os.chmod(path, pick.choice([0o644, 0o600, 0o755, 0o4755, 0o444]))
        except OSError:
            pass
    for path in ("src", "lib"):
        if not os.path.isdir(path) or os.path.islink(path):
            if os.path.lexists(path):
                os.unlink(path)
            os.mkdir(path)
    for path in ("file", "new"):
        with open(path, "wb"):
            pass
    os.utime("file", (EPOCH, EPOCH))
    os.mkfifo("fifo")
    os.symlink("src", "dlink")
    os.symlink("file", "flink")
    os.symlink("nowhere", "broken")
    for top, _, _ in os.walk("."):  # old enough for every age to be the same to both
        os.utime(top, (now - 100, now - 100))


def run(words, place, answers=""):
    return subprocess.run(words, cwd=place, env=ENVIRONMENT, capture_output=True, input=answers.encode(), timeout=60,
                          check=False)


def left_of(place):
    return sorted(os.path.relpath(os.path.join(top, name), place) for top, directories, files in os.walk(place)
                  for name in directories + files)


def normal(output):
    """Paths, with the number before them, but not ./ and a slash at the end."""
    separator = b"\0" if b"\0" in output else b"\n"
    found = (re.sub(rb"^(\d+ )?(\./+)+", rb"\1", each).rstrip(b"/") for each in output.split(separator))
    return sorted(each for each in found if each)


def without_roots(found, roots):
    return [each for each in found if re.sub(rb"^\d+ ", b"", each) not in roots]


def roots_of(words):
    words = words[1:] if words and words[0] in ("-L", "-P", "-H") else words
    count = next((i for i, word in enumerate(words) if word.startswith(("-", "(", "!"))), len(words))
    return {re.sub(r"^(\./+)+", "", word).rstrip("/").encode() for word in words[:count] or ["."]} | {b"."}


def check(ffind, words, place, scratch):
    """(what became of the line, the complaint)"""
    said = run([ffind, *words], place)
    if said.returncode != 2:
        return compared(run(["find", *words], place), said)
    answers = re.findall(r"^ *try: ffind(.*)$", said.stderr.decode(errors="replace"), re.M)
    if not answers:
        return "no line", ""
    line = shlex.split(answers[0])
    deletes = "-delete" in words
    places = places_of(words, place, scratch)
    theirs, ours = run(["find", *words], places[0]), run([ffind, *line], places[1])
    if theirs.returncode and not theirs.stdout and not deletes:
        if ours.stdout:
            return "different", "find refuses it"
        return "refused", ""
    roots = roots_of(words)
    expected, found = normal(theirs.stdout), normal(ours.stdout)
    if "found" in words and set(expected) <= {b"found"}:
        # A root says it, too.
        same = len(expected) - len(roots) <= len(found) <= len(expected)
    else:
        # Roots inside one another are searched once.
        nested = any(one != other and one.startswith(other + b"/") for one in roots for other in roots)
        kind = set if nested else list
        same = kind(without_roots(expected, roots)) == kind(without_roots(found, roots))
    # find deletes the roots, too, if they match.
    if same and deletes:
        gone = set(left_of(places[1])) ^ set(left_of(places[0]))
        same = all(path.encode() in roots for path in gone)
    if same and ours.returncode != 2:
        return "same", ""
    more = collections.Counter(expected), collections.Counter(found)
    return "different", (f"{shlex.join(line)}\n  missing {list((more[0] - more[1]).elements())[:5]}"
                         f"\n  too many {list((more[1] - more[0]).elements())[:5]}\n  {ours.stderr.decode(errors='replace')[:200]}")


def check_as_find(ffind, words, place, scratch):
    # Only on one tree is the order the same.
    places = places_of(words, place, scratch)
    answers = "y\nn\n" * 200
    theirs, ours = run(["find", *words], places[0], answers), run([ffind, "--as", "find", *words], places[1], answers)
    if b"is not done exactly here" in ours.stderr and not ours.stdout:
        return "not done", ""
    if "rm" in words and b"No such file" in theirs.stderr:
        return "root removed", ""  # by its own command: only find fails then
    outcome, complaint = compared(theirs, ours)
    said = [sorted(line for line in each.stderr.splitlines() if b"warning" not in line) for each in (theirs, ours)]
    if any(b"loop detected" in line for line in said[0] + said[1]):
        return "loops", ""  # beyond -quit, and where nothing can be true
    if not complaint and said[0] != said[1]:
        complaint = f"said {said[1][:3]} for {said[0][:3]}"
    if not complaint and left_of(places[0]) != left_of(places[1]):
        complaint = f"left {set(left_of(places[0])) ^ set(left_of(places[1]))}"
    return ("different", complaint) if complaint else ("acted", "")


def places_of(words, place, scratch):
    """Where find and ffind run: in copies of the tree if something is deleted."""
    if not {"-delete", "rm"} & set(words):
        return [place, place]
    places = [os.path.join(scratch, name) for name in ("theirs", "ours")]
    for copy in places:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(place, copy, symlinks=True, copy_function=copy_entry)
    return places


def compared(theirs, ours):
    """A line that was run prints the same, but for the order, and has the same status."""
    expected, found = (collections.Counter(re.split(rb"[\0\n]", each.stdout)) for each in (theirs, ours))
    if expected == found and theirs.returncode == ours.returncode:
        return "ran", ""
    return "different", (f"missing {list((expected - found).elements())[:5]}, too many "
                         f"{list((found - expected).elements())[:5]}, status {ours.returncode} for {theirs.returncode}"
                         f"\n  {theirs.stderr[:100]}\n  {ours.stderr[:100]}")


def copy_entry(source, target):
    if os.path.isfile(source):
        return shutil.copy2(source, target)
    return os.mkfifo(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ffind = os.path.abspath(options.ffind)
    version = subprocess.run(["find", "--version"], capture_output=True, check=False).stdout
    if b"GNU findutils" not in version:
        print("skipped: the find here is not GNU's")
        return 77
    lines = FindLines(options.seed)
    outcomes, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="ffind-find-lines-") as scratch:
        place = os.path.join(scratch, "tree")
        os.mkdir(place)
        os.chdir(place)
        make_tree(lines.random)
        for number in range(options.count):
            words = lines.line()
            outcome, complaint = check(ffind, words, place, scratch)
            outcomes[outcome] += 1
            if complaint:
                failed += 1
                print(f"line {number} of seed {options.seed}: find {shlex.join(words)}\n  {complaint}")
            words = lines.line(acts=True)
            outcome, complaint = check_as_find(ffind, words, place, scratch)
            outcomes[outcome] += 1
            if complaint:
                failed += 1
                print(f"line {number} of seed {options.seed}, with --as find: find {shlex.join(words)}\n  {complaint}")
        os.chdir("/")
    print(", ".join(f"{outcome}: {count}" for outcome, count in outcomes.most_common()))
    if not outcomes["same"]:
        print("no line was compared")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
