"""Every answer of a report: a packed block of columns for each system, and one packed record for each item.

The columns hold what a list of answers shows and filters by; the records hold the texts and are opened one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wildtrace.report.document import Report
from wildtrace.report.html.embed import packed_block

MISSING = "missing"
Record = Mapping[str, Any]


@dataclass(slots=True)
class Names:
    """Distinct labels in order of first use, so that columns hold small numbers."""

    labels: list[Any] = field(default_factory=list)
    places: dict[Any, int] = field(default_factory=dict)

    def place(self, label: Any) -> int:
        """The number of a label, a new one where it is new."""
        at = self.places.get(label)
        if at is None:
            at = self.places[label] = len(self.labels)
            self.labels.append(label)
        return at


@dataclass(frozen=True, slots=True)
class Cells:
    """The columns of all systems, and the labels that they number.

    `columns[model]` maps `status`, `zero`, `flags` and `judge_flags` to numbers of labels (`zero` -1 where the answer
    does not count zero), `score` to credits of 0 to 1 or None, `judges` to one such list a judge; an entry an item.
    """

    models: tuple[str, ...]
    judges: tuple[str, ...]
    labels: Mapping[str, Sequence[Any]]
    columns: Sequence[Mapping[str, list[Any]]]


def collect(report: Report) -> Cells:
    """The columns of every system named by an answer, in the order of the leaderboard."""
    models, judges = _models(report), _judges(report.items)
    from_files = frozenset(str(run["model"]) for run in report.runs)
    builder = _Builder(models, judges, len(report.items), from_files)
    for at, item in enumerate(report.items):
        for answer in item["answers"]:
            builder.add(at, answer)
    return Cells(models, judges, builder.labels(), builder.columns)


def item_facts(items: Iterable[Record]) -> list[dict[str, Any]]:
    """What the page knows of each item from the start: id, facets and question."""
    keys = ("question_id", "source_id", "tier", "source_family", "geometry", "question")
    return [{key: item.get(key, "") for key in keys} for item in items]


def cell_blocks(cells: Cells) -> Iterator[bytes]:
    """One packed block a system: `m0`, `m1` and so on."""
    for at, columns in enumerate(cells.columns):
        yield packed_block(f"m{at}", columns)


def item_blocks(items: Iterable[Record]) -> Iterator[bytes]:
    """One packed block an item, `i0`, `i1`, …: its hidden part, every answer, every judge's points and reply."""
    for at, item in enumerate(items):
        yield packed_block(f"i{at}", item)


def _models(report: Report) -> tuple[str, ...]:
    named = dict.fromkeys(str(answer["model"]) for item in report.items for answer in item["answers"])
    board = next((table for table in report.tables if table.name == "leaderboard"), None)
    ranked = [str(row[0]) for row in board.rows] if board else []
    return tuple(dict.fromkeys([*(name for name in ranked if name in named), *sorted(named)]))


def _judges(items: Iterable[Record]) -> tuple[str, ...]:
    return tuple(sorted({str(name) for item in items for answer in item["answers"] for name in answer["judges"]}))


class _Builder:
    """Columns being filled, an answer at a time."""

    def __init__(self, models: Sequence[str], judges: Sequence[str], size: int, from_files: frozenset[str]) -> None:
        self.from_files = from_files
        self.model_place = {name: at for at, name in enumerate(models)}
        self.judge_place = {name: at for at, name in enumerate(judges)}
        self.status, self.zero, self.flags = Names(), Names(), Names()
        self.flags.place(())
        missing, zero = self.status.place(MISSING), self.zero.place(MISSING)
        self.columns: list[dict[str, list[Any]]] = [
            {
                "status": [missing] * size,
                "zero": [zero] * size,
                "score": [None] * size,
                "judges": [[None] * size for _ in judges],
                "flags": [0] * size,
                "judge_flags": [0] * size,
            }
            for _ in models
        ]

    def add(self, at: int, answer: Record) -> None:
        columns = self.columns[self.model_place[str(answer["model"])]]
        columns["status"][at] = self.status.place(answer["status"])
        columns["zero"][at] = self._zero(answer)
        counts = answer["status"] in ("ok", "unknown")
        columns["score"][at] = _credit(answer, self.judge_place) if counts else None
        columns["flags"][at] = self.flags.place(tuple(sorted(answer["flags"])))
        raised: set[str] = set()
        for name, entry in answer["judges"].items():
            raised.update(entry.get("flags", ()))
            if counts:
                columns["judges"][self.judge_place[str(name)]][at] = entry.get("score")
        columns["judge_flags"][at] = self.flags.place(tuple(sorted(raised)))

    def _zero(self, answer: Record) -> int:
        """The label under which an answer counts zero, as the leaderboard counts it; -1 where it does not."""
        status, reason = str(answer["status"]), answer["reason"]
        judged = any("score" in entry for entry in answer["judges"].values())
        if status == "ok" or (status == "unknown" and judged):
            return -1
        # A scores file names why an answer is pending apart from that it is; a matrix gives one label for both.
        if status == "pending" and reason and str(answer["model"]) in self.from_files:
            return self.zero.place(f"pending:{reason}")
        return self.zero.place(str(reason or status))

    def labels(self) -> dict[str, list[Any]]:
        return {
            "status": self.status.labels,
            "zero": self.zero.labels,
            "flags": [list(names) for names in self.flags.labels],
        }


def _credit(answer: Record, order: Mapping[str, int]) -> float | None:
    """The panel's mean as the tables have it: added up in the judges' order, so that it agrees to the last digit."""
    if answer["score"] is None:
        return None
    given = sorted((order[str(name)], entry["score"]) for name, entry in answer["judges"].items() if "score" in entry)
    return sum(float(score) for _, score in given) / len(given) if given else float(answer["score"])
