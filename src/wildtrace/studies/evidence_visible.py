"""The evidence-visible study: one judge grades answers again with the evidence; its credits are compared (Table 11).

The judge is asked through the same endpoint, ledger and reply reader as in judging; or its replies are imported from a
file, for whoever asks it elsewhere (`prompts.jsonl` holds the prompts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import orjson

from wildtrace.calls.ask import Asking, Case, Target
from wildtrace.calls.identity import decoding, digest, route, text_digest
from wildtrace.calls.ledger import open_ledger
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Progress, Silent
from wildtrace.calls.record import Record
from wildtrace.calls.stopping import stopping
from wildtrace.diagnose.base import Table
from wildtrace.diagnose.evidence_visible import EvidenceCell, EvidenceStudy
from wildtrace.diagnose.evidence_visible import compute as compute_table
from wildtrace.diagnose.strata import draw_even
from wildtrace.endpoints.base import Request
from wildtrace.endpoints.config import Endpoint, RunConfig
from wildtrace.endpoints.failures import CallError, EndpointError, QuotaError, RejectedError
from wildtrace.errors import ConfigError, DataError, IncompleteError, UsageError
from wildtrace.files import write_atomically
from wildtrace.judge.panel import SAMPLES
from wildtrace.judge.prompt import evidence_judge_prompt
from wildtrace.judge.reply import read_judgement
from wildtrace.scores.loading import Loaded
from wildtrace.studies.sheets import read_number, read_rows, write_rows
from wildtrace.studies.study import Answer, StudyFile, answers, candidates, draw, read_study, refuse_drawn, write_study
from wildtrace.text.counting import counted
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import Criterion, Judgement, Rubric

SIZE = 124
JUDGEMENTS_FILE = "judgements.csv"


class Cell(msgspec.Struct):
    """The key of one answer: what the judge gave without the evidence, and all it takes to ask with it."""

    cell_id: str
    question_id: str
    model: str
    rubric_only: float
    score_bin: str
    geometry: str
    points: list[float]
    prompt: str
    answer: str
    truncated: bool

    def read(self, reply: str, finish_reason: str | None = None) -> float | str:
        """The credit in a judge's reply, or why there is none (docs/protocol.md, rules 19 to 23)."""
        rubric = Rubric(tuple(Criterion(f"P{at}", points, "") for at, points in enumerate(self.points, 1)))
        entry = read_judgement(reply, rubric, self.answer, finish_reason=finish_reason, truncated=self.truncated)
        return entry.score if isinstance(entry, Judgement) else entry.error

    def first_credit(self, records: Sequence[Record]) -> float | None:
        """The credit of the first usable reply, None where there is none yet."""
        replies = [record.reply for record in records if record.reply is not None]
        read = (self.read(replace_lone_surrogates(reply.content)[0], reply.finish_reason) for reply in replies)
        return next((credit for credit in read if not isinstance(credit, str)), None)


class EvidenceFile(StudyFile):
    """The key of the study."""

    judge: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking: how many of the answers have a judgement now, and why the others have none.

    `rejected` says that the endpoint understood no request of this run, so that another run would meet the same.
    """

    judged: int
    cells: int
    failures: Mapping[str, str]
    rejected: bool = False


def sample(loaded: Loaded, folder: Path, size: int, seed: int, judge: str | None) -> int:
    """Draw answers spread over geometry and score bin, and write the key and the prompts; returns how many.

    `judge` may be None where the scores have only one.
    """
    scores = loaded.scores
    if judge is None and len(scores.judges) == 1:
        judge = scores.judges[0]
    if judge not in scores.judges:
        raise UsageError(f"name one of the judges with --judge: {', '.join(scores.judges)}")
    pool = candidates(loaded)
    drawn = draw(size, len(pool), lambda number: draw_even(pool, number, seed), "add scores files")
    credit = scores.credit[:, :, scores.judges.index(judge)]
    rows = {model: row for row, model in enumerate(scores.models)}
    columns = {question_id: column for column, question_id in enumerate(scores.tasks.question_ids)}
    cells = [
        _key(answer, float(credit[rows[answer.candidate.model], columns[answer.candidate.question_id]]))
        for answer in answers(loaded, drawn)
    ]
    refuse_drawn(folder)
    lines = (orjson.dumps({"cell_id": cell.cell_id, "prompt": cell.prompt}) + b"\n" for cell in cells)
    write_atomically(folder / "prompts.jsonl", lines)
    write_study(folder, EvidenceFile(study="evidence-visible", seed=seed, judge=judge, cells=cells))
    return len(cells)


def import_judgements(folder: Path, files: Sequence[Path]) -> int:
    """Read replies (JSON Lines: cell_id, reply) or totals (CSV: cell_id, total); returns how many are stored now."""
    study = read_study(folder, EvidenceFile, "evidence-visible")
    imported: dict[str, float] = {}
    for path in files:
        if path.suffix == ".jsonl":
            _add_credits(imported, study, _replies(path), _credit_of_reply)
        else:
            _add_credits(imported, study, _rows(path, "total"), _credit_of_total)
    return _store(folder, study, imported)


async def ask(
    folder: Path, config: RunConfig, progress: Progress | None = None, opener: ModelOpener = default_opener
) -> Asked:
    """Have the study's judge, as the configuration names it, grade every answer that has no judgement yet.

    Raises ConfigError where its endpoint answers nothing until that is mended, IncompleteError where the account has no
    quota left or a signal ended the run (with the signal's exit status); what was answered before is stored.
    """
    progress = progress or Silent()
    study = read_study(folder, EvidenceFile, "evidence-visible")
    endpoint = _endpoint(config, study.judge)
    endpoint.api_key()
    stored = _stored(folder, study)
    missing = {cell.cell_id: cell for cell in study.cells if cell.cell_id not in stored}
    cases = [
        Case(name, (text_digest(cell.prompt),), Request(cell.prompt), cell.first_credit)
        for name, cell in missing.items()
    ]
    target = Target(endpoint, digest([route(endpoint), decoding(endpoint)]), endpoint.name)
    with open_ledger(folder / "judgements.ledger") as ledger, stopping(progress) as stop:
        asking = Asking(cases, [target], ledger, samples=SAMPLES)
        progress.start("judgements", len(study.cells), len(study.cells) - asking.asked)
        try:
            await asking.run(opener, progress, stop)
        finally:
            await ledger.settle()
            results = {case.id: asking.result(case) for case in cases}
            added = {name: credit for name, credit in results.items() if credit is not None}
            judged = _store(folder, study, added)
    if target.stopped_by is not None:
        sentence = f"{endpoint.name} cannot be asked: {target.stopped_by}"
        is_config = isinstance(target.stopped_by, EndpointError) and not isinstance(target.stopped_by, QuotaError)
        raise (ConfigError if is_config else IncompleteError)(sentence)
    if stop.status is not None and judged < len(study.cells):
        raise _stopped(judged, len(study.cells), stop.status)
    left = [name for name in missing if name not in added]
    failures = {name: _why(missing[name], asking.records(name), asking.failures(name)) for name in left}
    failed = [failure for name in left for failure in asking.failures(name)]
    replied = any(record.reply is not None for name in missing for record in asking.records(name))
    rejected = bool(failed) and not replied and all(isinstance(each, RejectedError) for each in failed)
    return Asked(judged, len(study.cells), failures, rejected=rejected)


def _why(cell: Cell, records: Sequence[Record], failures: Sequence[CallError]) -> str:
    """Why a cell has no judgement: the failure of this run, or what its last reply lacks."""
    replies = [record.reply for record in records if record.reply is not None]
    if failures or not replies:
        return str(failures[-1]) if failures else "not asked"
    return str(cell.read(replies[-1].content, replies[-1].finish_reason))


def compute(folder: Path) -> Table:
    """The table of the study as far as judgements are known; the stored credits are checked as imported ones are."""
    study = read_study(folder, EvidenceFile, "evidence-visible")
    stored = _stored(folder, study)
    cells = (
        EvidenceCell(cell.cell_id, cell.rubric_only, stored.get(cell.cell_id), cell.score_bin, cell.geometry)
        for cell in study.cells
    )
    return compute_table(EvidenceStudy(study.judge, tuple(cells)))


def _key(answer: Answer, rubric_only: float) -> Cell:
    item, candidate = answer.item, answer.candidate
    evidence = [clue.quote for clue in item.clues]
    prompt = evidence_judge_prompt(item.question.text, item.rubric, answer.text, item.key_facts, evidence)
    return Cell(
        cell_id=answer.cell_id,
        question_id=candidate.question_id,
        model=candidate.model,
        rubric_only=rubric_only,
        score_bin=candidate.bin,
        geometry=candidate.geometry,
        points=[criterion.points for criterion in item.rubric.criteria],
        prompt=prompt.text,
        answer=prompt.answer,
        truncated=prompt.truncated,
    )


def _endpoint(config: RunConfig, judge: str) -> Endpoint:
    for endpoint in config.judges:
        if endpoint.name == judge:
            return endpoint
    names = ", ".join(endpoint.name for endpoint in config.judges) or "none"
    raise ConfigError(f"the study's judge is {judge!r}, the configuration's judges are {names}; add it to judges")


def _stopped(judged: int, cells: int, status: int) -> IncompleteError:
    stopped = IncompleteError(
        f"stopped; {judged:,} of {counted(cells, 'answer is', 'answers are')} judged with the evidence, run the same "
        "command again to go on"
    )
    stopped.exit_status = status
    return stopped


def _add_credits(
    known: dict[str, float],
    study: EvidenceFile,
    rows: Iterable[tuple[str, str, str]],
    read: Callable[[Cell, str, str], float],
) -> None:
    """Add to `known` the credit of each row (how it is named, its cell, what is given). DataError names a wrong row."""
    cells = {cell.cell_id: cell for cell in study.cells}
    for where, cell_id, given in rows:
        if cell_id not in cells:
            raise DataError(f"{where}: the study has no such cell; import the replies of this study")
        if cell_id in known:
            raise DataError(f"{where} repeats the cell {cell_id}; keep one of the rows")
        known[cell_id] = read(cells[cell_id], given, where)


def _replies(path: Path) -> Iterator[tuple[str, str, str]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name a file of replies") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}: line {number}"
        try:
            row = orjson.loads(line)
            yield where, str(row["cell_id"]), str(row["reply"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise DataError(f"{where} is no object with cell_id and reply; mend it") from None


def _rows(path: Path, column: str) -> Iterator[tuple[str, str, str]]:
    for number, row in read_rows(path, ("cell_id", column)):
        yield f"{path}: row {number} ({row['cell_id']})", row["cell_id"], row[column]


def _credit_of_reply(cell: Cell, reply: str, where: str) -> float:
    credit = cell.read(reply)
    if isinstance(credit, str):
        raise DataError(f"{where}: the reply is no verdict ({credit}); ask the judge again")
    return credit


def _credit_of_total(cell: Cell, total: str, where: str) -> float:
    possible = sum(cell.points)
    return read_number(total, possible, "total", where) / possible


def _stored(folder: Path, study: EvidenceFile) -> dict[str, float]:
    path, stored = folder / JUDGEMENTS_FILE, dict[str, float]()
    if path.exists():
        rows = _rows(path, "score")
        _add_credits(stored, study, rows, lambda _, score, where: read_number(score, 1.0, "score", where))
    return stored


def _store(folder: Path, study: EvidenceFile, added: Mapping[str, float]) -> int:
    """Add credits to the stored ones; returns how many there are now."""
    merged = {**_stored(folder, study), **added}
    rows = [{"cell_id": cell.cell_id, "score": merged[cell.cell_id]} for cell in study.cells if cell.cell_id in merged]
    write_rows(folder / JUDGEMENTS_FILE, ("cell_id", "score"), rows)
    return len(merged)
