#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times `ffind --pick` beside fzf in a real terminal, and prints Markdown tables.

    picking.py --ffind build/ffind --tree DIR [--rounds 5] [--fd fdfind] [--fzf fzf]

Each program runs on a pseudo terminal of 200 by 50 whose other side is read here. Keys are typed one
after the other; the screen is complete when the program has written nothing for a while, so that a
key's time is that of the last byte it caused. That needs no knowledge of what is drawn and is the same
for all. The first results are on the screen when the path of the tree is. Programs run in turn. fzf is
fed by ffind and by fd; its patterns are made exact (-e), as ffind's words are. Linux only.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time

QUIET = 0.25  # seconds without a byte: the screen is complete
PATIENCE = 60
CLEAR = b"\x15"  # Ctrl-U
ENTER = b"\r"
STYLES = re.compile(rb"\x1b\[[0-9;]*m|\x1b\(B")

# What is typed, a letter at a time. fzf has no fields; where it can say the same, what it is.
QUERIES = [
    ("name", "driver usb", "driver usb"),
    ("name", "readme", "readme"),
    ("path", "net/ipv6 tcp", "net/ipv6 tcp"),
    ("ext", "ext:h", ".h$"),
    ("ext", "clock ext:dts,dtsi", "clock .dts$"),
    ("type", "is:dir pci", None),
    ("kind", "kind:code sound", None),
]


class Program:
    """One that runs on a terminal of its own."""

    def __init__(self, command, directory):
        self.began = time.monotonic()
        self.output, writer = os.pipe()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
            os.dup2(writer, 1)
            os.chdir(directory)
            os.environ["TERM"] = "xterm-256color"
            os.execvp("sh", ["sh", "-c", command])
        os.close(writer)
        self.shown = b""

    def read(self, seconds):
        """Whether bytes came within that time."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            self.shown += os.read(self.terminal, 1 << 20)
        except OSError:  # it has ended
            return False
        return True

    def until_shown(self, text):
        """Seconds from the start until `text` is on the screen, whatever it looks like."""
        while text not in STYLES.sub(b"", self.shown):
            if time.monotonic() - self.began > PATIENCE or not self.read(PATIENCE):
                sys.exit(f"{text} never came; {self.shown[-500:]}")
        return time.monotonic() - self.began

    def until_quiet(self, since, quiet=QUIET):
        """Seconds from `since` to the last byte before it is quiet."""
        last = since
        while self.read(quiet):
            last = time.monotonic()
        return last - since

    def press(self, keys):
        """How long the screen takes to be complete after these bytes."""
        self.shown = b""
        since = time.monotonic()
        os.write(self.terminal, keys)
        return self.until_quiet(since)

    def memory(self, name):
        """Peak memory in MiB of the process of that name among the children, or of all of them."""
        peaks = {}
        for process in self.processes():
            try:
                with open(f"/proc/{process}/status", encoding="ascii") as file:
                    status = dict(line.split(":", 1) for line in file)
                peaks[status["Name"].strip()] = int(status["VmHWM"].split()[0]) / 1024
            except (OSError, KeyError):
                pass
        return peaks.get(name, max(peaks.values(), default=0))

    def processes(self):
        found = [str(self.child)]
        for process in found:
            with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
                found += file.read().split()
        return found

    def end(self, keys):
        """What it printed once these were pressed, and when it had ended."""
        os.write(self.terminal, keys)
        printed = b""
        while True:
            ready = select.select([self.terminal, self.output], [], [], PATIENCE)[0]
            if self.terminal in ready:
                self.read(0)
            if self.output in ready:
                block = os.read(self.output, 1 << 16)
                if not block:
                    break
                printed += block
            if not ready:
                os.kill(self.child, signal.SIGKILL)
                sys.exit("it does not end")
        ended = time.monotonic()
        os.close(self.terminal)
        os.close(self.output)
        os.waitpid(self.child, 0)
        return printed, ended - self.began


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def type_queries(program, is_ffind, times):
    for kind, ours, theirs in QUERIES:
        text = ours if is_ffind else theirs
        if text is None:
            continue
        for letter in text:
            times.setdefault(kind, []).append(program.press(letter.encode()))
        times.setdefault(kind, []).append(program.press(CLEAR))


def measure(name, command, options, wanted):
    """One run: first results, all found, keys; then another from the start to the picked line."""
    is_ffind = name.startswith("ffind --pick")
    place = options.tree.encode()
    program = Program(command, "/")
    result = {"first": program.until_shown(place)}
    result["complete"] = result["first"] + program.until_quiet(time.monotonic(), 1.5)
    result["keys"] = {}
    type_queries(program, is_ffind, result["keys"])
    result["memory"] = program.memory("ffind" if is_ffind else "fzf")
    program.end(b"\x03")

    program = Program(command, "/")
    while not program.shown:
        program.read(PATIENCE)
    os.write(program.terminal, wanted.rsplit("/", 1)[1].encode())
    program.shown = b""
    program.until_shown("/".join(wanted.rsplit("/", 2)[1:]).encode())
    printed, result["picked"] = program.end(ENTER)
    if printed.decode().strip() != wanted:
        sys.exit(f"{name} printed {printed!r}, not {wanted}")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ffind", required=True, help="the program")
    parser.add_argument("--tree", required=True, help="what is searched, by its absolute path")
    parser.add_argument("--wanted", help="a path in it whose name is there once")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fd", default="fdfind")
    parser.add_argument("--fzf", default="fzf")
    options = parser.parse_args()
    ffind = os.path.abspath(options.ffind)
    tree = options.tree
    programs = {
        "ffind --pick": f"exec {ffind} --no-config --pick --in {tree}",
        "ffind, fzf": f"{ffind} --no-config --in {tree} | exec {options.fzf} -e --no-sort --reverse",
        "fd, fzf": f"{options.fd} -u . {tree} | exec {options.fzf} -e --no-sort --reverse",
    }
    entries = subprocess.run([ffind, "--no-config", "--in", tree, "--count"], stdout=subprocess.PIPE,
                             check=True).stdout.decode().split()[0]
    results = {name: [] for name in programs}
    for number in range(options.rounds + 1):
        for name, command in programs.items():
            result = measure(name, command, options, options.wanted)
            if number > 0:  # the first warms up
                results[name].append(result)
            print(f"{number} {name}: first {result['first'] * 1000:.0f} ms", file=sys.stderr)

    def middle(name, key, scale):
        return statistics.median(result[key] for result in results[name]) * scale
    print(f"{entries} entries, {options.rounds} rounds, load {os.getloadavg()[0]:.0f}\n")
    print("| | " + " | ".join(programs) + " |\n|---|" + "---|" * len(programs))
    for text, key, scale in (("first results on the screen, ms", "first", 1000),
                             ("everything found and shown, ms", "complete", 1000),
                             ("from start to the picked line, ms", "picked", 1000),
                             ("peak memory, MiB", "memory", 1)):
        print(f"| {text} | " + " | ".join(f"{middle(name, key, scale):.0f}" for name in programs) + " |")
    for kind in dict.fromkeys(kind for kind, _, _ in QUERIES):
        cells = []
        for name in programs:
            times = [1000 * t for result in results[name] for t in result["keys"].get(kind, [])]
            cells.append(f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f}" if times else "")
        print(f"| key to complete screen, {kind}: p50 / p95, ms | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
