#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the files of the cases that a shell cannot, or not as fast; prelude.sh gives each command its name.

A command is a function below; its arguments are the words after its name. Hundreds of cases start this,
so it imports little, and the prelude leaves out what Python itself would import (-I -S: 9 ms, not 42).
"""
import datetime
import os
import sys
import time

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def sized(size, *paths):
    for path in paths:
        with open(path, "wb") as file:
            file.truncate(int(size))


def set_time(path, nanoseconds):
    if not os.path.lexists(path):
        with open(path, "wb"):
            pass
    os.utime(path, ns=(nanoseconds, nanoseconds), follow_symlinks=False)


def dated(when, *paths):
    """`when` is an RFC 3339 time in UTC, with up to nine digits of a second."""
    whole, _, fraction = when.rstrip("Z").partition(".")
    moment = datetime.datetime.fromisoformat(whole + "+00:00")
    for path in paths:
        set_time(path, int(moment.timestamp()) * 10**9 + int(fraction.ljust(9, "0")))


def ago(span, *paths):
    for path in paths:
        set_time(path, time.time_ns() - int(float(span[:-1]) * UNITS[span[-1]] * 10**9))


def deep(levels, top, name, leaf):
    """A chain of directories that no single path can name; made by descriptor, level by level."""
    os.makedirs(top, exist_ok=True)
    here = os.open(top, os.O_RDONLY)
    for _ in range(int(levels)):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open(leaf, os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def many(count, top, suffix=""):
    os.makedirs(top, exist_ok=True)
    here = os.open(top, os.O_RDONLY)
    for number in range(int(count)):
        os.close(os.open(f"{number:07}{suffix}", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def sock(path):
    import socket
    if len(os.fsencode(path)) > 103:
        sys.exit(f"{path}: longer than a socket's path may be on macOS")
    socket.socket(socket.AF_UNIX).bind(path)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
