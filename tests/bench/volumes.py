# SPDX-License-Identifier: MIT
"""Volumes in image files: made once beside the other corpora, mounted only while they are measured.

Called by `bench`. Mounts in a mount namespace of its own, on loop devices that free themselves when
the mount goes, so that nothing is left behind however the benchmark ends. Knows nothing of what is
measured on them.
"""

import ctypes
import functools
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import corpora
import measure
import workloads
from corpora import Corpus, Stamp

SLOW_DISK_SOURCE = Path(__file__).resolve().with_name("slow_disk.c")
SLOW_CALLS_SOURCE = SLOW_DISK_SOURCE.with_name("slow_calls.cpp")
FILL_SOURCE = SLOW_DISK_SOURCE.with_name("fill.cpp")
# 10,000,000 entries.
HUGE_DIRECTORIES = 500_000
HUGE_FILES = 19  # in each of them
CLONE_NEWNS = 0x00020000
# Of each image; they are sparse. By default ext4 has an inode for every 16 KiB: room for a million.
IMAGE_BYTES = 24 * 1024**3
# Contents of files up to this size are copied; larger files are sparse.
INLINE_BYTES = 2048
# What changed lately has to be asked of the kernel; nobody's volume is all new.
SETTLE_SECONDS = 90


class VolumeError(Exception):
    """A volume cannot be made or mounted here; the text says why."""


@dataclass(frozen=True)
class Kind:
    """What a volume is, and what is on it."""

    file_system: str
    fill: Callable[[Path, Path], int]  # volume, folder of the corpora -> entries
    image: str = ""  # of another volume, whose device is made slow here
    wait: str = ""  # milliseconds for each read of that; without it for each call of the copy
    slow_calls: tuple[str, ...] = ()  # options of that program


@dataclass(frozen=True)
class Model:
    """A file of `tree`, to be made again."""

    path: str  # below a copy
    mode: int
    size: int
    contents: bytes  # of a link its target; of a larger file nothing


def read_models(top: Path) -> Iterator[Model]:
    """Parents first."""
    for parent, directories, files in os.walk(top):
        for name in directories + files:
            path = os.path.join(parent, name)
            status = os.lstat(path)
            contents = b""
            if stat.S_ISLNK(status.st_mode):
                contents = os.fsencode(os.readlink(path))
            elif stat.S_ISREG(status.st_mode) and status.st_size <= INLINE_BYTES:
                contents = Path(path).read_bytes()
            yield Model(os.path.relpath(path, top), status.st_mode, status.st_size, contents)


def make_from(model: Model, target: Path) -> None:
    path = os.path.join(target, model.path)
    mode = stat.S_IMODE(model.mode)
    if stat.S_ISDIR(model.mode):
        os.mkdir(path, mode)
    elif stat.S_ISLNK(model.mode):
        os.symlink(model.contents, path)
    else:
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        if model.contents:
            os.write(file, model.contents)
        elif model.size:
            # Takes its place between the directories without 13 GB being written.
            os.posix_fallocate(file, 0, model.size)
        os.close(file)


def fill_with_tree(volume: Path, folder: Path) -> int:
    """The entries of the corpus `tree`, but with an inode for each: its ten copies share theirs,
    and a catalog is read by inodes. Beside it two directories for searches that start low."""
    models = list(read_models(corpora.prepare("tree", folder).path / "0"))
    for number in range(corpora.TREE_COPIES):
        copy = volume / str(number)
        copy.mkdir()
        for model in models:
            make_from(model, copy)
    (volume / "empty").mkdir()
    (volume / "small").mkdir()
    for number in range(10):
        (volume / "small" / f"file-{number}.txt").touch()
    return corpora.spread_ages(volume)


def fill_with(shape: str, volume: Path, _folder: Path) -> int:
    inside = corpora.MAKERS[shape](volume / shape)
    return inside + len(list(volume.iterdir()))  # it, and what mkfs made


def fill_with_copy(volume: Path, folder: Path) -> int:
    """One copy of `tree`: what is slow need not be large."""
    for model in read_models(corpora.prepare("tree", folder).path / "0"):
        make_from(model, volume)
    return corpora.spread_ages(volume)


def fill_hugely(volume: Path, folder: Path) -> int:
    """Beside it, since ext4 cannot have them, many hard links."""
    fill = measure.compile_tool(FILL_SOURCE, folder / "tools")
    huge = volume / "huge"
    huge.mkdir()
    entries = int(run_tool(fill, huge, str(HUGE_DIRECTORIES), str(HUGE_FILES)))
    return entries + corpora.make_links(volume / "links") + 2


SLOW_DISK = Kind("ext4", fill_with_copy)

KINDS = {
    "slow-disk": SLOW_DISK,
    **{
        f"slow-disk-{wait}": replace(SLOW_DISK, image="slow-disk", wait=wait)
        for wait in workloads.DISK_WAITS
    },
    **{f"slow-calls-{wait}": Kind("fuse", fill_with_copy, wait=wait) for wait in workloads.CALL_WAITS},
    "slow-calls-1-untyped": Kind("fuse", fill_with_copy, wait="1", slow_calls=("--untyped",)),
    "slow-calls-1-one-by-one": Kind("fuse", fill_with_copy, wait="1",
                                    slow_calls=("--one-by-one",)),
    "sshfs": Kind("sshfs", fill_with_copy),
    "volume": Kind("ext4", fill_with_tree),
    "volume-million": Kind("ext4", functools.partial(fill_with, "million")),
    "volume-siblings": Kind("ext4", functools.partial(fill_with, "siblings")),
    "volume-chain": Kind("ext4", functools.partial(fill_with, "chain")),
    "volume-huge": Kind("xfs", fill_hugely),
}


def find_tool(name: str | Path) -> str:
    """Its folder may be missing in the PATH of one who became root by sudo."""
    search = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    executable = shutil.which(name, path=search)
    if executable is None:
        raise VolumeError(f"{name} is missing")
    return executable


def run_tool(*command: str | Path) -> str:
    """What it printed."""
    done = subprocess.run([find_tool(command[0]), *command[1:]], capture_output=True, text=True)
    if done.returncode != 0:
        words = " ".join(str(word) for word in command)
        raise VolumeError(f"{words}: {done.stderr.strip() or done.returncode}")
    return done.stdout.strip()


@functools.cache
def leave_mount_namespace() -> None:
    """From here on nobody else sees what this process mounts."""
    if os.geteuid() != 0:
        raise VolumeError("only root may mount it")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0:
        raise VolumeError(f"no mount namespace: {os.strerror(ctypes.get_errno())}")
    run_tool("mount", "--make-rprivate", "/")


def attach(image: Path, *options: str) -> str:
    """A loop device. Past the page cache, or the image would be held there a second time, and a
    cold volume would be read from memory."""
    attached = ("losetup", "--find", "--show", *options)
    try:
        return run_tool(*attached, "--direct-io=on", image)
    except VolumeError:
        print(f"bench: WARNING: {image} without direct I/O: cold is lukewarm", file=sys.stderr)
        return run_tool(*attached, image)


def compile_slow(kind: Kind, folder: Path) -> Path:
    """The file system that takes its time."""
    return compile_slow_disk(folder) if kind.image else compile_slow_calls(folder)


def compile_slow_calls(folder: Path) -> Path:
    if not Path("/usr/include/linux/fuse.h").exists():
        raise VolumeError("linux/fuse.h is missing: apt-get install linux-libc-dev")
    return measure.compile_tool(SLOW_CALLS_SOURCE, folder / "tools")


def compile_slow_disk(folder: Path) -> Path:
    found = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "fuse3"], capture_output=True, text=True
    ) if shutil.which("pkg-config") else None
    if found is None or found.returncode != 0:
        raise VolumeError("libfuse 3 is missing: apt-get install libfuse3-dev pkg-config")
    target = folder / "tools" / "slow_disk"
    if target.exists() and target.stat().st_mtime > SLOW_DISK_SOURCE.stat().st_mtime:
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    run_tool("cc", "-O2", SLOW_DISK_SOURCE, "-o", target, *found.stdout.split())
    return target


@contextmanager
def slowed(kind: Kind, *what: str | Path, at: Path, folder: Path) -> Iterator[None]:
    """`what` can be seen there, more slowly."""
    leave_mount_namespace()
    at.mkdir(parents=True, exist_ok=True)
    serving = subprocess.Popen([compile_slow(kind, folder), "--wait", kind.wait, *what, at])
    try:
        while not os.path.ismount(at):
            if serving.poll() is not None:
                raise VolumeError(f"its server ended with {serving.returncode}")
            time.sleep(0.05)
        yield
    finally:
        if os.path.ismount(at):
            # Who used it may still be about to let go.
            run_tool("umount", "--lazy", at)
        serving.wait()


SSHD_SETTINGS = """
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
StrictModes no
UsePAM no
PidFile none
PermitRootLogin prohibit-password
Subsystem sftp internal-sftp
"""
SSH_SETTINGS = """
Host bench
  User root
  IdentityFile {folder}/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
  ProxyCommand {sshd} -i -f {folder}/sshd_config
"""


def prepare_ssh(folder: Path) -> Path:
    """Settings for a server that is started for each connection and listens nowhere."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("host", "user"):
        if not (folder / name).exists():
            run_tool("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name)
    Path("/run/sshd").mkdir(exist_ok=True)  # it does not start without
    (folder / "sshd_config").write_text(SSHD_SETTINGS.format(folder=folder))
    settings = folder / "ssh_config"
    settings.write_text(SSH_SETTINGS.format(folder=folder, sshd=find_tool("sshd")))
    return settings


@contextmanager
def over_ssh(tree: Path, at: Path, folder: Path) -> Iterator[None]:
    leave_mount_namespace()
    at.mkdir(parents=True, exist_ok=True)
    settings = prepare_ssh(folder / "ssh")
    # What one program made it read must not be there for the next.
    run_tool("sshfs", "-F", settings, "-o", "ro,dir_cache=no", f"bench:{tree}", at)
    try:
        yield
    finally:
        run_tool("umount", "--lazy", at)


@contextmanager
def mounted(image: Path, at: Path, file_system: str, read_only: bool = False) -> Iterator[None]:
    leave_mount_namespace()
    at.mkdir(parents=True, exist_ok=True)
    device = attach(image, *(["--read-only"] if read_only else []))
    try:
        # Access times would be written by one program and not by the next.
        options = "noatime,ro" if read_only else "noatime"
        run_tool("mount", "-t", file_system, "-o", options, device, at)
    finally:
        # Frees it now, or, as it is busy, when it is unmounted.
        run_tool("losetup", "--detach", device)
    try:
        yield
    finally:
        run_tool("umount", at)


def mount_point(name: str, folder: Path) -> Path:
    return folder / "mounted" / name


def prepare(name: str, folder: Path) -> Corpus:
    """The volume of that name, not mounted; made now unless a former run left it there."""
    kind = KINDS[name]
    if kind.wait:
        compile_slow(kind, folder)
    if kind.image:
        return replace(prepare(kind.image, folder), name=name, path=mount_point(name, folder))
    if kind.file_system == "sshfs":
        for tool in ("sshfs", "sshd", "ssh-keygen"):
            find_tool(tool)
    if kind.wait or kind.file_system == "sshfs":
        copy = corpora.prepare("tree", folder).path / "0"
        return Corpus(name, mount_point(name, folder), None, None, copy)
    image = folder / f"{name}.img"
    stamp = corpora.read_stamp(name, folder)
    if not image.exists() or stamp is None:
        stamp = make(name, folder, image)
    return Corpus(name, mount_point(name, folder), stamp.entries, stamp.made, image)


def make(name: str, folder: Path, image: Path) -> Stamp:
    leave_mount_namespace()
    kind = KINDS[name]
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{name}.unfinished"
    unfinished.unlink(missing_ok=True)
    with unfinished.open("xb") as file:
        file.truncate(IMAGE_BYTES)
    print(f"bench: making volume {name} in {image} ...", file=sys.stderr)
    run_tool(f"mkfs.{kind.file_system}", "-q", unfinished)
    made = time.time()
    target = mount_point(name, folder)
    with mounted(unfinished, target, kind.file_system):
        entries = kind.fill(target, folder)
        os.sync()
    unfinished.rename(image)
    stamp = Stamp(made, entries)
    corpora.write_stamp(name, folder, stamp)
    return stamp


@contextmanager
def opened_slowly(kind: Kind, corpus: Corpus) -> Iterator[None]:
    folder = corpus.path.parent.parent
    if not kind.image:
        with slowed(kind, *kind.slow_calls, "--tree", corpus.image, at=corpus.path, folder=folder):
            yield
        return
    at = mount_point("slow", folder)
    with (
        slowed(kind, "--file", corpus.image, at=at, folder=folder),
        mounted(at / "image", corpus.path, kind.file_system, read_only=True),
    ):
        yield


@contextmanager
def opened(corpus: Corpus) -> Iterator[None]:
    """While it lasts, the corpus can be searched at its path."""
    if corpus.image is None:
        yield
        return
    kind = KINDS[corpus.name]
    if kind.file_system == "sshfs":
        with over_ssh(corpus.image, corpus.path, corpus.path.parent.parent):
            yield
        return
    if kind.wait:
        with opened_slowly(kind, corpus):
            yield
        return
    filled = corpus.image.with_suffix(".stamp").stat().st_mtime
    time.sleep(max(0, filled + SETTLE_SECONDS - time.time()))
    with mounted(corpus.image, corpus.path, KINDS[corpus.name].file_system):
        yield
