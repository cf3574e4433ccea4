"""Questions made ready to be asked: the prompt (protocol, section 1), and what a user should know before it is sent.

A prompt holds the question and the document, and nothing else. Under another access condition, which never enters a
leaderboard (paper, A.7), the passages around the clues or nothing at all take the document's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, Literal

from wildtrace.calls.identity import task_digest
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import MAX_TOKENS, REASONING_MAX_TOKENS, RunConfig
from wildtrace.errors import DataError
from wildtrace.prompts import render
from wildtrace.text.passages import clue_window, merged
from wildtrace.text.reading import read_text
from wildtrace.types import Clue, DocumentFacts, Item, Question

Condition = Literal["full", "evidence", "none"]
CONDITIONS: Final[tuple[Condition, ...]] = ("full", "evidence", "none")
SEPARATOR: Final = "\n\n[…]\n\n"
"""What stands between passages that are apart."""


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


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """A question ready to be asked: its digest, what of that is in the prompt, and the prompt around the document.

    `inserted` is what stands in the document's place under another access condition; None where the document does.
    """

    question_id: str
    corpus_file: str
    facts: DocumentFacts
    digest: str
    prompt_digest: str
    prompt: AnswerPrompt
    inserted: str | None

    @property
    def prompt_chars(self) -> int:
        """Code points of the whole prompt."""
        inner = self.facts.chars if self.inserted is None else len(self.inserted)
        return len(self.prompt.before) + len(self.prompt.after) + inner


def answer_tasks(
    items: Sequence[Item], facts: Mapping[str, DocumentFacts], paths: Mapping[str, Path], condition: Condition
) -> list[AnswerTask]:
    """The tasks in the order of asking: those of one document together, so that it is read and escaped once."""
    order = {name: place for place, name in enumerate(facts)}
    by_document = sorted(items, key=lambda item: order[item.question.corpus_file])
    tasks = []
    for corpus_file, group in groupby(by_document, key=lambda item: item.question.corpus_file):
        text = read_text(paths[corpus_file]).text if condition == "evidence" else ""
        tasks += [_task(item, facts[corpus_file], condition, text) for item in group]
    return tasks


def _task(item: Item, facts: DocumentFacts, condition: Condition, text: str) -> AnswerTask:
    passages = evidence_passages(item, text) if condition == "evidence" else None
    digest = task_digest(item.question, facts, passages)
    return AnswerTask(
        question_id=item.question_id,
        corpus_file=item.question.corpus_file,
        facts=facts,
        digest=digest,
        prompt_digest=prompt_digest(digest, condition),
        prompt=answer_prompt(item.question, condition),
        inserted="" if condition == "none" else passages,
    )


def evidence_passages(item: Item, text: str) -> str:
    """The windows around an item's clues, in document order, those that touch joined. DataError without clues."""
    if not item.clues:
        raise DataError(f"task {item.question_id!r} has no evidence_spans; the evidence condition needs them")
    windows = [clue_window(text, *_place(clue, text, item.question_id)) for clue in item.clues]
    return SEPARATOR.join(text[start:end] for start, end in merged(windows))


def _place(clue: Clue, text: str, question_id: str) -> tuple[int, int]:
    if clue.start is not None and clue.end is not None and text[clue.start : clue.end] == clue.quote:
        return clue.start, clue.end
    start = text.find(clue.quote)
    if start < 0 or text.find(clue.quote, start + 1) >= 0:
        raise DataError(f"task {question_id!r}: the quote of {clue.span_id!r} does not stand once in its document")
    return start, start + len(clue.quote)


def prompt_digest(digest: str, condition: Condition) -> str:
    """What of a task's digest (question, document, passages) is in the prompt: tasks alike in it share a call."""
    parts = digest.split(":")
    return ":".join({"none": parts[:1], "evidence": parts[::2]}.get(condition, parts))


def warnings(config: RunConfig, route: Route, facts: Iterable[DocumentFacts]) -> Iterator[str]:
    """What can move a score and should be known before money is spent (docs/protocol.md, rules 1, 7, 8 and 10)."""
    endpoint = config.contestant
    if route.source == "default":
        yield (
            f"No cap is known for {endpoint.model!r}: the default is used ({route.cap.en:,} / {route.cap.cjk:,} "
            "characters). Measure the real window with `wildtrace probe` before you compare."
        )
    budget = REASONING_MAX_TOKENS if endpoint.reasoning else MAX_TOKENS
    if endpoint.max_tokens != budget:
        yield f"max_tokens is {endpoint.max_tokens}; the protocol's budget for this model is {budget}."
    for document in facts:
        name = document.corpus_file
        if route.moved_by_reading(document):
            yield (
                f"{name}: dropping a byte order mark or carriage returns MOVED ITS CAP DECISION "
                f"({document.raw_chars:,} -> {document.chars:,} characters, cap {route.limit(document):,})."
            )
        elif document.changed:
            yield f"{name}: read without its byte order mark or carriage returns."
        if document.other_cjk and not document.cjk:
            yield f"{name}: written in a CJK script that the protocol's rule does not count; the en cap was used."
