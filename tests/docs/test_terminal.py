# SPDX-License-Identifier: MIT
"""What terminal.py makes of bytes: ctest's `terminal-self-test`. It must show what a terminal would, or stop."""
import pathlib
import sys
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import terminal  # noqa: E402


def shown(data, columns=10):
    """The rows as text, without their colours."""
    return ["".join(text for text, _ in row) for row in terminal.interpret(data, columns)]


def styles(data):
    return [style for _, style in terminal.interpret(data, 80)[0]]


class Interpreting(unittest.TestCase):
    def test_lines_end_and_begin_where_a_terminal_ends_and_begins_them(self):
        self.assertEqual(shown(b"one\r\ntwo\r\n"), ["one", "two"])
        self.assertEqual(shown(b"one\rtw"), ["twe"])
        self.assertEqual(shown(b"\r\n\r\nx"), ["", "", "x"])

    def test_what_is_wider_than_the_terminal_wraps(self):
        self.assertEqual(shown(b"abcdef", 4), ["abcd", "ef"])
        self.assertEqual(shown("abc漢".encode(), 4), ["abc", "漢"])

    def test_tabs_stop_at_every_eighth_column(self):
        self.assertEqual(shown(b"ab\tc"), ["ab      c"])

    def test_letters_take_the_cells_that_they_take(self):
        row = terminal.interpret("e\u0301漢x".encode(), 10)[0]
        self.assertEqual([text for text, _ in row], ["e\u0301", "漢", "", "x"])

    def test_colours_add_up_until_they_are_reset(self):
        Style = terminal.Style
        self.assertEqual(styles(b"a\x1b[01;34mb\x1b[35mc\x1b[22md\x1b[2me\x1b[39mf\x1b[0mg\x1b[31mh\x1b[mi\x1b[4mj\x1b[0m"),
                         [Style(), Style(34, True), Style(35, True), Style(35), Style(35, faint=True),
                          Style(faint=True), Style(), Style(31), Style(), Style(underlined=True)])

    def test_links_are_no_text(self):
        self.assertEqual(shown(b"\x1b]8;;file://h/a\x1b\\a\x1b]8;;\x1b\\b"), ["ab"])

    def test_what_it_does_not_know_stops_it(self):
        for data in (b"\x1b[5m", b"\x1b[2J", b"\x07", b"\x1b[1A", b"\xff"):
            with self.subTest(data), self.assertRaises(ValueError):
                shown(data)


class Drawing(unittest.TestCase):
    def drawn(self, data):
        rows = terminal.interpret(data, 10)
        return xml.etree.ElementTree.fromstring(terminal.draw(rows, 10, "<title>", "a & b"))

    def test_each_letter_has_a_place_of_its_own_and_the_text_can_be_read(self):
        spans = list(self.drawn(b"a <\x1b[31m&b").iter("{http://www.w3.org/2000/svg}tspan"))
        self.assertEqual([(span.text, span.get("x"), span.get("class")) for span in spans],
                         [("a <", "20 29 38", None), ("&b", "47 56", "c31")])

    def test_blank_lines_take_room_and_trailing_blanks_none(self):
        rows = [text.get("y") for text in self.drawn(b"a  \n\nb").iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(rows[1:], ["73", "113"])

    def test_without_animation_the_last_frame_is_visible(self):
        frames = [terminal.interpret(data, 10) for data in (b"a", b"b", b"c")]
        drawn = xml.etree.ElementTree.fromstring(terminal.draw_frames(frames, 10, "t", "d", 2))
        groups = list(drawn.iter("{http://www.w3.org/2000/svg}g"))
        self.assertEqual([group.get("visibility") for group in groups], ["hidden", "hidden", None])
        self.assertNotIn("visibility:hidden;", drawn.find("{http://www.w3.org/2000/svg}style").text)


if __name__ == "__main__":
    unittest.main()
