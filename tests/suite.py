# SPDX-License-Identifier: MIT
"""Runs the cases of a suite, several at once, each in a process of its own, and sums up.

cli/run.py, docs/recipes.py and volumes/compare.py are such suites: one process, one ctest entry. A
case is a name and a function that prints what is wrong and returns whether it passed, or raises Skip.
It may change its own process as it likes: directory, signals, mount namespace. The lines `skipped NAME:
REASON` are read by ./bootstrap. Knows nothing of ffind.
"""
import collections
import contextlib
import ctypes
import gc
import multiprocessing
import multiprocessing.connection
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback

PASSED, FAILED, SKIPPED = 0, 1, 77
GRACE = 20  # seconds that a case has to clean up once its time has run out
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000
PR_SET_PDEATHSIG = 1
LATER = []  # the directory of the suite that is running, if any
LIKE_A_MAC = bool(os.environ.get("FFIND_LIKE_A_MAC"))  # Linux stands in for a Mac: userland/run.py

Case = collections.namedtuple("Case", "name run")


class Skip(Exception):
    """The machine cannot run this case; the message says why."""


def add_options(parser):
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 1),
                        help="how many cases run at once; three times the processors by default, since many cases wait")
    parser.add_argument("--verbose", "-v", action="store_true", help="name the cases that pass, with their time")
    parser.add_argument("--times", type=int, default=1, help="run each case so many times")
    parser.add_argument("words", nargs="*", help="run only the cases whose name contains one of these")


def selected(names, words):
    return [name for name in names if not words or any(word in name for word in words)]


def end_by_request(*_):
    sys.exit(FAILED)  # runs what stands in `finally`


def end_with_parent():
    """For a child: it is asked to end when its parent is gone, killed by a time limit for example."""
    signal.signal(signal.SIGTERM, end_by_request)
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def in_process(case):
    """In the process of the case: its status as the exit status."""
    end_with_parent()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup has ignored
    try:
        status = PASSED if case.run() else FAILED
    except Skip as reason:
        print(f"skipped {case.name}: {reason}")
        status = SKIPPED
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc(file=sys.stdout)
        status = FAILED
    sys.stdout.flush()
    sys.exit(status)


class Running:
    """A case that runs, with what it prints kept in a file."""

    def __init__(self, case, limit):
        self.case, self.began = case, time.monotonic()
        self.deadline, self.asked_to_end = self.began + limit, False
        self.output = tempfile.TemporaryFile()
        self.process = multiprocessing.get_context("fork").Process(target=self._run)
        sys.stdout.flush()
        self.process.start()

    def _run(self):
        for stream in (1, 2):
            os.dup2(self.output.fileno(), stream)
        sys.stdout = os.fdopen(1, "w", errors="backslashreplace", closefd=False)
        sys.stderr = os.fdopen(2, "w", errors="backslashreplace", closefd=False)
        in_process(self.case)

    def end_if_late(self):
        if time.monotonic() < self.deadline:
            return
        if self.asked_to_end:
            self.process.kill()
        else:
            os.write(self.output.fileno(), b"did not end in time\n")
            self.process.terminate()
            self.asked_to_end = True
        self.deadline = time.monotonic() + GRACE

    def result(self):
        """(status, what it printed, seconds), once the process has ended."""
        self.process.join()
        self.output.seek(0)
        text = self.output.read().decode(errors="backslashreplace")
        self.output.close()
        status = self.process.exitcode
        if status not in (PASSED, SKIPPED) and not text:
            text = f"ended with {status}\n"
        return status, text, time.monotonic() - self.began


def run(cases, options, limit=300):
    """Runs the cases, prints what failed or was skipped and a summary; gives an exit status."""
    with removed_at_the_end(getattr(options, "keep", False)):
        return run_all(cases, options, limit)


def run_all(cases, options, limit):
    began = time.monotonic()
    gc.freeze()  # or the collector of each case's process would make a copy of all that is here
    waiting = [case for case in cases for _ in range(options.times)][::-1]
    total, running, count, failed, skipped = len(waiting), {}, collections.Counter(), [], []
    try:
        while waiting or running:
            while waiting and len(running) < options.jobs:
                started = Running(waiting.pop(), limit)
                running[started.process.sentinel] = started
            soonest = min(each.deadline for each in running.values())
            for ready in multiprocessing.connection.wait(list(running), max(0, soonest - time.monotonic())):
                ended = running.pop(ready)
                status, text, seconds = ended.result()
                count[status] += 1
                if status not in (PASSED, SKIPPED):
                    failed.append(ended.case.name)
                if options.verbose and status == PASSED:
                    text += f"ok {ended.case.name} ({seconds:.2f} s)\n"
                if status == SKIPPED:
                    skipped.append(text)
                    continue
                sys.stdout.write(text)
                sys.stdout.flush()
            for each in running.values():
                each.end_if_late()
    finally:
        for each in running.values():
            each.process.terminate()
        for each in running.values():
            each.process.join(GRACE)
    sys.stdout.write("".join(sorted(skipped)))
    for name in failed:
        print(f"  failed: {name}")
    print(f"{count[PASSED]} passed, {len(failed)} failed, {count[SKIPPED]} skipped"
          f" of {total} cases in {time.monotonic() - began:.1f} s", flush=True)
    if failed or not total:
        return FAILED
    return SKIPPED if count[SKIPPED] == total else PASSED


# -- isolation -----------------------------------------------------------------------------------------

def remove(scratch):
    """A scratch directory, whatever its names, depth and permissions."""
    if subprocess.run(["rm", "-rf", "--", scratch], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        subprocess.run(["chmod", "-R", "u+rwx", scratch], stderr=subprocess.DEVNULL, check=False)
        subprocess.run(["rm", "-rf", "--", scratch], check=False)


@contextlib.contextmanager
def scratch_directory(prefix, keep=False):
    """A directory for a case. In a suite it is removed with all others at the end (removed_at_the_end)."""
    scratch = os.path.realpath(tempfile.mkdtemp(prefix=prefix, dir=LATER[-1] if LATER else None))
    os.chmod(scratch, 0o755)
    try:
        yield scratch
    finally:
        if keep:
            print(f"kept {scratch}")
        elif not LATER:
            remove(scratch)


@contextlib.contextmanager
def removed_at_the_end(keep):
    """Where the directories of a suite's cases lie. Not one by one: for five seconds ext4 looks at every
    inode that was deleted whenever it makes a new one, and 5,000 files take 3 s then, not 0.2. For the
    same reason ./bootstrap and .ci/run hand several suites one directory, which they remove themselves."""
    with contextlib.ExitStack() as stack:
        if not keep:
            place = os.environ.get("FFIND_SCRATCH")
            if not place:
                place = tempfile.mkdtemp(prefix="ffind-tests-")
                os.chmod(place, 0o755)
                stack.callback(remove, place)
            LATER.append(place)
            stack.callback(LATER.pop)
        yield


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def enter_namespace():
    """A private mount namespace for this process, as unshare(1) -m, and -r where one is not root; or Skip."""
    if LIKE_A_MAC or not sys.platform.startswith("linux"):
        raise Skip("mount namespaces need Linux")
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(CLONE_NEWNS) != 0:
        if libc.unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0:
            raise Skip("a private mount namespace is not allowed here: " + os.strerror(ctypes.get_errno()))
        try:
            write("/proc/self/setgroups", "deny")
            write("/proc/self/uid_map", f"0 {user} 1")
            write("/proc/self/gid_map", f"0 {group} 1")
        except OSError as error:
            raise Skip(f"a user namespace is not allowed here: {error}") from error
    if libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        raise Skip("mounts cannot be made private here: " + os.strerror(ctypes.get_errno()))


def in_namespace(function):
    """What function() returns (a truth), called in a child that has a private mount namespace. The mounts
    end with that child, so that its scratch directory can be removed from outside."""
    reasons, reason = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = FAILED
        try:
            end_with_parent()
            enter_namespace()
            status = PASSED if function() else FAILED
        except Skip as skip:
            os.write(reason, str(skip).encode())
            status = SKIPPED
        except SystemExit:
            pass
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc(file=sys.stdout)
        finally:
            sys.stdout.flush()
            os._exit(status)  # nothing of the parent's is to be cleaned up here
    os.close(reason)
    try:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except BaseException:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
        raise
    with os.fdopen(reasons) as text:
        if status == SKIPPED:
            raise Skip(text.read())
    return status == PASSED
