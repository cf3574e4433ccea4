"""The made release and its scores, made once for all tests that only read them."""

from __future__ import annotations

import pytest

from tests.diagnose.made import made_items, made_scores
from wildtrace.diagnose.base import Inputs
from wildtrace.scores.table import ScoreTable
from wildtrace.types import Item


@pytest.fixture(scope="session")
def items() -> tuple[Item, ...]:
    """481 items with the paper's composition."""
    return made_items()


@pytest.fixture(scope="session")
def scores(items: tuple[Item, ...]) -> ScoreTable:
    """18 systems x 481 items x 3 judges."""
    return made_scores(items)


@pytest.fixture(scope="session")
def inputs(items: tuple[Item, ...], scores: ScoreTable) -> Inputs:
    """The made scores as a report's statistics get them."""
    return Inputs(scores=scores, items=items)
