"""The judging flow: data and a responses file in; a scores file out (protocol, sections 4 and 5).

Every judge works through the answers on its own, so that one that fails holds up none. Each reply is kept, usable or
not; a run asks again at most twice, a later run goes on from the next sample, and the first usable reply counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wildtrace.calls import identity as signature
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Finished, Progress, Silent
from wildtrace.calls.provenance import PanelNews, judging_provenance, tells_otherwise
from wildtrace.calls.resume import Earlier, Record, earlier_of, open_output
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.calls.workers import same_calls, work_through
from wildtrace.endpoints.base import Model, Request
from wildtrace.endpoints.config import Endpoint, RunConfig
from wildtrace.endpoints.failures import CallError, EndpointError
from wildtrace.endpoints.offline import FINGERPRINT
from wildtrace.errors import ConfigError, DataError
from wildtrace.judge.panel import SAMPLES
from wildtrace.judge.prompt import JudgePrompt, judge_prompt
from wildtrace.judge.records import KINDS, Verdicts, verdict_key, verdict_record
from wildtrace.judge.reply import read_judgement
from wildtrace.release.formats import load_items
from wildtrace.release.stratified import stratified
from wildtrace.scores import aggregate as scoring
from wildtrace.scores.results import ResponsesFile, ScoresFile, read_responses, read_scores, write_scores
from wildtrace.types import Aggregate, Item, JudgeFailure, Judgement, Response, Rubric, Score

NOT_ASKED = "not asked yet"
"""The error of a judgement that no call was made for."""


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
    stopped: Mapping[str, EndpointError]
    coverage: Coverage
    signal_status: int | None = None


@dataclass(frozen=True, slots=True)
class _Case:
    """One answer to judge."""

    question_id: str
    prompt: JudgePrompt
    rubric: Rubric
    digest: str


@dataclass(slots=True)
class _Judge:
    """One judge's way through the cases; `standing` are the keys of the verdicts that it has."""

    endpoint: Endpoint
    earlier: Earlier
    progress: Progress
    settings: str
    entries: dict[str, Judgement | JudgeFailure] = field(default_factory=dict)
    standing: set[bytes] = field(default_factory=set)
    next_sample: dict[str, int] = field(default_factory=dict)
    news: PanelNews = field(default_factory=PanelNews)
    stopped_by: EndpointError | None = None

    def take_over(self, case: _Case) -> bool:
        """Use the replies that the ledger has; whether one of them is usable."""
        sample = 0
        while (record := self.earlier.find(key := self.key_of(case, sample), **KINDS)) is not None:
            if isinstance(self._take(case, record, key), Judgement):
                return True
            sample += 1
        self.next_sample[case.question_id] = sample
        return False

    async def judge(self, cases: Sequence[_Case], model: Model) -> bool:
        """Ask for a verdict on these, which have one prompt, at most three times; False where no more need be asked."""
        case = cases[0]
        first = self.next_sample[case.question_id]
        outcome = "ok"
        for sample in range(first, first + SAMPLES):
            try:
                reply = await model.ask(Request(case.prompt.text))
            except EndpointError as failure:
                self.stopped_by = self.stopped_by or failure
                self._fail(cases, failure)
                return False
            except CallError as failure:
                self._fail(cases, failure)
                outcome = failure.reason
                break
            key = self.key_of(case, sample)
            record = await self.earlier.add(key, verdict_record(reply))
            entries = [self._take(each, record, key) for each in cases]
            outcome = "ok" if isinstance(entries[0], Judgement) else "unusable_reply"
            if outcome == "ok":
                break
        for each in cases:
            self.progress.advance(Finished(outcome, attempts=int(each is case)))
        return True

    def _take(self, case: _Case, record: Record, key: bytes) -> Judgement | JudgeFailure:
        """Use the record of a reply, which stands under `key`."""
        entry = _entry(case, record)
        if isinstance(entry, Judgement):
            self.standing.add(key)
        self.news.add(record["sent_at"], record["served_models"], offline=_is_offline(record))
        self.entries[case.question_id] = entry
        return entry

    def _fail(self, cases: Sequence[_Case], failure: CallError) -> None:
        for case in cases:
            earlier = self.entries.get(case.question_id)
            self.entries[case.question_id] = JudgeFailure(str(failure), getattr(earlier, "reply", None))

    def key_of(self, case: _Case, sample: int) -> bytes:
        """The ledger's key of one sample of one case."""
        return verdict_key(self.settings, case.digest, sample)


def _entry(case: _Case, record: Record) -> Judgement | JudgeFailure:
    """What a reply says of a case, with the marks of how it came."""
    entry = read_judgement(
        record["reply"],
        case.rubric,
        case.prompt.answer,
        finish_reason=record.get("finish_reason"),
        refused=record.get("refused") is True,
        truncated=case.prompt.truncated,
    )
    raised = {"offline": _is_offline(record), "key_removed": record.get("key_removed") is True}
    marks = tuple(mark for mark, is_raised in raised.items() if is_raised)
    return replace(entry, flags=(*entry.flags, *marks)) if marks and isinstance(entry, Judgement) else entry


def _is_offline(record: Record) -> bool:
    return record.get("fingerprint") == FINGERPRINT


async def judge(job: JudgeJob, progress: Progress | None = None, opener: ModelOpener = default_opener) -> JudgeOutcome:
    """Judge the answers of a responses file with the full panel and write the scores file.

    Raises DataError, ConfigError, OutputError or BusyError before any judge is asked where the input is wrong. Whatever
    happens later, the scores file is written with what there is.
    """
    progress = progress or Silent()
    release = load_items(job.data)
    items = stratified(release, job.limit)
    given = read_responses(job.responses)
    self_judging = _check_panel(job, given)
    responses = {response.question_id: response for response in given.responses}
    _check_questions(job, items, given)
    signed = signature.judging(_plain_signature(given), job.config.judges)
    prints = signature.judged_prints(items)
    settings = {endpoint.name: _settings(endpoint, signed) for endpoint in job.config.judges}
    with open_output(job.out, read_scores) as output, stopping(progress) as stop:
        earlier = earlier_of(output, Verdicts(settings), signed, prints, ("question", "rubric"))
        judges = [_Judge(endpoint, earlier, progress, settings[endpoint.name]) for endpoint in job.config.judges]
        cases = [_case(item, answer) for item in items if (answer := _answer(responses, item))]
        to_ask = {judge.endpoint.name: [case for case in cases if not judge.take_over(case)] for judge in judges}
        asked = sum(map(len, to_ask.values()))
        if asked:
            earlier.sign()
        progress.start("judgements", len(cases) * len(judges), len(cases) * len(judges) - asked)
        try:
            await _all(_work(judge, to_ask[judge.endpoint.name], opener, stop) for judge in judges)
        finally:
            await output.ledger.settle()
            scores = tuple(_score(item, responses, judges) for item in items)
            provenance = judging_provenance(
                answers=given.provenance,
                responses=tuple(responses[item.question_id] for item in items if item.question_id in responses),
                signature=signed,
                prints=prints,
                prompts={case.question_id: case.digest for case in cases},
                panel={judge.endpoint.name: (judge.endpoint, judge.news) for judge in judges},
                self_judging=self_judging,
                started=earlier.started,
            )
            standing = {key for judge in judges for key in judge.standing}
            aggregate = _publish(job, output.file, scores, provenance, earlier, standing)
    stopped = {judge.endpoint.name: judge.stopped_by for judge in judges if judge.stopped_by is not None}
    coverage = Coverage.of(release, items, responses)
    return JudgeOutcome(scores, aggregate, provenance, items, asked, stopped, coverage, stop.status)


def _publish(
    job: JudgeJob,
    before: ScoresFile | None,
    scores: tuple[Score, ...],
    provenance: Mapping[str, Any],
    earlier: Earlier,
    standing: Collection[bytes],
) -> Aggregate:
    """Write the scores file, unless the one there says the same; let a complete one take over; the means."""
    aggregate = scoring.aggregate(scores)
    if before is None or before.scores != scores or tells_otherwise(before.provenance, provenance):
        earlier.set_aside(standing)
        names = [judge.name for judge in job.config.judges]
        write_scores(job.out, provenance, aggregate, names, scores)
    if aggregate.all_tasks is not None:
        earlier.hand_over(standing, provenance["tasks"])
    return aggregate


def _check_panel(job: JudgeJob, given: ResponsesFile) -> bool:
    """Refuse an empty panel, and one that holds the contestant unless that is allowed (rule 25); whether it does."""
    judges = job.config.judges
    if not judges:
        raise ConfigError("the config names no judges; add the panel: judges, a list of endpoints each with a name")
    asked = given.provenance.get("model") or job.config.contestant.model
    contestants = {asked, *(given.provenance.get("served_models") or [])}
    own = [judge.name for judge in judges if judge.model in contestants]
    if own and not job.config.allow_self_judging:
        raise ConfigError(
            f"judge {own[0]!r} is the contestant itself; choose another, or set allow_self_judging to mark the scores"
        )
    for judge in judges:
        judge.api_key()
    return bool(own)


def _check_questions(job: JudgeJob, items: Sequence[Item], given: ResponsesFile) -> None:
    if given.responses and not {item.question_id for item in items} & {row.question_id for row in given.responses}:
        raise DataError(f"none of the responses in {job.responses} belongs to a task of {job.data}; name its own data")
    tasks = given.provenance.get("tasks") or {}
    old = {question_id: str(mark).partition(":")[0] for question_id, mark in tasks.items()}
    new = {item.question_id: signature.text_digest(item.question.text) for item in items}
    signature.refuse_changed_tasks(str(job.responses), old, new, ("question",))


def _plain_signature(given: ResponsesFile) -> dict[str, Any]:
    signed = given.provenance.get("signature")
    return {key: value for key, value in signed.items() if key != "digest"} if isinstance(signed, dict) else {}


def _answer(responses: Mapping[str, Response], item: Item) -> Response | None:
    response = responses.get(item.question_id)
    return response if response is not None and response.status == "ok" else None


def _case(item: Item, response: Response) -> _Case:
    prompt = judge_prompt(item.question.text, item.rubric, response.response or "")
    return _Case(item.question_id, prompt, item.rubric, signature.text_digest(prompt.text))


def _settings(endpoint: Endpoint, signed: Mapping[str, Any]) -> str:
    return signature.digest([entry for entry in signed["judging"]["panel"] if entry["name"] == endpoint.name])


async def _all(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Wait for all of them, whatever becomes of one; then raise the first failure: each may hold paid calls."""
    failures = await asyncio.gather(*works, return_exceptions=True)
    for failure in failures:
        if failure is not None:
            raise failure


async def _work(judge: _Judge, cases: Sequence[_Case], opener: ModelOpener, stop: Stopping) -> None:
    if not cases:
        return
    alike = same_calls(cases, lambda case: case.digest)
    async with opener(judge.endpoint, stop.soon) as model:
        await work_through(alike, judge.endpoint.concurrency, lambda cases: judge.judge(cases, model), stop)


def _score(item: Item, responses: Mapping[str, Response], judges: Sequence[_Judge]) -> Score:
    entries: dict[str, Judgement | JudgeFailure] = {
        judge.endpoint.name: judge.entries.get(item.question_id, JudgeFailure(NOT_ASKED)) for judge in judges
    }
    names = [judge.endpoint.name for judge in judges]
    return scoring.score_of(item.question_id, responses.get(item.question_id), names, entries)
