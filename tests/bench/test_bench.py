# SPDX-License-Identifier: MIT
"""The benchmark's own test: it mounts nothing and needs no peer.

Run by ctest as `bench-self-test`. What promises count as missed, what is left out where a machine
cannot have it, and that whoever is named in a workload exists. With --ffind FILE it also makes a
page of a tiny tree.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from dataclasses import replace
from pathlib import Path
from unittest import mock

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
WORK = workloads.on_catalog("w", "work", "literal", promises={"plocate": 2.5})


def installed(name: str, version: str = "9.0.0") -> programs.Installed:
    return programs.Installed(BY_NAME[name], f"/bin/{name}", version)


def asked(name: str, method: str = "catalog") -> programs.Asked:
    return installed(name).asked(Path("/r"), 2, 33, method, Path("/i"))


def result(work: workloads.Workload, **seconds: float) -> report.Result:
    samples = {
        name.replace("_", "-"): measure.Samples([value], [value], [0], [0], 1024, 1)
        for name, value in seconds.items()
    }
    there = {name: installed(name) for name in samples}
    return report.Result(work, 7, there, {name: [name] for name in samples}, samples)


def report_on(*results: report.Result, **others) -> report.Report:
    return report.Report(report.Machine("x", 2, "k", 0.0, "d"), [], list(results), **others)


class Tables(unittest.TestCase):
    def test_whoever_is_named_exists(self):
        for work in workloads.WORKLOADS:
            self.assertIn(work.corpus, {**corpora.MAKERS, **volumes.KINDS}, work.name)
            self.assertLessEqual(set(work.beside), set(BY_NAME), work.name)
            self.assertLessEqual(set(work.promises), set(work.beside), work.name)
            for name in work.promises:
                self.assertIn(work.question, BY_NAME[name].questions, work.name)

    def test_workloads_of_a_corpus_follow_each_other(self):
        order = [work.corpus for work in workloads.WORKLOADS]
        runs = [name for at, name in enumerate(order) if at == 0 or order[at - 1] != name]
        self.assertEqual(len(runs), len(set(runs)))

    def test_names_are_unique(self):
        names = [work.name for work in workloads.WORKLOADS]
        self.assertEqual(len(names), len(set(names)))

    def test_every_question_makes_a_command(self):
        for program in ALL:
            for question in program.questions:
                command = installed(program.name).command(question, asked(program.name))
                self.assertTrue(all(isinstance(word, str) for word in command), command)

    def test_what_is_left_to_another_program(self):
        one = installed("fd")
        command = one.command("sorted", asked("fd"))
        self.assertEqual(command[2:5], ['"$@" | LC_ALL=C sort', "sh", one.executable])
        self.assertEqual(
            one.nul_command(command)[2:6],
            ['"$@" | LC_ALL=C sort -z', "sh", one.executable, "-0"],
        )

    def test_sums_are_compared_in_bytes(self):
        for name, question, words in (
            ("ffind", "usage", ["--method", "catalog", "-j", "2", "--usage", "--in", "/r"]),
            ("du", "usage", ["-B1", "-x", "/r"]),
            ("dust", "usage", ["-o", "b", "-T", "2", "/r"]),
            ("gdu", "usage", ["-s", "--no-prefix", "-n", "-m", "2", "/r"]),
            ("gdu", "usage-total", ["--no-prefix", "-n", "-m", "2", "-s", "/r"]),
        ):
            one = installed(name)
            command = one.command(question, asked(name))
            self.assertEqual(one.checked_command(question, command)[1:], words, name)
            self.assertIs(one.answer_to(question), measure.Answer.TOTAL)
        self.assertIs(installed("floor").answer_to("usage"), measure.Answer.COUNT)
        self.assertIs(installed("ffind").answer_to("all"), measure.Answer.PATHS)

    def test_methods(self):
        for name, expected in {
            "ffind": ["--method", "catalog", "-j", "2"],
            "ffind-walk": ["--method", "walk", "-j", "2"],
            "ffind-auto": ["-j", "2"],
            "ffind-j16": ["--method", "catalog", "-j", "16"],
        }.items():
            command = installed(name).command("all", asked(name))
            self.assertEqual(command[1:], [*expected, "--in", "/r"], name)
        walk = installed("ffind").command("all", asked("ffind", "walk"))
        self.assertEqual(walk[1:3], ["--method", "walk"])


class Promises(unittest.TestCase):
    def test_kept_within_noise_and_missed(self):
        for ours, missed in ((2.5, 0), (2.6, 0), (2.7, 1)):
            text, count = report.markdown(report_on(result(WORK, ffind=ours, plocate=1.0)))
            self.assertEqual(count, missed, text)

    def test_a_peer_that_is_near_the_floor_is_held_to_it(self):
        work = by_name("size")
        self.assertEqual(work.promises["bfs"], 0.5)
        for floor, limit in ((0.6, 0.6), (0.4, 0.5)):
            self.assertEqual(report.limit_of(result(work, ffind=1, floor=floor, bfs=1), "bfs"), limit)
        self.assertEqual(report.limit_of(result(work, ffind=1, bfs=1), "bfs"), 0.5)
        self.assertEqual(report.limit_of(result(by_name("list"), ffind=1, floor=9), "floor"), 1.25)
        self.assertEqual(report.limit_of(result(by_name("empty"), ffind=1, floor=9, find=1), "find"), 1)
        volume = by_name("volume-usage")  # a catalog's, which is no walk
        self.assertEqual(report.limit_of(result(volume, ffind=1, floor=9, du=1), "du"), 0.15)
        text, count = report.markdown(report_on(result(work, ffind=0.62, floor=0.6, bfs=1.0)))
        self.assertEqual(count, 0, text)
        self.assertIn("<= 0.6 (the floor's; 0.5 where that takes less)", text)

    def test_memory_with_more_threads_is_held_too(self):
        fat = result(WORK, ffind=1.0, ffind_walk=1.0, ffind_j16=1.0)
        for name in ("ffind-walk", "ffind-j16"):
            fat.samples[name].peak_kib = 33 * 1024
        text, count = report.markdown(report_on(fat))
        self.assertEqual(count, 1, text)

    def test_a_missing_peer_is_no_miss(self):
        text, count = report.markdown(report_on(result(WORK, ffind=9.0)))
        self.assertEqual(count, 0)
        self.assertIn("| work |  |  |  |  |  | 1.0 MiB |", text)

    def test_without_ffind(self):
        text, count = report.markdown(report_on(result(WORK, plocate=1.0)))
        self.assertEqual(count, 0)
        self.assertIn("not measured", text)

    def test_small_ratios_keep_two_digits(self):
        self.assertEqual(report.show_ratio(0.0634), "0.063")
        self.assertEqual(report.show_ratio(0.634), "0.63")

    def test_what_is_skipped_is_said(self):
        full = report_on(skipped={"volume": "only root may mount it"})
        full.indexes.append(report.Index("plocate 1", "volume", 2.25, 3_000_000))
        text, _ = report.markdown(full)
        self.assertIn("- volume: only root may mount it", text)
        self.assertIn("plocate 1 indexed volume beforehand: 2.2 s, 3.0 MB", text)
        self.assertIn('"skipped"', report.raw_figures(full))


class Volumes(unittest.TestCase):
    def setUp(self):
        volumes.leave_mount_namespace.cache_clear()

    def test_only_root_mounts(self):
        with mock.patch("os.geteuid", return_value=1000):
            with self.assertRaisesRegex(volumes.VolumeError, "only root"):
                volumes.leave_mount_namespace()

    def test_a_missing_tool_is_named(self):
        with self.assertRaisesRegex(volumes.VolumeError, "mkfs.none is missing"):
            volumes.run_tool("mkfs.none")

    def test_a_failing_tool_is_named(self):
        with self.assertRaisesRegex(volumes.VolumeError, "ls .*no-such"):
            volumes.run_tool("ls", "/no-such")

    def test_a_corpus_that_is_no_volume_is_just_there(self):
        with volumes.opened(corpora.Corpus("tree", Path("/"), None, None)):
            pass


class Answers(unittest.TestCase):
    def read(self, text: str, answer: measure.Answer) -> int:
        return measure.read_answer(["printf", text], answer).number

    def test_of_each_kind(self):
        self.assertEqual(self.read(r"a\0b/9\n\0", measure.Answer.PATHS), 2)
        self.assertEqual(self.read("12\n", measure.Answer.COUNT), 12)
        self.assertEqual(self.read("", measure.Answer.COUNT), -1)

    def test_totals(self):
        for text in (
            r"4096\t./7\n12288\t.\n", r"  8192B |-- 7\n 12288B .-- 0\n", "12288 0\n",
        ):
            self.assertEqual(self.read(text, measure.Answer.TOTAL), 12288, text)
        self.assertEqual(self.read("none\n", measure.Answer.TOTAL), -1)

    def test_the_space_of_directories(self):
        with tempfile.TemporaryDirectory() as folder:
            inner = Path(folder) / "inner"
            inner.mkdir()
            (inner / "file").write_bytes(b"x" * 9000)
            space = sum(one.stat().st_blocks * 512 for one in (Path(folder), inner))
            self.assertEqual(corpora.directories_of(Path(folder)), (2, space))


class Rounds(unittest.TestCase):
    def steps(self, names: str, rounds: int, cold: bool = False) -> list[str]:
        run = {
            "seconds": 1, "first_seconds": 1, "user_seconds": 0, "system_seconds": 0,
            "peak_kib": 1, "bytes": 1,
        }
        steps = []
        with (
            mock.patch("measure.run_once", lambda _, command: steps.append(command[0]) or run),
            mock.patch("measure.forget_files", lambda _, command: steps.append(f"forget {command[0]}")),
        ):
            measure.run_in_turn(Path("m"), {name: [name] for name in names}, rounds, cold)
        return steps

    def test_cold_ones_forget_before_each_run_and_do_not_warm_up(self):
        steps = self.steps("ab", 2, cold=True)
        self.assertEqual(steps[::2], [f"forget {name}" for name in steps[1::2]])
        self.assertEqual(sorted(steps[1::2]), ["a", "a", "b", "b"])

    def test_begin_with_one_run_of_each_that_does_not_count(self):
        self.assertEqual(self.steps("abc", 0), ["a", "b", "c"])

    def test_have_each_program_once_and_behind_each_other_one_in_time(self):
        steps = self.steps("abc", 20)[3:]
        rounds = ["".join(steps[at:at + 3]) for at in range(0, len(steps), 3)]
        self.assertEqual({"".join(sorted(each)) for each in rounds}, {"abc"})
        pairs = {first + second for first, second in zip(steps, steps[1:])}
        self.assertLessEqual({"ab", "ac", "ba", "bc", "ca", "cb"}, pairs)


def by_name(name: str) -> workloads.Workload:
    return next(work for work in workloads.WORKLOADS if work.name == name)


class Page(unittest.TestCase):
    def setUp(self):
        slow = result(
            by_name("slow-disk-0.5-list"), ffind=0.3, ffind_j1=8.0, ffind_j2=3.0, fd=2.5, find=0.2
        )
        slow.left_out["bfs"] = "bfs ended with status 1: /corpora/slow: no"
        warm = result(by_name("list"), ffind=0.2, floor=0.19, fd=0.5)
        warm.commands["fd"] = ["/bin/fd", ".", "/corpora/tree"]
        self.full = report_on(warm, slow, skipped={"volume-huge": "mkfs.xfs is missing"})
        self.full.machine = replace(self.full.machine, kernel="Linux 6.18.44-of-here x86_64")

    def measured(self) -> page.Measured:
        return page.Measured.read("\n".join(map(json.dumps, page.records(self.full))))

    def test_what_it_shows_exists(self):
        names = {work.name for work in workloads.WORKLOADS}
        self.assertLessEqual(set(page.WORKLOADS), names)
        self.assertLessEqual({name for *_, name in page.PANELS}, set(page.WORKLOADS))
        self.assertLessEqual(set(page.DRAWN), set(BY_NAME))

    def test_tables(self):
        text = page.markdown(self.measured())
        self.assertIn("| floor 9.0.0 | fd 9.0.0 |", text)
        self.assertIn("| 0.20 s |", text)
        self.assertIn("0.50 s (0.40)", text)
        self.assertIn("| 0.30 s | 8.00 s | 3.00 s |", text)
        self.assertIn("0.20 s (**1.50**)", text)  # where ffind loses
        self.assertIn("volume-huge: mkfs.xfs is missing", text)
        self.assertIn("without bfs", text)
        self.assertNotIn("of-here", text)

    def test_records(self):
        lines = page.records(self.full)
        self.assertEqual(lines[0]["type"], "run")
        records = {(one["workload"], one.get("program")): one for one in lines[1:]}
        floor = records["list", "floor"]
        self.assertEqual((floor["ffind_by_it"], floor["promised"], floor["kept"]), (1.0526, 1.25, True))
        self.assertFalse(records["slow-disk-0.5-list", "ffind-j1"].get("kept") is False)
        self.assertNotIn("ffind_by_it", records["list", "ffind"])
        self.assertEqual(records["volume-huge", None]["type"], "left_out")

    def test_no_folder_of_the_machine_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            page.write(Path(folder), self.full, [], Path("/corpora"))
            for name in (page.TABLES, page.RECORDS, page.CHART):
                self.assertNotIn("/corpora", (Path(folder) / name).read_text(), name)
                self.assertNotIn("/bin/fd", (Path(folder) / name).read_text(), name)

    def test_what_is_not_measured_anew_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            page.write(Path(folder), self.full, [])
            again = report_on(result(by_name("list"), ffind=0.1, fd=0.8))
            again.machine = self.full.machine
            page.write(Path(folder), again, page.kept_lines(Path(folder)))
            measured = page.Measured.read((Path(folder) / page.RECORDS).read_text())
            self.assertEqual(set(measured.results["list"]), {"ffind", "fd"})
            self.assertEqual(measured.results["list"]["fd"]["ffind_by_it"], 0.125)
            self.assertEqual(len(measured.results["slow-disk-0.5-list"]), 5)
            self.assertEqual(len(measured.left_out), 2)

    def test_the_chart_is_drawn_to_scale(self):
        drawn = xml.etree.ElementTree.fromstring(page.draw(self.measured()))
        space = "{http://www.w3.org/2000/svg}"
        bars = [one for one in drawn.iter(space + "rect") if one.get("class") in ("bar", "ours")]
        self.assertEqual([one.get("class") for one in bars], ["ours", "bar"] + ["ours", "bar", "bar"])
        widths = [float(one.get("width")) for one in bars]
        self.assertAlmostEqual(widths[0] / widths[1], 0.4, 2)
        self.assertAlmostEqual(widths[2] / widths[3], 0.12, 2)
        right = float(drawn.get("width"))
        for one in bars:
            self.assertLess(float(one.get("x")) + float(one.get("width")), right)

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
            self.assertNotIn(folder, text + (top / "page" / page.RECORDS).read_text())
            xml.etree.ElementTree.parse(top / "page" / page.CHART)


class Names(unittest.TestCase):
    def test_nul_goes_before_the_question(self):
        one = installed("plocate")
        command = one.command("literal", asked("plocate"))
        self.assertEqual(one.nul_command(command)[:2], ["/bin/plocate", "-0"])

    def test_old_versions_are_marked(self):
        self.assertTrue(installed("bfs", "2.6.1").too_old)
        self.assertFalse(replace(installed("bfs"), version="4.1").too_old)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
