#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A FUSE server that shows what no disk holds: directories below themselves, equal inode numbers.

    fuse.py DIR NODE...      mounts on DIR, returns once that is done, and serves in the background

A NODE is `NAME:INODE:CHILD=NODE,CHILD=NODE`, or `NAME:INODE` for an empty directory, or `NAME:INODE:-` for a file.
The first is the root. The kernel gets a new object for each path, so it does not notice what it sees twice; stat
shows the INODE. The server ends with the mount, or after two minutes. Speaks the protocol of /dev/fuse itself
(linux/fuse.h, version 7.31), since no library for that is installed everywhere. Exit status 77: not allowed here.
"""
import ctypes
import errno
import os
import signal
import stat
import struct
import sys

LOOKUP, FORGET, GETATTR, STATFS, OPENDIR, READDIR, RELEASEDIR, INIT, BATCH_FORGET = 1, 2, 3, 17, 27, 28, 29, 26, 42
MAJOR, MINOR, SECONDS, BUFFER = 7, 31, 120, 1 << 17
IN_HEADER, OUT_HEADER = struct.Struct("<IIQQIIII"), struct.Struct("<IiQ")


class Tree:
    def __init__(self, descriptions):
        self.nodes = {}
        for text in descriptions:
            name, inode, *rest = text.split(":")
            children = None if rest == ["-"] else [pair.split("=") for pair in (rest or [""])[0].split(",") if pair]
            self.nodes[name] = int(inode), children
        self.ids, self.objects = {}, {1: next(iter(self.nodes))}

    def child(self, parent, name):
        """The object behind a name, or None."""
        for child, node in self.nodes[self.objects[parent]][1] or []:
            if child == name:
                number = self.ids.setdefault((parent, name), len(self.ids) + 2)
                self.objects[number] = node
                return number
        return None

    def attributes(self, number):
        inode, children = self.nodes[self.objects[number]]
        mode = stat.S_IFREG | 0o644 if children is None else stat.S_IFDIR | 0o755
        return struct.pack("<QQQQQQIIIIIIIIII", inode, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

    def listing(self, number):
        entries = b""
        for at, (name, node) in enumerate(self.nodes[self.objects[number]][1], 1):
            inode, children = self.nodes[node]
            raw = name.encode()
            kind = (stat.S_IFREG if children is None else stat.S_IFDIR) >> 12
            entry = struct.pack("<QQII", inode, at, len(raw), kind) + raw
            entries += entry + bytes(-len(entry) % 8)
        return entries


def answer(tree, opcode, number, body):
    """The body of the reply, or an errno."""
    if opcode == INIT:
        return struct.pack("<IIIIHHIIHHI28x", MAJOR, MINOR, 0, 0, 8, 8, 4096, 1, 1, 0, 0)
    if opcode == LOOKUP:
        child = tree.child(number, body.rstrip(b"\0").decode())
        if child is None:
            return errno.ENOENT
        return struct.pack("<QQQQII", child, 0, SECONDS, SECONDS, 0, 0) + tree.attributes(child)
    if opcode == GETATTR:
        return struct.pack("<QII", SECONDS, 0, 0) + tree.attributes(number)
    if opcode == STATFS:  # in blocks of 512 bytes: all, free, available
        return struct.pack("<QQQQQIIII24x", 10_000_000, 5_000_001, 4_000_003, 0, 0, 4096, 255, 512, 0)
    if opcode == OPENDIR:
        return bytes(16)
    if opcode == READDIR:
        offset = struct.unpack_from("<QQ", body)[1]
        return b"" if offset else tree.listing(number)
    return b"" if opcode == RELEASEDIR else errno.ENOSYS


def serve(device, tree):
    while True:
        try:
            request = os.read(device, BUFFER)
        except OSError as error:
            if error.errno in (errno.EINTR, errno.ENOENT):
                continue
            return  # ENODEV: unmounted
        _, opcode, unique, number = IN_HEADER.unpack_from(request)[:4]
        if opcode in (FORGET, BATCH_FORGET):
            continue
        reply = answer(tree, opcode, number, request[IN_HEADER.size:])
        error, reply = (-reply, b"") if isinstance(reply, int) else (0, reply)
        try:
            os.write(device, OUT_HEADER.pack(OUT_HEADER.size + len(reply), error, unique) + reply)
        except OSError:
            pass  # the caller was interrupted


def main():
    place, *descriptions = sys.argv[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(77)
    words = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other"
    if libc.mount(b"tree", os.fsencode(place), b"fuse.tree", 0, words.encode()) != 0:
        print(f"cannot mount: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        sys.exit(77)
    if os.fork() != 0:
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    signal.alarm(SECONDS)
    serve(device, Tree(descriptions))


if __name__ == "__main__":
    main()
