#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that call find(1) do the same with ffind in its place.

    clients.py build/ffind     0, 1 with what differs, or 77 where none could be tried

Each runs twice in a mount namespace of its own, the second time with ffind mounted on find, so it
needs root. They look at no message, and a find that leaves out a file or lists it before its
directory makes them build something else: mkinitramfs an image without a script, cpio an archive
that does not unpack, updatedb an empty database.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# A line of sh for each, which writes what it made to the file "out".
CLIENTS = {
    "mkinitramfs": "mount -t tmpfs none /lib/modules && mkdir /lib/modules/1 && : >/lib/modules/1/modules.order && "
                   "mount -t tmpfs none /boot && echo CONFIG_RD_GZIP=y >/boot/config-1 && "
                   "mkinitramfs -c gzip -o image 1 >log 2>&1; lsinitramfs image | sort >out && test -s out",
    "updatedb": "updatedb --localpaths=/usr/share/doc --output=out",
    "cpio": "mkdir unpacked && (cd /usr/include && find . | cpio -o -H newc 2>/dev/null) >archive && "
            "(cd unpacked && cpio -i <../archive 2>/dev/null) && cpio -it <archive 2>/dev/null | sort >out && "
            "diff -r --no-dereference /usr/include unpacked",
}


def made_by(line: str, stand_in: str) -> tuple[int, str, bytes]:
    with tempfile.TemporaryDirectory() as directory:
        place = f"mount --bind {stand_in} {shutil.which('find')} && " if stand_in else ""
        result = subprocess.run(["unshare", "-m", "sh", "-c", place + line], cwd=directory, check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        out = pathlib.Path(directory, "out")
        return result.returncode, result.stdout, out.read_bytes() if out.exists() else b""


def main() -> int:
    mounts = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    if os.geteuid() != 0 or not shutil.which("unshare") or subprocess.run(
            mounts, stderr=subprocess.DEVNULL, check=False).returncode:
        print("skipped: needs root and a mount namespace")
        return 77
    failed = tried = 0
    for name, line in CLIENTS.items():
        if not shutil.which(name):
            print(f"{name}: left out, is not there")
            continue
        by_find = made_by(line, "")
        if by_find[0] != 0:
            print(f"{name}: skipped, fails with find itself: {by_find[1].strip()[-200:]}")
            continue
        tried += 1
        by_ffind = made_by(line, os.path.abspath(sys.argv[1]))
        same = by_ffind == by_find
        failed += not same
        print(f"{name}: " + ("the same" if same else f"differs, status {by_ffind[0]}: {by_ffind[1].strip()[-300:]}"))
    return 1 if failed else 0 if tried else 77


if __name__ == "__main__":
    sys.exit(main())
