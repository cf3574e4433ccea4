"""Tables on terminals of any width: nothing that fits is broken, nothing is left out."""

from __future__ import annotations

import io
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from wildtrace.tables.drawing import Drawn, draw

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


NAMES_OF_MODELS = ("mr.claude-sonnet-4-6-20260217-long-context", "通义千问三点五增强版长上下文思考模型二零二六")
COMPARED = Drawn(
    headers=("model", "documents they share", "first − second"),
    rows=tuple((name, "12", "[+13.2, +45.9]") for name in NAMES_OF_MODELS),
    numeric=(False, True, True),
    title="Paired",
)


@pytest.mark.parametrize("width", range(44, 64))
def test_a_name_that_fits_alone_is_whole_at_any_width(width: int) -> None:
    """Beside its values or above them: in a table where there is room for two columns, else in a list."""
    text = draw(COMPARED, width, ["A note."])
    assert all(cell_len(line) <= width for line in text.split("\n"))
    assert all(name in text for name in NAMES_OF_MODELS)
    assert 2 == text.count("[+13.2, +45.9]")
    assert text.startswith("Paired\n")
    assert text.endswith("A note.\n")


def test_a_list_says_what_the_table_says() -> None:
    """Each cell behind its header, or below it where both are too long; a line where the table has one."""
    rows = (("qwen3.5-plus-2026", "1.0", "a b"), ("千问", "2", "c"), ("y", "3", ""))
    table = Drawn(("model", "mean of all documents", ""), rows, (False, True, False), title="T", line_after=1)
    assert (
        "T\nmodel:\n qwen3.5-plus-2026\n  mean of all\ndocuments:\n    1.0\n  a b\n\n"
        "model: 千问\n  mean of all\ndocuments:\n    2\n  c\n──────────────────\n"
        "model: y\n  mean of all\ndocuments:\n    3\n\n"
    ) == draw(table, 18)


@given(
    headers=st.lists(NAMES, min_size=1, max_size=5),
    rows=st.lists(st.lists(NAMES, min_size=5, max_size=5), max_size=4),
    width=st.integers(30, 72),
)
def test_no_cell_that_fits_is_broken(headers: list[str], rows: list[list[str]], width: int) -> None:
    """However narrow the terminal is; no line is too wide."""
    made = tuple(tuple(row[: len(headers)]) for row in rows)
    text = draw(Drawn(tuple(headers), made, (False,) * len(headers)), width)
    assert all(cell_len(line) <= width for line in text.split("\n"))
    assert all(cell in text for row in made for cell in row)


def test_a_name_wider_than_the_terminal_is_cut_into_lines() -> None:
    """Nothing of it is lost."""
    text = draw(Drawn(("model", "score"), (("n" * 70, "1.0"),), (False, True)), 40)
    assert all(cell_len(line) <= 40 for line in text.split("\n"))
    assert 70 == text.count("n")
    assert "  score: 1.0\n" in text


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
