"""Cues of relations in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.cues import cue_pattern, cues


@pytest.mark.parametrize(
    ("text", "relation", "first"),
    [
        ("It fell because the bolt broke.", "causes", "after"),
        ("Owing to the fog they stopped.", "causes", "after"),
        ("The bolt broke; therefore it fell.", "causes", "before"),
        ("He stayed, for he was ill.", "causes", "after"),
        ("If only he had written.", "counterfactual", "after"),
        ("It turned out to be a letter.", "explains", "after"),
        ("The crew were tired. However, they sailed.", "contrasts", "before"),
        ("It was taller\nthan planned, higher\nthan the bridge.", "compares_with", "before"),
    ],
)
def test_english_cues_state_their_relation_and_its_first_end(text: str, relation: str, first: str) -> None:
    """A cue is found at a sentence's start, across a line end, and in small letters."""
    (cue,) = cues(text, chinese=False)
    assert (relation, first) == (cue.relation, cue.first)


@pytest.mark.parametrize(
    ("text", "relation", "first"),
    [
        ("只因家贫，不曾读书。", "causes", "after"),
        ("他病了，所以没来。", "causes", "before"),
        ("原來是他。", "explains", "after"),
        ("他病了，难怪没来。", "explains", "before"),
        ("若非哥哥相救，早已死了。", "counterfactual", "after"),
        ("雖然如此，他不肯。", "contrasts", "before"),
    ],
)
def test_chinese_cues_in_both_scripts(text: str, relation: str, first: str) -> None:
    """Simplified and traditional forms state the same."""
    (cue,) = cues(text, chinese=True)
    assert (relation, first) == (cue.relation, cue.first)


def test_that_is_why_is_told_by_causes_alone() -> None:
    """The clause behind it is the effect, not the explanation."""
    assert [] == list(cues("He was ill. That is why he stayed.", chinese=False))


def test_a_cue_is_a_whole_word() -> None:
    """`hence` inside `henceforth` and `if` inside `drift` state nothing."""
    assert [] == list(cues("The drift went on henceforth.", chinese=False))


def test_the_longer_cue_wins() -> None:
    """`because of` is one cue, and its range is that of both words."""
    text = "It fell because of rust."
    (cue,) = cues(text, chinese=False)
    assert "because of" == text[cue.start : cue.end]


@given(
    st.lists(st.sampled_from(["because", "Because", " ", "\n", '"', "—", "x", "(", "although", "_", "."]), max_size=12)
)
def test_cues_are_whole_words_wherever_they_stand(parts: list[str]) -> None:
    """At the start of a text, behind any mark; not inside a word."""
    text = "".join(parts)
    expected = [match.span() for match in cue_pattern(chinese=False).finditer(text)]
    assert expected == [(cue.start, cue.end) for cue in cues(text, chinese=False)]
