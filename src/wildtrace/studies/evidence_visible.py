"""The evidence-visible study: draw answers, have one judge grade them again with the evidence, compute the difference.

The judge is asked through the same endpoint, ledger and reply reader as in judging; or its replies are imported from a
file, for whoever asks it elsewhere (`prompts.jsonl` holds the prompts).
"""

from __future__ import annotations

import csv
import io
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
from wildtrace.diagnose.evidence_visible import EvidenceCell, EvidenceStudy, compute
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
from wildtrace.studies.run import (
    Answer,
    StudyFile,
    answers,
    candidates,
    draw,
    read_filled,
    read_number,
    read_study,
    refuse_drawn,
    write_study,
)
from wildtrace.text.counting import counted
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import Criterion, Judgement, Rubric

SIZE = 124
JUDGEMENTS_FILE = "judgements.csv"
_COLUMNS = ("cell_id", "score")


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
    """What came of asking: how many answers have a judgement now, and why the others have none.

    `rejected` says that the endpoint understood no request of this run, so that another run would meet the same.
    """

    judged: int
    cells: int
    failures: Mapping[str, str]
    rejected: bool = False


def sample(loaded: Loaded, folder: Path, size: int, seed: int, judge: str | None) -> int:
    """Draw the answers and write the key and the prompts; returns how many. `judge` may be None where there is one."""
    name = _judge_name(loaded, judge)
    pool = candidates(loaded)
    drawn = answers(loaded, draw(size, len(pool), lambda count: draw_even(pool, count, seed), "add scores files"))
    alone = _credits(loaded, name)
    cells = [_cell(answer, alone[(answer.candidate.model, answer.candidate.question_id)]) for answer in drawn]
    refuse_drawn(folder)
    lines = (orjson.dumps({"cell_id": cell.cell_id, "prompt": cell.prompt}) + b"\n" for cell in cells)
    write_atomically(folder / "prompts.jsonl", lines)
    write_study(folder, EvidenceFile(study="evidence-visible", seed=seed, judge=name, cells=cells))
    return len(cells)


def bring_in(folder: Path, files: Sequence[Path]) -> int:
    """Read replies (JSON Lines: cell_id, reply) or totals (CSV: cell_id, total); returns how many are known now."""
    study = read_study(folder, EvidenceFile, "evidence-visible")
    cells = {cell.cell_id: cell for cell in study.cells}
    found: dict[str, float] = {}
    for path in files:
        if path.suffix == ".jsonl":
            _read(_replies(path), _of_reply, cells, found)
        else:
            _read(_rows(path, "total"), _of_total, cells, found)
    return _keep(folder, study, found)


async def ask(
    folder: Path, config: RunConfig, progress: Progress | None = None, opener: ModelOpener = default_opener
) -> Asked:
    """Have the study's judge, as the configuration names it, grade every answer that has no judgement yet.

    Raises ConfigError where its endpoint answers nothing until that is mended, IncompleteError where the account has no
    quota left or a signal ended the run (with the signal's exit status); what was answered before is kept.
    """
    progress = progress or Silent()
    study = read_study(folder, EvidenceFile, "evidence-visible")
    endpoint = _endpoint(config, study.judge)
    endpoint.api_key()
    known = _known(folder, study)
    settings = digest([route(endpoint), decoding(endpoint)])
    cells = {cell.cell_id: cell for cell in study.cells if cell.cell_id not in known}
    cases = [
        Case(name, (text_digest(cell.prompt),), Request(cell.prompt), cell.first_credit) for name, cell in cells.items()
    ]
    with open_ledger(folder / "judgements.ledger") as ledger, stopping(progress) as stop:
        target = Target(endpoint, settings, endpoint.name)
        asking = Asking(cases, [target], ledger, samples=SAMPLES)
        progress.start("judgements", len(study.cells), len(study.cells) - asking.asked)
        try:
            await asking.run(opener, progress, stop)
        finally:
            await ledger.settle()
            judgements = {case.id: credit for case in cases if (credit := asking.result(case)) is not None}
            judged = _keep(folder, study, judgements)
    if target.stopped_by is not None:
        sentence = f"{endpoint.name} cannot be asked: {target.stopped_by}"
        is_config = isinstance(target.stopped_by, EndpointError) and not isinstance(target.stopped_by, QuotaError)
        raise (ConfigError if is_config else IncompleteError)(sentence)
    if stop.status is not None and judged < len(study.cells):
        raise _stopped(judged, len(study.cells), stop.status)
    left = [name for name in cells if name not in judgements]
    failures = {name: _why(cells[name], asking.records(name), asking.failures(name)) for name in left}
    failed = [failure for name in left for failure in asking.failures(name)]
    rejected = bool(failed) and not target.spent.replies and all(isinstance(each, RejectedError) for each in failed)
    return Asked(judged, len(study.cells), failures, rejected=rejected)


def _why(cell: Cell, records: Sequence[Record], failures: Sequence[CallError]) -> str:
    """Why a cell has no judgement: the failure of this run, or what its last reply lacks."""
    replies = [record.reply for record in records if record.reply is not None]
    if failures or not replies:
        return str(failures[-1]) if failures else "not asked"
    return str(cell.read(replies[-1].content, replies[-1].finish_reason))


def result(folder: Path) -> Table:
    """The table of the study as far as judgements are known."""
    study = read_study(folder, EvidenceFile, "evidence-visible")
    known = _known(folder, study)
    cells = tuple(
        EvidenceCell(cell.cell_id, cell.rubric_only, known.get(cell.cell_id), cell.score_bin, cell.geometry)
        for cell in study.cells
    )
    return compute(EvidenceStudy(study.judge, cells))


def _stopped(judged: int, cells: int, status: int) -> IncompleteError:
    stopped = IncompleteError(
        f"stopped; {judged:,} of {counted(cells, 'answer is', 'answers are')} judged with the evidence, run the same "
        "command again to go on"
    )
    stopped.exit_status = status
    return stopped


def _endpoint(config: RunConfig, judge: str) -> Endpoint:
    for endpoint in config.judges:
        if endpoint.name == judge:
            return endpoint
    names = ", ".join(endpoint.name for endpoint in config.judges) or "none"
    raise ConfigError(f"the study's judge is {judge!r}, the configuration's judges are {names}; add it to judges")


def _judge_name(loaded: Loaded, judge: str | None) -> str:
    judges = loaded.scores.judges
    if judge is None and len(judges) == 1:
        return judges[0]
    if judge not in judges:
        raise UsageError(f"name one of the judges with --judge: {', '.join(judges)}")
    return judge


def _credits(loaded: Loaded, judge: str) -> dict[tuple[str, str], float]:
    scores = loaded.scores
    place = scores.judges.index(judge)
    return {
        (model, question_id): float(scores.credit[row, at, place])
        for row, model in enumerate(scores.models)
        for at, question_id in enumerate(scores.tasks.question_ids)
    }


def _cell(answer: Answer, rubric_only: float) -> Cell:
    item, chosen = answer.item, answer.candidate
    prompt = evidence_judge_prompt(
        item.question.text, item.rubric, answer.text, item.key_facts, [clue.quote for clue in item.clues]
    )
    return Cell(
        cell_id=answer.cell_id,
        question_id=chosen.question_id,
        model=chosen.model,
        rubric_only=rubric_only,
        score_bin=chosen.bin,
        geometry=chosen.geometry,
        points=[criterion.points for criterion in item.rubric.criteria],
        prompt=prompt.text,
        answer=prompt.answer,
        truncated=prompt.truncated,
    )


def _read(
    rows: Iterable[tuple[str, str, str]],
    credit: Callable[[Cell, str, str], float],
    cells: Mapping[str, Cell],
    found: dict[str, float],
) -> None:
    """Add the credits of the rows (where, cell, what is given of it) to `found`. DataError names the wrong row."""
    for where, cell_id, given in rows:
        if cell_id not in cells:
            raise DataError(f"{where}: the study has no such cell; import the replies of this study")
        if cell_id in found:
            raise DataError(f"{where} repeats the cell {cell_id}; keep one of the rows")
        found[cell_id] = credit(cells[cell_id], given, where)


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
    for at, row in read_filled(path, ("cell_id", column)):
        yield f"{path}: row {at} ({row['cell_id']})", row["cell_id"], row[column]


def _of_reply(cell: Cell, given: str, where: str) -> float:
    credit = cell.read(given)
    if isinstance(credit, str):
        raise DataError(f"{where}: the reply is no verdict ({credit}); ask the judge again")
    return credit


def _of_total(cell: Cell, given: str, where: str) -> float:
    most = sum(cell.points)
    return read_number(given, most, "total", where) / most


def _of_score(_: Cell, given: str, where: str) -> float:
    return read_number(given, 1.0, "score", where)


def _known(folder: Path, study: EvidenceFile) -> dict[str, float]:
    path, known = folder / JUDGEMENTS_FILE, dict[str, float]()
    if path.exists():
        _read(_rows(path, "score"), _of_score, {cell.cell_id: cell for cell in study.cells}, known)
    return known


def _keep(folder: Path, study: EvidenceFile, found: Mapping[str, float]) -> int:
    known = {**_known(folder, study), **found}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows((cell.cell_id, known[cell.cell_id]) for cell in study.cells if cell.cell_id in known)
    write_atomically(folder / JUDGEMENTS_FILE, [buffer.getvalue().encode()])
    return len(known)
