"""The protocol's two prompts, written a second time on purpose.

The peers are driven with these, and `run.py --verify` compares what `wildtrace` sent with them, so that the benchmark
does not take the program under test as its own reference.
Source: the evaluation protocol, sections 1 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MODEL = "contestant"
JUDGES = ("judge-a", "judge-b", "judge-c")
MAX_TOKENS = 8192
JUDGE_MAX_TOKENS = 16384
TEMPERATURE = 0.1

INSTRUCTION = "Answer using ONLY the document below. Include every specific detail from the text."


def answer_prompt_head(question: str) -> str:
    """What stands before the document in the prompt of an answer."""
    return f"{INSTRUCTION}\n\nQuestion: {question}\n\nDocument:\n"


def answer_prompt(question: str, document: str) -> str:
    """The whole prompt of an answer."""
    return answer_prompt_head(question) + document


def judge_prompt(question: str, rubric: Sequence[Mapping[str, Any]], response: str) -> str:
    """The prompt of a judge for one answer; the cuts are in code points."""
    criteria = "\n".join(
        f"P{number} ({criterion['points']}pts): {criterion['correct_criterion'][:260]}"
        for number, criterion in enumerate(rubric, start=1)
    )
    return (
        "STRICT grader. Only award points for SPECIFIC details present.\n"
        f"QUESTION: {question[:600]}\n"
        f"RUBRIC:\n{criteria}\n"
        f"RESPONSE:\n{response[:5000]}\n"
        'Reply JSON: {"points_awarded":[<pts>],"total":<sum>}'
    )
