# SPDX-License-Identifier: MIT
"""A volume of its own from a row: an image file, made, tuned, mounted, filled and asked by compare.py
and damage.py. All mounts lie in a private namespace that ends with the process, and loop devices are
mounted such that they go with the mount, so that nothing is left behind by a test that is killed.
Knows nothing of ffind.
"""
import atexit
import ctypes
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

SKIPPED = 77
INSIDE = "FFIND_VOLUMES_INSIDE"  # set in the process that has the namespace: the scratch directory
PATHS = ":/usr/sbin:/sbin:/usr/bin:/bin"
PR_SET_PDEATHSIG = 1


class Skip(Exception):
    """The machine cannot run this; the message says why and what would help."""


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def in_memory(scratch):
    """Images in memory, where there is enough: no disk is waited for, and they end with the namespace."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            available = int(re.search(r"MemAvailable: +(\d+)", file.read())[1]) >> 20
    except (OSError, TypeError):
        return
    if available >= 4:
        run("mount", "-t", "tmpfs", "-o", f"mode=755,size={available - 2}G", "none", scratch, check=False)


def in_namespace():
    """Runs this very program again in a private mount namespace and ends with its status; comes back
    in that one only, with the scratch directory as its current directory."""
    os.environ["PATH"] = os.environ.get("PATH", "") + PATHS
    if INSIDE in os.environ:
        die_with_parent()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        in_memory(os.environ[INSIDE])
        os.chdir(os.environ[INSIDE])
        return
    advice = "run as root on a machine with loop devices (a container: privileged, with its /dev)"
    if os.geteuid() != 0:
        skip(f"may not mount as this user; {advice}")
    unshare = ["unshare", "-m", "--propagation", "private"]
    try:
        done = subprocess.run([*unshare, "true"], capture_output=True, text=True, check=False)
    except OSError as error:
        skip(f"may not mount: {error}; {advice}")
    if done.returncode != 0:
        skip(f"may not mount: {done.stderr.strip()}; {advice}")
    if not os.path.exists("/dev/loop-control"):
        skip(f"may not mount: there is no /dev/loop-control; {advice}")
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="ffind-volume-"))
    os.chmod(scratch, 0o755)
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)  # outside: never into a mount
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    inner = subprocess.Popen([*unshare, sys.executable, *sys.argv], env={**os.environ, INSIDE: scratch},
                             preexec_fn=die_with_parent)
    try:
        sys.exit(inner.wait())
    finally:
        if inner.poll() is None:
            inner.kill()
            inner.wait()


def run(*command, check=True, **options):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **options)
    if check and done.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done


class Row:
    """One file of rows/: `key: value` lines; see README.md for the keys."""

    KEYS = {"type": "ext4", "size": "64M", "mkfs": "", "mount": "", "then": None, "tune": "", "tree": "small",
            "questions": "light", "expect": "catalog", "optional": "", "long": "", "changes": "yes", "walked": ""}

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
    quiet = ["-q", "-f"] if row.type == "btrfs" else ["-q", "-F"]
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
        plain.values.update(type=kind, size="128M")
    make_image(plain, "plain.img")
    again = run("mount", "-o", "loop", *words[2:], "plain.img", place, check=False)
    if again.returncode != 0:
        raise Skip(f"may not mount {kind or 'ext4'} from a loop device here ({reason}); run as root on a "
                   "machine with loop devices (a container: privileged, with its /dev)")
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
