# SPDX-License-Identifier: MIT
"""What the volumes are filled with: each tree is a function here, called by its name in a row's
`tree:` with the place to fill and a random source. STAGES are what is done to some of them once they
are mounted anew, with questions after each. Called by compare.py; knows nothing of ffind.
"""
import os
import random
import shutil
import socket
import stat
import subprocess

import fscrypt
from btrfs_trees import mount_subvolumes, snapshots, subvolumes  # noqa: F401

EPOCH = 1577836800  # 2020-01-01
LONG = bool(os.environ.get("FFIND_VOLUMES_LONG"))
SIZES = (0, 0, 1, 9, 10, 11, 999, 1000, 1023, 1024, 1025, 4096, 70000, 2 * 10**6)
PIECES = [b"a", b"b", b"ab", b"foo", b"Foo", b"BAR", b"x.txt", b".c", b".tar.gz", b"0", b"42", b" ", b"\n", b"\xff",
          b"\xc3", "é".encode(), "日本".encode(), b"-", b"'", b"*", b"[a]", b"{", b"#", b"\\", b"%", b"\x7f"]


def put(path, size=0, written=False, when=None):
    """A file of so many bytes: a hole, or really written."""
    with open(path, "wb") as file:
        if written:
            file.write(b"x" * size)
        elif size:
            file.truncate(size)
    if when is not None:
        os.utime(path, (when, when))


def chain(place, count, name, leaf):
    """`count` directories inside one another; paths would be longer than the kernel takes."""
    here = os.open(".", os.O_RDONLY)
    os.chdir(place)
    for _ in range(count):
        os.mkdir(name)
        os.chdir(name)
    put(leaf)
    os.fchdir(here)
    os.close(here)


def small(place, pick):
    kinds(place, pick)
    names(place, pick)
    scattered(place, pick)
    deleted(place, pick)


def small_of_our_time(place, pick):
    """On revision 0 Linux remembers times past 2038 that it does not write like that."""
    small(place, pick)
    for name in (b"/kinds/of 2038", b"/kinds/of 2100"):
        os.unlink(place + name)


def kinds(place, _pick):
    """Every type of file, hard links, slow and fast links, holes, times before 1970 and after 2038."""
    place += b"/kinds"
    os.makedirs(place + b"/empty/er/est")
    os.mkfifo(place + b"/fifo")
    os.mknod(place + b"/char", stat.S_IFCHR | 0o600, os.makedev(1, 3))
    os.mknod(place + b"/block", stat.S_IFBLK | 0o600, os.makedev(259, 70000))
    here = os.open(".", os.O_RDONLY)
    os.chdir(place)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(b"socket")
    os.fchdir(here)
    os.close(here)
    os.symlink(b"nowhere", place + b"/fast link")
    os.symlink(b"x" * 59, place + b"/link of 59")
    os.symlink(b"x" * 60, place + b"/link of 60")
    os.symlink(b"y/" * 400, place + b"/slow link")
    os.symlink(b"empty", place + b"/link to a directory")
    put(place + b"/hard", 1234, True)
    for number in range(5):
        os.link(place + b"/hard", place + b"/hard %d" % number)
        os.link(place + b"/hard", place + b"/empty/hard %d" % number)
    put(place + b"/holes", 2**32 + 5)
    put(place + b"/a.txt", 10, True)
    for year, second in ((1965, -157766400), (2038, 2**31 + 5), (2100, 4102444800)):
        path = place + b"/of %d" % year
        put(path, 7)
        try:
            os.utime(path, ns=(second * 10**9 + 123456789, second * 10**9 + 987654321))
        except OSError:
            pass
    for mode in (0o7777, 0, 0o4711):
        put(place + b"/mode %o" % mode, 3)
        os.chown(place + b"/mode %o" % mode, 70000, 80000 + mode)
        os.chmod(place + b"/mode %o" % mode, mode)
    os.mkdir(place + b"/closed", 0o700)
    put(place + b"/closed/secret")


def names(place, pick):
    """Every byte that a name may hold, every length that it may have."""
    place += b"/names"
    os.mkdir(place)
    bytes_ = [value for value in range(1, 256) if value != ord("/")]
    for value in bytes_:
        if value != ord("."):
            put(place + b"/" + bytes([value]))
        put(place + b"/x" + bytes([value]))
    os.mkdir(place + b"/lengths")
    for length in range(1, 256):
        name = bytes(pick.choices(bytes_, k=length))
        if name in (b".", b".."):
            name = b"z" * length
        put(place + b"/lengths/" + name)
    os.mkdir(place + b"/directories")
    for length in (1, 2, 3, 4, 5, 127, 252, 253, 254, 255):
        os.mkdir(place + b"/directories/" + b"%03d" % length * 85 if length == 255 else
                 place + b"/directories/" + b"d" * length)


def some_name(pick):
    if pick.random() < 0.01:
        return pick.choice([b"a", b"b", b"z"]) * 255
    name = b"".join(pick.choices(PIECES, k=pick.randint(1, 3)))
    return (b"." if pick.random() < 0.12 else b"") + name


def scattered(place, pick, count=400):
    """A random tree."""
    top = place + b"/tree"
    os.mkdir(top)
    directories = [top]
    for _ in range(count):
        path = pick.choice(directories[-12:] + directories[:4]) + b"/" + some_name(pick)
        if path.endswith((b"/.", b"/..")) or os.path.lexists(path):
            continue
        when = EPOCH + pick.randint(-3, 3) * pick.choice([1, 60, 86400])
        kind = pick.random()
        if kind < 0.35:
            os.mkdir(path)
            directories.append(path)
        elif kind < 0.42:
            os.symlink(some_name(pick), path)
        else:
            put(path, pick.choice(SIZES), pick.random() < 0.4 and kind < 0.8, when)
    for path in directories[1:]:
        when = EPOCH + pick.randint(-3, 3) * 60
        os.utime(path, (when, when))


def random_trees(place, pick):
    for number in range(40 if LONG else 6):
        part = place + b"/%d" % number
        os.mkdir(part)
        scattered(part, pick, pick.randint(10, 2000))


def deleted(place, pick):
    """Names that are left in blocks as deleted entries, in directories and in what became others."""
    place += b"/deleted"
    os.mkdir(place)
    for number in range(12):
        part = place + b"/%d" % number
        os.mkdir(part)
        made = [b"/gone %d %s" % (index, b"g" * pick.randint(0, 60)) for index in range(15 * number)]
        for name in made:
            put(part + name)
        pick.shuffle(made)
        for name in made[:len(made) * 9 // 10]:
            os.unlink(part + name)
        if number % 4 == 3:  # its blocks go to others
            shutil.rmtree(part)


def growing(place, pick):
    """Directories of every size from none to some blocks: from the inode itself to a hashed tree."""
    place += b"/growing"
    os.mkdir(place)
    for number in range(0, 60, 1 if LONG else 2):
        part = place + b"/%d" % number
        os.mkdir(part)
        for index in range(number if number < 40 else number * 4):
            name = b"%s%d" % (b"n" * pick.randint(0, 30), index)
            (os.mkdir if index % 9 == 8 else put)(part + b"/" + name)
        if number % 3 == 0:
            for name in os.listdir(part)[::2]:
                (os.rmdir if os.path.isdir(part + b"/" + name) else os.unlink)(part + b"/" + name)


def fragmented(place, pick):
    """The free space in single blocks, then directories that take them, one by one."""
    space = os.statvfs(place)
    ballast = place + b"/ballast"
    with open(ballast, "wb") as file:
        left = space.f_bavail * space.f_bsize - 64 * space.f_bsize
        try:
            if subprocess.run(["fallocate", "-l", str(left), ballast], stderr=subprocess.DEVNULL,
                              check=False).returncode != 0:
                for _ in range(left >> 20):
                    file.write(b"\x01" * (1 << 20))
        except OSError:
            pass
        file.flush()
        os.fsync(file.fileno())
        size = os.fstat(file.fileno()).st_size
        punch = fscrypt.punch_hole
        for block in range(0, size // space.f_bsize, 2):
            if not punch(file.fileno(), block * space.f_bsize, space.f_bsize):
                break
        os.fsync(file.fileno())
    parts = [place + b"/of many extents %d" % number for number in range(3)]
    for part in parts:
        os.mkdir(part)
    for index in range(6000 if LONG else 2500):
        part = parts[index % 3] if index < 600 else parts[0]
        try:
            put(part + b"/%05d" % index + b"L" * pick.randint(100, 240), 1)
        except OSError:
            break
    small_left = place + b"/until it is full"
    try:
        os.mkdir(small_left)
        for index in range(100000):
            put(small_left + b"/%d" % index, 50000, True)
    except OSError:
        pass


def deep(place, _pick):
    chain(place, 20000 if LONG else 8000, b"d", b"leaf")


def wide(place, _pick):
    """Subdirectories more than a link count can say."""
    os.mkdir(place + b"/wide")
    for number in range(65001):
        os.mkdir(place + b"/wide/%d" % number)
    put(place + b"/wide/64999/leaf")


def million(place, _pick):
    os.mkdir(place + b"/million")
    for number in range(1000000 if LONG else 50000):
        os.close(os.open(place + b"/million/file number %d" % number, os.O_CREAT | os.O_WRONLY))


def siblings(place, _pick):
    for number in range(20000 if LONG else 3000):
        os.mkdir(place + b"/s%d" % number)
        put(place + b"/s%d/leaf" % number)
        put(place + b"/s%d/of its own %d" % (number, number))


def real(place, _pick):
    """A copy of what is here, with its times."""
    for source in ("/usr/src/linux", "/usr/include", "/usr/share/doc"):
        if os.path.isdir(source) and (LONG or source != "/usr/src/linux"):
            subprocess.run(["cp", "-a", source, place], stderr=subprocess.DEVNULL, check=False)
            return


def attributes(place, pick):
    """Extended attributes in the inode, in a block of their own, in inodes of their own."""
    place += b"/attributes"
    os.mkdir(place)
    for number in range(30):
        path = place + b"/%d" % number
        (os.mkdir if number % 3 == 0 else put)(path)
        for size in (10, 200, 900, 20000)[:number % 5]:
            try:
                os.setxattr(path, b"user.of%d" % size, bytes(pick.choices(range(256), k=size)))
            except OSError:
                pass
        if number % 3 == 0:
            for index in range(number):
                put(path + b"/%d" % index, index)


def encrypted(place, pick):
    """Encrypted directories, beside and below others; made with the key, mounted without it."""
    os.mkdir(place + b"/plain")
    put(place + b"/plain/file")
    for name in (b"/locked", b"/plain/locked"):
        os.mkdir(place + name)
        fscrypt.encrypt(place + name)
        for index in range(120):
            put(place + name + b"/%d %s" % (index, b"e" * pick.randint(0, 200)), index)
        os.makedirs(place + name + b"/below/it")
        put(place + name + b"/below/it/leaf")
        os.symlink(b"somewhere", place + name + b"/link")


def covered(place, pick):
    """Directories that other volumes will hide, each with names that must not be shown then."""
    scattered(place, pick, 100)
    for name in (b"tmpfs", b"bound", b"deep/er/tmpfs", b"volume itself"):
        os.makedirs(place + b"/" + name + b"/hidden below")
        put(place + b"/" + name + b"/hidden below/hidden")
        put(place + b"/" + name + b"/hidden too")
    put(place + b"/bound file", 5)
    os.makedirs(place + b"/source/of/it")
    put(place + b"/source/of/it/shown")


def casefolded(place, pick):
    """A directory whose names differ in case alone nowhere."""
    os.mkdir(place + b"/folded")
    subprocess.run(["chattr", "+F", place + b"/folded"], check=True)
    for index in range(500):
        put(place + b"/folded/" + "Straße ÉÄ ".encode() + b"%d" % index)
    kinds(place + b"/folded", pick)


# -- stages: (what to say of it, function) ------------------------------------------------------------

def mount_over(place):
    def mounted(*words):
        subprocess.run(["mount", *words], check=True)
    mounted("-t", "tmpfs", "none", os.path.join(place, b"tmpfs"))
    put(place + b"/tmpfs/of the tmpfs")
    mounted("-t", "tmpfs", "none", os.path.join(place, b"deep/er/tmpfs"))
    mounted("--bind", place + b"/source", place + b"/bound")
    mounted("--bind", place + b"/source/of/it/shown", place + b"/bound file")
    mounted("--bind", place, place + b"/volume itself")


def unlock(place):
    fscrypt.add_key(place)


STAGES = {"covered": [("mounts on directories of it", mount_over)],
          "encrypted": [("the key is there", unlock)],
          "subvolumes": [("subvolumes are mounted", mount_subvolumes)]}


def fill(text, place, seed):
    place = os.fsencode(place)
    for word in text.split():
        globals()[word](place, random.Random(f"{seed} {word}"))
