"""From a question to a prompt."""

from __future__ import annotations

from typing import get_args

import pytest

from wildtrace.evaluate.tasks import CONDITIONS, Condition, answer_prompt, prompt_name
from wildtrace.types import Question


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
