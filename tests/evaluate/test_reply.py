"""From a reply, a failure or a task's finished calls to a response."""

from __future__ import annotations

import pytest

from tests.fakes import reply
from wildtrace.calls.record import Record
from wildtrace.endpoints.failures import CallError, ContextOverflow, RefusedError, RejectedError, TransientError
from wildtrace.evaluate.reply import out_of_scope, read_records, read_response, unanswered
from wildtrace.types import Response


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
    "said",
    ["\u200b", " \u2060\n", "\ufeff\u200d\u200c", "\u00ad\u200e", "\x00", "\u3000", "\u180e", "\u3164\u115f", "\u2800"],
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
        response = unanswered("q", failure)
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
    assert ("pending", "not_asked", None) == (
        unanswered("q", None).status,
        unanswered("q", None).reason,
        unanswered("q", None).response,
    )


def read(*calls: CallError | str, cap: int = 10) -> Response | None:
    """What these finished calls come to, all made under a cap of 10."""
    records = [
        Record.of(reply(call), "m", 10) if isinstance(call, str) else Record.of_failure(call, 10) for call in calls
    ]
    return read_records("q", records, cap=cap, prompt_chars=1, cjk=False)


def outcome(response: Response | None) -> tuple[str, str | None] | None:
    """Its status and reason."""
    return None if response is None else (response.status, response.reason)


def test_an_overflow_stands_under_its_cap_until_there_is_an_answer() -> None:
    """Under another cap the question is asked again; an answer counts under every cap (rule 13)."""
    long = ContextOverflow("too long")
    assert ("pending", "context_overflow") == outcome(read(long))
    assert None is outcome(read(long, cap=9))
    assert ("ok", None) == outcome(read(long, "a")) == outcome(read(long, "a", cap=9))


def test_a_rejection_is_final_when_three_runs_met_it_alike() -> None:
    """Other words are another rejection (rule 12)."""
    same, other = RejectedError("HTTP 400: x"), RejectedError("HTTP 400: y")
    assert None is outcome(read(same, same, other))
    assert ("failed", "refused_by_endpoint") == outcome(read(same, other, same, same))


def test_nothing_asked_is_no_response() -> None:
    """There is something to ask."""
    assert None is read()
