# SPDX-License-Identifier: MIT
"""A small terminal: what a program wrote to one, as rows of styled cells, and those as an SVG.

For picture.py, which records. Knows the text, line ends and colours that ffind and jq write; at any other
escape sequence it stops, so that nothing is drawn that a terminal would show otherwise. It must not know what
was run."""
import dataclasses
import re
import typing
import unicodedata
from xml.sax.saxutils import escape

TAB = 8
# A cell of 9 x 20 at 15 px: monospaced fonts are 0.6 em wide, so whole numbers place every letter.
FONT_SIZE, CELL_WIDTH, CELL_HEIGHT = 15, 9, 20
MARGIN, BAR = 20, 40
FONTS = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
GROUND, BAR_GROUND, FRAME, TITLE = "#1a1d27", "#242836", "#3a4056", "#8b93a7"
TEXT, FAINT = "#d5dae6", "#808aa3"
# SGR 30 to 37 and 90 to 97, each at least 4.5 : 1 against the ground except black.
COLORS = {30: "#4a5166", 31: "#f47c88", 32: "#9ad17e", 33: "#e6c274", 34: "#74b0f7", 35: "#d39af0", 36: "#6fd3cf",
          37: "#d5dae6", 90: "#8b93a7", 91: "#ff98a2", 92: "#b5e59c", 93: "#f2d696", 94: "#9cc8ff", 95: "#e3b8fa",
          96: "#94e6e2", 97: "#ffffff"}
ESCAPES = re.compile(rb"\x1b\[([0-9;]*)m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[K")


@dataclasses.dataclass(frozen=True)
class Style:
    color: typing.Optional[int] = None  # Python 3.9 is macOS's
    bold: bool = False
    faint: bool = False
    underlined: bool = False
    reversed: bool = False

    def painted(self, codes):
        """This style after the SGR sequence with these codes."""
        style = self
        for code in (int(code or 0) for code in codes.split(";")):
            if code == 0:
                style = Style()
            elif code == 1:
                style = dataclasses.replace(style, bold=True)
            elif code == 2:
                style = dataclasses.replace(style, faint=True)
            elif code == 4:
                style = dataclasses.replace(style, underlined=True)
            elif code == 7:
                style = dataclasses.replace(style, reversed=True)
            elif code == 22:
                style = dataclasses.replace(style, bold=False, faint=False)
            elif code == 27:
                style = dataclasses.replace(style, reversed=False)
            elif code == 24:
                style = dataclasses.replace(style, underlined=False)
            elif code == 49:
                continue  # the ground, which is never another
            elif code == 39:
                style = dataclasses.replace(style, color=None)
            elif code in COLORS:
                style = dataclasses.replace(style, color=code)
            else:
                raise ValueError(f"SGR {codes!r} is not known to this terminal")
        return style


PLAIN = Style()


def width(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pieces(data):
    """The text and the styles in these bytes, in order."""
    at, style = 0, PLAIN
    for found in ESCAPES.finditer(data):
        yield data[at:found.start()].decode(), style
        if found[1] is not None:
            style = style.painted(found[1].decode())
        at = found.end()
    yield data[at:].decode(), style


def interpret(data, columns):
    """Rows of (text, style) cells; a combining letter stays in the cell of the one before it."""
    rows, column = [[]], 0
    for text, style in pieces(data):
        for character in text:
            cells = 1 if character in "\r\n\t" else width(character)
            if character == "\r":
                column = 0
            elif character == "\n":
                rows.append([])
            elif character == "\t":
                column = min((column // TAB + 1) * TAB, columns - 1)
            elif ord(character) < 32:
                raise ValueError(f"{character!r} is not known to this terminal")
            elif cells == 0:
                before, its_style = rows[-1][column - 1]
                rows[-1][column - 1] = (before + character, its_style)
            else:
                if column + cells > columns:
                    rows.append([])
                    column = 0
                row = rows[-1]
                row.extend([(" ", PLAIN)] * (column + cells - len(row)))
                row[column:column + cells] = [(character, style)] + [("", style)] * (cells - 1)
                column += cells
    return rows if rows[-1] else rows[:-1]


def span(x, cells, style):
    """The cells from column x on, each letter at its own place, so that no font can shift the next."""
    places = " ".join(str(MARGIN + (x + i) * CELL_WIDTH)
                      for i, (text, _) in enumerate(cells) for _ in text[:1])
    words = [f"c{style.color}"] if style.color else []
    words += ["b"] * style.bold + ["f"] * style.faint + ["u"] * style.underlined + ["r"] * style.reversed
    kind = f' class="{" ".join(words)}"' if words else ""
    return f'<tspan x="{places}"{kind}>{escape("".join(text for text, _ in cells))}</tspan>'


def line(number, row):
    while row and row[-1][0].isspace() and not row[-1][1].reversed:
        row = row[:-1]
    spans, start = [], 0
    for i in range(1, len(row) + 1):
        if i == len(row) or (row[i][1] != row[start][1] and row[i][0] != " "):
            spans.append(span(start, row[start:i], row[start][1]))
            start = i
    y = BAR + MARGIN + number * CELL_HEIGHT + FONT_SIZE - 2
    return bars(number, row) + (f'<text y="{y}">{"".join(spans)}</text>' if spans else "")


def bars(number, row):
    """What is behind the reversed cells."""
    places = [i for i, (_, style) in enumerate(row) if style.reversed]
    if not places:
        return ""
    return (f'<rect x="{MARGIN + places[0] * CELL_WIDTH}" y="{BAR + MARGIN + number * CELL_HEIGHT - 3}"'
            f' width="{(places[-1] + 1 - places[0]) * CELL_WIDTH}" height="{CELL_HEIGHT}" fill="{TEXT}"/>')


def draw(rows, columns, title, description):
    """An SVG of a window that shows these rows."""
    return draw_frames([rows], columns, title, description, 0)


def animation(count, seconds):
    """Style sheet for frames that are shown one after the other, each for so long. Without motion, because the
    renderer has none or the reader wants none, the attributes of the frames count: the last one is visible."""
    if count == 1:
        return ""
    return (f".frame{{animation:show {count * seconds}s step-end infinite}}"
            f"@keyframes show{{0%{{visibility:visible}}{100 / count:.4g}%{{visibility:hidden}}}}"
            "@media(prefers-reduced-motion:reduce){.frame{animation:none}}")


def draw_frames(frames, columns, title, description, seconds):
    """The same of a window that shows them one after the other, each for so many seconds."""
    wide = columns * CELL_WIDTH + 2 * MARGIN
    high = max(map(len, frames)) * CELL_HEIGHT + 2 * MARGIN + BAR
    styles = {style for rows in frames for row in rows for _, style in row}
    used = sorted({style.color for style in styles if style.color})
    lamps = "".join(f'<circle cx="{22 + 20 * i}" cy="{BAR // 2}" r="6" fill="{color}"/>'
                    for i, color in enumerate(("#f47c88", "#e6c274", "#9ad17e")))
    groups = []
    for number, rows in enumerate(frames):
        # The delays are negative, so that all animations run from the start and none shows what attributes say.
        animated = (f' class="frame" style="animation-delay:{(number - len(frames)) * seconds}s"'
                    if len(frames) > 1 else "")
        hidden = ' visibility="hidden"' if number + 1 < len(frames) else ""
        groups += [f'<g xml:space="preserve"{animated}{hidden}>', *filter(None, (line(y, row) for y, row in enumerate(rows))),
                   "</g>"]
    reverse = f".r{{fill:{GROUND}}}" if any(style.reversed for style in styles) else ""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
        f' role="img" aria-labelledby="title" font-family="{FONTS}" font-size="{FONT_SIZE}">',
        f'<title id="title">{escape(description)}</title>',
        f"<style>text{{fill:{TEXT};white-space:pre}}.b{{font-weight:600}}.f{{fill:{FAINT}}}"
        ".u{text-decoration:underline}"
        + "".join(f".c{color}{{fill:{COLORS[color]}}}" for color in used) + reverse
        + animation(len(frames), seconds) + "</style>",
        f'<rect x=".5" y=".5" width="{wide - 1}" height="{high - 1}" rx="10" fill="{GROUND}" stroke="{FRAME}"/>',
        f'<path d="M1 {BAR}V10.5A9.5 9.5 0 0 1 10.5 1H{wide - 10.5}A9.5 9.5 0 0 1 {wide - 1} 10.5V{BAR}z"'
        f' fill="{BAR_GROUND}"/>',
        lamps,
        f'<text x="{wide // 2}" y="{BAR // 2 + 5}" text-anchor="middle" font-size="13"'
        f' style="fill:{TITLE}">{escape(title)}</text>',
        *groups, "</svg>", ""])
