#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random keys typed into the prompt of --pick and into bash's `read -e`: the text and the cursor are the same.

    readline_keys.py --ffind build/ffind [--count N] [--seed N]

Left out: keys that mean something else here by contract (Ctrl-A, K, N, P, T, Y) and what undoes or completes; numbers
that are no digits (²), which the C library counts among the signs; characters that are shown escaped here. A
difference prints the keys and both texts, with | at the cursor. Exit status: 0 equal, 1 different, 77 no bash.
"""
import argparse
import fcntl
import os
import pty
import random
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

KEYS = {"Alt-b": b"\x1bb", "Alt-f": b"\x1bf", "Alt-d": b"\x1bd", "Alt-Backspace": b"\x1b\x7f", "Ctrl-w": b"\x17",
        "Ctrl-u": b"\x15", "Ctrl-b": b"\x02", "Ctrl-f": b"\x06", "Ctrl-e": b"\x05", "Ctrl-d": b"\x04",
        "Backspace": b"\x7f", "Ctrl-h": b"\x08", "Left": b"\x1b[D", "Right": b"\x1b[C", "Ctrl-Left": b"\x1b[1;5D",
        "Ctrl-Right": b"\x1b[1;5C", "Del": b"\x1b[3~"}
TEXTS = ["a", "foo", "Bar9", "_", "-", ".", "/", " ", "  ", "x y", "a.b-c_d", "é", "日本", "ノ", "e\u0301",
         "a\u0302\u0323", "ß", "'", "\"", "|", "(", ":", "1", "Ж", "א", "한", "😀", "…", "«", "ǅ",
         "\u00a0", "ﬁ", "Ⅷ", "٣", "ª", "！", "कि", "ー"]
BASH = """stty werase undef; bind '"\\e[1;5D": backward-word' '"\\e[1;5C": forward-word'
bind '"\\C-w": unix-word-rubout' 'set enable-bracketed-paste off' 'set bell-style none'
bind '"\\t": self-insert'
while IFS= read -r -e -p 'ready>' line; do printf '%s\\n' "$line" >&3; done"""


class Terminal:
    """A program in a terminal of 300 columns, whose output is read in a row."""

    def __init__(self, command, environment, keep=-1):
        self.output = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if keep >= 0:
                os.dup2(keep, 3)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 300, 0, 0))

    def wait_for(self, found, seconds=10):
        end = time.monotonic() + seconds
        while not (result := found(self.output)):
            if time.monotonic() > end:
                raise TimeoutError(self.output[-500:])
            if select.select([self.fd], [], [], 0.1)[0]:
                more = os.read(self.fd, 65536)
                self.output += more
                if b"\x1b[6n" in more:
                    os.write(self.fd, b"\x1b[1;1R")
        return result

    def end(self):
        os.close(self.fd)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)


class Picker:
    """The prompt. A row of a list is drawn from its first change on, whose column is known in ASCII only: what
    stays is ASCII, a byte for each column. Without CSI K what follows the text stays, too."""

    ROW = re.compile(rb"\x1b\[1;(\d+)H(?:\x1b\[0?m)?(\x1b\[K)?((?:\x1b\[[0-9;]*m|[^\x1b])*)(?=\x1b\[(?:\d+;\d+H|\?))")

    def __init__(self, ffind, directory):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm", "FFIND_CONFIG": "", "FFIND_PICK_OPTS": ""}
        self.terminal = Terminal([ffind, "--pick", "--no-history", "--height", "4", "--in", directory], environment)
        self.terminal.wait_for(lambda output: b"\x1b[2;1H" in output)
        self.row, self.read = b"", 0

    def type(self, keys, marker):
        os.write(self.terminal.fd, b"\x05\x15" + keys + marker)

        def prompt(output):
            for drawn in self.ROW.finditer(output, self.read):
                self.read = drawn.end()
                begin, text = int(drawn[1]) - 1, re.sub(rb"\x1b\[[0-9;]*m", b"", drawn[3])
                self.row = self.row[:begin] + text + (b"" if drawn[2] else self.row[begin + len(text):])
            return marker in self.row and self.row
        return self.terminal.wait_for(prompt).decode()[2:].rstrip(" ")


class Bash:
    def __init__(self):
        self.reader, writer = os.pipe()
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm", "INPUTRC": "/dev/null"}
        self.terminal = Terminal(["bash", "--norc", "--noprofile", "-c", BASH], environment, writer)
        os.close(writer)

    def type(self, keys, marker):
        # Before its prompt, the terminal's driver would take Ctrl-U and the like.
        self.terminal.wait_for(lambda output: b"ready>" in output)
        self.terminal.output = b""
        # Ctrl-D would end an empty line; Del is the same function.
        os.write(self.terminal.fd, keys.replace(KEYS["Ctrl-d"], KEYS["Del"]) + marker + b"\r")
        line = b""
        while not line.endswith(b"\n"):
            ready = select.select([self.reader, self.terminal.fd], [], [], 10)[0]
            if not ready:
                raise TimeoutError(self.terminal.output[-500:])
            if self.reader in ready:
                line += os.read(self.reader, 65536)
            else:
                self.terminal.output += os.read(self.terminal.fd, 65536)
        return line[:-1].decode().rstrip(" ")


def sequence(rng):
    names, keys = [], b""
    for _ in range(rng.randint(2, 14)):
        if rng.random() < 0.5:
            text = rng.choice(TEXTS)
            names.append(repr(text))
            keys += text.encode()
        else:
            name = rng.choice(list(KEYS))
            names.append(name)
            keys += KEYS[name]
    return names, keys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    show = ["bash", "-c", "echo $BASH_VERSINFO"]
    if not shutil.which("bash") or int(subprocess.check_output(show)) < 5:
        print("no bash of version 5")
        sys.exit(77)
    rng = random.Random(options.seed)
    different = 0
    with tempfile.TemporaryDirectory() as directory:
        picker, bash = Picker(os.path.abspath(options.ffind), directory), Bash()
        for number in range(options.count):
            names, keys = sequence(rng)
            marker = f"Q{number}Z".encode()
            here, there = (each.type(keys, marker).replace(marker.decode(), "|") for each in (picker, bash))
            if here != there:
                different += 1
                print(" ".join(names), f"\n    ffind {here!r}\n    bash  {there!r}")
        picker.terminal.end()
        bash.terminal.end()
    print(f"{options.count} sequences, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
