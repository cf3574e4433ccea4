"""What differs between a quote and a stretch of source."""

from __future__ import annotations

from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.difference import Change, difference
from wildtrace.ground.lexemes import read


def changes(quote: str, source: str) -> tuple[Change, ...]:
    """The changes between two texts."""
    return difference(read(quote), read(source)).changes


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("He said, “Go—now.”", 'He said, "Go -- now."'),
        ("the explosion of 1.5 bar", "the ex-\nplosion of 1.5 bar"),
        ("a well-known man", "a well-\nknown man"),
        ("a wellknown man", "a well-\n   known man"),
        ("he paid 5 % of it", "he paid 5% of it"),
        ("he paid $ 5 of it", "he paid $5 of it"),
        ("10-12 tons of coal", "10-\n12 tons of coal"),
        ("very strange", "_very_ strange"),
        ("他說：「去吧」", "他说：“去吧”"),
        ("宝玉 笑道", "宝玉笑道"),
        ("the boiler burst", "The boiler burst"),
        ("he went home.", "he went home,"),
        ("wait ... then", "wait… then"),
    ],
)
def test_writing_alone_is_no_difference(quote: str, source: str) -> None:
    """Spaces, quotes, dashes, line-end hyphens, emphasis, scripts, a first capital and outer marks say nothing."""
    assert () == changes(quote, source)


@pytest.mark.parametrize(
    ("quote", "source", "expected"),
    [
        ("the boiler burst", "the boiler failed", [("words", "burst", "failed")]),
        ("the old boiler", "the boiler", [("words", "old", "")]),
        ("锅炉爆炸", "锅炉炸裂", [("words", "爆", ""), ("words", "", "裂")]),
        ("at 15 bar", "at 1.5 bar", [("words", "15", "1.5")]),
        ("at 10² men", "at 102 men", [("words", "10²", "102")]),
        ("go, now", "go now", [("punctuation", ",", "")]),
        ("the Polish man", "the polish man", [("case", "Polish", "polish")]),
        ("résumé found", "resume found", [("words", "résumé", "resume")]),
        ("with 1012 tons", "with 10-\n12 tons", [("words", "1012", "10-\n12")]),
        ("with 10-\n12 tons", "with 1012 tons", [("words", "10-\n12", "1012")]),
        ("the war of 19141918", "the war of 1914-\n1918", [("words", "19141918", "1914-\n1918")]),
        ("every day", "everyday", [("words", "every day", "everyday")]),
    ],
)
def test_a_difference_is_named(quote: str, source: str, expected: list[tuple[str, str, str]]) -> None:
    """Words, numbers (also broken at a line's end), accents, marks within and case are differences, with both sides."""
    assert expected == [(change.kind, change.quote, change.source) for change in changes(quote, source)]


@given(st.text(max_size=200))
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    """Whatever a text is, it has no difference from itself, and its lexemes' offsets slice it."""
    reading = read(text)
    assert () == changes(text, text)
    assert len(reading.gaps) == len(reading.lexemes) + 1
    for lexeme in reading.lexemes:
        assert 0 <= lexeme.start < lexeme.end <= len(text)


@given(st.lists(st.sampled_from("abc"), max_size=40), st.lists(st.sampled_from("abc"), max_size=40))
def test_hunks_and_equal_runs_make_up_both_sides(mine: list[str], theirs: list[str]) -> None:
    """Taking the hunks' words out leaves the same words on both sides."""
    found = difference(read(" ".join(mine)), read(" ".join(theirs)))
    left, right = list(mine), list(theirs)
    for hunk in reversed(found.hunks):
        del left[hunk.quote_start : hunk.quote_end], right[hunk.source_start : hunk.source_end]
    assert left == right


def test_long_readings_are_compared_in_stretches() -> None:
    """Ten thousand words with three changes far apart have just these three."""
    words = ["".join(letters) for letters in islice(product("abcdefghij", repeat=4), 10_000)]
    other = list(words)
    other[100], other[5000] = "x", "y"
    del other[9000]
    expected = [("x", words[100]), ("y", words[5000]), ("", words[9000])]
    assert expected == [(change.quote, change.source) for change in changes(" ".join(other), " ".join(words))]
