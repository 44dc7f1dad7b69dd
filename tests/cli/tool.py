#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the cases need and a shell cannot do: prelude.sh calls it `tool`. What makes files is in files.py.

A command is a function below; its arguments are the words after its name.
"""
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

def json_lines():
    data = sys.stdin.buffer.read()
    if data and not data.endswith(b"\n"):
        sys.exit("the last line has no end")
    lines = data.decode("utf-8").split("\n")[:-1]
    for line in lines:
        if not isinstance(json.loads(line), dict):
            sys.exit(f"not an object: {line}")
    print(len(lines), "objects")


def colours():
    """The colours set by what is on standard input, by their numbers in SGR sequences, each once."""
    codes = {code for sequence in re.findall(rb"\x1b\[([0-9;]*)m", sys.stdin.buffer.read())
             for code in sequence.split(b";")}
    for code in sorted(code.decode() for code in codes if re.fullmatch(rb"3[0-8]|4[0-8]|9[0-7]|10[0-7]", code)):
        print(code)


def json_field(*names):
    """The fields of each object on standard input, absent ones as `-`."""
    for line in sys.stdin:
        value = json.loads(line)
        print(*(json.dumps(value[name], ensure_ascii=False) if name in value else "-" for name in names))


def interrupt(name, *command):
    """Starts a command, waits for its first output, sends the signal; prints how it ended."""
    number = getattr(signal, "SIG" + name)
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    os.read(process.stdout.fileno(), 1)  # it is under way, and soon waits: nobody reads on
    time.sleep(0.1)
    process.send_signal(number)
    print(f"ended by {signal.Signals(-process.wait(20)).name}" if process.wait(20) < 0
          else f"exit {process.returncode}")


def limited(name, seconds, *command):
    """Runs a command and sends it a signal if it goes on for so long; ends with its status."""
    process = subprocess.Popen(command)
    try:
        process.wait(float(seconds))
    except subprocess.TimeoutExpired:
        process.send_signal(getattr(signal, "SIG" + name))
    status = process.wait()
    sys.exit(128 - status if status < 0 else status)


def own_group(*command):
    """Runs a command in a process group of its own."""
    os.setpgid(0, 0)
    os.execvp(command[0], command)


def own_session(*command):
    """Runs a command in a session of its own, which has no terminal."""
    os.setsid()
    os.execvp(command[0], command)


def wait_for_commands(count, poll):
    """Until the commands of a process have left so many numbers of theirs in ./pids."""
    deadline = time.monotonic() + 20
    while not os.path.exists("pids") or open("pids", encoding="ascii").read().count("\n") < int(count):
        if time.monotonic() > deadline or poll() is not None:
            sys.exit("its commands did not start")
        time.sleep(0.01)


def print_ending(status):
    """How it ended, and whether any of its commands is left."""
    print(f"ended by {signal.Signals(-status).name}" if status < 0 else f"exit {status}")
    for pid in open("pids", encoding="ascii").read().split():
        try:
            os.kill(int(pid), 0)
            print("a command is left")
        except ProcessLookupError:
            pass


def interrupt_commands(names, count, *command):
    """Starts a command, waits for `count` of the commands that it runs, sends the signal; prints how it
    ended, and whether any of them is left. `TERM,0.3,INT` is one, a pause, and
    another."""
    process = subprocess.Popen(command)
    wait_for_commands(count, process.poll)
    for name in names.split(","):
        if name[0].isdigit():
            time.sleep(float(name))
        else:
            process.send_signal(getattr(signal, "SIG" + name))
    try:
        print_ending(process.wait(10))
    except subprocess.TimeoutExpired:
        process.kill()
        print("it goes on")


def unread_commands(*words):
    """The same with nobody who reads what it writes."""
    reader, writer = os.pipe()
    told = os.dup(1)
    os.dup2(writer, 1)
    sys.stdout = os.fdopen(told, "w")
    interrupt_commands(*words)
    os.close(reader)


def type_interrupt(count, *command):
    """The same by Ctrl-C in a terminal of its own."""
    import pty
    pid, master = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    ended = []

    def poll():
        if not ended:
            got, status = os.waitpid(pid, os.WNOHANG)
            ended.extend([os.waitstatus_to_exitcode(status)] if got else [])
        return ended[0] if ended else None
    wait_for_commands(count, poll)
    time.sleep(0.1)  # one that has hardly begun could be taken for too young to have got it
    os.write(master, b"\x03")
    deadline = time.monotonic() + 10
    while poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended:
        print_ending(ended[0])
    else:
        os.kill(pid, signal.SIGKILL)
        print("it goes on")


def dialogue(steps, *command):
    """Runs a command in a terminal of its own. `SHOWN=TYPED,SHOWN=TYPED`, with escapes as in Python: once it has shown
    the one, the other is typed, or sent if it is the name of a signal. Prints how it ended, and what it printed after the
    last of these."""
    import pty
    pid, master = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    left = [step.encode().decode("unicode_escape").encode().split(b"=", 1) for step in steps.split(",")]
    shown = b""
    while True:
        try:
            shown += os.read(master, 65536)
        except OSError:  # Linux says EIO at the end
            break
        while left and left[0][0] in shown:
            asked, typed = left.pop(0)
            shown = shown[shown.index(asked) + len(asked):]
            if typed.startswith(b"SIG"):
                os.kill(pid, getattr(signal, typed.decode()))
            else:
                os.write(master, typed)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(f"ended by {signal.Signals(-status).name}" if status < 0 else f"exit {status}")
    print(repr(shown.decode()))


def answers(lines, *command):
    """Runs a command in a terminal of its own, whose person types these lines, separated by commas,
    each when asked; prints what is shown there without its colours, then the status. An empty line: end of input. Of
    `y after COMMAND` the shell command is run before the `y` is typed; with ` after COMMAND` nothing is
    typed. $ASKER is the number of who asks."""
    import pty
    pid, master = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    left = lines.split(",")
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # Linux says EIO at the end
            break
        if not piece:
            break
        shown += piece
        if piece.rstrip(b" ").endswith(b"?") and left:
            line, _, deed = left.pop(0).partition(" after ")
            if deed:
                subprocess.run(deed, shell=True, check=True, env={**os.environ, "ASKER": str(pid)})
            if line or not deed:
                os.write(master, (line + "\n").encode() if line else b"\4")
    text = re.sub(rb"\x1b\[[0-9;]*m", b"", shown.replace(b"\r\n", b"\n"))
    print(text.decode(errors="replace"), end="")
    print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def watched(*command):
    """Runs a command on a terminal of 60 columns and prints what that shows at the end, then each
    kind of status line that it showed on the way, digits as N. With `interrupt` in front: types
    Ctrl-C when there is one, and prints what ended the command."""
    import fcntl
    import pty
    import struct
    import termios
    interrupt = command[0] == "interrupt"
    pid, master = pty.fork()
    if pid == 0:
        # Nothing starts before the terminal has its size.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        words = command[1:] if interrupt else command
        os.execvp(words[0], words)
    lines, column, seen, shown = [""], 0, [], b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
        if b"ffind: " in shown and not os.path.exists("../shown"):
            open("../shown", "w", encoding="ascii").close()
        if interrupt and b"ffind: " in shown:
            os.write(master, b"\x03")
            interrupt = False
    _, status = os.waitpid(pid, 0)
    text = shown.decode(errors="replace").replace("\x1b[K", "\0").replace("\x1b[0m", "")
    for character in text:
        line = lines[-1]
        if character == "\n":
            lines.append("")
            column = 0
        elif character == "\r":
            column = 0
            # What a status line leaves behind is a line of its own, until it is erased.
            told = re.sub(r"[0-9.]+[kM]?", "N", line)
            if line.startswith("ffind: ") and told not in seen:
                seen.append(told)
        elif character == "\0":
            lines[-1] = line[:column]
        else:
            lines[-1] = line[:column].ljust(column) + character + line[column + 1:]
            column += 1
            if column > 60:
                sys.exit("a line wraps: " + lines[-1])
    print("".join(line + "\n" for line in (lines if lines[-1] else lines[:-1])), end="")
    for told in seen:
        print("on the way:", told)
    if os.WIFSIGNALED(status):
        print("ended by", signal.Signals(os.WTERMSIG(status)).name)
    elif os.WEXITSTATUS(status):
        print("status", os.WEXITSTATUS(status))


def requested(*command):
    """Runs a command that SIGUSR1 has been sent to already, and waits until it gets it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    os.kill(os.getpid(), signal.SIGUSR1)
    os.execvp(command[0], command)


def stop_and_continue(rounds, expected, *command):
    """Runs a command under a rain of SIGSTOP and SIGCONT; says when the number of its lines is wrong."""
    for _ in range(int(rounds)):
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        counted = []
        reader = threading.Thread(target=lambda: counted.append(process.stdout.read().count(b"\n")))
        reader.start()
        stops = 0
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGCONT)
            stops += 1
            time.sleep(0.0002)
        reader.join()
        if counted != [int(expected)] or process.returncode != 0:
            sys.exit(f"{counted[0]} lines of {expected}, status {process.returncode}, after {stops} stops")
    print("nothing lost")


def without_blocking(*command):
    """Runs a command whose output does not wait for its reader, who takes a second; prints how many
    bytes came."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = subprocess.Popen(command, stdout=writer)
    os.close(writer)
    time.sleep(1)
    count = 0
    while True:
        piece = os.read(reader, 65536)
        if not piece:
            break
        count += len(piece)
    print(count, "bytes, status", process.wait())


def without_sigpipe(*command):
    """Runs a command with SIGPIPE ignored, as some parents leave it, and a reader that goes away."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, restore_signals=False)
    os.read(process.stdout.fileno(), 1)
    process.stdout.close()
    code = process.wait(20)
    print(f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit {code}")


def peak(most, *command):
    """Runs a command and says how many MiB of memory it took at once if that is more than `most`; with a
    status of its own it ends with that."""
    import resource
    status = subprocess.run(command, check=False).returncode
    # Linux counts in KiB, macOS in bytes.
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // (1 << (20 if sys.platform == "darwin" else 10))
    if used > int(most):
        print(f"{used} MiB")
    sys.exit(status)


def objects_with(*values):
    """How many of the objects on standard input hold all of these strings."""
    def strings(value):
        if isinstance(value, str):
            return {value}
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return set().union(*map(strings, parts))
    print(sum(set(values) <= strings(json.loads(line)) for line in sys.stdin))


# -- mounts that answer nobody: kept by a process in the background, which run.py ends ----------------

def in_background(descriptor, log=None):
    """Lets the calling command end while a child keeps `descriptor`, and logs that something was read."""
    if os.fork() != 0:
        os._exit(0)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    while log is None:
        time.sleep(60)
    os.read(descriptor, 1)
    with open(log, "w") as file:
        file.write("fired\n")
    time.sleep(60)


def mount(kind, place, options):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(kind.encode(), os.fsencode(place), kind.encode(), 0, options.encode()) != 0:
        sys.stderr.write(f"mounting {kind} is not allowed here: {os.strerror(ctypes.get_errno())}\n")
        sys.exit(77)


def dead(place):
    """A FUSE mount whose server never answers."""
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        sys.stderr.write(f"no FUSE: {error}\n")
        sys.exit(77)
    mount("fuse", place, f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}")
    in_background(device)


def autofs(place, *ghosts):
    """An automount with these directories in it, each of which would be mounted when it is entered;
    nobody answers, but ../fired tells that the kernel asked."""
    asked, asks = os.pipe()
    mount("autofs", place, f"fd={asks},pgrp={os.getpgrp()},minproto=5,maxproto=5,indirect")
    for ghost in ghosts:
        os.mkdir(os.path.join(place, ghost))
    in_background(asked, "../fired")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
