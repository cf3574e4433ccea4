"""The estimating flow: config, data and the real documents in; a plan out; not one request (docs/estimate.md).

Items are classified as the answering flow classifies them, and what a responses file or its ledger has is left out, so
that the plan is that of the next `eval` with the same options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from wildtrace.evaluate.plan import Assumptions, Plan, TaskPlan, judge_input, plan_endpoint, plan_tiers
from wildtrace.models.config import RunConfig
from wildtrace.models.failures import ContextOverflow
from wildtrace.models.routes import Route, route_of
from wildtrace.pipeline import resume, signature
from wildtrace.pipeline.answering import AnswerTask, answer_tasks, warnings
from wildtrace.pipeline.documents import READERS
from wildtrace.release.corpus import locate_all
from wildtrace.release.formats import load_items
from wildtrace.release.stratified import stratified
from wildtrace.store.files import stands
from wildtrace.store.ledger import Ledger, ledger_path, open_ledger
from wildtrace.store.results import ResponsesFile, read_responses
from wildtrace.text.mix import TextMix, mix_of
from wildtrace.text.reading import document_facts, read_text
from wildtrace.text.tiers import tier_of
from wildtrace.text.tokens import estimate_tokens
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
    signed = signature.answering(job.config.contestant, "full")
    tasks = {task.question_id: task for task in answer_tasks(items, facts, paths, "full", signed)}
    finished = _finished(job, items, tasks, route)
    plan = _plan(job, items, tasks, measured, finished, route)
    return Estimate(plan, route, tuple(warnings(job.config, route, facts.values())))


def _measure(paths: Mapping[str, Path]) -> dict[str, _Measured]:
    """Read every document once."""
    with ThreadPoolExecutor(READERS) as pool:
        return dict(zip(paths, pool.map(_measured, paths, paths.values()), strict=True))


def _measured(name: str, path: Path) -> _Measured:
    read = read_text(path)
    return _Measured(document_facts(name, read), mix_of(read.text))


def _finished(
    job: EstimateJob, items: Sequence[Item], tasks: Mapping[str, AnswerTask], route: Route
) -> dict[str, Response]:
    """What need not be asked, by question: by the responses file, or the ledger, which a killed run leaves ahead."""
    if job.out is None:
        return {}
    before = read_responses(job.out) if stands(job.out) else None
    if before is not None:
        _refuse_other(job, before, items, tasks)
    rows = before.responses if before is not None else ()
    found = {response.question_id: response for response in rows if response.status in ("ok", "failed")}
    if stands(ledger_path(job.out)):
        with open_ledger(ledger_path(job.out)) as ledger:
            if before is None:
                resume.refuse_gone(job.out, ledger)
            for task in tasks.values():
                if (response := _in_ledger(ledger, task, route)) is not None:
                    found[task.question_id] = response
    return found


def _refuse_other(
    job: EstimateJob, before: ResponsesFile, items: Sequence[Item], tasks: Mapping[str, AnswerTask]
) -> None:
    facts = {task.corpus_file: task.facts for task in tasks.values()}
    signed = signature.answering(job.config.contestant, "full")
    signature.refuse_other_run(str(job.out), before.provenance.get("signature", {}), signed)
    prints = signature.task_prints(items, facts)
    signature.refuse_changed_tasks(str(job.out), before.provenance.get("tasks", {}), prints)


def _in_ledger(ledger: Ledger, task: AnswerTask, route: Route) -> Response | None:
    record = ledger.find(task.key)
    if record is None:
        return None
    response = resume.recorded_answer(record, task.question_id)
    moved = response.reason == ContextOverflow.reason and record["cap"] != route.limit(task.facts)
    return None if moved else response


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
    judged: dict[tuple[bytes, Rubric], TextMix] = {}
    asked: set[bytes] = set()
    for item in items:
        document = measured[item.question.corpus_file]
        in_scope = route.admits(document.facts)
        earlier = finished.get(item.question_id)
        task = tasks[item.question_id]
        prompt = _prompt(task, document) if in_scope and earlier is None and task.key not in asked else None
        asked.add(task.key)
        rows.append(TaskPlan(_tier(item, document.facts), in_scope, prompt))
        if in_scope and (earlier is None or earlier.status == "ok"):
            answer = earlier.response if earlier else None
            read = judge_input(item, answer, cjk=document.facts.cjk, answer_tokens=held.answer_tokens)
            judged[task.key, item.rubric] = read
    prompts = [row.prompt for row in rows if row.prompt is not None]
    return Plan(
        tiers=plan_tiers(rows),
        contestant=plan_endpoint(contestant, prompts, held.answer_tokens, held),
        judges=tuple(
            plan_endpoint(judge, list(judged.values()), held.judge_tokens, held) for judge in job.config.judges
        ),
        held=held,
    )


def _prompt(task: AnswerTask, document: _Measured) -> TextMix:
    return mix_of(task.prompt.before) + document.mix + mix_of(task.prompt.after)


def _tier(item: Item, facts: DocumentFacts) -> str:
    """The row's tier, else by its token estimate, else by the protocol's rates (decisions.md, rules 3 and 30)."""
    return item.tier or tier_of(item.doc_token_estimate or estimate_tokens(facts.chars, cjk=facts.cjk))
