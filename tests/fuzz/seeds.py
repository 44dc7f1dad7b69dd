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
        for bit, size in ((1, 4), (4, 8), (0x200, 8), (0x1000, 8)):
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
    yield seed(0, ALL, 0, 0x205, record(ALL & ~ERROR, 0, 0x205))
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


def control_sequence():
    strings = (b"]11;rgb:0000/0000/0000\x07", b"]52;c;QUJD\x1b\\", b"P1+r436f=323536\x1b\\", b"_Gi=31;OK\x1b\\", b"^x\x1b\\", b"X\x1b\\",
               b"[12;40R", b"[?62;1c", b"O5P", b"[<0;10;1M", b"]8;;\xe2\x80\x9c\xc2\x9c")
    for text in strings:
        yield b"a\x1b" + text + b"b"
        yield b"a\xc2" + bytes((text[0] + 0x40,)) + text[1:] + b"b"
    yield b"\x1b]never ended\x03"
    yield b"\x1bPcut short\x1b[A\x1b]\x1b\x1b"


def preview():
    yield b"\x1b[1;31mred\x1b[0m plain\tafter a tab\r\n\x1b[38;2;1;200;3mgreen\nstill\x1b[m\n"
    yield b"\x1b]0;title\x07\x1b[2J\x1b[?25l\x1b(B\x1bP1$r\x1b\\\x1b[31;1\x1b[4:3mx\xc2\x9b31m\xff\x07\n"
    yield b"\x1b[38;5;208m\x1b[48;5;9;4mx\x1b[22;24;27;39my\x1b]never ended\nnext\x1b"


def dirent_block():
    def entry(name, kind=8):
        length = (19 + len(name) + 1 + 7) & ~7
        return (struct.pack("<QqHB", 7, 8, length, kind) + name).ljust(length, b"\0")

    yield b"\0" + entry(b".", 4) + entry(b"..", 4) + entry(b"file") + entry(b"a directory", 4)
    yield b"\0" + entry(b"n" * 255) + entry(b".hidden", 10)
    yield b"\1" + b"\x02\x40\x00name\0" + b"\x01\xf0\x04other\0" + b"\x03\x00\x00x\0"


# On-disk structures of ext4, laid out as ext2_fs.h has them.

def fields(size, *values):
    """Zeros but for values, each (offset, format, number)."""
    block = bytearray(size)
    for offset, layout, number in values:
        struct.pack_into("<" + layout, block, offset, number)
    return bytes(block)


def superblock(log_size=2, incompatible=0x2C2, read_compatible=0x46B, *more):
    block_size = 1024 << log_size
    first = 1 if log_size == 0 else 0
    return fields(
        1024, (0, "I", 4 * 512), (4, "I", 3 * 8 * block_size + 100), (0x14, "I", first),
        (0x18, "I", log_size), (0x1C, "I", log_size), (0x20, "I", 8 * block_size),
        (0x24, "I", 8 * block_size), (0x28, "I", 512), (0x38, "H", 0xEF53), (0x4C, "I", 1),
        (0x54, "I", 11), (0x58, "H", 256), (0x60, "I", incompatible), (0x64, "I", read_compatible),
        (0xFE, "H", 64), (0x175, "B", 1), *more)


def ext_superblock():
    head = struct.pack("<B4I", 1, 12, 1, 100, 0)
    for log_size in range(7):
        yield head + superblock(log_size)
    yield head + superblock(2, 0x22C2, 0x46B, (0x270, "I", 77))
    for bit in range(20):
        yield head + superblock(2, 0x2C2 | 1 << bit)


def extents(depth, *entries, most=4):
    """Leaves: (first, length, block); else: (first, block)."""
    body = b"".join(
        struct.pack("<IHHI", entry[0], entry[1], 0, entry[2]) if depth == 0 else
        struct.pack("<IIHH", *entry, 0, 0) for entry in entries)
    return struct.pack("<4HI", 0xF30A, len(entries), most, depth, 0) + body


def directory_entry(name, inode=12, kind=1, length=0):
    length = length or (8 + len(name) + 3) & ~3
    return (struct.pack("<IHBB", inode, length, len(name), kind) + name).ljust(length, b"\0")


def inode(size=256, mode=0o40755, flags=0x80000, data=b"", attribute=None):
    block = bytearray(fields(
        size, (0, "H", mode), (4, "I", 4096), (26, "H", 2), (28, "I", 8), (32, "I", flags),
        *((at, "I", 1_700_000_000) for at in (8, 12, 16))))
    block[40:40 + len(data)] = data
    if size > 128:
        struct.pack_into("<H", block, 128, 32)
        struct.pack_into("<5I", block, 132, 5, 2, 3, 1_600_000_000, 4)
    if attribute is not None:
        at = 60 - len(attribute)  # of the 92 bytes behind the header
        block[160:184] = struct.pack("<IBBHIII4s", 0xEA020000, 4, 7, at, 0, len(attribute), 0, b"data")
        block[164 + at:164 + at + len(attribute)] = attribute
    return bytes(block)


def ext_inode():
    head = struct.pack("<BBI", 0x21, 1, 12)
    small = struct.pack("<BBI", 0x20, 1, 12)
    tree = extents(0, (0, 1, 1000), (1, 3, 2000))
    yield head + inode(data=tree)
    yield small + inode(128, data=tree)
    yield head + inode(data=extents(2, (0, 1000), (50, 2000)))
    yield head + inode(256, 0o100644, data=tree, attribute=b"value   ")
    yield head + inode(256, 0o120777, 0x800, b"target")


def ext_map_node():
    def seed(features, bits, depth, logical, count, block):
        return struct.pack("<BBBII", features, bits, depth, logical, count) + block

    for bits in (0, 2):
        yield seed(0, bits, 0, 5, 1000, extents(0, (5, 10, 700), (15, 1, 900), (20, 32768, 3000), most=84))
        yield seed(0, bits, 2, 5, 1000, extents(2, (5, 700), (90, 701), (400, 702), most=84))
        yield seed(0, bits, 0, 0, 9, extents(0, most=40))


def ext_directory():
    def seed(features, bits, *entries, size=1024):
        return struct.pack("<BB", features, bits) + b"".join(entries)

    dots = directory_entry(b".", 2, 2) + directory_entry(b"..", 2, 2)
    names = (directory_entry(b"name"), directory_entry(b"x" * 255, 13, 2, 400),
             directory_entry(b"gone", 0), directory_entry(b"eight!!!", 14, 7))
    used = 24 + sum(map(len, names))
    yield seed(0, 2, dots, *names, directory_entry(b"last", 15, 1, 1024 - used))
    yield seed(0, 6, dots, *names, directory_entry(b"last", 15, 1, 1012 - used))
    yield seed(0, 4, directory_entry(b"", 0, 0, 1012))
    table = struct.pack("<HHIII", 0, 2, 1, 5, 2)
    root = directory_entry(b".", 2, 2) + directory_entry(b"..", 2, 2, 1012)[:12]
    yield seed(0, 7, root, struct.pack("<IBBBB", 0, 1, 8, 0, 0), table)
    yield seed(0, 3, root, struct.pack("<IBBBB", 0, 1, 8, 0, 0), table)
    yield seed(0, 5, struct.pack("<IHBB", 0, 1024, 0, 0), table)


# Finder metadata, by plistlib and by the script that makes the data of the tests.

def finder_make():
    sys.path.insert(0, str(ROOT / "data" / "finder"))
    sys.dont_write_bytecode = True
    import make
    return make


def binary_plist():
    make = finder_make()
    yield make.plist(["Red\n6", "Übung\n2", "plain"])
    yield make.plist("a comment 𝄞")
    yield make.plist({"a": ["x" * 20, {"k": "v", "n": 7, "t": True, "d": b"\0\1"}], "b": [], "f": 1.5})
    yield make.plist([["x"], ["x", "y" * 300]])


def apple_double():
    make = finder_make()
    head = struct.pack("<H", 0)
    yield head + make.double_of(["info=0:8BPS8BIM", "fork=blank"])
    attributes = [(b"com.apple.metadata:_kMDItemUserTags", make.plist(["Red\n6"])), (b"x", b"value")]
    yield head + make.double(attributes, make.info(0x4000), fork=b"fork")
    yield head + make.double([], make.info(0x000C), comment=b"comment")
    yield struct.pack("<H", 500) + make.double([], fork=b"f" * 500)[:-500]
    yield struct.pack("<H", 5) + make.double(attributes)[:-5]
    whole = make.double(attributes)
    shared = bytearray(whole)
    row = whole.index(b"x\0") - 11
    shared[row:row + 8] = whole[120:128]  # the second value is the first one
    yield head + bytes(shared)


def finder_attributes():
    make = finder_make()

    def attribute(name, value):
        return name.encode() + b"\0" + struct.pack("<H", len(value)) + value

    tags = make.plist(["Red\n6", "x"])
    yield (attribute("user.com.apple.metadata:_kMDItemUserTags", tags) +
           attribute("user.xdg.tags", b"a, grey,,x") + attribute("user.xdg.comment", b"text"))
    yield attribute("user.DosStream.com.apple.metadata\uf022kMDItemFinderComment:$DATA",
                    make.plist("comment") + b"\0")
    yield attribute("com.apple.metadata:kMDItemWhereFroms", make.plist(["https://a", "https://b"]))
    yield attribute("com.apple.FinderInfo", make.info(0xFC1E))
    yield attribute("osx.com.apple.FinderInfo", make.info(0, "\u2022\u00c4xyTEXT"))
    yield attribute("com.apple.lastuseddate#PS", make.used(1_700_000_000))
    yield attribute("user.DosStream.com.apple.lastuseddate#PS:$DATA", make.used(-1) + b"\0")
    yield attribute("x", make.double([(b"com.apple.metadata:_kMDItemUserTags", tags)]))
    yield attribute("user.xdg.tags", b"".join(b"%d\n%d," % (i % 5, i % 9) for i in range(40)))


def access_lists():
    yield b"user.x\0system.posix_acl_access\0system.posix_acl_default\0system.nfs4_acl\0"
    names = (b"OWNER@", b"GROUP@", b"EVERYONE@", b"anna@example.org")
    for count in (0, 3, 4):
        yield struct.pack(">I", count) + b"".join(
            struct.pack(">IIII", 0, 0, 0x1601A7, len(name)) + name + bytes(-len(name) % 4) for name in names[:count])
    for entries in (0, 1, 0xFFFFFFFF):
        yield (struct.pack("<II16xIII", 76, 0x80400000, 8, 44, 0x012CC16D) + bytes(32) +
               struct.pack("<II", entries, 0))


def contents():
    file = "first line\nHay needle s\u017f \u212a u\u0308\u00fc\r\nlast".encode()
    for choice in range(16):
        for text in ("needle", "k", "ss", "\u00fc", "^last$", "[a-z]+ l", "n.*e\\b", "\\Afirst"):
            yield bytes([choice, choice]) + text.encode() + b"\0" + file
    yield b"\0\1ab\0" + "\ufefflab\U0001f600".encode("utf-16-le")
    yield b"\0\1ab\0" + "\ufefflab".encode("utf-16-be")
    yield b"\x08\1ab\0\0ab\n"


def glob():
    for rules in (0, 1, 2, 0x80):
        for text in ("*a?b*.c\nxxaabzz.c", "[f-h]r[!ö]*.{a,b}\ngro\u0308.a", "**/x\na/b/x", "\\*[[:alpha:]-]\n*z",
                     "{a,{b,*}}*\nKſ", "?\ne\u0301"):
            yield bytes([rules]) + text.encode()
    yield b"\0\xff*\n\xffx"


def order():
    names = ("a10\na9\nA9\na09\n9\n", "x" * 20 + "\n" + "x" * 24 + "\n" + "x" * 24 + "y\n", "b\nb/c\nb-c\nb.c\n",
             "0\n00\n" + "1" * 255 + "\n" + "2" * 254 + "\n", "\n\n\u00e9\ne\u0301\n")
    for flags in (0, 1, 2, 4, 5, 6, 7, 14):
        for text in names:
            yield bytes([flags]) + text.encode()
    yield b"\4" + b"".join(b"%d\n" % (number * 7919 % 1000) for number in range(1500))


def pattern():
    for rules in range(0, 20, 3):
        for accents in (0, 0x80):
            for text in ("größe\nGRO\u0308SSE", "^.*\\.(pdf|jpe?g)$\né.PDF", "(?P<x>\\pL+)[ä-ü]{2}\naöü",
                         "\\Q[\\E\\x{F6}+\n[ö", "가\n\u1100\u1161\u11A8", "k\n\u212A"):
                yield bytes([rules | accents]) + text.encode()
    yield b"\1\xe9\n\xe9"


def dates():
    for text in ("today", "yesterday", "2w..1d", ">=2026-01-31T10:00", "2026-03-29 02:30", "last friday", "3 days ago",
                 "2026-01", "..2025-12-31", "@1700000000", "noon", "10M..2G", ">5.5MiB", "=0", "3..7", "<12", "u+rwx,go-w",
                 "/o+w", "-4111", "a=rX", "0755"):
        yield text.encode()


def where():
    for text in ("name glob *.h and size > 5M", "not (kind in (image, audio) or hidden)", "modified >= yesterday",
                 "ext in (jpg, \"x y\")", "name nocase nodiacritics contains \"é\"", "perm all u+w", "links >= 2",
                 "path ~ ^a(b|[)])\\.c$", "tag is \"Red\" and untagged", "xattr \"user.x\" contains v", "inode = 5",
                 "contents ~ \"a.*b\"", "flags in (uchg, none) or acl", "last_opened > 1y", "type_code = \"PDF \"",
                 "comment contains x and stat_size > 1k", "orphaned_owner or orphaned_group", "size in 1k..2k", "depth = 3 && !empty",
                 "type = file", "created < 2025", "same_file = \"/x\"", "comment starts with a", "where_from ends with b"):
        yield text.encode()


def query_line():
    for text in ("ext:pdf size:>1M invoice -draft", "is:dir -is:empty", "name:=Makefile name:~^lib path:src/*.c", "-ext:o",
                 '"annual report" comment:"to do" \\"x', "modified:7d depth:<3 links:2..3", "12:30 http://x sise:>1M", "size:",
                 "xattr:user.x has:.git tag:Red,Blue perm:644", "*.jp?g é \xff -", 'is:link "a'):
        yield text.encode("latin-1", "replace")


def template():
    fields = ("path name type depth stem ext dir relative absolute root volume kind size allocated mode uid gid owner "
              "group links inode device modified changed accessed created added target tags comment where_from "
              "last_opened type_code creator flags acl").split()
    for how in ("", ":q", ":j", ":<12", ":q>300", ":j^7"):
        yield ("{" + "}{".join(field + how for field in fields) + "}\na b\xff").encode("latin-1")
    for text in ("{size:h} {size:H>8} {mode:rwx}", "{{{name:b64}}} {name:uri}", "\\n\\x1b\\u{20ac}\\0",
                 "{modified:%Y-%m-%d %H:%M:%S.%f %z<30}", "{created:rfc} {changed:epoch}", "{added:%-d\\x7d}"):
        for name in ("name.tar.gz", "\x1b[31m'\"", "日本\u202e"):
            yield f"{text}\n{name}".encode()


def find_format():
    for how in ("%", "%-+ #012.3", "%5.", "%.0"):
        yield how.join(["", *"pfhPHdlyYsbkSmMugUGniDFactZ%q"]).encode() + b"\na b\xff"
        yield how.join(["", *(a + b for a in "ABCT" for b in "aYS+@%fq")]).encode() + b"\n\x1b[31m\xc3\xa9"
    yield b"\\a\\b\\n\\0\\12\\777\\\\%%\\c%p\n"
    for text in (b"\\x", b"a\\", b"%", b"%5", b"%T", b"%{", b"%9999999999p", b"%\xc3\xa9", b"%\1\2"):
        yield text + b"\nn"


def configuration():
    for text in ("# mine\n--color=always\n-E\nnode_modules\n", "\ufeff--json\r\n\r\n  -l\t\r\n", '""\n"a\\n\\t\\\\\\""\n"x',
                 "-E a\n", "--size\n10M\n--size\n", "-x\necho\n;\n--in\nb\n", '"-E x"\n"#"\n--\n-\n', "--colr\n-zl\n"):
        yield text.encode()
    yield b"a\0b\n\xff\n"


def ignore_rules():
    for path, file in (("a/b.o", "*.o\n!b.o\n"), ("x/y/z", "/x/**/z\n**/y/\n"), ("#a", "\\#a\n# note\n"),
                       ("a b", "a\\ b  \n[!a-c]*\n"), ("d", "[[:digit:]]\n[]-]\n*[\\]d]\n"), ("a", "[core]\n\tx = ~/y\n"),
                       ("a", "'core.excludesFile'='/it'\\''s' 'core.x'= 'core.y=z'"),
                       ("a", "[include]\npath=c\npath=c\n[core]\nexcludesFile=~/y\n")):
        yield f"{path}\n{file}".encode()


def main():
    name, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(globals()[name]()):
        (directory / f"seed-{number}").write_bytes(seed)


if __name__ == "__main__":
    main()
