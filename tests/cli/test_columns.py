"""Text in columns: Chinese characters take two, lines end where they may."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from wildtrace.cli.columns import columns, first_columns, last_columns, padded, wrapped

TEXTS = st.text(alphabet="ab cd漏，。“”（）é🙂\n", max_size=60)


def test_padding_counts_columns() -> None:
    """A wide character is two; what is longer stays as it is."""
    assert ["causal  ", "因果    ", "    因果"] == [
        padded("causal", 8),
        padded("因果", 8),
        padded("因果", 8, right=True),
    ]
    assert "因果图谱" == padded("因果图谱", 4)


def test_lines_break_between_words_and_between_wide_characters() -> None:
    """By hand, both scripts in one text."""
    assert ["The pump", "failed at", "noon."] == wrapped("The pump failed  at\nnoon.", 9)
    assert ["老残仔细", "一看，原", "来就是"] == wrapped("老残仔细一看，原来就是", 8)


def test_no_line_begins_with_closing_punctuation() -> None:
    """A comma goes to the next line with its character, an opening quote with the word after it."""
    assert ["老残仔", "细，看"] == wrapped("老残仔细，看", 7)
    assert ["问道：", "“何处"] == wrapped("问道：“何处", 7)


def test_a_word_longer_than_a_line_is_cut() -> None:
    """It begins a line of its own."""
    assert ["see", "abcde", "fghij", "k end"] == wrapped("see abcdefghijk end", 5)


@given(text=TEXTS, width=st.integers(6, 30))
def test_no_line_is_too_wide_and_no_word_is_lost(text: str, width: int) -> None:
    """All that is not white space stands in the lines, in order."""
    lines = wrapped(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(text.split()) == "".join("".join(lines).split())


@given(text=TEXTS, width=st.integers(6, 30))
def test_ends_fit_their_columns(text: str, width: int) -> None:
    """The most of a text that fits, from either end."""
    first, last = first_columns(text, width), last_columns(text, width)
    assert text.startswith(first)
    assert text.endswith(last)
    assert max(cell_len(first), cell_len(last)) <= width
    assert first == last == text or min(cell_len(first), cell_len(last)) >= width - 1


@pytest.mark.parametrize(("set_to", "expected"), [("80", 80), ("10", 40), ("500", 120)])
def test_the_terminals_width_is_kept_readable(monkeypatch: pytest.MonkeyPatch, set_to: str, expected: int) -> None:
    """Neither a sliver nor a line across the whole screen."""
    monkeypatch.setenv("COLUMNS", set_to)
    assert expected == columns()
