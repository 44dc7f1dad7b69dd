#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the system calls of a search fail, one by one, and holds what comes of it against a rule.

    matrix.py --ffind build/ffind              a sample of all faults, the same each time: some 15 seconds
    matrix.py --ffind build/ffind --all        all of them (or FFIND_FAULTS=all): some 10 minutes
    matrix.py --ffind build/ffind --all empty  those of the searches whose name contains a word
    matrix.py --ffind build/ffind --one 'names getdents64 EIO 3+'   one fault, with all that was said

Each search of SEARCHES runs once under strace(1): the calls that it makes from its first own one on, each
with the errors of ERRORS, for the first, the middle and the last of them, and for all from there on, are
the faults. The rule: what does not lie below the failing place is there once and unchanged, a line on
standard error says what failed, the status is 1; or all is as if nothing had failed, and the status is 0.
No crash, no hang, nothing twice. (What is said to be gone is no error: on a living system things go.)
Two faults are of no call: `memory` limits the address space to so many KiB, from the least with which the
program starts to 400 MiB; `threads` refuses new threads and processes from the first, second or third on, with
four threads wanted. Each of SEARCHES and of SCARCE then ends with all of its results, or with a message.
With --macos FFIND is the program of macOS on Linux, and the faults are what its kernel can be ordered to do
(../darwin/README.md), for each name of the tree. Otherwise this needs Linux and strace; the catalog needs root and loop devices. Exit status: 0 passed, 1 failed, 77 skipped.
"""
import argparse
import collections
import contextlib
import ctypes
import errno
import functools
import itertools
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "volumes"))
import suite  # noqa: E402
import volume  # noqa: E402
from suite import Skip  # noqa: E402

TREE = "t"
SAMPLE = 320  # faults of the short run
LIMIT = 30  # seconds for one search
CRASHES = ("Sanitizer", "runtime error", "Assertion", "terminate called")

OPENING = "EACCES EINTR EIO ELOOP EMFILE ENFILE ENOENT ENOMEM ENOTDIR ENAMETOOLONG EPERM ESTALE ETIMEDOUT"
LOOKING = "EACCES EINTR EIO ELOOP ENOENT ENOMEM ENOTDIR EOVERFLOW EPERM ESTALE ENOSYS ETIMEDOUT"
LINKS = "EACCES EINTR EINVAL EIO ENOENT ENOMEM ESTALE"
READING = "EINTR EIO ENOMEM ESTALE ETIMEDOUT"
ATTRIBUTES = "EACCES EINTR EIO ENOMEM ENOSYS EOPNOTSUPP EPERM ESTALE"
NEVER = ""  # fails only where the caller, or the kernel, is wrong; brk(2) says it by what it returns

# What each may return, by its manual and by what file systems add to that. One that is missing gets OTHERS.
OTHERS = "EINTR EIO ENOMEM EPERM"
ERRORS = {
    "open": OPENING, "openat": OPENING, "openat2": OPENING + " ENOSYS",
    "stat": LOOKING, "lstat": LOOKING, "fstat": LOOKING, "newfstatat": LOOKING, "statx": LOOKING,
    "access": LOOKING, "faccessat": LOOKING, "faccessat2": LOOKING, "statfs": LOOKING, "fstatfs": LOOKING,
    "getdents64": "EACCES EINTR EIO ENOENT ENOMEM ESTALE ETIMEDOUT EUCLEAN",
    "readlink": LINKS, "readlinkat": LINKS,
    "read": READING, "pread64": READING, "preadv2": READING + " EAGAIN EOPNOTSUPP", "lseek": "EINVAL ENXIO",
    "write": "EDQUOT EFBIG EINTR EIO ENOSPC", "close": "EDQUOT EINTR EIO ENOSPC",
    "listxattr": ATTRIBUTES, "llistxattr": ATTRIBUTES, "getxattr": ATTRIBUTES, "lgetxattr": ATTRIBUTES,
    "listxattrat": ATTRIBUTES, "getxattrat": ATTRIBUTES,
    "unlinkat": "EACCES EBUSY EINTR EIO ENOENT ENOMEM ENOTEMPTY EPERM EROFS ESTALE",
    "mmap": "ENOMEM", "mremap": "ENOMEM", "mprotect": "ENOMEM",
    "clone": "EAGAIN ENOMEM", "clone3": "EAGAIN ENOMEM", "fork": "EAGAIN ENOMEM", "vfork": "EAGAIN ENOMEM",
    "pipe2": "EMFILE ENFILE", "fchdir": "EACCES EIO ENOENT", "getcwd": "EACCES ENOENT ENOMEM",
    "ioctl": "EINTR EIO ENOTTY", "fcntl": "EBADF", "poll": "EINTR ENOMEM", "ppoll": "EINTR ENOMEM",
    "pselect6": "EINTR", "wait4": "EINTR", "waitid": "EINTR", "rt_sigtimedwait": "EINTR",
    "socket": "EACCES EMFILE ENOMEM", "connect": "ECONNREFUSED EINTR", "sendto": "EPIPE", "recvmsg": "EINTR",
    "prlimit64": "EPERM", "sched_getaffinity": "EPERM ENOSYS", "capget": "EPERM", "getrandom": "EAGAIN EINTR",
    "fadvise64": "EINVAL", "ftruncate": "EIO",
    **dict.fromkeys("""arch_prctl brk clock_gettime clock_nanosleep dup2 execve exit exit_group futex getpid getppid
        getpgrp getrusage gettid gettimeofday getuid geteuid getgid getegid kill madvise munmap nanosleep
        restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn sched_yield set_robust_list
        set_tid_address sigaltstack tgkill umask uname""".split(), NEVER)}
# Orders to the simulated kernel of macOS that name an entry.
ORDERS = {"open": OPENING, "listing": "EACCES EIO EINTR ENOENT ETIMEDOUT", "attributes": "EACCES EINTR EIO EPERM",
          "bulk-entry": "EACCES EIO EINTR EPERM ETIMEDOUT"}
KNOWN_THERE = "EIO EPERM EACCES ENOENT ENOTDIR ETIMEDOUT EINTR".split()
# Where strace does not know the newer calls, the kernel has to be without them, so that the older ones are made.
NEWER = {464: "getxattrat", 465: "listxattrat"}
# "It is not there (any more)", which is no error on a living system; nor is the edge of a volume.
GONE = {"ENOENT", "ENOTDIR", "ELOOP"}
# What glibc reads when it is asked for an account.
ACCOUNTS = ("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/var/run/nscd/", "/etc/ld.so.cache", "/lib/", "/usr/lib/")
NO_ATTRIBUTES = {"ENOSYS", "EOPNOTSUPP"}
# Where no command can be started any more, or none is heard of again, no more are run.
STARTING = {"fork", "vfork", "clone", "clone3", "wait4", "waitid"}
# Places that are no paths of the tree, beside None for what all of a search needs.
ACCOUNT, STANDARD_ERROR, SOMEWHERE = "an account", "standard error", "somewhere below the root"
ELSEWHERE = {None, ACCOUNT, STANDARD_ERROR, SOMEWHERE}

Search = collections.namedtuple("Search", "words catalog deletes", defaults=(False, False))
WALK = ["--method", "walk"]
SEARCHES = {
    "names": Search([*WALK]),
    "long": Search([*WALK, "-l"]),
    "json": Search([*WALK, "--json=full"]),
    "unique": Search([*WALK, "--unique"]),
    "follow": Search([*WALK, "-L"]),
    "follow-unique": Search([*WALK, "-L", "--unique"]),
    "contains": Search([*WALK, "--contains", "needle"]),
    "empty": Search([*WALK, "--empty"]),
    "gitignore": Search([*WALK, "--gitignore"]),
    "xattr": Search([*WALK, "--xattr", "user.note=text"]),
    "sort": Search([*WALK, "--sort", "size,name"]),
    "readdir": Search([*WALK, "--reader", "readdir", "-S", ">=0"]),
    "fts": Search([*WALK, "--reader", "fts", "-S", ">=0"]),
    "exec": Search([*WALK, "--yes", "-x", "echo"]),
    "exec-batch": Search([*WALK, "--yes", "-X", "printf", "%s\\n"]),
    "delete": Search([*WALK, "-t", "f,d,l", "--yes", "--delete"], deletes=True),
    "catalog": Search(["--method", "catalog"], catalog=True),
    "catalog-long": Search(["--method", "catalog", "-l"], catalog=True),
    "catalog-empty": Search(["--method", "catalog", "--empty"], catalog=True),
}


# Ways to hold results, to test them and to speak, for which memory and threads are scarce.
SCARCE = {
    "tree": Search([*WALK, "--tree", "--sort", "size"]),
    "count": Search([*WALK, "--count=ext"]),
    "where": Search([*WALK, "--where", "size > 1 and name ~ '[aeiou]\\pL+' or kind = code"]),
    "glob": Search([*WALK, "-g", "[[:alpha:]]*"]),
    "query": Search([*WALK, "--query", "file needle"]),
    "if": Search([*WALK, "--if", "true", ";"]),
    "exec-sorted": Search([*WALK, "--yes", "--sort", "-name", "-x", "echo"]),
    "compare": Search(["--compare-readers"]),
    "explain": Search(["--explain"]),
    "usage": Search(["--nosuch"]),
}
LEAST_STEP, MOST_MEMORY = 64, 400 << 10  # KiB
WANTED_THREADS = "4"


class Fault(collections.namedtuple("Fault", "search call error when")):
    def __str__(self):
        return " ".join(self)


# -- the tree ------------------------------------------------------------------------------------------

def fill(top):
    for directory in ("a/deep/er", "b/empty", "c", "d/.git/objects", "d/.git/refs", "d/sub"):
        os.makedirs(os.path.join(top, directory))
    texts = {"a/file": "a needle\n", "a/deep/er/leaf": "nothing\n", "b/big": "hay\n" * 50000 + "needle\n", "c/none": "",
             "d/.git/HEAD": "ref: refs/heads/main\n", "d/.git/config": "[core]\n", "d/.gitignore": "*.o\n",
             "d/x.o": "needle\n", "d/sub/kept": "needle\n", "zz": "z\n"}
    for name, text in texts.items():
        with open(os.path.join(top, name), "w", encoding="ascii") as file:
            file.write(text)
    os.symlink("file", os.path.join(top, "a/link"))
    os.symlink("../a", os.path.join(top, "c/to-a"))
    os.symlink("nowhere", os.path.join(top, "c/broken"))
    os.link(os.path.join(top, "a/file"), os.path.join(top, "c/hard"))
    with contextlib.suppress(OSError):
        os.setxattr(os.path.join(top, "a/file"), "user.note", b"text")
    for directory, _, names in os.walk(top, topdown=False):
        for name in [*names, "."]:
            os.utime(os.path.join(directory, name), (1e9, 1e9), follow_symlinks=False)


def fill_volume():
    """The tree on an ext4 volume of its own, whose catalog may be believed."""
    import compare
    row = volume.Row(os.devnull)
    row.values.update(size="16M")
    volume.make_image(row, "image")
    volume.mount("image", TREE)
    fill(TREE)
    volume.unmount(TREE)
    volume.run("e2fsck", "-fy", "image", check=False)
    compare.age("image")
    volume.mount("image", TREE)


# -- running -------------------------------------------------------------------------------------------

def search_of(name):
    return SEARCHES.get(name) or SCARCE[name]


def command_of(options, name, threads="1"):
    return [options.ffind, "--no-config", "-j", threads, *search_of(name).words]


def rooted(command):
    """The command with its root, in front of what takes the rest of the line."""
    at = next((i for i, word in enumerate(command) if word in ("-x", "-X", "--if")), len(command))
    return command[:at] + ["--in", TREE] + command[at:]


Result = collections.namedtuple("Result", "records said status left comparable", defaults=(True,))


def without_newer_calls():
    """A seccomp filter by which this process and its children have none of NEWER."""
    load, equal, give = 0x20, 0x15, 0x06  # BPF_LD | BPF_W | BPF_ABS, BPF_JMP | BPF_JEQ | BPF_K, BPF_RET | BPF_K
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.ENOSYS
    count = len(NEWER)
    steps = [(load, 0, 0, 0)] + [(equal, count - i, 0, number) for i, number in enumerate(sorted(NEWER))] \
        + [(give, 0, 0, allow), (give, 0, 0, refuse)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    libc.prctl(22, 2, ctypes.byref(program), 0, 0)  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER


def run(command, tracer=(), prepare=without_newer_calls):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    try:
        done = subprocess.run([*tracer, *command], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                              check=False, env=environment, preexec_fn=prepare)
        out, said, status = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as late:
        out, said, status = late.stdout or b"", late.stderr or b"", None
    # When it was read last changes by our reading it.
    records = [re.sub(r'"accessed":"[^"]*",', "", line) for line in out.decode(errors="replace").splitlines()]
    return Result(records, said.decode(errors="replace"), status, remaining())


def remaining():
    return sorted(os.path.join(directory, name) for directory, below, names in os.walk(TREE) for name in below + names)


def traced(command):
    """{call: (how often before the program's own first, how often after)}, of the thread that makes it most."""
    run(command, ["strace", "-f", "-b", "execve", "-o", "trace", "-e", "signal=none"])
    before, after = collections.Counter(), collections.Counter()
    own, main = False, None
    with open("trace", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            found = re.match(r"(\d+) +([a-z_0-9]+)\(", line)
            if not found:
                continue
            main = main or found[1]
            own = own or "rt_sigprocmask(SIG_BLOCK, [USR1" in line
            (after if own else before)[found[2], found[1] == main] += 1
    calls = {}
    for call, is_main in after:
        if is_main or (call, True) not in after:
            calls[call] = (before[call, is_main], after[call, is_main])
    return calls


def faults_of(name, calls):
    for call, (before, count) in sorted(calls.items()):
        if call.startswith("syscall_"):
            continue  # one of NEWER, which failed
        for error in ERRORS.get(call, OTHERS).split():
            places = sorted({1, (count + 1) // 2, count})
            for place in places:
                yield Fault(name, call, error, f"{before + place}")
            # For signals a thread waits for ever.
            for place in {1, (count + 1) // 2} if call != "rt_sigtimedwait" else ():
                yield Fault(name, call, error, f"{before + place}+")


def start_limited(kib):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (kib << 10, kib << 10))


def least_memory(options):
    """KiB of address space with which the program starts; None if it does not in MOST_MEMORY (sanitizers)."""
    def starts(kib):
        return subprocess.run([options.ffind, "--version"], capture_output=True, check=False,
                              preexec_fn=functools.partial(start_limited, kib)).returncode == 0
    if not starts(MOST_MEMORY):
        return None
    least, too_little = MOST_MEMORY, 0
    while least - too_little > LEAST_STEP:
        middle = (least + too_little) // 2
        least, too_little = (middle, too_little) if starts(middle) else (least, middle)
    return least


def scarcities_of(options, name):
    least = least_memory(options)
    sizes = [least + step * LEAST_STEP for step in range(0, 64, 4)] if least else []
    while sizes and sizes[-1] < MOST_MEMORY:
        sizes.append(sizes[-1] * 5 // 4)
    for size in sizes:
        yield Fault(name, "memory", "ENOMEM", str(size))
    for first in "1", "2", "3":
        yield Fault(name, "threads", "EAGAIN", first + "+")


def with_scarcity(options, fault):
    command = rooted(command_of(options, fault.search, WANTED_THREADS))
    if fault.call == "memory":
        return run(command, prepare=functools.partial(start_limited, int(fault.when)))
    return run(command, ["strace", "-f", "-b", "execve", "-o", os.devnull, "-e", "signal=none",
                         "-e", f"inject=clone,clone3,fork,vfork:error={fault.error}:when={fault.when}"])


def orders_of(name):
    """The faults on macos: for each name, each order that can be about it."""
    names = sorted({os.path.basename(path) for path in remaining()})
    for order, errors in ORDERS.items():
        for error in errors.split():
            for one in names if error in KNOWN_THERE else ():
                yield Fault(name, order, error, one)


def with_order(command, fault):
    order = {"bulk-entry": "bulk entry {} {}", "listing": "listing {} 1 {}"}.get(fault.call, fault.call + " {} {}")
    os.environ["FFIND_DARWIN"] = order.format(fault.when, fault.error)
    try:
        return run(command)
    finally:
        del os.environ["FFIND_DARWIN"]


def ordered_places(fault):
    return {path for path in remaining() if os.path.basename(path) == fault.when}


def with_fault(command, fault):
    return run(command, ["strace", "-f", "-y", "-b", "execve", "-o", "trace", "-e", "signal=none",
                         "-e", f"trace={fault.call}", "-e", f"inject={fault.call}:error={fault.error}:when={fault.when}"])


def failing_places():
    """What the calls that failed were about: paths as the program spells them, None for what has none."""
    places = set()
    here = os.getcwd() + "/"
    with open("trace", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if "(INJECTED)" not in line:
                continue
            arguments = line[line.index("(") + 1:]
            if line.split(None, 1)[1].startswith("write(2<"):
                places.add(STANDARD_ERROR)
                continue
            base = re.match(r"(?:AT_FDCWD|\d+)<(.*?)>", arguments)
            name = re.match(r'(?:(?:AT_FDCWD|\d+)<.*?>, )?"(.*?)"', arguments)
            path = os.path.normpath(os.path.join(base[1] if base else here, name[1] if name else "")) \
                if base or name else None
            if name and name[1].startswith("/proc/self/fd/"):
                path = SOMEWHERE
            elif path is not None and path.startswith(ACCOUNTS):
                path = ACCOUNT
            elif path is not None:
                path = path.removeprefix(here) if (path + "/").startswith(here + TREE + "/") else None
            places.add(path)
    return places


# -- the rule ------------------------------------------------------------------------------------------

def lies_below(path, places):
    """Whether it is one of them, lies below one, or belongs to one that is a file beside it."""
    return any(path == place or path.startswith(place + "/") for place in places)


def path_of(record):
    """Of a record in any of the formats here: where it begins with the tree's name."""
    found = re.search(r"(?:^|[ \"])(" + TREE + r"(?:/[^\" ]*)?)", record)
    return found[1] if found else record


def real_places(places):
    """With what links to them are called: the same failing place has several names under -L."""
    real = set(places)
    for place in places:
        real.add(os.path.relpath(os.path.realpath(place)))
        for link in ("c/to-a",):
            whole, aim = os.path.join(TREE, link), os.path.join(TREE, "a")
            if place == aim or place.startswith(aim + "/"):
                real.add(whole + place[len(aim):])
    # A file that tells of what lies beside it; of ._name it is `name`.
    for place in list(real):
        directory, name = os.path.split(place)
        if name.startswith("._"):
            real.add(os.path.join(directory, name[2:]))
        if name == ".gitignore" or "/.git" in place:
            real.add(place[:place.index("/.git")] if "/.git" in place else directory)
    return real


def scarcity_verdict(expected, got):
    """What is wrong if memory or threads were scarce, line by line."""
    if got.status is None:
        yield f"did not end in {LIMIT} s"
    elif got.status not in (0, 1, 2) or any(crash in got.said for crash in CRASHES):
        yield f"status {got.status}: {got.said.strip()[-200:]}"
    elif got.status != expected.status:
        if not got.said.startswith("ffind: "):
            yield f"status {got.status} without a message: {got.said.strip()[-200:]}"
    elif expected.comparable and (sorted(got.records), got.left) != (sorted(expected.records), expected.left):
        yield f"other results with status {got.status}: {len(got.records)} of {len(expected.records)}"


def verdict(fault, expected, got, places):
    """What is wrong, line by line."""
    if got.status is None:
        yield f"did not end in {LIMIT} s"
        return
    for crash in CRASHES:
        if crash in got.said:
            yield crash
    if got.status not in (0, 1) and not refused(fault, got):
        yield f"status {got.status}"
    counts = collections.Counter(map(path_of, got.records))
    usual = collections.Counter(map(path_of, expected.records))
    twice = [path for path, count in counts.items() if count > max(1, usual[path])]
    if twice:
        yield f"twice: {twice[:4]}"
    lost = sorted(set(map(path_of, expected.records)) - set(counts))
    changed = sorted(path_of(record) for record in set(got.records) - set(expected.records) if path_of(record) in usual)
    # What was lost may have been an exception: what git ignores, what is empty.
    strange = sorted(set(counts) - set(usual))
    kept = sorted(set(got.left) - set(expected.left))
    touched = sorted({*lost, *changed, *strange, *kept})
    lines = [line for line in got.said.splitlines() if line.startswith("ffind: ")]
    if STANDARD_ERROR in places:
        return  # nobody is left to be told
    if got.status == 1 and not lines:
        yield "status 1, and nothing says why"
    if got.status == 0 and may_be_silent(fault, places, touched):
        return
    if got.status == 0 and touched:
        yield f"lost or changed silently: {touched[:4]}"
    if got.status == 1:
        named = {path_of(line.removeprefix("ffind: ").removeprefix(os.getcwd() + "/")).rstrip(":") for line in lines}
        named = {name for name in named if lies_below(name, [TREE])}
        if places & ELSEWHERE and (not named or ACCOUNT in places or fault.call in STARTING):
            return  # what all of the search needs
        known = real_places(places - ELSEWHERE)
        beyond = [path for path in touched if not lies_below(path, known | named) and not above([path], known | named)]
        if beyond:
            yield f"lost beside {sorted(places)[:3]}: {beyond[:4]}"
        if not places & ELSEWHERE and not any(lies_below(name, known) or above([name], known) for name in named) and "standard output" not in got.said:
            yield f"no line names {sorted(places)[:3]}: {lines[:3]}"


def may_be_silent(fault, places, touched):
    """Whether what was lost or changed may be so without a word."""
    if "xattr" in fault.call and fault.error in NO_ATTRIBUTES:
        return True
    if places <= {ACCOUNT} or (ACCOUNT in places and fault.error in GONE | {"EPERM"}):
        return True  # of a file of accounts that cannot be read glibc makes one without that account
    if fault.call == "statx" and fault.error in ("ENOSYS", "EPERM"):
        return True  # an older call is made, which does not know when a file was created
    gone = GONE | ({"EINVAL"} if fault.call.startswith("readlink") else set())
    if fault.error not in gone:
        return False
    known = real_places(places - ELSEWHERE)
    return SOMEWHERE in places or all(lies_below(path, known) or above([path], known) for path in touched)


def refused(fault, got):
    """Whether the catalog was said to be out of reach, and nothing was searched."""
    return got.status == 2 and SEARCHES[fault.search].catalog and got.said.startswith("ffind: ") and not got.records


def above(paths, places):
    """Whether all of them are directories that hold one of the places, which cannot be removed then."""
    return all(any(place.startswith(path + "/") for place in places) for path in paths)


# -- cases ---------------------------------------------------------------------------------------------

def prepared(name):
    """A fresh tree for the search."""
    if search_of(name).catalog:
        fill_volume()
    else:
        fill(TREE)


def renewed(name):
    if not search_of(name).deletes:
        return
    shutil.rmtree(TREE, ignore_errors=True)
    fill(TREE)


def in_scratch(name, function):
    """Calls it in a directory of its own, for the catalog in a mount namespace."""
    def trial():
        prepared(name)
        return function()
    if search_of(name).catalog:
        return volume.case(name, trial).run()
    with suite.scratch_directory("ffind-faults-") as scratch:
        os.chdir(scratch)
        return trial()


def try_faults(options, name, faults, tally):
    """Whether all of them follow the rule."""
    command = rooted(command_of(options, name))
    expected = run(command)
    # What a comparison measured, and the number of threads that a plan has, differ from run to run.
    expected = expected._replace(comparable=name not in ("compare", "explain"))
    wrong = 0
    for fault in faults:
        renewed(name)
        if fault.call in ("memory", "threads"):
            places = set()
            got = with_scarcity(options, fault)
            problems = list(scarcity_verdict(expected, got))
        else:
            before = ordered_places(fault) if options.macos else set()
            got = with_order(command, fault) if options.macos else with_fault(command, fault)
            places = before or failing_places()
            problems = list(verdict(fault, expected, got, places))
        wrong += bool(problems)
        for problem in problems:
            print(f"{fault}: {problem}")
        if options.one:
            print("\n".join(got.records), got.said, f"status {got.status}", places, sep="\n")
    with open(tally, "a", encoding="ascii") as file:
        file.write(f"{len(faults)} {wrong}\n")
    return wrong == 0


def list_faults(options, name, path):
    def look():
        with open(path, "w", encoding="ascii") as file:
            if options.macos:
                faults = orders_of(name)
            else:
                calls = traced(rooted(command_of(options, name))) if name in SEARCHES else {}
                faults = itertools.chain(faults_of(name, calls), scarcities_of(options, name))
            for fault in faults:
                file.write(f"{fault}\n")
        return True
    return in_scratch(name, look)


def all_faults(options, names, scratch):
    """{search: its faults}; what the machine cannot do is said and left out."""
    paths = {name: os.path.join(scratch, name) for name in names}
    suite.run([suite.Case(name, functools.partial(list_faults, options, name, paths[name])) for name in names], options)
    faults = {}
    for name, path in paths.items():
        if os.path.exists(path):
            with open(path, encoding="ascii") as lines:
                faults[name] = [Fault(*line.split()) for line in lines]
    return faults


def can_trace():
    return sys.platform.startswith("linux") and shutil.which("strace") and subprocess.run(
        ["strace", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ffind", required=True)
    parser.add_argument("--all", action="store_true", default=os.environ.get("FFIND_FAULTS") == "all")
    parser.add_argument("--macos", action="store_true", help="FFIND is the program of macOS on Linux")
    parser.add_argument("--one", help="this fault alone: SEARCH CALL ERROR WHEN")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FFIND_SEED", "1")))
    suite.add_options(parser)
    options = parser.parse_args()
    options.ffind = os.path.abspath(options.ffind)
    if not options.macos and not can_trace():
        print("skipped faults: needs strace, allowed to trace")
        return suite.SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        tally = os.path.join(scratch, "tally")
        if options.one:
            fault = Fault(*options.one.split())
            faults = {fault.search: [fault]}
        else:
            names = [name for name in SEARCHES if not options.macos or not SEARCHES[name].catalog]
            names += [] if options.macos else SCARCE
            faults = all_faults(options, suite.selected(names, options.words), scratch)
        total = sum(map(len, faults.values()))
        if not options.all and not options.one:
            chosen = random.Random(options.seed).sample([fault for each in faults.values() for fault in each],
                                                        min(SAMPLE, total))
            faults = {name: [fault for fault in chosen if fault.search == name] for name in faults}
        cases = []
        for name, some in faults.items():
            for call in sorted({fault.call for fault in some}) if options.all else [None] * bool(some):
                part = [fault for fault in some if call in (None, fault.call)]
                cases.append(suite.Case(f"{name} {call}" if call else name, functools.partial(
                    in_scratch, name, functools.partial(try_faults, options, name, part, tally))))
        options.verbose = bool(options.one)
        status = suite.run(cases, options, limit=1200)
        tried = wrong = 0
        with contextlib.suppress(FileNotFoundError), open(tally, encoding="ascii") as lines:
            for line in lines:
                count, bad = map(int, line.split())
                tried, wrong = tried + count, wrong + bad
        print(f"{tried} of {total} faults, {wrong} of them break the rule")
        return status


if __name__ == "__main__":
    sys.exit(main())
