#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds --gitignore against git itself: random trees with random ignore files, git as the judge.

    gitignore.py --ffind build/ffind [--seed N] [--trees N]

Each tree is a repository with ignore files on several levels, in .git/info/exclude and in HOME. What
ffind lists of it, from its top and from a directory below, is what `git ls-files --others
--exclude-standard` lists, directories aside. Then each byte is held against each class by itself. A
failure prints tree and rules; its seed makes it again. 77 without git.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

NAMES = ["B", "Ab", "SRC", "A.C", "a", "b", "ab", "abc", "a.c", "b.c", "a.o", ".a", "A", "x-y", "a b", "[a]", "a*",
         "a]", "!a", "#a", "ä", "build", "src", "a\\b", "foo", "foo bar ", "é.o", "x.tar.gz", "-"]
PIECES = ["A", "[B]", "[A-C]", "[[:upper:]]", "\\A", "a", "b", "c", "ab", "*", "**", "?", "[ab]", "[!a]", "[^b]",
          "[a-c]", "[[:alpha:]]", "[[:punct:]]", "[]-]", "[a", "[[:x:]]", "\\a", "\\*", "\\", ".", ".c", "o", " ", "foo",
          "build", "src", "/", "/", "[/]", "\\/", "ä"]


def some_rule(rng):
    if rng.random() < 0.5:
        body = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 5)))
    else:
        names = [rng.choice(NAMES + ["*", "**", "*.c", "*.o", "a*", "*b*", "?"]) for _ in range(rng.randint(1, 3))]
        body = "/".join(names)
    return (rng.choice(["", "", "!", "\\"]) + rng.choice(["", "", "/", "**/"]) + body +
            rng.choice(["", "", "/", "/**", "/*", " ", "\\ ", "\r"]))


def some_rules(rng):
    lines = [some_rule(rng) for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.15:
        lines.insert(0, "*")
    text = "\n".join(lines) + rng.choice(["\n", "", "\r\n", "\n# x\n\n"])
    return (rng.choice(["", "", "", "\ufeff"]) + text).encode()


def fill(rng, top, depth=0):
    for name in rng.sample(NAMES, rng.randint(2, 5)):
        path = top / name
        if depth < 4 and rng.random() < 0.5:
            path.mkdir()
            fill(rng, path, depth + 1)
        elif rng.random() < 0.1:
            path.symlink_to(rng.choice([".", "nowhere"]))
        else:
            path.write_bytes(b"")
    if rng.random() < (0.9 if depth == 0 else 0.3):
        (top / ".gitignore").write_bytes(some_rules(rng))


def run(command, cwd, env):
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr!r}")
    # ffind guards a path that begins with a dash.
    return sorted(path[2:] if path.startswith(b"./-") else path for path in done.stdout.split(b"\0")[:-1])


def describe(top, home):
    lines = []
    for path in sorted(list(top.rglob(".gitignore")) + [top / ".git/info/exclude", home / ".config/git/ignore"]):
        lines.append(f"{path.relative_to(home)}: {path.read_bytes()!r}")
    return "\n".join("    " + line for line in lines)


def compare(options, top, home, cwd, env):
    mine = run([options.ffind, "--gitignore", "-0", "-t", "f,l"], cwd, env)
    gits = run(["git", "ls-files", "--others", "--exclude-standard", "-z"], cwd, env)
    if mine == gits:
        return True
    print(f"in {cwd.relative_to(home)}:")
    print("  only ffind lists", sorted(set(mine) - set(gits)))
    print("  only git lists  ", sorted(set(gits) - set(mine)))
    print(describe(top, home))
    return False


def passed_over(options, top, directory, env):
    """The directory itself, or one around it: git lists nothing there, and ffind all that is named."""
    names = b"\0".join(bytes(path) for path in [directory, *directory.parents] if path != top and top in path.parents)
    done = subprocess.run(["git", "check-ignore", "-z", "--stdin"], input=names, cwd=top, env=env,
                          stdout=subprocess.PIPE, check=False)
    return done.stdout != b""


def try_tree(options, number, scratch):
    rng = random.Random(options.seed * 1_000_003 + number)
    home = scratch / str(number)
    top = home / "top"
    top.mkdir(parents=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
    fill(rng, top)
    shutil.copytree(options.repository, top / ".git")
    (top / ".git/info").mkdir(exist_ok=True)
    (top / ".git/info/exclude").write_bytes(some_rules(rng) if rng.random() < 0.4 else b"")
    if rng.random() < 0.3:  # as git init sets it on macOS
        with open(top / ".git/config", "a", encoding="ascii") as config:
            config.write("[core]\n\tignoreCase = true\n")
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").write_bytes(some_rules(rng) if rng.random() < 0.4 else b"")
    good = compare(options, top, home, top, env)
    below = [path for path in sorted(top.rglob("*")) if path.is_dir() and not path.is_symlink() and
             ".git" not in path.parts]
    if good and below:
        directory = rng.choice(below)
        if not passed_over(options, top, directory, env):
            good = compare(options, top, home, directory, env)
    shutil.rmtree(home)
    return good


def try_classes(options, scratch):
    """Each class against each byte that a name may have."""
    home = scratch / "classes"
    top = home / "top"
    top.mkdir(parents=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1"}
    shutil.copytree(options.repository, top / ".git")
    (top / ".git/info").mkdir(exist_ok=True)
    (top / ".git/info/exclude").write_bytes(b"")
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").write_bytes(b"")
    classes = ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
               "xdigit"]
    rules = b""
    for name in classes:
        (top / name).mkdir()
        rules += b"/%s/x[[:%s:]]\n" % (name.encode(), name.encode())
        for byte in range(1, 256):
            if byte != ord("/"):
                open(os.path.join(os.fsencode(top / name), b"x" + bytes([byte])), "wb").close()
    (top / ".gitignore").write_bytes(rules)
    return compare(options, top, home, top, env)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ffind", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trees", type=int, default=120)
    options = parser.parse_args()
    options.ffind = str(options.ffind.resolve())
    if not shutil.which("git"):
        print("no git")
        return 77
    with tempfile.TemporaryDirectory(prefix="ffind-gitignore-") as directory:
        scratch = pathlib.Path(directory).resolve()
        options.repository = scratch / "repository"
        subprocess.run(["git", "init", "-q", "--template=", str(scratch / "made")], check=True,
                       env={"PATH": os.environ["PATH"], "HOME": str(scratch), "GIT_CONFIG_NOSYSTEM": "1"})
        (scratch / "made/.git").rename(options.repository)
        if not try_classes(options, scratch):
            return 1
        failed = 0
        for number in range(options.trees):
            if not try_tree(options, number, scratch):
                print(f"  tree {number} of seed {options.seed}")
                failed += 1
                if failed == 5:
                    break
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
