#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command, a suite of tests usually, with the surroundings that it would have on a Mac.

    run.py tests/cli/run.py --ffind build/ffind [WORD...]
    run.py --bash FILE --fold-case tests/cli/run.py --macos --ffind build/tests/darwin/ffind-darwin

The command finds:
    PATH        only commands that macOS has or ./bootstrap installs there. Those that differ from GNU's are stand-ins
                (bsd.sh); timeout, setfattr, strace, setsid and the like do not exist
    TMPDIR      as long as macOS's: below it the path of a socket is soon longer than 104 bytes. --fold-case: on ext4
                that ignores case, for root and where the kernel can
    limits      512 KiB of stack for each thread, 256 descriptors; the hard limits stay
    user        an ordinary one, unless root cannot reach the tests as one
    bash        FILE or $FFIND_BASH32: macOS's is 3.2 (apple-oss-distributions/bash; gcc takes it with -std=gnu99
                -fcommon -D_GNU_SOURCE -DEBADEXEC=ENOEXEC '-Dfmtcheck(a,b)=(a)' and an xlocale.h that includes
                locale.h and wchar.h); otherwise this machine's
    FFIND_LIKE_A_MAC=1  has tests/cli/run.py skip what needs root, mounts or Linux, and fail a case after which two
                names in a directory differ only in case or Unicode form, or one is no UTF-8, unless its `needs:`
                says so. So a directory that ignores case is not missed where there is none

portable.py looks for what bash 3.2 and Python 3.9 lack.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import suite  # noqa: E402

TEMPORARY = "/private/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T"
NOBODY = 65534
# Stand-ins: links to bsd.sh, which has their options.
STAND_INS = """
    basename base64 cat chmod cksum cmp comm cp cut date diff dirname du env expand find grep head hostname id
    ln ls mkdir mkfifo mktemp mv nohup od paste readlink realpath rm rmdir sed seq sort stat stty tail tee tmux
    touch tr truncate tty uname unexpand uniq wc xargs xattr""".split()
# Of macOS, and used in a way that is the same here.
SAME = """
    [ awk cc c++ chown clang column dd df echo ed expr false fold gunzip gzip join kill less locale man more nice nl perl
    printf ps pwd rev rsync ruby sh sleep split sqlite3 sync tar test time tput true which yes zsh""".split()
# Of Homebrew (./bootstrap, README).
HOMEBREW = "cmake ctest fish fzf git jq mandoc ninja parallel rg".split()
UNDER_ANOTHER_NAME = {"fd": "fdfind"}


def fill(bin_dir, bash):
    """The only directory in PATH. Commands that this machine lacks are left out."""
    bin_dir.mkdir()
    for file in ("bsd.sh", "xattr.py"):
        shutil.copy(HERE / file, bin_dir)
    for name in STAND_INS:
        if name == "xattr" or shutil.which(name):
            (bin_dir / name).symlink_to("bsd.sh")
    programs = {name: name for name in SAME + HOMEBREW}
    programs.update(UNDER_ANOTHER_NAME)
    for name, here in programs.items():
        found = shutil.which(here)
        if found:
            (bin_dir / name).symlink_to(found)
    (bin_dir / "bash").symlink_to(pathlib.Path(bash).resolve())
    (bin_dir / "python3").symlink_to(sys.executable)


def temporary(place):
    """A directory below `place` whose path has the length of macOS's TMPDIR, or more if it has to."""
    room = len(TEMPORARY) - len(str(place)) - len("//T")
    directory = place / ("y" * max(1, room)) / "T"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def folding(place):
    """(The same on a volume that ignores case, mounted for this process and its children; None) or (None, why not)."""
    image, volume = place / "image", temporary(place).parent
    if os.geteuid() != 0:
        return None, "not root"
    if not os.path.exists("/sys/fs/ext4/features/casefold"):
        return None, "the kernel's ext4 cannot"
    try:
        suite.enter_namespace()
        with open(image, "wb") as file:
            file.truncate(1 << 30)
        for command in (["mkfs.ext4", "-q", "-F", "-O", "casefold", image], ["mount", "-o", "loop", image, volume],
                        ["mkdir", volume / "T"], ["chattr", "+F", volume / "T"]):
            subprocess.run(command, check=True)
    except (OSError, suite.Skip, subprocess.CalledProcessError) as error:
        return None, str(error)
    return volume / "T", None


def limit(which, most):
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def reachable(paths):
    """True if an ordinary user can read these files."""
    child = os.fork()
    if child == 0:
        step_down()
        os._exit(0 if all(os.access(path, os.R_OK) for path in paths) else 1)
    return os.waitpid(child, 0)[1] == 0


def step_down():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--bash", default=os.environ.get("FFIND_BASH32") or shutil.which("bash"),
                        help="the bash of the cases; by default $FFIND_BASH32, or this machine's")
    parser.add_argument("--fold-case", action="store_true", help="TMPDIR ignores case, if it can be had; says why not")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        parser.error("no command")
    with tempfile.TemporaryDirectory(prefix="ffind-", dir=os.environ.get("FFIND_SCRATCH")) as place:
        place = pathlib.Path(place).resolve()
        place.chmod(0o755)
        fill(place / "bin", options.bash)
        scratch, reason = folding(place) if options.fold_case else (None, None)
        folds = scratch is not None
        if not folds:
            scratch = temporary(place)
        environment = {key: value for key, value in os.environ.items() if key not in ("FFIND_SCRATCH", "CDPATH")}
        environment.update(PATH=str(place / "bin"), TMPDIR=str(scratch), PYTHON=sys.executable, FFIND_LIKE_A_MAC="1")
        command = [shutil.which(options.command[0]) or options.command[0], *options.command[1:]]
        files = [HERE / "run.py", sys.executable, options.bash, *(word for word in command if os.path.exists(word))]
        down = os.geteuid() == 0 and reachable(files)
        if down:
            os.chown(scratch, NOBODY, NOBODY)

        def enter():
            limit(resource.RLIMIT_STACK, 512 << 10)
            limit(resource.RLIMIT_NOFILE, 256)
            if down:
                step_down()  # clears what the next line sets
            suite.end_with_parent()
        version = subprocess.run([options.bash, "--version"], stdout=subprocess.PIPE, check=True).stdout
        user = "an ordinary user" if down or os.geteuid() != 0 else "root, since others cannot reach the tests"
        names = "TMPDIR ignores case" if folds else "names are checked after each command"
        if reason:
            names += f", since TMPDIR cannot ignore case: {reason}"
        print(f"like a Mac: bash {version.decode().split('version ', 1)[1].split(' ', 1)[0]}; {user}; {names}", flush=True)
        try:
            return subprocess.run(command, env=environment, preexec_fn=enter, check=False).returncode
        finally:
            if folds:
                subprocess.run(["umount", "-l", scratch.parent], check=False)


if __name__ == "__main__":
    sys.exit(main())
