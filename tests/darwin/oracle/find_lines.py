# SPDX-License-Identifier: MIT
"""Random lines of find through Apple's find, compiled on Linux from a checkout, and through the program.

Compared are the exit status, the lines printed, whether there is a message, and what is left on disk. Left out is
what Linux cannot tell (-acl, -flags, -fstype local) and what no one reads the same: the columns of -ls.
"""
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import time

# What Apple's headers have and Linux's have not. The time of birth is that of change.
COMPAT = """
#define _GNU_SOURCE 1
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <bsd/stdlib.h>
#include <bsd/string.h>
#include <bsd/unistd.h>
#include <bsd/grp.h>
#include <bsd/pwd.h>
#define __FBSDID(x)
#define __unused __attribute__((unused))
#define __dead2 __attribute__((noreturn))
#define __printflike(a, b)
#define COMPAT_MODE(function, mode) 1
#define MAXLOGNAME 33
#define QUAD_MAX LLONG_MAX
#define REG_BASIC 0
#define st_atimespec st_atim
#define st_birthtim st_ctim
#define st_birthtime st_ctim.tv_sec
#define st_birthtimespec st_ctim
#define st_ctimespec st_ctim
#define st_mtimespec st_mtim
"""

FIXED = """
t -perm +u+x|t -perm +ug+w|t -perm +a+x|t -perm /111|t -perm +0111|t -perm -u+x|t -samefile t/l|t -newer t/l
t -name a.c -execdir echo {} ;|t -mtime 0|t -mtime +0|t -mtime -1h|t -mtime 1d|t -mtime +1d2h|t -type f,d|t -user -1
t -size 1000c -o -size +10|t -size +1k|t -size -2|t -depth 1|t -depth -2|t -d|t -lname a*|-E t -regex t/.*(c|d)
-L t -type l|-H t/ld|-L t -name l -delete|t -name e -delete|t/d -delete|t -newermm t/l|t -mnewer t/a.c|t -quit
t -exec false {} ; -print|t -exec echo {} +|t -foo|t -name|t -size x|t -type q|t ( -name a|t -name a )|nosuch
"""
TESTS = [("-name", "*.c a* .* ? *"), ("-type", "f d l"), ("-mtime", "0 1 +1 -1 -2h +1h 1d"),
         ("-size", "1 +1 -3 600c +10c 1k +1k"), ("-perm", "644 -600 +111 755 -u+x +u+x u=rw"), ("-empty", ""),
         ("-links", "1 2 +1"), ("-newer", "t/a.c"), ("-path", "t/d/* *e* t/d"), ("-iname", "b* A.C"),
         ("-depth", "1 -2 +1 2"), ("-lname", "*"), ("-mmin", "-10 +10 +100"), ("-true", ""), ("-user", "root"),
         ("-regex", ".*c t/. t/d.*")]
ENDS = ["", "", "", "", "-print", "-delete", "-exec echo {} ;", "-prune", "-prune -o -print", "-exec echo {} +",
        "-execdir echo {} ;", "-print0", "-quit"]


def build(checkout, folder):
    """Apple's find; None without libbsd."""
    if not os.path.exists("/usr/include/bsd/stdlib.h"):
        return None
    for name in ("get_compat.h", "sys/acl.h", "sys/sysctl.h", "sys/ucred.h"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    (folder / "compat.h").write_text(COMPAT)
    sources = sorted((checkout.folder / "find").glob("*.c"))
    subprocess.run(["bison", "-y", "-Wnone", "-o", folder / "getdate.c", checkout.folder / "find" / "getdate.y"], check=True)
    subprocess.run(["gcc", "-w", "-I", folder, "-I", checkout.folder / "find", "-include", folder / "compat.h",
                    *sources, folder / "getdate.c", "-lbsd", "-o", folder / "find"], check=True)
    return folder / "find"


def make_tree(top):
    shutil.rmtree(top / "t", ignore_errors=True)
    (top / "t/d/e").mkdir(parents=True)
    (top / "t/empty").mkdir()
    for name, size in (("a.c", 10), ("B.TXT", 600), ("d/b.c", 5000), ("d/e/.hid", 0)):
        (top / "t" / name).write_text("x" * size)
    for name, target in (("l", "a.c"), ("n", "nowhere"), ("ld", "d")):
        (top / "t" / name).symlink_to(target)
    os.link(top / "t/a.c", top / "t/d/hard")
    for name, mode in (("B.TXT", 0o755), ("d/b.c", 0o4711), ("d/e/.hid", 0o600)):
        (top / "t" / name).chmod(mode)
    now = time.time()
    for name, age in (("a.c", 100), ("B.TXT", 90000), ("d/b.c", 2e5), ("d/e", 18000), ("empty", 8e5), ("d/e/.hid", -3000)):
        os.utime(top / "t" / name, (now - age, now - age))


def expression(chance, depth=0):
    def test():
        word, values = chance.choice(TESTS)
        return [word, chance.choice(values.split())] if values else [word]
    kind = chance.random() if depth < 3 else 0
    if kind < .5:
        return test()
    if kind < .62:
        return ["!", "(", *expression(chance, depth + 1), ")"]
    if kind < .8:
        return [*expression(chance, depth + 1), *expression(chance, depth + 1)]
    return ["(", *expression(chance, depth + 1), "-o", *expression(chance, depth + 1), ")"]


def lines(rounds, seed):
    for line in FIXED.replace("\n", "|").strip("|").split("|"):
        yield line.split()
    chance = random.Random(seed)
    for _ in range(rounds):
        line = chance.choice([[], [], ["-L"], ["-P"], ["-H"], ["-x"], ["-d"], ["-E"]])
        line = line + chance.choice([["t"], ["t"], ["t/d", "t/l"], ["t/ld"]])
        for _ in range(chance.randint(1, 3)):
            line = line + expression(chance)
        end = chance.choice(ENDS).split()
        # Apple's refuses to delete through links when it comes to the first entry; ours before it begins.
        yield line if line[0] == "-L" and end == ["-delete"] else line + end


def outcome(command, line, top):
    make_tree(top)
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "POSIXLY_CORRECT": "1", "TZ": "UTC0"}
    ran = subprocess.run([*command, *line], capture_output=True, stdin=subprocess.DEVNULL, cwd=top, env=environment,
                         check=False)
    printed = sorted(ran.stdout.replace(b"\0", b"\n").split(b"\n"))
    left = sorted(str(path.relative_to(top)) for path in top.rglob("*"))
    return ran.returncode, printed, bool(ran.stderr), left


def check_find(given, folder):
    apples = build(given["shell_cmds"], folder)
    if apples is None or given["program"] is None:
        print("find: skipped, no libbsd-dev or no --ffind")
        return True
    top = folder / "top"
    top.mkdir()
    checked = differing = 0
    for line in lines(int(given["arguments"][0]) // 6, int(given["arguments"][1])):
        hers, ours = (outcome(command, line, top) for command in ([apples], [given["program"], "--as", "find"]))
        checked += 1
        if hers != ours:
            differing += 1
            print(f"find {shlex.join(line)}\n  Apple's: {hers}\n  ours:    {ours}")
    print(f"find: {checked} lines, {differing} differ")
    return differing == 0
