#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the NDJSON of the real program to man/ffind.schema.json, by the validator of
python3-jsonschema (another author's), and has jq read it too. Whoever uses the schema has to get
along with fields that a later version adds; here none may be that it does not tell of.

    schema.py --ffind build/ffind      0 passed, 1 failed, 77 skipped for want of the validator
"""
import argparse
import base64
import copy
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "man" / "ffind.schema.json"
ODD_NAMES = [
    b"plain", b".hidden", b"a b.tar.gz", b"-dash", "日本語.txt".encode(), "é.pdf".encode(),
    "\U0001f600".encode(), "‮gpj.exe".encode(), b"line\nbreak", b"tab\ttab", b'quote"back\\slash',
    b"\x1b[31mred", b"\x01\x7f",
]
RAW_NAMES = [b"\xff", b"\xed\xa0\x80", b"cut \xf0\x9f", b"\xc0\x80.t\xfft"]
skipped = []


def build_tree(top):
    """Every type of entry, under names of every sort; returns how many there are."""
    for folder in (b"", b"d/"):
        os.makedirs(top + b"/" + folder, exist_ok=True)
        for name in ODD_NAMES + RAW_NAMES:
            try:
                with open(top + b"/" + folder + name, "wb") as file:
                    file.write(name * 100)
            except OSError:
                skipped.append("names that are not UTF-8")
    os.chmod(top + b"/plain", 0o4711)
    os.utime(top + b"/plain", ns=(-1, -1_500_000_000))
    os.link(top + b"/plain", top + b"/another name of it")
    os.symlink(b"plain", top + b"/link")
    os.symlink(b"nowhere \xff\n", top + b"/broken link")
    os.mkfifo(top + b"/fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(os.fsdecode(top + b"/socket")))
    try:
        os.mknod(top + b"/block", 0o060600, os.makedev(7, 200))
        os.mknod(top + b"/char", 0o020600, os.makedev(1, 3))
    except OSError:
        skipped.append("devices")
    for attribute in ("user.xdg.comment", "user.com.apple.metadata:kMDItemFinderComment"):
        try:
            os.setxattr(top + b"/plain", attribute, b"a comment")
        except (OSError, AttributeError):
            pass
    return sum(len(folders) + len(files) for _, folders, files in os.walk(top))


def closed(schema):
    """The same, but no object may have other members than it tells of."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: closed(part) for key, part in schema.items()}
    if schema.get("type") == "object":
        strict["additionalProperties"] = False
    return strict


class Checker:
    def __init__(self, ffind, jsonschema):
        self.ffind = ffind
        self.schema = json.loads(SCHEMA.read_text())
        validator = jsonschema.Draft202012Validator
        validator.check_schema(self.schema)
        self.open_validator = validator(self.schema)
        self.validator = validator(closed(self.schema))
        self.failures = []

    def fail(self, text):
        self.failures.append(text)

    def run(self, where, *options):
        done = subprocess.run([self.ffind, *options], cwd=where, capture_output=True, check=False)
        return done.stdout, done.stderr

    def records(self, lines, of):
        """The objects of NDJSON, each valid; jq has to count as many."""
        found = []
        for line in lines.splitlines():
            record = json.loads(line)
            found.append(record)
            for error in self.validator.iter_errors(record):
                self.fail(f"{of}: {line!r}: {error.message}")
            for error in self.open_validator.iter_errors({**record, "of_a_later_version": 1}):
                self.fail(f"{of}: {line!r} with one more member: {error.message}")
        if shutil.which("jq") is None:
            skipped.append("jq")
        else:
            counted = subprocess.run(["jq", "-c", "length > 0"], input=lines, capture_output=True,
                                     check=True).stdout
            if counted.splitlines() != [b"true"] * len(found):
                self.fail(f"{of}: jq reads other objects than Python")
        return found

    def check_matches(self, top, count):
        fields = [name for name in self.schema["$defs"]["match"]["properties"]
                  if not name.endswith("_b64")]
        for options in (["--json"], ["--json=full"], ["--json=" + ",".join(fields)],
                        ["--json=full", "-L"], ["--json=full", "--absolute"]):
            found = self.records(self.run(top, *options)[0], " ".join(options))
            if len(found) != count:
                self.fail(f"{options}: {len(found)} records of {count} entries")
            paths = {base64.b64decode(record["path_b64"]) if "path_b64" in record
                     else record["path"].encode() for record in found}
            plain = set(self.run(top, "-0", *options[1:])[0].split(b"\0")) - {b""}
            if paths != plain:
                self.fail(f"{options}: other paths than -0 prints: {paths ^ plain}")
            if "," in options[0]:
                self.check_all_seen(found, fields)

    def check_all_seen(self, found, fields):
        """A field that no record has would be held to nothing."""
        unusual = {"created", "added", "private_size", "tags", "comment", "where_from", "kind", "last_opened",
                   "type_code", "creator", "flags", "duplicate_group", "deleted", "trash_path"}
        seen = set().union(*found)
        for field in set(fields) - unusual - seen:
            self.fail(f"no record has {field}")
        if not skipped and "name_b64" not in seen:
            self.fail("no record has name_b64")

    def check_counts(self, top, count):
        number = self.records(self.run(top, "--count", "--json")[0], "--count")
        if number != [{"count": count}]:
            self.fail(f"--count: {number}")
        space = self.records(self.run(top, "--usage", "--json")[0], "--usage")
        if space[-1]["depth"] != 0 or space[-1]["count"] < 10:
            self.fail(f"--usage: ends with {space[-1]}")
        for what in ("dir", "dir:1", "kind", "ext", "owner", "group", "type", "size", "age", "year", "modified",
                     "accessed:age", "depth", "path,name:q", "ext,owner", "links,mode,target", "path_length"):
            rows = self.records(self.run(top, f"--count={what}", "--json")[0], f"--count={what}")
            if not rows[-1]["total"] or rows[-1]["count"] != count:
                self.fail(f"--count={what}: ends with {rows[-1]}")
            if sum(row.get("sum_count", row["count"]) for row in rows[:-1]) != count or len(rows) < 2:
                self.fail(f"--count={what}: other rows than their total: {rows}")

    def check_errors(self, top):
        lines = self.run(top, "--json-errors", "--in", ".", "--in", "missing", "--in",
                         os.fsencode(b"not \xff here"), "-n1")[1]
        found = self.records(lines, "--json-errors")
        if [record["type"] for record in found] != ["error", "error"]:
            self.fail(f"--json-errors: {lines!r}")
        elif {record["errno"] for record in found} != {"ENOENT"}:
            self.fail(f"--json-errors: {lines!r}")

    def check_progress(self, top):
        lines = self.run(top, "--json-errors", "-n1", "--yes", "-x", "sh", "-c", "kill -USR1 $PPID; sleep 0.3")[1]
        found = self.records(lines, "SIGUSR1")
        if [record["type"] for record in found] != ["progress"]:
            self.fail(f"SIGUSR1: {lines!r}")

    def check_statistics(self, top):
        for words in (["--json"], ["--json=size"], ["--json-errors"]):
            lines = self.run(top, "--stats", *words, "-n1", "--exact", "plain", "-d1")[1]
            found = self.records(lines, "--stats")
            if [(record["type"], record["matches"]) for record in found] != [("stats", 1)]:
                self.fail(f"--stats {words}: {lines!r}")

    def check_trash_and_groups(self, top):
        os.environ["XDG_DATA_HOME"] = os.fsdecode(top) + "-data"
        for number in b"12":
            with open(top + b"/equal \xff" + bytes([number]), "w", encoding="ascii") as file:
                file.write("the same in both")
        groups = self.records(self.run(top, "--duplicates", "--json", "equal")[0], "--duplicates")
        if [record.get("duplicate_group") for record in groups] != [1, 1]:
            self.fail(f"--duplicates: {groups}")
        self.run(top, "equal", "--trash", "--yes")
        trashed = self.records(self.run(top, "--trashed", "--json=deleted,trash_path")[0], "--trashed")
        if [set(record) & {"deleted", "trash_path_b64"} for record in trashed] != [{"deleted", "trash_path_b64"}] * 2:
            self.fail(f"--trashed: {trashed}")

    def check_that_it_refuses(self, top):
        """The schema would pass anything if it were wrong in the right way."""
        good = json.loads(self.run(top, "--json=full", "--exact", "plain", "-d1")[0])
        for name, value in (("path", None), ("size", "1"), ("size", -1), ("mode", "644"),
                            ("modified", "2026-01-31T12:00:00Z"), ("type", "folder"),
                            ("unheard_of", 1), ("path_b64", "Zg"), ("tags", "Red"),
                            ("target_b64", "Zg==")):
            bad = copy.deepcopy(good)
            if value is None:
                del bad[name]
            else:
                bad[name] = value
            validator = self.validator if name == "unheard_of" else self.open_validator
            if not list(validator.iter_errors(bad)):
                self.fail(f"the schema lets {name} = {value!r} pass")
        for row in ({"ext": "c", "dir": "src", "count": 1, "size": 1},
                    {"age": "old", "count": 1, "size": 1, "allocated": 1},
                    {"depth": "1", "count": 1, "size": 1, "allocated": 1},
                    {"count": 1, "size": 1, "allocated": 1, "total": True, "kind": "code"}):
            if not list(self.open_validator.iter_errors(row)):
                self.fail(f"the schema lets {row} pass")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ffind", required=True, type=os.path.abspath)
    ffind = parser.parse_args().ffind
    try:
        import jsonschema
    except ImportError:
        print("skipped: python3-jsonschema is not installed")
        return 77
    checker = Checker(ffind, jsonschema)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        top = os.fsencode(name) + b"/tree"
        count = build_tree(top)
        checker.check_matches(top, count)
        checker.check_counts(top, count)
        checker.check_errors(top)
        checker.check_progress(top)
        checker.check_statistics(top)
        checker.check_that_it_refuses(top)
        checker.check_trash_and_groups(top)
    for failure in checker.failures:
        print(failure)
    for what in sorted(set(skipped)):
        print(f"without {what}")
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
