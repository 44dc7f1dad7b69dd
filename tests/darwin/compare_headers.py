#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the headers of the simulated kernel, include/, to Apple's: every number, every size and
offset of a struct, every declaration. What they say on Linux becomes assertions for a compiler that
has Apple's headers.

    compare_headers.py CXX    prints where they differ; status 1 if they do. Tries itself first on
                              headers with mistakes in them.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HEADERS = pathlib.Path(__file__).with_name("include")
NUMBER = re.compile(r"^#define ([A-Z][A-Z0-9_]+) +(?!\")\S", re.M)
STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{\n(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"(\w+)(?:\[[^\]]*\])?;$", re.M)
CALL = re.compile(r"^[^#/\n][^;{}]*?\)\s*DARWIN_CALL\(\w+\);", re.M)
# Numbers that the simulated kernel hands on to Linux, and so are Linux's on purpose.
LINUX = {"ENOATTR", "O_SYMLINK", "CLOCK_MONOTONIC_RAW_APPROX", "CLOCK_UPTIME_RAW", "CLOCK_UPTIME_RAW_APPROX"}
PREFACE = "#include <stddef.h>\n#include <stdio.h>\n#include <sys/mount.h>\n"


def expressions_of(text):
    """What of a header has a value: C++ expressions."""
    yield from (name for name in NUMBER.findall(text) if name not in LINUX)
    for name, body in STRUCT.findall(text):
        yield f"sizeof(struct {name})"
        for member in MEMBER.findall(body):
            yield f"offsetof(struct {name}, {member})"


def build(compiler, arguments, source, output):
    output.with_suffix(".cpp").write_text(source)
    return subprocess.run([compiler, "-std=c++20", *arguments, "-o", output, output.with_suffix(".cpp")],
                          text=True, capture_output=True, check=False)


def values_of(folder, includes, expressions, program):
    """Of all expressions as the simulated headers have them."""
    prints = (f'printf("%lld\\n", (long long)({expression}));\n' for expression in expressions)
    done = build("c++", ["-w", "-isystem", folder], f"{includes}int main() {{\n{''.join(prints)}}}\n", program)
    if done.returncode != 0:
        sys.exit(f"compare_headers: cannot be read on Linux:\n{done.stderr}")
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()


def assertion(expression, value):
    text = f"static_assert((long long)({expression}) == {value}LL);\n"
    if "(" in expression:
        return text
    return f"#ifdef {expression}\n{text}#else\n#warning MISSING {expression}\n#endif\n"


def differences(folder, header, compiler):
    """(what the compiler says against a header, what its own headers do not have at all)"""
    text = (folder / header).read_text()
    expressions = list(expressions_of(text))
    # A declaration that does not agree with an earlier one is an error.
    calls = re.sub(r"DARWIN_CALL\(\w+\)", "", "\n".join(CALL.findall(text)))
    if not expressions and not calls:
        return [], []
    includes = PREFACE + f"#include <{header}>\n"
    with tempfile.TemporaryDirectory() as built:
        built = pathlib.Path(built, "built")
        if build(compiler, ["-c"], includes, built).returncode != 0:
            return [], [f"<{header}>"]
        values = values_of(folder, includes, expressions, built)
        source = includes + "".join(map(assertion, expressions, values)) + f'extern "C" {{\n{calls}\n}}\n'
        said = build(compiler, ["-c", "-ferror-limit=0"], source, built).stderr
    return re.findall(r"error: (.*)", said), re.findall(r"warning: MISSING (\w+)", said)


def try_itself(compiler):
    mistakes = (
        ("sys/attr.h", "#define ATTR_CMN_OBJTYPE 0x00000008", "#define ATTR_CMN_OBJTYPE 0x00000009"),
        ("sys/attr.h", "unsigned char ss_fsstate[548]", "unsigned char ss_fsstate[540]"),
        ("sys/stat.h", "int fstat(int fd, struct stat*", "int fstat(long fd, struct stat*"))
    for header, right, wrong in mistakes:
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "include")
            shutil.copytree(HEADERS, copy)
            text = (copy / header).read_text()
            if right not in text:
                sys.exit(f"compare_headers: {header} has no {right} to make a mistake in")
            (copy / header).write_text(text.replace(right, wrong))
            if not differences(copy, header, compiler)[0]:
                sys.exit(f"compare_headers: does not notice {wrong}")


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    try_itself(arguments[0])
    status, missing = 0, []
    for header in sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h")):
        said, lacks = differences(HEADERS, header, arguments[0])
        missing += lacks
        for line in said:
            print(f"compare_headers: <{header}> {line}")
            status = 1
    print(f"compare_headers: not in the headers at hand: {' '.join(missing) or 'nothing'}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
