"""From a reply to a response (protocol, sections 2 and 3; docs/protocol.md, rules 13 to 17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from unicodedata import category

from wildtrace.calls.reasoning import Thought, split_reasoning
from wildtrace.calls.record import Record, final_failure
from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.failures import CallError, RefusedError
from wildtrace.endpoints.offline import FINGERPRINT
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import OVERFLOW, Response, ResponseStatus

# Above these characters a prompt token, a server has not read all that it was sent (rule 16).
EN_CHARS_PER_TOKEN_LIMIT: Final = 6.0
CJK_CHARS_PER_TOKEN_LIMIT: Final = 2.5
# Hangul fillers and the blank braille pattern are letters and symbols to Unicode, and show nothing.
_BLANK: Final = "\u115f\u1160\u3164\uffa0\u2800"


def read_records(
    question_id: str,
    records: Sequence[Record],
    *,
    cap: int | None,
    prompt_chars: int,
    cjk: bool,
    strip_reasoning: bool = True,
) -> Response | None:
    """What a task's finished calls come to; None where it is to be asked (again).

    An overflow counts under its own cap alone (rule 13), a rejection when it was met alike in three runs (rule 12).
    """
    for record in records:
        if record.reply is not None:
            return read_response(
                question_id, record.reply, prompt_chars=prompt_chars, cjk=cjk, strip_reasoning=strip_reasoning
            )
        if record.response is not None and (not record.response.is_overflow or record.cap == cap):
            return replace(record.response, question_id=question_id)
    if (failure := final_failure(records)) is not None:
        return Response(question_id, "failed", reason=failure.reason, attempts=failure.attempts, error=failure.message)
    for record in reversed(records):
        if record.failure is not None and record.failure.reason == OVERFLOW and record.cap == cap:
            failure = record.failure
            return Response(question_id, "pending", reason=OVERFLOW, attempts=failure.attempts, error=failure.message)
    return None


def read_response(
    question_id: str, reply: Reply, *, prompt_chars: int, cjk: bool, strip_reasoning: bool = True
) -> Response:
    """What a reply means: an answer, a refusal, or an empty answer; none of them is asked again (rule 14)."""
    content, replaced = replace_lone_surrogates(reply.content)
    reasoning, replaced_too = replace_lone_surrogates(reply.reasoning or "")
    thought = split_reasoning(content) if strip_reasoning else Thought(content, None)
    reason = _failure_reason(reply, thought)
    parts = [part for part in (reasoning, thought.reasoning) if part]
    flags = _flags(reply, prompt_chars, cjk=cjk, replaced=replaced or replaced_too, answered=reason is None)
    return Response(
        question_id=question_id,
        status="ok" if reason is None else "failed",
        reason=reason,
        response=thought.answer,
        reasoning="\n\n".join(parts) or None,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        flags=flags,
        attempts=reply.attempts,
        latency_s=round(reply.latency_s, 3),
        served_model=reply.served_model,
    )


def _failure_reason(reply: Reply, thought: Thought) -> str | None:
    if reply.refused or reply.finish_reason == "content_filter":
        return "refusal"
    if any(map(_is_visible, thought.answer)):
        return None
    return "empty_truncated" if thought.unclosed or reply.finish_reason == "length" else "empty_stop"


def _is_visible(char: str) -> bool:
    """Whether a character shows: no space, no blank letter, no control or format character."""
    return not char.isspace() and category(char) not in ("Cc", "Cf") and char not in _BLANK


def _flags(reply: Reply, prompt_chars: int, *, cjk: bool, replaced: bool, answered: bool) -> tuple[str, ...]:
    tokens = (reply.usage or {}).get("prompt_tokens", 0)
    limit = CJK_CHARS_PER_TOKEN_LIMIT if cjk else EN_CHARS_PER_TOKEN_LIMIT
    flags = {
        "unverified": not tokens,
        "suspected_truncation": bool(tokens) and prompt_chars / tokens > limit,
        "output_truncated": answered and reply.finish_reason == "length",
        "surrogates_replaced": replaced,
        "offline": reply.fingerprint == FINGERPRINT,
        "key_removed": reply.key_removed,
    }
    return tuple(name for name, raised in flags.items() if raised)


def out_of_scope(question_id: str) -> Response:
    """The response to a document longer than the cap: never sent, never truncated, scored 0 (rule 6)."""
    return Response(question_id, "out_of_context_scope")


def unanswered(question_id: str, failure: CallError | None) -> Response:
    """The response where no reply came, or where the run did not get to the question (`failure` is None)."""
    if failure is None:
        return Response(question_id, "pending", reason="not_asked")
    status: ResponseStatus = "failed" if isinstance(failure, RefusedError) else "pending"
    return Response(question_id, status, reason=failure.reason, attempts=failure.attempts, error=str(failure))
