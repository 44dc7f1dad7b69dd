#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the cases need and a shell cannot do; prelude.sh gives each command its short name.

A command is a function below; its arguments are the words after its name.
"""
import ctypes
import datetime
import json
import os
import signal
import socket
import subprocess
import sys
import threading
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
    moment = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
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
    socket.socket(socket.AF_UNIX).bind(path)


def json_lines():
    data = sys.stdin.buffer.read()
    if data and not data.endswith(b"\n"):
        sys.exit("the last line has no end")
    lines = data.decode("utf-8").split("\n")[:-1]
    for line in lines:
        if not isinstance(json.loads(line), dict):
            sys.exit(f"not an object: {line}")
    print(len(lines), "objects")


def json_field(*names):
    """The fields of each object on standard input, absent ones as `-`."""
    for line in sys.stdin:
        value = json.loads(line)
        print(*(json.dumps(value[name], ensure_ascii=False) if name in value else "-" for name in names))


def interrupt(name, *command):
    """Starts a command, waits for its first output, sends the signal; prints how it ended."""
    number = getattr(signal, "SIG" + name)
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    os.read(process.stdout.fileno(), 1)  # it is under way, and soon waits: nobody reads on
    time.sleep(0.1)
    process.send_signal(number)
    print(f"ended by {signal.Signals(-process.wait(20)).name}" if process.wait(20) < 0
          else f"exit {process.returncode}")


def stop_and_continue(rounds, expected, *command):
    """Runs a command under a rain of SIGSTOP and SIGCONT; says when the number of its lines is wrong."""
    for _ in range(int(rounds)):
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        counted = []
        reader = threading.Thread(target=lambda: counted.append(process.stdout.read().count(b"\n")))
        reader.start()
        stops = 0
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGCONT)
            stops += 1
            time.sleep(0.0002)
        reader.join()
        if counted != [int(expected)] or process.returncode != 0:
            sys.exit(f"{counted[0]} lines of {expected}, status {process.returncode}, after {stops} stops")
    print("nothing lost")


def without_sigpipe(*command):
    """Runs a command with SIGPIPE ignored, as some parents leave it, and a reader that goes away."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, restore_signals=False)
    os.read(process.stdout.fileno(), 1)
    process.stdout.close()
    code = process.wait(20)
    print(f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit {code}")


def objects_with(*values):
    """How many of the objects on standard input hold all of these strings."""
    def strings(value):
        if isinstance(value, str):
            return {value}
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return set().union(*map(strings, parts))
    print(sum(set(values) <= strings(json.loads(line)) for line in sys.stdin))


# -- mounts that answer nobody: kept by a process in the background, which run.py ends ----------------

def in_background(descriptor, log=None):
    """Lets the calling command end while a child keeps `descriptor`, and logs that something was read."""
    if os.fork() != 0:
        os._exit(0)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    while log is None:
        time.sleep(60)
    os.read(descriptor, 1)
    with open(log, "w") as file:
        file.write("fired\n")
    time.sleep(60)


def mount(kind, place, options):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(kind.encode(), os.fsencode(place), kind.encode(), 0, options.encode()) != 0:
        sys.stderr.write(f"mounting {kind} is not allowed here: {os.strerror(ctypes.get_errno())}\n")
        sys.exit(77)


def dead(place):
    """A FUSE mount whose server never answers."""
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        sys.stderr.write(f"no FUSE: {error}\n")
        sys.exit(77)
    mount("fuse", place, f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}")
    in_background(device)


def autofs(place, *ghosts):
    """An automount with these directories in it, each of which would be mounted when it is entered;
    nobody answers, but ../fired tells that the kernel asked."""
    asked, asks = os.pipe()
    mount("autofs", place, f"fd={asks},pgrp={os.getpgrp()},minproto=5,maxproto=5,indirect")
    for ghost in ghosts:
        os.mkdir(os.path.join(place, ghost))
    in_background(asked, "../fired")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
