# SPDX-License-Identifier: MIT
"""What is done to a mounted volume a moment before it is asked, with no sync: the catalog has to know
what the device does not. Also asks as users who may read less. Called by compare.py.
"""
import os
import subprocess

from questions import Question
from trees import EPOCH, put

QUESTIONS = [
    Question([], []),
    Question(["-S", "1b.."], ["-type", "f", "-size", "+0c"]),
    Question(["-S", ">5000"], ["-type", "f", "-size", "+5000c"]),
    Question(["--modified", f"<@{EPOCH}"], ["!", "-newermt", f"@{EPOCH - 1}.999999999"]),
    Question(["--empty"], ["-empty"]),
    Question(["--json=full"], records=True),
]
PLACE = b"/changes"


def made(top, pick):
    """Also what looks old and was never written to the device: copies that keep their times."""
    place = top + PLACE
    os.mkdir(place)
    for number in range(150):
        put(place + b"/%d" % number, pick.choice((0, 1, 5000, 5001, 100000)), True)
    os.mkdir("old")
    for number in range(20):
        put(b"old/copy %d" % number, 6000 + number, True, EPOCH - 86400)
    os.utime("old", (EPOCH - 86400, EPOCH - 86400))
    subprocess.run(["cp", "-a", "old", place], check=True)


def renamed(top, _pick):
    place = top + PLACE
    os.mkdir(place + b"/of another")
    for number in range(0, 150, 3):
        os.rename(place + b"/%d" % number, place + b"/of another/%d renamed" % number)
    os.rename(place + b"/of another", place + b"/moved")
    for entry in list(os.scandir(top)):
        if entry.is_dir(follow_symlinks=False) and entry.name not in (PLACE[1:], b"lost+found"):
            try:
                os.rename(entry.path, place + b"/old " + entry.name)
            except OSError:  # a mount point
                continue
            break


def removed(top, _pick):
    place = top + PLACE
    for number in range(1, 150, 3):
        os.unlink(place + b"/%d" % number)
    subprocess.run(["rm", "-r", place + b"/old"], check=True)


def grown(top, _pick):
    place = top + PLACE
    for number in range(2, 150, 6):
        with open(place + b"/%d" % number, "ab") as file:
            file.write(b"y" * 6000)
        os.utime(place + b"/%d" % number, (EPOCH - 5, EPOCH - 5))


def truncated(top, _pick):
    place = top + PLACE
    for number in range(5, 150, 6):
        os.truncate(place + b"/%d" % number, 0 if number % 4 == 1 else 12345678)


def changed(top, _pick):
    place = top + PLACE
    for number in range(2, 150, 3):
        path = place + b"/%d" % number
        os.chmod(path, 0o640 + number % 8)
        os.chown(path, 1000 + number, 2000 + number)
        os.utime(path, ns=((EPOCH - number) * 10**9 + 7, (EPOCH - number) * 10**9 + 7))
        if number % 2:
            os.link(path, place + b"/linked %d" % number)


def mapped(top, _pick):
    """Written through a mapping: the size is there, the blocks are not."""
    import mmap
    path = top + PLACE + b"/mapped"
    put(path, 200000)
    with open(path, "r+b") as file:
        with mmap.mmap(file.fileno(), 0) as memory:
            memory[1000:2000] = b"m" * 1000


def inode_reused(top, _pick):
    """A directory in the place of a file, and of another directory, with what is left in its blocks."""
    place = top + PLACE + b"/again"
    os.mkdir(place)
    for turn in range(6):
        for number in range(20):
            path = place + b"/%d" % number
            if turn % 2 == 0:
                os.mkdir(path)
                for index in range(number):
                    put(path + b"/of turn %d, %d" % (turn, index))
            else:
                subprocess.run(["rm", "-r", path], check=True) if number % 2 else os.rename(
                    path, place + b"/kept %d %d" % (turn, number))
                put(path, turn)
                os.unlink(path)


CHANGES = [("made a moment before", made), ("renamed a moment before", renamed),
           ("removed a moment before", removed), ("grown a moment before", grown),
           ("truncated a moment before", truncated), ("changed a moment before", changed),
           ("mapped a moment before", mapped), ("used again a moment before", inode_reused)]


def as_others(asker, top, device):
    """Whom the device lets read it asks for the catalog and gets what root gets of it, all or what the
    walk would; whom it does not is refused, and walks if not asked."""
    copied = "ffind-for-all"
    subprocess.run(["cp", asker.ffind, copied], check=True)
    os.chmod(copied, 0o755)
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--groups=65533", "--no-new-privs", "./" + copied]

    def ask(*words):
        done = subprocess.run([*user, *words, "-0", "--in", top], capture_output=True, check=False)
        return set(done.stdout.split(b"\0")), done.stderr.decode(errors="replace"), done.returncode
    asker.moment = "as another user"
    asker.asked += 3
    everything = set(subprocess.run([asker.ffind, "--method", "walk", "-0", "--in", top], capture_output=True,
                                    check=False).stdout.split(b"\0"))
    walked, complaint, status = ask("--method", "walk")
    by_itself, own_complaint, own_status = ask()
    if (walked, status) != (by_itself, own_status) or sorted(complaint.split()) != sorted(own_complaint.split()):
        asker.complain(["ffind"], f"not what the walk finds: {own_status}, {own_complaint}", walked, by_itself)
    # A node of its own over the device's, so that nobody else is let in.
    node = os.stat(device)
    os.mknod("node", 0o060600, node.st_rdev)
    subprocess.run(["mount", "--bind", "node", device], check=True)
    try:
        _, complaint, status = ask("--method", "catalog")
        if status != 2 or "ermission denied" not in complaint:
            asker.complain(["ffind", "--method", "catalog"], f"not refused: {status}, {complaint}")
        os.chown("node", 0, 65533)
        os.chmod("node", 0o640)
        got, complaint, status = ask("--method", "catalog")
        if status not in (0, 1) or walked - got or got - everything:
            asker.complain(["ffind", "--method", "catalog"], f"{status}, {complaint}", walked, got - everything)
    finally:
        subprocess.run(["umount", device], check=True)
