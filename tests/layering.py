#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the includes and links of the source to the arrows of its map (.github/CONTRIBUTING.md).

    layering.py [ROOT]     prints each violation as file:line: what; status 1 if there is one
    layering.py --self-test   proves on small bad trees that each rule can fail
"""
import pathlib
import re
import sys
import tempfile

# room: the rooms it may include besides itself and text, the ground floor. None of them is cli:
# main.cpp alone includes that.
ARROWS = {
    "cli": {"foreign", "query", "plan", "search", "output", "pick", "os"},
    "foreign": {"query"},
    "pick": {"query", "search", "output", "os"},
    "search": {"query", "plan", "os"},
    "plan": {"query"},
    "output": {"query", "os"},
    "query": set(),
    "os": set(),
    "text": set(),
}
GROUND = "text"
# What of os/ other rooms may see: the seam, which is what lies in no folder of it, and decoders of
# what is read through it.
SEAM = re.compile(r"os/[^/]+\.h|os/formats/finder_attributes\.h")
# What of query/ the output may see: what a match is called.
OF_QUERY = {"query/kinds.h"}
# What of search/ the list of --pick may see: what reads entries again that the search found.
OF_SEARCH = {"search/entry_reload.h"}
# What of cli/ the translator of other programs' lines may see: what options there are. They are a
# library of their own.
OF_CLI = {"cli/option_table.h", "cli/options.h"}
# Folder of os/: the others that it may include.
OS_ARROWS = {
    "formats": set(),
    "posix": {"formats"},
    "linux": {"posix", "formats"},
    "darwin": {"posix", "formats"},
    "ext": {"linux", "posix", "formats"},
}
# Where conditional compilation may be; that is of .cpp files.
CONDITIONAL = {("os", "posix"), ("os", "linux"), ("os", "darwin")}
# ... and the one file that has an instruction of each processor.
PROCESSORS = "src/os/ext/crc32c.cpp"
# Rooms that must not know that there is an operating system; of C they may have the time zones,
# for which C++ 20's library is not complete anywhere yet.
PURE = {"query", "plan", "text", "os/formats"}
PURE_MAY = {"time.h"}
# Libraries with one file each that may include them.
ONE_FILE = {"CLI11": re.compile(r"CLI/"), "RE2": re.compile(r"re2/"), "utf8proc": re.compile(r"utf8proc"),
            "xxHash": re.compile(r"xxhash")}
TOP_LEVEL = {"LICENSE", "THIRD_PARTY", "CMakePresets.json", "CMakeLists.txt", "README.md", "bootstrap", "include",
             "src", "tests", "man", "completions", "Formula", "cmake", "CHANGELOG.md"}
STANDARD = set("""
    algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
    cinttypes climits clocale cmath compare complex concepts condition_variable coroutine csetjmp
    csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception
    execution filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd
    iostream istream iterator latch limits list locale map memory memory_resource mutex new numbers
    numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set
    shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view
    syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
    utility valarray variant vector version""".split())

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)')
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif)\b")
# A definition at namespace scope (nothing there is indented) that is no constant: heuristic, but
# the formatter's regularity makes it a good one. `// mutable: why` above it or on it permits it.
VARIABLE = re.compile(
    r"(?!.*\b(const|constexpr|using|typedef|namespace|class|struct|union|enum|template|friend|return|"
    r"operator|concept|extern)\b)(static |inline |thread_local |constinit )*"
    r"[\w:]+(<[^()=]*>)?[\s*&]+\w+(\[\w*\])?\s*(=.*|\{[^()]*\}?)?;?$")

# What opens and ends a namespace, and a type or an alias defined in it: as the formatter leaves them,
# none is indented, and the end says what it ends.
NAMESPACE = re.compile(r"(?:inline )?namespace(?: ([\w:]+))? \{")
NAMESPACE_END = re.compile(r"\}  // namespace\b")
TYPE = re.compile(r"(?:class|struct|union|enum(?: class| struct)?) (?:\[\[[^\]]*\]\] |alignas\([^)]*\) )?"
                  r"([\w:]+(?:<.*>)?)(?: final)?(?: [:{].*)?$|using (\w+) =")
# A file that a comment names, and those that are the system's.
NAMED_FILE = re.compile(r"(?<![\w./<-])([\w/]+\.(?:cpp|h))\b")
SYSTEM_HEADERS = {"ext2_fs.h", "ext3_extents.h"}
# Linked into one program: the room that a type is in makes it no other one.
ONE_PROGRAM = ("include", "src", "tests/unit", "tests/fakes")


def check_include(file, room, bracket, path):
    """What is wrong with one #include, or None. `room` is "include", "main" or a folder of src/."""
    if path.startswith("ffind/"):
        return None
    first = path.split("/")[0]
    if bracket == '"':
        if room == "include":
            return f'the public headers include only each other, not "{path}"'
        if first not in ARROWS:
            return f'"{path}" is in no room of src/'
        if room == first == "os":
            return check_inside_os(file, path)
        if room in ("main", first) or first == GROUND:
            return None
        if room == "foreign" and path in OF_CLI:
            return None
        if first not in ARROWS[room]:
            return f'{room} must not include {first} ("{path}")'
        if room == "output" and first == "query" and path not in OF_QUERY:
            return f'output knows no queries, hence not "{path}"'
        if room == "pick" and first == "search" and path not in OF_SEARCH:
            return f'pick knows what a search found and not how, hence not "{path}"'
        if first == "pick" and path != "pick/pick.h":
            return f'pick has one door, pick/pick.h, not "{path}"'
        if first == "os" and not SEAM.fullmatch(path):
            return f'os is seen through its seam only, not "{path}"'
        return None
    if path in STANDARD or any(path.startswith(x) for x in ("fmt/", "re2/", "CLI/", "utf8proc.h", "xxhash.h")):
        if room == "include" and path not in STANDARD:
            return f"the public headers include standard C++ only, not <{path}>"
        return None
    if room == "include":
        return f"the public headers include standard C++ only, not <{path}>"
    pure = next((x for x in PURE if f"src/{x}/" in file.as_posix()), None)
    if pure and path not in PURE_MAY:
        return f"{pure} knows no operating system, <{path}> is one's"
    return None


def check_inside_os(file, path):
    """The seam's files are for all of them, and see nothing of what is behind it."""
    here, there = (pathlib.PurePath(x).parts for x in (file.relative_to("src"), path))
    if len(there) == 2 or here[1] == there[1]:
        return None
    if len(here) == 2:
        return f'the seam knows nothing of what is behind it ("{path}")'
    if there[1] not in OS_ARROWS.get(here[1], ()):
        return f'os/{here[1]} must not include os/{there[1]} ("{path}")'
    return None


def check_source(file, relative, used):
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    parts = relative.parts
    room = "include" if parts[0] == "include" else "main" if len(parts) == 2 else parts[1]
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            what = check_include(relative, room, *found.groups())
            if what:
                yield number, what
            for library, pattern in ONE_FILE.items():
                if found[1] == "<" and pattern.match(found[2]):
                    used.setdefault(library, {}).setdefault(relative, number)
        if CONDITION.match(line) and relative.as_posix() != PROCESSORS and not (
                parts[1:3] in CONDITIONAL and relative.suffix == ".cpp"):
            yield number, "conditional compilation belongs in a platform's .cpp file, in a folder of src/os/"
        if VARIABLE.match(line) and not any("// mutable: " in x for x in lines[max(0, number - 2):number]):
            yield number, "looks like a global variable; `// mutable: why` says it has to be one"


def check_links(file, room):
    """The link lists of CMake are the same arrows."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        for linked in re.findall(r"\bffind_(\w+)", line.split("#")[0]):
            if linked == "options" and room not in ("cli", "foreign"):
                yield number, f"{room} must not link the option table"
            if linked in ARROWS and linked not in (room, GROUND) and linked not in ARROWS[room]:
                yield number, f"{room} must not link {linked}"


def types_of(file):
    """(line, qualified name) of each type with external linkage that is defined in `file`."""
    scope = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        opened, found = NAMESPACE.match(line), TYPE.match(line)
        if opened:
            scope.append(opened[1])
        elif NAMESPACE_END.match(line):
            scope.pop()
        elif found and None not in scope and not (line.endswith(";") and not set(line) & {"{", "="}):
            yield number, "::".join([*scope, found[1] or found[2]])


def check_circles(root):
    """No header includes itself, however far round."""
    included = {}
    for folder in ("include", "src"):
        for file in sorted((root / folder).rglob("*.h")):
            found = [INCLUDE.match(line) for line in file.read_text(encoding="utf-8").splitlines()]
            included[file.relative_to(root / folder).as_posix()] = (
                pathlib.Path(folder), [x[2] for x in found if x])
    done = set()

    def circle_from(name, way):
        if name in way:
            return [*way[way.index(name):], name]
        if name in done or name not in included:
            return None
        for other in included[name][1]:
            circle = circle_from(other, [*way, name])
            if circle:
                return circle
        done.add(name)
        return None

    for name, (folder, _) in included.items():
        circle = circle_from(name, [])
        if circle:
            yield folder / name, 1, "a circle of includes: " + ", ".join(circle)
            return


def check_namespaces(root):
    """What a room's header declares is in that room's namespace; a .cpp may define what include/ declares, too."""
    for room in ARROWS:
        own = re.compile(rf"ffind::{room}(::\w+)*")
        for file in sorted((root / "src" / room).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                opened = NAMESPACE.match(line)
                name = opened[1] if opened else None
                if not name or not name.startswith("ffind") or own.fullmatch(name):
                    continue
                if file.suffix == ".h" or name != "ffind":
                    yield file.relative_to(root), number, f"{name} is not the namespace of this room, ffind::{room}"


def check_types(root):
    """Two types of one name in a program are undefined behaviour that no compiler and no linker reports."""
    known = {}
    for folder in ONE_PROGRAM:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            relative = file.relative_to(root)
            for number, name in types_of(file):
                other = known.setdefault(name, relative)
                if other != relative:
                    yield relative, number, f"{name} is defined in {other} too"


def check_headers(root):
    """A header exists because another room, several files of its own room, or a test includes it."""
    headers = {x.relative_to(root / "src").as_posix(): x.relative_to(root) for x in sorted((root / "src").rglob("*.h"))
               if x.name != "precompiled.h"}
    users = {name: set() for name in headers}
    for folder in ("include", "src", "tests"):
        for file in (root / folder).rglob("*"):
            if file.suffix not in (".h", ".cpp"):
                continue
            relative = file.relative_to(root)
            for found in filter(None, map(INCLUDE.match, file.read_text(encoding="utf-8").splitlines())):
                if found[2] in users and relative.with_suffix("") != headers[found[2]].with_suffix(""):
                    users[found[2]].add(relative)
    for name, header in headers.items():
        inside = [x for x in users[name] if x.parts[:2] == header.parts[:2]]
        if len(users[name]) == len(inside) < 2:
            yield header, 1, f"only {inside[0] if inside else 'its own file'} includes it, so it belongs there"


def check_named_files(root):
    """A file of the project that a comment names exists."""
    known = SYSTEM_HEADERS | {x.name for folder in ("include", "src", "tests") for x in (root / folder).rglob("*")}
    for folder in ("include", "src"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                for name in NAMED_FILE.findall(line.partition("//")[2]):
                    if name.rsplit("/", 1)[-1] not in known:
                        yield file.relative_to(root), number, f"there is no {name}"


def check_map(root):
    """The map has a row for each room, and every path that it names exists."""
    file = pathlib.Path(".github/CONTRIBUTING.md")
    if not (root / file).is_file():
        return
    text = (root / file).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        for path in re.findall(r"`((?:src|include|tests|man)/[\w./-]+)`", line):
            if not (root / path).exists() and not re.fullmatch(r"src/\w+/", path):
                yield file, number, f"there is no {path}"
    for room in sorted(ARROWS):
        if (root / "src" / room).is_dir() and f"| `src/{room}/` |" not in text:
            yield file, 1, f"the map has no row for src/{room}/"


def check(root):
    """Yields (relative path, line, what is wrong)."""
    for item in sorted(root.iterdir()):
        name = item.name
        if name not in TOP_LEVEL and not name.startswith(".") and not re.fullmatch(r"build(-.*)?", name):
            yield pathlib.Path(name), 1, "the top level holds nothing but " + ", ".join(sorted(TOP_LEVEL))
    used = {}
    for folder in ("include", "src"):
        for file in sorted((root / folder).rglob("*")):
            relative = file.relative_to(root)
            if file.name == "CMakeLists.txt" and len(relative.parts) == 3 and relative.parts[1] in ARROWS:
                problems = check_links(file, relative.parts[1])
            elif file.is_dir() and folder == "src" and len(relative.parts) == 2 and file.name not in ARROWS:
                problems = [(1, "a room that the map does not know")]
            elif file.suffix in (".h", ".cpp"):
                problems = check_source(file, relative, used)
            else:
                continue
            for line, what in problems:
                yield relative, line, what
    for library, files in used.items():
        for relative in sorted(files)[1:]:
            yield relative, files[relative], f"{library} is included by one file, and that is {min(files)}"
    yield from check_circles(root)
    yield from check_types(root)
    yield from check_namespaces(root)
    yield from check_headers(root)
    yield from check_named_files(root)
    yield from check_map(root)


# -- the test of the test ------------------------------------------------------------------------------

OPENING = "// SPDX-License-Identifier: MIT\n// What this is for.\n"
GOOD = {
    "include/ffind/query.h": OPENING + "#pragma once\n#include <string>\n#include \"ffind/entry.h\"\n"
                             "inline constexpr int limit = 3;\nusing Name = std::string;\n",
    "src/main.cpp": OPENING + "//\n" * 20 + '#include "cli/run.h"\nint main() { return 0; }\n',
    "src/cli/arguments.cpp": OPENING + '#include <CLI/CLI.hpp>\n#include "os/os.h"\n#include "plan/plan.h"\n',
    "src/query/patterns/regex.cpp": OPENING + "#include <re2/re2.h>\n#include <fmt/format.h>\n"
                           "static const int table[] = {1};\nvoid f();\nconst char* const names[] = {\n",
    "src/search/walker.cpp": OPENING + '#include "os/dirent_block.h"\n#include "query/expression.h"\n'
                             "// mutable: a signal handler has nothing else\nstd::atomic<bool> stop{false};\n",
    "src/text/width.cpp": OPENING + "#include <fmt/core.h>\n",
    "src/output/row.h": OPENING + "namespace ffind::output {\nstruct Row {\n  int a;\n};\nusing Rows = int;\nclass Cell;\n"
                        "namespace {\nclass Word {\n};\n}  // namespace\n}  // namespace ffind::output\n",
    "src/plan/row.h": OPENING + "namespace ffind::plan {\nstruct Row {\n};\n}  // namespace ffind::plan\n"
                      "namespace ffind::plan {\nclass Cell {};\nenum class Outcome : char;\nstruct Row row_of(int);\n"
                      "namespace {\nclass Word {\n};\n}  // namespace\n}  // namespace ffind::plan\n",
    "src/plan/plan.cpp": OPENING + "namespace ffind {\nPlan make_plan();\n}  // namespace ffind\n",
    "src/os/linux/calls.cpp": OPENING + '#include "text/width.h"\n#include "os/os.h"\n#include "os/posix/calls.h"\n'
                              "#include <unistd.h>\n#ifdef X\n#endif\n",
    "src/os/ext/crc32c.cpp": OPENING + "#if defined(X)\n#endif\n",
    "src/plan/CMakeLists.txt": "ffind_room(plan LINKS ffind_query)  # not ffind_os\n",
    "build-debug/x.cpp": "", ".ci/run": "", "README.md": "",
}
MAP = "".join(f"| `src/{x}/` |\n" for x in ARROWS)
GOOD[".github/CONTRIBUTING.md"] = MAP + "`src/main.cpp`\n"
# name: the files that are other than in GOOD, and a piece of what must then be told, once.
BAD = {
    "foreign to cli": ({"src/foreign/a.cpp": OPENING + '#include "cli/option_table.h"\n#include "cli/run.h"\n'},
                       "foreign must not include cli"),
    "options": ({"src/query/CMakeLists.txt": "ffind_room(query LINKS ffind_options)\n"}, "must not link the option table"),
    "search to output": ({"src/search/a.cpp": OPENING + '#include "output/lane.h"\n'}, "search must not include output"),
    "os to query": ({"src/os/a.cpp": OPENING + '#include "query/a.h"\n'}, "os must not include query"),
    "query to os": ({"src/query/a.cpp": OPENING + '#include "os/os.h"\n'}, "query must not include os"),
    "plan to search": ({"src/plan/a.h": OPENING + '#include "search/a.h"\n'}, "plan must not include search"),
    "output to query": ({"src/output/a.h": OPENING + '#include "query/a.h"\n'}, "output knows no queries"),
    "pick to search": ({"src/pick/a.h": OPENING + '#include "search/walker.h"\n'}, "pick knows what a search found"),
    "past the door": ({"src/cli/a.h": OPENING + '#include "pick/store.h"\n'}, "pick has one door"),
    "text to query": ({"src/text/a.cpp": OPENING + '#include "query/a.h"\n'}, "text must not include query"),
    "text to OS": ({"src/text/a.cpp": OPENING + "#include <unistd.h>\n"}, "knows no operating system"),
    "anything to cli": ({"src/os/a.cpp": OPENING + '  #  include "cli/a.h"\n'}, "os must not include cli"),
    "round the seam": ({"src/search/a.cpp": OPENING + '#include "os/linux/a.h"\n'}, "through its seam only"),
    "foreign bytes": ({"src/search/a.cpp": OPENING + '#include "os/formats/mount_tables.h"\n'}, "through its seam only"),
    "platforms": ({"src/os/linux/a.cpp": OPENING + '#include "os/darwin/a.h"\n'}, "os/linux must not include os/darwin"),
    "portable to one": ({"src/os/posix/a.cpp": OPENING + '#include "os/linux/a.h"\n'},
                        "os/posix must not include os/linux"),
    "seam": ({"src/os/a.h": OPENING + '#include "os/posix/a.h"\n'}, "knows nothing of what is behind it"),
    "decoder to OS": ({"src/os/formats/a.cpp": OPENING + "#include <unistd.h>\n"}, "os/formats knows no operating"),
    "no such room": ({"src/cli/a.cpp": OPENING + '#include "util/a.h"\n'}, "no room of src/"),
    "new room": ({"src/util/a.cpp": OPENING}, "a room that the map does not know"),
    "public to private": ({"include/ffind/a.h": OPENING + '#include "query/a.h"\n'}, "only each other"),
    "public to OS": ({"include/ffind/a.h": OPENING + "#include <sys/stat.h>\n"}, "standard C++ only"),
    "public to RE2": ({"include/ffind/a.h": OPENING + "#include <re2/re2.h>\n",
                       "src/query/patterns/regex.cpp": OPENING}, "standard C++ only"),
    "pure to OS": ({"src/plan/a.cpp": OPENING + "#include <unistd.h>\n"}, "knows no operating system"),
    "condition": ({"src/os/formats/a.cpp": OPENING + "#if defined(X)\n#endif\n"}, "conditional compilation"),
    "condition in the annex": ({"src/os/ext/a.cpp": OPENING + "#ifdef X\n#endif\n"}, "conditional compilation"),
    "condition in a header": ({"src/os/linux/a.h": OPENING + "#ifndef X\n#endif\n"}, "conditional compilation"),
    "CLI11 twice": ({"src/cli/zoo.cpp": OPENING + "#include <CLI/App.hpp>\n"}, "CLI11 is included by one file"),
    "RE2 twice": ({"src/query/language/zoo.cpp": OPENING + "#include <re2/set.h>\n"}, "RE2 is included by one file"),
    "utf8proc twice": ({"src/query/a.cpp": OPENING + "#include <utf8proc.h>\n",
                        "src/query/b.cpp": OPENING + "#include <utf8proc.h>\n"}, "utf8proc is included by one"),
    "circle": ({"src/plan/a.h": OPENING + '#include "plan/b.h"\n',
                "src/plan/b.h": OPENING + '#include <string>\n#include "plan/a.h"\n'},
               "src/plan/a.h:1: a circle of includes: plan/a.h, plan/b.h, plan/a.h"),
    "global": ({"src/cli/a.cpp": OPENING + "int calls = 0;\n"}, "global variable"),
    "static global": ({"src/cli/a.cpp": OPENING + "static std::vector<std::string> names;\n"}, "global variable"),
    "braced global": ({"src/cli/a.cpp": OPENING + "std::map<int, Name> names{{1, {}}};\n"}, "global variable"),
    "link": ({"src/plan/CMakeLists.txt": "ffind_room(plan LINKS ffind_query ffind_os)\n"}, "plan must not link os"),
    "type twice": ({"src/output/a.h": OPENING + "namespace ffind::output {\nstruct Row {\n};\n}  // namespace ffind::output\n"},
                   "src/output/row.h:4: ffind::output::Row is defined in src/output/a.h too"),
    "type and alias": ({"src/output/a.cpp": OPENING + "namespace ffind::output {\nclass Rows final\n    : public A {\n};\n"
                        "}  // namespace ffind::output\n"}, "ffind::output::Rows is defined in src/output/a.cpp too"),
    "type in a test": ({"tests/unit/a_test.cpp": OPENING + "namespace ffind::plan {\nenum Cell : char { a, b };\n"
                        "}  // namespace ffind::plan\n"}, "ffind::plan::Cell is defined in src/plan/row.h too"),
    "another room's namespace": ({"src/plan/a.cpp": OPENING + "namespace ffind::query {\n}  // namespace ffind::query\n"},
                                 "src/plan/a.cpp:3: ffind::query is not the namespace of this room, ffind::plan"),
    "no room's namespace": ({"src/plan/a.h": OPENING + "namespace ffind {\n}  // namespace ffind\n"},
                            "ffind is not the namespace of this room, ffind::plan"),
    "top level": ({"notes.txt": ""}, "the top level holds"),
    "path in the map": ({".github/CONTRIBUTING.md": MAP + "`src/a.h`\n"}, "there is no src/a.h"),
    "room that the map lacks": ({".github/CONTRIBUTING.md": MAP.replace("| `src/os/` |", "")},
                                "the map has no row for src/os/"),
    "private header": ({"src/plan/private.h": OPENING, "src/plan/plan.cpp": OPENING + '#include "plan/private.h"\n'},
                       "src/plan/private.h:1: only src/plan/plan.cpp includes it"),
    "header of its own file": ({"src/plan/private.h": OPENING, "src/plan/private.cpp": OPENING + '#include "plan/private.h"\n'},
                               "src/plan/private.h:1: only its own file includes it"),
    "file that is gone": ({"src/plan/a.cpp": OPENING + "int f();  // as in plan/row.h and plan/gone.h\n"},
                          "src/plan/a.cpp:3: there is no plan/gone.h"),
}


def self_test():
    failed = 0
    for name, (files, expected) in {"good": ({}, None), **BAD}.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            # A test includes each header, but for those that are to be found private.
            headers = [x[4:] for x in {**GOOD, **files} if x.startswith("src/") and x.endswith("h") and "private" not in x]
            test = "".join(f'#include "{x}"\n' for x in headers)
            for path, text in {**GOOD, **files, "tests/fakes/all.cpp": test}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            told = [f"{path}:{line}: {what}" for path, line, what in check(root)]
        good = not told if expected is None else len(told) == 1 and expected in told[0]
        if not good:
            failed += 1
            print(f"{name}: expected {expected or 'nothing'}, was told {told or 'nothing'}")
    print(f"{len(BAD) + 1 - failed} of {len(BAD) + 1} trees judged rightly")
    return failed


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    violations = list(check(root))
    for path, line, what in violations:
        print(f"{path}:{line}: {what}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
