"""Reports for the page's tests, made from files by the flow's own parts, without pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.diagnose.made import made_items, made_scores
from tests.scores.score_files import provenance, write_data
from wildtrace.diagnose.base import Inputs, Settings
from wildtrace.report.document import Answers, Report
from wildtrace.report.items import item_records
from wildtrace.report.run import figures_of, tables_of
from wildtrace.scores.aggregate import aggregate
from wildtrace.scores.loading import Loaded, Sources, load
from wildtrace.scores.results import write_responses, write_scores
from wildtrace.scores.table import every_system
from wildtrace.types import Item, JudgeFailure, Judgement, Response, Score

# Every sixth item, and the three of the longest tier, so that there are numbers there and gaps.
ITEMS = made_items()[:478:6] + made_items()[478:]
MODELS = ("amber-1", "birch-1", "cedar-2", "elm-3")
JUDGES = ("cedar-judge", "quill-judge", "reed-judge")
ANSWER = "The pump failed because the valve had been left open. 泵失效是因为阀门一直开着。"


def report_of(loaded: Loaded, answers: Answers = "embed") -> Report:
    """The report of loaded runs, with few resamples."""
    tables = tables_of(Inputs(scores=loaded.scores, items=loaded.items, settings=Settings(resamples=200, top=2)))
    return Report(
        title="Made report",
        tables=tables,
        figures=figures_of(tables),
        items=tuple(item_records(loaded, answers)),
        runs=tuple(
            {"file": run.path.name, "model": run.model, "provenance": run.file.provenance} for run in loaded.runs
        ),
        models=tuple(loaded.scores.models[place] for place in every_system(loaded.scores)),
        answers=answers,
        marks=loaded.scores.marks,
    )


def load_made(folder: Path) -> Loaded:
    """Four systems on 83 items; one has a small window, one failures, a flag and a reply that could not be used."""
    scores = made_scores(ITEMS, models=MODELS)
    rows = {
        model: [score_of(scores.credit[at, place], item) for place, item in enumerate(ITEMS)]
        for at, model in enumerate(MODELS)
    }
    spoil(rows["cedar-2"])
    return load_rows(folder, ITEMS, rows)


def score_of(given: Sequence[float], item: Item, replies: Mapping[str, str] | None = None) -> Score:
    """The score of one answer from its credits by judge; out of the window where they are not numbers."""
    if any(credit != credit for credit in given):  # noqa: PLR0124 - NaN differs from itself
        return Score(item.question_id, "out_of_context_scope", 0.0)
    judges = {}
    for name, credit in zip(JUDGES, map(float, given), strict=True):
        awarded = tuple(credit * criterion.points for criterion in item.rubric.criteria)
        reply = (replies or {}).get(name, f'{{"points_awarded": [], "total": {100 * credit:g}}}')
        judges[name] = Judgement(credit, credit * item.rubric.points, awarded, (), reply)
    return Score(item.question_id, "ok", sum(map(float, given)) / len(given), judges)


def spoil(rows: list[Score]) -> None:
    """Failures of several kinds among a system's scores, and flags; no answer is left without a judge."""
    rows[3] = Score(rows[3].question_id, "failed", None, {}, "refusal")
    rows[4] = Score(rows[4].question_id, "failed", None, {}, "empty_stop")
    rows[5] = replace(rows[5], flags=("suspected_truncation",))
    planted = rows[6].judges["quill-judge"]
    assert isinstance(planted, Judgement)
    rows[6] = replace(rows[6], judges={**rows[6].judges, "quill-judge": replace(planted, flags=("planted",))})


def leave_unjudged(score: Score) -> Score:
    """The same answer, with one judge whose reply could not be used."""
    failure = JudgeFailure("the reply holds no object with a total", "I cannot say.")
    return replace(score, score=None, judges={**score.judges, "reed-judge": failure})


def load_rows(
    folder: Path,
    items: Sequence[Item],
    rows: Mapping[str, list[Score]],
    answers: Mapping[str, str] | None = None,
    judges: Sequence[str] = JUDGES,
) -> Loaded:
    """Write data, scores and responses of each system, and load them; `answers` maps a question id to its answer."""
    data = write_data(folder / "data.json", items)
    paths: list[tuple[Path, Path]] = []
    for at, (model, scores) in enumerate(rows.items()):
        panel = [{"name": name} for name in judges]
        fields: dict[str, Any] = provenance(model)
        fields["signature"] = {**fields["signature"], "judging": {"panel": panel, "prompt": "j1"}}
        given = [_response(score, answers or {}) for score in scores]
        paths.append((folder / f"{at}.scores.json", folder / f"{at}.responses.json"))
        write_scores(paths[-1][0], fields, aggregate(scores), sorted(judges), scores)
        write_responses(paths[-1][1], fields, given)
    scored, responded = zip(*paths, strict=True)
    return load(Sources(data, tuple(scored), tuple(responded)))


def _response(score: Score, answers: Mapping[str, str]) -> Response:
    text = answers.get(score.question_id, ANSWER) if score.status == "ok" else None
    return Response(score.question_id, score.status, score.reason, text, flags=score.flags)  # type: ignore[arg-type]
