# SPDX-License-Identifier: MIT
"""The benchmark's own test, run by ctest as `bench-self-test`: it mounts nothing and needs no peer. Whatever a workload
names exists, and a page of a tiny tree is made, with what it missed."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.dont_write_bytecode = True  # the checkout stays clean

import corpora
import measure
import page
import programs
import report
import volumes
import workloads

ALL = (programs.FFIND, *programs.FFIND_VARIANTS, *programs.FLOORS, *programs.PEERS)
BY_NAME = {program.name: program for program in ALL}
FFIND = sys.argv[sys.argv.index("--ffind") + 1] if "--ffind" in sys.argv else None


def installed(name: str) -> programs.Installed:
    return programs.Installed(BY_NAME[name], f"/bin/{name}", "9.0.0")


def result(work: workloads.Workload, **seconds: float) -> report.Result:
    samples = {name: measure.Samples([value], [value], [0], [0], 1024, 1) for name, value in seconds.items()}
    there = {name: installed(name) for name in samples}
    return report.Result(work, 7, there, {name: [name] for name in samples}, samples)


class Workloads(unittest.TestCase):
    def test_whatever_is_named_exists(self):
        order = [work.corpus for work in workloads.WORKLOADS]
        runs = [name for at, name in enumerate(order) if at == 0 or order[at - 1] != name]
        self.assertEqual(len(runs), len(set(runs)), "workloads of a corpus follow each other")
        names = [work.name for work in workloads.WORKLOADS]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(set(page.WORKLOADS), set(names))
        self.assertLessEqual({name for *_, name in page.PANELS}, set(page.WORKLOADS))
        for work in workloads.WORKLOADS:
            self.assertIn(work.corpus, {**corpora.MAKERS, **volumes.KINDS}, work.name)
            self.assertLessEqual(set(work.promises), set(work.beside), work.name)
            for name in work.beside:
                one = installed(name)
                if work.question in one.program.questions:
                    asked = one.asked(Path("/r"), 2, 33, work.method, Path("/i"))
                    command = one.command(work.question, asked)
                    self.assertTrue(all(isinstance(word, str) for word in command), command)
                    one.checked_command(work.question, command)
                self.assertTrue(name not in work.promises or work.question in one.program.questions, work.name)


class Promises(unittest.TestCase):
    def missed(self, name: str, **seconds: float) -> int:
        work = next(work for work in workloads.WORKLOADS if work.name == name)
        full = report.Report(report.Machine("x", 2, "Linux 6.18.44-of-here x86_64", 0.0, "d"), [result(work, **seconds)])
        text, missed = page.printed(full)
        self.assertNotIn("of-here", text)
        return missed

    def test_kept_within_noise_and_missed(self):
        for seconds, missed in ((0.64, 0), (0.68, 0), (0.70, 1)):
            self.assertEqual(self.missed("size", ffind=seconds, fd=1), missed)

    def test_a_walk_is_held_to_the_floor(self):
        self.assertEqual(self.missed("size", ffind=0.62, floor=0.6, bfs=1), 0)
        self.assertEqual(self.missed("size", ffind=0.62, floor=0.4, bfs=1), 1)
        self.assertEqual(self.missed("volume-usage", ffind=1, floor=9, du=1), 1)  # a catalog is no walk


class Page(unittest.TestCase):
    @unittest.skipUnless(FFIND and shutil.which("g++"), "needs --ffind and a compiler")
    def test_a_page_of_a_tiny_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            (top / "tree" / "inner").mkdir(parents=True)
            (top / "tree" / "inner" / "config.h").write_bytes(b"x" * 20_000)
            done = subprocess.run(
                [Path(__file__).with_name("bench"), "--ffind", FFIND, "--corpus", top / "made",
                 "--tree", top / "tree", "--page", top / "page", "--rounds", "1",
                 "--only", "list", "--only", "size", "--only", "usage"],
                capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"},
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (top / "page" / page.TABLES).read_text()
            self.assertRegex(text, r"\| list everything \| 2 \| [0-9.]+ ms \|")
            self.assertRegex(text, r"\| files over 10k \| 1 \| [0-9.]+ ms \|")
            self.assertRegex(text, r"\| what takes the space \| 2 \| [0-9.]+ ms \|")
            self.assertNotIn(folder, text)
            xml.etree.ElementTree.parse(top / "page" / page.CHART)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
