# SPDX-License-Identifier: MIT
"""The benchmark's own test: it times nothing, mounts nothing and needs no peer.

Run by ctest as `bench-self-test`. What promises count as missed, what is left out where a machine
cannot have it, and that whoever is named in a workload exists.
"""

import sys
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True  # the checkout stays clean

import corpora
import measure
import programs
import report
import volumes
import workloads

ALL = (programs.FFIND, *programs.FFIND_VARIANTS, programs.FLOOR, *programs.PEERS)
BY_NAME = {program.name: program for program in ALL}
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


class Cold(unittest.TestCase):
    def test_forgets_before_each_run_and_does_not_warm_up(self):
        run = {
            "seconds": 1, "first_seconds": 1, "user_seconds": 0, "system_seconds": 0,
            "peak_kib": 1, "bytes": 1,
        }
        steps = []
        with (
            mock.patch("measure.run_once", lambda _, command: steps.append(command[0]) or run),
            mock.patch("measure.forget_files", lambda _, command: steps.append("forget")),
        ):
            measure.run_in_turn(Path("m"), {"a": ["a"], "b": ["b"]}, 2, cold=True)
            self.assertEqual(steps, ["forget", "a", "forget", "b"] * 2)
            steps.clear()
            measure.run_in_turn(Path("m"), {"a": ["a"], "b": ["b"]}, 1)
            self.assertEqual(steps, ["a", "b"] * 2)


class Names(unittest.TestCase):
    def test_nul_goes_before_the_question(self):
        one = installed("plocate")
        command = one.command("literal", asked("plocate"))
        self.assertEqual(one.nul_command(command)[:2], ["/bin/plocate", "-0"])

    def test_old_versions_are_marked(self):
        self.assertTrue(installed("bfs", "2.6.1").too_old)
        self.assertFalse(replace(installed("bfs"), version="4.1").too_old)


if __name__ == "__main__":
    unittest.main()
