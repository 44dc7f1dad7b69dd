#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds a volume's catalog against the walk and against find: the same questions, the same answers.

    compare.py --ffind build/ffind                    every row of rows/, several at once
    compare.py --ffind build/ffind --row NAME         this row alone
    compare.py --ffind build/ffind --method walk ...  another method in the place of the catalog
    compare.py --ffind build/ffind --keep ...         leaves image and mount for looking at, until Enter

A row is made, filled and asked at once; aged, mounted anew and asked; changed and asked each time.
FFIND_VOLUMES=all in the environment: not only the rows that say `often: yes`, one of each kind; =rest: the others.
FFIND_VOLUMES_LONG=1: also larger trees, and the rows that say `long: yes`. FFIND_SEED.
"""
import argparse
import functools
import glob
import json
import os
import random
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import changes  # noqa: E402
import fscrypt  # noqa: E402
import trees  # noqa: E402
import volume  # noqa: E402  (finds suite, too)
import suite  # noqa: E402
from questions import Question, questions  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = "m"
THREADS = ("2", "1", "8")


def ask(command, timeout=30):
    """(records, standard error, status)"""
    language = "C" if command[0] == "find" else "C.UTF-8"
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, check=False,
                              env={**os.environ, "LC_ALL": language, "TZ": "UTC0", "HOME": os.getcwd()})
    except subprocess.TimeoutExpired:
        return b"", f"did not end in {timeout} s", -1
    return done.stdout, done.stderr.decode(errors="replace"), done.returncode


def records(out, question=None):
    if not question or not question.records:
        return sorted(out.split(b"\0"))
    return sorted(without_moment(line) for line in out.split(b"\n"))


def without_moment(line):
    """Where a subvolume is not to be seen, btrfs shows a directory numbered 2 that it makes anew, of this moment,
    whenever it is looked at."""
    return re.sub(rb'"(modified|changed|accessed)":"[^"]*",', b"", line) if b'"inode":2,' in line else line


class Asker:
    """Asks the questions about the volume mounted at TOP, and remembers what was wrong."""

    def __init__(self, ffind, method, pick):
        self.ffind, self.method, self.pick = ffind, method, pick
        self.with_find, self.which = False, "light"
        self.find, self.ambiguous = [], False
        self.asked, self.walked, self.problems, self.moment = 0, 0, [], ""

    def words(self, question, method, thread):
        roots = [word for root in question.roots for word in ("--in", os.path.join(TOP, root) if root else TOP)]
        mounted = any(root and os.path.ismount(os.path.join(TOP, root)) for root in question.roots)
        if ("--cross-volumes" in question.words or mounted) and method == "catalog":
            method = "auto"  # what is crossed into, or mounted there, may have none
        ending = [] if question.records else ["-0"]
        limit = ["-n", str(question.limit)] if question.limit else []
        return [self.ffind, *ending, "--method", method, "-j", thread, *question.words, *limit, *roots]

    def complain(self, command, what, expected=(), got=()):
        text = [f"{self.moment}: {subprocess.list2cmdline(command)}", f"    {what}"]
        expected, got = list(expected), list(got)
        for name, one, other in (("missing", expected, got), ("too much", got, expected)):
            rest = subtract(one, other)
            text += [f"    {name} {len(rest)}:"] * bool(rest) + [f"      {record[:300]!r}" for record in rest[:8]]
        self.problems.append("\n".join(text))

    def put(self, question):
        if self.ambiguous and "--unique" in question.words:
            return
        self.asked += 1
        thread = THREADS[self.asked % 3]
        by_walk = self.words(question, "walk", thread)
        ours = self.words(question, self.method, thread)
        full, complaint, status = ask(self.words(Question(question.words, roots=question.roots), "walk", thread)
                                      if question.limit else by_walk)
        got, our_complaint, our_status = ask(ours)
        expected, got = records(full, question), records(got, question)
        if (sorted(complaint.splitlines()), status) != (sorted(our_complaint.splitlines()), our_status):
            self.complain(ours, f"status {our_status}, {our_complaint!r}; of the walk {status}, {complaint!r}")
        if question.limit:
            got, expected = got[1:], expected[1:]  # behind the last NUL
            if len(got) != min(question.limit, len(expected)) or subtract(got, expected):
                self.complain(ours, f"{len(got)} of {len(expected)}, {question.limit} wanted", (),
                              subtract(got, expected))
            return
        if got != expected:
            self.complain(ours, "not what the walk finds", expected, got)
        if question.find is not None and self.with_find:
            self.hold_against_find(question, by_walk, expected)

    def hold_against_find(self, question, command, got):
        roots = [os.path.join(TOP, root) if root else TOP for root in question.roots]
        depth = [] if "-mindepth" in question.find else ["-mindepth", "1"]
        expected, complaint, status = ask(["find", *roots, *self.find, *depth, *question.find, "-print0"])
        if status != 0 or records(expected) != got:
            self.complain(command, f"the walk is not what find finds ({status}, {complaint[:200]!r})",
                          records(expected), got)

    def round(self, light):
        """All questions, or those that do not take long on a large volume."""
        for question in questions(TOP, self.pick, self.which):
            if not light or question.light:
                self.put(question)
        self.count_walked()

    def count_walked(self):
        command = [self.ffind, "--stats", "--json-errors", "--method", self.method, "-q", "no such name/", "--in", TOP]
        _, text, _ = ask(command)
        told = re.search(r'"walked":(\d+)', text)
        self.walked = int(told[1]) if told else 0
        return self.walked

    def plan(self, *words):
        out, complaint, status = ask([self.ffind, "--explain", "--json", *words, "--in", TOP])
        for line in out.splitlines():
            plan = json.loads(line)
            if plan["record"] == "volume" and plan["mount_point"] == os.path.realpath(TOP):
                return plan
        return {"method": "none", "method_reason": f"status {status}: {complaint}"}


def subtract(one, other):
    left = {}
    for record in other:
        left[record] = left.get(record, 0) + 1
    rest = []
    for record in one:
        if left.get(record, 0):
            left[record] -= 1
        else:
            rest.append(record)
    return rest


def age(image):
    """Lets all inodes look settled: last changed long ago. Only the device can be told so."""
    with open("age.txt", "w", encoding="ascii") as script:
        for inode in used_inodes(image):
            script.write(f"sif <{inode}> ctime @1577836800\n")
    volume.run("debugfs", "-w", "-f", "age.txt", image)


def used_inodes(image):
    text = volume.run("dumpe2fs", image).stdout
    free = re.findall(r"Inodes per group: +(\d+)", text)
    per_group = int(free[0])
    first = int(re.search(r"First inode: +(\d+)", text)[1])
    groups = re.split(r"^Group \d+:", text, flags=re.M)[1:]
    for number, group in enumerate(groups):
        taken = set(range(number * per_group + 1, (number + 1) * per_group + 1))
        for span in re.findall(r"Free inodes: (.*)", group):
            for part in filter(None, span.replace(" ", "").split(",")):
                low, _, high = part.partition("-")
                taken -= set(range(int(low), int(high or low) + 1))
        unused = re.search(r"(\d+) unused inodes", group)
        if unused:
            taken -= set(range((number + 1) * per_group - int(unused[1]) + 1, (number + 1) * per_group + 1))
        yield from sorted(inode for inode in taken if inode >= first or inode == 2)


def check_plan(asker, row):
    """`expect: catalog`, or `expect: walk REGEX` with why."""
    method, _, reason = row.expect.partition(" ")
    plan = asker.plan()
    if asker.method == "catalog" and method == "catalog" and plan["method"] != "catalog":
        asker.problems.append(f"the plan is to {plan['method']}: {plan['method_reason']}")
    if method == "walk":
        if plan["method"] != "walk" or not re.search(reason, plan["method_reason"]):
            asker.problems.append(f"expected {row.expect}; planned {plan['method']}: {plan['method_reason']}")
        _, complaint, status = ask([asker.ffind, "--method", "catalog", "--in", TOP])
        if status != 2 or not re.search(reason, complaint):
            asker.problems.append(f"--method catalog should be refused, got status {status}: {complaint}")
        asker.method = "auto"


def check_types(asker, kind):
    """find looks st_dev up in the mount table: on btrfs it knows no type."""
    for line in ["-printf", "%p %F\n"], ["-fstype", kind], ["!", "-fstype", kind]:
        ours, finds = (sorted(ask([*program, TOP, *line])[0].split(b"\n"))
                       for program in ([asker.ffind, "--as", "find"], ["find"]))
        if ours != finds:
            asker.problems.append(f"--as find {' '.join(line)}: {len(set(ours) ^ set(finds))} lines differ")


def one(row, options):
    """Everything of one row; gives the asker."""
    seed = options.seed
    asker = Asker(options.ffind, options.method, random.Random(f"{seed} {row.name}"))
    light = options.brief or (row.questions == "light" and not (trees.LONG and row.name.startswith("ext")))
    asker.which = row.questions
    volume.make_image(row, "image")
    kind = row.type
    # To find, each subvolume is a device.
    asker.find = [] if kind == "btrfs" else ["-xdev"]
    # What a snapshot held has one number in all of it, and the same may be mounted a second time: which
    # of them is the one that --unique lists depends on which came first, and btrfs lists in two orders.
    asker.ambiguous = kind == "btrfs" and any(word in row.tree for word in ("subvolumes", "snapshots"))
    volume.mount("image", TOP, row.mount, bool(row.optional), kind)
    trees.fill(row.tree, TOP, seed)
    asker.moment = "just filled"
    if row.then is None or row.expect == "catalog" or not kind.startswith("ext"):
        check_plan(asker, row)
    for question in questions(TOP, asker.pick, asker.which):
        if question.light:
            asker.put(question)
    time.sleep(1.2)  # now the directories may be believed, sizes and times not yet
    asker.moment = "a second later"
    for question in questions(TOP, asker.pick, asker.which):
        if question.light:
            asker.put(question)
    first_walked = asker.count_walked()
    volume.unmount(TOP)
    if kind.startswith("ext"):
        volume.tune(row, "image")
        age("image")
    volume.mount("image", TOP, row.mount if row.then is None else row.then, bool(row.optional),
                 None if row.tune else kind)
    asker.moment = "aged and mounted anew"
    check_plan(asker, row)
    asker.with_find = True
    asker.round(light)
    asker.with_find = False
    check_types(asker, kind)
    settled_walked = asker.walked
    if row.walked and asker.method == "catalog" and settled_walked > int(row.walked):
        asker.problems.append(f"{settled_walked} directories of a settled volume were walked, at most {row.walked} wanted")
    for word in row.tree.split():
        for what, stage in trees.STAGES.get(word, []):
            stage(os.fsencode(TOP))
            asker.with_find = False  # which goes into bind mounts
            asker.ambiguous = True  # one directory under two paths: which comes first is left to chance
            asker.moment = what
            asker.round(light)
    if row.changes == "yes" and not options.brief:
        for what, change in changes.CHANGES:
            change(os.fsencode(TOP), asker.pick)
            asker.moment = what
            for question in changes.QUESTIONS[:2] if light else changes.QUESTIONS:
                asker.put(question)
    if row.changes == "yes" and not options.brief:
        time.sleep(1.2)
        asker.moment = "a second after all changes"
        for question in changes.QUESTIONS:
            asker.put(question)
    if row.changes == "yes" and not options.brief and asker.method == "catalog" and kind.startswith("ext"):
        changes.as_others(asker, TOP, volume.device_of(TOP))
    if options.keep:
        with open("/dev/tty", "r+", encoding="utf-8", buffering=1) as terminal:
            terminal.write(f"{os.path.abspath(TOP)} in the mount namespace of process {os.getpid()}; Enter ends it ")
            terminal.readline()
    subprocess.run(["umount", "-R", TOP], check=True)
    print(f"{row.name}: {asker.asked} questions; directories walked: {first_walked} a second after they were filled, "
          f"{settled_walked} when settled")
    return asker


def passed(row, options):
    """Runs one row and prints what is wrong."""
    if row.long and not trees.LONG:
        raise suite.Skip("takes long; FFIND_VOLUMES_LONG=1 runs it")
    which = "all" if trees.LONG or options.row or options.words else os.environ.get("FFIND_VOLUMES", "often")
    if which not in ("all", "often" if row.often else "rest"):
        raise suite.Skip("one row of each kind is enough here; FFIND_VOLUMES=rest runs the others, as CI does")
    asker = one(row, options)
    for problem in asker.problems[:10]:
        print(f"  {problem}")
    if asker.problems:
        print(f"{row.name}: {len(asker.problems)} of {asker.asked} answers are wrong (FFIND_SEED={options.seed})")
    return not asker.problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", default=os.environ.get("FFIND"), required="FFIND" not in os.environ)
    parser.add_argument("--row", action="append", help="only the row of exactly this name")
    parser.add_argument("--method", default="catalog")
    parser.add_argument("--seed", default=os.environ.get("FFIND_SEED", "1"))
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--brief", action="store_true", help="ask a little only")
    suite.add_options(parser)
    options = parser.parse_args()
    options.ffind = os.path.abspath(options.ffind)
    rows = [volume.Row(path) for path in sorted(glob.glob(os.path.join(HERE, "rows", "*.row")))]
    rows = {row.name: row for row in rows if row.name in (options.row or [row.name])}
    return suite.run([volume.case(name, functools.partial(passed, rows[name], options))
                      for name in suite.selected(rows, options.words)], options, limit=1200)


if __name__ == "__main__":
    sys.exit(main())
