"""From a question and a document to a prompt, and from a reply to a response (protocol, sections 1 to 3).

Sees the question and the document alone: evidence, answer and rubric are out of reach by type and by import rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from unicodedata import category

from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.failures import CallError, RefusedError
from wildtrace.endpoints.offline import FINGERPRINT
from wildtrace.prompts import render
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import DocumentFacts, Question, Response

Condition = Literal["full", "evidence", "none"]
CONDITIONS: Final[tuple[Condition, ...]] = ("full", "evidence", "none")

# Above these characters a prompt token, a server has not read all that it was sent (decisions.md, rule 16).
EN_CHARS_PER_TOKEN_LIMIT: Final = 6.0
CJK_CHARS_PER_TOKEN_LIMIT: Final = 2.5
_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """The prompt around the document: what stands before it and after it."""

    before: str
    after: str


def prompt_name(condition: Condition) -> str:
    """The prompt file of an access condition; only `full` is the protocol's and enters a leaderboard."""
    return "answer_none" if condition == "none" else "answer"


def answer_prompt(question: Question, condition: Condition = "full") -> AnswerPrompt:
    """The protocol's prompt, filled in one pass, split where the document stands (protocol, section 1)."""
    template = render.template(prompt_name(condition))
    return AnswerPrompt(*render.around(template, "document", {"question": question.text}))


@dataclass(frozen=True, slots=True)
class Thought:
    """An answer apart from its reasoning; `unclosed` says that the reasoning never ended."""

    answer: str
    reasoning: str | None
    unclosed: bool = False


def split_reasoning(content: str) -> Thought:
    """Move reasoning out of a reply's content (decisions.md, rule 15).

    Blocks that open the content are reasoning; so is everything after them up to the last closing tag that no opening
    tag precedes. A block that is never closed leaves no answer.
    """
    moved: list[str] = []
    place = _past_space(content, 0)
    while content.startswith(_OPEN, place):
        closing = content.find(_CLOSE, place)
        moved.append(content[place + len(_OPEN) : closing if closing >= 0 else None].strip())
        if closing < 0:
            return Thought("", "\n\n".join(moved), unclosed=True)
        place = _past_space(content, closing + len(_CLOSE))
    opening = content.find(_OPEN, place)
    closing = content.rfind(_CLOSE, place, opening if opening >= 0 else len(content))
    if closing >= 0:
        moved.append(content[place:closing].strip())
        place = _past_space(content, closing + len(_CLOSE))
    return Thought(content[place:], "\n\n".join(moved)) if moved else Thought(content, None)


def _past_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


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
    if any(map(_is_seen, thought.answer)):
        return None
    return "empty_truncated" if thought.unclosed or reply.finish_reason == "length" else "empty_stop"


def _is_seen(char: str) -> bool:
    """Whether a character shows: no space, no control or format character, such as those of no width."""
    return not char.isspace() and category(char) not in ("Cc", "Cf")


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


def failed_call(question_id: str, failure: CallError) -> Response:
    """The response where no reply came: a refusal is final, everything else is pending (rules 11 to 14)."""
    refused = isinstance(failure, RefusedError)
    return Response(
        question_id,
        "failed" if refused else "pending",
        reason=failure.reason,
        attempts=failure.attempts,
        error=str(failure),
    )


def not_asked(question_id: str) -> Response:
    """The response to a question that the run did not get to."""
    return Response(question_id, "pending", reason="not_asked")


def suspect_cjk(facts: DocumentFacts) -> bool:
    """Whether the en cap was used for a document in a CJK script that the protocol's rule does not see (rule 7)."""
    return facts.other_cjk and not facts.cjk
