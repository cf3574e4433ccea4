"""Both external schemas of a release, read into the same items, written by one writer (docs/protocol.md, rules 2 to 4).

Read: the nested `.json` (a list, or an object with `tasks`) and the `.jsonl` whose `ground_truth` is a JSON string; the
protocol's names (`question_text`, `scoring_rubric`, `correct_criterion`) and the paper's (`question`, `rubric`,
`criterion`, spans and edges at the top, `corpus_file` with or without a leading `corpus/`). Unknown fields are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from wildtrace.errors import DataError
from wildtrace.geometries import GEOMETRY_NAMES
from wildtrace.text.json_faults import json_fault, twin_key
from wildtrace.text.tiers import tier_of
from wildtrace.types import Clue, Criterion, Item, Question, Rubric, TrailEdge
from wildtrace.vocabulary import FAMILIES, TIERS, Vocabulary

_TOP = (
    "question_id",
    "source_id",
    "corpus_file",
    "tier",
    "source_family",
    "geometry",
    "doc_token_estimate",
    "question_text",
)
_CLUE = ("span_id", "id", "role", "quote", "start", "end")
_EDGE = ("from", "to", "type")
_CRITERION = ("id", "points", "correct_criterion", "criterion", "spans")
_TRUTH = ("reference_answer", "key_facts", "evidence_spans", "trail_edges", "scoring_rubric")


class _Row:
    """One row being read: where it stands, for messages, and typed access to its fields."""

    def __init__(self, where: str, fields: Mapping[str, Any]) -> None:
        self.where = where
        self.fields = fields

    def wrong(self, what: str) -> DataError:
        return DataError(f"{self.where}: {what}")

    def text(self, *names: str) -> str:
        """The first of `names` that is present, as non-empty text."""
        for name in names:
            value = self.fields.get(name)
            if value is not None:
                if not isinstance(value, str) or not value:
                    raise self.wrong(f"{name} must be non-empty text")
                return value
        raise self.wrong(f"{names[0]} is missing")

    def optional(self, name: str) -> str:
        value = self.fields.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.wrong(f"{name} must be text")
        return value

    def rest(self, known: tuple[str, ...]) -> dict[str, Any]:
        """The fields that are none of these."""
        return {name: value for name, value in self.fields.items() if name not in known}

    def rows(self, name: str) -> list[_Row]:
        value = self.fields.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.wrong(f"{name} must be a list of objects")
        return [_Row(f"{self.where}.{name}[{index}]", entry) for index, entry in enumerate(value)]

    def strings(self, name: str) -> tuple[str, ...]:
        value = self.fields.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise self.wrong(f"{name} must be a list of text")
        return tuple(value)

    def count(self, name: str) -> int | None:
        """A whole number; as a float too, which is what a table with gaps makes of it."""
        value = self.fields.get(name)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.wrong(f"{name} must be a whole number, not negative")
        return value


def load_items(path: Path) -> tuple[Item, ...]:
    """Read a release's tasks, in the file's order.

    Raises DataError with one sentence that names the file, the row and what is wrong: no JSON, a missing field, a
    duplicate question_id, a rubric without points.
    """
    rows = _read_rows(path)
    items: dict[str, Item] = {}
    for where, fields in rows:
        item = _item(where, fields)
        if item.question_id in items:
            raise DataError(f"{where}: question_id {item.question_id!r} stands twice; give each task its own")
        items[item.question_id] = item
    if not items:
        raise DataError(f"{path} holds no tasks; name a release's data file")
    return tuple(items.values())


def _read_rows(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name a release's data file") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8; name a release's data file") from None
    if not text.strip():
        raise DataError(f"{path} is empty; name a release's data file")
    if path.suffix == ".jsonl":
        return _lines(path, text)
    try:
        rows = _nested(path, orjson.loads(text))
        _refuse_twins(text, str(path), several=True)
    except orjson.JSONDecodeError as error:
        fault = json_fault(text)
        # A JSON Lines file under another name is met often enough.
        if fault is None and text.lstrip().startswith("{") and "\n{" in text:
            return _lines(path, text)
        named = path.suffix == ".json"
        advice = _advice(fault, "name a complete data file" if named else "a release's data file is .json or .jsonl")
        raise DataError(f"{path} {_fault(fault)} (line {error.lineno}); {advice}") from None
    return rows


def _refuse_twins(text: str, where: str, *, several: bool = False) -> None:
    """DataError where a key stands twice in one object: which of its values is meant cannot be told.

    `several` says that the text is a list of tasks, of which the message names one.
    """
    if (found := twin_key(text)) is None:
        return
    way, key = found
    task = next((f": task {step + 1}" for step in way if isinstance(step, int)), "") if several else ""
    raise DataError(f"{where}{task}: the key {key!r} stands twice in one object; keep one")


def _fault(found: str | None) -> str:
    return "is truncated or no JSON" if found is None else f"holds {found}"


def _advice(found: str | None, otherwise: str) -> str:
    return otherwise if found is None else "mend that value"


def _nested(path: Path, data: Any) -> list[tuple[str, Mapping[str, Any]]]:
    rows = data.get("tasks") if isinstance(data, dict) else data
    if not isinstance(rows, list):
        raise DataError(f"{path} is neither a list of tasks nor an object with tasks; name a release's data file")
    return [(f"{path}: task {index + 1}", _object(row, f"{path}: task {index + 1}")) for index, row in enumerate(rows)]


def _lines(path: Path, text: str) -> list[tuple[str, Mapping[str, Any]]]:
    """JSON Lines: split at LF only, blank lines skipped (rule 4)."""
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        where = f"{path}: line {number}"
        if not line.strip():
            continue
        try:
            rows.append((where, _object(orjson.loads(line), where)))
            _refuse_twins(line, where)
        except orjson.JSONDecodeError:
            fault = json_fault(line)
            whole = not rows and path.suffix == ".jsonl"
            otherwise = "mend it, or name a file that is one JSON document .json" if whole else "mend or remove it"
            raise DataError(f"{where} {_fault(fault)}; {_advice(fault, otherwise)}") from None
    return rows


def _object(row: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(row, dict):
        raise DataError(f"{where} is no JSON object; mend or remove it")
    return row


def _truth(row: _Row) -> _Row:
    """The hidden part: a nested object, a JSON string, or (in the paper's schema) the row itself."""
    value = row.fields.get("ground_truth")
    if isinstance(value, str):
        try:
            text, value = value, orjson.loads(value)
            _refuse_twins(text, f"{row.where}: ground_truth")
        except orjson.JSONDecodeError:
            fault = json_fault(value)
            said = "is no JSON" if fault is None else f"holds {fault}"
            raise row.wrong(f"ground_truth is a string that {said}") from None
    if value is None:
        return row
    if not isinstance(value, dict):
        raise row.wrong("ground_truth must be an object or a JSON string of one")
    shared = {name: row.fields[name] for name in (*_TRUTH, "rubric") if name in row.fields}
    return _Row(f"{row.where}: ground_truth", {**shared, **value})


def _item(where: str, fields: Mapping[str, Any]) -> Item:
    row = _Row(where, fields)
    question_id = row.text("question_id")
    row.where = f"{where} ({question_id})"
    truth = _truth(row)
    return Item(
        question=Question(question_id, row.text("question_text", "question"), _corpus_file(row)),
        rubric=_rubric(truth),
        source_id=row.optional("source_id"),
        tier=_tier(row),
        source_family=_known(row, "source_family", FAMILIES),
        geometry=_known(row, "geometry", GEOMETRY_NAMES),
        doc_token_estimate=row.count("doc_token_estimate"),
        reference_answer=truth.optional("reference_answer"),
        key_facts=truth.strings("key_facts"),
        clues=tuple(_clue(entry) for entry in truth.rows("evidence_spans")),
        edges=tuple(
            TrailEdge(entry.text("from"), entry.text("to"), entry.optional("type"), entry.rest(_EDGE))
            for entry in truth.rows("trail_edges")
        ),
        extra=_extra(row, truth),
    )


def _corpus_file(row: _Row) -> str:
    name = row.text("corpus_file")
    return name.removeprefix("corpus/") or name


def _known(row: _Row, name: str, words: Vocabulary) -> str:
    """A known value by any of its spellings; an unknown one is kept as it is."""
    value = row.optional(name)
    return words.read(value) or value


def _tier(row: _Row) -> str:
    """The row's tier, else that of its token estimate (rule 30)."""
    estimate = row.count("doc_token_estimate")
    tier = _known(row, "tier", TIERS)
    return tier or ("" if estimate is None else tier_of(estimate))


def _clue(entry: _Row) -> Clue:
    return Clue(
        span_id=entry.text("span_id", "id"),
        role=entry.optional("role"),
        quote=entry.text("quote"),
        start=entry.count("start"),
        end=entry.count("end"),
        extra=entry.rest(_CLUE),
    )


def _rubric(truth: _Row) -> Rubric:
    name = "scoring_rubric" if "scoring_rubric" in truth.fields else "rubric"
    rows = truth.rows(name)
    if not rows:
        raise truth.wrong("scoring_rubric is missing or empty")
    rubric = Rubric(tuple(_criterion(entry, place) for place, entry in enumerate(rows, 1)))
    if not 0 < rubric.points < float("inf"):
        raise truth.wrong("the rubric's points do not add up to more than 0, or to more than a number can hold")
    return rubric


def _criterion(entry: _Row, place: int) -> Criterion:
    points = entry.fields.get("points")
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points < float("inf"):
        raise entry.wrong("points must be a number, not negative")
    return Criterion(
        id=entry.optional("id") or f"P{place}",
        points=points,
        text=entry.text("correct_criterion", "criterion"),
        spans=entry.strings("spans"),
        extra=entry.rest(_CRITERION),
    )


def _extra(row: _Row, truth: _Row) -> dict[str, Any]:
    known = {*_TOP, *_TRUTH, "question", "rubric", "ground_truth"}
    extra = {name: value for name, value in row.fields.items() if name not in known}
    if truth is not row and (unknown := {name: truth.fields[name] for name in truth.fields if name not in known}):
        extra["ground_truth"] = unknown
    return extra


def row_of(item: Item) -> dict[str, Any]:
    """The one nested form that is written."""
    extra = dict(item.extra)
    truth_extra = extra.pop("ground_truth", {})
    truth = {
        "reference_answer": item.reference_answer,
        "key_facts": list(item.key_facts),
        "evidence_spans": [_clue_row(clue) for clue in item.clues],
        "trail_edges": [
            {"from": edge.source, "to": edge.target, "type": edge.type, **edge.extra} for edge in item.edges
        ],
        "scoring_rubric": [_criterion_row(criterion) for criterion in item.rubric.criteria],
        **truth_extra,
    }
    return {
        "question_id": item.question_id,
        "source_id": item.source_id,
        "corpus_file": item.question.corpus_file,
        "tier": item.tier,
        "source_family": item.source_family,
        "geometry": item.geometry,
        "doc_token_estimate": item.doc_token_estimate,
        "question_text": item.question.text,
        "ground_truth": truth,
        **extra,
    }


def _clue_row(clue: Clue) -> dict[str, Any]:
    place = {"start": clue.start, "end": clue.end}
    return {"span_id": clue.span_id, "role": clue.role, "quote": clue.quote, **place, **clue.extra}


def _criterion_row(criterion: Criterion) -> dict[str, Any]:
    row = {"id": criterion.id, "points": criterion.points, "correct_criterion": criterion.text}
    spans = {"spans": list(criterion.spans)} if criterion.spans else {}
    return {**row, **spans, **criterion.extra}


def to_json(items: Iterable[Item]) -> bytes:
    """The nested form, readable: a list of tasks."""
    return (json.dumps([row_of(item) for item in items], ensure_ascii=False, indent=1) + "\n").encode()


def to_jsonl(items: Iterable[Item]) -> bytes:
    """The Hugging Face form: a task a line, `ground_truth` as a JSON string; the same keys in every row."""
    lines = []
    for item in items:
        row = row_of(item)
        row["ground_truth"] = json.dumps(row["ground_truth"], ensure_ascii=False)
        lines.append(json.dumps(row, ensure_ascii=False))
    return ("\n".join(lines) + "\n").encode()
