"""A made release with the paper's composition, and made scores on it: 18 systems x 481 items x 3 judges.

Item counts are those of the paper's Tables 3, 4 and 13; which document an item belongs to, its clues and all scores
are drawn from a seed with the standard library's generator, whose numbers do not change between releases.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from wildtrace.scores.table import OUT_OF_CONTEXT, FloatArray, Points, ScoreTable, Tasks
from wildtrace.types import Clue, Criterion, Item, Question, Rubric, TrailEdge

TIERS = ("L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7")
COUNTS = {
    "forward": (12, 8, 9, 9, 10, 8, 16, 1),
    "intersection": (12, 10, 8, 8, 8, 10, 13, 2),
    "comparative": (12, 9, 9, 9, 8, 8, 12, 0),
    "temporal": (13, 8, 10, 8, 9, 8, 15, 0),
    "abductive": (12, 8, 9, 8, 8, 8, 12, 0),
    "causal": (15, 8, 8, 8, 8, 8, 12, 0),
    "counterfactual": (14, 8, 8, 8, 8, 8, 13, 0),
}
DOCUMENTS = {"L0": 40, "L1": 27, "L2": 27, "L3": 26, "L4": 26, "L5": 25, "L6": 41, "L7": 2}
TOKENS = (90_000, 150_000, 220_000, 300_000, 430_000, 600_000, 860_000, 1_200_000)
FAMILIES = ("technical_report",) * 4 + ("english_literature",) * 5 + ("chinese_literature",)
MODELS = tuple(
    f"{maker}-{number}" for number in (1, 2, 3) for maker in ("amber", "birch", "cedar", "dune", "elm", "fjord")
)
JUDGES = ("quill-judge", "reed-judge", "cedar-judge")
CAPS = {"elm-3": 5, "fjord-3": 3}


def made_items(seed: int = 481) -> tuple[Item, ...]:
    """481 items over 214 documents."""
    rng = random.Random(seed)
    items: list[Item] = []
    for place, tier in enumerate(TIERS):
        geometries = [name for name, counts in COUNTS.items() for _ in range(counts[place])]
        rng.shuffle(geometries)
        documents = [at % DOCUMENTS[tier] for at in range(len(geometries))]
        items += [
            _item(len(items) + at, tier, geometry, document, rng)
            for at, (geometry, document) in enumerate(zip(geometries, documents, strict=True))
        ]
    return tuple(items)


def _item(number: int, tier: str, geometry: str, document: int, rng: random.Random) -> Item:
    source = f"{tier.lower()}-{document:03d}"
    family = FAMILIES[document % len(FAMILIES)]
    tokens = TOKENS[TIERS.index(tier)] + 100 * document
    chars = round(tokens * (1.5 if family == "chinese_literature" else 3.3))
    starts = sorted(rng.sample(range(chars - 100), rng.randint(2, 5)))
    clues = tuple(Clue(f"s{at}", "fact", "q" * 20, start, start + 20) for at, start in enumerate(starts))
    sides = [Criterion(f"P{at + 1}", 60 / len(clues), f"states fact {at}", (f"s{at}",)) for at in range(len(clues))]
    relation = Criterion("R", 40.0, "states how the facts hang together", tuple(clue.span_id for clue in clues))
    return Item(
        question=Question(f"made-{number:04d}", f"What follows from case {number}?", f"{source}.txt"),
        rubric=Rubric((*sides, relation)),
        source_id=source,
        tier=tier,
        source_family=family,
        geometry=geometry,
        doc_token_estimate=tokens,
        reference_answer=f"The answer to case {number}.",
        key_facts=tuple(f"fact {at}" for at in range(len(clues))),
        clues=clues,
        edges=tuple(TrailEdge(a.span_id, b.span_id, "leads to") for a, b in pairwise(clues)),
    )


def made_scores(items: Sequence[Item], seed: int = 7, models: Sequence[str] = MODELS) -> ScoreTable:
    """Scores that fall with the tier, differ by geometry and by judge; two systems have a small window."""
    rng = random.Random(seed)
    tasks = Tasks.of(items)
    hard = {name: rng.gauss(0, 0.5) for name in COUNTS}
    item_effect = [rng.gauss(0, 0.7) + hard[item.geometry] - 0.15 * int(item.tier[1:]) for item in items]
    strict = {judge: rng.gauss(0, 0.3) for judge in JUDGES}
    criteria = [(at, place) for at, item in enumerate(items) for place in range(len(item.rubric.criteria))]
    awarded = np.full((len(models), len(criteria), len(JUDGES)), np.nan)
    for row, model in enumerate(models):
        ability = 1.6 - 2.0 * row / len(models) + rng.gauss(0, 0.1)
        for column, (at, _) in enumerate(criteria):
            base = ability + item_effect[at] + rng.gauss(0, 0.8)
            for place, judge in enumerate(JUDGES):
                chance = 1 / (1 + math.exp(-(base + strict[judge] + rng.gauss(0, 0.5))))
                awarded[row, column, place] = round(4 * chance) / 4
        if model in CAPS:
            beyond = [int(items[at].tier[1:]) > CAPS[model] for at, _ in criteria]
            awarded[row, beyond] = np.nan
    return _scores(items, tasks, models, awarded)


def _scores(items: Sequence[Item], tasks: Tasks, models: Sequence[str], awarded: FloatArray) -> ScoreTable:
    item_of = np.array([at for at, item in enumerate(items) for _ in item.rubric.criteria])
    place = np.array([at for item in items for at in range(len(item.rubric.criteria))])
    share = np.array([c.points / item.rubric.points for item in items for c in item.rubric.criteria])
    credit = np.zeros((len(models), len(items), len(JUDGES)))
    for criterion, item in enumerate(item_of):
        credit[:, item] += awarded[:, criterion] * share[criterion]
    table = ScoreTable.of(tasks, models, JUDGES, np.round(credit, 6))
    out = np.isnan(credit).any(axis=2)
    table.status[out] = OUT_OF_CONTEXT
    object.__setattr__(table, "points", Points(awarded, item_of, place))
    object.__setattr__(table, "families", {name: name.split("-")[0] for name in (*models, *JUDGES)})
    return table
