"""Which answers stand behind a cell of a table: a filter of its table, its row and its column, put together.

A filter maps a facet to what is kept; the page applies the table's, then the row's, then the column's, a later one
replacing an earlier one in the same facet. Facets:

    model, tier, geometry, family, item     lists of names
    zero                                    reasons of an answer that counts zero in All
    flag, judge_flag                        a flag of the answer, or of any judge's reply
    judge                                   a judge that gave a usable score
    scored                                  answers that the full panel scored
    every_judge                             answers that every judge of the report scored
    complete                                systems that have an All: none of their answers awaits a judge
    top                                     the best systems by All, as many as the number says
    criterion                               the criterion to point at
    unit                                    "items" where a cell counts items and not answers

None in the place of a filter says that nothing in a report stands behind the number: a rejected candidate, an answer
under another condition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wildtrace.diagnose.base import Cell, Column, Table
from wildtrace.diagnose.flags import JUDGE_SUFFIX
from wildtrace.scores.table import POWERED_TIERS

Drill = Mapping[str, Any]

ITEM_TABLES = ("composition", "floor", "complexity")
UNDRILLED_TABLES = ("funnel",)
_TABLE: Mapping[str, Drill] = {
    "tiers": {"complete": True},
    "geometries": {"complete": True, "tier": list(POWERED_TIERS)},
    "families": {"complete": True},
    "variance": {"complete": True},
    "judges": {"every_judge": True},
    "judge_means": {"every_judge": True},
    "lengths": {"scored": True},
}
_FACETS = {"model": "model", "geometry": "geometry", "source_family": "family", "source family": "family"}
_FACETS |= {"tier": "tier", "judge": "judge"}
# The answers of a report are those to the question with its document.
_OTHER_CONDITIONS = ("evidence", "contamination", "access_gap", "reasoning_gap")
_TOP = re.compile(r"top (\d+) systems")
_SCORED = ("scored", "scored_n", "coverage")


@dataclass(frozen=True, slots=True)
class Known:
    """The names that a report's tables may speak of."""

    models: frozenset[str]
    tiers: frozenset[str]
    judges: frozenset[str]
    items: frozenset[str]


def table_filter(table: Table, known: Known) -> Drill | None:
    """What every cell of the table rests on; None where nothing of the report stands behind it."""
    if table.name in UNDRILLED_TABLES or not known.items:
        return None
    if table.name in ITEM_TABLES:
        return {"unit": "items"}
    top = _TOP.search(table.title)
    if top:
        return {"tier": list(POWERED_TIERS), "top": int(top[1])}
    return _TABLE.get(table.name, {})


def row_filter(table: Table, row: tuple[Cell, ...], known: Known) -> Drill:
    """What a row narrows: the model, tier, geometry, family, judge or item that its key cells name."""
    found: dict[str, Any] = {}
    keys = [(column, cell) for column, cell in zip(table.columns, row, strict=True) if column.role == "key"]
    if table.name == "composition":
        return _facet(str(row[0]), str(row[1]), known)
    for column, cell in keys:
        found |= _key(column, str(cell), known)
    return found


def column_filter(table: Table, at: int, known: Known) -> Drill | None:
    """What a column narrows: the model, tier, judge, flag or reason that its name names; None as for a table."""
    column = table.columns[at]
    if table.name == "access" and column.name in _OTHER_CONDITIONS:
        return None
    if table.name == "flags":
        return _flag(column)
    if table.name == "leaderboard" and column.name in _SCORED:
        return {"scored": True}
    return _named(column.name, known)


def _named(name: str, known: Known) -> Drill:
    label, _, value = name.partition(": ")
    if label == "zero" and value:
        return {"zero": [value]}
    if label == "judge" and value:
        return {"judge": value}
    if name.removesuffix(" n") in known.tiers:
        return {"tier": [name.removesuffix(" n")]}
    return {"model": [name]} if name in known.models else {}


def _flag(column: Column) -> Drill:
    if column.role == "key" or column.name == "answers":
        return {}
    if column.name.endswith(JUDGE_SUFFIX):
        return {"judge_flag": column.name.removesuffix(JUDGE_SUFFIX)}
    return {"flag": column.name}


def _key(column: Column, cell: str, known: Known) -> dict[str, Any]:
    if column.name == "criterion":
        item, _, criterion = cell.rpartition(" ")
        return {"item": [item], "criterion": criterion} if item in known.items else {}
    if column.name in _FACETS:
        return _facet(column.name, cell, known)
    facet, _, value = cell.partition(": ")
    return _facet(facet, value, known) if value else {}


def _facet(label: str, value: str, known: Known) -> dict[str, Any]:
    facet = _FACETS.get(label)
    if facet is None or (facet == "model" and value not in known.models):
        return {}
    if facet == "judge":
        return {"judge": value} if value in known.judges else {}
    return {} if label == "geometry" and value.startswith("best - ") else {facet: [value]}
