#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks for what macOS's bash 3.2 and Python 3.9 lack, in what runs on a Mac: the cases and their words, scripts,
bootstrap, and the completions for bash.

    portable.py [ROOT]     prints each violation as file:line: what; status 1 if there is one

A lint, no proof: bash is matched line by line. run.py --bash with a bash 3.2 is the proof for the cases. Cases for
Linux only are left out. A line that ends in `# newer` is meant to be so.
"""
import ast
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
sys.dont_write_bytecode = True
from casefile import Case  # noqa: E402

# Each with the version of bash that brought it.
NEWER_BASH = [(re.compile(pattern), what) for pattern, what in (
    (r"\b(declare|local|typeset|readonly) +-\w*A", "associative arrays (4.0)"),
    (r"\b(declare|local|typeset) +-\w*[nglu]", "declare -n, -g, -l, -u (4.0 to 4.3)"),
    (r"\b(mapfile|readarray|coproc)\b", "mapfile, readarray, coproc (4.0)"),
    (r"\$\{!?\w+(\[[@*\w]+\])?(,,?|\^\^?)[^}]*\}", "${x,,}, ${x^^} (4.0)"),
    (r"\$\{\w+(\[[@*\w]+\])?@[A-Za-z]\}", "${x@Q} (4.4)"),
    (r"\$\{\w+:[^}:]*: *-\d", "${x:0:-1} (4.2)"),
    (r"\$\{\w+\[-\d", "negative indexes (4.2)"),
    (r"\|&", "|& (4.0)"),
    (r"&>>", "&>> (4.0)"),
    (r";;&|;&(?!&)", ";& and ;;& (4.0)"),
    (r"printf [^|;]*%\([^)]*\)T", "printf %(...)T (4.2)"),
    (r"\bwait +-[nfp]\b", "wait -n (4.3)"),
    (r"(\[\[|\btest|\[) +-[vR] ", "test -v (4.2)"),
    (r"\bread +(-\w+ +)*-\w*([Ni]|t *0?\.\d)", "read -N, -i, -t 0.1 (4.0)"),
    (r"\bexec +\{\w+\}|\{\w+\}[<>]", "{fd}> (4.1)"),
    (r"\{\d+\.\.\d+\.\.\d+\}|\{0\d+\.\.\d+\}", "{1..9..2}, {01..9} (4.0)"),
    (r"\bshopt -s +(globstar|lastpipe|autocd|dirspell|inherit_errexit|checkjobs)", "an option of shopt (4.0)"),
    (r"\$\{?(BASHPID|EPOCHSECONDS|EPOCHREALTIME|SRANDOM|PROMPT_DIRTRIM)\b", "a variable (4.0 to 5.1)"),
    (r"\$'[^']*\\[uU][0-9a-fA-F]", r"$'\u...' (4.2): write the bytes, $'\xe2...'"),
    (r"\$\(case\b[^()]*\)[^()]*;;", "case in $( ) (4.0): 3.2 ends it at the first parenthesis"),
)]
LINUX_ONLY = {".ci", "tests/bench", "tests/cross", "tests/darwin", "tests/fuzz", "tests/volumes"}
SET_U = re.compile(r"^\s*set -\w*u")
ARRAY = re.compile(r"\$\{(\w+)\[@\]\}")
GUARDED_ARRAY = re.compile(r'\$\{(\w+)\[@\]\+"\$\{\1\[@\]\}"\}')

# Functions and parameters of Python 3.10 to 3.12 that a test may reach for.
NEWER_PYTHON = {
    "aiter", "anext", "batched", "bit_count", "chdir_fd", "ExceptionGroup", "file_digest", "get_annotations",
    "hardlink_to", "int_max_str_digits", "is_junction", "orig_argv", "pairwise", "stdlib_module_names", "StrEnum",
    "tomllib", "TaskGroup", "walk_up", "setns", "splice", "eventfd", "EFD_CLOEXEC", "root_dir",
    "enterContext", "enterClassContext", "assertNoLogs", "ParamSpec", "TypeAlias", "Self", "override", "UTC"}
NEWER_PARAMETERS = {("zip", "strict"), ("dataclass", "slots"), ("dataclass", "kw_only"), ("bisect", "key"),
                    ("glob", "root_dir"), ("TemporaryDirectory", "delete"), ("NamedTemporaryFile", "delete_on_close"),
                    ("Popen", "pipesize"), ("run", "process_group"), ("Popen", "process_group"),
                    ("rmtree", "onexc"), ("rglob", "case_sensitive")}


def shell_text(lines):
    """(number, line) of a script without its comments; here-documents count as script."""
    for number, line in lines:
        if not line.lstrip().startswith("#") and not line.endswith("# newer"):
            yield number, line


def bash_problems(lines, strict=False):
    """`strict`: set -u from the beginning, under which 3.2 takes an empty array for an unset variable."""
    for number, line in shell_text(lines):
        strict = strict or bool(SET_U.match(line))
        for pattern, what in NEWER_BASH:
            if pattern.search(line):
                yield number, what
        if strict and ARRAY.search(GUARDED_ARRAY.sub("", line)):
            yield number, '${a[@]} under set -u (4.4 where it is empty): ${a[@]+"${a[@]}"}'


def called(node):
    return getattr(node.func, "attr", getattr(node.func, "id", None))


def is_union(node):
    """`int | None` where it is evaluated: an annotation, or isinstance."""
    return any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.BitOr)
               and any(isinstance(side, ast.Constant) and side.value is None
                       or isinstance(side, ast.Name) and side.id in ("int", "str", "bytes", "list", "dict", "float")
                       for side in (each.left, each.right)) for each in ast.walk(node))


def python_problems(text):
    try:
        tree = ast.parse(text, feature_version=(3, 9))
    except SyntaxError as error:
        yield error.lineno, f"{error.msg} (Python 3.9)"
        return
    lines = text.split("\n")
    evaluated = not any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if line and lines[line - 1].endswith("# newer"):
            continue
        if isinstance(node, ast.Match if hasattr(ast, "Match") else ()):
            yield line, "match (3.10)"
        name = getattr(node, "attr", getattr(node, "id", None))
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if {alias.name, getattr(node, "module", None)} & NEWER_PYTHON:
                    yield line, f"{alias.name} (3.10 or later)"
        elif isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load) and name in NEWER_PYTHON:
            yield line, f"{name} (3.10 or later)"
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if (called(node), keyword.arg) in NEWER_PARAMETERS:
                    yield line, f"{called(node)}({keyword.arg}=) (3.10 or later)"
            if called(node) == "isinstance" and len(node.args) == 2 and is_union(node.args[1]):
                yield line, "a union of types by | (3.10)"
        annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if evaluated and annotation is not None and is_union(annotation):
            yield line, "a union of types by | (3.10)"


def case_lines(path):
    """The lines of [setup] and [run]."""
    section = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("["):
            section = line
        elif section in ("[setup]", "[run]"):
            yield number, line


def on_a_mac(path):
    case = Case(path)
    return "linux" not in case.headers.get("needs", "").split() and not case.header("mount")


def numbered(path):
    return list(enumerate(path.read_text(encoding="utf-8").split("\n"), 1))


def problems(root):
    """(path, line, what) of everything."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], stdout=subprocess.PIPE,
                            encoding="utf-8", check=False)
    files = [root / name for name in listed.stdout.split("\n") if name] or [each for each in root.rglob("*")]
    for path in sorted(files):
        readable = path.suffix in ("", ".py", ".sh", ".bash", ".case") or path.name.endswith(".bash.in")
        if not path.is_file() or not readable:
            continue
        if LINUX_ONLY & {str(folder) for folder in path.relative_to(root).parents}:
            continue
        if path.suffix == ".case":
            if path.parent.name == "cases" and on_a_mac(path):
                yield from ((path, *each) for each in bash_problems(case_lines(path)))
        elif path.suffix == ".py":
            yield from ((path, *each) for each in python_problems(path.read_text(encoding="utf-8")))
        elif path.suffix or b"sh" in path.open("rb").readline()[:32]:
            yield from ((path, *each) for each in bash_problems(numbered(path)))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1]).resolve()
    found = list(problems(root))
    for path, line, what in found:
        print(f"{path.relative_to(root)}:{line}: {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
