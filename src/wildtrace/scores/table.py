"""The score table: items x systems x judges as arrays, and which cells count where.

Credits are 0 to 1; NaN means "not judged" and is never a zero. Zeros are filled in one place, `zero_filled`, by the
rule of All (protocol, section 5): a missing, failed, pending or out-of-context answer counts 0, an answer that still
awaits a judge has no number at all. The arithmetic of a panel and the reasons of zeros are those of `aggregate`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wildtrace.scores.aggregate import mean, panel_mean, zero_label
from wildtrace.text.counting import counted
from wildtrace.types import Item
from wildtrace.vocabulary import STATUSES as STATUS_WORDS
from wildtrace.vocabulary import TIERS

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IndexArray = npt.NDArray[np.intp]

STATUSES = STATUS_WORDS.names
OK, OUT_OF_CONTEXT, FAILED, PENDING, MISSING, UNKNOWN = range(len(STATUSES))
*POWERED, STRESS_TIER = TIERS.names
POWERED_TIERS = tuple(POWERED)
FEW_DOCUMENTS = 20
STRUCTURE = ("clues", "spread", "minimum_gap", "edges", "rubric_length")


@dataclass(frozen=True, slots=True, eq=False)
class Tasks:
    """What is known of the items without their texts: one entry per item in each field, "" where unknown.

    `structure` maps a structural column to one number per item, NaN where unknown. The columns made from items are
    the number of clues, the distance in code points from the first clue's start to the last one's, the smallest
    distance between the starts of two clues, the number of trail edges and the number of rubric criteria.
    """

    question_ids: tuple[str, ...]
    source_ids: tuple[str, ...]
    tiers: tuple[str, ...]
    families: tuple[str, ...]
    geometries: tuple[str, ...]
    structure: Mapping[str, FloatArray] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Sequence[Item]) -> Tasks:
        """The facts of released items, in their order; an item without a source id stands for its corpus file."""
        rows = np.array([_structure(item) for item in items], dtype=np.float64).reshape(len(items), len(STRUCTURE))
        return cls(
            question_ids=tuple(item.question_id for item in items),
            source_ids=tuple(item.source_id or item.question.corpus_file for item in items),
            tiers=tuple(item.tier for item in items),
            families=tuple(item.source_family for item in items),
            geometries=tuple(item.geometry for item in items),
            structure={name: rows[:, index] for index, name in enumerate(STRUCTURE)},
        )

    def __len__(self) -> int:
        return len(self.question_ids)

    def select(self, chosen: IndexArray) -> Tasks:
        """The same facts for the items at the positions `chosen`, in that order."""

        def pick(values: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(values[index] for index in chosen)

        return Tasks(
            question_ids=pick(self.question_ids),
            source_ids=pick(self.source_ids),
            tiers=pick(self.tiers),
            families=pick(self.families),
            geometries=pick(self.geometries),
            structure={name: column[chosen] for name, column in self.structure.items()},
        )

    def clusters(self) -> IndexArray:
        """For each item the number of its document; an item without a source is a document of its own."""
        names = [source or f"\0{question}" for source, question in zip(self.source_ids, self.question_ids, strict=True)]
        return np.unique(np.asarray(names, dtype=object).astype(str), return_inverse=True)[1].astype(np.intp)

    def mask(self, facet: str, value: str) -> BoolArray:
        """Which items have `value` in `facet` (`tiers`, `families` or `geometries`)."""
        return np.asarray([entry == value for entry in getattr(self, facet)], dtype=np.bool_)

    def in_tiers(self, *tiers: str) -> BoolArray:
        """Which items lie in one of `tiers`, in capital or small letters; "" stands for items without a tier."""
        return np.asarray([tier.strip().upper() in tiers for tier in self.tiers], dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points by criterion: `awarded` is systems x criteria x judges as credits 0 to 1, NaN where not usable.

    `item` gives for each criterion the position of its item, `position` its place in the rubric; `unusable` counts the
    replies whose points do not add up to their total or do not fit the rubric (docs/protocol.md, rule 23).
    """

    awarded: FloatArray
    item: IndexArray
    position: IndexArray
    unusable: int = 0


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of systems on items by judges. What is derived from the arrays is worked out once.

    Attributes:
        tasks: the items, in the order of the second axis.
        models: the systems, in the order of the first axis.
        judges: the judges, in the order of the third axis.
        credit: systems x items x judges, 0 to 1, NaN where a judge gave no usable score.
        status: systems x items, positions in `STATUSES`.
        reason: systems x items, positions in `reasons`, -1 where the status says all.
        reasons: the distinct reasons of answers that count zero.
        panel: systems x judges, who belongs to the system's panel.
        cap_source: for each system where its cap came from, "" where unknown.
        answer_chars: systems x items, code points of the answer, NaN where unknown.
        answer_flags: flag -> systems x items.
        judge_flags: flag -> systems x items x judges.
        points: points by criterion, where replies carry them.
        families: system or judge -> the family of models it belongs to.
        marks: what must be said of every table made from these scores.
    """

    tasks: Tasks
    models: tuple[str, ...]
    judges: tuple[str, ...]
    credit: FloatArray
    status: npt.NDArray[np.int8]
    reason: npt.NDArray[np.int16]
    reasons: tuple[str, ...]
    panel: BoolArray
    cap_source: tuple[str, ...]
    answer_chars: FloatArray
    answer_flags: Mapping[str, BoolArray] = field(default_factory=dict)
    judge_flags: Mapping[str, BoolArray] = field(default_factory=dict)
    points: Points | None = None
    families: Mapping[str, str] = field(default_factory=dict)
    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, tasks: Tasks, models: Sequence[str], judges: Sequence[str], credit: FloatArray) -> ScoreTable:
        """A table of complete answers with no more known of them than their credits."""
        shape = credit.shape[:2]
        return cls(
            tasks=tasks,
            models=tuple(models),
            judges=tuple(judges),
            credit=credit,
            status=np.full(shape, OK, dtype=np.int8),
            reason=np.full(shape, -1, dtype=np.int16),
            reasons=(),
            panel=np.ones((len(models), len(judges)), dtype=np.bool_),
            cap_source=("",) * len(models),
            answer_chars=np.full(shape, np.nan),
        )

    @cached_property
    def _panel_mean(self) -> FloatArray:
        mean_of = np.full(self.credit.shape[:2], np.nan)
        # Credits are ratios of points, so many answers share their panel's credits; exact sums are slow.
        known: dict[tuple[float, ...], float] = {}
        for model, member in enumerate(self.panel):
            credit = self.credit[model][:, member]
            judged = ~np.isnan(credit).any(axis=1) & member.any()
            for item, row in zip(np.flatnonzero(judged), credit[judged].tolist(), strict=True):
                given = tuple(row)
                if given not in known:
                    known[given] = panel_mean(given)
                mean_of[model, item] = known[given]
        return mean_of

    def panel_mean(self) -> FloatArray:
        """Systems x items: the mean of the system's full panel, NaN where any of its judges is missing."""
        return self._panel_mean

    def zero_filled(self) -> FloatArray:
        """Systems x items as All counts them: NaN only where an answer still awaits a judge."""
        filled: FloatArray = np.where(self.counts_zero(), 0.0, self.panel_mean())
        return filled

    def counts_zero(self) -> BoolArray:
        """Systems x items: what counts zero in All, because there is no judged answer and none awaits a judge."""
        zero: BoolArray = np.isnan(self.panel_mean()) & ~self.unjudged()
        return zero

    def zero_reason(self, model: int, item: int) -> str:
        """Why the answer counts zero, where it does."""
        reason = int(self.reason[model, item])
        return zero_label(STATUSES[int(self.status[model, item])], self.reasons[reason] if reason >= 0 else None)

    def zeros(self, model: int) -> Counter[str]:
        """How many answers of a system count zero, by reason."""
        return Counter(self.zero_reason(model, int(item)) for item in np.flatnonzero(self.counts_zero()[model]))

    def unjudged(self) -> BoolArray:
        """Systems x items: answers that await a judge (also those of unknown status that only some judges scored)."""
        partial = (~np.isnan(self.credit) & self.panel[:, None, :]).any(axis=2)
        waiting: BoolArray = (self.status == OK) | ((self.status == UNKNOWN) & partial)
        return waiting & np.isnan(self.panel_mean())

    def answered(self) -> BoolArray:
        """Systems x items: valid answers scored by the full panel, which is what Scored averages."""
        answered: BoolArray = (self.status == OK) & ~np.isnan(self.panel_mean())
        return answered

    def complete(self) -> IndexArray:
        """The positions of the systems none of whose answers awaits a judge."""
        return np.flatnonzero(~self.unjudged().any(axis=1))

    def fully_judged(self) -> BoolArray:
        """Systems x items: answers that every judge of the table scored, which is what judge statistics use."""
        answered: BoolArray = (self.status == OK) | (self.status == UNKNOWN)
        return answered & ~np.isnan(self.credit).any(axis=2)

    def judged_means(self, judges: Sequence[int]) -> tuple[list[int], FloatArray]:
        """The systems with a fully judged answer, and their means by the mean of `judges` over those answers."""
        cells = self.fully_judged()
        systems = [int(model) for model in np.flatnonzero(cells.any(axis=1))]
        means = [exact_mean(self.credit[model][cells[model]][:, judges]) for model in systems]
        return systems, np.array(means)

    def incomplete_notes(self) -> tuple[str, ...]:
        """One sentence for each system whose answers still await a judge."""
        waiting = self.unjudged().sum(axis=1)
        return tuple(
            f"{model}: {counted(count, 'answer awaits', 'answers await')} a judge, so it has no All and is left out."
            for model, count in zip(self.models, waiting, strict=True)
            if count
        )

    def with_marks(self, marks: Iterable[str]) -> ScoreTable:
        """The same scores with more to be said of every table made from them."""
        return replace(self, marks=(*self.marks, *marks))


def exact_mean(values: FloatArray) -> float:
    """The mean with an exactly rounded sum, so that the order of the values changes nothing; NaN of no values."""
    exact = mean(values.ravel().tolist())
    return math.nan if exact is None else exact


def overall(scores: FloatArray) -> FloatArray:
    """The exact mean of each row (systems x items)."""
    return np.array([exact_mean(row) for row in scores])


def ranking(means: FloatArray, names: Sequence[str]) -> list[int]:
    """Positions from the highest mean to the lowest; means that differ by rounding alone are ordered by name."""
    return sorted(range(len(means)), key=lambda index: (-round(float(means[index]), 12), names[index]))


def present(labels: Iterable[str], order: Sequence[str] = ()) -> list[str]:
    """The distinct labels that are not empty: those of `order` first and in its order, the others by name."""
    found = {label for label in labels if label}
    return [label for label in order if label in found] + sorted(found.difference(order))


def few_documents(tasks: Tasks) -> tuple[str, ...]:
    """A sentence where documents are so few that resampling them says little."""
    documents = int(tasks.clusters().max()) + 1 if len(tasks) else 0
    if not 1 < documents < FEW_DOCUMENTS:
        return ()
    return (f"Only {documents} documents: intervals over documents are rough.",)


def ranked_complete(scores: ScoreTable) -> tuple[list[int], FloatArray]:
    """The positions of the systems that have an All, best first, and their zero-filled scores in that order."""
    complete = scores.complete()
    filled = scores.zero_filled()[complete]
    order = ranking(overall(filled), [scores.models[model] for model in complete])
    return [int(complete[place]) for place in order], filled[order]


def every_system(scores: ScoreTable) -> list[int]:
    """The positions of all systems: those that have an All best first, the others by name."""
    order, _ = ranked_complete(scores)
    return [*order, *sorted(set(range(len(scores.models))).difference(order), key=lambda at: scores.models[at])]


def _structure(item: Item) -> tuple[float, float, float, float, float]:
    starts = sorted(clue.start for clue in item.clues if clue.start is not None)
    placed = len(starts) == len(item.clues) and len(starts) > 1
    spread = float(starts[-1] - starts[0]) if placed else math.nan
    gap = float(min(b - a for a, b in pairwise(starts))) if placed else math.nan
    clues = float(len(item.clues)) if item.clues else math.nan
    return clues, spread, gap, float(len(item.edges)) if item.clues else math.nan, float(len(item.rubric.criteria))
