#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the black-box tests of ffind: one small text file a behaviour, in cases/*.case.

    run.py --ffind build/ffind                 every case, several at a time, then a summary
    run.py --ffind build/ffind depth mount     the cases whose name contains one of the words
    run.py --ffind build/ffind --case FILE     one case, with --keep to look at what is left: 77 if skipped
    run.py --ffind ffind-darwin --macos        the program of macOS on Linux: `needs: linux` skips, and so on
    run.py --ffind build/ffind --update WORD   write what the binary did into the cases that fail

A case in under a minute (FFIND in the environment can stand in for --ffind):

    # What this promises, in a line or two.
    matrix: reader=getdents,readdir threads=1,8     <- optional headers, see below

    [setup]                          bash -e, in a fresh directory that is also HOME; see prelude.sh for
    tree a/b.txt .hidden empty/      tree, sized, dated, ago, deep, many, skip ...
    [run]                            bash; `ffind` is the binary under test; see screen.sh for a terminal
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
    pty: yes|stdout|stderr that stream is a terminal (80x24); `yes` is both, and [stdout] is what it shows; colours
                           of messages count only with `paint`
    as: user               [run] without root's privileges (user 65534)
    mount: yes             all in a private mount namespace, which [setup] may mount in
    timeout: 120           seconds for each command: for one that hangs, since a sanitizer under load is slow
    needs: WORD...         root, linux, macos (with --macos that is met, linux is not), loop (loop devices),
                           rawnames (file names may hold any byte), casesensitive (two names in a directory may
                           differ in case or Unicode form alone), attributes (setfattr or macOS's xattr), fts (the
                           program has --reader fts; without it a matrix leaves that value out); any other word is a
                           command that has to be installed. Unmet: skipped.
    ways: catalog          on the simulated macOS each case runs once, then again for each way to read directories;
                           this one only for these of bulk, fts and catalog, or `none`: no other way of reading
                           could change what it looks at (messages, commands, formats; or how names match,
                           which is catalog's alone, since it hands on a part of the pattern). `none` of itself
                           where tmux is needed
The environment is rebuilt: UTF-8, TZ=UTC0, TERM, HOME and PATH only. Each case runs in a process
and a directory of its own (../suite.py).
"""
import argparse
import functools
import locale
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))
import suite  # noqa: E402
from suite import SKIPPED, Skip  # noqa: E402
from casefile import WAYS, BadCase, Case, encode, judge, painted, plain, substitute, updated  # noqa: E402

NOBODY = 65534
GROUPS = []  # process groups that this case started
KEPT_ENVIRONMENT = ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH",
                    "FFIND_DARWIN")
# --with: options in front of each command that does not ask for something of the kind itself.
WRAPPER = """#!/bin/sh
for word; do
  case $word in
    --reader*|--method*|--explain*|--volumes|--list-volumes|--help*|--version) exec {binary} "$@" ;;
  esac
done
exec {binary} {options} "$@"
"""


# -- running -------------------------------------------------------------------------------------------

def utf8_locale():
    """Variables of the environment for UTF-8, with C for all else. macOS has no C.UTF-8 before version 15."""
    choices = [(locale.LC_ALL, "LC_ALL", "C.UTF-8"), (locale.LC_CTYPE, "LC_CTYPE", "UTF-8")]
    if suite.LIKE_A_MAC:
        choices = [(locale.LC_CTYPE, "LC_CTYPE", "C.UTF-8")]
    for category, variable, name in choices:
        try:
            locale.setlocale(category, name)
            return {variable: name}
        except locale.Error:
            pass
    return {"LC_ALL": "C"}


def environment(home, bin_dir):
    path = f"{bin_dir}:{os.environ.get('PATH', '')}"
    if not suite.LIKE_A_MAC:
        path += ":/usr/sbin:/sbin:/usr/bin:/bin"
    kept = {key: os.environ[key] for key in KEPT_ENVIRONMENT if key in os.environ}
    return {**kept, "PATH": path, "HOME": str(home), "PWD": str(home), **utf8_locale(), "TZ": "UTC0",
            "TERM": "xterm-256color", "PYTHON": sys.executable, "TOOL": str(bin_dir / "tool.py"),
            "PRELUDE": str(bin_dir / "prelude.sh"), "COMPLETIONS": str(HERE.parents[1] / "completions")}


def default_signals():
    """What commands start with. Set here, not between fork and exec of each of them: Python can then start
    them without a copy of itself. A signal with a handler is back at its default behind exec."""
    os.umask(0o022)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
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
                                   start_new_session=True, **streams, **rights)
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


class Bins:
    """Directories in front of PATH, made once for all cases in `place`: ffind itself and the helpers. One of
    them has a copy of the program: an ordinary user may not be able to reach the build directory."""

    def __init__(self, options, place):
        self.linked, self.copied = place / "linked", place / "copied"
        for bin_dir in (self.linked, self.copied):
            bin_dir.mkdir()
            for helper in ("prelude.sh", "screen.sh", "files.py", "fuse.py", "tool.py"):
                shutil.copy(HERE / helper, bin_dir)
            shutil.copy(HERE.parent / "data" / "finder" / "make.py", bin_dir / "finder.py")
        program = self.copied / ("ffind.binary" if options.prefer else "ffind")
        shutil.copy(options.ffind, program)
        program.chmod(0o755)
        if options.prefer:
            self._wrap(options.ffind, options.prefer, self.linked)
            self._wrap(program, options.prefer, self.copied)
        else:
            (self.linked / "ffind").symlink_to(options.ffind)

    @staticmethod
    def _wrap(program, words, bin_dir):
        wrapper = bin_dir / "ffind"
        wrapper.write_text(WRAPPER.format(binary=shlex.quote(str(program)), options=words))
        wrapper.chmod(0o755)


@functools.lru_cache(maxsize=None)
def unmet(word, macos):
    """Whether the machine lacks what `needs: WORD` asks for. Found out once, before the cases start."""
    if word == "root":
        return suite.LIKE_A_MAC or os.geteuid() != 0
    if word in ("linux", "macos"):
        return macos != (word == "macos") or suite.LIKE_A_MAC and word == "linux"
    if word == "loop":
        return not (os.geteuid() == 0 and shutil.which("mkfs.ext4") and os.path.exists("/dev/loop-control"))
    if word in ("rawnames", "casesensitive"):
        with suite.scratch_directory("ffind-cli-") as scratch:
            return suite.LIKE_A_MAC or not (raw_names if word == "rawnames" else case_sensitive)(scratch)
    if word == "attributes":
        return not shutil.which("setfattr") and not shutil.which("xattr")
    if word == "strace":  # a container may forbid what is installed
        return not shutil.which(word) or subprocess.run(
            ["strace", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0
    return not shutil.which(word)


def raw_names(scratch):
    try:
        os.close(os.open(os.path.join(os.fsencode(scratch), b"\xfe"), os.O_CREAT | os.O_WRONLY))
        return True
    except OSError:
        return False


def case_sensitive(scratch):
    for name, other in (("a", "A"), ("\xe9", "e\u0301")):
        with open(os.path.join(scratch, name), "wb"):
            if os.path.exists(os.path.join(scratch, other)):
                return False
    return True


def names_no_mac_has(top):
    """Problems of a case: two names in one directory below `top` that are one name on a Mac, and bytes that no
    name there may have. Stands in for a volume that ignores case."""
    problems, folders = [], [os.fsencode(top)]
    while folders:
        folder, seen = folders.pop(), {}
        try:
            entries = list(os.scandir(folder))
        except OSError:  # closed, or too deep for a path
            continue
        folders += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        for name in (entry.name for entry in entries):
            try:
                text = name.decode()
            except UnicodeDecodeError:
                problems.append(f"{encode(name)} is no UTF-8: needs: rawnames")
                continue
            text = unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())
            other = seen.setdefault(text, name)
            if other != name:
                problems.append(f"{encode(other)} and {encode(name)} are one name on a Mac: needs: casesensitive")
    return problems


def needs(case):
    return case.headers.get("needs", "").split()


@functools.lru_cache(maxsize=None)
def has_fts(program):
    """musl has no fts."""
    return subprocess.run([program, "--explain", "--reader", "fts"], capture_output=True, check=False).returncode == 0


def check_needs(case, options):
    for word in needs(case):
        if unmet(word, options.macos) if word != "fts" else not has_fts(options.ffind):
            raise Skip(f"needs {word}")


def for_macos(values):
    """The values of a matrix, with macos's own reader in the place of Linux's."""
    return {name: "bulk" if (name, value) == ("reader", "getdents") else value
            for name, value in values.items()}


def run_case(case, options, bins, scratch):
    """Runs every combination of one case in `scratch`; gives a list of
    (command, problems, the case file's text if it were to expect what came)."""
    user = case.header("as") == "user"
    home = scratch / "home"
    home.mkdir()
    for path in (scratch, home):
        path.chmod(0o755)
    default_signals()
    env = environment(home, bins.copied if user and os.geteuid() == 0 else bins.linked)
    timeout = float(case.headers.get("timeout", 120))
    prelude = '. "$PRELUDE"\n'
    setup = case.text("setup")
    if setup:
        out, err, code = execute("set -e\n" + prelude + setup, home, env, timeout)
        if code == SKIPPED:
            raise Skip(err.decode(errors="replace").strip())
        if code != 0:
            return [("[setup]", [f"[setup] ended with {code}", encode(out + err)], None)]
        problems = names_no_mac_has(scratch) if suite.LIKE_A_MAC else []
        if problems:
            return [("[setup]", problems, None)]
    results = []
    for values in case.combinations():
        values = for_macos(values) if options.macos else values
        if values.get("reader") == "fts" and not has_fts(options.ffind):
            continue
        command = substitute(case.text("run"), values)
        got = execute(prelude + command, home, env, timeout, user, case.header("pty"))
        if got[2] == SKIPPED:
            raise Skip(got[1].decode(errors="replace").strip())
        if case.header("pty") == "stderr":  # messages in bold say nothing that most cases are about
            out, err, code = got
            got = (out, painted(err) if case.header("paint") else plain(err), code)
        values["cwd"] = str(home)
        problems = judge(case, values, *got)
        if suite.LIKE_A_MAC:
            problems += names_no_mac_has(scratch)
        results.append((command, problems, updated(case, values, *got)))
    return results


# -- the ways to be called -----------------------------------------------------------------------------

def tried(case, options, bins, scratch):
    """Runs one case in `scratch` and prints what is wrong, or writes it into the file; whether it passed."""
    try:
        results = run_case(case, options, bins, scratch)
    finally:
        end_strays()
    failed = [(command, problems) for command, problems, _ in results if problems]
    if failed and options.update and results[0][2]:
        case.path.write_text(results[0][2], encoding="utf-8")
        print(f"updated {case.name}")
        return True
    if failed:
        print(f"{case.name}: {case.promise}")
    for command, problems in failed:
        print("  $ " + command.replace("\n", "\n    "))
        print("\n".join("    " + problem for problem in problems))
    return not failed


def one(case, options, bins):
    """The same in a directory of its own, and in a namespace if the case asks for one."""
    check_needs(case, options)
    with suite.scratch_directory("ffind-cli-", options.keep) as scratch:
        def trial():
            return tried(case, options, bins, pathlib.Path(scratch))
        return suite.in_namespace(trial) if case.header("mount") else trial()


def alone(case, options):
    """The same of a case that has no others beside it."""
    with suite.scratch_directory("ffind-bin-") as place:
        return one(case, options, Bins(options, pathlib.Path(place)))


def slow_first(case):
    """A key by which cases that want more time than usual come first, so that none is waited for at the end."""
    return "timeout" not in case.headers, case.name


def left_out(cases, reason, stays):
    """Those that stay; says how many do not."""
    staying = [case for case in cases if stays(case)]
    if len(staying) < len(cases):
        print(f"left out: {len(cases) - len(staying)} of {len(cases)} cases, {reason}")
    return staying


def everything(options):
    cases = {path.stem: path for path in options.cases.glob("*.case")}
    for name in set(options.skip) - set(cases):
        sys.exit(f"--skip {name}: no such case")
    names = suite.selected((name for name in cases if name not in options.skip), options.words)
    chosen = sorted((Case(cases[name]) for name in names), key=slow_first)
    for system in ("linux", "macos"):
        if unmet(system, options.macos):
            chosen = left_out(chosen, f"for {system} only", lambda case: system not in needs(case))
    if options.way:
        chosen = left_out(chosen, f"not meant by --way {options.way}: see `ways:` in them",
                          lambda case: case.differs_by(options.way))
    for word in {word for case in chosen for word in needs(case)}:
        unmet(word, options.macos)
    with suite.scratch_directory("ffind-bin-") as place:
        bins = Bins(options, pathlib.Path(place))
        return suite.run([suite.Case(case.name, functools.partial(one, case, options, bins)) for case in chosen],
                         options)


def arguments(parser):
    """The options of every suite of cases."""
    parser.add_argument("--ffind", default=os.environ.get("FFIND"), help="the binary under test")
    parser.add_argument("--update", action="store_true", help="write what was got into the failing cases")
    parser.add_argument("--macos", action="store_true", default=sys.platform == "darwin",
                        help="the program is macOS's, wherever it runs (tests/darwin)")
    parser.add_argument("--with", dest="prefer", metavar="OPTIONS",
                        help="put these in front of every command that names no reader or method itself")
    parser.add_argument("--keep", action="store_true", help="leave the directories of the cases behind")
    suite.add_options(parser)
    options = parser.parse_args()
    if not options.ffind or not os.access(options.ffind, os.X_OK):
        parser.error(f"--ffind must name the program to test (got {options.ffind})")
    options.ffind = pathlib.Path(options.ffind).resolve()
    return options


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0],
                                     epilog="The format of the cases is described at the top of this file.")
    parser.add_argument("--case", type=pathlib.Path, help="run this file only; exit status 77 means skipped")
    parser.add_argument("--cases", type=pathlib.Path, default=HERE / "cases", help="the folder of the cases")
    parser.add_argument("--way", choices=(*WAYS, "any", "none"),
                        help="only the cases that this way of reading could change, or any, or none")
    parser.add_argument("--skip", action="append", default=[], metavar="NAME", help="leave out this case")
    options = arguments(parser)
    try:
        if not options.case:
            return everything(options)
        return 0 if alone(Case(options.case), options) else 1
    except Skip as reason:
        print(f"skipped {options.case.stem}: {reason}")
        return SKIPPED
    except BadCase as error:
        print(f"bad case: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
