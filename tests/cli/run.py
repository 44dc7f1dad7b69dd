#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the black-box tests of ffind: one small text file a behaviour, in cases/*.case.

    run.py --ffind build/ffind                 every case, two at a time, then a summary
    run.py --ffind build/ffind depth mount     the cases whose name contains one of the words
    run.py --ffind build/ffind --case FILE     one case, as ctest does: 0 passed, 1 failed, 77 skipped
    run.py --ffind ffind-darwin --macos        the program of macOS on Linux: `needs: linux` skips, and so on
    run.py --ffind build/ffind --update WORD   write what the binary did into the cases that fail

A case in under a minute (FFIND in the environment can stand in for --ffind):

    # What this promises, in a line or two.
    matrix: reader=getdents,readdir threads=1,8     <- optional headers, see below

    [setup]                          bash -e, in a fresh directory that is also HOME; see prelude.sh for
    tree a/b.txt .hidden empty/      tree, sized, dated, ago, deep, many, skip ...
    [run]                            bash; `ffind` is the binary under test
    ffind b -j {threads} --reader {reader}
    [stdout]                         compared as sorted lines (line `--`: sorted before and after it apart);
    a/b.txt                          none = nothing may be printed
    [stderr]                         regular expressions: each must match a whole line, and each line must be
    ffind: .*: No such file.*        matched by one; a line `...` lets every other line pass; none = silence
    [status] 1                       a number, or `signal INT` (killed by it; wants `exec ffind` in [run])

Expected text knows \\n \\t \\r \\e \\0 \\\\ \\xNN, a backslash at the end of a line (no newline there), and
{cwd} for the directory the command runs in. Everything printed by this program is written that way too.

Headers, all optional, `key: value`, above the first section:
    matrix: a=1,2 b=x,y    [run] once for each combination, {a} and {b} replaced (in the expected text too);
                           `␣` in a value is a space
    sorted: no             bytes in exact order            nul: yes    records end in NUL, not newline
    json: yes              lines compared as JSON objects; invalid JSON and doubled keys are told
    paint: yes             escape sequences for colour shown as <01;34>text</>, however they were written
    pty: yes|stdout|stderr that stream is a terminal (80x24); `yes` is both, and [stdout] is what it shows
    as: user               [run] without root's privileges (user 65534)
    mount: yes             all in a private mount namespace, which [setup] may mount in
    timeout: 30            seconds for each command
    needs: WORD...         root, linux, macos (with --macos that is met, linux is not), loop (loop devices), rawnames (file names may hold any byte);
                           any other word is a command that has to be installed. Unmet: skipped.
The environment is rebuilt: LC_ALL=C.UTF-8, TZ=UTC0, TERM, HOME and PATH only. In ctest: one test a case,
`run.py --ffind $<TARGET_FILE:ffind> --case FILE`, property SKIP_RETURN_CODE 77.
"""
import argparse
import concurrent.futures
import locale
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from casefile import BadCase, Case, encode, judge, substitute, updated  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
NOBODY = 65534
GROUPS = []  # process groups that this case started
KEPT_ENVIRONMENT = ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH",
                    "FFIND_DARWIN")
# --with: options in front of each command that does not ask for something of the kind itself.
WRAPPER = """#!/bin/sh
for word; do
  case $word in
    --reader*|--method*|--explain*|--volumes|--help*|--version) exec {binary} "$@" ;;
  esac
done
exec {binary} {options} "$@"
"""


class Skip(Exception):
    """The machine cannot run this case; the message says why."""


# -- running -------------------------------------------------------------------------------------------

def environment(home, bin_dir):
    try:
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
        name = "C.UTF-8"
    except locale.Error:
        name = "C"
    path = f"{bin_dir}:{os.environ.get('PATH', '')}:/usr/sbin:/sbin:/usr/bin:/bin"
    kept = {key: os.environ[key] for key in KEPT_ENVIRONMENT if key in os.environ}
    return {**kept, "PATH": path, "HOME": str(home), "PWD": str(home), "LC_ALL": name, "TZ": "UTC0",
            "TERM": "xterm-256color", "PYTHON": sys.executable, "TOOL": str(bin_dir / "tool.py"),
            "PRELUDE": str(bin_dir / "prelude.sh")}


def default_signals():
    os.umask(0o022)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


class Terminal:
    """The master side of a pseudo terminal, collected by a thread; output is not translated."""

    def __init__(self):
        import fcntl
        import pty
        import struct
        import termios
        self.master, self.slave = pty.openpty()
        mode = termios.tcgetattr(self.slave)
        mode[1] &= ~termios.OPOST
        termios.tcsetattr(self.slave, termios.TCSANOW, mode)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.data = bytearray()
        self.thread = threading.Thread(target=self._collect, daemon=True)

    def _collect(self):
        while True:
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # Linux says EIO when the last slave is closed
                return
            if not piece:
                return
            self.data += piece

    def started(self):
        os.close(self.slave)
        self.thread.start()

    def result(self):
        self.thread.join(10)
        os.close(self.master)
        # On a slow machine any search may take long enough for a status line; `tool watched` sees those.
        return re.sub(rb"\r(ffind: [^\r\n]*)?\x1b\[K\r?", b"", bytes(self.data))


def execute(script, cwd, env, timeout, user=False, pty=None):
    """Runs bash on `script`; gives (stdout, stderr, returncode), None as code when time ran out.
    What it left running in the background goes on, until end_strays()."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    terminal = None
    if pty:
        terminal = Terminal()
        for name in ("stdout", "stderr") if pty == "yes" else (pty,):
            streams[name] = terminal.slave
    rights = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if user and os.geteuid() == 0 else {}
    try:
        process = subprocess.Popen(["bash", "-c", script], cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                   start_new_session=True, preexec_fn=default_signals, **streams, **rights)
    except (PermissionError, subprocess.SubprocessError) as error:
        raise Skip(f"cannot start the command: {error}") from error
    GROUPS.append(process.pid)
    if terminal:
        terminal.started()
    try:
        out, err = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    if terminal:
        shown = terminal.result()
        out, err = (out, shown) if pty == "stderr" else (shown, err or b"")
    return out or b"", err or b"", code


def end_strays():
    for group in GROUPS:
        try:
            os.killpg(group, signal.SIGKILL)
        except OSError:
            pass  # all of them have ended by themselves, as they should


def fill_bin(options, bin_dir, copy):
    """The directory in front of PATH: ffind itself and the helpers."""
    bin_dir.mkdir()
    for helper in ("prelude.sh", "tool.py"):
        shutil.copy(HERE / helper, bin_dir)
    shutil.copy(HERE.parent / "data" / "finder" / "make.py", bin_dir / "finder.py")
    binary = options.ffind
    if copy:  # an ordinary user may not be able to reach the build directory
        binary = bin_dir / ("ffind.binary" if options.prefer else "ffind")
        shutil.copy(options.ffind, binary)
        binary.chmod(0o755)
    target = bin_dir / "ffind"
    if options.prefer:
        target.write_text(WRAPPER.format(binary=shlex.quote(str(binary)), options=options.prefer))
        target.chmod(0o755)
    elif not copy:
        target.symlink_to(binary)


def check_needs(case, scratch, macos):
    for word in case.headers.get("needs", "").split():
        if word == "root":
            met = os.geteuid() == 0
        elif word in ("linux", "macos"):
            met = macos == (word == "macos")
        elif word == "loop":
            met = os.geteuid() == 0 and shutil.which("mkfs.ext4") and os.path.exists("/dev/loop-control")
        elif word == "rawnames":
            met = raw_names(scratch)
        elif word == "strace":  # a container may forbid what is installed
            met = shutil.which(word) and subprocess.run(
                ["strace", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
        else:
            met = shutil.which(word)
        if not met:
            raise Skip(f"needs {word}")


def raw_names(scratch):
    try:
        path = os.path.join(os.fsencode(scratch), b"\xfe")
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        os.unlink(path)
        return True
    except OSError:
        return False


def for_macos(values):
    """The values of a matrix, with macos's own reader in the place of Linux's."""
    return {name: "bulk" if (name, value) == ("reader", "getdents") else value
            for name, value in values.items()}


def run_case(case, options, scratch):
    """Runs every combination of one case in `scratch`; gives a list of
    (command, problems, the case file's text if it were to expect what came)."""
    check_needs(case, scratch, options.macos)
    user = case.header("as") == "user"
    home, bin_dir = scratch / "home", scratch / "bin"
    home.mkdir()
    for path in (scratch, home):
        path.chmod(0o755)
    fill_bin(options, bin_dir, copy=user and os.geteuid() == 0)
    env = environment(home, bin_dir)
    timeout = float(case.headers.get("timeout", 30))
    prelude = '. "$PRELUDE"\n'
    setup = case.text("setup")
    if setup:
        out, err, code = execute("set -e\n" + prelude + setup, home, env, timeout)
        if code == SKIPPED:
            raise Skip(err.decode(errors="replace").strip())
        if code != 0:
            return [("[setup]", [f"[setup] ended with {code}", encode(out + err)], None)]
    results = []
    for values in case.combinations():
        values = for_macos(values) if options.macos else values
        command = substitute(case.text("run"), values)
        got = execute(prelude + command, home, env, timeout, user, case.header("pty"))
        if got[2] == SKIPPED:
            raise Skip(got[1].decode(errors="replace").strip())
        values["cwd"] = str(home)
        problems = judge(case, values, *got)
        results.append((command, problems, updated(case, values, *got)))
    return results


# -- the three ways to be called -----------------------------------------------------------------------

def remove(scratch):
    subprocess.run(["chmod", "-R", "u+rwx", str(scratch)], stderr=subprocess.DEVNULL, check=False)
    subprocess.run(["rm", "-rf", "--", str(scratch)], check=False)


def namespace_command():
    """The command that gives a private mount namespace here, or Skip."""
    if not sys.platform.startswith("linux"):
        raise Skip("mount namespaces are Linux's")
    for options in (["-m"], ["-r", "-m"]):
        command = ["unshare", *options, "--propagation", "private"]
        try:
            if subprocess.run([*command, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
                return command
        except OSError as error:
            raise Skip(f"no unshare: {error}") from error
    raise Skip("a private mount namespace is not allowed here")


def handed_on(options):
    """What another run.py is told of this one's command line."""
    words = ["--update"] * options.update + ["--macos"] * options.macos
    return words + ([f"--with={options.prefer}"] if options.prefer else [])


def one(options):
    """Runs one case, prints what is wrong, gives its exit status."""
    case = Case(options.case)
    if case.header("mount") and not options.inside:
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="ffind-cli-")).resolve()
        try:
            again = [sys.executable, __file__, "--ffind", str(options.ffind), "--case", str(case.path),
                     "--inside", str(scratch)] + handed_on(options)
            return subprocess.run(namespace_command() + again, check=False).returncode
        finally:
            remove(scratch)  # outside the namespace, so never into what was mounted
    scratch = options.inside or pathlib.Path(tempfile.mkdtemp(prefix="ffind-cli-")).resolve()
    try:
        results = run_case(case, options, scratch)
    finally:
        end_strays()
        if not options.inside and not options.keep:
            remove(scratch)
    failed = [(command, problems) for command, problems, _ in results if problems]
    if failed and options.update and results[0][2]:
        case.path.write_text(results[0][2], encoding="utf-8")
        print(f"updated {case.name}")
        return 0
    if failed:
        print(f"{case.name}: {case.promise}")
    for command, problems in failed:
        print("  $ " + command.replace("\n", "\n    "))
        print("\n".join("    " + problem for problem in problems))
    if options.keep:
        print(f"kept {scratch}")
    return 1 if failed else 0


def everything(options):
    """Runs all selected cases, each in a process of its own, and prints a summary."""
    paths = sorted(options.cases.glob("*.case"))
    if options.words:
        paths = [path for path in paths if any(word in path.stem for word in options.words)]
    started = time.monotonic()

    def job(path):
        command = [sys.executable, __file__, "--ffind", str(options.ffind), "--case", str(path)]
        command += handed_on(options)
        began = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        text = done.stdout.decode(errors="replace")
        if options.verbose and done.returncode == 0:
            text += f"ok {path.stem} ({time.monotonic() - began:.2f} s)\n"
        return path.stem, done.returncode, text

    count = {"passed": 0, "failed": [], "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, code, text in pool.map(job, paths):
            if code == 0:
                count["passed"] += 1
            elif code == SKIPPED:
                count["skipped"] += 1
            else:
                count["failed"].append(name)
            sys.stdout.write(text)
            sys.stdout.flush()
    seconds = time.monotonic() - started
    print(f"{count['passed']} passed, {len(count['failed'])} failed, {count['skipped']} skipped"
          f" of {len(paths)} cases in {seconds:.1f} s")
    for name in count["failed"]:
        print(f"  failed: {name}")
    return 1 if count["failed"] or not paths else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0],
                                     epilog="The format of the cases is described at the top of this file.")
    parser.add_argument("--ffind", default=os.environ.get("FFIND"), help="the binary under test")
    parser.add_argument("--case", help="run this file only; exit status 77 means skipped")
    parser.add_argument("--cases", type=pathlib.Path, default=HERE / "cases", help="the folder of the cases")
    parser.add_argument("--update", action="store_true", help="write what was got into the failing cases")
    parser.add_argument("--macos", action="store_true", default=sys.platform == "darwin",
                        help="the program is macOS's, wherever it runs (tests/darwin)")
    parser.add_argument("--with", dest="prefer", metavar="OPTIONS",
                        help="put these in front of every command that names no reader or method itself")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="with --case: leave the directory behind")
    parser.add_argument("--verbose", "-v", action="store_true", help="name the cases that pass, and their time")
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*", help="run the cases whose name contains one of these")
    options = parser.parse_args()
    if not options.ffind or not os.access(options.ffind, os.X_OK):
        parser.error(f"--ffind must name the program to test (got {options.ffind})")
    options.ffind = pathlib.Path(options.ffind).resolve()
    if not options.case:
        return everything(options)
    try:
        return one(options)
    except Skip as reason:
        print(f"skipped {pathlib.Path(options.case).stem}: {reason}")
        return SKIPPED
    except BadCase as error:
        print(f"bad case: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
