#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the pictures of the README: sessions with the real binary, in a real terminal, as man/ffind.svg and,
of --pick, as man/ffind-pick.svg, which shows one screen after the other.

    picture.py --ffind build/ffind --write     make the pictures anew
    picture.py --ffind build/ffind             ctest's `picture`: 0 if they would be the same, 1, 77 cannot be told

The same bytes on every machine: the tree is made here, with sizes, times and modes, in a mount namespace in
which user and group 0 are called ada. So it takes Linux, root or namespaces for all, jq, and tmux."""
import argparse
import difflib
import fcntl
import os
import pathlib
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
import terminal  # noqa: E402

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "man"
COLUMNS = 88
DESCRIPTION = "A terminal session: ffind finds names, kinds, sizes and contents, and prints lists, trees, counts and JSON"
PROMPT = b"\x1b[96m~\x1b[0m \x1b[92m\xe2\x9d\xaf\x1b[0m \x1b[97m"

M, G = 10**6, 10**9
# Path, size or contents, time of the last change. Those that -l lists are dates: ages would change every month.
TREE = [
    (".cache/thumbnails/1f0c.png", 41_000, "2026-05-02"),
    ("Documents/Lisbon tickets.pdf", 412_000, "2026-04-18"),
    ("Documents/Menus.ods", 88_000, "2026-03-09"),
    ("Documents/thesis/thesis.tex", b"% TODO: thank everybody\n", "2026-05-20"),
    ("Documents/thesis/thesis.pdf", 6_204_118, "2026-05-20"),
    ("Downloads/debian-13.iso", 783 * M, "2025-08-09"),
    ("Downloads/nightly.tar.zst", 96 * M, "2026-05-01"),
    ("Music/Fado/01 Barco Negro.flac", 31_400_000, "2024-11-02"),
    ("Pictures/2026/Lisbon/IMG_2104.heic", 2_811_904, "2026-05-03"),
    ("Pictures/2026/Lisbon/IMG_2105.heic", 3_020_800, "2026-05-03"),
    ("Pictures/2026/Lisbon/tram 28.jpg", 7_340_032, "2026-05-04"),
    ("Pictures/2026/garden.png", 5_961_000, "2026-02-11"),
    ("Videos/lisbon by tram.mp4", 1_312_000_000, "2025-05-04"),
    ("Videos/first steps.mov", 2_648_000_000, "2024-12-24"),
    ("code/sundial/.git/HEAD", b"ref: refs/heads/main\n", "2026-05-19"),
    ("code/sundial/CMakeLists.txt", b"project(sundial)\n", "2026-01-30"),
    ("code/sundial/src/main.cc", b"int main() {}  // TODO: the sun\n", "2026-05-19"),
    ("code/sundial/src/shadow.cc", b"// shadows\n", "2026-05-12"),
    ("code/sundial/src/shadow.h", b"// shadows\n", "2026-05-12"),
    ("code/sundial/tests/high noon.py", b"# TODO: leap seconds\n", "2026-04-27"),
]
# The command, and whether it promises an order. What does not is shown by name, to be the same each time.
SESSION = [
    ("ffind lisbon", False),
    ("ffind --kind video,disk-image -S +500M -l --sort -size", True),
    ("ffind --tree --kind code --in code", True),
    ("ffind --contains TODO --sort -modified --format '{modified:%d %b}  {path:q}'", True),
    ("ffind -t f --count=kind --sort -size -n 5", True),
    ("ffind --where 'kind = image and size > 5M' --json=size | jq -s 'map(.size) | add'", True),
    ("ffind --modified 2026-13", True),
]
PICK_DESCRIPTION = "ffind --pick: a list that narrows while words and fields are typed, and two pictures marked in it"
PICK_LINES = 14
PICK_SECONDS = 2
# What is typed, and what the line below the prompt shows then.
PICK_SESSION = [
    ([], "36 of 36, by path"),
    (["-l", "lisbon"], "6 of 36, by path"),
    (["-l", " kind:image"], "3 of 36, by path"),
    (["Tab", "Tab"], "3 of 36, 2 marked, by path"),
]


def make_tree(home):
    for path, content, day in TREE:
        path = home / path
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, int):
            with open(path, "wb") as file:
                file.truncate(content)
        else:
            path.write_bytes(content)
        path.chmod(0o644)
        subprocess.run(["touch", "-d", f"{day}T09:41:00Z", path], check=True)


def record(command, home, environment):
    """What the command writes to a terminal that is its own."""
    controller, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    child = subprocess.Popen(["sh", "-c", command], cwd=home, env=environment, stdin=subprocess.DEVNULL,
                             stdout=side, stderr=side)
    os.close(side)
    data = b""
    while True:
        try:
            block = os.read(controller, 65536)
        except OSError:  # Linux's EIO: nobody has the other side open
            block = b""
        if not block:
            break
        data += block
    child.wait()
    os.close(controller)
    return data


def session(home, environment):
    rows = []
    for command, ordered in SESSION:
        shown = terminal.interpret(record(command, home, environment), COLUMNS)
        if not ordered:
            shown.sort(key=lambda row: "".join(text for text, _ in row))
        rows += terminal.interpret(PROMPT + command.encode(), COLUMNS) + shown + [[]]
    return rows + terminal.interpret(PROMPT + b"\xe2\x96\x88", COLUMNS)


def pick_frames(home, environment):
    """The screens of --pick, as tmux shows them."""
    def tmux(*words):
        return subprocess.run(["tmux", "-u", "-f", "/dev/null", "-S", home.parent / "tmux", *words], cwd=home,
                              env=environment, stdout=subprocess.PIPE, check=True).stdout
    tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(PICK_LINES + 1),
         "env TERM=xterm-256color ffind --pick --sort path")
    frames = []
    try:
        for keys, status in PICK_SESSION:
            if keys:
                tmux("send-keys", *keys)
            end = time.monotonic() + 20
            # The keys to begin with stand at the right of the counts.
            while tmux("capture-pane", "-p").decode().split("\n")[1].split("  Enter ")[0].strip() != status:
                if time.monotonic() > end:
                    sys.exit(f"not {status}:\n" + tmux("capture-pane", "-p").decode())
                time.sleep(0.02)
            time.sleep(0.1)  # the rest of the same picture
            shown = tmux("capture-pane", "-e", "-p", "-N").replace(b"\n", b"\r\n")
            frames.append(terminal.interpret(shown, COLUMNS)[:PICK_LINES])
    finally:
        tmux("kill-server")
    return frames


def pictures(ffind):
    """Each file's name and text."""
    with tempfile.TemporaryDirectory(prefix="ffind-picture-") as scratch:
        scratch = pathlib.Path(scratch)
        for name, line in (("passwd", "ada:x:0:0::/:/bin/sh\n"), ("group", "ada:x:0:\n")):
            (scratch / name).write_text(line)
            subprocess.run(["mount", "--bind", scratch / name, f"/etc/{name}"], check=True)
        (scratch / "bin").mkdir()
        (scratch / "bin/ffind").symlink_to(ffind)
        home = scratch / "home"
        home.mkdir()
        make_tree(home)
        kept = {name: os.environ[name] for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
                                                    "LD_LIBRARY_PATH") if name in os.environ}
        environment = kept | {"PATH": f"{scratch}/bin:{os.environ['PATH']}", "HOME": str(home), "LC_ALL": "C.UTF-8",
                              "TERM": "xterm-256color", "TZ": "UTC0"}
        drawn = {
            "ffind.svg": terminal.draw(session(home, environment), COLUMNS, "ada — ffind", DESCRIPTION),
            "ffind-pick.svg": terminal.draw_frames(pick_frames(home, environment), COLUMNS, "ada — ffind --pick",
                                                   PICK_DESCRIPTION, PICK_SECONDS),
        }
        for text in drawn.values():
            xml.etree.ElementTree.fromstring(text)  # throws where it is not well-formed
        return drawn


def same_or_written(program, write):
    """Compares the pictures with what they would be now, or makes them anew."""
    same = True
    for name, made in pictures(program).items():
        file = PICTURES / name
        if write:
            file.write_text(made)
            continue
        there = file.read_text()
        same = same and made == there
        sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), made.splitlines(True), str(file), "now"))
    if not same:
        print("A picture is out of date; picture.py --write makes it anew.")
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    for program in ("jq", "tmux"):
        if not shutil.which(program):
            print(f"skipped: no {program} here")
            return suite.SKIPPED
    try:
        return 0 if suite.in_namespace(lambda: same_or_written(arguments.ffind.resolve(), arguments.write)) else 1
    except suite.Skip as skip:
        print(f"skipped: {skip}")
        return suite.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
