"""The judging flow: data and a responses file in; a scores file out (protocol, sections 4 and 5).

Load, plan, look up what is finished, ask the rest, write. Every judge works through the answers on its own, so that one
that fails holds up none. A run asks again at most twice, a later run goes on from the next sample, and the first usable
reply counts. Whatever happens after the first request, the scores file is written with what there is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wildtrace.calls.ask import Asking, Case, Target
from wildtrace.calls.identity import refuse_changed_tasks, text_digest
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.output import open_output
from wildtrace.calls.progress import Progress, Silent
from wildtrace.calls.stopping import stopping
from wildtrace.endpoints.base import Request
from wildtrace.endpoints.config import RunConfig
from wildtrace.endpoints.failures import CallError
from wildtrace.errors import DataError
from wildtrace.judge.grading import NOT_ASKED, Grading
from wildtrace.judge.panel import SAMPLES, check_panel
from wildtrace.judge.prompt import judge_prompt
from wildtrace.judge.records import judge_digest, judging_identity, only_in_file, provenance_of
from wildtrace.release.formats import load_items
from wildtrace.release.stratified import stratified
from wildtrace.scores import aggregate as scoring
from wildtrace.scores.results import ResponsesFile, read_responses, read_scores, update_scores
from wildtrace.text.counting import counted
from wildtrace.types import Aggregate, Item, JudgeFailure, Judgement, Response, Score

__all__ = ["NOT_ASKED", "Coverage", "JudgeJob", "JudgeOutcome", "judge"]


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Which answers to judge, by which panel, and where the scores go."""

    config: RunConfig
    data: Path
    responses: Path
    out: Path
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the tasks have a response, and the `--limit` under which these are all of them, if there is one."""

    answered: int
    tasks: int
    limit: int | None = None

    @classmethod
    def of(cls, release: Sequence[Item], items: Sequence[Item], given: Collection[str]) -> Coverage:
        """Of `items`, which are judged now, and of the whole release, from which `--limit` draws."""
        answered = sum(item.question_id in given for item in items)
        known = {item.question_id for item in release if item.question_id in given}
        drawn = {item.question_id for item in stratified(release, len(known))} if known else None
        return cls(answered, len(items), len(known) if known == drawn else None)


@dataclass(frozen=True, slots=True)
class JudgeOutcome:
    """What came of it: the scores in the data's order, their means, and what stopped which judge."""

    scores: tuple[Score, ...]
    aggregate: Aggregate
    provenance: Mapping[str, Any]
    items: tuple[Item, ...]
    asked: int
    stopped: Mapping[str, CallError]
    coverage: Coverage
    signal_status: int | None = None


async def judge(job: JudgeJob, progress: Progress | None = None, opener: ModelOpener = default_opener) -> JudgeOutcome:
    """Judge the answers of a responses file with the full panel and write the scores file.

    Raises DataError, ConfigError, OutputError or BusyError before any judge is asked where the input is wrong.
    """
    progress, config = progress or Silent(), job.config
    release = load_items(job.data)
    items = stratified(release, job.limit)
    given = read_responses(job.responses)
    self_judging = check_panel(config, given.provenance)
    _check_tasks(job, release, items, given, progress)
    responses = {response.question_id: response for response in given.responses}
    identity = judging_identity(given, config.judges, items)
    with open_output(job.out, read_scores, "scores", progress) as output, stopping(progress) as stop:
        started = output.claim(identity, only_in_file(output, config.judges), progress)
        gradings = _gradings(items, responses)
        cases = [
            Case(question_id, (text_digest(grading.prompt.text),), Request(grading.prompt.text), grading.first_usable)
            for question_id, grading in gradings.items()
        ]
        panel = [
            Asking(cases, [Target(judge, judge_digest(judge), judge.name)], output.ledger, samples=SAMPLES)
            for judge in config.judges
        ]
        asked, total = sum(asking.asked for asking in panel), len(cases) * len(panel)
        progress.start("judgements", total, total - asked)
        try:
            ended = await asyncio.gather(
                *(asking.run(opener, progress, stop) for asking in panel), return_exceptions=True
            )
            for failure in filter(None, ended):  # raised when all have ended: each may hold paid calls
                raise failure
        finally:
            await output.ledger.settle()
            scores = tuple(_score(item, responses.get(item.question_id), panel, gradings) for item in items)
            provenance = provenance_of(
                given=given,
                responses=[responses[item.question_id] for item in items if item.question_id in responses],
                identity=identity,
                panel=panel,
                self_judging=self_judging,
                started=started,
            )
            aggregate = scoring.aggregate(scores)
            update_scores(job.out, output.file, provenance, aggregate, [judge.name for judge in config.judges], scores)
    stopped = {asking.targets[0].name: asking.stopped_by for asking in panel if asking.stopped_by is not None}
    coverage = Coverage.of(release, items, responses)
    return JudgeOutcome(scores, aggregate, provenance, items, asked, stopped, coverage, stop.status)


def _gradings(items: Sequence[Item], responses: Mapping[str, Response]) -> dict[str, Grading]:
    """What the judges are shown of each answer, by question id."""
    gradings = {}
    for item in items:
        response = responses.get(item.question_id)
        if response is not None and response.status == "ok":
            prompt = judge_prompt(item.question.text, item.rubric, response.response or "")
            gradings[item.question_id] = Grading(item.rubric, prompt)
    return gradings


def _check_tasks(
    job: JudgeJob, release: Sequence[Item], items: Sequence[Item], given: ResponsesFile, progress: Progress
) -> None:
    """Refuse responses of other data or to other questions; name those that belong to no task."""
    answered = {row.question_id for row in given.responses}
    if answered and not answered & {item.question_id for item in items}:
        raise DataError(f"none of the responses in {job.responses} belongs to a task of {job.data}; name its own data")
    tasks = given.provenance.get("tasks") or {}
    old = {question_id: str(digest).partition(":")[0] for question_id, digest in tasks.items()}
    new = {item.question_id: text_digest(item.question.text) for item in items}
    refuse_changed_tasks(str(job.responses), old, new, ("question",))
    known = {item.question_id for item in release}
    strangers = [row.question_id for row in given.responses if row.question_id not in known]
    if strangers:
        shown = ", ".join(map(repr, strangers[:3])) + (" ..." if len(strangers) > 3 else "")
        belong = counted(len(strangers), "response belongs", "responses belong")
        progress.say(f"{job.responses}: {belong} to no task of {job.data} and does not count: {shown}.")


def _score(
    item: Item,
    response: Response | None,
    panel: Sequence[Asking[Judgement]],
    gradings: Mapping[str, Grading],
) -> Score:
    names = [asking.targets[0].name for asking in panel]
    grading = gradings.get(item.question_id)
    entries: dict[str, Judgement | JudgeFailure] = {}
    if grading is not None:
        given = [grading.entry(asking.records(item.question_id), asking.failures(item.question_id)) for asking in panel]
        entries = dict(zip(names, given, strict=True))
    return scoring.score_of(item.question_id, response, names, entries)
