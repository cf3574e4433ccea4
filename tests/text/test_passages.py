"""Windows around clues."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.passages import clue_window, merged


def test_a_window_is_the_clues_paragraph_and_a_margin() -> None:
    """Paragraphs end at blank lines, or at line ends where there are none; the text's ends are ends."""
    text = "one\n\ntwo two\ntwo\n\nthree"
    place = text.index("two\n")
    assert "two two\ntwo" == text[slice(*clue_window(text, place, place + 3, 0))]
    assert "e\n\ntwo two\ntwo\n\nt" == text[slice(*clue_window(text, place, place + 3, 3))]
    assert (0, len(text)) == clue_window(text, place, place + 3)
    assert "二二" == "一\n二二\n三"[slice(*clue_window("一\n二二\n三", 2, 3, 0))]


@given(st.text(st.sampled_from("a水\n"), min_size=1, max_size=60), st.data())
def test_a_window_holds_its_clue(text: str, data: st.DataObject) -> None:
    """Wherever it stands, and never leaves the text."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = clue_window(text, start, end, data.draw(st.integers(0, 5)))
    assert 0 <= first <= start < end <= last <= len(text)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 10)).map(lambda pair: (pair[0], sum(pair)))))
def test_merged_windows_cover_the_same_places_apart(windows: list[tuple[int, int]]) -> None:
    """As sets of offsets; in order, and with a gap between each two."""
    joined = merged(windows)
    assert {at for start, end in windows for at in range(start, end)} == {
        at for start, end in joined for at in range(start, end)
    }
    assert all(left[1] < right[0] for left, right in pairwise(joined))
