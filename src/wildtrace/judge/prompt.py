"""The judge prompt, exactly (protocol, section 4; docs/protocol.md, rule 18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wildtrace.prompts import render
from wildtrace.prompts.render import CRITERION_LIMIT, QUESTION_LIMIT, RESPONSE_LIMIT
from wildtrace.types import Rubric


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """The prompt, the answer as the judge sees it, and whether anything was cut to fit."""

    text: str
    answer: str
    truncated: bool


def format_points(points: float) -> str:
    """Points without a needless `.0`."""
    return str(int(points)) if float(points).is_integer() else repr(float(points))


def judge_prompt(question: str, rubric: Rubric, answer: str) -> JudgePrompt:
    """Fill the judge prompt; limits are code points, criteria are numbered by their place."""
    return _filled("judge", question, rubric, answer, {})


def evidence_judge_prompt(
    question: str, rubric: Rubric, answer: str, key_facts: Sequence[str], passages: Sequence[str]
) -> JudgePrompt:
    """The same with gold facts and clue passages before the answer: for a study alone (paper, Table 11)."""
    shown = {"facts": _listed(key_facts), "evidence": _listed(passages)}
    return _filled("judge_evidence", question, rubric, answer, shown)


def _listed(entries: Sequence[str]) -> str:
    return "\n".join(f"- {entry}" for entry in entries) or "- none"


def _filled(name: str, question: str, rubric: Rubric, answer: str, more: Mapping[str, str]) -> JudgePrompt:
    lines = [
        f"P{place} ({format_points(criterion.points)}pts): {criterion.text[:CRITERION_LIMIT]}"
        for place, criterion in enumerate(rubric.criteria, 1)
    ]
    shown = answer[:RESPONSE_LIMIT]
    values = {"question": question[:QUESTION_LIMIT], "rubric": "\n".join(lines), "response": shown}
    truncated = (
        len(question) > QUESTION_LIMIT
        or len(answer) > RESPONSE_LIMIT
        or any(len(criterion.text) > CRITERION_LIMIT for criterion in rubric.criteria)
    )
    return JudgePrompt(render.fill(render.template(name), {**values, **more}), shown, truncated)
