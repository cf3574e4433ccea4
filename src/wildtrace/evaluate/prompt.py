"""The prompt of a model under test (protocol, section 1): the question and the document, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from wildtrace.prompts import render
from wildtrace.types import Question

Condition = Literal["full", "evidence", "none"]
CONDITIONS: Final[tuple[Condition, ...]] = ("full", "evidence", "none")


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """The prompt around the document: what stands before it and after it."""

    before: str
    after: str


def prompt_name(condition: Condition) -> str:
    """The prompt file of an access condition; only `full` is the protocol's and enters a leaderboard."""
    return "answer_none" if condition == "none" else "answer"


def answer_prompt(question: Question, condition: Condition = "full") -> AnswerPrompt:
    """The protocol's prompt, filled in one pass, split where the document stands."""
    template = render.template(prompt_name(condition))
    return AnswerPrompt(*render.around(template, "document", {"question": question.text}))
