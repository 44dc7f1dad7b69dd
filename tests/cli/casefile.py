# SPDX-License-Identifier: MIT
"""A case file as values: parsing, the notation of its bytes, and the verdict on what a command gave.

Pure text and bytes; run.py does the running and describes the format at its top.
"""
import difflib
import itertools
import json
import pathlib
import re
import signal

SECTION = re.compile(r"^\[(setup|run|stdout|stderr|status)\](.*)$")
HEADERS = {"matrix", "sorted", "nul", "json", "paint", "pty", "as", "mount", "timeout", "needs", "ways"}
WAYS = ("bulk", "fts", "catalog")  # to read directories, beside the one that macOS would take
ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|.|$)", re.S)
NAMED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"e": b"\x1b", b"0": b"\0", b"\\": b"\\"}
SHORT = {value.decode(): "\\" + key.decode() for key, value in NAMED.items()}


class BadCase(Exception):
    """The case file itself is wrong."""


class Case:
    """One parsed case file: headers, the lines of each section, and where it came from."""

    def __init__(self, path, text=None):
        """Reads the file, unless its text is handed in."""
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        self.headers, self.sections, self.head = {}, {}, []
        section = None
        for number, line in enumerate((text or self.path.read_text(encoding="utf-8")).split("\n"), 1):
            match = SECTION.match(line)
            if match:
                section = match.group(1)
                if section in self.sections:
                    raise BadCase(f"{path}:{number}: second [{section}]")
                inline = match.group(2).strip()
                self.sections[section] = [inline] if inline else []
            elif section:
                self.sections[section].append(line)
            else:
                self.head.append(line)
                self._header(line, number)
        if not self.head or not self.head[0].startswith("# "):
            raise BadCase(f"{path}: the first line must say what the case promises: `# ...`")
        if not self.text("run").strip():
            raise BadCase(f"{path}: no [run]")
        self.promise = self.head[0][2:]

    def _header(self, line, number):
        if not line.strip() or line.startswith("#"):
            return
        key, colon, value = line.partition(":")
        if not colon or key not in HEADERS:
            raise BadCase(f"{self.path}:{number}: neither a header nor a section: {line}")
        self.headers[key] = value.strip()
        if key == "ways" and not set(value.split()) <= {*WAYS, "none"}:
            raise BadCase(f"{self.path}:{number}: ways are {', '.join(WAYS)} or none: {line}")

    def text(self, section):
        return "\n".join(self.sections.get(section, [])).strip("\n")

    def lines(self, section):
        return [line for line in self.text(section).split("\n") if line]

    def header(self, key):
        """The value of a header; None when it is absent or `no`."""
        value = self.headers.get(key, "no")
        return None if value == "no" else value

    def differs_by(self, way):
        """Whether reading directories in that way could give another result than without it; with `any` or
        `none`, whether any or none could."""
        in_tmux = "tmux" in self.headers.get("needs", "").split()
        ways = self.headers.get("ways", "none" if in_tmux else " ".join(WAYS))
        if way in ("any", "none"):
            return (way == "none") == (ways == "none")
        if re.search(r"--(reader|method)\b", self.text("setup") + self.text("run")):
            return False  # it has tried all of them itself
        return way in ways.split()

    @property
    def in_order(self):
        return self.headers.get("sorted") == "no"

    def combinations(self):
        axes = [axis.split("=", 1) for axis in self.headers.get("matrix", "").split()]
        for values in itertools.product(*(values.split(",") for _, values in axes)):
            yield {name: value.replace("␣", " ") for (name, _), value in zip(axes, values)}


def substitute(text, values, quote=str):
    for name, value in values.items():
        text = text.replace("{" + name + "}", quote(value))
    return text


# -- notation ------------------------------------------------------------------------------------------

def decode(line):
    """One line of expected text -> its bytes."""
    def unescape(match):
        code = match.group(1)
        if code in NAMED:
            return NAMED[code]
        if len(code) == 3:
            return bytes([int(code[1:], 16)])
        raise BadCase(f"unknown escape in expected text: {line}")
    return ESCAPE.sub(unescape, line.encode())


def encode(data):
    """Bytes -> the same notation, on one line."""
    def one(char):
        if char in SHORT:
            return SHORT[char]
        if char.isprintable():
            return char
        return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
    return "".join(map(one, data.decode("utf-8", "surrogateescape")))


def encode_lines(data):
    """Bytes -> a list of lines in the notation; a last line without its newline ends in a backslash."""
    *lines, tail = data.split(b"\n")
    return [encode(line) for line in lines] + ([encode(tail) + "\\"] if tail else [])


# -- views: the form in which output is compared -------------------------------------------------------

def painted(data):
    """Colour sequences as <01;34>text</>, so that neither their order nor their grouping matters."""
    out, style, shown = bytearray(), [], []
    for piece in re.split(rb"(\x1b\[[0-9;]*[mK]|\n)", data):
        sequence = re.fullmatch(rb"\x1b\[([0-9;]*)m", piece)
        if sequence:
            for code in sequence.group(1).split(b";"):
                style = style + [code.lstrip(b"0")] if code.strip(b"0") else []
        elif piece and piece != b"\x1b[K":
            if style != shown:
                out += (b"</>" if shown else b"") + (b"<" + b";".join(style) + b">" if style else b"")
                shown = list(style)
            out += piece
    return bytes(out) + (b"</>" if shown else b"") + (b"<unended>" if style else b"")


def plain(data):
    """Without colour sequences."""
    return re.sub(rb"\x1b\[[0-9;]*m", b"", data)


def canonical_json(line):
    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)
    try:
        value = json.loads(line, object_pairs_hook=once)
    except ValueError as error:
        return f"INVALID JSON ({error}): {line}"
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def view(case, data):
    """What a command printed -> a list of records in the notation."""
    if case.header("paint"):
        data = painted(data)
    end = b"\0" if case.header("nul") else b"\n"
    *records, tail = data.split(end)
    if case.header("json"):
        shown = [canonical_json(record.decode("utf-8", "backslashreplace")) for record in records]
    else:
        shown = [encode(record) for record in records]
    if tail:
        shown.append(encode(tail) + "\\")
    return arranged(case, shown)


def arranged(case, records):
    """Sorted unless the case wants the order; a record `--` keeps apart what is before and after it."""
    if case.in_order:
        return records
    blocks = [[]]
    for record in records:
        if record == "--":
            blocks[-1].sort()
            blocks += [[record], []]
        else:
            blocks[-1].append(record)
    blocks[-1].sort()
    return [record for block in blocks for record in block]


def expected_view(case, values):
    """The [stdout] section -> the list of records that view() should give."""
    lines = substitute(case.text("stdout"), values).split("\n") if case.text("stdout") else []
    if case.header("json"):
        shown = [canonical_json(line) for line in lines]
    else:
        data = bytearray()
        end = b"\0" if case.header("nul") else b"\n"
        for line in lines:
            open_end = len(re.search(r"\\*$", line).group()) % 2 == 1
            data += decode(line[:-1]) if open_end else decode(line) + end
        *records, tail = bytes(data).split(end)
        shown = [encode(record) for record in records] + ([encode(tail) + "\\"] if tail else [])
    return arranged(case, shown)


# -- verdict -------------------------------------------------------------------------------------------

def judge(case, values, out, err, code):
    """The list of lines that say what is wrong; empty when the case holds."""
    problems = []
    expected, shown = expected_view(case, values), view(case, out)
    if expected != shown:
        problems.append("standard output differs:")
        problems += difflib.unified_diff(expected, shown, "expected", "got", lineterm="")
    patterns = [substitute(line, values, re.escape) for line in case.lines("stderr")]
    problems += judge_stderr(patterns, encode_lines(err))
    wanted = case.text("status") or "0"
    if not status_matches(wanted, code):
        problems.append(f"status: expected {wanted}, got {status_text(code)}")
    return problems


def judge_stderr(patterns, lines):
    lenient = "..." in patterns
    patterns = [pattern for pattern in patterns if pattern != "..."]
    problems = [f"standard error: no line matches: {pattern}" for pattern in patterns
                if not any(re.fullmatch(pattern, line) for line in lines)]
    strangers = [line for line in lines if not any(re.fullmatch(pattern, line) for pattern in patterns)]
    if problems or not lenient:
        problems += [f"standard error: unexpected: {line}" for line in strangers]
    return problems


def status_matches(wanted, code):
    """`code` is as subprocess tells it: negative for a signal, None when time ran out."""
    if code is None:
        return False
    if wanted.startswith("signal "):
        return code == -getattr(signal, "SIG" + wanted.split()[1])
    return int(wanted) == (code if code >= 0 else 128 - code)


def status_text(code):
    if code is None:
        return "none, the time ran out"
    return f"signal {signal.Signals(-code).name[3:]}" if code < 0 else str(code)


def updated(case, values, out, err, code):
    """The text of the case file with what the command gave as its expectation."""
    cwd = values["cwd"]
    patterns = [substitute(line, values, re.escape) for line in case.lines("stderr")]
    messages = encode_lines(err)
    lines = list(case.head)
    for section in ("setup", "run"):
        if case.text(section):
            lines += [f"[{section}]", *case.text(section).split("\n")]
    if view(case, out):
        lines += ["[stdout]", *(line.replace(cwd, "{cwd}") for line in view(case, out))]
    if not judge_stderr(patterns, messages):
        lines += ["[stderr]", *case.lines("stderr")] if patterns else []
    elif messages:
        lines += ["[stderr]", *(re.escape(line).replace(re.escape(cwd), "{cwd}") for line in messages)]
    if code:
        kept = case.text("status") if status_matches(case.text("status") or "0", code) else status_text(code)
        lines.append(f"[status] {kept}")
    return "\n".join(lines) + "\n"
