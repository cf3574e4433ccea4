"""Paragraphs and sentences with their offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.sentences import ends_at_lines, is_chinese, paragraphs, sentences, sentences_of


def split(text: str) -> list[str]:
    """The sentences of a text of one paragraph."""
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Lewis left. Dr. Knox stayed.", ["Mr. Lewis left.", "Dr. Knox stayed."]),
        ("It was 3.5 m. The ship sank.", ["It was 3.5 m.", "The ship sank."]),
        ('"Why?" he asked. "Go on."', ['"Why?" he asked.', '"Go on."']),
        ("At 11.40 p.m. The watch changed.", ["At 11.40 p.m.", "The watch changed."]),
        ("J. R. Smith came.", ["J. R. Smith came."]),
        ("他来了。“你好！”她说。", ["他来了。", "“你好！”", "她说。"]),
        ("何故？不知。", ["何故？", "不知。"]),
        ("", []),
    ],
)
def test_sentences_end_at_their_marks(text: str, expected: list[str]) -> None:
    """Titles, initials, decimals and a question inside a sentence end none; Chinese marks take their quotes along."""
    assert expected == split(text)


@given(st.text(alphabet=st.sampled_from(list('aB. !?"\n因。」Mr')), max_size=120))
def test_sentences_partition_all_but_white_space(text: str) -> None:
    """In any text: they stand in order, do not overlap, and leave out nothing but white space."""
    found = list(sentences(text))
    ends = [0, *(bound for pair in found for bound in pair), len(text)]
    assert sorted(ends) == ends
    outside = [text[end:start] for (_, end), (start, _) in zip([(0, 0), *found], [*found, (len(text), 0)], strict=True)]
    assert not "".join(outside).strip()


def test_blank_lines_end_paragraphs_where_there_are_any() -> None:
    """A hard-wrapped text keeps its wrapped lines together."""
    text = "One line\nand its rest.\n\nTwo."
    assert ["One line\nand its rest.", "Two."] == [text[start:end] for start, end in paragraphs(text)]


def test_line_ends_end_paragraphs_of_chinese() -> None:
    """Chinese text is not wrapped: a line is a paragraph."""
    text = "却说贾母坐下。\n　　宝玉笑道：“是。”"
    assert ["却说贾母坐下。", "宝玉笑道：“是。”"] == [text[start:end] for start, end in paragraphs(text)]
    assert ends_at_lines(text)


def test_script_is_told_by_the_head_of_the_text() -> None:
    """A few ideographs in an English text do not make it Chinese."""
    assert is_chinese("话说当日之事。")
    assert not is_chinese("A report in English that quotes 因为 once, and goes on for some time in English.")


@given(st.text(alphabet=st.sampled_from(list('aB. !?"\n…\f。」\u3000Mrpm-')), max_size=160), st.booleans())
def test_sentences_of_all_paragraphs_are_those_of_each(text: str, by_line: bool) -> None:
    """One look through the whole text finds what a look into each paragraph does."""
    parts = list(paragraphs(text, by_line=by_line))
    assert [list(sentences(text, start, end)) for start, end in parts] == list(sentences_of(text, parts))


@pytest.mark.parametrize(
    "title", ["Mr", "Messrs", "Captn", "i.e", "e.g", "a. m", "p.m", "U.S", "J", "MMr", "xi.e", "aMr"]
)
@pytest.mark.parametrize("before", ["", "He saw ", "(", "one-", "then\n", "“"])
def test_abbreviations_are_known_by_the_word_before_the_stop(title: str, before: str) -> None:
    """Whatever stands before it, and whatever follows."""
    for after in (" The rest.", " rest.", "\nThe rest."):
        text = f"{before}{title}.{after}"
        assert list(sentences(text)) == next(sentences_of(text, [(0, len(text))]))
