#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what is written in programs that were built for macOS: processor, oldest system, libraries.

    check_macho.py FFIND ARCH        prints what is wrong; status 1 if there is anything
    check_macho.py --self-test CC    has CC build programs that are wrong, and looks who is caught
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

OLDEST = "14.0"
# What the readers and the catalog stand on: without one of these it is not the program we mean.
EXPECTED = {"_getattrlistbulk", "_searchfs", "_fsgetpath", "_fts_open"}
README = pathlib.Path(__file__).with_name("README.md")
LIBRARIES = {"/usr/lib/libSystem.B.dylib"}
# One function's newer forms, which x86_64 tells by a suffix: macOS 10.6 has them all.
VARIANT = re.compile(r"\$(INODE64|DARWIN_EXTSN|UNIX2003|NOCANCEL|1050)")


def tool(name, *arguments):
    path = shutil.which(name + "-14") or shutil.which(name)
    if path is None:
        sys.exit(f"check_macho: {name} is not installed (Debian: apt-get install llvm-14)")
    return subprocess.run([path, *arguments], check=True, capture_output=True, text=True).stdout


def imports_of(program):
    names = tool("llvm-nm", "--undefined-only", "--format=just-symbols", program).split()
    return {VARIANT.sub("", name) for name in names}


def is_named(library, source):
    """llvm-nm shortens an install name that it understands, /usr/lib/libz.1.dylib to libz."""
    return source == library or pathlib.PurePosixPath(library).name.startswith(source + ".")


def calls_of(text):
    """The calls that were looked up: names in the first column of the README's table of calls."""
    section = re.search(r"^## Calls$(.*?)^## ", text, re.M | re.S)
    rows = re.findall(r"^\|([^|]*)\| *(?:same|simulated|read|believed) *\|", section[1], re.M)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def problems_of(program, arch):
    headers = tool("llvm-objdump", "--macho", "--private-headers", program)
    imports = imports_of(program)
    sources = set(re.findall(r"\(from (\S+)\)$", tool("llvm-nm", "--undefined-only", "-m", program), re.M))

    if not re.search(rf"^MH_MAGIC_64 +{arch} +\S+ +\S+ +EXECUTE ", headers, re.M | re.I):
        yield f"is no program for {arch}"
    version = re.search(r"cmd LC_BUILD_VERSION\n.*\n +platform (\w+)\n.*\n +minos (\S+)", headers)
    if version is None or version.groups() != ("macos", OLDEST):
        yield f"is for {' '.join(version.groups()) if version else 'no version of macOS'}, not macos {OLDEST}"
    # On arm64 macOS kills what is not signed, be it by nobody.
    if arch == "arm64" and "cmd LC_CODE_SIGNATURE" not in headers:
        yield "is not signed"
    for library in re.findall(r"cmd LC_LOAD_\w*DYLIB\n.*\n +name (.*) \(offset", headers):
        if library not in LIBRARIES:
            yield f"needs the library {library}"
        if not any(is_named(library, source) for source in sources):
            yield f"loads the library {library} and imports nothing from it"
    for name in sorted(EXPECTED - imports):
        yield f"does not import {name}"
    for name in sorted({name.removeprefix("_") for name in imports} - calls_of(README.read_text())):
        if not name.startswith("_Z"):
            yield f"imports {name}, which is not in the table of calls: look it up in Apple's sources (README.md)"


def self_test(compiler):
    """Everything is wrong with the first program but what each case puts right."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "plain.c").write_text("int main(void) { return 0; }\n")
        (folder / "own.c").write_text("int own(void) { return 0; }\n")
        (folder / "uses.c").write_text("int own(void);\nint main(void) { return own(); }\n")

        def build(*arguments):
            subprocess.run([compiler, *arguments], check=True, cwd=folder)

        build("plain.c", "-o", "plain")
        build("own.c", "-shared", "-install_name", "@rpath/libown.dylib", "-o", "libown.dylib")
        build("uses.c", "libown.dylib", "-o", "uses")
        build("plain.c", "libown.dylib", "-o", "unused")
        build("plain.c", "libown.dylib", "-Wl,-dead_strip_dylibs", "-o", "stripped")
        (folder / "earlier").write_bytes(set_minimum((folder / "plain").read_bytes()))
        for name, arch, expected in (
                ("plain", "arm64", "does not import _searchfs"),
                ("plain", "x86_64", "is no program for x86_64"),
                ("libown.dylib", "arm64", "is no program for arm64"),
                ("uses", "arm64", "needs the library @rpath/libown.dylib"),
                ("unused", "arm64", "loads the library @rpath/libown.dylib and imports nothing from it"),
                ("uses", "arm64", "imports own, which is not in the table of calls: look it up in Apple's "
                                  "sources (README.md)"),
                ("earlier", "arm64", "is for macos 13.0, not macos 14.0")):
            found = list(problems_of(str(folder / name), arch))
            if expected not in found:
                sys.exit(f"check_macho: of {name} ({arch}) it should say that it {expected}; it says {found}")
        for name in ("uses", "stripped"):
            if any("imports nothing" in found for found in problems_of(str(folder / name), "arm64")):
                sys.exit(f"check_macho: {name} loads only what it imports from")
        if any("14.0" in found or "signed" in found for found in problems_of(str(folder / "plain"), "arm64")):
            sys.exit("check_macho: finds fault with what is right")
    print("check_macho: every fault was found")


def set_minimum(program):
    """The program with another minimum: LC_BUILD_VERSION is 0x32, macOS 1, then the version."""
    command = bytes.fromhex("32000000 20000000 01000000 00000e00")
    assert program.count(command) == 1
    return program.replace(command, command[:-4] + bytes.fromhex("00000d00"))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--self-test":
        self_test(arguments[1])
    elif len(arguments) == 2 and not arguments[0].startswith("-"):
        problems = list(problems_of(*arguments))
        for problem in problems:
            print(f"check_macho: {arguments[0]} {problem}")
        return 1 if problems else 0
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
