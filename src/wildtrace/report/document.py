"""A report as data: tables, figures as Vega-Lite specifications, and the items behind the numbers (docs/report.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wildtrace.diagnose.base import Figure, Table
from wildtrace.tables.formats import as_dict

Answers = Literal["embed", "none"]
FORMAT = "wildtrace.report/1"


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report shows.

    `items` holds one entry an item (docs/report.md): the public and the hidden part, and each system's answer with its
    judges' points and replies; with answers `none` the texts of answers and replies are absent. `models` names the
    systems, best first; `undrawn` the figures that have no picture. All of it is untrusted.
    """

    title: str
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    items: Sequence[Mapping[str, Any]] = ()
    runs: Sequence[Mapping[str, Any]] = ()
    models: tuple[str, ...] = ()
    answers: Answers = "embed"
    marks: tuple[str, ...] = ()
    undrawn: tuple[str, ...] = ()

    def table(self, name: str) -> Table:
        """The table called `name`; KeyError when there is none."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)


def payload(report: Report) -> dict[str, Any]:
    """The report in JSON's types, as docs/report.md describes it."""
    return {
        "format": FORMAT,
        "title": report.title,
        "marks": list(report.marks),
        "answers": report.answers,
        "runs": [dict(run) for run in report.runs],
        "tables": [as_dict(table) for table in report.tables],
        "figures": [
            {"name": figure.name, "title": figure.title, "n": figure.n, "spec": dict(figure.spec)}
            for figure in report.figures
        ],
        "items": [dict(item) for item in report.items],
    }
