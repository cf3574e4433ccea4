"""Windows: exact slices that cover the text, overlap by a fixed length, and end where the text pauses."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wildtrace.construct.segment import LONGEST, OVERLAP, SHORTEST, segment
from wildtrace.types import Window

# Long texts from few choices: a unit repeated up to a length, so that every kind of break and none can occur.
UNITS = [
    "a",
    "word ",
    "A sentence. ",
    "A line.\n",
    "Wrapped\nline ",
    "Paragraph.\n\n",
    "句子。",
    "　　段落。\n",
    "e\u0301",
    "\u0301",
]
TEXTS = st.builds(
    lambda units, length: ("".join(units) * (length // max(1, len("".join(units))) + 1))[:length],
    st.lists(st.sampled_from([*UNITS, "\U00020000"]), min_size=1, max_size=6),
    st.integers(0, 90_000),
)


def windows(text: str) -> list[Window]:
    """The windows of a text."""
    return list(segment(text, "source", "L0"))


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_windows_cover_the_text_with_a_fixed_overlap(text: str) -> None:
    """The first begins at 0, the last ends at the end, each begins exactly the overlap before its predecessor's end."""
    found = windows(text)
    assert bool(text) == bool(found)
    if found:
        assert (0, len(text)) == (found[0].start, found[-1].end)
    for before, after in pairwise(found):
        assert before.end - OVERLAP == after.start
        assert SHORTEST <= before.end - before.start <= LONGEST
    for window in found:
        assert window.end - window.start <= LONGEST
        assert text[window.start : window.end] == window.text_in(text)
        assert window.position == pytest.approx(window.start / len(text), abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.data())
def test_a_passage_within_the_overlap_lies_whole_in_a_window(text: str, data: st.DataObject) -> None:
    """Wherever a passage of up to the overlap's length stands, one window has all of it."""
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + OVERLAP)))
    assert any(window.start <= start and end <= window.end for window in windows(text))


@pytest.mark.parametrize(
    ("filler", "unit", "expected"),
    [
        ("Word word. ", "End of it.\n\nNext begins", "\n\n"),
        ("Word word. ", "End of it.\n    Next begins", "\n"),
        ("词语。", "段落终了。\n　　下一段", "\n"),
        ("word ", "End of it. Next begins", " "),
        ("词", "终了。”下一句", "”"),
    ],
)
def test_a_window_ends_at_the_best_pause(filler: str, unit: str, expected: str) -> None:
    """A paragraph end is preferred to a sentence end, a sentence end to a cut, in both languages."""
    head = (filler * LONGEST)[: LONGEST - 1200]
    text = head + unit + (filler.strip() * LONGEST)[:20_000]
    first = windows(text)[0]
    assert first.text_in(text).endswith(expected)
    assert len(head) < first.end < len(head) + len(unit)


def test_a_text_without_pauses_is_cut_but_never_within_a_letter() -> None:
    """One endless word is cut at the full length, or just before a letter whose marks follow, an emoji or a flag."""
    assert LONGEST == windows("x" * 60_000)[0].end
    text = "x" * (LONGEST - 1) + "e\u0301" + "x" * 30_000
    assert LONGEST - 1 == windows(text)[0].end
    for sign in ("👩\u200d👩\u200d👧\u200d👦", "🇫🇷", "👍🏽", "✌\ufe0f", "कि"):
        for shift in range(len(sign)):
            text = "x" * shift + sign * 40_000
            assert all((window.end - shift) % len(sign) == 0 for window in windows(text)[:-1])
    marks = "x" + "\u0301" * 60_000
    assert LONGEST == windows(marks)[0].end


def test_windows_are_deterministic_and_named_by_what_they_are() -> None:
    """The same text gives the same windows and ids; another source other ids; no two windows share one."""
    text = "A sentence. " * 10_000
    assert windows(text) == windows(text)
    ids = {window.id for window in windows(text)}
    assert len(windows(text)) == len(ids)
    assert ids.isdisjoint(window.id for window in segment(text, "other", "L0"))


def test_no_window_is_without_extent() -> None:
    """An empty text has no windows, a one-letter text has one."""
    assert [] == windows("")
    assert [(0, 1)] == [(window.start, window.end) for window in windows("x")]
    with pytest.raises(ValueError, match="half-open"):
        Window("id", "source", 5, 5, 0.0, "L0")


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
@pytest.mark.parametrize(
    ("file", "count"), [("zh_wu_jianren_jiuming_qiyuan_oneline.txt", 6), ("en_wood_johnny_ludlow_series_1-6.txt", 250)]
)
def test_one_line_books_and_long_books_are_cut_at_sentences(file: str, count: int) -> None:
    """Of a book on one line and one of 5.6 million characters, each window ends where a paragraph or sentence does."""
    text = (Path(os.environ["WILDTRACE_CORPUS"]) / file).read_text(encoding="utf-8")
    found = windows(text)
    assert count == pytest.approx(len(found), abs=count // 20 + 1)
    for window in found[:-1]:
        slice_ = window.text_in(text)
        assert slice_.endswith("\n\n") or slice_.rstrip()[-1] in ".!?。！？…”』」\"'’)"
