"""Which numbers of a table rest on flagged answers, worked out from what stands behind each of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wildtrace.diagnose import flags, leaderboard, tiers
from wildtrace.diagnose.base import Inputs, Settings
from wildtrace.diagnose.flagged import marked, standing_notes
from wildtrace.scores.table import ScoreTable, Tasks


def scores_of(*flagged: tuple[int, int], flag: str = "suspected_truncation") -> ScoreTable:
    """Two systems on four items of two tiers, with these answers flagged."""
    ids = ("q1", "q2", "q3", "q4")
    tasks = Tasks(ids, ids, ("L0", "L0", "L1", "L1"), ("",) * 4, ("",) * 4)
    table = ScoreTable.of(tasks, ("a", "b"), ("j",), np.full((2, 4, 1), 0.5))
    raised = np.zeros((2, 4), dtype=np.bool_)
    for place in flagged:
        raised[place] = True
    return replace(table, answer_flags={flag: raised}, cap_source=("config", "default"))


def test_the_numbers_of_a_flagged_answer_are_marked() -> None:
    """Its system's number in its tier and the mean of that tier, and no other; the notes say why."""
    scores = scores_of((1, 2))
    table = marked(tiers.compute(Inputs(scores)), scores)

    assert ["b", "mean over systems"] == [table.rows[row][0] for row, _ in sorted(table.flagged)]
    assert {"L1"} == {table.columns[column].name for _, column in table.flagged}
    assert "Flagged answers: 1 suspected_truncation." in table.notes
    assert "† rests on flagged answers too." in table.notes


def test_limits_of_an_interval_are_marked_and_counts_are_not() -> None:
    """A count says how many answers there are, whatever is in them."""
    scores = scores_of((1, 2))
    table = marked(leaderboard.compute(Inputs(scores, Settings(resamples=100))), scores)

    names = {table.columns[column].name for _, column in table.flagged}
    assert {"score", "low", "high", "document_low", "document_high", "scored", "coverage"} == names
    assert frozenset() == marked(flags.compute(Inputs(scores)), scores).flagged


def test_where_every_number_is_doubtful_one_sentence_says_so() -> None:
    """Marks that stand everywhere tell nothing apart."""
    scores = scores_of(*((model, item) for model in range(2) for item in range(4)), flag="unverified")
    table = marked(tiers.compute(Inputs(scores)), scores)

    assert frozenset() == table.flagged
    assert "Every number rests on flagged answers too." in table.notes


@pytest.mark.parametrize("flagged", [(), ((0, 0),)])
def test_caps_and_flags_stand_under_every_table(flagged: tuple[tuple[int, int], ...]) -> None:
    """Where each system's cap came from, and the flags with their counts."""
    notes = standing_notes(scores_of(*flagged))

    assert "Context caps: config (a); default (b)." == notes[0]
    assert len(flagged) == len(notes) - 1


def test_offline_answers_are_not_doubtful_one_by_one() -> None:
    """Offline scores are marked as a whole."""
    scores = scores_of((0, 0), flag="offline")

    assert frozenset() == marked(tiers.compute(Inputs(scores)), scores).flagged
