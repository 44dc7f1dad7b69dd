# SPDX-License-Identifier: MIT
"""A volume of its own from a row: an image file, made, tuned, mounted, filled and asked by compare.py
and damage.py. All mounts lie in a private namespace that ends with the process, and loop devices are
mounted such that they go with the mount, so that nothing is left behind by a test that is killed.
Knows nothing of ffind.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import suite  # noqa: E402
from suite import Skip  # noqa: E402

PATHS = ":/usr/sbin:/sbin:/usr/bin:/bin"
ADVICE = "run as root on a machine with loop devices (a container: privileged, with its /dev)"


def in_memory(scratch):
    """Images in memory, where there is enough: no disk is waited for, and they end with the namespace."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            available = int(re.search(r"MemAvailable: +(\d+)", file.read())[1]) >> 20
    except (OSError, TypeError):
        return
    if available >= 4:
        run("mount", "-t", "tmpfs", "-o", f"mode=755,size={available - 2}G", "none", scratch, check=False)


def case(name, function):
    """A case that calls function() in a private mount namespace, in a scratch directory of its own."""
    def trial(scratch):
        in_memory(scratch)
        os.chdir(scratch)
        tempfile.tempdir = scratch
        return function()

    def start():
        os.environ["PATH"] = os.environ.get("PATH", "") + PATHS
        if os.geteuid() != 0:
            raise Skip(f"may not mount as this user; {ADVICE}")
        if not os.path.exists("/dev/loop-control"):
            raise Skip(f"may not mount: there is no /dev/loop-control; {ADVICE}")
        with suite.scratch_directory("ffind-volume-") as scratch:
            return suite.in_namespace(lambda: trial(scratch))
    return suite.Case(name, start)


def run(*command, check=True, **options):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **options)
    if check and done.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done


class Row:
    """One file of rows/: `key: value` lines; see README.md for the keys."""

    KEYS = {"type": "ext4", "size": "64M", "mkfs": "", "mount": "", "then": None, "tune": "", "tree": "small",
            "questions": "light", "expect": "catalog", "optional": "", "long": "", "often": "", "changes": "yes", "walked": ""}

    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix(".row")
        self.values, self.promise = dict(self.KEYS), ""
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("#"):
                    self.promise += line[1:].strip() + " "
                elif line.strip():
                    key, colon, value = line.partition(":")
                    if not colon or key not in self.KEYS:
                        raise ValueError(f"{path}: {line!r}: the keys are {', '.join(self.KEYS)}")
                    self.values[key] = value.strip()

    def __getattr__(self, key):
        try:
            return self.values[key]
        except KeyError:
            raise AttributeError(key) from None


def make_image(row, path):
    """An unmounted image as the row wants it."""
    tool = f"mkfs.{row.type}"
    if not shutil.which(tool):
        raise Skip(f"{tool} is not installed (./bootstrap --test installs it)")
    with open(path, "wb") as file:
        file.truncate(int(row.size.rstrip("MG")) << (30 if row.size.endswith("G") else 20))
    quiet = ["-q", "-F"] if row.type.startswith("ext") else ["-q", "-f"]
    done = run(tool, *quiet, *shlex.split(row.mkfs), path, check=False)
    if done.returncode != 0:
        if row.optional:
            raise Skip(f"{tool} does not make this: {done.stderr.strip()}")
        raise RuntimeError(f"{tool} {row.mkfs}: {done.stderr.strip()}")


def mount(image, place, options="", optional=False, kind=None):
    """Mounts an image; the loop device is freed with the mount."""
    os.makedirs(place, exist_ok=True)
    # To read a link changes when it was accessed, of which the next answer tells.
    words = ["-o", "loop,noatime" + ("," + options if options else "")] + (["-t", kind] if kind else [])
    done = run("mount", *words, image, place, check=False)
    if done.returncode == 0:
        return
    reason = done.stderr.strip().replace("\n", " ")
    if optional:
        raise Skip(f"this kernel does not mount it: {reason}")
    # What a plain volume of the same kind is refused, too, is the machine's doing, not the row's.
    plain = Row(os.devnull)
    if kind:
        plain.values.update(type=kind, size="512M")
    make_image(plain, "plain.img")
    again = run("mount", "-o", "loop", *words[2:], "plain.img", place, check=False)
    if again.returncode != 0:
        raise Skip(f"may not mount {kind or 'ext4'} from a loop device here ({reason}); {ADVICE}")
    run("umount", place)
    raise RuntimeError(f"mount {' '.join(words)}: {reason}")


def unmount(place):
    run("umount", place)


def device_of(place):
    return run("findmnt", "-n", "-o", "SOURCE", "--target", place).stdout.strip()


def tune(row, image):
    """Changes the row's features of the unmounted image, which tune2fs wants checked before and after."""
    for words in row.tune.split(";"):
        if words.strip():
            run("e2fsck", "-fy", image, check=False)
            run("tune2fs", *shlex.split(words), image)
    if row.tune:
        run("e2fsck", "-fy", image, check=False)
        left = run("e2fsck", "-fn", image, check=False)
        if left.returncode != 0:
            raise RuntimeError(f"e2fsck still finds something after tune2fs: {left.stdout}")
