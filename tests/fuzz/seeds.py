#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes valid inputs for the fuzz targets, so that fuzzing starts behind the first checks.

seeds.py NAME DIRECTORY writes those of one target (attribute_records, ...) to a directory. run.sh
calls it before each run; what of them is worth keeping comes back as part of corpus/NAME.
"""
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

NAME, DEVID, OBJTYPE, FINDER, FILEID, PARENTID = 0x1, 0x2, 0x8, 0x4000, 0x2000000, 0x4000000
ERROR, RETURNED = 0x20000000, 0x80000000
TIMES = (0x200, 0x400, 0x800, 0x1000)
WORDS = (DEVID, OBJTYPE, 0x8000, 0x10000, 0x20000, 0x40000)
ORDER = (ERROR, NAME, DEVID, 0x4, OBJTYPE, *TIMES, FINDER, 0x8000, 0x10000, 0x20000, 0x40000,
         FILEID, PARENTID)
ALL = sum(ORDER) | RETURNED


def record(common, directory=0, file=0, vtype=1, name=b"name", error=0, bulk=True):
    """One record; values that nothing depends on are small numbers."""
    head = struct.pack("<5I", common, 0, directory, file, 0) if bulk else b""
    fixed, reference = b"", None
    for bit in ORDER:
        if not common & bit:
            continue
        if bit == NAME:
            reference = len(fixed)
            fixed += bytes(8)
        elif bit == ERROR:
            fixed += struct.pack("<I", error)
        elif bit in TIMES:
            fixed += struct.pack("<qq", 1_700_000_000, bit)
        elif bit == FINDER:
            fixed += bytes(8) + b"\x20\x00" + bytes(22)
        elif bit in WORDS:
            fixed += struct.pack("<I", vtype if bit == OBJTYPE else 0o644)
        else:
            fixed += struct.pack("<Q", 42)
    if bulk or vtype == 2:
        for bit, size in ((1, 4), (2, 4), (4, 4), (8, 8), (0x20, 8)):
            fixed += bytes([1] + [0] * (size - 1)) if directory & bit else b""
    if bulk or vtype != 2:
        for bit, size in ((1, 4), (4, 8), (0x200, 8)):
            fixed += bytes([1] + [0] * (size - 1)) if file & bit else b""
    text = b""
    if reference is not None:
        text = name + b"\0"
        at = struct.pack("<iI", len(fixed) - reference, len(text))
        fixed = fixed[:reference] + at + fixed[reference + 8:]
    body = head + fixed + text
    body += bytes(-(len(body) + 4) % (8 if bulk else 4))
    return struct.pack("<I", len(body) + 4) + body


def attribute_records():
    def seed(layout, common, directory, file, *records):
        return struct.pack("<B3I", layout, common, directory, file) + b"".join(records)

    few = RETURNED | ERROR | NAME | OBJTYPE
    yield seed(0, few, 4, 0, record(RETURNED | NAME | OBJTYPE), record(few, name=b"x", error=13),
               record(RETURNED | NAME | OBJTYPE, 4, vtype=2))
    yield seed(0, ALL, 0x2F, 0x205, record(ALL & ~ERROR, 0, 0x205), record(ALL & ~ERROR, 0x2F, 0,
                                                                          vtype=2))
    for bit in ORDER:
        yield seed(0, ALL, 0, 0x205, record(RETURNED | NAME | OBJTYPE | bit, 0, 0x205))
    # A name whose NUL lies in the next record.
    cut = record(RETURNED | NAME, name=b"7 bytes")[:-1]
    yield seed(0, few, 4, 0, struct.pack("<I", len(cut)) + cut[4:],
               struct.pack("<I", 256) + record(RETURNED | NAME)[4:].ljust(252, b"\0"))
    for vtype in range(9):
        yield seed(0, ALL, 4, 0x205, record(RETURNED | NAME | OBJTYPE | 0x20000, vtype=vtype))
    search = NAME | DEVID | OBJTYPE | sum(TIMES) | 0x38000 | FINDER | FILEID | PARENTID
    yield seed(1, search, 1, 0x205,
               *(record(search, 1, 0x205, vtype, b"n%d" % vtype, bulk=False) for vtype in (1, 2, 5)))
    yield seed(1, NAME | FILEID | PARENTID, 0, 0,
               *(record(NAME | FILEID | PARENTID, name=name, bulk=False)
                 for name in (b"a", b"", b".", b"..", b"a/b", b"\xff" * 40)))


def search_requests():
    least, most = -(1 << 63), (1 << 63) - 1
    for dialect in (0, 1):
        for types, low, high, first, last, text in (
                (0xFF, 0, (1 << 64) - 1, least, most, b""),
                (0xFF, 0, (1 << 64) - 1, least, most, b"report"),
                (0x02, 10, 1 << 20, least, most, b""),
                (0x04, 0, (1 << 64) - 1, 5 * 10**9 + 1, 9 * 10**9 - 1, b"x"),
                (0xFF, 0, (1 << 64) - 1, -1, 10**18, "ä€😀".encode() * 60),
                (0x06, 1, 2, 0, 0, b"a\0b")):
            yield struct.pack("<BIBQQqqBQqB", dialect, 0x43FF, types, low, high, first, last, 0, 40,
                              6 * 10**9, 3) + text


def capabilities():
    for format_, interfaces, valid_format, valid_interfaces in (
            (0x4100, 1, 0x4100, 1), (0x4000, 1, 0x4100, 1), (0, 1, 0xFFFFFFFF, 0xFFFFFFFF),
            (0x4000, 0, 0x4000, 1)):
        yield struct.pack("<9I", 36, format_, interfaces, 0, 0, valid_format, valid_interfaces, 0, 0)


def firmlinks():
    yield b"/Applications\tApplications\n/Users\tUsers\n/usr/local\tusr/local\n/private\tprivate\n"
    yield b"/no-tab\n/a\tb\tc\n/a/../b\tc\n/a//b\tc\nrelative\tx\n/last\tline"


def mac_volumes():
    local, root, data = 0x1000, 0x4000, 1

    def line(fsid, flags, extended, kind, path):
        return struct.pack("<QIB", fsid, flags, extended) + b"%s\t%s\n" % (kind, path)

    pair = (line(0x1A01000001, local | root, 0, b"apfs", b"/") +
            line(0x1A01000003, local, data, b"apfs", b"/System/Volumes/Data"))
    yield pair + b"\n/Users\tUsers\n/usr/local\tusr/local\n"
    yield (pair + line(0x1302000000, local, 0, b"devfs", b"/dev") +
           line(0x1404000000, 0, 0, b"autofs", b"/home") + line(5, 0, 0, b"nfs", b"/home") +
           line(6, local, 0, b"hfs", b"/a/b") + line(7, local, 0, b"hfs", b"/a") +
           line(8, local, 0, b"hfs", b"/a/b/c") + b"\n/a\ta\n")


def mountinfo():
    for path in sorted((ROOT / "data" / "mountinfo").iterdir()):
        lines = path.read_bytes().splitlines(keepends=True)
        for begin in range(0, len(lines), 12):
            yield b"".join(lines[begin:begin + 12])


def dirent_block():
    def entry(name, kind=8):
        length = (19 + len(name) + 1 + 7) & ~7
        return (struct.pack("<QqHB", 7, 8, length, kind) + name).ljust(length, b"\0")

    yield b"\0" + entry(b".", 4) + entry(b"..", 4) + entry(b"file") + entry(b"a directory", 4)
    yield b"\0" + entry(b"n" * 255) + entry(b".hidden", 10)
    yield b"\1" + b"\x02\x40\x00name\0" + b"\x01\xf0\x04other\0" + b"\x03\x00\x00x\0"


def btrfs_items():
    def item(objectid, kind, offset, body):
        return struct.pack("=QQQII", 7, objectid, offset, kind, len(body)) + body

    def name(text, number=300, location=1, kind=1, data=b""):
        return struct.pack("<QBQQHHB", number, location, 0, 7, len(data), len(text), kind) + text + data

    def reference(text):
        return struct.pack("<QH", 2, len(text)) + text

    inode = item(257, 1, 0, struct.pack("<QQQ", 7, 7, 12).ljust(160, b"\0"))
    listed = item(257, 12, 256, reference(b"directory"))
    names = [item(257, 84, 1000 + kind, name(b"type %d" % kind, kind=kind)) for kind in range(9)]
    yield bytes([2 + len(names)]) + inode + listed + b"".join(names)
    yield b"\3" + listed + item(257, 84, 5, name(b"one") + name(b"two", 301, 1, 2)) + \
        item(257, 84, (1 << 64) - 1, name(b"snapshot", 260, 132, 2))
    yield b"\4" + item(257, 12, 256, reference(b"a") + reference(b"b")) + \
        item(257, 13, 9, struct.pack("<QQH", 256, 2, 1) + b"x") + \
        item(257, 24, 9, name(b"user.x", kind=8, data=b"value")) + item(257, 84, 1, name(b"n" * 255))
    for text in (b"", b".", b"..", b"a/b", b"a\0b", b"\xff"):
        yield b"\1" + item(257, 84, 1, name(text))
    yield b"\1" + item(257, 84, 1, name(b"\0/cipher", kind=0x81))


def main():
    name, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(globals()[name]()):
        (directory / f"seed-{number}").write_bytes(seed)


if __name__ == "__main__":
    main()
