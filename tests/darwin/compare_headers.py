#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the headers of the simulated kernel, include/, to Apple's: every number, every size and
offset of a struct, every declaration. What they say on Linux becomes assertions for a compiler that
has Apple's headers.

    compare_headers.py CXX [XNU]    prints where they differ; status 1 if they do. Tries itself first
                                    on headers with mistakes in them. XNU, a checkout of
                                    apple-oss-distributions/xnu, has the headers that CXX lacks.
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
# Apple installs these, the compiler has them not.
LACKING = ("vnode", "disk", "fsgetpath", "xattr")
SOURCES = pathlib.Path(__file__).parents[2]
PREFACE = "#include <stddef.h>\n#include <stdio.h>\n#include <sys/mount.h>\n"


def expressions_of(text):
    """What of a header has a value: C++ expressions."""
    yield from (name for name in NUMBER.findall(text) if name not in LINUX)
    for name, body in STRUCT.findall(text):
        yield f"sizeof(struct {name})"
        for member in MEMBER.findall(body):
            yield f"offsetof(struct {name}, {member})"


def installed(xnu, folder):
    """XNU's headers as they are installed: that only strips what is for the kernel, which without
    KERNEL nobody sees."""
    (folder / "sys").mkdir()
    for name in LACKING:
        shutil.copy(pathlib.Path(xnu, "bsd", "sys", f"{name}.h"), folder / "sys")
    return ["-isystem", str(folder)]


def compile_program(compiler, headers):
    """What the compiler says of the program's own files."""
    said = []
    for file in sorted((SOURCES / "src" / "os" / "darwin").glob("*.cpp")):
        with tempfile.TemporaryDirectory() as built:
            source = f'#include "{file}"\n'
            arguments = ["-c", "-Wall", "-Wextra", f"-I{SOURCES}/src", f"-I{SOURCES}/include", *headers]
            said += build(compiler, arguments, source, pathlib.Path(built, "built")).stderr.splitlines()
    return said


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


def differences(folder, header, compiler, headers=()):
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
        if build(compiler, ["-c", *headers], includes, built).returncode != 0:
            return [], [f"<{header}>"]
        values = values_of(folder, includes, expressions, built)
        source = includes + "".join(map(assertion, expressions, values)) + f'extern "C" {{\n{calls}\n}}\n'
        said = build(compiler, ["-c", "-ferror-limit=0", *headers], source, built).stderr
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


def compare(compiler, headers):
    """Whether all is as it should be."""
    agree, lacking = True, []
    for header in sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h")):
        said, missing = differences(HEADERS, header, compiler, headers)
        # What Apple's header of that name does not have, the program must not use either.
        said += [f"{name} is not in Apple's" for name in missing if not name.startswith("<")]
        lacking += [name for name in missing if name.startswith("<")]
        for line in said:
            print(f"compare_headers: <{header}> {line}")
            agree = False
    print(f"compare_headers: not in the headers at hand: {' '.join(lacking) or 'nothing'}")
    return agree


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        sys.exit(__doc__)
    compiler = arguments[0]
    try_itself(compiler)
    if len(arguments) == 1:
        print("compare_headers: without a checkout of XNU (FFIND_XNU)")
        return 0 if compare(compiler, []) else 1
    with tempfile.TemporaryDirectory() as folder:
        headers = installed(arguments[1], pathlib.Path(folder))
        said = compile_program(compiler, headers)
        print("\n".join(said or ["compare_headers: the program compiles with XNU's headers as well"]))
        return 0 if compare(compiler, headers) and not said else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
