"""Tables on terminals of any width: nothing that fits is broken, nothing is left out."""

from __future__ import annotations

import io
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from wildtrace.report.drawing import Drawn, draw

LEADERBOARD = Drawn(
    headers=("model", "rank", "document 95 % interval", "scored n", "cap source"),
    rows=(("lexical-reader", "1", "[18.9, 56.1]", "21", "config"), ("模型二", "2", "[5.6, 25.0]", "1,234", "table")),
    numeric=(False, True, True, True, False),
    title="Leaderboard",
)


def cells(text: str) -> list[str]:
    """What stands between the borders, without spaces around it."""
    return [cell.strip() for line in text.split("\n") if "│" in line for cell in line.strip("│").split("│")]


def test_a_table_that_fits_is_drawn_once() -> None:
    """A title, a header line, a line a row, the notes."""
    text = draw(LEADERBOARD, 120, ["n = 2."])
    assert 1 == text.count("model")
    assert "document 95 % interval" in text
    assert text.startswith("Leaderboard\n")
    assert text.endswith("n = 2.\n")


def test_headers_break_before_parts_are_made() -> None:
    """Between words, and only those for which there is no room."""
    text = draw(LEADERBOARD, 64)
    assert 1 == text.count("model")
    assert "document 95 % interval" not in text
    assert "┃ model          ┃ rank ┃" in text


def test_a_table_that_is_too_wide_is_drawn_in_parts() -> None:
    """Each begins with the first column; the title stands once."""
    text = draw(LEADERBOARD, 48)
    assert 2 == text.count("model")
    assert 2 == text.count("lexical-reader")
    assert 1 == text.count("Leaderboard")


NAMES = st.sampled_from(["a", "lexical-reader", "documents they share", "老残游记", "[+13.2, +45.9]", "x" * 30, ""])


@given(
    headers=st.lists(NAMES, min_size=1, max_size=9),
    rows=st.lists(st.lists(NAMES, min_size=9, max_size=9), max_size=4),
    width=st.integers(72, 160),
)
def test_no_cell_is_broken_and_no_line_is_too_wide(headers: list[str], rows: list[list[str]], width: int) -> None:
    """Where two of the widest columns fit, every cell stands whole in the drawing, every word of a header too."""
    count = len(headers)
    made = tuple(tuple(row[:count]) for row in rows)
    text = draw(Drawn(tuple(headers), made, (False,) * count), width)
    assert all(cell_len(line) <= width for line in text.split("\n"))
    assert {cell for row in made for cell in row} <= set(cells(text))
    assert {word for header in headers for word in header.split()} <= set(re.split(r"[\s┃]+", text))


def test_a_name_wider_than_the_terminal_is_cut_into_lines() -> None:
    """Nothing of it is lost."""
    text = draw(Drawn(("model", "score"), (("n" * 70, "1.0"),), (False, True)), 40)
    assert all(cell_len(line) <= 40 for line in text.split("\n"))
    assert 70 == sum(cell.count("n") for cell in cells(text))
    assert "1.0" in cells(text)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_line_ends_with_spaces(width: int) -> None:
    """What is copied from a terminal has none."""
    assert all(line == line.rstrip() for line in draw(LEADERBOARD, width, ["A note."]).split("\n"))


@pytest.mark.parametrize(("charset", "border"), [("ascii", "|"), ("cp1252", "|"), ("utf-8", "│"), ("gb18030", "│")])
def test_borders_are_of_the_outputs_charset(monkeypatch: pytest.MonkeyPatch, charset: str, border: str) -> None:
    """No escapes where lines should be; the widths are the same."""
    wide = max(map(cell_len, draw(LEADERBOARD, 80).split("\n")))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=charset))
    text = draw(LEADERBOARD, 80)
    assert border in text
    assert wide == max(map(cell_len, text.split("\n")))
