"""The three studies of people and judges, and how their samples are drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from wildtrace.diagnose import evidence_visible, expert, relabel
from wildtrace.diagnose.base import Gap
from wildtrace.diagnose.evidence_visible import EvidenceCell, EvidenceStudy
from wildtrace.diagnose.expert import CONSENSUS, ExpertCell, ExpertStudy, PointRow
from wildtrace.diagnose.relabel import Label, RelabelStudy
from wildtrace.diagnose.strata import Candidate, draw_balanced, draw_even, draw_items
from wildtrace.errors import DataError
from wildtrace.scores.table import ScoreTable
from wildtrace.types import Item

GEOMETRIES = ("abductive", "causal", "comparative", "counterfactual", "forward", "intersection", "temporal")


@pytest.fixture(scope="module")
def candidates(items: tuple[Item, ...], scores: ScoreTable) -> list[Candidate]:
    """Every fully judged answer of the made scores."""
    mean = scores.panel_mean()
    return [
        Candidate(model, item.question_id, float(mean[row, at]), item.source_family, item.geometry)
        for row, model in enumerate(scores.models)
        for at, item in enumerate(items)
        if not np.isnan(mean[row, at])
    ]


def test_bins_are_thirds() -> None:
    """[0, 1/3), [1/3, 2/3), [2/3, 1]; a third that is a rounding below still counts as a third."""
    scores = (0.0, 0.3333, 1 / 3, 0.1 + 0.7 / 3, 0.6666, 2 / 3, 1.0)

    bins = [Candidate("m", "q", score, "f", "g").bin for score in scores]

    assert ["low", "low", "middle", "middle", "middle", "high", "high"] == bins


@pytest.mark.parametrize("seed", range(5))
def test_the_expert_sample_has_the_papers_margins(candidates: list[Candidate], seed: int) -> None:
    """60 answers: 20 by score bin, 20 by family, 7 to 11 by geometry, and no item twice."""
    drawn = draw_balanced(candidates, 60, seed)

    assert {"low": 20, "middle": 20, "high": 20} == Counter(c.bin for c in drawn)
    assert [20, 20, 20] == list(Counter(c.family for c in drawn).values())
    counts = Counter(c.geometry for c in drawn)
    assert set(GEOMETRIES) == set(counts)
    assert min(counts.values()) >= 7
    assert max(counts.values()) <= 11
    assert len({c.question_id for c in drawn}) == 60


def test_the_same_seed_draws_the_same_sample(candidates: list[Candidate]) -> None:
    """A study can be drawn again, from candidates in any order; another seed draws another."""
    drawn = draw_balanced(candidates, 60, 3)

    assert drawn == draw_balanced(candidates[::-1], 60, 3)
    assert drawn != draw_balanced(candidates, 60, 4)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([21, 30, 42]))
def test_margins_hold_or_the_shortage_is_named(seed: int, size: int) -> None:
    """Scarce and lopsided candidates give either exact margins or one sentence."""
    rng = np.random.default_rng(seed)
    few = [
        Candidate(
            "m",
            f"q{at}",
            float(rng.choice([0.1, 0.5, 0.5, 0.9])),
            str(rng.choice(["f", "g", "g", "h"])),
            f"{rng.integers(4)}",
        )
        for at in range(int(rng.integers(40, 150)))
    ]
    try:
        drawn = draw_balanced(few, size, seed)
    except DataError as error:
        shortage = str(error)
        assume("smaller --size" not in shortage)
        raise
    for margin in (Counter(c.bin for c in drawn), Counter(c.family for c in drawn)):
        assert len(drawn) == size
        assert max(margin.values()) - min(margin.values()) <= 1
    assert min(Counter(c.geometry for c in drawn).values()) >= min(7, size // 4)


def test_a_rerouted_margin_is_found() -> None:
    """A greedy choice that blocks a later one is taken back: only one assignment fits here."""
    one = [("low", "f"), ("low", "g"), ("middle", "f"), ("high", "h")]
    score = {"low": 0.1, "middle": 0.5, "high": 0.9}
    few = [Candidate("m", f"q{at}", score[name], family, "x") for at, (name, family) in enumerate(one)]

    drawn = draw_balanced(few, 3, 0)

    assert {("low", "g"), ("middle", "f"), ("high", "h")} == {(c.bin, c.family) for c in drawn}


def test_too_few_answers_of_a_bin_are_named(candidates: list[Candidate]) -> None:
    """The sentence says which stratum is short, and what to do."""
    few = [c for c in candidates if c.bin != "high"]

    with pytest.raises(DataError, match="score bin high has 0 of 20"):
        draw_balanced(few, 60, 0)


def test_the_evidence_sample_is_even_over_geometry_and_bin(candidates: list[Candidate]) -> None:
    """124 answers over 21 strata: five or six in each."""
    drawn = draw_even(candidates, 124, 1)

    counts = Counter((c.geometry, c.bin) for c in drawn)
    assert len(drawn) == len(set(drawn)) == 124
    assert {5, 6} == set(counts.values())
    with pytest.raises(DataError, match="only 5 answers"):
        draw_even(candidates[:5], 6, 0)


def test_the_relabelling_sample_has_fourteen_of_each(items: tuple[Item, ...]) -> None:
    """98 items, 14 by geometry; a geometry with fewer is named."""
    geometry_of = {item.question_id: item.geometry for item in items}
    drawn = draw_items(geometry_of, 14, 0)

    assert set(Counter(geometry_of[name] for name in drawn).values()) == {14}
    assert len(set(drawn)) == 98
    with pytest.raises(DataError, match="geometry abductive has 65 items, 66 are wanted"):
        draw_items(geometry_of, 66, 0)


def expert_study(count: int = 40, adjudicated: bool = False) -> ExpertStudy:
    """Two annotators around a panel: A a little above it, B a little below."""
    rng = np.random.default_rng(1)
    cells, points = [], []
    for at in range(count):
        panel = float(rng.uniform(0.1, 0.9))
        cells.append(ExpertCell(f"c{at}", panel, "low", "f", "g", {"P1": 60.0, "P2": 40.0}))
        for name, shift in (("A", 0.05), ("B", -0.03)):
            credit = float(np.clip(panel + shift + rng.normal(0, 0.1), 0, 1))
            points += [PointRow(f"c{at}", "P1", name, 60 * credit), PointRow(f"c{at}", "P2", name, 40 * credit)]
    if adjudicated:
        points += [PointRow("c0", "P1", CONSENSUS, 60.0), PointRow("c0", "P2", CONSENSUS, 40.0)]
    return ExpertStudy(tuple(cells), tuple(points))


def credits_of(study: ExpertStudy, name: str) -> list[float]:
    """The credits of one annotator, by cell."""
    return [
        sum(row.points for row in study.points if (row.annotator, row.cell_id) == (name, cell.cell_id)) / 100
        for cell in study.cells
    ]


def test_consensus_is_compared_with_the_panel() -> None:
    """Pearson, mean absolute and mean signed difference of the annotators' mean against the panel's."""
    study = expert_study()
    table = expert.compute(study)
    consensus = (np.array(credits_of(study, "A")) + np.array(credits_of(study, "B"))) / 2
    panel = np.array([cell.panel for cell in study.cells])

    assert stats.pearsonr(consensus, panel).statistic == pytest.approx(
        table.row("consensus vs. panel: Pearson")["value"]
    )
    difference = consensus - panel
    assert np.abs(difference).mean() == pytest.approx(
        table.row("consensus vs. panel: mean absolute difference")["value"]
    )
    assert difference.mean() == pytest.approx(table.row("consensus vs. panel: mean signed difference")["value"])
    assert table.row("consensus vs. panel: Pearson")["n"] == 40


def test_annotators_are_compared_with_each_other() -> None:
    """Their own agreement bounds what the panel can reach."""
    study = expert_study()
    a, b = np.array(credits_of(study, "A")), np.array(credits_of(study, "B"))

    row = expert.compute(study).row("A vs. B: mean absolute difference")

    assert np.abs(a - b).mean() == pytest.approx(row["value"])


def test_an_adjudication_stands_for_the_mean() -> None:
    """Rows of the annotator `consensus` replace the mean where they are given."""
    plain, settled = (expert.compute(expert_study(1, adjudicated=flag)) for flag in (False, True))
    name = "consensus vs. panel: mean signed difference"
    panel = expert_study(1).cells[0].panel

    assert 1.0 - panel == pytest.approx(settled.row(name)["value"])
    assert plain.row(name)["value"] != settled.row(name)["value"]
    assert isinstance(settled.row("consensus vs. panel: Pearson")["value"], Gap)


def test_incomplete_answers_do_not_count() -> None:
    """An answer with an unscored criterion has no consensus, and is counted in a note."""
    study = expert_study()
    short = replace(study, points=tuple(row for row in study.points if (row.cell_id, row.criterion_id) != ("c3", "P2")))
    table = expert.compute(short)

    assert table.n == 39
    assert "1 of 40 answers are not completely scored and do not count." in table.notes


def evidence_study(changes: list[float | None]) -> EvidenceStudy:
    """Answers that the judge gave 0.5 without the evidence."""
    cells = [
        EvidenceCell(f"c{at}", 0.5, None if change is None else 0.5 + change, "middle", GEOMETRIES[at % 7])
        for at, change in enumerate(changes)
    ]
    return EvidenceStudy("quill-judge", tuple(cells))


def test_evidence_visible_judging_is_compared_by_answer() -> None:
    """n, both means, the difference, and the share of answers that lost 20 points or more."""
    row = evidence_visible.compute(evidence_study([0.1, 0.3 - 0.5, -0.19, 0.5, None])).row("all")

    assert row["n"] == 4
    assert row["rubric_only"] == pytest.approx(50.0)
    assert row["evidence_visible"] == pytest.approx(50.0 + 100 * 0.21 / 4)
    assert row["difference"] == pytest.approx(100 * 0.21 / 4)
    assert row["down_20"] == 0.25


def test_answers_not_yet_judged_are_counted() -> None:
    """The table says how many are still missing, and has gaps where nothing is known."""
    table = evidence_visible.compute(evidence_study([None, None]))

    assert isinstance(table.row("all")["difference"], Gap)
    assert "2 of 2 answers have no evidence-visible judgement yet." in table.notes


def paper_relabelling() -> RelabelStudy:
    """98 items, 14 a geometry; A differs from the original on 10, B on 9, and they from each other on 6."""
    original = {f"q{at:03d}": GEOMETRIES[at // 14] for at in range(98)}

    def label(at: int, step: int) -> str:
        return GEOMETRIES[(at // 14 + step) % 7]

    both, only_a, only_b, differently = range(0, 98, 14), (1, 15), (2,), (29,)
    steps_a = {**dict.fromkeys(both, 1), **dict.fromkeys(only_a, 3), **dict.fromkeys(differently, 1)}
    steps_b = {**dict.fromkeys(both, 1), **dict.fromkeys(only_b, 3), **dict.fromkeys(differently, 2)}
    steps_b[0] = 4
    steps_b[14] = 5
    ids = list(original)
    a = [Label(name, "A", label(at, steps_a.get(at, 0)), original[name]) for at, name in enumerate(ids)]
    b = [Label(name, "B", label(at, steps_b.get(at, 0))) for at, name in enumerate(ids)]
    return RelabelStudy(original, tuple(a + b))


def test_relabelling_gives_the_papers_numbers() -> None:
    """6 disagreements of 98: 93.9 % and kappa 0.929; 88 and 89 of 98 against the original: 0.881 and 0.893."""
    table = relabel.compute(paper_relabelling())

    between, a, b = (
        table.row(name) for name in ("A vs. B primary labels", "A vs. original primary", "B vs. original primary")
    )
    assert (between["disagreements"], a["disagreements"], b["disagreements"]) == (6, 10, 9)
    assert between["agreement"] == pytest.approx(0.939, abs=0.0005)
    assert between["kappa"] == pytest.approx(0.929, abs=0.0005)
    assert a["kappa"] == pytest.approx(0.881, abs=0.0005)
    assert b["kappa"] == pytest.approx(0.893, abs=0.0005)


def test_secondary_labels_raise_agreement() -> None:
    """An original label that the annotator marked as secondary counts as agreement in its own column."""
    row = relabel.compute(paper_relabelling()).row("A vs. original primary")

    assert row["agreement_with_secondary"] == 1.0
    assert row["agreement"] == pytest.approx(88 / 98)


def test_labels_of_one_kind_have_no_kappa() -> None:
    """One label throughout is agreement by necessity: undefined, not 1.0."""
    labels = (Label("q", "A", "causal"), Label("q", "B", "causal"))
    table = relabel.compute(RelabelStudy({"q": "causal"}, labels))

    assert isinstance(table.row("A vs. B primary labels")["kappa"], Gap)
    assert table.row("A vs. B primary labels")["agreement"] == 1.0


def test_missing_labels_are_counted() -> None:
    """An annotator who is not done is said to be, and unlabelled items count nowhere."""
    table = relabel.compute(RelabelStudy({"q": "causal", "r": "temporal"}, (Label("q", "A", "causal"),)))

    assert "A labelled 1 of 2 items." in table.notes
    assert table.row("A vs. original primary")["n"] == 1
