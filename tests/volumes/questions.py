# SPDX-License-Identifier: MIT
"""What is asked of every volume: words for ffind and, where find knows the same question, its
expression. Made from what is really there, so that something is found. Called by compare.py; knows
neither volumes nor how answers are compared.
"""
import os
import subprocess
from dataclasses import dataclass, field
from typing import Optional

EPOCH = 1577836800  # 2020-01-01
REGEX = ["-regextype", "posix-extended"]


@dataclass
class Question:
    """`find` is None where find has no such question; `roots` lie below the volume's root."""
    words: list
    find: Optional[list] = None
    roots: list = field(default_factory=lambda: [""])
    limit: int = 0          # of the full answer, any so many
    records: bool = False   # lines, not NUL-ended
    light: bool = False     # asked of large volumes, too


def sample(top, pick, count=200):
    """Some directories and some other entries of the volume, as paths below its root."""
    out = subprocess.run(["find", top, "-xdev", "-mindepth", "1", "-printf", "%y%P\\0"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False,
                         env={**os.environ, "LC_ALL": "C"}).stdout.split(b"\0")[:-1]
    device = os.lstat(top).st_dev

    def inside(path):  # -xdev lists what is mounted below
        return device == os.lstat(os.path.join(os.fsencode(top), path)).st_dev
    directories = [entry[1:] for entry in out if entry[:1] == b"d" and len(entry) < 2000 and inside(entry[1:])]
    others = [entry[1:] for entry in out if entry[:1] != b"d" and len(entry) < 2000]
    return (pick.sample(directories, min(count, len(directories))), pick.sample(others, min(count, len(others))),
            len(out))


def plain(path):
    """Whether it can stand in a glob, a command line and a message."""
    return path.isascii() and not any(byte in b"*?[]{}\\!\n\t -/'" for byte in os.path.basename(path)) and \
        not any(byte in b"*?[]{}\\!\n\t" for byte in path) and b" " not in path


def few(which):
    """For what is large, or so deep that its paths are too much to print."""
    listed = [] if which == "deep" else [Question([], [], light=True), Question(["-s", "-g", "*99*"], ["-name", "*99*"])]
    return listed + [Question(["-s", "leaf"], ["-name", "leaf"], light=True), Question(["-s", "-g", "l*f"], ["-name", "l*f"]),
            Question(["-d", "5"], ["-maxdepth", "5"]), Question(["-t", "f"], ["-type", "f"]),
            Question(["--empty"], ["-empty"]), Question(["-S", "0b"]), Question([], limit=7)]


def questions(top, pick, which):
    if which in ("few", "deep"):
        return few(which)
    directories, others, count = sample(top, pick)
    listed = [
        Question([], [], light=True),
        Question(["-s", "a"], ["-name", "*a*"], light=True),
        Question(["-s", "leaf"], ["-name", "*leaf*"], light=True),
        Question(["-i", "FOO"], ["-iname", "*foo*"]),
        Question(["-s", "-e", "(0|42|c)$"], [*REGEX, "-regex", ".*(0|42|c)"], light=True),
        Question(["-s", "-e", "^[ab]"], [*REGEX, "-regex", ".*/[ab][^/]*"]),
        Question(["-s", "-g", "*[!b]"], ["-name", "*[!b]"]),
        Question(["-s", "-g", "*.txt"], ["-name", "*.txt"], light=True),
        Question(["-s", "path", "-e", "a/b"]),
        Question(["--ext", "txt,tar.gz"]),
        Question(["-t", "f,l"], ["(", "-type", "f", "-o", "-type", "l", ")"]),
        Question(["-S", "0b"], ["-type", "f", "-size", "0c"], light=True),
        Question(["-S", "1024b"], ["-type", "f", "-size", "1024c"]),
        Question(["-S", ">0"], ["-type", "f", "-size", "+0c"], light=True),
        Question(["-S", "<=4096"], ["-type", "f", "-size", "-4097c"]),
        Question(["-S", "1k"], ["-type", "f", "-size", "+999c", "-size", "-2000c"]),
        Question(["-S", "1k..2M"], ["-type", "f", "-size", "+999c", "-size", "-2000001c"]),
        Question(["-S", ">4Gi"], ["-type", "f", "-size", f"+{2**32}c"]),
        Question(["--modified", f">@{EPOCH}"], ["-newermt", f"@{EPOCH}"], light=True),
        Question(["--modified", f"<@{EPOCH}"], ["!", "-newermt", f"@{EPOCH - 1}.999999999"]),
        Question(["--modified", "1h"], ["-newermt", "1 hour ago"]),
        Question(["--modified", "2038"]),
        Question(["-S", ">10", "--modified", "2020"]),
        # Of files: reading directories sets the time of their last access.
        Question(["--accessed", f">@{EPOCH}", "-t", "f"], ["-type", "f", "-newerat", f"@{EPOCH}.999999999"]),
        Question(["--changed", f">@{EPOCH}"], ["-newerct", f"@{EPOCH}.999999999"]),
        Question(["--changed", "<2000"], ["!", "-newerct", "1999-12-31 23:59:59.999999999"]),
        Question(["--created", f">@{EPOCH}"], light=True),  # find fails where there is no such time
        Question(["--created", "<2038"]),
        Question(["--owner", "root"], ["-uid", "0"], light=True),
        Question(["--group", "0,1000"], ["(", "-gid", "0", "-o", "-gid", "1000", ")"]),
        Question(["--where", "orphaned_owner or orphaned_group"], ["(", "-nouser", "-o", "-nogroup", ")"]),
        Question(["--perm", "644"], ["-perm", "644"], light=True),
        Question(["--perm", "-111"], ["-perm", "-111"]),
        Question(["--perm", "/022"], ["-perm", "/022"]),
        Question(["--perm", "u+w,go-w"], ["-perm", "-200", "!", "-perm", "/022"]),
        Question(["--executable"], ["-type", "f", "-perm", "/111"]),
        Question(["--locked"]),
        Question(["--links", ">1"], ["-links", "+1"], light=True),
        Question(["--links", "1"], ["-links", "1"]),
        Question(["--inode", "2..200"], ["-inum", "+1", "-inum", "-201"]),
        Question(["--empty"], ["-empty"], light=True),
        Question(["--empty", "-t", "d"], ["-empty", "-type", "d"]),
        Question(["--only-hidden"], ["-name", ".*"]),
        Question(["-d", "1"], ["-maxdepth", "1"], light=True),
        Question(["-d", "2"], ["-maxdepth", "2"]),
        Question(["--min-depth", "3"], ["-mindepth", "3"]),
        Question(["--depth", "2..3"], ["-mindepth", "2", "-maxdepth", "3"]),
        Question(["--no-hidden"], ["-name", ".*", "-prune", "-o"]),
        Question(["-s", "-E", "*a*"], ["-name", "*a*", "-prune", "-o"], light=True),
        Question(["-s", "-E", "*o*/"], ["-type", "d", "-name", "*o*", "-prune", "-o"]),
        Question(["-s", "--prune", "*a*"], ["(", "-type", "d", "-name", "*a*", "-prune", "-print0", ")", "-o"]),
        Question(["--unique"], [], light=True),
        Question(["-a"]),
        Question(["--no-packages"]),
        Question(["--cross-volumes"]),
        Question([], limit=1, light=True),
        Question([], limit=7),
        Question(["-t", "f"], limit=100),
        Question([], limit=count + 5),
        Question(["--json"], records=True),
        Question(["--json", "-S", ">0"], records=True),
        Question(["--json=full"], records=True),
        Question(["--json=size,allocated,mode,uid,gid,links,inode,device,modified,changed,created"],
                 records=True),
    ]
    listed += [Question(["-t", kind], ["-type", kind], light=kind in "df") for kind in "fdlspbc"]
    return listed + by_place(top, pick, directories, others)


def by_place(top, pick, directories, others):
    listed = []
    nameable = [path for path in directories if plain(path)]
    inner = [os.fsdecode(path) for path in nameable if b"/" in path]
    for place in inner[:2]:
        listed.append(Question(["-s", "-E", place], ["-path", f"{top}/{place}", "-prune", "-o"]))
        listed.append(Question(["-s", "--prune", place]))
        # The name behind the last slash is absolute in find's expression too.
        listed.append(Question(["-s", "-E", os.path.realpath(top) + "/" + place],
                               ["-path", f"{top}/{place}", "-prune", "-o"]))
        listed.append(Question([], roots=["", place]))
        listed.append(Question([], roots=[place, os.path.dirname(place)]))
        listed.append(Question(["-d", "2"], roots=["", place]))
    for place in directories[:4]:
        listed.append(Question([], [], roots=[os.fsdecode(place)], light=True))
    for path in others[:3]:
        name = os.path.basename(path)
        if plain(b"a/" + name):
            listed.append(Question(["-s", "name", "--exact", os.fsdecode(name)], ["-name", os.fsdecode(name)]))
    some = [os.fsdecode(path) for path in pick.sample(directories, min(5, len(directories)))]
    if some:
        listed.append(Question([], roots=some))
    if others:
        listed.append(Question([], roots=[os.fsdecode(others[0])]))
        same = os.path.join(top, os.fsdecode(others[-1]))
        if not os.path.islink(same):  # ffind asks what a link leads to, find asks for the link
            listed.append(Question(["--samefile", same], ["-samefile", same]))
    links = [path for path in others if not os.path.exists(os.path.join(os.fsencode(top), path))]
    if links:
        listed.append(Question([], roots=[os.fsdecode(links[0])]))
        listed.append(Question([], roots=["", "no such/root"]))
    return listed
