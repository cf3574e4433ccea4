"""Geometry relabelling: are the primary labels reproducible by people who did not see them? (paper, Table 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from wildtrace.diagnose.base import Cell, Column, Gap, Statistic, Table
from wildtrace.diagnose.numeric.agreement import cohen_kappa


@dataclass(frozen=True, slots=True)
class Label:
    """One annotator's label of one item; `secondary` is "" where none was given."""

    question_id: str
    annotator: str
    primary: str
    secondary: str = ""


@dataclass(frozen=True, slots=True)
class RelabelStudy:
    """The items' original labels and what the annotators gave."""

    original: Mapping[str, str]
    labels: tuple[Label, ...]


def compute(study: RelabelStudy) -> Table:
    """A row for each pair of annotators and for each annotator against the original labels."""
    annotators = sorted({label.annotator for label in study.labels})
    given = {name: {row.question_id: row for row in study.labels if row.annotator == name} for name in annotators}
    rows = [_row(f"{a} vs. {b} primary labels", given[a], given[b]) for a, b in combinations(annotators, 2)]
    truth = {name: Label(name, "original", label) for name, label in study.original.items()}
    rows += [_row(f"{name} vs. original primary", given[name], truth) for name in annotators]
    return Table(
        name="relabel",
        title="Blinded geometry relabelling",
        columns=(
            Column("check", role="key"),
            Column("agreement", "share", "of items"),
            Column("kappa", "coefficient", "Cohen's kappa"),
            Column("agreement_with_secondary", "share", "of items", about="a secondary label counts too"),
            Column("disagreements", "integer", "items", "count"),
            Column("n", "integer", "items", "count"),
        ),
        rows=tuple(rows),
        n=len(study.original),
        notes=tuple(_notes(study, given)),
    )


def _row(name: str, left: Mapping[str, Label], right: Mapping[str, Label]) -> tuple[Cell, ...]:
    shared = sorted(set(left) & set(right))
    if not shared:
        return (name, *(Gap(f"{name}: no item in common"),) * 3, 0, 0)
    a, b = [left[item].primary for item in shared], [right[item].primary for item in shared]
    same = sum(one == other for one, other in zip(a, b, strict=True))
    wide = sum(_meet(left[item], right[item]) for item in shared)
    kappa = cohen_kappa(a, b)
    shown: Cell = Gap(f"{name}: one label throughout, kappa is undefined") if kappa is None else kappa
    return name, same / len(shared), shown, wide / len(shared), len(shared) - same, len(shared)


def _meet(left: Label, right: Label) -> bool:
    """Whether a primary label of one is the primary or secondary label of the other."""
    return left.primary in (right.primary, right.secondary) or right.primary == left.secondary


def _notes(study: RelabelStudy, given: Mapping[str, Mapping[str, Label]]) -> Iterator[str]:
    for name, labels in given.items():
        missing = len(study.original) - len(labels)
        if missing:
            yield f"{name} labelled {len(labels)} of {len(study.original)} items."
    if not given:
        yield "No labels were imported yet."


STATISTIC = Statistic("relabel", "Blinded geometry relabelling", "study", compute)
