#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes Finder metadata by other means than ours: property lists by plistlib, AppleDouble files by
struct, from the layout that xnu documents in bsd/vfs/vfs_xattr.c.

    make.py plist TEXT...                 a list of strings (one TEXT that begins with =: that string)
    make.py xml TEXT...                   the same in XML
    make.py double [NAME=VALUE...] [info=HEX] [comment=TEXT] [fork=SIZE]
                                          an AppleDouble file; a VALUE `tags:A,B` is a plist of strings
    make.py info FLAGS                    32 bytes of Finder info, flags in hexadecimal
    make.py afp FLAGS                     the same in the record that Samba keeps
    make.py archive ZIP                   a zip as macOS makes it: folder/file.txt, tagged Red, with a comment

The bytes go to standard output. Escapes in TEXT are Python's: 'Red\\n6'.
"""
import plistlib
import struct
import sys
import zipfile


def text(argument):
    return argument.encode("latin-1", "backslashreplace").decode("unicode_escape") \
        if argument.isascii() else argument.replace("\\n", "\n")


def plist(values, form=plistlib.FMT_BINARY):
    return plistlib.dumps(values, fmt=form)


def info(flags):
    return struct.pack(">4s4sH", b"TEXT", b"ttxt", flags).ljust(32, b"\0")


def afp(flags):
    """AFP_AfpInfo: signature, version, reserved, backup time, Finder info, ProDOS info, reserved."""
    return struct.pack(">IIII", 0x41465000, 0x00010000, 0, 0x80000000) + info(flags) + bytes(12)


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
            rest["finder_info"] = info(int(value, 16))
        elif name == "comment":
            rest["comment"] = value.encode()
        elif name == "fork":
            rest["fork"] = b"f" * int(value)
        elif value.startswith("tags:"):
            attributes.append((name.encode(), plist([text(tag) for tag in value[5:].split(",")])))
        elif value.startswith("size:"):
            attributes.append((name.encode(), b"v" * int(value[5:])))
        else:
            attributes.append((name.encode(), value.encode()))
    return double(attributes, **rest)


def archive(path):
    with zipfile.ZipFile(path, "w") as kept:
        kept.writestr("folder/file.txt", "text")
        kept.writestr("folder/sub/other.txt", "text")
        for name in ("folder/._file.txt", "folder/sub/._other.txt"):
            kept.writestr("__MACOSX/" + name, double_of([
                "com.apple.metadata:_kMDItemUserTags=tags:Red\\n6",
                "com.apple.metadata:kMDItemWhereFroms=tags:https://example.org/" + name[-9:]]))


def main():
    kind, arguments = sys.argv[1], sys.argv[2:]
    if kind == "archive":
        return archive(arguments[0])
    if kind in ("plist", "xml"):
        values = [text(argument) for argument in arguments]
        made = plist(values[0][1:] if values and values[0].startswith("=") else values,
                     plistlib.FMT_XML if kind == "xml" else plistlib.FMT_BINARY)
    elif kind == "double":
        made = double_of(arguments)
    else:
        made = {"info": info, "afp": afp}[kind](int(arguments[0], 16))
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main()
