"""Every answer of a report: a packed block of columns for each system, and one packed record for each item.

The columns hold what a list of answers shows and filters by; the records hold the texts and are opened one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wildtrace.report.document import Report
from wildtrace.report.html.embed import packed_block

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cells:
    """The columns of all systems, an entry an item.

    `columns[model]` maps `zero` to the reason for which an answer counts zero in All, or None; `score` to credits of 0
    to 1 or None; `judges` to one such list a judge; `flags` and `judge_flags` to lists of flags.
    """

    models: tuple[str, ...]
    judges: tuple[str, ...]
    columns: Sequence[Mapping[str, list[Any]]]


def collect(report: Report) -> Cells:
    """The columns of every system named by an answer, in the report's order of systems."""
    named = {str(answer["model"]): None for item in report.items for answer in item["answers"]}
    models = tuple(dict.fromkeys([*(name for name in report.models if name in named), *sorted(named)]))
    judges = tuple(
        sorted({str(name) for item in report.items for answer in item["answers"] for name in answer["judges"]})
    )
    answers: dict[str, list[Record]] = {name: [] for name in models}
    for item in report.items:
        for answer in item["answers"]:
            answers[str(answer["model"])].append(answer)
    return Cells(models, judges, [_columns(answers[name], judges) for name in models])


def _columns(answers: Sequence[Record], judges: Sequence[str]) -> dict[str, list[Any]]:
    return {
        "zero": [answer["zero"] for answer in answers],
        "score": [answer["score"] for answer in answers],
        "judges": [[answer["judges"].get(name, {}).get("score") for answer in answers] for name in judges],
        "flags": [list(answer["flags"]) for answer in answers],
        "judge_flags": [
            sorted({flag for entry in answer["judges"].values() for flag in entry.get("flags", ())})
            for answer in answers
        ],
    }


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
