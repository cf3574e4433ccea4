"""Reasoning apart from the answer."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wildtrace.calls.reasoning import Thought, remove_reasoning, split_reasoning

PIECES = st.lists(st.sampled_from(["<think>", "</think>", "a", "水", " ", "\n"]), max_size=10).map("".join)


def by_hand(content: str) -> tuple[str, list[str], bool]:
    """Rule 15 by repeated cutting: opening blocks, then everything before closing tags without an opening one."""
    moved: list[str] = []
    rest = content
    while rest.strip().startswith("<think>"):
        inner, closed, rest = rest.lstrip()[7:].partition("</think>")
        moved.append(inner.strip())
        if not closed:
            return "", moved, True
    rest = rest.lstrip() if moved else rest
    before, opened, later = rest.partition("<think>")
    if "</think>" in before:
        reasoning, _, answer = before.rpartition("</think>")
        return (answer + opened + later).lstrip(), [*moved, reasoning.strip()], False
    return (rest if moved else content), moved, False


@given(PIECES)
@example("<think>a</think>水")
@example("<think>a</think>\n<think>水</think>a")
@example("<think>a</think> <think>水")
@example("a</think> 水")
@example("a<think>水</think>")
@example("<think>a<think>水</think>a</think>水")
@example("a</think>水</think>a")
def test_reasoning_is_split_by_the_rule_and_nothing_else_is_lost(content: str) -> None:
    """For any order of tags and text."""
    answer, moved, unclosed = by_hand(content)
    thought = split_reasoning(content)
    assert (answer, "\n\n".join(moved) if moved else None, unclosed) == (
        thought.answer,
        thought.reasoning,
        thought.unclosed,
    )
    letters = [char for char in content if char in "a水"]
    assert letters == [char for char in (thought.reasoning or "") + thought.answer if char in "a水"]


@pytest.mark.parametrize(
    ("content", "answer", "reasoning"),
    [
        ("think>a</think>水", "水", "think>a"),
        ("<thinker>a 水", "<thinker>a 水", None),
        ("a /think> 水", "a /think> 水", None),
        ("a </thinker> 水", "a </thinker> 水", None),
        ("a </think 水", "a </think 水", None),
        ("<think>a /think> b </thinker> c</think>水", "水", "a /think> b </thinker> c"),
        ("水 <think>a</think>", "水 <think>a</think>", None),
        ("\n\u3000<think>a</think>\u3000\n水 ", "水 ", "a"),
    ],
)
def test_only_the_two_tags_mark_reasoning(content: str, answer: str, reasoning: str | None) -> None:
    """Words that look like them are words; any white space around a block goes with it."""
    assert Thought(answer, reasoning) == split_reasoning(content)


@pytest.mark.timeout(60)
def test_a_flood_of_blocks_is_split_in_linear_time() -> None:
    """A hundred thousand of them."""
    assert "a" == split_reasoning("<think></think> " * 100_000 + "a").answer


@pytest.mark.parametrize(
    ("content", "answer", "reasoning"),
    [
        ("<seed:think>Let me look.</seed:think>The valve failed.", "The valve failed.", "Let me look."),
        ("a</seed:think>水", "水", "a"),
        ("<|channel|>analysis<|message|>a<|channel|>final<|message|>水", "水", "a"),
        ("<|channel|>analysis a <|channel|>final 水", "水", "a"),
        ("<think>a</think><seed:think>b</seed:think>水", "水", "a\n\nb"),
    ],
)
def test_other_markup_is_known_too(content: str, answer: str, reasoning: str) -> None:
    """Each opening mark with its own closing one."""
    assert Thought(answer, reasoning) == split_reasoning(content)


def test_blocks_anywhere_are_moved_where_that_is_wanted() -> None:
    """As in a judge's reply; one that is never closed leaves no answer."""
    assert Thought("a c", "b\n\nd") == remove_reasoning("a <think>b</think>c<think>d</think>")
    assert remove_reasoning("a <think>b").unclosed
    assert Thought("a", None) == remove_reasoning("a")
    assert Thought("c", "a") == remove_reasoning("a</think>c")


@pytest.mark.timeout(60)
def test_a_flood_of_opening_marks_is_read_in_linear_time() -> None:
    """Whatever closes none of them."""
    assert remove_reasoning("a" + "<think>" * 200_000).unclosed
    assert remove_reasoning("a" + "<think></seed:think>" * 100_000).unclosed
