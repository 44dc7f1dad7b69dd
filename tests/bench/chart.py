# SPDX-License-Identifier: MIT
"""Draws bars: small panels side by side, each with its own scale from zero, as one SVG.

Called by page.py, which knows what the bars mean. Plain text, so that it reads well in a diff; its
colours follow the reader's light or dark mode.
"""

from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH = 832
MARGIN = 28
COLUMNS = 2
GUTTER = 40
ROW = 24  # from bar to bar
BAR = 14
HEAD = 50  # of a panel: two lines of text
LABELS = 46
VALUES = 74  # behind the longest bar
FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

STYLE = """
.ground{fill:#fff;stroke:#d5d9e0}text{fill:#1f2430}.faint{fill:#667085}
.bar{fill:#b4bcc9}.ours{fill:#2166d1}.axis{stroke:#d5d9e0}
.strong{font-weight:600}.ours-text{font-weight:600;fill:#1a56b4}
@media(prefers-color-scheme:dark){.ground{fill:#1a1d27;stroke:#3a4056}text{fill:#d5dae6}
.faint{fill:#98a2b8}.bar{fill:#565f76}.ours{fill:#5b9bf3}.axis{stroke:#3a4056}.ours-text{fill:#8fbcf8}}
"""


@dataclass(frozen=True)
class Bar:
    label: str
    value: float
    shown: str
    ours: bool


@dataclass(frozen=True)
class Panel:
    title: str
    subtitle: str
    bars: list[Bar]


def text(x: float, y: float, words: str, kind: str = "", size: int = 13, anchor: str = "") -> str:
    more = f' class="{kind}"' if kind else ""
    more += f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}"{more}>{escape(words)}</text>'


def draw_panel(panel: Panel, left: float, top: float, width: float) -> list[str]:
    lines = [
        text(left, top + 15, panel.title, "strong", 16),
        text(left, top + 34, panel.subtitle, "faint", 12),
    ]
    begin = left + LABELS
    most = max((bar.value for bar in panel.bars), default=0) or 1
    scale = (width - LABELS - VALUES) / most
    for number, bar in enumerate(panel.bars):
        y = top + HEAD + number * ROW
        ours = "ours-text" if bar.ours else ""
        length = max(bar.value * scale, 1)
        lines += [
            text(begin - 8, y + 11.5, bar.label, ours, anchor="end"),
            f'<rect x="{begin:g}" y="{y:g}" width="{length:.1f}" height="{BAR}" rx="2" '
            f'class="{"ours" if bar.ours else "bar"}"/>',
            text(round(begin + length + 7, 1), y + 11.5, bar.shown, ours, 12),
        ]
    bottom = top + HEAD + len(panel.bars) * ROW - (ROW - BAR) + 3
    lines.append(f'<path d="M{begin:g} {top + HEAD - 3:g}V{bottom:g}" class="axis"/>')
    return lines


def draw(panels: list[Panel], title: str, footer: list[str]) -> str:
    """The whole picture; `title` is also what it says to those who cannot see it."""
    width = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GUTTER) / COLUMNS
    lines = [text(MARGIN, MARGIN + 16, title, "strong", 18)]
    top = MARGIN + 42
    for begin in range(0, len(panels), COLUMNS):
        row = panels[begin : begin + COLUMNS]
        for column, panel in enumerate(row):
            lines += draw_panel(panel, MARGIN + column * (width + GUTTER), top, width)
        top += HEAD + max(len(panel.bars) for panel in row) * ROW + 16
    for words in footer:
        lines.append(text(MARGIN, top + 6, words, "faint", 12))
        top += 18
    height = top + MARGIN - 14
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}" role="img" aria-labelledby="title" '
        f'font-family="{FONTS}">',
        f'<title id="title">{escape(title)}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="ground" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1:g}" rx="10"/>',
        *lines,
        "</svg>",
        "",
    ])
