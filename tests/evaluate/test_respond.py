"""From a question to a prompt, from a reply to a response."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fakes import reply
from wildtrace.endpoints.failures import ContextOverflow, RefusedError, RejectedError, TransientError
from wildtrace.evaluate.respond import (
    CONDITIONS,
    Condition,
    Thought,
    answer_prompt,
    failed_call,
    not_asked,
    out_of_scope,
    prompt_name,
    read_response,
    split_reasoning,
)
from wildtrace.types import Question, Response

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


def test_a_response_tells_what_the_reply_told() -> None:
    """Reasoning from both places joined; latency to the millisecond; usage and the rest as they came."""
    said = reply(
        "<think>b</think>c",
        reasoning="a",
        usage={"prompt_tokens": 9, "completion_tokens": 1},
        attempts=3,
        latency_s=1.23456,
        served_model="m-0612",
        fingerprint="wildtrace-offline",
    )
    wanted = Response(
        "q",
        "ok",
        response="c",
        reasoning="a\n\nb",
        finish_reason="stop",
        usage={"prompt_tokens": 9, "completion_tokens": 1},
        flags=("offline",),
        attempts=3,
        latency_s=1.235,
        served_model="m-0612",
    )
    assert wanted == read_response("q", said, prompt_chars=10, cjk=False)


@pytest.mark.parametrize(
    ("content", "reasoning"),
    [("水\ud800", None), ("水", "a\udc00"), ("<think>\udfff</think>水", None), ("\ud800", "\ud800")],
)
def test_a_lone_surrogate_is_flagged_wherever_it_came(content: str, reasoning: str | None) -> None:
    """In the answer, in the reasoning, or in both."""
    response = read_response("q", reply(content, reasoning=reasoning), prompt_chars=1, cjk=False)
    assert ("surrogates_replaced",) == response.flags
    assert "\ufffd" in (response.response or "") + (response.reasoning or "")


def test_a_reply_that_repeated_the_key_is_flagged() -> None:
    """The answer is not quite what the model said."""
    assert ("key_removed",) == read_response("q", reply("a", key_removed=True), prompt_chars=1, cjk=False).flags


def test_an_answer_that_was_cut_is_flagged_and_an_empty_one_is_not() -> None:
    """An empty answer has its reason already."""
    assert ("output_truncated",) == read_response(
        "q", reply("a", finish_reason="length"), prompt_chars=1, cjk=False
    ).flags
    assert () == read_response("q", reply(" ", finish_reason="length"), prompt_chars=1, cjk=False).flags


@pytest.mark.parametrize(
    "said", ["\u200b", " \u2060\n", "\ufeff\u200d\u200c", "\u00ad\u200e", "\x00", "\u3000", "\u180e"]
)
def test_an_answer_of_what_is_not_seen_is_empty(said: str) -> None:
    """By how it ended, as other empty answers; beside one character that shows it stays as it is."""
    for finish_reason, reason in (("stop", "empty_stop"), ("length", "empty_truncated")):
        response = read_response("q", reply(said, finish_reason=finish_reason), prompt_chars=1, cjk=False)
        assert ("failed", reason) == (response.status, response.reason)
    for seen in (".", "水", "🙂", "\ue000", "\ufffd", "ً"):
        response = read_response("q", reply(said + seen), prompt_chars=1, cjk=False)
        assert ("ok", said + seen) == (response.status, response.response)


def test_a_failure_is_final_only_where_it_is_a_refusal() -> None:
    """Everything else is pending; the question, the reason, the attempts and the message stand in either."""
    for failure, status in (
        (RefusedError("r"), "failed"),
        (TransientError("t", reason="timeout"), "pending"),
        (ContextOverflow("c"), "pending"),
        (RejectedError("j"), "pending"),
    ):
        failure.attempts = 4
        response = failed_call("q", failure)
        assert ("q", status, failure.reason, 4, str(failure)) == (
            response.question_id,
            response.status,
            response.reason,
            response.attempts,
            response.error,
        )


def test_what_was_not_sent_says_so() -> None:
    """Out of scope, and not reached."""
    assert ("out_of_context_scope", None, 0) == (
        out_of_scope("q").status,
        out_of_scope("q").reason,
        out_of_scope("q").attempts,
    )
    assert ("pending", "not_asked", None) == (not_asked("q").status, not_asked("q").reason, not_asked("q").response)


@pytest.mark.parametrize(("condition", "name"), [("full", "answer"), ("evidence", "answer"), ("none", "answer_none")])
def test_each_access_condition_has_its_prompt(condition: str, name: str) -> None:
    """Without a document the prompt names none."""
    assert name == prompt_name(condition)  # type: ignore[arg-type]


def test_the_access_conditions_are_these_three() -> None:
    """For who checks a word and for the type checker."""
    assert ("full", "evidence", "none") == CONDITIONS == get_args(Condition)


def test_the_prompt_without_a_document_is_the_question_alone() -> None:
    """No word of a document."""
    prompt = answer_prompt(Question("q", "谁？ {document}", "d.txt"), "none")
    assert (
        "Answer. Include every specific detail from the text.\n\nQuestion: 谁？ {document}"
        == prompt.before + prompt.after
    )
