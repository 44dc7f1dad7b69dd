#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each library that the program contains has a section in THIRD_PARTY.

    third_party.py --ffind build/ffind              by the linker's trace, and by the headers that were compiled
    third_party.py --ffind build/ffind --versions   and the sources it names are those of the Debian packages here

It names the sources of the cross builds in any case. A section's heading names in parentheses the archives and objects that it is about. 77 without ninja and a linker
that traces (macOS).
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Beginnings of headers' paths below an include directory: the word that the heading has.
HEADERS = {"CLI/": "CLI11", "fmt/": "fmt", "re2/": "RE2", "utf8proc.h": "utf8proc", "ext2fs/": "e2fsprogs",
           "xxhash.h": "xxHash", "absl/": "Abseil", "c++/": "libstdc++", "gcc/": "libgcc"}
# Interfaces of the kernel, and the C library's own folders.
SYSTEM = {"asm", "asm-generic", "linux", "bits", "gnu", "sys", "net", "netinet", "arpa"}
DEVELOPMENT = ("libcli11-dev", "libfmt-dev", "libre2-dev", "libutf8proc-dev", "libxxhash-dev", "libstdc++-12-dev",
               "libext2fs-dev")


def output_of(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          **more).stdout


def contained(build):
    """Archives and objects of others that the linker takes something from."""
    link = output_of("ninja", "-C", build, "-t", "commands", "ffind").splitlines()[-1]
    with tempfile.TemporaryDirectory() as scratch:
        link = link.replace(" -o ffind ", f" -o {shlex.quote(scratch)}/ffind -Wl,--trace ", 1)
        trace = output_of("sh", "-c", link, cwd=build)
    return sorted({pathlib.Path(x).name for x in re.findall(r"(?:^|[(\s])(/[^\s()]+\.[ao])\b", trace, re.MULTILINE)})


def included(build):
    """Headers of others that the program is compiled with, without the folders that they are found in."""
    names, ours = set(), False
    for line in output_of("ninja", "-C", build, "-t", "deps").splitlines():
        if not line.startswith(" "):
            ours = line.startswith("src/")
        elif ours and line.strip().startswith("/") and not line.strip().startswith((f"{ROOT}/", f"{build}/")):
            names.add(re.sub(r"^.*/(?:include|lib)/(?:[\w.]+-linux-\w+/)?", "", line.strip()))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ffind", type=pathlib.Path, required=True)
    parser.add_argument("--versions", action="store_true")
    options = parser.parse_args()
    build = options.ffind.resolve().parent
    text = (ROOT / "THIRD_PARTY").read_text(encoding="utf-8")
    headings = re.findall(r"^=+\n(.*)\n=+$", text, re.MULTILINE)
    told = []

    def needs_source(name, version, user):
        if not re.search(rf"\b{re.escape(name)}\s{re.escape(version)}[,.]", text):
            told.append(f"THIRD_PARTY does not name {name} {version}, the source of {user}")

    for script in sorted(ROOT.glob("tests/*/*.sh")):
        for sources in re.findall(r"^debian_sources=\((.*?)\)", script.read_text(encoding="utf-8"), re.M | re.S):
            for source in sources.split():
                if not source.startswith("catch2="):  # of tests
                    needs_source(*source.split("=", 1), script.relative_to(ROOT))
    if not sys.platform.startswith("linux") or not shutil.which("ninja") or not (build / "build.ninja").exists():
        print("\n".join(told) or "skipped: needs Linux and a build by ninja")
        return 1 if told else 77

    named = {x for heading in headings for x in re.findall(r"[\w+]+", heading.partition("(")[2])}
    for name in contained(build):
        stem = re.sub(r"^(S|g|M)?(crt\w+?)[ST]?$", r"\2", name[:-2])
        if stem not in named and not any(stem.startswith(x) for x in named if x == "libabsl"):
            told.append(f"THIRD_PARTY has no section for {name}, which is linked in")
    used = {}
    for name in sorted(included(build)):
        word = next((word for start, word in HEADERS.items() if name.startswith(start)), None)
        if word:
            used[word] = name
        elif "/" in name and name.split("/")[0] not in SYSTEM:
            told.append(f"<{name}> is of a library that {pathlib.Path(__file__).name} does not know")
    for word, name in used.items():
        if not any(re.search(rf"(?<![\w+]){re.escape(word)}(?![\w+])", x) for x in headings):
            told.append(f"THIRD_PARTY has no section for {word}, of which <{name}> is included")
    if options.versions:
        for package in DEVELOPMENT:
            needs_source(*output_of("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package).split(),
                         package)
    for line in told:
        print(line)
    print(f"{len(headings)} sections: {', '.join(x.partition(' (')[0] for x in headings)}")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
