#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A corpus as one file: of each input its length in four bytes, the least significant first, then its bytes.

    corpus.py pack DIRECTORY FILE      the inputs of the directory, in an order that does not change
    corpus.py unpack FILE DIRECTORY    each input as a file, named by its number, for libFuzzer

Called by run.sh; replay.cpp reads the same format.
"""
import pathlib
import struct
import sys


def pack(directory, file):
    inputs = sorted((path.read_bytes() for path in directory.iterdir()), key=lambda data: (len(data), data))
    file.write_bytes(b"".join(struct.pack("<I", len(data)) + data for data in inputs))


def unpack(file, directory):
    directory.mkdir(parents=True, exist_ok=True)
    data, at, number = file.read_bytes(), 0, 0
    while at < len(data):
        size, = struct.unpack_from("<I", data, at)
        directory.joinpath(str(number)).write_bytes(data[at + 4:at + 4 + size])
        at, number = at + 4 + size, number + 1


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
