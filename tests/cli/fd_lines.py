#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random command lines of fd 10, run by ffind as fd: they print what fd prints, with its status.

    fd_lines.py --ffind build/ffind [--fd fd] [--count N] [--seed N] [--order]

The trees have ignore files of each name with rules of every form, repositories inside others and outside of them, hidden
entries, links, loops and odd names; a line may start anywhere in them. Ten lines for a tree. A difference prints both.
Exit status: 0 equal, 1 different, 77 no fd 10.
"""
import argparse
import collections
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from random_lines import Lines

NAMES = ["src", "lib", "build", "a.c", "b.h", "A.TXT", ".hid", ".config", "x y", "foo", "foo.bar", "é.c", "1", "a.tar.gz",
         "target", "Makefile", ".#x", "main.rs", "b~", "CACHEDIR.TAG"]
RULES = ["*.c", "/foo", "foo/", "!foo", "src/*", "**/lib", "lib/**", "!.hid", "!/.config", "*~", "build", "/src/lib/", "*",
         "!*/", "!*.c", "a.*", "[ab].*", "src/**/foo", "{foo,build}", "*.{c,h}", "# foo", "\\#x", "", "  ", "foo ", "!*.h",
         "/lib/{a.c,foo}", "?.h", "**/foo/**", "!.*", ".*", "A.TXT", "x y", "é*"]
PATTERNS = ["", ".", "foo", "a", "c$", "^[a-m]", "A", "o+", "\\.c$", "^\\.", "^.hid", "src|lib", "[^a-z]", "(foo|bar)", "x y",
            "\\d", "\\w\\.", "é", "É", "^foo$", "(?i)FOO", "a.c", "\\bfoo\\b", "[", "b~$"]
GLOBS = ["*.c", "*", "foo*", "[a-b].*", "{foo,src}", "?.h", "**", ".*", "A*", "*.[ch]", "é*", ""]
EXCLUDES = ["*.c", "foo", "/src", "src/lib", "{build,lib}", ".hid", "**/foo", "A.TXT", "lib/", "!foo", "*"]


class FdLines(Lines):
    def pattern(self, words):
        if "-g" in words:
            return self.one(GLOBS)
        return self.one(PATTERNS) if not set(words) & {"-F", "--exact"} else self.one(["foo", "a.c", "A", ".", "o", ""])

    def option(self):
        number = str(self.random.randint(0, 4))
        return self.one([
            lambda: ["-H"], lambda: ["-I"], lambda: ["-u"], lambda: ["--no-ignore-vcs"], lambda: ["--no-require-git"],
            lambda: ["--no-ignore-parent"], lambda: ["-s"], lambda: ["-i"], lambda: ["-L"], lambda: ["-p"],
            lambda: ["-g"], lambda: ["-F"], lambda: ["--exact"], lambda: ["-d", number], lambda: ["--min-depth", number],
            lambda: ["--exact-depth=" + number], lambda: ["-E", self.one(EXCLUDES)], lambda: ["--prune"],
            lambda: ["-t" + self.one("fdlxeps")], lambda: ["-t", self.one(["file", "dir", "empty", "symlink"])],
            lambda: ["-e", self.one(["c", ".h", "tar.gz", "TXT", "bar"])],
            lambda: ["-S", self.one(["+", "-", ""]) + self.one(["0b", "1k", "1ki", "512B", "70000b"])],
            lambda: ["--changed-within", self.one(["1d", "2 weeks", "1h"])], lambda: ["--older", "2020-01-01 00:00:00"],
            lambda: ["--owner", self.one(["root", "!root", ":0", "1"])], lambda: ["--and", self.one(["o", "c", "A"])],
            lambda: ["--ignore-file", self.one(["extra", "src/extra"])], lambda: ["--ignore-contain", "CACHEDIR.TAG"],
            lambda: ["-a"], lambda: ["-0"], lambda: ["--strip-cwd-prefix"], lambda: ["--path-separator", self.one("#=")],
            lambda: ["--format", self.one(["{}", "{/}|{//}", "{.}-{/.}", "{{}}{}", "{size}"])], lambda: ["-q"],
            lambda: ["--no-hidden"], lambda: ["--ignore"], lambda: ["--no-global-ignore-file"], lambda: ["-c", "never"],
            lambda: ["-x", "echo", self.one(["{}", "{/}", "x{//}", "{.}"]), ";"], lambda: ["-X", "printf", "%s\\n", ";"],
            lambda: ["--max-results", "0"], lambda: ["-uu"], lambda: ["--xdev"], lambda: ["--hyperlink=never"],
        ])()

    def line(self):
        words = [word for _ in range(self.one([0, 1, 1, 2, 2, 3, 4])) for word in self.option()]
        operands = []
        if self.chance(0.8):
            operands = [self.pattern(words)]
            if self.chance(0.4):
                operands += [self.one([".", "src", "./lib", "src/", "nosuch", "extra", "." if "-p" in words else ".."])]
            if operands[1:] and self.chance(0.2):
                operands += [self.one(["lib", "src"])]
        return words + operands

    def rules(self):
        return "\n".join(self.one(RULES) for _ in range(self.random.randint(1, 4))) + self.one(["\n", ""])

    def tree(self):
        for _ in range(60):
            path = "/".join(self.one(NAMES) for _ in range(self.random.randint(1, 4)))
            kind = self.random.random()
            try:
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
                if kind < 0.2:
                    os.makedirs(path, exist_ok=True)
                elif kind < 0.27:
                    os.symlink(self.one(["nowhere", "../src", "../foo", "../a.c", ".."]), path)
                elif not os.path.lexists(path):
                    with open(path, "wb") as file:
                        file.write(b"x" * self.one([0, 1, 512, 1000, 1024, 70000]))
                    os.utime(path, (self.one([1e9, 1.7e9]),) * 2) if kind < 0.6 else None
                    os.chmod(path, self.one([0o644, 0o755]))
            except OSError:
                pass
        for path in ("src", "lib"):
            if not os.path.isdir(path) or os.path.islink(path):
                if os.path.lexists(path):
                    os.unlink(path)
                os.mkdir(path)
        os.symlink("src", "link")
        places = [place for place, _, _ in os.walk(".")]
        for _ in range(self.random.randint(0, 6)):
            name = os.path.join(self.one(places), self.one([".gitignore", ".gitignore", ".ignore", ".fdignore"]))
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.rules())
        for place in self.random.sample(places, min(len(places), self.random.randint(0, 2))) + self.one([[], ["."]]):
            os.makedirs(os.path.join(place, ".git/info"), exist_ok=True)
            if self.chance(0.3):
                with open(os.path.join(place, ".git/info/exclude"), "w", encoding="utf-8") as file:
                    file.write(self.rules())
        for name in ("extra", "src/extra"):
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.rules())
        return places


def run(words, place, home):
    environment = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC0"}
    return subprocess.run(words, cwd=place, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
                          check=False)


def complaint_of(theirs, ours, in_order):
    separator = b"\0" if b"\0" in theirs.stdout + ours.stdout else b"\n"
    expected, found = (collections.Counter(each.stdout.split(separator)) for each in (theirs, ours))
    if expected == found and theirs.returncode == ours.returncode:
        return "another order" if in_order and theirs.stdout != ours.stdout else ""
    return (f"missing {list((expected - found).elements())[:5]}, too many {list((found - expected).elements())[:5]}, "
            f"status {ours.returncode} for {theirs.returncode}\n  {theirs.stderr[:150]}\n  {ours.stderr[:150]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--fd", default=os.environ.get("FFIND_FD") or shutil.which("fd") or shutil.which("fdfind") or "fd")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--order", action="store_true", help="the lines of both are in the same order; not on a busy machine")
    options = parser.parse_args()
    ffind = os.path.abspath(options.ffind)
    try:
        version = subprocess.run([options.fd, "--version"], capture_output=True, check=False).stdout
    except OSError:
        version = b""
    if not re.match(rb"fd(find)? 10\.[3-9]\S*\s*$", version):
        print("skipped: fd 10 is not installed")
        return 77
    lines, failed, printed = FdLines(options.seed), 0, 0
    with tempfile.TemporaryDirectory(prefix="ffind-fd-lines-") as scratch:
        home = os.path.join(scratch, "home")
        for number in range(options.count):
            if number % 10 == 0:
                os.chdir("/")
                shutil.rmtree(scratch)
                os.makedirs(os.path.join(home, ".config/fd"))
                if lines.random.random() < 0.3:
                    with open(os.path.join(home, ".config/fd/ignore"), "w", encoding="utf-8") as file:
                        file.write(lines.rules())
                top = os.path.join(scratch, "tree")
                os.mkdir(top)
                os.chdir(top)
                places = lines.tree()
            words = lines.line()
            place = os.path.join(top, lines.one([".", ".", "src", lines.one(places)]))
            theirs, ours = run([options.fd, *words], place, home), run([ffind, "--as", "fd", *words], place, home)
            printed += bool(theirs.stdout)
            complaint = complaint_of(theirs, ours, options.order and not {"-x", "-X"} & set(words))
            if complaint:
                failed += 1
                print(f"line {number} of seed {options.seed} in {os.path.relpath(place, top)}: fd {shlex.join(words)}\n"
                      f"  {complaint}")
        os.chdir("/")
    print(f"{options.count - failed} of {options.count} lines are equal, of which fd printed something for {printed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
