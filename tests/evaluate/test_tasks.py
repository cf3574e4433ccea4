"""Keys, order and warnings of the questions to ask."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes import DOCUMENTS, IDS, ROWS, Made, run_config
from wildtrace.endpoints.config import route_of
from wildtrace.evaluate.documents import DocumentCache
from wildtrace.evaluate.tasks import AnswerTask, answer_tasks, prompt_digest, warnings
from wildtrace.release.formats import load_items
from wildtrace.types import DocumentFacts


@pytest.mark.parametrize(
    ("condition", "alike"),
    [("full", []), ("none", ["q:e:p", "q:d:o", "q:e:o"]), ("evidence", ["q:e:p"])],
)
def test_a_key_is_of_what_stands_in_the_prompt(condition: Any, alike: list[str]) -> None:
    """The question; the document where it is shown; the passages where they are (rule 28: word for word)."""
    digests = ["q:e:p", "q:d:o", "q:e:o", "r:d:p"]
    key = prompt_digest("q:d:p", condition)
    assert alike == [digest for digest in digests if key == prompt_digest(digest, condition)]


def tasks_of(made: Made, condition: Any = "full") -> dict[str, AnswerTask]:
    """The release's tasks, by id, in the order of asking."""
    items = load_items(made.data)
    paths = {name: made.corpus / name for name in DOCUMENTS}
    tasks = answer_tasks(items, DocumentCache(paths).facts, paths, condition)
    return {task.question_id: task for task in tasks}


def test_every_task_has_a_key_of_its_own_and_the_same_one_tomorrow(made: Made) -> None:
    """Whatever the order of the data."""
    before = {name: task.prompt_digest for name, task in tasks_of(made).items()}
    made.write_tasks(list(ROWS[::-1]))
    assert before == {name: task.prompt_digest for name, task in tasks_of(made).items()}
    assert len(IDS) == len(set(before.values()))


def test_a_prompts_length_counts_all_of_it(made: Made) -> None:
    """Frame, question and document, as read; or what stands in the document's place."""
    for condition in ("full", "evidence", "none"):
        for task in tasks_of(made, condition).values():
            inner = DOCUMENTS[task.corpus_file] if task.inserted is None else task.inserted
            assert len(task.prompt.before + inner + task.prompt.after) == task.prompt_chars
            assert (condition == "full") == (task.inserted is None)


def facts(**changes: Any) -> DocumentFacts:
    """A document of 100 code points, nothing odd about it."""
    plain = {"corpus_file": "d.txt", "sha256": "0", "chars": 100, "cjk": False, "other_cjk": False, "changed": False}
    return DocumentFacts(**{**plain, "raw_chars": 100, **changes})


@pytest.mark.parametrize(
    ("config", "known", "words"),
    [
        ({}, facts(), []),
        ({"caps": {}}, facts(), ["No cap is known for 'tested'"]),
        ({"max_tokens": 9}, facts(), ["max_tokens is 9; the protocol's budget for this model is 8192."]),
        (
            {"max_tokens": 8192, "reasoning": True},
            facts(),
            ["max_tokens is 8192; the protocol's budget for this model is 32768."],
        ),
        ({}, facts(changed=True, raw_chars=101), ["d.txt: read without its byte order mark"]),
        (
            {"caps": {"tested": {"en": 100, "cjk": 1}}},
            facts(changed=True, raw_chars=101),
            ["d.txt: dropping a byte order mark or carriage returns MOVED ITS CAP DECISION (101 -> 100 characters"],
        ),
        ({}, facts(other_cjk=True), ["d.txt: written in a CJK script that the protocol's rule does not count"]),
    ],
)
def test_what_can_move_a_score_is_said_before_money_is_spent(
    config: dict[str, Any], known: DocumentFacts, words: list[str]
) -> None:
    """One line for each, and none where nothing is odd."""
    read = run_config(**config)
    lines = list(warnings(read, route_of(read), [known]))
    assert len(words) == len(lines)
    assert all(line.startswith(start) for line, start in zip(lines, words, strict=True))
