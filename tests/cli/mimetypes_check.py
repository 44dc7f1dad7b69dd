#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the table of kinds to Python's own: `mimetypes_check.py --ffind build/ffind`.

Each extension that Python's mimetypes takes for a picture, sound, film or font, and that has a kind,
must have that one. Run by ctest as `kinds-mimetypes`.
"""

import argparse
import mimetypes
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = ("image", "audio", "video", "font")
# Python's answer is the rarer meaning.
EXCEPTIONS = {
    "ass": "subtitles, not AAC",
    "3gp": "mostly films; Python has both", "3gpp": "as 3gp", "3g2": "as 3gp", "3gpp2": "as 3gp",
    "mpa": "MPEG audio",
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ffind", required=True)
    ffind = Path(parser.parse_args().ffind).absolute()
    # Python's own table only: that of the machine may say anything.
    types = mimetypes.MimeTypes().types_map[True]
    said = {end[1:]: kind.split("/")[0] for end, kind in types.items()}
    said = {end: kind for end, kind in said.items() if kind in KINDS and end not in EXCEPTIONS}
    wrong = known = 0
    with tempfile.TemporaryDirectory() as folder:
        for end in said:
            (Path(folder) / f"a.{end}").touch()
        everything = "folder,text,code,data,document,spreadsheet,presentation,ebook,image,audio,"
        everything += "video,font,model,archive,disk-image,app,binary,database"
        for kind in everything.split(","):
            found = subprocess.run([ffind, "--kind", kind], cwd=folder, text=True,
                                   capture_output=True, check=True).stdout.split()
            for name in found:
                end = name[2:]
                known += end in said
                if end in said and said[end] != kind:
                    wrong += 1
                    print(f"{end}: {kind} to us, {said[end]} to Python")
    if known < 30:
        wrong += 1
        print(f"only {known} extensions are known: {len(said)} were asked for")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
