#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes Finder metadata by other means than ours: property lists by plistlib, AppleDouble files by
struct, from the layout that xnu documents in bsd/vfs/vfs_xattr.c.

    make.py plist TEXT...                 a list of strings (one TEXT that begins with =: that string)
    make.py double [NAME=VALUE...] [info=HEX] [comment=TEXT] [fork=SIZE]
                                          an AppleDouble file; a VALUE `tags:A,B` is a plist of strings,
                                          `used:SECONDS` a date; SIZE `blank` is what macOS writes for none
    make.py info FLAGS [CODES]            32 bytes of Finder info, flags in hexadecimal; CODES: type and creator
    make.py used SECONDS                  com.apple.lastuseddate#PS
    make.py acl                           system.posix_acl_access that lets user 1 read

The bytes go to standard output. Escapes in TEXT are Python's: 'Red\\n6'.
"""
import plistlib
import struct
import sys


def text(argument):
    return argument.encode("latin-1", "backslashreplace").decode("unicode_escape") \
        if argument.isascii() else argument.replace("\\n", "\n")


def plist(values, form=plistlib.FMT_BINARY):
    return plistlib.dumps(values, fmt=form)


def info(flags, codes="TEXTttxt"):
    return struct.pack(">8sH", codes.encode(), flags).ljust(32, b"\0")


def used(seconds):
    return struct.pack("<qq", int(seconds), 5)


def acl():
    entries = ((1, 6, -1), (2, 4, 1), (4, 4, -1), (16, 4, -1), (32, 4, -1))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)


def double(attributes, finder_info=bytes(32), comment=b"", fork=b""):
    names = b""
    rows = sum((11 + len(name) + 1 + 3) & ~3 for name, _ in attributes)
    count = 3 if comment else 2
    start = at = 120 + rows
    if count != 2 and attributes:
        raise SystemExit("macOS keeps no comment entry beside attributes")
    for name, value in attributes:
        row = struct.pack(">IIHB", at, len(value), 0, len(name) + 1) + name + b"\0"
        names += row + bytes(-len(row) % 4)
        at += len(value)
    values = b"".join(value for _, value in attributes)
    block = b""
    if attributes:
        block = bytes(2) + struct.pack(">4sIIII12xHH", b"ATTR", 0, at, start, len(values), 0,
                                       len(attributes)) + names + values
    record = finder_info + block
    table_end = 26 + 12 * count
    table = struct.pack(">III", 9, table_end, len(record))
    end = table_end + len(record)
    table += struct.pack(">III", 2, end, len(fork))
    if comment:
        table += struct.pack(">III", 4, end + len(fork), len(comment))
    head = struct.pack(">II16sH", 0x00051607, 0x00020000, b"Mac OS X        ", count)
    return head + table + record + fork + comment


def double_of(arguments):
    attributes, rest = [], {}
    for argument in arguments:
        name, value = argument.split("=", 1)
        if name == "info":
            flags, _, codes = value.partition(":")
            rest["finder_info"] = info(int(flags, 16), codes or "TEXTttxt")
        elif name == "comment":
            rest["comment"] = value.encode()
        elif name == "fork":
            rest["fork"] = b"f" * int(value) if value != "blank" else \
                bytes(16) + b"This resource fork intentionally left blank   " + bytes(224)
        elif value.startswith("used:"):
            attributes.append((name.encode(), used(value[5:])))
        elif value.startswith("tags:"):
            attributes.append((name.encode(), plist([text(tag) for tag in value[5:].split(",")])))
        elif value.startswith("size:"):
            attributes.append((name.encode(), b"v" * int(value[5:])))
        else:
            attributes.append((name.encode(), value.encode()))
    return double(attributes, **rest)


def main():
    kind, arguments = sys.argv[1], sys.argv[2:]
    if kind == "plist":
        values = [text(argument) for argument in arguments]
        made = plist(values[0][1:] if values and values[0].startswith("=") else values)
    elif kind == "double":
        made = double_of(arguments)
    elif kind == "info":
        made = info(int(arguments[0], 16), *arguments[1:])
    else:
        made = {"used": used, "acl": acl}[kind](*arguments)
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main()
