#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the test runner: a case that should fail must fail. The program under test is a shell script."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
STANDIN = """#!/bin/sh
case $1 in
say) printf '%b' "$2" ;;
err) printf '%b' "$2" >&2 ;;
exit) exit "$2" ;;
die) kill -INT $$ ;;
hang) sleep 100 ;;
tty) if [ -t 1 ]; then echo out; fi; if [ -t 2 ]; then echo err >&2; fi ;;
id) id -u ;;
esac
"""


class WithStandin(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.binary = pathlib.Path(self.place.name, "standin")
        self.binary.write_text(STANDIN)
        self.binary.chmod(0o755)


class Runner(WithStandin):
    def status(self, text, *options):
        self.case = pathlib.Path(self.place.name, "x.case")
        self.case.write_text("# promise\n" + text)
        done = subprocess.run([sys.executable, HERE / "run.py", "--ffind", self.binary, "--case", self.case, *options],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.said = done.stdout.decode()
        return done.returncode

    def passes(self, text):
        self.assertEqual(self.status(text), 0, self.__dict__.get("said"))

    def fails(self, text, because):
        self.assertEqual(self.status(text), 1, self.said if hasattr(self, "said") else text)
        self.assertIn(because, self.said)

    def test_standard_output(self):
        self.passes("[run]\nffind say 'b\\na\\n'\n[stdout]\na\nb\n")
        self.fails("[run]\nffind say 'b\\na\\n'\n[stdout]\na\n", "+b")
        self.fails("[run]\nffind say 'a\\na\\n'\n[stdout]\na\n", "+a")
        self.fails("[run]\nffind say a\n", "+a\\")
        self.fails("[run]\nffind say 'a'\n[stdout]\na\n", "+a\\")
        self.fails("[run]\nffind say ''\n[stdout]\na\n", "-a")

    def test_macos(self):
        linux, macos = "needs: linux\n[run]\ntrue\n", "needs: macos\n[run]\ntrue\n"
        self.assertEqual(self.status(linux, "--macos"), 77)
        self.assertEqual(self.status(macos, "--macos"), 0)
        matrix = "matrix: reader=getdents,fts\n[run]\nffind say '{reader}\\n'\n[stdout]\n"
        self.assertEqual(self.status(matrix + "{reader}\n", "--macos"), 0, self.said)
        self.assertEqual(self.status(matrix + "getdents\n", "--macos"), 1)

    def test_options_for_every_command(self):
        case = "[run]\nffind say b\nffind say --reader\n[stdout]\n"
        self.assertEqual(self.status(case + "b--reader\\\n"), 0, self.said)
        self.assertEqual(self.status(case + "x--reader\\\n", "--with=say x"), 0, self.said)

    def test_order(self):
        self.passes("sorted: no\n[run]\nffind say 'b\\na\\n'\n[stdout]\nb\na\n")
        self.fails("sorted: no\n[run]\nffind say 'b\\na\\n'\n[stdout]\na\nb\n", "differs")
        self.passes("[run]\nffind say 'b\\na\\n--\\na\\n'\n[stdout]\na\nb\n--\na\n")
        self.fails("[run]\nffind say 'b\\n--\\na\\n'\n[stdout]\na\n--\nb\n", "differs")

    def test_notation(self):
        self.passes("[run]\nffind say '\\0376\\t\\033\\\\\\n'\n[stdout]\n\\xfe\\t\\e\\\\\n")
        self.passes("nul: yes\n[run]\nffind say 'b\\na\\0000c\\0000'\n[stdout]\nc\nb\\na\n")
        self.fails("nul: yes\n[run]\nffind say 'a\\0000c'\n[stdout]\na\nc\n", "+c\\")
        self.fails("[run]\nffind say ''\n[stdout]\n\\q\n", "unknown escape")

    def test_json(self):
        self.passes('json: yes\n[run]\nffind say \'{"a":1,"b":"x"}\\n\'\n[stdout]\n{"b": "x", "a": 1}\n')
        self.fails('json: yes\n[run]\nffind say \'{"a":1,"a":1}\\n\'\n[stdout]\n{"a": 1}\n', "INVALID")
        self.fails('json: yes\n[run]\nffind say \'{"a":1\\n\'\n[stdout]\n{"a": 1}\n', "INVALID")

    def test_paint(self):
        self.passes("paint: yes\n[run]\nffind say '\\033[0m\\033[01;34ma\\033[m\\n'\n[stdout]\n<1;34>a</>\n")
        self.passes("paint: yes\n[run]\nffind say '\\033[34ma\\033[0m\\033[34mb\\033[0mc\\n'\n[stdout]\n<34>ab</>c\n")
        self.fails("paint: yes\n[run]\nffind say '\\033[34ma\\n'\n[stdout]\n<34>a</>\n", "unended")

    def test_standard_error(self):
        self.passes("[run]\nffind err 'ffind: a\\n'\n[stderr]\nffind: .\n")
        self.fails("[run]\nffind err 'a\\n'\n", "unexpected: a")
        self.fails("[run]\nffind err 'a\\nb\\n'\n[stderr]\na\n", "unexpected: b")
        self.fails("[run]\nffind err 'ab\\n'\n[stderr]\na\n", "no line matches: a")
        self.passes("[run]\nffind err 'a\\nb\\n'\n[stderr]\na\n...\n")
        self.fails("[run]\nffind err 'b\\n'\n[stderr]\na\n...\n", "no line matches: a")

    def test_status(self):
        self.passes("[run]\nffind exit 2\n[status] 2\n")
        self.fails("[run]\nffind exit 2\n", "expected 0, got 2")
        self.passes("[run]\nexec ffind die\n[status] signal INT\n")
        self.fails("[run]\nffind exit 130\n[status] signal INT\n", "got 130")
        self.fails("timeout: 0.3\n[run]\nffind hang\n", "time ran out")

    def test_terminals(self):
        self.passes("[run]\nffind tty\n")
        self.passes("pty: stdout\n[run]\nffind tty\n[stdout]\nout\n")
        self.passes("pty: stderr\n[run]\nffind tty\n[stderr]\nerr\n")
        self.passes("pty: yes\n[run]\nffind tty\n[stdout]\nout\nerr\n")

    def test_matrix(self):
        self.passes("matrix: a=1,2 b=x,y␣z\n[run]\nffind say '{a} {b}\\n'\n[stdout]\n{a} {b}\n")
        self.fails("matrix: a=1,2\n[run]\nffind say '{a}\\n'\n[stdout]\n1\n", "say '2\\n'")

    def test_skipping(self):
        self.assertEqual(self.status("needs: no-such-command\n[run]\nffind\n"), 77)
        self.assertIn("needs no-such-command", self.said)
        self.assertEqual(self.status("[setup]\nskip because\n[run]\nffind\n"), 77)
        self.assertIn("because", self.said)

    def test_setup(self):
        self.passes("[setup]\ntree a/b c/\n[run]\ncat a/b; test -d c\n")
        self.fails("[setup]\nfalse\n[run]\ntrue\n", "[setup] ended with 1")

    def test_other_user(self):
        if self.status("as: user\n[run]\nffind id | grep -c '^0$'\n[stdout]\n0\n[status] 1\n") != 77:
            self.assertEqual(self.status("as: user\n[run]\nffind id | grep -vc '^0$'\n[stdout]\n1\n"), 0, self.said)

    def test_bad_files(self):
        self.fails("[stdout]\na\n", "no [run]")
        self.fails("wrong: yes\n[run]\nffind\n", "neither a header")
        self.fails("[run]\nffind\n[run]\nffind\n", "second [run]")

    def test_update(self):
        self.assertEqual(self.status("[run]\nffind say 'a\\033\\n'; ffind err 'x.y\\n'; ffind exit 3\n", "--update"), 0)
        self.assertEqual(self.case.read_text().split("[stdout]\n")[1], "a\\e\n[stderr]\nx\\.y\n[status] 3\n")
        self.passes(self.case.read_text().split("\n", 1)[1])


class Suite(WithStandin):
    """Many cases in one process."""

    PASS, FAIL, SKIP = "[run]\nffind say ''\n", "[run]\nffind say x\n", "needs: no-such-command\n[run]\nffind\n"

    def run_all(self, *options, **cases):
        folder = pathlib.Path(self.place.name, "cases")
        folder.mkdir(exist_ok=True)
        for name, text in cases.items():
            folder.joinpath(f"{name}.case").write_text("# promise\n" + text)
        done = subprocess.run([sys.executable, HERE / "run.py", "--ffind", self.binary, "--cases", folder, *options],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.said = done.stdout.decode()
        return done.returncode

    def test_status(self):
        self.assertEqual(self.run_all(a=self.PASS, s=self.SKIP), 0, self.__dict__.get("said"))
        self.assertEqual(self.run_all(b=self.FAIL), 1)
        self.assertIn("1 passed, 1 failed, 1 skipped of 3 cases", self.said)
        self.assertIn("+x", self.said)
        self.assertIn("  failed: b\n", self.said)
        self.assertIn("skipped s: needs no-such-command\n", self.said)

    def test_nothing_ran(self):
        self.assertEqual(self.run_all(s=self.SKIP), 77)
        self.assertEqual(self.run_all("no such case"), 1)

    def test_names(self):
        cases = {"one": self.PASS, "two": self.FAIL}
        self.assertEqual(self.run_all("one", **cases), 0, self.__dict__.get("said"))
        self.assertEqual(self.run_all("--skip", "two", **cases), 0, self.said)
        self.assertEqual(self.run_all("--skip", "three", **cases), 1)

    def test_each_in_a_process_of_its_own(self):
        alone = "[run]\nls; : > f; ulimit -n 20\n"
        self.assertEqual(self.run_all("--times", "8", "--jobs", "4", a=alone), 0, self.__dict__.get("said"))
        self.assertIn("8 passed", self.said)

    def test_mounts_are_private(self):
        case = "mount: yes\n[setup]\nmkdir m\nmount_or_skip -t tmpfs none m\n: > m/f\n[run]\nls m\n[stdout]\nf\n"
        status = self.run_all(a=case, b=case)
        self.assertIn(status, (0, 77), self.said)
        mounts = pathlib.Path("/proc/self/mounts")
        self.assertNotIn("ffind-cli-", mounts.read_text(encoding="utf-8") if mounts.exists() else "")

    def test_ways(self):
        reads, names = "[run]\nffind say ''; : --reader\n", "ways: catalog\n[run]\nffind say ''\n"
        cases = {"plain": self.PASS, "reads": reads, "names": names, "none": "ways: none\n" + self.PASS}
        self.assertEqual(self.run_all("--macos", "--way", "bulk", **cases), 0, self.__dict__.get("said"))
        self.assertIn("1 passed", self.said)
        self.assertEqual(self.run_all("--macos", "--way", "catalog", **cases), 0, self.said)
        self.assertIn("2 passed", self.said)
        self.assertEqual(self.run_all("--macos", "--way", "any", **cases), 0, self.said)
        self.assertIn("3 passed", self.said)
        self.assertEqual(self.run_all("--macos", "--way", "none", **cases), 0, self.said)
        self.assertIn("1 passed", self.said)
        self.assertEqual(self.run_all(bad="ways: sideways\n" + self.PASS), 1)

    def test_time_limit(self):
        limit = "import sys; sys.path[:0] = [sys.argv[1]]; import suite, argparse, time\n" \
                "p = argparse.ArgumentParser(); suite.add_options(p)\n" \
                "sys.exit(suite.run([suite.Case('slow', lambda: time.sleep(60))], p.parse_args([]), limit=0.2))"
        done = subprocess.run([sys.executable, "-c", limit, HERE.parent], stdout=subprocess.PIPE, check=False, timeout=50)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"did not end in time", done.stdout)


if __name__ == "__main__":
    unittest.main()
