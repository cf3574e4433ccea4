"""Questions made ready to be asked, and what a user should know before they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from wildtrace.calls.identity import answering as signature_of
from wildtrace.calls.identity import digest, task_print
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import MAX_TOKENS, REASONING_MAX_TOKENS, RunConfig
from wildtrace.evaluate.evidence import evidence_passages
from wildtrace.evaluate.respond import AnswerPrompt, Condition, answer_prompt, suspect_cjk
from wildtrace.text.reading import read_text
from wildtrace.types import DocumentFacts, Item


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """A question ready to be asked: its print, its key in the ledger and its prompt around the document.

    `inserted` is what stands in the document's place under another access condition; None where the document does.
    """

    question_id: str
    corpus_file: str
    facts: DocumentFacts
    mark: str
    key: bytes
    prompt: AnswerPrompt
    inserted: str | None

    @property
    def prompt_chars(self) -> int:
        """Code points of the whole prompt."""
        inner = self.facts.chars if self.inserted is None else len(self.inserted)
        return len(self.prompt.before) + len(self.prompt.after) + inner


def answer_tasks(
    items: Sequence[Item],
    facts: Mapping[str, DocumentFacts],
    paths: Mapping[str, Path],
    condition: Condition,
    config: RunConfig,
) -> list[AnswerTask]:
    """The tasks in the order of asking: those of one document together, so that it is read and escaped once."""
    order = {name: place for place, name in enumerate(facts)}
    by_document = sorted(items, key=lambda item: order[item.question.corpus_file])
    settings = digest(signature_of(config.contestant, condition))
    tasks = []
    for corpus_file, group in groupby(by_document, key=lambda item: item.question.corpus_file):
        text = read_text(paths[corpus_file]).text if condition == "evidence" else ""
        tasks += [_task(item, facts[corpus_file], condition, text, settings) for item in group]
    return tasks


def _task(item: Item, facts: DocumentFacts, condition: Condition, text: str, settings: str) -> AnswerTask:
    passages = evidence_passages(item, text) if condition == "evidence" else None
    mark = task_print(item.question, facts, passages)
    return AnswerTask(
        question_id=item.question_id,
        corpus_file=item.question.corpus_file,
        facts=facts,
        mark=mark,
        key=answer_key(settings, mark, condition),
        prompt=answer_prompt(item.question, condition),
        inserted="" if condition == "none" else passages,
    )


def answer_key(settings: str, mark: str, condition: Condition) -> bytes:
    """The ledger's key of an answer: route, settings and what of the task's print is in the prompt (rule 28)."""
    parts = mark.split(":")
    shown = {"none": parts[:1], "evidence": parts[::2]}.get(condition, parts)
    return call_key(settings, ":".join(shown))


def call_key(settings: str, *prompt: str, sample: int = 0) -> bytes:
    """The ledger's key: route and settings, the prompt by its parts, and the place among repeated samples (rule 28)."""
    parts = [part.encode("utf-8", "surrogatepass") for part in (settings, str(sample), *prompt)]
    told_apart = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return hashlib.blake2b(told_apart, digest_size=16).digest()


def warnings(config: RunConfig, route: Route, facts: Iterable[DocumentFacts]) -> Iterator[str]:
    """What can move a score and should be known before money is spent (decisions.md, rules 1, 7, 8 and 10)."""
    endpoint = config.contestant
    if route.source == "default":
        yield (
            f"No cap is known for {endpoint.model!r}: the default is used ({route.cap.en:,} / {route.cap.cjk:,} "
            "characters). Measure the real window with `wildtrace probe` before you compare."
        )
    budget = REASONING_MAX_TOKENS if endpoint.reasoning else MAX_TOKENS
    if endpoint.max_tokens != budget:
        yield f"max_tokens is {endpoint.max_tokens}; the protocol's budget for this model is {budget}."
    for known in facts:
        if route.moved_by_reading(known):
            yield (
                f"{known.corpus_file}: dropping a byte order mark or carriage returns MOVED ITS CAP DECISION "
                f"({known.raw_chars:,} -> {known.chars:,} characters, cap {route.limit(known):,})."
            )
        elif known.changed:
            yield f"{known.corpus_file}: read without its byte order mark or carriage returns."
        if suspect_cjk(known):
            yield (
                f"{known.corpus_file}: written in a CJK script that the protocol's rule does not count; "
                "the en cap was used."
            )
