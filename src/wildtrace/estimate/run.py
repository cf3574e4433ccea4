"""The estimating flow: config, data and the real documents in; a plan out; not one request (docs/estimate.md).

Items are classified as the answering flow classifies them, and what a responses file or its ledger has is left out, so
that the plan is that of the next `eval` with the same options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from wildtrace.calls.ledger import ledger_path, open_ledger
from wildtrace.calls.output import Output, open_output
from wildtrace.calls.progress import Silent
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import RunConfig, route_of
from wildtrace.estimate.plan import Assumptions, Plan, TaskPlan, plan_endpoint, plan_tiers
from wildtrace.evaluate.records import answering_identity, only_in_file
from wildtrace.evaluate.run import look_up
from wildtrace.evaluate.tasks import AnswerTask, answer_tasks, warnings
from wildtrace.files import exists
from wildtrace.judge.prompt import judge_prompt
from wildtrace.prompts.render import RESPONSE_LIMIT
from wildtrace.release.corpus import locate_all
from wildtrace.release.formats import load_items
from wildtrace.release.stratified import stratified
from wildtrace.scores.results import ResponsesFile, read_responses
from wildtrace.text.mix import USUAL, TextMix, mix_of
from wildtrace.text.reading import document_facts, read_text
from wildtrace.text.tiers import tier_of_text
from wildtrace.types import DocumentFacts, Item, Response, Rubric


@dataclass(frozen=True, slots=True)
class EstimateJob:
    """What would be run; `out` is the responses file whose finished answers are left out."""

    config: RunConfig
    data: Path
    corpus: Path
    out: Path | None = None
    limit: int | None = None
    held: Assumptions = field(default_factory=Assumptions)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The plan, the route whose caps it rests on, and what a user should know before spending."""

    plan: Plan
    route: Route
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Measured:
    """A document's facts and what it is made of."""

    facts: DocumentFacts
    mix: TextMix


def estimate(job: EstimateJob) -> Estimate:
    """Plan a run without asking anything.

    Raises DataError or ConfigError where `eval` would, and BusyError while a run holds the output's ledger.
    """
    items = stratified(load_items(job.data), job.limit)
    paths = locate_all(job.corpus, [item.question.corpus_file for item in items])
    measured = _measure(paths)
    facts = {name: document.facts for name, document in measured.items()}
    route = route_of(job.config)
    tasks = {task.question_id: task for task in answer_tasks(items, facts, paths, "full")}
    finished = _finished(job, tasks, route)
    plan = _plan(job, items, tasks, measured, finished, route)
    return Estimate(plan, route, tuple(warnings(job.config, route, facts.values())))


# Hashing lets go of the interpreter lock: two readers use the second core, more would only hold more text.
_READERS: Final = 2


def _measure(paths: Mapping[str, Path]) -> dict[str, _Measured]:
    """Read every document once."""
    with ThreadPoolExecutor(_READERS) as pool:
        return dict(zip(paths, pool.map(_measured, paths, paths.values()), strict=True))


def _measured(name: str, path: Path) -> _Measured:
    read = read_text(path)
    return _Measured(document_facts(name, read), mix_of(read.text))


def _finished(job: EstimateJob, tasks: Mapping[str, AnswerTask], route: Route) -> dict[str, Response]:
    """What need not be asked, by question, as `eval` finds it. DataError, ConfigError or BusyError where it would."""
    if job.out is None:
        return {}
    with _looked_into(job.out) as output:
        given = list(tasks.values())
        identity = answering_identity(job.config, "full", given)
        output.claim(identity, only_in_file(output, identity, "full", given), Silent())
        asking = look_up(given, job.config, route, identity.digest, output.ledger)
        results = {case.id: asking.result(case) for case in asking.cases}
    return {question_id: response for question_id, response in results.items() if response is not None}


@contextmanager
def _looked_into(out: Path) -> Iterator[Output[ResponsesFile]]:
    """An output as `eval` opens it; where it has no ledger, none is left beside it."""
    if exists(ledger_path(out)):
        with open_output(out, read_responses, "responses", Silent()) as output:
            yield output
        return
    with TemporaryDirectory() as folder, open_ledger(Path(folder) / "none.ledger") as ledger:
        yield Output(out, ledger, read_responses(out) if exists(out) else None)


def _plan(
    job: EstimateJob,
    items: Sequence[Item],
    tasks: Mapping[str, AnswerTask],
    measured: Mapping[str, _Measured],
    finished: Mapping[str, Response],
    route: Route,
) -> Plan:
    held, contestant = job.held, job.config.contestant
    rows: list[TaskPlan] = []
    judged: dict[tuple[str, Rubric], TextMix] = {}
    asked: set[str] = set()
    for item in items:
        document = measured[item.question.corpus_file]
        in_scope = route.admits(document.facts)
        earlier = finished.get(item.question_id)
        task = tasks[item.question_id]
        prompt = _prompt(task, document) if in_scope and earlier is None and task.prompt_digest not in asked else None
        asked.add(task.prompt_digest)
        rows.append(TaskPlan(_tier(item, document.facts), in_scope, prompt))
        if in_scope and (earlier is None or earlier.status == "ok"):
            answer = earlier.response if earlier else None
            read = judge_input(item, answer, cjk=document.facts.cjk, answer_tokens=held.answer_tokens)
            judged[task.prompt_digest, item.rubric] = read
    prompts = [row.prompt for row in rows if row.prompt is not None]
    return Plan(
        tiers=plan_tiers(rows),
        contestant=replace(plan_endpoint(contestant, prompts, held.answer_tokens, held), name="contestant"),
        judges=tuple(
            plan_endpoint(judge, list(judged.values()), held.judge_tokens, held) for judge in job.config.judges
        ),
        held=held,
    )


def _prompt(task: AnswerTask, document: _Measured) -> TextMix:
    return mix_of(task.prompt.before) + document.mix + mix_of(task.prompt.after)


def judge_input(item: Item, answer: str | None, *, cjk: bool, answer_tokens: int) -> TextMix:
    """A judge's prompt: exact where the answer is known, else around one of `answer_tokens` in its script."""
    prompt = mix_of(judge_prompt(item.question.text, item.rubric, answer or "").text)
    if answer is not None:
        return prompt
    rate = USUAL.wide if cjk else USUAL.other
    return prompt + USUAL.of_length(min(answer_tokens, RESPONSE_LIMIT / rate), wide=cjk)


def _tier(item: Item, facts: DocumentFacts) -> str:
    """The row's tier or that of its token estimate, else that of its document (docs/protocol.md, rules 3 and 30)."""
    return item.tier or tier_of_text(facts.chars, cjk=facts.cjk)
