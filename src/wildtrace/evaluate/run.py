"""The answering flow: data, corpus and config in; a responses file out (protocol, sections 1 to 3).

Load, plan, look up what is finished, ask the rest, write. Whatever happens after the first request, the responses file
is written with what there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from wildtrace.calls.ask import Asking, Case, Target
from wildtrace.calls.ledger import Ledger
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.output import open_output
from wildtrace.calls.progress import Progress, Silent
from wildtrace.calls.stopping import stopping
from wildtrace.endpoints.base import Request
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import RunConfig, route_of
from wildtrace.endpoints.failures import CallError
from wildtrace.evaluate.documents import DocumentCache
from wildtrace.evaluate.records import answering_identity, only_in_file, provenance_of
from wildtrace.evaluate.reply import out_of_scope, read_records, unanswered
from wildtrace.evaluate.tasks import AnswerTask, Condition, answer_tasks, warnings
from wildtrace.release.corpus import locate_all
from wildtrace.release.formats import load_items
from wildtrace.release.stratified import stratified
from wildtrace.scores.results import read_responses, update_responses
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
    stopped_by: CallError | None = None
    signal_status: int | None = None

    @property
    def pending(self) -> int:
        """Responses that a later run can still get."""
        return sum(response.status == "pending" for response in self.responses)


async def evaluate(
    job: EvaluateJob, progress: Progress | None = None, opener: ModelOpener = default_opener
) -> EvaluateOutcome:
    """Answer every task of a release and write the responses file.

    Raises DataError, ConfigError, OutputError or BusyError before anything is asked where the input is wrong.
    """
    progress, config = progress or Silent(), job.config
    config.contestant.api_key()
    items = stratified(load_items(job.data), job.limit)
    paths = locate_all(job.corpus, [item.question.corpus_file for item in items])
    with open_output(job.out, read_responses, "responses", progress) as output, stopping(progress) as stop:
        documents = DocumentCache(paths, output.ledger)
        tasks = answer_tasks(items, documents.facts, paths, job.condition)
        route = route_of(config)
        for line in warnings(config, route, documents.facts.values()):
            progress.say(line)
        identity = answering_identity(config, job.condition, tasks)
        started = output.claim(identity, only_in_file(output, identity, job.condition, tasks), progress)
        in_scope = [task for task in tasks if job.condition != "full" or route.admits(task.facts)]
        asking = look_up(in_scope, config, route, identity.digest, output.ledger, documents)
        progress.start("answers", len(in_scope), len(in_scope) - asking.asked)
        try:
            await asking.run(opener, progress, stop)
        finally:
            await output.ledger.settle()
            by_id = {case.id: _response(asking, case) for case in asking.cases}
            responses = tuple(by_id.get(item.question_id) or out_of_scope(item.question_id) for item in items)
            provenance = provenance_of(config, route, identity, documents.facts, responses, asking, started)
            update_responses(job.out, output.file, provenance, responses)
    return EvaluateOutcome(responses, asking.asked, asking.stopped_by, stop.status)


def look_up(
    tasks: Sequence[AnswerTask],
    config: RunConfig,
    route: Route,
    settings: str,
    ledger: Ledger,
    documents: DocumentCache | None = None,
) -> Asking[Response]:
    """The tasks as cases, looked up in the ledger; without documents nothing can be asked."""
    cases = [_case(task, config, route.limit(task.facts), documents) for task in tasks]
    return Asking(cases, [Target(config.contestant, settings, config.contestant.model)], ledger)


def _case(task: AnswerTask, config: RunConfig, cap: int, documents: DocumentCache | None) -> Case[Response]:
    if task.inserted is not None:
        request = Request(task.prompt.before + task.inserted + task.prompt.after)
    else:
        document = None if documents is None else partial(documents.escaped, task.corpus_file)
        request = Request(task.prompt.before, task.prompt.after, document)
    return Case(
        id=task.question_id,
        prompt=(task.prompt_digest,),
        request=request,
        read=partial(
            read_records,
            task.question_id,
            cap=cap,
            prompt_chars=task.prompt_chars,
            cjk=task.facts.cjk,
            strip_reasoning=config.contestant.strip_reasoning,
        ),
        cap=cap,
        describe=lambda response: response.reason or response.status,
    )


def _response(asking: Asking[Response], case: Case[Response]) -> Response:
    failures = asking.failures(case.id)
    return asking.result(case) or unanswered(case.id, failures[-1] if failures else None)
