# SPDX-License-Identifier: MIT
"""Trees that only btrfs can hold: subvolumes in all places. Part of trees.py.
"""
import os
import subprocess


def put(path):
    with open(path, "wb"):
        pass


def btrfs(*words):
    subprocess.run(["btrfs", "-q", *words], check=True)


def subvolume(path):
    btrfs("subvolume", "create", path)


def snapshot(source, path, *options):
    btrfs("subvolume", "snapshot", *options, source, path)


def subvolumes(place, _pick):
    """Inside one another, in snapshots (which show them as empty directories), moved and deleted;
    first with numbers that directories beside them have, too: d_ino does not tell one from the other."""
    for number in range(12):
        os.makedirs(place + b"/directory %d/inner" % number)
        put(place + b"/directory %d/inner/of a directory" % number)
        subvolume(place + b"/subvolume %d" % number)
        os.mkdir(place + b"/subvolume %d/inner" % number)
        put(place + b"/subvolume %d/inner/of a subvolume" % number)
    one = place + b"/subvolume 1"
    subvolume(one + b"/nested")
    put(one + b"/nested/leaf")
    os.makedirs(one + b"/a/b")
    subvolume(one + b"/a/b/deep")
    os.makedirs(one + b"/a/b/deep/c/d")
    put(one + b"/a/b/deep/c/d/leaf")
    snapshot(one, place + b"/snapshot")
    snapshot(one, one + b"/snapshot inside")
    snapshot(one, place + b"/read-only", "-r")
    snapshot(place + b"/snapshot", place + b"/directory 1/snapshot of a snapshot")
    os.rename(one + b"/nested", place + b"/directory 2/moved")
    os.rename(place + b"/subvolume 3", place + b"/renamed")
    snapshot(place, place + b"/of all")
    btrfs("subvolume", "delete", place + b"/subvolume 4")
    os.mkdir(place + b"/subvolume 4")
    put(place + b"/subvolume 4/a directory now")
    os.rmdir(place + b"/snapshot/nested")  # what only looks like a subvolume goes like a directory
    put(place + b"/snapshot/nested")


def snapshots(place, pick):
    """The same where one of them is mounted instead of the whole: there is nothing to mount over."""
    subvolumes(place, pick)


def mount_subvolumes(place):
    """Each with a path of its own, one of them over another."""
    device = subprocess.run(["findmnt", "-n", "-o", "SOURCE", "--target", place], stdout=subprocess.PIPE,
                            check=True).stdout.split(b"[")[0].strip()
    for name, where in ((b"renamed", b"directory 5"), (b"subvolume 1/a/b/deep", b"subvolume 2/inner"),
                        (b"read-only", b"subvolume 6"), (b"subvolume 7", b"subvolume 7")):
        subprocess.run(["mount", "-t", "btrfs", "-o", b"noatime,subvol=" + name, device, place + b"/" + where], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", place + b"/subvolume 2/inner/c"], check=True)
    put(place + b"/subvolume 2/inner/c/of the tmpfs")
