#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches damaged ext volumes by catalog, by walk and with find: what one lists with status 0, all list.

    mutate.py --ffind build/ffind                        a sample: some hundred images, half a minute
    mutate.py --ffind build/ffind --images 10000         ten minutes to half an hour
    mutate.py --ffind build/ffind --image SHAPE:NUMBER   this one again (of this --seed), and what was changed in it

Each image is that of a small tree in one of SHAPES, with one to three changes: bytes anywhere in the superblock, group
descriptors, inodes, extent trees, hash trees and directories, or the fields of one of these, with values
that are nearly right. The checksums of most are made right again, so that they do not hide the checks that come after
them. Each image is mounted anew, three of ten for writing, and listed by find, by catalog, by walk; then the same with
metadata. Images of which find itself gives two answers are left out, as "unsteady".
FFIND_IMAGES: as --images. Exit status: 0 passed, 1 failed, 77 skipped.
"""
import argparse
import ctypes
import fcntl
import functools
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import compare  # noqa: E402
import volume  # noqa: E402  (finds suite, too)
import suite  # noqa: E402

SHAPES = {
    "ext4": ("2M", "-b 1024 -N 512 -O ^has_journal", "ext4", "small extents"),
    "ext4-index": ("4M", "-b 1024 -N 512 -O ^has_journal", "ext4", "small index"),
    "ext4-index-2": ("4M", "-b 1024 -N 512 -O ^has_journal", "ext4", "deep"),
    "ext4-4k": ("4M", "-b 4096 -N 512 -O ^has_journal", "ext4", "small index extents"),
    "ext4-journal": ("8M", "-b 1024 -N 512 -J size=1 -O 64bit", "ext4", "small extents"),
    "ext4-groups": ("4M", "-b 1024 -g 512 -N 1024 -G 4 -O ^has_journal,^resize_inode", "ext4", "small extents index"),
}
TOP, PRISTINE, DAMAGED = "m", "pristine", "damaged"
FIELDS = "type,size,allocated,mode,uid,gid,links,inode,modified,changed,created"
NUMBERS = (0, 1, 2, 3, 5, 7, 8, 11, 12, 13, 14, 20, 0x7F, 0x80, 0xFF, 0x100, 0x3FF, 0x400, 0x7FFF, 0x8000, 0x8001, 0xFFFF,
           0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
INDEX, EXTENTS, DIRECTORY = 0x1000, 0x80000, 0o040000


# -- what is on a volume -------------------------------------------------------------------------------

def crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = crc_table()


def crc32c(crc, data):
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc


class Image:
    """An undamaged image: where its parts lie, and how the checksum of each is made right again."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.block_size = 1024 << self.u32(1024 + 24)
        self.first_block = self.u32(1024 + 20)
        self.per_group, self.inodes = self.u32(1024 + 40), self.u32(1024 + 0)
        self.inode_size = self.u16(1024 + 88)
        self.descriptor_size = self.u16(1024 + 254)
        self.groups = (self.inodes + self.per_group - 1) // self.per_group
        self.seed = crc32c(0xFFFFFFFF, self.data[1024 + 104:1024 + 120])
        self.parts = [("superblock", 1024, 1024, 0)]
        for group in range(self.groups):
            self.parts.append(("descriptor", self.descriptor(group), self.descriptor_size, group))
        self.used = []
        for number in [2, *range(11, self.inodes + 1)]:
            self.add_inode(number)

    def u16(self, at):
        return struct.unpack_from("<H", self.data, at)[0]

    def u32(self, at):
        return struct.unpack_from("<I", self.data, at)[0]

    def descriptor(self, group):
        return (self.first_block + 1) * self.block_size + group * self.descriptor_size

    def inode_at(self, number):
        group, index = divmod(number - 1, self.per_group)
        return self.u32(self.descriptor(group) + 8) * self.block_size + index * self.inode_size

    def add_inode(self, number):
        at = self.inode_at(number)
        mode, flags = self.u16(at), self.u32(at + 32)
        if not mode or not self.u16(at + 26):
            return
        self.used.append(number)
        self.parts.append(("inode", at, self.inode_size, number))
        is_directory = mode & 0o170000 == DIRECTORY
        if not flags & EXTENTS or mode & 0o170000 not in (DIRECTORY, 0o100000):
            return
        blocks = {}
        self.add_extents(number, at + 40, blocks)
        for logical, physical in sorted(blocks.items()) if is_directory else ():
            self.parts.append((self.kind_of_block(flags, logical, physical), physical * self.block_size, self.block_size,
                               number))

    def add_extents(self, number, at, blocks):
        entries, depth = self.u16(at + 2), self.u16(at + 6)
        for entry in range(at + 12, at + 12 + 12 * entries, 12):
            if depth == 0:
                for block in range(self.u16(entry + 4) & 0x7FFF):
                    blocks[self.u32(entry) + block] = self.u32(entry + 8) + block
            else:
                below = self.u32(entry + 4) * self.block_size
                self.parts.append(("extents", below, self.block_size, number))
                self.add_extents(number, below, blocks)

    def kind_of_block(self, flags, logical, physical):
        at = physical * self.block_size
        if flags & INDEX and logical == 0:
            return "root"
        return "node" if flags & INDEX and self.u16(at + 4) == self.block_size else "leaf"

    def seed_of(self, number):
        generation = self.data[self.inode_at(number) + 100:self.inode_at(number) + 104]
        return crc32c(crc32c(self.seed, struct.pack("<I", number)), generation)

    def make_right(self, part):
        """The checksum of a part."""
        kind, at, size, number = part
        if kind == "superblock":
            struct.pack_into("<I", self.data, at + 1020, crc32c(0xFFFFFFFF, self.data[at:at + 1020]))
        elif kind == "descriptor":
            struct.pack_into("<H", self.data, at + 30, 0)
            crc = crc32c(crc32c(self.seed, struct.pack("<I", number)), self.data[at:at + size])
            struct.pack_into("<H", self.data, at + 30, crc & 0xFFFF)
        elif kind == "inode":
            self.make_inode_right(at, number)
        elif kind == "extents":
            tail = 12 + 12 * self.u16(at + 4)
            if tail + 4 <= size:
                struct.pack_into("<I", self.data, at + tail, crc32c(self.seed_of(number), self.data[at:at + tail]))
        elif kind == "leaf":
            struct.pack_into("<I", self.data, at + size - 4, crc32c(self.seed_of(number), self.data[at:at + size - 12]))
        elif kind in ("root", "node"):
            table = at + (32 if kind == "root" else 8)
            crc = crc32c(self.seed_of(number), self.data[at:table + 8 * min(self.u16(table + 2), size // 8)])
            crc = crc32c(crc, self.data[at + size - 8:at + size - 4] + bytes(4))
            struct.pack_into("<I", self.data, at + size - 4, crc)

    def make_inode_right(self, at, number):
        high = self.inode_size > 128 and self.u16(at + 128) >= 4
        struct.pack_into("<H", self.data, at + 124, 0)
        if high:
            struct.pack_into("<H", self.data, at + 130, 0)
        crc = crc32c(self.seed_of(number), self.data[at:at + self.inode_size])
        struct.pack_into("<H", self.data, at + 124, crc & 0xFFFF)
        if high:
            struct.pack_into("<H", self.data, at + 130, crc >> 16)


# -- damage --------------------------------------------------------------------------------------------

# Offset and size of fields, those twice that should be hit more often.
FIELDS_OF = {
    "superblock": [(0, 4), (4, 4), (20, 4), (24, 4), (32, 4), (40, 4), (76, 4), (84, 4), (88, 2), (92, 4), (96, 4), (100, 4),
                   (208, 4), (212, 4), (236, 4), (252, 1), (254, 2), (256, 4), (260, 4), (352, 4), (576, 4), (580, 4),
                   (620, 4), (640, 4)],
    "descriptor": [(0, 4), (4, 4), (8, 4), (18, 2), (28, 2)],
    "inode": [(0, 2), (0, 2), (4, 4), (4, 4), (16, 4), (20, 4), (26, 2), (28, 4), (32, 4), (32, 4), (32, 4), (40, 4), (44, 4),
              (48, 4), (52, 4), (56, 4), (60, 4), (64, 4), (72, 4), (76, 4), (88, 4), (92, 4), (96, 4), (100, 4), (104, 4),
              (108, 4), (108, 4), (116, 2), (118, 2), (120, 2), (128, 2), (132, 4), (136, 4), (144, 4), (160, 4), (164, 4),
              (168, 4), (172, 4)],
    "root": [(24, 4), (28, 1), (29, 1), (30, 1), (31, 1), (32, 2), (34, 2), (36, 4)],
    "node": [(4, 2), (8, 2), (10, 2), (12, 4)],
    "extents": [(0, 2), (2, 2), (4, 2), (6, 2), (8, 4)],
    "leaf": [],
}


def fields_of(image, part, pick):
    """A field of the part, by chance: (offset on the device, size)."""
    kind, at, size, _ = part
    choices = list(FIELDS_OF[kind])
    if kind == "extents":
        entry = 12 + 12 * pick.randrange(max(1, min(image.u16(at + 2), size // 12 - 1)))
        choices += [(entry, 4), (entry + 4, 2), (entry + 6, 2), (entry + 8, 4)] * 2
    elif kind in ("root", "node"):
        table = 32 if kind == "root" else 8
        entry = table + 8 * pick.randrange(max(1, min(image.u16(at + table + 2), (size - table) // 8)))
        choices += [(entry, 4), (entry + 4, 4)] * 4
    elif kind == "leaf":
        entries, entry = [], 0
        while entry < size - 12 and image.u16(at + entry + 4) >= 12:
            entries.append(entry)
            entry += image.u16(at + entry + 4)
        entry = pick.choice(entries or [0])
        length = max(1, image.data[at + entry + 6])
        choices = [(entry, 4), (entry, 4), (entry + 4, 2), (entry + 6, 1), (entry + 7, 1), (entry + 8, 1),
                   (entry + 8 + pick.randrange(length), 1), (entry + 7 + length, 1)]
    offset, width = pick.choice([choice for choice in choices if choice[0] + choice[1] <= size] or [(0, 1)])
    return at + offset, width


def value_for(image, pick, old, width):
    """A value that is nearly right, or one that is not."""
    way = pick.randrange(8)
    if way < 2:
        return old ^ 1 << pick.randrange(8 * width)
    if way == 2:
        return old + pick.choice((-2, -1, 1, 2, 4, 8, 12))
    if way == 3:
        return pick.choice(NUMBERS)
    if way == 4:
        return pick.choice(image.used)
    if way == 5:  # a block, of metadata very often
        _, at, size, _ = pick.choice(image.parts)
        return (at + pick.choice((0, size))) // image.block_size
    if way == 6:
        return pick.randrange(1 << 8 * width)
    at = pick.choice(image.parts)[1]
    return int.from_bytes(image.data[at:at + width], "little")


def swap_entries(image, part, pick):
    """Two entries of a hash tree's block or an extent's exchange a part; or an entry of a directory gets another's name."""
    kind, at, size, _ = part
    if kind in ("root", "node"):
        table = at + (32 if kind == "root" else 8)
        step, first, count = 8, table, min(image.u16(table + 2), (size - 40) // 8)
    elif kind == "extents":
        step, first, count = 12, at + 12, min(image.u16(at + 2), size // 12 - 1)
    else:
        return False
    if count < 2:
        return False
    one, other = (first + step * pick.randrange(count) for _ in range(2))
    width = pick.choice((4, step))
    where = pick.choice((0, 4)) if width == 4 else 0
    one, other = one + where, other + where
    data = image.data
    data[one:one + width], data[other:other + width] = data[other:other + width], data[one:one + width]
    return True


def damage(image, pick):
    """Changes the image; what was changed, as text."""
    kinds = sorted({part[0] for part in image.parts})
    weights = [{"superblock": 2, "descriptor": 1, "inode": 8}.get(kind, 5) for kind in kinds]
    told, touched = [], []
    for _ in range(pick.choice((1, 1, 1, 2, 3))):
        kind = pick.choices(kinds, weights)[0]
        part = pick.choice([part for part in image.parts if part[0] == kind])
        where = f"{kind} of {part[3]} at {part[1]}"
        if pick.random() < 0.15 and swap_entries(image, part, pick):
            told.append(f"{where}: entries exchanged")
        elif pick.random() < 0.7:
            at, width = fields_of(image, part, pick)
            old = int.from_bytes(image.data[at:at + width], "little")
            new = value_for(image, pick, old, width) % (1 << 8 * width)
            image.data[at:at + width] = new.to_bytes(width, "little")
            told.append(f"{where}: {width} bytes at +{at - part[1]} from {old:#x} to {new:#x}")
        else:
            for _ in range(pick.choice((1, 1, 2, 8))):
                at = part[1] + pick.randrange(part[2] if pick.random() < 0.5 else min(part[2], 64))
                image.data[at] ^= 1 << pick.randrange(8)
                told.append(f"{where}: a bit at +{at - part[1]}")
        touched.append(part)
    if pick.random() < 0.85:
        for part in sorted(touched, key=lambda part: part[0] != "inode"):  # whose generation goes into the others
            image.make_right(part)
        told.append("checksums right")
    return "; ".join(told)


# -- volumes -------------------------------------------------------------------------------------------

def write(path, size):
    with open(path, "wb") as file:
        file.write(b"x" * size)


def scattered(path, count, step):
    """A file of many extents."""
    with open(path, "wb") as file:
        for number in range(count):
            file.seek(number * step)
            file.write(b"x")


def fill(words, top, pick):
    """A tree of a hundred to some thousand entries."""
    def below(*names):
        return os.path.join(top, *names)
    for name in ("a", "a/b", "a/b/c", "d", "d/empty", "e", "e/many"):
        os.mkdir(below(name))
    for number in range(12):
        write(below("a", f"file{number}"), 100 * number)
        os.mkdir(below("d", f"sub{number}"))
        write(below("d", f"sub{number}", "leaf"), 1)
    for number in range(70):  # several blocks
        write(below("e", "many", f"entry-{number:03}"), 0)
    os.symlink("a/file1", below("fast"))
    os.symlink("x" * 60, below("slow"))
    os.symlink("y" * 300, below("a", "slower"))
    os.mkfifo(below("d", "fifo"))
    os.mknod(below("d", "device"), 0o20600, os.makedev(4, 7))
    os.mknod(below("d", "large-device"), 0o60600, os.makedev(300, 70000))
    os.link(below("a", "file2"), below("d", "hard"))
    os.chmod(below("a", "file3"), 0o4711)
    os.chown(below("a", "file4"), 70000, 80000)
    write(below("big"), 30000)
    for path, name, size in (("a", "user.small", 20), ("a/file5", "user.small", 3), ("a/file6", "user.large", 600),
                             ("d", "user.large", 500), ("e", "user.two", 10), ("e", "user.three", 30)):
        try:
            os.setxattr(below(path), name, b"v" * size)
        except OSError:
            pass
    if "extents" in words:
        scattered(below("holes"), 12, 20000)
        with open(below("unwritten"), "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 20000)
        os.mkdir(below("apart"))  # a directory of several extents
        for number in range(150):
            write(below("apart", f"name-of-some-length-{number}"), 0)
            if number % 10 == 0:
                write(below("e", f"between{number}"), 1500)
    for index, count in (("index", 260), ("deep", 4200)):
        if index not in words.split():
            continue
        os.mkdir(below("index"))
        write(below("one"), 0)
        for number in range(count):
            os.link(below("one"), below("index", f"{pick.randrange(1 << 60):x}{'n' * pick.randrange(10, 30)}"))
        os.mkdir(below("index", "below"))
        write(below("index", "below", "leaf"), 5)


def make(shape):
    size, words, kind, tree = SHAPES[shape]
    row = volume.Row(os.devnull)
    row.values.update(type=kind, size=size, mkfs=words + " -E hash_seed=01234567-89ab-cdef-0123-456789abcdef "
                      "-U 01234567-89ab-cdef-0123-456789abcdef", optional="yes")
    volume.make_image(row, PRISTINE)
    volume.mount(PRISTINE, TOP, kind=kind)
    fill(tree, TOP, random.Random(shape))
    volume.unmount(TOP)
    checked = volume.run("e2fsck", "-fyD", PRISTINE, check=False)  # makes hash trees also where the kernel has not
    if checked.returncode > 1:
        raise RuntimeError(checked.stdout)
    compare.age(PRISTINE)
    with open(PRISTINE, "rb") as file:
        return Image(file.read())


LOOP_CONFIGURE, LOOP_GET_FREE, READ_ONLY, AUTOCLEAR = 0x4C0A, 0x4C82, 1, 4
MS_RDONLY, MNT_DETACH = 1, 2
LIBC = ctypes.CDLL(None, use_errno=True)


def attach(image, read_only):
    """A descriptor of a loop device that is freed with its last user, and its path."""
    with open("/dev/loop-control", "rb") as control, open(image, "rb" if read_only else "r+b") as file:
        while True:
            path = f"/dev/loop{fcntl.ioctl(control, LOOP_GET_FREE)}"
            device = os.open(path, os.O_RDONLY if read_only else os.O_RDWR)
            flags = AUTOCLEAR | (READ_ONLY if read_only else 0)
            try:
                fcntl.ioctl(device, LOOP_CONFIGURE, struct.pack("<II52xI232x", file.fileno(), 0, flags))
                return device, path
            except OSError:  # another process took it
                os.close(device)


def mounted(kind, read_only):
    """Whether the kernel takes the damaged image."""
    device, path = attach(DAMAGED, read_only)
    try:
        flags = (MS_RDONLY if read_only else 0) | 1024  # noatime
        return LIBC.mount(path.encode(), TOP.encode(), kind.encode(), flags, b"errors=continue") == 0
    finally:
        os.close(device)


def unmount():
    while LIBC.umount2(TOP.encode(), 0) != 0:
        time.sleep(0.01)


# -- questions -----------------------------------------------------------------------------------------

def ask(words):
    out, complaint, status = compare.ask(words, timeout=20)
    return out, complaint, status


def by_ffind(options, method, *words):
    out, complaint, status = ask([options.ffind, "--method", method, "-j", "2", *words, "--in", TOP])
    records = out.split(b"\0" if "-0" in words else b"\n")
    # Of an entry that the kernel refuses, a walk has the number from its listing.
    return sorted(record if b'"size"' in record else re.sub(rb',"inode":\d+', b"", record) for record in records), \
        complaint, status


def by_find():
    out, complaint, status = ask(["find", TOP, "-mindepth", "1", "-print0"])
    return sorted(out.split(b"\0")), status, complaint


def difference(one, other):
    more, less = compare.subtract(one, other), compare.subtract(other, one)
    return f"{len(more)} more {more[:3]}, {len(less)} less {less[:3]}" if more or less else ""


def all_vanished(complaint):
    return all("No such file" in line for line in complaint.splitlines())


def compared(options):
    """What is wrong with the answers about the mounted volume."""
    problems, counts = [], {}
    names_of_find, found, found_complaint = by_find()
    if found == -1:
        return ["endless"], counts
    for words in (["-0"], ["--json=" + FIELDS]):
        catalog, complaint, status = by_ffind(options, "catalog", *words)
        if status == 2 and "catalog" in complaint:
            return ["refused"], counts
        walk, walk_complaint, walk_status = by_ffind(options, "walk", *words)
        told = difference(catalog, walk)
        if told or status != walk_status:
            problems.append(f"{'status 0: ' if status == 0 else ''}{words[0]}: catalog {status}, walk {walk_status}: {told}; "
                            f"{complaint.strip()[-300:]} | {walk_complaint.strip()[-300:]}")
        if words == ["-0"]:
            counts["status"] = status
            told = difference(catalog, names_of_find)
            # What can be listed and not found has vanished, to ffind.
            if status == 0 and (told or (found != 0 and not all_vanished(found_complaint))):
                problems.append(f"status 0, find {found}: {told}; {found_complaint.strip()[-300:]}")
    # Where a hash tree without checksums is broken, the kernel does without it from the second time on.
    if problems and by_find()[:2] != (names_of_find, found):
        return ["unsteady"], counts
    return problems, counts


def one(options, shape, number, image):
    """(what became of it, problems)"""
    kind = SHAPES[shape][2]
    pick = random.Random(f"{options.seed} {shape} {number}")
    damaged = Image.__new__(Image)
    damaged.__dict__.update(image.__dict__, data=bytearray(image.data))
    told = damage(damaged, pick)
    with open(DAMAGED, "wb") as file:
        file.write(damaged.data)
    if not mounted(kind, pick.random() < 0.7):
        return "not mounted", [], told
    try:
        problems, counts = compared(options)
    finally:
        unmount()
    if problems in (["endless"], ["refused"], ["unsteady"]):
        return problems[0], [], told
    return f"status {counts['status']}", problems, told


def trials(options, shape, numbers):
    image = make(shape)
    became, failed = {}, 0
    for number in numbers:
        what, problems, told = one(options, shape, number, image)
        became[what] = became.get(what, 0) + 1
        failed += bool(problems)
        if problems or options.image:
            print(f"{shape}:{number} ({what}): {told}")
        for problem in problems:
            print(f"    {problem}")
    print(f"{shape}: {len(numbers)} images; " + ", ".join(f"{count} {what}" for what, count in sorted(became.items())) +
          f"; {failed} wrong", flush=True)
    return not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--images", type=int, default=int(os.environ.get("FFIND_IMAGES", "300")))
    parser.add_argument("--image", help="SHAPE:NUMBER")
    parser.add_argument("--seed", default=os.environ.get("FFIND_SEED", "1"))
    suite.add_options(parser)
    options = parser.parse_args()
    options.ffind = os.path.abspath(options.ffind)
    if options.image:
        shape, number = options.image.split(":")
        chosen = {options.image: (shape, range(int(number), int(number) + 1))}
    else:
        each = max(1, options.images // len(SHAPES))
        batch = 200
        chosen = {f"{shape}-{first}": (shape, range(first, min(first + batch, each)))
                  for first in range(0, each, batch) for shape in SHAPES}
    return suite.run([volume.case(name, functools.partial(trials, options, *chosen[name]))
                      for name in suite.selected(chosen, options.words)], options, limit=3600)


if __name__ == "__main__":
    sys.exit(main())
