"""The answering flow: data, corpus and config in; a responses file out (protocol, sections 1 to 3).

Order: check everything that can be checked, take over what earlier runs finished, ask the rest, write the file. A call
counts when the ledger has it; when the run is complete, the ledger hands what it has over to the responses file.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wildtrace.calls.opening import ModelOpener, default_opener, prepare
from wildtrace.calls.progress import Finished, Progress, Silent
from wildtrace.calls.provenance import answering_provenance, tells_otherwise
from wildtrace.calls.resume import Earlier, open_output
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.calls.workers import same_calls, work_through
from wildtrace.endpoints.base import Model, Request
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import RunConfig, route_of
from wildtrace.endpoints.failures import CallError, ContextOverflow, EndpointError, RefusedError
from wildtrace.evaluate import respond
from wildtrace.evaluate.documents import Shelf, read_facts
from wildtrace.evaluate.records import answer_record, earlier_answers, known_answer
from wildtrace.evaluate.respond import Condition
from wildtrace.evaluate.tasks import AnswerTask, answer_tasks, warnings
from wildtrace.release.corpus import locate_all
from wildtrace.release.formats import load_items
from wildtrace.release.stratified import stratified
from wildtrace.scores.results import ResponsesFile, read_responses, write_responses
from wildtrace.types import Response


@dataclass(frozen=True, slots=True)
class EvaluateJob:
    """What to answer, with what, and where the responses go."""

    config: RunConfig
    data: Path
    corpus: Path
    out: Path
    condition: Condition = "full"
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class EvaluateOutcome:
    """What came of it: the responses in the data's order, and why the run stopped early, if it did."""

    responses: tuple[Response, ...]
    asked: int
    stopped_by: EndpointError | None = None
    signal_status: int | None = None

    @property
    def pending(self) -> int:
        """Responses that a later run can still get."""
        return sum(response.status == "pending" for response in self.responses)


@dataclass(slots=True)
class _Run:
    """One run of the flow: what it holds while it asks."""

    job: EvaluateJob
    earlier: Earlier
    route: Route
    shelf: Shelf
    progress: Progress
    responses: dict[str, Response] = field(default_factory=dict)
    sent: list[float] = field(default_factory=list)
    stopped_by: EndpointError | None = None

    def take_over(self, task: AnswerTask) -> bool:
        """Classify a task and use what earlier runs have of it; whether nothing is left to ask."""
        if self.job.condition == "full" and not self.route.admits(task.facts):
            self.responses[task.question_id] = respond.out_of_scope(task.question_id)
            return True
        known = known_answer(self.earlier, task, self.route)
        if known is None:
            return False
        self.responses[task.question_id], sent_at = known
        self.sent.extend(sent_at)
        return True

    async def answer(self, tasks: Sequence[AnswerTask], model: Model) -> bool:
        """Ask the one prompt of these tasks; False where the endpoint need not be asked any more."""
        task, sent_at = tasks[0], time.time()
        try:
            reply = await model.ask(self._request(task))
        except EndpointError as failure:
            self.stopped_by = self.stopped_by or failure
            self._share(tasks, respond.failed_call(task.question_id, failure))
            return False
        except CallError as failure:
            response = respond.failed_call(task.question_id, failure)
            if isinstance(failure, RefusedError | ContextOverflow):
                await self._finish(task, response, sent_at)
        else:
            response = respond.read_response(
                task.question_id,
                reply,
                prompt_chars=task.prompt_chars,
                cjk=task.facts.cjk,
                strip_reasoning=self.job.config.contestant.strip_reasoning,
            )
            await self._finish(task, response, reply.sent_at)
        self._share(tasks, response)
        outcome = response.reason or response.status
        self.progress.advance(Finished(outcome, response.usage, response.attempts))
        for _ in tasks[1:]:
            self.progress.advance(Finished(outcome, attempts=0))
        return True

    def _share(self, tasks: Sequence[AnswerTask], response: Response) -> None:
        self.responses.update((task.question_id, replace(response, question_id=task.question_id)) for task in tasks)

    async def _finish(self, task: AnswerTask, response: Response, sent_at: float) -> None:
        """Commit a final response. What the ledger has under its key is an overflow under another cap."""
        record = answer_record(response, [sent_at], self.route.limit(task.facts))
        await self.earlier.add(task.key, record, instead=True)
        self.sent.append(sent_at)

    def _request(self, task: AnswerTask) -> Request:
        if task.inserted is not None:
            return Request(task.prompt.before + task.inserted + task.prompt.after)
        return Request(task.prompt.before, task.prompt.after, lambda: self.shelf.escaped(task.corpus_file))


async def evaluate(
    job: EvaluateJob, progress: Progress | None = None, opener: ModelOpener = default_opener
) -> EvaluateOutcome:
    """Answer every task of a release and write the responses file.

    Raises DataError, ConfigError, OutputError or BusyError before anything is asked where the input is wrong. Whatever
    happens later, the responses file is written with what there is.
    """
    progress = progress or Silent()
    job.config.contestant.api_key()
    items = stratified(load_items(job.data), job.limit)
    paths = locate_all(job.corpus, [item.question.corpus_file for item in items])
    with open_output(job.out, read_responses) as output, stopping(progress) as stop:
        facts = read_facts(paths, output.ledger, meanwhile=prepare)
        tasks = {task.question_id: task for task in answer_tasks(items, facts, paths, job.condition, job.config)}
        earlier = earlier_answers(output, tasks, job.config, job.condition)
        run = _Run(job, earlier, route_of(job.config), Shelf(paths, facts), progress)
        for line in warnings(job.config, run.route, facts.values()):
            progress.say(line)
        to_ask = [task for task in tasks.values() if not run.take_over(task)]
        if to_ask:
            earlier.sign()
        finished = sum(response.status != "out_of_context_scope" for response in run.responses.values())
        progress.start("answers", finished + len(to_ask), finished)
        try:
            await _ask(run, to_ask, opener, stop)
        finally:
            await output.ledger.settle()
            responses = tuple(
                run.responses.get(item.question_id, respond.not_asked(item.question_id)) for item in items
            )
            _publish(run, output.file, responses, tasks)
    return EvaluateOutcome(responses, len(to_ask), run.stopped_by, stop.status)


def _publish(
    run: _Run,
    before: ResponsesFile | None,
    responses: tuple[Response, ...],
    tasks: Mapping[str, AnswerTask],
) -> None:
    """Write the responses file, unless the one there says the same; let a complete one take over from the ledger."""
    prints = {question_id: task.mark for question_id, task in tasks.items()}
    provenance = answering_provenance(
        endpoint=run.job.config.contestant,
        route_caps=run.route,
        cap_as=run.job.config.cap_as,
        signature=run.earlier.signature,
        prints=prints,
        facts=run.shelf.facts,
        responses=responses,
        sent=run.sent,
        started=run.earlier.started,
    )
    # An overflow lasts only as long as its cap: the ledger keeps it.
    answered = [response for response in responses if response.status in ("ok", "failed")]
    standing = {tasks[response.question_id].key for response in answered}
    if before is None or before.responses != responses or tells_otherwise(before.provenance, provenance):
        run.earlier.set_aside(standing)
        write_responses(run.job.out, provenance, responses)
    if not any(response.status == "pending" for response in responses):
        run.earlier.hand_over(standing, prints)


async def _ask(run: _Run, tasks: Sequence[AnswerTask], opener: ModelOpener, stop: Stopping) -> None:
    if not tasks:
        return
    endpoint = run.job.config.contestant
    alike = same_calls(tasks, lambda task: task.key)
    async with opener(endpoint, stop.soon) as model:
        await work_through(alike, endpoint.concurrency, lambda tasks: run.answer(tasks, model), stop)
